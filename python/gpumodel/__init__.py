"""How long a GPU kernel takes, what limits it, and what would help: gpumodel from Python.

Needs no GPU and no CUDA. Every function runs the ``gpumodel`` command, in this process where the module
``gpumodel._core`` was built (:func:`in_process`), else in one of its own, and reads its json or csv, so values
are the command's own, to the last digit; the interpreter is free meanwhile, and Ctrl-C ends the work at once.
Times are in microseconds where a name ends in ``_us``, sizes in bytes or elements as the name says. Bad input
raises a subclass of :class:`Error` with the diagnostics of the command. docs/python.md begins from the start.
"""

from ._analyses import kernels, memory, occupancy, predict, predict_many, predict_rows, simulate, sweep, tune
from ._arch import Arch
from ._command import command_path
from ._errors import CommandNotFound, Diagnostic, Error, InternalError, InvalidInput, UsageError
from ._inside import available as in_process
from ._program import Program
from ._results import Columns, Memory, Occupancy, Prediction, Result, Simulation, Tuning

__all__ = [
    "Arch", "Columns", "CommandNotFound", "Diagnostic", "Error", "InternalError", "InvalidInput", "Memory",
    "Occupancy", "Prediction", "Program", "Result", "Simulation", "Tuning", "UsageError", "command_path",
    "in_process", "kernels", "memory", "occupancy", "predict", "predict_many", "predict_rows", "simulate", "sweep",
    "tune",
]

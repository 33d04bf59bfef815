"""Runs of the command inside this process, through the module ``gpumodel._core`` where it was built."""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
from typing import IO, Any, Dict, Iterator, List, Optional, Tuple

_HERE = pathlib.Path(__file__).resolve().parent
_INSTALLED = _HERE / "installed" / "bin" / "gpumodel"
_BUILT = _HERE.parent.parent / "build" / "release"
# Who finds another thread's run in its way waits as long as a process of its own would take to start.
_PATIENCE_SECONDS = 0.02


def _is_current(module: pathlib.Path, program: pathlib.Path) -> bool:
    """Not left over from an earlier build of the source tree than its command's."""
    return module.parent == _HERE or (program.is_file() and module.stat().st_mtime >= program.stat().st_mtime - 60)


def _load(folder: pathlib.Path, program: pathlib.Path) -> Any:
    name = f"{__package__}._core"
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        file = folder / ("_core" + suffix)
        if file.is_file() and _is_current(file, program):
            loader = importlib.machinery.ExtensionFileLoader(name, str(file))
            spec = importlib.util.spec_from_file_location(name, str(file), loader=loader)
            assert spec is not None
            try:
                module = importlib.util.module_from_spec(spec)
                loader.exec_module(module)
            except ImportError:  # a library that it needs is not here
                return None
            sys.modules[name] = module
            return module
    return None


def _find() -> Tuple[Any, str]:
    """The module beside the package or in a source tree's build, and the command that its data lie around."""
    for folder, program in ((_HERE, _INSTALLED), (_BUILT / "python", _BUILT / "tools" / "gpumodel")):
        module = _load(folder, program)
        if module is not None:
            return module, str(program)
    return None, ""


_core, _program = _find()


def available() -> bool:
    """Whether calls run in this process: the module ``gpumodel._core`` is there, and GPUMODEL_COMMAND does not name
    another command. In a forked process it is of no use: its threads stayed behind."""
    return _core is not None and not os.environ.get("GPUMODEL_COMMAND") and _core.usable()


def core() -> Any:
    """The module; only where it is :func:`available`."""
    return _core


def environment() -> Dict[bytes, bytes]:
    """The environment of a run: a copy, so that it holds whatever other threads change meanwhile."""
    return {**os.environb, b"GPUMODEL_DIAGNOSTICS": b"json"}


def _bytes(argument: str) -> bytes:
    if "\0" in argument:
        raise ValueError("embedded null byte")
    return os.fsencode(argument)


def program() -> str:
    return _program


@contextlib.contextmanager
def running(arguments: List[str], stdin: Optional[str]) -> Iterator[Optional[Tuple[IO[str], Any]]]:
    """As ``_command.running``; None where another thread's run is in the way. A run that is left early is asked to
    stop and not waited for."""
    reads, writes = os.pipe()
    run = None
    try:
        run = _core.start([_bytes(a) for a in arguments], environment(), _program, (stdin or "").encode(), writes,
                          _PATIENCE_SECONDS)
    finally:
        if run is None:
            os.close(reads)
            os.close(writes)
    if run is None:
        yield None
        return
    done = _Done()
    try:
        with open(reads, encoding="utf-8", errors="replace") as output:
            yield output, done
        done.exit_code, messages = run.finish()
        done.messages = messages.decode(errors="replace")
    finally:
        run.stop()  # nothing where it has ended


class _Done:
    exit_code = 0
    messages = ""

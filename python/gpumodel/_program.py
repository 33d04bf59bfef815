"""Code of one's own, to predict in place of a kernel family."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import Any, List, Optional, Sequence, Union

Path = Union[str, "os.PathLike[str]"]
Dims = Union[int, Sequence[int]]


class Program:
    """One launch of real code. Made by :meth:`from_sass`, :meth:`from_cuda` or :meth:`from_trace`; read when it is
    predicted, as the GPU decides how."""

    def __init__(self, options: List[str], scratch: Optional[str] = None):
        self._options = options
        if scratch is not None:
            weakref.finalize(self, shutil.rmtree, scratch, True)

    @classmethod
    def from_sass(cls, path: Path, entry: str, grid: Dims, block: Dims, args: Sequence[Any] = (),
                  dynamic_shared: int = 0, allow_unknown: bool = False) -> "Program":
        """A function of a listing (``cuobjdump -sass``, plain or packed), cubin, fatbin or program.

        ``grid`` in blocks and ``block`` in threads, x or (x, y, z). ``args`` are the parameters in their order:
        int (int32), float (double), numpy scalars (their own type), numpy arrays (an allocation with these contents),
        or text as the command takes it (``"ptr:64MiB"``, ``"0.5f"``, ``"4096L"``). ``dynamic_shared`` in bytes.
        """
        return cls._launch(["--sass", os.fspath(path)], entry, grid, block, args, dynamic_shared, allow_unknown)

    @classmethod
    def from_cuda(cls, path: Path, entry: str, grid: Dims, block: Dims, args: Sequence[Any] = (),
                  dynamic_shared: int = 0, nvcc_flags: str = "", allow_unknown: bool = False) -> "Program":
        """A kernel of a .cu file, compiled here: needs a CUDA toolkit (no GPU). Else as :meth:`from_sass`."""
        source = ["--cu", os.fspath(path)] + (["--nvcc-flags", nvcc_flags] if nvcc_flags else [])
        return cls._launch(source, entry, grid, block, args, dynamic_shared, allow_unknown)

    @classmethod
    def from_trace(cls, path: Path) -> "Program":
        """A trace: .gpt, or .traceg[.xz] of Accel-Sim."""
        return cls(["--trace", os.fspath(path)])

    @classmethod
    def _launch(cls, source: List[str], entry: str, grid: Dims, block: Dims, args: Sequence[Any],
                dynamic_shared: int, allow_unknown: bool) -> "Program":
        arrays: List[Any] = [a for a in args if getattr(a, "ndim", 0)]
        scratch = tempfile.mkdtemp(prefix="gpumodel-") if arrays else None
        options = [*source, "--entry", entry, "--grid", _dims(grid), "--block", _dims(block)]
        if len(args):
            options += ["--args", ",".join(_argument(a, i, scratch) for i, a in enumerate(args))]
        if dynamic_shared:
            options += ["--dynamic-shared", str(dynamic_shared)]
        return cls(options + (["--allow-unknown"] if allow_unknown else []), scratch)

    def __repr__(self) -> str:
        return f"Program({' '.join(self._options)})"


def _dims(dims: Dims) -> str:
    return str(dims) if isinstance(dims, int) else ",".join(str(int(d)) for d in dims)


def _argument(value: Any, index: int, scratch: Optional[str]) -> str:
    if isinstance(value, str):
        return value
    if getattr(value, "ndim", 0):
        import numpy

        assert scratch is not None
        file = os.path.join(scratch, f"{index}.npy")
        numpy.save(file, value)
        return "@" + file
    kind = getattr(getattr(value, "dtype", None), "name", "")
    if kind == "float32":
        return repr(float(value)) + "f"
    if kind in ("int64", "uint64"):
        return f"{int(value)}L"
    if isinstance(value, float) or kind == "float64":
        return repr(float(value))
    return str(int(value))

"""Columns of launches through the module ``gpumodel._core``: numbers in, numbers out."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping

from . import _inside
from ._errors import error_of
from ._results import Columns

_NUMBERS_AND_TEXTS = ["status", "reason", "time_us", "gflops", "cycles", "threads_per_block", "registers_per_thread",
                      "shared_bytes_per_block", "blocks_per_sm", "occupancy_limiter", "theoretical_occupancy",
                      "achieved_occupancy", "waves", "bottleneck", "error_band_pct", "sm_clock_mhz", "average_power_w",
                      "energy_mj"]


def many_available() -> bool:
    return _inside.available()


def whole_columns(given: Mapping[str, Any]) -> Dict[str, Any]:
    """Each column as int64, all of one length. Raises TypeError for what is no whole numbers, ValueError for columns of
    different lengths or more than one dimension."""
    import numpy

    columns = {}
    for name, values in given.items():
        column = numpy.asarray(values)
        if column.dtype.kind not in "iu" and column.size:
            raise TypeError(f"{name}: whole numbers, not {column.dtype}")
        if column.ndim > 1:
            raise ValueError(f"{name}: one value or one dimension, not {column.ndim}")
        if column.dtype.kind == "u" and column.size and int(column.max()) > numpy.iinfo(numpy.int64).max:
            raise ValueError(f"{name}: {int(column.max())} is too large")
        columns[name] = column.astype(numpy.int64)
    lengths = {name: len(c) for name, c in columns.items() if c.ndim == 1}
    if len(set(lengths.values())) > 1:
        raise ValueError("columns differ in length: " + ", ".join(f"{k} {n}" for k, n in lengths.items()))
    rows = next(iter(lengths.values()), 1)
    return {name: numpy.broadcast_to(column, (rows,)) for name, column in columns.items()}


def many_here(arch: List[str], kernel: str, given: Mapping[str, Any], cold: bool, threads: int,
              counters: bool) -> Columns:
    """``arch``: as options of the command."""
    import numpy

    columns = whole_columns(given)
    cells = numpy.ascontiguousarray(numpy.stack(list(columns.values()), axis=1))
    code, messages, launch, numbers, texts = _inside.core().many(
        os.fsencode(arch[1]), [os.fsencode(value) for value in arch[3::2]], str(kernel), list(columns), cells, cold,
        threads, counters, _inside.environment(), os.fsencode(_inside.program()))
    if code != 0:
        raise error_of(code, messages.decode(errors="replace"))
    found = {name: column[launch] for name, column in numbers.items()}
    found.update((name, numpy.array(column, dtype=object)[launch]) for name, column in texts.items())
    return in_order_of_many(columns, Columns(found))


def in_order_of_many(given: Mapping[str, Any], found: Mapping[str, Any]) -> Columns:
    """The given columns, the contract's, then counters."""
    counters = [name for name in found if "__" in name]
    return Columns({**given, **{name: found[name] for name in [*_NUMBERS_AND_TEXTS, *counters]}})

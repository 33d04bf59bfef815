"""csv in and out: rows for --jobs, and what comes back as columns."""

from __future__ import annotations

import csv
import io
import itertools
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, TextIO

from ._results import Columns

_TEXT = {"arch", "kernel", "params", "model", "status", "reason", "occupancy_limiter", "bottleneck",
         "program_source", "unknown_data", "shard"}
_WHOLE = {"M", "N", "K"}
_CHUNK = 4_000  # rows that are turned into columns at a time: text of few is held, and Ctrl-C waits for few


def counters_begin(header: Sequence[str]) -> int:
    """Where the predicted counters begin, behind the contract's columns."""
    return header.index("unknown_data") + 1


def _whole(cells: Iterable[str]) -> List[int]:
    return [int(c) if c else 0 for c in cells]


def _numbers(cells: Iterable[str]) -> List[float]:
    return [float(c) if c else float("nan") for c in cells]


def _converted(name: str, cells: List[str]) -> Any:
    if name in _TEXT:
        return cells
    try:
        return _whole(cells) if name in _WHOLE else _numbers(cells)
    except ValueError:  # a swept spec key whose values have units
        return cells


def read_columns(stream: TextIO, counters: bool, bar: Any = None) -> Columns:
    """The csv of predict or sweep."""
    reader = csv.reader(stream)
    header = next(reader, [])
    if not header:
        return Columns()
    first, last = counters_begin(header), len(header)
    kept = [i for i, name in enumerate(header) if counters or i < first or "__" not in name]
    parts: Dict[str, List[Any]] = {header[i]: [] for i in kept}
    while rows := list(itertools.islice(reader, _CHUNK)):
        cells = list(zip(*rows))
        for i in kept:
            if i < last:
                parts[header[i]].append(_array(header[i], _converted(header[i], list(cells[i]))))
        if bar is not None:
            bar.update(len(rows))
    return Columns({name: _joined(name, chunks) for name, chunks in parts.items()})


def _array(name: str, values: List[Any]) -> Any:
    try:
        import numpy
    except ImportError:
        return values
    if values and isinstance(values[0], str):
        return numpy.array(values, dtype=object)
    return numpy.array(values, dtype=numpy.int64 if name in _WHOLE else numpy.float64)


def _joined(name: str, chunks: List[Any]) -> Any:
    if not chunks:
        return _array(name, [])
    if isinstance(chunks[0], list):
        return [value for chunk in chunks for value in chunk]
    import numpy

    return numpy.concatenate(chunks)


def _column(value: Any, rows: int) -> List[Any]:
    if hasattr(value, "tolist"):  # numpy: Python's own numbers
        value = value.tolist()
    if isinstance(value, (list, tuple, range)):
        return list(value)
    return [value] * rows


def _length(values: Mapping[str, Any]) -> int:
    lengths = {name: len(v) for name, v in values.items()
               if not isinstance(v, str) and hasattr(v, "__len__") and getattr(v, "ndim", 1) != 0}
    if len(set(lengths.values())) > 1:
        raise ValueError("columns differ in length: " + ", ".join(f"{k} {n}" for k, n in lengths.items()))
    return next(iter(lengths.values()), 1)


def jobs_csv(kernel: Any, shape: Mapping[str, Optional[Any]], params: Mapping[str, Any]) -> str:
    """The file of --jobs for columns and single values, which hold for all rows."""
    given = {"kernel": kernel, **{k: v for k, v in shape.items() if v is not None}, **params}
    rows = _length(given)
    names = _column(kernel, rows)
    sizes = [_column("" if shape[d] is None else shape[d], rows) for d in ("M", "N", "K")]
    columns = {key: _column(value, rows) for key, value in params.items()}
    out = io.StringIO()
    out.write("kernel,params,M,N,K\n")
    writer = csv.writer(out, lineterminator="\n")
    pairs = [";".join(f"{key}={values[i]}" for key, values in columns.items()) for i in range(rows)]
    writer.writerows(zip(names, pairs, *sizes))
    return out.getvalue()

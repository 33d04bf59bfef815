"""The analyses: one function per question, each a subcommand of the same name."""

from __future__ import annotations

import difflib
from typing import Any, List, Optional, Sequence, Union

from ._arch import Arch, arch_options
from ._command import document_of, running
from ._errors import Diagnostic, UsageError, error_of
from ._many import in_order_of_many, many_available, many_here, whole_columns
from ._program import Program
from ._results import Columns, Memory, Occupancy, Prediction, Result, Simulation, Tuning
from ._tables import jobs_csv, read_columns

AnArch = Union[str, Arch]
Kernel = Union[str, Program]


def _values(value: Any) -> str:
    """One value, several (``[64, 128]``, an array), or text as the command takes it (``"8:32:8"``)."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple, range)) else str(value)


def _pairs(params: dict) -> List[str]:
    return [item for key, value in params.items() for item in ("-p", f"{key}={_values(value)}")]


def _given(**options: Any) -> List[str]:
    """``--name value`` of what is not None; True is a flag."""
    items: List[str] = []
    for name, value in options.items():
        option = f"-{name}" if len(name) == 1 else "--" + name.replace("_", "-")
        if value is True:
            items.append(option)
        elif value is not None and value is not False:
            items += [option, str(value)]
    return items


def _launch(kernel: Kernel, M: Any, N: Any, K: Any, params: dict) -> List[str]:
    if isinstance(kernel, Program):
        return [*kernel._options, *_given(m=M, n=N, k=K), *_pairs(params)]
    return ["--kernel", str(kernel), *_given(m=M, n=N, k=K), *_pairs(params)]


def predict(arch: AnArch, kernel: Kernel, *, M: Optional[int] = None, N: Optional[int] = None,
            K: Optional[int] = None, model: Optional[str] = None, l2: Optional[str] = None, exact: bool = False,
            max_cycles: Optional[int] = None, registers: Optional[int] = None, explain: bool = False,
            generated: bool = False, compile: Optional[str] = None, clock: Optional[str] = None,
            **params: Any) -> Prediction:
    """How long one launch takes, and what limits it.

    ``kernel``: a family's name (:func:`kernels`) or a :class:`Program`. ``M``, ``N``, ``K``: rows and columns of C and
    the inner dimension, in elements (default: the family's, 4096 for matrix products). ``params``: the family's, as
    ``BM=128``. ``model``: ``"simulate"``, ``"analytic"`` or ``"both"`` (default). ``l2``: ``"warm"`` (back-to-back
    launches, default) or ``"cold"``. ``clock``: ``"burst"`` (default), ``"boost"``, ``"sustained"`` or a locked one,
    ``"1410 MHz"``. ``exact``: no extrapolation; slow. ``max_cycles``: give up beyond. ``registers``:
    per thread, instead of the compiler's or the estimate. ``explain``: with the cost of each limiter. ``generated``,
    ``compile``: which code of the family, as the command's options.

    The time is what CUDA events report as the median of back-to-back launches of that kernel alone. A launch that
    breaks a rule has ``status`` "infeasible" and a ``reason``; wrong names and values raise :class:`UsageError`, code
    with faults :class:`InvalidInput`. The models: model/analytic/predict.h and model/sim/simulate.h.

    >>> predict("v100_sxm2", "warptile", model="analytic", compile="never").bottleneck
    ['FMA pipe']
    """
    return Prediction(document_of([
        "predict", *arch_options(arch), *_launch(kernel, M, N, K, params),
        *_given(model=model, l2=l2, exact=exact, max_cycles=max_cycles, registers=registers, explain=explain,
                generated=generated, compile=compile, clock=clock)]))


def simulate(arch: AnArch, kernel: Kernel, *, M: Optional[int] = None, N: Optional[int] = None,
             K: Optional[int] = None, l2: Optional[str] = None, exact: bool = False,
             max_cycles: Optional[int] = None, registers: Optional[int] = None, explain: bool = False,
             generated: bool = False, compile: Optional[str] = None, clock: Optional[str] = None,
             **params: Any) -> Simulation:
    """One launch cycle by cycle: what its warps wait for, by reason and by instruction. Arguments and errors as
    :func:`predict`; model/sim/simulate.h says how."""
    return Simulation(document_of([
        "simulate", *arch_options(arch), *_launch(kernel, M, N, K, params),
        *_given(l2=l2, exact=exact, max_cycles=max_cycles, registers=registers, explain=explain,
                generated=generated, compile=compile, clock=clock)]))


def occupancy(arch: AnArch, threads: int, registers: int, shared: int = 0, *, barriers: Optional[int] = None,
              carveout: Optional[int] = None) -> Occupancy:
    """Blocks per SM, what limits them, and what gains one more.

    ``threads`` per block, ``registers`` per thread, ``shared`` bytes per block, static and dynamic; ``carveout`` in per
    cent of the largest. Equation: model/launch/occupancy.h.

    >>> occupancy("sm_70", threads=256, registers=64).blocks_per_sm
    4
    """
    return Occupancy(document_of(["occupancy", *arch_options(arch), *_given(
        threads=threads, registers=registers, shared=shared, barriers=barriers, carveout=carveout)]))


def memory(arch: AnArch, *, stride: Optional[int] = None, offset: Optional[int] = None,
           width: Optional[int] = None, pitch: Optional[int] = None, column: bool = False,
           addresses: Optional[Sequence[int]] = None, active: Optional[int] = None, store: bool = False,
           space: Optional[str] = None, path: Optional[str] = None, bank_width: Optional[int] = None) -> Memory:
    """Coalescing and bank conflicts of one warp access.

    A pattern: ``stride`` in words of ``width`` bytes (1, 2, 4, 8, 16) from byte ``offset``; or a tile's column, with
    ``pitch`` words a row; or ``addresses``, up to 32 bytes addresses, one per lane. ``active``: mask of the lanes.
    ``space``: ``"global"``, ``"shared"`` or both. Rules: model/memory/coalescing and model/memory/banks.

    >>> memory("sm_70", stride=2).shared.wavefronts
    2
    """
    listed = None if addresses is None else _values(addresses)
    return Memory(document_of(["memory", *arch_options(arch), *_given(
        stride=stride, offset=offset, width=width, pitch=pitch, column=column, addresses=listed, active=active,
        store=store, space=space, path=path, bank_width=bank_width)]))


def _table(arguments: List[str], stdin: Optional[str], counters: bool, progress: bool, what: str) -> Columns:
    bar = _progress_bar(what) if progress else None
    try:
        with running([*arguments, "--format", "csv"], stdin) as (output, run):
            columns = read_columns(output, counters, bar)
    finally:
        if bar is not None:
            bar.close()
    if run.exit_code != 0 and columns.rows == 0:
        raise error_of(run.exit_code, run.messages)
    return columns


def _progress_bar(what: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(unit=what, unit_scale=True)


def predict_rows(arch: AnArch, kernel: Any, *, M: Any = None, N: Any = None, K: Any = None,
                 model: str = "analytic", l2: Optional[str] = None, threads: Optional[int] = None,
                 generated: bool = False, counters: bool = False, progress: bool = False, **params: Any) -> Columns:
    """Many launches in one run, on all cores: one row out per row in, in its order.

    Everything but ``arch`` and the options may be a column (numpy array, list) or one value for all rows; columns have
    one length. A row that cannot run has ``status`` "infeasible" or "error" and a ``reason``; the others still run.
    ``generated``: our own generator's code also where a compiler's is at hand, which takes some milliseconds a row to
    execute. ``counters``: with the predicted counters, under Nsight Compute's names. ``progress``: a bar, where tqdm is
    installed. Columns of different lengths raise ValueError.

    >>> predict_rows("v100_sxm2", "warptile", M=[1024, 2048], N=1024, K=1024)["status"].tolist()
    ['ok', 'ok']
    """
    jobs = jobs_csv(kernel, {"M": M, "N": N, "K": K}, params)
    return _table(["predict", *arch_options(arch), "--jobs", "-", *_given(
        model=model, l2=l2, threads=threads, generated=generated)],
                  jobs, counters, progress, "row")


def predict_many(arch: AnArch, kernel: str, *, M: Any = None, N: Any = None, K: Any = None,
                 l2: Optional[str] = None, threads: Optional[int] = None, counters: bool = False,
                 **params: Any) -> Columns:
    """Very many launches of one family: numpy columns of whole numbers in, columns out, row by row.

    As ``predict_rows(..., generated=True)``: the analytic model on our own generator's code, on all cores, each column
    an array of shape (rows,) or one value for all rows. Rows that are equal are predicted once. In this process
    (``gpumodel._core``) nothing becomes text on the way, and numbers are not rounded as csv rounds them; without the
    module the rows go through :func:`predict_rows`. Columns out: those given, then status, reason, time_us, gflops,
    cycles (of the SM clock), threads_per_block, registers_per_thread, shared_bytes_per_block, blocks_per_sm,
    occupancy_limiter, theoretical_occupancy and achieved_occupancy (0 to 1), waves, bottleneck, error_band_pct, sm_clock_mhz, average_power_w,
    energy_mj, and with ``counters`` the predicted counters.

    A launch that breaks a rule has ``status`` "infeasible" and a ``reason``, one with a value out of range "error". An
    unknown GPU, family or parameter raises :class:`UsageError`, columns that are not whole numbers TypeError, columns of
    different lengths ValueError.

    >>> predict_many("v100_sxm2", "warptile", M=[1024, 2048, 1000], K=1024)["status"].tolist()
    ['ok', 'ok', 'infeasible']
    """
    given = {**{n: v for n, v in (("M", M), ("N", N), ("K", K)) if v is not None}, **params}
    options = arch_options(arch)
    if given and l2 in (None, "warm", "cold") and (threads or 0) in range(1025) and many_available():
        return many_here(options, kernel, given, l2 == "cold", threads or 0, counters)
    columns = whole_columns(given)
    _check_family(kernel, [name for name in columns if name not in ("M", "N", "K")])
    rows = predict_rows(arch, kernel, l2=l2, threads=threads, generated=True, counters=counters, **columns)
    return in_order_of_many(columns, rows)


def _check_family(kernel: str, params: List[str]) -> None:
    """Raises UsageError for a family or parameters that there are not."""
    known = [p["name"] for p in document_of(["kernels", "show", kernel])["parameters"]]
    faults = [Diagnostic("", 0, 0, name, f"no parameter of {kernel}; it has {', '.join(known)}"
                         + "".join(f"; nearest: {n}" for n in difflib.get_close_matches(name, known, 1)))
              for name in params if name not in known]
    if faults:
        raise UsageError(faults)


def sweep(arch: AnArch, kernel: Union[str, Sequence[str]], *, sizes: Any = None, model: str = "analytic",
          arch_axes: Optional[dict] = None, axes: Optional[str] = None, top: Optional[int] = None,
          keep_invalid: bool = False, l2: Optional[str] = None, clock: Optional[str] = None,
          threads: Optional[int] = None, generated: bool = False, counters: bool = False, progress: bool = False,
          frame: Optional[bool] = None, **params: Any) -> Any:
    """Every combination of parameters, sizes and spec values: valid ones only, unless ``keep_invalid``.

    ``params``: ``BM=[64, 128]`` or ``BK="8:32:8"``. ``sizes``: 1024 (M = N = K), ``"4096x2048x512"``, a list, or a range
    ``"1024:4096:1024"``. ``arch_axes``: ``{"sm.shared_memory.banks": [16, 32]}``, a column each. ``axes="auto"``: what
    a tuner would try of the parameters left out. ``top``: only so many, the fastest of each size and spec. Returns a
    pandas.DataFrame where pandas is installed, else :class:`Columns`; ``frame`` True or False asks for the one or the
    other (ImportError without pandas). ``progress``: a bar, where tqdm is installed. Raises :class:`InvalidInput` where
    no combination is valid, with the rules.

    >>> sweep("v100_sxm2", "warptile", sizes=[1024, 2048], BM=[64, 128], BN=128)["M"].tolist()
    [1024, 2048]
    """
    swept = [item for key, values in (arch_axes or {}).items() for item in ("--set-sweep", f"{key}={_values(values)}")]
    columns = _table(["sweep", *arch_options(arch), "--kernel", _values(kernel), *_pairs(params), *swept, *_given(
        sizes=None if sizes is None else _values(sizes), model=model, axes=axes, top=top, keep_invalid=keep_invalid,
        l2=l2, clock=clock, threads=threads, generated=generated)], None, counters, progress, "row")
    return columns.to_pandas() if (_has_pandas() if frame is None else frame) else columns


def _has_pandas() -> bool:
    try:
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


def tune(arch: AnArch, kernel: Union[str, Sequence[str]], *, sizes: Any = None, M: Optional[int] = None,
         N: Optional[int] = None, K: Optional[int] = None, model: Optional[str] = None,
         refine: Optional[int] = None, top: Optional[int] = None, l2: Optional[str] = None,
         clock: Optional[str] = None, threads: Optional[int] = None, **params: Any) -> Tuning:
    """Which configuration of a kernel to use, and why it wins.

    ``kernel``: one family or several, which compete. ``params`` restrict or pin (``BM=[64, 128]``); others take the
    values that a tuner would try. ``refine``: so many are simulated at each shape (default 64), the best by the
    analytic model. Raises :class:`InvalidInput` where nothing is valid, with the rules. tools/tune/search.h says how.
    """
    return Tuning(document_of(["tune", *arch_options(arch), "--kernel", _values(kernel), *_pairs(params), *_given(
        sizes=None if sizes is None else _values(sizes), m=M, n=N, k=K, model=model, refine=refine, top=top, l2=l2,
        clock=clock, threads=threads)]))


def kernels() -> List[Result]:
    """The kernel families: name, parameters with their defaults, and what they do."""
    return [Result(k) for k in document_of(["kernels", "list"])["kernels"]]

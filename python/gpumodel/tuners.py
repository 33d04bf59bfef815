"""A model in front of a tuner: configurations that a GPU need not try.

For matrix products tiled as the family ``warptile`` does: a block computes BM x BN results, BK of the inner dimension at
a time, with ``warps`` warps. How the tile is split among warps and threads is not the tuner's question; each
configuration is scored by its best valid split. Written to the documented interfaces of Triton
(``triton.autotune(prune_configs_by={"early_config_prune": f})``, or ``{"perf_model": f, "top_k": n}``) and Kernel Tuner
(``tune_kernel(restrictions=f)``); neither is needed to use or test this module.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple, Union

from ._analyses import predict_rows
from ._arch import Arch
from ._errors import Diagnostic, UsageError

Tile = Tuple[int, int, int, int]  # BM, BN, BK, warps
_SUBTILES = (16, 32, 64, 128)
_PER_THREAD = (2, 4, 8)


def _refuse(faults: Sequence[Tuple[str, str]]) -> None:
    if faults:
        raise UsageError([Diagnostic(argument, 0, 0, "", message) for argument, message in faults])


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)


def _check_tiles(tiles: Sequence[Any], sizes: Mapping[str, Any]) -> None:
    faults = [(name, f"{value!r} is no size: a whole number from 1") for name, value in sizes.items()
              if not (hasattr(value, "__index__") and int(value) >= 1)]
    for tile in tiles:
        whole = isinstance(tile, (tuple, list)) and len(tile) == 4 and all(
            hasattr(v, "__index__") and int(v) >= 1 for v in tile)
        if not whole:
            faults.append(("tiles", f"{tile!r} is no tile: four whole numbers from 1, (BM, BN, BK, warps)"))
    _refuse(faults)


def _check_names(block: Sequence[str], shape: Sequence[str]) -> None:
    faults = [(argument, f"{names!r} are not three names") for argument, names in (("block", block), ("shape", shape))
              if isinstance(names, str) or len(names) != 3 or not all(isinstance(n, str) and n for n in names)]
    _refuse(faults)


def _taken(names: Sequence[str], values: Mapping[str, Any], argument: str, owner: str) -> List[Any]:
    """The named values; all that are missing at once."""
    _refuse([(argument, f"{owner} has no {name!r}, only {', '.join(map(repr, values)) or 'nothing'}")
             for name in names if name not in values])
    return [values[name] for name in names]


def _splits(tile: Tile) -> List[Dict[str, int]]:
    bm, bn, bk, warps = tile
    return [{"BM": bm, "BN": bn, "BK": bk, "WM": wm, "WN": wn, "WNITER": n, "TM": tm, "TN": tn, "THREADS": 32 * warps}
            for wm in _SUBTILES for wn in _SUBTILES if bm % wm == 0 and bn % wn == 0
            and (bm // wm) * (bn // wn) == warps
            for n in (1, 2, 4) for tm in _PER_THREAD for tn in _PER_THREAD]


def tile_scores(arch: Union[str, Arch], tiles: Sequence[Tile], M: int, N: int, K: int) -> List[float]:
    """Microseconds of each tile by the analytic model, the best of its splits; infinite where none is valid.
    M x N x K in elements. One run of the command for all. Raises UsageError for what is no tile or size."""
    _check_tiles(tiles, {"M": M, "N": N, "K": K})
    rows: List[Dict[str, int]] = []
    owner: List[int] = []
    for i, tile in enumerate(tiles):
        splits = _splits(tile)
        rows += splits
        owner += [i] * len(splits)
    scores = [math.inf] * len(tiles)
    if rows:
        columns = {key: [row[key] for row in rows] for key in rows[0]}
        table = predict_rows(arch, "warptile", M=M, N=N, K=K, generated=True, **columns)
        for i, status, time in zip(owner, table["status"], table["time_us"]):
            if status == "ok":
                scores[i] = min(scores[i], float(time))
    return scores


def triton_pruner(arch: Union[str, Arch], keep: int = 8, block: Sequence[str] = ("BLOCK_M", "BLOCK_N", "BLOCK_K"),
                  shape: Sequence[str] = ("M", "N", "K")) -> Callable[..., List[Any]]:
    """``early_config_prune`` for ``triton.autotune``: the ``keep`` configurations with the best scores, best first.

    ``block``: the keys of ``config.kwargs`` that give the tile; ``shape``: the kernel's arguments that give M, N, K.
    What the model has no valid split for comes behind the others, in its order. Triton calls it as
    ``prune(configs, named_args, **kwargs)`` and wants one configuration at least back. Raises UsageError for names that a
    configuration or the arguments do not have.
    """
    _check_names(block, shape)
    if not (_is_whole(keep) and keep >= 1):
        _refuse([("keep", f"{keep!r} configurations: Triton needs one at least")])

    def prune(configs: List[Any], named_args: Mapping[str, Any], **kwargs: Any) -> List[Any]:
        m, n, k = _taken(shape, {**named_args, **kwargs}, "shape", "the launch")
        tiles = [tuple(_taken(block, c.kwargs, "block", "a configuration")) + (c.num_warps,) for c in configs]
        scores = tile_scores(arch, tiles, m, n, k)
        order = sorted(range(len(configs)), key=lambda i: scores[i])
        return [configs[i] for i in order[:int(keep)]]

    return prune


def triton_perf_model(arch: Union[str, Arch], block: Sequence[str] = ("BLOCK_M", "BLOCK_N", "BLOCK_K"),
                      shape: Sequence[str] = ("M", "N", "K")) -> Callable[..., float]:
    """``perf_model`` for ``triton.autotune``, beside ``top_k``: the time of one configuration in milliseconds.

    Triton calls it with the launch's arguments and the configuration's keys, ``num_warps`` among them, by name.
    Infinite where the model has no valid split; each tile of each shape is scored once. For a long list
    :func:`triton_pruner` scores all at once.
    """
    _check_names(block, shape)
    known: Dict[Tuple[int, ...], float] = {}

    def perf_model(**named: Any) -> float:
        size = tuple(_taken(shape, named, "shape", "the launch"))
        tile = tuple(_taken([*block, "num_warps"], named, "block", "the configuration"))
        if (*tile, *size) not in known:
            known[(*tile, *size)] = tile_scores(arch, [tile], *size)[0] / 1e3
        return known[(*tile, *size)]

    return perf_model


def kernel_tuner_restriction(arch: Union[str, Arch], tune_params: Mapping[str, Sequence[int]], M: int, N: int, K: int,
                             tile_of: Callable[[Mapping[str, int]], Tile],
                             within: float = 1.5) -> Callable[[Mapping[str, int]], bool]:
    """A callable for ``restrictions`` of ``kernel_tuner.tune_kernel``: keeps the configurations whose tile
    (``tile_of(params)``) scores at most ``within`` times the best tile's, or that the model cannot judge."""
    import itertools

    if not (isinstance(within, (int, float)) and within >= 1):
        _refuse([("within", f"{within!r} times the best tile's time: 1 or more")])

    names = list(tune_params)
    tiles = sorted({tile_of(dict(zip(names, values))) for values in itertools.product(*tune_params.values())})
    scores = dict(zip(tiles, tile_scores(arch, tiles, M, N, K)))
    best = min(scores.values(), default=math.inf)

    def keeps(params: Mapping[str, int]) -> bool:
        score = scores[tile_of(params)]
        return math.isinf(score) or score <= within * best

    return keeps

"""A model in front of a tuner: configurations that a GPU need not try.

For matrix products tiled as the family ``warptile`` does: a block computes BM x BN results, BK of the inner dimension at
a time, with ``warps`` warps. How the tile is split among warps and threads is not the tuner's question; each
configuration is scored by its best valid split. Written to the documented interfaces of Triton
(``triton.autotune(prune_configs_by={"early_config_prune": f})``) and Kernel Tuner (``tune_kernel(restrictions=f)``);
neither is needed to use or test this module.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple, Union

from ._analyses import predict_rows
from ._arch import Arch

Tile = Tuple[int, int, int, int]  # BM, BN, BK, warps
_SUBTILES = (16, 32, 64, 128)
_PER_THREAD = (2, 4, 8)


def _splits(tile: Tile) -> List[Dict[str, int]]:
    bm, bn, bk, warps = tile
    return [{"BM": bm, "BN": bn, "BK": bk, "WM": wm, "WN": wn, "WNITER": n, "TM": tm, "TN": tn, "THREADS": 32 * warps}
            for wm in _SUBTILES for wn in _SUBTILES if bm % wm == 0 and bn % wn == 0
            and (bm // wm) * (bn // wn) == warps
            for n in (1, 2, 4) for tm in _PER_THREAD for tn in _PER_THREAD]


def tile_scores(arch: Union[str, Arch], tiles: Sequence[Tile], M: int, N: int, K: int) -> List[float]:
    """Microseconds of each tile by the analytic model, the best of its splits; infinite where none is valid.
    M x N x K in elements. One run of the command for all."""
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
    What the model has no valid split for comes last, in its order, so that nothing is lost that it cannot judge.
    """

    def prune(configs: List[Any], named_args: Mapping[str, Any], **kwargs: Any) -> List[Any]:
        m, n, k = (int({**named_args, **kwargs}[name]) for name in shape)
        tiles = [tuple(c.kwargs[name] for name in block) + (c.num_warps,) for c in configs]
        scores = tile_scores(arch, tiles, m, n, k)
        order = sorted(range(len(configs)), key=lambda i: scores[i])
        return [configs[i] for i in order[:keep]]

    return prune


def kernel_tuner_restriction(arch: Union[str, Arch], tune_params: Mapping[str, Sequence[int]], M: int, N: int, K: int,
                             tile_of: Callable[[Mapping[str, int]], Tile],
                             within: float = 1.5) -> Callable[[Mapping[str, int]], bool]:
    """A callable for ``restrictions`` of ``kernel_tuner.tune_kernel``: keeps the configurations whose tile
    (``tile_of(params)``) scores at most ``within`` times the best tile's, or that the model cannot judge."""
    import itertools

    names = list(tune_params)
    tiles = sorted({tile_of(dict(zip(names, values))) for values in itertools.product(*tune_params.values())})
    scores = dict(zip(tiles, tile_scores(arch, tiles, M, N, K)))
    best = min(scores.values(), default=math.inf)

    def keeps(params: Mapping[str, int]) -> bool:
        score = scores[tile_of(params)]
        return math.isinf(score) or score <= within * best

    return keeps

"""Pruning for tuners, against their documented interfaces, and with Kernel Tuner itself where it is installed."""

import importlib.util
import itertools
import math
import pathlib

import pytest

import gpumodel
from gpumodel import tuners

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "python" / "prune_triton.py"


def example():
    spec = importlib.util.spec_from_file_location("prune_triton", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_score_is_the_best_split():
    tile = (64, 64, 16, 4)
    score = tuners.tile_scores("h200_sxm", [tile, (48, 64, 16, 4)], 1024, 1024, 1024)
    found = gpumodel.sweep("h200_sxm", "warptile", sizes=1024, BM=64, BN=64, BK=16, WM=[16, 32, 64], WN=[16, 32, 64],
                           WNITER=[1, 2, 4], TM=[2, 4, 8], TN=[2, 4, 8], THREADS=128, generated=True)
    assert score[0] == found["time_us"].min() and math.isinf(score[1])


def test_triton_list_is_pruned():
    module = example()
    kept = module.PRUNE(module.CONFIGS, {"M": 2048, "N": 2048}, K=2048)
    assert len(kept) == 6 and all(any(k is c for c in module.CONFIGS) for k in kept)
    tiles = [(*c.kwargs.values(), c.num_warps) for c in module.CONFIGS]
    scores = tuners.tile_scores("h200_sxm", tiles, 2048, 2048, 2048)
    best = tiles[scores.index(min(scores))]
    assert (*kept[0].kwargs.values(), kept[0].num_warps) == best


def test_kernel_tuner_restriction():
    params = {"BM": [32, 64, 128], "BN": [32, 64, 128], "warps": [4]}
    keeps = tuners.kernel_tuner_restriction("h200_sxm", params, 2048, 2048, 2048,
                                            lambda p: (p["BM"], p["BN"], 16, p["warps"]), within=1.2)
    decided = [keeps({"BM": bm, "BN": bn, "warps": 4}) for bm in params["BM"] for bn in params["BN"]]
    assert any(decided) and not all(decided)


def test_kernel_tuner_takes_the_restriction():
    """In Kernel Tuner's own search space, where it is installed: as a callable and in a list."""
    searchspace = pytest.importorskip("kernel_tuner.searchspace")
    params = {"block_m": [32, 64, 128], "block_n": [32, 64, 128], "block_k": [8, 16], "warps": [4, 8]}
    keeps = tuners.kernel_tuner_restriction("v100_sxm2", params, 1024, 1024, 1024,
                                            lambda p: (p["block_m"], p["block_n"], p["block_k"], p["warps"]), within=1.2)
    everything = set(itertools.product(*params.values()))
    kept = {values for values in everything if keeps(dict(zip(params, values)))}
    assert kept and kept != everything
    for given in (keeps, [keeps]):
        assert set(searchspace.Searchspace(params, given, 1024).list) == kept

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


# Triton's documented protocol (triton.autotune, prune_configs_by), which the tests follow as it is written there:
#   early_config_prune(configs: List[Config], named_args: Dict[str, Any], **kwargs) -> List[Config], one at least
#   perf_model(**named_args, **kwargs, **config.all_kwargs()) -> running time; the top_k shortest are tried
def all_kwargs(config):
    return {**config.kwargs, "num_warps": config.num_warps, "num_stages": config.num_stages}


def test_triton_list_is_pruned():
    module = example()
    kept = module.PRUNE(module.CONFIGS, {"M": 2048, "N": 2048}, K=2048)
    assert len(kept) == 6 and all(any(k is c for c in module.CONFIGS) for k in kept)
    tiles = [(*c.kwargs.values(), c.num_warps) for c in module.CONFIGS]
    scores = tuners.tile_scores("h200_sxm", tiles, 2048, 2048, 2048)
    best = tiles[scores.index(min(scores))]
    assert (*kept[0].kwargs.values(), kept[0].num_warps) == best


def test_triton_model_orders_as_the_pruner():
    module = example()
    named, rest = {"a": object(), "M": 1024, "N": 2048}, {"K": 512}
    configs = module.CONFIGS[:12]
    times = {id(c): module.TIME(**named, **rest, **all_kwargs(c)) for c in configs}
    kept = module.PRUNE(configs, named, **rest)
    finite = [c for c in kept if math.isfinite(times[id(c)])]
    assert finite and [times[id(c)] for c in finite] == sorted(times.values())[:len(finite)]
    tile = (*kept[0].kwargs.values(), kept[0].num_warps)
    assert times[id(kept[0])] == tuners.tile_scores("h200_sxm", [tile], 1024, 2048, 512)[0] / 1e3


def test_triton_takes_the_pruner():
    """Triton's own autotuner, where it is installed; no kernel is compiled or run."""
    triton = pytest.importorskip("triton")
    module = example()

    def kernel(a, b, c, M, N, K, BLOCK_M, BLOCK_N, BLOCK_K):
        pass

    for prune in ({"early_config_prune": module.PRUNE}, {"perf_model": module.TIME, "top_k": 6}):
        tuner = triton.autotune(module.CONFIGS, key=["M", "N", "K"], prune_configs_by=prune)(triton.jit(kernel))
        tuner.nargs = {"M": 2048, "N": 2048, "K": 2048}
        kept = tuner.prune_configs({})
        assert len(kept) == 6 and all(any(k is c for c in module.CONFIGS) for k in kept)


CONFIG = type("Config", (), {"kwargs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 16}, "num_warps": 4})
ODD_CONFIG = type("Config", (), {"kwargs": {"BLOCK_M": "64", "BLOCK_N": 64, "BLOCK_K": 16}, "num_warps": 4})
SIZE = {"M": 512, "N": 512, "K": 512}
BAD_CALLS = {
    "a tile of three": lambda: tuners.tile_scores("h200_sxm", [(64, 64, 16)], 512, 512, 512),
    "a tile of words": lambda: tuners.tile_scores("h200_sxm", [("a", "b", "c", "d")], 512, 512, 512),
    "a tile of nothing": lambda: tuners.tile_scores("h200_sxm", [(0, 64, 16, 4)], 512, 512, 512),
    "half a tile": lambda: tuners.tile_scores("h200_sxm", [(64.5, 64, 16, 4)], 512, 512, 512),
    "a negative tile": lambda: tuners.tile_scores("h200_sxm", [(64, -64, 16, 4)], 512, 512, 512),
    "no tile": lambda: tuners.tile_scores("h200_sxm", [None], 512, 512, 512),
    "no size": lambda: tuners.tile_scores("h200_sxm", [(64, 64, 16, 4)], 0, 512, 512),
    "a size of words": lambda: tuners.tile_scores("h200_sxm", [(64, 64, 16, 4)], 512, "big", 512),
    "half a size": lambda: tuners.tile_scores("h200_sxm", [(64, 64, 16, 4)], 512, 512, 512.5),
    "no GPU": lambda: tuners.tile_scores("h201_sxm", [(64, 64, 16, 4)], 512, 512, 512),
    "nothing to keep": lambda: tuners.triton_pruner("h200_sxm", keep=0),
    "fewer than nothing": lambda: tuners.triton_pruner("h200_sxm", keep=-1),
    "half a configuration": lambda: tuners.triton_pruner("h200_sxm", keep=1.5),
    "two block keys": lambda: tuners.triton_pruner("h200_sxm", block=("BM", "BN")),
    "a word for block keys": lambda: tuners.triton_pruner("h200_sxm", block="BMN"),
    "a shape without a name": lambda: tuners.triton_perf_model("h200_sxm", shape=("M", "", "K")),
    "keys that no configuration has": lambda: tuners.triton_pruner("h200_sxm", block=("BM", "BN", "BK"))([CONFIG], SIZE),
    "arguments that the launch lacks": lambda: tuners.triton_pruner("h200_sxm")([CONFIG], {"M": 512}, N=512),
    "a value that is no number": lambda: tuners.triton_pruner("h200_sxm")([ODD_CONFIG], SIZE),
    "a model without warps": lambda: tuners.triton_perf_model("h200_sxm")(**SIZE, BLOCK_M=64, BLOCK_N=64, BLOCK_K=16),
    "a model without a shape": lambda: tuners.triton_perf_model("h200_sxm")(**CONFIG.kwargs, num_warps=4),
    "within less than the best": lambda: tuners.kernel_tuner_restriction("h200_sxm", {}, 512, 512, 512, tuple, within=0.5),
    "a restriction of no tiles": lambda: tuners.kernel_tuner_restriction("h200_sxm", {"x": [1]}, 512, 512, 512,
                                                                         lambda p: (p["x"],)),
}


@pytest.mark.parametrize("call", BAD_CALLS.values(), ids=BAD_CALLS.keys())
def test_bad_input_of_tuners(call):
    with pytest.raises(gpumodel.UsageError) as caught:
        call()
    assert all(d.message and len(d.message) > 10 for d in caught.value.diagnostics)


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

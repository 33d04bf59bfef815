"""Prunes a Triton autotune list for a matrix product before anything is compiled or run. No GPU is needed.

In a kernel's file:  @triton.autotune(configs, key=["M", "N", "K"], prune_configs_by={"early_config_prune": PRUNE})
or, one configuration at a time:  prune_configs_by={"perf_model": TIME, "top_k": 6}
Follows Triton's documentation of `autotune`; the tests call it as that says, and with Triton where it is installed.
"""

import dataclasses
from typing import Dict

from gpumodel.tuners import tile_scores, triton_perf_model, triton_pruner

try:
    from triton import Config
except ImportError:

    @dataclasses.dataclass
    class Config:  # the fields that pruning reads, as Triton documents them
        kwargs: Dict[str, int]
        num_warps: int = 4
        num_stages: int = 3


CONFIGS = [Config({"BLOCK_M": bm, "BLOCK_N": bn, "BLOCK_K": bk}, num_warps=warps, num_stages=3)
           for bm in (32, 64, 128) for bn in (32, 64, 128) for bk in (16, 32) for warps in (2, 4, 8)]
PRUNE = triton_pruner("h200_sxm", keep=6)
TIME = triton_perf_model("h200_sxm")

if __name__ == "__main__":
    kept = PRUNE(CONFIGS, {"M": 4096, "N": 4096, "K": 4096})
    print(f"{len(kept)} of {len(CONFIGS)} configurations are worth a try:")
    for config in kept:
        tile = (*config.kwargs.values(), config.num_warps)
        print(f"  {config.kwargs} num_warps={config.num_warps}: "
              f"{tile_scores('h200_sxm', [tile], 4096, 4096, 4096)[0]:.0f} us by the model")

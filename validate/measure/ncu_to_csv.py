#!/usr/bin/env python3
"""Turns a raw Nsight Compute csv of `gpumodel-measure --once --sizes SHAPE` into a counter table.

    ncu_to_csv.py SHAPE raw.csv > counters.csv     SHAPE: N or MxNxK
    ncu_to_csv.py --metrics                        the counters, comma-separated, for ncu

One row per launch, in launch order: family,params,M,N,K, then the counters below under Nsight Compute's
names. Family and parameters are read off the demangled kernel name, whose template arguments stand in the
order that validate/measure declares; the copies take theirs at run time, so theirs come from the launch order.
"""
import csv
import re
import sys

TILE = ["BM", "BN", "BK", "TM", "TN", "UNROLL"]
WARP = ["BM", "BN", "BK", "WM", "WN", "WNITER", "TM", "TN", "THREADS", "UNROLL"]
NAMES = {
    "smem": ["BS", "UNROLL"],
    "blocktile1d": ["BM", "BN", "BK", "TM", "UNROLL"],
    **{family: TILE for family in ("blocktile2d", "vectorized", "bank_linearize", "bank_extracol", "autotuned")},
    **{family: WARP for family in ("warptile", "doublebuffer", "doublebuffer_split", "doublebuffer_async",
                              "doublebuffer_bulk")},
    **{family: ["UNROLL"] for family in ("naive", "coalesced", "ab_simple", "ab_coalesced", "ab_shared",
                                         "aat_simple", "aat_coalesced", "aat_padded", "transpose_naive",
                                         "transpose_shared", "transpose_padded")},
}
RUN_TIME = {"stride_copy": ("STRIDE", [1, 2, 8, 32]), "offset_copy": ("OFFSET", [1, 2, 8, 32])}
GUIDE_K = 32  # the guides' products have K = 32, copies and transposes none

COUNTERS = [
    "smsp__inst_executed.sum",
    "smsp__inst_executed_op_global_ld.sum",
    "smsp__inst_executed_op_global_st.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_write.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "launch__waves_per_multiprocessor",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "gpu__time_duration.sum",
    "launch__registers_per_thread",
]


def parameters(family, arguments, seen):
    """'KEY=VALUE;...' of a launch, or None for an auxiliary kernel of the program."""
    if family in RUN_TIME:
        key, values = RUN_TIME[family]
        return f"{key}={values[seen]}"
    if family not in NAMES:
        return None
    values = [re.sub(r"^\(\w+\)", "", a.strip()) for a in arguments.split(",")]
    if len(values) != len(NAMES[family]):
        sys.exit(f"{family}<{arguments}>: {len(NAMES[family])} template arguments expected")
    return ";".join(f"{key}={value}" for key, value in zip(NAMES[family], values))


def depth(family, k):
    if family.startswith(("ab_", "aat_")):
        return GUIDE_K
    return 1 if family in RUN_TIME or family.startswith("transpose_") else k


def main():
    if sys.argv[1:] == ["--metrics"]:
        # Nsight Compute's launch section, which needs no --metrics, has the registers.
        print(",".join(name for name in COUNTERS if name != "launch__registers_per_thread"))
        return
    shape = re.fullmatch(r"(\d+)(?:x(\d+)x(\d+))?", sys.argv[1]) if len(sys.argv) == 3 else None
    if not shape:
        sys.exit(__doc__)
    m, n, k = (int(part or shape.group(1)) for part in shape.groups())
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("==")]  # the profiler's own messages
    rows = list(csv.DictReader(lines))[1:]  # the first holds the units
    missing = [name for name in COUNTERS if name not in rows[0]]
    if missing:
        sys.exit("not in this file: " + ", ".join(missing))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["family", "params", "M", "N", "K"] + COUNTERS)
    seen = {}
    for row in rows:
        name = re.search(r"(\w+)(?:<(.*?)>)?\(", row["Kernel Name"])
        family, arguments = name.group(1), name.group(2) or ""
        params = parameters(family, arguments, seen.get(family, 0))
        seen[family] = seen.get(family, 0) + 1
        if params is not None:
            out.writerow([family, params, m, n, depth(family, k)] +
                         [row[counter].replace(",", "") for counter in COUNTERS])


if __name__ == "__main__":
    main()

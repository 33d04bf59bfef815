#!/usr/bin/env python3
"""Counters of the L2's benchmarks: `gpumodel-measure --suite l2 --once` under Nsight Compute, as a table.

    l2_counters.py MEASURE > h200_sxm_l2_counters.csv     NCU names another profiler binary

One row per residence or tile walk: benchmark,params, then the counters of the second of its two launches. The
profiler leaves the caches alone, but what it does between launches empties them: each launch starts cold.
"""
import csv
import os
import subprocess
import sys
import tempfile

COUNTERS = [
    "dram__bytes_read.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_lookup_miss.sum",
    "lts__t_sectors_srcunit_ltcfabric.sum",
    "lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum",
    "lts__t_sectors_srcunit_ltcfabric_lookup_miss.sum",
]


def profile(measure):
    """Names of the rows and the profiler's table, two launches for each."""
    with tempfile.TemporaryDirectory() as folder:
        raw = os.path.join(folder, "raw.csv")
        names = subprocess.run(
            [os.environ.get("NCU", "ncu"), "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
             "--cache-control", "none", "--kernel-name", "regex:^(walk|tile_walk)$", "--metrics", ",".join(COUNTERS),
             "--log-file", raw, measure, "--suite", "l2", "--once"],
            check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        with open(raw, encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("==")]  # the profiler's own messages
    return names, list(csv.DictReader(lines))[1:]  # the first holds the units


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    names, rows = profile(sys.argv[1])
    if len(rows) != 2 * len(names):
        sys.exit(f"{len(rows)} launches for {len(names)} rows")
    print("benchmark,params," + ",".join(COUNTERS))
    for name, row in zip(names, rows[1::2]):
        print(name + "," + ",".join(row[counter].replace(",", "") for counter in COUNTERS))


if __name__ == "__main__":
    main()

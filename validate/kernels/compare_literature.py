#!/usr/bin/env python3
"""Lays what our kernels compile to beside what the literature's do, tile by tile.

  compare_literature.py TIMES.csv COUNTERS.csv CODE.csv [--family NAME]... [--measured OUR_TIMES.csv]

The three files hold one row per tile of the literature's kernels: event times with registers, shared and local bytes
(TIMES), Nsight Compute counters (COUNTERS), and static instruction counts per loop (CODE). Only tiles in TIMES are
compiled, with the flags that the literature uses. Environment: NVCC (CUDA 13.0), CUOBJDUMP (that of 11.8 will do: the
two changed ELF fields are set back), GPUMODEL (the command; it executes the listing), WORK (keeps what is compiled).

One line per tile: executed warp instructions and shared accesses over those profiled (the worst shape), registers and
local bytes, ours and theirs, and static accesses by width inside loops where the two differ. With --measured, the
times of our kernels over theirs: median and 90th percentile of |ours / theirs - 1| per family.
"""
import argparse
import collections
import csv
import io
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = ["with_launch_bound", "simple", "block_tile", "vector_tile", "sub_tile", "warp_tile", "double_buffer",
           "double_buffer_bulk"]
TILE = ["BM", "BN", "BK", "TM", "TN"]
WARP = ["BM", "BN", "BK", "WM", "WN", "WNITER", "TM", "TN", "THREADS"]
NAMES = {"naive": [], "coalesced": [], "smem": ["BS"], "blocktile1d": ["BM", "BN", "BK", "TM"]}
# The literature's asynchronous kernel is, compiled for sm_90, the one with bulk copies.
OURS = {"doublebuffer_async": "doublebuffer_bulk"}
THEIRS = {ours: theirs for theirs, ours in OURS.items()}
COUNTERS = ["smsp__inst_executed.sum", "smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum"]
LARGEST = 2048  # profiles of larger products are left out: they say the same and take longer to execute
ACCESSES = {"LDS": "shared_load", "STS": "shared_store", "LDL": "local_load", "STL": "local_store",
            "LDG": "global_load", "STG": "global_store"}
WIDTHS = [f"{access}_{width}" for access in ACCESSES.values() for width in (32, 64, 128)]


def rows(path):
    return list(csv.DictReader(line for line in open(path) if not line.startswith("#")))


def parameters(text):
    return {key: int(value) for key, value in (pair.split("=") for pair in text.split(";") if pair)}


def template_arguments(family, params):
    names = NAMES.get(family, WARP if "WM" in params else TILE)
    return [params.get(name, 32) for name in names] + [0]


def grid(family, params, m, n):
    if family in ("naive", "coalesced", "smem"):
        return -(-m // 32), -(-n // 32)
    return n // params["BN"], m // params["BM"]


def compile_family(family, tiles, work):
    """The listing of one family's tiles, and per tile its entry, registers and local bytes."""
    signature = "(int, int, int, float, const float*, const float*, float, float*);"
    source = "".join(f'#include "{HERE}/{name}.cuh"\n' for name in HEADERS) + "namespace gpumodel::kernels {\n"
    family = OURS.get(family, family)
    for params in tiles:
        arguments = ", ".join(map(str, template_arguments(family, params)))
        source += f"template __global__ void {family}<{arguments}>{signature}\n"
    stem = os.path.join(work, family)
    with open(stem + ".cu", "w") as out:
        out.write(source + "}\n")
    log = subprocess.run([os.environ.get("NVCC", "nvcc"), "-std=c++17", "-O3", "-DNDEBUG", "-arch=sm_90", "-cubin",
                          "-Xptxas", "-v", "-diag-suppress", "20168", "-o", stem + ".cubin", stem + ".cu"],
                         capture_output=True, text=True)
    if log.returncode != 0:
        sys.exit(log.stderr)
    with open(stem + ".cubin", "r+b") as cubin:  # as make_listings.sh: the header that CUDA 11.8 knows
        cubin.seek(8)
        cubin.write(b"\x07")
        cubin.seek(48)
        cubin.write(b"\x5a\x05\x5a\x00")
    listing = subprocess.run([os.environ.get("CUOBJDUMP", "cuobjdump"), "-sass", stem + ".cubin"], check=True,
                             capture_output=True, text=True).stdout
    with open(stem + ".sass", "w") as out:
        out.write(listing)
    resources = {}
    for match in re.finditer(r"Compiling entry function '(\w+)'.*?(\d+) bytes stack frame.*?Used (\d+) registers",
                             log.stderr, re.S):
        resources[match[1]] = int(match[3]), int(match[2])
    return stem + ".sass", listing, resources


def entry_of(family, params, resources):
    family = OURS.get(family, family)
    mangled = f"{len(family)}{family}I" + "".join(f"Li{value}E" for value in template_arguments(family, params)) + "E"
    return next(name for name in resources if mangled in name)


def loops_of(listing, entry):
    """Loops of an entry by address: instructions in each (not in a loop inside it), and all accesses by width."""
    body = listing.split(f"Function : {entry}\n")[1].split("Function :")[0]
    code = [(int(at, 16), text.split(";")[0]) for at, text in re.findall(r"/\*([0-9a-f]{4,5})\*/ +(.*)", body)]
    known = dict(code)  # an instruction that the disassembler does not know has no line of its own
    code = [(at, known.get(at, "")) for at in range(0, max(known) + 16, 16)]
    bounds = set()
    for at, text in code:
        branch = re.search(r"BRA(?:\.\w+)* .*?(0x[0-9a-f]+)", text)
        if branch and int(branch[1], 16) < at:
            bounds.add((int(branch[1], 16), -at))
    loops = [(first, -last) for first, last in sorted(bounds)]
    sizes, widths = [0] * len(loops), collections.Counter()
    for at, text in code:
        inside = [i for i, (first, last) in enumerate(loops) if first <= at <= last]
        if not inside:
            continue
        sizes[min(inside, key=lambda i: loops[i][1] - loops[i][0])] += 1
        access = re.match(r"(?:@!?U?P\w+ )?(LDS|STS|LDL|STL|LDG|STG)((?:\.\w+)*)", text)
        if access:
            width = re.search(r"\.(64|128)\b", access[2])
            widths[f"{ACCESSES[access[1]]}_{width[1] if width else 32}"] += 1
    return sizes, widths


def executed(sass, entry, family, params, threads, m, n, k):
    words = f"{m},{n},{k},1.0f,ptr:{m * k // 256}KiB,ptr:{k * n // 256}KiB,0.5f,ptr:{m * n // 256}KiB"
    columns, rows_ = grid(family, params, m, n)
    block = "32,32" if family == "naive" else str(threads)
    run = subprocess.run([os.environ.get("GPUMODEL", "gpumodel"), "predict", "--arch", "h200_sxm", "--sass", sass,
                          "--entry", entry, "--grid", f"{columns},{rows_}", "--block", block, "--args", words,
                          "--model", "analytic", "--format", "csv"], capture_output=True, text=True)
    if run.returncode != 0:
        return None, run.stderr.strip()
    return next(csv.DictReader(io.StringIO(run.stdout))), ""


def percent(value):
    return "-" if value is None else f"{100 * value:+.1f} %"


def worst(values):
    return max(values, key=abs, default=None)


def compare_family(family, tiles, theirs, profiles, code, work):
    sass, listing, resources = compile_family(family, [parameters(t) for t in tiles], work)
    for tile in tiles:
        params = parameters(tile)
        entry = entry_of(family, params, resources)
        errors, trouble = collections.defaultdict(list), ""
        for profile in profiles[family, tile]:
            shape = [int(profile[key]) for key in "MNK"]
            if max(shape) > LARGEST:
                continue
            ours, trouble = executed(sass, entry, family, params, int(theirs[family, tile]["threads"]), *shape)
            if ours is None:
                break
            for counter in COUNTERS:
                if float(profile[counter] or 0) > 0:
                    errors[counter].append(float(ours[counter] or 0) / float(profile[counter]) - 1)
        registers, stack = resources[entry]
        row = theirs[family, tile]
        sizes, widths = loops_of(listing, entry)
        loops = [loop for loop in code[family, tile] if loop["loop"] != "outside"]
        expected = collections.Counter()
        for loop in loops:
            expected.update({width: int(loop[width]) for width in WIDTHS if loop.get(width)})
        expected_sizes = [int(loop["instructions"]) for loop in loops]
        differing = [f"{width} {widths[width]}/{expected[width]}" for width in WIDTHS
                     if loops and widths[width] != expected[width]]
        if loops and sizes != expected_sizes:
            differing.insert(0, f"loops {'+'.join(map(str, sizes))}/{'+'.join(map(str, expected_sizes))}")
        print(f"{family} {tile:72}" + "".join(f" {percent(worst(errors[c])):>8}" for c in COUNTERS) +
              f"  reg {registers}/{row['registers']}  local {stack}/{row['local_bytes']}  " + ", ".join(differing) +
              (f"  [{trouble.splitlines()[0]}]" if trouble else ""), flush=True)


def compare_times(path, theirs_path, families):
    theirs = {(r["family"], r["params"], r["M"], r["N"], r["K"]): float(r["time_us_median"]) for r in rows(theirs_path)}
    errors = collections.defaultdict(list)
    for r in rows(path):
        if r["family"] in OURS:
            continue
        family = THEIRS.get(r["family"], r["family"])
        params = ";".join(p for p in r["params"].split(";") if p not in ("UNROLL=0", "BS=32"))
        key = (family, params, r["M"], r["N"], r["K"])
        if key in theirs and (not families or family in families):
            errors[r["family"]].append(abs(float(r["time_us_median"]) / theirs[key] - 1))
            errors["all"].append(errors[r["family"]][-1])
    print("\n| family | launches | median | p90 | worst |\n|---|---|---|---|---|")
    for family, e in errors.items():
        e.sort()
        print(f"| {family} | {len(e)} | {100 * statistics.median(e):.1f} % | {100 * e[int(0.9 * (len(e) - 1))]:.1f} % "
              f"| {100 * e[-1]:.1f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("times", "counters", "code"):
        parser.add_argument(name)
    parser.add_argument("--family", action="append", default=[])
    parser.add_argument("--match", default="", help="only tiles whose parameters contain this")
    parser.add_argument("--measured")
    options = parser.parse_args()
    theirs = {(r["family"], r["params"]): r for r in rows(options.times)}
    if options.measured:
        compare_times(options.measured, options.times, options.family)
        return
    profiles, code, tiles = (collections.defaultdict(list) for _ in range(3))
    for r in rows(options.counters):
        profiles[r["family"], r["params"]].append(r)
    for r in rows(options.code):
        code[r["family"], r["params"]].append(r)
    for family, tile in theirs:
        if (not options.family or family in options.family) and options.match in tile:
            tiles[family].append(tile)
    work = os.environ.get("WORK") or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    print("family, tile, executed, shared loads, shared stores, registers, local bytes (ours/theirs), widths in loops")
    for family, its_tiles in tiles.items():
        compare_family(family, its_tiles, theirs, profiles, code, work)


if __name__ == "__main__":
    main()

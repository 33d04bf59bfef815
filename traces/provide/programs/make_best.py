#!/usr/bin/env python3
"""Compiles the tiles that `gpumodel tune` simulates and packs them as sm_XX/FAMILY.best.programs, beside what is packed
from committed listings (make_programs.sh).

  make_best.py sm_70 [sm_80 ...]

Tiles: of families with small grids all; of the others the best few (BEST_TILES) by the analytic model at each of SHAPES on
each of the generation's PRODUCTS; the literature's (literature.csv). What FAMILY.programs holds is left out. Some four
minutes a generation on two cores. Environment: GPUMODEL (the command), WORK (keeps what is compiled), and what
validate/listings/make_listings.py takes for the toolkits: NVCC11, HOSTCXX11, NVCC13, CUOBJDUMP, JOBS.
"""
import concurrent.futures
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "validate", "listings"))
os.environ.pop("ARCHES", None)
import make_listings as listings  # noqa: E402  (where it is has to be known first)

GPUMODEL = os.environ.get("GPUMODEL", os.path.join(ROOT, "build", "release", "tools", "gpumodel"))
KERNELS = os.path.join(ROOT, "validate", "kernels")
# The generation's smallest and largest, or what differs most in bandwidth per SM: code is asked for by the analytic
# model's ranks, which these shift.
PRODUCTS = {"sm_35": ["k20m", "k40"], "sm_70": ["v100_sxm2"], "sm_75": ["t4", "rtx_2080_ti"],
            "sm_80": ["a100_sxm4_80gb", "a30"], "sm_86": ["rtx_3060", "rtx_a6000"], "sm_89": ["l4", "rtx_4090"],
            "sm_90": ["h100_sxm", "h200_sxm"]}
SHAPES = "512,1024,2048,4096,8192,4096x512x4096,512x4096x4096,1024x1024x8192"
ALL_TILES = ["smem", "blocktile1d", "vectorized", "bank_linearize", "bank_extracol"]
# How many: at six shapes on an H200 the fastest of 216, 138 and 61 measured tiles are among the first 64, 24 and 24 by the
# analytic model; the first 32 of warptile lose 8 % at one (validate/data/h200_sxm_tune_times.csv).
BEST_TILES = {"warptile": 64, "doublebuffer": 24, "autotuned": 24}
HEADERS = ["with_launch_bound", "simple", "block_tile", "vector_tile", "sub_tile", "warp_tile", "double_buffer"]
PER_FILE = 24
TOOLKIT13 = {"sm_90"}  # whose code CUDA 11.8's disassembler reads


def ranked(arch, family, shapes, count):
    """{template arguments} of the best tiles at each shape."""
    out = subprocess.run([GPUMODEL, "tune", "--arch", arch, "--kernel", family, "--sizes", shapes, "--model", "analytic",
                          "--generated", "--refine", str(count), "--format", "csv"], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(out.stderr)
    return {arguments(family, row["params"]) for row in csv.DictReader(io.StringIO(out.stdout))}


def arguments(family, params):
    values = dict(pair.split("=") for pair in params.split(";"))
    values["UNROLL"] = "0"
    return tuple(int(values[name]) for name in listings.NAMES[family])


def literature():
    with open(os.path.join(HERE, "literature.csv")) as rows:
        for row in csv.DictReader(line for line in rows if not line.startswith("#")):
            if row["params"] and row["family"] in [*ALL_TILES, *BEST_TILES]:
                yield row["family"], arguments(row["family"], row["params"])


def packed(generation, family):
    """Template arguments of what FAMILY.programs has."""
    path = os.path.join(HERE, generation, family + ".programs")
    if not os.path.exists(path):
        return set()
    with open(path, "rb") as file:
        head = json.loads(file.readline().split(b" ", 1)[1])
    return {tuple(map(int, re.findall(r"L[ij](\d+)E", entry["name"]))) for entry in head["entries"]}


def wanted_tiles(generation):
    families = [*ALL_TILES, *BEST_TILES]
    tiles = {family: set() for family in families}
    for family, tile in literature():
        if family in tiles:
            tiles[family].add(tile)
    for arch in PRODUCTS[generation]:
        for family in families:
            small = family in ALL_TILES
            tiles[family] |= ranked(arch, family, "4096" if small else SHAPES, 100000 if small else BEST_TILES[family])
            print(generation, arch, family, len(tiles[family]), file=sys.stderr)
    return {family: sorted(of - packed(generation, family)) for family, of in tiles.items()}


def compiled(work, generation, family, part, tiles):
    """The listing, the compiler's report and the literal banks of one file of tiles."""
    stem = os.path.join(work, f"best.{generation}.{family}.{part}")
    source = "".join(f'#include "{KERNELS}/{name}.cuh"\n' for name in HEADERS) + "namespace gpumodel::kernels {\n"
    for tile in tiles:
        source += f"template __global__ void {family}<{', '.join(map(str, tile))}>({listings.GEMM});\n"
    source += "}\n"
    if not os.path.exists(stem + ".cu") or open(stem + ".cu").read() != source or not os.path.exists(stem + ".sass"):
        with open(stem + ".cu", "w") as out:
            out.write(source)
        new = generation in TOOLKIT13
        nvcc = listings.NVCC13 if new else listings.NVCC11
        host = [] if new else ["-ccbin", listings.HOSTCXX11]
        log = listings.run(nvcc, *host, "-std=c++17", f"-arch={generation}", "-cubin", "-Xptxas", "-v",
                           "-Wno-deprecated-gpu-targets", "-diag-suppress", "20168", "-o", stem + ".cubin", stem + ".cu")
        with open(stem + ".log", "w") as out:
            out.write(log.stderr)
        if new:
            listings.older_header(stem + ".cubin")
        text = listings.run(listings.CUOBJDUMP, "-sass", stem + ".cubin").stdout
        with open(stem + ".sass", "w") as out:
            out.write(text)
    dump = ""
    if generation in listings.LITERALS_IN_BANK:
        dump = listings.run(listings.CUOBJDUMP, "-elf", stem + ".cubin").stdout
    return open(stem + ".sass").read(), open(stem + ".log").read(), dump


def make(work, generation):
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        for family, tiles in wanted_tiles(generation).items():
            for at in range(0, len(tiles), PER_FILE):
                jobs.append(pool.submit(compiled, work, generation, family, at // PER_FILE, tiles[at:at + PER_FILE]))
    heads, functions, reports, banks = [], {}, {}, {}
    for text, log, dump in (job.result() for job in jobs):
        head, of_file = listings.listed_parts(text)
        heads.append(head)
        functions |= of_file
        reports |= listings.reported_parts(log)
        banks |= listings.literal_banks(dump)
    names = [name for name in sorted(functions) if name in reports and "kernels" in name and "with_launch_bound" not in name]
    stem = os.path.join(work, f"best.{generation}")
    listings.write_listing(stem, [banks[n] for n in [None, *names] if n in banks], heads, [functions[n] for n in names],
                           [reports[n] for n in names], preset=1)
    toolkit = "13.0" if generation in TOOLKIT13 else "11.8"
    subprocess.run([GPUMODEL, "kernels", "pack", stem + ".sass.xz", "--resources", stem + ".resources.txt", "--toolkit",
                    toolkit, "--best", "--folder", HERE], check=True)


def main():
    work = os.environ.get("WORK") or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    for generation in sys.argv[1:]:
        make(work, generation)


if __name__ == "__main__":
    main()

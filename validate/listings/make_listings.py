#!/usr/bin/env python3
"""Compiles every kernel of ../kernels/instances.cu and writes what the tests and fits read of it.

  make_listings.py [OUTPUT_FOLDER]     default: the repository (validate/listings and tests/traces/kernel)

One compilation per architecture and group of kernels gives both the listing (cuobjdump -sass, with encodings) and
what ptxas reports (-Xptxas -v), so that the two belong to the same code:

  validate/listings/sm_XX.sass.xz, sm_XX.resources.txt        kernels that leave their loops to the compiler
  validate/listings/few/sm_XX.sass.xz, sm_XX.resources.txt    those that few/entries.txt names
  tests/traces/kernel/ptxas_registers.csv                     all kernels, sm_75 too

NVCC11 (with HOSTCXX11) is a CUDA 11.8 compiler, the last that knows sm_35; NVCC13 a CUDA 13.0 one. CUOBJDUMP is that
of CUDA 11.8, for all of them: it knows the instructions of sm_90, but not the ELF header of CUDA 13, whose two changed
fields are set back before listing. JOBS compilations run at once (default 1). WORK keeps what is compiled, and what is
there already is not compiled again.

ARCHES=sm_75,sm_89,... makes the listings of these instead, all by NVCC13 and its own disassembler CUOBJDUMP13, and
no registers. Of sm_75 and sm_89, whose code is close to that of the generations beside them, only the tiles that are
shipped are kept (traces/provide/programs/literature.csv and the families' defaults). FEW=1 with it makes the few
listings only, below sm_75 by NVCC11: ARCHES=sm_50,sm_61 FEW=1.
"""
import concurrent.futures
import lzma
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KERNELS = os.path.join(ROOT, "validate", "kernels", "instances.cu")
NVCC11 = os.environ.get("NVCC11", "/usr/bin/nvcc")
NVCC13 = os.environ.get("NVCC13", "/usr/local/cuda/bin/nvcc")
HOSTCXX11 = os.environ.get("HOSTCXX11", "/usr/bin/g++-11")
CUOBJDUMP = os.environ.get("CUOBJDUMP", "/usr/bin/cuobjdump")
TOOLKITS = {"sm_35": NVCC11, "sm_70": NVCC11, "sm_75": NVCC11, "sm_80": NVCC11, "sm_86": NVCC11, "sm_90": NVCC13}
CUOBJDUMP13 = os.environ.get("CUOBJDUMP13")  # else CUOBJDUMP for all
FEW = os.environ.get("FEW") == "1"
GROUPS = ["few"] if FEW else range(6)
REGISTERS_ONLY = {"sm_75"}
SHIPPED_ONLY = {"sm_75", "sm_89"}
ARCHES = os.environ.get("ARCHES")
if ARCHES:
    TOOLKITS = dict.fromkeys(ARCHES.split(","), NVCC13)
    TOOLKITS |= {arch: NVCC11 for arch in TOOLKITS if int(arch[3:]) < 75}
    REGISTERS_ONLY = set()
LITERALS_IN_BANK = {"sm_35", "sm_50", "sm_61"}  # its compiler puts literals in constant bank 2, which -elf prints
NO_FAMILY = {"doublebuffer_bulk", "with_launch_bound"}  # no rows of registers

TILE = "BM BN BK TM TN UNROLL".split()
WARP = "BM BN BK WM WN WNITER TM TN THREADS UNROLL".split()
NAMES = {"smem": ["BS", "UNROLL"], "blocktile1d": "BM BN BK TM UNROLL".split()}
NAMES |= dict.fromkeys("blocktile2d vectorized bank_linearize bank_extracol autotuned".split(), TILE)
NAMES |= dict.fromkeys("warptile doublebuffer doublebuffer_split doublebuffer_async doublebuffer_bulk".split(), WARP)


def run(tool, *arguments):
    # nvcc takes its own tools from PATH when another toolkit comes first there.
    path = os.path.dirname(tool) + ":" + os.environ["PATH"]
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, env={**os.environ, "PATH": path})
    if done.returncode != 0:
        sys.exit(f"{' '.join([tool, *arguments])}\n{done.stderr}")
    return done


def older_header(cubin):
    """ABI version (ELF byte 8) 8 -> 7, e_flags (bytes 48-51) as version 7 has them: as CUDA 11.8 writes sm_90."""
    with open(cubin, "r+b") as out:
        out.seek(8)
        out.write(b"\x07")
        out.seek(48)
        out.write(b"\x5a\x05\x5a\x00")


SIGNATURES = {"ab": "const float*, const float*, float*, int", "aat": "const float*, float*, int",
              "transpose": "float*, const float*, int, int", "offset": "float*, const float*, int",
              "stride": "float*, const float*, int"}
GEMM = "int, int, int, float, const float*, const float*, float, float*"


def few_source(work, few, arch):
    """A file that instantiates the few entries; asynchronous copies from sm_80 on."""
    path = os.path.join(work, f"few.{arch}.cu")
    lines = [f'#include "{os.path.join(os.path.dirname(KERNELS), name)}"' for name in
             "block_tile.cuh double_buffer.cuh guide.cuh simple.cuh sub_tile.cuh vector_tile.cuh warp_tile.cuh".split()]
    lines.append("namespace gpumodel::kernels {")
    for entry in sorted(few):
        if entry.startswith("doublebuffer_async") and int(arch[3:]) < 80:
            continue
        signature = SIGNATURES.get(entry.partition("_")[0], GEMM)
        lines.append(f"template __global__ void {entry}({signature});")
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n}\n")
    return path


def compile_group(work, arch, group, few):
    """The listing and ptxas' report of a group, both kept in `work`."""
    stem = os.path.join(work, f"{arch}.{group}")
    if not os.path.exists(stem + ".sass"):
        nvcc = TOOLKITS[arch]
        host = ["-ccbin", HOSTCXX11] if nvcc == NVCC11 else []
        log = run(nvcc, *host, "-std=c++17", f"-arch={arch}", "-cubin", "-Xptxas", "-v", f"-DGPUMODEL_GROUP={0 if FEW else group}",
                  "-Wno-deprecated-gpu-targets", "-diag-suppress", "20168", "-o", stem + ".cubin",
                  few_source(work, few, arch) if FEW else KERNELS).stderr
        with open(stem + ".log", "w") as out:
            out.write(log)
        dump = CUOBJDUMP13 if nvcc == NVCC13 and CUOBJDUMP13 else CUOBJDUMP
        if nvcc == NVCC13 and dump == CUOBJDUMP:
            older_header(stem + ".cubin")
        text = "" if arch in REGISTERS_ONLY else run(dump, "-sass", stem + ".cubin").stdout
        with open(stem + ".part", "w") as out:
            out.write(text)
        os.rename(stem + ".part", stem + ".sass")
    dump = run(CUOBJDUMP, "-elf", stem + ".cubin").stdout if arch in LITERALS_IN_BANK else ""
    print(arch, group, file=sys.stderr)
    return open(stem + ".sass").read(), open(stem + ".log").read(), dump


def short_names(mangled):
    """Mangled name -> "family<arguments>"."""
    text = subprocess.run(["c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True).stdout
    return {name: re.search(r"gpumodel::kernels::([^(]*)", line).group(1)
            for name, line in zip(mangled, text.splitlines())}


def listed_parts(text):
    """What cuobjdump says of a file before the functions, and {function: its lines}."""
    head, *functions = re.split(r"(?m)^(?=\t\tFunction : )", text)
    return head, {part.split(None, 3)[2]: part for part in functions}


def reported_parts(log):
    """{function: the lines of ptxas' report}."""
    return {re.search(r"'(\S+)' for", part).group(1): part
            for part in re.split(r"(?m)^(?=ptxas info\s+: Compiling entry)", log)[1:]}


def wanted(short):
    """Whether a kernel leaves its loops to the compiler; copies have no loop."""
    return short.endswith("<float>") or re.search(r"[<, ]0>$", short) is not None


def shipped_names(few):
    """Those of `few` and of literature.csv that leave their loops to the compiler."""
    names = set(filter(wanted, few))
    with open(os.path.join(ROOT, "traces", "provide", "programs", "literature.csv")) as rows:
        for line in rows:
            family, _, params = line.strip().partition(",")
            if family in NAMES and params:
                values = dict(pair.split("=") for pair in params.split(";")) | {"UNROLL": "0"}
                names.add(f"{family}<{', '.join(values[name] for name in NAMES[family])}>")
    return names


def literal_banks(dump):
    """{function: its constant bank 2 as -elf prints it}, under None the line that says of which target."""
    banks = {match.group(1): match.group(0)
             for match in re.finditer(r"(?m)^\.nv\.constant2\.(\S+)\n(?:0x.*\n)+", dump)}
    return {None: re.search(r"(?m)^64bit elf: .*\n", dump).group(0)} | banks if banks else {}


def write_listing(stem, banks, heads, functions, reports, preset=9 | lzma.PRESET_EXTREME):
    # A quarter smaller than by the default preset, whose window is shorter than what kernels that look alike are apart.
    with lzma.open(stem + ".sass.xz", "wt", preset=preset) as out:
        # One file of all groups: the head of the first, which names the target, and the functions of all.
        out.write("".join(banks) + heads[0] + "".join(functions))
    with open(stem + ".resources.txt", "w") as out:
        out.write("".join(reports))


def register_row(toolkit, arch, short, report):
    family, _, arguments = short.rstrip(">").partition("<")
    values = [] if arguments == "float" else arguments.split(", ")
    params = ";".join(f"{key}={value}" for key, value in zip(NAMES.get(family, ["UNROLL"]), values))

    def number(what):
        found = re.search(rf"(\d+) {what}", report)
        return found.group(1) if found else "0"

    numbers = [re.search(r"Used (\d+) registers", report).group(1), number("bytes smem"), number("bytes spill stores"),
               number("bytes stack frame")]
    return ",".join([toolkit, arch, family, params, *numbers]) + "\n"


def write_arch(listings, arch, parts, few):
    """Writes the files of an architecture; its rows of registers."""
    heads, functions, reports, banks = [], {}, {}, {}
    for text, log, dump in parts:
        head, of_group = listed_parts(text)
        heads.append(head)
        functions |= of_group
        reports |= reported_parts(log)
        banks |= literal_banks(dump)
    short = short_names(sorted(reports))
    if arch not in REGISTERS_ONLY:
        # Sorted, so that kernels that look alike stand side by side for xz.
        order = sorted(short, key=short.get)
        main = shipped_names(few).__contains__ if arch in SHIPPED_ONLY else wanted
        for folder, keep in (("few", few.__contains__),) if FEW else (("", main), ("few", few.__contains__)):
            chosen = [name for name in order if keep(short[name])]
            write_listing(os.path.join(listings, folder, arch), [banks[n] for n in [None, *chosen] if n in banks], heads,
                          [functions[n] for n in chosen], [reports[n] for n in chosen])
    toolkit = re.search(r"release ([\d.]+),", run(TOOLKITS[arch], "--version").stdout).group(1)
    return [register_row(toolkit, arch, short[name], reports[name]) for name in sorted(short)
            if short[name].partition("<")[0] not in NO_FAMILY]


def main():
    output = sys.argv[1] if len(sys.argv) > 1 else ROOT
    listings = os.path.join(output, "validate", "listings")
    registers = os.path.join(output, "tests", "traces", "kernel")
    os.makedirs(os.path.join(listings, "few"), exist_ok=True)
    os.makedirs(registers, exist_ok=True)
    few = set(open(os.path.join(HERE, "few", "entries.txt")).read().splitlines())
    work = os.environ.get("WORK") or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        jobs = {arch: [pool.submit(compile_group, work, arch, group, few) for group in GROUPS] for arch in TOOLKITS}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        written = [pool.submit(write_arch, listings, arch, [job.result() for job in jobs[arch]], few)
                   for arch in TOOLKITS]
        rows = [row for arch in written for row in arch.result()]
    if ARCHES:
        return
    with open(os.path.join(registers, "ptxas_registers.csv"), "w") as out:
        out.write("toolkit,arch,family,params,registers,static_shared_bytes,spill_bytes,stack_bytes\n")
        out.writelines(rows)


if __name__ == "__main__":
    main()

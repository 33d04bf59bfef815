#!/usr/bin/env python3
"""Which instruction forms a compiler emits for a generation: PTX statements (ptx_forms.py) and CUDA sources
(*.cu here) through ptxas, their listing cut down to one example for each form. README.md says how to run it.

A form is a mnemonic with its modifiers and the kinds of its operands ("LDG.E.64 R,[R.64]").
"""

import argparse
import bisect
import gzip
import os
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import ptx_forms

BATCH = 400
REGISTERS = """ .reg .pred p<8>, q<4>; .reg .b16 h<16>; .reg .b32 r<16>; .reg .b64 d<16>, a0, g0, c0, pin, pout, off;
 .reg .f32 f<16>; .reg .f64 e<16>; .reg .b32 s0, l0, t; .reg .b64 l64;"""
WIDTH = {"h": ("b16", 2), "r": ("b32", 4), "d": ("b64", 8), "f": ("f32", 4), "e": ("f64", 8)}
HELPERS = """.global .align 8 .b8 pool[4096];
.const .align 16 .b8 fixed[4096];
.func (.reg .b32 o) helper(.reg .b32 x, .reg .b32 y) { .reg .b32 z; mul.lo.u32 z, x, y; xor.b32 o, z, x; ret; }
"""


def entry(number, text, results, uniform):
    """One kernel: sources from device memory by thread, or from its parameters (uniform registers, constants)."""
    text = text.replace("$", f"L{number}_")
    lines = [f".visible .entry k{number}(.param .u64 pi, .param .u64 po, .param .align 16 .b8 pv[256]) {{", REGISTERS,
             " .shared .align 16 .b8 sm[1024]; .local .align 16 .b8 lm[256];" if re.search(r"\b[sl]0\b", text) else "",
             " ld.param.u64 pin, [pi]; ld.param.u64 pout, [po]; mov.u32 t, %tid.x; mul.wide.u32 off, t, 64;",
             " add.u64 a0, pin, off; add.u64 g0, a0, 64; add.u64 pout, pout, off;"]
    if "s0" in text:
        lines.append(" mov.u32 s0, sm; mad.lo.u32 s0, t, 16, s0;")
    if "l0" in text:
        lines.append(" mov.u32 l0, lm; and.b32 t, t, 15; mad.lo.u32 l0, t, 16, l0; st.local.u32 [l0], t;")
    if "c0" in text:
        lines.append(" mov.u64 c0, fixed; add.u64 c0, c0, off;")
    for c, (kind, size) in WIDTH.items():
        for i in range(4):
            if re.search(rf"\b{c}{i}\b", text):
                source = f"ld.param.{kind} {c}{i}, [pv+{16 * i}]" if uniform else f"ld.global.{kind} {c}{i}, [a0+{128 + 16 * i}]"
                lines.append(f" {source};")
    for i in range(2):
        if re.search(rf"\bp{i}\b", text):
            source = f"ld.param.b32 r{12 + i}, [pv+{100 + 4 * i}]" if uniform else f"ld.global.b32 r{12 + i}, [a0+{512 + 4 * i}]"
            lines.append(f" {source}; setp.ne.u32 p{i}, r{12 + i}, 0;")
    lines.append(" " + text)
    for i, name in enumerate(results):
        lines.append(f" st.global.{WIDTH[name[0]][0]} [pout+{16 * i}], {name};")
    lines.append(" ret; }")
    return "\n".join(line for line in lines if line)


class Compiler:
    def __init__(self, ptxas, arch, version, disassembler, folder):
        self.ptxas, self.arch, self.version, self.disassembler, self.folder = ptxas, arch, version, disassembler, folder

    def compile(self, name, entries):
        """The listing of those entries that the assembler takes; entries that it refuses are dropped."""
        entries = list(entries)
        ptx, cubin = (os.path.join(self.folder, f"{name}.{end}") for end in ("ptx", "cubin"))
        while entries:
            text = f".version {self.version}\n.target {self.arch}\n.address_size 64\n{HELPERS}"
            starts = []
            for e in entries:
                starts.append(text.count("\n") + 1)
                text += e + "\n"
            with open(ptx, "w") as out:
                out.write(text)
            done = subprocess.run([self.ptxas, f"-arch={self.arch}", "-O3", ptx, "-o", cubin], capture_output=True, text=True)
            if done.returncode == 0:
                return self.listing(cubin)
            bad = self.refused(done.stderr, text.split("\n"), starts, entries)
            if not bad:
                if len(entries) == 1:
                    return ""
                half = len(entries) // 2  # the assembler says nothing: look for it
                return self.compile(name, entries[:half]) + self.compile(name, entries[half:])
            entries = [e for i, e in enumerate(entries) if i not in bad]
        return ""

    @staticmethod
    def refused(errors, lines, starts, entries):
        """Indices of the entries with errors. A syntax error ends the assembler's run, so that entries with the same
        opcode, type and word as the faulty one go with it."""
        bad = {bisect.bisect_right(starts, int(n)) - 1 for n in re.findall(r"line (\d+); (?:error|fatal)", errors)}
        names = set(re.findall(r"(?:entry function|function) '?k(\d+)", errors))
        bad |= {i for i, e in enumerate(entries) if re.match(r".visible .entry k(\d+)\(", e).group(1) in names}
        for n, word in re.findall(r"line (\d+); fatal.*near '([^']+)'", errors):
            statement = lines[int(n) - 1].split(";")[0].split()
            parts = statement[0].split(".") if statement else [""]
            alike = re.compile(rf"\b{re.escape(parts[0])}(?=[.\w:]*{re.escape(word)}\b)[.\w:]*\.{re.escape(parts[-1])}\b")
            if word in (statement[0] if statement else ""):
                bad |= {i for i, e in enumerate(entries) if alike.search(e)}
        return bad

    def listing(self, cubin):
        """All code of the file as one piece: a single run of the disassembler, which need not know the file's ABI."""
        code = cubin + ".code"
        with open(cubin, "rb") as file, open(code, "wb") as out:
            out.write(b"".join(text_sections(file.read())))
        name = "SM" + self.arch[3:].rstrip("a")
        done = subprocess.run([self.disassembler, "-b", name, "-hex", code], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{self.disassembler}: {done.stderr[:500]}", file=sys.stderr)
        return done.stdout


def text_sections(elf):
    """The contents of the sections .text.* of a 64-bit ELF file."""
    offset, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, offset + i * size) for i in range(count)]
    for name, _, _, _, start, length in headers:
        at = headers[names][4] + name
        if elf[at : at + 6] == b".text.":
            yield elf[start : start + length]


KINDS = ((r"^-?\|?~?-?!?\|?R(\d+|Z)\b", "R"), (r"^-?\|?~?-?!?\|?UR(\d+|Z)\b", "U"), (r"^!?P(\d|T)\b", "P"), (r"^!?UP(\d|T)\b", "UP"),
         (r"^B\d+", "B"), (r"^-?\|?~?-?\|?c\[", "c"), (r"^a\[", "a"), (r"^[a-z]*\[", "[]"), (r"^-?0x", "i"), (r"^-?[\d.+]|^[+-]?(INF|QNAN)", "n"),
         (r"^SR", "S"))


def kind_of(operand):
    for pattern, kind in KINDS:
        if re.search(pattern, operand):
            suffix = re.findall(r"\.(H[01]_H[01]|[HB]\d|F32)\b", operand)
            return kind + "".join("." + s for s in suffix)
    return "x"


def split_operands(text):
    return [p.strip() for p in re.split(r",(?![^\[{]*[\]}])", text) if p.strip()]


def form_of(body):
    words = body.split(None, 1)
    if words[0].startswith("@"):
        words = words[1].split(None, 1)
    operands = split_operands(words[1]) if len(words) > 1 else []
    return words[0], " ".join(kind_of(o) for o in operands)


# The second of a pair (Maxwell and Pascal) ends at a brace instead of a semicolon.
LINE = re.compile(r"^\s+/\*([0-9a-f]+)\*/\s+(.*?)\s*(?:;|\s})\s*(?:/\*\s*(0x[0-9a-f]{16})\s*\*/)?")
WORD = re.compile(r"^\s+/\*\s*(0x[0-9a-f]{16})\s*\*/\s*$")


def examples(listing, forms, wide, per_mnemonic):
    """Adds the first example of each form: text and encoding (two words where instructions have 128 bits)."""
    pending, raw, due = None, None, False
    for line in listing.split("\n"):
        match = LINE.match(line)
        if match:
            pending, raw, due = None, None, True
            body = re.sub(r"^{ | }$", "", re.sub(r"\s+", " ", match.group(2)))
            mnemonic, kinds = form_of(body)
            same = forms.setdefault(mnemonic, {})
            if kinds not in same and len(same) < per_mnemonic:
                same[kinds] = pending = [body, match.group(3)]
        elif wide and (word := WORD.match(line)):
            if raw is not None:  # two words without text: the disassembler does not know the instruction
                forms.setdefault(f"~{int(raw, 16) & 0xFFF:#05x}", {}).setdefault("", ["", raw, word.group(1)])
                raw = None
            elif due:
                if pending:
                    pending.append(word.group(1))
            else:
                raw = word.group(1)
                continue
            due = False


JUMPS = r"(BRA|BSSY|SSY|PBK|PCNT|PRET|CAL|JCAL|CALL|JMP|WARPSYNC)\b"


def write(forms, arch, made_by, path):
    """A listing with one line per form; code addresses are 0 so that they lie in the function."""
    wide = int(arch[3:]) >= 70
    out = [f"\t\tcode for {arch}", f"\t\tFunction : {made_by.replace(' ', '_')}"]
    step, at = (16 if wide else 8), 0
    for mnemonic in sorted(forms):
        for kinds in sorted(forms[mnemonic]):
            body, *words = forms[mnemonic][kinds]
            if re.match(JUMPS, mnemonic):
                body = re.sub(r"(?<![\w.])-?0x[0-9a-f]+$", "0x0", body)
            if body:
                encoding = f" /* {words[0]} */" if wide and len(words) == 2 else ""
                out.append(f"        /*{at:04x}*/ {body} ;{encoding}")
                if encoding:
                    out.append(f"                                          /* {words[1]} */")
            else:
                out += [f"                                          /* {w} */" for w in words]
            at += step
    out.append("\t\t..........")
    with open(path, "wb") as file:
        file.write(gzip.compress(("\n".join(out) + "\n").encode(), 9, mtime=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ptxas", required=True)
    parser.add_argument("--nvcc", help="also compiles the *.cu here")
    parser.add_argument("--host-compiler", help="of nvcc")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--arch", required=True, help="sm_XX")
    parser.add_argument("--ptx-version", required=True, help="7.8, 9.0")
    parser.add_argument("--name", required=True, help="of the compiler, for the listing: 'CUDA 11.8'")
    parser.add_argument("--out", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--groups", help="only these, comma-separated")
    parser.add_argument("--per-mnemonic", type=int, default=4, help="operand kinds kept of one mnemonic")
    parser.add_argument("--keep", help="folder for the whole listings")
    args = parser.parse_args()
    wide = int(args.arch[3:]) >= 70
    work = [(g, t, r) for g, t, r in ptx_forms.all_forms() if not args.groups or g in args.groups.split(",")]
    batches = [work[i : i + BATCH] for i in range(0, len(work), BATCH)]
    forms = {}
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(args.ptxas, args.arch, args.ptx_version, args.nvdisasm, folder)

        def run(i):
            first = i * BATCH
            uniform_too = ("integers", "bits", "comparisons", "floats", "conversions", "warps")
            entries = [entry(2 * (first + j), t, r, False) for j, (_, t, r) in enumerate(batches[i])]
            entries += [entry(2 * (first + j) + 1, t, r, True) for j, (g, t, r) in enumerate(batches[i]) if g in uniform_too]
            return compiler.compile(f"b{i}", entries)

        listings = []
        with ThreadPoolExecutor(args.jobs) as pool:
            for i, listing in enumerate(pool.map(run, range(len(batches)))):
                listings.append(listing)
                if args.keep:
                    with open(os.path.join(args.keep, f"{args.arch}_{i}.sass"), "w") as out:
                        out.write(listing)
        here = os.path.dirname(os.path.abspath(__file__))
        for source in sorted(f for f in os.listdir(here) if f.endswith(".cu")) if args.nvcc else []:
            cubin = os.path.join(folder, source + ".cubin")
            command = [args.nvcc, f"-arch={args.arch}", "-std=c++17", "-rdc=true", "-cubin", os.path.join(here, source), "-o", cubin]
            command += ["-ccbin", args.host_compiler] if args.host_compiler else []
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{source}: {done.stderr[:2000]}", file=sys.stderr)
                continue
            listings.append(compiler.listing(cubin))
    for listing in listings:
        examples(listing, forms, wide, args.per_mnemonic)
    write(forms, args.arch, args.name, args.out)
    print(f"{args.arch}: {len(forms)} mnemonics with modifiers, {sum(map(len, forms.values()))} with operand kinds")


if __name__ == "__main__":
    main()

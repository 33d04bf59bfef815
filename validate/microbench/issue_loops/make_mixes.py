#!/usr/bin/env python3
"""Writes one cubin per loop of mixed instructions: frame.cu's with the body of its loop overwritten.

  nvcc -arch=sm_90 -cubin frame.cu -o frame.cubin          (CUDA 13.0)
  make_mixes.py frame.cubin frame.sass OUTPUT              (.sass: cuobjdump -sass of it)
  nvcc run.cu -lcuda -o run && ./run OUTPUT/*.cubin > warps.csv

mixes_h200_sxm.csv: of that csv, from the first begin to the last end of a launch, 300 rounds less 100, by 200.
mixes.sass.gz: the listings, each with its file's name for the function's.

Loops of 96 instructions that depend on nothing: NAME_alone one instruction, NAME_half every other one between FFMAs,
NAME_quarter every fourth, NAME_NAME two in turn, _bank all operands on one register bank (else on both),
uiadd3_pairsN two of the uniform datapath in eight, N apart. Words are those of compiled code, their registers replaced.
"""
import sys

from loop_frame import Frame, control

frame_cubin, frame_sass, output = sys.argv[1:4]
frame = Frame(frame_cubin, frame_sass, output)
RZ = 255
UNIFORM = 26  # a uniform register that the frame does not use; UNIFORM + 2 is another
FORMS = {
    "iadd3": (0x506057210, 0x7ffe00a),  # IADD3 R5, R6, R5, R10
    "lop3": (0x703037212, 0x78e9606),  # LOP3.LUT R3, R3, R7, R6, 0x96, !PT
    "imad": (0x80a117224, 0x78e020f),  # IMAD R17, R10, R8, R15
    "imadwimm": (0x400047825, 0x78e0204),  # IMAD.WIDE R4, R0, 0x4, R4
    "iadd3z": (0x31a1b7210, 0x7ffe0ff),  # IADD3 R27, R26, R3, RZ
    "fadd": (0x904067221, 0x0),  # FADD R6, R4, R9
    "fmul": (0x202047220, 0x400000),  # FMUL R4, R2, R2
    "sel": (0xb007207, 0x1800000),  # SEL R0, R11, R0, P3
    "vimnmx": (0xd0a0f7248, 0x3fe0100),  # VIMNMX R15, R10, R13, PT
    "fselp": (0x18191d7208, 0x1800000),  # FSEL R29, R25, R24, P3
    "lea": (0x19001d7211, 0x78e08ff),  # LEA R29, R0, R25, 0x1
    "iadd3x": (0x181a0f7210, 0xffe4ff),  # IADD3.X R15, R26, R24, RZ, P1, !PT
    "prmt": (0x763202047816, 0x4),  # PRMT R4, R2, 0x7632, R4
    "isetp": (0x90a00720c, 0x3f06270),  # ISETP.GE.AND P0, PT, R10, R9, PT
    "fsetp": (0x181900720b, 0x3f64000),  # FSETP.GT.AND P3, PT, R25, R24, PT
    "shfi": (0x40e067819, 0x6ff),  # SHF.L.U32 R6, R14, 0x4, RZ
    "viadd": (0xffffffff04027836, 0x0),  # VIADD R2, R4, 0xffffffff
    "imadshl": (0x210027824, 0x78e00ff),  # IMAD.SHL.U32 R2, R16, 0x2, RZ
    "mov": (0x600187202, 0xf00),  # MOV R24, R6
    "imadmov": (0xffff027224, 0x78e0007),  # IMAD.MOV.U32 R2, RZ, RZ, R7
    "movur": (0xa00117c02, 0x8000f00),  # MOV R17, UR10
    "iadd3ur": (0x4070a7c10, 0xfffe0ff),  # IADD3 R10, R7, UR4, RZ
    "uiadd3": (0x405047290, 0xfffe03f),  # UIADD3 UR4, UR5, UR4, URZ
    "uiadd3i": (0x10d057890, 0xfffe03f),  # UIADD3 UR5, UR13, 0x1, URZ
    "ulea": (0x405047291, 0xf8ec03f),  # ULEA UR4, UR5, UR4, 0x18
    "uldc": (0x880000067ab9, 0xa00),  # ULDC.64 UR6, c[0x0][0x220]
    "i2f": (0x500077245, 0x201400),  # I2FP.F32.S32 R7, R5
    "popc": (0xe000c7309, 0x0),  # POPC R12, R14
}
FORMS["imadwide"] = ((FORMS["imad"][0] & ~0xFFFF) | 0x7225, FORMS["imad"][1])


def odd(i):
    return 9 + 2 * (i % 8)


def even(i):
    return 26 + 2 * (i % 8)


def word(form, d=None, a=None, b=None, c=None, uniform_b=False):
    low, high = FORMS[form]
    for value, at, bits in ((d, 16, 8), (a, 24, 8), (b, 32, 6 if uniform_b else 8)):
        if value is not None:
            low = (low & ~(((1 << bits) - 1) << at)) | value << at
    return low, control(high if c is None else (high & ~0xFF) | c)


def ffma(i):
    return frame.ffma(64 + 2 * (i % 24), RZ, odd(i), 64 + 2 * (i % 24))


def make(form, i, bank=False):
    d, other = 64 + 2 * (i % 24), even if bank else odd
    if form in ("iadd3", "lop3", "imad"):
        return word(form, d, other(i), even(i + 3), other(i + 5))
    if form == "imadwide":
        return word(form, d, other(i), even(i + 3), even(i + 5))
    if form == "imadwimm":
        return word(form, d, other(i), None, even(i + 5))
    if form == "prmt":
        return word(form, d, even(i), None, other(i + 3))
    if form in ("isetp", "fsetp"):
        low, high = word(form, None, even(i), other(i + 3))
        return low, high & ~(7 << 17) | 1 << 17  # P1
    if form in ("shfi", "viadd", "imadshl"):
        return word(form, d, even(i))
    if form in ("mov", "i2f", "popc"):
        return word(form, d, None, even(i))
    if form == "imadmov":
        return word(form, d, RZ, RZ, even(i))
    if form in ("movur", "iadd3ur"):
        return word(form, d, even(i) if form == "iadd3ur" else None, UNIFORM, uniform_b=True)
    if form in ("uiadd3", "ulea"):
        return word(form, 8 + i % 16, UNIFORM, UNIFORM + 2, uniform_b=True)
    if form == "uiadd3i":
        return word(form, 8 + i % 16, UNIFORM)
    if form == "uldc":
        return word(form, 8 + 2 * (i % 8))
    return word(form, d, even(i), other(i + 3))


N = 96
TWO_BANKS = ("iadd3", "lop3", "imad", "imadwide", "imadwimm", "iadd3z", "fadd", "isetp", "sel", "lea")
PAIRS = (("iadd3", "imad"), ("iadd3z", "uiadd3"), ("lop3", "imadwimm"), ("iadd3z", "imadmov"), ("isetp", "fadd"),
         ("imad", "uiadd3"), ("imadwimm", "uiadd3"))
for form in FORMS:
    frame.write(f"{form}_alone", [make(form, i) for i in range(N)])
    frame.write(f"{form}_half", [ffma(i) if i % 2 else make(form, i // 2) for i in range(N)])
    frame.write(f"{form}_quarter", [ffma(i) if i % 4 else make(form, i // 4) for i in range(N)])
    if form in TWO_BANKS:
        frame.write(f"{form}_alone_bank", [make(form, i, True) for i in range(N)])
        frame.write(f"{form}_half_bank", [ffma(i) if i % 2 else make(form, i // 2, True) for i in range(N)])
for first, second in PAIRS:
    frame.write(f"{first}_{second}", [make(first if i % 2 else second, i // 2) for i in range(N)])
for apart in (1, 2, 3, 4):
    frame.write(f"uiadd3_pairs{apart}", [make("uiadd3", i // 8) if i % 8 in (0, apart) else ffma(i) for i in range(N)])

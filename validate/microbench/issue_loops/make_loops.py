#!/usr/bin/env python3
"""Writes one cubin per loop: frame.cu's with the body of its loop overwritten.

  nvcc -arch=sm_90 -cubin frame.cu -o frame.cubin          (CUDA 13.0)
  nvcc -std=c++17 -arch=sm_90 -I REPOSITORY -cubin tiles.cu -o tiles.cubin
  make_loops.py frame.cubin frame.sass tiles.sass OUTPUT   (.sass: cuobjdump -sass of each)
  nvcc run.cu -lcuda -o run && ./run OUTPUT/*.cubin

Loops: the inner loops of tiles.cu as compiled (full: shared loads of 16 bytes per lane, bcast: of one address,
ffma: the products alone, noreuse: without reuse flags, yield0/1: all yield bits clear/set), and made-up ones:
syn_* runs of products that share operand A, len* of several lengths, pos_* with one stall count or yield per
run, alt* with operands on one bank and then the other, clean_* without conflicts, lds* with shared loads.
Control fields of sm_70 and later: stall 105-108, yield 109, write barrier 110-112, read barrier 113-115, wait
mask 116-121, reuse 122-125.
"""
import re
import sys

from loop_frame import Frame, first_loop, functions

frame_cubin, frame_sass, tiles_sass, output = sys.argv[1:5]
FRAME_REGISTERS = {5, 6, 62, 63}
LAST_QUAD = 28  # R115; two of the registers that the kernel asks for are not its own


frame = Frame(frame_cubin, frame_sass, output)


def write(name, body, one_address=False):
    """body: (is_load, low, high) of the instructions; loads are from [R6 + UR5] or [UR5]."""
    placed = []
    for is_load, low, high in body:
        if is_load:
            low, high = (low & 0xFFFFFF) | ((255 if one_address else 6) << 24) | (5 << 32), high | 1 << 27
        placed.append((low, high))
    frame.write(name, placed)


def register_map(items):
    used = set()
    for _, text, low, high in items:
        first = (low >> 16) & 255
        used |= ({first, (low >> 24) & 255, (low >> 32) & 255, high & 255} if "FFMA" in text
                 else set(range(first, first + (4 if ".128" in text else 2 if ".64" in text else 1))))
    quads = {r // 4 for r in used - {255}}
    taken = {r // 4 for r in FRAME_REGISTERS}
    free = [q for q in range(2, LAST_QUAD + 1) if q not in quads | taken]
    moved = {q: free.pop() for q in sorted(quads) if q in taken or q > LAST_QUAD or q == 0}
    return lambda r: r if r == 255 else moved.get(r // 4, r // 4) * 4 + r % 4


def compiled(items, loads=True, reuse=True, yields=None):
    items = [x for x in items if "FFMA" in x[1] or (loads and x[1].startswith("LDS"))][:300]
    place, body = register_map(items), []
    for _, text, low, high in items:
        if "FFMA" in text:
            low = ((low & 0xFFFF) | place((low >> 16) & 255) << 16 | place((low >> 24) & 255) << 24
                   | place((low >> 32) & 255) << 32 | low >> 40 << 40)
            high = (high & ~0xFF) | place(high & 255)
            if not loads:
                high &= ~(0x3F << 52)
            if not reuse:
                high &= ~(0xF << 58)
            if yields is not None:
                high = (high & ~(1 << 45)) | yields << 45
            body.append((False, low, high))
        else:
            body.append((True, (low & 0xFFFF) | place((low >> 16) & 255) << 16, high & ~0xFF))
    return body


def ffma(d, a, b, c, reuse=0, stall=1, yields=1):
    return (False, *frame.ffma(d, a, b, c, reuse, stall, yields))


def lds(d, bits, form):
    high = form[3] & ((1 << 41) - 1) & ~(7 << 9)
    return (True, (form[2] & 0xFFFF) | d << 16,
            high | {32: 4, 64: 5, 128: 6}[bits] << 9 | 1 << 41 | 1 << 45 | 7 << 46 | 7 << 49)


def run_of(length, i, flag=True, stall=1, yields=1):
    last = i % length == length - 1
    return ffma(64 + 2 * (i % 24), 25 + 2 * (i // length % 4), 9 + 2 * ((3 * i + 1) % 8), 64 + 2 * (i % 24),
                int(flag and not last), stall, yields)


def alternating(n, i, yields):
    odd = i // n % 2
    return ffma(64 + odd + 2 * (i % 24), 9 - odd + 2 * (i % 5), 21 - odd + 2 * (i % 5), 64 + odd + 2 * (i % 24),
                0, 1, yields)


load_form = None
for name, code in functions(tiles_sass).items():
    tile, loop = "_".join(re.findall(r"Li(\d+)", name)), first_loop(code)
    load_form = load_form or next(x for x in loop if x[1].startswith("LDS.128"))
    write(tile + ".full", compiled(loop))
    write(tile + ".bcast", compiled(loop), one_address=True)
    write(tile + ".ffma", compiled(loop, loads=False))
    write(tile + ".noreuse", compiled(loop, loads=False, reuse=False))
    for y in (0, 1):
        write(f"{tile}.yield{y}", compiled(loop, loads=False, yields=y))
N = 288
write("syn_noreuse", [run_of(8, i, flag=False) for i in range(N)])
write("syn_run8_s2", [run_of(8, i, stall=2) for i in range(N)])
write("syn_run8_y0", [run_of(8, i, yields=0) for i in range(N)])
for n in (2, 4, 8, 16):
    write(f"syn_run{n}_y1", [run_of(n, i) for i in range(N)])
for s, y in ((1, 0), (2, 0), (2, 1), (3, 1), (4, 0), (4, 1)):
    write(f"pos_s{s}_y{y}", [run_of(8, i, True, *((s, y) if i % 8 == 3 else (1, 1))) for i in range(N)])
for n in (32, 48, 64, 96, 128, 192, 288):
    write(f"len{n}", [run_of(8, i) for i in range(n)])
for n in (1, 2, 4, 8, 16):
    for y in (0, 1):
        write(f"alt{n}_y{y}", [alternating(n, i, y) for i in range(N)])
for y in (0, 1):
    write(f"clean_y{y}", [ffma(64 + 2 * (i % 24), 255, 9 + 2 * (i % 8), 64 + 2 * (i % 24), 0, 1, y) for i in range(N)])
for bits, every, loads in [(b, e, 1) for b in (32, 64, 128) for e in (8, 24)] + [(128, 24, 4)]:
    for full in (0, 1):
        body, j = [], 0
        for i in range(240):
            for _ in range(loads if i % every == 0 else 0):
                body.append(lds(32 + 4 * (j % 4), bits, load_form))
                j += 1
            body.append(ffma(64 + 2 * (i % 24), 25 if full else 255, 9 + 2 * (i % 8) if full else 255,
                             64 + 2 * (i % 24), full))
        count = "" if loads == 1 else f"{loads}"
        write(f"lds{bits}_{count}every{every}_full{full}", body, one_address=True)

#!/usr/bin/env python3
"""Writes groups.cu: loops of warp-group products (wgmma) as the rows wgmma_* of ../../data/h200_sxm_tensor_micro.csv
describe them: groups of so many products, each waited for. Compile with CUDA 12 or later for sm_90a; the listing is
sm_90a.sass.gz (as make_listings.sh in tests/traces/data/tensor makes it)."""

TYPES = {  # name: (PTX types, K, registers of the sums by N, tail of operands: A in shared memory, in registers)
    "f16_f32": ("f32.f16.f16", 16, 2, ", 1, 1, 0, 0", ", 1, 1, 0"),
    "f16_f16": ("f16.f16.f16", 16, 4, ", 1, 1, 0, 0", ", 1, 1, 0"),
    "bf16_f32": ("f32.bf16.bf16", 16, 2, ", 1, 1, 0, 0", ", 1, 1, 0"),
    "tf32_f32": ("f32.tf32.tf32", 8, 2, ", 1, 1", ", 1, 1"),
    "s8_s32": ("s32.s8.s8", 32, 2, "", ""),
}
LOOPS = [("f16_f32", n, False) for n in (8, 16, 32, 64, 96, 128, 192, 256)]
LOOPS += [("f16_f32", n, True) for n in (64, 128, 256)]
LOOPS += [("f16_f16", n, False) for n in (64, 128, 256)]
LOOPS += [(t, n, False) for t in ("bf16_f32", "tf32_f32", "s8_s32") for n in (128, 256)] + [("tf32_f32", 64, False)]

HEAD = """// Made by make_groups.py.
#include <cstdint>

__device__ uint64_t descriptor(uint32_t address) {  // rows of 128 bytes, swizzled
    return (address & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(64) << 32 | uint64_t(1) << 62;
}
extern __shared__ __align__(1024) char space[];
"""


def loop(name, n, registers, count):
    types, k, divisor, tail_shared, tail_registers = TYPES[name]
    sums = n // divisor
    constraint, kind = ("+f", "float") if types.startswith("f32") else ("+r", "uint32_t")
    a = "{%%%d,%%%d,%%%d,%%%d}" % tuple(range(sums, sums + 4)) if registers else "%%%d" % sums
    b = sums + (4 if registers else 1)
    text = "wgmma.mma_async.sync.aligned.m64n%dk%d.%s {%s}, %s, %%%d, p%s;" % (
        n, k, types, ",".join("%%%d" % i for i in range(sums)), a, b, tail_registers if registers else tail_shared)
    outs = ", ".join('"%s"(d[%d])' % (constraint, i) for i in range(sums))
    ins = ", ".join('"r"(f[%d])' % i for i in range(4)) if registers else '"l"(a + (i & 3) * 2)'
    kernel = "group_%s_%d%s_%d" % (name, n, "_r" if registers else "", count)
    return f"""
extern "C" __global__ void __launch_bounds__({256 if sums > 64 or (registers and n > 64) else 512}) {kernel}(uint32_t* out, int trips) {{
    const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(space));
    const uint64_t a = descriptor(base + (threadIdx.x >> 7 & 1) * 8192), b = descriptor(base + 16384);
    {kind} d[{sums}] = {{}};
    uint32_t f[4];
    for (int i = 0; i < 4; ++i) f[i] = out[threadIdx.x & 31];
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {{
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int i = 0; i < {count}; ++i)
            asm volatile("{{.reg .pred p; setp.ne.b32 p,%{b + 1},0; {text}}}"
                         : {outs}
                         : {ins}, "l"(b + (i & 3) * 2), "r"(1));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }}
    uint32_t s = f[0] + static_cast<uint32_t>(a);
    for (int i = 0; i < {sums}; ++i) s ^= reinterpret_cast<uint32_t*>(d)[i];
    out[threadIdx.x] = s;
}}
"""


with open("groups.cu", "w") as out:
    out.write(HEAD)
    for name, n, registers in LOOPS:
        for count in (1, 2, 4, 8, 16):
            out.write(loop(name, n, registers, count))

#!/bin/sh
# Compiles gemm.cu with CUDA 11.8 and writes sm_XX.sass here, and group_gemm.cu with CUDA 13, where NVCC_13 names it (its
# file is given the version and flags that cuobjdump 11.8 reads). Needs cuobjdump and a host compiler that nvcc accepts:
#   NVCC_FLAGS="-ccbin g++-11" ./make_listings.sh
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in 70 75 80 86 90; do
    nvcc $NVCC_FLAGS -O3 -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" gemm.cu
    cuobjdump -sass -elf "$work/k.cubin" | gzip -9n > sm_$arch.sass.gz
done
if [ -n "$NVCC_13" ]; then
    "$NVCC_13" $NVCC_FLAGS -O3 -arch=sm_90a -cubin -o "$work/k.cubin" group_gemm.cu
    python3 - "$work/k.cubin" <<'PYTHON'
import struct, sys
elf = bytearray(open(sys.argv[1], "rb").read())
elf[7:9] = b"\x33\x07"
struct.pack_into("<I", elf, 0x30, 90 * 0x10001 + 0x500)
open(sys.argv[1], "wb").write(elf)
PYTHON
    cuobjdump -sass -elf "$work/k.cubin" | gzip -9n > group_gemm.sass.gz
fi

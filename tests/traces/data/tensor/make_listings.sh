#!/bin/sh
# (sm_100 and sm_120: CUDA 13.0 and its own cuobjdump.)
# Compiles products.cu with CUDA 11.8 and, where NVCC_13 names it, with CUDA 13.0, and writes sm_XX.sass.gz and
# sm_XX_13.sass.gz here; warp_groups.cu with CUDA 13.0 alone. Needs 11.8's cuobjdump (13.0's files are given the version and flags that it reads) and a host
# compiler that nvcc accepts:
#   NVCC_FLAGS="-ccbin g++-11" NVCC_13=/usr/local/cuda/bin/nvcc ./make_listings.sh
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() {  # nvcc, architecture, listing, source
    "$1" $NVCC_FLAGS -Wno-deprecated-gpu-targets -arch=sm_$2 -cubin -o "$work/k.cubin" $4
    python3 - "$work/k.cubin" ${2%a} <<'PYTHON'
import struct, sys
elf = bytearray(open(sys.argv[1], "rb").read())
elf[7:9] = b"\x33\x07"
struct.pack_into("<I", elf, 0x30, int(sys.argv[2]) * 0x10001 + 0x500)
open(sys.argv[1], "wb").write(elf)
PYTHON
    elf=  # tiles.cu has clusters, which -elf says
    [ "$4" != tiles.cu ] || elf=-elf
    cuobjdump -sass $elf "$work/k.cubin" | gzip -9n > $3.sass.gz
}
for arch in 70 75 80 90; do
    compile nvcc $arch sm_$arch products.cu
done
for arch in 80 90; do
    [ -z "$NVCC_13" ] || compile "$NVCC_13" $arch sm_${arch}_13 products.cu
done
for source in warp_groups tiles; do
    [ -z "$NVCC_13" ] || compile "$NVCC_13" 90a $source $source.cu
done

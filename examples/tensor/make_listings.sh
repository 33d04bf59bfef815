#!/bin/sh
# Compiles gemm.cu with CUDA 11.8 and writes sm_XX.sass here. Needs cuobjdump and a host compiler that nvcc accepts:
#   NVCC_FLAGS="-ccbin g++-11" ./make_listings.sh
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in 70 75 80 86 90; do
    nvcc $NVCC_FLAGS -O3 -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" gemm.cu
    cuobjdump -sass -elf "$work/k.cubin" | gzip -9n > sm_$arch.sass.gz
done

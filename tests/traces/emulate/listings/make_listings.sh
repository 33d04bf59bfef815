#!/bin/sh
# Compiles kernels.cu with CUDA 11.8 (sm_89, sm_100 and sm_120: 13.0, in ARCHES) and writes sm_XX.sass.gz here. Needs nvcc and a host compiler it accepts:
#   NVCC_FLAGS="-ccbin g++-11" ./make_listings.sh
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in ${ARCHES:-35 50 61 70 75 80 86 90}; do
    nvcc $NVCC_FLAGS -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" kernels.cu
    constants=
    case $arch in 50 | 61) constants=-elf ;; esac # their literals stand in constant bank 2
    cuobjdump -sass $constants "$work/k.cubin" | gzip -9n > sm_$arch.sass.gz
done

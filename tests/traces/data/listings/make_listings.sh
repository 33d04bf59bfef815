#!/bin/sh
# Compiles data_kernels.cu, textures.cu, module.cu, arithmetic.cu and swaps.cu with CUDA 11.8 and writes sm_XX.sass.gz,
# textures_sm_XX.sass.gz and so on here. Needs nvcc and a host compiler it accepts: NVCC_FLAGS="-ccbin g++-11" ./make_listings.sh
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in 35 50 61 70 80 90; do
    nvcc $NVCC_FLAGS -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" data_kernels.cu
    cuobjdump -sass -elf "$work/k.cubin" | gzip -9n > sm_$arch.sass.gz
done
for arch in 35 50 61 70 75 86 90; do
    nvcc $NVCC_FLAGS -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" textures.cu
    cuobjdump -sass "$work/k.cubin" | gzip -9n > textures_sm_$arch.sass.gz
done
# CUDA 13's cubins have another ELF header than cuobjdump 11.8 reads: module_13_sm_90, swaps_13_sm_90, grid_rounds_13_sm_90 and bulk_13_sm_90
# were made by NVCC13
# with that header written back (older_header in validate/listings/make_listings.py). sm_100 and sm_120: likewise by CUDA 13, with
# its own cuobjdump.
for arch in 35 50 61 70 80 90; do
    nvcc $NVCC_FLAGS -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" module.cu
    cuobjdump -sass -elf "$work/k.cubin" | gzip -9n > module_sm_$arch.sass.gz
done
for arch in 35 50 61 70 80; do
    nvcc $NVCC_FLAGS -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" arithmetic.cu
    cuobjdump -sass -elf "$work/k.cubin" | gzip -9n > arithmetic_sm_$arch.sass.gz
done
for arch in 50 61 70 80 90; do
    nvcc $NVCC_FLAGS -Wno-deprecated-gpu-targets -arch=sm_$arch -cubin -o "$work/k.cubin" swaps.cu
    cuobjdump -sass -elf "$work/k.cubin" | gzip -9n > swaps_sm_$arch.sass.gz
done

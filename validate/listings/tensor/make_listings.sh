#!/usr/bin/env bash
# Compiles ../../kernels/instances_mma.cu for each generation, beside it instances_mma_types.cu (sm_XX.types) and
# instances_mma_double.cu (sm_XX.double), instances_mma_volta.cu for sm_70 and sm_75 (sm_XX.volta), and for sm_90a alone
# instances_wgmma.cu, instances_wgmma_types.cu (sm_90a.types) and instances_wgmma_clusters.cu (sm_90a.clusters):
# NAME.sass.xz (cuobjdump -sass, with encodings) and NAME.resources.txt (ptxas -v). NVCC11 (with HOSTCXX11) is a CUDA 11.8
# compiler, NVCC13 a CUDA 13.0 one, for sm_90 and sm_90a; CUOBJDUMP that of CUDA 11.8, which reads CUDA 13's files once
# their header is set back (../make_listings.py). Arguments: those to make, else all.
set -euo pipefail
cd "$(dirname "$0")"
nvcc11=${NVCC11:-/usr/bin/nvcc} nvcc13=${NVCC13:-/usr/local/cuda/bin/nvcc}
work=$(mktemp -d); trap 'rm -r "$work"' EXIT
for name in ${*:-sm_70.volta sm_75.volta sm_80 sm_86 sm_89 sm_90 sm_90a sm_90a.types sm_90a.clusters \
    sm_80.types sm_86.types sm_89.types sm_90.types sm_80.double sm_86.double sm_89.double sm_90.double}; do
    nvcc=("$nvcc11" -ccbin "${HOSTCXX11:-/usr/bin/g++-11}")
    arch=${name%%.*}
    case $arch in sm_90*) nvcc=("$nvcc13") ;; esac
    case $name in
        sm_90a) source=instances_wgmma.cu ;;
        sm_90a.*) source=instances_wgmma_${name#*.}.cu ;;
        *.*) source=instances_mma_${name#*.}.cu ;;
        *) source=instances_mma.cu ;;
    esac
    PATH=$(dirname "${nvcc[0]}"):$PATH "${nvcc[@]}" -std=c++17 -O3 -DNDEBUG -arch="$arch" -cubin -Xptxas -v \
        -o "$work/cubin" "../../kernels/$source" 2> "$work/log"
    case $arch in
        sm_90*)
            printf '\x07' | dd of="$work/cubin" bs=1 seek=8 conv=notrunc status=none
            printf '\x5a\x05\x5a\x00' | dd of="$work/cubin" bs=1 seek=48 conv=notrunc status=none
            ;;
    esac
    "${CUOBJDUMP:-/usr/bin/cuobjdump}" -sass "$work/cubin" | xz -6 > "$name.sass.xz"
    grep -v 'Compile time' "$work/log" > "$name.resources.txt"
done

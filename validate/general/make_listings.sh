#!/usr/bin/env bash
# Compiles general.cuh and writes sm_XX.sass.gz (cuobjdump -sass, with encodings; before sm_70 with -elf, for
# the constants).
# Compilers and disassembler as in ../listings/make_listings.sh.
#
#   validate/general/make_listings.sh [OUTPUT_FOLDER]     default: this folder
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
output=${1:-$here}
nvcc11=${NVCC11:-/usr/bin/nvcc}
hostcxx11=${HOSTCXX11:-/usr/bin/g++-11}
nvcc13=${NVCC13:-/usr/local/cuda/bin/nvcc}
cuobjdump=${CUOBJDUMP:-/usr/bin/cuobjdump}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sets the two ELF header fields that CUDA 13 changed back, see ../listings/make_listings.sh
older_header() {
    printf '\x07' | dd of="$1" bs=1 seek=8 conv=notrunc status=none
    printf '\x5a\x05\x5a\x00' | dd of="$1" bs=1 seek=48 conv=notrunc status=none
}

list() {
    local nvcc=$1 arch=$2
    shift 2
    PATH="$(dirname "$nvcc"):$PATH" "$nvcc" "$@" -std=c++17 "-arch=$arch" -cubin -x cu \
        -Wno-deprecated-gpu-targets -o "$work/$arch.cubin" "$here/general.cuh"
    if [ "$nvcc" = "$nvcc13" ]; then older_header "$work/$arch.cubin"; fi
    local constants=()
    case $arch in sm_35 | sm_50 | sm_61) constants=(-elf) ;; esac  # their literals stand in constant bank 2
    PATH="$(dirname "$cuobjdump"):$PATH" "$cuobjdump" -sass "${constants[@]}" "$work/$arch.cubin" |
        gzip -9n >"$output/$arch.sass.gz"
}

for arch in sm_35 sm_50 sm_61 sm_70 sm_75 sm_80 sm_86; do
    list "$nvcc11" "$arch" -ccbin "$hostcxx11"
done
list "$nvcc13" sm_90

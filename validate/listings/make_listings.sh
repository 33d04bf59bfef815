#!/usr/bin/env bash
# Compiles instances.cu for five architectures and writes, per architecture, the listing with encodings
# (cuobjdump -sass) and the resource log (ptxas -v) as sm_XX.sass.gz and sm_XX.resources.txt.
#
#   validate/listings/make_listings.sh [OUTPUT_FOLDER]     default: this folder
#
# NVCC11 (with HOSTCXX11) is a CUDA 11.8 compiler, the last that knows sm_35; NVCC13 a CUDA 13.0 one.
# CUOBJDUMP is that of CUDA 11.8, for all of them: it knows the instructions of sm_90, but not the ELF header
# of CUDA 13, whose two changed fields are set back before listing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
output=${1:-$here}
nvcc11=${NVCC11:-/usr/bin/nvcc}
hostcxx11=${HOSTCXX11:-/usr/bin/g++-11}
nvcc13=${NVCC13:-/usr/local/cuda/bin/nvcc}
cuobjdump=${CUOBJDUMP:-/usr/bin/cuobjdump}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# older_header CUBIN: ABI version (ELF byte 8) 8 -> 7, e_flags (bytes 48-51) to the layout of version 7, as
# CUDA 11.8 writes both for sm_90.
older_header() {
    printf '\x07' | dd of="$1" bs=1 seek=8 conv=notrunc status=none
    printf '\x5a\x05\x5a\x00' | dd of="$1" bs=1 seek=48 conv=notrunc status=none
}

# list NVCC ARCH EXTRA...
list() {
    local nvcc=$1 arch=$2
    shift 2
    # nvcc takes its own tools from PATH when another toolkit comes first there.
    PATH="$(dirname "$nvcc"):$PATH" "$nvcc" "$@" -std=c++17 "-arch=$arch" -cubin -Xptxas -v \
        -Wno-deprecated-gpu-targets -diag-suppress 20168 -o "$work/$arch.cubin" "$here/instances.cu" \
        2>"$output/$arch.resources.txt"
    if [ "$nvcc" = "$nvcc13" ]; then older_header "$work/$arch.cubin"; fi
    # -n leaves the time out of the archive, so that the same listing gives the same bytes.
    PATH="$(dirname "$cuobjdump"):$PATH" "$cuobjdump" -sass "$work/$arch.cubin" |
        gzip -9n >"$output/$arch.sass.gz"
}

for arch in sm_35 sm_70 sm_80 sm_86; do
    list "$nvcc11" "$arch" -ccbin "$hostcxx11"
done
list "$nvcc13" sm_90

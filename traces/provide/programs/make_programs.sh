#!/usr/bin/env bash
# Packs the listings of validate/listings as what is shipped. Environment: GPUMODEL (the command).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
listings=$here/../../../validate/listings
gpumodel=${GPUMODEL:-$here/../../../build/release/tools/gpumodel}
for listing in "$listings"/sm_??.sass.*; do
    arch=$(basename "$listing" | cut -d. -f1)
    toolkit=11.8
    if [ "$arch" = sm_90 ]; then toolkit=13.0; fi
    "$gpumodel" kernels pack "$listing" --resources "$listings/$arch.resources.txt" --toolkit "$toolkit" --out "$here"
done

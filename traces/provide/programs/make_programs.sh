#!/usr/bin/env bash
# Packs the listings of validate/listings as what is shipped: for sm_90, where they are measured, all of them, for
# other generations the literature's tiles and the families' defaults. Environment: GPUMODEL (the command), LISTINGS.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
listings=${LISTINGS:-$here/../../../validate/listings}
gpumodel=${GPUMODEL:-$here/../../../build/release/tools/gpumodel}
for listing in "$listings"/sm_??.sass.*; do
    arch=$(basename "$listing" | cut -d. -f1)
    choice=(--toolkit 11.8 --rows "$here/literature.csv")
    if [ "$arch" = sm_90 ]; then choice=(--toolkit 13.0); fi
    "$gpumodel" kernels pack "$listing" --resources "$listings/$arch.resources.txt" "${choice[@]}" --out "$here"
done
# The tensor-core families, which have no generator: all tiles for every generation.
for listing in "$listings"/tensor/sm_??.sass.*; do
    arch=$(basename "$listing" | cut -d. -f1)
    toolkit=11.8
    if [ "$arch" = sm_90 ]; then toolkit=13.0; fi
    "$gpumodel" kernels pack "$listing" --resources "$listings/tensor/$arch.resources.txt" --toolkit $toolkit --out "$here"
done

#!/usr/bin/env bash
# Packs the listings of validate/listings as what is shipped: for sm_90, where they are measured, all of them, for
# other generations the literature's tiles and the families' defaults. Environment: GPUMODEL (the command), LISTINGS.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
listings=${LISTINGS:-$here/../../../validate/listings}
gpumodel=${GPUMODEL:-$here/../../../build/release/tools/gpumodel}
toolkit_of() {  # generation, those that CUDA 13.0 compiled
    case " $2 " in *" $1 "*) echo 13.0 ;; *) echo 11.8 ;; esac
}
for listing in "$listings"/sm_*.sass.*; do
    arch=$(basename "$listing" | cut -d. -f1)
    choice=(--toolkit "$(toolkit_of "$arch" "sm_75 sm_89 sm_90 sm_100 sm_120")")
    if [ "$arch" != sm_90 ]; then choice+=(--rows "$here/literature.csv"); fi
    "$gpumodel" kernels pack "$listing" --resources "$listings/$arch.resources.txt" "${choice[@]}" --folder "$here"
done
# The tensor-core families, which have no generator: all tiles for every generation; those of further types (sm_XX.types)
# and in clusters (sm_90a.clusters) in files of their own.
for listing in "$listings"/tensor/sm_*.sass.*; do
    name=$(basename "$listing"); name=${name%.sass.*}
    toolkit=$(toolkit_of "${name%%.*}" "sm_90 sm_90a sm_100 sm_120")
    choice=(--toolkit "$toolkit")
    case $name in *.types) choice+=(--types) ;; *.clusters) choice+=(--clusters) ;; esac
    "$gpumodel" kernels pack "$listing" --resources "$listings/tensor/$name.resources.txt" "${choice[@]}" --folder "$here"
done

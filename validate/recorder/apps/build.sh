#!/bin/sh
# build.sh FOLDER [NVCC]: the applications, for sm_90.
folder=$1
nvcc=${2:-nvcc}
here=$(dirname "$0")
mkdir -p "$folder"
for source in "$here"/*.cu; do
  "$nvcc" -std=c++17 -O2 --expt-relaxed-constexpr -gencode arch=compute_90,code=sm_90 -o "$folder/$(basename "$source" .cu)" "$source" || exit 1
done

#!/usr/bin/env bash
# Compiles every instance of instances.cuh for each architecture and writes what ptxas reports as
# toolkit,arch,family,params,registers,static_shared_bytes,spill_bytes,stack_bytes (spill_bytes = stores).
#
#   validate/kernels/compile_registers.sh [OUTPUT.csv]     default: tests/traces/kernel/ptxas_registers.csv
#
# NVCC11 (with HOSTCXX11) is a CUDA 11.8 compiler, the last that knows sm_35; NVCC13 a CUDA 13.0 one.
# LOGS keeps the raw logs there instead of in a temporary folder.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
output=${1:-$here/../../tests/traces/ptxas_registers.csv}
nvcc11=${NVCC11:-/usr/bin/nvcc}
hostcxx11=${HOSTCXX11:-/usr/bin/g++-11}
nvcc13=${NVCC13:-/usr/local/cuda/bin/nvcc}
logs=${LOGS:-$(mktemp -d)}
mkdir -p "$logs"

release() { "$1" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

# compile NVCC ARCH EXTRA...: one log per group.
compile() {
    local nvcc=$1 arch=$2 group
    shift 2
    for group in 0 1 2 3; do
        # nvcc takes its own tools from PATH when another toolkit comes first there.
        PATH="$(dirname "$nvcc"):$PATH" "$nvcc" "$@" -std=c++17 "-arch=$arch" -cubin -Xptxas -v \
            "-DGPUMODEL_GROUP=$group" -Wno-deprecated-gpu-targets -diag-suppress 20168 \
            -o "$logs/$arch.$group.cubin" "$here/instances.cu" >"$logs/$arch.$group.log" 2>&1 ||
            { cat "$logs/$arch.$group.log" >&2; exit 1; }
    done
}

# rows TOOLKIT ARCH: CSV rows of all logs of an architecture.
rows() {
    cat "$logs/$2".[0-3].log | c++filt | awk -v toolkit="$1" -v arch="$2" '
        BEGIN {
            tile = "BM BN BK TM TN UNROLL"
            warp = "BM BN BK WM WN WNITER TM TN THREADS UNROLL"
            names["smem"] = "BS UNROLL"; names["blocktile1d"] = "BM BN BK TM UNROLL"
            names["blocktile2d"] = names["vectorized"] = names["bank_linearize"] = tile
            names["bank_extracol"] = names["autotuned"] = tile
            names["warptile"] = names["doublebuffer"] = warp
            names["doublebuffer_split"] = names["doublebuffer_async"] = warp
        }
        function number_before(text, what,    words) {  # "... 8192 bytes smem ..." -> 8192
            if (!match(text, "[0-9]+ " what)) return 0
            split(substr(text, RSTART), words, " ")
            return words[1]
        }
        /Compiling entry function/ {
            match($0, /gpumodel::kernels::[^(]*/)
            name = substr($0, RSTART + 19, RLENGTH - 19)
            family = name; sub(/<.*/, "", family)
            arguments = ""
            if (match(name, /<.*>/)) arguments = substr(name, RSTART + 1, RLENGTH - 2)
            count = split(arguments, values, ", ")
            key_count = split((family in names) ? names[family] : "UNROLL", keys, " ")
            params = ""
            if (arguments == "float") count = 0
            for (i = 1; i <= count; ++i) params = params (i > 1 ? ";" : "") keys[i] "=" values[i]
        }
        /bytes stack frame/ {
            stack = number_before($0, "bytes stack frame"); spill = number_before($0, "bytes spill stores")
        }
        / Used [0-9]+ registers/ {
            print toolkit "," arch "," family "," params "," number_before($0, "registers") "," \
                number_before($0, "bytes smem") "," spill "," stack
        }'
}

for arch in sm_35 sm_70 sm_75 sm_80 sm_86; do
    compile "$nvcc11" "$arch" -ccbin "$hostcxx11"
done
compile "$nvcc13" sm_90

{
    echo "toolkit,arch,family,params,registers,static_shared_bytes,spill_bytes,stack_bytes"
    for arch in sm_35 sm_70 sm_75 sm_80 sm_86; do
        rows "$(release "$nvcc11")" "$arch"
    done
    rows "$(release "$nvcc13")" sm_90
} >"$output"
echo "$output: $(($(wc -l <"$output") - 1)) rows" >&2

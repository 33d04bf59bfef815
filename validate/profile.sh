#!/usr/bin/env bash
# Counters of Nsight Compute for one launch of each kernel, as a table for `gpumodel validate --counters`.
#
#   validate/profile.sh MEASURE OUT.csv SHAPE... [-- OPTION...]
#
# MEASURE is the gpumodel-measure binary; SHAPE is N or MxNxK; options go to gpumodel-measure, such as
# --families warptile or --configurations 1. A shape whose rows OUT.csv has already is not profiled again.
# Clocks are left as they are; NCU names another profiler binary.
set -euo pipefail

usage() {
    sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
}
[ $# -ge 3 ] || usage
here=$(cd "$(dirname "$0")" && pwd)
measure=$1
out=$2
shift 2
shapes=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    shapes+=("$1")
    shift
done
[ ${#shapes[@]} -gt 0 ] || usage
[ $# -eq 0 ] || shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
metrics=$("$here/measure/ncu_to_csv.py" --metrics)
number=0
for shape in "${shapes[@]}"; do
    number=$((number + 1))
    case $shape in *x*) key=${shape//x/,} ;; *) key=$shape,$shape,$shape ;; esac
    if [ -s "$out" ] && grep -q ",$key," "$out"; then
        echo "$number/${#shapes[@]} $shape: in $out already" >&2
        continue
    fi
    echo "$number/${#shapes[@]} $shape" >&2
    "${NCU:-ncu}" --csv --page raw --print-units base --clock-control none --cache-control none \
        --metrics "$metrics" "$measure" --once --sizes "$shape" "$@" >"$work/raw.csv"
    "$here/measure/ncu_to_csv.py" "$shape" "$work/raw.csv" >"$work/table.csv"
    if [ -s "$out" ]; then
        tail -n +2 "$work/table.csv" >>"$out"
    else
        cp "$work/table.csv" "$out"
    fi
done

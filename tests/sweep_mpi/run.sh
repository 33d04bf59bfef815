#!/usr/bin/env bash
# run.sh GPUMODEL MPIEXEC: a sweep on 1, 2 and 4 MPI ranks writes the bytes that it writes without MPI, also
# after ranks were killed.
set -euo pipefail
gpumodel=$1 mpiexec=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Open MPI: tests may run as root, and on fewer cores than ranks
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { timeout 100 "$mpiexec" -n "$1" "$gpumodel" "${@:2}"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
same() { cmp "$1" "$2" || fail "$3: other bytes than without MPI"; }

sweep=(sweep --arch v100_sxm2 --kernel 'warptile,vectorized' -p BM=64:128:64 -p BN=64:256:64 -p BK=8:32:8
       --sizes 512:2048:512 --set-sweep sm_count=60:80:20)
"$gpumodel" "${sweep[@]}" >plain.csv 2>plain.err
[ "$(wc -l <plain.csv)" -gt 20 ] || fail "too few rows to tell anything"
for n in 1 2 4; do
    ranks $n "${sweep[@]}" --out "$n.csv" 2>"$n.err"
    same plain.csv "$n.csv" "$n ranks"
    same plain.err "$n.err" "$n ranks, summary"
done
"$gpumodel" "${sweep[@]}" --top 2 >top.csv 2>/dev/null
ranks 3 "${sweep[@]}" --top 2 --out top3.csv 2>/dev/null
same top.csv top3.csv "--top on 3 ranks"

# cut short by hand, and by killing one rank while it computes
head -c 5000 plain.csv >cut.csv
ranks 4 "${sweep[@]}" --out cut.csv --resume 2>/dev/null
same plain.csv cut.csv "resumed on 4 ranks"

long=(sweep --arch v100_sxm2 --kernel warptile --axes auto --sizes 4096)
"$gpumodel" "${long[@]}" >long_plain.csv 2>/dev/null
ranks 3 "${long[@]}" --threads 1 --out long.csv >/dev/null 2>&1 &
launcher=$!
until [ "$(stat -c %s long.csv 2>/dev/null || echo 0)" -gt 20000 ]; do sleep 0.01; done
for process in /proc/[0-9]*; do  # rank 2 of this launch: this program in this folder
    if [ "$(readlink -f "$process/exe" 2>/dev/null)" = "$(readlink -f "$gpumodel")" ] &&
       [ "$(readlink "$process/cwd" 2>/dev/null)" = "$work" ] &&
       tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qxE '(OMPI_COMM_WORLD_RANK|PMI_RANK)=2'; then
        kill -9 "${process#/proc/}" 2>/dev/null && killed=yes
        break
    fi
done
code=0
wait $launcher || code=$?
if [ "${killed:-no}" = yes ] && [ $code -eq 0 ]; then
    cmp -s long.csv long_plain.csv || fail "a lost rank looks like success"
fi
if [ "${killed:-no}" = no ] || [ $code -eq 0 ]; then echo "(the sweep was through before its rank was killed)"; fi
ranks 2 "${long[@]}" --out long.csv --resume 2>/dev/null
same long_plain.csv long.csv "resumed after a killed rank"

# bad input: said once, and nobody waits
code=0
ranks 3 sweep --arch v100_sxm2 --kernel warptil 2>bad.err >bad.out || code=$?
[ $code -ne 0 ] || fail "bad input looks like success"
[ "$(grep -c 'unknown kernel family' bad.err)" = 1 ] || fail "bad input is not said once"
echo hello >foreign.csv
code=0
ranks 3 "${sweep[@]}" --out foreign.csv --resume >/dev/null 2>foreign.err || code=$?
if [ $code -eq 0 ] || [ "$(cat foreign.csv)" != hello ]; then fail "a foreign file was not refused"; fi
echo "1, 2 and 4 ranks: same bytes"

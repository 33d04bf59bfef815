#!/bin/bash
# run.sh BUILD_DIR [CMAKE_OPTION...]: installs the build tree into a scratch prefix and uses the result as
# a stranger would: the command from a foreign folder, the library from a project of its own (configured
# with the options given). Needs nothing but cmake and a compiler.
set -euo pipefail
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset GPUMODEL_ARCH_PATH

fail() { printf 'install test: %s\n' "$*" >&2; exit 1; }
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "failed: $*"; }; }

quietly cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/prefix" # what is installed must not depend on where it was
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere"
gpumodel=$scratch/prefix/bin/gpumodel

spec=$("$gpumodel" arch show k40 | sed -n 2p)
[[ $spec == "$scratch/prefix/"* ]] || fail "the installed command read $spec"
time_us=$("$gpumodel" predict --arch sm_35 --kernel warptile --model analytic --generated --format csv |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "time_us") column = i } NR == 2 { print $column }')

share=$scratch/prefix/share
"$gpumodel" man | cmp -s - "$share/man/man1/gpumodel.1" || fail "the installed manual page is of another program"
for script in bash:bash-completion/completions/gpumodel zsh:zsh/site-functions/_gpumodel \
    fish:fish/vendor_completions.d/gpumodel.fish; do
    "$gpumodel" completion "${script%%:*}" | cmp -s - "$share/${script#*:}" || fail "not installed: ${script#*:}"
done

cp -r "$here/consumer" "$scratch/source"
# the generator that built gpumodel: a fresh machine has ninja and no make
generator=$(sed -n "s/^CMAKE_GENERATOR:INTERNAL=//p" "$build/CMakeCache.txt")
quietly cmake -G "$generator" -S "$scratch/source" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" "$@"
quietly cmake --build "$scratch/build"
predicted=$("$scratch/build/consumer")
expected="k40 $(printf '%.5g' "$time_us") us from $spec"
[ "$predicted" = "$expected" ] || fail "the library says '$predicted', the command '$expected'"
echo "installed command and library agree: $predicted"

if command -v pkg-config >/dev/null; then
    pc=$(find "$scratch/prefix" -name gpumodel.pc)
    export PKG_CONFIG_PATH=${pc%/*}
    flags=$(printf '%s\n' "$@" | sed -n 's/^-DCMAKE_CXX_FLAGS=//p')
    compiler=$(printf '%s\n' "$@" | sed -n 's/^-DCMAKE_CXX_COMPILER=//p')
    specs=$(pkg-config --variable=arch_specs gpumodel)
    # word splitting of flags is meant
    # shellcheck disable=SC2046,SC2086
    quietly "${compiler:-c++}" -std=c++20 $flags -DARCH_SPECS="\"$specs\"" $(pkg-config --cflags gpumodel) \
        "$here/consumer/main.cpp" -o "$scratch/by_pkg_config" $(pkg-config --libs gpumodel)
    predicted=$("$scratch/by_pkg_config")
    [ "${predicted% from *}" = "${expected% from *}" ] || fail "by pkg-config the library says '$predicted'"
    [ "$(realpath "${predicted##* from }")" = "$spec" ] || fail "by pkg-config the library read ${predicted##* from }"
    echo "and so does one that pkg-config found"
fi

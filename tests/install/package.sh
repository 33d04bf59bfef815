#!/bin/bash
# package.sh FOLDER: unpacks the Debian packages and the archive that tools/release put there and runs the command from
# them. Called by release.sh.
set -euo pipefail
packed=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset GPUMODEL_ARCH_PATH

fail() { printf 'package test: %s\n' "$*" >&2; exit 1; }
field() { dpkg-deb --field "$1" "$2"; }

command_package=$(echo "$packed"/gpumodel_*.deb)
library_package=$(echo "$packed"/gpumodel-dev_*.deb)

depends=$(field "$command_package" Depends)
for library in libyaml-cpp libfmt libtbb libarchive libc6; do
    [[ $depends == *"$library"* ]] || fail "the command's package does not depend on $library: $depends"
done
version=$(field "$command_package" Version)
[[ $(field "$library_package" Depends) == "gpumodel (= $version), "* ]] ||
    fail "gpumodel-dev does not go with its own version of gpumodel"

dpkg-deb --extract "$command_package" "$scratch/deb"
dpkg-deb --extract "$library_package" "$scratch/dev"
mkdir "$scratch/tgz"
tar -xzf "$packed"/gpumodel-*.tar.gz -C "$scratch/tgz" --strip-components=1
for file in bin/gpumodel share/man/man1/gpumodel.1.gz share/bash-completion/completions/gpumodel \
    share/zsh/vendor-completions/_gpumodel share/fish/vendor_completions.d/gpumodel.fish; do
    [ -s "$scratch/deb/usr/$file" ] || fail "$file is not in the command's package"
done
[ ! -e "$scratch/deb/usr/include" ] || fail "headers are in the command's package"
[ -s "$scratch/dev/usr/include/gpumodel/arch_specs/arch_spec.h" ] || fail "no headers in gpumodel-dev"

cd "$scratch"
tgz=$(find tgz -path '*/bin/gpumodel')
for program in deb/usr/bin/gpumodel "$tgz"; do
    "$program" predict --arch sm_35 --kernel warptile --format csv | grep -q '^k40,warptile,.*,ok,' ||
        fail "$program cannot predict"
    spec=$("$program" arch show k40 | sed -n 2p)
    [[ $spec == "$scratch/${program%/bin/gpumodel}/share/"* ]] || fail "$program read $spec"
done
echo "packages of version $version install and predict"

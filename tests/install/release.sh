#!/bin/bash
# release.sh BUILD_DIR: what tools/release makes of a build tree: the same bytes twice, checksums that hold, packages that
# install into an empty root and predict from there, a bill of materials that names what is linked. Skipped (77) where
# Debian's packing tools are missing.
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
for tool in dpkg dpkg-deb dpkg-shlibdeps readelf sha256sum; do command -v $tool >/dev/null || exit 77; done
perl -MJSON::PP -MDigest::SHA -e1 2>/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset GPUMODEL_ARCH_PATH GPUMODEL_DATA_PATH
export GPUMODEL_CONFIG=

fail() { printf 'release test: %s\n' "$*" >&2; exit 1; }
export SOURCE_DATE_EPOCH=1700000000

"$root/tools/release" --build "$build" --out "$scratch/one" >"$scratch/list" 2>"$scratch/log" ||
    { cat "$scratch/log" >&2; fail "tools/release failed"; }
# another place, mask, language and time zone: none of them may show
(umask 077 && cd / && TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$root/tools/release" --build "$build" --out "$scratch/two" >/dev/null)
diff -r "$scratch/one" "$scratch/two" || fail "two runs differ"
(cd "$scratch/one" && sha256sum --quiet --strict --check SHA256SUMS)
[ "$(wc -l <"$scratch/one/SHA256SUMS")" = "$(($(find "$scratch/one" -type f | wc -l) - 1))" ] || fail "a file has no checksum"
for kind in '_*.deb' '-dev_*.deb' '-*.tar.gz' '.spdx.json'; do
    compgen -G "$scratch/one/gpumodel$kind" >/dev/null || fail "there is no gpumodel$kind"
done

"$root/tests/install/package.sh" "$scratch/one"

# every file of the packages has the commit's time or an earlier one, and belongs to root
for package in "$scratch"/one/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar --utc --full-time --numeric-owner -tvf - >"$scratch/contents"
    awk '{ print $2 }' "$scratch/contents" | grep -qvx '0/0' && fail "$package holds a file that is not root's"
    [ "$(awk '{ print $4 " " $5 }' "$scratch/contents" | sort -u | wc -l)" = 1 ] || fail "$package has times of the build"
done

# a root with nothing in it but dpkg's own lists
mkdir -p "$scratch/root/var/lib/dpkg"/{info,updates,triggers}
: >"$scratch/root/var/lib/dpkg/status"
dpkg --root="$scratch/root" --force-depends --force-not-root --log=/dev/null \
    --install "$scratch"/one/gpumodel_*.deb >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "dpkg --install failed"; }
dpkg-query --admindir="$scratch/root/var/lib/dpkg" -W -f='${Status}' gpumodel | grep -q 'ok installed' ||
    fail "dpkg does not call it installed"
cd "$scratch"
begin=$(date +%s%N)
"$scratch/root/usr/bin/gpumodel" predict --arch h200 --kernel warptile --format csv | grep -q '^h200_sxm,warptile,.*,ok,' ||
    fail "the installed command cannot predict"
took=$((($(date +%s%N) - begin) / 1000000))
"$scratch/root/usr/bin/gpumodel" predict --arch h200 --kernel warptile --brief -v 2>&1 >/dev/null |
    grep -q "spec $scratch/root/usr/share/gpumodel/arch_specs/" || fail "the installed command reads other specs"

mapfile -t needed < <(dpkg-deb --field "$scratch"/one/gpumodel_*.deb Depends | tr ',' '\n' | awk '{ print $1 }')
perl -MJSON::PP -e '
    my ($file, @needed) = @ARGV;
    my $bill = decode_json(do { local (@ARGV, $/) = $file; <> });
    die "no SPDX 2.3\n" unless $bill->{spdxVersion} eq "SPDX-2.3" && $bill->{dataLicense} eq "CC0-1.0";
    my %ids = map { $_->{SPDXID} => 1 } @{$bill->{packages}}, @{$bill->{files}}, $bill;
    for my $relation (@{$bill->{relationships}}) {
        for my $id (@$relation{qw(spdxElementId relatedSpdxElement)}) { die "$id is nowhere described\n" unless $ids{$id} }
    }
    my %names = map { $_->{name} => 1 } @{$bill->{packages}};
    for my $package (@needed) { die "$package is linked and not in the bill\n" unless $names{$package} }
' "$scratch/one/gpumodel.spdx.json" "${needed[@]}" ||
    fail "the bill of materials is wrong"

if wheel=$(compgen -G "$scratch/one/*.whl"); then
    python3 -m zipfile -e "$wheel" "$scratch/wheel"
    chmod +x "$scratch/wheel/gpumodel/installed/bin/gpumodel"
    PYTHONPATH=$scratch/wheel python3 -c 'import gpumodel; print(gpumodel.predict("k40", "naive", M=64, N=64, K=64).time_us)' \
        >"$scratch/time" || fail "the wheel's package cannot predict"
fi
echo "released twice with the same bytes; installed and predicted, the first time in $took ms"

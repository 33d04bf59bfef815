# Sourced by tools/run and tools/test: makes sure Debian packages are there and the tree is built.
# Everything it has to say goes to stderr; standard output belongs to gpumodel.

# Packages for the command itself, and what the tests need on top.
build_packages=(g++ cmake ninja-build libyaml-cpp-dev libcli11-dev libfmt-dev nlohmann-json3-dev libtbb-dev
                libarchive-dev libeigen3-dev)
test_packages=(catch2 clang-format)
# What the Python package's module is built with (without, the package runs the command), and what its tests need (skipped
# without).
python_packages=(python3 python3-dev pybind11-dev python3-pytest python3-numpy)
# The guide as a site (mkdocs.yml).
docs_packages=(mkdocs)

say() { printf '%s\n' "$*" >&2; }

missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
    done
}

# ensure_packages PACKAGE...: installs what is missing as root or through password-less sudo; otherwise
# says exactly what to install and stops. GPUMODEL_INSTALL=no never installs.
ensure_packages() {
    command -v dpkg-query >/dev/null || { say "not a Debian system: install the equivalents of: $*"; return 0; }
    local missing as_root=()
    missing=$(missing_packages "$@")
    [ -z "$missing" ] && return 0
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
    if [ "${GPUMODEL_INSTALL:-yes}" = no ] || ! "${as_root[@]}" true 2>/dev/null; then
        say "missing packages; install them with:"
        say "  sudo apt-get install --no-install-recommends $missing"
        exit 2
    fi
    say "installing: $missing"
    # word splitting of $missing is meant: it is a list of package names
    # shellcheck disable=SC2086
    if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
           "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing; } >&2; then
        say "installing failed; install by hand: $missing"
        exit 2
    fi
}

# want_packages PACKAGE...: the same for what can be done without.
want_packages() {
    (ensure_packages "$@") || say "going on without: what needs these is not built or tested"
}

# build TESTS TARGET...: configures build/release once and builds what is out of date, quietly unless
# it fails.
build() {
    local tests=$1 log="$root/build/release.log"
    shift
    mkdir -p "$root/build"
    [ -x "$root/build/release/tools/gpumodel" ] || say "building gpumodel (first time: four to six minutes on two cores)"
    if ! { { [ "$tests" = keep ] && [ -f "$root/build/release/CMakeCache.txt" ]; } ||
           cmake --preset release -S "$root" -DGPUMODEL_TESTS="${tests/keep/OFF}"; } >"$log" 2>&1 ||
       ! cmake --build "$root/build/release" --target "$@" >>"$log" 2>&1; then
        tail -n 60 "$log" >&2
        say "the build failed; whole log: $log"
        exit 1
    fi
}

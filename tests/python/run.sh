#!/usr/bin/env bash
# run.sh GPUMODEL [MODULE_FOLDER]: the Python package's tests against this command and, where it was built, the module in
# that folder. Exit code 77 (skipped) where there is no Python with pytest and numpy; the distribution's is tried first,
# as its packages are what tools/setup.sh names.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# as an installed package lies: the module beside it, the command in it
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
mkdir -p "$package/gpumodel/installed/bin"
cp "$root"/python/gpumodel/*.py* "$package/gpumodel"
ln -s "$1" "$package/gpumodel/installed/bin/gpumodel"
for module in "${2:-/nowhere}"/_core*.so; do
    [ ! -e "$module" ] || cp "$module" "$package/gpumodel"
done
for python in "${GPUMODEL_PYTHON:-/usr/bin/python3}" python3; do
    if "$python" -c 'import sys, pytest, numpy; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
        export GPUMODEL_COMMAND=$1 PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1
        "$python" -m pytest -q -p no:cacheprovider "$root/tests/python"
        exit
    fi
done
echo "skipped: no python3 (3.8 or later) with pytest and numpy; Debian: apt-get install python3-pytest python3-numpy"
exit 77

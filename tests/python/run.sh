#!/usr/bin/env bash
# run.sh GPUMODEL: the Python package's tests against this command. Exit code 77 (skipped) where there is no Python
# with pytest and numpy; the distribution's is tried first, as its packages are what tools/setup.sh names.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for python in "${GPUMODEL_PYTHON:-/usr/bin/python3}" python3; do
    if "$python" -c 'import sys, pytest, numpy; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
        export GPUMODEL_COMMAND=$1 PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1
        exec "$python" -m pytest -q -p no:cacheprovider "$root/tests/python"
    fi
done
echo "skipped: no python3 (3.8 or later) with pytest and numpy; Debian: apt-get install python3-pytest python3-numpy"
exit 77

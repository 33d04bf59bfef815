#!/usr/bin/env bash
# site.sh: the guide as a site. mkdocs has nothing to complain of, every page is in its list, and every link within the site
# leads to a page and a heading that is there. Exit code 77 (skipped) where there is no mkdocs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command -v mkdocs >/dev/null || { echo "skipped: no mkdocs; Debian: apt-get install mkdocs"; exit 77; }
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
cd "$root"
export PYTHONDONTWRITEBYTECODE=1
mkdocs build --strict --quiet --site-dir "$site" 2>&1 | tee "$site.log"
! grep -q "not included in the \"nav\"" "$site.log" || { rm "$site.log"; exit 1; }
rm "$site.log"
for page in docs/*.md; do
    grep -q ": $(basename "$page")\$" mkdocs.yml || { echo "mkdocs.yml: no line for $page"; exit 1; }
done
# mkdocs runs with its own Python; any will do to read
python3 "$root/tests/docs/check_links.py" "$site"

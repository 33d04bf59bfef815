#!/bin/sh
# Makes docs/report.png, the picture of a report in README: the page's top in headless Chromium, as 256 colours.
#   tests/tools/report_picture.sh GPUMODEL [FILE]     default: docs/report.png
set -eu
gpumodel=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
picture=$(realpath -m "${2:-$root/docs/report.png}")
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "no chromium here"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$gpumodel" report --arch h200_sxm --kernel warptile --out page.html
# light whatever the desk's theme, and without the button
sed 's|<html lang="en">|<html lang="en" data-theme="light">|; s|</style>|.theme{display:none}</style>|' page.html > light.html
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1780 \
    --screenshot=full.png "file://$folder/light.html" >/dev/null 2>&1
python3 "$root/tests/tools/shrink_png.py" full.png "$picture"

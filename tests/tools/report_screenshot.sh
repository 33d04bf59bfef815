#!/bin/sh
# Renders report pages in headless Chromium and checks that the console stays silent and that nothing overflows
# sideways, at the width of a desk, a tablet and a phone, light and dark. For people: not part of ctest.
#   tests/tools/report_screenshot.sh GPUMODEL [FOLDER]     pictures go to FOLDER (default: a temporary one)
set -eu
gpumodel=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${2:-$(mktemp -d)}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "no chromium here: skipped"; exit 0; }
mkdir -p "$folder"
folder=$(realpath "$folder")
cd "$folder"

"$gpumodel" report --arch h200_sxm --kernel warptile --out launch.html
"$gpumodel" report --arch h200_sxm --kernel mma_shared --out tensor.html
"$gpumodel" report --arch h200_sxm --sass "$root/validate/general/sm_90.sass.gz" --entry stencil5 --grid 32,64 \
    --block 32,8 --args ptr:4MiB,ptr:4MiB,1000,507 --out listing.html
"$gpumodel" compare --arch v100_sxm2 --kernel vectorized --vs-kernel warptile --out compared.html
"$gpumodel" report --arch k40 --kernel aat_coalesced -m 512 -n 512 -k 32 --explain --out conflicts.html
{
    echo kernel,params,M,N,K
    for bm in 64 128 256; do for bn in 64 128 256; do for bk in 8 16 32; do
        echo "warptile,BM=$bm;BN=$bn;BK=$bk,2048,2048,2048"
    done; done; done
} > jobs.csv
"$gpumodel" predict --arch v100_sxm2 --jobs jobs.csv --model analytic --format csv --out sweep.csv
"$gpumodel" report --sweep sweep.csv --out sweep.html

# A copy of the page that says its width into its title, which --dump-dom shows.
probe='<script>document.title="overflow="+(document.documentElement.scrollWidth-innerWidth)</script></body>'
status=0
for page in launch tensor listing compared conflicts sweep; do
    for theme in light dark; do
        sed "s|<html lang=\"en\">|<html lang=\"en\" data-theme=\"$theme\">|; s|</body>|$probe|" "$page.html" > probe.html
        for width in 1240 800 400; do
            picture="$page-$theme-$width.png"
            console=$(timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
                --enable-logging=stderr --window-size=$width,5000 --screenshot="$picture" "file://$folder/probe.html" 2>&1 |
                grep "CONSOLE" || true)
            overflow=$(timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
                --window-size=$width,5000 --dump-dom "file://$folder/probe.html" 2>/dev/null |
                sed -n 's|.*<title>overflow=\(-*[0-9]*\)</title>.*|\1|p' | head -1)
            if [ -n "$console" ] || [ "${overflow:-none}" = none ] || [ "$overflow" -gt 0 ]; then
                echo "$picture: console '$console', overflow ${overflow:-unknown} px"
                status=1
            fi
        done
    done
done

# A click on a head sorts the lines of code by it, from the most on; the sum so far follows the order.
sort='<script>addEventListener("load",function(){var table=document.querySelector("table.code"),
row=table.tBodies[0].rows,head=table.tHead.rows[0].cells;head[3].click();
var first=+row[0].cells[3].dataset.v;document.title="sorted="+(first>=+row[1].cells[3].dataset.v\&\&
Math.abs(first-row[0].cells[4].dataset.v)<1e-9\&\&head[3].getAttribute("aria-sort"))})</script></body>'
sed "s|</body>|$(printf '%s' "$sort" | tr '\n' ' ')|" launch.html > probe.html
sorted=$(timeout 120 "$browser" --headless --no-sandbox --disable-gpu --dump-dom "file://$folder/probe.html" 2>/dev/null |
    sed -n 's|.*<title>sorted=\([a-z]*\)</title>.*|\1|p' | head -1)
[ "$sorted" = descending ] || { echo "launch.html: a click on a head does not sort: ${sorted:-no answer}"; status=1; }
rm -f probe.html
echo "pictures in $folder"
exit $status

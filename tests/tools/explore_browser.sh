#!/bin/sh
# Opens pages of `gpumodel explore` in headless Chromium, moves their controls as a hand would and compares what
# they show with what the command prints that they show beside it. Checks too that the console stays silent and
# that nothing overflows sideways, at the width of a desk, a tablet and a phone, light and dark.
#   tests/tools/explore_browser.sh GPUMODEL [FOLDER]     pictures stay in FOLDER, if one is given
# Exit code 77: no Chromium here.
set -eu
gpumodel=$(realpath "$1")
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "no chromium here: skipped"; exit 77; }
kept=${2:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ -z "$kept" ] || mkdir -p "$kept"
script=$(dirname "$(realpath "$0")")/explore_probe.js
cd "$folder"

# Two kinds of GPU, a spec value of one's own, shapes of which some break rules, and a kernel without tiles.
"$gpumodel" explore --arch k40,h200_sxm --set 'l2.size=2 MiB' \
    --kernel warptile,aat_coalesced \
    -m 1000,1024 -n 512,1024 -k 32,512 -p BM=64,128 -p BN=64,128 -p BK=8,16 -p TM=4,8 -p WM=32,64 \
    --clock '100%,900 MHz' \
    --out page.html 2>/dev/null

# Numbers on halves, which C gives to the even neighbour and JavaScript does not: "fixed VALUE DECIMALS TEXT" ...
awk 'BEGIN {
    split("0.5 1.5 2.5 0.25 0.75 6.25 18.75 0.125 12.5 99.95 62.5 0 3 1234.5 1235.5 999.5 1000.5 0.0625", v, " ")
    split("7139962.4 2e-7 12345.5 0.99995 9.9995 999.95", w, " ")
    for (i = 1; i in w; i++) v[i + 18] = w[i]
    for (i = 1; i in v; i++) {
        for (d = 0; d < 3; d++) printf "fixed %s %d %." d "f\n", v[i], d, v[i]
        if (v[i] < 9999 && v[i] >= 0.001 || v[i] == 0) printf "four %s 0 %.4g\n", v[i], v[i]
    }
}' > numbers.txt

run_browser() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" "$@"
}

status=0

# What the page shows after each step: COMMAND | time_us | cycles | ... or COMMAND | refused | REASON
{
    sed 's|</body>.*||' page.html
    echo '<script>const numbers = `'
    cat numbers.txt
    echo '`;'
    cat "$script"
    echo '</script></body></html>'
} > steps.html
run_browser --enable-logging=stderr --dump-dom "file://$folder/steps.html" > dom.txt 2> log.txt || true
if grep CONSOLE log.txt; then
    status=1
fi
sed -n '/<pre id="probe">/,/<\/pre>/p' dom.txt |
    sed 's|.*<pre id="probe">||; s|</pre>.*||; s|&amp;|\&|g; s|&lt;|<|g; s|&gt;|>|g' |
    grep '|' > shown.txt || true
steps=$(wc -l < shown.txt)
refused=$(grep -c '|refused|' shown.txt || true)
echo "$steps states of the page, $refused of them refused"
if [ "$steps" -lt 30 ] || [ "$refused" -lt 3 ] || [ "$refused" -gt $((steps / 2)) ]; then
    echo "too few states: the probe did not do its work"
    status=1
fi
while IFS= read -r line; do
    command=${line%%|*}
    # csv: columns as of the contract; cells with commas (reasons) are quoted
    printed=$(eval "\"$gpumodel\" ${command#gpumodel } --format csv" 2>/dev/null | awk '
        NR == 2 {
            gsub(/""/, "\001"); n = 0; cell = ""; quoted = 0
            for (i = 1; i <= length($0); i++) {
                c = substr($0, i, 1)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) { cells[++n] = cell; cell = "" }
                else cell = cell c
            }
            n = split("10 12 11 13 14 15 16 18 19 20 21 22", wanted, " ")
            row = "refused|" cells[9]
            for (i = 1; i <= n && cells[8] == "ok"; i++) row = (i > 1 ? row "|" : "") cells[wanted[i]]
            print row
        }')
    if [ "${line#*|}" != "$printed" ]; then
        echo "shown:   $line"
        echo "printed: $printed"
        status=1
    fi
done < shown.txt

# A copy of the page that says its width to the page around it, which --dump-dom shows: windows are not as narrow as
# a phone, frames are. A legal tile, a refused one, and a kernel with conflicts.
probe='<script>parent.postMessage(innerWidth+" px, overflow="+(document.documentElement.scrollWidth-innerWidth),"*")'
probe="$probe</script></body>"
for theme in light dark; do
    sed "s|<html lang=\"en\">|<html lang=\"en\" data-theme=\"$theme\">|; s|</body>|$probe|" page.html > probe.html
    for width in 1280 800 400; do
        for state in kernel=warptile 'kernel=warptile&M=1000' 'kernel=aat_coalesced&GPU=k40&K=32'; do
            picture=none.png
            [ -z "$kept" ] || picture="$kept/explore-$theme-$width-$(echo "$state" | tr -c 'a-zA-Z0-9\n' _).png"
            {
                echo '<body style="margin:0"><script>onmessage=function(e){document.title=e.data}</script>'
                echo "<iframe src=\"probe.html#$state\" style=\"border:0;width:${width}px;height:4900px\"></iframe></body>"
            } > frame.html
            run_browser --enable-logging=stderr --window-size=$width,5000 --screenshot="$picture" --dump-dom \
                "file://$folder/frame.html" > dom.txt 2> log.txt || true
            overflow=$(sed -n 's|.*<title>'$width' px, overflow=\(-*[0-9]*\)</title>.*|\1|p' dom.txt | head -1)
            if grep CONSOLE log.txt || [ "${overflow:-none}" = none ] || [ "$overflow" -gt 0 ]; then
                echo "$theme, $width px, $state: overflow ${overflow:-unknown} px"
                status=1
            fi
        done
    done
done
exit $status

#!/usr/bin/env bash
# expectations.sh: docs/expectations.md has its 32 rows, each with an answer and a test that is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
page=${1:-docs/expectations.md}
wrong=0
fault() { echo "$page: row $1: $2"; wrong=1; }

row=0
while IFS='|' read -r _ number _ met shown _; do
    row=$((row + 1))
    [ "${number// /}" = "$row" ] || fault "$row" "is numbered $number"
    [[ "${met// /}" =~ ^(yes|partly|no)$ ]] || fault "$row" "met is '$met'"
    tests=0
    while IFS= read -r test; do
        test=${test#"${test%%[! ]*}"}
        file=${test#\`} file=${file%%\`*} name=${test#*: } name=${name%"${name##*[! ]}"}
        case $file in
            *.cpp) wanted="TEST_CASE(\"$name\"" ;;
            *.py) wanted="def $name(" ;;
            *) wanted="$name " ;;
        esac
        { [ -f "$file" ] && tr '\n' ' ' <"$file" | sed 's/" *"//g' | grep -qF -- "$wanted"; } || fault "$row" "no such test: $test"
        tests=$((tests + 1))
    done < <(sed 's/; `/\n`/g' <<<"$shown")
    [ "$tests" -gt 0 ] || fault "$row" "names no test"
done < <(grep -E '^\| [0-9]+ \|' "$page")
[ "$row" = 32 ] || fault "$row" "is the last of 32"
[ "$wrong" = 0 ] && echo "32 expectations, each with a test"

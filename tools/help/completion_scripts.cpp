#include "tools/help/completion_scripts.h"

namespace gpumodel::cli {

// Needs neither bash-completion nor a bash newer than 3.2. bash cuts words at '=' and ':' too, which belong
// to our words: they are put together again along the line as typed, and what stands before the last cut is
// taken off the answers.
const std::string_view bash_completion =
    R"script(# bash completion of gpumodel: source this file, or install it as
# share/bash-completion/completions/gpumodel
_gpumodel() {
    local line=${COMP_LINE:0:COMP_POINT} rest word i
    local -a words=()
    for ((i = 0; i <= COMP_CWORD; ++i)); do
        rest=${line#"${line%%[![:blank:]]*}"}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$rest
        if ((i > 0)) && [[ $rest == "$line" && -n $line ]]; then
            words[${#words[@]} - 1]+=$word
        elif ((i == 0)) || [[ -n $word || $rest != "$line" ]]; then
            words+=("$word")
        fi
        line=${rest#"$word"}
    done
    local program=${words[0]/#\~/$HOME} current=${words[${#words[@]} - 1]}
    local directive candidate meaning kept=
    local separators=${COMP_WORDBREAKS//[^=:]/}
    [[ -z $separators ]] || kept=${current%"${current##*["$separators"]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate meaning; do
        if [[ -z $directive ]]; then
            directive=$candidate
        else
            COMPREPLY+=("${candidate#"$kept"}")
        fi
    done < <("$program" __complete "${words[@]:1}" 2>/dev/null)
    if [[ $directive == *files* ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r candidate; do
            COMPREPLY+=("$candidate")
        done < <(compgen -f -- "${current##*=}")
    fi
    if [[ $directive == *nospace* ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _gpumodel gpumodel
)script";

const std::string_view zsh_completion = R"script(#compdef gpumodel
# zsh completion of gpumodel: install as _gpumodel in a folder of $fpath
_gpumodel() {
    local program=${~words[1]} directive line value
    local -a lines candidates suffix
    lines=("${(@f)$("$program" __complete "${(@Q)words[2,CURRENT-1]}" "$IPREFIX$PREFIX" 2>/dev/null)}")
    directive=$lines[1]
    for line in "${(@)lines[2,-1]}"; do
        value=${line%%$'\t'*}
        [[ $line == *$'\t'* ]] && line=${line#*$'\t'} || line=
        candidates+=("${value//:/\\:}${line:+:$line}")
    done
    [[ $directive == *nospace* ]] && suffix=(-S '')
    (( $#candidates )) && _describe gpumodel candidates "${(@)suffix}"
    if [[ $directive == *files* ]]; then
        [[ $PREFIX == -*=* ]] && compset -P '*='
        _files
    fi
}
if [[ $funcstack[1] == _gpumodel ]]; then
    _gpumodel "$@"
else
    compdef _gpumodel gpumodel
fi
)script";

const std::string_view fish_completion =
    R"script(# fish completion of gpumodel: install as vendor_completions.d/gpumodel.fish
function __gpumodel_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    if string match -q '*files*' -- $lines[1]
        set -l before (string match -r '^-.*?=' -- "$current")
        set -l after (string replace -r '^-.*?=' '' -- "$current")
        string join \n -- "$before"(__fish_complete_path "$after")
    end
    string join \n -- $lines[2..-1]
end
complete -c gpumodel -f -k -a '(__gpumodel_complete)'
)script";

}  // namespace gpumodel::cli

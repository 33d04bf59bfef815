#!/usr/bin/env bash
# make_docs.sh GPUMODEL: writes docs/instruction_set.md from forms/ (a test compares them).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for listing in "$here"/forms/*.sass.gz; do gzip -dc "$listing"; done > "$work/forms.sass"
{
  echo "# Instruction set"
  echo "Made by validate/instructions/make_docs.sh from the listings in validate/instructions/forms: an example of each form"
  echo "(mnemonic with modifiers) that the compilers emit for the PTX statements of validate/instructions/ptx_forms.py."
  echo
  "$1" sass "$work/forms.sass" --instruction-set
} > "$here/../../docs/instruction_set.md"

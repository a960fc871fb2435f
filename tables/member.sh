#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# member.sh BIN TABLE[@NAME] CARD: writes the card that the table holds to CARD, and prints the
# options with which 'cgctab-generate point' computes the member (without @NAME the first one).
# The file of the members is looked for beside this script.
set -eu
bin=${1:?folder of the programs} table=${2%@*} name=${2#"${2%@*}"} card=${3:?card to write}
"$bin/cgctab" get "$table" card >"$card"
printf '%s' "--card $card"
file=$(sed -n 's/^ *members *= *\([^ ;#]*\).*/\1/p' "$card")
[ -n "$file" ] || exit 0
file=$(cd "$(dirname "$0")" && pwd)/$(basename "$file")
line=$(grep -v '^ *#' "$file" | awk -v name="${name#@}" 'name == "" || $1 == name { print; exit }')
[ -n "$line" ] || {
    echo "member.sh: $file: no member ${name#@}" >&2
    exit 1
}
printf ' --set dipole.members='
# shellcheck disable=SC2086 # its words
set -- $line
shift
for word; do
    case $word in
    comparison) ;;
    correlator.*) printf ' --set %s' "$word" ;;
    *) printf ' --set dipole.%s' "$word" ;;
    esac
done

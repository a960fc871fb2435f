#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make.sh BIN OUT [NAME...]: the shipped tables (gbw mv proton-mve proton gold lead proton-pa
# gold-pa) from the cards beside this script into OUT/NAME.cgct, and their lines in OUT/MANIFEST.
# TABLES_SET is a list of section.key=value that override the cards, for a trial of another size.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=${1:?folder of the programs} out=${2:?folder of the tables}
shift 2
[ $# -gt 0 ] || set -- gbw mv proton-mve proton gold lead proton-pa gold-pa
mkdir -p "$out"
sets=()
for s in ${TABLES_SET:-}; do sets+=(--set "$s"); done

manifest=$out/MANIFEST.part
trap 'rm -f "$manifest"' EXIT
keys=(points flagged interpolation.resolved_median interpolation.resolved_999)
accuracy=(resolved known median p999) # of the whole table; then of the region of dijets
echo "# file sha256 bytes program card ${keys[*]} ${accuracy[*]}" \
    "${accuracy[*]/#/dijets_} dijets_worst seconds" >"$manifest"
if [ -f "$out/MANIFEST" ]; then # the other tables' lines
    awk -v names="$*" 'BEGIN { n = split(names, name, " "); while (n) made[name[n--] ".cgct"] }
        !/^#/ && !($1 in made)' "$out/MANIFEST" >>"$manifest"
fi
for name in "$@"; do
    table=$out/$name.cgct began=$SECONDS
    "$bin/cgctab-generate" run "$here/$name.card" -o "$table" "${sets[@]}"
    seconds=$((SECONDS - began))
    "$bin/cgctab" verify --quiet "$table"
    # says where a value is below 0 by more than its bound; the table is made all the same; T of
    # forward dijets may have either sign
    grep -q '^process = pa' "$here/$name.card" ||
        "$bin/cgctab" verify --deep --quiet "$table" ||
        echo "make.sh: $name: see the line above" >&2
    row="$name.cgct $(sha256sum <"$table" | cut -d' ' -f1) $(wc -c <"$table")"
    row="$row $("$bin/cgctab" get "$table" generator | tr ' ' '-') $name.card"
    for key in "${keys[@]}"; do
        row="$row $("$bin/cgctab" get "$table" "$key" 2>/dev/null || echo -)" # without checks: -
    done
    row="$row $("$bin/cgctab" accuracy "$table" | awk '
        $1 == "all" { all = $10 " " $11 " " $12 " " $13; dijets = "- - - - -" }
        $1 == "dijets" { dijets = $10 " " $11 " " $12 " " $13 " " $14 }
        END { print all, dijets }')"
    echo "$row $seconds" >>"$manifest"
done
mv "$manifest" "$out/MANIFEST"
column -t "$out/MANIFEST" 2>/dev/null || cat "$out/MANIFEST"

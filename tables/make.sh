#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make.sh BIN OUT [NAME...]: the shipped tables (gbw mv proton-mve proton gold lead proton-pa
# gold-pa) from the cards beside this script into OUT/NAME.cgct, and their lines in OUT/MANIFEST.
# TABLES_SET is a list of section.key=value that override the cards, for a trial of another size.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?folder of the programs}" && pwd) out=${2:?folder of the tables}
shift 2
[ $# -gt 0 ] || set -- gbw mv proton-mve proton gold lead proton-pa gold-pa
for name in "$@"; do
    [ -f "$here/$name.card" ] || { echo "make.sh: $here/$name.card: no such file" >&2 && exit 2; }
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
if [ -n "${TABLES_SET:-}" ] && [ "$out" = "$here" ]; then
    echo "make.sh: $out: TABLES_SET would replace the shipped tables; give another folder" >&2
    exit 2
fi
sets=()
for s in ${TABLES_SET:-}; do sets+=(--set "$s"); done
cd "$here/.." # from where cards name their files

keys=(points flagged interpolation.resolved_median interpolation.resolved_999)
accuracy=(resolved known median p999) # of the whole table; then of the region of dijets
keep() { # keep ROW: in the place of that file's row, if there is one
    {
        echo "# file sha256 bytes program card ${keys[*]} ${accuracy[*]}" \
            "${accuracy[*]/#/dijets_} dijets_worst seconds"
        [ ! -f "$out/MANIFEST" ] ||
            awk -v made="${1%% *}" '!/^#/ && $1 != made' "$out/MANIFEST"
        echo "$1"
    } >"$out/MANIFEST.part"
    mv "$out/MANIFEST.part" "$out/MANIFEST"
}
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
    keep "$row $seconds"
done
column -t "$out/MANIFEST" 2>/dev/null || cat "$out/MANIFEST"

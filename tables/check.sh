#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check.sh BIN DIR: every table of DIR/MANIFEST: its checksum, and one node of it, computed again
# from the card that it holds, of the first member; but where that is a nucleus integrated over the
# impact parameter, which takes minutes, of the last one; without other members only with
# CHECK_LONG=1.  Of forward dijets T of q -> qg is made again, with the tolerance 1e-3; with
# CHECK_LONG=1 of all channels, and of nuclei, too.  The others have the tolerance 1e-4.  The
# two may differ by the sum of their error bounds and 1e-4.  Without CHECK_LONG=1 the evolution has
# half the resolution, which changes I by a fifth of that or less.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?folder of the programs}" && pwd) dir=${2:?folder of the tables}
refine=(--set dipole.refine=0.5)
[ -z "${CHECK_LONG:-}" ] || refine=()
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# pick N of the numbers on standard input, evenly: words in one line, with commas
pick() { tr ' ' '\n' | awk -v n="$1" '{ v[NR] = $1 }
    END { for (i = 1; i <= n; i++)
        printf "%s%s", (i > 1 ? "," : ""), v[1 + int((NR - 1) * i / (n + 1))] }'; }

remake() { # remake TABLE: what was made again and read, the bounds of both, and the place
    local table=$1 members member=() x eps q k1
    x=$("$bin/cgctab" axes "$table" x --quiet | pick 1)
    q=$("$bin/cgctab" axes "$table" q --quiet | pick 2)
    members=$("$bin/cgctab" get "$table" members 2>/dev/null || true)
    if [ -n "$members" ] && grep -q '^ *b_nodes *=' "$scratch/card"; then
        member=(--member "${members##* }")
        table=$table@${members##* }
    elif [ -n "$members" ]; then
        member=(--member "${members%% *}")
    fi
    eps=$("$bin/cgctab" axes "$table" eps --quiet | pick 1)
    # not the last ones, which lie at the end of the range
    k1=$("$bin/cgctab" axes "$table" k --quiet | tr ' ' '\n' |
        awk '{ v[NR] = $1 } END { for (i in v) if (v[i] < 0.8 * v[NR]) print v[i] }' |
        sort -g | pick 3)
    # theta beyond a right angle: k1 < k2, so that the table is asked at its nodes
    # the card names the file of members as from the folder above this one
    (cd "$here/.." && "$bin/cgctab-generate" point --card "$scratch/card" "${member[@]}" --x "$x" \
        --eps "$eps" --q "$q" --k1 "$k1" --theta 2,3 --set accuracy.tolerance=1e-4 \
        --set accuracy.colours=1 "${refine[@]}") >"$scratch/points"
    "$bin/cgctab" eval "$table" "$scratch/points" --error --quiet |
        paste -d' ' <(grep -v '^#' "$scratch/points") - | awk '{
            print $6, $15, $7, $17, "I_T at q = " $3 ", k1 = " $4
            print $8, $16, $9, $18, "I_L at q = " $3 ", k1 = " $4 }'
}

remake_forward() { # the same of forward dijets, of one channel
    local table=$1 channel=$2 x q
    x=$("$bin/cgctab" axes "$table" x --quiet | pick 1)
    q=$("$bin/cgctab" axes "$table" q --quiet | pick 2)
    "$bin/cgctab-generate" point --card "$scratch/card" --process "$channel" --x "$x" --z 0.2,0.7 \
        --k1 "$q" --k2 "$q" --angle 1.7,2 --Lambda 1 --set accuracy.tolerance=1e-3 "${refine[@]}" |
        grep -v '^#' >"$scratch/points"
    cut -d' ' -f1-5 "$scratch/points" | sed 's/$/ 1/' |
        "$bin/cgctab" eval "$table" - --process "$channel" --error --quiet |
        paste -d' ' "$scratch/points" - | awk -v channel="$channel" '{
            print $6, $19, $7, $21, "T of " channel ", z = " $2 ", k1 = " $3 ", k2 = " $4 }'
}

grep -v '^#' "$dir/MANIFEST" | while read -r file sha256 bytes _; do
    table=$dir/$file
    [ "$(sha256sum <"$table" | cut -d' ' -f1) $(wc -c <"$table")" = "$sha256 $bytes" ] || {
        echo "$table: not the file of the MANIFEST; run 'make tables'" >&2
        exit 1
    }
    "$bin/cgctab" get "$table" card >"$scratch/card"
    channels=qg
    [ -z "${CHECK_LONG:-}" ] || channels='qg gg qqb'
    if [ -z "${CHECK_LONG:-}" ] && grep -q '^ *b_nodes *=' "$scratch/card" &&
        { grep -q '^ *process *= *pa' "$scratch/card" ||
            ! "$bin/cgctab" get "$table" members >/dev/null 2>&1; }; then
        echo "$table: checksum; with CHECK_LONG=1 values are made again"
        continue
    elif ! grep -q '^ *process *= *pa' "$scratch/card"; then
        remake "$table" >"$scratch/pairs"
    else
        for channel in $channels; do remake_forward "$table" "$channel"; done >"$scratch/pairs"
    fi
    awk -v table="$table" '
        function size(v) { return v < 0 ? -v : v }
        size($1 - $2) <= $3 + $4 + 1e-4 * size($1) { next }
        {
            made = $1; read = $2
            sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ /, "")
            print table ": " $0 ": " made " made again, " read " in the table"
            bad = 1
        }
        END { exit bad || NR == 0 }' "$scratch/pairs" >&2 || exit 1
    echo "$table: checksum, and $(wc -l <"$scratch/pairs") values made again: same"
done

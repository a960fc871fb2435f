#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check.sh BIN DIR: every table of DIR/MANIFEST: its checksum, and one node of it, computed again
# from the card that it holds, of the first member; but where that is a nucleus integrated over the
# impact parameter, which takes minutes, of the last one.  The two may differ by the sum of their
# error bounds and 1e-4.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?folder of the programs}" && pwd) dir=${2:?folder of the tables}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# pick N of the numbers on standard input, evenly: words in one line, with commas
pick() { tr ' ' '\n' | awk -v n="$1" '{ v[NR] = $1 }
    END { for (i = 1; i <= n; i++)
        printf "%s%s", (i > 1 ? "," : ""), v[1 + int((NR - 1) * i / (n + 1))] }'; }

remake() { # remake TABLE: columns x eps q k1 theta I_T I_L err_T err_L, made again and read
    local table=$1 members member=() x eps q k1
    "$bin/cgctab" get "$table" card >"$scratch/card"
    members=$("$bin/cgctab" get "$table" members 2>/dev/null || true)
    if [ -n "$members" ] && grep -q '^ *b_nodes *=' "$scratch/card"; then
        member=(--member "${members##* }")
        table=$table@${members##* }
    elif [ -n "$members" ]; then
        member=(--member "${members%% *}")
    fi
    x=$("$bin/cgctab" axes "$table" x --quiet | pick 1)
    eps=$("$bin/cgctab" axes "$table" eps --quiet | pick 1)
    q=$("$bin/cgctab" axes "$table" q --quiet | pick 2)
    # not the last ones, which lie at the end of the range
    k1=$("$bin/cgctab" axes "$table" k --quiet | tr ' ' '\n' |
        awk '{ v[NR] = $1 } END { for (i in v) if (v[i] < 0.8 * v[NR]) print v[i] }' |
        sort -g | pick 3)
    # theta beyond a right angle: k1 < k2, so that the table is asked at its nodes
    # the card names the file of members as from the folder above this one
    (cd "$here/.." && "$bin/cgctab-generate" point --card "$scratch/card" "${member[@]}" --x "$x" \
        --eps "$eps" --q "$q" --k1 "$k1" --theta 2,3) >"$scratch/points"
    grep -v '^#' "$scratch/points" >"$scratch/made"
    "$bin/cgctab" eval "$table" "$scratch/points" --error --quiet >"$scratch/read"
}

grep -v '^#' "$dir/MANIFEST" | while read -r file sha256 bytes _; do
    table=$dir/$file
    [ "$(sha256sum <"$table" | cut -d' ' -f1) $(wc -c <"$table")" = "$sha256 $bytes" ] || {
        echo "$table: not the file of the MANIFEST; run 'make tables'" >&2
        exit 1
    }
    remake "$table"
    paste -d' ' "$scratch/made" "$scratch/read" | awk -v table="$table" '
        function size(v) { return v < 0 ? -v : v }
        function compare(pol, made, bound, read, stored,   allowed) {
            allowed = bound + stored + 1e-4 * size(made)
            if (size(made - read) <= allowed) return
            printf "%s: I_%s at q = %s, k1 = %s: %s made again, %s in the table\n", table, pol,
                   $3, $4, made, read
            bad = 1
        }
        { compare("T", $6, $7, $15, $17); compare("L", $8, $9, $16, $18) }
        END { exit bad || NR == 0 }' >&2 || exit 1
    echo "$table: checksum, and $(wc -l <"$scratch/made") points made again: same"
done

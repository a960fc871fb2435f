#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.sh BIN TABLE[@MEMBER] [SEED]: a table against direct computation at 100,800 random
# points: 3 x, 4 eps, 20 q, 20 k1 and 21 theta, drawn uniformly in their logarithms (theta: as it
# is).  Prints how often the two differ by more than their bounds, and the relative differences
# where the direct value is known to 1e-4, of both polarisations and of each.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?folder of the programs}" && pwd) table=${2:?table} seed=${3:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

draw() { # draw STREAM N LO HI: N rising numbers with commas
    awk -v seed="$seed$1" -v n="$2" -v lo="$3" -v hi="$4" 'BEGIN {
        srand(seed); for (i = 0; i < n; i++) print lo * exp(rand() * log(hi / lo)) }' |
        sort -g | paste -sd,
}
ends() { # the first and the last node of an axis
    "$bin/cgctab" axes "$table" "$1" --quiet | tr ' ' '\n' | grep . | sed -n '1p;$p' | paste -sd' '
}
angles() { # 21 angles with commas
    awk -v seed="$seed"5 'BEGIN { srand(seed); for (i = 0; i < 21; i++) print 3.14159 * rand() }' |
        paste -sd,
}

"$bin/cgctab" get "$table" card >"$scratch/card"
members=$("$bin/cgctab" get "$table" members 2>/dev/null || true)
case $table in *@*) members=${table##*@} ;; esac
member=()
[ -z "$members" ] || member=(--member "${members%% *}")
k_max=$(sed -n 's/^ *k_max *= *\([0-9.e+-]*\).*/\1/p' "$scratch/card")
# shellcheck disable=SC2046 # several words each
lists=(--x "$(draw 1 3 $(ends x))" --eps "$(draw 2 4 $(ends eps))" --q "$(draw 3 20 $(ends q))"
    --k1 "$(draw 4 20 0.5 "$k_max")" --theta "$(angles)")
# the card names the file of members as from the folder above this one
(cd "$here/.." &&
    "$bin/cgctab-generate" point --card "$scratch/card" "${member[@]}" "${lists[@]}") \
    >"$scratch/points"
grep -v '^#' "$scratch/points" >"$scratch/direct"
"$bin/cgctab" eval "$table" "$scratch/points" --error --quiet >"$scratch/read"
paste -d' ' "$scratch/direct" "$scratch/read" | awk -v known="$scratch/known" '
    function size(v) { return v < 0 ? -v : v }
    function compare(pol, direct, bound, read, stored) {
        n++
        beyond += !(size(direct - read) <= bound + stored)
        if (bound <= 1e-4 * direct) print size(read / direct - 1), pol >known
    }
    { compare("T", $6, $7, $15, $17); compare("L", $8, $9, $16, $18) }
    END { printf "%d values: %d differ by more than their bounds\n", n, beyond }'
for pol in TL T L; do
    grep "[$pol]" "$scratch/known" | sort -g | awk -v pol="$pol" '{ v[NR] = $1 } END {
        printf "%s: %d known to 1e-4: relative difference, ", pol, NR
        printf "median %.2e, 99.9%% %.2e, largest %.2e\n", v[int((NR + 1) / 2)],
            v[int(0.999 * NR)], v[NR] }'
done

#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.sh BIN TABLE[@MEMBER] [SEED [all|dijets]]: a table against direct computation at 100,800
# random points: 3 x, 4 eps, 20 q, 20 k1 and 21 theta, drawn uniformly in their logarithms (theta:
# as it is), of all the table or where a generator of dijets uses it: eps from 0.3 to 5 GeV, q and
# both momenta from 1 GeV on, q and the shorter momentum up to 10 GeV.  The direct computation has
# the tolerance TOLERANCE (1e-8); what a finite number of colours changes has COLOURS (100) times
# that.  Prints for both polarisations the share of all values whose bound is at most 1e-3 of I.
# Where the direct computation's own bound is below a tenth of the table's, also: the number of
# values, the error as a share of I, the share of these whose bound is at most 1e-3 of I, the median
# of bound over error, the share of values that are off by more than both bounds, a histogram of
# error over bound, and the ten worst places.
# For comparison, the median of bound over error if the bounds were scaled to cover just 99.9%, and
# if they were also proportional, at each (x,eps,q,k1), to the rms of error over bound at the other
# angles, which only somebody who has the errors can know.
# PICTURE=FILE.png draws the histogram (gnuplot).
# Of a table of forward dijets: T of CHANNELS ('qg gg qqb') at POINTS (1000) places at each of 3 x,
# Lambda 1 GeV, z from 0.05 to 0.95, both momenta from 0.1 (dijets: 1) to 25 GeV.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?folder of the programs}" && pwd) table=${2:?table} seed=${3:-1} region=${4:-all}
case $seed/$region in
    *[!0-9]*/* | */) echo "compare.sh: '$seed': want a number, of the seed" >&2 && exit 2 ;;
    */all | */dijets) ;;
    *) echo "compare.sh: '$region': want all or dijets" >&2 && exit 2 ;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

draw() { # draw STREAM N LO HI: N rising numbers with commas, one where LO is HI
    awk -v seed="$seed$1" -v n="$2" -v lo="$3" -v hi="$4" 'BEGIN {
        srand(seed)
        for (i = 0; i < (lo < hi ? n : 1); i++) print lo * exp(rand() * log(hi / lo)) }' |
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
k_max=$(sed -n 's/^ *\(--set axes\.\)\{0,1\}k_max *= *\([0-9.e+-]*\).*/\2/p' \
    "$scratch/card" | tail -1)
generate() { # OPTIONS: direct values; the card names files as from the folder above this one
    (cd "$here/.." && "$bin/cgctab-generate" point --card "$scratch/card" "${member[@]}" "$@" \
        --set accuracy.tolerance="${TOLERANCE:-1e-8}" --set accuracy.colours="${COLOURS:-100}")
}

photons() { # both polarisations: POL error/I bound/I error/bound beyond-both, and the place
    limits() { # AXIS LO HI: the range of an axis, in the region of dijets within these limits
        # shellcheck disable=SC2046 # two words
        set -- "$1" "$2" "$3" $(ends "$1")
        [ "$region" = dijets ] || set -- "$1" "$4" "$5" "$4" "$5"
        awk -v a="$2" -v b="$3" -v lo="$4" -v hi="$5" \
            'BEGIN { print (a > lo ? a : lo), (b < hi ? b : hi) }'
    }
    # shellcheck disable=SC2046 # several words each
    lists=(--x "$(draw 1 3 $(ends x))" --eps "$(draw 2 4 $(limits eps 0.3 5))"
        --q "$(draw 3 20 $(limits q 1 10))" --theta "$(angles)")
    if [ "$region" = dijets ]; then
        lists+=(--k1 "$(draw 4 20 1 10)")
    else
        lists+=(--k1 "$(draw 4 20 0.1 "$k_max")")
    fi
    generate "${lists[@]}" >"$scratch/points"
    grep -v '^#' "$scratch/points" >"$scratch/direct"
    "$bin/cgctab" eval "$table" "$scratch/points" --error --quiet >"$scratch/read"
    paste -d' ' "$scratch/direct" "$scratch/read" | awk -v region="$region" '
        function size(v) { return v < 0 ? -v : v }
        function compare(pol, direct, bound, read, stored) {
            print pol, stored <= 1e-3 * read >all
            if (!(direct > 0 && bound < 0.1 * stored)) return
            off = size(direct - read)
            print pol, off / direct, stored / direct, off / stored, (off > bound + stored), \
                $1, $2, $3, $4, $5
        }
        {
            k2 = sqrt($3 * $3 + $4 * $4 - 2 * $3 * $4 * cos($5))
            if (region == "dijets" && k2 < 1) next
            compare("T", $6, $7, $15, $17)
            compare("L", $8, $9, $16, $18)
        }' all="$scratch/all" >"$scratch/values"
}

forward() { # the same of the channels
    local least=0.1 channel
    [ "$region" != dijets ] || least=1
    # shellcheck disable=SC2046 # several words
    awk -v seed="$seed" -v least="$least" -v most="$k_max" -v n="${POINTS:-1000}" \
        -v x="$(draw 1 3 $(ends x))" -v ends="$(ends q)" 'BEGIN {
            srand(seed); split(x, X, ","); split(ends, Q, " ")
            for (i = 0; i < 3 * n;) {
                k1 = least * (most / least) ^ rand(); k2 = least * (most / least) ^ rand()
                angle = 3.14159 * rand(); z = 0.05 + 0.9 * rand()
                q = sqrt(k1 * k1 + k2 * k2 + 2 * k1 * k2 * cos(angle))
                if (q > Q[1] && q < Q[2]) print X[1 + i++ % 3], z, k1, k2, angle
            } }' >"$scratch/points"
    for channel in $names; do
        generate --process "$channel" --Lambda 1 --points "$scratch/points" >"$scratch/made"
        grep -v '^#' "$scratch/made" >"$scratch/direct"
        sed 's/$/ 1/' "$scratch/points" |
            "$bin/cgctab" eval "$table" - --process "$channel" --error --quiet |
            paste -d' ' "$scratch/direct" - | awk -v channel="$channel" '
            function size(v) { return v < 0 ? -v : v }
            { print channel, $21 <= 1e-3 * size($19) >>all }
            $7 < 0.1 * $21 {
                off = size($6 - $19)
                print channel, off / size($6), $21 / size($6), off / $21, (off > $7 + $21), \
                    $1, $2, $3, $4, $5
            }' all="$scratch/all"
    done
}

if grep -q '^ *process *= *pa' "$scratch/card"; then
    member=() # they are parts of T
    names=${CHANNELS:-qg gg qqb} what=T_ place='x, z, k1, k2, angle'
    forward >"$scratch/values"
else
    names='T L' what=I_ place='x, eps, q, k1, theta'
    photons >"$scratch/values"
fi
at_other_angles() { # POL: error over bound, over the rms of that at the other angles of the place
    awk -v pol="$1" '
        $1 != pol { next }
        { place = $6 " " $7 " " $8 " " $9 }
        FNR == NR { n[place]++; square[place] += $4 * $4; next }
        n[place] > 14 { print $4 / sqrt((square[place] - $4 * $4) / (n[place] - 1)) }
    ' "$scratch/values" "$scratch/values"
}
least_ratio() { # of rising numbers: their 99.9th percentile over their median
    sort -g | awk '{ v[NR] = $1 }
        END { if (NR) printf "%.1f", v[int(0.999 * NR + 0.5)] / v[int(NR / 2 + 1)] }'
}

for pol in $names; do
    for column in 2 4; do
        grep "^$pol " "$scratch/values" | cut -d' ' -f$column | sort -g >"$scratch/$column"
    done
    scaled=$(least_ratio <"$scratch/4")
    other=$(at_other_angles "$pol" | least_ratio)
    awk -v pol="$pol" -v what="$what" -v scaled="$scaled" -v other="$other" '
        FILENAME ~ "/2$" { error[n++] = $1; next }
        FILENAME ~ "/all$" {
            all += $1 == pol
            known_of_all += $1 == pol && $2
            next
        }
        FILENAME ~ "/4$" {
            share[m++] = $1
            decade = $1 > 0 ? int(log($1) / log(10) * 2 + 100) - 100 : -8
            count[decade < -8 ? -8 : decade > 1 ? 1 : decade]++
            next
        }
        $1 == pol { known += $3 <= 1e-3; beyond += $5 }
        END {
            printf "%s: known to 1e-3 %.2f%% of %d values; compared %d: ", what pol,
                100 * known_of_all / all, all, n
            printf "error, median %.2e, 99.9%% %.2e, largest %.2e of it; ",
                error[int(n / 2)], error[int(0.999 * (n - 1))], error[n - 1]
            printf "known to 1e-3 %.2f%%; bound over error, median %.1f ", 100 * known / n,
                1 / share[int(m / 2)]
            printf "(scaled %s, by other angles %s); ", scaled, other == "" ? "-" : other
            printf "beyond both bounds %.4f%%\n", 100 * beyond / n
            printf "%s: error over bound, shares of 10^-4 or less, in steps of 10^0.5:", what pol
            for (i = -8; i <= 1; i++) printf " %.4f", count[i] / n
            print ""
            for (i = -8; i <= 1; i++) print (i + 0.5) / 2, count[i] / n >histogram
        }' histogram="$scratch/histogram_$pol" "$scratch/2" "$scratch/4" "$scratch/all" \
        "$scratch/values"
done
echo "# worst: which, error over bound, error over value, $place"
sort -k4,4gr "$scratch/values" | head -10 | awk '{ print $1, $4, $2, $6, $7, $8, $9, $10 }'
if [ -n "${PICTURE:-}" ]; then
    gnuplot <<PLOT
set terminal pngcairo size 800,500
set output '$PICTURE'
set title '$(basename "$table"): error over bound'
set xlabel 'log_{10} of error over bound (0: as large as the bound; the first box has all below)'
set ylabel 'share of values'
set arrow from 0, graph 0 to 0, graph 1 nohead dashtype 2
set style fill transparent solid 0.4
set boxwidth 0.5
plot for [p in '$names'] '$scratch/histogram_'.p with boxes title '$what'.p
PLOT
fi

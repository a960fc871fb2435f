#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check_run.sh BIN BACKEND [CARD]: whole runs of cgctab-generate with one builder, which must always
# give the same bytes, and the transform with three momenta beside the processor's, on a device if
# the builder needs one.  Ends with 'N passed, N failed'.
set -u
bin=$(cd "$1" && pwd) || exit 2
backend=$2
three=$(cd "$(dirname "$0")/../../generator/three" && pwd) || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
if [ $# -gt 2 ]; then
    cp "$3" "$dir/t.card" || exit 2
else
    cat >"$dir/t.card" <<'CARD'
[axes]
x = geom 1e-3 1e-2 4
eps = geom 1 8 6
q = 0.5,1
k_max = 3
[correlator]
Nc = 3
[table]
lower = 4
upper = 4
[accuracy]
tolerance = 1e-2
checks = 2
CARD
fi
cd "$dir" || exit 2

passed=0 failed=0
judge() { # judge WHAT COMMAND...: passes where the command does; else shows what was printed last
    local what=$1
    shift
    rm -f said
    if "$@" >judged 2>&1; then
        echo "ok     $what"
        passed=$((passed + 1))
    else
        echo "FAILED $what"
        tail -n 5 judged said 2>/dev/null | sed 's/^/       /'
        failed=$((failed + 1))
    fi
}
run() { "$bin/cgctab-generate" run t.card --backend "$backend" "$@" 2>said; }

# ---- runs ----

made_by_builder() {
    run -o want.cgct && { [ "$backend" = auto ] || grep "^made_by  *$backend " said; } &&
        case $backend in cuda*) grep '^seconds device  *[0-9.]*[1-9]' said ;; esac
}
again() { run -o again.cgct && cmp again.cgct want.cgct; }
# Killed when it has kept its first node.  The pipe for its progress is closed then, so that a late
# kill does not find it finished.
killed() {
    mkfifo begun
    "$bin/cgctab-generate" run t.card --backend "$backend" -o killed.cgct 2>begun &
    grep -q ': 1/' <begun
    kill -KILL $!
    wait $!
    [ -s killed.cgct.nodes ] && [ ! -e killed.cgct ]
}
resumed() {
    run -o killed.cgct && grep 'items are in killed.cgct.nodes already' said &&
        cmp killed.cgct want.cgct
}
shards() { # side by side
    local first
    run --quiet -o s1 --shard 1/2 &
    first=$!
    run --quiet -o s2 --shard 2/2 && wait $first &&
        "$bin/cgctab-generate" merge --quiet -o merged.cgct s2 s1 && cmp merged.cgct want.cgct
}
judge "run, by $backend" made_by_builder
judge 'run again: the same bytes' again
judge 'run killed in its middle' killed
judge 'run resumed: the same bytes' resumed
judge 'run in two shards side by side, merged: the same bytes' shards

# ---- three momenta: the same sums, on a grid far too coarse ----

case $backend in
cuda*) built_in='gaussian --backend cuda' ;;
*) built_in=gaussian ;;
esac
transform() { # transform FILE INTEGRAND...
    local to=$1
    shift
    # shellcheck disable=SC2086  # words
    "$bin/cgctab-generate" three --quiet --k 0,1.5,3 --p 0.8 --q 1.2 --phi-p 0,0.7 --phi-q 1.3 \
        --nodes 24 --modes 6 --angles 16 --integrand "$@" >"$to"
}
# text NAME: a user's text as an integrand, compiled by the program or here
text() {
    case $backend in
    cuda*) integrand=$1.cu ;;
    *) integrand=$1.so && cc -x c -O2 -fPIC -shared -I "$three" "$1.cu" -o "$integrand" -lm ;;
    esac
}
# Re F and Im F/SHARE beside the processor's Re F: rounding, as a share of the largest.
same_sums() { # same_sums SHARE INTEGRAND...
    local share=$1
    shift
    transform want gaussian && transform got "$@" && awk -v share="$share" '
        function far(a, b) { return !(a - b <= 1e-12 * top && b - a <= 1e-12 * top) } # nan, too
        /^#/ { next }
        NR == FNR { want[++n] = $6; if ($6 > top) top = $6; next }
        { bad += far($6, want[++m]) || far($7, share * want[m]) }
        END { print bad + 0, "of", n, "differ"; exit !(n == 6 && m == n && !bad) }' want got
}
sed '/^THREE_INTEGRAND/d' "$three/three_gaussian.cu" >complex.cu
cat >>complex.cu <<'TEXT'
static void turned(const three_point *x, const double *par, double *re, double *im)
{
    *re = value(x, par);
    *im = 2 * *re;
}
THREE_INTEGRAND_COMPLEX(turned, 6, THREE_GENERAL)
TEXT
cp "$three/three_gaussian.cu" real.cu
parameters='--params 1,1,1,0.5,0.5,0.5'
# shellcheck disable=SC2086  # words
{
    judge "three momenta: $built_in" same_sums 0 $built_in
    text real
    judge 'three momenta: a text' same_sums 0 $integrand $parameters
    text complex
    judge 'three momenta: a complex text, all angles' same_sums 2 $integrand $parameters
}
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

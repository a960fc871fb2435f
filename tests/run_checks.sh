#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run_checks.sh PROGRAM...: run each, print its number and name and its Check summary line, then
# what was skipped and why, and the sums; exit 1 on any failure.  A test that cannot be done prints
# "skipped: REASON" and counts as skipped, not as passed; where the reason is "no TOOL" with a TOOL
# of CHECK_NEEDS, it has failed.  CHECK_TAKES, as "9 minutes", is told at the start.
set -u
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT:-120}"
passed=0 failed=0 skipped=0 number=0
scratch=$(mktemp -d) || exit 1
out=$scratch/out all_skips=$scratch/skips
: >"$all_skips"
trap 'rm -rf "$scratch"' EXIT
export CGCTAB_NO_CACHE='' XDG_CACHE_HOME=$scratch # evolutions are solved once for all programs

echo "$# test programs${CHECK_TAKES:+, about $CHECK_TAKES on two quiet cores}"
for program in "$@"; do
    name=$(basename "$program") start=$SECONDS number=$((number + 1))
    printf '%3d/%d %-24s ' "$number" $# "$name"
    "$program" >"$out" 2>&1 </dev/null
    status=$?
    line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$out" | tail -n 1)
    read -r checks bad errors <<<"$(tr -cd '0-9 ' <<<"${line#*Checks:}")"
    if [ -z "$line" ]; then
        line="no summary, exit status $status" checks=1 bad=1 errors=0
    elif [ "$status" -ne 0 ] && [ $((bad + errors)) -eq 0 ]; then
        line="$line, but exit status $status" checks=$((checks + 1)) bad=1
    fi
    skips=0
    while read -r reason; do
        skips=$((skips + 1))
        echo "$name: ${reason#skipped: }" >>"$all_skips"
        for tool in ${CHECK_NEEDS:-}; do
            [ "$reason" = "skipped: no $tool" ] || continue
            bad=$((bad + 1)) skips=$((skips - 1))
            echo "$tool is needed here (CHECK_NEEDS), but $name did not find it" >>"$out"
        done
    done < <(grep '^skipped: ' "$out")
    passed=$((passed + checks - bad - errors - skips)) failed=$((failed + bad + errors))
    skipped=$((skipped + skips))
    printf '%s (%d s)\n' "$line" $((SECONDS - start))
    if [ $((bad + errors)) -ne 0 ]; then
        sed 's/^/    /' "$out"
    fi
done
sort "$all_skips" | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/skipped: \2 (\1)/'

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run_checks.sh PROGRAM...: run each, as many at once as there are processors or CHECK_JOBS says,
# at most four; print in their order number, name and Check's summary line, then what was skipped
# and why, and the sums; exit 1 on any failure.  A test that cannot be done prints
# "skipped: REASON" and counts as skipped, not as passed; where the reason is "no TOOL" with a TOOL
# of CHECK_NEEDS, it has failed.  CHECK_TAKES, as "9 minutes on two cores", is told at the start.
set -u
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT:-240}"
passed=0 failed=0 skipped=0 number=0
scratch=$(mktemp -d) || exit 1
all_skips=$scratch/skips
: >"$all_skips"
trap 'rm -rf "$scratch"' EXIT
trap 'trap - TERM; kill 0' INT TERM
export CGCTAB_NO_CACHE='' XDG_CACHE_HOME=$scratch # evolutions are solved once for all programs
# Several programs share the processors: threads that wait must not hold one.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"

echo "$# test programs${CHECK_TAKES:+, about $CHECK_TAKES}"
# NUMBER PROGRAM: NUMBER.out and, when it ends, NUMBER.end: exit status and seconds
run_program() {
    exec >"$scratch/$1.out" 2>&1 # also for what bash says of a program that was killed
    "$2" </dev/null
    echo $? $SECONDS >"$scratch/$1.part"
    mv "$scratch/$1.part" "$scratch/$1.end"
}
export -f run_program
export scratch
jobs=${CHECK_JOBS:-$(nproc)}
for program in "$@"; do
    number=$((number + 1))
    printf '%s\0' "$number" "$program"
done | xargs -0 -n 2 -P $((jobs < 4 ? jobs : 4)) bash -c 'SECONDS=0; run_program "$@"' run &
all=$! number=0
for program in "$@"; do
    name=$(basename "$program") number=$((number + 1))
    printf '%3d/%d %-24s ' "$number" $# "$name"
    until [ -e "$scratch/$number.end" ] || ! kill -0 $all 2>/dev/null; do sleep 0.1; done
    out=$scratch/$number.out status=1 seconds=0
    read -r status seconds 2>/dev/null <"$scratch/$number.end"
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
    printf '%s (%d s)\n' "$line" "$seconds"
    if [ $((bad + errors)) -ne 0 ]; then
        sed 's/^/    /' "$out"
    fi
done
sort "$all_skips" | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/skipped: \2 (\1)/'

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

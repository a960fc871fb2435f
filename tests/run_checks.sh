#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run_checks.sh PROGRAM...: run each, print its Check summary line and what it skipped, and the
# sums; exit 1 on any failure.
set -u
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT:-120}"
passed=0 failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

for program in "$@"; do
    name=$(basename "$program") start=$SECONDS
    "$program" >"$out" 2>&1 </dev/null
    status=$?
    line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$out" | tail -n 1)
    read -r checks bad errors <<<"$(tr -cd '0-9 ' <<<"${line#*Checks:}")"
    if [ -z "$line" ]; then
        line="no summary, exit status $status" checks=1 bad=1 errors=0
    elif [ "$status" -ne 0 ] && [ $((bad + errors)) -eq 0 ]; then
        line="$line, but exit status $status" checks=$((checks + 1)) bad=1
    fi
    passed=$((passed + checks - bad - errors)) failed=$((failed + bad + errors))
    printf '%-24s %s (%d s)\n' "$name" "$line" $((SECONDS - start))
    if [ $((bad + errors)) -ne 0 ]; then
        sed 's/^/    /' "$out"
    else
        grep 'skipped' "$out" | sort -u | sed 's/^/    /'
    fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

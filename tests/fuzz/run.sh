#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SECONDS TARGET...: builds the fuzz targets and runs each for SECONDS under libFuzzer, and
# for SECONDS under AFL++, where they are installed.  Exit 1 and the input's place on a finding.
set -u
here=$(dirname "$0") seconds=$1
shift
found=0
finding() {
    echo "fuzz: $1: finding in $2"
    found=1
}

seeds() { # seeds TARGET: folders of its corpus
    echo "$here/corpus/$1"
    if [ "$1" = open ]; then echo "$here/../golden"; fi
}

libfuzzer() {
    local out=$BUILD/fuzz/libfuzzer/$1.d log=$BUILD/fuzz/libfuzzer/$1.log
    mkdir -p "$out/corpus" "$out/finding"
    # shellcheck disable=SC2046  # a list of folders
    if FUZZ_TARGET=$1 "$BUILD/fuzz/libfuzzer/fuzz/fuzz" -max_total_time="$seconds" \
        -max_len=8192 -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$out/finding/" \
        "$out/corpus" $(seeds "$1") >"$log" 2>&1; then
        echo "fuzz: libFuzzer, $1: $(sed -n 's/^Done \([0-9]* runs in [0-9]*\).*/\1/p' "$log") s," \
            "$(grep -o 'cov: [0-9]*' "$log" | tail -n 1), no finding"
    else
        tail -n 40 "$log"
        finding "libFuzzer, $1" "$out/finding"
    fi
}

afl() {
    local out=$BUILD/fuzz/afl/$1.d log=$BUILD/fuzz/afl/$1.log
    local in=$BUILD/fuzz/afl/$1.seeds dir runs
    rm -rf "$out" "$in"
    mkdir -p "$in"
    for dir in $(seeds "$1"); do cp "$dir"/* "$in"; done
    FUZZ_TARGET=$1 AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
        AFL_NO_AFFINITY=1 \
        afl-fuzz -V "$seconds" -t 10000 -i "$in" -o "$out" -- "$BUILD/fuzz/afl/fuzz/fuzz" \
        >"$log" 2>&1
    if [ ! -r "$out/default/fuzzer_stats" ]; then
        tail -n 20 "$log"
        finding "AFL++, $1" "$log"
    elif compgen -G "$out/default/crashes/id*" || compgen -G "$out/default/hangs/id*"; then
        finding "AFL++, $1" "$out/default"
    else
        runs=$(sed -n 's/^execs_done *: //p' "$out/default/fuzzer_stats")
        echo "fuzz: AFL++, $1: $runs runs in $seconds s, no finding"
    fi
}

if command -v clang >/dev/null &&
    printf '#include <omp.h>\nint LLVMFuzzerTestOneInput(void) { return 0; }\n' |
    clang -x c -fopenmp -fsanitize=fuzzer,address -o /dev/null - 2>/dev/null; then
    $MAKE --no-print-directory fuzz-libfuzzer || exit 1
    for target; do libfuzzer "$target"; done
else
    echo 'fuzz: skipped under libFuzzer: no clang with OpenMP (Debian: clang, libomp-dev)'
fi
if command -v afl-clang-fast >/dev/null; then
    $MAKE --no-print-directory fuzz-afl || exit 1
    for target; do afl "$target"; done
else
    echo 'fuzz: skipped under AFL++: no afl-clang-fast (Debian: afl++)'
fi
exit "$found"

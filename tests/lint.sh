#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# lint.sh: the rules that a compiler does not check.  Prints each violation; exit 1 if there is one.
# Sizes and repeated names are advice: a reader is helped where a function ends at a change of
# subject, not at a number of lines.
set -u
shopt -s lastpipe # "| report" counts
cd "$(dirname "$0")/.." || exit 1
bad=0
complain() {
    echo "lint: $*"
    bad=1
}
advice=0
advise() {
    echo "lint: advice: $*"
    advice=$((advice + 1))
}
suggest() { # suggest TEXT: as report, of advice
    local line
    while IFS= read -r line; do advise "$line: $1"; done
    return 0
}
report() { # report TEXT: every line of standard input is a violation of TEXT
    local line
    while IFS= read -r line; do complain "$line: $1"; done
    return 0
}

files() { # of the working tree, without what git ignores
    git ls-files --cached --others --exclude-standard 2>/dev/null ||
        find . -type f -not -path './build/*' -printf '%P\n'
}
mapfile -t all < <(files | while read -r f; do
    if [ -f "$f" ]; then echo "$f"; fi
done)
pick() { printf '%s\n' "${all[@]}" | grep -E "$1"; }
mapfile -t code < <(pick '\.(c|h|cu|cuh)$')
mapfile -t product < <(pick '^(format|reader|cuda|generator)/.*\.(c|h|cu|def)$' |
    grep -v '^reader/examples/')
mapfile -t headed < <(
    pick '\.(c|h|cu|cuh|def|sh|py|mk|card|f90|hpp|js|css|html)$|^Makefile$|^\.ci/run$')
mapfile -t checked < <(pick '^(reader|format|generator|cuda)/.*\.c$')
mapfile -t mit < <(pick '^(reader|format)/.*\.([ch]|hpp)$')
mapfile -t narrow < <(pick '\.(c|h|cu|cuh|sh|py|card|js|css)$|^\.ci/run$')
mapfile -t scripts < <(pick '\.sh$|^\.ci/run$')

printf '%s\n' "${all[@]%%/*}" | sort -u |
    grep -vxE '\..*|Makefile|README.md|LICENSE|generator|reader|cuda|format|tests|tables' |
    report "has no place at the top"

grep -nE '^(<<<<<<<|>>>>>>>)( |$)' "${all[@]}" 2>/dev/null |
    report "a conflict of a merge"

if command -v clang-format >/dev/null; then
    for f in "${code[@]}"; do
        clang-format --dry-run -Werror "$f" 2>/dev/null || complain "$f: run clang-format -i"
    done
fi
if command -v cppcheck >/dev/null; then
    # leaks are the business of 'make asan'; cppcheck 2.10 sees them in "return w ? w : v"
    cppcheck -q -j 2 --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
        --suppress=missingIncludeSystem --suppress=memleak "${checked[@]}" ||
        complain "cppcheck"
fi
if command -v shellcheck >/dev/null; then
    shellcheck "${scripts[@]}" || complain "shellcheck"
fi

# licences: generator, cuda, tests GPL; reader, format MIT
for f in "${headed[@]}"; do
    want=GPL-3.0-or-later
    case $f in reader/* | format/*) want=MIT ;; esac
    head -n 2 "$f" | grep -q "SPDX-License-Identifier: $want" ||
        complain "$f: no SPDX line with $want"
done

# advice on sizes: files 450 lines, functions 60 (opening to closing brace)
for f in "${code[@]}" "${scripts[@]}"; do
    n=$(wc -l <"$f")
    case $f in reader/cgctab_*.c) continue ;; esac # few files, to be copied
    [ "$n" -le 450 ] || advise "$f: $n lines; more than one subject in 450?"
done
awk -f tests/functions.awk "${code[@]}" | awk '$4 > 60 { print $1 ":" $2 ": " $3 " has " $4 }' |
    suggest "lines in a function; does it change its subject?"

# in the product: advice on names of static functions and on parameters; variables of a file
functions=$(awk -f tests/functions.awk "${product[@]}")
awk '$6 == "static" && !seen[$3, $1]++ { files[$3] = files[$3] " " $1 }
     END { for (name in files) if (split(files[name], f, " ") > 1) print name ":" files[name] }' \
    <<<"$functions" | sort | suggest "a static function's name stands in several files"
awk '$5 > 7 && $3 !~ /^(cgct_(eval_many|modes|uncertainty)|cblas_.*|d[a-z]+_)$/ {
         print $1 ":" $2 ": " $3 " takes " $5 }' \
    <<<"$functions" | suggest "parameters; would a struct hold what belongs together?"
# (exceptions: the semaphore of a signal handler, which gets no argument; the functions of a library
# that is loaded before main)
grep -nE '^static [^(]*(;$|=)' "${product[@]}" |
    grep -vE '\<(const|sem_t|blas_library)\>' | cut -d: -f1,2 |
    report "a variable of a file that can change"
LC_ALL=C.UTF-8 awk 'length > 100 { print FILENAME ":" FNR }' "${narrow[@]}" |
    report "more than 100 columns"
grep -nE '^(<{7}|>{7}) ' "${all[@]}" | cut -d: -f1,2 | report "a conflict of a merge"
grep -nE '[[:blank:]]+$' "${code[@]}" "${headed[@]}" | cut -d: -f1,2 | sort -u |
    report "trailing blanks"

# include graph: a folder includes only itself and what stands before it in this list
order='format reader reader/tool reader/events generator/numerics generator/dipole
    generator/inner generator/node generator/three cuda generator/run generator/config
    generator/cli'
rank() { # of the folder of a file; nothing where the folder is not in the list
    local at=0 folder
    for folder in $order; do
        at=$((at + 1))
        if [ "$folder" = "$1" ]; then echo "$at"; fi
    done
}
include_of() { # include_of FILE HEADER: the path of the file that is meant
    local at
    for at in "$(dirname "$1")/$2" "generator/$2" "$2"; do
        at=$(realpath -m --relative-to=. "$at")
        if [ -f "$at" ]; then echo "$at" && return; fi
    done
}
for f in "${product[@]}"; do
    mine=$(rank "$(dirname "$f")")
    [ -n "$mine" ] || complain "$f: its folder is not in the order of folders (tests/lint.sh)"
    while read -r header; do
        target=$(include_of "$f" "$header")
        theirs=$(rank "$(dirname "${target:-none}")")
        if [ -z "$theirs" ] || [ "$theirs" -gt "${mine:-0}" ]; then
            complain "$f includes \"$header\", which stands above it in the order of folders"
        fi
    done < <(sed -n 's/^#include "\(.*\)".*/\1/p' "$f")
done
grep -nE '#include ".*(generator|cuda|tests)/' "${mit[@]}" |
    report "reader and format include nothing of the other folders"

# the C example of reader/GUIDE.md is reader/examples/evaluate.c
if [ -f reader/examples/evaluate.c ]; then
    awk '/^```c$/ { take = 1; next } /^```$/ { take = 0 } take' reader/GUIDE.md |
        diff - reader/examples/evaluate.c >/dev/null ||
        complain "reader/GUIDE.md: the C example differs from reader/examples/evaluate.c"
fi

[ "$bad" -eq 0 ] && echo "lint: ${#all[@]} files, no complaint, $advice pieces of advice"
exit "$bad"

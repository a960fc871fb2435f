#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh OBJ: lines of each folder of the product that ran, from the counts that programs built
# with --coverage left in OBJ, and the largest functions of which no line ran.
set -u
cd "$(dirname "$0")/.." || exit 1
objects=$1
notes() {
    local folder
    for folder in format reader generator cuda; do find "$objects/$folder" -name '*.gcno'; done
}

printf '%-24s %8s %8s %6s\n' folder lines covered %
notes | while read -r note; do gcov -t -r "$note" 2>/dev/null; done | awk -F: '
    $3 == "Source" { file = $4; next }
    $2 + 0 == 0 || $1 ~ /^ *-$/ { next }
    { key = file ":" $2; seen[key] = file; if ($1 !~ /[#=]/) ran[key] = 1 }
    END {
        for (key in seen) {
            folder = seen[key]
            if (!sub("/[^/]*$", "", folder)) continue
            lines[folder]++; lines["all"]++
            if (key in ran) { covered[folder]++; covered["all"]++ }
        }
        for (f in lines)
            printf "%-24s %8d %8d %6.1f\n", f, lines[f], covered[f], 100 * covered[f] / lines[f]
    }' | sort

echo
echo 'largest functions that never ran: lines, name, object'
notes | while read -r note; do
    gcov -n -f -r "$note" 2>/dev/null | awk -v object="${note#"$objects/"}" '
        /^Function/ { name = substr($2, 2, length($2) - 2) }
        /^File/ { name = "" }
        /^Lines executed:0.00%/ && name { print $NF, name, object }'
done | sort -rn | head -n 25

#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# reference.sh BIN CARD GUIDE: writes the keys that BIN/cgctab-generate prints into the files CARD
# (tables/reference.card) and GUIDE (generator/GUIDE.md, of which it replaces the table of keys).
set -euo pipefail
keys=$("$1/cgctab-generate" run --help | sed '1,/^Keys of a run card/d')
cat > "$2" <<END
; SPDX-License-Identifier: GPL-3.0-or-later
; reference.card: every key of a run card with its default, meaning, range and unit.  It runs as it
; stands: cgctab-generate run reference.card -o reference.cgct.  A card of your own needs only the
; keys that differ from these.  Comments begin with ';' or '#'.
; \`make reference\` writes this file from generator/config/params.def.
$keys
END
table=$(awk '
    function row() { if (key != "") print "| `" key "` | " value " | " meaning " |"; key = "" }
    { gsub(/\|/, "\\|") }
    /^\[/ { section = substr($1, 2, length($1) - 2) }
    /^ +; / { sub(/^ +; /, ""); meaning = meaning " " $0; next }
    { row() }
    /^[[:alnum:]_]+ =/ {
        key = section "." $1
        meaning = substr($0, index($0, " ; ") + 3)
        value = substr($0, index($0, "=") + 1, index($0, " ; ") - index($0, "=") - 1)
        gsub(/^ +| +$/, "", value)
        value = value == "" ? "" : "`" value "`"
    }
    END { row() }' <<< "$keys")
guide=$(table=$table awk '
    !/^\|/ { old = 0 }
    !old
    /^\| key \| default \| meaning \|/ { print "|---|---|---|\n" ENVIRON["table"]; old = 1 }' "$3")
printf '%s\n' "$guide" > "$3"

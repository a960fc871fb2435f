# SPDX-License-Identifier: GPL-3.0-or-later
# functions.awk: one line for each function of the C files given: FILE LINE NAME LINES PARAMETERS KIND,
# where KIND is "static" or "public" and LINES counts from the opening to the closing brace.  It relies
# on the project's format: a function's braces stand alone in column 1.
function count_parameters(head,    i, c, depth, n, inside) {
    n = depth = 0
    inside = ""
    for (i = index(head, "("); i <= length(head); i++) {
        c = substr(head, i, 1)
        if (c == "(" && ++depth == 1) continue
        if (c == ")" && --depth == 0) break
        if (c == "," && depth == 1) n++
        inside = inside c
    }
    return inside ~ /^[ \t]*(void)?[ \t]*$/ ? 0 : n + 1
}
FNR == 1 { head = ""; open = 0 }
/^\{/ { open = FNR; begin = head; next }
/^\}/ && open {
    name = substr(begin, 1, index(begin, "(") - 1)
    sub(/[ \t]+$/, "", name)
    sub(/.*[^A-Za-z0-9_]/, "", name)
    if (begin ~ /\(/ && name != "")
        print FILENAME, open, name, FNR - open + 1, count_parameters(begin),
            (begin ~ /^(static|[A-Z_]*(INLINE|KERNEL))[ \t]/ ? "static" : "public")
    open = 0
    head = ""
    next
}
open { next }
/^[A-Za-z_]/ && !/;[ \t]*$/ { head = $0; next } # a declaration begins here
/^[ \t]/ && head != "" { head = head " " $0; next }
{ head = "" }

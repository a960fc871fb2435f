# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of cgctab-generate for bash.  Words, options and keys come from the program's own help.
_cgctab_generate() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
    local words='' sub=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$prev" = help ]; }; then
        words="--help --version $("$program" help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')"
    elif [ "$prev" = --backend ]; then
        words="auto $("$program" backends 2>/dev/null | sed -n 's/^\([a-z-]*\)  .*/\1/p')"
    elif [ "$prev" = --set ]; then
        words=$("$program" run --help 2>/dev/null | awk '/^\[/ { s = substr($1, 2, length($1) - 2) }
            / = .*;/ { print s "." $1 "=" }')
        compopt -o nospace 2>/dev/null
    elif [ "${cur#-}" != "$cur" ]; then
        words=$("$program" "$sub" --help 2>/dev/null |
            sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z0-9-]*\) .*/\2/p')
    else
        COMPREPLY=($(compgen -f -- "$cur"))
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o filenames -F _cgctab_generate cgctab-generate

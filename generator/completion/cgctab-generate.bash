# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of cgctab-generate for bash.  Words, options and keys come from the program's own help.

# The models that the program knows, and files; of the word typed, bash replaces the part behind ':'.
_cgctab_generate_dipole() {
    local sets set model word
    sets=$("$1" run --help 2>/dev/null | sed -n 's/^set = .*; auto|//p' | tr '|' ' ')
    for model in gbw mv bk; do
        word="$word $model"
        [ "$model" != gbw ] && for set in $sets; do
            case $model:$set in mv:bayes*) ;; *) word="$word $model:$set" ;; esac
        done
    done
    COMPREPLY=($(compgen -W "$word" -- "$2") $(compgen -f -- "$2"))
    case $2 in
    *:*) [ "${COMP_WORDBREAKS#*:}" != "$COMP_WORDBREAKS" ] && COMPREPLY=("${COMPREPLY[@]#"${2%%:*}:"}") ;;
    esac
}

# Names of the members of the card on the command line.
_cgctab_generate_members() {
    local word file
    for word; do
        case $word in *.card) file=$(sed -n 's/^ *members *= *\([^ ;#]*\).*/\1/p' "$word" 2>/dev/null) ;; esac
    done
    [ -n "$file" ] && sed -n 's/^[[:blank:]]*\([^#;[:blank:]]\{1,\}\).*/\1/p' "$file" 2>/dev/null
}

_cgctab_generate() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
    local words='' sub=${COMP_WORDS[1]} dipole='' i
    COMPREPLY=()
    # bash makes words of their own of ':' and '='
    for ((i = COMP_CWORD; i > COMP_CWORD - 4 && i > 1; i--)); do
        [ "${COMP_WORDS[i - 1]}" = --dipole ] && dipole=$i
    done
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$prev" = help ]; }; then
        words="--help --version $("$program" help 2>/dev/null | sed -n 's/^  \([a-z0-9]*\)  .*/\1/p')"
    elif [ "$prev" = --backend ]; then
        words="auto $("$program" backends 2>/dev/null | sed -n 's/^\([a-z-]*\)  .*/\1/p')"
    elif [ "$prev" = --member ]; then
        words=$(_cgctab_generate_members "${COMP_WORDS[@]}")
    elif [ "$prev" = --set ]; then
        words=$("$program" run --help 2>/dev/null | awk '/^\[/ { s = substr($1, 2, length($1) - 2) }
            / = .*;/ { print s "." $1 "=" }')
        compopt -o nospace 2>/dev/null
    elif [ -n "$dipole" ] && [ "${cur#-}" = "$cur" ]; then
        words=''
        for ((i = dipole; i <= COMP_CWORD; i++)); do words=$words${COMP_WORDS[i]}; done
        words=${words#=}
        _cgctab_generate_dipole "$program" "$words"
        return
    elif [ "${cur#-}" != "$cur" ]; then
        words=$("$program" "$sub" --help 2>/dev/null |
            sed -n 's/^ *\(-., \)\{0,1\}\(--[a-zA-Z0-9-]*\) .*/\2/p')
    else
        COMPREPLY=($(compgen -f -- "$cur"))
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o filenames -F _cgctab_generate cgctab-generate

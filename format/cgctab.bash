# SPDX-License-Identifier: MIT
# Completion of cgctab, cgctab-events and cgctab-generate for bash.  Words, options and their values
# come from the programs' own help.

# The models of --dipole; of the word typed, bash replaces the part behind ':'.
_cgctab_dipole() {
    local sets set model words
    sets=$("$1" run --help 2>/dev/null | sed -n 's/.*; auto|mv|/mv|/p' | tr '|' ' ')
    for model in gbw mv bk; do
        words="$words $model"
        [ "$model" != gbw ] && for set in $sets; do
            case $model:$set in mv:bayes*) ;; *) words="$words $model:$set" ;; esac
        done
    done
    COMPREPLY=($(compgen -W "$words" -- "$2") $(compgen -f -- "$2"))
    case $2 in
    *:*) [ "${COMP_WORDBREAKS#*:}" != "$COMP_WORDBREAKS" ] && COMPREPLY=("${COMPREPLY[@]#"${2%%:*}:"}") ;;
    esac
}

# Names of the members of the card on the command line.
_cgctab_members() {
    local word file
    for word; do
        case $word in *.card) file=$(sed -n 's/^ *members *= *\([^ ;#]*\).*/\1/p' "$word" 2>/dev/null) ;; esac
    done
    [ -n "$file" ] && sed -n 's/^[[:blank:]]*\([^#;[:blank:]]\{1,\}\).*/\1/p' "$file" 2>/dev/null
}

_cgctab() {
    local at=$COMP_CWORD program=${COMP_WORDS[0]/#\~\//$HOME/} sub=${COMP_WORDS[1]} words='' help i
    local cur=${COMP_WORDS[at]} prev=${COMP_WORDS[at - 1]}
    COMPREPLY=()
    # bash makes words of their own of ':' and '='
    for ((i = at; i > at - 4 && i > 1; i--)); do
        if [ "${COMP_WORDS[i - 1]}" = --dipole ] && [ "${cur#-}" = "$cur" ]; then
            words=$(printf %s "${COMP_WORDS[@]:i:at-i+1}")
            _cgctab_dipole "$program" "${words#=}"
            return
        fi
    done
    if [ "${program##*/}" = cgctab-events ]; then
        help=$("$program" --help 2>/dev/null)
    elif [ "$at" -eq 1 ] || [ "$at:$sub" = 2:help ]; then
        words=$("$program" help 2>/dev/null | sed -n 's/^  \([a-z0-9]*\)  .*/\1/p')
        [ "$at" -eq 1 ] && words="help --help --version $words"
    else
        help=$("$program" "$sub" --help 2>/dev/null)
    fi
    if [ "${cur#-}" != "$cur" ]; then
        words="$words $(sed -n 's/^  \(-., \)\{0,1\}\(-[-A-Za-z0-9]*\) .*/\2/p' <<<"$help")"
    elif [ "$sub:$at" = get:3 ]; then
        words=$("$program" keys "${COMP_WORDS[2]}" 2>/dev/null)
    else
        case $prev in
        --backend) words="auto $("$program" backends 2>/dev/null | sed -n 's/^\([a-z-]*\)  .*/\1/p')" ;;
        --member) words=$(_cgctab_members "${COMP_WORDS[@]}") ;;
        --set)
            words=$("$program" run --help 2>/dev/null |
                awk '/^\[/ { s = substr($1, 2, length($1) - 2) } /^[[:alnum:]_]+ =/ { print s "." $1 "=" }')
            compopt -o nospace 2>/dev/null
            ;;
        --soft) words='jets hadrons' ;;
        *) # the words allowed, a|b|c, of an option or of the argument at this place of the usage line
            words="$words $(awk -v at="$at" -v option="$prev" '$1 == option { print $2 }
                NR == 1 { gsub(/[][]/, ""); print $(at + 2) }' <<<"$help" |
                grep '|' | grep -v '[A-Z]' | tr '|' ' ')"
            ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    [ -n "${words// /}" ] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _cgctab cgctab cgctab-events cgctab-generate

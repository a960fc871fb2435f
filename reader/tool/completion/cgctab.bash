# SPDX-License-Identifier: MIT
# Completion of cgctab for bash.
_cgctab() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} sub=${COMP_WORDS[1]}
    local commands='info keys get accuracy axes list eval dump verify stats diff plot report explore index where'
    local common='--json --digits --quiet --help --version' words=''
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="help $commands --help --version"
    elif [ "$COMP_CWORD" -eq 2 ] && [ "$sub" = help ]; then
        words=$commands
    elif [ "${cur#-}" != "$cur" ]; then
        case $sub in
        accuracy | list | stats) words='--csv' ;;
        eval)
            words='--x --eps --z --Q2 --mass --q --k1 --theta --process --k2 --angle --Lambda --error --reference --soft
                --uncertainty --members --dsigma --policy --negative --alpha-em --e-q2 --S-perp --csv'
            ;;
        dump) words='--node --x --eps --csv' ;;
        verify) words='--deep' ;;
        diff) words='--rtol --atol --bounds' ;;
        plot) words='-o --data --along --soft --x --eps --q --k1 --theta --K --m --ratio --flag' ;;
        report | explore) words='-o' ;;
        where) words='--all' ;;
        esac
        words="$words $common"
    else
        case $sub:$COMP_CWORD:$prev in
        eval:*:--policy) words='error freeze' ;;
        eval:*:--negative) words='error keep' ;;
        eval:*:--process) words='qg gg qqb' ;;
        eval:*:--soft | plot:*:--soft) words='jets hadrons' ;;
        plot:*:--along) words='k1 q theta x eps' ;;
        plot:2:*) words='slice map modes vn certificate compare inner' ;;
        get:3:*) words=$("${COMP_WORDS[0]}" keys "${COMP_WORDS[2]}" 2>/dev/null) ;;
        axes:3:*) words='x eps q k' ;;
        esac
    fi
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -o filenames -F _cgctab cgctab

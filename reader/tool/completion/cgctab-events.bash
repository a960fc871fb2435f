# SPDX-License-Identifier: MIT
# Completion of cgctab-events for bash.
_cgctab_events() {
    local cur=${COMP_WORDS[COMP_CWORD]}
    local words='--process --beams --photon --direction --Q2 --y --z --q --pt --K --soft --pdf --projectile
        --mu --alpha-s --Lambda --dilute -n -o --seed --threads
        --flavours --m-light --m-c --m-b --S-perp --alpha-em --freeze --csv --no-weights
        --dry-run --quiet --help --version'
    COMPREPLY=()
    if [ "${cur#-}" != "$cur" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -o filenames -F _cgctab_events cgctab-events

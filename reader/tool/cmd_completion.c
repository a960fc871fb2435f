/* SPDX-License-Identifier: MIT */
/* Completion for bash and zsh, made of the table of commands. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

/* "a|b" as "a b", up to a ']' */
static void put_words(const char *words)
{
    for (; *words && *words != ']'; words++) putchar(*words == '|' ? ' ' : *words);
}

/* "x|eps]" of a command whose words are "FILE [x|eps]", or NULL */
static const char *second_words(const tool_command *c)
{
    const char *list = strstr(c->words, "FILE [");
    return list && islower((unsigned char)list[6]) ? list + 6 : NULL;
}

static int second_is_key(const tool_command *c)
{
    return !strcmp(c->words, "FILE KEY");
}

static void bash_flags(const tool_flag *flags)
{
    for (; flags && flags->name; flags++) printf(" %s", flags->name);
}

static void bash_values(const tool_flag *flags, const char *command)
{
    for (; flags && flags->name; flags++) {
        if (!flags->value || !strchr(flags->value, '|')) continue;
        printf("    %s:%s) words='", command, flags->name);
        put_words(flags->value);
        puts("' ;;");
    }
}

static void bash(void)
{
    puts("# completion of cgctab for bash, printed by 'cgctab completion bash'\n"
         "_cgctab() {\n"
         "    local words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    printf("        words='help");
    for (const tool_command *c = tool_commands; c->name; c++) printf(" %s", c->name);
    puts(" --help --version'\n"
         "    elif [ \"$COMP_CWORD\" -eq 2 ] && [ \"$prev\" = help ]; then");
    printf("        words='");
    for (const tool_command *c = tool_commands; c->name; c++) printf("%s ", c->name);
    puts("'\n"
         "    fi\n"
         "    if [ -n \"$words\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    case ${COMP_WORDS[1]}:$prev in");
    for (const tool_command *c = tool_commands; c->name; c++) {
        bash_values(c->flags, c->name);
        if (!c->first) continue;
        printf("    %s:%s) words='", c->name, c->name);
        put_words(c->first);
        puts("' ;;");
    }
    puts("    esac\n"
         "    case ${COMP_WORDS[1]}:$COMP_CWORD:$cur in\n"
         "    *:-*) ;;");
    for (const tool_command *c = tool_commands; c->name; c++)
        if (second_is_key(c)) {
            printf("    %s:3:*) words=$(cgctab keys \"${COMP_WORDS[2]}\" 2>/dev/null) ;;\n",
                   c->name);
        } else if (second_words(c)) {
            printf("    %s:3:*) words='", c->name);
            put_words(second_words(c));
            puts("' ;;");
        }
    puts("    esac\n"
         "    if [ -n \"$words\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    case $cur in\n"
         "    -*) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"
         "    esac\n"
         "    case ${COMP_WORDS[1]} in");
    for (const tool_command *c = tool_commands; c->name; c++) {
        printf("    %s) words='", c->name);
        bash_flags(c->flags);
        bash_flags(tool_common);
        puts("' ;;");
    }
    puts("    esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "}\n"
         "complete -o filenames -F _cgctab cgctab");
}

/* Characters that mean something within '...[...]:...' */
static void zsh_text(const char *s)
{
    for (; *s; s++)
        if (*s == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:", *s))
            printf("\\%c", *s);
        else
            putchar(*s);
}

static void zsh_flags(const tool_flag *flags)
{
    for (; flags && flags->name; flags++) {
        printf(" \\\n            '%s[", flags->name);
        zsh_text(flags->doc);
        putchar(']');
        if (flags->value && strchr(flags->value, '|')) {
            printf(":value:(");
            put_words(flags->value);
            putchar(')');
        } else if (flags->value) {
            printf(":%s:%s", flags->value, strstr(flags->value, "FILE") ? "_files" : " ");
        }
        putchar('\'');
    }
}

static void zsh(void)
{
    puts("#compdef cgctab\n"
         "# completion of cgctab for zsh, printed by 'cgctab completion zsh'\n"
         "_cgctab() {\n"
         "    local -a commands=(\n        'help:The options of a command'");
    for (const tool_command *c = tool_commands; c->name; c++) {
        printf("        '%s:", c->name);
        zsh_text(c->doc);
        puts("'");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    if [[ $words[2] == help ]]; then\n"
         "        (( CURRENT == 3 )) && _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    local command=$words[2]\n"
         "    shift words\n"
         "    (( CURRENT-- ))\n"
         "    case $command in");
    for (const tool_command *c = tool_commands; c->name; c++) {
        printf("    %s)\n        _arguments", c->name);
        zsh_flags(c->flags);
        zsh_flags(tool_common);
        if (c->first) {
            printf(" \\\n            '1:word:(");
            put_words(c->first);
            printf(")'");
        }
        if (second_is_key(c))
            printf(" \\\n            '1:file:_files' \\\n            "
                   "'2:key:{compadd -- $(cgctab keys $words[2] 2>/dev/null)}'");
        if (second_words(c)) {
            printf(" \\\n            '1:file:_files' \\\n            '2:word:(");
            put_words(second_words(c));
            printf(")'");
        }
        puts(" \\\n            '*:file:_files' ;;");
    }
    puts("    esac\n"
         "}\n"
         "if [[ $funcstack[1] == _cgctab ]]; then _cgctab \"$@\"; else compdef _cgctab cgctab; fi");
}

int cmd_completion(tool_call *c)
{
    if (!strcmp(c->word[0], "bash"))
        bash();
    else
        zsh();
    return TOOL_OK;
}

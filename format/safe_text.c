/* SPDX-License-Identifier: MIT */
/* Texts that others wrote, made safe for the format in which they are printed. */
#include "safe_text.h"

#include <stdlib.h>
#include <string.h>

/* The code point that begins here and its bytes; -1 and 1 where the bytes are not UTF-8. */
static long decode_utf8(const unsigned char *s, size_t *n)
{
    static const long least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t size = *s < 0x80 ? 1 : *s < 0xc0 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
    long code = size == 1 ? *s : *s & (0x7f >> size);
    *n = 1;
    if (size == 0 || *s > 0xf4) return -1;
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80) return -1;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return -1;
    *n = size;
    return code;
}

static int is_control(long code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* XML has no U+FFFE and U+FFFF, HTML none of the others either. */
static int is_no_character(long code)
{
    return (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code < 0xfdf0);
}

static int keeps_lines(safe_form form)
{
    return form == SAFE_LINES || form == SAFE_XML;
}

/* What the form has in place of a character; "" where that may stand as it is. */
static void replace_character(safe_form form, long code, char step[SAFE_STEP])
{
    static const char unknown[] = "\xef\xbf\xbd";
    step[0] = 0;
    if (code < 0) {
        strcpy(step, unknown);
    } else if (form == SAFE_JSON) {
        if (code == '"' || code == '\\')
            snprintf(step, SAFE_STEP, "\\%c", (char)code);
        else if (code == '\n')
            strcpy(step, "\\n");
        else if (is_control(code))
            snprintf(step, SAFE_STEP, "\\u%04x", (unsigned)code & 0xff);
    } else if (code == '\n' || code == '\t' || code == '\r') {
        if (!keeps_lines(form))
            strcpy(step, form == SAFE_COLUMN ? "_" : " ");
        else if (code == '\r')
            strcpy(step, unknown);
    } else if (is_control(code) || is_no_character(code)) {
        strcpy(step, unknown);
    } else if (form == SAFE_XML && code < 0x80 && strchr("&<>\"'", (int)code)) {
        snprintf(step, SAFE_STEP, "&#%ld;", code);
    } else if ((form == SAFE_CSV && code == '"') || (form == SAFE_GNUPLOT && code == '\'')) {
        snprintf(step, SAFE_STEP, "%c%c", (char)code, (char)code);
    }
}

size_t safe_step(safe_form form, const char **text, char step[SAFE_STEP])
{
    size_t n;
    if (keeps_lines(form) && !strncmp(*text, "\r\n", 2)) ++*text;
    if (!**text) return 0;
    replace_character(form, decode_utf8((const unsigned char *)*text, &n), step);
    if (!step[0]) {
        memcpy(step, *text, n);
        step[n] = 0;
    }
    *text += n;
    return strlen(step);
}

void safe_put(FILE *f, safe_form form, const char *text)
{
    char step[SAFE_STEP];
    while (safe_step(form, &text, step)) fputs(step, f);
}

void safe_vline(FILE *f, const char *format, va_list args)
{
    char few[1024], *text = few;
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(few, sizeof few, format, args);
    if (n >= (int)sizeof few && (text = malloc((size_t)n + 1)))
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    safe_put(f, SAFE_LINE, text ? text : few);
    putc('\n', f);
    if (text != few) free(text);
}

void safe_line(FILE *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    safe_vline(f, format, args);
    va_end(args);
}

char *safe_copy(safe_form form, const char *text, char *to, size_t size)
{
    char step[SAFE_STEP];
    size_t used = 0;
    for (size_t n; (n = safe_step(form, &text, step)) && used + n < size; used += n)
        memcpy(to + used, step, n);
    to[used] = 0;
    return to;
}

/* SPDX-License-Identifier: MIT */
/* cgctab explore: a page for a browser that holds a table, or two, and the reader as WebAssembly.
 * It needs nothing else.  The page stands in ../explore/; rules.mk makes arrays of its files. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../format/safe_text.h"
#include "plot.h"

extern const char text_explore_html[], text_explore_css[], text_reader_js[], text_views_js[],
    text_plot_js[], text_draw_js[], text_app_js[], text_reader_wasm_base64[];

static void put_base64(FILE *f, const uint8_t *p, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = 0;
        char four[4];
        for (size_t j = 0; j < 3; j++) bits = bits << 8 | (i + j < n ? p[i + j] : 0u);
        for (size_t j = 0; j < 4; j++)
            four[j] = (char)(i + j <= n ? digit[bits >> (18 - 6 * j) & 63] : '=');
        fwrite(four, 1, sizeof four, f);
    }
}

/* The table's file as the page keeps it, with its name as it was given, without the member. */
static int put_table(FILE *f, const cgct_table *t, const char *given)
{
    cgct_info info;
    const char *path = cgct_table_path(t);
    FILE *from = fopen(path, "rb");
    if (!from) return tool_fail("%s: %s", path, strerror(errno));
    cgct_table_info(t, &info);
    const size_t n = (size_t)info.file_bytes;
    uint8_t *bytes = malloc(n);
    const size_t got = bytes ? fread(bytes, 1, n, from) : 0;
    fclose(from);
    if (got == n) {
        char *name = strdup(given);
        if (name && info.member && strrchr(name, '@')) *strrchr(name, '@') = 0;
        fputs("<script class=\"table\" type=\"text/plain\" data-name=\"", f);
        safe_put(f, SAFE_XML, name ? name : given);
        fputs("\" data-member=\"", f);
        safe_put(f, SAFE_XML, info.member ? cgct_member_name(t, info.member) : "");
        fputs("\">", f);
        put_base64(f, bytes, n);
        fputs("</script>\n", f);
        free(name);
    }
    free(bytes);
    return got == n ? TOOL_OK : tool_fail("%s: cannot be read again", path);
}

typedef struct {
    const tool_call *call;
    FILE *f;
    cgct_table *table[2];
} explorer;

static int put_word(void *to, const char *word, size_t n)
{
    static const char *const script[] = {text_reader_js, text_plot_js, text_views_js, text_draw_js,
                                         text_app_js};
    const explorer *e = to;
    if (!strncmp(word, "title", n)) safe_put(e->f, SAFE_XML, plot_file(e->call->word[0]));
    if (!strncmp(word, "version", n)) fputs(cgct_version(), e->f);
    if (!strncmp(word, "style", n)) fputs(text_explore_css, e->f);
    for (size_t i = 0; !strncmp(word, "script", n) && i < sizeof script / sizeof *script; i++)
        fputs(script[i], e->f);
    if (strncmp(word, "data", n) != 0) return TOOL_OK;
    fprintf(e->f, "<script id=\"reader\" type=\"text/plain\">%s</script>\n",
            text_reader_wasm_base64);
    for (size_t i = 0; i < e->call->n; i++)
        TOOL_TRY(put_table(e->f, e->table[i], e->call->word[i]));
    return TOOL_OK;
}

int cmd_explore(tool_call *c)
{
    explorer e = {.call = c};
    if (!tool_value(c, "-o")) return tool_usage("explore: needs -o FILE, the page");
    TOOL_TRY(tool_open_first(c));
    e.table[0] = c->table;
    if (c->n > 1) TOOL_TRY(tool_open(c->word[1], &e.table[1]));
    int st = tool_photons(c, e.table[1]);
    if (st == TOOL_OK && !*text_reader_wasm_base64)
        st = tool_fail("explore: this program was built without the reader for browsers; install "
                       "clang, lld, wasi-libc and libclang-rt-dev-wasm32 and build it again");
    if (st == TOOL_OK) st = put_page(c, text_explore_html, put_word, &e, &e.f);
    cgct_close(e.table[1]);
    return st;
}

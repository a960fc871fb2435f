/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of any bytes in the forms of the output formats: Python's strict parsers read them back. */
#include <stdlib.h>

#include "command.h"
#include "format/safe_text.h"
#include "have.h"
#include "run_suite.h"

enum { FORMS = SAFE_GNUPLOT + 1, ROOM = 64 };

/* In the order of safe_form: what stands around each text in the file of that form. */
static const struct {
    const char *name, *open, *before, *behind, *close;
} files[FORMS] = {{"line", "", "", "\n", ""},         {"lines", "", "", "\x1e\n", ""},
                  {"column", "", "", "\n", ""},       {"csv", "", "\"", "\",x\n", ""},
                  {"json", "[", "\"", "\",\n", "0]"}, {"xml", "<a>", "<b c='", "'/>\n", "</a>\n"},
                  {"gnuplot", "", "", "\n", ""}};

static void write_files(size_t n, char (*text)[ROOM])
{
    for (int form = 0; form < FORMS; form++) {
        char path[96];
        snprintf(path, sizeof path, "%s/%s", place.folder, files[form].name);
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(files[form].open, f);
        for (size_t i = 0; i < n; i++) {
            fputs(files[form].before, f);
            safe_put(f, (safe_form)form, text[i]);
            fputs(files[form].behind, f);
        }
        fputs(files[form].close, f);
        ck_assert_int_eq(fclose(f), 0);
    }
}

/* Reads the files strictly; with `texts`, one a line as hexadecimal digits, good ones come back. */
static const char check[] =
    "import csv, json, re, sys, xml.etree.ElementTree as E\n"
    "texts = [bytes.fromhex(t) for t in open('texts').read().split()]\n"
    "def good(t):\n"
    "    try: return t.decode()\n"
    "    except UnicodeDecodeError: return None\n"
    "def read(name): return open(name, encoding='utf-8', newline='').read()\n"
    "control = re.compile('[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]')\n"
    "lost = re.compile('[\\x00-\\x1f\\x7f-\\x9f\\ufdd0-\\ufdef]|[' + ''.join(chr(p << 16 | e)\n"
    "    for p in range(17) for e in (0xfffe, 0xffff)) + ']')\n"
    "line, column = read('line').split('\\n')[:-1], read('column').split('\\n')[:-1]\n"
    "lines = read('lines').split('\\x1e\\n')[:-1]\n"
    "rows = list(csv.reader(open('csv', encoding='utf-8', newline=''), strict=True))\n"
    "values = json.loads(read('json'))[:-1]\n"
    "tree = [e.get('c') for e in E.fromstring(read('xml'))]\n"
    "gnuplot = read('gnuplot').split('\\n')[:-1]\n"
    "for l in line, column, lines, rows, values, tree, gnuplot:\n"
    "    assert len(l) == len(texts), (len(l), len(texts))\n"
    "for i, t in enumerate(texts):\n"
    "    g = good(t)\n"
    "    assert all(len(r) == 2 for r in rows[i:i + 1])\n"
    "    assert not control.search(line[i] + lines[i] + column[i] + rows[i][0] + gnuplot[i])\n"
    "    assert '\\t' not in line[i] + column[i] + rows[i][0] + gnuplot[i]\n"
    "    assert \"'\" not in gnuplot[i].replace(\"''\", '')\n"
    "    if g is None:\n"
    "        for w in line[i], lines[i], rows[i][0], values[i], tree[i]: assert '\\ufffd' in w, "
    "(t, w)\n"
    "        continue\n"
    "    assert values[i] == g, (t, values[i])\n"
    "    if lost.search(g): continue\n"
    "    for w in line[i], lines[i], column[i], rows[i][0], tree[i], gnuplot[i].replace(\"''\", "
    "\"'\"):\n"
    "        assert w == g, (t, w)\n"
    "print(len(texts), 'texts')\n";

static void read_back(size_t n, char (*text)[ROOM])
{
    char path[96];
    snprintf(path, sizeof path, "%s/texts", place.folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (size_t i = 0; i < n; i++) {
        for (const char *c = text[i]; *c; c++) fprintf(f, "%02x", (unsigned char)*c);
        fputc('\n', f);
    }
    fclose(f);
    write_files(n, text);
    command_write(&place, "check.py", check);
    ck_assert_msg(command_run(&place, "python3 check.py") == 0, "%s", place.output);
}

/* Each byte alone, between letters, and before each other byte. */
START_TEST(every_byte)
{
    enum { BYTES = 255 };
    static char text[BYTES * (BYTES + 2)][ROOM];
    size_t n = 0;
    if (!have("python3")) return;
    for (int a = 1; a <= BYTES; a++) {
        text[n++][0] = (char)a;
        snprintf(text[n++], ROOM, "a%cb", a);
        for (int b = 1; b <= BYTES; b++, n++) {
            text[n][0] = (char)a;
            text[n][1] = (char)b;
        }
    }
    read_back(n, text);
}
END_TEST

/* Characters of every length, and what only looks like one. */
START_TEST(every_character)
{
    static char text[20000][ROOM];
    static const char *const bad[] = {"\xc0\xaf",
                                      "\xe0\x80\xaf",
                                      "\xf0\x80\x80\xaf",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xe2\x82",
                                      "\xf0\x9f\x98",
                                      "\xf0\x9f\x98z",
                                      "\xfe\xfe\xff\xff",
                                      "\x80",
                                      "\xf8\x88\x80\x80\x80"};
    static const char *const tricky[] = {
        "]]>",   "--",        "<!-- -->", "a--b",     "\\",           "\\\"",
        "'",     "''",        "\"",       "\"\"",     "a,b",          "a;b\tc",
        "&amp;", "<script>x", "${HOME}",  "`ls`",     "%s%n",         "\xef\xbb\xbfmark",
        "=1+1",  "end\\",     "#",        "\xc2\xa0", "\xe2\x80\xa8", "\xf0\x9f\x98\x80"};
    size_t n = 0;
    if (!have("python3")) return;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) snprintf(text[n++], ROOM, "%s", bad[i]);
    for (size_t i = 0; i < sizeof tricky / sizeof *tricky; i++)
        snprintf(text[n++], ROOM, "%s", tricky[i]);
    /* all of the ends, where some are no characters, and some between */
    for (unsigned long code = 0x80, step; code <= 0x10ffff; code += step) {
        step = code < 0x900 || (code & 0xffff) > 0xfdc0 ? 1 : 0x7f;
        char *t = text[n];
        if (code >= 0xd800 && code < 0xe000) continue;
        if (code < 0x800) {
            *t++ = (char)(0xc0 | code >> 6);
        } else if (code < 0x10000) {
            *t++ = (char)(0xe0 | code >> 12);
            *t++ = (char)(0x80 | (code >> 6 & 0x3f));
        } else {
            *t++ = (char)(0xf0 | code >> 18);
            *t++ = (char)(0x80 | (code >> 12 & 0x3f));
            *t++ = (char)(0x80 | (code >> 6 & 0x3f));
        }
        *t = (char)(0x80 | (code & 0x3f));
        ck_assert_uint_lt(++n, sizeof text / sizeof *text);
    }
    read_back(n, text);
}
END_TEST

/* A copy ends with a whole character. */
START_TEST(room)
{
    char to[16];
    ck_assert_str_eq(safe_copy(SAFE_LINE, "a\xc3\xa9\xc3\xa9", to, 5), "a\xc3\xa9");
    ck_assert_str_eq(safe_copy(SAFE_LINE, "a\n\033[1m", to, sizeof to), "a \xef\xbf\xbd[1m");
    ck_assert_str_eq(safe_copy(SAFE_XML, "<\r\n", to, sizeof to), "&#60;\n");
    ck_assert_str_eq(safe_copy(SAFE_JSON, "\033", to, sizeof to), "\\u001b");
    ck_assert_str_eq(safe_copy(SAFE_COLUMN, "a\tb", to, sizeof to), "a_b");
    ck_assert_str_eq(safe_copy(SAFE_LINE, "abc", to, 1), "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("safe_text");
    TCase *c = tcase_create("safe_text");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, every_byte);
    tcase_add_test(c, every_character);
    tcase_add_test(c, room);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}

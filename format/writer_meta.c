/* SPDX-License-Identifier: MIT */
#include "writer_meta.h"

#include <stdlib.h>
#include <string.h>

static const char key_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

static int has_key(const cgct_writer_meta *m, const char *key, size_t nkey)
{
    for (size_t i = 0; i < m->size; i++) {
        if (m->size - i > nkey && !memcmp(m->text + i, key, nkey) && m->text[i + nkey] == '\t')
            return 1;
        const char *lf = memchr(m->text + i, '\n', m->size - i);
        if (!lf) break;
        i = (size_t)(lf - m->text);
    }
    return 0;
}

static cgct_status reserve(cgct_writer_meta *m, size_t more, cgct_err *err)
{
    if (m->capacity - m->size >= more) return CGCT_OK;
    size_t capacity = 2 * m->capacity + more;
    char *text = realloc(m->text, capacity);
    if (!text) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes of metadata", capacity);
    m->text = text;
    m->capacity = capacity;
    return CGCT_OK;
}

static void put_escaped(cgct_writer_meta *m, const char *value, size_t n)
{
    static const char special[] = "\\\n\r\t", letter[] = "\\nrt";
    for (size_t i = 0; i < n; i++) {
        const char *at = strchr(special, value[i]);
        if (at) m->text[m->size++] = '\\';
        m->text[m->size++] = at ? letter[at - special] : value[i];
    }
}

static cgct_status add_line(cgct_writer_meta *m, const char *key, size_t nkey, const char *value,
                            size_t nvalue, cgct_err *err)
{
    if (nkey == 0 || strspn(key, key_chars) < nkey)
        return cgct_fail(err, CGCT_E_USAGE,
                         "metadata key '%.*s': want letters, digits, '_', '.' and '-'", (int)nkey,
                         key);
    if (has_key(m, key, nkey))
        return cgct_fail(err, CGCT_E_USAGE, "metadata key '%.*s' occurs twice", (int)nkey, key);
    CGCT_TRY(reserve(m, nkey + 2 * nvalue + 2, err));
    memcpy(m->text + m->size, key, nkey);
    m->size += nkey;
    m->text[m->size++] = '\t';
    put_escaped(m, value, nvalue);
    m->text[m->size++] = '\n';
    return CGCT_OK;
}

cgct_status cgct_writer_meta_init(cgct_writer_meta *m, const cgct_writer_spec *s, cgct_err *err)
{
    const char *const pair[][2] = {
        {"quantity", s->fold ? "modes m of J_T, J_L in GeV^-6, I(q,k1,theta) = J(q,k1,theta) + "
                               "J(q,k2,theta2), theta2 = angle(k2,q), "
                               "J = 2 pi J_0 + 4 pi sum_{m>=1} (-1)^m cos(m theta) J_m"
                             : "modes m of I_T, I_L in GeV^-6, theta = angle(k1,q), "
                               "I = 2 pi I_0 + 4 pi sum_{m>=1} (-1)^m cos(m theta) I_m"},
        {"generator", s->generator},
        {"dipole", s->dipole},
        {"backend", s->backend},
        {"card", s->card}};
    *m = (cgct_writer_meta){0};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        CGCT_TRY(add_line(m, pair[i][0], strlen(pair[i][0]), pair[i][1], strlen(pair[i][1]), err));
    return s->names ? add_line(m, "members", 7, s->names, strlen(s->names), err) : CGCT_OK;
}

/* What a message shows of a line. */
static int shown_length(const char *line)
{
    size_t n = strcspn(line, "\n");
    return n < 60 ? (int)n : 60;
}

cgct_status cgct_writer_meta_add(cgct_writer_meta *m, const char *lines, cgct_err *err)
{
    for (const char *p = lines; p && *p;) {
        const char *lf = strchr(p, '\n'), *tab = strchr(p, '\t');
        if (!lf || !tab || tab > lf)
            return cgct_fail(err, CGCT_E_USAGE,
                             "metadata line '%.*s': want key, tab, value, newline", shown_length(p),
                             p);
        CGCT_TRY(add_line(m, p, (size_t)(tab - p), tab + 1, (size_t)(lf - tab - 1), err));
        p = lf + 1;
    }
    return CGCT_OK;
}

void cgct_writer_meta_free(cgct_writer_meta *m)
{
    free(m->text);
    *m = (cgct_writer_meta){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that users write: what is read is finite and can be used, or a message says why not. */
#include <math.h>

#include "config/config.h"
#include "format/rows.h"
#include "fuzz/fuzz.h"
#include "reader/events/pdf.h"

static void use_dipole(const dipole_source *s)
{
    enum { POINTS = 9 };
    double x[3], r2[POINTS], lnS[POINTS], diff[POINTS];
    cgct_err err = {""};
    x[0] = s->xmin, x[2] = s->xmax;
    PROMISE(0 <= x[0] && x[0] <= x[2] && x[2] <= 1);
    x[1] = sqrt(x[0] * x[2]);
    for (int i = 0; i < POINTS; i++) r2[i] = i ? pow(10, 3 * i - 14) : 0;
    for (int i = 0; i < 3; i++) {
        dipole *d;
        if (dipole_init(&d, s, x[i], &err) != CGCT_OK) {
            PROMISE(!d);
            PROMISE_MESSAGE(err);
            continue;
        }
        PROMISE(isfinite(d->Qs2) && d->Qs2 > 0);
        dipole_lnS(d, POINTS, r2, lnS);
        dipole_diff(d, 1, POINTS, r2, diff);
        for (int k = 0; k < POINTS; k++) PROMISE(lnS[k] <= 0 && !isnan(diff[k]));
        dipole_free(d);
    }
}

void fuzz_dipole(const uint8_t *bytes, size_t n)
{
    const char *path = fuzz_file(0, bytes, n);
    for (int i = 0; i < 4; i++) {
        const dipole_opts o = {.kind = DIPOLE_TABLE,
                               .path = path,
                               .is_S = i == 1,
                               .x0 = i == 2 ? 0.01 : 0,
                               .shake = i == 3,
                               .smooth = i == 3 ? 0.1 : 0};
        dipole_source *s = NULL;
        cgct_err err = {""};
        if (dipole_source_open(&s, &o, &err) == CGCT_OK)
            use_dipole(s);
        else
            PROMISE_MESSAGE(err);
        dipole_source_close(s);
    }
}

/* The settings of a card, written and read, are the same settings. */
static void card_again(const config *c)
{
    config again;
    char *text = config_results(c);
    cgct_err err = {""};
    PROMISE(config_from_results(&again, text, &err) == CGCT_OK);
    char *other = config_results(&again);
    PROMISE(!strcmp(text, other));
    config_free(&again);
    free(text);
    free(other);
}

void fuzz_card(const uint8_t *bytes, size_t n)
{
    config c;
    cgct_err err = {""};
    if (config_init(&c, fuzz_file(0, bytes, n), 0, NULL, &err) != CGCT_OK) {
        PROMISE_MESSAGE(err);
        return;
    }
    PROMISE(c.run.x.n >= 1 && c.run.q.n >= 1 && isfinite(c.run.k_max));
    card_again(&c);
    config_free(&c);
}

void fuzz_members(const uint8_t *bytes, size_t n)
{
    config c;
    dipole_ensemble m;
    cgct_err err = {""};
    char set[128], *const names = malloc(n + 1);
    const char *const sets[] = {set};
    PROMISE(names);
    memcpy(names, bytes, n);
    names[n] = 0;
    snprintf(set, sizeof set, "dipole.members=%s", fuzz_file(0, bytes, n));
    PROMISE(config_init(&c, NULL, 1, sets, &err) == CGCT_OK);
    if (!strstr(names, "bk")) { /* an evolution takes seconds */
        if (members_open(&c, &m, &err) != CGCT_OK)
            PROMISE_MESSAGE(err);
        else
            PROMISE(m.n >= 2 && m.ncomparison < m.n);
        members_free(&m);
    }
    err.text[0] = 0;
    const char *last = strrchr(names, '\n') ? strrchr(names, '\n') + 1 : names;
    names[last - names + (long)strcspn(last, " \t")] = 0;
    if (members_choose(&c, last, &err) != CGCT_OK) PROMISE(*err.text);
    config_free(&c);
    free(names);
}

void fuzz_rows(const uint8_t *bytes, size_t n)
{
    static const char *const name[] = {"x", "eps", "q", "k1", "theta"};
    const char *path = fuzz_file(0, bytes, n);
    for (size_t ncol = 1; ncol <= 5; ncol += 2) {
        number_rows r = {.n = 0};
        cgct_err err = {""};
        if (number_rows_read(&r, path, ncol, name, &err) != CGCT_OK)
            PROMISE_MESSAGE(err);
        else
            for (size_t i = 0; i < ncol * r.n; i++) PROMISE(isfinite(r.v.v[i]));
        number_rows_free(&r);
    }
}

void fuzz_lists(const uint8_t *bytes, size_t n)
{
    number_list list;
    double v[2], unit;
    cgct_err err = {""};
    char *text = malloc(n + 1);
    PROMISE(text);
    memcpy(text, bytes, n);
    text[n] = 0;
    if (number_list_parse(text, &list, &err) != CGCT_OK)
        PROMISE(*err.text && !list.v);
    else
        PROMISE(list.n >= 1 && list.n <= 1000000 + n);
    for (size_t i = 0; i < list.n; i++) PROMISE(isfinite(list.v[i]));
    number_list_free(&list);
    number_list_cheb(text);
    if (number_scan(text, v, &unit)) PROMISE(isfinite(v[0]) && !isnan(unit));
    if (integer_parse(text, v)) PROMISE(number_parse(text, v) && fabs(v[0]) <= 0x1p53);
    if (integer_pair(text, 'x', v)) PROMISE(isfinite(v[0]) && isfinite(v[1]));
    free(text);
}

void fuzz_pdf(const uint8_t *bytes, size_t n)
{
    char info[128];
    const char *path = fuzz_file(0, bytes, n);
    ev_pdf *pdf;
    ev_coupling c;
    cgct_err err = {""};
    if (ev_pdf_open(&pdf, path, &err) != CGCT_OK) {
        PROMISE(!pdf);
        PROMISE_MESSAGE(err);
    } else {
        static const double x[3] = {1e-9, 1e-3, 1}, Q[3] = {0.1, 10, 1e4};
        double xf[EV_PARTONS];
        for (int i = 0; i < 9; i++) {
            ev_pdf_at(pdf, x[i / 3], Q[i % 3], xf);
            for (int j = 0; j < EV_PARTONS; j++) PROMISE(isfinite(xf[j]));
        }
    }
    ev_pdf_free(pdf);
    snprintf(info, sizeof info, "%s.info", path);
    PROMISE(rename(path, info) == 0);
    err.text[0] = 0;
    if (ev_coupling_read(&c, info, NULL, &err) != CGCT_OK)
        PROMISE_MESSAGE(err);
    else
        for (int i = -2; i < 20; i++) PROMISE(ev_coupling_at(&c, pow(4, i)) > 0);
    ev_coupling_free(&c);
    PROMISE(remove(info) == 0);
}

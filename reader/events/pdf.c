/* SPDX-License-Identifier: MIT */
/* Parton distributions from a grid of LHAPDF 6, and the running coupling.
 *
 * A grid is a text: a head up to a line "---", and then blocks that end in such a line, rising in
 * Q: knots of x, knots of Q, flavours, and for each x and, faster, each Q a line of x f, one for
 * each flavour.  At the Q where two blocks meet, a threshold, the distributions may have a kink. */
#include "pdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/rows.h"

typedef struct {
    number_list lnx, lnQ, f;             /* f: (x, Q, flavours) */
    size_t flavours, column[EV_PARTONS]; /* flavours: of a line that is not there */
} block;

enum { BLOCKS = 64 };
struct ev_pdf {
    char *path;
    size_t n;
    block of[BLOCKS];
};

/* ---- reading ---- */

static cgct_status open_lines(text_lines *t, char **path, const char *name, cgct_err *err)
{
    const char *folders = getenv("LHAPDF_DATA_PATH"), *at = folders ? folders : "";
    cgct_err other;
    const size_t room = 2 * strlen(name) + strlen(at) + 16;
    if (!(*path = (char *)malloc(room))) return cgct_fail(err, CGCT_E_NOMEM, "no memory for PDFs");
    strcpy(*path, name);
    cgct_status st = text_lines_open(t, *path, err);
    if (st == CGCT_OK || st == CGCT_E_NOMEM || strchr(name, '/')) return st;
    for (; *at && st != CGCT_OK; at += strspn(at, ":")) {
        const size_t n = strcspn(at, ":");
        snprintf(*path, room, "%.*s/%s/%s_0000.dat", (int)n, at, name, name);
        at += n;
        text_lines_close(t);
        st = text_lines_open(t, *path, &other);
    }
    if (st == CGCT_OK) return st;
    return cgct_context(err, st, "no set of this name in LHAPDF_DATA_PATH (%s)",
                        folders ? folders : "not set");
}

/* Appends the numbers of the next line.  what: for messages. */
static cgct_status read_numbers(text_lines *t, const char *what, number_list *to, cgct_err *err)
{
    char *line;
    CGCT_TRY(text_lines_next(t, &line, err));
    if (!line) return cgct_fail(err, CGCT_E_FORMAT, "%s: ends before its %s", t->name, what);
    for (const char *at = line; *at; at += strspn(at, " \t")) {
        double v;
        const char *end = number_scan(at, &v, NULL);
        if (!end || !strchr(" \t", *end))
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: '%.40s' is no number of its %s", t->name,
                             t->line, at, what);
        CGCT_TRY(number_list_add(to, v, err));
        at = end;
    }
    return CGCT_OK;
}

/* Knots, which become logarithms. */
static cgct_status read_knots(text_lines *t, const char *what, double most, size_t least,
                              number_list *to, cgct_err *err)
{
    CGCT_TRY(read_numbers(t, what, to, err));
    if (to->n < least)
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %zu %s, want %zu or more", t->name, t->line,
                         to->n, what, least);
    for (size_t i = 0; i < to->n; i++) {
        if (!(to->v[i] > 0 && to->v[i] <= most))
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %g among its %s, want above 0, up to %g",
                             t->name, t->line, to->v[i], what, most);
        to->v[i] = log(to->v[i]);
        if (i && !(to->v[i] > to->v[i - 1]))
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %s do not rise from number %zu to %zu",
                             t->name, t->line, what, i, i + 1);
    }
    return CGCT_OK;
}

/* Codes of the Particle Data Group, and 0 for the gluon; others, a photon for one, are left out. */
static cgct_status read_partons(text_lines *t, block *b, cgct_err *err)
{
    number_list id = {0};
    cgct_status st = read_numbers(t, "flavours", &id, err);
    b->flavours = id.n;
    for (int i = 0; i < EV_PARTONS; i++) b->column[i] = id.n;
    for (size_t i = 0; i < id.n && st == CGCT_OK; i++) {
        const double v = id.v[i] == 21 ? 0 : id.v[i];
        if (!(fabs(v) <= 6) || v != floor(v)) continue;
        size_t *column = &b->column[EV_GLUON + (int)v];
        if (*column < id.n)
            st =
                cgct_fail(err, CGCT_E_FORMAT, "%s:%u: flavour %g twice", t->name, t->line, id.v[i]);
        *column = i;
    }
    if (st == CGCT_OK && b->column[EV_GLUON] == id.n)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s:%u: no gluon (21) among the flavours", t->name,
                       t->line);
    number_list_free(&id);
    return st;
}

static cgct_status read_block(text_lines *t, const block *below, block *b, cgct_err *err)
{
    char *line;
    CGCT_TRY(read_knots(t, "knots of x", 1, 4, &b->lnx, err));
    CGCT_TRY(read_knots(t, "knots of Q", 1e9, 2, &b->lnQ, err));
    if (below && fabs(b->lnQ.v[0] - below->lnQ.v[below->lnQ.n - 1]) > 1e-6)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s:%u: a block begins at Q = %g GeV, the one before it ends at %g",
                         t->name, t->line, exp(b->lnQ.v[0]), exp(below->lnQ.v[below->lnQ.n - 1]));
    CGCT_TRY(read_partons(t, b, err));
    for (size_t i = 0; i < b->lnx.n * b->lnQ.n; i++) {
        const size_t before = b->f.n;
        CGCT_TRY(read_numbers(t, "values", &b->f, err));
        if (b->f.n - before != b->flavours)
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %zu values, want one for each of %zu %s",
                             t->name, t->line, b->f.n - before, b->flavours, "flavours");
        for (size_t j = before; j < b->f.n; j++)
            if (!(fabs(b->f.v[j]) < 1e15))
                return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: x f = %g, want below 1e15", t->name,
                                 t->line, b->f.v[j]);
    }
    CGCT_TRY(text_lines_next(t, &line, err));
    if (!line || strcmp(line, "---"))
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: '%.40s', want '---' behind %zu x %zu values",
                         t->name, t->line, line ? line : "", b->lnx.n, b->lnQ.n);
    return CGCT_OK;
}

static cgct_status read_grid(text_lines *t, ev_pdf *pdf, cgct_err *err)
{
    char *line;
    int known = 0;
    for (;;) {
        CGCT_TRY(text_lines_next(t, &line, err));
        if (line && !strcmp(line, "---")) break;
        if (!line || t->line > 1000)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: no line '---': no grid of LHAPDF 6", t->name);
        known |= !strncmp(line, "Format:", 7) && strstr(line, "lhagrid1");
    }
    if (!known)
        return cgct_fail(err, CGCT_E_FORMAT, "%s: its head has no line 'Format: lhagrid1'",
                         t->name);
    while (t->pos < t->size && t->pos + strspn(t->text + t->pos, " \t\r\n") < t->size) {
        if (pdf->n == BLOCKS)
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: more than %d blocks", t->name, t->line,
                             BLOCKS);
        block *b = &pdf->of[pdf->n++];
        CGCT_TRY(read_block(t, pdf->n > 1 ? b - 1 : NULL, b, err));
    }
    return pdf->n ? CGCT_OK : cgct_fail(err, CGCT_E_FORMAT, "%s: has no values", t->name);
}

cgct_status ev_pdf_open(ev_pdf **to, const char *name, cgct_err *err)
{
    text_lines t = {0};
    ev_pdf *pdf = (ev_pdf *)calloc(1, sizeof *pdf);
    *to = NULL;
    if (!pdf) return cgct_fail(err, CGCT_E_NOMEM, "no memory for PDFs");
    cgct_status st = open_lines(&t, &pdf->path, name, err);
    if (st == CGCT_OK) st = read_grid(&t, pdf, err);
    text_lines_close(&t);
    if (st == CGCT_OK)
        *to = pdf;
    else
        ev_pdf_free(pdf);
    return st;
}

void ev_pdf_free(ev_pdf *pdf)
{
    for (size_t i = 0; pdf && i < pdf->n; i++) {
        number_list_free(&pdf->of[i].lnx);
        number_list_free(&pdf->of[i].lnQ);
        number_list_free(&pdf->of[i].f);
    }
    if (pdf) free(pdf->path);
    free(pdf);
}

const char *ev_pdf_path(const ev_pdf *pdf)
{
    return pdf->path;
}

/* ---- evaluation ---- */

/* The knot below v, which is held between the ends. */
static size_t knot_below(const number_list *knot, double *v)
{
    size_t lo = 0, hi = knot->n - 1;
    *v = fmin(fmax(*v, knot->v[lo]), knot->v[hi]);
    while (hi - lo > 1) {
        const size_t mid = (lo + hi) / 2;
        if (knot->v[mid] <= *v)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Weights of the knots i - 1 to i + 2; 0 of those that are not there. */
static void weigh_knots(const number_list *knot, size_t i, double v, int linear, double w[4])
{
    const double *at = knot->v + i, h = at[1] - at[0], t = (v - at[0]) / h;
    w[0] = w[3] = 0;
    w[1] = linear ? 1 - t : (1 - t) * (1 - t) * (1 + 2 * t);
    w[2] = 1 - w[1];
    if (linear) return;
    /* slopes at both knots: means of the differences on either side, or the one there is */
    const double a = t * (1 - t) * (1 - t), b = -t * t * (1 - t);
    const double below = i > 0 ? h / (at[0] - at[-1]) / 2 : 0;
    const double above = i + 2 < knot->n ? h / (at[2] - at[1]) / 2 : 0;
    const double half_a = i > 0 ? a / 2 : a, half_b = i + 2 < knot->n ? b / 2 : b;
    w[0] -= a * below;
    w[1] += a * below - half_a - half_b;
    w[2] += half_a + half_b - b * above;
    w[3] += b * above;
}

int ev_pdf_at(const ev_pdf *pdf, double x, double Q, double xf[EV_PARTONS])
{
    double v[2] = {log(x), log(Q)}, held[2] = {v[0], v[1]}, w[2][4];
    const block *b = pdf->of;
    for (int i = 0; i < EV_PARTONS; i++) xf[i] = 0;
    while (b + 1 < pdf->of + pdf->n && v[1] >= b[1].lnQ.v[0]) b++;
    const size_t nQ = b->lnQ.n, i = knot_below(&b->lnx, &held[0]),
                 j = knot_below(&b->lnQ, &held[1]);
    const int outside = held[0] != v[0] || held[1] != v[1];
    if (!(v[0] <= held[0])) return 1;
    weigh_knots(&b->lnx, i, held[0], nQ < 4, w[0]);
    weigh_knots(&b->lnQ, j, held[1], nQ < 4, w[1]);
    for (int k = 0; k < 16; k++) {
        const double both = w[0][k / 4] * w[1][k % 4];
        if (both == 0) continue;
        const double *f =
            b->f.v + ((i + (size_t)(k / 4) - 1) * nQ + j + (size_t)(k % 4) - 1) * b->flavours;
        for (int parton = 0; parton < EV_PARTONS; parton++)
            if (b->column[parton] < b->flavours) xf[parton] += both * f[b->column[parton]];
    }
    return outside;
}

/* ---- coupling ---- */

/* The numbers of KEY: [1, 2, ...], in one line or several. */
static cgct_status read_list(const text_lines *t, const char *key, number_list *to, cgct_err *err)
{
    const char *at = t->size ? strstr(t->text, key) : NULL;
    at = at ? at + strlen(key) : NULL;
    if (at) at += strspn(at, ": \t");
    if (!at || *at != '[')
        return cgct_fail(err, CGCT_E_FORMAT, "%s: no list %s: [...]", t->name, key);
    do {
        double v;
        at += 1 + strspn(at + 1, " \t\r\n");
        const char *end = number_scan(at, &v, NULL);
        if (!end)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: '%.*s' is no number of its %s", t->name,
                             (int)fmin((double)strcspn(at, "\r\n"), 20), at, key);
        CGCT_TRY(number_list_add(to, v, err));
        at = end + strspn(end, " \t\r\n");
    } while (*at == ',');
    return *at == ']' ? CGCT_OK
                      : cgct_fail(err, CGCT_E_FORMAT, "%s: %s does not end in ']'", t->name, key);
}

static cgct_status make_table(ev_coupling *c, const text_lines *t, cgct_err *err)
{
    number_list list[2] = {{0}, {0}};
    cgct_status st = read_list(t, "AlphaS_Qs", &list[0], err);
    if (st == CGCT_OK) st = read_list(t, "AlphaS_Vals", &list[1], err);
    if (st == CGCT_OK && list[0].n != list[1].n)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: %zu AlphaS_Qs and %zu AlphaS_Vals", t->name,
                       list[0].n, list[1].n);
    if (st == CGCT_OK && !(c->table = (double *)malloc(2 * list[0].n * sizeof *c->table)))
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for alpha_s");
    for (size_t i = 0; i < list[0].n && st == CGCT_OK; i++) {
        const double Q = list[0].v[i], value = list[1].v[i];
        /* a threshold stands there twice */
        if (!(Q > 0 && value > 1e-3 && value < 1e3 && (!i || Q >= list[0].v[i - 1])))
            st = cgct_fail(err, CGCT_E_FORMAT, "%s: alpha_s %g at Q %g, number %zu", t->name, value,
                           Q, i + 1);
        c->table[2 * i] = log(Q);
        c->table[2 * i + 1] = 1 / value;
        c->n = i + 1;
    }
    number_list_free(&list[0]);
    number_list_free(&list[1]);
    return st;
}

/* path: NULL for that beside the grid. */
static cgct_status read_info(ev_coupling *c, const char *path, const ev_pdf *pdf, cgct_err *err)
{
    text_lines t = {0};
    const char *grid = path ? path : pdf->path;
    const size_t n = strlen(grid), tail = path ? 0 : strlen("_0000.dat");
    char *own = (char *)malloc(n + sizeof ".info");
    if (!own) return cgct_fail(err, CGCT_E_NOMEM, "no memory for alpha_s");
    snprintf(own, n + sizeof ".info", "%.*s%s", (int)(n > tail ? n - tail : n), grid,
             path ? "" : ".info");
    cgct_status st = text_lines_open(&t, own, err);
    if (st == CGCT_OK) st = make_table(c, &t, err);
    text_lines_close(&t);
    c->path = own;
    return st;
}

void ev_coupling_free(ev_coupling *c)
{
    free(c->table);
    free(c->path);
    *c = (ev_coupling){0};
}

cgct_status ev_coupling_read(ev_coupling *c, const char *text, const ev_pdf *pdf, cgct_err *err)
{
    const int from_mz = text && !strncmp(text, "mz:", 3);
    double v;
    *c = (ev_coupling){0};
    if (text && strlen(text) > 5 && !strcmp(text + strlen(text) - 5, ".info"))
        return read_info(c, text, pdf, err);
    if (!text || !strcmp(text, "pdf")) {
        const cgct_status st = read_info(c, NULL, pdf, err);
        if (text || st != CGCT_E_IO) return st;
        c->at_mz = 0.118;
        return CGCT_OK;
    }
    if (!number_parse(text + (from_mz ? 3 : 0), &v) || !(v > 1e-3 && v < (from_mz ? 0.14 : 10)))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "'%s', want a number from 0.001 to 10, mz:A with A below 0.14, pdf, or "
                         "FILE.info",
                         text);
    *(from_mz ? &c->at_mz : &c->fixed) = v;
    return CGCT_OK;
}

double ev_coupling_at(const ev_coupling *c, double mu)
{
    static const double end[3] = {91.1876, 4.75, 1.4}; /* where 5, 4 and 3 flavours begin */
    if (c->fixed > 0) return c->fixed;
    if (c->at_mz > 0) {
        double inverse = 1 / c->at_mz, from = end[0];
        mu = fmax(mu, 1);
        for (int i = 0; i < 3; i++) {
            const double b0 = (33 - 2.0 * (5 - i)) / (6 * 3.14159265358979323846);
            const double to = i < 2 && mu < end[i + 1] ? end[i + 1] : mu;
            inverse += b0 * log(to / from);
            from = to;
        }
        return 1 / inverse;
    }
    const double lnQ = log(mu);
    size_t i = 0;
    while (i + 2 < c->n && c->table[2 * i + 2] <= lnQ) i++;
    const double *a = c->table + 2 * i, step = c->n > 1 ? a[2] - a[0] : 0;
    const double t = step > 0 ? fmin(fmax((lnQ - a[0]) / step, 0), 1) : 0;
    return 1 / (t > 0 ? a[1] + t * (a[3] - a[1]) : a[1]);
}

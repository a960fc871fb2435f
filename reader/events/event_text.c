/* SPDX-License-Identifier: MIT */
/* An event as text, in a Les Houches event file or in a line of a flat table.  There is room for
 * all of it before its first character is written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* Of an event without weights: some 40 numbers and the words of 10 lines.  Of a weight but for its
 * name: a number and its tags. */
enum { EVENT_ROOM = 40 * EV_NUMBER + 512, WEIGHT_ROOM = EV_NUMBER + 32 };

static char *put_text(char *to, const char *text)
{
    const size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

/* n numbers with the same digits, and `after` behind each of them. */
static char *put_numbers(char *to, const double *v, int n, int digits, char after)
{
    for (int i = 0; i < n; i++) {
        to = ev_decimal(to, v[i], digits);
        *to++ = after;
    }
    return to;
}

static char *put_weights(const ev_format *f, const ev_event *e, char *to)
{
    const size_t n = f->weights->n;
    for (size_t i = 0; i < n + f->weights->soft; i++) {
        to = f->csv ? put_text(to, ",") : put_text(to, "<wgt id=\"");
        if (!f->csv) to = put_text(put_text(to, f->weights->name[i]), "\">");
        to = ev_decimal(to, i < n ? e->value[i] : e->gluons.weight[i - n], 6);
        if (!f->csv) to = put_text(to, "</wgt>\n");
    }
    return to;
}

/* Number of soft gluons, and their sum along q and across. */
static char *put_gluons(const ev_event *e, const char *between, char *to)
{
    to += sprintf(to, "%zu", e->gluons.n);
    for (int i = 0; i < 2; i++) to = ev_decimal(put_text(to, between), e->gluons.k[i], 8);
    return to;
}

/* The line of a particle; kind: its code, status, mothers and colours. */
static char *put_particle(char *to, const char *kind, const double *p, double mass)
{
    to = put_numbers(put_text(to, kind), p, 4, 12, ' ');
    return put_text(ev_decimal(to, mass, 8), " 0 9\n");
}

static char *put_particles(char *to, const ev_event *e, int real, double p[CGCT_PARTICLES][4])
{
    char quark[] = "0 1 1 2 501 0 ", antiquark[] = "-0 1 1 2 0 502 ";
    quark[0] = antiquark[1] = (char)('0' + e->flavour);
    const char *const kind[CGCT_PARTICLES] = {[CGCT_GLUON] = "21 -1 0 0 501 502 ",
                                              [CGCT_LEPTON_IN] = "11 -1 0 0 0 0 ",
                                              [CGCT_LEPTON] = "11 1 1 2 0 0 ",
                                              [CGCT_QUARK] = quark,
                                              [CGCT_ANTIQUARK] = antiquark};
    const double *g = p[CGCT_GLUON], light = real ? 0 : CGCT_ELECTRON_MASS;
    const double m2 = g[3] * g[3] - g[0] * g[0] - g[1] * g[1] - g[2] * g[2];
    const double mass[CGCT_PARTICLES] = {[CGCT_GLUON] = m2 < 0 ? -sqrt(-m2) : sqrt(m2),
                                         [CGCT_LEPTON_IN] = light,
                                         [CGCT_LEPTON] = light,
                                         [CGCT_QUARK] = e->mass,
                                         [CGCT_ANTIQUARK] = e->mass};
    for (int i = 0; i < CGCT_PARTICLES; i++) to = put_particle(to, kind[i], p[i], mass[i]);
    return to;
}

static char *put_lhef(const ev_format *f, const ev_event *e, char *to)
{
    static const char *const name[] = {"# x ", " z ", " q ", " k1 ", " theta "};
    const double remark[] = {e->x, e->z, e->q, e->k1, e->theta};
    /* the relative momentum of quark and antiquark along q and across */
    const double along = e->k1 * cos(e->theta) - e->z * e->q, across = e->k1 * sin(e->theta);
    double p[CGCT_PARTICLES][4];
    ev_momenta(f->source->setup, e, p);
    const double first[] = {e->weight, sqrt(along * along + across * across),
                            f->source->setup->alpha_em};
    to = put_numbers(put_text(to, "<event>\n5 1 "), first, 3, 8, ' ');
    to = put_particles(put_text(to, "-1\n"), e, f->source->setup->photons.real, p);
    if (f->weights->n) {
        to = put_weights(f, e, put_text(to, "<rwgt>\n"));
        to = put_text(to, "</rwgt>\n");
    }
    for (int i = 0; i < 5; i++) to = ev_decimal(put_text(to, name[i]), remark[i], 8);
    *to++ = ' ';
    *to++ = polarisation_name[e->photon];
    if (f->source->setup->photons.real)
        to = put_text(to, e->direction > 0 ? " direction 1" : " direction -1");
    if (f->source->soft) to = put_gluons(e, " ", put_text(to, " gluons "));
    return put_text(to, "\n</event>\n");
}

static char *put_csv(const ev_format *f, const ev_event *e, char *to)
{
    const double along = e->k1 * cos(e->theta) - e->z * e->q, across = e->k1 * sin(e->theta);
    const double K = sqrt(along * along + across * across), phi = atan2(across, along);
    const double before[] = {e->x, e->Q2, e->y, e->z, e->q, e->k1, e->theta, K, phi, e->eps};
    const double behind[] = {e->turn, e->lepton};
    to = put_numbers(to, before, 10, 10, ',');
    *to++ = polarisation_name[e->photon];
    *to++ = ',';
    *to++ = (char)('0' + e->flavour);
    *to++ = ',';
    to = put_numbers(to, behind, 2, 10, ',');
    if (f->source->setup->photons.real) to = put_text(to, e->direction > 0 ? "1," : "-1,");
    if (f->source->soft) to = put_text(put_gluons(e, ",", to), ",");
    to = ev_decimal(to, e->weight, 10);
    return put_text(put_weights(f, e, to), "\n");
}

/* ---- proton-nucleus collisions ---- */

static const char *const channel_name[EV_KINDS] = {"qg", "gg", "qqb"};

static char *put_pa_lhef(const ev_format *f, const ev_event *e, char *to)
{
    static const char *const name[] = {" x ", " x_p ", " z ", " q ", " k1 ", " k2 ", " angle "};
    const ev_pair *pair = &e->pair;
    const double remark[] = {e->x, pair->x_p, e->z, e->q, pair->k[0], pair->k[1], pair->angle};
    const double first[] = {e->weight, pair->mu, 1 / 137.036, pair->alpha_s};
    double p[4][4];
    int colour[4][2];
    ev_pa_momenta(f->source->pa, e, p);
    ev_pa_colours(pair, colour);
    to = put_numbers(put_text(to, "<event>\n4 1 "), first, 4, 8, ' ');
    to[-1] = '\n';
    for (int i = 0; i < 4; i++) {
        char kind[64];
        sprintf(kind, "%d %s %d %d ", i == 1 ? 21 : pair->id[i ? i - 1 : 0],
                i < 2 ? "-1 0 0" : "1 1 2", colour[i][0], colour[i][1]);
        to = put_particle(to, kind, p[i], i == 1 ? -e->q : 0);
    }
    if (f->weights->n) to = put_text(put_weights(f, e, put_text(to, "<rwgt>\n")), "</rwgt>\n");
    to = put_text(put_text(to, "# "), channel_name[pair->channel]);
    for (int i = 0; i < 7; i++) to = ev_decimal(put_text(to, name[i]), remark[i], 8);
    return put_text(to, "\n</event>\n");
}

static char *put_pa_csv(const ev_format *f, const ev_event *e, char *to)
{
    const ev_pair *p = &e->pair;
    const double before[] = {e->x,    p->x_p,  e->z,     e->q, p->y[0], p->y[1],
                             p->k[0], p->k[1], p->angle, p->P, p->mu,   p->alpha_s};
    to = put_text(put_text(to, channel_name[p->channel]), ",");
    to = put_numbers(to, before, 12, 10, ',');
    to += sprintf(to, "%d,%d,%d,", p->id[0], p->id[1], p->id[2]);
    to = ev_decimal(put_numbers(to, &e->turn, 1, 10, ','), e->weight, 10);
    return put_text(put_weights(f, e, to), "\n");
}

cgct_status ev_append(const ev_format *f, const ev_event *e, ev_text *t, cgct_err *err)
{
    const ev_weights *w = f->weights;
    const size_t end = t->n + EVENT_ROOM + (w->n + w->soft) * WEIGHT_ROOM + w->letters;
    if (end > t->room) {
        char *text = (char *)realloc(t->text, 2 * end);
        if (!text) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the text of events");
        t->text = text;
        t->room = 2 * end;
    }
    char *from = t->text + t->n, *to;
    if (f->source->pa)
        to = f->csv ? put_pa_csv(f, e, from) : put_pa_lhef(f, e, from);
    else
        to = f->csv ? put_csv(f, e, from) : put_lhef(f, e, from);
    t->n += (size_t)(to - from);
    return CGCT_OK;
}

void ev_text_free(ev_text *t)
{
    free(t->text);
    memset(t, 0, sizeof *t);
}

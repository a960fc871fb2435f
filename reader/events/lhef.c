/* SPDX-License-Identifier: MIT */
/* Events as text: Les Houches event file, version 3 (arXiv:hep-ph/0609017, arXiv:1405.1067), or a
 * flat table. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/safe_text.h"
#include "events.h"

#define SHARE_LARGEST 100.0 /* of a bound that is infinite or where I is 0 */

static cgct_status extend_text(ev_text *t, size_t n, cgct_err *err)
{
    if (t->n + n <= t->room) return CGCT_OK;
    size_t room = 2 * (t->n + n);
    char *text = (char *)realloc(t->text, room);
    if (!text) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the text of events");
    t->text = text;
    t->room = room;
    return CGCT_OK;
}

CGCT_PRINTF_(3, 4)
static cgct_status put(ev_text *t, cgct_err *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->text ? t->text + t->n : NULL, t->room - t->n, format, args);
    va_end(args);
    if (n < 0) return cgct_fail(err, CGCT_E_IO, "an event cannot be printed");
    if ((size_t)n < t->room - t->n) {
        t->n += (size_t)n;
        return CGCT_OK;
    }
    CGCT_TRY(extend_text(t, (size_t)n + 4096, err));
    va_start(args, format);
    vsnprintf(t->text + t->n, t->room - t->n, format, args);
    va_end(args);
    t->n += (size_t)n;
    return CGCT_OK;
}

void ev_text_free(ev_text *t)
{
    free(t->text);
    free(t->end);
    memset(t, 0, sizeof *t);
}

/* ---- header ---- */

/* A name in a line, and in a Les Houches file as XML has it. */
static cgct_status put_safe_name(const ev_format *f, ev_text *t, const char *name, cgct_err *err)
{
    char line[SAFE_STEP], step[SAFE_STEP];
    while (safe_step(SAFE_LINE, &name, line))
        for (const char *at = line; safe_step(f->csv ? SAFE_LINE : SAFE_XML, &at, step);)
            CGCT_TRY(put(t, err, "%s", step));
    return CGCT_OK;
}

static cgct_status put_ranges(const ev_format *f, ev_text *t, cgct_err *err)
{
    const ev_setup *s = f->source->setup;
    const cgct_table *table = f->source->table;
    cgct_info info;
    cgct_table_info(table, &info);
    CGCT_TRY(put(t, err, "# cgctab-events %s\n# table ", cgct_version()));
    CGCT_TRY(put_safe_name(f, t, cgct_table_path(table), err));
    CGCT_TRY(put(t, err, "\n# checksum %016llx\n# member %zu of %zu ", info.checksum, info.member,
                 info.members));
    CGCT_TRY(put_safe_name(f, t, cgct_member_name(table, info.member), err));
    CGCT_TRY(put(t, err, "\n# beams %g x %g GeV, electron and proton, s = %g GeV^2\n", s->electron,
                 s->proton, s->s));
    CGCT_TRY(put(t, err, "# Q2 %g:%g GeV^2, y %g:%g, z %g:%g\n", s->Q2[0], s->Q2[1], s->y[0],
                 s->y[1], s->z[0], s->z[1]));
    CGCT_TRY(put(t, err, "# q %g:%g GeV, the shorter of k1 and k2 %g:%g GeV, x %g:%g%s\n", s->q[0],
                 s->q[1], s->k[0], s->k[1], s->x[0], s->x[1], s->freeze ? " and its edges" : ""));
    CGCT_TRY(put(t, err, "# flavours %d, S_perp %.8g GeV^-2, alpha_em %.8g, seed %llu\n",
                 s->flavours, s->S_perp, s->alpha_em, (unsigned long long)f->source->seed));
    return put(t, err, "# cross section %.8e +- %.2e pb, unweighting efficiency %.4f\n", f->sigma,
               f->error, f->efficiency);
}

static cgct_status put_weight_names(const ev_format *f, ev_text *t, cgct_err *err)
{
    cgct_info info;
    cgct_table_info(f->source->table, &info);
    CGCT_TRY(put(t, err, "<initrwgt>\n"));
    if (info.members > 1) CGCT_TRY(put(t, err, "<weightgroup name=\"members\">\n"));
    for (size_t i = 0; i < info.members && info.members > 1; i++)
        CGCT_TRY(put(t, err, "<weight id=\"member_%zu\">member %zu</weight>\n", i, i));
    if (info.members > 1) CGCT_TRY(put(t, err, "</weightgroup>\n"));
    return put(t, err,
               "<weightgroup name=\"numerical_bound\">\n"
               "<weight id=\"bound_low\">I less the bound on its error</weight>\n"
               "<weight id=\"bound_high\">I and the bound on its error</weight>\n"
               "</weightgroup>\n</initrwgt>\n");
}

static cgct_status put_lhef_header(const ev_format *f, ev_text *t, cgct_err *err)
{
    const ev_setup *s = f->source->setup;
    CGCT_TRY(put(t, err, "<LesHouchesEvents version=\"3.0\">\n<header>\n"));
    CGCT_TRY(put_ranges(f, t, err));
    if (f->weights) CGCT_TRY(put_weight_names(f, t, err));
    CGCT_TRY(put(t, err, "</header>\n<init>\n2212 11 %.10e %.10e 0 0 0 0 3 1\n", s->proton,
                 s->electron));
    return put(t, err, "%.10e %.10e 1.0 1\n<generator name=\"cgctab\" version=\"%s\"/>\n</init>\n",
               f->sigma, f->error, cgct_version());
}

static const char csv_names[] = "x,Q2,y,z,q,k1,theta,eps,polarisation,flavour,turn,lepton,weight\n";

cgct_status ev_header(const ev_format *f, ev_text *t, cgct_err *err)
{
    if (!f->csv) return put_lhef_header(f, t, err);
    CGCT_TRY(put_ranges(f, t, err));
    return put(t, err, "%s", csv_names);
}

/* ---- events ---- */

typedef struct {
    int id, status, colour, anticolour;
} particle_kind;

static cgct_status put_particle(ev_text *t, const particle_kind *k, const ev_momentum *p,
                                cgct_err *err)
{
    double m2 = p->v[3] * p->v[3];
    for (int i = 0; i < 3; i++) m2 -= p->v[i] * p->v[i];
    double mass = k->id == 21 ? (m2 < 0 ? -sqrt(-m2) : sqrt(m2)) : 0;
    int mother = k->status > 0;
    return put(t, err, "%d %d %d %d %d %d %.12e %.12e %.12e %.12e %.8e 0 9\n", k->id, k->status,
               mother, 2 * mother, k->colour, k->anticolour, p->v[0], p->v[1], p->v[2], p->v[3],
               mass);
}

static cgct_status put_weights(const ev_format *f, const ev_event *e, ev_text *t, cgct_err *err)
{
    const cgct_table *table = f->source->table;
    cgct_info info;
    cgct_table_info(table, &info);
    double I[2], bound[2], *all = (double *)malloc(2 * info.members * sizeof *all);
    if (!all) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu members", info.members);
    cgct_eval(table, e->x, e->eps, e->q, e->k1, e->theta, I);
    cgct_eval_error(table, e->x, e->eps, e->q, e->k1, e->theta, bound);
    double own = I[e->pol], share = bound[e->pol] / own;
    if (!(share < SHARE_LARGEST)) share = SHARE_LARGEST;
    cgct_status st = put(t, err, "<rwgt>\n");
    if (info.members > 1) cgct_eval_members(table, e->x, e->eps, e->q, e->k1, e->theta, all);
    for (size_t i = 0; i < info.members && info.members > 1 && st == CGCT_OK; i++) {
        double area = cgct_member_S_perp(table, i) / cgct_member_S_perp(table, info.member);
        double w = all[2 * i + (size_t)e->pol] / own * (isfinite(area) ? area : 1);
        st = put(t, err, "<wgt id=\"member_%zu\">%.6e</wgt>\n", i, w);
    }
    free(all);
    if (st != CGCT_OK) return st;
    return put(t, err,
               "<wgt id=\"bound_low\">%.6e</wgt>\n<wgt id=\"bound_high\">%.6e</wgt>\n</rwgt>\n",
               share < 1 ? 1 - share : 0, 1 + share);
}

static cgct_status put_lhef(const ev_format *f, const ev_event *e, ev_text *t, cgct_err *err)
{
    const particle_kind kind[EV_PARTICLES] = {{21, -1, 501, 502},
                                              {11, -1, 0, 0},
                                              {11, 1, 0, 0},
                                              {e->flavour, 1, 501, 0},
                                              {-e->flavour, 1, 0, 502}};
    ev_momentum p[EV_PARTICLES];
    double across = e->k1 * sin(e->theta), along = e->k1 * cos(e->theta) - e->z * e->q;
    ev_momenta(f->source->setup, e, p);
    CGCT_TRY(put(t, err, "<event>\n5 1 %.8e %.8e %.8e -1\n", e->weight,
                 sqrt(along * along + across * across), f->source->setup->alpha_em));
    for (int i = 0; i < EV_PARTICLES; i++) CGCT_TRY(put_particle(t, &kind[i], &p[i], err));
    if (f->weights) CGCT_TRY(put_weights(f, e, t, err));
    return put(t, err, "# x %.8e z %.8e q %.8e k1 %.8e theta %.8e %c\n</event>\n", e->x, e->z, e->q,
               e->k1, e->theta, polarisation_name[e->pol]);
}

cgct_status ev_append(const ev_format *f, const ev_event *e, ev_text *t, cgct_err *err)
{
    if (!f->csv) return put_lhef(f, e, t, err);
    CGCT_TRY(put(t, err, "%.10e,%.10e,%.10e,%.10e,%.10e,%.10e,%.10e,", e->x, e->Q2, e->y, e->z,
                 e->q, e->k1, e->theta));
    return put(t, err, "%.10e,%c,%d,%.10e,%.10e,%.10e\n", e->eps, polarisation_name[e->pol],
               e->flavour, e->turn, e->lepton, e->weight);
}

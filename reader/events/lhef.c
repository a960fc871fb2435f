/* SPDX-License-Identifier: MIT */
/* The head of a file of events, a Les Houches event file, version 3 (arXiv:hep-ph/0609017,
 * arXiv:1405.1067), or a flat table. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/safe_text.h"
#include "events.h"

cgct_status ev_text_reserve(ev_text *t, size_t n, cgct_err *err)
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
    CGCT_TRY(ev_text_reserve(t, (size_t)n + 4096, err));
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

/* A name in a line, and in a Les Houches file as XML has it. */
static cgct_status put_safe_name(const ev_format *f, ev_text *t, const char *name, cgct_err *err)
{
    char line[SAFE_STEP], step[SAFE_STEP];
    while (safe_step(SAFE_LINE, &name, line))
        for (const char *at = line; safe_step(f->csv ? SAFE_LINE : SAFE_XML, &at, step);)
            CGCT_TRY(put(t, err, "%s", step));
    return CGCT_OK;
}

/* What of the cross section lies outside of the table. */
static cgct_status put_outside(const ev_format *f, ev_text *t, cgct_err *err)
{
    const ev_setup *s = f->source->setup;
    const double *o = f->outside;
    return put(t, err,
               "# outside of the table %.4f of the cross section of these cuts: x above %g %.4f, x "
               "below %g %.4f, eps %.4f, q %.4f; %s\n",
               o[EV_X_ABOVE] + o[EV_X_BELOW] + o[EV_EPS] + o[EV_Q], s->x[1], o[EV_X_ABOVE], s->x[0],
               o[EV_X_BELOW], o[EV_EPS], o[EV_Q],
               s->freeze ? "these events have I at the table's edge"
                         : "there are no events of it, and it is estimated with I at the table's "
                           "edge");
}

static cgct_status put_flavours(const ev_format *f, ev_text *t, cgct_err *err)
{
    const char *before = "# flavours";
    for (int i = 0; i < EV_KINDS; i++) {
        const ev_kind *kind = &f->source->setup->kind[i];
        for (int j = 0; j < kind->n; j++, before = ",")
            CGCT_TRY(put(t, err, "%s %c", before, ev_flavour_name[kind->id[j]]));
        if (kind->n) CGCT_TRY(put(t, err, " with %g GeV", kind->mass));
    }
    return put(t, err, "\n");
}

/* Beams, cuts and couplings of proton-nucleus collisions. */
static cgct_status put_pa(const ev_format *f, ev_text *t, cgct_err *err)
{
    const ev_setup *s = f->source->setup;
    const ev_pa *pa = f->source->pa;
    const ev_coupling *a = &pa->alpha_s;
    CGCT_TRY(put(t, err,
                 "\n# beams %g x %g GeV per nucleon, %s along +z and nucleus, s = %g GeV^2\n# "
                 "process pa: q -> q g, g -> g g, g -> q qbar at large Nc, per nucleon of the "
                 "projectile\n# PDFs ",
                 pa->energy[0], pa->energy[1], pa->deuteron ? "deuteron" : "proton", s->s));
    CGCT_TRY(put_safe_name(f, t, ev_pdf_path(pa->pdf), err));
    CGCT_TRY(put(t, err, " at mu = "));
    CGCT_TRY(put_safe_name(f, t, pa->mu_words, err));
    CGCT_TRY(put(t, err, ", alpha_s %s %.8g, flavours",
                 a->fixed > 0   ? "fixed"
                 : a->at_mz > 0 ? "of one loop, at 91.1876 GeV"
                                : "of its table, at 91.1876 GeV",
                 ev_coupling_at(a, 91.1876)));
    for (int i = 0; i < pa->n; i++)
        CGCT_TRY(put(t, err, "%s%c", i ? "," : " ", ev_flavour_name[pa->id[i]]));
    CGCT_TRY(put(t, err,
                 "\n# y %g:%g of both, z %g:%g, q %g:%g GeV, the shorter of k1 and k2 %g:%g GeV, P "
                 "%g:%g GeV, x %g:%g%s\n",
                 pa->y[0], pa->y[1], s->z[0], s->z[1], s->q[0], s->q[1], s->k[0], s->k[1], s->K[0],
                 s->K[1], s->x[0], s->x[1], s->freeze ? " and its edges" : ""));
    if (pa->dilute) CGCT_TRY(put(t, err, "# T in its dilute limit: the target scatters once\n"));
    return put(t, err, "# Lambda %g GeV, S_perp %.8g GeV^-2, seed %llu\n", pa->Lambda, s->S_perp,
               (unsigned long long)f->source->seed);
}

/* Beams, cuts and couplings of electrons and photons. */
static cgct_status put_dis(const ev_format *f, ev_text *t, cgct_err *err)
{
    const ev_setup *s = f->source->setup;
    if (s->photons.real) {
        CGCT_TRY(put(t, err, "\n# beams %g x %g GeV per nucleon, s = %g GeV^2\n# real photons of ",
                     s->electron, s->proton, s->s));
        CGCT_TRY(put_safe_name(f, t, s->photons.name, err));
        CGCT_TRY(put(t, err, "%s; the emitter stands as a massless electron\n# Q2 0, ",
                     s->both ? ", of both beams: direction -1 stands for the mirror image" : ""));
    } else {
        CGCT_TRY(put(t, err, "\n# beams %g x %g GeV, electron and proton, s = %g GeV^2\n",
                     s->electron, s->proton, s->s));
        CGCT_TRY(put(t, err, "# Q2 %g:%g GeV^2 and from (m_e y)^2/(1-y), ", s->Q2[0], s->Q2[1]));
    }
    CGCT_TRY(put(t, err, "y %g:%g, z %g:%g\n", s->y[0], s->y[1], s->z[0], s->z[1]));
    CGCT_TRY(put(t, err, "# q %g:%g GeV, the shorter of k1 and k2 %g:%g GeV", s->q[0], s->q[1],
                 s->k[0], s->k[1]));
    if (isfinite(s->K[1])) CGCT_TRY(put(t, err, ", K %g:%g GeV", s->K[0], s->K[1]));
    CGCT_TRY(put(t, err, ", x %g:%g%s\n", s->x[0], s->x[1], s->freeze ? " and its edges" : ""));
    CGCT_TRY(put_flavours(f, t, err));
    if (f->source->soft) {
        CGCT_TRY(put(t, err, "# soft gluons "));
        CGCT_TRY(put_safe_name(f, t, f->source->soft_words, err));
        CGCT_TRY(put(t, err,
                     "; they add their sum to q at fixed P = k1 - q/2; x, q, k1, theta and K are "
                     "those with them, cuts and cross section those without\n"));
    }
    return put(t, err, "# S_perp %.8g GeV^-2, alpha_em %.8g (fixed), seed %llu\n", s->S_perp,
               s->alpha_em, (unsigned long long)f->source->seed);
}

static cgct_status put_ranges(const ev_format *f, ev_text *t, cgct_err *err)
{
    const cgct_table *table = f->source->table;
    cgct_info info;
    cgct_table_info(table, &info);
    CGCT_TRY(put(t, err, "# cgctab-events %s\n# table ", cgct_version()));
    CGCT_TRY(put_safe_name(f, t, cgct_table_path(table), err));
    CGCT_TRY(put(t, err, "\n# checksum %016llx\n# member %zu of %zu ", info.checksum, info.member,
                 info.members));
    CGCT_TRY(put_safe_name(f, t, cgct_member_name(table, info.member), err));
    CGCT_TRY(f->source->pa ? put_pa(f, t, err) : put_dis(f, t, err));
    CGCT_TRY(put(t, err, "# cross section %.8e +- %.2e pb, unweighting efficiency %.4f\n", f->sigma,
                 f->error, f->efficiency));
    CGCT_TRY(put_outside(f, t, err));
    if (f->negative < 0) return CGCT_OK;
    return put(
        t, err,
        "# negative: %s; what %s would add there is %.4f of the cross section, and there are "
        "no events\n",
        f->source->pa ? "T is below 0 where more is subtracted than there is, by Lambda"
                      : "the dipole gives no positive cross section at large q",
        f->source->pa ? "|T|" : "|I|", f->negative);
}

/* The words of the Les Houches accord (arXiv:1405.1067) and of LHAPDF say how to combine. */
static const char *combination(const cgct_table *table)
{
    const char *meaning = cgct_meta(table, "uncertainty");
    if (meaning && !strcmp(meaning, "replicas"))
        return "combine=\"replicas\" percentiles=\"16 84\"";
    return meaning && !strcmp(meaning, "hessian") ? "combine=\"hessian\"" : "combine=\"envelope\"";
}

/* A group of the members that are for comparison, or of all others. */
static cgct_status put_weight_group(const ev_format *f, int aside, ev_text *t, cgct_err *err)
{
    const ev_weights *w = f->weights;
    size_t n = 0;
    for (size_t i = 0; i < w->members; i++) n += (w->role[i] == EV_COMPARISON) == aside;
    if (!n) return CGCT_OK;
    CGCT_TRY(put(t, err, "<weightgroup name=\"%s\" %s>\n", aside ? "comparison" : "members",
                 aside ? "combine=\"none\"" : combination(f->source->table)));
    for (size_t i = 0; i < w->members; i++)
        if ((w->role[i] == EV_COMPARISON) == aside)
            CGCT_TRY(put(t, err, "<weight id=\"%s\">member %zu, S_perp %.8g GeV^-2</weight>\n",
                         w->name[i], i, w->area[i] * f->source->setup->S_perp));
    return put(t, err, "</weightgroup>\n");
}

static cgct_status put_pa_weights(ev_text *t, cgct_err *err)
{
    static const char *const scale[2][2] = {{"lambda", "Lambda"}, {"mu", "mu"}};
    for (int i = 0; i < 2; i++)
        CGCT_TRY(put(t, err,
                     "<weightgroup name=\"scale_%s\" combine=\"envelope\">\n"
                     "<weight id=\"%s_half\">half of %s</weight>\n"
                     "<weight id=\"%s_double\">twice %s</weight>\n</weightgroup>\n",
                     scale[i][0], scale[i][0], scale[i][1], scale[i][0], scale[i][1]));
    return CGCT_OK;
}

static cgct_status put_weight_names(const ev_format *f, ev_text *t, cgct_err *err)
{
    CGCT_TRY(put(t, err, "<initrwgt>\n"));
    CGCT_TRY(put_weight_group(f, 0, t, err));
    CGCT_TRY(put_weight_group(f, 1, t, err));
    if (f->source->pa) CGCT_TRY(put_pa_weights(t, err));
    if (f->weights->soft)
        CGCT_TRY(put(t, err,
                     "<weightgroup name=\"soft_gluons\" combine=\"none\">\n"
                     "<weight id=\"soft_isotropic\">gluons radiated isotropically</weight>\n"
                     "<weight id=\"soft_half_scale\">half of the scale of gluons</weight>\n"
                     "</weightgroup>\n"));
    return put(t, err,
               "<weightgroup name=\"numerical_bound\" combine=\"envelope\">\n"
               "<weight id=\"bound_low\">I less the bound on its error</weight>\n"
               "<weight id=\"bound_high\">I and the bound on its error</weight>\n"
               "</weightgroup>\n</initrwgt>\n");
}

static cgct_status put_lhef_header(const ev_format *f, ev_text *t, cgct_err *err)
{
    const ev_setup *s = f->source->setup;
    CGCT_TRY(put(t, err, "<LesHouchesEvents version=\"3.0\">\n<header>\n"));
    CGCT_TRY(put_ranges(f, t, err));
    if (f->weights->n) CGCT_TRY(put_weight_names(f, t, err));
    const ev_pa *pa = f->source->pa;
    CGCT_TRY(put(t, err, "</header>\n<init>\n2212 %d %.10e %.10e 0 0 0 0 3 1\n", pa ? 2212 : 11,
                 pa ? pa->energy[0] : s->proton, pa ? pa->energy[1] : s->electron));
    return put(t, err, "%.10e %.10e 1.0 1\n<generator name=\"cgctab\" version=\"%s\"/>\n</init>\n",
               f->sigma, f->error, cgct_version());
}

static const char csv_names[] = "x,Q2,y,z,q,k1,theta,K,phi,eps,polarisation,flavour,turn,lepton,";
static const char csv_pa_names[] =
    "channel,x,x_p,z,q,y1,y2,k1,k2,angle,P,mu,alpha_s,projectile,parton1,parton2,turn,";

cgct_status ev_header(const ev_format *f, ev_text *t, cgct_err *err)
{
    if (!f->csv) return put_lhef_header(f, t, err);
    CGCT_TRY(put_ranges(f, t, err));
    CGCT_TRY(put(t, err, "%s%s%sweight", f->source->pa ? csv_pa_names : csv_names,
                 f->source->setup->photons.real ? "direction," : "",
                 f->source->soft ? "gluons,gluons_along,gluons_across," : ""));
    for (size_t i = 0; i < f->weights->n + f->weights->soft; i++)
        CGCT_TRY(put(t, err, ",%s", ev_weight_name(f->weights, i)));
    return put(t, err, "\n");
}

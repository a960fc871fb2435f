/* SPDX-License-Identifier: MIT */
/* The head of a file of events, a Les Houches event file, version 3 (arXiv:hep-ph/0609017,
 * arXiv:1405.1067), or a flat table. */
#include <math.h>
#include <string.h>

#include "../../format/safe_text.h"
#include "events.h"

/* A name in a line, and in a Les Houches file as XML has it. */
static void put_name(const ev_format *f, FILE *to, const char *name)
{
    char line[SAFE_STEP];
    while (safe_step(SAFE_LINE, &name, line)) safe_put(to, f->csv ? SAFE_LINE : SAFE_XML, line);
}

/* Beams, cuts and couplings of proton-nucleus collisions. */
static void put_pa(const ev_format *f, FILE *to)
{
    const ev_setup *s = f->source->setup;
    const ev_pa *pa = f->source->pa;
    const ev_coupling *a = &pa->alpha_s;
    fprintf(to,
            "\n# beams %g x %g GeV per nucleon, %s along +z and nucleus, s = %g GeV^2\n# "
            "process pa: q -> q g, g -> g g, g -> q qbar at large Nc, per nucleon of the "
            "projectile\n# PDFs ",
            pa->energy[0], pa->energy[1], pa->deuteron ? "deuteron" : "proton", s->s);
    put_name(f, to, ev_pdf_path(pa->pdf));
    fprintf(to, " at mu = ");
    put_name(f, to, pa->mu_words);
    fprintf(to, ", alpha_s %s %.8g, flavours",
            a->fixed > 0   ? "fixed"
            : a->at_mz > 0 ? "of one loop, at 91.1876 GeV"
                           : "of its table, at 91.1876 GeV",
            ev_coupling_at(a, 91.1876));
    for (int i = 0; i < pa->n; i++) fprintf(to, "%s%c", i ? "," : " ", ev_flavour_name[pa->id[i]]);
    fprintf(to,
            "\n# y %g:%g of both, z %g:%g, q %g:%g GeV, the shorter of k1 and k2 %g:%g GeV, P "
            "%g:%g GeV, x %g:%g%s\n",
            pa->y[0], pa->y[1], s->z[0], s->z[1], s->q[0], s->q[1], s->k[0], s->k[1], s->K[0],
            s->K[1], s->x[0], s->x[1], s->freeze ? " and its edges" : "");
    if (pa->dilute) fprintf(to, "# T in its dilute limit: the target scatters once\n");
    fprintf(to, "# Lambda %g GeV, S_perp %.8g GeV^-2, seed %llu\n", pa->Lambda, s->S_perp,
            (unsigned long long)f->source->seed);
}

/* Beams, cuts and couplings of electrons and photons. */
static void put_dis(const ev_format *f, FILE *to)
{
    const ev_setup *s = f->source->setup;
    if (s->photons.real) {
        fprintf(to, "\n# beams %g x %g GeV per nucleon, s = %g GeV^2\n# real photons of ",
                s->electron, s->proton, s->s);
        put_name(f, to, s->photons.name);
        fprintf(to, "%s; the emitter stands as a massless electron\n# Q2 0, ",
                s->both ? ", of both beams: direction -1 stands for the mirror image" : "");
    } else {
        fprintf(to, "\n# beams %g x %g GeV, electron and proton, s = %g GeV^2\n", s->electron,
                s->proton, s->s);
        fprintf(to, "# Q2 %g:%g GeV^2 and from (m_e y)^2/(1-y), ", s->Q2[0], s->Q2[1]);
    }
    fprintf(to, "y %g:%g, z %g:%g\n", s->y[0], s->y[1], s->z[0], s->z[1]);
    fprintf(to, "# q %g:%g GeV, the shorter of k1 and k2 %g:%g GeV", s->q[0], s->q[1], s->k[0],
            s->k[1]);
    if (isfinite(s->K[1])) fprintf(to, ", K %g:%g GeV", s->K[0], s->K[1]);
    fprintf(to, ", x %g:%g%s\n", s->x[0], s->x[1], s->freeze ? " and its edges" : "");
    const char *before = "# flavours";
    for (const ev_kind *kind = s->kind; kind < s->kind + EV_KINDS; kind++) {
        for (int j = 0; j < kind->n; j++, before = ",")
            fprintf(to, "%s %c", before, ev_flavour_name[kind->id[j]]);
        if (kind->n) fprintf(to, " with %g GeV", kind->mass);
    }
    fprintf(to, "\n");
    if (f->source->soft) {
        fprintf(to, "# soft gluons ");
        put_name(f, to, f->source->soft_words);
        fprintf(to, "; they add their sum to q at fixed P = k1 - q/2; x, q, k1, theta and K are "
                    "those with them, cuts and cross section those without\n");
    }
    fprintf(to, "# S_perp %.8g GeV^-2, alpha_em %.8g (fixed), seed %llu\n", s->S_perp, s->alpha_em,
            (unsigned long long)f->source->seed);
}

static void put_ranges(const ev_format *f, FILE *to)
{
    const cgct_table *table = f->source->table;
    const ev_setup *s = f->source->setup;
    const double *o = f->outside;
    cgct_info info;
    cgct_table_info(table, &info);
    fprintf(to, "# cgctab-events %s\n# table ", cgct_version());
    put_name(f, to, cgct_table_path(table));
    fprintf(to, "\n# checksum %016llx", info.checksum);
    if (!f->source->pa) { /* there members are what T is put together from */
        fprintf(to, "\n# member %zu of %zu ", info.member, info.members);
        put_name(f, to, cgct_member_name(table, info.member));
    }
    (f->source->pa ? put_pa : put_dis)(f, to);
    fprintf(to, "# cross section %.8e +- %.2e pb, unweighting efficiency %.4f\n", f->sigma,
            f->error, f->efficiency);
    fprintf(to,
            "# %.2e of the events are copies, %.2e of the cross section lies in weights above 1\n",
            f->copies, f->overweight);
    fprintf(to,
            "# outside of the table %.4f of the cross section of these cuts: x above %g %.4f, x "
            "below %g %.4f, eps %.4f, q %.4f; %s %s at the table's edge; a shorter momentum above "
            "%g GeV, the end of the table, is in none of these numbers\n",
            o[EV_X_ABOVE] + o[EV_X_BELOW] + o[EV_EPS] + o[EV_Q], s->x[1], o[EV_X_ABOVE], s->x[0],
            o[EV_X_BELOW], o[EV_EPS], o[EV_Q],
            s->freeze ? "these events have" : "there are no events of it, and it is estimated with",
            f->source->pa ? "T" : "I (below the smallest eps: eps^2 I_T)", s->k[1]);
    if (f->negative < 0) return;
    fprintf(to,
            "# negative: %s; what %s would add there is %.4e of the cross section, and there are "
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

static int is_aside(const char *weight)
{
    return !strncmp(weight, "comparison_", strlen("comparison_"));
}

/* A group of the members that are for comparison, or of all others. */
static void put_weight_group(const ev_format *f, int aside, FILE *to)
{
    const ev_weights *w = f->weights;
    size_t n = 0;
    for (size_t i = 0; i < w->members; i++) n += is_aside(w->name[i]) == aside;
    if (!n) return;
    fprintf(to, "<weightgroup name=\"%s\" %s>\n", aside ? "comparison" : "members",
            aside ? "combine=\"none\"" : combination(f->source->table));
    for (size_t i = 0; i < w->members; i++)
        if (is_aside(w->name[i]) == aside)
            fprintf(to, "<weight id=\"%s\">member %zu, S_perp %.8g GeV^-2</weight>\n", w->name[i],
                    i, w->area[i] * f->source->setup->S_perp);
    fprintf(to, "</weightgroup>\n");
}

static void put_weight_names(const ev_format *f, FILE *to)
{
    static const char *const scale[2][2] = {{"lambda", "Lambda"}, {"mu", "mu"}};
    fprintf(to, "<initrwgt>\n");
    put_weight_group(f, 0, to);
    put_weight_group(f, 1, to);
    for (int i = 0; i < 2 && f->source->pa; i++)
        fprintf(to,
                "<weightgroup name=\"scale_%s\" combine=\"envelope\">\n"
                "<weight id=\"%s_half\">half of %s</weight>\n"
                "<weight id=\"%s_double\">twice %s</weight>\n</weightgroup>\n",
                scale[i][0], scale[i][0], scale[i][1], scale[i][0], scale[i][1]);
    if (f->weights->soft)
        fprintf(to, "<weightgroup name=\"soft_gluons\" combine=\"none\">\n"
                    "<weight id=\"soft_isotropic\">gluons radiated isotropically</weight>\n"
                    "<weight id=\"soft_half_scale\">half of the scale of gluons</weight>\n"
                    "</weightgroup>\n");
    fprintf(to, "<weightgroup name=\"numerical_bound\" combine=\"envelope\">\n"
                "<weight id=\"bound_low\">I less the bound on its error</weight>\n"
                "<weight id=\"bound_high\">I and the bound on its error</weight>\n"
                "</weightgroup>\n</initrwgt>\n");
}

static void put_lhef_header(const ev_format *f, FILE *to)
{
    const ev_setup *s = f->source->setup;
    fprintf(to, "<LesHouchesEvents version=\"3.0\">\n<header>\n");
    put_ranges(f, to);
    if (f->weights->n) put_weight_names(f, to);
    const ev_pa *pa = f->source->pa;
    fprintf(to, "</header>\n<init>\n2212 %d %.10e %.10e 0 0 0 0 3 1\n", pa ? 2212 : 11,
            pa ? pa->energy[0] : s->proton, pa ? pa->energy[1] : s->electron);
    fprintf(to, "%.10e %.10e 1.0 1\n<generator name=\"cgctab\" version=\"%s\"/>\n</init>\n",
            f->sigma, f->error, cgct_version());
}

static const char csv_names[] = "x,Q2,y,z,q,k1,theta,K,phi,eps,polarisation,flavour,turn,lepton,";
static const char csv_pa_names[] =
    "channel,x,x_p,z,q,y1,y2,k1,k2,angle,P,mu,alpha_s,projectile,parton1,parton2,turn,";

static void put_csv_header(const ev_format *f, FILE *to)
{
    put_ranges(f, to);
    fprintf(to, "%s%s%sweight", f->source->pa ? csv_pa_names : csv_names,
            f->source->setup->photons.real ? "direction," : "",
            f->source->soft ? "gluons,gluons_along,gluons_across," : "");
    for (size_t i = 0; i < f->weights->n + f->weights->soft; i++)
        fprintf(to, ",%s", f->weights->name[i]);
    fprintf(to, "\n");
}

cgct_status ev_header(const ev_format *f, char **text, size_t *n, cgct_err *err)
{
    *text = NULL;
    FILE *to = open_memstream(text, n);
    if (to) (f->csv ? put_csv_header : put_lhef_header)(f, to);
    const int bad = !to || ferror(to);
    if (to && fclose(to) == 0 && !bad) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "no memory for the header of the events");
}

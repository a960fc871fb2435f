/* SPDX-License-Identifier: MIT */
/* The options of cgctab-events: their list, and beams, cuts and flavours of a run from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/lists.h"
#include "setup.h"

#define ELECTRON_MASS2 (CGCT_ELECTRON_MASS * CGCT_ELECTRON_MASS)

int ev_complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print(EV_WHO, status == 2 ? "; 'cgctab-events --help' tells the options" : "", format,
                  args);
    va_end(args);
    return status;
}

#define TEXT(word) 0, OPTION_TEXT, &w->word
#define FLAG(word) 0, OPTION_FLAG, &w->word, NULL
int ev_read_words(int argc, char **argv, ev_words *w)
{
    const command_option options[] = {
        {"--process", TEXT(process), "P",
         "dis, or pa: forward dijets in proton-nucleus collisions"},
        {"--beams", TEXT(beams), "EExEP",
         "energies of electron and proton in GeV; or PbPb5.36, pPb8.16"},
        {"--photon", TEXT(photon), "SPEC",
         "real photons: Pb, Au, Xe, O, p or ion, with KEY=VALUE, or table:FILE"},
        {"--direction", TEXT(direction), "D", "one|both: which of two equal ions emits"},
        {"--Q2", TEXT(Q2), "LO:HI", "virtuality in GeV^2; default 2:50; 0: from its minimum"},
        {"--y", TEXT(y), "LO:HI",
         "inelasticity; default 0.05:0.95; pa: rapidities, with no default"},
        {"--z", TEXT(z), "LO:HI",
         "the quark's share of the photon; default 0.1:0.9; pa: of parton 1"},
        {"--q", TEXT(q), "LO:HI", "recoil in GeV; default: that of the table"},
        {"--pt", TEXT(pt), "PT", "least of k1 and k2 in GeV; default 1, with --K 0"},
        {"--K", TEXT(K), "LO:HI", "abs((1-z) k1 - z k2) in GeV; default: any"},
        {"--soft", TEXT(soft), "SPEC",
         "soft gluons: jets, hadrons, jets:radius=0.4,scale=2; default none"},
        {"--pdf", TEXT(pdf), "SET", "pa: LHAPDF 6 grid NAME_0000.dat, or NAME"},
        {"--projectile", TEXT(projectile), "P", "pa: p, or d; default p"},
        {"--mu", TEXT(mu), "MU", "pa: scale: pt, the longer momentum, P, or GeV; default pt"},
        {"--alpha-s", TEXT(alpha_s), "A", "pa: number, mz:0.118, FILE.info; default pdf's"},
        {"--Lambda", TEXT(Lambda), "L", "pa: scale of double parton scattering in GeV; default 1"},
        {"--dilute", FLAG(dilute), "pa: the target scatters once, for comparison"},
        {"-n", TEXT(n), "N", "number of events; default 10000"},
        {"-o", TEXT(out), "FILE", "where the events go, at the end; or - (stdout)"},
        {"--seed", TEXT(seed), "N", "of the random numbers; default 1"},
        {"--threads", TEXT(threads), "N", "default 1; the events are the same for any"},
        {"--flavours", TEXT(flavours), "LIST", "of u,d,s,c,b; default u,d,s"},
        {"--m-light", TEXT(m_light), "M", "mass of u, d and s in GeV; default 0.14"},
        {"--m-c", TEXT(m_c), "M", "mass of c in GeV; default 1.4"},
        {"--m-b", TEXT(m_b), "M", "mass of b in GeV; default 4.75"},
        {"--S-perp", TEXT(S_perp), "S", "transverse area in GeV^-2; default: the table's"},
        {"--alpha-em", TEXT(alpha_em), "A", "default 1/137.036"},
        {"--freeze", FLAG(freeze), "outside the table: take its edge"},
        {"--csv", FLAG(csv), "a flat table instead of a Les Houches file"},
        {"--no-weights", FLAG(no_weights), "without those of members and bound"},
        {"--dry-run", FLAG(dry_run), "the cross section, no events"},
        {"--quiet", FLAG(quiet), "print nothing but errors"},
        {"--help", FLAG(help), "this list"},
        {"--version", FLAG(version), "version of the program"},
        {.name = NULL}};
    option_scan s = {.argc = argc - 1, .argv = argv + 1, .own = options};
    for (option_event e; (e = options_next(&s)) != OPTIONS_END;) {
        if (e == OPTIONS_WRONG) return ev_complain(2, "%s", s.message);
        if (e != OPTIONS_WORD) continue;
        if (w->table) return ev_complain(2, "%s: one table only, and %s is it", s.word, w->table);
        w->table = s.word;
    }
    if (w->version) printf("cgctab-events %s\n", cgct_version());
    if (!w->help) return 0;
    printf("usage: cgctab-events TABLE --beams EExEP -o FILE [options]\n\n");
    options_print(options);
    printf("\nEvents e g -> e q qbar, or with real photons, as man 1 cgctab-events describes.  "
           "Energies are\n"
           "per nucleon, the cross section is that of the whole target.  Exit status: 0 done, 1 "
           "failed, 2 wrong usage.\n");
    return 0;
}

/* ---- numbers ---- */

static int read_range(const char *name, const char *text, double lo, double hi, double v[2])
{
    if (!text) return 0;
    if (!number_pair(text, ':', v)) return ev_complain(2, "%s: '%s', want LO:HI", name, text);
    if (!(lo <= v[0] && v[0] < v[1] && v[1] <= hi))
        return ev_complain(2, "%s: '%s', want LO < HI from %g to %g", name, text, lo, hi);
    return 0;
}

static int read_number(const char *name, const char *text, double lo, double hi, double *v)
{
    if (!text) return 0;
    if (!number_parse(text, v) || !(lo <= *v && *v <= hi))
        return ev_complain(2, "%s: '%s', want a number from %g to %g", name, text, lo, hi);
    return 0;
}

static int read_integer(const char *name, const char *text, double lo, double hi, double *v)
{
    if (!text) return 0;
    if (!integer_parse(text, v) || !(lo <= *v && *v <= hi))
        return ev_complain(2, "%s: '%s', want an integer from %.0f to %.0f", name, text, lo, hi);
    return 0;
}

int ev_read_counts(const ev_words *w, ev_run *run)
{
    double n = 10000, seed = 1, many = 1;
    EV_TRY(read_integer("-n", w->n, 1, 1e12, &n));
    EV_TRY(read_integer("--seed", w->seed, 0, 9e15, &seed));
    EV_TRY(read_integer("--threads", w->threads, 1, EV_THREADS, &many));
    run->n = (size_t)n;
    run->source.seed = (uint64_t)seed;
    run->threads = (int)many;
    run->quiet = w->quiet;
    return 0;
}

static int read_flavours(const ev_words *w, ev_kind kind[EV_KINDS])
{
    static const char *const option[EV_KINDS] = {"--m-light", "--m-c", "--m-b"};
    const char *const text[EV_KINDS] = {w->m_light, w->m_c, w->m_b};
    const char *at = w->flavours ? w->flavours : "u,d,s";
    kind[EV_LIGHT] = (ev_kind){.mass = 0.14};
    kind[EV_CHARM] = (ev_kind){.mass = 1.4};
    kind[EV_BEAUTY] = (ev_kind){.mass = 4.75};
    for (int i = 0; i < EV_KINDS; i++)
        EV_TRY(read_number(option[i], text[i], 0, 1e3, &kind[i].mass));
    for (int seen = 0;; at++) {
        const char *found = *at ? strchr(ev_flavour_name + 1, *at) : NULL;
        if (!found || (at[1] && at[1] != ','))
            return ev_complain(2, "--flavours: '%s', want some of u,d,s,c,b", w->flavours);
        const int id = (int)(found - ev_flavour_name);
        if (seen >> id & 1)
            return ev_complain(2, "--flavours: '%s' has %c twice", w->flavours, *at);
        seen |= 1 << id;
        ev_kind *of = &kind[id < 4 ? EV_LIGHT : id == 4 ? EV_CHARM : EV_BEAUTY];
        of->id[of->n++] = id;
        of->charges2 += ev_charge2(id);
        if (!*++at) return 0;
    }
}

/* Energies of both beams, and what radiates. */
static int read_beams(const ev_words *w, ev_setup *s)
{
    double beam[2];
    int pair[2] = {-1, -1};
    if (!w->beams) return ev_complain(2, "--beams is needed, for instance --beams 18x275");
    const int named = ev_read_collider(w->beams, beam, pair);
    if (!named && (!number_pair(w->beams, 'x', beam) ||
                   !(beam[0] >= 0.01 && beam[1] > 0 && beam[0] * beam[1] < 1e12)))
        return ev_complain(2, "--beams: '%s', want two energies in GeV as 18x275, or PbPb5.36",
                           w->beams);
    const int first = pair[0];
    if (named || w->photon)
        EV_TRY(ev_read_photons(w->photon, 2 * sqrt(beam[0] * beam[1]), s->alpha_em, pair,
                               &s->photons));
    const int lighter = named && pair[0] != first; /* it emits, and stands second */
    const int alike = pair[0] >= 0 && pair[0] == pair[1] && beam[0] == beam[1];
    const int both = w->direction ? !strcmp(w->direction, "both") : alike;
    if (w->direction && !both && strcmp(w->direction, "one"))
        return ev_complain(2, "--direction: '%s', want one or both", w->direction);
    if (w->direction && !s->photons.real) return ev_complain(2, "--direction: goes with --photon");
    if (s->photons.real && both && !alike)
        return ev_complain(
            2,
            "--direction both: the beams %s are not known to be alike; name the ions, "
            "as --beams PbPb5.36 or --photon Pb,target=Pb",
            w->beams);
    s->both = s->photons.real && both;
    s->electron = beam[lighter];
    s->proton = beam[!lighter];
    s->s = s->photons.real ? 4 * beam[0] * beam[1]
                           : 2 * beam[1] * (beam[0] + sqrt(beam[0] * beam[0] - ELECTRON_MASS2));
    if (beam[0] > beam[1] && !w->quiet && !s->photons.real)
        ev_complain(1,
                    "warning: --beams %s: the electron comes first, so its energy is %g GeV and "
                    "the proton's %g GeV",
                    w->beams, beam[0], beam[1]);
    return 0;
}

/* Of real photons the range of y is that of their flux, and Q2, which is 0, stands for nothing: it
 * is drawn over a factor of e, so small that nothing depends on it. */
static int read_photon_ranges(const ev_words *w, ev_setup *s)
{
    if (w->Q2) return ev_complain(2, "--Q2: cannot go with --photon, whose photons are real");
    s->Q2[0] = 1e-20;
    s->Q2[1] = s->Q2[0] * exp(1);
    s->y[0] = fmax(s->photons.y[0], 1e-6);
    s->y[1] = s->photons.y[1];
    EV_TRY(read_range("--y", w->y, s->photons.y[0], s->photons.y[1], s->y));
    for (int i = 0; i < EV_KINDS; i++)
        if (s->kind[i].n && !(s->kind[i].mass > 0))
            return ev_complain(2, "%c: a real photon needs quarks with a mass",
                               ev_flavour_name[s->kind[i].id[0]]);
    return 0;
}

/* Options of the other process: names and what was given, NULL behind the last one. */
static int refuse_options(const char *const (*o)[2], const char *how)
{
    for (; **o; o++)
        if ((*o)[1]) return ev_complain(2, "%s: %s --process pa", **o, how);
    return 0;
}

/* Ranges that the table does not limit, and beams. */
int ev_read_setup(const ev_words *w, ev_setup *s)
{
    const char *const pa[][2] = {{"--pdf", w->pdf},
                                 {"--mu", w->mu},
                                 {"--alpha-s", w->alpha_s},
                                 {"--Lambda", w->Lambda},
                                 {"--projectile", w->projectile},
                                 {"--dilute", w->dilute ? "" : NULL},
                                 {NULL}};
    EV_TRY(refuse_options(pa, "needs"));
    *s = (ev_setup){.Q2 = {2, 50}, .y = {0.05, 0.95}, .z = {0.1, 0.9}, .K = {0, INFINITY}};
    s->k[0] = w->K ? 0 : 1;
    s->alpha_em = 1 / 137.036;
    EV_TRY(read_number("--alpha-em", w->alpha_em, 1e-6, 1, &s->alpha_em));
    EV_TRY(read_flavours(w, s->kind));
    EV_TRY(read_beams(w, s));
    if (s->photons.real) {
        EV_TRY(read_photon_ranges(w, s));
    } else {
        EV_TRY(read_range("--Q2", w->Q2, 0, 1e6, s->Q2));
        EV_TRY(read_range("--y", w->y, 1e-6, 1 - 1e-6, s->y));
    }
    const double least = ev_Q2_least(s, s->y[0]);
    if (s->Q2[1] <= least)
        return ev_complain(
            2, "--Q2: %g is not above the minimum %.3g GeV^2 at y = %g, (m_e y)^2/(1-y)", s->Q2[1],
            least, s->y[0]);
    EV_TRY(read_range("--z", w->z, 1e-6, 1 - 1e-6, s->z));
    EV_TRY(read_number("--pt", w->pt, 0, 1e4, &s->k[0]));
    EV_TRY(read_range("--K", w->K, 0, 1e6, s->K));
    return read_number("--S-perp", w->S_perp, 1e-6, 1e9, &s->S_perp);
}

/* ---- proton-nucleus collisions ---- */

static int read_pa_beams(const ev_words *w, double beam[2])
{
    int pair[2] = {-1, -1};
    if (!w->beams) return ev_complain(2, "--beams is needed, for instance --beams 100x100");
    if (ev_read_collider(w->beams, beam, pair)) { /* the heavier one comes first */
        const double heavy = beam[0];
        beam[0] = beam[1];
        beam[1] = heavy;
        if (pair[1] == 0) return 0;
        return ev_complain(2, "--beams: '%s' has no proton; give two energies in GeV as 100x100",
                           w->beams);
    }
    if (number_pair(w->beams, 'x', beam) && beam[0] >= 1 && beam[1] >= 1 &&
        beam[0] * beam[1] < 1e12)
        return 0;
    return ev_complain(2,
                       "--beams: '%s', want energies of proton and nucleus per nucleon in GeV as "
                       "100x100, or pPb8.16",
                       w->beams);
}

int ev_read_pa(const ev_words *w, ev_setup *s, ev_pa *pa)
{
    const char *const dis[][2] = {{"--Q2", w->Q2},
                                  {"--photon", w->photon},
                                  {"--direction", w->direction},
                                  {"--m-light", w->m_light},
                                  {"--m-c", w->m_c},
                                  {"--m-b", w->m_b},
                                  {"--alpha-em", w->alpha_em},
                                  {NULL}};
    cgct_err err;
    EV_TRY(refuse_options(dis, "cannot go with"));
    if (w->soft && strcmp(w->soft, "none"))
        return ev_complain(2, "--soft: cannot go with --process pa: its soft gluons are those of "
                              "a quark pair, other colours have none yet");
    *s = (ev_setup){.z = {0, 1}, .K = {1, INFINITY}, .k = {1, 0}};
    *pa = (ev_pa){.Lambda = 1, .dilute = w->dilute, .mu_words = w->mu ? w->mu : "pt"};
    EV_TRY(read_pa_beams(w, pa->energy));
    s->s = 4 * pa->energy[0] * pa->energy[1];
    if (!w->y)
        return ev_complain(2, "--y LO:HI is needed: rapidities of both partons, along the "
                              "projectile");
    EV_TRY(read_range("--y", w->y, -30, 30, pa->y));
    EV_TRY(read_range("--z", w->z, 0, 1, s->z));
    EV_TRY(read_number("--pt", w->pt, 0.01, 1e4, &s->k[0]));
    s->K[0] = s->k[0];
    if (w->K && number_pair(w->K, ':', s->K) && s->K[0] <= 0)
        return ev_complain(2,
                           "--K: '%s': partons 1 and 2 are collinear at P = 0, where the cross "
                           "section diverges like 1/P^2; give LO > 0",
                           w->K);
    EV_TRY(read_range("--K", w->K, 1e-3, 1e6, s->K));
    /* in GeV; weights need T at half of it */
    EV_TRY(read_number("--Lambda", w->Lambda, 2e-3, 1e3, &pa->Lambda));
    EV_TRY(read_number("--S-perp", w->S_perp, 1e-6, 1e9, &s->S_perp));
    if (!strcmp(pa->mu_words, "P"))
        pa->mu = -1;
    else if (strcmp(pa->mu_words, "pt"))
        EV_TRY(read_number("--mu, which may be pt or P", w->mu, 1e-3, 1e4, &pa->mu));
    pa->deuteron = w->projectile && !strcmp(w->projectile, "d");
    if (w->projectile && !pa->deuteron && strcmp(w->projectile, "p"))
        return ev_complain(2, "--projectile: '%s', want p or d", w->projectile);
    EV_TRY(read_flavours(w, s->kind));
    for (int i = 0; i < EV_KINDS; i++)
        for (int j = 0; j < s->kind[i].n; j++) pa->id[pa->n++] = s->kind[i].id[j];
    if (!w->pdf)
        return ev_complain(2, "--pdf is needed: a grid of LHAPDF 6, as 'lhapdf get NAME' or "
                              "lhapdf.hepforge.org gives it");
    if (ev_pdf_open(&pa->pdf, w->pdf, &err) != CGCT_OK)
        return ev_complain(1, "--pdf: %s", err.text);
    const cgct_status st = ev_coupling_read(&pa->alpha_s, w->alpha_s, pa->pdf, &err);
    if (st != CGCT_OK) return ev_complain(st == CGCT_E_CONFIG ? 2 : 1, "--alpha-s: %s", err.text);
    /* the largest rapidities and momenta have an x_p of 1 */
    const double least = s->k[0] * 2 * exp(pa->y[0]) / (2 * pa->energy[0]);
    if (least < 1) return 0;
    return ev_complain(2,
                       "--y %s: x_p is %g or more with --pt %g and %g GeV, want below 1: no "
                       "events",
                       w->y, least, s->k[0], pa->energy[0]);
}

/* A flavour that was asked for and can have no events is a mistake. */
static int fit_kind(const ev_setup *s, const ev_kind *kind)
{
    const char name = ev_flavour_name[kind->id[0]];
    const double ys = s->s * s->y[1], least = s->Q2[0] + 4 * kind->mass * kind->mass;
    ev_ends ends;
    ev_limits(s, kind, &ends);
    if (ys <= least)
        return ev_complain(
            1,
            "%c: the beams lie below the threshold: y s is %g GeV^2 at most, and Q2 + "
            "4 m^2 is %g GeV^2: no events",
            name, ys, least);
    /* above the table's eps I at its edge gives no cross section: I falls, with powers of m */
    if ((!s->freeze && ends.eps[1] < s->eps[0]) || ends.eps[0] >= s->eps[1])
        return ev_complain(
            1,
            "%c: Q2, z and the mass %g GeV give eps from %g to %g GeV, the table has "
            "%g to %g: no events",
            name, kind->mass, ends.eps[0], ends.eps[1], s->eps[0], s->eps[1]);
    if (!s->freeze && ends.x > s->x[1])
        return ev_complain(
            1, "%c: x is %g or more with these beams and cuts, the table ends at %g: no events",
            name, ends.x, s->x[1]);
    return 0;
}

/* Where the table's nucleus is not the one that photons hit.  "dipole" in its metadata is a text,
 * or "NAME: text; NAME: text" of members. */
static void warn_target(const ev_words *w, const cgct_table *table, size_t member, double A)
{
    static const char nucleus[] = "nucleus A = ";
    const char *dipole = cgct_meta(table, "dipole"), *name = cgct_member_name(table, member);
    if (!dipole || !(A > 0) || w->quiet) return;
    char mark[256];
    snprintf(mark, sizeof mark, "%.200s: ", name);
    const char *own = *name ? strstr(dipole, mark) : NULL;
    while (own && own > dipole && strncmp(own - 2, "; ", 2) != 0) own = strstr(own + 1, mark);
    if (!own) own = dipole;
    const char *named = strstr(own, nucleus);
    if (named && named < own + strcspn(own, ";")) {
        const double of = strtod(named + strlen(nucleus), NULL);
        if (of < A || of > A)
            ev_complain(1,
                        "warning: the photons hit A = %g, and the dipole of %s is that of A = %g",
                        A, w->table, of);
    } else if (A > 1) {
        ev_complain(1, "warning: the photons hit A = %g, and the dipole of %s names no nucleus", A,
                    w->table);
    }
}

/* What the table says. */
int ev_fit_to_table(const ev_words *w, const cgct_table *table, ev_setup *s)
{
    cgct_info info;
    cgct_table_info(table, &info);
    memcpy(s->x, info.x, sizeof s->x);
    memcpy(s->eps, info.eps, sizeof s->eps);
    memcpy(s->q, info.q, sizeof s->q);
    memcpy(s->q_table, info.q, sizeof s->q_table);
    s->k[1] = info.k_max;
    s->freeze = w->freeze;
    s->same_area = w->S_perp != NULL;
    const int is_pa = w->process && !strcmp(w->process, "pa"), beyond = w->freeze && !is_pa;
    EV_TRY(read_range("--q", w->q, beyond ? 1e-3 : info.q[0], beyond ? 1e6 : info.q[1], s->q));
    if (s->S_perp == 0) s->S_perp = cgct_member_S_perp(table, info.member);
    if (!(s->S_perp > 0))
        return ev_complain(1, "%s does not state its transverse area: give --S-perp", w->table);
    if (s->k[0] >= s->k[1])
        return ev_complain(1, "--pt %g leaves nothing: the table ends at %g GeV", s->k[0], s->k[1]);
    if (is_pa) return 0;
    warn_target(w, table, info.member, s->photons.target);
    double k[2];
    ev_k_range(s, k);
    if (k[0] >= k[1])
        return ev_complain(
            1,
            "--K %g:%g leaves nothing: with q up to %g GeV the shorter of k1 and k2 is "
            "%g GeV or more, and must be below %g GeV",
            s->K[0], s->K[1], s->q[1], k[0], k[1]);
    for (int i = 0; i < EV_KINDS; i++)
        if (s->kind[i].n) EV_TRY(fit_kind(s, &s->kind[i]));
    return 0;
}

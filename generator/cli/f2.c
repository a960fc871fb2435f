/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f2.c: the subcommand f2: structure functions of DIS and the reduced cross section from a dipole,
 * by quark flavour. */
#include <math.h>
#include <string.h>

#include "cli/common.h"
#include "dipole/nucleus.h"
#include "dipole/photon.h"
#include "format/safe_text.h"

enum { LIGHT, CHARM, BEAUTY, MASSES };
static const char *const mass_option[MASSES] = {"m-light", "m-c", "m-b"};

static const struct {
    char name;
    double charge2;
    int mass;
} quark[] = {{'u', 4.0 / 9, LIGHT},
             {'d', 1.0 / 9, LIGHT},
             {'s', 1.0 / 9, LIGHT},
             {'c', 4.0 / 9, CHARM},
             {'b', 1.0 / 9, BEAUTY}};
enum { QUARKS = sizeof quark / sizeof *quark };
#define MICROBARN_GEV2 (1e4 * NUCLEUS_HBARC * NUCLEUS_HBARC) /* 1 fm^2 = 1e4 microbarn */

typedef struct {
    cli_task task; /* its points: x, Q2 and, unless s is given, y */
    const char *Q2_text, *y_text, *s_text, *flavours, *area_text, *mass_text[MASSES];
    int shift_x; /* --x-mass */
    size_t n;    /* flavours */
    int chosen[QUARKS], used[MASSES];
    double s, area, mass[MASSES];  /* GeV^2, 0: not given; GeV^-2; GeV */
    photon_dipole *dipole[MASSES]; /* those of the last point, and their x */
    double x[MASSES], difference;
} f2_job;

typedef struct {
    double x, Q2, y;
} f2_point;

/* Of one flavour or their sum: structure functions, then cross sections in microbarn. */
enum { F_T, F_L, INEL_T, INEL_L, SIGMA_T, SIGMA_L, SIGMA_INEL, F2_VALUES };
typedef double f2_value[F2_VALUES];

/* ---- what is asked for ---- */

static int has_y(const f2_job *j)
{
    return j->task.points.ncol == 3 || j->s > 0;
}

static f2_point f2_point_at(const f2_job *j, size_t i)
{
    const double *v = j->task.points.v.v + i * j->task.points.ncol;
    const double y = j->s > 0 ? v[1] / (v[0] * j->s) : j->task.points.ncol == 3 ? v[2] : 0;
    return (f2_point){v[0], v[1], y};
}

static cgct_status take_flavours(f2_job *j, cgct_err *err)
{
    for (const char *p = j->flavours; *p; p++) {
        size_t i = 0;
        while (i < QUARKS && quark[i].name != *p) i++;
        if (i == QUARKS || (p[1] && (p[1] != ',' || !p[2])))
            return cgct_fail(err, CGCT_E_USAGE,
                             "--flavours '%.60s': '%.10s' is no flavour; want some of u,d,s,c,b",
                             j->flavours, p);
        for (size_t k = 0; k < j->n; k++)
            if (j->chosen[k] == (int)i)
                return cgct_fail(err, CGCT_E_USAGE, "--flavours '%.60s': %c is given twice",
                                 j->flavours, *p);
        j->chosen[j->n++] = (int)i;
        j->used[quark[i].mass] = 1;
        if (p[1]) p++;
    }
    if (j->n) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "--flavours is empty; want some of u,d,s,c,b");
}

static cgct_status take_numbers(f2_job *j, cgct_err *err)
{
    for (int m = 0; m < MASSES; m++)
        if (j->mass_text[m])
            CGCT_TRY(
                cli_number(mass_option[m], j->mass_text[m], "[0,10]", "GeV", &j->mass[m], err));
    if (j->area_text)
        CGCT_TRY(cli_number("S-perp", j->area_text, "(0,1e6]", "GeV^-2",
                            &j->task.card.dipole.S_perp, err));
    if (j->s_text && j->y_text)
        return cgct_fail(err, CGCT_E_USAGE, "--y and --s together: y is Q2/(x s); give one");
    if (j->s_text) CGCT_TRY(cli_number("s", j->s_text, "(0,1e10]", "GeV^2", &j->s, err));
    return take_flavours(j, err);
}

/* What the integrals or their definition cannot do at point i. */
static cgct_status check_f2_point(const f2_job *j, size_t i, cgct_err *err)
{
    const f2_point at = f2_point_at(j, i);
    if (j->s > 0 && !(at.y <= 1))
        return cgct_fail(err, CGCT_E_RANGE,
                         "y = Q2/(x s) = %g exceeds 1 at x = %g, Q2 = %g GeV^2, s = %g GeV^2; take "
                         "x of %.6g or more",
                         at.y, at.x, at.Q2, j->s, at.Q2 / j->s);
    if (at.Q2 > 0) return CGCT_OK;
    if (j->shift_x)
        return cgct_fail(err, CGCT_E_RANGE,
                         "Q2 = 0 with --x-mass: x (1 + 4 m^2/Q2) is infinite; leave --x-mass out");
    for (int m = 0; m < MASSES; m++)
        if (j->used[m] && j->mass[m] == 0)
            return cgct_fail(err, CGCT_E_RANGE,
                             "Q2 = 0 with massless quarks: the cross section is infinite; give "
                             "--%s above 0",
                             mass_option[m]);
    return CGCT_OK;
}

static double shifted_x(const f2_job *j, const f2_point *at, int mass)
{
    return j->shift_x ? at->x * (1 + 4 * j->mass[mass] * j->mass[mass] / at->Q2) : at->x;
}

/* Names the point whose x the source does not have; without a source, the one of smallest x. */
static cgct_status blame_x(const f2_job *j, cgct_err *err)
{
    const dipole_source *s = j->task.source;
    f2_point worst = {0};
    size_t row = 0;
    int mass = -1;
    for (size_t i = 0; i < j->task.points.n; i++)
        for (int m = 0; m < MASSES; m++) {
            const f2_point at = f2_point_at(j, i);
            const double x = shifted_x(j, &at, m);
            if (!j->used[m] || (s && (mass >= 0 || (x >= s->xmin && x <= s->xmax)))) continue;
            if (mass >= 0 && x >= shifted_x(j, &worst, mass)) continue;
            worst = at, mass = m, row = i;
        }
    if (mass < 0) return CGCT_E_RANGE;
    if (j->shift_x)
        cgct_context(err, CGCT_E_RANGE, "--x-mass at x = %g, Q2 = %g GeV^2, --%s %g", worst.x,
                     worst.Q2, mass_option[mass], j->mass[mass]);
    return number_rows_blame(&j->task.points, row, CGCT_E_RANGE, err);
}

static cgct_status open_f2_dipole(f2_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < t->points.n; i++)
        for (int m = 0; m < MASSES && st == CGCT_OK; m++) {
            const f2_point at = f2_point_at(j, i);
            if (j->used[m]) st = number_list_add(&t->x, shifted_x(j, &at, m), err);
        }
    if (st == CGCT_OK) st = cli_task_dipole(t, t->x.n, t->x.v, err);
    if (st == CGCT_E_RANGE) return blame_x(j, err);
    if (st != CGCT_OK) return st;
    CGCT_TRY(members_area(&t->card, t->source, &j->area, err));
    if (j->area > 0) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE,
                     "the transverse area of %s is not known: give --S-perp in GeV^-2 (sigma0/2 of "
                     "1 mb is 2.56819 GeV^-2)",
                     t->source->name);
}

static cgct_status prepare_f2(f2_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    CGCT_TRY(cli_task_config(t, err));
    CGCT_TRY(take_numbers(j, err));
    const cli_column columns[] = {{"x", "(0,1]", "", t->x_text, NULL},
                                  {"Q2", "[0,1e6]", "GeV^2", j->Q2_text, NULL},
                                  {"y", "(0,1]", "", j->y_text, NULL}};
    const size_t ncol = j->y_text || (t->points_path && !j->s_text) ? 3 : 2;
    CGCT_TRY(cli_points(&t->points, t->points_path, ncol, columns, err));
    for (size_t i = 0; i < t->points.n; i++) {
        cgct_status st = check_f2_point(j, i, err);
        if (st != CGCT_OK) return number_rows_blame(&t->points, i, st, err);
    }
    return open_f2_dipole(j, err);
}

/* ---- values ---- */

static cgct_status compute_f2(f2_job *j, const f2_point *at, f2_value *of, cgct_err *err)
{
    photon_value X[MASSES];
    for (int m = 0; m < MASSES; m++) {
        const int own = j->shift_x ? m : 0; /* masses without an x of their own share a dipole */
        const double x = shifted_x(j, at, m);
        double difference;
        if (!j->used[m]) continue;
        if (!j->dipole[own] || j->x[own] != x) {
            photon_free(j->dipole[own]);
            CGCT_TRY(photon_init(&j->dipole[own], j->task.source, x, err));
            j->x[own] = x;
        }
        CGCT_TRY(photon_evaluate(j->dipole[own], at->Q2, j->mass[m], &X[m], &difference, err));
        j->difference = fmax(j->difference, difference);
    }
    for (size_t k = 0; k < j->n; k++) {
        const double charge2 = quark[j->chosen[k]].charge2;
        const photon_value *v = &X[quark[j->chosen[k]].mass];
        const double microbarn = MICROBARN_GEV2 * PHOTON_ALPHA_EM * charge2 * j->area;
        of[k][F_T] = photon_structure(at->Q2, charge2, j->area, v->T);
        of[k][F_L] = photon_structure(at->Q2, charge2, j->area, v->L);
        of[k][INEL_T] = photon_structure(at->Q2, charge2, j->area, v->inelastic_T);
        of[k][INEL_L] = photon_structure(at->Q2, charge2, j->area, v->inelastic_L);
        of[k][SIGMA_T] = microbarn * v->T;
        of[k][SIGMA_L] = microbarn * v->L;
        of[k][SIGMA_INEL] = microbarn * (v->inelastic_T + v->inelastic_L);
    }
    return CGCT_OK;
}

static void print_f2(const f2_job *j, const f2_point *at, f2_value *of)
{
    f2_value all = {0};
    for (size_t k = 0; k < j->n; k++)
        for (int i = 0; i < F2_VALUES; i++) all[i] += of[k][i];
    const double F2 = all[F_T] + all[F_L];
    printf("%.17g %.17g", at->x, at->Q2);
    if (has_y(j)) printf(" %.17g", at->y);
    printf(" %.17g %.17g", F2, all[F_L]);
    if (has_y(j)) printf(" %.17g", photon_reduced(at->y, F2, all[F_L]));
    printf(" %.17g %.17g %.17g %.17g", all[INEL_T] + all[INEL_L], all[INEL_L], all[SIGMA_T],
           all[SIGMA_L]);
    for (size_t k = 0; k < j->n; k++) {
        const double T = of[k][F_T], L = of[k][F_L];
        printf(" %.17g %.17g", T + L, L);
        if (has_y(j)) printf(" %.17g", photon_reduced(at->y, T + L, L));
    }
    printf(" %.17g", all[SIGMA_INEL]);
    for (size_t k = 0; k < j->n; k++) printf(" %.17g", of[k][SIGMA_T] + of[k][SIGMA_L]);
    putchar('\n');
}

static void print_f2_heading(const f2_job *j)
{
    safe_line(stdout, "# %s", j->task.source->describe);
    printf("# quarks:");
    for (size_t k = 0; k < j->n; k++)
        printf("%s %c of %g GeV", k ? "," : "", quark[j->chosen[k]].name,
               j->mass[quark[j->chosen[k]].mass]);
    printf("; S_perp = %.9g GeV^-2, Nc = 3, alpha_em = 1/137.036\n", j->area);
    printf("# the dipole is taken at %s\n",
           j->shift_x ? "x (1 + 4 m^2/Q2), m the mass of the flavour" : "x, for all flavours");
    puts("# F2 = F_T + FL, F_p = Q2/(4 pi^2 alpha_em) sigma_p, p = T, L, f: flavours\n"
         "# sigma_p = 2 S_perp Sum_f e_f^2 alpha_em Nc/(2 pi^2) Int d2r (1 - S) Int_0^1 dz w_p\n"
         "# w_T = [z^2 + (1-z)^2] eps^2 K1(eps r)^2 + m^2 K0(eps r)^2, w_L = 4 Q2 z^2 (1-z)^2 "
         "K0(eps r)^2\n"
         "# eps^2 = z (1-z) Q2 + m^2");
    if (has_y(j)) puts("# sigma_r = F2 - y^2/[1 + (1-y)^2] FL");
    if (j->s > 0) printf("# y = Q2/(x s), s = %.9g GeV^2\n", j->s);
    puts("# F2_inel, FL_inel: 1 - S^2 in place of 2 (1 - S) = (1 - S^2) + (1 - S)^2, the sum over "
         "all dijets;\n"
         "#   the rest, (1 - S)^2, is elastic scattering of the pair: diffraction\n"
         "# x, Q2 and y are those of the event; Q2 in GeV^2, sigma in microbarn;\n"
         "#   sigma_inel and sigma_f: of both photons");
    if (j->used[CHARM] || j->used[BEAUTY])
        puts("# dipoles of leading-order fits to light quarks overshoot the charm and beauty "
             "measured at HERA:\n"
             "#   PHYSICS.md, F2 of the proton");
    printf("# x Q2%s F2 FL%s F2_inel FL_inel sigma_T sigma_L", has_y(j) ? " y" : "",
           has_y(j) ? " sigma_r" : "");
    for (size_t k = 0; k < j->n; k++) {
        const char name = quark[j->chosen[k]].name;
        printf(" F2_%c FL_%c", name, name);
        if (has_y(j)) printf(" sigma_r_%c", name);
    }
    printf(" sigma_inel");
    for (size_t k = 0; k < j->n; k++) printf(" sigma_%c", quark[j->chosen[k]].name);
    putchar('\n');
}

static cgct_status print_all_f2(f2_job *j, cgct_err *err)
{
    CGCT_TRY(prepare_f2(j, err));
    print_f2_heading(j);
    for (size_t i = 0; i < j->task.points.n; i++) {
        const f2_point at = f2_point_at(j, i);
        f2_value of[QUARKS];
        cgct_status st = compute_f2(j, &at, of, err);
        if (st != CGCT_OK) {
            cgct_context(err, st, "x = %g, Q2 = %g", at.x, at.Q2);
            return number_rows_blame(&j->task.points, i, st, err);
        }
        print_f2(j, &at, of);
    }
    printf("# quadratures of two resolutions differ by at most %.1e\n", j->difference);
    return CGCT_OK;
}

int cli_f2(int argc, char **argv)
{
    f2_job j = {.mass = {[LIGHT] = 0.14, [CHARM] = 1.4, [BEAUTY] = 4.75}};
    const command_option options[] = {
        CLI_DIPOLE_OPTION(&j.task),
        {"--x", 0, OPTION_TEXT, &j.task.x_text, "LIST", "Bjorken x"},
        {"--Q2", 0, OPTION_TEXT, &j.Q2_text, "LIST",
         "GeV^2; 0: real photons, where sigma alone has a meaning"},
        {"--y", 0, OPTION_TEXT, &j.y_text, "LIST", "inelasticity, for sigma_r"},
        {"--s", 0, OPTION_TEXT, &j.s_text, "S", "GeV^2, in place of y: y = Q2/(x s)"},
        {"--points", 0, OPTION_TEXT, &j.task.points_path, "FILE|-",
         "lines 'x Q2 y' (with --s 'x Q2') in place of the lists"},
        {"--flavours", 0, OPTION_TEXT, &j.flavours, "LIST", "of u,d,s,c,b; default u,d,s"},
        {"--m-light", 0, OPTION_TEXT, &j.mass_text[LIGHT], "M", "GeV, u, d and s; default 0.14"},
        {"--m-c", 0, OPTION_TEXT, &j.mass_text[CHARM], "M", "GeV; default 1.4"},
        {"--m-b", 0, OPTION_TEXT, &j.mass_text[BEAUTY], "M", "GeV; default 4.75"},
        {"--x-mass", 0, OPTION_FLAG, &j.shift_x, NULL, "the dipole at x (1 + 4 m^2/Q2)"},
        {"--S-perp", 0, OPTION_TEXT, &j.area_text, "A",
         "GeV^-2, transverse area; default dipole.S_perp or of the dipole"},
        CLI_CARD_OPTIONS(&j.task),
        {.name = NULL}};
    const cli_spec spec = {
        .name = "f2",
        .synopsis = "--dipole gbw|mv|mv:SET|bk:SET|FILE --x LIST --Q2 LIST [--y LIST|--s S] "
                    "[options], or --points FILE|-",
        .doc =
            "Prints F2, FL and, where y is known, the reduced cross section sigma_r of DIS, summed"
            "\nover flavours and of each, and the inelastic part, at the outer product of the lists"
            "\nor at the points of a file; formulas and units are in the heading.  Values are exact"
            "\nto 1e-8 for the dipole as it is.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    if (!j.flavours) j.flavours = "u,d,s";
    cgct_status st = print_all_f2(&j, &err);
    for (int m = 0; m < MASSES; m++) photon_free(j.dipole[m]);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}

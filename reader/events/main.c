/* SPDX-License-Identifier: MIT */
/* The program cgctab-events: events of dijet production in deep-inelastic scattering, from a table.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/lists.h"
#include "produce.h"

static const char who[] = "cgctab-events";

typedef struct {
    const char *table, *beams, *Q2, *y, *z, *q, *pt, *K, *n, *out, *seed, *threads, *S_perp,
        *alpha_em;
    int charm, freeze, csv, dry_run, no_weights, quiet, help, version;
} words;

/* One line on standard error; returns the exit status. */
CGCT_PRINTF_(2, 3)
static int complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print(who, status == 2 ? "; 'cgctab-events --help' tells the options" : "", format,
                  args);
    va_end(args);
    return status;
}

#define TEXT OPTION_TEXT
enum { OPTIONS = 22 };
static void list_options(words *w, command_option o[OPTIONS])
{
    const command_option all[OPTIONS] = {
        {"--beams", 0, TEXT, &w->beams, "EExEP", "energies of electron and proton in GeV"},
        {"--Q2", 0, TEXT, &w->Q2, "LO:HI", "virtuality in GeV^2; default 2:50"},
        {"--y", 0, TEXT, &w->y, "LO:HI", "inelasticity; default 0.05:0.95"},
        {"--z", 0, TEXT, &w->z, "LO:HI", "the quark's share of the photon; default 0.1:0.9"},
        {"--q", 0, TEXT, &w->q, "LO:HI", "recoil in GeV; default: that of the table"},
        {"--pt", 0, TEXT, &w->pt, "PT", "least of k1 and k2 in GeV; default 1, with --K 0"},
        {"--K", 0, TEXT, &w->K, "LO:HI", "abs((1-z) k1 - z k2) in GeV; default: any"},
        {"-n", 0, TEXT, &w->n, "N", "number of events; default 10000"},
        {"-o", 0, TEXT, &w->out, "FILE", "where the events go, at the end; or - (stdout)"},
        {"--seed", 0, TEXT, &w->seed, "N", "of the random numbers; default 1"},
        {"--threads", 0, TEXT, &w->threads, "N", "default 1; the events are the same for any"},
        {"--charm", 0, OPTION_FLAG, &w->charm, NULL, "c beside u, d and s, massless"},
        {"--S-perp", 0, TEXT, &w->S_perp, "S", "transverse area in GeV^-2; default: the table's"},
        {"--alpha-em", 0, TEXT, &w->alpha_em, "A", "default 1/137.036"},
        {"--freeze", 0, OPTION_FLAG, &w->freeze, NULL, "outside the table: take its edge"},
        {"--csv", 0, OPTION_FLAG, &w->csv, NULL, "a flat table instead of a Les Houches file"},
        {"--no-weights", 0, OPTION_FLAG, &w->no_weights, NULL,
         "without those of members and bound"},
        {"--dry-run", 0, OPTION_FLAG, &w->dry_run, NULL, "the cross section, no events"},
        {"--quiet", 0, OPTION_FLAG, &w->quiet, NULL, "print nothing but errors"},
        {"--help", 0, OPTION_FLAG, &w->help, NULL, "this list"},
        {"--version", 0, OPTION_FLAG, &w->version, NULL, "version of the program"},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL}};
    memcpy(o, all, sizeof all);
}

static int read_words(int argc, char **argv, words *w, const command_option *options)
{
    option_scan s = {.argc = argc - 1, .argv = argv + 1, .own = options};
    nearest_word near;
    char hint[300];
    for (;;) switch (options_next(&s)) {
        case OPTIONS_END:
            return 0;
        case OPTIONS_WORD:
            if (w->table) return complain(2, "%s: one table only, and %s is it", s.word, w->table);
            w->table = s.word;
            break;
        case OPTIONS_UNKNOWN:
            options_nearest(&s, &near);
            return complain(2, "%s: unknown option%s", s.word, nearest_hint(&near, hint));
        case OPTIONS_TAKES_NONE:
            return complain(2, "%s: takes no value", s.found->name);
        case OPTIONS_LACKS_VALUE:
            return complain(2, "%s: needs a value", s.found->name);
        case OPTIONS_FOUND:
            if (s.found->kind == OPTION_FLAG)
                *(int *)s.found->to = 1;
            else
                *(const char **)s.found->to = s.value;
        }
}

static void print_options(const command_option *o)
{
    printf("usage: cgctab-events TABLE --beams EExEP -o FILE [options]\n\n");
    for (; o->name; o++) printf("  %-12s %-6s %s\n", o->name, o->value ? o->value : "", o->doc);
    printf("\nEvents e g -> e q qbar in lepton-proton scattering (per nucleon, for a nucleus), as\n"
           "man 1 cgctab-events describes.  Exit status: 0 done, 1 failed, 2 wrong usage.\n");
}

/* ---- numbers ---- */

static int read_range(const char *name, const char *text, const double limit[2], double v[2])
{
    if (!text) return 0;
    if (!number_pair(text, ':', v)) return complain(2, "%s: '%s', want LO:HI", name, text);
    if (!(limit[0] <= v[0] && v[0] < v[1] && v[1] <= limit[1]))
        return complain(2, "%s: '%s', want LO < HI from %g to %g", name, text, limit[0], limit[1]);
    return 0;
}

static int read_number(const char *name, const char *text, const double limit[2], double *v)
{
    if (!text) return 0;
    if (!number_parse(text, v) || !(limit[0] <= *v && *v <= limit[1]))
        return complain(2, "%s: '%s', want a number from %g to %g", name, text, limit[0], limit[1]);
    return 0;
}

static int read_integer(const char *name, const char *text, const double limit[2], double *v)
{
    if (!text) return 0;
    if (!integer_parse(text, v) || !(limit[0] <= *v && *v <= limit[1]))
        return complain(2, "%s: '%s', want an integer from %.0f to %.0f", name, text, limit[0],
                        limit[1]);
    return 0;
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        int st_ = (call);                                                                          \
        if (st_) return st_;                                                                       \
    } while (0)

static int read_counts(const words *w, ev_run *run)
{
    static const double events[2] = {1, 1e12}, seeds[2] = {0, 9e15}, threads[2] = {1, EV_THREADS};
    double n = 10000, seed = 1, many = 1;
    TRY(read_integer("-n", w->n, events, &n));
    TRY(read_integer("--seed", w->seed, seeds, &seed));
    TRY(read_integer("--threads", w->threads, threads, &many));
    run->n = (size_t)n;
    run->source.seed = (uint64_t)seed;
    run->threads = (int)many;
    run->quiet = w->quiet;
    return 0;
}

/* Ranges that the table does not limit, and beams. */
static int read_setup(const words *w, ev_setup *s)
{
    static const double any[2] = {1e-3, 1e6}, share[2] = {1e-6, 1 - 1e-6}, pt[2] = {0, 1e4};
    static const double area[2] = {1e-6, 1e9}, coupling[2] = {1e-6, 1}, relative[2] = {0, 1e6};
    double beam[2];
    *s = (ev_setup){.Q2 = {2, 50}, .y = {0.05, 0.95}, .z = {0.1, 0.9}};
    s->k[0] = w->K ? 0 : 1;
    s->K[1] = INFINITY;
    s->same_area = w->S_perp != NULL;
    s->alpha_em = 1 / 137.036;
    s->flavours = w->charm ? 4 : 3;
    s->freeze = w->freeze;
    if (!w->beams) return complain(2, "--beams is needed, for instance --beams 18x275");
    if (!number_pair(w->beams, 'x', beam) ||
        !(beam[0] > 0 && beam[1] > 0 && beam[0] * beam[1] < 1e12))
        return complain(2, "--beams: '%s', want two energies in GeV as 18x275", w->beams);
    s->electron = beam[0];
    s->proton = beam[1];
    s->s = 4 * beam[0] * beam[1];
    if (beam[0] > beam[1] && !w->quiet)
        complain(1,
                 "warning: --beams %s: the electron comes first, so its energy is %g GeV and "
                 "the proton's %g GeV",
                 w->beams, beam[0], beam[1]);
    TRY(read_range("--Q2", w->Q2, any, s->Q2));
    TRY(read_range("--y", w->y, share, s->y));
    TRY(read_range("--z", w->z, share, s->z));
    TRY(read_number("--pt", w->pt, pt, &s->k[0]));
    TRY(read_range("--K", w->K, relative, s->K));
    TRY(read_number("--S-perp", w->S_perp, area, &s->S_perp));
    return read_number("--alpha-em", w->alpha_em, coupling, &s->alpha_em);
}

/* What the table says. */
static int fit_to_table(const words *w, const cgct_table *table, ev_setup *s)
{
    static const double any[2] = {1e-3, 1e6};
    cgct_info info;
    cgct_table_info(table, &info);
    memcpy(s->x, info.x, sizeof s->x);
    memcpy(s->eps, info.eps, sizeof s->eps);
    memcpy(s->q, info.q, sizeof s->q);
    memcpy(s->q_table, info.q, sizeof s->q_table);
    s->k[1] = info.k_max;
    TRY(read_range("--q", w->q, w->freeze ? any : info.q, s->q));
    if (s->S_perp == 0) s->S_perp = cgct_member_S_perp(table, info.member);
    if (!(s->S_perp > 0))
        return complain(1, "%s does not state its transverse area: give --S-perp", w->table);
    if (s->k[0] >= s->k[1])
        return complain(1, "--pt %g leaves nothing: the table ends at %g GeV", s->k[0], s->k[1]);
    double k[2];
    ev_k_range(s, k);
    if (k[0] >= k[1])
        return complain(1,
                        "--K %g:%g leaves nothing: with q up to %g GeV the shorter of k1 and k2 is "
                        "%g GeV or more, and must be below %g GeV",
                        s->K[0], s->K[1], s->q[1], k[0], k[1]);
    double z = fmin(s->z[0] * (1 - s->z[0]), s->z[1] * (1 - s->z[1]));
    double least = sqrt(z * s->Q2[0]);
    double middle = s->z[0] < 0.5 && s->z[1] > 0.5
                        ? 0.25
                        : fmax(s->z[0] * (1 - s->z[0]), s->z[1] * (1 - s->z[1]));
    double most = sqrt(middle * s->Q2[1]);
    if (!s->freeze && (most < s->eps[0] || least > s->eps[1]))
        return complain(1, "Q2 and z give eps from %g to %g GeV, the table has %g to %g: no events",
                        least, most, s->eps[0], s->eps[1]);
    double mass2 = s->K[0] * s->K[0] / middle;
    double lowest = (s->Q2[0] + s->q[0] * s->q[0] + mass2) / (s->y[1] * s->s);
    if (!s->freeze && lowest > s->x[1])
        return complain(
            1, "x is %g or more with these beams and cuts, the table ends at %g: no events", lowest,
            s->x[1]);
    if (s->s * s->y[1] < s->Q2[0])
        return complain(1, "the beams lie below the threshold: y s = %g GeV^2, Q2 = %g GeV^2",
                        s->s * s->y[1], s->Q2[0]);
    return 0;
}

/* ---- the run ---- */

/* The grid and the first pass; 0 in sums.sum: nothing is left. */
static cgct_status prepare(ev_run *run, const ev_shapes *shapes, const ev_setup *s, ev_grid **grid,
                           cgct_err *err)
{
    run->source.setup = s;
    CGCT_TRY(ev_grid_make(grid, shapes, s, err));
    run->source.grid = *grid;
    memset(&run->sums, 0, sizeof run->sums);
    if (!(ev_grid_total(*grid) > 0)) return CGCT_OK;
    return ev_pilot(run, err);
}

/* What share of the cross section lies outside of the table, and where; inside: what is not part of
 * the sums. */
static void find_outside(const ev_sums *sums, double inside, double share[EV_PLACES])
{
    const double all = sums->sum + inside;
    for (int i = 0; i < EV_PLACES; i++) share[i] = all > 0 ? sums->outside[i] / all : 0;
}

/* The same by a first pass with I at the table's edges, of the points that lie outside alone. */
static cgct_status estimate_outside(const ev_run *run, const ev_shapes *shapes, cgct_table *table,
                                    double share[EV_PLACES], cgct_err *err)
{
    ev_run other = *run;
    ev_setup s = *run->source.setup;
    ev_grid *grid = NULL;
    s.freeze = 1;
    other.pilot = 0;
    other.source.outside = 1;
    cgct_set_policy(table, CGCT_POLICY_FREEZE);
    cgct_status st = prepare(&other, shapes, &s, &grid, err);
    cgct_set_policy(table, CGCT_POLICY_ERROR);
    ev_grid_free(grid);
    const double trials = (double)other.sums.trials / (double)run->sums.trials;
    find_outside(&other.sums, run->sums.sum * trials, share);
    return st;
}

static void print_outside(const ev_setup *s, const double share[EV_PLACES])
{
    const double all = share[EV_X_ABOVE] + share[EV_X_BELOW] + share[EV_EPS] + share[EV_Q];
    printf(s->freeze
               ? "at the edge    %.3g of the cross section lies outside the table, where I is "
                 "that at its edge\n"
               : "outside        %.3g of the cross section lies outside the table, by an "
                 "estimate with I at its edge\n",
           all);
    if (share[EV_X_ABOVE] > 0)
        printf("               %.3g at x above %g\n", share[EV_X_ABOVE], s->x[1]);
    if (share[EV_X_BELOW] > 0)
        printf("               %.3g at x below %g\n", share[EV_X_BELOW], s->x[0]);
    if (share[EV_EPS] > 0)
        printf("               %.3g at eps outside %g:%g GeV\n", share[EV_EPS], s->eps[0],
               s->eps[1]);
    if (share[EV_Q] > 0)
        printf("               %.3g at q outside %g:%g GeV\n", share[EV_Q], s->q_table[0],
               s->q_table[1]);
}

/* Whether the table may hold I < 0 that its bounds do not explain. */
static int may_be_negative(const cgct_table *table)
{
    cgct_info info;
    return cgct_table_info(table, &info) == CGCT_OK && info.data_version == 2;
}

static void print_results(const ev_run *run, const ev_format *f)
{
    const ev_sums *s = &run->sums;
    printf("cross section  %.6g +- %.2g pb\n", f->sigma, f->error);
    printf("efficiency     %.3f of the trials become events\n", f->efficiency);
    print_outside(run->source.setup, f->outside);
    if (f->negative >= 0)
        printf(
            "negative       %.3g of the cross section is what |I| would add where I is negative, "
            "which has no events\n",
            f->negative);
    if (!run->written) return;
    printf("events         %zu written, from %zu trials, which gave %zu copies\n", run->written,
           s->trials, s->copies);
    printf("overweight     %.2g of the cross section; largest weight %.3g\n", s->above / s->sum,
           s->most / run->source.top);
}

static void finish_format(const ev_run *run, ev_format *f)
{
    ev_cross_section(&run->sums, &f->sigma, &f->error);
    f->efficiency = f->sigma / run->source.top;
    if (f->negative >= 0) f->negative = run->sums.negative / run->sums.sum;
}

static cgct_status write_events(ev_run *run, ev_format *f, const char *out, cgct_err *err)
{
    static const char last[] = "</LesHouchesEvents>\n";
    cgct_tmpfile file = cgct_tmpfile_none();
    ev_text text = {NULL, 0, 0, NULL, 0}, again = {NULL, 0, 0, NULL, 0};
    cgct_status st = cgct_tmpfile_open_text(&file, out, err);
    if (st == CGCT_OK) st = ev_header(f, &text, err);
    const ev_piece first = {text.text, text.n, f->zipped, 1, 0};
    const ev_piece end = {last, sizeof last - 1, f->zipped, 0, 0};
    if (st == CGCT_OK) st = ev_write(&file, &first, err);
    if (st == CGCT_OK) st = ev_produce(run, f, &file, err);
    if (st == CGCT_OK && !f->csv) st = ev_write(&file, &end, err);
    if (st == CGCT_OK) {
        finish_format(run, f);
        st = ev_header(f, &again, err);
    }
    if (st == CGCT_OK && again.n != text.n)
        st = cgct_fail(err, CGCT_E_IO, "the header's length has changed");
    const ev_piece anew = {again.text, again.n, f->zipped, 1, 1};
    if (st == CGCT_OK) st = ev_write(&file, &anew, err);
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&file, err);
    cgct_tmpfile_discard(&file);
    ev_text_free(&text);
    ev_text_free(&again);
    return st;
}

static int generate(const words *w, cgct_table *table, ev_run *run)
{
    cgct_err err;
    ev_shapes *shapes = NULL;
    ev_grid *grid = NULL;
    ev_weights weights = {0};
    ev_format f = {.source = &run->source,
                   .csv = w->csv,
                   .weights = &weights,
                   .negative = may_be_negative(table) ? 0 : -1,
                   .zipped = w->out && ev_named_gzip(w->out)};
    if (f.zipped && !ev_has_gzip())
        return complain(2,
                        "%s: this program was built without zlib (zlib1g-dev); take a name without "
                        ".gz",
                        w->out);
    if (w->dry_run) run->pilot = 256;
    cgct_status st = CGCT_OK;
    if (f.negative >= 0) cgct_set_negative(table, CGCT_NEGATIVE_KEEP);
    if (!w->dry_run && !w->no_weights)
        st = ev_weights_make(&weights, table, run->source.setup, &err);
    run->source.weights = weights.n ? &weights : NULL;
    if (st == CGCT_OK) st = ev_shapes_make(&shapes, table, run->source.setup, &err);
    if (st == CGCT_OK) st = prepare(run, shapes, run->source.setup, &grid, &err);
    if (st == CGCT_OK && !(run->sums.sum > 0)) {
        ev_weights_free(&weights);
        ev_shapes_free(shapes);
        ev_grid_free(grid);
        return complain(1, "the cuts leave nothing inside the table: x %g:%g, q %g:%g GeV",
                        run->source.setup->x[0], run->source.setup->x[1], run->source.setup->q[0],
                        run->source.setup->q[1]);
    }
    if (w->freeze)
        find_outside(&run->sums, 0, f.outside);
    else if (st == CGCT_OK)
        st = estimate_outside(run, shapes, table, f.outside, &err);
    ev_shapes_free(shapes);
    if (st == CGCT_OK) finish_format(run, &f);
    if (st == CGCT_OK && !w->dry_run) st = write_events(run, &f, w->out, &err);
    if (st == CGCT_OK && !w->quiet) print_results(run, &f);
    ev_weights_free(&weights);
    ev_grid_free(grid);
    if (st != CGCT_OK) return complain(1, "%s", err.text);
    return message_flush_output(who) ? 0 : 1;
}

int main(int argc, char **argv)
{
    words w = {0};
    command_option options[OPTIONS];
    ev_run run = {.threads = 1};
    ev_setup setup;
    cgct_table *table;
    cgct_err err;
    command_begin();
    list_options(&w, options);
    TRY(read_words(argc, argv, &w, options));
    if (w.help) print_options(options);
    if (w.version) printf("cgctab-events %s\n", cgct_version());
    if (w.help || w.version) return message_flush_output(who) ? 0 : 1;
    if (!w.table) return complain(2, "a table is needed");
    TRY(read_setup(&w, &setup));
    TRY(read_counts(&w, &run));
    if (!w.out && !w.dry_run) return complain(2, "-o FILE is needed, or --dry-run");
    if (cgct_open(w.table, &table, &err) != CGCT_OK) return complain(1, "%s", err.text);
    if (w.out && cgct_same_file(w.out, cgct_table_path(table))) {
        cgct_close(table);
        return complain(2, "-o %s: is the table itself; name another file", w.out);
    }
    int st = fit_to_table(&w, table, &setup);
    if (setup.freeze) cgct_set_policy(table, CGCT_POLICY_FREEZE);
    run.source.table = table;
    run.source.setup = &setup;
    if (st == 0) st = generate(&w, table, &run);
    cgct_close(table);
    return st;
}

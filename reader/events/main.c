/* SPDX-License-Identifier: MIT */
/* The program cgctab-events: events of dijet production in deep-inelastic scattering, from a table.
 */
#include <stdlib.h>
#include <string.h>

#include "setup.h"

#define OVERWEIGHT 1e-2 /* share of the cross section in weights above 1 that gets a warning */

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

/* The sums of a first pass with I at the table's edges, of the points that lie outside alone. */
static cgct_status sum_outside(const ev_run *run, const ev_shapes *shapes, cgct_table *table,
                               ev_sums *sums, cgct_err *err)
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
    *sums = other.sums;
    return st;
}

static void print_outside(const ev_setup *s, const double share[EV_PLACES], int is_pa)
{
    const char *kept = is_pa ? "T" : "I (below the smallest eps: eps^2 I_T)";
    const double all = share[EV_X_ABOVE] + share[EV_X_BELOW] + share[EV_EPS] + share[EV_Q];
    printf(s->freeze ? "at the edge    %.3g of the cross section lies outside the table, where %s "
                       "is that at its edge\n"
                     : "outside        %.3g of the cross section lies outside the table, by an "
                       "estimate with %s at its edge\n",
           all, kept);
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
    printf("left out       shorter momenta above %g GeV", s->k[1]);
    if (s->q[1] == s->q_table[1]) printf(" and q above %g GeV", s->q[1]);
    printf(", where the table ends, are in no number here\n");
}

static void print_results(const ev_run *run, const ev_format *f)
{
    static const char *const channel[EV_KINDS] = {"q g", "g g", "q qbar"};
    const ev_sums *s = &run->sums;
    if (run->source.setup->photons.real)
        printf("real photons   of %s%s\n", run->source.setup->photons.name,
               run->source.setup->both ? ", of both beams" : "");
    printf("cross section  %.6g +- %.2g pb\n", f->sigma, f->error);
    const char *before = run->source.pa ? "by channel     " : "by flavour     ";
    for (int i = 0; i < EV_KINDS; i++) {
        const ev_kind *kind = &run->source.setup->kind[i];
        double sigma, error;
        ev_cross_section_of(s, i, &sigma, &error);
        if (run->source.pa && i < run->source.pa->channels) {
            printf("%s%s %.6g +- %.2g", before, channel[i], sigma, error);
            before = ", ";
        }
        for (int j = 0; !run->source.pa && j < kind->n; j++, before = ", ") {
            const double share = ev_charge2(kind->id[j]) / kind->charges2;
            printf("%s%c %.6g +- %.2g", before, ev_flavour_name[kind->id[j]], share * sigma,
                   share * error);
        }
    }
    printf(" pb\n");
    if (s->pdf_edge > 0)
        printf("PDFs           %.3g of the cross section lies outside their grid, at whose edge "
               "they are taken\n",
               s->pdf_edge / s->sum);
    printf("efficiency     %.3f of the trials become events\n", f->efficiency);
    print_outside(run->source.setup, f->outside, run->source.pa != NULL);
    if (f->negative >= 0)
        printf(
            "negative       %.3g of the cross section is what |%c| would add where %c is negative, "
            "which has no events\n",
            f->negative, run->source.pa ? 'T' : 'I', run->source.pa ? 'T' : 'I');
    if (!run->written) return;
    printf("events         %zu written, from %zu trials, which gave %zu copies\n", run->written,
           s->trials, s->copies);
    printf("overweight     %.2g of the cross section; largest weight %.3g\n", f->overweight,
           s->most / run->source.top);
}

/* Few different events, which their file alone does not show. */
static void warn_overweight(const ev_format *f)
{
    if (f->overweight > OVERWEIGHT)
        ev_complain(1,
                    "warning: %.2g of the cross section lies in weights above 1, and %.2g of the "
                    "events are copies: these cuts are hard to sample; take wider ones",
                    f->overweight, f->copies);
}

static void finish_format(const ev_run *run, ev_format *f)
{
    ev_cross_section(&run->sums, &f->sigma, &f->error);
    f->efficiency = f->sigma / run->source.top;
    f->overweight = run->sums.above / run->sums.sum;
    f->copies = (double)run->sums.copies * run->source.top / run->sums.sum; /* of sum/top events */
    if (f->negative >= 0) f->negative = run->sums.negative / run->sums.sum;
}

static cgct_status write_events(ev_run *run, ev_format *f, const char *out, cgct_err *err)
{
    static const char last[] = "</LesHouchesEvents>\n";
    cgct_tmpfile file = cgct_tmpfile_none();
    char *text = NULL, *again = NULL;
    size_t n = 0, n_again = 0;
    cgct_status st = cgct_tmpfile_open_text(&file, out, err);
    if (st == CGCT_OK) st = ev_header(f, &text, &n, err);
    if (st == CGCT_OK) st = ev_write(&file, f, text, n, EV_HEADER, err);
    if (st == CGCT_OK) st = ev_produce(run, f, &file, err);
    if (st == CGCT_OK && !f->csv) st = ev_write(&file, f, last, sizeof last - 1, EV_EVENTS, err);
    if (st == CGCT_OK) {
        finish_format(run, f);
        st = ev_header(f, &again, &n_again, err);
    }
    if (st == CGCT_OK && n_again != n)
        st = cgct_fail(err, CGCT_E_IO, "the header's length has changed");
    if (st == CGCT_OK) st = ev_write(&file, f, again, n, EV_HEADER_AGAIN, err);
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&file, err);
    cgct_tmpfile_discard(&file);
    free(text);
    free(again);
    return st;
}

/* Of proton-nucleus collisions: T outside of the table is that at its edge, where there are no
 * events without --freeze. */
static cgct_status begin_pa(const ev_words *w, ev_run *run, ev_pa *pa, double outside[EV_PLACES],
                            cgct_err *err)
{
    ev_sums *sums = &run->sums;
    CGCT_TRY(ev_pa_adapt(pa, &run->source, err));
    CGCT_TRY(ev_pilot(run, err));
    double beyond = 0;
    for (int i = 0; i < EV_PLACES; i++) beyond += w->freeze ? 0 : sums->outside[i];
    find_outside(sums, beyond, outside);
    return CGCT_OK;
}

/* Of electrons or photons. */
static cgct_status begin_dis(const ev_words *w, cgct_table *table, ev_run *run, ev_grid **grid,
                             double share[EV_PLACES], cgct_err *err)
{
    ev_shapes *shapes = NULL;
    ev_sums outside = {0};
    cgct_status st = ev_shapes_make(&shapes, table, run->source.setup, err);
    if (st == CGCT_OK && !w->freeze) st = sum_outside(run, shapes, table, &outside, err);
    if (st == CGCT_OK) st = prepare(run, shapes, run->source.setup, grid, err);
    ev_shapes_free(shapes);
    if (st != CGCT_OK || !(run->sums.sum > 0)) return st;
    if (run->source.soft && !w->quiet) ev_warn_soft(run);
    const double same_trials = (double)outside.trials / (double)run->sums.trials;
    if (w->freeze)
        find_outside(&run->sums, 0, share);
    else if (outside.trials)
        find_outside(&outside, run->sums.sum * same_trials, share);
    return CGCT_OK;
}

/* trials: of points, or 0 where no cell of the grid has a cross section. */
static cgct_status no_events(const ev_setup *s, size_t trials, cgct_err *err)
{
    char what[96] = "the cuts leave nothing inside";
    if (trials) snprintf(what, sizeof what, "none of %zu trials lies inside the cuts and", trials);
    if (s->freeze)
        return cgct_fail(err, CGCT_E_RANGE,
                         "%s the table: q %g:%g GeV, x from 0 to 1; take wider cuts or beams of "
                         "higher energy",
                         what, s->q[0], s->q[1]);
    return cgct_fail(
        err, CGCT_E_RANGE,
        "%s the table: x %g:%g, q %g:%g GeV; take wider cuts, other beams, or --freeze", what,
        s->x[0], s->x[1], s->q[0], s->q[1]);
}

static int generate(const ev_words *w, cgct_table *table, ev_run *run, ev_pa *pa)
{
    cgct_err err;
    ev_grid *grid = NULL;
    ev_weights weights = {0};
    cgct_info info; /* even data versions may hold I < 0 that bounds do not explain */
    cgct_table_info(table, &info);
    ev_format f = {.source = &run->source,
                   .csv = w->csv,
                   .weights = &weights,
                   .negative = pa || info.data_version % 2 == 0 ? 0 : -1};
    const size_t n = w->out ? strlen(w->out) : 0;
    f.zipped = n > 3 && !strcmp(w->out + n - 3, ".gz");
    if (f.zipped && !ev_has_gzip())
        return ev_complain(
            2,
            "%s: this program was built without zlib (zlib1g-dev); take a name without "
            ".gz",
            w->out);
    if (w->dry_run) run->pilot = 256;
    if (f.negative >= 0) cgct_set_negative(table, CGCT_NEGATIVE_KEEP);
    const ev_setup *s = run->source.setup;
    cgct_status st = CGCT_OK;
    if (!w->dry_run && !w->no_weights)
        st = pa ? ev_pa_weights(&weights, &err) : ev_weights_make(&weights, table, s, &err);
    if (weights.n) run->source.weights = &weights;
    if (weights.n && run->source.soft) weights.soft = 2;
    if (st == CGCT_OK)
        st = pa ? begin_pa(w, run, pa, f.outside, &err)
                : begin_dis(w, table, run, &grid, f.outside, &err);
    if (st == CGCT_OK && !(run->sums.sum > 0))
        st = no_events(s, grid && !(ev_grid_total(grid) > 0) ? 0 : run->sums.trials, &err);
    if (st == CGCT_OK) finish_format(run, &f);
    if (st == CGCT_OK && !w->dry_run) st = write_events(run, &f, w->out, &err);
    if (st == CGCT_OK && !w->quiet) print_results(run, &f);
    if (st == CGCT_OK && run->written) warn_overweight(&f);
    ev_weights_free(&weights);
    ev_grid_free(grid);
    if (st != CGCT_OK) return ev_complain(1, "%s", err.text);
    return message_flush_output(EV_WHO) ? 0 : 1;
}

/* That -o names no file that is read. */
static int check_not_read(const ev_words *w, const cgct_table *table, const ev_pa *pa)
{
    const char *const photons = "table:", *of = w->photon;
    const char *const input[] = {pa ? ev_pdf_path(pa->pdf) : NULL, pa ? pa->alpha_s.path : NULL,
                                 of && !strncmp(of, photons, strlen(photons)) ? of + strlen(photons)
                                                                              : NULL};
    if (!w->out) return 0;
    if (cgct_same_file(w->out, cgct_table_path(table)))
        return ev_complain(2, "-o %s: is the table itself; name another file", w->out);
    for (size_t i = 0; i < sizeof input / sizeof *input; i++)
        if (input[i] && cgct_same_file(w->out, input[i]))
            return ev_complain(2, "-o %s: is read by this command; name another file", w->out);
    return 0;
}

/* From the words that are read to the end. */
static int run_words(const ev_words *w, ev_run *run, ev_setup *setup, ev_pa *pa)
{
    cgct_table *table;
    cgct_soft *soft = NULL;
    cgct_err err;
    int st = 0;
    EV_TRY(ev_read_counts(w, run));
    if (!w->out && !w->dry_run) return ev_complain(2, "-o FILE is needed, or --dry-run");
    if (cgct_open(w->table, &table, &err) != CGCT_OK) return ev_complain(1, "%s", err.text);
    st = check_not_read(w, table, pa);
    if (st == 0 && run->threads > 1 && cgct_load(table, &err) != CGCT_OK)
        st = ev_complain(1, "%s", err.text);
    if (st == 0) st = ev_begin_soft(w, run, &soft);
    if (pa) pa->T = pa->dilute ? cgct_pa_dilute : cgct_pa_eval;
    if (pa) pa->of = table;
    if (st == 0 && pa && !(pa->channels = cgct_pa_channels(table)))
        st = ev_complain(1,
                         "%s: a table of deep-inelastic scattering; --process pa needs one of "
                         "proton-nucleus collisions",
                         w->table);
    if (st == 0) st = ev_fit_to_table(w, table, setup);
    if (setup->freeze) cgct_set_policy(table, CGCT_POLICY_FREEZE);
    run->source.table = table;
    run->source.setup = setup;
    run->source.pa = pa;
    if (st == 0) st = generate(w, table, run, pa);
    cgct_soft_free(soft);
    cgct_close(table);
    return st;
}

int main(int argc, char **argv)
{
    ev_words w = {0};
    ev_run run = {.threads = 1};
    ev_setup setup = {0};
    ev_pa pa = {0};
    command_begin();
    EV_TRY(ev_read_words(argc, argv, &w));
    if (w.help || w.version) return message_flush_output(EV_WHO) ? 0 : 1;
    if (!w.table) return ev_complain(2, "a table is needed");
    const int is_pa = w.process && !strcmp(w.process, "pa");
    if (w.process && !is_pa && strcmp(w.process, "dis"))
        return ev_complain(2, "--process: '%s', want dis or pa", w.process);
    int st = is_pa ? ev_read_pa(&w, &setup, &pa) : ev_read_setup(&w, &setup);
    if (st == 0) st = run_words(&w, &run, &setup, is_pa ? &pa : NULL);
    ev_pa_free(&pa);
    free(setup.photons.ln);
    return st;
}

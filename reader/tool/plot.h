/* SPDX-License-Identifier: MIT */
/* plot.h: a picture by gnuplot.  A program writes variables and data; how they are drawn stands in
 * the files of plots/, which are part of the program (rules.mk makes an array of each). */
#ifndef CGCTAB_PLOT_H
#define CGCTAB_PLOT_H
#include "../../format/gnuplot.h"
#include "../../format/tmpfile.h"
#include "tool.h"

enum { PLOT_CURVES_MAX = 8 };

enum { PLOT_X, PLOT_EPS, PLOT_Q, PLOT_K1, PLOT_THETA, PLOT_NVAR };

/* Values of the options, or the middle of a range; list_at: the one that has several, or -1. */
typedef struct {
    double v[PLOT_NVAR];
    number_list list;
    int list_at;
} plot_place;

typedef struct {
    tool_call *call;
    FILE *f;    /* gnuplot's script, without a name: variables and data, then texts of plots/ */
    FILE *data; /* --data, or NULL */
    size_t blocks;
    plot_place place; /* of plot_place_parse */
    picture_form form;
    int into; /* the open file of the picture */
    cgct_tmpfile picture;
    cgct_textfile numbers; /* of --data */
} plot;

/* The texts of plots/: NAME.gp is text_NAME_gp. */
extern const char text_frame_gp[], text_map_gp[], text_modes_gp[], text_slice_gp[],
    text_compare_gp[], text_vn_gp[];

/* Opens the files of -o and --data, or for an SVG the file `svg` alone where that is not -1, and
 * the script; a suffix that is no picture is an error. */
int plot_open(plot *p, tool_call *c, int svg);
/* Adds text_frame_gp and gp to the script and runs gnuplot, unless st is a failure already; the
 * files appear where all went well. */
int plot_close(plot *p, int st, const char *gp);
/* What stands between the two, for the call's kind of picture. */
int plot_draw(tool_call *c, int svg);

/* Writes the file of -o: a page of ../explore/, where put(to, WORD, its length) writes to *f what
 * stands for each @@WORD@@.  *f is opened here. */
int put_page(tool_call *c, const char *text, int (*put)(void *to, const char *word, size_t n),
             void *to, FILE **f);

/* Variables of the script: a number, one for each polarisation (NAME(pol)), a text as of printf. */
void plot_number(plot *p, const char *name, double v);
void plot_pair(plot *p, const char *name, double T, double L);
void plot_string(plot *p, const char *name, const char *format, ...) CGCT_PRINTF_(3, 4);
/* How many curves there are, and their names in the legend: "K = 3 GeV" for each of a list; without
 * a list one curve, which needs no name. */
void plot_curves(plot *p, const char *symbol, const number_list *of, const char *unit);

/* Range of the positive numbers among those added; at first {INFINITY, 0}. */
typedef struct {
    double lo, hi;
} plot_range;
void plot_range_add(plot_range *r, double v);
/* Sets the range of the colours of both polarisations and returns its lower end, below which a
 * place is grey: the smallest of r, or `least` times the largest. */
double plot_colours(plot *p, plot_range r, double least);

const char *plot_file(const char *path); /* for a title: without the folder */

/* Data: gnuplot knows them as $name. */
void plot_block(plot *p, const char *name, const char *columns);
void plot_row(plot *p, size_t n, const double *v);
void plot_gap(plot *p); /* between the rows of a grid */
void plot_block_end(plot *p);

/* ---- the variables of a table ---- */

extern const char *const plot_option[PLOT_NVAR]; /* "--x" ... */
extern const char *const plot_label[PLOT_NVAR];  /* for an axis, with unit */
extern const char *const plot_unit[PLOT_NVAR];
extern const char *const plot_symbol[PLOT_NVAR];

/* Sets p->place.  allowed: bits of the variables that may be given here, several: those that may be
 * a list. */
int plot_place_parse(plot *p, unsigned allowed, unsigned several);
/* "x = 0.01, eps = 1 GeV", of the variables in shown. */
void plot_place_text(const plot_place *place, unsigned shown, char *text, size_t size);

/* Sets the title: the file's name, text, and the place. */
void plot_title(plot *p, const char *text, unsigned shown);
/* Whether the open member has a range: it is not for comparison, nor are all others. */
int plot_has_range(const cgct_table *t);
/* The variables members and soft, and note: `before`, and what bands and thin lines are. */
void plot_note(plot *p, const char *before);

/* The kinds of pictures: what stands between plot_open and plot_close. */
int plot_slice(plot *p);
int plot_compare(plot *p);
int plot_map(plot *p);
int plot_certificate(plot *p);
int plot_modes(plot *p);
int plot_vn(plot *p);
int plot_inner(plot *p);
#endif

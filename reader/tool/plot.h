/* SPDX-License-Identifier: MIT */
/* plot.h: a picture by gnuplot.  Panels lie below a row for the title and one for the legend, so
 * that no legend covers a curve. */
#ifndef CGCTAB_PLOT_H
#define CGCTAB_PLOT_H
#include "tool.h"

enum { PLOT_PATH = 1024, PLOT_CURVES_MAX = 8 };

typedef struct {
    const tool_call *call;
    FILE *f;    /* gnuplot's script, data included */
    FILE *data; /* --data, or NULL */
    size_t blocks;
    int narrow;                                 /* panels side by side: fewer ticks */
    int bare;                                   /* a panel below has the numbers of the x axis */
    char script[PLOT_PATH];                     /* temporary names, "" for none */
    char part[PLOT_PATH], data_part[PLOT_PATH]; /* of picture and data */
} plot;

/* Opens the script with terminal and common settings; a suffix that is no picture is an error. */
int plot_open(plot *p, const tool_call *c);
/* Ends the script and runs gnuplot, unless st is a failure already; removes what is temporary. */
int plot_close(plot *p, int st);

/* Data: gnuplot knows them as $name. */
void plot_block(plot *p, const char *name, const char *columns);
void plot_row(plot *p, size_t n, const double *v);
void plot_gap(plot *p); /* between the rows of a grid */
void plot_block_end(plot *p);

/* rows x columns panels under a title (not interpreted); legend: leave room for one. */
void plot_panels(plot *p, int rows, int columns, int legend, const char *title);
/* Ticks of a logarithmic axis: axis is "x", "y" or "cb". */
void plot_log_axis(plot *p, const char *axis, double lo, double hi);
void plot_map_frame(plot *p);      /* panels of colours: frame and ticks in front, ticks outwards */
const char *plot_colour(size_t i); /* distinct to the colour-blind */
const char *plot_file(const char *path); /* for a title: without the folder */
/* Text within gnuplot's '...'. */
void plot_quoted(plot *p, const char *text);

/* ---- the variables of a table ---- */

enum { PLOT_X, PLOT_EPS, PLOT_Q, PLOT_K1, PLOT_THETA, PLOT_NVAR };
extern const char *const plot_option[PLOT_NVAR]; /* "--x" ... */
extern const char *const plot_label[PLOT_NVAR];  /* for an axis, with unit */
extern const char *const plot_unit[PLOT_NVAR];
extern const char *const plot_symbol[PLOT_NVAR];

/* Values of the options, or the middle of an axis; list_at: the one that has several, or -1. */
typedef struct {
    double v[PLOT_NVAR];
    number_list list;
    int list_at;
} plot_place;
/* allowed: bits of the variables that may be given here, several: those that may be a list. */
int plot_place_parse(const tool_call *c, const cgct_table *t, unsigned allowed, unsigned several,
                     plot_place *place);
/* "x = 0.01, eps = 1 GeV", of the variables in shown. */
void plot_place_text(const plot_place *place, unsigned shown, char *text, size_t size);

/* File, text, and whether the modes are those of a folded table. */
void plot_mode_title(const tool_call *c, const cgct_table *t, const char *text, char *title,
                     size_t size);

int plot_slice(tool_call *c);
int plot_compare(tool_call *c);
int plot_map(tool_call *c);
int plot_certificate(tool_call *c);
int plot_modes(tool_call *c);
int plot_inner(tool_call *c);
#endif

/* SPDX-License-Identifier: MIT */
/* tool.h: what the commands of the program cgctab share.  They use the public interface of the
 * reader only; plot_inner.c reads inner tables. */
#ifndef CGCTAB_TOOL_H
#define CGCTAB_TOOL_H
#include <stdio.h>
#include <string.h>

#include "../../format/command_line.h"
#include "../../format/error.h"
#include "../../format/lists.h"
#include "../../format/rows.h"
#include "../cgctab.h"

enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 }; /* exit status */
enum { TOOL_PATH = 1024 };                             /* longest name of a file, with its end */
#define TOOL_PI 3.14159265358979323846
#define TOOL_CLEAR(object) memset(&(object), 0, sizeof(object))
#define TOOL_TRY(call)                                                                             \
    do {                                                                                           \
        int st_ = (call);                                                                          \
        if (st_ != TOOL_OK) return st_;                                                            \
    } while (0)

/* ---- results as text, CSV, TSV or JSON, with the same calls (out.c) ----
 *
 * The first call opens the JSON object and out_end closes it, so that it is complete even after a
 * failure. */

typedef enum { OUT_TEXT, OUT_CSV, OUT_TSV, OUT_JSON } out_form;

typedef struct {
    FILE *f;
    out_form form;
    int quiet;  /* text, CSV and TSV: no headings */
    int digits; /* significant digits; 0: as many as identify the number (10 for single values) */
    int open, comma; /* JSON: the object is open; a comma comes before the next item */
    size_t column, ncolumn;
    const char *const *columns; /* names of the columns of the table being printed */
} tool_out;

/* A line "# ..." of text, in front of a table. */
void out_remark(tool_out *o, const char *format, ...) CGCT_PRINTF_(2, 3);

/* Single values; as text a line "key value unit". */
void out_text(tool_out *o, const char *key, const char *value);
void out_number(tool_out *o, const char *key, double v, const char *unit);
void out_count(tool_out *o, const char *key, size_t n);
void out_truth(tool_out *o, const char *key, int yes);
void out_numbers(tool_out *o, const char *key, size_t n, const double *v);
void out_texts(tool_out *o, const char *key, size_t n, const char *const *v);

/* An object within the object, in JSON; nothing in text. */
void out_enter(tool_out *o, const char *key);
void out_leave(tool_out *o);

/* A table of rows of n cells, printed one by one; in JSON an array of objects. */
void out_table(tool_out *o, const char *key, size_t n, const char *const *columns);
void out_cell(tool_out *o, double v);
void out_cells(tool_out *o, size_t n, const double *v);
void out_cell_count(tool_out *o, size_t n);
void out_cell_text(tool_out *o, const char *text); /* NULL: "-", in JSON null */
void out_table_end(tool_out *o);

void out_end(tool_out *o);

/* ---- the table of commands ---- */

struct tool_call;
typedef struct {
    const char *name, *doc;
    const char *words;  /* arguments beside the options, for --help; "[FILE]" may be left out */
    size_t least, most; /* numbers of these arguments */
    const char *first;  /* the words allowed for the first one, "a|b"; NULL: any */
    const command_option *options; /* or NULL */
    const char *more;              /* the rest of --help, or NULL */
    int (*run)(struct tool_call *call);
} tool_command;

extern const tool_command tool_commands[]; /* ends with name NULL */
extern const command_option tool_common[]; /* options of every command */

/* ---- one call of the program ---- */

enum { TOOL_X, TOOL_EPS, TOOL_Q, TOOL_K, TOOL_NAXES };
typedef struct {
    cgct_info info;
    size_t n[TOOL_K]; /* nodes in x, eps, q */
    const double *v[TOOL_K];
    double range[TOOL_NAXES][2]; /* of k: what pictures show, from the first nodes above 0 */
} tool_axes;

enum { TOOL_WORDS_MAX = 4, TOOL_OPTIONS_MAX = 32 };
typedef struct tool_call {
    const tool_command *command;
    size_t n;
    const char *word[TOOL_WORDS_MAX];
    struct {
        const char *name, *value;
    } given[TOOL_OPTIONS_MAX];
    size_t ngiven;
    tool_out out;
    cgct_table *table; /* of tool_open_first */
    tool_axes axes;    /* of that table */
} tool_call;

/* Fills c from the arguments after the command's name.  Returns TOOL_OK, TOOL_USAGE with a message,
 * or -1 after --help or --version, which are printed. */
int tool_parse(tool_call *c, const tool_command *command, int argc, char **argv);
/* TOOL_OK if the word is one of "a|b". */
int tool_check_choice(const char *what, const char *choices, const char *word);
/* The value of an option (of a switch: its name), NULL if it was not given. */
const char *tool_value(const tool_call *c, const char *name);

/* ---- messages: one line on stderr, "cgctab: ..."; they return the exit status ---- */

int tool_fail(const char *format, ...) CGCT_PRINTF_(1, 2);  /* TOOL_FAILED */
int tool_usage(const char *format, ...) CGCT_PRINTF_(1, 2); /* TOOL_USAGE, and where help is */
int tool_status(cgct_status st, const cgct_err *err);       /* its message unless st is OK */
int tool_flush(void); /* of standard output: TOOL_FAILED if not everything could be written */
void tool_print_version(void);

/* ---- numbers and lists (format/lists.h) with their messages ---- */

/* The list that stands for option `name`.  Call number_list_free always. */
int tool_list_parse(const char *name, const char *text, number_list *list);
int tool_list_add(number_list *list, double v); /* TOOL_FAILED without memory */
void tool_list_sort(number_list *list);         /* rising */
/* The number of an option, if it was given: in [least, most]; otherwise *v keeps its value. */
int tool_option_number(const tool_call *c, const char *name, double least, double most, double *v);
int tool_option_integer(const tool_call *c, const char *name, double least, double most, double *v);

/* ---- tables ---- */

/* Opened so that negative values are kept.  The message about a missing file suggests the existing
 * one with the most similar name. */
int tool_open(const char *file, cgct_table **table);
/* How many members a word means that opened t: one where it is FILE@MEMBER, else all; a file's own
 * name may have an '@', too. */
size_t tool_members_meant(const char *word, const cgct_table *t);
/* What a table says of the places where its dipole gives no positive cross section; *text is empty
 * where there are none. */
void tool_negative(const cgct_table *t, char text[TOOL_PATH]);
/* Opens the first table of the command line as c->table, which main closes. */
int tool_open_first(tool_call *c);
/* Fails for a table of forward dijets; tool_open_first asks it for commands that need photons. */
int tool_photons(const tool_call *c, const cgct_table *t);
/* Calls use(to, folder) with the folders in which cgct_open looks for a name, in order. */
void tool_each_folder(void (*use)(void *to, const char *folder), void *to);
/* Calls use(to, path) with the files of a folder whose names end in .cgct, by name; with none where
 * it cannot be read. */
void tool_each_table(const char *folder, void (*use)(void *to, const char *path), void *to);
/* The checksum SHA-256 (FIPS 180-4) of what is left of a file, which names a table in an index: 64
 * hexadecimal digits.  Whether it could be read the caller asks of ferror. */
void sha256_file(FILE *f, char hex[65]);
tool_axes tool_axes_of(const cgct_table *t);
extern const char *const tool_axis_name[TOOL_NAXES];
/* The part of a range, 0 to 1, on a logarithmic scale; its very ends at 0 and 1. */
double tool_between(const double range[2], double part);
/* The number of pairs (q,k) of nodes at one (x,eps), and pair i: q and k, GeV, at which I can be
 * evaluated at every angle.  The first node beyond k_max stands for k_max; for the others beyond,
 * and for a node that repeats its neighbour (k = q/2 ends both patches), tool_qk returns 0. */
size_t tool_qk_count(const tool_axes *a);
int tool_qk(const cgct_table *t, const tool_axes *a, size_t i, double *q, double *k);
/* Replaces *slice, which may be NULL, by the one at x and eps. */
int tool_slice(const cgct_table *t, const double x_eps[2], cgct_slice **slice);
/* The bound on |error of I| at v = (x, eps, q, k1) over the mean of I over 17 angles, at the angle
 * of them where I is closest to that mean. */
int tool_bound_share(const cgct_table *t, const cgct_slice *slice, const double v[5],
                     double share[2]);
/* Says why I, its bound or its reference could not be had at v = (x, eps, q, k1, theta). */
int tool_fail_at(const cgct_table *t, const double v[5], cgct_status st);
/* T of forward dijets and its bound at v = (x, z, q, k1, theta), theta = angle(k1,q), and Lambda of
 * 1 GeV. */
cgct_status tool_forward_T(const cgct_table *t, cgct_channel channel, const double v[5], double *T,
                           double *error);
extern const char *const tool_channel[3]; /* names */

/* The points of `eval`, p->ncol columns: their outer product from these options, or the rows of the
 * file that is named, whose columns have the names of the options without "--". */
enum { TOOL_COLUMNS_MAX = 6 };
int tool_points(const tool_call *c, const char *const *option, number_rows *p);
/* eval --process, dijets of a proton (forward.c). */
int tool_forward(tool_call *c);

/* ---- soft gluons (cmd_eval.c) ---- */

/* Those of --soft, which is given. */
int tool_soft_options(const tool_call *c, cgct_soft_options *o);
double tool_soft_P(double q, double k1, double theta); /* |k1 - q/2|, GeV */
/* Warnings, once for all points: whether P is below 3 GeV, q above P at some of them. */
void tool_soft_warn(const tool_call *c, int low_P, int high_q);

/* ---- how well a table is known (accuracy.c) ---- */

/* A value counts as known where its bound is at most this share of I. */
#define ACCURACY_KNOWN 1e-3

/* Limits in x and in GeV, and what accuracy_of finds at points that fill the region evenly in the
 * logarithms of x, eps, q, k1 and in theta: the share of values of I_T and I_L whose bound is below
 * I (resolved) and below ACCURACY_KNOWN of it (known); of bound over I the median and the 99.9th
 * percentile of those that are resolved, and the largest of all.  Of forward dijets the values are
 * those of T, at z from 0.05 to 0.95 and Lambda = 1 GeV.  channel: of one channel, or one
 * polarisation ("T", "L"), or (NULL) of all. */
typedef struct {
    const char *name, *channel;
    double x[2], eps[2], q[2], k1[2];
    size_t points;
    double resolved, known, median, p999, worst;
} accuracy_region;

int accuracy_of(const cgct_table *t, accuracy_region *r); /* TOOL_OK or TOOL_FAILED */

/* The whole table, and what a dijet generator uses of it: 0 where the table has nothing of it. */
accuracy_region accuracy_whole(const tool_axes *a);
int accuracy_dijets(const tool_axes *a, accuracy_region *r);
/* Range `part` of x of the latter, the last from 0.006 on; 0 also where x has one node. */
enum { ACCURACY_X_PARTS = 5 };
int accuracy_dijets_at(const tool_axes *a, int part, accuracy_region *r);

/* ---- commands ---- */

int cmd_accuracy(tool_call *c);
int cmd_axes(tool_call *c);
int cmd_diff(tool_call *c);
int cmd_dump(tool_call *c);
int cmd_eval(tool_call *c);
int cmd_explore(tool_call *c);
int cmd_get(tool_call *c);
int cmd_index(tool_call *c);
int cmd_info(tool_call *c);
int cmd_keys(tool_call *c);
int cmd_list(tool_call *c);
int cmd_plot(tool_call *c);
int cmd_report(tool_call *c);
int cmd_stats(tool_call *c);
int cmd_verify(tool_call *c);
int cmd_where(tool_call *c);
#endif

/* SPDX-License-Identifier: MIT */
/* pdf.h: parton distributions from a grid of LHAPDF 6 (A. Buckley et al., arXiv:1412.7420), and the
 * running coupling. */
#ifndef CGCTAB_PDF_H
#define CGCTAB_PDF_H
#include "../../format/error.h"

enum { EV_PARTONS = 13, EV_GLUON = 6 }; /* places: 6 + id of a quark, -6 to 6; the gluon's is 6 */

typedef struct ev_pdf ev_pdf;
/* One member: the path of a file NAME_0000.dat, or NAME, which is looked for as NAME/NAME_0000.dat
 * in the folders of LHAPDF_DATA_PATH.  *pdf is NULL after a failure.  E_IO, E_FORMAT with file,
 * line and the text at fault, E_NOMEM. */
cgct_status ev_pdf_open(ev_pdf **pdf, const char *name, cgct_err *err);
void ev_pdf_free(ev_pdf *pdf);
const char *ev_pdf_path(const ev_pdf *pdf);
/* x f(x, Q), Q in GeV, of all flavours; those that the grid lacks are 0.  Between knots as LHAPDF:
 * cubic in ln x and ln Q^2 with the slopes of finite differences.  Q outside of the grid is its
 * nearest knot, and so is x below it; above the last x they are 0.  Returns 1 where Q or x is
 * outside. */
int ev_pdf_at(const ev_pdf *pdf, double x, double Q, double xf[EV_PARTONS]);

/* alpha_s(mu): a number, or of one loop, or of a table. */
typedef struct {
    double fixed, at_mz; /* 0: not this one */
    size_t n;
    double *table; /* (n, 2): ln Q, rising, and 1/alpha_s, linear between them; owned */
    char *path;    /* of the file of the table, or NULL; owned */
} ev_coupling;
/* "0.2", fixed; "mz:0.118", of one loop from that at 91.1876 GeV, with m_c = 1.4 and m_b = 4.75
 * GeV; FILE.info, its AlphaS_Qs and AlphaS_Vals; "pdf", those of NAME.info beside the grid; NULL:
 * the same where there is such a file, else mz:0.118.  Free c in any case.  E_CONFIG,
 * E_FORMAT, E_IO, E_NOMEM. */
cgct_status ev_coupling_read(ev_coupling *c, const char *text, const ev_pdf *pdf, cgct_err *err);
void ev_coupling_free(ev_coupling *c);
/* mu in GeV; held at its value at 1 GeV below that, and at the ends of a table. */
double ev_coupling_at(const ev_coupling *c, double mu);
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h: the pictures of 'cgctab-generate plot' that have a file of their own. */
#ifndef CGCT_CLI_PLOT_H
#define CGCT_CLI_PLOT_H
#include "cli/common.h"
#include "cli/picture.h"

/* DIR/vn.dat, script and picture.  The card is read; x, eps, q and K (in k1) are still text. */
cgct_status plot_vn(cli_task *t, const char *dir, cgct_err *err);
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run cards: defaults, values of each type, and the message of every way to get a card wrong. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/params.h"
#include "run_suite.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif

static char card_path[] = "/tmp/cgct_config_XXXXXX";

static cgct_status load(config *c, const char *text, size_t nset, const char *const *set,
                        cgct_err *err)
{
    FILE *f = fopen(card_path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    err->text[0] = 0;
    return config_init(c, card_path, nset, set, err);
}

/* The card is refused, in one line that contains each of the strings. */
static void refuses(const char *text, const char *a, const char *b)
{
    config c;
    cgct_err err;
    cgct_status st = load(&c, text, 0, NULL, &err);
    ck_assert_msg(st == CGCT_E_CONFIG, "card accepted or wrong status %d: %s", st, text);
    ck_assert_msg(strstr(err.text, a) && strstr(err.text, b),
                  "card <%s>: message <%s>, want <%s> <%s>", text, err.text, a, b);
    ck_assert_ptr_null(strchr(err.text, '\n'));
    ck_assert_ptr_null(c.owned);
}

static void refuses_set(const char *set, const char *a, const char *b)
{
    config c;
    cgct_err err = {""};
    const char *sets[] = {"inner.lam=0", set};
    cgct_status st = config_init(&c, NULL, 2, sets, &err);
    ck_assert_msg(st == CGCT_E_CONFIG, "accepted or wrong status %d: %s", st, set);
    ck_assert_msg(!strncmp(err.text, "--set ", 6) && strstr(err.text, set) == err.text + 6 &&
                      strstr(err.text, a) && strstr(err.text, b),
                  "--set %s: message <%s>, want <%s> <%s>", set, err.text, a, b);
}

START_TEST(defaults)
{
    config c;
    ck_assert_int_eq(config_init(&c, NULL, 0, NULL, NULL), CGCT_OK);
    ck_assert_str_eq(c.dipole.kind, "gbw");
    ck_assert_str_eq(c.dipole.opts.path, "");
    ck_assert_double_eq(c.dipole.opts.x0, 0);
    ck_assert_int_eq(c.run.node.inner.hankel.degree, 8);
    ck_assert_uint_eq(c.run.q.n, 48);
    ck_assert_double_eq(c.run.q.v[0], 1);
    ck_assert_double_eq(c.run.q.v[47], 25);
    ck_assert_double_eq_tol(c.run.q.v[1] / c.run.q.v[0], c.run.q.v[47] / c.run.q.v[46], 1e-14);
    ck_assert_str_eq(c.text, "");
    config_free(&c);
    config_free(&c);
}
END_TEST

START_TEST(card_and_overrides)
{
    config c;
    cgct_err err;
    const char *sets[] = {"inner.lam=0.25", "axes.x=lin 0.1 0.3 5", "inner.lam=0.75"};
    const char *text = "# a comment\r\n[dipole]\nkind = mv ; inline\nset=mve\n\n[axes]\n"
                       "q = 1, 2\n   5 7,\n ; between\n\t8\neps: 0.5\n[inner]\nlam = 0\n modes=";
    ck_assert_int_eq(load(&c, "[inner]\n  lam = 1e-1", 0, NULL, &err), CGCT_OK);
    ck_assert_double_eq(c.run.node.inner.lam, 0.1);
    ck_assert_str_eq(c.text, "[inner]\n  lam = 1e-1\n");
    config_free(&c);

    char good[512];
    snprintf(good, sizeof good, "%.*s", (int)(strlen(text) - strlen(" modes=")), text);
    cgct_status st = load(&c, good, 3, sets, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
    ck_assert_str_eq(c.dipole.kind, "mv");
    ck_assert_str_eq(c.dipole.opts.set, "mve");
    ck_assert_uint_eq(c.run.q.n, 5);
    ck_assert_double_eq(c.run.q.v[4], 8);
    ck_assert_double_eq(c.run.eps.v[0], 0.5);
    ck_assert_uint_eq(c.run.x.n, 5);
    ck_assert_double_eq_tol(c.run.x.v[1], 0.15, 1e-16);
    ck_assert_double_eq(c.run.node.inner.lam, 0.75);
    ck_assert_ptr_eq(strstr(c.text, good), c.text);
    ck_assert_str_eq(c.text + strlen(good), "--set inner.lam=0.25\n--set axes.x=lin 0.1 0.3 5\n"
                                            "--set inner.lam=0.75\n");
    /* the text alone is the same card */
    char again[1024];
    snprintf(again, sizeof again, "%s", c.text);
    config_free(&c);
    ck_assert_int_eq(load(&c, again, 0, NULL, &err), CGCT_OK);
    ck_assert_str_eq(c.text, again);
    ck_assert_uint_eq(c.run.x.n, 5);
    ck_assert_double_eq(c.run.node.inner.lam, 0.75);
    config_free(&c);
}
END_TEST

static void is_list(const config *c, size_t panels, size_t n, const double *v)
{
    ck_assert_uint_eq(c->run.eps.panels, panels);
    ck_assert_uint_eq(c->run.eps.n, n);
    for (size_t i = 0; i < n; i++) ck_assert_double_eq_tol(c->run.eps.v[i], v[i], 1e-14);
}

/* Chebyshev-Lobatto nodes in the logarithm: with three in a panel the middle one, with four those
 * at a quarter and three quarters; they survive the text at the head of a journal. */
START_TEST(panels)
{
    static const double two[] = {1, 2, 4, 6, 9}, one[] = {0.5, 1, 4, 8};
    config c, again;
    cgct_err err = {""};
    ck_assert_int_eq(load(&c, "[axes]\neps = cheb 1 4 9 3\n", 0, NULL, &err), CGCT_OK);
    is_list(&c, 2, 5, two);
    char *text = config_results(&c);
    config_free(&c);
    ck_assert_int_eq(config_from_results(&again, text, NULL), CGCT_OK);
    is_list(&again, 2, 5, two);
    free(text);
    config_free(&again);
    ck_assert_int_eq(load(&c, "[axes]\neps = cheb 0.5, 8 4\n", 0, NULL, &err), CGCT_OK);
    is_list(&c, 1, 4, one);
    config_free(&c);
    ck_assert_int_eq(load(&c, "[axes]\neps = 0.5, 1, 4, 8\n", 0, NULL, &err), CGCT_OK);
    is_list(&c, 0, 4, one);
    config_free(&c);
}
END_TEST

/* Equidistant cosines of ln ln(X/x). */
START_TEST(panels_from)
{
    config c;
    cgct_err err = {""};
    ck_assert_int_eq(load(&c, "[axes]\nx = cheb 1e-4 1e-2 3 from 0.02\n", 0, NULL, &err), CGCT_OK);
    ck_assert_uint_eq(c.run.x.n, 3);
    ck_assert_uint_eq(c.run.x.panels, 1);
    ck_assert_double_eq(c.run.x.from, 0.02);
    ck_assert_double_eq(c.run.x.v[0], 1e-4);
    ck_assert_double_eq(c.run.x.v[2], 1e-2);
    double middle = 0.02 * exp(-sqrt(log(200) * log(2)));
    ck_assert_double_eq_tol(c.run.x.v[1], middle, 1e-15);
    config_free(&c);
}
END_TEST

START_TEST(stored_text_is_a_card_again)
{
    config a, b;
    cgct_err err;
    const char *sets[] = {"inner.lam=0.25"};
    ck_assert_int_eq(load(&a, "[inner]\nlam = 1\n", 1, sets, &err), CGCT_OK);
    ck_assert_int_eq(load(&b, a.text, 1, sets, &err), CGCT_OK);
    ck_assert_double_eq(b.run.node.inner.lam, 0.25);
    config_free(&a);
    config_free(&b);
}
END_TEST

START_TEST(comments)
{
    static const char card[] =
        "# of a card\n[axes] # axes\nx = 0.01 # one\nq = 1, # two\n"
        "  2 ; three\n # four\n[dipole]\nfile = a#b # five\nkind = mv ; six\n";
    config c;
    cgct_err err = {""};
    ck_assert_msg(load(&c, card, 0, NULL, &err) == CGCT_OK, "%s", err.text);
    ck_assert_uint_eq(c.run.x.n, 1);
    ck_assert_uint_eq(c.run.q.n, 2);
    ck_assert_str_eq(c.dipole.opts.path, "a#b");
    ck_assert_str_eq(c.dipole.kind, "mv");
    config_free(&c);
    refuses("[axes]\nx = 0.01#one\n", ":2: axes.x: '0.01#one'",
            "begins with a blank and ';' or '#'");
    refuses("[dipole]\nQ0 = 1.0;one\n", ":2: dipole.Q0: '1.0;one'", "begins with a blank and ';'");
}
END_TEST

START_TEST(wrong_keys)
{
    refuses("[inner]\nlamda = 1\n", ":2: unknown key inner.lamda", "nearest known key: inner.lam");
    refuses("\n\n[iner]\nlam = 1\n", ":4: unknown key iner.lam", "nearest known key: inner.lam");
    refuses("[axes]\nQ = 1\n", ":2: unknown key axes.Q", "nearest known key: axes.q");
    refuses("[dipole]\nr_max = 1\n", ":2: ", "nearest known key: inner.r_max");
    refuses("lam = 1\n", ":1: ", "inner");
    refuses("; only a comment\n", "an empty card", "reference.card");
    refuses("[inner]\nlam = 1\n[axes]\nx = 0.1\n[inner]\nlam = 1\n", ":6: inner.lam", "line 2");
    refuses("[inner]\nlam = 1\nnonsense\n", ":3: ", "key = value");
    refuses("[inner]\nlam = 1\n modes = 3\n", ":3: ", "remove the indentation");
    refuses("[axes]\nx = 0.01\n eps = 3\n", ":3: ", "remove the indentation");
    refuses_set("inner.rank=3", "unknown key inner.rank", "inner.rank_tolerance");
    refuses_set("inner.lamda=1", "unknown key inner.lamda", "inner.lam");
    refuses_set("lam=1", "'lam=1'", "section.key=value");
    refuses_set("inner.lam", "'inner.lam'", "section.key=value");
    refuses_set("inner.lam=1\nx", "section", "value");
}
END_TEST

START_TEST(wrong_values)
{
    refuses("[inner]\nlam = 1.5\n", ":2: inner.lam: 1.5", "[0,1]");
    refuses("[inner]\nlam = half\n", ":2: inner.lam: 'half'", "[0,1]");
    refuses("[inner]\nlam = nan\n", "inner.lam: 'nan'", "[0,1]");
    refuses("[inner]\nlam =\n", "inner.lam: ''", "[0,1]");
    refuses("[inner]\nmodes = 2.5\n", "'2.5' is not an integer", "[0,512]");
    refuses("[inner]\nmodes = 513\n", "513", "[0,512]");
    refuses("[dipole]\nx0 = 2\n", "dipole.x0: 2", "[0,1]");
    refuses("[dipole]\nQ0 = inf\n", "dipole.Q0", "'inf'");
    refuses("[dipole]\nkind = gb\n", "'gb'", "gbw|mv|table");
    refuses("[dipole]\nkind = gbw|mv\n", "'gbw|mv'", "gbw|mv|table");
    refuses("[dipole]\nkind =\n", "''", "gbw|mv|table");
    refuses_set("inner.lam=2", "inner.lam: 2", "[0,1]");
    refuses_set("correlator.NC=3", "unknown key correlator.NC", "correlator.Nc");
    refuses_set("dipole.set=mvx", "'mvx'", "mv|mve|mvgamma");
}
END_TEST

START_TEST(wrong_axes)
{
    refuses("[axes]\nq = 1,3,2\n", ":2: axes.q", "entry 3 (2) is not above entry 2 (3)");
    refuses("[axes]\nq = 1,1\n", "entry 2 (1)", "rising");
    refuses("[axes]\nq = -1,1\n", "entry 1: -1", "[1e-2,1e3] GeV");
    refuses("[axes]\nx = 0.1,2\n", "entry 2: 2", "(0,1]");
    refuses("[axes]\nq = 1,nan\n", "entry 2", "finite");
    refuses("[axes]\nq = 1,,2\n", "entry 2", "finite");
    refuses("[axes]\nq = 1,\n", "entry 2", "finite");
    refuses("[axes]\nq = 1e999\n", "entry 1", "finite");
    refuses("[axes]\nq =\n", "entry 1", "finite");
    refuses("[axes]\nq = 1;2\n", "entry 1", "finite");
    refuses("[axes]\nq = geom 1 25\n", "geom 1 25", "LO HI N");
    refuses("[axes]\nq = geom 25 1 4\n", "LO = 25 and HI = 1", "0 < LO < HI");
    refuses("[axes]\nq = geom 0 1 4\n", "LO = 0", "0 < LO < HI");
    refuses("[axes]\nq = lin 1 2 1\n", "N = 1", "from 2");
    refuses("[axes]\nq = lin 1 2 2.5\n", "N = 2.5", "from 2");
    refuses("[axes]\nq = lin 1 2 1e9\n", "N = 1e+09", "100000");
    refuses("[axes]\nq = lin 1 2 3 4\n", "lin 1 2 3 4", "LO HI N");
    refuses("[axes]\nq = cheb 1 2\n", "cheb 1 2", "cheb A B ... N");
    refuses("[axes]\nq = cheb 1 3 2 4\n", "cheb 1 3 2 4", "entry 3 is 2");
    refuses("[axes]\nq = cheb 0 3 4\n", "positive", "entry 1 is 0");
    refuses("[axes]\nq = cheb 1 3 1\n", "N = 1", "from 2");
    refuses("[axes]\nq = cheb 1 3 x\n", "entry 3", "finite");
    refuses("[axes]\nx = cheb 1e-4 1e-2 5 from 0.01\n", "from 0.01", "above the last end");
    refuses("[axes]\nx = cheb 1e-4 1e-2 5 from\n", "from", "a number > 0");
    refuses("[axes]\neps = cheb 1 2 5 from 3\n", "axes.eps", "only x");
    refuses("[axes]\nq = 1\n   2\n   1.5\n[inner]\nlam = 0\n", ":2: axes.q", "entry 3");
    refuses_set("axes.eps=1e-3", "0.001", "[1e-2,1e2] GeV");
}
END_TEST

START_TEST(wrong_files)
{
    config c;
    cgct_err err;
    ck_assert_int_eq(config_init(&c, "/no/such.card", 0, NULL, &err), CGCT_E_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "/no/such.card: No such file"));
    ck_assert_int_eq(config_init(&c, "/", 0, NULL, &err), CGCT_E_IO);
    FILE *f = fopen(card_path, "w");
    fwrite("[inner]\n\0\n", 1, 10, f);
    fclose(f);
    ck_assert_int_eq(config_init(&c, card_path, 0, NULL, &err), CGCT_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.text, "zero byte"));

    char longline[400] = "[axes]\nq = 1";
    for (int i = 2; strlen(longline) < 300; i++) sprintf(longline + strlen(longline), ",%d", i);
    refuses(strcat(longline, "\n"), ":2: ", "continue on an indented line");
}
END_TEST

START_TEST(shipped_cards)
{
    const char *names[] = {"demo", "draft",      "production", "paper",    "gbw",
                           "mv",   "proton-mve", "proton",     "ensemble", "gold",
                           "lead", "proton-pa",  "gold-pa",    "reference"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        config c;
        cgct_err err = {""};
        char path[1024];
        snprintf(path, sizeof path, "%s/../tables/%s.card", TESTS_DIR, names[i]);
        cgct_status st = config_init(&c, path, 0, NULL, &err);
        ck_assert_msg(st == CGCT_OK, "%s", err.text);
        config_free(&c);
    }
}
END_TEST

int main(void)
{
    int fd = mkstemp(card_path);
    if (fd < 0) return EXIT_FAILURE;
    close(fd);
    Suite *s = suite_create("config");
    TCase *t = tcase_create("config");
    tcase_add_test(t, defaults);
    tcase_add_test(t, card_and_overrides);
    tcase_add_test(t, panels);
    tcase_add_test(t, panels_from);
    tcase_add_test(t, stored_text_is_a_card_again);
    tcase_add_test(t, comments);
    tcase_add_test(t, wrong_keys);
    tcase_add_test(t, wrong_values);
    tcase_add_test(t, wrong_axes);
    tcase_add_test(t, wrong_files);
    tcase_add_test(t, shipped_cards);
    suite_add_tcase(s, t);
    int failed = run_suite(s);
    unlink(card_path);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

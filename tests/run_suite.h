/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_suite.h: the end of every test program. */
#ifndef RUN_SUITE_H
#define RUN_SUITE_H
#include <check.h>
#include <stdlib.h>

/* Runs and frees it; the number of tests that failed.  Programs that tests start keep no solutions
 * in the user's cache folder; run_checks.sh gives them one that lasts as long as it does. */
static inline int run_suite(Suite *s)
{
    setenv("CGCTAB_NO_CACHE", "1", 0);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in files of events: every character is that of printf. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "field_table.h"
#include "reader/events/events.h"
#include "run_suite.h"

enum { DIGITS = 15 };

/* Nothing is written beyond the room for a number. */
static void as_printf(double v, int digits)
{
    char want[EV_NUMBER + 8], got[EV_NUMBER + 8], beyond[8];
    memset(got, '#', sizeof got);
    memset(beyond, '#', sizeof beyond);
    const int n = snprintf(want, sizeof want, "%.*e", digits, v);
    char *end = ev_decimal(got, v, digits);
    if (end == got + n && !memcmp(got, want, (size_t)n) && !memcmp(got + EV_NUMBER, beyond, 8))
        return; /* a check for each of millions of numbers would take minutes */
    *end = 0;
    ck_abort_msg("%a with %d digits: '%s', printf '%s'", v, digits, got, want);
}

/* With every number of digits, both signs, and the neighbours. */
static void all_around(double v)
{
    for (int digits = 1; digits <= DIGITS; digits++)
        for (int i = 0; i < 3; i++) {
            const double at = i == 0 ? v : nextafter(v, i == 1 ? -INFINITY : INFINITY);
            as_printf(at, digits);
            as_printf(-at, digits);
        }
}

START_TEST(special)
{
    static const double v[] = {0, 1, 9.5, 99.5, 0.1, 1e15, 1e16, 1e17, DBL_MAX, DBL_MIN, 5e-324};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) all_around(v[i]);
    all_around(NAN);
    all_around(INFINITY);
}
END_TEST

/* Powers of ten, where the exponent changes, and of two. */
START_TEST(powers)
{
    for (int i = -40; i <= 40; i++) all_around(pow(10, i));
    for (int i = -1074; i < 1024; i++) all_around(ldexp(1, i));
}
END_TEST

/* Numbers of few bits end exactly between two decimals: half to even. */
START_TEST(ties)
{
    for (int i = 1; i < 4000; i += 2)
        for (int j = 0; j < 45; j++)
            for (int digits = 1; digits <= DIGITS; digits += 2) as_printf(ldexp(i, -j), digits);
}
END_TEST

/* Any number at all, and those of the sizes of momenta. */
START_TEST(random_numbers)
{
    uint64_t state = 1;
    for (int i = 0; i < 300000; i++) {
        const double u = uniform(&state), size = pow(10, 60 * uniform(&state) - 30);
        const uint64_t high = (uint64_t)(0x1p32 * uniform(&state));
        const uint64_t bits = high << 32 | (uint64_t)(0x1p32 * uniform(&state));
        double any;
        memcpy(&any, &bits, sizeof any);
        as_printf(any, 1 + i % DIGITS);
        as_printf(u * size, 1 + i % DIGITS);
        as_printf(1e3 * (u - 0.5), 12);
        as_printf(u, 6);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decimal");
    TCase *c = tcase_create("decimal");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, special);
    tcase_add_test(c, powers);
    tcase_add_test(c, ties);
    tcase_add_test(c, random_numbers);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}

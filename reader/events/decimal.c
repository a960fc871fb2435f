/* SPDX-License-Identifier: MIT */
/* Numbers as text: what printf writes with %.12e and the like, to the last digit, in less time.
 *
 * A number is m 2^b, and its digits are the integer nearest to m 5^p 2^(b+p) for some p.  Powers of
 * five up to 5^27 fit into 64 bits, so that products of 128 bits are exact, and so is the decision
 * how to round, half to even.  What needs another power, and what is no number, is left to printf,
 * as is everything where the compiler has no such products. */
#include <string.h>

#include "events.h"

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 product;

enum { POWERS = 28 };
#define SEVEN(a) (a), 5 * (a), 25 * (a), 125 * (a), 625 * (a), 3125 * (a), 15625 * (a)
static const uint64_t power_of_5[POWERS] = {SEVEN(UINT64_C(1)), SEVEN(UINT64_C(78125)),
                                            SEVEN(UINT64_C(6103515625)),
                                            SEVEN(UINT64_C(476837158203125))};

/* digits + 1 digits of a number as an integer, and its exponent; 0: not in this way. */
static int find_digits(uint64_t bits, int digits, uint64_t *n, int *exponent)
{
    /* log10(2), below it by so little that no product with an exponent passes an integer */
    const int64_t log10_2 = INT64_C(1292913986), binary = (int64_t)(bits >> 52 & 0x7ff) - 1023;
    const uint64_t m = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1) << 52;
    const uint64_t most = power_of_5[digits + 1] << (digits + 1); /* a power of ten */
    /* that of the power of two below, to which 1023 is added so that it is not negative */
    *exponent = (int)((binary * log10_2 + (INT64_C(1023) << 32)) >> 32) - 1023;
    for (;; ++*exponent) {
        const int power = digits - *exponent, shift = 52 - (int)binary - power;
        if (power < 0 || power >= POWERS || shift <= 0) return 0;
        const product all = (product)m * power_of_5[power], half = (product)1 << (shift - 1);
        *n = (uint64_t)(all >> shift);
        if (*n >= most) continue;
        const product rest = all - ((product)*n << shift);
        *n += rest > half || (rest == half && *n % 2);
        break;
    }
    if (*n < most) return 1;
    *n /= 10; /* it was rounded up to a power of ten */
    ++*exponent;
    return 1;
}

char *ev_decimal(char *to, double v, int digits)
{
    uint64_t bits, n = 0;
    int exponent = 0;
    memcpy(&bits, &v, sizeof bits);
    if (bits << 1 && !find_digits(bits, digits, &n, &exponent))
        return to + sprintf(to, "%.*e", digits, v);
    if (bits >> 63) *to++ = '-';
    for (int i = digits + 1; i > 1; i--, n /= 10) to[i] = (char)('0' + n % 10);
    to[0] = (char)('0' + n);
    to[1] = '.';
    to += digits + 2;
    const int size = exponent < 0 ? -exponent : exponent;
    to[0] = 'e';
    to[1] = exponent < 0 ? '-' : '+';
    to[2] = (char)('0' + size / 10);
    to[3] = (char)('0' + size % 10);
    return to + 4;
}
#else
char *ev_decimal(char *to, double v, int digits)
{
    return to + sprintf(to, "%.*e", digits, v);
}
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel_k_data.h: made by tests/refs/make_bessel_k_data.py with mpmath 1.3.0, 50 digits. */
#ifndef CGCT_BESSEL_K_DATA_H
#define CGCT_BESSEL_K_DATA_H

/* clang-format off */
/* sqrt(x) e^x K0(x) = P0(x) / Q(x), x >= 1, rising powers */
static const double K_P0[10] = {
    0x1.fe4a28850fd3ap-14, 0x1.723c69b95a58ap-3, 0x1.b6739a8764af6p+2, 0x1.f73d7d84de1bdp+5,
    0x1.b29ee95707d5dp+7, 0x1.542aaa9326c82p+8, 0x1.066a1c84805cfp+8, 0x1.9609f64faaf0cp+6,
    0x1.28bdbfe3bd546p+4, 0x1.40d931ff62705p+0,
};
/* sqrt(x) e^x K1(x) = P1(x) / Q(x) */
static const double K_P1[10] = {
    0x1.15aa7f5422a3ap-5, 0x1.05f0be4254c4cp+1, 0x1.c3ebb6966bb7dp+4, 0x1.2878fc0833ae8p+7,
    0x1.6c2add259f10bp+8, 0x1.ccc23a38b6595p+8, 0x1.3701faf4e4a98p+8, 0x1.ba8141b323565p+6,
    0x1.32c48973b8660p+4, 0x1.40d931ff62706p+0,
};
/* Q(x) */
static const double K_Q[10] = {
    0x1.954fba3bc129ep-10, 0x1.560b2ecb2aff0p-2, 0x1.0db1cd264d697p+3, 0x1.fffdb33d16d2bp+5,
    0x1.8ebaa0f2c2660p+7, 0x1.25eac9d87a9ecp+8, 0x1.b57f78b82e254p+7, 0x1.4b27000cc9bebp+6,
    0x1.dd87cc266fb6bp+3, 0x1.0000000000000p+0,
};
/* I0(x) in y = x^2 <= 1 */
static const double K_I0[9] = {
    0x1.0000000000000p+0, 0x1.0000000000000p-2, 0x1.0000000000000p-6, 0x1.c71c71c71c666p-12,
    0x1.c71c71c72b21ep-18, 0x1.2345677f113a7p-24, 0x1.02e8650679f89p-31, 0x1.522161c5d3828p-39,
    0x1.56e48dba7a232p-47,
};
/* I1(x)/x */
static const double K_I1[9] = {
    0x1.0000000000000p-1, 0x1.0000000000000p-4, 0x1.5555555555555p-9, 0x1.c71c71c71c6d3p-15,
    0x1.6c16c16c1ca00p-21, 0x1.845c8a046b75bp-28, 0x1.27e502a768425p-35, 0x1.52232a0d90e6cp-43,
    0x1.305effd6d6c8bp-51,
};
/* K0 + ln(x/2) I0 */
static const double K_A0[9] = {
    -0x1.2788cfc6fb619p-1, 0x1.b0ee6072093cep-4, 0x1.d8773039049e8p-7, 0x1.1dd628653168fp-11,
    0x1.56b9b69e258f7p-17, 0x1.f0f15a864fa66p-24, 0x1.e4e0e5ec03393p-31, 0x1.54c54da328a33p-38,
    0x1.6f44fba0a5e61p-46,
};
/* (K1 - 1/x - ln(x/2) I1)/x */
static const double K_A1[9] = {
    0x1.3c467e37db0c8p-5, -0x1.58773039049e7p-5, -0x1.73ddae5ee6a29p-9, -0x1.3a47ef81a337bp-14,
    -0x1.2462822a4be87p-20, -0x1.5b7a1775944aep-27, -0x1.1fa41b59a710bp-34, -0x1.5f58745514fa0p-42,
    -0x1.4e6e1584f9639p-50,
};
/* ln((1+s)/(1-s))/s in s^2 <= (sqrt2 - 1)^4 */
static const double K_LOG[9] = {
    0x1.0000000000000p+1, 0x1.5555555555555p-1, 0x1.9999999999ee0p-2, 0x1.249249241f857p-2,
    0x1.c71c726358ec5p-3, 0x1.745cdb9f0b4c8p-3, 0x1.3b2109cc7b988p-3, 0x1.0f55accc791adp-3,
    0x1.0f9b9e3c7c9f8p-3,
};
/* e^-r, |r| <= ln(2)/2 */
static const double K_EXP[13] = {
    0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.0000000000000p-1, -0x1.5555555555562p-3,
    0x1.5555555555559p-5, -0x1.111111110db76p-7, 0x1.6c16c16c14d77p-10, -0x1.a01a01b80226cp-13,
    0x1.a01a01adc27e2p-16, -0x1.71dde76ab2f81p-19, 0x1.27e4cc1847a65p-22, -0x1.af785d433f066p-26,
    0x1.1f8b43f2637adp-29,
};

#endif

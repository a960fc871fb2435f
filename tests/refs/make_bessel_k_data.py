#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Coefficients of K0 and K1.

python3 make_bessel_k_data.py > ../../generator/numerics/bessel_k_data.h

x >= 1: sqrt(x) e^x (K0, K1) = (P0, P1)(x) / Q(x), one denominator for both, least
squares of the relative error on Chebyshev points in 1/x (reweighted by Q).  x <= 1, y = x^2:
Chebyshev interpolation of I0, I1/x, K0 + ln(x/2) I0 and (K1 - 1/x - ln(x/2) I1)/x.  Logarithm and
exponential: the same for atanh(s)/s and e^-r."""
import mpmath as mp

mp.mp.dps = 50
N = 9  # degree of P0, P1, Q: measured 4e-17; degree 8 gives 1e-15


def rational():
    npt = 90
    ys = [(1 - mp.cos(mp.pi * (2 * i + 1) / (2 * npt))) / 2 for i in range(npt)]
    g = [[mp.sqrt(1 / y) * mp.exp(1 / y) * mp.besselk(c, 1 / y) for c in (0, 1)] for y in ys]
    weight = [mp.mpf(1)] * npt
    for _ in range(3):
        a, b = mp.matrix(2 * npt, 3 * N + 2), mp.matrix(2 * npt, 1)
        for i, y in enumerate(ys):
            for c in (0, 1):
                s = weight[i] / g[i][c]
                for k in range(N + 1):
                    a[2 * i + c, c * (N + 1) + k] = y**k * s
                for k in range(N):
                    a[2 * i + c, 2 * (N + 1) + k] = -(y ** (k + 1)) * weight[i]
                b[2 * i + c] = weight[i]
        sol = mp.lu_solve(a, b)
        q = [mp.mpf(1)] + [sol[2 * N + 2 + k] for k in range(N)]
        weight = [1 / mp.polyval(q[::-1], y) for y in ys]
    p0, p1 = [sol[k] for k in range(N + 1)], [sol[N + 1 + k] for k in range(N + 1)]
    return p0[::-1], p1[::-1], q[::-1]  # times x^N: powers of x, all coefficients positive


def chebyshev(f, lo, hi, deg):
    """Monomial coefficients of the interpolant on Chebyshev points of [lo, hi]."""
    n = deg + 1
    t = [(lo + hi) / mp.mpf(2) - (hi - lo) / mp.mpf(2) * mp.cos(mp.pi * (2 * i + 1) / (2 * n))
         for i in range(n)]
    a = mp.matrix(n, n)
    for i in range(n):
        for k in range(n):
            a[i, k] = t[i] ** k
    return list(mp.lu_solve(a, mp.matrix([f(v) for v in t])))


def emit(name, coef, what):
    print("/* %s */\nstatic const double %s[%d] = {" % (what, name, len(coef)))
    hexes = [float.hex(float(c)) for c in coef]
    for i in range(0, len(hexes), 4):
        print("    %s," % ", ".join(hexes[i:i + 4]))
    print("};")


LOG = lambda y: mp.log(mp.sqrt(y) / 2)
p0, p1, q = rational()
print("/* SPDX-License-Identifier: GPL-3.0-or-later */")
print("/* bessel_k_data.h: made by tests/refs/make_bessel_k_data.py with mpmath %s, %d digits. */"
      % (mp.__version__, mp.mp.dps))
print("#ifndef CGCT_BESSEL_K_DATA_H\n#define CGCT_BESSEL_K_DATA_H\n\n/* clang-format off */")
emit("K_P0", p0, "sqrt(x) e^x K0(x) = P0(x) / Q(x), x >= 1, rising powers")
emit("K_P1", p1, "sqrt(x) e^x K1(x) = P1(x) / Q(x)")
emit("K_Q", q, "Q(x)")
emit("K_I0", chebyshev(lambda y: mp.besseli(0, mp.sqrt(y)), 0, 1, 8), "I0(x) in y = x^2 <= 1")
emit("K_I1", chebyshev(lambda y: mp.besseli(1, mp.sqrt(y)) / mp.sqrt(y), 0, 1, 8), "I1(x)/x")
emit("K_A0", chebyshev(lambda y: mp.besselk(0, mp.sqrt(y)) + LOG(y) * mp.besseli(0, mp.sqrt(y)),
                       0, 1, 8), "K0 + ln(x/2) I0")
emit("K_A1", chebyshev(lambda y: (mp.besselk(1, mp.sqrt(y)) - 1 / mp.sqrt(y)
                                  - LOG(y) * mp.besseli(1, mp.sqrt(y))) / mp.sqrt(y), 0, 1, 8),
     "(K1 - 1/x - ln(x/2) I1)/x")
S2 = (mp.sqrt(2) - 1) ** 4
emit("K_LOG", chebyshev(lambda s: 2 * mp.atanh(mp.sqrt(s)) / mp.sqrt(s), 0, S2, 8),
     "ln((1+s)/(1-s))/s in s^2 <= (sqrt2 - 1)^4")
emit("K_EXP", chebyshev(lambda r: mp.exp(-r), -mp.log(2) / 2, mp.log(2) / 2, 12),
     "e^-r, |r| <= ln(2)/2")
print("\n#endif")

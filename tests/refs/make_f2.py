# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes f2.ref: X_T, X_L and their inelastic parts (photon.h) of GBW, S = exp(-a r^2), by a route
without an integral over r:

    K0(u)^2 = 2 Int_0^inf K0(2 u cosh t) dt,   K1(u)^2 = 2 Int_0^inf K0(2 u cosh t) cosh(2 t) dt,
    Int_0^inf r dr (1 - e^(-a r^2)) K0(c r) = [1/v - e^v E1(v)]/(4 a),   v = c^2/(4 a),

so that an integral over t and z is left.  Both are sums of equal steps after z = 1/(1 + e^-s), with
weights that fall exponentially; every value is computed with two steps, and their relative
difference dev is in the last column.
Run: python3 make_f2.py > f2.ref
"""
from mpmath import mp, mpf

mp.dps = 20
# Qs2 (a = Qs2/4), Q2, mass
POINTS = [("1", "10", "0.14"), ("1", "10", "1.4"), ("1", "10", "0"), ("1", "10", "4.75"),
          ("0.25", "0.001", "0.14"), ("1", "0.001", "1.4"), ("3", "0.001", "4.75"),
          ("0.3", "1000", "0"), ("0.3", "1000", "0.14"), ("2", "1000", "4.75"),
          ("0.5", "10000", "0"), ("0.5", "10000", "0.14"), ("1", "0.001", "0"), ("1", "0.1", "0"),
          ("1", "2", "0"), ("0.5", "0", "0.14"), ("1", "0", "1.4")]


def radial(v):
    """1/v - e^v E1(v), by its asymptotic series where that is exact to 20 digits."""
    if v < 60:
        return 1 / v - mp.exp(v) * mp.e1(v)
    term, total, k = 1 / v**2, mpf(0), 1
    while abs(term) > mpf(10)**-24 / v**2 and k < 60:
        total += term
        k += 1
        term *= -k / v
    return total


def squares(eps2, a, h):
    """Int r dr (1 - S) K0^2 and the same with eps^2 K1^2."""
    K0 = K1 = mpf(0)
    t = mpf(0)
    while True:
        c = mp.cosh(t)
        f = radial(eps2 * c * c / a) / (4 * a) * h * (1 if t == 0 else 2)
        K0 += f
        K1 += f * mp.cosh(2 * t)
        if f * mp.cosh(2 * t) < mpf(10)**-17 * K1:
            return K0, eps2 * K1
        t += h


def values(Qs2, Q2, m, h):
    out = []
    for a, factor in ((Qs2 / 4, 2), (Qs2 / 2, 1)):  # 2 (1 - S) and 1 - S^2
        T = L = mpf(0)
        s = mpf(0)
        while s < 42:
            y = 1 / (1 + mp.exp(s))
            zy = y * (1 - y)
            K0, K1 = squares(zy * Q2 + m * m, a, h)
            w = 2 * h * zy * (1 if s == 0 else 2)
            T += w * ((1 - 2 * zy) * K1 + m * m * K0)
            L += w * 4 * Q2 * zy * zy * K0
            s += 2 * h
        unit = 3 / (2 * mp.pi**2) * 2 * mp.pi * factor
        out += [unit * T, unit * L]
    return out


print("# Qs2 Q2 mass X_T X_L inelastic_T inelastic_L dev")
for p in POINTS:
    numbers = [mpf(v) for v in p]
    fine, coarse = values(*numbers, mpf(1) / 8), values(*numbers, mpf(1) / 6)
    dev = max(abs(u / v - 1) for u, v in zip(coarse, fine) if v)
    print(*p, *(mp.nstr(v, 15) for v in fine), mp.nstr(dev, 2), flush=True)

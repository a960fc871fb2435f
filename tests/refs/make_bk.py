# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes bk.ref, the linear BK kernel on powers of r in closed form, and bk_rate.ref, the full
right-hand side at Y = 0 by another quadrature.

With N = r^{2g} and alpha_s = r^{2d} (Balitsky's prescription) at r = 1
    J(g, d) = Int d2z [1/(x^2 y^2) + (x^{2d}/y^{2d} - 1)/x^2 + (y^{2d}/x^{2d} - 1)/y^2]
                      [x^{2g} + y^{2g} - 1],      x = |z|, y = |1 - z|,
a sum of Int d2z x^{2a} y^{2b} = pi G(1+a) G(1+b) G(-1-a-b)/[G(-a) G(-b) G(2+a+b)].  Single terms
diverge; all exponents of x and y are shifted by a common s, and s -> 0 is reached by Richardson
extrapolation in 60 digits.  At d = 0 the result must be 2 pi [2 psi(1) - psi(g) - psi(1-g)], and
is, to all digits printed.

bk_rate.ref holds R(r) = Int d2z K expm1[G(r) - G(x) - G(y)], G = -ln S of the set mvgamma of the
solver (C2 = 6.35), with the four couplings, a smooth freeze, and the resummed
equation.  z covers the whole plane in polar coordinates about
z = 0, weighted by 2 y^2/(x^2 + y^2) so that only that point is singular; tanh-sinh rules in panels
of ln x and theta that break at every kink and at y = 0.  The last column is the relative difference
from rules with steps larger by 1.4.
Run: python3 make_bk.py
"""
import math

import mpmath
from mpmath import mp, mpf, gamma, pi, psi

mp.dps = 60
CASES = [("0.6", "0"), ("0.6", "0.15"), ("0.5", "0.05"), ("0.55", "0.1"), ("0.52", "0.2")]


def power(a, b):
    return (pi * gamma(1 + a) * gamma(1 + b) * gamma(-1 - a - b)
            / (gamma(-a) * gamma(-b) * gamma(2 + a + b)))


def shifted(g, d, s):
    kernel = [(1, -1, -1), (1, d - 1, -d), (-1, -1, 0), (1, -d, d - 1), (-1, 0, -1)]
    values = [(1, g, 0), (1, 0, g), (-1, 0, 0)]
    return sum(c * v * power(a + p + s, b + q + s)
               for c, a, b in kernel for v, p, q in values)


def limit(g, d):
    n = 12
    points = [mpf(2) ** (-10 - k) for k in range(n)]
    t = [shifted(g, d, s) for s in points]
    for order in range(1, n):
        for i in range(n - order):
            a, b = points[i], points[i + order]
            t[i] = (a * t[i + 1] - b * t[i]) / (a - b)
    return t[0]


QS0SQ, GAMMA, EC, C2, LAMBDA, CAP = 0.165, 1.135, 1.0, 6.35, 0.241, 0.7
BETA = 27 / (12 * math.pi)
SCALE = 4 * C2 / LAMBDA**2
KINK = math.sqrt(SCALE * math.exp(-1 / (BETA * CAP)))
RATES = [(c, r) for c in ("fixed", "parent", "smallest", "balitsky", "smooth")
         for r in ("1e-4", "0.1", "2", "7.1", "9", "21")]
RATES += [("resum", r) for r in ("1e-4", "0.1", "2", "7.1", "9")]
KSUB = 0.65


def big_gamma(r):
    return (r * r * QS0SQ)**GAMMA / 4 * math.log(1 / (r * LAMBDA) + EC * math.e)


def logarithm(coupling, r):
    """l of alpha_s = 1/(BETA l)."""
    lr = math.log(SCALE / (r * r))
    if coupling != "smooth":
        return max(lr, 1 / (BETA * CAP))
    c, l0 = 0.2, 2 * math.log(2.5)
    return c * math.log(math.exp(l0 / c) + math.exp(lr / c))


def difference(coupling, x, y, w):
    """l(y) - l(x) for y^2 = x^2 (1 + w), small where w is."""
    if coupling != "smooth" or y < 0.7 * x:
        return logarithm(coupling, y) - logarithm(coupling, x)
    c, l0 = 0.2, 2 * math.log(2.5)
    share = 1 / (1 + math.exp((l0 - math.log(SCALE / (x * x))) / c))
    v = -math.log1p(w) / c
    if abs(v) < 1:
        return c * math.log1p(share * math.expm1(v))
    return logarithm(coupling, y) - logarithm(coupling, x)


def kernel(coupling, r, x, y, w):
    if coupling == "fixed":
        return 0.2 * (r / (x * y))**2
    if coupling == "smallest":
        return (r / (x * y))**2 / (BETA * logarithm(coupling, min(r, x, y)))
    dipole = (r / (x * y))**2
    if coupling in ("balitsky", "smooth", "resum"):
        d = difference(coupling, x, y, w)
        lx = logarithm(coupling, x)
        # (q - 1)/x^2 + (1/q - 1)/y^2 with q = l(y)/l(x) = 1 + d/lx
        dipole += d / lx * (w + d / lx * (1 + w)) / ((1 + d / lx) * y * y)
    if coupling == "resum":
        dipole *= resummation(r, x, y, w)
    return dipole / (BETA * logarithm(coupling, r))


def resummation(r, x, y, w):
    """Factors of the resummed equation, alpha_s of the smallest dipole."""
    abar = 3 / math.pi / (BETA * logarithm("balitsky", min(r, x, y)))
    lx = math.log(x * x / (r * r))
    z = abar * lx * (lx + math.log1p(w)) if w > -0.5 else abar * lx * 2 * math.log(y / r)
    t = mpmath.fp.mpf(abs(z))**0.5
    if abs(z) < 1e-6:
        double = 1 - z / 2
    else:
        double = (bessel_j1(t) if z > 0 else mpmath.fp.besseli(1, 2 * t)) / t
    smallest = min(x, y)
    return double * math.exp(-abar * 11 / 12 * abs(math.log(KSUB * r * r / smallest**2)))


def bessel_j1(t):
    """J1(2 t) by its integral, (1/pi) Int_0^pi cos(u - 2 t sin u) du, a periodic rule."""
    n = 24 + 2 * int(t)
    return sum(math.cos((k + 0.5) * math.pi / n - 2 * t * math.sin((k + 0.5) * math.pi / n))
               for k in range(n)) / n


def tanh_sinh(h):
    rule, k = [], 0
    n = int(3.0 / h)
    for k in range(-n, n + 1):
        s = math.pi / 2 * math.sinh(k * h)
        rule.append((1 / (1 + math.exp(-2 * s)),
                     h * math.pi / 4 * math.cosh(k * h) / math.cosh(s)**2))
    return rule


def panels(breaks, width):
    breaks = sorted(set(breaks))
    for a, b in zip(breaks, breaks[1:]):
        n = math.ceil((b - a) / width)
        for i in range(n):
            yield a + (b - a) * i / n, (b - a) / n


def inner(coupling, r, x, rule):
    total, at = 0.0, [0.0, math.pi]
    kink = (r * r + x * x - KINK * KINK) / (2 * r * x)
    if coupling not in ("fixed", "smooth") and -1 < kink < 1:
        at.append(math.acos(kink))
    if coupling == "smallest" and x < 2 * r:
        at.append(math.acos(x / (2 * r)))  # y = r
    if coupling == "smallest" and 2 * x > r:
        at.append(math.acos(r / (2 * x)))  # y = x
    if coupling == "resum":
        for edge in (r, math.sqrt(KSUB) * r):  # y = edge
            cosine = (r * r + x * x - edge * edge) / (2 * r * x)
            if -1 < cosine < 1:
                at.append(math.acos(cosine))
        if 2 * x > r:
            at.append(math.acos(r / (2 * x)))
    for a, h in panels(at, 0.6):
        for u, w in rule:
            theta = a + h * u
            y = math.sqrt((r - x)**2 + 4 * r * x * math.sin(theta / 2)**2)
            if y < 1e-12 * r:
                continue
            excess = (r / x - 2 * math.cos(theta)) * r / x  # y^2/x^2 - 1
            if excess < -0.5:
                excess = (y / x)**2 - 1
            total += (w * h * kernel(coupling, r, x, y, excess) * 2 * y * y / (x * x + y * y)
                      * math.expm1(big_gamma(r) - big_gamma(x) - big_gamma(y)))
    return total


def rate(coupling, r, h):
    rule, lnr = tanh_sinh(h), math.log(r)
    breaks = [lnr - 20, lnr - math.log(2), lnr, max(lnr, 0) + 16]
    if coupling in ("smallest", "resum"):
        breaks.append(lnr + math.log(2))
    if coupling == "resum":
        k = math.sqrt(KSUB)
        breaks += [lnr + math.log(v) for v in (k, 1 - k, 1 + k)]
    if coupling not in ("fixed", "smooth"):
        breaks += [math.log(v) for v in (KINK, abs(r - KINK), r + KINK)]
    total = 0.0
    for a, d in panels(breaks, 0.8):
        for u, w in rule:
            x = math.exp(a + d * u)
            total += w * d * 2 * x * x * inner(coupling, r, x, rule)
    return 3 / (2 * math.pi**2) * total


def write_rates():
    with open("bk_rate.ref", "w") as f:
        f.write("# Python floats; python3 make_bk.py; Int d2z K expm1[G(r) - G(x) - G(y)]; "
                "columns coupling r R deviation\n")
        for coupling, r in RATES:
            h = 0.1 if coupling == "smooth" else 0.15
            v = rate(coupling, float(r), h)
            coarse = rate(coupling, float(r), 1.4 * h)
            f.write(f"{coupling} {r} {v:.14g} {abs(coarse / v - 1):.1e}\n")
            f.flush()


def main():
    with open("bk.ref", "w") as f:
        f.write(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_bk.py; "
                "columns g d J(g, d)\n")
        for g, d in CASES:
            v = limit(mpf(g), mpf(d))
            if mpf(d) == 0:
                chi = 2 * psi(0, 1) - psi(0, mpf(g)) - psi(0, 1 - mpf(g))
                assert abs(v / (2 * pi * chi) - 1) < 1e-20
            f.write(f"{g} {d} {mp.nstr(v, 20)}\n")
    write_rates()


if __name__ == "__main__":
    main()

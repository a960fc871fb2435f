#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""filon_moments.ref, filon_poly.ref, filon_each.ref, filon_tail.ref.

python3 make_filon.py [PART...]   (minutes)

Values: closed antiderivatives of t^mu J_m(t) (filon_mp.py), checked here against quadrature along
the contour and along the real axis for a sample; tails: Mellin transform less antiderivative,
also checked along the contour.  scale: int |integrand|, to 1%, sampled with SciPy."""
import random
import sys
import mpmath as mp
import numpy as np
import scipy.special as sp
from filon_mp import antiderivative, moment, moment_contour, moment_quad

mp.mp.dps = 40
random.seed(2)


def text(v):
    return mp.nstr(v, 20, min_fixed=0, max_fixed=0)


def head(out, what, columns):
    out.write("# mpmath %s, %d digits; python3 make_filon.py; %s; columns %s\n"
              % (mp.__version__, mp.mp.dps, what, columns))


def mean_abs_J(m, z):
    """|J_m(z)|, or its mean over a period where z steps over many of them"""
    if len(z) > 1 and z[1] - z[0] > 0.3:
        e = (2 / np.pi) ** 1.5 / np.maximum(z**2 - m * m, 1) ** 0.25
        return np.where(z > 1.1 * m + 5, e, np.abs(sp.jv(m, z)))
    return np.abs(sp.jv(m, z))


def scale(a, b, q, m, g):
    n = int(min(4e5, max(4e4, 20 * q * (b - a))))
    u = (np.arange(n) + 0.5) / n * (b - a)
    return np.mean(np.abs(g(u)) * mean_abs_J(m, q * (a + u))) * (b - a)


def moment_cases():
    for m in (0, 1, 5, 31, 128, 512):
        for qh in (1e-3, 0.3, 3.0, 10.0, 31.9, 32.1, 100.0, 1e3, 1e4, 1e5, 1e6):
            x0 = random.choice((0.5, 2.0)) * random.uniform(0.5, 1.5) * max(m, 20)  # q x about X0
            for qx in (0.0, x0) if qh > 5 else (0.0, max(m, 1) * random.uniform(0.7, 1.2)):
                q = 10 ** random.uniform(-1, 2)
                yield qx / q, qh / q, q, m
    for _ in range(30):  # turning points and everything else
        m, q = random.randint(0, 512), 10 ** random.uniform(-1, 2)
        yield m * random.uniform(0.3, 1.3) / q, 10 ** random.uniform(-1, 2) / q, q, m
    for x in (1e3, 1e5, 1e7):  # far out
        yield x, 0.03, 7.0, 3
        yield x, 300.0, 3.3, 40


def write_moments():
    with open("filon_moments.ref", "w") as out:
        head(out, "int_0^h u^r J_m(q(x+u)) du", "x h q m r value scale")
        for x, h, q, m in moment_cases():
            for r in (0, random.randint(1, 9)):
                s = scale(x, x + h, q, m, lambda u: u**r)
                if s > 1e-270:
                    out.write("%.17g %.17g %.17g %d %d %s %.2e\n"
                              % (x, h, q, m, r, text(moment(x, h, q, m, r)), s))


def check_sample():
    for a in ((0.0, 1.0, 40.0, 20, 5), (1.0, 0.25, 50.0, 60, 9), (3.0, 2.0, 7.0, 8, 2)):
        w = moment_quad(*a, dps=50) / moment(*a) - 1
        assert abs(w) < 1e-25, (a, w)
    for a in ((10.0, 1e4, 10.0, 4, 3), (1.0, 30.0, 100.0, 31, 0)):
        w = moment_contour(*a, dps=20) / moment(*a) - 1
        assert abs(w) < 1e-12, (a, w)
    for a in ((12.5, 8.0, 0, 2), (12.5, 8.0, 1, 2.5)):
        with mp.workdps(25):
            w = tail_quad(*a) / tail(*a) - 1
        assert abs(w) < 1e-15, (a, w)


def poly(A, B, q, m, p):
    """int_A^B x^(p+1) J_m(q x) dx"""
    A, B, q = mp.mpf(A), mp.mpf(B), mp.mpf(q)
    d = antiderivative(p + 1, m, q * B, 60) - antiderivative(p + 1, m, q * A, 60)
    return d / q ** (p + 2)


def write_poly():
    with open("filon_poly.ref", "w") as out:
        head(out, "int_A^B x^(p+1) J_m(q x) dx", "A B q m p value scale")
        for A, B, q in ((0.0, 3.0, 0.0), (0.0, 5.0, 0.7), (0.5, 8.0, 6.0), (0.0, 20.0, 25.0),
                        (0.0, 50.0, 40.0), (30.0, 40.0, 300.0), (0.0, 10.0, 1e4),
                        (1.0, 100.0, 1e4)):
            for m in (0, 2, 31, 250, 512):
                for p in (0, 2, 3, 4, 5, 6, 7, 8):
                    s = scale(A, B, q, m, lambda u: (A + u) ** (p + 1.0))
                    if q == 0:
                        v = mp.mpf(B) ** (p + 2) / (p + 2) if m == 0 else mp.mpf(0)
                        s = B ** (p + 2) / (p + 2)
                    elif s < 1e-250:
                        continue
                    else:
                        v = poly(A, B, q, m, p)
                    out.write("%g %g %g %d %d %s %.2e\n" % (A, B, q, m, p, text(v), s))


GRID = [0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.0, 4.5, 6.0, 7.0]  # test_filon.c has it too


def cardinal(nodes, k):
    """rising coefficients of l_k"""
    c = [mp.mpf(1)]
    for l, v in enumerate(nodes):
        if l != k:
            f = 1 / (mp.mpf(nodes[k]) - v)
            c = [(a - v * b) * f for a, b in zip([0] + c, c + [0])]
    return c


def weight(q, m, d, j):
    total, size = mp.mpf(0), 0.0
    for i in range(len(GRID) - 1):
        first = min(max(i - d // 2, 0), len(GRID) - 1 - d)
        if not first <= j <= first + d:
            continue
        c = cardinal(GRID[first:first + d + 1], j - first)
        total += mp.fsum(v * poly(GRID[i], GRID[i + 1], q, m, p) for p, v in enumerate(c))
        f = np.polynomial.Polynomial([float(v) for v in c])
        size += scale(GRID[i], GRID[i + 1], q, m, lambda u: (GRID[i] + u) * f(GRID[i] + u))
    return total, size


def write_each():
    with open("filon_each.ref", "w") as out:
        head(out, "weight of node j, grid %s" % " ".join("%g" % v for v in GRID),
             "q m degree j value scale")
        for q in (0.5, 8.0, 60.0, 1e3):
            for m in (0, 3, 40):
                for d in (2, 5, 6, 8):
                    for j in range(0, len(GRID), 3):
                        v, s = weight(q, m, d, j)
                        out.write("%g %d %d %d %s %.2e\n" % (q, m, d, j, text(v), s))


def tail(a, q, m, p):
    """int_a^inf x (x/a)^-p J_m(q x) dx = Mellin transform less antiderivative, continued in p;
    even p - m >= 2 are poles of both: mean of both sides."""
    with mp.workdps(160):
        a, q, delta = mp.mpf(a), mp.mpf(q), mp.mpf(10) ** -40
        total = []
        for v in (mp.mpf(p) + delta, mp.mpf(p) - delta):
            mu = 1 - v
            mellin = mp.mpf(2) ** mu * mp.gamma((1 + m + mu) / 2) / mp.gamma((1 + m - mu) / 2)
            total.append((mellin - antiderivative(mu, m, q * a, 145)) * a**v * q ** (v - 2))
        return (total[0] + total[1]) / 2


def tail_quad(a, q, m, p):
    """the same, q a > 2 m, along a + i y"""
    a, q, p = mp.mpf(a), mp.mpf(q), mp.mpf(p)

    def up(t):
        z = a + 1j * t / q
        return z * (z / a) ** -p * mp.hankel1(m, q * z)

    return mp.re(mp.quad(up, [0, 1, 3, 8, 20, 50]) * 1j / q)


def write_tail():
    with open("filon_tail.ref", "w") as out:
        head(out, "int_a^inf x (x/a)^-p J_m(q x) dx", "a q m p value scale")
        for qa in (1e-3, 0.2, 5.0, 29.0, 31.0, 300.0, 4000.0):
            for m, p in ((0, 2), (0, 0.6), (1, 3), (2, 2), (8, 12), (31, 4), (100, 2.5)):
                if qa < 1 and m == 100:
                    continue
                a = 12.5
                q = qa / a
                b = max(a, (3 * m + 10) / q)
                x = a * np.exp((np.arange(200000) + 0.5) / 200000 * np.log(b / a))
                s = np.mean(x * x * (x / a) ** -p * np.abs(sp.jv(m, q * x))) * np.log(b / a)
                # beyond b the wave averages out: one wavelength counts
                s += b * (b / a) ** -p * (0.8 / np.sqrt(q * b)) * 6 / q
                out.write("%g %.17g %d %g %s %.2e\n" % (a, q, m, p, text(tail(a, q, m, p)), s))
                out.flush()


PARTS = {"check": check_sample, "moments": write_moments, "poly": write_poly, "each": write_each,
         "tail": write_tail}
for name in sys.argv[1:] or PARTS:
    PARTS[name]()

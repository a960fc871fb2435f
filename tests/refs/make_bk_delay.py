# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the references of the BK equations with shifts of Y (kc and t, see bk.h).

bk_delay.ref: the linear equations at fixed coupling alpha_s = 0.2 keep N = eps r^{2g} n(Y) a power
of r.  With r = 1, x = |z| < y = |1 - z|, K = 3 alpha_s/(2 pi^2 x^2 y^2), integrals over the half
plane x < y counted twice:
    kc  n'(Y) = Int_{x<1} K (x^{2g} + y^{2g} - 1) n(Y)
                + Int_{1<x<exp(Y/2)} K [(x^{2g} + y^{2g}) n(Y - 2 ln x) - n(Y)]
    t   n'(Y) = Int_{x>1} K (x^{2g} + y^{2g} - 1) n(Y)
                + Int_{exp(-Y/2)<x<1} K [x^{2g} n(Y + 2 ln x) + y^{2g} n(Y - d_y) - n(Y)],
    d_y = max(0, -2 ln y),  n(0) = 1.
n is the polynomial through Chebyshev nodes in Y, 0 <= Y <= 2 (kc), or in s = sqrt(2 ln 2 - Y),
0 <= Y <= 1.38 (t): at 2 ln 2, where the discs x < exp(-Y/2) and y < exp(-Y/2) begin to be disjoint,
n is like s^5.  The last column is the difference from a polynomial of lower degree.

bk_delay_rate.ref: R(r) = Int d2z K theta(Y - D) expm1[G(r, Y) - G(x, Y - D_x) - G(y, Y - D_y)] for
G(r, Y) = G(r) (1 + 0.3 Y), G and the couplings as in make_bk.py.
Run: python3 make_bk_delay.py
"""
import math

from mpmath import mp, mpf

import make_bk as bk

ALPHA = 0.2


def gauss(n):
    """Gauss-Legendre rule on [0,1]."""
    rule = []
    for i in range(n):
        x = mp.cos(mp.pi * (i + mpf(3) / 4) / (n + mpf(1) / 2))
        for _ in range(8):
            p, q = mpf(1), mpf(0)
            for k in range(n):
                p, q = ((2 * k + 1) * x * p - k * q) / (k + 1), p
            d = n * (x * p - q) / (x * x - 1)
            x -= p / d
        rule.append(((1 + x) / 2, 1 / ((1 - x * x) * d * d)))
    return rule


RULE = [(float(x), float(w)) for x, w in gauss(28)]


def angles(x, breaks):
    """(weight K x^2, y) over the half plane at radius x."""
    low = 0.0 if 2 * x <= 1 else math.acos(1 / (2 * x))
    edges = [low] + [b for b in breaks if low < b < math.pi] + [math.pi]
    for a, b in zip(edges, edges[1:]):
        for u, w in RULE:
            y2 = 1 + x * x - 2 * x * math.cos(a + (b - a) * u)
            yield 4 * w * (b - a) * 3 * ALPHA / (2 * math.pi**2 * y2), math.sqrt(y2)


def instant(g, sign):
    """Int K (x^{2g} + y^{2g} - 1) over x < 1 (sign -1) or x > 1, in t = |ln x|."""
    def inner(t):
        x = math.exp(sign * t)
        return sum(w * (x**(2 * g) + y**(2 * g) - 1) for w, y in angles(x, []))
    edges = [0, math.log(2), 2, 8, 24, 80] if sign < 0 else [0, 2, 8, 24, 80]
    total = 0.0
    for a, b in zip(edges, edges[1:]):
        for u, w in RULE:
            # right of x = 1/2 the least angle is like a square root
            t = b - (b - a) * u * u if b == edges[1] and sign < 0 else a + (b - a) * u
            total += w * (b - a) * (2 * u if b == edges[1] and sign < 0 else 1) * inner(t)
    return total


def delayed(equation, g, Y):
    """(weight, shift) of n(Y - shift) in the second integral."""
    far, least = math.sqrt(math.log(2)), math.sqrt(max(0, math.log(2) - Y / 2))
    for u, w in RULE:
        if equation == "kc":
            t, w = Y / 2 * u, w * Y / 2
        else:  # the least angle is like a square root at t = ln 2
            v = least + (far - least) * u
            t, w = math.log(2) - v * v, w * (far - least) * 2 * v
        x = math.exp(t if equation == "kc" else -t)
        breaks = [] if equation == "kc" else [math.acos(x / 2)]
        for v, y in angles(x, breaks):
            yield w * v * x**(2 * g), 2 * t
            yield w * v * y**(2 * g), 2 * t if equation == "kc" else max(0, -2 * math.log(y))
            yield -w * v, 0


def solve(equation, g, end, m):
    """n(Y) for 0 <= Y <= end through m + 1 nodes."""
    apart = 2 * math.log(2)

    def place(Y):
        return Y if equation == "kc" else math.sqrt(apart - Y)
    a, b = place(0), place(end)
    node = [a + (b - a) * (1 - math.cos(math.pi * i / m)) / 2 for i in range(m + 1)]
    at = node if equation == "kc" else [apart - v * v for v in node]
    weight = [(-1)**i * (0.5 if i in (0, m) else 1) for i in range(m + 1)]

    def basis(Y):
        s = place(max(Y, 0))
        for i, v in enumerate(node):
            if abs(s - v) < 1e-13:
                return [float(k == i) for k in range(m + 1)]
        c = [v / (s - p) for v, p in zip(weight, node)]
        total = sum(c)
        return [v / total for v in c]

    c0 = instant(g, -1 if equation == "kc" else 1)
    A, rhs = mp.matrix(m + 1, m + 1), mp.matrix(m + 1, 1)
    A[0, 0] = rhs[0] = 1
    for i in range(1, m + 1):
        slope = 1 if equation == "kc" else -1 / (2 * node[i])  # dnode/dY
        row = [0 if j == i else slope * weight[j] / weight[i] / (node[i] - node[j])
               for j in range(m + 1)]
        row[i] = -sum(row) - c0
        for v, shift in delayed(equation, g, at[i]):
            if shift == 0:
                row[i] -= v
            else:
                for j, p in enumerate(basis(at[i] - shift)):
                    row[j] -= v * p
        for j in range(m + 1):
            A[i, j] = row[j]
    n = mp.lu_solve(A, rhs)
    return lambda Y: sum(p * v for p, v in zip(basis(Y), n))


def write_linear():
    with open("bk_delay.ref", "w") as f:
        f.write("# Python floats, equations solved by mpmath; python3 make_bk_delay.py; "
                "columns equation g Y n(Y) difference\n")
        for equation, end, at in (("kc", 2.0, ("0.5", "1", "2")),
                                  ("t", 1.38, ("0.5", "1", "1.38"))):
            for g in (0.6, 0.8):
                n, coarse = (solve(equation, g, end, m) for m in (22, 17))
                for Y in at:
                    v = n(float(Y))
                    f.write(f"{equation} {g} {Y} {mp.nstr(v, 14)} "
                            f"{mp.nstr(abs(v - coarse(float(Y))), 2)}\n")
                    f.flush()


def big_gamma(r, Y):
    return bk.big_gamma(r) * (1 + 0.3 * Y)


def shifts(equation, r, x, y):
    """Shifts at x and y and the one that must be below Y."""
    if equation == "kc":
        d = max(0.0, 2 * math.log(min(x, y) / r))
        return d, d, d
    dx, dy = max(0.0, 2 * math.log(r / x)), max(0.0, 2 * math.log(r / y))
    return dx, dy, max(dx, dy)


def inner(equation, coupling, r, Y, x, rule):
    """Integral over all angles at radius x, with weight 2 y^2/(x^2 + y^2) as in make_bk.py."""
    cut = r * math.exp(Y / 2 if equation == "kc" else -Y / 2)
    total, at = 0.0, [0.0, math.pi]
    edges = [r, x, cut]
    if coupling not in ("fixed", "smooth"):
        edges.append(bk.KINK)
    for edge in edges:
        cosine = (r * r + x * x - edge * edge) / (2 * r * x)
        if -1 < cosine < 1:
            at.append(math.acos(cosine))
    for a, h in bk.panels(at, 0.6):
        for u, w in rule:
            theta = a + h * u
            y = math.sqrt((r - x)**2 + 4 * r * x * math.sin(theta / 2)**2)
            if y < 1e-12 * r:
                continue
            dx, dy, d = shifts(equation, r, x, y)
            if d > Y:
                continue
            excess = (r / x - 2 * math.cos(theta)) * r / x  # y^2/x^2 - 1
            if excess < -0.5:
                excess = (y / x)**2 - 1
            total += (w * h * bk.kernel(coupling, r, x, y, excess) * 2 * y * y / (x * x + y * y)
                      * math.expm1(big_gamma(r, Y) - big_gamma(x, Y - dx) - big_gamma(y, Y - dy)))
    return total


def rate(equation, coupling, r, Y, h):
    rule, lnr = bk.tanh_sinh(h), math.log(r)
    cut = r * math.exp(Y / 2 if equation == "kc" else -Y / 2)
    radii = [r, r / 2, 2 * r, cut, abs(r - cut), r + cut]
    if coupling not in ("fixed", "smooth"):
        radii += [bk.KINK, abs(r - bk.KINK), r + bk.KINK]
    breaks = [lnr - 20, max(lnr, 0) + 16] + [math.log(v) for v in radii if v > 1e-8 * r]
    total = 0.0
    for a, d in bk.panels(breaks, 0.8):
        for u, w in rule:
            x = math.exp(a + d * u)
            total += w * d * 2 * x * x * inner(equation, coupling, r, Y, x, rule)
    return 3 / (2 * math.pi**2) * total


def write_rates():
    with open("bk_delay_rate.ref", "w") as f:
        f.write("# Python floats; python3 make_bk_delay.py; right-hand sides with shifts; "
                "columns equation coupling r Y R deviation\n")
        for equation in ("kc", "t"):
            for coupling in ("balitsky", "smooth"):
                for r, Y in (("1e-4", "0"), ("1e-4", "3"), ("0.7", "0.4"), ("2", "2"), ("9", "1")):
                    values = [rate(equation, coupling, float(r), float(Y), h) for h in (0.16, 0.22)]
                    f.write(f"{equation} {coupling} {r} {Y} {values[0]:.14g} "
                            f"{abs(values[1] / values[0] - 1):.1e}\n")
                    f.flush()


if __name__ == "__main__":
    write_linear()
    write_rates()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes dipole.ref (L and its differences, gbw, mv and a table) and dipole_table.dat (the table).

Everything is taken at 50 digits from the doubles that the test uses: the numbers are printed so
that strtod gives them back.  Table: quintic spline of ln Gamma in ln r by one linear solve
for the coefficients of all cells, linear in Y between the two blocks; beyond the last node through
knots along which the curvature fades, straight lines further out.
Run: python3 make_dipole.py
"""
import math
import random

import mpmath
from mpmath import mp, mpf, log, exp, sqrt

mp.dps = 50
SETS = {"mv": (0.104, 1.0, 1.0), "mve": (0.060, 1.0, 18.9), "mvgamma": (0.1586, 1.129, 1.0)}
LAMBDA = 0.241
Y_TABLE = 2.7
SHARES = (1e-14, -3e-12, 1e-9, -2e-7, 4e-5, -1e-3, 0.03, -0.2, 0.5, -0.9, 0.999, 3.0, 250.0, -1.0)


def gbw(r2):
    return -(mpf(1.0) * (mpf(3.04e-4) / mpf(0.01)) ** mpf(0.288)) / 4 * r2


def mv(name):
    Q, g, ec = (mpf(v) for v in SETS[name])
    def L(r2):
        if r2 == 0:
            return mpf(0)
        return -(r2 * Q) ** g / 4 * log(1 / (sqrt(r2) * mpf(LAMBDA)) + ec * mp.e)
    return L


def write_table():
    """Uneven r, two rapidities; returns [(Y, r, N)] as doubles."""
    rng, rows = random.Random(7), []
    r = [1e-3 * 1.23**i * (1 + 0.04 * rng.uniform(-1, 1)) for i in range(47)]
    r = [float("%.10g" % v) for v in r]
    with open("dipole_table.dat", "w") as f:
        f.write("# made by make_dipole.py: Y r N, a smooth dipole on uneven r, for tests\n")
        f.write("# x0 = 0.01\n")
        for Y in (2.0, 3.5):
            for x in r:
                G = 0.06 * math.exp(0.25 * Y) * x**1.95 / (1 + 0.35 * x) ** 0.8
                G *= 1 + 0.05 * math.sin(2 * math.log(x))
                N = -math.expm1(-G)
                if G < 11:
                    rows.append((Y, x, N))
                    f.write("%.17g %.17g %.17g\n" % (Y, x, N))
    n = min(sum(1 for row in rows if row[0] == Y) for Y in (2.0, 3.5))
    assert len(rows) == 2 * n, "blocks of unequal length"
    return rows


def derivative(c, d, v):
    """d-th derivative at v of the polynomial with the coefficients c."""
    return sum(mpmath.rf(k - d + 1, d) * c[k] * v ** (k - d) for k in range(d, len(c)))


def solve_sparse(rows, rhs):
    """Gaussian elimination with row exchange; rows: dictionaries {column: coefficient}."""
    n, rest, pivots = len(rows), [(dict(r), v) for r, v in zip(rows, rhs)], []
    for c in range(n):
        here = [t for t in rest if c in t[0]]
        best = max(here, key=lambda t: abs(t[0][c]))
        pivots.append(best)
        rest = [t for t in rest if t is not best]
        for k, (r, v) in enumerate(rest):
            if c in r:
                q = r.pop(c) / best[0][c]
                for j, a in best[0].items():
                    if j != c:
                        r[j] = r.get(j, mpf(0)) - q * a
                rest[k] = (r, v - q * best[1])
    x = [mpf(0)] * n
    for c in reversed(range(n)):
        r, v = pivots[c]
        x[c] = (v - sum(a * x[j] for j, a in r.items() if j != c)) / r[c]
    return x


def quintic_spline(y, f):
    """Cells c_0 .. c_5 in powers of v - y_i: through the points, derivatives 1 to 4 continuous,
    second and third derivative zero at both ends."""
    cells, rows, rhs = len(y) - 1, [], []

    def equation(terms, value):                # terms: (cell, derivative, v, factor)
        row = {}
        for i, d, v, factor in terms:
            for k in range(d, 6):
                if v != 0 or k == d:
                    row[6 * i + k] = factor * mpmath.rf(k - d + 1, d) * v ** (k - d)
        rows.append(row)
        rhs.append(value)

    for i in range(cells):
        h = y[i + 1] - y[i]
        equation([(i, 0, mpf(0), 1)], f[i])
        equation([(i, 0, h, 1)], f[i + 1])
        for d in (1, 2, 3, 4):
            if i + 1 < cells:
                equation([(i, d, h, 1), (i + 1, d, mpf(0), -1)], mpf(0))
    for d in (2, 3):
        equation([(0, d, mpf(0), 1)], mpf(0))
        equation([(cells - 1, d, y[-1] - y[-2], 1)], mpf(0))
    c = solve_sparse(rows, rhs)
    return [c[6 * i:6 * i + 6] for i in range(cells)]


def add_tail(y, f):
    """64 knots 1/16 apart; slope and curvature from the cubic through every second of the last
    7 nodes."""
    t = [y[-1 - 2 * i] - y[-1] for i in range(4)]
    A = mpmath.matrix([[v**k for k in range(4)] for v in t])
    c = mp.lu_solve(A, mpmath.matrix([f[-1 - 2 * i] for i in range(4)]))
    slope, curvature, y1, f1 = c[1], 2 * c[2], y[-1], f[-1]
    assert abs(curvature) < slope / 2
    for i in range(1, 65):
        v = mpf(i) / 16
        y.append(y1 + v)
        f.append(f1 + slope * v + curvature * (exp(-v) - 1 + v))


def table():
    rows = write_table()
    Y = [2.0, 3.5]
    y = [log(mpf(r)) for b, r, _ in rows if b == Y[0]]
    g = [[log(-mpmath.log1p(-mpf(N))) for b, _, N in rows if b == v] for v in Y]
    w = (mpf(Y_TABLE) - mpf(Y[0])) / (mpf(Y[1]) - mpf(Y[0]))
    f = [a + w * (b - a) for a, b in zip(*g)]
    knots = [float(exp(v)) for v in y]
    add_tail(y, f)
    cells = quintic_spline(y, f)

    def L(r2):
        if r2 == 0:
            return mpf(0)
        v = log(r2) / 2
        if v <= y[0]:
            return -exp(f[0] + cells[0][1] * (v - y[0]))
        if v >= y[-1]:
            slope = derivative(cells[-1], 1, y[-1] - y[-2])
            return -exp(f[-1] + slope * (v - y[-1]))
        i = max(k for k in range(len(y) - 1) if y[k] <= v)
        return -exp(derivative(cells[i], 0, v - y[i]))

    return L, knots


def write_model(out, name, L, lengths):
    for r in lengths:
        r2 = r * r
        out.write("%s L %.17g 0 %s\n" % (name, r2, mp.nstr(L(mpf(r2)), 20)))
    for R in lengths:
        R2 = R * R
        for share in SHARES:
            x = share * R2
            D = L(mpf(R2) + mpf(x)) - L(mpf(R2))
            out.write("%s D %.17g %.17g %s\n" % (name, R2, x, mp.nstr(D, 20)))
    for x in (0.0, 1e-6, 2.5):
        out.write("%s D 0 %.17g %s\n" % (name, x, mp.nstr(L(mpf(x)), 20)))


def main():
    with open("dipole.ref", "w") as out:
        out.write("# mpmath %s, %d digits, python3 make_dipole.py; GeV^-2\n"
                  % (mpmath.__version__, mp.dps))
        out.write("# model L r2 0 lnS(r2);  model D R2 x lnS(R2+x)-lnS(R2)\n")
        lengths = [1e-6, 3.3e-4, 0.02, 0.4, 1.7, 6.0, 31.0, 900.0]
        write_model(out, "gbw", gbw, lengths)
        for name in SETS:
            write_model(out, name, mv(name), lengths)
        L, knots = table()
        # inside and outside the table, on knots and next to them
        near = [knots[0], knots[20], knots[20] * (1 - 1e-13), knots[21] * (1 + 1e-11)]
        near += [knots[-1], knots[-2]]
        write_model(out, "table", L, [1e-5, 7e-4, 0.013, 0.11, 0.9, 2.2, 5.1, 14.0, 60.0] + near)


main()

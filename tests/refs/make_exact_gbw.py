# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes exact_gbw.ref: I_T and I_L of the GBW model, METHOD.md 7.1, by a route of its own.

Trapezoid in ln t, ln t' and ln(xi/(1-xi)), Taylor arithmetic in c for the two derivatives of Z.
Every value is computed with two sets of steps; their relative difference dev stands in the last
column.  The trapezoid converges exponentially in 1/step, so the value printed, from the steps that
are smaller by 1.3, has a relative error of about dev^1.3.
Run: python3 make_exact_gbw.py
"""
import multiprocessing

import mpmath
from mpmath import mp, mpf

mp.dps = 20
SMALL = -42     # logarithm of what is left out, relative to the scale of the integrand
POINTS = [(1, 1, 1, 1), (2, 2, 1, 1), (1, 5, 2, 1), (3, 2, 4, "0.3656516959"),
          (3, 25, 4, "0.3656516959"),
          ("0.25", 12, "0.1", "0.3656516959"), ("0.1", 0, "0.1", 3), (4, 40, "0.1", "0.1"),
          (2, 10, 10, "0.3656516959"), ("0.5", 1, "0.5", 2), (4, 40, 20, 3), (1, 0, 20, "0.1")]


def jet(a, b, c, K2):
    """dZ/dc and d2Z/dc2 of Z = exp(-K2 (a+b-c)/(4d))/d, d = ab - c^2/4, from Taylor series in c."""
    d0, d1, d2 = a * b - c * c / 4, -c / 2, mpf(-1) / 4
    s = a + b - c
    i0 = 1 / d0                                   # 1/d = i0 + i1 h + i2 h^2
    i1 = -i0 * i0 * d1
    i2 = -i0 * (d1 * i1 + d2 * i0)
    y0, y1, y2 = s * i0, s * i1 - i0, s * i2 - i1  # (s - h)/d
    k = -K2 / 4
    e0 = mpmath.exp(k * y0)
    e1 = k * y1
    e2 = k * y2 + e1 * e1 / 2
    return e0 * (i0 * e1 + i1), 2 * e0 * (i0 * e2 + i1 * e1 + i2)


def t_nodes(scale, h):
    lo, hi = mpmath.log(scale) - 31, mpmath.log(50)
    ts = [mpmath.exp(lo + j * h) for j in range(int((hi - lo) / h) + 1)]
    return [(t, h * mpmath.exp(-t), min(float(mpmath.log(t / scale)), 0)) for t in ts]  # dt/t e^-t


def xi_nodes(Q, h):
    out, v = [], mpf(36)
    while Q * mpmath.exp(-v) < 45:
        e = mpmath.exp(-v)
        w = h * e / (1 + e)                                                    # dxi/xi = (1-xi) dv
        out.append((1 / (1 + e), w * mpmath.exp(-Q * (1 + e)), -max(float(v), 0)))
        v -= h
    return out


def integral(q, K, eps, Qs2, ht, hx):
    scale = eps**2 / (eps**2 + K**2 + Qs2)
    T = L = mpf(0)
    ts = t_nodes(scale, ht)
    for xi, wx, lx in xi_nodes(q * q / (2 * Qs2), hx):
        c, b = xi * Qs2 / 4, Qs2 * (1 - xi / 2) / 4
        A = [eps**2 / (4 * t) + b for t, _, _ in ts]
        sT = sL = mpf(0)
        for i, (t, w, li) in enumerate(ts):
            if t + K * K / (4 * A[i]) > 80:
                continue
            for j in range(i, -1, -1):
                u, v, lj = ts[j]
                if li + lj + lx < SMALL:       # the integrand of I_T goes as t t' (1 - xi)
                    break
                z1, z2 = jet(A[i], A[j], c, K * K)
                f = w * v * (1 if i == j else 2)
                sL += f * z1
                sT += f * z2 / (t * u)
        L += wx * sL
        T += wx * sT * eps**2 / 4
    return mp.pi**3 / 4 * T, mp.pi**3 / 4 * L


def row(p):
    v = [mpf(str(x)) for x in p]
    one = integral(*v, mpf("0.38"), mpf("0.39"))
    two = integral(*v, mpf("0.29"), mpf("0.30"))
    dev = max(abs(a / b - 1) for a, b in zip(one, two))
    return "%s %s %s %s %s %s %s\n" % (*p, mp.nstr(two[0], 17), mp.nstr(two[1], 17),
                                       mp.nstr(dev, 2))


def main():
    with open("exact_gbw.ref", "w") as f, multiprocessing.Pool(2) as pool:
        f.write("# mpmath %s, %d digits, python3 make_exact_gbw.py; METHOD.md 7.1 (GeV^-6)\n"
                % (mpmath.__version__, mp.dps))
        f.write("# q K eps (GeV) Qs2 (GeV^2) I_T I_L difference-of-two-rules\n")
        for line in pool.imap(row, POINTS):
            f.write(line)
            f.flush()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of N nodes on [0,1] that integrates x^i and x^i ln x exactly for i < N.

python3 make_log_rule_data.py > ../../generator/numerics/log_rule_data.h

Newton's method for nodes and weights together, on the moments of shifted Legendre polynomials
P_i(2x-1) and of P_i(2x-1) ln x.  The start of N nodes is interpolated from the solution for
N - 1, whose cube roots are nearly equidistant; N = 1 is x = 1/e.  Rules of this kind: Ma, Rokhlin,
Wandzura, SIAM J. Numer. Anal. 33 (1996) 971."""
import mpmath as mp

mp.mp.dps = 50
N = 14


def legendre(n, x):
    """P_i(2x-1) and its derivative, i < n."""
    t, p, d = 2 * x - 1, [mp.mpf(1), 2 * x - 1], [mp.mpf(0), mp.mpf(2)]
    for i in range(1, n):
        p.append(((2 * i + 1) * t * p[i] - i * p[i - 1]) / (i + 1))
        d.append(d[i - 1] + (2 * i + 1) * 2 * p[i])
    return p[:n], d[:n]


def moments(n):
    """int_0^1 P_i(2x-1) dx, then int_0^1 P_i(2x-1) ln x dx, from int x^k ln x = -1/(k+1)^2."""
    plain, logs = [], []
    for i in range(n):
        c = [(-1) ** (i + k) * mp.binomial(i, k) * mp.binomial(i + k, k) for k in range(i + 1)]
        plain.append(mp.fsum(v / (k + 1) for k, v in enumerate(c)))
        logs.append(mp.fsum(-v / mp.mpf(k + 1) ** 2 for k, v in enumerate(c)))
    return plain + logs


def system(n, x, w, want):
    r, J = mp.matrix(2 * n, 1), mp.matrix(2 * n, 2 * n)
    for i in range(2 * n):
        r[i] = -want[i]
    for j in range(n):
        p, d = legendre(n, x[j])
        ln = mp.log(x[j])
        for i in range(n):
            r[i] += w[j] * p[i]
            r[n + i] += w[j] * p[i] * ln
            J[i, j], J[i, n + j] = w[j] * d[i], p[i]
            J[n + i, j], J[n + i, n + j] = w[j] * (d[i] * ln + p[i] / x[j]), p[i] * ln
    return r, J


def rising(x):
    return all(0 < v < 1 for v in x) and all(a < b for a, b in zip(x, x[1:]))


def newton(n, x, w):
    want = moments(n)
    r, J = system(n, x, w, want)
    while mp.norm(r) > mp.mpf(10) ** -42:
        step, t = mp.lu_solve(J, -r), mp.mpf(1)
        while True:
            assert t > 1e-9, "no convergence"
            xt = [x[j] + t * step[j] for j in range(n)]
            wt = [w[j] + t * step[n + j] for j in range(n)]
            if rising(xt):
                rt, Jt = system(n, xt, wt, want)
                if mp.norm(rt) < mp.norm(r):
                    break
            t /= 2
        x, w, r, J = xt, wt, rt, Jt
    return x, w


def start(n, x):
    """n nodes from n - 1: piecewise linear in the cube root; weights from the polynomials."""
    at = [mp.mpf(0)] + [(j + mp.mpf(1) / 2) / (n - 1) for j in range(n - 1)] + [mp.mpf(1)]
    root = [mp.mpf(0)] + [mp.cbrt(v) for v in x] + [mp.mpf(1)]
    new = []
    for j in range(n):
        u = (j + mp.mpf(1) / 2) / n
        k = max(i for i in range(n) if at[i] <= u)
        new.append((root[k] + (root[k + 1] - root[k]) * (u - at[k]) / (at[k + 1] - at[k])) ** 3)
    A = mp.matrix(n, n)
    for j in range(n):
        p, _ = legendre(n, new[j])
        for i in range(n):
            A[i, j] = p[i]
    return new, list(mp.lu_solve(A, mp.matrix(moments(n)[:n])))


def rule(n):
    x, w = [mp.exp(-1)], [mp.mpf(1)]
    for k in range(2, n + 1):
        x, w = newton(k, *start(k, x))
    assert min(w) > 0
    return x, w


def show(name, comment, values):
    print(f"/* {comment} */\nstatic const double {name}[LOG_RULE_NODES] = {{")
    for i in range(0, len(values), 3):
        print("    " + " ".join(float(v).hex() + "," for v in values[i : i + 3]))
    print("};")


x, w = rule(N)
print(
    f"""/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_rule_data.h: the rule on [0,1] that is exact for x^i and x^i ln x, i < {N}; made by
 * tests/refs/make_log_rule_data.py with mpmath {mp.__version__}, 50 digits. */
#ifndef CGCT_LOG_RULE_DATA_H
#define CGCT_LOG_RULE_DATA_H

/* clang-format off */
enum {{ LOG_RULE_NODES = {N} }};"""
)
show("LOG_RULE_X", "nodes", x)
show("LOG_RULE_W", "weights", w)
print("/* clang-format on */\n#endif")

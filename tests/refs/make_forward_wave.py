#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the cut wave function makes of two independent partons.
python3 make_forward_wave.py > forward_wave.ref

Of the GBW dipole with Qs = 1 GeV, F_n(l) = 4 pi/n exp(-l^2/n), and the integral over the angle of l
in

    Int d2l/(2 pi)^2 |psi(l)|^2 F_a(k1+l) F_b(k2-l)

is a Bessel function I_0.  psi, the transform of eps K_1(eps u) (T) or eps K_0(eps u) (L) over
1 + exp(-8 (u - 1/Lambda)), is an integral over u, which decays.  Gauss-Legendre sums in panels;
every number is made twice, with panels of other widths, and the largest difference is the last
column.
"""
import math

import mpmath
from mpmath import besseli, besselj, besselk, exp, mp
from mpmath.calculus.quadrature import GaussLegendre

mp.dps = 18
POWERS = {"qg": (2, 1), "gg": (2, 2), "qqb": (1, 1)}
NEAR = (("0.5", "2", "1.5", "2.6"), ("0.7", "0.8", "0.5", "1"))  # z, k1, k2, angle
FAR = (("0.5", "40", "40", "3.1"),)
# eps, Lambda, momenta l that count, points
WAVES = (("0.5", "1", (0, 7.5), NEAR), ("1.5", "0.4", (0, 7.5), NEAR), ("5", "1", (34, 46), FAR))
RULE = [(float(x), float(w)) for x, w in GaussLegendre(mp).calc_nodes(3, 60)]


def nodes(first, last, width):
    n = math.ceil((last - first) / width)
    h = (last - first) / n
    return [(first + h * (i + (1 + x) / 2), w * h / 2) for i in range(n) for x, w in RULE]


def waves(eps, cut, momenta, width):
    """[K, weight, psi_T, psi_L] at momenta K."""
    r = 1 / cut  # before r - 4.6 the cut leaves 1e-16
    first, edge = max(0, r - 4.6), [0, 1e-4, 1e-3, 1e-2, 0.06, 0.25]
    steps = [x for x in edge if x >= first] + [max(first, 0.25), r + 1]
    decay = [u for a, b in zip(steps, steps[1:]) if a < b for u in nodes(a, b, width / 5)]
    decay += nodes(r + 1, r + 1 + 38 / eps, width * min(1.6, 9 / momenta[1]))
    parts = []
    for u, w in decay:
        rest = w * u * eps / (1 + math.exp(-8 * (u - 1 / cut)))
        if rest * math.exp(-eps * u) < 1e-19:
            continue
        parts.append((u, rest * float(besselk(1, eps * u)), rest * float(besselk(0, eps * u))))
    rows = []
    for K, w in nodes(*momenta, width):
        psi = [0, 0]
        for u, of_T, of_L in parts:
            psi[0] += of_T * float(besselj(1, K * u))
            psi[1] += of_L * float(besselj(0, K * u))
        rows.append((K, w, 2 * math.pi * psi[0], 2 * math.pi * psi[1]))
    return rows


def partons(rows, powers, k1, k2, angle):
    a, b = powers
    arm = math.hypot(k1 / a - k2 * math.cos(angle) / b, k2 * math.sin(angle) / b)
    total = [0, 0]
    for K, w, *psi in rows:
        exponent = -(k1**2 + K**2) / a - (k2**2 + K**2) / b
        both = (4 * math.pi) ** 2 / (a * b) * float(exp(exponent) * besseli(0, 2 * K * arm))
        for i in (0, 1):
            total[i] += w * K * both * psi[i] ** 2 / (2 * math.pi)
    return total


print(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_forward_wave.py")
print("# process eps Lambda z k1 k2 angle T L difference")
for eps, cut, momenta, points in WAVES:
    tables = [waves(float(eps), float(cut), momenta, width) for width in (1.0, 0.8)]
    for process, powers in POWERS.items():
        for z, *place in points:
            first, other = (partons(t, powers, *map(float, place)) for t in tables)
            change = max(abs(x - y) / y for x, y in zip(first, other))
            values = " ".join(f"{v:.15e}" for v in other)
            print(process, eps, cut, z, *place, values, f"{change:.0e}", flush=True)

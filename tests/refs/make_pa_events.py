#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross sections of forward dijets with T in its dilute limit and F(q) of GBW, Qs^2 =
(3.04e-4/x)^0.288 GeV^2, S_perp = 1 GeV^-2.

pip install numpy; python3 make_pa_events.py > pa_events.ref

They are integrals over (z, x_p, P, q, angle of P and q) with dy1 dy2 d2k1 d2k2 = dz/(z(1-z))
dx_p/x_p d2P d2q, by shifted lattices.  x f of the gluon is -3 ln x, of u -ln x, of d -0.5 ln x, of
u and d bar -0.1 ln x, of s and s bar -0.05 ln x.  One line a case: energies, y, pt, P, q, largest
x, mu (0: longer momentum, -1: P), alpha_s (0: of one loop from 0.118 at 91.1876 GeV), deuteron;
then the cross section in pb and its error of qg, gg, qqb, of x above the largest with F of the
largest, and the means of y1, z, ln q, ln k1, |angle| and ln x with their errors in the events of
qg.  The last case has the cross sections of two partons that become two, without means."""
import numpy as np

PB = 0.3893793721e9
NC, POINTS, SHIFTS = 3, 3000017, 16
GENERATOR = np.array([1, 342972, 139105, 751239, 618341])  # of the lattice


def alpha_s(mu):
    """1/alpha_s = 1/0.118 + (33 - 2 nf)/(6 pi) ln(mu/M_Z), continuous at 4.75 and 1.4 GeV."""
    inverse, top = 1 / 0.118, 91.1876
    for nf, low in ((5, 4.75), (4, 1.4), (3, 1.0)):
        at = np.clip(mu, low, None) if nf == 5 else np.clip(mu, low, top)
        inverse = inverse + (33 - 2 * nf) / (6 * np.pi) * np.log(at / top)
        top = low
    return 1 / inverse


def two_to_two(unit, z, quarks, gluon):
    """The cross sections of textbooks for partons of both beams, dsigma/dt/(pi alpha_s^2/s^2) at
    large Nc, where x G = 2 Nc/((2 pi)^4 alpha_s) S_perp Int d2q q^2 F of the target: what the
    others become for q far below P."""
    s, t, u = 1, -z, -(1 - z)
    return [unit * quarks * (s**2 + u**2) * (1 / t**2 - 1 / (2 * s * u)),
            unit * gluon * 4 * (3 - t * u / s**2 - s * u / t**2 - s * t / u**2) / 2,
            3 * unit * gluon / NC * (t**2 + u**2) * (1 / (2 * t * u) - 1 / s**2)]


def channels(case, u):
    """dsigma over the unit cube in pb, of three channels, x, and what the means are of."""
    Ep, EA, y0, y1, pt, P0, P1, q0, q1, xmax, mu, fixed, deuteron = case
    lo, hi = pt * 2 * np.exp(y0) / (2 * Ep), 1.0
    xp = lo * (hi / lo) ** u[0]
    # dense where the cross section is large: ln z/(1-z) as a logistic variable, uniform P^-2
    z = u[1] ** 1.2 / (u[1] ** 1.2 + (1 - u[1]) ** 1.2)
    P, q = (P0**-2 - (P0**-2 - P1**-2) * u[2]) ** -0.5, q0 * (q1 / q0) ** u[3]
    phi = 2 * np.pi * u[4]
    measure = np.log(hi / lo) * 1.2 / (u[1] * (1 - u[1])) * (P0**-2 - P1**-2) * np.log(q1 / q0)
    measure = measure * (2 * np.pi) ** 2 * P**4 / 2 * q**2
    Px, Py = P * np.cos(phi), P * np.sin(phi)
    k1x, k1y, k2x, k2y = Px + z * q, Py, -Px + (1 - z) * q, -Py
    k1, k2 = np.hypot(k1x, k1y), np.hypot(k2x, k2y)
    r1, r2 = np.log(2 * Ep * xp * z / k1), np.log(2 * Ep * xp * (1 - z) / k2)
    x = (k1 * np.exp(-r1) + k2 * np.exp(-r2)) / (2 * EA)
    good = (k1 > pt) & (k2 > pt) & (r1 > y0) & (r1 < y1) & (r2 > y0) & (r2 < y1) & (x < 1)
    scale = np.maximum(k1, k2) if mu == 0 else P if mu < 0 else mu
    a = fixed if fixed else alpha_s(np.maximum(scale, 1.0))
    p1, p2 = (k1x / k1**2, k1y / k1**2), (k2x / k2**2, k2y / k2**2)
    pP = (Px / P**2, Py / P**2)

    def square(v, w, sign):
        return (2 * np.pi) ** 2 * sum((i + sign * j) ** 2 for i, j in zip(v, w))

    both, meets1, meets2 = square(p1, p2, 1), square(p2, pP, 1), square(p1, pP, -1)
    Qs2 = (3.04e-4 / np.minimum(x, xmax)) ** 0.288
    F = 4 * np.pi / Qs2 * np.exp(-q * q / Qs2)
    quarks, gluon = -np.log(xp) * (1 + 0.5 + 0.2 + 0.1), -3 * np.log(xp)
    if case == CASES[2]:
        unit = PB * measure * good * F * q**2 * 2 * NC / ((2 * np.pi) ** 4 * a) * a**2 / P**4
        return two_to_two(unit * (z * (1 - z)) ** 2, z, quarks, gluon), x, None
    unit = PB * measure * a * (2 * np.pi) ** -6 * F * good
    splitting = z / (1 - z) + (1 - z) / z + z * (1 - z)
    sigma = [
        unit * quarks * NC * (1 - z) * (1 + (1 - z) ** 2) * (both + meets1),
        # a pair of gluons is counted once
        unit * gluon * 4 * NC * z * (1 - z) * splitting * (both + meets1 + meets2) / 2,
        3 * unit * gluon * z * (1 - z) * (z**2 + (1 - z) ** 2) * (meets1 + meets2)]
    angle = np.abs(np.angle(np.exp(1j * (np.arctan2(k2y, k2x) - np.arctan2(k1y, k1x)))))
    return sigma, x, (r1, z, np.log(q), np.log(k1), angle, np.log(x))


CASES = [(100, 100, 1, 4, 1.5, 1, 1e6, 0.1, 5, 0.004, 0, 0, 0),
         (6500, 2560, 0.5, 3.5, 2, 1.5, 12, 0.05, 4, 0.01, -1, 0.2, 1),
         (2500, 2500, 0, 4, 2.5, 3, 1e6, 0.02, 0.06, 1, 3, 0.25, 0)]
print("#", " ".join(__doc__.split("\n\n")[0].split()), "See make_pa_events.py.")
for case in CASES:
    rng, found = np.random.default_rng(5), []
    for _ in range(SHIFTS):
        i = np.arange(POINTS)
        u = [(i * int(g) % POINTS / POINTS + rng.random()) % 1 for g in GENERATOR]
        u = [np.clip(np.abs(2 * v - 1), 1e-12, 1 - 1e-12) for v in u]  # made periodic
        sigma, x, of = channels(case, u)
        inside = x < case[9]
        sums = [np.mean(s * inside) for s in sigma]
        above = np.mean(sum(sigma) * ~inside)
        means = [np.mean(sigma[0] * inside * v) / sums[0] for v in of] if of else [0] * 6
        found.append(sums + [above] + means)
    found = np.array(found)
    value, error = found.mean(0), found.std(0, ddof=1) / SHIFTS**0.5
    print(*("%g" % v for v in case), *("%.6e %.1e" % p for p in zip(value, error)))

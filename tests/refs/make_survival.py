# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes survival.ref: photons of an ion with the probability that the nuclei do not touch,

    y dN/dy = (2 Z^2 alpha/pi) Int_R^oo db/b v^2 K1(v)^2 exp[-sigma T_AB(b)],  v = y m_N b/hbar c,
    T_AB(b) = Int d2s T_A(s) T_B(|s - b|),  T(s) = Int dz rho,  Int d2s T = A,
    rho ~ (1 + w r^2/R^2)/(1 + exp[(r - R)/d]),

where of a proton T_AB is T_A(b), and R the larger radius.  sigma = 28.84 + 0.0458 ln(s)^2.374 mb,
s in GeV^2.  The integral over s is taken directly in polar coordinates, by Gauss-Legendre rules;
twice as many nodes change it by 1e-7 at most, which is asserted.  Columns: emitter, target, energy
of two nucleons (GeV), y, y dN/dy.  Needs mpmath and numpy.
Run: python3 make_survival.py
"""
import mpmath
import numpy as np

PROTON = (1, 0, 1, 0)  # A, R, d, w
NUCLEI = {"Pb": (208, 6.62, 0.546, 0), "Au": (197, 6.38, 0.535, 0), "Xe": (129, 5.36, 0.59, 0),
          "O": (16, 2.608, 0.513, -0.051), "p": PROTON}
CHARGE = {"Pb": 82, "Au": 79, "Xe": 54, "O": 8, "p": 1}
NUCLEON, HBAR_C, ALPHA = 0.9315, 0.1973270, 1 / 137.036  # GeV, GeV fm
CASES = [("Pb", "Pb", 5360), ("Au", "Au", 200), ("Xe", "Xe", 5440), ("O", "O", 5360),
         ("Pb", "p", 8160), ("p", "Pb", 8160)]


def gauss(n, low, high):
    x, w = np.polynomial.legendre.leggauss(n)
    return (low + high) / 2 + (high - low) / 2 * x, (high - low) / 2 * w


def panels(edges, n):
    parts = [gauss(n, a, b) for a, b in zip(edges, edges[1:])]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def thickness(nucleus, s, n):
    A, R, d, w = nucleus
    r, weight = panels([0, R, R + 3, R + 10, R + 25], n)
    rho = lambda v: (1 + w * v * v / (R * R)) / (1 + np.exp((v - R) / d))
    z = r
    whole = 4 * np.pi * weight @ (r * r * rho(r))
    return 2 * A / whole * rho(np.hypot(s[..., None], z)) @ weight


def overlap(A, B, b, n):
    if A is PROTON or B is PROTON:
        return thickness(B if A is PROTON else A, np.array([b]), n)[0]
    s, ws = panels([0, A[1] - 2, A[1] + 2, A[1] + 8, A[1] + 20], n)
    phi, wphi = panels([0, 0.3, 1, np.pi], n)
    other = np.sqrt(np.maximum(s[:, None]**2 + b * b - 2 * b * s[:, None] * np.cos(phi), 0))
    return (ws * s * thickness(A, s, n)) @ (thickness(B, other, n) @ (2 * wphi))


def photons(emitter, target, energy, ys, n):
    A, B = NUCLEI[emitter], NUCLEI[target]
    sigma = (28.84 + 0.0458 * np.log(energy**2)**2.374) / 10  # fm^2
    inside = max(A[1], B[1])
    touch = A[1] + B[1]
    b, w = panels([inside, max(inside + 0.5, touch - 2), touch + 2, touch + 6, touch + 14, 60, 400,
                   4000, 40000], n)
    P = np.array([np.exp(-sigma * overlap(A, B, v, n)) if v < touch + 18 else 1 for v in b])
    for y in ys:
        v = y * NUCLEON * b / HBAR_C
        K1 = np.array([float(mpmath.besselk(1, t)) for t in v])
        yield 2 * CHARGE[emitter]**2 * ALPHA / np.pi * w @ (v * v * K1 * K1 * P / b)


with open("survival.ref", "w", encoding="ascii") as out:
    out.write("# mpmath %s, numpy %s; python3 make_survival.py; columns emitter target energy y "
              "y*dN/dy\n" % (mpmath.__version__, np.__version__))
    for emitter, target, energy in CASES:
        ys = [1e-4, 1e-3, 1e-2, 3e-2] if energy > 1000 else [1e-2, 3e-2, 1e-1]
        coarse, fine = (list(photons(emitter, target, energy, ys, n)) for n in (16, 32))
        for y, a, b in zip(ys, coarse, fine):
            assert abs(a / b - 1) < 1e-7, (emitter, target, y, a, b)
            out.write("%s %s %g %g %.7e\n" % (emitter, target, energy, y, b))

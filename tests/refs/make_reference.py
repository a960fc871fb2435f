#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""G and H of generator/node/reference.h for MV dipoles.   python3 make_reference.py > reference.ref

For three colours:   python3 make_reference.py 3 > reference_colours.ref
The cross section:   python3 make_reference.py twists > reference_twists.ref

Adaptive quadrature up to the third zero of the Bessel function, then extrapolated sums between
zeros; derivatives of Gamma by mpmath's numerical differentiation.  A minute.
"""
import sys

import mpmath
from mpmath import mp, mpf

mp.dps = 40
SETS = {"mv": ("0.104", 1, 1), "mve": ("0.060", 1, "18.9"), "mvgamma": ("0.1586", "1.129", 1)}
MOMENTA = ("0.05", "0.5", "1.5", "4", "25")


def transform(name, q, order, c=1):
    Qs0sq, gamma, ec = map(mpf, SETS[name])
    Lambda, q = mpf("0.241"), mpf(q)

    def Gamma(r):
        return (r * r * Qs0sq) ** gamma / 4 * mp.log(1 / (r * Lambda) + ec * mp.e)

    def integrand(b):
        g, first, second = Gamma(b), mp.diff(Gamma, b), mp.diff(Gamma, b, 2)
        w = -mp.expm1(-2 * c * g) / (2 * c * g)
        sum_or_difference = second + first / b if order == 0 else second - first / b
        return 2 * mp.pi * b * mp.besselj(order, q * b) * w * sum_or_difference

    def zero(n):
        return mp.besseljzero(order, int(n)) / q

    edge = zero(3)
    near = [edge / 1e8, edge / 1e6, edge / 1e4, edge / 1e3, edge / 1e2, edge / 30]
    head = mp.quad(integrand, [0] + near + [edge * i / 12 for i in range(1, 13)])
    tail = mp.quadosc(integrand, [edge, mp.inf], zeros=lambda n: zero(n + 3))
    return (head + tail).real * (1 if order == 0 else -1)


def amplitude(psi, K, q):
    """Int_{-1/2}^{1/2} ds of the gradient of psi at K + s (q,0): its components along q, across."""
    # panels that are short where the path passes the origin
    width = abs(K[1]) + mpf("0.1")
    ends = sorted({-mpf(1) / 2, mpf(1) / 2, *(
        s for n in range(-40, 41) for s in [(width * mp.sinh(mpf(n) / 4) - K[0]) / q]
        if abs(s) < mpf(1) / 2)})
    return [mp.quad(lambda s, d=d: mp.diff(psi, (K[0] + s * q, K[1]), d), ends)
            for d in ((1, 0), (0, 1))]


def twists(q, k1, theta, eps, G, H):
    """I_T and I_L of the correlation limit, by integration over s."""
    K = (k1 * mp.cos(theta) - q / 2, k1 * mp.sin(theta))

    def squares(*psis):
        parts = [amplitude(psi, K, q) for psi in psis]
        return [sum(part[d]**2 for part in parts) for d in (0, 1)]
    T = squares(lambda x, y: x / (x * x + y * y + eps**2),
                lambda x, y: y / (x * x + y * y + eps**2))
    L = squares(lambda x, y: 1 / (x * x + y * y + eps**2))
    weight = (4 * mp.pi**2 * (G + H) / 2, 4 * mp.pi**2 * (G - H) / 2)
    return sum(w * t for w, t in zip(weight, T)) / eps**2, sum(w * t for w, t in zip(weight, L))


def print_twists():
    print("# columns: q k1 theta eps G H (GeV) I_T I_L")
    for q in ("1e-4", "0.3", "2", "12"):
        for k1, theta in (("0", "0"), ("0.7", "0.01"), ("2", "1.2"), ("6", "3.1"), ("24", "1.5")):
            for eps in ("0.1", "1.5", "0.7"):
                at = [mpf(v) for v in (q, k1, theta, eps, "0.7", "0.4")]
                if at[1] == 0 and at[0] > 1:
                    at[2] = mpf("0.5")
                print(*(mp.nstr(v, 17) for v in (*at, *twists(*at))))
                sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["twists"]:
        mp.dps = 30
        print(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_reference.py twists")
        print_twists()
        sys.exit()
    mp.dps = 25
    print(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_reference.py")
    print("# columns: set q (GeV) G H")
    c = 1
    if sys.argv[1:]:
        Nc = int(sys.argv[1])
        c = mpf(Nc * Nc) / (Nc * Nc - 1)
        SETS = {"mve": SETS["mve"]}
        MOMENTA = ("0.1", "0.6", "1", "1.5", "2", "3", "5")
    for name in SETS:
        for q in MOMENTA:
            print(name, q, *(mp.nstr(transform(name, q, m, c), 17) for m in (0, 2)))
            sys.stdout.flush()

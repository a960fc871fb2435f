#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gluon distributions of forward dijets, of MV dipoles.

    python3 make_forward_tmd.py > forward_tmd.ref

As they are defined, in r, for infinitely many colours, up to where S is 1e-40:
F_qg1 and F_gg1 from the Laplacian of S, F_gg2 from its gradient, F_qg2 and
F_gg6 from S^n w (Gamma'' + Gamma'/r), all derivatives numerical.  A minute.
"""
import sys

import mpmath
from mpmath import mp, mpf

from make_reference import SETS

RULE = mpmath.calculus.quadrature.GaussLegendre(mp).calc_nodes(4, 80)  # 24 nodes
MOMENTA = ("0.05", "0.5", "1.5", "4", "25")


def distributions(name, q):
    Qs0sq, gamma, ec = map(mpf, SETS[name])
    Lambda, q = mpf("0.241"), mpf(q)

    def Gamma(r):
        return (r * r * Qs0sq) ** gamma / 4 * mp.log(1 / (r * Lambda) + ec * mp.e)

    def integrands(r):
        def S(x):
            return mp.exp(-Gamma(x))

        g, first, second = Gamma(r), mp.diff(Gamma, r), mp.diff(Gamma, r, 2)
        slope, laplacian = mp.diff(S, r), mp.diff(S, r, 2) + mp.diff(S, r) / r
        tensor = -mp.expm1(-2 * g) / (2 * g) * (second + first / r)
        return [-laplacian, S(r) * tensor, -S(r) * laplacian, slope**2, S(r) ** 2 * tensor]

    end = mpf(1)
    while Gamma(end) < 92:
        end *= mpf("1.1")
    places, step = [mpf(10) ** -i for i in (9, 6, 4, 3, 2, 1)], min(3 / q, mpf(1))
    while places[-1] < end:
        places.append(places[-1] + step)
    total = [mpf(0)] * 5
    for low, high in zip(places, places[1:]):
        for x, weight in RULE:
            r = (low + high) / 2 + (high - low) / 2 * x
            factor = mp.pi * (high - low) * weight * r * mp.besselj(0, q * r)
            total = [t + factor * v for t, v in zip(total, integrands(r))]
    return total


if __name__ == "__main__":
    mp.dps = 20
    print(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_forward_tmd.py")
    print("# columns: set q (GeV) F_qg1 F_qg2 F_gg1 F_gg2 F_gg6")
    for name in ("mv", "mve"):
        for q in MOMENTA:
            print(name, q, *(mp.nstr(v, 15) for v in distributions(name, q)))
            sys.stdout.flush()

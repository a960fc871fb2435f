#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""G, H for three colours and the transform of S, of MV dipoles.   python3 make_tmd.py > tmd.ref

S(q) = 2 pi Int r dr J_0(q r) S(r) as it stands, up to where S is 1e-40; G and H
as in make_reference.py, with w = (1 - 1/Nc^2) (1 - S^p)/(2 Gamma), p = 2/(1 - 1/Nc^2).  Minutes.
"""
import sys

import mpmath
from mpmath import mp, mpf

from make_reference import SETS

MOMENTA = ("0.05", "0.5", "1.5", "4", "25")
SHARE = 1 - mpf(1) / 9


def transforms(name, q):
    Qs0sq, gamma, ec = map(mpf, SETS[name])
    Lambda, q = mpf("0.241"), mpf(q)

    def Gamma(r):
        return (r * r * Qs0sq) ** gamma / 4 * mp.log(1 / (r * Lambda) + ec * mp.e)

    def tensor(order):
        def integrand(b):
            g, first, second = Gamma(b), mp.diff(Gamma, b), mp.diff(Gamma, b, 2)
            w = -SHARE * mp.expm1(-2 * g / SHARE) / (2 * g)
            sum_or_difference = second + first / b if order == 0 else second - first / b
            return 2 * mp.pi * b * mp.besselj(order, q * b) * w * sum_or_difference

        def zero(n):
            return mp.besseljzero(order, int(n)) / q

        edge = zero(3)
        near = [edge / mpf(s) for s in ("1e8", "1e6", "1e4", "1e3", "1e2", "30")]
        head = mp.quad(integrand, [0] + near + [edge * i / 12 for i in range(1, 13)])
        tail = mp.quadosc(integrand, [edge, mp.inf], zeros=lambda n: zero(n + 3))
        return (head + tail).real * (1 if order == 0 else -1)

    end = mpf(1)
    while Gamma(end) < 92:
        end *= mpf("1.1")
    places, step = [mpf(0)] + [mpf(10) ** -i for i in range(6, 0, -1)], min(1 / q, mpf(1)) * 2
    while places[-1] < end:
        places.append(places[-1] + step)
    S = 2 * mp.pi * mp.quad(lambda r: r * mp.besselj(0, q * r) * mp.exp(-Gamma(r)), places)
    return tensor(0), tensor(2), S


if __name__ == "__main__":
    mp.dps = 25
    print(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_tmd.py")
    print("# columns: set q (GeV) G H (Nc = 3) S(q) (GeV^-2)")
    for name in ("mv", "mve"):
        for q in MOMENTA:
            print(name, q, *(mp.nstr(v, 17) for v in transforms(name, q)))
            sys.stdout.flush()

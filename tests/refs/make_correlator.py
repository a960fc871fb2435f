#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""S4 and its singlet part for correlator.h.   python3 make_correlator.py > correlator.ref

Four Wilson lines: quark 1 and antiquark 2 of the amplitude, 4 and 3 of its conjugate, where a quark
counts as an antiquark.  Their average is exp(M), M = Sum_{i<j} Gamma_ij T_i.T_j/C_F, on the two
colour singlets |a> = d12 d34 and |b> = d14 d32, by Fierz's identity.  S4 = <b|e^M|a>/Nc - e^-a, and
its singlet part is <a|e^M|a>/Nc^2 - e^-a.
"""
import random

import mpmath
from mpmath import mp, mpf

mp.dps = 90


def exponent(Nc, a, b, k):
    """M on (|a>, |b>); a = G12 + G34, b = G14 + G23, k = G13 + G24."""
    one = mpmath.eye(2)
    contract_a = mpmath.matrix([[Nc, 1], [0, 0]])
    contract_b = mpmath.matrix([[0, 0], [1, Nc]])
    swap = mpmath.matrix([[0, 1], [1, 0]])
    casimir = (Nc * Nc - 1) / (2 * Nc)
    return (k * (swap - one / Nc) - a * (contract_a - one / Nc) - b * (contract_b - one / Nc)) / (
        2 * casimir
    )


def parts(Nc, a, b, k):
    column = mpmath.expm(exponent(Nc, a, b, k), method="taylor") * mpmath.matrix([1, 0])
    all_of_it = column[0] + Nc * column[1] - mp.exp(-a)  # <b|a> = Nc, <b|b> = Nc^2
    return all_of_it, column[0] + column[1] / Nc - mp.exp(-a)


def triangles():
    """Sides a, b and Y = k - b, all doubles."""
    rng = random.Random(11)
    for exponent10 in (-8, -4, -2, -1, 0, 0.5, 1, 1.5, 2, 2.5):
        for _ in range(4):
            a, b = (10 ** (exponent10 + rng.uniform(-1, 0.2)) for _ in range(2))
            yield a, b, rng.uniform(abs(a - b), a + b) - b
        yield a, a, 0.3 * a
        yield a, a * (1 + 2**-30), -1e-9 * a
        yield a, 0.5 * a, 1e-12 * a
        yield 0.5 * a, a, 1e-12 * a
        yield a, 1e-3 * a, a * (1 - 1e-3 + 1e-9)
        yield 1e-3 * a, a, -1e-3 * a
        yield a, a, -a
        yield a, a, a
        yield a, 0.0, a
        yield 0.0, a, 0.0


if __name__ == "__main__":
    print(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_correlator.py")
    print("# columns: Nc a b k-b S4 singlet")
    for Nc in (2, 3, 5):
        for a, b, Y in triangles():
            mp.dps = 90 + int(a + b)
            values = parts(mpf(Nc), mpf(a), mpf(b), mpf(b) + mpf(Y))
            text = [mp.nstr(value, 17) if Y else "0" for value in values]
            print(Nc, repr(a), repr(b), repr(Y), *text)

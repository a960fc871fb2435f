#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""T of q -> qg as published programs compute it: Vegas in six dimensions.

    python3 vegas_forward.py [BIN]

The GBW dipole with Qs = 1 GeV, k1 = 2, k2 = 1.5 GeV, angle 2.6, z = 0.5, and eps = 0.5 GeV as
regulator.  C_qg is eps^2 times the integral of psi_T(r).psi_T(r') S4 S(|b|) over r, b and
b' = b + r - r', the rest of T is closed (METHOD.md 12).  Prints for each number of evaluations T,
its error and the seconds of one thread; then, where the folder BIN of the programs is given, what
`cgctab-generate point` finds, its bound and its seconds.  Needs the packages numpy, scipy, vegas.
"""
import math
import os
import subprocess
import sys
import time

import gvar
import numpy as np
import vegas
from scipy.special import j1 as bessel_j1
from scipy.special import k1 as bessel_k1

EPS, Z = 0.5, 0.5
K1 = np.array([2.0, 0.0])
K2 = 1.5 * np.array([math.cos(2.6), math.sin(2.6)])
LONGEST_R, LONGEST_B = 36, 12  # 1/GeV: e^-18 of K1, e^-36 of S


def squared(v):
    return (v * v).sum(axis=-1)


@vegas.rbatchintegrand
def integrand(at):
    """of |r|, |b|, |b'| and their angles, (6, n), with the measure"""
    length, angle = at[:3], at[3:]
    vector = length[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    r, b, bp = vector
    rp = r - (bp - b)
    r2, rp2 = squared(r), np.maximum(squared(rp), 1e-20)
    wave = bessel_k1(EPS * length[0]) * bessel_k1(EPS * np.sqrt(rp2)) * (r * rp).sum(axis=-1)
    wave /= length[0] * np.sqrt(rp2)
    A, B = -(r2 + rp2) / 4, -(squared(b) + squared(bp)) / 4
    N = -(squared(r + b) + squared(b - rp)) / 4 - B
    difference = np.where(A == B, 1e-12, A - B)
    W = np.exp(np.maximum(A, B)) * -np.expm1(-np.abs(difference)) / np.abs(difference)
    phase = np.cos((bp - b) @ K2 + b @ (K1 + K2))
    return -EPS**2 * N * W * np.exp(-squared(b) / 4) * wave * phase * length.prod(axis=0)


def closed():
    """F(q) |p(P) + G(k2)|^2; G of GBW from its integral over u"""
    P, q, k2 = (1 - Z) * K1 - Z * K2, K1 + K2, math.hypot(*K2)
    u = (np.arange(200000) + 0.5) * 1e-4
    wave = EPS * u * bessel_k1(EPS * u)
    G = 2 * math.pi * 1e-4 * (bessel_j1(k2 * u) * wave * np.exp(-u * u / 4)).sum()
    sum_ = 2 * math.pi * P / (P @ P + EPS**2) + G * K2 / k2
    return 4 * math.pi * math.exp(-(q @ q)) * (sum_ @ sum_)


def main():
    rest = closed()
    print(f"# closed part {rest:.7f}; evaluations, T, error, seconds of the processor")
    for calls in (10**4, 10**5, 10**6, 10**7):
        begun = time.process_time()
        full = 2 * math.pi
        v = vegas.Integrator([[0, LONGEST_R]] + 2 * [[0, LONGEST_B]] + 3 * [[0, full]])
        gvar.ranseed(1)
        v(integrand, nitn=5, neval=calls)
        result = v(integrand, nitn=10, neval=calls)
        print(f"{15 * calls:10d} {result.mean + rest:10.5f} {result.sdev:9.5f} "
              f"{time.process_time() - begun:8.1f}", flush=True)
    if len(sys.argv) < 2:
        return
    command = ("point --dipole gbw --x 3.04e-4 --process qg --eps 0.5 --dps none --z 0.5 "
               "--k1 2 --k2 1.5 --angle 2.6")
    before = os.times()
    out = subprocess.run([sys.argv[1] + "/cgctab-generate"] + command.split(), check=True,
                         capture_output=True, text=True).stdout
    after = os.times()
    row = out.splitlines()[-1].split()
    print(f"cgctab-generate {command}\n# T, bound, C, seconds of the processor: {row[5]} {row[6]} "
          f"{row[8]} {after.children_user - before.children_user:.1f}")


main()

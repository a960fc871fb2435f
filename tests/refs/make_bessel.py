#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bessel_J.ref and bessel_K.ref.   python3 make_bessel.py   (seconds)"""
import math
import random
import mpmath as mp

mp.mp.dps = 40
random.seed(20)


def head(out, what, columns):
    out.write("# mpmath %s, %d digits; python3 make_bessel.py; %s; columns %s\n"
              % (mp.__version__, mp.mp.dps, what, columns))


def text(v):
    return mp.nstr(v, 20, min_fixed=0, max_fixed=0)


pts = [(0.0, 0), (0.0, 1), (1e-300, 0), (1e-200, 1), (1e-100, 2), (1e-12, 3), (1e9, 0),
       (1e9, 300)]
for m in (0, 1, 2, 3, 10, 31, 64, 128, 250, 512, 600):
    for f in (0.01, 0.3, 0.9, 0.99, 1.0, 1.01, 1.1, 2, 7):  # the turning point
        pts.append((max(m, 1) * f, m))
    for lo, hi in ((-2, 1.38), (1.38, 1.42), (1.42, 3), (3, 6)):  # 10^1.4 = 25 parts the methods
        pts.append((10 ** random.uniform(lo, hi), m))
for k in range(1, 40, 3):  # beside zeros of J0
    pts.append((float(mp.besseljzero(0, k)), 0))
with open("bessel_J.ref", "w") as out:
    head(out, "J_m(x), besselj", "x m value")
    for x, m in pts:
        out.write("%.17g %d %s\n" % (x, m, text(mp.besselj(m, mp.mpf(x)))))
xs = [10 ** (-12 + 12 * i / 120) for i in range(120)]
xs += [10 ** (2.845 * i / 120) for i in range(121)]
xs += [math.nextafter(1, 0), 1.0, math.nextafter(1, 2), 1e-300, 1e-100, 700.0, 704.9]
with open("bessel_K.ref", "w") as out:
    head(out, "K0(x), K1(x), besselk", "x K0 K1")
    for x in sorted(xs):
        k0, k1 = mp.besselk(0, mp.mpf(x)), mp.besselk(1, mp.mpf(x))
        out.write("%.17g %s %s\n" % (x, text(k0), text(k1)))

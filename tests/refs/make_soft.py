#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft radiation of a gluon that comes in and two jets that go out, outside of both.

python3 make_soft.py > soft.ref

Per d2k dy the gluon is radiated with alpha_s/(2 pi^2 k^2) { Nc/2 (L1 + L2) - D/(2 Nc) }, from the
eikonal factors 2 a.b/(a.k b.k) of the incoming gluon with each jet and of both jets, times k^2/2:
    L = e^y/(cosh y - cos phi)
    D = (1 + cosh dy)/[(cosh(y-dy/2) - cos phi)(cosh(y+dy/2) + cos phi)]
y and phi from the jet (L), from the middle (D); y rises to the incoming gluon, and dy = ln z/(1-z).
Each L is cut off at Y_i, whose sum is 2 ln((P^2+eps^2)/(P k)) - ln z(1-z): the logarithm of k is Nc
ln P/k, and what is left of modes 0, 2 and 4 of {...}/2 at eps = 0 is written, for circles (y, phi)
of radius Rj around both jets."""
import mpmath as mp

mp.mp.dps = 20
NC, CF, FAR = 3, mp.mpf(4) / 3, 60


def jets(dy):
    return [(dy / 2, mp.mpf(0)), (-dy / 2, mp.pi)]


def gaps(phi, dy, radius, last):
    """Intervals of y outside of the circles, up to last."""
    cuts = sorted((y - mp.sqrt(radius**2 - (phi - at)**2), y + mp.sqrt(radius**2 - (phi - at)**2))
                  for y, at in jets(dy) if abs(phi - at) < radius)
    edges = [-FAR] + [v for cut in cuts for v in cut] + [last]
    return list(zip(edges[::2], edges[1::2]))


def leg(phi, jet, dy, radius):
    """Int dy L - 2 Y: the primitive is ln(w^2 - 2 w c + 1) + 2 (c/s) atan((w-c)/s), w = e^y."""
    y0, at = jets(dy)[jet]
    c, s = mp.cos(phi - at), abs(mp.sin(phi - at))

    def primitive(y):
        w = mp.exp(y - y0)
        return mp.log(w * w - 2 * w * c + 1) + 2 * c / s * mp.atan((w - c) / s)

    return sum(primitive(b) - primitive(a) for a, b in gaps(phi, dy, radius, FAR)) - 2 * (FAR - y0)


def dipole(phi, dy, radius):
    c = mp.cos(phi)

    def f(y):
        return (1 + mp.cosh(dy)) / ((mp.cosh(y - dy / 2) - c) * (mp.cosh(y + dy / 2) + c))

    total = mp.mpf(0)
    for a, b in gaps(phi, dy, radius, FAR):
        inner = sorted({v for v in (-dy / 2, dy / 2, mp.mpf(0)) if a < v < b})
        edges = [a] + ([inner[0] - 3] if inner and inner[0] - 3 > a else []) + inner
        edges += ([inner[-1] + 3] if inner and inner[-1] + 3 < b else []) + [b]
        total += mp.quad(f, edges)
    return total


def braces(phi, dy, radius):
    legs = leg(phi, 0, dy, radius) + leg(phi, 1, dy, radius)
    return (mp.mpf(NC) / 2 * legs - dipole(phi, dy, radius) / (2 * NC)) / 2


def modes(dy, radius):
    half = [mp.mpf(0), radius / 2]
    while half[-1] < mp.pi / 4:
        half.append(2 * half[-1])
    edges = half + [mp.pi / 2] + [mp.pi - v for v in reversed(half)]
    nodes = mp.calculus.quadrature.GaussLegendre(mp.mp).get_nodes(-1, 1, 3, 53)
    out = [mp.mpf(0)] * 3
    for a, b in zip(edges, edges[1:]):
        for x, w in nodes:
            # phi = a + (b-a) t^2 (3 - 2t) takes away the root at the edge of a circle
            t = (1 + x) / 2
            phi, weight = a + (b - a) * t * t * (3 - 2 * t), 3 * (b - a) * t * (1 - t) * w
            value = braces(phi, dy, radius) * weight / mp.pi
            for i in range(3):
                out[i] += value * mp.cos(2 * i * phi)
    out[0] += mp.mpf(NC) / 2 * mp.log(2 + 2 * mp.cosh(dy))
    return out


print("# mpmath %s, 20 digits; python3 make_soft.py; columns Rj dy B C2 C4" % mp.__version__)
for radius in ("0.05", "0.1", "0.4", "1"):
    for dy in ("0", "1", "2", "4"):
        print(radius, dy, *(mp.nstr(v, 9) for v in modes(mp.mpf(dy), mp.mpf(radius))), flush=True)

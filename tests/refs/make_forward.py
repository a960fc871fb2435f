#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward dijets of the GBW dipole, Qs = 1 GeV.   python3 make_forward.py > forward.ref

For S = exp(-a r^2) the correlator is 2 a r.r' Int_0^1 dxi exp[-xi a (r^2 + r'^2) - (1-xi) a (b^2 +
(Delta+b)^2)], times exp(-a b^2) (qg) or exp[-a b^2 - a (Delta+b)^2] (gg), and K_0 and K_1 are
integrals of Gaussians over t and t': C is an integral over xi, ln t and ln t' of derivatives, with
respect to a coupling c of r.r', of Gaussian integrals over r, r' and b.  Sums of doubles; every
number is made twice, with other steps, and the largest difference is the last column.  eps = 0: of
q qbar, with Lambda = 1 GeV.
"""
import numpy as np

A = 0.25
POWERS = {"qg": (1, 0), "gg": (1, 1)}  # of S(b) and S(Delta+b)
POINTS = (("0.5", "2", "1.5", "2.6"), ("0.3", "1.2", "2.5", "2.9"), ("0.7", "0.8", "0.5", "1"))


def vectors(z, k1, k2, angle):
    k1, k2 = np.array([k1, 0]), k2 * np.array([np.cos(angle), np.sin(angle)])
    return k1, k2, (1 - z) * k1 - z * k2, k1 + k2


def correlator(process, eps, k, q, step, nodes):
    """eps^2 I_T and eps^2 I_L at q and k, the momentum of Delta."""
    lnt = np.arange(-24, 4.2, step)
    t = np.exp(lnt)
    x, w = np.polynomial.legendre.leggauss(nodes)
    xi, w = (1 + x) / 2, w / 2
    n0, n1 = POWERS[process]
    T, T1, X = np.meshgrid(t, t, xi, indexing="ij")
    # the form -v M v/2, v = (r, r', b), Delta + b = r - r' + b
    far, near = 2 * A * (1 - X + n1), 2 * A * (1 - X + n0)
    M = np.zeros(T.shape + (3, 3))
    M[..., 0, 0] = eps**2 / (2 * T) + 2 * A * X + far
    M[..., 1, 1] = eps**2 / (2 * T1) + 2 * A * X + far
    M[..., 2, 2] = near + far
    M[..., 0, 1] = M[..., 1, 0] = -far
    M[..., 0, 2] = M[..., 2, 0] = far
    M[..., 1, 2] = M[..., 2, 1] = -far
    N = np.linalg.inv(M)
    E = np.zeros((3, 3))
    E[0, 1] = E[1, 0] = 1
    NE = N @ E
    NENE = NE @ NE
    p = np.array([k, -k, q])  # (3, 2): phases of r, r', b
    power = sum(p[:, i] @ (N @ p[:, i])[..., None] for i in (0, 1))[..., 0]
    one = sum(p[:, i] @ (NE @ N @ p[:, i])[..., None] for i in (0, 1))[..., 0]
    two = sum(p[:, i] @ (NENE @ N @ p[:, i])[..., None] for i in (0, 1))[..., 0]
    Z = (2 * np.pi) ** 3 / np.linalg.det(M) * np.exp(-power / 2)
    first = np.trace(NE, axis1=-2, axis2=-1) - one / 2
    second = np.trace(NENE, axis1=-2, axis2=-1) - two
    measure = step**2 * np.exp(-T - T1) / 4 * w * 2 * A
    trans = measure * (eps**2 / (2 * T)) * (eps**2 / (2 * T1)) * Z * (first**2 + second)
    return trans.sum(), eps**2 * (measure * Z * first).sum()


def F(n, k2):
    return np.pi / (n * A) * np.exp(-k2 / (4 * n * A))


def gluon(eps, k):
    """2 pi Int du J_1(k u) S(u) eps u K_1(eps u), K_1 as an integral over t."""
    if eps == 0:
        return 2 * np.pi * -np.expm1(-k * k / (4 * A)) / k
    t = np.exp(np.arange(-34, 4.2, 0.15))
    b = A + eps**2 / (4 * t)
    wave = np.exp(-t) * eps**2 / (2 * t) * k / (4 * b**2) * np.exp(-k * k / (4 * b))
    return np.pi * 0.15 * wave.sum()


def flip(eps, k):
    """2 pi Int u du J_0(k u) S(u) eps K_0(eps u), K_0 as an integral over t."""
    t = np.exp(np.arange(-34, 4.2, 0.15))
    b = A + eps**2 / (4 * t)
    return np.pi * eps * 0.15 * (np.exp(-t - k * k / (4 * b)) / (2 * b)).sum()


def closed_longitudinal(eps, z, k1, k2, angle):
    """The same as closed of qg with longitudinal wave functions."""
    k1, k2, P, q = vectors(z, k1, k2, angle)
    return F(1, q @ q) * (2 * np.pi * eps / (P @ P + eps**2) - flip(eps, np.hypot(*k2))) ** 2


def closed(channel, eps, z, k1, k2, angle, n):
    """What is left beside C, or all of q qbar without its logarithm."""
    k1, k2, P, q = vectors(z, k1, k2, angle)
    bare = lambda v: 2 * np.pi * v / (v @ v + eps**2)
    if channel == "qg":
        size = np.hypot(*k2)
        both = bare(P) + gluon(eps, size) * k2 / size
        return F(1, q @ q) * (both @ both)
    # polar coordinates about l = k2; trapezoidal in the angle, Gauss-Legendre in ln of the length
    s, w = np.polynomial.legendre.leggauss(n)
    ends = np.log([1e-9, 1e-4, 1e-2, 0.2, 0.6, 1.2, 2, 3, 4.5, 6, 9, 14])
    total = 0
    for lo, hi in zip(ends, ends[1:]):
        for x, weight in zip(lo + (hi - lo) * (1 + s) / 2, w * (hi - lo) / 2):
            size = np.exp(x)
            phi = 2 * np.pi * np.arange(4 * n) / (4 * n)
            l = size * np.array([np.cos(phi), np.sin(phi)])
            FF = F(1, ((k2[:, None] - l) ** 2).sum(0))
            FF = FF * F(1, ((k1[:, None] + l) ** 2).sum(0))
            g = gluon(eps, size) if channel == "gg" else 2 * np.pi * size / (size**2 + eps**2)
            amplitude = ((bare(P)[:, None] + g * l / size) ** 2).sum(0)
            total += weight * size**2 * (FF * amplitude).mean() / (2 * np.pi)
    if channel == "qqb" and eps == 0:
        # the integral begins at 1e-9; the logarithm that is taken off ends at 2 exp(-gamma_E)
        D = 2 * np.pi * F(1, k1 @ k1) * F(1, k2 @ k2)
        total -= D * (np.log(2 / 1e-9) - np.euler_gamma)
    return total


if __name__ == "__main__":
    print(f"# numpy {np.__version__}, doubles; python3 make_forward.py")
    print("# columns: channel eps z k1 k2 angle "
          "closed closed_L C_T C_L (GeV^-4) largest difference")
    for channel in ("qg", "gg", "qqb"):
        for eps in (0.5, 0) if channel == "qqb" else (0.5,):
            for words in POINTS:
                z, k1, k2, angle = map(float, words)
                _, second, _, q = vectors(z, k1, k2, angle)
                numbers = []
                for step, nodes, n in ((0.3, 24, 24), (0.26, 30, 30)):
                    C = (0, 0)
                    if channel != "qqb":
                        C = correlator(channel, eps, second, q, step, nodes)
                    long = 0
                    if channel == "qg":
                        long = closed_longitudinal(eps, z, k1, k2, angle)
                    numbers.append((closed(channel, eps, z, k1, k2, angle, n), long, *C))
                error = max(abs(a - b) / max(abs(b), 1e-30) for a, b in zip(*numbers))
                print(channel, eps, *words, *(f"{v:.12g}" for v in numbers[1]), f"{error:.1e}")

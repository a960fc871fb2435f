#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two readings of soft gluons in the correlation limit with all kinematic twists:

    P fixed    I_S(q,P) = Int d2l W(q-l;P) I_ref(l,P)
    final q    the hard factor at (q,P) times gluon distributions F and h that W smears

    soft_readings.py TABLE X EPS P      with the module cgctab and NumPy; a table from q = 0.05 on

I_ref = (2 pi)^2 [(G+H)/2 |A_par|^2 + (G-H)/2 |A_perp|^2], where A_j is the derivative d_j of the
wave function, averaged over K + s q, -1/2 < s < 1/2 (METHOD.md 7.5).  Gluons are isotropic."""
import sys

import numpy as np

import cgctab

path, x, eps, P = sys.argv[1], *map(float, sys.argv[2:5])
table = cgctab.Table(path)
soft = table.soft(x, eps, "jets:isotropic")
s, ws = np.polynomial.legendre.leggauss(32)


def hard(q, phi):
    """|A_par|^2 and |A_perp|^2, along q and across, of T and L: (2, 2) and the shape of phi."""
    at_0 = P * np.array([np.cos(phi), np.sin(phi)])[..., None]
    p = at_0 + np.array([q, 0 * q])[..., None] * s / 2
    D = (p**2).sum(axis=0) + eps**2
    out = []
    for j in range(2):
        L = ((-2 * p[j] / D**2) @ ws / 2)**2
        T = sum(((float(i == j) / D - 2 * p[i] * p[j] / D**2) @ ws / 2)**2 for i in range(2))
        out.append([T / eps**2, L])
    return np.array(out)


def reference(q, phi):
    """I_ref of T and L: (2,) and the shape."""
    k1 = np.hypot(P * np.cos(phi) + q / 2, P * np.sin(phi))
    theta = np.arctan2(P * np.sin(phi), P * np.cos(phi) + q / 2)
    return np.moveaxis(table.reference(x, eps, q, k1, theta), -1, 0)


# F = (G+H)/2, (G-H)/2 at many l, from angles where one of A is zero, times (2 pi)^2
lo, hi = table.ranges["q"]
ln_l = np.linspace(np.log(lo), np.log(hi), 200)
l_grid = np.exp(ln_l)
plus = reference(l_grid, 0 * l_grid)[1] / hard(l_grid, 0 * l_grid)[0][1]
minus = reference(l_grid, 0 * l_grid + np.pi / 2)[1] / hard(l_grid, 0 * l_grid + np.pi / 2)[1][1]
check = hard(l_grid, 0 * l_grid + 0.7)
check = (plus * check[0] + minus * check[1]) / reference(l_grid, 0 * l_grid + 0.7) - 1
print("# decomposition of I_ref: %.1e" % abs(check[:, l_grid < P]).max())

# d2l from lo/50 on; below the first q: G + H and G - H approach their mean
l = np.exp(np.linspace(np.log(lo / 50), np.log(hi), 160))
angle = 2 * np.pi * (np.arange(96) + 0.5) / 96
area = np.outer(l**2 * np.log(l[1] / l[0]), np.full(96, 2 * np.pi / 96))
G = np.interp(np.log(l), ln_l, (plus + minus) / 2)
H = np.interp(np.log(l), ln_l, (plus - minus) / 2) * np.minimum(l / lo, 1)**2
ln_k = np.linspace(np.log(1e-3), np.log(4 * P + hi), 500)
ln_W = np.log([max(soft.kernel(P, k, 0.0), 1e-300) for k in np.exp(ln_k)])

phi = np.pi * (np.arange(16) + 0.5) / 16
print("# q (GeV), then for T and for L: mean with final q over that with P fixed, v_2 of both")
l_phi = hard(np.repeat(l, 16), np.tile(phi, len(l))).reshape(2, 2, len(l), 16)
I_modes = [((G + H)[:, None] * l_phi[0] + (G - H)[:, None] * l_phi[1]) * np.cos(2 * m * phi)
           for m in range(2)]
I_modes = [m.mean(axis=-1) for m in I_modes]  # (T and L, l)
for q in (0.5, 1.0, 2.0, 3.0, 5.0):
    k = np.hypot(q - np.outer(l, np.cos(angle)), np.outer(l, np.sin(angle)))
    W = np.exp(np.interp(np.log(np.maximum(k, 1e-3)), ln_k, ln_W)) * area
    W0, W2 = W.sum(axis=1), (W * np.cos(2 * angle)).sum(axis=1)
    fixed = [I_modes[0] @ W0, I_modes[1] @ W2]
    A = hard(np.full(16, q), phi)
    final = (W0 @ G + W2 @ H) * A[0] + (W0 @ G - W2 @ H) * A[1]
    row = []
    for pol in range(2):
        row += [final[pol].mean() / fixed[0][pol], fixed[1][pol] / fixed[0][pol],
                (final[pol] * np.cos(2 * phi)).mean() / final[pol].mean()]
    print("%.1f" % q, *("%.4f" % v for v in row))

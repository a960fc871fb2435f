# SPDX-License-Identifier: MIT
"""v2.py TABLE [PNG]: v_2 of dijets against q, as columns and picture; GUIDE.md explains it."""
import sys
import numpy as np
import cgctab

Q2, y, z, K, s = 4, 0.6, 0.5, 3, 4 * 18 * 275      # GeV^2, 1, 1, GeV, GeV^2
q = np.linspace(0.5, 5, 46)                        # GeV
phi = np.pi * (np.arange(32) + 0.5) / 32           # angle(K,q); -phi gives the same
table = cgctab.Table(sys.argv[1], negative="keep")
x, _, qs, k1, theta = cgctab.dis_point(Q2, y, z, K, phi, q[:, None], s)
parts = table.dsigma_members(x, z, Q2, qs, k1, theta, S_perp=1) * cgctab.dis_fluxes(y, Q2)
sigma = np.concatenate([parts, parts.sum(axis=-1, keepdims=True)], axis=-1)
v2 = np.einsum("qamp,a->qpm", sigma, np.cos(2 * phi)) / np.einsum("qamp->qpm", sigma)
bands = table.uncertainty_of(v2)                   # (q, (T, L, both), (central, low, high))
np.savetxt(sys.stdout, np.c_[q, bands.reshape(len(q), 9)], "%.2f" + 9 * " %9.6f",
           header="q (GeV), then v_2 of T, of L and of both: central value, low, high")

if len(sys.argv) > 2:
    from matplotlib import pyplot
    figure, (above, below) = pyplot.subplots(2, sharex=True, layout="constrained")
    for i, name in enumerate(("T", "L", "both")):
        central, low, high = bands[:, i].T
        above.plot(q, central, label=name)
        above.fill_between(q, low, high, alpha=0.4)
        below.fill_between(q, low - central, high - central, alpha=0.4)
    above.set(ylabel=r"$v_2 = \langle\cos 2\phi\rangle$")
    above.set_title(fr"$\sqrt{{s}}$ = {s**0.5:.0f} GeV, $Q^2$ = {Q2} GeV$^2$, y = {y}, z = {z}, "
                    f"K = {K} GeV", fontsize="medium")
    above.legend(frameon=False)
    below.set(xlabel="q (GeV)", ylabel="band less central value")
    figure.savefig(sys.argv[2])

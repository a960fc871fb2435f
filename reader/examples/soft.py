#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws dijets back to back, without and with soft gluons, for events of cgctab-events --csv:
dN/dDelta phi of the pair and v_2 = <cos 2 phi> against q, phi = angle(P,q), P = k1 - q/2.

    soft.py [--P 4:6,6:10] [-o soft.png] NAME=FILE.csv ...

Files of the same NAME share a colour; those with soft gluons are drawn as solid lines, those
without as dashed ones.  It prints the columns, too."""
import argparse
import sys

import numpy as np

Q_EDGES = np.array([0.1, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5])  # GeV
D_EDGES = np.linspace(np.pi - 1.2, np.pi, 25)


def read(path):
    """Whether there are soft gluons; k1, k2 as (2, n) and q, with q along the first axis."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = (line for line in file if not line.startswith("#"))
        names = next(lines).strip().split(",")
        columns = [names.index(name) for name in ("q", "k1", "theta")]
        q, k1, theta = np.loadtxt(lines, delimiter=",", usecols=columns, unpack=True)
    one = k1 * np.array([np.cos(theta), np.sin(theta)])
    return "gluons" in names, one, np.array([q, 0 * q]) - one, q


def harmonics(one, two, q, P_range):
    """dN/dDelta phi over all events in the range of P, and v_2 in bins of q with its error."""
    P = (one - two) / 2
    length = np.hypot(*P)
    chosen = (length > P_range[0]) & (length < P_range[1])
    delta = np.abs(np.arctan2(one[0] * two[1] - one[1] * two[0], (one * two).sum(axis=0)))
    number, _ = np.histogram(delta[chosen], D_EDGES)
    cos2 = 2 * (P[0] / length)**2 - 1
    which = np.digitize(q, Q_EDGES) - 1
    v2 = []
    for i in range(len(Q_EDGES) - 1):
        values = cos2[chosen & (which == i)]
        n = max(len(values), 1)
        v2.append((values.mean() if len(values) else np.nan, values.std() / n**0.5, len(values)))
    return number / chosen.sum() / np.diff(D_EDGES), np.array(v2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="NAME=FILE.csv")
    parser.add_argument("--P", default="4:6,6:10", help="ranges of P in GeV")
    parser.add_argument("-o", metavar="PICTURE")
    options = parser.parse_args()
    ranges = [tuple(map(float, r.split(":"))) for r in options.P.split(",")]
    files = [f.split("=", 1) for f in options.files]
    names = list(dict.fromkeys(name for name, _ in files))
    d, q = (D_EDGES[1:] + D_EDGES[:-1]) / 2, (Q_EDGES[1:] + Q_EDGES[:-1]) / 2
    if options.o:
        from matplotlib.figure import Figure
        figure = Figure(figsize=(9, 7), layout="constrained")
        axes = figure.subplots(2, len(ranges), squeeze=False, sharey="row")
    for name, path in files:
        soft, *event = read(path)
        for column, P_range in enumerate(ranges):
            number, v2 = harmonics(*event, P_range)
            what = f"{name}, {'with' if soft else 'without'} soft gluons"
            print(f"# {what}, P = {P_range[0]:g} to {P_range[1]:g} GeV: Delta phi, dN/dDelta phi")
            for row in zip(d, number):
                print("%.4f %.5f" % row)
            print("# q (GeV), v_2, its error, events")
            for row in zip(q, *v2.T):
                print("%.2f %.4f %.4f %d" % row)
            if options.o:
                style = {"color": f"C{names.index(name)}", "ls": "-" if soft else "--"}
                axes[0][column].step(d, number, where="mid", label=what, **style)
                axes[1][column].errorbar(q, v2[:, 0], v2[:, 1], label=what, **style)
                axes[0][column].set(xlabel=r"$\Delta\phi$", yscale="log",
                                    title=f"P = {P_range[0]:g} to {P_range[1]:g} GeV")
                axes[1][column].set(xlabel="q (GeV)")
    if options.o:
        axes[0][0].set(ylabel=r"$1/N\ dN/d\Delta\phi$")
        axes[1][0].set(ylabel=r"$v_2 = \langle\cos 2\phi\rangle$")
        axes[0][0].legend(frameon=False, fontsize="small")
        figure.savefig(options.o)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit("soft.py: %s" % error)

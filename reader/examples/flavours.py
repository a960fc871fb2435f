# SPDX-License-Identifier: MIT
"""flavours.py PNG EVENTS.csv...: the share of charm among dijets of cgctab-events, and v_2 of light
quarks and of charm, against q.  A file's name is its label.

    pip install matplotlib numpy
    cgctab-events proton --beams 18x275 --Q2 1:100 --y 0.5:0.95 --q 0.5:3 --K 3:8 \
        --flavours u,d,s,c --csv --no-weights -n 4000000 -o electroproduction.csv
"""
import os
import sys
import numpy as np
from matplotlib import pyplot

EDGES = np.array([0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3])  # GeV
CHARM, LEAST = 4, 100  # flavour; events of a point


def read(path):
    """q (GeV), phi (rad) and flavour of each event."""
    with open(path, encoding="utf-8") as file:
        lines = (line for line in file if not line.startswith("#"))
        names = next(lines).strip().split(",")
        columns = [names.index(name) for name in ("q", "phi", "flavour")]
        return np.loadtxt(lines, delimiter=",", usecols=columns, unpack=True)


def mean(q, of):
    """Mean of `of` in bins of q, with its statistical error, where there are enough events."""
    n, total, square = (np.histogram(q, EDGES, weights=w)[0] for w in (None, of, of * of))
    n = np.where(n < LEAST, np.nan, n)
    return total / n, np.sqrt((square / n - (total / n) ** 2) / n)


def main(png, *paths):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
    middle = (EDGES[1:] + EDGES[:-1]) / 2
    for i, path in enumerate(paths):
        q, phi, flavour = read(path)
        name = os.path.splitext(os.path.basename(path))[0]
        style = {"fmt": "o-" if i == 0 else "s--", "ms": 4, "lw": 1, "mfc": "none" if i else None}
        heavy = flavour == CHARM
        share, error = mean(q, heavy.astype(float))
        left.errorbar(middle, share, error, color="C3", **style)
        print(name, "share of charm", *("%.3f" % v for v in share))
        for kind, chosen, color in (("u, d, s", ~heavy, "C0"), ("c", heavy, "C3")):
            v2, error = mean(q[chosen], np.cos(2 * phi[chosen]))
            right.errorbar(middle, v2, error, color=color, label=f"{kind}, {name}", **style)
            print(name, kind, "v_2", *("%.3f(%.0f)" % (v, 1000 * e) for v, e in zip(v2, error)))
    left.axhline(0.4, color="0.6", lw=0.8)
    left.text(0.1, 0.405, "2/5, for equal masses", color="0.4")
    left.set(xlabel="q (GeV)", ylabel="share of charm", xlim=(0, None), ylim=(0, 0.44))
    right.axhline(0, color="0.6", lw=0.8)
    right.set(xlabel="q (GeV)", ylabel=r"$v_2 = \langle\cos 2\phi\rangle$", xlim=(0, None))
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    figure.savefig(png, dpi=90)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit("flavours.py: %s" % error)

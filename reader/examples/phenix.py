#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares pairs of forward pions in d+Au with PHENIX: J, the yield of pairs over that of p+p for
each collision of two nucleons.

    pip install pythia8mc numpy matplotlib
    phenix.py --classes
    phenix.py proton.lhe 0-20=gold-0-20.lhe 20-40=gold-20-40.lhe -o phenix.png

A class of centrality stands at one impact parameter, where 2 sigma A T(b) is the mean number of
collisions that PHENIX gives for it (--classes prints them; T is of the Woods-Saxon nucleus that
cgctab-generate uses).  Events of gold are per area: cgctab-events --S-perp 1.  Then

    J(b) = (d sigma_pair/d2b) / (A T(b) sigma_pair of the proton).

Both pions are at 3 < eta < 3.8 and back to back, |delta phi - pi| < pi/2.  Pions of all charges are
counted.  The edges of the bins in pT are chosen around the measured means.  Events are showered
and hadronised by forward.py.
"""
import argparse
import math
import os
import sys

import numpy

FOLDER = os.path.dirname(os.path.abspath(__file__))
ETA = 3.0, 3.8
A, SIGMA, HBARC = 197, 4.2, 0.1973269804  # sigma inelastic at 200 GeV, fm^2; GeV fm
COLLISIONS = {"0-20": 15.1, "20-40": 10.2, "40-60": 6.6, "60-88": 3.2}
TRIGGERS = {1.25: (1, 1.5), 1.75: (1.5, 2), 2.53: (2, 5)}  # GeV, by the mean of the data
ASSOCIATES = {0.625: (0.5, 0.75), 0.875: (0.75, 1), 1.25: (1, 1.5)}
BINS = [(t, a) for t in TRIGGERS for a in ASSOCIATES]


def thickness(b):
    """A T(b), nucleons per fm^2."""
    R, d = 1.12 * A ** (1 / 3) - 0.86 * A ** (-1 / 3), 0.54
    step = 0.005
    r = numpy.arange(step / 2, 30, step)

    def density(r):
        return 1 / (1 + numpy.exp((r - R) / d))
    norm = A / (4 * math.pi * numpy.sum(r * r * density(r)) * step)
    return 2 * norm * numpy.sum(density(numpy.hypot(b, r))) * step


def impact(collisions):
    """The b (fm) where a deuteron has so many collisions."""
    low, high = 0.0, 15.0
    for _ in range(50):
        b = (low + high) / 2
        low, high = (b, high) if 2 * SIGMA * thickness(b) > collisions else (low, b)
    return low


def measured():
    """{(class, trigger, associate): (x, J, error low, error high)}"""
    rows = {}
    with open(os.path.join(FOLDER, "phenix_jda.dat"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, *numbers = line.split()
            t, a, x, J, stat, low, high, common = map(float, numbers)
            rows[name, t, a] = x, J, *(math.hypot(stat, e, common * J) for e in (low, high))
    return rows


def cross_section(path):
    """Of a Les Houches file, pb."""
    import forward
    with forward.open_text(path) as file:
        for line in file:
            if line.strip() == "<init>":
                next(file)
                return float(next(file).split()[0])
    sys.exit("phenix.py: %s has no <init>" % path)


def pairs_of(path, seed):
    """Cross sections of pairs in the bins, pb, and their relative statistical errors."""
    import forward
    count, events = numpy.zeros(len(BINS)), 0
    for event in forward.hadron_events(path, seed):
        events += 1
        pions = [(p.pT(), p.phi()) for p in event
                 if p.id() in forward.PIONS and ETA[0] < p.eta() < ETA[1]]
        for i, (t, a) in enumerate(BINS):
            for pT, phi in pions:
                if not TRIGGERS[t][0] < pT < TRIGGERS[t][1]:
                    continue
                count[i] += sum(ASSOCIATES[a][0] < other < min(ASSOCIATES[a][1], pT) and
                                math.cos(phi - phi2) < 0 for other, phi2 in pions)
    return cross_section(path) * count / events, 1 / numpy.sqrt(numpy.maximum(count, 1))


def draw(path, rows):
    from matplotlib.figure import Figure
    classes = list(dict.fromkeys(row[0] for row in rows))
    figure = Figure(figsize=(3 * len(classes), 3.6), dpi=100, layout="tight")
    axes = figure.subplots(1, len(classes), sharey=True, squeeze=False)[0]
    for ax, name in zip(axes, classes):
        for i, t in enumerate(TRIGGERS):
            own = [row for row in rows if row[:2] == (name, t)]
            x = numpy.array([row[2] for row in own]) * (1 + 0.06 * (i - 1))
            ax.errorbar(x, [row[4] for row in own], [[row[5] for row in own],
                        [row[6] for row in own]], fmt="os^"[i], color="k", mfc="w", ms=4, lw=0.8,
                        label="PHENIX, trigger of %g GeV" % t)
            ax.errorbar(x * 1.02, [row[7] for row in own], [row[8] for row in own],
                        fmt="os^"[i], color="C%d" % i, ms=4, label="cgctab, %g GeV" % t)
        ax.set_title("%s%%, b = %.2f fm" % (name, impact(COLLISIONS[name])), fontsize=9)
        ax.set_xlabel("pT of the associate (GeV)")
        ax.axhline(1, color="0.7", lw=0.8)
    axes[0].set_ylabel("J")
    axes[-1].set_ylim(0, 1.6)
    axes[0].legend(frameon=False, fontsize=7)
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("proton", nargs="?", help="events of the proton")
    parser.add_argument("gold", nargs="*", metavar="CLASS=EVENTS")
    parser.add_argument("--classes", action="store_true",
                        help="print the impact parameter of each class")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", metavar="PICTURE")
    args = parser.parse_args()
    if args.classes:
        for name, collisions in COLLISIONS.items():
            print("%s: %.1f collisions, b = %.3f fm" % (name, collisions, impact(collisions)))
        return
    classes = [text.partition("=")[::2] for text in args.gold]
    unknown = [name for name, file in classes if name not in COLLISIONS or not file]
    if not classes or unknown:
        parser.error("want PROTON CLASS=EVENTS..., CLASS one of %s" % ", ".join(COLLISIONS))
    proton, proton_error = pairs_of(args.proton, args.seed)
    data, rows = measured(), []
    print("| class (%) | trigger, associate (GeV) | x | J measured | J |\n|---|---|---|---|---|")
    for name, file in classes:
        gold, gold_error = pairs_of(file, args.seed)
        # the events are per GeV^-2 of the target's area
        per_area = gold / HBARC ** 2 / (COLLISIONS[name] / (2 * SIGMA))
        for i, (t, a) in enumerate(BINS):
            J = per_area[i] / proton[i] if proton[i] else math.nan
            row = (name, t, a, *data[name, t, a], J, J * math.hypot(gold_error[i],
                                                                    proton_error[i]))
            rows.append(row)
            print("| %s | %g, %g | %.3g | %.3g - %.2g + %.2g | %.3g +- %.2g |" % row)
    if args.o:
        draw(args.o, rows)


if __name__ == "__main__":
    try:
        main()
    except (OSError, EOFError) as error:  # EOFError: of a compressed file that was cut
        sys.exit("phenix.py: %s" % error)

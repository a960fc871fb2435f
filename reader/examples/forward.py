#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Showers and hadronises forward dijets of cgctab-events --process pa with Pythia 8, and prints the
azimuthal correlation of pairs of neutral pions, C: pairs per trigger in each bin of delta phi, and
the Gaussian peaks at 0 and pi on a pedestal that fit it.  Pions of all charges are counted,
and a third of the pairs: neutral ones are a third of all, and there are few of them.

    pip install pythia8mc numpy matplotlib
    forward.py events.lhe --eta 2.5:4 --trigger 2 --associate 1 > pairs.csv
    forward.py proton.lhe gold.lhe --eta 2.6:4 --trigger 1.5:2 --associate 1:1.5 -o forward.png

The target's gluon of a Les Houches event carries the transverse momentum q of the dijet, which the
shower does not expect of an incoming parton.  Here the shower begins in the frame where q is 0, of
which the Lorentz transformation that leaves E + pz alone returns.  The target's remnants then take
-q, and those of the projectile the little E + pz which that needs.  One nucleon stands for each
beam; what else of the nucleus breaks up is left out.
"""
import argparse
import gzip
import math
import os
import sys

import numpy
import pythia8mc

PROJECTILE, TARGET, GLUON, PAIR = 1, 2, 4, (5, 6)  # places in Pythia's record
REMNANT = 63  # Pythia's status of a parton that remains of a beam
PIONS = 111, 211, -211
BINS = 16

SETTINGS = """
Beams:frameType = 4
PartonLevel:MPI = off
PartonLevel:ISR = off            ! its transverse momenta are part of q
BeamRemnants:primordialKT = off
HadronLevel:all = off            ! called below, after q has returned
LesHouches:setQuarkMass = 0
Next:numberCount = 0
Print:quiet = on
"""


def plus(p):
    return p.e() + p.pz()


def minus(p):
    return p.e() - p.pz()


def lift(p, k):
    """The transverse momentum changes by k p+, p+ and the mass stay."""
    px, py = p.px() + k[0] * plus(p), p.py() + k[1] * plus(p)
    down = minus(p) + 2 * (k[0] * p.px() + k[1] * p.py()) + (k[0] ** 2 + k[1] ** 2) * plus(p)
    return pythia8mc.Vec4(px, py, (plus(p) - down) / 2, (plus(p) + down) / 2)


def sum_of(event, chosen):
    total = pythia8mc.Vec4()
    for i in chosen:
        total += event[i].p()
    return total


class Collinear(pythia8mc.UserHooks):
    """Takes q away before the shower begins."""

    def __init__(self):
        pythia8mc.UserHooks.__init__(self)
        self.q = 0, 0

    def canVetoProcessLevel(self):
        return True

    def doVetoProcessLevel(self, process):
        total = sum_of(process, PAIR)
        self.q = total.px(), total.py()
        for i in PAIR:
            process[i].p(lift(process[i].p(), [-v / plus(total) for v in self.q]))
        down = minus(sum_of(process, PAIR))
        process[GLUON].p(pythia8mc.Vec4(0, 0, -down / 2, down / 2))
        process[GLUON].m(0)
        return False


def return_q(event, q):
    """False where the beams have too little energy for it."""
    final = [i for i in range(3, event.size()) if event[i].isFinal()]
    remnants = [[i for i in final if event[i].status() == REMNANT and event[i].mother1() == beam]
                for beam in (PROJECTILE, TARGET)]
    scattered = [i for i in final if event[i].status() != REMNANT]
    k = [v / plus(sum_of(event, scattered)) for v in q]
    for i in scattered:
        event[i].p(lift(event[i].p(), k))
    ahead, behind = (sum_of(event, chosen) for chosen in remnants)
    rest = event[PROJECTILE].p() + event[TARGET].p() - sum_of(event, scattered)
    wanted = behind.m2Calc() + rest.pT2()

    def left(share):  # of E + pz and E - pz, where the projectile's remnants keep this share
        return plus(rest) - share * plus(ahead), minus(rest) - minus(ahead) / share

    low, high = 0.5, plus(rest) / plus(ahead)
    if left(low)[0] * left(low)[1] < wanted:
        return False
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.prod(left(middle)) > wanted else (low, middle)
    up, down = left(low)
    target = pythia8mc.Vec4(rest.px(), rest.py(), (up - down) / 2, (up + down) / 2)
    speed = (low * low - 1) / (low * low + 1)
    for i in remnants[0]:
        event[i].bst(0, 0, speed)
    change = pythia8mc.RotBstMatrix()
    change.bstback(behind)
    change.bst(target)
    for i in remnants[1]:
        event[i].rotbst(change)
    return True


def hadron_events(path, seed=1, settings=()):
    """Yields Pythia's record of each event."""
    pythia = pythia8mc.Pythia("", False)
    own = ["Beams:LHEF = " + path, "Random:setSeed = on", "Random:seed = %d" % seed]
    for line in SETTINGS.strip().splitlines() + own + list(settings):
        if not pythia.readString(line):
            sys.exit("forward.py: Pythia does not accept the setting '%s'" % line)
    hooks = Collinear()
    pythia.setUserHooksPtr(hooks)
    if not pythia.init():
        sys.exit("forward.py: Pythia cannot begin with %s" % path)
    while True:
        if pythia.next():
            if return_q(pythia.event, hooks.q) and pythia.forceHadronLevel():
                yield pythia.event
        elif pythia.infoPython().atEndOfFile():
            return


def count_pairs(path, args):
    """Of a file of events: how many there were, triggers, and pairs in bins of delta phi."""
    pairs, triggers, events = numpy.zeros(BINS), 0, 0
    for event in hadron_events(path, args.seed):
        events += 1
        pions = sorted(((p.pT(), p.phi()) for p in event if p.id() in PIONS and
                        args.eta[0] < p.eta() < args.eta[1] and p.pT() > args.associate[0]),
                       reverse=True)
        for i, (pT, phi) in enumerate(pions):
            if not args.trigger[0] < pT < args.trigger[1]:
                continue
            triggers += 1
            for other, phi2 in pions[i + 1:]:
                if other < args.associate[1]:
                    turn = (phi - phi2 + math.pi / 2) % (2 * math.pi)
                    pairs[int(turn / (2 * math.pi) * BINS) % BINS] += 1
    return events, triggers, pairs


def open_text(path):
    """A Les Houches file, also a compressed one."""
    return (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8")


def parton_width(path):
    """The root mean square of delta phi - pi of the two partons of each event, where it is below
    pi/2, and its statistical error."""
    with open_text(path) as file:
        rows = [words for words in map(str.split, file) if len(words) == 13 and words[1] == "1"]
    px, py = numpy.array([words[6:8] for words in rows], dtype=float).T
    phi = numpy.arctan2(py, px)
    turn = (phi[1::2] - phi[::2]) % (2 * math.pi) - math.pi
    squares = turn[abs(turn) < math.pi / 2]**2
    width = math.sqrt(squares.mean())
    return width, squares.std() / math.sqrt(len(squares)) / (2 * width)


def gauss(x, width):
    return numpy.exp(-0.5 * (x / width) ** 2) / (math.sqrt(2 * math.pi) * width)


def model(phi, near, away):
    """Columns whose sum is fitted: a pedestal, Gaussians around 0 and pi of these widths."""
    turn = [(phi - centre + math.pi) % (2 * math.pi) - math.pi for centre in (0, math.pi)]
    return numpy.stack([numpy.ones_like(phi), gauss(turn[0], near), gauss(turn[1], away)], axis=1)


def fit(phi, C, error):
    """The pedestal (per radian), the areas of the peaks at 0 and pi and their widths (radian) that
    fit C, with statistical errors: values, errors, chi^2."""
    rows = []
    for near in numpy.arange(0.2, 1.21, 0.05):
        for away in numpy.arange(0.2, 1.41, 0.01):
            design = model(phi, near, away) / error[:, None]
            covariance = numpy.linalg.inv(design.T @ design)
            best = covariance @ design.T @ (C / error)
            chi2 = sum((design @ best - C / error) ** 2)
            if best[0] < 0:  # there are no fewer than no pairs
                continue
            rows.append([*best, near, away, *numpy.diag(covariance), chi2])
    rows = numpy.array(rows)
    best = rows[rows[:, -1].argmin()]
    # one standard deviation: where chi^2 is at most one more, each with its error at these widths
    spread = numpy.ptp(rows[rows[:, -1] < best[-1] + 1, :5], axis=0) / 2
    return best[:5], numpy.hypot(spread, numpy.sqrt([*best[5:8], 0, 0])), best[-1]


def draw(path, curves):
    from matplotlib.figure import Figure
    figure = Figure(figsize=(6.4, 4.4), dpi=110, layout="tight")
    axes = figure.subplots()
    for i, (name, phi, C, error, values) in enumerate(curves):
        axes.errorbar(phi + 0.01 * (i - len(curves) / 2), C, error, fmt="o^sDvP"[i % 6],
                      ms=4, color="C%d" % i, label=name)
        x = numpy.linspace(-math.pi / 2, 3 * math.pi / 2, 200)
        axes.plot(x, model(x, *values[3:]) @ values[:3], "C%d" % i, lw=1)
    axes.set_xlabel("delta phi (rad)")
    axes.set_ylabel("C, pairs per trigger and radian")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    figure.savefig(path)


def limits(text):
    low, _, high = text.partition(":")
    return float(low), float(high or "inf")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("events", nargs="+")
    parser.add_argument("--eta", default="2.5:4", type=limits, metavar="LO:HI",
                        help="of both; %(default)s")
    parser.add_argument("--trigger", type=limits, default="2", metavar="LO[:HI]",
                        help="pT, GeV; %(default)s")
    parser.add_argument("--associate", type=limits, default="1", metavar="LO[:HI]",
                        help="pT of the other, below the trigger's; %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", metavar="PICTURE")
    args = parser.parse_args()
    width, curves = 2 * math.pi / BINS, []
    phi = (numpy.arange(BINS) + 0.5) * width - math.pi / 2
    for path in args.events:
        events, triggers, pairs = count_pairs(path, args)
        print("# %d events, %d triggers; delta phi, pairs a trigger and radian, statistical error" %
              (events, triggers))
        scale = 1 / (3 * width * max(triggers, 1))
        C, error = pairs * scale, numpy.sqrt(numpy.maximum(pairs, 1)) * scale
        for line in zip(phi, C, error):
            print("%.4f,%.6g,%.2g" % line)
        values, errors, chi2 = fit(phi, C, error)
        words = "pedestal", "area at 0", "area at pi", "width at 0", "width at pi"
        print("# %s: %s; chi^2 %.1f" % (os.path.basename(path), "; ".join(
            "%s %.4g +- %.2g" % each for each in zip(words, values, errors)), chi2))
        print("# %s: partons: width at pi, root mean square %.4f +- %.4f" %
              (os.path.basename(path), *parton_width(path)))
        curves.append((os.path.basename(path).rsplit(".", 1)[0], phi, C, error, values))
    if args.o:
        draw(args.o, curves)


if __name__ == "__main__":
    try:
        main()
    except (OSError, EOFError) as error:  # EOFError: of a compressed file that was cut
        sys.exit("forward.py: %s" % error)

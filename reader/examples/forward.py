#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Showers and hadronises forward dijets of cgctab-events --process pa with Pythia 8, and prints the
azimuthal correlation of pairs of neutral pions: pairs per trigger in each bin of delta phi.

    pip install pythia8mc
    forward.py events.lhe --eta 2.5:4 --trigger 2 --associate 1 > pairs.csv

The target's gluon of a Les Houches event carries the transverse momentum q of the dijet, which the
shower does not expect of an incoming parton.  Here the shower begins in the frame where q is 0, of
which the Lorentz transformation that leaves E + pz alone returns.  The target's remnants then take
-q, and those of the projectile the little E + pz which that needs.  One nucleon stands for each
beam; what else of the nucleus breaks up is left out.
"""
import argparse
import math
import sys

import pythia8mc

PROJECTILE, TARGET, GLUON, PAIR = 1, 2, 4, (5, 6)  # places in Pythia's record
REMNANT = 63  # Pythia's status of a parton that remains of a beam
PION = 111
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("events")
    parser.add_argument("--eta", default="2.5:4", metavar="LO:HI", help="of both; %(default)s")
    parser.add_argument("--trigger", type=float, default=2, help="least pT, GeV; %(default)s")
    parser.add_argument("--associate", type=float, default=1,
                        help="least pT of the other, below the trigger's; %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    eta = [float(v) for v in args.eta.split(":")]
    pairs, triggers, events = [0] * BINS, 0, 0
    for event in hadron_events(args.events, args.seed):
        events += 1
        pions = sorted(((p.pT(), p.phi()) for p in event if p.id() == PION and
                        eta[0] < p.eta() < eta[1] and p.pT() > args.associate), reverse=True)
        for i, (pT, phi) in enumerate(pions):
            if pT < args.trigger:
                break
            triggers += 1
            for _, other in pions[i + 1:]:
                turn = (phi - other + math.pi / 2) % (2 * math.pi)
                pairs[int(turn / (2 * math.pi) * BINS) % BINS] += 1
    print("# %d events, %d triggers; delta phi, pairs a trigger and radian, statistical error" %
          (events, triggers))
    width = 2 * math.pi / BINS
    for i, n in enumerate(pairs):
        scale = 1 / (width * max(triggers, 1))
        print("%.4f,%.6g,%.2g" % ((i + 0.5) * width - math.pi / 2, n * scale, n**0.5 * scale))


if __name__ == "__main__":
    main()

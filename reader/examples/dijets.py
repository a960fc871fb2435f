#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds dijets in events of cgctab-events and draws dN/dphi and v_2(q) of several levels.

    pip install fastjet matplotlib numpy pyhepmc pylhe
    dijets.py events.lhe shower.hepmc hadrons.hepmc --K 4:10 -o dijets.png

A level is a Les Houches file or a HepMC file of shower.py.  Jets are found with anti-kt, R = 1, in
the frame where photon and proton collide head-on; phi is the angle between the dijet's recoil q
and its relative momentum K = (1-z) k1 - z k2, folded into [0,pi/2] since the jets are not told
apart, and v_2 is the mean of cos(2 phi).  Where the events have weights of a table's members,
bands.py makes the band of them.

A least transverse momentum of both jets, --pt, itself shapes phi: with K and q fixed the softer jet
is softest where K lies along q, so that the cut takes these events away and v_2 becomes negative.
--K selects by the length of K, which leaves phi free.  With both options the picture shows both.
The events must have been made with a wider range of K, or a lower pt, than is selected here.
"""
import argparse
import os
import sys

import fastjet
import numpy as np
import pyhepmc
import pylhe
from matplotlib.figure import Figure

import bands

LEAST_SHARE = 0.05  # of the photon in a jet: jets of the proton's remnants have less


def from_lhe(path):
    """Events as (beams, electron, final hadronic momenta, weights); momenta as px, py, pz, E."""
    file = pylhe.LHEFile.fromfile(path)
    proton = file.init.initInfo.energyA
    for event in file.events:
        p = np.array([[v.px, v.py, v.pz, v.e] for v in event.particles])
        weights = {"": event.eventinfo.weight, **(event.weights or {})}
        yield (np.array([[0, 0, proton, proton], p[1]]), p[2], p[3:], weights)


def scattered_electron(event):
    """Follows the beam electron to the end."""
    particle = next(p for p in event.beams if p.pid == 11)
    while particle.end_vertex:
        particle = max((p for p in particle.end_vertex.particles_out if p.pid == 11),
                       key=lambda p: p.momentum.e)
    return particle


def from_hepmc(path):
    """The same from a file of shower.py."""
    with pyhepmc.open(path) as file:
        for event in file:
            electron = scattered_electron(event)
            all_of = event.numpy.particles
            p = np.stack([all_of.px, all_of.py, all_of.pz, all_of.e], axis=1)
            status, number = all_of.status, all_of.id
            beams = p[status == 4][np.argsort(all_of.pid[status == 4] == 11)]
            beams[0, 3] = abs(beams[0, 2])  # the tables' proton is massless, Pythia's is not
            final = p[(status == 1) & (number != electron.id)]
            weights = dict(zip(["", *event.run_info.weight_names[1:]], event.weights))
            yield beams, p[number == electron.id][0], final, weights


def product(a, b):
    return a[..., 3] * b[..., 3] - (a[..., :3] * b[..., :3]).sum(axis=-1)


def to_photon_frame(beams, electron, p):
    """Shares of the photon, of the proton, and transverse momenta of p, for a massless proton; and
    what these go with: a massless momentum along the photon, the proton's, two transverse units."""
    P, photon = beams[0], beams[1] - electron
    n = photon - product(photon, photon) / (2 * product(P, photon)) * P
    Pn = product(P, n)
    minus, plus = product(P, p) / Pn, product(n, p) / Pn
    across = p - np.outer(minus, n) - np.outer(plus, P)
    units = np.eye(4)[:2]  # along x and y, orthogonal to P; made orthogonal to n
    units = units - np.outer(product(units, n) / Pn, P)
    return minus, plus, -product(across[:, None], units[None]), (n, P, units)


def find_jets(event):
    """Transverse momenta of the two jets for which the smaller one is largest, and the first one's
    share z of both; None where there are no two."""
    beams, electron, p, _ = event
    minus, plus, across, (n, P, _) = to_photon_frame(beams, electron, p)
    half = np.sqrt(product(P, n) / 2)
    particles = [fastjet.PseudoJet(*(float(v) for v in (*t, half * (b - a), half * (a + b))))
                 for a, b, t in zip(minus, plus, across)]
    cluster = fastjet.ClusterSequence(particles, ANTI_KT)
    jets = [(j.px(), j.py(), (j.e() - j.pz()) / (2 * half))
            for j in fastjet.sorted_by_pt(cluster.inclusive_jets(0.1))]
    jets = [j for j in jets if j[2] > LEAST_SHARE]
    if len(jets) < 2:
        return None
    return np.array(jets[0][:2]), np.array(jets[1][:2]), jets[0][2] / (jets[0][2] + jets[1][2])


def find_dijet(event):
    """q, phi, K and the smaller transverse momentum of the two jets of find_jets, or None."""
    jets = find_jets(event)
    if not jets:
        return None
    k1, k2, z = jets
    q, K = k1 + k2, (1 - z) * k1 - z * k2
    phi = np.arctan2(abs(q[0] * K[1] - q[1] * K[0]), abs(q @ K))
    return np.hypot(*q), phi, np.hypot(*K), np.hypot(*k2)


ANTI_KT = fastjet.JetDefinition(fastjet.antikt_algorithm, 1.0)


class Dijets:
    """Arrays q, phi, K, pt (find_dijet) and weights by name, of the events of a file that have two
    jets, n of `events`."""

    def __init__(self, columns, weights, events):
        self.q, self.phi, self.K, self.pt = columns
        self.weights, self.events, self.n = weights, events, len(self.q)

    def where(self, chosen):
        return Dijets([v[chosen] for v in (self.q, self.phi, self.K, self.pt)],
                      {name: w[chosen] for name, w in self.weights.items()}, self.events)


def read_level(path, most):
    found, weights, n = [], {}, 0
    for event in (from_lhe if path.endswith((".lhe", ".lhe.gz")) else from_hepmc)(path):
        if n == most:
            break
        n += 1
        dijet = find_dijet(event)
        if not dijet:
            continue
        found.append(dijet)
        for name, value in event[3].items():
            weights.setdefault(name, []).append(value)
    return Dijets(np.array(found).reshape(-1, 4).T, {k: np.array(v) for k, v in weights.items()}, n)


def angles(dijets, w, edges):
    """dN/dphi over the number of dijets, and its statistical error."""
    n, square = (np.histogram(dijets.phi, edges, weights=v)[0] for v in (w, w * w))
    width = np.diff(edges) * w.sum()
    return n / width, np.sqrt(square) / width


def harmonics(dijets, w, edges):
    """v_2 in bins of q, and its statistical error; NaN where a bin has fewer than ten dijets."""
    bin_of = np.digitize(dijets.q, edges) - 1
    result = np.full((2, len(edges) - 1), np.nan)
    for i in range(len(edges) - 1):
        at = bin_of == i
        if at.sum() < 10:
            continue
        cosine, share = np.cos(2 * dijets.phi[at]), w[at] / w[at].sum()
        mean = share @ cosine
        result[:, i] = mean, np.sqrt((share**2) @ (cosine - mean) ** 2)
    return result


def draw(axis, edges, curves, of):
    """curves: (label, dijets, style of matplotlib) of each; of: angles or harmonics."""
    middle = (edges[1:] + edges[:-1]) / 2
    for label, dijets, style in curves:
        value, error = of(dijets, dijets.weights[""], edges)
        axis.errorbar(middle, value, error, ms=3, lw=1, label=label, **style)
        spread = bands.band({name: of(dijets, w, edges)[0]
                             for name, w in dijets.weights.items()})
        if spread is not None:
            axis.fill_between(middle, *spread, alpha=0.25, color=style["color"], lw=0)


def picture(path, curves, q_edges):
    phi_edges = np.linspace(0, np.pi / 2, 9)
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw(left, phi_edges, curves, angles)
    left.set(xlabel=r"$\phi$", ylabel=r"$(1/N)\,dN/d\phi$", xlim=(0, np.pi / 2), ylim=(0, None))
    draw(right, q_edges, curves, harmonics)
    right.set(xlabel=r"$q$ (GeV)", ylabel=r"$v_2 = \langle\cos 2\phi\rangle$")
    right.axhline(0, color="0.6", lw=0.8)
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=2,
                  frameon=False)
    figure.savefig(path, dpi=90)


def mean_v2(dijets):
    """v_2 at all q in words, with its statistical error and the band of the members."""
    edges = np.array([0, np.inf])
    v2 = {name: harmonics(dijets, w, edges)[:, 0] for name, w in dijets.weights.items()}
    spread = bands.band({name: value[0] for name, value in v2.items()})
    return "v2 %.4f +- %.4f" % tuple(v2[""]) + (
        "" if spread is None else ", members %.4f to %.4f" % tuple(spread))


def selections(options):
    """What to select: (text, function of Dijets, style)."""
    chosen = []
    if options.K:
        lo, hi = (float(v) for v in options.K.split(":"))
        chosen.append((", K %g to %g GeV" % (lo, hi), lambda d: (d.K >= lo) & (d.K <= hi),
                       {"fmt": "o-"}))
    if options.pt is not None or not options.K:
        pt = 1.5 if options.pt is None else options.pt
        chosen.append((", pt above %g GeV" % pt, lambda d: d.pt >= pt,
                       {"fmt": "s--", "mfc": "none"}))
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("levels", nargs="+", metavar="FILE", help="Les Houches or HepMC file")
    parser.add_argument("-o", required=True, metavar="PNG", help="the picture")
    parser.add_argument("--K", metavar="LO:HI", help="relative momentum of the jets in GeV")
    parser.add_argument("--pt", type=float, metavar="PT",
                        help="least of the jets' in GeV, which shapes phi; 1.5 without --K")
    parser.add_argument("-n", type=int, default=-1, help="events of each file; default: all")
    parser.add_argument("--q", default="1,1.5,2,2.5,3,4,5,7", help="edges of bins in GeV")
    options = parser.parse_args()
    edges, curves = np.array([float(v) for v in options.q.split(",")]), []
    for i, path in enumerate(options.levels):
        level = read_level(path, options.n)
        name = os.path.splitext(os.path.basename(path))[0]
        for text, choose, style in selections(options):
            dijets = level.where(choose(level))
            if not dijets.n:
                sys.exit("dijets.py: no dijets in %s%s" % (path, text))
            print("%s%s: %d events, %d dijets, %s"
                  % (name, text, dijets.events, dijets.n, mean_v2(dijets)))
            curves.append((name + text, dijets, {**style, "color": "C%d" % i}))
    picture(options.o, curves, edges)


if __name__ == "__main__":
    try:
        main()
    except (OSError, EOFError) as error:  # EOFError: of a compressed file that was cut
        sys.exit("dijets.py: %s" % error)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds dijets in events of cgctab-events and draws dN/dphi and v_2(q) of several levels.

    pip install fastjet matplotlib numpy pyhepmc pylhe
    dijets.py events.lhe shower.hepmc hadrons.hepmc -o dijets.png

A level is a Les Houches file or a HepMC file of shower.py.  Jets are found with anti-kt, R = 1, in
the frame where photon and proton collide head-on; phi is the angle between the dijet's recoil q
and its relative momentum K = (1-z) k1 - z k2, folded into [0,pi/2] since the jets are not told
apart, and v_2 is the mean of cos(2 phi).  Where the events have weights of a table's members, the
band spans the results with each of them.
"""
import argparse
import os
import sys

import fastjet
import matplotlib
import numpy as np
import pyhepmc
import pylhe

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

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
            beams = p[status == 4]
            beams = beams[np.argsort(-beams[:, 2])]
            beams[:, 3] = abs(beams[:, 2])
            final = p[(status == 1) & (number != electron.id)]
            names = [name for name in event.run_info.weight_names]
            weights = dict(zip(["", *names[1:]], event.weights))
            yield beams, p[number == electron.id][0], final, weights


def product(a, b):
    return a[..., 3] * b[..., 3] - (a[..., :3] * b[..., :3]).sum(axis=-1)


def to_photon_frame(beams, electron, p):
    """Shares of the photon, of the proton, and transverse momenta of p, for massless beams."""
    P, photon = beams[0], beams[1] - electron
    n = photon - product(photon, photon) / (2 * product(P, photon)) * P
    Pn = product(P, n)
    minus, plus = product(P, p) / Pn, product(n, p) / Pn
    across = p - np.outer(minus, n) - np.outer(plus, P)
    units = np.eye(4)[:2]  # along x and y, orthogonal to P; made orthogonal to n
    units = units - np.outer(product(units, n) / Pn, P)
    return minus, plus, -product(across[:, None], units[None]), Pn


def find_dijet(event, least):
    """q and phi of the two jets of largest transverse momentum; None without two above least."""
    beams, electron, p, _ = event
    minus, plus, across, Pn = to_photon_frame(beams, electron, p)
    half = np.sqrt(Pn / 2)
    particles = [fastjet.PseudoJet(*(float(v) for v in (*t, half * (b - a), half * (a + b))))
                 for a, b, t in zip(minus, plus, across)]
    cluster = fastjet.ClusterSequence(particles, ANTI_KT)
    jets = [(j.px(), j.py(), (j.e() - j.pz()) / (2 * half))
            for j in fastjet.sorted_by_pt(cluster.inclusive_jets(least))]
    jets = [j for j in jets if j[2] > LEAST_SHARE]
    if len(jets) < 2:
        return None
    k1, k2 = np.array(jets[0][:2]), np.array(jets[1][:2])
    z = jets[0][2] / (jets[0][2] + jets[1][2])
    q, K = k1 + k2, (1 - z) * k1 - z * k2
    return np.hypot(*q), np.arctan2(abs(q[0] * K[1] - q[1] * K[0]), abs(q @ K))


ANTI_KT = fastjet.JetDefinition(fastjet.antikt_algorithm, 1.0)


def read_level(path, least, most):
    """Arrays q, phi and weights by name, of the events that have two jets; how many there were."""
    q, phi, weights, n = [], [], {}, 0
    for event in (from_lhe if path.endswith(".lhe") else from_hepmc)(path):
        if n == most:
            break
        n += 1
        found = find_dijet(event, least)
        if not found:
            continue
        q.append(found[0])
        phi.append(found[1])
        for name, value in event[3].items():
            weights.setdefault(name, []).append(value)
    return np.array(q), np.array(phi), {k: np.array(v) for k, v in weights.items()}, n


def angles(phi, w, edges):
    """dN/dphi over the number of dijets, and its statistical error."""
    n, square = np.histogram(phi, edges, weights=w)[0], np.histogram(phi, edges, weights=w * w)[0]
    width = np.diff(edges) * w.sum()
    return n / width, np.sqrt(square) / width


def harmonics(q, phi, w, edges):
    """v_2 in bins of q, and its statistical error; NaN where a bin has fewer than ten dijets."""
    bin_of = np.digitize(q, edges) - 1
    result = np.full((2, len(edges) - 1), np.nan)
    for i in range(len(edges) - 1):
        at = bin_of == i
        if at.sum() < 10:
            continue
        cosine, share = np.cos(2 * phi[at]), w[at] / w[at].sum()
        mean = share @ cosine
        result[:, i] = mean, np.sqrt((share**2) @ (cosine - mean) ** 2)
    return result


def band(level, of):
    """Smallest and largest result with the weights of members; None where there are none."""
    members = [w for name, w in level[2].items() if name.startswith("member_")]
    if not members:
        return None
    results = np.array([of(level, w)[0] for w in members])
    return results.min(axis=0), results.max(axis=0)


def draw(axis, edges, levels, of):
    middle = (edges[1:] + edges[:-1]) / 2
    for i, (name, level) in enumerate(levels.items()):
        value, error = of(level, level[2][""])
        axis.errorbar(middle, value, error, fmt="o-", ms=3, lw=1, color="C%d" % i, label=name)
        spread = band(level, of)
        if spread:
            axis.fill_between(middle, *spread, alpha=0.25, color="C%d" % i, lw=0)


def picture(path, levels, q_edges):
    phi_edges = np.linspace(0, np.pi / 2, 9)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    draw(left, phi_edges, levels, lambda level, w: angles(level[1], w, phi_edges))
    left.set(xlabel=r"$\phi$", ylabel=r"$(1/N)\,dN/d\phi$", xlim=(0, np.pi / 2), ylim=(0, None))
    draw(right, q_edges, levels, lambda level, w: harmonics(level[0], level[1], w, q_edges))
    right.set(xlabel=r"$q$ (GeV)", ylabel=r"$v_2 = \langle\cos 2\phi\rangle$")
    right.axhline(0, color="0.6", lw=0.8)
    right.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("levels", nargs="+", metavar="FILE", help="Les Houches or HepMC file")
    parser.add_argument("-o", required=True, metavar="PNG", help="the picture")
    parser.add_argument("--pt", type=float, default=1.5, help="least of the jets' in GeV; 1.5")
    parser.add_argument("-n", type=int, default=-1, help="events of each file; default: all")
    parser.add_argument("--q", default="1,1.5,2,2.5,3,4,5,7", help="edges of bins in GeV")
    options = parser.parse_args()
    edges = np.array([float(v) for v in options.q.split(",")])
    levels = {}
    for path in options.levels:
        level = read_level(path, options.pt, options.n)
        name = os.path.splitext(os.path.basename(path))[0]
        if not len(level[0]):
            sys.exit("dijets.py: no dijets in %s" % path)
        levels[name] = level
        v2 = harmonics(level[0], level[1], level[2][""], np.array([0, 1e9]))
        print("%-12s %d events, %d dijets, v2 %.4f +- %.4f"
              % (name, level[3], len(level[0]), v2[0, 0], v2[1, 0]))
    picture(options.o, levels, edges)


if __name__ == "__main__":
    main()

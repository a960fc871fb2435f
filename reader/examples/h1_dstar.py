#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""D* mesons with two jets in deep-inelastic scattering, beside what H1 measured (hep-ex/0701023).

    pip install fastjet matplotlib numpy pyhepmc pylhe pythia8mc
    E='--beams 27.5x920 --Q2 2:100 --y 0.05:0.7 --z 0.01:0.99 --K 2:25 --flavours c'
    cgctab-events proton $E -n 100000 -o charm.lhe
    cgctab-events proton $E --freeze --q 0.001:25 --soft hadrons -n 100000 -o soft.lhe
    h1_dstar.py charm.lhe soft.lhe -o h1.png

Pythia 8 makes hadrons of the events (shower.py), in which D* do not decay.  A D* of 1.5 < pT < 15
GeV, abs(eta) < 1.5, takes part as a particle in jets of the kT algorithm, R = 1, E_T scheme, in the
Breit frame: E_T > 3 GeV, the harder one > 4 GeV, -1 < eta < 2.5 in the laboratory.  Printed are the
shares of three bins of the angle between the two hardest jets in two bins of Q2, with the band of
the members (bands.py) and the result with half of the soft gluons' scale; and cross sections, which
are those of the events that there are.  Compare the cuts with the publication before a conclusion
is drawn.
"""
import argparse
import multiprocessing
import os
import re
import sys
import time

import numpy as np

import bands

HERE = os.path.dirname(os.path.abspath(__file__))
DSTAR, INVISIBLE = 413, (12, 14, 16)
SETTINGS = ("413:mayDecay = off",)
HALF = "soft_half_scale"  # a weight of events with soft gluons


def measured():
    """{(kind, Q2 low, high): (edges, rows of low, high, value, statistical, down, up)}"""
    found = {}
    with open(os.path.join(HERE, "h1_dstar.dat"), encoding="ascii") as file:
        for line in file:
            if line[0] != "#":
                kind, *row = line.split()
                numbers = [float(v) for v in row]
                found.setdefault((kind, *numbers[:2]), []).append(numbers[2:])
    return {key: (np.array([r[0] for r in rows] + [rows[-1][1]]), np.array(rows))
            for key, rows in found.items()}


def eta(p):
    return np.arctanh(p[2] / np.linalg.norm(p[:3]))


def find_jets(basis, share, up, across, Q, x):
    """E_T and angle of the jets in the Breit frame, hardest first.  There n, of the photon n - x P,
    has the energy Q/2 and P has Q/(2 x); particles are share n + up P and across.  basis: n, P and
    the two transverse unit vectors in the laboratory."""
    import fastjet
    minus, plus = share * Q / 2, up * Q / (2 * x)
    inputs = [fastjet.PseudoJet(*(float(v) for v in (*t, b - a, a + b)))
              for a, b, t in zip(minus, plus, across)]
    cluster = fastjet.ClusterSequence(
        inputs, fastjet.JetDefinition(fastjet.kt_algorithm, 1.0, fastjet.Et_scheme))
    n, P, units = basis
    found = []
    for j in fastjet.sorted_by_pt(cluster.inclusive_jets(3.0)):
        lab = ((j.e() - j.pz()) / Q * n + (j.e() + j.pz()) * x / Q * P
               + j.px() * units[0] + j.py() * units[1])
        if -1 < eta(lab) < 2.5:
            found.append((j.pt(), j.phi()))
    return found


def analyse(process, event, electron):
    """Rows (Q2, x, dphi in degrees, E_T of the harder jet), one for each D*."""
    import dijets
    import shower
    final = [i for i in range(event.size()) if event[i].isFinal() and i != electron
             and abs(event[i].id()) not in INVISIBLE]
    p = np.array([shower.momentum(event[i]) for i in final])
    stars = [v for i, v in zip(final, p) if abs(event[i].id()) == DSTAR]
    stars = [v for v in stars if 1.5 < np.hypot(*v[:2]) < 15 and abs(eta(v)) < 1.5]
    if not stars:
        return []
    beams = np.array([shower.momentum(process[i]) for i in (shower.PROTON, shower.ELECTRON)])
    beams[0, 3] = abs(beams[0, 2])
    scattered = np.array(shower.momentum(event[electron]))
    P, photon = beams[0], beams[1] - scattered
    Q2 = -dijets.product(photon, photon)
    x = Q2 / (2 * dijets.product(P, photon))
    share, up, across, basis = dijets.to_photon_frame(beams, scattered, p)
    jets = find_jets(basis, share, up, across, np.sqrt(Q2), x)
    if len(jets) < 2 or jets[0][0] < 4:
        return []
    dphi = abs((jets[0][1] - jets[1][1] + np.pi) % (2 * np.pi) - np.pi)
    return [(Q2, x, np.degrees(dphi), jets[0][0])] * len(stars)


def simulate(path):
    """Rows of all events and, for each row, the weights by name in nb."""
    os.dup2(2, 1)  # FastJet's banner
    import shower
    with shower.open_text(path) as file:
        head = file.read(1 << 16)
        events = head.count("<event>") + sum(line.startswith("<event>") for line in file)
    sigma = float(head[head.index("<init>"):].splitlines()[2].split()[0]) / 1000
    begin, n, rows, weights, by_name = time.time(), 0, [], [], {}
    for process, event, electron, by_name in shower.hadron_events(path, 1, SETTINGS):
        n += 1
        for row in analyse(process, event, electron):
            rows.append(row)
            weights.append(list(by_name.values()))
        if n % 1000 == 0:
            print("%s: %d of %d events, %.1f minutes left" % (
                path, n, events, (time.time() - begin) / n * (events - n) / 60), file=sys.stderr)
    weights = np.array(weights).reshape(-1, max(len(by_name), 1)).T * sigma / events
    outside = re.search(r"^# outside of the table ([0-9.]+)", head, re.M)
    return np.array(rows).reshape(-1, 4), dict(zip(by_name, weights)), outside and outside[1]


def compare(rows, weights, key, edges):
    """By weight: shares of the bins of dphi, or cross sections per width; and the error of the
    former with the events' own weight."""
    kind, low, high = key
    column = {"dphi": 2, "x": 1, "ET": 3}[kind]
    chosen = (rows[:, 0] > low) & (rows[:, 0] < high)
    at, of = rows[chosen, column], {}
    for name, w in weights.items():
        sums = np.histogram(at, edges, weights=w[chosen])[0]
        of[name] = sums / sums.sum() if kind == "dphi" else sums / np.diff(edges)
    n = np.histogram(at, edges)[0]
    with np.errstate(divide="ignore"):
        error = np.sqrt(1 / n - (1 / n.sum() if kind == "dphi" else 0))
    return of, of[""] * error


def picture(path, data, results):
    from matplotlib.figure import Figure
    figure = Figure(figsize=(14, 6), layout="constrained")
    axes = figure.subplots(2, 4, sharex="col", height_ratios=(2, 1))
    for (key, (edges, rows)), (top, low) in zip(data.items(), axes.T):
        value, error = in_shares(rows) if key[0] == "dphi" else rows[:, 2:4].T
        middle = (edges[1:] + edges[:-1]) / 2
        for axis, scale in ((top, 1), (low, value)):
            axis.errorbar(middle, value / scale, error / scale, fmt="ko", ms=3,
                          label="H1, statistical errors")
            for i, (name, by_key) in enumerate(results):
                of, made = by_key[key]
                axis.stairs(of[""] / scale, edges, color=f"C{i}", label=name, baseline=None)
                axis.errorbar(middle, of[""] / scale, made / scale, fmt="none", color=f"C{i}")
                spread = bands.band({k: v for k, v in of.items() if k})
                for bound in () if spread is None else [spread / scale]:
                    axis.fill_between(edges, *np.c_[bound, bound[:, -1]], step="post", lw=0,
                                      alpha=0.25, color=f"C{i}")
        top.set(title="Q2 %g to %g GeV$^2$" % key[1:], yscale="linear" if key[0] == "dphi" else
                "log", ylabel={"dphi": "share", "x": r"$d\sigma/dx$ (nb)",
                               "ET": r"$d\sigma/dE_T$ (nb/GeV)"}[key[0]])
        low.set(xlabel={"dphi": r"$\Delta\phi$ (degrees)", "x": "x", "ET": r"$E_T$ (GeV)"}[key[0]],
                ylabel="theory/data", xscale="log" if key[0] == "x" else "linear")
        top.legend(frameon=False, fontsize="x-small")
    figure.savefig(path, dpi=75)


def in_shares(rows):
    """Measured shares of the bins and their statistical errors."""
    each, error = ((rows[:, 1] - rows[:, 0]) * v for v in (rows[:, 2], rows[:, 3]))
    share, square = each / each.sum(), (error / each.sum())**2
    return share, np.sqrt((1 - 2 * share) * square + share**2 * square.sum())


def print_table(data, results):
    """Value +- statistical error of data and theory, with the band of the members in brackets."""
    heads, rows = ["Q2 (GeV^2)", "", "measured"], []
    for key, (edges, numbers) in data.items():
        for i, of_data in enumerate(zip(*(in_shares(numbers) if key[0] == "dphi"
                                          else numbers[:, 2:4].T))):
            rows.append(["%g to %g" % key[1:], "%s %g to %g" % (key[0], *edges[i:i + 2]),
                         "%.4g +- %.2g" % of_data])
            for name, by_key in results:
                of, made = by_key[key]
                spread = bands.band({k: v[i] for k, v in of.items() if k})
                heads.append(name)
                rows[-1].append("%.4g +- %.2g" % (of[""][i], made[i]) + (
                    "" if spread is None else " (%.4g to %.4g)" % tuple(spread)))
                if HALF in of:
                    heads.append(name + ", half of the scale")
                    rows[-1].append("%.4g" % of[HALF][i])
    heads = heads[:len(rows[0])]
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", nargs="+", metavar="LHE", help="charm of cgctab-events")
    parser.add_argument("-o", metavar="PICTURE")
    options = parser.parse_args()
    data, results = measured(), []
    with multiprocessing.Pool(os.cpu_count()) as pool:
        simulated = pool.map(simulate, options.events, chunksize=1)
    for path, (rows, weights, outside) in zip(options.events, simulated):
        name = os.path.splitext(os.path.basename(path))[0]
        if not len(rows):
            sys.exit("h1_dstar.py: %s: no D* with two jets" % path)
        print("%s: %d D* with two jets, %s of the events' cross section outside of the table"
              % (name, len(rows), outside or "an unknown share"))
        results.append((name, {key: compare(rows, weights, key, edges)
                               for key, (edges, _) in data.items()}))
    print_table(data, results)
    if options.o:
        picture(options.o, data, results)


if __name__ == "__main__":
    try:
        main()
    except (OSError, EOFError) as error:  # EOFError: of a compressed file that was cut
        sys.exit("h1_dstar.py: %s" % error)

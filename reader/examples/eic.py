#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Correlations of hadrons and of jets at an electron-ion collider, from two tables to one page.

    pip install fastjet matplotlib numpy pyhepmc pylhe pythia8mc
    eic.py --beams 18x110 --target gold.cgct --reference proton.cgct -o eic.html
    eic.py --beams 18x275 --target other.cgct --reference proton.cgct --soft hadrons -o eic.html
    eic.py --beams 18x110 --target gold.cgct --reference proton.cgct -o eic.html -- --Q2 1:3 --q 1:4

cgctab-events makes the events of target and reference; shower.py makes hadrons of them with
Pythia 8.  What follows -- are cuts for cgctab-events in place of the usual ones.  The page
has, in the frame where photon and proton collide head-on and of particles that the detector sees,

    C(dphi)  pairs of charged hadrons for each trigger, and the share of dijets (anti-kt, R = 1),
             against the angle between the two
    R_eA     pairs of the target for each nucleon over pairs of the reference
    v_2      <cos 2 phi>, phi the angle between q = k1 + k2 of the jets and K = (1-z) k1 - z k2,
             against q, and the same of the partons

with statistical errors of the events that were made, and those of the luminosity, where all that
is inside the acceptance is found.  Bands are those of members (bands.py) that are an uncertainty;
R_eA has one where both tables have members of the same names, which are taken together.
"""
import argparse
import html
import io
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import bands

CUTS = "--Q2 1:10 --y 0.6:0.95 --z 0.1:0.9 --q 0.5:5 --K 1.5:8 --flavours u,d,s,c"
INVISIBLE, NO_HADRONS = [12, 14, 16], [11, 13]
DPHI = np.linspace(0, np.pi, 13)
Q = np.array([0, 0.5, 1, 1.5, 2, 2.5, 3, 4])  # GeV


def ask(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit("eic.py: %s; make install puts the programs into PREFIX/bin" % error)
    if done.returncode:
        sys.exit("eic.py: " + (done.stderr.strip() or "%s: status %d" % (command[0],
                                                                         done.returncode)))
    return done.stdout


# ---- events ----

def find_hadrons(share, across, charged, options):
    """Angles of pairs of trigger and associate, and the number of triggers."""
    pT = np.hypot(*across.T)
    low, high = options.zh
    chosen = charged & (share > low) & (share < high) & (pT > options.associate)
    pT, angle = pT[chosen], np.arctan2(*across[chosen].T)
    triggers = np.flatnonzero(pT > options.trigger)
    dphi = [abs((angle[i] - angle[j] + np.pi) % (2 * np.pi) - np.pi)
            for i in triggers for j in np.flatnonzero(pT < pT[i])]
    return dphi, len(triggers)


def jets_row(event, options):
    """Angle between two jets, q, and cos 2 phi, or None: of jets that --pt and --K select."""
    import dijets
    jets = dijets.find_jets(event)
    if not jets or np.hypot(*jets[1]) < options.pt:
        return None
    k1, k2, z = jets
    q, K = k1 + k2, (1 - z) * k1 - z * k2
    if not options.K[0] < np.hypot(*K) < options.K[1]:
        return None
    dphi = abs(np.arctan2(k1[0] * k2[1] - k1[1] * k2[0], k1 @ k2))
    return dphi, np.hypot(*q), 2 * (q @ K)**2 / (q @ q) / (K @ K) - 1


def analyse(process, event, electron, options):
    """Rows of what is measured in an event of shower.py: {kind: [(numbers)]}."""
    import dijets
    import shower
    final = [i for i in range(event.size()) if event[i].isFinal() and i != electron]
    p = np.array([shower.momentum(event[i]) for i in final])
    code = np.array([abs(event[i].id()) for i in final])
    charged = np.array([event[i].charge() != 0 for i in final]) & ~np.isin(code, NO_HADRONS)
    length = np.linalg.norm(p[:, :3], axis=1)
    seen = (length > options.p_min) & (abs(np.arctanh(p[:, 2] / length)) < options.eta)
    seen &= ~np.isin(code, INVISIBLE)
    beams = np.array([shower.momentum(process[i]) for i in (shower.PROTON, shower.ELECTRON)])
    beams[0, 3] = abs(beams[0, 2])  # the tables' proton has no mass
    scattered = np.array(shower.momentum(event[electron]))
    share, _, across, _ = dijets.to_photon_frame(beams, scattered, p[seen])
    dphi, triggers = find_hadrons(share, across, charged[seen], options)
    partons = np.array([shower.momentum(process[i]) for i in (6, 7)])
    return {"pair": [(v,) for v in dphi], "trigger": [()] * triggers,
            "jets": [jets_row((beams, scattered, p[seen], None), options)],
            "partons": [jets_row((beams, scattered, partons, None), options)]}


def simulate(job):
    """Rows of all events with the number of the event in front, and the weights of members."""
    name, path, options = job
    os.dup2(2, 1)  # FastJet's banner
    import shower
    begin, n, weights = time.time(), 0, []
    found = {kind: [] for kind in ("pair", "trigger", "jets", "partons")}
    for process, event, electron, by_name in shower.hadron_events(path, options.seed):
        for kind, rows in analyse(process, event, electron, options).items():
            found[kind] += [(n, *row) for row in rows if row is not None]
        weights.append(list(by_name.values()))
        n += 1
        if n % 1000 == 0:
            left = (time.time() - begin) / n * (options.n - n)
            print("%s: %d of %d events, %.1f minutes left" % (name, n, options.n, left / 60),
                  file=sys.stderr, flush=True)
    return n, {k: np.array(v) for k, v in found.items()}, dict(zip(by_name, np.array(weights).T))


# ---- results: dictionaries of value, statistical errors of the events and of the luminosity, and
# of the values with each member's weight ----

class Sample:
    """A table's events: sigma in pb for each nucleon, rows by kind, weights by name."""

    def __init__(self, simulated, nucleons, sigma, options):
        self.n, self.rows, self.weights = simulated
        self.each = sigma / nucleons / options.n  # pb of an event
        self.worth = self.each * options.luminosity * 1000  # events measured for each one made

    def at(self, kind):
        return self.rows[kind][:, 0].astype(int)

    def sums(self, kind, column, edges):
        """Entries in bins of a column by weight."""
        return {name: np.histogram(self.rows[kind][:, column], edges, weights=w[self.at(kind)])[0]
                for name, w in self.weights.items()}


def with_errors(value, of, counts, samples):
    """Of values with a relative error of counts, one array for each sample, that are counted."""
    with np.errstate(divide="ignore", invalid="ignore"):
        made = value * np.sqrt(sum(1 / n for n in counts))
        measured = value * np.sqrt(sum(1 / n / s.worth for n, s in zip(counts, samples)))
    return {"value": value, "made": made, "measured": measured, "members": of}


def correlation(sample, kind, norm):
    sums = sample.sums(kind, 1, DPHI)
    width = np.diff(DPHI)
    of = {name: v / sample.weights[name][sample.at(norm)].sum() / width for name, v in sums.items()}
    return with_errors(of[""], of, [sums[""]], [sample])


def modification(target, reference, kind, column, edges):
    """R_eA; members that both have are taken together."""
    a, b = target.sums(kind, column, edges), reference.sums(kind, column, edges)
    with np.errstate(divide="ignore", invalid="ignore"):
        of = {name: a[name] * target.each / (b[name] * reference.each) for name in a if name in b}
    return with_errors(of[""], of, [a[""], b[""]], [target, reference])


def harmonic(sample, kind, edges=Q):
    """v_2 in bins of q; NaN where there are fewer than ten dijets."""
    rows = sample.rows[kind]
    n = np.histogram(rows[:, 2], edges)[0]
    n = np.where(n < 10, np.nan, n)
    of = {}
    for name, w in sample.weights.items():
        w = w[sample.at(kind)]
        sums, squares, weights = (np.histogram(rows[:, 2], edges, weights=v)[0]
                                  for v in (w * rows[:, 3], w * rows[:, 3]**2, w))
        with np.errstate(invalid="ignore", divide="ignore"):
            of[name] = np.where(n > 0, sums / weights, np.nan)
            if not name:
                made = np.sqrt((squares / weights - of[name]**2) / n)
    return {"value": of[""], "made": made, "measured": made / sample.worth**0.5, "members": of}


# ---- the page ----

def draw(axis, edges, curve, **style):
    middle = (edges[1:] + edges[:-1]) / 2
    value, made, measured = (np.ma.masked_invalid(curve[k]) for k in ("value", "made", "measured"))
    axis.errorbar(middle, value, made, elinewidth=0.7, ms=3, **style)
    axis.errorbar(middle, value, measured, fmt="none", elinewidth=2.5, color=style["color"])
    spread = bands.band({k: v for k, v in curve["members"].items() if k})
    if spread is not None:
        axis.fill_between(middle, *spread, alpha=0.25, lw=0, color=style["color"])


def pictures(panels):
    """One SVG of all panels: (title, label of the axis, edges, curves with their styles)."""
    import matplotlib.figure
    matplotlib.rcParams["svg.hashsalt"] = "eic"  # the same numbers, the same file
    figure = matplotlib.figure.Figure(figsize=(13, 7.5), layout="constrained")
    for axis, (title, label, edges, curves) in zip(figure.subplots(2, 3).flat, panels):
        for name, curve, style in curves:
            draw(axis, edges, curve, label=name, **style)
        axis.set(title=title, xlabel=label)
        if title.startswith("R"):
            axis.axhline(1, color="0.6", lw=0.8)
        if title.startswith("v"):
            axis.axhline(0, color="0.6", lw=0.8)
        axis.legend(frameon=False, fontsize="small")
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg"):]


def print_number(text, curve):
    """The last bin, its error of the events and that of the luminosity."""
    print("%s: %.4f +- %.4f, luminosity %.5f" % (text, *(curve[k][-1] for k in (
        "value", "made", "measured"))))


def number_rows(panels):
    for title, label, edges, curves in panels:
        for name, curve, _ in curves:
            spread = bands.band({k: v for k, v in curve["members"].items() if k})
            for i, value in enumerate(curve["value"]):
                low, high = ("", "") if spread is None else ("%.4f" % v for v in spread[:, i])
                yield (title, name, "%s %.2f to %.2f" % (label, *edges[i:i + 2]), "%.4f" % value,
                       "%.4f" % curve["made"][i], "%.4f" % curve["measured"][i], low, high)


def write_page(path, panels, settings, heads):
    def table(rows):
        return "<table>%s</table>" % "".join("<tr>%s</tr>" % "".join(
            "<td>%s</td>" % html.escape(str(v)) for v in row) for row in rows)
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write("<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>eic.py</title>"
                   "<style>body{font:15px sans-serif;margin:2em;max-width:1200px}td{padding:0 1em 0"
                   " 0}svg{width:100%%;height:auto}</style><h1>Correlations at an electron-ion "
                   "collider</h1>%s<p>Thin bars: errors of the events that were made. Thick bars: "
                   "those of the luminosity. Bands: members of the table.</p><pre>%s</pre>"
                   "<h2>Settings</h2>%s<h2>Events</h2>%s<h2>Numbers</h2>%s</html>\n"
                   % (pictures(panels), html.escape(SAYS), table(settings), "".join(
                       "<pre>%s</pre>" % html.escape(head) for head in heads),
                      table([("quantity", "of", "bin", "value", "error, events",
                              "error, luminosity", "members, low", "high"), *number_rows(panels)])))
    os.replace(path + ".part", path)


SAYS = """\
Angles and momenta are those of the frame where photon and proton collide head-on; the acceptance
is that of the laboratory, without the crossing angle of the beams. The scattered electron is
found wherever it goes. The share of the cross section at x above the end of a table has no events.
Charm of dipoles that were fitted to light quarks is too large (PHYSICS.md, F2 of the proton).
The nucleus changes neither the shower nor the hadrons."""


def main():
    def pair(text):
        return tuple(float(v) for v in text.split(":"))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--beams", required=True, metavar="EExEP", help="GeV, for each nucleon")
    add("--target", required=True, metavar="TABLE", help="of the nucleus")
    add("--reference", required=True, metavar="TABLE", help="of the proton")
    add("-o", required=True, metavar="HTML", help="the page")
    add("-n", type=int, default=50000, help="events of each table; default 50000")
    add("--luminosity", type=float, default=10, help="1/fb for each nucleon; default 10")
    add("--soft", default="none", help="soft gluons, of hadrons; see cgctab-events; default none")
    add("--eta", type=float, default=3.5, help="largest of particles; default 3.5")
    add("--p-min", type=float, default=0.2, help="least momentum of them in GeV; default 0.2")
    add("--K", type=pair, default=(2, 5), help="of dijets in GeV; default 2:5")
    add("--pt", type=float, default=0, help="least of jets in GeV, which shapes v_2; default 0")
    add("--trigger", type=float, default=1.5, help="least pT of a trigger in GeV; default 1.5")
    add("--associate", type=float, default=1, help="least pT of an associate; default 1")
    add("--zh", type=pair, default=(0.1, 0.9), help="hadrons' share of the photon; 0.1:0.9")
    add("--seed", type=int, default=1)
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options, cuts = parser.parse_args(arguments[:end]), arguments[end + 1:] or CUTS.split()
    if "--q" not in cuts:
        sys.exit("eic.py: the cuts need --q LO:HI, which both tables have")
    begin, jobs, heads, tables = time.time(), [], [], (options.target, options.reference)
    nucleons = [int((re.findall(r"nucleus A = (\d+)", ask("cgctab", "get", path, "dipole")) or
                     [1])[0]) for path in tables]
    uncertain = [ask("cgctab", "get", path, "uncertainty").strip() != "none" for path in tables]
    with tempfile.TemporaryDirectory() as folder:
        for i, name in enumerate(("target", "reference")):
            path = tables[i]
            command = ["cgctab-events", path, "--beams", options.beams, "--soft", options.soft,
                       "-n", str(options.n), "--seed", str(options.seed), *cuts]
            command += [] if uncertain[i] else ["--no-weights"]
            lhe = os.path.join(folder, name + ".lhe")
            print("eic.py: " + " ".join(command), file=sys.stderr, flush=True)
            said = ask(*command, "-o", lhe)
            heads.append(" ".join(command) + "\n" + said)
            print("%s, A = %d\n%s" % (name, nucleons[i], said), end="", flush=True)
            jobs.append((name, lhe, options))
        with multiprocessing.Pool(2) as pool:
            simulated = pool.map(simulate, jobs, chunksize=1)
    target, reference = (
        Sample(one, A, float(re.search(r"cross section +(\S+)", said)[1]), options)
        for one, A, said in zip(simulated, nucleons, heads))
    both = (("eA", target, {"color": "C3", "fmt": "o"}),
            ("ep", reference, {"color": "C0", "fmt": "s"}))
    ratio = {"color": "k", "fmt": "o"}
    panels = [
        ("C, charged hadrons", r"$\Delta\phi$", DPHI,
         [(name, correlation(of, "pair", "trigger"), style) for name, of, style in both]),
        ("C, dijets", r"$\Delta\phi$", DPHI,
         [(name, correlation(of, "jets", "jets"), style) for name, of, style in both]),
        ("v_2 of dijets", "q (GeV)", Q,
         [(name + what, harmonic(of, kind), {**style, "mfc": fill}) for name, of, style in both
          for what, kind, fill in (("", "jets", style["color"]), (", partons", "partons", "w"))]),
        ("R_eA, charged hadrons", r"$\Delta\phi$", DPHI,
         [("pairs", modification(target, reference, "pair", 1, DPHI), ratio)]),
        ("R_eA, dijets", r"$\Delta\phi$", DPHI,
         [("dijets", modification(target, reference, "jets", 1, DPHI), ratio)]),
        ("R_eA, dijets", "q (GeV)", Q,
         [("dijets", modification(target, reference, "jets", 2, Q), ratio)])]
    everything = np.array([0, np.inf])
    for name, of, _ in both:
        print("%s: %d events, %d triggers, %d pairs, %d dijets"
              % (name, of.n, *(len(of.rows[k]) for k in ("trigger", "pair", "jets"))))
        totals = [("C of charged hadrons, last bin", correlation(of, "pair", "trigger")),
                  ("C of dijets, last bin", correlation(of, "jets", "jets")),
                  ("v_2 of dijets", harmonic(of, "jets", everything)),
                  ("v_2 of partons", harmonic(of, "partons", everything))]
        for text, curve in totals:
            print_number("%s, %s" % (text, name), curve)
    for text, kind in (("charged hadrons", "pair"), ("dijets", "jets")):
        print_number("R_eA of " + text, modification(target, reference, kind, 1, DPHI[[0, -1]]))
    settings = [(k, v) for k, v in vars(options).items()] + [
        ("cuts", " ".join(cuts)), ("nucleons", nucleons), ("program", ask("cgctab", "--version")),
        ("minutes", "%.1f" % ((time.time() - begin) / 60))]
    write_page(options.o, panels, settings, heads)
    print("%s, %.1f minutes" % (options.o, (time.time() - begin) / 60))


if __name__ == "__main__":
    main()

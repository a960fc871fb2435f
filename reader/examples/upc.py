#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cross sections of ultraperipheral collisions from events of cgctab-events: mesons D0 (or
beauty) in bins of transverse momentum and rapidity, and dijets, with measured numbers beside them.

    pip install matplotlib numpy                          # of hadrons pyhepmc, of jets fastjet, too
    upc.py cms-d0 charm.lhe -o d0.png                     # D0 by a fragmentation function
    upc.py cms-d0 hadrons.hepmc -o d0.png                 # D0 of shower.py
    upc.py cms-d0 charm.lhe --flux other.lhe --data 2:5=HEPData-table2.csv -o d0.png
    upc.py atlas-dijets dijets.lhe -o dijets.png

A preset has the cuts of an experiment:
    cms-d0        D0 of 2 < pT < 12 GeV, |y| < 2 (arXiv:2509.08626), the mean of D0 and its
                  antiparticle; y > 0 where the photon goes
    atlas-dijets  two jets or more, anti-kt, R = 0.4, of 15 GeV or more, one of 20 GeV or more,
                  |eta| < 4.4, their mass above 35 GeV (see arXiv:2409.11060)
Both experiments ask for a gap on the photon's side and for neutrons from the other nucleus alone,
of which the events know nothing: see "Ultraperipheral collisions" in GUIDE.md.  Compare the cuts
with the publication before a conclusion is drawn.

Of a Les Houches file D0 come from charm by Peterson's function, or that of Kniehl and Kramer, which
has the same shape (--epsilon), in the share of --fraction: pT is z times that of the quark, at the
same rapidity.  --particle b takes b quarks as they are, or their hadrons.  Jets of a Les Houches
file are the two partons.

One band is that of the table's members (bands.py).  --flux names files of events with other fluxes
of photons; a second band reaches from the smallest to the largest result of all files, with their
statistical errors.  --data PANEL=FILE overlays a table of hepdata.net, as CSV or YAML: 2:5, 5:8 or
8:12 (GeV), over y; HT, y or dphi.
"""
import argparse
import csv
import gzip
import os
import re
import sys

import numpy as np
from matplotlib.figure import Figure

import bands

MILLIBARN = {"b": 1e3, "mb": 1, "mub": 1e-3, "ub": 1e-3, "microb": 1e-3, "nb": 1e-6, "pb": 1e-9,
             "fb": 1e-12}
PANELS = {  # name: label, edges of the horizontal axis, and whether the vertical one is per GeV
    "2:5": (r"$y$, $2 < p_T < 5$ GeV", np.arange(-2.0, 2.1, 0.5), 3),
    "5:8": (r"$y$, $5 < p_T < 8$ GeV", np.arange(-2.0, 2.1, 0.5), 3),
    "8:12": (r"$y$, $8 < p_T < 12$ GeV", np.arange(-2.0, 2.1, 0.5), 4),
    "HT": (r"$H_T$ (GeV)", np.array([35, 40, 45, 50, 60, 70, 90]), 1),
    "y": (r"$y_\mathrm{jets}$", np.arange(-4.0, 4.1, 0.5), 1),
    "dphi": (r"$\Delta\phi$", np.linspace(np.pi / 2, np.pi, 9), 1)}
PRESETS = {"cms-d0": ("2:5", "5:8", "8:12"), "atlas-dijets": ("HT", "y", "dphi")}
PARTICLES = {"D0": (4, (421,)), "b": (5, (511, 521, 531, 5122))}  # the quark, and its hadrons
HEAVY = {421, 511, 521, 531, 5122}


# ---- events: lists of (id, px, py, pz, E), the photon along +z; weights by name; sigma in mb ----

def from_lhe(path):
    events, weights, sigma = [], {}, None
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="ascii") as file:
        for line in file:
            if line.startswith("<init>"):
                next(file)
                sigma = float(next(file).split()[0]) * MILLIBARN["pb"]
            elif line.startswith("<event>"):
                rows = [next(file).split() for _ in range(6)][4:]
                weights.setdefault("", []).append(1.0)
                # the photon's beam comes along -z
                events.append([(int(v[0]), float(v[6]), float(v[7]), -float(v[8]), float(v[9]))
                               for v in rows])
            elif line.startswith("<wgt"):
                name, value = re.match(r'<wgt id="([^"]*)">([^<]*)', line).groups()
                weights.setdefault(name, []).append(float(value))
    return events, weights, sigma


def from_hepmc(path):
    """Final hadrons, and those of heavy quarks before they decay."""
    import pyhepmc
    events, weights, sigma = [], {}, None
    with pyhepmc.open(path) as file:
        for event in file:
            photon = next(p for p in event.beams if p.pid == 11)
            side = np.sign(photon.momentum.z)
            electron = photon
            while electron.end_vertex:
                electron = max((p for p in electron.end_vertex.particles_out if p.pid == 11),
                               key=lambda p: p.momentum.e)
            chosen = [p for p in event.particles if p.id != electron.id and p.id != photon.id and (
                p.status == 1 or abs(p.pid) in HEAVY and p.end_vertex and
                all(abs(d.pid) != abs(p.pid) for d in p.end_vertex.particles_out))]
            events.append([(p.pid, p.momentum.x, p.momentum.y, side * p.momentum.z, p.momentum.e)
                           for p in chosen])
            for name, w in zip(["", *event.run_info.weight_names[1:]], event.weights):
                weights.setdefault(name, []).append(w)
            sigma = event.cross_section.xsec() * MILLIBARN["pb"]
    return events, weights, sigma


# ---- what is measured: a row (event, panel, horizontal variable, factor) for each entry ----

def peterson(z, epsilon):
    return z * (1 - z)**2 / ((1 - z)**2 + epsilon * z)**2


def find_mesons(events, parton, options):
    """D0 or b in the panels of pT, half of the sum of particle and antiparticle."""
    quark, hadrons = PARTICLES[options.particle]
    fragments = parton and options.particle == "D0"
    rng = np.random.default_rng(options.seed)
    z = (np.arange(2000) + 0.5) / 2000
    share = np.cumsum(peterson(z, options.epsilon))
    rows = []
    for i, event in enumerate(events):
        for code, px, py, pz, E in event:
            if abs(code) not in ((quark,) if parton else hadrons):
                continue
            pT, y = np.hypot(px, py), np.arctanh(pz / E)
            if fragments:
                pT *= z[np.searchsorted(share, rng.random() * share[-1])]
            for panel in PRESETS["cms-d0"]:
                low, high = (float(v) for v in panel.split(":"))
                if low < pT < high:
                    rows.append((i, panel, y, 0.5 * (options.fraction if fragments else 1)))
    return rows


def find_jets(event):
    import fastjet
    particles = [fastjet.PseudoJet(*p) for code, *p in event
                 if abs(code) not in {12, 14, 16, *HEAVY}]
    cluster = fastjet.ClusterSequence(
        particles, fastjet.JetDefinition(fastjet.antikt_algorithm, 0.4))
    return [(j.px(), j.py(), j.pz(), j.e()) for j in cluster.inclusive_jets(15)]


def find_dijets(events, parton, _):
    rows = []
    for i, event in enumerate(events):
        jets = np.array([p[1:] for p in event] if parton else find_jets(event)).reshape(-1, 4)
        pT, length = np.hypot(jets[:, 0], jets[:, 1]), np.linalg.norm(jets[:, :3], axis=1)
        inside = (pT > 15) & (abs(np.arctanh(jets[:, 2] / length)) < 4.4)
        jets, pT = jets[inside], pT[inside]
        if len(jets) < 2 or pT.max() < 20:
            continue
        px, py, pz, E = jets.sum(axis=0)
        if E * E - px * px - py * py - pz * pz < 35**2:
            continue
        first, second = np.argsort(-pT)[:2]
        angle = np.arctan2(jets[:, 1], jets[:, 0])
        dphi = abs((angle[first] - angle[second] + np.pi) % (2 * np.pi) - np.pi)
        rows += [(i, "HT", pT.sum(), 1), (i, "y", np.arctanh(pz / E), 1), (i, "dphi", dphi, 1)]
    return rows


def measure(path, preset, options):
    """{panel: {name of weight: (cross section per bin, statistical error)}}"""
    parton = path.endswith((".lhe", ".lhe.gz"))
    events, weights, sigma = (from_lhe if parton else from_hepmc)(path)
    if not events:
        sys.exit("upc.py: %s has no events" % path)
    weights = {name: np.array(v) * sigma / len(events) for name, v in weights.items()}
    rows = (find_mesons if preset == "cms-d0" else find_dijets)(events, parton, options)
    found = {}
    for panel in PRESETS[preset]:
        _, edges, width = PANELS[panel]
        mine = [row for row in rows if row[1] == panel]
        event = np.array([row[0] for row in mine], dtype=int)
        at, factor = (np.array([row[k] for row in mine], dtype=float) for k in (2, 3))
        found[panel] = {}
        for name, w in weights.items():
            value, square = (np.histogram(at, edges, weights=v)[0]
                             for v in (w[event] * factor, (w[event] * factor)**2))
            found[panel][name] = np.array([value, np.sqrt(square)]) / np.diff(edges) / width
    return found


# ---- tables of hepdata.net: (low, high, value, down, up) of each bin, values in mb ----

def unit_of(header):
    """Of a header such as 'D2(SIG)/DY/DPT [MB/GEV]' or its units alone: in mb."""
    unit = re.sub(r"[\\${}\s]|mathrm|rm", "", re.sub(r".*\[(.*)\].*", r"\1", header)).lower()
    match = re.match(r"(microb|mub|[munpf]?b)(arn)?\b", unit.replace("µ", "u"))
    return MILLIBARN[match.group(1)] if match else None


def from_csv(path):
    with open(path, encoding="utf-8") as file:
        rows = [r for r in csv.reader(v for v in file if not v.startswith("#"))]
    header, bins = [h.strip() for h in rows[0]], []
    named = [h[:-4] for h in header if h.endswith(" LOW")]
    if len(named) != 1 or named[0] + " HIGH" not in header:
        sys.exit("upc.py: %s: want one variable with columns 'NAME LOW' and 'NAME HIGH', have: %s"
                 % (path, ", ".join(header)))
    value = next((i for i, h in enumerate(header) if h not in (
        named[0], named[0] + " LOW", named[0] + " HIGH")), len(header))
    for row in rows[1:]:
        if not any(row) or len(row) < len(header):
            break  # the next table of the file
        of = dict(zip(header[:value], row))
        errors = {"+": 0.0, "-": 0.0}
        for name, text in zip(header[value + 1:], row[value + 1:]):
            if name[-2:] not in (" +", " -"):
                break  # the next dependent variable
            errors[name[-1]] += percent(text, row[value])**2
        bins.append((float(of[named[0] + " LOW"]), float(of[named[0] + " HIGH"]),
                     row[value], np.sqrt(errors["-"]), np.sqrt(errors["+"])))
    return header[value] if value < len(header) else "", bins


def percent(text, value):
    """An error, which may be given in per cent."""
    text = str(text).strip()
    return float(text[:-1]) / 100 * float(value) if text.endswith("%") else float(text or 0)


def from_yaml(path):
    try:
        import yaml
    except ImportError:
        sys.exit("upc.py: %s: pip install pyyaml, or take the CSV" % path)
    with open(path, encoding="utf-8") as file:
        table = yaml.safe_load(file)
    try:
        x, y = table["independent_variables"][0], table["dependent_variables"][0]
        bins = []
        for at, of in zip(x["values"], y["values"]):
            down = up = 0.0
            for error in of.get("errors", []):
                both = error.get("asymerror") or {"plus": error["symerror"],
                                                  "minus": error["symerror"]}
                down += percent(both["minus"], of["value"])**2
                up += percent(both["plus"], of["value"])**2
            bins.append((float(at["low"]), float(at["high"]), of["value"], np.sqrt(down),
                         np.sqrt(up)))
        return y["header"].get("units", y["header"]["name"]), bins
    except (KeyError, IndexError, TypeError) as error:
        sys.exit("upc.py: %s is no table of hepdata.net with bins: %r" % (path, error))


def measured(path):
    """Array (bins, 5) of low, high, value, error down and up, in mb."""
    header, bins = (from_yaml if path.endswith((".yaml", ".yml")) else from_csv)(path)
    unit = unit_of(header)
    if unit is None:
        sys.exit("upc.py: %s: no unit of a cross section in '%s'" % (path, header))
    try:
        data = np.array([[float(v) for v in row] for row in bins if row[2] not in ("-", "")])
    except ValueError as error:
        sys.exit("upc.py: %s: %s" % (path, error))
    if not len(data):
        sys.exit("upc.py: %s has no bins" % path)
    data[:, 2:] *= unit
    return data


# ---- the picture ----

def draw(axis, panel, found, others, data):
    label, edges, _ = PANELS[panel]
    central, error = found[""]
    unit = "mb" if panel in ("y", "dphi") else "mb/GeV"
    spreads = {"members": bands.band({name: value for name, (value, _) in found.items()})}
    if others:
        every = np.array([central, *(other[""][0] for other in others)])
        spreads["fluxes"] = np.array([every.min(axis=0), every.max(axis=0)])
    for (name, spread), color in zip(spreads.items(), ("C0", "C1")):
        if spread is not None:
            axis.stairs(spread[1], edges, baseline=spread[0], fill=True, alpha=0.35, color=color,
                        label=name)
    axis.stairs(central, edges, color="C0")
    axis.errorbar((edges[1:] + edges[:-1]) / 2, central, error, fmt="none", color="C0")
    for i, value in enumerate(central):
        print("%-5s %6.3g to %-6.3g %.4g +- %.2g %s"
              % (panel, *edges[i:i + 2], value, error[i], unit)
              + "".join(", %s %.4g to %.4g" % (name, *spread[:, i])
                        for name, spread in spreads.items() if spread is not None))
    if data is not None:
        axis.errorbar((data[:, 0] + data[:, 1]) / 2, data[:, 2], data[:, 3:].T,
                      (data[:, 1] - data[:, 0]) / 2, fmt="ko", ms=3, lw=1)
        for low, high, value, *_ in data:
            # the mean of the bins that cover the data's
            cover = np.maximum(np.minimum(edges[1:], high) - np.maximum(edges[:-1], low), 0)
            if abs(cover.sum() / (high - low) - 1) < 1e-6:
                mean = cover @ central / cover.sum()
                print("%-5s %6.3g to %-6.3g measured %.4g, events %.4g +- %.2g %s, over it %.3g"
                      % (panel, low, high, value, mean,
                         np.linalg.norm(cover * error) / cover.sum(), unit, mean / value))
    axis.set(xlabel=label, ylim=(0, None))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("preset", choices=PRESETS, help="the cuts of an experiment")
    parser.add_argument("events", help="Les Houches or HepMC file")
    parser.add_argument("-o", required=True, metavar="PNG", help="the picture")
    parser.add_argument("--flux", nargs="+", default=[], metavar="FILE",
                        help="events with other fluxes of photons")
    parser.add_argument("--data", action="append", default=[], metavar="PANEL=FILE",
                        help="a table of hepdata.net, CSV or YAML")
    parser.add_argument("--particle", choices=PARTICLES, default="D0", help="what is counted")
    parser.add_argument("--epsilon", type=float, default=0.05, help="of Peterson's function")
    parser.add_argument("--fraction", type=float, default=0.61, help="of charm that becomes D0")
    parser.add_argument("--seed", type=int, default=1, help="of fragmentation")
    options = parser.parse_args()
    data = {}
    for text in options.data:
        panel, _, path = text.partition("=")
        if panel not in PRESETS[options.preset] or not os.path.isfile(path):
            sys.exit("upc.py: --data %s: want one of %s, and a file behind ="
                     % (text, ", ".join(PRESETS[options.preset])))
        data[panel] = measured(path)
    found = measure(options.events, options.preset, options)
    others = [measure(path, options.preset, options) for path in options.flux]
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    axes = figure.subplots(1, 3)
    for axis, panel in zip(axes, PRESETS[options.preset]):
        draw(axis, panel, found[panel], [v[panel] for v in others], data.get(panel))
    axes[0].set_ylabel(r"$d^2\sigma/dy\,dp_T$ (mb/GeV)" if options.preset == "cms-d0" else
                       "cross section per unit (mb)")
    if axes[0].get_legend_handles_labels()[0]:
        axes[0].legend(frameon=False)
    figure.savefig(options.o, dpi=90)


if __name__ == "__main__":
    try:
        main()
    except (OSError, EOFError) as error:  # EOFError: of a compressed file that was cut
        sys.exit("upc.py: %s" % error)

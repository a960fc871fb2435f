# SPDX-License-Identifier: GPL-3.0-or-later
"""What the files of check.sh must hold: no event is lost, momentum, q, cross section, weights, what
Pythia takes over from a Les Houches file, and hadrons of heavy quarks."""
import argparse
import re
import sys

import numpy as np
import pyhepmc
import pylhe

import dijets
import shower
import upc

PARTON, HADRON = 1e-9, 1e-6  # GeV; share of the beams' energy
HAND_OVER = 1e-9  # GeV; or the last digit of the largest energy
# Least particles an event where quarks radiate: without radiation 5; those of small K and heavy
# ones radiate less.
RADIATING = {"charm": 5.05, "beauty": 5.05, "photons": 5.25, "upc": 5.05}
RADIATING_MORE = 5.5
CHARMED = {421: "D0", 411: "D+", 431: "Ds", 4122: "Lambda_c"}  # with those of the antiquarks
BEAUTIFUL = {511: "B0", 521: "B+", 531: "Bs", 5122: "Lambda_b"}
RARE = {4: (4132, 4232, 4332), 5: (541, 5132, 5232, 5332)}  # all others that decay weakly
SAME_Q = 1e-5  # share of q; Pythia's beams have their masses
REDUCED = 1e-3  # largest share of events whose remnants are too heavy for q


def require(condition, *words):
    if not condition:
        sys.exit("check.py: " + " ".join(str(w) for w in words))


def length(v):
    return np.hypot(v[..., 0], v[..., 1])


def read_partons(path):
    """q of each event, its weights, and the cross section; momentum, and dijets.py's q and phi."""
    file = pylhe.LHEFile.fromfile(path)
    with open(path, encoding="ascii") as text:
        remarks = [[float(v) for v in re.findall(r" (-?[0-9.]+e[-+][0-9]+)", line)]
                   for line in text if line.startswith("# x ")]
    q, weights, given, worst = [], [], [], 0
    for event, remark in zip(file.events, remarks):
        p = np.array([[v.px, v.py, v.pz, v.e] for v in event.particles])
        sign = np.array([-1 if v.status < 0 else 1 for v in event.particles])
        worst = np.maximum(worst, abs(sign @ p).max())
        weights.append(event.weights)
        given.append([(v.id, v.px, v.py, v.pz, v.e, v.m) for v in event.particles[2:]])
        q.append(remark[2])
    require(len(q) == len(remarks) > 0, path, "has", len(remarks), "events, pylhe finds", len(q))
    require(worst < PARTON, path, "misses momentum", worst)
    print("%-22s %d events, momentum conserved to %.1e GeV" % (path, len(q), worst))
    check_dijets(path, remarks)
    check_hand_over(path, given)
    process = file.init.procInfo[0]
    return np.array(q), weights, process.xSection


def check_dijets(path, remarks):
    """dijets.py against the table's variables in the remark of each event."""
    compared = 0
    for event, (_, z, q, k1, theta) in zip(dijets.from_lhe(path), remarks):
        found = dijets.find_dijet(event)
        if not found or compared == 500:
            continue
        along, across = k1 * np.cos(theta) - z * q, k1 * np.sin(theta)
        phi = np.arctan2(abs(across), abs(along))
        require(abs(found[0] / q - 1) < 1e-5 and abs(found[1] - phi) < 1e-4 * max(1, q), path,
                "q", found[0], q, "phi", found[1], phi)
        compared += 1
    require(compared > 100, path, "has", compared, "dijets")


def check_hand_over(path, events):
    """Electron, quark and antiquark of Pythia's process with the settings of shower.py."""
    pythia, hooks = shower.start_pythia(path, False, 1, ["PartonLevel:all = off"])
    worst = {}
    for event in events:
        require(pythia.next(), path, "Pythia refuses an event")
        for (code, *momentum), i in zip(event, (5, 6, 7)):
            v = pythia.process[i]
            change = np.abs(np.subtract([v.px(), v.py(), v.pz(), v.e(), v.m()], momentum)).max()
            worst[abs(code)] = np.maximum(change, worst.get(abs(code), 0))
    digits = 1e-12 * max(momentum[3] for event in events for _, *momentum in event)
    require(np.max(list(worst.values())) < max(HAND_OVER, digits), path,
            "Pythia changes momenta", worst)
    print("%-22s taken over to (GeV) %s" % ("", ", ".join(
        "%s %.0e" % ("e" if code == 11 else "?duscb"[code], change)
        for code, change in sorted(worst.items()))))


def count_heavy(path, flavour):
    """Weakly decaying hadrons of the heavy quark, before decays: two or more in each event, as many
    of the quark as of the antiquark."""
    names = CHARMED if flavour == 4 else BEAUTIFUL
    number, n = dict.fromkeys(names, 0), 0
    for event, _ in read_records(path):
        ids = event.numpy.particles.pid
        found = ids[np.isin(abs(ids), (*names, *RARE[flavour]))]
        mixed = flavour == 5  # B mesons oscillate
        require(len(found) >= 2 and (mixed or np.sign(found).sum() == 0), path, "has", found)
        for i in names:
            number[i] += (abs(found) == i).sum()
        n += 1
    print("%-22s %s in %d events" % ("", ", ".join("%s %d" % (name, number[i])
                                                   for i, name in names.items()), n))


def check_directions(partons, hadrons):
    """Events of direction -1 are mirror images: their targets come along -z."""
    with open(partons, encoding="ascii") as text:
        wanted = [" direction -1" in line for line in text if line.startswith("# x ")]
    found = [next(p for p in event.beams if p.pid == 2212).momentum.z < 0
             for event, _ in read_records(hadrons)]
    require(wanted == found and any(found) and not all(found), hadrons, "directions")
    print("%-22s %d mirror images" % ("", sum(found)))


MADE_UP = """#: name: Table 1
#: description: made up for a test, measured by nobody
y,y LOW,y HIGH,"d$^2\\sigma$/dydp$_T$ [$\\mathrm{\\mu b}$/GeV]",stat +,stat -,sys +,sys -
-0.5,-1.0,0.0,200.0,3.0,-3.0,4.0,-4.0
0.5,0.0,1.0,100.0,10%,-10%,0,0
"""
MADE_UP_YAML = """# made up for a test, measured by nobody
independent_variables:
- header: {name: y}
  values: [{low: -1, high: 0}, {low: 0, high: 1}]
dependent_variables:
- header: {name: SIG, units: nb}
  values:
  - {value: 2e5, errors: [{symerror: 3e3, label: stat}, {asymerror: {plus: 4e3, minus: -4e3}}]}
  - {value: 1e5, errors: [{symerror: 10%}]}
"""
QUARK = "%d 1 1 2 0 0 %.9e 0 %.9e %.9e 1.4 0 9\n"


def check_upc():
    """upc.py: two events whose D0 are known, and tables in the formats of hepdata.net."""
    with open("known.lhe", "w", encoding="ascii") as file:
        file.write("<init>\n2212 11 1 1 0 0 0 0 3 1\n1e9 1 1 1\n</init>\n")  # 1 mb
        for pT, y in ((3, (0.25, -0.75)), (1, (0, 0))):
            mT = np.hypot(pT, 1.4)
            file.write("<event>\n5 1 1 1 1 1\n" + 3 * "21 -1 0 0 0 0 0 0 0 0 0 0 9\n")
            for i in (0, 1):  # the photon's beam comes along -z
                file.write(QUARK % (4 - 8 * i, pT, -mT * np.sinh(y[i]), mT * np.cosh(y[i])))
            file.write('<rwgt>\n<wgt id="replica_a">%g</wgt>\n</rwgt>\n</event>\n' % (pT / 2))
    options = argparse.Namespace(particle="D0", epsilon=1e-12, fraction=0.6, seed=1)  # z = 1
    found = upc.measure("known.lhe", "cms-d0", options)["2:5"]
    want = np.zeros(8)
    want[[2, 4]] = 0.5 * 0.6 / 2 / (0.5 * 3)  # half of D0 and its antiparticle; events; bin
    require(np.allclose(found[""][0], want, rtol=1e-12), "upc.py finds", found[""][0])
    require(np.allclose(found["replica_a"][0], 1.5 * want, rtol=1e-12), "upc.py's weights")
    wanted = [[-1, 0, 0.2, 5e-3, 5e-3], [0, 1, 0.1, 0.01, 0.01]]
    for name, text in (("known.csv", MADE_UP), ("known.yaml", MADE_UP_YAML)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        require(np.allclose(upc.measured(name), wanted, rtol=1e-12), name, upc.measured(name))
    print("upc.py: two events and two tables as expected")


def read_records(path):
    """Per event: final hadronic matter, what is missing of momentum, weights; cross section."""
    with pyhepmc.open(path) as file:
        for event in file:
            all_of = event.numpy.particles
            p = np.stack([all_of.px, all_of.py, all_of.pz, all_of.e], axis=1)
            beams = p[all_of.status == 4]
            missing = abs(p[all_of.status == 1].sum(axis=0) - beams.sum(axis=0)).max()
            yield event, missing / beams[:, 3].sum()


def scattered_q(event):
    """Of the partons that are no remnants: what comes out of the gluon's vertex."""
    beams, electron, _, _ = next(dijets_of(event))
    gluon = next(p for p in event.particles if p.status == 3)
    momentum = gluon.momentum
    p = np.array([[momentum.x, momentum.y, momentum.z, momentum.e]])
    return length(dijets.to_photon_frame(beams, electron, p)[2])[0]


def dijets_of(event):
    """dijets.from_hepmc for one event."""
    electron = dijets.scattered_electron(event)
    p = {k: np.array([[v.momentum.x, v.momentum.y, v.momentum.z, v.momentum.e] for v in vs])
         for k, vs in (("beams", event.beams), ("electron", [electron]))}
    beams = p["beams"][np.argsort([v.pid == 11 for v in event.beams])]
    beams[:, 3] = abs(beams[:, 2])
    yield beams, p["electron"][0], None, None


def check_level(path, q, weights, sigma):
    worst, reduced, wrong, n, partons = 0, 0, 0, 0, 0
    for event, missing in read_records(path):
        worst = np.maximum(worst, missing)
        expected = [1.0, *weights[n].values()]
        require(list(event.run_info.weight_names)[1:] == list(weights[n]), path, "weights' names")
        require(np.allclose(event.weights, expected, rtol=1e-12), path, "weights", event.weights)
        if "shower" in path:
            change = abs(scattered_q(event) / q[n] - 1)
            reduced += not change <= SAME_Q
            wrong = max(wrong, change if change <= SAME_Q else 0)
            partons += sum(p.status == 1 for p in event.particles)
        n += 1
    section = event.cross_section
    require(n == len(q), path, "has", n, "events of", len(q))
    require(worst < HADRON, path, "misses momentum, as a share of the beams' energy", worst)
    require(abs(section.xsec() / sigma - 1) < 1e-6, path, "cross section", section.xsec(), sigma)
    print("%-22s %d events, momentum conserved to %.1e of the beams' energy, %.6g pb"
          % (path, n, worst, section.xsec()))
    if "shower" not in path:
        return
    require(reduced <= REDUCED * n, path, reduced, "events with another q")
    least = RADIATING.get(path.split(".")[0], RADIATING_MORE)
    require(partons > least * n, path, "quarks do not radiate:", partons / n, "particles an event")
    print("%-22s q kept to %.1e but for %d events, %.2f particles an event"
          % ("", wrong, reduced, partons / n))


def check_twins():
    """shower.cc gives what shower.py reads; events_pythia.cc agrees with cgctab-events."""
    def numbers(path):
        with open(path, encoding="ascii") as file:
            return [float(v) for v in re.findall(r"[0-9.]+(?:e[-+]?[0-9]+)?", file.read())]
    shower = numbers("cxx.shower")
    lhe = pylhe.LHEFile.fromfile("hera.partons.lhe")
    require(shower[1] == 0, "rejected events", shower)
    require(abs(shower[3] / lhe.init.procInfo[0].xSection - 1) < 1e-5, "cross section", shower)
    names = next(r for r, _ in read_records("hera.hadrons.hepmc")).run_info.weight_names
    own = next(r for r, _ in read_records("cxx.hadrons.hepmc")).run_info.weight_names
    require(list(own) == list(names), "names of weights", own, names)
    files = [("cxx.hadrons.hepmc", shower[0])]
    for output, hadrons, cut in (("cxx.direct", "direct.hadrons.hepmc", "--pt=2"),
                                 ("cxx.K.direct", "K.hadrons.hepmc", "--K=3:6")):
        direct, integrated = numbers(output), numbers("cxx." + cut)
        pull = (direct[3] - integrated[0]) / np.hypot(direct[4], integrated[1])
        require(direct[1] == 0 and abs(pull) < 3, "cross sections", direct, integrated)
        files.append((hadrons, direct[0]))
        print("events_pythia.cc       %.6g +- %.2g pb, %.2f sigma from cgctab-events %s"
              % (direct[3], direct[4], pull, cut))
    for path, n in files:
        missing = [m for _, m in read_records(path)]
        require(len(missing) == n and np.max(missing) < HADRON, path, len(missing), max(missing))
        print("%-22s %d events, momentum conserved to %.1e of the beams' energy"
              % (path, n, max(missing)))


if __name__ == "__main__":
    if sys.argv[1] == "--twins":
        check_twins()
    elif sys.argv[1] == "--upc":
        check_upc()
    else:
        values = read_partons(sys.argv[1] + ".partons.lhe")
        for level in (".shower.hepmc", ".hadrons.hepmc"):
            check_level(sys.argv[1] + level, *values)
        if sys.argv[1] in ("charm", "beauty", "upc"):
            count_heavy(sys.argv[1] + ".hadrons.hepmc", 5 if sys.argv[1] == "beauty" else 4)
        if sys.argv[1] == "upc":
            check_directions("upc.partons.lhe", "upc.hadrons.hepmc")

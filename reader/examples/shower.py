#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Showers and hadronises the events of cgctab-events with Pythia 8 and writes them as HepMC3 ASCII.

    pip install pythia8mc pyhepmc
    shower.py events.lhe -o hadrons.hepmc --partons shower.hepmc

The gluon of a Les Houches event carries the transverse momentum q of the dijet, which the shower
does not expect of an incoming parton.  Here it becomes collinear with the proton, so that recoil of
the shower changes momentum along the proton only.  The proton's remnants then take -q.  Their mass
changes q slightly; a rotation of all hadronic matter in its rest frame restores it.

Where the photons are those of ions the emitter stands as an electron, and the target as a proton,
with the energies of one nucleon.  Events whose comment has "direction -1" are written as mirror
images.
"""
import argparse
import gzip
import math
import os
import sys

import pyhepmc
import pythia8mc

REMNANT = 63  # Pythia's status of a parton that remains of the proton
PROTON, ELECTRON, GLUON, SCATTERED = 1, 2, 3, 5  # places in Pythia's record
PICOBARN = 1e9  # in one millibarn

SETTINGS = """
Beams:frameType = 4
PDF:lepton = off                 ! the photon is part of the event
PartonLevel:MPI = off
BeamRemnants:primordialKT = off  ! q is the transverse momentum of the gluon already
TimeShower:QEDshowerByL = off    ! no photons from the electron: Q2 and y stay as they are
LesHouches:setLeptonMass = 0     ! masses and momenta stay those of the file
LesHouches:setQuarkMass = 0      ! otherwise c and b far from Pythia's masses get these
HadronLevel:all = off            ! called below, after the rotation
Next:numberCount = 0
Print:quiet = on
"""


def open_text(path):
    """A Les Houches file, also a compressed one."""
    return (gzip.open if path.endswith(".gz") else open)(path, "rt", errors="replace")


class CollinearGluon(pythia8mc.UserHooks):
    """Takes the gluon's transverse momentum away before the shower begins."""

    def __init__(self):
        pythia8mc.UserHooks.__init__(self)

    def canVetoProcessLevel(self):
        return True

    def doVetoProcessLevel(self, process):
        process[GLUON].px(0)
        process[GLUON].py(0)
        return False


def start_pythia(path, isr, seed, more):
    pythia = pythia8mc.Pythia("", False)
    own = ["Beams:LHEF = " + path, "Random:setSeed = on", "Random:seed = %d" % seed,
           "PartonLevel:ISR = " + ("on" if isr else "off")]
    if isr:  # recoil that leaves the electron alone; without ISR it would stop most radiation
        own.append("SpaceShower:dipoleRecoil = on")
    for line in SETTINGS.strip().splitlines() + own + more:
        if not pythia.readString(line):
            sys.exit("shower.py: Pythia does not accept the setting '%s'" % line)
    refuse_twice(path, pythia)
    hooks = CollinearGluon()
    pythia.setUserHooksPtr(hooks)
    if not pythia.init():
        sys.exit("shower.py: Pythia cannot begin with %s" % path)
    return pythia, hooks


def refuse_twice(path, pythia):
    """Soft gluons of cgctab-events and those of the shower: what both would make."""
    with open_text(path) as file:
        for line in file:
            if line.startswith("# soft gluons ") or "</header>" in line:
                break
        else:
            return
    if "</header>" in line:
        return
    if pythia.flag("PartonLevel:ISR"):
        sys.exit("shower.py: %s: has soft gluons (--soft), which initial-state radiation would "
                 "count twice; leave out one of --soft and --isr" % path)
    if line.split()[3].startswith("jets") and pythia.flag("PartonLevel:FSR"):
        sys.exit("shower.py: %s: has the soft gluons of jets (--soft jets), part of which the "
                 "shower makes, too; take --soft hadrons, or --set 'PartonLevel:FSR = off'" % path)


def last_copy(event, i):
    while event[i].daughter1() > 0:
        i = event[i].daughter1()
    return i


def sum_of(event, chosen):
    total = pythia8mc.Vec4()
    for i in chosen:
        total += event[i].p()
    return total


def keep_q(process, event):
    """Rotates what photon and proton become, in its rest frame, so that the partons that are no
    remnants have the transverse momentum q of the Les Houches event.  False where the remnants are
    so heavy that too little momentum is left; q is then as large as it can be."""
    electron = last_copy(event, SCATTERED)
    matter = [i for i in range(event.size()) if event[i].isFinal() and i != electron]
    scattered = [i for i in matter if event[i].status() != REMNANT]
    to_rest = pythia8mc.RotBstMatrix()
    to_rest.toCMframe(event[PROTON].p(), event[ELECTRON].p() - event[electron].p())
    wanted, found = sum_of(process, (6, 7)), sum_of(event, scattered)
    wanted.rotbst(to_rest)
    found.rotbst(to_rest)
    sine = wanted.pT() / found.pAbs()
    angle = math.asin(min(sine, 1))
    if found.pz() < 0:
        angle = math.pi - angle
    change = pythia8mc.RotBstMatrix(to_rest)
    change.rot(0, -found.phi())
    change.rot(angle - found.theta(), wanted.phi())
    to_rest.invert()
    change.rotbst(to_rest)
    for i in matter:
        event[i].rotbst(change)
    return sine <= 1


def momentum(of):
    """px, py, pz, E in GeV."""
    return of.px(), of.py(), of.pz(), of.e()


def accepted(pythia):
    """Yields a copy of what Pythia knows of each event that it accepts."""
    while True:
        good, info = pythia.next(), pythia.infoPython()
        if good:
            yield info
        elif info.atEndOfFile():
            return


def hadron_events(path, seed=1, settings=()):
    """For programs that look at hadrons at once: yields (process, event, electron, weights) of
    Pythia, the electron's place in the event, and weights by name, the event's own as ""."""
    pythia, _hooks = start_pythia(path, False, seed, list(settings))
    names = None
    for info in accepted(pythia):
        keep_q(pythia.process, pythia.event)
        if pythia.forceHadronLevel():
            places = range(1, info.numberOfWeights())
            names = names or [info.weightNameByIndex(i) for i in places]
            weights = {"": 1.0, **dict(zip(names, (info.weightValueByIndex(i) for i in places)))}
            yield (pythia.process, pythia.event, last_copy(pythia.event, SCATTERED), weights)


def particle(of, status=None):
    made = pyhepmc.GenParticle(pyhepmc.FourVector(*momentum(of)), of.id(),
                               of.statusHepMC() if status is None else status)
    made.generated_mass = of.m()
    return made


def begin_record(run, number, info, weights):
    record = pyhepmc.GenEvent(run)
    record.event_number = number
    record.weights = weights
    section = pyhepmc.GenCrossSection()
    record.cross_section = section
    section.set_cross_section(PICOBARN * info.sigmaGen(), PICOBARN * info.sigmaErr())
    return record


def fill_history(record, event):
    """All of Pythia's record: who came from whom."""
    all_of = [particle(event[i]) for i in range(event.size())]
    end = {}
    for i in range(3, event.size()):
        mothers = [m for m in event[i].motherList() if m > 0]
        vertex = next((end[m] for m in mothers if m in end), None)
        if vertex is None:
            vertex = pyhepmc.GenVertex()
        for m in mothers:
            if m not in end:
                end[m] = vertex
                vertex.add_particle_in(all_of[m])
        vertex.add_particle_out(all_of[i])
    record.add_tree([all_of[PROTON], all_of[ELECTRON]])  # mothers first, whatever their numbers


def fill_partons(record, event):
    """Final partons: proton -> gluon and remnants; gluon and electron -> electron and the rest."""
    final = [i for i in range(3, event.size()) if event[i].isFinal()]
    scattered = [i for i in final if event[i].status() != REMNANT]
    gluon = sum_of(event, scattered) - event[ELECTRON].p()
    between = pyhepmc.GenParticle(pyhepmc.FourVector(*momentum(gluon)), 21, 3)
    split, hard = pyhepmc.GenVertex(), pyhepmc.GenVertex()
    proton, electron = particle(event[PROTON], 4), particle(event[ELECTRON], 4)
    split.add_particle_in(proton)
    split.add_particle_out(between)
    hard.add_particle_in(between)
    hard.add_particle_in(electron)
    for i in final:
        (split if event[i].status() == REMNANT else hard).add_particle_out(particle(event[i], 1))
    record.add_tree([proton, electron])


def mirror(record):
    """The target comes along -z: all momenta as in a mirror."""
    for p in record.particles:
        p.momentum = pyhepmc.FourVector(p.momentum.x, p.momentum.y, -p.momentum.z, p.momentum.e)


def run_info(info):
    run = pyhepmc.GenRunInfo()
    run.weight_names = [info.weightNameByIndex(i) for i in range(info.numberOfWeights())]
    run.tools = [pyhepmc.GenRunInfo.ToolInfo("cgctab-events", "", "CGC DIS dijets"),
                 pyhepmc.GenRunInfo.ToolInfo("Pythia", "8", "shower and hadrons")]
    return run


class Output:
    """Files that appear under their names when they are complete."""

    def __init__(self, path):
        self.path, self.file = path, None

    def write(self, run, record):
        if self.file is None:
            self.file = pyhepmc.io.WriterAscii(self.path + ".part", run)
        self.file.write_event(record)

    def close(self):
        if self.file is not None:
            self.file.close()
            os.replace(self.path + ".part", self.path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("events", help="Les Houches file of cgctab-events")
    parser.add_argument("-o", required=True, metavar="FILE", help="hadrons, HepMC3 ASCII")
    parser.add_argument("--partons", metavar="FILE", help="partons after the shower, HepMC3 ASCII")
    parser.add_argument("--isr", action="store_true",
                        help="radiation from the gluon, which small-x evolution contains already")
    parser.add_argument("--seed", type=int, default=1, help="of Pythia's random numbers")
    parser.add_argument("--set", action="append", default=[], metavar="'NAME = VALUE'",
                        help="any setting of Pythia; may be repeated")
    options = parser.parse_args()
    pythia, _hooks = start_pythia(options.events, options.isr, options.seed, options.set)
    run = None
    hadrons, partons = Output(options.o), Output(options.partons)
    done = reduced = 0
    for info in accepted(pythia):
        event = pythia.event
        reduced += not keep_q(pythia.process, event)
        run = run or run_info(info)
        weights = [info.weightValueByIndex(i) for i in range(info.numberOfWeights())]
        before = begin_record(run, done, info, weights)
        fill_partons(before, event)
        if not pythia.forceHadronLevel():
            continue
        after = begin_record(run, done, info, weights)
        fill_history(after, event)
        if "direction -1" in info.getEventComments():
            mirror(before)
            mirror(after)
        hadrons.write(run, after)
        if options.partons:
            partons.write(run, before)
        done += 1
    hadrons.close()
    partons.close()
    info = pythia.infoPython()
    rejected = info.nSelected() - done  # Pythia passes over some without a word
    print("%d events, %d rejected, %d of reduced q, cross section %.6g +- %.2g pb"
          % (done, rejected, reduced, PICOBARN * info.sigmaGen(), PICOBARN * info.sigmaErr()))
    return 1 if rejected or not done else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, EOFError) as error:  # EOFError: of a compressed file that was cut
        sys.exit("shower.py: %s" % error)

/* SPDX-License-Identifier: MIT */
/* What shower.cc and events_pythia.cc share: settings of Pythia 8, and its events with the dijet's q.
 *
 * The gluon of a dijet carries the transverse momentum q, which a shower does not expect of an
 * incoming parton.  Here it is collinear with the proton, so that recoil of the shower changes
 * momentum along the proton only.  The proton's remnants then take -q.  Their mass changes q slightly;
 * a rotation of all hadronic matter in its rest frame restores it. */
#ifndef PYTHIA_DIJETS_HPP
#define PYTHIA_DIJETS_HPP
#include <Pythia8/Pythia.h>
#include <Pythia8Plugins/HepMC3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace dijets
{

/* Places in Pythia's record, and its status of a parton that remains of the proton. */
enum { PROTON = 1, ELECTRON, GLUON, SCATTERED = 5, QUARK, ANTIQUARK, REMNANT = 63 };

class collinear_gluon : public Pythia8::UserHooks
{
  public:
    bool canVetoProcessLevel() override
    {
        return true;
    }
    bool doVetoProcessLevel(Pythia8::Event &process) override
    {
        process[GLUON].px(0);
        process[GLUON].py(0);
        return false;
    }
};

inline void set_up(Pythia8::Pythia &pythia)
{
    for (const char *line :
         {"PDF:lepton = off", /* the photon is part of the event */
          "PartonLevel:ISR = off", "PartonLevel:MPI = off",
          "BeamRemnants:primordialKT = off", /* q is the gluon's transverse momentum already */
          "TimeShower:QEDshowerByL = off",   /* no photons from the electron: Q2 and y stay */
          "LesHouches:setLeptonMass = 0",    /* masses and momenta stay those of the events: */
          "LesHouches:setQuarkMass = 0",     /* otherwise c and b far from Pythia's get its own */
          "HadronLevel:all = off",           /* called after the rotation */
          "Next:numberCount = 0", "Print:quiet = on"})
        pythia.readString(line);
    pythia.setUserHooksPtr(std::make_shared<collinear_gluon>());
}

/* Whether the q of the process could be kept; if not, it is as large as it can be. */
inline bool keep_q(const Pythia8::Event &process, Pythia8::Event &event)
{
    int electron = SCATTERED;
    while (event[electron].daughter1() > 0) electron = event[electron].daughter1();
    Pythia8::Vec4 wanted = process[QUARK].p() + process[ANTIQUARK].p(), found;
    std::vector<int> matter;
    for (int i = 0; i < event.size(); i++) {
        if (!event[i].isFinal() || i == electron) continue;
        matter.push_back(i);
        if (event[i].status() != REMNANT) found += event[i].p();
    }
    Pythia8::RotBstMatrix to_rest, back;
    to_rest.toCMframe(event[PROTON].p(), event[ELECTRON].p() - event[electron].p());
    wanted.rotbst(to_rest);
    found.rotbst(to_rest);
    const double sine = wanted.pT() / found.pAbs();
    double angle = std::asin(std::min(sine, 1.0));
    if (found.pz() < 0) angle = M_PI - angle;
    Pythia8::RotBstMatrix change = to_rest;
    change.rot(0, -found.phi());
    change.rot(angle - found.theta(), wanted.phi());
    back = to_rest;
    back.invert();
    change.rotbst(back);
    for (int i : matter) event[i].rotbst(change);
    return sine <= 1;
}

/* Hadrons of at most n events as HepMC3; the exit status of the program. */
inline int run(Pythia8::Pythia &pythia, const std::string &path, long n)
{
    Pythia8::Pythia8ToHepMC out(path);
    long done = 0, reduced = 0;
    while (done < n) {
        if (!pythia.next()) {
            if (pythia.info.atEndOfFile()) break;
            continue;
        }
        reduced += !keep_q(pythia.process, pythia.event);
        if (!pythia.forceHadronLevel()) continue;
        out.writeNextEvent(pythia);
        done++;
    }
    const long rejected = pythia.info.nSelected() - done; /* some are passed over without a word */
    std::printf("%ld events, %ld rejected, %ld of reduced q, cross section %.6g +- %.2g pb\n", done,
                rejected, reduced, 1e9 * pythia.info.sigmaGen(), 1e9 * pythia.info.sigmaErr());
    return done == 0 || rejected > 0;
}

} // namespace dijets
#endif

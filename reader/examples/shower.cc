/* SPDX-License-Identifier: MIT */
/* shower EVENTS.lhe OUT.hepmc [NAME=VALUE ...]: showers and hadronises the events of cgctab-events
 * with Pythia 8, as shower.py does; further arguments are settings of Pythia.
 *
 *   c++ shower.cc $(pythia8-config --cxxflags --ldflags) -lHepMC3 -o shower */
#include "pythia_dijets.hpp"

#include <climits>

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: shower EVENTS.lhe OUT.hepmc [NAME=VALUE ...]\n");
        return 2;
    }
    Pythia8::Pythia pythia("", false);
    dijets::set_up(pythia);
    pythia.readString("Beams:frameType = 4");
    pythia.readString(std::string("Beams:LHEF = ") + argv[1]);
    for (int i = 3; i < argc; i++)
        if (!pythia.readString(argv[i])) return 2;
    if (!pythia.init()) {
        std::fprintf(stderr, "shower: Pythia cannot begin with %s\n", argv[1]);
        return 1;
    }
    return dijets::run(pythia, argv[2], LONG_MAX);
}

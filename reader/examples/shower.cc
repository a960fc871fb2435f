/* SPDX-License-Identifier: MIT */
/* shower EVENTS.lhe OUT.hepmc [NAME=VALUE ...]: showers and hadronises the events of cgctab-events
 * with Pythia 8, as shower.py does; further arguments are settings of Pythia.
 *
 *   c++ shower.cc $(pythia8-config --cxxflags --ldflags) -lHepMC3 -o shower */
#include "pythia_dijets.hpp"

#include <climits>
#include <fstream>

/* Soft gluons of cgctab-events and those of the shower: whether both would make the same. */
static bool count_twice(const char *path, Pythia8::Pythia &pythia)
{
    std::ifstream file(path);
    std::string line;
    const std::string name(path);
    if (name.size() > 3 && name.compare(name.size() - 3, 3, ".gz") == 0) {
        std::fprintf(stderr, "shower: %s: is compressed; gunzip it, so that its header can be read\n",
                     path);
        return true;
    }
    while (std::getline(file, line) && line.find("</header>") == std::string::npos) {
        if (line.compare(0, 14, "# soft gluons ") != 0) continue;
        const bool jets = line.compare(14, 4, "jets") == 0 && pythia.flag("PartonLevel:FSR");
        if (!jets && !pythia.flag("PartonLevel:ISR")) return false;
        std::fprintf(stderr, "shower: %s: has soft gluons (--soft), %s\n", path,
                     jets ? "part of which the shower makes, too; take --soft hadrons, or "
                            "PartonLevel:FSR=off"
                          : "which PartonLevel:ISR would count twice; leave out one of them");
        return true;
    }
    return false;
}

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
    if (count_twice(argv[1], pythia)) return 1;
    if (!pythia.init()) {
        std::fprintf(stderr, "shower: Pythia cannot begin with %s\n", argv[1]);
        return 1;
    }
    return dijets::run(pythia, argv[2], LONG_MAX);
}

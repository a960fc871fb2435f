/* SPDX-License-Identifier: MIT */
/* lhef_hepmc EVENTS.lhe OUT.hepmc: the partons of cgctab-events as HepMC3 ASCII with their cross
 * section and weights, by HepMC3's own reader of Les Houches files.  Gluon and electron are the
 * beams there: the proton's remnants are the business of a shower.
 *
 *   c++ lhef_hepmc.cpp -lHepMC3 -o lhef_hepmc */
#include <HepMC3/GenEvent.h>
#include <HepMC3/GenParticle.h>
#include <HepMC3/LHEFAttributes.h>
#include <HepMC3/ReaderLHEF.h>
#include <HepMC3/WriterAscii.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

/* Of the nominal weight and of those in the header, which HepMC3 does not look at. */
static std::vector<std::string> weight_names(const char *path)
{
    const std::string mark = "<weight id=\"";
    std::vector<std::string> names{"Weight"};
    std::ifstream in(path);
    for (std::string line; std::getline(in, line) && line != "<init>";)
        if (line.compare(0, mark.size(), mark) == 0)
            names.push_back(line.substr(mark.size(), line.find('"', mark.size()) - mark.size()));
    return names;
}

/* Of a file that has been written to its end, the number of events; -1 for another one, as a
 * compressed file, which HepMC3's reader would take for one without events. */
static long events_in(const char *path)
{
    std::ifstream in(path);
    std::string line, last;
    long n = 0;
    while (std::getline(in, line)) {
        const char *const blank = " \t\r";
        line.erase(0, line.find_first_not_of(blank));
        line.erase(line.find_last_not_of(blank) + 1);
        n += line.compare(0, 7, "<event>") == 0 || line.compare(0, 7, "<event ") == 0;
        if (!line.empty()) last = line;
    }
    return last == "</LesHouchesEvents>" ? n : -1;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: lhef_hepmc EVENTS.lhe OUT.hepmc\n");
        return 2;
    }
    const long all = events_in(argv[1]);
    if (all < 1) {
        std::fprintf(stderr, "lhef_hepmc: %s: %s\n", argv[1],
                     all ? "cannot be read, or is no complete Les Houches file (gunzip a .gz first)"
                         : "has no events");
        return 1;
    }
    HepMC3::ReaderLHEF in(argv[1]);
    const auto run = in.run_info();
    const auto process = run->attribute<HepMC3::HEPRUPAttribute>("HEPRUP");
    run->set_weight_names(weight_names(argv[1]));
    HepMC3::WriterAscii out(argv[2], run);
    long n = 0;
    for (;; n++) {
        HepMC3::GenEvent event(HepMC3::Units::GEV, HepMC3::Units::MM);
        in.read_event(event); /* what it returns is not the same in all versions of HepMC3 */
        if (in.failed()) break;
        event.set_run_info(run);
        event.set_event_number(static_cast<int>(n));
        for (int i : {0, 1}) event.particles()[i]->set_status(4);
        const auto section = std::make_shared<HepMC3::GenCrossSection>();
        event.set_cross_section(section);
        section->set_cross_section(process->heprup.XSECUP[0], process->heprup.XERRUP[0]); /* pb */
        out.write_event(event);
    }
    out.close();
    std::printf("%ld of %ld events\n", n, all);
    return n != all;
}

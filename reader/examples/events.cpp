/* SPDX-License-Identifier: MIT */
/* events TABLE OUT.hepmc [N]: dijet events of a virtual photon on the target of the table.
 *
 * z, Q2 and x are drawn uniformly in z, ln Q2 and ln x inside the table's range of eps and x; q, k1
 * and theta by cgctab::sampler.  Writes N events (HepMC3), a hundred to each x and Q2, and prints the
 * integral of dsigma over that range (flux 1 in z, ln Q2, ln x) with its Monte Carlo error beside
 * the one by quadrature.  The quarks are massless u, d and s, and the target's area is the table's,
 * or 60 GeV^-2 where it states none.
 *
 *   c++ events.cpp $(pkg-config --cflags --libs cgctab) -lHepMC3 -o events */
#include <cgctab.hpp>

#include <HepMC3/Attribute.h>
#include <HepMC3/GenEvent.h>
#include <HepMC3/GenParticle.h>
#include <HepMC3/GenRunInfo.h>
#include <HepMC3/GenVertex.h>
#include <HepMC3/WriterAscii.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace
{

const int per_point = 100;       /* events that share a slice */
const double photon_plus = 1000; /* GeV: large momentum of the photon */
const double default_area = 60;  /* GeV^-2, of targets whose table does not state it */

/* Of z, ln Q2 and ln x; and the transverse area of the target. */
struct range {
    double from[3], length[3], S_perp;
};

/* z from 1/4 to 3/4 and all Q2 for which eps lies inside the table there. */
range inside(const cgctab::table &t)
{
    const cgct_info info = t.info();
    double low = 2 * std::log(info.eps[0]) - std::log(3.0 / 16);
    double high = 2 * std::log(info.eps[1]) - std::log(0.25);
    if (high < low) low = high = 0.5 * (low + high);
    double ln_x = std::log(info.x[0]), area = cgct_member_S_perp(t.get(), info.member);
    return {{0.25, low, ln_x},
            {0.5, high - low, std::log(info.x[1]) - ln_x},
            area > 0 ? area : default_area};
}

struct kinematics {
    double x, z, Q2, eps, factor[2];
};

kinematics at(const range &r, const double u[3])
{
    kinematics k;
    k.z = r.from[0] + u[0] * r.length[0];
    k.Q2 = std::exp(r.from[1] + u[1] * r.length[1]);
    k.x = std::exp(r.from[2] + u[2] * r.length[2]);
    const cgct_dis dis = {1 / 137.036, 2.0 / 3, r.S_perp, k.z, k.Q2, 0};
    const cgctab::factors f = cgctab::dis_factors(dis);
    k.eps = f.eps;
    for (int i = 0; i < 2; i++) k.factor[i] = f.factor[CGCT_T][i] + f.factor[CGCT_L][i];
    return k;
}

/* An axis of one value leaves no range and counts as 1. */
double volume(const range &r)
{
    return r.length[0] * (r.length[1] > 0 ? r.length[1] : 1) * (r.length[2] > 0 ? r.length[2] : 1);
}

/* Gauss-Legendre with four nodes in each of the three. */
double integral(const cgctab::table &t, const range &r)
{
    static const double node[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                   0.9305681557970263};
    static const double weight[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                     0.1739274225687269};
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        const double u[3] = {node[i % 4], node[i / 4 % 4], node[i / 16]};
        kinematics k = at(r, u);
        cgctab::sampler s(cgctab::slice(t, k.x, k.eps), k.factor[0], k.factor[1]);
        sum += weight[i % 4] * weight[i / 4 % 4] * weight[i / 16] * s.total();
    }
    return volume(r) * sum;
}

HepMC3::FourVector light_cone(double plus, double minus, double px, double py)
{
    return HepMC3::FourVector(px, py, (plus - minus) / std::sqrt(2.0),
                              (plus + minus) / std::sqrt(2.0));
}

/* photon + exchange -> quark + antiquark; q along x, the pair rotated by phi. */
HepMC3::GenEvent make_event(const kinematics &k, const cgct_event &e, double phi, double weight,
                            int number, const std::shared_ptr<HepMC3::GenRunInfo> &run)
{
    double x1 = e.k1 * std::cos(e.theta + phi), y1 = e.k1 * std::sin(e.theta + phi);
    double x2 = e.q * std::cos(phi) - x1, y2 = e.q * std::sin(phi) - y1;
    double p1 = k.z * photon_plus, p2 = (1 - k.z) * photon_plus;
    HepMC3::FourVector quark = light_cone(p1, (x1 * x1 + y1 * y1) / (2 * p1), x1, y1);
    HepMC3::FourVector other = light_cone(p2, (x2 * x2 + y2 * y2) / (2 * p2), x2, y2);
    HepMC3::FourVector photon = light_cone(photon_plus, -k.Q2 / (2 * photon_plus), 0, 0);
    HepMC3::GenEvent event(run, HepMC3::Units::GEV, HepMC3::Units::MM);
    auto vertex = std::make_shared<HepMC3::GenVertex>();
    auto in = std::make_shared<HepMC3::GenParticle>(photon, 22, 4);
    auto exchange = std::make_shared<HepMC3::GenParticle>(quark + other - photon, 990, 4);
    vertex->add_particle_in(in);
    vertex->add_particle_in(exchange);
    vertex->add_particle_out(std::make_shared<HepMC3::GenParticle>(quark, 1, 1));
    vertex->add_particle_out(std::make_shared<HepMC3::GenParticle>(other, -1, 1));
    event.add_vertex(vertex);
    event.set_event_number(number);
    event.weights().assign(1, weight);
    event.add_attribute("x", std::make_shared<HepMC3::DoubleAttribute>(k.x));
    event.add_attribute("Q2", std::make_shared<HepMC3::DoubleAttribute>(k.Q2));
    event.add_attribute("z", std::make_shared<HepMC3::DoubleAttribute>(k.z));
    return event;
}

std::shared_ptr<HepMC3::GenRunInfo> describe(const cgctab::table &t)
{
    char checksum[32];
    cgct_info info = t.info();
    std::snprintf(checksum, sizeof checksum, "%016llx", info.checksum);
    auto run = std::make_shared<HepMC3::GenRunInfo>();
    run->set_weight_names({"dsigma"});
    run->tools().push_back({"cgctab", cgct_version(), "CGC DIS dijets"});
    run->add_attribute("cgctab.table",
                       std::make_shared<HepMC3::StringAttribute>(cgct_table_path(t.get())));
    run->add_attribute("cgctab.data_version",
                       std::make_shared<HepMC3::IntAttribute>(info.data_version));
    run->add_attribute("cgctab.checksum", std::make_shared<HepMC3::StringAttribute>(checksum));
    run->add_attribute("cgctab.dipole",
                       std::make_shared<HepMC3::StringAttribute>(t.meta("dipole")));
    return run;
}

int generate(const char *path, const char *out, int n)
{
    cgctab::table t{std::string(path)};
    range r = inside(t);
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    auto random = [&] { return std::min(uniform(engine), 1 - 1e-16); };
    std::shared_ptr<HepMC3::GenRunInfo> run = describe(t);
    HepMC3::WriterAscii writer(out, run);
    int points = n / per_point, number = 0;
    double sum = 0, square = 0;
    for (int i = 0; i < points; i++) {
        const double u[3] = {random(), random(), random()};
        kinematics k = at(r, u);
        cgctab::sampler sampler(cgctab::slice(t, k.x, k.eps), k.factor[0], k.factor[1]);
        double estimate = 0;
        for (int j = 0; j < per_point; j++) {
            cgct_event e = sampler(random);
            double w = volume(r) * sampler.total() * e.weight / per_point;
            double turn = 6.283185307179586 * random();
            estimate += w;
            writer.write_event(make_event(k, e, turn, w / points, number++, run));
        }
        sum += estimate;
        square += estimate * estimate;
    }
    writer.close();
    double mean = sum / points, error = std::sqrt((square / points - mean * mean) / (points - 1));
    std::printf("%d events in %s\n", number, out);
    std::printf(
        "total cross section: %.5e +- %.1e GeV^-2 by events, %.5e by quadrature, of u, d and "
        "s without masses on %g GeV^-2\n",
        mean, error, integral(t, r), r.S_perp);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    int n = 20000;
    char end;
    if (argc < 3 || (argc > 3 && std::sscanf(argv[3], "%d%c", &n, &end) != 1) ||
        n < 2 * per_point) {
        std::fprintf(stderr, "usage: events TABLE OUT.hepmc [N]   N: hundreds, at least 200\n");
        return 2;
    }
    try {
        return generate(argv[1], argv[2], n);
    } catch (const cgctab::error &e) {
        std::fprintf(stderr, "events: %s\n", e.what());
        return 1;
    }
}

/* SPDX-License-Identifier: MIT */
/* events_pythia TABLE EExEP OUT.hepmc [N [KLO:KHI]]: dijets of electron and proton from a table to
 * hadrons in one process, without a file of partons in between.
 *
 * Both partons have transverse momenta above 2 GeV, which shapes the angle between q and the
 * relative momentum K = (1-z) k1 - z k2; or, with KLO:KHI, K lies in that range (GeV), and they
 * have any.
 *
 * The quarks are u, d, s, c and b.  The class `photon_gluon` proposes (flavour, Q2, y, z, q, k,
 * phi), where k is the shorter of k1 and k2, with simple densities; the library gives kinematics,
 * fluxes and cross section.  Pythia 8 accepts a proposal by its weight and adds up the cross
 * section.  cgctab-events does the same with a grid, which wastes fewer proposals.
 *
 *   c++ events_pythia.cc $(cgctab-config --cflags --libs) $(pythia8-config --cxxflags --ldflags) \
 *       -lHepMC3 -o events_pythia */
#include <cgctab.hpp>

#include "pythia_dijets.hpp"

#include <cmath>
#include <cstdlib>
#include <random>

namespace
{

const double pi = 3.14159265358979323846, alpha_em = 1 / 137.036;
const double picobarn = 0.3893793721e9; /* GeV^2 */
/* Flavours as often as their squared charges, u, c, d, s, b, and the sum of these. */
const int flavours[11] = {2, 2, 2, 2, 4, 4, 4, 4, 1, 3, 5};
const double charges2 = 11.0 / 9;

double mass_of(int id)
{
    return id == 5 ? 4.75 : id == 4 ? 1.4 : 0.14; /* GeV; as cgctab-events has them */
}

const double Q2_range[2] = {4, 50}, y_range[2] = {0.1, 0.9}, z_range[2] = {0.1, 0.9};
struct selection {
    double least_k, K[2]; /* GeV */
};
const double soft = 0.3; /* k is proposed with a density of (k + soft)^-3 */

struct point {
    cgct_dijet dijet;
    int id;
    double K, weight;
};

class photon_gluon : public Pythia8::LHAup
{
  public:
    photon_gluon(const std::string &path, double electron_energy, double proton_energy,
                 const selection &cuts)
        : table(path), info(table.info()), Ee(electron_energy), Ep(proton_energy),
          S_perp(cgct_member_S_perp(table.get(), info.member)), cut(cuts)
    {
    }

    bool has_area() const
    {
        return S_perp > 0;
    }

    bool setInit() override
    {
        const int trials = 200000;
        double most = 0, sum = 0;
        for (int i = 0; i < trials; i++) {
            double w = propose().weight;
            most = std::max(most, w);
            sum += w;
        }
        if (!(sum > 0)) return false;
        setBeamA(2212, Ep);
        setBeamB(11, Ee);
        setStrategy(1); /* weights in pb, which Pythia compares with the largest one */
        addProcess(1, sum / trials, 0, 1.2 * most);
        return true;
    }

    bool setEvent(int) override
    {
        point p = propose();
        double momenta[CGCT_PARTICLES][4];
        cgct_dijet_momenta(&p.dijet, momenta);
        setProcess(1, p.weight, p.K, alpha_em);
        put(21, -1, 501, 502, momenta[CGCT_GLUON], 0);
        put(11, -1, 0, 0, momenta[CGCT_LEPTON_IN], CGCT_ELECTRON_MASS);
        put(11, 1, 0, 0, momenta[CGCT_LEPTON], CGCT_ELECTRON_MASS);
        put(p.id, 1, 501, 0, momenta[CGCT_QUARK], p.dijet.mass);
        put(-p.id, 1, 0, 502, momenta[CGCT_ANTIQUARK], p.dijet.mass);
        return true;
    }

  private:
    double uniform()
    {
        return std::uniform_real_distribution<double>(0, 1)(engine);
    }

    /* In [lo, hi] with density proportional to v^-(power+1), by which density is multiplied. */
    double draw(double lo, double hi, double power, double &density)
    {
        double a = std::pow(lo, -power), b = std::pow(hi, -power);
        double v = std::pow(a + uniform() * (b - a), -1 / power);
        density *= power * std::pow(v, -power - 1) / (a - b);
        return v;
    }

    point propose()
    {
        double density = 1;
        point p = {};
        cgct_dijet &d = p.dijet;
        p.id = flavours[static_cast<int>(11 * uniform())];
        d.lepton = Ee;
        d.target = Ep;
        d.lepton_mass = CGCT_ELECTRON_MASS;
        d.mass = mass_of(p.id);
        d.Q2 = draw(Q2_range[0], Q2_range[1], 1, density);
        d.y = draw(y_range[0], y_range[1], 1e-3, density);
        d.z = z_range[0] + (z_range[1] - z_range[0]) * uniform();
        d.turn = 2 * pi * uniform();
        double q = draw(info.q[0], info.q[1], 1, density), turn = 2 * pi * uniform();
        double k = draw(cut.least_k + soft, info.k_max + soft, 2, density) - soft;
        double phi = pi * uniform(), angle = turn + (uniform() < 0.5 ? phi : -phi);
        density /= (z_range[1] - z_range[0]) * pi;
        bool of_quark = uniform() < 0.5;
        double *soft_one = of_quark ? d.k1 : d.k2, *other = of_quark ? d.k2 : d.k1;
        soft_one[0] = k * std::cos(angle);
        soft_one[1] = k * std::sin(angle);
        other[0] = q * std::cos(turn) - soft_one[0];
        other[1] = q * std::sin(turn) - soft_one[1];
        if (std::hypot(other[0], other[1]) >= k)
            /* d2q d2k = q dq k dk dphi times 2 pi of q, both signs of phi and both partons */
            p.weight = 8 * pi * q * k / density * picobarn * cross_section(p);
        return p;
    }

    /* dsigma/(dy dQ2 dz d2k1 d2k2) in GeV^-8 over the probability of the flavour; 0 where the cuts
     * or the table leave nothing. */
    double cross_section(point &p) const
    {
        const cgct_dijet &d = p.dijet;
        const cgct_dis dis = {alpha_em, charges2, S_perp, d.z, d.Q2, d.mass};
        cgct_variables v;
        double dsigma[2], flux[2];
        if (cgct_dijet_variables(&d, &v) != CGCT_OK) return 0;
        p.K = v.K;
        if (v.x > info.x[1] || v.x < info.x[0] || v.K < cut.K[0] || v.K > cut.K[1]) return 0;
        if (cgct_dsigma(table.get(), &dis, v.x, v.q, v.k1, v.theta, dsigma) != CGCT_OK) return 0;
        if (cgct_dis_fluxes(alpha_em, d.y, d.Q2, d.lepton_mass, flux) != CGCT_OK) return 0;
        return flux[CGCT_T] * dsigma[CGCT_T] + flux[CGCT_L] * dsigma[CGCT_L];
    }

    void put(int id, int status, int colour, int anticolour, const double p[4], double mass)
    {
        const int mother = status > 0;
        addParticle(id, status, mother, 2 * mother, colour, anticolour, p[0], p[1], p[2], p[3],
                    mass);
    }

    cgctab::table table;
    cgct_info info;
    double Ee, Ep, S_perp;
    selection cut;
    std::mt19937_64 engine{1};
};

} // namespace

int main(int argc, char **argv)
{
    double energy[2];
    long n = 1000;
    char end;
    selection cuts = {argc > 5 ? 0.0 : 2.0, {0, INFINITY}};
    if (argc < 4 || std::sscanf(argv[2], "%lfx%lf%c", energy, energy + 1, &end) != 2 ||
        (argc > 4 && std::sscanf(argv[4], "%ld%c", &n, &end) != 1) ||
        (argc > 5 && std::sscanf(argv[5], "%lf:%lf%c", cuts.K, cuts.K + 1, &end) != 2)) {
        std::fprintf(stderr, "usage: events_pythia TABLE EExEP OUT.hepmc [N [KLO:KHI]]\n");
        return 2;
    }
    try {
        const auto source = std::make_shared<photon_gluon>(argv[1], energy[0], energy[1], cuts);
        if (!source->has_area()) {
            std::fprintf(stderr, "events_pythia: %s does not state its transverse area\n", argv[1]);
            return 1;
        }
        Pythia8::Pythia pythia("", false);
        dijets::set_up(pythia);
        pythia.readString("Beams:frameType = 5");
        pythia.setLHAupPtr(source);
        if (pythia.init()) return dijets::run(pythia, argv[3], n);
        std::fprintf(stderr, "events_pythia: the table has no dijets for these beams\n");
        return 1;
    } catch (const cgctab::error &e) {
        std::fprintf(stderr, "events_pythia: %s\n", e.what());
        return 1;
    }
}

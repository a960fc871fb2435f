/* SPDX-License-Identifier: MIT */
/* events_pythia TABLE EExEP OUT.hepmc [N [KLO:KHI]]: dijets of electron and proton from a table to
 * hadrons in one process, without a file of partons in between.
 *
 * Both partons have transverse momenta above 2 GeV, which shapes the angle between q and the
 * relative momentum K = (1-z) k1 - z k2; or, with KLO:KHI, K lies in that range (GeV), and they
 * have any.
 *
 * The class `photon_gluon` proposes (Q2, y, z, q, k, phi), where k is the shorter of k1 and k2, with
 * simple densities; Pythia 8 accepts a proposal by its weight and adds up the cross section.
 * cgctab-events does the same with a grid, which wastes fewer proposals.
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

const double pi = 3.14159265358979323846, alpha_em = 1 / 137.036, charges2 = 2.0 / 3; /* u, d, s */
const double picobarn = 0.3893793721e9;                                               /* GeV^2 */
const double Q2_range[2] = {4, 50}, y_range[2] = {0.1, 0.9}, z_range[2] = {0.1, 0.9};
/* GeV */
struct selection {
    double least_k, K[2];
};
const selection by_k = {2, {0, INFINITY}};
const double soft = 0.3; /* k is proposed with a density of (k + soft)^-3 */

struct point {
    double Q2, y, z, q, k1, theta, weight; /* z, k1, theta: of the quark */
};

class photon_gluon : public Pythia8::LHAup
{
  public:
    photon_gluon(const std::string &path, double electron_energy, double proton_energy,
                 const selection &cuts)
        : table(path), info(table.info()), Ee(electron_energy), Ep(proton_energy),
          s(4 * electron_energy * proton_energy), S_perp(cgct_member_S_perp(table.get(), 0)),
          cut(cuts)
    {
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
        add(p);
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
        double Q2 = draw(Q2_range[0], Q2_range[1], 1, density);
        double y = draw(y_range[0], y_range[1], 1e-3, density);
        double z = z_range[0] + (z_range[1] - z_range[0]) * uniform();
        double q = draw(info.q[0], info.q[1], 1, density);
        double k = draw(cut.least_k + soft, info.k_max + soft, 2, density) - soft;
        double phi = pi * uniform();
        density /= (z_range[1] - z_range[0]) * pi;
        double other = std::sqrt(q * q + k * k - 2 * q * k * std::cos(phi));
        bool of_quark = uniform() < 0.5;
        point p = {Q2, y, z, q, k, uniform() < 0.5 ? phi : -phi, 0};
        if (!of_quark) {
            p.k1 = other;
            p.theta = std::atan2(-k * std::sin(p.theta), q - k * std::cos(p.theta));
        }
        double k1 = of_quark ? k : other, k2 = of_quark ? other : k, dsigma[2];
        double x = (Q2 + k1 * k1 / z + k2 * k2 / (1 - z)) / (y * s);
        const cgct_dis dis = {alpha_em, charges2, S_perp, z, Q2};
        double zk = of_quark ? z : 1 - z; /* the share of the parton with k */
        double K = std::sqrt(k * k + zk * zk * q * q - 2 * zk * q * k * std::cos(phi));
        if (other < k || x > info.x[1] || x < info.x[0] || K < cut.K[0] || K > cut.K[1]) return p;
        if (cgct_dsigma(table.get(), &dis, x, q, k, phi, dsigma) != CGCT_OK) return p;
        double flux = alpha_em / (2 * pi * y * Q2);
        /* d2q d2k = q dq k dk dphi times 2 pi of q, both signs of phi and both partons */
        p.weight = 8 * pi * q * k / density * picobarn * flux *
                   ((1 + (1 - y) * (1 - y)) * dsigma[CGCT_T] + 2 * (1 - y) * dsigma[CGCT_L]);
        return p;
    }

    /* As the manual of cgctab-events derives: l, P beams; photon + Q2/(y s) P = n is light-like. */
    void add(const point &p)
    {
        using Pythia8::Vec4;
        const double turn = 2 * pi * uniform(), lepton = 2 * pi * uniform(), ys = p.y * s;
        const double pt = std::sqrt((1 - p.y) * p.Q2), lx = pt * std::cos(lepton),
                     ly = pt * std::sin(lepton);
        const Vec4 l(0, 0, -Ee, Ee), P(0, 0, Ep, Ep);
        const Vec4 out = (1 - p.y) * l + p.Q2 / s * P + Vec4(lx, ly, 0, 0);
        const Vec4 n = l - out + p.Q2 / ys * P;
        const Vec4 ex = Vec4(1, 0, 0, 0) - 2 * lx / ys * P, ey = Vec4(0, 1, 0, 0) - 2 * ly / ys * P;
        const double x1 = p.k1 * std::cos(p.theta + turn), y1 = p.k1 * std::sin(p.theta + turn);
        const double x2 = p.q * std::cos(turn) - x1, y2 = p.q * std::sin(turn) - y1;
        const Vec4 quark = p.z * n + (x1 * x1 + y1 * y1) / (p.z * ys) * P + x1 * ex + y1 * ey;
        const Vec4 other =
            (1 - p.z) * n + (x2 * x2 + y2 * y2) / ((1 - p.z) * ys) * P + x2 * ex + y2 * ey;
        static const int flavours[6] = {2, 2, 2, 2, 1, 3}; /* by the squares of the charges */
        const int id = flavours[static_cast<int>(6 * uniform())];
        const double Kx = x1 - p.z * (x1 + x2), Ky = y1 - p.z * (y1 + y2);
        setProcess(1, p.weight, std::sqrt(Kx * Kx + Ky * Ky), alpha_em);
        put(21, -1, 501, 502, quark + other + out - l);
        put(11, -1, 0, 0, l);
        put(11, 1, 0, 0, out);
        put(id, 1, 501, 0, quark);
        put(-id, 1, 0, 502, other);
    }

    void put(int id, int status, int colour, int anticolour, const Pythia8::Vec4 &p)
    {
        const int mother = status > 0;
        addParticle(id, status, mother, 2 * mother, colour, anticolour, p.px(), p.py(), p.pz(),
                    p.e(), 0);
    }

    cgctab::table table;
    cgct_info info;
    double Ee, Ep, s, S_perp;
    selection cut;
    std::mt19937_64 engine{1};
};

int generate(const char *path, const double energy[2], const selection &cuts, const char *out,
             long n)
{
    Pythia8::Pythia pythia("", false);
    dijets::set_up(pythia);
    pythia.readString("Beams:frameType = 5");
    pythia.setLHAupPtr(std::make_shared<photon_gluon>(path, energy[0], energy[1], cuts));
    if (!pythia.init()) {
        std::fprintf(stderr, "events_pythia: the table has no dijets for these beams\n");
        return 1;
    }
    return dijets::run(pythia, out, n);
}

} // namespace

int main(int argc, char **argv)
{
    double energy[2];
    long n = 1000;
    char end;
    selection cuts = by_k;
    if (argc > 5) cuts.least_k = 0;
    if (argc < 4 || std::sscanf(argv[2], "%lfx%lf%c", energy, energy + 1, &end) != 2 ||
        (argc > 4 && std::sscanf(argv[4], "%ld%c", &n, &end) != 1) ||
        (argc > 5 && std::sscanf(argv[5], "%lf:%lf%c", cuts.K, cuts.K + 1, &end) != 2)) {
        std::fprintf(stderr, "usage: events_pythia TABLE EExEP OUT.hepmc [N [KLO:KHI]]\n");
        return 2;
    }
    try {
        return generate(argv[1], energy, cuts, argv[3], n);
    } catch (const cgctab::error &e) {
        std::fprintf(stderr, "events_pythia: %s\n", e.what());
        return 1;
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the C++ binding: copies, moves, what outlives what.  Run it in a folder with the tables
// t.cgct, of one member, h.cgct, of three, and pa.cgct, of forward dijets; it prints what the last two
// give at a point of each.
#include <cgctab.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

static void check(bool holds, const char *name)
{
    if (holds) return;
    std::printf("cxx_binding: %s\n", name);
    std::exit(1);
}

static bool near(double a, double b)
{
    return a >= b * (1 - 1e-12) && a <= b * (1 + 1e-12);
}

template <class Call> static std::string said(Call call)
{
    try {
        call();
    } catch (const cgctab::error &e) {
        return e.what();
    }
    return "nothing";
}

template <class Call> static bool refuses(Call call, cgct_status why = CGCT_E_USAGE)
{
    try {
        call();
    } catch (const cgctab::error &e) {
        return e.status() == why;
    }
    return false;
}

static void check_copies()
{
    std::vector<cgctab::sampler> samplers;
    std::vector<cgctab::slice> slices;
    cgctab::values want;
    {
        cgctab::table one("t.cgct"), two(one);
        one.load();
        const cgctab::table third = cgctab::table("h.cgct").member("1"), same("h.cgct@1");
        check(third(0.001, 0.5, 1, 1, 1) == same(0.001, 0.5, 1, 1, 1), "member");
        one = two;
        want = two(0.01, 1, 1.5, 2, 1);
        cgctab::table moved(std::move(two));
        check(moved(0.01, 1, 1.5, 2, 1) == want, "moved table");
        check(refuses([&] { two(0.01, 1, 1.5, 2, 1); }), "table that was moved from");
        check(refuses([&] { two.eval_members(0.01, 1, 1.5, 2, 1); }), "its members");
        check(refuses([&] { cgctab::slice(two, 0.01, 1); }), "its slice");
        check(two.meta("dipole").empty() && two.axis(CGCT_AXIS_Q).empty(), "its metadata");
        slices.push_back(cgctab::slice(one, 0.01, 1));
        for (int i = 0; i < 3; i++) samplers.push_back(cgctab::sampler(slices[0], 1, 1));
        one = cgctab::table("h.cgct");
    }
    cgctab::slice at = std::move(slices[0]);
    check(refuses([&] { slices[0](1.5, 2, 1); }), "slice that was moved from");
    check(refuses([&] { cgctab::sampler(slices[0], 1, 1); }), "its sampler");
    slices.clear();
    const cgctab::values got = at(1.5, 2, 1);
    for (int p = 0; p < 2; p++)
        check(got[p] > want[p] * (1 - 1e-9) && got[p] < want[p] * (1 + 1e-9), "slice alone");
    const double total = samplers[0].total();
    at = cgctab::slice(cgctab::table("h.cgct"), 0.001, 0.5);
    samplers.erase(samplers.begin());
    check(samplers[0].total() == total && samplers[1]([] { return 0.5; }).q > 0, "sampler alone");
    check(samplers[0].many({}).empty(), "no events");
    check(refuses([&] { samplers[0].many({0.5}); }), "four numbers missing");
}

static void check_kinematics()
{
    const cgct_dis d = {1, 1, 1, 0.5, 0, 1.5};
    const cgctab::factors f = cgctab::dis_factors(d);
    check(f.eps == 1.5 && f.factor[0][1] == 2 * f.factor[0][0] && f.factor[1][1] == 0, "factors");
    check(cgctab::dis_fluxes(0.5, 4)[0] < cgctab::dis_fluxes(0.5, 4, 1 / 137.036, 0)[0], "fluxes");
    const cgct_dijet pair = {18, 275, 0, 0, 0.5, 0, 0.5, 1.5, {3, 0}, {-1, 0}, 0};
    const cgctab::momenta p = cgctab::dijet_momenta(pair);
    check(cgctab::dijet_variables(pair).q == 2 && p[CGCT_LEPTON][2] == -9, "kinematics");
    bool refused = false;
    try {
        cgctab::dis_fluxes(0.5, 0);
    } catch (const cgctab::error &e) {
        refused = e.status() == CGCT_E_DOMAIN;
    }
    check(refused, "no virtuality");
}

static void print_forward()
{
    const cgctab::table t("pa.cgct");
    const cgctab::pa_slice s(t, 2e-3);
    for (int i = 0; i < 3; i++) {
        const cgct_channel c = (cgct_channel)i;
        double error;
        const double T = t.pa(c, {{2e-3, 0.4, 2, 1.5, 2.5, 1}}, &error);
        const double again = s(c, {{0.4, 2, 1.5, 2.5, 1}});
        check(t.pa(c, {{2e-3, 0.4, 2, 1.5, 2.5, 1}}) == T, "without an error");
        std::printf("%.9e %.9e\n%.9e %.9e\n", T, error, again, cgct_pa_factor(c, 0.4));
    }
    const std::string why = said([&] { t.pa(CGCT_QG, {{2e-3, 1.5, 2, 1.5, 2.5, 1}}); });
    check(why == "z = 1.5, want 0 < z < 1", "share above 1");
    check(refuses([&] { cgctab::slice(t, 2e-3, 1); }), "slice of photons");
    check(refuses([&] { cgctab::pa_slice(cgctab::table("t.cgct"), 0.01); }), "slice of protons");
}

int main()
{
    check_copies();
    const cgctab::table t("h.cgct");
    const double x = 0.001, eps = 0.5, q = 3, k1 = 4, theta = 1;
    const cgctab::values e = t.eval_error(x, eps, q, k1, theta);
    const cgctab::values r = t.reference(x, eps, q, k1, theta);
    const std::vector<cgctab::values> m = t.eval_members(x, eps, q, k1, theta);
    const cgctab::interval u = t.uncertainty(x, eps, q, k1, theta);
    check(t.members().size() == 3 && t.members()[0] == "central", "names");
    check(t.reference_members(x, eps, q, k1, theta)[0] == r, "limits of members");
    check(t.uncertainty_of({m[0][1], m[1][1], m[2][1]})[2] == u.high[1], "range");
    check(refuses([&] { t.uncertainty_of({1, 2}); }), "one number missing");
    const cgct_dis d = {1 / 137.036, 1, 0, 0.5, 0.36, 0.4};
    check(near(t.dsigma_members(d, x, q, k1, theta)[0][0], t.dsigma(d, x, q, k1, theta)[0]),
          "cross section");
    double error;
    const std::array<double, 5> at = {{x, eps, q, k1, theta}};
    check(near(t.eval_one(CGCT_L, at, &error), m[0][1]) && near(error, e[1]), "one");
    check(near(t.eval_one_members(CGCT_L, at)[2], m[2][1]), "one of all");
    check(cgctab::sampler(cgctab::slice(t, x, eps), 1, 1).left_out() == 0, "left out");
    const cgctab::slice there(t, x, eps);
    const std::string far = said([&] { t(x, eps, 1e3, k1, theta); });
    check(far.find("1000") != std::string::npos, "momentum in the message");
    check(said([&] { there(1e3, k1, theta); }) == far, "that of a slice");
    cgct_dis same_eps = d;
    same_eps.Q2 = 1, same_eps.mass = 0; /* z (1 - z) Q2 = eps^2 */
    check(said([&] { t.dsigma(same_eps, x, 1e3, k1, theta); }) == far, "of a cross section");
    check(said([&] { t.dsigma_members(same_eps, x, 1e3, k1, theta); }) == far, "of members");
    same_eps.z = 2;
    check(refuses([&] { t.dsigma(same_eps, x, q, k1, theta); }, CGCT_E_DOMAIN), "share of 2");
    cgctab::table edge("h.cgct");
    check(refuses([&] { edge(1e-30, eps, q, k1, theta); }, CGCT_E_RANGE), "outside");
    edge.set_policy(CGCT_POLICY_FREEZE);
    edge.set_negative(CGCT_NEGATIVE_KEEP);
    check(edge(1e-30, eps, q, k1, theta)[0] > 0, "at the edge");
    check(refuses([&] { edge.set_policy(static_cast<cgct_policy>(7)); }), "no policy");
    check(refuses([&] { edge.set_negative(static_cast<cgct_negative>(7)); }), "no choice");
    check_kinematics();
    for (cgctab::values v :
         {t(x, eps, q, k1, theta), e, r, m[0], m[1], m[2], u.central, u.low, u.high})
        std::printf("%.9e %.9e\n", v[0], v[1]);
    print_forward();
    return 0;
}

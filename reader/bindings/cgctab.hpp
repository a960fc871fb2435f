/* SPDX-License-Identifier: MIT */
/* cgctab.hpp: the reader for C++11 and later: objects that close themselves, errors as exceptions.
 * A table may be evaluated by any number of threads; slices and samplers keep their table open.
 * Copies share what they hold, policies too.  To evaluate an object that was moved from throws
 * CGCT_E_USAGE. */
#ifndef CGCTAB_HPP
#define CGCTAB_HPP
#include "cgctab.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace cgctab
{

/* what(): the message of the call, or the one line of the status. */
class error : public std::runtime_error
{
  public:
    error(cgct_status status, const std::string &text) : std::runtime_error(text), status_(status)
    {
    }
    cgct_status status() const noexcept
    {
        return status_;
    }

  private:
    cgct_status status_;
};

inline void require(cgct_status status, const char *text)
{
    if (status != CGCT_OK) throw error(status, text && *text ? text : cgct_strerror(status));
}

using values = std::array<double, 2>; /* T, L */

/* ---- cross section and kinematics: cgctab.h has the formulas ---- */

struct factors {
    double eps;          /* GeV */
    double factor[2][2]; /* [photon][I] */
};

inline factors dis_factors(const cgct_dis &dis)
{
    factors f;
    require(cgct_dis_factors(&dis, &f.eps, f.factor), nullptr);
    return f;
}

inline values dis_fluxes(double y, double Q2, double alpha_em = 1 / 137.036,
                         double lepton_mass = CGCT_ELECTRON_MASS)
{
    values flux;
    require(cgct_dis_fluxes(alpha_em, y, Q2, lepton_mass, flux.data()), nullptr);
    return flux;
}

inline cgct_variables dijet_variables(const cgct_dijet &dijet)
{
    cgct_variables v;
    require(cgct_dijet_variables(&dijet, &v), nullptr);
    return v;
}

/* (px, py, pz, E) in GeV of CGCT_GLUON, CGCT_LEPTON_IN ... */
struct momenta {
    double p[CGCT_PARTICLES][4];
    const double *operator[](std::size_t particle) const noexcept
    {
        return p[particle];
    }
};

inline momenta dijet_momenta(const cgct_dijet &dijet)
{
    momenta all;
    require(cgct_dijet_momenta(&dijet, all.p), nullptr);
    return all;
}

/* ---- tables ---- */

struct interval {
    values central, low, high;
};

class table
{
  public:
    explicit table(const std::string &path)
    {
        cgct_table *t = nullptr;
        cgct_err err = {""};
        require(cgct_open(path.c_str(), &t, &err), err.text);
        handle_.reset(t, cgct_close);
    }
    /* Another member, by name or number, which shares what the file holds. */
    table member(const std::string &name) const
    {
        cgct_table *t = nullptr;
        cgct_err err = {""};
        require(cgct_open_member(get(), name.c_str(), &t, &err), err.text);
        table other(*this);
        const std::shared_ptr<cgct_table> whole = handle_;
        other.handle_.reset(t, [whole](cgct_table *own) { cgct_close(own); });
        return other;
    }
    /* Unpacks all of it now (cgct_load): a good idea before many threads share it. */
    void load() const
    {
        cgct_err err = {""};
        require(cgct_load(get(), &err), err.text);
    }
    /* Call this before threads share the table. */
    void set_policy(cgct_policy policy)
    {
        require(cgct_set_policy(handle_.get(), policy), nullptr);
    }
    void set_negative(cgct_negative negative)
    {
        require(cgct_set_negative(handle_.get(), negative), nullptr);
    }
    values operator()(double x, double eps, double q, double k1, double theta) const
    {
        return at(cgct_eval, x, eps, q, k1, theta);
    }
    /* A bound on |error of I|. */
    values eval_error(double x, double eps, double q, double k1, double theta) const
    {
        return at(cgct_eval_error, x, eps, q, k1, theta);
    }
    /* I of one polarisation, with the bound on its error where error is not null. */
    double eval_one(int polarisation, const std::array<double, 5> &at,
                    double *error = nullptr) const
    {
        double value;
        checked(cgct_eval_one(get(), polarisation, at.data(), &value, error), at[0], at[1], at[2],
                at[3], at[4]);
        return value;
    }
    std::vector<double> eval_one_members(int polarisation, const std::array<double, 5> &at) const
    {
        std::vector<double> v(info().members);
        checked(cgct_eval_one_members(get(), polarisation, at.data(), v.data(), nullptr), at[0],
                at[1], at[2], at[3], at[4]);
        return v;
    }
    /* The correlation limit; NaN where it is not known. */
    values reference(double x, double eps, double q, double k1, double theta) const
    {
        return at(cgct_reference, x, eps, q, k1, theta);
    }
    std::vector<std::string> members() const
    {
        std::vector<std::string> names(info().members);
        for (std::size_t i = 0; i < names.size(); i++) names[i] = cgct_member_name(get(), i);
        return names;
    }
    /* One value for each member. */
    std::vector<values> eval_members(double x, double eps, double q, double k1, double theta) const
    {
        std::vector<values> v(info().members);
        checked(cgct_eval_members(get(), x, eps, q, k1, theta, v[0].data()), x, eps, q, k1, theta);
        return v;
    }
    /* The correlation limit of each member. */
    std::vector<values> reference_members(double x, double eps, double q, double k1,
                                          double theta) const
    {
        std::vector<values> v(info().members);
        checked(cgct_reference_members(get(), x, eps, q, k1, theta, v[0].data()), x, eps, q, k1,
                theta);
        return v;
    }
    /* Central value and range of the members, see cgct_uncertainty. */
    interval uncertainty(double x, double eps, double q, double k1, double theta) const
    {
        interval v;
        checked(cgct_uncertainty(get(), x, eps, q, k1, theta, v.central.data(), v.low.data(),
                                 v.high.data()),
                x, eps, q, k1, theta);
        return v;
    }
    /* Central value, low and high of what was computed for each member, see cgct_uncertainty_of. */
    std::array<double, 3> uncertainty_of(const std::vector<double> &each) const
    {
        std::array<double, 3> range;
        require(each.size() == info().members ? CGCT_OK : CGCT_E_USAGE,
                "uncertainty_of: want a value for each member");
        require(cgct_uncertainty_of(get(), each.data(), range.data()), nullptr);
        return range;
    }
    /* Of transverse and longitudinal photons; one pair for each member. */
    std::vector<values> dsigma_members(const cgct_dis &dis, double x, double q, double k1,
                                       double theta) const
    {
        std::vector<values> v(info().members);
        checked(cgct_dsigma_members(get(), &dis, x, q, k1, theta, v[0].data()), dis, x, q, k1,
                theta);
        return v;
    }
    values dsigma(const cgct_dis &dis, double x, double q, double k1, double theta) const
    {
        values v;
        checked(cgct_dsigma(get(), &dis, x, q, k1, theta, v.data()), dis, x, q, k1, theta);
        return v;
    }
    /* Forward dijets (tables of process pa): T in GeV^-4 at x, z, k1, k2, angle, Lambda, with the
     * bound on its error where error is not null; see cgct_pa_eval and cgct_pa_factor. */
    double pa(cgct_channel channel, const std::array<double, 6> &at, double *error = nullptr) const
    {
        double T;
        cgct_err err = {""};
        const cgct_status status = cgct_pa_eval(get(), channel, at.data(), &T, error);
        if (status != CGCT_OK) cgct_pa_check(get(), channel, at.data(), &err);
        require(status, err.text);
        return T;
    }
    /* Empty where there is no such key. */
    std::string meta(const std::string &key) const
    {
        const char *text = cgct_meta(get(), key.c_str());
        return text ? text : "";
    }
    cgct_info info() const
    {
        cgct_info i;
        require(cgct_table_info(get(), &i), nullptr);
        return i;
    }
    std::vector<double> axis(cgct_axis a) const
    {
        std::size_t n = 0;
        const double *v = cgct_axis_values(get(), a, &n);
        return std::vector<double>(v, v + n);
    }
    const cgct_table *get() const noexcept
    {
        return handle_.get();
    }

  private:
    /* For a point that failed: throws the message of cgct_check. */
    void checked(cgct_status status, double x, double eps, double q, double k1, double theta) const
    {
        cgct_err err = {""};
        if (status != CGCT_OK) cgct_check(get(), x, eps, q, k1, theta, &err);
        require(status, err.text);
    }
    void checked(cgct_status status, const cgct_dis &dis, double x, double q, double k1,
                 double theta) const
    {
        if (status == CGCT_OK) return;
        cgct_dis per_area = dis;
        per_area.S_perp = 1;
        double eps, factor[2][2];
        if (cgct_dis_factors(&per_area, &eps, factor) == CGCT_OK)
            checked(status, x, eps, q, k1, theta);
        require(status, nullptr);
    }
    template <class Call>
    values at(Call call, double x, double eps, double q, double k1, double theta) const
    {
        values v;
        checked(call(get(), x, eps, q, k1, theta, v.data()), x, eps, q, k1, theta);
        return v;
    }
    std::shared_ptr<cgct_table> handle_;
    friend class slice;
};

class slice
{
  public:
    slice(const table &t, double x, double eps) : table_(t), x_(x), eps_(eps)
    {
        cgct_slice *s = nullptr;
        cgct_err err = {""};
        require(cgct_slice_init(&s, t.get(), x, eps, &err), err.text);
        handle_.reset(s, cgct_slice_free);
    }
    values operator()(double q, double k1, double theta) const
    {
        values v;
        table_.checked(cgct_slice_eval(get(), q, k1, theta, v.data()), x_, eps_, q, k1, theta);
        return v;
    }
    const cgct_slice *get() const noexcept
    {
        return handle_.get();
    }

  private:
    table table_;
    double x_, eps_;
    std::shared_ptr<cgct_slice> handle_;
};

/* T at many points of one x: z, k1, k2, angle, Lambda. */
class pa_slice
{
  public:
    pa_slice(const table &t, double x) : table_(t)
    {
        cgct_pa_slice *s = nullptr;
        cgct_err err = {""};
        require(cgct_pa_slice_init(&s, t.get(), x, &err), err.text);
        handle_.reset(s, cgct_pa_slice_free);
    }
    double operator()(cgct_channel channel, const std::array<double, 5> &at) const
    {
        double T;
        require(cgct_pa_slice_eval(handle_.get(), channel, at.data(), &T), nullptr);
        return T;
    }

  private:
    table table_;
    std::shared_ptr<cgct_pa_slice> handle_;
};

class sampler
{
  public:
    sampler(const slice &s, double factor_T, double factor_L) : slice_(s)
    {
        const double factor[2] = {factor_T, factor_L};
        cgct_sampler *p = nullptr;
        cgct_err err = {""};
        require(cgct_sampler_init(&p, s.get(), factor, &err), err.text);
        handle_.reset(p, cgct_sampler_free);
    }
    /* uniform(): numbers in [0,1). */
    template <class Uniform> cgct_event operator()(Uniform &&uniform) const
    {
        double u[5];
        for (double &v : u) v = uniform();
        cgct_event e;
        require(cgct_sample(handle_.get(), u, &e), nullptr);
        return e;
    }
    /* Events from numbers uniform in [0,1), five each. */
    std::vector<cgct_event> many(const std::vector<double> &u) const
    {
        require(u.size() % 5 ? CGCT_E_USAGE : CGCT_OK, "many: five numbers make an event");
        std::vector<cgct_event> events(u.size() / 5);
        require(cgct_sample_many(handle_.get(), events.size(), u.data(), events.data(), nullptr),
                nullptr);
        return events;
    }
    double total() const noexcept
    {
        return cgct_sampler_total(handle_.get());
    }
    double left_out() const noexcept
    {
        return cgct_sampler_left_out(handle_.get());
    }

  private:
    slice slice_;
    std::shared_ptr<cgct_sampler> handle_;
};

} // namespace cgctab
#endif

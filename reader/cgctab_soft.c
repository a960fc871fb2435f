/* SPDX-License-Identifier: MIT */
/* Soft gluons: a pair of partons, nearly back to back, and the gluons that it and the incoming
 * gluon radiate.  Optional: nothing else of the reader calls it.
 *
 * With u = ln(P/k), and P times the scale of the options, the number of gluons is
 *   n(k,phi) d2k = alpha_s(k)/pi^2 { Nc u + B + 2 C2 cos 2phi + 2 C4 cos 4phi } du dphi,  u > 0
 * from the eikonal factors outside of two jets, to leading power in their radius.  Where the braces
 * would be negative, their part that depends on the angle is reduced until they are 0 at least.
 *
 * The sum of a Poisson number of gluons has the density
 *   W(k) = Int d2R/(2pi)^2 e^{ikR - S(R)}     S(R) = Int d2k n(k) (1 - cos kR)
 * Everything is computed on logarithmic grids of one step, in units of P: S with f = k^2 n linear
 * between nodes and the integrals of Bessel functions over each cell, W by a convolution whose
 * kernel is known as a Mellin transform. */
#include <math.h>
#include <stdlib.h>

#define CGCTAB_PRIVATE
#include "cgctab.h"

#define PI 3.14159265358979323846
#define NC 3.0
#define CF (4.0 / 3)
#define LAMBDA 0.241 /* GeV, of three flavours */
#define COUPLING (12 * PI / 27)

/* With these W at P = 5 GeV is that of a direct transform to 1e-4 up to k = 0.8 P, and to 1e-3
 * up to 1.2 P. */
enum { N = 512, KEPT = 320, MODES = 4, ANGLES = 8 }; /* modes 2m, m < MODES; angles to pi/2 */
#define STEP (18.0 / N)
#define LN_T (-8.0)  /* least ln(P R) */
#define LN_K (-8.0)  /* least ln(k/P) */
#define T_MOST 200.0 /* beyond it integrals over Bessel functions are 0 to 3e-4 of f at k = P */

enum { P_MOST = 64 };
#define P_LEAST 0.5 /* GeV */
#define P_STEP 0.16 /* in ln P */

enum { RINGS = 65, TURNS = 48, QUARTER = TURNS / 4, SMALL = 24 }; /* points of a convolution */
#define RING_LEAST 0.003                                          /* GeV */

enum { ALPHAS = 2000 };
#define LN_FIRST (-10.0) /* of the k in GeV where alpha_s is kept, linear between every 0.01 */

struct cgct_soft {
    cgct_soft_options of;
    double alpha[ALPHAS];
    double mu5; /* (mu0^2/Lambda^2)^5 */
    const cgct_table *table;
    cgct_slice *slice;
    double x, eps, q[2], k_max;
    size_t n_P, modes;
    double *W;    /* (n_P, modes, KEPT): k^2 W_2m */
    double *rest; /* (n_P): what of W is a delta function at k = 0 */
};

/* ---- emission ---- */

typedef struct {
    double P, B, C2, C4; /* P: with its scale */
    double most, least;  /* of 2 C2 cos 2phi + 2 C4 cos 4phi */
} emission;

static double alpha_s(const cgct_soft *s, double k)
{
    const double v = k * k / (LAMBDA * LAMBDA);
    if (s->of.coupling > 0) return s->of.coupling;
    return COUPLING / (0.2 * log(s->mu5 + v * v * v * v * v));
}

/* To 1e-4 of it, in less time. */
static double kept_alpha(const cgct_soft *s, double ln_k)
{
    const double at = fmin(fmax((ln_k - LN_FIRST) / 0.01, 0), ALPHAS - 2);
    const int cell = (int)at;
    return s->alpha[cell] + (at - cell) * (s->alpha[cell + 1] - s->alpha[cell]);
}

static void begin_emission(const cgct_soft *s, double P, double eps, double z, emission *e)
{
    const cgct_soft_options *o = &s->of;
    const double r2 = log(o->radius * o->radius), dy = fmin(fabs(log(z / (1 - z))), 10);
    const double l = dy + 2 * log1p(exp(-dy)); /* ln(2 + 2 cosh dy) */
    const double c2 = cosh(dy) * l - dy * sinh(dy);
    const double c4 = 2 + 2 * cosh(dy) - cosh(2 * dy) * l + dy * sinh(2 * dy);
    e->P = o->scale * P;
    e->B = NC * log1p(eps * eps / (P * P));
    e->C2 = e->C4 = 0;
    if (!o->hadrons) {
        const double R2 = o->radius * o->radius, c = 1 / (1 + 1 / cosh(dy));
        const double legs = NC / 4 * R2, dipole = R2 / (4 * NC); /* n^2 = 0, 4, 16 */
        e->B += CF * (-log(z * (1 - z)) - r2) - legs * (0.5 + c) + dipole * (c - 0.5);
        e->C2 = -NC / 2 * (1 + r2) + (r2 + c2) / (2 * NC) + legs * (1.5 - c) + dipole * (c - 2.5);
        e->C4 = -NC / 2 * (2.5 + r2) + (r2 + c4) / (2 * NC) + legs * (7.5 - c) +
                dipole * (c - 8.5) - 1.4 * R2 * R2;
    }
    if (o->isotropic) e->C2 = e->C4 = 0;
    const double end[2] = {2 * (e->C4 + e->C2), 2 * (e->C4 - e->C2)};
    e->most = fmax(end[0], end[1]);
    e->least = fmin(end[0], end[1]);
    if (fabs(e->C2) < 4 * fabs(e->C4)) { /* between these */
        const double v = -2 * e->C4 - e->C2 * e->C2 / (4 * e->C4);
        e->most = fmax(e->most, v);
        e->least = fmin(e->least, v);
    }
}

/* The share that is kept of what depends on the angle. */
static double kept_share(const emission *e, double u)
{
    const double mean = NC * u + e->B;
    return mean + e->least < 0 ? mean / -e->least : 1;
}

static double angular(const emission *e, double cos_2phi)
{
    return 2 * (e->C2 * cos_2phi + e->C4 * (2 * cos_2phi * cos_2phi - 1));
}

static int is_emission(const cgct_soft *s, double P, double eps, double z)
{
    return s && cgct_positive(P) && cgct_positive(eps) && P > 1e-3 && P < 1e6 && eps < 1e6 &&
           z > 0 && z < 1 && z * (1 - z) > 1e-9;
}

double cgct_soft_density(const cgct_soft *s, double P, double eps, double z, double k, double phi)
{
    emission e;
    if (!is_emission(s, P, eps, z) || !cgct_positive(k) || !cgct_finite(phi) || k < 1e-12)
        return CGCT_NAN;
    begin_emission(s, P, eps, z, &e);
    if (k >= e.P || k < s->of.cut) return 0;
    const double u = log(e.P / k), mean = NC * u + e.B;
    return alpha_s(s, k) / (PI * PI * k * k) *
           (mean + kept_share(&e, u) * angular(&e, cos(2 * phi)));
}

/* ---- gluons of an event ----
 *
 * A Poisson process in u, thinned: candidates have the largest coupling and the largest value of
 * the braces over the angle.  Gluons below SOFTEST P are so many that their sum is Gaussian. */
#define SOFTEST 0.02
enum { STEPS = 5 }; /* in u, each with a largest coupling of its own */

/* Independent numbers in [0,1); NaN from the first on that is not. */
typedef struct {
    double (*uniform)(void *);
    void *state;
    int failed;
} numbers;

static double next_of(numbers *from)
{
    const double v = from->failed ? CGCT_NAN : from->uniform(from->state);
    from->failed = !(v >= 0 && v < 1);
    return from->failed ? CGCT_NAN : v;
}

static double minus_log_of(numbers *from)
{
    const double v = next_of(from);
    return -log(v < 1e-300 ? 1e-300 : v);
}

/* ln of the ratio of the probabilities that none is radiated, at half the scale and as it is:
 * (2/pi) Int_0^end du alpha_s [(Nc u + B) - the same at half the scale]. */
static double half_scale_exponent(const cgct_soft *s, const emission *e, double end)
{
    static const double node[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight[3] = {5 / 18.0, 8 / 18.0, 5 / 18.0};
    const double ln2 = fmin(log(2), end), h = (end - ln2) / 4; /* a cell to ln 2, four beyond */
    const double ln_P = log(e->P);
    double sum = 0;
    for (int i = 0; i < 15; i++) {
        const double width = i < 3 ? ln2 : h, from = i < 3 ? 0 : ln2 + (i / 3 - 1) * h;
        const double u = from + width * node[i % 3], less = i < 3 ? NC * u + e->B : NC * log(2);
        sum += width * weight[i % 3] * kept_alpha(s, ln_P - u) * less;
    }
    return 2 / PI * sum;
}

cgct_status cgct_soft_draw(const cgct_soft *s, double P, double eps, double z,
                           double (*uniform)(void *), void *state, cgct_gluons *g)
{
    static const cgct_gluons none = {0, {0, 0}, {1, 1}};
    numbers from = {uniform, state, 0};
    emission e;
    if (!g || !uniform || !s) return CGCT_E_USAGE;
    *g = none;
    if (!is_emission(s, P, eps, z)) return CGCT_E_DOMAIN;
    begin_emission(s, P, eps, z, &e);
    const double softest = fmax(s->of.cut, SOFTEST * e.P);
    if (softest >= e.P) return CGCT_OK;
    const double end = log(e.P / softest), top = e.B + e.most, ln_P = log(e.P);
    double u = 0, alpha = 0, last = 0; /* a candidate; the largest coupling up to u = last */
    for (int step = 0; !from.failed;) {
        if (u >= last) {
            if (step == STEPS) break;
            u = last;
            last = end * ++step / STEPS;
            alpha = kept_alpha(s, ln_P - last);
        }
        const double sum = minus_log_of(&from) * PI / 2 / alpha;
        u = (sqrt((top + NC * u) * (top + NC * u) + 2 * NC * sum) - top) / NC;
        if (u >= last) continue;
        const double accept = next_of(&from) * alpha * (NC * u + top) / kept_alpha(s, ln_P - u);
        if (accept > NC * u + top) continue;
        const double phi = 2 * PI * next_of(&from), c = cos(phi), a = angular(&e, 2 * c * c - 1);
        const double mean = NC * u + e.B, v = mean + kept_share(&e, u) * a;
        if (accept >= v) continue;
        const double k = e.P * exp(-u);
        g->n++;
        g->k[0] += k * c;
        g->k[1] += k * sin(phi);
        g->weight[CGCT_SOFT_ISOTROPIC] *= mean / v;
        const double less = u - log(2);
        g->weight[CGCT_SOFT_HALF_SCALE] *=
            less > 0 ? (NC * less + e.B + kept_share(&e, less) * a) / v : 0;
    }
    if (g->weight[CGCT_SOFT_HALF_SCALE] > 0)
        g->weight[CGCT_SOFT_HALF_SCALE] *= exp(half_scale_exponent(s, &e, end));
    if (s->of.cut >= SOFTEST * e.P && !from.failed) return CGCT_OK;
    /* of k^2 from the cut to the softest */
    const double square = softest * softest - s->of.cut * s->of.cut;
    const double r = sqrt(minus_log_of(&from) * alpha / PI * square);
    const double turn = 2 * PI * next_of(&from), all = NC * (end + 0.5) + e.B;
    const double along = kept_share(&e, end) * e.C2;
    g->k[0] += r * sqrt(all + along) * cos(turn);
    g->k[1] += r * sqrt(fmax(all - along, 0)) * sin(turn);
    if (!from.failed) return CGCT_OK;
    *g = none;
    return CGCT_E_DOMAIN;
}

/* ---- integrals over Bessel functions ---- */

/* 1 - J0, J2, J4 by recurrence downwards. */
static void bessel(double t, double out[3])
{
    double above = 0, here = 1e-30, sum = 0, J[5] = {0};
    for (int n = 2 * (int)(t / 2 + 14 + 2 * cbrt(t)); n >= 0; n--) {
        if (n < 5) J[n] = here;
        if (n % 2 == 0) sum += n ? 2 * here : here;
        const double below = 2 * n / t * here - above;
        above = here;
        here = below;
        if (fabs(here) > 1e200) {
            above *= 1e-200, here *= 1e-200, sum *= 1e-200;
            for (int i = 0; i < 5; i++) J[i] *= 1e-200;
        }
    }
    out[0] = t < 0.1 ? t * t / 4 * (1 - t * t / 16 * (1 - t * t / 36)) : 1 - J[0] / sum;
    out[1] = J[2] / sum;
    out[2] = J[4] / sum;
}

/* At w = ln t = LN_T + (i - 1/2) STEP, i = -1 .. N: g = Int_{-inf}^w dw (1 - J0, J2 or J4), G the
 * same of g. */
typedef struct {
    double g[3][N + 2], G[3][N + 2];
} moments;

static void fill_moments(moments *m)
{
    static const double node[4] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                   0.93056815579702629};
    static const double weight[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                     0.17392742256872693};
    for (int i = 0; i < N + 2; i++) {
        const double w = LN_T + (i - 2.5) * STEP;
        const int cells = w < log(T_MOST) ? 1 + (int)(exp(w) * STEP) : 1;
        const double h = STEP / cells;
        for (int n = 0; n < 3; n++) {
            m->g[n][i] = i ? m->g[n][i - 1] : 0;
            m->G[n][i] = i ? m->G[n][i - 1] + STEP * m->g[n][i] : 0;
        }
        for (int j = 0; j < 4 * cells; j++) {
            const double at = h * (j / 4 + node[j % 4]), t = exp(w + at);
            double v[3] = {1, 0, 0};
            if (t < T_MOST) bessel(t, v);
            for (int n = 0; n < 3; n++) {
                m->g[n][i] += h * weight[j % 4] * v[n];
                m->G[n][i] += h * weight[j % 4] * v[n] * (STEP - at);
            }
        }
    }
}

/* ---- S ---- */

/* f = 2 pi k^2 n and its modes at k = P e^{-j STEP}. */
static void fill_f(const cgct_soft *s, const emission *e, double f[3][N + 1])
{
    for (int j = 0; j <= N; j++) {
        const double u = j * STEP, k = e->P * exp(-u);
        double scale = 2 / PI * alpha_s(s, k);
        if (s->of.cut > 0) scale *= fmin(fmax(log(k / s->of.cut) / STEP + 0.5, 0), 1);
        f[0][j] = scale * (NC * u + e->B);
        f[1][j] = scale * kept_share(e, u) * e->C2;
        f[2][j] = -scale * kept_share(e, u) * e->C4;
    }
}

/* S = S0 + 2 S2 cos 2phi + 2 S4 cos 4phi at ln(P R) = LN_T + (i - 1/2) STEP, i = 0 .. N. */
static void find_S(const moments *m, double f[3][N + 1], int i, double S[3])
{
    for (int n = 0; n < 3; n++) {
        const double *g = m->g[n] + i + 1, *G = m->G[n] + i + 1; /* at k = P */
        double sum = f[n][0] * (g[0] - (G[0] - G[-1]) / STEP);
        for (int j = 1; j <= i; j++) sum += f[n][j] / STEP * (G[1 - j] - 2 * G[-j] + G[-j - 1]);
        S[n] = sum;
    }
}

/* ---- W ---- */

/* The argument of Gamma(a + iy), by Stirling's series. */
static double gamma_phase(double a, double y)
{
    double phase = 0;
    for (; a < 10; a++) phase -= atan2(y, a);
    const double r2 = a * a + y * y, l = 0.5 * log(r2), turn = atan2(y, a);
    phase += (a - 0.5) * turn + y * l - y;
    phase -= y / (12 * r2);                                      /* Im 1/(12 v) */
    phase += (3 * a * a * y - y * y * y) / (360 * r2 * r2 * r2); /* -Im 1/(360 v^3) */
    return phase;
}

/* kernel[i + j] is what node i of R adds to node j of k, both rising: of t J1(t) with the mean of
 * the derivative over a cell for m = 0, of t^2 J_2m(t) with the value at its lower end otherwise.
 */
static void fill_kernel(size_t m, const double *cosine, double kernel[2 * N])
{
    double re[N + 1], im[N + 1];
    for (int n = 0; n <= N; n++) {
        const double tau = PI * n / (N * STEP), half = tau / 2;
        const double phase = tau * log(2) + 2 * gamma_phase(m ? (double)m : 1, half) -
                             tau * (LN_T + LN_K - (m ? STEP / 2 : 0));
        const double size = (n == 0 || n == N ? 0.5 : 1) / N;
        const double x = m ? 2.0 * (double)m : n ? half * STEP / sin(half * STEP) : 1;
        const double y = m ? tau : 0;
        re[n] = size * (x * cos(phase) - y * sin(phase));
        im[n] = size * (x * sin(phase) + y * cos(phase));
    }
    for (int d = 0; d < 2 * N; d++) {
        kernel[d] = 0;
        for (int n = 0; n <= N; n++) {
            const int at = (int)((long)n * d % (2 * N)); /* of 2 pi */
            kernel[d] += re[n] * cosine[at] + im[n] * cosine[(at + 2 * N - N / 2) % (2 * N)];
        }
    }
}

/* Room for what is needed once, for all P. */
typedef struct {
    moments m;
    double kernel[MODES][2 * N], cosine[2 * N], f[3][N + 1], E[MODES][N + 1];
} workspace;

static void fill_node(cgct_soft *s, workspace *w, size_t iP)
{
    emission e;
    begin_emission(s, P_LEAST * exp((double)iP * P_STEP), s->eps, s->of.z, &e);
    fill_f(s, &e, w->f);
    for (int i = 0; i <= N; i++) {
        double S[3];
        find_S(&w->m, w->f, i, S);
        for (size_t m = 0; m < s->modes; m++) w->E[m][i] = 0;
        for (int a = 0; a < ANGLES; a++) { /* phi = (a + 1/2) pi/16 */
            const int turn = (2 * a + 1) * N / 32;
            const double v = S[0] + 2 * S[1] * w->cosine[2 * turn] + 2 * S[2] * w->cosine[4 * turn];
            const double E = v < 700 ? exp(-v) / ANGLES : 0;
            for (size_t m = 0; m < s->modes; m++)
                w->E[m][i] += E * w->cosine[2 * m * (size_t)turn % (2 * N)];
        }
    }
    s->rest[iP] = w->E[0][N];
    for (int i = 0; i < N; i++) w->E[0][i] = (w->E[0][i] - w->E[0][i + 1]) / STEP;
    for (size_t m = 0; m < s->modes; m++)
        for (int j = 0; j < KEPT; j++) {
            double sum = 0;
            for (int i = 0; i < N; i++) sum += w->kernel[m][i + j] * w->E[m][i];
            s->W[(iP * s->modes + m) * KEPT + (size_t)j] = (m % 2 ? -sum : sum) / (2 * PI);
        }
}

static cgct_status fill_W(cgct_soft *s)
{
    workspace *w = (workspace *)malloc(sizeof *w);
    if (!w) return CGCT_E_NOMEM;
    for (int i = 0; i < 2 * N; i++) w->cosine[i] = cos(PI * i / N);
    fill_moments(&w->m);
    for (size_t m = 0; m < s->modes; m++) fill_kernel(m, w->cosine, w->kernel[m]);
    for (size_t i = 0; i < s->n_P; i++) fill_node(s, w, i);
    free(w);
    return CGCT_OK;
}

/* ---- W at one P ---- */

typedef struct {
    double P;              /* with the scale of the options */
    double W[MODES][KEPT]; /* k^2 W_2m */
    double rest;
    size_t modes;
} profile;

/* Cubic, of values at -1, 0, 1, 2. */
static void cubic(double t, double c[4])
{
    c[0] = -t * (t - 1) * (t - 2) / 6;
    c[1] = (t + 1) * (t - 1) * (t - 2) / 2;
    c[2] = -(t + 1) * t * (t - 2) / 2;
    c[3] = (t + 1) * t * (t - 1) / 6;
}

static void fill_profile(const cgct_soft *s, double P, profile *p)
{
    double c[4];
    const double at = log(P / P_LEAST) / P_STEP, most = (double)s->n_P - 3;
    const double cell = fmin(fmax(floor(at), 1), most);
    const size_t first = (size_t)cell - 1, room = s->modes * KEPT;
    cubic(at - cell, c);
    p->P = s->of.scale * P;
    p->modes = s->modes;
    p->rest = 0;
    for (size_t i = 0; i < 4; i++) p->rest += c[i] * s->rest[first + i];
    for (size_t m = 0; m < s->modes; m++)
        for (size_t j = 0; j < KEPT; j++) {
            const double *W = s->W + first * room + m * KEPT + j;
            p->W[m][j] = c[0] * W[0] + c[1] * W[room] + c[2] * W[2 * room] + c[3] * W[3 * room];
        }
}

/* k^2 W at k (x along P); of its modes those in cos 2phi, 4phi ... too. */
static double weight_at(const profile *p, double x, double y)
{
    const double k2 = x * x + y * y, c1 = (x * x - y * y) / k2;
    const double at = (0.5 * log(k2 / (p->P * p->P)) - LN_K) / STEP;
    if (at < 1) return p->W[0][1] * exp(2 * STEP * (at - 1)); /* W is constant there */
    if (at > KEPT - 3) return 0;
    double c[4], sum = 0, angle[2] = {1, c1};
    const int cell = (int)at;
    cubic(at - cell, c);
    for (size_t m = 0; m < p->modes; m++) {
        const double *W = p->W[m] + cell - 1;
        const double v = c[0] * W[0] + c[1] * W[1] + c[2] * W[2] + c[3] * W[3];
        sum += (m ? 2 : 1) * v * angle[0];
        const double next = 2 * c1 * angle[1] - angle[0];
        angle[0] = angle[1], angle[1] = next;
    }
    return sum;
}

static int has_W(const cgct_soft *s, double P)
{
    return s && s->W && P >= P_LEAST && P <= s->k_max;
}

double cgct_soft_kernel(const cgct_soft *s, double P, double k, double phi, double *rest)
{
    profile p;
    if (rest) *rest = CGCT_NAN;
    if (!cgct_positive(P) || !cgct_positive(k) || !cgct_finite(phi) || !has_W(s, P) || k < 1e-12 ||
        k > 1e12)
        return CGCT_NAN;
    fill_profile(s, P, &p);
    if (rest) *rest = p.rest;
    return weight_at(&p, k * cos(phi), k * sin(phi)) / (k * k);
}

/* ---- the convolution Int d2l W(q - l; P) I(l, P) ----
 *
 * W is largest at l = q and I at l = 0, so it has two parts, c and 1 - c with
 * c = 1/(1 + (4 |q-l|/q)^6): rings around l = 0 and around l = q.  Both are trapezoidal rules in
 * the logarithm of the radius and in the angle. */

typedef struct {
    const cgct_soft *s;
    profile W;
    double P, q, x, y;         /* q in components along P and across */
    double mean[2], slope[2];  /* of I over the angle at the table's first q; less for a factor e */
    double below[2], risen[2]; /* from below the first q; what its rise from there adds */
    double sum[2], rings[2], turns[2], bound[2]; /* with all points, with half of them */
    cgct_status status;
} convolution;

/* I at fixed P, and the q of the table; l = q_first stands for smaller ones. */
static void take_I(convolution *c, double l, double along, double across, double I[2])
{
    const cgct_soft *s = c->s;
    const double of_P = c->P * along, k1 = sqrt(c->P * c->P + l * l / 4 + l * of_P);
    const double theta = atan2(fabs(c->P * across), of_P + l / 2);
    const cgct_status st = cgct_slice_eval(s->slice, l, k1, theta, I);
    if (st != CGCT_OK && c->status == CGCT_OK) c->status = st;
}

/* Below the table's first q: the mean over the angle goes on linearly in ln q, as gluon
 * distributions do below the saturation momentum, and what depends on the angle falls with l^2. */
static void continue_I(const convolution *c, double l, double I[2])
{
    const double ratio = c->s->q[0] / l;
    for (int i = 0; i < 2; i++)
        I[i] = c->mean[i] + c->slope[i] * log(ratio) + (I[i] - c->mean[i]) / (ratio * ratio);
}

static void mean_I(convolution *c, double l, double mean[2])
{
    mean[0] = mean[1] = 0;
    for (int a = 0; a <= QUARTER; a++) {
        double I[2];
        take_I(c, l, cos(2 * PI * a / TURNS), sin(2 * PI * a / TURNS), I);
        for (int i = 0; i < 2; i++) mean[i] += (a % QUARTER ? 1 : 0.5) * I[i] / QUARTER;
    }
}

static double near_q(const convolution *c, double k2)
{
    const double v = 16 * k2 / (c->q * c->q);
    return 1 / (1 + v * v * v);
}

/* The weight of a point of I, with its images under l -> -l and reflection: W (1 - near_q). */
static double images(const convolution *c, double x, double y)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const double kx = c->x - (i & 1 ? x : -x), ky = c->y - (i & 2 ? y : -y);
        const double k2 = kx * kx + ky * ky;
        if (k2 > 1e-8 * c->q * c->q) sum += weight_at(&c->W, kx, ky) / k2 * (1 - near_q(c, k2));
    }
    return sum;
}

/* below: ln(first q/l) where l is below, else 0. */
static void add(convolution *c, double w, const double I[2], int ring_half, int turn_half,
                double below)
{
    for (int i = 0; i < 2; i++) {
        c->sum[i] += w * I[i];
        if (ring_half) c->rings[i] += 2 * w * I[i];
        if (turn_half) c->turns[i] += 2 * w * I[i];
        if (below > 0) c->below[i] += w * I[i];
        c->risen[i] += w * below * c->slope[i];
    }
}

/* Rings around l = 0. */
static void add_rings(convolution *c, double l_most, int bounds, double last[2])
{
    const cgct_soft *s = c->s;
    const double h = log(l_most / RING_LEAST) / (RINGS - 1);
    double at_first[QUARTER + 1][2];
    for (int a = 0; a <= QUARTER; a++)
        take_I(c, s->q[0], cos(2 * PI * a / TURNS), sin(2 * PI * a / TURNS), at_first[a]);
    last[0] = last[1] = 0;
    for (int r = 0; r < RINGS; r++) {
        const double l = r == RINGS - 1 ? l_most : RING_LEAST * exp(r * h);
        const double below = fmax(log(s->q[0] / l), 0);
        for (int a = 0; a <= QUARTER; a++) {
            const double along = cos(2 * PI * a / TURNS), across = sin(2 * PI * a / TURNS);
            double I[2] = {at_first[a][0], at_first[a][1]}, e[2];
            if (below > 0)
                continue_I(c, l, I);
            else
                take_I(c, l, along, across, I);
            double w = images(c, l * along, l * across) * 2 * PI / TURNS * l * l * h;
            if (a % QUARTER == 0) w /= 2;
            if (r == 0 || r == RINGS - 1) w /= 2;
            add(c, w, I, r % 2 == 0, a % 2 == 0, below);
            if (r == RINGS - 1)
                for (int i = 0; i < 2; i++) last[i] += 2 * w / h * fabs(I[i]);
            if (!bounds || r % 4 || a % (QUARTER / 2)) continue;
            const double from = below > 0 ? s->q[0] : l;
            const double k1 = sqrt(c->P * c->P + from * from / 4 + from * c->P * along);
            const cgct_status st = cgct_eval_error(
                s->table, s->x, s->eps, from, k1, atan2(c->P * across, c->P * along + from / 2), e);
            if (st != CGCT_OK && c->status == CGCT_OK) c->status = st;
            for (int i = 0; i < 2; i++) c->bound[i] += 4 * QUARTER / 2 * fabs(w) * e[i];
        }
    }
}

/* Rings around l = q up to l_most; what lies within the smallest counts as if it were at q.  What
 * lies beyond l_most may be off by as much as I at q. */
static void add_small(convolution *c, double l_most)
{
    const cgct_soft *s = c->s;
    const double h = 0.3, least = c->q * exp(0.5 - h * (SMALL - 1));
    const double inside = (log(least / c->W.P) - h / 2 - LN_K) / STEP; /* nodes of W */
    double I[2], at_q[2], rest = c->W.rest;
    take_I(c, fmax(c->q, s->q[0]), c->x / c->q, c->y / c->q, I);
    const double q_below = fmax(log(s->q[0] / c->q), 0);
    if (q_below > 0) continue_I(c, c->q, I);
    memcpy(at_q, I, sizeof at_q);
    for (int j = 0; j < KEPT && j < inside; j++)
        rest += 2 * PI * STEP * fmin(inside - j, 1) * c->W.W[0][j];
    add(c, rest, I, 0, 0, q_below);
    for (int i = 0; i < 2; i++) c->rings[i] += rest * I[i], c->turns[i] += rest * I[i];
    for (int r = 0; r < SMALL; r++) {
        const double k = least * exp(r * h), near = near_q(c, k * k);
        if (fabs(weight_at(&c->W, k, 0)) * near < 1e-7) continue;
        for (int a = 0; a < TURNS / 2; a++) {
            const double x = k * cos(4 * PI * a / TURNS), y = k * sin(4 * PI * a / TURNS);
            const double lx = c->x - x, ly = c->y - y, l = sqrt(lx * lx + ly * ly);
            const double w = weight_at(&c->W, x, y) * near * h * 4 * PI / TURNS;
            for (int i = 0; i < 2 && l > l_most; i++) c->bound[i] += fabs(w * at_q[i]);
            if (l > l_most || l < 1e-9 * c->q) continue;
            const double below = fmax(log(s->q[0] / l), 0);
            take_I(c, fmax(l, s->q[0]), lx / l, ly / l, I);
            if (below > 0) continue_I(c, l, I);
            add(c, w, I, r % 2, a % 2 == 0, below);
        }
    }
}

/* What the continuation below the first q may be wrong by, where I rises there like l^-p.  For
 * small p it goes on as the logarithm does; for p of 1 or more the saturation momentum lies below
 * the first q, and nothing is known. */
static double doubt(double risen, double at_first, double at_twice)
{
    const double p = at_first > 0 && at_twice > 0 ? log(at_first / at_twice) / log(2) : 1;
    return p < 1 ? fabs(risen) * fmax(p, 0.5) : CGCT_INFINITY;
}

cgct_status cgct_soft_eval(const cgct_soft *s, double q, double k1, double theta, double value[2],
                           double error[2], double below[2])
{
    convolution c;
    double last[2], other[2];
    if (value) value[0] = value[1] = CGCT_NAN;
    if (error) error[0] = error[1] = CGCT_NAN;
    if (below) below[0] = below[1] = CGCT_NAN;
    if (!s || !value || !s->W) return CGCT_E_USAGE;
    if (!cgct_positive(q) || !cgct_finite(k1) || !cgct_finite(theta) || k1 < 0 || k1 > 1e6)
        return CGCT_E_DOMAIN;
    if (q > s->q[1] || q < 1e-3) return CGCT_E_RANGE;
    const double along = k1 * cos(theta) - q / 2, across = k1 * sin(theta);
    memset(&c, 0, sizeof c);
    c.s = s;
    c.q = q;
    c.P = sqrt(along * along + across * across);
    if (!has_W(s, c.P)) return CGCT_E_RANGE;
    c.x = q * along / c.P;
    c.y = q * across / c.P;
    fill_profile(s, c.P, &c.W);
    const double most = fmin(s->q[1], 1.999999 * sqrt(s->k_max * s->k_max - c.P * c.P));
    if (most <= 2 * s->q[0]) return CGCT_E_RANGE;
    mean_I(&c, s->q[0], c.mean);
    mean_I(&c, 2 * s->q[0], other);
    for (int i = 0; i < 2; i++) c.slope[i] = (c.mean[i] - other[i]) / log(2);
    add_rings(&c, most, error != NULL, last);
    add_small(&c, most);
    if (c.status != CGCT_OK) return c.status;
    for (int i = 0; i < 2; i++) {
        value[i] = c.sum[i];
        if (below) below[i] = c.below[i] / c.sum[i];
        if (!error) continue;
        error[i] = fabs(c.sum[i] - c.rings[i]) + fabs(c.sum[i] - c.turns[i]) + last[i] +
                   c.bound[i] + doubt(c.risen[i], c.mean[i], other[i]);
    }
    return CGCT_OK;
}

/* ---- options and life cycle ---- */

cgct_status cgct_soft_parse(const char *text, cgct_soft_options *o, cgct_err *err)
{
    static const char *const name[] = {"radius", "alpha", "cap", "cut", "scale", "z"};
    if (!text || !o) return cgct_message(err, CGCT_E_USAGE, "no options of soft gluons");
    memset(o, 0, sizeof *o);
    double *const to[] = {&o->radius, &o->coupling, &o->cap, &o->cut, &o->scale, &o->z};
    size_t n = strcspn(text, ":");
    o->hadrons = n == 7 && !strncmp(text, "hadrons", n);
    if (!o->hadrons && (n != 4 || strncmp(text, "jets", n) != 0))
        return cgct_message(err, CGCT_E_USAGE,
                            "'%.60s': want jets or hadrons, and behind a colon options as "
                            "radius=0.4,scale=2",
                            text);
    for (const char *at = text + n; *at; at += n) {
        size_t i = 0, word = strcspn(++at, ",=");
        n = strcspn(at, ",");
        while (i < 6 && (strlen(name[i]) != word || strncmp(at, name[i], word) != 0)) i++;
        if (n == 9 && !strncmp(at, "isotropic", n))
            o->isotropic = 1;
        else if (i < 6 && word < n && cgct_positive(cgct_number(at + word + 1, n - word - 1)))
            *to[i] = cgct_number(at + word + 1, n - word - 1);
        else
            return cgct_message(err, CGCT_E_USAGE,
                                "'%.*s': want isotropic, or radius, alpha, cap, cut, scale or z "
                                "with a number > 0, as radius=0.4",
                                (int)(n < 60 ? n : 60), at);
    }
    return CGCT_OK;
}

static cgct_status check_option(const char *name, double *v, double usual, double least,
                                double most, cgct_err *err)
{
    if (cgct_bits(*v) << 1 == 0) *v = usual;
    if (cgct_finite(*v) && *v >= least && *v <= most) return CGCT_OK;
    return cgct_message(err, CGCT_E_DOMAIN, "soft gluons: %s is %g, want %g to %g", name, *v, least,
                        most);
}

static cgct_status begin_table(cgct_soft *s, cgct_err *err)
{
    cgct_info info;
    cgct_status st = cgct_slice_init(&s->slice, s->table, s->x, s->eps, err);
    if (st == CGCT_OK) st = cgct_table_info(s->table, &info);
    if (st != CGCT_OK) return st;
    s->q[0] = info.q[0];
    s->q[1] = info.q[1];
    s->k_max = info.k_max;
    if (s->k_max < P_LEAST || s->q[0] < 2 * RING_LEAST)
        return cgct_message(err, CGCT_E_RANGE,
                            "soft gluons: k_max %g and first q %g GeV; want %g and %g or more",
                            s->k_max, s->q[0], P_LEAST, 2 * RING_LEAST);
    s->n_P = 4 + (size_t)(log(s->k_max / P_LEAST) / P_STEP);
    if (s->n_P > P_MOST) s->n_P = P_MOST;
    s->k_max = fmin(s->k_max, P_LEAST * exp((P_MOST - 2) * P_STEP));
    s->modes = s->of.hadrons || s->of.isotropic ? 1 : MODES;
    s->W = (double *)malloc(s->n_P * s->modes * KEPT * sizeof *s->W);
    s->rest = (double *)malloc(s->n_P * sizeof *s->rest);
    st = s->W && s->rest ? fill_W(s) : CGCT_E_NOMEM;
    return st == CGCT_OK ? st : cgct_message(err, st, "no memory for soft gluons");
}

cgct_status cgct_soft_init(cgct_soft **soft, const cgct_table *table, double x, double eps,
                           const cgct_soft_options *options, cgct_err *err)
{
    if (!soft) return cgct_message(err, CGCT_E_USAGE, "no place for soft gluons");
    *soft = NULL;
    cgct_soft *s = (cgct_soft *)calloc(1, sizeof *s);
    if (!s) return cgct_message(err, CGCT_E_NOMEM, "no memory for soft gluons");
    if (options) s->of = *options;
    cgct_soft_options *o = &s->of;
    cgct_status st = check_option("radius", &o->radius, 0.4, 0.01, 1, err);
    if (st == CGCT_OK) st = check_option("alpha", &o->coupling, 0, 0, 1, err);
    if (st == CGCT_OK) st = check_option("cap", &o->cap, 0.7, 0.2, 2, err);
    if (st == CGCT_OK) st = check_option("cut", &o->cut, 0, 0, 1e3, err);
    if (st == CGCT_OK) st = check_option("scale", &o->scale, 1, 0.25, 4, err);
    if (st == CGCT_OK) st = check_option("z", &o->z, 0.5, 1e-4, 1 - 1e-4, err);
    if (st == CGCT_OK) s->mu5 = exp(5 * COUPLING / o->cap);
    for (int i = 0; i < ALPHAS && st == CGCT_OK; i++)
        s->alpha[i] = alpha_s(s, exp(LN_FIRST + 0.01 * i));
    s->table = table;
    s->x = x;
    s->eps = eps;
    if (st == CGCT_OK && table) st = begin_table(s, err);
    if (st == CGCT_OK)
        *soft = s;
    else
        cgct_soft_free(s);
    return st;
}

void cgct_soft_free(cgct_soft *s)
{
    if (!s) return;
    cgct_slice_free(s->slice);
    free(s->W);
    free(s->rest);
    free(s);
}

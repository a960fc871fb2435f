/* SPDX-License-Identifier: MIT */
/* Soft gluons of events: q changes by their sum, the pair's P = k1 - q/2 stays, and the rest
 * follows; what is said of them. */
#include <math.h>
#include <string.h>

#include "setup.h"

static double next_uniform(void *r)
{
    return ev_uniform((ev_random *)r);
}

void ev_radiate(const ev_source *from, ev_random *r, ev_event *e)
{
    enum { TRIES = 1000 };
    const double c = cos(e->theta), s = sin(e->theta), Px = e->k1 * c - e->q / 2, Py = e->k1 * s;
    const double P = sqrt(Px * Px + Py * Py), px = Px / P, py = Py / P; /* q along x */
    const double zz = e->z * (1 - e->z), q = e->q, turn = e->turn;
    /* x is that of a real photon where one with kT has become Q2 */
    const double Q2 = from->setup->photons.real ? 0 : e->Q2;
    cgct_gluons *g = &e->gluons;
    /* gluons for which the beams have no energy are drawn again */
    for (int i = 0; i < TRIES; i++) {
        if (cgct_soft_draw(from->soft, P, e->eps, e->z, next_uniform, r, g) != CGCT_OK) return;
        const double qx = q + g->k[0] * px - g->k[1] * py, qy = g->k[0] * py + g->k[1] * px;
        const double Kx = Px + (0.5 - e->z) * qx, Ky = Py + (0.5 - e->z) * qy;
        const double now = sqrt(qx * qx + qy * qy);
        const double M2 = (Kx * Kx + Ky * Ky + e->mass * e->mass) / zz;
        const double x = (Q2 + now * now + M2) / (e->y * from->setup->s);
        if (!(x < 1 && now > 0)) continue;
        e->x = x;
        e->q = now;
        const double kx = Px + qx / 2, ky = Py + qy / 2;
        e->turn = fmod(turn + atan2(qy, qx) + 2 * EV_PI, 2 * EV_PI);
        e->k1 = sqrt(kx * kx + ky * ky);
        e->theta = atan2(ky * qx - kx * qy, kx * qx + ky * qy);
        const double sum[2] = {qx - q, qy};
        g->k[0] = (sum[0] * qx + sum[1] * qy) / e->q; /* along q and across */
        g->k[1] = (sum[1] * qx - sum[0] * qy) / e->q;
        return;
    }
    *g = (cgct_gluons){.weight = {1, 1}};
}

int ev_begin_soft(const ev_words *w, ev_run *run, cgct_soft **soft)
{
    cgct_soft_options o;
    cgct_err err;
    *soft = NULL;
    if (!w->soft || !strcmp(w->soft, "none")) return 0;
    if (cgct_soft_parse(w->soft, &o, &err) != CGCT_OK)
        return ev_complain(2, "--soft: %s; or none", err.text);
    if (o.z > 0) return ev_complain(2, "--soft: z is that of each event");
    if (cgct_soft_init(soft, NULL, 0, 0, &o, &err) != CGCT_OK)
        return ev_complain(2, "--soft: %s", err.text);
    run->source.soft = *soft;
    run->source.soft_words = w->soft;
    return 0;
}

void ev_sum_soft(const ev_source *from, const ev_event *e, double w, ev_sums *sums)
{
    const double along = e->k1 * cos(e->theta) - e->q / 2, across = e->k1 * sin(e->theta);
    const double P2 = along * along + across * across;
    sums->low_P += P2 < 9 ? w : 0;
    sums->high_q += e->q * e->q > P2 ? w : 0;
    sums->first_q += e->q * e->q < 2 * from->setup->q_table[0] * from->setup->q_table[0] ? w : 0;
}

/* Once each: where soft gluons are a poor approximation. */
void ev_warn_soft(const ev_run *run)
{
    const ev_setup *s = run->source.setup;
    const ev_sums *sums = &run->sums;
    const char *dipole = cgct_meta(run->source.table, "dipole");
    if (dipole && strstr(dipole, "equation lo"))
        ev_complain(1, "warning: --soft: the dipole evolves by the equation lo; soft gluons go "
                       "with an evolution that has a kinematical constraint (equation kc or t)");
    if (sums->low_P > 0)
        ev_complain(1, "warning: --soft: P is below 3 GeV in %.3g of the cross section",
                    sums->low_P / sums->sum);
    if (sums->high_q > 0)
        ev_complain(1,
                    "warning: --soft: q is above P before soft gluons in %.3g of the cross "
                    "section",
                    sums->high_q / sums->sum);
    if (s->q_table[0] > 0.1 && s->q[0] >= s->q_table[0])
        ev_complain(1,
                    "warning: --soft: the table begins at q = %g GeV; what lies below is missing "
                    "in the smeared q, some %.2g of the cross section where I stays the same; "
                    "--freeze --q 0.001:%g adds it with I at the edge",
                    s->q_table[0], sums->first_q / (sums->sum + sums->first_q), s->q[1]);
    ev_complain(1, "note: --soft: below q of 0.7 GeV the result depends on the cap of alpha_s");
}

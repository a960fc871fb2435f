/* SPDX-License-Identifier: MIT */
/* Weights of events for the members of a table and for the bound on the numerical error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define SHARE_LARGEST 100.0 /* of a bound that is infinite or where I is 0 */

/* What a member means for the band: how its weight is named and combined with the others. */
static const char *role_of(const cgct_table *table, size_t member)
{
    const char *meaning = cgct_meta(table, "uncertainty");
    if (member == 0) return "central_";
    if (word_listed(cgct_meta(table, "comparison"), ' ', cgct_member_name(table, member)))
        return "comparison_";
    if (meaning && !strcmp(meaning, "replicas")) return "replica_";
    return meaning && !strcmp(meaning, "hessian") ? "hessian_" : "variation_";
}

/* malloc'd; NULL: no memory. */
static char *name_weight(const char *role, const char *member)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_";
    char *name = (char *)malloc(strlen(role) + 3 * strlen(member) + 1), *to = name;
    if (!name) return NULL;
    to += sprintf(to, "%s", role);
    for (; *member; member++)
        to += sprintf(to, strchr(plain, *member) ? "%c" : "%%%02X", (unsigned char)*member);
    return name;
}

cgct_status ev_weights_make(ev_weights *w, const cgct_table *table, const ev_setup *s,
                            cgct_err *err)
{
    static const char *const last[4] = {"bound_low", "bound_high",
                                        [2 + CGCT_SOFT_ISOTROPIC] = "soft_isotropic",
                                        [2 + CGCT_SOFT_HALF_SCALE] = "soft_half_scale"};
    cgct_info info;
    cgct_table_info(table, &info);
    const size_t members = info.members > 1 ? info.members : 0;
    *w = (ev_weights){.n = members + 2, .members = members, .own = info.member};
    w->name = (char **)calloc(w->n + 3, sizeof *w->name);
    w->area = (double *)calloc(w->n, sizeof *w->area);
    int good = w->name && w->area;
    for (size_t i = 0; i < members && good; i++) {
        w->area[i] = s->same_area ? 1 : cgct_member_S_perp(table, i) / s->S_perp;
        good = (w->name[i] = name_weight(role_of(table, i), cgct_member_name(table, i))) != NULL;
        if (!(w->area[i] > 0))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "the table does not state the transverse area of its member %s: give "
                             "one for all of them by --S-perp, or --no-weights",
                             cgct_member_name(table, i));
    }
    for (size_t i = 0; i < 4 && good; i++) good = (w->name[members + i] = strdup(last[i])) != NULL;
    for (char **name = w->name; good && *name; name++) w->letters += strlen(*name);
    return good ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for names of weights");
}

void ev_weights_free(ev_weights *w)
{
    for (char **name = w->name; name && *name; name++) free(*name);
    free(w->name);
    free(w->area);
    memset(w, 0, sizeof *w);
}

void ev_bound_weights(double I, double bound, double value[2])
{
    const double share = bound < SHARE_LARGEST * I ? bound / I : SHARE_LARGEST;
    value[0] = fmax(1 - share, 0);
    value[1] = 1 + share;
}

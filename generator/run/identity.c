/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 100 }; /* characters of a value in a message */

cgct_status run_identity_make(const run_origin *o, const char *results, char **text, cgct_err *err)
{
    const char *format =
        "program\t%s\nbackend\t%s\ndipole\t%s\nmembers\t%s\nx\t%s\nshard\t%u/%u\n%s";
    const char *x = o->every_x ? "every" : "one for all";
    int n = snprintf(NULL, 0, format, o->program, o->backend, o->dipole, o->names, x, o->shard,
                     o->nshard, results);
    *text = malloc((size_t)n + 1);
    if (!*text) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the identity of a run");
    snprintf(*text, (size_t)n + 1, format, o->program, o->backend, o->dipole, o->names, x, o->shard,
             o->nshard, results);
    return CGCT_OK;
}

const char *run_identity_card(const char *text)
{
    const char *at = strstr(text, "\ncard\n");
    return at ? at + strlen("\ncard\n") : text + strlen(text);
}

const char *run_identity_get(const char *text, const char *key)
{
    size_t n = strlen(key);
    const char *end = run_identity_card(text);
    for (const char *at = text; at < end; at += strcspn(at, "\n") + 1)
        if (!strncmp(at, key, n) && at[n] == '\t') return at + n + 1;
    return NULL;
}

static int shown(const char *s)
{
    size_t n = strcspn(s, "\n");
    return n < SHOWN ? (int)n : SHOWN;
}

/* How many characters two lines have in common. */
static size_t common(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] != '\n' && a[n] == b[n]) n++;
    return n;
}

/* From a little before the first difference: long values differ anywhere. */
static void say(const char *key, int nkey, const char *a, const char *b, char *what, size_t size)
{
    size_t same = common(a, b), from = same > SHOWN / 2 ? same - SHOWN / 4 : 0;
    const char *cut = from ? "..." : "";
    snprintf(what, size, "%.*s was '%s%.*s', is '%s%.*s'", nkey, key, cut, shown(a + from),
             a + from, cut, shown(b + from), b + from);
}

static int cards_differ(const char *a, const char *b, char *what, size_t size)
{
    char key[48];
    for (unsigned line = 1; *a || *b; line++) {
        size_t na = strcspn(a, "\n"), nb = strcspn(b, "\n");
        if (na != nb || memcmp(a, b, na)) {
            snprintf(key, sizeof key, "line %u of the card", line);
            say(key, (int)strlen(key), a, b, what, size);
            return 1;
        }
        a += na + (a[na] == '\n');
        b += nb + (b[nb] == '\n');
    }
    return 0;
}

int run_identity_differ(const char *was, const char *is, int shards, char *what, size_t size)
{
    const char *end = run_identity_card(was);
    for (const char *at = was; at < end; at += strcspn(at, "\n") + 1) {
        char key[128];
        const char *tab = strpbrk(at, "\t\n");
        if (!tab || *tab == '\n' || (size_t)(tab - at) >= sizeof key) continue;
        memcpy(key, at, (size_t)(tab - at));
        key[tab - at] = 0;
        if (!shards && !strcmp(key, "shard")) continue;
        const char *other = run_identity_get(is, key);
        if (!other) other = "";
        if (strcspn(tab + 1, "\n") == strcspn(other, "\n") &&
            common(tab + 1, other) == strcspn(other, "\n"))
            continue;
        say(key, (int)(tab - at), tab + 1, other, what, size);
        return 1;
    }
    return cards_differ(end, run_identity_card(is), what, size);
}

/* SPDX-License-Identifier: MIT */
/* What a table says of itself: versions, axes, sizes, metadata. */
#include "cgctab_internal.h"

#include <stdlib.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *cgct_version(void)
{
    return TEXT(CGCT_VERSION_MAJOR) "." TEXT(CGCT_VERSION_MINOR) "." TEXT(CGCT_VERSION_PATCH);
}

const char *cgct_strerror(cgct_status status)
{
#define TEXT_OF_(code, text) text,
    static const char *const texts[] = {CGCT_STATUS_LIST(TEXT_OF_)};
#undef TEXT_OF_
    return (unsigned)status < CGCT_STATUS_COUNT ? texts[status] : "unknown status";
}

cgct_status cgct_set_policy(cgct_table *table, cgct_policy policy)
{
    if (!table || (policy != CGCT_POLICY_ERROR && policy != CGCT_POLICY_FREEZE))
        return CGCT_E_USAGE;
    table->policy = policy;
    return CGCT_OK;
}

const double *cgct_axis_values(const cgct_table *table, cgct_axis axis, size_t *n)
{
    int known = table && (unsigned)axis <= CGCT_AXIS_K;
    if (n) *n = known ? table->grid[axis].n : 0;
    return known ? table->grid[axis].v : NULL;
}

const char *cgct_table_path(const cgct_table *table)
{
    return table ? table->path : NULL;
}

cgct_status cgct_table_info(const cgct_table *t, cgct_info *info)
{
    if (!t || !info) return CGCT_E_USAGE;
    memset(info, 0, sizeof *info);
    info->format_major = (int)t->head.major;
    info->format_minor = (int)t->head.minor;
    info->data_version = CGCT_DATA_VERSION; /* no other is opened */
    info->split = (t->head.features & CGCT_FEATURE_SPLIT) != 0;
    if (t->head.features & CGCT_FEATURE_CROSS) info->split = 2;
    info->unpacked = cgct_is_records(t->entry[0].encoding);
    info->checksum = t->head.crc;
    info->fold = (t->head.features & CGCT_FEATURE_FOLD) != 0;
    info->fold_power = t->head.fold_power;
    info->policy = t->policy;
    info->file_bytes = (double)t->head.file_size;
    for (int a = 0; a < 4; a++) info->order[a] = t->head.order[a];
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
    for (size_t i = 0; i < nodes; i++) {
        info->stored_bytes += (double)t->entry[i].stored_size;
        info->raw_bytes += (double)t->entry[i].raw_size;
        info->flagged += t->entry[i].flagged;
        if (t->entry[i].nm > info->modes_max) info->modes_max = t->entry[i].nm;
    }
    return CGCT_OK;
}

/* ---- metadata ---- */

/* In place; NULL where a backslash is followed by anything but the four letters, or where a
 * character stands bare that has to be escaped. */
static char *unescape(char *value)
{
    char *out = value;
    for (char *p = value; *p; p++) {
        char c = *p;
        if (c == '\t' || c == '\r') return NULL;
        if (c == '\\') {
            c = *++p;
            if (c == 'n')
                c = '\n';
            else if (c == 'r')
                c = '\r';
            else if (c == 't')
                c = '\t';
            else if (c != '\\')
                return NULL;
        }
        *out++ = c;
    }
    *out = 0;
    return value;
}

static const char key_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

static cgct_status parse_line(cgct_table *t, char *line, cgct_err *err)
{
    char *tab = line + strspn(line, key_letters);
    if (*tab != '\t' || tab == line)
        return cgct_fail(err, CGCT_E_FORMAT, "metadata line %zu has no key and tab", t->nmeta);
    *tab = 0;
    if (!unescape(tab + 1))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "metadata key %.60s: bare tab or return, or a backslash followed by none "
                         "of \\nrt",
                         line);
    t->meta[t->nmeta].key = line;
    t->meta[t->nmeta++].value = tab + 1;
    return CGCT_OK;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* By sorting: a damaged file may hold a million lines. */
static cgct_status refuse_doubles(const cgct_table *t, cgct_err *err)
{
    cgct_status st = CGCT_OK;
    const char **key = (const char **)malloc((t->nmeta + 1) * sizeof *key);
    if (!key) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu keys", t->nmeta);
    for (size_t i = 0; i < t->nmeta; i++) key[i] = t->meta[i].key;
    qsort(key, t->nmeta, sizeof *key, compare_keys);
    for (size_t i = 1; i < t->nmeta && st == CGCT_OK; i++)
        if (!strcmp(key[i - 1], key[i]))
            st = cgct_fail(err, CGCT_E_FORMAT, "metadata key %.60s occurs twice", key[i]);
    free(key);
    return st;
}

cgct_status cgct_meta_parse(cgct_table *t, size_t n, cgct_err *err)
{
    size_t lines = 0;
    if (memchr(t->meta_text, 0, n) || (n && t->meta_text[n - 1] != '\n'))
        return cgct_fail(err, CGCT_E_FORMAT, "metadata holds a zero byte or no last newline");
    for (size_t i = 0; i < n; i++) lines += t->meta_text[i] == '\n';
    if (!(t->meta = (cgct_pair *)calloc(lines + 1, sizeof *t->meta)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu lines of metadata", lines);
    char *line = t->meta_text;
    for (size_t i = 0; i < lines; i++) {
        char *end = strchr(line, '\n');
        *end = 0;
        CGCT_TRY(parse_line(t, line, err));
        line = end + 1;
    }
    return refuse_doubles(t, err);
}

const char *cgct_meta(const cgct_table *table, const char *key)
{
    if (!table || !key) return NULL;
    for (size_t i = 0; i < table->nmeta; i++)
        if (!strcmp(table->meta[i].key, key)) return table->meta[i].value;
    return NULL;
}

size_t cgct_meta_count(const cgct_table *table)
{
    return table ? table->nmeta : 0;
}

const char *cgct_meta_key(const cgct_table *table, size_t i)
{
    return table && i < table->nmeta ? table->meta[i].key : NULL;
}

/* SPDX-License-Identifier: MIT */
#include "cgctab_internal.h"

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
    info->data_version = (int)t->head.data_version;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_folder.h: a folder of its own for each test of a program, with the path of a table in it.
 */
#ifndef TABLE_FOLDER_H
#define TABLE_FOLDER_H
#include "table_fixture.h"
#include "reader/cgctab.h"

static char folder[PATH_SIZE], table[PATH_SIZE];

static void setup(void)
{
    make_folder(folder);
    path_in(folder, "t.cgct", table);
}

static void teardown(void)
{
    remove_folder(folder);
}

static inline cgct_table *open_table(const char *path)
{
    cgct_table *t;
    cgct_err err;
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    return t;
}
#endif

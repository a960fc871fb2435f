/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab index: the tables of a folder as TSV and JSON; tables by name. */
#include "tool_run.h"
#include "field_table.h"
#include "have.h"
#include "run_suite.h"

static char arguments[2 * PATH_SIZE];

static void setup_folder(void)
{
    char path[PATH_SIZE];
    size_t n;
    setup(); /* t.cgct: GOLDEN_SMALL */
    uint8_t *bytes = slurp(GOLDEN_PANELS, &n);
    path_in(folder, "a.cgct", path);
    spill(path, bytes, n);
    free(bytes);
    path_in(folder, "notes.txt", path);
    spill(path, "text", 4);
    snprintf(arguments, sizeof arguments, "index %s", folder);
}

static void damage(const char *name, size_t at)
{
    char path[PATH_SIZE];
    size_t n;
    uint8_t *bytes = slurp(table, &n);
    bytes[at]++;
    path_in(folder, name, path);
    spill(path, bytes, n);
    free(bytes);
}

/* A heading and a line for each table; the checksums are those of sha256sum. */
START_TEST(lists_tables)
{
    static const char heading[] = "name\tdata_version\tsha256\tbytes\tmembers\tuncertainty\tx_lo\t"
                                  "x_hi\teps_lo\teps_hi\tq_lo\tq_hi\tk_max\tdipole\tcitation\t"
                                  "licence\na\t3\t";
    char panels[256], small[256];
    size_t n[2];
    free(slurp(GOLDEN_PANELS, &n[0]));
    free(slurp(table, &n[1]));
    snprintf(
        panels, sizeof panels,
        "\t%zu\t3\thessian\t0.0001\t0.01\t0.1\t8\t0.5\t22.627416997969522\t30\tpolynomials\t-\t-"
        "\nt\t3\t",
        n[0]);
    snprintf(small, sizeof small, "\t%zu\t1\tnone\t0.001\t0.01\t1\t2\t1\t2\t4\t-\t-\t-\n", n[1]);
    ck_assert_msg(run("", arguments) == 0 && !message[0], "%s", message);
    const char *first = output + strlen(heading), *second = first + 64 + strlen(panels);
    ck_assert_msg(!strncmp(output, heading, strlen(heading)) &&
                      !strncmp(first + 64, panels, strlen(panels)) && !strcmp(second + 64, small),
                  "%s", output);
    if (!have("sha256sum")) return;
    char command[2 * PATH_SIZE + 64];
    snprintf(command, sizeof command,
             "cd %s && [ \"$(sed 1d out | cut -f3)\" = \"$(sha256sum *.cgct | cut -d' ' -f1)\" ]",
             folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* The others are listed, too, and the status tells. */
START_TEST(names_what_it_cannot_read)
{
    damage("b.cgct", 300);
    damage("c.cgct", 8);
    ck_assert_int_eq(run("", arguments), 1);
    const char *b = strstr(message, "b.cgct: chunk AXES"),
               *c = strstr(message, "c.cgct: format 3.0");
    ck_assert_msg(b && c && b < c, "%s", message);
    ck_assert_msg(!strcmp(strchr(c, '\n'), "\n") && strchr(message, '\n') < c, "%s", message);
    ck_assert_msg(strstr(output, "\na\t") && strstr(output, "\nt\t") && !strstr(output, "\nb\t"),
                  "%s", output);
    fails("index /nowhere", 1, "/nowhere: cannot read the folder");
    fails("index", 2, "FOLDER");
}
END_TEST

static double constant(size_t member, int pol, size_t m, const double at[4])
{
    (void)member, (void)pol, (void)m, (void)at;
    return 0;
}

/* Of several members the first one's dipole; no character breaks a line or a column. */
START_TEST(what_a_file_says)
{
    field_table f = field_table_small(constant);
    f.members = 2;
    f.nmeta = 5;
    f.meta[0] = (table_meta){"members", "a b"};
    f.meta[1] = (table_meta){"dipole", "a: mv Q = 1; gamma: 2; b: gbw; c: none"};
    f.meta[2] = (table_meta){"citation", "one\ttwo\nthree"};
    f.meta[3] = (table_meta){"licence", ""};
    f.meta[4] = (table_meta){"uncertainty", "replicas"};
    field_table_write(&f, table);
    ck_assert_int_eq(run("", arguments), 0);
    ck_assert_msg(strstr(output, "\t2\treplicas\t0.0078125\t0.015625\t1\t2\t1\t4\t8\t"
                                 "a: mv Q = 1; gamma: 2\tone two three\t-\n") != NULL,
                  "%s", output);
}
END_TEST

/* info shows 400 bytes of a long one, less where they end within a character. */
START_TEST(long_value)
{
    static char text[402 + 1], command[2 * PATH_SIZE], want[2 * PATH_SIZE + 500];
    field_table f = field_table_small(constant);
    memset(text, 'a', 402);
    memcpy(text + 399, "\u00e9", 2);
    f.nmeta = 1;
    f.meta[0] = (table_meta){"dipole", text};
    field_table_write(&f, table);
    snprintf(command, sizeof command, "info %s", table);
    snprintf(want, sizeof want, " %.399s... (the whole: cgctab get %s dipole)\n", text, table);
    ck_assert_int_eq(run("", command), 0);
    ck_assert_msg(strstr(output, want) != NULL, "%s", output);
    text[399] = text[400] = 'a';
    text[400] = 0;
    field_table_write(&f, table);
    snprintf(want, sizeof want, " %s\n", text);
    ck_assert_int_eq(run("", command), 0);
    ck_assert_msg(strstr(output, want) != NULL, "%s", output);
}
END_TEST

START_TEST(json)
{
    char command[2 * PATH_SIZE + 512];
    strcat(arguments, " --json");
    ck_assert_int_eq(run("", arguments), 0);
    if (!have("python3")) return;
    snprintf(command, sizeof command,
             "python3 -c 'import json,sys\nv = json.load(open(sys.argv[1]))[\"tables\"]\n"
             "assert [t[\"name\"] for t in v] == [\"a\", \"t\"] and v[0][\"members\"] == 3\n"
             "assert v[0][\"q_hi\"] == 22.627416997969522 and v[1][\"citation\"] is None\n' %s/out",
             folder);
    ck_assert_msg(system(command) == 0, "%s", output);
}
END_TEST

/* ---- tables by name ---- */

/* Folders one and two beside here, which is the working directory. */
static void setup_places(void)
{
    char command[2 * PATH_SIZE + 256], list[3 * PATH_SIZE];
    make_folder(folder);
    snprintf(command, sizeof command,
             "cd %s && mkdir one two here here/x.cgct here/y && cp %s one/p.cgct && "
             "cp %s two/p && cp %s two/p.cgct && cp %s two/y.cgct && cp %s one/z@1",
             folder, GOLDEN_SMALL, GOLDEN_SMALL, GOLDEN_PANELS, GOLDEN_PANELS, GOLDEN_SMALL);
    ck_assert_int_eq(system(command), 0);
    snprintf(list, sizeof list, "%s/here", folder);
    ck_assert_int_eq(chdir(list), 0);
    snprintf(list, sizeof list, "%s/one::%s/two", folder, folder);
    setenv("CGCTAB_DATA_PATH", list, 1);
}

static void teardown_places(void)
{
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* The output: each line's %s is the folder, as many as there are. */
static void tells(const char *words, const char *want)
{
    char text[1024];
    snprintf(text, sizeof text, want, folder, folder, folder);
    ck_assert_msg(run("", words) == 0 && !strcmp(output, text), "cgctab %s: '%s', want '%s'%s",
                  words, output, text, message);
}

START_TEST(tables_by_name)
{
    char list[3 * PATH_SIZE];
    snprintf(list, sizeof list, "%s", getenv("CGCTAB_DATA_PATH"));
    tells("where p", "%s/one/p.cgct\n");
    tells("where p.cgct", "%s/one/p.cgct\n");
    tells("where y", "%s/two/y.cgct\n"); /* here it is a folder */
    tells("where y@2", "%s/two/y.cgct\n");
    tells("where z@1", "%s/one/z@1\n"); /* a file of that name */
    tells("where --all p", "# file opened\n%s/one/p.cgct yes\n%s/two/p no\n%s/two/p.cgct no\n");
    tells("where --all --quiet p.cgct@0", "%s/one/p.cgct yes\n%s/two/p.cgct no\n");
    tells("where --all --quiet ../two/p", "../two/p yes\n");
    ck_assert_int_eq(run("", "get y@up members"), 0);
    ck_assert_str_eq(output, "central up down\n");
    setenv("CGCTAB_DATA_PATH", "../two:../one", 1);
    tells("where p", "../two/p\n");
    tells("where --all --quiet p", "../two/p yes\n../two/p.cgct no\n../one/p.cgct no\n");
    setenv("CGCTAB_DATA_PATH", list, 1);
    ck_assert_int_eq(system("cp ../two/y.cgct p"), 0);
    tells("where p", "p\n");
    tells("where --all --quiet p", "p yes\n%s/one/p.cgct no\n%s/two/p no\n%s/two/p.cgct no\n");
}
END_TEST

START_TEST(names_without_table)
{
    const char *list = getenv("CGCTAB_DATA_PATH");
    fails("where q", 1, list);
    fails("where q", 1, "q: no such file here, nor with or without .cgct in");
    fails("where --all y.cgt", 1, "did you mean 'y.cgct'?");
    fails("where ./p", 1, "./p: no such file");
    fails("where --all ../one/p", 1, "../one/p: no such file");
    fails("info x.cgct", 1, "x.cgct: is a directory");
    fails("where --all", 2, "--all: needs a FILE");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tool_index");
    TCase *c = tcase_create("tool_index");
    tcase_add_checked_fixture(c, setup_folder, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, lists_tables);
    tcase_add_test(c, names_what_it_cannot_read);
    tcase_add_test(c, what_a_file_says);
    tcase_add_test(c, long_value);
    tcase_add_test(c, json);
    suite_add_tcase(suite, c);
    c = tcase_create("tables_by_name");
    tcase_add_checked_fixture(c, setup_places, teardown_places);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, tables_by_name);
    tcase_add_test(c, names_without_table);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}

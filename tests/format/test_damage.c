/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncated, flipped, foreign and crafted files: refused by a message that names the file and what
 * is wrong in it, never a crash. */
#include <sys/stat.h>

#include "reseal.h"
#include "table_folder.h"
#include "run_suite.h"

#ifndef BIN_DIR
#define BIN_DIR "build/bin"
#endif

/* A message that names the file and says something. */
static void check_message(const cgct_err *err, const char *path)
{
    size_t n = strlen(path);
    ck_assert_msg(strlen(err->text) > n + 12 && strstr(err->text, path) && !strchr(err->text, '\n'),
                  "'%s'", err->text);
}

/* With all its integers. */
static cgct_status unpack(cgct_status st, cgct_table **t, cgct_err *err)
{
    if (st == CGCT_OK && (st = cgct_load(*t, err)) != CGCT_OK) {
        cgct_close(*t);
        *t = NULL;
    }
    return st;
}

/* From memory that ends where the bytes do, as the message of the same file says. */
static void check_memory(const char *path, cgct_status want, const cgct_err *of_file)
{
    cgct_table *t = (cgct_table *)&t;
    cgct_err err = {""};
    size_t n;
    uint8_t *slurped = slurp(path, &n), *bytes = malloc(n + !n);
    memcpy(bytes, slurped, n);
    cgct_status st = unpack(cgct_open_memory(bytes, n, NULL, &t, &err), &t, &err);
    ck_assert_msg(st == want && !t && !strncmp(err.text, "memory: ", 8) &&
                      !strcmp(err.text + 8, of_file->text + strlen(path) + 2),
                  "status %d, want %d: %s", st, want, err.text);
    free(slurped);
    free(bytes);
}

static void expect(const char *path, cgct_status want, const char *word)
{
    cgct_table *t = (cgct_table *)&t;
    cgct_err err = {""};
    cgct_status st = unpack(cgct_open(path, &t, &err), &t, &err);
    ck_assert_msg(st == want && strstr(err.text, word), "status %d, want %d and '%s': %s", st, want,
                  word, err.text);
    ck_assert_ptr_null(t);
    check_message(&err, path);
    if (want != CGCT_E_IO) check_memory(path, want, &err);
}

static const char *const golden[] = {GOLDEN_SMALL, GOLDEN_NEGATIVE, GOLDEN_PANELS, GOLDEN_VARIED};
enum { NGOLDEN = sizeof golden / sizeof *golden };

/* ---- every truncation, every flip ---- */

/* Of a large file one place in some. */
static size_t step_of(size_t n)
{
    return n < 2000 || test_mult() > 1 ? 1 : 53;
}

START_TEST(truncations)
{
    size_t n;
    uint8_t *bytes = slurp(golden[_i], &n);
    for (size_t cut = 0; cut < n; cut += step_of(n)) {
        spill(table, bytes, cut);
        expect(table, CGCT_E_FORMAT, "");
    }
    bytes[n] = 0;
    spill(table, bytes, n + 1);
    expect(table, CGCT_E_FORMAT, "1 bytes follow the end");
    free(bytes);
}
END_TEST

static void refuse_flip(uint8_t *bytes, size_t n, size_t at, uint8_t change)
{
    cgct_table *t;
    cgct_err err = {""};
    bytes[at] ^= change;
    spill(table, bytes, n);
    bytes[at] ^= change;
    cgct_status st = cgct_open(table, &t, &err);
    ck_assert_msg(st == CGCT_E_FORMAT || st == CGCT_E_CHECKSUM || st == CGCT_E_VERSION,
                  "byte %zu xor %d: status %d: %s", at, change, st, err.text);
    check_message(&err, table);
}

START_TEST(every_flip)
{
    size_t n;
    uint8_t *bytes = slurp(golden[_i], &n);
    for (size_t at = 0; at < n; at += step_of(n))
        for (int bit = 0; bit <= 8; bit++)
            refuse_flip(bytes, n, at, (uint8_t)(bit < 8 ? 1 << bit : 0xff));
    free(bytes);
}
END_TEST

START_TEST(random_flips)
{
    enum { FLIPS = 10000 };
    size_t n;
    uint64_t state = 22;
    uint8_t *bytes = slurp(GOLDEN_PANELS, &n);
    for (int i = 0; i < FLIPS; i++)
        refuse_flip(bytes, n, (size_t)(uniform(&state) * (double)n),
                    (uint8_t)(1 << (int)(8 * uniform(&state))));
    free(bytes);
}
END_TEST

/* `cgctab verify` ends with a status and names the file. */
START_TEST(verify_names_flips)
{
    size_t n;
    uint64_t state = 23;
    char command[4 * PATH_SIZE], said[PATH_SIZE];
    uint8_t *bytes = slurp(GOLDEN_PANELS, &n);
    path_in(folder, "said", said);
    snprintf(command, sizeof command, "%s/cgctab verify %s >/dev/null 2>%s", BIN_DIR, table, said);
    spill(table, bytes, n);
    ck_assert_msg(system(command) == 0, "%s", command);
    for (int i = 0; i < 100 * test_mult(); i++) {
        size_t at = (size_t)(uniform(&state) * (double)n), length;
        uint8_t change = (uint8_t)(1 << (int)(8 * uniform(&state)));
        bytes[at] ^= change;
        spill(table, bytes, n);
        bytes[at] ^= change;
        ck_assert_msg(system(command) != 0, "byte %zu: good for verify", at);
        char *text = (char *)slurp(said, &length);
        text[length] = 0;
        ck_assert_msg(strstr(text, table), "byte %zu: '%s'", at, text);
        free(text);
    }
    free(bytes);
}
END_TEST

/* ---- foreign files ---- */

START_TEST(foreign_files)
{
    char path[PATH_SIZE];
    static const char png[] = "\x89PNG\r\n\x1a\n and more bytes than eight";
    static const char old[] = "\x89"
                              "CGCT\r\n\x1a\1\0\2\0\0\1\0\0";
    spill(table, "", 0);
    expect(table, CGCT_E_FORMAT, "not a cgctab table");
    spill(table, "x", 1);
    expect(table, CGCT_E_FORMAT, "not a cgctab table");
    spill(table, png, sizeof png);
    expect(table, CGCT_E_FORMAT, "not a cgctab table");
    spill(table, old, sizeof old);
    expect(table, CGCT_E_VERSION, "make the table again");
    uint8_t zeros[4096] = {0};
    spill(table, zeros, sizeof zeros);
    expect(table, CGCT_E_FORMAT, "not a cgctab table");
    expect(folder, CGCT_E_IO, "directory");
    path_in(folder, "none.cgct", path);
    expect(path, CGCT_E_IO, "no such file");
    path_in(folder, "pipe", path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect(path, CGCT_E_IO, "not a regular file");
    if (geteuid() == 0) return; /* root may read anything */
    ck_assert_int_eq(chmod(table, 0), 0);
    expect(table, CGCT_E_IO, "Permission denied");
}
END_TEST

START_TEST(search_path)
{
    cgct_table *t;
    cgct_err err;
    char list[3 * PATH_SIZE];
    size_t n;
    uint8_t *bytes = slurp(GOLDEN_SMALL, &n);
    spill(table, bytes, n);
    free(bytes);
    unsetenv("CGCTAB_DATA_PATH");
    ck_assert_int_eq(cgct_open("t.cgct", &t, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "CGCTAB_DATA_PATH is not set"), "%s", err.text);
    snprintf(list, sizeof list, "/no/such:%s:/tmp", folder);
    setenv("CGCTAB_DATA_PATH", list, 1);
    ck_assert_msg(cgct_open("t.cgct", &t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_str_eq(cgct_table_path(t), table);
    cgct_close(t);
    ck_assert_int_eq(cgct_open("./t.cgct", &t, &err), CGCT_E_IO);
    ck_assert_int_eq(cgct_open("none.cgct", &t, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, list), "%s", err.text);
    ck_assert_int_eq(chdir(folder), 0);
    setenv("CGCTAB_DATA_PATH", "", 1);
    ck_assert_int_eq(cgct_open("t.cgct", &t, &err), CGCT_OK);
    cgct_close(t);
}
END_TEST

/* ---- crafted files: wrong values under right checksums ---- */

/* Places in small.cgct (FORMAT.md section 10); those of a chunk's content. */
enum { AT_HEAD = 0x20, AT_META = 0xb8, AT_AXES = 0x100, AT_TENS = 0x168, AT_SEGM = 0x1a0 };
enum { AT_BITS = 0x1c0 };

typedef struct {
    size_t at;
    int width; /* 1, 2, 4 or 8 bytes */
    uint64_t value;
    cgct_status want;
    const char *word;
} craft;

#define F64_NAN UINT64_C(0x7ff8000000000000)
#define F64_INF UINT64_C(0x7ff0000000000000)
#define F64_ONE UINT64_C(0x3ff0000000000000)
#define F64_MINUS UINT64_C(0xbff0000000000000)
#define F64_LARGE UINT64_C(0x7fe0000000000000)

static const craft crafts[] = {
    {8, 2, 3, CGCT_E_VERSION, "3.0"},
    {8, 2, 1, CGCT_E_VERSION, "make the table again"},
    {10, 2, 1, CGCT_E_VERSION, "2.1"},
    {12, 4, 1, CGCT_E_VERSION, "no table, but something of kind 1"},
    {0x10, 4, 0x41544144, CGCT_E_FORMAT, "where HEAD belongs"},
    {0x14, 4, 1, CGCT_E_FORMAT, "chunk HEAD at byte 16: reserved"},
    {0x18, 8, 120, CGCT_E_FORMAT, ""},
    {0x18, 8, UINT64_MAX, CGCT_E_FORMAT, "HEAD"},
    {0x18, 8, UINT64_MAX - 7, CGCT_E_FORMAT, "HEAD"},
    {AT_HEAD, 4, 2, CGCT_E_VERSION, "data version 2"},
    {AT_HEAD, 4, 5, CGCT_E_VERSION, "data version 5"},
    {AT_HEAD + 4, 4, 0, CGCT_E_FORMAT, "members = 0"},
    {AT_HEAD + 4, 4, 2, CGCT_E_FORMAT, "name 2 members"},
    {AT_HEAD + 4, 4, 4096, CGCT_E_FORMAT, "name 4096 members"},
    {AT_HEAD + 4, 4, 4097, CGCT_E_FORMAT, "members = 4097"},
    {AT_HEAD + 8, 4, 2, CGCT_E_FORMAT, "chunk AXES at byte 240 has 80 bytes, want 88"},
    {AT_HEAD + 12, 4, 0xffffffff, CGCT_E_FORMAT, "panels in eps = 4294967295"},
    {AT_HEAD + 16, 4, 2, CGCT_E_FORMAT, "AXES"},
    {AT_HEAD + 20, 4, 0, CGCT_E_FORMAT, "nodes in eps = 0"},
    {AT_HEAD + 24, 4, 1, CGCT_E_FORMAT, "nodes in q = 1"},
    {AT_HEAD + 28, 4, 1025, CGCT_E_FORMAT, "lower nodes = 1025"},
    {AT_HEAD + 32, 4, 1, CGCT_E_FORMAT, "upper nodes = 1"},
    {AT_HEAD + 36, 4, 257, CGCT_E_FORMAT, "modes = 257"},
    {AT_HEAD + 36, 4, 1, CGCT_E_FORMAT, "SEGM: 2 rows of a group, want 1 at most"},
    {AT_HEAD + 40, 4, 1, CGCT_E_FORMAT, "order in x = 1"},
    {AT_HEAD + 44, 4, 33, CGCT_E_FORMAT, "order in eps = 33"},
    {AT_HEAD + 52, 4, 9, CGCT_E_FORMAT, "order in v = 9"},
    {AT_HEAD + 56, 4, 2, CGCT_E_FORMAT, "blocks in q = 2"},
    {AT_HEAD + 64, 4, 0, CGCT_E_FORMAT, "upper blocks = 0"},
    {AT_HEAD + 68, 4, 1, CGCT_E_FORMAT, "shared bounds = 1"},
    {AT_HEAD + 72, 8, 0, CGCT_E_FORMAT, "k0 = 0"},
    {AT_HEAD + 80, 8, F64_INF, CGCT_E_FORMAT, "k_max = inf"},
    {AT_HEAD + 80, 8, F64_LARGE, CGCT_E_FORMAT, "k_max = 8.98847e+307"},
    {AT_HEAD + 112, 4, 1, CGCT_E_FORMAT, "variations at 1 times 0 nodes"},
    {AT_HEAD + 112, 8, UINT64_C(0x2100000021), CGCT_E_FORMAT, "variations at 33 times 33 nodes"},
    {AT_HEAD + 112, 8, UINT64_C(0x0200000002), CGCT_E_FORMAT, "has 80 bytes, want 112"},
    {AT_HEAD + 120, 8, F64_NAN, CGCT_E_FORMAT, "x_from"},
    {AT_HEAD + 120, 8, F64_MINUS, CGCT_E_FORMAT, "x_from"},
    {AT_HEAD + 120, 8, UINT64_C(0x3f847ae147ae147b), CGCT_E_FORMAT, "x_from = 0.01"},
    {AT_HEAD + 120, 8, F64_LARGE, CGCT_E_FORMAT, "nodes in x do not rise"}, /* ln of infinity */
    {AT_META, 1, 0, CGCT_E_FORMAT, "zero byte"},
    {AT_META, 1, '\t', CGCT_E_FORMAT, "no key"},
    {AT_META + 10, 1, '\\', CGCT_E_FORMAT, "backslash"},
    {AT_META + 12, 1, '\t', CGCT_E_FORMAT, "bare tab"},
    {AT_META + 44, 1, 'x', CGCT_E_FORMAT, "no last newline"},
    {AT_META + 46, 1, 1, CGCT_E_FORMAT, "chunk META at byte 168: reserved bytes or padding"},
    {AT_META + 40, 1, 'm', CGCT_E_FORMAT, "uncertainty"},
    {AT_AXES, 8, 0, CGCT_E_FORMAT, "range of x"},
    {AT_AXES, 8, F64_ONE, CGCT_E_FORMAT, "range of x"},
    {AT_AXES + 16, 8, F64_NAN, CGCT_E_FORMAT, "x: number 2 is not finite"},
    {AT_AXES + 16, 8, F64_MINUS, CGCT_E_FORMAT, "nodes in x"},
    {AT_AXES + 24, 8, 0, CGCT_E_FORMAT, "range of eps"},
    {AT_AXES + 48, 8, F64_ONE, CGCT_E_FORMAT, "nodes in eps do not rise"},
    {AT_AXES + 64, 8, F64_ONE + 1, CGCT_E_FORMAT, "nodes in q do not rise"},
    {AT_AXES + 72, 4, 2, CGCT_E_FORMAT, "panels in x"},
    {AT_AXES + 76, 4, 1, CGCT_E_FORMAT, "panels in eps: panel 0 has 1 of"},
    {AT_AXES + 76, 4, 0xffffffff, CGCT_E_FORMAT, "panels in eps"},
    {AT_TENS, 8, F64_LARGE, CGCT_E_FORMAT, "TENS"},
    {AT_TENS + 8, 8, F64_NAN, CGCT_E_FORMAT, "TENS"},
    {AT_SEGM, 4, 0, CGCT_E_FORMAT, "rank 0"},
    {AT_SEGM, 4, 2, CGCT_E_FORMAT, "rank 2"},
    {AT_SEGM, 4, 0xffffffff, CGCT_E_FORMAT, "rank 4294967295"},
    {AT_SEGM + 4, 4, 32, CGCT_E_FORMAT, "SEGM"},
    {AT_SEGM + 4, 4, 16, CGCT_E_FORMAT, "16 bytes"},
    {AT_SEGM + 4, 4, 0xffffffff, CGCT_E_FORMAT, "4294967295 bytes"},
    {AT_SEGM + 8, 8, 0, CGCT_E_FORMAT, "h = 0"},
    {AT_SEGM + 8, 8, F64_NAN, CGCT_E_FORMAT, "h = nan"},
    {AT_SEGM + 16, 8, F64_INF, CGCT_E_FORMAT, "not finite"},
    {AT_BITS, 1, 0, CGCT_E_FORMAT, "SEGM"},
    {AT_BITS, 8, UINT64_MAX, CGCT_E_FORMAT, "a run has no kind"},
    /* V of 17 bits at a point with w = 0: orders 0, kind 17, z = 2^17 - 1 */
    {AT_BITS + 11, 8, UINT64_C(0xeffff5ffffffff84), CGCT_E_FORMAT, "integer of mode 0 is larger"},
    /* e = 2 at k = 0: z = 4 instead of 2 */
    {AT_BITS + 1, 1, 0x9f, CGCT_E_FORMAT, "want 1 at most"},
    {AT_BITS + 32, 1, 0x81, CGCT_E_FORMAT, "bits are left over"},
};

START_TEST(crafted)
{
    const craft *c = &crafts[_i];
    size_t n;
    uint8_t *bytes = slurp(GOLDEN_SMALL, &n);
    for (int i = 0; i < c->width; i++) bytes[c->at + (size_t)i] = (uint8_t)(c->value >> 8 * i);
    reseal(bytes, n);
    spill(table, bytes, n);
    free(bytes);
    expect(table, c->want, c->word);
}
END_TEST

/* Bits of one segment that are wrong under right checksums are found by the call that needs them,
 * every time, and by no other. */
START_TEST(bad_segment)
{
    cgct_table *t;
    cgct_err err;
    double I[2];
    size_t n, at = 0;
    uint8_t *bytes = slurp(GOLDEN_PANELS, &n);
    while (memcmp(bytes + at, "SEGM", 4) != 0) at++; /* the first: small x and eps */
    memset(bytes + at + reseal_chunk(bytes, at, n) - 64, 0xff, 56);
    reseal(bytes, n);
    spill(table, bytes, n);
    free(bytes);
    ck_assert_int_eq(cgct_open(table, &t, &err), CGCT_OK);
    cgct_info i;
    cgct_table_info(t, &i);
    for (int again = 0; again < 2; again++) {
        ck_assert_int_eq(cgct_eval(t, i.x[0], i.eps[0], 2, 0.5, 1, I), CGCT_E_FORMAT);
        ck_assert(isnan(I[0]) && isnan(I[1]));
        ck_assert_int_eq(cgct_check(t, i.x[0], i.eps[0], 2, 0.5, 1, &err), CGCT_E_FORMAT);
        ck_assert_msg(strstr(err.text, ": SEGM: "), "%s", err.text);
        ck_assert_int_eq(cgct_eval(t, i.x[1], i.eps[1], 2, 0.5, 1, I), CGCT_OK);
        ck_assert_int_eq(cgct_load(t, &err), CGCT_E_FORMAT);
        check_message(&err, table);
    }
    cgct_close(t);
}
END_TEST

/* Random bytes under right checksums: anything but a crash. */
START_TEST(random_damage)
{
    uint64_t state = 99 + (uint64_t)_i;
    for (int i = 0; i < 1000 * test_mult(); i++) {
        size_t n;
        uint8_t *bytes = slurp(golden[_i], &n);
        int changes = 1 + (int)(4 * uniform(&state));
        for (int j = 0; j < changes; j++) {
            size_t at = 16 + (size_t)(uniform(&state) * (double)(n - 16));
            bytes[at] = (uint8_t)(256 * uniform(&state));
        }
        reseal(bytes, n);
        spill(table, bytes, n);
        free(bytes);
        cgct_table *t;
        cgct_err err = {""};
        double I[2];
        if (cgct_open(table, &t, &err) != CGCT_OK) {
            check_message(&err, table);
            continue;
        }
        cgct_set_policy(t, CGCT_POLICY_FREEZE);
        const cgct_status st = cgct_eval(t, 0.01, 1, 1.5, 2, 1, I);
        ck_assert_int_eq(cgct_eval_error(t, 0.01, 1, 1.5, 2, 1, I), st);
        ck_assert_int_eq(cgct_reference(t, 0.01, 1, 1.5, 2, 1, I), st);
        const cgct_status all = cgct_load(t, &err);
        if (all != CGCT_OK) check_message(&err, table);
        ck_assert(st == CGCT_OK || (st == CGCT_E_FORMAT && all == st));
        cgct_close(t);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("damage");
    TCase *c = tcase_create("damage");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, truncations, 0, NGOLDEN);
    tcase_add_loop_test(c, every_flip, 0, NGOLDEN);
    tcase_add_test(c, random_flips);
    tcase_add_test(c, verify_names_flips);
    tcase_add_test(c, foreign_files);
    tcase_add_test(c, search_path);
    tcase_add_loop_test(c, crafted, 0, sizeof crafts / sizeof *crafts);
    tcase_add_test(c, bad_segment);
    tcase_add_loop_test(c, random_damage, 0, NGOLDEN);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncated, flipped, foreign and crafted files: a named error or the same numbers, never a crash.
 */
#include <sys/stat.h>

#include "table_folder.h"
#include "run_suite.h"
#include "reader/cgctab.h"

/* A message that names the file and says something. */
static void check_message(const cgct_err *err, const char *path)
{
    size_t n = strlen(path);
    ck_assert_msg(strlen(err->text) > n + 12 && strstr(err->text, path) && !strchr(err->text, '\n'),
                  "'%s'", err->text);
}

static void expect(const char *path, cgct_status want, const char *word)
{
    cgct_table *t = (cgct_table *)&t;
    cgct_err err = {""};
    cgct_status st = cgct_open(path, &t, &err);
    ck_assert_msg(st == want && strstr(err.text, word), "status %d, want %d and '%s': %s", st, want,
                  word, err.text);
    ck_assert_ptr_null(t);
    check_message(&err, path);
}

/* ---- every truncation, every flip ---- */

/* Numbers at nodes and between them, and the metadata.  Nodes of unpacked files are checked only
 * when they are wanted, so all are. */
static cgct_status fingerprint(const cgct_table *t, double *out)
{
    size_t nx, neps;
    const double *x = cgct_axis_values(t, CGCT_AXIS_X, &nx);
    const double *eps = cgct_axis_values(t, CGCT_AXIS_EPS, &neps);
    double sum = 0, I[2];
    for (size_t i = 0; i < 9 * nx * neps; i++) {
        size_t j = i % 9, node = i / 9;
        cgct_status st = cgct_eval(t, x[node % nx], eps[node / nx], 1 + 0.5 * (double)(j / 3),
                                   1 + (double)(j % 3), 0.1 * (double)j, I);
        if (st != CGCT_OK) return st;
        sum += (double)(i + 1) * I[0] + (double)(i + 20) * I[1];
    }
    for (size_t i = 0; i < cgct_meta_count(t); i++) {
        const char *key = cgct_meta_key(t, i);
        for (const char *p = key; *p; p++) sum += (double)(i + 1) * *p;
        for (const char *p = cgct_meta(t, key); *p; p++) sum += (double)(i + 2) * *p;
    }
    *out = sum;
    return CGCT_OK;
}

static void open_changed(const uint8_t *bytes, size_t n, double want, const char *what, size_t at)
{
    cgct_table *t;
    cgct_err err = {""};
    spill(table, bytes, n);
    cgct_status st = cgct_open(table, &t, &err);
    if (st == CGCT_OK) {
        double got = 0;
        st = fingerprint(t, &got);
        ck_assert_msg(st == CGCT_E_CHECKSUM || (st == CGCT_OK && got == want),
                      "%s at %zu opens with other numbers, status %d", what, at, st);
        cgct_close(t);
        return;
    }
    ck_assert_msg(st == CGCT_E_FORMAT || st == CGCT_E_CHECKSUM || st == CGCT_E_VERSION,
                  "%s at %zu: status %d: %s", what, at, st, err.text);
    check_message(&err, table);
}

static const char *const golden[] = {GOLDEN_LOSSLESS,     GOLDEN_LOSSLESS_ZSTD, GOLDEN_ROUNDED,
                                     GOLDEN_ROUNDED_ZSTD, GOLDEN_UNPACKED,      GOLDEN_UNPACKED_F64,
                                     GOLDEN_DIFFERENCES};
enum { NGOLDEN = sizeof golden / sizeof *golden };

START_TEST(truncations)
{
    size_t n;
    uint8_t *bytes = slurp(golden[_i], &n);
    for (size_t cut = 0; cut < n; cut++) {
        cgct_table *t;
        cgct_err err;
        spill(table, bytes, cut);
        cgct_status st = cgct_open(table, &t, &err);
        ck_assert_msg(st == CGCT_E_FORMAT, "%zu bytes: status %d", cut, st);
        check_message(&err, table);
    }
    bytes[n] = 0;
    spill(table, bytes, n + 1);
    expect(table, CGCT_E_FORMAT, "after its end");
    free(bytes);
}
END_TEST

START_TEST(flips)
{
    size_t n;
    cgct_table *t;
    uint8_t *bytes = slurp(golden[_i], &n);
    ck_assert_int_eq(cgct_open(golden[_i], &t, NULL), CGCT_OK);
    double want;
    ck_assert_int_eq(fingerprint(t, &want), CGCT_OK);
    cgct_close(t);
    /* All bits of a small file; of a larger one a bit of each byte, or all with TEST_MULT. */
    int step = n < 2000 || test_mult() > 1 ? 1 : 9;
    for (size_t at = 0; at < n; at++)
        for (int change = (int)at % step; change < 9; change += step) {
            uint8_t kept = bytes[at];
            bytes[at] ^= (uint8_t)(change < 8 ? 1 << change : 0xff);
            open_changed(bytes, n, want, "flip", at);
            bytes[at] = kept;
        }
    free(bytes);
}
END_TEST

/* ---- foreign files ---- */

START_TEST(foreign_files)
{
    char path[PATH_SIZE];
    static const char png[] = "\x89PNG\r\n\x1a\n and more bytes than eight";
    spill(table, "", 0);
    expect(table, CGCT_E_FORMAT, "empty");
    spill(table, "x", 1);
    expect(table, CGCT_E_FORMAT, "not a cgctab container");
    spill(table, png, sizeof png);
    expect(table, CGCT_E_FORMAT, "not a cgctab container");
    uint8_t zeros[4096] = {0};
    spill(table, zeros, sizeof zeros);
    expect(table, CGCT_E_FORMAT, "not a cgctab container");
    expect(folder, CGCT_E_IO, "directory");
    path_in(folder, "none.cgct", path);
    expect(path, CGCT_E_IO, "No such file");
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
    uint8_t *bytes = slurp(GOLDEN_LOSSLESS, &n);
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

typedef struct {
    const char *part; /* "header", "axes", "index", "meta", "shape" or "node" */
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

static const craft crafts[] = {
    {"header", CGCT_AT_MAJOR, 2, 2, CGCT_E_VERSION, "format version 2.2, this program reads 1.x"},
    {"header", CGCT_AT_MAJOR, 2, 0, CGCT_E_VERSION, "format version 0.2, made by an older cgctab"},
    {"header", CGCT_AT_MINOR, 2, 0, CGCT_E_VERSION,
     "made by an older cgctab; make the table again"},
    {"header", CGCT_AT_MINOR, 2, 7, CGCT_OK, ""},
    {"header", CGCT_AT_HEADER_SIZE, 4, 512, CGCT_E_FORMAT, "header size 512, want 256"},
    {"header", CGCT_AT_KIND, 4, 2, CGCT_E_VERSION, "kind 2, this program reads kind 1"},
    {"header", CGCT_AT_DATA_VERSION, 4, 3, CGCT_E_VERSION, "data version 3, this program reads 1"},
    {"header", CGCT_AT_FEATURES, 4, 16, CGCT_E_VERSION, "feature bits 0x10"},
    {"header", CGCT_AT_FEATURES, 4, 4, CGCT_E_FORMAT, "cross without split"},
    {"header", CGCT_AT_FEATURES, 4, 1, CGCT_E_FORMAT, "fold power 0 with fold flag 1"},
    {"header", CGCT_AT_FOLD_POWER, 8, F64_ONE, CGCT_E_FORMAT, "fold power 1 with fold flag 0"},
    {"header", CGCT_AT_RESERVED_BEFORE_SIZE, 4, 1, CGCT_E_FORMAT, "reserved"},
    {"header", CGCT_AT_FILE_SIZE, 8, 5000, CGCT_E_FORMAT,
     "truncated: 872 bytes, the header says 5000"},
    {"header", CGCT_AT_LENGTHS, 4, 0, CGCT_E_FORMAT, "axis x has 0 values"},
    {"header", CGCT_AT_LENGTHS + 4, 4, 2, CGCT_E_FORMAT, "axes has 48 bytes"},
    {"header", CGCT_AT_LENGTHS + 12, 4, 0xffffffff, CGCT_E_FORMAT, "axis k has 4294967295 values"},
    {"header", CGCT_AT_NPOL, 4, 3, CGCT_E_FORMAT, "3 polarisations"},
    {"header", CGCT_AT_ORDER, 1, 1, CGCT_E_FORMAT, "order 1 of axis x"},
    {"header", CGCT_AT_ORDER + 3, 1, 9, CGCT_E_FORMAT, "order 9 of axis k"},
    {"header", CGCT_AT_META, 8, 873, CGCT_E_FORMAT, "metadata at 873"},
    {"header", CGCT_AT_META + 8, 8, UINT64_MAX, CGCT_E_FORMAT, "metadata at 568 with"},
    {"header", CGCT_AT_AXES, 8, UINT64_MAX - 7, CGCT_E_FORMAT, "lies outside"},
    {"header", CGCT_AT_INDEX, 8, 0, CGCT_E_FORMAT, "index at 0"},
    {"header", CGCT_AT_INDEX + 8, 8, 128, CGCT_E_FORMAT, "index has 128 bytes"},
    {"header", CGCT_AT_GENERATOR + 63, 1, 'x', CGCT_E_FORMAT, "not terminated"},
    {"header", CGCT_AT_RESERVED, 1, 1, CGCT_E_FORMAT, "reserved"},
    {"axes", 16, 8, 0x4000000000000000, CGCT_E_FORMAT, "axis q not rising at 1"},
    {"axes", 0, 8, F64_NAN, CGCT_E_FORMAT, "axis x: value 0 is"},
    {"axes", 8, 8, F64_INF, CGCT_E_FORMAT, "axis eps: value 0 is inf"},
    {"axes", 8, 8, 0, CGCT_E_FORMAT, "axis eps: value 0 is 0"},
    {"axes", 16, 8, F64_MINUS, CGCT_E_FORMAT, "axis q: value 0 is -1"},
    {"index", CGCT_NODE_AT_OFFSET, 8, 872, CGCT_E_FORMAT, "lies outside the file"},
    {"index", CGCT_NODE_AT_OFFSET, 8, UINT64_MAX - 100, CGCT_E_FORMAT, "lies outside the file"},
    {"index", CGCT_NODE_AT_OFFSET, 8, 8, CGCT_E_FORMAT, "lies outside the file"},
    {"index", CGCT_NODE_AT_STORED, 8, UINT64_MAX, CGCT_E_FORMAT, "lies outside the file"},
    {"index", CGCT_NODE_AT_STORED, 8, 256, CGCT_E_FORMAT, "256 stored bytes cannot hold 264"},
    {"index", CGCT_NODE_AT_RAW, 8, UINT64_MAX, CGCT_E_FORMAT, "imply 264"},
    {"index", CGCT_NODE_AT_STORED_CRC, 8, 1, CGCT_E_CHECKSUM, "frame damaged"},
    {"index", CGCT_NODE_AT_RAW_CRC, 8, 1, CGCT_E_CHECKSUM, "content damaged"},
    {"index", CGCT_NODE_AT_NM, 4, 0, CGCT_E_FORMAT, "0 modes"},
    {"index", CGCT_NODE_AT_NM, 4, 3, CGCT_E_FORMAT, "raw size 264"},
    {"index", CGCT_NODE_AT_NM, 4, 0xffffffff, CGCT_E_FORMAT, "4294967295 modes"},
    {"index", CGCT_NODE_AT_ENCODING, 4, 6, CGCT_E_VERSION, "encoding 6, this program reads 1 to 5"},
    {"index", CGCT_NODE_AT_ENCODING, 4, 2, CGCT_E_FORMAT, "raw size 264"},
    {"index", CGCT_NODE_AT_FLAGGED, 4, 0, CGCT_E_FORMAT, "1 flagged points, the index says 0"},
    {"shape", 0, 2, 0, CGCT_E_FORMAT, "0 modes"},
    {"header", CGCT_AT_SHAPE + 8, 8, 6, CGCT_E_FORMAT, "shape has 6 bytes"},
    {"index", CGCT_NODE_AT_COMPRESSION, 4, 2, CGCT_E_VERSION, "compression 2"},
    {"index", CGCT_NODE_AT_COMPRESSION, 4, 1, CGCT_E_FORMAT, "not a zstd frame"},
    {"index", CGCT_NODE_AT_RESERVED + 7, 1, 1, CGCT_E_FORMAT, "reserved"},
    {"meta", 0, 1, 0, CGCT_E_FORMAT, "zero byte"},
    {"meta", 0, 1, '\t', CGCT_E_FORMAT, "no key"},
    {"meta", 230, 1, 'x', CGCT_E_FORMAT, "no last newline"},
    {"meta", 10, 1, '\\', CGCT_E_FORMAT, "backslash"},
    {"node", 0, 8, F64_NAN, CGCT_E_FORMAT, "scale 0 is"},
    {"node", 0, 8, 0, CGCT_E_FORMAT, "point 0 has scale 0"},
    {"node", 8, 8, F64_MINUS, CGCT_E_FORMAT, "scale 1 is -1"},
    {"node", 64, 8, F64_MINUS, CGCT_E_FORMAT, "error bound 0 is -1"},
    {"node", 72, 8, F64_INF, CGCT_E_FORMAT, "error bound 1 is inf"},
    {"node", 128, 8, F64_MINUS, CGCT_E_FORMAT, "zeroth ratio -1 and flag 0"},
    {"node", 152, 8, F64_NAN, CGCT_E_FORMAT, "zeroth ratio 3 is"},
    {"node", 192, 1, 2, CGCT_E_FORMAT, "flag 0 is 2"},
    {"node", 200, 8, F64_NAN, CGCT_E_FORMAT, "ratio 0 is"},
    {"node", 256, 8, F64_INF, CGCT_E_FORMAT, "ratio 7 is inf"},
};

/* Offset of a part of the stored golden file. */
static size_t part_offset(const uint8_t *bytes, const char *part)
{
    size_t index = (size_t)cgct_get_u64(bytes + CGCT_AT_INDEX);
    if (!strcmp(part, "axes")) return (size_t)cgct_get_u64(bytes + CGCT_AT_AXES);
    if (!strcmp(part, "meta")) return (size_t)cgct_get_u64(bytes + CGCT_AT_META);
    if (!strcmp(part, "shape")) return (size_t)cgct_get_u64(bytes + CGCT_AT_SHAPE);
    if (!strcmp(part, "index")) return index;
    if (!strcmp(part, "node")) return (size_t)cgct_get_u64(bytes + index + CGCT_NODE_AT_OFFSET);
    return 0;
}

START_TEST(crafted)
{
    const craft *c = &crafts[_i];
    size_t n;
    uint8_t *bytes = slurp(GOLDEN_LOSSLESS, &n), le[8];
    size_t index = part_offset(bytes, "index"), node = part_offset(bytes, "node");
    cgct_put_u64(le, c->value);
    memcpy(bytes + part_offset(bytes, c->part) + c->at, le, (size_t)c->width);
    if (!strcmp(c->part, "node")) {
        cgct_crc64_table crc;
        cgct_crc64_init(&crc);
        cgct_put_u64(bytes + index + CGCT_NODE_AT_STORED_CRC, cgct_crc64(&crc, bytes + node, 264));
        cgct_put_u64(bytes + index + CGCT_NODE_AT_RAW_CRC, cgct_crc64(&crc, bytes + node, 264));
    }
    reseal(bytes, n);
    spill(table, bytes, n);
    free(bytes);
    if (c->want != CGCT_OK) {
        expect(table, c->want, c->word);
        return;
    }
    cgct_table *t;
    ck_assert_int_eq(cgct_open(table, &t, NULL), CGCT_OK);
    cgct_close(t);
}
END_TEST

/* Random bytes under right checksums of header, axes, metadata and index: anything but a crash. */
START_TEST(random_damage)
{
    uint64_t state = 99 + (uint64_t)_i;
    for (int i = 0; i < 1000 * test_mult(); i++) {
        size_t n;
        uint8_t *bytes = slurp(golden[_i], &n);
        int changes = 1 + (int)(4 * uniform(&state));
        for (int j = 0; j < changes; j++) {
            size_t at = 8 + (size_t)(uniform(&state) * (double)(n - 8));
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
        cgct_status st = cgct_eval(t, 0.01, 1, 1.5, 2, 1, I);
        ck_assert(st == CGCT_OK || st == CGCT_E_CHECKSUM);
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
    tcase_add_loop_test(c, flips, 0, NGOLDEN);
    tcase_add_test(c, foreign_files);
    tcase_add_test(c, search_path);
    tcase_add_loop_test(c, crafted, 0, sizeof crafts / sizeof *crafts);
    tcase_add_loop_test(c, random_damage, 0, NGOLDEN);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}

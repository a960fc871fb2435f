/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoding 5: its bound on fields of every kind and shape, its size, and payloads that lie. */
#include "run_suite.h"
#include "synthetic.h"
#include "table_folder.h"
#include "reader/cgctab.h"

/* ---- bound ---- */

/* Smooth, noise in the last digits, noise alone with values below zero, and the largest range. */
static double smooth(int pol, size_t m, const double at[4], const void *arg)
{
    (void)arg;
    double r = at[3] / (at[2] + at[3]);
    return pow(at[2], -4 - pol) / (1 + at[3]) * pow(r, (double)m);
}

static double hash(int pol, size_t m, const double at[4])
{
    uint64_t bits[2], state = 1 + (uint64_t)pol + 2 * m;
    memcpy(bits, at + 2, sizeof bits);
    state += bits[0] * 3 + bits[1] * 5;
    return uniform(&state) - 0.5;
}

static double noisy(int pol, size_t m, const double at[4], const void *arg)
{
    double s = smooth(pol, 0, at, arg);
    return smooth(pol, m, at, arg) + (m ? 1e-4 * s * hash(pol, m, at) : 0);
}

static double noise(int pol, size_t m, const double at[4], const void *arg)
{
    (void)arg;
    return exp(30 * hash(pol, 1000, at)) * hash(pol, m, at);
}

static double steep(int pol, size_t m, const double at[4], const void *arg)
{
    (void)arg;
    double s = exp(-27 * at[2] + 5 * at[3] * pol);
    return s > 1e-307 ? s * pow(0.9, (double)m) : 1e-307;
}

static void holds(const fixture *f)
{
    cgct_table *t = open_fixture(f);
    cgct_node_data d;
    cgct_err err;
    size_t n = f->n[2] * f->n[3];
    ck_assert_msg(cgct_node_read(t, 0, 0, &d, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_verify_node(t, 0, 0, NULL, &err) == CGCT_OK, "%s", err.text);
    for (size_t i = 0; i < 2 * n; i++) {
        double at[4] = {0.01, 1, f->v[2][i % n / f->n[3]], f->v[3][i % f->n[3]]}, s = f->error;
        int pol = i >= n;
        for (size_t m = 0; m < f->nm; m++) s = fmax(s, fabs(f->mode(pol, m, at, NULL)));
        if (!d.flag[i]) s = f->mode(pol, 0, at, NULL);
        for (size_t m = 0; m < f->nm; m++) {
            double want = f->mode(pol, m, at, NULL), got = m < d.nm ? d.modes[i * d.nm + m] : 0;
            ck_assert_msg(fabs(got - want) <= f->bound * s * (1 + 1e-9),
                          "point %zu, mode %zu: %g, want %g to %g of %g", i, m, got, want, f->bound,
                          s);
        }
    }
    cgct_node_free(&d);
    cgct_close(t);
}

START_TEST(bound_holds)
{
    static const fixture_mode field[] = {smooth, noisy, noise, steep};
    static const size_t shape[][2] = {{1, 1}, {1, 50}, {50, 1}, {2, 3}, {19, 33}};
    const double bound[] = {0.1, 1e-5, _i == 3 ? 1e-6 : 1e-8}; /* ln s of steep takes 31 bits */
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t nm = 1; nm <= 20; nm += 6) {
                fixture f = {.n = {1, 1, shape[i][0], shape[i][1]},
                             .v = {{0.01}, {1}},
                             .nm = nm,
                             .error = 1e-7,
                             .level = nm == 7 ? 0 : 3,
                             .bound = bound[j],
                             .mode = field[_i]};
                geometric(1, 25, f.n[2], f.v[2]);
                geometric(0.1, 25, f.n[3], f.v[3]);
                holds(&f);
            }
}
END_TEST

/* ---- size ---- */

/* A ridge as in production: 7.4 bits in encoding 2 (differences alone), 4.9 here. */
START_TEST(bits_a_number)
{
    enum { Q = 48, K = 64 };
    double v[4][K], numbers = 0;
    synthetic s = {{1, 1, Q, K}, {v[0], v[1], v[2], v[3]}, 1};
    cgct_err err;
    cgct_table *t;
    cgct_node_data d;
    cgct_node_info info;
    synthetic_axis(1e-3, 1e-3, 1, v[0]);
    synthetic_axis(1, 1, 1, v[1]);
    synthetic_axis(1, 25, Q, v[2]);
    synthetic_axis(0.1, 25, K, v[3]);
    ck_assert_msg(synthetic_write(&s, table, (cgct_writer_spec){.level = 9, .bound = 1e-5}, &err) ==
                      CGCT_OK,
                  "%s", err.text);
    ck_assert(cgct_open(table, &t, NULL) == CGCT_OK);
    ck_assert(cgct_node_read(t, 0, 0, &d, NULL) == CGCT_OK);
    for (size_t i = 0; i < 2 * Q * K; i++) {
        size_t m = d.nm - 1;
        while (m > 0 && d.modes[i * d.nm + m] == 0) m--;
        numbers += (double)(1 + m);
    }
    ck_assert(cgct_node_sizes(t, 0, 0, &info) == CGCT_OK);
    double bits = 8 * info.stored_bytes / numbers;
    ck_assert_msg(bits < 5.2, "%g bits a number", bits);
    cgct_node_free(&d);
    cgct_close(t);
}
END_TEST

/* ---- payloads that lie ---- */

/* Opens bytes under right checksums, the first node's among them. */
static cgct_status open_resealed(uint8_t *bytes, size_t n, cgct_err *err)
{
    uint8_t *entry = bytes + cgct_get_u64(bytes + CGCT_AT_INDEX);
    cgct_crc64_table crc;
    cgct_table *t;
    double I[2];
    cgct_crc64_init(&crc);
    cgct_put_u64(entry + CGCT_NODE_AT_STORED_CRC,
                 cgct_crc64(&crc, bytes + cgct_get_u64(entry),
                            (size_t)cgct_get_u64(entry + CGCT_NODE_AT_STORED)));
    reseal(bytes, n);
    spill(table, bytes, n);
    cgct_status st = cgct_open(table, &t, err);
    if (st == CGCT_OK) ck_assert(cgct_eval(t, 1e-4, 0.5, 1.2, 1, 0.3, I) == CGCT_OK);
    cgct_close(t);
    return st;
}

static size_t payload_of(const uint8_t *bytes)
{
    return (size_t)cgct_get_u64(bytes + cgct_get_u64(bytes + CGCT_AT_INDEX));
}

typedef struct {
    size_t at;
    int width;
    uint64_t value;
    const char *word;
} lie;

enum { FLAGS = 72, DESCRIPTORS = FLAGS + 2 * 4 * 5 };
static const lie lies[] = {
    {0, 8, 0, "bound is 0"},
    {8, 8, 0x4000000000000000, "step of the ratios is 2"},
    {16, 8, 0xbff0000000000000, "step of ln s is -1"},
    {24, 4, 0xffffffff, "part 0 has 4294967295 bytes"},
    {24, 4, 0, "0 bytes of predictors left"},
    {28, 4, 0xfffffff0, "part 1 has 4294967280 bytes"},
    {28, 4, 0, "more symbols or bits than are left"},
    {68, 4, 1, "reserved"},
    {FLAGS, 1, 2, "flag 0 is 2"},
    {DESCRIPTORS, 1, 5, "order 5"},
};

START_TEST(lies_are_named)
{
    const lie *l = &lies[_i];
    size_t n;
    cgct_err err = {""};
    uint8_t le[8], *bytes = slurp(GOLDEN_ROUNDED, &n);
    cgct_put_u64(le, l->value);
    memcpy(bytes + payload_of(bytes) + l->at, le, (size_t)l->width);
    cgct_status st = open_resealed(bytes, n, &err);
    ck_assert_msg(st == CGCT_E_FORMAT && strstr(err.text, l->word), "%d: %s, want '%s'", st,
                  err.text, l->word);
    free(bytes);
}
END_TEST

/* More or fewer modes than the payload has, and an encoding that is not known. */
START_TEST(lies_of_the_index)
{
    static const struct {
        int at;
        uint32_t value;
        cgct_status want;
        const char *word;
    } c[] = {{CGCT_NODE_AT_NM, 10, CGCT_E_FORMAT, "bytes of predictors left"},
             {CGCT_NODE_AT_NM, 8, CGCT_E_FORMAT, "last mode 8, want 0 to 7"},
             {CGCT_NODE_AT_ENCODING, 6, CGCT_E_VERSION, "encoding 6, this program reads 1 to 5"},
             {CGCT_NODE_AT_FLAGGED, 1, CGCT_E_FORMAT, "0 flagged points, the index says 1"}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        size_t n;
        cgct_err err = {""};
        uint8_t *bytes = slurp(GOLDEN_ROUNDED, &n);
        cgct_put_u32(bytes + cgct_get_u64(bytes + CGCT_AT_INDEX) + c[i].at, c[i].value);
        cgct_status st = open_resealed(bytes, n, &err);
        ck_assert_msg(st == c[i].want && strstr(err.text, c[i].word), "%d: %s, want '%s'", st,
                      err.text, c[i].word);
        free(bytes);
    }
}
END_TEST

/* Every byte of a payload changed, then several at random: a reason or numbers, never a crash. */
START_TEST(damaged_payloads)
{
    size_t n;
    uint64_t state = 3;
    uint8_t *bytes = slurp(GOLDEN_ROUNDED, &n);
    size_t start = payload_of(bytes);
    size_t size = (size_t)cgct_get_u64(bytes + cgct_get_u64(bytes + CGCT_AT_INDEX) + 8);
    uint8_t *kept = malloc(size);
    ck_assert_ptr_nonnull(kept);
    memcpy(kept, bytes + start, size);
    for (size_t i = 0; i < 2 * size + 3000 * (size_t)test_mult(); i++) {
        cgct_err err = {""};
        int changes = i < 2 * size ? 1 : 1 + (int)(6 * uniform(&state));
        memcpy(bytes + start, kept, size);
        for (int j = 0; j < changes; j++) {
            size_t at = i < 2 * size ? i / 2 : (size_t)(uniform(&state) * (double)size);
            bytes[start + at] =
                i < 2 * size ? (i % 2 ? 0xff : kept[at] ^ 1) : (uint8_t)(256 * uniform(&state));
        }
        cgct_status st = open_resealed(bytes, n, &err);
        ck_assert_msg(st == CGCT_OK || st == CGCT_E_FORMAT, "%d: %s", st, err.text);
    }
    free(kept);
    free(bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predicted");
    TCase *c = tcase_create("predicted");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, bound_holds, 0, 4);
    tcase_add_test(c, bits_a_number);
    tcase_add_loop_test(c, lies_are_named, 0, sizeof lies / sizeof *lies);
    tcase_add_test(c, lies_of_the_index);
    tcase_add_test(c, damaged_payloads);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}

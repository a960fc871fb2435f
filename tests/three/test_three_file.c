/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of three momenta as a file (format/THREE.md): round trip, layout, damage. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "reseal.h"
#include "three/momentum.h"
#include "three_mode.h"
#include "three_task.h"
#include "run_suite.h"

/* Of the content of the first two chunks. */
enum { HEAD = 32, LIST = 96, ROOM = 1 << 16 };

static char path[64];
static unsigned char bytes[ROOM];
static size_t size;

static void setup_path(void)
{
    strcpy(path, "/tmp/cgct_three_XXXXXX");
    close(mkstemp(path));
}

static void remove_path(void)
{
    remove(path);
}

static void read_bytes(void)
{
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    size = fread(bytes, 1, ROOM, f);
    ck_assert(size < ROOM && feof(f));
    fclose(f);
}

static void write_bytes(size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(bytes, 1, n, f) == n);
    fclose(f);
}

static void block(const void *self, const three_block *at, double *re, double *im)
{
    (void)self;
    for (size_t i = 0; i < at->nalpha * at->nbeta * at->n; i++) {
        size_t ir = i % at->n, ia = i / at->n % at->nalpha, ib = i / at->n / at->nalpha;
        double r = at->rp[ir];
        re[i] = exp(-at->delta - r * r - at->b + 0.3 * r * at->sin_alpha[ia]) + at->cos_beta[ib];
        if (im) im[i] = 2 * re[i] - at->sin_beta[ib];
    }
}

/* A small transform: kind 0 symmetric, 1 not, 2 and 3 the same and complex. */
static three_momentum *make(task *t, int kind)
{
    const three_integrand g = {
        .block = block, .is_symmetric = !(kind & 1), .is_complex = kind >> 1};
    task_init(t);
    t->o.delta.n = t->o.rp.n = t->o.b.n = 9;
    t->o.modes = 2;
    t->o.nphi = 5;
    return transform(t, &g, NULL);
}

static const double phi_p[] = {0, 0.5}, phi_q[] = {-1, 2, 3}, par[] = {0.25, -4};

static three_head head_of(void)
{
    return (three_head){.n = {NK, NP, NQ, 2, 3, 2},
                        .list = {k_list, p_list, q_list, phi_p, phi_q, par},
                        .generator = "a program 1.2.3",
                        .integrand = "mine.so",
                        .settings = "as it was"};
}

static void save(const three_momentum *t)
{
    three_head h = head_of();
    cgct_err err = {""};
    ck_assert_msg(three_momentum_save(path, t, &h, &err) == CGCT_OK, "%s", err.text);
}

START_TEST(round_trip)
{
    task t;
    three_head h;
    void *memory;
    cgct_err err = {""};
    three_momentum *want = make(&t, _i), *got;
    save(want);
    ck_assert_msg(three_momentum_load(path, &got, &h, &memory, &err) == CGCT_OK, "%s", err.text);
    const three_head saved = head_of();
    for (int i = 0; i < THREE_LISTS; i++)
        ck_assert(h.n[i] == saved.n[i] &&
                  !memcmp(h.list[i], saved.list[i], h.n[i] * sizeof *h.list[i]));
    ck_assert_str_eq(h.integrand, "mine.so");
    ck_assert_str_eq(h.settings, "as it was");
    ck_assert_str_eq(h.generator, "a program 1.2.3");
    for (size_t i = 0; i < NK * NP * NQ; i++) {
        double F[2], G[2], e, f;
        three_momentum_value(want, &(three_momenta){i / (NP * NQ), i / NQ % NP, i % NQ, 0.3, 2.2},
                             F, &e);
        three_momentum_value(got, &(three_momenta){i / (NP * NQ), i / NQ % NP, i % NQ, 0.3, 2.2}, G,
                             &f);
        ck_assert(F[0] == G[0] && F[1] == G[1] && e == f);
    }
    free(memory);
    three_momentum_free(want);
    three_momentum_free(got);
}
END_TEST

static unsigned long number(size_t at, int n)
{
    unsigned long v = 0;
    for (int i = n - 1; i >= 0; i--) v = v << 8 | bytes[at + (size_t)i];
    return v;
}

/* Offsets as the text of the format has them. */
START_TEST(layout)
{
    static const unsigned char magic[] = {0x89, 'C', 'G', 'C', 'T', 13, 10, 26};
    task t;
    three_momentum *r = make(&t, 3);
    save(r);
    read_bytes();
    ck_assert(!memcmp(bytes, magic, 8));
    static const char *const name[] = {"HEAD", "LIST", "TEXT", "MODE", "MODE", "TEND"};
    static const unsigned u32[] = {NK, NP, NQ, 2, 3, 2, 2, 1, 0};
    const size_t lists = NK + NP + NQ + 2 + 3 + 2, count = 4 * 3 * 5 * NK * NQ * NP;
    const size_t length[] = {36, 8 * lists, 16 + 8 + 10, 8 * count, 8 * count, 0};
    size_t at = 16, mode = 0;
    ck_assert_uint_eq(number(8, 4), 2);
    ck_assert_uint_eq(number(12, 4), 3);
    for (int i = 0; i < 6; i++) {
        ck_assert(!memcmp(bytes + at, name[i], 4) && number(at + 4, 4) == (i == 4));
        ck_assert_uint_eq(number(at + 8, 8), length[i]);
        if (i == 2) ck_assert(!memcmp(bytes + at + 16, "a program 1.2.3\0mine.so\0as it was", 34));
        if (i == 3) mode = at + 16;
        at += 16 + (length[i] + 7) / 8 * 8 + 8;
    }
    ck_assert_uint_eq(at, size);
    for (size_t i = 0; i < 9; i++) ck_assert_uint_eq(number(HEAD + 4 * i, 4), u32[i]);
    double v;
    unsigned long bits = number(mode, 8); /* m = 0, n = -M, first momenta */
    memcpy(&v, &bits, 8);
    double A[2];
    three_momentum_mode(r, 0, -2, 0, 0, 0, A);
    bits = number(mode + 8 * (3 * count / 4), 8); /* plane 3: Im of the modes of Im G */
    double w;
    memcpy(&w, &bits, 8);
    ck_assert(fabs(A[0] - (v - w)) <= 1e-15 * fabs(v));
    three_momentum_free(r);
}
END_TEST

static cgct_status load(cgct_err *err)
{
    three_momentum *t;
    three_head h;
    void *memory;
    cgct_status st = three_momentum_load(path, &t, &h, &memory, err);
    three_momentum_free(t);
    free(memory);
    return st;
}

static void refused(size_t n, cgct_status want, const char *text)
{
    cgct_err err = {""};
    write_bytes(n);
    cgct_status st = load(&err);
    ck_assert_msg(st == want, "status %d, want %d: %s", st, want, err.text);
    ck_assert_msg(strstr(err.text, text) && strstr(err.text, path), "<%s>, want <%s>", err.text,
                  text);
}

/* Any byte changed, any length: one named error. */
START_TEST(damage)
{
    task t;
    three_momentum *r = make(&t, _i);
    save(r);
    three_momentum_free(r);
    read_bytes();
    for (size_t i = 0; i < size; i += i < 300 || i > size - 20 ? 1 : 61) {
        cgct_err err = {""};
        bytes[i] ^= 0x41;
        write_bytes(size);
        bytes[i] ^= 0x41;
        cgct_status st = load(&err);
        ck_assert_msg(st == CGCT_E_FORMAT || st == CGCT_E_VERSION || st == CGCT_E_CHECKSUM,
                      "byte %zu: status %d %s", i, st, err.text);
        ck_assert_msg(!strncmp(err.text, path, strlen(path)), "byte %zu: %s", i, err.text);
    }
    for (size_t i = 0; i < size; i += 1 + size / 199) refused(i, CGCT_E_FORMAT, "truncated");
    refused(size + 1, CGCT_E_FORMAT, "bytes behind its end");
}
END_TEST

static void put(size_t at, int n, uint64_t v)
{
    for (int i = 0; i < n; i++) bytes[at + (size_t)i] = (unsigned char)(v >> 8 * i);
}

/* Hostile files whose checksums are right. */
START_TEST(lies)
{
    static const struct {
        size_t at;
        int n;
        uint64_t v;
        cgct_status want;
        const char *text;
    } lie[] = {{HEAD, 4, 0, CGCT_E_FORMAT, "0 values of k"},
               {HEAD + 4, 4, 65537, CGCT_E_FORMAT, "65537 values of p"},
               {HEAD, 8, 0xffff0000ffff, CGCT_E_FORMAT, "by its sizes"},
               {HEAD + 8, 4, 4, CGCT_E_FORMAT, "by its sizes"},
               {HEAD + 8, 4, 2, CGCT_E_FORMAT, "part LIST"},
               {HEAD + 24, 4, 257, CGCT_E_FORMAT, "M = 257"},
               {HEAD + 28, 4, 2, CGCT_E_FORMAT, "flags 2"},
               {HEAD + 32, 4, 2, CGCT_E_FORMAT, "flags 0 2"},
               {HEAD + 12, 4, 0, CGCT_E_FORMAT, "0 values of phi_p"},
               {HEAD + 20, 4, 0xffffffff, CGCT_E_FORMAT, "values of par"},
               {8, 2, 1, CGCT_E_VERSION, "format 1.0"},
               {12, 4, 0, CGCT_E_VERSION, "is a table"},
               {12, 4, 2, CGCT_E_VERSION, "inner table"},
               {12, 4, 77, CGCT_E_VERSION, "another kind"},
               {16, 1, 'X', CGCT_E_FORMAT, "no part HEAD"},
               {20, 1, 1, CGCT_E_FORMAT, "no part HEAD"},
               {LIST, 8, 0x7ff0000000000000, CGCT_E_FORMAT, "number 0"},
               {LIST, 8, 0xbff0000000000000, CGCT_E_FORMAT, "a momentum is -1 GeV"}};
    static unsigned char sound[ROOM];
    task t;
    three_momentum *r = make(&t, 0);
    save(r);
    three_momentum_free(r);
    read_bytes();
    memcpy(sound, bytes, size);
    for (size_t i = 0; i < sizeof lie / sizeof *lie; i++) {
        put(lie[i].at, lie[i].n, lie[i].v);
        reseal(bytes, size);
        refused(size, lie[i].want, lie[i].text);
        memcpy(bytes, sound, size);
    }
    size_t text = 0;
    while (memcmp(bytes + text, "TEXT", 4) != 0) text++;
    for (size_t i = 0; i < 3; i++) { /* texts: two strings, four, the last one open */
        bytes[text + 16 + (i == 0 ? 15 : i == 1 ? 28 : 33)] = i == 1 ? 0 : 'x';
        reseal(bytes, size);
        refused(size, CGCT_E_FORMAT, "not 3 strings");
        memcpy(bytes, sound, size);
    }
}
END_TEST

START_TEST(writer_refuses)
{
    task t;
    cgct_err err = {""};
    three_momentum *r = make(&t, 0);
    three_head h = head_of();
    h.n[THREE_K] = 2;
    ck_assert_int_eq(three_momentum_save(path, r, &h, &err), CGCT_E_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "2 x 2 x 3 momenta for modes at 3 x 2 x 3"));
    h.n[THREE_K] = NK;
    h.n[THREE_PHI_P] = 0;
    ck_assert_int_eq(three_momentum_save(path, r, &h, &err), CGCT_E_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "0 values of phi_p"));
    h.n[THREE_PHI_P] = 2;
    save(r);
    read_bytes();
    r->A[1][5] = NAN;
    ck_assert_int_eq(three_momentum_save(path, r, &h, &err), CGCT_E_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "number 5 of the modes"));
    ck_assert_int_eq(load(&err), CGCT_OK); /* the file that was there is whole */
    r->A[1][5] = 0;
    ck_assert_int_eq(three_momentum_save("/no/such/folder/t.cgc3", r, &h, &err), CGCT_E_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "/no/such/folder"));
    remove_path();
    ck_assert_int_eq(load(&err), CGCT_E_IO);
    three_momentum_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("three_file");
    TCase *t = tcase_create("three_file");
    tcase_add_checked_fixture(t, setup_path, remove_path);
    tcase_add_loop_test(t, round_trip, 0, 4);
    tcase_add_test(t, layout);
    tcase_add_loop_test(t, damage, 0, 4);
    tcase_add_test(t, lies);
    tcase_add_test(t, writer_refuses);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 against the examples of FIPS 180-4 and messages of every length across two blocks. */
#include <check.h>
#include <string.h>

#include "reader/tool/tool.h"
#include "run_suite.h"

static void hash_of(const char *text, size_t n, size_t repeats, char hex[65])
{
    FILE *f = tmpfile();
    for (size_t i = 0; i < repeats; i++) fwrite(text, 1, n, f);
    rewind(f);
    sha256_file(f, hex);
    fclose(f);
}

/* The examples that NIST publishes with the standard; the last one is a million of "a". */
START_TEST(published_examples)
{
    const struct {
        const char *text;
        size_t repeats;
        const char *hex;
    } want[] = {{"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
                {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
    char hex[65];
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        hash_of(want[i].text, strlen(want[i].text), want[i].repeats, hex);
        ck_assert_str_eq(hex, want[i].hex);
    }
}
END_TEST

/* The hash of the hashes of 0 to 199 bytes 0xa5.  Python:
 * h = lambda b: hashlib.sha256(b).hexdigest()
 * h("".join(h(b"\xa5" * n) for n in range(200)).encode()) */
START_TEST(every_length)
{
    char bytes[200], all[64 * 200 + 1], hex[65];
    memset(bytes, 0xa5, sizeof bytes);
    for (size_t n = 0; n < sizeof bytes; n++) hash_of(bytes, n, 1, all + 64 * n);
    hash_of(all, 64 * sizeof bytes, 1, hex);
    ck_assert_str_eq(hex, "fb2e69f3e98a9aca8a8fab8ed778110f2f05ee04d47776ff3ab42ead807cae65");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sha256");
    TCase *c = tcase_create("sha256");
    tcase_add_test(c, published_examples);
    tcase_add_test(c, every_length);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}

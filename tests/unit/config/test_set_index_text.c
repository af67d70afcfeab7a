/* Set-index functions from text: matrix files, and every message, word for word. */
#include "goldmem/set_index.h"
#include "support/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct refusal {
    const char *text;
    uint64_t sets;
    unsigned address_bits;
    const char *message; /* after "set-index function 'TEXT': " */
} refusal;

#define UNKNOWN                                                                                    \
    "unknown; there are sequential, xor, fold, fermi, ipoly[:P[:reducible]], matrix:FILE, prime "  \
    "and skew"

static const refusal refusals[] = {
    {"", 32, 42, UNKNOWN},
    {"xo", 32, 42, UNKNOWN},
    {"xors", 32, 42, UNKNOWN},
    {"IPOLY", 32, 42, UNKNOWN},
    {"xor:1", 32, 42, "it takes no parameter"},
    {"xor:", 32, 42, "it takes no parameter"},
    {"xor", 33, 42, "33 sets: must be a power of two from 1 to 65536"},
    {"xor", 0, 42, "0 sets: must be a power of two from 1 to 65536"},
    {"xor", 131072, 42, "131072 sets: must be a power of two from 1 to 65536"},
    {"matrix:x", UINT64_C(1) << 40, 64,
     "1099511627776 sets: must be a power of two from 1 to 65536"},
    {"xor", 32, 4, "4 line-address bits: must be 5 to 64 for 32 sets"},
    {"xor", 32, 65, "65 line-address bits: must be 5 to 64 for 32 sets"},
    {"fermi", 16, 42,
     "16 sets and 42 line-address bits: it is defined for 32 and 64 sets and at least 13 "
     "line-address bits"},
    {"fermi", 128, 42,
     "128 sets and 42 line-address bits: it is defined for 32 and 64 sets and at least 13 "
     "line-address bits"},
    {"fermi", 32, 12,
     "32 sets and 12 line-address bits: it is defined for 32 and 64 sets and at least 13 "
     "line-address bits"},
    {"ipoly", 1, 42, "1 set: a polynomial needs at least 2 sets"},
    {"prime", 1, 42, "1 set: there is no prime number up to 1"},
    {"ipoly:37", 64, 42, "polynomial 37 has degree 5; 64 sets need degree 6 (65 to 127)"},
    {"ipoly:37", 16, 42, "polynomial 37 has degree 5; 16 sets need degree 4 (17 to 31)"},
    {"ipoly:38", 32, 42, "polynomial 38 has no constant term (it is even)"},
    {"ipoly:38:reducible", 32, 42, "polynomial 38 has no constant term (it is even)"},
    {"ipoly:33", 32, 42, "polynomial 33 is reducible: 3 divides it (ipoly:33:reducible takes it)"},
    {"ipoly:49", 32, 42, /* x^5+x^4+1 = (x^2+x+1)(x^3+x+1) */
     "polynomial 49 is reducible: 7 divides it (ipoly:49:reducible takes it)"},
    {"ipoly:33:reducable", 32, 42,
     "':reducable' after the polynomial; only ':reducible' may follow"},
    {"ipoly:37x", 32, 42, "'x' after the polynomial; only ':reducible' may follow"},
    {"ipoly:", 32, 42, "'' is not a polynomial (a number such as 37 or 0x25)"},
    {"ipoly:-37", 32, 42, "'-37' is not a polynomial (a number such as 37 or 0x25)"},
    {"ipoly: 37", 32, 42, "' 37' is not a polynomial (a number such as 37 or 0x25)"},
    {"ipoly:1", 32, 42, "'1' is not a polynomial (a number such as 37 or 0x25)"},
    {"ipoly:4294967296", 32, 42, "'4294967296' is not a polynomial (a number such as 37 or 0x25)"},
    {"ipoly:99999999999999999999", 32, 42,
     "'99999999999999999999' is not a polynomial (a number such as 37 or 0x25)"},
    {"matrix", 32, 42, "the file is missing (matrix:FILE)"},
    {"matrix:", 32, 42, "the file is missing (matrix:FILE)"},
    {"matrix:/nonexistent", 32, 42, "/nonexistent: No such file or directory"},
    {"matrix:/", 32, 42, "/: Is a directory"},
};

static void refuses(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const refusal *r = &refusals[i];
        char expected[GM_ERROR_TEXT];
        gm_set_index function;
        gm_error error = {0};
        snprintf(expected, sizeof expected, "set-index function '%s': %s", r->text, r->message);
        assert_true(gm_set_index_parse(&function, r->text, r->sets, r->address_bits, &error) < 0);
        assert_string_equal(error.text, expected);
    }
}

typedef struct file_case {
    const char *content;
    const char *message; /* "%s" is the file; NULL: it is taken, with rows 3, 6 and 4 */
} file_case;

/* 8 sets, 10 line-address bits */
static const file_case file_cases[] = {
    {"0x3\n0x6\n0x4\n", NULL},
    {"# I0 first\n\n  0X3  # L1 ^ L0\r\n110\n1 0 0", NULL},
    {"0000000011\n00 0000 0110\n0 0 0 0 0 0 0 1 0 0\n", NULL},
    {"0x3\n0x6\n", "%s: 2 rows; 8 sets need 3"},
    {"", "%s: 0 rows; 8 sets need 3"},
    {"0x3\n0x6\n0x4\n#\n0x1\n", "%s:5: one row too many; 8 sets need 3"},
    {"0x3\n0x6\n012\n", "%s:3: '012' is neither digits 0 and 1 nor a mask 0x..."},
    {"7\n", "%s:1: '7' is neither digits 0 and 1 nor a mask 0x..."},
    {"0x\n", "%s:1: '0x' is not a mask of up to 64 bits"},
    {"0x3g\n", "%s:1: '0x3g' is not a mask of up to 64 bits"},
    {"0x3 0x4\n", "%s:1: '0x3 0x4' is not a mask of up to 64 bits"},
    {"0x10000000000000000\n", "%s:1: '0x10000000000000000' is not a mask of up to 64 bits"},
    {"00000000000000000000000000000000000000000000000000000000000000001\n",
     "%s:1: 65 digits; at most 64"},
    {"0x3\n0x406\n0x4\n", "row 1 (0x406) uses line-address bit 10; there are 10 bits"},
    /* L1^L0, L2^L1, L2^L0: their XOR is 0, and 111 reaches set 0 like 000 */
    {"0x3\n0x6\n0x5\n", "lines 0x0 and 0x7 have the same tag and the same set: the matrix over "
                        "the low 3 bits is not of full rank"},
    /* the upper bits do not help: bit 2 counts for nothing within one tag */
    {"0x11\n0x22\n0x48\n", "lines 0x0 and 0x4 have the same tag and the same set: the matrix over "
                           "the low 3 bits is not of full rank"},
};

static void reads_matrix_files(void **state)
{
    (void)state;
    test_folder_make();
    for (unsigned i = 0; i < sizeof file_cases / sizeof file_cases[0]; i++) {
        const file_case *c = &file_cases[i];
        const char *path = test_file_write("matrix", c->content, strlen(c->content));
        char text[300];
        snprintf(text, sizeof text, "matrix:%s", path);
        gm_set_index function;
        gm_error error = {0};
        int code = gm_set_index_parse(&function, text, 8, 10, &error);
        if (c->message == NULL) {
            test_ok(code, error);
            assert_int_equal(function.row[0], 3);
            assert_int_equal(function.row[1], 6);
            assert_int_equal(function.row[2], 4);
            continue;
        }
        char expected[GM_ERROR_TEXT];
        int start = snprintf(expected, sizeof expected, "set-index function '%s': ", text);
        const char *mark = strstr(c->message, "%s");
        snprintf(expected + start, sizeof expected - (size_t)start, "%s%s",
                 mark != NULL ? path : "", mark != NULL ? mark + 2 : c->message);
        assert_int_equal(code, -EINVAL);
        assert_string_equal(error.text, expected);
    }
    test_folder_remove();
}

static void refuses_long_lines(void **state)
{
    (void)state;
    test_folder_make();
    char content[1100];
    memset(content, ' ', sizeof content);
    const char *path = test_file_write("matrix", content, sizeof content);
    char text[300];
    char expected[GM_ERROR_TEXT];
    snprintf(text, sizeof text, "matrix:%s", path);
    snprintf(expected, sizeof expected,
             "set-index function '%s': %s:1: longer than 1022 characters", text, path);
    gm_set_index function;
    gm_error error = {0};
    assert_int_equal(gm_set_index_parse(&function, text, 8, 10, &error), -EINVAL);
    assert_string_equal(error.text, expected);
    test_folder_remove();
}

/* Reducible ones are taken when asked for, and names are what the parser takes. */
static void accepts(void **state)
{
    (void)state;
    gm_set_index function;
    gm_error error;
    test_ok(gm_set_index_parse(&function, "ipoly:49:reducible", 32, 42, &error), error);
    assert_int_equal(function.polynomial, 49);
    test_ok(gm_set_index_parse(&function, "ipoly:037", 32, 42, &error), error); /* not octal */
    assert_int_equal(function.polynomial, 37);
    test_ok(gm_set_index_parse(&function, "ipoly:0x25", 32, 42, &error), error);
    assert_int_equal(function.polynomial, 37);
    test_ok(gm_set_index_parse(&function, "ipoly:37:reducible", 32, 42, &error), error);
    for (int kind = GM_INDEX_SEQUENTIAL; kind <= GM_INDEX_SKEW; kind++) {
        if (kind != GM_INDEX_MATRIX) {
            const char *name = gm_set_index_name((gm_set_index_kind)kind);
            test_ok(gm_set_index_parse(&function, name, 32, 42, &error), error);
            assert_int_equal(function.kind, kind);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses),
        cmocka_unit_test(reads_matrix_files),
        cmocka_unit_test(refuses_long_lines),
        cmocka_unit_test(accepts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

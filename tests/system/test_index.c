/* goldmem index: what it prints, against the paper's figures and hand calculations. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

typedef struct command_case {
    const char *arguments;
    int status;
    const char *output; /* all of standard output, or with "..." first: a part of it */
    const char *errors;
} command_case;

#define ONE_OF                                                                                     \
    "goldmem: one of addresses, --matrix, --strides and --histogram; try 'goldmem index --help'\n"

static const command_case cases[] = {
    /* [khairy, figure 7], term by term */
    {"--address-bits 27 ipoly:37", 0,
     "ipoly:37: 32 sets, lines of 128 bytes, line address A[26:7]\n"
     "  I0 = A25 ^ A24 ^ A23 ^ A22 ^ A21 ^ A18 ^ A17 ^ A15 ^ A12 ^ A7\n"
     "  I1 = A26 ^ A25 ^ A24 ^ A23 ^ A22 ^ A19 ^ A18 ^ A16 ^ A13 ^ A8\n"
     "  I2 = A26 ^ A22 ^ A21 ^ A20 ^ A19 ^ A18 ^ A15 ^ A14 ^ A12 ^ A9\n"
     "  I3 = A23 ^ A22 ^ A21 ^ A20 ^ A19 ^ A16 ^ A15 ^ A13 ^ A10\n"
     "  I4 = A24 ^ A23 ^ A22 ^ A21 ^ A20 ^ A17 ^ A16 ^ A14 ^ A11\n"
     "  rank 5 of 5; one-to-one for a fixed tag (A[26:12])\n"
     "  two-input XOR gates as written 43, largest fan-in 10\n",
     ""},
    /* 64 - 61 (the largest prime below) sets are of no use */
    {"--sets 64 prime", 0,
     "prime: 64 sets, lines of 128 bytes, line address A[48:7]\n"
     "  set = line address mod 61, tag = line address\n"
     "  unused sets: 3 (61, 62, 63)\n",
     ""},
    {"--sets 2 prime", 0, "...  unused sets: 0\n", ""},
    {"--sets 65536 prime", 0,
     "...  unused sets: 15 (65521, 65522, 65523, 65524, 65525, 65526, 65527, 65528, ..., 65535)\n",
     ""},
    {"skew", 0, "...  set = (line address + tag) mod 32, tag = line address >> 5\n", ""},
    /* A12 is line-address bit 5: x^5 = x^2 + 1 */
    {"--csv ipoly:37 sequential 4096 0x80", 0,
     "address,function,set,tag\n"
     "0x1000,ipoly:37,5,0x1\n"
     "0x1000,sequential,0,0x1\n"
     "0x80,ipoly:37,1,0x0\n"
     "0x80,sequential,1,0x0\n",
     ""},
    {"sequential 0xfff", 0,
     "                    sequential\n"
     "address                set tag\n"
     "0xfff                   31 0x0\n",
     ""},
    /* x^0 to x^5 mod x^3 + x^2 + 1: 1, x, x^2, x^2+1, x^2+x+1, x+1; columns from A5 down */
    {"--matrix --sets 8 --line 1 --address-bits 6 ipoly:13", 0,
     "# H-matrix of ipoly:13: rows I0 to I2, columns A5 to A0\n111001\n110010\n011100\n", ""},
    /* M / gcd(M, S) sets [khairy, 4.3]: strides 1 to 6 of 4 sets */
    {"--csv --sets 4 --strides=6 sequential", 0,
     "stride,function,sets,fullest\n1,sequential,4,1\n2,sequential,2,2\n3,sequential,4,1\n"
     "4,sequential,1,4\n5,sequential,4,1\n6,sequential,2,2\n",
     ""},
    {"--strides=64 --sets 32 sequential", 0, "...sequential", ""},
    {"--csv --address-bits 20 fermi", 0,
     "function,index_bit,address_bits\nfermi,0,A13 ^ A7\nfermi,1,A14 ^ A8\nfermi,2,A15 ^ A9\n"
     "fermi,3,A17 ^ A10\nfermi,4,A19 ^ A11\n",
     ""},
    {"", 2, "",
     "goldmem: no function named, such as ipoly:37 or sequential; try 'goldmem index --help'\n"},
    {"ipoly:36", 2, "",
     "goldmem: set-index function 'ipoly:36': polynomial 36 has no constant term (it is even)\n"},
    {"ipoly:37 12z", 2, "",
     "goldmem: '12z' is not an address (a number, decimal or 0x...); try 'goldmem index --help'\n"},
    {"ipoly:37 0x2000000000000", 2, "",
     "goldmem: address 0x2000000000000 does not fit in 49 bits (--address-bits)\n"},
    {"--sets 33 xor", 2, "",
     "goldmem: --sets 33: must be a power of two from 1 to 65536; try 'goldmem index --help'\n"},
    {"--line 100 xor", 2, "",
     "goldmem: --line 100: must be a power of two from 1 to 65536; try 'goldmem index --help'\n"},
    {"--line 64 fermi", 2, "",
     "goldmem: set-index function 'fermi': it is defined for lines of 128 bytes, not 64\n"},
    {"ipoly:045", 2, "",
     "goldmem: set-index function 'ipoly:045': polynomial 45 is reducible: 3 divides it "
     "(ipoly:45:reducible takes it)\n"},
    {"--address-bits 12 xor", 0, "...  rank 5 of 5; one-to-one\n", ""},
    {"--csv --json xor", 2, "",
     "goldmem: --csv and --json: one of them; try 'goldmem index --help'\n"},
    {"--address-bits 65 xor", 2, "",
     "goldmem: --address-bits 65: must be 1 to 64; try 'goldmem index --help'\n"},
    {"--address-bits 7 xor", 2, "", "goldmem: 7 address bits are none for lines of 128 bytes\n"},
    {"--strides=0 xor", 2, "",
     "goldmem: --strides=0: must be 1 to 1048576; try 'goldmem index --help'\n"},
    {"--matrix --strides xor", 2, "", ONE_OF},
    {"--matrix xor 5", 2, "", ONE_OF},
    {"--matrix prime", 2, "", "goldmem: 'prime' is not a matrix\n"},
};

static void prints(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_command ran = test_run("$GOLDMEM index %s", cases[i].arguments);
        print_message("goldmem index %s\n", cases[i].arguments);
        assert_string_equal(ran.errors, cases[i].errors);
        if (strncmp(cases[i].output, "...", 3) == 0) {
            assert_non_null(strstr(ran.output, cases[i].output + 3));
        } else {
            assert_string_equal(ran.output, cases[i].output);
        }
        assert_int_equal(ran.status, cases[i].status);
        test_command_free(&ran);
    }
}

/* A matrix printed and read back is the function again. */
static void matrix_round_trip(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command ran =
        test_run("cd %s && $GOLDMEM index --sets 128 --matrix ipoly >m && "
                 "$GOLDMEM index --sets 128 --csv ipoly >a && "
                 "$GOLDMEM index --sets 128 --csv matrix:m | sed s/matrix:m/ipoly/ | cmp - a",
                 folder);
    assert_string_equal(ran.errors, "");
    assert_int_equal(ran.status, 0);
    test_command_free(&ran);
    test_folder_remove();
}

static void reads_standard_input(void **state)
{
    (void)state;
    test_command ran = test_run("printf '4096 0x80\\n\\n0x100,5' | $GOLDMEM index --csv xor -");
    assert_string_equal(ran.output, "address,function,set,tag\n0x1000,xor,1,0x1\n0x80,xor,1,0x0\n"
                                    "0x100,xor,2,0x0\n0x5,xor,0,0x0\n");
    assert_int_equal(ran.status, 0);
    test_command_free(&ran);
    ran = test_run("printf '1\\n2 x3\\n' | $GOLDMEM index xor -");
    assert_string_equal(ran.errors, "goldmem: standard input:2: 'x3' is not an address\n");
    assert_string_equal(ran.output, "");
    assert_int_equal(ran.status, 2);
    test_command_free(&ran);
    /* more addresses than the first piece of memory holds */
    ran = test_run("seq 0 128 400000 | $GOLDMEM index --csv sequential - | tail -n +2 | "
                   "cut -d, -f3 | sort -n | uniq -c | awk '{s += $1} END {print s, NR}'");
    assert_string_equal(ran.output, "3126 32\n"); /* 3126 lines over 32 sets */
    test_command_free(&ran);
}

/* JSON has the same numbers as the CSV. */
static void json_agrees_with_csv(void **state)
{
    (void)state;
    test_command json = test_run("$GOLDMEM index --json --strides=50 ipoly:37 | jq -r "
                                 "'.functions[0] | [.sets, .fullest] | transpose[] | @csv'");
    test_command csv = test_run("$GOLDMEM index --csv --strides=50 ipoly:37 | tail -n +2 | "
                                "cut -d, -f3-");
    assert_string_equal(json.errors, "");
    assert_string_equal(json.output, csv.output);
    test_command_free(&json);
    test_command_free(&csv);
}

/* [khairy, 4.3]: a warp of SYRK reads 32 rows, which share one set sequentially and have a set each
 * under ipoly(37). */
static void histogram_of_syrk(void **state)
{
    (void)state;
    test_command ran = test_run(
        "$GOLDMEM index --json --histogram workload:syrk,n=32 sequential ipoly:37 | "
        "jq -c '[.divergent_lines / .divergent, (.functions[] | .divergent_sets), .divergent]'");
    assert_string_equal(ran.errors, "");
    assert_string_equal(ran.output, "[32,32768,1048576,32768]\n"); /* 32 rows * 1024 columns */
    test_command_free(&ran);
    ran = test_run("$GOLDMEM index --csv --histogram workload:syrk,n=32 sequential | "
                   "awk -F, 'NR > 1 {s += $3; n++} END {print n, s}'");
    test_command total = test_run("$GOLDMEM index --json --histogram workload:syrk,n=32 xor | "
                                  "jq -r '\"32 \\(.requests)\"'");
    assert_string_equal(ran.output, total.output);
    test_command_free(&ran);
    test_command_free(&total);
    ran = test_run("$GOLDMEM index --histogram /nonexistent xor");
    assert_string_equal(ran.output, "");
    assert_non_null(strstr(ran.errors, "goldmem: /nonexistent: No such file or directory"));
    assert_int_equal(ran.status, 2);
    test_command_free(&ran);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints),
        cmocka_unit_test(matrix_round_trip),
        cmocka_unit_test(reads_standard_input),
        cmocka_unit_test(json_agrees_with_csv),
        cmocka_unit_test(histogram_of_syrk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Contention bypass: decisions worked by hand, of the thesis's machine and at the limits; and a
 * second way to decide, which hands the L1's lines out to the warps one by one. */
#include "goldmem/bits.h"
#include "goldmem/contention_bypass.h"
#include "support/support.h"

#include <errno.h>

static gm_contention_bypass make(unsigned touched, unsigned warps, unsigned lines)
{
    gm_contention_bypass bypass;
    gm_error error;
    const gm_contention_bypass_parameters p = {touched, warps, lines};
    test_ok(gm_contention_bypass_init(&bypass, &p, &error), error);
    return bypass;
}

static uint64_t ask(const gm_contention_bypass *bypass, uint64_t touched, uint64_t warps,
                    uint64_t lines)
{
    return gm_contention_bypass_access(
               bypass,
               (gm_contention_bypass_request){.touched = touched, .warps = warps, .lines = lines})
        .bypass;
}

/* 64 KB of 128-byte lines are 512 lines; 64 warps have 8 each [anssari, Table 4.1]. */
static void decisions_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint64_t touched, warps, lines, bypass;
        const char *why;
    } rows[] = {
        {7, 64, 512, 0, "less than 8 lines"},
        {8, 64, 512, 1, "not less than 8"},
        {32, 64, 512, 1, "a line for each thread"},
        {10, 48, 512, 1, "512 / 48 = 10, rest 32"},
        {9, 48, 512, 0, "less than 10"},
        {32, 16, 512, 1, "512 / 16 = 32"},
        {31, 16, 512, 0, "one less"},
        {32, 15, 512, 0, "512 / 15 = 34: one warp less, and the load fills"},
        {32, 1, 512, 0, "a warp alone has all lines"},
        {64, 8, 512, 1, "512 / 8 = 64"},
        {64, 7, 512, 0, "512 / 7 = 73"},
        {2, 48, 128, 1, "16 KB: 128 / 48 = 2, rest 32"},
        {1, 48, 128, 0, "less than 2"},
        {1, 64, 32, 0, "32 / 64 = 0, but one line only"},
        {2, 64, 32, 1, "32 / 64 = 0, two lines"},
        {1, 64, 64, 0, "64 / 64 = 1, but one line only"},
        {2, 64, 128, 1, "128 / 64 = 2"},
        {2, 64, 191, 1, "191 / 64 = 2, rest 63"},
        {2, 64, 192, 0, "192 / 64 = 3"},
        {0, 64, 0, 0, "no line at all"},
        {2, 64, 0, 1, "an L1 without lines"},
        {64, 0, 512, 0, "no warps"},
    };
    gm_contention_bypass bypass = make(64, 64, 512);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ask(&bypass, rows[i].touched, rows[i].warps, rows[i].lines) != rows[i].bypass) {
            fail_msg("row %zu: %s", i, rows[i].why);
        }
    }
}

/* The second way: gives each warp in turn a line while there are enough for all. */
static uint64_t by_handing_out(uint64_t touched, uint64_t warps, uint64_t lines)
{
    uint64_t left = lines;
    uint64_t of_a_warp = 0;
    while (warps != 0 && left >= warps) {
        left -= warps;
        of_a_warp++;
    }
    bool fits = touched < of_a_warp || touched <= 1 || warps == 0;
    return !fits;
}

static void agrees_with_handing_out(void **state)
{
    (void)state;
    uint64_t bypassed = 0, asked = 0;
    gm_contention_bypass small = make(20, 9, 70);
    for (uint64_t touched = 0; touched < 32; touched++) {
        for (uint64_t warps = 0; warps < 16; warps++) {
            for (uint64_t lines = 0; lines < 128; lines++) {
                uint64_t expected = by_handing_out(touched, warps, lines);
                assert_int_equal(ask(&small, touched, warps, lines), expected);
                bypassed += expected;
                asked++;
            }
        }
    }
    assert_true(bypassed > asked / 4 && bypassed < asked * 3 / 4);
    test_random random = test_random_start(1);
    gm_contention_bypass largest =
        make(GM_CONTENTION_BYPASS_TOUCHED, GM_CONTENTION_BYPASS_WARPS, GM_CONTENTION_BYPASS_LINES);
    for (unsigned i = 0; i < 4000; i++) {
        uint64_t warps = 1 + test_random_below(&random, GM_CONTENTION_BYPASS_WARPS);
        uint64_t touched = test_random_below(&random, GM_CONTENTION_BYPASS_TOUCHED + 1);
        uint64_t lines = (touched + 1) * warps + test_random_below(&random, 2 * warps);
        lines -= lines < warps ? 0 : warps;
        assert_int_equal(ask(&largest, touched, warps, lines),
                         by_handing_out(touched, warps, lines));
    }
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        gm_contention_bypass_parameters p;
        const char *text; /* NULL: taken */
    } ranges[] = {
        {{1, 1, 1}, NULL},
        {{4095, 256, 16777215}, NULL},
        {{0, 1, 1}, "contention_bypass: touched 0: must be 1 to 4095"},
        {{4096, 1, 1}, "contention_bypass: touched 4096: must be 1 to 4095"},
        {{1, 0, 1}, "contention_bypass: warps 0: must be 1 to 256"},
        {{1, 257, 1}, "contention_bypass: warps 257: must be 1 to 256"},
        {{1, 1, 0}, "contention_bypass: lines 0: must be 1 to 16777215"},
        {{1, 1, 16777216}, "contention_bypass: lines 16777216: must be 1 to 16777215"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_contention_bypass bypass;
        int code = gm_contention_bypass_init(&bypass, &ranges[i].p, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
    }
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = request[1];
    seen[3] = request[2];
    seen[4] = response[0];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_contention_bypass bypass = make(64, 64, 512);
    uint64_t seen[5] = {0};
    gm_observer observer = {seen, count_call};
    bypass.observer = &observer;
    for (uint64_t i = 0; i < 12; i++) {
        uint64_t answer = ask(&bypass, i, 64, 512);
        const uint64_t expected[] = {i + 1, i, 64, 512, answer};
        assert_memory_equal(seen, expected, sizeof seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_by_hand),
        cmocka_unit_test(agrees_with_handing_out),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

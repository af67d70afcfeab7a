/* Reader of our litmus format: what a file becomes, and each error's line. */
#include "litmus/litmus.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

static int read_text(const char *text, gm_litmus_test *test, gm_error *error)
{
    char copy[1024];
    assert_true(strlen(text) < sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    return gm_litmus_read_text("f", copy, test, error);
}

static void reads_a_test(void **state)
{
    (void)state;
    gm_litmus_test test;
    gm_error error;
    test_ok(read_text("# a comment\nname two words\nwarp 0 0: ST x1 3; FENCE.CTA; LD.CG y r2\n"
                      "warp 2 1: BAR; ATO z 1 _; FENCE.SYS\ncondition 0 r2=1, x1=3\n"
                      "expect none may tcw never tcw+visible never\nbounds life 3 time-bits 2\n",
                      &test, &error),
            error);
    assert_string_equal(test.name, "two words");
    assert_int_equal(test.warps, 2);
    assert_int_equal(test.warp[1].sm, 2);
    assert_int_equal(test.warp[1].cta, 1);
    assert_int_equal(test.warp[0].operation[0].word, 1);
    assert_int_equal(test.warp[0].operation[0].value, 3);
    assert_int_equal(test.warp[0].operation[1].kind, GM_LITMUS_FENCE_CTA);
    assert_int_equal(test.warp[0].operation[2].kind, GM_LITMUS_LOAD_BYPASS);
    assert_int_equal(test.warp[1].operation[2].kind, GM_LITMUS_FENCE);
    assert_int_equal(test.terms, 2);
    assert_true(test.may[gm_litmus_find_protocol("none")] &&
                test.expected[gm_litmus_find_protocol("tcw+visible")]);
    assert_false(test.expected[gm_litmus_find_protocol("tcs")]);
    assert_int_equal(test.life, 3);
    assert_int_equal(test.time_bits, 2);
}

#define WARP "warp 0 0: LD x r0\n"

static void errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "f: a test needs a warp and a condition"},
        {"wrap 0", "f:1: no such line: 'wrap'"},
        {"\nwarp 4 0: BAR", "f:2: no such SM: '4'"},
        {"warp 0 6: BAR", "f:1: no such CTA: '6'"},
        {"warp 0 0: LOAD x r0", "f:1: no such operation: 'LOAD'"},
        {"warp 0 0: LD w r0", "f:1: no such place: 'w'"},
        {"warp 0 0: LD x2 r0", "f:1: no such place: 'x2'"},
        {"warp 0 0: LD x r3", "f:1: no such register: 'r3'"},
        {"warp 0 0: ST x 8", "f:1: no such value: '8'"},
        {"warp 0 0: LD x r0; LD y r0", "f:1: a register gets two values: 'r0'"},
        {"warp 1 0: BAR\nwarp 0 1: BAR", "f:2: warps must be in the order of SM and CTA: ''"},
        {"warp 0 0: BAR BAR BAR BAR BAR BAR BAR BAR FENCE", "f:1: too many operations: 'FENCE'"},
        {WARP "condition 1 r0=1", "f:2: no such warp: '1'"},
        {WARP "condition 0 r0=9", "f:2: no such value: '9'"},
        {WARP "condition 0 q=1", "f:2: neither a register nor a place: 'q'"},
        {WARP "condition", "f:2: a condition without terms: ''"},
        {WARP "expect mosi never", "f:2: no such protocol: 'mosi'"},
        {WARP "expect tcw always", "f:2: neither may nor never: 'always'"},
        {WARP "bounds l1-slots 3", "f:2: no such bound's value: '3'"},
        {WARP "bounds slots 1", "f:2: no such bound: 'slots'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_litmus_test test;
        gm_error error = {.text = ""};
        assert_int_equal(read_text(rows[i].text, &test, &error), -EINVAL);
        assert_string_equal(error.text, rows[i].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_test),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Reader of the PTX dialect: what a file becomes, and each error's line. */
#include "litmus/litmus.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

static int read_text(const char *text, gm_litmus_test *test, gm_error *error)
{
    char copy[2048];
    assert_true(strlen(text) < sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    return gm_litmus_read_ptx("f", copy, test, error);
}

static const char mp[] = "PTX MP-acquire\n"
                         "\"message passing (of * a comment)\"\n"
                         "{ x=0; P1:r0=3; (* P0 writes *) }\n"
                         " P0@cta 0,gpu 0 | P1@cta 7, gpu 0 ;\n"
                         " st.weak x, 1 | ld.acquire.gpu %r0, [y] ;\n"
                         " st.release.gpu y, 1 | bar.cta.sync 0 ;\n"
                         "  | atom.acq_rel.cta.add r1, x, r0 ;\n"
                         "  | red.relaxed.sys.cas z, 1, 2 ;\n"
                         "locations [x; P1:r0]\n"
                         "exists (1:r0=1 /\\ ~(P1:r1 != 0 \\/ x >= 2))\n";

static void expect_kinds(const gm_litmus_warp *warp, const gm_litmus_kind *kinds, unsigned count)
{
    assert_int_equal(warp->count, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(warp->operation[i].kind, kinds[i]);
    }
}

static void reads_a_test(void **state)
{
    (void)state;
    static const gm_litmus_kind first[] = {GM_LITMUS_STORE, GM_LITMUS_FENCE, GM_LITMUS_STORE};
    static const gm_litmus_kind second[] = {
        GM_LITMUS_LOAD,   GM_LITMUS_FENCE,     GM_LITMUS_BARRIER,  GM_LITMUS_FENCE_CTA,
        GM_LITMUS_ATOMIC, GM_LITMUS_FENCE_CTA, GM_LITMUS_REDUCTION};
    gm_litmus_test test;
    gm_error error;
    test_ok(read_text(mp, &test, &error), error);
    assert_string_equal(test.name, "MP-acquire");
    assert_int_equal(test.warps, 2);
    assert_int_equal(test.lines, 3);
    assert_string_equal(test.place[1], "y");
    assert_int_equal(test.warp[1].cta, 1);
    assert_int_equal(test.warp[1].first[0], 3);
    expect_kinds(&test.warp[0], first, 3);
    expect_kinds(&test.warp[1], second, 7);
    assert_true(test.warp[1].operation[0].strong);
    assert_true(test.warp[1].operation[4].from_register);
    assert_int_equal(test.warp[1].operation[4].action, GM_LITMUS_ADD);
    assert_int_equal(test.warp[1].operation[6].compared, 1);
    assert_int_equal(test.warp[1].operation[6].value, 2);
    assert_int_equal(test.terms, 3);
    assert_int_equal(test.nodes, 6); /* 3 terms, or, not, and */
    assert_false(test.expected[gm_litmus_find_protocol("none")]);
}

#define HEAD "PTX t\n{}\nP0@cta 0,gpu 0;\n"

static void expects(void **state)
{
    (void)state;
    gm_litmus_test test;
    gm_error error;
    test_ok(read_text(HEAD "st.weak x, 1;\n~exists (x=0)", &test, &error), error);
    assert_true(test.expected[gm_litmus_find_protocol("tcw")] &&
                !test.may[gm_litmus_find_protocol("tcw")]);
    test_ok(read_text(HEAD "st.weak x, 1;\nforall (x=1)", &test, &error), error);
    assert_true(test.expected[gm_litmus_find_protocol("none")]);
    assert_int_equal(test.node[test.nodes - 1].kind, GM_LITMUS_NOT);
}

static void errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"PTX t\n", "f:2: no {: 'end of file'"},
        {"PTX t\n{x=300;}", "f:2: not a number from 0 to 255: '300'"},
        {"PTX t\n{x 3}", "f:2: no = behind a location's name: '3'"},
        {"PTX t\n{x=1 y=2}", "f:2: no ; behind a declaration: 'y'"},
        {"PTX t\n{P9:r0=1}", "f:2: no thread (P0 to P7): 'P9'"},
        {"PTX t\n{P1:q=1}", "f:2: no register (r0 to r15): 'q'"},
        {"PTX t\n{}\nP1@cta 0,gpu 0;", "f:3: thread P1 stands where P0 is expected"},
        {"PTX t\n{}\nP0@cta 0,gpu 1;", "f:3: only gpu 0 is modelled: '1'"},
        {"PTX t\n{}\nP0 cta 0,gpu 0;", "f:3: no @ behind a thread: 'cta'"},
        {"PTX t\n{}\nP0@cta 0,gpu 0|", "f:3: no thread (P0 to P7): 'end of file'"},
        {HEAD "mov r0, 1;",
         "f:4: no such instruction (ld, st, atom, red, fence, membar, bar): 'mov'"},
        {HEAD "ld.weird r0, x;", "f:4: no such qualifier .weird: 'ld.weird'"},
        {HEAD "ld.weak r16, x;", "f:4: no register (r0 to r15): 'r16'"},
        {HEAD "ld.weak r0 x;", "f:4: no , between operands: 'x'"},
        {HEAD "ld.weak r0, r1;", "f:4: no location: 'r1'"},
        {HEAD "ld.weak r0, [x;", "f:4: no ]: ';'"},
        {HEAD "ld.relaxed.gpu.add r0, x;", "f:4: an operation of atomics: 'ld.relaxed.gpu.add'"},
        {HEAD "atom.relaxed.gpu r0, x, 1;",
         "f:4: an atomic without an operation: 'atom.relaxed.gpu'"},
        {HEAD "st.weak x, -1;", "f:4: not a number from 0 to 255: '-'"},
        {HEAD "st.weak x, 1 y", "f:4: neither | nor ; behind an instruction: 'y'"},
        {HEAD "st.weak x, 1 | st.weak y, 1;", "f:4: more columns than threads: 'st.weak'"},
        {HEAD "bar.cta.sync 16;", "f:4: not a number from 0 to 15: '16'"},
        {HEAD "st.weak x, 1;\n", "f:5: no exists, ~exists or forall: 'end of file'"},
        {HEAD "st.weak x, 1;\nfinal x=1", "f:5: no exists, ~exists or forall: 'final'"},
        {HEAD "exists (1:r0=1)", "f:4: the condition names thread P1 of 1"},
        {HEAD "exists (0:r0 1)", "f:4: no comparison: '1'"},
        {HEAD "exists (x=1", "f:4: no ): 'end of file'"},
        {HEAD "exists (x=1) y", "f:4: something behind the condition: 'y'"},
        {HEAD "exists ((((((((((((((((((x=1", "f:4: parentheses deeper than 16: '('"},
        {HEAD "locations [x", "f:4: no ]: 'end of file'"},
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
        cmocka_unit_test(expects),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

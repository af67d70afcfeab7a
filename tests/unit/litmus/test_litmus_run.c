/* Litmus tests in the cycle engine: outcomes that must come, that must not, what atomics compute,
 * and the verdicts; every placement of the CTAs on SMs comes. */
#include "litmus/litmus_run.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static gm_litmus_results *run(const char *text, uint64_t trials, gm_litmus_test *test)
{
    static gm_litmus_results results;
    char copy[1024];
    gm_config config;
    gm_error error;
    assert_true(strlen(text) < sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    test_ok(strncmp(text, "PTX", 3) == 0 ? gm_litmus_read_ptx("f", copy, test, &error)
                                         : gm_litmus_read_text("f", copy, test, &error),
            error);
    gm_config_defaults(&config);
    config.gpu.sms = 4;
    results = (gm_litmus_results){.rows = 0};
    test_ok(gm_litmus_run(test, &config, trials, 1, &results, &error), error);
    gm_litmus_sort(&results);
    assert_int_equal(results.trials, trials);
    return &results;
}

/* The reader's old copy of x stays: nothing makes SMs coherent. */
static void message_passing(void **state)
{
    (void)state;
    static const char text[] = "warp 0 0: ST x 1; FENCE; ST y 1\n"
                               "warp 1 1: LD x _; LD y r0; FENCE; LD x r1\n"
                               "condition 1 r0=1 r1=0\nexpect none may tcw never\n";
    gm_litmus_test test;
    const gm_litmus_results *results = run(text, 500, &test);
    assert_true(results->held > 0 && results->held < 250);
    assert_int_equal(results->rows, 4);
    assert_string_equal(results->row[0].text, "1:r0=0 1:r1=0");
    assert_true(results->row[2].holds && !results->row[3].holds);
    assert_int_equal(gm_litmus_verdict_of(&test, gm_litmus_find_protocol("none"), results),
                     GM_LITMUS_OK);
    assert_int_equal(gm_litmus_verdict_of(&test, gm_litmus_find_protocol("tcw"), results),
                     GM_LITMUS_FORBIDDEN);
    assert_int_equal(gm_litmus_verdict_of(&test, gm_litmus_find_protocol("tcs"), results),
                     GM_LITMUS_NO_EXPECTATION);
}

static void coherence(void **state)
{
    (void)state;
    static const char text[] = "warp 0 0: ST x 1; ST x 2; LD x r0\nwarp 1 1: LD x r0\n"
                               "condition x=1\nexpect none may\n";
    gm_litmus_test test;
    const gm_litmus_results *results = run(text, 100, &test);
    assert_int_equal(results->held, 0);
    assert_string_equal(results->row[0].text, "x0=2");
    assert_int_equal(gm_litmus_verdict_of(&test, gm_litmus_find_protocol("none"), results),
                     GM_LITMUS_NEVER_SEEN);
}

/* 5 + 1 + 2 = 8, or first 5 becomes 9: 9 + 3 = 12. */
static void atomics(void **state)
{
    (void)state;
    static const char text[] = "PTX atomics\n{ x=5; P2:r7=9; }\n"
                               "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 ;\n"
                               "atom.relaxed.gpu.add r0, x, 1 | red.relaxed.gpu.add x, 2 | "
                               "atom.acq_rel.gpu.cas r0, x, 5, r7 ;\n"
                               "bar.cta.sync 0 | bar.cta.sync 0 | st.weak y, r0 ;\n"
                               "forall (2:r0 >= 5 /\\ (x = 8 /\\ y != 5 \\/ x = 12 /\\ y = 5))\n";
    gm_litmus_test test;
    const gm_litmus_results *results = run(text, 500, &test);
    assert_int_equal(results->held, 0);
    assert_int_equal(gm_litmus_verdict_of(&test, gm_litmus_find_protocol("none"), results),
                     GM_LITMUS_OK);
    unsigned first = 0;
    for (uint32_t i = 0; i < results->rows; i++) {
        first += strstr(results->row[i].text, "x=12") != NULL;
    }
    assert_true(first > 0 && first < results->rows);
}

/* 3 CTAs: 5 partitions, on 4 SMs. */
static void placements(void **state)
{
    (void)state;
    static const char text[] = "warp 0 0: BAR\nwarp 0 1: BAR\nwarp 0 2: BAR; LD x r0\n"
                               "condition x=0\n";
    char copy[sizeof text];
    gm_litmus_test test;
    gm_litmus_source source;
    gm_config config;
    gm_error error;
    memcpy(copy, text, sizeof text);
    test_ok(gm_litmus_read_text("f", copy, &test, &error), error);
    gm_config_defaults(&config);
    config.gpu.sms = 4;
    test_ok(gm_litmus_source_open(&source, &test, &config, 1000, 1, &error), error);
    bool seen[4][4][4] = {{{false}}};
    unsigned different = 0;
    gm_command command;
    while (gm_source_next_command(&source.source, &command, &error) == 1) {
        const uint32_t *sm = source.trial.sm;
        assert_true(sm[0] < 4 && sm[1] < 4 && sm[2] < 4);
        for (unsigned cta = 0; cta < 3; cta++) {
            assert_int_equal(source.trial.cta[cta] % 4, sm[cta]);
        }
        different += !seen[sm[0]][sm[1]][sm[2]];
        seen[sm[0]][sm[1]][sm[2]] = true;
    }
    gm_source_close(&source.source);
    assert_int_equal(different, 64);
}

static void too_large(void **state)
{
    (void)state;
    static const char text[] = "warp 0 0: BAR\nwarp 0 1: BAR\ncondition x=0\n";
    char copy[sizeof text];
    gm_litmus_test test;
    static gm_litmus_results results;
    gm_config config;
    gm_error error;
    memcpy(copy, text, sizeof text);
    test_ok(gm_litmus_read_text("f", copy, &test, &error), error);
    gm_config_defaults(&config);
    config.sm.ctas = 1;
    assert_true(gm_litmus_run(&test, &config, 1, 1, &results, &error) < 0);
    assert_non_null(strstr(error.text, "sm.ctas=1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_passing), cmocka_unit_test(coherence), cmocka_unit_test(atomics),
        cmocka_unit_test(placements),      cmocka_unit_test(too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The text report, whole, for a run with small numbers; numbers and shares by themselves. */
#include "report/text.h"
#include "support/report/report.h"

#include <stdlib.h>
#include <string.h>

static void numbers_have_separators(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1,000"},
        {1234567, "1,234,567"},
        {UINT64_MAX, "18,446,744,073,709,551,615"},
    };
    char text[GM_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(gm_text_number(rows[i].value, text), rows[i].text);
    }
}

static void shares_are_rounded_to_nearest(void **state)
{
    (void)state;
    static const struct {
        uint64_t part, whole;
        const char *text;
    } rows[] = {
        {0, 0, "-"},       {0, 7, "0.0%"},   {1, 3, "33.3%"},  {2, 3, "66.7%"},
        {1, 2000, "0.1%"}, /* a half rounds up */
        {1, 2001, "0.0%"}, {5, 5, "100.0%"}, {3, 2, "150.0%"}, {UINT64_MAX, UINT64_MAX, "100.0%"},
    };
    char text[GM_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(gm_text_share(rows[i].part, rows[i].whole, text), rows[i].text);
    }
}

/* Written down from the numbers that test_statistics_fill gives, and looked over by eye. */
static void whole_report(void **state)
{
    (void)state;
    char *text = test_report(GM_REPORT_TEXT, 2, false, "kernel", NULL);
    test_command expected = test_run("cat tests/golden/report.txt");
    assert_int_equal(expected.status, 0);
    static const char first_line[] = "goldmem " GM_VERSION ", order engine\n";
    assert_memory_equal(text, first_line, sizeof first_line - 1);
    assert_string_equal(text + sizeof first_line - 1, expected.output);
    test_command_free(&expected);
    free(text);
}

/* lease_cycles and leases of 100000 on have the quotient 1.00. Counters that are 0 have no line. */
static void coherence_has_a_part(void **state)
{
    (void)state;
    char *text = test_report_coherent(GM_COHERENCE_TCS, GM_ENGINE_CYCLE, GM_REPORT_TEXT, 1, false,
                                      "k", NULL);
    assert_non_null(strstr(text, "  coherence      tcs\n"));
    assert_non_null(strstr(text, "\nCoherence\n  lifetime                          1.00   core "
                                 "cycles of a lease given to a load, on average\n  expired  "));
    free(text);
    text = test_report_of(GM_ENGINE_CYCLE, GM_REPORT_TEXT, 1, false, "k", NULL);
    assert_null(strstr(text, "oherence"));
    free(text);
}

/* With time the levels have a column more. Load accesses are counter 18 of 100000 on, hits 22,
 * pending hits 26, misses 30, bypasses 38, evictions 42; the L2's counters begin 68 later; SM 0's
 * are of 200000 on, four of a kind together. */
static void a_timed_report_has_pending_hits(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "                  accesses            hits    pending hits          misses hit rate       "
        " "
        "bypasses       evictions\n",
        "  loads            100,018         100,022         100,026         100,030   200.0%       "
        "  "
        "100,038         100,042\n",
        "  atomics          100,088         100,092         100,096         100,100   200.0%       "
        "  "
        "100,108         100,112\n",
        "  SM 0             800,078         800,094         800,110         800,126   200.0%       "
        "  "
        "800,158         800,174\n",
    };
    char *text = test_report_of(GM_ENGINE_CYCLE, GM_REPORT_TEXT, 1, true, "kernel", NULL);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strstr(text, lines[i]) == NULL) {
            fail_msg("not there: %s%s", lines[i], text);
        }
    }
    free(text);
}

/* The table shows the kernels with most warp instructions, largest first. Of 1200 kernels, kernel k
 * has the (7 * k mod 1200)-th fewest: 857 comes first (5999 = 4 * 1200 + 1199), 170 tenth (1190)
 * and 1027 would be next (7189 = 5 * 1200 + 1189). */
static void many_kernels_are_cut(void **state)
{
    (void)state;
    char *text = test_report(GM_REPORT_TEXT, 1200, false, "k", NULL);
    char *table = strstr(text, "\nKernels: 1,200; the 10 with most warp instructions\n");
    assert_non_null(table);
    char *first = strstr(table, "\n     857 k ");
    assert_non_null(first);
    char *second = strstr(first, "\n     514 k ");
    assert_non_null(second);
    assert_ptr_equal(second, strchr(first + 1, '\n'));
    char *tenth = strstr(second, "\n     170 k ");
    assert_non_null(tenth);
    assert_memory_equal(strchr(tenth + 1, '\n'), "\n\nInstructions", 14);
    assert_null(strstr(text, " 1027 k "));
    free(text);
}

static void ratios_are_rounded_to_nearest(void **state)
{
    (void)state;
    static const struct {
        uint64_t part, whole;
        const char *text;
    } rows[] = {
        {0, 0, "-"},
        {0, 7, "0.00"},
        {2, 3, "0.67"},
        {1, 200, "0.01"}, /* a half rounds up */
        {1, 201, "0.00"},
        {123456789, 100, "1,234,567.89"},
        {UINT64_MAX, 1, "18,446,744,073,709,551,615.00"},
    };
    char text[GM_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(gm_text_ratio(rows[i].part, rows[i].whole, text), rows[i].text);
    }
}

/* What the cycle engine's report has besides, per SM as well; the values: test_report_time.c. */
static void the_cycle_engine_has_more(void **state)
{
    (void)state;
    static const char *const parts[] = {
        ", cycle engine\n",        "DRAM bytes     core cycles\n",        "\nTime\n",
        "\nWhat the warp schedul", "\nSchedulers and loads of each SM\n", "\n  leakage   ",
    };
    char *text = test_report_of(GM_ENGINE_CYCLE, GM_REPORT_TEXT, 1, true, "k", NULL);
    char *order = test_report(GM_REPORT_TEXT, 1, true, "k", NULL);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_non_null(strstr(text, parts[i]));
        if (i + 1 < sizeof parts / sizeof parts[0]) { /* leakage: wherever there are cycles */
            assert_null(strstr(order, parts[i]));
        }
    }
    free(order);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_separators),
        cmocka_unit_test(shares_are_rounded_to_nearest),
        cmocka_unit_test(whole_report),
        cmocka_unit_test(coherence_has_a_part),
        cmocka_unit_test(a_timed_report_has_pending_hits),
        cmocka_unit_test(ratios_are_rounded_to_nearest),
        cmocka_unit_test(the_cycle_engine_has_more),
        cmocka_unit_test(many_kernels_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

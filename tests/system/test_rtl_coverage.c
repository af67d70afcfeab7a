/* make coverage's verdict: targets, waivers and testplan, on counts of set_index's coverage build.
 */
#include "support/support.h"

/* Counts of a lockstep run, changed by a sed command, with these texts. */
static test_command count(const char *change, const char *waivers, const char *plan)
{
    return test_run(
        "dat=%s/set_index.shipped.dat && mkdir -p %s/texts && "
        "build/goldmem-cosim set_index --build build/cosim/set_index.coverage.so --transactions "
        "200000 "
        "--coverage $dat >%s/log && sed -i \"%s\" $dat && printf '%%b' \"%s\" "
        ">%s/texts/set_index.waive && "
        "{ cat tests/coverage/set_index.plan | sed \"%s\"; } >%s/texts/set_index.plan && "
        "COVERAGE_TEXTS=%s/texts scripts/rtl-coverage.py count set_index 1 200000 %s $dat "
        "build/cosim/set_index.coverage.d/lanes.c",
        test_folder(), test_folder(), test_folder(), change, waivers, test_folder(), plan,
        test_folder(), test_folder(), test_folder());
}

static const struct {
    const char *change, *waivers, *plan;
    int status;
    const char *words;
} cases[] = {
    {"", "", "", 0,
     "set_index: shipped: sets=32 index=ipoly:37 address_bits=32: 9 of 9 cover points"},
    {"/c_index_ones/s/ [0-9]*$/ 0/", "", "", 1, "never c_index_ones"},
    {"/c_index_ones/s/ [0-9]*$/ 0/", "point c_index_ones | * | why\\n", "", 0,
     "8 of 9 (1 waived) cover points"},
    {"/c_index_ones.*lane_0/s/ [0-9]*$/ 0/", "point c_index_ones | index=xor | why\\n", "", 1,
     "waives what was reached: c_index_ones ("},
    {"", "point c_forward | * | why\\n", "", 1, "waives what was reached: c_forward ("},
    {"", "point c_nothing | * | why\\n", "", 1, "set_index.waive:1: waives what is not there"},
    {"", "point c_forward | *\\n", "", 2, "set_index.waive:1: not 'KIND ITEM | INSTANCE | REASON'"},
    {"", "", "/Both/d", 1, "set_index.plan: no item for cover point c_forward"},
    {"/v_line.*lane_1.dut/s/ [0-9]*$/ 0/", "", "", 1, "shipped instance: "},
};

static void the_verdict_follows_counts_and_texts(void **state)
{
    (void)state;
    test_only_in_plain_build();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_command command = count(cases[i].change, cases[i].waivers, cases[i].plan);
        test_expect(&command, cases[i].status, cases[i].words);
    }
}

static void the_report_is_written(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = count("", "", "");
    test_expect(&command, 0, "shipped");
    command = test_run("scripts/rtl-coverage.py report %s set_index && cat %s/index.html",
                       test_folder(), test_folder());
    test_expect(&command, 0, "<td>Both operations</td><td>c_forward</td>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_verdict_follows_counts_and_texts),
        cmocka_unit_test(the_report_is_written),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}

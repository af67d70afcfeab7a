/* Parameters of the RTL: wrong ones stop elaboration in Verilator, Yosys and Icarus. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

typedef struct wrong {
    const char *module, *parameter;
    int value;
    const char *message;
} wrong;

static const wrong cases[] = {
    {"set_index", "IndexW", 0, "IndexW_must_be_1_to_16"},
    {"set_index", "LineW", 5, "LineW_must_be_above_IndexW"},
    {"set_index", "Polynomial", 5, "Polynomial_must_have_bit_IndexW"},
    {"cores_sampling", "Sms", 257, "Sms_must_be_1_to_256"},
    {"cores_sampling", "Warps", 257, "Warps_must_be_1_to_256"},
    {"cores_sampling", "MissW", 25, "MissW_must_be_1_to_24"},
    {"cores_sampling", "IssueW", 25, "IssueW_must_be_1_to_24"},
    {"cores_sampling", "Threshold", 1001, "Threshold_must_be_1_to_1000"},
    {"cores_sampling", "Hot", 16, "Hot_must_be_1_to_15"},
    {"cores_sampling", "Samples", 17, "Samples_must_be_1_to_16"},
    {"cores_sampling", "Entries", 33, "Entries_must_be_1_to_32"},
    {"cores_sampling", "KernelW", 33, "KernelW_must_be_1_to_32"},
    {"gwct", "Warps", 257, "Warps_must_be_1_to_256"},
    {"gwct", "CountW", 17, "CountW_must_be_1_to_16"},
    {"gwct", "TimeW", 1, "TimeW_must_be_2_to_32"},
    {"lease_store", "Entries", 256, "Entries_must_be_1_to_255"},
    {"lease_store", "LineW", 65, "LineW_must_be_1_to_64"},
    {"lease_store", "TimeW", 33, "TimeW_must_be_2_to_32"},
    {"lifetime_predictor", "LifeW", 33, "LifeW_must_be_1_to_32"},
    {"lifetime_predictor", "Hit", 8192, "Hit_must_have_LifeW_bits"},
    {"lifetime_predictor", "Evict", 8192, "Evict_must_have_LifeW_bits"},
    {"lifetime_predictor", "Write", 8192, "Write_must_have_LifeW_bits"},
    {"lifetime_predictor", "Max", 8192, "Max_must_have_LifeW_bits"},
    {"lifetime_predictor", "Start", 6401, "Start_must_be_0_to_Max"},
    {"mshr", "Entries", 1025, "Entries_must_be_1_to_1024"},
    {"mshr", "Merges", 0, "Merges_must_be_1_to_1024"},
    {"replacement", "Policy", 3, "Policy_must_be_0_to_2"},
    {"locality_score", "Warps", 65, "Warps_must_be_1_to_64"},
    {"locality_score", "Base", 65536, "Base_must_be_1_to_the_largest_score"},
    {"locality_score", "IssuedW", 33, "IssuedW_must_be_1_to_32"},
    {"replacement", "Ways", 33, "Ways_must_be_1_to_32"},
    {"sharing_lru", "Level", 2, "Level_must_be_0_or_1"},
    {"sharing_lru", "Dead", 3, "Dead_must_be_0_to_2"},
    {"sharing_lru", "IndexW", 11, "IndexW_must_be_1_to_10"},
    {"sharing_lru", "Ways", 33, "Ways_must_be_1_to_32"},
    {"sharing_lru", "SmW", 11, "SmW_must_be_1_to_10"},
    {"sharing_tracker", "Pointers", 17, "Pointers_must_be_0_to_Cus"},
    {"sm_dueling", "Difference", 101, "Difference_must_be_0_to_100"},
    {"stream_gate", "CountW", 21, "CountW_must_be_1_to_20"},
    {"stream_gate", "Threshold", 101, "Threshold_must_be_1_to_100"},
    {"stream_gate", "Least", 16384, "Least_must_be_1_to_the_largest_count"},
    {"tag_store", "DataWays", 8, "DataWays_must_be_1_to_TagWays_less_1"},
    {"tag_store", "Threshold", 64, "Threshold_must_be_a_reference_count"},
    {"warp_limiter", "Warps", 65, "Warps_must_be_2_to_64"},
    {"cta_queues", "Sms", 1025, "Sms_must_be_1_to_1024"},
    {"cta_queues", "CtaW", 64, "CtaW_must_be_1_to_63"},
    {"cta_queues", "Mode", 3, "Mode_must_be_0_to_2"},
    {"cta_queues", "Adaptive", 2, "Adaptive_must_be_0_or_1_with_Mode_2"},
    {"atomic_buffer", "LineW", 65, "LineW_must_be_1_to_64"},
    {"atomic_buffer", "Sectors", 33, "Sectors_must_be_1_to_32"},
    {"contention_bypass", "Touched", 4096, "Touched_must_be_1_to_4095"},
    {"contention_bypass", "Warps", 257, "Warps_must_be_1_to_256"},
    {"contention_bypass", "Lines", 16777216, "Lines_must_be_1_to_16777215"},
    {"tc_l1", "PendW", 17, "PendW_must_be_1_to_16"},
    {"tc_l2", "Printed", 8, "Printed_must_be_0_to_7"},
    {"victim_tags", "Warps", 65, "Warps_must_be_1_to_64"},
    {"victim_tags", "Sets", 3, "Sets_must_be_a_power_of_two_to_16"},
    {"victim_tags", "Ways", 17, "Ways_must_be_1_to_16"},
    {"victim_tags", "LineW", 1, "LineW_must_be_1_plus_log2_of_Sets_to_64"},
    {"conventional_tags", "Ways", 0, "Ways_must_be_1_to_32"},
};

/* The tools' commands: module, parameter, value. */
static const char *const tools[] = {
    "verilator --lint-only -Irtl --top-module %1$s -G%2$s=%3$d rtl/%1$s.sv",
    "yosys -q -p 'read_verilog -sv -Irtl rtl/%1$s.sv; chparam -set %2$s %3$d %1$s; "
    "hierarchy -check -libdir rtl -top %1$s'",
    "iverilog -g2012 -Irtl -t null -y rtl -Y .sv -s %1$s -P%1$s.%2$s=%3$d rtl/%1$s.sv",
};

static void wrong_parameters_stop_elaboration(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wrong *c = &cases[i];
        for (size_t t = 0; t < sizeof tools / sizeof *tools; t++) {
            char line[256];
            snprintf(line, sizeof line, tools[t], c->module, c->parameter, c->value);
            test_command command = test_run("%s 2>&1", line);
            if (command.status == 0 || strstr(command.output, c->message) == NULL) {
                fail_msg("%s: status %d, not '%s':\n%s", line, command.status, c->message,
                         command.output);
            }
            test_command_free(&command);
        }
    }
    test_command both = test_run("verilator --lint-only -Irtl --top-module cta_queues -GMode=1 "
                                 "-GAdaptive=1 rtl/cta_queues.sv");
    test_expect(&both, 1, "Adaptive_must_be_0_or_1_with_Mode_2");
}

/* A width that follows from other parameters is no parameter. */
static void derived_widths_cannot_be_set(void **state)
{
    (void)state;
    static const wrong derived[] = {{"gwct", "WarpW", 5, ""},
                                    {"mshr", "IdW", 4, ""},
                                    {"replacement", "WayW", 3, ""},
                                    {"sharing_tracker", "CuW", 5, ""},
                                    {"sm_dueling", "IntervalW", 8, ""},
                                    {"tag_store", "PositionW", 3, ""},
                                    {"sharing_lru", "WayW", 3, ""},
                                    {"tc_l1", "SlotW", 4, ""},
                                    {"tc_l2", "SmW", 5, ""}};
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
        test_command command =
            test_run("verilator --lint-only -Irtl --top-module %s -G%s=%d rtl/%s.sv",
                     derived[i].module, derived[i].parameter, derived[i].value, derived[i].module);
        assert_int_not_equal(command.status, 0);
        test_command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_parameters_stop_elaboration),
        cmocka_unit_test(derived_widths_cannot_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Four-state runs: each block at its default parameters has no X after reset; a register without
 * its reset and a response that is X are seen. */
#include "support/support.h"

static void no_block_shows_x(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const blocks[] = {"atomic_buffer",
                                         "contention_bypass",
                                         "cores_sampling",
                                         "cta_queues",
                                         "gwct",
                                         "lease_store",
                                         "lifetime_predictor",
                                         "locality_score",
                                         "mshr",
                                         "replacement",
                                         "set_index",
                                         "sharing_lru",
                                         "sharing_tracker",
                                         "sm_dueling",
                                         "stream_gate",
                                         "tag_store",
                                         "tc_l1",
                                         "tc_l2",
                                         "victim_tags",
                                         "warp_limiter"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        test_command command = test_run("scripts/fourstate.sh run %s shipped 2000 1", blocks[i]);
        test_expect(&command, 0, ": four-state: end: 2000 requests, ");
    }
}

/* FILE of rtl/ with the first match of `from` replaced by `to`. */
static const struct {
    const char *block, *from, *to, *words;
} faults[] = {
    {"mshr", "open_q  <= {Entries{1'b0}};", "", "closed_o is wrong"},
    {"mshr", "stage_valid_q <= 1'b0;", "", "response_valid_o is X"},
    {"set_index", "valid_q *<= 1'b0;", "", " is X"},
    {"sm_dueling", "decoupled_q <= 1'b0;", "", "decoupled_o is wrong"},
    {"mshr", "reason_o *<= reason", "reason_o <= found ? reason : 2'bxx", "reason_o is X"},
};

static void what_misses_its_reset_is_seen(void **state)
{
    (void)state;
    test_only_in_plain_build();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        test_command command =
            test_run("sed \"0,/%s/s//%s/\" rtl/%s.sv >%s/%s.sv; ! cmp -s rtl/%s.sv %s/%s.sv && "
                     "scripts/fourstate.sh run %s shipped 4000 1 %s %s/%s.sv",
                     faults[i].from, faults[i].to, faults[i].block, test_folder(), faults[i].block,
                     faults[i].block, test_folder(), faults[i].block, faults[i].block,
                     faults[i].block, test_folder(), faults[i].block);
        test_expect(&command, 1, faults[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_block_shows_x),
        cmocka_unit_test(what_misses_its_reset_is_seen),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}

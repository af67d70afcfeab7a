/* goldmem run with the cycle engine, the default: a lone load has the papers' latency at each
 * level; neither skipping nor checkpoints change a byte. */
#include "support/trace/warp_trace.h"

#include <stdio.h>
#include <string.h>

/* One warp; each line depends on the one before. A load that bypasses the L1 (.STRONG.GPU) finds in
 * the L2 what the first load has fetched. */
#define LOAD   "0400 ffffffff 1 R8 LDG.E 1 R3 4 1 0x7f0000000000 4 0\n"
#define AGAIN  "0800 ffffffff 1 R8 LDG.E 1 R8 4 1 0x7f0000000000 4 0\n"
#define BESIDE "0800 ffffffff 1 R8 LDG.E.STRONG.GPU 1 R8 4 1 0x7f0000000000 4 0\n"
#define GLOBAL "0800 ffffffff 1 R8 LDG.E.CG 1 R8 4 1 0x7f0000000000 4 0\n"
#define ADD    "0700 ffffffff 1 R9 IADD3 1 R8 0 0\n" /* so that the clocks are in phase */

static const struct {
    const char *preset;
    unsigned lines; /* of `text` */
    const char *text;
    unsigned latency, before; /* core cycles: of the last load, of those before it */
    const char *why;
} cases[] = {
    {"fermi-tc", 1, LOAD, 460, 0, "minimum DRAM latency [singh, Table 4]"},
    {"fermi-tc", 3, LOAD ADD BESIDE, 340, 460, "minimum L2 latency [singh, Table 4]"},
    {"fermi-tc", 3, LOAD ADD GLOBAL, 340, 460, "a load .CG bypasses the L1"},
    {"fermi-tc", 2, LOAD AGAIN, 35, 460, "l1.latency"},
};

static void lone_loads_take_the_papers_time(void **state)
{
    (void)state;
    (void)test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char lines[512];
        snprintf(lines, sizeof lines, "%s1400 ffffffff 0 EXIT 0 0 0\n", cases[i].text);
        test_command command =
            test_run("$GOLDMEM run --check --preset %s --json - "
                     "'%s' | jq .total.time.load_cycles",
                     cases[i].preset, warp_trace_write(cases[i].lines + 1, lines));
        char expected[32];
        snprintf(expected, sizeof expected, "%u\n", cases[i].latency + cases[i].before);
        if (strcmp(command.output, expected) != 0) {
            fail_msg("%s, %s: %s%s, not %s", cases[i].preset, cases[i].why, command.output,
                     command.errors, expected);
        }
        test_command_free(&command);
    }
    test_folder_remove();
}

/* Every member that programs rely on, for the total and each kernel, in a run with accesses of all
 * kinds: kinds add up, kernels add up, and a sector has 32 bytes. */
static void json_has_what_is_promised(void **state)
{
    (void)state;
    static const char promised[] =
        "def counters: [.accesses, .hits, .hits_pending, .misses, .bypasses, .evictions, "
        "(.reservation_fails | .line, .mshr_entry, .mshr_merge, .miss_queue, .bypass_queue)]; "
        "def cache: ([.load, .store, .atomic | counters] | transpose | map(add)) == counters and "
        "([.hits, .hits_pending, .misses, .bypasses] | add) == .accesses; "
        "def row: .cycles > 0 and .warp_instructions > 0 and .memory_instructions > 0 and "
        ".thread_instructions > .warp_instructions and (.l1d | cache) and (.l2 | cache) and "
        "(.dram | .bytes == 32 * (.reads + .writes) and .row_hits <= .requests) and "
        "(.traffic_bytes | .ld > 0 and .st >= 0 and .req > 0 and .ato >= 0 and .inv == 0 and "
        ".rcl == 0) and (.energy_pj | [.l1d, .l2, .interconnect, .dram, .leakage] | min >= 0); "
        ".schema == 1 and .engine == \"cycle\" and (.version | length) > 0 and "
        ".input == \"workload:gridding,samples=500\" and .config[\"l1.mshrs\"] == 2 and "
        "([.kernels[], .total | row] | all) and "
        "(.total.cycles == ([.kernels[].cycles] | add)) and "
        "(.total.l1d.reservation_fails.mshr_entry > 0) and (.total.l1d.atomic.accesses > 0)";
    test_command command = test_run("$GOLDMEM run --set l1.mshrs=2 --json - "
                                    "workload:gridding,samples=500 | jq -e '%s'",
                                    promised);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "true\n");
    test_command_free(&command);
}

/* Without skipping, with checkpoints, and resumed from one: equal JSON. */
static void nothing_changes_a_byte(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command command = test_run(
        "cd '%s' && run() { $GOLDMEM run --quiet \"$@\" workload:bfs,nodes=512; } && "
        "run --json plain && run --no-skip --json whole && "
        "run --checkpoint state,every=300 --json saving && run --resume state --json resumed && "
        "cmp plain whole && cmp plain saving && cmp plain resumed && "
        "jq -e '.total.cycles > 600 and .total.time.loads > 0' plain",
        folder);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "true\n");
    assert_int_equal(command.status, 0);
    test_command_free(&command);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_loads_take_the_papers_time),
        cmocka_unit_test(json_has_what_is_promised),
        cmocka_unit_test(nothing_changes_a_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

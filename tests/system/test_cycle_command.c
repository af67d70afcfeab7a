/* goldmem run with the cycle engine, its default: the latency of a lone load at each level as the
 * papers have it, and that neither skipping nor checkpoints change a byte. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* One warp; each line depends on the one before. A load that bypasses the L1 (.STRONG.GPU) finds in
 * the L2 what the first load has fetched. */
#define LOAD   "0400 ffffffff 1 R8 LDG.E 1 R3 4 1 0x7f0000000000 4 0\n"
#define AGAIN  "0800 ffffffff 1 R8 LDG.E 1 R8 4 1 0x7f0000000000 4 0\n"
#define BESIDE "0800 ffffffff 1 R8 LDG.E.STRONG.GPU 1 R8 4 1 0x7f0000000000 4 0\n"
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
    {"fermi-tc", 2, LOAD AGAIN, 35, 460, "l1.latency"},
};

static void lone_loads_take_the_papers_time(void **state)
{
    (void)state;
    (void)test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                 "-accelsim tracer version = 5\n\n#traces format = immediate\n\n#BEGIN_TB\n"
                 "thread block = 0,0,0\nwarp = 0\ninsts = %u\n%s1400 ffffffff 0 EXIT 0 0 0\n"
                 "#END_TB\n",
                 cases[i].lines + 1, cases[i].text);
        test_command command =
            test_run("$GOLDMEM run --check --preset %s --json - "
                     "'%s' | jq .total.time.load_cycles",
                     cases[i].preset, test_file_write("kernel-1.traceg", text, strlen(text)));
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

/* Visiting everything in every cycle, saving checkpoints, going on from one: the same JSON. */
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
        cmocka_unit_test(nothing_changes_a_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The order engine beside a public cycle-level simulator (Accel-Sim's trace-driven GPGPU-Sim): its
 * configuration, its traces, and its counts as measured (the README.md in GOLDMEM_REFERENCE).
 * What the input and the coalescer alone determine must agree. What depends on time - which of a
 * miss's followers hit, pend or miss again - does not exist without a clock; it is printed beside
 * the simulator's figures, as is DRAM traffic (it fetches in 64-byte bursts and leaves dirty
 * lines).
 */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct reference {
    const char *trace, *options;
    unsigned long warp_instructions, thread_instructions, loads, stores;
    unsigned long hits, pending, misses;  /* of loads, at its L1 */
    unsigned long l2_misses, l2_accesses; /* of loads */
} references[] = {
    {"$GOLDMEM_REFERENCE/traces/a1_syrk_shared", "--set l1.index=sequential", 125760, 4024320,
     983040, 480, 0, 0, 983040, 943171, 30626 + 9243 + 943171},
    {"$GOLDMEM_REFERENCE/traces/a1_syrk_shared", "", 125760, 4024320, 983040, 480, 581610, 190626,
     210804, 192384, 14635 + 3785 + 192384},
    {"$GOLDMEM_REFERENCE/traces/a1_syrk_shared", "--set l1.index=ipoly:37", 125760, 4024320, 983040,
     480, 920787, 29245, 33008, 30101, 2591 + 316 + 30101},
    {"$GOLDMEM_REFERENCE/traces/c_stream", "", 125760, 4024320, 30720, 480, 0, 0, 30720, 30720,
     30720},
    {"$GOLDMEM_TRACES/vectoradd-sm80-v5", "--set l2.copy_fills=no", 26601, 801056, 3126, 1563, 0, 0,
     3126, 3126, 3126},
};

static void compare(const struct reference *reference)
{
    test_command command =
        test_run("$GOLDMEM run --engine=order --quiet --check -c "
                 "$GOLDMEM_REFERENCE/config/gpgpusim.config %s "
                 "--json - %s | "
                 "jq -r '.total | [.warp_instructions, .thread_instructions, .l1d.load.accesses, "
                 ".l1d.store.accesses, .l1d.store.misses, .l2.store.accesses, .l1d.load.hits, "
                 ".l1d.load.misses, .l2.load.misses, .l2.load.accesses] | @tsv'",
                 reference->options, reference->trace);
    assert_string_equal(command.errors, "");
    unsigned long got[10] = {0};
    const char *at = command.output;
    for (int i = 0; i < 10; i++) {
        char *end = NULL;
        got[i] = strtoul(at, &end, 10);
        assert_ptr_not_equal(at, end);
        at = end;
    }
    assert_int_equal(got[0], reference->warp_instructions);
    assert_int_equal(got[1], reference->thread_instructions);
    assert_int_equal(got[2], reference->loads);
    assert_int_equal(got[3], reference->stores);
    assert_int_equal(got[4], reference->stores); /* write-evict, no allocation: "all miss" */
    assert_int_equal(got[5], reference->stores); /* and all go on */
    assert_int_equal(got[9], got[7]);            /* an L1's misses are what its L2 sees */
    const char *name = strrchr(reference->trace, '/') + 1;
    print_message(
        "%s %s: loads hit / pending / miss: %lu / 0 / %lu, the simulator %lu / %lu / %lu; "
        "L2 loads / misses: %lu / %lu, the simulator %lu / %lu\n",
        name, reference->options, got[6], got[7], reference->hits, reference->pending,
        reference->misses, got[9], got[8], reference->l2_accesses, reference->l2_misses);
    if (reference->hits + reference->pending == 0 && strstr(reference->options, "seq") == NULL) {
        assert_int_equal(got[7], reference->misses); /* every line once: no clock is needed */
        assert_int_equal(got[8], reference->l2_misses);
    }
    test_command_free(&command);
}

static void what_needs_no_clock_agrees(void **state)
{
    (void)state;
    (void)test_shared_data("GOLDMEM_TRACES");
    (void)test_shared_data("GOLDMEM_REFERENCE");
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        compare(&references[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_needs_no_clock_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The watchdog of the cycle engine: a machine in which a request is lost, or held, says which and
 * where; one that works, however slowly, is left alone. Checkpoints are left out here: what would
 * save one breaks the machine instead. */
#include "cycle/engine/checkpoint.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

enum { WATCHDOG = 5000, BREAK_AT = 9 };

static void (*break_machine)(gm_cycle_machine *machine);

int gm_checkpoint_save(gm_cycle_run_state *run, gm_error *error)
{
    (void)error;
    break_machine(&run->machine);
    run->next_checkpoint = GM_NEVER;
    return 0;
}

int gm_checkpoint_begin(gm_cycle_run_state *run, gm_error *error)
{
    (void)run;
    (void)error;
    return 0;
}

int gm_checkpoint_keep_kernel(gm_cycle_run_state *run, const gm_statistics *own, uint64_t content,
                              gm_error *error)
{
    (void)content;
    (void)run;
    (void)own;
    (void)error;
    return 0;
}

int gm_checkpoint_resume(gm_cycle_run_state *run, gm_error *error)
{
    (void)error;
    run->next_checkpoint = GM_NEVER;
    return 0;
}

/* One SM, one bank: a load issued in cycle 1, taken by the L1 in 2, sent in 3, is in the bank from
 * BREAK_AT on, 6 cycles later, and waits there for 100. */
static gm_config lone(void)
{
    gm_config config = order_preset("gtx480");
    config.gpu.sms = config.memory.partitions = config.memory.banks = 1;
    config.l2.size = 128 << 10;
    config.gpu.watchdog = WATCHDOG;
    config.l1.line = config.l2.line = 128;
    config.clock.noc = config.clock.l2 = config.clock.core;
    config.l2.latency = 100;
    config.noc.latency = 6;
    config.sm.launch = 0;
    return config;
}

static memory_source *one_load(void)
{
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_stride(source, MEMORY_LOAD, UINT32_MAX, 1000 * 128, 4, 4);
    memory_registers(source, 1, 1);
    memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
    memory_registers(source, 2, 1);
    return source;
}

static void hold_in_bank(gm_cycle_machine *machine)
{
    assert_int_equal(gm_ring_count(&machine->bank[0].in), 1);
    machine->bank[0].look_up_from = UINT64_C(1) << 40;
}

static void lose_in_bank(gm_cycle_machine *machine)
{
    assert_int_equal(gm_ring_count(&machine->bank[0].in), 1);
    machine->bank[0].in.span.count = 0;
    machine->bank[0].look_up_from = GM_NEVER;
}

/* A machine that is broken in cycle BREAK_AT ends with `texts`, the same when every cycle is
 * visited. */
static void expect_stuck(void (*breaking)(gm_cycle_machine *machine), const char *const texts[])
{
    gm_config config = lone();
    char first[GM_ERROR_TEXT] = "";
    for (int no_skip = 0; no_skip < 2; no_skip++) {
        const gm_run_options options = {.threads = 1,
                                        .checkpoint = "none",
                                        .checkpoint_every = BREAK_AT,
                                        .no_skip = no_skip != 0};
        memory_source *source = one_load();
        gm_results results;
        gm_error error;
        break_machine = breaking;
        assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error),
                         -EDEADLK);
        for (size_t i = 0; texts[i] != NULL; i++) {
            if (strstr(error.text, texts[i]) == NULL) {
                fail_msg("\"%s\" does not say \"%s\"", error.text, texts[i]);
            }
        }
        assert_null(strchr(error.text, '\n'));
        if (no_skip != 0 && breaking == hold_in_bank) {
            assert_string_equal(error.text, first);
        }
        test_text_copy(first, sizeof first, error.text);
        gm_source_close(&source->source);
    }
}

static void a_request_that_is_held_is_named(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "no progress since cycle ",
        "; the oldest request is there since cycle 1: SM 0: L1 line 0x3e8 in MSHR entry 0",
        "; beyond the SMs: L2 bank 0: a read of SM 0, line 0x3e8, waits for its look-up",
        NULL,
    };
    expect_stuck(hold_in_bank, texts);
}

static void a_request_that_is_lost_is_named(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "; the oldest request is there since cycle 1: SM 0: L1 line 0x3e8 in MSHR entry 0",
        NULL,
    };
    expect_stuck(lose_in_bank, texts);
}

/* Progress is what counts, not the whole time; and the watchdog can be off. */
static void slow_is_not_stuck(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < 500; i++) { /* a chain of results, 100 cycles each */
        memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
        memory_registers(source, 1, 1);
    }
    gm_config config = lone();
    config.unit.integer.latency = 100;
    config.gpu.watchdog = 200;
    assert_in_range(cycle_run(&config, source).time.cycles, 499 * 100, 501 * 100);
    gm_source_close(&source->source);

    source = one_load(); /* the load takes longer than the watchdog allows */
    config.l2.latency = 1000;
    config.gpu.watchdog = 300;
    const gm_run_options options = {.threads = 1};
    gm_results results;
    gm_error error;
    assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error), -EDEADLK);
    assert_non_null(strstr(error.text, "waits for its look-up"));
    config.gpu.watchdog = 0;
    assert_true(cycle_run(&config, source).time.cycles > 1000);
    config.gpu.watchdog = 1300;
    assert_true(cycle_run(&config, source).time.cycles > 1000);
    config.sm.launch = 5000; /* a launch is no standstill */
    assert_true(cycle_run(&config, source).time.cycles > 6000);
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_that_is_held_is_named),
        cmocka_unit_test(a_request_that_is_lost_is_named),
        cmocka_unit_test(slow_is_not_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

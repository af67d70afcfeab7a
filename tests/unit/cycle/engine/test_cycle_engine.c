/* The cycle engine as a whole: passing over cycles in which nothing is due, threads, and the number
 * of a clock's cycles in a core cycle change nothing that they should not; every law holds. */
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

enum { SMS = 4, CTAS = 20 };

/* timed_variant with few SMs. */
static gm_config few_sms(unsigned number)
{
    gm_config config = timed_variant(number);
    config.gpu.sms = SMS;
    if (number / 2 % 2 != 0) {
        end_answered(&config);
    }
    return config;
}

static void compare(const gm_config *config, memory_source *source, const gm_results *one,
                    unsigned threads, bool no_skip)
{
    gm_results other = cycle_results(config, source, threads, no_skip);
    cycle_same(config, one, &other);
    gm_results_free(&other);
}

static void skipping_changes_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start(71);
    for (unsigned number = 0; number < POLICY_VARIANTS; number++) {
        if (!test_takes(number)) {
            continue;
        }
        gm_config config = few_sms(number);
        memory_source *source = mixture_of(test_random_next(&random), 1, CTAS);
        if (number % 2 != 0) {
            make_tiny(&config);
        }
        gm_results one = cycle_results(&config, source, 1, false);
        compare(&config, source, &one, 1, true);
        gm_results_free(&one);
        gm_source_close(&source->source);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start(72);
    for (unsigned number = 0; number < POLICY_VARIANTS; number += 3) {
        gm_config config = few_sms(number);
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        gm_results one = cycle_results(&config, source, 1, false);
        compare(&config, source, &one, 2, false);
        compare(&config, source, &one, 3, false);
        gm_results_free(&one);
        gm_source_close(&source->source);
    }
}

/* What the input alone determines is as in the order engine, whatever the machine: all of the
 * core's counters. */
static void core_is_the_order_engines(void **state)
{
    (void)state;
    test_random random = test_random_start(73);
    for (unsigned number = 0; number < POLICY_VARIANTS; number++) {
        gm_config config = few_sms(number);
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        gm_config untimed = config;
        untimed.sm.throttle = GM_THROTTLE_NONE; /* which the order engine refuses */
        gm_statistics order = order_run(&untimed, source, 1, 0);
        gm_statistics cycle = cycle_run(&config, source);
        assert_memory_equal(&order.core, &cycle.core, sizeof order.core);
        assert_int_equal(order.copies, cycle.copies);
        assert_int_equal(order.copy_bytes, cycle.copy_bytes);
        for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
            assert_int_equal(order.l1d.accesses[kind], cycle.l1d.accesses[kind]);
            assert_int_equal(order.l1d.bypasses[kind], cycle.l1d.bypasses[kind]);
        }
        gm_source_close(&source->source);
    }
}

typedef struct done {
    unsigned kernels;
    gm_statistics sum;
} done;

static int kernel_done(void *context, const gm_kernel *kernel, const gm_statistics *statistics,
                       gm_error *error)
{
    done *done = context;
    (void)kernel;
    (void)error;
    done->kernels++;
    gm_statistics_add(&done->sum, statistics);
    return 0;
}

/* In every cycle of a kernel each scheduler of each SM is in one state. */
static void states_add_up(const gm_config *config, const gm_results *results)
{
    for (uint64_t i = 0; i < config->gpu.sms; i++) {
        const gm_time_statistics *time = &results->per_sm[i].time;
        assert_int_equal(time->slots_issued + time->slots_memory + time->slots_dependence +
                             time->slots_unit + time->slots_memory_unit + time->slots_barrier +
                             time->slots_fence + time->slots_idle + time->slots_fetch +
                             time->slots_throttled,
                         results->total.time.cycles * config->sm.schedulers);
        assert_int_equal(time->slots_issued, results->per_sm[i].core.warp_instructions);
    }
}

/* Kernels' statistics, and those of the parts, add up to the total. */
static void parts_add_up(void **state)
{
    (void)state;
    for (unsigned number = 0; number < POLICY_VARIANTS; number++) {
        gm_config config = few_sms(number);
        config.sm.schedulers = 1 + number % 4;
        config.sm.subcores &= config.sm.collectors % config.sm.schedulers == 0;
        memory_source *source = mixture_of(74 + number, 2, CTAS);
        done done = {0};
        const gm_run_options options = {
            .threads = 1, .check = true, .context = &done, .kernel_done = kernel_done};
        gm_results results;
        gm_error error;
        test_ok(gm_cycle_run(&config, &source->source, &options, &results, &error), error);
        assert_int_equal(done.kernels, 2);
        states_add_up(&config, &results);
        gm_statistics parts = {0};
        for (uint64_t i = 0; i < config.gpu.sms; i++) {
            gm_statistics_add(&parts, &results.per_sm[i]);
        }
        for (uint64_t i = 0; i < config.memory.partitions * config.memory.banks; i++) {
            gm_statistics_add(&parts, &results.per_bank[i]);
        }
        for (uint64_t i = 0; i < config.memory.partitions; i++) {
            gm_statistics_add(&parts, &results.per_partition[i]);
        }
        parts.time.cycles = results.total.time.cycles;
        parts.time.request_flits = results.total.time.request_flits;
        parts.time.reply_flits = results.total.time.reply_flits;
        parts.copies = done.sum.copies = results.total.copies; /* no part's */
        parts.copy_bytes = done.sum.copy_bytes = results.total.copy_bytes;
        parts.l2_dirty_sectors = results.total.l2_dirty_sectors;
        assert_memory_equal(&results.total, &parts, sizeof parts);
        parts.time.dram_cycles = done.sum.time.dram_cycles; /* also after the last kernel */
        assert_int_equal(done.sum.time.cycles, results.total.time.cycles);
        assert_memory_equal(&done.sum.core, &parts.core, sizeof parts.core);
        if (config.l1.flush) { /* else the last copy flushes them, after the last kernel */
            assert_memory_equal(&done.sum.l1d, &parts.l1d, sizeof parts.l1d);
            assert_memory_equal(&done.sum.traffic, &parts.traffic, sizeof parts.traffic);
            assert_memory_equal(&done.sum.time, &parts.time, sizeof parts.time);
        }
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(core_is_the_order_engines),
        cmocka_unit_test(parts_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Cycles that the cycle engine passes over change nothing, above all not when a kernel ends: random
 * machines run many short kernels that leave stores in flight to DRAM, with and without visits
 * in every cycle; and go on from checkpoints made in a kernel's last cycles. So do large machines.
 */
#include "config/config_l1.h"
#include "support/config/random_machine.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/policy/bypass_variant.h"

#include <errno.h>
#include <string.h>

enum { KERNELS = CYCLE_KERNELS, ROUNDS = 150, CHECKPOINTS = 60, VISITED = 30000, MOST_CTAS = 4 };

static unsigned one_of(test_random *random, const unsigned *opcodes, size_t count)
{
    return opcodes[test_random_below(random, count)];
}

#define ONE_OF(random, opcodes) one_of(random, opcodes, sizeof(opcodes) / sizeof *(opcodes))

/* Loads and stores of lines one after another, or anywhere, `stores` of 8 are stores; shared
 * memory, barriers, fences and what needs no memory. The footprint, in lines, is some rows of DRAM,
 * or many. */
static void random_warp(memory_source *source, test_random *random, uint64_t stores,
                        uint64_t footprint)
{
    static const unsigned others[] = {MEMORY_LOAD, MEMORY_STRONG_LOAD, MEMORY_ATOMIC,
                                      MEMORY_REDUCTION, MEMORY_ASYNC_COPY};
    static const unsigned plain[] = {MEMORY_COMPUTE,   MEMORY_COMPUTE, MEMORY_COMPUTE,
                                     MEMORY_BARRIER,   MEMORY_FENCE,   MEMORY_COMMIT_GROUP,
                                     MEMORY_WAIT_GROUP};
    uint64_t at = test_random_below(random, footprint);
    for (uint64_t left = test_random_below(random, 12); left > 0; left--) {
        bool store = test_random_below(random, 8) < stores;
        uint64_t kind = test_random_below(random, 8);
        if (kind < 3) {
            memory_plain(source, ONE_OF(random, plain), UINT32_MAX);
        } else if (kind == 3) { /* conflicts of up to 32 passes */
            memory_stride(source, MEMORY_SHARED_LOAD, UINT32_MAX, 0,
                          4 * (int64_t)test_random_below(random, 33), 4);
        } else {
            at = test_random_below(random, 3) == 0 ? test_random_below(random, footprint) : at + 1;
            memory_stride(source, store ? MEMORY_STORE : ONE_OF(random, others), UINT32_MAX,
                          UINT64_C(0x7f0000000000) + at % footprint * 128, 4, 4);
        }
        memory_registers(source, (unsigned)test_random_below(random, 32),
                         (unsigned)test_random_below(random, 32));
    }
}

/* first[k]: the first CTA of kernel k, counted over all kernels. */
static memory_source *short_kernels(uint64_t seed, size_t first[KERNELS])
{
    test_random random = {seed};
    memory_source *source = memory_source_new();
    uint64_t footprint = UINT64_C(1) << (4 + test_random_below(&random, 10)); /* lines */
    size_t all = 0;
    for (unsigned kernel = 0; kernel < KERNELS; kernel++) {
        uint32_t ctas = 1 + (uint32_t)test_random_below(&random, MOST_CTAS);
        first[kernel] = all;
        all += ctas;
        uint64_t stores = test_random_below(&random, 9);
        memory_kernel(source, ctas, 128);
        for (uint32_t cta = 0; cta < ctas; cta++) {
            memory_cta(source, cta);
            for (uint32_t warp = 0; warp < 4; warp++) {
                memory_warp(source, warp);
                random_warp(source, &random, stores, footprint);
            }
        }
        if (test_random_below(&random, 8) == 0) {
            memory_copy(source, UINT64_C(0x7f0000000000), test_random_below(&random, 5000));
        }
    }
    return source;
}

/* Ends the calling test, and says of which machine and kernel, unless both are the same. */
static void same(const gm_config *config, unsigned number, const cycle_outcome *one,
                 const cycle_outcome *other)
{
    const gm_statistics *own = one->kernels.own;
    const gm_statistics *others = other->kernels.own;
    assert_int_equal(one->kernels.count, other->kernels.count);
    for (unsigned kernel = 0; kernel < one->kernels.count; kernel++) {
        if (memcmp(&own[kernel], &others[kernel], sizeof *own) != 0) {
            print_machine(config);
            fail_msg("machine %u: kernel %u: %llu and %llu cycles", number, kernel,
                     (unsigned long long)own[kernel].time.cycles,
                     (unsigned long long)others[kernel].time.cycles);
        }
    }
    cycle_same(config, &one->results, &other->results);
}

typedef struct trial {
    gm_config config;
    memory_source *source;
    size_t first[KERNELS]; /* CTAs */
    cycle_outcome whole;   /* nothing visited that need not be */
} trial;

/* A machine that gm_config_check takes, and a program that it runs in few enough cycles to visit
 * all of them. */
static trial next_trial(test_random *random)
{
    for (;;) {
        trial trial = {.config = random_machine(random, true)};
        gm_error error;
        trial.config.l1.parts = gm_config_l1_parts_lacks(&trial.config) == NULL;
        trial.config.gpu.kernels = 1; /* no kernel is read before the last one has ended */
        trial.source = short_kernels(test_random_next(random), trial.first);
        if (gm_config_check(&trial.config, &error) == 0) {
            write_profile(GM_ENGINE_ORDER, &trial.config, trial.source);
            cycle_try(&trial.config, trial.source, (gm_run_options){0}, &trial.whole);
            assert_int_equal(trial.whole.kernels.count, KERNELS);
            if (trial.whole.results.total.time.cycles < VISITED) {
                return trial;
            }
            gm_results_free(&trial.whole.results);
        }
        gm_source_close(&trial.source->source);
    }
}

static void end_trial(trial *trial)
{
    gm_results_free(&trial->whole.results);
    gm_source_close(&trial->source->source);
}

static void expect_the_same(trial *trial, unsigned number, gm_run_options options)
{
    cycle_outcome other;
    cycle_try(&trial->config, trial->source, options, &other);
    same(&trial->config, number, &trial->whole, &other);
    gm_results_free(&other.results);
}

static void every_cycle_visited(void **state)
{
    (void)state;
    test_random random = test_random_start(83);
    for (unsigned number = 0; number < test_rounds(ROUNDS); number++) {
        trial trial = next_trial(&random);
        expect_the_same(&trial, number, (gm_run_options){.no_skip = true});
        end_trial(&trial);
    }
}

/* A machine with more SMs, L2 banks and channels than a word has bits. */
static gm_config large_machine(void)
{
    enum { SMS = 66, PARTITIONS = 65 };
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = SMS;
    config.sm.ctas = 1;
    config.memory.partitions = PARTITIONS;
    config.memory.banks = 2;
    config.l2.size = UINT64_C(2) * PARTITIONS * 8192;
    return config;
}

/* Four CTAs for each SM, and lines of all banks. */
static void machines_of_many_components(void **state)
{
    (void)state;
    enum { LOADS = 2, LINES = 4 };
    trial trial = {.config = large_machine(), .source = memory_source_new()};
    uint32_t ctas = 4 * (uint32_t)trial.config.gpu.sms;
    memory_kernel(trial.source, ctas, 32);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(trial.source, cta);
        memory_warp(trial.source, 0);
        for (uint32_t line = 0; line < LINES; line++) {
            memory_stride(trial.source, line < LOADS ? MEMORY_LOAD : MEMORY_STORE, UINT32_MAX,
                          UINT64_C(0x7f0000000000) + ((uint64_t)line * ctas + cta) * 128, 4, 4);
        }
    }
    cycle_try(&trial.config, trial.source, (gm_run_options){0}, &trial.whole);
    assert_int_equal(trial.whole.kernels.count, 1);
    for (uint32_t sm = 0; sm < trial.config.gpu.sms; sm++) {
        assert_true(trial.whole.results.per_sm[sm].l1d.accesses[GM_LOAD] > LOADS);
    }
    expect_the_same(&trial, 0, (gm_run_options){.no_skip = true});
    end_trial(&trial);
}

/* So many misses in flight that the units are visited with foresight (base/foresight.h). */
static void many_misses_in_flight(void **state)
{
    (void)state;
    enum { LOADS = 8, LANES = 32, FORESEEN = 3000 };
    trial trial = {.config = large_machine(), .source = memory_source_new()};
    uint32_t ctas = (uint32_t)trial.config.gpu.sms;
    trial.config.l1.size = 128 * 1024;
    trial.config.l1.mshrs = 256;
    trial.config.dram.latency = 2000; /* misses wait long */
    memory_kernel(trial.source, ctas, 32);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(trial.source, cta);
        memory_warp(trial.source, 0);
        for (uint32_t load = 0; load < LOADS; load++) { /* a line for each lane, of its own */
            uint64_t first = ((uint64_t)load * ctas + cta) * LANES;
            memory_stride(trial.source, MEMORY_LOAD, UINT32_MAX,
                          UINT64_C(0x7f0000000000) + first * 128, 128, 4);
        }
    }
    cycle_try(&trial.config, trial.source, (gm_run_options){0}, &trial.whole);
    const gm_time_statistics *counts = &trial.whole.results.total.time;
    assert_true(counts->l1_mshr_cycles > FORESEEN * counts->cycles);
    expect_the_same(&trial, 0, (gm_run_options){.no_skip = true});
    end_trial(&trial);
}

/* A run that stood in one of the last cycles of a kernel, and is broken off before the next. */
static void resumed_where_a_kernel_ends(void **state)
{
    (void)state;
    test_random random = test_random_start(84);
    char path[512];
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned number = 0; number < test_rounds(CHECKPOINTS); number++) {
        trial trial = next_trial(&random);
        cycle_outcome other;
        unsigned last = (unsigned)test_random_below(&random, KERNELS - 1);
        uint64_t end = 0;
        for (unsigned kernel = 0; kernel <= last; kernel++) {
            end += trial.whole.kernels.own[kernel].time.cycles;
        }
        gm_run_options save = {.checkpoint = path,
                               .checkpoint_every = end - test_random_below(&random, 4),
                               .no_skip = test_random_below(&random, 2) == 0};
        (void)remove(path);
        trial.source->fail_at = trial.first[last + 1];
        assert_int_equal(cycle_try(&trial.config, trial.source, save, &other), -EIO);
        trial.source->fail_at = SIZE_MAX;
        expect_the_same(&trial, number, (gm_run_options){.resume = path});
        expect_the_same(&trial, number, (gm_run_options){.resume = path, .no_skip = true});
        end_trial(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_cycle_visited, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(machines_of_many_components),
        cmocka_unit_test(many_misses_in_flight),
        cmocka_unit_test_setup_teardown(resumed_where_a_kernel_ends, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

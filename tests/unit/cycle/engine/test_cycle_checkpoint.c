/* Checkpoints of the cycle engine: a run that was broken off anywhere, and goes on from its last
 * checkpoint, leaves what one leaves that was not, whatever the machine; so does one that saves. */
#include "support/config/tracked.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/policy/bypass_variant.h"

#include <errno.h>
#include <string.h>

/* CTAS: the last of all CTAs, of which each kernel has 12, and two gaps. */
enum { KERNELS = 3, KERNEL_CTAS = 14, CTAS = 3 * 12 - 1, ROUNDS = 2 * POLICY_VARIANTS };

static void same(const gm_config *config, const cycle_outcome *one, const cycle_outcome *other)
{
    cycle_same(config, &one->results, &other->results);
    assert_int_equal(one->kernels.count, other->kernels.count);
    assert_memory_equal(one->kernels.own, other->kernels.own, sizeof one->kernels.own);
}

static char path[512];

static bool is_there(void)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* Breaks a run off at a random CTA, and goes on from the last of its checkpoints, which were made
 * every so many cycles; then a second time from there, saving on. */
static unsigned break_off(const gm_config *config, memory_source *source,
                          const cycle_outcome *whole, test_random *random)
{
    cycle_outcome other;
    (void)remove(path);
    gm_run_options save = {
        .threads = 1 + (unsigned)test_random_below(random, 2),
        .checkpoint = path,
        .checkpoint_every = 1 + test_random_below(random, whole->results.total.time.cycles / 2),
    };
    save.checkpoint_every = save.checkpoint_every < 200 ? 200 : save.checkpoint_every;
    source->fail_at = 1 + test_random_below(random, CTAS);
    assert_int_equal(cycle_try(config, source, save, &other), -EIO);
    source->fail_at = SIZE_MAX;
    if (!is_there()) {
        return 0;
    }
    gm_run_options resume = {
        .threads = 1 + (unsigned)test_random_below(random, 2),
        .resume = path,
        .no_skip = test_random_below(random, 8) == 0,
    };
    cycle_try(config, source, resume, &other);
    same(config, whole, &other);
    gm_results_free(&other.results);
    resume.checkpoint = path;
    resume.checkpoint_every = save.checkpoint_every;
    cycle_try(config, source, resume, &other);
    same(config, whole, &other);
    gm_results_free(&other.results);
    resume.checkpoint = NULL;
    cycle_try(config, source, resume, &other); /* from the last one of the whole run */
    same(config, whole, &other);
    gm_results_free(&other.results);
    return 1;
}

static void broken_off_anywhere(void **state)
{
    (void)state;
    test_random random = test_random_start(97);
    unsigned resumed = 0;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    /* Under the sanitizers each policy once, with and without tiny queues by turns. */
    const unsigned step = test_rounds(2) < 2 ? 2 : 1;
    for (unsigned round = 0; round < ROUNDS; round += step) {
        gm_config config = timed_variant(round % POLICY_VARIANTS);
        config.gpu.sms = 3;
        config.sm.ctas = 3; /* so that some CTAs begin while others run */
        config.memory.partitions = config.l2.size == GM_UNBOUNDED ? 3 : config.memory.partitions;
        if (round % 3 == 2) {
            fit_for_decoupled(&config, round);
            config.l1.kind = GM_L1_DECOUPLED;
            config.l1.dueling = true;
            config.l1.dueling_interval = 100 + 50 * round;
            config.l1.dueling_period = 1 + round % 5;
            config.l1.dueling_hysteresis = round % 2 == 0;
        }
        if (round / POLICY_VARIANTS == 1) {
            make_tiny(&config);
        }
        give_write_port(&config);
        if (round % 2 != 0) {
            end_answered(&config);
        }
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        cycle_outcome whole;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        assert_int_equal(whole.kernels.count, KERNELS);
        resumed += break_off(&config, source, &whole, &random);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > ROUNDS / step / 3);
}

/* What bypass policies know is kept too. */
static void with_a_bypass_policy(void **state)
{
    (void)state;
    enum { KINDS = 4, POLICIES = 2 * KINDS };
    static const gm_l1_bypass kinds[] = {GM_BYPASS_MRPB, GM_BYPASS_PDP, GM_BYPASS_PROFILED,
                                         GM_BYPASS_CONTENTION};
    test_random random = test_random_start(99);
    unsigned resumed = 0;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned round = 0; round < POLICIES; round++) {
        gm_config config =
            bypass_variant((unsigned)test_random_below(&random, VARIANTS), kinds[round % KINDS]);
        config.gpu.sms = 3;
        config.sm.ctas = 3;
        config.l1.enabled = true;
        config.l1.protecting_distance = 1 + test_random_below(&random, 30);
        config.memory.partitions = config.l2.size == GM_UNBOUNDED ? 3 : config.memory.partitions;
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        cycle_outcome whole;
        write_profile(GM_ENGINE_CYCLE, &config, source);
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        resumed += break_off(&config, source, &whole, &random);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > POLICIES / 3);
}

/* A preset, its L1s conventional and of 8 lines. */
static gm_config with_small_l1s(unsigned round)
{
    enum { PRESETS = 5 };
    gm_config config = timed_variant(round % PRESETS);
    config.l1.enabled = true;
    config.l1.size = config.l1.line << 3;
    config.l1.ways = 2;
    test_text_copy(config.l1.index, sizeof config.l1.index, "sequential");
    config.l1.kind = GM_L1_CONVENTIONAL;
    config.l1.bypass = GM_BYPASS_NONE;
    config.coherence.protocol = GM_COHERENCE_NONE;
    config.tracker.enabled = false;
    return config;
}

/* CCWS keeps victim tags, scores, and the warp of each line and MSHR entry. */
static void with_lost_locality_scores(void **state)
{
    (void)state;
    enum { SCORED = 8 };
    test_random random = test_random_start(105);
    unsigned resumed = 0;
    uint64_t hits = 0;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned round = 0; round < SCORED; round++) {
        gm_config config = with_small_l1s(round);
        config.gpu.sms = 3;
        config.sm.ctas = 3;
        config.sm.throttle = GM_THROTTLE_CCWS;
        config.sm.victim_tags = UINT64_C(4) << round % 4;
        config.l1.allocation = round % 2 == 0 ? GM_ALLOCATE_ON_MISS : GM_ALLOCATE_ON_FILL;
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        cycle_outcome whole;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        hits += whole.results.total.ccws.hits_raised;
        resumed += break_off(&config, source, &whole, &random);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > SCORED / 3 && hits > 0);
}

/* Two SMs whose small L1s thrash. Their periods are so short that a kernel has several. */
static gm_config sampled(unsigned round, memory_source *source)
{
    enum { PERIODS = 27 };
    gm_config config = with_small_l1s(round);
    config.gpu.sms = 2;
    config.sm.ctas = 4;
    config.sm.throttle = GM_THROTTLE_NONE;
    gm_results none = cycle_results(&config, source, 1, false);
    config.gpu.sampling_period = none.total.time.cycles / PERIODS;
    gm_results_free(&none);
    config.sm.throttle = GM_THROTTLE_SAMPLING;
    return config;
}

/* Stops the run at each of STOPS cycles, under sanitizers at every third one, and goes on from
 * there. */
static void stop_everywhere(const gm_config *config, memory_source *source,
                            const cycle_outcome *whole)
{
    enum { STOPS = 30 };
    uint64_t cycles = whole->results.total.time.cycles;
    for (uint64_t stop = 1; stop < STOPS; stop++) {
        cycle_outcome other;
        if (!test_takes((unsigned)(stop + cycles % 3))) {
            continue;
        }
        (void)remove(path);
        const gm_run_options save = {.max_cycles = stop * cycles / STOPS,
                                     .checkpoint = path,
                                     .checkpoint_every = UINT64_MAX};
        cycle_try(config, source, save, &other);
        bool saved = other.results.stop.saved;
        gm_results_free(&other.results);
        assert_true(saved);
        cycle_try(config, source, (gm_run_options){.resume = path, .no_skip = stop % 8 == 0},
                  &other);
        cycle_same(config, &whole->results, &other.results);
        assert_memory_equal(&other.results.choices, &whole->results.choices,
                            sizeof other.results.choices);
        assert_memory_equal(&other.results.limits, &whole->results.limits,
                            sizeof other.results.limits);
        gm_results_free(&other.results);
    }
}

/* Sampling keeps what SMs have reported before, their instructions in a round, and the best limit
 * of the rounds before it: with as few SMs several rounds follow each other. */
static void with_sampled_limits(void **state)
{
    (void)state;
    enum { SAMPLED = 8 };
    test_random random = test_random_start(107);
    gm_sampling_statistics sum = {0};
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned round = 0; round < SAMPLED; round++) {
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        const gm_config config = sampled(round, source);
        cycle_outcome whole;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        const gm_sampling_statistics *own = &whole.results.total.sampling;
        sum.samplings += own->samplings;
        sum.rounds += own->rounds;
        sum.decided += own->decided;
        stop_everywhere(&config, source, &whole);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(sum.samplings > sum.decided && sum.decided > 1 && sum.rounds > 1);
}

/* The table is full: kernels of nine names have limits, the first one's is lost. Each launch runs
 * until its limit is found, and goes on; second launches of seven take theirs at once. */
static void with_a_full_table_of_limits(void **state)
{
    (void)state;
    enum { NAMES = 9, LAUNCHES = NAMES + 7, WARPS = 8, LOADS = 40, LINES = 8 };
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    gm_config config = with_small_l1s(0);
    config.gpu.sms = 2;
    config.gpu.sampling_period = 700;
    config.sm.warps = WARPS;
    config.sm.threads = 32 * WARPS;
    config.sm.throttle = GM_THROTTLE_SAMPLING;
    memory_source *source = memory_source_new();
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        gm_kernel *kernel = memory_kernel(source, 2, 32 * WARPS);
        snprintf(kernel->name, sizeof kernel->name, "kernel %u",
                 launch < NAMES ? launch : launch - NAMES + 2);
        for (uint32_t cta = 0; cta < 2; cta++) {
            memory_cta(source, cta);
            for (uint32_t warp = 0; warp < WARPS; warp++) {
                memory_warp(source, warp);
                for (uint64_t i = 0; i < LOADS; i++) {
                    uint64_t line = LINES * (WARPS * (uint64_t)cta + warp) + i % LINES;
                    memory_stride(source, MEMORY_LOAD, UINT32_MAX, 128 * line, 0, 4);
                    memory_registers(source, 1, 1);
                }
            }
        }
    }
    cycle_outcome whole;
    cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
    assert_int_equal(whole.results.total.sampling.decided, NAMES);
    assert_int_equal(whole.results.total.sampling.known, LAUNCHES - NAMES);
    stop_everywhere(&config, source, &whole);
    gm_results_free(&whole.results);
    gm_source_close(&source->source);
}

/* Tracker banks, credits on their wires, data that leave one L1 for another. */
static void with_sharing_trackers(void **state)
{
    (void)state;
    enum { TRACKED = 16 };
    test_random random = test_random_start(104);
    unsigned resumed = 0;
    uint64_t supplied = 0;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned round = 0; round < test_rounds(TRACKED); round++) {
        gm_config config = timed_variant(round % POLICY_VARIANTS);
        config.gpu.sms = 4;
        config.sm.ctas = 3;
        config.memory.partitions = 2;
        config.l2.size = GM_UNBOUNDED;
        config.l2.atomic_buffer = false;
        make_tracked(&config, &random);
        config.tracker.trackers = UINT64_C(1) << round % 3;
        config.tracker.ask = round % 2 != 0;
        fit_trackers(&config, &random);
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        cycle_outcome whole;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        supplied += whole.results.total.tracker.remote_hits;
        resumed += break_off(&config, source, &whole, &random);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > test_rounds(TRACKED) / 3 && supplied > test_rounds(500));
}

/* Launches of warps and passes over banks, in which most of these runs are broken off. */
static void with_launches_and_passes(void **state)
{
    (void)state;
    enum { LAUNCHES = 8 };
    test_random random = test_random_start(103);
    unsigned resumed = 0;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned round = 0; round < LAUNCHES; round++) {
        gm_config config = timed_variant(round);
        config.gpu.sms = 3;
        config.sm.ctas = 3;
        config.sm.cta_launch = 400 * (round % 2);
        config.sm.warp_launch = 200;
        config.sm.memory_lanes = 4;
        config.l1.tag_banks = 4;
        config.l1.data_banks = 16;
        config.memory.partitions = config.l2.size == GM_UNBOUNDED ? 3 : config.memory.partitions;
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        cycle_outcome whole;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        resumed += break_off(&config, source, &whole, &random);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > LAUNCHES / 3);
}

/* What a DRAM standard adds is kept too, refreshes in and out of idle time among it; visits in
 * every cycle change nothing. */
static void with_a_dram_standard(void **state)
{
    (void)state;
    enum { STANDARDS = 4, STANDARD_ROUNDS = 2 * STANDARDS };
    static const char *const standards[] = {"gddr6", "hbm2", "hbm2e", "hbm3"};
    test_random random = test_random_start(101);
    unsigned resumed = 0;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned round = 0; round < STANDARD_ROUNDS; round++) {
        gm_error error;
        gm_config config = timed_variant(round);
        config.gpu.sms = 3;
        config.sm.ctas = 3;
        config.memory.partitions = config.l2.size == GM_UNBOUNDED ? 3 : config.memory.partitions;
        test_ok(gm_config_set(&config, "dram.standard", standards[round % STANDARDS], &error),
                error);
        config.dram.channels = 1 + round % 2;
        config.dram.low_banks = 4;
        config.dram.refresh = round < STANDARDS ? GM_REFRESH_BANK : GM_REFRESH_ALL;
        test_ok(gm_config_check(&config, &error), error);
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        cycle_outcome whole;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        assert_true(whole.results.total.time.dram_refreshes > 0);
        gm_results every = cycle_results(&config, source, 1, true);
        cycle_same(&config, &whole.results, &every);
        gm_results_free(&every);
        resumed += break_off(&config, source, &whole, &random);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > STANDARD_ROUNDS / 3);
}

/* CTAs of three lengths, so that some end at once and it is the scheduler's turn that says which
 * next one goes where; each has a number of lanes of its own, so that it is seen where it went.
 * Broken off at each CTA, under sanitizers at every third one. */
static void the_turn_of_sms(void **state)
{
    (void)state;
    enum { TURNS = 31, LENGTH = 20 };
    test_random random = {98};
    gm_config config = timed_variant(0);
    config.gpu.sms = 5;
    config.sm.ctas = 1;
    config.unit.integer.interval = 3;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    memory_source *source = memory_source_new();
    memory_kernel(source, TURNS, 32);
    for (uint32_t cta = 0; cta < TURNS; cta++) {
        memory_cta(source, cta);
        memory_warp(source, 0);
        uint64_t length = LENGTH * (1 + test_random_below(&random, 3));
        for (uint64_t i = 0; i < length; i++) {
            memory_plain(source, MEMORY_COMPUTE, (UINT32_C(1) << (cta + 1)) - 1);
        }
    }
    cycle_outcome whole;
    cycle_outcome other;
    cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
    for (unsigned cta = 6; cta < TURNS; cta++) {
        if (!test_takes(cta)) {
            continue;
        }
        (void)remove(path);
        source->fail_at = cta;
        cycle_try(&config, source,
                  (gm_run_options){.threads = 1, .checkpoint = path, .checkpoint_every = 7},
                  &other);
        source->fail_at = SIZE_MAX;
        assert_true(is_there());
        cycle_try(&config, source,
                  (gm_run_options){.threads = 1, .resume = path, .no_skip = cta % 2 == 0}, &other);
        same(&config, &whole, &other);
        gm_results_free(&other.results);
    }
    gm_results_free(&whole.results);
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(broken_off_anywhere, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(with_lost_locality_scores, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(with_sampled_limits, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(with_a_full_table_of_limits, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(with_sharing_trackers, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(with_launches_and_passes, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(with_a_dram_standard, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(with_a_bypass_policy, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(the_turn_of_sms, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

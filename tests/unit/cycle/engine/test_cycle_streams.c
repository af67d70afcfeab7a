/* Kernels of several streams at once: when each begins, worked out by a second scheduler from how
 * long each took; which SMs they share; what is flushed; and that saving, resuming, visits in every
 * cycle and values change nothing. */
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCH = 400, LOADS = 30 };

static gm_config machine(uint64_t sms, uint64_t kernels)
{
    gm_config config = order_preset("gtx480");
    config.gpu.sms = sms;
    config.gpu.kernels = kernels;
    config.sm.launch = LAUNCH;
    config.l1.flush = true;
    config.l1.size = config.l2.size = GM_UNBOUNDED;
    return config;
}

/* A kernel of `ctas` CTAs of a warp, each of which loads `loads` lines, one after the other. */
static gm_kernel *loads_kernel(memory_source *source, uint64_t stream, uint32_t ctas,
                               unsigned loads)
{
    gm_kernel *kernel = memory_kernel(source, ctas, 32);
    kernel->stream = stream;
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(source, cta);
        memory_warp(source, 0);
        for (unsigned i = 0; i < loads; i++) {
            memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0x100000 + i * 128, 4, 4);
            memory_registers(source, 1, 1);
        }
    }
    return kernel;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Three kernels, the third on the first one's stream: it begins at the first one's end, the second
 * at once; with one kernel at a time each begins at the last one's end. */
static void a_stream_is_in_order(void **state)
{
    (void)state;
    for (uint64_t most = 2; most <= 4; most++) {
        gm_config config = machine(4, most);
        memory_source *source = memory_source_new();
        loads_kernel(source, 5, 1, LOADS);
        loads_kernel(source, UINT64_C(1) << 40, 1, 3 * LOADS);
        loads_kernel(source, 5, 1, 1);
        cycle_kernels kernels = cycle_run_kernels(&config, source);
        assert_int_equal(kernels.count, 3);
        assert_int_equal(kernels.own[0].overlap.began, 0);
        assert_int_equal(kernels.own[1].overlap.began, 0);
        assert_int_equal(kernels.own[1].overlap.stream, UINT64_C(1) << 40);
        assert_int_equal(kernels.own[2].overlap.began, kernels.own[0].overlap.ended);
        assert_in_range(kernels.own[2].overlap.ended, 0, kernels.own[1].overlap.ended - 1);
        assert_int_equal(kernels.own[0].overlap.beside, 1);
        assert_int_equal(kernels.own[1].overlap.beside, 2);
        assert_int_equal(kernels.own[2].overlap.beside, 1);
        assert_int_equal(kernels.own[2].core.warp_instructions, 1);
        assert_int_equal(kernels.own[2].l1d.accesses[GM_LOAD], 0); /* not known */
        assert_int_equal(kernels.total.l1d.accesses[GM_LOAD], 4 * LOADS + 1);
        assert_int_equal(kernels.total.time.cycles, kernels.own[1].overlap.ended);
        /* each is launched first */
        for (unsigned i = 0; i < 3; i++) {
            assert_true(kernels.own[i].time.cycles > LAUNCH);
            assert_int_equal(kernels.own[i].time.cycles,
                             kernels.own[i].overlap.ended - kernels.own[i].overlap.began);
        }
        assert_in_range(kernels.own[2].time.cycles, LAUNCH, 2 * LAUNCH);
    }
}

/* The window has room for two: the third kernel begins at the first end; a fourth one, behind a
 * copy, when all have ended. */
static void the_window_and_a_copy(void **state)
{
    (void)state;
    gm_config config = machine(8, 2);
    memory_source *source = memory_source_new();
    loads_kernel(source, 0, 1, 2 * LOADS);
    loads_kernel(source, 1, 1, LOADS);
    loads_kernel(source, 2, 1, 4 * LOADS);
    memory_copy(source, 0x100000, 128);
    loads_kernel(source, 3, 1, LOADS);
    cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.own[1].overlap.began, 0);
    assert_int_equal(kernels.own[2].overlap.began, kernels.own[1].overlap.ended);
    assert_int_equal(kernels.own[3].overlap.began, kernels.own[2].overlap.ended);
    assert_int_equal(kernels.own[3].overlap.beside, 0);
    assert_int_equal(kernels.own[3].copies, 1);
    assert_int_equal(kernels.own[3].l1d.accesses[GM_LOAD], LOADS); /* alone: all is its own */
    assert_int_equal(kernels.own[3].dram.reads, 4); /* the line that the copy dropped */
}

/* One SM: the second kernel's CTA is placed beside the first one's only if SMs are shared and both
 * fit; else it waits until the SM is empty, and has less than its launch to wait for. */
static void sharing_an_sm(void **state)
{
    (void)state;
    static const struct {
        bool share;
        uint32_t threads, shared, registers;
        bool together;
    } rows[] = {
        {false, 32, 0, 16, false},      {true, 32, 0, 16, true},
        {true, 32, 24 << 10, 16, true}, {true, 32, (24 << 10) + 1, 16, false},
        {true, 768, 0, 16, true},       {true, 800, 0, 16, false},
        {true, 512, 0, 32, true},       {true, 544, 0, 32, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config = machine(1, 4);
        config.gpu.kernels_share_sm = rows[i].share;
        memory_source *source = memory_source_new();
        for (unsigned k = 0; k < 2; k++) {
            gm_kernel *kernel = loads_kernel(source, k, 1, 20 * LOADS);
            kernel->block[0] = rows[i].threads;
            kernel->shared_bytes = rows[i].shared;
            kernel->registers = rows[i].registers;
        }
        cycle_kernels kernels = cycle_run_kernels(&config, source);
        const gm_overlap_statistics *first = &kernels.own[0].overlap;
        const gm_overlap_statistics *second = &kernels.own[1].overlap;
        assert_int_equal(second->began, 0);
        uint64_t alone = first->ended - LAUNCH;
        if (rows[i].together) {
            assert_in_range(second->ended, first->ended - alone / 2, first->ended + alone / 2);
        } else {
            assert_in_range(second->ended, first->ended + alone / 4, first->ended + alone);
        }
    }
}

/* The older kernel's CTAs first: of two kernels with two CTAs each for three SMs, the second one's
 * second CTA waits. */
static void older_kernels_first(void **state)
{
    (void)state;
    gm_config config = machine(3, 2);
    config.sm.ctas = 1;
    memory_source *source = memory_source_new();
    loads_kernel(source, 0, 2, 4 * LOADS);
    loads_kernel(source, 1, 2, LOADS);
    cycle_outcome outcome;
    cycle_try(&config, source, (gm_run_options){0}, &outcome);
    assert_int_equal(outcome.results.per_sm[0].core.warp_instructions, 4 * LOADS);
    assert_int_equal(outcome.results.per_sm[1].core.warp_instructions, 4 * LOADS);
    assert_int_equal(outcome.results.per_sm[2].core.ctas, 2);
    gm_results_free(&outcome.results);
    gm_source_close(&source->source);
}

/* An SM's L1 is flushed before it takes another kernel's CTA, and at its kernel's end, while
 * another SM's kernel runs on; a kernel's dirty lines are in the L2 when its successor begins. */
static void l1s_are_flushed(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 4; number++) {
        gm_config config = machine(2, 8);
        config.l1.flush = number % 2 == 0;
        if (number / 2 == 1) {
            config.l1.global_write = GM_WRITE_BACK;
            config.l1.global_allocate = true;
        }
        memory_source *source = memory_source_new();
        loads_kernel(source, 0, 1, LOADS);
        loads_kernel(source, 1, 1, 40 * LOADS); /* its first LOADS lines are the others' */
        loads_kernel(source, 0, 1, LOADS);
        loads_kernel(source, 2, 1, LOADS);
        cycle_kernels kernels = cycle_run_kernels(&config, source);
        uint64_t hits = config.l1.flush ? 0 : 2 * LOADS;
        assert_int_equal(kernels.total.l1d.hits[GM_LOAD], hits);
        assert_true(kernels.own[3].overlap.ended < kernels.own[1].overlap.ended);
    }
}

static void two_dirty_kernels(void **state)
{
    (void)state;
    gm_config config = machine(3, 8);
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    memory_source *source = memory_source_new();
    loads_kernel(source, 1, 1, 40 * LOADS);
    for (unsigned k = 0; k < 2; k++) {
        memory_kernel(source, 1, 32)->stream = 0;
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (unsigned i = 0; i < LOADS; i++) {
            memory_stride(source, MEMORY_STORE, UINT32_MAX, 0x900000 + i * 128, 4, 4);
        }
    }
    cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.own[2].overlap.began, kernels.own[1].overlap.ended);
    assert_true(kernels.own[2].overlap.ended < kernels.own[0].overlap.ended);
    /* each kernel's lines are written back at its end, not at the long one's */
    assert_int_equal(kernels.total.l1d.write_backs[GM_STORE], 2 * LOADS);
}

/* A kernel that needs more shared memory than the division leaves waits until nothing is in flight,
 * and is then the first of a division of its own. */
static void unified_memory(void **state)
{
    (void)state;
    gm_config config = machine(2, 8);
    gm_error error;
    config.l1.size = 16 << 10;
    config.l1.unified = 64 << 10;
    config.l1.shared_options = (gm_size_list){.count = 0};
    test_ok(gm_config_set(&config, "l1.shared_options", "0,16KB,48KB", &error), error);
    test_ok(gm_config_check(&config, &error), error);
    memory_source *source = memory_source_new();
    loads_kernel(source, 0, 1, 10 * LOADS)->shared_bytes = 10 << 10;
    loads_kernel(source, 1, 1, LOADS)->shared_bytes = 20 << 10;
    loads_kernel(source, 2, 1, LOADS)->shared_bytes = 16 << 10;
    cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.own[0].unified.shared_bytes, 16 << 10);
    assert_int_equal(kernels.own[0].overlap.beside, 0);
    assert_int_equal(kernels.own[1].overlap.began, kernels.own[0].overlap.ended);
    assert_int_equal(kernels.own[1].unified.shared_bytes, 48 << 10);
    assert_int_equal(kernels.own[2].unified.shared_bytes, 48 << 10);
    assert_int_equal(kernels.own[2].overlap.beside, 1);
}

/* A run that stops while three kernels run and one waits reports what each has done. */
static void stopped_within(void **state)
{
    (void)state;
    gm_config config = machine(4, 8);
    memory_source *source = memory_source_new();
    loads_kernel(source, 0, 1, 10 * LOADS);
    loads_kernel(source, 0, 1, LOADS);
    loads_kernel(source, 1, 1, 10 * LOADS);
    loads_kernel(source, 1, 1, LOADS);
    cycle_outcome outcome;
    cycle_try(&config, source, (gm_run_options){.max_cycles = 3000}, &outcome);
    assert_int_equal(outcome.kernels.count, 3);
    assert_int_equal(outcome.results.stop.kernel, 2);
    assert_int_equal(outcome.results.total.time.cycles, 3000);
    uint64_t issued = outcome.kernels.own[0].core.warp_instructions;
    assert_in_range(issued, 1, 10 * LOADS - 1);
    assert_int_equal(outcome.kernels.own[1].core.warp_instructions, 0);
    assert_int_equal(issued + outcome.kernels.own[2].core.warp_instructions,
                     outcome.results.total.core.warp_instructions);
    gm_results_free(&outcome.results);
    gm_source_close(&source->source);
}

static int by_value(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* The second scheduler: when each kernel begins, from how long each takes. */
static void begins_when_it_should(const gm_config *config, const cycle_kernels *kernels,
                                  const bool *behind_copy)
{
    uint64_t end[CYCLE_KERNELS];
    uint64_t entered = 0;
    for (unsigned k = 0; k < kernels->count; k++) {
        const gm_statistics *own = &kernels->own[k];
        uint64_t sorted[CYCLE_KERNELS];
        uint64_t start = 0;
        uint64_t last = 0;
        memcpy(sorted, end, k * sizeof *end);
        qsort(sorted, k, sizeof *sorted, by_value);
        for (unsigned j = 0; j < k; j++) {
            last = larger(last, end[j]);
            if (kernels->own[j].overlap.stream == own->overlap.stream) {
                start = larger(start, end[j]);
            }
        }
        if (k >= config->gpu.kernels) {
            entered = larger(entered, sorted[k - config->gpu.kernels]);
        }
        entered = behind_copy[k] ? larger(entered, last) : entered;
        start = larger(start, entered);
        if (config->l1.unified == 0) {
            assert_int_equal(own->overlap.began, start);
        } else {
            assert_true(own->overlap.began >= start);
        }
        end[k] = own->overlap.began + own->time.cycles;
        bool alone = true;
        for (unsigned j = 0; j < kernels->count; j++) {
            const gm_overlap_statistics *other = &kernels->own[j].overlap;
            alone &=
                j == k || other->ended <= own->overlap.began || other->began >= own->overlap.ended;
        }
        assert_int_equal(own->overlap.beside == 0, alone);
    }
}

static void same(const gm_config *config, const cycle_outcome *one, const cycle_outcome *other)
{
    cycle_same(config, &one->results, &other->results);
    assert_int_equal(one->kernels.count, other->kernels.count);
    assert_memory_equal(one->kernels.own, other->kernels.own, sizeof one->kernels.own);
}

static char path[512];

/* Breaks the run off at a CTA, and resumes it from its last checkpoint. Returns 1, or 0 if there
 * was none yet. */
static unsigned break_off(const gm_config *config, memory_source *source,
                          const cycle_outcome *whole, test_random *random)
{
    cycle_outcome other;
    (void)remove(path);
    uint64_t every = 100 + test_random_below(random, whole->results.total.time.cycles / 3 + 1);
    gm_run_options save = {.threads = 1 + (unsigned)test_random_below(random, 2),
                           .checkpoint = path,
                           .checkpoint_every = every};
    source->fail_at = 1 + test_random_below(random, whole->results.total.core.ctas - 1);
    int code = cycle_try(config, source, save, &other);
    source->fail_at = SIZE_MAX;
    if (code == 0) {
        gm_results_free(&other.results);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    fclose(file);
    cycle_try(config, source, (gm_run_options){.threads = 2, .resume = path}, &other);
    same(config, whole, &other);
    gm_results_free(&other.results);
    return 1;
}

/* Runs it in other ways, which leave the same. */
static unsigned in_every_way(const gm_config *config, memory_source *source,
                             const cycle_outcome *whole, test_random *random)
{
    cycle_outcome other;
    const gm_run_options ways[] = {{.threads = 2, .no_skip = true},
                                   {.check_values = true},
                                   {.checkpoint = path, .checkpoint_every = 700}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        cycle_try(config, source, ways[i], &other);
        same(config, whole, &other);
        gm_results_free(&other.results);
    }
    /* now from the last checkpoint of a run that was not broken off */
    if (whole->results.total.time.cycles > 1000) {
        cycle_try(config, source, (gm_run_options){.resume = path}, &other);
        same(config, whole, &other);
        gm_results_free(&other.results);
    }
    return break_off(config, source, whole, random);
}

static gm_config random_config(test_random *random, unsigned round)
{
    gm_config config = round % 5 == 4 ? order_preset("fermi-tc") : timed_variant(round % VARIANTS);
    if (round % 5 == 4) {
        config.coherence.protocol = round % 2 == 0 ? GM_COHERENCE_TCS : GM_COHERENCE_TCW;
    }
    config.gpu.sms = 3;
    config.sm.ctas = 3;
    config.memory.partitions = config.l2.size == GM_UNBOUNDED ? 3 : config.memory.partitions;
    config.sm.launch = test_random_below(random, 3) == 0 ? 0 : test_random_below(random, 300);
    config.gpu.kernels = 2 + test_random_below(random, 4);
    config.gpu.kernels_share_sm = test_random_below(random, 2) == 0 &&
                                  (!config.l1.flush || config.l1.global_write != GM_WRITE_BACK);
    give_write_port(&config);
    if (round % 3 != 0) {
        end_answered(&config);
    }
    return config;
}

static void random_programs(void **state)
{
    (void)state;
    enum { KERNELS = 7, CTAS = 9 };
    test_random random = test_random_start(2); /* with a fence as a new warp's first instruction */
    unsigned resumed = 0;
    unsigned beside = 0;
    const unsigned rounds = test_rounds(60);
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned round = 0; round < rounds; round++) {
        gm_config config = random_config(&random, round);
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, CTAS);
        uint64_t stream[KERNELS];
        bool behind_copy[KERNELS + 1] = {false};
        for (unsigned i = 0; i < KERNELS; i++) {
            stream[i] = test_random_below(&random, 4);
        }
        if (test_random_below(&random, 4) != 0) {
            memory_drop_copies(source);
        } else {
            memset(behind_copy, true, sizeof behind_copy);
        }
        memory_streams(source, stream, KERNELS);
        cycle_outcome whole;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &whole);
        assert_int_equal(whole.kernels.count, KERNELS);
        begins_when_it_should(&config, &whole.kernels, behind_copy);
        for (unsigned i = 0; i < KERNELS; i++) {
            beside += whole.kernels.own[i].overlap.beside != 0;
        }
        resumed += in_every_way(&config, source, &whole, &random);
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > rounds / 4 && beside > 2 * rounds);
}

/* Kernels of one stream leave what kernels one after the other leave, however many are looked at.
 */
static void one_stream(void **state)
{
    (void)state;
    test_random random = test_random_start(172);
    for (unsigned round = 0; round < test_rounds(30); round++) {
        gm_config config = random_config(&random, round);
        memory_source *source = mixture_of(test_random_next(&random), 3, 12);
        cycle_outcome several;
        cycle_outcome one;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &several);
        config.gpu.kernels = 1;
        cycle_try(&config, source, (gm_run_options){.threads = 1}, &one);
        for (unsigned i = 0; i < several.kernels.count; i++) {
            several.kernels.own[i].overlap = (gm_overlap_statistics){0};
        }
        same(&config, &one, &several);
        gm_results_free(&one.results);
        gm_results_free(&several.results);
        gm_source_close(&source->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_is_in_order), cmocka_unit_test(the_window_and_a_copy),
        cmocka_unit_test(sharing_an_sm),        cmocka_unit_test(older_kernels_first),
        cmocka_unit_test(l1s_are_flushed),      cmocka_unit_test(two_dirty_kernels),
        cmocka_unit_test(unified_memory),       cmocka_unit_test(stopped_within),
        cmocka_unit_test(random_programs),      cmocka_unit_test(one_stream),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}

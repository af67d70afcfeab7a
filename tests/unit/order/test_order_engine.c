/* The order engine on sources that lie in memory: totals that the input alone determines, threads,
 * barriers, every preset, and errors. */
#include "cache/traffic.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

#define ALL UINT32_MAX

/* Each warp of each CTA loads and stores its own lines once. */
static memory_source *stream(uint32_t ctas)
{
    memory_source *source = memory_source_new();
    memory_kernel(source, ctas, 256);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < 8; warp++) {
            uint64_t address = 0x7f0000000000 + (cta * 8 + warp) * UINT64_C(128);
            memory_warp(source, warp);
            memory_stride(source, MEMORY_LOAD, ALL, address, 4, 4);
            memory_plain(source, MEMORY_COMPUTE, ALL);
            memory_stride(source, MEMORY_STORE, ALL, address + 0x10000000, 4, 4);
        }
    }
    return source;
}

/* Every line is touched once: every access misses, at both levels, and the L2 reads each line. */
static void streams(void **state)
{
    (void)state;
    memory_source *source = stream(100);
    gm_config config = order_preset("gtx480");
    for (unsigned threads = 1; threads <= 4; threads++) {
        gm_statistics total = order_run(&config, source, threads, 0);
        assert_int_equal(total.core.ctas, 100);
        assert_int_equal(total.core.warps, 800);
        assert_int_equal(total.core.warp_instructions, 2400);
        assert_int_equal(total.core.thread_instructions, 2400 * 32);
        assert_int_equal(total.core.memory_instructions, 1600);
        assert_int_equal(total.core.lane_accesses, 1600 * 32);
        assert_int_equal(total.l1d.misses[GM_LOAD], 800);
        assert_int_equal(total.l1d.misses[GM_STORE], 800);
        assert_int_equal(total.l2.misses[GM_LOAD], 800);
        assert_int_equal(total.l2.misses[GM_STORE], 800);
        assert_int_equal(total.dram.bytes - 32 * total.dram.writes, 32 * total.dram.reads);
        assert_int_equal(total.traffic.req, 2 * 800 * (8 + 8)); /* there and back */
        assert_int_equal(total.traffic.ld, 800 * 128);
        assert_int_equal(total.traffic.st, 800 * 128);
    }
    gm_source_close(&source->source);
}

/* [singh, 8.1]: "LD, ST, and ATO are the data traffic from load, store, and atomic requests. [...]
 * REQ refers to control traffic". 10 messages of 3 sectors each, headers of 8 bytes. */
static void classes_of_traffic(void **state)
{
    (void)state;
    enum { HEADERS = 10 * (8 + 8), DATA = 10 * 3 * 32 };
    static const gm_traffic_statistics expected[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = {.req = HEADERS, .ld = DATA},
        [GM_MESSAGE_WRITE] = {.req = HEADERS, .st = DATA},
        [GM_MESSAGE_WRITE_BACK] = {.req = HEADERS, .st = DATA},
        [GM_MESSAGE_ATOMIC] = {.req = HEADERS, .ato = 2 * DATA},
        [GM_MESSAGE_REDUCTION] = {.req = HEADERS, .ato = DATA},
        [GM_MESSAGE_INSTRUCTION] = {.req = HEADERS, .ins = DATA},
        /* nothing answers these as a reply does */
        [GM_MESSAGE_LOOKUP] = {.trk = HEADERS / 2},
        [GM_MESSAGE_FILL] = {.trk = HEADERS / 2},
        [GM_MESSAGE_EVICT] = {.trk = HEADERS / 2, .vic = DATA},
        [GM_MESSAGE_SUPPLY] = {.trk = HEADERS / 2},
        [GM_MESSAGE_SUPPLIED] = {.trk = HEADERS / 2, .rem = DATA},
        [GM_MESSAGE_RETURN] = {.trk = HEADERS / 2},
        [GM_MESSAGE_INVALIDATE] = {.inv = HEADERS},
        [GM_MESSAGE_RECALL] = {.rcl = HEADERS + DATA},
        /* MESI; an UPGRADE's data are counted as answered */
        [GM_MESSAGE_GETX] = {.req = HEADERS, .st = DATA},
        [GM_MESSAGE_UPGRADE] = {.req = HEADERS},
        [GM_MESSAGE_FORWARD] = {.req = HEADERS, .st = DATA},
        [GM_MESSAGE_UNBLOCK] = {.req = HEADERS / 2},
        /* host copies are not on the interconnect */
    };
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        gm_message_counts counts = {0};
        counts.messages[kind] = 10;
        counts.sectors[kind] = 30;
        gm_traffic_statistics traffic = gm_traffic_of(&counts, 8);
        assert_memory_equal(&traffic, &expected[kind], sizeof traffic);
    }
}

/* Every law holds after every kernel, whatever the configuration; threads change nothing. */
static void laws_hold_and_threads_change_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start(51);
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = variant(number);
        memory_source *source = mixture_of(test_random_next(&random), 3, 40);
        gm_statistics one = order_run(&config, source, 1, 0);
        gm_statistics more = order_run(&config, source, 2 + number % 3, 0);
        assert_memory_equal(&one, &more, sizeof one);
        assert_int_equal(one.copies, 4);
        assert_int_equal(one.copy_bytes, 3077);
        gm_source_close(&source->source);
    }
}

/* What happens to caches does not change what the input alone determines. */
static void input_determines_the_core(void **state)
{
    (void)state;
    memory_source *source = mixture(52, 2);
    gm_config config = variant(0);
    gm_statistics first = order_run(&config, source, 1, 0);
    for (unsigned number = 1; number < POLICY_VARIANTS; number++) {
        config = variant(number);
        gm_statistics other = order_run(&config, source, 1, 0);
        assert_memory_equal(&first.core, &other.core, sizeof first.core);
    }
    uint64_t warp_instructions = 0;
    uint64_t lanes = 0;
    uint64_t barriers = 0;
    uint64_t items = memory_instructions(source, &lanes, &barriers);
    warp_instructions += first.core.warp_instructions;
    assert_int_equal(warp_instructions, items);
    assert_int_equal(first.core.thread_instructions, lanes);
    assert_int_equal(first.core.barriers, barriers);
    gm_source_close(&source->source);
}

/* An unbounded L1 and L2, nothing flushed or dropped: misses are the distinct lines of each SM, and
 * of all. */
static void unbounded_misses_are_distinct_lines(void **state)
{
    (void)state;
    enum { LINES = 500, LOADS = 4000 };
    test_random random = test_random_start(53);
    memory_source *source = memory_source_new();
    uint8_t seen[LINES] = {0};
    uint64_t distinct = 0;
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < LOADS; i++) {
        uint64_t line = test_random_below(&random, LINES);
        distinct += !seen[line];
        seen[line] = 1;
        memory_stride(source, MEMORY_LOAD, ALL, line * 128, 4, 4);
    }
    gm_config config = order_preset("gtx480");
    config.l1.size = config.l2.size = GM_UNBOUNDED;
    gm_statistics total = order_run(&config, source, 1, 0);
    assert_int_equal(total.l1d.misses[GM_LOAD], distinct);
    assert_int_equal(total.l2.misses[GM_LOAD], distinct);
    assert_int_equal(total.dram.reads, 4 * distinct);
    gm_source_close(&source->source);
}

typedef struct done {
    unsigned kernels;
    uint64_t accesses;
    gm_statistics sum;
} done;

static int kernel_done(void *context, const gm_kernel *kernel, const gm_statistics *statistics,
                       gm_error *error)
{
    done *done = context;
    (void)error;
    assert_string_equal(kernel->name, "test");
    done->kernels++;
    gm_statistics_add(&done->sum, statistics);
    return done->kernels == done->accesses ? 7 : 0;
}

/* Kernels' statistics sum to the total; a callback can end the run. */
static void kernels_are_reported(void **state)
{
    (void)state;
    memory_source *source = mixture(54, 4);
    gm_config config = order_preset("gtx480");
    done done = {0};
    gm_run_options options = {.threads = 2, .context = &done, .kernel_done = kernel_done};
    gm_results results;
    gm_error error;
    test_ok(gm_order_run(&config, &source->source, &options, &results, &error), error);
    assert_int_equal(done.kernels, 4);
    assert_int_equal(results.kernels, 4);
    done.sum.copies++; /* the last copy comes after the last kernel */
    done.sum.copy_bytes += 77;
    assert_memory_equal(&done.sum, &results.total, sizeof done.sum);
    gm_results_free(&results);

    memory_source_rewind(source);
    done.kernels = 0;
    done.accesses = 2;
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), 7);
    assert_int_equal(done.kernels, 2);
    assert_null(results.per_sm);
    gm_source_close(&source->source);
}

/* A source's error ends the run with its own message, after the same kernels at any threads. */
static void source_errors_end_the_run(void **state)
{
    (void)state;
    memory_source *source = mixture(55, 3);
    gm_config config = order_preset("gtx480");
    for (unsigned threads = 1; threads <= 3; threads++) {
        done done = {0};
        gm_run_options options = {.threads = threads, .context = &done, .kernel_done = kernel_done};
        gm_results results;
        gm_error error;
        memory_source_rewind(source);
        source->fail_at = 50;
        assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EIO);
        assert_string_equal(error.text, "memory: CTA 50 cannot be read");
        assert_int_equal(done.kernels, 1);
    }
    gm_source_close(&source->source);
}

static void refuses_bad_input(void **state)
{
    (void)state;
    gm_config config = order_preset("gtx480");
    gm_run_options options = {.threads = 3};
    gm_results results;
    gm_error error;
    memory_source *source = memory_source_new();
    gm_kernel *kernel = memory_kernel(source, 1, 64);
    memory_cta(source, 0);
    memory_warp(source, 2); /* of 0 and 1 */
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    assert_string_equal(error.text, "memory: CTA 0: warp 2: 0 to 1, ascending, are possible");
    kernel->shared_bytes = 1 << 20;
    memory_source_rewind(source);
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    assert_non_null(strstr(error.text, "sm.shared_bytes=49152 is too few"));
    memory_source_rewind(source);
    config.l1.ways = 3;
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    gm_source_close(&source->source);

    source = memory_source_new();
    memory_copy(source, UINT64_MAX, 2);
    config = order_preset("gtx480");
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);

    config = order_preset("fermi-tc");
    config.coherence.protocol = GM_COHERENCE_TCW; /* needs time */
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    assert_string_equal(error.text, "coherence.protocol: needs the cycle engine");
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams),
        cmocka_unit_test(classes_of_traffic),
        cmocka_unit_test(laws_hold_and_threads_change_nothing),
        cmocka_unit_test(input_determines_the_core),
        cmocka_unit_test(unbounded_misses_are_distinct_lines),
        cmocka_unit_test(kernels_are_reported),
        cmocka_unit_test(source_errors_end_the_run),
        cmocka_unit_test(refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

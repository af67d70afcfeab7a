/* Micro-workloads for latencies and bandwidths: atomics, bandwidth, chase and conflicts against
 * straightforward host versions. */
#include "support/workload/workload_run.h"

#include <stdio.h>

/* Follows the ring on the host; each word of the ring is met once in `words` loads. */
static void check_chase(const char *specification, uint32_t words, uint32_t step, uint32_t loads)
{
    workload_run run = workload_run_whole(specification);
    const uint32_t *ring = workload_data(&run, "ring");
    uint32_t place = 0;
    uint32_t count = (words + step - 1) / step;
    bool *met = calloc(words, sizeof *met);
    assert_non_null(met);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(place < words && place % step == 0 && !met[place]);
        met[place] = true;
        place = ring[place];
    }
    assert_int_equal(place, 0);
    for (uint32_t i = 0; i < loads; i++) {
        place = ring[place];
    }
    assert_int_equal(*(const uint32_t *)workload_data(&run, "last"), place);
    /* A load and an integer instruction and a branch for each, in one lane. */
    assert_true(run.thread_instructions >= 3 * (uint64_t)loads);
    free(met);
    gm_source_close(run.source);
}

/* Seven kernels on three streams: the first stream has three of them. */
static void overlap_adds_on_its_streams(void **state)
{
    (void)state;
    workload_run run = workload_run_whole("overlap,n=300,kernels=7,streams=3");
    const float *added = workload_data(&run, "added");
    const float *sums = workload_data(&run, "sums");
    for (unsigned stream = 0; stream < 3; stream++) {
        for (unsigned i = 0; i < 300; i++) {
            float sum = 0.0F;
            for (unsigned k = stream; k < 7; k += 3) {
                sum += added[i];
            }
            assert_memory_equal(&sums[stream * 300 + i], &sum, sizeof sum);
        }
    }
    assert_int_equal(run.kernel.id, 7);
    assert_int_equal(run.kernel.stream, 6 % 3);
    gm_source_close(run.source);
    run = workload_run_whole("overlap,n=1,kernels=6,streams=4");
    assert_int_equal(run.kernel.stream, 5 % 4);
    gm_source_close(run.source);
}

static void chase_follows_its_ring(void **state)
{
    (void)state;
    check_chase("chase,bytes=4096,stride=128,loads=100", 1024, 32, 100);
    check_chase("chase,bytes=4000,stride=12,loads=9000", 1000, 3, 9000); /* beyond a yield */
    check_chase("chase,bytes=4096,stride=4,order=1,seed=3,loads=1500", 1024, 1, 1500);
    check_chase("chase,bytes=4096,stride=4,space=1,order=1,loads=5000", 1024, 1, 5000);
    check_chase("chase,bytes=4,stride=128,loads=5", 1, 32, 5);
}

/* In ascending order neighbours are `stride` apart; seeds give different random orders. */
static void chase_has_its_order(void **state)
{
    (void)state;
    workload_run ascending = workload_run_whole("chase,bytes=1024,stride=32");
    workload_run random = workload_run_whole("chase,bytes=1024,stride=32,order=1");
    workload_run other = workload_run_whole("chase,bytes=1024,stride=32,order=1,seed=2");
    const uint32_t *ring = workload_data(&ascending, "ring");
    for (uint32_t i = 0; i < 256; i += 8) {
        assert_int_equal(ring[i], (i + 8) % 256);
    }
    assert_true(ascending.hash != random.hash && random.hash != other.hash);
    gm_source_close(ascending.source);
    gm_source_close(random.source);
    gm_source_close(other.source);
}

/* Returns the greatest common divisor. */
static unsigned divisor_of(unsigned a, unsigned b)
{
    return b == 0 ? a : divisor_of(b, a % b);
}

/* A load with stride s takes gcd(s, 32) passes over 32 banks. */
static void conflicts_have_their_passes(void **state)
{
    (void)state;
    enum { LOADS = 50, COPIES = 2 * 32 /* 1024 words copied by 32 lanes */ };
    for (unsigned stride = 1; stride <= 32; stride++) {
        char specification[64];
        snprintf(specification, sizeof specification, "conflicts,loads=%d,stride=%u", LOADS,
                 stride);
        workload_run run = workload_run_open(specification);
        run.counts_lines = true;
        workload_run_drain(&run);
        assert_int_equal(run.shared, LOADS + COPIES / 2);
        assert_int_equal(run.passes, LOADS * divisor_of(stride, 32) + COPIES / 2);
        const uint32_t *last = workload_data(&run, "last");
        for (unsigned lane = 0; lane < 32; lane++) {
            assert_int_equal(last[lane], lane * stride);
        }
        gm_source_close(run.source);
    }
}

/* Returns the lines of eight loads of warp `warp`: of 32 words, `stride` apart, from each of eight
 * places on. */
static unsigned lines_of_eight(unsigned warp, unsigned stride)
{
    unsigned lines = 0;
    for (unsigned place = 0; place < 32; place += 4) {
        unsigned first = warp % 2 * 32 * stride + place;
        lines += (first + 31 * stride) / 32 - first / 32 + 1;
    }
    return lines;
}

/* From global memory a load with stride s touches the lines of 32 words s apart. */
static void strides_have_their_lines(void **state)
{
    (void)state;
    enum { LOADS = 5003, WARPS = 3 }; /* beyond a yield */
    for (unsigned stride = 1; stride <= 32; stride += stride < 4 ? 1 : 7) {
        char specification[96];
        snprintf(specification, sizeof specification,
                 "conflicts,space=0,loads=%d,stride=%u,warps=%d", LOADS, stride, WARPS);
        workload_run run = workload_run_open(specification);
        run.counts_lines = true;
        workload_run_drain(&run);
        assert_int_equal(run.shared, 0);
        assert_int_equal(run.global, WARPS * (LOADS + 1));
        unsigned rest = LOADS % 8 * (31 * stride / 32 + 1); /* from the first place */
        unsigned lines = 0;
        for (unsigned warp = 0; warp < WARPS; warp++) {
            lines += LOADS / 8 * lines_of_eight(warp, stride) + rest + 1;
        }
        assert_int_equal(run.lines, lines);
        const uint32_t *last = workload_data(&run, "last");
        for (unsigned i = 0; i < 32 * WARPS; i++) {
            assert_int_equal(last[i], i % 64 * stride * LOADS + LOADS / 8 * (8 * 28 / 2));
        }
        gm_source_close(run.source);
    }
}

static void check_atomics(unsigned ctas, unsigned each, unsigned words, unsigned stride,
                          bool returns)
{
    char specification[96];
    snprintf(specification, sizeof specification,
             "atomics,ctas=%u,each=%u,words=%u,stride=%u,returns=%d", ctas, each, words, stride,
             returns);
    workload_run run = workload_run_whole(specification);
    const uint32_t *counter = workload_data(&run, "counter");
    for (unsigned i = 0; i < words * stride; i++) {
        unsigned threads = ctas * 256;
        unsigned own = i / stride < threads % words ? 1 : 0;
        unsigned expected = i % stride != 0 ? 0 : (threads / words + own) * each;
        assert_int_equal(counter[i], expected);
    }
    uint32_t most = 0;
    for (unsigned i = 0; returns && i < ctas * 256; i++) {
        uint32_t met = ((const uint32_t *)workload_data(&run, "most"))[i];
        assert_true(met + 1 >= each);
        most = met > most ? met : most;
    }
    if (returns) { /* the last addition to the fullest word met all others */
        assert_int_equal(most + 1, (ctas * 256 + words - 1) / words * each);
    }
    gm_source_close(run.source);
}

static void atomics_add_up(void **state)
{
    (void)state;
    check_atomics(2, 5, 1, 1, false);
    check_atomics(2, 5, 1, 1, true);
    check_atomics(3, 2, 32, 1, false);
    check_atomics(3, 2, 100, 8, true);
    check_atomics(2, 3, 512, 32, false);
}

/* Every thread's sum, and the lanes that read. `shared`, `width`: the options of that name. */
static void check_bandwidth(const char *specification, uint32_t ctas, uint32_t threads,
                            uint32_t elements, uint32_t passes, uint32_t shared, uint32_t width)
{
    workload_run run = workload_run_whole(specification);
    const uint32_t *data = workload_array(run.source, "data", elements, 16);
    const uint32_t *sum = workload_array(run.source, "sum", (size_t)ctas * threads, 4);
    uint32_t words = width / 4; /* of a lane */
    uint32_t all = elements * 4 / words;
    uint32_t part = elements / ctas * 4 / words;
    uint32_t window = shared != 0 ? all : part;
    for (uint32_t cta = 0; cta < ctas; cta++) {
        for (uint32_t thread = 0; thread < threads; thread++) {
            uint32_t expected = 0;
            for (uint32_t i = thread; i < window; i += threads) {
                uint32_t place = (shared == 2 ? 0 : cta * part) + i;
                for (uint32_t word = 0; word < words; word++) {
                    expected += data[place % all * words + word];
                }
            }
            assert_int_equal(sum[cta * threads + thread], expected * passes);
        }
    }
    assert_int_equal(run.lanes, (uint64_t)ctas * window * passes + (uint64_t)ctas * threads);
    gm_source_close(run.source);
}

static void bandwidth_reads_its_windows(void **state)
{
    (void)state;
    check_bandwidth("bandwidth,bytes=65536,ctas=4,threads=64,passes=3", 4, 64, 4096, 3, 0, 16);
    check_bandwidth("bandwidth,bytes=65536,ctas=4,threads=64,passes=2,shared=1", 4, 64, 4096, 2, 1,
                    16);
    check_bandwidth("bandwidth,bytes=65536,ctas=4,threads=64,passes=2,shared=2", 4, 64, 4096, 2, 2,
                    16);
    check_bandwidth("bandwidth,bytes=16000,ctas=3,threads=96,passes=1", 3, 96, 999, 1, 0, 16);
    check_bandwidth("bandwidth,bytes=16000,ctas=3,threads=96,passes=1,width=4", 3, 96, 999, 1, 0,
                    4);
    check_bandwidth("bandwidth,bytes=16000,ctas=3,threads=96,passes=1,shared=1,width=4", 3, 96, 999,
                    1, 1, 4);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *specification, *message;
    } cases[] = {
        {"chase,stride=6", "workload chase: stride=6 is no multiple of 4"},
        {"chase,bytes=49156,space=1", "workload chase: bytes=49156 is above 49152, with space=1"},
        {"bandwidth,width=8", "workload bandwidth: width=8 is not 4 or 16"},
        {"bandwidth,bytes=64,ctas=5",
         "workload bandwidth: bytes=64 are less than 16 for each of ctas=5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gm_source *source = NULL;
        gm_error error;
        assert_int_equal(gm_workload_open(&source, cases[i].specification, &error), -EINVAL);
        assert_string_equal(error.text, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chase_follows_its_ring),
        cmocka_unit_test(overlap_adds_on_its_streams),
        cmocka_unit_test(chase_has_its_order),
        cmocka_unit_test(conflicts_have_their_passes),
        cmocka_unit_test(strides_have_their_lines),
        cmocka_unit_test(atomics_add_up),
        cmocka_unit_test(bandwidth_reads_its_windows),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

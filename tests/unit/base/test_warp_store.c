/* The warp store gives back every instruction as it was appended, in order, whatever its memory. */
#include "support/support.h"
#include "trace/held_warp.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { STREAMS = 24, QUEUE = 4096, STREAM_MOST = 8192 /* bytes beyond the limit for a stream */ };

/* A second, naive queue: whole instructions in a ring. */
typedef struct queue {
    gm_instruction instruction[QUEUE];
    uint64_t *address[QUEUE];
    uint64_t first, end;
} queue;

static uint64_t any_width(test_random *random)
{
    uint64_t value = test_random_next(random) >> test_random_below(random, 64);
    return test_random_below(random, 2) != 0 ? value : 0 - value;
}

/* An instruction with every field somewhere in its range, the edges of encodings included. */
static void make(test_random *random, gm_instruction *made, uint64_t *addresses)
{
    *made = (gm_instruction){
        .pc = any_width(random),
        .immediate = test_random_below(random, 2) != 0 ? (int64_t)any_width(random) : 0,
        .mask = test_random_below(random, 2) != 0 ? UINT32_MAX : (uint32_t)any_width(random),
        .opcode = (uint16_t)test_random_next(random),
        .op = (uint8_t)test_random_below(random, GM_OPS),
        .space = (uint8_t)test_random_below(random, GM_SPACES),
        .form = (uint8_t)test_random_below(random, 3),
        .width = (uint8_t)test_random_next(random),
        .destinations = (uint8_t)test_random_below(random, GM_DESTINATIONS + 1),
        .sources = (uint8_t)test_random_below(random, GM_SOURCES + 1),
    };
    unsigned file = test_random_below(random, 4) == 0 ? 3 : 0;
    for (unsigned k = 0; k < made->destinations; k++) {
        made->destination[k] = (uint16_t)GM_REGISTER(test_random_below(random, file + 1),
                                                     test_random_below(random, 256));
    }
    for (unsigned k = 0; k < made->sources; k++) {
        made->source[k] = (uint16_t)GM_REGISTER(test_random_below(random, file + 1),
                                                test_random_below(random, 256));
    }
    if (made->form == GM_ADDRESS_STRIDE) {
        made->base = any_width(random);
        made->stride = (int64_t)any_width(random);
    }
    if (made->form != GM_ADDRESS_NONE) {
        made->addresses = (uint16_t)__builtin_popcount(made->mask);
        if (test_random_below(random, 16) == 0) { /* tensor copies: not one for each lane */
            made->addresses = (uint16_t)test_random_below(random, GM_ADDRESSES + 1);
        }
    }
    if (made->form == GM_ADDRESS_LIST) {
        bool near = test_random_below(random, 2) != 0;
        uint64_t base = any_width(random);
        for (unsigned k = 0; k < made->addresses; k++) {
            addresses[k] =
                near ? base + (uint64_t)(int32_t)test_random_next(random) / 2 : any_width(random);
        }
        made->address = addresses;
    }
}

static void assert_same(const gm_instruction *got, const gm_instruction *expected)
{
    gm_instruction left = *got;
    gm_instruction right = *expected;
    left.address = right.address = NULL;
    assert_memory_equal(&left, &right, sizeof left);
    if (expected->form == GM_ADDRESS_LIST) {
        assert_memory_equal(got->address, expected->address,
                            expected->addresses * sizeof *got->address);
    }
}

static void push(queue *into, gm_warp_store *store, gm_warp_stream *stream, test_random *random)
{
    gm_error error;
    uint64_t addresses[GM_ADDRESSES];
    gm_instruction made;
    make(random, &made, addresses);
    test_ok(gm_held_warp_append(store, stream, &made, &error), error);
    uint64_t at = into->end++ % QUEUE;
    into->address[at] = realloc(into->address[at], sizeof addresses);
    assert_non_null(into->address[at]);
    memcpy(into->address[at], addresses, sizeof addresses);
    made.address = into->address[at];
    into->instruction[at] = made;
}

static void pop(queue *from, gm_warp_store *store, gm_warp_stream *stream)
{
    gm_error error;
    uint64_t addresses[GM_ADDRESSES];
    gm_instruction taken;
    int code = gm_held_warp_take(store, stream, &taken, addresses, &error);
    test_ok(code, error);
    assert_int_equal(code, from->first != from->end);
    if (code == 1) {
        assert_same(&taken, &from->instruction[from->first++ % QUEUE]);
    }
    assert_int_equal(stream->count, from->end - from->first);
}

static void random_streams(size_t memory, unsigned rounds, bool spills)
{
    test_random random = test_random_start(memory + 1);
    gm_error error;
    gm_warp_store *store = NULL;
    test_ok(gm_warp_store_create(&store, memory, &error), error);
    queue *queues = calloc(STREAMS, sizeof *queues);
    gm_warp_stream streams[STREAMS] = {0};
    assert_non_null(queues);
    size_t most_in_file = 0;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned k = (unsigned)test_random_below(&random, STREAMS);
        uint64_t many = test_random_below(&random, 300);
        bool grow = test_random_below(&random, 2) != 0;
        for (uint64_t n = 0; n < many; n++) {
            if (!grow) {
                pop(&queues[k], store, &streams[k]);
            } else if (streams[k].count < QUEUE) {
                push(&queues[k], store, &streams[k], &random);
            }
        }
        if (test_random_below(&random, 50) == 0) {
            gm_warp_store_drop(store, &streams[k]);
            queues[k].first = queues[k].end;
        }
        if (round == rounds / 2) {
            gm_warp_store_alone(store);
        }
        size_t in_memory = 0;
        size_t in_file = 0;
        gm_warp_store_usage(store, &in_memory, &in_file);
        assert_in_range(in_memory, 0, memory + (size_t)STREAMS * STREAM_MOST);
        most_in_file = in_file > most_in_file ? in_file : most_in_file;
    }
    for (unsigned k = 0; k < STREAMS; k++) {
        while (streams[k].count > 0) {
            pop(&queues[k], store, &streams[k]);
        }
        pop(&queues[k], store, &streams[k]);
        gm_warp_store_drop(store, &streams[k]);
        for (unsigned n = 0; n < QUEUE; n++) {
            free(queues[k].address[n]);
        }
    }
    assert_int_equal(most_in_file > 0, spills);
    size_t in_memory = 0;
    size_t in_file = 0;
    gm_warp_store_usage(store, &in_memory, &in_file);
    assert_in_range(in_memory, 0, memory);
    gm_warp_store_free(store);
    free(queues);
}

static void keeps_streams_without_memory(void **state)
{
    (void)state;
    random_streams(0, 1200, true);
}

static void keeps_streams_in_little_memory(void **state)
{
    (void)state;
    random_streams(200000, 1200, true);
}

/* One by one the first 64 chunks of 4096 bytes, then 504 at once, then no more. */
static void keeps_streams_in_a_slab(void **state)
{
    (void)state;
    random_streams((size_t)(64 + 504) * 4096, 8000, true);
    random_streams((size_t)(64 + 504) * 4096 - 1, 8000, true); /* one by one */
}

static void keeps_streams_in_memory(void **state)
{
    (void)state;
    random_streams((size_t)1 << 30, 1200, false);
}

static void reuses_the_file(void **state)
{
    (void)state;
    gm_error error;
    gm_warp_store *store = NULL;
    gm_warp_stream stream = {0};
    test_ok(gm_warp_store_create(&store, 0, &error), error);
    gm_instruction load = {.mask = UINT32_MAX,
                           .form = GM_ADDRESS_STRIDE,
                           .addresses = 32,
                           .base = UINT64_C(0x7fb0fc400000),
                           .stride = 4,
                           .width = 4,
                           .destinations = 1,
                           .sources = 1};
    size_t in_memory = 0;
    size_t first = 0;
    size_t later = 0;
    for (unsigned round = 0; round < 5; round++) {
        for (unsigned n = 0; n < 200000; n++) {
            test_ok(gm_held_warp_append(store, &stream, &load, &error), error);
        }
        gm_warp_store_usage(store, &in_memory, round == 0 ? &first : &later);
        assert_true(round == 0 || later == first); /* freed places are used again */
        gm_instruction taken;
        uint64_t addresses[GM_ADDRESSES];
        while (gm_held_warp_take(store, &stream, &taken, addresses, &error) > 0) {
            assert_same(&taken, &load);
        }
    }
    /* 8 head + 2 registers + 8 base + 1 stride = 19 bytes, and less than 110 lost in 4096. */
    assert_in_range(first, 200000L * 19 - 2 * 4096L, 200000L * 19 * 4096 / 3986);
    gm_warp_store_usage(store, &in_memory, &later);
    assert_int_equal(later, 0); /* nothing outstanding: the file is cut */
    gm_warp_store_drop(store, &stream);
    gm_warp_store_free(store);
}

/* Appends until it fails; at most `most` instructions. */
static int append_until_failure(unsigned most, gm_error *error)
{
    gm_warp_store *store = NULL;
    gm_warp_stream stream = {0};
    test_ok(gm_warp_store_create(&store, 0, error), *error);
    const gm_instruction made = {
        .pc = 5, .mask = 6, .form = GM_ADDRESS_STRIDE, .addresses = 2, .base = 5, .stride = 4};
    int code = 0;
    uint64_t appended = 0;
    for (; code == 0 && appended < most; appended++) {
        code = gm_held_warp_append(store, &stream, &made, error);
    }
    /* What was appended before the failure is still there. */
    appended -= code != 0;
    assert_int_equal(stream.count, appended);
    gm_instruction taken;
    uint64_t addresses[GM_ADDRESSES];
    gm_error other;
    while (gm_held_warp_take(store, &stream, &taken, addresses, &other) == 1) {
        assert_same(&taken, &made);
        appended--;
    }
    assert_int_equal(appended, 0);
    gm_warp_store_drop(store, &stream);
    gm_warp_store_free(store);
    return code;
}

static void reports_a_missing_folder(void **state)
{
    (void)state;
    gm_error error;
    setenv("TMPDIR", "/nonexistent/folder", 1);
    int code = append_until_failure(100000, &error);
    unsetenv("TMPDIR");
    assert_int_equal(code, -ENOENT);
    assert_string_equal(error.text, "/nonexistent/folder: temporary file for instructions: "
                                    "No such file or directory");
}

static void reports_a_full_file(void **state)
{
    (void)state;
    gm_error error;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {.rlim_cur = 10000, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int code = append_until_failure(100000, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(code, -EFBIG);
    assert_string_equal(error.text, "/tmp: temporary file for instructions: File too large");
}

static void refuses_too_many_addresses(void **state)
{
    (void)state;
    gm_error error;
    gm_warp_store *store = NULL;
    gm_warp_stream stream = {0};
    test_ok(gm_warp_store_create(&store, 0, &error), error);
    uint64_t addresses[1] = {0};
    gm_instruction made = {.form = GM_ADDRESS_LIST, .addresses = 600, .address = addresses};
    assert_int_equal(gm_held_warp_append(store, &stream, &made, &error), -EINVAL);
    assert_string_equal(error.text, "600 addresses in an instruction (0..256)");
    assert_int_equal(stream.count, 0);
    gm_warp_store_drop(store, &stream);
    gm_warp_store_free(store);
}

int main(void)
{
    unsetenv("TMPDIR");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_streams_without_memory),
        cmocka_unit_test(keeps_streams_in_little_memory),
        cmocka_unit_test(keeps_streams_in_a_slab),
        cmocka_unit_test(keeps_streams_in_memory),
        cmocka_unit_test(reuses_the_file),
        cmocka_unit_test(reports_a_missing_folder),
        cmocka_unit_test(reports_a_full_file),
        cmocka_unit_test(refuses_too_many_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

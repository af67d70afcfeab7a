/* The warp store between two threads: one that fills streams and one that empties them, and two
 * between which chunks go to and fro. */
#include "support/support.h"
#include "trace/held_warp.h"

#include <pthread.h>

enum { HANDED = 400, EACH = 1500 };

typedef struct handover {
    gm_warp_store *store;
    gm_warp_stream streams[HANDED];
    unsigned ready;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} handover;

static gm_instruction numbered(unsigned stream, unsigned n)
{
    return (gm_instruction){.pc = n,
                            .mask = stream + 1,
                            .form = GM_ADDRESS_STRIDE,
                            .addresses = (uint16_t)__builtin_popcount(stream + 1),
                            .base = (uint64_t)stream << 32 | n,
                            .stride = n};
}

static void *produce(void *context)
{
    handover *shared = context;
    gm_error error;
    for (unsigned k = 0; k < HANDED; k++) {
        for (unsigned n = 0; n < EACH; n++) {
            gm_instruction made = numbered(k, n);
            if (gm_held_warp_append(shared->store, &shared->streams[k], &made, &error) != 0) {
                return shared; /* the consumer would wait for ever: fails the test by its result */
            }
        }
        pthread_mutex_lock(&shared->lock);
        shared->ready = k + 1;
        pthread_cond_signal(&shared->changed);
        pthread_mutex_unlock(&shared->lock);
    }
    return NULL;
}

/* One thread fills streams and hands them over; the other empties them, several at a time. */
static void serves_two_threads(void **state)
{
    (void)state;
    gm_error error;
    handover shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    test_ok(gm_warp_store_create(&shared.store, 100000, &error), error);
    pthread_t producer;
    assert_int_equal(pthread_create(&producer, NULL, produce, &shared), 0);
    for (unsigned k = 0; k < HANDED; k += 4) {
        pthread_mutex_lock(&shared.lock);
        while (shared.ready < k + 4) {
            pthread_cond_wait(&shared.changed, &shared.lock);
        }
        pthread_mutex_unlock(&shared.lock);
        for (unsigned n = 0; n < EACH * 4; n++) {
            gm_instruction taken;
            uint64_t addresses[GM_ADDRESSES];
            gm_warp_stream *stream = &shared.streams[k + n % 4];
            test_ok(gm_held_warp_take(shared.store, stream, &taken, addresses, &error), error);
            gm_instruction expected = numbered(k + n % 4, n / 4);
            taken.address = NULL; /* it has none */
            assert_memory_equal(&taken, &expected, sizeof taken);
        }
        for (unsigned n = 0; n < 4; n++) {
            assert_int_equal(shared.streams[k + n].count, 0);
            gm_warp_store_drop(shared.store, &shared.streams[k + n]);
        }
    }
    void *result = NULL;
    pthread_join(producer, &result);
    assert_null(result);
    gm_warp_store_free(shared.store);
}

enum { ROUNDS = 300000, AT_ONCE = 3 };

typedef struct worker {
    gm_warp_store *store;
    unsigned number;
    unsigned wrong;
    pthread_barrier_t *begin;
} worker;

/* Streams of an instruction each come and go, so that their chunks go from thread to thread. */
static void *come_and_go(void *context)
{
    worker *self = context;
    gm_warp_stream streams[AT_ONCE] = {0};
    uint64_t addresses[GM_ADDRESSES];
    gm_error error;
    pthread_barrier_wait(self->begin);
    for (unsigned n = 0; n < ROUNDS && self->wrong == 0; n++) {
        for (unsigned k = 0; k < AT_ONCE; k++) {
            gm_instruction made = numbered(self->number, n + k);
            self->wrong += gm_held_warp_append(self->store, &streams[k], &made, &error) != 0;
        }
        for (unsigned k = 0; k < AT_ONCE && self->wrong == 0; k++) {
            gm_instruction taken = {0};
            int code = gm_held_warp_take(self->store, &streams[k], &taken, addresses, &error);
            self->wrong += code != 1 || taken.pc != n + k || taken.mask != self->number + 1;
            gm_warp_store_drop(self->store, &streams[k]);
        }
    }
    return NULL;
}

/* No chunk is given to two of them. */
static void two_threads_take_and_give(void **state)
{
    (void)state;
    gm_error error;
    worker workers[2] = {{.number = 1}, {.number = 2}};
    gm_warp_store *store = NULL;
    test_ok(gm_warp_store_create(&store, 1 << 20, &error), error);
    pthread_t threads[2];
    pthread_barrier_t begin;
    assert_int_equal(pthread_barrier_init(&begin, NULL, 2), 0);
    for (unsigned i = 0; i < 2; i++) {
        workers[i].store = store;
        workers[i].begin = &begin;
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &workers[i]), 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&begin);
    assert_int_equal(workers[0].wrong + workers[1].wrong, 0);
    size_t in_memory = 0;
    size_t in_file = 0;
    gm_warp_store_usage(store, &in_memory, &in_file);
    assert_in_range(in_memory, 0, (size_t)2 * AT_ONCE * GM_WARP_STORE_RECORD);
    gm_warp_store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves_two_threads),
        cmocka_unit_test(two_threads_take_and_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

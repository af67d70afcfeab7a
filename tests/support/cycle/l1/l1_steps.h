/* The L1 with time, request by request: steps and what must come of them. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_L1_L1_STEPS_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_L1_L1_STEPS_H

#include "cycle/l1/l1.h"
#include "support/cycle/noc/fake_network.h"

#include <stdlib.h>

typedef enum step_kind {
    LOAD,
    STRONG,
    STORE,
    LOCAL_STORE,
    ATOMIC,
    REDUCE,
    PASS, /* a load, by the bypass path */
    SEND, /* one packet from the miss queue */
    SEND_ALL,
    REPLY, /* one cycle of the reply port */
    FETCH, /* of instructions; `whole` is its number */
    FLUSH,
    DROP, /* by a fence */
} step_kind;

/* `line` is the request's ticket too. REPLY: expected is the ticket that is answered, "fetch N", or
 * "-". SEND: expected are packets as support/cycle/noc/fake_network.h writes them. Others: hit,
 * pending, miss, bypass, or the reason of a reservation fail: line, entry, merge, queue, path. */
typedef struct step {
    step_kind kind;
    uint64_t line;
    uint32_t sectors, whole;
    const char *expected;
} step;

typedef struct fixture {
    gm_cycle_l1_shared shared;
    gm_cycle_l1 l1;
    gm_arena arena;
    fake_memory *memory;
    gm_cycle now;
    unsigned at;
} fixture;

static inline void make(fixture *fixture, const gm_config *config)
{
    gm_error error;
    memset(fixture, 0, sizeof *fixture);
    fixture->memory = fake_memory_make(&fixture->shared, config, 0);
    test_ok(gm_arena_create(&fixture->arena, gm_cycle_l1_bytes(&fixture->shared), &error), error);
    test_ok(gm_cycle_l1_init(&fixture->l1, &fixture->shared, 0, &fixture->arena, &error), error);
}

static inline void destroy(fixture *fixture)
{
    gm_cycle_l1_free(&fixture->l1);
    gm_arena_free(&fixture->arena);
    free(fixture->memory);
}

/* Of everything that the L1 holds. */
static inline uint64_t hash_of(gm_cycle_l1 *l1)
{
    char *bytes = NULL;
    size_t size = 0;
    gm_snapshot snapshot = {.file = open_memstream(&bytes, &size)};
    assert_non_null(snapshot.file);
    gm_cycle_l1_snapshot(l1, &snapshot);
    assert_int_equal(fclose(snapshot.file), 0);
    free(bytes);
    return snapshot.sum;
}

static const char *outcome_of(const gm_cache_statistics *before, const gm_cache_statistics *after)
{
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        if (after->accesses[kind] != before->accesses[kind]) {
            return after->hits[kind] != before->hits[kind]                   ? "hit"
                   : after->hits_pending[kind] != before->hits_pending[kind] ? "pending"
                   : after->misses[kind] != before->misses[kind]             ? "miss"
                                                                             : "bypass";
        }
    }
    return "nothing";
}

static inline void check_text(const fixture *fixture, const char *got, const char *expected)
{
    if (strcmp(got, expected) != 0) {
        fail_msg("step %u: %s, expected %s", fixture->at, got, expected);
    }
}

static inline void request(fixture *fixture, const step *step)
{
    static const gm_request_kind kinds[] = {
        [LOAD] = GM_REQUEST_LOAD,     [STRONG] = GM_REQUEST_STRONG_LOAD,
        [STORE] = GM_REQUEST_STORE,   [LOCAL_STORE] = GM_REQUEST_STORE,
        [ATOMIC] = GM_REQUEST_ATOMIC, [REDUCE] = GM_REQUEST_REDUCTION,
        [PASS] = GM_REQUEST_LOAD,
    };
    static const char *const reasons[] = {
        [GM_CYCLE_L1_FAIL_LINE] = "line",         [GM_CYCLE_L1_FAIL_MSHR_ENTRY] = "entry",
        [GM_CYCLE_L1_FAIL_MSHR_MERGE] = "merge",  [GM_CYCLE_L1_FAIL_MISS_QUEUE] = "queue",
        [GM_CYCLE_L1_FAIL_BYPASS_QUEUE] = "path",
    };
    const gm_line_request line = {.line = step->line,
                                  .sectors = step->sectors,
                                  .whole = step->whole,
                                  .local = step->kind == LOCAL_STORE};
    const gm_cycle_l1_request asked = {.line = &line,
                                       .kind = kinds[step->kind],
                                       .ticket = (uint32_t)step->line,
                                       .began = fixture->now};
    gm_cache_statistics before = fixture->l1.statistics;
    uint64_t state = hash_of(&fixture->l1);
    uint32_t answers = 0;
    gm_cycle_l1_answer answer =
        step->kind == PASS ? gm_cycle_l1_bypass(&fixture->l1, &asked, &answers)
                           : gm_cycle_l1_access(&fixture->l1, &asked, fixture->now, &answers);
    if (answer >= GM_CYCLE_L1_FAIL_LINE) {
        check_text(fixture, reasons[answer], step->expected);
        assert_true(hash_of(&fixture->l1) == state);
        return;
    }
    check_text(fixture, outcome_of(&before, &fixture->l1.statistics), step->expected);
    if (answer == GM_CYCLE_L1_HIT && kinds[step->kind] == GM_REQUEST_LOAD) {
        fixture->l1.time.loads++; /* counted by the load/store unit */
    }
}

static inline void reply(fixture *fixture, const step *step)
{
    char text[32] = "-";
    uint32_t ticket;
    gm_cycle_l1_reply(&fixture->l1, fixture->now, &ticket);
    if (ticket != GM_NO_TICKET) {
        (void)snprintf(text, sizeof text, "%u", ticket);
    }
    if (fixture->l1.fetched != 0) {
        (void)snprintf(text, sizeof text, "fetch %u", fixture->l1.fetched - 1);
        fixture->l1.fetched = 0;
    }
    check_text(fixture, text, step->expected);
}

/* A cycle of the miss queue; whether it sends. */
static inline bool send_one(fixture *fixture)
{
    return !gm_ring_is_empty(&fixture->l1.queue) && gm_cycle_l1_send(&fixture->l1, fixture->now);
}

static inline void play(fixture *fixture, const step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++, fixture->now++, fixture->at++) {
        fixture->memory->sent[0] = '\0';
        switch (steps[i].kind) {
        case SEND:
            send_one(fixture);
            check_text(fixture, fixture->memory->sent, steps[i].expected);
            break;
        case SEND_ALL:
            while (send_one(fixture)) {
            }
            check_text(fixture, fixture->memory->sent, steps[i].expected);
            break;
        case REPLY:
            reply(fixture, &steps[i]);
            break;
        case FETCH:
            gm_cycle_l1_fetch(&fixture->l1, steps[i].line, steps[i].sectors, steps[i].whole,
                              fixture->now);
            break;
        case FLUSH:
            gm_cycle_l1_flush(&fixture->l1);
            break;
        case DROP:
            gm_cycle_l1_drop_clean(&fixture->l1, GM_NEVER);
            break;
        case LOAD:
        case STRONG:
        case STORE:
        case LOCAL_STORE:
        case ATOMIC:
        case REDUCE:
        case PASS:
            request(fixture, &steps[i]);
            break;
        }
    }
}

/* Plays the steps, then answers everything and checks the laws. Returns sectors_stored of stores.
 */
static inline uint64_t play_all(const gm_config *config, const step *steps, size_t count)
{
    gm_error error;
    fixture fixture;
    make(&fixture, config);
    play(&fixture, steps, count);
    for (unsigned cycle = 0; cycle < 1000; cycle++, fixture.now++) {
        uint32_t ticket;
        send_one(&fixture);
        gm_cycle_l1_reply(&fixture.l1, fixture.now, &ticket);
        gm_cycle_l1_flush_on(&fixture.l1);
    }
    assert_true(gm_cycle_l1_is_empty(&fixture.l1));
    test_ok(gm_cycle_l1_check(&fixture.l1, &error), error);
    uint64_t stored = fixture.l1.statistics.sectors_stored[GM_STORE];
    destroy(&fixture);
    return stored;
}

#define PLAY(config, steps) play_all(config, steps, sizeof(steps) / sizeof(steps)[0])

/* Two lines in one set, two MSHR entries of two requesters, three packets in the miss queue. */
static inline gm_config small(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.l1.size = 2 * config.l1.line;
    config.l1.ways = 2;
    config.l1.mshrs = 2;
    config.l1.merges = 2;
    config.l1.miss_queue = 3;
    return config;
}

#endif

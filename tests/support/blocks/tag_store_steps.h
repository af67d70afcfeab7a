/* Steps for the tests of tag_store: each a transaction in set 0 of four, with its expected answer
 * and why. Around one that must not change anything, memory is compared. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_TAG_STORE_STEPS_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_TAG_STORE_STEPS_H

#include "goldmem/tag_store.h"
#include "support/blocks/block_answers.h"

#include <stdlib.h>
#include <string.h>

static gm_arena arena;
static gm_set_index function;

static void make(gm_tag_store *store, gm_tag_store_parameters p)
{
    gm_error error;
    test_ok(gm_set_index_parse(&function, "sequential", 4, 42, &error), error);
    p.index = &function;
    p.rrpv_bits = p.rrpv_bits == 0 ? 2 : p.rrpv_bits;
    p.signature_bits = p.signature_bits == 0 ? 8 : p.signature_bits;
    p.counter_bits = p.counter_bits == 0 ? 3 : p.counter_bits;
    test_ok(gm_arena_create(&arena, gm_tag_store_bytes(&p), &error), error);
    test_ok(gm_tag_store_init(store, &p, &arena, &error), error);
}

static void expect_sound(const gm_tag_store *store)
{
    gm_error error;
    test_ok(gm_tag_store_check(store, &error), error);
}

static void expect_equal(gm_tag_store_response is, gm_tag_store_response should)
{
    block_answers_equal(&gm_tag_store_ports, &is, &should);
}

enum { A = 1, B, C, D, E, F, G, H, SETS = 4 }; /* lines, by number; line A is 4 A, of set 0 */

/* What a step does: a PROBE with no permission, may_miss, may_bypass, both; the last two for the
 * conventional cache; FILL at a position. */
typedef enum what { P0, PM, PB, P, CB, C_, F0, F1, F2, F3, WR, INV, FLU } what;

typedef struct step {
    what what;
    uint64_t line;
    gm_tag_store_response expected; /* evicted_line by number */
    const char *why;
} step;

#define HITS(at, count)   .outcome = GM_TAG_STORE_HIT, .position = (at), .rc = (count)
#define PENDS(at, count)  .outcome = GM_TAG_STORE_HIT_PENDING, .position = (at), .rc = (count)
#define MISSES(at, count) .outcome = GM_TAG_STORE_MISS, .position = (at), .rc = (count)
#define BYPASSES(count)   .outcome = GM_TAG_STORE_BYPASS, .rc = (count)
#define FAILS(missing)                                                                             \
    .outcome = GM_TAG_STORE_RESERVATION_FAIL, .reason = GM_TAG_STORE_FAIL_##missing
#define EVICTS(number, at) .evicted = 1, .evicted_line = (number), .evicted_position = (at)
#define AGES               .aged = 1
#define EMPTIES            .aged = 1, .emptied = 1

static gm_tag_store_request request_of(const step *s)
{
    gm_tag_store_request r = {
        .op = GM_TAG_STORE_PROBE, .line = SETS * s->line, .signature = s->line % 2};
    switch (s->what) {
    case P0:
    case PM:
    case PB:
    case P:
    case CB:
    case C_:
        r.may_miss = s->what == PM || s->what == P || s->what == C_;
        r.may_bypass = s->what != P0 && s->what != PM;
        r.conventional = s->what == CB || s->what == C_;
        return r;
    case F0:
    case F1:
    case F2:
    case F3:
        r.op = GM_TAG_STORE_FILL;
        r.position = (uint64_t)(s->what - F0);
        return r;
    case WR:
        r.op = GM_TAG_STORE_WRITE;
        return r;
    case INV:
        r.op = GM_TAG_STORE_INVALIDATE;
        return r;
    case FLU:
        r.op = GM_TAG_STORE_FLUSH;
        return r;
    }
    return r;
}

static void run_steps(gm_tag_store_parameters p, const step *steps, size_t count)
{
    gm_tag_store store;
    make(&store, p);
    void *before = malloc(arena.size);
    assert_non_null(before);
    for (const step *s = steps; s < steps + count; s++) {
        memcpy(before, arena.memory, arena.size);
        gm_tag_store_response should = s->expected;
        should.evicted_line *= SETS;
        gm_tag_store_response is = gm_tag_store_access(&store, request_of(s));
        if (memcmp(&is, &should, sizeof is) != 0) {
            print_message("step %d: %s\n", (int)(s - steps), s->why);
        }
        expect_equal(is, should);
        expect_sound(&store);
        if (is.outcome == GM_TAG_STORE_RESERVATION_FAIL || is.error != 0) {
            assert_memory_equal(arena.memory, before, arena.size); /* nothing changes */
        }
    }
    free(before);
    gm_arena_free(&arena);
}

#define RUN(parameters, steps) run_steps(parameters, steps, sizeof(steps) / sizeof *(steps))

#endif

/* Parts of sectors in a lazy L1 (l1.parts): the block by hand and an L1
 * whose loads hit what several stores have written. */
#include "cycle/l1/byte_masks.h"
#include "cycle/l1/l1_parts.h"
#include "support/cycle/l1/l1_steps.h"

enum { LOW = 0x0000ffff };

static gm_l1_parts *make_parts(gm_arena *arena, uint64_t sectors)
{
    gm_error error;
    test_ok(gm_arena_create(arena, gm_l1_parts_bytes(sectors), &error), error);
    gm_l1_parts *parts = gm_l1_parts_make(sectors, 2, arena);
    assert_non_null(parts);
    return parts;
}

/* Sectors 1 and 2 of line 3: halves of sector 1 make it whole, and then it is forgotten. */
static void halves_make_a_sector(void **state)
{
    (void)state;
    gm_arena arena;
    gm_l1_parts *parts = make_parts(&arena, 8);
    uint32_t bytes[4] = {0, LOW, LOW, 0};
    assert_int_equal(gm_l1_parts_join(parts, 3, 0x6, bytes), 0);
    gm_l1_parts_keep(parts, 3, 0x6, bytes);
    uint32_t others[4] = {0, ~(uint32_t)LOW, 1, 0};
    assert_int_equal(gm_l1_parts_join(parts, 7, 0x6, others), 0); /* the same places, maybe */
    assert_int_equal(gm_l1_parts_join(parts, 3, 0x6, others), 0x2);
    assert_int_equal(others[2], LOW);
    gm_l1_parts_keep(parts, 3, 0x6, others);
    uint32_t again[4] = {0, ~(uint32_t)LOW, ~(uint32_t)LOW, 0};
    assert_int_equal(gm_l1_parts_join(parts, 3, 0x6, again), 0x4);
    gm_l1_parts_clear(parts);
    uint32_t late[4] = {0, 0, ~(uint32_t)LOW, 0};
    assert_int_equal(gm_l1_parts_join(parts, 3, 0x4, late), 0);
    gm_arena_free(&arena);
}

/* Another sector in its place: what was written of the first is forgotten. */
static void a_place_has_one_sector(void **state)
{
    (void)state;
    gm_arena arena;
    gm_l1_parts *parts = make_parts(&arena, 8); /* 16 places: 4 lines */
    uint32_t bytes[4] = {LOW, 0, 0, 0};
    gm_l1_parts_keep(parts, 1, 0x1, bytes);
    gm_l1_parts_keep(parts, 5, 0x1, bytes);
    uint32_t rest[4] = {~(uint32_t)LOW, 0, 0, 0};
    assert_int_equal(gm_l1_parts_join(parts, 1, 0x1, rest), 0);
    assert_int_equal(gm_l1_parts_join(parts, 5, 0x1, rest), 0x1);
    gm_arena_free(&arena);
}

static const char *store(fixture *fixture, uint64_t line, uint32_t bytes)
{
    const uint32_t mask[4] = {bytes, 0, 0, 0};
    gm_line_request request = {.line = line, .sectors = 1};
    request.whole = bytes == UINT32_MAX;
    request.masks = request.whole ? 0 : gm_cycle_l1_keep_masks(&fixture->l1, mask);
    const gm_cycle_l1_request asked = {
        .line = &request, .kind = GM_REQUEST_STORE, .ticket = 1, .began = fixture->now};
    gm_cache_statistics before = fixture->l1.statistics;
    uint32_t answers = 0;
    gm_cycle_l1_answer answer = gm_cycle_l1_access(&fixture->l1, &asked, fixture->now, &answers);
    while (send_one(fixture)) {
        fixture->now++;
    }
    return answer <= GM_CYCLE_L1_TAKEN ? outcome_of(&before, &fixture->l1.statistics) : "fail";
}

static void expect_load(fixture *fixture, uint64_t line, const char *expected)
{
    const step steps[] = {{LOAD, line, 0x1, 0, expected}};
    play(fixture, steps, 1);
    while (send_one(fixture)) {
        fixture->now++;
    }
    for (unsigned i = 0; i < 200; i++, fixture->now++) {
        uint32_t ticket;
        gm_cycle_l1_reply(&fixture->l1, fixture->now, &ticket);
    }
}

/* A load behind two halves hits, without l1.parts it misses; one behind a half misses; a flush
 * forgets the half. */
static void loads_hit_what_stores_made_whole(void **state)
{
    (void)state;
    for (int parts = 0; parts < 2; parts++) {
        gm_error error;
        fixture fixture;
        gm_config config = small();
        config.l1.sectored = config.l2.sectored = true;
        config.l1.global_write = config.l1.local_write = GM_WRITE_THROUGH;
        config.l1.global_allocate = config.l1.local_allocate = true;
        config.l1.fetch_on_write = GM_L1_FETCH_LAZY;
        config.l2.fetch_on_write = GM_FETCH_LAZY;
        config.sm.coalesce = GM_COALESCE_SECTOR;
        config.l2.dirty = GM_DIRTY_PARTS;
        config.l1.miss_queue = 8;
        config.l1.parts = parts == 1;
        test_ok(gm_config_check(&config, &error), error);
        make(&fixture, &config);
        store(&fixture, 2, LOW);
        expect_load(&fixture, 2, "miss");
        store(&fixture, 1, LOW);
        store(&fixture, 1, ~(uint32_t)LOW);
        expect_load(&fixture, 1, parts == 1 ? "hit" : "miss");
        store(&fixture, 4, LOW);
        gm_cycle_l1_flush(&fixture.l1);
        gm_cycle_l1_flush_on(&fixture.l1);
        store(&fixture, 4, ~(uint32_t)LOW);
        expect_load(&fixture, 4, "miss");
        destroy(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_make_a_sector),
        cmocka_unit_test(a_place_has_one_sector),
        cmocka_unit_test(loads_hit_what_stores_made_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

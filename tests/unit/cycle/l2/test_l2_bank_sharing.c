/* A timed L2 bank that is sharing-aware [tabbakh, V-B, VI-A], of the shipped size: a bank of
 * fermi-sharing, 128 sets of 8 ways, 15 SMs, 64 places of local loads that wait for DRAM. */
#include "cache/cache_sharing.h"
#include "support/cycle/l2/l2_by_hand.h"

#include <string.h>

enum { SMS = 15, WAYS = 8, SETS = 128, ALL = 0xf, APART = 600 };

static int setup(void **state)
{
    test_fixture *f = test_calloc(1, sizeof *f);
    gm_error error;
    test_ok(gm_config_preset(&f->w.config, "fermi-sharing", &error), error);
    f->w.config.sharing.enabled = true;
    f->w.config.l2.size /= f->w.config.memory.partitions;
    f->w.config.memory.partitions = 1;
    f->w.dram_latency = DRAM;
    *state = f;
    return 0;
}

static void bring(test_fixture *f, gm_cycle at, gm_message_kind kind, unsigned sm, uint64_t line,
                  bool local)
{
    world_bring(&f->w, at,
                (gm_packet){.line = line,
                            .sectors = ALL,
                            .whole = kind == GM_MESSAGE_READ ? 0 : ALL,
                            .id = f->w.coming_count,
                            .sm = (uint16_t)sm,
                            .flags = local ? GM_PACKET_LOCAL : 0,
                            .kind = (uint8_t)kind});
}

/* Returns the place of a request's response among those sent. */
static uint32_t sent_place(const test_fixture *f, uint32_t id)
{
    for (uint32_t i = 0; i < f->w.sent_count; i++) {
        if (f->w.sent[i].packet.id == id) {
            return i;
        }
    }
    fail_msg("request %u is not answered", id);
    return 0;
}

static bool told_shared(const test_fixture *f, uint32_t id)
{
    return (f->w.sent[sent_place(f, id)].packet.flags & GM_PACKET_SHARED) != 0;
}

/* Each SM's line is touched by each SM: another one than the owner makes it shared, which the owner
 * is told, too. */
static void each_sm_is_told_from_each_owner(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    gm_cycle at = 10;
    for (unsigned owner = 0; owner < SMS; owner++) {
        for (unsigned sm = 0; sm < SMS; sm++, at += 3 * APART) {
            uint64_t line = owner * SMS + sm;
            bring(f, at, GM_MESSAGE_READ, owner, line, false);
            bring(f, at + APART, GM_MESSAGE_READ, sm, line, false);
            bring(f, at + 2 * APART, GM_MESSAGE_READ, owner, line, false);
        }
    }
    run_to(f, at);
    run_out(f, 3 * SMS * SMS);
    for (uint32_t pair = 0; pair < SMS * SMS; pair++) {
        bool differ = pair / SMS != pair % SMS;
        assert_false(told_shared(f, 3 * pair));
        assert_int_equal(told_shared(f, 3 * pair + 1), differ);
        assert_int_equal(told_shared(f, 3 * pair + 2), differ);
    }
    assert_int_equal(f->w.bank.l2.cache.sharing->statistics.became_shared, SMS * SMS - SMS);
}

/* Likewise while the line waits for DRAM: the answers of both say so [V-B1]. */
static void merged_requests_are_told_alike(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    gm_cycle at = 10;
    for (uint32_t pair = 0; pair < SMS * SMS; pair++, at += APART) {
        bring(f, at, GM_MESSAGE_READ, pair / SMS, pair, false);
        bring(f, at + 1, GM_MESSAGE_READ, pair % SMS, pair, false);
    }
    run_to(f, at);
    run_out(f, 2 * SMS * SMS);
    for (uint32_t pair = 0; pair < SMS * SMS; pair++) {
        bool differ = pair / SMS != pair % SMS;
        assert_int_equal(told_shared(f, 2 * pair), differ);
        assert_int_equal(told_shared(f, 2 * pair + 1), differ);
    }
    assert_int_equal(f->w.bank.l2.statistics.hits_pending[GM_LOAD], SMS * SMS);
}

/* The last set: seven lines become shared; the eighth, private and the newest, goes for the next
 * global line. Then all are shared, and the least recently used one goes. */
static void private_lines_go_first(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    gm_cycle at = 10;
    uint64_t set = SETS - 1;
    for (unsigned way = 0; way < WAYS; way++, at += APART) {
        bring(f, at, GM_MESSAGE_READ, 14, set + way * SETS, false);
    }
    for (unsigned way = 0; way < WAYS - 1; way++, at += APART) {
        bring(f, at, GM_MESSAGE_READ, 6, set + way * SETS, false);
    }
    bring(f, at, GM_MESSAGE_READ, 14, set + (WAYS - 1) * SETS, false); /* is private, the newest */
    bring(f, at += APART, GM_MESSAGE_READ, 3, set + WAYS * SETS, false);
    run_to(f, at += APART);
    assert_int_equal(held(f, set + (WAYS - 1) * SETS), 0);
    assert_int_equal(held(f, set), ALL);
    bring(f, at, GM_MESSAGE_READ, 4, set + WAYS * SETS, false);
    bring(f, at += APART, GM_MESSAGE_READ, 5, set + (WAYS + 1) * SETS, false);
    run_to(f, at += APART);
    assert_int_equal(held(f, set), 0);
    assert_int_equal(held(f, set + SETS), ALL);
    run_out(f, 2 * WAYS + 3);
}

/* Local lines: a load takes no way; a write-back takes a free one or that of a private line, and in
 * a set of shared lines goes to DRAM [V-B2]. */
static void local_lines_take_no_way_of_shared_ones(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    gm_cycle at = 10;
    bring(f, at, GM_MESSAGE_READ, 14, 0, true);
    run_to(f, at + LATENCY + DRAM / 2);
    assert_int_equal(f->w.reads_left, 1);
    for (unsigned entry = 0; entry < f->w.bank.mshr.entries; entry++) {
        assert_false(gm_mshr_is_valid(&f->w.bank.mshr, entry));
    }
    bring(f, at += APART, GM_MESSAGE_WRITE_BACK, 14, SETS, true);
    run_to(f, at += APART);
    assert_int_equal(held(f, 0), 0);
    assert_int_equal(held(f, SETS), ALL);
    bring(f, at, GM_MESSAGE_READ, 14, SETS, true); /* hits, which are no further action */
    bring(f, at += APART, GM_MESSAGE_READ, 3, SETS, true);
    run_to(f, at += APART);
    assert_false(told_shared(f, 3));
    assert_int_equal(f->w.bank.l2.cache.sharing->lines.owned[0], 0);
    for (unsigned way = 1; way <= WAYS; way++) {
        bring(f, at, GM_MESSAGE_READ, 1, (1 + way) * SETS, false);
        bring(f, at += APART, GM_MESSAGE_READ, 9, (1 + way) * SETS, false);
        at += APART;
    }
    run_to(f, at);
    assert_int_equal(held(f, SETS), 0); /* was private */
    uint32_t before = f->w.dram_count;
    bring(f, at, GM_MESSAGE_WRITE_BACK, 14, SETS, true);
    run_to(f, at += APART);
    assert_int_equal(f->w.dram_count, before + 1);
    expect_dram(f, before, true, SETS, ALL);
    assert_int_equal(held(f, SETS), 0);
    run_out(f, 5 + 2 * WAYS);
    assert_int_equal(f->w.bank.l2.cache.sharing->statistics.l2_local_reads, 1);
    assert_int_equal(f->w.bank.l2.cache.sharing->statistics.l2_local_writes, 1);
}

/* Makes the bank anew. */
static void restart(test_fixture *f)
{
    const gm_config config = f->w.config;
    world_free(&f->w);
    memset(f, 0, sizeof *f);
    f->w.config = config;
    f->w.dram_latency = 2000;
    world_make(&f->w, 0);
}

/* As many local loads as there are places wait for DRAM: a write-back of any one's line waits until
 * its data, which are older, have come. */
static void a_write_back_waits_for_each_local_load(void **state)
{
    test_fixture *f = *state;
    uint32_t places = (uint32_t)f->w.config.l2.dram_queue;
    assert_int_equal(places, 64);
    world_make(&f->w, 0);
    for (uint32_t other = 0; other < places; other++) {
        restart(f);
        for (uint32_t i = 0; i < places; i++) {
            bring(f, 10 + i, GM_MESSAGE_READ, i % SMS, i, true);
        }
        bring(f, 10 + places, GM_MESSAGE_WRITE_BACK, other % SMS, other, true);
        run_to(f, 1000);
        assert_int_equal(f->w.reads_left, places);
        assert_int_equal(gm_cache_find(&f->w.bank.l2.cache, other).slot, GM_NO_SLOT);
        run_out(f, places + 1);
        assert_int_equal(held(f, other), ALL);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(each_sm_is_told_from_each_owner),
        TEST(merged_requests_are_told_alike),
        TEST(private_lines_go_first),
        TEST(local_lines_take_no_way_of_shared_ones),
        TEST(a_write_back_waits_for_each_local_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

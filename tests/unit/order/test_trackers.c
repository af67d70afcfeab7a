/* Sharing trackers in the order engine [anssari, 3.1, 3.2]: who supplies whom, step by step. */
#include "order/order_machine.h"
#include "support/support.h"

typedef enum step_kind { LOAD, STRONG, STORE, ATOMIC, FLUSH } step_kind;

/* One SM's request for a line, and who supplies a load: 'r' another L1, 'm' the L2, after another
 * L1 had not what the tracker thought, 'l' the L2, 'h' a hit, '-' not a load. */
typedef struct step {
    unsigned sm;
    step_kind kind;
    uint64_t line;
    char from;
} step;

/* The thesis's machine with two L1 sets of one line each: lines 0, 2, 4, ... evict each other. */
static gm_config small_l1(void)
{
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    config.l1.size = 256;
    config.l1.ways = 1;
    config.tracker.enabled = true;
    return config;
}

static gm_outcome access_line(gm_order_machine *machine, unsigned sm, step_kind kind, uint64_t line,
                              uint32_t sectors)
{
    const gm_line_request request = {.line = line, .lanes = 1, .sectors = sectors, .whole = 0xf};
    gm_order_l1 *l1 = &machine->sm[sm].l1;
    gm_outcome outcome = {0};
    switch (kind) {
    case LOAD:
    case STRONG:
        gm_order_l1_access(l1, &request, kind == STRONG ? GM_REQUEST_STRONG_LOAD : GM_REQUEST_LOAD,
                           &outcome);
        break;
    case STORE:
        gm_order_l1_access(l1, &request, GM_REQUEST_STORE, &outcome);
        break;
    case ATOMIC:
        gm_order_l1_access(l1, &request, GM_REQUEST_ATOMIC, &outcome);
        break;
    case FLUSH:
        for (uint32_t i = 0; i < machine->sms; i++) {
            gm_order_l1_flush(&machine->sm[i].l1);
        }
        gm_trackers_flush(&machine->trackers);
        break;
    }
    return outcome;
}

static char supplier_of(gm_order_machine *machine, const step *step)
{
    const gm_tracker_statistics before = machine->sm[step->sm].l1.tracker;
    gm_outcome outcome = access_line(machine, step->sm, step->kind, step->line, 0xf);
    const gm_tracker_statistics *after = &machine->sm[step->sm].l1.tracker;
    uint32_t sent = machine->noc.batch->count;
    gm_order_noc_deliver(&machine->noc);
    if (step->kind != LOAD) {
        return '-';
    }
    if (outcome.hit) {
        return 'h';
    }
    assert_int_equal(after->lookups, before.lookups + 1);
    if (after->remote_hits != before.remote_hits) {
        assert_int_equal(sent, 0);
        return 'r';
    }
    assert_int_equal(sent, 4); /* L2 lines of 32 bytes [anssari, 3.2] */
    return after->remote_misses != before.remote_misses ? 'm' : 'l';
}

/* Every law but those of what a source delivers. */
static void expect_laws(const gm_order_machine *machine)
{
    gm_error error;
    gm_statistics sum;
    gm_order_machine_sum(machine, &sum);
    test_ok(gm_trackers_check(&machine->trackers, &sum.tracker, &error), error);
}

static void play(const gm_config *config, const step *steps, size_t count, gm_statistics *sum)
{
    gm_error error;
    gm_order_machine machine;
    test_ok(gm_order_machine_init(&machine, config, false, &error), error);
    for (size_t i = 0; i < count; i++) {
        char from = supplier_of(&machine, &steps[i]);
        if (from != steps[i].from) {
            fail_msg("step %zu: from %c, not %c", i, from, steps[i].from);
        }
        expect_laws(&machine);
    }
    gm_order_machine_sum(&machine, sum);
    gm_order_machine_free(&machine);
}
#define PLAY(config, steps, sum) play(config, steps, sizeof(steps) / sizeof(steps)[0], sum)

/* [anssari, 3.2]: P and Q share a line, Q writes and evicts it; Q's next load must not come from P,
 * whose copy is old. */
static void q_does_not_get_ps_old_line(void **state)
{
    (void)state;
    enum { P = 3, Q = 7 };
    static const step steps[] = {
        {P, LOAD, 0, 'l'}, {Q, LOAD, 0, 'r'}, {Q, STORE, 0, '-'},
        {Q, LOAD, 0, 'h'}, {Q, LOAD, 2, 'l'}, /* in place of 0 */
        {Q, LOAD, 0, 'l'}, {P, LOAD, 0, 'h'}, /* the old copy: P has not written */
        {P, LOAD, 2, 'l'},                    /* Q has evicted it, and P evicts 0 */
        {P, LOAD, 0, 'r'},
    };
    gm_config config = small_l1();
    gm_statistics sum;
    PLAY(&config, steps, &sum);
    assert_int_equal(sum.tracker.lookups, 6);
    assert_int_equal(sum.tracker.hits, 2);
    assert_int_equal(sum.tracker.remote_sectors, 8);
    assert_int_equal(sum.tracker.fills, 6);
    /* evicted: 0 and 2 of Q, 0 and 2 of P; 0 of P was not tracked any more */
    assert_int_equal(sum.tracker.evicts, 4);
    assert_int_equal(sum.tracker.last_sharer_evicts, 2);
    /* LOOKUPs, FILLs and WRITE; of the EVICTs those of lines 2, whose SMs were known */
    assert_int_equal(sum.tracker.changes, 6 + 6 + 1 + 2);
    assert_int_equal(sum.tracker.supplied_sectors, 8);
    /* headers of 8 bytes: two for each hit, one with 128 bytes of data, one for each notice */
    assert_int_equal(sum.traffic.trk, (2 * 2 + 2 + 6 + 4) * 8);
    assert_int_equal(sum.traffic.rem, 2 * 128);
}

static void coherent_operations_and_flushes_take_the_entry(void **state)
{
    (void)state;
    static const step steps[] = {
        {0, LOAD, 0, 'l'}, {1, ATOMIC, 0, '-'}, {2, LOAD, 0, 'l'},
        {3, LOAD, 0, 'r'}, {1, STRONG, 0, '-'}, {4, LOAD, 0, 'l'},
        {5, LOAD, 0, 'r'}, {0, FLUSH, 0, '-'},  {6, LOAD, 0, 'l'},
    };
    gm_config config = small_l1();
    gm_statistics sum;
    PLAY(&config, steps, &sum);
    assert_int_equal(sum.tracker.coherent, 2);
    assert_int_equal(sum.tracker.entries_freed, 2);
    assert_int_equal(sum.tracker.entries_taken, 4);
}

/* 16 SMs, 4 trackers: SMs 0 to 3 share one. */
static void isolated_trackers(void **state)
{
    (void)state;
    static const step steps[] = {
        {0, LOAD, 0, 'l'},  {3, LOAD, 0, 'r'},  {4, LOAD, 0, 'l'},   {7, LOAD, 0, 'r'},
        {15, LOAD, 0, 'l'}, {12, LOAD, 0, 'r'}, {12, STORE, 0, '-'}, {13, LOAD, 0, 'l'},
        {1, LOAD, 0, 'r'}, /* the store went past another tracker */
    };
    gm_config config = small_l1();
    config.tracker.trackers = 4;
    gm_statistics sum;
    PLAY(&config, steps, &sum);
    /* 15 SMs: the last tracker has three */
    static const step few[] = {{12, LOAD, 0, 'l'}, {14, LOAD, 0, 'r'}};
    config.gpu.sms = 15;
    PLAY(&config, few, &sum);
}

/* One pointer: the newest sharer; when it goes, nobody is known. */
static void one_pointer(void **state)
{
    (void)state;
    static const step steps[] = {
        {0, LOAD, 0, 'l'}, {1, LOAD, 0, 'r'}, {1, LOAD, 2, 'l'},
        {2, LOAD, 0, 'l'}, {3, LOAD, 0, 'r'},
    };
    gm_config config = small_l1();
    config.tracker.pointers = 1;
    gm_statistics sum;
    PLAY(&config, steps, &sum);
    assert_int_equal(sum.tracker.displaced, 2);
}

/* Two sets of one entry: line 2 takes the place of line 0, which is still in the L1. */
static void dropped_entries(void **state)
{
    (void)state;
    static const step steps[] = {
        {0, LOAD, 0, 'l'}, {1, LOAD, 2, 'l'}, {2, LOAD, 0, 'l'},
        {3, LOAD, 0, 'r'}, {0, LOAD, 0, 'h'}, {0, LOAD, 2, 'l'},
    };
    gm_config config = small_l1();
    config.memory.partitions = 1;
    config.tracker.sets = 2;
    config.tracker.ways = 1;
    gm_statistics sum;
    PLAY(&config, steps, &sum);
    assert_int_equal(sum.tracker.dropped, 3);
    /* as ipoly(3) has it: lines 0 and 1 ^ 2 = 3 share set 0, 2 is in set 1 */
    static const step other[] = {
        {0, LOAD, 0, 'l'}, {1, LOAD, 2, 'l'}, {2, LOAD, 0, 'r'},
        {3, LOAD, 2, 'r'}, {4, LOAD, 3, 'l'}, {5, LOAD, 0, 'l'},
    };
    test_text_copy(config.tracker.index, sizeof config.tracker.index, "ipoly:3");
    PLAY(&config, other, &sum);
    assert_int_equal(sum.tracker.dropped, 2);
}

/* Sectors: the supplier has the line, but not what is asked for. */
static void a_sector_that_is_not_there(void **state)
{
    (void)state;
    gm_error error;
    gm_order_machine machine;
    gm_config config = small_l1();
    config.l1.sectored = true;
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    access_line(&machine, 0, LOAD, 0, 0x1);
    access_line(&machine, 1, LOAD, 0, 0x1);
    access_line(&machine, 1, LOAD, 0, 0x6);
    access_line(&machine, 0, LOAD, 0, 0x2);
    expect_laws(&machine);
    gm_statistics sum;
    gm_order_machine_sum(&machine, &sum);
    assert_int_equal(sum.tracker.remote_hits, 2);
    assert_int_equal(sum.tracker.remote_misses, 1);
    assert_int_equal(sum.tracker.remote_sectors, 2);
    /* to the tracker, to the supplier and its answer, 2 FILLs */
    assert_int_equal(sum.traffic.trk, (3 * 3 + 2) * 8);
    assert_int_equal(sum.traffic.rem, 2 * 32);
    assert_int_equal(machine.sm[0].l1.tracker.supplied_sectors, 1);
    assert_int_equal(machine.sm[1].l1.tracker.supplied_sectors, 1);
    assert_int_equal(sum.l1d.sectors_filled[GM_LOAD], 5);
    gm_order_machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(q_does_not_get_ps_old_line),
        cmocka_unit_test(coherent_operations_and_flushes_take_the_entry),
        cmocka_unit_test(isolated_trackers),
        cmocka_unit_test(one_pointer),
        cmocka_unit_test(dropped_entries),
        cmocka_unit_test(a_sector_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Debug assertions of the blocks of caches and of SM dueling: a transaction on a broken state, or
 * with a request beyond the widths of its ports, ends the program in words. */
#include "goldmem/assert.h"
#include "goldmem/mshr.h"
#include "goldmem/replacement.h"
#include "goldmem/set_index.h"
#include "goldmem/sharing_lru.h"
#include "goldmem/sharing_tracker.h"
#include "goldmem/sm_dueling.h"
#include "goldmem/tag_store.h"
#include "support/aborts.h"

static gm_arena arena;

static int make_arena(void **state)
{
    (void)state;
    gm_error error;
    return gm_arena_create(&arena, 1 << 22, &error);
}

static int free_arena(void **state)
{
    (void)state;
    gm_arena_free(&arena);
    return 0;
}

static void make_index(gm_set_index *function, uint64_t sets)
{
    const gm_set_index_parameters parameters = {
        .kind = GM_INDEX_XOR, .sets = sets, .address_bits = 32};
    gm_error error;
    test_ok(gm_set_index_init(function, &parameters, &error), error);
}

static void map_line_5(void *state)
{
    gm_set_index_access(state, (gm_set_index_request){.line = 5});
}

static void a_wrong_table_of_set_index(void **state)
{
    (void)state;
    gm_set_index function;
    make_index(&function, 16);
    function.table[0][5] ^= 2;
    test_aborts(map_line_5, &function,
                "set_index: tag and index of line 0x5 are those of another\n");
    function.table[0][5] ^= 0x12;
    test_aborts(map_line_5, &function, "set_index: line 0x5 has index 21\n");
}

static void map_a_line_too_long(void *state)
{
    gm_set_index_access(state, (gm_set_index_request){.line = UINT64_C(1) << 32});
}

static void a_line_beyond_the_address_bits(void **state)
{
    (void)state;
    gm_set_index function;
    make_index(&function, 16);
    test_aborts(map_a_line_too_long, &function, "set_index: line address 0x100000000\n");
}

static void miss_line_7(void *state)
{
    gm_mshr_access(state,
                   (gm_mshr_request){.op = GM_MSHR_REQUEST_OP, .line = 7, .may_allocate = 1});
}

static void a_wrong_entry_of_mshr(void **state)
{
    (void)state;
    static gm_mshr table;
    const gm_mshr_parameters parameters = {
        .entries = 4, .merges = 8, .line_bits = 32, .requester_bits = 16};
    gm_error error;
    test_ok(gm_mshr_init(&table, &parameters, &arena, &error), error);
    miss_line_7(&table);
    table.entry[0].oldest = 1; /* it is open: nobody has been answered */
    test_aborts(miss_line_7, &table, "mshr: entry 0: its slots are beyond the bounds\n");
    table.entry[0].oldest = 0;
    miss_line_7(&table);
}

typedef struct mshr_case {
    gm_mshr table;
    gm_mshr_request request;
} mshr_case;

static void ask_mshr(void *state)
{
    mshr_case *it = state;
    gm_mshr_access(&it->table, it->request);
}

/* A field wider than its port is refused where the operation reads it. */
static void a_request_beyond_the_widths_of_mshr(void **state)
{
    (void)state;
    static const struct {
        gm_mshr_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = GM_MSHR_REQUEST_OP, .line = 0xfff, .requester = 0xff, .may_allocate = 1}, NULL},
        {{.op = GM_MSHR_REQUEST_OP, .line = 0x1000}, "mshr: line address 0x1000\n"},
        {{.op = GM_MSHR_CLOSE_OP, .line = 0x1000}, "mshr: line address 0x1000\n"},
        {{.op = GM_MSHR_PROBE_OP, .line = 0x1000}, "mshr: line address 0x1000\n"},
        {{.op = GM_MSHR_FLUSH_OP, .line = 0x1000}, NULL},
        {{.op = GM_MSHR_REQUEST_OP, .requester = 0x100}, "mshr: requester 0x100\n"},
        {{.op = GM_MSHR_PROBE_OP, .requester = 0x100}, NULL},
        {{.op = GM_MSHR_RESPONSE_OP, .id = 7}, NULL}, /* 5 entries: 3 bits; answered by `error` */
        {{.op = GM_MSHR_RESPONSE_OP, .id = 8}, "mshr: id 8\n"},
        {{.op = GM_MSHR_REQUEST_OP, .may_allocate = 2}, "mshr: may_allocate 2\n"},
        {{.op = 8}, "mshr: operation 8\n"},
    };
    static mshr_case it;
    const gm_mshr_parameters parameters = {
        .entries = 5, .merges = 8, .line_bits = 12, .requester_bits = 8};
    gm_error error;
    test_ok(gm_mshr_init(&it.table, &parameters, &arena, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_mshr(&it);
        } else {
            test_aborts(ask_mshr, &it, rows[i].text);
        }
    }
}

static void flush_mshr(void *state)
{
    gm_mshr_access(state, (gm_mshr_request){.op = GM_MSHR_FLUSH_OP});
}

static void probe_4096_times(void *state)
{
    for (unsigned i = 0; i < GM_ASSERT_PERIOD; i++) {
        gm_mshr_access(state, (gm_mshr_request){.op = GM_MSHR_PROBE_OP, .line = 8});
    }
}

/* Of an entry that the transaction does not touch: seen when the whole is checked. */
static void a_wrong_entry_elsewhere(void **state)
{
    (void)state;
    static gm_mshr table;
    const gm_mshr_parameters parameters = {
        .entries = 4, .merges = 8, .line_bits = 32, .requester_bits = 16};
    gm_error error;
    test_ok(gm_mshr_init(&table, &parameters, &arena, &error), error);
    table.valid[0] |= 4;
    miss_line_7(&table);
    test_aborts(flush_mshr, &table, "mshr: entry 2: not in the list of its line\n");
    test_aborts(probe_4096_times, &table, "mshr: entry 2: not in the list of its line\n");
}

static void touch_way_1(void *state)
{
    gm_replacement_access(
        state, (gm_replacement_request){.op = GM_REPLACEMENT_TOUCH, .index = 3, .way = 1});
}

static void touch_way_9(void *state)
{
    gm_replacement_access(
        state, (gm_replacement_request){.op = GM_REPLACEMENT_TOUCH, .index = 3, .way = 9});
}

static void a_wrong_rank_of_replacement(void **state)
{
    (void)state;
    static gm_replacement_state sets;
    const gm_replacement_parameters parameters = {.policy = GM_REPLACEMENT_LRU,
                                                  .index_bits = 4,
                                                  .ways = 4,
                                                  .rrpv_bits = 2,
                                                  .signature_bits = 4,
                                                  .counter_bits = 3};
    gm_error error;
    test_ok(gm_replacement_init(&sets, &parameters, &arena, &error), error);
    for (unsigned i = 0; i < 4; i++) {
        gm_replacement_access(
            &sets,
            (gm_replacement_request){.op = GM_REPLACEMENT_REPLACE, .index = 3, .eligible = 0xf});
    }
    touch_way_1(&sets);
    sets.value[3 * 4 + 2] = sets.value[3 * 4 + 3];
    test_aborts(touch_way_1, &sets, "replacement: set 3: ranks that are no order\n");
    test_aborts(touch_way_9, &sets, "replacement: way 9\n");
}

static void touch_way_2(void *state)
{
    gm_sharing_lru_access(
        state, (gm_sharing_lru_request){.op = GM_SHARING_LRU_TOUCH, .index = 3, .way = 2});
}

static void touch_way_4_of_4(void *state)
{
    gm_sharing_lru_access(
        state, (gm_sharing_lru_request){.op = GM_SHARING_LRU_REMOVE, .index = 3, .way = 4});
}

static void touch_set_16_of_16(void *state)
{
    gm_sharing_lru_access(state, (gm_sharing_lru_request){.index = 16, .op = GM_SHARING_LRU_PEEK});
}

static void touch_by_sm_8_of_8(void *state)
{
    gm_sharing_lru_access(state, (gm_sharing_lru_request){
                                     .op = GM_SHARING_LRU_TOUCH, .index = 3, .sm = 8, .known = 1});
}

static void a_wrong_mark_of_sharing_lru(void **state)
{
    (void)state;
    static gm_sharing_lru sets;
    const gm_sharing_lru_parameters parameters = {.level = GM_SHARING_L2,
                                                  .dead = GM_SHARING_DEAD_ANY,
                                                  .index_bits = 4,
                                                  .ways = 4,
                                                  .sm_bits = 3};
    gm_error error;
    test_ok(gm_sharing_lru_init(&sets, &parameters, &arena, &error), error);
    for (unsigned i = 0; i < 4; i++) {
        gm_sharing_lru_access(
            &sets,
            (gm_sharing_lru_request){.op = GM_SHARING_LRU_REPLACE, .index = 3, .eligible = 0xf});
    }
    touch_way_2(&sets);
    test_aborts(touch_way_4_of_4, &sets, "sharing_lru: way 4\n");
    test_aborts(touch_set_16_of_16, &sets, "sharing_lru: set 16\n");
    test_aborts(touch_by_sm_8_of_8, &sets, "sharing_lru: SM 8\n");
    sets.shared[3] = 2;
    test_aborts(touch_way_2, &sets, "sharing_lru: set 3: a shared line without owner\n");
}

static void probe_line_5(void *state)

{
    gm_tag_store_access(state,
                        (gm_tag_store_request){
                            .op = GM_TAG_STORE_PROBE, .line = 5, .may_miss = 1, .may_bypass = 1});
}

static void a_wrong_owner_in_tag_store(void **state)
{
    (void)state;
    static gm_set_index index;
    static gm_tag_store store;
    make_index(&index, 4);
    const gm_tag_store_parameters parameters = {.index = &index,
                                                .tag_ways = 8,
                                                .data_ways = 4,
                                                .rc_bits = 6,
                                                .threshold = 2,
                                                .allocation_rc = 1,
                                                .rrpv_bits = 2,
                                                .signature_bits = 4,
                                                .counter_bits = 3};
    gm_error error;
    test_ok(gm_tag_store_init(&store, &parameters, &arena, &error), error);
    probe_line_5(&store); /* in set 0, as 5 = 4 + 1 */
    probe_line_5(&store);
    assert_int_equal(store.set[0].committed, 1);
    store.owner[0] = 3;
    test_aborts(probe_line_5, &store, "tag_store: set 0: a Position that is another entry's\n");
}

static void look_up_line_5(void *state)
{
    gm_sharing_tracker_access(
        state, (gm_sharing_tracker_request){
                   .op = GM_SHARING_TRACKER_LOOKUP, .line = 5, .cu = 1, .will_fill = 1});
}

static void look_up_for_cu_16(void *state)
{
    gm_sharing_tracker_access(
        state, (gm_sharing_tracker_request){.op = GM_SHARING_TRACKER_LOOKUP, .line = 5, .cu = 16});
}

static void a_wrong_sharer_in_sharing_tracker(void **state)
{
    (void)state;
    static gm_set_index index;
    static gm_sharing_tracker tracker;
    make_index(&index, 4);
    const gm_sharing_tracker_parameters parameters = {.index = &index, .ways = 4, .cus = 16};
    gm_error error;
    test_ok(gm_sharing_tracker_init(&tracker, &parameters, &arena, &error), error);
    look_up_line_5(&tracker);
    tracker.sharers[0] = UINT64_C(1) << 16;
    test_aborts(
        look_up_line_5, &tracker,
        "sharing_tracker: set 0: an entry without sharer and mark, or a CU that is not there\n");
    test_aborts(look_up_for_cu_16, &tracker, "sharing_tracker: CU 16\n");
}

static void count_access(void *state)
{
    gm_sm_dueling_access(state, (gm_sm_dueling_request){.op = GM_SM_DUELING_ACCESS, .sm = 1});
}

static void too_many_misses_in_sm_dueling(void **state)
{
    (void)state;
    gm_sm_dueling dueling;
    const gm_sm_dueling_parameters parameters = {
        .interval = 500, .count_bits = 16, .difference = 10, .period = 20};
    gm_error error;
    test_ok(gm_sm_dueling_init(&dueling, &parameters, &error), error);
    count_access(&dueling);
    dueling.misses[0] = 1;
    test_aborts(count_access, &dueling, "sm_dueling: SM0: 1 misses of 0 accesses\n");
}

typedef struct dueling_case {
    gm_sm_dueling dueling;
    gm_sm_dueling_request request;
} dueling_case;

static void ask_dueling(void *state)
{
    dueling_case *it = state;
    gm_sm_dueling_access(&it->dueling, it->request);
}

static void a_request_beyond_the_widths_of_sm_dueling(void **state)
{
    (void)state;
    static const struct {
        gm_sm_dueling_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = GM_SM_DUELING_ACCESS, .sm = 1, .miss = 1}, NULL},
        {{.op = GM_SM_DUELING_ACCESS, .sm = 2}, "sm_dueling: SM 2\n"},
        {{.op = GM_SM_DUELING_ACCESS, .miss = 2}, "sm_dueling: miss 2\n"},
        {{.op = GM_SM_DUELING_ADVANCE, .sm = 2, .amount = 511}, NULL}, /* 500: 9 bits */
        {{.op = GM_SM_DUELING_ADVANCE, .amount = 512}, "sm_dueling: amount 512\n"},
        {{.op = GM_SM_DUELING_ACCESS, .amount = 512}, NULL},
        {{.op = 3}, NULL}, /* RESTART */
        {{.op = 4}, "sm_dueling: operation 4\n"},
    };
    dueling_case it;
    const gm_sm_dueling_parameters parameters = {
        .interval = 500, .count_bits = 16, .difference = 10, .period = 20};
    gm_error error;
    test_ok(gm_sm_dueling_init(&it.dueling, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_dueling(&it);
        } else {
            test_aborts(ask_dueling, &it, rows[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_table_of_set_index),
        cmocka_unit_test(a_line_beyond_the_address_bits),
        cmocka_unit_test(a_wrong_entry_of_mshr),
        cmocka_unit_test(a_wrong_entry_elsewhere),
        cmocka_unit_test(a_wrong_rank_of_replacement),
        cmocka_unit_test(a_wrong_mark_of_sharing_lru),
        cmocka_unit_test(a_wrong_owner_in_tag_store),
        cmocka_unit_test(a_wrong_sharer_in_sharing_tracker),
        cmocka_unit_test(too_many_misses_in_sm_dueling),
        cmocka_unit_test(a_request_beyond_the_widths_of_mshr),
        cmocka_unit_test(a_request_beyond_the_widths_of_sm_dueling),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}

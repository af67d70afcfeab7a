/* Debug assertions of the blocks of Temporal Coherence: a transaction on a broken state, or with a
 * request beyond the widths of its ports, ends the program in words. */
#include "goldmem/assert.h"
#include "goldmem/gwct.h"
#include "goldmem/lease_store.h"
#include "goldmem/lifetime_predictor.h"
#include "goldmem/tc_l1.h"
#include "goldmem/tc_l2.h"
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

static void load_slot_3(void *state)
{
    gm_tc_l1_access(state, (gm_tc_l1_request){.op = GM_TC_L1_LOAD, .slot = 3});
}

static void load_slot_4(void *state)
{
    gm_tc_l1_access(state, (gm_tc_l1_request){.op = GM_TC_L1_LOAD, .slot = 4});
}

static void a_wrong_lease_in_tc_l1(void **state)
{
    (void)state;
    static gm_tc_l1 l1;
    const gm_tc_l1_parameters parameters = {.slots = 4, .pending_bits = 2, .time_bits = 8};
    gm_error error;
    test_ok(gm_tc_l1_init(&l1, &parameters, &arena, &error), error);
    load_slot_3(&l1);
    l1.slot[3].lease = 256;
    test_aborts(load_slot_3, &l1, "tc_l1: slot 3: 0 UPGRs, lease 256, GWCT 0\n");
    test_aborts(load_slot_4, &l1, "tc_l1: slot 4\n");
}

static void read_slot_3(void *state)
{
    gm_tc_l2_access(state, (gm_tc_l2_request){.op = GM_TC_L2_EVICT, .slot = 3});
}

static void read_for_sm_16(void *state)
{
    gm_tc_l2_access(state, (gm_tc_l2_request){.op = GM_TC_L2_GETS, .slot = 3, .sm = 16});
}

static void a_wrong_owner_in_tc_l2(void **state)
{
    (void)state;
    static gm_tc_l2 l2;
    const gm_tc_l2_parameters parameters = {.slots = 4, .sms = 16, .time_bits = 8};
    gm_error error;
    test_ok(gm_tc_l2_init(&l2, &parameters, &arena, &error), error);
    read_slot_3(&l2);
    l2.line[3].owned = true;
    test_aborts(read_slot_3, &l2, "tc_l2: slot 3: readers 0, owner 0\n");
    test_aborts(read_for_sm_16, &l2, "tc_l2: SM 16\n");
}

typedef struct gwct_case {
    gm_gwct table;
    gm_gwct_request request;
} gwct_case;

static void ask_gwct(void *state)
{
    gwct_case *it = state;
    gm_gwct_access(&it->table, it->request);
}

static void make_gwct(gm_gwct *table)
{
    const gm_gwct_parameters parameters = {.warps = 5, .count_bits = 2, .time_bits = 8};
    gm_error error;
    test_ok(gm_gwct_init(table, &parameters, &arena, &error), error);
}

static void a_wrong_entry_of_gwct(void **state)
{
    (void)state;
    gwct_case it = {.request = {.op = GM_GWCT_RAISE, .warp = 4, .timestamp = 7}};
    make_gwct(&it.table);
    ask_gwct(&it);
    it.table.entry[4].stores = 4; /* 2 bits */
    test_aborts(ask_gwct, &it, "gwct: warp 4: 0 loads, 4 stores, GWCT 7\n");
}

static void a_request_beyond_the_widths_of_gwct(void **state)
{
    (void)state;
    static const struct {
        gm_gwct_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = GM_GWCT_ACK, .warp = 7, .last = 7, .timestamp = 255, .now = 255}, NULL},
        {{.op = 7, .warp = 7, .last = 7, .now = 1}, NULL}, /* FENCE */
        {{.op = 8}, "gwct: operation 8\n"},
        {{.op = GM_GWCT_ISSUE, .warp = 8}, "gwct: warps 8 to 0\n"},
        {{.op = GM_GWCT_FENCE, .last = 8, .now = 1}, "gwct: warps 0 to 8\n"},
        {{.op = GM_GWCT_ISSUE, .store = 2}, "gwct: store 2, has_gwct 0, epoch 0\n"},
        {{.op = GM_GWCT_ACK, .has_gwct = 2}, "gwct: store 0, has_gwct 2, epoch 0\n"},
        {{.op = GM_GWCT_ACK, .epoch = 2}, "gwct: store 0, has_gwct 0, epoch 2\n"},
        {{.op = GM_GWCT_RAISE, .timestamp = 256}, "gwct: timestamp 256, now 0\n"},
        {{.op = GM_GWCT_FENCE, .now = 256}, "gwct: timestamp 0, now 256\n"},
        {{.op = GM_GWCT_FENCE}, "gwct: a fence at time 0\n"},
    };
    gwct_case it;
    make_gwct(&it.table);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_gwct(&it);
        } else {
            test_aborts(ask_gwct, &it, rows[i].text);
        }
    }
}

typedef struct predictor_case {
    gm_lifetime_predictor predictor;
    gm_lifetime_predictor_request request;
} predictor_case;

static void ask_predictor(void *state)
{
    predictor_case *it = state;
    gm_lifetime_predictor_access(&it->predictor, it->request);
}

static void a_request_beyond_the_widths_of_lifetime_predictor(void **state)
{
    (void)state;
    static const struct {
        gm_lifetime_predictor_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 7, .expired_l1 = 1, .expired_l2 = 1, .unexpired = 1}, NULL},
        {{.op = 8}, "lifetime_predictor: operation 8\n"},
        {{.expired_l1 = 2}, "lifetime_predictor: expired 2, 0, unexpired 0\n"},
        {{.expired_l2 = 2}, "lifetime_predictor: expired 0, 2, unexpired 0\n"},
        {{.unexpired = 2}, "lifetime_predictor: expired 0, 0, unexpired 2\n"},
    };
    predictor_case it;
    const gm_lifetime_predictor_parameters parameters = {
        .life_bits = 13, .hit = 4, .evict = 8, .write = 8, .max = 6400, .start = 800};
    gm_error error;
    test_ok(gm_lifetime_predictor_init(&it.predictor, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_predictor(&it);
        } else {
            test_aborts(ask_predictor, &it, rows[i].text);
        }
    }
    it.request = (gm_lifetime_predictor_request){.op = GM_LIFETIME_PREDICTOR_FENCED};
    it.predictor.life = 6401;
    test_aborts(ask_predictor, &it, "lifetime_predictor: lifetime 6401 above 6400\n");
}

typedef struct lease_case {
    gm_lease_store store;
    gm_lease_store_request request;
} lease_case;

static void ask_lease_store(void *state)
{
    lease_case *it = state;
    gm_lease_store_access(&it->store, it->request);
}

static void ask_until_the_whole_store_is_checked(void *state)
{
    for (unsigned i = 0; i < GM_ASSERT_PERIOD; i++) {
        ask_lease_store(state);
    }
}

static void make_lease_store(gm_lease_store *store)
{
    const gm_lease_store_parameters parameters = {.entries = 3, .line_bits = 10, .time_bits = 8};
    gm_error error;
    test_ok(gm_lease_store_init(store, &parameters, &arena, &error), error);
}

static void a_line_twice_in_lease_store(void **state)
{
    (void)state;
    static lease_case it = {
        .request = {.op = GM_LEASE_STORE_PUT, .line = 5, .lease = 9, .now = 1, .may = 1}};
    make_lease_store(&it.store);
    ask_lease_store(&it);
    it.store.entry[2] = it.store.entry[0];
    test_aborts(ask_until_the_whole_store_is_checked, &it,
                "lease_store: entry 2: line 0x5 is in 0 too\n");
}

static void a_request_beyond_the_widths_of_lease_store(void **state)
{
    (void)state;
    static const struct {
        gm_lease_store_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = GM_LEASE_STORE_PUT, .line = 1023, .lease = 255, .now = 255, .may = 1}, NULL},
        {{.op = 4}, "lease_store: operation 4\n"},
        {{.line = 1024}, "lease_store: line address 0x400\n"},
        {{.lease = 256}, "lease_store: lease 256, now 0, may 0\n"},
        {{.now = 256}, "lease_store: lease 0, now 256, may 0\n"},
        {{.may = 2}, "lease_store: lease 0, now 0, may 2\n"},
    };
    static lease_case it;
    make_lease_store(&it.store);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_lease_store(&it);
        } else {
            test_aborts(ask_lease_store, &it, rows[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_lease_in_tc_l1),
        cmocka_unit_test(a_wrong_owner_in_tc_l2),
        cmocka_unit_test(a_wrong_entry_of_gwct),
        cmocka_unit_test(a_request_beyond_the_widths_of_gwct),
        cmocka_unit_test(a_request_beyond_the_widths_of_lifetime_predictor),
        cmocka_unit_test(a_line_twice_in_lease_store),
        cmocka_unit_test(a_request_beyond_the_widths_of_lease_store),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}

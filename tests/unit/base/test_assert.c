/* gm_assert: in debug builds what does not hold ends the program in words, and each block's
 * transaction does when its state is broken; in other builds not even the condition is evaluated.
 */
#include "goldmem/assert.h"

#include "cache/cache.h"
#include "goldmem/atomic_buffer.h"
#include "goldmem/contention_bypass.h"
#include "goldmem/cores_sampling.h"
#include "goldmem/cta_queues.h"
#include "goldmem/gwct.h"
#include "goldmem/lease_store.h"
#include "goldmem/lifetime_predictor.h"
#include "goldmem/locality_score.h"
#include "goldmem/mshr.h"
#include "goldmem/replacement.h"
#include "goldmem/set_index.h"
#include "goldmem/sharing_lru.h"
#include "goldmem/sharing_tracker.h"
#include "goldmem/sm_dueling.h"
#include "goldmem/stream_gate.h"
#include "goldmem/tag_store.h"
#include "goldmem/tc_l1.h"
#include "goldmem/tc_l2.h"
#include "goldmem/victim_tags.h"
#include "goldmem/warp_limiter.h"
#include "support/support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef GM_DEBUG
static const bool debug = true;
#else
static const bool debug = false;
#endif

/* Ends the calling test unless the transaction aborts, in debug builds, with the text on its
 * standard error. */
static void aborts(void (*transaction)(void *state), void *state, const char *text)
{
    if (!debug) {
        print_message("skipped: this build does not check invariants\n");
        skip();
    }
    FILE *errors = tmpfile();
    assert_non_null(errors);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(errors), STDERR_FILENO);
        signal(SIGABRT, SIG_DFL); /* cmocka catches it */
        transaction(state);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    char line[1024] = "";
    rewind(errors);
    assert_non_null(fgets(line, sizeof line, errors));
    fclose(errors);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || strstr(line, text) == NULL) {
        fail_msg("status 0x%x, not an abort that says '%s': %s", (unsigned)status, text, line);
    }
}

enum { FAILS_AT = __LINE__ + 5 }; /* the line of gm_assert in `fails` */

static void fails(void *state)
{
    int *evaluated = state;
    gm_assert(++*evaluated < 0, "%d is not below 0", *evaluated);
}

static void file_line_and_condition_are_named(void **state)
{
    (void)state;
    int evaluated = 0;
    char text[128];
    snprintf(text, sizeof text, "test_assert.c:%d: ++*evaluated < 0: 1 is not below 0\n", FAILS_AT);
    aborts(fails, &evaluated, text);
}

static void nothing_is_evaluated_in_a_release_build(void **state)
{
    (void)state;
    int evaluated = 0;
    if (!debug) {
        fails(&evaluated);
    }
    gm_assert(++evaluated == 1, "this holds");
    assert_int_equal(evaluated, debug ? 1 : 0);
    unsigned wholes = 0;
    for (unsigned i = 0; i < 3 * GM_ASSERT_PERIOD; i++) {
        wholes += gm_assert_whole();
    }
    assert_int_equal(wholes, debug ? 3 : 0);
}

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
    aborts(map_line_5, &function, "set_index: tag and index of line 0x5 are those of another\n");
    function.table[0][5] ^= 0x12;
    aborts(map_line_5, &function, "set_index: line 0x5 has index 21\n");
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
    aborts(map_a_line_too_long, &function, "set_index: line address 0x100000000\n");
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
    aborts(miss_line_7, &table, "mshr: entry 0: its slots are beyond the bounds\n");
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
            aborts(ask_mshr, &it, rows[i].text);
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
    aborts(flush_mshr, &table, "mshr: entry 2: not in the list of its line\n");
    aborts(probe_4096_times, &table, "mshr: entry 2: not in the list of its line\n");
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
    aborts(touch_way_1, &sets, "replacement: set 3: ranks that are no order\n");
    aborts(touch_way_9, &sets, "replacement: way 9\n");
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
    aborts(touch_way_4_of_4, &sets, "sharing_lru: way 4\n");
    aborts(touch_set_16_of_16, &sets, "sharing_lru: set 16\n");
    aborts(touch_by_sm_8_of_8, &sets, "sharing_lru: SM 8\n");
    sets.shared[3] = 2;
    aborts(touch_way_2, &sets, "sharing_lru: set 3: a shared line without owner\n");
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
    aborts(probe_line_5, &store, "tag_store: set 0: a Position that is another entry's\n");
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
    aborts(look_up_line_5, &tracker,
           "sharing_tracker: set 0: an entry without sharer and mark, or a CU that is not there\n");
    aborts(look_up_for_cu_16, &tracker, "sharing_tracker: CU 16\n");
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
    aborts(load_slot_3, &l1, "tc_l1: slot 3: 0 UPGRs, lease 256, GWCT 0\n");
    aborts(load_slot_4, &l1, "tc_l1: slot 4\n");
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
    aborts(read_slot_3, &l2, "tc_l2: slot 3: readers 0, owner 0\n");
    aborts(read_for_sm_16, &l2, "tc_l2: SM 16\n");
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
    aborts(count_access, &dueling, "sm_dueling: SM0: 1 misses of 0 accesses\n");
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
            aborts(ask_dueling, &it, rows[i].text);
        }
    }
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
    aborts(ask_gwct, &it, "gwct: warp 4: 0 loads, 4 stores, GWCT 7\n");
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
            aborts(ask_gwct, &it, rows[i].text);
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
            aborts(ask_predictor, &it, rows[i].text);
        }
    }
    it.request = (gm_lifetime_predictor_request){.op = GM_LIFETIME_PREDICTOR_FENCED};
    it.predictor.life = 6401;
    aborts(ask_predictor, &it, "lifetime_predictor: lifetime 6401 above 6400\n");
}

typedef struct cores_case {
    gm_cores_sampling sampling;
    gm_cores_sampling_request request;
} cores_case;

static void ask_cores(void *state)
{
    cores_case *it = state;
    gm_cores_sampling_access(&it->sampling, it->request);
}

static void a_request_beyond_the_widths_of_cores_sampling(void **state)
{
    (void)state;
    static const struct {
        gm_cores_sampling_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .misses = 7, .issued = 15, .idle = 1, .closed = 1, .kernel = 3}, NULL},
        {{.op = 4},
         "cores_sampling: operation 4, misses 0, issued 0, idle 0, closed 0, kernel 0\n"},
        {{.misses = 8},
         "cores_sampling: operation 0, misses 8, issued 0, idle 0, closed 0, kernel 0\n"},
        {{.issued = 16},
         "cores_sampling: operation 0, misses 0, issued 16, idle 0, closed 0, kernel 0\n"},
        {{.idle = 2},
         "cores_sampling: operation 0, misses 0, issued 0, idle 2, closed 0, kernel 0\n"},
        {{.closed = 2},
         "cores_sampling: operation 0, misses 0, issued 0, idle 0, closed 2, kernel 0\n"},
        {{.kernel = 4},
         "cores_sampling: operation 0, misses 0, issued 0, idle 0, closed 0, kernel 4\n"},
    };
    cores_case it;
    const gm_cores_sampling_parameters parameters = {.sms = 2,
                                                     .warps = 4,
                                                     .miss_bits = 3,
                                                     .issue_bits = 4,
                                                     .threshold = 10,
                                                     .hot = 1,
                                                     .samples = 1,
                                                     .entries = 1,
                                                     .kernel_bits = 2};
    gm_error error;
    test_ok(gm_cores_sampling_init(&it.sampling, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_cores(&it);
        } else {
            aborts(ask_cores, &it, rows[i].text);
        }
    }
    it.request = (gm_cores_sampling_request){.misses = 1};
    it.sampling.misses = 7;
    aborts(ask_cores, &it, "cores_sampling: 8 misses, 0 instructions, 0 closed L1s of 1 SMs\n");
}

typedef struct gate_case {
    gm_stream_gate gate;
    gm_stream_gate_request request;
} gate_case;

static void ask_gate(void *state)
{
    gate_case *it = state;
    gm_stream_gate_access(&it->gate, it->request);
}

static void a_request_beyond_the_widths_of_stream_gate(void **state)
{
    (void)state;
    static const struct {
        gm_stream_gate_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .miss = 1, .hot = 1}, NULL},
        {{.op = 4}, "stream_gate: operation 4, miss 0, hot 0\n"},
        {{.miss = 2}, "stream_gate: operation 0, miss 2, hot 0\n"},
        {{.hot = 2}, "stream_gate: operation 0, miss 0, hot 2\n"},
    };
    gate_case it;
    const gm_stream_gate_parameters parameters = {.count_bits = 14, .threshold = 90, .least = 64};
    gm_error error;
    test_ok(gm_stream_gate_init(&it.gate, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_gate(&it);
        } else {
            aborts(ask_gate, &it, rows[i].text);
        }
    }
    it.request = (gm_stream_gate_request){.miss = 1};
    it.gate.misses = 5;
    aborts(ask_gate, &it, "stream_gate: 6 misses of 1 accesses\n");
}

typedef struct victim_case {
    gm_victim_tags tags;
    gm_victim_tags_request request;
} victim_case;

static void ask_victims(void *state)
{
    victim_case *it = state;
    gm_victim_tags_access(&it->tags, it->request);
}

static void a_request_beyond_the_widths_of_victim_tags(void **state)
{
    (void)state;
    static const struct {
        gm_victim_tags_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .warp = 7, .line = 15}, NULL},
        {{.op = 1, .warp = 4, .line = 15}, NULL},
        {{.op = 4}, "victim_tags: operation 4\n"},
        {{.op = 2, .warp = 5}, "victim_tags: warp 5 of 5\n"},
        {{.line = 16}, "victim_tags: line 0x10\n"},
    };
    victim_case it;
    gm_arena arena;
    gm_error error;
    const gm_victim_tags_parameters parameters = {.warps = 5, .sets = 2, .ways = 2, .line_bits = 4};
    test_ok(gm_arena_create(&arena, gm_victim_tags_bytes(&parameters), &error), error);
    test_ok(gm_victim_tags_init(&it.tags, &parameters, &arena, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_victims(&it);
        } else {
            aborts(ask_victims, &it, rows[i].text);
        }
    }
    it.request = (gm_victim_tags_request){.line = 6};
    ask_victims(&it);
    it.request.line = 8;
    it.tags.tag[0] = 8;
    aborts(ask_victims, &it, "victim_tags: row 0: tag 0x8 beyond 3 bits\n");
    gm_arena_free(&arena);
}

typedef struct score_case {
    gm_locality_score scores;
    gm_locality_score_request request;
} score_case;

static void ask_scores(void *state)
{
    score_case *it = state;
    gm_locality_score_access(&it->scores, it->request);
}

static void a_request_beyond_the_widths_of_locality_score(void **state)
{
    (void)state;
    static const struct {
        gm_locality_score_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 7, .warp = 7, .cycles = 31, .issued = 15}, NULL},
        {{.op = 0, .warp = 5}, NULL},
        {{.op = 2, .warp = 4}, NULL},
        {{.op = 8}, "locality_score: operation 8\n"},
        {{.op = 1, .warp = 5}, "locality_score: warp 5 of 5\n"},
        {{.cycles = 32}, "locality_score: 32 cycles, 0 instructions\n"},
        {{.issued = 16}, "locality_score: 0 cycles, 16 instructions\n"},
    };
    score_case it;
    const gm_locality_score_parameters parameters = {
        .warps = 5, .score_bits = 5, .base = 3, .throttle = 1, .hit_bits = 3, .issued_bits = 4};
    gm_error error;
    test_ok(gm_locality_score_init(&it.scores, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_scores(&it);
        } else {
            aborts(ask_scores, &it, rows[i].text);
        }
    }
    it.request = (gm_locality_score_request){.op = 3};
    it.scores.place[0].warp = 6;
    aborts(ask_scores, &it, "locality_score: place 0: warp 6\n");
}

typedef struct buffer_case {
    gm_atomic_buffer buffer;
    gm_atomic_buffer_request request;
} buffer_case;

static void ask_buffer(void *state)
{
    buffer_case *it = state;
    gm_atomic_buffer_access(&it->buffer, it->request);
}

static void a_request_beyond_the_widths_of_atomic_buffer(void **state)
{
    (void)state;
    static const struct {
        gm_atomic_buffer_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .line = 7, .sectors = 3, .valid = 3, .dirty = 3}, NULL},
        {{.op = 4}, "atomic_buffer: operation 4, line 0x0, sectors 0x0, valid 0x0, dirty 0x0\n"},
        {{.line = 8}, "atomic_buffer: operation 0, line 0x8, sectors 0x0, valid 0x0, dirty 0x0\n"},
        {{.sectors = 4},
         "atomic_buffer: operation 0, line 0x0, sectors 0x4, valid 0x0, dirty 0x0\n"},
        {{.valid = 4}, "atomic_buffer: operation 0, line 0x0, sectors 0x0, valid 0x4, dirty 0x0\n"},
        {{.dirty = 4}, "atomic_buffer: operation 0, line 0x0, sectors 0x0, valid 0x0, dirty 0x4\n"},
    };
    buffer_case it;
    const gm_atomic_buffer_parameters parameters = {.line_bits = 3, .sectors = 2};
    gm_error error;
    test_ok(gm_atomic_buffer_init(&it.buffer, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_buffer(&it);
        } else {
            aborts(ask_buffer, &it, rows[i].text);
        }
    }
    it.buffer.held = true;
    it.buffer.dirty = 2;
    it.request = (gm_atomic_buffer_request){.op = GM_ATOMIC_BUFFER_ACCESS, .line = 1};
    aborts(ask_buffer, &it, "atomic_buffer: line 0x0: sectors 0x2 dirty, 0x0 valid\n");
}

typedef struct queues_case {
    gm_cta_queues queues;
    gm_cta_queues_request request;
} queues_case;

static void ask_queues(void *state)
{
    queues_case *it = state;
    gm_cta_queues_access(&it->queues, it->request);
}

static void a_request_beyond_the_widths_of_cta_queues(void **state)
{
    (void)state;
    enum { START = GM_CTA_QUEUES_START };
    static const struct {
        gm_cta_queues_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = START, .ctas = 3}, NULL},
        {{.op = START, .ctas = 7, .size = 7, .tail = 7}, NULL},
        {{.sm = 2, .free = 3}, NULL},
        {{.op = START, .sm = 3, .ctas = 7, .size = 1}, NULL},
        {{.op = 2}, "cta_queues: operation 2, SM 0 of 3, free 0\n"},
        {{.sm = 3}, "cta_queues: operation 0, SM 3 of 3, free 0\n"},
        {{.free = 4}, "cta_queues: operation 0, SM 0 of 3, free 4\n"},
        {{.op = START, .ctas = 8, .size = 1}, "cta_queues: operation 1, ctas 8, size 1, tail 0\n"},
        {{.op = START, .size = 8}, "cta_queues: operation 1, ctas 0, size 8, tail 0\n"},
        {{.op = START, .size = 1, .tail = 8}, "cta_queues: operation 1, ctas 0, size 1, tail 8\n"},
    };
    queues_case it;
    const gm_cta_queues_parameters parameters = {
        .sms = 3, .cta_bits = 3, .mode = GM_CTA_QUEUES_GROUPS};
    gm_error error;
    gm_arena arena;
    test_ok(gm_arena_create(&arena, gm_cta_queues_bytes(parameters.sms), &error), error);
    test_ok(gm_cta_queues_init(&it.queues, &parameters, &arena, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_queues(&it);
        } else {
            aborts(ask_queues, &it, rows[i].text);
        }
    }
    it.request = (gm_cta_queues_request){.sm = 1, .free = 1};
    it.queues.next = 8;
    aborts(ask_queues, &it, "cta_queues: next 8 of 7, single 0\n");
    it.queues.next = 1;
    it.queues.single = true;
    aborts(ask_queues, &it, "cta_queues: next 1 of 7, single 1\n");
    it.queues.single = false;
    it.queues.next = 4;
    it.queues.queue[2] = (gm_cta_queue){4, 5, false};
    aborts(ask_queues, &it, "cta_queues: SM 2: 4 to 5, of the 4 before next; opened 0\n");
    it.queues.queue[2] = (gm_cta_queue){3, 2, false};
    aborts(ask_queues, &it, "cta_queues: SM 2: 3 to 2, of the 4 before next; opened 0\n");
    it.queues.queue[2] = (gm_cta_queue){2, 3, true};
    aborts(ask_queues, &it, "cta_queues: SM 2: 2 to 3, of the 4 before next; opened 1\n");
    gm_arena_free(&arena);
}

typedef struct contention_case {
    gm_contention_bypass bypass;
    gm_contention_bypass_request request;
} contention_case;

static void ask_contention(void *state)
{
    contention_case *it = state;
    gm_contention_bypass_access(&it->bypass, it->request);
}

static void a_request_beyond_the_widths_of_contention_bypass(void **state)
{
    (void)state;
    static const struct {
        gm_contention_bypass_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.touched = 7, .warps = 3, .lines = 15}, NULL},
        {{.touched = 8}, "contention_bypass: touched 8, warps 0, lines 0\n"},
        {{.warps = 4}, "contention_bypass: touched 0, warps 4, lines 0\n"},
        {{.lines = 16}, "contention_bypass: touched 0, warps 0, lines 16\n"},
    };
    contention_case it;
    const gm_contention_bypass_parameters parameters = {.touched = 4, .warps = 3, .lines = 8};
    gm_error error;
    test_ok(gm_contention_bypass_init(&it.bypass, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_contention(&it);
        } else {
            aborts(ask_contention, &it, rows[i].text);
        }
    }
}

typedef struct limiter_case {
    gm_warp_limiter limiter;
    gm_warp_limiter_request request;
} limiter_case;

static void ask_limiter(void *state)
{
    limiter_case *it = state;
    gm_warp_limiter_access(&it->limiter, it->request);
}

static void a_request_beyond_the_widths_of_warp_limiter(void **state)
{
    (void)state;
    static const struct {
        gm_warp_limiter_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.admit = 0x1f, .resume = 0x1f, .hold = 0x1f, .sets = 1, .limit = 7}, NULL},
        {{.admit = 0x20}, "warp_limiter: admit 20, resume 0, hold 0, sets 0, limit 0\n"},
        {{.resume = 0x20}, "warp_limiter: admit 0, resume 20, hold 0, sets 0, limit 0\n"},
        {{.hold = 0x20}, "warp_limiter: admit 0, resume 0, hold 20, sets 0, limit 0\n"},
        {{.sets = 2}, "warp_limiter: admit 0, resume 0, hold 0, sets 2, limit 0\n"},
        {{.limit = 8}, "warp_limiter: admit 0, resume 0, hold 0, sets 0, limit 8\n"},
    };
    limiter_case it;
    const gm_warp_limiter_parameters parameters = {.warps = 5};
    gm_error error;
    test_ok(gm_warp_limiter_init(&it.limiter, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_limiter(&it);
        } else {
            aborts(ask_limiter, &it, rows[i].text);
        }
    }
    it.request = (gm_warp_limiter_request){.resume = 1};
    it.limiter.counts = 0x20;
    aborts(ask_limiter, &it, "warp_limiter: counts 21: beyond 5 warps\n");
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
    aborts(ask_until_the_whole_store_is_checked, &it,
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
            aborts(ask_lease_store, &it, rows[i].text);
        }
    }
}

/* Two sets; lines 0 to 7, of which set 0 has the even ones. */
static void make_cache(gm_cache *cache, uint64_t ways, gm_replacement replacement)
{
    const gm_cache_parameters parameters = {.sets = 2, .ways = ways, .replacement = replacement};
    gm_error error;
    test_ok(gm_cache_init(cache, &parameters, &arena, &error), error);
    for (uint64_t line = 0; line < 8; line++) {
        gm_victim victim;
        uint32_t slot = gm_cache_allocate(cache, line, gm_cache_find(cache, line), &victim);
        gm_cache_state(cache, slot)->valid = 1;
        gm_cache_assert_access(cache, line);
    }
}

static void access_line_4(void *state)
{
    gm_cache_assert_access(state, 4);
}

static void access_line_4_in_the_whole_cache(void *state)
{
    for (unsigned i = 0; i < GM_ASSERT_PERIOD; i++) {
        access_line_4(state);
    }
}

/* Up to 16 ways, and with SRRIP and SHiP, the whole set of the line is checked, another set when
 * the cache is. */
static void a_wrong_set_of_a_cache(void **state)
{
    (void)state;
    static gm_cache cache;
    make_cache(&cache, 4, GM_REPLACE_LRU); /* set 0 has lines 0, 2, 4, 6 in ways 3, 2, 1, 0 */
    gm_cache_way *way = cache.way;
    way[3].state.dirty = 2;
    aborts(access_line_4, &cache, "cache: line 0x0: sectors 0x2 are dirty, 0x1 valid\n");
    way[3].state.dirty = 0;
    *gm_cache_head(&cache, 0) ^= 1;
    aborts(access_line_4, &cache, "cache: set 0: the order of its ways is broken at slot 0\n");
    *gm_cache_head(&cache, 0) ^= 1;
    way[7].tag = 0; /* of set 1 */
    access_line_4(&cache);
    aborts(access_line_4_in_the_whole_cache, &cache, "cache: set 1: line 0x0 belongs in set 0\n");
}

static void a_wrong_rank_of_a_cache(void **state)
{
    (void)state;
    static gm_cache cache;
    make_cache(&cache, 4, GM_REPLACE_SRRIP);
    cache.rrpvs.used[0] ^= 8;
    aborts(access_line_4, &cache, "cache: set 0: way 3 is free for its replacement\n");
}

/* Beyond 16 ways the newest line is checked, the others when the whole cache is. */
static void a_wrong_list_of_a_cache(void **state)
{
    (void)state;
    static gm_cache cache;
    make_cache(&cache, 20, GM_REPLACE_LRU);
    gm_cache_place newest = gm_cache_find(&cache, 4);
    gm_cache_touch(&cache, newest);
    cache.way[newest.slot].state.dirty = 2;
    aborts(access_line_4, &cache, "cache: line 0x4: sectors 0x2 are dirty, 0x1 valid\n");
    cache.way[newest.slot].state.dirty = 0;
    uint32_t older = cache.order[newest.slot].older;
    cache.order[newest.slot].older = newest.slot;
    access_line_4(&cache);
    aborts(access_line_4_in_the_whole_cache, &cache,
           "cache: set 0: the order of its ways is broken");
    cache.order[newest.slot].older = older;
    cache.way[older].state.dirty = 2;
    access_line_4(&cache);
    aborts(access_line_4_in_the_whole_cache, &cache, "sectors 0x2 are dirty, 0x1 valid\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_line_and_condition_are_named),
        cmocka_unit_test(nothing_is_evaluated_in_a_release_build),
        cmocka_unit_test(a_wrong_table_of_set_index),
        cmocka_unit_test(a_line_beyond_the_address_bits),
        cmocka_unit_test(a_wrong_entry_of_mshr),
        cmocka_unit_test(a_wrong_entry_elsewhere),
        cmocka_unit_test(a_wrong_rank_of_replacement),
        cmocka_unit_test(a_wrong_mark_of_sharing_lru),
        cmocka_unit_test(a_wrong_owner_in_tag_store),
        cmocka_unit_test(a_wrong_sharer_in_sharing_tracker),
        cmocka_unit_test(a_wrong_lease_in_tc_l1),
        cmocka_unit_test(a_wrong_owner_in_tc_l2),
        cmocka_unit_test(too_many_misses_in_sm_dueling),
        cmocka_unit_test(a_request_beyond_the_widths_of_mshr),
        cmocka_unit_test(a_request_beyond_the_widths_of_sm_dueling),
        cmocka_unit_test(a_wrong_entry_of_gwct),
        cmocka_unit_test(a_request_beyond_the_widths_of_gwct),
        cmocka_unit_test(a_request_beyond_the_widths_of_lifetime_predictor),
        cmocka_unit_test(a_request_beyond_the_widths_of_cores_sampling),
        cmocka_unit_test(a_request_beyond_the_widths_of_stream_gate),
        cmocka_unit_test(a_request_beyond_the_widths_of_locality_score),
        cmocka_unit_test(a_request_beyond_the_widths_of_victim_tags),
        cmocka_unit_test(a_request_beyond_the_widths_of_atomic_buffer),
        cmocka_unit_test(a_request_beyond_the_widths_of_contention_bypass),
        cmocka_unit_test(a_request_beyond_the_widths_of_cta_queues),
        cmocka_unit_test(a_request_beyond_the_widths_of_warp_limiter),
        cmocka_unit_test(a_line_twice_in_lease_store),
        cmocka_unit_test(a_request_beyond_the_widths_of_lease_store),
        cmocka_unit_test(a_wrong_set_of_a_cache),
        cmocka_unit_test(a_wrong_rank_of_a_cache),
        cmocka_unit_test(a_wrong_list_of_a_cache),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}

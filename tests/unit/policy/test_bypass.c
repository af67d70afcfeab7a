/* Bypass policies of the order engine's L1: step by step, worked by hand, and PDP on random
 * accesses beside a second implementation that keeps the counters of [li, 3.1] as they are
 * described. */
#include "goldmem/bits.h"
#include "policy/reference_counts.h"
#include "support/order/order_l1_run.h"

#include <errno.h>

static gm_config one_set(gm_l1_bypass bypass, uint64_t ways)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = 1;
    config.l1.size = ways * config.l1.line;
    config.l1.ways = ways;
    config.l1.bypass = bypass;
    return config;
}

static void play(const gm_config *config, const step *steps, size_t count)
{
    gm_error error;
    gm_order_machine machine;
    test_ok(gm_order_machine_init(&machine, config, false, &error), error);
    play_steps(&machine, steps, count);
    test_ok(gm_bypass_check(&machine.sm[0].l1.bypass, "L1", &error), error);
    gm_order_machine_free(&machine);
}

#define PLAY(config, steps) play(config, steps, sizeof(steps) / sizeof(steps)[0])

/* As without an L1: what stores would allocate goes round it too. */
static void ball(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "bypass", "R1:1"},       {LOAD, 1, 0x3, 0, "bypass", "R1:3"},
        {STORE, 1, 0x1, 0x1, "bypass", "W1:1"},    {LOCAL_STORE, 2, 0xf, 0xf, "bypass", "W2:f"},
        {LOCAL_LOAD, 2, 0x1, 0, "bypass", "R2:1"}, {STRONG, 1, 0x1, 0, "bypass", "R1:1"},
        {ATOMIC, 1, 0x1, 0, "bypass", "A1:1"},     {FLUSH, 0, 0, 0, "", ""},
    };
    gm_config config = one_set(GM_BYPASS_ALL, 2);
    config.l1.local_allocate = true;
    PLAY(&config, steps);
    config.l1.bypass = GM_BYPASS_NONE;
    config.l1.enabled = false;
    PLAY(&config, steps);
}

/* Two lines, distance 2. Beside each access what the counters are after it. */
static void pdp(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},       /* 1: 2 */
        {LOAD, 2, 0x1, 0, "miss", "R2:f"},       /* 1: 1, 2: 2 */
        {LOAD, 3, 0x3, 0, "bypass", "R3:3"},     /* both protected. 1: 0, 2: 1 */
        {LOAD, 3, 0x1, 0, "miss", "R3:f"},       /* in place of 1. 2: 0, 3: 2 */
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},       /* in place of 2. 3: 1, 1: 2 */
        {LOAD, 3, 0x1, 0, "hit", ""},            /* 3: 2, 1: 1 */
        {LOAD, 2, 0x1, 0, "bypass", "R2:1"},     /* 3: 1, 1: 0 */
        {STORE, 3, 0x1, 0, "hit+drops", "W3:1"}, /* an access too */
        {LOAD, 2, 0x1, 0, "miss", "R2:f"},       /* where nothing is. 1: 0, 2: 2 */
        {LOAD, 4, 0x1, 0, "miss", "R4:f"},       /* in place of 1. 2: 1, 4: 2 */
        {STORE, 9, 0x1, 0, "miss", "W9:1"},      /* 2: 0, 4: 1 */
        {LOAD, 4, 0x1, 0, "hit", ""},            /* 2: 0, 4: 2 */
        {LOAD, 5, 0x1, 0, "miss", "R5:f"},       /* in place of 2, though 4 is older. 4: 1, 5: 2 */
        {ATOMIC, 8, 0x1, 0, "bypass", "A8:1"},   /* looks for no line: no access */
        {LOAD, 1, 0x1, 0, "bypass", "R1:1"},     /* 4: 0, 5: 1 */
        {FLUSH, 0, 0, 0, "", ""},
        {LOAD, 1, 0x1, 0, "miss", "R1:f"},
    };
    gm_config config = one_set(GM_BYPASS_PDP, 2);
    config.l1.protecting_distance = 2;
    PLAY(&config, steps);
}

/* The check reports a line that is protected for longer than the distance. */
static void pdp_check(void **state)
{
    (void)state;
    gm_error error;
    gm_order_machine machine;
    gm_config config = one_set(GM_BYPASS_PDP, 2);
    config.l1.protecting_distance = 2;
    test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
    uint64_t *until = (uint64_t *)gm_bypass_protection(&machine.sm[0].l1.bypass, 0).until;
    if (until != NULL) {
        until[1] = 5;
    }
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_string_equal(error.text, "L1 of SM 0: slot 1 is protected for 3 more accesses than "
                                    "l1.protecting_distance allows");
    gm_order_machine_free(&machine);
}

/* A store that would allocate is sent on where all lines are protected; a missing sector of a line
 * that is there is no new line. */
static void pdp_stores(void **state)
{
    (void)state;
    static const step steps[] = {
        {STORE, 1, 0x1, 0x1, "miss", ""},     /* 1: 1 */
        {STORE, 2, 0x1, 0x1, "miss", "W2:1"}, /* protected: sent on. 1: 0 */
        {LOAD, 1, 0x3, 0, "miss", "R1:2"},    /* 1: 1 */
        {STORE, 1, 0x2, 0x2, "hit", ""},      /* 1: 1 */
        {LOAD, 2, 0x1, 0, "bypass", "R2:1"},  /* 1: 0 */
        {STORE, 2, 0x3, 0x3, "miss", "B1:3"}, /* in place of 1 */
    };
    gm_config config = one_set(GM_BYPASS_PDP, 1);
    config.l1.sectored = true;
    config.l1.protecting_distance = 1;
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    PLAY(&config, steps);
}

/* Lines by references of SM 0, which asks, and of SM 1: 1: 2 and 0, 2: 1 and 1, 3: 0 and 2, 4: 1
 * and 0. */
static void profiled(void **state)
{
    (void)state;
    static const char profile[] = "goldmem-profile 1\nl1.line 128\ngpu.sms 2\nsm.warps 48\n"
                                  "kernel 0 grid 1 1 1 block 32 1 1 lines 4\n"
                                  "1 0:2\n2 0:1 1:1\n3 1:2\n4 0:1\nend 1\n";
    static const struct {
        gm_profile_filter filter;
        bool kept[6]; /* of lines 0 to 5 */
    } rows[] = {
        {GM_PROFILE_LOCAL, {false, true, false, false, false, false}},
        {GM_PROFILE_GLOBAL, {false, false, false, true, false, false}},
        {GM_PROFILE_BOTH, {false, true, true, true, false, false}},
    };
    gm_config config = one_set(GM_BYPASS_PROFILED, 8);
    config.gpu.sms = 2;
    const char *path = test_file_write("profile", profile, sizeof profile - 1);
    test_text_copy(config.l1.profile, sizeof config.l1.profile, path);
    const gm_kernel kernel = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_error error;
        gm_order_machine machine;
        config.l1.profile_filter = rows[i].filter;
        config.l1.profile_threshold = 2;
        test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
        test_ok(gm_bypass_kernel(&machine.bypass, 0, &kernel, &error), error);
        for (unsigned line = 0; line < 6; line++) {
            const step steps[] = {
                {LOAD, line, 0x1, 0, "bypass", NULL},
                {LOAD, line, 0x1, 0, "bypass", NULL},
            };
            const step kept[] = {{LOAD, line, 0x1, 0, "miss", NULL},
                                 {LOAD, line, 0x1, 0, "hit", ""}};
            char sent[32];
            (void)snprintf(sent, sizeof sent, "R%u:%s", line, rows[i].kept[line] ? "f" : "1");
            step now[2];
            memcpy(now, rows[i].kept[line] ? kept : steps, sizeof now);
            now[0].sent = sent;
            now[1].sent = rows[i].kept[line] ? "" : sent;
            play_steps(&machine, now, 2);
        }
        gm_order_machine_free(&machine);
    }
}

/* The second implementation: counters that go down. */
enum { SETS = 4, MOST_WAYS = 20, LINES = 120, ACCESSES = 20000 };

typedef struct naive_line {
    uint64_t line, left, used;
    bool valid;
} naive_line;

typedef struct naive {
    naive_line set[SETS][MOST_WAYS];
    unsigned ways;
    uint64_t distance, now;
    bool fifo;
} naive;

static naive_line *naive_find(naive *naive, uint64_t line)
{
    for (unsigned way = 0; way < naive->ways; way++) {
        naive_line *entry = &naive->set[line % SETS][way];
        if (entry->valid && entry->line == line) {
            return entry;
        }
    }
    return NULL;
}

static naive_line *naive_victim(naive *naive, uint64_t line)
{
    naive_line *oldest = NULL;
    for (unsigned way = 0; way < naive->ways; way++) {
        naive_line *entry = &naive->set[line % SETS][way];
        if (!entry->valid) {
            return entry;
        }
        if (entry->left == 0 && (oldest == NULL || entry->used < oldest->used)) {
            oldest = entry;
        }
    }
    return oldest;
}

static void naive_count_down(naive *naive, uint64_t line)
{
    for (unsigned way = 0; way < naive->ways; way++) {
        naive_line *entry = &naive->set[line % SETS][way];
        entry->left -= entry->left != 0;
    }
}

static const char *naive_load(naive *naive, uint64_t line)
{
    naive_line *entry = naive_find(naive, line);
    bool hit = entry != NULL;
    if (!hit) {
        entry = naive_victim(naive, line);
    }
    naive_count_down(naive, line);
    naive->now++;
    if (entry == NULL) {
        return "bypass";
    }
    uint64_t used = hit && naive->fifo ? entry->used : naive->now;
    *entry = (naive_line){line, naive->distance, used, true};
    return hit ? "hit" : "miss";
}

static const char *naive_store(naive *naive, uint64_t line)
{
    naive_line *entry = naive_find(naive, line);
    naive_count_down(naive, line);
    if (entry != NULL) {
        entry->valid = false;
    }
    return entry != NULL ? "hit" : "miss";
}

static void pdp_beside_counters(void **state)
{
    (void)state;
    static const uint64_t distances[] = {0, 1, 2, 3, 5, 8, 16, 40, 256, 1000000};
    test_random random = test_random_start(61);
    uint64_t bypasses = 0;
    for (unsigned round = 0; round < 3 * (sizeof distances / sizeof *distances); round++) {
        gm_error error;
        gm_order_machine machine;
        naive naive = {.ways = (unsigned[]){1, 4, 20}[round % 3],
                       .distance = distances[round / 3],
                       .fifo = test_random_below(&random, 2) == 0};
        gm_config config = one_set(GM_BYPASS_PDP, naive.ways);
        config.l1.size *= SETS;
        config.l1.replacement = naive.fifo ? GM_REPLACE_FIFO : GM_REPLACE_LRU;
        config.l1.protecting_distance = naive.distance;
        test_ok(gm_order_machine_init(&machine, &config, false, &error), error);
        gm_order_l1 *l1d = &machine.sm[0].l1;
        for (unsigned i = 0; i < ACCESSES; i++) {
            /* near lines more often */
            uint64_t line = test_random_below(&random, 1 + test_random_below(&random, LINES));
            gm_line_request request = {.line = line, .sectors = 1};
            gm_outcome outcome = {0};
            const char *expected;
            if (test_random_below(&random, 20) == 0) {
                gm_order_l1_access(l1d, &request, GM_REQUEST_STORE, &outcome);
                expected = naive_store(&naive, line);
            } else {
                gm_order_l1_access(l1d, &request, GM_REQUEST_LOAD, &outcome);
                expected = naive_load(&naive, line);
            }
            bypasses += outcome.bypass;
            assert_string_equal(outcome.bypass ? "bypass" : outcome.hit ? "hit" : "miss", expected);
            gm_order_noc_deliver(&machine.noc);
        }
        test_ok(gm_bypass_check(&l1d->bypass, "L1", &error), error);
        gm_order_machine_free(&machine);
    }
    assert_true(bypasses > ACCESSES);
}

/* The counts of a profile beside a table of all lines and SMs. */
static void reference_counts(void **state)
{
    (void)state;
    enum { SMS = 7, ROUNDS = 3, NUMBERS = 3000 };
    test_random random = test_random_start(62);
    gm_reference_counts counts = {0};
    static uint32_t table[NUMBERS][SMS];
    for (unsigned round = 0; round < ROUNDS; round++) {
        memset(table, 0, sizeof table);
        for (unsigned i = 0; i < 40000; i++) {
            uint64_t line = test_random_below(&random, NUMBERS);
            uint32_t sm = (uint32_t)test_random_below(&random, SMS);
            uint32_t more = (uint32_t)test_random_below(&random, 4);
            gm_reference_counts_add(&counts, line << 33, sm, more);
            table[line][sm] += more;
        }
        for (unsigned line = 0; line < NUMBERS; line++) {
            for (uint32_t sm = 0; sm < SMS; sm++) {
                assert_int_equal(gm_reference_counts_get(&counts, (uint64_t)line << 33, sm),
                                 table[line][sm]);
            }
        }
        gm_reference_counts_sort(&counts);
        uint64_t at = 0;
        for (unsigned cell = 0; cell < NUMBERS * SMS; cell++) {
            if (table[cell / SMS][cell % SMS] != 0) {
                const gm_reference_count *count = &counts.bucket[at++];
                assert_true(count->line == (uint64_t)(cell / SMS) << 33);
                assert_int_equal(count->sm, cell % SMS);
                assert_int_equal(count->count, table[cell / SMS][cell % SMS]);
            }
        }
        assert_int_equal(at, counts.used);
        gm_reference_counts_clear(&counts);
    }
    gm_reference_counts_add(&counts, 1, 1, UINT32_MAX - 1);
    gm_reference_counts_add(&counts, 1, 1, 5);
    assert_true(gm_reference_counts_get(&counts, 1, 1) == UINT32_MAX);
    gm_reference_counts_free(&counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball),
        cmocka_unit_test(pdp),
        cmocka_unit_test(pdp_stores),
        cmocka_unit_test(pdp_check),
        cmocka_unit_test_setup_teardown(profiled, test_folder_setup, test_folder_teardown),
        cmocka_unit_test(pdp_beside_counters),
        cmocka_unit_test(reference_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

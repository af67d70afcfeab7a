/* Values: what a load may return, event by event, as an engine tells of them. Lines of 128 bytes, 4
 * sectors; two SMs; tickets and packet ids are arbitrary. */
#include "cache/values.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

enum { READ = 1, WRITE = 2, BACK = 3 }; /* packet ids */

typedef struct fixture {
    gm_config config;
    gm_values *values;
    uint64_t now;
    uint32_t loaded; /* value of the last load */
    uint64_t kernels;
} fixture;

static void loaded(void *context, const gm_value_warp *warp, uint64_t address, uint32_t value)
{
    (void)warp;
    (void)address;
    ((fixture *)context)->loaded = value;
}

static void begin_kernel(fixture *f)
{
    static gm_kernel kernel;
    test_text_copy(kernel.name, sizeof kernel.name, "k");
    gm_values_kernel(f->values, f->kernels++, &kernel);
}

static void start(fixture *f, gm_value_observer *observer)
{
    gm_error error;
    *observer = (gm_value_observer){.context = f, .loaded = loaded};
    gm_config_defaults(&f->config);
    test_ok(gm_values_create(&f->values, &f->config, "cycle", &f->now, observer, &error), error);
    begin_kernel(f);
}

static gm_value_request ask(fixture *f, uint32_t sm, uint64_t line, uint8_t words)
{
    const gm_value_warp warp = {.sm = sm, .cta = 5, .warp = 2};
    const gm_value_request request = {.sm = sm, .line = line, .sectors = 1};
    f->now++;
    gm_values_issue(f->values, 0, &warp);
    gm_values_ask(f->values, &request, &words, NULL);
    return request;
}

/* A store of words in the first sector of a line. */
static void store(fixture *f, uint32_t sm, uint64_t line, uint8_t words, gm_value_effect effect)
{
    gm_value_request request = ask(f, sm, line, words);
    gm_values_store(f->values, &request, &effect);
}

static void perform(fixture *f, gm_message_kind kind, uint32_t sm, uint32_t id, uint64_t line)
{
    gm_values_perform(f->values, kind, sm, id, line, 1, false, 0);
}

/* A store that goes through to the L2 and leaves nothing in the L1. */
static void store_through(fixture *f, uint32_t sm, uint64_t line, uint8_t words)
{
    store(f, sm, line, words, (gm_value_effect){.forwarded = 1, .id = WRITE});
    perform(f, GM_MESSAGE_WRITE, sm, WRITE, line);
}

/* A load that fetches the sector and installs it. Returns its value. */
static uint32_t load_missing(fixture *f, uint32_t sm, uint64_t line, uint8_t words)
{
    gm_value_request request = ask(f, sm, line, words);
    gm_values_load(f->values, &request, 0, READ);
    perform(f, GM_MESSAGE_READ, sm, READ, line);
    gm_values_install(f->values, sm, line, 1, 0, READ);
    gm_values_answer(f->values, sm, 0, line, UINT32_MAX, READ);
    gm_values_end_reply(f->values, sm, line, READ);
    return f->loaded;
}

static uint32_t load_held(fixture *f, uint32_t sm, uint64_t line, uint8_t words)
{
    gm_value_request request = ask(f, sm, line, words);
    gm_values_load(f->values, &request, 1, 0);
    return f->loaded;
}

/* Expects that no value was wrong, or the first wrong one. */
static void expect(fixture *f, const char *text)
{
    gm_error error = {.text = ""};
    int code = gm_values_check(f->values, &error);
    assert_int_equal(code, text == NULL ? 0 : -EPROTO);
    assert_string_equal(error.text, text == NULL ? "" : text);
    gm_values_free(f->values);
}

static void moves_values(void **state)
{
    (void)state;
    fixture f = {.now = 0};
    gm_value_observer observer;
    start(&f, &observer);
    assert_int_equal(load_missing(&f, 0, 7, 1), 0);
    store_through(&f, 1, 7, 1);                  /* value 1 */
    assert_int_equal(load_held(&f, 0, 7, 1), 0); /* an old copy: another SM's write */
    assert_int_equal(load_missing(&f, 0, 7, 1), 1);
    store_through(&f, 1, 7, 2); /* value 2: the next word */
    assert_int_equal(load_held(&f, 0, 7, 2), 0);
    gm_values_write_to_dram(f.values, 7, 1);
    gm_values_fetch(f.values, 7, 1);
    assert_int_equal(load_missing(&f, 0, 7, 2), 2);
    assert_int_equal(load_held(&f, 0, 7, 1), 1);
    expect(&f, NULL);
}

/* A store that waits for the line's data: loads in front of it get the fetched word, loads behind
 * it its own. */
static void stores_wait(void **state)
{
    (void)state;
    fixture f = {.now = 0};
    gm_value_observer observer;
    start(&f, &observer);
    gm_value_request before = ask(&f, 0, 7, 1);
    gm_values_load(f.values, &before, 0, READ);
    const gm_value_warp warp = {.sm = 0};
    const gm_value_request behind = {.sm = 0, .ticket = 1, .line = 7, .sectors = 1};
    gm_value_request own = behind;
    own.ticket = 2;
    const uint8_t words = 1;
    gm_values_issue(f.values, 2, &warp);
    gm_values_ask(f.values, &own, &words, NULL);
    gm_values_store(f.values, &own, &(gm_value_effect){.waiting = 1, .dirtied = 1, .entry = READ});
    gm_values_issue(f.values, 1, &warp);
    gm_values_ask(f.values, &behind, &words, NULL);
    gm_values_load(f.values, &behind, 0, READ);
    assert_int_equal(f.loaded, 1); /* answered at once: the store's value */
    f.loaded = 9;
    perform(&f, GM_MESSAGE_READ, 0, READ, 7);
    gm_values_install(f.values, 0, 7, 1, 1, READ);
    gm_values_answer(f.values, 0, 0, 7, UINT32_MAX, READ);
    assert_int_equal(f.loaded, 0);
    gm_values_end_reply(f.values, 0, 7, READ);
    assert_int_equal(load_held(&f, 0, 7, 1), 1);
    gm_values_write_back(f.values, 0, 7, 1, BACK);
    perform(&f, GM_MESSAGE_WRITE_BACK, 0, BACK, 7);
    assert_int_equal(load_missing(&f, 1, 7, 1), 1);
    expect(&f, NULL);
}

/* A write-back takes the words that its SM has written, not its old copies of other SMs' words. */
static void writes_own_words_back(void **state)
{
    (void)state;
    fixture f = {.now = 0};
    gm_value_observer observer;
    start(&f, &observer);
    load_missing(&f, 0, 7, 3);
    store_through(&f, 1, 7, 1);                                     /* value 1 */
    store(&f, 0, 7, 2, (gm_value_effect){.held = 1, .dirtied = 1}); /* value 2 */
    gm_values_write_back(f.values, 0, 7, 1, BACK);
    perform(&f, GM_MESSAGE_WRITE_BACK, 0, BACK, 7);
    assert_int_equal(load_missing(&f, 1, 7, 1), 1);
    assert_int_equal(load_missing(&f, 1, 7, 2), 2);
    expect(&f, NULL);
}

static void finds_a_lost_own_write(void **state)
{
    (void)state;
    fixture f = {.now = 0};
    gm_value_observer observer;
    start(&f, &observer);
    load_missing(&f, 0, 7, 1);
    store_through(&f, 0, 7, 1); /* the line is not dropped */
    load_held(&f, 0, 7, 1);
    expect(&f,
           "values: kernel 0 (k), cycle 3: SM 0, warp 2 of CTA 5: load of 0x380 saw what memory "
           "held at first, which is older than its SM's store 1 (SM 0, warp 2 of CTA 5, kernel "
           "0, cycle 2)");
}

static void finds_an_old_kernels_value(void **state)
{
    (void)state;
    fixture f = {.now = 0};
    gm_value_observer observer;
    start(&f, &observer);
    load_missing(&f, 0, 7, 1);
    store_through(&f, 1, 7, 1);
    begin_kernel(&f); /* without a flush */
    load_held(&f, 0, 7, 1);
    expect(&f,
           "values: kernel 1 (k), cycle 3: SM 0, warp 2 of CTA 5: load of 0x380 saw what memory "
           "held at first, which is older than the earlier kernels' store 1 (SM 1, warp 2 of "
           "CTA 5, kernel 0, cycle 2)");
}

static void finds_a_lost_line_of_the_l2(void **state)
{
    (void)state;
    fixture f = {.now = 0};
    gm_value_observer observer;
    start(&f, &observer);
    store_through(&f, 1, 7, 4);
    gm_values_fetch(f.values, 7, 1); /* the dirty line was not written back */
    load_missing(&f, 0, 7, 4);
    expect(&f,
           "values: kernel 0 (k), cycle 2: the L2's read for SM 0 of 0x388 saw what memory held "
           "at first, but the last write that it performed is store 1 (SM 1, warp 2 of CTA 5, "
           "kernel 0, cycle 1)");
}

static void copies(void **state)
{
    (void)state;
    fixture f = {.now = 0};
    gm_value_observer observer;
    start(&f, &observer);
    gm_values_copy(f.values, 7, 1, false);
    begin_kernel(&f);
    gm_values_fetch(f.values, 7, 1);
    assert_int_equal(load_missing(&f, 0, 7, 1), 1);
    gm_values_copy(f.values, 7, 1, true);
    load_held(&f, 0, 7, 1);
    expect(&f,
           "values: kernel 1 (k), cycle 2: SM 0, warp 2 of CTA 5: load of 0x380 saw store 1 "
           "(host copy before kernel 1), which is older than the earlier kernels' store 2 (host "
           "copy before kernel 2)");
}

/* A fence completes too early: a load has no data, a store is not performed, or is visible later.
 */
static void finds_an_early_fence(void **state)
{
    (void)state;
    static const struct {
        bool loads, stores, performs;
        uint64_t visible;
        const char *says;
    } rows[] = {
        {true, false, false, 0, "1 sectors of its loads have no data, 0 of its stores"},
        {false, true, false, 0, "0 sectors of its loads have no data, 1 of its stores"},
        {false, true, true, 3,
         "0 of its stores are not performed, and all SMs see one of the "
         "others behind cycle 3 only"},
        {false, true, true, 2, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f = {.now = 0};
        gm_value_observer observer;
        gm_error error = {.text = ""};
        start(&f, &observer);
        if (rows[i].loads) {
            gm_value_request request = ask(&f, 0, 7, 1);
            gm_values_load(f.values, &request, 0, READ);
        }
        if (rows[i].stores) {
            store(&f, 0, 7, 3, (gm_value_effect){.forwarded = 1, .id = WRITE});
        }
        if (rows[i].performs) {
            gm_values_perform(f.values, GM_MESSAGE_WRITE, 0, WRITE, 7, 1, false, rows[i].visible);
        }
        f.now = 3;
        gm_values_fence(f.values, 0, 0, 0);
        int code = gm_values_check(f.values, &error);
        assert_int_equal(code, rows[i].says == NULL ? 0 : -EPROTO);
        assert_true(rows[i].says == NULL || strstr(error.text, rows[i].says) != NULL);
        gm_values_free(f.values);
    }
}

/* A load merges with a request whose data are older than what was visible at its warp's fence. */
static void finds_a_load_that_merged_past_a_fence(void **state)
{
    (void)state;
    for (unsigned fences = 0; fences < 2; fences++) {
        fixture f = {.now = 0};
        gm_value_observer observer = {.context = &f, .loaded = loaded};
        gm_error error = {.text = ""};
        gm_config_defaults(&f.config);
        f.config.coherence.protocol = GM_COHERENCE_TCW;
        test_ok(gm_values_create(&f.values, &f.config, "cycle", &f.now, &observer, &error), error);
        begin_kernel(&f);
        perform(&f, GM_MESSAGE_READ, 0, READ, 7);
        f.now = 10;
        store(&f, 1, 7, 1, (gm_value_effect){.forwarded = 1, .id = WRITE});
        gm_values_perform(f.values, GM_MESSAGE_WRITE, 1, WRITE, 7, 1, false, 11);
        f.now = 20;
        ask(&f, 0, 8, 1);
        if (fences == 1) {
            gm_values_fence(f.values, 0, 0, 0);
        }
        gm_value_request request = ask(&f, 0, 7, 1);
        request.since = 5;
        gm_values_load(f.values, &request, 0, READ);
        gm_values_answer(f.values, 0, 0, 7, UINT32_MAX, READ);
        assert_int_equal(gm_values_check(f.values, &error), fences == 1 ? -EPROTO : 0);
        assert_true(fences == 0 || strstr(error.text, "older than the visible store 1") != NULL);
        gm_values_free(f.values);
    }
}

/* Two loads of a warp from a word that another SM writes between their reads at the L2; `first` is
 * read first, `answered` first is answered first. Program order: load 0, load 1. */
static void finds_loads_in_the_wrong_order(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        for (unsigned answered = 0; answered < 2; answered++) {
            fixture f = {.now = 1};
            gm_error error = {.text = ""};
            const uint8_t words = 1;
            const gm_value_warp warp = {.sm = 0, .cta = 5, .warp = 2};
            gm_config_defaults(&f.config);
            f.config.coherence.protocol = GM_COHERENCE_TCW;
            test_ok(gm_values_create(&f.values, &f.config, "cycle", &f.now, NULL, &error), error);
            begin_kernel(&f);
            for (uint32_t ticket = 0; ticket < 2; ticket++) {
                const gm_value_request load = {.sm = 0, .ticket = ticket, .line = 7, .sectors = 1};
                gm_values_issue(f.values, ticket, &warp);
                gm_values_ask(f.values, &load, &words, NULL);
                gm_values_load(f.values, &load, 0, READ + 10 * ticket);
            }
            perform(&f, GM_MESSAGE_READ, 0, READ + 10 * first, 7);
            store(&f, 1, 7, 1, (gm_value_effect){.forwarded = 1, .id = WRITE});
            gm_values_perform(f.values, GM_MESSAGE_WRITE, 1, WRITE, 7, 1, false, 100);
            perform(&f, GM_MESSAGE_READ, 0, READ + 10 * (1 - first), 7);
            gm_values_answer(f.values, 0, answered, 7, UINT32_MAX, READ + 10 * answered);
            gm_values_answer(f.values, 0, 1 - answered, 7, UINT32_MAX, READ + 10 * (1 - answered));
            assert_int_equal(gm_values_check(f.values, &error), first == 0 ? 0 : -EPROTO);
            assert_true(first == 0 ||
                        strstr(error.text, "load of 0x380 saw what memory held at first, which is "
                                           "older than its earlier load's store 1") != NULL);
            gm_values_free(f.values);
        }
    }
}

/* SM 0's copy lacks a store of SM 1. With one tracker for both no FILL may register it, and it may
 * supply nobody; with a tracker for each it may. A copy that has the store may do both. */
static void finds_an_old_copy_of_a_sharer(void **state)
{
    (void)state;
    static const struct {
        uint64_t trackers;
        bool supplies, refetches;
        const char *text;
    } rows[] = {
        {1, false, false, "values: kernel 0 (k), cycle 2: SM 0: registered copy of 0x380 "},
        {1, true, false, "values: kernel 0 (k), cycle 2: SM 1: supply by SM 0 of 0x380 "},
        {1, false, true, ""},
        {1, true, true, ""},
        {2, false, false, ""},
        {2, true, false, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f = {.now = 0};
        gm_error error = {.text = ""};
        gm_config_defaults(&f.config);
        f.config.gpu.sms = 2;
        f.config.tracker.enabled = true;
        f.config.tracker.trackers = rows[i].trackers;
        test_ok(gm_values_create(&f.values, &f.config, "cycle", &f.now, NULL, &error), error);
        begin_kernel(&f);
        load_missing(&f, 0, 7, 1);
        store_through(&f, 1, 7, 1);
        if (rows[i].refetches) {
            load_missing(&f, 0, 7, 1);
        }
        if (rows[i].supplies) {
            gm_values_supply(f.values, 1, 0, 7, 1, READ);
        } else {
            gm_values_register(f.values, 0, 7, 1);
        }
        const bool wrong = rows[i].text[0] != '\0';
        assert_int_equal(gm_values_check(f.values, &error), wrong ? -EPROTO : 0);
        if (wrong) {
            assert_memory_equal(error.text, rows[i].text, strlen(rows[i].text));
            assert_non_null(strstr(error.text, "older than its tracker's store 1 (SM 1"));
        }
        gm_values_free(f.values);
    }
}

/* An L1 in which atomics leave old data has no values to check. */
static void refuse_old_data(void **state)
{
    (void)state;
    gm_config config;
    gm_values *values = NULL;
    gm_error error;
    uint64_t now = 0;
    gm_config_defaults(&config);
    config.l1.keep_bypassed = true;
    assert_int_equal(gm_values_create(&values, &config, "cycle", &now, NULL, &error), -EINVAL);
    assert_string_equal(error.text, "--check=values: l1.keep_bypassed=yes lets loads see old "
                                    "values; it needs no");
    assert_null(values);
    config.l1.keep_bypassed = false;
    config.l1.parts = true;
    assert_int_equal(gm_values_create(&values, &config, "cycle", &now, NULL, &error), -EINVAL);
    assert_string_equal(error.text,
                        "--check=values: l1.parts=yes keeps no values of parts; it needs no");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_values),
        cmocka_unit_test(stores_wait),
        cmocka_unit_test(writes_own_words_back),
        cmocka_unit_test(finds_a_lost_own_write),
        cmocka_unit_test(finds_an_old_kernels_value),
        cmocka_unit_test(finds_a_lost_line_of_the_l2),
        cmocka_unit_test(copies),
        cmocka_unit_test(finds_an_early_fence),
        cmocka_unit_test(finds_a_load_that_merged_past_a_fence),
        cmocka_unit_test(finds_loads_in_the_wrong_order),
        cmocka_unit_test(finds_an_old_copy_of_a_sharer),
        cmocka_unit_test(refuse_old_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

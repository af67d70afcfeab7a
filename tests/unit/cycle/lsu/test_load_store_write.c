/* The write port of the load/store unit (sm.write_port): when registers are written, worked by
 * hand. */
#include "support/cycle/lsu/load_store_run.h"

/* An L1 whose look-ups come 10 cycles after the coalescer, loads from shared memory of 30 cycles.
 */
static gm_config with_port(void)
{
    gm_config config = defaults();
    config.sm.collectors = 8;
    config.sm.register_banks = 8;
    config.sm.register_queues = true;
    config.sm.write_port = true;
    config.l1.lookup = GM_LOOKUP_LAST;
    config.l1.latency = 10;
    config.l1.hit_delay = 0;
    config.l1.keep_bypassed = config.l1.bypass_early = true;
    config.unit.shared = 30;
    return config;
}

static void issue(fixture *fixture, gm_request_kind kind, uint32_t ticket, uint64_t line,
                  uint32_t requests, uint32_t passes, gm_cycle now)
{
    const gm_line_request request = {.line = line, .lanes = 1, .sectors = 1};
    const gm_memory_access access = {.request = &request,
                                     .requests = requests,
                                     .ticket = ticket,
                                     .kind = (uint8_t)kind,
                                     .passes = passes};
    gm_load_store_issue(&fixture->unit, &access, now);
}

/* An access: what the instruction issued in cycle `at` is. */
typedef struct test_access {
    gm_request_kind kind;
    uint32_t ticket;
    uint64_t line;
    uint32_t requests, passes;
    gm_cycle at;
} test_access;

enum { TEST_ACCESSES = 4 };

static void cycles(void **state)
{
    (void)state;
    static const struct {
        test_access access[TEST_ACCESSES];
        const char *done;
    } rows[] = {
        /* Looked up in 110, sent in 111, arrives in 131, leaves its entry in 132. */
        {{{GM_REQUEST_LOAD, 1, 5, 1, 0, 99}}, "1@133"},
        /* The second waits in the same entry, a third looks the line up when it has arrived. */
        {{{GM_REQUEST_LOAD, 1, 5, 1, 0, 99},
          {GM_REQUEST_LOAD, 2, 5, 1, 0, 100},
          {GM_REQUEST_LOAD, 3, 5, 1, 0, 120}},
         "3@131 1@133 2@134"},
        /* ... or in the cycle before, when it waits too. */
        {{{GM_REQUEST_LOAD, 1, 5, 1, 0, 99},
          {GM_REQUEST_LOAD, 2, 5, 1, 0, 100},
          {GM_REQUEST_LOAD, 3, 5, 1, 0, 119}},
         "1@133 2@134 3@135"},
        /* A strong load leaves in the cycle in which it is taken, 100, and arrives in 120. */
        {{{GM_REQUEST_STRONG_LOAD, 1, 5, 1, 0, 99}}, "1@122"},
        /* A pass in 100; its data are there in 129. */
        {{{GM_REQUEST_LOAD, 1, 0, 0, 1, 99}}, "1@130"},
        /* Both in 132, and the other entry in 133: shared memory first, then that which waits. */
        {{{GM_REQUEST_LOAD, 1, 5, 1, 0, 99},
          {GM_REQUEST_LOAD, 2, 6, 1, 0, 100},
          {GM_REQUEST_LOAD, 3, 0, 0, 1, 102},
          {GM_REQUEST_LOAD, 4, 0, 0, 1, 103}},
         "3@133 1@134 4@135 2@136"},
        /* An entry from 132 on, data that bypass the L1 from 133 on: these have the next turn. */
        {{{GM_REQUEST_LOAD, 1, 5, 1, 0, 99},
          {GM_REQUEST_LOAD, 2, 5, 1, 0, 100},
          {GM_REQUEST_STRONG_LOAD, 3, 7, 1, 0, 110}},
         "1@133 3@134 2@135"},
        /* A store has no registers: it is done when its acknowledgement arrives. */
        {{{GM_REQUEST_LOAD, 1, 5, 1, 0, 99}, {GM_REQUEST_STORE, 2, 6, 1, 0, 100}}, "2@132 1@133"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        fixture fixture;
        gm_config config = with_port();
        make(&fixture, &config);
        for (size_t k = 0; k < TEST_ACCESSES && rows[i].access[k].at != 0; k++) {
            const test_access *access = &rows[i].access[k];
            run_until(&fixture, access->at, text, sizeof text);
            issue(&fixture, access->kind, access->ticket, access->line, access->requests,
                  access->passes, access->at);
        }
        run_until(&fixture, 500, text, sizeof text);
        assert_string_equal(text, rows[i].done);
        assert_true(gm_load_store_idle(&fixture.unit));
        destroy(&fixture);
    }
}

/* While other units write into the banks of its registers, a request stays in the port, and the one
 * behind it where it is. */
static void waits_for_banks(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = with_port();
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 5, 1, 0, 99);
    issue(&fixture, GM_REQUEST_LOAD, 2, 6, 1, 0, 99);
    run_until(&fixture, 132, text, sizeof text);
    assert_string_equal(text, "");
    fixture.unit.port.waits = true;
    run_until(&fixture, 140, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(fixture.unit.port.ticket, 1);
    assert_int_equal(fixture.unit.l1.entries, 1); /* of the request behind */
    fixture.unit.port.waits = false;
    run_until(&fixture, 200, text, sizeof text);
    assert_string_equal(text, "1@141 2@142");
    destroy(&fixture);
}

/* A fetch of instructions leaves in its own cycle, 100, and not in the next one. */
static void fetches_leave_at_once(void **state)
{
    (void)state;
    for (unsigned port = 0; port < 2; port++) {
        char text[256];
        fixture fixture;
        gm_config config = with_port();
        config.sm.write_port = port == 1;
        make(&fixture, &config);
        gm_load_store_fetch(&fixture.unit, 9, 1, 0, 100);
        run_until(&fixture, 119, text, sizeof text);
        assert_int_equal(fixture.unit.l1.fetched, 0);
        run_until(&fixture, 120, text, sizeof text);
        assert_int_equal(fixture.unit.l1.fetched, port);
        run_until(&fixture, 121, text, sizeof text);
        assert_int_equal(fixture.unit.l1.fetched, 1);
        destroy(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles),
        cmocka_unit_test(waits_for_banks),
        cmocka_unit_test(fetches_leave_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

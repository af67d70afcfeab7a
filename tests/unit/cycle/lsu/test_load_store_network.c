/* Load/store units of several SMs over the interconnect itself, with L2 banks that answer as soon
 * as they can: visiting only what wants a visit gives the same as visiting everything in every
 * cycle. */
#include "cycle/lsu/load_store.h"
#include "order/order_machine.h"
#include "support/support.h"

enum { SMS = 3, BANKS = 2, ACCESSES = 300, LINES = 4, LONG = 100000 };

enum { REPLIES = BANKS, REQUESTS, FIRST_SM, WAKES = FIRST_SM + SMS }; /* after the banks */

typedef struct fixture {
    gm_arena arena;
    gm_cycle_l1_shared shared;
    gm_network requests, replies;
    gm_load_store unit[SMS];
    gm_cycle wake[WAKES];
    uint32_t issued[SMS], done[SMS];
    uint64_t hash;
} fixture;

static void make(fixture *fixture, const gm_config *config)
{
    gm_error error;
    memset(fixture, 0, sizeof *fixture);
    gm_network_parameters requests = gm_network_parameters_of(config, GM_NETWORK_REQUESTS);
    gm_network_parameters replies = gm_network_parameters_of(config, GM_NETWORK_REPLIES);
    test_ok(gm_config_check(config, &error), error);
    test_ok(gm_cycle_l1_shared_init(&fixture->shared, config, &fixture->requests, &fixture->replies,
                                    &error),
            error);
    size_t bytes = gm_network_bytes(&requests) + gm_network_bytes(&replies) +
                   SMS * gm_load_store_bytes(&fixture->shared, config);
    gm_arena *arena = &fixture->arena;
    test_ok(gm_arena_create(arena, bytes, &error), error);
    test_ok(gm_network_init(&fixture->requests, &requests, arena, &error), error);
    test_ok(gm_network_init(&fixture->replies, &replies, arena, &error), error);
    for (uint32_t sm = 0; sm < SMS; sm++) {
        test_ok(gm_load_store_init(&fixture->unit[sm], &fixture->shared, config, sm, arena, &error),
                error);
        fixture->unit[sm].wake = &fixture->wake[FIRST_SM + sm];
    }
    gm_cycle *sm_wake = &fixture->wake[FIRST_SM];
    gm_network_connect(&fixture->requests, sm_wake, fixture->wake, &fixture->wake[REQUESTS]);
    gm_network_connect(&fixture->replies, fixture->wake, sm_wake, &fixture->wake[REPLIES]);
}

static void destroy(fixture *fixture)
{
    for (uint32_t sm = 0; sm < SMS; sm++) {
        gm_load_store_free(&fixture->unit[sm]);
    }
    gm_arena_free(&fixture->arena);
}

/* Answers the oldest request if the interconnect takes the answer. */
static void step_bank(fixture *fixture, uint32_t bank, gm_cycle now)
{
    const gm_packet *request = gm_network_peek(&fixture->requests, bank, now);
    if (request == NULL) {
        gm_wake(&fixture->wake[bank], gm_network_arrival(&fixture->requests, bank));
        return;
    }
    gm_packet reply = *request;
    reply.response = 1;
    if (gm_network_has_room(&fixture->replies, bank, &reply)) {
        gm_network_send(&fixture->replies, bank, &reply, now);
        gm_network_pop(&fixture->requests, bank, now);
    }
}

static void step_sm(fixture *fixture, uint32_t sm, test_random *random, gm_cycle now)
{
    static const gm_request_kind kinds[] = {GM_REQUEST_LOAD, GM_REQUEST_LOAD, GM_REQUEST_STORE,
                                            GM_REQUEST_LOAD, GM_REQUEST_ATOMIC};
    gm_load_store *unit = &fixture->unit[sm];
    gm_load_store_step(unit, now);
    for (uint32_t i = 0; i < unit->done_count; i++) {
        fixture->hash =
            (fixture->hash ^ (now << 16 | sm << 12 | unit->done[i])) * UINT64_C(0x9e3779b97f4a7c15);
        fixture->done[sm]++;
    }
    if (fixture->issued[sm] < ACCESSES && gm_load_store_has_room(unit)) {
        gm_line_request request[LINES];
        for (uint32_t i = 0; i < LINES; i++) {
            request[i] = (gm_line_request){.line = test_random_below(random, 200),
                                           .lanes = 1,
                                           .sectors = 1 + (uint32_t)test_random_below(random, 15)};
        }
        const gm_memory_access access = {
            .request = request,
            .requests = 1 + (uint32_t)test_random_below(random, LINES),
            .ticket = fixture->issued[sm]++,
            .kind = (uint8_t)kinds[test_random_below(random, 5)],
        };
        gm_load_store_issue(unit, &access, now);
    }
}

static void visit(fixture *fixture, uint32_t number, test_random *random, gm_cycle now)
{
    if (number < BANKS) {
        step_bank(fixture, number, now);
    } else if (number == REPLIES) {
        gm_network_step(&fixture->replies, now);
    } else if (number == REQUESTS) {
        gm_network_step(&fixture->requests, now);
    } else {
        step_sm(fixture, number - FIRST_SM, &random[number - FIRST_SM], now);
    }
}

/* The cycle in which all is over. */
static gm_cycle run(fixture *fixture, bool skip, const test_random *seed)
{
    test_random random[SMS]; /* one for each, whatever the order of visits */
    for (uint32_t sm = 0; sm < SMS; sm++) {
        random[sm].state = seed->state + sm;
    }
    for (gm_cycle now = 0; now < LONG; now++) {
        bool over = true;
        for (uint32_t i = 0; i < WAKES; i++) {
            if (!skip || fixture->wake[i] <= now) {
                fixture->wake[i] = GM_NEVER;
                visit(fixture, i, random, now);
            }
        }
        for (uint32_t sm = 0; sm < SMS; sm++) {
            over = over && fixture->done[sm] == ACCESSES && gm_load_store_idle(&fixture->unit[sm]);
        }
        if (over) {
            return now;
        }
    }
    fail_msg("not over after %d cycles", LONG);
    return LONG;
}

static gm_config random_config(test_random *random)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = SMS;
    config.memory.partitions = BANKS;
    config.l2.size = config.l2.line * config.l2.ways * BANKS * 64;
    config.noc.topology =
        test_random_below(random, 3) == 0 ? GM_TOPOLOGY_MESH : GM_TOPOLOGY_CROSSBAR;
    config.noc.buffer = config.noc.ejection = 1 + test_random_below(random, 8);
    config.noc.latency = 1 + test_random_below(random, 20);
    config.clock.noc = 300 + test_random_below(random, 1200);
    config.l1.mshrs = 1 + test_random_below(random, 32);
    config.l1.merges = 1 + test_random_below(random, 8);
    config.l1.miss_queue = 1 + test_random_below(random, 8);
    config.l1.allocation =
        test_random_below(random, 2) == 0 ? GM_ALLOCATE_ON_MISS : GM_ALLOCATE_ON_FILL;
    return config;
}

static void skipping_changes_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start(31);
    for (unsigned runs = 0; runs < 12; runs++) {
        gm_error error;
        gm_config config = random_config(&random);
        uint64_t hash[2];
        gm_cycle end[2];
        for (unsigned skip = 0; skip < 2; skip++) {
            fixture fixture;
            make(&fixture, &config);
            end[skip] = run(&fixture, skip != 0, &random);
            hash[skip] = fixture.hash;
            for (uint32_t sm = 0; sm < SMS; sm++) {
                test_ok(gm_load_store_check(&fixture.unit[sm], &error), error);
            }
            test_ok(gm_network_check(&fixture.requests, &error), error);
            test_ok(gm_network_check(&fixture.replies, &error), error);
            destroy(&fixture);
        }
        assert_int_equal(end[0], end[1]);
        assert_true(hash[0] == hash[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The timed L1 that is sharing-aware [tabbakh, V-B, VI], of the shipped size: fermi-sharing, 32
 * sets of 4 ways. What comes in, as which class, and what leaves, in each set. The networks are the
 * test's. */
#include "cache/cache_sharing.h"
#include "cycle/l1/l1.h"
#include "support/order/order_run.h"

#include <string.h>

enum { SETS = 32, WAYS = 4, ALL = 0xf };

static gm_network requests, replies; /* nothing but their addresses is used */
static struct {
    gm_packet sent, answer;
    bool answered; /* an answer waits for the L1 */
} net;

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    (void)network;
    (void)output;
    return net.answered ? 0 : GM_NEVER;
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    return gm_network_arrival(network, output) <= now ? &net.answer : NULL;
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    assert_non_null(gm_network_peek(network, output, now));
    net.answered = false;
}

bool gm_network_refuses(const gm_network *network, uint32_t input)
{
    (void)network;
    (void)input;
    return false;
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    (void)network;
    (void)input;
    (void)now;
    net.sent = *packet;
    return true;
}

typedef struct fixture {
    gm_config config;
    gm_cycle_l1_shared shared;
    gm_arena arena;
    gm_cycle_l1 l1;
    gm_cycle now;
    uint32_t ticket;
} fixture;

static int setup(void **state)
{
    gm_error error;
    fixture *f = test_calloc(1, sizeof *f);
    memset(&net, 0, sizeof net);
    f->config = order_preset("fermi-sharing");
    f->config.sharing.enabled = true;
    test_ok(gm_config_check(&f->config, &error), error);
    test_ok(gm_cycle_l1_shared_init(&f->shared, &f->config, &requests, &replies, &error), error);
    test_ok(gm_arena_create(&f->arena, gm_cycle_l1_bytes(&f->shared), &error), error);
    test_ok(gm_cycle_l1_init(&f->l1, &f->shared, 0, &f->arena, &error), error);
    assert_int_equal(f->l1.cache.parameters.sets, SETS);
    assert_int_equal(f->l1.cache.ways, WAYS);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    gm_cycle_l1_free(&f->l1);
    gm_bypass_shared_free(&f->shared.bypass);
    gm_arena_free(&f->arena);
    test_free(f);
    return 0;
}

static gm_cycle_l1_answer access_line(fixture *f, gm_request_kind kind, uint64_t line, bool local)
{
    const gm_line_request request = {.line = line, .sectors = ALL, .whole = ALL, .local = local};
    const gm_cycle_l1_request attempt = {
        .line = &request, .kind = kind, .ticket = ++f->ticket, .began = ++f->now};
    uint32_t answers;
    return gm_cycle_l1_access(&f->l1, &attempt, f->now, &answers);
}

static uint32_t slot_of(const fixture *f, uint64_t line)
{
    return gm_cache_find(&f->l1.cache, line).slot;
}

/* Returns whether the L1 has the line. */
static bool has(const fixture *f, uint64_t line)
{
    return slot_of(f, line) != GM_NO_SLOT;
}

static bool is_shared(const fixture *f, uint64_t line)
{
    assert_true(has(f, line));
    return gm_cache_sharing_is_shared(&f->l1.cache, slot_of(f, line));
}

static void send_all(fixture *f)
{
    while (!gm_ring_is_empty(&f->l1.queue)) {
        assert_true(gm_cycle_l1_send(&f->l1, ++f->now));
    }
}

/* A load misses, and the L2 says whether the line is shared. Its data answer the load, whether the
 * line comes in or not. Returns whether it came in. */
static bool fill(fixture *f, uint64_t line, bool shared, bool local)
{
    uint32_t ticket;
    assert_int_equal(access_line(f, GM_REQUEST_LOAD, line, local), GM_CYCLE_L1_TAKEN);
    send_all(f);
    assert_int_equal(net.sent.kind, GM_MESSAGE_READ);
    assert_int_equal(net.sent.line, line);
    assert_int_equal(net.sent.flags, local ? GM_PACKET_LOCAL : 0);
    net.answer = net.sent;
    net.answer.response = 1;
    net.answer.flags |= shared ? GM_PACKET_SHARED : 0;
    net.answered = true;
    gm_cycle_l1_reply(&f->l1, ++f->now, &ticket);
    assert_int_equal(ticket, f->ticket);
    send_all(f);
    return has(f, line);
}

static void hit(fixture *f, uint64_t line)
{
    assert_int_equal(access_line(f, GM_REQUEST_LOAD, line, false), GM_CYCLE_L1_HIT);
}

/* Shared lines leave before private ones. The oldest line, private, is dead when it is passed over,
 * and leaves next [VI-B, Figure 12]; a hit makes it alive. */
static void shared_lines_leave_first(void **state)
{
    fixture *f = *state;
    for (uint64_t set = 0; set < SETS; set++) {
        uint64_t line[7];
        for (unsigned i = 0; i < 7; i++) {
            line[i] = set + (uint64_t)i * SETS;
        }
        for (unsigned i = 0; i < WAYS; i++) { /* private, shared, private, shared */
            assert_true(fill(f, line[i], i % 2 != 0, false));
            assert_int_equal(is_shared(f, line[i]), i % 2 != 0);
        }
        assert_true(fill(f, line[4], true, false));
        assert_false(has(f, line[1])); /* the oldest shared one; line 0 is dead */
        assert_true(fill(f, line[5], true, false));
        assert_false(has(f, line[0])); /* dead, though others are shared */
        assert_true(has(f, line[2]) && has(f, line[3]) && has(f, line[4]));
        assert_true(fill(f, line[6], false, false)); /* line 2 is dead, line 3 leaves */
        assert_false(has(f, line[3]));
        hit(f, line[2]);
        assert_true(fill(f, line[0], false, false)); /* line 4 is the oldest */
        assert_true(has(f, line[2]));
        assert_false(has(f, line[4]));
        assert_int_equal(f->l1.cache.sharing->statistics.l1_dead_marked, 2 * (set + 1));
        assert_int_equal(f->l1.cache.sharing->statistics.l1_dead_evicted, set + 1);
    }
}

/* A set of private lines: a shared one bypasses it and declares the oldest dead, which the next one
 * replaces; a private and a local one replace the oldest at once, also if the L2 calls the local
 * one shared [V-B1]. */
static void private_sets(void **state)
{
    fixture *f = *state;
    for (uint64_t set = 0; set < SETS; set++) {
        for (uint64_t i = 0; i < WAYS; i++) {
            assert_true(fill(f, set + i * SETS, false, false));
        }
        assert_false(fill(f, set + 10 * SETS, true, false));
        assert_true(has(f, set));
        assert_true(fill(f, set + 11 * SETS, true, false));
        assert_false(has(f, set));
        assert_true(fill(f, set + 12 * SETS, false, false)); /* for the shared line 11 */
        assert_false(has(f, set + 11 * SETS));
        hit(f, set + SETS);
        assert_true(fill(f, set + 100 * SETS, true, true));
        assert_false(is_shared(f, set + 100 * SETS));
        assert_false(has(f, set + 2 * SETS));
        assert_true(has(f, set + SETS) && has(f, set + 3 * SETS) && has(f, set + 12 * SETS));
    }
    assert_int_equal(f->l1.cache.sharing->statistics.l1_fills_bypassed, SETS);
}

/* A store that covers its line asks nothing: the line comes in as private, behind a shared fill,
 * too, and replaces a shared line. */
static void covered_lines_are_private(void **state)
{
    fixture *f = *state;
    for (uint64_t set = 0; set < SETS; set++) {
        for (uint64_t i = 0; i < WAYS; i++) {
            assert_true(fill(f, set + i * SETS, true, false));
        }
        assert_int_equal(access_line(f, GM_REQUEST_STORE, set + 20 * SETS, false),
                         GM_CYCLE_L1_TAKEN);
        send_all(f);
        assert_int_equal(net.sent.kind, GM_MESSAGE_WRITE);
        assert_false(is_shared(f, set + 20 * SETS));
        assert_false(has(f, set));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(shared_lines_leave_first),
        TEST(private_sets),
        TEST(covered_lines_are_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

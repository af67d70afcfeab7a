/* The timed L1 with sharing trackers, by hand: what it sends in which order, whom it supplies when,
 * which stores wait, and which of two ports brings data. The networks are the test's. */
#include "cycle/l1/l1_tracker.h"
#include "support/cache/message_letters.h"
#include "support/order/order_run.h"

#include <string.h>

enum { PACKETS = 64, WIRE = 5, L1_LATENCY = 20, BANKS = 8 };

typedef struct port {
    gm_packet packet[PACKETS];
    gm_cycle at[PACKETS];
    uint32_t count, taken;
} port;

static gm_network requests, replies, peers; /* nothing but their addresses is used */
static struct {
    port reply, peer; /* for the L1 */
    char sent[512];   /* requests: "L0:f M:0" */
    gm_packet supplied[PACKETS];
    uint32_t supplied_count;
} net;

static port *port_of(const gm_network *network)
{
    return network == &peers ? &net.peer : &net.reply;
}

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    const port *p = port_of(network);
    (void)output;
    return p->taken < p->count ? p->at[p->taken] : GM_NEVER;
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    const port *p = port_of(network);
    return gm_network_arrival(network, output) <= now ? &p->packet[p->taken] : NULL;
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    assert_non_null(gm_network_peek(network, output, now));
    port_of(network)->taken++;
}

bool gm_network_refuses(const gm_network *network, uint32_t input)
{
    (void)network;
    (void)input;
    return false;
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    (void)input;
    (void)now;
    if (network == &peers) {
        net.supplied[net.supplied_count++] = *packet;
        return true;
    }
    if (packet->kind == GM_MESSAGE_LOOKUP) { /* of a miss: the L1 installs what it asks for */
        bool misses = gm_cycle_l1_id_kind_of(packet->id) == GM_CYCLE_L1_OF_ENTRY;
        assert_int_equal(packet->fills, misses ? packet->sectors : 0);
        assert_int_equal(packet->flags, misses);
    }
    size_t used = strlen(net.sent);
    (void)snprintf(net.sent + used, sizeof net.sent - used, "%s%c%llu:%x", used != 0 ? " " : "",
                   message_letters[packet->kind], (unsigned long long)packet->line,
                   packet->sectors);
    return true;
}

typedef struct fixture {
    gm_config config;
    gm_cycle_l1_shared shared;
    gm_arena arena;
    gm_cycle_l1 l1;
    gm_credit credit[PACKETS], others[BANKS - 1][PACKETS];
    gm_credit_wire wires[BANKS];
    gm_cycle port_wake;
} fixture;

/* Makes SM 0's L1. */
static int setup_of(void **state, gm_config config)
{
    gm_error error;
    fixture *f = test_calloc(1, sizeof *f);
    memset(&net, 0, sizeof net);
    f->config = config;
    test_ok(gm_config_check(&f->config, &error), error);
    test_ok(gm_cycle_l1_shared_init(&f->shared, &f->config, &requests, &replies, &error), error);
    for (unsigned bank = 0; bank < BANKS; bank++) {
        gm_credit *credit = bank == 0 ? f->credit : f->others[bank - 1];
        f->wires[bank] =
            (gm_credit_wire){.latency = WIRE, .ring = gm_ring_make(PACKETS), .credit = credit};
    }
    f->shared.peers = &peers;
    f->shared.credits = f->wires;
    f->shared.port_wake = &f->port_wake;
    f->port_wake = GM_NEVER;
    test_ok(gm_arena_create(&f->arena, gm_cycle_l1_bytes(&f->shared), &error), error);
    test_ok(gm_cycle_l1_init(&f->l1, &f->shared, 0, &f->arena, &error), error);
    *state = f;
    return 0;
}

/* Four sets of one way, one tracker bank. */
static int setup(void **state)
{
    gm_config config = order_preset("kepler-hybrid-tracker");
    config.memory.partitions = 1;
    config.l1.size = 512;
    config.l1.ways = 1;
    config.l1.latency = L1_LATENCY;
    config.l1.bypass = GM_BYPASS_NONE;
    return setup_of(state, config);
}

/* The thesis's machine: 64 KB, eight tracker banks. */
static int setup_shipped(void **state)
{
    return setup_of(state, order_preset("kepler-hybrid-tracker"));
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

static gm_cycle_l1_answer access_line(fixture *f, gm_request_kind kind, uint64_t line,
                                      uint32_t ticket, gm_cycle now)
{
    const gm_line_request request = {.line = line, .sectors = 0xf, .whole = 0xf};
    const gm_cycle_l1_request attempt = {
        .line = &request, .kind = kind, .ticket = ticket, .began = now};
    uint32_t answers;
    return gm_cycle_l1_access(&f->l1, &attempt, now, &answers);
}

static void load(fixture *f, uint64_t line, uint32_t ticket, gm_cycle now)
{
    assert_int_equal(access_line(f, GM_REQUEST_LOAD, line, ticket, now), GM_CYCLE_L1_TAKEN);
}

/* Sends all that is queued. Returns what has been sent since the last call. */
static const char *sent(fixture *f, gm_cycle now)
{
    static char text[sizeof net.sent];
    while (!gm_ring_is_empty(&f->l1.queue)) {
        assert_true(gm_cycle_l1_send(&f->l1, now));
    }
    memcpy(text, net.sent, sizeof text);
    net.sent[0] = '\0';
    return text;
}

static void bring(port *to, gm_message_kind kind, uint64_t line, uint32_t id, gm_cycle at)
{
    to->packet[to->count] = (gm_packet){
        .line = line * 4, .in_bank = line * 4, .sectors = 0xf, .id = id, .kind = (uint8_t)kind};
    to->at[to->count++] = at;
}

/* Data of the MSHR entry from another L1: one packet. */
static void bring_supplied(uint32_t entry, uint64_t line, gm_cycle at)
{
    bring(&net.peer, GM_MESSAGE_SUPPLIED, line, gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, entry), at);
}

/* A request of another SM, 5, with id 77. */
static void bring_supply(uint64_t line, uint32_t sectors, gm_cycle at)
{
    bring(&net.reply, GM_MESSAGE_SUPPLY, line, 77, at);
    net.reply.packet[net.reply.count - 1].peer = 5;
    net.reply.packet[net.reply.count - 1].sectors = sectors;
}

/* Returns the ticket that a cycle answers, or GM_NO_TICKET. */
static uint32_t cycle(fixture *f, gm_cycle now)
{
    uint32_t ticket;
    gm_cycle_l1_reply(&f->l1, now, &ticket);
    return ticket;
}

/* A LOOKUP of all sectors; FILL when the data are there; the EVICT of a line before the LOOKUP of
 * the one that takes its way. */
static void messages_in_order(void **state)
{
    fixture *f = *state;
    load(f, 0, 0, 1);
    assert_string_equal(sent(f, 2), "L0:f");
    bring_supplied(0, 0, 10);
    assert_int_equal(cycle(f, 9), GM_NO_TICKET);
    assert_int_equal(cycle(f, 10), 0);
    assert_string_equal(sent(f, 11), "F0:f");
    assert_int_equal(access_line(f, GM_REQUEST_LOAD, 0, 1, 12), GM_CYCLE_L1_HIT);
    load(f, 4, 2, 13);
    assert_string_equal(sent(f, 14), "E0:0 L16:f");
    assert_int_equal(f->l1.tracked->counts.remote_hits, 1);
    assert_int_equal(f->l1.tracked->counts.remote_sectors, 4);
    const gm_line_request line = {.line = 9, .sectors = 3};
    const gm_cycle_l1_request bypasses = {.line = &line, .kind = GM_REQUEST_LOAD, .ticket = 3};
    uint32_t answers;
    assert_int_equal(gm_cycle_l1_bypass(&f->l1, &bypasses, &answers), GM_CYCLE_L1_TAKEN);
    assert_string_equal(sent(f, 15), "L36:3");
    bring(&net.peer, GM_MESSAGE_SUPPLIED, 9,
          gm_cycle_l1_id(GM_CYCLE_L1_OF_BYPASSED, GM_CYCLE_L1_BYPASS_PATH | 0), 20);
    assert_int_equal(cycle(f, 20), 3);
    assert_string_equal(sent(f, 21), ""); /* nothing is installed */
}

/* The L1 has line 0 and has asked for line 1. Line 0 leaves for SM 5 l1.latency after the SUPPLY
 * has arrived; lines that are absent or in flight are sent back, behind what was queued before. The
 * place is free when data or RETURN are sent. */
static void supplies(void **state)
{
    fixture *f = *state;
    load(f, 0, 0, 1);
    load(f, 1, 1, 1);
    sent(f, 2);
    bring_supplied(0, 0, 10);
    assert_int_equal(cycle(f, 10), 0);
    uint64_t accesses = f->l1.statistics.accesses[GM_LOAD];
    bring_supply(0, 0x6, 12);
    bring_supply(1, 0x1, 13);
    bring_supply(9, 0x1, 14);
    for (gm_cycle now = 12; now < 15; now++) {
        assert_int_equal(cycle(f, now), GM_NO_TICKET);
    }
    assert_int_equal(f->port_wake, 12 + L1_LATENCY);
    gm_cycle_l1_step_port(&f->l1, 11 + L1_LATENCY);
    assert_int_equal(net.supplied_count, 0);
    gm_cycle_l1_step_port(&f->l1, 12 + L1_LATENCY);
    assert_int_equal(net.supplied_count, 1);
    assert_int_equal(net.supplied[0].sm, 5);
    assert_int_equal(net.supplied[0].peer, 0);
    assert_int_equal(net.supplied[0].id, 77);
    assert_int_equal(net.supplied[0].sectors, 6);
    assert_int_equal(gm_packet_data(&net.supplied[0]), 2);
    assert_int_equal(gm_ring_count(&f->wires[0].ring), 1);
    assert_int_equal(f->credit[0].at, 12 + L1_LATENCY + WIRE);
    assert_string_equal(sent(f, 50), "F0:f T4:1 T36:1");
    assert_int_equal(gm_ring_count(&f->wires[0].ring), 3);
    assert_int_equal(f->l1.statistics.accesses[GM_LOAD], accesses); /* supplies count none */
    assert_int_equal(f->l1.tracked->counts.supplied_sectors, 2);
    assert_int_equal(f->l1.tracked->missed, 2);
}

/* Stores, atomics and strong loads of a line that is asked for wait; those of other lines do not.
 */
static void held_stores(void **state)
{
    static const gm_request_kind kinds[] = {GM_REQUEST_STORE, GM_REQUEST_ATOMIC,
                                            GM_REQUEST_REDUCTION, GM_REQUEST_STRONG_LOAD};
    fixture *f = *state;
    load(f, 0, 0, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(access_line(f, kinds[i], 0, 10 + i, 2), GM_CYCLE_L1_FAIL_MSHR_MERGE);
    }
    assert_int_equal(f->l1.tracked->counts.held, 4);
    assert_int_equal(access_line(f, GM_REQUEST_STORE, 1, 20, 2), GM_CYCLE_L1_TAKEN);
    assert_string_equal(sent(f, 3), "L0:f W4:1 W5:1 W6:1 W7:1");
    bring_supplied(0, 0, 10);
    uint32_t ticket;
    uint32_t gone = gm_cycle_l1_reply(&f->l1, 10, &ticket);
    assert_true((gone >> GM_CYCLE_L1_FAIL_MSHR_MERGE & 1) != 0);
    assert_int_equal(access_line(f, GM_REQUEST_STORE, 0, 10, 10), GM_CYCLE_L1_TAKEN);
    assert_string_equal(sent(f, 11), "F0:f W0:1 W1:1 W2:1 W3:1");
}

/* Line 0 comes from the L2 in four packets, lines 1 and 2 from other L1s; all are there. The ports
 * take turns; a SUPPLY, which brings no data, lets the other port go on. */
static void turns_of_the_ports(void **state)
{
    static const uint32_t expected[] = {GM_NO_TICKET, 1, GM_NO_TICKET, 2, GM_NO_TICKET, 0};
    fixture *f = *state;
    for (uint32_t line = 0; line < 3; line++) {
        load(f, line, line, 1);
    }
    sent(f, 2);
    for (unsigned i = 0; i < 4; i++) {
        bring(&net.reply, GM_MESSAGE_READ, 0, gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, 0), 10);
    }
    bring_supplied(1, 1, 10);
    bring_supplied(2, 2, 10);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(cycle(f, 10 + i), expected[i]);
    }
    load(f, 3, 3, 20);
    bring_supply(9, 1, 30);
    bring_supplied(0, 3, 30);
    assert_int_equal(cycle(f, 30), 3);
    assert_int_equal(f->l1.tracked->came, 1);
}

/* At the shipped size every tracker bank has all its credits of the L1 out: 32 SUPPLYs, which come
 * before the first data leave. */
static void all_places_of_supplies(void **state)
{
    fixture *f = *state;
    gm_cycle latency = f->config.l1.latency;
    uint32_t places = (uint32_t)(BANKS * f->config.tracker.supplies);
    assert_int_equal(places, 32);
    assert_true(latency > places);
    load(f, 0, 0, 1);
    sent(f, 2);
    bring_supplied(0, 0, 10);
    assert_int_equal(cycle(f, 10), 0);
    for (uint32_t i = 0; i < places; i++) {
        bring_supply(0, 1 + i % 15, 12 + i);
        gm_packet *packet = &net.reply.packet[net.reply.count - 1];
        packet->id = 100 + i;
        packet->peer = 1 + i % 15;
        packet->bank = (uint16_t)(i % BANKS);
    }
    for (gm_cycle now = 12; now <= 12 + latency + places; now++) {
        cycle(f, now);
        gm_cycle_l1_step_port(&f->l1, now);
        assert_int_equal(net.supplied_count, now < 12 + latency            ? 0
                                             : now - 11 - latency < places ? now - 11 - latency
                                                                           : places);
    }
    for (uint32_t i = 0; i < places; i++) {
        assert_int_equal(net.supplied[i].id, 100 + i);
        assert_int_equal(net.supplied[i].sm, 1 + i % 15);
        assert_int_equal(net.supplied[i].sectors, 1 + i % 15);
    }
    for (unsigned bank = 0; bank < BANKS; bank++) {
        assert_int_equal(gm_ring_count(&f->wires[bank].ring), f->config.tracker.supplies);
    }
}

/* As many LOOKUPs as there are MSHR entries: a store of each one's line waits, and no longer once
 * that one is answered. */
static void each_lookup_holds_its_line(void **state)
{
    fixture *f = *state;
    uint32_t entries = (uint32_t)f->config.l1.mshrs;
    assert_int_equal(entries, 32);
    for (uint32_t i = 0; i < entries; i++) {
        load(f, 1000 * i, i, 1 + i);
        sent(f, 1 + i);
    }
    for (uint32_t answered = 0; answered < entries; answered++) {
        for (uint32_t i = 0; i < entries; i++) {
            assert_int_equal(gm_cycle_l1_is_asked(&f->l1, 1000 * i), i >= answered);
        }
        bring_supplied(answered, 1000 * answered, 100 + answered);
        assert_int_equal(cycle(f, 100 + answered), answered);
        sent(f, 100 + answered);
    }
    assert_int_equal(f->l1.tracked->unanswered, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(messages_in_order),
        TEST(supplies),
        TEST(held_stores),
        TEST(turns_of_the_ports),
        cmocka_unit_test_setup_teardown(all_places_of_supplies, setup_shipped, teardown),
        cmocka_unit_test_setup_teardown(each_lookup_holds_its_line, setup_shipped, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

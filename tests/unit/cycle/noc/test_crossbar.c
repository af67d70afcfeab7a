/* Crossbar of the cycle engine: latencies and grants worked by hand, bandwidth, fairness, blocking,
 * and random traffic in which nothing may be lost, doubled or out of order. */
#include "support/cycle/noc/network_run.h"

#include <errno.h>
#include <string.h>

static network_run run;

static void open(const gm_network_parameters *parameters)
{
    network_open(&run, parameters);
}

static void send(uint32_t input, uint32_t output, uint32_t flits, uint32_t id, gm_cycle now)
{
    gm_packet packet = network_packet(&run, input, output, flits, id);
    assert_true(gm_network_has_room(&run.network, input, &packet));
    gm_network_send(&run.network, input, &packet, now);
}

static bool has_room(uint32_t input, uint32_t output, uint32_t flits)
{
    gm_packet packet = network_packet(&run, input, output, flits, 0);
    return gm_network_has_room(&run.network, input, &packet);
}

/* Visits the network in every core cycle from `now` to the first in which a packet is in front of
 * the output; takes it. */
static gm_cycle arrival(uint32_t output, gm_cycle now, uint32_t id)
{
    for (gm_cycle limit = now + 1100; now < limit; now++) {
        const gm_packet *packet = gm_network_peek(&run.network, output, now);
        if (packet != NULL) {
            assert_int_equal(packet->id, id);
            gm_network_pop(&run.network, output, now);
            return now;
        }
        network_visit(&run, now);
    }
    fail_msg("packet %u does not arrive", id);
    return 0;
}

/* Sent in core cycle c, granted in interconnect cycle g = first(c + 1), there in g + latency +
 * flits - 2, seen in the core cycle to which that belongs, but not before g's core cycle + 1. */
static const struct {
    uint64_t core, own; /* MHz */
    uint32_t latency, flits;
    gm_cycle sent, seen;
} lone[] = {
    /* Equal clocks: c + latency + flits - 1. */
    {700, 700, 6, 1, 10, 16},
    {700, 700, 6, 2, 10, 17},
    {700, 700, 6, 5, 10, 20},
    {700, 700, 6, 33, 10, 48},
    {700, 700, 1, 1, 10, 12}, /* granted in 11 */
    {700, 700, 1, 2, 10, 12},
    {700, 700, 1, 3, 10, 13},
    {700, 700, 2, 1, 10, 12},
    {700, 700, 1000, 1, 10, 1010},
    /* Two interconnect cycles a core cycle: g = 22, there in 26 + flits. */
    {700, 1400, 6, 1, 10, 13},
    {700, 1400, 6, 2, 10, 14},
    {700, 1400, 6, 3, 10, 14},
    {700, 1400, 6, 4, 10, 15},
    {700, 1400, 6, 5, 10, 15},
    {700, 1400, 1, 1, 10, 12}, /* there in 22, of core cycle 11, in which it is granted */
    /* One in two: g = 6 for 10 and for 11, there in 10 + flits. */
    {1400, 700, 6, 1, 10, 22},
    {1400, 700, 6, 2, 10, 24},
    {1400, 700, 6, 1, 11, 22},
    {1400, 700, 6, 1, 12, 24},
    /* 33 in 25: g = ceil(11 * 33 / 25) = 15, there in 19 + flits; 20 * 25 / 33 = 15.2. */
    {700, 924, 6, 1, 10, 15},
    {700, 924, 6, 2, 10, 15}, /* 15.9 */
    {700, 924, 6, 3, 10, 16}, /* 16.7 */
};

static void a_lone_packet_takes_latency_and_its_flits(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * sizeof lone / sizeof lone[0]; i++) {
        gm_network_parameters p = network_parameters(
            GM_TOPOLOGY_CROSSBAR, i % 2 == 0 ? GM_NETWORK_REQUESTS : GM_NETWORK_REPLIES, 4, 4);
        p.latency = lone[i / 2].latency;
        p.clock = gm_clock_make(lone[i / 2].core, lone[i / 2].own);
        open(&p);
        send(1, 2, lone[i / 2].flits, 7, lone[i / 2].sent);
        gm_cycle seen = arrival(2, lone[i / 2].sent, 7);
        if (seen != lone[i / 2].seen) {
            fail_msg("row %u: seen in %u, should be %u", i / 2, (unsigned)seen,
                     (unsigned)lone[i / 2].seen);
        }
        assert_int_equal(run.network.fabric.statistics.latency, seen - lone[i / 2].sent);
        network_close(&run);
    }
}

/* Sent by an L2 bank before the network's visit in the same core cycle, or after it: alike. */
static void a_packet_is_not_granted_in_the_cycle_in_which_it_is_sent(void **state)
{
    (void)state;
    gm_network_parameters p = network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REPLIES, 2, 2);
    for (unsigned before = 0; before < 2; before++) {
        open(&p);
        if (!before) {
            network_visit(&run, 10);
        }
        send(0, 1, 1, 5, 10);
        assert_int_equal(run.wake, 11);
        if (before) {
            network_visit(&run, 10);
            assert_int_equal(run.wake, 11);
        }
        bool refused = before && !has_room(0, 1, 4); /* beside that flit in a buffer of 4 */
        assert_int_equal(refused, before);
        network_visit(&run, 11);
        assert_int_equal(run.receiver_wake[1], 16);
        /* Visited before the network; whom it has refused nothing it does not wake. */
        assert_int_equal(run.sender_wake[0], refused ? 12 : GM_NEVER);
        assert_int_equal(run.wake, GM_NEVER); /* nothing waits for the ports */
        network_close(&run);
    }
}

/* Eight inputs always have three flits for one output, whose receiver takes all at once: a packet
 * every three interconnect cycles, and each input every 24. */
static void a_busy_output_passes_one_flit_a_cycle_in_turn(void **state)
{
    (void)state;
    enum { INPUTS = 8, FLITS = 3, PACKETS = 20 * INPUTS };
    gm_network_parameters p =
        network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REQUESTS, INPUTS, 3);
    open(&p);
    gm_cycle last = 0;
    uint32_t taken = 0;
    for (gm_cycle now = 0; taken < PACKETS; now++) {
        const gm_packet *packet = gm_network_peek(&run.network, 1, now);
        if (packet != NULL) {
            assert_int_equal(packet->sm, taken % INPUTS);
            assert_int_equal(now, taken == 0 ? 0 + 6 + FLITS - 1 : last + FLITS);
            gm_network_pop(&run.network, 1, now);
            assert_null(gm_network_peek(&run.network, 1, now));
            last = now;
            taken++;
        }
        network_visit(&run, now);
        for (uint32_t input = 0; input < INPUTS; input++) {
            if (has_room(input, 1, FLITS)) {
                send(input, 1, FLITS, 0, now);
            }
        }
    }
    assert_int_equal(run.network.fabric.statistics.blocked, 0);
    network_close(&run);
}

/* An interconnect of twice the clock: two flits a core cycle, 3 packets in 9 interconnect cycles,
 * which are 4.5 core cycles. */
static void a_faster_interconnect_passes_more(void **state)
{
    (void)state;
    enum { INPUTS = 4, FLITS = 3, CYCLES = 900 };
    gm_network_parameters p =
        network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REQUESTS, INPUTS, 1);
    p.clock = gm_clock_make(700, 1400);
    open(&p);
    uint32_t taken = 0;
    for (gm_cycle now = 0; now < CYCLES; now++) {
        for (; gm_network_peek(&run.network, 0, now) != NULL; taken++) {
            gm_network_pop(&run.network, 0, now);
        }
        network_visit(&run, now);
        for (uint32_t input = 0; input < INPUTS; input++) {
            while (has_room(input, 0, FLITS)) {
                send(input, 0, FLITS, 0, now);
            }
        }
    }
    /* Granted in 2, 5, 8, ...; packet k is there in 2 + 3k + 7 <= 2 * 899 + 1. */
    assert_int_equal(taken, (2 * (CYCLES - 1) + 1 - 9) / FLITS + 1);
    network_close(&run);
}

/* One input with two virtual channels, each with packets for an output of its own: one flit a cycle
 * in all, and the channels take turns. */
static void an_input_passes_one_flit_a_cycle_and_its_channels_take_turns(void **state)
{
    (void)state;
    enum { FLITS = 2, PACKETS = 40 };
    gm_network_parameters p = network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REQUESTS, 1, 2);
    p.channels = 2;
    open(&p);
    uint32_t taken = 0;
    for (gm_cycle now = 0; taken < PACKETS; now++) {
        uint32_t here = 0;
        for (uint32_t output = 0; output < 2; output++) {
            if (gm_network_peek(&run.network, output, now) != NULL) {
                assert_int_equal(output, taken % 2);
                assert_int_equal(now, 6 + FLITS - 1 + taken * FLITS);
                gm_network_pop(&run.network, output, now);
                here++;
            }
        }
        assert_true(here <= 1);
        taken += here;
        network_visit(&run, now);
        for (uint32_t output = 0; output < 2; output++) {
            if (has_room(0, output, FLITS)) {
                send(0, output, FLITS, 0, now);
            }
        }
    }
    network_close(&run);
}

/* Output 0's receiver takes nothing and its buffer of one flit is full, so a second packet for it
 * stays at the head of its virtual channel. Another packet, for `output`, is behind it. */
static bool passes_a_blocked_head(uint32_t channels, uint32_t output)
{
    gm_network_parameters p = network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REQUESTS, 2, 4);
    p.channels = channels;
    p.ejection = 1;
    open(&p);
    send(0, 0, 1, 1, 0);
    send(0, 0, 1, 2, 0);
    send(0, output, 1, 3, 0);
    for (gm_cycle now = 0; now < 100; now++) {
        network_visit(&run, now);
    }
    assert_int_equal(run.wake, GM_NEVER); /* nothing to do until someone takes a packet */
    bool passed = gm_network_peek(&run.network, output, 100) != NULL;
    char text[200];
    assert_int_equal(gm_network_oldest(&run.network, text, sizeof text), 0);
    assert_non_null(strstr(text, "read request of SM 0, L2 bank 0"));
    assert_non_null(strstr(text, "of the request network"));
    gm_error error;
    assert_int_equal(gm_network_check(&run.network, &error), -EPROTO);
    assert_non_null(strstr(error.text, "request network: packets in input buffers = 0"));
    /* Taken in 100, before the network's visit: granted in 100, there in 105. */
    gm_network_pop(&run.network, 0, 100);
    assert_int_equal(run.wake, 100);
    assert_int_equal(arrival(0, 100, 2), 105);
    assert_int_equal(arrival(output, 105, 3), passed ? 105 : 106);
    /* Blocked from 2, when the output was free again, to 100. */
    assert_int_equal(run.network.fabric.statistics.blocked, 98);
    network_close(&run);
    return passed;
}

static void a_blocked_head_holds_up_its_virtual_channel_only(void **state)
{
    (void)state;
    assert_false(passes_a_blocked_head(1, 1));
    assert_true(passes_a_blocked_head(2, 1));
    assert_false(passes_a_blocked_head(2, 2)); /* channel 0, as output 0's */
    assert_true(passes_a_blocked_head(3, 2));
}

/* A buffer has room when it is empty or holds the packet whole. */
static void long_packets_pass_short_buffers_alone(void **state)
{
    (void)state;
    gm_network_parameters p = network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REQUESTS, 1, 1);
    p.ejection = 4;
    open(&p);
    assert_true(has_room(0, 0, 9));
    send(0, 0, 2, 1, 0);
    assert_false(has_room(0, 0, 3));
    assert_true(has_room(0, 0, 2));
    send(0, 0, 1, 2, 0);
    send(0, 0, 1, 3, 0);
    assert_false(has_room(0, 0, 1));
    /* Granted in 1, 3, 4; the ejection buffer is full then. */
    for (gm_cycle now = 1; now < 20; now++) {
        network_visit(&run, now);
    }
    send(0, 0, 9, 4, 20);
    assert_false(has_room(0, 0, 1));
    for (uint32_t id = 1; id <= 3; id++) {
        assert_int_equal(arrival(0, 21, id), 21);
        network_visit(&run, 21);
        assert_int_equal(has_room(0, 0, 1), id == 3); /* the long one moves when all are gone */
    }
    assert_int_equal(arrival(0, 22, 4), 21 + 6 - 1 + 9 - 1);
    network_close(&run);
}

/* With room for one packet the next is granted when its receiver has taken the one before. */
static void an_output_is_granted_when_its_buffer_has_room(void **state)
{
    (void)state;
    gm_network_parameters p = network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REPLIES, 1, 2);
    p.ejection = 5;
    open(&p);
    send(0, 0, 3, 1, 0);
    send(1, 0, 3, 2, 0);
    for (gm_cycle now = 0; now <= 8; now++) {
        network_visit(&run, now);
    }
    gm_network_pop(&run.network, 0, 8); /* SMs are visited after the reply network */
    assert_int_equal(run.wake, 9);
    assert_int_equal(arrival(0, 9, 2), 9 + 6 - 1 + 3 - 1);
    network_close(&run);
}

static void bad_parameters_are_named(void **state)
{
    (void)state;
    static unsigned char memory[64];
    gm_arena arena;
    gm_error error;
    gm_network network;
    gm_arena_wrap(&arena, memory, sizeof memory);
    gm_network_parameters p = network_parameters(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REQUESTS, 2, 4);
    assert_int_equal(gm_network_init(&network, &p, &arena, &error), -ENOMEM);
    p.channels = 17;
    assert_int_equal(gm_network_init(&network, &p, &arena, &error), -EINVAL);
    assert_string_equal(error.text, "interconnect: channels: 17: 1 to 16 are possible");
    p.channels = 1;
    p.shared = 3;
    assert_int_equal(gm_network_init(&network, &p, &arena, &error), -EINVAL);
    assert_string_equal(error.text, "interconnect: shared: 3: must divide the 4 L2 banks");
}

/* What gm_network_parameters_of makes of the default configuration [khairy, Table 1]. */
static void the_configuration_gives_the_parameters(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    config.memory.banks = 2;
    gm_network_parameters p = gm_network_parameters_of(&config, GM_NETWORK_REQUESTS);
    assert_int_equal(p.inputs, 15);
    assert_int_equal(p.outputs, 12);
    assert_int_equal(p.shared, 2);
    assert_int_equal(p.flit, 32);
    assert_int_equal(p.header, 8);
    assert_int_equal(p.clock.core.divisor, 1);
    assert_int_equal(p.clock.own.divisor, 2);
    p = gm_network_parameters_of(&config, GM_NETWORK_REPLIES);
    assert_int_equal(p.inputs, 12);
    assert_int_equal(p.outputs, 15);
}

/* Requests that write carry their sectors, answers those that were read (traffic.h). */
static void packets_carry_data(void **state)
{
    (void)state;
    static const struct {
        uint8_t kind;
        uint32_t request, response; /* sectors of three */
    } rows[] = {
        {GM_MESSAGE_READ, 0, 3},   {GM_MESSAGE_WRITE, 3, 0},     {GM_MESSAGE_WRITE_BACK, 3, 0},
        {GM_MESSAGE_ATOMIC, 3, 3}, {GM_MESSAGE_REDUCTION, 3, 0}, {GM_MESSAGE_INSTRUCTION, 0, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_packet packet = {.kind = rows[i].kind, .sectors = 0xb};
        assert_int_equal(gm_packet_data(&packet), rows[i].request);
        packet.response = 1;
        assert_int_equal(gm_packet_data(&packet), rows[i].response);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_carry_data),
        cmocka_unit_test(a_lone_packet_takes_latency_and_its_flits),
        cmocka_unit_test(a_packet_is_not_granted_in_the_cycle_in_which_it_is_sent),
        cmocka_unit_test(a_busy_output_passes_one_flit_a_cycle_in_turn),
        cmocka_unit_test(a_faster_interconnect_passes_more),
        cmocka_unit_test(an_input_passes_one_flit_a_cycle_and_its_channels_take_turns),
        cmocka_unit_test(a_blocked_head_holds_up_its_virtual_channel_only),
        cmocka_unit_test(long_packets_pass_short_buffers_alone),
        cmocka_unit_test(an_output_is_granted_when_its_buffer_has_room),
        cmocka_unit_test(bad_parameters_are_named),
        cmocka_unit_test(the_configuration_gives_the_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

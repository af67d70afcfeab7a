/* Message classes and their virtual networks: they share the width of ports and links, and hold
 * each other up only where they have a virtual network in common. */
#include "support/cycle/noc/network_run.h"

#include <errno.h>

enum { CLASSES = 2, REQUEST = GM_CLASS_REQUEST, ACKNOWLEDGE = GM_CLASS_ACKNOWLEDGE };

static gm_network_parameters two_classes(gm_network_direction direction, uint32_t networks)
{
    gm_network_parameters p = network_parameters(GM_TOPOLOGY_CROSSBAR, direction, 2, 2);
    p.classes = CLASSES;
    p.networks = networks;
    p.network_of[1] = (uint8_t)(networks - 1);
    p.ejection = p.buffer = 4;
    return p;
}

/* Sends as many packets of `flits` flits of a class to receiver 1 as there is room for. Returns
 * their number. */
static uint32_t fill_from(network_run *run, uint32_t sender, uint32_t class, uint32_t flits,
                          gm_cycle now)
{
    uint32_t input = gm_network_input(&run->network, class, sender);
    uint32_t output = gm_network_output(&run->network, class, 1);
    uint32_t sent = 0;
    for (;; sent++) {
        gm_packet packet = network_packet(run, input, output, flits, 100 * class + sent);
        if (!gm_network_offer(&run->network, input, &packet, now)) {
            return sent;
        }
    }
}

static uint32_t fill(network_run *run, uint32_t class, uint32_t flits, gm_cycle now)
{
    return fill_from(run, 0, class, flits, now);
}

/* Takes all packets of a class that have arrived. Returns their number. */
static uint32_t take_all(network_run *run, uint32_t class, gm_cycle now)
{
    uint32_t output = gm_network_output(&run->network, class, 1);
    uint32_t taken = 0;
    for (; gm_network_peek(&run->network, output, now) != NULL; taken++) {
        gm_network_pop(&run->network, output, now);
    }
    return taken;
}

/* Two senders' worth of packets of both classes through one output: one flit in a cycle, as many of
 * either class. With one class it is the same number of flits. */
static void classes_share_the_width(void **state)
{
    (void)state;
    enum { CYCLES = 400, FLITS = 2 };
    gm_network_parameters p = two_classes(GM_NETWORK_REQUESTS, 2);
    network_run run;
    network_open(&run, &p);
    uint32_t taken[CLASSES] = {0};
    for (gm_cycle now = 0; now < CYCLES; now++) {
        for (uint32_t class = 0; class < CLASSES; class ++) {
            taken[class] += take_all(&run, class, now);
        }
        network_visit(&run, now);
        for (uint32_t class = 0; class < CLASSES; class ++) {
            (void)fill(&run, class, FLITS, now);
        }
    }
    uint32_t flits = FLITS * (taken[0] + taken[1]);
    assert_in_range(flits, CYCLES - 20, CYCLES);
    assert_in_range(taken[0], taken[1] - 1, taken[1] + 1);
    network_close(&run);
}

/* Nobody takes requests: their sender has no room soon. Returns the number of acknowledgements that
 * arrive then. */
static uint32_t acknowledgements_behind_requests(uint32_t networks)
{
    gm_network_parameters p = two_classes(GM_NETWORK_REQUESTS, networks);
    network_run run;
    network_open(&run, &p);
    uint32_t taken = 0;
    for (gm_cycle now = 0; now < 200; now++) {
        taken += take_all(&run, ACKNOWLEDGE, now);
        network_visit(&run, now);
        uint32_t sent = fill(&run, REQUEST, 1, now);
        assert_true(now < 50 || sent == 0);
        if (now >= 50) {
            (void)fill(&run, ACKNOWLEDGE, 1, now);
        }
    }
    assert_true(gm_network_refuses(&run.network, gm_network_input(&run.network, REQUEST, 0)));
    network_close(&run);
    return taken;
}

/* In common the first acknowledgement is behind a request that nobody takes. */
static void classes_pass_each_other(void **state)
{
    (void)state;
    assert_in_range(acknowledgements_behind_requests(2), 100, 150);
    assert_int_equal(acknowledgements_behind_requests(1), 0);
}

/* Nobody takes the requests of one sender: an output that finds no room for them goes on, around
 * the end, to the acknowledgements of the other. */
static void an_output_examines_all_inputs(void **state)
{
    (void)state;
    for (uint32_t sender = 0; sender < 2; sender++) {
        gm_network_parameters p = two_classes(GM_NETWORK_REQUESTS, 2);
        network_run run;
        network_open(&run, &p);
        uint32_t taken = 0;
        for (gm_cycle now = 0; now < 150; now++) {
            taken += take_all(&run, ACKNOWLEDGE, now);
            network_visit(&run, now);
            (void)fill_from(&run, 1 - sender, REQUEST, 1, now);
            (void)fill_from(&run, sender, ACKNOWLEDGE, 1, now);
        }
        assert_in_range(taken, 100, 150);
        network_close(&run);
    }
}

/* A sender that was refused is told of room in its own virtual network. */
static void room_is_told_by_virtual_network(void **state)
{
    (void)state;
    gm_network_parameters p = two_classes(GM_NETWORK_REQUESTS, 2);
    network_run run;
    network_open(&run, &p);
    uint32_t requests = gm_network_input(&run.network, REQUEST, 0);
    uint32_t others = gm_network_input(&run.network, ACKNOWLEDGE, 0);
    for (gm_cycle now = 0; now < 50; now++) { /* both are full up to their receiver */
        network_visit(&run, now);
        (void)fill(&run, REQUEST, 1, now);
        (void)fill(&run, ACKNOWLEDGE, 1, now);
    }
    assert_true(gm_network_refuses(&run.network, requests));
    assert_true(gm_network_refuses(&run.network, others));
    run.sender_wake[0] = GM_NEVER;
    assert_int_equal(take_all(&run, ACKNOWLEDGE, 50), p.ejection);
    network_visit(&run, 50);
    assert_true(gm_network_refuses(&run.network, requests));
    assert_false(gm_network_refuses(&run.network, others));
    assert_true(run.sender_wake[0] != GM_NEVER);
    network_close(&run);
}

/* An SM takes replies of both classes by one number, and a forward first: also one that has arrived
 * later. */
static void replies_are_taken_forwards_first(void **state)
{
    (void)state;
    gm_network_parameters p = two_classes(GM_NETWORK_REPLIES, 2);
    network_run run;
    network_open(&run, &p);
    assert_int_equal(fill(&run, GM_CLASS_RESPONSE, 4, 0), 1);
    network_visit(&run, 1);
    assert_int_equal(fill(&run, GM_CLASS_FORWARD, 4, 1), 1);
    for (gm_cycle now = 2; now < 9; now++) {
        network_visit(&run, now);
    }
    gm_cycle first = gm_network_arrival(&run.network, 1);
    assert_int_equal(gm_network_peek(&run.network, 1, first)->id, 0); /* no forward yet */
    assert_int_equal(gm_network_peek(&run.network, 1, first + 40)->id, 100);
    gm_network_pop(&run.network, 1, first + 40);
    assert_int_equal(gm_network_arrival(&run.network, 1), first);
    assert_int_equal(gm_network_peek(&run.network, 1, first + 41)->id, 0);
    gm_network_pop(&run.network, 1, first + 41);
    assert_true(gm_network_arrival(&run.network, 1) == GM_NEVER);
    assert_null(gm_network_peek(&run.network, 1, first + 42));
    assert_int_equal(run.network.fabric.statistics.class_flits[GM_CLASS_FORWARD], 4);
    network_close(&run);
}

/* Takes a packet by a number. Returns its id: 100 times its class and a number. */
static uint32_t take_one(network_run *run, uint32_t output, gm_cycle now)
{
    const gm_packet *packet = gm_network_peek(&run->network, output, now);
    assert_non_null(packet);
    uint32_t id = packet->id;
    gm_network_pop(&run->network, output, now);
    return id;
}

/* Of requests with four classes an L2 bank takes write-backs by the number of requests, UNBLOCKs by
 * that of acknowledgements, and those first; each class passes requests that nobody takes. */
static void four_classes_are_taken_by_two_numbers(void **state)
{
    (void)state;
    enum { ALL = 4, LATER = 70 };
    gm_network_parameters p = two_classes(GM_NETWORK_REQUESTS, 2);
    p.classes = p.networks = ALL;
    for (unsigned class = 0; class < ALL; class ++) {
        p.network_of[class] = (uint8_t) class;
    }
    network_run run;
    network_open(&run, &p);
    for (gm_cycle now = 0; now < 50; now++) {
        network_visit(&run, now);
        (void)fill(&run, REQUEST, 1, now);
    }
    assert_int_equal(fill(&run, GM_CLASS_WRITE_BACK, 4, 50), 1);
    assert_int_equal(fill(&run, ACKNOWLEDGE, 4, 50), 1);
    assert_int_equal(fill(&run, GM_CLASS_UNBLOCK, 4, 50), 1);
    for (gm_cycle now = 51; now <= LATER; now++) {
        network_visit(&run, now);
    }
    uint32_t requests = gm_network_output(&run.network, REQUEST, 1);
    uint32_t others = gm_network_output(&run.network, ACKNOWLEDGE, 1);
    assert_int_equal(take_one(&run, requests, LATER), 100 * GM_CLASS_WRITE_BACK);
    assert_int_equal(take_one(&run, requests, LATER), 0);
    assert_int_equal(take_one(&run, requests, LATER), 1);
    assert_int_equal(take_one(&run, others, LATER), 100 * GM_CLASS_UNBLOCK);
    assert_int_equal(take_one(&run, others, LATER), 100 * ACKNOWLEDGE);
    assert_true(gm_network_arrival(&run.network, others) == GM_NEVER);
    assert_true(gm_network_arrival(&run.network, requests) <= LATER);
    network_close(&run);
}

/* Virtual networks of a configuration, class by class, of requests and of replies. */
static void configurations_have_their_networks(void **state)
{
    (void)state;
    static const struct {
        gm_coherence_protocol protocol;
        uint64_t networks;
        uint32_t classes[2];
        uint8_t network_of[2][GM_NETWORK_CLASSES];
    } rows[] = {
        {GM_COHERENCE_TCW, 2, {1, 1}, {{0}, {0}}},
        {GM_COHERENCE_VI, 0, {1, 1}, {{0}, {0}}},
        {GM_COHERENCE_VI, 2, {2, 2}, {{0, 0}, {0, 0}}},
        {GM_COHERENCE_VINI, 3, {2, 2}, {{0, 1}, {0, 0}}},
        {GM_COHERENCE_MESI, 4, {2, 2}, {{0, 1}, {0, 1}}},
        {GM_COHERENCE_MESI, 5, {4, 2}, {{0, 1, 2, 3}, {0, 1}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_config config;
        gm_config_defaults(&config);
        config.coherence.protocol = rows[i].protocol;
        config.noc.networks = rows[i].networks;
        for (unsigned d = 0; d < 2; d++) {
            gm_network_parameters p = gm_network_parameters_of(
                &config, d == 0 ? GM_NETWORK_REQUESTS : GM_NETWORK_REPLIES);
            uint32_t most = 0;
            assert_int_equal(p.classes, rows[i].classes[d]);
            for (uint32_t class = 0; class < p.classes; class ++) {
                assert_int_equal(p.network_of[class], rows[i].network_of[d][class]);
                most = p.network_of[class] > most ? p.network_of[class] : most;
            }
            assert_int_equal(p.networks, most + 1);
        }
    }
}

static void refused(const gm_network_parameters *p, const char *text)
{
    gm_error error;
    gm_network network;
    gm_arena arena;
    test_ok(gm_arena_create(&arena, 1 << 20, &error), error);
    assert_int_equal(gm_network_init(&network, p, &arena, &error), -EINVAL);
    assert_string_equal(error.text, text);
    gm_arena_free(&arena);
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    gm_network_parameters p = two_classes(GM_NETWORK_REQUESTS, 2);
    p.networks = 3;
    refused(&p, "interconnect: virtual networks: 3: 1 to 2 are possible");
    p.networks = 2;
    p.channels = 9;
    refused(&p, "interconnect: channels of all virtual networks: 18: 1 to 16 are possible");
    p.classes = 5;
    refused(&p, "interconnect: classes: 5: 1 to 4 are possible");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_share_the_width),
        cmocka_unit_test(classes_pass_each_other),
        cmocka_unit_test(an_output_examines_all_inputs),
        cmocka_unit_test(room_is_told_by_virtual_network),
        cmocka_unit_test(replies_are_taken_forwards_first),
        cmocka_unit_test(four_classes_are_taken_by_two_numbers),
        cmocka_unit_test(configurations_have_their_networks),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

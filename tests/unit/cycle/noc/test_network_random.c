/* Random traffic through crossbars and meshes, receivers that stall, buffers down to one flit:
 * nothing is lost, doubled, changed or out of order (support/cycle/noc/network_run.c checks that);
 * visits only when woken, and a network saved and loaded midway, change no packet's times. */
#include "support/cycle/noc/network_run.h"

#include <string.h>

enum { ROUNDS = 120 };

static network_record reference[NETWORK_PACKETS], other[NETWORK_PACKETS];

static void expect_same(const network_traffic *traffic, const gm_fabric_statistics *a,
                        const gm_fabric_statistics *b)
{
    for (uint32_t i = 0; i < traffic->packets; i++) {
        if (reference[i].sent != other[i].sent || reference[i].taken != other[i].taken) {
            fail_msg("packet %u: sent in %u, taken in %u; should be %u, %u", i,
                     (unsigned)other[i].sent, (unsigned)other[i].taken, (unsigned)reference[i].sent,
                     (unsigned)reference[i].taken);
        }
    }
    assert_memory_equal(a, b, sizeof *a);
}

/* `switches`: half have a speedup, half arbitrate in series. */
static void run_random(gm_topology topology, uint64_t seed, bool switches)
{
    test_random random = test_random_start(seed);
    for (unsigned round = 0; round < ROUNDS; round++) {
        gm_network_parameters p = network_parameters_random(&random, topology);
        if (switches) {
            p.series = round % 2 == 0;
            p.speedup = p.series ? 1 : 2 + (uint32_t)test_random_below(&random, 3);
            p.channels = p.classes = p.networks = 1;
        }
        network_traffic traffic = network_traffic_random(&random, &p);
        gm_fabric_statistics all;
        gm_fabric_statistics woken;
        gm_cycle end = network_drive(&p, &traffic, reference, &all);
        traffic.every = false;
        network_drive(&p, &traffic, other, &woken);
        expect_same(&traffic, &all, &woken);
        traffic.snapshot = 1 + test_random_below(&random, end);
        network_drive(&p, &traffic, other, &woken);
        expect_same(&traffic, &all, &woken);
    }
}

/* Half of the crossbars have one virtual channel. */
static void instances_agree(void **state)
{
    (void)state;
    test_random random = test_random_start(3);
    unsigned small = 0;
    unsigned words = 0; /* networks with sets of several words */
    for (unsigned round = 0; round < ROUNDS; round++) {
        gm_network_parameters p = network_parameters_random(&random, GM_TOPOLOGY_CROSSBAR);
        p.channels = 1 + (uint32_t)test_random_below(&random, 2);
        network_traffic traffic = network_traffic_random(&random, &p);
        gm_fabric_statistics usual;
        gm_fabric_statistics limited;
        traffic.every = false;
        network_drive(&p, &traffic, reference, &usual);
        traffic.limited = true;
        for (unsigned i = GM_FABRIC_ANY; i < GM_FABRIC_SMALL_CROSSBAR; i++) {
            traffic.instance = (gm_fabric_instance)i;
            network_drive(&p, &traffic, other, &limited);
            expect_same(&traffic, &usual, &limited);
        }
        small += p.channels == 1;
        words += p.channels == 1 && p.inputs > GM_BITSET_WORD;
    }
    assert_true(small > ROUNDS / 4 && words > ROUNDS / 100);
}

/* One virtual channel, and sets of ports that fit a word or not. */
static void an_instance_for_each_shape(void **state)
{
    (void)state;
    static const struct {
        gm_topology topology;
        uint32_t sms, banks, channels, flit;
        gm_fabric_instance instance;
    } cases[] = {
        {GM_TOPOLOGY_CROSSBAR, 63, 63, 1, 32, GM_FABRIC_SMALL_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 64, 8, 1, 32, GM_FABRIC_MEDIUM_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 8, 64, 1, 32, GM_FABRIC_SMALL_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 2, 32, GM_FABRIC_ANY},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 1, 17, GM_FABRIC_SMALL_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 1, 16, GM_FABRIC_ANY},
        {GM_TOPOLOGY_CROSSBAR, 8, 65, 1, 32, GM_FABRIC_MEDIUM_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 128, 128, 1, 32, GM_FABRIC_MEDIUM_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 8, 129, 1, 32, GM_FABRIC_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 132, 80, 1, 32, GM_FABRIC_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 80, 64, 2, 32, GM_FABRIC_ANY},
        {GM_TOPOLOGY_MESH, 1, 1, 1, 32, GM_FABRIC_ANY},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gm_network_parameters p = network_parameters(cases[i].topology, GM_NETWORK_REQUESTS,
                                                     cases[i].sms, cases[i].banks);
        p.channels = cases[i].channels;
        p.flit = cases[i].flit;
        gm_error error;
        gm_arena arena;
        gm_network network;
        test_ok(gm_arena_create(&arena, gm_network_bytes(&p), &error), error);
        test_ok(gm_network_init(&network, &p, &arena, &error), error);
        assert_int_equal(network.fabric.instance, cases[i].instance);
        gm_arena_free(&arena);
    }
}

static void crossbars_lose_and_change_nothing(void **state)
{
    (void)state;
    run_random(GM_TOPOLOGY_CROSSBAR, 1, false);
}

static void crossbars_with_other_switches_as_well(void **state)
{
    (void)state;
    run_random(GM_TOPOLOGY_CROSSBAR, 4, true);
}

static void meshes_lose_and_change_nothing(void **state)
{
    (void)state;
    run_random(GM_TOPOLOGY_MESH, 2, false);
}

/* Everything at once into buffers of one flit: it would stay for ever if it could deadlock. */
static void run_saturated(gm_topology topology, gm_network_direction direction)
{
    gm_network_parameters p = network_parameters(topology, direction, 28, 8);
    p.buffer = p.ejection = 1;
    for (p.channels = 1; p.channels <= 3; p.channels++) {
        network_traffic traffic = {
            .seed = p.channels, .packets = 4000, .most = 5, .outputs = p.outputs, .stall = 4};
        gm_fabric_statistics statistics;
        network_drive(&p, &traffic, reference, &statistics);
        assert_true(statistics.blocked > 0);
    }
}

static void saturated_networks_run_to_the_end(void **state)
{
    (void)state;
    run_saturated(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REQUESTS);
    run_saturated(GM_TOPOLOGY_CROSSBAR, GM_NETWORK_REPLIES);
    run_saturated(GM_TOPOLOGY_MESH, GM_NETWORK_REQUESTS);
    run_saturated(GM_TOPOLOGY_MESH, GM_NETWORK_REPLIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_agree),
        cmocka_unit_test(an_instance_for_each_shape),
        cmocka_unit_test(crossbars_lose_and_change_nothing),
        cmocka_unit_test(crossbars_with_other_switches_as_well),
        cmocka_unit_test(meshes_lose_and_change_nothing),
        cmocka_unit_test(saturated_networks_run_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

/* Returns the template instance that a network of these parameters is made with. */
static gm_fabric_instance instance_of(const gm_network_parameters *p)
{
    gm_error error;
    gm_arena arena;
    gm_network network;
    test_ok(gm_arena_create(&arena, gm_network_bytes(p), &error), error);
    test_ok(gm_network_init(&network, p, &arena, &error), error);
    gm_arena_free(&arena);
    return network.fabric.instance;
}

/* An instance with fewer constants that gives the same results; itself: there is none. */
static const gm_fabric_instance SLOWER[] = {
    [GM_FABRIC_SPEEDUP] = GM_FABRIC_SPEEDUP,
    [GM_FABRIC_SERIES] = GM_FABRIC_SERIES,
    [GM_FABRIC_MEDIUM_SERIES] = GM_FABRIC_SERIES,
    [GM_FABRIC_ANY] = GM_FABRIC_ANY,
    [GM_FABRIC_MEDIUM_CHANNELS] = GM_FABRIC_ANY,
    [GM_FABRIC_SMALL_CHANNELS] = GM_FABRIC_MEDIUM_CHANNELS,
    [GM_FABRIC_CROSSBAR] = GM_FABRIC_ANY,
    [GM_FABRIC_MEDIUM_CROSSBAR] = GM_FABRIC_CROSSBAR,
    [GM_FABRIC_SMALL_CROSSBAR] = GM_FABRIC_MEDIUM_CROSSBAR,
};

enum { INSTANCES = sizeof SLOWER / sizeof SLOWER[0] };

/* A third of the crossbars arbitrate in series, a third have one virtual channel. */
static gm_network_parameters crossbar_of_some_instance(test_random *random)
{
    gm_network_parameters p = network_parameters_random(random, GM_TOPOLOGY_CROSSBAR);
    switch (test_random_below(random, 3)) {
    case 0:
        p.series = true;
        p.channels = p.classes = p.networks = 1;
        break;
    case 1:
        p.channels = p.classes = p.networks = 1;
        break;
    default:
        p.channels = 1 + (uint32_t)test_random_below(random, 3);
        if (test_random_below(random, 4) == 0) { /* more SMs than a word has bits */
            p.classes = p.networks = 1 + (uint32_t)test_random_below(random, 2);
            p.network_of[1] = 1;
            bool requests = p.direction == GM_NETWORK_REQUESTS;
            *(requests ? &p.inputs : &p.outputs) =
                GM_BITSET_WORD + (uint32_t)test_random_below(random, NETWORK_PORTS / 2 - 63);
            uint32_t *banks = requests ? &p.outputs : &p.inputs;
            if (*banks > NETWORK_PORTS / 2) {
                *banks = NETWORK_PORTS / 2;
                p.shared = 1;
            }
        }
        break;
    }
    return p;
}

static void instances_agree(void **state)
{
    (void)state;
    test_random random = test_random_start(3);
    unsigned runs[INSTANCES] = {0};
    for (unsigned round = 0; round < 2 * ROUNDS; round++) {
        gm_network_parameters p = crossbar_of_some_instance(&random);
        network_traffic traffic = network_traffic_random(&random, &p);
        gm_fabric_statistics usual;
        gm_fabric_statistics limited;
        traffic.every = false;
        network_drive(&p, &traffic, reference, &usual);
        traffic.limited = true;
        traffic.instance = instance_of(&p);
        for (runs[traffic.instance]++; SLOWER[traffic.instance] != traffic.instance;) {
            traffic.instance = SLOWER[traffic.instance];
            network_drive(&p, &traffic, other, &limited);
            expect_same(&traffic, &usual, &limited);
        }
    }
    for (unsigned i = GM_FABRIC_MEDIUM_SERIES; i < INSTANCES; i++) {
        bool large = i == GM_FABRIC_ANY || i == GM_FABRIC_CROSSBAR; /* more ports than a run has */
        if (!large && runs[i] < 4) {
            fail_msg("instance %u: %u runs", i, runs[i]);
        }
    }
}

/* Sets of ports that fit a word, two or more; a wheel that does or not; one virtual channel. */
static void an_instance_for_each_shape(void **state)
{
    (void)state;
    static const struct {
        gm_topology topology;
        uint32_t sms, banks, channels, classes, flit;
        bool series;
        gm_fabric_instance instance;
    } cases[] = {
        {GM_TOPOLOGY_CROSSBAR, 63, 63, 1, 1, 32, false, GM_FABRIC_SMALL_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 64, 8, 1, 1, 32, false, GM_FABRIC_MEDIUM_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 8, 64, 1, 1, 32, false, GM_FABRIC_SMALL_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 1, 1, 17, false, GM_FABRIC_SMALL_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 1, 1, 16, false, GM_FABRIC_ANY},
        {GM_TOPOLOGY_CROSSBAR, 8, 65, 1, 1, 32, false, GM_FABRIC_MEDIUM_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 128, 128, 1, 1, 32, false, GM_FABRIC_MEDIUM_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 8, 129, 1, 1, 32, false, GM_FABRIC_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 132, 80, 1, 1, 32, false, GM_FABRIC_CROSSBAR},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 2, 1, 32, false, GM_FABRIC_SMALL_CHANNELS},
        {GM_TOPOLOGY_CROSSBAR, 63, 64, 1, 4, 32, false, GM_FABRIC_SMALL_CHANNELS},
        {GM_TOPOLOGY_CROSSBAR, 64, 8, 1, 2, 32, false, GM_FABRIC_MEDIUM_CHANNELS},
        {GM_TOPOLOGY_CROSSBAR, 80, 64, 2, 1, 32, false, GM_FABRIC_MEDIUM_CHANNELS},
        {GM_TOPOLOGY_CROSSBAR, 8, 129, 1, 2, 32, false, GM_FABRIC_ANY},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 2, 1, 16, false, GM_FABRIC_ANY},
        {GM_TOPOLOGY_CROSSBAR, 80, 64, 1, 1, 40, true, GM_FABRIC_MEDIUM_SERIES},
        {GM_TOPOLOGY_CROSSBAR, 16, 8, 1, 1, 40, true, GM_FABRIC_MEDIUM_SERIES},
        {GM_TOPOLOGY_CROSSBAR, 132, 80, 1, 1, 40, true, GM_FABRIC_SERIES},
        {GM_TOPOLOGY_CROSSBAR, 80, 64, 1, 1, 16, true, GM_FABRIC_SERIES},
        {GM_TOPOLOGY_MESH, 1, 1, 1, 1, 32, false, GM_FABRIC_ANY},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gm_network_parameters p = network_parameters(cases[i].topology, GM_NETWORK_REQUESTS,
                                                     cases[i].sms, cases[i].banks);
        p.channels = cases[i].channels;
        p.classes = cases[i].classes;
        p.flit = cases[i].flit;
        p.series = cases[i].series;
        assert_int_equal(instance_of(&p), cases[i].instance);
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

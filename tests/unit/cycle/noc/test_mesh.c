/* 2D mesh of the cycle engine: placement and routes against drawings, latency by hops, links of one
 * flit a cycle. Random traffic and saturation are in test_network_random.c. */
#include "cycle/noc/mesh.h"
#include "support/cycle/noc/network_run.h"

#include <string.h>

static network_run run;

static gm_network_parameters parameters(uint32_t sms, uint32_t partitions, uint32_t banks)
{
    gm_network_parameters p =
        network_parameters(GM_TOPOLOGY_MESH, GM_NETWORK_REQUESTS, sms, partitions * banks);
    p.shared = banks;
    return p;
}

static void expect_drawing(uint32_t sms, uint32_t partitions, const char *drawing)
{
    gm_network_parameters p = parameters(sms, partitions, 2);
    gm_mesh mesh = gm_mesh_make(&p);
    uint32_t position = 0;
    char text[8];
    for (const char *at = drawing; *at != '\0'; position++) {
        gm_mesh_node node = gm_mesh_at(&mesh, position);
        char kind = node.kind == GM_MESH_SM ? 's' : 'p';
        (void)snprintf(text, sizeof text, node.kind == GM_MESH_EMPTY ? "-" : "%c%u", kind,
                       node.number);
        size_t length = strcspn(at, " ");
        if (strlen(text) != length || strncmp(text, at, length) != 0) {
            fail_msg("position %u: %s where %.*s is drawn", position, text, (int)length, at);
        }
        at += length;
        at += strspn(at, " ");
    }
    assert_int_equal(position, mesh.columns * mesh.rows);
}

/* Node k row by row, odd rows from the right; partition p at node floor((2p + 1) N / 2P). */
static void placement_is_as_drawn(void **state)
{
    (void)state;
    /* N = 8, P = 2: nodes 2 and 6; three columns. */
    expect_drawing(6, 2,
                   "s0 s1 p0 "
                   "s4 s3 s2 "
                   "p1 s5 -");
    /* N = 16, P = 4: nodes 2, 6, 10, 14. */
    expect_drawing(12, 4,
                   "s0 s1 p0 s2 "
                   "s5 p1 s4 s3 "
                   "s6 s7 p2 s8 "
                   "s11 p3 s10 s9");
    /* N = 21, P = 6, the default: floor((2p + 1) 1.75) = 1, 5, 8, 12, 15, 19; five columns. */
    expect_drawing(15, 6,
                   "s0 p0 s1 s2 s3 "
                   "s6 p2 s5 s4 p1 "
                   "s7 s8 p3 s9 s10 "
                   "p5 s13 s12 s11 p4 "
                   "s14 - - - -");
    expect_drawing(1, 1, "s0 p0");
    expect_drawing(1, 4,
                   "p0 p1 s0 "
                   "- p3 p2");
}

static void each_unit_has_one_node(void **state)
{
    (void)state;
    static bool sm[70];
    static bool partition[70];
    for (uint32_t sms = 1; sms < 64; sms += 3) {
        for (uint32_t partitions = 1; partitions < 64; partitions++) {
            gm_network_parameters p = parameters(sms, partitions, 1);
            gm_mesh mesh = gm_mesh_make(&p);
            memset(sm, 0, sizeof sm);
            memset(partition, 0, sizeof partition);
            uint32_t units = 0;
            for (uint32_t i = 0; i < mesh.columns * mesh.rows; i++) {
                gm_mesh_node node = gm_mesh_at(&mesh, i);
                if (node.kind != GM_MESH_EMPTY) {
                    bool *there = &(node.kind == GM_MESH_SM ? sm : partition)[node.number];
                    assert_true(node.number < (node.kind == GM_MESH_SM ? sms : partitions));
                    assert_false(*there);
                    *there = true;
                    units++;
                }
            }
            assert_int_equal(units, sms + partitions);
        }
    }
}

/* Position of a unit, by search. */
static uint32_t find(const gm_mesh *mesh, gm_mesh_kind kind, uint32_t number)
{
    uint32_t i = 0;
    for (; i < mesh->columns * mesh->rows; i++) {
        gm_mesh_node node = gm_mesh_at(mesh, i);
        if (node.kind == kind && node.number == number) {
            break;
        }
    }
    return i;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* A lone packet passes columns apart + rows apart + 1 routers, each with its link `latency`, and
 * its flits follow: sent in c, seen in c + routers * latency + flits - 1. */
static void a_lone_packet_takes_a_latency_for_each_router(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 15 * 12; i++) {
        uint32_t sm = i / 12;
        uint32_t bank = i % 12;
        uint32_t flits = 1 + i % 5;
        gm_network_parameters p = parameters(15, 6, 2);
        static const uint32_t latencies[] = {3, 4, 64, 100, 1000};
        p.latency = latencies[i / 5 % 5];
        gm_mesh mesh = gm_mesh_make(&p);
        bool requests = i % 3 != 0;
        if (!requests) {
            p.direction = GM_NETWORK_REPLIES;
            p.inputs = 12;
            p.outputs = 15;
        }
        network_open(&run, &p);
        uint32_t from = find(&mesh, GM_MESH_SM, sm);
        uint32_t to = find(&mesh, GM_MESH_PARTITION, bank / 2);
        uint32_t routers = 1 + apart(from % 5, to % 5) + apart(from / 5, to / 5);
        uint32_t output = requests ? bank : sm;
        gm_packet packet = network_packet(&run, requests ? sm : bank, output, flits, 1);
        gm_network_send(&run.network, requests ? sm : bank, &packet, 10);
        uint32_t visits = 0;
        for (; run.receiver_wake[output] == GM_NEVER; visits++) {
            network_visit(&run, run.wake);
        }
        assert_true(visits <= 2 * routers); /* a head comes, a tail has passed */
        assert_int_equal(run.receiver_wake[output], 10 + routers * p.latency + flits - 1);
        network_close(&run);
    }
}

/* Three SMs in a row left of a partition's node share the link into it:
 *     s0 s1 p0 / s4 s3 s2 / p1 s5 -: s0 and s1 to p0's two banks: 100 packets of 3 flits leave
 * over one link, one flit a cycle, and the first is there after two routers (s1's). */
static void a_link_passes_one_flit_a_cycle(void **state)
{
    (void)state;
    enum { FLITS = 3, PACKETS = 100 };
    gm_network_parameters p = parameters(6, 2, 2);
    p.buffer = 12;
    p.channels = 2;
    network_open(&run, &p);
    uint32_t taken[2] = {0};
    gm_cycle last = 0;
    for (gm_cycle now = 0; taken[0] + taken[1] < PACKETS; now++) {
        for (uint32_t bank = 0; bank < 2; bank++) {
            const gm_packet *packet = gm_network_peek(&run.network, bank, now);
            if (packet != NULL) {
                bool first = taken[0] + taken[1] == 0;
                assert_int_equal(now, first ? 2 * 6 + FLITS - 1 : last + FLITS);
                last = now;
                taken[bank]++;
                gm_network_pop(&run.network, bank, now);
            }
        }
        network_visit(&run, now);
        for (uint32_t i = 0; i < 4; i++) {
            gm_packet packet = network_packet(&run, i / 2, i % 2, FLITS, 0);
            if (gm_network_has_room(&run.network, i / 2, &packet)) {
                gm_network_send(&run.network, i / 2, &packet, now);
            }
        }
    }
    assert_true(apart(taken[0], taken[1]) <= 2);
    network_close(&run);
}

/* In that mesh no one takes what is in front of bank 0, and s0 and s1 have filled virtual channel 0
 * of the way there: packets of s0 for bank 1, in channel 1, pass them all in a lone packet's time.
 */
static void virtual_channels_pass_blocked_ones(void **state)
{
    (void)state;
    gm_network_parameters p = parameters(6, 2, 2);
    p.buffer = p.ejection = 1;
    p.channels = 2;
    network_open(&run, &p);
    gm_packet blocked[2] = {network_packet(&run, 0, 0, 1, 0), network_packet(&run, 1, 0, 1, 0)};
    gm_packet packet = network_packet(&run, 0, 1, 1, 1);
    for (gm_cycle now = 0; now < 300; now++) {
        bool arrives = now > 110 && now % 10 == 8; /* 3 routers of 6 cycles after */
        const gm_packet *there = gm_network_peek(&run.network, 1, now);
        assert_true((there != NULL) == arrives);
        if (there != NULL) {
            gm_network_pop(&run.network, 1, now);
        }
        network_visit(&run, now);
        for (uint32_t i = 0; i < 2; i++) {
            if (gm_network_has_room(&run.network, i, &blocked[i])) {
                gm_network_send(&run.network, i, &blocked[i], now);
            }
        }
        if (now >= 100 && now % 10 == 0) {
            assert_true(gm_network_has_room(&run.network, 0, &packet));
            gm_network_send(&run.network, 0, &packet, now);
        }
    }
    network_close(&run);
}

/* X first: in the mesh of the test above s4's packets for p0 pass s3 and s2, not s0. They do not
 * meet s0's, so both take the time of a lone packet; s1's to p0 would be met by s0's. */
static void packets_go_along_their_row_first(void **state)
{
    (void)state;
    gm_network_parameters p = parameters(6, 2, 1);
    gm_mesh mesh = gm_mesh_make(&p);
    assert_int_equal(find(&mesh, GM_MESH_SM, 4), 3);
    network_open(&run, &p);
    const gm_fabric *fabric = &run.network.fabric;
    static const uint32_t way[] = {3, 4, 5, 2}; /* positions of s4, s3, s2, p0 */
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t output = fabric->route[way[i] * fabric->size.receivers];
        uint32_t to = fabric->output_wire[output].to;
        if (i == 3) {
            assert_int_equal(output, 0);
            assert_int_equal(to, GM_FABRIC_NONE);
        } else {
            assert_int_equal(fabric->port_wire[to].router, way[i + 1]);
            assert_int_equal(fabric->port_wire[to].from, output);
        }
    }
    network_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placement_is_as_drawn),
        cmocka_unit_test(each_unit_has_one_node),
        cmocka_unit_test(a_lone_packet_takes_a_latency_for_each_router),
        cmocka_unit_test(a_link_passes_one_flit_a_cycle),
        cmocka_unit_test(virtual_channels_pass_blocked_ones),
        cmocka_unit_test(packets_go_along_their_row_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

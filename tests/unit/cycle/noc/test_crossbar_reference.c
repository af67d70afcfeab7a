/* A second crossbar, flit by flit: every port is looked at in every interconnect cycle, queues are
 * lists of packets by number, nothing is skipped. On random traffic each packet must be sent and
 * taken in the same core cycle in both. */
#include "support/cycle/noc/network_run.h"

#include <string.h>

enum { ROUNDS = 80, NONE = -1, CHANNELS = 16 };

typedef struct queue {
    int packet[NETWORK_PACKETS];
    int first, end;
} queue;

typedef struct naive {
    const gm_network_parameters *p;
    network_record *record;
    queue channel[NETWORK_PORTS][CHANNELS]; /* packets waiting */
    queue ejection[NETWORK_PORTS];          /* packets granted and not taken */
    gm_cycle seen[NETWORK_PACKETS];         /* core cycle */
    int moving[NETWORK_PORTS];              /* by output: the packet that it passes */
    uint32_t left[NETWORK_PORTS];           /* its flits that have not yet passed */
    gm_cycle granted[NETWORK_PORTS];        /* core cycle */
    uint32_t output_turn[NETWORK_PORTS], input_turn[NETWORK_PORTS];
} naive;

static naive n;

static uint32_t flits_in(const queue *q)
{
    uint32_t flits = 0;
    for (int i = q->first; i < q->end; i++) {
        flits += n.record[q->packet[i]].flits;
    }
    return flits;
}

static bool fits(const queue *q, uint32_t bound, uint32_t flits)
{
    return q->first == q->end || flits_in(q) + flits <= bound;
}

static bool input_busy(uint32_t input)
{
    for (uint32_t o = 0; o < n.p->outputs; o++) {
        if (n.moving[o] != NONE && n.record[n.moving[o]].input == input) {
            return true;
        }
    }
    return false;
}

/* Head of a virtual channel that could be granted `output` in interconnect cycle `at`, or NONE. */
static int candidate(uint32_t input, uint32_t channel, uint32_t output, gm_cycle at)
{
    const queue *q = &n.channel[input][channel];
    if (q->first == q->end) {
        return NONE;
    }
    int packet = q->packet[q->first];
    bool there = at >= gm_clock_first(n.p->clock, n.record[packet].sent + 1);
    return there && n.record[packet].output == output ? packet : NONE;
}

/* The first packet in turn that waits for a free output, if it has room. */
static int offer_of(uint32_t output, gm_cycle at)
{
    for (uint32_t i = 0; i < n.p->inputs; i++) {
        uint32_t input = (n.output_turn[output] + i) % n.p->inputs;
        for (uint32_t c = 0; c < n.p->channels; c++) {
            int packet = candidate(input, (n.input_turn[input] + c) % n.p->channels, output, at);
            if (packet != NONE && !input_busy(input)) {
                uint32_t flits = n.record[packet].flits;
                return fits(&n.ejection[output], n.p->ejection, flits) ? packet : NONE;
            }
        }
    }
    return NONE;
}

/* Core cycle in which a packet is seen whose tail passes in interconnect cycle `at`. */
static gm_cycle seen_of(gm_cycle at, gm_cycle granted)
{
    gm_cycle there = gm_clock_core(n.p->clock, at + n.p->latency - 1);
    return there > granted ? there : granted + 1;
}

/* An input takes one of its offers, the first in turn over its virtual channels. */
static void accept_one(uint32_t input, const int *offer, gm_cycle at, gm_cycle now)
{
    for (uint32_t c = 0; c < n.p->channels; c++) {
        uint32_t channel = (n.input_turn[input] + c) % n.p->channels;
        for (uint32_t o = 0; o < n.p->outputs; o++) {
            if (offer[o] != NONE && n.record[offer[o]].input == input &&
                n.record[offer[o]].output % n.p->channels == channel) {
                n.moving[o] = offer[o];
                n.left[o] = n.record[offer[o]].flits;
                n.granted[o] = now;
                /* Nothing stops it: known now, as it may be seen in the core cycle in the middle
                 * of which its tail passes. */
                n.seen[offer[o]] = seen_of(at + n.left[o] - 1, now);
                n.output_turn[o] = (input + 1) % n.p->inputs;
                n.input_turn[input] = (channel + 1) % n.p->channels;
                n.channel[input][channel].first++;
                n.ejection[o].packet[n.ejection[o].end++] = offer[o];
                return;
            }
        }
    }
}

static void naive_cycle(gm_cycle at, gm_cycle now)
{
    int offer[NETWORK_PORTS];
    for (uint32_t o = 0; o < n.p->outputs; o++) {
        offer[o] = n.moving[o] == NONE ? offer_of(o, at) : NONE;
    }
    bool any = false;
    for (uint32_t o = 0; o < n.p->outputs; o++) {
        any |= offer[o] != NONE;
    }
    for (uint32_t i = 0; i < n.p->inputs && any; i++) {
        accept_one(i, offer, at, now);
    }
    for (uint32_t o = 0; o < n.p->outputs; o++) {
        if (n.moving[o] != NONE && --n.left[o] == 0) { /* its tail passes in this cycle */
            assert_int_equal(n.seen[n.moving[o]], seen_of(at, n.granted[o]));
            n.moving[o] = NONE;
        }
    }
}

static void naive_senders(const network_traffic *traffic, uint32_t *next, gm_cycle now)
{
    for (uint32_t i = 0; i < n.p->inputs; i++) {
        for (; next[i] < traffic->packets; next[i]++) {
            network_record *record = &n.record[next[i]];
            if (record->input != i) {
                continue;
            }
            queue *q = &n.channel[i][record->output % n.p->channels];
            if (record->due > now || !fits(q, n.p->buffer, record->flits)) {
                break;
            }
            q->packet[q->end++] = (int)next[i];
            record->sent = now;
        }
    }
}

static uint32_t naive_receivers(const network_traffic *traffic, gm_cycle now)
{
    uint32_t taken = 0;
    for (uint32_t o = 0; o < n.p->outputs; o++) {
        queue *q = &n.ejection[o];
        bool open = !network_stalls(traffic, o, now);
        while (open && q->first < q->end && n.seen[q->packet[q->first]] <= now) {
            n.record[q->packet[q->first++]].taken = now;
            taken++;
            open = !traffic->one_at_a_time;
        }
    }
    return taken;
}

static void naive_drive(const gm_network_parameters *p, const network_traffic *traffic,
                        network_record *record)
{
    static uint32_t next[NETWORK_PORTS];
    memset(&n, 0, sizeof n);
    memset(n.moving, 0xff, sizeof n.moving);
    memset(next, 0, sizeof next);
    n.p = p;
    n.record = record;
    network_make(traffic, p, record);
    bool requests = p->direction == GM_NETWORK_REQUESTS;
    uint32_t taken = 0;
    for (gm_cycle now = 0; taken < traffic->packets; now++) {
        if (requests) {
            taken += naive_receivers(traffic, now);
        } else {
            naive_senders(traffic, next, now);
        }
        gm_cycle end = gm_clock_first(p->clock, now + 1);
        for (gm_cycle at = gm_clock_first(p->clock, now); at < end; at++) {
            naive_cycle(at, now);
        }
        if (requests) {
            naive_senders(traffic, next, now);
        } else {
            taken += naive_receivers(traffic, now);
        }
        assert_true(now < 1000000);
    }
}

static void the_naive_crossbar_agrees_packet_by_packet(void **state)
{
    (void)state;
    static network_record record[NETWORK_PACKETS];
    static network_record expected[NETWORK_PACKETS];
    test_random random = test_random_start(3);
    for (unsigned round = 0; round < ROUNDS; round++) {
        gm_network_parameters p = network_parameters_random(&random, GM_TOPOLOGY_CROSSBAR);
        p.classes = p.networks = 1;
        network_traffic traffic = network_traffic_random(&random, &p);
        traffic.every = false;
        gm_fabric_statistics statistics;
        naive_drive(&p, &traffic, expected);
        network_drive(&p, &traffic, record, &statistics);
        for (uint32_t i = 0; i < traffic.packets; i++) {
            if (record[i].sent != expected[i].sent || record[i].taken != expected[i].taken) {
                fail_msg("round %u, packet %u: sent %u, taken %u; should be %u, %u", round, i,
                         (unsigned)record[i].sent, (unsigned)record[i].taken,
                         (unsigned)expected[i].sent, (unsigned)expected[i].taken);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_naive_crossbar_agrees_packet_by_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

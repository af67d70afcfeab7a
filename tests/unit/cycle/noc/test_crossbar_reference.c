/* A second crossbar, flit by flit: every port is looked at in every cycle of the switch, queues are
 * lists of packets by number, nothing is skipped. With a speedup the links of senders and receivers
 * are stepped too, in every cycle of the interconnect. On random traffic each packet must be sent
 * and taken in the same core cycle in both. */
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
    gm_cycle until[NETWORK_PORTS];          /* it holds input and output before this switch cycle */
    gm_cycle idle_from[NETWORK_PORTS];      /* in series: by input */
    gm_clock switch_clock;                /* with a speedup several cycles in the interconnect's */
    queue feed[NETWORK_PORTS];            /* with a speedup: packets that the sender's link moves */
    uint32_t fed[NETWORK_PACKETS];        /* its flits that wait in front of the switch */
    uint32_t fed_in_all[NETWORK_PACKETS]; /* and those that have left, too */
    queue link[NETWORK_PORTS];            /* packets that the receiver's link moves */
    uint32_t on_link[NETWORK_PACKETS];    /* flits that wait in front of it */
    uint32_t linked[NETWORK_PACKETS];     /* flits that it has moved */
    gm_cycle granted[NETWORK_PACKETS];    /* core cycle */
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

static bool input_busy(uint32_t input, gm_cycle at)
{
    if (n.p->series) {
        return at < n.idle_from[input];
    }
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
    bool there = n.p->speedup != 1 ? n.fed[packet] != 0
                                   : at >= gm_clock_first(n.p->clock, n.record[packet].sent + 1);
    return there && n.record[packet].output == output ? packet : NONE;
}

/* The first packet in turn that waits for a free output, if it has room. */
static int offer_of(uint32_t output, gm_cycle at)
{
    for (uint32_t i = 0; i < n.p->inputs; i++) {
        uint32_t input = (n.output_turn[output] + i) % n.p->inputs;
        for (uint32_t c = 0; c < n.p->channels; c++) {
            int packet = candidate(input, (n.input_turn[input] + c) % n.p->channels, output, at);
            if (packet != NONE && !input_busy(input, at)) {
                uint32_t flits = n.record[packet].flits;
                return fits(&n.ejection[output], n.p->ejection, flits) ? packet : NONE;
            }
        }
    }
    return NONE;
}

/* Core cycle in which a packet is seen whose tail its link moves, or the switch, in interconnect
 * cycle `at`. */
static gm_cycle seen_of(gm_cycle at, gm_cycle granted)
{
    gm_cycle there = gm_clock_core(n.p->clock, at + n.p->latency - 1);
    return there > granted ? there : granted + 1;
}

/* Interconnect cycle in which the link moves the tail of a packet that is granted in cycle `at` of
 * the switch: one flit in each cycle, after all that wait. */
static gm_cycle tail_on_link(uint32_t output, uint32_t flits, gm_cycle at)
{
    const queue *q = &n.link[output];
    gm_cycle before = 0;
    for (int i = q->first; i < q->end; i++) {
        before += n.record[q->packet[i]].flits - n.linked[q->packet[i]];
    }
    return at / n.p->speedup + before + flits - 1;
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
                n.until[o] = at + n.left[o] + (n.p->speedup != 1 ? n.p->allocation : 0);
                n.granted[offer[o]] = now;
                /* Nothing stops it: known now, as it may be seen in the core cycle in the middle
                 * of which its tail passes. */
                n.seen[offer[o]] = n.p->speedup != 1 ? seen_of(tail_on_link(o, n.left[o], at), now)
                                                     : seen_of(at + n.left[o] - 1, now);
                n.output_turn[o] = (input + 1) % n.p->inputs;
                n.input_turn[input] = (channel + 1) % n.p->channels;
                n.channel[input][channel].first++;
                n.ejection[o].packet[n.ejection[o].end++] = offer[o];
                n.link[o].packet[n.link[o].end++] = offer[o];
                return;
            }
        }
    }
}

/* Output `output` moves a flit of the packet that it passes, if it has arrived. */
static void move_flit(uint32_t output, gm_cycle at)
{
    int packet = n.moving[output];
    if (packet != NONE && n.left[output] == 0) { /* its tail has passed */
        n.moving[output] = at + 1 >= n.until[output] ? NONE : packet;
        return;
    }
    if (packet == NONE || (n.p->speedup != 1 && n.fed[packet] == 0)) {
        return;
    }
    n.fed[packet]--;
    n.on_link[packet]++;
    if (--n.left[output] == 0) { /* its tail passes in this cycle */
        if (n.p->speedup == 1) {
            assert_int_equal(n.seen[packet], seen_of(at, n.granted[packet]));
            n.link[output].first++;
        }
        n.moving[output] = at + 1 >= n.until[output] ? NONE : packet;
    }
}

/* Outputs one after another; one that has passed its packet's tail takes no other in this cycle. An
 * input whose packet has one flit is idle for the outputs behind. */
static void series_cycle(gm_cycle at, gm_cycle now)
{
    int offer[NETWORK_PORTS];
    memset(offer, 0xff, sizeof offer);
    for (uint32_t o = 0; o < n.p->outputs; o++) {
        int packet = n.moving[o] == NONE ? offer_of(o, at) : NONE;
        if (packet != NONE) {
            const network_record *record = &n.record[packet];
            offer[o] = packet;
            accept_one(record->input, offer, at, now);
            offer[o] = NONE;
            n.idle_from[record->input] = record->flits == 1 ? at : at + record->flits;
        }
        move_flit(o, at);
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
        move_flit(o, at);
    }
}

/* With a speedup, at the beginning of an interconnect cycle: a flit of each sender arrives that the
 * sender has had since before core cycle `begins`, in which the cycle begins. */
static void feed_switch(gm_cycle begins)
{
    for (uint32_t i = 0; i < n.p->inputs; i++) {
        queue *q = &n.feed[i];
        if (q->first == q->end || n.record[q->packet[q->first]].sent >= begins) {
            continue;
        }
        int packet = q->packet[q->first];
        n.fed[packet]++;
        if (++n.fed_in_all[packet] == n.record[packet].flits) {
            q->first++;
        }
    }
}

/* With a speedup, at the end of interconnect cycle `at`: each receiver's link moves a flit. */
static void move_links(gm_cycle at)
{
    for (uint32_t o = 0; o < n.p->outputs; o++) {
        queue *q = &n.link[o];
        int packet = q->first == q->end ? NONE : q->packet[q->first];
        if (packet == NONE || n.on_link[packet] == 0) {
            continue;
        }
        n.on_link[packet]--;
        if (++n.linked[packet] == n.record[packet].flits) {
            assert_int_equal(n.seen[packet], seen_of(at, n.granted[packet]));
            q->first++;
        }
    }
}

/* A cycle of the switch, `at`, in core cycle `now`; with a speedup the links' with the first and
 * the last of an interconnect cycle. */
static void switch_cycle(gm_cycle at, gm_cycle now)
{
    if (n.p->speedup != 1 && at % n.p->speedup == 0) {
        feed_switch(now);
    }
    if (n.p->series) {
        series_cycle(at, now);
    } else {
        naive_cycle(at, now);
    }
    if (n.p->speedup != 1 && (at + 1) % n.p->speedup == 0) {
        move_links(at / n.p->speedup);
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
            n.feed[i].packet[n.feed[i].end++] = (int)next[i];
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
    n.switch_clock = gm_clock_make(p->clock.core.divisor, p->clock.own.divisor * p->speedup);
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
        gm_cycle end = gm_clock_first(n.switch_clock, now + 1);
        for (gm_cycle at = gm_clock_first(n.switch_clock, now); at < end; at++) {
            switch_cycle(at, now);
        }
        if (requests) {
            naive_senders(traffic, next, now);
        } else {
            taken += naive_receivers(traffic, now);
        }
        assert_true(now < 1000000);
    }
}

typedef enum kind { ISLIP, SPEEDUP, SERIES } kind;

static void compare(uint64_t seed, kind kind)
{
    static network_record record[NETWORK_PACKETS];
    static network_record expected[NETWORK_PACKETS];
    test_random random = test_random_start(seed);
    for (unsigned round = 0; round < test_rounds(ROUNDS); round++) {
        gm_network_parameters p = network_parameters_random(&random, GM_TOPOLOGY_CROSSBAR);
        p.classes = p.networks = 1;
        if (kind != ISLIP) {
            p.channels = 1;
            p.speedup = kind == SPEEDUP ? 2 + (uint32_t)test_random_below(&random, 3) : 1;
            p.series = kind == SERIES;
            p.allocation = kind == SPEEDUP && round % 2 == 0;
        }
        network_traffic traffic = network_traffic_random(&random, &p);
        traffic.every = false;
        traffic.most = kind == SERIES && round % 2 == 0 ? 1 : traffic.most;
        traffic.most = round % 4 == 1 ? 33 : traffic.most; /* longer than the smallest wheel */
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

static void the_naive_crossbar_agrees_packet_by_packet(void **state)
{
    (void)state;
    compare(3, ISLIP);
}

static void with_a_speedup_too(void **state)
{
    (void)state;
    compare(4, SPEEDUP);
}

static void in_series_too(void **state)
{
    (void)state;
    compare(5, SERIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_naive_crossbar_agrees_packet_by_packet),
        cmocka_unit_test(with_a_speedup_too),
        cmocka_unit_test(in_series_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

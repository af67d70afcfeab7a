/* Runs of the cycle engine's networks. */
#include "support/cycle/noc/network_run.h"

#include "base/random.h"
#include "goldmem/bits.h"

#include <stdio.h>
#include <string.h>

enum { LIMIT = 4000000 }; /* core cycles after which a packet counts as lost */

gm_network_parameters network_parameters(gm_topology topology, gm_network_direction direction,
                                         uint32_t sms, uint32_t banks)
{
    bool requests = direction == GM_NETWORK_REQUESTS;
    return (gm_network_parameters){
        .topology = topology,
        .direction = direction,
        .inputs = requests ? sms : banks,
        .outputs = requests ? banks : sms,
        .shared = 1,
        .flit = NETWORK_FLIT,
        .header = NETWORK_FLIT,
        .latency = 6,
        .speedup = 1,
        .channels = 1,
        .classes = 1,
        .networks = 1,
        .buffer = 4,
        .ejection = 32,
        .clock = gm_clock_make(1, 1),
    };
}

static void make_network(network_run *run, const gm_network_parameters *parameters)
{
    gm_error error;
    test_ok(gm_arena_create(&run->arena, gm_network_bytes(parameters), &error), error);
    test_ok(gm_network_init(&run->network, parameters, &run->arena, &error), error);
    gm_network_connect(&run->network, run->sender_wake, run->receiver_wake, &run->wake);
}

void network_open(network_run *run, const gm_network_parameters *parameters)
{
    assert_true(parameters->inputs * parameters->classes <= NETWORK_PORTS &&
                parameters->outputs * parameters->classes <= NETWORK_PORTS);
    run->wake = GM_NEVER;
    for (unsigned i = 0; i < NETWORK_PORTS; i++) {
        run->sender_wake[i] = run->receiver_wake[i] = GM_NEVER;
    }
    make_network(run, parameters);
}

void network_close(network_run *run)
{
    gm_arena_free(&run->arena);
}

gm_packet network_packet(const network_run *run, uint32_t input, uint32_t output, uint32_t flits,
                         uint32_t id)
{
    const gm_network_parameters *p = &run->network.parameters;
    bool requests = p->direction == GM_NETWORK_REQUESTS;
    gm_packet packet = {
        .line = gm_hash64(id),
        .sectors = flits == 1 ? 1 : (uint32_t)gm_mask(flits - 1),
        .whole = id ^ 0x5a5a,
        .id = id,
        .sm = (uint16_t)(requests ? input % p->inputs : output % p->outputs),
        .bank = (uint16_t)(requests ? output % p->outputs : input % p->inputs),
        .kind = requests ? GM_MESSAGE_WRITE : GM_MESSAGE_READ,
        .response = !requests,
    };
    if (flits == 1) { /* without data */
        packet.kind = requests ? GM_MESSAGE_READ : GM_MESSAGE_WRITE;
    }
    return packet;
}

void network_visit(network_run *run, gm_cycle now)
{
    run->wake = GM_NEVER;
    gm_network_step(&run->network, now);
    assert_true(run->wake > now);
}

void network_make(const network_traffic *traffic, const gm_network_parameters *parameters,
                  network_record *record)
{
    uint64_t random = traffic->seed;
    gm_cycle due = 0;
    for (uint32_t i = 0; i < traffic->packets; i++) {
        due += gm_random_below(&random, 2 * (uint64_t)traffic->spread / traffic->packets + 1);
        record[i] = (network_record){
            .input = (uint32_t)gm_random_below(&random, parameters->inputs),
            .output = (uint32_t)gm_random_below(&random, traffic->outputs),
            .flits = 1 + (uint32_t)gm_random_below(&random, traffic->most),
            .due = due,
        };
        uint32_t class = (uint32_t)(gm_hash64(traffic->seed + i) % parameters->classes);
        record[i].input += class * parameters->inputs;
        record[i].output += class * parameters->outputs;
    }
}

bool network_stalls(const network_traffic *traffic, uint32_t output, gm_cycle now)
{
    /* Whole stretches of 8 cycles, so that buffers fill up. */
    return gm_hash64(traffic->seed + output * 7919 + now / 8) % 16 < traffic->stall;
}

typedef struct driver {
    network_run run;
    const network_traffic *traffic;
    network_record *record;
    uint32_t next[NETWORK_PORTS]; /* packet that a sender has next; `packets`: none */
    uint32_t last[NETWORK_PORTS][NETWORK_PORTS]; /* id + 1 of the last arrival of a pair */
    uint32_t arrived;
} driver;

/* The sender's next packet from `id` on. */
static uint32_t next_of(const driver *d, uint32_t input, uint32_t id)
{
    while (id < d->traffic->packets && d->record[id].input != input) {
        id++;
    }
    return id;
}

/* `input` is of any class; wake-up times are of all classes of a sender. */
static void visit_sender(driver *d, uint32_t input, gm_cycle now)
{
    gm_cycle *wake = &d->run.sender_wake[input % d->run.network.parameters.inputs];
    while (d->next[input] < d->traffic->packets) {
        network_record *record = &d->record[d->next[input]];
        if (record->due > now) {
            gm_wake(wake, record->due);
            return;
        }
        gm_packet packet =
            network_packet(&d->run, input, record->output, record->flits, d->next[input]);
        if (!gm_network_has_room(&d->run.network, input, &packet)) {
            return; /* the network wakes it */
        }
        gm_network_send(&d->run.network, input, &packet, now);
        record->sent = now;
        d->next[input] = next_of(d, input, d->next[input] + 1);
    }
}

static void take(driver *d, uint32_t output, const gm_packet *packet, gm_cycle now)
{
    assert_true(packet->id < d->traffic->packets);
    network_record *record = &d->record[packet->id];
    gm_packet expected =
        network_packet(&d->run, record->input, record->output, record->flits, packet->id);
    const gm_network *network = &d->run.network;
    assert_int_equal(record->output % (network->parameters.outputs * network->fabric.apart),
                     output);
    assert_int_equal(packet->line, expected.line);
    assert_int_equal(packet->sectors, expected.sectors);
    assert_int_equal(packet->whole, expected.whole);
    assert_int_equal(packet->kind, expected.kind);
    assert_int_equal(packet->sm, expected.sm);
    assert_int_equal(packet->bank, expected.bank);
    assert_int_equal(record->taken, 0);
    assert_true(now > record->sent);
    assert_true(packet->id + 1 > d->last[record->input][record->output]);
    d->last[record->input][record->output] = packet->id + 1;
    record->taken = now;
    d->arrived++;
    gm_network_pop(&d->run.network, output, now);
}

static void visit_receiver(driver *d, uint32_t output, gm_cycle now)
{
    gm_cycle *wake = &d->run.receiver_wake[output % d->run.network.parameters.outputs];
    const gm_packet *packet = gm_network_peek(&d->run.network, output, now);
    if (packet == NULL) {
        gm_wake(wake, gm_network_arrival(&d->run.network, output));
    } else if (network_stalls(d->traffic, output, now)) {
        gm_wake(wake, now + 1);
        return;
    }
    while (packet != NULL) {
        take(d, output, packet, now);
        packet = d->traffic->one_at_a_time ? NULL : gm_network_peek(&d->run.network, output, now);
    }
}

static void visit_senders(driver *d, gm_cycle now)
{
    const gm_network_parameters *p = &d->run.network.parameters;
    for (uint32_t i = 0; i < p->inputs; i++) {
        if (d->traffic->every || d->run.sender_wake[i] <= now) {
            d->run.sender_wake[i] = GM_NEVER;
            for (uint32_t class = 0; class < p->classes; class ++) {
                visit_sender(d, class * p->inputs + i, now);
            }
        }
    }
}

static void visit_receivers(driver *d, gm_cycle now)
{
    const gm_network_parameters *p = &d->run.network.parameters;
    for (uint32_t i = 0; i < p->outputs; i++) {
        if (d->traffic->every || d->run.receiver_wake[i] <= now) {
            d->run.receiver_wake[i] = GM_NEVER;
            uint32_t classes = d->run.network.fabric.apart; /* taken by numbers of their own */
            for (uint32_t class = 0; class < classes; class ++) {
                visit_receiver(d, class * p->outputs + i, now);
            }
        }
    }
}

static gm_cycle earliest(const driver *d)
{
    gm_cycle first = d->run.wake;
    for (uint32_t i = 0; i < NETWORK_PORTS; i++) {
        gm_wake(&first, d->run.sender_wake[i]);
        gm_wake(&first, d->run.receiver_wake[i]);
    }
    return first;
}

/* Saves the network, and goes on with a new one that loads it. */
static void save_and_load(network_run *run)
{
    gm_network_parameters parameters = run->network.parameters;
    gm_fabric_instance instance = run->network.fabric.instance;
    FILE *file = tmpfile();
    assert_non_null(file);
    gm_snapshot saved = {.file = file};
    gm_network_snapshot(&run->network, &saved);
    assert_int_equal(saved.failed, 0);
    network_close(run);
    make_network(run, &parameters);
    run->network.fabric.instance = instance;
    rewind(file);
    gm_snapshot loaded = {.file = file, .loading = true};
    gm_network_snapshot(&run->network, &loaded);
    assert_int_equal(loaded.failed, 0);
    assert_int_equal(loaded.bytes, saved.bytes);
    assert_int_equal(loaded.sum, saved.sum);
    assert_int_equal(fgetc(file), EOF);
    assert_int_equal(fclose(file), 0);
}

/* One core cycle, in the engine's order. */
static void visit_all(driver *d, gm_cycle now)
{
    bool senders_first = d->run.network.parameters.direction == GM_NETWORK_REPLIES;
    if (senders_first) {
        visit_senders(d, now);
    } else {
        visit_receivers(d, now);
    }
    if (d->traffic->every || d->run.wake <= now) {
        network_visit(&d->run, now);
    }
    if (senders_first) {
        visit_receivers(d, now);
    } else {
        visit_senders(d, now);
    }
}

static void check_end(const driver *d)
{
    gm_error error;
    uint64_t flits = 0;
    for (uint32_t i = 0; i < d->traffic->packets; i++) {
        flits += d->record[i].flits;
    }
    const gm_network *network = &d->run.network;
    test_ok(gm_network_check(network, &error), error);
    char text[8];
    assert_true(gm_network_oldest(network, text, sizeof text) == GM_NEVER);
    bool requests = network->parameters.direction == GM_NETWORK_REQUESTS;
    assert_int_equal(network->fabric.statistics.sent, d->traffic->packets);
    gm_time_statistics time = {0};
    gm_network_add(network, &time);
    uint64_t of_classes = 0;
    for (uint32_t class = 0; class < GM_NETWORK_CLASSES; class ++) {
        of_classes += network->fabric.statistics.class_flits[class];
    }
    assert_int_equal(of_classes, network->parameters.classes == 1 ? 0 : flits);
    assert_int_equal(time.request_flits, requests ? flits : 0);
    assert_int_equal(time.reply_flits, requests ? 0 : flits);
}

gm_cycle network_drive(const gm_network_parameters *parameters, const network_traffic *traffic,
                       network_record *record, gm_fabric_statistics *statistics)
{
    static driver d;
    memset(&d, 0, sizeof d);
    d.traffic = traffic;
    d.record = record;
    network_make(traffic, parameters, record);
    network_open(&d.run, parameters);
    gm_fabric_instance *instance = &d.run.network.fabric.instance;
    if (traffic->limited) {
        *instance = traffic->instance;
    }
    for (uint32_t i = 0; i < parameters->inputs * parameters->classes; i++) {
        d.next[i] = next_of(&d, i, 0);
        d.run.sender_wake[i % parameters->inputs] = 0;
    }
    gm_cycle now = 0;
    bool saved = traffic->snapshot == 0;
    while (d.arrived < traffic->packets && now < LIMIT) {
        if (!saved && now >= traffic->snapshot) {
            saved = true;
            save_and_load(&d.run);
        }
        visit_all(&d, now);
        gm_cycle next = earliest(&d);
        assert_true(next > now);
        now = traffic->every ? now + 1 : next;
    }
    assert_int_equal(d.arrived, traffic->packets);
    /* What it has scheduled is part of the network's own work, if there is any. */
    while (d.run.wake != GM_NEVER) {
        now = d.run.wake;
        network_visit(&d.run, now);
    }
    check_end(&d);
    *statistics = d.run.network.fabric.statistics;
    network_close(&d.run);
    return now;
}

gm_network_parameters network_parameters_random(test_random *random, gm_topology topology)
{
    static const uint32_t buffers[] = {1, 1, 2, 3, 5, 8, 40};
    static const uint64_t clocks[][2] = {{700, 700}, {700, 1400}, {1400, 700}, {700, 924}, {3, 8}};
    const uint64_t *clock = clocks[test_random_below(random, 5)];
    uint32_t shared = 1 + (uint32_t)test_random_below(random, 3);
    bool many = topology == GM_TOPOLOGY_CROSSBAR && test_random_below(random, 8) == 0;
    uint32_t banks = shared * (1 + (uint32_t)test_random_below(random, many ? 53 : 7));
    gm_network_parameters p = network_parameters(
        topology, test_random_below(random, 2) ? GM_NETWORK_REQUESTS : GM_NETWORK_REPLIES,
        1 + (uint32_t)test_random_below(random, many ? NETWORK_PORTS : 20), banks);
    p.shared = shared;
    p.latency = 1 + (uint32_t)test_random_below(random, 9);
    p.channels = 1 + (uint32_t)test_random_below(random, 4);
    p.buffer = buffers[test_random_below(random, 7)];
    p.ejection = buffers[test_random_below(random, 7)];
    p.clock = gm_clock_make(clock[0], clock[1]);
    if (!many && test_random_below(random, 2) == 0) {
        p.classes = 2 + (uint32_t)test_random_below(random, GM_NETWORK_CLASSES - 1);
        p.networks = 1 + (uint32_t)test_random_below(random, p.classes);
        for (uint32_t class = 0; class < p.classes; class ++) {
            p.network_of[class] = (uint8_t)(class % p.networks);
        }
    }
    return p;
}

network_traffic network_traffic_random(test_random *random, const gm_network_parameters *p)
{
    network_traffic traffic = {
        .seed = test_random_next(random),
        .packets = 300,
        .most = 1 + (uint32_t)test_random_below(random, 6),
        .spread = (uint32_t)test_random_below(random, 2000),
        .outputs = 1 + (uint32_t)test_random_below(random, p->outputs),
        .stall = (uint32_t)test_random_below(random, 14),
        .every = true,
        .one_at_a_time = test_random_below(random, 2) != 0,
    };
    return traffic;
}

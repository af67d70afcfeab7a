/* A network of the cycle engine between senders and receivers that a test makes: one packet by
 * hand, or random traffic with receivers that stall, visited in every core cycle or only when
 * woken, in the engine's order. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_NOC_NETWORK_RUN_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_NOC_NETWORK_RUN_H

#include "cycle/noc/network.h"
#include "support/support.h"

enum { NETWORK_PORTS = 160, NETWORK_PACKETS = 4096 };

/* A header is one flit, and so is each sector: a packet of n sectors has n + 1. */
enum { NETWORK_FLIT = 32 };

/* `sms` SMs and `banks` L2 banks, 4 flits of input and 32 of ejection buffer, latency 6. */
gm_network_parameters network_parameters(gm_topology topology, gm_network_direction direction,
                                         uint32_t sms, uint32_t banks);

typedef struct network_run {
    gm_network network;
    gm_arena arena;
    gm_cycle wake, sender_wake[NETWORK_PORTS], receiver_wake[NETWORK_PORTS];
} network_run;

void network_open(network_run *run, const gm_network_parameters *parameters);
void network_close(network_run *run);

/* A packet of 1 to 33 flits. `input` and `output` may be of any class. */
gm_packet network_packet(const network_run *run, uint32_t input, uint32_t output, uint32_t flits,
                         uint32_t id);

/* Visits the network in core cycle `now`, as the engine does. */
void network_visit(network_run *run, gm_cycle now);

/* Random traffic. */
typedef struct network_traffic {
    uint64_t seed;
    uint32_t packets;
    uint32_t most;      /* flits of a packet */
    uint32_t spread;    /* core cycles over which they are sent */
    uint32_t outputs;   /* receivers used, from 0 */
    uint32_t stall;     /* of 16 core cycles that a receiver does nothing */
    bool every;         /* visit everything in every core cycle */
    gm_cycle snapshot;  /* core cycle before which the network is saved and loaded; 0: never */
    bool one_at_a_time; /* receivers take one packet in a core cycle */
    bool limited;       /* the fabric is run by `instance`, not by the one made for it */
    gm_fabric_instance instance;
} network_traffic;

typedef struct network_record {
    uint32_t input, output, flits;
    gm_cycle due;  /* its sender has it from then on */
    gm_cycle sent; /* core cycles */
    gm_cycle taken;
} network_record;

/* Makes the packets: `record` by id; sender by sender in the order of their ids. */
void network_make(const network_traffic *traffic, const gm_network_parameters *parameters,
                  network_record *record);

/* True if this receiver stalls in this cycle. */
bool network_stalls(const network_traffic *traffic, uint32_t output, gm_cycle now);

/* Runs until all have arrived, and checks that each arrives once, unchanged, those of one sender
 * for one receiver in order, and that the network is empty afterwards. Returns the last cycle. */
gm_cycle network_drive(const gm_network_parameters *parameters, const network_traffic *traffic,
                       network_record *record, gm_fabric_statistics *statistics);

/* Random parameters: small and large buffers, all clocks, either direction. */
gm_network_parameters network_parameters_random(test_random *random, gm_topology topology);
network_traffic network_traffic_random(test_random *random, const gm_network_parameters *p);

#endif

/* Latencies of the timed L1's requests: where the data of each that has missed came from. All
 * functions require l1->latency. */
#ifndef GOLDMEM_CYCLE_L1_L1_LATENCY_H
#define GOLDMEM_CYCLE_L1_L1_LATENCY_H

#include "cycle/l1/l1.h"

/* A packet has arrived, from the L2 or, `of_peer`, from another L1. */
void gm_cycle_l1_latency_arrive(gm_cycle_l1 *l1, const gm_packet *packet, bool of_peer);

/* A requester of the data that the MSHR entry `owner` has got is answered in cycle `now`.
 * `requester`: its word in the MSHRs. `last`: the entry has no more. With several entries for a
 * request (by_sector), it is answered with the last of them. */
void gm_cycle_l1_latency_answer(gm_cycle_l1 *l1, uint32_t owner, uint64_t requester, bool last,
                                gm_cycle now);

/* The load that bypasses the L1 in that place is answered. */
void gm_cycle_l1_latency_bypassed(gm_cycle_l1 *l1, uint32_t place, gm_cycle now);

#endif

/* Supplies of a timed L1 to other L1s [anssari, 3.1]. A SUPPLY is looked up as it arrives, by a
 * second port; the data leave l1.latency later, on the network of peers. An L1 that lacks a sector
 * sends a RETURN. Neither waits for other requests: each SUPPLY has a place from its tracker's
 * credit on. Each function requires l1->tracked. */
#ifndef GOLDMEM_CYCLE_L1_L1_SUPPLY_H
#define GOLDMEM_CYCLE_L1_L1_SUPPLY_H

#include "cycle/l1/l1.h"

/* Answers a SUPPLY. */
void gm_cycle_l1_supply_other(gm_cycle_l1 *l1, const gm_packet *packet, gm_cycle now);

#endif

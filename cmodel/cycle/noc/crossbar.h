/* Crossbar: one router whose input ports are the senders and whose output ports are the receivers
 * [khairy, Table 1: 1 crossbar/direction]. */
#ifndef GOLDMEM_CYCLE_NOC_CROSSBAR_H
#define GOLDMEM_CYCLE_NOC_CROSSBAR_H

#include "cycle/noc/network.h"

/* Sets routers, ports and outputs of *size; leaves the other fields. */
void gm_crossbar_size(const gm_network_parameters *parameters, gm_fabric_size *size);

/* Fills in the fabric's wiring. Requires gm_fabric_init. */
void gm_crossbar_wire(gm_fabric *fabric);

#endif

/* Crossbar: one router whose input ports are the senders and whose output ports are the receivers
 * [khairy, Table 1: 1 crossbar/direction]. */
#ifndef GOLDMEM_CYCLE_NOC_CROSSBAR_H
#define GOLDMEM_CYCLE_NOC_CROSSBAR_H

#include "cycle/noc/network.h"

/* Routers, ports and outputs; the rest of *size stays. */
void gm_crossbar_size(const gm_network_parameters *parameters, gm_fabric_size *size);

/* The wiring. */
void gm_crossbar_wire(gm_fabric *fabric);

#endif

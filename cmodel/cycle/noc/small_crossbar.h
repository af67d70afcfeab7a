/* Small crossbar of several virtual channels: fabric.h's rules where sets of ports, of outputs and
 * of cycles fit a word. */
#ifndef GOLDMEM_CYCLE_NOC_SMALL_CROSSBAR_H
#define GOLDMEM_CYCLE_NOC_SMALL_CROSSBAR_H

#include "cycle/noc/fabric.h"

/* gm_fabric_step of a crossbar without series and speedup, with at most 63 ports, 64 outputs and 64
 * cycles of a packet. Gives the results of GM_FABRIC_ANY. */
void gm_small_crossbar_step(gm_fabric *fabric, gm_cycle now);

#endif

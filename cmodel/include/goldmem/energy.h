/* Energy of the memory system: events that a run counted, times constants per event, all from one
 * table of one paper [anssari, Table 4.3] (22 nm). docs/energy.md is made from the constants. */
#ifndef GOLDMEM_ENERGY_H
#define GOLDMEM_ENERGY_H

#include "goldmem/config.h"
#include "goldmem/statistics.h"

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* COMPONENT(name, meaning): what is spent on events, which both engines count. */
#define GM_ENERGY_COMPONENTS(COMPONENT)                                                            \
    COMPONENT(l1d, "line reads and writes of the L1s")                                             \
    COMPONENT(l2, "32-byte reads and writes of the L2 banks")                                      \
    COMPONENT(interconnect, "bytes between SMs and L2, over 10 mm of wire")                        \
    COMPONENT(dram, "32-byte reads and writes of the DRAM, in open rows")

/* What is spent in every cycle (cycle engine). */
#define GM_ENERGY_OVER_TIME(COMPONENT)                                                             \
    COMPONENT(leakage, "of the L1s and the L2, over the cycles of the kernels")

/* Picojoules, each rounded down. */
typedef struct gm_energy {
#define COMPONENT(name, meaning) uint64_t name;
    GM_ENERGY_COMPONENTS(COMPONENT)
    GM_ENERGY_OVER_TIME(COMPONENT)
#undef COMPONENT
} gm_energy;

/* The energy of what was counted in one kernel or in all; leakage is 0 without cycles. */
gm_energy gm_energy_of(const gm_statistics *statistics, const gm_config *config);

/* Writes docs/energy.md: what is charged for what, and every constant with its source. */
void gm_energy_write_page(FILE *file);

#ifdef __cplusplus
}
#endif

#endif

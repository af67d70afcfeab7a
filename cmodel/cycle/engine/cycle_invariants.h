/* Invariants of the cycle engine. */
#ifndef GOLDMEM_CYCLE_ENGINE_CYCLE_INVARIANTS_H
#define GOLDMEM_CYCLE_ENGINE_CYCLE_INVARIANTS_H

#include "cycle/engine/run_state.h"

/* Checks after the work that each unit is empty and its counters agree, that every message sent was
 * received, that every scheduler cycle is charged once, and that the kernels together have run what
 * the SMs counted. L2 banks and DRAM channels are left out while they go on (gpu.kernel_end).
 * `sum`: the machine's counters. Requires that all requests are answered. Returns 0, or -EPROTO,
 * which names the invariant and both values. */
int gm_cycle_check(const gm_cycle_run_state *run, const gm_statistics *sum, gm_error *error);

/* Checks the part of it that needs no kernels and no warps: also of a machine under another
 * simulator (goldmem/memory.h). Returns 0 or -EPROTO. */
int gm_cycle_check_machine(const gm_cycle_machine *machine, const gm_statistics *sum,
                           gm_error *error);

/* Checks the invariants of networks, bypass policies and DRAM channels that hold after any cycle.
 * MSHRs and tags check theirs after each access. Returns 0, -EPROTO or -EINVAL. */
int gm_cycle_check_running(const gm_cycle_machine *machine, gm_error *error);

#endif

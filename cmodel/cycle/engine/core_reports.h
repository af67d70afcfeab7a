/* Dynamic warp throttling in the machine: the reports of its SMs, and the limits that follow. */
#ifndef GOLDMEM_CYCLE_ENGINE_CORE_REPORTS_H
#define GOLDMEM_CYCLE_ENGINE_CORE_REPORTS_H

#include "cycle/engine/machine.h"

/* With sm.throttle=sampling makes the block and the machine's timer; else does nothing. Returns 0
 * or -EINVAL. */
int gm_machine_sampling_init(gm_cycle_machine *machine, gm_error *error);

/* Begins a kernel, which is launched at the end of cycle `launched`, without limits; ends it. Do
 * nothing without sm.throttle=sampling. */
void gm_machine_sampling_begin(gm_cycle_machine *machine, const gm_kernel *kernel, uint64_t number,
                               gm_cycle launched);
void gm_machine_sampling_end(gm_cycle_machine *machine);

#endif

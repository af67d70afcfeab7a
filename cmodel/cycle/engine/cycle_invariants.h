/* Conservation laws of the cycle engine. */
#ifndef GOLDMEM_CYCLE_ENGINE_CYCLE_INVARIANTS_H
#define GOLDMEM_CYCLE_ENGINE_CYCLE_INVARIANTS_H

#include "cycle/engine/run_state.h"

/* After a kernel: each component is empty and its counters agree, what one has sent the other has
 * received, and every scheduler was in one state in every cycle. `sum`: the machine's counters.
 * -EPROTO names the law and both values. */
int gm_cycle_check(const gm_cycle_run_state *run, const gm_statistics *sum, gm_error *error);

/* What holds after any cycle: the invariants of the units that have some. -EPROTO, -EINVAL. */
int gm_cycle_check_running(const gm_cycle_machine *machine, gm_error *error);

#endif

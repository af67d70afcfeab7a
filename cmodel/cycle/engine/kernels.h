/* Kernels of a run of the cycle engine: launch, dispatch of CTAs, L1 flushes, ends and reports.
 *
 * Work begins with the oldest kernel and those of other streams that the window has, on a machine
 * in which nothing is in flight, or write-backs alone (gpu.kernel_end=answered); so it ends.
 * Kernels that are launched later run beside the others. The CTAs of the oldest launched kernel are
 * dispatched first, and those of the next when all of it are dispatched. */
#ifndef GOLDMEM_CYCLE_ENGINE_KERNELS_H
#define GOLDMEM_CYCLE_ENGINE_KERNELS_H

#include "cycle/engine/run_state.h"

/* Makes the window and what else a run needs of several kernels. Returns 0 or -ENOMEM. */
int gm_kernels_init(gm_cycle_run_state *run, const gm_config *config, gm_error *error);

/* Begins work with the kernels of the window. Requires that all requests are answered, and a kernel
 * in the window. Returns 0 or a negative errno value. */
int gm_kernels_begin(gm_cycle_run_state *run, gm_error *error);

/* At the end of cycle `now`: takes the CTAs that have ended from the SMs, fills the SMs with CTAs,
 * ends kernels that run beside others, launches their successors, and sets run->due. Returns 0 or a
 * negative errno value. */
int gm_kernels_go_on(gm_cycle_run_state *run, gm_cycle now, gm_error *error);

/* Ends the work: statistics, invariants, reports. Requires that all requests are answered. Returns
 * 0, or what options->kernel_done returned, or a negative errno value. */
int gm_kernels_end(gm_cycle_run_state *run, gm_error *error);

/* Stops the run within the work. Returns 1, or as gm_kernels_end. */
int gm_kernels_stop(gm_cycle_run_state *run, gm_error *error);

/* Lets what the last kernel's end has left in flight end, in cycles that belong to no kernel; what
 * it counts belongs to the total only. Returns 0, -EDEADLK if it does not end, or what is wrong
 * with the invariants. */
int gm_kernels_finish_writes(gm_cycle_run_state *run, gm_error *error);

/* Flushes the L1s between kernels, in cycles that belong to no kernel. Requires that no SM has
 * warps. `context`: the run's state. */
void gm_kernels_flush_l1s(void *context);

/* Sets what follows from the configuration and the kernels' headers, after a checkpoint was loaded.
 * Returns 0 or -EINVAL. */
int gm_kernels_resume(gm_cycle_run_state *run, gm_error *error);

/* Returns the core cycles of the run up to the end of cycle `now` of the work. */
uint64_t gm_kernels_cycles(const gm_cycle_run_state *run, gm_cycle now);

#endif

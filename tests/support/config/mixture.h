/* Random programs with something of everything, and configurations to run them in. */
#ifndef GOLDMEM_TESTS_SUPPORT_CONFIG_MIXTURE_H
#define GOLDMEM_TESTS_SUPPORT_CONFIG_MIXTURE_H

#include "goldmem/config.h"
#include "support/trace/memory_source.h"

/* Loads, stores, atomics, asynchronous copies, local, shared and generic memory, gathers, barriers,
 * fences, partial masks, registers; `kernels` kernels of 40 CTAs and copies; gaps in CTAs and
 * warps. */
memory_source *mixture(uint64_t seed, uint32_t kernels);

/* With kernels of so many CTAs, for machines of few SMs. */
memory_source *mixture_of(uint64_t seed, uint32_t kernels, uint32_t ctas);

/* The presets (0 to 4), and the policies that they do not have; from POLICY_VARIANTS on the
 * policies again, with stores that allocate. */
enum { POLICY_VARIANTS = 23, VARIANTS = 41 };
gm_config variant(unsigned number);

/* As `variant`, with clocks that fall into step late or never, with the mesh, both allocations of
 * the L1, the three schedulers, one and two ports, one to three virtual channels. */
gm_config timed_variant(unsigned number);

/* A write port of the load/store unit, if the configuration can have one. */
void give_write_port(gm_config *config);

/* Kernels that end with their last answer, if the configuration can have them. */
void end_answered(gm_config *config);

/* Changes what a decoupled L1 cannot have, and says how many tags a set has; l1.kind stays. */
void fit_for_decoupled(gm_config *config, unsigned number);

/* Makes sectors of the L2 whole by several stores, and changes what such an L2 cannot have. */
void make_whole_by_parts(gm_config *config);

/* One of everything that waits somewhere. */
void make_tiny(gm_config *config);

#endif

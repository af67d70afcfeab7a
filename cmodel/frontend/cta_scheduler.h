/* CTA scheduler: places CTAs round-robin on the SMs that have room for them [anssari, 4.1]. CTAs of
 * several kernels may be on SMs at once; those that are placed next are of one selected kernel. */
#ifndef GOLDMEM_FRONTEND_CTA_SCHEDULER_H
#define GOLDMEM_FRONTEND_CTA_SCHEDULER_H

#include "goldmem/arena.h"
#include "goldmem/config.h"
#include "goldmem/source.h"

/* RESOURCE(name, key of its limit, meaning) */
#define GM_SM_RESOURCES(RESOURCE)                                                                  \
    RESOURCE(threads, "sm.threads", "threads, in whole warps")                                     \
    RESOURCE(warps, "sm.warps", "warps")                                                           \
    RESOURCE(ctas, "sm.ctas", "CTAs")                                                              \
    RESOURCE(registers, "sm.registers", "registers, a thread's rounded up to a multiple of 4")     \
    RESOURCE(shared_bytes, "sm.shared_bytes", "bytes of shared memory")

typedef struct gm_sm_resources {
#define RESOURCE(resource, key, meaning) uint64_t resource;
    GM_SM_RESOURCES(RESOURCE)
#undef RESOURCE
} gm_sm_resources;

#define GM_NO_KERNEL UINT64_MAX

/* Why an SM takes no CTA. */
typedef enum gm_cta_closed {
    GM_CTA_CLOSED = 1, /* by gm_cta_scheduler_close */
    GM_CTA_PACED = 2,  /* it has taken one in this cycle */
} gm_cta_closed;

typedef struct gm_cta_scheduler {
    uint32_t sms;
    uint32_t next;         /* SM that find tries first */
    uint32_t open;         /* SMs that have room for a CTA of the kernel */
    bool apart;            /* an SM holds CTAs of one kernel at a time; set by the engine */
    uint32_t closed_sms;   /* SMs that take no CTA */
    uint64_t kernel;       /* number of the selected kernel; GM_NO_KERNEL: none */
    uint64_t shared_now;   /* bytes of an SM's shared memory that CTAs may have: the limit, or what
                              the division of unified memory leaves; set by the engine */
    gm_sm_resources limit; /* of an SM */
    gm_sm_resources cost;  /* of a CTA of the kernel */
    gm_sm_resources *used; /* [sms] */
    uint64_t *holds;       /* [sms] number of the kernel of the CTA placed last */
    uint8_t *closed;       /* [sms] mask of why it takes no CTA: gm_cta_closed */
    bool paced;            /* an SM takes one CTA in a cycle; set by the engine */
    uint32_t paced_sms;    /* SMs that have taken one in this cycle */
} gm_cta_scheduler;

size_t gm_cta_scheduler_bytes(const gm_config *config); /* of arena that init takes */
int gm_cta_scheduler_init(gm_cta_scheduler *scheduler, const gm_config *config, gm_arena *arena,
                          gm_error *error);

/* Begins a kernel. A register count above 255, the most that an instruction can name, is taken for
 * unknown: registers do not limit such a kernel. Returns 0, or -EINVAL with kernel, resource and
 * limit if a CTA can never fit. */
int gm_cta_scheduler_start(gm_cta_scheduler *scheduler, const gm_kernel *kernel, gm_error *error);

/* Sets *cost to the resources of a CTA of the kernel. Returns as gm_cta_scheduler_start. */
int gm_cta_scheduler_cost(const gm_cta_scheduler *scheduler, const gm_kernel *kernel,
                          gm_sm_resources *cost, gm_error *error);

/* Returns the warps of the most CTAs of the kernel that a machine holds at once; 0: none. */
uint64_t gm_cta_scheduler_warps(const gm_config *config, const gm_kernel *kernel);

/* Selects a kernel by its number and its CTAs' cost: find and place are of its CTAs from now on.
 * The SMs' turn goes on. */
void gm_cta_scheduler_select(gm_cta_scheduler *scheduler, uint64_t kernel,
                             const gm_sm_resources *cost);

/* Closes an open SM: it takes no CTA. Opens a closed one. */
void gm_cta_scheduler_close(gm_cta_scheduler *scheduler, uint32_t sm);
void gm_cta_scheduler_reopen(gm_cta_scheduler *scheduler, uint32_t sm);

/* Begins a cycle, if `paced`: the SMs that took a CTA in the last one may take another. */
void gm_cta_scheduler_begin_cycle(gm_cta_scheduler *scheduler);

/* Returns the most CTAs of the kernel that an SM holds at once: what its resources allow, and no
 * more than the kernel's CTAs spread over all SMs. Requires that the kernel has begun. */
uint64_t gm_cta_scheduler_most(const gm_cta_scheduler *scheduler, const gm_kernel *kernel);

/* Returns the most CTAs of the kernel that an SM's resources hold at once. Requires that the kernel
 * has begun. */
uint64_t gm_cta_scheduler_capacity(const gm_cta_scheduler *scheduler);

/* Returns the number of CTAs that the SM can take now: 0, 1, or 2 for two or more. */
uint32_t gm_cta_scheduler_room(const gm_cta_scheduler *scheduler, uint32_t sm);

/* Returns the next SM in turn that has room for a CTA, or -1. */
int gm_cta_scheduler_find(const gm_cta_scheduler *scheduler);

/* Places a CTA on an SM that find returned; removes one of the selected kernel that has ended. */
void gm_cta_scheduler_place(gm_cta_scheduler *scheduler, uint32_t sm);
void gm_cta_scheduler_release(gm_cta_scheduler *scheduler, uint32_t sm);

/* Removes a CTA of any kernel, of this cost. */
void gm_cta_scheduler_release_of(gm_cta_scheduler *scheduler, uint32_t sm,
                                 const gm_sm_resources *cost);

/* Returns the number of CTAs on SMs. */
uint64_t gm_cta_scheduler_resident(const gm_cta_scheduler *scheduler);

#endif

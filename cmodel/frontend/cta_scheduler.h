/* CTA scheduler: CTAs go round-robin over the SMs that have room for them [anssari, 4.1]. */
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

typedef struct gm_cta_scheduler {
    uint32_t sms;
    uint32_t next;         /* SM that is visited first */
    uint32_t open;         /* SMs that have room for a CTA of the kernel */
    gm_sm_resources limit; /* of an SM */
    gm_sm_resources cost;  /* of a CTA of the kernel */
    gm_sm_resources *used; /* [sms] */
} gm_cta_scheduler;

size_t gm_cta_scheduler_bytes(const gm_config *config); /* of arena that init takes */
int gm_cta_scheduler_init(gm_cta_scheduler *scheduler, const gm_config *config, gm_arena *arena,
                          gm_error *error);

/* Begins a kernel. A register count above 255, the most that an instruction can name, is a header's
 * garbage and counts as unknown: such a kernel is not limited by registers. -EINVAL when a CTA can
 * never fit, with the kernel, the resource and the limit. */
int gm_cta_scheduler_start(gm_cta_scheduler *scheduler, const gm_kernel *kernel, gm_error *error);

/* The SM whose turn it is to take the next CTA: each is visited once, and again when all have been.
 * -1 when none has room. */
int gm_cta_scheduler_find(const gm_cta_scheduler *scheduler);

/* A CTA goes to an SM found, or leaves it. */
void gm_cta_scheduler_place(gm_cta_scheduler *scheduler, uint32_t sm);
void gm_cta_scheduler_release(gm_cta_scheduler *scheduler, uint32_t sm);

/* CTAs that have gone to SMs and have not left them. */
uint64_t gm_cta_scheduler_resident(const gm_cta_scheduler *scheduler);

#endif

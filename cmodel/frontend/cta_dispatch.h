/* CTA dispatch under a policy other than round robin (gpu.cta): asks the block cta_queues for the
 * CTA that an SM with room gets next [tabbakh, IV], and takes it from the source, which has its
 * CTAs in ascending order: those that are read before their turn are parked. */
#ifndef GOLDMEM_FRONTEND_CTA_DISPATCH_H
#define GOLDMEM_FRONTEND_CTA_DISPATCH_H

#include "base/snapshot.h"
#include "frontend/cta_scheduler.h"
#include "frontend/feeder.h"
#include "goldmem/cta_queues.h"

enum { GM_CTA_DISPATCH_BITS = 32 /* of a CTA's number */ };

typedef struct gm_cta_dispatch {
    bool queued; /* gpu.cta is another policy than rr; else nothing below is used */
    uint64_t group;
    gm_arena arena; /* the queues' */
    gm_cta_queues queues;
    uint64_t left;    /* numbers that the queues have not given yet */
    uint64_t reached; /* number behind that of the last CTA read */
    bool has_second;  /* `second` is the other CTA of a pair, for SM `second_sm` */
    uint32_t second_sm;
    uint64_t second;
} gm_cta_dispatch;

/* Reads the kernel's next CTA in the order of the source into *cta, or NULL at its end. Returns 0
 * or a negative errno value. */
typedef int gm_cta_read(void *context, gm_cta **cta, gm_error *error);

/* Returns the parameters of a run's block. */
gm_cta_queues_parameters gm_cta_dispatch_parameters(const gm_config *config);

/* Returns 0 or -ENOMEM. gm_cta_dispatch_free frees what it holds. */
int gm_cta_dispatch_init(gm_cta_dispatch *dispatch, const gm_config *config, gm_error *error);
void gm_cta_dispatch_free(gm_cta_dispatch *dispatch);

/* Begins a kernel. Requires that the scheduler has begun it. Returns 0, or -EINVAL, which names the
 * kernel, for more CTAs than the queues can count. */
int gm_cta_dispatch_start(gm_cta_dispatch *dispatch, const gm_kernel *kernel,
                          const gm_cta_scheduler *scheduler, gm_error *error);

/* Sets *cta to the CTA that is placed next, *sm to its SM, of those that have room in their turn;
 * *cta is NULL if none gets one now. Requires that the CTA is placed before the next call. Returns
 * 0, or the negative errno value of `read` or of the temporary file. */
int gm_cta_dispatch_next(gm_cta_dispatch *dispatch, const gm_cta_scheduler *scheduler,
                         gm_feeder *feeder, gm_cta_read *read, void *context, uint32_t *sm,
                         gm_cta **cta, gm_error *error);

/* True if no CTA of the kernel is left to place. */
static inline bool gm_cta_dispatch_is_done(const gm_cta_dispatch *dispatch)
{
    return dispatch->left == 0 && !dispatch->has_second;
}

/* True if the CTA of this number has been placed, or would have been, were it in the source. */
bool gm_cta_dispatch_has_placed(const gm_cta_dispatch *dispatch, uint64_t number);

/* Saves or loads the state. Requires that no CTA of a pair waits. */
void gm_cta_dispatch_snapshot(gm_cta_dispatch *dispatch, gm_snapshot *snapshot);

#endif

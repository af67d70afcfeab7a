/* Counters of each SM in each kernel: what they have gained since the kernel before. */
#ifndef GOLDMEM_FRONTEND_KERNEL_SMS_H
#define GOLDMEM_FRONTEND_KERNEL_SMS_H

#include "base/snapshot.h"
#include "goldmem/error.h"
#include "goldmem/statistics.h"

#include <stdbool.h>

typedef struct gm_kernel_sms {
    uint32_t sms;          /* 0: not asked for */
    gm_statistics *before; /* [sms] at the end of the kernel before */
    gm_statistics *own;    /* [sms] of the kernel that has ended last */
    gm_statistics *ended;  /* [ended_size * sms] of all kernels, for checkpoints */
    uint64_t ended_size;
} gm_kernel_sms;

/* Returns 0 or -ENOMEM. gm_kernel_sms_free frees what it holds. */
int gm_kernel_sms_init(gm_kernel_sms *kernel, uint32_t sms, gm_error *error);
void gm_kernel_sms_free(gm_kernel_sms *kernel);

/* Takes an SM's counters at the end of a kernel. */
void gm_kernel_sms_take(gm_kernel_sms *kernel, uint32_t sm, const gm_statistics *now);

/* Checks that the SMs' instructions, warps, CTAs and line requests sum up to the kernel's. Returns
 * 0 or -EPROTO. */
int gm_kernel_sms_check(const gm_kernel_sms *kernel, const gm_statistics *whole, gm_error *error);

/* Keeps the counters of kernel `number` for checkpoints; gives them back as those of the last
 * kernel. gm_kernel_sms_keep returns 0 or -ENOMEM. */
int gm_kernel_sms_keep(gm_kernel_sms *kernel, uint64_t number, gm_error *error);
void gm_kernel_sms_recall(gm_kernel_sms *kernel, uint64_t number);

/* Saves or loads the counters of `kernels` kernels, and those of the last end. Returns 0 or
 * -ENOMEM. */
int gm_kernel_sms_snapshot(gm_kernel_sms *kernel, uint64_t kernels, gm_snapshot *snapshot,
                           gm_error *error);

#endif

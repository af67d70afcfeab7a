/* Counters of each SM in each kernel. */
#include "frontend/kernel_sms.h"

#include "frontend/accounting.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int fail(gm_error *error)
{
    return gm_fail(error, -ENOMEM, "out of memory: the SMs' counters of each kernel");
}

int gm_kernel_sms_init(gm_kernel_sms *kernel, uint32_t sms, gm_error *error)
{
    kernel->sms = sms;
    kernel->before = calloc(sms, sizeof *kernel->before);
    kernel->own = calloc(sms, sizeof *kernel->own);
    return kernel->before == NULL || kernel->own == NULL ? fail(error) : 0;
}

void gm_kernel_sms_free(gm_kernel_sms *kernel)
{
    free(kernel->before);
    free(kernel->own);
    free(kernel->ended);
    *kernel = (gm_kernel_sms){0};
}

void gm_kernel_sms_take(gm_kernel_sms *kernel, uint32_t sm, const gm_statistics *now)
{
    kernel->own[sm] = *now;
    gm_accounting_since(&kernel->own[sm], &kernel->before[sm]);
    kernel->before[sm] = *now;
}

int gm_kernel_sms_check(const gm_kernel_sms *kernel, const gm_statistics *whole, gm_error *error)
{
    gm_statistics sum = {0};
    for (uint32_t i = 0; i < kernel->sms; i++) {
        gm_statistics_add(&sum, &kernel->own[i]);
    }
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("SMs of a kernel", #name " summed = the kernel's", sum.core.name,                 \
                 whole->core.name);
    GM_CORE_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("SMs of a kernel", "l1d." #name " summed = the kernel's",                         \
                 gm_invariants_sum(sum.l1d.name), gm_invariants_sum(whole->l1d.name));
    GM_CACHE_COUNTERS(COUNTER)
#undef COUNTER
    return 0;
}

static int make_room(gm_kernel_sms *kernel, uint64_t kernels, gm_error *error)
{
    if (kernels <= kernel->ended_size) {
        return 0;
    }
    gm_statistics *more = realloc(kernel->ended, 2 * kernels * kernel->sms * sizeof *more);
    if (more == NULL) {
        return fail(error);
    }
    kernel->ended = more;
    kernel->ended_size = 2 * kernels;
    return 0;
}

int gm_kernel_sms_keep(gm_kernel_sms *kernel, uint64_t number, gm_error *error)
{
    int code = make_room(kernel, number + 1, error);
    if (code == 0) {
        memcpy(&kernel->ended[number * kernel->sms], kernel->own,
               kernel->sms * sizeof *kernel->own);
    }
    return code;
}

void gm_kernel_sms_recall(gm_kernel_sms *kernel, uint64_t number)
{
    memcpy(kernel->own, &kernel->ended[number * kernel->sms], kernel->sms * sizeof *kernel->own);
}

int gm_kernel_sms_snapshot(gm_kernel_sms *kernel, uint64_t kernels, gm_snapshot *snapshot,
                           gm_error *error)
{
    int code = snapshot->loading && snapshot->failed == 0 ? make_room(kernel, kernels, error) : 0;
    if (code == 0) {
        GM_SNAPSHOT_ARRAY(snapshot, kernel->before, kernel->sms);
        GM_SNAPSHOT_ARRAY(snapshot, kernel->ended, kernels * kernel->sms);
    }
    return code;
}

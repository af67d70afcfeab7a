/* Warp limiter [khairy, 4.2]: keeps the order of age of a scheduler's warps, and allows those to
 * issue that have fewer than `limit` older ones of those that count. RTL: rtl/warp_limiter.sv;
 * page: docs/blocks/warp_limiter.md. */
#ifndef GOLDMEM_WARP_LIMITER_H
#define GOLDMEM_WARP_LIMITER_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/warp_limiter.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_WARP_LIMITER_WARPS = 64 /* at most */ };

typedef struct gm_warp_limiter_parameters {
    unsigned warps; /* of the scheduler, 2 to 64; 24 [khairy, Table 1: 48 warps, 2 schedulers] */
} gm_warp_limiter_parameters;

typedef struct gm_warp_limiter {
    gm_warp_limiter_parameters parameters;
    uint8_t order[GM_WARP_LIMITER_WARPS]; /* numbers of the warps, the oldest first */
    uint64_t counts;                      /* bit set of the warps that count */
    uint32_t limit;
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_warp_limiter;

GM_PORTS_STRUCTS(warp_limiter, WARP_LIMITER)

/* Begins with lower numbers the older, no warp that counts, and a limit of all warps. Returns 0, or
 * -EINVAL, which names the parameter that is out of range. */
int gm_warp_limiter_init(gm_warp_limiter *limiter, const gm_warp_limiter_parameters *parameters,
                         gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths. */
gm_warp_limiter_response gm_warp_limiter_access(gm_warp_limiter *limiter,
                                                gm_warp_limiter_request request);

/* True if warp a is older than warp b. */
bool gm_warp_limiter_is_older(const gm_warp_limiter *limiter, unsigned a, unsigned b);

/* Returns 0 when each warp is in the order once, and only warps count. Else -EINVAL. */
int gm_warp_limiter_check(const gm_warp_limiter *limiter, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* Lifetime predictor of Temporal Coherence [singh, 6.4]: one predicted lifetime for an L2 bank.
 * Loads that found an expired copy raise it; evictions of unexpired lines, and in programs with
 * fences stores to them, lower it. RTL: rtl/lifetime_predictor.sv; page:
 * docs/blocks/lifetime_predictor.md. */
#ifndef GOLDMEM_LIFETIME_PREDICTOR_H
#define GOLDMEM_LIFETIME_PREDICTOR_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/lifetime_predictor.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_LIFETIME_PREDICTOR_MAX = 6400 /* the parameter max, by default */ };

typedef struct gm_lifetime_predictor_parameters {
    unsigned life_bits; /* of a lifetime, 1 to 32; 13 */
    unsigned hit;       /* [core cycles], 0 to 2^life_bits - 1; 4 [singh, Table 4] */
    unsigned evict;     /* [core cycles], 0 to 2^life_bits - 1; 8 [singh, Table 4] */
    unsigned write;     /* [core cycles], 0 to 2^life_bits - 1; 8 [singh, Table 4] */
    unsigned max;       /* [core cycles], 0 to 2^life_bits - 1; 6400 (a modelling choice) */
    unsigned start;     /* [core cycles], 0 to max; 800 (a modelling choice) */
} gm_lifetime_predictor_parameters;

typedef struct gm_lifetime_predictor {
    gm_lifetime_predictor_parameters parameters;
    uint32_t life; /* [core cycles] */
    bool fenced;   /* a fence has completed since the reset */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_lifetime_predictor;

GM_PORTS_STRUCTS(lifetime_predictor, LIFETIME_PREDICTOR)

/* Begins with the lifetime `start`. Returns 0, or -EINVAL, which names the parameter that is out of
 * range. */
int gm_lifetime_predictor_init(gm_lifetime_predictor *predictor,
                               const gm_lifetime_predictor_parameters *parameters, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths. */
gm_lifetime_predictor_response gm_lifetime_predictor_access(gm_lifetime_predictor *predictor,
                                                            gm_lifetime_predictor_request request);

/* Returns 0 when the lifetime is at most `max`. Else -EINVAL. */
int gm_lifetime_predictor_check(const gm_lifetime_predictor *predictor, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

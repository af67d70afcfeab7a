/* SM dueling [li, 4.3]: in sampling intervals SM0 runs the decoupled L1D and SM1 the conventional
 * one, and their miss rates decide what all SMs run until the next sampling interval. RTL:
 * rtl/sm_dueling.sv; page: docs/blocks/sm_dueling.md. */
#ifndef GOLDMEM_SM_DUELING_H
#define GOLDMEM_SM_DUELING_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/sm_dueling.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_sm_dueling_parameters {
    unsigned interval;   /* cycles, or accesses, 1 to 65535; 500 cycles [li, Table 3] */
    unsigned count_bits; /* of the counts of accesses and misses, 1 to 16 */
    unsigned
        difference;  /* threshold of the difference of miss rates [%], 0 to 100; 10 [li, Table 3]
                      */
    bool hysteresis; /* a difference within the threshold: true keeps the design, false selects
                        decoupled */
    unsigned period; /* intervals, 1 to 65535; one of them is a sampling interval; 20 (a modelling
                        choice: [li] does not say) */
} gm_sm_dueling_parameters;

typedef struct gm_sm_dueling {
    gm_sm_dueling_parameters parameters;
    uint32_t accesses[2], misses[2]; /* of SM0 and SM1 in this sampling interval; 0 in others */
    uint32_t elapsed;                /* of the interval: cycles, or accesses */
    uint32_t phase;                  /* intervals since the last sampling interval; 0: sampling */
    bool decoupled;                  /* the decision for all SMs; in sampling not for SM0, SM1 */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_sm_dueling;

GM_PORTS_STRUCTS(sm_dueling, SM_DUELING)

/* Starts with a sampling interval. Returns 0, or -EINVAL, which names the parameter that is out of
 * range. */
int gm_sm_dueling_init(gm_sm_dueling *dueling, const gm_sm_dueling_parameters *parameters,
                       gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths. */
gm_sm_dueling_response gm_sm_dueling_access(gm_sm_dueling *dueling, gm_sm_dueling_request request);

/* Returns 0 when the invariants hold: no more misses than accesses, counts within their bits and 0
 * while not sampling, `elapsed` and `phase` below interval and period. Else -EINVAL. */
int gm_sm_dueling_check(const gm_sm_dueling *dueling, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

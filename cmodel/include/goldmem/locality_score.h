/* Lost-locality scores of cache-conscious wavefront scheduling (CCWS) [rogers]: each warp of an SM
 * has a score, which a hit in its victim tags raises and which falls by 1 a cycle. The warps with
 * the highest scores may issue loads: as many as the sum of all base scores has room for. RTL:
 * rtl/locality_score.sv; page: docs/blocks/locality_score.md. */
#ifndef GOLDMEM_LOCALITY_SCORE_H
#define GOLDMEM_LOCALITY_SCORE_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/locality_score.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_LOCALITY_SCORE_WARPS = 64 /* warps, at most */ };

typedef struct gm_locality_score_parameters {
    unsigned warps;       /* of the SM, 1 to 64; 48 */
    unsigned score_bits;  /* of a score, 2 to 16; 16 (a modelling choice) */
    unsigned base;        /* score of a warp that has lost nothing, 1 to 2^score_bits - 1; 100
                             [rogers] */
    unsigned throttle;    /* K_THROTTLE, 1 to 64; 8 [rogers] */
    unsigned hit_bits;    /* of the count of hits, 1 to 16; 12 (a modelling choice) */
    unsigned issued_bits; /* of the count of instructions, 1 to 32; 32 (a modelling choice) */
} gm_locality_score_parameters;

/* A place of the list. */
typedef struct gm_locality_score_place {
    uint16_t warp, score;
} gm_locality_score_place;

typedef struct gm_locality_score {
    gm_locality_score_parameters parameters;
    unsigned length;                                        /* warps that are there */
    uint64_t there;                                         /* bit set of them */
    gm_locality_score_place place[GM_LOCALITY_SCORE_WARPS]; /* [length], the highest score first */
    uint32_t hits;                                          /* of victim tags */
    uint32_t issued;                                        /* warp instructions */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_locality_score;

GM_PORTS_STRUCTS(locality_score, LOCALITY_SCORE)

/* Begins without warps, with counts of 0. Returns 0, or -EINVAL, which names the parameter that is
 * out of range. */
int gm_locality_score_init(gm_locality_score *scores,
                           const gm_locality_score_parameters *parameters, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths, and in
 * HIT, START and END a warp below `warps`. */
gm_locality_score_response gm_locality_score_access(gm_locality_score *scores,
                                                    gm_locality_score_request request);

/* Returns the number of core cycles after which the first warp that may not issue loads now may, if
 * only time passes: the least `cycles` of an ADVANCE that allows it. UINT64_MAX: all may. */
uint64_t gm_locality_score_wait(const gm_locality_score *scores);

/* Returns 0 when the list is in order, has no warp twice, and scores and counts are within their
 * bits. Else -EINVAL. */
int gm_locality_score_check(const gm_locality_score *scores, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

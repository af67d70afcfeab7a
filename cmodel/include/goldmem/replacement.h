/* Replacement state of the sets of a cache: LRU; SRRIP (Jaleel et al., ISCA 2010, with hit
 * priority); SHiP (Wu et al., MICRO 2011) over SRRIP. RTL: rtl/replacement.sv; page with each rule:
 * docs/blocks/replacement.md. */
#ifndef GOLDMEM_REPLACEMENT_H
#define GOLDMEM_REPLACEMENT_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/replacement.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gm_replacement_policy {
    GM_REPLACEMENT_LRU,
    GM_REPLACEMENT_SRRIP,
    GM_REPLACEMENT_SHIP,
} gm_replacement_policy;

typedef struct gm_replacement_parameters {
    gm_replacement_policy policy;
    unsigned index_bits;     /* log2 of the number of sets, 1 to 10 */
    unsigned ways;           /* lines of a set, 1 to 32 */
    unsigned rrpv_bits;      /* SRRIP, SHIP: 1 to 4; 2 in Jaleel et al. */
    unsigned signature_bits; /* SHIP: 1 to 14; 14 in Wu et al. */
    unsigned counter_bits;   /* SHIP: 1 to 4; 3 in Wu et al. */
} gm_replacement_parameters;

/* State; a line's fields lie at its set and way. */
typedef struct gm_replacement_state {
    gm_replacement_parameters parameters;
    uint32_t *used;      /* a bit for each way of a set */
    uint32_t *reused;    /* SHIP: touched since its insertion; 0 where a way is not in use */
    uint8_t *value;      /* LRU: ways in use that are newer; else the RRPV */
    uint16_t *signature; /* SHIP */
    uint8_t *doubt;      /* SHIP: by signature, the maximum less the counter */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_replacement_state;

GM_PORTS_STRUCTS(replacement, REPLACEMENT)

/* An operation ignores the fields of the request that it does not name. */

/* Returns the bytes of an arena that gm_replacement_init takes, at most. */
size_t gm_replacement_bytes(const gm_replacement_parameters *parameters);

/* Makes sets without lines, with storage from the arena. Returns 0; -EINVAL, which names the
 * parameter that is out of range; -ENOMEM if the arena is full. */
int gm_replacement_init(gm_replacement_state *state, const gm_replacement_parameters *parameters,
                        gm_arena *arena, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths and
 * `way` is below `ways`. */
gm_replacement_response gm_replacement_access(gm_replacement_state *state,
                                              gm_replacement_request request);

/* Returns 0 when the invariants hold: the ranks of the ways in use are a total order, values and
 * counters are within their bits, and ways not in use have no marks. Else -EINVAL, which names the
 * set. */
int gm_replacement_check(const gm_replacement_state *state, gm_error *error);

/* Checks one set as gm_replacement_check does, after each transaction on it in debug builds. */
int gm_replacement_check_set(const gm_replacement_state *state, uint32_t index, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* L2 side of Temporal Coherence [singh, 6.2, 6.3, Table 2 (right)]: for each line of an L2 bank the
 * latest lease that it has given, its readers, and their owner. Answers loads with a lease, and
 * writes with the time by which no L1 uses an older copy. Departs from the printed table where an
 * exploration has refuted it; `printed` brings those rules back. RTL: rtl/tc_l2.sv; page:
 * docs/blocks/tc_l2.md. */
#ifndef GOLDMEM_TC_L2_H
#define GOLDMEM_TC_L2_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/tc_l2.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_TC_L2_SLOTS = 65536, /* slots, at most */
    GM_TC_L2_SMS = 1024,    /* SMs, at most */
};

/* Rules of Table 2 as printed; each is unsafe. */
enum {
    GM_TC_L2_REFETCH = 1, /* M_I: a refetched line with a kept lease begins without readers */
    GM_TC_L2_MISS = 2,    /* I_M: a line fetched for a write forgets the kept lease */
    GM_TC_L2_EXPIRED = 4, /* E: a write increments the lease, and grants it to an UPGR */
};

typedef struct gm_tc_l2_parameters {
    unsigned slots;     /* sets times ways of the bank, 1 to 65536; 1024 [singh, Table 4] */
    unsigned sms;       /* 1 to 1024; 16 [singh, Table 4] */
    unsigned time_bits; /* of a timestamp, 2 to 32; 32 [singh, 6.5] */
    bool strong;        /* TC-Strong [singh, 6.2]; else TC-Weak [singh, 6.3] */
    unsigned printed;   /* rules of Table 2 as printed: GM_TC_L2_REFETCH, _MISS, _EXPIRED; 0 */
    bool visible;       /* lines keep the GWCT of their writes (coherence.visible) */
} gm_tc_l2_parameters;

typedef struct gm_tc_l2_line {
    uint32_t lease;   /* the last cycle at which an L1 may use a copy [core cycles] */
    uint32_t visible; /* largest GWCT of the line's writes [core cycles] */
    uint16_t owner;   /* SM */
    uint8_t readers;  /* GM_TC_L2_NO_READER, _PRIVATE, _SHARED */
    bool owned;       /* the line's only reader is `owner` */
} gm_tc_l2_line;

typedef struct gm_tc_l2 {
    gm_tc_l2_parameters parameters;
    gm_tc_l2_line *line; /* [slots] */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_tc_l2;

GM_PORTS_STRUCTS(tc_l2, TC_L2)

/* Returns the bytes of an arena that gm_tc_l2_init takes, at most. */
size_t gm_tc_l2_bytes(const gm_tc_l2_parameters *parameters);

/* Makes lines without leases, with storage from the arena. Returns 0; -EINVAL, which names the
 * parameter that is out of range; -ENOMEM if the arena is full. */
int gm_tc_l2_init(gm_tc_l2 *l2, const gm_tc_l2_parameters *parameters, gm_arena *arena,
                  gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths, and
 * that the slot is one of the bank's. */
gm_tc_l2_response gm_tc_l2_access(gm_tc_l2 *l2, gm_tc_l2_request request);

/* Returns 0 when the invariants hold: only PRIVATE lines have an owner, no GWCT exceeds its line's
 * lease, times within their bits. Else -EINVAL, which names the slot. */
int gm_tc_l2_check(const gm_tc_l2 *l2, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

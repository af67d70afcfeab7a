/* GWCT table of Temporal Coherence [singh, 6.3.1, Figure 5(a)]: for each warp of an SM the
 * operations that are not acknowledged and the global write completion time (GWCT), the time by
 * which all its writes are visible to every SM. A fence completes when nothing is outstanding and
 * that time is past. RTL: rtl/gwct.sv; page: docs/blocks/gwct.md. */
#ifndef GOLDMEM_GWCT_H
#define GOLDMEM_GWCT_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/gwct.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_GWCT_WARPS = 256 /* warps, at most */ };

typedef struct gm_gwct_parameters {
    unsigned warps;      /* of the SM, 1 to 256; 48 [singh, 6.3.1] */
    unsigned count_bits; /* of the counts of loads and stores, 1 to 16; 8 (a modelling choice) */
    unsigned time_bits;  /* of a timestamp, 2 to 32; 32 [singh, 6.5] */
} gm_gwct_parameters;

/* The entry of a warp. */
typedef struct gm_gwct_entry {
    uint16_t loads, stores; /* not yet answered */
    uint32_t visible;       /* the GWCT [core cycles]; 0: none in this epoch */
} gm_gwct_entry;

typedef struct gm_gwct {
    gm_gwct_parameters parameters;
    uint32_t epoch;       /* parity of the rollovers */
    gm_gwct_entry *entry; /* [warps] */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_gwct;

GM_PORTS_STRUCTS(gwct, GWCT)

/* Returns the bytes of an arena that gm_gwct_init takes, at most. */
size_t gm_gwct_bytes(const gm_gwct_parameters *parameters);

/* Makes a table without operations and GWCTs, in epoch 0, with storage from the arena. Returns 0;
 * -EINVAL, which names the parameter that is out of range; -ENOMEM if the arena is full. */
int gm_gwct_init(gm_gwct *table, const gm_gwct_parameters *parameters, gm_arena *arena,
                 gm_error *error);

/* Private to gm_gwct_access: the operations, which return their answers in registers. ISSUE returns
 * `refused`, ACK `error`; both require that the warp is there, as does RAISE. */
typedef struct gm_gwct_wait {
    uint64_t waits, left;
} gm_gwct_wait;

bool gm_gwct_issue(gm_gwct *table, uint64_t warp, bool store);
bool gm_gwct_acknowledge(gm_gwct *table, uint64_t warp, bool store, bool has_gwct, uint64_t epoch,
                         uint64_t timestamp);
void gm_gwct_raise(gm_gwct *table, uint64_t warp, uint64_t timestamp);
void gm_gwct_roll_over(gm_gwct *table);
gm_gwct_wait gm_gwct_ask(const gm_gwct *table, uint64_t warp, uint64_t last, uint64_t now);

static inline __attribute__((always_inline)) gm_gwct_response gm_gwct_transact(
    gm_gwct *table, const gm_gwct_request *request)
{
    gm_gwct_response response;
    memset(&response, 0, sizeof response);
    if (request->op < GM_GWCT_ROLLOVER && request->warp >= table->parameters.warps) {
        response.error = 1;
        return response;
    }
    switch (request->op) {
    case GM_GWCT_ISSUE:
        response.refused = gm_gwct_issue(table, request->warp, request->store != 0);
        return response;
    case GM_GWCT_ACK:
        response.error =
            gm_gwct_acknowledge(table, request->warp, request->store != 0, request->has_gwct != 0,
                                request->epoch, request->timestamp);
        return response;
    case GM_GWCT_RAISE:
        gm_gwct_raise(table, request->warp, request->timestamp);
        return response;
    case GM_GWCT_ROLLOVER:
        gm_gwct_roll_over(table);
        return response;
    default: {
        gm_gwct_wait wait = gm_gwct_ask(table, request->warp, request->last, request->now);
        response.waits = wait.waits;
        response.left = wait.left;
        response.ready = wait.waits == 0;
        return response;
    }
    }
}

/* Private to gm_gwct_access: a transaction that calls the observer. Requires an observer. */
gm_gwct_response gm_gwct_transact_observed(gm_gwct *table, gm_gwct_request request);

/* Private to gm_gwct_access: the checks at its beginning and end, in debug builds. */
void gm_gwct_assert_request(const gm_gwct *table, const gm_gwct_request *request);
void gm_gwct_assert_invariants(const gm_gwct *table, const gm_gwct_request *request);

/* The block's transaction. Requires that the fields of the request are within their widths, and
 * that a FENCE's `now` is at least 1. Where the operation is a constant, the compiler removes the
 * other operations: a request in memory costs more than the operation. */
static inline __attribute__((always_inline)) gm_gwct_response gm_gwct_access(
    gm_gwct *table, gm_gwct_request request)
{
#ifdef GM_DEBUG
    gm_gwct_assert_request(table, &request);
#endif
    gm_gwct_response response = table->observer == NULL ? gm_gwct_transact(table, &request)
                                                        : gm_gwct_transact_observed(table, request);
#ifdef GM_DEBUG
    gm_gwct_assert_invariants(table, &request);
#endif
    return response;
}

/* True if the table would refuse an ISSUE of the warp. Changes nothing. */
static inline bool gm_gwct_is_full(const gm_gwct *table, uint64_t warp, bool store)
{
    const gm_gwct_entry *entry = &table->entry[warp];
    return (store ? entry->stores : entry->loads) + 1U == 1U << table->parameters.count_bits;
}

/* Returns 0 when the invariants hold: counts and times within their bits. Else -EINVAL, which names
 * the warp. */
int gm_gwct_check(const gm_gwct *table, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

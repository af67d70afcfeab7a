/* Lease store of Temporal Coherence [singh, 6.2.1, L2 Eviction Optimization]: keeps the lease of a
 * line that the L2 evicts before the lease is past, until a refetch takes it or it expires. The
 * paper keeps them in L2 MSHR entries; here they are a table beside the MSHRs, and `may` holds the
 * sum of both within the MSHRs' number. RTL: rtl/lease_store.sv; page: docs/blocks/lease_store.md.
 */
#ifndef GOLDMEM_LEASE_STORE_H
#define GOLDMEM_LEASE_STORE_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/lease_store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_LEASE_STORE_ENTRIES = 255 /* entries, at most */ };

typedef struct gm_lease_store_parameters {
    unsigned entries;   /* 1 to 255; 128 (a modelling choice: l2.mshrs) */
    unsigned line_bits; /* bits of a line address, 1 to 64 */
    unsigned time_bits; /* of a timestamp, 2 to 32; 32 [singh, 6.5] */
} gm_lease_store_parameters;

typedef struct gm_lease_store_entry {
    uint64_t line;
    uint32_t lease; /* the last cycle at which an L1 may use a copy [core cycles] */
    bool valid;
} gm_lease_store_entry;

typedef struct gm_lease_store {
    gm_lease_store_parameters parameters;
    gm_lease_store_entry *entry; /* [entries] */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_lease_store;

GM_PORTS_STRUCTS(lease_store, LEASE_STORE)

/* Returns the bytes of an arena that gm_lease_store_init takes, at most. */
size_t gm_lease_store_bytes(const gm_lease_store_parameters *parameters);

/* Makes an empty store, with storage from the arena. Returns 0; -EINVAL, which names the parameter
 * that is out of range; -ENOMEM if the arena is full. */
int gm_lease_store_init(gm_lease_store *store, const gm_lease_store_parameters *parameters,
                        gm_arena *arena, gm_error *error);

/* The block's transaction. PUT, TAKE and EXPIRE first remove the leases below `now`. PUT of a line
 * that has a lease raises it. Requires that the fields of the request are within their widths. */
gm_lease_store_response gm_lease_store_access(gm_lease_store *store,
                                              gm_lease_store_request request);

/* True if the store has a lease of the line, past or not. Changes nothing. */
bool gm_lease_store_holds(const gm_lease_store *store, uint64_t line);

/* Returns 0 when no two entries hold one line. Else -EINVAL, which names the entry. */
int gm_lease_store_check(const gm_lease_store *store, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

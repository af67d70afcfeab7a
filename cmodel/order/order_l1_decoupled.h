/* L1 data cache with a decoupled tag store in the order engine, where the data of a MISS arrive at
 * once [li, 4.1]. Private to the L1 (order_l1.c). */
#ifndef GOLDMEM_ORDER_ORDER_L1_DECOUPLED_H
#define GOLDMEM_ORDER_ORDER_L1_DECOUPLED_H

#include "cache/decoupled_l1.h"
#include "order/order_l1.h"

/* Does a load or store that does not always bypass. Requires that the caller has counted the
 * access.
 */
void gm_order_l1_decoupled_access(gm_order_l1 *l1, const gm_line_request *request,
                                  gm_request_kind kind, gm_outcome *outcome);

/* Does an INVALIDATE for a request that bypasses the L1: drops the line and its reference count. */
void gm_order_l1_decoupled_forget(gm_order_l1 *l1, uint64_t line, gm_access_kind kind,
                                  gm_outcome *outcome);

/* Returns the sectors of a line that its data line holds; changes nothing. */
uint32_t gm_order_l1_decoupled_held(const gm_order_l1 *l1, uint64_t line);

void gm_order_l1_decoupled_flush(gm_order_l1 *l1);

/* Checks the invariants between tag store, data lines and counters. Requires that no access is
 * under way. Returns 0, or -EPROTO, which names the invariant and both values. */
int gm_order_l1_decoupled_check(const gm_order_l1 *l1, const char *where, gm_error *error);

#endif

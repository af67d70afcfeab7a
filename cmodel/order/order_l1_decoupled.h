/* L1 data cache with a decoupled tag store in the order engine, where the data of a MISS come at
 * once [li, 4.1]. order_l1.c calls it. */
#ifndef GOLDMEM_ORDER_ORDER_L1_DECOUPLED_H
#define GOLDMEM_ORDER_ORDER_L1_DECOUPLED_H

#include "cache/decoupled_l1.h"
#include "order/order_l1.h"

/* l1d->decoupled does what gm_order_l1_load and gm_order_l1_store say; they
 * have counted the access. */
void gm_order_l1_decoupled_load(gm_order_l1 *l1d, const gm_line_request *request,
                                gm_outcome *outcome);
void gm_order_l1_decoupled_store(gm_order_l1 *l1d, const gm_line_request *request,
                                 gm_outcome *outcome);

/* The line of an access that passes the L1 is forgotten. */
void gm_order_l1_decoupled_forget(gm_order_l1 *l1d, uint64_t line, gm_access_kind kind,
                                  gm_outcome *outcome);

/* Sectors of a line that its data line holds; changes nothing. */
uint32_t gm_order_l1_decoupled_held(const gm_order_l1 *l1d, uint64_t line);

void gm_order_l1_decoupled_flush(gm_order_l1 *l1d);

/* The laws between tag store, data lines and counters, between two accesses.
 * -EPROTO names the law and both values. */
int gm_order_l1_decoupled_check(const gm_order_l1 *l1d, const char *where, gm_error *error);

#endif

/* Sharing-aware L1 of the order engine [tabbakh, V-B]: docs/sharing-aware.md. */
#ifndef GOLDMEM_ORDER_ORDER_L1_SHARING_H
#define GOLDMEM_ORDER_ORDER_L1_SHARING_H

#include "order/order_l1.h"

/* Does a load or store that looks its line up, and fills *outcome. Requires sharing.enabled, and
 * messages that are posted singly. */
void gm_order_l1_sharing_access(gm_order_l1 *l1, const gm_line_request *request,
                                gm_request_kind kind, gm_outcome *outcome);

/* Checks the counters, if the L1 is sharing-aware; `stores_allocate`: every store miss does.
 * Returns 0 or -EPROTO. */
int gm_order_l1_sharing_check(const gm_order_l1 *l1, bool stores_allocate, const char *where,
                              gm_error *error);

#endif

/* Ideal coherence [singh, Figure 1(a): IDEAL-COH]: a write that is performed at the L2 drops every
 * other L1's copy in that cycle, without messages. It has no state of its own. */
#include "coherence/coherence.h"
#include "coherence/nothing.h"

static gm_coherence_answer perform(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                   gm_message_kind kind, uint32_t sm, gm_coherence_message *message,
                                   uint64_t cycle)
{
    (void)l2, (void)line, (void)slot, (void)sm, (void)message, (void)cycle;
    return (gm_coherence_answer){.drops_copies = gm_message_access(kind) != GM_LOAD};
}

const gm_coherence_ops gm_coherence_ideal = {
    .l1_bytes = gm_nothing_bytes,
    .l1_init = gm_nothing_l1_init,
    .l2_bytes = gm_nothing_bytes,
    .l2_init = gm_nothing_l2_init,
    .l1_observe = gm_nothing_l1_observe,
    .l2_observe = gm_nothing_l2_observe,
    .hit = gm_nothing_hit,
    .can_write = gm_nothing_can_write,
    .is_full = gm_nothing_is_full,
    .request = gm_nothing_request,
    .can_issue = gm_nothing_can_issue,
    .issue = gm_nothing_issue,
    .acknowledge = gm_nothing_acknowledge,
    .saw = gm_nothing_saw,
    .fence = gm_nothing_fence,
    .fill = gm_nothing_fill,
    .upgraded = gm_nothing_upgraded,
    .evict = gm_nothing_evict,
    .flush = gm_nothing_at_l1,
    .l1_roll_over = gm_nothing_at_l1,
    .arrive = gm_nothing_arrive,
    .perform = perform,
    .has_room = gm_nothing_has_room,
    .fetch = gm_nothing_fetch,
    .l2_evict = gm_nothing_l2_evict,
    .install = gm_nothing_install,
    .copied = gm_nothing_copied,
    .l2_roll_over = gm_nothing_at_l2,
    .l1_check = gm_nothing_l1_check,
    .l2_check = gm_nothing_l2_check,
    .copy_until = gm_nothing_copy_until,
    .line_until = gm_nothing_line_until,
    .owner = gm_nothing_owner,
    .l1_snapshot = gm_nothing_l1_snapshot,
    .l2_snapshot = gm_nothing_l2_snapshot,
};

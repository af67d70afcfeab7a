/* Ideal coherence [singh, Figure 1(a): IDEAL-COH]: a write that is performed at the L2 drops every
 * other L1's copy in that cycle, without messages. It has no state of its own. */
#include "coherence/coherence.h"

static size_t no_bytes(const gm_config *config)
{
    (void)config;
    return 0;
}

static int l1_init(gm_coherence_l1 *l1, const gm_config *config, gm_arena *arena, gm_error *error)
{
    (void)l1, (void)config, (void)arena, (void)error;
    return 0;
}

static int l2_init(gm_coherence_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error)
{
    (void)l2, (void)config, (void)arena, (void)error;
    return 0;
}

static void l1_observe(gm_coherence_l1 *l1, const gm_run_options *options, uint32_t number)
{
    (void)l1, (void)options, (void)number;
}

static void l2_observe(gm_coherence_l2 *l2, const gm_run_options *options, uint32_t number)
{
    (void)l2, (void)options, (void)number;
}

static bool hit(gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle, uint32_t *visible)
{
    (void)l1, (void)slot, (void)cycle;
    *visible = 0;
    return true;
}

static bool can_write(const gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle)
{
    (void)l1, (void)slot, (void)cycle;
    return true;
}

static bool is_full(const gm_coherence_l1 *l1, uint32_t slot)
{
    (void)l1, (void)slot;
    return false;
}

static gm_coherence_message request(gm_coherence_l1 *l1, const gm_coherence_access *access,
                                    uint64_t cycle)
{
    (void)l1, (void)access, (void)cycle;
    return (gm_coherence_message){0};
}

static bool can_issue(const gm_coherence_l1 *l1, uint32_t warp, bool store)
{
    (void)l1, (void)warp, (void)store;
    return true;
}

static void issue(gm_coherence_l1 *l1, uint32_t warp, bool store)
{
    (void)l1, (void)warp, (void)store;
}

static void acknowledge(gm_coherence_l1 *l1, uint32_t warp, bool store,
                        const gm_coherence_message *message)
{
    (void)l1, (void)warp, (void)store, (void)message;
}

static void saw(gm_coherence_l1 *l1, uint32_t warp, uint32_t visible)
{
    (void)l1, (void)warp, (void)visible;
}

static gm_coherence_wait fence(gm_coherence_l1 *l1, uint32_t first, uint32_t last, uint64_t cycle)
{
    (void)l1, (void)first, (void)last, (void)cycle;
    return (gm_coherence_wait){0};
}

static bool fill(gm_coherence_l1 *l1, uint32_t slot, bool open, const gm_coherence_message *message,
                 uint64_t cycle)
{
    (void)l1, (void)slot, (void)message, (void)cycle;
    return open;
}

static bool upgraded(gm_coherence_l1 *l1, uint32_t slot, const gm_coherence_message *message,
                     uint64_t cycle)
{
    (void)l1, (void)slot, (void)message, (void)cycle;
    return true;
}

static void evict(gm_coherence_l1 *l1, uint32_t slot)
{
    (void)l1, (void)slot;
}

static void l1_nothing(gm_coherence_l1 *l1)
{
    (void)l1;
}

static void arrive(gm_coherence_l2 *l2, uint32_t slot, gm_access_kind kind,
                   const gm_coherence_message *message, uint64_t cycle)
{
    (void)l2, (void)slot, (void)kind, (void)message, (void)cycle;
}

static gm_coherence_answer perform(gm_coherence_l2 *l2, uint32_t slot, gm_message_kind kind,
                                   uint32_t sm, gm_coherence_message *message, uint64_t cycle)
{
    (void)l2, (void)slot, (void)sm, (void)message, (void)cycle;
    return (gm_coherence_answer){.drops_copies = gm_message_access(kind) != GM_LOAD};
}

static bool has_room(gm_coherence_l2 *l2, uint64_t line, uint32_t victim, uint32_t entries,
                     uint64_t cycle, uint64_t *again)
{
    (void)l2, (void)line, (void)victim, (void)entries, (void)cycle;
    *again = 0;
    return true;
}

static gm_coherence_kept fetch(gm_coherence_l2 *l2, uint64_t line, uint64_t cycle)
{
    (void)l2, (void)line, (void)cycle;
    return (gm_coherence_kept){0};
}

static void l2_evict(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle)
{
    (void)l2, (void)line, (void)slot, (void)cycle;
}

static void install(gm_coherence_l2 *l2, uint32_t slot, gm_coherence_kept kept, bool write)
{
    (void)l2, (void)slot, (void)kept, (void)write;
}

static void copied(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle)
{
    (void)l2, (void)line, (void)slot, (void)cycle;
}

static void l2_nothing(gm_coherence_l2 *l2)
{
    (void)l2;
}

static int l1_check(const gm_coherence_l1 *l1, const char *where, gm_error *error)
{
    (void)l1, (void)where, (void)error;
    return 0;
}

static int l2_check(const gm_coherence_l2 *l2, const char *where, gm_error *error)
{
    (void)l2, (void)where, (void)error;
    return 0;
}

static uint64_t copy_until(const gm_coherence_l1 *l1, uint32_t slot)
{
    (void)l1, (void)slot;
    return 0;
}

static uint64_t line_until(const gm_coherence_l2 *l2, uint32_t slot, uint64_t line)
{
    (void)l2, (void)slot, (void)line;
    return 0;
}

static uint32_t owner(const gm_coherence_l2 *l2, uint32_t slot)
{
    (void)l2, (void)slot;
    return GM_COHERENCE_NO_SLOT;
}

static void l1_snapshot(gm_coherence_l1 *l1, gm_snapshot *snapshot)
{
    (void)l1, (void)snapshot;
}

static void l2_snapshot(gm_coherence_l2 *l2, gm_snapshot *snapshot)
{
    (void)l2, (void)snapshot;
}

const gm_coherence_ops gm_coherence_ideal = {
    .l1_bytes = no_bytes,
    .l1_init = l1_init,
    .l2_bytes = no_bytes,
    .l2_init = l2_init,
    .l1_observe = l1_observe,
    .l2_observe = l2_observe,
    .hit = hit,
    .can_write = can_write,
    .is_full = is_full,
    .request = request,
    .can_issue = can_issue,
    .issue = issue,
    .acknowledge = acknowledge,
    .saw = saw,
    .fence = fence,
    .fill = fill,
    .upgraded = upgraded,
    .evict = evict,
    .flush = l1_nothing,
    .l1_roll_over = l1_nothing,
    .arrive = arrive,
    .perform = perform,
    .has_room = has_room,
    .fetch = fetch,
    .l2_evict = l2_evict,
    .install = install,
    .copied = copied,
    .l2_roll_over = l2_nothing,
    .l1_check = l1_check,
    .l2_check = l2_check,
    .copy_until = copy_until,
    .line_until = line_until,
    .owner = owner,
    .l1_snapshot = l1_snapshot,
    .l2_snapshot = l2_snapshot,
};

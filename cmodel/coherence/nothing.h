/* Operations of a protocol that have nothing to do: every copy may be used, nothing is kept, nobody
 * waits. For the constants of protocols that have no such part. */
#ifndef GOLDMEM_COHERENCE_NOTHING_H
#define GOLDMEM_COHERENCE_NOTHING_H

#include "coherence/coherence.h"

static inline size_t gm_nothing_bytes(const gm_config *config)
{
    (void)config;
    return 0;
}

static inline int gm_nothing_l1_init(gm_coherence_l1 *l1, const gm_config *config, gm_arena *arena,
                                     gm_error *error)
{
    (void)l1, (void)config, (void)arena, (void)error;
    return 0;
}

static inline int gm_nothing_l2_init(gm_coherence_l2 *l2, const gm_config *config, gm_arena *arena,
                                     gm_error *error)
{
    (void)l2, (void)config, (void)arena, (void)error;
    return 0;
}

static inline void gm_nothing_l1_observe(gm_coherence_l1 *l1, const gm_run_options *options,
                                         uint32_t number)
{
    (void)l1, (void)options, (void)number;
}

static inline void gm_nothing_l2_observe(gm_coherence_l2 *l2, const gm_run_options *options,
                                         uint32_t number)
{
    (void)l2, (void)options, (void)number;
}

static inline bool gm_nothing_hit(gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle,
                                  uint32_t *visible)
{
    (void)l1, (void)slot, (void)cycle;
    *visible = 0;
    return true;
}

static inline bool gm_nothing_can_write(const gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle)
{
    (void)l1, (void)slot, (void)cycle;
    return true;
}

static inline bool gm_nothing_is_full(const gm_coherence_l1 *l1, uint32_t slot)
{
    (void)l1, (void)slot;
    return false;
}

static inline gm_coherence_message gm_nothing_request(gm_coherence_l1 *l1,
                                                      const gm_coherence_access *access,
                                                      uint64_t cycle)
{
    (void)l1, (void)access, (void)cycle;
    return (gm_coherence_message){0};
}

static inline bool gm_nothing_can_issue(const gm_coherence_l1 *l1, uint32_t warp, bool store)
{
    (void)l1, (void)warp, (void)store;
    return true;
}

static inline void gm_nothing_issue(gm_coherence_l1 *l1, uint32_t warp, bool store)
{
    (void)l1, (void)warp, (void)store;
}

static inline void gm_nothing_acknowledge(gm_coherence_l1 *l1, uint32_t warp, bool store,
                                          const gm_coherence_message *message)
{
    (void)l1, (void)warp, (void)store, (void)message;
}

static inline void gm_nothing_saw(gm_coherence_l1 *l1, uint32_t warp, uint32_t visible)
{
    (void)l1, (void)warp, (void)visible;
}

static inline gm_coherence_wait gm_nothing_fence(gm_coherence_l1 *l1, uint32_t first, uint32_t last,
                                                 uint64_t cycle)
{
    (void)l1, (void)first, (void)last, (void)cycle;
    return (gm_coherence_wait){0};
}

static inline bool gm_nothing_fill(gm_coherence_l1 *l1, uint32_t slot, bool open,
                                   const gm_coherence_message *message, uint64_t cycle)
{
    (void)l1, (void)slot, (void)message, (void)cycle;
    return open;
}

static inline bool gm_nothing_upgraded(gm_coherence_l1 *l1, uint32_t slot,
                                       const gm_coherence_message *message, uint64_t cycle)
{
    (void)l1, (void)slot, (void)message, (void)cycle;
    return true;
}

static inline void gm_nothing_evict(gm_coherence_l1 *l1, uint32_t slot)
{
    (void)l1, (void)slot;
}

static inline void gm_nothing_at_l1(gm_coherence_l1 *l1)
{
    (void)l1;
}

static inline void gm_nothing_arrive(gm_coherence_l2 *l2, uint32_t slot, gm_access_kind kind,
                                     const gm_coherence_message *message, uint64_t cycle)
{
    (void)l2, (void)slot, (void)kind, (void)message, (void)cycle;
}

static inline bool gm_nothing_has_room(gm_coherence_l2 *l2, uint64_t line, uint32_t victim,
                                       uint32_t entries, uint64_t cycle, uint64_t *again)
{
    (void)l2, (void)line, (void)victim, (void)entries, (void)cycle;
    *again = 0;
    return true;
}

static inline gm_coherence_kept gm_nothing_fetch(gm_coherence_l2 *l2, uint64_t line, uint64_t cycle)
{
    (void)l2, (void)line, (void)cycle;
    return (gm_coherence_kept){0};
}

static inline void gm_nothing_l2_evict(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                       uint64_t cycle)
{
    (void)l2, (void)line, (void)slot, (void)cycle;
}

static inline void gm_nothing_install(gm_coherence_l2 *l2, uint32_t slot, gm_coherence_kept kept,
                                      bool write)
{
    (void)l2, (void)slot, (void)kept, (void)write;
}

static inline void gm_nothing_copied(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                     uint64_t cycle)
{
    (void)l2, (void)line, (void)slot, (void)cycle;
}

static inline void gm_nothing_at_l2(gm_coherence_l2 *l2)
{
    (void)l2;
}

static inline int gm_nothing_l1_check(const gm_coherence_l1 *l1, const char *where, gm_error *error)
{
    (void)l1, (void)where, (void)error;
    return 0;
}

static inline int gm_nothing_l2_check(const gm_coherence_l2 *l2, const char *where, gm_error *error)
{
    (void)l2, (void)where, (void)error;
    return 0;
}

static inline uint64_t gm_nothing_copy_until(const gm_coherence_l1 *l1, uint32_t slot)
{
    (void)l1, (void)slot;
    return 0;
}

static inline uint64_t gm_nothing_line_until(const gm_coherence_l2 *l2, uint32_t slot,
                                             uint64_t line)
{
    (void)l2, (void)slot, (void)line;
    return 0;
}

static inline uint32_t gm_nothing_owner(const gm_coherence_l2 *l2, uint32_t slot)
{
    (void)l2, (void)slot;
    return GM_COHERENCE_NO_SLOT;
}

static inline void gm_nothing_l1_snapshot(gm_coherence_l1 *l1, gm_snapshot *snapshot)
{
    (void)l1, (void)snapshot;
}

static inline void gm_nothing_l2_snapshot(gm_coherence_l2 *l2, gm_snapshot *snapshot)
{
    (void)l2, (void)snapshot;
}

#endif

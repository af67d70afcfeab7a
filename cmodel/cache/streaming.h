/* Streaming bypass of a cache in a run [khairy, 4.1]: a stream_gate block, the ends of its sampling
 * periods, and the tags of a closed cache, which are kept up to date without data.
 * docs/streaming.md has the rules and the modelling choices beyond the paper. */
#ifndef GOLDMEM_CACHE_STREAMING_H
#define GOLDMEM_CACHE_STREAMING_H

#include "base/snapshot.h"
#include "cache/cache.h"
#include "goldmem/config.h"
#include "goldmem/statistics.h"
#include "goldmem/stream_gate.h"

/* The gate of an L1 or of an L2 bank. */
typedef struct gm_streaming {
    gm_stream_gate block;
    uint64_t period;  /* core cycles; order engine: accesses */
    uint64_t end;     /* cycle engine: core cycle in which the period is over */
    uint64_t elapsed; /* order engine: accesses of the period so far */
    bool closed;      /* for the request that is being attempted: latched at its first attempt */
    bool latched;     /* L2 bank: the oldest request has been attempted */
    bool hot;         /* warps contend for the cache: it stays open */
    uint32_t *seen;   /* [slots] sectors of lines that a closed cache would hold if it were open */
    uint32_t slots;
    gm_streaming_statistics statistics;
} gm_streaming;

/* Returns the block's parameters. `requests`: the most that the cache takes in a core cycle. */
gm_stream_gate_parameters gm_streaming_parameters(const gm_config *config, uint64_t requests);

/* Return the parameters of an L1's and an L2 bank's gate. */
gm_stream_gate_parameters gm_streaming_l1_parameters(const gm_config *config);
gm_stream_gate_parameters gm_streaming_l2_parameters(const gm_config *config);

/* Bytes of arena that gm_streaming_make takes. */
size_t gm_streaming_bytes(const gm_cache_parameters *cache);

/* Makes the gate of a cache, open, at the start of a period. Returns NULL if the arena is full. */
gm_streaming *gm_streaming_make(const gm_config *config,
                                const gm_stream_gate_parameters *parameters, const gm_cache *cache,
                                gm_arena *arena);

/* Private to gm_streaming_catch_up and gm_streaming_advance: ends a period at time `at`. */
void gm_streaming_end_period(gm_streaming *streaming, uint64_t at);

/* Cycle engine: ends all periods that were over when core cycle `now` began; periods end at the
 * multiples of their length. Requires a call before each use of the gate. Periods in which the gate
 * is not used end late, without effect on results. */
static inline void gm_streaming_catch_up(gm_streaming *streaming, uint64_t now)
{
    while (now >= streaming->end) {
        uint64_t at = streaming->end;
        streaming->end += streaming->period;
        gm_streaming_end_period(streaming, at);
    }
}

/* Order engine: ends an access, of any kind. */
static inline void gm_streaming_advance(gm_streaming *streaming)
{
    if (++streaming->elapsed == streaming->period) {
        streaming->elapsed = 0;
        streaming->end += streaming->period;
        gm_streaming_end_period(streaming, streaming->end - streaming->period);
    }
}

/* Counts an access for the miss rate of the period. */
static inline void gm_streaming_count(gm_streaming *streaming, bool miss)
{
    streaming->statistics.accesses++;
    streaming->statistics.misses += miss;
    gm_stream_gate_access(&streaming->block,
                          (gm_stream_gate_request){.op = GM_STREAM_GATE_ACCESS, .miss = miss});
}

/* Counts a load or store that bypasses the closed cache, and updates the tags: a line that is found
 * at `place` becomes the newest of its set; an absent one takes, without data, the first way in the
 * order of replacement that neither waits for data nor is dirty, if there is one. `sectors`: of the
 * request; `fetched`: those that an open cache would hold then. The line that gives up its way
 * counts as evicted in `counts` if it held data. */
void gm_streaming_bypass(gm_streaming *streaming, gm_cache *cache, gm_cache_statistics *counts,
                         gm_access_kind kind, uint64_t line, gm_cache_place place, uint32_t sectors,
                         uint32_t fetched);

/* An access to a line in a cache with a gate, by the rules of an open one: it is noted before and
 * after, so that a tag that gets data, or a new line, is counted. */
typedef struct gm_streaming_watch {
    uint64_t line, allocations;
    uint32_t slot; /* of the tag without data; GM_NO_SLOT: none */
} gm_streaming_watch;

gm_streaming_watch gm_streaming_begin(gm_cache *cache, uint64_t line, gm_cache_place place);
void gm_streaming_finish(gm_streaming *streaming, gm_cache *cache, const gm_streaming_watch *watch);

/* True if the line in a slot is a tag without data. */
static inline bool gm_streaming_is_tag(gm_cache *cache, uint32_t slot)
{
    return gm_cache_state(cache, slot)->valid == 0 &&
           (cache->waiting == NULL || !gm_cache_waits(cache, slot));
}

/* Checks the invariants of a gate at the end of a kernel, all of whose periods have ended.
 * `counted` and `bypassed`: the accesses and bypasses that the cache has counted for the gate.
 * Returns 0, or -EPROTO, which names the invariant and both values. */
int gm_streaming_check(const gm_streaming *streaming, uint64_t counted, uint64_t bypassed,
                       const char *where, gm_error *error);

/* Saves or loads the gate's state. */
void gm_streaming_snapshot(gm_streaming *streaming, gm_snapshot *snapshot);

#endif

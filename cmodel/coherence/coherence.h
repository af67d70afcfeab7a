/* Coherence of the L1s: what a protocol adds to the caches of the cycle engine. docs/coherence.md.
 *
 * A protocol is a file of this folder: a constant gm_coherence_ops, and the state that an L1 and an
 * L2 bank have beside their tags. The access rules (cache/l1_access_rules.h, l2_access_rules.h)
 * decide what an access does to a line; they take a copy that the protocol does not let a request
 * use as one that is absent. A cache first asks (functions with a const state), then holds all that
 * the request needs, and then tells the protocol that the request is done. */
#ifndef GOLDMEM_COHERENCE_COHERENCE_H
#define GOLDMEM_COHERENCE_COHERENCE_H

#include "base/snapshot.h"
#include "cache/message.h"
#include "cache/request_kind.h"
#include "goldmem/arena.h"
#include "goldmem/engine.h"

/* Flags of a message. */
enum {
    GM_COHERENCE_LOCAL = 1,    /* of local memory, which needs no coherence [singh, 3.1] */
    GM_COHERENCE_EXPIRED = 2,  /* load: the L1 has the line with an expired lease */
    GM_COHERENCE_NO_LEASE = 4, /* load that bypasses the L1 */
    GM_COHERENCE_UPGRADE = 8,  /* store that has written the L1's copy, and its answer */
    GM_COHERENCE_LEASE = 16,   /* answer: a lease */
    GM_COHERENCE_GWCT = 32,    /* answer: a GWCT */
    GM_COHERENCE_LINE = 64,    /* answer of a store: the line */
    GM_COHERENCE_EPOCH = 128,  /* answer: given in an epoch of odd number */
};

/* What a message carries beside its line and data. */
typedef struct gm_coherence_message {
    uint32_t timestamp; /* UPGRADE: the copy's lease; answers: the lease, else the GWCT; an answer
                         * with both has the lease, and its GWCT is a cycle earlier */
    uint32_t visible;   /* answers of loads: the GWCT of the line's writes; 0: none */
    uint32_t flags;
} gm_coherence_message;

/* A request that an L1 makes. */
typedef struct gm_coherence_access {
    gm_request_kind kind;
    uint32_t slot; /* of the line; of a load that allocates: its new slot; else 0 */
    bool present;  /* the slot held the line before the request */
    bool open;     /* the line has an open MSHR entry */
} gm_coherence_access;

/* What an L2 bank does with a request. */
typedef struct gm_coherence_answer {
    uint64_t wait; /* a write that waits: the core cycle in which it can be tried again; else 0 */
    bool drops_copies; /* a write: every other L1 drops the line in this cycle, without messages */
    uint64_t invalidates; /* a write that waits: SMs that must acknowledge that they have dropped
                             the line, and are no sharers then */
} gm_coherence_answer;

/* What a fence of some warps waits for. */
typedef struct gm_coherence_wait {
    bool answers;   /* operations without an answer */
    uint64_t until; /* core cycle from which all writes are visible */
} gm_coherence_wait;

/* The lease that a line had when the L2 evicted it. */
typedef struct gm_coherence_kept {
    uint32_t lease;
    uint32_t found; /* 1: there is one */
} gm_coherence_kept;

/* Time: core cycles of an epoch, from 1 on, equal everywhere. 0 is no time. */
typedef struct gm_coherence_time {
    uint64_t begin; /* core cycle before the epoch's first */
    uint64_t end;   /* core cycle after its last; UINT64_MAX: never */
    uint64_t last;  /* time of its last cycle */
    uint64_t epoch; /* its number */
    bool fenced;    /* an SM has completed a fence since the run began */
} gm_coherence_time;

/* Returns the time of a core cycle of the epoch. */
static inline uint32_t gm_coherence_now(const gm_coherence_time *time, uint64_t cycle)
{
    return (uint32_t)(cycle - time->begin);
}

typedef struct gm_coherence_ops gm_coherence_ops;

/* Of an L1 and its SM's fences. */
typedef struct gm_coherence_l1 {
    const gm_coherence_ops *ops;
    const gm_coherence_time *time;
    void *state; /* the protocol's */
    gm_coherence_statistics statistics;
} gm_coherence_l1;

/* Of an L2 bank. */
typedef struct gm_coherence_l2 {
    const gm_coherence_ops *ops;
    const gm_coherence_time *time;
    void *state; /* the protocol's */
    gm_coherence_statistics statistics;
} gm_coherence_l2;

#define GM_COHERENCE_NO_SLOT UINT32_MAX

/* What a protocol with a directory has beside the rest. */
typedef struct gm_coherence_sharers {
    /* An L1's slot: true if its copy may be read, now or later; if the L1 owns the line, NULL: it
     * owns none. */
    bool (*has_copy)(const gm_coherence_l1 *l1, uint32_t slot);
    bool (*is_owner)(const gm_coherence_l1 *l1, uint32_t slot);
    /* An invalidation or recall of the slot's line arrives; `open`: it has an open MSHR entry,
     * which is closed. */
    void (*invalidate)(gm_coherence_l1 *l1, uint32_t slot, bool open);
    /* A line of an L2 bank, which is in `slot`, or NO_SLOT: the SMs that may have a copy; removes
     * one that has acknowledged; forgets all, the L1s being empty. */
    uint64_t (*of)(const gm_coherence_l2 *l2, uint64_t line, uint32_t slot);
    void (*unshare)(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint32_t sm);
    void (*forget)(gm_coherence_l2 *l2, uint64_t line, uint32_t slot);
    /* A directory apart from the L2's lines, which recalls lines when it, not the L2, evicts them.
     * NULL: sharers are kept with the L2's lines. */
    const struct gm_coherence_entries *entries;
} gm_coherence_sharers;

/* An entry of a directory. */
typedef struct gm_coherence_entry {
    bool found;       /* the line has one, or can have one */
    bool own;         /* the line has one */
    uint64_t line;    /* whose entry would be evicted for it, if `sharers` is not 0 */
    uint64_t sharers; /* that line's */
} gm_coherence_entry;

typedef struct gm_coherence_entries {
    gm_coherence_entry (*find)(const gm_coherence_l2 *l2, uint64_t line);
    /* Gives the line the entry that `find` has found; it is not evicted until it is released. A
     * load that is performed takes one by itself. */
    void (*take)(gm_coherence_l2 *l2, uint64_t line);
    /* The line's entry can be evicted again; without sharers it is free. */
    void (*release)(gm_coherence_l2 *l2, uint64_t line);
} gm_coherence_entries;

struct gm_coherence_ops {
    /* init: bytes of an arena; 0, -EINVAL or -ENOMEM */
    size_t (*l1_bytes)(const gm_config *config);
    int (*l1_init)(gm_coherence_l1 *l1, const gm_config *config, gm_arena *arena, gm_error *error);
    size_t (*l2_bytes)(const gm_config *config);
    int (*l2_init)(gm_coherence_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error);
    /* Attaches the observers of `options` for L1 or bank `number`. */
    void (*l1_observe)(gm_coherence_l1 *l1, const gm_run_options *options, uint32_t number);
    void (*l2_observe)(gm_coherence_l2 *l2, const gm_run_options *options, uint32_t number);

    /* access, at the L1 */
    /* A load of the line in `slot`: does it if it hits. Returns true if it hit; sets *visible to
     * the GWCT of the line's writes, 0: none. */
    bool (*hit)(gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle, uint32_t *visible);
    /* True if a store may use the line in `slot`. */
    bool (*can_write)(const gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle);
    /* True if a store that may use the line in `slot` must wait for an answer. */
    bool (*is_full)(const gm_coherence_l1 *l1, uint32_t slot);
    /* Does a request that does not hit, or a store. Returns what its message carries. */
    gm_coherence_message (*request)(gm_coherence_l1 *l1, const gm_coherence_access *access,
                                    uint64_t cycle);
    /* True if one more operation of the warp can be without an answer; counts one more that is,
     * and one less. Atomics and reductions are stores. */
    bool (*can_issue)(const gm_coherence_l1 *l1, uint32_t warp, bool store);
    void (*issue)(gm_coherence_l1 *l1, uint32_t warp, bool store);
    void (*acknowledge)(gm_coherence_l1 *l1, uint32_t warp, bool store,
                        const gm_coherence_message *message);
    /* Notes that the warp has loaded data that are visible to all from GWCT `visible` on. */
    void (*saw)(gm_coherence_l1 *l1, uint32_t warp, uint32_t visible);
    /* Returns what the warps `first` to `last` wait for in core cycle `cycle`. */
    gm_coherence_wait (*fence)(gm_coherence_l1 *l1, uint32_t first, uint32_t last, uint64_t cycle);

    /* fill, at the L1 */
    /* The data of a load arrive; `open`: its MSHR entry is. Returns true if they go into `slot`. */
    bool (*fill)(gm_coherence_l1 *l1, uint32_t slot, bool open, const gm_coherence_message *message,
                 uint64_t cycle);
    /* The answer of an UPGRADE of the line in `slot` arrives. Returns true if no other is due. */
    bool (*upgraded)(gm_coherence_l1 *l1, uint32_t slot, const gm_coherence_message *message,
                     uint64_t cycle);

    /* evict, at the L1: the slot's line, for which no answer of an UPGRADE is due; all copies, for
     * a host copy; and when an epoch begins */
    void (*evict)(gm_coherence_l1 *l1, uint32_t slot);
    void (*flush)(gm_coherence_l1 *l1);
    void (*l1_roll_over)(gm_coherence_l1 *l1);

    /* access, at the L2 */
    /* A request of global memory arrives; `slot`: of its line if its data are there. */
    void (*arrive)(gm_coherence_l2 *l2, uint32_t slot, gm_access_kind kind,
                   const gm_coherence_message *message, uint64_t cycle);
    /* Does a request on the bank's line in `slot`, unless it waits, and makes the message its
     * answer's. */
    gm_coherence_answer (*perform)(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                   gm_message_kind kind, uint32_t sm, gm_coherence_message *message,
                                   uint64_t cycle);

    /* fill and evict, at the L2 */
    /* True if `line` can be fetched while `entries` MSHR entries are in use, and the line in slot
     * `victim` evicted for it; else sets *again to the core cycle in which to try again at the
     * latest. May drop what is past. */
    bool (*has_room)(gm_coherence_l2 *l2, uint64_t line, uint32_t victim, uint32_t entries,
                     uint64_t cycle, uint64_t *again);
    gm_coherence_kept (*fetch)(gm_coherence_l2 *l2, uint64_t line, uint64_t cycle);
    void (*l2_evict)(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle);
    /* The data of a line fetched for a write or not are there. */
    void (*install)(gm_coherence_l2 *l2, uint32_t slot, gm_coherence_kept kept, bool write);
    /* A host copy has changed the line, which is in `slot` anew, or NO_SLOT. Requires that all L1s
     * have been flushed. */
    void (*copied)(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle);
    void (*l2_roll_over)(gm_coherence_l2 *l2);

    /* check, at the end of a kernel: 0, -EINVAL or -EPROTO */
    int (*l1_check)(const gm_coherence_l1 *l1, const char *where, gm_error *error);
    int (*l2_check)(const gm_coherence_l2 *l2, const char *where, gm_error *error);
    /* The last cycle at which the copy in an L1's slot may be used, 0: there is none; and at which
     * the L2 lets L1s use copies of the line in `slot`, or NO_SLOT. */
    uint64_t (*copy_until)(const gm_coherence_l1 *l1, uint32_t slot);
    uint64_t (*line_until)(const gm_coherence_l2 *l2, uint32_t slot, uint64_t line);
    /* The only SM that may use a copy of the line in `slot`; NO_SLOT: unknown. */
    uint32_t (*owner)(const gm_coherence_l2 *l2, uint32_t slot);

    /* snapshot */
    void (*l1_snapshot)(gm_coherence_l1 *l1, gm_snapshot *snapshot);
    void (*l2_snapshot)(gm_coherence_l2 *l2, gm_snapshot *snapshot);

    bool leases; /* copies end by themselves: fences wait for time, and stores keep their copy */
    const gm_coherence_sharers *sharers; /* a directory, and stores keep their copy; NULL: none */
    bool owns;                           /* L1s own lines, and write back: mesi.h */
};

extern const gm_coherence_ops gm_coherence_ideal, gm_coherence_temporal, gm_coherence_vi,
    gm_coherence_vini, gm_coherence_mesi;

/* Returns a configuration's protocol, NULL for none. */
const gm_coherence_ops *gm_coherence_ops_of(const gm_config *config);

/* Begins time before core cycle 1. */
void gm_coherence_time_init(gm_coherence_time *time, const gm_config *config);

#endif

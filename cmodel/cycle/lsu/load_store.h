/* Load/store unit of an SM: memory instructions in order, their line requests into the L1 data
 * cache, their passes through shared memory, and the answers [khairy, 2.1].
 *
 * The oldest instruction in the queue gives l1.ports line requests a cycle to the L1, and beside
 * them one pass a cycle to the shared memory; it leaves the queue in the cycle in which the last of
 * both is taken. The outcome is decided when the L1 takes a request, in cycle t: a hit is done in
 * cycle t + l1.latency, a miss is sent from cycle t + 1 on. With l1.lookup=last the L1 takes a
 * request l1.latency after it has left the coalescer at the earliest, a hit is done l1.hit_delay
 * later; with l1.bypass_early requests that bypass the L1 are given to it at once, one a cycle.
 * Up to l1.ports * l1.latency requests wait in between, in order. A shared memory access
 * is done unit.shared cycles after its last pass began. With banks of the L1's data or tags, and
 * with fewer lanes than a warp has, an instruction of several passes leaves the queue no sooner
 * than in its last one, and is done l1.latency later at the earliest (load_store_passes.h). */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_H

#include "base/ring.h"
#include "cycle/l1/l1.h"
#include "cycle/lsu/write_port.h"
#include "policy/mrpb.h"

/* A warp's memory instruction, or a part of one. */
typedef struct gm_memory_access {
    const gm_line_request *request; /* copied */
    uint32_t requests;              /* 0 to GM_COALESCED_REQUESTS */
    uint32_t ticket;                /* below GM_TICKETS */
    uint8_t kind;                   /* gm_request_kind */
    uint32_t passes;                /* 0: none; see gm_timed_passes */
    uint32_t warp;                  /* slot in the SM */
} gm_memory_access;

/* An access in the queue. Its size is a line of the host's cache. */
typedef struct gm_queued_access {
    gm_cycle from;         /* first cycle in which the coalescer sees it */
    gm_cycle last_pass;    /* cycle of its last pass, once the access has begun */
    gm_line_request first; /* first of its requests; the others are in gm_load_store.request */
    uint32_t requests, next;
    uint32_t passes;
    uint32_t ticket;
    uint16_t warp;
    uint8_t kind, begun;
    uint32_t unused;
} gm_queued_access;

/* A line request that waits in MRPB's FIFOs, or in the L1's pipeline. */
typedef struct gm_reordered_request {
    gm_line_request line;
    gm_cycle began; /* cycle in which it left the coalescer */
    uint32_t ticket;
    uint32_t kind; /* gm_request_kind */
} gm_reordered_request;

/* A ticket and the cycle in which it is answered. */
typedef struct gm_due {
    gm_cycle at;
    uint32_t ticket, unused;
} gm_due;

/* Tickets to answer, in the order of their cycles: each is a fixed time after its cause. */
typedef struct gm_due_queue {
    gm_due *due; /* elements of `ring` */
    gm_ring ring;
} gm_due_queue;

/* Order in which requests reach the L1. */
typedef enum gm_load_store_order {
    GM_ORDER_OF_INSTRUCTIONS, /* directly from the queue */
    GM_ORDER_BEHIND_PIPELINE, /* l1.lookup=last: in order, through the L1's pipeline */
    GM_ORDER_OF_WARPS,        /* l1.bypass=mrpb: from MRPB's FIFOs */
    GM_ORDER_OF_BANKS,        /* l1.banks: from the queue, up to a request for each bank */
    GM_ORDER_OF_BANKS_BEHIND_PIPELINE,
    GM_ORDER_OF_BANK_PIPELINES, /* l1.lookup=banks: in order in each bank */
} gm_load_store_order;

enum { GM_L1_BANKS = 16 };

/* Where requests use the banks of an L1: where they come in, and where they are looked up. */
typedef enum gm_bank_side { GM_BANK_ENTRY, GM_BANK_EXIT, GM_BANK_SIDES } gm_bank_side;

/* A bank of the L1: before cycle until[side] it takes no request there. */
typedef struct gm_bank_use {
    gm_cycle until[GM_BANK_SIDES];
} gm_bank_use;

/* The pipeline of a bank (l1.lookup=banks). Its oldest request may be blocked, as in gm_load_store.
 */
typedef struct gm_bank_pipeline {
    gm_ring ring;
    gm_reordered_request *piped; /* elements of `ring` */
    gm_cycle_l1_answer blocked;  /* of the oldest request, as gm_load_store's */
    gm_cycle blocked_from;
    bool closed; /* l1.streaming: what the gate decided at the first attempt of a blocked request */
} gm_bank_pipeline;

enum { GM_PASS_TURNS = 4 };

/* An instruction that makes a pass every sm.pass_interval cycles: before cycle `until` no other one
 * takes its turn, and none of its warp begins. */
typedef struct gm_pass_turn {
    gm_cycle until;
    uint32_t warp, unused;
} gm_pass_turn;

/* The fields that every step reads come first, in the order of use: a step of one SM of many finds
 * none of them in the host's first-level cache, so that each line of it counts. */
typedef struct gm_load_store {
    gm_cycle *wake; /* set by the engine after init */
    gm_cycle
        due; /* not saved: next cycle in which the unit has work without an event from outside */
    gm_ring queue;
    gm_queued_access *access; /* elements of `queue` */
    /* The L1's pipeline in front of the look-up: */
    gm_ring pipe;
    gm_reordered_request *piped; /* elements of `pipe` */
    gm_cycle pipe_end; /* cycle in which the oldest request leaves the pipeline; GM_NEVER: there is
                          none */
    gm_bank_pipeline *bank_pipe; /* [banks] l1.lookup=banks; else NULL */
    uint32_t bank_freed;         /* stall reasons that a request of the last step may have ended */
    gm_cycle bank_next; /* not saved: before it no bank has work; 0: one may have it always */
    gm_due_queue hits, shared; /* shared: passes, over shared memory or the L1's banks */
    /* The blocked request, which the L1 did not take: stall reason, kind (blocked_kind), first
     * cycle not yet counted as a fail (blocked_from), cycle of its first attempt (began). */
    gm_cycle_l1_answer blocked; /* stall reason; GM_CYCLE_L1_TAKEN: no request is blocked */
    uint32_t freed;             /* stall reasons that a fence may have ended after the last step */
    uint32_t retries; /* for tests: mask of stall reasons for which every step retries a blocked
                         request */
    /* Results of the last step: */
    uint32_t done_count;
    uint32_t number;             /* of the SM */
    uint32_t *done;              /* [GM_TICKETS] tickets whose answers have all arrived */
    uint32_t hits_from, hits_to; /* elements of `done` whose last answer was a hit of the L1 */
    uint32_t latency, ports;     /* cycles from the look-up to the data of a hit; l1.ports */
    gm_load_store_order order;
    uint32_t pipeline; /* l1.latency */
    /* Banks of the L1: */
    uint32_t banks;      /* 1: none */
    unsigned bank_bits;  /* log2 of them */
    unsigned bank_shift; /* log2 of the sectors of a piece of memory that lies in one bank */
    bool bank_xor;
    /* Passes: */
    bool counts_passes; /* any of data_banks, tag_bits, lane_groups, pass_interval below */
    bool data_banks;    /* passes of loads and stores with requests are those over the L1's data */
    uint64_t *pending;  /* [GM_TICKETS] see load_store_give.h */
    uint64_t tickets_waiting; /* tickets not done */
    gm_line_request *request; /* [GM_COALESCED_REQUESTS] of each element of `queue`: all but the
                                 first one */
    gm_l1_bank_statistics bank_counts;
    gm_bank_use bank_use[GM_L1_BANKS];
    gm_cycle bank_end[GM_L1_BANKS]; /* l1.lookup=banks, not saved: cycle in which the oldest request
                                       of each pipeline is looked up; GM_NEVER: there is none */
    gm_cycle_l1 l1;
    gm_request_kind blocked_kind;
    uint32_t shared_latency; /* unit.shared */
    gm_write_port port;      /* sm.write_port */
    gm_cycle blocked_from, began;
    /* l1.bypass_early, of the oldest instruction's next request, as the fields above: */
    bool bypasses_early;
    bool drops; /* l1.fence_drops */
    gm_cycle_l1_answer early_blocked;
    gm_cycle early_from, early_began;
    uint64_t issued[GM_ACCESS_KINDS]; /* line requests */
    unsigned tag_bits;                /* log2 of l1.tag_banks */
    uint64_t tag_mask[4];             /* [tag_bits] bits of a line's number of which each bit of its
                                         tag bank is the parity */
    uint32_t lane_groups;             /* of a warp */
    uint32_t pass_interval;           /* sm.pass_interval; so many of `turn` are in use */
    gm_pass_turn turn[GM_PASS_TURNS];
    /* Foresight, not saved: the unit has something to do; the MSHR entry that the reply names, or
     * GM_NO_ENTRY; mask of the banks whose oldest request is at the end of its pipeline, and in the
     * last step lacks its line. */
    bool foresees;
    uint32_t foreseen_entry, foreseen;
    /* MRPB, between the queue and the L1: */
    gm_mrpb reorder;
    gm_reordered_request *reordered; /* [places of reorder] */
} gm_load_store;

/* Returns the bytes of arena that gm_load_store_init takes. */
size_t gm_load_store_bytes(const gm_cycle_l1_shared *shared, const gm_config *config);

/* Makes the idle unit of SM `number`. Returns 0, -EINVAL or -ENOMEM. gm_load_store_free frees the
 * memory that its L1 has beside the arena. */
int gm_load_store_init(gm_load_store *unit, const gm_cycle_l1_shared *shared,
                       const gm_config *config, uint32_t number, gm_arena *arena, gm_error *error);
void gm_load_store_free(gm_load_store *unit);

/* Keeps the bytes that a line request of the next access writes: gm_cycle_l1_keep_masks. */
static inline uint32_t gm_load_store_keep_masks(gm_load_store *unit, const uint32_t *mask)
{
    return gm_cycle_l1_keep_masks(&unit->l1, mask);
}

/* Asks the bypass policy whether it chooses a load of `count` line requests, of an SM with so many
 * resident warps, and tells its requests. Requires a policy that decides for instructions. */
void gm_load_store_choose(gm_load_store *unit, gm_line_request *request, uint32_t count,
                          uint32_t warps);

/* True if the queue takes an access. */
static inline bool gm_load_store_has_room(const gm_load_store *unit)
{
    return gm_ring_has_room(&unit->queue);
}

/* Puts an access into the queue in cycle `now`. Requires room. The coalescer sees it from now + 1
 * on; an access without requests and passes is done then. Accesses of one ticket are answered
 * together if the earlier ones are not done yet. */
void gm_load_store_issue(gm_load_store *unit, const gm_memory_access *access, gm_cycle now);

/* Sends a fetch of instructions in cycle `now`, which leaves from now + 1 on: gm_cycle_l1_fetch.
 * The step in which its answer comes sets unit->l1.fetched, which the caller clears. */
void gm_load_store_fetch(gm_load_store *unit, uint64_t l2_line, uint32_t sectors, uint32_t number,
                         gm_cycle now);

/* Computes cycle `now`; afterwards `done` lists the tickets that are done, each once. */
void gm_load_store_step(gm_load_store *unit, gm_cycle now);

/* Foresight of the step of cycle `now`, in steps (base/foresight.h): the oldest elements of the
 * unit's queues; what the reply and the requests at the ends of the banks' pipelines name; the
 * state behind that; the chains of the victims of requests whose lines the L1 seems to lack. */
void gm_load_store_foresee_heads(gm_load_store *unit, gm_cycle now);
void gm_load_store_foresee_places(gm_load_store *unit, gm_cycle now);
void gm_load_store_foresee_state(gm_load_store *unit);
void gm_load_store_foresee_victims(const gm_load_store *unit);

/* True if there is something to do in cycle `now`; otherwise a step would change nothing. */
static inline bool gm_load_store_is_due(const gm_load_store *unit, gm_cycle now)
{
    return unit->due <= now || gm_cycle_l1_is_called(&unit->l1, now);
}

/* Replaces a step in a cycle in which the unit is not due. */
static inline void gm_load_store_rest(gm_load_store *unit)
{
    unit->done_count = 0;
    unit->port.written = GM_NO_TICKET;
    gm_wake(unit->wake, unit->due);
    gm_wake(unit->wake, gm_cycle_l1_next_arrival(&unit->l1));
}

/* Makes the next visit do a step, due or not. */
static inline void gm_load_store_call(gm_load_store *unit)
{
    unit->due = 0;
}

/* Return what a fence of the warps `first` to `last` waits for in cycle `now`; do what it does when
 * it completes. Require L1s with leases. */
static inline gm_coherence_wait gm_load_store_fence(gm_load_store *unit, uint32_t first,
                                                    uint32_t last, gm_cycle now)
{
    return gm_cycle_l1_fence(&unit->l1, first, last, now);
}

static inline void gm_load_store_fence_done(gm_load_store *unit)
{
    gm_cycle_l1_fence_done(&unit->l1);
}

/* A fence of cycle `now` drops the L1's lines (l1.fence_drops). */
void gm_load_store_drop(gm_load_store *unit, gm_cycle now);

/* True if no ticket and no write-back waits. */
bool gm_load_store_idle(const gm_load_store *unit);

/* Ends a kernel: empties the L1 if l1.flush. Requires an idle unit; the kernel's memory is complete
 * when it is idle again. */
void gm_load_store_end_kernel(gm_load_store *unit, gm_cycle now);

/* Adds counters up to the end of cycle `now`. */
void gm_load_store_sum(const gm_load_store *unit, gm_cycle now, gm_cache_statistics *l1,
                       gm_time_statistics *time);

/* Checks, at the end of a kernel, that the unit is idle and its invariants hold. Returns 0, or
 * -EPROTO, which names the invariant and its values. */
int gm_load_store_check(const gm_load_store *unit, gm_error *error);

/* Returns the cycle in which the oldest access that is not done was issued, and writes into `text`
 * where it waits; GM_NEVER: there is none. */
gm_cycle gm_load_store_oldest(const gm_load_store *unit, char *text, size_t size);

/* Saves or loads the unit's state, its L1 included. */
void gm_load_store_snapshot(gm_load_store *unit, gm_snapshot *snapshot);

#endif

/* Tracker bank: the sharing trackers of one memory partition [anssari, 3.1, 4.2], between a port of
 * the request network and the L2 bank behind it. The thesis's trackers take no time; the timed
 * machine is ours. docs/hybrid-caching.md has the rules.
 *
 * All packets from the L1s pass the bank in order: each tracker's instance of the block
 * sharing_tracker for this partition does its transactions in it. One packet enters in a core cycle
 * and can leave tracker.latency cycles later. A LOOKUP that names a supplier becomes a SUPPLY on
 * the reply network, if the bank has a credit of that SM; any other becomes READs, one for each L2
 * line. With tracker.ask it asks the other trackers before, one in a core cycle, in which no packet
 * enters; WRITE and COHERENT go to all trackers of the bank. A RETURN becomes READs without another
 * transaction. FILL and EVICT end here, but for the EVICT of a last sharer with l2.victim (with
 * tracker.ask: of the last in all trackers), which goes on for each L2 line, as the rest goes on
 * to the L2 bank. The bank never waits for a SUPPLY: it has a place for each credit. */
#ifndef GOLDMEM_CYCLE_TRACKER_TRACKER_BANK_H
#define GOLDMEM_CYCLE_TRACKER_TRACKER_BANK_H

#include "base/ring.h"
#include "cache/tracker_map.h"
#include "cycle/noc/credit_wire.h"
#include "cycle/noc/network.h"
#include "goldmem/engine.h"
#include "goldmem/statistics.h"

struct gm_values;

/* Constants of all banks of a machine. */
typedef struct gm_tracker_shared {
    const gm_config *config; /* the caller's; must outlive this struct */
    gm_tracker_map map;
    gm_set_index index;
    gm_sharing_tracker_parameters parameters;
    uint32_t sms, trackers;
    uint32_t told;           /* trackers that a store is told to: 1, with tracker.ask all */
    uint32_t supplies;       /* credits of each SM in each bank */
    uint32_t latency;        /* core cycles */
    unsigned l2_sector_bits; /* log2 of the sectors of an L2 line */
} gm_tracker_shared;

/* Where a packet goes when it leaves the pipeline. */
typedef enum gm_tracker_way {
    GM_TRACKER_TO_L2,
    GM_TRACKER_TO_SUPPLIER,
    GM_TRACKER_ENDS,
} gm_tracker_way;

typedef struct gm_tracker_item {
    gm_packet packet; /* TO_SUPPLIER: the SUPPLY */
    gm_cycle leaves;  /* first cycle in which it can leave */
    uint64_t way;     /* gm_tracker_way */
} gm_tracker_item;

/* What the L2 bank sees: the next packet for it. */
typedef struct gm_tracker_outlet {
    gm_packet packet;
    gm_cycle arrival; /* cycle from which the L2 bank can take it; GM_NEVER: there is none */
    gm_cycle sent_at; /* cycle of the last SUPPLY: the L2 bank sends no response in it */
    gm_cycle *wake;   /* the tracker bank's wake-up time */
} gm_tracker_outlet;

/* What a bank did for one SM, beside its tracker's counts. */
typedef struct gm_tracker_reads {
    uint64_t messages, sectors; /* READs that its LOOKUPs and RETURNs became */
} gm_tracker_reads;

typedef struct gm_tracker_bank {
    const gm_tracker_shared *shared;
    uint32_t number; /* of the partition and of its L2 bank */
    gm_tracker_outlet outlet;
    gm_network *requests, *replies; /* set by gm_tracker_bank_connect, as are the three below */
    const gm_ring *responses;       /* of the L2 bank, which wait for the reply network */
    gm_cycle *l2_wake;              /* the L2 bank's wake-up time */
    gm_credit_wire *credits_back;
    struct gm_values *values; /* of --check=values, or NULL */
    gm_ring pipe;
    gm_tracker_item *item; /* elements of `pipe` */
    uint32_t parts_left;   /* sectors of the READs that the oldest item still becomes */
    uint32_t asking;       /* the newest item asks the tracker this many behind its own; 0: it does
                              not ask */
    gm_ring supplies;
    gm_packet *supply;           /* elements of `supplies`: they wait for the reply network */
    uint32_t *credits;           /* [sms] */
    gm_sharing_tracker *tracker; /* [trackers] */
    const gm_observer *index_observer;
    gm_tracker_statistics *counts; /* [sms] of what the SM's packets did */
    gm_tracker_reads *reads;       /* [sms] */
    gm_message_counts received;
    uint64_t supplied, asked;       /* SUPPLYs sent, and their sectors */
    uint64_t victim_parts;          /* EVICTs sent on to the L2 bank */
    uint64_t flushed;               /* entries freed by FLUSH */
    uint64_t transactions, changed; /* without FLUSH; those that wrote the entry */
} gm_tracker_bank;

/* Refuses a configuration that the timed trackers cannot have; returns 0 without trackers. Returns
 * -EINVAL, with one line that names the key. */
int gm_tracker_shared_init(gm_tracker_shared *shared, const gm_config *config, gm_error *error);

/* Returns the bytes of arena that gm_tracker_bank_init takes. */
size_t gm_tracker_bank_bytes(const gm_tracker_shared *shared);

/* Makes an empty bank; `number` counts the partitions. Returns 0, -EINVAL or -ENOMEM. */
int gm_tracker_bank_init(gm_tracker_bank *bank, const gm_tracker_shared *shared, uint32_t number,
                         gm_arena *arena, gm_error *error);

/* Returns the latency of a wire, in core cycles, and the most credits on it. */
gm_cycle gm_tracker_wire_latency(const gm_config *config);
uint32_t gm_tracker_wire_credits(const gm_tracker_shared *shared);

/* Sets the bank's neighbours and its own wake-up time, which the caller keeps. */
void gm_tracker_bank_connect(gm_tracker_bank *bank, gm_network *requests, gm_network *replies,
                             const gm_ring *responses, gm_credit_wire *credits_back,
                             gm_cycle *l2_wake, gm_cycle *wake);

/* Computes core cycle `now`, before the L2 bank does, and lowers both wake-up times. */
void gm_tracker_bank_step(gm_tracker_bank *bank, gm_cycle now);

/* Removes the outlet's packet in cycle `now`. Requires that it has arrived. */
static inline void gm_tracker_outlet_pop(gm_tracker_outlet *outlet, gm_cycle now)
{
    outlet->arrival = GM_NEVER;
    gm_wake(outlet->wake, now + 1);
}

/* Sets the observers of the blocks: of instance `number` of tracker g the element
 * g * partitions + number. */
void gm_tracker_bank_observe(gm_tracker_bank *bank, const gm_run_options *options);

/* Frees all entries, at the end of a kernel. Requires an idle bank. */
void gm_tracker_bank_flush(gm_tracker_bank *bank);

/* True if the bank holds no packet. Credits may be on their wire. */
static inline bool gm_tracker_bank_idle(const gm_tracker_bank *bank)
{
    return gm_ring_is_empty(&bank->pipe) && gm_ring_is_empty(&bank->supplies) &&
           bank->outlet.arrival == GM_NEVER;
}

/* Checks, at the end of a kernel, that the bank is empty, its blocks' invariants hold and its
 * counts agree. Returns 0 or -EPROTO, which names the invariant and both values. */
int gm_tracker_bank_check(const gm_tracker_bank *bank, gm_error *error);

/* Returns the first cycle in which the oldest packet could have left, and writes into `text` what
 * it is; GM_NEVER: there is none. */
gm_cycle gm_tracker_bank_oldest(const gm_tracker_bank *bank, char *text, size_t size);

/* Saves or loads the bank's state, with the credits on their wire. */
void gm_tracker_bank_snapshot(gm_tracker_bank *bank, gm_snapshot *snapshot);

#endif

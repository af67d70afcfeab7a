/* Timed L2 bank: the access rules of cache/l2_access_rules.h behind a delay and a queue, with
 * MSHRs, a queue to the DRAM channel and one to the reply network [khairy, Table 1; singh,
 * section 3.1 and Table 4].
 *
 * The delay is a pipeline: a packet that has been in it for l2.latency core cycles is in the queue
 * behind it, if that has room, and can be looked up. The bank takes a packet while the queue has
 * four places free (a queue of fewer places: while it is empty), whatever the pipeline holds, as
 * GPGPU-Sim does. Both are one ring, whose elements that are old enough are the queue.
 *
 * In each L2 cycle a bank sends a response to the network, gives a request to its channel, uses its
 * tags once, and takes a packet from the network. Data that have arrived use the tags first: such a
 * cycle answers one request of a filled line. In the other cycles the oldest packet is looked up,
 * if it arrived l2.latency core cycles ago:
 *
 *   hit          its response goes to the reply queue
 *   hit pending  the line's data are in flight, and with them all that the request needs: merges
 *   miss         takes an MSHR entry and a way, or, where data of the line are in flight, merges
 * and fetches the sectors that are not (l2.sectored) fail         no way without data in flight, or
 * no room in the MSHRs or the queues: nothing changes, the packets behind it wait, and each L2
 * cycle is one fail
 *
 * A request that merges is answered when all data of its line have arrived, in order; so is a
 * store, which may also be forwarded to DRAM (l2.fetch_on_write). A store that fetches nothing is
 * answered at once. Atomics and reductions are done when they are answered, at most one in
 * l2.atomic_interval L2 cycles: the wait is not a fail. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_H
#define GOLDMEM_CYCLE_L2_L2_BANK_H

#include "base/snapshot.h"
#include "cache/l2.h"
#include "cycle/noc/packet.h"
#include "cycle/util/ring.h"
#include "goldmem/mshr.h"

typedef struct gm_network gm_network;
typedef struct gm_gddr5 gm_gddr5;
typedef struct gm_dram_request gm_dram_request;

/* What all banks have in common; none of it changes. */
typedef struct gm_l2_shared {
    gm_address_map map;
    gm_set_index index;
    gm_cache_parameters cache;
    gm_mshr_parameters mshr;
    const gm_config *config; /* the caller's, who keeps it as long as this */
    gm_clock clock;
    gm_cycle latency;                        /* core cycles */
    gm_cycle atomic_interval;                /* L2 cycles */
    uint32_t queue, reply_queue, dram_queue; /* capacities */
    uint32_t queued; /* with so many in the queue, another packet is taken */
    uint32_t delay;  /* packets in it, at the most */
} gm_l2_shared;

/* A request, or its response, and the core cycle in which the bank took it. */
typedef struct gm_l2_item {
    gm_packet packet;
    gm_cycle arrived;
} gm_l2_item;

/* The line of an MSHR entry. */
typedef struct gm_l2_fill {
    uint32_t slot;   /* in the cache */
    uint32_t coming; /* sectors that are valid when all data have arrived */
    uint32_t reads;  /* DRAM reads whose data have not arrived */
} gm_l2_fill;

/* Stall reasons of the oldest packet. */
typedef enum gm_l2_fail {
    GM_L2_NO_FAIL, /* none, or it has not been looked up since something changed */
    GM_L2_FAIL_LINE,
    GM_L2_FAIL_MSHR_ENTRY,
    GM_L2_FAIL_MSHR_MERGE,
    GM_L2_FAIL_MISS_QUEUE,
    GM_L2_WAIT, /* for the atomic unit: not a fail, and not kept */
} gm_l2_fail;

/* What each visit reads is at the beginning, in few cache lines. */
typedef struct gm_l2_bank {
    const gm_l2_shared *shared;
    uint32_t number;                /* partition * banks of a partition + bank */
    uint32_t bank;                  /* in its partition */
    gm_network *requests, *replies; /* see gm_l2_bank_connect, as are: */
    gm_gddr5 *channel;
    gm_cycle *wake;
    const gm_cycle *arrival; /* of the next packet: gm_network_arrival_cell */
    const gm_cycle *data;    /* of the next data: gm_gddr5_data_cell */

    gm_ring in, out, dram; /* requests, responses, requests for DRAM */
    bool in_core_clock;
    bool pushes_ahead;     /* in the core clock, and the channel's only bank */
    gm_cycle push_from;    /* L2 cycle in which the next request may be pushed, if pushes_ahead */
    uint32_t fail;         /* gm_l2_fail of the oldest packet */
    gm_cycle failed_from;  /* L2 cycle from which its fails are not counted */
    gm_cycle look_up_from; /* L2 cycle from which it is looked up; GM_NEVER: there is none,
                              or it fails until something changes */
    /* Requests and responses stay in their items; the queues and the MSHRs have their numbers. */
    gm_l2_item *item;              /* [items] */
    uint32_t *in_item, *out_item;  /* numbers, of rings */
    gm_dram_request *dram_request; /* of a ring */
    uint32_t items;                /* all that the queues and the MSHRs can hold */
    uint32_t answering;            /* 1 + the entry whose requests are answered now; 0: none */
    uint32_t next;                 /* the next of them, an item */
    uint32_t left;                 /* behind it */

    uint32_t vacancies;
    uint32_t *vacant;     /* numbers of free items, a stack */
    gm_l2_fill *fill;     /* [l2.mshrs] */
    uint64_t held;        /* core cycles in which MSHR entries were freed, less those of taking */
    uint32_t entries;     /* of them in use */
    uint32_t partition;   /* the bank's */
    gm_cycle atomic_from; /* L2 cycle from which the atomic unit is free */
    gm_cycle requested;   /* core cycle of the last request to DRAM, for the watchdog */
    uint64_t answered;    /* responses sent */
    uint64_t fetched;     /* sectors requested of DRAM */
    gm_mshr mshr;
    gm_l2 l2;                /* tags, policy and counters */
    gm_time_statistics time; /* l2_mshr_entries; l2_mshr_cycles: see gm_l2_bank_settle */
    gm_dram past; /* takes what host copies write back, on its way to the channel's counters */
} gm_l2_bank;

/* -EINVAL names the key that is wrong. */
int gm_l2_shared_init(gm_l2_shared *shared, const gm_config *config, gm_error *error);

/* Bytes of an arena that a bank takes. */
size_t gm_l2_bank_bytes(const gm_l2_shared *shared);

/* An empty bank, `number` of all banks. -ENOMEM. */
int gm_l2_bank_init(gm_l2_bank *bank, const gm_l2_shared *shared, uint32_t number, gm_arena *arena,
                    gm_error *error);

/* After init, before use: its neighbours, which have been initialised, and its wake. They stay the
 * caller's. */
void gm_l2_bank_connect(gm_l2_bank *bank, gm_network *requests, gm_network *replies,
                        gm_gddr5 *channel, gm_cycle *wake);

/* Gives back what an unbounded cache has taken beyond the arena. */
void gm_l2_bank_free(gm_l2_bank *bank);

/* A host copy's line (byte address >> log2 of the L2 line size), between kernels: INSTALL or
 * DISCARD, at once and without time. What it writes back is counted by the channel. */
void gm_l2_bank_copy(gm_l2_bank *bank, gm_message_kind kind, uint64_t line, uint32_t sectors);

/* Does the L2 cycles of core cycle `now`, and lowers the bank's wake-up time to its next visit. */
void gm_l2_bank_step(gm_l2_bank *bank, gm_cycle now);

/* Something has changed: from L2 cycle `cycle` on the oldest packet is looked up again. Of other
 * units only tests need it, which retry in every cycle. */
void gm_l2_bank_retry(gm_l2_bank *bank, gm_cycle cycle);

/* Brings the counters of fails and of entries in use up to the beginning of core cycle `now`. */
void gm_l2_bank_settle(gm_l2_bank *bank, gm_cycle now);

/* True if the bank holds no request, no response and nothing for DRAM. */
static inline bool gm_l2_bank_idle(const gm_l2_bank *bank)
{
    return bank->in.count == 0 && bank->out.count == 0 && bank->dram.count == 0 &&
           bank->entries == 0;
}

/* At the end of a kernel: everything is empty, and counters are consistent. -EPROTO names the
 * invariant and both values; -ENOMEM: an unbounded cache could not grow. */
int gm_l2_bank_check(const gm_l2_bank *bank, gm_error *error);

/* Returns the core cycle since which the bank has its oldest request, or GM_NEVER; writes what it
 * is and where it waits to `text`. */
gm_cycle gm_l2_bank_oldest(const gm_l2_bank *bank, char *text, size_t size);

void gm_l2_bank_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot);

#endif

/* Timed L2 bank: the access rules of cache/l2_access_rules.h behind a delay and a queue, with
 * MSHRs, a queue to the DRAM channel and one to the reply network [khairy, Table 1; singh,
 * section 3.1 and Table 4].
 *
 * The delay is a pipeline: after l2.latency core cycles in the delay a packet enters the queue, if
 * the queue has room, and can be looked up. The bank takes a packet from the network while the
 * queue has four places free (a queue of fewer places: while it is empty), with any number
 * of packets in the delay, as GPGPU-Sim does. Delay and queue are one ring; its elements that are
 * old enough are the queue. With an L2 in two halves, a packet from the other half passes the link
 * of l2_halves.h first; in an L2 cycle in which one leaves it, no near packet enters the delay.
 *
 * In each L2 cycle a bank sends a response to the network, gives a request to its channel, uses its
 * tags once, and takes a packet from the network. Data that have arrived use the tags first: such a
 * cycle answers one request of a filled line. In the other cycles the oldest packet is looked up,
 * if it arrived at least l2.latency core cycles ago:
 *
 * - hit: its response goes to the reply queue;
 * - hit pending: all that the request needs is present or in flight: merges;
 * - miss: takes an MSHR entry and a way; where data of the line are in flight, merges and fetches
 *   the sectors that are not in flight (l2.sectored);
 * - fail: no way without data in flight, or no room in the MSHRs or the queues. Nothing changes,
 *   the packets behind wait, and each L2 cycle is one fail.
 *
 * With l2.answer_beside each of the three has its place in each L2 cycle, in this order: a request
 * whose data have arrived is answered, data of one read are taken, the oldest packet is looked up.
 * The requests of a line are performed when its data are taken, and answered one in a cycle.
 *
 * A request that merges is answered when all data of its line have arrived, in order. So is a
 * store that fetches; it may also be forwarded to DRAM (l2.fetch_on_write). A store that fetches
 * nothing is answered at once. A bank with a closed gate (l2.streaming) does a load or store whose
 * line it has no data of without a way: docs/streaming.md; so does one that coalesced loads bypass
 * (l2.bypass) with a read that fills an L1. Atomics and reductions are performed
 * when they are answered, at most one in l2.atomic_interval L2 cycles; this wait is not a fail.
 * With an atomic buffer (l2.atomic_buffer) one that hits in it is performed there, one in each L2
 * cycle, and so is a strong load; any other of these exchanges its line for the one in the buffer
 * when it is performed. Another request for the line in the buffer takes one L2 cycle more, in
 * which the line goes back into a way. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_H
#define GOLDMEM_CYCLE_L2_L2_BANK_H

#include "base/ring.h"
#include "base/snapshot.h"
#include "cache/l2.h"
#include "coherence/coherence.h"
#include "cycle/l2/l2_halves.h"
#include "cycle/noc/packet.h"
#include "cycle/util/access_observer.h"
#include "goldmem/mshr.h"

typedef struct gm_network gm_network;
typedef struct gm_gddr5 gm_gddr5;
typedef struct gm_tracker_outlet gm_tracker_outlet;
typedef struct gm_dram_request gm_dram_request;

/* Constants of all banks of a machine. */
typedef struct gm_l2_shared {
    gm_address_map map;
    gm_set_index index;
    gm_cache_parameters cache;
    gm_mshr_parameters mshr;
    const gm_config *config;           /* the caller's; must outlive this struct */
    const gm_coherence_ops *coherence; /* NULL: none */
    const gm_coherence_time *time;     /* the machine's; set by the engine if coherent */
    gm_clock clock;
    gm_cycle latency;         /* core cycles */
    gm_cycle atomic_interval; /* L2 cycles */
    bool atomic_sectors;      /* that for each sector */
    uint32_t port;            /* bytes of a bank's ports in an L2 cycle; 0: no limit */
    gm_response after_data;   /* response of a request that has waited for data; GM_RESPONSE_OF_L2
                                 unless latencies are counted */
    uint32_t line_sectors;    /* of a line, if MSHRs merge by sector; else 0 */
    uint32_t queue, reply_queue, dram_queue; /* capacities */
    uint32_t queued; /* most packets in the queue with which another one is taken */
    uint32_t delay;  /* most packets in the delay */
} gm_l2_shared;

/* A request, or its response, and the core cycle in which the bank took it. */
typedef struct gm_l2_item {
    gm_packet packet;
    gm_cycle arrived;
} gm_l2_item;

/* The line of an MSHR entry. */
typedef struct gm_l2_fill {
    uint32_t slot;    /* in the cache; GM_NO_SLOT: of loads that bypass the bank */
    uint32_t coming;  /* sectors that become valid when all data have arrived */
    uint32_t reads;   /* DRAM reads whose data have not arrived */
    uint32_t partial; /* lazy: of `coming`, sectors of which stores will have written only a part */
} gm_l2_fill;

/* sharing.enabled: local loads that bypass the bank and wait for DRAM. */
typedef struct gm_l2_local_reads {
    uint32_t *item;   /* [l2.dram_queue] GM_L2_NO_ITEM: the place is free */
    uint32_t *vacant; /* free places, a stack */
    uint32_t vacancies;
} gm_l2_local_reads;

#define GM_L2_NO_ITEM UINT32_MAX

/* In an element of gm_l2_bank.filled, beside the item's number. */
#define GM_L2_LAST_OF_ENTRY (UINT32_C(1) << 31)

/* What a coherence protocol keeps of the line of an MSHR entry. */
typedef struct gm_l2_kept {
    gm_coherence_kept lease;
    uint32_t write; /* 1: fetched for a store, an atomic or a reduction */
} gm_l2_kept;

/* What a round waits for. */
typedef enum gm_l2_round_kind {
    GM_L2_INVALIDATE, /* SMs drop their copies: of a write, or of an evicted line */
    /* MESI: */
    GM_L2_FORWARD_GETS, /* the owner's data, for a load */
    GM_L2_FORWARD_GETX, /* the owner's data, for a write, or of an evicted line */
    GM_L2_UNBLOCK,      /* the new owner confirms that it has the line */
} gm_l2_round_kind;

/* A round: SMs drop their copies of a line, and acknowledge it; or another of gm_l2_round_kind. */
typedef struct gm_l2_round {
    uint64_t line, in_bank;
    uint64_t to_send, due; /* SMs that have not been told, that have not acknowledged */
    uint32_t entry;      /* MSHR entry in which the write waits; UINT32_MAX: the line is evicted */
    uint32_t next, left; /* the write and how many are behind it, if the entry was being answered;
                            else UINT32_MAX, 0 */
    uint32_t what;       /* gm_l2_round_kind */
    uint32_t dirty;      /* of an evicted line: sectors with data of its owner */
    uint32_t ghost; /* 1: the entry's oldest requester has been answered, and keeps the entry */
    uint64_t unused;
} gm_l2_round;

_Static_assert(sizeof(gm_l2_round) == 64, "a line of the host's cache");

/* With a directory: a recall uses up an MSHR entry. The fields that each visit reads come first. */
typedef struct gm_l2_directory {
    const gm_cycle *arrival;      /* of the oldest acknowledgement: gm_network_arrival */
    gm_network *acknowledgements; /* gm_l2_directory_connect */
    gm_l2_round *round;           /* [l2.mshrs] */
    uint64_t answered;            /* responses that were sent until the last visit */
    uint32_t port;                /* of invalidations, in the network of replies */
    uint32_t unsent;              /* rounds with SMs that have not been told */
    uint32_t complete;            /* rounds in which all SMs have acknowledged */
    uint32_t rounds, recalls;     /* in use; of these, of evicted lines */
    uint32_t sending;             /* the round whose messages are sent */
    uint64_t others;              /* of the write that has just been looked up */
    uint64_t *used;               /* [words] bit sets of rounds, one after another: in use; */
    uint64_t *recalled;           /* of evicted lines; */
    uint64_t *ended;              /* `complete`; */
    uint64_t *to_send;            /* `unsent` */
    uint32_t words;               /* of each set */
} gm_l2_directory;

/* Under a coherence protocol, beside the bank's other state. */
typedef struct gm_l2_coherent {
    gm_l2_directory *directory; /* NULL: the protocol has none */
    gm_l2_kept *kept;           /* [l2.mshrs] */
    bool arrived;               /* the protocol knows of the oldest packet */
    bool full;    /* MESI: the oldest packet hits a line, and failed for lack of reply queue room */
    bool resumes; /* MESI: the next request of the entry that is answered is a GETS for which the
                     owner has given its data */
    gm_coherence_l2 protocol;
    /* Called for a write that drops the copies of all SMs but `sm`; set by the engine. */
    void (*drop_copies)(void *context, uint32_t sm, uint64_t line);
    void *context;
} gm_l2_coherent;

/* Stall reasons of the oldest packet. */
typedef enum gm_l2_fail {
    GM_L2_NO_FAIL, /* no fail, or not looked up since something changed */
    GM_L2_FAIL_LINE,
    GM_L2_FAIL_MSHR_ENTRY,
    GM_L2_FAIL_MSHR_MERGE,
    GM_L2_FAIL_MISS_QUEUE,
    GM_L2_FAIL_LEASE, /* a write waits until no L1 may use a copy */
    GM_L2_WAIT,       /* waits for the atomic unit: not a fail, not kept in gm_l2_bank.fail */
} gm_l2_fail;

/* The fields that each visit reads come first, in few cache lines. */
typedef struct gm_l2_bank {
    const gm_l2_shared *shared;
    gm_network *requests, *replies; /* set by gm_l2_bank_connect, as are the four below */
    gm_gddr5 *channel;
    gm_cycle *wake;
    const gm_cycle *arrival;  /* of the next packet: gm_network_arrival_cell */
    const gm_cycle *data;     /* of the next data: gm_gddr5_data_cell */
    gm_l2_coherent *coherent; /* NULL: no protocol */

    gm_ring in, out, dram; /* requests, responses, requests for DRAM */
    gm_l2_far *far;        /* the link from the other half of the SMs; NULL: none */
    gm_cycle soonest;      /* with a clock of its own: core cycle of the next L2 cycle, of which */
    gm_cycle cycle;        /* this is the first after the last visit */
    gm_cycle look_up_from; /* L2 cycle from which the oldest packet is looked up; GM_NEVER: there is
                              none, or it fails until something changes */
    gm_cycle push_from;    /* L2 cycle in which the next request may be pushed, if pushes_ahead */
    gm_cycle fill_from;    /* L2 cycle from which the port for data from DRAM is free; 0 without */
    uint32_t number;       /* partition * banks of a partition + bank */
    bool in_core_clock;
    bool bypassable;       /* packets may bypass it: l2.streaming, l2.bypass */
    bool owns;             /* MESI, not special: gm_l2_mesi_look_up_oldest may be called */
    bool special;          /* bypassable, with an atomic buffer, sharing-aware or observed */
    bool pushes_ahead;     /* in the core's clock, and the channel's only bank: fetches push a cycle
                              early */
    uint32_t fail;         /* gm_l2_fail of the oldest packet */
    uint32_t answering;    /* 1 + the entry whose requests are answered now; 0: none */
    uint64_t answered;     /* responses sent */
    uint32_t *filled_item; /* l2.answer_beside: elements of the ring `filled`; else NULL */
    /* Requests and responses stay in their items; the queues and the MSHRs hold item numbers. */
    gm_l2_item *item;             /* [items] */
    uint32_t *in_item, *out_item; /* item numbers, elements of the rings `in` and `out` */
    gm_cycle *in_arrived;         /* when the elements of `in` arrived; not saved: the items' */
    gm_tracker_outlet *tracker; /* packets come from it, not from the network; NULL: no trackers */
    gm_dram_request *dram_request; /* elements of the ring `dram` */
    gm_cycle failed_from; /* L2 cycle from which the oldest packet's fails are not yet counted */
    gm_cycle port_from;   /* L2 cycle from which the port for look-ups is free; 0 without one */
    gm_cycle retry_from;  /* of a look-up that fails: L2 cycle in which it is done again even if
                             nothing has changed; GM_NEVER without a coherence protocol */
    uint32_t usual_kind; /* messages that are looked up in line: READ without protocol, values, lazy
                            fetches, bypassing and merging by sector; else none, GM_MESSAGE_KINDS */
    uint32_t items;      /* as many as the queues and the MSHRs can hold */
    uint32_t next;       /* item of the next request of the entry being answered */
    uint32_t left;       /* requests of that entry behind `next` */

    uint32_t vacancies;
    uint32_t *vacant; /* numbers of free items, a stack */
    gm_l2_fill *fill; /* [l2.mshrs] */
    uint64_t held; /* sum of the core cycles in which MSHR entries were freed, less the sum of those
                      in which they were taken */
    uint32_t entries;     /* MSHR entries in use */
    uint32_t bypassing;   /* of these, those without a slot that wait for data: l2.streaming,
                             l2.bypass */
    uint32_t partition;   /* partition of the bank */
    uint32_t bank;        /* in its partition */
    gm_cycle atomic_from; /* L2 cycle from which the atomic unit is free */
    gm_cycle answer_from; /* L2 cycle from which the next request of a filled line can be answered;
                             0 without a protocol */
    gm_cycle requested;   /* core cycle of the last request to DRAM, for the watchdog */
    uint64_t fetched;     /* sectors requested from DRAM */
    gm_ring filled; /* l2.answer_beside: requests whose data have arrived, not yet answered; the
                       last of an MSHR entry has GM_L2_LAST_OF_ENTRY set */
    gm_mshr mshr;
    gm_l2 l2;                           /* tags, policy and counters */
    gm_l2_local_reads *local_reads;     /* sharing.enabled; else NULL */
    const gm_access_observer *observer; /* with analyses, else NULL */
    gm_time_statistics time;            /* l2_mshr_entries, l2_near, l2_far; l2_mshr_cycles: see
                                           gm_l2_bank_settle */
    gm_dram
        past; /* counts the write-backs of a host copy, until the channel's counters take them */
} gm_l2_bank;

/* Lets the host fetch the oldest request and the next response of a bank that is visited soon. */
static inline void gm_l2_bank_prefetch(const gm_l2_bank *bank)
{
    gm_prefetch(&bank->item[bank->in_item[gm_ring_first(&bank->in)]]);
    gm_prefetch(&bank->item[bank->out_item[gm_ring_first(&bank->out)]]);
    if (bank->coherent != NULL) {
        gm_prefetch(bank->coherent->directory);
    }
}

/* Computes the constants of a configuration. Returns 0, or -EINVAL, which names the wrong key. */
int gm_l2_shared_init(gm_l2_shared *shared, const gm_config *config, gm_error *error);

/* Bytes of an arena that a bank takes. */
size_t gm_l2_bank_bytes(const gm_l2_shared *shared);

/* Makes an empty bank; `number` counts all banks of the machine. Returns 0 or -ENOMEM. */
int gm_l2_bank_init(gm_l2_bank *bank, const gm_l2_shared *shared, uint32_t number, gm_arena *arena,
                    gm_error *error);

/* Sets the bank's neighbours and its wake-up time, which the caller keeps. Requires init of the
 * bank and of the neighbours. */
void gm_l2_bank_connect(gm_l2_bank *bank, gm_network *requests, gm_network *replies,
                        gm_gddr5 *channel, gm_cycle *wake);

/* Puts a tracker bank, which the caller keeps, in front of the bank. Requires gm_l2_bank_connect.
 */
void gm_l2_bank_connect_tracker(gm_l2_bank *bank, gm_tracker_outlet *tracker);

/* Gives the bank's requests values from now on. */
void gm_l2_bank_keep_values(gm_l2_bank *bank, struct gm_values *values);

/* Tells an observer of the bank's accesses and fills from now on. */
void gm_l2_bank_tell_accesses(gm_l2_bank *bank, const gm_access_observer *observer);

/* Frees the memory that an unbounded cache has beside the arena. */
void gm_l2_bank_free(gm_l2_bank *bank);

/* Installs or discards (`kind`) a line for a host copy, between kernels and without time. `line`:
 * byte address >> log2 of the L2 line size. The channel counts what is written back. */
void gm_l2_bank_copy(gm_l2_bank *bank, gm_message_kind kind, uint64_t line, uint32_t sectors,
                     gm_cycle now);

/* Does a message at once and without counting it: afterwards the line is in the bank, as new and as
 * dirty as the message makes it. Leaves a line whose data are in flight, and a set in which all
 * lines wait. Requires a bank without protocol, trackers, gate, atomic buffer, values and
 * bypassing.
 */
void gm_l2_bank_warm(gm_l2_bank *bank, gm_location at, const gm_message *message);

/* Ends a kernel: the line in the atomic buffer goes back into the L2, without time. Requires that
 * no data are in flight. The channel counts what is written back. */
void gm_l2_bank_end_kernel(gm_l2_bank *bank);

/* Begins an epoch of a coherence protocol with leases. */
void gm_l2_bank_roll_over(gm_l2_bank *bank);

/* True if the bank waits for a lease to pass, which it will. */
static inline bool gm_l2_bank_waits_for_time(const gm_l2_bank *bank, gm_cycle now)
{
    return bank->coherent != NULL &&
           ((bank->fail != GM_L2_NO_FAIL && bank->retry_from != GM_NEVER) ||
            (bank->answering != 0 && bank->answer_from > gm_clock_first(bank->shared->clock, now)));
}

/* Computes the L2 cycles of core cycle `now`, and lowers the bank's wake-up time to its next visit.
 */
void gm_l2_bank_step(gm_l2_bank *bank, gm_cycle now);

/* Foresight of the visit of cycle `now`, in steps (base/foresight.h): the oldest elements of the
 * bank's queues and the places behind the newest; the chain and bucket of the packet that is looked
 * up; its way and its MSHR entry. */
void gm_l2_bank_foresee_heads(const gm_l2_bank *bank, gm_cycle now);
void gm_l2_bank_foresee_places(const gm_l2_bank *bank, gm_cycle now);
void gm_l2_bank_foresee_state(const gm_l2_bank *bank, gm_cycle now);

/* Lets the oldest packet be looked up again from L2 cycle `cycle` on. Public for tests that retry
 * in every cycle. */
void gm_l2_bank_retry(gm_l2_bank *bank, gm_cycle cycle);

/* Brings the counters of fails and of entries in use up to the beginning of core cycle `now`. */
void gm_l2_bank_settle(gm_l2_bank *bank, gm_cycle now);

/* True if the bank holds no request, no response and nothing for DRAM. */
static inline bool gm_l2_bank_idle(const gm_l2_bank *bank)
{
    return gm_ring_is_empty(&bank->in) && gm_ring_is_empty(&bank->out) &&
           gm_ring_is_empty(&bank->dram) && bank->entries == 0 &&
           (bank->far == NULL || gm_ring_is_empty(&bank->far->ring)) &&
           (bank->coherent == NULL || bank->coherent->directory == NULL ||
            bank->coherent->directory->rounds == 0);
}

/* Sets the network by which acknowledgements come to a bank with a directory. */
void gm_l2_directory_connect(gm_l2_bank *bank, gm_network *acknowledgements);

/* Checks, at the end of a kernel, that the bank is empty and its counters are consistent. Returns
 * 0, -EPROTO (names the invariant and both values) or -ENOMEM (an unbounded cache could not grow).
 */
int gm_l2_bank_check(const gm_l2_bank *bank, gm_error *error);

/* Returns the core cycle in which the bank took its oldest request, and writes into `text` what the
 * request is and where it waits; GM_NEVER: there is none. */
gm_cycle gm_l2_bank_oldest(const gm_l2_bank *bank, char *text, size_t size);

/* l2_bank_sharing.c, private to the bank: what a sharing-aware bank has beside the others. Bytes of
 * an arena; makes it, returns 0 or -ENOMEM; the oldest local load that waits for DRAM, or NULL;
 * checks it at the end of a kernel, returns 0 or -EPROTO; saves or loads it. */
size_t gm_l2_bank_sharing_bytes(const gm_l2_shared *shared);
int gm_l2_bank_sharing_init(gm_l2_bank *bank, gm_arena *arena, gm_error *error);
const gm_l2_item *gm_l2_bank_oldest_local(const gm_l2_bank *bank);
int gm_l2_bank_sharing_check(const gm_l2_bank *bank, const char *name, gm_error *error);
void gm_l2_bank_sharing_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot);

/* Saves or loads the bank's state. */
void gm_l2_bank_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot);

#endif

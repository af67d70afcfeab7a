/* L1 data cache of an SM in the timed engine: tags, MSHRs with merging [khairy, 3.1; li, 2.2], and
 * a miss queue in front of the interconnect. A request gets all that it needs in one cycle, or it
 * stalls and nothing changes. docs/l1d.md has the rules. */
#ifndef GOLDMEM_CYCLE_L1_L1_H
#define GOLDMEM_CYCLE_L1_L1_H

#include "cache/address_map.h"
#include "cache/cache.h"
#include "cache/decoupled_l1.h"
#include "cache/l1_policy.h"
#include "coherence/coherence.h"
#include "cycle/noc/credit_wire.h"
#include "cycle/noc/network.h"
#include "cycle/util/access_observer.h"
#include "cycle/util/pc_counts.h"
#include "cycle/util/request_latency.h"
#include "frontend/coalescer.h"
#include "frontend/warp_record.h"
#include "goldmem/mshr.h"
#include "policy/bypass.h"
#include "policy/ccws.h"

enum {
    GM_TICKETS = 2048,       /* tickets of an SM: 0 to 2047 */
    GM_BYPASSED_LOADS = 1024 /* most loads of an SM in flight that bypass its L1 */
};

_Static_assert((int)GM_TICKETS == (int)GM_LATENCY_TICKETS &&
                   (int)GM_TICKETS == (int)GM_PC_TICKETS &&
                   (int)GM_BYPASSED_LOADS == (int)GM_LATENCY_BYPASSED,
               "latencies are kept of each");

#define GM_NO_TICKET UINT32_MAX
#define GM_NO_ENTRY  GM_MSHR_ENTRIES

/* What decides on an access. */
typedef enum gm_cycle_l1_path {
    GM_CYCLE_L1_DIRECT,   /* the access rules */
    GM_CYCLE_L1_POLICY,   /* the policy l1.bypass first, also on those that stall */
    GM_CYCLE_L1_COHERENT, /* a coherence protocol */
    GM_CYCLE_L1_GATED,    /* the gate of streaming bypass first (l1.streaming) */
} gm_cycle_l1_path;

/* Constants and neighbours of all L1s of a machine. */
typedef struct gm_cycle_l1_shared {
    const gm_config *config; /* the caller's; must outlive this struct */
    gm_cycle_l1_path path;
    const gm_coherence_ops *coherence; /* NULL: none */
    gm_coherence_time *time;           /* the machine's; set by the engine if coherent */
    gm_l1_policy policy;
    gm_bypass_shared bypass;
    gm_cache_parameters cache;
    gm_set_index index;
    bool decoupled; /* l1.kind=decoupled: `tags` is used in place of `cache` */
    gm_tag_store_parameters tags;
    gm_mshr_parameters mshr;
    gm_address_map map;
    gm_network *requests, *replies;
    gm_network *acknowledgements; /* with a directory; set by the engine */
    gm_network *peers;            /* with sharing trackers, as `credits`; set by the engine */
    gm_credit_wire *credits;      /* [partitions] to each tracker bank */
    gm_cycle *port_wake;          /* [SMs] wake-up times of the ports of `peers` */
    uint32_t banks;               /* L2 banks of a partition */
    unsigned l1_sector_bits;      /* log2 of the sectors of an L1 line */
    unsigned l2_sector_bits;
    uint32_t parts;        /* L2 lines of an L1 line */
    uint32_t miss_queue;   /* l1.miss_queue: places for packets of requests */
    uint32_t bypass_queue; /* l1.bypass_queue: places for bypassed reads */
    unsigned mshr_shift;   /* by_sector: log2 of the sectors of a line; else 0 */
    bool by_sector;        /* l1.merge_by: an MSHR entry is for a sector (l1_sector.h) */
    bool whole_answers;    /* l1.answers=request: a cycle answers a request, not a sector of it */
    bool on_fill;          /* a load miss gets its way when the data arrive; streaming: see
                              gm_cycle_l1_share */
    bool may_fill;         /* some kernel may have on_fill */
    bool marks_strong;     /* l2.atomic_buffer: READs of strong loads are marked */
    bool notes_issue; /* a profile, or warp[] of an L1, notes each instruction when it issues */
    bool notes_warps; /* L1s know the warp of each ticket */
} gm_cycle_l1_shared;

/* The L1's state of an MSHR entry. */
typedef struct gm_cycle_l1_entry {
    gm_cycle since;   /* core cycle in which it was taken */
    uint32_t slot;    /* slot of the line that waits; GM_NO_SLOT: none */
    uint32_t sectors; /* sectors that become valid when the data arrive */
    uint32_t dirty;   /* sectors of these that waiting stores have written */
    uint32_t packets; /* still to come */
    uint32_t kind;    /* gm_access_kind of the first requester */
    uint32_t fill;    /* decoupled, 1: the entry of a MISS whose FILL is still due; sharing-aware:
                         of l1_sharing.h */
} gm_cycle_l1_entry;

/* by_sector, beside an MSHR entry: the entries of a packet form a ring. */
typedef struct gm_cycle_l1_link {
    uint32_t owner; /* the entry that the packet's id names, answered last */
    uint32_t next;
} gm_cycle_l1_link;

/* by_sector: a request that waits in several MSHR entries. */
typedef struct gm_cycle_l1_split {
    uint64_t requester; /* its word, were it in one entry */
    uint32_t left;      /* entries that have not answered it */
    uint32_t level;     /* of the answers so far: gm_latency_source; only with latencies */
} gm_cycle_l1_split;

/* A load in flight that bypasses the L1. */
typedef struct gm_cycle_l1_bypassed {
    gm_cycle began;
    uint32_t ticket;
    uint32_t packets; /* still to come; 0: the place is free */
    uint64_t line;
} gm_cycle_l1_bypassed;

/* Under a coherence protocol, beside the L1's other state. A slot is busy, and no victim, while
 * data for it or answers of its line's upgrades are due. */
typedef struct gm_cycle_l1_coherent {
    uint8_t *waiting; /* MESI: [GM_TICKETS] gm_request_kind of what waits in an MSHR entry; else
                         NULL */
    uint8_t *busy;    /* [slots] fills and answers of upgrades that are due */
    gm_coherence_l1 protocol;
    gm_coherence_message data; /* of the entry that is being answered */
    uint32_t timely; /* of its requesters, those that are still answered with these data */
    /* coherence.merge=lease; else NULL: */
    uint32_t *joined; /* [entries * merges] time at which each requester joined */
    uint8_t *epoch;   /* [entries] parity of the epoch of these times */
} gm_cycle_l1_coherent;

/* The fields that every step reads come first. */
typedef struct gm_cycle_l1 {
    const gm_cycle_l1_shared *shared;
    uint32_t number;    /* of the SM */
    uint32_t answering; /* the entry whose requesters are being answered, or GM_NO_ENTRY */
    /* Miss queue: */
    gm_packet *packet; /* elements of `queue` */
    gm_ring queue;
    uint32_t from_fills;  /* packets of `queue`: write-backs or EVICTs of fills' victims; FILLs */
    uint32_t from_bypass; /* packets of `queue`: reads of gm_cycle_l1_bypass */
    uint32_t from_fetch;  /* packets of `queue`: gm_cycle_l1_fetch, RETURN */
    uint32_t fetched; /* 1 + the number of the fetch whose answer came in the last step; 0: none */
    uint32_t write_backs; /* sent and not yet acknowledged */
    gm_cycle sent_at;     /* core cycle in which a packet was last sent */
    bool flushing;        /* at the end of a kernel, from slot `flushed` on */
    bool special; /* coherent, by_sector, gated, tracked, sharing-aware, with values or latencies:
                     replies do more */
    uint32_t load_places; /* l1.load_places */
    bool usual;           /* gm_cycle_l1_load_usual may be called: see gm_cycle_l1_init */
    bool owns;            /* gm_cycle_l1_load_owned may be called: MESI, no values */
    uint32_t flushed;
    uint32_t entries;               /* MSHR entries in use */
    uint32_t bypassed_free;         /* free places of `bypassed` */
    gm_cycle_l1_entry *entry;       /* [MSHR entries] */
    gm_cycle_l1_link *link;         /* by_sector: [MSHR entries]; else NULL */
    gm_cycle_l1_split *split;       /* by_sector; else NULL */
    uint32_t *free_split;           /* places of `split`; those in use come first */
    uint32_t splits;                /* in use */
    gm_decoupled_l1 *decoupled;     /* used in place of `cache`; NULL: conventional */
    gm_cycle_l1_coherent *coherent; /* NULL: no protocol */
    uint16_t *warp; /* notes_warps: [GM_TICKETS] slot of the instruction's warp; else NULL */
    gm_ccws *ccws;  /* with sm.throttle=ccws, else NULL; then the L1 is not `usual` */
    struct gm_streaming *streaming;      /* l1.streaming; else NULL */
    struct gm_cycle_l1_tracked *tracked; /* with sharing trackers, else NULL; then the L1 is not
                                            `usual` */
    struct gm_values *values;  /* of --check=values, or NULL; then the L1 is not `usual` */
    gm_cycle_latency *latency; /* with latency histograms, else NULL; then the L1 is `special` */
    gm_pc_flight *pcs;         /* with counts by instruction, else NULL */
    const gm_access_observer *observer;    /* with analyses, else NULL; then the L1 is `special` */
    bool counted;                          /* has `pcs` or an observer */
    struct gm_l1_parts *parts;             /* l1.parts; else NULL */
    struct gm_cycle_l1_arrivals *arrivals; /* sm.write_port; else NULL */
    struct gm_byte_masks *masks;           /* of line requests, gm_config_sends_bytes; else NULL */
    gm_cache cache;
    gm_mshr mshr;
    gm_bypass_policy bypass;
    gm_cycle_l1_bypassed *bypassed; /* [GM_BYPASSED_LOADS] */
    uint16_t *free_bypassed;        /* [GM_BYPASSED_LOADS] a stack of free places */
    /* l1.fence_drops: requests that had used the tags at the last drop, and before the last cycle
     * with requests, which is uses_noted */
    uint64_t uses_dropped, uses_before;
    gm_cycle uses_noted;
    gm_cache_statistics statistics;
    gm_time_statistics time; /* loads, load_cycles, l1_mshr_cycles, l1_mshr_entries */
    gm_message_counts sent;
    uint64_t bypassed_sectors; /* of loads that bypass */
    uint64_t dirtied;          /* sectors that became dirty since init */
    uint64_t dirty_sectors;    /* sectors dirty now */
    uint64_t closed;           /* conventional: lines that were closed before they became valid */
} gm_cycle_l1;

/* A line request. `line`, `kind` and `ticket` are equal in all attempts of a request. */
typedef struct gm_cycle_l1_request {
    const gm_line_request *line;
    gm_request_kind kind;
    uint32_t ticket;
    gm_cycle began; /* cycle in which the request left the coalescer, or became its oldest */
    bool again;     /* not the first attempt */
} gm_cycle_l1_request;

/* Result of an attempt. */
typedef enum gm_cycle_l1_answer {
    GM_CYCLE_L1_HIT,   /* done l1.latency later */
    GM_CYCLE_L1_TAKEN, /* gm_cycle_l1_reply answers it later */
    /* Reservation fails: nothing has changed. */
    GM_CYCLE_L1_FAIL_LINE,
    GM_CYCLE_L1_FAIL_MSHR_ENTRY,
    GM_CYCLE_L1_FAIL_MSHR_MERGE,
    GM_CYCLE_L1_FAIL_MISS_QUEUE,
    GM_CYCLE_L1_FAIL_BYPASS_QUEUE,
} gm_cycle_l1_answer;

/* Masks of the stall reasons that may be gone when something is freed. A free MSHR entry also frees
 * a place for the write-back of a fill's victim. A free line changes the victim; a clean one needs
 * fewer packets. */
enum {
    GM_CYCLE_L1_FREED_ENTRY = 1 << GM_CYCLE_L1_FAIL_MSHR_ENTRY,
    GM_CYCLE_L1_FREED_QUEUE = 1 << GM_CYCLE_L1_FAIL_MISS_QUEUE,
    GM_CYCLE_L1_FREED_BYPASS = 1 << GM_CYCLE_L1_FAIL_BYPASS_QUEUE,
    GM_CYCLE_L1_FREED_LINE = 1 << GM_CYCLE_L1_FAIL_LINE | 1 << GM_CYCLE_L1_FAIL_MSHR_MERGE,
};

/* Computes the constants of a configuration, which must outlive them. The networks, and `time` of a
 * coherent L1, may be NULL and set later, before the first step. Returns 0, -EINVAL, or what
 * gm_bypass_shared_init returns. The caller calls gm_bypass_shared_free of shared->bypass in any
 * case. */
int gm_cycle_l1_shared_init(gm_cycle_l1_shared *shared, const gm_config *config,
                            gm_network *requests, gm_network *replies, gm_error *error);

/* Returns the bytes of arena that gm_cycle_l1_init takes. */
size_t gm_cycle_l1_bytes(const gm_cycle_l1_shared *shared);

/* Makes the empty L1 of SM `number`. Returns 0, -EINVAL or -ENOMEM. gm_cycle_l1_free frees the
 * memory that an unbounded cache has beside the arena. */
int gm_cycle_l1_init(gm_cycle_l1 *l1, const gm_cycle_l1_shared *shared, uint32_t number,
                     gm_arena *arena, gm_error *error);
void gm_cycle_l1_free(gm_cycle_l1 *l1);

/* Sets the allocation of all L1s for a kernel, of which gm_cycle_l1_resize is told next. */
static inline void gm_cycle_l1_share(gm_cycle_l1_shared *shared, bool on_fill)
{
    shared->on_fill = on_fill;
}

/* Gives the L1 `ways` for a kernel (l1.unified). Requires an L1 without requests, and if the number
 * changes one without lines. */
void gm_cycle_l1_resize(gm_cycle_l1 *l1, uint32_t ways);

/* Gives the L1's requests values from now on. */
void gm_cycle_l1_keep_values(gm_cycle_l1 *l1, struct gm_values *values);

/* Counts the latencies of the L1's requests from now on. */
void gm_cycle_l1_keep_latency(gm_cycle_l1 *l1, gm_cycle_latency *latency);

/* Counts the L1's requests by instruction from now on. */
void gm_cycle_l1_keep_pcs(gm_cycle_l1 *l1, gm_pc_flight *pcs);

/* Tells an observer of the L1's accesses, fills and flushes from now on. */
void gm_cycle_l1_tell_accesses(gm_cycle_l1 *l1, const gm_access_observer *observer);

/* Returns the ticket of the instruction for which the L1 has sent a request of this id; of a fetch
 * the oldest one that waits for it. Requires that it is in flight, and no write-back or fetch of
 * instructions. */
uint32_t gm_cycle_l1_ticket_of(const gm_cycle_l1 *l1, uint32_t id);

/* With gm_config_sends_bytes: keeps the bytes that a line request writes, of each sector of its
 * line. Returns the number that the request carries (gm_line_request.masks); 0 on lack of memory,
 * of which gm_cycle_l1_lacks_masks tells. */
uint32_t gm_cycle_l1_keep_masks(gm_cycle_l1 *l1, const uint32_t *mask);
bool gm_cycle_l1_lacks_masks(const gm_cycle_l1 *l1);

/* Returns the sectors of a line that the L1 holds; changes nothing. */
uint32_t gm_cycle_l1_held(gm_cycle_l1 *l1, uint64_t line);

/* Attempts a request in core cycle `now`. If it returns TAKEN, *answers is the number of times that
 * the request's ticket will be answered. */
gm_cycle_l1_answer gm_cycle_l1_access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      gm_cycle now, uint32_t *answers);

/* Attempts a load. Requires a `usual` L1. If it returns TAKEN, the ticket will be answered once. */
gm_cycle_l1_answer gm_cycle_l1_load_usual(gm_cycle_l1 *l1, const gm_line_request *line,
                                          uint32_t ticket, gm_cycle began, gm_cycle now);

/* As gm_cycle_l1_load_usual of an L1 that `owns` lines. */
gm_cycle_l1_answer gm_cycle_l1_load_owned(gm_cycle_l1 *l1, const gm_line_request *line,
                                          uint32_t ticket, gm_cycle began, gm_cycle now);

/* The bypass path [li, figure 1, 6.1]: reads whose data the L1 does not keep bypass lines, MSHRs
 * and miss queue. They leave in one order with the misses, but have places of their own
 * (l1.bypass_queue). Their data go to the registers (Fill Path 2). */

/* True if there is room for a read of that many packets. */
bool gm_cycle_l1_can_bypass(const gm_cycle_l1 *l1, uint32_t packets);

/* Counts a load and sends it by the bypass path. Requires that none of its sectors is dirty, or
 * written by a store in flight. Returns TAKEN (and *answers is 1) or FAIL_BYPASS_QUEUE. */
gm_cycle_l1_answer gm_cycle_l1_bypass(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      uint32_t *answers);

/* Makes a packet for an L2 line. `whole`: of a READ gm_packet.fills. Writes each field where it
 * stays: a packet that is copied at once is read in larger pieces than it was written in, for which
 * the host waits until they are in its cache. */
static inline void gm_cycle_l1_make_packet(const gm_cycle_l1 *l1, gm_packet *packet,
                                           gm_message_kind kind, uint64_t l2_line, uint32_t sectors,
                                           uint32_t whole, uint32_t id)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    gm_location location = gm_address_map_locate(&shared->map, l2_line);
    packet->line = l2_line;
    packet->in_bank = location.line;
    packet->sectors = sectors;
    packet->whole = whole;
    packet->id = id;
    packet->sm = (uint16_t)l1->number;
    packet->bank = (uint16_t)(location.partition * shared->banks + location.bank);
    packet->kind = (uint8_t)kind;
    packet->response = GM_NO_RESPONSE;
    packet->flags = 0;
    packet->class = 0;
    packet->timestamp = 0;
}

/* Counts a packet that the L1 sends: what puts one into the miss queue, or sends it without. */
static inline void gm_cycle_l1_count_sent(gm_cycle_l1 *l1, const gm_packet *packet)
{
    l1->sent.messages[packet->kind]++;
    l1->sent.sectors[packet->kind] += gm_count_ones(packet->sectors);
}

/* Marks a strong load's READ that the L1 sends, and counts it. */
static inline void gm_cycle_l1_mark_strong(gm_cycle_l1 *l1, gm_packet *packet)
{
    if (l1->shared->marks_strong) {
        packet->flags |= GM_PACKET_STRONG;
        l1->sent.strong++;
        l1->sent.strong_sectors += gm_count_ones(packet->sectors);
    }
}

/* Sends a read of sectors of an L2 line that holds instructions, in one order with the misses but
 * with places of its own; with arrivals it leaves in this cycle if the interconnect takes it. Its
 * answer sets l1->fetched. Requires at most l1i.mshrs lines in flight, and number < 2^29. */
void gm_cycle_l1_fetch(gm_cycle_l1 *l1, uint64_t l2_line, uint32_t sectors, uint32_t number,
                       gm_cycle now);

/* Counts `cycles` reservation fails of a request of that kind. */
void gm_cycle_l1_count_fails(gm_cache_statistics *statistics, gm_cycle_l1_answer reason,
                             gm_request_kind kind, uint64_t cycles);

/* Computes one cycle of the reply port, or with sharing trackers of it and that of the network of
 * peers, of which one brings data in a cycle: takes one packet, or answers the next requester of
 * the entry whose data have arrived. Sets *ticket to the answered ticket, or GM_NO_TICKET. Returns
 * a mask of the stall reasons (gm_cycle_l1_answer) that may be gone. gm_cycle_l1_send, too, may end
 * GM_CYCLE_L1_FAIL_MISS_QUEUE and GM_CYCLE_L1_FAIL_BYPASS_QUEUE. */
uint32_t gm_cycle_l1_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket);

/* With sm.write_port, in place of gm_cycle_l1_reply: what a packet has arrived for. */
typedef enum gm_cycle_l1_arrived {
    GM_ARRIVED_NOTHING, /* that a ticket waits for */
    GM_ARRIVED_ACK,     /* of a store: *ticket is answered */
    GM_ARRIVED_DATA,    /* that bypass the L1, for *ticket */
} gm_cycle_l1_arrived;

/* Takes the packet at the reply port, if there is one; one with data that bypass the L1 not if
 * `full`. Adds the stall reasons that may be gone to *gone. */
gm_cycle_l1_arrived gm_cycle_l1_arrive(gm_cycle_l1 *l1, gm_cycle now, bool full, uint32_t *ticket,
                                       uint32_t *gone);

/* True if a requester waits whose data have arrived. */
bool gm_cycle_l1_has_arrival(const gm_cycle_l1 *l1);

/* Takes the next requester whose data have arrived; it writes its registers in the next cycle.
 * Returns its ticket, and adds the stall reasons that may be gone to *gone. Requires one. */
uint32_t gm_cycle_l1_take_arrival(gm_cycle_l1 *l1, gm_cycle now, uint32_t *gone);

/* Returns the first core cycle in which a packet is at the reply port; GM_NEVER: none is in front
 * of the SM. */
static inline gm_cycle gm_cycle_l1_next_arrival(const gm_cycle_l1 *l1)
{
    return gm_network_arrival(l1->shared->replies, l1->number);
}

/* With sharing trackers: the port of the network of peers, which the engine visits before the SM in
 * a core cycle. Sends data that can leave for another L1. Returns the next cycle in which the port
 * has work without an event from the network; GM_NEVER: there is none. */
gm_cycle gm_cycle_l1_step_port(gm_cycle_l1 *l1, gm_cycle now);

/* With sharing trackers: true if data from another L1 are at the port. */
bool gm_cycle_l1_has_supply(const gm_cycle_l1 *l1, gm_cycle now);

/* With sharing trackers: returns what the L1 counts for them, else NULL. */
const gm_tracker_statistics *gm_cycle_l1_tracked_counts(const gm_cycle_l1 *l1);

/* True if the reply port, or that of the network of peers, may have something to do. */
static inline bool gm_cycle_l1_has_reply(const gm_cycle_l1 *l1, gm_cycle now)
{
    return l1->answering != GM_NO_ENTRY || gm_cycle_l1_next_arrival(l1) <= now ||
           (l1->tracked != NULL && gm_cycle_l1_has_supply(l1, now));
}

/* Returns the number by which the L1 sends a packet of its queue. */
static inline uint32_t gm_cycle_l1_port(const gm_cycle_l1 *l1, const gm_packet *packet)
{
    const gm_network *requests = l1->shared->requests;
    const gm_network_parameters *p = &requests->parameters;
    uint32_t first = p->classes == GM_NETWORK_CLASSES ? GM_CLASS_WRITE_BACK * p->inputs : 0;
    return l1->number +
           first * (packet->kind == GM_MESSAGE_WRITE_BACK); /* half of them: a branch
                                                             would be hard to predict */
}

/* Foresight of the step of cycle `now` (base/foresight.h). Of the networks' ports, in steps: the
 * oldest packets; the MSHR entry that the reply names, which is returned, or GM_NO_ENTRY; what that
 * names. Of a request that will be attempted: its chain and bucket; its way, or if the L1 seems to
 * lack the line, when false is returned, the victim and the MSHR entry; the chain of the victim's
 * line. */
void gm_cycle_l1_foresee_heads(const gm_cycle_l1 *l1, gm_cycle now);
uint32_t gm_cycle_l1_foresee_entry(const gm_cycle_l1 *l1, gm_cycle now);
void gm_cycle_l1_foresee_fill(const gm_cycle_l1 *l1, uint32_t entry);
void gm_cycle_l1_foresee_chains(const gm_cycle_l1 *l1, const gm_line_request *request);
bool gm_cycle_l1_foresee_way(const gm_cycle_l1 *l1, const gm_line_request *request);
void gm_cycle_l1_foresee_victim(const gm_cycle_l1 *l1, const gm_line_request *request);

/* True if there is a packet to send that the interconnect does not refuse. */
static inline bool gm_cycle_l1_may_send(const gm_cycle_l1 *l1)
{
    return !gm_ring_is_empty(&l1->queue) &&
           !gm_network_refuses(l1->shared->requests,
                               gm_cycle_l1_port(l1, &l1->packet[gm_ring_first(&l1->queue)]));
}

/* True if a packet has arrived, or the interconnect has room for the next one. */
static inline bool gm_cycle_l1_is_called(const gm_cycle_l1 *l1, gm_cycle now)
{
    return gm_cycle_l1_next_arrival(l1) <= now || gm_cycle_l1_may_send(l1);
}

/* Notes the warp of a ticket that is issued, if the L1 notes warps. */
static inline void gm_cycle_l1_note_warp(gm_cycle_l1 *l1, uint32_t ticket, uint32_t warp)
{
    if (l1->warp != NULL) {
        l1->warp[ticket] = (uint16_t)warp;
    }
}

/* Under a protocol with leases: returns what a fence of the warps `first` to `last` waits for; does
 * what a fence does to the L1 when it completes. */
gm_coherence_wait gm_cycle_l1_fence(gm_cycle_l1 *l1, uint32_t first, uint32_t last, gm_cycle now);
void gm_cycle_l1_fence_done(gm_cycle_l1 *l1);

/* Begins an epoch of a protocol with leases. */
void gm_cycle_l1_roll_over(gm_cycle_l1 *l1);

/* Counts a load that is answered in cycle `now` and left the coalescer in cycle `began`. */
static inline void gm_cycle_l1_count_load(gm_cycle_l1 *l1, gm_cycle began, gm_cycle now)
{
    l1->time.loads++;
    l1->time.load_cycles += now - began;
}

/* Drops a line that another SM has written, without messages: ideal coherence. */
void gm_cycle_l1_drop_copy(gm_cycle_l1 *l1, uint64_t line);

/* A fence drops the sectors that hold data, but those of dirty lines (l1.fence_drops), if a request
 * has used the tags since the last drop and before cycle `now`. Data in flight stay and are
 * installed when they come. */
void gm_cycle_l1_drop_clean(gm_cycle_l1 *l1, gm_cycle now);

/* Called before the requests of cycle `now`, with l1.fence_drops. */
void gm_cycle_l1_note_uses(gm_cycle_l1 *l1, gm_cycle now);

/* Computes one cycle of the miss queue. Requires that the queue is not empty. Returns false if the
 * interconnect has no room; it lowers the SM's wake-up time when it has. */
bool gm_cycle_l1_send(gm_cycle_l1 *l1, gm_cycle now);

/* At the end of a kernel: drops every line. Dirty lines are written back as the miss queue has
 * room, some in each call of gm_cycle_l1_flush_on. Requires that no request is attempted before
 * gm_cycle_l1_is_empty returns true. */
void gm_cycle_l1_flush(gm_cycle_l1 *l1);
void gm_cycle_l1_flush_on(gm_cycle_l1 *l1);

/* True if nothing waits and nothing is in flight. */
bool gm_cycle_l1_is_empty(const gm_cycle_l1 *l1);

/* Returns l1_mshr_cycles up to the end of `now`, entries in use included. */
uint64_t gm_cycle_l1_mshr_cycles(const gm_cycle_l1 *l1, gm_cycle now);

/* Checks, at the end of a kernel, that the L1 is empty and its invariants hold. Returns 0 or
 * -EPROTO. */
int gm_cycle_l1_check(const gm_cycle_l1 *l1, gm_error *error);

/* Writes into `text` where the request of a ticket waits. */
void gm_cycle_l1_describe(const gm_cycle_l1 *l1, uint32_t ticket, char *text, size_t size);

/* Saves or loads the L1's state. */
void gm_cycle_l1_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot);

#endif

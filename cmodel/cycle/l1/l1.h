/* L1 data cache of an SM, with time: the tags and policies of order/order_l1.h, MSHRs with merging
 * [khairy, 3.1; li, 2.2], and a miss queue in front of the interconnect. A request gets what it
 * needs at once or not at all: reservation fails, by reason, change nothing. docs/l1d.md has the
 * rules. */
#ifndef GOLDMEM_CYCLE_L1_L1_H
#define GOLDMEM_CYCLE_L1_L1_H

#include "cache/address_map.h"
#include "cache/cache.h"
#include "cache/decoupled_l1.h"
#include "cache/l1_policy.h"
#include "cycle/noc/network.h"
#include "frontend/coalescer.h"
#include "frontend/warp_record.h"
#include "goldmem/mshr.h"
#include "policy/bypass.h"

enum {
    GM_TICKETS = 2048,       /* of an SM: 0 to 2047 */
    GM_BYPASSED_LOADS = 1024 /* loads of an SM that have bypassed its L1 and wait, at most */
};

#define GM_NO_TICKET UINT32_MAX
#define GM_NO_ENTRY  GM_MSHR_ENTRIES

/* What all L1s share. */
typedef struct gm_cycle_l1_shared {
    gm_l1_policy policy;
    gm_bypass_shared bypass;
    gm_cache_parameters cache;
    gm_set_index index;
    bool decoupled; /* l1.kind: `tags` in place of `cache` */
    gm_tag_store_parameters tags;
    gm_mshr_parameters mshr;
    gm_address_map map;
    gm_network *requests, *replies;
    uint32_t banks;          /* L2 banks of a partition */
    unsigned l1_sector_bits; /* log2 of the sectors of an L1 line */
    unsigned l2_sector_bits;
    uint32_t parts;        /* L2 lines of an L1 line */
    uint32_t miss_queue;   /* packets that requests may fill */
    uint32_t bypass_queue; /* those that bypassed reads may fill */
    bool on_fill;          /* a load miss takes its line when the data come */
    bool asks_policy;      /* l1.bypass has a say in an access, or in what fails */
} gm_cycle_l1_shared;

/* What the model keeps beside an entry of the MSHRs. */
typedef struct gm_cycle_l1_entry {
    gm_cycle since;   /* taken */
    uint32_t slot;    /* whose line waits; GM_NO_SLOT: none does */
    uint32_t sectors; /* become valid when the data come */
    uint32_t dirty;   /* of them: those that waiting stores have written */
    uint32_t packets; /* still to come */
    uint32_t kind;    /* gm_access_kind of the first requester */
    uint32_t fill;    /* decoupled, 1: it is of a MISS, and owes the tag store its FILL */
} gm_cycle_l1_entry;

/* A load that bypassed and waits. */
typedef struct gm_cycle_l1_bypassed {
    gm_cycle began;
    uint32_t ticket;
    uint32_t packets; /* still to come; 0: the place is free */
} gm_cycle_l1_bypassed;

/* What every visit looks at comes first. */
typedef struct gm_cycle_l1 {
    const gm_cycle_l1_shared *shared;
    uint32_t number;    /* of the SM */
    uint32_t answering; /* the entry whose requesters are being answered, or GM_NO_ENTRY */
    /* Miss queue, a ring: */
    gm_packet *queue; /* [capacity] */
    uint32_t capacity, head, count;
    uint32_t from_fills;  /* of them: write-backs of lines that a fill has evicted */
    uint32_t from_bypass; /* of them: reads of gm_cycle_l1_bypass */
    uint32_t write_backs; /* sent and not yet acknowledged */
    gm_cycle sent_at;     /* when a packet was last sent */
    bool flushing;        /* at the end of a kernel, from slot `flushed` on */
    bool usual; /* as most: conventional, its lines in few ways, taken on a miss, of one L2 line
                   each, and no bypass policy */
    uint32_t flushed;
    uint32_t entries;           /* of the MSHRs, in use */
    uint32_t bypassed_free;     /* places of `passing` */
    gm_cycle_l1_entry *entry;   /* [MSHR entries] */
    gm_decoupled_l1 *decoupled; /* in place of the cache; or NULL */
    gm_cache cache;
    gm_mshr mshr;
    gm_bypass_policy bypass;
    gm_cycle_l1_bypassed *bypassed; /* [GM_BYPASSED_LOADS] */
    uint16_t *free_bypassed;        /* [GM_BYPASSED_LOADS] a stack of free places */
    gm_cache_statistics statistics;
    gm_time_statistics time; /* loads, load_cycles, l1_mshr_cycles, l1_mshr_entries */
    gm_message_counts sent;
    uint64_t bypassed_sectors; /* of loads that bypass */
    uint64_t dirtied;          /* sectors that became dirty */
    uint64_t dirty_sectors;    /* now */
    uint64_t closed;           /* conventional: lines that were closed before they became valid */
} gm_cycle_l1;

/* A line request. */
typedef struct gm_cycle_l1_request {
    const gm_line_request *line;
    gm_request_kind kind;
    uint32_t ticket;
    gm_cycle began; /* when it was first at the coalescer's head, or left it for a FIFO */
    bool again;     /* it has been tried before */
} gm_cycle_l1_request;

/* What became of it. */
typedef enum gm_cycle_l1_answer {
    GM_CYCLE_L1_HIT,   /* its data are there l1.latency later */
    GM_CYCLE_L1_TAKEN, /* gm_cycle_l1_reply will answer it */
    /* Reservation fails: nothing has changed. */
    GM_CYCLE_L1_FAIL_LINE,
    GM_CYCLE_L1_FAIL_MSHR_ENTRY,
    GM_CYCLE_L1_FAIL_MSHR_MERGE,
    GM_CYCLE_L1_FAIL_MISS_QUEUE,
    GM_CYCLE_L1_FAIL_BYPASS_QUEUE,
} gm_cycle_l1_answer;

/* The networks may be set later, before the first step. -EINVAL, and what gm_bypass_shared_init
 * returns; gm_bypass_shared_free of shared->bypass in any case. */
int gm_cycle_l1_shared_init(gm_cycle_l1_shared *shared, const gm_config *config,
                            gm_network *requests, gm_network *replies, gm_error *error);

/* Bytes of arena that gm_cycle_l1_init takes. */
size_t gm_cycle_l1_bytes(const gm_cycle_l1_shared *shared);

/* -EINVAL, -ENOMEM. gm_cycle_l1_free gives back what an unbounded cache takes beyond the arena. */
int gm_cycle_l1_init(gm_cycle_l1 *l1, const gm_cycle_l1_shared *shared, uint32_t number,
                     gm_arena *arena, gm_error *error);
void gm_cycle_l1_free(gm_cycle_l1 *l1);

/* Tries a request. TAKEN: *answers is how many times its ticket will be answered. */
gm_cycle_l1_answer gm_cycle_l1_access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      gm_cycle now, uint32_t *answers);

/* The same of a load, in a plain L1: TAKEN, it will be answered once. */
gm_cycle_l1_answer gm_cycle_l1_load_usual(gm_cycle_l1 *l1, const gm_line_request *line,
                                          uint32_t ticket, gm_cycle began, gm_cycle now);

/* The bypass path [li, figure 1, 6.1]: reads that the L1 decides not to keep go around lines, MSHRs
 * and miss queue. They share the way to the interconnect with what misses, in the order in which
 * they come, but not the places in front of it: l1.bypass_queue. Their data go to the registers
 * (Fill Path 2). */

/* Is there room for a read of that many packets (gm_cycle_l1_parts of its sectors)? */
bool gm_cycle_l1_can_bypass(const gm_cycle_l1 *l1, uint32_t packets);

/* Sends a load that is bypassed, and counts the access: TAKEN, and *answers is 1, or
 * FAIL_BYPASS_QUEUE. The caller sees to it that what the L1 holds of the line is neither dirty nor
 * on its way. */
gm_cycle_l1_answer gm_cycle_l1_bypass(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      uint32_t *answers);

/* Counts reservation fails of a request of that kind, one for each of `cycles` retries. */
void gm_cycle_l1_count_fails(gm_cache_statistics *statistics, gm_cycle_l1_answer reason,
                             gm_request_kind kind, uint64_t cycles);

/* One cycle of the reply port: takes one packet, or answers the next requester of the entry whose
 * data have come. *ticket: answered, or GM_NO_TICKET. A mask: bit r is set when a request that
 * failed for the reason r (gm_cycle_l1_answer) may now succeed. (For GM_CYCLE_L1_FAIL_MISS_QUEUE
 * and GM_CYCLE_L1_FAIL_BYPASS_QUEUE it may after gm_cycle_l1_send as well.) */
uint32_t gm_cycle_l1_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket);

/* Is there anything for the reply port? */
static inline bool gm_cycle_l1_has_reply(const gm_cycle_l1 *l1, gm_cycle now)
{
    return l1->answering != GM_NO_ENTRY ||
           gm_network_arrival(l1->shared->replies, l1->number) <= now;
}

/* Has a packet come, or may one be sent that the interconnect had no room for? */
static inline bool gm_cycle_l1_is_called(const gm_cycle_l1 *l1, gm_cycle now)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    return gm_network_arrival(shared->replies, l1->number) <= now ||
           (l1->count != 0 && !gm_network_refuses(shared->requests, l1->number));
}

/* One cycle of the miss queue, which is not empty. False: the interconnect has no room yet; it will
 * wake the SM. */
bool gm_cycle_l1_send(gm_cycle_l1 *l1, gm_cycle now);

/* End of a kernel: every line is dropped, dirty ones are written back as the miss queue takes them.
 * No request may come until gm_cycle_l1_is_empty. */
void gm_cycle_l1_flush(gm_cycle_l1 *l1);
void gm_cycle_l1_flush_on(gm_cycle_l1 *l1);

/* Nothing waits and nothing is on its way. */
bool gm_cycle_l1_is_empty(const gm_cycle_l1 *l1);

/* l1_mshr_cycles up to the end of `now`, entries in use included. */
uint64_t gm_cycle_l1_mshr_cycles(const gm_cycle_l1 *l1, gm_cycle now);

/* At the end of a kernel: empty, and the conservation laws hold. -EPROTO. */
int gm_cycle_l1_check(const gm_cycle_l1 *l1, gm_error *error);

/* What holds after any cycle: the invariants of MSHRs and tags. -EPROTO, -EINVAL. */
int gm_cycle_l1_check_running(const gm_cycle_l1 *l1, gm_error *error);

/* Where the request of a ticket waits, in words. */
void gm_cycle_l1_describe(const gm_cycle_l1 *l1, uint32_t ticket, char *text, size_t size);

void gm_cycle_l1_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot);

#endif

/* DRAM channel of the cycle engine: banks with one row buffer each, open-page policy, first-ready
 * FCFS [Rixner et al., "Memory access scheduling", ISCA 2000, section 3], the timing of [khairy,
 * Table 1] and [singh, Table 4]; what the tables leave out is as in GPGPU-Sim. What later standards
 * than GDDR5 add (bank groups, pseudo-channels, two command buses, refresh) is in parts.h.
 * docs/dram.md has the rules.
 *
 * A request of an L2 bank is in flight for dram.latency core cycles, waits in the queue, and is
 * served by one column command for each burst that contains a requested sector. Data of a read go
 * to the L2 bank when the last burst has arrived; a write has no answer. Requests to one row of a
 * bank are served in their order. */
#ifndef GOLDMEM_CYCLE_DRAM_GDDR5_H
#define GOLDMEM_CYCLE_DRAM_GDDR5_H

#include "base/bitset.h"
#include "base/ring.h"
#include "base/snapshot.h"
#include "cache/dram.h"
#include "cycle/util/clock.h"
#include "goldmem/arena.h"
#include "goldmem/bits.h"
#include "goldmem/config.h"
#include "goldmem/statistics.h"

/* A request of an L2 bank to its channel: sectors of one L2 line. */
typedef struct gm_dram_request {
    uint64_t address; /* in bytes, in the channel; of an L2 line */
    uint32_t sectors; /* of that line; not 0 */
    uint32_t id;      /* of the L2 bank's choice; returned unchanged */
    uint16_t bank;    /* L2 bank of the partition */
    bool write;
} gm_dram_request;

/* Commands of a channel, as the observer sees them. */
typedef enum gm_gddr5_command {
    GM_GDDR5_ACTIVATE,
    GM_GDDR5_PRECHARGE,
    GM_GDDR5_READ,
    GM_GDDR5_WRITE,
    GM_GDDR5_REFRESH,     /* of a bank */
    GM_GDDR5_REFRESH_ALL, /* of a pseudo-channel, whose number stands for the bank's */
} gm_gddr5_command;

/* Observer: `command` is called with each command, in the order of their DRAM cycles (of a command
 * that takes several, the first). `bank`: as gm_dram_place; `row`: number in the bank; `column`: in
 * bursts, 0 for row commands. Refresh commands of idle time are told with the next visit, or when
 * the counters are settled. */
typedef struct gm_gddr5_observer {
    void *context;
    void (*command)(void *context, gm_cycle dram_cycle, gm_gddr5_command command, uint32_t bank,
                    uint64_t row, uint32_t column);
} gm_gddr5_observer;

/* A request: held from its push to its last command (write), or until its L2 bank takes the data
 * (read). */
typedef struct gm_gddr5_slot {
    gm_dram_request request;
    gm_cycle since; /* pushed, core cycle */
    gm_cycle ready; /* core cycle from which its L2 bank may take the data */

    /* Valid in the queue: */
    uint64_t age;     /* number of its arrival */
    uint64_t row;     /* in its bank */
    uint32_t pending; /* requested sectors without a column command yet */
    uint32_t opened;  /* 1: a row was opened for this request */
} gm_gddr5_slot;

/* A request in flight from its L2 bank. */
typedef struct gm_gddr5_arrival {
    gm_cycle at; /* DRAM cycle from which the queue may take it */
    uint64_t slot;
} gm_gddr5_arrival;

enum { GM_GDDR5_BANKS = 256 }; /* most banks of a channel */

/* No slot. */
#define GM_GDDR5_NONE UINT32_MAX

typedef struct gm_gddr5_list {
    uint32_t head, tail; /* oldest first; head is GM_GDDR5_NONE when it is empty */
} gm_gddr5_list;

/* Kind of a bank's next command. A read's first command needs a place for the answer. */
typedef enum gm_gddr5_next {
    GM_GDDR5_NEXT_ACTIVATE,
    GM_GDDR5_NEXT_PRECHARGE,
    GM_GDDR5_NEXT_FIRST_READ,
    GM_GDDR5_NEXT_READ,
    GM_GDDR5_NEXT_WRITE,
    GM_GDDR5_NEXTS,
} gm_gddr5_next;

/* The next command of a bank that has requests in the queue. Kept up to date, so that the scheduler
 * reads only the plans to choose among banks. */
typedef struct gm_gddr5_plan {
    gm_cycle at;    /* earliest DRAM cycle by the bank's own constraints */
    uint64_t rank;  /* age of its request; of a row command: above all ages */
    uint32_t next;  /* gm_gddr5_next */
    uint32_t group; /* bank group that constrains it; of a row command: `groups` */
    uint64_t bank;
} gm_gddr5_plan;

typedef struct gm_gddr5_bank {
    uint64_t open;   /* row + 1; 0: closed */
    gm_cycle column; /* earliest DRAM cycle of a column command, by the bank's own constraints; of
                        ACT and PRE below */
    gm_cycle activate;
    gm_cycle precharge;
    gm_gddr5_list hits; /* requests to the open row */
    gm_gddr5_list rest; /* requests to other rows */
    uint64_t plan;      /* number of the bank's plan, while the bank has requests; bank_turns: while
                           it serves one, else GM_GDDR5_NONE */
} gm_gddr5_bank;

/* The reads whose data are in flight to an L2 bank, or wait for the bank to take them. */
typedef struct gm_gddr5_returns {
    gm_gddr5_list list; /* in the order of their data */
    gm_cycle from;      /* core cycle from which the bank may take the first; GM_NEVER: none */
} gm_gddr5_returns;

/* Least distances between commands in DRAM cycles, from the configuration's timing. */
typedef struct gm_gddr5_timing {
    uint64_t same_kind;     /* read to read, write to write: tCCD, or the burst if it is longer */
    uint64_t same_group;    /* column commands of a bank group */
    uint64_t read_to_write; /* so that the bus has changed direction */
    uint64_t write_to_read; /* tCDLR after the data */
    uint64_t read_data;     /* from the command to the end of the burst */
    uint64_t row_to_column, row_to_row, row_to_row_any, row_to_precharge;
    uint64_t write_before; /* by which row_to_column is shorter for a write: dram.tRCDW */
    uint64_t read_to_precharge, write_to_precharge, precharge_to_row;
    uint64_t burst;
} gm_gddr5_timing;

/* What the pseudo-channels of a partition have beyond a GDDR5 channel: cycle/dram/parts.h. */
typedef struct gm_dram_parts gm_dram_parts;

/* The fields that L2 banks read come first: the channel itself is visited rarely. */
typedef struct gm_gddr5 {
    gm_gddr5_returns *ready; /* [L2 banks] */
    gm_cycle *leaving;       /* of state.leaving: DRAM cycles, see gm_gddr5_has_room */
    gm_cycle **bank_wake;    /* [L2 banks of the partition]; set by the caller after init */
    uint32_t capacity;       /* requests in flight and in the queue */
    uint32_t l2_banks;
    uint32_t returns; /* places for answers */
    struct {
        gm_ring leaving;     /* requests whose last command is decided; each leaves the queue in its
                                cycle */
        gm_ring in_flight;   /* requests that have not arrived at the queue */
        uint32_t queued;     /* requests in the queue */
        uint32_t wanted;     /* 1: an L2 bank waits for room */
        uint32_t turn;       /* turns: L2 bank whose request is taken next, if it has one */
        uint64_t waiting;    /* turns: set of the L2 banks that have requests */
        gm_cycle takes_from; /* turns: DRAM cycle from which a request is taken */
        /* bank_turns: */
        gm_cycle hand_from; /* DRAM cycle from which a bank may be given a request to serve */
        uint64_t to_hand[GM_GDDR5_BANKS / GM_BITSET_WORD]; /* bit set of the banks that have
                                                              requests and serve none */
        uint32_t first_bank;           /* the banks' order begins with this one */
        uint32_t reserved;             /* places for answers of reads that have begun */
        uint32_t unused;               /* list of slots */
        uint32_t plans;                /* banks with requests in the queue */
        gm_cycle decided;              /* first DRAM cycle whose command is not decided */
        gm_cycle from[GM_GDDR5_NEXTS]; /* earliest cycle of each kind, by the constraints that banks
                                          share */
        gm_cycle answer_from; /* GM_NEVER while every place for answers is reserved, otherwise 0 */
        gm_cycle limit, end;  /* of the commands of a visit: see gm_gddr5_schedule */
        uint64_t arrived;     /* requests that have entered the queue since init */
        uint64_t copied;      /* requests of gm_gddr5_count_write */
    } state;
    gm_gddr5_arrival *arrival; /* of state.in_flight */
    gm_cycle *wake;            /* the channel's wake-up; set by the caller after init, before use */
    gm_gddr5_slot *slot;       /* [slots] */
    uint32_t *slot_next;       /* [slots] links of the lists of slots */
    gm_gddr5_bank *bank;       /* [banks] */
    gm_gddr5_plan *plan;       /* [banks] of the banks with requests in the queue, in any order */
    gm_cycle
        *group; /* [bank groups + 1] earliest column command; the last is 0, for row commands */
    gm_dram_parts *parts;          /* NULL: one channel with GDDR5's commands */
    gm_dram_statistics statistics; /* reads, writes, bytes: of requested sectors */
    gm_time_statistics time;       /* the channel's counters; dram_cycles: see gm_gddr5_settle */
    const gm_gddr5_observer *observer; /* NULL: none */

    /* from the configuration */
    gm_clock clock;
    gm_gddr5_timing timing;
    gm_dram_map map;
    uint32_t buses;       /* data buses: pseudo-channels of all channels */
    uint32_t group_mask;  /* bank groups - 1 */
    uint32_t burst_shift; /* log2 of a burst's sectors */
    uint32_t burst_mask;  /* sectors of a burst, at most those of the longest line, - 1 */
    uint32_t bank_count, groups;
    bool commits;    /* dram.commit_row */
    bool turns;      /* dram.entry_turns */
    bool bank_turns; /* dram.bank_turns */
    uint32_t latency;
    uint32_t queue; /* in requests */
    uint32_t slots; /* enough for all requests in flight, in the queue and answered */
} gm_gddr5;

size_t gm_gddr5_bytes(const gm_config *config); /* bytes of the arena that gm_gddr5_init takes */

/* Makes a channel, idle at cycle 0. Returns 0, -EINVAL (names the key that is out of range) or
 * -ENOMEM (the arena is too small). */
int gm_gddr5_init(gm_gddr5 *channel, const gm_config *config, gm_arena *arena, gm_error *error);

/* Forgets the requests that have left the queue before DRAM cycle `end`. */
static inline void gm_gddr5_leave(gm_gddr5 *channel, gm_cycle end)
{
    gm_ring *leaving = &channel->state.leaving;
    while (!gm_ring_is_empty(leaving) && channel->leaving[gm_ring_first(leaving)] < end) {
        gm_ring_pop(leaving);
    }
}

/* Returns the number of requests that take room: in flight, in the queue, or leaving it. */
static inline uint32_t gm_gddr5_held(const gm_gddr5 *channel)
{
    return gm_ring_count(&channel->state.in_flight) + channel->state.queued +
           gm_ring_count(&channel->state.leaving);
}

/* Forgets the requests that have left the queue by core cycle `now`. Returns true if there is room
 * then; otherwise every L2 bank's wake-up time will be lowered to when there is. */
bool gm_gddr5_makes_room(gm_gddr5 *channel, gm_cycle now);

/* True if a request can be pushed in core cycle `now`; otherwise every L2 bank's wake-up time will
 * be lowered to when there is room. The channel holds dram.queue requests, and in flight as many as
 * the data bus can serve in dram.latency, so that the latency does not limit the bandwidth. A
 * request keeps its place up to the core cycle of its last command, even if that was decided
 * earlier. */
static inline bool gm_gddr5_has_room(gm_gddr5 *channel, gm_cycle now)
{
    return gm_gddr5_held(channel) < channel->capacity || gm_gddr5_makes_room(channel, now);
}

/* dram.entry_turns: notes that an L2 bank has requests, or none. */
static inline void gm_gddr5_wait(gm_gddr5 *channel, uint32_t bank, bool waits)
{
    if (channel->turns) {
        uint64_t one = UINT64_C(1) << bank;
        channel->state.waiting =
            waits ? channel->state.waiting | one : channel->state.waiting & ~one;
    }
}

/* dram.entry_turns: true if no other L2 bank's request goes before that of `bank`, and the channel
 * has taken none in the last DRAM cycle of core cycle `now`. Requires that `bank` waits. */
static inline bool gm_gddr5_has_turn(const gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    uint32_t turn = channel->state.turn;
    uint64_t waiting = channel->state.waiting;
    uint64_t behind = waiting >> turn; /* the turn goes up the banks, then to the first */
    uint32_t first = behind != 0 ? turn + gm_lowest_one(behind) : gm_lowest_one(waiting);
    return first == bank && channel->state.takes_from < gm_clock_first(channel->clock, now + 1);
}

/* True if an L2 bank can push a request in core cycle `now`: there is room, and with
 * dram.entry_turns the bank has its turn. */
static inline bool gm_gddr5_takes(gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    return gm_gddr5_has_room(channel, now) &&
           (!channel->turns || gm_gddr5_has_turn(channel, bank, now));
}

/* Takes a copy of a request in core cycle `now`; the channel sees it dram.latency later. Requires
 * room, and that the channel's step of that cycle is done, or that the caller is the only L2 bank:
 * then it may push a cycle ahead, since no other bank takes the room. */
void gm_gddr5_push(gm_gddr5 *channel, const gm_dram_request *request, gm_cycle now);

/* Returns the address, valid from init on, of the core cycle from which an L2 bank can take the
 * data of its oldest read; GM_NEVER there: no data are in flight. The channel lowers the bank's
 * wake-up to that cycle once; a bank that is visited earlier lowers its wake-up again itself. */
const gm_cycle *gm_gddr5_data_cell(const gm_gddr5 *channel, uint32_t bank);

/* Returns the oldest read of an L2 bank whose data have arrived by core cycle `now`, or NULL. The
 * read stays valid until it is popped. */
const gm_dram_request *gm_gddr5_peek(const gm_gddr5 *channel, uint32_t bank, gm_cycle now);

/* Removes the read that gm_gddr5_peek returned. Requires one. Does not lower the bank's wake-up
 * time for the next read. */
void gm_gddr5_pop(gm_gddr5 *channel, uint32_t bank, gm_cycle now);

/* Issues the commands of the DRAM cycles that belong to core cycle `now`, and those of later cycles
 * that nothing can change any more, since a request pushed from now on is in flight for
 * dram.latency core cycles. */
void gm_gddr5_step(gm_gddr5 *channel, gm_cycle now);

/* Counts a write without time, of dirty sectors that an L2 bank evicts for a host copy between
 * kernels. The write opens no row and is no row hit. */
void gm_gddr5_count_write(gm_gddr5 *channel, uint64_t address, uint32_t sectors);

/* Brings time.dram_cycles, of all data buses, up to the beginning of core cycle `now`, and issues
 * the refresh commands due before. (dram_busy counts a burst with its
 * command; the data follow tCL or tWL later.) */
void gm_gddr5_settle(gm_gddr5 *channel, gm_cycle now);

/* True if no request is in flight or in the queue, and no data wait for an L2 bank. */
bool gm_gddr5_idle(const gm_gddr5 *channel);

/* Checks, at the end of a kernel, that the channel is empty and its conservation laws hold. Returns
 * 0, or -EPROTO, which names the law. */
int gm_gddr5_check(const gm_gddr5 *channel, gm_error *error);

/* Checks the conservation laws that hold after any cycle: of rows, bursts and bytes. Returns 0, or
 * -EPROTO, which names the law. */
int gm_gddr5_check_running(const gm_gddr5 *channel, gm_error *error);

/* Returns the core cycle in which the oldest request was pushed, and writes into `text` what it is
 * and where it waits; GM_NEVER: there is none. */
gm_cycle gm_gddr5_oldest(const gm_gddr5 *channel, char *text, size_t size);

/* Saves or loads the channel's state. */
void gm_gddr5_snapshot(gm_gddr5 *channel, gm_snapshot *snapshot);

#endif

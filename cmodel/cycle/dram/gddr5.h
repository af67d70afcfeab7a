/* GDDR5 channel of the cycle engine: banks with one row buffer each, open-page policy, first-ready
 * FCFS [Rixner et al., "Memory access scheduling", ISCA 2000, section 3], the timing of [khairy,
 * Table 1] and [singh, Table 4]; what the tables leave out as in GPGPU-Sim. docs/dram.md tells the
 * rules; no refresh, which the tables do not have either.
 *
 * A request of an L2 bank takes dram.latency core cycles on its way, waits in the queue, and is
 * served by one column command for each burst that contains a sector asked for. Data of a read go
 * to the L2 bank when its last burst has come; a write needs no answer. Requests to one row of a
 * bank are served in their order. */
#ifndef GOLDMEM_CYCLE_DRAM_GDDR5_H
#define GOLDMEM_CYCLE_DRAM_GDDR5_H

#include "base/snapshot.h"
#include "cache/dram.h"
#include "cycle/util/clock.h"
#include "cycle/util/ring.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"
#include "goldmem/statistics.h"

typedef struct gm_dram_request {
    uint64_t address; /* in bytes, in the channel; of an L2 line */
    uint32_t sectors; /* of that line; not 0 */
    uint32_t id;      /* the L2 bank's own; comes back unchanged */
    uint16_t bank;    /* L2 bank of the partition */
    bool write;
} gm_dram_request;

typedef enum gm_gddr5_command {
    GM_GDDR5_ACTIVATE,
    GM_GDDR5_PRECHARGE,
    GM_GDDR5_READ,
    GM_GDDR5_WRITE,
} gm_gddr5_command;

/* Is told each command, in the order of their DRAM cycles. `row`: in the bank; `column`: in units
 * of bursts, 0 for commands on rows. */
typedef struct gm_gddr5_observer {
    void *context;
    void (*command)(void *context, gm_cycle dram_cycle, gm_gddr5_command command, uint32_t bank,
                    uint64_t row, uint32_t column);
} gm_gddr5_observer;

/* A request, from its push to its last command, or, of a read, until its L2 bank takes the data. */
typedef struct gm_gddr5_slot {
    gm_dram_request request;
    gm_cycle since; /* pushed, core cycle */
    gm_cycle ready; /* its data: core cycle from which its L2 bank may take them */

    /* in the queue */
    uint64_t age;     /* number of its arrival */
    uint64_t row;     /* in its bank */
    uint32_t pending; /* sectors of the line without a column command yet */
    uint32_t opened;  /* a row was opened for it */
} gm_gddr5_slot;

/* A request in flight from its L2 bank. */
typedef struct gm_gddr5_arrival {
    gm_cycle at; /* DRAM cycle from which the queue may take it */
    uint64_t slot;
} gm_gddr5_arrival;

enum { GM_GDDR5_BANKS = 256 }; /* at most */

/* No slot. */
#define GM_GDDR5_NONE UINT32_MAX

typedef struct gm_gddr5_list {
    uint32_t head, tail; /* oldest first; head is GM_GDDR5_NONE when it is empty */
} gm_gddr5_list;

/* What a bank's next command is. A read's first command needs room for the answer. */
typedef enum gm_gddr5_next {
    GM_GDDR5_NEXT_ACTIVATE,
    GM_GDDR5_NEXT_PRECHARGE,
    GM_GDDR5_NEXT_FIRST_READ,
    GM_GDDR5_NEXT_READ,
    GM_GDDR5_NEXT_WRITE,
    GM_GDDR5_NEXTS,
} gm_gddr5_next;

/* The next command of a bank that has requests in the queue, kept up to date so that choosing among
 * the banks looks at little. */
typedef struct gm_gddr5_plan {
    gm_cycle at;    /* earliest DRAM cycle by the bank's own constraints */
    uint64_t rank;  /* age of the request that it is for; on a row: above all ages */
    uint32_t next;  /* gm_gddr5_next */
    uint32_t group; /* whose column commands constrain it; on a row: the one of none */
    uint64_t bank;
} gm_gddr5_plan;

typedef struct gm_gddr5_bank {
    uint64_t open;   /* row + 1; 0: closed */
    gm_cycle column; /* earliest DRAM cycles of each command, by the bank's own constraints */
    gm_cycle activate;
    gm_cycle precharge;
    gm_gddr5_list hits; /* requests to the open row */
    gm_gddr5_list rest; /* the others */
    uint64_t plan;      /* number of its plan, while it has requests */
} gm_gddr5_bank;

/* The reads of an L2 bank whose data are coming, or wait for it. */
typedef struct gm_gddr5_returns {
    gm_gddr5_list list; /* in the order of their data */
    gm_cycle from;      /* core cycle from which the bank may take the first; GM_NEVER: none */
} gm_gddr5_returns;

/* Least distances between commands in DRAM cycles, from the configuration's timing. */
typedef struct gm_gddr5_timing {
    uint64_t same_kind;     /* read to read, write to write: tCCD, or the burst if it is longer */
    uint64_t same_group;    /* column commands of a bank group */
    uint64_t read_to_write; /* so that the bus has turned round */
    uint64_t write_to_read; /* tCDLR after the data */
    uint64_t read_data;     /* from the command to the end of the burst */
    uint64_t row_to_column, row_to_row, row_to_row_any, row_to_precharge;
    uint64_t read_to_precharge, write_to_precharge, precharge_to_row;
    uint64_t burst;
} gm_gddr5_timing;

/* What L2 banks look at comes first: the channel is rarely visited itself. */
typedef struct gm_gddr5 {
    gm_gddr5_returns *ready; /* [L2 banks] */
    gm_cycle *leaving;       /* of state.leaving: DRAM cycles, see gm_gddr5_has_room */
    gm_cycle **bank_wake;    /* [L2 banks of the partition]; set by the caller after init */
    uint32_t capacity;       /* requests in flight and in the queue */
    uint32_t l2_banks;
    uint32_t returns; /* places for answers */
    struct {
        gm_ring leaving;               /* requests that have a command for each burst, and will
                                          leave the queue with the last */
        gm_ring in_flight;             /* requests that have not arrived at the queue */
        uint32_t queued;               /* requests in the queue */
        uint32_t wanted;               /* an L2 bank has found no room */
        uint32_t reserved;             /* answers in use, or promised to reads that have begun */
        uint32_t unused;               /* list of slots */
        uint32_t plans;                /* banks with requests in the queue */
        gm_cycle decided;              /* first DRAM cycle whose command is not decided */
        gm_cycle from[GM_GDDR5_NEXTS]; /* of the next such command, by what banks share */
        gm_cycle answer_from;          /* GM_NEVER while all answers are taken, otherwise 0 */
        gm_cycle limit, end;           /* of the commands of a visit: see gm_gddr5_schedule */
        uint64_t arrived;              /* requests that have entered the queue since init */
        uint64_t copied;               /* requests of gm_gddr5_count_write */
    } state;
    gm_gddr5_arrival *arrival;     /* of state.in_flight */
    gm_cycle *wake;                /* the channel's; set by the caller after init, before use */
    gm_gddr5_slot *slot;           /* [slots] */
    uint32_t *slot_next;           /* [slots] links of their lists */
    gm_gddr5_bank *bank;           /* [banks] */
    gm_gddr5_plan *plan;           /* [banks] of those with requests in the queue, in any order */
    gm_cycle *group;               /* [bank groups] earliest column command; and 0, for none */
    gm_dram_statistics statistics; /* reads, writes, bytes: what was asked for */
    gm_time_statistics time;       /* its own counters; dram_cycles: see gm_gddr5_settle */
    const gm_gddr5_observer *observer; /* NULL: none */

    /* from the configuration */
    gm_clock clock;
    gm_gddr5_timing timing;
    gm_dram_map map;
    uint32_t group_mask;  /* bank groups - 1 */
    uint32_t burst_shift; /* log2 of a burst's sectors */
    uint32_t burst_mask;  /* sectors of a burst, or of the longest line if that is shorter, - 1 */
    uint32_t bank_count, groups;
    uint32_t latency;
    uint32_t queue; /* requests */
    uint32_t slots; /* enough for all requests in flight, in the queue and answered */
} gm_gddr5;

size_t gm_gddr5_bytes(const gm_config *config); /* of arena that gm_gddr5_init takes */

/* -EINVAL names the key that is out of range, -ENOMEM: the arena is too small. */
int gm_gddr5_init(gm_gddr5 *channel, const gm_config *config, gm_arena *arena, gm_error *error);

/* Forgets the requests that have left the queue before DRAM cycle `end`. */
static inline void gm_gddr5_leave(gm_gddr5 *channel, gm_cycle end)
{
    gm_ring *leaving = &channel->state.leaving;
    while (leaving->count != 0 && channel->leaving[gm_ring_first(leaving)] < end) {
        gm_ring_pop(leaving);
    }
}

static inline uint32_t gm_gddr5_held(const gm_gddr5 *channel)
{
    return channel->state.in_flight.count + channel->state.queued + channel->state.leaving.count;
}

/* Of a channel without room: has it some, now that those that have left are forgotten? If not, L2
 * banks are told when it has. */
bool gm_gddr5_makes_room(gm_gddr5 *channel, gm_cycle now);

/* Can a request be pushed in core cycle `now`? dram.queue requests, and as many on the way as the
 * data bus could serve while one is on it (so that the way's length does not limit the bandwidth).
 * A request holds its place up to the core cycle of its last command, which may have been decided
 * before. When there is no room, every L2 bank is woken when there is. */
static inline bool gm_gddr5_has_room(gm_gddr5 *channel, gm_cycle now)
{
    return gm_gddr5_held(channel) < channel->capacity || gm_gddr5_makes_room(channel, now);
}

/* Takes a request (a copy) in core cycle `now`, after the channel's step of that cycle; or a cycle
 * ahead, from the only L2 bank: nothing can take the room, and the channel sees it dram.latency
 * after `now`. Needs room. */
void gm_gddr5_push(gm_gddr5 *channel, const gm_dram_request *request, gm_cycle now);

/* Where the channel keeps, from init on, the core cycle from which an L2 bank can take the data of
 * its oldest read; GM_NEVER: none are on their way. The bank's wake was lowered to that once; a
 * bank that is visited before sees to the rest. */
const gm_cycle *gm_gddr5_data_cell(const gm_gddr5 *channel, uint32_t bank);

/* The oldest read for an L2 bank whose data have come by `now`, or NULL. Stays valid until it is
 * popped. */
const gm_dram_request *gm_gddr5_peek(const gm_gddr5 *channel, uint32_t bank, gm_cycle now);

/* Takes away what gm_gddr5_peek returned, which was not NULL. The bank sees to the next. */
void gm_gddr5_pop(gm_gddr5 *channel, uint32_t bank, gm_cycle now);

/* Issues the commands of the DRAM cycles that belong to core cycle `now`, and those of later ones
 * that nothing can change any more: what is pushed from now on takes dram.latency on its way. */
void gm_gddr5_step(gm_gddr5 *channel, gm_cycle now);

/* Counts a write that takes no time: an L2 bank evicts dirty sectors for a host copy between
 * kernels. It opens no row and counts as no row hit. */
void gm_gddr5_count_write(gm_gddr5 *channel, uint64_t address, uint32_t sectors);

/* Brings time.dram_cycles up to the beginning of core cycle `now`. (dram_busy counts a burst with
 * its command, whose data come up to tCL or tWL later.) */
void gm_gddr5_settle(gm_gddr5 *channel, gm_cycle now);

/* Is nothing on the way, in the queue, or waiting for an L2 bank? */
bool gm_gddr5_idle(const gm_gddr5 *channel);

/* End of a kernel: everything is empty, and the counters agree. -EPROTO names the law. */
int gm_gddr5_check(const gm_gddr5 *channel, gm_error *error);

/* What holds after any cycle: rows opened are closed or open, bursts and bytes agree. -EPROTO. */
int gm_gddr5_check_running(const gm_gddr5 *channel, gm_error *error);

/* Since which core cycle the oldest request is there, and what it is and where it waits;
 * GM_NEVER: none is. */
gm_cycle gm_gddr5_oldest(const gm_gddr5 *channel, char *text, size_t size);

void gm_gddr5_snapshot(gm_gddr5 *channel, gm_snapshot *snapshot);

#endif

/* The system that an exploration runs: SMs with the real tc_l1, mshr and gwct, one L2 bank with the
 * real tc_l2 and lease_store, first-in first-out channels per SM and line, and time. Whoever
 * explores chooses each next event. A world is plain memory: it is copied to go back. */
#ifndef GOLDMEM_COSIM_EXPLORE_WORLD_H
#define GOLDMEM_COSIM_EXPLORE_WORLD_H

#include "litmus/litmus.h"
#include "search.h"

#include "goldmem/gwct.h"
#include "goldmem/lease_store.h"
#include "goldmem/mshr.h"
#include "goldmem/tc_l1.h"
#include "goldmem/tc_l2.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    WORLD_SLOTS = 2,    /* of an L1 and of the L2, at most; a line has one slot: line % slots */
    WORLD_ENTRIES = 3,  /* MSHR entries of an SM */
    WORLD_MERGES = 3,   /* loads of an entry */
    WORLD_BUCKETS = 16, /* of the MSHRs' look-up: gm_mshr's */
    WORLD_MESSAGES = 4, /* of a channel, at most */
    WORLD_STORED = GM_LITMUS_LINES, /* entries of the lease store: it never is full */
};

/* True for an operation that writes a place. */
static inline bool world_writes(gm_litmus_kind kind)
{
    return kind == GM_LITMUS_STORE || kind == GM_LITMUS_ATOMIC || kind == GM_LITMUS_REDUCTION;
}

/* Rules outside the blocks, which an exploration can leave out. */
typedef enum world_rule {
    RULE_FENCE_CLOSES = 1 << 0,    /* a fence closes the SM's open MSHR entries */
    RULE_STORE_CLOSES = 1 << 1,    /* a store, atomic or bypassing load closes the line's entry */
    RULE_ROLLOVER_CLOSES = 1 << 2, /* a rollover closes all entries */
    RULE_LOADS_COUNT = 1 << 3,     /* a fence waits for loads */
    RULE_STORES_COUNT = 1 << 4,    /* a fence waits for stores */
    RULE_KEEPS_LEASES = 1 << 5,    /* the lease of an evicted line is stored */
    RULE_STARTS_AT_1 = 1 << 6,     /* time begins at 1: timestamp 0 is none */
    RULE_CLOSED_COUNT = 1 << 7,    /* a fence waits for loads in closed MSHR entries */
    RULE_GWCT_OF_WRITER = 1 << 8,  /* a GWCT is that of the warp that wrote */
    RULE_KERNEL_WAITS = 1 << 9,    /* the end of a kernel waits for GWCTs */
    RULE_MERGE_WAITS = 1 << 10,    /* merge=lease: later requests wait for the entry's data */
    RULES = 11,
} world_rule;

extern const char *const world_rule_names[RULES];

/* What of a world still matters, from the test (world_prepare). Words are bits, 2 * line + word. */
typedef struct world_plan {
    /* Of a warp at an operation: whether a fence that waits for it follows; the words that it has
     * stored, or will store, before a fence that follows. */
    bool fences[GM_LITMUS_WARPS][GM_LITMUS_OPERATIONS + 1];
    uint8_t stored[GM_LITMUS_WARPS][GM_LITMUS_OPERATIONS + 1];
    /* Registers that the condition names, their values in it, and the words that they load. */
    uint8_t registers[GM_LITMUS_WARPS];
    uint8_t value[GM_LITMUS_WARPS][GM_LITMUS_REGISTERS];
    uint8_t loads[GM_LITMUS_WARPS][GM_LITMUS_REGISTERS];
    uint8_t places; /* words of which the condition names the last value */
} world_plan;

typedef struct world_settings {
    const gm_litmus_test *test;
    world_plan plan;
    gm_litmus_protocol protocol;
    bool strong;      /* protocol: TC-Strong, else TC-Weak */
    unsigned printed; /* rules of the printed table: GM_TC_L2_REFETCH, ... */
    unsigned rules;   /* world_rule: those that hold */
    unsigned time_bits, life;
    unsigned l1_slots, l2_slots;
    bool evicts; /* an L1 may evict a line at any time */
    /* Worlds that the rules make equivalent are one, and events whose order makes no difference are
     * done in one order (canonical.c). Holds for the blocks as they are, not for wrong designs. */
    bool reduces;
} world_settings;

typedef struct world_message {
    uint8_t kind; /* GM_TC_L1_GETS ...; to the L1: GM_TC_L2_DATA ... */
    uint8_t of;   /* to the L1: the kind of the request that it answers */
    uint8_t warp, target, word, value;
    uint8_t id; /* GETS: the MSHR entry */
    uint8_t no_lease, lease_given, epoch;
    uint8_t timestamp, gwct, visible;
    uint8_t data[GM_LITMUS_WORDS];
} world_message;

typedef struct world_channel {
    uint8_t count;
    world_message message[WORLD_MESSAGES];
} world_channel;

typedef struct world_sm {
    gm_tc_l1 l1;
    gm_tc_l1_slot slot[WORLD_SLOTS];
    uint8_t tag[WORLD_SLOTS]; /* 1 + line; 0: none */
    uint8_t data[WORLD_SLOTS][GM_LITMUS_WORDS];
    gm_mshr mshr;
    uint16_t bucket[WORLD_BUCKETS];
    gm_mshr_entry entry[WORLD_ENTRIES];
    uint64_t requester[WORLD_ENTRIES * WORLD_MERGES];
    gm_gwct gwct;
    gm_gwct_entry warp[GM_LITMUS_WARPS];
    world_channel up[GM_LITMUS_LINES], down[GM_LITMUS_LINES]; /* to the L2, from it */
} world_sm;

typedef struct world_warp {
    uint8_t next; /* operation */
    bool at_barrier;
    uint8_t answered; /* registers that have their value, one bit each */
    uint8_t value[GM_LITMUS_REGISTERS];
} world_warp;

/* The SMs are last: a world of few SMs is short (world_size). */
typedef struct world {
    uint8_t now;
    bool misses; /* a register has another value than in the condition, which cannot hold */
    world_warp warp[GM_LITMUS_WARPS];
    gm_tc_l2 l2;
    gm_tc_l2_line line[WORLD_SLOTS];
    uint8_t tag[WORLD_SLOTS];
    uint8_t data[WORLD_SLOTS][GM_LITMUS_WORDS];
    gm_lease_store leases;
    gm_lease_store_entry stored[WORLD_STORED];
    uint8_t memory[GM_LITMUS_LINES][GM_LITMUS_WORDS];
    /* How many writes of a word were performed before that of a value, plus 1; 0: not performed. */
    uint8_t order[GM_LITMUS_LINES][GM_LITMUS_WORDS][8];
    uint8_t performed[GM_LITMUS_LINES][GM_LITMUS_WORDS];
    world_sm sm[GM_LITMUS_SMS];
} world;

typedef enum world_event_kind {
    EVENT_ISSUE,  /* warp `a` does its next operation */
    EVENT_L2,     /* the L2 takes the oldest message of SM `a` on line `b` */
    EVENT_ANSWER, /* SM `a` takes the oldest answer on line `b` */
    EVENT_EVICT,  /* SM `a` evicts slot `b` */
    EVENT_TICK,   /* a cycle passes */
} world_event_kind;

typedef search_event world_event;

/* Fills settings->plan in from the test. */
void world_prepare(world_settings *settings);

/* Number of SMs that a test has; number of a warp within its SM. */
unsigned world_sms(const gm_litmus_test *test);

/* True if an SM has an MSHR entry of the line, open or closed. */
bool world_has_entry(const world_sm *sm, unsigned line);
unsigned world_local_warp(const gm_litmus_test *test, unsigned warp);

/* Makes the world before the first event. Returns 0, or what an init refuses. */
int world_init(world *w, const world_settings *settings, gm_error *error);

/* Bytes of a world with the test's SMs. */
size_t world_size(const world_settings *settings);

/* Copies `size` bytes of a world, and lets its blocks point into the copy. */
void world_copy(world *to, const world *from, size_t size);

/* Lists the events that the world may have, at most `most`; world_step may still refuse one. */
size_t world_events(const world *w, const world_settings *settings, world_event *events,
                    size_t most);

typedef search_fault world_fault;

/* Does an event. Returns false if it is not possible now: the world is then of no use. Sets *fault.
 * Tells what happened in `log`, unless NULL. */
bool world_step(world *w, const world_settings *settings, world_event event, world_fault *fault,
                FILE *log);

/* Returns true if all operations are done and answered, and sets *holds to whether the outcome is
 * the test's condition. */
bool world_is_final(const world *w, const world_settings *settings, bool *holds);

/* Replaces a world by the one that stands for all that have one future: what no longer matters
 * becomes 0, MSHR entries are numbered in the order of their messages. */
void world_make_canonical(world *w, const world_settings *settings);

/* Finds an event which may be done before all others, since it makes no difference to them and is
 * seen by no fence (docs/litmus.md has the argument). Returns false if there is none. */
bool world_find_forced(const world *w, const world_settings *settings, world_event *event);

/* Writes a canonical world into `bytes`, and leaves it as it is; returns the number of bytes. */
enum { WORLD_BYTES = 512 };
size_t world_pack(world *w, const world_settings *settings, uint8_t *bytes);

/* Reads what world_pack has written. Requires that `w` was made by world_init with these settings
 * and since then only changed by functions of this header. */
void world_unpack(world *w, const world_settings *settings, const uint8_t *bytes);

/* Gives the entries of an MSHR table, which is empty then, back from `count` descriptions. */
typedef struct world_entry {
    uint8_t line, count;
    bool open;
    uint16_t requester[WORLD_MERGES];
} world_entry;

void world_set_entries(gm_mshr *mshr, const world_entry *entry, unsigned count);

/* A requester of an MSHR entry: a warp's load of a word, and with coherence.merge=lease the time at
 * which it merged, 0 if it did not. */
enum { WORLD_REQUESTER = 6 /* bits without the time */ };

static inline unsigned world_requester(unsigned warp, unsigned word, unsigned target, unsigned time)
{
    return time << WORLD_REQUESTER | warp << 3 | word << 2 | target;
}

#endif

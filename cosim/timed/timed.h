/* The system that an exploration of the cycle engine runs: SMs with the engine's timed L1 and its
 * fences, one timed L2 bank, both with Temporal Coherence; around them, made for the exploration, a
 * litmus test's warps, networks and a DRAM channel of which every delay is a choice, and values.
 *
 * All that changes lies in one piece of memory at one address, so that it is copied to go back, and
 * the engine's pointers stay as they are. There is one machine at a time: the networks, the channel
 * and the values, which the engine's files call by name, work on it. */
#ifndef GOLDMEM_COSIM_TIMED_TIMED_H
#define GOLDMEM_COSIM_TIMED_TIMED_H

#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank.h"
#include "cycle/lsu/load_store.h"
#include "cycle/noc/network.h"
#include "cycle/sm/fence.h"
#include "explore/image.h"
#include "explore/search.h"
#include "litmus/litmus.h"

enum {
    TIMED_MESSAGES = 6, /* of a channel, at most; an SM has no more in flight on a line */
    TIMED_MSHRS = 2,    /* entries of a cache, at most */
    TIMED_MERGES = 4,   /* requests of an entry, at most */
    TIMED_SLOTS = 2,    /* lines of a cache, at most */
    TIMED_READS = TIMED_MSHRS,
    TIMED_NOW = 1 << 20, /* the core cycle of a canonical world */
    TIMED_ARENA = 1 << 19,
};

typedef struct timed_settings {
    const gm_litmus_test *test;
    gm_litmus_protocol protocol;
    unsigned time_bits, life;    /* of a timestamp [bits], of a lease [core cycles] */
    unsigned l1_slots, l2_slots; /* ways of the one set */
    unsigned mshrs, merges;      /* entries of each cache's MSHRs, and requests of an entry */
    bool reduces; /* worlds that the protocol makes equivalent are one (canonical.c) */
} timed_settings;

/* A packet in a network, and the values that it carries. The channel is of one SM and line. */
typedef struct timed_message {
    uint32_t id, sectors, whole, timestamp;
    uint8_t kind, flags;
    uint8_t data[GM_LITMUS_WORDS];
} timed_message;

typedef struct timed_channel {
    uint32_t count;
    timed_message message[TIMED_MESSAGES]; /* oldest first */
} timed_channel;

typedef struct timed_warp {
    uint8_t next;        /* operation */
    uint8_t accesses;    /* operations without an answer */
    uint8_t at_barrier;  /* or at the end of its kernel */
    uint8_t fence_ready; /* the SM has found that its fence need not wait any more */
    uint8_t answered;    /* registers that have their value, one bit each */
    uint8_t value[GM_LITMUS_REGISTERS];
} timed_warp;

/* Values, by line and word; who holds the line is for the engine's tags to say. */
typedef struct timed_values {
    uint8_t l1[GM_LITMUS_SMS][GM_LITMUS_LINES][GM_LITMUS_WORDS];
    uint8_t arrived[GM_LITMUS_SMS][GM_LITMUS_WORDS]; /* of the reply that the L1 has last taken */
    uint8_t l2[GM_LITMUS_LINES][GM_LITMUS_WORDS];
    uint8_t memory[GM_LITMUS_LINES][GM_LITMUS_WORDS];
    uint8_t reply[GM_LITMUS_WORDS]; /* of the request that the bank has last performed */
    /* How many writes of a word were performed before that of a value, plus 1; 0: not performed. */
    uint8_t order[GM_LITMUS_LINES][GM_LITMUS_WORDS][8];
    uint8_t performed[GM_LITMUS_LINES][GM_LITMUS_WORDS];
} timed_values;

/* All that changes. */
typedef struct timed_world {
    gm_cycle now;
    bool misses; /* a register has another value than in the condition, which cannot hold */
    bool broken; /* the engine did what it must never do */
    timed_warp warp[GM_LITMUS_WARPS];
    timed_values values;
    gm_coherence_time time;
    gm_cycle wake;                     /* the bank's, which is stepped whenever it is due */
    gm_cycle arrival, data;            /* at the bank: of the packet or read chosen */
    gm_dram_request read[TIMED_READS]; /* in flight; sectors 0: none */
    timed_channel up[GM_LITMUS_SMS][GM_LITMUS_LINES], down[GM_LITMUS_SMS][GM_LITMUS_LINES];
    gm_l2_bank bank;
    gm_load_store unit[GM_LITMUS_SMS]; /* of which only the L1 is used */
    _Alignas(64) unsigned char arena[TIMED_ARENA];
} timed_world;

typedef struct timed_machine {
    timed_settings settings;
    gm_config config;
    gm_cycle_l1_shared l1_shared;
    gm_l2_shared l2_shared;
    gm_network requests, replies; /* nothing but their addresses is used */
    gm_gddr5 channel;             /* nothing but its address and its room is used */
    gm_cycle_sm_shared sm_shared;
    gm_cycle_sm sm[GM_LITMUS_SMS]; /* what cycle/sm/fence.c uses of an SM */
    unsigned char sm_arena[GM_LITMUS_SMS][1 << 14];
    uint32_t sms, lines;
    uint64_t line[GM_LITMUS_LINES]; /* their addresses, in one bank */
    uint8_t first_warp[GM_LITMUS_SMS];
    uint8_t named[GM_LITMUS_WARPS]; /* registers that the condition names, one bit each */
    uint8_t wanted[GM_LITMUS_WARPS][GM_LITMUS_REGISTERS]; /* their values in it */
    /* What the event under way has chosen: */
    uint32_t chosen_sm, chosen_line, chosen_read;
    bool reply_chosen;
    FILE *log;
    /* The parts of the world that change, and what they were in the first world. */
    image_parts parts;
    unsigned char *first, *from;
    bool is_from;  /* the world is `from` */
    bool unforced; /* lists all events: for walks */
    timed_world *world;
} timed_machine;

typedef enum timed_event_kind {
    TIMED_ISSUE,  /* warp `a` does its next operation */
    TIMED_ARRIVE, /* the bank takes the oldest packet of SM `a` on line `b` */
    TIMED_READ,   /* the data of read `a` come from DRAM */
    TIMED_BANK,   /* the bank does its next step */
    TIMED_REPLY,  /* SM `a` takes the oldest reply on line `b` */
    TIMED_ANSWER, /* SM `a` answers the next load of the MSHR entry whose data have come */
    TIMED_TICK,   /* a core cycle passes */
} timed_event_kind;

/* The machine that networks, channel and values work on. */
extern timed_machine *the_machine;

#define TIMED_TELL(...) (the_machine->log == NULL ? 0 : fprintf(the_machine->log, __VA_ARGS__))

/* Makes the machine for a litmus test, which must outlive it. Returns 0, or what an init of the
 * engine refuses. The caller frees it in any case. */
int timed_create(timed_machine **machine, const timed_settings *settings, gm_error *error);
void timed_free(timed_machine *machine);

/* The machine as a system of the search. */
search_system timed_system(timed_machine *machine);

/* Makes the world before the first event. Returns 0 or what an init refuses. */
int timed_begin(timed_machine *machine, gm_error *error);

/* Finds an event of the current world which may be done before all others, since it makes no
 * difference to them and is seen by no fence (docs/explore-timed.md has the reasons). Returns false
 * if there is none. */
bool timed_find_forced(const timed_machine *machine, search_event *event);

/* Does an event in the current world; result as search_system.step. */
bool timed_step(timed_machine *machine, search_event event, search_fault *fault);

/* True if the bank's tags have something to do: data's next request, or a look-up. */
bool timed_has_work(const timed_machine *machine);

/* Gives what no longer matters in the current world one value, and times one beginning. Sets
 * world->broken if it finds that a place of the bank is lost. */
void timed_make_canonical(timed_machine *machine);

/* The part of it that the protocol allows: for right engines. */
void timed_reduce(timed_machine *machine);

/* The part of that that a walk (walk.h) does in other worlds too: GWCTs in the answers of loads. */
void timed_reduce_answers(timed_machine *machine);

/* Save and restore what changes, in machine->bytes bytes; write a canonical world into at most
 * SEARCH_BYTES bytes, and read it back. */
void timed_save(const timed_machine *machine, unsigned char *image);
void timed_restore(timed_machine *machine, const unsigned char *image);
size_t timed_pack(const timed_machine *machine, uint8_t *bytes);
void timed_unpack(timed_machine *machine, const uint8_t *bytes);

/* True for an operation that writes a place. */
static inline bool timed_writes(gm_litmus_kind kind)
{
    return kind == GM_LITMUS_STORE || kind == GM_LITMUS_ATOMIC || kind == GM_LITMUS_REDUCTION;
}

/* Number of a line in the test; GM_LITMUS_LINES: none of its lines. */
uint32_t timed_line(uint64_t address);

/* The operation of a ticket, and its warp. */
const gm_litmus_operation *timed_operation(uint32_t sm, uint32_t ticket, unsigned *warp);

/* A register gets its value. */
void timed_give(unsigned warp, unsigned target, uint8_t value);

/* True if an SM may still use a copy of the word that is older than `value`. */
bool timed_uses_older(const timed_machine *machine, uint32_t sm, unsigned line, unsigned word,
                      unsigned value);

static inline gm_cycle_l1 *timed_l1(timed_machine *machine, uint32_t sm)
{
    return &machine->world->unit[sm].l1;
}

#endif

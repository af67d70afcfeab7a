/* The cycle engine in place of the blocks' worlds (hybrid.h): two timed L1s, a tracker bank and the
 * L2 bank behind it, as they run in a machine. Around them, made for the exploration: networks,
 * credit wire and DRAM channel, of which every delay is a choice, and values.
 *
 * All that changes lies in one piece of memory at one address, so that it is copied to go back, and
 * the engine's pointers stay as they are. There is one machine at a time: networks, channel and
 * values, which the engine's files call by name, work on it. */
#ifndef GOLDMEM_COSIM_HYBRID_TIMED_H
#define GOLDMEM_COSIM_HYBRID_TIMED_H

#include "step.h"

#include "cycle/dram/gddr5.h"
#include "cycle/l1/l1.h"
#include "cycle/l2/l2_bank.h"
#include "cycle/noc/network.h"
#include "cycle/tracker/tracker_bank.h"
#include "explore/image.h"

enum {
    TIMED_TICKETS = HYBRID_LOADS,
    TIMED_MESSAGES = 8, /* of a channel, at most */
    TIMED_REPLIES = HYBRID_ENTRIES + HYBRID_LOADS,
    TIMED_READS = 4,
    TIMED_CREDITS = 8,
    TIMED_NOW = 1 << 20, /* the core cycle of a canonical world */
    TIMED_ARENA = 1 << 20,
};

typedef struct timed_channel {
    uint32_t count;
    gm_packet packet[TIMED_MESSAGES]; /* the oldest first */
} timed_channel;

/* A request without its last answer. */
typedef struct timed_ticket {
    uint8_t answers; /* that are still to come */
    uint8_t line, kind;
    uint8_t token[HYBRID_SECTORS]; /* of writes */
} timed_ticket;

/* All that changes. */
typedef struct timed_world {
    gm_cycle now;
    hybrid_values values;
    uint8_t done[HYBRID_SMS];
    uint8_t evictions, kernels;
    uint8_t broken;  /* the engine did what it must never do */
    uint8_t arrived; /* a packet is chosen for the tracker bank */
    timed_ticket ticket[HYBRID_SMS][TIMED_TICKETS];
    uint8_t copy[HYBRID_SMS][HYBRID_LINES][HYBRID_SECTORS];   /* what the L1s hold */
    uint8_t reply[HYBRID_SMS][TIMED_REPLIES][HYBRID_SECTORS]; /* of entries and loads */
    gm_cycle arrival, data, wake, bank_wake;
    gm_dram_request read[TIMED_READS];
    gm_credit credit[TIMED_CREDITS];
    gm_credit_wire wire;
    timed_channel up[HYBRID_SMS][HYBRID_LINES], down[HYBRID_SMS][HYBRID_WORDS];
    timed_channel supply[HYBRID_SMS][HYBRID_LINES], peer[HYBRID_SMS]; /* peer: to the SM */
    gm_tracker_bank tracker;
    gm_l2_bank bank;
    gm_cycle_l1 l1[HYBRID_SMS];
    _Alignas(64) unsigned char arena[TIMED_ARENA];
} timed_world;

typedef struct timed_machine {
    const hybrid_settings *settings;
    gm_config config;
    gm_cycle_l1_shared l1_shared;
    gm_l2_shared l2_shared;
    gm_tracker_shared tracker_shared;
    gm_network requests, replies, peers; /* nothing but their addresses is used */
    gm_cycle port_wake[HYBRID_SMS];      /* not read: ports are stepped with every reply */
    gm_gddr5 channel;                    /* nothing but its address and its room is used */
    /* What the event under way has chosen: a receiver's channel, and the message in it. */
    timed_channel *request, *reply, *supplied;
    unsigned request_at;
    search_fault fault;
    FILE *log;
    /* The parts of the world that change, and what they were in the first world. */
    image_parts parts;
    unsigned char *first, *from;
    bool is_from; /* the world is `from` */
    timed_world *world;
} timed_machine;

/* The machine that networks, channel and values work on. */
extern timed_machine *the_machine;

#define TIMED_TELL(...) (the_machine->log == NULL ? 0 : fprintf(the_machine->log, __VA_ARGS__))

/* Makes the machine; settings must outlive it. Returns 0, or what an init of the engine refuses.
 * The caller frees it in any case. */
int timed_create(timed_machine **machine, const hybrid_settings *settings, gm_error *error);
void timed_free(timed_machine *machine);

/* The machine as a system of the search. */
search_system timed_system(timed_machine *machine);

/* Makes the world before the first event. Returns 0 or what an init refuses. */
int timed_begin(timed_machine *machine, gm_error *error);

/* Lists the events of the current world, does one; results as those of search_system. */
size_t timed_events(const timed_machine *machine, search_event *events, size_t most);
bool timed_step(timed_machine *machine, search_event event, search_fault *fault);

/* True if nothing is in flight; if the copies that the tracker names have all writes that it has
 * processed, and where nothing is in flight nothing is left. */
bool timed_is_quiet(const timed_machine *machine);
bool timed_is_sound(const timed_machine *machine);
bool timed_may_issue(const timed_machine *machine, unsigned sm);

/* Gives what no longer matters in the current world one value. */
void timed_make_canonical(timed_machine *machine);

/* What values.c works on. */
step timed_values_step(timed_machine *machine);

/* The place in `reply` of data with this id. */
unsigned timed_reply_of(uint32_t id);

#endif

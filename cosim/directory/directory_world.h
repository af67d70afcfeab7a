/* The system that an exploration of a directory protocol runs: SMs with an L1, one L2 bank with its
 * directory, virtual networks of few places, DRAM. What is done in a state comes from the tables of
 * coherence/directory.h; this has what they act on. Whoever explores chooses each next event. */
#ifndef GOLDMEM_COSIM_DIRECTORY_WORLD_H
#define GOLDMEM_COSIM_DIRECTORY_WORLD_H

#include "coherence/directory.h"
#include "explore/search.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    DIRECTORY_SMS = 3,
    DIRECTORY_LINES = 2,
    DIRECTORY_WORDS = 2,   /* of a line */
    DIRECTORY_ENTRIES = 3, /* MSHR entries of an SM */
    DIRECTORY_BUSY = 5,    /* operations of an SM that are not done, at most */
    DIRECTORY_PLACES = 3,  /* of a queue, at most */
    DIRECTORY_WAITING = 4, /* requests that wait in an entry of the L2, at most */
    DIRECTORY_WRITES = 8,  /* of a word, at most */
    DIRECTORY_OPERATIONS = 12,
    DIRECTORY_ANY = 9, /* evictions: any number */
};

/* Rules outside the tables, which an exploration can leave out. */
typedef enum directory_rule {
    RULE_ORDERED_REQUESTS = 1 << 0,  /* an SM's requests keep their order */
    RULE_ORDERED_RESPONSES = 1 << 1, /* an SM's responses keep their order */
    RULE_LINES_WAIT = 1 << 2,        /* a request waits behind those that wait for its line */
    RULE_UPGRADES = 1 << 3,          /* an UPGRADE of an SM that is no sharer is a GETX */
    RULE_ACKNOWLEDGES = 1 << 4,      /* an INV is acknowledged if the line is gone */
    RULE_ENTRY_FIRST = 1 << 5,       /* VIni: a fetch takes the directory's entry */
    RULES = 6,
} directory_rule;

extern const char *const directory_rule_names[RULES];

typedef struct directory_operation {
    uint8_t event, line, word; /* gm_directory_l1_event */
} directory_operation;

/* Rows of the protocol's tables that an event has used. */
typedef struct directory_uses {
    bool l1[96], l2[96];
} directory_uses;

typedef struct directory_settings {
    const gm_directory_protocol *protocol;
    directory_operation operation[DIRECTORY_OPERATIONS];
    unsigned operations;
    unsigned sms, each, all;     /* SMs; operations of an SM, of all */
    unsigned evictions;          /* L1, L2 and directory, each: at most */
    unsigned l1_slots, l2_slots; /* lines that a cache holds */
    unsigned entries;            /* of the directory: VIni */
    unsigned mshrs;              /* of the L2 */
    unsigned places;             /* of each queue */
    uint8_t up[GM_DIRECTORY_NETWORKS], down[GM_DIRECTORY_NETWORKS]; /* queue of a network */
    unsigned rules;
    directory_uses *uses;
    bool outcomes; /* checks only what loads get, lost writes and deadlock */
} directory_settings;

typedef struct directory_message {
    uint8_t kind, line, word;
    uint8_t sm;    /* the sender, to the L2 */
    uint8_t id;    /* of a write: its value */
    uint8_t entry; /* of the sender's MSHRs */
    uint8_t flag;  /* ACK: of an UPGRADE; WB_DATA: the sender keeps its copy */
    uint8_t data[DIRECTORY_WORDS];
} directory_message;

typedef struct directory_queue {
    uint8_t count;
    directory_message message[DIRECTORY_PLACES];
} directory_queue;

/* An operation of an SM that is not done. */
typedef struct directory_busy {
    uint8_t event, line, word;
    uint8_t id;          /* of a write: its value; else 0 */
    uint8_t own;         /* value of the SM's last write of the word before it */
    uint8_t least, most; /* positions that a load may get */
    uint8_t entry;       /* 1 + the MSHR entry in which it waits; 0: none */
} directory_busy;

typedef struct directory_copy {
    uint8_t state, due; /* due: acknowledgements */
    uint8_t open;       /* 1 + the line's open entry; 0: none */
    uint8_t data[DIRECTORY_WORDS];
} directory_copy;

typedef struct directory_sm {
    uint8_t issued;
    uint8_t count;
    directory_busy busy[DIRECTORY_BUSY]; /* in program order */
    directory_copy copy[DIRECTORY_LINES];
    uint8_t entries;                                /* mask of MSHR entries in use */
    uint8_t last[DIRECTORY_LINES][DIRECTORY_WORDS]; /* the SM's last write; 0: none */
    directory_queue up[GM_DIRECTORY_NETWORKS], down[GM_DIRECTORY_NETWORKS];
} directory_sm;

typedef struct directory_line {
    uint8_t state;
    uint8_t sharers; /* mask of SMs */
    uint8_t due;     /* mask of SMs whose acknowledgements are due */
    uint8_t owner;   /* 1 + SM; 0: none */
    uint8_t count;
    directory_message waiting[DIRECTORY_WAITING];
    uint8_t data[DIRECTORY_WORDS], memory[DIRECTORY_WORDS];
    /* The writes of each word in the order in which they were performed, and how many of them each
     * load that begins now must see. */
    uint8_t writes[DIRECTORY_WORDS];
    uint8_t order[DIRECTORY_WORDS][DIRECTORY_WRITES];
    uint8_t seen[DIRECTORY_WORDS];
} directory_line;

typedef struct directory_world {
    uint8_t held[GM_DIRECTORY_NETWORKS]; /* 1 + the SM whose message holds the bank's queue up; 0 */
    uint8_t evictions[3];
    directory_line line[DIRECTORY_LINES];
    directory_sm sm[DIRECTORY_SMS];
} directory_world;

typedef enum directory_event_kind {
    DIRECTORY_ISSUE,    /* SM a does operation b of the list */
    DIRECTORY_EVICT,    /* SM a drops line b */
    DIRECTORY_RECEIVE,  /* SM a takes message b / NETWORKS of queue b % NETWORKS */
    DIRECTORY_SERVE,    /* the L2 takes such a message of SM a */
    DIRECTORY_NEXT,     /* the L2 does the next request that waits for line a */
    DIRECTORY_MEMORY,   /* the data of line a are there */
    DIRECTORY_L2_EVICT, /* the L2 evicts line a */
    DIRECTORY_FORGET,   /* the directory evicts line a */
} directory_event_kind;

/* What a step works on. */
typedef struct directory_step {
    directory_world *w;
    const directory_settings *s;
    search_fault *fault;
    FILE *log; /* NULL: none */
} directory_step;

static inline bool directory_has(const directory_settings *s, directory_rule rule)
{
    return (s->rules & rule) != 0;
}

/* Events: return false if not possible now; the world is then of no use. */
bool directory_issue(directory_step *t, unsigned sm, const directory_operation *operation);
bool directory_evict(directory_step *t, unsigned sm, unsigned line);
bool directory_receive(directory_step *t, unsigned sm, unsigned queue, unsigned place);
bool directory_serve(directory_step *t, unsigned sm, unsigned queue, unsigned place);
bool directory_next(directory_step *t, unsigned line);
bool directory_own(directory_step *t, unsigned line, gm_directory_l2_event event);

bool directory_do(directory_world *w, const directory_settings *s, search_event event,
                  search_fault *fault, FILE *log);
size_t directory_events(const directory_world *w, const directory_settings *s, search_event *events,
                        size_t most);

/* True if nothing is in flight. */
bool directory_is_quiet(const directory_world *w, const directory_settings *s);
/* True if the copies and the directory agree; of a quiet world: if no write is lost. */
bool directory_is_sound(const directory_world *w, const directory_settings *s, bool quiet);

size_t directory_pack(const directory_world *w, const directory_settings *s, uint8_t *bytes);
void directory_unpack(directory_world *w, const directory_settings *s, const uint8_t *bytes);

/* values.c: what loads may get. A position is the number of writes of a word that were performed
 * up to a value's. */
void directory_perform(directory_step *t, unsigned line, unsigned word, unsigned id);
/* A write is complete: each load that begins from now on sees it. */
void directory_complete(directory_step *t, unsigned line, unsigned word, unsigned id);
/* A load of SM `sm` gets a value. */
void directory_loaded(directory_step *t, unsigned sm, directory_busy load, unsigned value);
/* The newest value of a word. */
uint8_t directory_newest(const directory_world *w, unsigned line, unsigned word);

bool directory_push(directory_queue *queue, const directory_settings *s, directory_message message);
bool directory_has_room(const directory_queue *queue, const directory_settings *s, unsigned more);
directory_message directory_pop(directory_queue *queue, unsigned place);

#endif

/* The system that the exploration of hybrid caching runs [anssari, 3]: two SMs with the real tags,
 * access rules and MSHRs of an L1, the real sharing tracker, and an L2 that performs in order.
 * Between them the messages of the tracker's contract, of which every delay is a choice. A world is
 * plain memory: it is copied to go back. docs/hybrid-findings.md says what is explored. */
#ifndef GOLDMEM_COSIM_HYBRID_HYBRID_H
#define GOLDMEM_COSIM_HYBRID_HYBRID_H

#include "cache/cache.h"
#include "cache/l1_access_rules.h"
#include "explore/search.h"

#include "goldmem/mshr.h"
#include "goldmem/sharing_tracker.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    HYBRID_SMS = 2,
    HYBRID_LINES = 2,
    HYBRID_SECTORS = 2, /* of a line; a sector is one word, and a line of the L2 */
    HYBRID_WORDS = HYBRID_LINES * HYBRID_SECTORS,
    HYBRID_WAYS = 2,        /* of an L1's one set, at most */
    HYBRID_ENTRIES = 2,     /* of an L1's MSHRs */
    HYBRID_MERGES = 3,      /* loads of an entry */
    HYBRID_BUCKETS = 8,     /* of the MSHRs' look-up: gm_mshr's */
    HYBRID_LOADS = 6,       /* loads of an SM without an answer */
    HYBRID_MESSAGES = 10,   /* of a channel, at most */
    HYBRID_TOKENS = 8,      /* values of a word that are somewhere, at most, with the initial one */
    HYBRID_OPERATIONS = 16, /* that an SM may choose from, or a program's */
    HYBRID_TRACKER_SETS = 2,
    HYBRID_TRACKER_WAYS = 2, /* at most */
    HYBRID_NOBODY = HYBRID_SMS,
};

/* Rules outside the blocks, which an exploration can leave out. */
typedef enum hybrid_rule {
    RULE_CLOSES = 1 << 0,    /* an own store, atomic or strong load closes the line's MSHR entry */
    RULE_HOLDS = 1 << 1,     /* a store, atomic or strong load waits while its SM has an
                                unanswered LOOKUP of the line */
    RULE_SECTORS = 1 << 2,   /* a miss on a line that the L1 holds leaves no mark */
    RULE_PACKETS = 1 << 3,   /* each packet of a store is a WRITE to the tracker */
    RULE_REQUESTS = 1 << 4,  /* messages of an SM on a line reach the tracker in order */
    RULE_L2 = 1 << 5,        /* messages of the tracker on a sector reach the L2 in order */
    RULE_REFUSES = 1 << 6,   /* without a credit a hit counts as a miss; else the tracker waits */
    RULE_RESERVES = 1 << 7,  /* FILL and EVICT of a fill have queue places of their own */
    RULE_FLUSHES = 1 << 8,   /* a kernel's end flushes the tracker */
    RULE_DROPS = 1 << 9,     /* a kernel's end drops the lines of the L1s */
    RULE_CLOSED = 1 << 10,   /* a closed entry sends no FILL */
    RULE_WAITS = 1 << 11,    /* a kernel's end waits until no message is in flight */
    RULE_RETURNS = 1 << 12,  /* a supplier without every sector returns the request */
    RULE_PENDING = 1 << 13,  /* a supplier whose line is in flight again returns it, too */
    RULE_WRITES = 1 << 14,   /* a store is a WRITE to the tracker */
    RULE_COHERENT = 1 << 15, /* an atomic or strong load is a COHERENT to the tracker */
    RULE_EVICTS = 1 << 16,   /* an eviction is an EVICT to the tracker */
    /* Parts of RULE_REQUESTS: no later message reaches the tracker before a FILL, EVICT, RETURN. */
    RULE_FILL_ORDER = 1 << 17,
    RULE_EVICT_ORDER = 1 << 18,
    RULE_RETURN_ORDER = 1 << 19,
    RULES = 20,
} hybrid_rule;

extern const char *const hybrid_rule_names[RULES];

typedef struct hybrid_operation {
    uint8_t kind; /* gm_request_kind, or HYBRID_BYPASS */
    uint8_t line, sectors;
} hybrid_operation;

enum { HYBRID_BYPASS = GM_REQUEST_REDUCTION + 1 }; /* a load that bypasses the L1 unless it hits */

typedef struct hybrid_settings {
    unsigned rules; /* hybrid_rule: those that hold */
    /* What an SM may do: its program in order, or any operation of the list at any time. */
    hybrid_operation operation[HYBRID_SMS][HYBRID_OPERATIONS];
    unsigned operations[HYBRID_SMS];
    bool program;
    unsigned most[HYBRID_SMS]; /* operations that an SM does */
    unsigned all;              /* operations of all SMs */
    unsigned evictions;        /* that no miss causes, of all SMs */
    unsigned kernels;          /* ends of kernels */
    bool sectored, on_fill;
    gm_write_policy write;
    unsigned l1_ways, tracker_ways;
    unsigned pointers; /* of the tracker */
    unsigned credits;  /* SUPPLYs of an SM without an answer */
    unsigned queue;    /* places of a queue for all lines; 0: a queue for each line, unbounded */
    bool whole;        /* does without hybrid_name_values */
    bool asks;         /* cycle engine: each SM has a tracker of its own; they ask each other */
    bool monotone;     /* also checks what is not promised: an SM's loads never go backwards */
    bool copies;       /* checks the copies that the tracker names, not only what loads get */
} hybrid_settings;

typedef enum hybrid_kind {
    MESSAGE_NONE,
    MESSAGE_LOOKUP, /* from an SM to the tracker */
    MESSAGE_FILL,
    MESSAGE_EVICT,
    MESSAGE_WRITE, /* and from the tracker to the L2 */
    MESSAGE_STRONG,
    MESSAGE_ATOMIC,
    MESSAGE_RETURN,
    MESSAGE_READ, /* from the tracker to the L2 */
    MESSAGE_DATA, /* from the L2 to an SM */
    MESSAGE_ACK,
    MESSAGE_SUPPLY,   /* from the tracker to an SM */
    MESSAGE_SUPPLIED, /* from an SM to another */
} hybrid_kind;

typedef struct hybrid_message {
    uint8_t kind, sm; /* sm: who requested */
    uint8_t id;       /* MSHR entry, or HYBRID_ENTRIES + load */
    uint8_t line, sectors;
    uint8_t flag; /* LOOKUP: will_fill; WRITE: the first packet of a store */
    uint8_t value[HYBRID_SECTORS];
} hybrid_message;

typedef struct hybrid_channel {
    uint8_t count;
    hybrid_message message[HYBRID_MESSAGES]; /* the oldest first */
} hybrid_channel;

typedef enum hybrid_load_state { LOAD_FREE, LOAD_WAITS, LOAD_UNDECIDED } hybrid_load_state;

/* A load, strong load or atomic. */
typedef struct hybrid_load {
    uint8_t state;
    uint8_t line, sectors;         /* sectors whose values are not judged */
    uint8_t lookup;                /* a LOOKUP of its own asks for them */
    uint8_t limit;                 /* writes that its SM had accepted */
    uint8_t floor[HYBRID_SECTORS]; /* the last of these, or what a kernel's end left */
    uint8_t value[HYBRID_SECTORS]; /* LOAD_UNDECIDED */
} hybrid_load;

/* A write of a word. */
typedef struct hybrid_token {
    uint8_t owner;     /* SM; HYBRID_NOBODY: no matter */
    uint8_t accept;    /* its number among the owner's writes */
    uint8_t processed; /* its number at the tracker, 0: not yet there */
    uint8_t performed; /* its number at the L2, likewise */
} hybrid_token;

typedef struct hybrid_word {
    hybrid_token token[HYBRID_TOKENS]; /* 0: the initial value */
    uint8_t last;                      /* token that the tracker has processed last */
    uint8_t l2;                        /* token that the L2 has */
    /* Of each SM: its last write, or what the L2 had at the last end of a kernel. */
    uint8_t floor[HYBRID_SMS];
} hybrid_word;

/* What writes and loads there are; whoever holds a value has its token's number. */
typedef struct hybrid_values {
    hybrid_word word[HYBRID_WORDS];
    hybrid_load load[HYBRID_SMS][HYBRID_LOADS];
    uint8_t accepted[HYBRID_SMS]; /* writes */
} hybrid_values;

typedef struct hybrid_entry {
    uint8_t fetched, missing; /* sectors */
    uint8_t fills;            /* its LOOKUP had will_fill */
    uint8_t value[HYBRID_SECTORS];
} hybrid_entry;

typedef struct hybrid_sm {
    gm_cache cache;
    gm_cache_way way[HYBRID_WAYS];
    uint64_t head[2], waiting[1];
    uint8_t data[HYBRID_WAYS][HYBRID_SECTORS];
    gm_mshr mshr;
    uint16_t bucket[HYBRID_BUCKETS];
    gm_mshr_entry mshr_entry[HYBRID_ENTRIES];
    uint64_t requester[HYBRID_ENTRIES * (HYBRID_MERGES - 1)];
    hybrid_entry entry[HYBRID_ENTRIES];
    uint8_t done;                        /* operations */
    uint8_t credits;                     /* that the tracker has */
    uint8_t wire;                        /* credits in flight to it */
    hybrid_channel up[HYBRID_LINES];     /* to the tracker */
    hybrid_channel down[HYBRID_WORDS];   /* from the L2; with shared queues the first is all */
    hybrid_channel supply[HYBRID_LINES]; /* from the tracker; with shared queues: its places */
    hybrid_channel returns;              /* RETURNs that wait for the queue */
    hybrid_channel peer;                 /* to the other SM */
} hybrid_sm;

typedef struct hybrid_world {
    uint8_t evictions, kernels;
    hybrid_values values;
    hybrid_channel l2[HYBRID_WORDS]; /* from the tracker to the L2 */
    hybrid_channel stalled;          /* without RULE_REFUSES: a LOOKUP in the tracker that waits */
    gm_sharing_tracker tracker;
    uint32_t valid[HYBRID_TRACKER_SETS];
    uint64_t line[HYBRID_TRACKER_SETS * HYBRID_TRACKER_WAYS];
    uint64_t marks[HYBRID_TRACKER_SETS * HYBRID_TRACKER_WAYS];
    uint64_t sharers[HYBRID_TRACKER_SETS * HYBRID_TRACKER_WAYS];
    uint8_t pointer[HYBRID_TRACKER_SETS * HYBRID_TRACKER_WAYS * HYBRID_SMS];
    uint8_t supplier[HYBRID_TRACKER_SETS * HYBRID_TRACKER_WAYS];
    uint8_t rank[HYBRID_TRACKER_SETS * HYBRID_TRACKER_WAYS];
    hybrid_sm sm[HYBRID_SMS];
} hybrid_world;

typedef enum hybrid_event_kind {
    HYBRID_ISSUE,   /* SM `a` does operation `b` */
    HYBRID_EVICT,   /* SM `a` evicts line `b` */
    HYBRID_TRACKER, /* the tracker takes message b / LINES of SM `a` on line b % LINES */
    HYBRID_L2,      /* the L2 takes message `b` on word `a` */
    HYBRID_REPLY,   /* SM `a` takes the oldest reply on word `b` */
    HYBRID_SUPPLY,  /* SM `a` takes the oldest SUPPLY on line `b` */
    HYBRID_SEND,    /* the tracker sends the oldest SUPPLY for SM `a` (shared queues) */
    HYBRID_RETURN,  /* SM `a` sends its oldest RETURN (shared queues) */
    HYBRID_PEER,    /* the other SM takes the oldest SUPPLIED of SM `a` */
    HYBRID_STALLED, /* the tracker goes on with the LOOKUP that waits */
    HYBRID_CREDIT,  /* the tracker gets a credit of SM `a` back */
    HYBRID_KERNEL,  /* a kernel ends, and the next begins */
    HYBRID_ANSWER,  /* cycle engine: SM `a` answers the next load of an entry */
    HYBRID_ASK,     /* cycle engine: the tracker bank asks the other SM's tracker */
} hybrid_event_kind;

/* Worlds before the first event, copies, events; as the functions of search_system. */
int hybrid_init(hybrid_world *w, const hybrid_settings *settings, gm_error *error);
void hybrid_copy(hybrid_world *to, const hybrid_world *from);
size_t hybrid_events(const hybrid_world *w, const hybrid_settings *settings, search_event *events,
                     size_t most);
bool hybrid_step(hybrid_world *w, const hybrid_settings *settings, search_event event,
                 search_fault *fault, FILE *log);
bool hybrid_is_quiet(const hybrid_world *w);
bool hybrid_is_final(const hybrid_world *w, const hybrid_settings *settings);
bool hybrid_is_sound(const hybrid_world *w, const hybrid_settings *settings);

/* Numbers what a world holds in one way; writes a canonical world into `bytes`, reads it back. */
void hybrid_make_canonical(hybrid_world *w, const hybrid_settings *settings);
size_t hybrid_pack(hybrid_world *w, const hybrid_settings *settings, uint8_t *bytes);
void hybrid_unpack(hybrid_world *w, const hybrid_settings *settings, const uint8_t *bytes);

/* Called with a value that somebody holds, by its word. */
typedef void hybrid_visitor(void *context, unsigned word, uint8_t *value);
/* Calls `visit` with each value that `holder` holds. */
typedef void hybrid_visit(void *holder, hybrid_visitor *visit, void *context);

/* Numbers the tokens by what is known of their order, forgets those that nobody holds, and makes
 * equal what no check can tell apart. `all` visits the values that lie outside. */
void hybrid_name_values(hybrid_values *values, hybrid_visit *all, void *holder);

/* The line address of a line: both have one set of the tracker. */
static inline uint64_t hybrid_address(unsigned line)
{
    return UINT64_C(2) * line;
}

static inline unsigned hybrid_line(uint64_t address)
{
    return (unsigned)(address / 2);
}

#endif

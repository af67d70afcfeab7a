/* Breadth-first search of all worlds that a litmus test can reach: finds whether its outcome can
 * appear, by the shortest sequence of events. What a world is, is the explored system's. */
#ifndef GOLDMEM_COSIM_EXPLORE_SEARCH_H
#define GOLDMEM_COSIM_EXPLORE_SEARCH_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SEARCH_BYTES = 2048 /* of a packed world, at most */ };

/* An event; the system gives the numbers their meaning. */
typedef struct search_event {
    uint8_t kind, a, b;
} search_event;

/* What may never be, whatever the test. */
typedef enum search_fault {
    FAULT_NONE,
    FAULT_STALE, /* a fence completed while another SM may use an older copy */
    FAULT_ERROR, /* a block answered `error` */
    FAULT_OLD,   /* a load got an older value than it may */
    FAULT_YOUNG, /* a load got the value of a later write of its own SM */
} search_fault;

/* An explored system. It has two worlds: the one whose events are done, and the current one, to
 * which the last event has led. `own` is passed to each function. */
typedef struct search_system {
    void *own;
    /* Makes the current world the one before the first event. Returns 0, or what an init refuses.
     */
    int (*begin)(void *own, gm_error *error);
    /* Makes the current world the one whose events are done, as it is. */
    void (*keep)(void *own);
    /* Makes the current world canonical and writes it into `bytes`, which are 0; returns the number
     * of bytes, at most SEARCH_BYTES. */
    size_t (*pack)(void *own, uint8_t *bytes);
    /* Makes the world in `bytes` the one whose events are done. */
    void (*unpack)(void *own, const uint8_t *bytes);
    /* Lists the events of the world whose events are done; `step` may still refuse one. */
    size_t (*events)(void *own, search_event *events, size_t most);
    /* Makes the current world the one to which an event leads. Returns false if it is not possible.
     * Sets *fault. Tells what happened in `log`, unless NULL. */
    bool (*step)(void *own, search_event event, search_fault *fault, FILE *log);
    /* True if all is done in the current world; sets *holds to whether the outcome appears. */
    bool (*is_final)(void *own, bool *holds);
    /* True if the checks of the current world's parts pass. */
    bool (*is_sound)(void *own, bool final);
    /* Called where at most one event is possible: true if time alone leads to no other one. NULL:
     * not asked. */
    bool (*is_stuck)(void *own);
} search_system;

typedef enum search_end {
    SEARCH_NEVER,  /* all worlds are visited; the outcome does not appear */
    SEARCH_SHOWN,  /* the outcome appears */
    SEARCH_STALE,  /* a fence completed while another SM may use an older copy */
    SEARCH_ERROR,  /* a block answered `error` */
    SEARCH_BROKEN, /* a check failed */
    SEARCH_OLD,    /* a load got an older value than it may */
    SEARCH_YOUNG,  /* a load got the value of a later write of its own SM */
    SEARCH_STUCK,  /* a world that is not final is left by no event but time */
    SEARCH_BOUND,  /* none of these, within the bound of worlds */
} search_end;

const char *search_end_text(search_end end);

typedef struct search_result {
    search_end end;
    uint64_t worlds; /* visited */
    uint64_t finals; /* of them, those in which all is done */
    unsigned depth;  /* events to the farthest world, or to the outcome */
    /* The shortest sequence to the outcome, unless NEVER or BOUND; freed by the caller. */
    search_event *events;
} search_result;

/* Searches at most `most` worlds. Returns 0; -ENOMEM; -EINVAL if the sequence that it found does
 * not repeat, so that the reductions are wrong. The caller frees result->events in any case. */
int search_in(const search_system *system, uint64_t most, search_result *result, gm_error *error);

/* Does the events again, each with its line in `log`. Returns 0, or what `begin` refuses. */
int search_tell_in(const search_system *system, const search_result *result, FILE *log,
                   gm_error *error);

#endif

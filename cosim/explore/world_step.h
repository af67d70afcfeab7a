/* What the files of a world's step share: world.c (time, events), world_sm.c (an SM), world_l2.c
 * (the L2). */
#ifndef GOLDMEM_EXPLORE_WORLD_STEP_H
#define GOLDMEM_EXPLORE_WORLD_STEP_H

#include "world.h"

#include <string.h>

/* What a step works on. */
typedef struct step {
    world *w;
    const world_settings *s;
    world_fault *fault;
    FILE *log;
} step;

#define TELL(step, ...) ((step)->log == NULL ? (void)0 : (void)fprintf((step)->log, __VA_ARGS__))

static inline bool has_rule(const world_settings *s, world_rule rule)
{
    return (s->rules & rule) != 0;
}

static inline void push(world_channel *channel, world_message message)
{
    channel->message[channel->count++] = message;
}

static inline world_message pop(world_channel *channel)
{
    world_message message = channel->message[0];
    channel->count--;
    memmove(channel->message, channel->message + 1, sizeof message * channel->count);
    return message;
}

static inline char line_name(unsigned line)
{
    return (char)('x' + line);
}

/* An SM. Each returns false if the event is not possible. */
bool world_issue(step *t, unsigned warp);
bool world_take_answer(step *t, unsigned number, unsigned line);
bool world_evict(step *t, unsigned number, unsigned slot);

/* A rollover closes the SM's entries. */
void world_close_entries(step *t, world_sm *sm);

/* The L2 serves the oldest message of an SM on a line. Returns false if it must wait. */
bool world_serve(step *t, unsigned number, unsigned line);

#endif

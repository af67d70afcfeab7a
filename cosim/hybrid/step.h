/* What the files of a step share: world.c (events), l1.c (an SM), memory.c (tracker and L2),
 * values.c (what loads may get). */
#ifndef GOLDMEM_COSIM_HYBRID_STEP_H
#define GOLDMEM_COSIM_HYBRID_STEP_H

#include "hybrid.h"

#include <string.h>

/* What a step works on. */
typedef struct step {
    hybrid_world *w;
    hybrid_values *values;
    const hybrid_settings *s;
    search_fault *fault;
    FILE *log;
} step;

#define TELL(step, ...) ((step)->log == NULL ? (void)0 : (void)fprintf((step)->log, __VA_ARGS__))

static inline bool has_rule(const hybrid_settings *s, hybrid_rule rule)
{
    return (s->rules & rule) != 0;
}

static inline unsigned word_of(unsigned line, unsigned sector)
{
    return line * HYBRID_SECTORS + sector;
}

static inline char line_name(unsigned line)
{
    return (char)('x' + line);
}

/* Names of sectors by their masks. */
static inline const char *sectors_name(unsigned sectors)
{
    static const char *const names[] = {"", "0", "1", "01"};
    return names[sectors & 3];
}

static inline hybrid_message pop(hybrid_channel *channel, unsigned index)
{
    hybrid_message message = channel->message[index];
    channel->count--;
    memmove(&channel->message[index], &channel->message[index + 1],
            sizeof message * (channel->count - index));
    return message;
}

/* A channel's number for a line or word: with shared queues there is one. */
static inline unsigned channel_of(const hybrid_settings *s, unsigned number)
{
    return s->queue == 0 ? number : 0;
}

/* True if so many more messages may enter: more than the queue has places when it is empty. */
static inline bool has_room(const hybrid_settings *s, const hybrid_channel *channel, unsigned count)
{
    return s->queue == 0 || channel->count == 0 || channel->count + count <= s->queue;
}

/* A list of events that grows. */
typedef struct hybrid_event_list {
    search_event *event;
    size_t count, most;
} hybrid_event_list;

static inline void hybrid_add_event(hybrid_event_list *list, hybrid_event_kind kind, unsigned a,
                                    unsigned b)
{
    if (list->count < list->most) {
        list->event[list->count++] = (search_event){(uint8_t)kind, (uint8_t)a, (uint8_t)b};
    }
}

/* Adds the operations that an SM may do next; `done`: operations of each SM. With one list for both
 * it makes no difference which is first: SM 0. */
void hybrid_add_operations(hybrid_event_list *list, const hybrid_settings *s, unsigned sm,
                           const uint8_t *done);

/* Appends a message. */
void hybrid_push(step *t, hybrid_channel *channel, hybrid_message message);

/* Values. Accepts a write of SM `owner`; returns its token. */
uint8_t hybrid_accept(step *t, unsigned owner, unsigned word);
void hybrid_process(step *t, unsigned word, uint8_t token); /* at the tracker */
void hybrid_perform(step *t, unsigned word, uint8_t token); /* at the L2 */

/* True if `value` is certainly older than `other`. */
bool hybrid_is_older(const hybrid_values *values, const hybrid_settings *s, unsigned word,
                     uint8_t value, uint8_t other);

/* A load gets a sector's value. */
void hybrid_give(step *t, unsigned sm, hybrid_load *load, unsigned sector, uint8_t value);

/* Judges the loads whose values could not be judged before. */
void hybrid_judge_again(step *t);

/* Prints a value's name. */
void hybrid_tell_value(step *t, unsigned word, uint8_t value);

/* An SM. Each returns false if the event is not possible. */
bool hybrid_issue(step *t, unsigned number, const hybrid_operation *op);
bool hybrid_evict(step *t, unsigned number, unsigned line);
bool hybrid_take_reply(step *t, unsigned number, unsigned channel);
bool hybrid_take_supply(step *t, unsigned number, hybrid_message supply);
bool hybrid_take_supplied(step *t, unsigned from);
void hybrid_end_kernel(step *t, hybrid_sm *sm);

/* The sectors of a line that an L1 holds; sets *slot to its slot, if present. */
uint32_t hybrid_held(const hybrid_sm *sm, unsigned line, uint32_t *slot);

/* Tracker and L2. */
bool hybrid_track(step *t, unsigned number, unsigned line, unsigned index);
bool hybrid_track_stalled(step *t);
bool hybrid_serve(step *t, unsigned channel, unsigned index);

#endif

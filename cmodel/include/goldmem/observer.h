/* Observer: a function that is called with each transaction of a block in a run, so that the
 * block's RTL can be checked in the full system. A run without observers has no cost for them. */
#ifndef GOLDMEM_OBSERVER_H
#define GOLDMEM_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls come from one thread at a time, in the order in which the block is used. */
typedef struct gm_observer {
    void *context;
    /* One call: the request and the C model's response, each the fields of the block's port list
     * (goldmem/ports.h) in order. */
    void (*call)(void *context, const uint64_t *request, const uint64_t *response);
} gm_observer;

/* Returns observer `number` of an array; NULL, no observer, where there is no array. */
static inline const gm_observer *gm_observer_of(const gm_observer *observers, uint32_t number)
{
    return observers != NULL ? &observers[number] : NULL;
}

#ifdef __cplusplus
}
#endif

#endif

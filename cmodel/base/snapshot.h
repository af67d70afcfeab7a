/* Snapshot: saves a unit's state to a checkpoint and loads it back. A unit names its state once, in
 * one function that serves both directions, so that what is saved is what is loaded:
 *
 *     void gm_thing_snapshot(gm_thing *thing, gm_snapshot *snapshot)
 *     {
 *         GM_SNAPSHOT_VALUE(snapshot, thing->head);
 *         GM_SNAPSHOT_ARRAY(snapshot, thing->queue, thing->capacity);
 *     }
 *
 * Pointers and values that follow from the configuration are not state: init makes them. Loading
 * requires a unit that was just initialised with the configuration of the saved one. */
#ifndef GOLDMEM_BASE_SNAPSHOT_H
#define GOLDMEM_BASE_SNAPSHOT_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct gm_snapshot {
    FILE *file; /* NULL: nothing is saved, only `parts` is wanted */
    bool loading;
    int failed;       /* first failure, a negative errno value; nothing moves after it */
    uint64_t bytes;   /* moved so far */
    uint64_t sum;     /* CRC-32 of them */
    uint64_t parts;   /* CRC-32 of the names and sizes of what has moved */
    const char *part; /* for messages: which piece failed */
} gm_snapshot;

/* Saves or loads `size` bytes. `name` goes into the message if the file ends early. */
void gm_snapshot_bytes(gm_snapshot *snapshot, const char *name, void *data, size_t size);

#define GM_SNAPSHOT_VALUE(snapshot, value)                                                         \
    gm_snapshot_bytes(snapshot, #value, &(value), sizeof(value))
#define GM_SNAPSHOT_ARRAY(snapshot, array, count)                                                  \
    gm_snapshot_bytes(snapshot, #array, array, (size_t)(count) * sizeof *(array))

#endif

/* Messages from SMs to L2 banks, in batches. */
#ifndef GOLDMEM_CACHE_MESSAGE_H
#define GOLDMEM_CACHE_MESSAGE_H

#include "cache/traffic.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gm_message {
    uint64_t line;    /* byte address >> log2 of the L2 line size */
    uint32_t sectors; /* of the line */
    union {
        uint32_t whole; /* WRITE: of `sectors`, those of which every byte is written */
        uint32_t fills; /* READ: of `sectors`, those that an L1 installs: all or none */
        uint32_t local; /* READ, with sharing.enabled, which l2.bypass excludes: 1: local memory */
        uint32_t bytes; /* gm_config_sends_bytes: WRITE, ATOMIC, REDUCTION: bytes of its only sector
                           that it writes, in place of `whole` */
    };
    uint16_t sm;
    uint16_t strong; /* READ, with l2.atomic_buffer: 1: of a strong load, which fills no L1 */
    uint32_t kind;   /* gm_message_kind */
} gm_message;

/* Returns the kind under which a message's access and its evictions count. */
static inline gm_access_kind gm_message_access(gm_message_kind kind)
{
    switch (kind) {
    case GM_MESSAGE_READ:
        return GM_LOAD;
    case GM_MESSAGE_ATOMIC:
    case GM_MESSAGE_REDUCTION:
        return GM_ATOMIC;
    case GM_MESSAGE_INSTRUCTION:
        return GM_INSTRUCTION;
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
    case GM_MESSAGE_GETX:
    case GM_MESSAGE_UPGRADE:
    case GM_MESSAGE_LOOKUP:
    case GM_MESSAGE_FILL:
    case GM_MESSAGE_EVICT:
    case GM_MESSAGE_SUPPLY:
    case GM_MESSAGE_SUPPLIED:
    case GM_MESSAGE_RETURN:
    case GM_MESSAGE_INVALIDATE:
    case GM_MESSAGE_RECALL:
    case GM_MESSAGE_FORWARD:
    case GM_MESSAGE_UNBLOCK:
    case GM_MESSAGE_INSTALL:
    case GM_MESSAGE_DISCARD:
    case GM_MESSAGE_KINDS:
        break;
    }
    return GM_STORE;
}

/* True for a coherent operation, which completes in an atomic buffer: an atomic, a reduction, or
 * the READ of a strong load (`strong`). */
static inline bool gm_message_is_coherent(gm_message_kind kind, bool strong)
{
    return strong || gm_message_access(kind) == GM_ATOMIC;
}

enum { GM_BATCH = 4096 };

typedef struct gm_batch {
    uint32_t count;
    gm_message message[GM_BATCH];
} gm_batch;

/* The effect of an access on a cache, for analyses. */
typedef struct gm_outcome {
    uint32_t fills; /* sectors that became valid */
    bool hit;
    bool bypass;
    bool referenced; /* bypass: the access counts as a reference to the line */
    bool drops;      /* the access drops the line */
} gm_outcome;

#endif

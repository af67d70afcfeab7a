/* Messages from SMs to L2 banks, in batches. */
#ifndef GOLDMEM_CACHE_MESSAGE_H
#define GOLDMEM_CACHE_MESSAGE_H

#include "cache/traffic.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gm_message {
    uint64_t line;    /* byte address >> log2 of the L2 line size */
    uint32_t sectors; /* of that line */
    uint32_t whole;   /* WRITE: those of which every byte is written */
    uint32_t sm;
    uint32_t kind; /* gm_message_kind */
} gm_message;

/* What a message's access, or what it evicts, counts under. */
static inline gm_access_kind gm_message_access(gm_message_kind kind)
{
    switch (kind) {
    case GM_MESSAGE_READ:
        return GM_LOAD;
    case GM_MESSAGE_ATOMIC:
    case GM_MESSAGE_REDUCTION:
        return GM_ATOMIC;
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
    case GM_MESSAGE_INSTALL:
    case GM_MESSAGE_DISCARD:
    case GM_MESSAGE_KINDS:
        break;
    }
    return GM_STORE;
}

enum { GM_BATCH = 4096 };

typedef struct gm_batch {
    uint32_t count;
    gm_message message[GM_BATCH];
} gm_batch;

/* What an access did to a cache. */
typedef struct gm_outcome {
    uint32_t fills; /* sectors left valid that were not */
    bool hit;
    bool bypass;
    bool referenced; /* bypass: the line was looked for, and the reference counts */
    bool drops;      /* the line is gone afterwards */
} gm_outcome;

#endif

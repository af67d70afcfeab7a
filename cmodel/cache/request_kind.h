/* Kinds of line request from an SM to its L1. */
#ifndef GOLDMEM_CACHE_REQUEST_KIND_H
#define GOLDMEM_CACHE_REQUEST_KIND_H

#include "cache/traffic.h"

#include <stdbool.h>

typedef enum gm_request_kind {
    GM_REQUEST_LOAD,
    GM_REQUEST_STRONG_LOAD, /* .STRONG.GPU and .STRONG.SYS: sees other SMs' stores */
    GM_REQUEST_STORE,
    GM_REQUEST_ATOMIC,    /* returns the old values */
    GM_REQUEST_REDUCTION, /* returns nothing */
} gm_request_kind;

/* Returns the kind under which statistics count a request. */
static inline gm_access_kind gm_request_access_kind(gm_request_kind kind)
{
    return kind >= GM_REQUEST_ATOMIC ? GM_ATOMIC : kind == GM_REQUEST_STORE ? GM_STORE : GM_LOAD;
}

/* Returns the message with which the L1 forwards a request to the L2. */
static inline gm_message_kind gm_request_message_kind(gm_request_kind kind)
{
    switch (kind) {
    case GM_REQUEST_LOAD:
    case GM_REQUEST_STRONG_LOAD:
        return GM_MESSAGE_READ;
    case GM_REQUEST_STORE:
        return GM_MESSAGE_WRITE;
    case GM_REQUEST_ATOMIC:
        return GM_MESSAGE_ATOMIC;
    case GM_REQUEST_REDUCTION:
        break;
    }
    return GM_MESSAGE_REDUCTION;
}

/* True for the kinds that bypass an L1: strong loads, atomics and reductions. */
static inline bool gm_l1_bypasses_by_kind(gm_request_kind kind)
{
    return kind == GM_REQUEST_STRONG_LOAD || kind >= GM_REQUEST_ATOMIC;
}

#endif

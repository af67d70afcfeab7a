/* Interconnect traffic by class [singh, 8.1, figure 8]: what an SM and an L2 bank send each other,
 * in bytes. Every message has a header, a sector of data 32 bytes. LD, ST and ATO are the data of
 * loads, stores and atomics; all headers, and with them acknowledgements, are REQ. */
#ifndef GOLDMEM_CACHE_TRAFFIC_H
#define GOLDMEM_CACHE_TRAFFIC_H

#include "goldmem/statistics.h"

typedef enum gm_message_kind {
    GM_MESSAGE_READ,       /* a fill, or a load that bypasses the L1: answered with data */
    GM_MESSAGE_WRITE,      /* a store: data, acknowledged */
    GM_MESSAGE_WRITE_BACK, /* dirty sectors of an L1 line: data, acknowledged */
    GM_MESSAGE_ATOMIC,     /* operands, answered with the old values */
    GM_MESSAGE_REDUCTION,  /* operands, acknowledged */
    GM_MESSAGE_INSTALL,    /* a host copy leaves a line in the L2: not on the interconnect */
    GM_MESSAGE_DISCARD,    /* a host copy makes what the L2 holds stale: likewise */
    GM_MESSAGE_KINDS
} gm_message_kind;

/* Messages and their sectors, counted at one end of the interconnect. */
typedef struct gm_message_counts {
    uint64_t messages[GM_MESSAGE_KINDS];
    uint64_t sectors[GM_MESSAGE_KINDS]; /* asked for (READ) or sent along */
} gm_message_counts;

/* into += from */
void gm_message_counts_add(gm_message_counts *into, const gm_message_counts *from);

/* Bytes of all these messages and of their answers. */
gm_traffic_statistics gm_traffic_of(const gm_message_counts *counts, uint64_t header);

#endif

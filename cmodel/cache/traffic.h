/* Interconnect traffic by class [singh, 8.1, figure 8]: bytes of the messages between SMs and L2
 * banks. Every message has a header; a sector of data has 32 bytes. LD, ST and ATO are the data of
 * loads, stores and atomics, INS those of instruction fetches; REQ is all headers, acknowledgements
 * included, but for those of INV and RCL, invalidations and recalls with their acknowledgements;
 * data of a recall are RCL. MESI: ST is the data of lines to write, of write-backs and of owners.
 * TRK is the headers of the messages between L1s and sharing trackers, REM the data that an L1
 * supplies to another, VIC the data of clean lines that L1s evict. */
#ifndef GOLDMEM_CACHE_TRAFFIC_H
#define GOLDMEM_CACHE_TRAFFIC_H

#include "goldmem/statistics.h"

typedef enum gm_message_kind {
    GM_MESSAGE_READ,        /* a fill, or a load that bypasses the L1: answered with data */
    GM_MESSAGE_WRITE,       /* a store: data, acknowledged */
    GM_MESSAGE_WRITE_BACK,  /* dirty sectors of an L1 line: data, acknowledged */
    GM_MESSAGE_ATOMIC,      /* operands, answered with the old values */
    GM_MESSAGE_REDUCTION,   /* operands, acknowledged */
    GM_MESSAGE_INSTRUCTION, /* a line of instructions: answered with data */
    /* MESI: */
    GM_MESSAGE_GETX,    /* a line to write: answered with data */
    GM_MESSAGE_UPGRADE, /* to write a copy: acknowledged, or answered with data */
    /* Between L1s and sharing trackers; an L2 bank gets none but EVICT: */
    GM_MESSAGE_LOOKUP, /* a load missed or bypassed the L1: a READ, unless another L1 supplies */
    GM_MESSAGE_FILL,   /* a LOOKUP's data are installed in the L1 */
    GM_MESSAGE_EVICT, /* the L1 has evicted a clean line; with l2.victim its data, which the tracker
                         sends on to the L2 */
    GM_MESSAGE_SUPPLY,   /* tracker to supplier: the LOOKUP of another SM */
    GM_MESSAGE_SUPPLIED, /* supplier to that SM: data */
    GM_MESSAGE_RETURN,   /* supplier to tracker: lacks the sectors */
    /* An L2 bank with a directory to an SM that may have a copy; acknowledged: */
    GM_MESSAGE_INVALIDATE, /* another SM writes the line */
    GM_MESSAGE_RECALL,     /* the L2 has evicted the line; MESI: a dirty copy's data */
    /* MESI: */
    GM_MESSAGE_FORWARD, /* an L2 bank to a line's owner, which answers with dirty data */
    GM_MESSAGE_UNBLOCK, /* SM to L2 bank: it has the line that it owns now */
    GM_MESSAGE_INSTALL, /* a host copy puts a line into the L2; not on the interconnect */
    GM_MESSAGE_DISCARD, /* a host copy makes a line of the L2 stale; not on the interconnect */
    GM_MESSAGE_KINDS
} gm_message_kind;

/* Messages and their sectors, counted at one end of the interconnect. */
typedef struct gm_message_counts {
    uint64_t messages[GM_MESSAGE_KINDS];
    uint64_t sectors[GM_MESSAGE_KINDS]; /* requested (READ) or sent with the message */
    uint64_t answered; /* sectors of lines with which stores, UPGRADEs were answered: coherence */
    uint64_t strong, strong_sectors; /* READs of strong loads that SMs sent, with l2.atomic_buffer,
                                        and their sectors */
} gm_message_counts;

/* into += from */
void gm_message_counts_add(gm_message_counts *into, const gm_message_counts *from);

/* Returns the bytes of the counted messages and of their answers. `header`: bytes of a header. */
gm_traffic_statistics gm_traffic_of(const gm_message_counts *counts, uint64_t header);

#endif

/* Packets of the cycle engine: what SMs and L2 banks send each other. A response carries the id of
 * its request; responses match by id, never by line alone. */
#ifndef GOLDMEM_CYCLE_PACKET_H
#define GOLDMEM_CYCLE_PACKET_H

#include "cycle/clock.h"
#include "system/traffic.h"

typedef struct gm_packet {
    uint64_t line;    /* byte address >> log2 of the L2 line size */
    uint32_t sectors; /* of that line */
    uint32_t whole;   /* WRITE: those of which every byte is written */
    uint32_t id;      /* the requester's own; comes back unchanged */
    uint16_t sm;
    uint16_t bank;    /* partition * banks of a partition + bank */
    uint8_t kind;     /* gm_message_kind: READ, WRITE, WRITE_BACK, ATOMIC or REDUCTION */
    uint8_t response; /* 1: the answer of an L2 bank */
} gm_packet;

/* Bytes on the interconnect: a header, and 32 for each sector of WRITE, WRITE_BACK, ATOMIC,
 * REDUCTION requests and of READ and ATOMIC responses. The same sums as gm_traffic_of. */
uint32_t gm_packet_bytes(const gm_packet *packet, uint32_t header);

#endif

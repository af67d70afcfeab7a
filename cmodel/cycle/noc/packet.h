/* Packets of the cycle engine: the messages between SMs and L2 banks, and those of sharing trackers
 * in front of the banks. A response carries the id of its request; the requester matches responses
 * by id, never by line alone.
 *
 * LOOKUP, SUPPLY, SUPPLIED and RETURN are of a whole L1 line: `line` and `in_bank` are of its first
 * L2 line, `sectors` a mask of the L1 line's; `id` is the LOOKUP's. FILL and EVICT have these
 * fields, too; an EVICT has sectors, and their data, with l2.victim only, and is of an L2 line
 * between tracker and L2 bank. */
#ifndef GOLDMEM_CYCLE_NOC_PACKET_H
#define GOLDMEM_CYCLE_NOC_PACKET_H

#include "cache/traffic.h"
#include "cycle/util/clock.h"
#include "goldmem/bits.h"

enum { GM_PACKET_SECTORS = 32 }; /* most data sectors of a packet */

/* What a packet is; an answer tells where its data came from. */
typedef enum gm_response {
    GM_NO_RESPONSE,
    GM_RESPONSE_OF_L2,   /* answered at its look-up */
    GM_RESPONSE_OF_DRAM, /* it has waited for data from DRAM: only if latencies are counted */
} gm_response;

/* Flags of packets. They are in the header and take no bytes of their own. */
enum {
    /* with sharing.enabled: */
    GM_PACKET_SHARED = 1, /* responses of present lines: the line is shared [tabbakh, VI-A: SF] */
    GM_PACKET_LOCAL = 2,  /* READ: of local memory */
    /* with l2.atomic_buffer: */
    GM_PACKET_STRONG = 4, /* READ: of a strong load */
};

typedef struct gm_packet {
    uint64_t line;    /* byte address >> log2 of the L2 line size */
    uint64_t in_bank; /* the line's address inside the bank: gm_location.line */
    uint32_t sectors; /* of that line */
    union {
        uint32_t whole; /* WRITE: sectors of which every byte is written; coherent responses of
                           loads: gm_coherence_message.visible */
        uint32_t fills; /* READ, LOOKUP: of `sectors`, those that the L1 installs: all or none */
        uint32_t bytes; /* gm_config_sends_bytes: WRITE, ATOMIC, REDUCTION: bytes of its only sector
                           that it writes, in place of `whole` */
    };
    uint32_t id;   /* of the requester's choice; returned unchanged in the response */
    uint16_t sm;   /* the sender of a request; the receiver of SUPPLY and SUPPLIED; of RETURN, as of
                      the READ that it becomes, the SM that gets the data */
    uint16_t bank; /* partition * banks of a partition + bank */
    uint8_t kind;  /* gm_message_kind: one that SMs send */
    uint8_t response; /* gm_response: of an L2 bank */
    uint8_t flags; /* of coherence/coherence.h; LOOKUP: 1 if the L1 takes a line for the data; with
                      sharing.enabled or l2.atomic_buffer those above; else 0 */
    uint8_t class; /* the network's, which sets it where there are several classes: of messages */
    union {
        uint32_t timestamp; /* gm_coherence_message.timestamp */
        uint32_t peer;      /* SUPPLY: the SM that gets the data; SUPPLIED, RETURN: the supplier */
    };
} gm_packet;

_Static_assert(sizeof(gm_packet) == 40, "packets are copied often");

/* Returns the number of sectors whose data the packet carries: those of WRITE, WRITE_BACK, ATOMIC
 * and REDUCTION requests and of READ, ATOMIC, INSTRUCTION and GETX responses, as gm_traffic_of
 * counts them; of SUPPLIED and EVICT; of an SM's answers to FORWARD and RECALL. */
static inline uint32_t gm_packet_data(const gm_packet *packet)
{
    enum {
        REQUESTS = 1 << GM_MESSAGE_WRITE | 1 << GM_MESSAGE_WRITE_BACK | 1 << GM_MESSAGE_ATOMIC |
                   1 << GM_MESSAGE_REDUCTION | 1 << GM_MESSAGE_SUPPLIED | 1 << GM_MESSAGE_EVICT |
                   1 << GM_MESSAGE_FORWARD | 1 << GM_MESSAGE_RECALL,
        RESPONSES = 1 << GM_MESSAGE_READ | 1 << GM_MESSAGE_ATOMIC | 1 << GM_MESSAGE_INSTRUCTION |
                    1 << GM_MESSAGE_GETX,
    };
    unsigned with_data = packet->response ? RESPONSES : REQUESTS;
    return gm_count_ones(packet->sectors & -(with_data >> packet->kind & 1)); /* no branch, which
                                                                              would be hard to
                                                                              predict */
}

#endif

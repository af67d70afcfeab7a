/* Interconnect of the order engine: cuts an L1's line requests into messages for L2 lines, counts
 * their bytes, and hands them to the memory side in batches, at once or to another thread. */
#ifndef GOLDMEM_ORDER_ORDER_NOC_H
#define GOLDMEM_ORDER_ORDER_NOC_H

#include "cache/message.h"
#include "goldmem/bits.h"
#include "goldmem/config.h"

struct gm_memory_side;
struct gm_batch_queue;

typedef struct gm_order_noc {
    gm_batch *batch;               /* being filled */
    struct gm_memory_side *memory; /* receives the batches */
    struct gm_batch_queue *queue;  /* NULL: the memory side receives them at once */
    uint32_t limit;                /* messages of a batch */
    uint64_t header;               /* bytes */
    gm_message_counts copied;      /* sent by copies, and by trackers: not on the interconnect */
    unsigned l1_sector_bits;       /* log2 of the sectors of an L1 line */
    unsigned l2_sector_bits;
    bool one_to_one; /* a line of an L1 is one of the L2, which does not know bytes */
    bool bytes;      /* gm_config_sends_bytes */
    bool strong;     /* l2.atomic_buffer: READs of strong loads are marked */
} gm_order_noc;

/* An SM's port. */
typedef struct gm_order_noc_port {
    gm_order_noc *noc;
    uint32_t sm;
    const uint32_t *bytes; /* of the store or atomic that is sent: of each sector of its L1 line,
                              those that it writes; NULL: all of its sectors */
    gm_message_counts sent;
} gm_order_noc_port;

void gm_order_noc_init(gm_order_noc *noc, const gm_config *config, gm_batch *batch,
                       struct gm_memory_side *memory, struct gm_batch_queue *queue);

/* Hands each message to the memory side when it is posted. Requires no queue. */
void gm_order_noc_post_singly(gm_order_noc *noc);

/* Posts a host copy's message for sectors of an L2 line: INSTALL or DISCARD. */
void gm_order_noc_copy(gm_order_noc *noc, gm_message_kind kind, uint64_t l2_line, uint32_t sectors);

/* Hands the batch to the memory side. */
void gm_order_noc_deliver(gm_order_noc *noc);

/* Hands the batch to the memory side and waits until it has done every message. */
void gm_order_noc_drain(gm_order_noc *noc);

static inline void gm_order_noc_put(gm_order_noc *noc, gm_message message)
{
    gm_batch *batch = noc->batch;
    batch->message[batch->count++] = message;
    if (batch->count == noc->limit) {
        gm_order_noc_deliver(noc);
    }
}

/* Posts one message for `sectors` of an L2 line. `whole`: of a READ gm_message.fills. */
static inline void gm_order_noc_post(gm_order_noc_port *port, gm_message_kind kind,
                                     uint64_t l2_line, uint32_t sectors, uint32_t whole)
{
    port->sent.messages[kind]++;
    port->sent.sectors[kind] += gm_count_ones(sectors);
    gm_order_noc_put(port->noc, (gm_message){.line = l2_line,
                                             .sectors = sectors,
                                             .whole = whole,
                                             .sm = (uint16_t)port->sm,
                                             .kind = kind});
}

/* Private to gm_order_noc_send: an L1 line that is longer than an L2 line, or bytes. */
void gm_order_noc_split(gm_order_noc_port *port, gm_message_kind kind, uint64_t line,
                        uint32_t sectors, uint32_t whole);

/* Posts a strong load: a READ for each L2 line that has some of `sectors` of the L1 line. */
void gm_order_noc_send_strong(gm_order_noc_port *port, uint64_t line, uint32_t sectors);

/* Posts the victim of an SM's L1, from its sharing tracker to the L2 banks behind it: an EVICT for
 * each L2 line. */
void gm_order_noc_send_victim(gm_order_noc_port *port, uint64_t line, uint32_t sectors);

/* Posts `sectors` of an L1 line: one message for each L2 line that contains some. `whole`: of a
 * READ gm_message.fills. */
static inline void gm_order_noc_send(gm_order_noc_port *port, gm_message_kind kind, uint64_t line,
                                     uint32_t sectors, uint32_t whole)
{
    if (port->noc->one_to_one) {
        gm_order_noc_post(port, kind, line, sectors, whole);
    } else {
        gm_order_noc_split(port, kind, line, sectors, whole);
    }
}

#endif

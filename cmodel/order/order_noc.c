/* Interconnect of the order engine: batches of messages. */
#include "order/order_noc.h"

#include "cache/cache.h"
#include "goldmem/bits.h"
#include "order/batch_queue.h"
#include "order/memory_side.h"

enum { OWN_BATCH = 128 }; /* messages: without a queue a batch stays in the host's nearest cache */

void gm_order_noc_init(gm_order_noc *noc, const gm_config *config, gm_batch *batch,
                       struct gm_memory_side *memory, struct gm_batch_queue *queue)
{
    *noc = (gm_order_noc){
        .batch = batch,
        .memory = memory,
        .queue = queue,
        .limit = queue != NULL ? GM_BATCH : OWN_BATCH,
        .header = config->noc.header,
        .l1_sector_bits = gm_log2_floor(config->l1.line / GM_SECTOR),
        .l2_sector_bits = gm_log2_floor(config->l2.line / GM_SECTOR),
        .one_to_one = config->l1.line == config->l2.line && !gm_config_sends_bytes(config),
        .bytes = gm_config_sends_bytes(config),
        .strong = config->l2.atomic_buffer,
    };
    batch->count = 0;
}

void gm_order_noc_post_singly(gm_order_noc *noc)
{
    noc->limit = 1;
}

void gm_order_noc_deliver(gm_order_noc *noc)
{
    if (noc->queue != NULL) {
        noc->batch = gm_batch_queue_exchange(noc->queue);
    } else {
        gm_memory_side_run(noc->memory, noc->batch);
    }
    noc->batch->count = 0;
}

void gm_order_noc_drain(gm_order_noc *noc)
{
    gm_order_noc_deliver(noc);
    if (noc->queue != NULL) {
        gm_batch_queue_wait(noc->queue);
    }
}

/* Posts the sectors of a store or atomic to an L2 that knows bytes. */
static void send_bytes(gm_order_noc_port *port, gm_message_kind kind, uint64_t line,
                       uint32_t sectors)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        unsigned sector = gm_lowest_one(left);
        uint64_t number = (line << port->noc->l1_sector_bits) + sector;
        uint32_t own = UINT32_C(1) << (number & gm_mask(port->noc->l2_sector_bits));
        gm_order_noc_post(port, kind, number >> port->noc->l2_sector_bits, own,
                          port->bytes != NULL ? port->bytes[sector] : UINT32_MAX);
    }
}

/* Not inlined: in each send, syrk takes 3.9% more (callgrind, order engine). */
__attribute__((noinline)) void gm_order_noc_split(gm_order_noc_port *port, gm_message_kind kind,
                                                  uint64_t line, uint32_t sectors, uint32_t whole)
{
    unsigned l2_bits = port->noc->l2_sector_bits;
    unsigned bits = port->noc->l1_sector_bits - l2_bits;
    uint32_t mask = (uint32_t)gm_mask(1U << l2_bits);
    if (port->noc->bytes && kind != GM_MESSAGE_READ) {
        send_bytes(port, kind, line, sectors);
        return;
    }
    for (unsigned part = 0; part < 1U << bits; part++) {
        unsigned first = part << l2_bits;
        if (((sectors >> first) & mask) != 0) {
            gm_order_noc_post(port, kind, (line << bits) + part, (sectors >> first) & mask,
                              (whole >> first) & mask);
        }
    }
}

void gm_order_noc_send_strong(gm_order_noc_port *port, uint64_t line, uint32_t sectors)
{
    gm_order_noc *noc = port->noc;
    gm_message_counts *sent = &port->sent;
    unsigned bits = noc->l1_sector_bits - noc->l2_sector_bits;
    uint32_t mask = (uint32_t)gm_mask(1U << noc->l2_sector_bits);
    for (uint64_t part = 0; part >> bits == 0; part++) {
        uint32_t own = sectors >> (part << noc->l2_sector_bits) & mask;
        if (own != 0) {
            sent->messages[GM_MESSAGE_READ]++;
            sent->sectors[GM_MESSAGE_READ] += gm_count_ones(own);
            sent->strong += noc->strong;
            sent->strong_sectors += noc->strong ? gm_count_ones(own) : 0;
            gm_order_noc_put(noc, (gm_message){.line = (line << bits) + part,
                                               .sectors = own,
                                               .sm = (uint16_t)port->sm,
                                               .kind = GM_MESSAGE_READ,
                                               .strong = noc->strong});
        }
    }
}

void gm_order_noc_send_victim(gm_order_noc_port *port, uint64_t line, uint32_t sectors)
{
    gm_order_noc *noc = port->noc;
    unsigned bits = noc->l1_sector_bits - noc->l2_sector_bits;
    uint32_t mask = (uint32_t)gm_mask(1U << noc->l2_sector_bits);
    for (uint64_t part = 0; part >> bits == 0; part++) {
        uint32_t own = sectors >> (part << noc->l2_sector_bits) & mask;
        if (own != 0) {
            noc->copied.messages[GM_MESSAGE_EVICT]++;
            noc->copied.sectors[GM_MESSAGE_EVICT] += gm_count_ones(own);
            gm_order_noc_put(noc, (gm_message){.line = (line << bits) + part,
                                               .sectors = own,
                                               .sm = (uint16_t)port->sm,
                                               .kind = GM_MESSAGE_EVICT});
        }
    }
}

void gm_order_noc_copy(gm_order_noc *noc, gm_message_kind kind, uint64_t l2_line, uint32_t sectors)
{
    noc->copied.messages[kind]++;
    noc->copied.sectors[kind] += gm_count_ones(sectors);
    gm_order_noc_put(
        noc, (gm_message){.line = l2_line, .sectors = sectors, .whole = sectors, .kind = kind});
}

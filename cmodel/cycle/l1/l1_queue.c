/* Miss queue and bypass path of the timed L1. */
#include "cycle/l1/l1_queue.h"

#include "cache/values.h"
#include "cycle/l1/byte_masks.h"
#include "cycle/l1/l1_tracker.h"
#include "goldmem/assert.h"

uint32_t gm_cycle_l1_parts(const gm_cycle_l1_shared *shared, uint32_t sectors)
{
    if (shared->parts == 1) {
        return sectors != 0;
    }
    uint32_t mask = (uint32_t)gm_mask(1U << shared->l2_sector_bits);
    uint32_t parts = 0;
    for (unsigned part = 0; part < shared->parts; part++) {
        parts += ((sectors >> (part << shared->l2_sector_bits)) & mask) != 0;
    }
    return parts;
}

bool gm_cycle_l1_has_room_for_victims(const gm_cycle_l1 *l1, uint32_t entries)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    if (l1->tracked != NULL) {
        uint32_t places = l1->tracked->fill_places;
        return (l1->entries + entries) * places + l1->from_fills <= shared->mshr.entries * places;
    }
    return !shared->on_fill || (l1->entries + entries) * shared->parts + l1->from_fills <=
                                   shared->mshr.entries * shared->parts;
}

void gm_cycle_l1_push_parts(gm_cycle_l1 *l1, gm_message_kind kind, uint64_t line, uint32_t sectors,
                            uint32_t whole, uint32_t id)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    unsigned bits = shared->l1_sector_bits - shared->l2_sector_bits;
    uint32_t mask = (uint32_t)gm_mask(1U << shared->l2_sector_bits);
    for (unsigned part = 0; part < shared->parts; part++) {
        unsigned first = part << shared->l2_sector_bits;
        if (((sectors >> first) & mask) != 0) {
            gm_cycle_l1_push_part(l1, kind, (line << bits) + part, (sectors >> first) & mask,
                                  (whole >> first) & mask, id);
        }
    }
}

void gm_cycle_l1_push_strong(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors, uint32_t id)
{
    uint32_t older = gm_ring_count(&l1->queue);
    gm_cycle_l1_push(l1, GM_MESSAGE_READ, line, sectors, 0, id);
    for (; older < gm_ring_count(&l1->queue); older++) {
        gm_cycle_l1_mark_strong(l1, &l1->packet[gm_ring_place(&l1->queue, older)]);
    }
}

void gm_cycle_l1_push_bytes(gm_cycle_l1 *l1, gm_message_kind kind, const gm_line_request *line,
                            uint32_t id)
{
    const uint32_t *mask = line->masks != 0 ? gm_byte_masks_take(l1->masks, line->masks) : NULL;
    for (uint32_t left = line->sectors; left != 0; left &= left - 1) {
        unsigned sector = gm_lowest_one(left);
        uint64_t number = (line->line << l1->shared->l1_sector_bits) + sector;
        uint32_t own = UINT32_C(1) << (number & gm_mask(l1->shared->l2_sector_bits));
        gm_cycle_l1_push_part(l1, kind, number >> l1->shared->l2_sector_bits, own,
                              mask != NULL ? mask[sector] : UINT32_MAX, id);
    }
}

void gm_cycle_l1_push_store(gm_cycle_l1 *l1, const gm_cycle_l1_request *request, uint32_t sectors)
{
    if (l1->masks != NULL && sectors != 0) {
        gm_assert(sectors == request->line->sectors, "a store is sent once");
        gm_cycle_l1_push_bytes(l1, GM_MESSAGE_WRITE, request->line,
                               gm_cycle_l1_id(GM_CYCLE_L1_OF_TICKET, request->ticket));
        return;
    }
    gm_cycle_l1_push(l1, GM_MESSAGE_WRITE, request->line->line, sectors, request->line->whole,
                     gm_cycle_l1_id(GM_CYCLE_L1_OF_TICKET, request->ticket));
}

void gm_cycle_l1_write_back(gm_cycle_l1 *l1, uint64_t line, uint32_t dirty, gm_access_kind kind,
                            bool from_fill)
{
    if (dirty == 0) {
        return;
    }
    unsigned sectors = gm_count_ones(dirty);
    l1->statistics.write_backs[kind]++;
    l1->statistics.sectors_written_back[kind] += sectors;
    l1->dirty_sectors -= sectors;
    if (l1->values != NULL) {
        gm_values_write_back(l1->values, l1->number, line, dirty,
                             gm_cycle_l1_id(GM_CYCLE_L1_OF_WRITE_BACK, from_fill));
    }
    l1->from_fills += from_fill ? gm_cycle_l1_parts(l1->shared, dirty) : 0;
    gm_cycle_l1_push(l1, GM_MESSAGE_WRITE_BACK, line, dirty, dirty,
                     gm_cycle_l1_id(GM_CYCLE_L1_OF_WRITE_BACK, from_fill));
}

uint32_t gm_cycle_l1_take_bypassed(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                   uint32_t packets)
{
    uint32_t place = l1->free_bypassed[--l1->bypassed_free];
    l1->bypassed[place] = (gm_cycle_l1_bypassed){.began = request->began,
                                                 .ticket = request->ticket,
                                                 .packets = packets,
                                                 .line = request->line->line};
    l1->bypassed_sectors += gm_count_ones(request->line->sectors);
    return place;
}

bool gm_cycle_l1_can_bypass(const gm_cycle_l1 *l1, uint32_t packets)
{
    return l1->bypassed_free != 0 &&
           (l1->from_bypass == 0 || l1->from_bypass + packets <= l1->shared->bypass_queue);
}

gm_cycle_l1_answer gm_cycle_l1_bypass(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      uint32_t *answers)
{
    const gm_line_request *line = request->line;
    uint32_t parts = gm_cycle_l1_parts(l1->shared, line->sectors);
    uint32_t packets = l1->tracked != NULL ? 1 : parts;
    if (!gm_cycle_l1_can_bypass(l1, packets)) {
        return GM_CYCLE_L1_FAIL_BYPASS_QUEUE;
    }
    l1->statistics.accesses[GM_LOAD]++;
    l1->statistics.bypasses[GM_LOAD]++;
    l1->from_bypass += packets;
    uint32_t place = gm_cycle_l1_take_bypassed(l1, request, parts);
    uint32_t id = gm_cycle_l1_id(GM_CYCLE_L1_OF_BYPASSED, place | GM_CYCLE_L1_BYPASS_PATH);
    if (l1->values != NULL) {
        const gm_value_request load = {.sm = l1->number,
                                       .ticket = request->ticket,
                                       .line = line->line,
                                       .sectors = line->sectors};
        gm_values_load(l1->values, &load, 0, id);
    }
    if (l1->tracked != NULL) {
        gm_cycle_l1_look_up_elsewhere(l1, line->line, line->sectors, id, false);
    } else {
        gm_cycle_l1_push(l1, GM_MESSAGE_READ, line->line, line->sectors, 0, id);
    }
    *answers = 1;
    return GM_CYCLE_L1_TAKEN;
}

/* Sends a fetch in this cycle. Returns false if the interconnect has no room. */
static bool fetch_at_once(gm_cycle_l1 *l1, uint64_t l2_line, uint32_t sectors, uint32_t id,
                          gm_cycle now)
{
    gm_packet packet;
    gm_cycle_l1_make_packet(l1, &packet, GM_MESSAGE_INSTRUCTION, l2_line, sectors, 0, id);
    uint32_t port = gm_cycle_l1_port(l1, &packet);
    if (!gm_network_fits(l1->shared->requests, port, &packet)) {
        return false;
    }
    gm_network_send(l1->shared->requests, port, &packet, now);
    gm_cycle_l1_count_sent(l1, &packet);
    l1->sent_at = now;
    return true;
}

void gm_cycle_l1_fetch(gm_cycle_l1 *l1, uint64_t l2_line, uint32_t sectors, uint32_t number,
                       gm_cycle now)
{
    uint32_t id = gm_cycle_l1_id(GM_CYCLE_L1_OF_INSTRUCTIONS, number);
    if (l1->arrivals != NULL && fetch_at_once(l1, l2_line, sectors, id, now)) {
        return;
    }
    l1->from_fetch++;
    gm_cycle_l1_push_part(l1, GM_MESSAGE_INSTRUCTION, l2_line, sectors, 0, id);
}

/* True for a packet of gm_cycle_l1_bypass. */
static bool took_bypass_path(uint32_t id)
{
    return gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_BYPASSED &&
           (gm_cycle_l1_id_number(id) & GM_CYCLE_L1_BYPASS_PATH) != 0;
}

bool gm_cycle_l1_send(gm_cycle_l1 *l1, gm_cycle now)
{
    const gm_packet *packet = &l1->packet[gm_ring_first(&l1->queue)];
    if (!gm_cycle_l1_may_send(l1) ||
        !gm_network_offer(l1->shared->requests, gm_cycle_l1_port(l1, packet), packet, now)) {
        return false;
    }
    if (packet->kind == GM_MESSAGE_RETURN) {
        l1->from_fetch--;
        gm_cycle_l1_free_place(l1, packet->bank, now);
    } else if (gm_cycle_l1_id_kind_of(packet->id) != GM_CYCLE_L1_OF_ENTRY) {
        l1->from_bypass -= took_bypass_path(packet->id);
        l1->from_fills -= packet->id == gm_cycle_l1_id(GM_CYCLE_L1_OF_WRITE_BACK, 1);
        l1->write_backs += packet->kind == GM_MESSAGE_WRITE_BACK;
        l1->from_fetch -= packet->kind == GM_MESSAGE_INSTRUCTION;
    }
    l1->sent_at = now;
    gm_ring_pop(&l1->queue);
    return true;
}

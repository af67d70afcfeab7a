/* Timed L2 bank, tag stage: data that arrive from DRAM, and the requests that they answer. */
#include "cache/values.h"
#include "cycle/l2/l2_bank_tags.h"
#include "cycle/l2/l2_coherent.h"
#include "cycle/l2/l2_directory.h"
#include "cycle/l2/l2_mesi.h"
#include "goldmem/assert.h"

/* Takes the next request out of the entry that is being answered. */
static void take_next(gm_l2_bank *bank)
{
    gm_mshr_response response = gm_mshr_access(
        &bank->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = bank->answering - 1});
    bank->next = (uint32_t)response.requester;
    bank->left = (uint32_t)response.count;
}

/* True if data of the line in the slot are in flight. Requires MSHRs that merge by sector. */
static bool waits_by_sector(gm_l2_bank *bank, uint32_t slot)
{
    uint64_t line = gm_cache_line(&bank->l2.cache, slot);
    bool waits = false;
    for (uint32_t sector = 0; !waits && sector < bank->shared->line_sectors; sector++) {
        uint64_t key = gm_l2_sector_key(bank, line, UINT32_C(1) << sector);
        unsigned entry = gm_mshr_find_open(&bank->mshr, key);
        waits = entry < bank->mshr.entries && bank->fill[entry].reads != 0 &&
                bank->fill[entry].slot != GM_NO_SLOT;
    }
    return waits;
}

/* Keeps what of the line is partial when an entry's sectors have become valid. */
static __attribute__((noinline)) void install_partial(gm_l2_bank *bank, const gm_l2_fill *fill)
{
    uint32_t *partial = &bank->l2.partial[fill->slot];
    if (bank->l2.bytes != NULL) {
        gm_l2_bytes_fill(bank->l2.bytes, fill->slot);
    } else {
        *partial = (*partial & ~fill->coming) | fill->partial;
    }
}

/* Makes the sectors of an entry valid. */
static inline void install(gm_l2_bank *bank, const gm_l2_fill *fill)
{
    gm_cache_state(&bank->l2.cache, fill->slot)->valid |= fill->coming;
    if (bank->l2.partial != NULL) {
        install_partial(bank, fill);
    }
    if (bank->shared->line_sectors == 0 || !waits_by_sector(bank, fill->slot)) {
        gm_cache_arrive(&bank->l2.cache, fill->slot);
    }
    gm_cache_assert_access(&bank->l2.cache, gm_cache_line(&bank->l2.cache, fill->slot));
}

/* The data of one read have arrived; the last of its entry makes the sectors valid. */
static void take_data(gm_l2_bank *bank, gm_cycle now)
{
    const gm_dram_request *read = gm_gddr5_peek(bank->channel, bank->bank, now);
    if ((read->id & GM_L2_LOCAL_READ) != 0) {
        uint32_t place = read->id & ~GM_L2_LOCAL_READ;
        bank->l2.statistics.sectors_filled[GM_LOAD] += gm_count_ones(read->sectors);
        bank->l2.bypassed.read_sectors += gm_count_ones(read->sectors);
        gm_gddr5_pop(bank->channel, bank->bank, now);
        gm_l2_bank_take_local(bank, place);
        return;
    }
    uint32_t entry = read->id & ((1 << GM_L2_ENTRY_BITS) - 1);
    gm_l2_fill *fill = &bank->fill[entry];
    bank->l2.statistics.sectors_filled[read->id >> GM_L2_ENTRY_BITS] +=
        gm_count_ones(read->sectors);
    if (fill->slot == GM_NO_SLOT) {
        bank->l2.bypassed.read_sectors += gm_count_ones(read->sectors);
    }
    gm_gddr5_pop(bank->channel, bank->bank, now);
    if (--fill->reads == 0) {
        if (fill->slot != GM_NO_SLOT) {
            install(bank, fill);
            if (bank->observer != NULL) {
                gm_l2_bank_tell_fill(bank, fill->slot, now);
            }
        } else {
            bank->bypassing--;
        }
        if (bank->coherent != NULL) {
            gm_l2_coherent_install(bank, entry, fill->slot);
        }
        bank->answering = entry + 1;
        take_next(bank);
    }
}

/* Lets the protocol do the next request of a filled line. Returns false if it waits. */
static bool perform_coherent(gm_l2_bank *bank, gm_packet *packet, gm_cycle now)
{
    uint32_t slot = bank->fill[bank->answering - 1].slot;
    gm_cycle wait = gm_l2_coherent_perform(bank, packet, slot, now);
    if (wait == GM_NEVER) {
        gm_l2_directory_suspend(bank, now);
        return false;
    }
    bank->answer_from = gm_clock_first(bank->shared->clock, wait);
    return wait == 0;
}

/* Does what protocol and values do with the next request of a filled line. Returns false if it
 * waits. */
static bool perform_special(gm_l2_bank *bank, gm_packet *packet, gm_cycle now)
{
    const gm_packet asked = *packet;
    if (bank->coherent != NULL && !perform_coherent(bank, packet, now)) {
        return false;
    }
    if (bank->l2.values != NULL) {
        if (bank->fill[bank->answering - 1].slot == GM_NO_SLOT) {
            if (asked.kind == GM_MESSAGE_READ) {
                gm_values_read_dram(bank->l2.values, asked.sm, asked.id, asked.line, asked.sectors);
            }
            return true;
        }
        const gm_l2_request request = gm_l2_request_of(&asked, (gm_message_kind)asked.kind);
        const gm_l2_line line = {.present = true,
                                 .in_flight = bank->fill[bank->answering - 1].coming};
        gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
        gm_l2_bank_perform_values(bank, &asked, packet, effect.forwarded != 0, now);
    }
    return true;
}

/* Marks the sectors that the packet, not a read, makes dirty. `special`: there is a protocol, which
 * can make the packet a read's response, or there are values. Returns false if it waits. */
GM_TEMPLATE bool answer_write(gm_l2_bank *bank, gm_packet *packet, gm_cycle cycle, gm_cycle now,
                              const bool special)
{
    const gm_l2_request request = gm_l2_request_of(packet, (gm_message_kind)packet->kind);
    gm_access_kind kind = gm_message_access(request.kind);
    if (kind == GM_ATOMIC && cycle < bank->atomic_from) {
        return false;
    }
    if (special && !perform_special(bank, packet, now)) {
        return false;
    }
    const gm_l2_fill *fill = &bank->fill[bank->answering - 1];
    const gm_l2_line line = {.present = true, .in_flight = fill->coming};
    gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
    if (special && bank->l2.bytes != NULL && effect.dirtied != 0) {
        gm_l2_bank_perform_bytes(bank, packet, fill->slot);
    }
    gm_l2_perform(bank, fill->slot, kind, effect.dirtied, cycle);
    return true;
}

/* Does the next request of a filled line in a bank with an atomic buffer. A coherent operation
 * exchanges lines if it is the line's last request and can: the data of other lines, which wait
 * behind this one, may be what would make it possible. Returns false if it waits. */
static bool answer_beside_buffer(gm_l2_bank *bank, gm_packet *packet, gm_cycle cycle, gm_cycle now)
{
    gm_atomic_unit *unit = bank->l2.atomics;
    gm_atomic_line none;
    gm_l2_look_up it = {
        .packet = packet, .kind = gm_l2_kind_of(packet), .cycle = cycle, .now = now};
    if (!(packet->kind == GM_MESSAGE_READ ? perform_special(bank, packet, now)
                                          : answer_write(bank, packet, cycle, now, true))) {
        return false;
    }
    it.line = gm_address_map_locate(&bank->shared->map, packet->line).line;
    gm_assert(!gm_atomic_unit_holds(unit, it.line), "L2 bank %u: line 0x%llx is in two places",
              bank->number, (unsigned long long)it.line);
    if (!gm_l2_is_coherent(packet)) {
        gm_atomic_unit_access(unit, it.line, &none); /* not its line */
        return true;
    }
    it.place = gm_cache_find(&bank->l2.cache, it.line);
    if (bank->left == 0 && gm_l2_bank_exchange_fail(bank, it) == GM_L2_NO_FAIL) {
        gm_l2_bank_exchange(bank, it, packet->line, packet->sectors);
    } else {
        gm_atomic_unit_leave(unit, it.kind, packet->sectors);
    }
    return true;
}

/* Does the next request of a filled line in a sharing-aware bank. Returns false if it waits. */
static bool answer_sharing(gm_l2_bank *bank, gm_packet *packet, gm_cycle cycle, gm_cycle now)
{
    if (!(packet->kind == GM_MESSAGE_READ ? perform_special(bank, packet, now)
                                          : answer_write(bank, packet, cycle, now, true))) {
        return false;
    }
    gm_l2_bank_mark_shared(bank, packet, bank->fill[bank->answering - 1].slot);
    return true;
}

static __attribute__((noinline)) bool answer_special(gm_l2_bank *bank, gm_packet *packet,
                                                     gm_cycle cycle, gm_cycle now)
{
    if (bank->local_reads != NULL) {
        return answer_sharing(bank, packet, cycle, now);
    }
    if (bank->coherent != NULL && bank->coherent->protocol.ops->owns) {
        return gm_l2_mesi_answer(bank, packet, cycle, now);
    }
    return bank->l2.atomics != NULL          ? answer_beside_buffer(bank, packet, cycle, now)
           : packet->kind == GM_MESSAGE_READ ? perform_special(bank, packet, now)
                                             : answer_write(bank, packet, cycle, now, true);
}

/* True if a read of a filled line does nothing beside its response: answer_special would find so.
 */
static inline bool is_plain_read(const gm_l2_bank *bank, const gm_packet *packet)
{
    return packet->kind == GM_MESSAGE_READ && bank->coherent == NULL && bank->l2.values == NULL &&
           bank->l2.atomics == NULL && bank->local_reads == NULL;
}

/* Does what a request of a filled line does beside its response. Returns false if it waits. */
static inline bool answers(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    gm_packet *packet = &bank->item[bank->next].packet;
    if (packet->kind == bank->usual_kind || is_plain_read(bank, packet)) {
        return true;
    }
    return bank->usual_kind != GM_MESSAGE_READ ? answer_special(bank, packet, cycle, now)
                                               : answer_write(bank, packet, cycle, now, false);
}

static void answer(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (bank->answering == 1 + GM_L2_LOCAL_ENTRY) {
        gm_l2_bank_answer_local(bank);
        return;
    }
    if (!gm_ring_has_room(&bank->out) || !answers(bank, cycle, now)) {
        return;
    }
    gm_l2_reply_from(bank, bank->next, bank->shared->after_data);
    if (bank->left != 0) {
        take_next(bank);
        return;
    }
    bank->held += now;
    bank->entries--;
    if (bank->coherent != NULL) {
        gm_l2_coherent_answered(bank, bank->fill[bank->answering - 1].slot);
    }
    bank->answering = 0;
}

bool gm_l2_bank_answer_filled(gm_l2_bank *bank, gm_cycle now)
{
    uint32_t number = bank->filled_item[gm_ring_first(&bank->filled)];
    gm_ring_pop(&bank->filled);
    gm_l2_reply_from(bank, number & ~GM_L2_LAST_OF_ENTRY, bank->shared->after_data);
    if ((number & GM_L2_LAST_OF_ENTRY) == 0) {
        return false;
    }
    bank->held += now;
    bank->entries--;
    return true;
}

void gm_l2_bank_fill(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    take_data(bank, now);
    while (bank->answering != 0) {
        bank->atomic_from = 0; /* atomics are performed with the others of the line */
        (void)answers(bank, cycle, now);
        uint32_t last = bank->left == 0 ? GM_L2_LAST_OF_ENTRY : 0;
        bank->filled_item[gm_ring_push(&bank->filled)] = bank->next | last;
        if (last != 0) {
            bank->answering = 0;
        } else {
            take_next(bank);
        }
    }
}

void gm_l2_bank_skip_first(gm_l2_bank *bank, uint32_t entry, gm_cycle now)
{
    bank->answering = entry + 1;
    take_next(bank);
    if (bank->left != 0) {
        take_next(bank);
        return;
    }
    bank->held += now;
    bank->entries--;
    bank->answering = 0;
}

void gm_l2_bank_answer_entry(gm_l2_bank *bank, uint32_t entry, uint32_t next, uint32_t left)
{
    bank->answering = entry + 1;
    if (next == UINT32_MAX) {
        take_next(bank);
    } else {
        bank->next = next;
        bank->left = left;
    }
}

void gm_l2_bank_serve_data(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (bank->answering == 0) {
        take_data(bank, now);
    }
    if (bank->answering != 0) {
        answer(bank, cycle, now);
    }
}

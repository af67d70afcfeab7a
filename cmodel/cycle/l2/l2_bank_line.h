/* Timed L2 bank, tag stage: a look-up of a line by the access rules (cache/l2_access_rules.h): hit,
 * merge with data in flight, miss. One checks all its resources before it changes anything, so that
 * a look-up that fails has changed nothing. Private to the bank. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_LINE_H
#define GOLDMEM_CYCLE_L2_L2_BANK_LINE_H

#include "cache/l2_parts.h"
#include "cache/values.h"
#include "cycle/l2/l2_bank_tags.h"
#include "cycle/l2/l2_coherent.h"
#include "cycle/l2/l2_directory.h"

/* The templates below have an instance for banks of coherent machines, and one for reads without
 * values (`values`) in a bank that is not lazy (`lazy`). */
GM_TEMPLATE gm_l2_fail gm_l2_hit(gm_l2_bank *bank, gm_l2_look_up it, gm_l2_line line,
                                 gm_l2_effect effect, const bool coherent, bool values, bool lazy)
{
    if (it.kind == GM_ATOMIC && it.cycle < bank->atomic_from) {
        bank->look_up_from = bank->atomic_from;
        return GM_L2_WAIT;
    }
    if (!gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_l2_fail fail = it.exchanges ? gm_l2_bank_exchange_fail(bank, it) : GM_L2_NO_FAIL;
    if (fail != GM_L2_NO_FAIL) {
        return fail;
    }
    const gm_packet asked = *it.packet;
    if (coherent) {
        if (gm_cache_waits(&bank->l2.cache, it.place.slot)) {
            return GM_L2_FAIL_MSHR_MERGE; /* for a write whose entry has been answered in part */
        }
        if (!gm_l2_coherent_admits(bank, it.packet, it.now)) {
            return GM_L2_FAIL_MSHR_ENTRY;
        }
        gm_l2_coherent_arrive(bank, it.packet, it.place.slot, it.now);
        gm_cycle wait = gm_l2_coherent_perform(bank, it.packet, it.place.slot, it.now);
        if (wait == GM_NEVER) {
            return gm_l2_directory_begin(bank, it);
        }
        if (wait != 0) {
            bank->retry_from = gm_clock_first(bank->shared->clock, wait);
            return GM_L2_FAIL_LEASE;
        }
    }
    gm_cache_touch(&bank->l2.cache, it.place);
    gm_l2_count_outcome(&bank->l2.statistics, it.kind, GM_L2_HIT, true);
    if (lazy && bank->l2.bytes != NULL && effect.dirtied != 0) {
        gm_l2_bank_perform_bytes(bank, it.packet, it.place.slot);
    } else if (lazy && bank->l2.bytes == NULL && line.partial != 0) {
        gm_l2_bank_note_partial(bank, it.packet, it.place.slot, &line, &effect);
    }
    gm_l2_perform(bank, it.place.slot, it.kind, effect.dirtied, it.cycle);
    if (values) {
        gm_l2_bank_perform_values(bank, &asked, it.packet, false, it.now);
    }
    if (it.exchanges) {
        gm_l2_bank_exchange(bank, it, it.packet->line, it.packet->sectors);
    }
    gm_l2_reply(bank, it.number);
    return GM_L2_NO_FAIL;
}

/* Merges a request with the open entry of its line. Requires that data of the line are in flight
 * and that the entry has room. */
GM_TEMPLATE gm_l2_fail gm_l2_merge(gm_l2_bank *bank, gm_l2_look_up it, uint32_t entry,
                                   gm_l2_line line, gm_l2_effect effect, const bool coherent,
                                   bool values, bool lazy)
{
    gm_l2_fill *fill = &bank->fill[entry];
    uint32_t requests = (effect.fetched != 0) + (uint32_t)(effect.forwarded != 0);
    if (requests != 0 && !gm_l2_has_dram_room(bank, requests)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    if (coherent) {
        gm_l2_coherent_arrive(bank, it.packet, GM_COHERENCE_NO_SLOT, it.now);
    }
    it.place.slot = fill->slot; /* an unbounded cache does not find a line without sectors */
    gm_cache_touch(&bank->l2.cache, it.place);
    gm_l2_count_outcome(&bank->l2.statistics, it.kind, effect.outcome, true);
    fill->coming |= effect.validated | (effect.dirtied & line.held);
    if (values) {
        gm_values_fetch(bank->l2.values, it.packet->line, effect.validated & ~line.partial);
    }
    if (lazy) {
        const gm_l2_request request = {(gm_message_kind)it.packet->kind, it.packet->sectors,
                                       it.packet->whole};
        fill->partial = gm_l2_parts_after(&bank->l2, fill->slot, &request, &line, &effect);
    }
    if (effect.forwarded != 0) {
        gm_l2_forward(bank, it, effect.forwarded);
    }
    if (effect.fetched != 0) {
        gm_l2_fetch(bank, it.kind, it.line, it.now, effect.fetched, entry);
    }
    gm_mshr_access(
        &bank->mshr,
        (gm_mshr_request){.op = GM_MSHR_REQUEST_OP, .line = it.key, .requester = it.number});
    return GM_L2_NO_FAIL;
}

GM_TEMPLATE void gm_l2_begin_fill(gm_l2_bank *bank, gm_l2_look_up it, uint32_t entry,
                                  gm_l2_fill fill, gm_l2_effect effect)
{
    bank->fill[entry] = fill;
    if (effect.forwarded != 0) {
        gm_l2_forward(bank, it, effect.forwarded);
    }
    gm_l2_fetch(bank, it.kind, it.line, it.now, effect.fetched, entry);
    gm_cache_wait(&bank->l2.cache, fill.slot);
    bank->held -= it.now;
    bank->entries++;
    bank->time.l2_mshr_entries++;
}

/* Handles a miss: takes an MSHR entry and a way. Requires that no data of the line are in flight.
 * `line` and `effect`: of cache/l2_access_rules.h. */
GM_TEMPLATE gm_l2_fail gm_l2_miss(gm_l2_bank *bank, gm_l2_look_up it, gm_l2_line line,
                                  gm_l2_effect effect, const bool coherent, bool values, bool lazy)
{
    gm_cache *cache = &bank->l2.cache;
    uint32_t slot = effect.allocates ? gm_cache_victim(cache, it.place) : it.place.slot;
    if (slot == GM_NO_SLOT) {
        return GM_L2_FAIL_LINE;
    }
    if (effect.fetched != 0 && bank->entries == bank->shared->mshr.entries) {
        return GM_L2_FAIL_MSHR_ENTRY; /* the MSHRs, without an open entry of the line, would fail so
                                       */
    }
    uint32_t victim = GM_COHERENCE_NO_SLOT;
    if (coherent) {
        victim = gm_cache_state(cache, slot)->valid != 0 ? slot : victim;
        if (!gm_l2_coherent_has_room(bank, it.packet, it.line, victim, it.now)) {
            return GM_L2_FAIL_MSHR_ENTRY;
        }
    }
    bool dirty = effect.allocates && !cache->unbounded && gm_cache_state(cache, slot)->dirty != 0;
    bool room = gm_l2_has_dram_room(bank, (effect.fetched != 0) + (uint32_t)dirty +
                                              (uint32_t)(effect.forwarded != 0));
    uint32_t entry = 0;
    if (effect.fetched != 0) {
        gm_l2_fail fail = gm_l2_take_entry(bank, it, room, &entry);
        if (fail != GM_L2_NO_FAIL) {
            return fail;
        }
    } else if (!room || !gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_l2_count_outcome(&bank->l2.statistics, it.kind, GM_L2_MISS, line.present);
    if (coherent) {
        gm_l2_coherent_arrive(bank, it.packet, GM_COHERENCE_NO_SLOT, it.now);
        gm_l2_coherent_fetch(bank, it.packet, it.line, entry, victim, it.now);
    }
    if (effect.allocates) {
        slot = gm_l2_replace(bank, it, slot);
    } else {
        gm_cache_touch(cache, it.place);
    }
    if (lazy && bank->l2.bytes != NULL) {
        gm_l2_bank_begin_bytes(bank, it, slot, &effect);
    } else if (values) {
        gm_values_fetch(bank->l2.values, it.packet->line, effect.validated & ~line.partial);
    }
    if (lazy && effect.allocates) {
        bank->l2.partial[slot] = 0;
    }
    if (effect.fetched != 0) {
        uint32_t coming = (line.held & ~line.partial) | effect.validated;
        gm_l2_begin_fill(bank, it, entry, (gm_l2_fill){.slot = slot, .coming = coming}, effect);
    } else {
        gm_cache_state(cache, slot)->valid |= effect.validated;
        if (lazy && bank->l2.bytes != NULL) {
            gm_l2_bytes_miss(bank->l2.bytes, gm_l2_bytes_written((gm_message_kind)it.packet->kind,
                                                                 it.packet->bytes));
            gm_l2_bank_perform_bytes(bank, it.packet, slot);
        } else if (lazy) {
            gm_l2_bank_note_partial(bank, it.packet, slot, &line, &effect);
        }
        gm_l2_perform(bank, slot, it.kind, effect.dirtied, it.cycle);
        if (values) {
            gm_l2_bank_perform_values(bank, it.packet, it.packet, effect.forwarded != 0, it.now);
        }
        gm_l2_reply(bank, it.number);
    }
    return GM_L2_NO_FAIL;
}

/* True if data of the line may be in flight. An unbounded cache does not know for which lines they
 * are. */
static inline bool gm_l2_may_wait(const gm_l2_bank *bank, gm_cache_place place)
{
    const gm_cache *cache = &bank->l2.cache;
    return cache->unbounded ? bank->entries != 0
                            : place.slot != GM_NO_SLOT && gm_cache_waits(cache, place.slot);
}

/* Lazy: adds to a line with data in flight the partial sectors of its entry, and those that it
 * holds and that the entry does not fetch. */
static inline void gm_l2_add_partial(const gm_l2_bank *bank, const gm_l2_fill *fill,
                                     gm_l2_line *line)
{
    uint32_t rest = ~fill->coming;
    line->partial = fill->partial;
    if (bank->l2.bytes == NULL) {
        line->held = bank->l2.cache.way[fill->slot].state.valid & rest;
        line->partial |= bank->l2.partial[fill->slot] & rest;
    }
}

/* True if data that the request needs may be in flight. `by_sector`: those of other sectors of the
 * line may be as well, and it does not wait for them. */
GM_TEMPLATE bool gm_l2_may_merge(const gm_l2_bank *bank, gm_l2_look_up it, bool lazy,
                                 bool by_sector)
{
    uint32_t held = 0;
    if (by_sector && it.place.slot != GM_NO_SLOT) {
        held = bank->l2.cache.way[it.place.slot].state.valid &
               ~(lazy ? bank->l2.partial[it.place.slot] : 0);
    }
    return (!by_sector || (it.packet->sectors & ~held) != 0) && gm_l2_may_wait(bank, it.place);
}

/* Looks up a packet of message kind `kind`. `by_sector`: MSHRs merge by sector (l2.merge_by), and
 * the packet is of one sector. */
GM_TEMPLATE gm_l2_fail gm_l2_access_line(gm_l2_bank *bank, gm_l2_look_up it, gm_message_kind kind,
                                         const bool coherent, bool values, bool lazy,
                                         bool by_sector)
{
    const gm_l2_request request = gm_l2_request_of(it.packet, kind);
    it.kind = gm_message_access(kind);
    gm_l2_line line = {.present = it.place.slot != GM_NO_SLOT};
    uint32_t entry = 0;
    if (by_sector) {
        it.key = gm_l2_sector_key(bank, it.line, it.packet->sectors);
    }
    if (gm_l2_may_merge(bank, it, lazy, by_sector)) {
        gm_mshr_response probe = gm_mshr_access(
            &bank->mshr,
            (gm_mshr_request){.op = GM_MSHR_PROBE_OP, .line = it.key, .may_allocate = 1});
        if (probe.outcome == GM_MSHR_FAIL && probe.reason == GM_MSHR_FAIL_MERGE) {
            return GM_L2_FAIL_MSHR_MERGE;
        }
        if (probe.outcome == GM_MSHR_MERGED) {
            entry = (uint32_t)probe.id;
            line = (gm_l2_line){.present = true, .in_flight = bank->fill[entry].coming};
            if (lazy) {
                gm_l2_add_partial(bank, &bank->fill[entry], &line);
            }
            gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
            return gm_l2_merge(bank, it, entry, line, effect, coherent, values, lazy);
        }
    }
    if (line.present) {
        line.held = gm_cache_state(&bank->l2.cache, it.place.slot)->valid;
        line.partial = lazy ? bank->l2.partial[it.place.slot] : 0;
    }
    if (lazy && bank->l2.bytes != NULL && line.present) { /* `whole` does not matter */
        line.partial = gm_l2_bytes_lacks(bank->l2.bytes, kind, it.packet->bytes, it.place.slot);
    }
    gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
    return effect.outcome == GM_L2_HIT ? gm_l2_hit(bank, it, line, effect, coherent, values, lazy)
                                       : gm_l2_miss(bank, it, line, effect, coherent, values, lazy);
}

#endif

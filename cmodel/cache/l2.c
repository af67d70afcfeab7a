/* L2 bank of the order engine. A line's victim is written back before the line is fetched, and a
 * store that is forwarded to DRAM follows the fetch. */
#include "cache/l2.h"

#include "cache/cache_sharing.h"
#include "cache/l2_bytes.h"
#include "cache/l2_parts.h"
#include "cache/streaming.h"
#include "cache/values.h"
#include "goldmem/assert.h"

static __attribute__((noinline)) void write_dirty_back(gm_l2 *l2, gm_dram *dram,
                                                       const gm_address_map *map, gm_location at,
                                                       uint32_t slot, uint32_t dirty,
                                                       gm_access_kind kind)
{
    unsigned sectors = gm_count_ones(dirty);
    l2->statistics.write_backs[kind]++;
    l2->statistics.sectors_written_back[kind] += sectors;
    l2->dirty_sectors -= sectors;
    uint32_t bytes = l2->bytes != NULL ? gm_l2_bytes_evict(l2->bytes, slot) : 0;
    if (l2->values != NULL && l2->bytes != NULL) {
        gm_values_write_bytes_to_dram(l2->values, gm_address_map_line(map, at), bytes);
    } else if (l2->values != NULL) {
        gm_values_write_to_dram(l2->values, gm_address_map_line(map, at), dirty);
    }
    gm_dram_access(dram, gm_address_map_local(map, at), sectors, true);
}

/* Writes the dirty sectors of the line that a slot has, or had, back. */
static inline void write_back(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                              uint32_t slot, uint32_t dirty, gm_access_kind kind)
{
    if (dirty != 0) {
        write_dirty_back(l2, dram, map, at, slot, dirty, kind);
    }
}

GM_TEMPLATE uint32_t allocate(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                              gm_cache_place place, gm_access_kind kind)
{
    gm_victim victim;
    uint32_t slot = gm_cache_allocate(&l2->cache, at.line, place, &victim);
    if (victim.state.valid != 0) {
        l2->statistics.evictions[kind]++;
        gm_location old = {at.partition, at.bank, victim.line};
        write_back(l2, dram, map, old, slot, victim.state.dirty, kind);
    }
    return slot;
}

/* Drops the dirty marks of sectors that a host copy writes: they need no write-back. */
static void overwrite(gm_l2 *l2, gm_sector_state *state, uint32_t sectors)
{
    unsigned count = gm_count_ones(state->dirty & sectors);
    state->dirty &= ~sectors;
    l2->overwritten += count;
    l2->dirty_sectors -= count;
}

/* Invalidates a line that a host copy overwrites; writes its other dirty sectors back. */
static void invalidate(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                       gm_cache_place place, uint32_t overwritten)
{
    gm_sector_state *state = gm_cache_state(&l2->cache, place.slot);
    overwrite(l2, state, overwritten);
    write_back(l2, dram, map, at, place.slot, state->dirty, GM_STORE);
    l2->statistics.invalidations[GM_STORE] += state->valid != 0; /* else a tag without data */
    if (l2->partial != NULL) {
        l2->partial[place.slot] = 0;
    }
    gm_cache_drop(&l2->cache, place);
}

GM_TEMPLATE void fetch(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                       uint32_t fetched, gm_access_kind kind)
{
    if (fetched != 0) {
        unsigned sectors = gm_count_ones(fetched);
        l2->statistics.sectors_filled[kind] += sectors;
        gm_dram_access(dram, gm_address_map_local(map, at), sectors, false);
    }
}

static void make_dirty(gm_l2 *l2, gm_sector_state *state, uint32_t written)
{
    unsigned sectors = gm_count_ones(written & ~state->dirty);
    state->dirty |= written;
    l2->dirtied += sectors;
    l2->dirty_sectors += sectors;
}

static void forward(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                    uint32_t written)
{
    unsigned sectors = gm_count_ones(written);
    l2->through += sectors;
    gm_dram_access(dram, gm_address_map_local(map, at), sectors, true);
}

/* Applies an effect; does not count the access. */
GM_TEMPLATE void apply(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                       gm_cache_place place, const gm_l2_effect *effect, gm_access_kind kind)
{
    if (effect->invalidates) {
        invalidate(l2, dram, map, at, place, effect->overwritten);
        return;
    }
    if (effect->allocates) {
        place.slot = allocate(l2, dram, map, at, place, kind);
    } else if (place.slot != GM_NO_SLOT) {
        gm_cache_touch(&l2->cache, place);
    } else {
        return;
    }
    gm_sector_state *state = gm_cache_state(&l2->cache, place.slot);
    if (effect->overwritten != 0) {
        overwrite(l2, state, effect->overwritten);
    }
    fetch(l2, dram, map, at, effect->fetched, kind);
    state->valid |= effect->validated;
    if (effect->forwarded != 0) {
        forward(l2, dram, map, at, effect->forwarded);
    }
    if (effect->dirtied != 0) {
        make_dirty(l2, state, effect->dirtied);
    }
}

/* Keeps what of the line is partial when its message has been done. A line that is absent then, or
 * new, had nothing. */
static __attribute__((noinline)) void note_partial(gm_l2 *l2, gm_location at,
                                                   const gm_l2_request *request,
                                                   const gm_l2_line *line,
                                                   const gm_l2_effect *effect)
{
    gm_cache silent = l2->cache; /* this look-up is none of the run's */
    silent.parameters.observer = NULL;
    uint32_t slot = gm_cache_find(&silent, at.line).slot;
    if (slot != GM_NO_SLOT) {
        l2->partial[slot] = gm_l2_parts_after(l2, slot, request, line, effect);
    }
}

/* Performs a message's values. Its victim's have been written back. The values of a sector that
 * stores have written in part are whole: they came from DRAM with the first of these. */
static GM_COLD void apply_values(gm_l2 *l2, const gm_message *message, const gm_l2_effect *effect,
                                 uint32_t partial)
{
    gm_message_kind kind = (gm_message_kind)message->kind;
    bool copy = effect->outcome == GM_L2_COPY;
    if (copy) {
        gm_values_copy(l2->values, message->line, message->sectors, kind == GM_MESSAGE_INSTALL);
    } else {
        gm_values_fetch(l2->values, message->line, effect->validated & ~partial);
        gm_values_perform(l2->values, kind, message->sm, message->kind, message->line,
                          message->sectors, effect->forwarded != 0, 0);
    }
}

/* `keeps_values`: l2->values is not NULL. `lazy`: l2->partial is not NULL. */
GM_TEMPLATE gm_outcome access_found(gm_l2 *l2, gm_dram *dram, const gm_address_map *map,
                                    gm_location at, const gm_message *message, gm_message_kind kind,
                                    gm_cache_place place, bool keeps_values, const bool lazy)
{
    const gm_l2_request access = {kind, message->sectors, message->whole};
    gm_l2_line line = {.present = place.slot != GM_NO_SLOT};
    if (line.present) {
        line.held = gm_cache_state(&l2->cache, place.slot)->valid;
        line.partial = lazy ? l2->partial[place.slot] : 0;
    }
    gm_l2_effect effect = gm_l2_access_effect(&l2->policy, &access, &line);
    gm_l2_count_outcome(&l2->statistics, gm_message_access(kind), effect.outcome, line.present);
    apply(l2, dram, map, at, place, &effect, gm_message_access(kind));
    if (lazy) {
        note_partial(l2, at, &access, &line, &effect);
    }
    if (keeps_values) {
        apply_values(l2, message, &effect, line.partial);
    }
    gm_cache_assert_access(&l2->cache, at.line);
    return (gm_outcome){
        .fills = effect.validated,
        .hit = effect.outcome == GM_L2_HIT,
        .bypass = kind == GM_MESSAGE_DISCARD,
        .drops = kind == GM_MESSAGE_DISCARD,
    };
}

GM_TEMPLATE gm_outcome access_line(gm_l2 *l2, gm_dram *dram, const gm_address_map *map,
                                   gm_location at, const gm_message *message, gm_message_kind kind,
                                   bool keeps_values, const bool lazy)
{
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    return access_found(l2, dram, map, at, message, kind, place, keeps_values, lazy);
}

/* Applies an effect in a bank that knows bytes, to the line in the slot or to an absent one. */
static void apply_bytes(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                        gm_cache_place place, const gm_message *message, const gm_l2_effect *effect)
{
    gm_message_kind kind = (gm_message_kind)message->kind;
    gm_access_kind counted = gm_message_access(kind);
    if (effect->allocates) {
        place.slot = allocate(l2, dram, map, at, place, counted);
        gm_l2_bytes_allocate(l2->bytes, place.slot);
        if (l2->values != NULL) {
            gm_values_allocate_bytes(l2->values, message->line);
        }
    } else if (place.slot != GM_NO_SLOT) {
        gm_cache_touch(&l2->cache, place);
    } else {
        return;
    }
    gm_sector_state *state = gm_cache_state(&l2->cache, place.slot);
    if (effect->overwritten != 0) {
        overwrite(l2, state, effect->overwritten);
        gm_l2_bytes_copy(l2->bytes, place.slot, true);
    }
    if (effect->fetched != 0) {
        uint32_t filled = gm_l2_bytes_fill(l2->bytes, place.slot);
        fetch(l2, dram, map, at, effect->fetched, counted);
        if (l2->values != NULL) {
            gm_values_fetch_bytes(l2->values, message->line, filled);
        }
    }
    state->valid |= effect->validated;
    if (effect->dirtied != 0) {
        make_dirty(l2, state, effect->dirtied);
        if (counted == GM_STORE && effect->outcome == GM_L2_MISS) {
            gm_l2_bytes_miss(l2->bytes, gm_l2_bytes_written(kind, message->bytes));
        }
        gm_l2_bytes_write(l2->bytes, place.slot, gm_l2_bytes_written(kind, message->bytes));
    }
}

/* Does a message in a bank that knows bytes (l2.dirty=byte). */
static __attribute__((noinline)) gm_outcome access_bytes(gm_l2 *l2, gm_dram *dram,
                                                         const gm_address_map *map, gm_location at,
                                                         const gm_message *message,
                                                         gm_cache_place place)
{
    gm_message_kind kind = (gm_message_kind)message->kind;
    const gm_l2_request request = {kind, message->sectors, 0}; /* lazy: `whole` does not matter */
    gm_l2_line line = {.present = place.slot != GM_NO_SLOT};
    if (line.present) {
        line.held = gm_cache_state(&l2->cache, place.slot)->valid;
        line.partial = gm_l2_bytes_lacks(l2->bytes, kind, message->bytes, place.slot);
    }
    gm_l2_effect effect = gm_l2_access_effect(&l2->policy, &request, &line);
    gm_l2_count_outcome(&l2->statistics, gm_message_access(kind), effect.outcome, line.present);
    if (effect.invalidates) {
        gm_l2_bytes_copy(l2->bytes, place.slot, false);
        invalidate(l2, dram, map, at, place, effect.overwritten);
    } else {
        apply_bytes(l2, dram, map, at, place, message, &effect);
    }
    if (l2->values != NULL && effect.outcome == GM_L2_COPY) {
        gm_values_copy(l2->values, message->line, message->sectors, kind == GM_MESSAGE_INSTALL);
    } else if (l2->values != NULL) {
        gm_values_perform(l2->values, kind, message->sm, message->kind, message->line,
                          message->sectors, false, 0);
    }
    gm_cache_assert_access(&l2->cache, at.line);
    return (gm_outcome){
        .fills = effect.validated,
        .hit = effect.outcome == GM_L2_HIT,
        .bypass = kind == GM_MESSAGE_DISCARD,
        .drops = kind == GM_MESSAGE_DISCARD,
    };
}

static __attribute__((noinline)) gm_outcome access_lazy(gm_l2 *l2, gm_dram *dram,
                                                        const gm_address_map *map, gm_location at,
                                                        const gm_message *message)
{
    return access_line(l2, dram, map, at, message, (gm_message_kind)message->kind,
                       l2->values != NULL, true);
}

/* Reads sectors for a load that bypasses the bank. */
static void fetch_past(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                       uint32_t sectors)
{
    fetch(l2, dram, map, at, sectors, GM_LOAD);
    l2->bypassed.read_sectors += gm_count_ones(sectors);
    l2->bypassed.answered_sectors += gm_count_ones(sectors);
}

/* Writes sectors of a store or write-back that bypasses the bank. */
static void forward_past(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                         uint32_t sectors)
{
    forward(l2, dram, map, at, sectors);
    l2->bypassed.written_sectors += gm_count_ones(sectors);
}

/* Does a load or store whose line the closed bank has no data of: reads its sectors from DRAM, or
 * writes them there. */
static gm_outcome bypass(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                         const gm_message *message, gm_cache_place place)
{
    gm_access_kind kind = gm_message_access((gm_message_kind)message->kind);
    l2->statistics.accesses[kind]++;
    l2->statistics.bypasses[kind]++;
    gm_streaming_bypass(l2->streaming, &l2->cache, &l2->statistics, kind, at.line, place,
                        message->sectors,
                        l2->policy.sectored ? message->sectors : l2->policy.all_sectors);
    if (kind == GM_LOAD) {
        fetch_past(l2, dram, map, at, message->sectors);
    } else {
        forward_past(l2, dram, map, at, message->sectors);
    }
    if (l2->values != NULL) {
        const gm_l2_effect effect = {.outcome = GM_L2_MISS,
                                     .validated = kind == GM_LOAD ? message->sectors : 0,
                                     .forwarded = kind == GM_LOAD ? 0 : message->sectors};
        apply_values(l2, message, &effect, 0);
    }
    gm_cache_assert_access(&l2->cache, at.line);
    return (gm_outcome){.bypass = true};
}

/* Does a message of a line in the slot, or of an absent one. */
static gm_outcome access_place(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                               const gm_message *message, gm_cache_place place)
{
    return l2->bytes != NULL
               ? access_bytes(l2, dram, map, at, message, place)
               : access_found(l2, dram, map, at, message, (gm_message_kind)message->kind, place,
                              l2->values != NULL, l2->partial != NULL);
}

void gm_l2_fill_with_victim(gm_l2 *l2, uint32_t slot, uint32_t sm, uint64_t l2_line,
                            uint32_t sectors)
{
    l2->victim.inserted++;
    l2->victim.inserted_sectors += gm_count_ones(sectors);
    gm_cache_state(&l2->cache, slot)->valid = sectors;
    if (l2->bytes != NULL) {
        gm_l2_bytes_allocate(l2->bytes, slot);
        gm_l2_bytes_fill(l2->bytes, slot);
    } else if (l2->partial != NULL) {
        l2->partial[slot] = 0;
    }
    if (l2->values != NULL) {
        gm_values_insert_victim(l2->values, sm, l2_line, sectors);
    }
}

void gm_l2_move(gm_l2 *l2, gm_cache_place place)
{
    gm_cache_drop(&l2->cache, place);
    l2->victim.moved++;
    if (l2->bytes != NULL) {
        gm_l2_bytes_leave(l2->bytes, place.slot);
    }
}

/* Takes a line that the last L1 which shared it has evicted [anssari, 3.3]: clean, as the newest of
 * its set. A line that the bank has is no older. */
static gm_outcome take_victim(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                              const gm_message *message, gm_cache_place place)
{
    gm_l2_victim_statistics *counts = &l2->victim;
    counts->lines++;
    counts->sectors += gm_count_ones(message->sectors);
    if (place.slot != GM_NO_SLOT) {
        counts->present++;
        return (gm_outcome){0};
    }
    gm_l2_fill_with_victim(l2, allocate(l2, dram, map, at, place, GM_STORE), message->sm,
                           message->line, message->sectors);
    gm_cache_assert_access(&l2->cache, at.line);
    return (gm_outcome){.fills = message->sectors};
}

/* Does a read that fills an L1, of a line in the slot, which may move there. */
static gm_outcome access_moving(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                                const gm_message *message, gm_cache_place place)
{
    bool moves =
        gm_l2_moves(&l2->policy, *gm_cache_state(&l2->cache, place.slot), message->sectors);
    gm_outcome outcome = access_place(l2, dram, map, at, message, place);
    if (moves) {
        gm_l2_move(l2, place);
        outcome.drops = true;
    }
    return outcome;
}

/* Does a message in a bank that coalesced loads bypass [anssari, 4.3]: reads the sectors of an
 * absent line that an L1 installs from DRAM, and takes no way. */
static __attribute__((noinline)) gm_outcome access_bypassing(gm_l2 *l2, gm_dram *dram,
                                                             const gm_address_map *map,
                                                             gm_location at,
                                                             const gm_message *message)
{
    gm_l2_coalesced_statistics *counts = &l2->coalesced;
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    if (message->kind == GM_MESSAGE_EVICT) {
        return take_victim(l2, dram, map, at, message, place);
    }
    if (message->kind != GM_MESSAGE_READ || message->fills == 0) {
        return access_place(l2, dram, map, at, message, place);
    }
    counts->reads++;
    counts->sectors += gm_count_ones(message->sectors);
    if (place.slot != GM_NO_SLOT) {
        counts->present++;
        return access_moving(l2, dram, map, at, message, place);
    }
    counts->bypassed++;
    l2->statistics.accesses[GM_LOAD]++;
    l2->statistics.bypasses[GM_LOAD]++;
    fetch_past(l2, dram, map, at, message->sectors);
    if (l2->values != NULL) {
        gm_values_read_dram(l2->values, message->sm, message->kind, message->line,
                            message->sectors);
    }
    return (gm_outcome){.bypass = true};
}

/* Does a message in a bank with a gate. Host copies are no accesses. */
static __attribute__((noinline)) gm_outcome access_gated(gm_l2 *l2, gm_dram *dram,
                                                         const gm_address_map *map, gm_location at,
                                                         const gm_message *message)
{
    gm_streaming *streaming = l2->streaming;
    gm_message_kind kind = (gm_message_kind)message->kind;
    gm_access_kind counted = gm_message_access(kind);
    bool copy = kind >= GM_MESSAGE_INSTALL;
    bool counts = !copy && (counted == GM_LOAD || counted == GM_STORE);
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    bool has_data = place.slot != GM_NO_SLOT && !gm_streaming_is_tag(&l2->cache, place.slot);
    gm_outcome outcome;
    if (counts && streaming->block.closed && !has_data) {
        outcome = bypass(l2, dram, map, at, message, place);
    } else {
        gm_streaming_watch watch = gm_streaming_begin(&l2->cache, at.line, place);
        uint64_t misses = l2->statistics.misses[counted];
        outcome =
            access_line(l2, dram, map, at, message, kind, l2->values != NULL, l2->partial != NULL);
        gm_streaming_finish(streaming, &l2->cache, &watch);
        if (counts) {
            gm_streaming_count(streaming, l2->statistics.misses[counted] != misses);
        }
    }
    if (!copy) {
        gm_streaming_advance(streaming);
    }
    return outcome;
}

/* Does a message in a bank without a gate, whose line is not in an atomic buffer. */
static gm_outcome access_ungated(gm_l2 *l2, gm_dram *dram, const gm_address_map *map,
                                 gm_location at, const gm_message *message)
{
    return l2->policy.bypasses ? access_bypassing(l2, dram, map, at, message)
           : l2->bytes != NULL
               ? access_bytes(l2, dram, map, at, message, gm_cache_find(&l2->cache, at.line))
           : l2->partial != NULL
               ? access_lazy(l2, dram, map, at, message)
               : access_line(l2, dram, map, at, message, (gm_message_kind)message->kind,
                             l2->values != NULL, false);
}

gm_atomic_line gm_l2_take_line(gm_l2 *l2, gm_cache_place place)
{
    const gm_atomic_line line = {
        .line = gm_cache_line(&l2->cache, place.slot),
        .state = *gm_cache_state(&l2->cache, place.slot),
        .partial = l2->partial != NULL ? l2->partial[place.slot] : 0,
        .bytes = l2->bytes != NULL ? l2->bytes->mask[place.slot] : (gm_l2_byte_mask){0},
    };
    if (l2->bytes != NULL) {
        l2->bytes->mask[place.slot] = (gm_l2_byte_mask){0};
    }
    if (l2->partial != NULL) {
        l2->partial[place.slot] = 0;
    }
    gm_cache_drop(&l2->cache, place);
    return line;
}

void gm_l2_set_line(gm_l2 *l2, uint32_t slot, const gm_atomic_line *line)
{
    *gm_cache_state(&l2->cache, slot) = line->state;
    if (l2->partial != NULL) {
        l2->partial[slot] = line->partial;
    }
    if (l2->bytes != NULL) {
        l2->bytes->mask[slot] = line->bytes;
    }
}

/* Moves a line from the atomic buffer back into the L2. */
static void put_back(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                     const gm_atomic_line *line)
{
    at.line = line->line;
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    gm_assert(place.slot == GM_NO_SLOT, "line 0x%llx is in the L2 and in its atomic buffer",
              (unsigned long long)at.line);
    gm_l2_set_line(l2, allocate(l2, dram, map, at, place, GM_ATOMIC), line);
    if (l2->values != NULL) {
        gm_values_put(l2->values, gm_address_map_line(map, at), line->state.valid,
                      line->bytes.valid);
    }
    gm_cache_assert_access(&l2->cache, at.line);
}

void gm_l2_end_kernel(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at)
{
    gm_atomic_line line;
    if (l2->atomics != NULL && gm_atomic_unit_flush(l2->atomics, &line)) {
        put_back(l2, dram, map, at, &line);
    }
    if (l2->resets) {
        gm_cache_sharing_reset(&l2->cache);
    }
}

void gm_l2_hit_in_buffer(gm_l2 *l2, gm_message_kind kind, uint64_t line, uint32_t sectors,
                         uint32_t bytes)
{
    gm_access_kind counted = gm_message_access(kind);
    unsigned dirtied = gm_count_ones(gm_atomic_unit_hit(l2->atomics, counted, line, sectors));
    gm_l2_count_outcome(&l2->statistics, counted, GM_L2_HIT, true);
    l2->dirtied += dirtied;
    l2->dirty_sectors += dirtied;
    if (l2->bytes != NULL) {
        gm_l2_bytes_write_beside(l2->bytes, &l2->atomics->bytes, gm_l2_bytes_written(kind, bytes));
    }
}

/* Performs a coherent operation on the line in the buffer. */
static gm_outcome hit_in_buffer(gm_l2 *l2, gm_location at, const gm_message *message)
{
    gm_message_kind kind = (gm_message_kind)message->kind;
    gm_l2_hit_in_buffer(l2, kind, at.line, message->sectors, message->bytes);
    if (l2->values != NULL) {
        gm_values_perform_in_buffer(l2->values, kind, message->sm, message->kind, message->line,
                                    message->sectors, 0);
    }
    return (gm_outcome){.hit = true};
}

/* Moves the line of a coherent operation, which has been performed in the L2, into the buffer. It
 * leaves its way before the line in the buffer takes one. */
static void exchange(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                     const gm_message *message)
{
    gm_atomic_line put;
    const gm_atomic_line taken = gm_l2_take_line(l2, gm_cache_find(&l2->cache, at.line));
    if (l2->values != NULL) {
        gm_values_take(l2->values, message->line, taken.state.valid, taken.bytes.valid);
    }
    if (gm_atomic_unit_take(l2->atomics, gm_message_access((gm_message_kind)message->kind), &taken,
                            message->sectors, &put)) {
        put_back(l2, dram, map, at, &put);
    }
}

/* Does a message in a bank with an atomic buffer. Every other access to the held line, and a
 * coherent operation on sectors that it lacks, find it back in the L2. */
static __attribute__((noinline)) gm_outcome access_beside_buffer(gm_l2 *l2, gm_dram *dram,
                                                                 const gm_address_map *map,
                                                                 gm_location at,
                                                                 const gm_message *message)
{
    gm_message_kind kind = (gm_message_kind)message->kind;
    bool coherent = gm_message_is_coherent(kind, message->strong != 0);
    gm_atomic_line put;
    if (coherent && gm_l2_hits_in_buffer(l2, kind, at.line, message->sectors, message->bytes)) {
        return hit_in_buffer(l2, at, message);
    }
    if ((!coherent || gm_atomic_unit_holds(l2->atomics, at.line)) &&
        gm_atomic_unit_access(l2->atomics, at.line, &put)) {
        put_back(l2, dram, map, at, &put);
    }
    gm_outcome outcome = access_ungated(l2, dram, map, at, message);
    if (coherent) {
        exchange(l2, dram, map, at, message);
    }
    return outcome;
}

/* Reads the sectors of a local line, which is absent, from DRAM: it takes no way [V-B2]. */
static gm_outcome read_local(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                             const gm_message *message)
{
    l2->statistics.accesses[GM_LOAD]++;
    l2->statistics.bypasses[GM_LOAD]++;
    l2->cache.sharing->statistics.l2_local_reads++;
    fetch_past(l2, dram, map, at, message->sectors);
    if (l2->values != NULL) {
        gm_values_read_dram(l2->values, message->sm, message->kind, message->line,
                            message->sectors);
    }
    return (gm_outcome){.bypass = true};
}

/* Writes the sectors of a local line to DRAM: its set has shared lines only [V-B2, P2]. */
static gm_outcome write_local(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                              const gm_message *message, gm_cache_place place)
{
    const gm_l2_effect effect = {.outcome = GM_L2_MISS, .forwarded = message->sectors};
    gm_cache_sharing_take(&l2->cache, place); /* declares a line dead */
    l2->statistics.accesses[GM_STORE]++;
    l2->statistics.bypasses[GM_STORE]++;
    l2->cache.sharing->statistics.l2_local_writes++;
    forward_past(l2, dram, map, at, message->sectors);
    if (l2->values != NULL) {
        apply_values(l2, message, &effect, 0);
    }
    return (gm_outcome){.bypass = true};
}

/* Does a message in a sharing-aware bank. Lines that L1s write back are local. */
static __attribute__((noinline)) gm_outcome access_sharing(gm_l2 *l2, gm_dram *dram,
                                                           const gm_address_map *map,
                                                           gm_location at,
                                                           const gm_message *message)
{
    gm_message_kind kind = (gm_message_kind)message->kind;
    gm_cache_sharing *sharing = l2->cache.sharing;
    bool read = kind == GM_MESSAGE_READ && message->local != 0;
    bool local = l2->local_bypasses && (read || kind == GM_MESSAGE_WRITE_BACK);
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    bool bypass = read;
    sharing->known = !local && kind < GM_MESSAGE_INSTALL;
    sharing->sm = message->sm;
    sharing->incoming = local;
    sharing->shared = false;
    if (local && place.slot == GM_NO_SLOT) {
        if (!read) {
            gm_cache_sharing_victim(&l2->cache, place, &bypass);
        }
        if (bypass) {
            return read ? read_local(l2, dram, map, at, message)
                        : write_local(l2, dram, map, at, message, place);
        }
    }
    return access_found(l2, dram, map, at, message, kind, place, l2->values != NULL, false);
}

static __attribute__((noinline)) gm_outcome access_any(gm_l2 *l2, gm_dram *dram,
                                                       const gm_address_map *map, gm_location at,
                                                       const gm_message *message)
{
    return l2->streaming != NULL       ? access_gated(l2, dram, map, at, message)
           : l2->cache.sharing != NULL ? access_sharing(l2, dram, map, at, message)
           : l2->atomics != NULL       ? access_beside_buffer(l2, dram, map, at, message)
                                       : access_ungated(l2, dram, map, at, message);
}

/* Has an instance for reads, the most frequent messages, without values. */
gm_outcome gm_l2_access(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                        const gm_message *message)
{
    l2->received.messages[message->kind]++;
    l2->received.sectors[message->kind] += gm_count_ones(message->sectors);
    return message->kind == l2->inlined
               ? access_line(l2, dram, map, at, message, GM_MESSAGE_READ, false, false)
               : access_any(l2, dram, map, at, message);
}

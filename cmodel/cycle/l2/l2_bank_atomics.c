/* Timed L2 bank with an atomic buffer [anssari, 3.4]: lines between it and the tags. docs/l2.md has
 * the rules. */
#include "cache/values.h"
#include "cycle/l2/l2_bank_tags.h"

/* Where the line in the atomic buffer goes. */
typedef struct way_back {
    bool wanted; /* there is a line */
    bool exists; /* a way that does not wait for data */
    bool dirty;  /* its line is written to DRAM */
} way_back;

/* Finds the way for the line in the atomic buffer, which the line at `leaving` has left, if that is
 * in a slot. */
static way_back find_way_back(const gm_l2_bank *bank, gm_cache_place leaving)
{
    const gm_atomic_unit *unit = bank->l2.atomics;
    if (!unit->block.held) {
        return (way_back){.wanted = false};
    }
    gm_cache_place place = gm_cache_find(&bank->l2.cache, unit->block.line);
    if (leaving.slot != GM_NO_SLOT && place.set == leaving.set) {
        return (way_back){.wanted = true, .exists = true};
    }
    uint32_t slot = gm_cache_victim(&bank->l2.cache, place);
    bool exists = slot != GM_NO_SLOT;
    return (way_back){.wanted = true,
                      .exists = exists,
                      .dirty = exists && bank->l2.cache.way[slot].state.dirty != 0};
}

/* Moves a line of the atomic buffer back into the tags, as the newest of its set. Requires what
 * find_way_back says. */
static void put_back(gm_l2_bank *bank, gm_l2_look_up it, const gm_atomic_line *line)
{
    it.kind = GM_ATOMIC;
    it.line = line->line;
    it.place = gm_cache_find(&bank->l2.cache, line->line);
    gm_location at = {bank->partition, bank->bank, line->line};
    if (bank->l2.values != NULL) {
        gm_values_put(bank->l2.values, gm_address_map_line(&bank->shared->map, at),
                      line->state.valid, line->bytes.valid);
    }
    uint32_t slot = gm_l2_replace(bank, it, gm_cache_victim(&bank->l2.cache, it.place));
    gm_l2_set_line(&bank->l2, slot, line);
    gm_cache_assert_access(&bank->l2.cache, line->line);
}

void gm_l2_bank_exchange(gm_l2_bank *bank, gm_l2_look_up it, uint64_t l2_line, uint32_t sectors)
{
    gm_atomic_line put;
    const gm_atomic_line taken = gm_l2_take_line(&bank->l2, it.place);
    if (bank->l2.values != NULL) {
        gm_values_take(bank->l2.values, l2_line, taken.state.valid, taken.bytes.valid);
    }
    if (gm_atomic_unit_take(bank->l2.atomics, it.kind, &taken, sectors, &put)) {
        put_back(bank, it, &put);
    }
}

gm_l2_fail gm_l2_bank_exchange_fail(const gm_l2_bank *bank, gm_l2_look_up it)
{
    const way_back way = find_way_back(bank, it.place);
    return way.wanted && !way.exists                    ? GM_L2_FAIL_LINE
           : way.dirty && !gm_l2_has_dram_room(bank, 1) ? GM_L2_FAIL_MISS_QUEUE
                                                        : GM_L2_NO_FAIL;
}

gm_l2_fail gm_l2_bank_hit_in_buffer(gm_l2_bank *bank, gm_l2_look_up it)
{
    const gm_packet *packet = it.packet;
    gm_message_kind kind = (gm_message_kind)packet->kind;
    if (!gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_l2_hit_in_buffer(&bank->l2, kind, it.line, packet->sectors, packet->bytes);
    if (bank->l2.values != NULL) {
        gm_values_perform_in_buffer(bank->l2.values, kind, packet->sm, packet->id, packet->line,
                                    packet->sectors, it.now);
    }
    gm_l2_reply(bank, it.number);
    return GM_L2_NO_FAIL;
}

gm_l2_fail gm_l2_bank_put_back_first(gm_l2_bank *bank, gm_l2_look_up it)
{
    gm_atomic_line put;
    const gm_cache_place nowhere = {.slot = GM_NO_SLOT};
    const way_back way = find_way_back(bank, nowhere);
    if (!way.exists) {
        return GM_L2_FAIL_LINE;
    }
    if (way.dirty && !gm_l2_has_dram_room(bank, 1)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_atomic_unit_access(bank->l2.atomics, it.line, &put);
    put_back(bank, it, &put);
    bank->look_up_from = it.cycle + 1;
    return GM_L2_WAIT;
}

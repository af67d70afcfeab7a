/* Timed L2 bank as a victim buffer of the L1s [anssari, 3.3] (l2.victim): lines that sharing
 * trackers send. docs/l2.md has the rules. A victim never waits in a bank: it takes a way at its
 * look-up, or is dropped, which loses nothing, since DRAM has its data. It has no response. */
#include "cache/values.h"
#include "cycle/l2/l2_bank_tags.h"

/* True if a load that bypasses the bank waits for data of the packet's line. */
static bool is_bypassed(const gm_l2_bank *bank, gm_l2_look_up it)
{
    uint32_t left = bank->bypassing != 0 ? it.packet->sectors : 0;
    bool found = false;
    for (; left != 0 && !found; left &= left - 1) {
        uint64_t key =
            bank->shared->line_sectors != 0 ? gm_l2_sector_key(bank, it.line, left) : it.line;
        found = gm_mshr_find_open(&bank->mshr, key) < GM_MSHR_ENTRIES;
    }
    return found;
}

/* Returns the slot for a victim; GM_NO_SLOT: every way waits for data, or the dirty line in the way
 * has no room towards DRAM. */
static uint32_t slot_for(const gm_l2_bank *bank, gm_l2_look_up it)
{
    uint32_t slot = gm_cache_victim(&bank->l2.cache, it.place);
    bool dirty = slot != GM_NO_SLOT && bank->l2.cache.way[slot].state.dirty != 0;
    return dirty && !gm_l2_has_dram_room(bank, 1) ? GM_NO_SLOT : slot;
}

gm_l2_fail gm_l2_bank_take_victim(gm_l2_bank *bank, gm_l2_look_up it)
{
    const gm_packet *packet = it.packet;
    gm_l2_victim_statistics *counts = &bank->l2.victim;
    bool present = it.place.slot != GM_NO_SLOT || is_bypassed(bank, it);
    uint32_t slot = present ? GM_NO_SLOT : slot_for(bank, it);
    counts->lines++;
    counts->sectors += gm_count_ones(packet->sectors);
    counts->present += present;
    counts->refused += !present && slot == GM_NO_SLOT;
    if (slot != GM_NO_SLOT) {
        gm_l2_fill_with_victim(&bank->l2, gm_l2_replace(bank, it, slot), packet->sm, packet->line,
                               packet->sectors);
    } else if (bank->l2.values != NULL) {
        gm_values_drop_victim(bank->l2.values, packet->sm, packet->line, packet->sectors);
    }
    bank->vacant[bank->vacancies++] = it.number;
    return GM_L2_NO_FAIL;
}

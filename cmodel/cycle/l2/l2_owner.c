/* Data of owners at the timed L2 bank: into the line's slot; of an evicted line, to DRAM. */
#include "cycle/l2/l2_owner.h"

#include "cache/values.h"
#include "coherence/mesi.h"

void gm_l2_owner_take_data(gm_l2_bank *bank, gm_l2_round *round, const gm_packet *packet,
                           gm_cycle now)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    if (bank->l2.values != NULL) {
        gm_values_take_line(bank->l2.values, packet->sm, packet->id, packet->line, packet->sectors,
                            false);
    }
    if (round->entry == UINT32_MAX) {
        round->dirty = packet->sectors;
        return;
    }
    uint32_t slot = bank->fill[round->entry].slot;
    gm_l2_perform(bank, slot, GM_STORE, packet->sectors, gm_clock_first(bank->shared->clock, now));
    gm_mesi_l2_give_up(protocol, slot, (packet->flags & GM_MESI_KEEPS) != 0);
}

bool gm_l2_owner_can_end(const gm_l2_bank *bank, const gm_l2_round *round)
{
    return round->dirty == 0 || gm_l2_has_dram_room(bank, 1);
}

void gm_l2_owner_end_recall(gm_l2_bank *bank, const gm_l2_round *round, gm_cycle now)
{
    unsigned sectors = gm_count_ones(round->dirty);
    if (sectors == 0) {
        return;
    }
    bank->l2.dirtied += sectors;
    bank->l2.statistics.write_backs[GM_STORE]++;
    bank->l2.statistics.sectors_written_back[GM_STORE] += sectors;
    if (bank->l2.values != NULL) {
        gm_l2_bank_tell_write_back(bank, round->in_bank, round->dirty, 0);
    }
    gm_l2_write_to_dram(bank, now, round->in_bank, round->dirty);
}

/* Timed L2 bank: values of its requests, for --check=values. */
#include "cache/values.h"

#include "cycle/l2/l2_bank_tags.h"

/* Returns the core cycle behind which every SM sees a write that is performed now with this answer:
 * the cycle before the writer's lease. A lease at the epoch's last time may have stayed where it
 * was. */
static gm_cycle visible_from(const gm_l2_bank *bank, const gm_packet *answer, gm_cycle now)
{
    if (bank->coherent == NULL || (answer->flags & GM_COHERENCE_GWCT) == 0) {
        return now;
    }
    const gm_coherence_time *time = bank->coherent->protocol.time;
    bool later = (answer->flags & GM_COHERENCE_LEASE) != 0 && answer->timestamp != time->last;
    return time->begin + answer->timestamp - later;
}

void gm_l2_bank_perform_values(gm_l2_bank *bank, const gm_packet *asked, const gm_packet *answer,
                               bool through, gm_cycle now)
{
    if (asked->kind == GM_MESSAGE_INSTRUCTION) {
        return; /* code has no values */
    }
    gm_values_perform(bank->l2.values, (gm_message_kind)asked->kind, asked->sm, asked->id,
                      asked->line, asked->sectors, through, visible_from(bank, answer, now));
    if (bank->coherent != NULL && (answer->flags & GM_COHERENCE_LINE) != 0) {
        gm_values_reply(bank->l2.values, answer->sm, answer->id, answer->line, answer->sectors);
    }
}

void gm_l2_bank_tell_write_back(gm_l2_bank *bank, uint64_t line, uint32_t dirty, uint32_t bytes)
{
    gm_location at = {bank->partition, bank->bank, line};
    uint64_t address = gm_address_map_line(&bank->shared->map, at);
    if (bank->l2.bytes != NULL) {
        gm_values_write_bytes_to_dram(bank->l2.values, address, bytes);
    } else {
        gm_values_write_to_dram(bank->l2.values, address, dirty);
    }
}

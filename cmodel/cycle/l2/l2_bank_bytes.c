/* Timed L2 bank in which stores fetch nothing: which sectors of a line are partial, or which of its
 * bytes it has (l2.dirty=byte). */
#include "cache/l2_parts.h"
#include "cache/values.h"
#include "cycle/l2/l2_bank_tags.h"

void gm_l2_bank_note_partial(gm_l2_bank *bank, const gm_packet *packet, uint32_t slot,
                             const gm_l2_line *line, const gm_l2_effect *effect)
{
    const gm_l2_request request = {(gm_message_kind)packet->kind, packet->sectors, packet->whole};
    bank->l2.partial[slot] = gm_l2_parts_after(&bank->l2, slot, &request, line, effect);
}

void gm_l2_bank_begin_bytes(gm_l2_bank *bank, gm_l2_look_up it, uint32_t slot,
                            const gm_l2_effect *effect)
{
    gm_l2_bytes *bytes = bank->l2.bytes;
    if (effect->allocates) {
        gm_l2_bytes_allocate(bytes, slot);
    }
    if (bank->l2.values != NULL && effect->allocates) {
        gm_values_allocate_bytes(bank->l2.values, it.packet->line);
    }
    if (bank->l2.values != NULL && effect->fetched != 0) {
        gm_values_fetch_bytes(bank->l2.values, it.packet->line, gm_l2_bytes_missing(bytes, slot));
    }
}

void gm_l2_bank_perform_bytes(gm_l2_bank *bank, const gm_packet *packet, uint32_t slot)
{
    gm_l2_bytes_write(bank->l2.bytes, slot,
                      gm_l2_bytes_written((gm_message_kind)packet->kind, packet->bytes));
}

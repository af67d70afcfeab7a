/* Timed L2 bank that is lazy (l2.fetch_on_write), merges by sector (l2.merge_by), may be bypassed
 * or has an atomic buffer: look-ups of its lines. */
#include "cycle/l2/l2_bank_line.h"

gm_l2_fail gm_l2_bank_access_modern(gm_l2_bank *bank, gm_l2_look_up it)
{
    bool lazy = bank->l2.partial != NULL;
    bool by_sector = bank->shared->line_sectors != 0;
    return it.packet->kind == GM_MESSAGE_READ && bank->l2.values == NULL
               ? gm_l2_access_line(bank, it, GM_MESSAGE_READ, false, false, lazy, by_sector)
               : gm_l2_access_line(bank, it, (gm_message_kind)it.packet->kind, false,
                                   bank->l2.values != NULL, lazy, by_sector);
}

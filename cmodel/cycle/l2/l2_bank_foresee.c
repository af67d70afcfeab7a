/* Foresight of an L2 bank (base/foresight.h). */
#include "cycle/l2/l2_bank_access.h"
#include "cycle/l2/l2_bank_tags.h"
#include "cycle/noc/network.h"
#include "cycle/util/mshr_foresee.h"

/* True if the oldest packet is looked up. */
static bool looks_up(const gm_l2_bank *bank, gm_cycle now)
{
    return bank->look_up_from <= (bank->in_core_clock ? now : bank->cycle);
}

void gm_l2_bank_foresee_heads(const gm_l2_bank *bank, gm_cycle now)
{
    if (looks_up(bank, now)) {
        gm_prefetch(gm_l2_bank_request(bank));
    }
    if (!gm_ring_is_empty(&bank->out)) {
        gm_prefetch(gm_l2_bank_response(bank));
        gm_network_foresee(bank->replies, bank->number);
    }
    if (bank->tracker == NULL && *bank->arrival <= now) {
        gm_prefetch(gm_network_peek(bank->requests, bank->number, now));
        if (bank->vacancies != 0) {
            gm_prefetch(&bank->item[bank->vacant[bank->vacancies - 1]]);
        }
    }
}

/* Returns the address by which the MSHRs know what a packet requests. */
static uint64_t key_of(const gm_l2_bank *bank, const gm_packet *packet)
{
    return bank->shared->line_sectors != 0
               ? gm_l2_sector_key(bank, packet->in_bank, packet->sectors)
               : packet->in_bank;
}

void gm_l2_bank_foresee_places(const gm_l2_bank *bank, gm_cycle now)
{
    if (looks_up(bank, now)) {
        const gm_packet *packet = &gm_l2_bank_request(bank)->packet;
        gm_cache_foresee(&bank->l2.cache, packet->in_bank);
        gm_mshr_foresee(&bank->mshr, key_of(bank, packet));
    }
}

void gm_l2_bank_foresee_state(const gm_l2_bank *bank, gm_cycle now)
{
    if (looks_up(bank, now)) {
        const gm_packet *packet = &gm_l2_bank_request(bank)->packet;
        uint32_t slot = gm_cache_foresee_way(&bank->l2.cache, packet->in_bank);
        if (slot != GM_NO_SLOT && bank->l2.partial != NULL) {
            gm_prefetch(&bank->l2.partial[slot]);
        }
        gm_mshr_foresee_entry(&bank->mshr, key_of(bank, packet));
    }
}

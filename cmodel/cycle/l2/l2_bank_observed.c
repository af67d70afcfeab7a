/* Timed L2 bank that is observed, for analyses: what is told of look-ups, fills and host copies. */
#include "cycle/l2/l2_bank_tags.h"

void gm_l2_bank_tell_accesses(gm_l2_bank *bank, const gm_access_observer *observer)
{
    bank->observer = observer;
    bank->special = true;
    bank->owns = false;
    bank->usual_kind = GM_MESSAGE_KINDS;
}

gm_l2_watched gm_l2_bank_watch(gm_l2_bank *bank, const gm_packet *packet)
{
    const gm_cache_statistics *counts = &bank->l2.statistics;
    const gm_l2_victim_statistics *victim = &bank->l2.victim;
    gm_access_kind kind = gm_l2_kind_of(packet);
    return (gm_l2_watched){
        .packet = *packet,
        .present = bank->l2.policy.victims &&
                   gm_cache_find(&bank->l2.cache, packet->in_bank).slot != GM_NO_SLOT,
        .accesses = counts->accesses[kind],
        .hits = counts->hits[kind],
        .pending = counts->hits_pending[kind],
        .bypasses = counts->bypasses[kind],
        .installed = victim->lines - victim->present - victim->refused,
    };
}

/* A victim of an L1 is told only if it has taken a way. A line that moves to an L1 leaves its way.
 */
void gm_l2_bank_tell(gm_l2_bank *bank, const gm_l2_watched *before, gm_cycle now)
{
    const gm_packet *packet = &before->packet;
    const gm_l2_watched after = gm_l2_bank_watch(bank, packet);
    if (after.accesses == before->accesses && after.installed == before->installed) {
        return;
    }
    const gm_observed_access access = {
        .line = packet->line,
        .sectors = packet->sectors,
        .whole = packet->whole,
        .sm = packet->sm,
        .unit = bank->number,
        .id = packet->id,
        .kind = packet->kind,
        .hit = after.hits != before->hits || after.pending != before->pending,
        .waits = after.pending != before->pending,
        .bypass = after.bypasses != before->bypasses,
        .drops = before->present && !after.present,
        .now = now,
    };
    bank->observer->l2_access(bank->observer->context, &access);
}

void gm_l2_bank_tell_copy(const gm_l2_bank *bank, const gm_message *message, gm_outcome outcome)
{
    const gm_observed_access access = {
        .line = message->line,
        .sectors = message->sectors,
        .unit = bank->number,
        .kind = message->kind,
        .hit = outcome.hit,
        .drops = outcome.drops,
    };
    bank->observer->l2_access(bank->observer->context, &access);
}

void gm_l2_bank_tell_fill(const gm_l2_bank *bank, uint32_t slot, gm_cycle now)
{
    gm_location at = {bank->partition, bank->bank, gm_cache_line(&bank->l2.cache, slot)};
    bank->observer->l2_fill(bank->observer->context, gm_address_map_line(&bank->shared->map, at),
                            now);
}

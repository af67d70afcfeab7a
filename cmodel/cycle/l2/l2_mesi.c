/* MESI at the timed L2 bank. */
#include "cycle/l2/l2_mesi.h"

#include "cache/values.h"
#include "coherence/mesi.h"
#include "cycle/l2/l2_bank_line.h"
#include "cycle/l2/l2_directory.h"
#include "goldmem/assert.h"

static bool waits_for_sms(const gm_directory_row *row)
{
    return (row->actions & GM_DO_WAIT) != 0;
}

/* --- what rows do --- */

/* Makes the packet the response that the row says, and changes the line. `round`: of an owner that
 * must confirm. */
static void respond(gm_l2_bank *bank, gm_packet *packet, uint32_t slot, const gm_directory_row *row,
                    uint32_t round, gm_cycle cycle, gm_cycle now)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    uint32_t all = bank->l2.policy.all_sectors;
    gm_mesi_l2_follow(protocol, slot, row, packet->sm);
    packet->timestamp = round;
    if (row->event == GM_DIR_PUT) {
        bool old = (row->actions & GM_DO_TAKE) == 0;
        if (old) {
            protocol->statistics.puts_old++;
        }
        gm_l2_perform(bank, slot, GM_STORE, old ? 0 : packet->sectors, cycle);
        if (bank->l2.values != NULL) {
            gm_values_take_line(bank->l2.values, packet->sm, packet->id, packet->line,
                                packet->sectors, old);
        }
        return;
    }
    packet->flags = row->message == GM_MSG_DATA_E ? GM_MESI_EXCLUSIVE : 0;
    if (row->message == GM_MSG_DATA_M && packet->kind == GM_MESSAGE_UPGRADE) {
        packet->kind = GM_MESSAGE_GETX;
        bank->l2.received.answered += gm_count_ones(all);
    }
    if (bank->l2.values != NULL && row->message != GM_MSG_GRANT) {
        gm_values_perform(bank->l2.values, GM_MESSAGE_READ, packet->sm, packet->id, packet->line,
                          all, false, now);
    }
}

/* The round that a row begins for a request. */
static gm_l2_round round_of(const gm_l2_bank *bank, const gm_packet *packet, uint32_t slot,
                            const gm_directory_row *row)
{
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    return (gm_l2_round){
        .line = packet->line,
        .in_bank = packet->in_bank,
        .due = (row->actions & GM_DO_OWN) != 0 ? UINT64_C(1) << packet->sm
                                               : gm_mesi_others(protocol, slot, packet->sm),
        .what = (row->actions & GM_DO_OWN) != 0   ? GM_L2_UNBLOCK
                : row->message == GM_MSG_FWD_GETS ? GM_L2_FORWARD_GETS
                : row->message == GM_MSG_FWD_GETX ? GM_L2_FORWARD_GETX
                                                  : GM_L2_INVALIDATE,
    };
}

/* --- look-up --- */

/* A line that is absent or recalled: a write-back of it is an old one. */
static gm_l2_fail drop_put(gm_l2_bank *bank, const gm_l2_look_up *it)
{
    if (gm_l2_directory_is_recalled(bank, it->line)) {
        return GM_L2_FAIL_MSHR_ENTRY;
    }
    if (!gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    bank->coherent->protocol.statistics.puts_old++;
    gm_l2_count_outcome(&bank->l2.statistics, it->kind, GM_L2_HIT, true);
    if (bank->l2.values != NULL) {
        gm_values_take_line(bank->l2.values, it->packet->sm, it->packet->id, it->packet->line,
                            it->packet->sectors, true);
    }
    gm_l2_reply(bank, it->number);
    return GM_L2_NO_FAIL;
}

static gm_l2_fail fetch(gm_l2_bank *bank, const gm_l2_look_up *it)
{
    const gm_l2_request request = {GM_MESSAGE_READ, it->packet->sectors, 0};
    const gm_l2_line line = {.present = false};
    gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
    return gm_l2_miss(bank, *it, line, effect, true, bank->l2.values != NULL, false);
}

/* A hit that makes the line's state transient: the request, or its answer's confirmation, is in an
 * MSHR entry. */
static gm_l2_fail begin(gm_l2_bank *bank, const gm_l2_look_up *it, const gm_directory_row *row)
{
    uint32_t slot = it->place.slot;
    uint32_t entry = 0;
    gm_l2_fail fail = gm_l2_directory_has_entry(bank) ? gm_l2_take_entry(bank, *it, true, &entry)
                                                      : GM_L2_FAIL_MSHR_ENTRY;
    if (fail != GM_L2_NO_FAIL) {
        return fail;
    }
    gm_l2_round round = round_of(bank, it->packet, slot, row);
    round.entry = entry;
    round.next = UINT32_MAX;
    round.ghost = !waits_for_sms(row);
    bank->fill[entry] =
        (gm_l2_fill){.slot = slot, .coming = gm_cache_state(&bank->l2.cache, slot)->valid};
    bank->held -= it->now;
    bank->entries++;
    bank->time.l2_mshr_entries++;
    uint32_t number = gm_l2_directory_wait(bank, round, it->now);
    if (!waits_for_sms(row)) {
        respond(bank, it->packet, slot, row, number, it->cycle, it->now);
        gm_l2_reply(bank, it->number);
    }
    return GM_L2_NO_FAIL;
}

static gm_l2_fail hit(gm_l2_bank *bank, const gm_l2_look_up *it)
{
    uint32_t slot = it->place.slot;
    const gm_directory_row *row = gm_mesi_l2_row(
        &bank->coherent->protocol, slot, (gm_message_kind)it->packet->kind, it->packet->sm, false);
    if (!gm_ring_has_room(&bank->out)) {
        bank->coherent->full = true;
        return GM_L2_FAIL_MISS_QUEUE;
    }
    if (row->next > GM_DIR_M) {
        gm_l2_fail fail = begin(bank, it, row);
        if (fail != GM_L2_NO_FAIL) {
            return fail;
        }
    } else {
        respond(bank, it->packet, slot, row, 0, it->cycle, it->now);
        gm_l2_reply(bank, it->number);
    }
    gm_cache_touch(&bank->l2.cache, it->place);
    gm_l2_count_outcome(&bank->l2.statistics, it->kind, GM_L2_HIT, true);
    return GM_L2_NO_FAIL;
}

/* Lets the request wait in the line's MSHR entry. */
static gm_l2_fail join(gm_l2_bank *bank, const gm_l2_look_up *it)
{
    gm_mshr_response response = gm_mshr_access(
        &bank->mshr, (gm_mshr_request){.op = GM_MSHR_PROBE_OP, .line = it->key, .may_allocate = 1});
    if (response.outcome != GM_MSHR_MERGED) {
        return GM_L2_FAIL_MSHR_MERGE; /* full, or being answered */
    }
    gm_mshr_access(
        &bank->mshr,
        (gm_mshr_request){.op = GM_MSHR_REQUEST_OP, .line = it->key, .requester = it->number});
    gm_cache_touch(&bank->l2.cache, it->place);
    gm_l2_count_outcome(&bank->l2.statistics, it->kind, GM_L2_HIT_PENDING, true);
    return GM_L2_NO_FAIL;
}

static inline gm_l2_fail look_up(gm_l2_bank *bank, const gm_l2_look_up *it)
{
    if (it->place.slot == GM_NO_SLOT) {
        return it->packet->kind == GM_MESSAGE_WRITE_BACK ? drop_put(bank, it) : fetch(bank, it);
    }
    return gm_cache_waits(&bank->l2.cache, it->place.slot) ? join(bank, it) : hit(bank, it);
}

gm_l2_fail gm_l2_mesi_look_up(gm_l2_bank *bank, gm_l2_look_up it)
{
    it.kind = gm_message_access((gm_message_kind)it.packet->kind);
    return look_up(bank, &it);
}

gm_l2_fail gm_l2_mesi_look_up_oldest(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    uint32_t number = bank->in_item[gm_ring_first(&bank->in)];
    gm_packet *packet = &bank->item[number].packet;
    uint64_t line = packet->in_bank;
    bank->coherent->full = false;
    const gm_l2_look_up it = {
        .number = number,
        .packet = packet,
        .kind = gm_message_access((gm_message_kind)packet->kind),
        .line = line,
        .key = line,
        .place = gm_cache_find(&bank->l2.cache, line),
        .cycle = cycle,
        .now = now,
    };
    gm_l2_fail fail = look_up(bank, &it);
    if (fail == GM_L2_NO_FAIL) {
        gm_cache_assert_access(&bank->l2.cache, line);
    }
    return fail;
}

/* --- answers --- */

bool gm_l2_mesi_answer(gm_l2_bank *bank, gm_packet *packet, gm_cycle cycle, gm_cycle now)
{
    uint32_t slot = bank->fill[bank->answering - 1].slot;
    const gm_directory_row *row =
        gm_mesi_l2_row(&bank->coherent->protocol, slot, (gm_message_kind)packet->kind, packet->sm,
                       bank->coherent->resumes);
    bank->coherent->resumes = false;
    if (row->next <= GM_DIR_M) {
        respond(bank, packet, slot, row, 0, cycle, now);
        return true;
    }
    uint32_t number = bank->next;
    uint32_t round = gm_l2_directory_suspend_for(bank, round_of(bank, packet, slot, row),
                                                 !waits_for_sms(row), now);
    if (!waits_for_sms(row)) {
        respond(bank, packet, slot, row, round, cycle, now);
        gm_l2_reply_from(bank, number, bank->shared->after_data);
    }
    return false;
}

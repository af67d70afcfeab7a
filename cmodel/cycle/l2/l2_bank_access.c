/* Timed L2 bank, tag stage: look-ups, by what kind of bank it is. */
#include "cycle/l2/l2_bank_line.h"
#include "cycle/l2/l2_mesi.h"

_Static_assert(GM_MSHR_ENTRIES <= 1 << GM_L2_ENTRY_BITS, "an entry's number fits");

void gm_l2_bank_count_fails(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail == GM_L2_NO_FAIL) {
        return;
    }
    gm_cache_statistics *statistics = &bank->l2.statistics;
    gm_access_kind kind =
        gm_l2_kind_of(&bank->item[bank->in_item[gm_ring_first(&bank->in)]].packet);
    uint64_t cycles = cycle - bank->failed_from;
    bank->failed_from = cycle;
    switch ((gm_l2_fail)bank->fail) {
    case GM_L2_FAIL_LINE:
        statistics->fails_line[kind] += cycles;
        break;
    case GM_L2_FAIL_MSHR_ENTRY:
        statistics->fails_mshr_entry[kind] += cycles;
        break;
    case GM_L2_FAIL_MSHR_MERGE:
        statistics->fails_mshr_merge[kind] += cycles;
        break;
    case GM_L2_FAIL_MISS_QUEUE:
        statistics->fails_miss_queue[kind] += cycles;
        break;
    case GM_L2_FAIL_LEASE:
        bank->coherent->protocol.statistics.write_stalls += cycles;
        break;
    case GM_L2_NO_FAIL:
    case GM_L2_WAIT:
        break;
    }
}

static gm_l2_fail access_coherent(gm_l2_bank *bank, gm_l2_look_up it)
{
    if (bank->fail != GM_L2_NO_FAIL) { /* the look-up has failed until now */
        gm_l2_bank_count_fails(bank, it.cycle);
        bank->fail = GM_L2_NO_FAIL;
    }
    bank->retry_from = GM_NEVER;
    if (bank->coherent->protocol.ops->owns) {
        return gm_l2_mesi_look_up(bank, it);
    }
    bool values = bank->l2.values != NULL;
    gm_l2_fail fail = it.packet->kind == GM_MESSAGE_READ
                          ? gm_l2_access_line(bank, it, GM_MESSAGE_READ, true, values, false, false)
                          : gm_l2_access_line(bank, it, (gm_message_kind)it.packet->kind, true,
                                              values, false, false);
    bank->coherent->arrived = bank->coherent->arrived && fail != GM_L2_NO_FAIL;
    return fail;
}

/* Reads have an instance of their own, in line: without it spmv takes 3.4% more instructions. */
static __attribute__((noinline)) gm_l2_fail access_any(gm_l2_bank *bank, gm_l2_look_up it)
{
    bool modern = bank->l2.partial != NULL || bank->shared->line_sectors != 0;
    return bank->coherent != NULL ? access_coherent(bank, it)
           : modern               ? gm_l2_bank_access_modern(bank, it)
                    : gm_l2_access_line(bank, it, (gm_message_kind)it.packet->kind, false,
                                        bank->l2.values != NULL, false, false);
}

/* Looks a packet up in a bank with an atomic buffer. */
static gm_l2_fail access_beside_buffer(gm_l2_bank *bank, gm_l2_look_up it)
{
    const gm_packet *packet = it.packet;
    it.exchanges = gm_l2_is_coherent(packet);
    if (it.exchanges && gm_l2_hits_in_buffer(&bank->l2, (gm_message_kind)packet->kind, it.line,
                                             packet->sectors, packet->bytes)) {
        return gm_l2_bank_hit_in_buffer(bank, it);
    }
    if (gm_atomic_unit_holds(bank->l2.atomics, it.line)) {
        return gm_l2_bank_put_back_first(bank, it);
    }
    gm_l2_fail fail = bank->bypassable ? gm_l2_bank_access_bypassable(bank, it)
                                       : gm_l2_bank_access_modern(bank, it);
    gm_atomic_line none;
    if (fail == GM_L2_NO_FAIL && !it.exchanges) {
        gm_atomic_unit_access(bank->l2.atomics, it.line, &none); /* not its line */
    }
    return fail;
}

/* Looks a packet up in a bank that packets may bypass, or with an atomic buffer. Makes a look-up of
 * its own: with the caller's, those of all banks lie in memory (vectoradd: 0.2% more
 * instructions). */
static __attribute__((noinline)) gm_l2_fail access_special(gm_l2_bank *bank, gm_cycle cycle,
                                                           gm_cycle now)
{
    uint32_t number = bank->in_item[gm_ring_first(&bank->in)];
    gm_packet *packet = &bank->item[number].packet;
    uint64_t line = packet->in_bank;
    bool by_sector = bank->shared->line_sectors != 0;
    const gm_l2_look_up it = {
        .number = number,
        .packet = packet,
        .kind = gm_l2_kind_of(packet),
        .line = line,
        .key = by_sector ? gm_l2_sector_key(bank, line, packet->sectors) : line,
        .place = gm_cache_find(&bank->l2.cache, line),
        .cycle = cycle,
        .now = now,
    };
    return bank->local_reads != NULL  ? gm_l2_bank_access_sharing(bank, it)
           : bank->l2.atomics != NULL ? access_beside_buffer(bank, it)
           : bank->bypassable         ? gm_l2_bank_access_bypassable(bank, it)
                                      : access_any(bank, it);
}

static __attribute__((noinline)) gm_l2_fail access_observed(gm_l2_bank *bank, gm_cycle cycle,
                                                            gm_cycle now)
{
    const gm_packet *packet = &bank->item[bank->in_item[gm_ring_first(&bank->in)]].packet;
    const gm_l2_watched before = gm_l2_bank_watch(bank, packet);
    gm_l2_fail fail = access_special(bank, cycle, now);
    gm_l2_bank_tell(bank, &before, now);
    return fail;
}

static inline gm_l2_fail access_watched(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    return bank->observer != NULL ? access_observed(bank, cycle, now)
                                  : access_special(bank, cycle, now);
}

gm_l2_fail gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    uint32_t number = bank->in_item[gm_ring_first(&bank->in)];
    gm_packet *packet = &bank->item[number].packet;
    uint64_t line = packet->in_bank;
    gm_l2_look_up it = {
        .number = number,
        .packet = packet,
        .line = line,
        .key = line,
        .place = gm_cache_find(&bank->l2.cache, line),
        .cycle = cycle,
        .now = now,
    };
    gm_l2_fail fail = packet->kind == bank->usual_kind
                          ? gm_l2_access_line(bank, it, GM_MESSAGE_READ, false, false, false, false)
                      : bank->special ? access_watched(bank, cycle, now)
                                      : access_any(bank, it);
    if (fail == GM_L2_NO_FAIL) {
        gm_cache_assert_access(&bank->l2.cache, line);
    }
    return fail;
}

/* Timed L2 bank that loads bypass: coalesced ones (l2.bypass), or all of a bank whose gate is
 * closed (l2.streaming). */
#include "cache/streaming.h"
#include "cycle/l2/l2_bank_tags.h"

/* Reads sectors for an MSHR entry without a slot. Requires room towards DRAM. */
static void fetch_for_bypass(gm_l2_bank *bank, gm_l2_look_up it, uint32_t sectors, uint32_t entry)
{
    bank->fill[entry].coming |= sectors;
    gm_l2_fetch(bank, it.kind, it.line, it.now, sectors, entry);
}

/* Counts a load or store that bypasses the bank, and updates the tags of a closed one. */
static void count_bypass(gm_l2_bank *bank, gm_l2_look_up it)
{
    const gm_l2_policy *policy = &bank->l2.policy;
    gm_cache_statistics *counts = &bank->l2.statistics;
    uint32_t sectors = it.packet->sectors;
    counts->accesses[it.kind]++;
    counts->bypasses[it.kind]++;
    if (bank->l2.streaming == NULL) {
        return;
    }
    gm_streaming_bypass(bank->l2.streaming, &bank->l2.cache, counts, it.kind, it.line, it.place,
                        sectors, policy->sectored ? sectors : policy->all_sectors);
}

/* Handles a load that bypasses the bank: an MSHR entry without a slot reads its sectors. */
static gm_l2_fail bypass_load(gm_l2_bank *bank, gm_l2_look_up it)
{
    uint32_t entry;
    if (bank->entries == bank->shared->mshr.entries) {
        return GM_L2_FAIL_MSHR_ENTRY;
    }
    gm_l2_fail fail = gm_l2_take_entry(bank, it, gm_l2_has_dram_room(bank, 1), &entry);
    if (fail != GM_L2_NO_FAIL) {
        return fail;
    }
    bank->fill[entry] = (gm_l2_fill){.slot = GM_NO_SLOT};
    fetch_for_bypass(bank, it, it.packet->sectors, entry);
    bank->held -= it.now;
    bank->entries++;
    bank->bypassing++;
    bank->time.l2_mshr_entries++;
    bank->l2.bypassed.answered_sectors += gm_count_ones(it.packet->sectors);
    count_bypass(bank, it);
    return GM_L2_NO_FAIL;
}

/* Handles a store that bypasses the closed bank: it goes on to DRAM, and nothing is fetched. */
static gm_l2_fail bypass_store(gm_l2_bank *bank, gm_l2_look_up it)
{
    if (!gm_l2_has_dram_room(bank, 1) || !gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_l2_forward(bank, it, it.packet->sectors);
    bank->l2.bypassed.written_sectors += gm_count_ones(it.packet->sectors);
    count_bypass(bank, it);
    if (bank->l2.values != NULL) {
        gm_l2_bank_perform_values(bank, it.packet, it.packet, true, it.now);
    }
    gm_l2_reply(bank, it.number);
    return GM_L2_NO_FAIL;
}

/* Merges a load with its line's open entry without a slot, which reads the sectors that are not in
 * flight. A sector in flight is a pending hit. */
static gm_l2_fail merge_bypassing(gm_l2_bank *bank, gm_l2_look_up it, uint32_t entry)
{
    uint32_t missing = it.packet->sectors & ~bank->fill[entry].coming;
    gm_mshr_response probe = gm_mshr_access(
        &bank->mshr, (gm_mshr_request){.op = GM_MSHR_PROBE_OP, .line = it.key, .may_allocate = 1});
    if (probe.outcome == GM_MSHR_FAIL) {
        return GM_L2_FAIL_MSHR_MERGE;
    }
    if (missing != 0 && !gm_l2_has_dram_room(bank, 1)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    if (missing != 0) {
        fetch_for_bypass(bank, it, missing, entry);
    }
    bank->l2.bypassed.answered_sectors += gm_count_ones(it.packet->sectors);
    if (it.kind == GM_LOAD && missing != 0) {
        count_bypass(bank, it);
    } else {
        gm_l2_count_outcome(&bank->l2.statistics, it.kind,
                            missing != 0 ? GM_L2_MISS : GM_L2_HIT_PENDING, true);
        if (it.place.slot != GM_NO_SLOT) {
            gm_cache_touch(&bank->l2.cache, it.place);
        }
        if (it.kind == GM_LOAD && bank->l2.streaming != NULL) {
            gm_streaming_count(bank->l2.streaming, false);
        }
    }
    gm_mshr_access(
        &bank->mshr,
        (gm_mshr_request){.op = GM_MSHR_REQUEST_OP, .line = it.key, .requester = it.number});
    return GM_L2_NO_FAIL;
}

/* Handles a packet by the rules of an open bank, and counts it for the gate. */
static gm_l2_fail access_open(gm_l2_bank *bank, gm_l2_look_up it)
{
    gm_streaming_watch watch = gm_streaming_begin(&bank->l2.cache, it.line, it.place);
    uint64_t misses = bank->l2.statistics.misses[it.kind];
    gm_l2_fail fail = gm_l2_bank_access_modern(bank, it);
    if (fail == GM_L2_NO_FAIL) {
        gm_streaming_finish(bank->l2.streaming, &bank->l2.cache, &watch);
        if (it.kind == GM_LOAD || it.kind == GM_STORE) {
            gm_streaming_count(bank->l2.streaming, bank->l2.statistics.misses[it.kind] != misses);
        }
    }
    return fail;
}

/* Returns the line's open entry without a slot; GM_MSHR_ENTRIES: there is none. */
static uint32_t bypassing_entry(const gm_l2_bank *bank, uint64_t key)
{
    uint32_t entry = bank->bypassing != 0 ? gm_mshr_find_open(&bank->mshr, key) : GM_MSHR_ENTRIES;
    return entry < GM_MSHR_ENTRIES && bank->fill[entry].slot == GM_NO_SLOT ? entry
                                                                           : GM_MSHR_ENTRIES;
}

/* True for a read whose data an L1 installs. */
static bool is_coalesced(const gm_packet *packet)
{
    return packet->kind == GM_MESSAGE_READ && packet->fills != 0;
}

/* Counts a coalesced load, at the end of its look-up. */
static void count_coalesced(gm_l2_bank *bank, const gm_packet *packet, uint64_t *outcome)
{
    if (is_coalesced(packet)) {
        bank->l2.coalesced.reads++;
        bank->l2.coalesced.sectors += gm_count_ones(packet->sectors);
        ++*outcome;
    }
}

/* Handles a packet of a line for which an entry without a slot is open. A load merges, whether or
 * not it would have allocated the line; a write waits, since the data are older than it, and so
 * does a strong load whose line goes into an atomic buffer. */
static gm_l2_fail join_bypassing(gm_l2_bank *bank, gm_l2_look_up it, uint32_t entry)
{
    gm_l2_coalesced_statistics *counts = &bank->l2.coalesced;
    if (it.exchanges || (it.kind != GM_LOAD && it.kind != GM_INSTRUCTION)) {
        return GM_L2_FAIL_LINE;
    }
    bool joins = (it.packet->sectors & ~bank->fill[entry].coming) == 0;
    gm_l2_fail fail = merge_bypassing(bank, it, entry);
    if (fail == GM_L2_NO_FAIL) {
        count_coalesced(bank, it.packet, joins ? &counts->joined : &counts->bypassed);
    }
    return fail;
}

/* True if a coalesced load moves its line, which has a way, to the L1: l2.victim. */
static bool moves(gm_l2_bank *bank, gm_l2_look_up it)
{
    return bank->l2.policy.victims && !gm_cache_waits(&bank->l2.cache, it.place.slot) &&
           gm_l2_moves(&bank->l2.policy, *gm_cache_state(&bank->l2.cache, it.place.slot),
                       it.packet->sectors);
}

/* Handles a coalesced load of a line that has a way. */
static gm_l2_fail load_present(gm_l2_bank *bank, gm_l2_look_up it)
{
    bool leaves = moves(bank, it);
    gm_l2_fail fail = gm_l2_bank_access_modern(bank, it);
    if (fail == GM_L2_NO_FAIL && leaves) {
        gm_l2_move(&bank->l2, it.place);
    }
    return fail;
}

/* Handles a packet in a bank that coalesced loads bypass [anssari, 4.3]: of an absent line they
 * take no way. */
static gm_l2_fail look_up_bypassed(gm_l2_bank *bank, gm_l2_look_up it)
{
    gm_l2_coalesced_statistics *counts = &bank->l2.coalesced;
    if (it.packet->kind == GM_MESSAGE_EVICT) {
        return gm_l2_bank_take_victim(bank, it);
    }
    uint32_t entry = bypassing_entry(bank, it.key);
    if (entry != GM_MSHR_ENTRIES) {
        return join_bypassing(bank, it, entry);
    }
    bool coalesced = is_coalesced(it.packet);
    bool bypasses = coalesced && it.place.slot == GM_NO_SLOT;
    gm_l2_fail fail = bypasses    ? bypass_load(bank, it)
                      : coalesced ? load_present(bank, it)
                                  : gm_l2_bank_access_modern(bank, it);
    if (fail == GM_L2_NO_FAIL) {
        count_coalesced(bank, it.packet, bypasses ? &counts->bypassed : &counts->present);
    }
    return fail;
}

/* Handles a packet in a bank with a gate, by what the gate was at its first look-up. A write waits
 * for data in flight without a slot, since they are older than it. */
static gm_l2_fail look_up_gated(gm_l2_bank *bank, gm_l2_look_up it)
{
    uint32_t entry = bypassing_entry(bank, it.key);
    if (entry != GM_MSHR_ENTRIES) {
        return it.kind == GM_LOAD || it.kind == GM_INSTRUCTION ? merge_bypassing(bank, it, entry)
                                                               : GM_L2_FAIL_MSHR_MERGE;
    }
    bool has_data =
        it.place.slot != GM_NO_SLOT && !gm_streaming_is_tag(&bank->l2.cache, it.place.slot);
    if (bank->l2.streaming->closed && !has_data && it.kind == GM_LOAD) {
        return bypass_load(bank, it);
    }
    return bank->l2.streaming->closed && !has_data && it.kind == GM_STORE ? bypass_store(bank, it)
                                                                          : access_open(bank, it);
}

/* Does look_up_gated; the gate's state at the first look-up of a packet counts. */
static gm_l2_fail look_up_latched(gm_l2_bank *bank, gm_l2_look_up it)
{
    gm_streaming *streaming = bank->l2.streaming;
    if (!streaming->latched) {
        gm_streaming_catch_up(streaming, it.now);
        streaming->closed = streaming->block.closed;
    }
    gm_l2_fail fail = look_up_gated(bank, it);
    streaming->latched = fail != GM_L2_NO_FAIL;
    return fail;
}

gm_l2_fail gm_l2_bank_access_bypassable(gm_l2_bank *bank, gm_l2_look_up it)
{
    return bank->l2.streaming != NULL ? look_up_latched(bank, it) : look_up_bypassed(bank, it);
}

/* Timed L2 bank that is sharing-aware [tabbakh, V-B, VI]: owners of lines, local loads that bypass
 * the bank, responses that tell whether their line is shared. docs/sharing-aware.md. */
#include "cache/cache_sharing.h"
#include "cache/values.h"
#include "cycle/l2/l2_bank_line.h"
#include "stats/invariants.h"

#include <errno.h>

size_t gm_l2_bank_sharing_bytes(const gm_l2_shared *shared)
{
    enum { ALIGNMENT = 64 };
    return shared->cache.sharing.enabled
               ? sizeof(gm_l2_local_reads) + 2 * shared->dram_queue * sizeof(uint32_t) +
                     (size_t)3 * ALIGNMENT
               : 0;
}

int gm_l2_bank_sharing_init(gm_l2_bank *bank, gm_arena *arena, gm_error *error)
{
    uint32_t places = bank->shared->dram_queue;
    gm_l2_make_sharing(&bank->l2, bank->shared->config);
    if (bank->l2.cache.sharing == NULL) {
        return 0;
    }
    gm_l2_local_reads *reads = gm_arena_take(arena, 1, sizeof *reads);
    bank->local_reads = reads;
    if (reads != NULL) {
        reads->item = gm_arena_take(arena, places, sizeof *reads->item);
        reads->vacant = gm_arena_take(arena, places, sizeof *reads->vacant);
    }
    if (reads == NULL || reads->item == NULL || reads->vacant == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: an L2 bank");
    }
    for (uint32_t place = places; place-- > 0;) { /* a stack: place 0 is used first */
        reads->item[place] = GM_L2_NO_ITEM;
        reads->vacant[reads->vacancies++] = place;
    }
    return 0;
}

/* True if a local load that bypasses the bank waits for data of the line. */
static bool is_read(const gm_l2_bank *bank, uint64_t l2_line)
{
    const gm_l2_local_reads *reads = bank->local_reads;
    uint32_t places = bank->shared->dram_queue;
    for (uint32_t place = 0; reads->vacancies < places && place < places; place++) {
        uint32_t number = reads->item[place];
        if (number != GM_L2_NO_ITEM && bank->item[number].packet.line == l2_line) {
            return true;
        }
    }
    return false;
}

/* Handles a local load of an absent line: takes neither a way nor an MSHR entry, but a place of the
 * loads that wait for DRAM [V-B2]. */
static gm_l2_fail read_local(gm_l2_bank *bank, gm_l2_look_up it)
{
    gm_l2_local_reads *reads = bank->local_reads;
    uint32_t sectors = it.packet->sectors;
    if (reads->vacancies == 0 || !gm_l2_has_dram_room(bank, 1)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    uint32_t place = reads->vacant[--reads->vacancies];
    reads->item[place] = it.number;
    gm_l2_next_request(bank, it.now, it.line, sectors, GM_L2_LOCAL_READ | place, false);
    gm_l2_queue_for_dram(bank);
    bank->fetched += gm_count_ones(sectors);
    bank->l2.bypassed.answered_sectors += gm_count_ones(sectors);
    bank->l2.statistics.accesses[GM_LOAD]++;
    bank->l2.statistics.bypasses[GM_LOAD]++;
    bank->l2.cache.sharing->statistics.l2_local_reads++;
    return GM_L2_NO_FAIL;
}

/* Handles a write-back of a local line whose set has shared lines only: it goes on to DRAM. */
static gm_l2_fail write_local(gm_l2_bank *bank, gm_l2_look_up it)
{
    if (!gm_l2_has_dram_room(bank, 1) || !gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_cache_sharing_take(&bank->l2.cache, it.place); /* declares a line dead */
    gm_l2_forward(bank, it, it.packet->sectors);
    bank->l2.bypassed.written_sectors += gm_count_ones(it.packet->sectors);
    bank->l2.statistics.accesses[GM_STORE]++;
    bank->l2.statistics.bypasses[GM_STORE]++;
    bank->l2.cache.sharing->statistics.l2_local_writes++;
    if (bank->l2.values != NULL) {
        gm_l2_bank_perform_values(bank, it.packet, it.packet, true, it.now);
    }
    gm_l2_reply(bank, it.number);
    return GM_L2_NO_FAIL;
}

gm_l2_fail gm_l2_bank_access_sharing(gm_l2_bank *bank, gm_l2_look_up it)
{
    gm_cache_sharing *sharing = bank->l2.cache.sharing;
    bool read = it.packet->kind == GM_MESSAGE_READ && (it.packet->flags & GM_PACKET_LOCAL) != 0;
    bool local = bank->l2.local_bypasses && (read || it.packet->kind == GM_MESSAGE_WRITE_BACK);
    bool absent = it.place.slot == GM_NO_SLOT;
    bool bypass = false;
    if (absent && !(local && read) && is_read(bank, it.packet->line)) {
        return GM_L2_FAIL_LINE; /* the data in flight are older */
    }
    sharing->known = !local;
    sharing->sm = it.packet->sm;
    sharing->incoming = local;
    if (local && absent && read) {
        return read_local(bank, it);
    }
    if (local && absent) {
        gm_cache_sharing_victim(&bank->l2.cache, it.place, &bypass);
    }
    gm_l2_fail fail = bypass ? write_local(bank, it) : gm_l2_bank_access_modern(bank, it);
    if (fail == GM_L2_NO_FAIL && it.packet->response != 0 && !absent) {
        it.packet->flags |= sharing->shared ? GM_PACKET_SHARED : 0;
    }
    return fail;
}

void gm_l2_bank_mark_shared(const gm_l2_bank *bank, gm_packet *packet, uint32_t slot)
{
    if (gm_cache_sharing_is_shared(&bank->l2.cache, slot)) {
        packet->flags |= GM_PACKET_SHARED;
    }
}

void gm_l2_bank_take_local(gm_l2_bank *bank, uint32_t place)
{
    gm_l2_local_reads *reads = bank->local_reads;
    bank->next = reads->item[place];
    bank->left = 0;
    bank->answering = 1 + GM_L2_LOCAL_ENTRY;
    reads->item[place] = GM_L2_NO_ITEM;
    reads->vacant[reads->vacancies++] = place;
}

void gm_l2_bank_answer_local(gm_l2_bank *bank)
{
    const gm_packet *packet = &bank->item[bank->next].packet;
    if (!gm_ring_has_room(&bank->out)) {
        return;
    }
    if (bank->l2.values != NULL) {
        gm_values_read_dram(bank->l2.values, packet->sm, packet->id, packet->line, packet->sectors);
    }
    gm_l2_reply_from(bank, bank->next, bank->shared->after_data);
    bank->answering = 0;
}

const gm_l2_item *gm_l2_bank_oldest_local(const gm_l2_bank *bank)
{
    const gm_l2_item *oldest = NULL;
    for (uint32_t place = 0; bank->local_reads != NULL && place < bank->shared->dram_queue;
         place++) {
        uint32_t number = bank->local_reads->item[place];
        if (number != GM_L2_NO_ITEM &&
            (oldest == NULL || bank->item[number].arrived < oldest->arrived)) {
            oldest = &bank->item[number];
        }
    }
    return oldest;
}

int gm_l2_bank_sharing_check(const gm_l2_bank *bank, const char *name, gm_error *error)
{
    if (bank->local_reads == NULL) {
        return 0;
    }
    GM_INVARIANT(name, "places of local loads that bypass = vacant", bank->shared->dram_queue,
                 bank->local_reads->vacancies);
    return gm_l2_check_sharing(&bank->l2, name, error);
}

void gm_l2_bank_sharing_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot)
{
    if (bank->local_reads != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, bank->local_reads->item, bank->shared->dram_queue);
        GM_SNAPSHOT_ARRAY(snapshot, bank->local_reads->vacant, bank->shared->dram_queue);
        GM_SNAPSHOT_VALUE(snapshot, bank->local_reads->vacancies);
    }
}

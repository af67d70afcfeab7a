/* L2 bank: what is in it, for the end of a kernel, the watchdog, and checkpoints. */
#include "cache/cache_snapshot.h"
#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank_parts.h"
#include "stats/invariants.h"

#include <errno.h>
#include <string.h>

/* Where the oldest request of a bank is. */
typedef struct oldest {
    const gm_l2_item *item; /* or NULL */
    const char *where;
} oldest;

static void keep_older(oldest *found, const gm_l2_item *item, const char *where)
{
    if (found->item == NULL || item->arrived < found->item->arrived) {
        *found = (oldest){item, where};
    }
}

static const char *head_waits_for(const gm_l2_bank *bank)
{
    switch ((gm_l2_fail)bank->fail) {
    case GM_L2_NO_FAIL:
    case GM_L2_WAIT:
        break;
    case GM_L2_FAIL_LINE:
        return "for a way of its set";
    case GM_L2_FAIL_MSHR_ENTRY:
        return "for an MSHR entry";
    case GM_L2_FAIL_MSHR_MERGE:
        return "for room in its line's MSHR entry";
    case GM_L2_FAIL_MISS_QUEUE:
        return "for room in the queues to DRAM and to the interconnect";
    }
    return "for its look-up";
}

/* Of those that MSHR entries have, and the next to be answered, which its entry has no more. */
static void find_oldest_waiting(const gm_l2_bank *bank, oldest *found)
{
    const gm_mshr *mshr = &bank->mshr;
    if (bank->answering != 0) {
        keep_older(found, &bank->item[bank->next], "for its line's data");
    }
    for (unsigned id = 0; id < mshr->entries; id++) {
        unsigned slot = mshr->entry[id].oldest;
        for (; gm_mshr_is_valid(mshr, id) && slot <= mshr->entry[id].newest; slot++) {
            const gm_l2_item *item = &bank->item[mshr->requester[id * mshr->merges + slot]];
            keep_older(found, item, "for its line's data");
        }
    }
}

static oldest find_oldest(const gm_l2_bank *bank)
{
    oldest found = {NULL, NULL};
    if (bank->out.count != 0) {
        keep_older(&found, gm_l2_oldest_response(bank), "for the reply network");
    }
    find_oldest_waiting(bank, &found);
    if (bank->in.count != 0) {
        keep_older(&found, gm_l2_oldest_request(bank), head_waits_for(bank));
    }
    return found;
}

gm_cycle gm_l2_bank_oldest(const gm_l2_bank *bank, char *text, size_t size)
{
    static const char *const kinds[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = "read",
        [GM_MESSAGE_WRITE] = "store",
        [GM_MESSAGE_WRITE_BACK] = "write-back",
        [GM_MESSAGE_ATOMIC] = "atomic",
        [GM_MESSAGE_REDUCTION] = "reduction",
    };
    oldest found = find_oldest(bank);
    if (found.item == NULL && bank->dram.count == 0) {
        return GM_NEVER;
    }
    if (found.item == NULL) {
        snprintf(text, size, "L2 bank %u: a write-back waits for the DRAM channel", bank->number);
        return bank->asked;
    }
    const gm_packet *packet = &found.item->packet;
    snprintf(text, size, "L2 bank %u: a %s of SM %u, line 0x%llx, waits %s", bank->number,
             kinds[packet->kind], packet->sm, (unsigned long long)packet->line, found.where);
    return found.item->arrived;
}

static int check_counters(const gm_l2_bank *bank, const char *name, gm_error *error)
{
    const gm_l2 *l2 = &bank->l2;
    const gm_cache_statistics *statistics = &l2->statistics;
    uint64_t requests = 0;
    for (unsigned kind = 0; kind <= GM_MESSAGE_REDUCTION; kind++) {
        requests += l2->received.messages[kind];
    }
    GM_INVARIANT(name, "requests received = accesses", requests,
                 gm_invariants_sum(statistics->accesses));
    GM_INVARIANT(name, "requests received = responses sent", requests, bank->answered);
    GM_INVARIANT(name, "sectors asked of DRAM = filled", bank->fetched,
                 gm_invariants_sum(statistics->sectors_filled));
    GM_INVARIANT(name, "sectors made dirty = written back + overwritten + dirty", l2->dirtied,
                 gm_invariants_sum(statistics->sectors_written_back) + l2->overwritten +
                     l2->dirty_sectors);
    return gm_invariants_check_cache(statistics, name, error);
}

/* No way waits, and what waited is vacant. */
static int check_empty(const gm_l2_bank *bank, const char *name, gm_error *error)
{
    char text[128];
    gm_cycle since = gm_l2_bank_oldest(bank, text, sizeof text);
    if (since != GM_NEVER) {
        return gm_fail(error, -EPROTO, "not empty at the end of a kernel: %s since core cycle %llu",
                       text, (unsigned long long)since);
    }
    uint64_t waiting = 0;
    const gm_cache *cache = &bank->l2.cache;
    for (uint32_t slot = 0; !cache->unbounded && slot < gm_cache_slots(cache); slot++) {
        waiting += gm_cache_waits(cache, slot);
    }
    GM_INVARIANT(name, "MSHR entries in use = 0", bank->entries, 0);
    GM_INVARIANT(name, "lines that wait = 0", waiting, 0);
    GM_INVARIANT(name, "places of requests and responses = vacant", bank->items, bank->vacancies);
    return gm_mshr_check(&bank->mshr, error);
}

int gm_l2_bank_check(const gm_l2_bank *bank, gm_error *error)
{
    const gm_cache_statistics *statistics = &bank->l2.statistics;
    if (gm_cache_failed(&bank->l2.cache) != 0) {
        return gm_fail(error, -ENOMEM, "out of memory: the lines of an unbounded L2");
    }
    char name[32];
    snprintf(name, sizeof name, "L2 bank %u", bank->number);
    int code = check_empty(bank, name, error);
    code = code < 0 ? code : check_counters(bank, name, error);
    uint64_t gone =
        gm_invariants_sum(statistics->evictions) + gm_invariants_sum(statistics->invalidations);
    return code < 0 ? code : gm_cache_check(&bank->l2.cache, gone, name, error);
}

void gm_l2_bank_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot)
{
    gm_cache_snapshot(&bank->l2.cache, snapshot);
    gm_mshr_snapshot(&bank->mshr, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.statistics);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.received);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.dirtied);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.dirty_sectors);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.overwritten);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.through);
    GM_SNAPSHOT_VALUE(snapshot, bank->time);
    GM_SNAPSHOT_VALUE(snapshot, bank->answered);
    GM_SNAPSHOT_VALUE(snapshot, bank->fetched);
    GM_SNAPSHOT_VALUE(snapshot, bank->in);
    GM_SNAPSHOT_VALUE(snapshot, bank->out);
    GM_SNAPSHOT_VALUE(snapshot, bank->dram);
    GM_SNAPSHOT_ARRAY(snapshot, bank->in_item, bank->in.mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, bank->out_item, bank->out.mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, bank->dram_request, bank->dram.mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, bank->fill, bank->mshr.entries);
    GM_SNAPSHOT_ARRAY(snapshot, bank->item, bank->items);
    GM_SNAPSHOT_ARRAY(snapshot, bank->vacant, bank->items);
    GM_SNAPSHOT_VALUE(snapshot, bank->vacancies);
    GM_SNAPSHOT_VALUE(snapshot, bank->entries);
    GM_SNAPSHOT_VALUE(snapshot, bank->held);
    GM_SNAPSHOT_VALUE(snapshot, bank->fail);
    GM_SNAPSHOT_VALUE(snapshot, bank->failed_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->look_up_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->push_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->atomic_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->asked);
    GM_SNAPSHOT_VALUE(snapshot, bank->answering);
    GM_SNAPSHOT_VALUE(snapshot, bank->next);
    GM_SNAPSHOT_VALUE(snapshot, bank->left);
}

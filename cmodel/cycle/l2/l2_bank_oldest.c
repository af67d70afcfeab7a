/* Timed L2 bank: the request that has waited longest, and for what. The watchdog names it. */
#include "cycle/l2/l2_bank_access.h"
#include "cycle/l2/l2_halves.h"

/* The oldest request of a bank and where it is. */
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
    case GM_L2_FAIL_LEASE:
        return "for the leases of its line to pass";
    }
    return "for its look-up";
}

/* Considers the requests in MSHR entries, and the next one to be answered, which has left its
 * entry. */
static void find_oldest_waiting(const gm_l2_bank *bank, oldest *found)
{
    const gm_mshr *mshr = &bank->mshr;
    if (bank->answering != 0) {
        keep_older(found, &bank->item[bank->next], "for its line's data");
    }
    if (bank->filled_item != NULL && !gm_ring_is_empty(&bank->filled)) {
        uint32_t number = bank->filled_item[gm_ring_first(&bank->filled)];
        keep_older(found, &bank->item[number & ~GM_L2_LAST_OF_ENTRY], "for the reply queue");
    }
    for (unsigned id = 0; id < mshr->entries; id++) {
        unsigned slot = mshr->entry[id].oldest;
        for (; gm_mshr_is_valid(mshr, id) && slot <= mshr->entry[id].newest; slot++) {
            const gm_l2_item *item = &bank->item[*gm_mshr_requester(mshr, id, slot)];
            keep_older(found, item, "for its line's data");
        }
    }
}

static oldest find_oldest(const gm_l2_bank *bank)
{
    oldest found = {NULL, NULL};
    if (!gm_ring_is_empty(&bank->out)) {
        keep_older(&found, gm_l2_bank_response(bank), "for the reply network");
    }
    find_oldest_waiting(bank, &found);
    if (gm_l2_bank_oldest_local(bank) != NULL) {
        keep_older(&found, gm_l2_bank_oldest_local(bank), "for its line's data");
    }
    if (!gm_ring_is_empty(&bank->in)) {
        keep_older(&found, gm_l2_bank_request(bank), head_waits_for(bank));
    }
    if (bank->far != NULL && !gm_ring_is_empty(&bank->far->ring)) {
        const gm_l2_far *far = bank->far;
        keep_older(&found, &bank->item[far->item[gm_ring_first(&far->ring)]],
                   "on the link between the halves");
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
        [GM_MESSAGE_INSTRUCTION] = "instruction fetch",
        [GM_MESSAGE_EVICT] = "victim",
    };
    oldest found = find_oldest(bank);
    if (found.item == NULL && gm_ring_is_empty(&bank->dram)) {
        return GM_NEVER;
    }
    if (found.item == NULL) {
        snprintf(text, size, "L2 bank %u: a write-back waits for the DRAM channel", bank->number);
        return bank->requested;
    }
    const gm_packet *packet = &found.item->packet;
    snprintf(text, size, "L2 bank %u: a %s of SM %u, line 0x%llx, waits %s", bank->number,
             kinds[packet->kind], packet->sm, (unsigned long long)packet->line, found.where);
    return found.item->arrived;
}

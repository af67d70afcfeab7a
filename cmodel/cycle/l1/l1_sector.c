/* MSHRs of the timed L1 that merge by sector. */
#include "cycle/l1/l1_sector.h"

#include "cycle/l1/l1_miss.h"

#include <errno.h>

enum { ALIGNMENT = 64, ARRAYS = 3 };

#define SPLIT                                                                                      \
    (UINT64_C(1) << 63) /* in a requester's word; its low bits are an index of l1->split */

/* Returns the most requests that have waited in several entries: each waits in one at least. */
static uint32_t most_splits(const gm_cycle_l1_shared *shared)
{
    return shared->mshr.entries * shared->mshr.merges;
}

size_t gm_cycle_l1_sector_bytes(const gm_cycle_l1_shared *shared)
{
    size_t each = sizeof(gm_cycle_l1_split) + sizeof(uint32_t);
    size_t links = shared->mshr.entries * sizeof(gm_cycle_l1_link);
    return shared->by_sector ? links + most_splits(shared) * each + (size_t)ARRAYS * ALIGNMENT : 0;
}

int gm_cycle_l1_sector_init(gm_cycle_l1 *l1, gm_arena *arena, gm_error *error)
{
    if (!l1->shared->by_sector) {
        return 0;
    }
    uint32_t most = most_splits(l1->shared);
    l1->link = gm_arena_take(arena, l1->shared->mshr.entries, sizeof *l1->link);
    l1->split = gm_arena_take(arena, most, sizeof *l1->split);
    l1->free_split = gm_arena_take(arena, most, sizeof *l1->free_split);
    if (l1->link == NULL || l1->split == NULL || l1->free_split == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", l1->number);
    }
    l1->splits = 0;
    for (uint32_t i = 0; i < most; i++) {
        l1->free_split[i] = i;
    }
    return 0;
}

static uint32_t open_entry(const gm_cycle_l1 *l1, uint64_t line, unsigned sector)
{
    return gm_mshr_find_open(&l1->mshr, gm_cycle_l1_sector_address(l1, line, sector));
}

void gm_cycle_l1_sector_look_up(const gm_cycle_l1 *l1, uint64_t line, uint32_t maybe,
                                gm_cycle_l1_found *found)
{
    found->open = GM_NO_ENTRY;
    for (; maybe != 0; maybe &= maybe - 1) {
        unsigned sector = gm_lowest_one(maybe);
        uint32_t id = open_entry(l1, line, sector);
        if (id != GM_NO_ENTRY) {
            found->open = id;
            found->line.in_flight |= UINT32_C(1) << sector;
            found->line.written |= l1->entry[id].dirty;
        }
    }
}

bool gm_cycle_l1_sector_waits(const gm_cycle_l1 *l1, uint64_t line, uint32_t held)
{
    bool waits = false;
    for (uint32_t left = l1->shared->policy.all_sectors & ~held; !waits && left != 0;
         left &= left - 1) {
        uint32_t id = open_entry(l1, line, gm_lowest_one(left));
        waits = id != GM_NO_ENTRY && l1->entry[id].slot != GM_NO_SLOT;
    }
    return waits;
}

void gm_cycle_l1_sector_close(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors)
{
    for (; sectors != 0; sectors &= sectors - 1) {
        unsigned sector = gm_lowest_one(sectors);
        gm_mshr_response response = gm_mshr_access(
            &l1->mshr, (gm_mshr_request){.op = GM_MSHR_CLOSE_OP,
                                         .line = gm_cycle_l1_sector_address(l1, line, sector)});
        if (response.closed != 0) {
            l1->entry[response.id].slot = GM_NO_SLOT;
        }
    }
}

bool gm_cycle_l1_split_answered(gm_cycle_l1 *l1, uint64_t *requester)
{
    gm_cycle_l1_split *split = gm_cycle_l1_split_of(l1, *requester);
    uint32_t index = (uint32_t)*requester;
    *requester = split->requester;
    if (--split->left != 0) {
        return false;
    }
    l1->free_split[--l1->splits] = index;
    return true;
}

/* What a request asks of the MSHRs. */
typedef struct demand {
    uint32_t merged, fetched; /* sectors in flight that it waits for, and that it fetches */
    uint32_t entries;         /* sectors fetched */
} demand;

/* True if the request may take its entries, of which each may have a victim when its data come. */
static bool has_room(const gm_cycle_l1 *l1, const demand *demand, uint32_t packets)
{
    return gm_cycle_l1_has_room(l1, packets) &&
           (demand->entries == 0 || !l1->shared->on_fill ||
            gm_cycle_l1_has_room_for_victims(l1, demand->entries));
}

/* Returns TAKEN if the MSHRs take all sectors of a request, else its reservation fail. */
static gm_cycle_l1_answer probe(gm_cycle_l1 *l1, uint64_t line, const demand *demand, bool room)
{
    if (demand->entries != 0 && l1->entries + demand->entries > l1->shared->mshr.entries) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY;
    }
    /* A sector to be fetched may find the entry of a line that was dropped: it waits. */
    for (uint32_t left = demand->merged | demand->fetched; left != 0; left &= left - 1) {
        gm_mshr_response response = gm_mshr_access(
            &l1->mshr,
            (gm_mshr_request){.op = GM_MSHR_PROBE_OP,
                              .line = gm_cycle_l1_sector_address(l1, line, gm_lowest_one(left)),
                              .may_allocate = room});
        if (response.outcome == GM_MSHR_FAIL) {
            return gm_cycle_l1_refused(&response);
        }
    }
    return room ? GM_CYCLE_L1_TAKEN : GM_CYCLE_L1_FAIL_MISS_QUEUE;
}

/* Returns the word of a request that waits in `entries` entries. */
static uint64_t requester_of(gm_cycle_l1 *l1, const gm_cycle_l1_request *request, unsigned entries)
{
    uint64_t word = gm_cycle_l1_requester(request);
    if (entries < 2) {
        return word;
    }
    uint32_t index = l1->free_split[l1->splits++];
    l1->split[index] = (gm_cycle_l1_split){.requester = word, .left = entries};
    return SPLIT | index;
}

/* Gives the MSHRs a sector of a request. Returns its entry. Requires that they take it. */
static uint32_t take_entry(gm_cycle_l1 *l1, uint64_t line, unsigned sector, uint64_t requester)
{
    gm_mshr_response response = gm_mshr_access(
        &l1->mshr, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                     .line = gm_cycle_l1_sector_address(l1, line, sector),
                                     .requester = requester,
                                     .may_allocate = true});
    return (uint32_t)response.id;
}

/* Takes entries for sectors that one packet fetches, in a ring, and queues the packet. The owner of
 * the packet's id is answered last, so that no other packet gets the id before. */
static void fetch(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors, uint64_t requester,
                  const gm_cycle_l1_entry *model)
{
    uint32_t owner = GM_NO_ENTRY;
    uint32_t last = GM_NO_ENTRY;
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        unsigned sector = gm_lowest_one(left);
        uint32_t id = take_entry(l1, line, sector, requester);
        owner = owner == GM_NO_ENTRY ? id : owner;
        l1->entry[id] = *model;
        l1->entry[id].sectors = UINT32_C(1) << sector;
        l1->entry[id].dirty = model->dirty & UINT32_C(1) << sector;
        l1->link[id] = (gm_cycle_l1_link){.owner = owner, .next = owner};
        if (last != GM_NO_ENTRY) {
            l1->link[last].next = id;
        }
        last = id;
    }
    gm_cycle_l1_push(l1, GM_MESSAGE_READ, line, sectors, sectors,
                     gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, owner));
}

/* Fetches sectors, with a packet for each L2 line. */
static void fetch_parts(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors, uint64_t requester,
                        const gm_cycle_l1_entry *model)
{
    uint32_t part = (uint32_t)gm_mask(1U << l1->shared->l2_sector_bits);
    for (uint32_t left = sectors; left != 0; left &= ~part) {
        while ((left & part) == 0) {
            part <<= 1U << l1->shared->l2_sector_bits;
        }
        fetch(l1, line, left & part, requester, model);
    }
}

/* Tells the values of each sector of a request, since each has a reply of its own. */
static void tell_values(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                        const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                        const demand *demand)
{
    for (uint32_t left = request->line->sectors; left != 0; left &= left - 1) {
        uint32_t sector = left & ~(left - 1);
        gm_line_request line = *request->line;
        gm_cycle_l1_request one = *request;
        gm_l1_effect part = *effect;
        bool waits = (sector & (demand->merged | demand->fetched)) != 0;
        uint32_t id = waits ? open_entry(l1, line.line, gm_lowest_one(sector)) : 0;
        line.sectors = sector;
        one.line = &line;
        part.dirtied &= sector;
        part.forwarded &= sector;
        part.merges = (sector & demand->merged) != 0;
        gm_cycle_l1_value_miss(l1, &one, found, &part, id, waits);
    }
}

/* Applies a request that the MSHRs take. */
static void apply(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                  const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                  gm_cycle_l1_plan *plan, const demand *demand, gm_cycle now)
{
    gm_access_kind kind = gm_request_access_kind(request->kind);
    uint64_t line = request->line->line;
    uint32_t at_once = effect->validated & ~demand->fetched;
    l1->statistics.accesses[kind]++;
    gm_l1_count_outcome(&l1->statistics, kind, effect, request->line->sectors, found->line.held);
    uint32_t slot = gm_cycle_l1_take_slot(l1, line, 0, found, plan, effect, kind, gm_cycle_l1_any);
    if (slot != GM_NO_SLOT) {
        gm_cache_state(&l1->cache, slot)->valid |= at_once;
        gm_cycle_l1_make_dirty(l1, slot, effect->dirtied & (found->line.held | at_once));
    }
    uint64_t requester = requester_of(l1, request, gm_count_ones(demand->merged) + demand->entries);
    for (uint32_t left = demand->merged; left != 0; left &= left - 1) {
        unsigned sector = gm_lowest_one(left);
        uint32_t id = take_entry(l1, line, sector, requester);
        l1->entry[id].dirty |= effect->dirtied & UINT32_C(1) << sector;
    }
    if (demand->entries != 0) {
        bool waits = slot != GM_NO_SLOT && !l1->shared->on_fill;
        const gm_cycle_l1_entry model = {.since = now,
                                         .slot = waits ? slot : GM_NO_SLOT,
                                         .dirty = effect->dirtied,
                                         .packets = 1,
                                         .kind = kind};
        fetch_parts(l1, line, demand->fetched, requester, &model);
        if (waits) {
            gm_cache_wait(&l1->cache, slot);
        }
        l1->entries += demand->entries;
        l1->time.l1_mshr_entries += demand->entries;
        l1->statistics.sectors_filled[kind] += demand->entries;
    }
    if (l1->values != NULL) {
        tell_values(l1, request, found, effect, demand);
    }
    if (effect->forwarded != 0) {
        gm_cycle_l1_push_store(l1, request, effect->forwarded);
    }
}

gm_cycle_l1_answer gm_cycle_l1_sector_miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                           const gm_cycle_l1_found *found,
                                           const gm_l1_effect *effect, gm_cycle now,
                                           uint32_t *answers)
{
    gm_cycle_l1_plan plan;
    uint32_t missing = request->line->sectors & ~found->line.held;
    const demand demand = {.merged = effect->merges ? missing & found->line.in_flight : 0,
                           .fetched = effect->fetched,
                           .entries = gm_count_ones(effect->fetched)};
    if (!gm_cycle_l1_make_plan(l1, found, effect, &plan, gm_cycle_l1_any)) {
        return GM_CYCLE_L1_FAIL_LINE;
    }
    gm_cycle_l1_answer answer =
        probe(l1, request->line->line, &demand, has_room(l1, &demand, plan.packets));
    if (answer != GM_CYCLE_L1_TAKEN) {
        return answer;
    }
    apply(l1, request, found, effect, &plan, &demand, now);
    *answers =
        ((demand.merged | demand.fetched) != 0) + gm_cycle_l1_parts(l1->shared, effect->forwarded);
    return *answers == 0 ? GM_CYCLE_L1_HIT : GM_CYCLE_L1_TAKEN;
}

void gm_cycle_l1_sector_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot)
{
    if (l1->shared->by_sector) {
        GM_SNAPSHOT_ARRAY(snapshot, l1->link, l1->shared->mshr.entries);
        GM_SNAPSHOT_VALUE(snapshot, l1->splits);
        GM_SNAPSHOT_ARRAY(snapshot, l1->split, most_splits(l1->shared));
        GM_SNAPSHOT_ARRAY(snapshot, l1->free_split, most_splits(l1->shared));
    }
}

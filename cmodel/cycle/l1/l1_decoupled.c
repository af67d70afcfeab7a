/* L1 with time and a decoupled tag store [li, 4.1, figure 1]: a line gets a data line by
 * references, and loads of other lines take the bypass path. l1_lookup.c decides as for a
 * conventional L1; here is what differs. docs/decoupled-l1d.md has the rules. */
#include "cycle/l1/l1_line.h"

void gm_cycle_l1_decoupled_look_up(const gm_cycle_l1 *l1d, uint64_t address, gm_cycle_l1_line *line)
{
    const gm_decoupled_l1 *decoupled = l1d->decoupled;
    gm_tag_store_expected e =
        gm_tag_store_expect(&decoupled->tags, address, decoupled->conventional);
    bool there =
        e.outcome == GM_TAG_STORE_HIT || (e.outcome == GM_TAG_STORE_HIT_PENDING && !e.dead);
    line->outcome = e.outcome;
    line->place.slot = there ? gm_decoupled_l1_slot(decoupled, e.index, e.position) : GM_NO_SLOT;
    if (e.evicted) {
        line->victim = gm_decoupled_l1_slot(decoupled, e.index, e.evicted_position);
        line->victim_waits = l1d->shared->policy.sectored && l1d->entries != 0 &&
                             gm_mshr_find_open(&l1d->mshr, e.evicted_line) != GM_NO_ENTRY;
    }
}

bool gm_cycle_l1_decoupled_find_slot(const gm_cycle_l1 *l1d, const gm_cycle_l1_line *line,
                                     uint32_t *packets)
{
    *packets = line->victim == GM_NO_SLOT
                   ? 0
                   : gm_cycle_l1_parts(l1d->shared, l1d->decoupled->state[line->victim].dirty);
    return line->outcome != GM_TAG_STORE_RESERVATION_FAIL && !line->victim_waits;
}

/* A data line has been given up, if the response says so: *count is where it counts. */
static void give_up(gm_cycle_l1 *l1d, const gm_tag_store_response *response, gm_access_kind kind,
                    uint64_t *count)
{
    if (response->evicted != 0) {
        gm_decoupled_l1 *decoupled = l1d->decoupled;
        gm_sector_state *state = &decoupled->state[gm_decoupled_l1_slot(
            decoupled, response->index, response->evicted_position)];
        ++*count;
        gm_cycle_l1_write_back(l1d, response->evicted_line, state->dirty, kind, false);
        *state = (gm_sector_state){0};
    }
}

void gm_cycle_l1_decoupled_remove(gm_cycle_l1 *l1d, uint64_t address, gm_access_kind kind)
{
    gm_decoupled_l1 *decoupled = l1d->decoupled;
    gm_tag_store_response response = gm_decoupled_l1_transact(
        decoupled, (gm_tag_store_request){.op = kind == GM_STORE ? GM_TAG_STORE_WRITE
                                                                 : GM_TAG_STORE_INVALIDATE,
                                          .line = address});
    decoupled->references++;
    decoupled->died += response.dead;
    give_up(l1d, &response, kind, &l1d->statistics.invalidations[kind]);
}

uint32_t gm_cycle_l1_decoupled_take_line(gm_cycle_l1 *l1d, uint64_t address, gm_access_kind kind,
                                         bool filled)
{
    gm_decoupled_l1 *decoupled = l1d->decoupled;
    gm_tag_store_response response = gm_decoupled_l1_probe(decoupled, address, true, false);
    decoupled->references++;
    decoupled->allocated++;
    give_up(l1d, &response, kind, &l1d->statistics.evictions[kind]);
    if (filled) {
        gm_decoupled_l1_fill(decoupled, address, (uint32_t)response.position);
    }
    return gm_decoupled_l1_slot(decoupled, response.index, response.position);
}

/* The store goes on; data on their way would be older than it. */
static gm_cycle_l1_answer pass_store(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                     const gm_cycle_l1_line *line, uint32_t *answers)
{
    const gm_line_request *asked = request->line;
    gm_cycle_l1_close(l1d, asked->line, line, GM_STORE);
    l1d->statistics.accesses[GM_STORE]++;
    l1d->statistics.bypasses[GM_STORE]++;
    gm_cycle_l1_push_store(l1d, request, asked->sectors);
    *answers = gm_cycle_l1_parts(l1d->shared, asked->sectors);
    return GM_CYCLE_L1_TAKEN;
}

/* With l1.lfu_any an entry that gives way may have a line, which is written back. */
gm_cycle_l1_answer gm_cycle_l1_decoupled_pass(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                              const gm_cycle_l1_line *line, uint32_t *answers)
{
    gm_decoupled_l1 *decoupled = l1d->decoupled;
    gm_access_kind kind = gm_cycle_l1_kind_of(request->kind);
    uint32_t packets = gm_cycle_l1_parts(l1d->shared, request->line->sectors);
    uint32_t room; /* in the miss queue */
    if (!gm_cycle_l1_decoupled_find_slot(l1d, line, &room)) {
        return GM_CYCLE_L1_FAIL_LINE;
    }
    room += kind == GM_STORE ? packets : 0;
    if (!gm_cycle_l1_has_room(l1d, room)) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    if (kind == GM_LOAD && !gm_cycle_l1_can_pass(l1d, packets)) {
        return GM_CYCLE_L1_FAIL_BYPASS_QUEUE;
    }
    gm_tag_store_response response =
        gm_decoupled_l1_probe(decoupled, request->line->line, false, true);
    decoupled->references++;
    give_up(l1d, &response, kind, &l1d->statistics.evictions[kind]);
    return kind == GM_STORE ? pass_store(l1d, request, line, answers)
                            : gm_cycle_l1_pass(l1d, request, answers);
}

bool gm_cycle_l1_decoupled_arrive(gm_cycle_l1 *l1d, uint64_t address, gm_cycle_l1_entry *entry,
                                  bool open)
{
    gm_decoupled_l1 *decoupled = l1d->decoupled;
    uint32_t slot = entry->slot;
    bool changes = entry->fill != 0 || open;
    if (entry->fill != 0 &&
        !gm_decoupled_l1_fill(decoupled, address, slot % decoupled->tags.parameters.data_ways)) {
        slot = GM_NO_SLOT;
    }
    entry->fill = 0;
    entry->slot = GM_NO_SLOT;
    if (open && slot != GM_NO_SLOT) {
        decoupled->state[slot].valid |= entry->sectors;
        gm_cycle_l1_make_dirty(l1d, slot, entry->dirty);
    }
    return changes;
}

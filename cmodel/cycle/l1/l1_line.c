/* Lines of the L1 with time: what the tags hold, and lines that come and go. */
#include "cycle/l1/l1_line.h"

#include "cycle/l1/l1_bypass.h"

/* Could a line have an open entry? A bounded cache that takes lines on a miss holds every such
 * line, which saves most look-ups in the MSHRs. */
static bool may_be_open(const gm_cycle_l1 *l1d, bool there)
{
    return there || l1d->decoupled != NULL || l1d->shared->on_fill || l1d->cache.unbounded;
}

/* What is known of a line but for its place and, decoupled, for what a PROBE would do. */
static void complete(gm_cycle_l1 *l1d, const gm_line_request *request, gm_cycle_l1_line *line)
{
    line->there = line->place.slot != GM_NO_SLOT;
    if (line->there) {
        gm_sector_state state = *gm_cycle_l1_state(l1d, line->place.slot);
        line->held = state.valid;
        line->dirty = state.dirty;
    }
    line->missing = request->sectors & ~line->held;
    line->open = l1d->entries != 0 && may_be_open(l1d, line->there)
                     ? gm_mshr_find_open(&l1d->mshr, request->line)
                     : GM_NO_ENTRY;
    line->coming = line->open != GM_NO_ENTRY ? l1d->entry[line->open].sectors : 0;
    line->pending = line->missing != 0 && (line->missing & ~line->coming) == 0;
}

gm_cycle_l1_line gm_cycle_l1_look_up_at(gm_cycle_l1 *l1d, const gm_line_request *request,
                                        gm_cache_place place)
{
    gm_cycle_l1_line line = {.place = place, .victim = GM_NO_SLOT};
    complete(l1d, request, &line);
    return line;
}

gm_cycle_l1_line gm_cycle_l1_look_up(gm_cycle_l1 *l1d, const gm_line_request *request)
{
    if (l1d->decoupled == NULL) {
        return gm_cycle_l1_look_up_at(l1d, request, gm_cache_find(&l1d->cache, request->line));
    }
    gm_cycle_l1_line line = {.victim = GM_NO_SLOT};
    gm_cycle_l1_decoupled_look_up(l1d, request->line, &line);
    complete(l1d, request, &line);
    return line;
}

void gm_cycle_l1_touch(gm_cycle_l1 *l1d, uint64_t address, const gm_cycle_l1_line *line,
                       bool may_miss)
{
    if (l1d->decoupled != NULL) {
        l1d->decoupled->references++;
        gm_decoupled_l1_probe(l1d->decoupled, address, may_miss, false);
    } else if (line->there) {
        gm_cache_touch(&l1d->cache, line->place);
    }
}

bool gm_cycle_l1_find_slot(gm_cycle_l1 *l1d, const gm_cycle_l1_line *line, uint32_t *slot,
                           uint32_t *packets)
{
    *packets = 0;
    if (l1d->decoupled != NULL) {
        return gm_cycle_l1_decoupled_find_slot(l1d, line, packets);
    }
    *slot = gm_cycle_l1_victim(l1d, line->place);
    if (*slot != GM_NO_SLOT && !l1d->cache.unbounded) {
        *packets = gm_cycle_l1_parts(l1d->shared, gm_cache_state(&l1d->cache, *slot)->dirty);
    }
    return *slot != GM_NO_SLOT;
}

bool gm_cycle_l1_close(gm_cycle_l1 *l1d, uint64_t address, const gm_cycle_l1_line *line,
                       gm_access_kind kind)
{
    if (line->open == GM_NO_ENTRY) {
        return false;
    }
    gm_cycle_l1_entry *entry = &l1d->entry[line->open];
    gm_mshr_access(&l1d->mshr, (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = address});
    bool waits = line->there && line->held == 0;
    if (l1d->decoupled != NULL) {
        if (waits) {
            gm_cycle_l1_decoupled_remove(l1d, address, kind);
        }
    } else if (entry->slot != GM_NO_SLOT) {
        gm_cache_arrive(&l1d->cache, entry->slot);
        entry->slot = GM_NO_SLOT;
        l1d->closed += line->held == 0; /* in an unbounded cache such a line is not there */
        if (waits) {
            gm_cache_drop(&l1d->cache, line->place);
        }
    }
    return waits;
}

void gm_cycle_l1_remove(gm_cycle_l1 *l1d, uint64_t address, const gm_cycle_l1_line *line,
                        gm_access_kind kind)
{
    if (gm_cycle_l1_close(l1d, address, line, kind)) {
        return;
    }
    if (l1d->decoupled != NULL) {
        gm_cycle_l1_decoupled_remove(l1d, address, kind);
    } else if (line->there) {
        gm_cycle_l1_write_back(l1d, address, line->dirty, kind, false);
        l1d->statistics.invalidations[kind]++;
        gm_cache_drop(&l1d->cache, line->place);
    }
}

void gm_cycle_l1_make_dirty(gm_cycle_l1 *l1d, uint32_t slot, uint32_t sectors)
{
    gm_sector_state *state = gm_cycle_l1_state(l1d, slot);
    unsigned count = gm_count_ones(sectors & ~state->dirty);
    state->dirty |= sectors;
    l1d->dirtied += count;
    l1d->dirty_sectors += count;
}

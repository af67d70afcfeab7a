/* Passes of an instruction through the load/store unit: as many as the fullest bank of the L1's
 * data has words, as the fullest bank of its tags has lines, and as there are groups of lanes,
 * whichever are most. With sm.pass_interval, instructions of several warps make them by turns. */
#include "cycle/lsu/load_store_passes.h"

#include "cycle/lsu/load_store_give.h"

enum { MOST_TAG_BANKS = 16 };

/* What an H100's loads of up to 32 lines tell of its bank of a line, up to the 14 bits that lie
 * within a page (tests/golden/silicon_h100_measured.csv; docs/l1d.md). */
enum { GH100_LOW = 0x2f6f, GH100_HIGH = 0x3ab5 };

void gm_load_store_make_passes(gm_load_store *unit, const gm_config *config)
{
    unit->data_banks = config->l1.data_banks > 1;
    unit->tag_bits = gm_log2_floor(config->l1.tag_banks);
    for (unsigned bit = 0; bit < unit->tag_bits; bit++) { /* every tag_bits-th, from it on */
        unit->tag_mask[bit] = 0;
        for (unsigned from = bit; from < 64; from += unit->tag_bits) {
            unit->tag_mask[bit] |= UINT64_C(1) << from;
        }
    }
    if (config->l1.tag_index == GM_TAGS_GH100) {
        unit->tag_mask[0] = GH100_LOW;
        unit->tag_mask[1] = GH100_HIGH;
    }
    unit->lane_groups = (uint32_t)(GM_WARP_SIZE / config->sm.memory_lanes);
    unit->pass_interval = (uint32_t)config->sm.pass_interval;
    unit->counts_passes =
        unit->data_banks || unit->tag_bits != 0 || unit->lane_groups > 1 || unit->pass_interval > 1;
}

/* One pass a cycle, so one access ends in a cycle, or as many as take turns in as many. The
 * accesses whose passes go on have their ends in the queue already. */
uint32_t gm_load_store_passes_capacity(const gm_config *config)
{
    uint64_t latency =
        config->unit.shared > config->l1.latency ? config->unit.shared : config->l1.latency;
    return (uint32_t)latency + 2 * (uint32_t)config->sm.pass_interval;
}

static uint32_t tag_bank(const gm_load_store *unit, uint64_t line)
{
    uint32_t bank = 0;
    for (unsigned bit = 0; bit < unit->tag_bits; bit++) {
        bank |= gm_parity(line & unit->tag_mask[bit]) << bit;
    }
    return bank;
}

/* Returns the lines of the fullest tag bank. */
static uint32_t tag_passes(const gm_load_store *unit, const gm_queued_access *access)
{
    const gm_line_request *rest =
        &unit->request[(size_t)gm_ring_first(&unit->queue) * GM_COALESCED_REQUESTS];
    uint32_t lines[MOST_TAG_BANKS] = {0};
    uint32_t most = 1;
    for (uint32_t i = 1; i < access->requests; i++) {
        uint32_t *bank = &lines[tag_bank(unit, rest[i].line)];
        ++*bank;
    }
    lines[tag_bank(unit, access->first.line)]++;
    for (uint32_t bank = 0; bank < MOST_TAG_BANKS; bank++) {
        most = lines[bank] > most ? lines[bank] : most;
    }
    return most;
}

/* Schedules the answer of an instruction's passes: those over shared memory and those over the L1
 * take different times. */
static void answer_later(gm_load_store *unit, uint32_t ticket, gm_cycle at)
{
    gm_due_queue *queue = &unit->shared;
    gm_due_later(queue, ticket, at);
    for (uint32_t i = gm_ring_count(&queue->ring) - 1; i > 0; i--) {
        gm_due *earlier = &queue->due[gm_ring_place(&queue->ring, i - 1)];
        gm_due *later = &queue->due[gm_ring_place(&queue->ring, i)];
        if (earlier->at <= later->at) {
            return;
        }
        gm_due moved = *earlier;
        *earlier = *later;
        *later = moved;
    }
}

gm_cycle gm_load_store_turn(const gm_load_store *unit, const gm_queued_access *access)
{
    gm_cycle any = GM_NEVER;
    gm_cycle own = 0;
    for (uint32_t i = 0; i < unit->pass_interval; i++) {
        const gm_pass_turn *turn = &unit->turn[i];
        gm_wake(&any, turn->until);
        if (turn->warp == access->warp && turn->until > own) {
            own = turn->until;
        }
    }
    return any > own ? any : own;
}

/* Gives an instruction the turn that is free longest. Returns the cycle of its last pass. */
static gm_cycle take_turn(gm_load_store *unit, const gm_queued_access *access, uint32_t passes,
                          gm_cycle now)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < unit->pass_interval; i++) {
        first = unit->turn[i].until < unit->turn[first].until ? i : first;
    }
    gm_cycle until = now + (gm_cycle)passes * unit->pass_interval;
    unit->turn[first] = (gm_pass_turn){.until = until, .warp = access->warp};
    return until - unit->pass_interval;
}

void gm_load_store_begin_passes(gm_load_store *unit, gm_queued_access *access, gm_cycle now)
{
    access->last_pass = now;
    if (access->requests == 0 && access->passes == 0) {
        gm_load_store_answered(unit, access->ticket);
        return;
    }
    bool over_data = unit->data_banks && access->kind < GM_REQUEST_ATOMIC;
    bool in_l1 = access->requests != 0 && (access->passes == 0 || over_data);
    uint32_t passes = access->passes > unit->lane_groups ? access->passes : unit->lane_groups;
    if (unit->tag_bits != 0 && access->requests > 1) {
        uint32_t lines = tag_passes(unit, access);
        passes = lines > passes ? lines : passes;
    }
    gm_cycle last = now + passes - 1;
    if (unit->pass_interval > 1) {
        last = take_turn(unit, access, passes, now); /* the next one may begin beside it */
    } else {
        access->last_pass = last;
    }
    if (!in_l1) {
        answer_later(unit, access->ticket, last + unit->shared_latency);
    } else if (access->passes != 0 || passes > 1) {
        /* Of an access without passes of its own the issue has not counted this answer. */
        unit->pending[access->ticket] += access->passes == 0;
        answer_later(unit, access->ticket, last + unit->pipeline);
    }
}

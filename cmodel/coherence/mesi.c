/* MESI [singh, 4.1] in the engine: states of an L1's slots, its write-back buffer; sharers and
 * owners of an L2 bank's lines. */
#include "coherence/mesi.h"

#include "coherence/nothing.h"
#include "goldmem/assert.h"
#include "stats/invariants.h"

#include <errno.h>

enum { ALIGNMENT = 64 };

static uint32_t l1_slots(const gm_config *config)
{
    return (uint32_t)(config->l1.size / config->l1.line);
}

static uint32_t l2_slots(const gm_config *config)
{
    uint64_t banks = config->memory.partitions * config->memory.banks;
    return (uint32_t)(config->l2.size / config->l2.line / banks);
}

/* --- init --- */

static size_t l1_bytes(const gm_config *config)
{
    enum { ARRAYS = 3 };
    return sizeof(gm_mesi_l1) + l1_slots(config) + config->l1.mshrs * sizeof(gm_mesi_write_back) +
           (size_t)ARRAYS * ALIGNMENT;
}

static int l1_init(gm_coherence_l1 *l1, const gm_config *config, gm_arena *arena, gm_error *error)
{
    gm_mesi_l1 *state = gm_arena_take(arena, 1, sizeof *state);
    uint8_t *states = gm_arena_take(arena, l1_slots(config), sizeof *states);
    gm_mesi_write_back *back = gm_arena_take(arena, config->l1.mshrs, sizeof *back);
    if (state == NULL || states == NULL || back == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the states of an L1");
    }
    state->state = states;
    state->back = back;
    state->slots = l1_slots(config);
    state->backs = (uint32_t)config->l1.mshrs;
    for (uint32_t place = state->backs; place > 0; place--) {
        back[place - 1].next = state->free;
        state->free = (uint16_t)place;
    }
    for (unsigned i = 0; i < GM_L1_STATES * GM_L1_EVENTS; i++) {
        unsigned of = i / GM_L1_EVENTS;
        unsigned event = i % GM_L1_EVENTS;
        state->row[of][event] = gm_directory_find(&gm_directory_mesi.l1, of, event, GM_IF_LAST);
    }
    l1->state = state;
    return 0;
}

static size_t l2_bytes(const gm_config *config)
{
    enum { ARRAYS = 2 };
    return sizeof(gm_mesi_l2) + l2_slots(config) * sizeof(gm_mesi_line) +
           (size_t)ARRAYS * ALIGNMENT;
}

static int l2_init(gm_coherence_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error)
{
    gm_mesi_l2 *state = gm_arena_take(arena, 1, sizeof *state);
    gm_mesi_line *line = gm_arena_take(arena, l2_slots(config), sizeof *line);
    if (state == NULL || line == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the sharers of an L2 bank");
    }
    state->line = line;
    state->slots = l2_slots(config);
    for (unsigned i = 0; i < GM_DIR_STATES * GM_DIR_EVENTS * 2; i++) {
        unsigned event = i / 2 % GM_DIR_EVENTS;
        unsigned of = i / 2 / GM_DIR_EVENTS;
        state->row[of][event][i % 2] = gm_directory_find(&gm_directory_mesi.l2, of, event,
                                                         i % 2 == 0 ? GM_IF_LAST : GM_IF_MORE);
    }
    l2->state = state;
    return 0;
}

/* --- write-back buffer --- */

uint32_t gm_mesi_put_back(gm_mesi_l1 *l1, uint64_t line, uint32_t dirty)
{
    gm_assert(l1->free != 0, "MESI: the write-back buffer is full");
    uint32_t place = l1->free - 1U;
    uint16_t *first = &l1->first[line % GM_MESI_GROUPS];
    l1->free = l1->back[place].next;
    l1->back[place] =
        (gm_mesi_write_back){.line = line, .dirty = dirty, .state = GM_L1_M_I, .next = *first};
    *first = (uint16_t)(place + 1);
    l1->used++;
    return place;
}

void gm_mesi_take_back(gm_mesi_l1 *l1, uint32_t place)
{
    gm_mesi_write_back *back = &l1->back[place];
    uint16_t *at = &l1->first[back->line % GM_MESI_GROUPS];
    while (*at != place + 1) {
        at = &l1->back[*at - 1].next;
    }
    *at = back->next;
    *back = (gm_mesi_write_back){.next = l1->free};
    l1->free = (uint16_t)(place + 1);
    l1->used--;
}

/* --- rows --- */

const gm_directory_row *gm_mesi_l1_row(const gm_mesi_l1 *l1, gm_directory_l1_state state,
                                       gm_directory_l1_event event)
{
    const gm_directory_row *row = l1->row[state][event];
    gm_assert(row != NULL, "MESI: %s in %s at an L1", gm_directory_l1_event_names[event],
              gm_directory_l1_state_names[state]);
    return row;
}

static gm_directory_l2_event event_of(gm_message_kind kind, bool shares)
{
    return kind == GM_MESSAGE_READ                ? GM_DIR_GETS
           : kind == GM_MESSAGE_WRITE_BACK        ? GM_DIR_PUT
           : kind == GM_MESSAGE_UPGRADE && shares ? GM_DIR_UPGRADE
                                                  : GM_DIR_GETX;
}

const gm_directory_row *gm_mesi_l2_row(const gm_coherence_l2 *l2, uint32_t slot,
                                       gm_message_kind kind, uint32_t sm, bool resumes)
{
    const gm_mesi_l2 *state = l2->state;
    const gm_mesi_line *line = &state->line[slot];
    uint64_t self = UINT64_C(1) << sm;
    gm_directory_l2_event event = event_of(kind, (line->sharers & self) != 0);
    gm_directory_l2_state in = line->owner != 0                ? GM_DIR_M
                               : line->sharers != 0 || resumes ? GM_DIR_S
                                                               : GM_DIR_V;
    bool more = event == GM_DIR_PUT ? line->owner != sm + 1 : (line->sharers & ~self) != 0;
    const gm_directory_row *row = state->row[in][event][more];
    gm_assert(row != NULL, "MESI: %s in %s at the L2", gm_directory_l2_event_names[event],
              gm_directory_l2_state_names[in]);
    return row;
}

uint64_t gm_mesi_others(const gm_coherence_l2 *l2, uint32_t slot, uint32_t sm)
{
    const gm_mesi_l2 *state = l2->state;
    const gm_mesi_line *line = &state->line[slot];
    return line->owner != 0 ? UINT64_C(1) << (line->owner - 1)
                            : line->sharers & ~(UINT64_C(1) << sm);
}

void gm_mesi_l2_follow(gm_coherence_l2 *l2, uint32_t slot, const gm_directory_row *row, uint32_t sm)
{
    const gm_mesi_l2 *state = l2->state;
    gm_mesi_line *line = &state->line[slot];
    if ((row->actions & GM_DO_OWN) != 0) {
        *line = (gm_mesi_line){.owner = sm + 1};
    }
    if ((row->actions & GM_DO_SHARE) != 0) {
        line->sharers |= UINT64_C(1) << sm;
    }
    if (row->next == GM_DIR_V) { /* written back */
        line->owner = 0;
    }
}

void gm_mesi_l2_give_up(gm_coherence_l2 *l2, uint32_t slot, bool keeps)
{
    const gm_mesi_l2 *state = l2->state;
    gm_mesi_line *line = &state->line[slot];
    *line = (gm_mesi_line){.sharers = keeps ? UINT64_C(1) << (line->owner - 1) : 0};
}

/* --- sharers --- */

/* The owner is the only sharer. */
static uint64_t sharers_of(const gm_coherence_l2 *l2, uint64_t line, uint32_t slot)
{
    const gm_mesi_l2 *state = l2->state;
    (void)line;
    if (slot == GM_COHERENCE_NO_SLOT) {
        return 0;
    }
    const gm_mesi_line *at = &state->line[slot];
    return at->owner != 0 ? UINT64_C(1) << (at->owner - 1) : at->sharers;
}

static void unshare(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint32_t sm)
{
    const gm_mesi_l2 *state = l2->state;
    (void)line;
    state->line[slot].sharers &= ~(UINT64_C(1) << sm);
}

static void forget(gm_coherence_l2 *l2, uint64_t line, uint32_t slot)
{
    const gm_mesi_l2 *state = l2->state;
    (void)line;
    if (slot != GM_COHERENCE_NO_SLOT) {
        state->line[slot] = (gm_mesi_line){0};
    }
}

static void l2_evict(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle)
{
    (void)cycle;
    forget(l2, line, slot);
}

static uint32_t owner_of(const gm_coherence_l2 *l2, uint32_t slot)
{
    const gm_mesi_l2 *state = l2->state;
    uint32_t owner = state->line[slot].owner;
    return owner != 0 ? owner - 1 : GM_COHERENCE_NO_SLOT;
}

/* --- check --- */

static bool has_copy(const gm_coherence_l1 *l1, uint32_t slot)
{
    const gm_mesi_l1 *state = l1->state;
    return state->state[slot] != GM_L1_I;
}

static bool is_owner(const gm_coherence_l1 *l1, uint32_t slot)
{
    const gm_mesi_l1 *state = l1->state;
    return state->state[slot] == GM_L1_E || state->state[slot] == GM_L1_M;
}

static int l1_check(const gm_coherence_l1 *l1, const char *where, gm_error *error)
{
    const gm_mesi_l1 *state = l1->state;
    uint64_t transient = 0;
    for (uint32_t i = 0; i < state->slots; i++) {
        transient += state->state[i] > GM_L1_M;
    }
    GM_INVARIANT(where, "lines in transient states at the end = 0", transient, 0);
    GM_INVARIANT(where, "lines in the write-back buffer at the end = 0", state->used, 0);
    return 0;
}

/* --- snapshot --- */

static void l1_snapshot(gm_coherence_l1 *l1, gm_snapshot *snapshot)
{
    gm_mesi_l1 *state = l1->state;
    GM_SNAPSHOT_ARRAY(snapshot, state->state, state->slots);
    GM_SNAPSHOT_ARRAY(snapshot, state->back, state->backs);
    GM_SNAPSHOT_VALUE(snapshot, state->used);
    GM_SNAPSHOT_VALUE(snapshot, state->first);
    GM_SNAPSHOT_VALUE(snapshot, state->free);
    GM_SNAPSHOT_VALUE(snapshot, state->crossed);
    GM_SNAPSHOT_VALUE(snapshot, state->refused);
    GM_SNAPSHOT_VALUE(snapshot, state->refused_set);
}

static void l2_snapshot(gm_coherence_l2 *l2, gm_snapshot *snapshot)
{
    gm_mesi_l2 *state = l2->state;
    GM_SNAPSHOT_ARRAY(snapshot, state->line, state->slots);
}

/* Not called: l2_mesi.c does requests by their rows. */
static gm_coherence_answer perform(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                   gm_message_kind kind, uint32_t sm, gm_coherence_message *message,
                                   uint64_t cycle)
{
    (void)line, (void)slot, (void)kind, (void)sm, (void)message, (void)cycle;
    gm_assert(l2 == NULL, "MESI: performs by rows");
    return (gm_coherence_answer){0};
}

static const gm_coherence_sharers sharers = {
    .has_copy = has_copy,
    .is_owner = is_owner,
    .of = sharers_of,
    .unshare = unshare,
    .forget = forget,
};

const gm_coherence_ops gm_coherence_mesi = {
    .l1_bytes = l1_bytes,
    .l1_init = l1_init,
    .l2_bytes = l2_bytes,
    .l2_init = l2_init,
    .l1_observe = gm_nothing_l1_observe,
    .l2_observe = gm_nothing_l2_observe,
    .hit = gm_nothing_hit,
    .can_write = gm_nothing_can_write,
    .is_full = gm_nothing_is_full,
    .request = gm_nothing_request,
    .can_issue = gm_nothing_can_issue,
    .issue = gm_nothing_issue,
    .acknowledge = gm_nothing_acknowledge,
    .saw = gm_nothing_saw,
    .fence = gm_nothing_fence,
    .fill = gm_nothing_fill,
    .upgraded = gm_nothing_upgraded,
    .evict = gm_nothing_evict,
    .flush = gm_nothing_at_l1,
    .l1_roll_over = gm_nothing_at_l1,
    .arrive = gm_nothing_arrive,
    .perform = perform,
    .has_room = gm_nothing_has_room,
    .fetch = gm_nothing_fetch,
    .l2_evict = l2_evict,
    .install = gm_nothing_install,
    .copied = gm_nothing_copied,
    .l2_roll_over = gm_nothing_at_l2,
    .l1_check = l1_check,
    .l2_check = gm_nothing_l2_check,
    .copy_until = gm_nothing_copy_until,
    .line_until = gm_nothing_line_until,
    .owner = owner_of,
    .l1_snapshot = l1_snapshot,
    .l2_snapshot = l2_snapshot,
    .sharers = &sharers,
    .owns = true,
};

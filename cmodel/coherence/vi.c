/* GPU-VI and GPU-VIni [singh, 4.2, 4.3] in the engine: the states of directory_vi.c, from what an
 * L1 and an L2 bank keep of a line. An L1 has a valid bit and the acknowledgements due for each
 * slot, an L2 bank the sharers of each line, or a directory of its own; MSHR entries are the
 * caches' own.
 */
#include "coherence/coherence.h"
#include "coherence/directory.h"
#include "coherence/nothing.h"
#include "coherence/sharer_directory.h"

#include "goldmem/assert.h"
#include "stats/invariants.h"

#include <errno.h>
#include <string.h>

enum {
    MOST_DUE = 63,
    /* acknowledgements of a slot: as tc_l1 (a modelling choice) */ ALIGNMENT = 64
};

typedef struct vi_copy {
    uint8_t valid, due;
} vi_copy;

/* Rows by state, event and condition: 0 GM_IF_LAST, 1 GM_IF_MORE. */
typedef struct vi_l1 {
    const gm_directory_row *row[GM_L1_STATES][GM_L1_EVENTS][2];
    vi_copy *copy;
    uint32_t slots;
} vi_l1;

typedef struct vi_l2 {
    const gm_directory_row *row[GM_DIR_STATES][GM_DIR_EVENTS][2];
    uint64_t *sharers; /* GPU-VI: of each slot, a bit for each SM */
    uint32_t slots;
    gm_sharer_directory directory; /* GPU-VIni */
} vi_l2;

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
    return sizeof(vi_l1) + l1_slots(config) * sizeof(vi_copy) + 2 * ALIGNMENT;
}

static int l1_init(gm_coherence_l1 *l1, const gm_config *config, gm_arena *arena, gm_error *error)
{
    vi_l1 *state = gm_arena_take(arena, 1, sizeof *state);
    vi_copy *copy = gm_arena_take(arena, l1_slots(config), sizeof *copy);
    if (state == NULL || copy == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the copies of an L1");
    }
    state->copy = copy;
    state->slots = l1_slots(config);
    for (unsigned i = 0; i < GM_L1_STATES * GM_L1_EVENTS * 2; i++) {
        unsigned event = i / 2 % GM_L1_EVENTS;
        unsigned of = i / 2 / GM_L1_EVENTS;
        state->row[of][event][i % 2] =
            gm_directory_find(&gm_directory_vi.l1, of, event, i % 2 == 0 ? GM_IF_LAST : GM_IF_MORE);
    }
    l1->state = state;
    return 0;
}

static size_t l2_bytes(const gm_config *config)
{
    return sizeof(vi_l2) + l2_slots(config) * sizeof(uint64_t) + 2 * ALIGNMENT;
}

static size_t vini_l2_bytes(const gm_config *config)
{
    return sizeof(vi_l2) + gm_sharer_directory_bytes(config) + ALIGNMENT;
}

/* Both protocols have equal rows of the states that decide here: V and S. */
static void find_rows(vi_l2 *state)
{
    for (unsigned i = 0; i < GM_DIR_STATES * GM_DIR_EVENTS * 2; i++) {
        unsigned event = i / 2 % GM_DIR_EVENTS;
        unsigned of = i / 2 / GM_DIR_EVENTS;
        state->row[of][event][i % 2] =
            gm_directory_find(&gm_directory_vi.l2, of, event, i % 2 == 0 ? GM_IF_LAST : GM_IF_MORE);
    }
}

static int l2_init(gm_coherence_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error)
{
    vi_l2 *state = gm_arena_take(arena, 1, sizeof *state);
    uint64_t *sharers = gm_arena_take(arena, l2_slots(config), sizeof *sharers);
    if (state == NULL || sharers == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the sharers of an L2 bank");
    }
    state->sharers = sharers;
    state->slots = l2_slots(config);
    find_rows(state);
    l2->state = state;
    return 0;
}

static int vini_l2_init(gm_coherence_l2 *l2, const gm_config *config, gm_arena *arena,
                        gm_error *error)
{
    vi_l2 *state = gm_arena_take(arena, 1, sizeof *state);
    if (state == NULL || gm_sharer_directory_init(&state->directory, config, arena) < 0) {
        return gm_fail(error, -ENOMEM, "out of memory: the directory of an L2 bank");
    }
    find_rows(state);
    l2->state = state;
    return 0;
}

/* --- access, at the L1 --- */

static gm_directory_l1_state state_of(vi_copy copy, bool open)
{
    return copy.valid ? (copy.due != 0 ? GM_L1_V_M : GM_L1_V)
           : open     ? GM_L1_I_V
                      : (copy.due != 0 ? GM_L1_I_I : GM_L1_I);
}

/* Returns the row of an event; `due`: acknowledgements that are due after it. */
static const gm_directory_row *l1_row(const vi_l1 *state, vi_copy copy, bool open,
                                      gm_directory_l1_event event, unsigned due)
{
    const gm_directory_row *row = state->row[state_of(copy, open)][event][due != 0];
    gm_assert(row != NULL, "GPU-VI: %s in %s", gm_directory_l1_event_names[event],
              gm_directory_l1_state_names[state_of(copy, open)]);
    return row;
}

/* Changes the copy as the row says. */
static void follow_l1(vi_copy *copy, const gm_directory_row *row)
{
    copy->valid = (uint8_t)((copy->valid != 0 && (row->actions & GM_DO_DROP) == 0) ||
                            (row->actions & GM_DO_INSTALL) != 0);
    copy->due = (uint8_t)(copy->due + ((row->actions & GM_DO_COUNT) != 0) -
                          ((row->actions & GM_DO_UNCOUNT) != 0));
}

static bool hit(gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle, uint32_t *visible)
{
    const vi_l1 *state = l1->state;
    (void)cycle;
    *visible = 0;
    vi_copy copy = state->copy[slot];
    return copy.valid != 0 &&
           (l1_row(state, copy, false, GM_L1_LOAD, copy.due)->actions & GM_DO_HIT) != 0;
}

static bool can_write(const gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle)
{
    const vi_l1 *state = l1->state;
    (void)cycle;
    return state->copy[slot].valid != 0;
}

static bool is_full(const gm_coherence_l1 *l1, uint32_t slot)
{
    const vi_l1 *state = l1->state;
    return state->copy[slot].due == MOST_DUE;
}

static gm_directory_l1_event event_at_l1(gm_request_kind kind)
{
    switch (kind) {
    case GM_REQUEST_LOAD:
        return GM_L1_LOAD;
    case GM_REQUEST_STRONG_LOAD:
        return GM_L1_LOAD_PAST;
    case GM_REQUEST_STORE:
        return GM_L1_STORE;
    case GM_REQUEST_ATOMIC:
    case GM_REQUEST_REDUCTION:
        break;
    }
    return GM_L1_ATOMIC;
}

static gm_coherence_message request(gm_coherence_l1 *l1, const gm_coherence_access *access,
                                    uint64_t cycle)
{
    vi_l1 *state = l1->state;
    vi_copy none = {0};
    (void)cycle;
    vi_copy *copy = access->present ? &state->copy[access->slot] : &none;
    const gm_directory_row *row =
        l1_row(state, *copy, access->open, event_at_l1(access->kind), copy->due);
    follow_l1(copy, row);
    bool upgrades = row->message == GM_MSG_UPGRADE;
    l1->statistics.upgrades += upgrades;
    return (gm_coherence_message){
        .flags = (upgrades ? GM_COHERENCE_UPGRADE : 0U) |
                 (row->message == GM_MSG_GETS_PAST ? GM_COHERENCE_NO_LEASE : 0U),
    };
}

/* --- fill and evict, at the L1 --- */

static bool fill(gm_coherence_l1 *l1, uint32_t slot, bool open, const gm_coherence_message *message,
                 uint64_t cycle)
{
    vi_l1 *state = l1->state;
    vi_copy *copy = &state->copy[slot];
    (void)message, (void)cycle;
    if (open) {
        gm_assert(copy->valid == 0 && copy->due == 0, "GPU-VI: slot %u is not free", slot);
        follow_l1(copy, l1_row(state, *copy, true, GM_L1_DATA, copy->due));
    }
    l1->statistics.not_installed += !open;
    return open;
}

static bool upgraded(gm_coherence_l1 *l1, uint32_t slot, const gm_coherence_message *message,
                     uint64_t cycle)
{
    vi_l1 *state = l1->state;
    vi_copy *copy = &state->copy[slot];
    (void)message, (void)cycle;
    gm_assert(copy->due != 0, "GPU-VI: no acknowledgement is due for slot %u", slot);
    /* an open entry of the line or not: I_V and I_I do the same */
    follow_l1(copy, l1_row(state, *copy, false, GM_L1_ACK, copy->due - 1U));
    return copy->due == 0;
}

static void evict(gm_coherence_l1 *l1, uint32_t slot)
{
    vi_l1 *state = l1->state;
    gm_assert(state->copy[slot].due == 0, "GPU-VI: slot %u is evicted under stores", slot);
    state->copy[slot].valid = 0;
}

static void flush(gm_coherence_l1 *l1)
{
    vi_l1 *state = l1->state;
    for (uint32_t i = 0; i < state->slots; i++) {
        state->copy[i].valid = 0;
    }
}

static void invalidate(gm_coherence_l1 *l1, uint32_t slot, bool open)
{
    vi_l1 *state = l1->state;
    vi_copy *copy = &state->copy[slot];
    l1->statistics.copies_dropped += copy->valid;
    follow_l1(copy, l1_row(state, *copy, open, GM_L1_INV, copy->due));
}

/* --- access, at the L2 --- */

static gm_directory_l2_event event_at_l2(gm_message_kind kind, const gm_coherence_message *message,
                                         bool shares)
{
    switch (gm_message_access(kind)) {
    case GM_LOAD:
        return (message->flags & GM_COHERENCE_NO_LEASE) != 0 ? GM_DIR_GETS_PAST : GM_DIR_GETS;
    case GM_STORE:
        return (message->flags & GM_COHERENCE_UPGRADE) != 0 && shares ? GM_DIR_UPGRADE
                                                                      : GM_DIR_GETX;
    case GM_ATOMIC:
    case GM_INSTRUCTION: /* none: docs/l1i.md */
    case GM_ACCESS_KINDS:
        break;
    }
    return GM_DIR_ATOMIC;
}

/* Does a request by the row of a line's sharers, and changes them. Returns the SMs that it waits
 * for. */
static uint64_t perform_on(const vi_l2 *state, uint64_t *sharers, gm_message_kind kind, uint32_t sm,
                           gm_coherence_message *message)
{
    uint64_t self = UINT64_C(1) << sm;
    uint64_t others = *sharers & ~self;
    gm_directory_l2_event event = event_at_l2(kind, message, (*sharers & self) != 0);
    const gm_directory_row *row =
        state->row[*sharers != 0 ? GM_DIR_S : GM_DIR_V][event][others != 0];
    if ((row->actions & GM_DO_INVALIDATE) != 0) {
        return others;
    }
    *sharers = (row->actions & GM_DO_SHARE) != 0     ? *sharers | self
               : (row->actions & GM_DO_UNSHARE) != 0 ? *sharers & ~self
                                                     : *sharers;
    message->flags &= GM_COHERENCE_UPGRADE;
    return 0;
}

static gm_coherence_answer perform(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                   gm_message_kind kind, uint32_t sm, gm_coherence_message *message,
                                   uint64_t cycle)
{
    vi_l2 *state = l2->state;
    (void)line, (void)cycle;
    return (gm_coherence_answer){.invalidates =
                                     perform_on(state, &state->sharers[slot], kind, sm, message)};
}

static uint64_t sharers_of(const gm_coherence_l2 *l2, uint64_t line, uint32_t slot)
{
    const vi_l2 *state = l2->state;
    (void)line;
    return slot == GM_COHERENCE_NO_SLOT ? 0 : state->sharers[slot];
}

static void unshare(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint32_t sm)
{
    vi_l2 *state = l2->state;
    (void)line;
    state->sharers[slot] &= ~(UINT64_C(1) << sm);
}

static void forget(gm_coherence_l2 *l2, uint64_t line, uint32_t slot)
{
    vi_l2 *state = l2->state;
    (void)line;
    if (slot != GM_COHERENCE_NO_SLOT) {
        state->sharers[slot] = 0;
    }
}

static void l2_evict(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle)
{
    (void)cycle;
    forget(l2, line, slot);
}

/* --- access, at the L2, with a directory of its own --- */

/* A load has or takes an entry; the others use one if it is there. */
static gm_coherence_answer vini_perform(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                        gm_message_kind kind, uint32_t sm,
                                        gm_coherence_message *message, uint64_t cycle)
{
    vi_l2 *state = l2->state;
    uint64_t nobody = 0;
    (void)slot, (void)cycle;
    bool shares = kind == GM_MESSAGE_READ && (message->flags & GM_COHERENCE_NO_LEASE) == 0;
    gm_sharer_entry *entry = shares ? gm_sharer_directory_take(&state->directory, line)
                                    : gm_sharer_directory_find(&state->directory, line);
    uint64_t others =
        perform_on(state, entry != NULL ? &entry->sharers : &nobody, kind, sm, message);
    gm_assert(nobody == 0, "GPU-VIni: a sharer of line 0x%llx without an entry",
              (unsigned long long)line);
    return (gm_coherence_answer){.invalidates = others};
}

static uint64_t vini_sharers_of(const gm_coherence_l2 *l2, uint64_t line, uint32_t slot)
{
    const vi_l2 *state = l2->state;
    (void)slot;
    const gm_sharer_entry *entry = gm_sharer_directory_find(&state->directory, line);
    return entry != NULL ? entry->sharers : 0;
}

static void vini_unshare(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint32_t sm)
{
    vi_l2 *state = l2->state;
    (void)slot;
    gm_sharer_directory_find(&state->directory, line)->sharers &= ~(UINT64_C(1) << sm);
}

static void vini_forget(gm_coherence_l2 *l2, uint64_t line, uint32_t slot)
{
    vi_l2 *state = l2->state;
    (void)slot;
    gm_sharer_entry *entry = gm_sharer_directory_find(&state->directory, line);
    if (entry != NULL) {
        entry->sharers = 0;
    }
}

static gm_coherence_entry find_entry(const gm_coherence_l2 *l2, uint64_t line)
{
    const vi_l2 *state = l2->state;
    const gm_sharer_entry *entry = gm_sharer_directory_place(&state->directory, line);
    gm_coherence_entry found = {.found = entry != NULL};
    if (entry != NULL) {
        found.own = entry->line == line && (entry->sharers != 0 || entry->pinned != 0);
        found.line = entry->line;
        found.sharers = found.own ? 0 : entry->sharers;
    }
    return found;
}

static void take_entry(gm_coherence_l2 *l2, uint64_t line)
{
    vi_l2 *state = l2->state;
    gm_sharer_directory_take(&state->directory, line)->pinned = 1;
}

static void release_entry(gm_coherence_l2 *l2, uint64_t line)
{
    vi_l2 *state = l2->state;
    gm_sharer_entry *entry = gm_sharer_directory_find(&state->directory, line);
    if (entry != NULL) { /* local memory has none */
        entry->pinned = 0;
    }
}

/* --- check --- */

static int l1_check(const gm_coherence_l1 *l1, const char *where, gm_error *error)
{
    const vi_l1 *state = l1->state;
    uint64_t due = 0;
    for (uint32_t i = 0; i < state->slots; i++) {
        due += state->copy[i].due;
    }
    GM_INVARIANT(where, "stores of copies without an acknowledgement at the end = 0", due, 0);
    return 0;
}

static int vini_l2_check(const gm_coherence_l2 *l2, const char *where, gm_error *error)
{
    const vi_l2 *state = l2->state;
    uint64_t pinned = 0;
    for (uint32_t i = 0; i < state->directory.sets * state->directory.ways; i++) {
        pinned += state->directory.entry[i].pinned;
    }
    GM_INVARIANT(where, "entries of the directory of lines that wait at the end = 0", pinned, 0);
    return 0;
}

static bool has_copy(const gm_coherence_l1 *l1, uint32_t slot)
{
    const vi_l1 *state = l1->state;
    return state->copy[slot].valid != 0;
}

/* --- snapshot --- */

static void l1_snapshot(gm_coherence_l1 *l1, gm_snapshot *snapshot)
{
    vi_l1 *state = l1->state;
    GM_SNAPSHOT_ARRAY(snapshot, state->copy, state->slots);
}

static void l2_snapshot(gm_coherence_l2 *l2, gm_snapshot *snapshot)
{
    vi_l2 *state = l2->state;
    GM_SNAPSHOT_ARRAY(snapshot, state->sharers, state->slots);
}

static void vini_l2_snapshot(gm_coherence_l2 *l2, gm_snapshot *snapshot)
{
    vi_l2 *state = l2->state;
    gm_sharer_directory_snapshot(&state->directory, snapshot);
}

static const gm_coherence_sharers sharers = {
    .has_copy = has_copy,
    .invalidate = invalidate,
    .of = sharers_of,
    .unshare = unshare,
    .forget = forget,
};

const gm_coherence_ops gm_coherence_vi = {
    .l1_bytes = l1_bytes,
    .l1_init = l1_init,
    .l2_bytes = l2_bytes,
    .l2_init = l2_init,
    .l1_observe = gm_nothing_l1_observe,
    .l2_observe = gm_nothing_l2_observe,
    .hit = hit,
    .can_write = can_write,
    .is_full = is_full,
    .request = request,
    .can_issue = gm_nothing_can_issue,
    .issue = gm_nothing_issue,
    .acknowledge = gm_nothing_acknowledge,
    .saw = gm_nothing_saw,
    .fence = gm_nothing_fence,
    .fill = fill,
    .upgraded = upgraded,
    .evict = evict,
    .flush = flush,
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
    .owner = gm_nothing_owner,
    .l1_snapshot = l1_snapshot,
    .l2_snapshot = l2_snapshot,
    .sharers = &sharers,
};

static const gm_coherence_entries entries = {
    .find = find_entry,
    .take = take_entry,
    .release = release_entry,
};

static const gm_coherence_sharers vini_sharers = {
    .has_copy = has_copy,
    .invalidate = invalidate,
    .of = vini_sharers_of,
    .unshare = vini_unshare,
    .forget = vini_forget,
    .entries = &entries,
};

const gm_coherence_ops gm_coherence_vini = {
    .l1_bytes = l1_bytes,
    .l1_init = l1_init,
    .l2_bytes = vini_l2_bytes,
    .l2_init = vini_l2_init,
    .l1_observe = gm_nothing_l1_observe,
    .l2_observe = gm_nothing_l2_observe,
    .hit = hit,
    .can_write = can_write,
    .is_full = is_full,
    .request = request,
    .can_issue = gm_nothing_can_issue,
    .issue = gm_nothing_issue,
    .acknowledge = gm_nothing_acknowledge,
    .saw = gm_nothing_saw,
    .fence = gm_nothing_fence,
    .fill = fill,
    .upgraded = upgraded,
    .evict = evict,
    .flush = flush,
    .l1_roll_over = gm_nothing_at_l1,
    .arrive = gm_nothing_arrive,
    .perform = vini_perform,
    .has_room = gm_nothing_has_room,
    .fetch = gm_nothing_fetch,
    .l2_evict = gm_nothing_l2_evict,
    .install = gm_nothing_install,
    .copied = gm_nothing_copied,
    .l2_roll_over = gm_nothing_at_l2,
    .l1_check = l1_check,
    .l2_check = vini_l2_check,
    .copy_until = gm_nothing_copy_until,
    .line_until = gm_nothing_line_until,
    .owner = gm_nothing_owner,
    .l1_snapshot = l1_snapshot,
    .l2_snapshot = vini_l2_snapshot,
    .sharers = &vini_sharers,
};

/* Temporal Coherence [singh, 6]: TC-Weak and TC-Strong, made of the blocks tc_l1 and gwct in an L1,
 * and tc_l2, lease_store and lifetime_predictor in an L2 bank. A copy in an L1 ends by itself when
 * its lease is past; the L2 knows each line's latest lease, and tells a write by when no older copy
 * is left. */
#include "coherence/temporal.h"

#include "coherence/coherence.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"
#include "stats/invariants.h"

#include <errno.h>

enum {
    PENDING_BITS = 6, /* upgrades of a line without an answer: 63 (a modelling choice) */
    COUNT_BITS = 8,   /* operations of a warp without an answer: 255 (a modelling choice) */
    LINE_BITS = 64,
    ALIGNMENT = 64,
};

static bool is_strong(const gm_config *config)
{
    return config->coherence.protocol == GM_COHERENCE_TCS;
}

gm_tc_l1_parameters gm_temporal_tc_l1(const gm_config *config)
{
    return (gm_tc_l1_parameters){
        .slots = (unsigned)(config->l1.size / config->l1.line),
        .pending_bits = PENDING_BITS,
        .time_bits = (unsigned)config->coherence.time_bits,
        .strong = is_strong(config),
        .visible = config->coherence.visible,
    };
}

gm_gwct_parameters gm_temporal_gwct(const gm_config *config)
{
    return (gm_gwct_parameters){
        .warps = (unsigned)config->sm.warps,
        .count_bits = COUNT_BITS,
        .time_bits = (unsigned)config->coherence.time_bits,
    };
}

gm_tc_l2_parameters gm_temporal_tc_l2(const gm_config *config)
{
    bool printed = config->coherence.table == GM_TC_TABLE_PRINTED;
    uint64_t banks = config->memory.partitions * config->memory.banks;
    return (gm_tc_l2_parameters){
        .slots = (unsigned)(config->l2.size / config->l2.line / banks),
        .sms = (unsigned)config->gpu.sms,
        .time_bits = (unsigned)config->coherence.time_bits,
        .strong = is_strong(config),
        .printed = printed ? GM_TC_L2_REFETCH | GM_TC_L2_MISS | GM_TC_L2_EXPIRED : 0,
        .visible = config->coherence.visible,
    };
}

gm_lease_store_parameters gm_temporal_lease_store(const gm_config *config)
{
    return (gm_lease_store_parameters){
        .entries = (unsigned)config->coherence.leases,
        .line_bits = LINE_BITS,
        .time_bits = (unsigned)config->coherence.time_bits,
    };
}

gm_lifetime_predictor_parameters gm_temporal_predictor(void)
{
    return (gm_lifetime_predictor_parameters){
        .life_bits = 13,
        .hit = 4, /* these three: [singh, Table 4] */
        .evict = 8,
        .write = 8,
        .max = GM_LIFETIME_PREDICTOR_MAX,
        .start = 800,
    };
}

/* --- init --- */

static size_t l1_bytes(const gm_config *config)
{
    const gm_tc_l1_parameters copies = gm_temporal_tc_l1(config);
    const gm_gwct_parameters gwct = gm_temporal_gwct(config);
    return sizeof(gm_temporal_l1) + ALIGNMENT + gm_tc_l1_bytes(&copies) + gm_gwct_bytes(&gwct);
}

static int l1_init(gm_coherence_l1 *l1, const gm_config *config, gm_arena *arena, gm_error *error)
{
    const gm_tc_l1_parameters copies = gm_temporal_tc_l1(config);
    const gm_gwct_parameters gwct = gm_temporal_gwct(config);
    gm_temporal_l1 *state = gm_arena_take(arena, 1, sizeof *state);
    l1->state = state;
    if (state == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the leases of an L1");
    }
    int code = gm_tc_l1_init(&state->copies, &copies, arena, error);
    return code < 0 ? code : gm_gwct_init(&state->gwct, &gwct, arena, error);
}

static size_t l2_bytes(const gm_config *config)
{
    const gm_tc_l2_parameters lines = gm_temporal_tc_l2(config);
    const gm_lease_store_parameters store = gm_temporal_lease_store(config);
    return sizeof(gm_temporal_l2) + ALIGNMENT + gm_tc_l2_bytes(&lines) +
           gm_lease_store_bytes(&store);
}

static int l2_init(gm_coherence_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error)
{
    const gm_tc_l2_parameters lines = gm_temporal_tc_l2(config);
    const gm_lease_store_parameters store = gm_temporal_lease_store(config);
    const gm_lifetime_predictor_parameters predictor = gm_temporal_predictor();
    gm_temporal_l2 *state = gm_arena_take(arena, 1, sizeof *state);
    l2->state = state;
    if (state == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the leases of an L2 bank");
    }
    state->lifetime = config->coherence.lifetime;
    state->budget = (uint32_t)config->l2.mshrs;
    int code = gm_tc_l2_init(&state->lines, &lines, arena, error);
    code = code < 0 ? code : gm_lease_store_init(&state->store, &store, arena, error);
    return code < 0 ? code : gm_lifetime_predictor_init(&state->predictor, &predictor, error);
}

static void l1_observe(gm_coherence_l1 *l1, const gm_run_options *options, uint32_t number)
{
    gm_temporal_l1 *state = l1->state;
    state->copies.observer = gm_observer_of(options->tc_l1, number);
    state->gwct.observer = gm_observer_of(options->gwct, number);
}

static void l2_observe(gm_coherence_l2 *l2, const gm_run_options *options, uint32_t number)
{
    gm_temporal_l2 *state = l2->state;
    state->lines.observer = gm_observer_of(options->tc_l2, number);
    state->store.observer = gm_observer_of(options->lease_store, number);
    state->predictor.observer = gm_observer_of(options->lifetime_predictor, number);
}

/* --- access, at the L1 --- */

static bool hit(gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle, uint32_t *visible)
{
    gm_tc_l1 *copies = &((gm_temporal_l1 *)l1->state)->copies;
    const gm_tc_l1_slot *copy = &copies->slot[slot];
    uint32_t now = gm_coherence_now(l1->time, cycle);
    if (!gm_tc_l1_is_unexpired(copy, now) || gm_tc_l1_blocks_loads(copies, copy)) {
        return false;
    }
    gm_tc_l1_response response = gm_tc_l1_access(
        copies, (gm_tc_l1_request){.op = GM_TC_L1_LOAD, .slot = slot, .present = 1, .now = now});
    *visible = (uint32_t)response.visible;
    return true;
}

static bool can_write(const gm_coherence_l1 *l1, uint32_t slot, uint64_t cycle)
{
    const gm_temporal_l1 *state = l1->state;
    return gm_tc_l1_is_unexpired(&state->copies.slot[slot], gm_coherence_now(l1->time, cycle));
}

static bool is_full(const gm_coherence_l1 *l1, uint32_t slot)
{
    const gm_temporal_l1 *state = l1->state;
    return gm_tc_l1_is_full(&state->copies, &state->copies.slot[slot]);
}

static uint64_t operation_at_l1(gm_request_kind kind)
{
    switch (kind) {
    case GM_REQUEST_LOAD:
        return GM_TC_L1_LOAD;
    case GM_REQUEST_STRONG_LOAD:
        return GM_TC_L1_BYPASS;
    case GM_REQUEST_STORE:
        return GM_TC_L1_STORE;
    case GM_REQUEST_ATOMIC:
    case GM_REQUEST_REDUCTION:
        break;
    }
    return GM_TC_L1_ATOMIC;
}

static gm_coherence_message request(gm_coherence_l1 *l1, const gm_coherence_access *access,
                                    uint64_t cycle)
{
    gm_temporal_l1 *state = l1->state;
    gm_tc_l1_response response =
        gm_tc_l1_access(&state->copies, (gm_tc_l1_request){
                                            .op = operation_at_l1(access->kind),
                                            .slot = access->slot,
                                            .present = access->present,
                                            .open = access->open,
                                            .now = gm_coherence_now(l1->time, cycle),
                                        });
    gm_assert(response.refused == 0 && response.close == (access->open && access->kind != 0),
              "Temporal Coherence: refused %llu, close %llu", (unsigned long long)response.refused,
              (unsigned long long)response.close);
    bool upgrades = response.message == GM_TC_L1_UPGR;
    l1->statistics.expired += response.expired;
    l1->statistics.upgrades += upgrades;
    return (gm_coherence_message){
        .timestamp = (uint32_t)response.timestamp,
        .flags = (response.expired != 0 ? GM_COHERENCE_EXPIRED : 0U) |
                 (upgrades ? GM_COHERENCE_UPGRADE : 0U) |
                 (access->kind == GM_REQUEST_STRONG_LOAD ? GM_COHERENCE_NO_LEASE : 0U),
    };
}

static bool can_issue(const gm_coherence_l1 *l1, uint32_t warp, bool store)
{
    const gm_temporal_l1 *state = l1->state;
    return !gm_gwct_is_full(&state->gwct, warp, store);
}

static void issue(gm_coherence_l1 *l1, uint32_t warp, bool store)
{
    gm_temporal_l1 *state = l1->state;
    gm_gwct_access(&state->gwct,
                   (gm_gwct_request){.op = GM_GWCT_ISSUE, .warp = warp, .store = store});
}

/* Returns the GWCT of an answer of a write, 0 without one. */
static uint64_t gwct_of(const gm_coherence_time *time, const gm_coherence_message *message)
{
    if ((message->flags & GM_COHERENCE_GWCT) == 0) {
        return 0;
    }
    bool leased = (message->flags & GM_COHERENCE_LEASE) != 0 && message->timestamp != time->last;
    return message->timestamp - leased;
}

static void acknowledge(gm_coherence_l1 *l1, uint32_t warp, bool store,
                        const gm_coherence_message *message)
{
    gm_temporal_l1 *state = l1->state;
    uint64_t gwct = store ? gwct_of(l1->time, message) : message->visible;
    gm_gwct_response response =
        gm_gwct_access(&state->gwct, (gm_gwct_request){
                                         .op = GM_GWCT_ACK,
                                         .warp = warp,
                                         .store = store,
                                         .has_gwct = gwct != 0,
                                         .epoch = (message->flags & GM_COHERENCE_EPOCH) != 0,
                                         .timestamp = gwct,
                                     });
    gm_assert(response.error == 0, "Temporal Coherence: warp %u has no operation", warp);
    (void)response;
}

static void saw(gm_coherence_l1 *l1, uint32_t warp, uint32_t visible)
{
    gm_temporal_l1 *state = l1->state;
    gm_gwct_access(&state->gwct,
                   (gm_gwct_request){.op = GM_GWCT_RAISE, .warp = warp, .timestamp = visible});
}

/* The next cycle may belong to the next epoch, before which all copies end: every write is visible
 * then. */
static gm_coherence_wait fence(gm_coherence_l1 *l1, uint32_t first, uint32_t last, uint64_t cycle)
{
    gm_temporal_l1 *state = l1->state;
    const gm_coherence_time *time = l1->time;
    uint64_t now = cycle < time->end ? cycle - time->begin : time->last;
    gm_gwct_response response = gm_gwct_access(
        &state->gwct,
        (gm_gwct_request){.op = GM_GWCT_FENCE, .warp = first, .last = last, .now = now});
    return (gm_coherence_wait){.answers = (response.waits & GM_GWCT_ANSWERS) != 0,
                               .until = time->begin + now + response.left};
}

/* --- fill and evict, at the L1 --- */

static bool fill(gm_coherence_l1 *l1, uint32_t slot, bool open, const gm_coherence_message *message,
                 uint64_t cycle)
{
    gm_temporal_l1 *state = l1->state;
    gm_tc_l1_response response = gm_tc_l1_access(
        &state->copies, (gm_tc_l1_request){
                            .op = GM_TC_L1_FILL,
                            .slot = slot,
                            .present = 1,
                            .open = open,
                            .lease_given = (message->flags & GM_COHERENCE_LEASE) != 0,
                            .timestamp = message->timestamp,
                            .visible = message->visible,
                            .now = gm_coherence_now(l1->time, cycle),
                        });
    gm_assert(response.error == 0, "Temporal Coherence: slot %u is not free for its data", slot);
    l1->statistics.not_installed += response.install == 0;
    return response.install != 0;
}

static bool upgraded(gm_coherence_l1 *l1, uint32_t slot, const gm_coherence_message *message,
                     uint64_t cycle)
{
    gm_tc_l1 *copies = &((gm_temporal_l1 *)l1->state)->copies;
    bool leased = (message->flags & GM_COHERENCE_LEASE) != 0;
    bool has_line = (message->flags & GM_COHERENCE_LINE) != 0;
    l1->statistics.renewals += copies->slot[slot].valid && leased && !has_line;
    gm_tc_l1_response response = gm_tc_l1_access(
        copies, (gm_tc_l1_request){
                    .op = has_line ? GM_TC_L1_DATA_G : GM_TC_L1_ACK,
                    .slot = slot,
                    .present = 1,
                    .lease_given = !has_line && leased,
                    .timestamp = leased ? message->timestamp : 0,
                    .visible = copies->parameters.visible ? gwct_of(l1->time, message) : 0,
                    .now = gm_coherence_now(l1->time, cycle),
                });
    gm_assert(response.error == 0, "Temporal Coherence: slot %u has no upgrade", slot);
    (void)response;
    return copies->slot[slot].pending == 0;
}

static void evict(gm_coherence_l1 *l1, uint32_t slot)
{
    gm_temporal_l1 *state = l1->state;
    gm_tc_l1_response response =
        gm_tc_l1_access(&state->copies, (gm_tc_l1_request){.op = GM_TC_L1_EVICT, .slot = slot});
    gm_assert(response.keep == 0, "Temporal Coherence: slot %u is evicted under upgrades", slot);
    (void)response;
}

static void flush(gm_coherence_l1 *l1)
{
    gm_temporal_l1 *state = l1->state;
    gm_tc_l1_access(&state->copies, (gm_tc_l1_request){.op = GM_TC_L1_FLUSH});
}

static void l1_roll_over(gm_coherence_l1 *l1)
{
    gm_temporal_l1 *state = l1->state;
    flush(l1);
    gm_gwct_access(&state->gwct, (gm_gwct_request){.op = GM_GWCT_ROLLOVER});
}

/* --- access, at the L2 --- */

static bool is_unexpired(const gm_coherence_l2 *l2, uint32_t slot, uint64_t cycle)
{
    const gm_temporal_l2 *state = l2->state;
    return state->lines.line[slot].lease >= gm_coherence_now(l2->time, cycle);
}

static void predict(gm_temporal_l2 *state, gm_lifetime_predictor_request request)
{
    gm_lifetime_predictor_access(&state->predictor, request);
}

/* A lifetime grows by at most one step for each load, when it arrives; only fences that have
 * completed let stores shorten it, and every bank hears of the first. */
static void arrive(gm_coherence_l2 *l2, uint32_t slot, gm_access_kind kind,
                   const gm_coherence_message *message, uint64_t cycle)
{
    gm_temporal_l2 *state = l2->state;
    bool unexpired = slot != GM_COHERENCE_NO_SLOT && is_unexpired(l2, slot, cycle);
    if (state->lifetime != GM_PREDICTED || (message->flags & GM_COHERENCE_NO_LEASE) != 0) {
        return;
    }
    if (kind == GM_LOAD) {
        predict(state, (gm_lifetime_predictor_request){
                           .op = GM_LIFETIME_PREDICTOR_LOAD,
                           .expired_l1 = (message->flags & GM_COHERENCE_EXPIRED) != 0,
                           .expired_l2 = slot != GM_COHERENCE_NO_SLOT && !unexpired,
                       });
        return;
    }
    if (l2->time->fenced && !state->predictor.fenced) {
        predict(state, (gm_lifetime_predictor_request){.op = GM_LIFETIME_PREDICTOR_FENCED});
    }
    predict(state, (gm_lifetime_predictor_request){.op = GM_LIFETIME_PREDICTOR_STORE,
                                                   .unexpired = unexpired});
}

static uint64_t operation_at_l2(gm_message_kind kind, const gm_coherence_message *message)
{
    switch (gm_message_access(kind)) {
    case GM_LOAD:
        return GM_TC_L2_GETS;
    case GM_STORE:
        return (message->flags & GM_COHERENCE_UPGRADE) != 0 ? GM_TC_L2_UPGR : GM_TC_L2_GETX;
    case GM_ATOMIC:
    case GM_INSTRUCTION: /* none: docs/l1i.md */
    case GM_ACCESS_KINDS:
        break;
    }
    return GM_TC_L2_ATOMIC;
}

static bool has_gwct(const gm_tc_l2_response *response)
{
    return response->answer == GM_TC_L2_ACK_G || response->answer == GM_TC_L2_DATA_G;
}

static void count(gm_coherence_l2 *l2, uint64_t op, uint64_t life,
                  const gm_tc_l2_response *response)
{
    gm_coherence_statistics *statistics = &l2->statistics;
    if (op != GM_TC_L2_GETS) {
        statistics->writes_private += response->is_private;
        statistics->writes_gwct += has_gwct(response);
        statistics->writes_alone += response->is_private == 0 && !has_gwct(response);
    } else if (response->lease_given != 0) {
        statistics->leases++;
        statistics->lease_cycles += life;
        statistics->lease_extensions += response->was != GM_TC_L2_E;
    }
}

/* Returns what the answer of a request with these flags carries. */
static gm_coherence_message answer_of(const gm_coherence_l2 *l2, uint32_t flags, uint64_t op,
                                      const gm_tc_l2_response *response)
{
    bool has_line = op == GM_TC_L2_UPGR && response->answer == GM_TC_L2_DATA_G;
    return (gm_coherence_message){
        .timestamp = (uint32_t)(response->lease_given != 0 ? response->lease : response->gwct),
        .visible = (uint32_t)response->visible,
        .flags = (flags & GM_COHERENCE_UPGRADE) |
                 (response->lease_given != 0 ? GM_COHERENCE_LEASE : 0U) |
                 (has_gwct(response) ? GM_COHERENCE_GWCT : 0U) |
                 (has_line ? GM_COHERENCE_LINE : 0U) |
                 ((l2->time->epoch & 1) != 0 ? GM_COHERENCE_EPOCH : 0U),
    };
}

static gm_coherence_answer perform(gm_coherence_l2 *l2, uint64_t line, uint32_t slot,
                                   gm_message_kind kind, uint32_t sm, gm_coherence_message *message,
                                   uint64_t cycle)
{
    (void)line;
    gm_temporal_l2 *state = l2->state;
    uint64_t op = operation_at_l2(kind, message);
    uint64_t life = state->lifetime == GM_PREDICTED ? state->predictor.life : state->lifetime;
    gm_tc_l2_response response = gm_tc_l2_access(
        &state->lines, (gm_tc_l2_request){
                           .op = op,
                           .slot = slot,
                           .sm = sm,
                           .no_lease = (message->flags & GM_COHERENCE_NO_LEASE) != 0,
                           .timestamp = message->timestamp,
                           .now = gm_coherence_now(l2->time, cycle),
                           .life = op == GM_TC_L2_GETS ? life : 0,
                       });
    if (response.answer == GM_TC_L2_WAIT) {
        uint64_t again = l2->time->begin + response.earliest;
        return (gm_coherence_answer){.wait = again > cycle ? again : cycle + 1};
    }
    count(l2, op, life, &response);
    *message = answer_of(l2, message->flags, op, &response);
    return (gm_coherence_answer){0};
}

/* --- fill and evict, at the L2 --- */

static gm_lease_store_response use_store(gm_temporal_l2 *state, gm_lease_store_request request)
{
    gm_lease_store_response response = gm_lease_store_access(&state->store, request);
    state->stored = (uint32_t)response.used;
    return response;
}

/* True if so many leases fit beside one more MSHR entry. */
static bool fits(const gm_temporal_l2 *state, uint32_t leases, uint32_t entries)
{
    return leases <= state->store.parameters.entries && entries + 1 + leases <= state->budget;
}

/* Most often there is room even if none of the leases stored is past. */
static bool has_room(gm_coherence_l2 *l2, uint64_t line, uint32_t victim, uint32_t entries,
                     uint64_t cycle, uint64_t *again)
{
    gm_temporal_l2 *state = l2->state;
    bool keeps = victim != GM_COHERENCE_NO_SLOT && is_unexpired(l2, victim, cycle);
    if (fits(state, state->stored + keeps, entries)) {
        return true;
    }
    gm_lease_store_response store =
        use_store(state, (gm_lease_store_request){.op = GM_LEASE_STORE_EXPIRE,
                                                  .now = gm_coherence_now(l2->time, cycle)});
    bool taken = gm_lease_store_holds(&state->store, line);
    if (fits(state, state->stored - taken + keeps, entries)) {
        return true;
    }
    uint64_t next = keeps ? state->lines.line[victim].lease : l2->time->last;
    next = store.next != 0 && store.next < next ? store.next : next;
    *again = l2->time->begin + next + 1;
    return false;
}

static gm_coherence_kept fetch(gm_coherence_l2 *l2, uint64_t line, uint64_t cycle)
{
    gm_temporal_l2 *state = l2->state;
    if (state->stored == 0) {
        return (gm_coherence_kept){0};
    }
    gm_lease_store_response store =
        use_store(state, (gm_lease_store_request){.op = GM_LEASE_STORE_TAKE,
                                                  .line = line,
                                                  .now = gm_coherence_now(l2->time, cycle)});
    l2->statistics.leases_taken += store.found;
    return (gm_coherence_kept){(uint32_t)store.lease, (uint32_t)store.found};
}

static void l2_evict(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle)
{
    gm_temporal_l2 *state = l2->state;
    uint32_t now = gm_coherence_now(l2->time, cycle);
    gm_tc_l2_response response = gm_tc_l2_access(
        &state->lines, (gm_tc_l2_request){.op = GM_TC_L2_EVICT, .slot = slot, .now = now});
    if (state->lifetime == GM_PREDICTED) {
        predict(state, (gm_lifetime_predictor_request){.op = GM_LIFETIME_PREDICTOR_EVICT,
                                                       .unexpired = response.keep});
    }
    if (response.keep != 0) {
        gm_lease_store_response store =
            use_store(state, (gm_lease_store_request){.op = GM_LEASE_STORE_PUT,
                                                      .line = line,
                                                      .lease = response.lease,
                                                      .now = now,
                                                      .may = 1});
        gm_assert(store.done != 0, "Temporal Coherence: no room for the lease of line 0x%llx",
                  (unsigned long long)line);
        (void)store;
        l2->statistics.leases_stored++;
    }
}

static void install(gm_coherence_l2 *l2, uint32_t slot, gm_coherence_kept kept, bool write)
{
    gm_temporal_l2 *state = l2->state;
    gm_tc_l2_access(&state->lines, (gm_tc_l2_request){.op = GM_TC_L2_INSTALL,
                                                      .slot = slot,
                                                      .kept = kept.found,
                                                      .kept_lease = kept.lease,
                                                      .write = write});
}

static void copied(gm_coherence_l2 *l2, uint64_t line, uint32_t slot, uint64_t cycle)
{
    fetch(l2, line, cycle);
    if (slot != GM_COHERENCE_NO_SLOT) {
        install(l2, slot, (gm_coherence_kept){0}, false);
    }
}

static void l2_roll_over(gm_coherence_l2 *l2)
{
    gm_temporal_l2 *state = l2->state;
    gm_tc_l2_access(&state->lines, (gm_tc_l2_request){.op = GM_TC_L2_ROLLOVER});
    use_store(state, (gm_lease_store_request){.op = GM_LEASE_STORE_CLEAR});
}

/* --- check --- */

static int l1_check(const gm_coherence_l1 *l1, const char *where, gm_error *error)
{
    const gm_temporal_l1 *state = l1->state;
    uint64_t pending = 0;
    uint64_t outstanding = 0;
    for (unsigned i = 0; i < state->copies.parameters.slots; i++) {
        pending += state->copies.slot[i].pending;
    }
    for (unsigned i = 0; i < state->gwct.parameters.warps; i++) {
        outstanding += (uint64_t)state->gwct.entry[i].loads + state->gwct.entry[i].stores;
    }
    GM_INVARIANT(where, "upgrades without an answer at the end = 0", pending, 0);
    GM_INVARIANT(where, "operations of the GWCT table without an answer at the end = 0",
                 outstanding, 0);
    int code = gm_tc_l1_check(&state->copies, error);
    return code < 0 ? code : gm_gwct_check(&state->gwct, error);
}

static int l2_check(const gm_coherence_l2 *l2, const char *where, gm_error *error)
{
    const gm_temporal_l2 *state = l2->state;
    GM_INVARIANT(where, "leases stored <= l2.mshrs", state->stored <= state->budget, 1);
    int code = gm_tc_l2_check(&state->lines, error);
    code = code < 0 ? code : gm_lease_store_check(&state->store, error);
    return code < 0 ? code : gm_lifetime_predictor_check(&state->predictor, error);
}

static uint64_t copy_until(const gm_coherence_l1 *l1, uint32_t slot)
{
    const gm_temporal_l1 *state = l1->state;
    const gm_tc_l1_slot *copy = &state->copies.slot[slot];
    return copy->valid ? copy->lease : 0;
}

static uint64_t line_until(const gm_coherence_l2 *l2, uint32_t slot, uint64_t line)
{
    const gm_temporal_l2 *state = l2->state;
    if (slot != GM_COHERENCE_NO_SLOT) {
        return state->lines.line[slot].lease;
    }
    for (unsigned i = 0; i < state->store.parameters.entries; i++) {
        if (state->store.entry[i].valid && state->store.entry[i].line == line) {
            return state->store.entry[i].lease;
        }
    }
    return 0;
}

static uint32_t owner(const gm_coherence_l2 *l2, uint32_t slot)
{
    const gm_temporal_l2 *state = l2->state;
    const gm_tc_l2_line *line = &state->lines.line[slot];
    return line->owned ? line->owner : GM_COHERENCE_NO_SLOT;
}

/* --- snapshot --- */

static void l1_snapshot(gm_coherence_l1 *l1, gm_snapshot *snapshot)
{
    gm_temporal_l1 *state = l1->state;
    GM_SNAPSHOT_ARRAY(snapshot, state->copies.slot, state->copies.parameters.slots);
    GM_SNAPSHOT_ARRAY(snapshot, state->gwct.entry, state->gwct.parameters.warps);
    GM_SNAPSHOT_VALUE(snapshot, state->gwct.epoch);
}

static void l2_snapshot(gm_coherence_l2 *l2, gm_snapshot *snapshot)
{
    gm_temporal_l2 *state = l2->state;
    GM_SNAPSHOT_ARRAY(snapshot, state->lines.line, state->lines.parameters.slots);
    GM_SNAPSHOT_ARRAY(snapshot, state->store.entry, state->store.parameters.entries);
    GM_SNAPSHOT_VALUE(snapshot, state->stored);
    GM_SNAPSHOT_VALUE(snapshot, state->predictor.life);
    GM_SNAPSHOT_VALUE(snapshot, state->predictor.fenced);
}

const gm_coherence_ops gm_coherence_temporal = {
    .l1_bytes = l1_bytes,
    .l1_init = l1_init,
    .l2_bytes = l2_bytes,
    .l2_init = l2_init,
    .l1_observe = l1_observe,
    .l2_observe = l2_observe,
    .hit = hit,
    .can_write = can_write,
    .is_full = is_full,
    .request = request,
    .can_issue = can_issue,
    .issue = issue,
    .acknowledge = acknowledge,
    .saw = saw,
    .fence = fence,
    .fill = fill,
    .upgraded = upgraded,
    .evict = evict,
    .flush = flush,
    .l1_roll_over = l1_roll_over,
    .arrive = arrive,
    .perform = perform,
    .has_room = has_room,
    .fetch = fetch,
    .l2_evict = l2_evict,
    .install = install,
    .copied = copied,
    .l2_roll_over = l2_roll_over,
    .l1_check = l1_check,
    .l2_check = l2_check,
    .copy_until = copy_until,
    .line_until = line_until,
    .owner = owner,
    .l1_snapshot = l1_snapshot,
    .l2_snapshot = l2_snapshot,
    .leases = true,
};

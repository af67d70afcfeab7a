/* Coherent accesses and fills of the timed L1. The access rules decide what a request does, with a
 * copy that the protocol does not let it use taken as absent. Local memory needs no protocol: its
 * requests have the ideal one, which lets every copy be used. A slot is kept for its line, and is
 * no victim, while it is busy: data for it are in flight, whether they will be installed or not, or
 * answers of the line's upgrades are due. */
#include "cycle/l1/l1_coherent.h"

#include "cache/values.h"
#include "cycle/l1/l1_latency.h"
#include "cycle/l1/l1_mesi.h"
#include "cycle/l1/l1_miss.h"
#include "cycle/l1/l1_values.h"
#include "stats/invariants.h"

#include <errno.h>

static const gm_cycle_l1_shape coherent_shape = {.values = true, .many = true};

static size_t requesters_of(const gm_cycle_l1_shared *shared)
{
    return (size_t)shared->mshr.entries * shared->mshr.merges;
}

static bool requests_again(const gm_cycle_l1_shared *shared)
{
    return shared->coherence->leases && shared->config->coherence.merge == GM_MERGE_LEASE;
}

size_t gm_cycle_l1_coherent_bytes(const gm_cycle_l1_shared *shared)
{
    enum { ALIGNMENT = 64, ARRAYS = 4 };
    size_t joined = requests_again(shared)
                        ? requesters_of(shared) * sizeof(uint32_t) + shared->mshr.entries
                        : 0;
    joined += shared->coherence->owns ? GM_TICKETS + ALIGNMENT : 0;
    return sizeof(gm_cycle_l1_coherent) + shared->cache.sets * shared->cache.ways + joined +
           shared->coherence->l1_bytes(shared->config) + (size_t)ARRAYS * ALIGNMENT;
}

int gm_cycle_l1_coherent_init(gm_cycle_l1 *l1, gm_arena *arena, gm_error *error)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    gm_cycle_l1_coherent *own = gm_arena_take(arena, 1, sizeof *own);
    uint8_t *busy = gm_arena_take(arena, shared->cache.sets * shared->cache.ways, sizeof *busy);
    if (own == NULL || busy == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", l1->number);
    }
    *own = (gm_cycle_l1_coherent){.protocol = {.ops = shared->coherence, .time = shared->time},
                                  .busy = busy};
    l1->coherent = own;
    if (shared->coherence->owns) {
        own->waiting = gm_arena_take(arena, GM_TICKETS, sizeof *own->waiting);
        if (own->waiting == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", l1->number);
        }
    }
    if (requests_again(shared)) {
        own->joined = gm_arena_take(arena, requesters_of(shared), sizeof *own->joined);
        own->epoch = gm_arena_take(arena, shared->mshr.entries, sizeof *own->epoch);
        if (own->joined == NULL || own->epoch == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", l1->number);
        }
    }
    return shared->coherence->l1_init(&own->protocol, shared->config, arena, error);
}

/* Returns the operations for a line of local or of global memory. */
static const gm_coherence_ops *ops_for(const gm_cycle_l1 *l1, bool local)
{
    return local ? &gm_coherence_ideal : l1->shared->coherence;
}

static const gm_coherence_ops *ops_of(const gm_cycle_l1 *l1, const gm_cycle_l1_request *request)
{
    return ops_for(l1, request->line->local);
}

static void make_busy(gm_cycle_l1 *l1, uint32_t slot)
{
    l1->coherent->busy[slot]++;
    gm_cache_wait(&l1->cache, slot);
}

/* Counts an arrival for the slot: of its data, or of the answer of an upgrade. Frees a slot without
 * data that is no longer busy. */
static void settle(gm_cycle_l1 *l1, uint64_t line, uint32_t slot)
{
    if (--l1->coherent->busy[slot] != 0) {
        return;
    }
    gm_cache_arrive(&l1->cache, slot);
    if (gm_cache_state(&l1->cache, slot)->valid == 0) {
        l1->closed++;
        gm_cache_drop(&l1->cache, gm_cache_find(&l1->cache, line));
        gm_tell_l1_drop(l1->observer, l1->number, line);
    }
}

/* Returns the packet that was last put into the miss queue. Requires one. */
static gm_packet *last_packet(gm_cycle_l1 *l1)
{
    return &l1->packet[gm_ring_place(&l1->queue, gm_ring_count(&l1->queue) - 1)];
}

static void put_message(gm_packet *packet, const gm_coherence_message *message, bool local)
{
    packet->flags = local ? GM_COHERENCE_LOCAL : (uint8_t)message->flags;
    packet->timestamp = message->timestamp;
}

static gm_coherence_message message_of(const gm_packet *packet)
{
    return (gm_coherence_message){
        .timestamp = packet->timestamp, .visible = packet->whole, .flags = packet->flags};
}

/* Notes when a requester joined its entry. */
static void note_join(gm_cycle_l1 *l1, uint32_t id, gm_cycle now)
{
    gm_cycle_l1_coherent *own = l1->coherent;
    if (own->joined != NULL) {
        uint32_t newest = l1->mshr.entry[id].newest;
        own->joined[(size_t)id * l1->shared->mshr.merges + newest] =
            gm_coherence_now(own->protocol.time, now);
        own->epoch[id] = own->protocol.time->epoch & 1;
    }
}

/* Sends a load's request, which takes an entry and, if the line is absent, a slot. */
static gm_cycle_l1_answer fetch(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                gm_cycle now, uint32_t *answers)
{
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    bool present = found->place.slot != GM_NO_SLOT;
    gm_cycle_l1_answer answer =
        gm_cycle_l1_miss_by(l1, request, found, effect, now, answers, coherent_shape);
    if (answer != GM_CYCLE_L1_TAKEN) {
        return answer;
    }
    gm_packet *packet = last_packet(l1);
    uint32_t id = gm_cycle_l1_id_number(packet->id);
    const gm_coherence_access access = {
        .kind = GM_REQUEST_LOAD, .slot = l1->entry[id].slot, .present = present};
    gm_coherence_message message = ops_of(l1, request)->request(protocol, &access, now);
    put_message(packet, &message, request->line->local);
    if (!present) { /* the slot may have had another line */
        protocol->ops->evict(protocol, access.slot);
    }
    make_busy(l1, access.slot);
    note_join(l1, id, now);
    return answer;
}

static gm_cycle_l1_answer merge(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                gm_cycle now, uint32_t *answers)
{
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    gm_cycle_l1_answer answer = gm_cycle_l1_merge(l1, request, found, effect, answers);
    if (answer == GM_CYCLE_L1_TAKEN) {
        const gm_coherence_access access = {
            .kind = GM_REQUEST_LOAD, .slot = found->place.slot, .present = true, .open = true};
        ops_of(l1, request)->request(protocol, &access, now);
        note_join(l1, found->open, now);
    }
    return answer;
}

/* Drops the line unless its slot is busy: then it keeps its slot, and the protocol lets nobody use
 * it. Returns true if the line was dropped. */
static bool drop(gm_cycle_l1 *l1, const gm_cycle_l1_found *found, gm_access_kind kind)
{
    if (l1->coherent->busy[found->place.slot] != 0) {
        return false;
    }
    l1->statistics.invalidations[kind]++;
    gm_cache_drop(&l1->cache, found->place);
    return true;
}

/* Sends a store, an atomic or a load that bypasses the L1. `writes`: a store that uses the copy. */
static gm_cycle_l1_answer forward(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                  const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                  bool writes, gm_cycle now, uint32_t *answers)
{
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    const gm_coherence_ops *ops = ops_of(l1, request);
    gm_access_kind kind = gm_request_access_kind(request->kind);
    bool present = found->place.slot != GM_NO_SLOT;
    if (kind == GM_LOAD && l1->bypassed_free == 0) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY;
    }
    if (writes && ops->is_full(protocol, found->place.slot)) {
        return GM_CYCLE_L1_FAIL_LINE;
    }
    if (!gm_cycle_l1_has_room(l1, 1)) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    const gm_coherence_access access = {.kind = request->kind,
                                        .slot = present ? found->place.slot : 0,
                                        .present = present,
                                        .open = found->open != GM_NO_ENTRY};
    gm_coherence_message message = ops->request(protocol, &access, now);
    if (access.open) {
        gm_mshr_access(&l1->mshr,
                       (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = request->line->line});
    }
    if (present && (effect->invalidates || !writes)) {
        bool dropped = drop(l1, found, kind);
        if (dropped && !writes) { /* which the access rules do not tell */
            gm_tell_l1_drop(l1->observer, l1->number, request->line->line);
        }
    } else if (present) {
        gm_cache_touch(&l1->cache, found->place);
    }
    uint32_t id = gm_cycle_l1_id(GM_CYCLE_L1_OF_TICKET, request->ticket);
    if (kind == GM_LOAD) {
        id = gm_cycle_l1_id(GM_CYCLE_L1_OF_BYPASSED, gm_cycle_l1_take_bypassed(l1, request, 1));
    }
    if (l1->values != NULL) {
        gm_cycle_l1_value_forward(l1, request, found, effect, id);
    }
    l1->statistics.accesses[kind]++;
    gm_l1_count_outcome(&l1->statistics, kind, effect, request->line->sectors, found->line.held);
    gm_cycle_l1_push_part(l1, gm_request_message_kind(request->kind), request->line->line,
                          effect->forwarded, request->line->whole, id);
    put_message(last_packet(l1), &message, request->line->local);
    if ((message.flags & GM_COHERENCE_UPGRADE) != 0) {
        make_busy(l1, found->place.slot);
    }
    *answers = 1;
    return GM_CYCLE_L1_TAKEN;
}

/* Does a load if it hits. */
static bool hit(gm_cycle_l1 *l1, const gm_cycle_l1_request *request, gm_cache_place place,
                gm_cycle now)
{
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    uint32_t visible;
    if (!ops_of(l1, request)->hit(protocol, place.slot, now, &visible)) {
        return false;
    }
    if (visible != 0) {
        protocol->ops->saw(protocol, l1->warp[request->ticket], visible);
    }
    gm_cache_touch(&l1->cache, place);
    l1->statistics.accesses[GM_LOAD]++;
    l1->statistics.hits[GM_LOAD]++;
    if (l1->values != NULL) {
        gm_cycle_l1_value_hit(l1, request, 0);
    }
    return true;
}

/* True if data of the line are due for the first time, and loads that wait for them may have to
 * request again (`joined`). */
static bool may_request_again(const gm_cycle_l1 *l1, uint64_t line, uint32_t slot)
{
    const gm_cycle_l1_coherent *own = l1->coherent;
    bool found = false;
    if (own->joined == NULL || slot == GM_NO_SLOT || own->busy[slot] == 0) {
        return false;
    }
    for (uint32_t id = 0; id < l1->shared->mshr.entries && !found; id++) {
        found = gm_mshr_is_valid(&l1->mshr, id) && l1->mshr.entry[id].line == line &&
                l1->entry[id].slot == slot && l1->entry[id].packets != 0;
    }
    return found;
}

/* Attempts a request that is no load that hits; `held`: data are in the line's slot. */
static gm_cycle_l1_answer attempt(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                  gm_cache_place place, bool held, gm_cycle now, uint32_t *answers)
{
    const gm_coherence_l1 *protocol = &l1->coherent->protocol;
    const gm_l1_policy *policy = &l1->shared->policy;
    const gm_l1_access access = {.kind = request->kind,
                                 .local = request->line->local,
                                 .sectors = request->line->sectors,
                                 .whole = request->line->whole};
    gm_cycle_l1_found found = gm_cycle_l1_look_up_at(l1, request->line, request->kind, place);
    bool writes = held && request->kind == GM_REQUEST_STORE &&
                  ops_of(l1, request)->can_write(protocol, place.slot, now);
    found.line.held = writes ? policy->all_sectors : 0;
    gm_l1_effect effect = gm_l1_access_effect(policy, &access, &found.line);
    /* Loads that request again must do so before a later request of the line is sent. */
    bool waits = !effect.merges && may_request_again(l1, request->line->line, place.slot);
    return waits           ? GM_CYCLE_L1_FAIL_LINE
           : effect.merges ? merge(l1, request, &found, &effect, now, answers)
           : effect.allocates || effect.fetched != 0
               ? fetch(l1, request, &found, &effect, now, answers)
               : forward(l1, request, &found, &effect, writes, now, answers);
}

gm_cycle_l1_answer gm_cycle_l1_coherent_access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                               gm_cycle now, uint32_t *answers)
{
    if (l1->coherent->waiting != NULL) {
        return gm_cycle_l1_mesi_access(l1, request, now, answers);
    }
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    const gm_coherence_ops *ops = ops_of(l1, request);
    gm_cache_place place = gm_cache_find(&l1->cache, request->line->line);
    bool held = place.slot != GM_NO_SLOT && gm_cache_state(&l1->cache, place.slot)->valid != 0;
    if (held && request->kind == GM_REQUEST_LOAD && hit(l1, request, place, now)) {
        return GM_CYCLE_L1_HIT;
    }
    uint32_t warp = l1->warp[request->ticket];
    bool store = request->kind >= GM_REQUEST_STORE;
    if (!ops->can_issue(protocol, warp, store)) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY;
    }
    gm_cycle_l1_answer answer = attempt(l1, request, place, held, now, answers);
    if (answer == GM_CYCLE_L1_TAKEN) {
        ops->issue(protocol, warp, store);
    }
    return answer;
}

/* Counts the answer of a warp's operation. Returns the stall reasons that may be gone. */
static uint32_t acknowledge(gm_cycle_l1 *l1, uint32_t ticket, bool store,
                            const gm_coherence_message *message)
{
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    const gm_coherence_ops *ops = ops_for(l1, (message->flags & GM_COHERENCE_LOCAL) != 0);
    uint32_t warp = l1->warp[ticket];
    bool was_full = !ops->can_issue(protocol, warp, store);
    ops->acknowledge(protocol, warp, store, message);
    return was_full ? GM_CYCLE_L1_FREED_ENTRY : 0;
}

/* Returns how many of the entry's requesters joined before the lease of its data had passed. What
 * the others would get may be older than what another SM's fence has made visible since. Times of
 * two epochs are not compared: data of the later one were read after every join. */
static uint32_t timely(const gm_cycle_l1 *l1, uint32_t id, const gm_coherence_message *data)
{
    const gm_cycle_l1_coherent *own = l1->coherent;
    const gm_mshr_entry *waiting = &l1->mshr.entry[id];
    uint32_t count = waiting->newest - waiting->oldest + 1U;
    if (own->joined == NULL || (data->flags & GM_COHERENCE_LOCAL) != 0 ||
        ((data->flags & GM_COHERENCE_EPOCH) != 0) != own->epoch[id]) {
        return count;
    }
    const uint32_t *joined = &own->joined[(size_t)id * l1->shared->mshr.merges + waiting->oldest];
    while (count > 0 && joined[count - 1] > data->timestamp) {
        count--;
    }
    return count;
}

/* Sends the entry's request again, for `late` requesters; other loads do not join it any more, and
 * its data have no slot. Done before any load that comes after them can send its own request, which
 * must not be served first: until the data arrive, what does not join the entry waits. */
static void request_again(gm_cycle_l1 *l1, uint32_t id, uint32_t late)
{
    uint64_t line = l1->mshr.entry[id].line;
    uint32_t sectors = l1->shared->policy.all_sectors;
    const gm_mshr_entry *waiting = &l1->mshr.entry[id];
    uint32_t *joined = &l1->coherent->joined[(size_t)id * l1->shared->mshr.merges];
    for (uint32_t i = waiting->oldest; i <= waiting->newest; i++) {
        joined[i] = 0; /* the data to come were read after they joined: they do not ask once more */
    }
    l1->coherent->protocol.statistics.asked_again += late;
    l1->statistics.sectors_filled[GM_LOAD] += gm_count_ones(sectors);
    l1->entry[id].slot = GM_NO_SLOT;
    l1->entry[id].packets = 1;
    gm_cycle_l1_push_part(l1, GM_MESSAGE_READ, line, sectors, 0,
                          gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id));
}

/* Answers the next requester of the entry whose data have arrived. */
static uint32_t answer(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    gm_cycle_l1_coherent *own = l1->coherent;
    uint32_t id = l1->answering;
    gm_mshr_response response =
        gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = id});
    uint32_t gone = 0;
    if (--own->timely == 0) {
        l1->answering = GM_NO_ENTRY;
    }
    if (response.count == 0) {
        gone = GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_QUEUE;
        l1->time.l1_mshr_cycles += now - l1->entry[id].since;
        l1->entries--;
    }
    gm_cycle_l1_waiter waiter = gm_cycle_l1_waiter_of(response.requester);
    if (l1->values != NULL) {
        gm_cycle_l1_value_answer(l1, response.line, waiter.ticket, UINT32_MAX,
                                 gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id), response.count == 0);
    }
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_answer(l1, id, response.requester, response.count == 0, now);
    }
    gm_cycle_l1_count_load(l1, waiter.began, now);
    *ticket = waiter.ticket;
    return gone | acknowledge(l1, waiter.ticket, false, &own->data);
}

/* Installs the data of an entry that has a slot. */
static void install(gm_cycle_l1 *l1, uint32_t id, const gm_coherence_message *message, gm_cycle now)
{
    uint32_t slot = l1->entry[id].slot;
    uint64_t line = l1->mshr.entry[id].line;
    const gm_coherence_ops *ops = ops_for(l1, (message->flags & GM_COHERENCE_LOCAL) != 0);
    bool open = gm_mshr_is_open(&l1->mshr, id);
    if (ops->fill(&l1->coherent->protocol, slot, open, message, now)) {
        gm_cache_state(&l1->cache, slot)->valid = l1->shared->policy.all_sectors;
        if (l1->values != NULL) {
            gm_values_install(l1->values, l1->number, line, l1->shared->policy.all_sectors, 0,
                              gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id));
        }
    }
    settle(l1, line, slot);
    gm_cache_assert_access(&l1->cache, line);
}

/* Handles the arrival of an entry's data. Returns the stall reasons that may be gone. */
static uint32_t take_data(gm_cycle_l1 *l1, uint32_t id, const gm_coherence_message *message,
                          gm_cycle now, uint32_t *ticket)
{
    gm_cycle_l1_coherent *own = l1->coherent;
    const gm_mshr_entry *waiting = &l1->mshr.entry[id];
    uint32_t count = waiting->newest - waiting->oldest + 1U;
    own->data = *message;
    own->timely = timely(l1, id, message);
    l1->entry[id].packets = 0;
    if (l1->entry[id].slot != GM_NO_SLOT) {
        install(l1, id, message, now);
        if (l1->observer != NULL) {
            l1->observer->l1_fill(l1->observer->context, l1->number, waiting->line, now);
        }
    }
    if (own->timely < count) {
        request_again(l1, id, count - own->timely);
    }
    if (own->timely == 0) {
        return GM_CYCLE_L1_FREED_LINE;
    }
    l1->answering = id;
    return GM_CYCLE_L1_FREED_LINE | GM_CYCLE_L1_FREED_QUEUE | answer(l1, now, ticket);
}

/* Takes the values of a line that answers a store, unless own stores behind it are due. */
static void take_line(gm_cycle_l1 *l1, const gm_packet *packet, bool last)
{
    if (last) {
        gm_values_install(l1->values, l1->number, packet->line, packet->sectors, 0, packet->id);
    }
    gm_values_end_reply(l1->values, l1->number, packet->line, packet->id);
}

/* Handles the answer of a store, atomic or reduction. Returns the stall reasons that may be gone.
 */
static uint32_t take_acknowledgement(gm_cycle_l1 *l1, const gm_packet *packet,
                                     const gm_coherence_message *message, gm_cycle now)
{
    gm_cycle_l1_coherent *own = l1->coherent;
    uint32_t gone = acknowledge(l1, gm_cycle_l1_id_number(packet->id), true, message);
    if ((message->flags & GM_COHERENCE_LINE) != 0) {
        l1->sent.answered += gm_count_ones(packet->sectors);
    }
    if ((message->flags & GM_COHERENCE_UPGRADE) != 0) {
        uint32_t slot = gm_cache_find(&l1->cache, packet->line).slot;
        bool last = own->protocol.ops->upgraded(&own->protocol, slot, message, now);
        if (l1->values != NULL && (message->flags & GM_COHERENCE_LINE) != 0) {
            take_line(l1, packet, last);
        }
        settle(l1, packet->line, slot);
        gone |= GM_CYCLE_L1_FREED_LINE;
    }
    return gone;
}

static uint32_t take_bypassed(gm_cycle_l1 *l1, uint32_t number, const gm_coherence_message *message,
                              gm_cycle now, uint32_t *ticket)
{
    gm_cycle_l1_bypassed *load = &l1->bypassed[number];
    load->packets = 0;
    if (l1->values != NULL) {
        gm_cycle_l1_value_answer(l1, load->line, load->ticket, UINT32_MAX,
                                 gm_cycle_l1_id(GM_CYCLE_L1_OF_BYPASSED, number), true);
    }
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_bypassed(l1, number, now);
    }
    gm_cycle_l1_count_load(l1, load->began, now);
    l1->free_bypassed[l1->bypassed_free++] = (uint16_t)number;
    *ticket = load->ticket;
    return GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_BYPASS |
           acknowledge(l1, load->ticket, false, message);
}

static uint32_t arrive(gm_cycle_l1 *l1, const gm_packet *packet, gm_cycle now, uint32_t *ticket)
{
    uint32_t number = gm_cycle_l1_id_number(packet->id);
    gm_coherence_message message = message_of(packet);
    switch (gm_cycle_l1_id_kind_of(packet->id)) {
    case GM_CYCLE_L1_OF_ENTRY:
        return take_data(l1, number, &message, now, ticket);
    case GM_CYCLE_L1_OF_BYPASSED:
        return take_bypassed(l1, number, &message, now, ticket);
    case GM_CYCLE_L1_OF_TICKET:
        *ticket = number;
        return take_acknowledgement(l1, packet, &message, now);
    case GM_CYCLE_L1_OF_WRITE_BACK:
    case GM_CYCLE_L1_OF_INSTRUCTIONS: /* none: docs/l1i.md */
        break;
    }
    return 0;
}

/* Drops the copy of an invalidation's or recall's line, closes its open MSHR entry, and
 * acknowledges it. It waits at the port, and what is behind it too, until there is room for the
 * acknowledgement: an L2 bank always takes them. */
static uint32_t take_invalidation(gm_cycle_l1 *l1, gm_cycle now)
{
    gm_network *replies = l1->shared->replies;
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    const gm_packet packet = *gm_network_peek(replies, l1->number, now);
    gm_cycle_l1_found found = {.place = gm_cache_find(&l1->cache, packet.line)};
    gm_network *acknowledgements = l1->shared->acknowledgements;
    uint32_t port = gm_network_input(acknowledgements, GM_CLASS_ACKNOWLEDGE, l1->number);
    if (!gm_network_offer(acknowledgements, port, &packet, now)) {
        return 0;
    }
    gm_network_pop(replies, l1->number, now);
    l1->sent.messages[packet.kind]++;
    if (found.place.slot != GM_NO_SLOT) {
        bool open = gm_mshr_find_open(&l1->mshr, packet.line) < l1->shared->mshr.entries;
        protocol->ops->sharers->invalidate(protocol, found.place.slot, open);
        gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = packet.line});
        drop(l1, &found, GM_STORE);
        gm_tell_l1_drop(l1->observer, l1->number, packet.line);
    }
    return GM_CYCLE_L1_FREED_LINE | GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_QUEUE;
}

uint32_t gm_cycle_l1_coherent_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    gm_network *network = l1->shared->replies;
    if (l1->coherent->waiting != NULL) {
        return gm_cycle_l1_mesi_reply(l1, now, ticket);
    }
    if (l1->answering != GM_NO_ENTRY) {
        return answer(l1, now, ticket);
    }
    const gm_packet *first = gm_network_peek(network, l1->number, now);
    if (first == NULL) {
        return 0;
    }
    if (first->kind == GM_MESSAGE_INVALIDATE || first->kind == GM_MESSAGE_RECALL) {
        return take_invalidation(l1, now);
    }
    const gm_packet packet = *first;
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_arrive(l1, &packet, false);
    }
    gm_network_pop(network, l1->number, now);
    return arrive(l1, &packet, now, ticket);
}

gm_coherence_wait gm_cycle_l1_fence(gm_cycle_l1 *l1, uint32_t first, uint32_t last, gm_cycle now)
{
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    return protocol->ops->fence(protocol, first, last, now);
}

static void close_entries(gm_cycle_l1 *l1)
{
    gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_FLUSH_OP});
}

/* A load behind the fence must not get data that were read before it: it may not merge, unless
 * those that merge late send their request again. */
void gm_cycle_l1_fence_done(gm_cycle_l1 *l1)
{
    l1->shared->time->fenced = true;
    if (l1->coherent->joined == NULL) {
        close_entries(l1);
    }
}

void gm_cycle_l1_roll_over(gm_cycle_l1 *l1)
{
    gm_coherence_l1 *protocol = &l1->coherent->protocol;
    protocol->ops->l1_roll_over(protocol);
    close_entries(l1);
}

void gm_cycle_l1_drop_copy(gm_cycle_l1 *l1, uint64_t line)
{
    gm_cycle_l1_found found = {.place = gm_cache_find(&l1->cache, line)};
    if (found.place.slot != GM_NO_SLOT) {
        gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = line});
        drop(l1, &found, GM_STORE);
        gm_tell_l1_drop(l1->observer, l1->number, line);
    }
}

int gm_cycle_l1_coherent_check(const gm_cycle_l1 *l1, const char *where, gm_error *error)
{
    const gm_cycle_l1_coherent *own = l1->coherent;
    uint64_t busy = 0;
    for (uint32_t slot = 0; slot < gm_cache_slots(&l1->cache); slot++) {
        busy += own->busy[slot];
    }
    GM_INVARIANT(where, "fills and upgrades without an answer at the end = 0", busy, 0);
    return own->protocol.ops->l1_check(&own->protocol, where, error);
}

void gm_cycle_l1_coherent_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot)
{
    gm_cycle_l1_coherent *own = l1->coherent;
    GM_SNAPSHOT_ARRAY(snapshot, own->busy, gm_cache_slots(&l1->cache));
    GM_SNAPSHOT_VALUE(snapshot, own->data);
    GM_SNAPSHOT_VALUE(snapshot, own->timely);
    GM_SNAPSHOT_VALUE(snapshot, own->protocol.statistics);
    if (own->waiting != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, own->waiting, GM_TICKETS);
    }
    if (own->joined != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, own->joined, requesters_of(l1->shared));
        GM_SNAPSHOT_ARRAY(snapshot, own->epoch, l1->shared->mshr.entries);
    }
    own->protocol.ops->l1_snapshot(&own->protocol, snapshot);
}

/* MESI at the timed L1 [singh, 4.1]: write-back and write-allocate; stores and atomics are
 * performed in the L1's own copy, those that miss wait in an MSHR entry. The rows of
 * directory_mesi.c say what an event does. The states M_I and I_I are those of the write-back
 * buffer (mesi.h): a request of such a line waits. */
#include "cycle/l1/l1_mesi.h"

#include "cache/values.h"
#include "coherence/mesi.h"
#include "cycle/l1/l1_latency.h"
#include "cycle/l1/l1_miss.h"
#include "cycle/l1/l1_values.h"
#include "goldmem/assert.h"

enum { FIRST_BACK = 2 }; /* numbers of write-backs' ids begin behind a fill's victim */

static gm_mesi_l1 *mesi_of(const gm_cycle_l1 *l1)
{
    return l1->coherent->protocol.state;
}

static gm_directory_l1_event event_of(gm_request_kind kind)
{
    switch (kind) {
    case GM_REQUEST_LOAD:
    case GM_REQUEST_STRONG_LOAD: /* none: gm_cycle_l1_mesi_access */
        return GM_L1_LOAD;
    case GM_REQUEST_STORE:
        return GM_L1_STORE;
    case GM_REQUEST_ATOMIC:
    case GM_REQUEST_REDUCTION:
        break;
    }
    return GM_L1_ATOMIC;
}

static gm_value_request asked_of(const gm_cycle_l1 *l1, const gm_cycle_l1_request *request)
{
    return (gm_value_request){.sm = l1->number,
                              .ticket = request->ticket,
                              .line = request->line->line,
                              .sectors = request->line->sectors};
}

/* --- access --- */

/* Does a request that the copy allows: a load, or a write of an owned line. */
static gm_cycle_l1_answer hit(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                              gm_cache_place place, const gm_directory_row *row)
{
    gm_access_kind kind = gm_request_access_kind(request->kind);
    gm_cache_touch(&l1->cache, place);
    l1->statistics.accesses[kind]++;
    l1->statistics.hits[kind]++;
    mesi_of(l1)->state[place.slot] = row->next;
    if (kind != GM_LOAD) {
        gm_cycle_l1_make_dirty(l1, place.slot, request->line->sectors);
    }
    if (l1->values != NULL && kind == GM_LOAD) {
        gm_cycle_l1_value_hit(l1, request, 0);
    } else if (l1->values != NULL) {
        const gm_value_request asked = asked_of(l1, request);
        gm_values_begin_store(l1->values, &asked);
        gm_values_perform_in_l1(l1->values, request->kind == GM_REQUEST_ATOMIC, l1->number,
                                request->ticket, request->line->line);
    }
    return GM_CYCLE_L1_HIT;
}

/* Lets a request wait in the line's MSHR entry `id`; counts it. */
static gm_cycle_l1_answer wait_in(gm_cycle_l1 *l1, const gm_cycle_l1_request *request, uint32_t id,
                                  bool joins, uint32_t *answers)
{
    bool load = gm_request_access_kind(request->kind) == GM_LOAD;
    l1->coherent->waiting[request->ticket] = (uint8_t)request->kind;
    l1->entry[id].dirty |= load ? 0 : request->line->sectors;
    if (l1->values != NULL) {
        gm_value_request asked = asked_of(l1, request);
        asked.since = joins ? l1->entry[id].since : 0;
        if (load) {
            gm_values_load(l1->values, &asked, 0, gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id));
        } else {
            gm_values_begin_store(l1->values, &asked);
        }
    }
    *answers = 1;
    return GM_CYCLE_L1_TAKEN;
}

static gm_cycle_l1_answer join(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                               gm_cache_place place, uint32_t *answers)
{
    gm_access_kind kind = gm_request_access_kind(request->kind);
    gm_mshr_response response = gm_cycle_l1_access_mshr(l1, request, GM_MSHR_REQUEST_OP, false);
    if (response.outcome == GM_MSHR_FAIL) {
        return gm_cycle_l1_refused(&response);
    }
    gm_cache_touch(&l1->cache, place);
    l1->statistics.accesses[kind]++;
    l1->statistics.hits_pending[kind]++;
    return wait_in(l1, request, (uint32_t)response.id, true, answers);
}

/* Writes back a line that the L1 owns, dirty or not, and frees its slot but for the tag. Requires
 * room in the miss queue and the buffer. */
static void put(gm_cycle_l1 *l1, uint32_t slot, gm_access_kind kind)
{
    gm_mesi_l1 *mesi = mesi_of(l1);
    gm_sector_state *state = gm_cache_state(&l1->cache, slot);
    uint64_t line = gm_cache_line(&l1->cache, slot);
    uint32_t dirty = state->dirty;
    uint32_t place = gm_mesi_put_back(mesi, line, dirty);
    uint32_t id = gm_cycle_l1_id(GM_CYCLE_L1_OF_WRITE_BACK, place + FIRST_BACK);
    l1->coherent->protocol.statistics.puts++;
    if (dirty != 0) { /* else nothing of the rest is read into the host's cache */
        l1->statistics.write_backs[kind]++;
        l1->statistics.sectors_written_back[kind] += gm_count_ones(dirty);
        l1->dirty_sectors -= gm_count_ones(dirty);
        state->dirty = 0;
    }
    if (l1->values != NULL) {
        gm_values_send_line(l1->values, l1->number, line, dirty, id);
    }
    gm_cycle_l1_push_part(l1, GM_MESSAGE_WRITE_BACK, line, dirty, dirty, id);
}

static bool is_owned(const gm_mesi_l1 *mesi, uint32_t slot)
{
    return mesi->state[slot] == GM_L1_E || mesi->state[slot] == GM_L1_M;
}

static gm_cycle_l1_answer miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                               gm_cache_place place, const gm_directory_row *row, gm_cycle now,
                               uint32_t *answers)
{
    gm_mesi_l1 *mesi = mesi_of(l1);
    gm_access_kind kind = gm_request_access_kind(request->kind);
    uint32_t all = l1->shared->policy.all_sectors;
    bool present = place.slot != GM_NO_SLOT;
    uint32_t slot = present ? place.slot : gm_cache_victim(&l1->cache, place);
    if (slot == GM_NO_SLOT) {
        return GM_CYCLE_L1_FAIL_LINE;
    }
    bool puts = !present && is_owned(mesi, slot);
    if (l1->entries == l1->shared->mshr.entries || (puts && mesi->used == mesi->backs)) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY;
    }
    gm_mshr_response response = gm_cycle_l1_access_mshr(l1, request, GM_MSHR_REQUEST_OP,
                                                        gm_cycle_l1_has_room(l1, 1U + puts));
    if (response.outcome == GM_MSHR_FAIL) {
        return gm_cycle_l1_refused(&response);
    }
    uint32_t id = (uint32_t)response.id;
    l1->statistics.accesses[kind]++;
    l1->statistics.misses[kind]++;
    if (puts) {
        put(l1, slot, kind);
    }
    if (present) {
        gm_cache_touch(&l1->cache, place);
    } else {
        mesi->state[slot] = GM_L1_I;
        slot = gm_cycle_l1_replace(l1, request->line->line, place, slot, kind, false, 0, false);
    }
    bool upgrades = row->message == GM_MSG_UPGRADE;
    mesi->state[slot] = row->next;
    l1->entry[id] = (gm_cycle_l1_entry){
        .since = now, .slot = slot, .sectors = all, .packets = 1, .kind = kind, .fill = upgrades};
    gm_cache_wait(&l1->cache, slot);
    l1->entries++;
    l1->time.l1_mshr_entries++;
    l1->statistics.sectors_filled[kind] += upgrades ? 0 : gm_count_ones(all);
    if (upgrades) {
        l1->statistics.sectors_stored[kind] +=
            kind == GM_STORE ? gm_count_ones(request->line->sectors) : 0;
        l1->coherent->protocol.statistics.line_upgrades++;
    }
    gm_cycle_l1_push_part(l1,
                          row->message == GM_MSG_GETS ? GM_MESSAGE_READ
                          : upgrades                  ? GM_MESSAGE_UPGRADE
                                                      : GM_MESSAGE_GETX,
                          request->line->line, all, all, gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id));
    return wait_in(l1, request, id, false, answers);
}

/* True while a line's requesters are answered: a write must not come before those that wait. */
static bool is_answered(const gm_cycle_l1 *l1, uint64_t line)
{
    return l1->answering != GM_NO_ENTRY && l1->mshr.entry[l1->answering].line == line;
}

/* Attempts a request of a line with `place`; a load that would bypass the L1 is an ordinary one. */
static gm_cycle_l1_answer access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                 gm_cache_place place, gm_cycle now, uint32_t *answers)
{
    gm_mesi_l1 *mesi = mesi_of(l1);
    uint64_t line = request->line->line;
    bool absent = place.slot == GM_NO_SLOT; /* else it is not in the write-back buffer */
    bool written_back = absent && gm_mesi_find_back(mesi, line) != mesi->backs;
    mesi->refused = written_back ? line + 1 : 0;
    mesi->refused_set = place.set;
    if (is_answered(l1, line) || written_back) {
        return GM_CYCLE_L1_FAIL_LINE;
    }
    gm_directory_l1_state state = absent ? GM_L1_I : (gm_directory_l1_state)mesi->state[place.slot];
    const gm_directory_row *row = gm_mesi_l1_row(mesi, state, event_of(request->kind));
    uint32_t actions = row->actions;
    return (actions & (GM_DO_HIT | GM_DO_WRITE)) != 0 ? hit(l1, request, place, row)
           : (actions & GM_DO_JOIN) != 0              ? join(l1, request, place, answers)
           : (actions & GM_DO_OPEN) != 0              ? miss(l1, request, place, row, now, answers)
                                                      : GM_CYCLE_L1_FAIL_LINE;
}

gm_cycle_l1_answer gm_cycle_l1_mesi_access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                           gm_cycle now, uint32_t *answers)
{
    gm_cache_place place = gm_cache_find(&l1->cache, request->line->line);
    if (request->kind != GM_REQUEST_STRONG_LOAD) {
        return access(l1, request, place, now, answers);
    }
    gm_cycle_l1_request load = *request;
    load.kind = GM_REQUEST_LOAD;
    gm_cycle_l1_answer answer = access(l1, &load, place, now, answers);
    if (answer == GM_CYCLE_L1_HIT) { /* the load/store unit does so for ordinary ones */
        uint64_t cycles = now + l1->shared->config->l1.latency - request->began;
        if (l1->latency != NULL) {
            gm_latency_answer(l1->latency, request->ticket, GM_SERVED_BY_l1, true, cycles);
        }
        gm_cycle_l1_count_load(l1, request->began, request->began + cycles);
    }
    return answer;
}

/* A hit is done here without the request, which it does not need. */
gm_cycle_l1_answer gm_cycle_l1_load_owned(gm_cycle_l1 *l1, const gm_line_request *line,
                                          uint32_t ticket, gm_cycle began, gm_cycle now)
{
    const gm_mesi_l1 *mesi = mesi_of(l1);
    gm_cache_place place = gm_cache_find(&l1->cache, line->line);
    uint32_t answers; /* always 1 */
    if (place.slot != GM_NO_SLOT && !is_answered(l1, line->line) &&
        (mesi->row[mesi->state[place.slot]][GM_L1_LOAD]->actions & GM_DO_HIT) != 0) {
        gm_cache_touch(&l1->cache, place);
        l1->statistics.accesses[GM_LOAD]++;
        l1->statistics.hits[GM_LOAD]++;
        return GM_CYCLE_L1_HIT;
    }
    const gm_cycle_l1_request request = {
        .line = line, .kind = GM_REQUEST_LOAD, .ticket = ticket, .began = began};
    return access(l1, &request, place, now, &answers);
}

/* --- replies --- */

/* Returns the reasons that may be gone when the line of a slot has come or may give way: those of a
 * request of its set, unless that waits for its line's write-back. Without a slot: when data that
 * are not kept have been given to all that waited for them. */
static uint32_t freed_line(const gm_cycle_l1 *l1, uint32_t slot)
{
    const gm_mesi_l1 *mesi = mesi_of(l1);
    uint32_t first = mesi->refused_set * (uint32_t)l1->cache.ways;
    return mesi->refused == 0 && (slot == GM_NO_SLOT || slot - first < l1->cache.ways)
               ? GM_CYCLE_L1_FREED_LINE | GM_CYCLE_L1_FREED_QUEUE
               : 0;
}

/* Answers the next requester of the entry whose data or grant have arrived. */
static uint32_t answer(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    uint32_t id = l1->answering;
    uint32_t slot = l1->entry[id].slot;
    uint32_t packet = gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id);
    gm_mshr_response response =
        gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = id});
    gm_cycle_l1_waiter waiter = gm_cycle_l1_waiter_of(response.requester);
    gm_request_kind kind = (gm_request_kind)l1->coherent->waiting[waiter.ticket];
    bool load = gm_request_access_kind(kind) == GM_LOAD;
    uint32_t gone = 0;
    if (l1->values != NULL && !load) {
        gm_values_perform_in_l1(l1->values, kind == GM_REQUEST_ATOMIC, l1->number, waiter.ticket,
                                response.line);
    }
    if (l1->values != NULL && load) {
        if (slot != GM_NO_SLOT) {
            gm_values_renew_reply(l1->values, l1->number, response.line, packet);
        }
        gm_values_answer(l1->values, l1->number, waiter.ticket, response.line, UINT32_MAX, packet);
    }
    if (l1->values != NULL && response.count == 0) {
        gm_values_end_reply(l1->values, l1->number, response.line, packet);
    }
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_answer(l1, id, response.requester, response.count == 0, now);
    }
    if (load) {
        gm_cycle_l1_count_load(l1, waiter.began, now);
    }
    if (response.count == 0) {
        gone = GM_CYCLE_L1_FREED_ENTRY | freed_line(l1, slot);
        l1->time.l1_mshr_cycles += now - l1->entry[id].since;
        l1->entries--;
        l1->answering = GM_NO_ENTRY;
        if (slot != GM_NO_SLOT) {
            gm_cache_arrive(&l1->cache, slot);
        }
    }
    *ticket = waiter.ticket;
    return gone;
}

static gm_directory_l1_event event_of_data(const gm_packet *packet)
{
    return packet->kind == GM_MESSAGE_UPGRADE         ? GM_L1_GRANT
           : packet->kind == GM_MESSAGE_GETX          ? GM_L1_DATA_M
           : (packet->flags & GM_MESI_EXCLUSIVE) != 0 ? GM_L1_DATA_E
                                                      : GM_L1_DATA;
}

/* Sends an answer to an L2 bank, which always takes it. Returns false if there is no room. */
static bool acknowledge(gm_cycle_l1 *l1, const gm_packet *packet, gm_cycle now)
{
    gm_network *network = l1->shared->acknowledgements;
    bool apart =
        packet->kind == GM_MESSAGE_UNBLOCK && network->parameters.classes == GM_NETWORK_CLASSES;
    uint32_t port =
        gm_network_input(network, apart ? GM_CLASS_UNBLOCK : GM_CLASS_ACKNOWLEDGE, l1->number);
    return gm_network_offer(network, port, packet, now);
}

/* Sends UNBLOCK for a response. Returns false if there is no room. */
static bool unblock(gm_cycle_l1 *l1, const gm_packet *packet, gm_cycle now)
{
    const gm_packet sent = {.line = packet->line,
                            .in_bank = packet->in_bank,
                            .id = packet->timestamp,
                            .sm = (uint16_t)l1->number,
                            .bank = packet->bank,
                            .kind = GM_MESSAGE_UNBLOCK};
    if (!acknowledge(l1, &sent, now)) {
        return false;
    }
    l1->sent.messages[GM_MESSAGE_UNBLOCK]++;
    return true;
}

/* Puts a line's data, or the right to write, into its slot, which is no victim until all that wait
 * for it have been answered. */
static void install(gm_cycle_l1 *l1, uint32_t id, const gm_packet *packet,
                    const gm_directory_row *row)
{
    gm_cycle_l1_entry *entry = &l1->entry[id];
    uint32_t slot = entry->slot;
    uint32_t all = l1->shared->policy.all_sectors;
    mesi_of(l1)->state[slot] = row->next;
    if ((row->actions & GM_DO_INSTALL) != 0) {
        gm_cache_state(&l1->cache, slot)->valid = all;
        if (l1->values != NULL) {
            gm_values_install(l1->values, l1->number, packet->line, all, 0, packet->id);
        }
    }
    if (entry->fill != 0 && packet->kind == GM_MESSAGE_GETX) {
        l1->sent.answered += gm_count_ones(all);
    }
    if (row->next == GM_L1_I) {
        gm_cache_arrive(&l1->cache, slot);
        l1->closed++;
        l1->coherent->protocol.statistics.not_kept++;
        gm_cache_drop(&l1->cache, gm_cache_find(&l1->cache, packet->line));
        gm_tell_l1_drop(l1->observer, l1->number, packet->line);
        entry->slot = GM_NO_SLOT;
    } else if (entry->dirty != 0) {
        gm_cycle_l1_make_dirty(l1, slot, entry->dirty);
    }
}

/* Handles the answer of a GETS, GETX or UPGRADE; it waits at the port if it has to be confirmed and
 * there is no room for that. */
static uint32_t take_data(gm_cycle_l1 *l1, const gm_packet *first, gm_cycle now, uint32_t *ticket)
{
    gm_network *replies = l1->shared->replies;
    const gm_packet packet = *first;
    uint32_t id = gm_cycle_l1_id_number(packet.id);
    const gm_mesi_l1 *mesi = mesi_of(l1);
    const gm_directory_row *row = gm_mesi_l1_row(
        mesi, (gm_directory_l1_state)mesi->state[l1->entry[id].slot], event_of_data(&packet));
    if ((row->actions & GM_DO_UNBLOCK) != 0 && !unblock(l1, &packet, now)) {
        return 0;
    }
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_arrive(l1, &packet, false);
    }
    gm_network_pop(replies, l1->number, now);
    l1->entry[id].packets = 0;
    uint32_t gone = row->next == GM_L1_I ? freed_line(l1, l1->entry[id].slot) : 0; /* at once */
    install(l1, id, &packet, row);
    if (l1->observer != NULL && row->next != GM_L1_I) {
        l1->observer->l1_fill(l1->observer->context, l1->number, packet.line, now);
    }
    l1->answering = id;
    return gone | answer(l1, now, ticket);
}

/* What an L1 has of a line that an invalidation or forward is for. */
typedef struct asked_line {
    gm_cache_place place;
    uint32_t back; /* in the write-back buffer, or `backs` */
    gm_directory_l1_state state;
    uint32_t dirty;
} asked_line;

static asked_line look_up(gm_cycle_l1 *l1, uint64_t line)
{
    const gm_mesi_l1 *mesi = mesi_of(l1);
    asked_line asked = {.place = gm_cache_find(&l1->cache, line), .back = mesi->backs};
    if (asked.place.slot != GM_NO_SLOT) {
        asked.state = (gm_directory_l1_state)mesi->state[asked.place.slot];
        asked.dirty = gm_cache_state(&l1->cache, asked.place.slot)->dirty;
        return asked;
    }
    asked.back = gm_mesi_find_back(mesi, line);
    if (asked.back != mesi->backs) {
        asked.state = (gm_directory_l1_state)mesi->back[asked.back].state;
        asked.dirty = mesi->back[asked.back].dirty;
    }
    return asked;
}

/* Changes the line as the row says; `sent`: its dirty sectors have been sent. */
static void follow(gm_cycle_l1 *l1, const asked_line *asked, const gm_directory_row *row,
                   uint32_t sent)
{
    gm_mesi_l1 *mesi = mesi_of(l1);
    unsigned sectors = gm_count_ones(sent);
    if (asked->back != mesi->backs) {
        mesi->back[asked->back].state = row->next;
        mesi->crossed += sectors;
        return;
    }
    if (asked->place.slot == GM_NO_SLOT) {
        return;
    }
    gm_sector_state *state = gm_cache_state(&l1->cache, asked->place.slot);
    mesi->state[asked->place.slot] = row->next;
    l1->statistics.write_backs[GM_STORE] += sent != 0;
    l1->statistics.sectors_written_back[GM_STORE] += sectors;
    l1->dirty_sectors -= sectors;
    state->dirty = 0;
    if ((row->actions & GM_DO_DROP) != 0) {
        l1->coherent->protocol.statistics.copies_dropped++;
        if (row->next == GM_L1_I) {
            l1->statistics.invalidations[GM_STORE]++;
            gm_tell_l1_drop(l1->observer, l1->number, gm_cache_line(&l1->cache, asked->place.slot));
            gm_cache_drop(&l1->cache, asked->place);
        } else { /* S_M: the slot waits for data */
            state->valid = 0;
        }
    }
}

static gm_directory_l1_event event_of_forward(const gm_packet *packet)
{
    return (packet->flags & GM_MESI_GETS) != 0   ? GM_L1_FWD_GETS
           : (packet->flags & GM_MESI_GETX) != 0 ? GM_L1_FWD_GETX
                                                 : GM_L1_INV;
}

/* Answers an invalidation, a recall or a forward. It waits at the port, and what is behind it too,
 * until there is room for the answer: an L2 bank always takes them. */
static uint32_t take_forward(gm_cycle_l1 *l1, const gm_packet *first, gm_cycle now)
{
    gm_network *replies = l1->shared->replies;
    const gm_packet packet = *first;
    const asked_line asked = look_up(l1, packet.line);
    const gm_directory_row *row =
        gm_mesi_l1_row(mesi_of(l1), asked.state, event_of_forward(&packet));
    gm_packet sent = packet;
    sent.response = GM_NO_RESPONSE;
    sent.sectors = row->message == GM_MSG_WB_DATA ? asked.dirty : 0;
    sent.flags = (row->actions & GM_DO_KEEP) != 0 ? GM_MESI_KEEPS : 0;
    if (!acknowledge(l1, &sent, now)) {
        return 0;
    }
    gm_network_pop(replies, l1->number, now);
    l1->sent.messages[packet.kind]++;
    l1->sent.sectors[packet.kind] += gm_count_ones(sent.sectors);
    if (l1->values != NULL) {
        gm_values_send_line(l1->values, l1->number, packet.line, sent.sectors, sent.id);
    }
    follow(l1, &asked, row, sent.sectors);
    return GM_CYCLE_L1_FREED_LINE | GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_QUEUE;
}

/* A write-back has been taken: its line is free. */
static uint32_t take_written_back(gm_cycle_l1 *l1, const gm_packet *packet)
{
    gm_mesi_l1 *mesi = mesi_of(l1);
    uint32_t place = gm_cycle_l1_id_number(packet->id) - FIRST_BACK;
    bool awaited = mesi->refused == mesi->back[place].line + 1;
    gm_mesi_l1_row(mesi, (gm_directory_l1_state)mesi->back[place].state, GM_L1_WB_ACK);
    gm_mesi_take_back(mesi, place);
    l1->write_backs--;
    return GM_CYCLE_L1_FREED_ENTRY | (awaited ? GM_CYCLE_L1_FREED_LINE : 0);
}

uint32_t gm_cycle_l1_mesi_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    if (l1->answering != GM_NO_ENTRY) {
        return answer(l1, now, ticket);
    }
    const gm_packet *first = gm_network_peek(l1->shared->replies, l1->number, now);
    if (first == NULL) {
        return 0;
    }
    if (first->kind == GM_MESSAGE_INVALIDATE || first->kind == GM_MESSAGE_RECALL ||
        first->kind == GM_MESSAGE_FORWARD) {
        return take_forward(l1, first, now);
    }
    if (first->kind != GM_MESSAGE_WRITE_BACK) {
        return take_data(l1, first, now, ticket);
    }
    const gm_packet packet = *first;
    gm_network_pop(l1->shared->replies, l1->number, now);
    return take_written_back(l1, &packet);
}

bool gm_cycle_l1_mesi_flush(gm_cycle_l1 *l1, uint32_t slot)
{
    gm_mesi_l1 *mesi = mesi_of(l1);
    bool puts = is_owned(mesi, slot);
    gm_access_kind kind = gm_cache_state(&l1->cache, slot)->dirty != 0 ? GM_STORE : GM_LOAD;
    uint64_t line = gm_cache_line(&l1->cache, slot);
    if (puts && (mesi->used == mesi->backs || !gm_cycle_l1_has_room(l1, 1))) {
        return false;
    }
    if (puts) {
        put(l1, slot, kind);
    }
    mesi->state[slot] = GM_L1_I;
    l1->statistics.invalidations[kind]++;
    gm_cache_drop(&l1->cache, gm_cache_find(&l1->cache, line));
    return true;
}

uint64_t gm_cycle_l1_mesi_crossed(const gm_cycle_l1 *l1)
{
    return l1->coherent != NULL && l1->shared->coherence->owns ? mesi_of(l1)->crossed : 0;
}

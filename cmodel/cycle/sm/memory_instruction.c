/* Memory instructions of an SM: from records to line requests, their tickets, and groups of
 * asynchronous copies. */
#include "cycle/sm/memory_instruction.h"

#include "cache/values.h"
#include "frontend/local_record.h"

#include <string.h>

/* Appends a record's narrow line requests, which begin at `at`, to the coalescer. Returns the end
 * of the record, as the functions below. */
static inline const unsigned char *take_lines(gm_coalescer *into, uint64_t head,
                                              const unsigned char *at)
{
    gm_line_request *request = &into->request[into->requests];
    uint32_t count = gm_timed_count(head);
    uint64_t first = gm_warp_load(at, sizeof first);
    into->requests += count;
    *request = (gm_line_request){.line = first,
                                 .sectors = head >> GM_TIMED_SECTORS_AT & UINT8_MAX,
                                 .whole = (uint8_t)(head >> GM_TIMED_WHOLE_AT)};
    for (at += sizeof first; --count != 0; at += GM_WARP_NEXT_LINE) {
        uint64_t distance = (uint64_t)(int32_t)gm_warp_load(at, 4);
        *++request = (gm_line_request){.line = first + distance, .sectors = at[4], .whole = at[5]};
    }
    return at;
}

/* Tells the values and the observer of accesses of an instruction that has just got its ticket. */
static GM_COLD void tell_issue(const gm_cycle_sm *sm, uint32_t slot)
{
    const gm_cycle_sm_shared *shared = sm->shared;
    const gm_cycle_warp *warp = &sm->warp[slot];
    const gm_resident_cta *cta = &sm->cta[warp->cta];
    uint32_t ticket = sm->free_ticket[sm->free_tickets];
    if (shared->values != NULL) {
        const gm_value_warp who = {.sm = sm->number,
                                   .slot = slot,
                                   .cta = cta->number,
                                   .warp = warp->place,
                                   .kernel = cta->kernel};
        gm_values_issue(shared->values, ticket, &who);
    }
    if (shared->observer != NULL) {
        const gm_cta *whole = sm->resident_cta[warp->cta];
        const gm_observed_warp who = {.kernel = whole->kernel,
                                      .cta = whole->number,
                                      .warp = whole->warp[warp->place],
                                      .sm = sm->number,
                                      .ticket = ticket};
        shared->observer->issue(shared->observer->context, &who);
    }
}

/* Tells the observer of accesses of a line request of that instruction. */
static GM_COLD void tell_ask(const gm_cycle_sm *sm, const gm_line_request *request)
{
    const gm_access_observer *observer = sm->shared->observer;
    observer->ask(observer->context, sm->number, sm->free_ticket[sm->free_tickets], request->line,
                  request->sectors, request->lanes);
}

/* True if somebody is told of instructions and of each of their line requests. */
static inline bool tells(const gm_cycle_sm_shared *shared)
{
    return shared->values != NULL || shared->observer != NULL;
}

/* Tells the values of the words of a line request of that instruction, and of the bytes that it
 * writes, or NULL. */
static GM_COLD void ask_values(const gm_cycle_sm *sm, const gm_line_request *request,
                               const uint8_t *words, const uint32_t *bytes)
{
    const gm_value_request asked = {.sm = sm->number,
                                    .ticket = sm->free_ticket[sm->free_tickets],
                                    .line = request->line,
                                    .sectors = request->sectors};
    gm_values_ask(sm->shared->values, &asked, words, bytes);
}

/* Returns the bytes of the masks of a wide line request. */
static size_t mask_bytes(const gm_cycle_sm_shared *shared, gm_request_kind kind)
{
    return gm_warp_mask_bytes((shared->coalescer.keeps & GM_KEEPS_BYTES) != 0, kind,
                              shared->coalescer.sectors_per_line);
}

/* Keeps the masks of a store or atomic that does not write all its sectors whole. */
static void keep_masks(gm_cycle_sm *sm, gm_line_request *request, const uint32_t *bytes)
{
    bool whole = request->whole == request->sectors;
    request->masks = whole ? 0 : gm_load_store_keep_masks(sm->load_store, bytes);
}

/* Returns the bytes of the words of `count` wide line requests. */
static size_t word_bytes(const gm_cycle_sm_shared *shared, uint32_t count)
{
    return shared->values != NULL ? (size_t)count * shared->coalescer.sectors_per_line : 0;
}

/* Appends a record's wide line requests. */
static __attribute__((noinline)) const unsigned char *take_wide(gm_cycle_sm *sm, uint32_t slot,
                                                                uint64_t head,
                                                                const unsigned char *at)
{
    gm_coalescer *into = &sm->shared->coalescer;
    uint32_t count = gm_timed_count(head);
    gm_line_request *request = &into->request[into->requests];
    const size_t masks = mask_bytes(sm->shared, gm_timed_kind(head));
    memcpy(request, at, count * sizeof *request);
    at += count * sizeof *request;
    const unsigned char *behind = at + word_bytes(sm->shared, count);
    if (tells(sm->shared) && into->requests == 0) {
        tell_issue(sm, slot);
    }
    for (uint32_t i = 0; i < count && (tells(sm->shared) || masks != 0); i++) {
        uint32_t bytes[GM_LINE_SECTORS];
        if (sm->shared->observer != NULL) {
            tell_ask(sm, &request[i]);
        }
        memcpy(bytes, behind + i * masks, masks);
        if (sm->shared->values != NULL) {
            ask_values(sm, &request[i], at + word_bytes(sm->shared, i), masks != 0 ? bytes : NULL);
        }
        if (masks != 0) {
            keep_masks(sm, &request[i], bytes);
        }
    }
    into->requests += count;
    return behind + count * masks;
}

/* Says where the warp's local memory lies: by its slot, or by its CTA's place (memory.local_map).
 */
static void find_local(const gm_cycle_sm *sm, uint32_t slot, gm_coalesce_context *context)
{
    const gm_cycle_warp *warp = &sm->warp[slot];
    const gm_cta *cta = sm->resident_cta[warp->cta];
    context->shared_base = cta->shared_base;
    context->local_base = cta->local_base;
    context->warp_slots = sm->shared->sms * sm->slots;
    context->warp_slot = sm->number * sm->slots + slot;
    if (cta->local_slots != 0) {
        context->warp_slots = cta->local_slots;
        context->warp_slot =
            cta->local_warps * (sm->number + sm->shared->sms * warp->cta) + cta->warp[warp->place];
    }
}

/* Coalesces a record's access to local memory, whose lines depend on the warp's place. */
static __attribute__((noinline)) const unsigned char *take_local(gm_cycle_sm *sm, uint32_t slot,
                                                                 gm_request_kind kind,
                                                                 const unsigned char *at)
{
    gm_cycle_sm_shared *shared = sm->shared;
    const gm_coalescer *coalescer = &shared->coalescer;
    find_local(sm, slot, &shared->context);
    gm_coalescer_take_kind(&shared->coalescer, kind);
    at += gm_local_record_coalesce(at, shared->address, &shared->context, &shared->coalescer);
    const bool masks = mask_bytes(shared, kind) != 0;
    if (tells(shared)) {
        tell_issue(sm, slot);
    }
    for (uint32_t i = 0; i < coalescer->requests && (tells(shared) || masks); i++) {
        uint32_t bytes[GM_LINE_SECTORS];
        if (shared->observer != NULL) {
            tell_ask(sm, &coalescer->request[i]);
        }
        if (masks) {
            gm_coalescer_masks(coalescer, i, bytes);
        }
        if (shared->values != NULL) {
            uint8_t words[GM_LINE_SECTORS];
            gm_coalescer_words(coalescer, i, words);
            ask_values(sm, &coalescer->request[i], words, masks ? bytes : NULL);
        }
        if (masks) {
            keep_masks(sm, &shared->coalescer.request[i], bytes);
        }
    }
    return at;
}

/* Appends the line requests behind a record's registers, in each of their forms. */
static inline const unsigned char *take_rest(gm_cycle_sm *sm, uint32_t slot, uint64_t head,
                                             const unsigned char *at)
{
    switch (gm_timed_lines_of(head)) {
    case GM_TIMED_NO_LINES:
        break;
    case GM_TIMED_LINES:
        return take_lines(&sm->shared->coalescer, head, at);
    case GM_TIMED_WIDE:
        return take_wide(sm, slot, head, at);
    case GM_TIMED_LOCAL:
        return take_local(sm, slot, gm_timed_kind(head), at);
    }
    return at;
}

/* Removes the instruction's further records. */
static __attribute__((noinline)) int take_more(gm_cycle_sm *sm, uint32_t slot, gm_error *error)
{
    gm_warp_stream *stream = sm->stream[slot];
    uint64_t head;
    do {
        const unsigned char *at = gm_warp_store_first(sm->shared->store, stream, error);
        if (at == NULL) {
            return error->code;
        }
        at += sm->shared->code;
        head = gm_warp_load(at, sizeof head);
        at += GM_WARP_HEAD + gm_timed_register_bytes(head);
        gm_warp_store_remove_to(stream, take_rest(sm, slot, head, at));
        sm->warp[slot].taken++;
    } while ((head & GM_TIMED_MORE) != 0);
    return 0;
}

/* Removes the instruction's records and leaves its line requests in the shared coalescer. */
static inline int take_records(gm_cycle_sm *sm, gm_cycle_warp *warp, uint32_t slot, gm_error *error)
{
    gm_warp_stream *stream = sm->stream[slot];
    uint64_t head = warp->head;
    sm->shared->coalescer.requests = 0;
    gm_warp_store_remove_to(stream,
                            take_rest(sm, slot, head, gm_warp_store_ready(stream) + warp->bytes));
    warp->taken++;
    return (head & GM_TIMED_MORE) != 0 ? take_more(sm, slot, error) : 0;
}

/* Returns the instruction in the load/store unit's form. Requires that its records have been
 * removed. */
static inline gm_memory_access access_of(const gm_cycle_sm *sm, uint64_t head, uint32_t ticket,
                                         uint32_t slot)
{
    return (gm_memory_access){.request = sm->shared->coalescer.request,
                              .requests = sm->shared->coalescer.requests,
                              .ticket = ticket,
                              .kind = (uint8_t)gm_timed_kind(head),
                              .passes = gm_timed_passes(head),
                              .warp = slot};
}

/* Puts the instruction into the register in front of the collectors. */
static __attribute__((noinline)) void collect(gm_cycle_sm *sm, const gm_cycle_warp *warp,
                                              uint32_t ticket, uint32_t slot)
{
    uint64_t head = warp->head;
    const gm_memory_access access = access_of(sm, head, ticket, slot);
    const gm_register_reads reads =
        gm_operand_collector_reads(&sm->collector, warp->scheduler, slot, warp->registers,
                                   gm_timed_destinations(head), gm_timed_registers(head));
    gm_operand_collector_put_access(&sm->collector, &access, warp->scheduler, &reads);
}

/* Returns the address of the number of unanswered copies of a warp's group. */
static inline uint16_t *copies_of(const gm_cycle_sm *sm, uint32_t slot, uint32_t group)
{
    return &sm->copies[(size_t)slot * GM_GROUP_RING + group % GM_GROUP_RING];
}

int gm_cycle_sm_access(gm_cycle_sm *sm, gm_cycle_warp *warp, uint32_t slot, gm_cycle now,
                       gm_error *error)
{
    uint64_t head = warp->head;
    bool copy = gm_timed_op(head) == GM_OP_ASYNC_COPY;
    bool holds = sm->atomics_hold && gm_timed_kind(head) >= GM_REQUEST_ATOMIC;
    uint32_t number = sm->free_ticket[--sm->free_tickets];
    sm->ticket[number] = (gm_cycle_ticket){
        .registers = warp->registers[0],
        .group = warp->group + warp->groups,
        .slot = (uint16_t)slot,
        .destinations = (uint8_t)gm_timed_destinations(head),
        .marks = (uint8_t)((copy ? GM_TICKET_COPY : 0) | (holds ? GM_TICKET_HOLDS : 0))};
    warp->accesses++;
    if (sm->load_store->l1.pcs != NULL) {
        gm_pc_flight *pcs = sm->load_store->l1.pcs;
        pcs->address[number] = gm_warp_load(gm_warp_store_ready(sm->stream[slot]), GM_TIMED_CODE);
        pcs->issued[number] = now;
    }
    if (sm->load_store->l1.latency != NULL) {
        sm->load_store->l1.latency->issued[number] = now;
    }
    if (holds) {
        warp->not_before = GM_NEVER;
    }
    if (copy) {
        ++*copies_of(sm, slot, warp->group + warp->groups);
    }
    int code = take_records(sm, warp, slot, error);
    if (code < 0) {
        return code;
    }
    if (sm->load_store->l1.bypass.ops->instruction != NULL &&
        gm_timed_kind(head) == GM_REQUEST_LOAD) {
        gm_load_store_choose(sm->load_store, sm->shared->coalescer.request,
                             sm->shared->coalescer.requests, (uint32_t)sm->occupancy.resident);
    }
    if (!sm->collects) {
        const gm_memory_access access = access_of(sm, head, number, slot);
        gm_load_store_issue(sm->load_store, &access, now);
    } else {
        collect(sm, warp, number, slot);
    }
    return 0;
}

/* Finishes the oldest groups that have no unanswered copies. */
static void finish_groups(gm_cycle_sm *sm, uint32_t slot)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    while (warp->groups != 0 && *copies_of(sm, slot, warp->group) == 0) {
        warp->group++;
        warp->groups--;
    }
}

void gm_cycle_sm_commit(gm_cycle_sm *sm, uint32_t slot)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    warp->groups++;
    finish_groups(sm, slot);
    if (warp->groups > GM_MOST_GROUPS) {
        uint16_t *oldest = copies_of(sm, slot, warp->group);
        *copies_of(sm, slot, warp->group + 1) += *oldest;
        *oldest = 0;
        warp->group++;
        warp->groups--;
    }
}

void gm_cycle_sm_copied(gm_cycle_sm *sm, uint32_t slot, uint32_t group)
{
    uint32_t oldest = sm->warp[slot].group;
    bool merged = (int32_t)(group - oldest) < 0;
    --*copies_of(sm, slot, merged ? oldest : group);
    finish_groups(sm, slot);
}

size_t gm_cycle_sm_record_length(gm_cycle_sm_shared *shared, const unsigned char *record)
{
    uint64_t head = gm_warp_load(record + shared->code, sizeof head);
    size_t length = shared->code + GM_WARP_HEAD + gm_timed_register_bytes(head);
    uint32_t count = gm_timed_count(head);
    switch (gm_timed_lines_of(head)) {
    case GM_TIMED_NO_LINES:
        break;
    case GM_TIMED_LINES:
        length += sizeof(uint64_t) + (count - 1) * (size_t)GM_WARP_NEXT_LINE;
        break;
    case GM_TIMED_WIDE:
        length += count * (sizeof(gm_line_request) + mask_bytes(shared, gm_timed_kind(head))) +
                  word_bytes(shared, count);
        break;
    case GM_TIMED_LOCAL:
        length += gm_local_record_length(record + length, shared->address);
        break;
    }
    return length;
}

/* SM of the cycle engine: memory instructions, their tickets and answers, groups of asynchronous
 * copies. */
#include "cycle/sm_parts.h"
#include "trace/record.h"

/* Line requests of a record whose lines begin at `at`, behind those there are; its bytes. */
static size_t take_lines(gm_timed_sm *sm, uint64_t head, const unsigned char *at, uint32_t *used)
{
    gm_line_request *request = &sm->shared->coalescer.request[*used];
    uint32_t count = gm_timed_count(head);
    *used += count;
    if (gm_timed_lines_of(head) == GM_TIMED_WIDE) {
        memcpy(request, at, count * sizeof *request);
        return count * sizeof *request;
    }
    uint64_t first = gm_warp_load(at, sizeof first);
    const unsigned char *next = at + sizeof first;
    request[0] = (gm_line_request){.line = first,
                                   .sectors = head >> GM_TIMED_SECTORS_AT & UINT8_MAX,
                                   .whole = (uint8_t)(head >> GM_TIMED_WHOLE_AT)};
    for (uint32_t i = 1; i < count; i++, next += GM_WARP_NEXT_LINE) {
        uint64_t distance = (uint64_t)(int32_t)gm_warp_load(next, 4);
        request[i] =
            (gm_line_request){.line = first + distance, .sectors = next[4], .whole = next[5]};
    }
    return (size_t)(next - at);
}

static size_t take_local(gm_timed_sm *sm, uint32_t slot, const unsigned char *at, uint32_t *used)
{
    gm_timed_sm_shared *shared = sm->shared;
    gm_instruction instruction;
    size_t length = gm_record_decode(at, &instruction, shared->address);
    shared->context.warp_slot = sm->number * sm->slots + slot;
    gm_coalesce(&shared->coalescer, &shared->context, &instruction);
    *used = shared->coalescer.requests;
    return length;
}

/* Lines of one record, whose registers end at `at`, behind the `used` line requests that there are;
 * its bytes. */
static size_t take_record(gm_timed_sm *sm, uint32_t slot, uint64_t head, const unsigned char *at,
                          uint32_t *used)
{
    switch (gm_timed_lines_of(head)) {
    case GM_TIMED_NO_LINES:
        break;
    case GM_TIMED_LINES:
    case GM_TIMED_WIDE:
        return take_lines(sm, head, at, used);
    case GM_TIMED_LOCAL:
        return take_local(sm, slot, at, used);
    }
    return 0;
}

/* The instruction's further records. */
static __attribute__((noinline)) int take_more(gm_timed_sm *sm, uint32_t slot, uint32_t *used,
                                               gm_error *error)
{
    gm_warp_stream *stream = sm->stream[slot];
    uint64_t head;
    do {
        const unsigned char *record = gm_warp_store_first(sm->shared->store, stream, error);
        if (record == NULL) {
            return error->code;
        }
        head = gm_warp_load(record, sizeof head);
        size_t length = GM_WARP_HEAD + gm_timed_register_bytes(head);
        gm_warp_store_remove(stream, length + take_record(sm, slot, head, record + length, used));
        sm->warp[slot].taken++;
    } while ((head & GM_TIMED_MORE) != 0);
    return 0;
}

/* Removes the instruction's records; *used: its line requests, now in the shared coalescer. */
static inline int take_records(gm_timed_sm *sm, gm_timed_warp *warp, uint32_t slot, uint32_t *used,
                               gm_error *error)
{
    gm_warp_stream *stream = sm->stream[slot];
    const unsigned char *lines = gm_warp_store_ready(stream) + warp->bytes;
    size_t length = take_record(sm, slot, warp->head, lines, used);
    gm_warp_store_remove(stream, warp->bytes + length);
    warp->taken++;
    return (warp->head & GM_TIMED_MORE) != 0 ? take_more(sm, slot, used, error) : 0;
}

int gm_timed_sm_access(gm_timed_sm *sm, gm_timed_warp *warp, uint32_t slot, gm_cycle now,
                       gm_error *error)
{
    uint64_t head = warp->head;
    unsigned destinations = gm_timed_destinations(head);
    bool copy = gm_timed_op(head) == GM_OP_ASYNC_COPY;
    uint32_t number = sm->free_ticket[--sm->free_tickets];
    sm->ticket[number] = (gm_timed_ticket){.registers = warp->registers[0],
                                           .group = warp->group + warp->groups,
                                           .slot = (uint16_t)slot,
                                           .destinations = (uint8_t)destinations,
                                           .copy = copy};
    warp->accesses++;
    if (copy) {
        ++*gm_timed_sm_copies(sm, slot, warp->group + warp->groups);
    }
    uint32_t requests = 0;
    int code = take_records(sm, warp, slot, &requests, error);
    const gm_memory_access access = {.request = sm->shared->coalescer.request,
                                     .requests = requests,
                                     .ticket = number,
                                     .kind = (uint8_t)gm_timed_kind(head),
                                     .shared_passes = gm_timed_passes(head),
                                     .warp = slot};
    if (code < 0) {
        return code;
    }
    if (!sm->collects) {
        gm_load_store_issue(sm->load_store, &access, now);
    } else {
        gm_operand_collector_put_access(&sm->collector, &access,
                                        gm_timed_registers(head) > destinations);
    }
    return 0;
}

/* The oldest groups without unanswered copies are finished. */
static void finish_groups(gm_timed_sm *sm, uint32_t slot)
{
    gm_timed_warp *warp = &sm->warp[slot];
    while (warp->groups != 0 && *gm_timed_sm_copies(sm, slot, warp->group) == 0) {
        warp->group++;
        warp->groups--;
    }
}

void gm_timed_sm_commit(gm_timed_sm *sm, uint32_t slot)
{
    gm_timed_warp *warp = &sm->warp[slot];
    warp->groups++;
    finish_groups(sm, slot);
    if (warp->groups > GM_MOST_GROUPS) {
        uint16_t *oldest = gm_timed_sm_copies(sm, slot, warp->group);
        *gm_timed_sm_copies(sm, slot, warp->group + 1) += *oldest;
        *oldest = 0;
        warp->group++;
        warp->groups--;
    }
}

void gm_timed_sm_copied(gm_timed_sm *sm, uint32_t slot, uint32_t group)
{
    uint32_t oldest = sm->warp[slot].group;
    bool merged = (int32_t)(group - oldest) < 0;
    --*gm_timed_sm_copies(sm, slot, merged ? oldest : group);
    finish_groups(sm, slot);
}

size_t gm_timed_length(const unsigned char *record, uint64_t *address)
{
    uint64_t head = gm_warp_load(record, sizeof head);
    size_t length = GM_WARP_HEAD + gm_timed_register_bytes(head);
    uint32_t count = gm_timed_count(head);
    gm_instruction instruction;
    switch (gm_timed_lines_of(head)) {
    case GM_TIMED_NO_LINES:
        break;
    case GM_TIMED_LINES:
        length += sizeof(uint64_t) + (count - 1) * (size_t)GM_WARP_NEXT_LINE;
        break;
    case GM_TIMED_WIDE:
        length += count * sizeof(gm_line_request);
        break;
    case GM_TIMED_LOCAL:
        length += gm_record_decode(record + length, &instruction, address);
        break;
    }
    return length;
}

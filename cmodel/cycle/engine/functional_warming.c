/* Functional warming of the L2. */
#include "cycle/engine/functional_warming.h"

#include "frontend/local_record.h"

#include <string.h>

/* Returns what a store writes whole of an L2 line whose first sector is `first` of the L1 line; if
 * stores send bytes, those of its only sector. `bytes`: [sectors of an L1 line] that it writes;
 * NULL: all of its sectors. */
static uint32_t whole_of(const gm_cycle_machine *machine, const gm_line_request *request,
                         const uint32_t *bytes, unsigned first)
{
    if (gm_config_sends_bytes(machine->config)) {
        return bytes != NULL ? bytes[gm_lowest_one(request->sectors)] : UINT32_MAX;
    }
    return request->whole >> first & (uint32_t)gm_mask(1U << machine->l1_shared.l2_sector_bits);
}

/* Sends a request's sectors to the L2 banks that have them. A load of an L1 without sectors fetches
 * the whole line. `bytes`: as above. */
static void warm_line(gm_cycle_machine *machine, gm_request_kind kind,
                      const gm_line_request *request, const uint32_t *bytes)
{
    const gm_cycle_l1_shared *l1 = &machine->l1_shared;
    const gm_address_map *map = &machine->l2_shared.map;
    unsigned bits = l1->l1_sector_bits - l1->l2_sector_bits;
    uint32_t all = (uint32_t)gm_mask(1U << l1->l1_sector_bits);
    uint32_t part_mask = (uint32_t)gm_mask(1U << l1->l2_sector_bits);
    bool whole_line =
        kind == GM_REQUEST_LOAD && machine->config->l1.enabled && !machine->config->l1.sectored;
    uint32_t sectors = whole_line ? all : request->sectors;
    for (unsigned part = 0; part < l1->parts; part++) {
        unsigned first = part << l1->l2_sector_bits;
        gm_message message = {.line = (request->line << bits) + part,
                              .sectors = sectors >> first & part_mask,
                              .kind = (uint32_t)gm_request_message_kind(kind)};
        if (kind == GM_REQUEST_STORE) {
            message.whole = whole_of(machine, request, bytes, first);
        }
        if (message.sectors != 0) {
            gm_location at = gm_address_map_locate(map, message.line);
            uint32_t number = (at.partition << map->bank_bits) + at.bank;
            gm_l2_bank_warm(&machine->bank[number], at, &message);
        }
    }
}

static const unsigned char *warm_narrow(gm_cycle_machine *machine, uint64_t head,
                                        const unsigned char *at)
{
    uint32_t count = gm_timed_count(head);
    uint64_t first = gm_warp_load(at, sizeof first);
    gm_line_request request = {.line = first,
                               .sectors = head >> GM_TIMED_SECTORS_AT & UINT8_MAX,
                               .whole = (uint8_t)(head >> GM_TIMED_WHOLE_AT)};
    warm_line(machine, gm_timed_kind(head), &request, NULL);
    for (at += sizeof first; --count != 0; at += GM_WARP_NEXT_LINE) {
        uint64_t distance = (uint64_t)(int32_t)gm_warp_load(at, 4);
        request = (gm_line_request){.line = first + distance, .sectors = at[4], .whole = at[5]};
        warm_line(machine, gm_timed_kind(head), &request, NULL);
    }
    return at;
}

static const unsigned char *warm_wide(gm_cycle_machine *machine, uint64_t head,
                                      const unsigned char *at)
{
    const gm_coalescer *coalescer = &machine->shared.coalescer;
    const uint32_t count = gm_timed_count(head);
    const size_t size = gm_warp_mask_bytes((coalescer->keeps & GM_KEEPS_BYTES) != 0,
                                           gm_timed_kind(head), coalescer->sectors_per_line);
    const unsigned char *masks = at + count * sizeof(gm_line_request);
    for (uint32_t i = 0; i < count; i++, at += sizeof(gm_line_request), masks += size) {
        gm_line_request request;
        uint32_t bytes[GM_LINE_SECTORS];
        memcpy(&request, at, sizeof request);
        memcpy(bytes, masks, size);
        warm_line(machine, gm_timed_kind(head), &request, size != 0 ? bytes : NULL);
    }
    return masks;
}

static const unsigned char *warm_local(gm_cycle_machine *machine, const gm_cta *cta, uint32_t slot,
                                       uint64_t head, const unsigned char *at)
{
    gm_cycle_sm_shared *shared = &machine->shared;
    shared->context.warp_slots = (uint32_t)(machine->config->gpu.sms * machine->config->sm.warps);
    shared->context.warp_slot = slot;
    shared->context.shared_base = cta->shared_base;
    shared->context.local_base = cta->local_base;
    at += gm_local_record_coalesce(at, shared->address, &shared->context, &shared->coalescer);
    for (uint32_t i = 0; i < shared->coalescer.requests; i++) {
        uint32_t bytes[GM_LINE_SECTORS];
        bool kept = (shared->coalescer.keeps & GM_KEEPS_BYTES) != 0 &&
                    gm_timed_kind(head) >= GM_REQUEST_STORE;
        if (kept) {
            gm_coalescer_masks(&shared->coalescer, i, bytes);
        }
        warm_line(machine, gm_timed_kind(head), &shared->coalescer.request[i], kept ? bytes : NULL);
    }
    return at;
}

/* Takes one record of a warp. `slot`: the warp's, among the slots of all SMs. */
static int warm_record(gm_cycle_machine *machine, const gm_cta *cta, gm_warp_stream *stream,
                       uint32_t slot, gm_error *error)
{
    const unsigned char *at = gm_warp_store_first(machine->shared.store, stream, error);
    if (at == NULL) {
        return error->code;
    }
    at += machine->shared.code;
    uint64_t head = gm_warp_load(at, sizeof head);
    at += GM_WARP_HEAD + gm_timed_register_bytes(head);
    switch (gm_timed_lines_of(head)) {
    case GM_TIMED_NO_LINES:
        break;
    case GM_TIMED_LINES:
        at = warm_narrow(machine, head, at);
        break;
    case GM_TIMED_WIDE:
        at = warm_wide(machine, head, at);
        break;
    case GM_TIMED_LOCAL:
        at = warm_local(machine, cta, slot, head, at);
        break;
    }
    gm_warp_store_remove_to(stream, at);
    return 0;
}

int gm_functional_warming(gm_cycle_machine *machine, gm_cta *cta, uint32_t first, gm_error *error)
{
    bool any = true;
    int code = 0;
    while (any) {
        any = false;
        for (uint32_t i = 0; code == 0 && i < cta->warps; i++) {
            gm_warp_stream *stream = &cta->stream[i];
            if (stream->count != 0) {
                code = warm_record(machine, cta, stream, first + i, error);
                any = code == 0;
            }
        }
    }
    return code;
}

/* SM of the order engine: the accesses of a warp instruction's line requests. */
#include "order/order_sm.h"

#include "cache/analysis_effect.h"
#include "frontend/local_record.h"
#include "frontend/warp_record.h"

/* Returns the access of a line request, without its outcome: the cause of the L1's messages, which
 * a sharing-aware L1 sends within the access. */
static gm_analysis_access cause_of(const gm_order_sm *sm, const gm_order_sm_shared *shared,
                                   uint32_t slot, const gm_line_request *request,
                                   gm_request_kind kind)
{
    const gm_resident_warp *warp = &sm->warp[slot];
    return (gm_analysis_access){
        .line = request->line,
        .kernel = shared->kernel,
        .cta = warp->cta->number,
        .warp = warp->cta->number * shared->warps + warp->cta->warp[warp->place],
        .unit = sm->number,
        .sm = sm->number,
        .lanes = request->lanes,
        .sectors = request->sectors,
        .space = request->local ? GM_SPACE_LOCAL : GM_SPACE_GLOBAL,
        .kind = gm_request_access_kind(kind),
        .origin = GM_ORIGIN_WARP,
    };
}

/* Tells the analyses of an access, and delivers its messages now, so that the L2's analyses know
 * their cause. */
static int analyse(const gm_order_sm *sm, gm_order_sm_shared *shared,
                   const gm_line_request *request, gm_request_kind kind, gm_outcome outcome,
                   gm_error *error)
{
    gm_analysis_access access = shared->memory->cause;
    access.hit = outcome.hit;
    access.bypass = outcome.bypass;
    access.referenced = outcome.referenced;
    const gm_l1_access as = {.kind = kind,
                             .local = request->local,
                             .sectors = request->sectors,
                             .whole = request->whole};
    gm_analysis_effect_l1(sm->l1.policy, &as, &access);
    int code = gm_analysis_l1_access(shared->analysis, &access, error);
    gm_order_noc_deliver(shared->noc);
    return code < 0 ? code : gm_memory_side_failed(shared->memory, error);
}

static inline gm_outcome access_line(gm_order_sm *sm, const gm_line_request *request,
                                     gm_request_kind kind)
{
    gm_outcome outcome = {0};
    gm_order_l1_access(&sm->l1, request, kind, &outcome);
    return outcome;
}

/* Tells the values of an instruction that makes line requests. The order engine has one at a time:
 * ticket 0. */
static GM_COLD void issue(const gm_order_sm *sm, const gm_order_sm_shared *shared, uint32_t slot)
{
    const gm_cta *cta = sm->warp[slot].cta;
    const gm_value_warp warp = {.sm = sm->number,
                                .slot = slot,
                                .cta = cta->number,
                                .warp = cta->warp[sm->warp[slot].place],
                                .kernel = (uint32_t)shared->kernel};
    gm_values_issue(shared->values, 0, &warp);
}

/* Tells the values of the words of a line request. */
static GM_COLD void ask(const gm_order_sm *sm, const gm_order_sm_shared *shared,
                        const gm_line_request *request, const uint8_t *words, const uint32_t *bytes)
{
    const gm_value_request asked = {
        .sm = sm->number, .line = request->line, .sectors = request->sectors};
    gm_values_ask(shared->values, &asked, words, bytes);
}

/* Private to choose. */
static __attribute__((noinline)) bool choose_any(const gm_order_sm *sm, gm_request_kind kind,
                                                 uint32_t count)
{
    const gm_bypass_policy *policy = &sm->l1.bypass;
    if (kind != GM_REQUEST_LOAD || policy->ops->instruction == NULL || count == 0) {
        return false;
    }
    const gm_bypass_contenders contenders = {
        .touched = count, .warps = sm->resident, .lines = gm_cache_slots(&sm->l1.cache)};
    return policy->ops->instruction(policy, &contenders);
}

/* Returns true if the bypass policy chooses an instruction of so many line requests. */
static inline bool choose(const gm_order_sm *sm, gm_request_kind kind, uint32_t count)
{
    return !sm->l1.usual && choose_any(sm, kind, count);
}

/* Reads the bytes that request `number` writes, if they are kept. `masks`: of the requests of a
 * WIDE record; NULL: those of the coalescer's last instruction. Returns `bytes`, or NULL. */
static const uint32_t *bytes_of(const gm_order_sm_shared *shared, gm_request_kind kind,
                                const unsigned char *masks, uint32_t number, uint32_t *bytes)
{
    const gm_coalescer *coalescer = &shared->coalescer;
    size_t size = gm_warp_mask_bytes((coalescer->keeps & GM_KEEPS_BYTES) != 0, kind,
                                     coalescer->sectors_per_line);
    if (size == 0) {
        return NULL;
    }
    if (masks != NULL) {
        memcpy(bytes, masks + number * size, size);
    } else {
        gm_coalescer_masks(coalescer, number, bytes);
    }
    return bytes;
}

/* Does an instruction's accesses. `words`, `masks`: of the requests of a WIDE record, if kept;
 * NULL: those of the coalescer's last instruction. */
static int access_lines(gm_order_sm *sm, gm_order_sm_shared *shared, uint32_t slot,
                        gm_line_request *request, uint32_t count, gm_request_kind kind,
                        const uint8_t *words, const unsigned char *masks, gm_error *error)
{
    uint32_t bytes[GM_LINE_SECTORS];
    int code = 0;
    const bool chosen = choose(sm, kind, count);
    if (shared->values != NULL) {
        issue(sm, shared, slot);
    }
    for (uint32_t i = 0; i < count && code >= 0; i++) {
        sm->port.bytes = bytes_of(shared, kind, masks, i, bytes);
        if (shared->values != NULL) {
            uint8_t own[GM_LINE_SECTORS];
            if (words == NULL) {
                gm_coalescer_words(&shared->coalescer, i, own);
            }
            ask(sm, shared, &request[i],
                words == NULL ? own : &words[(size_t)i * shared->coalescer.sectors_per_line],
                sm->port.bytes);
        }
        request[i].chosen = chosen;
        if (shared->analysis != NULL) {
            shared->memory->cause = cause_of(sm, shared, slot, &request[i], kind);
        }
        gm_outcome outcome = access_line(sm, &request[i], kind);
        if (shared->tap.take != NULL) {
            shared->tap.take(shared->tap.context, sm->number, &request[i], kind, sm->port.bytes);
        }
        if (shared->analysis != NULL) {
            code = analyse(sm, shared, &request[i], kind, outcome, error);
        }
    }
    sm->port.bytes = NULL;
    sm->requests[gm_request_access_kind(kind)] += count;
    return code;
}

/* Does the accesses of a LINES record, without analyses and tap. Returns the record's length.
 */
static int access_narrow(gm_order_sm *sm, const unsigned char *record, uint64_t head)
{
    gm_request_kind kind = gm_warp_kind_of(head);
    uint32_t count = gm_warp_requests_of(head);
    uint64_t first = gm_warp_load(record + GM_WARP_HEAD, sizeof first);
    gm_line_request request = {.line = first,
                               .sectors = head >> 32 & UINT8_MAX,
                               .whole = head >> 40 & UINT8_MAX,
                               .chosen = choose(sm, kind, count)};
    access_line(sm, &request, kind);
    const unsigned char *next = record + GM_WARP_FIRST_LINE;
    for (uint32_t i = 1; i < count; i++, next += GM_WARP_NEXT_LINE) {
        request.line = first + (uint64_t)(int32_t)gm_warp_load(next, 4);
        request.sectors = next[4];
        request.whole = next[5];
        access_line(sm, &request, kind);
    }
    sm->requests[gm_request_access_kind(kind)] += count;
    return (int)(next - record);
}

static int access_wide(gm_order_sm *sm, gm_order_sm_shared *shared, uint32_t slot,
                       const unsigned char *record, uint64_t head, gm_error *error)
{
    uint32_t count = gm_warp_requests_of(head);
    gm_line_request *request = shared->coalescer.request; /* aligned */
    memcpy(request, record + GM_WARP_HEAD, count * sizeof *request);
    gm_request_kind kind = gm_warp_kind_of(head);
    uint32_t sectors = shared->coalescer.sectors_per_line;
    size_t bytes = GM_WARP_HEAD + count * sizeof *request;
    size_t words = shared->values != NULL ? (size_t)count * sectors : 0;
    int code = access_lines(sm, shared, slot, request, count, kind, record + bytes,
                            record + bytes + words, error);
    bytes += words + count * gm_warp_mask_bytes((shared->coalescer.keeps & GM_KEEPS_BYTES) != 0,
                                                kind, sectors);
    return code < 0 ? code : (int)bytes;
}

static int access_local(gm_order_sm *sm, gm_order_sm_shared *shared, uint32_t slot,
                        const unsigned char *record, uint64_t head, gm_error *error)
{
    gm_coalescer *coalescer = &shared->coalescer;
    shared->context.warp_slot = sm->number * sm->slots + slot;
    gm_coalescer_take_kind(coalescer, gm_warp_kind_of(head));
    size_t length = gm_local_record_coalesce(record + GM_WARP_HEAD, shared->address,
                                             &shared->context, coalescer);
    int code = access_lines(sm, shared, slot, coalescer->request, coalescer->requests,
                            gm_warp_kind_of(head), NULL, NULL, error);
    return code < 0 ? code : (int)(GM_WARP_HEAD + length);
}

int gm_order_sm_access(gm_order_sm *sm, gm_order_sm_shared *shared, uint32_t slot,
                       const unsigned char *record, gm_error *error)
{
    uint64_t head = gm_warp_load(record, sizeof head);
    switch (gm_warp_form_of(head)) {
    case GM_WARP_LINES:
        return access_narrow(sm, record, head);
    case GM_WARP_WIDE:
        return access_wide(sm, shared, slot, record, head, error);
    case GM_WARP_LOCAL:
        return access_local(sm, shared, slot, record, head, error);
    case GM_WARP_RUN:
    case GM_WARP_BARRIER:
        break;
    }
    return GM_WARP_HEAD;
}

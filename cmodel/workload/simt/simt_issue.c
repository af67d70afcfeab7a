/* Issue: delivers the executor's instructions to the sink, at once or after the CTA's last barrier.
 */
#include "goldmem/bits.h"
#include "workload/simt/simt_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One issue: form, base, stride and addresses as in gm_instruction. */
typedef struct issue {
    uint64_t event; /* of its lowest lane */
    uint64_t base;
    int64_t stride;
    uint32_t mask;
    uint16_t addresses;
    uint8_t form;
} issue;

/* Delivers the instructions of the issue's point; simt->address holds the list. */
static int deliver(gm_simt *simt, const issue *issue, gm_error *error)
{
    gm_point *point = gm_point_of(simt->current, issue->event);
    if (__builtin_expect(point->instructions == NULL, 0)) {
        int result = gm_point_make(simt->current, issue->event, simt->weak, simt->opcodes, error);
        if (result < 0 || point->instructions == NULL) {
            return result;
        }
    }
    gm_instruction *instruction = point->instructions;
    const gm_cta_sink *sink = simt->sink;
    instruction->mask = issue->mask;
    instruction->form = issue->form;
    instruction->addresses = issue->addresses;
    instruction->base = issue->base;
    instruction->stride = issue->stride;
    instruction->address = simt->address;
    int result = sink->instruction(sink->context, instruction, error);
    for (uint32_t k = 1; k < point->count && result >= 0; k++) {
        instruction[k].mask = issue->mask;
        result = sink->instruction(sink->context, &instruction[k], error);
    }
    return result;
}

static int reserve(gm_record *record, size_t bytes, gm_error *error)
{
    if (record->capacity - record->used >= bytes) {
        return 0;
    }
    size_t capacity = record->capacity * 2 + bytes + 4096;
    unsigned char *larger = realloc(record->bytes, capacity);
    if (larger == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for the instructions of a CTA");
    }
    record->bytes = larger;
    record->capacity = capacity;
    return 0;
}

static size_t list_bytes(const issue *issue)
{
    return issue->form == GM_ADDRESS_LIST ? issue->addresses * sizeof(uint64_t) : 0;
}

static int keep(const gm_simt *simt, const issue *issue, gm_record *record, gm_error *error)
{
    size_t list = list_bytes(issue);
    int result = reserve(record, sizeof *issue + list, error);
    if (result < 0) {
        return result;
    }
    memcpy(record->bytes + record->used, issue, sizeof *issue);
    memcpy(record->bytes + record->used + sizeof *issue, simt->address, list);
    record->used += sizeof *issue + list;
    return 0;
}

int gm_record_replay(gm_simt *simt, gm_record *record, gm_error *error)
{
    int result = 0;
    for (size_t at = 0; at < record->used && result >= 0;) {
        issue kept;
        memcpy(&kept, record->bytes + at, sizeof kept);
        at += sizeof kept;
        size_t list = list_bytes(&kept);
        memcpy(simt->address, record->bytes + at, list);
        at += list;
        result = deliver(simt, &kept, error);
    }
    record->used = 0;
    return result;
}

/* Returns the address at which the point's space begins. An address of local memory is an offset in
 * the thread's own window, equal for all lanes that access one variable: the engines place the
 * words of a warp's lanes side by side (coalescer.h). */
static uint64_t base_of(gm_point_kind kind)
{
    if (kind <= GM_POINT_REDUCTION || gm_point_is_sync(kind)) {
        return GM_DEVICE_BASE;
    }
    return kind >= GM_POINT_LOCAL_LOAD ? GM_LOCAL_BASE : 0;
}

int gm_simt_issue(gm_simt *simt, const gm_group *group, size_t column, bool straight,
                  gm_record *record, gm_error *error)
{
    uint64_t event = group->head[0][column];
    gm_point_kind kind = gm_event_kind(event);
    issue issue = {.event = event, .mask = group->mask};
    if ((kind >= GM_POINT_LOAD && kind <= GM_POINT_LOCAL_STORE) || gm_point_is_sync(kind)) {
        uint64_t base = base_of(kind);
        issue.addresses = (uint16_t)group->lanes;
        if (straight) {
            issue.form = GM_ADDRESS_STRIDE;
            issue.base = base + (event & gm_mask(GM_EVENT_OFFSET));
            issue.stride = group->lanes > 1 ? (int64_t)(group->head[1][column] - event) : 0;
        } else {
            issue.form = GM_ADDRESS_LIST;
            for (unsigned k = 0; k < group->lanes; k++) {
                simt->address[k] = base + (group->head[k][column] & gm_mask(GM_EVENT_OFFSET));
            }
        }
    }
    return record == NULL ? deliver(simt, &issue, error) : keep(simt, &issue, record, error);
}

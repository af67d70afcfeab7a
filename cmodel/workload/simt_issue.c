/* Issues: from the executor to the sink, at once or after the CTA's last barrier. */
#include "workload/simt_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int deliver(gm_simt *simt, const gm_issue *issue, const uint64_t *address, gm_error *error)
{
    gm_point *point = gm_point_of(simt->current, issue->event);
    if (__builtin_expect(point->instructions == NULL, 0)) {
        int result = gm_point_make(simt->current, issue->event, simt->opcodes, error);
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
    instruction->address = address;
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

static size_t list_bytes(const gm_issue *issue)
{
    return issue->form == GM_ADDRESS_LIST ? issue->addresses * sizeof(uint64_t) : 0;
}

int gm_simt_issue(gm_simt *simt, const gm_issue *issue, const uint64_t *address, gm_record *record,
                  gm_error *error)
{
    if (record == NULL) {
        return deliver(simt, issue, address, error);
    }
    size_t list = list_bytes(issue);
    int result = reserve(record, sizeof *issue + list, error);
    if (result < 0) {
        return result;
    }
    memcpy(record->bytes + record->used, issue, sizeof *issue);
    if (list != 0) {
        memcpy(record->bytes + record->used + sizeof *issue, address, list);
    }
    record->used += sizeof *issue + list;
    return 0;
}

int gm_record_replay(gm_simt *simt, gm_record *record, gm_error *error)
{
    int result = 0;
    for (size_t at = 0; at < record->used && result >= 0;) {
        gm_issue issue;
        memcpy(&issue, record->bytes + at, sizeof issue);
        at += sizeof issue;
        size_t list = list_bytes(&issue);
        if (list != 0) {
            memcpy(simt->address, record->bytes + at, list);
        }
        at += list;
        result = deliver(simt, &issue, simt->address, error);
    }
    record->used = 0;
    return result;
}

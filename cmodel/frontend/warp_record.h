/* Warp records: what the warp store holds of a warp for the order engine. All that an instruction
 * does but its accesses is done when the source delivers it: records keep its line requests for its
 * turn, and only the number of turns without accesses.
 *
 * A record begins with a head of 64 bits:
 *   bits 0-3   gm_warp_form
 *   bits 4-7   LINES, WIDE, LOCAL: gm_request_kind
 *   bit 8      LINES, WIDE: the instruction goes on in the next record
 *   bits 16-63 RUN: number of turns
 *   bits 16-31 LINES, WIDE: number of requests
 *   bits 32-47 LINES: sectors of the first request, and of them those that a store writes whole */
#ifndef GOLDMEM_FRONTEND_WARP_RECORD_H
#define GOLDMEM_FRONTEND_WARP_RECORD_H

#include "cache/request_kind.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum gm_warp_form {
    GM_WARP_RUN,     /* turns that reach no cache */
    GM_WARP_BARRIER, /* waits for the other warps of the CTA */
    GM_WARP_LINES,   /* line of the first request 8; of each other one: distance from it 4 (signed),
                        sectors 1, whole 1; lanes are not kept */
    GM_WARP_WIDE,    /* gm_line_request, unpacked; then their words, if kept: a byte for each sector
                        of each line; then, of stores and atomics, the bytes that they write, if
                        kept: 4 for each sector. In LINES these have all sectors whole */
    GM_WARP_LOCAL,   /* the instruction (local_record.h): its lines depend on the warp's slot */
} gm_warp_form;

enum {
    GM_WARP_HEAD = 8,        /* bytes */
    GM_WARP_FIRST_LINE = 16, /* head and first line of LINES */
    GM_WARP_NEXT_LINE = 6,
    GM_WARP_MOST_LINES = 128, /* requests of one record */
    GM_WARP_LINE_SECTORS = 8, /* of a line, at most, in LINES */
};

#define GM_WARP_MORE (UINT64_C(1) << 8)

static inline uint64_t gm_warp_head(gm_warp_form form, gm_request_kind kind, uint64_t count)
{
    return (uint64_t)form | (uint64_t)kind << 4 | count << 16;
}

static inline gm_warp_form gm_warp_form_of(uint64_t head)
{
    return (gm_warp_form)(head & 15);
}

static inline gm_request_kind gm_warp_kind_of(uint64_t head)
{
    return (gm_request_kind)(head >> 4 & 15);
}

static inline uint32_t gm_warp_requests_of(uint64_t head)
{
    return head >> 16 & UINT16_MAX;
}

static inline uint64_t gm_warp_turns_of(uint64_t head)
{
    return head >> 16;
}

/* Returns the bytes of the masks of a wide line request, whose line has so many sectors: 0, or 4
 * for each sector. `kept`: gm_config_sends_bytes. */
static inline size_t gm_warp_mask_bytes(bool kept, gm_request_kind kind, uint32_t sectors)
{
    return kept && kind >= GM_REQUEST_STORE ? sectors * sizeof(uint32_t) : 0;
}

static inline uint64_t gm_warp_load(const unsigned char *at, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

#endif

/* Timed records: what the warp store holds of a warp for the cycle engine, one for each
 * instruction, more for one of many lines. All that does not depend on time is computed when the
 * source delivers the instruction.
 *
 * A record begins with a head of 64 bits:
 *   bits 0-3    gm_op
 *   bits 4-7    gm_unit; MEMORY: the load/store unit; GM_UNITS: no unit
 *   bits 8-9    gm_timed_lines
 *   bit 10      LINES, WIDE: the line requests go on in the next record, which has no registers
 *   bits 11-13  gm_request_kind; COMPUTE: 1 if it takes its unit for half the interval
 *   bits 14-16  registers written, 0 to 4
 *   bits 17-20  registers written or read, 0 to 12
 *   bits 21-32  number of line requests; WAIT_GROUP: groups that may be unfinished; FENCE: gm_scope
 *   bits 33-47  passes over shared memory; of a load or store with line requests, with
 *               l1.data_banks, over the L1's data, if there are several; 0: none
 *   bits 48-63  LINES: sectors of the first request, and of them those that a store writes whole
 * Then 8 bytes for each 7 registers, those written first, and the lines. With an instruction cache
 * the instruction's address (gm_intake_code) lies in front of the head, in 8 bytes. */
#ifndef GOLDMEM_FRONTEND_TIMED_RECORD_H
#define GOLDMEM_FRONTEND_TIMED_RECORD_H

#include "frontend/warp_record.h"
#include "goldmem/instruction.h"

typedef enum gm_timed_lines {
    GM_TIMED_NO_LINES,
    GM_TIMED_LINES, /* narrow line requests (warp_record.h) */
    GM_TIMED_WIDE, /* gm_line_request, unpacked; then their words and bytes, if kept (warp_record.h)
                    */
    GM_TIMED_LOCAL, /* the instruction (local_record.h): its lines depend on the warp's slot */
} gm_timed_lines;

enum { GM_TIMED_CODE = 8 }; /* bytes of an instruction's address */

/* Lowest bit of each field of the head. */
enum {
    GM_TIMED_UNIT_AT = 4,
    GM_TIMED_LINES_AT = 8,
    GM_TIMED_KIND_AT = 11,
    GM_TIMED_DESTINATIONS_AT = 14,
    GM_TIMED_REGISTERS_AT = 17,
    GM_TIMED_COUNT_AT = 21,
    GM_TIMED_PASSES_AT = 33,
    GM_TIMED_SECTORS_AT = 48,
    GM_TIMED_WHOLE_AT = 56,
};

/* Places of the scoreboard: general, uniform, predicate, uniform predicate registers. */
enum {
    GM_SCORE_UNIFORM = 256,
    GM_SCORE_PREDICATE = GM_SCORE_UNIFORM + 64,
    GM_SCORE_UNIFORM_PREDICATE = GM_SCORE_PREDICATE + 8,
    GM_SCORES = GM_SCORE_UNIFORM_PREDICATE + 8,
    GM_SCORE_NONE = GM_SCORES, /* R255, UR63, PT, UPT: constants, always available */
};

enum {
    GM_TIMED_REGISTER_BITS = 9,
    GM_TIMED_WORD_REGISTERS = 7,
    GM_TIMED_REGISTER_WORDS = 2, /* at most */
    GM_TIMED_MOST_GROUPS = 4095, /* a WAIT_GROUP of more waits for this many */
};

/* Returns the place of a GM_REGISTER value. The last number of each kind is its constant. */
static inline unsigned gm_timed_score(uint16_t number)
{
    static const struct {
        uint16_t first, last;
    } places[] = {
        [GM_REGISTERS_GENERAL] = {0, 255},
        [GM_REGISTERS_UNIFORM] = {GM_SCORE_UNIFORM, 63},
        [GM_REGISTERS_PREDICATE] = {GM_SCORE_PREDICATE, 7},
        [GM_REGISTERS_UNIFORM_PREDICATE] = {GM_SCORE_UNIFORM_PREDICATE, 7},
    };
    unsigned kind = number >> 8 & 3;
    unsigned low = number & places[kind].last;
    return low == places[kind].last ? (unsigned)GM_SCORE_NONE : places[kind].first + low;
}

/* Appends the registers that are not constants; returns the new count. Requires that `registers`
 * was zeroed before the first call. */
static inline unsigned gm_timed_pack(uint64_t *registers, unsigned used, const uint16_t *number,
                                     unsigned count)
{
    uint64_t *word = &registers[used / GM_TIMED_WORD_REGISTERS];
    unsigned at = used % GM_TIMED_WORD_REGISTERS * GM_TIMED_REGISTER_BITS;
    for (unsigned i = 0; i < count; i++) {
        uint64_t score = gm_timed_score(number[i]);
        if (score != GM_SCORE_NONE) {
            *word |= score << at;
            used++;
            at += GM_TIMED_REGISTER_BITS;
            bool full = at == GM_TIMED_WORD_REGISTERS * GM_TIMED_REGISTER_BITS;
            word += full;
            at = full ? 0 : at;
        }
    }
    return used;
}

/* Returns the place of the first register of a packed word. */
static inline unsigned gm_timed_lowest(uint64_t word)
{
    return (unsigned)word & ((1U << GM_TIMED_REGISTER_BITS) - 1);
}

static inline gm_op gm_timed_op(uint64_t head)
{
    return (gm_op)(head & 15);
}

/* True for the operations after GM_OP_ASYNC_COPY in gm_op, which may wait for more than registers
 * and units. */
static inline bool gm_timed_is_special(uint64_t head)
{
    _Static_assert((int)GM_OP_COMMIT_GROUP == 8 && (int)GM_OPS <= 16, "bit 3 tells");
    return (head & 8) != 0;
}

static inline unsigned gm_timed_unit(uint64_t head)
{
    return head >> GM_TIMED_UNIT_AT & 15;
}

static inline gm_timed_lines gm_timed_lines_of(uint64_t head)
{
    return (gm_timed_lines)(head >> GM_TIMED_LINES_AT & 3);
}

#define GM_TIMED_MORE (UINT64_C(1) << 10)

static inline gm_request_kind gm_timed_kind(uint64_t head)
{
    return (gm_request_kind)(head >> GM_TIMED_KIND_AT & 7);
}

static inline bool gm_timed_halves(uint64_t head)
{
    return gm_timed_op(head) == GM_OP_COMPUTE && (head >> GM_TIMED_KIND_AT & 1) != 0;
}

static inline unsigned gm_timed_destinations(uint64_t head)
{
    return head >> GM_TIMED_DESTINATIONS_AT & 7;
}

static inline unsigned gm_timed_registers(uint64_t head)
{
    return head >> GM_TIMED_REGISTERS_AT & 15;
}

/* Returns the number of line requests, or of groups. */
static inline uint32_t gm_timed_count(uint64_t head)
{
    return head >> GM_TIMED_COUNT_AT & 4095;
}

/* Returns a fence's scope. */
static inline gm_scope gm_timed_scope(uint64_t head)
{
    return (gm_scope)gm_timed_count(head);
}

static inline uint32_t gm_timed_passes(uint64_t head)
{
    return head >> GM_TIMED_PASSES_AT & INT16_MAX;
}

/* Returns the bytes of a record's registers. */
static inline size_t gm_timed_register_bytes(uint64_t head)
{
    unsigned count = gm_timed_registers(head);
    return count == 0 ? 0 : count <= GM_TIMED_WORD_REGISTERS ? 8 : 16;
}

#endif

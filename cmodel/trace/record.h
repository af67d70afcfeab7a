/* Records: one warp instruction in few bytes, for the warp store and for goldmem's compact traces.
 *
 * Little-endian. A head of 8 bytes, then what the head says is there, in this order:
 *   bits 0-15   pc, or 0 when wide        bit 56      mask is ffffffff and left out
 *   bits 16-31  opcode number             bit 57      pc is wide: 8 bytes
 *   bits 32-39  width                     bits 58-59  immediate: 0 none, 1: 4 bytes, 2: 8 bytes
 *   bits 40-43  op                        bits 60-61  stride: 0: 1 byte, 1: 4, 2: 8 (all signed)
 *   bits 44-46  space                     bit 62      registers are wide: 2 bytes each, else 1
 *   bits 47-48  addresses: 0 none, 1 stride, 2 list, 3 stride with a count of its own
 *   bits 49-51  destinations              bit 63      list is wide: addresses of 8 bytes, else
 *   bits 52-55  sources                               signed distances of 4 from the first
 *   pc 8, mask 4, immediate 4 or 8, registers (destinations, sources), then for
 *   stride: [count 2] base 8, stride 1, 4 or 8; list: count 2, first address 8, then the others.
 */
#ifndef GOLDMEM_TRACE_RECORD_H
#define GOLDMEM_TRACE_RECORD_H

#include "goldmem/bits.h"
#include "goldmem/instruction.h"

#include <stddef.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are little-endian");
_Static_assert(GM_OPS <= 16 && GM_SPACES <= 8, "op and space fit their bits");
_Static_assert(GM_DESTINATIONS == 4 && GM_SOURCES == 8, "registers are packed by fours");

enum {
    GM_RECORD_HEAD = 8,
    GM_RECORD_SLACK = 32, /* bytes after a record that encode may write and decode may read */
    /* Room for a record without its list, but with its slack; each address adds at most 8. */
    GM_RECORD_SMALL = 8 + 8 + 4 + 8 + 24 + 2 + 8 + 8 + GM_RECORD_SLACK,
    GM_RECORD_LARGEST = GM_RECORD_SMALL + 8 * GM_ADDRESSES,
};

enum { GM_RECORD_NONE, GM_RECORD_STRIDE, GM_RECORD_LIST, GM_RECORD_COUNTED_STRIDE };

#define GM_RECORD_MASK_FULL      (UINT64_C(1) << 56)
#define GM_RECORD_PC_WIDE        (UINT64_C(1) << 57)
#define GM_RECORD_REGISTERS_WIDE (UINT64_C(1) << 62)
#define GM_RECORD_LIST_WIDE      (UINT64_C(1) << 63)

/* Packs four 16-bit values below 256 into four bytes, and unpacks them. */
static inline uint64_t gm_record_narrow(uint64_t four)
{
    four = (four | four >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (four | four >> 16) & UINT64_C(0xffffffff);
}

static inline uint64_t gm_record_widen(uint64_t four)
{
    four = (four | four << 16) & UINT64_C(0x0000ffff0000ffff);
    return (four | four << 8) & UINT64_C(0x00ff00ff00ff00ff);
}

static inline uint64_t gm_record_load(const unsigned char *at, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

static inline uint64_t gm_record_low(uint64_t value, unsigned bits)
{
    return value & gm_mask(bits);
}

/* Writes the registers in use; ignores the others. */
static inline unsigned char *gm_record_put_registers(unsigned char *at, uint64_t *head,
                                                     const gm_instruction *from)
{
    uint64_t destination = 0;
    uint64_t source[2];
    memcpy(&destination, from->destination, sizeof destination);
    memcpy(source, from->source, sizeof source);
    unsigned sources = from->sources;
    destination = gm_record_low(destination, 16u * from->destinations);
    source[0] = gm_record_low(source[0], 16u * sources);
    source[1] = sources > 4 ? gm_record_low(source[1], 16u * (sources - 4)) : 0;
    if (((destination | source[0] | source[1]) & UINT64_C(0xff00ff00ff00ff00)) == 0) {
        uint64_t packed = gm_record_narrow(destination);
        memcpy(at, &packed, 4);
        at += from->destinations;
        packed = gm_record_narrow(source[0]) | gm_record_narrow(source[1]) << 32;
        memcpy(at, &packed, 8);
        return at + sources;
    }
    *head |= GM_RECORD_REGISTERS_WIDE;
    memcpy(at, &destination, sizeof destination);
    at += (size_t)2 * from->destinations;
    memcpy(at, source, sizeof source);
    return at + (size_t)2 * sources;
}

static inline unsigned char *gm_record_put_stride(unsigned char *at, uint64_t *head,
                                                  const gm_instruction *from)
{
    bool counted = from->addresses != gm_count_ones(from->mask);
    *head |= (uint64_t)(counted ? GM_RECORD_COUNTED_STRIDE : GM_RECORD_STRIDE) << 47;
    if (counted) {
        memcpy(at, &from->addresses, 2);
        at += 2;
    }
    memcpy(at, &from->base, 8);
    at += 8;
    memcpy(at, &from->stride, 8);
    if (from->stride == (int8_t)from->stride) {
        return at + 1;
    }
    bool wide = from->stride != (int32_t)from->stride;
    *head |= (uint64_t)(wide ? 2 : 1) << 60;
    return at + (wide ? 8 : 4);
}

static inline unsigned char *gm_record_put_list(unsigned char *at, uint64_t *head,
                                                const gm_instruction *from)
{
    unsigned count = from->addresses;
    const uint64_t *address = from->address;
    *head |= (uint64_t)GM_RECORD_LIST << 47;
    memcpy(at, &from->addresses, 2);
    at += 2;
    if (count == 0) {
        return at;
    }
    uint64_t first = address[0];
    memcpy(at, &first, 8);
    at += 8;
    uint64_t outside = 0;
    for (unsigned k = 1; k < count; k++) {
        uint64_t distance = address[k] - first;
        uint32_t low = (uint32_t)distance;
        memcpy(at + 4 * (size_t)(k - 1), &low, 4);
        outside |= (distance + UINT64_C(0x80000000)) >> 32;
    }
    if (outside == 0) {
        return at + 4 * (size_t)(count - 1);
    }
    *head |= GM_RECORD_LIST_WIDE;
    memcpy(at, address + 1, 8 * (size_t)(count - 1));
    return at + 8 * (size_t)(count - 1);
}

/* Writes the record of an instruction; `out` has room for GM_RECORD_LARGEST bytes. Returns its
 * length in bytes. */
static inline size_t gm_record_encode(unsigned char *out, const gm_instruction *from)
{
    unsigned char *at = out + GM_RECORD_HEAD;
    uint64_t head = (uint64_t)from->opcode << 16 | (uint64_t)from->width << 32 |
                    (uint64_t)from->op << 40 | (uint64_t)from->space << 44 |
                    (uint64_t)from->destinations << 49 | (uint64_t)from->sources << 52;
    if (from->pc <= UINT16_MAX) {
        head |= from->pc;
    } else {
        head |= GM_RECORD_PC_WIDE;
        memcpy(at, &from->pc, 8);
        at += 8;
    }
    bool full = from->mask == UINT32_MAX;
    head |= full ? GM_RECORD_MASK_FULL : 0;
    memcpy(at, &from->mask, 4);
    at += full ? 0 : 4;
    if (from->immediate != 0) {
        bool wide = from->immediate != (int32_t)from->immediate;
        head |= (uint64_t)(wide ? 2 : 1) << 58;
        memcpy(at, &from->immediate, 8);
        at += wide ? 8 : 4;
    }
    if ((from->destinations | from->sources) != 0) {
        at = gm_record_put_registers(at, &head, from);
    }
    if (from->form == GM_ADDRESS_STRIDE) {
        at = gm_record_put_stride(at, &head, from);
    } else if (from->form == GM_ADDRESS_LIST) {
        at = gm_record_put_list(at, &head, from);
    }
    memcpy(out, &head, sizeof head);
    return (size_t)(at - out);
}

static inline const unsigned char *gm_record_get_registers(const unsigned char *at, uint64_t head,
                                                           gm_instruction *into)
{
    unsigned destinations = into->destinations;
    unsigned sources = into->sources;
    uint64_t destination;
    uint64_t source[2];
    if ((head & GM_RECORD_REGISTERS_WIDE) == 0) {
        uint64_t packed = gm_record_low(gm_record_load(at, 4), 8 * destinations);
        destination = gm_record_widen(packed);
        packed = gm_record_low(gm_record_load(at + destinations, 8), 8 * sources);
        source[0] = gm_record_widen(packed & UINT32_MAX);
        source[1] = gm_record_widen(packed >> 32);
        at += destinations + sources;
    } else {
        destination = gm_record_low(gm_record_load(at, 8), 16 * destinations);
        at += 2 * (size_t)destinations;
        source[0] = gm_record_low(gm_record_load(at, 8), 16 * sources);
        source[1] = sources > 4 ? gm_record_low(gm_record_load(at + 8, 8), 16 * (sources - 4)) : 0;
        at += 2 * (size_t)sources;
    }
    memcpy(into->destination, &destination, sizeof destination);
    memcpy(into->source, source, sizeof source);
    return at;
}

static inline const unsigned char *gm_record_get_stride(const unsigned char *at, uint64_t head,
                                                        bool counted, gm_instruction *into)
{
    into->form = GM_ADDRESS_STRIDE;
    if (counted) {
        into->addresses = (uint16_t)gm_record_load(at, 2);
        at += 2;
    } else {
        into->addresses = (uint16_t)gm_count_ones(into->mask);
    }
    into->base = gm_record_load(at, 8);
    at += 8;
    unsigned size = head >> 60 & 3;
    if (size == 0) {
        into->stride = (int64_t)(gm_record_load(at, 1) ^ 0x80) - 0x80;
        return at + 1;
    }
    into->stride = size == 1 ? (int32_t)gm_record_load(at, 4) : (int64_t)gm_record_load(at, 8);
    return at + (size == 1 ? 4 : 8);
}

static inline const unsigned char *gm_record_get_list(const unsigned char *at, uint64_t head,
                                                      gm_instruction *into, uint64_t *addresses)
{
    unsigned count = (unsigned)gm_record_load(at, 2);
    at += 2;
    into->form = GM_ADDRESS_LIST;
    into->addresses = (uint16_t)count;
    into->address = addresses;
    if (count == 0) {
        return at;
    }
    uint64_t first = gm_record_load(at, 8);
    at += 8;
    addresses[0] = first;
    if ((head & GM_RECORD_LIST_WIDE) != 0) {
        memcpy(addresses + 1, at, 8 * (size_t)(count - 1));
        return at + 8 * (size_t)(count - 1);
    }
    for (unsigned k = 1; k < count; k++) {
        int32_t distance;
        memcpy(&distance, at + 4 * (size_t)(k - 1), 4);
        addresses[k] = first + (uint64_t)(int64_t)distance;
    }
    return at + 4 * (size_t)(count - 1);
}

/* Returns the length in bytes of the record at `in`, or 0 if no valid record begins there.
 * `available`: readable bytes. `opcodes`: number of opcode numbers. For untrusted bytes. */
static inline size_t gm_record_length(const unsigned char *in, size_t available, uint32_t opcodes)
{
    static const size_t of_immediate[4] = {0, 4, 8, 0};
    static const size_t of_stride[4] = {1, 4, 8, 0};
    if (available < GM_RECORD_HEAD) {
        return 0;
    }
    uint64_t head = gm_record_load(in, GM_RECORD_HEAD);
    unsigned destinations = head >> 49 & 7;
    unsigned sources = head >> 52 & 15;
    unsigned stride = head >> 60 & 3;
    unsigned layout = head >> 47 & 3;
    bool wide = (head & GM_RECORD_REGISTERS_WIDE) != 0;
    if ((head >> 16 & UINT16_MAX) >= opcodes || destinations > GM_DESTINATIONS ||
        sources > GM_SOURCES || (head >> 58 & 3) == 3 || stride == 3) {
        return 0;
    }
    size_t length = GM_RECORD_HEAD + ((head & GM_RECORD_PC_WIDE) != 0 ? 8U : 0U) +
                    ((head & GM_RECORD_MASK_FULL) != 0 ? 0U : 4U) + of_immediate[head >> 58 & 3] +
                    (size_t)(destinations + sources) * (wide ? 2U : 1U);
    if (layout == GM_RECORD_STRIDE) {
        length += 8 + of_stride[stride];
    } else if (layout != GM_RECORD_NONE) {
        if (length + 2 > available) {
            return 0;
        }
        size_t count = (size_t)gm_record_load(in + length, 2);
        size_t each = (head & GM_RECORD_LIST_WIDE) != 0 ? 8 : 4;
        if (count > GM_ADDRESSES) {
            return 0;
        }
        length += 2;
        if (layout == GM_RECORD_COUNTED_STRIDE) {
            length += 8 + of_stride[stride];
        } else if (count > 0) {
            length += 8 + (count - 1) * each;
        }
    }
    return length <= available ? length : 0;
}

/* Reads a record that encode wrote, or that gm_record_length has accepted. Fields that the address
 * form does not use, and registers not in use, become 0. Returns the record's length in bytes. */
static inline size_t gm_record_decode(const unsigned char *in, gm_instruction *into,
                                      uint64_t *addresses)
{
    uint64_t head = gm_record_load(in, GM_RECORD_HEAD);
    const unsigned char *at = in + GM_RECORD_HEAD;
    *into = (gm_instruction){
        .pc = head & 0xffff,
        .mask = UINT32_MAX,
        .opcode = (uint16_t)(head >> 16),
        .width = (uint8_t)(head >> 32),
        .op = head >> 40 & 15,
        .space = head >> 44 & 7,
        .destinations = head >> 49 & 7,
        .sources = head >> 52 & 15,
    };
    if ((head & GM_RECORD_PC_WIDE) != 0) {
        into->pc = gm_record_load(at, 8);
        at += 8;
    }
    if ((head & GM_RECORD_MASK_FULL) == 0) {
        into->mask = (uint32_t)gm_record_load(at, 4);
        at += 4;
    }
    unsigned immediate = head >> 58 & 3;
    if (immediate != 0) {
        into->immediate =
            immediate == 1 ? (int32_t)gm_record_load(at, 4) : (int64_t)gm_record_load(at, 8);
        at += immediate == 1 ? 4 : 8;
    }
    if ((into->destinations | into->sources) != 0) {
        at = gm_record_get_registers(at, head, into);
    }
    unsigned layout = head >> 47 & 3;
    if (layout == GM_RECORD_LIST) {
        at = gm_record_get_list(at, head, into, addresses);
    } else if (layout != GM_RECORD_NONE) {
        at = gm_record_get_stride(at, head, layout == GM_RECORD_COUNTED_STRIDE, into);
    }
    return (size_t)(at - in);
}

#endif

/* Set-index functions [khairy, 4.3]: a line address to a set index and a tag, and back. The linear
 * ones are rows of XOR masks (the paper's H-matrix), held as tables by address field. */
#include "goldmem/set_index.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

/* Defined inline in the header, for the caches' fast path; here for everyone else. */
extern inline bool gm_set_index_is_linear(const gm_set_index *function);
extern inline uint32_t gm_set_index_multiply(const gm_set_index *function, uint64_t line);
extern inline uint32_t gm_set_index_remainder(const gm_set_index *function, uint64_t line);
extern inline uint32_t gm_set_index_of(const gm_set_index *function, uint64_t line);

uint64_t gm_set_index_tag(const gm_set_index *function, uint64_t line)
{
    return function->kind == GM_INDEX_PRIME ? line : line >> function->bits;
}

uint64_t gm_set_index_line(const gm_set_index *function, uint64_t tag, uint32_t index)
{
    if (function->kind == GM_INDEX_PRIME) {
        return tag;
    }
    uint64_t high = tag << function->bits;
    if (function->kind == GM_INDEX_SKEW) {
        return high | ((index - tag) & gm_mask(function->bits));
    }
    uint32_t part = index ^ gm_set_index_multiply(function, high);
    return high | (uint64_t)(function->inverse[0][part & 0xff] ^ function->inverse[1][part >> 8]);
}

/* A line's index is one of a set, and its tag and index are no other line's. */
static void assert_bijection(const gm_set_index *function, uint64_t line)
{
    uint32_t index = gm_set_index_of(function, line);
    gm_assert(index >> function->bits == 0, "set_index: line 0x%llx has index %u",
              (unsigned long long)line, index);
    gm_assert(gm_set_index_line(function, gm_set_index_tag(function, line), index) == line,
              "set_index: tag and index of line 0x%llx are those of another",
              (unsigned long long)line);
}

gm_set_index_response gm_set_index_access(const gm_set_index *function,
                                          gm_set_index_request request)
{
    if (request.op == GM_SET_INDEX_INVERSE) {
        uint32_t index = (uint32_t)request.index;
        uint64_t line = gm_set_index_line(function, request.tag, index);
        assert_bijection(function, line);
        return (gm_set_index_response){.line = line, .tag = request.tag, .index = request.index};
    }
    gm_assert((request.line & ~gm_mask(function->address_bits)) == 0,
              "set_index: line address 0x%llx", (unsigned long long)request.line);
    assert_bijection(function, request.line);
    return (gm_set_index_response){
        .line = request.line,
        .tag = gm_set_index_tag(function, request.line),
        .index = gm_set_index_of(function, request.line),
    };
}

GM_PORTS_TABLE(set_index, SET_INDEX)

/* Data lines of tag_store under SRRIP and SHiP [li, 4.2]: transactions of the block replacement, in
 * which the data lines that a valid entry owns are in use. */
#include "blocks/tag_store_lines.h"

#include "goldmem/bits.h"

void gm_tag_store_line_used(const gm_tag_store *store, uint32_t index, unsigned position)
{
    gm_replacement_access(
        store->lines,
        (gm_replacement_request){.op = GM_REPLACEMENT_TOUCH, .index = index, .way = position});
}

bool gm_tag_store_line_taken(const gm_tag_store *store, uint32_t index, unsigned position,
                             uint64_t signature)
{
    gm_replacement_request request = {.op = GM_REPLACEMENT_REPLACE,
                                      .index = index,
                                      .eligible = UINT64_C(1) << position,
                                      .signature = signature};
    return gm_replacement_access(store->lines, request).distant != 0;
}

void gm_tag_store_line_left(const gm_tag_store *store, uint32_t index, unsigned position)
{
    gm_replacement_access(
        store->lines,
        (gm_replacement_request){.op = GM_REPLACEMENT_REMOVE, .index = index, .way = position});
}

unsigned gm_tag_store_line_victim(const gm_tag_store *store, uint32_t index)
{
    gm_tag_store_row row = gm_tag_store_row_of(store, index);
    gm_replacement_request request = {
        .op = GM_REPLACEMENT_PEEK, .index = index, .eligible = row.set->lines};
    for (uint32_t left = row.set->waiting; left != 0; left &= left - 1) {
        request.eligible &= ~(UINT64_C(1) << row.position[gm_lowest_one(left)]);
    }
    gm_replacement_response response = gm_replacement_access(store->lines, request);
    return response.none != 0 ? NO_LINE : (unsigned)response.way;
}

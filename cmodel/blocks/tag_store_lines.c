/* Data lines of tag_store under SRRIP and SHiP [li, 4.2]: transactions of the block replacement, in
 * which those lines are in use that a valid entry owns. */
#include "blocks/tag_store_parts.h"
#include "goldmem/bits.h"

static gm_replacement_request request_of(const gm_tag_store *store, const gm_tag_store_row *row,
                                         uint64_t op)
{
    return (gm_replacement_request){.op = op, .index = (uint64_t)(row->set - store->set)};
}

void gm_tag_store_line_used(const gm_tag_store *store, const gm_tag_store_row *row,
                            unsigned position)
{
    gm_replacement_request request = request_of(store, row, GM_REPLACEMENT_TOUCH);
    request.way = position;
    gm_replacement_access(store->lines, request);
}

bool gm_tag_store_line_taken(const gm_tag_store *store, const gm_tag_store_row *row,
                             unsigned position, uint64_t signature)
{
    gm_replacement_request request = request_of(store, row, GM_REPLACEMENT_REPLACE);
    request.eligible = UINT64_C(1) << position;
    request.signature = signature;
    return gm_replacement_access(store->lines, request).distant != 0;
}

void gm_tag_store_line_left(const gm_tag_store *store, const gm_tag_store_row *row,
                            unsigned position)
{
    gm_replacement_request request = request_of(store, row, GM_REPLACEMENT_REMOVE);
    request.way = position;
    gm_replacement_access(store->lines, request);
}

unsigned gm_tag_store_line_victim(const gm_tag_store *store, const gm_tag_store_row *row)
{
    gm_replacement_request request = request_of(store, row, GM_REPLACEMENT_PEEK);
    request.eligible = row->set->lines;
    for (uint32_t left = row->set->waiting; left != 0; left &= left - 1) {
        request.eligible &= ~(UINT64_C(1) << row->position[gm_lowest_one(left)]);
    }
    gm_replacement_response response = gm_replacement_access(store->lines, request);
    return response.none != 0 ? NO_LINE : (unsigned)response.way;
}

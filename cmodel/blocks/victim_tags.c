/* Victim tags of CCWS [rogers]: sets of tags for each warp, each replaced in the order in which its
 * tags came (FIFO). */
#include "goldmem/victim_tags.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static unsigned rows_of(const gm_victim_tags_parameters *p)
{
    return p->warps * p->sets;
}

size_t gm_victim_tags_bytes(const gm_victim_tags_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    return rows_of(parameters) *
               (sizeof(gm_victim_tags_fill) + parameters->ways * sizeof(uint64_t)) +
           (size_t)2 * ALIGNMENT;
}

int gm_victim_tags_init(gm_victim_tags *tags, const gm_victim_tags_parameters *parameters,
                        gm_arena *arena, gm_error *error)
{
    const gm_victim_tags_parameters *p = parameters;
    if (p->sets > 16 || !gm_is_power_of_two(p->sets)) {
        return gm_fail(error, -EINVAL, "victim_tags: sets %u: must be 1, 2, 4, 8 or 16", p->sets);
    }
    unsigned set_bits = gm_log2_ceil(p->sets);
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"warps", p->warps, 1, GM_VICTIM_TAGS_WARPS},
        {"ways", p->ways, 1, 16},
        {"line_bits", p->line_bits, set_bits + 1, 64},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "victim_tags: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    *tags = (gm_victim_tags){
        .parameters = *p,
        .set_bits = set_bits,
        .fill = gm_arena_take(arena, rows_of(p), sizeof *tags->fill),
        .tag = gm_arena_take(arena, (size_t)rows_of(p) * p->ways, sizeof *tags->tag),
    };
    return tags->fill == NULL || tags->tag == NULL
               ? gm_fail(error, -ENOMEM, "victim_tags: the arena is full: it needs %zu bytes",
                         gm_victim_tags_bytes(p))
               : 0;
}

/* Returns the number of ways of a set that hold a tag: the first ones. */
static unsigned held(const gm_victim_tags *tags, gm_victim_tags_fill fill)
{
    return fill.full != 0 ? tags->parameters.ways : fill.next;
}

static bool has(const gm_victim_tags *tags, size_t row, uint64_t tag)
{
    const uint64_t *way = &tags->tag[row * tags->parameters.ways];
    for (unsigned i = 0; i < held(tags, tags->fill[row]); i++) {
        if (way[i] == tag) {
            return true;
        }
    }
    return false;
}

/* Puts a tag that the set does not have into its next way. */
static void insert(gm_victim_tags *tags, size_t row, uint64_t tag)
{
    gm_victim_tags_fill *fill = &tags->fill[row];
    tags->tag[row * tags->parameters.ways + fill->next] = tag;
    fill->next++;
    if (fill->next == tags->parameters.ways) {
        *fill = (gm_victim_tags_fill){.next = 0, .full = 1};
    }
}

/* Returns 0 when the row's way and tags are within their bits, and no tag is there twice. */
static int check_row(const gm_victim_tags *tags, size_t row, gm_error *error)
{
    const gm_victim_tags_parameters *p = &tags->parameters;
    const uint64_t *way = &tags->tag[row * p->ways];
    gm_victim_tags_fill fill = tags->fill[row];
    if (fill.next >= p->ways || fill.full > 1) {
        return gm_fail(error, -EINVAL, "victim_tags: row %zu: way %u, full %u", row, fill.next,
                       fill.full);
    }
    unsigned count = held(tags, fill);
    for (unsigned i = 0; i < count; i++) {
        if (way[i] > gm_mask(p->line_bits - tags->set_bits)) {
            return gm_fail(error, -EINVAL, "victim_tags: row %zu: tag 0x%llx beyond %u bits", row,
                           (unsigned long long)way[i], p->line_bits - tags->set_bits);
        }
        for (unsigned j = i + 1; j < count; j++) {
            if (way[i] == way[j]) {
                return gm_fail(error, -EINVAL, "victim_tags: row %zu: tag 0x%llx twice", row,
                               (unsigned long long)way[i]);
            }
        }
    }
    return 0;
}

gm_victim_tags_response gm_victim_tags_access(gm_victim_tags *tags, gm_victim_tags_request request)
{
    const gm_victim_tags_parameters *p = &tags->parameters;
    gm_assert(request.op <= GM_VICTIM_TAGS_RESTART, "victim_tags: operation %llu",
              (unsigned long long)request.op);
    gm_assert(request.op == GM_VICTIM_TAGS_RESTART || request.warp < p->warps,
              "victim_tags: warp %llu of %u", (unsigned long long)request.warp, p->warps);
    gm_assert(request.line <= gm_mask(p->line_bits), "victim_tags: line 0x%llx",
              (unsigned long long)request.line);
    gm_victim_tags_response response = {0};
    size_t row = request.warp * p->sets + (request.line & (p->sets - 1));
    uint64_t tag = request.line >> tags->set_bits;
    switch (request.op) {
    case GM_VICTIM_TAGS_INSERT:
        response.found = has(tags, row, tag);
        if (response.found == 0) {
            response.replaced = tags->fill[row].full;
            insert(tags, row, tag);
        }
        break;
    case GM_VICTIM_TAGS_PROBE:
        response.found = has(tags, row, tag);
        break;
    case GM_VICTIM_TAGS_CLEAR:
        memset(&tags->fill[request.warp * p->sets], 0, p->sets * sizeof *tags->fill);
        break;
    default:
        memset(tags->fill, 0, rows_of(p) * sizeof *tags->fill);
    }
    gm_error error;
    gm_assert(request.op > GM_VICTIM_TAGS_PROBE || check_row(tags, row, &error) == 0, "%s",
              error.text);
    gm_assert(!gm_assert_whole() || gm_victim_tags_check(tags, &error) == 0, "%s", error.text);
    if (tags->observer != NULL) {
        gm_victim_tags_tell(tags->observer, request, response);
    }
    return response;
}

int gm_victim_tags_check(const gm_victim_tags *tags, gm_error *error)
{
    int code = 0;
    for (size_t row = 0; code == 0 && row < rows_of(&tags->parameters); row++) {
        code = check_row(tags, row, error);
    }
    return code;
}

GM_PORTS_TABLE(victim_tags, VICTIM_TAGS)

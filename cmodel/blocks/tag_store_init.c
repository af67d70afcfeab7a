/* Decoupled LFU tag store [li, 4.1]: initialisation, FLUSH, and invariants. */
#include "blocks/tag_store_lines.h"
#include "goldmem/bits.h"
#include "goldmem/tag_store.h"

#include <errno.h>
#include <string.h>

static int check_range(const char *name, unsigned value, unsigned least, unsigned most,
                       gm_error *error)
{
    return value >= least && value <= most
               ? 0
               : gm_fail(error, -EINVAL, "tag_store: %s %u: must be %u to %u", name, value, least,
                         most);
}

static int check_index(const gm_set_index *index, gm_error *error)
{
    if (index->bits < 2 || index->bits > 10) {
        return gm_fail(error, -EINVAL, "tag_store: %u sets: must be 4 to 1024", 1u << index->bits);
    }
    return index->address_bits > index->bits
               ? 0
               : gm_fail(error, -EINVAL, "tag_store: line addresses of %u bits: no tag bit",
                         index->address_bits);
}

static int check_parameters(const gm_tag_store_parameters *p, gm_error *error)
{
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"tag_ways", p->tag_ways, 2, GM_TAG_STORE_WAYS},
        {"data_ways", p->data_ways, 1, p->tag_ways - 1},
        {"rc_bits", p->rc_bits, 1, 8},
        {"threshold", p->threshold, 0, (unsigned)gm_mask(p->rc_bits)},
        {"allocation_rc", p->allocation_rc, 0, (unsigned)gm_mask(p->rc_bits)},
        {"replacement", p->replacement, GM_REPLACEMENT_LRU, GM_REPLACEMENT_SHIP},
        {"rrpv_bits", p->rrpv_bits, 1, 4},
        {"signature_bits", p->signature_bits, 1, 14},
        {"counter_bits", p->counter_bits, 1, 4},
    };
    int code = check_index(p->index, error);
    for (unsigned i = 0; code == 0 && i < sizeof ranges / sizeof *ranges; i++) {
        code = check_range(ranges[i].name, ranges[i].value, ranges[i].least, ranges[i].most, error);
    }
    return code;
}

static size_t words_of(unsigned ways)
{
    return (ways + 7) / 8;
}

/* Returns the parameters of the block replacement for the data lines. */
static gm_replacement_parameters of_lines(const gm_tag_store_parameters *p)
{
    return (gm_replacement_parameters){.policy = p->replacement,
                                       .index_bits = p->index->bits,
                                       .ways = p->data_ways,
                                       .rrpv_bits = p->rrpv_bits,
                                       .signature_bits = p->signature_bits,
                                       .counter_bits = p->counter_bits};
}

size_t gm_tag_store_bytes(const gm_tag_store_parameters *parameters)
{
    enum { ALIGNMENT = 64, PARTS = 8 };
    const gm_tag_store_parameters *p = parameters;
    size_t words = p->tag_ways + 2 * words_of(p->tag_ways) + words_of(p->data_ways);
    size_t set = sizeof(gm_tag_store_set) + words * sizeof(uint64_t) + p->tag_ways + p->data_ways;
    gm_replacement_parameters lines = of_lines(p);
    size_t replacement = p->replacement == GM_REPLACEMENT_LRU
                             ? 0
                             : sizeof(gm_replacement_state) + gm_replacement_bytes(&lines);
    return (set << p->index->bits) + replacement + (size_t)(ALIGNMENT * PARTS);
}

int gm_tag_store_init(gm_tag_store *store, const gm_tag_store_parameters *parameters,
                      gm_arena *arena, gm_error *error)
{
    const gm_tag_store_parameters *p = parameters;
    int code = check_parameters(p, error);
    if (code < 0) {
        return code;
    }
    size_t sets = (size_t)1 << p->index->bits;
    *store = (gm_tag_store){
        .parameters = *p,
        .enough = {p->threshold + p->compare_above, p->compare_above},
        .words = (unsigned)words_of(p->tag_ways),
        .rank_words = (unsigned)words_of(p->data_ways),
        .set = gm_arena_take(arena, sets, sizeof *store->set),
        .hash = gm_arena_take(arena, sets * words_of(p->tag_ways), sizeof *store->hash),
        .rc = gm_arena_take(arena, sets * words_of(p->tag_ways), sizeof *store->rc),
        .rank = gm_arena_take(arena, sets * words_of(p->data_ways), sizeof *store->rank),
        .position = gm_arena_take(arena, sets * p->tag_ways, sizeof *store->position),
        .owner = gm_arena_take(arena, sets * p->data_ways, sizeof *store->owner),
    };
    gm_replacement_parameters lines = of_lines(p);
    if (p->replacement != GM_REPLACEMENT_LRU) {
        store->lines = gm_arena_take(arena, 1, sizeof *store->lines);
        code = store->lines == NULL ? -ENOMEM
                                    : gm_replacement_init(store->lines, &lines, arena, error);
    }
    /* The largest and last allocation fails when any fails. */
    store->line = gm_arena_take(arena, sets * p->tag_ways, sizeof *store->line);
    if (code < 0 || store->line == NULL) {
        return gm_fail(error, -ENOMEM, "tag_store: the arena is full: it needs %zu bytes",
                       gm_tag_store_bytes(p));
    }
    memset(store->rank, GM_TAG_STORE_NONE, sets * words_of(p->data_ways) * sizeof *store->rank);
    return 0;
}

void gm_tag_store_flush(gm_tag_store *store)
{
    uint32_t sets = UINT32_C(1) << store->parameters.index->bits;
    for (uint32_t index = 0; index < sets; index++) {
        gm_tag_store_row row = gm_tag_store_row_of(store, index);
        row.set->valid = 0;
        row.set->committed = row.set->waiting;
        row.set->lines = 0;
        for (uint32_t left = row.set->waiting; left != 0; left &= left - 1) {
            row.set->lines |= UINT32_C(1) << row.position[gm_lowest_one(left)];
        }
        for (unsigned i = 0; i < store->words; i++) {
            row.rc[i] = 0;
        }
        for (unsigned i = 0; i < store->parameters.data_ways; i++) {
            row.rank[i] = GM_TAG_STORE_NONE;
        }
    }
    if (store->lines != NULL) {
        gm_replacement_access(store->lines, (gm_replacement_request){.op = GM_REPLACEMENT_FLUSH});
    }
}

uint64_t gm_tag_store_line_at(const gm_tag_store *store, uint32_t index, unsigned position)
{
    const gm_tag_store_parameters *p = &store->parameters;
    unsigned way = store->owner[(size_t)index * p->data_ways + position];
    return store->line[(size_t)index * p->tag_ways + way];
}

unsigned gm_tag_store_free_lines(const gm_tag_store *store, uint32_t index)
{
    return store->parameters.data_ways - gm_count_ones(store->set[index].lines);
}

/* Checks the masks of one set: no bit beyond its ways, and a position for each line that waits. */
static const char *check_marks(const gm_tag_store *store, const gm_tag_store_set *set)
{
    uint32_t in_use = set->valid | set->waiting;
    if ((in_use & ~gm_mask(store->parameters.tag_ways)) != 0 ||
        (set->lines & ~gm_mask(store->parameters.data_ways)) != 0) {
        return "a way beyond the set";
    }
    if ((set->waiting & ~set->committed) != 0 || (set->committed & ~in_use) != 0) {
        return "a line waits without Position, or a free entry has one";
    }
    return gm_count_ones(set->committed) == gm_count_ones(set->lines)
               ? NULL
               : "Free_Line and committed entries are not the data lines";
}

static const char *check_entries(const gm_tag_store *store, uint32_t index,
                                 const gm_tag_store_row *row)
{
    const gm_tag_store_parameters *p = &store->parameters;
    uint32_t in_use = row->set->valid | row->set->waiting;
    for (unsigned way = 0; way < p->tag_ways; way++) {
        unsigned rc = ((const uint8_t *)row->rc)[way];
        if (rc > ((row->set->valid >> way & 1) != 0 ? gm_mask(p->rc_bits) : 0)) {
            return "an RC beyond its range, or of an entry that is not valid";
        }
        if ((row->set->committed >> way & 1) != 0 &&
            (row->position[way] >= p->data_ways || row->owner[row->position[way]] != way ||
             (row->set->lines >> row->position[way] & 1) == 0)) {
            return "a Position that is another entry's";
        }
        if ((in_use >> way & 1) == 0) {
            continue;
        }
        if (gm_set_index_of(p->index, row->line[way]) != index ||
            ((const uint8_t *)row->hash)[way] != gm_tag_store_hash(row->line[way])) {
            return "a line of another set, or not its hash";
        }
        for (unsigned other = 0; other < way; other++) {
            if ((in_use >> other & 1) != 0 && row->line[other] == row->line[way]) {
                return "two entries of one line";
            }
        }
    }
    return NULL;
}

/* Checks the order of a set. LRU: the ranks of the data lines that valid entries own are 0, 1, 2,
 * ...; SRRIP, SHiP: those data lines are in use in the replacement state, and no data line has a
 * rank. */
static const char *check_order(const gm_tag_store *store, uint32_t index,
                               const gm_tag_store_row *row)
{
    uint32_t seen = 0;
    uint32_t owned = 0;
    for (unsigned i = 0; i < store->parameters.data_ways; i++) {
        bool valid = (row->set->lines >> i & 1) != 0 && (row->set->valid >> row->owner[i] & 1) != 0;
        bool ranked = valid && store->lines == NULL;
        if (ranked != (row->rank[i] != GM_TAG_STORE_NONE) ||
            (ranked && row->rank[i] >= store->parameters.data_ways)) {
            return "a rank of a line that no valid entry owns, or none";
        }
        seen |= ranked ? UINT32_C(1) << row->rank[i] : 0;
        owned |= (uint32_t)valid << i;
    }
    if (store->lines != NULL) {
        return store->lines->used[index] == owned ? NULL
                                                  : "lines that the replacement has not, or others";
    }
    return seen == gm_mask(gm_count_ones(owned)) ? NULL : "ranks that are no order";
}

int gm_tag_store_check_set(const gm_tag_store *store, uint32_t index, gm_error *error)
{
    gm_tag_store_row row = gm_tag_store_row_of(store, index);
    const char *wrong = check_marks(store, row.set);
    wrong = wrong == NULL ? check_entries(store, index, &row) : wrong;
    wrong = wrong == NULL ? check_order(store, index, &row) : wrong;
    return wrong == NULL ? 0 : gm_fail(error, -EINVAL, "tag_store: set %u: %s", index, wrong);
}

int gm_tag_store_check(const gm_tag_store *store, gm_error *error)
{
    for (uint32_t index = 0; index >> store->parameters.index->bits == 0; index++) {
        int code = gm_tag_store_check_set(store, index, error);
        if (code < 0) {
            return code;
        }
    }
    gm_error inner;
    if (store->lines != NULL && gm_replacement_check(store->lines, &inner) < 0) {
        return gm_fail(error, -EINVAL, "tag_store: %s", inner.text);
    }
    return 0;
}

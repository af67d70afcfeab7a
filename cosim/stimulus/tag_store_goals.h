/* Goals of tag_store in lockstep: the stored fields that a request is compared with, and the limits
 * of its tables and counters. */
#ifndef GOLDMEM_COSIM_STIMULUS_TAG_STORE_GOALS_H
#define GOLDMEM_COSIM_STIMULUS_TAG_STORE_GOALS_H

#include "goldmem/bits.h"
#include "goldmem/tag_store.h"
#include "stimulus/counter_goals.h"
#include "stimulus/tag_store_requests.h"

enum {
    GOAL_TAG,
    GOAL_POSITION,
    GOAL_WAY,
    GOAL_WAITS,
    GOAL_NO_LINE,
    GOAL_NO_ENTRY,
    GOAL_COUNT,
    GOAL_AGES,
    GOAL_COUNTER, /* SRRIP, SHiP: those of counter_goals.h */
};

/* The highest reference count that an entry can have: at the next one it gets a data line, which
 * ends the count. */
static inline uint64_t highest_count(const gm_cosim_configuration *configuration)
{
    uint64_t first = configuration->parameter[ALLOCATION_RC][0];
    uint64_t all = gm_mask((unsigned)configuration->parameter[RC_W][0]);
    uint64_t enough =
        configuration->parameter[THRESHOLD][0] + configuration->parameter[COMPARE_ABOVE][0];
    uint64_t counted = enough < all ? enough : all;
    return first > counted ? first : counted;
}

/* The bit of a reference count among those that age: of more than 6 bits, the upper 6. */
static inline uint64_t bit_of_count(uint64_t count, uint64_t bits)
{
    return UINT64_C(1) << (bits > 6 ? count >> (bits - 6) : count);
}

/* The counts that an entry can have while another line gets a data line: with one data line only
 * those of an entry without. */
static inline uint64_t counts_that_age(const gm_cosim_configuration *configuration)
{
    uint64_t bits = configuration->parameter[RC_W][0];
    uint64_t enough =
        configuration->parameter[THRESHOLD][0] + configuration->parameter[COMPARE_ABOVE][0];
    uint64_t most = highest_count(configuration);
    bool alone = configuration->parameter[DATA_WAYS][0] == 1;
    most = alone && most >= enough ? (enough > 0 ? enough - 1 : 0) : most;
    uint64_t counts = 0;
    for (uint64_t count = 1; count <= most; count++) {
        counts |= bit_of_count(count, bits);
    }
    return counts;
}

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    unsigned data_ways = (unsigned)configuration->parameter[DATA_WAYS][0];
    unsigned tag_ways = (unsigned)configuration->parameter[TAG_WAYS][0];
    unsigned tag_bits =
        (unsigned)(configuration->parameter[LINE_W][0] - configuration->parameter[INDEX_W][0]);
    uint64_t tags = gm_mask(tag_bits); /* one less than there are */
    goal[GOAL_TAG] = (gm_cosim_goal){"tag", true, tags};
    goal[GOAL_POSITION] =
        (gm_cosim_goal){"position of a FILL", true, gm_mask(gm_log2_ceil(data_ways))};
    goal[GOAL_WAY] = (gm_cosim_goal){"entry of the highest set in use", false, gm_mask(tag_ways)};
    goal[GOAL_WAITS] =
        (gm_cosim_goal){"data line of the highest set waits", false, gm_mask(data_ways)};
    goal[GOAL_NO_LINE] = (gm_cosim_goal){"all data lines of a set wait, and one more is requested",
                                         false, tags >= data_ways};
    goal[GOAL_NO_ENTRY] = (gm_cosim_goal){
        "all entries of a set are in use, and one more is requested", false, tags >= tag_ways};
    goal[GOAL_COUNT] = (gm_cosim_goal){
        "a reference count is at its highest, and its line is requested again", false, 1};
    goal[GOAL_AGES] = (gm_cosim_goal){"an entry ages, by its reference count", false,
                                      counts_that_age(configuration)};
    return GOAL_COUNTER + counter_goals(goal + GOAL_COUNTER,
                                        configuration->parameter[REPLACEMENT][0],
                                        configuration->parameter[SIGNATURE_W][0]);
}

/* Sets the goal of ageing, for a transaction that allocates or evicts a data line: for the valid
 * entries but the request's and the one that loses its data line at `lost` (NULL: none). */
static inline void meet_ages(const gm_tag_store *s, uint32_t row, unsigned found,
                             const uint64_t *lost, uint64_t *met)
{
    const gm_tag_store_set *set = &s->set[row];
    for (uint32_t left = set->valid; left != 0; left &= left - 1) {
        unsigned way = gm_lowest_one(left);
        uint64_t count = ((const uint8_t *)&s->rc[(size_t)row * s->words])[way];
        bool loses = lost != NULL && s->line[(size_t)row * s->parameters.tag_ways + way] == *lost;
        if (way != found && !loses && count != 0) {
            met[GOAL_AGES] |= bit_of_count(count, s->parameters.rc_bits);
        }
    }
}

/* Sets the goals of a PROBE. `found`: the line's entry, or TagWays. */
static inline void meet_probe(const gm_cosim_configuration *configuration, const gm_tag_store *s,
                              const gm_tag_store_request *request, uint32_t row, unsigned found,
                              uint64_t *met)
{
    const gm_tag_store_set *set = &s->set[row];
    uint32_t used = set->valid | set->waiting;
    gm_tag_store_expected e = gm_tag_store_expect(s, request->line, request->conventional != 0);
    met[GOAL_NO_LINE] |= e.outcome == GM_TAG_STORE_RESERVATION_FAIL;
    met[GOAL_NO_ENTRY] |= found == s->parameters.tag_ways && used == gm_mask(found);
    if (found != s->parameters.tag_ways && (set->valid >> found & 1) != 0) {
        met[GOAL_COUNT] |= ((const uint8_t *)&s->rc[(size_t)row * s->words])[found] ==
                           highest_count(configuration);
    }
    if (e.outcome == GM_TAG_STORE_MISS && request->may_miss != 0) {
        meet_ages(s, row, found, e.evicted ? &e.evicted_line : NULL, met);
    }
    if (s->lines == NULL) {
        return;
    }
    if (e.outcome == GM_TAG_STORE_MISS && request->may_miss != 0) {
        meet_insertion(s->lines, row, request->signature,
                       e.evicted ? e.evicted_position : s->parameters.data_ways,
                       met + GOAL_COUNTER);
    } else if ((e.outcome == GM_TAG_STORE_HIT ||
                (e.outcome == GM_TAG_STORE_HIT_PENDING && request->may_miss != 0)) &&
               !e.dead) {
        meet_touch(s->lines, row, e.position, met + GOAL_COUNTER);
    }
}

static inline void meet_store(const gm_cosim_configuration *configuration, const gm_tag_store *s,
                              const gm_tag_store_request *request, uint64_t *met)
{
    if (request->op >= GM_TAG_STORE_FLUSH) {
        return;
    }
    const gm_set_index *function = s->parameters.index;
    uint32_t row = gm_set_index_of(function, request->line);
    const gm_tag_store_set *set = &s->set[row];
    unsigned found = s->parameters.tag_ways;
    for (uint32_t left = set->valid | set->waiting; left != 0; left &= left - 1) {
        unsigned way = gm_lowest_one(left);
        size_t entry = (size_t)row * s->parameters.tag_ways + way;
        uint64_t difference = (s->line[entry] ^ request->line) >> function->bits;
        found = difference == 0 ? way : found;
        met[GOAL_TAG] |= gm_is_power_of_two(difference) ? difference : 0;
        if (row >> function->bits == 0 && row + 1 == UINT32_C(1) << function->bits) {
            met[GOAL_WAY] |= UINT64_C(1) << way;
            met[GOAL_WAITS] |=
                (set->waiting >> way & 1) != 0 ? UINT64_C(1) << s->position[entry] : 0;
        }
        if (request->op == GM_TAG_STORE_FILL && difference == 0 && (set->waiting >> way & 1) != 0) {
            uint64_t other = s->position[entry] ^ request->position;
            met[GOAL_POSITION] |= gm_is_power_of_two(other) ? other : 0;
        }
    }
    if (request->op == GM_TAG_STORE_PROBE) {
        meet_probe(configuration, s, request, row, found, met);
    } else if (request->op == GM_TAG_STORE_WRITE && found != s->parameters.tag_ways &&
               ((set->committed & set->valid & ~set->waiting) >> found & 1) != 0) {
        meet_ages(s, row, found, NULL, met);
    }
}

#endif

/* Lines and parameters of blocks with set_index in front: LineW, IndexW, Polynomial and Matrix are
 * the first four of their port list. */
#ifndef GOLDMEM_COSIM_STIMULUS_INDEX_LINES_H
#define GOLDMEM_COSIM_STIMULUS_INDEX_LINES_H

#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/set_index.h"

/* Positions of the RTL parameters in the port list. */
enum { LINE_W, INDEX_W, POLYNOMIAL, MATRIX, AFTER_INDEX };

/* The words of a plan that lines use. */
enum { PLAN_SPREAD, PLAN_TURN };

/* Writes one row into the flat matrix. */
static inline void place_row(uint64_t *matrix, unsigned at, uint64_t row)
{
    matrix[at / 64] |= row << (at % 64);
    if (at % 64 != 0 && at / 64 + 1 < GM_COSIM_WORDS) {
        matrix[at / 64 + 1] |= row >> (64 - at % 64);
    }
}

/* Sets the four parameters of a function; leaves the others. Requires that Matrix is zeros. */
static inline void set_index_parameters(gm_cosim_configuration *configuration,
                                        const gm_set_index *function)
{
    configuration->parameter[LINE_W][0] = function->address_bits;
    configuration->parameter[INDEX_W][0] = function->bits;
    configuration->parameter[POLYNOMIAL][0] = function->polynomial;
    for (unsigned i = 0; function->polynomial == 0 && i < function->bits; i++) {
        place_row(configuration->parameter[MATRIX], i * function->address_bits, function->row[i]);
    }
}

/* Lines by tag and set, for every matrix: low line bit i is the XOR of the tag's bits in by_tag[i]
 * and the set index's bits in by_set[i]. Lines by number: number n is tag `first` ^ spread(n), such
 * that numbers 0 and 2^k are tags that differ in one bit, which moves with `rotation`. */
typedef struct line_map {
    unsigned index_bits, tag_bits;
    uint64_t by_tag[GM_SET_INDEX_BITS];
    uint64_t by_set[GM_SET_INDEX_BITS];
    uint64_t first;
    unsigned rotation;
    bool one_hot; /* numbers up to tag_bits: number 0 differs from each other one in one bit */
} line_map;

/* Reads row i of the H-matrix of a configuration. */
static inline uint64_t index_row(const gm_cosim_configuration *configuration, unsigned i)
{
    const uint64_t *matrix = configuration->parameter[MATRIX];
    unsigned line_bits = (unsigned)configuration->parameter[LINE_W][0];
    unsigned at = i * line_bits;
    uint64_t row = matrix[at / 64] >> at % 64;
    if (at % 64 != 0 && at / 64 + 1 < GM_COSIM_WORDS) {
        row |= matrix[at / 64 + 1] << (64 - at % 64);
    }
    return row & gm_mask(line_bits);
}

/* Sets low[i] and by_tag[i] to the line's low bits and the tag's bits whose XOR is index bit i. */
static inline void read_rows(const gm_cosim_configuration *configuration, line_map *map,
                             uint64_t *low)
{
    uint64_t polynomial = configuration->parameter[POLYNOMIAL][0];
    uint64_t power = UINT64_C(1) << map->index_bits; /* x^k mod P, from the lowest tag bit on */
    for (unsigned i = 0; i < map->index_bits; i++) {
        uint64_t row = polynomial == 0 ? index_row(configuration, i) : UINT64_C(1) << i;
        low[i] = row & gm_mask(map->index_bits);
        map->by_tag[i] = row >> map->index_bits;
        map->by_set[i] = UINT64_C(1) << i;
    }
    for (unsigned k = 0; polynomial != 0 && k < map->tag_bits; k++, power <<= 1) {
        power ^= (power >> map->index_bits & 1) != 0 ? polynomial : 0;
        for (unsigned i = 0; i < map->index_bits; i++) {
            map->by_tag[i] |= (power >> i & 1) << k;
        }
    }
}

static inline void exchange(uint64_t *a, uint64_t *b)
{
    uint64_t held = *a;
    *a = *b;
    *b = held;
}

/* Solves for the low bits: Gauss's elimination, since a set and a tag are one line. */
static inline void solve_rows(line_map *map, uint64_t *low)
{
    for (unsigned i = 0; i < map->index_bits; i++) {
        unsigned pivot = i;
        while (pivot + 1 < map->index_bits && (low[pivot] >> i & 1) == 0) {
            pivot++;
        }
        exchange(&low[i], &low[pivot]);
        exchange(&map->by_tag[i], &map->by_tag[pivot]);
        exchange(&map->by_set[i], &map->by_set[pivot]);
        for (unsigned j = 0; j < map->index_bits; j++) {
            if (j != i && (low[j] >> i & 1) != 0) {
                low[j] ^= low[i];
                map->by_tag[j] ^= map->by_tag[i];
                map->by_set[j] ^= map->by_set[i];
            }
        }
    }
}

static inline line_map map_lines(const gm_cosim_configuration *configuration)
{
    line_map map = {.index_bits = (unsigned)configuration->parameter[INDEX_W][0]};
    uint64_t low[GM_SET_INDEX_BITS];
    map.tag_bits = (unsigned)configuration->parameter[LINE_W][0] - map.index_bits;
    read_rows(configuration, &map, low);
    solve_rows(&map, low);
    return map;
}

/* Returns the line of a tag and a set. */
static inline uint64_t line_of_tag(const line_map *map, uint64_t tag, uint64_t set)
{
    uint64_t line = (tag & gm_mask(map->tag_bits)) << map->index_bits;
    for (unsigned i = 0; i < map->index_bits; i++) {
        line |= (uint64_t)(gm_parity(map->by_tag[i] & tag) ^ gm_parity(map->by_set[i] & set)) << i;
    }
    return line;
}

/* Returns line `number` of a set. */
static inline uint64_t line_of(const line_map *map, uint64_t number, uint64_t set)
{
    uint64_t spread = number & gm_mask(map->tag_bits);
    if (map->one_hot && number <= map->tag_bits) {
        spread = number == 0 ? 0 : UINT64_C(1) << (map->rotation + number - 1) % map->tag_bits;
    } else if (map->rotation != 0) {
        spread = spread << map->rotation | spread >> (map->tag_bits - map->rotation);
    }
    return line_of_tag(map, map->first ^ spread, set);
}

/* Makes the map of a batch. Now and then numbers become other tags; in between lines of earlier
 * batches return. */
static inline line_map next_map(const gm_cosim_configuration *configuration, gm_cosim_plan *plan,
                                gm_cosim_random *random)
{
    enum { STEP = 5, EIGHTH = 7 };
    line_map map = map_lines(configuration);
    uint64_t choice = gm_cosim_random_next(random);
    if (plan->word[PLAN_TURN] == 0 || (choice & EIGHTH) == 0) {
        plan->word[PLAN_SPREAD] = gm_cosim_random_next(random);
        plan->word[PLAN_TURN] = plan->word[PLAN_TURN] == 0 ? 1 + (choice >> 32) : /* anywhere */
                                    plan->word[PLAN_TURN] + STEP;
    }
    map.first = plan->word[PLAN_SPREAD] & gm_mask(map.tag_bits);
    map.one_hot = map.tag_bits > 8 && gm_parity(plan->word[PLAN_SPREAD]) != 0;
    map.rotation = (unsigned)(plan->word[PLAN_TURN] % map.tag_bits);
    return map;
}

#endif

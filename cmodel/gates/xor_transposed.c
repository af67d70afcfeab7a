/* XOR networks by the transposed problem.
 *
 * Reversing every wire of a network for a matrix M gives a network for M transposed, with outputs
 * minus inputs more gates [Fiduccia, "On obtaining upper bounds on the complexity of matrix
 * multiplication", 1973]. For a set-index function the transposed problem is small: from the m unit
 * vectors make, by additions, each column of M, a vector of m <= 16 bits. There the distance of
 * Boyar and Peralta's heuristic ["A new combinational logic minimization technique", SEA 2010], the
 * fewest additions that make a vector from those made so far, is an exact table over all 2^m
 * vectors.
 *
 * Step 1 (extend) chooses the vectors to make. Step 2 (peel) chooses, from the last vector back to
 * the first, the two summands of each vector, so that the reversed network is not deep: in it a
 * vector's load is the sum of 2^depth over the signals that it joins. */
#include "base/random.h"
#include "goldmem/bits.h"
#include "goldmem/xor_network.h"

#include <errno.h>
#include <stdlib.h>

enum { NODES = 1024 }; /* 16 units, 64 columns, at most 14 further vectors for each column */

typedef struct transposed {
    unsigned outputs;
    unsigned nodes;
    uint16_t node[NODES];           /* vectors made so far; the first `outputs` are unit vectors */
    uint16_t target[GM_XOR_INPUTS]; /* different columns of two ones or more */
    unsigned targets;
    uint64_t *random;
    uint64_t limit; /* 2^max_depth */
    /* peel: */
    uint64_t load[NODES]; /* saturates at LOAD_MOST */
    bool gone[NODES];     /* its two summands are chosen */
    uint16_t left[NODES], right[NODES];
    uint16_t order[NODES]; /* nodes in the order in which they were peeled */
    unsigned ordered;
    /* tables over all 2^outputs vectors: */
    uint8_t *length;    /* fewest vectors made so far that add up to the vector */
    uint16_t *position; /* 1 + the vector's node, or 0 */
} transposed;

static const uint64_t load_most = UINT64_C(1) << 40;

static uint16_t column_of(const gm_xor_matrix *matrix, unsigned column)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < matrix->outputs; i++) {
        bits |= (unsigned)(matrix->row[i] >> column & 1) << i;
    }
    return (uint16_t)bits;
}

static void add_node(transposed *t, uint16_t vector)
{
    t->node[t->nodes++] = vector;
    t->position[vector] = (uint16_t)t->nodes;
}

/* Updates `length` for a new vector. A sum uses it at most once, since twice adds up to zero. */
static void update_lengths(transposed *t, uint16_t vector)
{
    for (uint32_t v = 0; v < 1u << t->outputs; v++) {
        uint32_t other = v ^ vector;
        if (v < other) {
            uint8_t one = t->length[v];
            uint8_t two = t->length[other];
            t->length[v] = one <= two + 1 ? one : (uint8_t)(two + 1);
            t->length[other] = two <= one + 1 ? two : (uint8_t)(one + 1);
        }
    }
}

static void start(transposed *t, const gm_xor_matrix *matrix)
{
    for (uint32_t v = 0; v < 1u << t->outputs; v++) {
        t->length[v] = (uint8_t)gm_count_ones(v);
        t->position[v] = 0;
    }
    for (unsigned i = 0; i < t->outputs; i++) {
        add_node(t, (uint16_t)(1u << i));
    }
    for (unsigned column = 0; column < matrix->inputs; column++) {
        uint16_t vector = column_of(matrix, column);
        if (gm_count_ones(vector) >= 2 && t->length[vector] != UINT8_MAX) {
            t->target[t->targets++] = vector;
            t->length[vector] = UINT8_MAX; /* seen */
        }
    }
    for (unsigned i = 0; i < t->targets; i++) {
        t->length[t->target[i]] = (uint8_t)gm_count_ones(t->target[i]);
    }
}

/* Returns the total distance of the targets after `vector` is made, and, to break ties, the
 * unevenness of the distances. */
static uint32_t rate(const transposed *t, uint16_t vector)
{
    uint32_t sum = 0;
    uint32_t squares = 0;
    for (unsigned i = 0; i < t->targets; i++) {
        uint32_t without = t->length[t->target[i]];
        uint32_t with = 1u + t->length[t->target[i] ^ vector];
        uint32_t length = with < without ? with : without;
        sum += length;
        squares += length * length;
    }
    return sum << 16 | (0xffff - squares); /* 64 targets of length 16 give 16384 */
}

/* Returns a target one addition away; 0 when there is none. Breaks ties at random. */
static uint16_t near_target(const transposed *t)
{
    uint16_t chosen = 0;
    unsigned ties = 0;
    for (unsigned i = 0; i < t->targets; i++) {
        if (t->length[t->target[i]] == 2 && gm_random_next(t->random) % ++ties == 0) {
            chosen = t->target[i];
        }
    }
    return chosen;
}

static uint16_t best_sum(const transposed *t)
{
    uint32_t best = UINT32_MAX;
    uint16_t chosen = 0;
    unsigned ties = 0;
    for (unsigned i = 0; i < t->nodes; i++) {
        for (unsigned j = i + 1; j < t->nodes; j++) {
            uint16_t sum = t->node[i] ^ t->node[j];
            uint32_t rating = t->position[sum] == 0 ? rate(t, sum) : UINT32_MAX;
            if (rating > best || rating == UINT32_MAX) {
                continue;
            }
            ties = rating < best ? 1 : ties + 1;
            if (rating < best || gm_random_next(t->random) % ties == 0) {
                chosen = sum;
            }
            best = rating;
        }
    }
    return chosen;
}

static bool all_made(const transposed *t)
{
    for (unsigned i = 0; i < t->targets; i++) {
        if (t->length[t->target[i]] != 1) {
            return false;
        }
    }
    return true;
}

/* Step 1: chooses the vectors. Ends, as each sum brings a target one addition nearer. */
static void extend(transposed *t)
{
    while (!all_made(t)) {
        uint16_t vector = near_target(t);
        vector = vector != 0 ? vector : best_sum(t);
        add_node(t, vector);
        update_lengths(t, vector);
    }
}

/* Returns true if the nodes that are left, without `skipped`, can be made one after another. */
static bool can_do_without(const transposed *t, unsigned skipped)
{
    bool known[NODES] = {false};
    unsigned left = 0;
    for (unsigned i = 0; i < t->nodes; i++) {
        known[i] = i < t->outputs;
        left += !known[i] && !t->gone[i] && i != skipped;
    }
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        for (unsigned i = t->outputs; i < t->nodes; i++) {
            bool wanted = !known[i] && !t->gone[i] && i != skipped;
            for (unsigned j = 0; wanted && j < t->nodes; j++) {
                unsigned other = t->position[t->node[i] ^ t->node[j]];
                if (known[j] && other != 0 && known[other - 1]) {
                    known[i] = moved = true;
                    wanted = false;
                    left--;
                }
            }
        }
    }
    return left == 0;
}

static uint64_t round_up(uint64_t load)
{
    return load <= 1 ? load : UINT64_C(1) << gm_log2_ceil(load);
}

/* Returns the cost in depth of adding `weight` to a node's load. */
static uint64_t cost_of(const transposed *t, unsigned node, uint64_t weight)
{
    uint64_t after = t->load[node] + weight;
    bool unit = node < t->outputs;
    uint64_t cost = unit ? weight + weight * t->load[node] * 2 / t->limit
                         : 2 * (round_up(after) - round_up(t->load[node])) + 1;
    uint64_t over = unit ? after > t->limit : after > t->limit / 2;
    return (cost + over * load_most / 1024) * (48 + gm_random_next(t->random) % 32);
}

/* Chooses the two summands of a node among the nodes left. Returns false if there are none. */
static bool split(transposed *t, unsigned node)
{
    uint64_t weight = round_up(t->load[node]);
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < t->nodes; i++) {
        unsigned other = t->position[t->node[i] ^ t->node[node]];
        if (t->gone[i] || i == node || other == 0 || other - 1 <= i || other - 1 == node ||
            t->gone[other - 1]) {
            continue;
        }
        uint64_t cost = cost_of(t, i, weight) + cost_of(t, other - 1, weight);
        if (cost < least) {
            least = cost;
            t->left[node] = (uint16_t)i;
            t->right[node] = (uint16_t)(other - 1);
        }
    }
    return least != UINT64_MAX;
}

static void add_load(transposed *t, unsigned node, uint64_t weight)
{
    uint64_t after = t->load[node] + weight;
    t->load[node] = after < load_most ? after : load_most;
}

/* Returns the node with the smallest load that is not yet tried; breaks ties at random. */
static unsigned lightest(const transposed *t, const bool *tried)
{
    unsigned chosen = NODES;
    unsigned ties = 0;
    for (unsigned i = t->outputs; i < t->nodes; i++) {
        if (t->gone[i] || tried[i] || (chosen < NODES && t->load[i] > t->load[chosen])) {
            continue;
        }
        ties = chosen == NODES || t->load[i] < t->load[chosen] ? 1 : ties + 1;
        if (ties == 1 || gm_random_next(t->random) % ties == 0) {
            chosen = i;
        }
    }
    return chosen;
}

/* Step 2 for one node: peels a node. One exists always: the nodes left can be made one after
 * another, and the last is a sum of two others. */
static void peel_one(transposed *t)
{
    bool tried[NODES] = {false};
    unsigned node = lightest(t, tried);
    while (!can_do_without(t, node) || (t->load[node] != 0 && !split(t, node))) {
        tried[node] = true;
        node = lightest(t, tried);
    }
    t->gone[node] = true;
    t->order[t->ordered++] = (uint16_t)node;
    if (t->load[node] != 0) { /* else no vector uses the node */
        uint64_t weight = round_up(t->load[node]);
        add_load(t, t->left[node], weight);
        add_load(t, t->right[node], weight);
    }
}

/* The signals that each node joins: a list for each node, since a node may join many signals. */
typedef struct joins {
    uint16_t first[NODES]; /* 1 + entry, or 0 */
    uint16_t next[GM_XOR_INPUTS + 2 * NODES];
    uint16_t signal[GM_XOR_INPUTS + 2 * NODES];
    unsigned entries;
} joins;

static void put(joins *j, unsigned node, unsigned signal)
{
    j->signal[j->entries] = (uint16_t)signal;
    j->next[j->entries] = j->first[node];
    j->first[node] = (uint16_t)++j->entries;
}

static unsigned join_all(const joins *j, unsigned node, gm_xor_network *network, uint8_t *depth)
{
    uint16_t signal[GM_XOR_INPUTS + NODES] = {0};
    unsigned count = 0;
    for (unsigned entry = j->first[node]; entry != 0; entry = j->next[entry - 1]) {
        signal[count++] = j->signal[entry - 1];
    }
    return gm_xor_network_join(network, depth, signal, count);
}

/* Reverses the transposed network: a node joins the inputs whose column it is, and every node of
 * which it is a summand. */
static int reverse(const transposed *t, gm_xor_network *network, const gm_xor_matrix *matrix,
                   gm_error *error)
{
    joins *j = calloc(1, sizeof *j);
    if (j == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    uint8_t depth[GM_XOR_SIGNALS] = {0};
    gm_xor_network_start(network, matrix);
    for (unsigned column = 0; column < matrix->inputs; column++) {
        uint16_t vector = column_of(matrix, column);
        if (vector != 0) {
            put(j, t->position[vector] - 1u, column);
        }
    }
    for (unsigned i = 0; i < t->ordered; i++) {
        unsigned node = t->order[i];
        if (j->first[node] != 0) {
            unsigned value = join_all(j, node, network, depth);
            put(j, t->left[node], value);
            put(j, t->right[node], value);
        }
    }
    for (unsigned i = 0; i < t->outputs; i++) {
        network->output[i] = (uint16_t)join_all(j, i, network, depth);
    }
    free(j);
    return 0;
}

static void count_inputs(transposed *t, const gm_xor_matrix *matrix)
{
    for (unsigned column = 0; column < matrix->inputs; column++) {
        uint16_t vector = column_of(matrix, column);
        if (vector != 0) {
            t->load[t->position[vector] - 1]++;
        }
    }
}

int gm_xor_network_transposed(gm_xor_network *network, const gm_xor_matrix *matrix,
                              unsigned max_depth, uint64_t *random, gm_error *error)
{
    transposed *t = calloc(1, sizeof *t);
    size_t vectors = (size_t)1 << matrix->outputs;
    uint8_t *length = calloc(vectors, sizeof *length);
    uint16_t *position = calloc(vectors, sizeof *position);
    int code = 0;
    if (t == NULL || length == NULL || position == NULL) {
        code = gm_fail(error, -ENOMEM, "out of memory");
    } else {
        t->outputs = matrix->outputs;
        t->random = random;
        t->limit = UINT64_C(1) << max_depth;
        t->length = length;
        t->position = position;
        start(t, matrix);
        extend(t);
        count_inputs(t, matrix);
        while (t->ordered < t->nodes - t->outputs) {
            peel_one(t);
        }
        code = reverse(t, network, matrix, error);
    }
    free(position);
    free(length);
    free(t);
    return code;
}

/* Networks of two-input XOR gates that compute a matrix over GF(2): as written, and with shared
 * terms. They answer what a set-index function costs [khairy, 4.3]. */
#ifndef GOLDMEM_XOR_NETWORK_H
#define GOLDMEM_XOR_NETWORK_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_XOR_INPUTS = 64,
    GM_XOR_OUTPUTS = 16,
    GM_XOR_GATES = GM_XOR_OUTPUTS * (GM_XOR_INPUTS - 1), /* nothing shared, every entry a one */
    GM_XOR_SIGNALS = GM_XOR_INPUTS + GM_XOR_GATES,
    GM_XOR_DEPTHS = 32, /* networks deeper than 31 gates are of no use */
};

/* Output i is the XOR of the inputs in row[i]. No row may be zero. */
typedef struct gm_xor_matrix {
    unsigned inputs, outputs;
    uint64_t row[GM_XOR_OUTPUTS];
} gm_xor_matrix;

/* Signals are numbered: inputs first, then gates in order. A gate reads earlier signals only. */
typedef struct gm_xor_gate {
    uint16_t left, right;
} gm_xor_gate;

typedef struct gm_xor_network {
    unsigned inputs, outputs, gates;
    gm_xor_gate gate[GM_XOR_GATES];
    uint16_t output[GM_XOR_OUTPUTS];
} gm_xor_network;

/* Builds a network step by step. The signal numbers are the caller's to keep. */
void gm_xor_network_start(gm_xor_network *network, const gm_xor_matrix *matrix);
unsigned gm_xor_network_add(gm_xor_network *network, unsigned left, unsigned right);

/* XOR of `count` >= 1 signals with as little depth as their own depths allow; depth[] covers all
 * signals and is kept up to date. `signal` is used up. */
unsigned gm_xor_network_join(gm_xor_network *network, uint8_t *depth, uint16_t *signal,
                             unsigned count);

/* Gates on the longest path from an input to an output. */
unsigned gm_xor_network_depth(const gm_xor_network *network);

/* Most gate inputs and outputs that one signal drives. */
unsigned gm_xor_network_fanout(const gm_xor_network *network);

/* Does the network compute the matrix? It consists of XOR gates, hence is linear, so that the zero
 * vector and each unit vector decide. */
bool gm_xor_network_computes(const gm_xor_network *network, const gm_xor_matrix *matrix);

/* Each row on its own as a balanced tree: sum of (terms - 1) gates, least depth. */
void gm_xor_network_as_written(gm_xor_network *network, const gm_xor_matrix *matrix);

/* Most terms of a row: the fan-in of a gate that computes it at once. */
unsigned gm_xor_matrix_fanin(const gm_xor_matrix *matrix);

/* No network has fewer gates: (inputs in use) - outputs + (different columns of two ones or more).
 * By transposition [Fiduccia 1973]: reversing every wire of a network for M gives one for M
 * transposed, with outputs - inputs more gates, and there each such column takes a gate of its own.
 * The matrix must have full rank, as index functions do. */
unsigned gm_xor_matrix_least_gates(const gm_xor_matrix *matrix);

/* No network is less deep: a row of t terms needs depth ceil(log2(t)). */
unsigned gm_xor_matrix_least_depth(const gm_xor_matrix *matrix);

/* Greedy pair sharing [Paar 1997]: time and again the pair of signals that most rows have in common
 * becomes a gate; ties fall at random (state of splitmix64; NULL: to the
 * first). Depth is at most max_depth,
 * which is at least gm_xor_matrix_least_depth and less than GM_XOR_DEPTHS: a pair is not taken in
 * rows that it would make too deep. */
void gm_xor_network_greedy(gm_xor_network *network, const gm_xor_matrix *matrix, unsigned max_depth,
                           uint64_t *random);

/* Boyar and Peralta's heuristic [2010] in the transposed problem, where distances are exact: its
 * vectors have one bit per output. See cmodel/gates/xor_transposed.c. `max_depth` is what it aims
 * at; it may fail, so look at the result. Returns 0, or -ENOMEM. */
int gm_xor_network_transposed(gm_xor_network *network, const gm_xor_matrix *matrix,
                              unsigned max_depth, uint64_t *random, gm_error *error);

/* The count-depth frontier: best[d] has the fewest gates found at depth d or less; found[d] says
 * that it has fewer than best[d - 1]. */
typedef struct gm_xor_frontier {
    bool found[GM_XOR_DEPTHS];
    gm_xor_network best[GM_XOR_DEPTHS];
} gm_xor_frontier;

/* Fills the frontier from all of the above, with `restarts` random runs of each. Deterministic. */
int gm_xor_search(gm_xor_frontier *frontier, const gm_xor_matrix *matrix, unsigned restarts,
                  uint64_t seed, gm_error *error);

/* The network of the frontier with fewest gates within a depth, the shallower one of equals. NULL
 * when there is none. */
const gm_xor_network *gm_xor_frontier_best(const gm_xor_frontier *frontier, uint64_t max_depth);

/* Writes the network as a SystemVerilog module with ports line_i and index_o; `comment` becomes its
 * first lines (lines separated by newlines). */
void gm_xor_network_write_verilog(const gm_xor_network *network, const char *module,
                                  const char *comment, FILE *file);

#ifdef __cplusplus
}
#endif

#endif

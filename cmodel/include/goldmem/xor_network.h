/* Networks of two-input XOR gates that compute a matrix over GF(2): as written, and with shared
 * terms. They give the hardware cost of a set-index function [khairy, 4.3]. */
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

/* Output i is the XOR of the inputs in row[i]. Requires rows other than zero. */
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

/* Starts a network of inputs only; adds a gate. gm_xor_network_add returns the gate's signal
 * number. */
void gm_xor_network_start(gm_xor_network *network, const gm_xor_matrix *matrix);
unsigned gm_xor_network_add(gm_xor_network *network, unsigned left, unsigned right);

/* Adds the gates for the XOR of `count` >= 1 signals with the least depth that the signals' depths
 * allow; updates depth[], which covers all signals. Overwrites `signal`. Returns the XOR's signal.
 */
unsigned gm_xor_network_join(gm_xor_network *network, uint8_t *depth, uint16_t *signal,
                             unsigned count);

/* Returns the gates on the longest path from an input to an output. */
unsigned gm_xor_network_depth(const gm_xor_network *network);

/* Returns the most gate inputs and outputs that one signal drives. */
unsigned gm_xor_network_fanout(const gm_xor_network *network);

/* Returns true if the network computes the matrix. A network of XOR gates is linear, so that the
 * zero vector and each unit vector decide. */
bool gm_xor_network_computes(const gm_xor_network *network, const gm_xor_matrix *matrix);

/* Builds each row on its own as a balanced tree: sum of (terms - 1) gates, least depth. */
void gm_xor_network_as_written(gm_xor_network *network, const gm_xor_matrix *matrix);

/* Returns the most terms of a row: the fan-in of a single gate that computes the row. */
unsigned gm_xor_matrix_fanin(const gm_xor_matrix *matrix);

/* Returns a lower bound of the gates: (inputs in use) - outputs + (different columns of two ones or
 * more). By transposition [Fiduccia 1973]: reversing every wire of a network for M gives a network
 * for M transposed, with outputs - inputs more gates, in which each such column takes a gate of its
 * own. Requires a matrix of full rank, as index functions have. */
unsigned gm_xor_matrix_least_gates(const gm_xor_matrix *matrix);

/* Returns a lower bound of the depth: a row of t terms needs depth ceil(log2(t)). */
unsigned gm_xor_matrix_least_depth(const gm_xor_matrix *matrix);

/* Greedy pair sharing [Paar 1997]: repeatedly makes a gate of the pair of signals that most rows
 * have in common; breaks ties at random (state of splitmix64; NULL: takes the first). Leaves out a
 * pair in rows that it would make deeper than max_depth. Requires max_depth of at least
 * gm_xor_matrix_least_depth and less than GM_XOR_DEPTHS. */
void gm_xor_network_greedy(gm_xor_network *network, const gm_xor_matrix *matrix, unsigned max_depth,
                           uint64_t *random);

/* Boyar and Peralta's heuristic [2010] in the transposed problem, where distances are exact: its
 * vectors have one bit per output. See cmodel/gates/xor_transposed.c. The network may be deeper
 * than `max_depth`: check the result. Returns 0, or -ENOMEM. */
int gm_xor_network_transposed(gm_xor_network *network, const gm_xor_matrix *matrix,
                              unsigned max_depth, uint64_t *random, gm_error *error);

/* The count-depth frontier: best[d] has the fewest gates found at depth d or less; found[d] says
 * that it has fewer than best[d - 1]. */
typedef struct gm_xor_frontier {
    bool found[GM_XOR_DEPTHS];
    gm_xor_network best[GM_XOR_DEPTHS];
} gm_xor_frontier;

/* Fills the frontier by the methods above, with `restarts` random runs of each. Equal seeds give
 * equal frontiers. Returns 0, -ENOMEM, or -EPROTO if a network does not compute its matrix. */
int gm_xor_search(gm_xor_frontier *frontier, const gm_xor_matrix *matrix, unsigned restarts,
                  uint64_t seed, gm_error *error);

/* Returns the network of the frontier with the fewest gates within a depth, of equals the shallower
 * one; NULL when there is none. */
const gm_xor_network *gm_xor_frontier_best(const gm_xor_frontier *frontier, uint64_t max_depth);

/* Writes the network as a SystemVerilog module with ports line_i and index_o; `comment` becomes its
 * first lines (lines separated by newlines). */
void gm_xor_network_write_verilog(const gm_xor_network *network, const char *module,
                                  const char *comment, FILE *file);

#ifdef __cplusplus
}
#endif

#endif

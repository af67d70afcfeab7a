/* The count-depth frontier of XOR networks for one matrix: the best of many random runs. */
#include "goldmem/xor_network.h"

#include <errno.h>
#include <stdlib.h>

/* Keeps a network at each depth of the frontier where it is better. Checks each network that it
 * keeps. */
static int keep(gm_xor_frontier *frontier, const gm_xor_network *network,
                const gm_xor_matrix *matrix, gm_error *error)
{
    if (!gm_xor_network_computes(network, matrix)) {
        return gm_fail(error, -EPROTO, "a minimised network does not compute its matrix");
    }
    unsigned depth = gm_xor_network_depth(network);
    bool better = depth < GM_XOR_DEPTHS;
    for (unsigned d = 0; better && d <= depth; d++) {
        better = !frontier->found[d] || frontier->best[d].gates > network->gates;
    }
    if (better) {
        frontier->best[depth] = *network;
        frontier->found[depth] = true;
        for (unsigned d = depth + 1; d < GM_XOR_DEPTHS; d++) {
            frontier->found[d] = frontier->found[d] && frontier->best[d].gates < network->gates;
        }
    }
    return 0;
}

static int try_depth(gm_xor_frontier *frontier, gm_xor_network *network,
                     const gm_xor_matrix *matrix, unsigned depth, uint64_t *random, gm_error *error)
{
    gm_xor_network_greedy(network, matrix, depth, random);
    int code = keep(frontier, network, matrix, error);
    if (code == 0) {
        code = gm_xor_network_transposed(network, matrix, depth, random, error);
    }
    return code == 0 ? keep(frontier, network, matrix, error) : code;
}

/* Returns the fewest gates at any depth of the frontier so far. */
static unsigned fewest(const gm_xor_frontier *frontier)
{
    unsigned gates = GM_XOR_GATES + 1;
    for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
        gates =
            frontier->found[d] && frontier->best[d].gates < gates ? frontier->best[d].gates : gates;
    }
    return gates;
}

static bool is_optimal(const gm_xor_frontier *frontier, unsigned depth, unsigned gates)
{
    return frontier->found[depth] && frontier->best[depth].gates == gates;
}

/* Runs the methods for each maximum depth, from the least one to the depth of the fewest gates. */
static int search(gm_xor_frontier *frontier, gm_xor_network *network, const gm_xor_matrix *matrix,
                  unsigned restarts, uint64_t seed, gm_error *error)
{
    unsigned least_depth = gm_xor_matrix_least_depth(matrix);
    unsigned least_gates = gm_xor_matrix_least_gates(matrix);
    gm_xor_network_as_written(network, matrix);
    int code = keep(frontier, network, matrix, error);
    gm_xor_network_greedy(network, matrix, GM_XOR_DEPTHS - 1, NULL);
    code = code == 0 ? keep(frontier, network, matrix, error) : code;
    for (unsigned i = 0; i < restarts && code == 0; i++) {
        uint64_t random = seed + i;
        code = try_depth(frontier, network, matrix, GM_XOR_DEPTHS - 1, &random, error);
        for (unsigned depth = least_depth; code == 0 && depth < GM_XOR_DEPTHS; depth++) {
            code = try_depth(frontier, network, matrix, depth, &random, error);
            if (frontier->found[depth] && frontier->best[depth].gates == fewest(frontier)) {
                break;
            }
        }
        if (is_optimal(frontier, least_depth, least_gates)) {
            break; /* no network is smaller or less deep */
        }
    }
    return code;
}

int gm_xor_search(gm_xor_frontier *frontier, const gm_xor_matrix *matrix, unsigned restarts,
                  uint64_t seed, gm_error *error)
{
    gm_xor_network *network = malloc(sizeof *network);
    if (network == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    for (unsigned d = 0; d < GM_XOR_DEPTHS; d++) {
        frontier->found[d] = false;
    }
    int code = search(frontier, network, matrix, restarts, seed, error);
    free(network);
    return code;
}

const gm_xor_network *gm_xor_frontier_best(const gm_xor_frontier *frontier, uint64_t max_depth)
{
    const gm_xor_network *best = NULL;
    for (unsigned d = 0; d < GM_XOR_DEPTHS && d <= max_depth; d++) {
        best = frontier->found[d] ? &frontier->best[d] : best;
    }
    return best;
}

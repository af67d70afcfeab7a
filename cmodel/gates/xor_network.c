/* XOR networks: construction, depth and fan-out, and the check of the matrix. */
#include "goldmem/xor_network.h"

#include "goldmem/bits.h"

void gm_xor_network_start(gm_xor_network *network, const gm_xor_matrix *matrix)
{
    network->inputs = matrix->inputs;
    network->outputs = matrix->outputs;
    network->gates = 0;
}

unsigned gm_xor_network_add(gm_xor_network *network, unsigned left, unsigned right)
{
    network->gate[network->gates] = (gm_xor_gate){(uint16_t)left, (uint16_t)right};
    return network->inputs + network->gates++;
}

/* Returns the index of the least deep signal. */
static unsigned shallowest(const uint8_t *depth, const uint16_t *signal, unsigned count)
{
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++) {
        best = depth[signal[i]] < depth[signal[best]] ? i : best;
    }
    return best;
}

/* Joining the two least deep first is optimal, as in Huffman's code: the depth is
 * ceil(log2(sum of 2^depth)). */
unsigned gm_xor_network_join(gm_xor_network *network, uint8_t *depth, uint16_t *signal,
                             unsigned count)
{
    while (count > 1) {
        unsigned first = shallowest(depth, signal, count);
        uint16_t left = signal[first];
        signal[first] = signal[--count];
        unsigned second = shallowest(depth, signal, count);
        uint16_t right = signal[second];
        unsigned joined = gm_xor_network_add(network, left, right);
        depth[joined] = (uint8_t)(1 + (depth[left] > depth[right] ? depth[left] : depth[right]));
        signal[second] = (uint16_t)joined;
    }
    return signal[0];
}

unsigned gm_xor_network_depth(const gm_xor_network *network)
{
    uint16_t depth[GM_XOR_SIGNALS] = {0};
    unsigned deepest = 0;
    for (unsigned i = 0; i < network->gates; i++) {
        uint16_t left = depth[network->gate[i].left];
        uint16_t right = depth[network->gate[i].right];
        depth[network->inputs + i] = (uint16_t)(1 + (left > right ? left : right));
    }
    for (unsigned i = 0; i < network->outputs; i++) {
        unsigned at = depth[network->output[i]];
        deepest = at > deepest ? at : deepest;
    }
    return deepest;
}

unsigned gm_xor_network_fanout(const gm_xor_network *network)
{
    uint16_t drives[GM_XOR_SIGNALS] = {0};
    for (unsigned i = 0; i < network->gates; i++) {
        drives[network->gate[i].left]++;
        drives[network->gate[i].right]++;
    }
    for (unsigned i = 0; i < network->outputs; i++) {
        drives[network->output[i]]++;
    }
    unsigned most = 0;
    for (unsigned i = 0; i < network->inputs + network->gates; i++) {
        most = drives[i] > most ? drives[i] : most;
    }
    return most;
}

/* value[s]: the inputs whose unit vector sets signal s. The zero vector sets none. */
bool gm_xor_network_computes(const gm_xor_network *network, const gm_xor_matrix *matrix)
{
    uint64_t value[GM_XOR_SIGNALS];
    if (network->inputs != matrix->inputs || network->outputs != matrix->outputs) {
        return false;
    }
    for (unsigned i = 0; i < network->inputs; i++) {
        value[i] = UINT64_C(1) << i;
    }
    for (unsigned i = 0; i < network->gates; i++) {
        unsigned here = network->inputs + i;
        if (network->gate[i].left >= here || network->gate[i].right >= here) {
            return false;
        }
        value[here] = value[network->gate[i].left] ^ value[network->gate[i].right];
    }
    for (unsigned i = 0; i < network->outputs; i++) {
        if (network->output[i] >= network->inputs + network->gates ||
            value[network->output[i]] != matrix->row[i]) {
            return false;
        }
    }
    return true;
}

void gm_xor_network_as_written(gm_xor_network *network, const gm_xor_matrix *matrix)
{
    uint8_t depth[GM_XOR_SIGNALS] = {0};
    gm_xor_network_start(network, matrix);
    for (unsigned i = 0; i < matrix->outputs; i++) {
        uint16_t signal[GM_XOR_INPUTS] = {0};
        unsigned count = 0;
        for (unsigned column = 0; column < matrix->inputs; column++) {
            if ((matrix->row[i] >> column & 1) != 0) {
                signal[count++] = (uint16_t)column;
            }
        }
        network->output[i] = (uint16_t)gm_xor_network_join(network, depth, signal, count);
    }
}

unsigned gm_xor_matrix_fanin(const gm_xor_matrix *matrix)
{
    unsigned most = 0;
    for (unsigned i = 0; i < matrix->outputs; i++) {
        unsigned terms = gm_count_ones(matrix->row[i]);
        most = terms > most ? terms : most;
    }
    return most;
}

unsigned gm_xor_matrix_least_gates(const gm_xor_matrix *matrix)
{
    uint32_t heavy[GM_XOR_INPUTS];
    unsigned different = 0;
    unsigned used = 0;
    for (unsigned column = 0; column < matrix->inputs; column++) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < matrix->outputs; i++) {
            bits |= (uint32_t)(matrix->row[i] >> column & 1) << i;
        }
        used += bits != 0;
        heavy[different] = bits;
        unsigned first = 0;
        while (heavy[first] != bits) {
            first++;
        }
        different += first == different && gm_count_ones(bits) >= 2;
    }
    return used - matrix->outputs + different;
}

unsigned gm_xor_matrix_least_depth(const gm_xor_matrix *matrix)
{
    unsigned terms = gm_xor_matrix_fanin(matrix);
    return terms == 0 ? 0 : gm_log2_ceil(terms);
}

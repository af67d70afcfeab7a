/* Greedy pair sharing for XOR networks [Paar, "Optimized arithmetic for Reed-Solomon encoders",
 * ISIT 1997], with a bound on the depth. */
#include "base/random.h"
#include "goldmem/bits.h"
#include "goldmem/xor_network.h"

typedef struct sharing {
    gm_xor_network *network;
    unsigned max_depth, outputs;
    uint32_t column[GM_XOR_SIGNALS]; /* rows that contain a signal */
    uint8_t depth[GM_XOR_SIGNALS];
    uint64_t load[GM_XOR_OUTPUTS];   /* sum of 2^depth over a row's signals, at most 2^max_depth */
    uint16_t active[GM_XOR_SIGNALS]; /* signals with a column, ascending */
    unsigned actives;
} sharing;

typedef struct pair {
    unsigned left, right;
    uint32_t rows; /* rows in which the gate replaces the pair */
} pair;

static uint64_t added_load(const sharing *s, unsigned left, unsigned right)
{
    unsigned deeper = s->depth[left] > s->depth[right] ? s->depth[left] : s->depth[right];
    return (UINT64_C(2) << deeper) - (UINT64_C(1) << s->depth[left]) -
           (UINT64_C(1) << s->depth[right]);
}

/* Returns the rows that contain both signals and stay within the depth when the two are joined. */
static uint32_t rows_of(const sharing *s, unsigned left, unsigned right)
{
    uint32_t rows = s->column[left] & s->column[right];
    uint64_t more = added_load(s, left, right);
    for (uint32_t rest = more == 0 ? 0 : rows; rest != 0; rest &= rest - 1) {
        unsigned row = gm_lowest_one(rest);
        if (s->load[row] + more > UINT64_C(1) << s->max_depth) {
            rows &= ~(UINT32_C(1) << row);
        }
    }
    return rows;
}

static pair most_shared(const sharing *s, uint64_t *random)
{
    pair best = {0, 0, 0};
    unsigned most = 1;
    unsigned ties = 0;
    for (unsigned i = 0; i < s->actives; i++) {
        for (unsigned j = i + 1; j < s->actives; j++) {
            unsigned left = s->active[i];
            unsigned right = s->active[j];
            if (gm_count_ones(s->column[left] & s->column[right]) < most) {
                continue;
            }
            uint32_t rows = rows_of(s, left, right);
            unsigned shared = gm_count_ones(rows);
            if (shared < 2 || shared < most) {
                continue;
            }
            ties = shared > most ? 1 : ties + 1;
            if (shared > most || (random != NULL && gm_random_next(random) % ties == 0)) {
                best = (pair){left, right, rows};
                most = shared;
            }
        }
    }
    return best;
}

static void replace(sharing *s, pair p)
{
    unsigned joined = gm_xor_network_add(s->network, p.left, p.right);
    uint64_t more = added_load(s, p.left, p.right);
    unsigned deeper = s->depth[p.left] > s->depth[p.right] ? s->depth[p.left] : s->depth[p.right];
    s->depth[joined] = (uint8_t)(deeper + 1);
    s->column[joined] = p.rows;
    s->column[p.left] &= ~p.rows;
    s->column[p.right] &= ~p.rows;
    for (uint32_t rest = p.rows; rest != 0; rest &= rest - 1) {
        s->load[gm_lowest_one(rest)] += more;
    }
    s->active[s->actives++] = (uint16_t)joined;
    unsigned kept = 0;
    for (unsigned i = 0; i < s->actives; i++) {
        s->active[kept] = s->active[i];
        kept += s->column[s->active[i]] != 0;
    }
    s->actives = kept;
}

void gm_xor_network_greedy(gm_xor_network *network, const gm_xor_matrix *matrix, unsigned max_depth,
                           uint64_t *random)
{
    sharing s = {.network = network, .max_depth = max_depth, .outputs = matrix->outputs};
    gm_xor_network_start(network, matrix);
    for (unsigned column = 0; column < matrix->inputs; column++) {
        for (unsigned i = 0; i < matrix->outputs; i++) {
            s.column[column] |= (uint32_t)(matrix->row[i] >> column & 1) << i;
            s.load[i] += matrix->row[i] >> column & 1;
        }
        s.active[s.actives] = (uint16_t)column;
        s.actives += s.column[column] != 0;
    }
    for (pair p = most_shared(&s, random); p.rows != 0; p = most_shared(&s, random)) {
        replace(&s, p);
    }
    for (unsigned i = 0; i < matrix->outputs; i++) {
        uint16_t signal[GM_XOR_INPUTS] = {0};
        unsigned count = 0;
        for (unsigned k = 0; k < s.actives; k++) {
            if ((s.column[s.active[k]] >> i & 1) != 0) {
                signal[count++] = s.active[k];
            }
        }
        network->output[i] = (uint16_t)gm_xor_network_join(network, s.depth, signal, count);
    }
}

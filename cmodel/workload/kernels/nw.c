/* Needleman-Wunsch sequence alignment [Rodinia, nw; khairy, Table 2; li, Table 1; singh, Table 3
 * (NDL)]: CTAs of 16 threads each fill a 16x16 tile in shared memory along its diagonals; launches
 * sweep the tiles' diagonals. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, PENALTY, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 16, 1 << 14, 1024, false, "length of both sequences, rounded down to 16s"},
    [PENALTY] = {"penalty", 0, 1000, 10, false, "of a gap"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of sequences and similarities"},
    {0},
};

enum { TILE = 16, RESIDUES = 24 };

typedef struct nw {
    const int32_t *reference; /* similarity for each pair of positions */
    int32_t *score;
    uint32_t columns; /* n + 1 */
    int32_t penalty;
    uint32_t x, y; /* tile of CTA 0; CTA k has (x + k, y - k) */
} nw;

typedef struct nw_locals {
    uint32_t m;
} nw_locals;
typedef struct nw_tile {
    int32_t score[TILE + 1][TILE + 1];
    int32_t reference[TILE][TILE];
} nw_tile;

/* Computes the score of the tile's cell (row, column) from its three neighbours. */
#define NW_CELL(t, s, row, column, penalty)                                                        \
    do {                                                                                           \
        int32_t north_west = SHARED_LOAD(t, &(s)->score[(row)-1][(column)-1]);                     \
        int32_t similarity = SHARED_LOAD(t, &(s)->reference[(row)-1][(column)-1]);                 \
        int32_t west = SHARED_LOAD(t, &(s)->score[row][(column)-1]);                               \
        int32_t north = SHARED_LOAD(t, &(s)->score[(row)-1][column]);                              \
        COMPUTE(t, INTEGER, 5);                                                                    \
        int32_t best = north_west + similarity;                                                    \
        best = west - (penalty) > best ? west - (penalty) : best;                                  \
        best = north - (penalty) > best ? north - (penalty) : best;                                \
        SHARED_STORE(t, &(s)->score[row][column], best);                                           \
    } while (0)

GM_THREAD(nw, nw)
{
    nw_locals *l = t->locals;
    nw_tile *s = t->shared;
    uint32_t x = t->thread.x;
    size_t corner = ((size_t)(a->y - t->cta.x) * a->columns + a->x + t->cta.x) * TILE;
    int32_t *score = a->score + corner; /* north-west of the tile */
    const int32_t *reference = a->reference + corner + a->columns + 1;
    BEGIN(t)
    COMPUTE(t, INTEGER, 8);
    if (x == 0) {
        int32_t value = LOAD(t, score);
        SHARED_STORE(t, &s->score[0][0], value);
    }
    for (uint32_t row = 0; row < TILE; row++) {
        int32_t value = LOAD(t, reference + (size_t)row * a->columns + x);
        SHARED_STORE(t, &s->reference[row][x], value);
        LOOP(t);
    }
    BARRIER(t);
    int32_t west = LOAD(t, score + (size_t)(x + 1) * a->columns);
    SHARED_STORE(t, &s->score[x + 1][0], west);
    BARRIER(t);
    int32_t north = LOAD(t, score + x + 1);
    SHARED_STORE(t, &s->score[0][x + 1], north);
    BARRIER(t);
    for (l->m = 0; l->m < TILE; l->m++) {
        COMPUTE(t, INTEGER, 1);
        if (x <= l->m) {
            NW_CELL(t, s, l->m - x + 1, x + 1, a->penalty);
        }
        BARRIER(t);
        LOOP(t);
    }
    for (l->m = TILE - 1; l->m > 0; l->m--) {
        COMPUTE(t, INTEGER, 1);
        if (x < l->m) {
            NW_CELL(t, s, TILE - x, x + TILE + 1 - l->m, a->penalty);
        }
        BARRIER(t);
        LOOP(t);
    }
    for (uint32_t row = 0; row < TILE; row++) {
        int32_t value = SHARED_LOAD(t, &s->score[row + 1][x + 1]);
        STORE(t, score + (size_t)(row + 1) * a->columns + x + 1, value);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(nw, nw, nw_locals, nw_tile)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    size_t n = (size_t)workload->value[N] / TILE * TILE;
    size_t columns = n + 1;
    int32_t *reference =
        gm_workload_input(workload, "reference", columns * columns, sizeof *reference, error);
    int32_t *score = gm_workload_input(workload, "score", columns * columns, sizeof *score, error);
    if (reference == NULL || score == NULL) {
        return error->code;
    }
    /* The similarity of two residues is fixed, in -4..11 as in BLOSUM62; the sequences are random.
     */
    uint64_t seed = (uint64_t)workload->value[SEED];
    int32_t penalty = (int32_t)workload->value[PENALTY];
    for (size_t i = 1; i <= n; i++) {
        uint64_t down = gm_hash64(seed + 2 * i) % RESIDUES;
        for (size_t j = 1; j <= n; j++) {
            uint64_t across = gm_hash64(seed + 2 * j + 1) % RESIDUES;
            reference[i * columns + j] =
                (int32_t)(gm_hash64(seed + (down + 1) * (across + 1) * 1000) % 16) - 4;
        }
        score[i * columns] = -(int32_t)i * penalty;
        score[i] = -(int32_t)i * penalty;
    }
    *(nw *)state = (nw){reference, score, (uint32_t)columns, penalty, 0, 0};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    nw *w = state;
    uint32_t tiles = (w->columns - 1) / TILE;
    uint32_t diagonal = (uint32_t)step;
    if (step >= 2 * (uint64_t)tiles - 1) {
        return 0;
    }
    bool grows = diagonal < tiles;
    w->x = grows ? 0 : diagonal - tiles + 1;
    w->y = grows ? diagonal : tiles - 1;
    launch->code = &nw_code;
    launch->arguments = w;
    launch->block.x = TILE;
    launch->grid.x = grows ? diagonal + 1 : 2 * tiles - 1 - diagonal;
    return 1;
}

extern const gm_workload_definition gm_workload_nw;
const gm_workload_definition gm_workload_nw = {
    .description = {"nw", "Needleman-Wunsch sequence alignment",
                    "Rodinia [khairy, Table 2; li, Table 1; singh, Table 3: NDL]", options},
    .state_bytes = sizeof(nw),
    .setup = setup,
    .launch = launch,
};

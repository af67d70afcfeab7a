/* Placement of a netlist's blocks by simulated annealing, one temperature of the schedule [singh,
 * Table 3 (VPR): "the simulated annealing based placement algorithm from VTR 1.0 ... one iteration
 * in the annealing schedule"; Betz, Rose, VPR: a new packing, placement and routing tool for FPGA
 * research, FPL 1997]. The netlist is drawn at random: nets of blocks that lie near each other in
 * their numbering.
 *
 * Each thread proposes swaps of the blocks of two sites. It tries to lock both, and gives up if
 * another thread has one of them, so that nobody waits; reads the places of all blocks of the two
 * blocks' nets, which others may change meanwhile; and if it accepts the change of the nets' half
 * perimeters, exchanges the two blocks behind a fence. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { GRID, MOVES, CTAS, TEMPERATURE, SEED };
static const gm_workload_option options[] = {
    [GRID] = {"grid", 2, 1 << 10, 32, false, "sites of a row and of a column, each with a block"},
    [MOVES] = {"moves", 1, 1 << 20, 8, false, "swaps that a thread proposes"},
    [CTAS] = {"ctas", 1, 4096, 15, false, "CTAs of 64 threads"},
    [TEMPERATURE] = {"temperature", 1, 1 << 20, 4, false,
                     "of this step, in half perimeters of a net"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of netlist, placement and proposals"},
    {0},
};

enum { BLOCK = 64, FEWEST_PINS = 2, MOST_PINS = 6, NEAR = 4 /* numbers from a pin to the next */ };

typedef struct placement {
    uint32_t *block;     /* [sites] */
    uint32_t *site;      /* [blocks] */
    uint32_t *lock;      /* [sites] 1: locked */
    uint32_t *accepted;  /* swaps, of all threads */
    uint32_t *net_first; /* [nets + 1] in pin[] */
    uint32_t *pin;       /* blocks */
    uint32_t *of_first;  /* [blocks + 1] in of[] */
    uint32_t *of;        /* nets of a block */
    uint32_t side, sites, nets, moves;
    float temperature;
    uint64_t seed;
} placement;

/* The box around some sites. */
typedef struct box {
    uint32_t west, east, north, south;
} box;

typedef struct placement_locals {
    uint64_t random;
    uint32_t move, a, b, mine, block[2], got, count;
    uint32_t which, net, net_end, pin, pin_end, site;
    int32_t change;
    box now, then; /* of a net, before and after the swap */
} placement_locals;

static const box nothing = {UINT32_MAX, 0, UINT32_MAX, 0};

static inline void widen(box *box, uint32_t x, uint32_t y)
{
    box->west = x < box->west ? x : box->west;
    box->east = x > box->east ? x : box->east;
    box->north = y < box->north ? y : box->north;
    box->south = y > box->south ? y : box->south;
}

static inline int32_t half_perimeter(const box *box)
{
    return (int32_t)(box->east - box->west + box->south - box->north);
}

/* Adds a pin at a site to the boxes of its net; the blocks of sites a and b change places. */
static inline void add_pin(const placement *p, placement_locals *l, uint32_t site)
{
    uint32_t after = site == l->a ? l->b : site == l->b ? l->a : site;
    widen(&l->now, site % p->side, site / p->side);
    widen(&l->then, after % p->side, after / p->side);
}

/* Metropolis. */
static inline bool accepts(const placement *p, placement_locals *l)
{
    float chance = (float)gm_random_below(&l->random, 1U << 20) / (float)(1U << 20);
    return l->change <= 0 || chance < expf(-(float)l->change / p->temperature);
}

GM_THREAD(anneal, placement)
{
    placement_locals *l = t->locals;
    BEGIN(t)
    l->random = a->seed + GM_GLOBAL_X(t) * UINT64_C(0x9e3779b97f4a7c15);
    for (l->move = 0; l->move < a->moves; l->move++) {
        l->a = (uint32_t)gm_random_below(&l->random, a->sites);
        l->b = (uint32_t)gm_random_below(&l->random, a->sites - 1);
        l->b += l->b >= l->a;
        COMPUTE(t, INTEGER, 12);
        SYNC_CAS(t, l->mine, a->lock + l->a, 0U, 1U);
        if (l->mine == 0) {
            SYNC_CAS(t, l->mine, a->lock + l->b, 0U, 1U);
            if (l->mine == 0) {
                FENCE(t, GPU);
                SYNC_LOAD(t, l->block[0], a->block + l->a);
                SYNC_LOAD(t, l->block[1], a->block + l->b);
                l->change = 0;
                for (l->which = 0; l->which < 2; l->which++) {
                    l->net = LOAD(t, a->of_first + l->block[l->which]);
                    l->net_end = LOAD(t, a->of_first + l->block[l->which] + 1);
                    for (; l->net < l->net_end; l->net++) {
                        uint32_t net = LOAD(t, a->of + l->net);
                        l->pin = LOAD(t, a->net_first + net);
                        l->pin_end = LOAD(t, a->net_first + net + 1);
                        l->now = l->then = nothing;
                        for (; l->pin < l->pin_end; l->pin++) {
                            uint32_t block = LOAD(t, a->pin + l->pin);
                            COMPUTE(t, INTEGER, 1);
                            SYNC_LOAD(t, l->site, a->site + block);
                            COMPUTE(t, INTEGER, 8);
                            add_pin(a, l, l->site);
                            LOOP(t);
                        }
                        l->change += half_perimeter(&l->then) - half_perimeter(&l->now);
                        COMPUTE(t, INTEGER, 4);
                        LOOP(t);
                    }
                    LOOP(t);
                }
                COMPUTE(t, SPECIAL, 1);
                COMPUTE(t, FP32, 3);
                if (accepts(a, l)) {
                    SYNC_STORE(t, a->block + l->a, l->block[1]);
                    SYNC_STORE(t, a->block + l->b, l->block[0]);
                    SYNC_STORE(t, a->site + l->block[1], l->a);
                    SYNC_STORE(t, a->site + l->block[0], l->b);
                    l->count++;
                }
                FENCE(t, GPU);
                SYNC_STORE(t, a->lock + l->b, 0U);
            }
            SYNC_STORE(t, a->lock + l->a, 0U);
        }
        LOOP(t);
    }
    SYNC_ADD(t, l->got, a->accepted, l->count);
    END(t);
}
GM_SYNC_KERNEL(anneal, placement, placement_locals)

/* Checks that each site has another block, which knows it, and that no lock is held. */
static int check(const placement *p, gm_error *error)
{
    for (uint32_t i = 0; i < p->sites; i++) {
        uint32_t block = p->block[i];
        if (p->lock[i] != 0) {
            return gm_fail(error, -EPROTO, "placement: site %u is locked: %u", i, p->lock[i]);
        }
        if (block >= p->sites || p->site[block] != i) {
            return gm_fail(error, -EPROTO, "placement: site %u has block %u, which is at site %u",
                           i, block, block < p->sites ? p->site[block] : UINT32_MAX);
        }
    }
    return 0;
}

/* Draws nets: for each block one that it drives. Fills in the pins, then the nets of each block. */
static int draw_nets(placement *p, uint64_t *random, gm_workload *workload, gm_error *error)
{
    size_t most = (size_t)p->nets * MOST_PINS;
    p->net_first = gm_workload_input(workload, "net_first", p->nets + (size_t)1, 4, error);
    p->pin = gm_workload_input(workload, "pin", most, sizeof *p->pin, error);
    p->of_first = gm_workload_input(workload, "of_first", p->sites + (size_t)1, 4, error);
    p->of = gm_workload_input(workload, "of", most, sizeof *p->of, error);
    if (p->net_first == NULL || p->pin == NULL || p->of_first == NULL || p->of == NULL) {
        return error->code;
    }
    uint32_t pins = 0;
    for (uint32_t net = 0; net < p->nets; net++) {
        uint32_t count =
            FEWEST_PINS + (uint32_t)gm_random_below(random, MOST_PINS - FEWEST_PINS + 1);
        uint32_t block = net;
        p->net_first[net] = pins;
        for (uint32_t k = 0; k < count; k++) {
            block = (block + (k == 0 ? 0 : 1 + (uint32_t)gm_random_below(random, NEAR))) % p->sites;
            p->pin[pins++] = block;
            p->of_first[block]++;
        }
    }
    p->net_first[p->nets] = pins;
    for (uint32_t block = 1; block <= p->sites; block++) {
        p->of_first[block] += p->of_first[block - 1];
    }
    for (uint32_t net = p->nets; net-- > 0;) { /* fills each block's part from its end */
        for (uint32_t k = p->net_first[net]; k < p->net_first[net + 1]; k++) {
            p->of[--p->of_first[p->pin[k]]] = net;
        }
    }
    return 0;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    placement *p = state;
    uint64_t random = (uint64_t)workload->value[SEED];
    p->side = (uint32_t)workload->value[GRID];
    p->sites = p->nets = p->side * p->side;
    p->moves = (uint32_t)workload->value[MOVES];
    p->temperature = (float)workload->value[TEMPERATURE];
    p->block = gm_workload_input(workload, "block", p->sites, sizeof *p->block, error);
    p->site = gm_workload_input(workload, "site", p->sites, sizeof *p->site, error);
    p->lock = gm_workload_input(workload, "lock", p->sites, sizeof *p->lock, error);
    p->accepted = gm_workload_input(workload, "accepted", 1, sizeof *p->accepted, error);
    if (p->block == NULL || p->site == NULL || p->lock == NULL || p->accepted == NULL) {
        return error->code;
    }
    for (uint32_t i = 0; i < p->sites; i++) {
        p->block[i] = i;
    }
    for (uint32_t i = p->sites - 1; i > 0; i--) {
        uint32_t k = (uint32_t)gm_random_below(&random, i + 1);
        uint32_t block = p->block[i];
        p->block[i] = p->block[k];
        p->block[k] = block;
    }
    for (uint32_t i = 0; i < p->sites; i++) {
        p->site[p->block[i]] = i;
    }
    p->seed = random;
    return draw_nets(p, &random, workload, error);
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    if (step == 1) {
        return check(state, error);
    }
    launch->code = &anneal_code;
    launch->arguments = state;
    launch->block.x = BLOCK;
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return 1;
}

extern const gm_workload_definition gm_workload_placement;
const gm_workload_definition gm_workload_placement = {
    .description = {"placement", "annealing of a netlist's placement, swaps under locks",
                    "after [singh] (VPR)", options},
    .state_bytes = sizeof(placement),
    .setup = setup,
    .launch = launch,
    .communicates = true,
};

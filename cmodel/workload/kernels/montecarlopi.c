/* Estimation of pi by random points in a square [CUDA samples, MC_EstimatePiInlineP; khairy, Table
 * 2 (PEst): friendly]. The paper does not say which of the samples it runs; this is the one whose
 * random numbers are made in its own kernels, by XORWOW [Marsaglia, Xorshift RNGs, Journal of
 * Statistical Software 8(14), 2003]. The first kernel gives each thread a generator that is 2^67
 * numbers away from its neighbour's: products of the state with matrices of bits, a matrix for each
 * digit of the thread's number to the base 4, which all threads read. The second counts the points
 * in the circle. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <string.h>

enum { POINTS, CTAS, SPACING, SEED };
static const gm_workload_option options[] = {
    [POINTS] = {"points", 1, 1 << 28, 100000, false, "random points"},
    [CTAS] = {"ctas", 1, 4096, 45, false, "CTAs of 128 threads"},
    [SPACING] = {"spacing", 0, 160, 67, false, "log2 of the numbers between threads' generators"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the generators"},
    {0},
};

enum { BLOCK = 128, WORDS = 5, BITS = 32 * WORDS, DIGITS = 10 /* of 4096 BLOCKs, base 4 */ };

/* Row i is what bit i of a state becomes. */
typedef struct matrix {
    uint32_t row[BITS][WORDS];
} matrix;

/* A thread's generator as cuRAND keeps it, with room for what its other distributions need. */
typedef struct generator {
    uint32_t counter, word[WORDS];
    int32_t flag[2];
    float extra;
    uint32_t unused;
    double extra_double;
} generator;

typedef struct montecarlopi {
    const matrix *jump; /* [digit]: 4^digit * 2^spacing steps */
    generator *state;   /* [thread] */
    uint32_t *inside;   /* [CTA] */
    uint32_t points;
    uint32_t first[WORDS]; /* of thread 0 */
} montecarlopi;

enum { FIRST_COUNTER = 6615241, COUNTER_STEP = 362437 };

static inline void step_words(uint32_t word[WORDS])
{
    uint32_t mixed = word[0] ^ word[0] >> 2;
    for (int i = 0; i < WORDS - 1; i++) {
        word[i] = word[i + 1];
    }
    word[WORDS - 1] ^= word[WORDS - 1] << 4 ^ mixed ^ mixed << 1;
}

/* Returns the next number, from 0 (exclusive) to 1, as cuRAND rounds it. */
static inline float next_uniform(uint32_t *counter, uint32_t word[WORDS])
{
    step_words(word);
    *counter += COUNTER_STEP;
    return (float)(word[WORDS - 1] + *counter) * 0x1p-32F + 0x1p-33F;
}

#define XOR_WORD(k)     product[k] ^= LOAD(t, &a->jump[digit].row[bit][k]);
#define KEEP_WORD(k)    STORE(t, &a->state[thread].word[k], word[k]);
#define LOAD_WORD(k)    word[k] = LOAD(t, &a->state[thread].word[k]);
#define FIVE(STATEMENT) STATEMENT(0) STATEMENT(1) STATEMENT(2) STATEMENT(3) STATEMENT(4)

GM_THREAD(initialise, montecarlopi)
{
    uint32_t thread = GM_GLOBAL_X(t);
    uint32_t word[WORDS];
    memcpy(word, a->first, sizeof word);
    COMPUTE(t, INTEGER, 20);
    uint32_t digit = 0;
    for (uint32_t rest = thread; rest != 0; rest /= 4) {
        for (uint32_t left = rest % 4; left > 0; left--) {
            uint32_t product[WORDS] = {0};
            for (uint32_t bit = 0; bit < BITS; bit++) {
                COMPUTE(t, INTEGER, 3);
                if ((word[bit / 32] >> bit % 32 & 1U) != 0) {
                    FIVE(XOR_WORD)
                    COMPUTE(t, INTEGER, 5);
                }
                LOOP(t);
            }
            memcpy(word, product, sizeof word);
            LOOP(t);
        }
        digit++;
        COMPUTE(t, INTEGER, 3);
        LOOP(t);
    }
    COMPUTE(t, INTEGER, 2);
    STORE(t, &a->state[thread].counter, (uint32_t)FIRST_COUNTER);
    FIVE(KEEP_WORD)
    STORE(t, &a->state[thread].flag[0], 0);
    STORE(t, &a->state[thread].flag[1], 0);
}
GM_KERNEL(initialise, montecarlopi)

typedef struct counts {
    uint32_t inside[BLOCK];
} counts;
typedef struct count_locals {
    uint32_t half;
} count_locals;

GM_PARTS(count)

GM_PART(draw, montecarlopi)
{
    counts *s = t->shared;
    uint32_t thread = GM_GLOBAL_X(t);
    uint32_t word[WORDS];
    COMPUTE(t, INTEGER, 3);
    uint32_t counter = LOAD(t, &a->state[thread].counter);
    FIVE(LOAD_WORD)
    uint32_t inside = 0;
    for (uint32_t i = thread; i < a->points; i += t->grid.x * BLOCK) {
        float x = next_uniform(&counter, word);
        float y = next_uniform(&counter, word);
        COMPUTE(t, INTEGER, 18);
        COMPUTE(t, FP32, 6);
        inside += x * x + y * y < 1.0F;
        COMPUTE(t, INTEGER, 2);
        LOOP(t);
    }
    SHARED_STORE(t, &s->inside[t->thread.x], inside);
}
GM_POINT(before_fold)

GM_PART(fold, montecarlopi)
{
    (void)a;
    counts *s = t->shared;
    const count_locals *l = t->locals;
    if (t->thread.x < l->half) {
        uint32_t upper = SHARED_LOAD(t, &s->inside[t->thread.x + l->half]);
        uint32_t lower = SHARED_LOAD(t, &s->inside[t->thread.x]);
        COMPUTE(t, INTEGER, 1);
        SHARED_STORE(t, &s->inside[t->thread.x], lower + upper);
    }
    LOOP(t);
}
GM_POINT(folded)

GM_PART(conclude, montecarlopi)
{
    counts *s = t->shared;
    if (t->thread.x == 0) {
        uint32_t inside = SHARED_LOAD(t, &s->inside[0]);
        STORE(t, a->inside + t->cta.x, inside);
    }
}

GM_WHOLE(count, montecarlopi)
{
    count_locals *l = t->locals;
    BEGIN(t)
    draw(t, a);
    for (l->half = BLOCK / 2; l->half > 0; l->half /= 2) {
        BARRIER_AT(t, before_fold);
        fold(t, a);
    }
    BARRIER_AT(t, folded);
    conclude(t, a);
    END(t);
}
GM_BARRIER_KERNEL(count, montecarlopi, count_locals, counts)

/* Multiplies the state by m. */
static void multiply_state(uint32_t word[WORDS], const matrix *m)
{
    uint32_t product[WORDS] = {0};
    for (uint32_t bit = 0; bit < BITS; bit++) {
        for (uint32_t k = 0; k < WORDS && (word[bit / 32] >> bit % 32 & 1U) != 0; k++) {
            product[k] ^= m->row[bit][k];
        }
    }
    memcpy(word, product, sizeof product);
}

/* m = m * m. */
static void square(matrix *m)
{
    matrix before = *m;
    for (uint32_t bit = 0; bit < BITS; bit++) {
        multiply_state(m->row[bit], &before);
    }
}

static void fill_jumps(matrix jump[DIGITS], int64_t spacing)
{
    matrix m = {0};
    for (uint32_t bit = 0; bit < BITS; bit++) {
        m.row[bit][bit / 32] = 1U << bit % 32;
        step_words(m.row[bit]);
    }
    for (int64_t i = 0; i < spacing; i++) {
        square(&m);
    }
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        jump[digit] = m;
        square(&m);
        square(&m);
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    montecarlopi *s = state;
    size_t ctas = (size_t)workload->value[CTAS];
    matrix *jump = gm_workload_input(workload, "jumps", DIGITS, sizeof *jump, error);
    s->state = gm_workload_output(workload, "states", ctas * BLOCK, sizeof *s->state, error);
    s->inside = gm_workload_output(workload, "inside", ctas, sizeof *s->inside, error);
    if (jump == NULL || s->state == NULL || s->inside == NULL) {
        return error->code;
    }
    fill_jumps(jump, workload->value[SPACING]);
    s->jump = jump;
    s->points = (uint32_t)workload->value[POINTS];
    uint64_t random = (uint64_t)workload->value[SEED];
    for (int i = 0; i < WORDS; i++) {
        s->first[i] = (uint32_t)gm_random_next(&random) | (i == 0); /* not all 0 */
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    launch->code = step == 0 ? &initialise_code : &count_code;
    launch->arguments = state;
    launch->block.x = BLOCK;
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return step < 2;
}

extern const gm_workload_definition gm_workload_montecarlopi;
const gm_workload_definition gm_workload_montecarlopi = {
    .description = {"montecarlopi", "pi by random points, generators in global memory",
                    "CUDA samples [khairy, Table 2: PEst]", options},
    .state_bytes = sizeof(montecarlopi),
    .setup = setup,
    .launch = launch,
};

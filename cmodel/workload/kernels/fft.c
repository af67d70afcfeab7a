/* Fourier transforms of 512 complex numbers each [li, Table 1 (FFT): cache insensitive]: a CTA of
 * 64 threads loads a signal, eight numbers a thread, and keeps it in registers and in shared memory
 * until the spectrum is stored. The paper's is "an optimized version fully utilizing on-chip memory
 * [33]" (Yang and others, Shared memory multiplexing, PACT 2012), of which it says no more; length
 * and radix are a modelling choice, with as many threads (65536 by default) as divide its count of
 * instructions.
 *
 * Three passes of eight-point transforms. With n = 64 a + 8 b + u and k = r + 8 s + 64 v, w(m)
 * being exp(-2 pi i / m):
 *
 *   first:  over a, in thread 8 b + u;  times w(512)^((8 b + u) r)
 *   second: over b, in thread 8 r + u;  times w(64)^(u s)
 *   third:  over u, in thread r + 8 s
 *
 * Between them the numbers change threads through shared memory, in rows of lengths that put the 32
 * lanes into 32 banks both when they store and when they load. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { TRANSFORMS, SEED };
static const gm_workload_option options[] = {
    [TRANSFORMS] = {"transforms", 1, 1 << 16, 1024, false, "signals of 512 complex numbers"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the signals"},
    {0},
};

enum { RADIX = 8, POINTS = 512, BLOCK = POINTS / RADIX };
enum { FIRST_ROW = 72 /* = 8 mod 32 */, SECOND_ROW = 68 /* = 4 mod 32 */ };

typedef struct complex8 {
    float re, im;
} complex8;

typedef struct fft {
    const complex8 *signal;
    complex8 *spectrum;
    uint32_t transforms;
} fft;

typedef struct fft_locals {
    complex8 value[RADIX]; /* in registers */
} fft_locals;
typedef struct fft_shared {
    float re[RADIX * FIRST_ROW], im[RADIX * FIRST_ROW];
} fft_shared;

static inline complex8 add(complex8 x, complex8 y)
{
    return (complex8){x.re + y.re, x.im + y.im};
}
static inline complex8 subtract(complex8 x, complex8 y)
{
    return (complex8){x.re - y.re, x.im - y.im};
}
static inline complex8 times(complex8 x, complex8 y)
{
    return (complex8){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* Returns w(n)^k, computed as a GPU's sine and cosine do. */
static inline complex8 root(uint32_t n, uint32_t k)
{
    float angle = -6.28318530717958648F * (float)k / (float)n;
    return (complex8){cosf(angle), sinf(angle)};
}

/* In place, by decimation in frequency: three stages, whose results come out with the bits of their
 * places reversed. 24 sums and differences of complex numbers, 2 products with (1 - i) / sqrt(2)
 * and the like. */
static inline void transform8(complex8 value[RADIX])
{
    for (uint32_t half = RADIX / 2; half > 0; half /= 2) {
        for (uint32_t i = 0; i < RADIX; i++) {
            if ((i & half) == 0) {
                complex8 low = value[i];
                complex8 high = value[i + half];
                value[i] = add(low, high);
                value[i + half] = times(subtract(low, high), root(2 * half, i % half));
            }
        }
    }
    static const uint32_t exchanged[][2] = {{1, 4}, {3, 6}};
    for (uint32_t i = 0; i < 2; i++) {
        complex8 kept = value[exchanged[i][0]];
        value[exchanged[i][0]] = value[exchanged[i][1]];
        value[exchanged[i][1]] = kept;
    }
}

/* Multiplies value[j] by w(n)^(j k). */
static inline void twiddle(complex8 value[RADIX], uint32_t n, uint32_t k)
{
    for (uint32_t j = 1; j < RADIX; j++) {
        value[j] = times(value[j], root(n, j * k));
    }
}

/* Loops that a compiler unrolls, since registers have no index: a statement for each j. */
#define EIGHT(STATEMENT)                                                                           \
    STATEMENT(0)                                                                                   \
    STATEMENT(1) STATEMENT(2) STATEMENT(3) STATEMENT(4) STATEMENT(5) STATEMENT(6) STATEMENT(7)

#define LOAD_SIGNAL(j)    value[j] = LOAD(t, a->signal + at + BLOCK * (j));
#define STORE_SPECTRUM(j) STORE(t, a->spectrum + at + BLOCK * (j), value[j]);
#define PUT(j)                                                                                     \
    SHARED_STORE(t, &s->re[place + step * (j)], value[j].re);                                      \
    SHARED_STORE(t, &s->im[place + step * (j)], value[j].im);
#define GET(j)                                                                                     \
    value[j].re = SHARED_LOAD(t, &s->re[place + step * (j)]);                                      \
    value[j].im = SHARED_LOAD(t, &s->im[place + step * (j)]);

/* The instructions of transform8, and of twiddle: seven angles, sines, cosines, products. */
#define COMPUTE_TRANSFORM(t) COMPUTE(t, FP32, 56)
#define COMPUTE_TWIDDLE(t)                                                                         \
    do {                                                                                           \
        COMPUTE(t, FP32, 7);                                                                       \
        COMPUTE(t, SPECIAL, 14);                                                                   \
        COMPUTE(t, FP32, 28);                                                                      \
    } while (0)

GM_THREAD(fft512, fft)
{
    fft_locals *l = t->locals;
    fft_shared *s = t->shared;
    complex8 *value = l->value;
    uint32_t x = t->thread.x;
    uint32_t at = t->cta.x * POINTS + x;
    uint32_t low = x % RADIX;
    uint32_t high = x / RADIX;
    uint32_t place = 0; /* in shared memory; and the distance to the thread's next number */
    uint32_t step = 0;
    BEGIN(t)
    COMPUTE(t, INTEGER, 4);
    EIGHT(LOAD_SIGNAL)
    COMPUTE_TRANSFORM(t);
    transform8(value);
    COMPUTE_TWIDDLE(t);
    twiddle(value, POINTS, x);
    COMPUTE(t, INTEGER, 1);
    place = x;
    step = FIRST_ROW;
    EIGHT(PUT)
    BARRIER(t);
    COMPUTE(t, INTEGER, 3);
    place = high * FIRST_ROW + low;
    step = RADIX;
    EIGHT(GET)
    BARRIER(t);
    COMPUTE_TRANSFORM(t);
    transform8(value);
    COMPUTE_TWIDDLE(t);
    twiddle(value, BLOCK, low);
    COMPUTE(t, INTEGER, 2);
    place = low * SECOND_ROW + high;
    step = RADIX;
    EIGHT(PUT)
    BARRIER(t);
    COMPUTE(t, INTEGER, 1);
    place = x;
    step = SECOND_ROW;
    EIGHT(GET)
    COMPUTE_TRANSFORM(t);
    transform8(value);
    EIGHT(STORE_SPECTRUM)
    END(t);
}
GM_BARRIER_KERNEL(fft512, fft, fft_locals, fft_shared)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    uint32_t transforms = (uint32_t)workload->value[TRANSFORMS];
    size_t count = (size_t)transforms * POINTS;
    complex8 *signal = gm_workload_input(workload, "signal", count, sizeof *signal, error);
    complex8 *spectrum = gm_workload_output(workload, "spectrum", count, sizeof *spectrum, error);
    if (signal == NULL || spectrum == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < count; i++) {
        signal[i].re = gm_random_float(&random, -1.0F, 1.0F);
        signal[i].im = gm_random_float(&random, -1.0F, 1.0F);
    }
    *(fft *)state = (fft){signal, spectrum, transforms};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const fft *f = state;
    launch->code = &fft512_code;
    launch->arguments = f;
    launch->block.x = BLOCK;
    launch->grid.x = f->transforms;
    return step == 0;
}

extern const gm_workload_definition gm_workload_fft;
const gm_workload_definition gm_workload_fft = {
    .description = {"fft", "512-point Fourier transforms in registers and shared memory",
                    "after [33] of li [li, Table 1: FFT, cache insensitive]", options},
    .state_bytes = sizeof(fft),
    .setup = setup,
    .launch = launch,
};

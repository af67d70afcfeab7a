/* Hashes of overlapping windows of data, to find blocks that are stored already [Bakhoda et al.,
 * Analyzing CUDA workloads, ISPASS 2009: STO; StoreGPU: Al-Kiswany et al., HPDC 2008]. A thread a
 * window: it copies 64 bytes of it at a time to shared memory, word k of a warp's threads side by
 * side, so that no bank conflicts arise, and computes SHA-1 [FIPS 180-4] or MD5 [RFC 1321] there.
 * As in the original the first four bytes of a hash are kept, and a CTA takes 16256 bytes of shared
 * memory. `offset` as long as a window: separate blocks, its direct hashing. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { WINDOWS, WINDOW, OFFSET, MD5, SEED };
static const gm_workload_option options[] = {
    [WINDOWS] = {"windows", 1, 1 << 22, 110000, false, "windows, a thread each"},
    [WINDOW] = {"window", 52, 2036, 52, false, "bytes of a window, 64 n - 12"},
    [OFFSET] = {"offset", 4, 2036, 4, false, "bytes from one to the next, a multiple of 4"},
    [MD5] = {"md5", 0, 1, 0, false, "0: SHA-1; 1: MD5"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the data"},
    {0},
};

enum { BLOCK = 128, WORDS = 16, WARP = 32, SHARED_WORDS = 4 * 1024 - 32 };

typedef struct storegpu {
    const uint32_t *data;
    uint32_t *hash;
    uint32_t windows, window, offset; /* in words */
} storegpu;

typedef struct words {
    uint32_t word[SHARED_WORDS];
} words;

static inline uint32_t rotated(uint32_t value, unsigned bits)
{
    return value << bits | value >> (32 - bits);
}

/* A thread's word k in shared memory. */
#define WORD(t, k)                                                                                 \
    (&((words *)(t)->shared)                                                                       \
          ->word[((t)->thread.x / WARP * WORDS + (k)) * WARP + (t)->thread.x % WARP])

/* Returns the word behind a window's end: a one bit, zeros, then its length in bits, the high word
 * first or last. */
static inline uint32_t padding(uint32_t behind, uint32_t window, bool big_endian)
{
    uint32_t low = big_endian ? 2 : 1;
    return behind == 0 ? 0x80 : behind == low ? window * 32 : 0;
}

/* Copies the 16 words from `from` on of a window to shared memory. */
#define COPY(t, a, first, from, big_endian)                                                        \
    for (uint32_t k = 0; k < WORDS; k++) {                                                         \
        COMPUTE(t, INTEGER, 3);                                                                    \
        if ((from) + k < (a)->window) {                                                            \
            uint32_t value = LOAD(t, (first) + (from) + k);                                        \
            COMPUTE(t, INTEGER, (big_endian) ? 3 : 1);                                             \
            SHARED_STORE(t, WORD(t, k), (big_endian) ? __builtin_bswap32(value) : value);          \
        } else {                                                                                   \
            uint32_t value = padding((from) + k - (a)->window, (a)->window, big_endian);           \
            bool bit = (big_endian) && (from) + k == (a)->window;                                  \
            SHARED_STORE(t, WORD(t, k), bit ? __builtin_bswap32(value) : value);                   \
        }                                                                                          \
        LOOP(t);                                                                                   \
    }

static inline uint32_t sha1_function(uint32_t round, uint32_t b, uint32_t c, uint32_t d)
{
    switch (round / 20) {
    case 0:
        return ((b & c) | (~b & d)) + 0x5a827999U;
    case 1:
        return (b ^ c ^ d) + 0x6ed9eba1U;
    case 2:
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcU;
    default:
        return (b ^ c ^ d) + 0xca62c1d6U;
    }
}

GM_THREAD(sha1, storegpu)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 4);
    if (i < a->windows) {
        const uint32_t *first = a->data + (size_t)i * a->offset;
        uint32_t h[5] = {0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U, 0xc3d2e1f0U};
        for (uint32_t from = 0; from < a->window; from += WORDS) {
            COPY(t, a, first, from, true)
            uint32_t v[5] = {h[0], h[1], h[2], h[3], h[4]};
            for (uint32_t round = 0; round < 80; round++) {
                uint32_t word = SHARED_LOAD(t, WORD(t, round % WORDS));
                if (round >= WORDS) {
                    uint32_t by_3 = SHARED_LOAD(t, WORD(t, (round + 13) % WORDS));
                    uint32_t by_8 = SHARED_LOAD(t, WORD(t, (round + 8) % WORDS));
                    uint32_t by_14 = SHARED_LOAD(t, WORD(t, (round + 2) % WORDS));
                    COMPUTE(t, INTEGER, 5);
                    word = rotated(word ^ by_3 ^ by_8 ^ by_14, 1);
                    SHARED_STORE(t, WORD(t, round % WORDS), word);
                }
                uint32_t next = rotated(v[0], 5) + sha1_function(round, v[1], v[2], v[3]) + v[4];
                COMPUTE(t, INTEGER, 9);
                v[4] = v[3];
                v[3] = v[2];
                v[2] = rotated(v[1], 30);
                v[1] = v[0];
                v[0] = next + word;
                LOOP(t);
            }
            COMPUTE(t, INTEGER, 5);
            for (uint32_t k = 0; k < 5; k++) {
                h[k] += v[k];
            }
            LOOP(t);
        }
        COMPUTE(t, INTEGER, 3);
        STORE(t, a->hash + i, __builtin_bswap32(h[0]));
    }
}
GM_KERNEL_OF(sha1, storegpu, 0, sizeof(words), false)

/* The parts of 2^32 that are |sin(1)|, |sin(2)|, ... [RFC 1321, 3.4]; in constant memory. */
static const uint32_t md5_sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/* Returns a round's function of three words, and its word's place and rotation. */
static inline uint32_t md5_function(uint32_t round, uint32_t b, uint32_t c, uint32_t d,
                                    uint32_t *place, unsigned *bits)
{
    static const unsigned rotations[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    *bits = rotations[round / 16][round % 4];
    switch (round / 16) {
    case 0:
        *place = round;
        return (b & c) | (~b & d);
    case 1:
        *place = (5 * round + 1) % WORDS;
        return (b & d) | (c & ~d);
    case 2:
        *place = (3 * round + 5) % WORDS;
        return b ^ c ^ d;
    default:
        *place = 7 * round % WORDS;
        return c ^ (b | ~d);
    }
}

GM_THREAD(md5, storegpu)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 4);
    if (i < a->windows) {
        const uint32_t *first = a->data + (size_t)i * a->offset;
        uint32_t h[4] = {0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U};
        for (uint32_t from = 0; from < a->window; from += WORDS) {
            COPY(t, a, first, from, false)
            uint32_t v[4] = {h[0], h[1], h[2], h[3]};
            for (uint32_t round = 0; round < 64; round++) {
                uint32_t place;
                unsigned bits;
                uint32_t sum = md5_function(round, v[1], v[2], v[3], &place, &bits);
                uint32_t word = SHARED_LOAD(t, WORD(t, place));
                sum += v[0] + word + md5_sines[round];
                COMPUTE(t, INTEGER, 8);
                v[0] = v[3];
                v[3] = v[2];
                v[2] = v[1];
                v[1] += rotated(sum, bits);
                LOOP(t);
            }
            COMPUTE(t, INTEGER, 4);
            for (uint32_t k = 0; k < 4; k++) {
                h[k] += v[k];
            }
            LOOP(t);
        }
        COMPUTE(t, INTEGER, 1);
        STORE(t, a->hash + i, h[0]);
    }
}
GM_KERNEL_OF(md5, storegpu, 0, sizeof(words), false)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    storegpu *s = state;
    if (workload->value[WINDOW] % 64 != 52) {
        return gm_fail(error, -EINVAL,
                       "workload storegpu: window=%d is not a multiple of 64 less 12",
                       (int)workload->value[WINDOW]);
    }
    if (workload->value[OFFSET] % 4 != 0) {
        return gm_fail(error, -EINVAL, "workload storegpu: offset=%d is not a multiple of 4",
                       (int)workload->value[OFFSET]);
    }
    s->windows = (uint32_t)workload->value[WINDOWS];
    s->window = (uint32_t)workload->value[WINDOW] / 4;
    s->offset = (uint32_t)workload->value[OFFSET] / 4;
    size_t count = (size_t)(s->windows - 1) * s->offset + s->window;
    uint32_t *data = gm_workload_input(workload, "data", count, sizeof *data, error);
    s->hash = gm_workload_output(workload, "hashes", s->windows, sizeof *s->hash, error);
    if (data == NULL || s->hash == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < count; i++) {
        data[i] = (uint32_t)(gm_random_next(&random) >> 32);
    }
    s->data = data;
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    const storegpu *s = state;
    launch->code = workload->value[MD5] != 0 ? &md5_code : &sha1_code;
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = gm_blocks(s->windows, BLOCK);
    return step < 1;
}

extern const gm_workload_definition gm_workload_storegpu;
const gm_workload_definition gm_workload_storegpu = {
    .description = {"storegpu", "SHA-1 or MD5 of overlapping windows, in shared memory",
                    "ISPASS 2009 suite (STO)", options},
    .state_bytes = sizeof(storegpu),
    .setup = setup,
    .launch = launch,
};

/* Set indices of an array of line addresses: the fast path of the set_index block. On processors
 * with GFNI and AVX-512, eight addresses at a time: each byte of an address is multiplied by its
 * own 8 x 8 matrix over GF(2). */
#include "blocks/set_index_batch.h"

#include "goldmem/bits.h"

void gm_set_index_batch_portable(const gm_set_index *function, const uint64_t *line,
                                 uint32_t *index, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        index[i] = gm_set_index_of(function, line[i]);
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define GM_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,gfni")))

bool gm_set_index_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("gfni");
}

/* Matrices for GF2P8AFFINEQB: qword j maps address byte j to index bits first .. first + 7. Byte
 * 7 - i of a qword is the mask of output bit i. */
static void fill_matrices(const gm_set_index *function, unsigned first, uint64_t matrix[8])
{
    for (unsigned j = 0; j < 8; j++) {
        matrix[j] = 0;
        for (unsigned i = 0; i < 8 && first + i < function->bits; i++) {
            matrix[j] |= (function->row[first + i] >> 8 * j & 0xff) << 8 * (7 - i);
        }
    }
}

/* Returns byte j of eight addresses, gathered in qword j. */
GM_AVX512 static __m512i load_by_byte(const uint64_t *line)
{
    const __m512i offset = _mm512_set_epi64(
        0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05, 0x3c342c241c140c04,
        0x3b332b231b130b03, 0x3a322a221a120a02, 0x3931292119110901, 0x3830282018100800);
    return _mm512_permutexvar_epi8(offset, _mm512_loadu_si512(line));
}

/* Returns the XOR of the eight qwords, in the lowest of the result. */
GM_AVX512 static __m128i fold(__m512i parts)
{
    __m256i half =
        _mm256_xor_si256(_mm512_castsi512_si256(parts), _mm512_extracti64x4_epi64(parts, 1));
    __m128i quarter =
        _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return _mm_xor_si128(quarter, _mm_unpackhi_epi64(quarter, quarter));
}

GM_AVX512 void gm_set_index_batch_avx512(const gm_set_index *function, const uint64_t *line,
                                         uint32_t *index, uint64_t count)
{
    uint64_t matrix[2][8];
    fill_matrices(function, 0, matrix[0]);
    fill_matrices(function, 8, matrix[1]);
    const __m512i low = _mm512_loadu_si512(matrix[0]);
    const __m512i high = _mm512_loadu_si512(matrix[1]);
    bool wide = function->bits > 8;
    uint64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m512i bytes = load_by_byte(line + i);
        __m128i result = fold(_mm512_gf2p8affine_epi64_epi8(bytes, low, 0));
        if (wide) {
            __m128i upper = fold(_mm512_gf2p8affine_epi64_epi8(bytes, high, 0));
            result = _mm_unpacklo_epi8(result, upper);
            _mm256_storeu_si256((__m256i *)(index + i), _mm256_cvtepu16_epi32(result));
        } else {
            _mm256_storeu_si256((__m256i *)(index + i), _mm256_cvtepu8_epi32(result));
        }
    }
    gm_set_index_batch_portable(function, line + i, index + i, count - i);
}

#else

bool gm_set_index_has_avx512(void)
{
    return false;
}

void gm_set_index_batch_avx512(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                               uint64_t count)
{
    gm_set_index_batch_portable(function, line, index, count);
}

#endif

void gm_set_index_batch(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                        uint64_t count)
{
    enum { WORTH_THE_SETUP = 64 };
    if (count >= WORTH_THE_SETUP && gm_set_index_is_linear(function) && gm_set_index_has_avx512()) {
        gm_set_index_batch_avx512(function, line, index, count);
    } else {
        gm_set_index_batch_portable(function, line, index, count);
    }
}

/* The four kernels of histo_parboil. */
#include "workload/kernels/histo_parboil.h"

#include <math.h>

typedef struct prescan_shared {
    float average[GM_HISTO_THREADS], deviation[GM_HISTO_THREADS];
} prescan_shared;
typedef struct prescan_locals {
    uint32_t distance;
} prescan_locals;

/* Returns the section of a bin, moved into the histogram. */
static inline uint32_t section_of(const gm_histo *a, float bin)
{
    float most = (float)(a->sections - 1);
    float section = floorf(bin / (float)GM_HISTO_SECTION);
    section = section < 0.0F ? 0.0F : section;
    return (uint32_t)(section < most ? section : most);
}

/* Averages over the threads the mean and the deviation of each one's pixels; the range reaches 10
 * deviations to both sides. */
GM_THREAD(prescan, gm_histo)
{
    prescan_shared *s = t->shared;
    prescan_locals *l = t->locals;
    uint32_t x = t->thread.x;
    uint32_t end = t->cta.x * a->stride + a->sampled;
    float average = 0.0F;
    float square = 0.0F;
    float count = 0.0F;
    BEGIN(t)
    COMPUTE(t, INTEGER, 4);
    for (uint32_t i = t->cta.x * a->stride + x; i < end; i += GM_HISTO_THREADS) {
        uint32_t pixel = LOAD(t, a->input + i);
        COMPUTE(t, FP32, 2);
        average += (float)pixel;
        count += 1.0F;
        LOOP(t);
    }
    average = count > 0.0F ? average / count : 0.0F;
    COMPUTE(t, SPECIAL, 1);
    for (uint32_t i = t->cta.x * a->stride + x; i < end; i += GM_HISTO_THREADS) {
        uint32_t pixel = LOAD(t, a->input + i);
        COMPUTE(t, FP32, 3);
        square += ((float)pixel - average) * ((float)pixel - average);
        LOOP(t);
    }
    COMPUTE(t, SPECIAL, 2);
    SHARED_STORE(t, &s->average[x], average);
    SHARED_STORE(t, &s->deviation[x], count > 0.0F ? sqrtf(square / count) : 0.0F);
    for (l->distance = GM_HISTO_THREADS / 2; l->distance > 0; l->distance /= 2) {
        BARRIER(t);
        if (x < l->distance) {
            float far = SHARED_LOAD(t, &s->average[x + l->distance]);
            float near = SHARED_LOAD(t, &s->average[x]);
            COMPUTE(t, FP32, 1);
            SHARED_STORE(t, &s->average[x], near + far);
            far = SHARED_LOAD(t, &s->deviation[x + l->distance]);
            near = SHARED_LOAD(t, &s->deviation[x]);
            COMPUTE(t, FP32, 1);
            SHARED_STORE(t, &s->deviation[x], near + far);
        }
        LOOP(t);
    }
    if (x == 0) {
        float mean = SHARED_LOAD(t, &s->average[0]);
        float deviation = SHARED_LOAD(t, &s->deviation[0]);
        mean /= (float)GM_HISTO_THREADS;
        deviation /= (float)GM_HISTO_THREADS;
        COMPUTE(t, FP32, 6);
        RED_MIN(t, &a->range[0], section_of(a, mean - 10.0F * deviation));
        RED_MAX(t, &a->range[1], section_of(a, mean + 10.0F * deviation));
    }
    END(t);
}
GM_BARRIER_KERNEL(prescan, gm_histo, prescan_locals, prescan_shared)

typedef struct pixels {
    uint32_t first, second;
} pixels;

static inline gm_histo_place place_of(uint32_t bin)
{
    return (gm_histo_place){(uint8_t)(bin / GM_HISTO_SECTION),
                            (uint8_t)(bin / 1024 % GM_HISTO_KILOBYTES), (uint8_t)(bin / 4 % 256),
                            (uint8_t)(bin % 4 * 8)};
}

/* A thread takes two pixels of each row; an odd row's last thread has one. */
GM_THREAD(inter, gm_histo)
{
    uint32_t x = t->thread.x;
    uint32_t y = t->cta.x * GM_HISTO_ROWS;
    COMPUTE(t, INTEGER, 4);
    for (uint32_t r = 0; r < GM_HISTO_ROWS && y + r < a->height; r++) {
        const pixels *row = (const void *)(a->input + (size_t)(y + r) * a->pitch);
        gm_histo_place *to = a->mapping + (size_t)(y + r) * a->width;
        pixels two = LOAD(t, row + x);
        COMPUTE(t, INTEGER, 7);
        STORE(t, to + x, place_of(two.first));
        if (x + t->block.x < a->width) {
            COMPUTE(t, INTEGER, 7);
            STORE(t, to + x + t->block.x, place_of(two.second));
        }
        LOOP(t);
    }
}
GM_KERNEL(inter, gm_histo)

typedef struct section {
    uint32_t word[GM_HISTO_SECTION / 4];
} section;
typedef struct nothing {
    uint32_t unused;
} nothing;

static inline uint32_t bin_of(gm_histo_place place)
{
    return place.section * (uint32_t)GM_HISTO_SECTION + place.high * 1024U + place.low * 4U +
           place.shift / 8U;
}

GM_PARTS(main)

GM_PART(clear, gm_histo)
{
    (void)a;
    section *s = t->shared;
    for (uint32_t i = t->thread.x; i < GM_HISTO_SECTION / 4; i += GM_HISTO_THREADS) {
        SHARED_STORE(t, &s->word[i], 0);
        LOOP(t);
    }
}
GM_POINT(cleared)

/* Counts the CTA's section in shared memory: a byte that was 255 becomes 0 and carries into the
 * next one, so that 256 is noted for it, and for each byte that a carry reached what the carry made
 * wrong. The CTAs of the first section count what is outside the range, up to 255. */
GM_PART(count, gm_histo)
{
    section *s = t->shared;
    uint32_t own = a->first + t->cta.y;
    uint32_t pixels = a->width * a->height;
    COMPUTE(t, INTEGER, 4);
    for (uint32_t i = GM_GLOBAL_X(t); i < pixels; i += GM_HISTO_THREADS * t->grid.x) {
        gm_histo_place place = LOAD(t, a->mapping + i);
        uint32_t bin = bin_of(place);
        COMPUTE(t, INTEGER, 4);
        if (place.section == own) {
            uint32_t *word = &s->word[place.high * 256U + place.low];
            uint32_t before = SHARED_ATOMIC_ADD(t, word, UINT32_C(1) << place.shift) >> place.shift;
            COMPUTE(t, INTEGER, 2);
            if ((before & 255) == 255) {
                RED_ADD(t, &a->overflow[bin / 4].bin[bin % 4], 256);
                bool carry = true;
                for (uint32_t k = 1; carry && k < 4 - bin % 4; k++) {
                    carry = (before >> 8 * k & 255) == 255;
                    COMPUTE(t, INTEGER, 3);
                    RED_ADD(t, &a->overflow[bin / 4].bin[bin % 4 + k], carry ? 255 : UINT32_MAX);
                    LOOP(t);
                }
            }
        } else if (t->cta.y == 0 && (place.section < a->first || place.section > a->last)) {
            uint32_t *word = &a->outside[bin / 4].word[bin / 2 % 2];
            uint32_t before = LOAD(t, word);
            COMPUTE(t, INTEGER, 3);
            if ((before >> bin % 2 * 16 & 0xffff) < 255) {
                RED_ADD(t, word, UINT32_C(1) << bin % 2 * 16);
            }
        }
        LOOP(t);
    }
}
GM_POINT(counted)

GM_PART(add_up, gm_histo)
{
    section *s = t->shared;
    uint32_t *to = a->counted + (size_t)(a->first + t->cta.y) * GM_HISTO_SECTION;
    for (uint32_t i = t->thread.x; i < GM_HISTO_SECTION / 4; i += GM_HISTO_THREADS) {
        uint32_t word = SHARED_LOAD(t, &s->word[i]);
        COMPUTE(t, INTEGER, 7);
        RED_ADD(t, to + 4 * i, word & 255);
        RED_ADD(t, to + 4 * i + 1, word >> 8 & 255);
        RED_ADD(t, to + 4 * i + 2, word >> 16 & 255);
        RED_ADD(t, to + 4 * i + 3, word >> 24);
        LOOP(t);
    }
}

GM_WHOLE(main, gm_histo)
{
    BEGIN(t)
    clear(t, a);
    BARRIER_AT(t, cleared);
    count(t, a);
    BARRIER_AT(t, counted);
    add_up(t, a);
    END(t);
}
GM_BARRIER_KERNEL(main, gm_histo, nothing, section)

static inline uint32_t at_most_255(uint32_t count)
{
    return count < 255 ? count : 255;
}

/* A thread saturates four bins, below, in and above the range, and clears what it has read. */
GM_THREAD(final, gm_histo)
{
    const uint32_t from[] = {0, a->first, a->last + 1, a->sections};
    COMPUTE(t, INTEGER, 4);
    for (uint32_t part = 0; part < 3; part++) {
        uint32_t end = from[part + 1] * (GM_HISTO_SECTION / 4);
        uint32_t begin = from[part] * (GM_HISTO_SECTION / 4) + GM_GLOBAL_X(t);
        for (uint32_t i = begin; i < end; i += GM_HISTO_THREADS * t->grid.x) {
            if (part == 1) {
                gm_histo_four over = LOAD(t, a->overflow + i);
                STORE(t, a->overflow + i, (gm_histo_four){{0}});
                uint32_t sum0 = over.bin[0] + LOAD(t, a->counted + 4 * i);
                uint32_t sum1 = over.bin[1] + LOAD(t, a->counted + 4 * i + 1);
                uint32_t sum2 = over.bin[2] + LOAD(t, a->counted + 4 * i + 2);
                uint32_t sum3 = over.bin[3] + LOAD(t, a->counted + 4 * i + 3);
                COMPUTE(t, INTEGER, 12);
                STORE(t, a->saturated + i,
                      at_most_255(sum0) | at_most_255(sum1) << 8 | at_most_255(sum2) << 16 |
                          at_most_255(sum3) << 24);
            } else {
                gm_histo_halves two = LOAD(t, a->outside + i);
                STORE(t, a->outside + i, (gm_histo_halves){{0}});
                COMPUTE(t, INTEGER, 8);
                STORE(t, a->saturated + i,
                      at_most_255(two.word[0] & 0xffff) | at_most_255(two.word[0] >> 16) << 8 |
                          at_most_255(two.word[1] & 0xffff) << 16 |
                          at_most_255(two.word[1] >> 16) << 24);
            }
            LOOP(t);
        }
        LOOP(t);
    }
}
GM_KERNEL(final, gm_histo)

const gm_code *const gm_histo_kernel[4] = {&prescan_code, &inter_code, &main_code, &final_code};

/* Images of a world that is pieces of memory. */
#include "image.h"

#include "search.h"

#include <stdlib.h>
#include <string.h>

void image_add(image_parts *parts, void *at, size_t bytes)
{
    size_t whole = (bytes + 7) / 8 * 8;
    parts->range[parts->ranges++] = (image_range){at, whole};
    parts->bytes += whole;
}

unsigned char *image_add_used(image_parts *parts, unsigned char *from, void *array, size_t used,
                              size_t all)
{
    unsigned char *end = (unsigned char *)array + used;
    image_add(parts, from, (size_t)(end - from));
    return (unsigned char *)array + all;
}

void image_save(const image_parts *parts, unsigned char *image)
{
    for (size_t i = 0; i < parts->ranges; i++) {
        memcpy(image, parts->range[i].at, parts->range[i].bytes);
        image += parts->range[i].bytes;
    }
}

void image_restore(const image_parts *parts, const unsigned char *image)
{
    for (size_t i = 0; i < parts->ranges; i++) {
        memcpy(parts->range[i].at, image, parts->range[i].bytes);
        image += parts->range[i].bytes;
    }
}

/* A packed world: for each word of 8 bytes that differs from the first world's, how many equal ones
 * lie before it (255: so many, and none that differs), a mask of the bytes that differ, and these;
 * at the end two zeros. */
enum { WORD = 8, MOST_EQUAL = 255, BLOCK = 64 /* bytes that are compared at once */ };

typedef struct writer {
    uint8_t *at;
    size_t equal;
} writer;

static void put_word(writer *to, uint64_t differs)
{
    for (; to->equal >= MOST_EQUAL; to->equal -= MOST_EQUAL) {
        *to->at++ = MOST_EQUAL;
    }
    *to->at++ = (uint8_t)to->equal;
    uint8_t *mask = to->at++;
    *mask = 0;
    for (unsigned i = 0; i < WORD; i++) {
        uint8_t byte = (uint8_t)(differs >> 8 * i);
        if (byte != 0) {
            *mask |= (uint8_t)(1U << i);
            *to->at++ = byte;
        }
    }
    to->equal = 0;
}

static void put_block(writer *to, const unsigned char *now, const unsigned char *first,
                      size_t bytes)
{
    for (size_t at = 0; at < bytes; at += WORD) {
        uint64_t a;
        uint64_t b;
        memcpy(&a, now + at, WORD);
        memcpy(&b, first + at, WORD);
        if (a == b) {
            to->equal++;
        } else {
            put_word(to, a ^ b);
        }
    }
}

size_t image_pack(const image_parts *parts, const unsigned char *first, uint8_t *bytes)
{
    const image_range *range = parts->range;
    writer to = {bytes, 0};
    for (size_t i = 0; i < parts->ranges; i++) {
        const unsigned char *now = range[i].at;
        for (size_t at = 0; at < range[i].bytes; at += BLOCK) {
            size_t left = range[i].bytes - at < BLOCK ? range[i].bytes - at : BLOCK;
            if (left == BLOCK && memcmp(now + at, first + at, BLOCK) == 0) {
                to.equal += BLOCK / WORD;
            } else {
                put_block(&to, now + at, first + at, left);
            }
            if (to.at - bytes > SEARCH_BYTES - 2 * BLOCK) {
                abort(); /* a world is some hundred bytes */
            }
        }
        first += range[i].bytes;
    }
    *to.at++ = 0;
    *to.at++ = 0;
    return (size_t)(to.at - bytes);
}

/* XORs the words that differ. */
void image_unpack(unsigned char *image, const uint8_t *bytes)
{
    for (;;) {
        if (*bytes == MOST_EQUAL) {
            image += (size_t)MOST_EQUAL * WORD;
            bytes++;
            continue;
        }
        if (bytes[1] == 0) {
            return;
        }
        image += (size_t)*bytes++ * WORD;
        uint8_t mask = *bytes++;
        for (unsigned i = 0; i < WORD; i++) {
            image[i] ^= (mask >> i & 1) != 0 ? *bytes++ : 0;
        }
        image += WORD;
    }
}

/* Images of the world: all that changes, as it is and packed. */
#include "timed.h"

#include <stdlib.h>
#include <string.h>

void timed_save(const timed_machine *m, unsigned char *image)
{
    for (size_t i = 0; i < m->ranges; i++) {
        memcpy(image, m->range[i].at, m->range[i].bytes);
        image += m->range[i].bytes;
    }
}

void timed_restore(timed_machine *m, const unsigned char *image)
{
    for (size_t i = 0; i < m->ranges; i++) {
        memcpy(m->range[i].at, image, m->range[i].bytes);
        image += m->range[i].bytes;
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

size_t timed_pack(const timed_machine *m, uint8_t *bytes)
{
    writer to = {bytes, 0};
    const unsigned char *first = m->first;
    for (size_t i = 0; i < m->ranges; i++) {
        const timed_range *range = &m->range[i];
        for (size_t at = 0; at < range->bytes; at += BLOCK) {
            size_t left = range->bytes - at < BLOCK ? range->bytes - at : BLOCK;
            if (left == BLOCK && memcmp(range->at + at, first + at, BLOCK) == 0) {
                to.equal += BLOCK / WORD;
            } else {
                put_block(&to, range->at + at, first + at, left);
            }
            if (to.at - bytes > SEARCH_BYTES - 2 * BLOCK) {
                abort(); /* a world is some hundred bytes */
            }
        }
        first += range->bytes;
    }
    *to.at++ = 0;
    *to.at++ = 0;
    return (size_t)(to.at - bytes);
}

/* XORs the words that differ into an image of the first world. */
static void apply(unsigned char *image, const uint8_t *bytes)
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

void timed_unpack(timed_machine *m, const uint8_t *bytes)
{
    memcpy(m->from, m->first, m->bytes);
    apply(m->from, bytes);
    timed_restore(m, m->from);
}

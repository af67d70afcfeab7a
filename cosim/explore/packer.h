/* A string of bits, for a search's frontier and its table of worlds seen. One description serves
 * both ways: what is written is what is read. */
#ifndef GOLDMEM_EXPLORE_PACKER_H
#define GOLDMEM_EXPLORE_PACKER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct packer {
    uint8_t *at;       /* the next byte to write */
    const uint8_t *in; /* the next byte to read */
    bool reads;
    uint64_t word; /* bits that are not yet written, or not yet used */
    unsigned bits; /* their number */
} packer;

/* Writes the low `width` bits of a value and returns it, or reads them. Requires width <= 32. */
static inline uint64_t packer_pass(packer *p, uint64_t value, unsigned width)
{
    if (p->reads) {
        while (p->bits < width) {
            p->word |= (uint64_t)*p->in++ << p->bits;
            p->bits += 8;
        }
        value = p->word & ((UINT64_C(1) << width) - 1);
        p->word >>= width;
        p->bits -= width;
        return value;
    }
    p->word |= value << p->bits;
    p->bits += width;
    while (p->bits >= 8) {
        *p->at++ = (uint8_t)p->word;
        p->word >>= 8;
        p->bits -= 8;
    }
    return value;
}

static inline void packer_byte(packer *p, uint8_t *value, unsigned width)
{
    *value = (uint8_t)packer_pass(p, *value, width);
}

static inline void packer_flag(packer *p, bool *value)
{
    *value = packer_pass(p, *value, 1) != 0;
}

/* Writes the bits of the last byte, if any. */
static inline void packer_end(packer *p)
{
    if (p->bits > 0) {
        *p->at++ = (uint8_t)p->word;
    }
}

#endif

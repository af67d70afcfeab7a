/* Images of a world that is pieces of memory: all that changes, as it is, and packed as what
 * differs from the first world. */
#ifndef GOLDMEM_EXPLORE_IMAGE_H
#define GOLDMEM_EXPLORE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

enum { IMAGE_RANGES = 32 };

typedef struct image_range {
    unsigned char *at;
    size_t bytes; /* a multiple of 8 */
} image_range;

/* The parts of memory that change, and their bytes. */
typedef struct image_parts {
    image_range range[IMAGE_RANGES];
    size_t ranges, bytes;
} image_parts;

/* Adds a part; its bytes are rounded up to a multiple of 8. */
void image_add(image_parts *parts, void *at, size_t bytes);

/* Adds what lies between `from` and an array, and the first `used` of the array's `all` bytes: the
 * rest is never used. Returns the end of the array. */
unsigned char *image_add_used(image_parts *parts, unsigned char *from, void *array, size_t used,
                              size_t all);

/* Copy the parts into an image, and back. */
void image_save(const image_parts *parts, unsigned char *image);
void image_restore(const image_parts *parts, const unsigned char *image);

/* Writes what differs from the image `first` into at most SEARCH_BYTES bytes, and returns their
 * number. Aborts if they do not suffice. */
size_t image_pack(const image_parts *parts, const unsigned char *first, uint8_t *bytes);

/* Makes a copy of the image `first`, in `image`, the one that was packed. */
void image_unpack(unsigned char *image, const uint8_t *bytes);

#endif

/* Images of a world that is pieces of memory: all that changes, as it is, and packed as what
 * differs from the first world. */
#ifndef GOLDMEM_EXPLORE_IMAGE_H
#define GOLDMEM_EXPLORE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct image_range {
    unsigned char *at;
    size_t bytes; /* a multiple of 8 */
} image_range;

/* Copy the ranges into an image, and back. */
void image_save(const image_range *range, size_t ranges, unsigned char *image);
void image_restore(const image_range *range, size_t ranges, const unsigned char *image);

/* Writes what differs from the image `first` into at most SEARCH_BYTES bytes, and returns their
 * number. Aborts if they do not suffice. */
size_t image_pack(const image_range *range, size_t ranges, const unsigned char *first,
                  uint8_t *bytes);

/* Makes a copy of the image `first`, in `image`, the one that was packed. */
void image_unpack(unsigned char *image, const uint8_t *bytes);

#endif

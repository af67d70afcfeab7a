/* Spelling suggestions by Levenshtein distance. */
#include "goldmem/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the Levenshtein distance, computed row by row. */
static size_t edit_distance(const char *from, const char *to)
{
    size_t row[LONGEST_NAME + 1];
    size_t length = strlen(to);
    if (length > LONGEST_NAME) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; from[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= length; j++) {
            size_t replace = diagonal + (from[i] != to[j - 1]);
            diagonal = row[j];
            row[j] = smaller(replace, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[length];
}

const char *gm_nearest(const char *word, const char *const *names, size_t count, size_t stride)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2; /* a larger distance is no typing error */
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride);
        size_t distance = edit_distance(word, name);
        if (distance < best_distance) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

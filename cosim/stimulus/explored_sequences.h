/* Requests of the sequences that make explore has found: X_sequences.h has them as rows of numbers,
 * of which the first tells whether a sequence begins. */
#ifndef GOLDMEM_STIMULUS_EXPLORED_SEQUENCES_H
#define GOLDMEM_STIMULUS_EXPLORED_SEQUENCES_H

#include <stddef.h>
#include <stdint.h>

/* Writes a row's fields, those behind its first number, to request[fields]. */
static inline void explored_request(uint64_t *request, size_t fields, const uint8_t *row)
{
    for (size_t f = 0; f < fields; f++) {
        request[f] = row[1 + f];
    }
}

/* Writes row `number` of the block's sequences to a request, a struct of 64-bit fields. */
#define EXPLORED_REQUEST(request, number)                                                          \
    explored_request((uint64_t *)&(request), sizeof(request) / sizeof(uint64_t), sequences[number])

#endif

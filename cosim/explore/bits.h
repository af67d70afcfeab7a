/* Sizes of the Temporal Coherence blocks' state and ports. */
#ifndef GOLDMEM_EXPLORE_BITS_H
#define GOLDMEM_EXPLORE_BITS_H

#include <stdio.h>

/* Writes a line "BLOCK.ELEMENT BITS NUMBER" for each element of state, "BLOCK.FIELD? BITS 1" for
 * each field of a request, "BLOCK.FIELD! BITS 1" of a response, at the default parameters. */
void explore_print_bits(FILE *file);

#endif

/* The blocks' requests and responses in a sequence of events, and requests played to the blocks. */
#ifndef GOLDMEM_EXPLORE_RECORD_H
#define GOLDMEM_EXPLORE_RECORD_H

#include "search_blocks.h"

/* Does a sequence again, and then loads of all lines that the L1s have, and writes a line for each
 * transaction: "BLOCK SM REQUEST... = RESPONSE...", with the fields of the port list in decimal;
 * SM: 0 for the L2's blocks. Returns 0, or what world_init refuses. */
int record(const world_settings *settings, const search_result *result, FILE *file,
           gm_error *error);

/* Reads such lines, responses or none, sends the requests to blocks as world_init makes them, and
 * writes them with their responses. Returns 0; -ENOENT and the like; -EINVAL, which names the line.
 */
int play(const world_settings *settings, const char *path, FILE *file, gm_error *error);

#endif

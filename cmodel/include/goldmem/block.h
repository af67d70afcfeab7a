/* Blocks by name, for callers that cannot use the structs and inline functions of the blocks' own
 * headers (another language than C): parameters, requests and responses are arrays of the elements
 * of the block's port list (goldmem/ports.h), in its order. */
#ifndef GOLDMEM_BLOCK_H
#define GOLDMEM_BLOCK_H

#include "goldmem/error.h"
#include "goldmem/ports.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_block gm_block;

/* Returns the port list of the block with this number, from 0; NULL behind the last one: mshr,
 * replacement, set_index, sharing_tracker, tag_store. */
const gm_ports *gm_block_ports(unsigned number);

/* Makes a block in its state after reset. `parameter`: a value for each parameter of the port list,
 * whose own values are the defaults; Matrix must be 0. `index`: an index function in place of
 * Polynomial (gm_set_index_parse), which must then be 0; NULL: none. Returns 0; -EINVAL, which
 * names what is out of range; -ENOMEM. gm_block_close frees the block, which may be NULL. */
int gm_block_open(gm_block **block, const gm_ports *ports, const uint64_t *parameter,
                  const char *index, gm_error *error);
void gm_block_close(gm_block *block);

/* Does `count` transactions in sequence: request[i * ports->requests] and so on are the fields of
 * request i, response likewise. Returns 0, or -EINVAL, which names the field of the first request
 * that is out of range: those before it have been done. */
int gm_block_access(gm_block *block, const uint64_t *request, uint64_t *response, size_t count,
                    gm_error *error);

/* Checks the block's invariants. Returns 0, or -EINVAL, which names what is broken. */
int gm_block_check(const gm_block *block, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* Atomic buffer [anssari, 3.4]: "exclusively hold[s] the last memory line accessed atomically", one
 * for each L2 bank. "Atomic and other coherent operations [...] complete directly" in it [anssari,
 * 3.5]: one that does not hit puts the held line back into the L2 and takes its own line from
 * there. RTL: rtl/atomic_buffer.sv; page: docs/blocks/atomic_buffer.md. */
#ifndef GOLDMEM_ATOMIC_BUFFER_H
#define GOLDMEM_ATOMIC_BUFFER_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/atomic_buffer.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_ATOMIC_BUFFER_LINE_BITS = 64, /* at most */
    GM_ATOMIC_BUFFER_SECTORS = 32,
};

typedef struct gm_atomic_buffer_parameters {
    unsigned line_bits; /* bits of a line address, 1 to 64 */
    unsigned sectors;   /* of a line, 1 to 32; 1: 32-byte lines [anssari, Table 4.1] */
} gm_atomic_buffer_parameters;

/* State. The fields of the line are 0 while none is held. */
typedef struct gm_atomic_buffer {
    gm_atomic_buffer_parameters parameters;
    bool held;
    uint64_t line;
    uint32_t valid, dirty; /* sectors; dirty ones are valid */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_atomic_buffer;

GM_PORTS_STRUCTS(atomic_buffer, ATOMIC_BUFFER)

/* Begins without a line. Returns 0, or -EINVAL, which names the parameter that is out of range. */
int gm_atomic_buffer_init(gm_atomic_buffer *buffer, const gm_atomic_buffer_parameters *parameters,
                          gm_error *error);

/* Operations (goldmem/ports/atomic_buffer.h has their numbers).
 *
 * - ATOMIC: an atomic is performed on `sectors` of `line`. Hits if the buffer holds the line with
 *   all of these sectors valid: they become dirty. Else puts the held line back, and takes this
 *   one, with `valid` and of these the `dirty` sectors, from the L2: `sectors` become valid and
 *   dirty.
 * - LOAD: a coherent load reads `sectors` of `line`. As ATOMIC, but no sector becomes dirty:
 *   `sectors` that a miss makes valid are clean, unless `valid` and `dirty` have them.
 * - ACCESS: another load, a store or a host copy follows. Puts the held line back if it is `line`.
 * - FLUSH: puts the held line back.
 *
 * Requires that the fields of the request are within their widths. */
gm_atomic_buffer_response gm_atomic_buffer_access(gm_atomic_buffer *buffer,
                                                  gm_atomic_buffer_request request);

/* True if an ATOMIC or a LOAD on these sectors of the line would hit. */
static inline bool gm_atomic_buffer_has(const gm_atomic_buffer *buffer, uint64_t line,
                                        uint32_t sectors)
{
    return buffer->held && buffer->line == line && (sectors & ~buffer->valid) == 0;
}

/* Returns 0 when the line is within its bits, dirty sectors are valid, and nothing is kept of a
 * line that is not held. Else -EINVAL. */
int gm_atomic_buffer_check(const gm_atomic_buffer *buffer, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

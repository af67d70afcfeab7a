/* Atomic buffer [anssari, 3.4, 3.5]: the line on which an L2 bank's last coherent operation, an
 * atomic or a coherent load, was performed. */
#include "goldmem/atomic_buffer.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

int gm_atomic_buffer_init(gm_atomic_buffer *buffer, const gm_atomic_buffer_parameters *parameters,
                          gm_error *error)
{
    const gm_atomic_buffer_parameters *p = parameters;
    if (p->line_bits < 1 || p->line_bits > GM_ATOMIC_BUFFER_LINE_BITS) {
        return gm_fail(error, -EINVAL, "atomic_buffer: line_bits %u: must be 1 to 64",
                       p->line_bits);
    }
    if (p->sectors < 1 || p->sectors > GM_ATOMIC_BUFFER_SECTORS) {
        return gm_fail(error, -EINVAL, "atomic_buffer: sectors %u: must be 1 to 32", p->sectors);
    }
    *buffer = (gm_atomic_buffer){.parameters = *p};
    return 0;
}

/* Takes the held line out of the buffer, if there is one. */
static void put_back(gm_atomic_buffer *buffer, gm_atomic_buffer_response *response)
{
    if (buffer->held) {
        response->puts = 1;
        response->line = buffer->line;
        response->valid = buffer->valid;
        response->dirty = buffer->dirty;
        buffer->held = false;
        buffer->line = 0;
        buffer->valid = buffer->dirty = 0;
    }
}

/* Takes the request's line from the L2, with the sectors that it operates on. */
static void take(gm_atomic_buffer *buffer, const gm_atomic_buffer_request *request)
{
    buffer->held = true;
    buffer->line = request->line;
    buffer->valid = (uint32_t)(request->valid | request->sectors);
    buffer->dirty = (uint32_t)(request->dirty & request->valid);
}

/* Performs an atomic or a coherent load. */
static void operate(gm_atomic_buffer *buffer, const gm_atomic_buffer_request *request,
                    gm_atomic_buffer_response *response)
{
    if (gm_atomic_buffer_has(buffer, request->line, (uint32_t)request->sectors)) {
        response->hit = 1;
    } else {
        put_back(buffer, response);
        take(buffer, request);
    }
    if (request->op == GM_ATOMIC_BUFFER_ATOMIC) {
        buffer->dirty |= (uint32_t)request->sectors;
    }
}

gm_atomic_buffer_response gm_atomic_buffer_access(gm_atomic_buffer *buffer,
                                                  gm_atomic_buffer_request request)
{
    const gm_atomic_buffer_parameters *p = &buffer->parameters;
    uint64_t sectors = gm_mask(p->sectors);
    gm_assert(request.op < 4 && request.line <= gm_mask(p->line_bits) &&
                  ((request.sectors | request.valid | request.dirty) & ~sectors) == 0,
              "atomic_buffer: operation %llu, line 0x%llx, sectors 0x%llx, valid 0x%llx, dirty "
              "0x%llx",
              (unsigned long long)request.op, (unsigned long long)request.line,
              (unsigned long long)request.sectors, (unsigned long long)request.valid,
              (unsigned long long)request.dirty);
    gm_atomic_buffer_response response = {0};
    switch (request.op) {
    case GM_ATOMIC_BUFFER_ATOMIC:
    case GM_ATOMIC_BUFFER_LOAD:
        operate(buffer, &request, &response);
        break;
    case GM_ATOMIC_BUFFER_ACCESS:
        if (buffer->line == request.line) {
            put_back(buffer, &response);
        }
        break;
    default: /* GM_ATOMIC_BUFFER_FLUSH */
        put_back(buffer, &response);
    }
    gm_error error;
    gm_assert(gm_atomic_buffer_check(buffer, &error) == 0, "%s", error.text);
    if (buffer->observer != NULL) {
        gm_atomic_buffer_tell(buffer->observer, request, response);
    }
    return response;
}

int gm_atomic_buffer_check(const gm_atomic_buffer *buffer, gm_error *error)
{
    const gm_atomic_buffer_parameters *p = &buffer->parameters;
    if (!buffer->held && (buffer->line != 0 || buffer->valid != 0 || buffer->dirty != 0)) {
        return gm_fail(error, -EINVAL, "atomic_buffer: no line, but 0x%llx, valid 0x%x, dirty 0x%x",
                       (unsigned long long)buffer->line, buffer->valid, buffer->dirty);
    }
    if (buffer->line > gm_mask(p->line_bits) || buffer->valid > gm_mask(p->sectors)) {
        return gm_fail(error, -EINVAL,
                       "atomic_buffer: line 0x%llx, valid 0x%x: %u bits and %u sectors",
                       (unsigned long long)buffer->line, buffer->valid, p->line_bits, p->sectors);
    }
    return (buffer->dirty & ~buffer->valid) == 0
               ? 0
               : gm_fail(error, -EINVAL,
                         "atomic_buffer: line 0x%llx: sectors 0x%x dirty, 0x%x valid",
                         (unsigned long long)buffer->line, buffer->dirty, buffer->valid);
}

GM_PORTS_TABLE(atomic_buffer, ATOMIC_BUFFER)

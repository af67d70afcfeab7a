/* Flit buffers: storage and snapshot. */
#include "cycle/noc/flit_buffer.h"

#include <errno.h>

enum { ALIGNMENT = 64 };

static uint32_t slots_of(uint32_t flits, uint32_t least)
{
    return flits <= least ? 1 : 1U << gm_log2_ceil(flits / least);
}

size_t gm_flit_buffers_bytes(uint32_t buffers, uint32_t flits, uint32_t least)
{
    return (size_t)buffers *
               (sizeof(gm_flit_ring) + slots_of(flits, least) * sizeof(gm_flit_packet)) +
           2 * (size_t)ALIGNMENT;
}

int gm_flit_buffers_init(gm_flit_buffers *buffers, uint32_t count, uint32_t flits, uint32_t least,
                         gm_arena *arena, gm_error *error)
{
    uint32_t slots = slots_of(flits, least);
    *buffers = (gm_flit_buffers){
        .ring = gm_arena_take(arena, count, sizeof(gm_flit_ring)),
        .slot = gm_arena_take(arena, (size_t)count * slots, sizeof(gm_flit_packet)),
        .buffers = count,
        .slots = slots,
        .mask = slots - 1,
        .flits = flits,
    };
    if (buffers->ring == NULL || buffers->slot == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: %u buffers of %u flits", count, flits);
    }
    for (uint32_t i = 0; i < count; i++) {
        buffers->ring[i].base = i * slots;
    }
    return 0;
}

void gm_flit_buffers_snapshot(gm_flit_buffers *buffers, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, buffers->ring, buffers->buffers);
    GM_SNAPSHOT_ARRAY(snapshot, buffers->slot, (size_t)buffers->buffers * buffers->slots);
}

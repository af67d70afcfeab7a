/* MRPB: reordering of requests, and bypass on a stall [khairy, section 5; li, 6.1]. The policy has
 * no state: the FIFOs are the load/store unit's. */
#include "policy/mrpb.h"

#include "goldmem/bits.h"
#include "policy/bypass.h"

#include <errno.h>

/* "When any of the resource unavailable events happens that may lead to a pipeline stall, the
 * memory requests are bypassed" [li, 6.1]; [khairy, table 4] on associativity stalls only:
 * l1.mrpb_stalls. */
const gm_bypass_ops gm_bypass_mrpb = {.on_stall = true};

size_t gm_mrpb_bytes(uint32_t fifos)
{
    enum { ALIGNMENT = 64, ARRAYS = 2 };
    return fifos * (sizeof(gm_ring_span) + GM_MRPB_PLACES * sizeof(gm_mrpb_request)) +
           (size_t)ARRAYS * ALIGNMENT;
}

int gm_mrpb_init(gm_mrpb *buffer, uint32_t fifos, gm_mrpb_drain drain, gm_arena *arena,
                 gm_error *error)
{
    *buffer = (gm_mrpb){.fifos = fifos, .drain = drain};
    buffer->fifo = gm_arena_take(arena, fifos, sizeof *buffer->fifo);
    buffer->request = gm_arena_take(arena, (size_t)fifos * GM_MRPB_PLACES, sizeof *buffer->request);
    return buffer->fifo != NULL && buffer->request != NULL
               ? 0
               : gm_fail(error, -ENOMEM, "out of memory: the FIFOs of MRPB");
}

uint32_t gm_mrpb_put(gm_mrpb *buffer, uint32_t warp, uint64_t line, bool load)
{
    uint32_t place =
        warp * GM_MRPB_PLACES + gm_ring_span_push(&buffer->fifo[warp], GM_MRPB_PLACES - 1);
    buffer->request[place] =
        (gm_mrpb_request){.line = line, .number = buffer->arrived++, .load = load};
    gm_bitset_add(buffer->filled, warp);
    buffer->count++;
    buffer->others += !load;
    return place;
}

/* Returns the first FIFO from `from` on that is not empty, or `fifos`. */
static uint32_t next_filled(const gm_mrpb *buffer, uint32_t from)
{
    uint32_t next = gm_bitset_from(buffer->filled, GM_MRPB_FIFOS / GM_BITSET_WORD, from);
    return next == GM_BITSET_NONE ? buffer->fifos : next;
}

/* True if a FIFO holds an earlier request that this one must not overtake. */
static bool holds_earlier(const gm_mrpb *buffer, uint32_t fifo, const gm_mrpb_request *request)
{
    for (uint32_t i = 0; i < buffer->fifo[fifo].count; i++) {
        const gm_mrpb_request *other = &buffer->request[gm_mrpb_place(buffer, fifo, i)];
        if (other->number >= request->number) {
            break; /* the requests behind it are later still */
        }
        if (other->line == request->line && (!other->load || !request->load)) {
            return true;
        }
    }
    return false;
}

/* True if the head of a FIFO may be served. Requires that the FIFO is not empty. */
static bool may_serve(const gm_mrpb *buffer, uint32_t fifo)
{
    if (buffer->others == 0) {
        return true;
    }
    const gm_mrpb_request *request = &buffer->request[gm_mrpb_place(buffer, fifo, 0)];
    for (uint32_t other = next_filled(buffer, 0); other < buffer->fifos;
         other = next_filled(buffer, other + 1)) {
        if (holds_earlier(buffer, other, request)) {
            return false;
        }
    }
    return true;
}

uint32_t gm_mrpb_next(gm_mrpb *buffer)
{
    if (buffer->count == 0) {
        return GM_MRPB_NONE;
    }
    uint32_t fifo = buffer->current;
    bool keeps = buffer->drain == GM_MRPB_FIRST ? buffer->chosen : buffer->fifo[fifo].count != 0;
    if (!keeps || !may_serve(buffer, fifo)) {
        fifo = next_filled(buffer, 0);
        while (!may_serve(buffer, fifo)) {
            fifo = next_filled(buffer, fifo + 1);
        }
        buffer->current = fifo;
    }
    buffer->chosen = true;
    return gm_mrpb_place(buffer, fifo, 0);
}

void gm_mrpb_take(gm_mrpb *buffer)
{
    uint32_t warp = buffer->current;
    buffer->others -= buffer->request[gm_mrpb_place(buffer, warp, 0)].load == 0;
    buffer->count--;
    buffer->chosen = false;
    gm_ring_span_pop(&buffer->fifo[warp], GM_MRPB_PLACES - 1);
    if (buffer->fifo[warp].count == 0) {
        gm_bitset_remove(buffer->filled, warp);
    }
}

void gm_mrpb_snapshot(gm_mrpb *buffer, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, buffer->current);
    GM_SNAPSHOT_VALUE(snapshot, buffer->chosen);
    GM_SNAPSHOT_VALUE(snapshot, buffer->count);
    GM_SNAPSHOT_VALUE(snapshot, buffer->others);
    GM_SNAPSHOT_VALUE(snapshot, buffer->arrived);
    GM_SNAPSHOT_VALUE(snapshot, buffer->filled);
    GM_SNAPSHOT_ARRAY(snapshot, buffer->fifo, buffer->fifos);
    GM_SNAPSHOT_ARRAY(snapshot, buffer->request, (size_t)buffer->fifos * GM_MRPB_PLACES);
}

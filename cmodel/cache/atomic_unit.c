/* Atomic unit of an L2 bank [anssari, 3.4, 3.5]: what a run keeps beside the block atomic_buffer.
 */
#include "cache/atomic_unit.h"

#include "stats/invariants.h"

#include <errno.h>

gm_atomic_buffer_parameters gm_atomic_unit_parameters(const gm_config *config)
{
    enum { LINE_BITS = 64 };
    return (gm_atomic_buffer_parameters){.line_bits = LINE_BITS,
                                         .sectors = (unsigned)(config->l2.line / GM_SECTOR)};
}

size_t gm_atomic_unit_bytes(const gm_config *config)
{
    enum { ALIGNMENT = 64 };
    return config->l2.atomic_buffer ? sizeof(gm_atomic_unit) + ALIGNMENT : 0;
}

int gm_atomic_unit_make(gm_atomic_unit **unit, const gm_config *config, gm_arena *arena,
                        gm_error *error)
{
    *unit = NULL;
    if (!config->l2.atomic_buffer) {
        return 0;
    }
    const gm_atomic_buffer_parameters parameters = gm_atomic_unit_parameters(config);
    *unit = gm_arena_take(arena, 1, sizeof **unit);
    return *unit != NULL ? gm_atomic_buffer_init(&(*unit)->block, &parameters, error)
                         : gm_fail(error, -ENOMEM, "out of memory: an L2 bank");
}

/* The block has no partial sectors. They are dirty. */
gm_atomic_line gm_atomic_unit_line(const gm_atomic_unit *unit)
{
    const gm_atomic_buffer *held = &unit->block;
    return (gm_atomic_line){
        .line = held->line,
        .state = {.valid = held->valid | unit->partial, .dirty = held->dirty | unit->partial},
        .partial = unit->partial,
        .bytes = unit->bytes};
}

/* Counts a line that the block has put back. */
static void count_put(gm_atomic_unit *unit, gm_atomic_put why, const gm_atomic_line *put)
{
    gm_atomic_buffer_statistics *counts = &unit->statistics;
    unit->partial = 0;
    unit->bytes = (gm_l2_byte_mask){0};
    counts->sectors_put += gm_count_ones(put->state.valid);
    switch (why) {
    case GM_ATOMIC_PUT_FOR_ATOMIC:
        counts->put_for_atomics++;
        break;
    case GM_ATOMIC_PUT_FOR_ACCESS:
        counts->put_for_accesses++;
        break;
    case GM_ATOMIC_PUT_AT_END:
        counts->put_at_ends++;
        break;
    }
}

/* Returns the block's operation of an access. */
static uint64_t operation_of(gm_access_kind kind)
{
    return kind == GM_LOAD ? GM_ATOMIC_BUFFER_LOAD : GM_ATOMIC_BUFFER_ATOMIC;
}

/* Counts an operation if it is a strong load. */
static void count_load(gm_atomic_unit *unit, gm_access_kind kind, uint32_t sectors)
{
    if (kind == GM_LOAD) {
        unit->statistics.loads++;
        unit->statistics.load_sectors += gm_count_ones(sectors);
    }
}

uint32_t gm_atomic_unit_hit(gm_atomic_unit *unit, gm_access_kind kind, uint64_t line,
                            uint32_t sectors)
{
    uint32_t before = unit->block.dirty;
    gm_atomic_buffer_access(
        &unit->block,
        (gm_atomic_buffer_request){.op = operation_of(kind), .line = line, .sectors = sectors});
    unit->statistics.hits++;
    unit->statistics.load_hits += kind == GM_LOAD;
    count_load(unit, kind, sectors);
    return unit->block.dirty & ~before;
}

bool gm_atomic_unit_take(gm_atomic_unit *unit, gm_access_kind kind, const gm_atomic_line *taken,
                         uint32_t sectors, gm_atomic_line *put)
{
    *put = gm_atomic_unit_line(unit);
    const gm_atomic_buffer_response response = gm_atomic_buffer_access(
        &unit->block, (gm_atomic_buffer_request){.op = operation_of(kind),
                                                 .line = taken->line,
                                                 .sectors = sectors,
                                                 .valid = taken->state.valid & ~taken->partial,
                                                 .dirty = taken->state.dirty & ~taken->partial});
    if (response.puts != 0) {
        count_put(unit, GM_ATOMIC_PUT_FOR_ATOMIC, put);
    }
    unit->partial = taken->partial;
    unit->bytes = taken->bytes;
    unit->statistics.taken++;
    unit->statistics.sectors_taken += gm_count_ones(taken->state.valid);
    count_load(unit, kind, sectors);
    return response.puts != 0;
}

void gm_atomic_unit_leave(gm_atomic_unit *unit, gm_access_kind kind, uint32_t sectors)
{
    unit->statistics.in_place++;
    count_load(unit, kind, sectors);
}

bool gm_atomic_unit_access(gm_atomic_unit *unit, uint64_t line, gm_atomic_line *put)
{
    *put = gm_atomic_unit_line(unit);
    const gm_atomic_buffer_response response = gm_atomic_buffer_access(
        &unit->block, (gm_atomic_buffer_request){.op = GM_ATOMIC_BUFFER_ACCESS, .line = line});
    if (response.puts != 0) {
        count_put(unit, GM_ATOMIC_PUT_FOR_ACCESS, put);
    }
    return response.puts != 0;
}

bool gm_atomic_unit_flush(gm_atomic_unit *unit, gm_atomic_line *put)
{
    *put = gm_atomic_unit_line(unit);
    const gm_atomic_buffer_response response = gm_atomic_buffer_access(
        &unit->block, (gm_atomic_buffer_request){.op = GM_ATOMIC_BUFFER_FLUSH});
    if (response.puts != 0) {
        count_put(unit, GM_ATOMIC_PUT_AT_END, put);
    }
    return response.puts != 0;
}

int gm_atomic_unit_check(const gm_atomic_unit *unit, const gm_cache_statistics *bank,
                         const char *where, gm_error *error)
{
    if (unit == NULL) {
        return 0;
    }
    const gm_atomic_buffer_statistics *counts = &unit->statistics;
    GM_INVARIANT(where, "lines in the atomic buffer at the end of a kernel = 0", unit->block.held,
                 0);
    GM_INVARIANT(
        where, "atomics + strong loads = hits of the atomic buffer + lines taken + in place",
        bank->accesses[GM_ATOMIC] + counts->loads, counts->hits + counts->taken + counts->in_place);
    GM_INVARIANT(where, "strong loads that hit in the atomic buffer <= hits of loads",
                 counts->load_hits <= bank->hits[GM_LOAD], 1);
    GM_INVARIANT(where, "atomics that hit in the atomic buffer <= hits of atomics",
                 counts->hits - counts->load_hits <= bank->hits[GM_ATOMIC], 1);
    GM_INVARIANT(where, "lines taken by the atomic buffer = put back", counts->taken,
                 counts->put_for_atomics + counts->put_for_accesses + counts->put_at_ends);
    GM_INVARIANT(where, "sectors taken by the atomic buffer = put back", counts->sectors_taken,
                 counts->sectors_put);
    return gm_atomic_buffer_check(&unit->block, error);
}

uint64_t gm_atomic_unit_gone(const gm_atomic_unit *unit)
{
    return unit != NULL ? unit->statistics.taken : 0;
}

void gm_atomic_unit_snapshot(gm_atomic_unit *unit, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, unit->block.held);
    GM_SNAPSHOT_VALUE(snapshot, unit->block.line);
    GM_SNAPSHOT_VALUE(snapshot, unit->block.valid);
    GM_SNAPSHOT_VALUE(snapshot, unit->block.dirty);
    GM_SNAPSHOT_VALUE(snapshot, unit->partial);
    GM_SNAPSHOT_VALUE(snapshot, unit->bytes);
    GM_SNAPSHOT_VALUE(snapshot, unit->statistics);
}

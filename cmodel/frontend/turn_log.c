/* Turn log: what each record of a CTA's warps adds to the core counters. */
#include "frontend/turn_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static int make_room(gm_turn_log *log, uint64_t turns, gm_error *error)
{
    uint64_t room = log->room == 0 ? FIRST_ROOM : log->room;
    while (room < turns) {
        room *= 2;
    }
    if (room > log->room) {
        gm_turn *more = realloc(log->turn, room * sizeof *more);
        if (more == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the instructions of a limited run");
        }
        log->turn = more;
        log->room = room;
    }
    return 0;
}

/* Returns the flags of the counters that differ: by 1, since they count instructions. */
static uint16_t flags_of(const gm_core_statistics *before, const gm_core_statistics *after)
{
#define FLAG(counter, flag) ((after->counter - before->counter) * (flag))
    return (uint16_t)(FLAG(memory_instructions, GM_TURN_MEMORY) |
                      FLAG(global_instructions, GM_TURN_GLOBAL) |
                      FLAG(local_instructions, GM_TURN_LOCAL) |
                      FLAG(shared_instructions, GM_TURN_SHARED) |
                      FLAG(atomic_instructions, GM_TURN_ATOMIC) | FLAG(barriers, GM_TURN_BARRIER) |
                      FLAG(fences, GM_TURN_FENCE) | FLAG(fences_gpu, GM_TURN_FENCE_GPU) |
                      FLAG(fences_sys, GM_TURN_FENCE_SYS) | FLAG(copies_to_shared, GM_TURN_COPY));
#undef FLAG
}

int gm_turn_log_add(gm_turn_log *log, const gm_core_statistics *before,
                    const gm_core_statistics *after, uint64_t records, gm_error *error)
{
    int code = make_room(log, log->turns + records, error);
    if (code < 0) {
        return code;
    }
    gm_turn turn = {
        .lanes = (uint8_t)(after->thread_instructions - before->thread_instructions),
        .flags = (uint16_t)(GM_TURN_INSTRUCTION | flags_of(before, after)),
        .lane_accesses = (uint16_t)(after->lane_accesses - before->lane_accesses),
        .shared_accesses = (uint16_t)(after->shared_accesses - before->shared_accesses),
        .shared_conflicts = (uint16_t)(after->shared_conflicts - before->shared_conflicts),
        .copied = (uint16_t)(after->copied_to_shared - before->copied_to_shared),
    };
    for (uint64_t i = 0; i < records; i++) {
        log->turn[log->turns++] = turn;
        turn = (gm_turn){0};
    }
    return 0;
}

int gm_turn_log_append(gm_turn_log *log, const gm_turn_log *other, uint64_t from, uint64_t to,
                       gm_error *error)
{
    int code = from == to ? 0 : make_room(log, log->turns + to - from, error);
    if (code == 0 && from != to) {
        memcpy(log->turn + log->turns, other->turn + from, (to - from) * sizeof *log->turn);
        log->turns += to - from;
    }
    return code;
}

void gm_turn_log_sum(const gm_turn_log *log, uint64_t from, uint64_t to, gm_core_statistics *sum)
{
    for (uint64_t i = from; i < to; i++) {
        const gm_turn *turn = &log->turn[i];
        unsigned flags = turn->flags;
        sum->warp_instructions += (flags & GM_TURN_INSTRUCTION) != 0;
        sum->thread_instructions += turn->lanes;
        sum->memory_instructions += (flags & GM_TURN_MEMORY) != 0;
        sum->global_instructions += (flags & GM_TURN_GLOBAL) != 0;
        sum->local_instructions += (flags & GM_TURN_LOCAL) != 0;
        sum->shared_instructions += (flags & GM_TURN_SHARED) != 0;
        sum->atomic_instructions += (flags & GM_TURN_ATOMIC) != 0;
        sum->barriers += (flags & GM_TURN_BARRIER) != 0;
        sum->fences += (flags & GM_TURN_FENCE) != 0;
        sum->fences_gpu += (flags & GM_TURN_FENCE_GPU) != 0;
        sum->fences_sys += (flags & GM_TURN_FENCE_SYS) != 0;
        sum->copies_to_shared += (flags & GM_TURN_COPY) != 0;
        sum->copied_to_shared += turn->copied;
        sum->lane_accesses += turn->lane_accesses;
        sum->shared_accesses += turn->shared_accesses;
        sum->shared_conflicts += turn->shared_conflicts;
    }
}

void gm_turn_log_free(gm_turn_log *log)
{
    free(log->turn);
    *log = (gm_turn_log){0};
}

/* Subtracts word by word: the struct holds nothing but 64-bit counters. */
void gm_core_statistics_subtract(gm_core_statistics *from, const gm_core_statistics *what)
{
    uint64_t *left = (uint64_t *)from;
    const uint64_t *right = (const uint64_t *)what;
    for (size_t i = 0; i < sizeof *from / sizeof *left; i++) {
        left[i] -= right[i];
    }
}

/* The SIMT executor: runs a CTA's warps in turn, each warp's lanes one after the other up to the
 * next barrier, then merges the lanes' logs (simt_merge.c). Without barriers an instruction is
 * delivered as soon as it is merged; with them a CTA's instructions are kept until its last warp
 * has ended, since a source delivers warp after warp. */
#include "workload/simt/simt_internal.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A lane's part of the log, in events, with room for the events after the last LOOP and for reads
 * of COLUMNS events past the end; a size that does not put all lanes into one set of the host's
 * cache. */
enum { LOG_LANE = GM_SIMT_EVENTS + GM_EVENT_ORDINALS + 24, DEFAULT_REGISTERS = 24 };
static const size_t LOG_BYTES = (size_t)LOG_LANE * GM_WARP_SIZE * sizeof(uint64_t);

int gm_simt_create(gm_simt **simt, gm_opcode_table *opcodes, const void *memory, gm_error *error)
{
    *simt = calloc(1, sizeof **simt);
    if (*simt == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for a workload");
    }
    /* Mapped, not allocated: pages that no lane reaches take no memory. */
    void *log = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (log == MAP_FAILED) {
        free(*simt);
        *simt = NULL;
        return gm_fail(error, -ENOMEM, "out of memory for a workload's log");
    }
    (*simt)->opcodes = opcodes;
    (*simt)->memory = (uintptr_t)memory;
    (*simt)->log = log;
    return 0;
}

static void free_warps(gm_simt *simt)
{
    for (uint32_t i = 0; i < simt->warps; i++) {
        free(simt->record[i].bytes);
    }
    free(simt->warp);
    free(simt->record);
    free(simt->exited);
    simt->warp = NULL;
    simt->record = NULL;
    simt->exited = NULL;
    simt->warps = 0;
}

void gm_simt_free(gm_simt *simt)
{
    if (simt != NULL) {
        free_warps(simt);
        gm_points_free(simt->points);
        munmap(simt->log, LOG_BYTES);
        free(simt->shared);
        free(simt->locals);
        free(simt);
    }
}

static uint32_t launch_threads(const gm_launch *launch)
{
    return launch->block.x * launch->block.y * launch->block.z;
}

static int make_points(gm_simt *simt, const gm_code *code, gm_error *error)
{
    gm_points *points = simt->points;
    while (points != NULL && points->code != code) {
        points = points->next;
    }
    if (points == NULL) {
        int result = gm_points_create(&points, code, error);
        if (result < 0) {
            return result;
        }
        points->next = simt->points;
        simt->points = points;
    }
    simt->current = points;
    return 0;
}

static int make_warps(gm_simt *simt, uint32_t warps, gm_error *error)
{
    if (warps <= simt->warps) {
        return 0;
    }
    free_warps(simt);
    simt->warp = calloc(warps, sizeof *simt->warp);
    simt->record = calloc(warps, sizeof *simt->record);
    simt->exited = calloc(warps, sizeof *simt->exited);
    if (simt->warp == NULL || simt->record == NULL || simt->exited == NULL) {
        free_warps(simt);
        return gm_fail(error, -ENOMEM, "out of memory for the %u warps of a CTA", warps);
    }
    for (uint32_t i = 0; i < warps; i++) {
        for (unsigned lane = 0; lane < GM_WARP_SIZE; lane++) {
            simt->warp[i].log[lane] = simt->log + (size_t)lane * LOG_LANE;
        }
    }
    simt->warps = warps;
    return 0;
}

static int make_room(void **memory, size_t *bytes, size_t wanted, gm_error *error)
{
    if (wanted > *bytes) {
        free(*memory);
        *bytes = 0;
        *memory = aligned_alloc(64, (wanted + 63) / 64 * 64);
        if (*memory == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory for %zu bytes of a CTA", wanted);
        }
        *bytes = wanted;
    }
    return 0;
}

static size_t shared_bytes(const gm_launch *launch)
{
    return launch->code->shared_bytes + launch->shared_bytes;
}

int gm_simt_launch(gm_simt *simt, const gm_launch *launch, gm_error *error)
{
    uint32_t threads = launch_threads(launch);
    void *locals = simt->locals;
    simt->weak = launch->weak;
    int result = make_points(simt, launch->code, error);
    if (result >= 0) {
        result = make_warps(simt, (threads + GM_WARP_SIZE - 1) / GM_WARP_SIZE, error);
    }
    if (result >= 0) {
        result = make_room(&simt->shared, &simt->shared_bytes, shared_bytes(launch), error);
    }
    if (result >= 0) {
        result = make_room(&locals, &simt->local_bytes, threads * launch->code->local_bytes, error);
        simt->locals = locals;
    }
    return result;
}

/* Returns the first thread of the next warp. */
static gm_dim position_after_warp(gm_dim position, gm_dim block)
{
    if (position.x + GM_WARP_SIZE < block.x) {
        position.x += GM_WARP_SIZE;
        return position;
    }
    for (unsigned lane = 0; lane < GM_WARP_SIZE; lane++) {
        position = gm_dim_next(position, block);
    }
    return position;
}

uint32_t gm_simt_begin_warps(const gm_simt *simt, const gm_launch *launch, const gm_dim *cta,
                             gm_warp *warp, void *shared, unsigned char *locals)
{
    uint32_t threads = launch_threads(launch);
    size_t local = launch->code->local_bytes;
    gm_dim position = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t done = 0; done < threads; done += GM_WARP_SIZE, count++, warp++) {
        warp->first = (gm_thread){.thread = position,
                                  .cta = *cta,
                                  .block = launch->block,
                                  .grid = launch->grid,
                                  .shared = shared,
                                  .memory = simt->memory};
        warp->run = (uint32_t)gm_mask(threads - done < GM_WARP_SIZE ? threads - done : 32);
        warp->local_bytes = local;
        warp->locals = local != 0 ? locals + done * local : locals;
        warp->full = false;
        position = position_after_warp(position, launch->block);
        memset(warp->resume, 0, sizeof warp->resume);
    }
    if (launch->code->shared_bytes + launch->shared_bytes != 0) {
        memset(shared, 0, shared_bytes(launch));
    }
    if (local != 0) {
        memset(locals, 0, threads * local);
    }
    return count;
}

/* Returns an error unless each lane's log ascends, except at LOOP. */
static int check_logs(const gm_simt *simt, const gm_warp *warp, gm_error *error)
{
    for (uint32_t rest = warp->run; rest != 0; rest &= rest - 1) {
        unsigned lane = gm_lowest_one(rest);
        for (const uint64_t *e = warp->log[lane]; e + 1 < warp->end[lane]; e++) {
            uint64_t point = e[0] >> GM_EVENT_ORDINAL;
            uint64_t next = e[1] >> GM_EVENT_ORDINAL;
            if (next <= point && gm_event_kind(e[0]) != GM_POINT_LOOP) {
                return gm_fail(error, -EINVAL, "kernel %s: point %u goes back to %u without LOOP",
                               simt->current->code->name, (unsigned)point, (unsigned)next);
            }
        }
    }
    return 0;
}

int gm_simt_run_lanes(gm_simt *simt, const gm_launch *launch, gm_warp *warp, uint32_t lanes,
                      gm_record *record, gm_error *error)
{
    for (;;) {
        launch->code->run(warp, launch->arguments);
        if (warp->full) {
            return gm_fail(error, -EINVAL,
                           "kernel %s: a thread has %d events or more between barriers or yields",
                           launch->code->name, GM_SIMT_EVENTS);
        }
        int result = simt->check_order ? check_logs(simt, warp, error) : 0;
        result = result < 0 ? result : gm_simt_merge(simt, warp, lanes, record, error);
        if (result != GM_MERGE_YIELD) {
            return result;
        }
    }
}

/* Runs one warp up to a barrier or its end. Returns a gm_merge_end. */
static int run_warp(gm_simt *simt, const gm_launch *launch, uint32_t id, gm_record *record,
                    gm_error *error)
{
    gm_warp *warp = &simt->warp[id];
    uint32_t lanes = warp->run | simt->exited[id];
    for (uint32_t rest = simt->exited[id]; rest != 0; rest &= rest - 1) {
        unsigned lane = gm_lowest_one(rest); /* waits at EXIT; its log was used by other warps */
        warp->log[lane][0] = GM_EVENT(launch->code->exit, GM_POINT_EXIT, 0, 0);
        warp->head[lane] = warp->log[lane];
    }
    int result = gm_simt_run_lanes(simt, launch, warp, lanes, record, error);
    if (result >= 0) {
        simt->exited[id] = result == GM_MERGE_BARRIER ? lanes & ~warp->run : lanes;
        warp->run = result == GM_MERGE_BARRIER ? warp->run : 0;
    }
    return result;
}

/* Without barriers: runs each warp from beginning to end. */
static int run_straight(gm_simt *simt, const gm_launch *launch, uint32_t warps, gm_error *error)
{
    for (uint32_t id = 0; id < warps; id++) {
        int result = simt->sink->begin_warp(simt->sink->context, id, error);
        if (result >= 0) {
            result = run_warp(simt, launch, id, NULL, error);
        }
        if (result < 0) {
            return result;
        }
        if (result == GM_MERGE_BARRIER) {
            return gm_fail(error, -EINVAL, "kernel %s: a barrier, but not a GM_BARRIER_KERNEL",
                           launch->code->name);
        }
    }
    return 0;
}

/* With barriers: runs all warps to the next barrier until all have ended, then delivers their
 * instructions. */
static int run_barriers(gm_simt *simt, const gm_launch *launch, uint32_t warps, gm_error *error)
{
    for (bool waiting = true; waiting;) {
        waiting = false;
        for (uint32_t id = 0; id < warps; id++) {
            if (simt->warp[id].run == 0) {
                continue;
            }
            int result = run_warp(simt, launch, id, &simt->record[id], error);
            if (result < 0) {
                return result;
            }
            waiting = waiting || result == GM_MERGE_BARRIER;
        }
    }
    for (uint32_t id = 0; id < warps; id++) {
        int result = simt->sink->begin_warp(simt->sink->context, id, error);
        if (result >= 0) {
            result = gm_record_replay(simt, &simt->record[id], error);
        }
        if (result < 0) {
            return result;
        }
    }
    return 0;
}

int gm_simt_run_cta(gm_simt *simt, const gm_launch *launch, const gm_dim *cta,
                    const gm_cta_sink *sink, gm_error *error)
{
    const uint32_t id[3] = {cta->x, cta->y, cta->z};
    uint32_t warps = gm_simt_begin_warps(simt, launch, cta, simt->warp, simt->shared, simt->locals);
    memset(simt->exited, 0, warps * sizeof *simt->exited);
    simt->sink = sink;
    int result = sink->begin_cta(sink->context, id, error);
    if (result >= 0) {
        result = launch->code->has_barriers ? run_barriers(simt, launch, warps, error)
                                            : run_straight(simt, launch, warps, error);
    }
    return result < 0 ? result : sink->end_cta(sink->context, error);
}

/* Live CTAs: execution of kernels that communicate. */
#include "workload/simt/simt_live.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TURNS = 1 << 16 }; /* of all warps, without a change, until a run without time fails */

typedef enum live_state {
    LIVE_RUNS,    /* can run */
    LIVE_SYNC,    /* waits for the values of its access */
    LIVE_BARRIER, /* waits for the other warps */
    LIVE_ENDED,
} live_state;

/* A word that an access of a warp will write, in the order of instructions, then of lanes. */
typedef struct live_write {
    uint64_t address;
    uint64_t access; /* number among the warp's */
    uint32_t lane;
    uint32_t data; /* of a store */
    bool atomic;
} live_write;

typedef struct live_warp {
    gm_warp simt;
    gm_lane_sync sync[GM_WARP_SIZE];
    uint32_t lanes; /* of the warp */
    live_state state;
    uint64_t *kept; /* events of the lanes that wait for others, lane after lane */
    size_t kept_room;
    uint32_t events[GM_WARP_SIZE]; /* of each lane in `kept` */
    gm_record record;
    /* The access that the warp waits for: */
    uint64_t event; /* of its lowest lane */
    uint32_t mask;
    uint32_t told; /* lanes that have their values */
    uint64_t address[GM_WARP_SIZE];
    uint32_t number[GM_WARP_SIZE]; /* of an atomic: of each lane's write */
    uint64_t answered;             /* gm_simt_live.turns */
    /* Writes that have not reached their L1: */
    live_write *write;
    uint32_t writes, write_room;
    uint64_t accesses; /* with writes, so far */
} live_warp;

struct gm_live_cta {
    uint64_t number;
    gm_dim id;
    uint32_t warps, ended;
    live_warp *warp; /* [warps] */
    void *shared;
    unsigned char *locals;
};

void gm_simt_live_init(gm_simt_live *live, gm_simt *simt, unsigned char *memory)
{
    live->simt = simt;
    live->memory.memory = memory;
}

static void free_cta(gm_live_cta *cta)
{
    for (uint32_t i = 0; cta->warp != NULL && i < cta->warps; i++) {
        free(cta->warp[i].kept);
        free(cta->warp[i].write);
        free(cta->warp[i].record.bytes);
    }
    free(cta->warp);
    free(cta->shared);
    free(cta->locals);
    free(cta);
}

void gm_simt_live_free(gm_simt_live *live)
{
    for (uint32_t i = 0; i < live->ctas; i++) {
        free_cta(live->cta[i]);
    }
    free(live->cta);
    gm_sync_memory_free(&live->memory);
    *live = (gm_simt_live){0};
}

void gm_simt_live_launch(gm_simt_live *live, const gm_launch *launch)
{
    live->launch = launch;
    for (uint32_t i = 0; i < live->ctas; i++) {
        free_cta(live->cta[i]);
    }
    live->ctas = 0;
    gm_sync_memory_clear(&live->memory);
}

static int no_memory(gm_error *error)
{
    return gm_fail(error, -ENOMEM, "out of memory for the live CTAs of a kernel");
}

/* Returns the live CTA of this number, or NULL. CTAs begin in ascending order. */
static gm_live_cta *find(const gm_simt_live *live, uint64_t number)
{
    uint32_t low = 0;
    uint32_t high = live->ctas;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (live->cta[middle]->number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < live->ctas && live->cta[low]->number == number ? live->cta[low] : NULL;
}

/* Keeps the events of the lanes that do not run next: other warps use the log. */
static int keep_events(live_warp *warp, gm_error *error)
{
    size_t total = 0;
    for (unsigned lane = 0; lane < GM_WARP_SIZE; lane++) {
        bool waits = ((warp->lanes & ~warp->simt.run) >> lane & 1) != 0;
        const gm_warp *simt = &warp->simt;
        warp->events[lane] = waits ? (uint32_t)(simt->end[lane] - simt->head[lane]) : 0;
        total += warp->events[lane];
    }
    if (total > warp->kept_room) {
        free(warp->kept);
        warp->kept = malloc(total * sizeof *warp->kept);
        warp->kept_room = warp->kept == NULL ? 0 : total;
        if (warp->kept == NULL) {
            return no_memory(error);
        }
    }
    uint64_t *at = warp->kept;
    for (unsigned lane = 0; lane < GM_WARP_SIZE; lane++) {
        if (warp->events[lane] != 0) {
            memcpy(at, warp->simt.head[lane], warp->events[lane] * sizeof *at);
            at += warp->events[lane];
        }
    }
    return 0;
}

/* Puts the kept events back into the log. */
static void restore_events(live_warp *warp)
{
    const uint64_t *at = warp->kept;
    for (unsigned lane = 0; lane < GM_WARP_SIZE; lane++) {
        uint32_t events = warp->events[lane];
        if (events != 0) {
            memcpy(warp->simt.log[lane], at, events * sizeof *at);
            warp->simt.head[lane] = warp->simt.log[lane];
            warp->simt.end[lane] = warp->simt.log[lane] + events;
            at += events;
        }
    }
}

static unsigned detail_of(uint64_t event)
{
    return (unsigned)(event >> GM_EVENT_OFFSET) & 63U;
}

/* Notes the access of the group that has just been issued. */
static void note_access(const gm_simt *simt, live_warp *warp)
{
    const gm_group *group = &simt->group;
    uint32_t rest = group->mask;
    warp->event = *group->head[0];
    warp->mask = group->mask;
    warp->told = 0;
    for (unsigned k = 0; k < group->lanes; k++, rest &= rest - 1) {
        warp->address[gm_lowest_one(rest)] =
            GM_DEVICE_BASE + (*group->head[k] & gm_mask(GM_EVENT_OFFSET));
    }
}

/* Adds what the noted store or atomic will write. */
static int add_writes(live_warp *warp, bool atomic, gm_error *error)
{
    if (warp->write_room - warp->writes < GM_WARP_SIZE) {
        uint32_t room = 2 * warp->write_room + GM_WARP_SIZE;
        live_write *larger = realloc(warp->write, room * sizeof *larger);
        if (larger == NULL) {
            return no_memory(error);
        }
        warp->write = larger;
        warp->write_room = room;
    }
    warp->accesses++;
    for (uint32_t rest = warp->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = gm_lowest_one(rest);
        warp->write[warp->writes++] = (live_write){.address = warp->address[lane],
                                                   .access = warp->accesses,
                                                   .lane = lane,
                                                   .data = warp->sync[lane].operand,
                                                   .atomic = atomic};
    }
    return 0;
}

/* Performs the noted access at once. */
static void perform_now(gm_simt_live *live, live_warp *warp)
{
    gm_point_kind kind = gm_event_kind(warp->event);
    for (uint32_t rest = warp->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = gm_lowest_one(rest);
        gm_lane_sync *sync = &warp->sync[lane];
        uint32_t old = *gm_sync_word(&live->memory, warp->address[lane]);
        if (kind == GM_POINT_SYNC_STORE) {
            gm_sync_memory_write(&live->memory, warp->address[lane], sync->operand);
        } else if (kind == GM_POINT_SYNC_ATOMIC) {
            uint32_t data = gm_sync_operate(detail_of(warp->event), old, sync);
            gm_sync_memory_write(&live->memory, warp->address[lane], data);
        }
        sync->value = old;
    }
    warp->told = warp->mask;
}

/* Sets the state of a warp that has run up to `end`. Returns 1 if it runs on. */
static int end_lanes(gm_simt_live *live, live_warp *warp, int end, gm_error *error)
{
    gm_point_kind kind;
    switch ((gm_merge_end)end) {
    case GM_MERGE_EXITED:
        warp->state = LIVE_ENDED;
        return 0;
    case GM_MERGE_BARRIER:
        warp->state = LIVE_BARRIER;
        return keep_events(warp, error);
    case GM_MERGE_SYNC:
    case GM_MERGE_YIELD:
        break;
    }
    note_access(live->simt, warp);
    kind = gm_event_kind(warp->event);
    if (kind == GM_POINT_SYNC_STORE && !live->timed) {
        perform_now(live, warp);
        return 1;
    }
    int code = live->timed && kind != GM_POINT_SYNC_LOAD
                   ? add_writes(warp, kind == GM_POINT_SYNC_ATOMIC, error)
                   : 0;
    if (code < 0 || kind == GM_POINT_SYNC_STORE) {
        return code < 0 ? code : 1;
    }
    warp->state = LIVE_SYNC;
    return keep_events(warp, error);
}

/* Runs a warp up to where it waits, or its end. */
static int run_warp(gm_simt_live *live, const gm_live_cta *cta, uint32_t id, gm_error *error)
{
    live_warp *warp = &cta->warp[id];
    gm_simt *simt = live->simt;
    restore_events(warp);
    int code = 1;
    while (code == 1) {
        int end =
            gm_simt_run_lanes(simt, live->launch, &warp->simt, warp->lanes, &warp->record, error);
        if (end == GM_MERGE_BARRIER && !live->launch->code->has_barriers) {
            end = gm_fail(error, -EINVAL, "kernel %s: a barrier, but not a GM_SYNC_BARRIER_KERNEL",
                          live->launch->code->name);
        }
        code = end < 0 ? end : end_lanes(live, warp, end, error);
    }
    return code;
}

/* Releases the warps from the barrier if all that have not ended are there. Returns true if it has.
 */
static bool open_barrier(gm_live_cta *cta)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < cta->warps; i++) {
        waiting += cta->warp[i].state == LIVE_BARRIER;
        if (cta->warp[i].state == LIVE_SYNC || cta->warp[i].state == LIVE_RUNS) {
            return false;
        }
    }
    for (uint32_t i = 0; i < cta->warps; i++) {
        if (cta->warp[i].state == LIVE_BARRIER) {
            cta->warp[i].state = LIVE_RUNS;
        }
    }
    return waiting != 0;
}

/* Runs all warps of a CTA that can run. */
static int run_cta(gm_simt_live *live, gm_live_cta *cta, gm_error *error)
{
    do {
        for (uint32_t i = 0; i < cta->warps; i++) {
            if (cta->warp[i].state != LIVE_RUNS) {
                continue;
            }
            int code = run_warp(live, cta, i, error);
            if (code < 0) {
                return code;
            }
            if (cta->warp[i].state == LIVE_ENDED) {
                cta->ended++;
                live->ends++;
            }
        }
    } while (open_barrier(cta));
    return live->memory.failed ? no_memory(error) : 0;
}

/* Delivers what a warp has executed since the last delivery. */
static int deliver(gm_simt_live *live, live_warp *warp, uint32_t id, const gm_cta_sink *sink,
                   bool begins, gm_error *error)
{
    int code = 0;
    live->simt->sink = sink;
    if (begins || warp->record.used != 0) {
        code = sink->begin_warp(sink->context, id, error);
        code = code < 0 ? code : gm_record_replay(live->simt, &warp->record, error);
    }
    return code;
}

static int deliver_all(gm_simt_live *live, const gm_live_cta *cta, const gm_cta_sink *sink,
                       bool begins, gm_error *error)
{
    int code = 0;
    for (uint32_t i = 0; code >= 0 && i < cta->warps; i++) {
        code = deliver(live, &cta->warp[i], i, sink, begins, error);
    }
    return code < 0 ? code : 0;
}

/* Removes a CTA whose warps have all ended, and whose writes have all reached their L1s. */
static void remove_ended(gm_simt_live *live, gm_live_cta *cta)
{
    uint32_t at = 0;
    uint32_t writes = 0;
    for (uint32_t i = 0; i < cta->warps; i++) {
        writes += cta->warp[i].writes;
    }
    if (cta->ended != cta->warps || writes != 0) {
        return;
    }
    while (live->cta[at] != cta) {
        at++;
    }
    memmove(&live->cta[at], &live->cta[at + 1], (live->ctas - at - 1) * sizeof(void *));
    live->ctas--;
    free_cta(cta);
}

/* Returns a new CTA, or NULL. */
static gm_live_cta *make_cta(gm_simt_live *live, const gm_dim *id)
{
    const gm_launch *launch = live->launch;
    gm_simt *simt = live->simt;
    uint32_t threads = launch->block.x * launch->block.y * launch->block.z;
    gm_live_cta *cta = calloc(1, sizeof *cta);
    if (cta == NULL) {
        return NULL;
    }
    cta->id = *id;
    cta->number = ((uint64_t)id->z * launch->grid.y + id->y) * launch->grid.x + id->x;
    cta->warps = (threads + GM_WARP_SIZE - 1) / GM_WARP_SIZE;
    cta->warp = calloc(cta->warps, sizeof *cta->warp);
    cta->shared = calloc(1, launch->code->shared_bytes + launch->shared_bytes + 1);
    cta->locals = calloc(threads, launch->code->local_bytes + 1);
    gm_warp *warps = calloc(cta->warps, sizeof *warps);
    if (cta->warp == NULL || cta->shared == NULL || cta->locals == NULL || warps == NULL) {
        free(warps);
        free_cta(cta);
        return NULL;
    }
    gm_simt_begin_warps(simt, launch, id, warps, cta->shared, cta->locals);
    for (uint32_t i = 0; i < cta->warps; i++) {
        live_warp *warp = &cta->warp[i];
        warp->simt = warps[i];
        warp->simt.sync = warp->sync;
        warp->lanes = warp->simt.run;
        memcpy(warp->simt.log, simt->warp[0].log, sizeof warp->simt.log);
    }
    free(warps);
    return cta;
}

/* Begins a CTA. Returns it, or NULL with error->code. */
static gm_live_cta *begin_cta(gm_simt_live *live, const gm_dim *id, gm_error *error)
{
    if (live->ctas == live->room) {
        uint32_t room = 2 * live->room + 16;
        gm_live_cta **larger = realloc(live->cta, room * sizeof(void *));
        if (larger == NULL) {
            no_memory(error);
            return NULL;
        }
        live->cta = larger;
        live->room = room;
    }
    gm_live_cta *cta = make_cta(live, id);
    if (cta == NULL) {
        no_memory(error);
        return NULL;
    }
    live->cta[live->ctas++] = cta;
    live->ends++;
    return run_cta(live, cta, error) < 0 ? NULL : cta;
}

/* Delivers a CTA from its beginning. */
static int deliver_cta(gm_simt_live *live, gm_live_cta *cta, const gm_cta_sink *sink,
                       gm_error *error)
{
    const uint32_t id[3] = {cta->id.x, cta->id.y, cta->id.z};
    int code = sink->begin_cta(sink->context, id, error);
    code = code < 0 ? code : deliver_all(live, cta, sink, true, error);
    code = code < 0 ? code : sink->end_cta(sink->context, error);
    if (code >= 0) {
        remove_ended(live, cta);
    }
    return code;
}

int gm_simt_live_begin_cta(gm_simt_live *live, const gm_dim *id, const gm_cta_sink *sink,
                           gm_error *error)
{
    gm_live_cta *cta = begin_cta(live, id, error);
    return cta == NULL ? error->code : deliver_cta(live, cta, sink, error);
}

int gm_simt_live_go_on(gm_simt_live *live, uint64_t number, uint32_t warp, const gm_cta_sink *sink,
                       gm_error *error)
{
    gm_live_cta *cta = find(live, number);
    if (cta == NULL || warp >= cta->warps || cta->warp[warp].state != LIVE_SYNC ||
        cta->warp[warp].told != cta->warp[warp].mask) {
        return gm_fail(error, -EPROTO,
                       "kernel %s: warp %u of CTA %llu runs on without the value of its access",
                       live->launch->code->name, warp, (unsigned long long)number);
    }
    cta->warp[warp].state = LIVE_RUNS;
    cta->warp[warp].answered = ++live->turns;
    int code = run_cta(live, cta, error);
    code = code < 0 ? code : deliver_all(live, cta, sink, false, error);
    if (code >= 0) {
        remove_ended(live, cta);
    }
    return code;
}

uint64_t gm_simt_live_open(const gm_simt_live *live, uint64_t number)
{
    const gm_live_cta *cta = find(live, number);
    uint64_t open = 0;
    for (uint32_t i = 0; cta != NULL && i < cta->warps; i++) {
        open |= (uint64_t)(cta->warp[i].state != LIVE_ENDED) << i;
    }
    return open;
}

/* Writes where the first warp waits for a value. */
static void describe(const gm_simt_live *live, char *text, size_t size)
{
    static const char *const kinds[] = {"load", "store", "atomic"};
    snprintf(text, size, "kernel %s: no warp waits for a value", live->launch->code->name);
    for (uint32_t i = 0; i < live->ctas; i++) {
        for (uint32_t k = 0; k < live->cta[i]->warps; k++) {
            const live_warp *warp = &live->cta[i]->warp[k];
            if (warp->state == LIVE_SYNC) {
                snprintf(text, size,
                         "kernel %s: CTA %llu, warp %u: a SYNC %s of 0x%llx always finds the same",
                         live->launch->code->name, (unsigned long long)live->cta[i]->number, k,
                         kinds[gm_event_kind(warp->event) - GM_POINT_SYNC_LOAD],
                         (unsigned long long)warp->address[gm_lowest_one(warp->mask)]);
                return;
            }
        }
    }
}

/* True if a warp is at a barrier with all its writes in its L1, or has got a value since the last
 * look. */
static bool is_idle(const gm_simt_live *live, const live_warp *warp)
{
    return warp->state == LIVE_ENDED || warp->answered > live->looked ||
           (warp->state == LIVE_BARRIER && warp->writes == 0);
}

bool gm_simt_live_is_stuck(gm_simt_live *live, char *text, size_t size)
{
    uint64_t changes = live->memory.changes + live->ends;
    bool stuck = changes == live->changes && live->ctas != 0;
    for (uint32_t i = 0; stuck && i < live->ctas; i++) {
        for (uint32_t k = 0; stuck && k < live->cta[i]->warps; k++) {
            stuck = is_idle(live, &live->cta[i]->warp[k]);
        }
    }
    live->changes = changes;
    live->looked = live->turns;
    if (stuck) {
        describe(live, text, size);
    }
    return stuck;
}

static void hold(void *context, uint64_t address, uint32_t number)
{
    gm_sync_memory_hold(context, address, number);
}

void gm_simt_live_forget(gm_simt_live *live, gm_live_each *each, void *context)
{
    if (gm_sync_memory_is_full(&live->memory)) {
        each(context, hold, &live->memory);
        gm_sync_memory_forget(&live->memory);
    }
}

/* Lets each warp that waits have its access, and run on. Returns 1 while there are some, 0 when all
 * have ended. */
static int take_turns(gm_simt_live *live, gm_error *error)
{
    int left = 0;
    for (uint32_t i = 0; i < live->ctas; i++) {
        gm_live_cta *cta = live->cta[i];
        for (uint32_t k = 0; k < cta->warps; k++) {
            live_warp *warp = &cta->warp[k];
            if (warp->state != LIVE_SYNC) {
                continue;
            }
            left = 1;
            perform_now(live, warp);
            warp->state = LIVE_RUNS;
            int code = run_cta(live, cta, error);
            if (code < 0) {
                return code;
            }
        }
    }
    return left;
}

int gm_simt_live_run_all(gm_simt_live *live, gm_error *error)
{
    gm_dim id = {0, 0, 0};
    gm_dim grid = live->launch->grid;
    uint64_t ctas = (uint64_t)grid.x * grid.y * grid.z;
    uint64_t changes = 0;
    uint32_t same = 0;
    for (uint64_t i = 0; i < ctas; i++, id = gm_dim_next(id, grid)) {
        if (begin_cta(live, &id, error) == NULL) {
            return error->code;
        }
    }
    int left = 1;
    while (left == 1) {
        left = take_turns(live, error);
        uint64_t now = live->memory.changes + live->ends;
        same = now == changes ? same + 1 : 0;
        changes = now;
        if (left == 1 && same == MOST_TURNS) {
            char text[400];
            describe(live, text, sizeof text);
            return gm_fail(error, -EDEADLK, "%s: no progress in %d turns of all warps", text,
                           MOST_TURNS);
        }
    }
    return left;
}

int gm_simt_live_deliver(gm_simt_live *live, const gm_cta_sink *sink, gm_error *error)
{
    return deliver_cta(live, live->cta[0], sink, error);
}

/* What the machine tells of the accesses. */

static live_warp *warp_of(gm_live_cta *cta, const gm_value_warp *of)
{
    return cta == NULL || of->warp >= cta->warps ? NULL : &cta->warp[of->warp];
}

/* A write of the warp gets its number: the oldest that has none. */
static void wrote(void *context, const gm_value_warp *of, uint64_t address, uint32_t number)
{
    gm_simt_live *live = context;
    gm_live_cta *cta = find(live, of->cta);
    live_warp *warp = warp_of(cta, of);
    uint64_t access = 0; /* the first that matches */
    uint32_t left = 0;
    for (uint32_t i = 0; warp != NULL && i < warp->writes; i++) {
        live_write *write = &warp->write[i];
        if (write->address != address || (access != 0 && write->access != access)) {
            warp->write[left++] = *write;
            continue;
        }
        access = write->access;
        if (write->atomic) {
            warp->number[write->lane] = number;
        } else {
            gm_sync_memory_keep(&live->memory, address, number, write->data);
        }
    }
    if (warp != NULL && left != warp->writes) {
        warp->writes = left;
        remove_ended(live, cta);
    }
}

/* The warp's access to a word sees this write; of an atomic: reads it and replaces it. */
static void loaded(void *context, const gm_value_warp *of, uint64_t address, uint32_t number)
{
    gm_simt_live *live = context;
    live_warp *warp = warp_of(find(live, of->cta), of);
    if (warp == NULL || warp->state != LIVE_SYNC) {
        return;
    }
    bool atomic = gm_event_kind(warp->event) == GM_POINT_SYNC_ATOMIC;
    uint32_t data = gm_sync_memory_read(&live->memory, address, number);
    for (uint32_t rest = warp->mask & ~warp->told; rest != 0; rest &= rest - 1) {
        unsigned lane = gm_lowest_one(rest);
        if (warp->address[lane] != address) {
            continue;
        }
        warp->sync[lane].value = data;
        warp->told |= UINT32_C(1) << lane;
        if (atomic) {
            data = gm_sync_operate(detail_of(warp->event), data, &warp->sync[lane]);
            gm_sync_memory_keep(&live->memory, address, warp->number[lane], data);
        }
    }
}

static void performed(void *context, uint64_t address, uint32_t old, uint32_t number)
{
    gm_simt_live *live = context;
    gm_sync_memory_perform(&live->memory, address, old, number);
}

/* True for the words of the access that the warp waits for, and of its writes. */
static bool wants(void *context, const gm_value_warp *of, uint64_t address)
{
    const live_warp *warp = warp_of(find(context, of->cta), of);
    bool wanted = false;
    for (uint32_t rest = warp != NULL && warp->state == LIVE_SYNC ? warp->mask : 0; rest != 0;
         rest &= rest - 1) {
        wanted = wanted || warp->address[gm_lowest_one(rest)] == address;
    }
    for (uint32_t i = 0; warp != NULL && !wanted && i < warp->writes; i++) {
        wanted = warp->write[i].address == address;
    }
    return wanted;
}

gm_value_observer gm_simt_live_observer(gm_simt_live *live)
{
    live->timed = true;
    return (gm_value_observer){live, wrote, performed, loaded, wants};
}

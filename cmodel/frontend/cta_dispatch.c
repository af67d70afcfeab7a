/* CTA dispatch: SMs with room ask the queues in their turn. The source gives ascending numbers, the
 * queues give each number once; a number that is not in the source is passed over. */
#include "frontend/cta_dispatch.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

gm_cta_queues_parameters gm_cta_dispatch_parameters(const gm_config *config)
{
    static const gm_cta_queues_mode modes[] = {
        [GM_CTA_RR] = GM_CTA_QUEUES_RR,
        [GM_CTA_BCS] = GM_CTA_QUEUES_BCS,
        [GM_CTA_GROUPS] = GM_CTA_QUEUES_GROUPS,
    };
    return (gm_cta_queues_parameters){
        .sms = (unsigned)config->gpu.sms,
        .cta_bits = GM_CTA_DISPATCH_BITS,
        .mode = modes[config->gpu.cta],
        .adaptive = config->gpu.cta == GM_CTA_GROUPS && config->gpu.cta_adaptive,
    };
}

int gm_cta_dispatch_init(gm_cta_dispatch *dispatch, const gm_config *config, gm_error *error)
{
    *dispatch = (gm_cta_dispatch){.group = config->gpu.cta_group};
    gm_cta_queues_parameters parameters = gm_cta_dispatch_parameters(config);
    if (config->gpu.cta == GM_CTA_RR) {
        return 0;
    }
    dispatch->queued = true;
    int code = gm_arena_create(&dispatch->arena, gm_cta_queues_bytes(parameters.sms), error);
    return code < 0 ? code
                    : gm_cta_queues_init(&dispatch->queues, &parameters, &dispatch->arena, error);
}

void gm_cta_dispatch_free(gm_cta_dispatch *dispatch)
{
    if (dispatch->queued) {
        gm_arena_free(&dispatch->arena);
    }
}

int gm_cta_dispatch_start(gm_cta_dispatch *dispatch, const gm_kernel *kernel,
                          const gm_cta_scheduler *scheduler, gm_error *error)
{
    if (!dispatch->queued) {
        return 0;
    }
    uint64_t ctas = gm_kernel_ctas(kernel);
    uint64_t most = gm_mask(GM_CTA_DISPATCH_BITS);
    if (ctas > most) {
        return gm_fail(error, -EINVAL,
                       "kernel %llu (%.100s): %llu CTAs; gpu.cta=rr alone takes more than %llu",
                       (unsigned long long)kernel->id, kernel->name, (unsigned long long)ctas,
                       (unsigned long long)most);
    }
    bool is_bcs = dispatch->queues.parameters.mode == GM_CTA_QUEUES_BCS;
    uint64_t size = is_bcs                             ? gm_cta_scheduler_capacity(scheduler)
                    : dispatch->group == GM_CTA_GRID_X ? kernel->grid[0]
                                                       : dispatch->group;
    const gm_cta_queues_request request = {
        .op = GM_CTA_QUEUES_START,
        .ctas = ctas,
        .size = size,
        .tail = gm_cta_queues_tail(&dispatch->queues.parameters, size),
    };
    gm_cta_queues_access(&dispatch->queues, request);
    dispatch->left = ctas;
    dispatch->reached = 0;
    return 0;
}

/* Sets *cta to the CTA of this number, or to NULL if the source has none. */
static int take(gm_cta_dispatch *dispatch, uint64_t number, gm_feeder *feeder, gm_cta_read *read,
                void *context, gm_cta **cta, gm_error *error)
{
    int code = gm_feeder_unpark(feeder, number, cta, error);
    while (code == 0 && *cta == NULL && dispatch->reached <= number) {
        code = read(context, cta, error);
        if (code < 0) {
            return code;
        }
        dispatch->reached = *cta == NULL ? UINT64_MAX : (*cta)->number + 1;
        if (*cta != NULL && (*cta)->number != number) {
            code = gm_feeder_park(feeder, *cta, error);
            *cta = NULL;
        }
    }
    return code;
}

/* Asks for the SM. Sets *number to the CTA that it gets, and returns true if it gets one. */
static bool ask(gm_cta_dispatch *dispatch, uint32_t sm, uint32_t room, uint64_t *number)
{
    const gm_cta_queues_response response =
        gm_cta_queues_access(&dispatch->queues, (gm_cta_queues_request){.sm = sm, .free = room});
    dispatch->left -= response.count;
    dispatch->has_second = response.count == 2;
    dispatch->second = response.cta + 1;
    dispatch->second_sm = sm;
    *number = response.cta;
    return response.count != 0;
}

int gm_cta_dispatch_next(gm_cta_dispatch *dispatch, const gm_cta_scheduler *scheduler,
                         gm_feeder *feeder, gm_cta_read *read, void *context, uint32_t *sm,
                         gm_cta **cta, gm_error *error)
{
    int code = 0;
    *cta = NULL;
    if (dispatch->has_second) {
        dispatch->has_second = false;
        *sm = dispatch->second_sm;
        code = take(dispatch, dispatch->second, feeder, read, context, cta, error);
    }
    uint32_t next = scheduler->next;
    for (uint32_t i = 0; code == 0 && *cta == NULL && dispatch->left != 0 && i < scheduler->sms;
         i++) {
        uint32_t room = gm_cta_scheduler_room(scheduler, next);
        uint64_t number;
        *sm = next;
        while (code == 0 && *cta == NULL && room != 0 && ask(dispatch, next, room, &number)) {
            code = take(dispatch, number, feeder, read, context, cta, error);
            if (code == 0 && *cta == NULL && dispatch->has_second) {
                dispatch->has_second = false;
                code = take(dispatch, dispatch->second, feeder, read, context, cta, error);
            }
        }
        next = next + 1 < scheduler->sms ? next + 1 : 0;
    }
    return code;
}

bool gm_cta_dispatch_has_placed(const gm_cta_dispatch *dispatch, uint64_t number)
{
    const gm_cta_queues *queues = &dispatch->queues;
    bool waits = dispatch->has_second && number == dispatch->second;
    bool placed = number < queues->next && !waits;
    for (unsigned i = 0; placed && i < queues->parameters.sms; i++) {
        const gm_cta_queue *queue = &queues->queue[i];
        placed = number < queue->current || number >= queue->behind;
    }
    return placed;
}

void gm_cta_dispatch_snapshot(gm_cta_dispatch *dispatch, gm_snapshot *snapshot)
{
    gm_cta_queues *queues = &dispatch->queues;
    if (!dispatch->queued) {
        return;
    }
    gm_assert(!dispatch->has_second, "a CTA of a pair waits");
    GM_SNAPSHOT_VALUE(snapshot, dispatch->left);
    GM_SNAPSHOT_VALUE(snapshot, dispatch->reached);
    GM_SNAPSHOT_VALUE(snapshot, queues->next);
    GM_SNAPSHOT_VALUE(snapshot, queues->total);
    GM_SNAPSHOT_VALUE(snapshot, queues->size);
    GM_SNAPSHOT_VALUE(snapshot, queues->tail);
    GM_SNAPSHOT_VALUE(snapshot, queues->single);
    for (unsigned i = 0; i < queues->parameters.sms; i++) {
        GM_SNAPSHOT_VALUE(snapshot, queues->queue[i].current);
        GM_SNAPSHOT_VALUE(snapshot, queues->queue[i].behind);
        GM_SNAPSHOT_VALUE(snapshot, queues->queue[i].opened);
    }
}

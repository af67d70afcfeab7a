/* CTA scheduler. Occupancy follows GPGPU-Sim's rules: threads count in whole warps, and all threads
 * of those warps take registers. */
#include "frontend/cta_scheduler.h"

#include "goldmem/bits.h"

#include <errno.h>

enum { MOST_REGISTERS = 255, REGISTER_UNIT = 4, ALIGNMENT = 64, ARRAYS = 3 };

size_t gm_cta_scheduler_bytes(const gm_config *config)
{
    size_t of_sm = sizeof(gm_sm_resources) + sizeof(uint64_t) + sizeof(uint8_t);
    return config->gpu.sms * of_sm + (size_t)ARRAYS * ALIGNMENT;
}

static gm_sm_resources limits_of(const gm_config *config)
{
    return (gm_sm_resources){.threads = config->sm.threads,
                             .warps = config->sm.warps,
                             .ctas = config->sm.ctas,
                             .registers = config->sm.registers,
                             .shared_bytes = config->sm.shared_bytes};
}

int gm_cta_scheduler_init(gm_cta_scheduler *scheduler, const gm_config *config, gm_arena *arena,
                          gm_error *error)
{
    *scheduler = (gm_cta_scheduler){
        .sms = (uint32_t)config->gpu.sms,
        .kernel = GM_NO_KERNEL,
        .shared_now = config->sm.shared_bytes,
        .limit = limits_of(config),
        .used = gm_arena_take(arena, config->gpu.sms, sizeof(gm_sm_resources)),
        .holds = gm_arena_take(arena, config->gpu.sms, sizeof(uint64_t)),
        .closed = gm_arena_take(arena, config->gpu.sms, sizeof(uint8_t)),
    };
    bool made = scheduler->used != NULL && scheduler->holds != NULL && scheduler->closed != NULL;
    return made ? 0 : gm_fail(error, -ENOMEM, "out of memory: a CTA scheduler");
}

/* True if the SM can take `ctas` CTAs of the selected kernel. */
static bool has_room_for(const gm_cta_scheduler *scheduler, uint32_t sm, uint64_t ctas)
{
    const gm_sm_resources *used = &scheduler->used[sm];
    bool room = scheduler->closed[sm] == 0 &&
                (!scheduler->apart || used->ctas == 0 || scheduler->holds[sm] == scheduler->kernel);
    room =
        room && used->shared_bytes + ctas * scheduler->cost.shared_bytes <= scheduler->shared_now;
#define RESOURCE(resource, key, meaning)                                                           \
    room = room && used->resource + ctas * scheduler->cost.resource <= scheduler->limit.resource;
    GM_SM_RESOURCES(RESOURCE)
#undef RESOURCE
    return room;
}

static bool has_room(const gm_cta_scheduler *scheduler, uint32_t sm)
{
    return has_room_for(scheduler, sm, 1);
}

int gm_cta_scheduler_cost(const gm_cta_scheduler *scheduler, const gm_kernel *kernel,
                          gm_sm_resources *cost, gm_error *error)
{
    uint64_t warps = gm_kernel_warps(kernel);
    uint64_t registers = kernel->registers > MOST_REGISTERS ? 0 : kernel->registers;
    registers = (registers + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
    *cost = (gm_sm_resources){.threads = warps * GM_WARP_SIZE,
                              .warps = warps,
                              .ctas = 1,
                              .registers = warps * GM_WARP_SIZE * registers,
                              .shared_bytes = kernel->shared_bytes};
#define RESOURCE(resource, key, meaning)                                                           \
    if (cost->resource > scheduler->limit.resource) {                                              \
        return gm_fail(                                                                            \
            error, -EINVAL, "kernel %llu (%.100s): a CTA needs %llu %s; %s=%llu is too few",       \
            (unsigned long long)kernel->id, kernel->name, (unsigned long long)cost->resource,      \
            meaning, key, (unsigned long long)scheduler->limit.resource);                          \
    }
    GM_SM_RESOURCES(RESOURCE)
#undef RESOURCE
    return 0;
}

void gm_cta_scheduler_select(gm_cta_scheduler *scheduler, uint64_t kernel,
                             const gm_sm_resources *cost)
{
    scheduler->kernel = kernel;
    scheduler->cost = *cost;
    scheduler->open = 0;
    for (uint32_t i = 0; i < scheduler->sms; i++) {
        scheduler->open += has_room(scheduler, i);
    }
}

int gm_cta_scheduler_start(gm_cta_scheduler *scheduler, const gm_kernel *kernel, gm_error *error)
{
    gm_sm_resources cost;
    int code = gm_cta_scheduler_cost(scheduler, kernel, &cost, error);
    if (code == 0) {
        scheduler->next = scheduler->paced ? scheduler->next : 0;
        gm_cta_scheduler_select(scheduler, GM_NO_KERNEL, &cost);
    }
    return code;
}

void gm_cta_scheduler_close(gm_cta_scheduler *scheduler, uint32_t sm)
{
    scheduler->open -= has_room(scheduler, sm);
    scheduler->closed[sm] |= GM_CTA_CLOSED;
    scheduler->closed_sms++;
}

void gm_cta_scheduler_reopen(gm_cta_scheduler *scheduler, uint32_t sm)
{
    scheduler->closed[sm] &= (uint8_t)~GM_CTA_CLOSED;
    scheduler->closed_sms--;
    scheduler->open += has_room(scheduler, sm);
}

void gm_cta_scheduler_begin_cycle(gm_cta_scheduler *scheduler)
{
    for (uint32_t sm = 0; scheduler->paced_sms != 0 && sm < scheduler->sms; sm++) {
        if ((scheduler->closed[sm] & GM_CTA_PACED) != 0) {
            scheduler->closed[sm] &= (uint8_t)~GM_CTA_PACED;
            scheduler->open += has_room(scheduler, sm);
        }
    }
    scheduler->paced_sms = 0;
}

/* Returns `most`, or the CTAs of the kernel that an SM's resources hold at once, if fewer. */
static uint64_t held(const gm_cta_scheduler *scheduler, uint64_t most)
{
#define RESOURCE(resource, key, meaning)                                                           \
    if (scheduler->cost.resource * most > scheduler->limit.resource) {                             \
        most = scheduler->limit.resource / scheduler->cost.resource;                               \
    }
    GM_SM_RESOURCES(RESOURCE)
#undef RESOURCE
    return most;
}

uint64_t gm_cta_scheduler_capacity(const gm_cta_scheduler *scheduler)
{
    return held(scheduler, scheduler->limit.ctas);
}

uint64_t gm_cta_scheduler_most(const gm_cta_scheduler *scheduler, const gm_kernel *kernel)
{
    return held(scheduler, (gm_kernel_ctas(kernel) + scheduler->sms - 1) / scheduler->sms);
}

uint64_t gm_cta_scheduler_warps(const gm_config *config, const gm_kernel *kernel)
{
    gm_cta_scheduler scheduler = {.sms = (uint32_t)config->gpu.sms, .limit = limits_of(config)};
    gm_error error;
    return gm_cta_scheduler_cost(&scheduler, kernel, &scheduler.cost, &error) < 0
               ? 0
               : gm_cta_scheduler_most(&scheduler, kernel) * scheduler.sms * scheduler.cost.warps;
}

uint32_t gm_cta_scheduler_room(const gm_cta_scheduler *scheduler, uint32_t sm)
{
    return has_room_for(scheduler, sm, 2) ? 2 : has_room(scheduler, sm);
}

static uint32_t after(const gm_cta_scheduler *scheduler, uint32_t sm)
{
    return sm + 1 < scheduler->sms ? sm + 1 : 0;
}

int gm_cta_scheduler_find(const gm_cta_scheduler *scheduler)
{
    uint32_t sm = scheduler->next;
    for (uint32_t i = 0; scheduler->open != 0 && i < scheduler->sms; i++) {
        if (has_room(scheduler, sm)) {
            return (int)sm;
        }
        sm = after(scheduler, sm);
    }
    return -1;
}

void gm_cta_scheduler_place(gm_cta_scheduler *scheduler, uint32_t sm)
{
    gm_sm_resources *used = &scheduler->used[sm];
#define RESOURCE(resource, key, meaning) used->resource += scheduler->cost.resource;
    GM_SM_RESOURCES(RESOURCE)
#undef RESOURCE
    scheduler->holds[sm] = scheduler->kernel;
    scheduler->closed[sm] |= scheduler->paced ? GM_CTA_PACED : 0;
    scheduler->paced_sms += scheduler->paced;
    scheduler->open -= !has_room(scheduler, sm);
    scheduler->next = after(scheduler, sm);
}

void gm_cta_scheduler_release_of(gm_cta_scheduler *scheduler, uint32_t sm,
                                 const gm_sm_resources *cost)
{
    gm_sm_resources *used = &scheduler->used[sm];
    bool had_room = has_room(scheduler, sm);
#define RESOURCE(resource, key, meaning) used->resource -= cost->resource;
    GM_SM_RESOURCES(RESOURCE)
#undef RESOURCE
    scheduler->open += !had_room && has_room(scheduler, sm);
}

void gm_cta_scheduler_release(gm_cta_scheduler *scheduler, uint32_t sm)
{
    gm_cta_scheduler_release_of(scheduler, sm, &scheduler->cost);
}

uint64_t gm_cta_scheduler_resident(const gm_cta_scheduler *scheduler)
{
    uint64_t resident = 0;
    for (uint32_t i = 0; i < scheduler->sms; i++) {
        resident += scheduler->used[i].ctas;
    }
    return resident;
}

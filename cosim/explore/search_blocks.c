/* The blocks' worlds as a system of the search. */
#include "search_blocks.h"

/* The world whose events are done, and the current one. */
typedef struct pair {
    const world_settings *settings;
    size_t size;
    world from, current;
} pair;

static int begin(void *own, gm_error *error)
{
    pair *p = own;
    return world_init(&p->current, p->settings, error);
}

static void keep(void *own)
{
    pair *p = own;
    world_copy(&p->from, &p->current, p->size);
}

static size_t pack(void *own, uint8_t *bytes)
{
    pair *p = own;
    world_make_canonical(&p->current, p->settings);
    return world_pack(&p->current, p->settings, bytes);
}

static void unpack(void *own, const uint8_t *bytes)
{
    pair *p = own;
    world_unpack(&p->from, p->settings, bytes);
}

static size_t events(void *own, search_event *events, size_t most)
{
    pair *p = own;
    return world_find_forced(&p->from, p->settings, events)
               ? 1
               : world_events(&p->from, p->settings, events, most);
}

static bool step(void *own, search_event event, search_fault *fault, FILE *log)
{
    pair *p = own;
    world_copy(&p->current, &p->from, p->size);
    return world_step(&p->current, p->settings, event, fault, log);
}

static bool is_final(void *own, bool *holds)
{
    pair *p = own;
    return world_is_final(&p->current, p->settings, holds);
}

/* Calls the blocks' checks. */
static bool is_sound(void *own, bool final)
{
    const pair *p = own;
    const world *w = &p->current;
    gm_error error;
    (void) final;
    bool sound =
        gm_tc_l2_check(&w->l2, &error) == 0 && gm_lease_store_check(&w->leases, &error) == 0;
    for (size_t i = 0; i < world_sms(p->settings->test); i++) {
        const world_sm *sm = &w->sm[i];
        sound &= gm_tc_l1_check(&sm->l1, &error) == 0 && gm_gwct_check(&sm->gwct, &error) == 0;
        for (unsigned id = 0; id < WORLD_ENTRIES && sm->mshr.valid[0] != 0; id++) {
            sound &= gm_mshr_check_entry(&sm->mshr, id, &error) == 0;
        }
    }
    return sound;
}

/* The worlds of one search. */
static search_system system_of(pair *p, const world_settings *settings)
{
    p->settings = settings;
    p->size = world_size(settings);
    return (search_system){.own = p,
                           .begin = begin,
                           .keep = keep,
                           .pack = pack,
                           .unpack = unpack,
                           .events = events,
                           .step = step,
                           .is_final = is_final,
                           .is_sound = is_sound};
}

int search(const world_settings *settings, uint64_t most, search_result *result, gm_error *error)
{
    pair p;
    search_system system = system_of(&p, settings);
    int code = world_init(&p.from, settings, error);
    return code < 0 ? code : search_in(&system, most, result, error);
}

int search_tell(const world_settings *settings, const search_result *result, FILE *log,
                gm_error *error)
{
    pair p;
    search_system system = system_of(&p, settings);
    return search_tell_in(&system, result, log, error);
}

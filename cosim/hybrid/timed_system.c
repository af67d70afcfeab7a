/* The explored machine of the cycle engine as a system of the search. */
#include "timed.h"

static int begin(void *own, gm_error *error)
{
    timed_machine *m = own;
    m->is_from = false;
    return timed_begin(m, error);
}

static void keep(void *own)
{
    timed_machine *m = own;
    image_save(&m->parts, m->from);
    m->is_from = true;
}

static size_t pack(void *own, uint8_t *bytes)
{
    timed_machine *m = own;
    timed_make_canonical(m);
    return image_pack(&m->parts, m->first, bytes);
}

static void unpack(void *own, const uint8_t *bytes)
{
    timed_machine *m = own;
    memcpy(m->from, m->first, m->parts.bytes);
    image_unpack(m->from, bytes);
    image_restore(&m->parts, m->from);
    m->is_from = true;
}

static void go_back(timed_machine *m)
{
    if (!m->is_from) {
        image_restore(&m->parts, m->from);
        m->is_from = true;
    }
}

static size_t events(void *own, search_event *event, size_t most)
{
    timed_machine *m = own;
    go_back(m);
    return timed_events(m, event, most);
}

static bool do_step(void *own, search_event event, search_fault *fault, FILE *log)
{
    timed_machine *m = own;
    go_back(m);
    m->is_from = false;
    m->log = log;
    bool done = timed_step(m, event, fault);
    m->log = NULL;
    return done;
}

static bool is_final(void *own, bool *holds)
{
    const timed_machine *m = own;
    *holds = false;
    return !timed_may_issue(m, 0) && !timed_may_issue(m, 1) && timed_is_quiet(m);
}

static bool is_sound(void *own, bool final)
{
    (void) final;
    return timed_is_sound(own);
}

/* There is no time: a world is stuck if no event is possible in it. */
static bool is_stuck(void *own)
{
    enum { MOST = 128 };
    search_event list[MOST];
    search_fault fault;
    size_t count = events(own, list, MOST);
    bool possible = false;
    for (size_t i = 0; i < count && !possible; i++) {
        possible = do_step(own, list[i], &fault, NULL);
    }
    return !possible;
}

search_system timed_system(timed_machine *machine)
{
    return (search_system){.own = machine,
                           .begin = begin,
                           .keep = keep,
                           .pack = pack,
                           .unpack = unpack,
                           .events = events,
                           .step = do_step,
                           .is_final = is_final,
                           .is_sound = is_sound,
                           .is_stuck = is_stuck};
}

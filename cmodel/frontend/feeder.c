/* Feeder: reads commands and CTAs of a source, in order, into a ring of items. The producer runs in
 * the caller or in its own thread. */
#include "frontend/feeder.h"

#include "frontend/code_map.h"

#include "base/ring.h"
#include "frontend/cta_park.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    RING = 64,                    /* most items; a power of two */
    AHEAD_INSTRUCTIONS = 1 << 15, /* of waiting CTAs: at this many no further CTA is read */
    MOST_WARPS = 2048 / GM_WARP_SIZE,
};

struct gm_feeder {
    gm_source *source;
    gm_warp_store *store;
    bool threaded;
    bool logs;
    bool live;
    const gm_kernel_ranges *kernels; /* NULL: all */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool stop;
    /* under the lock: */
    gm_ring_span items;
    gm_feed item[RING]; /* elements of `items` */
    uint64_t waiting;   /* instructions of CTAs in the ring */
    bool producer_waits, consumer_waits;
    gm_cta *free_ctas;
    gm_cta *all_ctas;
    /* the consumer's: */
    gm_cta_park park;
    /* the producer's: */
    uint64_t seen; /* kernels of the source */
    bool in_kernel;
    bool ended;
    gm_error error; /* valid once an ERROR is in the ring */
    gm_intake intake;
};

/* Locks only if the feeder has a thread. */
static inline void lock(gm_feeder *feeder)
{
    if (feeder->threaded) {
        pthread_mutex_lock(&feeder->lock);
    }
}

static inline void unlock(gm_feeder *feeder)
{
    if (feeder->threaded) {
        pthread_mutex_unlock(&feeder->lock);
    }
}

static gm_cta *cta_new(uint32_t warps)
{
    gm_cta *cta = calloc(1, sizeof *cta);
    if (cta == NULL) {
        return NULL;
    }
    cta->warp = calloc(warps, sizeof *cta->warp);
    cta->slot = calloc(warps, sizeof *cta->slot);
    cta->stream = calloc(warps, sizeof *cta->stream);
    cta->first = calloc(warps, sizeof *cta->first);
    if (cta->warp == NULL || cta->slot == NULL || cta->stream == NULL || cta->first == NULL) {
        free(cta->first);
        free(cta->warp);
        free(cta->slot);
        free(cta->stream);
        free(cta);
        return NULL;
    }
    return cta;
}

static void cta_free(gm_cta *cta)
{
    free(cta->warp);
    free(cta->slot);
    free(cta->stream);
    free(cta->first);
    gm_opcode_tally_free(&cta->tally);
    gm_turn_log_free(&cta->log);
    free(cta);
}

/* Returns a free or new CTA, or NULL. Each has room for the most warps, so that any can be reused.
 */
static gm_cta *cta_take(gm_feeder *feeder)
{
    lock(feeder);
    gm_cta *cta = feeder->free_ctas;
    if (cta != NULL) {
        feeder->free_ctas = cta->next_free;
    }
    unlock(feeder);
    if (cta == NULL) {
        cta = cta_new(MOST_WARPS);
        if (cta != NULL) {
            lock(feeder);
            cta->next_all = feeder->all_ctas;
            feeder->all_ctas = cta;
            unlock(feeder);
        }
    }
    return cta;
}

static int begin_cta(void *context, const uint32_t id[3], gm_error *error)
{
    gm_feeder *feeder = context;
    if (atomic_load_explicit(&feeder->stop, memory_order_relaxed)) {
        return gm_fail(error, -ECANCELED, "stopped");
    }
    gm_cta *cta = cta_take(feeder);
    if (cta == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: a CTA");
    }
    gm_intake_begin_cta(&feeder->intake, cta, id);
    return 0;
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    gm_feeder *feeder = context;
    if (atomic_load_explicit(&feeder->stop, memory_order_relaxed)) {
        return gm_fail(error, -ECANCELED, "stopped");
    }
    return gm_intake_begin_warp(&feeder->intake, warp, error);
}

static int instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    gm_feeder *feeder = context;
    return gm_intake_instruction(&feeder->intake, instruction, error);
}

static int logged_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    gm_feeder *feeder = context;
    return gm_intake_logged(&feeder->intake, instruction, error);
}

static int end_cta(void *context, gm_error *error)
{
    gm_feeder *feeder = context;
    return gm_intake_end_cta(&feeder->intake, error);
}

static bool is_full(const gm_feeder *feeder)
{
    uint32_t items = feeder->items.count;
    return items == RING || (items != 0 && feeder->waiting > AHEAD_INSTRUCTIONS);
}

/* Puts an item into the ring; waits for room. A waiting producer is woken when half the ring is
 * empty. */
static void put(gm_feeder *feeder, gm_feed feed)
{
    lock(feeder);
    while (feeder->threaded && !feeder->stop && is_full(feeder)) {
        feeder->producer_waits = true;
        pthread_cond_wait(&feeder->changed, &feeder->lock);
    }
    feeder->producer_waits = false;
    if (feeder->items.count < RING) {
        feeder->item[gm_ring_span_push(&feeder->items, RING - 1)] = feed;
        feeder->waiting += feed.kind == GM_FEED_CTA ? feed.cta->core.warp_instructions : 0;
    } else {
        free(feed.kernel); /* stopped */
    }
    if (feeder->consumer_waits) {
        pthread_cond_broadcast(&feeder->changed);
    }
    unlock(feeder);
}

static gm_feed fail(gm_feeder *feeder, int code)
{
    feeder->ended = true;
    feeder->error.code = code;
    return (gm_feed){.kind = GM_FEED_ERROR};
}

static gm_feed next_cta(gm_feeder *feeder)
{
    static const gm_cta_sink callbacks = {NULL, begin_cta, begin_warp, instruction, end_cta};
    gm_cta_sink sink = callbacks;
    sink.context = feeder;
    sink.instruction = feeder->logs ? logged_instruction : instruction;
    int code = gm_source_next_cta(feeder->source, &sink, &feeder->error);
    if (code < 0) {
        return fail(feeder, code);
    }
    if (code == 0) {
        feeder->in_kernel = false;
        return (gm_feed){.kind = GM_FEED_KERNEL_END};
    }
    gm_cta *cta = feeder->intake.cta;
    cta->open = feeder->live ? feeder->source->live->open(feeder->source, cta->number) : 0;
    return (gm_feed){.kind = GM_FEED_CTA, .cta = cta};
}

static int go_on_warp(void *context, uint32_t warp, gm_error *error)
{
    gm_feeder *feeder = context;
    return gm_intake_go_on_warp(&feeder->intake, warp, error);
}

int gm_feeder_go_on(gm_feeder *feeder, gm_cta *cta, uint32_t warp, gm_error *error)
{
    const gm_cta_sink sink = {feeder, NULL, go_on_warp,
                              feeder->logs ? logged_instruction : instruction, NULL};
    gm_source *source = feeder->source;
    gm_intake_go_on(&feeder->intake, cta);
    int code = source->live->go_on(source, cta->number, warp, &sink, error);
    cta->open = source->live->open(source, cta->number);
    return code < 0 ? code : gm_intake_end_going_on(&feeder->intake, error);
}

/* Reads the next command that is fed. Returns 1, 0 at the end or after the last kernel chosen, or a
 * negative errno value. */
static int choose_command(gm_feeder *feeder, gm_command *command)
{
    const gm_kernel_ranges *kernels = feeder->kernels;
    for (;;) {
        if (kernels != NULL && feeder->seen > gm_kernel_ranges_last(kernels)) {
            return 0;
        }
        int code = gm_source_next_command(feeder->source, command, &feeder->error);
        if (code == 0 && kernels != NULL && feeder->seen <= gm_kernel_ranges_needed(kernels)) {
            return gm_fail(&feeder->error, -EINVAL,
                           "kernel %llu is asked for: %s has %llu, numbered from 0",
                           (unsigned long long)gm_kernel_ranges_needed(kernels),
                           feeder->source->name, (unsigned long long)feeder->seen);
        }
        if (code <= 0 || command->kind != GM_COMMAND_KERNEL || kernels == NULL ||
            gm_kernel_ranges_have(kernels, feeder->seen)) {
            feeder->seen += code > 0 && command->kind == GM_COMMAND_KERNEL;
            return code;
        }
        feeder->seen++;
    }
}

static gm_feed next_command(gm_feeder *feeder)
{
    gm_command command;
    int code = choose_command(feeder, &command);
    if (code < 0) {
        return fail(feeder, code);
    }
    if (code == 0) {
        feeder->ended = true;
        return (gm_feed){.kind = GM_FEED_END};
    }
    if (command.kind == GM_COMMAND_COPY) {
        return (gm_feed){.kind = GM_FEED_COPY, .address = command.address, .bytes = command.bytes};
    }
    uint32_t warps = gm_kernel_warps(command.kernel);
    gm_intake_kernel(&feeder->intake, command.kernel);
    gm_code_map *map = feeder->intake.map;
    if (map != NULL && gm_code_map_kernel(map, feeder->intake.region, command.kernel->name) != 0) {
        return fail(feeder, gm_fail(&feeder->error, -ENOMEM, "out of memory: kernels' names"));
    }
    feeder->in_kernel = true;
    gm_kernel *copy = malloc(sizeof *copy);
    if (copy == NULL || warps == 0 || warps > MOST_WARPS) {
        free(copy);
        return fail(feeder,
                    copy == NULL
                        ? gm_fail(&feeder->error, -ENOMEM, "out of memory: a kernel")
                        : gm_fail(&feeder->error, -EINVAL,
                                  "kernel %llu: %u warps in a CTA; 1 to %d are possible",
                                  (unsigned long long)command.kernel->id, warps, MOST_WARPS));
    }
    *copy = *command.kernel;
    return (gm_feed){.kind = GM_FEED_KERNEL, .kernel = copy};
}

static void step(gm_feeder *feeder)
{
    put(feeder, feeder->in_kernel ? next_cta(feeder) : next_command(feeder));
}

static void *serve(void *argument)
{
    gm_feeder *feeder = argument;
    while (!feeder->ended && !feeder->stop) {
        step(feeder);
    }
    return NULL;
}

int gm_feeder_start(gm_feeder **feeder, const gm_config *config, gm_source *source,
                    gm_warp_store *store, const gm_feeder_options *options, gm_error *error)
{
    gm_feeder *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the source's queue");
    }
    made->source = source;
    made->store = store;
    made->kernels = options->kernels;
    made->logs = options->logs;
    made->live = options->live;
    gm_cta_park_init(&made->park);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    int code = gm_intake_init(&made->intake, config, source, store, options->form, error);
    if (options->lanes) {
        gm_intake_keep_lanes(&made->intake);
    }
    if (options->words) {
        gm_intake_keep_words(&made->intake);
    }
    if (options->logs) {
        gm_intake_keep_logs(&made->intake);
    }
    if (options->map != NULL) {
        gm_intake_keep_code(&made->intake, options->map);
    }
    if (!options->threaded) {
        gm_warp_store_alone(store);
    } else if (code == 0) {
        made->threaded = true; /* before the thread reads it */
        int failed = pthread_create(&made->thread, NULL, serve, made);
        if (failed != 0) {
            made->threaded = false;
            code = gm_fail(error, -failed, "cannot start a thread");
        }
    }
    if (code < 0) {
        gm_feeder_stop(made);
        return code;
    }
    *feeder = made;
    return 0;
}

int gm_feeder_next(gm_feeder *feeder, gm_feed *feed, gm_error *error)
{
    if (!feeder->threaded && feeder->items.count == 0) {
        step(feeder);
    }
    lock(feeder);
    while (feeder->items.count == 0) {
        feeder->consumer_waits = true;
        pthread_cond_wait(&feeder->changed, &feeder->lock);
    }
    feeder->consumer_waits = false;
    *feed = feeder->item[feeder->items.first];
    gm_ring_span_pop(&feeder->items, RING - 1);
    feeder->waiting -= feed->kind == GM_FEED_CTA ? feed->cta->core.warp_instructions : 0;
    if (feeder->producer_waits && feeder->items.count <= RING / 2 &&
        feeder->waiting <= AHEAD_INSTRUCTIONS / 2) {
        pthread_cond_broadcast(&feeder->changed);
    }
    unlock(feeder);
    if (feed->kind == GM_FEED_ERROR) {
        return gm_fail(error, feeder->error.code, "%s", feeder->error.text);
    }
    return 0;
}

static void drop_streams(gm_feeder *feeder, gm_cta *cta)
{
    for (uint32_t i = 0; i < cta->warps; i++) {
        gm_warp_store_drop(feeder->store, &cta->stream[i]);
    }
    cta->warps = 0;
}

void gm_feeder_recycle(gm_feeder *feeder, gm_cta *cta)
{
    drop_streams(feeder, cta);
    lock(feeder);
    cta->next_free = feeder->free_ctas;
    feeder->free_ctas = cta;
    unlock(feeder);
}

int gm_feeder_park(gm_feeder *feeder, gm_cta *cta, gm_error *error)
{
    int code = gm_cta_park_put(&feeder->park, cta, feeder->store, error);
    gm_feeder_recycle(feeder, cta);
    return code;
}

int gm_feeder_unpark(gm_feeder *feeder, uint64_t number, gm_cta **cta, gm_error *error)
{
    *cta = NULL;
    if (!gm_cta_park_has(&feeder->park, number)) {
        return 0;
    }
    *cta = cta_take(feeder);
    return *cta == NULL ? gm_fail(error, -ENOMEM, "out of memory: a CTA")
                        : gm_cta_park_take(&feeder->park, number, *cta, feeder->store, error);
}

void gm_feeder_stop(gm_feeder *feeder)
{
    if (feeder->threaded) {
        lock(feeder);
        feeder->stop = true;
        pthread_cond_broadcast(&feeder->changed);
        unlock(feeder);
        pthread_join(feeder->thread, NULL);
    }
    for (; feeder->items.count != 0; gm_ring_span_pop(&feeder->items, RING - 1)) {
        free(feeder->item[feeder->items.first].kernel);
    }
    while (feeder->all_ctas != NULL) {
        gm_cta *cta = feeder->all_ctas;
        feeder->all_ctas = cta->next_all;
        drop_streams(feeder, cta);
        cta_free(cta);
    }
    gm_cta_park_free(&feeder->park);
    gm_intake_free(&feeder->intake);
    pthread_mutex_destroy(&feeder->lock);
    pthread_cond_destroy(&feeder->changed);
    free(feeder);
}

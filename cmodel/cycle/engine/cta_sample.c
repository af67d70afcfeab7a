/* Sampling of CTAs: plan, marks, estimates. */
#include "cycle/engine/cta_sample.h"

#include "base/random.h"
#include "goldmem/assert.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD = 4,        /* waves at the beginning of a kernel that are computed: they fill the L2 */
    TAIL = 2,        /* waves at its end, the first of which runs the machine in */
    UNIT = 2,        /* waves of a unit, likewise */
    MOST_SHARE = 60, /* percent of a kernel's CTAs: with more all are computed */
};

gm_cta_plan gm_cta_plan_make(uint64_t ctas, uint64_t wave, uint32_t share, uint64_t seed)
{
    gm_cta_plan plan = {.ctas = ctas, .wave = wave, .seed = seed};
    const uint64_t ends = (HEAD + TAIL) * wave;
    if (share == 0 || share >= GM_SAMPLE_ALL || wave == 0 || ctas < ends) {
        return plan;
    }
    const uint64_t wanted =
        ctas / GM_SAMPLE_ALL * share + ctas % GM_SAMPLE_ALL * share / GM_SAMPLE_ALL;
    uint64_t units = wanted > ends ? (wanted - ends) / (UNIT * wave) : 0;
    units = units < GM_SAMPLE_UNITS ? GM_SAMPLE_UNITS : units;
    if (ends + units * UNIT * wave > ctas / 100 * MOST_SHARE) {
        return plan;
    }
    plan.units = units;
    plan.head = HEAD * wave;
    plan.tail = ctas - (TAIL - 1) * wave;
    return plan;
}

uint64_t gm_cta_plan_unit(const gm_cta_plan *plan, uint64_t unit)
{
    const uint64_t between = plan->tail - plan->head;
    const uint64_t size = between / plan->units; /* the last stratum has the rest */
    const uint64_t first = plan->head + unit * size;
    const uint64_t end = unit + 1 == plan->units ? plan->tail : first + size;
    uint64_t state = plan->seed ^ gm_hash64(unit + 1);
    return first + gm_random_below(&state, end - first - plan->wave + 1);
}

int gm_cta_sample_check(const gm_config *config, const gm_source *source,
                        const gm_run_options *options, gm_error *error)
{
    if (options->sample.share == 0) {
        return 0;
    }
    const char *other = options->warm_up.kind != GM_WARM_UP_NONE ? "--warm-up"
                        : options->max_cycles != 0               ? "--max-cycles"
                        : options->max_instructions != 0         ? "--max-instructions"
                        : options->analyses != 0                 ? "--analyze"
                        : options->latencies                     ? "--latency"
                        : options->per_pc                        ? "--per-pc"
                        : options->l2_sets                       ? "--per-set"
                        : options->series.every != 0             ? "--series"
                        : options->checkpoint != NULL            ? "--checkpoint"
                        : options->resume != NULL                ? "--resume"
                        : options->check_values                  ? "--check=values"
                        : options->write_profile != NULL         ? "--write-profile"
                                                                 : NULL;
    if (other != NULL) {
        return gm_fail(error, -EINVAL, "--sample does not go with %s", other);
    }
    const char *needs =
        config->gpu.kernels > 1                           ? "gpu.kernels=1"
        : config->gpu.cta != GM_CTA_RR                    ? "gpu.cta=rr"
        : config->coherence.protocol != GM_COHERENCE_NONE ? "coherence.protocol=none"
        : config->sharing.enabled                         ? "sharing.enabled=no"
        : config->tracker.enabled                         ? "tracker.enabled=no"
        : config->l2.streaming                            ? "l2.streaming=no"
        : config->l2.bypass != GM_L2_BYPASS_NONE          ? "l2.bypass=none"
        : config->l2.atomic_buffer                        ? "l2.atomic_buffer=no"
        : config->l2.dirty == GM_DIRTY_BYTE               ? "another l2.dirty than byte"
        : config->sm.throttle == GM_THROTTLE_SAMPLING     ? "another sm.throttle than sampling"
                                                          : NULL;
    if (needs != NULL) {
        return gm_fail(error, -EINVAL, "--sample needs %s", needs);
    }
    return source->live == NULL
               ? 0
               : gm_fail(error, -EINVAL, "%s: its CTAs communicate: --sample cannot leave some out",
                         source->name);
}

int gm_cta_sample_init(gm_cta_sample *sample, const gm_sample_options *options, gm_error *error)
{
    sample->options = *options;
    if (options->share == 0) {
        return 0;
    }
    sample->results = calloc(1, sizeof *sample->results);
    if (sample->results == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the sample");
    }
    sample->results->options = *options;
    return 0;
}

void gm_cta_sample_free(gm_cta_sample *sample)
{
    free(sample->measured);
    sample->measured = NULL;
}

int gm_cta_sample_begin(gm_cta_sample *sample, const gm_kernel *kernel, uint64_t number,
                        const gm_cta_scheduler *scheduler, gm_error *error)
{
    if (sample->results == NULL) {
        return 0;
    }
    const uint64_t wave = gm_cta_scheduler_capacity(scheduler) * scheduler->sms;
    const uint64_t seed = gm_hash64(sample->options.seed) ^ gm_hash64(~number);
    const gm_cta_plan plan =
        gm_cta_plan_make(gm_kernel_ctas(kernel), wave, sample->options.share, seed);
    if (plan.units > sample->room) {
        gm_sample_unit *more = realloc(sample->measured, plan.units * sizeof *more);
        if (more == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the units of a sample");
        }
        sample->measured = more;
        sample->room = plan.units;
    }
    sample->plan = plan;
    sample->unit = 0;
    sample->first = plan.units != 0 ? gm_cta_plan_unit(&plan, 0) : 0;
    sample->simulated = 0;
    sample->count = 0;
    sample->measuring = sample->has_head = sample->has_tail = false;
    sample->core = (gm_core_statistics){0};
    sample->in_units = (gm_statistics){0};
    return 0;
}

enum { WORDS = sizeof(gm_statistics) / sizeof(uint64_t) };

/* Statistics are nothing but 64-bit counters. */
static uint64_t *words(gm_statistics *statistics)
{
    return (uint64_t *)statistics;
}

/* into += a - b. */
static void add_difference(gm_statistics *into, gm_statistics *a, gm_statistics *b)
{
    for (size_t i = 0; i < WORDS; i++) {
        words(into)[i] += words(a)[i] - words(b)[i];
    }
}

/* Keeps what the unit that ends has done. */
static void end_unit(gm_cta_sample *sample, gm_statistics *now)
{
    gm_statistics gain = {0};
    add_difference(&gain, now, &sample->at_unit);
    add_difference(&sample->in_units, now, &sample->at_unit);
    gm_sample_unit *unit = &sample->measured[sample->count++];
    unit->instructions = (double)gain.time.slots_issued;
    gm_sample_read(&gain, unit->counter);
    sample->measuring = false;
    sample->unit++;
    if (sample->unit < sample->plan.units) {
        sample->first = gm_cta_plan_unit(&sample->plan, sample->unit);
    }
}

/* Sets the marks that lie before a CTA. */
static void mark(gm_cta_sample *sample, uint64_t number, gm_cta_sample_reader *read, void *context)
{
    const gm_cta_plan *plan = &sample->plan;
    const bool head = !sample->has_head && number >= plan->head;
    const bool tail = !sample->has_tail && number >= plan->tail;
    const bool ends = sample->measuring && number >= sample->first + plan->wave;
    const bool more = sample->unit + ends < plan->units;
    const uint64_t next = ends && more ? gm_cta_plan_unit(plan, sample->unit + 1) : sample->first;
    const bool begins = more && (ends || !sample->measuring) && number >= next;
    if (!head && !tail && !ends && !begins) {
        return;
    }
    gm_statistics now = {0};
    read(context, &now);
    if (head) {
        sample->has_head = true;
        sample->at_head = now;
    }
    if (ends) {
        end_unit(sample, &now);
    }
    if (begins) {
        sample->measuring = true;
        sample->at_unit = now;
    }
    if (tail) {
        sample->has_tail = true;
        sample->at_tail = now;
    }
}

bool gm_cta_sample_takes(gm_cta_sample *sample, const gm_cta *cta, uint64_t number,
                         gm_cta_sample_reader *read, void *context)
{
    if (sample->results == NULL) {
        return true;
    }
    const gm_cta_plan *plan = &sample->plan;
    gm_core_statistics_add(&sample->core, &cta->core);
    bool takes = true;
    if (plan->units != 0) {
        mark(sample, number, read, context);
        takes = number < plan->head || number + plan->wave >= plan->tail || sample->measuring ||
                (sample->unit < plan->units && number + plan->wave >= sample->first);
    }
    sample->simulated += takes;
    return takes;
}

/* Returns estimate - simulated of all counters: the units' rate over the part between the marks in
 * place of what was simulated there. */
static gm_statistics correction(gm_cta_sample *sample, const gm_statistics *own,
                                double *instructions)
{
    gm_statistics span = {0};
    gm_statistics correction = {0};
    add_difference(&span, &sample->at_tail, &sample->at_head);
    const uint64_t outside = own->time.slots_issued - span.time.slots_issued;
    *instructions = (double)(sample->core.warp_instructions - outside);
    const double scale = *instructions / (double)sample->in_units.time.slots_issued;
    for (size_t i = 0; i < WORDS; i++) {
        const double whole = (double)(int64_t)words(&sample->in_units)[i] * scale;
        words(&correction)[i] = (uint64_t)llround(whole) - words(&span)[i];
    }
    return correction;
}

/* Makes *own the estimate of a sampled kernel. */
static void estimate(gm_cta_sample *sample, gm_statistics *own, gm_sample_variance *variance)
{
    double instructions;
    gm_statistics change = correction(sample, own, &instructions);
    gm_statistics states = *own;
    *variance = gm_sample_variance_of(sample->measured, sample->count, instructions);
    add_difference(own, &change, &(gm_statistics){0});
    own->core = sample->core; /* known of all CTAs */
    /* levels, not sums; the marks have none of what a kernel's end adds: CTAs and copies */
    own->cta.cycles = (uint64_t)llround((double)states.cta.cycles * (double)sample->plan.ctas /
                                        (double)states.cta.ended);
    own->cta.ended = sample->plan.ctas;
    own->l2_dirty_sectors = states.l2_dirty_sectors;
    own->l1_streaming.first_closed = states.l1_streaming.first_closed;
}

int gm_cta_sample_end(gm_cta_sample *sample, const gm_kernel *kernel, bool stopped,
                      gm_statistics *own, gm_error *error)
{
    if (sample->results == NULL) {
        return 0;
    }
    gm_sample_variance variance = {0};
    gm_sample_estimate *result = &sample->results->kernel;
    gm_sample_estimate *total = &sample->results->total;
    const bool sampled = sample->plan.units != 0 && !stopped;
    if (sampled && !sample->has_tail) {
        return gm_fail(error, -EINVAL,
                       "kernel %llu (%.100s): has fewer CTAs than the %llu of its grid: --sample "
                       "needs all",
                       (unsigned long long)kernel->id, kernel->name,
                       (unsigned long long)sample->plan.ctas);
    }
    if (sampled) {
        gm_assert(sample->count == sample->plan.units, "units end before the tail");
        gm_statistics simulated = *own;
        estimate(sample, own, &variance);
        simulated.cta = own->cta; /* kernels' only */
        add_difference(&sample->corrections, own, &simulated);
    }
    *result = (gm_sample_estimate){
        .ctas = sample->core.ctas,
        .simulated = sample->simulated,
        .units = sampled ? sample->plan.units : 0,
        .kernels = sampled,
    };
    gm_sample_set_intervals(result, own, &variance);
    gm_sample_variance_add(&sample->variance, &variance);
    total->ctas += result->ctas;
    total->simulated += result->simulated;
    total->units += result->units;
    total->kernels += result->kernels;
    return 0;
}

void gm_cta_sample_finish(gm_cta_sample *sample, gm_statistics *total)
{
    if (sample->results != NULL) {
        add_difference(total, &sample->corrections, &(gm_statistics){0});
        gm_sample_set_intervals(&sample->results->total, total, &sample->variance);
    }
}

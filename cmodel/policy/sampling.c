/* Dynamic warp throttling in a run [khairy, 4.2, DWT-CS]: reports of SMs, and what comes of them.
 */
#include "policy/sampling.h"

#include "goldmem/bits.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* N and M, whose sum is the paper's 60,000 cycles, and entries of the table: modelling choices. */
enum { HOT = 3, SAMPLES = 3, ENTRIES = 8, KERNEL_BITS = 32 };

enum { MPKI = 10 }; /* [khairy, Table 4] */

gm_cores_sampling_parameters gm_sampling_parameters(const gm_config *config)
{
    uint64_t period = config->gpu.sampling_period;
    uint64_t warps = (config->sm.warps + config->sm.schedulers - 1) / config->sm.schedulers;
    uint64_t requests = config->l1.ports > config->l1.banks ? config->l1.ports : config->l1.banks;
    return (gm_cores_sampling_parameters){
        .sms = (unsigned)config->gpu.sms,
        .warps = (unsigned)warps,
        .miss_bits = gm_log2_floor(period * requests) + 1,
        .issue_bits = gm_log2_floor(period * config->sm.schedulers) + 1,
        .threshold = MPKI,
        .hot = HOT,
        .samples = SAMPLES,
        .entries = ENTRIES,
        .kernel_bits = KERNEL_BITS,
    };
}

int gm_sampling_init(gm_sampling *sampling, const gm_config *config, gm_error *error)
{
    const gm_cores_sampling_parameters parameters = gm_sampling_parameters(config);
    *sampling = (gm_sampling){0};
    return gm_cores_sampling_init(&sampling->block, &parameters, error);
}

/* Returns 32 bits that stand for a kernel's name in the table (FNV-1a), where hardware would have
 * its first PC. */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = UINT32_C(2166136261);
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT32_C(16777619);
    }
    return hash;
}

void gm_sampling_begin(gm_sampling *sampling, const char *name, uint64_t number, uint64_t begin)
{
    sampling->runs = true;
    sampling->begin = begin;
    sampling->number = number;
    sampling->statistics.limit = 0;
    snprintf(sampling->name, sizeof sampling->name, "%.*s", (int)sizeof sampling->name - 1, name);
    gm_cores_sampling_access(
        &sampling->block,
        (gm_cores_sampling_request){.op = GM_CORES_SAMPLING_KERNEL, .kernel = hash_of(name)});
}

void gm_sampling_end(gm_sampling *sampling)
{
    sampling->statistics.cut += sampling->block.phase == GM_CORES_SAMPLING_SAMPLES;
    sampling->runs = false;
}

bool gm_sampling_reports(const gm_sampling *sampling, uint64_t period, uint64_t now)
{
    return sampling->runs && sampling->begin + period <= now;
}

/* Notes what a kernel's end of a period has led to. */
static void note(gm_sampling *sampling, gm_sampling_event event, uint64_t now)
{
    gm_sampling_choices *choices = &sampling->choices;
    if (choices->count < GM_SAMPLING_CHOICES) {
        choices->choice[choices->count] = (gm_sampling_choice){
            .event = event,
            .limit = gm_cores_sampling_limit(&sampling->block, 0),
            .kernel = sampling->number,
            .cycle = now,
        };
    }
    choices->count++;
}

/* Returns the row of the kernel's limit, a new one if there is none; NULL if there is no room. */
static gm_sampling_limit *row_of(gm_sampling *sampling)
{
    gm_sampling_limits *limits = &sampling->limits;
    for (uint64_t i = 0; i < limits->count; i++) {
        if (limits->row[i].hash == sampling->block.kernel) {
            return &limits->row[i];
        }
    }
    if (limits->count == GM_SAMPLING_LIMITS) {
        return NULL;
    }
    gm_sampling_limit *row = &limits->row[limits->count++];
    *row = (gm_sampling_limit){.hash = sampling->block.kernel};
    memcpy(row->name, sampling->name, sizeof row->name);
    return row;
}

/* Notes that the kernel has a limit now, found in this launch or in an earlier one. */
static void take_limit(gm_sampling *sampling, gm_sampling_event event, uint64_t now)
{
    uint32_t found = gm_cores_sampling_limit(&sampling->block, 0);
    gm_sampling_limit *row = row_of(sampling);
    sampling->statistics.limit = found;
    note(sampling, event, now);
    if (row == NULL) {
        return;
    }
    row->launches++;
    if (event == GM_SAMPLING_DECIDED) {
        row->limit = found;
        row->kernel = sampling->number;
        row->cycle = now;
    }
}

/* Counts a period that has ended, and what it led to. */
static void count(gm_sampling *sampling, gm_cores_sampling_phase before, uint32_t base,
                  gm_cores_sampling_response response, uint64_t now)
{
    gm_sampling_statistics *statistics = &sampling->statistics;
    gm_cores_sampling_phase after = sampling->block.phase;
    statistics->periods++;
    switch (before) {
    case GM_CORES_SAMPLING_WATCHES:
        statistics->periods_hot += response.hot != 0;
        statistics->periods_cool += response.hot == 0;
        if (after == GM_CORES_SAMPLING_SAMPLES) {
            statistics->samplings++;
            note(sampling, GM_SAMPLING_BEGINS, now);
        } else if (after == GM_CORES_SAMPLING_LIMITED) {
            statistics->known++;
            take_limit(sampling, GM_SAMPLING_KNOWN, now);
        }
        break;
    case GM_CORES_SAMPLING_SAMPLES:
        statistics->periods_sampled++;
        if (after == GM_CORES_SAMPLING_WATCHES) {
            statistics->dropped++;
            note(sampling, GM_SAMPLING_DROPPED, now);
        } else if (after == GM_CORES_SAMPLING_LIMITED) {
            statistics->decided++;
            take_limit(sampling, GM_SAMPLING_DECIDED, now);
        }
        statistics->rounds += after == GM_CORES_SAMPLING_SAMPLES && sampling->block.base != base;
        break;
    case GM_CORES_SAMPLING_LIMITED:
        statistics->periods_limited++;
        break;
    }
}

static uint64_t at_most(uint64_t value, unsigned bits)
{
    return value < gm_mask(bits) ? value : gm_mask(bits);
}

void gm_sampling_report(gm_sampling *sampling, uint32_t sm, gm_sampling_sm counters, bool idle,
                        uint64_t now)
{
    enum { WARP_BITS = 5 }; /* instructions are reported in 32 thread instructions */
    const gm_cores_sampling_parameters *p = &sampling->block.parameters;
    const gm_sampling_sm *last = &sampling->last[sm];
    gm_cores_sampling_phase before = sampling->block.phase;
    uint32_t base = sampling->block.base;
    uint64_t issued = (counters.threads >> WARP_BITS) - (last->threads >> WARP_BITS);
    gm_cores_sampling_response response = gm_cores_sampling_access(
        &sampling->block, (gm_cores_sampling_request){
                              .op = GM_CORES_SAMPLING_REPORT,
                              .misses = at_most(counters.misses - last->misses, p->miss_bits),
                              .issued = at_most(issued, p->issue_bits),
                              .idle = idle,
                          });
    if (response.ended != 0) {
        count(sampling, before, base, response, now);
    }
}

/* Returns the launches with a limit, of the kernels whose limits are kept. */
static uint64_t launches_of(const gm_sampling *sampling)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < sampling->limits.count; i++) {
        sum += sampling->limits.row[i].launches;
    }
    return sum;
}

int gm_sampling_check(const gm_sampling *sampling, gm_error *error)
{
    const gm_sampling_statistics *s = &sampling->statistics;
    gm_error inner;
    if (gm_cores_sampling_check(&sampling->block, &inner) < 0) {
        return gm_fail(error, -EPROTO, "%s", inner.text);
    }
    bool samples = sampling->runs && sampling->block.phase == GM_CORES_SAMPLING_SAMPLES;
    GM_INVARIANT("sampling", "hot + cool + sampled + limited periods = periods",
                 s->periods_hot + s->periods_cool + s->periods_sampled + s->periods_limited,
                 s->periods);
    GM_INVARIANT("sampling", "decided + dropped + cut + running = samplings",
                 s->decided + s->dropped + s->cut + samples, s->samplings);
    GM_INVARIANT("sampling", "sampled periods >= those of decisions and rounds",
                 s->periods_sampled >= SAMPLES * (s->decided + s->rounds), 1);
    bool limited = sampling->block.phase == GM_CORES_SAMPLING_LIMITED;
    GM_INVARIANT("sampling", "limit = the block's", s->limit,
                 limited ? gm_cores_sampling_limit(&sampling->block, 0) : 0);
    bool all_kept = sampling->limits.count < GM_SAMPLING_LIMITS;
    GM_INVARIANT("sampling", "launches with a limit = found + known", launches_of(sampling),
                 all_kept ? s->decided + s->known : launches_of(sampling));
    return 0;
}

void gm_sampling_snapshot(gm_sampling *sampling, gm_snapshot *snapshot)
{
    gm_cores_sampling *block = &sampling->block;
    GM_SNAPSHOT_VALUE(snapshot, block->phase);
    GM_SNAPSHOT_VALUE(snapshot, block->reports);
    GM_SNAPSHOT_VALUE(snapshot, block->misses);
    GM_SNAPSHOT_VALUE(snapshot, block->issued);
    GM_SNAPSHOT_VALUE(snapshot, block->closed);
    GM_SNAPSHOT_VALUE(snapshot, block->idle);
    GM_SNAPSHOT_ARRAY(snapshot, block->total, block->parameters.sms);
    GM_SNAPSHOT_VALUE(snapshot, block->period);
    GM_SNAPSHOT_VALUE(snapshot, block->base);
    GM_SNAPSHOT_VALUE(snapshot, block->best);
    GM_SNAPSHOT_VALUE(snapshot, block->best_limit);
    GM_SNAPSHOT_VALUE(snapshot, block->kernel);
    GM_SNAPSHOT_ARRAY(snapshot, block->entry, block->parameters.entries);
    GM_SNAPSHOT_VALUE(snapshot, block->next);
    GM_SNAPSHOT_VALUE(snapshot, block->full);
    GM_SNAPSHOT_VALUE(snapshot, sampling->runs);
    GM_SNAPSHOT_VALUE(snapshot, sampling->begin);
    GM_SNAPSHOT_VALUE(snapshot, sampling->number);
    GM_SNAPSHOT_VALUE(snapshot, sampling->name);
    GM_SNAPSHOT_ARRAY(snapshot, sampling->last, block->parameters.sms);
    GM_SNAPSHOT_VALUE(snapshot, sampling->statistics);
    GM_SNAPSHOT_VALUE(snapshot, sampling->choices);
    GM_SNAPSHOT_VALUE(snapshot, sampling->limits);
}

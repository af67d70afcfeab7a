/* Cores sampling [khairy, 4.2, DWT-CS]: detects a thrashing kernel by its misses per 1000
 * instructions, and finds the number of warps that issues most with a limit of its own on each SM.
 */
#include "goldmem/cores_sampling.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <string.h>

int gm_cores_sampling_init(gm_cores_sampling *sampling,
                           const gm_cores_sampling_parameters *parameters, gm_error *error)
{
    const gm_cores_sampling_parameters *p = parameters;
    const struct {
        const char *name;
        unsigned value, most;
    } ranges[] = {
        {"sms", p->sms, GM_CORES_SAMPLING_SMS},
        {"warps", p->warps, 256},
        {"miss_bits", p->miss_bits, 24},
        {"issue_bits", p->issue_bits, 24},
        {"threshold", p->threshold, 1000},
        {"hot", p->hot, 15},
        {"samples", p->samples, 16},
        {"entries", p->entries, GM_CORES_SAMPLING_ENTRIES},
        {"kernel_bits", p->kernel_bits, 32},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < 1 || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "cores_sampling: %s %u: must be 1 to %u", ranges[i].name,
                           ranges[i].value, ranges[i].most);
        }
    }
    memset(sampling, 0, sizeof *sampling);
    sampling->parameters = *p;
    return 0;
}

static unsigned entries_in_use(const gm_cores_sampling *sampling)
{
    return sampling->full ? sampling->parameters.entries : sampling->next;
}

enum { NONE = GM_CORES_SAMPLING_ENTRIES };

/* Returns the number of the kernel's entry, or NONE. */
static unsigned find(const gm_cores_sampling *sampling)
{
    for (unsigned i = 0; i < entries_in_use(sampling); i++) {
        if (sampling->entry[i].kernel == sampling->kernel) {
            return i;
        }
    }
    return NONE;
}

/* Takes the oldest entry for the kernel. Returns its number. */
static unsigned take_entry(gm_cores_sampling *sampling)
{
    unsigned taken = sampling->next++;
    sampling->entry[taken] = (gm_cores_sampling_entry){.kernel = sampling->kernel};
    if (sampling->next == sampling->parameters.entries) {
        sampling->next = 0;
        sampling->full = true;
    }
    return taken;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned gm_cores_sampling_limit(const gm_cores_sampling *sampling, unsigned sm)
{
    switch (sampling->phase) {
    case GM_CORES_SAMPLING_SAMPLES:
        return smaller(sampling->base + sm + 1, sampling->parameters.warps);
    case GM_CORES_SAMPLING_LIMITED:
        return sampling->entry[find(sampling)].limit;
    case GM_CORES_SAMPLING_WATCHES:
        break;
    }
    return 0;
}

unsigned gm_cores_sampling_hot(const gm_cores_sampling *sampling)
{
    unsigned found = find(sampling);
    return found == NONE ? 0 : sampling->entry[found].hot;
}

/* Misses per 1000 thread instructions above the threshold. `issued` is in 32 thread instructions:
 * misses > threshold x 32 x issued / 1000, both sides multiplied by 125. */
static bool is_hot(const gm_cores_sampling *sampling)
{
    uint64_t missed = UINT64_C(125) * sampling->misses;
    uint64_t allowed = UINT64_C(4) * sampling->parameters.threshold * sampling->issued;
    return missed > allowed;
}

/* True if more than half of the L1s are closed: the kernel streams. */
static bool streams(const gm_cores_sampling *sampling)
{
    return 2 * sampling->closed > sampling->parameters.sms;
}

/* Begins a round of sampling, in which SM 0 has the limit `base` + 1. */
static void begin_round(gm_cores_sampling *sampling, unsigned base)
{
    memset(sampling->total, 0, sizeof sampling->total);
    sampling->period = 0;
    sampling->base = base;
}

/* Ends a period without limits: counts it if it was hot. A hot kernel takes its limit if that is
 * known, and else is sampled once it was hot often enough and every SM has warps. */
static void end_watched(gm_cores_sampling *sampling)
{
    bool hot = is_hot(sampling) && !streams(sampling);
    unsigned found = find(sampling);
    if (found == NONE && !hot) {
        return;
    }
    gm_cores_sampling_entry *entry = &sampling->entry[found == NONE ? take_entry(sampling) : found];
    entry->hot = (uint8_t)(hot ? smaller(entry->hot + 1U, sampling->parameters.hot) : 0);
    if (hot && entry->limit > 0) {
        sampling->phase = GM_CORES_SAMPLING_LIMITED;
    } else if (entry->hot == sampling->parameters.hot && !sampling->idle) {
        sampling->phase = GM_CORES_SAMPLING_SAMPLES;
        sampling->best = 0;
        sampling->best_limit = 1;
        begin_round(sampling, 0);
    }
}

/* Ends a period of sampling. Sampling is dropped when an SM has no warps left or the kernel
 * streams; after the last period the best limit is the kernel's, or larger ones are tried if it is
 * the largest of this round. */
static void end_sampled(gm_cores_sampling *sampling)
{
    gm_cores_sampling_entry *entry = &sampling->entry[find(sampling)];
    const gm_cores_sampling_parameters *p = &sampling->parameters;
    if (streams(sampling) || sampling->idle) {
        entry->hot = streams(sampling) ? 0 : entry->hot;
        sampling->phase = GM_CORES_SAMPLING_WATCHES;
    } else if (++sampling->period == p->samples) {
        unsigned largest = sampling->base + p->sms;
        if (sampling->best_limit == largest && largest < p->warps) {
            begin_round(sampling, largest);
        } else {
            sampling->period = 0;
            entry->limit = (uint16_t)sampling->best_limit;
            sampling->phase = GM_CORES_SAMPLING_LIMITED;
        }
    }
}

static void clear_period(gm_cores_sampling *sampling)
{
    sampling->reports = sampling->misses = sampling->issued = sampling->closed = 0;
    sampling->idle = false;
}

/* Counts a sampled SM's instructions; in the round's last period compares their sum with the best.
 * Of equal sums the smaller limit stays the best. */
static void sample(gm_cores_sampling *sampling, unsigned sm, uint64_t issued)
{
    sampling->total[sm] += (uint32_t)issued;
    if (sampling->period + 1 == sampling->parameters.samples &&
        sampling->total[sm] > sampling->best) {
        sampling->best = sampling->total[sm];
        sampling->best_limit = gm_cores_sampling_limit(sampling, sm);
    }
}

/* Takes the report of the next SM. Returns true if the period ends with it. */
static bool report(gm_cores_sampling *sampling, const gm_cores_sampling_request *request)
{
    unsigned sm = sampling->reports++;
    sampling->misses += (uint32_t)request->misses;
    sampling->issued += (uint32_t)request->issued;
    sampling->closed += (uint32_t)request->closed;
    sampling->idle = sampling->idle || request->idle != 0;
    if (sampling->phase == GM_CORES_SAMPLING_SAMPLES) {
        sample(sampling, sm, request->issued);
    }
    if (sampling->reports < sampling->parameters.sms) {
        return false;
    }
    switch (sampling->phase) {
    case GM_CORES_SAMPLING_WATCHES:
        end_watched(sampling);
        break;
    case GM_CORES_SAMPLING_SAMPLES:
        end_sampled(sampling);
        break;
    case GM_CORES_SAMPLING_LIMITED: /* until the kernel ends */
        break;
    }
    clear_period(sampling);
    return true;
}

static void assert_request(const gm_cores_sampling *sampling,
                           const gm_cores_sampling_request *request)
{
    const gm_cores_sampling_parameters *p = &sampling->parameters;
    gm_assert(request->op < 4 && request->misses <= gm_mask(p->miss_bits) &&
                  request->issued <= gm_mask(p->issue_bits) && request->idle < 2 &&
                  request->closed < 2 && request->kernel <= gm_mask(p->kernel_bits),
              "cores_sampling: operation %llu, misses %llu, issued %llu, idle %llu, closed %llu, "
              "kernel %llu",
              (unsigned long long)request->op, (unsigned long long)request->misses,
              (unsigned long long)request->issued, (unsigned long long)request->idle,
              (unsigned long long)request->closed, (unsigned long long)request->kernel);
}

gm_cores_sampling_response gm_cores_sampling_access(gm_cores_sampling *sampling,
                                                    gm_cores_sampling_request request)
{
    assert_request(sampling, &request);
    gm_cores_sampling_response response = {0};
    switch (request.op) {
    case GM_CORES_SAMPLING_REPORT:
        response.ended = report(sampling, &request);
        break;
    case GM_CORES_SAMPLING_KERNEL:
        clear_period(sampling);
        sampling->kernel = (uint32_t)request.kernel;
        sampling->phase = GM_CORES_SAMPLING_WATCHES;
        break;
    default: {
        const gm_observer *observer = sampling->observer;
        const gm_cores_sampling_parameters parameters = sampling->parameters;
        memset(sampling, 0, sizeof *sampling);
        sampling->parameters = parameters;
        sampling->observer = observer;
    }
    }
    response.hot = gm_cores_sampling_hot(sampling);
    response.sampling = sampling->phase == GM_CORES_SAMPLING_SAMPLES;
    response.limit = gm_cores_sampling_limit(sampling, 0);
    gm_error error;
    gm_assert(gm_cores_sampling_check(sampling, &error) == 0, "%s", error.text);
    if (sampling->observer != NULL) {
        gm_cores_sampling_tell(sampling->observer, request, response);
    }
    return response;
}

static int check_period(const gm_cores_sampling *sampling, gm_error *error)
{
    const gm_cores_sampling_parameters *p = &sampling->parameters;
    uint64_t reports = sampling->reports;
    if (reports >= p->sms || sampling->closed > reports ||
        sampling->misses > reports * gm_mask(p->miss_bits) ||
        sampling->issued > reports * gm_mask(p->issue_bits)) {
        return gm_fail(error, -EINVAL,
                       "cores_sampling: %u misses, %u instructions, %u closed L1s of %u SMs",
                       sampling->misses, sampling->issued, sampling->closed, sampling->reports);
    }
    return 0;
}

static int check_table(const gm_cores_sampling *sampling, gm_error *error)
{
    const gm_cores_sampling_parameters *p = &sampling->parameters;
    if (sampling->next >= p->entries) {
        return gm_fail(error, -EINVAL, "cores_sampling: entry %u of %u is next", sampling->next,
                       p->entries);
    }
    for (unsigned i = 0; i < entries_in_use(sampling); i++) {
        const gm_cores_sampling_entry *entry = &sampling->entry[i];
        if (entry->limit > p->warps || entry->hot > p->hot) {
            return gm_fail(error, -EINVAL, "cores_sampling: entry %u: limit %u, hot count %u", i,
                           entry->limit, entry->hot);
        }
        for (unsigned other = 0; other < i; other++) {
            if (sampling->entry[other].kernel == entry->kernel) {
                return gm_fail(error, -EINVAL, "cores_sampling: entries %u and %u: kernel %u",
                               other, i, entry->kernel);
            }
        }
    }
    return 0;
}

static int check_round(const gm_cores_sampling *sampling, gm_error *error)
{
    const gm_cores_sampling_parameters *p = &sampling->parameters;
    if (sampling->period >= p->samples || sampling->base >= p->warps || sampling->best_limit < 1 ||
        sampling->best_limit > p->warps) {
        return gm_fail(error, -EINVAL,
                       "cores_sampling: period %u of %u, limits from %u on, best limit %u",
                       sampling->period, p->samples, sampling->base + 1, sampling->best_limit);
    }
    for (unsigned sm = 0; sm < p->sms; sm++) {
        uint64_t periods = sampling->period + (sm < sampling->reports);
        if (sampling->total[sm] > periods * gm_mask(p->issue_bits)) {
            return gm_fail(error, -EINVAL, "cores_sampling: SM%u: %u instructions in %llu periods",
                           sm, sampling->total[sm], (unsigned long long)periods);
        }
    }
    return 0;
}

int gm_cores_sampling_check(const gm_cores_sampling *sampling, gm_error *error)
{
    int code = check_period(sampling, error);
    code = code < 0 ? code : check_table(sampling, error);
    if (code < 0 || sampling->phase == GM_CORES_SAMPLING_WATCHES) {
        return code;
    }
    unsigned found = find(sampling);
    bool sampled = sampling->phase == GM_CORES_SAMPLING_SAMPLES;
    if (found == NONE || sampling->entry[found].hot == 0 ||
        (sampling->entry[found].limit == 0) != sampled) {
        return gm_fail(error, -EINVAL, "cores_sampling: kernel %u is %s without such an entry",
                       sampling->kernel, sampled ? "sampled" : "limited");
    }
    return sampled ? check_round(sampling, error) : 0;
}

GM_PORTS_TABLE(cores_sampling, CORES_SAMPLING)

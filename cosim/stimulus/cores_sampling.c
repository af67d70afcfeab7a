/* cores_sampling in lockstep: instances and stimulus. A batch has one kind of period: how often it
 * is hot, which SM issues most, how many SMs have no warps or a closed L1, how often a kernel
 * begins; so kernels are sampled, dropped, limited, and met again in the table. Kernels differ in
 * one bit. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/cores_sampling.h"
#include "stimulus/cores_sampling_tapes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int parse(const char *options, gm_cores_sampling_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"sms", "warps",   "miss_bits", "issue_bits", "threshold",
                                        "hot", "samples", "entries",   "kernel_bits"};
    uint64_t value[PARAMETERS] = {0};
    int code = gm_cosim_options_parameters(options, &gm_cores_sampling_ports, names, value, error);
    *parameters = (gm_cores_sampling_parameters){.sms = (unsigned)value[SMS],
                                                 .warps = (unsigned)value[WARPS],
                                                 .miss_bits = (unsigned)value[MISS_W],
                                                 .issue_bits = (unsigned)value[ISSUE_W],
                                                 .threshold = (unsigned)value[THRESHOLD],
                                                 .hot = (unsigned)value[HOT],
                                                 .samples = (unsigned)value[SAMPLES],
                                                 .entries = (unsigned)value[ENTRIES],
                                                 .kernel_bits = (unsigned)value[KERNEL_W]};
    return code;
}

GM_COSIM_MODEL_IN_STRUCT(cores_sampling)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_cores_sampling_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "sms=%u warps=%u miss_bits=%u issue_bits=%u threshold=%u hot=%u samples=%u entries=%u "
             "kernel_bits=%u",
             p.sms, p.warps, p.miss_bits, p.issue_bits, p.threshold, p.hot, p.samples, p.entries,
             p.kernel_bits);
    const unsigned value[PARAMETERS] = {p.sms, p.warps,   p.miss_bits, p.issue_bits, p.threshold,
                                        p.hot, p.samples, p.entries,   p.kernel_bits};
    for (unsigned i = 0; i < PARAMETERS; i++) {
        configuration->parameter[i][0] = value[i];
    }
    return 0;
}

/* The ends of every range; fewer, as many and more SMs than warps; thresholds with each number of
 * common factors. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"sms=3 warps=8 miss_bits=4 issue_bits=5 hot=2 samples=2 entries=3 kernel_bits=3", true, true},
    {"sms=4 warps=4 miss_bits=3 issue_bits=3 threshold=12 hot=1 samples=1 entries=2 kernel_bits=2",
     true, true},
    {"sms=1 warps=1 miss_bits=1 issue_bits=1 threshold=1 hot=1 samples=1 entries=1 kernel_bits=1",
     false, true},
    {"sms=2 warps=6 miss_bits=12 issue_bits=7 threshold=1000 hot=3 samples=1 entries=1 "
     "kernel_bits=5",
     false, true},
    {"sms=16 warps=12 miss_bits=15 issue_bits=16 threshold=25 hot=15 samples=4 entries=5 "
     "kernel_bits=31",
     false, true},
    {"sms=80 warps=16 miss_bits=16 issue_bits=16 hot=3 samples=3", false, false},
    {"sms=256 warps=256 miss_bits=14 issue_bits=14 hot=2 samples=2 entries=4 kernel_bits=16", false,
     false},
    {"sms=7 warps=256 miss_bits=8 issue_bits=9 threshold=3 hot=1 samples=2 entries=2 kernel_bits=4",
     false, false},
    {"sms=8 warps=32 miss_bits=24 issue_bits=24 threshold=125 hot=4 samples=16 entries=32 "
     "kernel_bits=32",
     false, false},
};

GM_COSIM_ACCESS_ALL(cores_sampling)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_cores_sampling *s = model;
    const gm_cores_sampling_entry *entry = &s->entry[lane % GM_CORES_SAMPLING_ENTRIES];
    unsigned entries = s->parameters.entries;
    uint64_t full = s->full ? UINT64_C(1) << (entries < 3 ? 1 : gm_log2_ceil(entries)) : 0;
    const uint64_t values[] = {
        s->phase,       s->reports,   s->misses,  s->issued,      s->closed,     s->idle,
        s->total[lane], s->period,    s->base,    s->best,        s->best_limit, s->kernel,
        entry->kernel,  entry->limit, entry->hot, full | s->next,
    };
    (void)row;
    *value = values[element];
    return true;
}

/* Words of a plan: reports of the period so far; the kind of periods; the SM that issues most;
 * batches that still have them; the kernel that all others differ from; the period's kind; of
 * NEARLY_FULL the period since RESTART, from 1, or 0. */
enum { PLAN_SM, PLAN_KIND, PLAN_FAVOURED, PLAN_LEFT, PLAN_KERNEL, PLAN_PERIOD, PLAN_ROUND };

/* What the SMs issue in a period: one the most, all as much, nothing, or in cold periods all the
 * most or one less, so that totals differ in low bits beside high ones: after RESTART as many hot
 * periods as sampling needs, then those of a round. */
typedef enum issue { FAVOURED, EVEN, NOTHING, NEARLY_FULL } issue;

/* Fields of a kind: shares of 16. */
typedef struct kind {
    unsigned hot;    /* hot periods */
    unsigned any;    /* periods with any numbers */
    unsigned idle;   /* periods in which SMs have no warps */
    unsigned closed; /* periods in which L1s are closed */
    issue issue;
    unsigned kernel; /* periods for each kernel */
} kind;

static const kind kinds[] = {
    {16, 0, 0, 0, FAVOURED, 24},   {15, 0, 1, 1, FAVOURED, 12}, {12, 4, 2, 0, FAVOURED, 8},
    {16, 0, 4, 2, EVEN, 10},       {8, 4, 2, 8, FAVOURED, 4},   {16, 0, 0, 0, FAVOURED, 2},
    {4, 8, 4, 4, FAVOURED, 1},     {16, 0, 0, 0, EVEN, 24},     {16, 0, 0, 0, NOTHING, 24},
    {8, 0, 0, 0, NEARLY_FULL, 24},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static uint64_t next_kernel(const gm_cosim_configuration *configuration, const gm_cosim_plan *plan,
                            uint64_t choice)
{
    uint64_t width = number(configuration, KERNEL_W);
    uint64_t flipped = choice % (width + 1);
    uint64_t bit = flipped < width ? UINT64_C(1) << flipped : 0;
    return (plan->word[PLAN_KERNEL] ^ bit) & ones(configuration, KERNEL_W);
}

/* A report of an SM, in a period of the plan's. */
static gm_cores_sampling_request report(const gm_cosim_configuration *configuration,
                                        gm_cosim_plan *plan, gm_cosim_random *random)
{
    const kind *kind = &kinds[plan->word[PLAN_KIND]];
    uint64_t sms = number(configuration, SMS);
    uint64_t value = gm_cosim_random_next(random);
    if (plan->word[PLAN_SM] == 0) {
        plan->word[PLAN_PERIOD] = gm_cosim_random_next(random);
    }
    uint64_t period = plan->word[PLAN_PERIOD];
    bool hot = (period & 15) < kind->hot;
    if (kind->issue == NEARLY_FULL) {
        hot = plan->word[PLAN_ROUND] <= number(configuration, HOT);
    }
    bool any = (period & 15) >= 16 - kind->any;
    bool favoured = plan->word[PLAN_SM] == plan->word[PLAN_FAVOURED];
    uint64_t full = ones(configuration, ISSUE_W);
    uint64_t most = hot ? hot_issued(configuration) : full;
    uint64_t issued = any ? value >> 24 & full : favoured ? most : (value >> 24) % (most + 1);
    if (!any && kind->issue != FAVOURED) {
        issued = kind->issue == NOTHING               ? 0
                 : kind->issue == NEARLY_FULL && !hot ? full - (value >> 24 & 1)
                                                      : most / 2;
    }
    uint64_t misses = any                     ? value & ones(configuration, MISS_W)
                      : hot && issued <= most ? ones(configuration, MISS_W)
                                              : value >> 3 & value >> 7 & 1;
    gm_cores_sampling_request request = {
        .op = GM_CORES_SAMPLING_REPORT,
        .misses = misses,
        .issued = issued,
        .idle = (period >> 8 & 15) < kind->idle && value % sms == 0,
        .closed = (period >> 12 & 15) < kind->closed && (value >> 50 & 7) < (period >> 16 & 7),
        .kernel = value >> 32 & ones(configuration, KERNEL_W),
    };
    plan->word[PLAN_SM] = (plan->word[PLAN_SM] + 1) % sms;
    if (plan->word[PLAN_SM] == 0) {
        uint64_t round = number(configuration, HOT) + number(configuration, SAMPLES);
        plan->word[PLAN_ROUND] = (plan->word[PLAN_ROUND] + 1) % (round + 1);
    }
    return request;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_cores_sampling_request *requests = (void *)request;
    uint64_t choice = gm_cosim_random_next(random);
    uint64_t sms = number(configuration, SMS);
    if (plan->word[PLAN_LEFT] == 0) {
        plan->word[PLAN_KIND] = choice % KINDS;
        plan->word[PLAN_FAVOURED] = (choice >> 8 & 1) != 0 ? sms - 1 : (choice >> 16 & 0xff) % sms;
        plan->word[PLAN_LEFT] = 1 + (choice >> 32 & 15) * (1 + sms / 16);
        if ((choice >> 40 & 3) == 0) {
            plan->word[PLAN_KERNEL] = gm_cosim_random_next(random);
        }
    }
    plan->word[PLAN_LEFT]--;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        bool begins = kinds[plan->word[PLAN_KIND]].issue == NEARLY_FULL &&
                      plan->word[PLAN_SM] == 0 && plan->word[PLAN_ROUND] == 0;
        if (begins) {
            requests[i] = report(configuration, plan, random);
            requests[i].op = GM_CORES_SAMPLING_RESTART;
            plan->word[PLAN_SM] = 0;
            plan->word[PLAN_ROUND] = 1;
        } else if (value % (sms * kinds[plan->word[PLAN_KIND]].kernel) == 0) {
            requests[i] = report(configuration, plan, random);
            requests[i].op = GM_CORES_SAMPLING_KERNEL;
            requests[i].kernel = next_kernel(configuration, plan, value >> 20);
            plan->word[PLAN_SM] = 0;
        } else if ((value >> 32) % (4096 + 256 * sms) == 0) {
            requests[i] = report(configuration, plan, random);
            requests[i].op = GM_CORES_SAMPLING_RESTART + (value >> 63);
            plan->word[PLAN_SM] = 0;
        } else {
            requests[i] = report(configuration, plan, random);
        }
    }
}

/* The sums at their limits; the table full, and one kernel more; hot counts at their limit, and one
 * more; all rounds; numbers of closed L1s around one half; sampling that is dropped; then, bit by
 * bit, sums, totals and the last entry. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    uint64_t sms = number(configuration, SMS);
    uint64_t full = ones(configuration, ISSUE_W);
    const period most = {ones(configuration, MISS_W), full, sms, 0, false};
    put_threshold(configuration, tape);
    put_kernel(tape, 1);
    put_period(configuration, tape, most);
    put_heat(configuration, tape, true);
    put_round(configuration, tape, full, sms);
    put_period(configuration, tape, most);
    put_kernel(tape, 0);
    put_heat(configuration, tape, false);
    put_rounds(configuration, tape, round % sms);
    for (uint64_t closed = sms / 2; closed <= sms / 2 + 1; closed++) {
        put_kernel(tape, 0);
        put_period(configuration, tape, (period){most.misses, 0, sms, closed, false});
    }
    for (uint64_t i = 0; i <= number(configuration, ENTRIES); i++) {
        put_kernel(tape, (round + i) & ones(configuration, KERNEL_W));
        put_period(configuration, tape, (period){most.misses, 0, sms, 0, false});
    }
    const gm_cores_sampling_request restart = {.op = GM_CORES_SAMPLING_RESTART};
    gm_cosim_tape_put(tape, &restart);
    put_heat(configuration, tape, false);
    put_dropped(configuration, tape, true);
    put_period(configuration, tape, (period){most.misses, 0, sms, 0, false});
    put_dropped(configuration, tape, false);
    put_winners(configuration, tape);
    put_least_and_most(configuration, tape);
    put_sums(configuration, tape);
    put_last_entry(configuration, round, tape);
    put_totals(configuration, round, tape);
}

enum {
    FULL_TABLE,
    KERNEL,
    FULL_HOT,
    FULL_MISSES,
    FULL_ISSUED,
    FULL_TOTAL,
    AT_THRESHOLD,
    ABOVE,
    WINNER,
    TIE,
    NEXT_ROUND,
    LARGEST,
    DROPPED,
    STREAMS,
    HALF_CLOSED,
    KNOWN,
    SUMS, /* NUMBERS of them */
    TOTAL = SUMS + NUMBERS,
    BEST,
    LAST_TOTAL,
    LAST_KERNEL, /* and the next two: of the last entry, in a full table */
    LAST_HOT,
    LAST_LIMIT,
    GOALS,
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t sms = number(configuration, SMS);
    uint64_t misses;
    uint64_t issued;
    bool exact = at_threshold(configuration, &misses, &issued);
    uint64_t warps = number(configuration, WARPS);
    bool names =
        number(configuration, KERNEL_W) < 6
            ? UINT64_C(1) << number(configuration, KERNEL_W) > number(configuration, ENTRIES)
            : true;
    const gm_cosim_goal all[GOALS] = {
        [FULL_TABLE] = {"all entries are in use and one more is taken", false, names},
        [KERNEL] = {"kernel", true, ones(configuration, KERNEL_W)},
        [FULL_HOT] = {"a hot count at its end, and one more hot period", false, 1},
        [FULL_MISSES] = {"the largest sum of misses", false, 1},
        [FULL_ISSUED] = {"the largest sum of instructions", false, 1},
        [FULL_TOTAL] = {"the largest number of instructions in a round", false, 1},
        [AT_THRESHOLD] = {"a period at the threshold", false, exact},
        [ABOVE] = {"a period one miss above the threshold", false, exact},
        [WINNER] = {"SM that issues most", false,
                    winners(configuration) > WINNERS ? 0
                                                     : gm_mask((unsigned)winners(configuration))},
        [TIE] = {"two SMs that issue most", false, sms > 1},
        [NEXT_ROUND] = {"the last SM of a round issues most, larger limits are left", false,
                        sms < warps},
        [LARGEST] = {"all warps issue most", false, sms < 32 || warps < 32},
        [DROPPED] = {"an SM without warps ends sampling", false, 1},
        [STREAMS] = {"closed L1s end sampling", false, 1},
        [HALF_CLOSED] = {"half of the L1s closed, and one more", false, 3},
        [KNOWN] = {"a hot kernel with a known limit", false, 1},
        [SUMS + MISSES] = {"bit of the misses that decides", false,
                           decided_bits(configuration, MISSES)},
        [SUMS + ISSUED] = {"bit of the instructions that decides", false,
                           decided_bits(configuration, ISSUED)},
        [SUMS + MISSED] = {"bit of the multiplied misses that decides", false,
                           decided_bits(configuration, MISSED)},
        [SUMS + ALLOWED] = {"bit of the multiplied instructions that decides", false,
                            decided_bits(configuration, ALLOWED)},
        [TOTAL] = {"bit that alone wins a round", false, total_bits(configuration)},
        [BEST] = {"bit that two SMs have alone", false, total_bits(configuration)},
        [LAST_TOTAL] = {"bit with which the last SM alone wins", false, total_bits(configuration)},
        [LAST_KERNEL] = {"the last entry's kernel", true,
                         has_spread(configuration) ? ones(configuration, KERNEL_W) : 0},
        [LAST_HOT] = {"bit of the last entry's hot count", false,
                      has_spread(configuration)
                          ? gm_mask(gm_log2_floor(number(configuration, HOT)) + 1)
                          : 0},
        [LAST_LIMIT] = {"bit of the last entry's limit", false, limit_bits(configuration)},
    };
    memcpy(goal, all, sizeof all);
    return GOALS;
}

/* The end of a sampling period's report of an SM. */
static void meet_sample(const gm_cores_sampling *s, const gm_cores_sampling_request *request,
                        uint64_t *met)
{
    const gm_cores_sampling_parameters *p = &s->parameters;
    unsigned sm = s->reports;
    uint64_t total = s->total[sm] + request->issued;
    met[FULL_TOTAL] |= total == p->samples * gm_mask(p->issue_bits);
    if (s->period + 1 < p->samples) {
        return;
    }
    met[TIE] |= sm > 0 && total > 0 && total == s->best;
    if (sm > 0 && sm < p->warps && gm_is_power_of_two(total)) {
        met[TOTAL] |= s->best == 0 ? total : 0;
        met[LAST_TOTAL] |= s->best == 0 && (sm + 1 == p->sms || sm + 1 == p->warps) ? total : 0;
        met[BEST] |= s->best == total ? total : 0;
    }
    if (sm + 1 < p->sms) {
        return;
    }
    bool drops = s->idle || request->idle != 0;
    bool streams = 2 * (s->closed + request->closed) > p->sms;
    met[DROPPED] |= drops && !streams;
    met[STREAMS] |= !drops && streams;
    gm_cores_sampling model = *s;
    model.observer = NULL;
    gm_cores_sampling_access(&model, *request);
    if (!drops && !streams) {
        unsigned winner = model.best_limit - 1 - s->base;
        met[WINNER] |= model.best_limit > s->base && winner < WINNERS && winner < p->sms
                           ? UINT64_C(1) << winner
                           : 0;
        met[NEXT_ROUND] |= model.phase == GM_CORES_SAMPLING_SAMPLES;
        met[LARGEST] |= model.best_limit == p->warps;
    }
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *fields, uint64_t *met)
{
    const gm_cores_sampling *s = model;
    const gm_cores_sampling_request *request = (const void *)fields;
    const gm_cores_sampling_parameters *p = &s->parameters;
    unsigned used = s->full ? p->entries : s->next;
    if (request->op == GM_CORES_SAMPLING_KERNEL) {
        for (unsigned e = 0; e < used; e++) {
            uint64_t differs = s->entry[e].kernel ^ request->kernel;
            met[KERNEL] |= gm_is_power_of_two(differs) ? differs : 0;
            if (s->full && e + 1 == used) {
                met[LAST_KERNEL] |= gm_is_power_of_two(differs) ? differs : 0;
                met[LAST_HOT] |= differs == 0 ? s->entry[e].hot : 0;
            }
        }
    }
    if (request->op != GM_CORES_SAMPLING_REPORT) {
        return;
    }
    if (s->phase == GM_CORES_SAMPLING_SAMPLES) {
        meet_sample(s, request, met);
    }
    uint64_t misses = s->misses + request->misses;
    uint64_t issued = s->issued + request->issued;
    uint64_t closed = s->closed + request->closed;
    if (s->reports + 1 < p->sms) {
        return;
    }
    met[FULL_MISSES] |= misses == p->sms * gm_mask(p->miss_bits);
    met[FULL_ISSUED] |= issued == p->sms * gm_mask(p->issue_bits);
    if (s->phase != GM_CORES_SAMPLING_WATCHES) {
        return;
    }
    uint64_t missed = 125 * misses;
    uint64_t allowed = UINT64_C(4) * p->threshold * issued;
    met[AT_THRESHOLD] |= misses > 0 && missed == allowed;
    met[ABOVE] |= issued > 0 && missed == allowed + 125;
    bool hot = missed > allowed;
    met[HALF_CLOSED] |= hot ? (closed == p->sms / 2) | (closed == p->sms / 2 + 1) << 1 : 0;
    if (closed <= p->sms / 2) {
        deciding_bits(configuration, misses, issued, &met[SUMS]);
    }
    hot = hot && closed <= p->sms / 2;
    unsigned found = 0;
    while (found < used && s->entry[found].kernel != s->kernel) {
        found++;
    }
    met[FULL_TABLE] |= hot && s->full && found == used;
    met[FULL_HOT] |= hot && found < used && s->entry[found].hot == p->hot;
    met[KNOWN] |= hot && found < used && s->entry[found].limit > 0;
    met[LAST_LIMIT] |= hot && s->full && found + 1 == used ? s->entry[found].limit : 0;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_cores_sampling_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = sizeof(gm_cores_sampling) + 1024,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"sms=3 warps=5 miss_bits=2 issue_bits=2 hot=2 samples=2 entries=2 kernel_bits=2",
                 "sms=2 warps=3 miss_bits=1 issue_bits=2 threshold=25 hot=3 samples=3 "
                 "entries=2 kernel_bits=1"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 131072,
    .goals = goals,
    .meet = meet,
};

/* locality_score in lockstep: instances and stimulus. A batch has one pattern: the warps that it
 * uses, the shares of operations, the cycles that pass at once, and the instructions that are
 * issued for each hit, so that scores are at the base, near the cutoff or at their end. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/locality_score.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { WARPS, SCORE_W, BASE, THROTTLE, HIT_W, ISSUED_W, PARAMETERS };

static int parse(const char *options, gm_locality_score_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"warps",    "score_bits", "base",
                                        "throttle", "hit_bits",   "issued_bits"};
    static const uint64_t fallback[] = {48, 16, 100, 8, 12, 32};
    uint64_t value[PARAMETERS] = {0};
    int code =
        gm_cosim_options_numbers(options, names, PARAMETERS, fallback, PARAMETERS, value, error);
    *parameters = (gm_locality_score_parameters){
        .warps = (unsigned)value[WARPS],
        .score_bits = (unsigned)value[SCORE_W],
        .base = (unsigned)value[BASE],
        .throttle = (unsigned)value[THROTTLE],
        .hit_bits = (unsigned)value[HIT_W],
        .issued_bits = (unsigned)value[ISSUED_W],
    };
    return code;
}

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_locality_score_parameters p;
    gm_locality_score scores;
    int code = parse(options, &p, error);
    if (code == 0) {
        code = gm_locality_score_init(&scores, &p, error);
    }
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "warps=%u score_bits=%u base=%u throttle=%u hit_bits=%u issued_bits=%u", p.warps,
             p.score_bits, p.base, p.throttle, p.hit_bits, p.issued_bits);
    const unsigned values[PARAMETERS] = {p.warps,    p.score_bits, p.base,
                                         p.throttle, p.hit_bits,   p.issued_bits};
    for (unsigned i = 0; i < PARAMETERS; i++) {
        configuration->parameter[i][0] = values[i];
    }
    return 0;
}

/* The ends of every range; numbers of warps that are and are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"warps=3 score_bits=5 base=3 throttle=2 hit_bits=3 issued_bits=6", true, true},
    {"warps=4 score_bits=6 base=5 throttle=3 hit_bits=4 issued_bits=8", true, true},
    {"warps=1 score_bits=2 base=1 throttle=1 hit_bits=1 issued_bits=1", false, true},
    {"warps=5 score_bits=8 base=255 throttle=64 hit_bits=2 issued_bits=9", false, true},
    {"warps=64 score_bits=16 base=100 throttle=8 hit_bits=10 issued_bits=32", false, false},
    {"warps=2 score_bits=16 base=65535 throttle=1 hit_bits=12 issued_bits=20", false, false},
    {"warps=17 score_bits=10 base=100 throttle=64 hit_bits=16 issued_bits=24", false, false},
    {"warps=63 score_bits=7 base=1 throttle=5 hit_bits=1 issued_bits=4", false, false},
};

static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,
                gm_error *error)
{
    gm_locality_score_parameters p;
    gm_locality_score *scores = gm_arena_take(arena, 1, sizeof *scores);
    *model = scores;
    int code = parse(configuration->options, &p, error);
    if (code == 0 && scores == NULL) {
        code = gm_fail(error, -ENOMEM, "locality_score: the arena is full");
    }
    return code < 0 ? code : gm_locality_score_init(scores, &p, error);
}

GM_COSIM_ACCESS_ALL(locality_score)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { WARP, SCORE, LENGTH, HITS, ISSUED };
    const gm_locality_score *scores = model;
    (void)row;
    switch (element) {
    case WARP:
        *value = scores->place[lane].warp;
        return lane < scores->length;
    case SCORE:
        *value = scores->place[lane].score;
        return lane < scores->length;
    case LENGTH:
        *value = scores->length;
        return true;
    case HITS:
        *value = scores->hits;
        return true;
    default:
        *value = scores->issued;
        return true;
    }
}

/* Words of a plan: the pattern's choice; batches that still have it; instructions for a hit, at
 * most. */
enum { PLAN_CHOICE, PLAN_LEFT, PLAN_ISSUED };

static uint64_t warp_mask(uint64_t warps)
{
    return gm_mask(warps < 3 ? 1 : gm_log2_ceil(warps));
}

/* Chooses the pattern. A hit's score is about a whole or half of Throttle x Base x Warps divided by
 * the instructions for a hit: at the largest score, a few bases, about the base, or below it. */
static void plan_pattern(const gm_cosim_configuration *configuration, gm_cosim_plan *plan,
                         uint64_t choice)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t whole = p[THROTTLE][0] * p[WARPS][0];
    const uint64_t issued[] = {whole / 8 + 1, whole / 3 + 1,       whole + 1, 4 * whole + 1, 0, 3,
                               whole / 2,     choice >> 8 & 0xffff};
    plan->word[PLAN_CHOICE] = choice;
    plan->word[PLAN_LEFT] = 1 + (choice >> 20 & 15);
    plan->word[PLAN_ISSUED] = 2 * issued[choice & 7];
}

/* Returns the cycles of an ADVANCE: mostly few, else near the base, at an end, or any. */
static uint64_t pick_cycles(const gm_cosim_configuration *configuration, uint64_t value)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t most = gm_mask((unsigned)p[SCORE_W][0]);
    const uint64_t ends[] = {0, p[BASE][0], most - p[BASE][0], most, most >> 1, 1};
    uint64_t how = value & 31;
    return how < 24 ? value >> 5 & 3 : how < 30 ? ends[how - 24] : value >> 5 & most;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    /* Of 32: ADVANCE, HIT, START, END. */
    static const unsigned share[][4] = {
        {18, 8, 4, 2}, {10, 16, 4, 2}, {20, 4, 2, 6}, {16, 8, 7, 1}};
    gm_locality_score_request *requests = (void *)request;
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t warps = p[WARPS][0];
    if (plan->word[PLAN_LEFT] == 0) {
        plan_pattern(configuration, plan, gm_cosim_random_next(random));
    }
    plan->word[PLAN_LEFT]--;
    uint64_t choice = plan->word[PLAN_CHOICE];
    const uint64_t pools[] = {2, warps, warps, warps / 2 + 1};
    uint64_t restarts = (choice >> 26 & 3) == 0 ? 64 : 4096;
    uint64_t most = gm_mask((unsigned)p[ISSUED_W][0]);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t more = gm_cosim_random_next(random);
        bool restart = (value & 0xffff) % restarts == 0;
        unsigned op = 0;
        for (uint64_t ticket = value >> 16 & 31; ticket >= share[choice >> 28 & 3][op]; op++) {
            ticket -= share[choice >> 28 & 3][op];
        }
        uint64_t warp = ((choice >> 32) + (value >> 24 & 0xff) % pools[choice >> 3 & 3]) % warps;
        bool takes_warp = !restart && op != GM_LOCALITY_SCORE_ADVANCE;
        uint64_t issued = plan->word[PLAN_ISSUED] == 0 ? 0 : (more >> 16) % plan->word[PLAN_ISSUED];
        requests[i] = (gm_locality_score_request){
            .op = restart ? GM_LOCALITY_SCORE_RESTART + (value >> 40 & 3) : op,
            .warp = takes_warp ? warp : value >> 42 & warp_mask(warps),
            .cycles = pick_cycles(configuration, value >> 48),
            .issued = (more & 1023) == 0 ? most >> (more >> 10 & 3)
                      : issued < most    ? issued
                                         : most,
        };
    }
}

static void put(gm_cosim_tape *tape, uint64_t op, uint64_t warp, uint64_t cycles, uint64_t issued)
{
    const gm_locality_score_request request = {
        .op = op, .warp = warp, .cycles = cycles, .issued = issued};
    gm_cosim_tape_put(tape, &request);
}

/* Puts HITs until the count of hits is full, and one more. */
static void fill_hits(const gm_cosim_configuration *configuration, gm_cosim_tape *tape)
{
    uint64_t warps = configuration->parameter[WARPS][0];
    for (uint64_t i = 0; i <= gm_mask((unsigned)configuration->parameter[HIT_W][0]); i++) {
        put(tape, GM_LOCALITY_SCORE_HIT, i * 5 % warps, 0, 0);
    }
}

/* Starts all warps, gives each the largest score, and lets time pass to the base; fills both counts
 * and counts once more; HITs each place of the list, in turn from its end; ends all warps. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t warps = p[WARPS][0];
    uint64_t top = gm_mask((unsigned)p[SCORE_W][0]);
    uint64_t most = gm_mask((unsigned)p[ISSUED_W][0]);
    for (uint64_t w = 0; w < warps; w++) {
        put(tape, GM_LOCALITY_SCORE_START, (w + round) % warps, 0, 0);
    }
    put(tape, GM_LOCALITY_SCORE_START, round % warps, 0, 0);
    for (uint64_t w = 0; w < warps; w++) { /* no instruction yet: the largest score */
        put(tape, GM_LOCALITY_SCORE_HIT, w, 0, 0);
    }
    put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, 1, 0);
    put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, top >> 1, 0);
    put(tape, GM_LOCALITY_SCORE_HIT, warps - 1, 0, 0);
    put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, top - p[BASE][0], 0);
    put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, top, 3);
    for (uint64_t w = 0; w < 2 * warps; w++) { /* the last place becomes the first */
        put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, 0, (w * w + round) & most);
        put(tape, GM_LOCALITY_SCORE_HIT, w % warps, 0, 0);
        put(tape, GM_LOCALITY_SCORE_HIT, (w + w / 2) % warps, 0, 0);
    }
    fill_hits(configuration, tape);
    put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, 0, most - 1);
    put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, 0, most);
    put(tape, GM_LOCALITY_SCORE_ADVANCE, 0, 1, 1);
    put(tape, GM_LOCALITY_SCORE_HIT, 0, 0, 0);
    fill_hits(configuration, tape);
    for (uint64_t w = 0; w < warps; w++) {
        put(tape, GM_LOCALITY_SCORE_END, (w * 7 + round) % warps, 0, 0);
        put(tape, GM_LOCALITY_SCORE_HIT, (w * 7 + round) % warps, 0, 0);
    }
    for (uint64_t w = 0; w < warps; w++) {
        put(tape, GM_LOCALITY_SCORE_END, w, 0, 0);
    }
    put(tape, GM_LOCALITY_SCORE_RESTART, round & warp_mask(warps), top, most);
}

enum { FULL_HITS, FULL_ISSUED, ALL, PLACE, DIFFERS_WARP, AT_CUTOFF, GOALS };

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    const gm_cosim_goal all[GOALS] = {
        [FULL_HITS] = {"a hit with the count of hits full", false, 1},
        [FULL_ISSUED] = {"instructions beyond the largest count", false, 1},
        [ALL] = {"all warps are there and one starts", false, 1},
        [PLACE] = {"a hit of the warp at place", false, gm_mask((unsigned)p[WARPS][0])},
        [DIFFERS_WARP] = {"warp: a hit of one that is not there", true,
                          p[WARPS][0] == 1 ? 0 : warp_mask(p[WARPS][0])},
        [AT_CUTOFF] = {"scores of places that sum up to the cutoff", false,
                       p[WARPS][0] > 1 && p[BASE][0] < gm_mask((unsigned)p[SCORE_W][0])},
    };
    memcpy(goal, all, sizeof all);
    return GOALS;
}

/* Returns true if the scores of the first places sum up to the cutoff, before the last place. */
static bool at_cutoff(const gm_locality_score *scores)
{
    uint64_t cutoff = (uint64_t)scores->length * scores->parameters.base;
    uint64_t sum = 0;
    for (unsigned i = 0; i + 1 < scores->length; i++) {
        sum += scores->place[i].score;
        if (sum == cutoff) {
            return true;
        }
    }
    return false;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_locality_score_request *r = (const void *)request;
    const gm_locality_score *scores = model;
    const gm_locality_score_parameters *p = &scores->parameters;
    (void)configuration;
    bool hit = r->op == GM_LOCALITY_SCORE_HIT;
    met[FULL_HITS] = hit && scores->hits == gm_mask(p->hit_bits);
    met[FULL_ISSUED] =
        r->op == GM_LOCALITY_SCORE_ADVANCE && r->issued > gm_mask(p->issued_bits) - scores->issued;
    met[ALL] = r->op == GM_LOCALITY_SCORE_START && scores->length == p->warps;
    met[AT_CUTOFF] = at_cutoff(scores);
    bool there = false;
    for (unsigned i = 0; hit && i < scores->length; i++) {
        met[PLACE] |= (uint64_t)(scores->place[i].warp == r->warp) << i;
        there = there || scores->place[i].warp == r->warp;
    }
    for (unsigned i = 0; hit && !there && i < scores->length; i++) {
        uint64_t differs = scores->place[i].warp ^ r->warp;
        met[DIFFERS_WARP] |= gm_is_power_of_two(differs) ? differs : 0;
    }
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_locality_score_request *)(const void *)request)->warp;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_locality_score_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = 2048,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"warps=3 score_bits=4 base=3 throttle=2 hit_bits=2 issued_bits=4",
                 "warps=2 score_bits=3 base=2 throttle=1 hit_bits=3 issued_bits=3"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 100000,
    .goals = goals,
    .meet = meet,
    .subject = subject,
};

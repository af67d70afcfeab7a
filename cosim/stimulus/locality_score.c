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
    uint64_t value[PARAMETERS] = {0};
    int code = gm_cosim_options_parameters(options, &gm_locality_score_ports, names, value, error);
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

GM_COSIM_MODEL_IN_STRUCT(locality_score)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_locality_score_parameters p;
    int code = parse_valid(options, &p, error);
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

/* A tape and the state after what was put on it, from which the next requests are chosen. */
typedef struct script {
    gm_cosim_tape *tape;
    gm_locality_score scores;
} script;

static uint64_t put(script *s, uint64_t op, uint64_t warp, uint64_t cycles, uint64_t issued)
{
    const gm_locality_score_request request = {
        .op = op, .warp = warp, .cycles = cycles, .issued = issued};
    gm_cosim_tape_put(s->tape, &request);
    return gm_locality_score_access(&s->scores, request).score;
}

static script begin(const gm_cosim_configuration *configuration, gm_cosim_tape *tape)
{
    script made = {.tape = tape};
    gm_locality_score_parameters p;
    gm_error error; /* none: `configure` has taken the options */
    (void)parse(configuration->options, &p, &error);
    (void)gm_locality_score_init(&made.scores, &p, &error);
    return made;
}

static uint64_t top_score(const gm_locality_score *scores)
{
    return gm_mask(scores->parameters.score_bits);
}

static uint64_t most_issued(const gm_locality_score *scores)
{
    return gm_mask(scores->parameters.issued_bits);
}

/* RESTARTs and starts all warps. */
static void start_all(script *s, uint64_t round)
{
    uint64_t warps = s->scores.parameters.warps;
    put(s, GM_LOCALITY_SCORE_RESTART, round & warp_mask(warps), top_score(&s->scores),
        most_issued(&s->scores));
    for (uint64_t w = 0; w < warps; w++) {
        put(s, GM_LOCALITY_SCORE_START, (w + round) % warps, 0, 0);
    }
}

/* Starts all warps and gives each the largest score: no instruction was issued. */
static void start_at_top(script *s, uint64_t round)
{
    start_all(s, round);
    for (uint64_t w = 0; w < s->scores.parameters.warps; w++) {
        put(s, GM_LOCALITY_SCORE_HIT, w, 0, 0);
    }
}

static void fall(script *s, uint64_t cycles)
{
    put(s, GM_LOCALITY_SCORE_ADVANCE, 0, cycles, 0);
}

/* Ends all warps but the last one of the list, starts another one behind it, and lets the score of
 * the first fall to where the second may not issue loads, and 1 further, to where it may: shows the
 * exact score. */
static void show_last(script *s)
{
    uint64_t warps = s->scores.parameters.warps;
    uint64_t cutoff = UINT64_C(2) * s->scores.parameters.base;
    while (s->scores.length > 1) {
        put(s, GM_LOCALITY_SCORE_END, s->scores.place[0].warp, 0, 0);
    }
    put(s, GM_LOCALITY_SCORE_START, (s->scores.place[0].warp + UINT64_C(1)) % warps, 0, 0);
    if (s->scores.length == 2 && s->scores.place[0].score > cutoff) {
        fall(s, s->scores.place[0].score - cutoff);
        fall(s, 1);
    }
}

/* Lets scores that are equal fall to where the last warp just may issue loads: shows a higher one
 * at any place. */
static void show_sum(script *s)
{
    const gm_locality_score_parameters *p = &s->scores.parameters;
    uint64_t score = p->warps == 1 ? p->base : p->base + (p->base - 1) / (p->warps - 1);
    if (s->scores.place[0].score > score) {
        fall(s, s->scores.place[0].score - score);
    }
}

/* HITs a warp that is not there with each other one at each place in turn, then each warp that has
 * just left the end of the list. */
static void absent_warps(script *s, uint64_t round)
{
    uint64_t absent = round % s->scores.parameters.warps;
    start_all(s, round);
    put(s, GM_LOCALITY_SCORE_END, absent, 0, 0);
    for (unsigned i = 0; i < s->scores.length; i++) {
        put(s, GM_LOCALITY_SCORE_HIT, absent, 0, 0);
        put(s, GM_LOCALITY_SCORE_START, s->scores.place[0].warp, 0, 0);
    }
    while (s->scores.length > 0) {
        uint64_t last = s->scores.place[s->scores.length - 1].warp;
        put(s, GM_LOCALITY_SCORE_END, last, 0, 0);
        put(s, GM_LOCALITY_SCORE_HIT, last, 0, 0);
    }
}

/* Returns the score of a HIT of a warp that is there behind `issued` more instructions. */
static uint64_t score_behind(gm_locality_score scores, uint64_t issued)
{
    scores.observer = NULL;
    gm_locality_score_access(&scores, (gm_locality_score_request){.issued = issued});
    return gm_locality_score_access(&scores,
                                    (gm_locality_score_request){.op = GM_LOCALITY_SCORE_HIT,
                                                                .warp = scores.place[0].warp})
        .score;
}

/* Returns the fewest instructions behind which the score of a HIT has 0 at `bit` (0: is below the
 * largest one); 0: there are none. */
static uint64_t issued_for(const gm_locality_score *scores, uint64_t bit)
{
    uint64_t most = most_issued(scores);
    for (uint64_t issued = 1; issued <= most; issued += 1 + issued / 16) {
        uint64_t score = score_behind(*scores, issued);
        if ((score & bit) == 0 && score < top_score(scores)) {
            return issued;
        }
    }
    return 0;
}

/* With all other scores at one number, HITs a warp: its score differs from them in one bit, in
 * which it is lower, for each bit; or is the same. Returns the bits for which there is a score. */
static uint64_t score_bits(script *s, uint64_t round)
{
    uint64_t done = 0;
    uint64_t top = top_score(&s->scores);
    unsigned bits = s->scores.parameters.score_bits;
    for (unsigned b = 0; b <= bits && s->scores.parameters.warps > 1; b++) {
        uint64_t bit = (UINT64_C(1) << b) & top;
        start_at_top(s, round);
        uint64_t issued = issued_for(&s->scores, bit);
        if (issued != 0) {
            uint64_t score = score_behind(s->scores, issued) | bit;
            put(s, GM_LOCALITY_SCORE_ADVANCE, 0, top - score, issued);
            put(s, GM_LOCALITY_SCORE_HIT, s->scores.place[0].warp, 0, 0);
            show_last(s);
            done |= bit;
        }
    }
    return done;
}

/* Lets all scores fall by each power of two, without reaching the base, and shows them. */
static void falls(script *s, uint64_t round, void (*show)(script *s))
{
    uint64_t base = s->scores.parameters.base;
    start_at_top(s, round);
    for (uint64_t cycles = 1; base + cycles <= top_score(&s->scores); cycles <<= 1) {
        if (s->scores.place[0].score < base + cycles) {
            show(s);
            start_at_top(s, round);
        }
        fall(s, cycles);
    }
    show(s);
}

/* Returns the score of the first warp with which, all others at the base, the scores before a place
 * sum up to the cutoff. */
static uint64_t score_for_cutoff(const gm_locality_score_parameters *p, unsigned place)
{
    return (uint64_t)p->base * (p->warps - place + 1);
}

/* Lets one warp's score fall to where the scores before each place sum up to the cutoff, and 1
 * further. Returns the places for which there is such a score. */
static uint64_t cutoffs(script *s, uint64_t round)
{
    const gm_locality_score_parameters *p = &s->scores.parameters;
    uint64_t done = 0;
    start_all(s, round);
    put(s, GM_LOCALITY_SCORE_HIT, round % p->warps, 0, 0);
    for (unsigned place = 1; place < p->warps; place++) {
        uint64_t score = score_for_cutoff(p, place);
        if (score < s->scores.place[0].score) {
            fall(s, s->scores.place[0].score - score);
            fall(s, 1);
            done |= UINT64_C(1) << place;
        }
    }
    return done;
}

/* Returns the score of which the scores of all places but the last one sum up to 2^b and less than
 * the cutoff more; 0: there is none between the base and the largest one. */
static uint64_t score_for_sum(const gm_locality_score *scores, unsigned b)
{
    const gm_locality_score_parameters *p = &scores->parameters;
    uint64_t places = p->warps - 1;
    uint64_t sum = UINT64_C(1) << b;
    uint64_t score = places == 0 ? 0 : (sum + places - 1) / places;
    bool wraps = sum >= (uint64_t)p->warps * p->base;
    return wraps && score > p->base && score <= top_score(scores) ? score : 0;
}

enum { SUM_BITS = 16 + 6 /* of the sum of scores that are not the last one, at most */ };

/* Lets equal scores fall to where a sum with a bit less is below the cutoff: the last warp would
 * be allowed to issue loads. Returns the bits for which there is such a score. */
static uint64_t sums(script *s, uint64_t round)
{
    uint64_t done = 0;
    start_at_top(s, round);
    for (unsigned b = SUM_BITS; b-- > 0;) {
        uint64_t score = score_for_sum(&s->scores, b);
        if (score != 0) {
            fall(s, s->scores.place[0].score - score);
            done |= UINT64_C(1) << b;
        }
    }
    fall(s, 0);
    return done;
}

/* HITs with 2^b + 1 instructions, for each b, all warps there: without the bit the score is another
 * one. Each sum carries into its upper bits. Returns the bits. */
static uint64_t issued_bits(script *s, uint64_t round)
{
    uint64_t done = 0;
    start_all(s, round);
    put(s, GM_LOCALITY_SCORE_HIT, round % s->scores.parameters.warps, 0, 0);
    for (unsigned b = 0; b < s->scores.parameters.issued_bits; b++) {
        uint64_t bit = UINT64_C(1) << b;
        if (bit < most_issued(&s->scores)) {
            uint64_t more = bit + 1 - s->scores.issued;
            uint64_t carries = more < 2 ? more : 2;
            put(s, GM_LOCALITY_SCORE_ADVANCE, 0, 0, more - carries);
            put(s, GM_LOCALITY_SCORE_ADVANCE, 0, 0, carries);
            put(s, GM_LOCALITY_SCORE_HIT, s->scores.place[0].warp, 0, 0);
            done |= bit;
        }
    }
    return done;
}

/* Returns the count of hits if it is a power of two and one more gives a score between the base and
 * the largest one; else 0. */
static uint64_t hit_bit(const gm_locality_score *scores)
{
    if (!gm_is_power_of_two(scores->hits)) {
        return 0;
    }
    uint64_t score = score_behind(*scores, 0);
    return score > scores->parameters.base && score < top_score(scores) ? scores->hits : 0;
}

/* Puts HITs until the count of hits is full, and one more. Returns the bits b for which a HIT
 * behind 2^b hits gives a score between the base and the largest one. */
static uint64_t fill_hits(script *s)
{
    uint64_t done = 0;
    uint64_t warps = s->scores.parameters.warps;
    for (uint64_t i = 0; i <= gm_mask(s->scores.parameters.hit_bits); i++) {
        done |= hit_bit(&s->scores);
        put(s, GM_LOCALITY_SCORE_HIT, i * 5 % warps, 0, 0);
    }
    return done;
}

/* Fills the count of hits, all warps there, with so many instructions that each number of hits has
 * its own score, as far as there are scores. Returns what fill_hits does. */
static uint64_t hits_by_score(script *s, uint64_t round)
{
    const gm_locality_score_parameters *p = &s->scores.parameters;
    uint64_t product = gm_mask(p->hit_bits) * p->throttle * p->base * p->warps;
    uint64_t issued = product / top_score(&s->scores) + 1;
    start_all(s, round);
    put(s, GM_LOCALITY_SCORE_ADVANCE, 0, 0,
        issued < most_issued(&s->scores) ? issued : most_issued(&s->scores));
    return fill_hits(s);
}

/* Starts all warps, gives each the largest score, and lets time pass to the base; HITs each place
 * of the list, in turn from its end. */
static void places(script *s, uint64_t round)
{
    uint64_t warps = s->scores.parameters.warps;
    uint64_t top = top_score(&s->scores);
    start_all(s, round);
    put(s, GM_LOCALITY_SCORE_START, round % warps, 0, 0);
    for (uint64_t w = 0; w < warps; w++) {
        put(s, GM_LOCALITY_SCORE_HIT, w, 0, 0);
    }
    fall(s, 1);
    fall(s, top >> 1);
    put(s, GM_LOCALITY_SCORE_HIT, warps - 1, 0, 0);
    fall(s, top - s->scores.parameters.base);
    put(s, GM_LOCALITY_SCORE_ADVANCE, 0, top, most_issued(&s->scores) & 3);
    for (uint64_t w = 0; w < 2 * warps; w++) { /* the last place becomes the first */
        put(s, GM_LOCALITY_SCORE_ADVANCE, 0, 0, (w * w + round) & most_issued(&s->scores));
        put(s, GM_LOCALITY_SCORE_HIT, w % warps, 0, 0);
        put(s, GM_LOCALITY_SCORE_HIT, (w + w / 2) % warps, 0, 0);
    }
}

/* Each place, score, sum and count at its limits and with each bit alone; then fills both counts
 * and counts once more, and ends all warps. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    script s = begin(configuration, tape);
    uint64_t warps = configuration->parameter[WARPS][0];
    uint64_t most = most_issued(&s.scores);
    places(&s, round);
    absent_warps(&s, round);
    (void)score_bits(&s, round);
    falls(&s, round, show_last);
    falls(&s, round, show_sum);
    (void)cutoffs(&s, round);
    (void)sums(&s, round);
    (void)issued_bits(&s, round);
    (void)hits_by_score(&s, round);
    put(&s, GM_LOCALITY_SCORE_ADVANCE, 0, 0, most - 1);
    put(&s, GM_LOCALITY_SCORE_ADVANCE, 0, 0, most);
    put(&s, GM_LOCALITY_SCORE_ADVANCE, 0, 1, 1);
    put(&s, GM_LOCALITY_SCORE_HIT, 0, 0, 0);
    (void)fill_hits(&s);
    for (uint64_t w = 0; w < warps; w++) {
        put(&s, GM_LOCALITY_SCORE_END, (w * 7 + round) % warps, 0, 0);
        put(&s, GM_LOCALITY_SCORE_HIT, (w * 7 + round) % warps, 0, 0);
    }
    for (uint64_t w = 0; w < warps; w++) {
        put(&s, GM_LOCALITY_SCORE_END, w, 0, 0);
    }
}

enum {
    FULL_HITS,
    FULL_ISSUED,
    ALL,
    PLACE,
    DIFFERS_WARP,
    DIFFERS_LAST,
    DIFFERS_SCORE,
    FALLS,
    AT_CUTOFF,
    SUM,
    ISSUED_BIT,
    HITS_BIT,
    GOALS
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t top = gm_mask((unsigned)p[SCORE_W][0]);
    uint64_t other = p[WARPS][0] == 1 ? 0 : warp_mask(p[WARPS][0]);
    gm_cosim_tape none = {0};
    script s = begin(configuration, &none);
    const gm_cosim_goal all[GOALS] = {
        [FULL_HITS] = {"a hit with the count of hits full", false, 1},
        [FULL_ISSUED] = {"instructions beyond the largest count", false, 1},
        [ALL] = {"all warps are there and one starts", false, 1},
        [PLACE] = {"a hit of the warp at place", false, gm_mask((unsigned)p[WARPS][0])},
        [DIFFERS_WARP] = {"warp: a hit of one that is not there", true, other},
        [DIFFERS_LAST] = {"warp at the last place in use, all others there: a hit", true, other},
        [DIFFERS_SCORE] = {"score at the last place, all warps there: a lower one of a hit", true,
                           score_bits(&s, 0)},
        [FALLS] = {"all warps there: the last score falls, to above the base, by bit", false,
                   gm_mask(gm_log2_ceil(top - p[BASE][0] + 1))},
        [AT_CUTOFF] = {"all warps there: the scores sum up to the cutoff before place", false,
                       cutoffs(&s, 0)},
        [SUM] = {"all warps there: the sum before the last place is below the cutoff without bit",
                 false, sums(&s, 0)},
        [ISSUED_BIT] = {"a hit with one instruction more than bit", false, issued_bits(&s, 0)},
        [HITS_BIT] = {"a score between base and largest, of one hit more than bit", false,
                      hits_by_score(&s, 0)},
    };
    memcpy(goal, all, sizeof all);
    return GOALS;
}

/* Returns the places before which the scores sum up to the cutoff. */
static uint64_t at_cutoff(const gm_locality_score *scores)
{
    uint64_t cutoff = (uint64_t)scores->length * scores->parameters.base;
    uint64_t places = 0;
    uint64_t sum = 0;
    for (unsigned i = 0; i < scores->length; i++) {
        places |= (uint64_t)(sum == cutoff) << i;
        sum += scores->place[i].score;
    }
    return places;
}

/* Returns the highest bit of the sum of the scores before the last place if the rest of it is below
 * the cutoff, and the cutoff is not above that bit; else 0. */
static uint64_t sum_bit(const gm_locality_score *scores)
{
    uint64_t cutoff = (uint64_t)scores->length * scores->parameters.base;
    uint64_t sum = 0;
    for (unsigned i = 0; i + 1 < scores->length; i++) {
        sum += scores->place[i].score;
    }
    uint64_t bit = sum == 0 ? 0 : UINT64_C(1) << gm_log2_floor(sum);
    return bit >= cutoff && sum - bit < cutoff ? bit : 0;
}

/* The goals of a HIT. */
static void meet_hit(const gm_locality_score *scores, const gm_locality_score_request *r,
                     uint64_t *met)
{
    const gm_locality_score_parameters *p = &scores->parameters;
    bool there = false;
    for (unsigned i = 0; i < scores->length; i++) {
        met[PLACE] |= (uint64_t)(scores->place[i].warp == r->warp) << i;
        there = there || scores->place[i].warp == r->warp;
    }
    for (unsigned i = 0; !there && i < scores->length; i++) {
        uint64_t differs = scores->place[i].warp ^ r->warp;
        differs = gm_is_power_of_two(differs) ? differs : 0;
        met[DIFFERS_WARP] |= differs;
        met[DIFFERS_LAST] |= i + 2 == p->warps ? differs : 0;
    }
    if (there) {
        uint64_t score = score_behind(*scores, 0);
        unsigned last = scores->place[p->warps - 1].warp == r->warp ? p->warps - 2 : p->warps - 1;
        uint64_t differs =
            p->warps > 1 && scores->length == p->warps ? scores->place[last].score ^ score : 0;
        met[DIFFERS_SCORE] = gm_is_power_of_two(differs) ? differs & ~score : 0;
        met[ISSUED_BIT] =
            gm_is_power_of_two(scores->issued - UINT64_C(1)) ? scores->issued - UINT64_C(1) : 0;
        met[HITS_BIT] = hit_bit(scores);
    }
    met[FULL_HITS] = scores->hits == gm_mask(p->hit_bits);
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_locality_score_request *r = (const void *)request;
    const gm_locality_score *scores = model;
    const gm_locality_score_parameters *p = &scores->parameters;
    (void)configuration;
    bool all = scores->length == p->warps;
    bool advances = r->op == GM_LOCALITY_SCORE_ADVANCE;
    met[FULL_ISSUED] = advances && r->issued > gm_mask(p->issued_bits) - scores->issued;
    met[ALL] = r->op == GM_LOCALITY_SCORE_START && all;
    met[AT_CUTOFF] = all ? at_cutoff(scores) : 0;
    met[SUM] = all ? sum_bit(scores) : 0;
    bool above = advances && all && scores->place[p->warps - 1].score >= p->base + r->cycles;
    met[FALLS] = above && gm_is_power_of_two(r->cycles) ? r->cycles : 0;
    if (r->op == GM_LOCALITY_SCORE_HIT) {
        meet_hit(scores, r, met);
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

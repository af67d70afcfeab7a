/* Lost-locality scores of CCWS [rogers]: a list of the warps of an SM in the order of their scores,
 * and the warps at its head that may issue loads. */
#include "goldmem/locality_score.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <string.h>

int gm_locality_score_init(gm_locality_score *scores,
                           const gm_locality_score_parameters *parameters, gm_error *error)
{
    const gm_locality_score_parameters *p = parameters;
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"warps", p->warps, 1, GM_LOCALITY_SCORE_WARPS},
        {"score_bits", p->score_bits, 2, 16},
        {"base", p->base, 1, (unsigned)gm_mask(p->score_bits)},
        {"throttle", p->throttle, 1, 64},
        {"hit_bits", p->hit_bits, 1, 16},
        {"issued_bits", p->issued_bits, 1, 32},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "locality_score: %s %u: must be %u to %u",
                           ranges[i].name, ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    *scores = (gm_locality_score){.parameters = *p};
    return 0;
}

static bool is_there(const gm_locality_score *scores, uint64_t warp)
{
    return (scores->there >> warp & 1) != 0;
}

static void take_out(gm_locality_score *scores, uint64_t warp)
{
    if (!is_there(scores, warp)) {
        return;
    }
    unsigned at = 0;
    while (scores->place[at].warp != warp) {
        at++;
    }
    scores->there ^= UINT64_C(1) << warp;
    scores->length--;
    memmove(&scores->place[at], &scores->place[at + 1],
            (scores->length - at) * sizeof *scores->place);
}

/* Puts a warp that is not there before the place `at`. */
static void put_in(gm_locality_score *scores, unsigned at, uint64_t warp, uint64_t score)
{
    memmove(&scores->place[at + 1], &scores->place[at],
            (scores->length - at) * sizeof *scores->place);
    scores->place[at] = (gm_locality_score_place){(uint16_t)warp, (uint16_t)score};
    scores->there |= UINT64_C(1) << warp;
    scores->length++;
}

/* Scores fall by `cycles`, to the base: the order stays. */
static void advance(gm_locality_score *scores, uint64_t cycles, uint64_t issued)
{
    unsigned base = scores->parameters.base;
    for (unsigned i = 0; i < scores->length && scores->place[i].score > base; i++) {
        bool stays = scores->place[i].score > base + cycles;
        scores->place[i].score = (uint16_t)(stays ? scores->place[i].score - cycles : base);
    }
    uint64_t most = gm_mask(scores->parameters.issued_bits);
    uint64_t count = scores->issued + issued;
    scores->issued = (uint32_t)(count < most ? count : most);
}

/* Returns the lost-locality detected score, LLDS = hits / issued x K_THROTTLE x cutoff, rounded
 * down and at most the largest score. */
static uint64_t detected_score(const gm_locality_score *scores)
{
    const gm_locality_score_parameters *p = &scores->parameters;
    uint64_t most = gm_mask(p->score_bits);
    uint64_t cutoff = (uint64_t)scores->length * p->base;
    uint64_t product = scores->hits * p->throttle * cutoff;
    if (scores->issued == 0) {
        return most;
    }
    return product / scores->issued < most ? product / scores->issued : most;
}

/* Counts the hit, halving both counts when that of the hits is full, so that their rate stays. A
 * warp that is there gets the detected score, at least the base, and its place before the warps
 * with that score. Returns its score; 0: it is not there. */
static uint64_t hit(gm_locality_score *scores, uint64_t warp)
{
    const gm_locality_score_parameters *p = &scores->parameters;
    if (scores->hits == gm_mask(p->hit_bits)) {
        scores->hits >>= 1;
        scores->issued >>= 1;
    }
    scores->hits++;
    uint64_t score = detected_score(scores);
    score = score > p->base ? score : p->base;
    if (!is_there(scores, warp)) {
        return 0;
    }
    take_out(scores, warp);
    unsigned at = 0;
    while (at < scores->length && scores->place[at].score > score) {
        at++;
    }
    put_in(scores, at, warp, score);
    return score;
}

/* True if no warp has lost locality. */
static bool all_are_base(const gm_locality_score *scores)
{
    return scores->length == 0 || scores->place[0].score == scores->parameters.base;
}

/* Returns the number of warps at the head of the list that may issue loads: those before which the
 * scores sum up to less than the cutoff, which is the sum of all base scores. */
static unsigned allowed_places(const gm_locality_score *scores)
{
    uint64_t cutoff = (uint64_t)scores->length * scores->parameters.base;
    uint64_t sum = 0;
    unsigned places = 0;
    if (all_are_base(scores)) {
        return scores->length;
    }
    while (places < scores->length && sum < cutoff) {
        sum += scores->place[places++].score;
    }
    return places;
}

/* Returns the bit set of the warps that may issue loads. */
static uint64_t allowed(const gm_locality_score *scores)
{
    unsigned places = allowed_places(scores);
    uint64_t warps = 0;
    if (places == scores->length) {
        return scores->there;
    }
    for (unsigned i = 0; i < places; i++) {
        warps |= UINT64_C(1) << scores->place[i].warp;
    }
    return warps;
}

gm_locality_score_response gm_locality_score_access(gm_locality_score *scores,
                                                    gm_locality_score_request request)
{
    const gm_locality_score_parameters *p = &scores->parameters;
    gm_assert(request.op < 8, "locality_score: operation %llu", (unsigned long long)request.op);
    gm_assert(request.op == GM_LOCALITY_SCORE_ADVANCE || request.op >= GM_LOCALITY_SCORE_RESTART ||
                  request.warp < p->warps,
              "locality_score: warp %llu of %u", (unsigned long long)request.warp, p->warps);
    gm_assert(request.cycles <= gm_mask(p->score_bits) && request.issued <= gm_mask(p->issued_bits),
              "locality_score: %llu cycles, %llu instructions", (unsigned long long)request.cycles,
              (unsigned long long)request.issued);
    gm_locality_score_response response = {0};
    switch (request.op) {
    case GM_LOCALITY_SCORE_ADVANCE:
        advance(scores, request.cycles, request.issued);
        break;
    case GM_LOCALITY_SCORE_HIT:
        response.score = hit(scores, request.warp);
        break;
    case GM_LOCALITY_SCORE_START:
        take_out(scores, request.warp);
        put_in(scores, scores->length, request.warp, p->base);
        response.score = p->base;
        break;
    case GM_LOCALITY_SCORE_END:
        take_out(scores, request.warp);
        break;
    default:
        scores->length = 0;
        scores->there = 0;
        scores->hits = scores->issued = 0;
    }
    response.allowed = allowed(scores);
    gm_error error;
    gm_assert(gm_locality_score_check(scores, &error) == 0, "%s", error.text);
    if (scores->observer != NULL) {
        gm_locality_score_tell(scores->observer, request, response);
    }
    return response;
}

/* The first warp that may not, at place k, may when the k scores before it sum up to less than the
 * cutoff. After n cycles the m highest of them exceed the base by their sum now less m x n, and the
 * sum of all excesses is the largest of these over m, since an excess stops at 0. So n must be
 * above (excess of the m highest - room) / m for each m, where `room` is the cutoff less k base
 * scores. */
uint64_t gm_locality_score_wait(const gm_locality_score *scores)
{
    uint64_t base = scores->parameters.base;
    unsigned places = allowed_places(scores);
    if (places == scores->length) {
        return UINT64_MAX;
    }
    uint64_t room = (scores->length - places) * base;
    uint64_t excess = 0;
    uint64_t wait = 1;
    for (unsigned m = 1; m <= places; m++) {
        excess += scores->place[m - 1].score - base;
        uint64_t least = excess < room ? 0 : (excess - room) / m + 1;
        wait = least > wait ? least : wait;
    }
    return wait;
}

int gm_locality_score_check(const gm_locality_score *scores, gm_error *error)
{
    const gm_locality_score_parameters *p = &scores->parameters;
    uint64_t before = gm_mask(p->score_bits);
    uint64_t seen = 0;
    if (scores->length > p->warps) {
        return gm_fail(error, -EINVAL, "locality_score: %u warps of %u", scores->length, p->warps);
    }
    for (unsigned i = 0; i < scores->length; i++) {
        gm_locality_score_place place = scores->place[i];
        if (place.score < p->base || place.score > before) {
            return gm_fail(error, -EINVAL, "locality_score: place %u: score %u, not %u to %llu", i,
                           place.score, p->base, (unsigned long long)before);
        }
        if (place.warp >= p->warps || (seen >> place.warp & 1) != 0) {
            return gm_fail(error, -EINVAL, "locality_score: place %u: warp %u", i, place.warp);
        }
        before = place.score;
        seen |= UINT64_C(1) << place.warp;
    }
    if (scores->there != seen) {
        return gm_fail(error, -EINVAL, "locality_score: warps %llx, in places %llx",
                       (unsigned long long)scores->there, (unsigned long long)seen);
    }
    return scores->hits <= gm_mask(p->hit_bits) && scores->issued <= gm_mask(p->issued_bits)
               ? 0
               : gm_fail(error, -EINVAL, "locality_score: %u hits, %u instructions", scores->hits,
                         scores->issued);
}

GM_PORTS_TABLE(locality_score, LOCALITY_SCORE)

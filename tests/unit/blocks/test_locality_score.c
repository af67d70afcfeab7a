/* Lost-locality scores: operations and scores worked by hand with the numbers of [rogers]; counts
 * at their limits; waits against counting down cycle by cycle; and a second way to keep the scores,
 * warp by warp without a list, that agrees on random streams. */
#include "goldmem/bits.h"
#include "goldmem/locality_score.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>

enum {
    ADVANCE = GM_LOCALITY_SCORE_ADVANCE,
    HIT = GM_LOCALITY_SCORE_HIT,
    START = GM_LOCALITY_SCORE_START,
    END = GM_LOCALITY_SCORE_END,
    RESTART = GM_LOCALITY_SCORE_RESTART
};

/* Base score 100, K_THROTTLE 8 [rogers]; 48 warps; the widths are modelling choices. */
static const gm_locality_score_parameters rogers = {
    .warps = 48, .score_bits = 16, .base = 100, .throttle = 8, .hit_bits = 12, .issued_bits = 32};

static gm_locality_score make(gm_locality_score_parameters p)
{
    gm_locality_score scores;
    gm_error error;
    test_ok(gm_locality_score_init(&scores, &p, &error), error);
    return scores;
}

static gm_locality_score_response act(gm_locality_score *scores, gm_locality_score_request request)
{
    gm_error error;
    gm_locality_score_response response = gm_locality_score_access(scores, request);
    test_ok(gm_locality_score_check(scores, &error), error);
    return response;
}

typedef struct step {
    gm_locality_score_request request;
    uint64_t allowed, score;
    const char *why;
} step;

/* Four warps: the cutoff is 100 for each that is there. */
static void operations_by_hand(void **state)
{
    (void)state;
    static const step steps[] = {
        {{.op = HIT, .warp = 2}, 0, 0, "no warp is there; the hit counts"},
        {{.op = START, .warp = 2}, 0x4, 100, "the sum before it is 0, below 100"},
        {{.op = START, .warp = 0}, 0x5, 100, "100 is below 200"},
        {{.op = START, .warp = 3}, 0xd, 100, "200 is below 300"},
        {{.op = ADVANCE, .cycles = 9, .issued = 24}, 0xd, 0, "scores stay at the base"},
        {{.op = HIT, .warp = 3}, 0xc, 200, "2 / 24 x 8 x 300; before 0 are 200 + 100, the cutoff"},
        {{.op = ADVANCE, .cycles = 1}, 0xd, 0, "299 is below the cutoff"},
        {{.op = ADVANCE, .issued = 11}, 0xd, 0, "no cycle passes"},
        {{.op = HIT, .warp = 0}, 0x9, 205, "3 / 35 x 8 x 300 = 205.7; before 2 are 205 + 199"},
        {{.op = START, .warp = 1}, 0x9, 100, "cutoff 400: 404 before 2, 504 before 1"},
        {{.op = ADVANCE, .cycles = 2}, 0x9, 0, "203 + 197 are the cutoff"},
        {{.op = ADVANCE, .cycles = 1}, 0xd, 0, "202 + 196 let 2 in, and keep 1 out with its 100"},
        {{.op = END, .warp = 3}, 0x5, 0, "cutoff 300: 202 before 2, 302 before 1"},
        {{.op = END, .warp = 3}, 0x5, 0, "it is not there"},
        {{.op = ADVANCE, .issued = 965}, 0x5, 0, "1000 instructions"},
        {{.op = HIT, .warp = 1},
         0x3,
         100,
         "4 / 1000 x 8 x 300 = 9.6: the base, before 2, which has it"},
        {{.op = HIT, .warp = 0}, 0x7, 100, "5 / 1000 x 8 x 300 = 12: falls to the base"},
        {{.op = START, .warp = 0}, 0x7, 100, "again: the last one"},
        {{.op = RESTART, .warp = 3}, 0, 0, "no warp"},
        {{.op = START, .warp = 3}, 0x8, 100, "one"},
        {{.op = HIT, .warp = 3},
         0x8,
         65535,
         "no instruction: the largest score; the first always may"},
        {{.op = START, .warp = 0}, 0x8, 100, "behind it none may"},
        {{.op = ADVANCE, .cycles = 65335}, 0x8, 0, "200 is the cutoff"},
        {{.op = ADVANCE, .cycles = 65535}, 0x9, 0, "100"},
        {{.op = 7}, 0, 0, "RESTART too"},
    };
    gm_locality_score_parameters p = rogers;
    p.warps = 4;
    gm_locality_score scores = make(p);
    for (const step *s = steps; s < steps + sizeof steps / sizeof *steps; s++) {
        gm_locality_score_response response = act(&scores, s->request);
        if (response.allowed != s->allowed || response.score != s->score) {
            fail_msg("%s: allowed 0x%llx, score %llu", s->why, (unsigned long long)response.allowed,
                     (unsigned long long)response.score);
        }
    }
}

/* LLDS = hits / issued x K_THROTTLE x (warps x base score), rounded down. */
static void scores_by_hand(void **state)
{
    (void)state;
    static const struct {
        unsigned hits, issued, warps;
        uint64_t score;
        const char *why;
    } rows[] = {
        {1, 1000, 48, 100, "38.4 is below the base"},
        {3, 1000, 48, 115, "115.2"},
        {64, 4000, 48, 614, "614.4: so six base scores and a bit"},
        {1, 384, 48, 100, "exactly the base"},
        {1, 383, 48, 100, "100.3"},
        {1, 381, 48, 100, "100.8"},
        {1, 380, 48, 101, "101.05"},
        {1706, 1000, 48, 65510, "65510.4"},
        {1707, 1000, 48, 65535, "65548.8 is beyond 16 bits"},
        {4095, 1, 48, 65535, "far beyond"},
        {4095, 4294967295U, 48, 100, "0.04"},
        {10, 100, 1, 100, "80: one warp"},
        {10, 16, 1, 500, "a whole number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_locality_score scores = make(rogers);
        for (unsigned w = 0; w < rows[i].warps; w++) {
            act(&scores, (gm_locality_score_request){.op = START, .warp = w});
        }
        for (unsigned h = 1; h < rows[i].hits; h++) {
            act(&scores, (gm_locality_score_request){.op = HIT, .warp = rows[i].warps - 1});
        }
        act(&scores, (gm_locality_score_request){.op = ADVANCE, .issued = rows[i].issued});
        uint64_t score = act(&scores, (gm_locality_score_request){.op = HIT}).score;
        if (score != rows[i].score) {
            fail_msg("%s: score %llu", rows[i].why, (unsigned long long)score);
        }
    }
}

/* Hits of 3 bits: the 8th halves both counts, then counts. */
static void counts_stop_and_halve(void **state)
{
    (void)state;
    gm_locality_score_parameters p = rogers;
    p.hit_bits = 3;
    p.issued_bits = 7;
    gm_locality_score scores = make(p);
    act(&scores, (gm_locality_score_request){.op = ADVANCE, .issued = 101});
    for (unsigned hits = 1; hits <= 7; hits++) {
        act(&scores, (gm_locality_score_request){.op = HIT});
        assert_int_equal(scores.hits, hits);
        assert_int_equal(scores.issued, 101);
    }
    act(&scores, (gm_locality_score_request){.op = HIT});
    assert_int_equal(scores.hits, 4); /* 7 / 2 + 1 */
    assert_int_equal(scores.issued, 50);
    act(&scores, (gm_locality_score_request){.op = ADVANCE, .issued = 76});
    assert_int_equal(scores.issued, 126);
    act(&scores, (gm_locality_score_request){.op = ADVANCE, .issued = 1});
    assert_int_equal(scores.issued, 127);
    act(&scores, (gm_locality_score_request){.op = ADVANCE, .issued = 127});
    assert_int_equal(scores.issued, 127);
    act(&scores, (gm_locality_score_request){.op = RESTART});
    assert_true(scores.hits == 0 && scores.issued == 0);
}

/* 64 warps, all above the base: the list has no place behind them. */
static void list_is_full(void **state)
{
    (void)state;
    gm_locality_score_parameters p = rogers;
    p.warps = GM_LOCALITY_SCORE_WARPS;
    gm_locality_score scores = make(p);
    for (unsigned w = 0; w < p.warps; w++) {
        act(&scores, (gm_locality_score_request){.op = START, .warp = w});
    }
    for (unsigned w = 0; w < p.warps; w++) {
        act(&scores, (gm_locality_score_request){.op = HIT, .warp = w});
    }
    act(&scores, (gm_locality_score_request){.op = ADVANCE, .cycles = 35});
    for (unsigned i = 0; i < p.warps; i++) {
        assert_int_equal(scores.place[i].score, 65500);
        assert_int_equal(scores.place[i].warp, p.warps - 1 - i);
    }
    uint64_t allowed = act(&scores, (gm_locality_score_request){.op = ADVANCE}).allowed;
    assert_true(allowed == UINT64_C(1) << 63); /* the cutoff is 6400 */
}

/* The second way: a warp that hits gets the time at which its score would be 0; its score is what
 * is left of it, at least the base. Warps go by that time, the latest first, then the last to hit;
 * those that never hit come behind them, the first to start first. */
typedef struct second_warp {
    bool there, has_hit;
    uint64_t until, stamp; /* of the score; of the hit or start */
} second_warp;

typedef struct second {
    gm_locality_score_parameters p;
    second_warp warp[GM_LOCALITY_SCORE_WARPS];
    uint64_t now, stamp, hits, issued;
} second;

static bool goes_before(const second_warp *a, const second_warp *b)
{
    if (!a->has_hit || !b->has_hit) {
        return a->has_hit || (!b->has_hit && a->stamp < b->stamp);
    }
    return a->until != b->until ? a->until > b->until : a->stamp > b->stamp;
}

static uint64_t second_score(const second *m, const second_warp *w)
{
    bool above = w->has_hit && w->until > m->now + m->p.base;
    return above ? w->until - m->now : m->p.base;
}

static uint64_t second_allowed(const second *m)
{
    uint64_t there = 0;
    uint64_t allowed = 0;
    for (unsigned i = 0; i < m->p.warps; i++) {
        there += m->warp[i].there;
    }
    for (unsigned i = 0; i < m->p.warps; i++) {
        uint64_t sum = 0;
        for (unsigned j = 0; j < m->p.warps; j++) {
            if (i != j && m->warp[j].there && goes_before(&m->warp[j], &m->warp[i])) {
                sum += second_score(m, &m->warp[j]);
            }
        }
        allowed |= (uint64_t)(m->warp[i].there && sum < there * m->p.base) << i;
    }
    return allowed;
}

/* Returns floor(hits x throttle x base x warps / issued) by counting, at most the largest score. */
static uint64_t second_quotient(const second *m)
{
    uint64_t there = 0;
    for (unsigned i = 0; i < m->p.warps; i++) {
        there += m->warp[i].there;
    }
    uint64_t product = m->hits * m->p.throttle * m->p.base * there;
    uint64_t quotient = 0;
    for (uint64_t sum = m->issued; sum <= product && quotient < gm_mask(m->p.score_bits);
         sum += m->issued) {
        quotient++;
    }
    return quotient;
}

static gm_locality_score_response second_act(second *m, gm_locality_score_request r)
{
    gm_locality_score_response response = {0};
    second_warp *w = &m->warp[r.warp];
    uint64_t most = gm_mask(m->p.issued_bits);
    m->stamp++;
    if (r.op == ADVANCE) {
        m->now += r.cycles;
        m->issued = m->issued + r.issued < most ? m->issued + r.issued : most;
    } else if (r.op == HIT) {
        if (m->hits == gm_mask(m->p.hit_bits)) {
            m->hits /= 2;
            m->issued /= 2;
        }
        m->hits++;
        if (w->there) {
            uint64_t score = second_quotient(m);
            response.score = score > m->p.base ? score : m->p.base;
            *w = (second_warp){true, true, m->now + response.score, m->stamp};
        }
    } else if (r.op == START) {
        *w = (second_warp){.there = true, .stamp = m->stamp};
        response.score = m->p.base;
    } else if (r.op == END) {
        w->there = false;
    } else {
        *m = (second){.p = m->p};
    }
    response.allowed = second_allowed(m);
    return response;
}

static void agrees_with_warps(void **state)
{
    (void)state;
    enum { EVENTS = 1000 };
    static const uint64_t ops[] = {ADVANCE, ADVANCE, ADVANCE, ADVANCE, HIT,   HIT,
                                   HIT,     HIT,     START,   START,   START, END};
    test_random random = test_random_start(1);
    unsigned rounds = test_rounds(150);
    uint64_t barred = 0;
    uint64_t above = 0;
    for (unsigned round = 0; round < rounds; round++) {
        gm_locality_score_parameters p = {
            .warps = 1 + (unsigned)test_random_below(&random, round % 5 == 0 ? 64 : 8),
            .score_bits = 5 + (unsigned)test_random_below(&random, 12),
            .throttle = 1 + (unsigned)test_random_below(&random, 16),
            .hit_bits = 1 + (unsigned)test_random_below(&random, 16),
            .issued_bits = 1 + (unsigned)test_random_below(&random, 32)};
        p.base = 1 + (unsigned)test_random_below(&random, gm_mask(5));
        gm_locality_score scores = make(p);
        second other = {.p = p};
        uint64_t issued = 1 + test_random_below(&random, 2 * p.warps * p.throttle);
        for (unsigned i = 0; i < EVENTS; i++) {
            uint64_t op = test_random_below(&random, 500) == 0
                              ? RESTART + test_random_below(&random, 4)
                              : ops[test_random_below(&random, sizeof ops / sizeof *ops)];
            gm_locality_score_request request = {
                .op = op,
                .warp = test_random_below(&random, p.warps),
                .cycles = test_random_below(&random, 4) == 0
                              ? test_random_below(&random, gm_mask(p.score_bits))
                              : test_random_below(&random, 4),
                .issued = test_random_below(&random, issued) & gm_mask(p.issued_bits)};
            gm_locality_score_response mine = act(&scores, request);
            gm_locality_score_response its = second_act(&other, request);
            assert_int_equal(mine.score, its.score);
            assert_int_equal(mine.allowed, its.allowed);
            barred += gm_count_ones(mine.allowed) < scores.length;
            above += mine.score > p.base;
        }
    }
    assert_true(barred > 100 * rounds && above > 100 * rounds);
}

/* The sizes of [rogers], 48 warps, until the hits' count of 12 bits is full, and beyond: so many
 * instructions that scores are between the base and a few times it. */
static void agrees_at_shipped_sizes_and_limits(void **state)
{
    (void)state;
    enum { EVENTS = 16000 };
    static const uint64_t ops[] = {ADVANCE, HIT, HIT, HIT, START, HIT, HIT, ADVANCE};
    test_random random = test_random_start(3);
    gm_locality_score scores = make(rogers);
    second other = {.p = rogers};
    uint64_t barred = 0;
    uint64_t halved = 0;
    for (unsigned i = 0; i < EVENTS; i++) {
        uint64_t op = i < rogers.warps ? START : ops[test_random_below(&random, 8)];
        uint64_t hits = scores.hits;
        gm_locality_score_request request = {
            .op = op == START && i >= rogers.warps && i % 16 != 0 ? HIT : op,
            .warp = i < rogers.warps ? i : test_random_below(&random, rogers.warps),
            .cycles = test_random_below(&random, 200),
            .issued = i == rogers.warps ? 100000 : test_random_below(&random, 400)};
        gm_locality_score_response mine = act(&scores, request);
        gm_locality_score_response its = second_act(&other, request);
        assert_int_equal(mine.score, its.score);
        assert_int_equal(mine.allowed, its.allowed);
        assert_true(scores.hits == other.hits && scores.issued == other.issued);
        barred += gm_count_ones(mine.allowed) < scores.length;
        halved += scores.hits < hits;
    }
    assert_true(barred > EVENTS / 10 && halved > 1);
}

/* 65535 x 64 x (64 x 1000) / 100,000,000 = 2684.3, of a product of 38 bits. */
static void a_large_product(void **state)
{
    (void)state;
    gm_locality_score scores = make((gm_locality_score_parameters){.warps = 64,
                                                                   .score_bits = 16,
                                                                   .base = 1000,
                                                                   .throttle = 64,
                                                                   .hit_bits = 16,
                                                                   .issued_bits = 32});
    for (unsigned w = 0; w < 64; w++) {
        act(&scores, (gm_locality_score_request){.op = START, .warp = w});
    }
    scores.hits = 65534;
    act(&scores, (gm_locality_score_request){.op = ADVANCE, .issued = 100000000});
    assert_int_equal(act(&scores, (gm_locality_score_request){.op = HIT}).score, 2684);
}

/* Counts the wait down, cycle by cycle: the permissions change in its last one. Returns false if
 * there is none, or a long one. */
static bool wait_is_the_shortest(const gm_locality_score *scores, uint64_t allowed)
{
    uint64_t wait = gm_locality_score_wait(scores);
    assert_int_equal(wait == UINT64_MAX, gm_count_ones(allowed) == scores->length);
    if (wait == UINT64_MAX || wait > 2000) {
        return false;
    }
    gm_locality_score copy = *scores;
    for (uint64_t n = 1; n <= wait; n++) {
        gm_locality_score_response response =
            act(&copy, (gm_locality_score_request){.op = ADVANCE, .cycles = 1});
        assert_int_equal(response.allowed != allowed, n == wait);
    }
    return true;
}

/* 48 warps with scores from the base to a few times it: as many as are before the first that waits
 * have to fall. */
static void waits_of_48_warps(void **state)
{
    (void)state;
    unsigned waited = 0;
    for (unsigned hits = 1000; hits < 4000; hits += 11) {
        gm_locality_score scores = make(rogers);
        for (unsigned w = 0; w < rogers.warps; w++) {
            act(&scores, (gm_locality_score_request){.op = START, .warp = w});
        }
        act(&scores, (gm_locality_score_request){.op = ADVANCE, .issued = 400000});
        scores.hits = hits; /* each hit's score is 0.096 more than the one before */
        uint64_t allowed = 0;
        for (unsigned w = 0; w < rogers.warps; w++) {
            allowed = act(&scores, (gm_locality_score_request){.op = HIT, .warp = w}).allowed;
            waited += w > 30 && wait_is_the_shortest(&scores, allowed);
        }
    }
    assert_true(waited > 1000);
}

static void waits_are_the_shortest(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    unsigned waited = 0;
    for (unsigned round = 0; round < test_rounds(300); round++) {
        gm_locality_score_parameters p = rogers;
        p.warps = 2 + (unsigned)test_random_below(&random, 10);
        p.base = 1 + (unsigned)test_random_below(&random, 20);
        gm_locality_score scores = make(p);
        for (unsigned w = 0; w < p.warps; w++) {
            act(&scores, (gm_locality_score_request){.op = START, .warp = w});
        }
        for (unsigned i = 0; i < 10; i++) {
            act(&scores, (gm_locality_score_request){
                             .op = ADVANCE, .cycles = i, .issued = test_random_below(&random, 20)});
            uint64_t allowed = act(&scores,
                                   (gm_locality_score_request){
                                       .op = HIT, .warp = test_random_below(&random, p.warps)})
                                   .allowed;
            waited += wait_is_the_shortest(&scores, allowed);
        }
    }
    assert_true(waited > 300);
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        gm_locality_score_parameters p;
        const char *text; /* NULL: taken */
    } ranges[] = {
        {{1, 2, 1, 1, 1, 1}, NULL},
        {{64, 16, 65535, 64, 16, 32}, NULL},
        {{0, 16, 100, 8, 12, 32}, "locality_score: warps 0: must be 1 to 64"},
        {{65, 16, 100, 8, 12, 32}, "locality_score: warps 65: must be 1 to 64"},
        {{48, 1, 1, 8, 12, 32}, "locality_score: score_bits 1: must be 2 to 16"},
        {{48, 17, 100, 8, 12, 32}, "locality_score: score_bits 17: must be 2 to 16"},
        {{48, 16, 0, 8, 12, 32}, "locality_score: base 0: must be 1 to 65535"},
        {{48, 6, 64, 8, 12, 32}, "locality_score: base 64: must be 1 to 63"},
        {{48, 16, 100, 0, 12, 32}, "locality_score: throttle 0: must be 1 to 64"},
        {{48, 16, 100, 65, 12, 32}, "locality_score: throttle 65: must be 1 to 64"},
        {{48, 16, 100, 8, 0, 32}, "locality_score: hit_bits 0: must be 1 to 16"},
        {{48, 16, 100, 8, 17, 32}, "locality_score: hit_bits 17: must be 1 to 16"},
        {{48, 16, 100, 8, 12, 0}, "locality_score: issued_bits 0: must be 1 to 32"},
        {{48, 16, 100, 8, 12, 33}, "locality_score: issued_bits 33: must be 1 to 32"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_locality_score scores;
        int code = gm_locality_score_init(&scores, &ranges[i].p, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
    }
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    gm_locality_score scores = make(rogers);
    act(&scores, (gm_locality_score_request){.op = START, .warp = 5});
    act(&scores, (gm_locality_score_request){.op = START, .warp = 47});
    gm_locality_score whole = scores;
    scores.place[1].score = 101;
    assert_int_equal(gm_locality_score_check(&scores, &error), -EINVAL);
    assert_string_equal(error.text, "locality_score: place 1: score 101, not 100 to 100");
    scores.place[1].score = 99;
    assert_int_equal(gm_locality_score_check(&scores, &error), -EINVAL);
    assert_string_equal(error.text, "locality_score: place 1: score 99, not 100 to 100");
    scores = whole;
    scores.place[1].warp = 5;
    assert_int_equal(gm_locality_score_check(&scores, &error), -EINVAL);
    assert_string_equal(error.text, "locality_score: place 1: warp 5");
    scores.place[1].warp = 48;
    assert_int_equal(gm_locality_score_check(&scores, &error), -EINVAL);
    assert_string_equal(error.text, "locality_score: place 1: warp 48");
    scores = whole;
    scores.length = 49;
    assert_int_equal(gm_locality_score_check(&scores, &error), -EINVAL);
    assert_string_equal(error.text, "locality_score: 49 warps of 48");
    scores = whole;
    scores.there ^= 2;
    assert_int_equal(gm_locality_score_check(&scores, &error), -EINVAL);
    assert_string_equal(error.text, "locality_score: warps 800000000022, in places 800000000020");
    scores = whole;
    scores.hits = 4096;
    assert_int_equal(gm_locality_score_check(&scores, &error), -EINVAL);
    assert_string_equal(error.text, "locality_score: 4096 hits, 0 instructions");
    scores.hits = 4095;
    assert_int_equal(gm_locality_score_check(&scores, &error), 0);
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = response[0];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_locality_score scores = make(rogers);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    scores.observer = &observer;
    for (uint64_t op = 0; op < 8; op++) {
        gm_locality_score_response response =
            act(&scores, (gm_locality_score_request){.op = op, .warp = 3});
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], response.allowed);
    }
    assert_ptr_equal(scores.observer, &observer); /* a RESTART keeps it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand),
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(counts_stop_and_halve),
        cmocka_unit_test(list_is_full),
        cmocka_unit_test(agrees_with_warps),
        cmocka_unit_test(agrees_at_shipped_sizes_and_limits),
        cmocka_unit_test(a_large_product),
        cmocka_unit_test(waits_are_the_shortest),
        cmocka_unit_test(waits_of_48_warps),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

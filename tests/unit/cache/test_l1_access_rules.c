/* The L1's access rules: every policy, kind of request and state of the line. The expected effect
 * is a second statement of the rules: the tables of docs/l1d.md, one string for each place and
 * condition of the line, and each mask sector by sector. */
#include "cache/l1_access_rules.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { SECTORS = 3, MASKS = 1 << SECTORS };

/* Of the sectors touched: all are held; the others are all in flight; the line has data in flight,
 * but not all the others; nothing of the line is in flight. */
enum { ALL_HELD, REST_IN_FLIGHT, SOME_IN_FLIGHT, NONE_IN_FLIGHT, CONDITIONS };

enum { PLACES = GM_L1_DEAD + 1 };

/* The outcome: H hit, P hit pending, M miss, B bypass, W wait. Then x invalidates, c closes what is
 * in flight, m merges, a allocates, f fetches, d dirties, s sends the request to the L2. NULL: a
 * line that is absent holds nothing, and one that is awaited is in flight. */
typedef const char *effects[PLACES][CONDITIONS];

static const effects load = {
    [GM_L1_PRESENT] = {"H", "Pm", "Wm", "Mf"},    [GM_L1_AWAITED] = {NULL, "Pm", "Wm", NULL},
    [GM_L1_ABSENT] = {NULL, "Wm", "Wm", "Maf"},   [GM_L1_BYPASSED] = {NULL, "Bs", "Bs", "Bs"},
    [GM_L1_PROTECTED] = {NULL, "Bs", "Bs", "Bs"}, [GM_L1_DEAD] = {NULL, "Pm", "Wm", "Mf"},
};

static const effects store_evict = {
    [GM_L1_PRESENT] = {"Hxcs", "Pxcs", "Mxcs", "Mxs"},
    [GM_L1_AWAITED] = {NULL, "Pxcs", "Mxcs", NULL},
    [GM_L1_ABSENT] = {NULL, "Pxcs", "Mxcs", "Mxs"},
    [GM_L1_BYPASSED] = {NULL, "Pxcs", "Mxcs", "Mxs"},
    [GM_L1_PROTECTED] = {NULL, "Pxcs", "Mxcs", "Mxs"},
    [GM_L1_DEAD] = {NULL, "Pxcs", "Mxcs", "Mxs"},
};

static const effects store_through = {
    [GM_L1_PRESENT] = {"Hs", "Pcs", "Mcs", "Ms"},   [GM_L1_AWAITED] = {NULL, "Pcs", "Mcs", NULL},
    [GM_L1_ABSENT] = {NULL, "Pcs", "Mcs", "Ms"},    [GM_L1_BYPASSED] = {NULL, "Pcs", "Mcs", "Ms"},
    [GM_L1_PROTECTED] = {NULL, "Pcs", "Mcs", "Ms"}, [GM_L1_DEAD] = {NULL, "Pcs", "Mcs", "Ms"},
};

static const effects store_through_allocate = {
    [GM_L1_PRESENT] = {"Hs", "Pms", "Wm", "Mfs"},   [GM_L1_AWAITED] = {NULL, "Pms", "Wm", NULL},
    [GM_L1_ABSENT] = {NULL, "Wm", "Wm", "Mafs"},    [GM_L1_BYPASSED] = {NULL, "Bcs", "Bcs", "Bs"},
    [GM_L1_PROTECTED] = {NULL, "Pcs", "Mcs", "Ms"}, [GM_L1_DEAD] = {NULL, "Pcs", "Mcs", "Ms"},
};

static const effects store_back = {
    [GM_L1_PRESENT] = {"Hd", "Pmd", "Mcs", "Ms"},   [GM_L1_AWAITED] = {NULL, "Pmd", "Mcs", NULL},
    [GM_L1_ABSENT] = {NULL, "Pcs", "Mcs", "Ms"},    [GM_L1_BYPASSED] = {NULL, "Pcs", "Mcs", "Ms"},
    [GM_L1_PROTECTED] = {NULL, "Pcs", "Mcs", "Ms"}, [GM_L1_DEAD] = {NULL, "Pcs", "Mcs", "Ms"},
};

static const effects store_back_allocate = {
    [GM_L1_PRESENT] = {"Hd", "Pmd", "Wm", "Mfd"},   [GM_L1_AWAITED] = {NULL, "Pmd", "Wm", NULL},
    [GM_L1_ABSENT] = {NULL, "Wm", "Wm", "Mafd"},    [GM_L1_BYPASSED] = {NULL, "Bcs", "Bcs", "Bs"},
    [GM_L1_PROTECTED] = {NULL, "Pcs", "Mcs", "Ms"}, [GM_L1_DEAD] = {NULL, "Pcs", "Mcs", "Ms"},
};

/* Write-evict stores never allocate: gm_config_check refuses it. */
static const effects *const stores[][2] = {
    [GM_WRITE_EVICT] = {&store_evict, &store_evict},
    [GM_WRITE_THROUGH] = {&store_through, &store_through_allocate},
    [GM_WRITE_BACK] = {&store_back, &store_back_allocate},
};

static const char *expected_text(const gm_l1_policy *policy, const gm_l1_access *access,
                                 gm_l1_place place, unsigned condition)
{
    bool store = access->kind == GM_REQUEST_STORE;
    if (policy->keeps && (!policy->enabled || access->kind == GM_REQUEST_STRONG_LOAD ||
                          access->kind >= GM_REQUEST_ATOMIC || access->bypasses)) {
        return "Bs";
    }
    if (!policy->enabled) {
        return "Bcs";
    }
    if ((access->kind != GM_REQUEST_LOAD && !store) || (store && access->bypasses)) {
        return "Bxcs";
    }
    const effects *of =
        store ? stores[policy->write[access->local]][policy->allocate[access->local]] : &load;
    return (*of)[place][condition];
}

static unsigned condition_of(const gm_l1_access *access, const gm_l1_line *line)
{
    bool missing = false;
    bool lacking = false;
    for (unsigned i = 0; i < SECTORS; i++) {
        if ((access->sectors >> i & 1) != 0 && (line->held >> i & 1) == 0) {
            missing = true;
            lacking = lacking || (line->in_flight >> i & 1) == 0;
        }
    }
    return !missing               ? ALL_HELD
           : line->in_flight == 0 ? NONE_IN_FLIGHT
           : lacking              ? SOME_IN_FLIGHT
                                  : REST_IN_FLIGHT;
}

static gm_l1_effect expected(const gm_l1_policy *policy, const gm_l1_access *access,
                             const gm_l1_line *line, const char *text)
{
    static const char outcomes[] = "HPMBW"; /* in the order of gm_l1_outcome */
    bool closes = strchr(text, 'c') != NULL && line->in_flight != 0;
    if (closes && line->written != 0) {
        text = "W";
    }
    gm_l1_effect effect = {
        .outcome = (gm_l1_outcome)(strchr(outcomes, text[0]) - outcomes),
        .invalidates = strchr(text, 'x') != NULL,
        .closes = closes,
        .merges = strchr(text, 'm') != NULL,
        .allocates = strchr(text, 'a') != NULL,
    };
    for (unsigned i = 0; i < SECTORS; i++) {
        uint32_t sector = 1U << i;
        bool touched = (access->sectors & sector) != 0;
        bool whole = access->kind == GM_REQUEST_STORE && (access->whole & sector) != 0;
        bool gained = strchr(text, 'f') != NULL && (touched || !policy->sectored) &&
                      (line->held & sector) == 0 && (line->in_flight & sector) == 0;
        effect.validated |= gained ? sector : 0;
        effect.fetched |= gained && !whole ? sector : 0;
        effect.dirtied |= touched && strchr(text, 'd') != NULL ? sector : 0;
        effect.forwarded |= touched && strchr(text, 's') != NULL ? sector : 0;
    }
    return effect;
}

/* Where MSHRs merge by sector, what waits otherwise merges into the entries of sectors in flight
 * and fetches the others. */
static const char *some_sectors(const gm_l1_policy *policy, const gm_l1_access *access,
                                const gm_l1_line *line, char text[8])
{
    bool merges = false;
    for (unsigned i = 0; i < SECTORS; i++) {
        merges = merges || (access->sectors & line->in_flight & ~line->held & 1U << i) != 0;
    }
    bool back = policy->write[access->local] == GM_WRITE_BACK;
    (void)snprintf(text, 8, "M%sf%s", merges ? "m" : "",
                   access->kind != GM_REQUEST_STORE ? ""
                   : back                           ? "d"
                                                    : "s");
    return text;
}

/* A store through a lazy L1 that misses, sector by sector: true if the case is one. */
static bool lazy_store(const gm_l1_policy *policy, const gm_l1_access *access,
                       const gm_l1_line *line, gm_l1_effect *want)
{
    if (!policy->enabled || !policy->lazy || access->kind != GM_REQUEST_STORE || access->bypasses ||
        policy->write[access->local] != GM_WRITE_THROUGH || !policy->allocate[access->local] ||
        line->place > GM_L1_ABSENT || (access->sectors & ~line->held) == 0) {
        return false;
    }
    unsigned pending = 0;
    unsigned missing = 0;
    uint32_t gained = 0;
    for (unsigned i = 0; i < SECTORS; i++) {
        uint32_t sector = 1U << i;
        bool misses = (access->sectors & sector) != 0 && (line->held & sector) == 0;
        bool pends = misses && (line->in_flight & sector) != 0;
        missing += misses;
        pending += pends;
        gained |= misses && !pends && (access->whole & sector) != 0 ? sector : 0;
    }
    if (line->place != GM_L1_PRESENT && line->in_flight != 0) {
        gained = 0; /* no place yet */
    }
    *want = pending != 0 && pending != missing && !policy->by_sector
                ? (gm_l1_effect){.outcome = GM_L1_WAIT, .merges = true}
                : (gm_l1_effect){.outcome = pending == missing ? GM_L1_HIT_PENDING : GM_L1_MISS,
                                 .merges = pending != 0,
                                 .allocates = line->place == GM_L1_ABSENT && gained != 0,
                                 .validated = gained,
                                 .forwarded = access->sectors};
    return true;
}

/* Sectors that a store which does not hit writes into the L1 beside a fill, one by one. */
static unsigned stored(const gm_l1_access *access, const gm_l1_line *line, const gm_l1_effect *want)
{
    unsigned count = 0;
    bool counts = access->kind == GM_REQUEST_STORE && !want->invalidates &&
                  (want->outcome == GM_L1_MISS || want->outcome == GM_L1_HIT_PENDING);
    for (unsigned i = 0; counts && i < SECTORS; i++) {
        bool touched = (access->sectors >> i & 1) != 0;
        bool held = (line->held >> i & 1) != 0;
        bool gained = (want->validated >> i & 1) != 0 && (access->whole >> i & 1) != 0;
        count += touched && (held || gained);
    }
    return count;
}

static void check(const gm_l1_policy *policy, const gm_l1_access *access, const gm_l1_line *line)
{
    unsigned condition = condition_of(access, line);
    const char *text = expected_text(policy, access, line->place, condition);
    assert_non_null(text);
    char by_sector[8];
    if (policy->by_sector && strcmp(text, "Wm") == 0 && condition == SOME_IN_FLIGHT &&
        line->place != GM_L1_ABSENT) {
        text = some_sectors(policy, access, line, by_sector);
    }
    gm_l1_effect want = expected(policy, access, line, text);
    if (policy->lazy && line->place == GM_L1_ABSENT && line->in_flight != 0) {
        return; /* of a decoupled L1 only */
    }
    text = lazy_store(policy, access, line, &want) ? "lazy" : text;
    gm_l1_effect got = gm_l1_access_effect(policy, access, line);
    gm_cache_statistics counts = {0};
    gm_l1_count_outcome(&counts, gm_request_access_kind(access->kind), &got, access->sectors,
                        line->held);
    assert_int_equal(counts.sectors_stored[GM_STORE], stored(access, line, &want));
    assert_int_equal(counts.sectors_stored[GM_LOAD] + counts.sectors_stored[GM_ATOMIC], 0);
    if (got.outcome != want.outcome || got.invalidates != want.invalidates ||
        got.closes != want.closes || got.merges != want.merges || got.allocates != want.allocates ||
        got.validated != want.validated || got.fetched != want.fetched ||
        got.dirtied != want.dirtied || got.forwarded != want.forwarded) {
        fail_msg("write %d allocate %d sectored %d kind %d, sectors %x whole %x, place %d held %x "
                 "in flight %x written %x: outcome %d, not %s",
                 (int)policy->write[access->local], policy->allocate[access->local],
                 policy->sectored, (int)access->kind, access->sectors, access->whole,
                 (int)line->place, line->held, line->in_flight, line->written, (int)got.outcome,
                 text);
    }
}

/* Every line that an access can find. Returns how many. */
static unsigned check_lines(const gm_l1_policy *policy, const gm_l1_access *access)
{
    unsigned count = 0;
    for (gm_l1_place place = GM_L1_PRESENT; place <= GM_L1_DEAD; place++) {
        for (uint32_t state = 0; state < MASKS * MASKS * MASKS; state++) {
            gm_l1_line line = {.place = place,
                               .held = state % MASKS,
                               .in_flight = state / MASKS % MASKS,
                               .written = state / (MASKS * MASKS)};
            if ((place != GM_L1_PRESENT && line.held != 0) ||
                (place == GM_L1_AWAITED && line.in_flight == 0) ||
                (line.held & line.in_flight) != 0 || (line.written & ~line.in_flight) != 0) {
                continue;
            }
            check(policy, access, &line);
            count++;
        }
    }
    return count;
}

/* Every access. A request that is no store writes nothing whole. */
static unsigned check_accesses(const gm_l1_policy *policy)
{
    unsigned count = 0;
    for (unsigned i = 0; i < MASKS * MASKS * 4; i++) {
        gm_l1_access access = {.sectors = i % MASKS,
                               .whole = i / MASKS % MASKS,
                               .local = (i / (MASKS * MASKS) & 1) != 0,
                               .bypasses = (i / (MASKS * MASKS) & 2) != 0};
        if (access.sectors == 0 || (access.whole & ~access.sectors) != 0) {
            continue;
        }
        for (gm_request_kind kind = GM_REQUEST_LOAD; kind <= GM_REQUEST_REDUCTION; kind++) {
            access.kind = kind;
            if (kind == GM_REQUEST_STORE || (access.whole == 0 && !access.bypasses)) {
                count += check_lines(policy, &access);
            }
        }
    }
    return count;
}

/* The other space has another policy, so that a rule which asks the wrong one is found. */
static void every_policy_access_and_line(void **state)
{
    (void)state;
    unsigned count = 0;
    for (unsigned k = 0; k < 4 * 6 * 3 * 2; k++) { /* of 6, the last two merge by sector */
        unsigned i = k % (2 * 6 * 3 * 2);
        gm_write_policy write = (gm_write_policy)(i / 6 % 3);
        bool allocate = i / 18 % 2 != 0 && write != GM_WRITE_EVICT;
        gm_write_policy other = write == GM_WRITE_BACK ? GM_WRITE_EVICT : GM_WRITE_BACK;
        const gm_l1_policy policy = {.all_sectors = MASKS - 1,
                                     .enabled = (i & 1) != 0,
                                     .sectored = i % 6 > 1,
                                     .by_sector = i % 6 > 3,
                                     .lazy = i / 36 != 0,
                                     .keeps = k != i,
                                     .write = {write, other},
                                     .allocate = {allocate, !allocate && other == GM_WRITE_BACK}};
        count += check_accesses(&policy);
    }
    assert_true(count > 500000);
}

/* Each outcome counts once, a miss of a line that holds something as a sector miss too. */
static void outcomes_are_counted(void **state)
{
    (void)state;
    for (unsigned held = 0; held < 2; held++) {
        gm_cache_statistics counts = {0};
        for (gm_l1_outcome outcome = GM_L1_HIT; outcome <= GM_L1_WAIT; outcome++) {
            const gm_l1_effect effect = {.outcome = outcome};
            gm_l1_count_outcome(&counts, GM_STORE, &effect, 2, held);
        }
        assert_int_equal(counts.hits[GM_STORE], 1);
        assert_int_equal(counts.hits_pending[GM_STORE], 1);
        assert_int_equal(counts.misses[GM_STORE], 1);
        assert_int_equal(counts.sector_misses[GM_STORE], held);
        assert_int_equal(counts.bypasses[GM_STORE], 1);
    }
}

/* Statistics and messages of each kind of request. */
static void kinds(void **state)
{
    (void)state;
    static const struct {
        gm_request_kind kind;
        gm_access_kind counted;
        gm_message_kind message;
    } cases[] = {
        {GM_REQUEST_LOAD, GM_LOAD, GM_MESSAGE_READ},
        {GM_REQUEST_STRONG_LOAD, GM_LOAD, GM_MESSAGE_READ},
        {GM_REQUEST_STORE, GM_STORE, GM_MESSAGE_WRITE},
        {GM_REQUEST_ATOMIC, GM_ATOMIC, GM_MESSAGE_ATOMIC},
        {GM_REQUEST_REDUCTION, GM_ATOMIC, GM_MESSAGE_REDUCTION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(gm_request_access_kind(cases[i].kind), cases[i].counted);
        assert_int_equal(gm_request_message_kind(cases[i].kind), cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_access_and_line),
        cmocka_unit_test(outcomes_are_counted),
        cmocka_unit_test(kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

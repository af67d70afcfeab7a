/* Access rules of the L2, exhaustively: every policy, kind of message and state of a line of three
 * sectors. Expected: the table of docs/l2.md, written down here once more as words and read sector
 * by sector. */
#include "cache/l2_access_rules.h"
#include "support/support.h"

#include <string.h>

enum { SECTORS = 3, MASKS = 1 << SECTORS, ALL = MASKS - 1 };

/* What the bank has of the line, as far as the table tells it apart. */
typedef enum situation {
    ABSENT,
    HELD,    /* every sector of the message; no data in flight */
    LACKING, /* the line without one of the sectors; no data in flight */
    AWAITED, /* data in flight; every sector is held or in flight */
    PARTLY,  /* data in flight; a sector is neither */
    SITUATIONS,
} situation;

/* Columns: kinds of message that do the same; a store by l2.fetch_on_write. */
typedef enum column {
    LOAD,
    ALWAYS,
    PARTIAL,
    THROUGH,
    LAZY,
    ATOMIC,
    INSTALL,
    DISCARD,
    COLUMNS
} column;

/* Words:
 *   hit pending miss copy           what it counts as
 *   allocate merge drop             what happens to the line
 *   fetch                           all that it needs and that is neither held nor in flight
 *   fetch-rest                      these but for the sectors written whole, which become valid too
 *   take                            as fetch, without a fetch
 *   dirty forward                   the message's sectors become dirty; go to DRAM
 *   keep                            the message's sectors become valid, without a fetch
 *   overwrite                       what is dirty of the message's sectors is lost */
static const char *const table[SITUATIONS][COLUMNS] = {
    [ABSENT] =
        {
            [LOAD] = "miss allocate fetch",
            [ALWAYS] = "miss allocate fetch dirty",
            [PARTIAL] = "miss allocate fetch-rest dirty",
            [THROUGH] = "miss allocate fetch forward",
            [LAZY] = "miss allocate take dirty",
            [ATOMIC] = "miss allocate fetch dirty",
            [INSTALL] = "copy allocate keep overwrite",
            [DISCARD] = "copy",
        },
    [HELD] =
        {
            [LOAD] = "hit",
            [ALWAYS] = "hit dirty",
            [PARTIAL] = "hit dirty",
            [THROUGH] = "hit dirty",
            [LAZY] = "hit dirty",
            [ATOMIC] = "hit dirty",
            [INSTALL] = "copy overwrite",
            [DISCARD] = "copy drop overwrite",
        },
    [LACKING] =
        {
            [LOAD] = "miss fetch",
            [ALWAYS] = "miss fetch dirty",
            [PARTIAL] = "miss fetch-rest dirty",
            [THROUGH] = "miss fetch forward",
            [LAZY] = "miss take dirty",
            [ATOMIC] = "miss fetch dirty",
            [INSTALL] = "copy keep overwrite",
            [DISCARD] = "copy drop overwrite",
        },
    [AWAITED] =
        {
            [LOAD] = "pending merge",
            [ALWAYS] = "pending merge dirty",
            [PARTIAL] = "pending merge dirty",
            [THROUGH] = "pending merge forward",
            [LAZY] = "pending merge dirty",
            [ATOMIC] = "pending merge dirty",
        },
    [PARTLY] =
        {
            [LOAD] = "miss merge fetch",
            [ALWAYS] = "miss merge fetch dirty",
            [PARTIAL] = "miss merge fetch-rest dirty",
            [THROUGH] = "miss merge fetch forward",
            [LAZY] = "miss merge take dirty",
            [ATOMIC] = "miss merge fetch dirty",
        },
};

static bool says(const char *cell, const char *word)
{
    size_t length = strlen(word);
    const char *at = strstr(cell, word);
    for (; at != NULL; at = strstr(at + 1, word)) {
        bool begins = at == cell || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static column column_of(gm_message_kind kind, gm_fetch_policy fetch)
{
    static const column stores[] = {[GM_FETCH_ALWAYS] = ALWAYS,
                                    [GM_FETCH_PARTIAL] = PARTIAL,
                                    [GM_FETCH_THROUGH] = THROUGH,
                                    [GM_FETCH_LAZY] = LAZY};
    static const column columns[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = LOAD,        [GM_MESSAGE_ATOMIC] = ATOMIC,
        [GM_MESSAGE_REDUCTION] = ATOMIC, [GM_MESSAGE_INSTALL] = INSTALL,
        [GM_MESSAGE_DISCARD] = DISCARD,  [GM_MESSAGE_INSTRUCTION] = LOAD,
    };
    bool store = kind == GM_MESSAGE_WRITE || kind == GM_MESSAGE_WRITE_BACK;
    return store ? stores[fetch] : columns[kind];
}

static bool is_store(gm_message_kind kind)
{
    return kind == GM_MESSAGE_WRITE || kind == GM_MESSAGE_WRITE_BACK;
}

/* True if the sector is held or in flight, as far as the message needs: of what stores have written
 * in part, others need the rest. */
static bool is_known(const gm_l2_line *line, unsigned sector, gm_message_kind kind)
{
    uint32_t of_use = line->held | line->in_flight;
    bool device = kind != GM_MESSAGE_INSTALL && kind != GM_MESSAGE_DISCARD;
    bool rest = device && !is_store(kind) && (line->partial >> sector & 1) != 0;
    return (of_use >> sector & 1) != 0 && !rest;
}

static situation situation_of(const gm_l2_line *line, uint32_t sectors, gm_message_kind kind)
{
    bool lacks = false;
    for (unsigned s = 0; s < SECTORS; s++) {
        bool known = is_known(line, s, kind);
        lacks = lacks || ((sectors >> s & 1) != 0 && !known);
    }
    if (!line->present) {
        return ABSENT;
    }
    return line->in_flight == 0 ? (lacks ? LACKING : HELD) : (lacks ? PARTLY : AWAITED);
}

static gm_l2_outcome outcome_of(const char *cell)
{
    return says(cell, "hit")       ? GM_L2_HIT
           : says(cell, "pending") ? GM_L2_HIT_PENDING
           : says(cell, "miss")    ? GM_L2_MISS
                                   : GM_L2_COPY;
}

/* The cell, sector by sector. */
static gm_l2_effect read_cell(const char *cell, const gm_l2_policy *policy,
                              const gm_l2_request *request, const gm_l2_line *line)
{
    gm_l2_effect effect = {
        .outcome = outcome_of(cell),
        .merges = says(cell, "merge"),
        .allocates = says(cell, "allocate"),
        .invalidates = says(cell, "drop"),
    };
    for (unsigned s = 0; s < SECTORS; s++) {
        uint32_t bit = 1U << s;
        bool of_message = (request->sectors & bit) != 0;
        bool needed = of_message || !policy->sectored;
        bool known = is_known(line, s, request->kind);
        bool whole = (request->whole & bit) != 0;
        if (needed && !known && (says(cell, "fetch") || says(cell, "fetch-rest"))) {
            effect.validated |= bit;
            effect.fetched |= says(cell, "fetch-rest") && whole ? 0 : bit;
        }
        if (of_message) {
            effect.validated |= (says(cell, "keep") || says(cell, "take")) && !known ? bit : 0;
            effect.dirtied |= says(cell, "dirty") ? bit : 0;
            effect.forwarded |= says(cell, "forward") ? bit : 0;
            effect.overwritten |= says(cell, "overwrite") ? bit : 0;
        }
    }
    return effect;
}

static void compare(const gm_l2_policy *policy, const gm_l2_request *request,
                    const gm_l2_line *line)
{
    const char *cell = table[situation_of(line, request->sectors, request->kind)]
                            [column_of(request->kind, policy->fetch_on_write)];
    if (cell == NULL) {
        return; /* host copies come between kernels, when no data are in flight */
    }
    gm_l2_effect expected = read_cell(cell, policy, request, line);
    gm_l2_effect effect = gm_l2_access_effect(policy, request, line);
    bool same = effect.outcome == expected.outcome && effect.merges == expected.merges &&
                effect.allocates == expected.allocates &&
                effect.invalidates == expected.invalidates &&
                effect.overwritten == expected.overwritten &&
                effect.validated == expected.validated && effect.fetched == expected.fetched &&
                effect.dirtied == expected.dirtied && effect.forwarded == expected.forwarded;
    if (!same) {
        fail_msg("kind %u, sectors %x, whole %x, %s, held %x, in flight %x, sectored %u, "
                 "fetch_on_write %u: not \"%s\"",
                 request->kind, request->sectors, request->whole,
                 line->present ? "present" : "absent", line->held, line->in_flight,
                 policy->sectored, policy->fetch_on_write, cell);
    }
}

/* Of each sector, by what it was and what the message does to its bytes. */
static void compare_partial(const gm_l2_policy *policy, const gm_l2_request *request,
                            const gm_l2_line *line)
{
    gm_l2_effect effect = gm_l2_access_effect(policy, request, line);
    uint32_t after = gm_l2_partial_after(request, line, &effect);
    for (unsigned s = 0; s < SECTORS; s++) {
        bool touched = (request->sectors >> s & 1) != 0;
        bool whole = (request->whole >> s & 1) != 0;
        bool there = ((line->held | line->in_flight) >> s & 1) != 0;
        bool was = (line->partial >> s & 1) != 0;
        bool expected = request->kind == GM_MESSAGE_DISCARD   ? false
                        : !touched                            ? was
                        : request->kind == GM_MESSAGE_INSTALL ? false
                        : is_store(request->kind)             ? !whole && (was || !there)
                                                  : false; /* fetched, or whole before */
        if ((after >> s & 1) != expected) {
            fail_msg("kind %u, sectors %x, whole %x, held %x, in flight %x, partial %x: %x after",
                     request->kind, request->sectors, request->whole, line->held, line->in_flight,
                     line->partial, after);
        }
    }
}

static void compare_requests(const gm_l2_policy *policy, const gm_l2_line *line)
{
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        if (kind >= GM_MESSAGE_GETX && kind <= GM_MESSAGE_UNBLOCK) {
            continue; /* no L2 bank gets them, or not by these rules */
        }
        for (uint32_t sectors = 1; sectors < MASKS; sectors++) {
            for (uint32_t whole = 0; whole < MASKS; whole++) {
                if ((whole & ~sectors) == 0) {
                    const gm_l2_request request = {(gm_message_kind)kind, sectors, whole};
                    compare(policy, &request, line);
                    if (policy->fetch_on_write == GM_FETCH_LAZY) {
                        compare_partial(policy, &request, line);
                    }
                }
            }
        }
    }
}

static void every_message_does_what_the_table_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        const gm_l2_policy policy = {
            .all_sectors = ALL, .sectored = i % 2 != 0, .fetch_on_write = (gm_fetch_policy)(i / 2)};
        if (policy.fetch_on_write == GM_FETCH_LAZY && !policy.sectored) {
            continue; /* gm_config_check refuses it */
        }
        compare_requests(&policy, &(gm_l2_line){.present = false});
        for (uint32_t held = 0; held < MASKS; held++) {
            for (uint32_t in_flight = 0; in_flight < MASKS; in_flight++) {
                uint32_t most = policy.fetch_on_write == GM_FETCH_LAZY ? held | in_flight : 0;
                for (uint32_t partial = 0; partial <= most; partial++) {
                    if ((partial & ~most) == 0) {
                        compare_requests(&policy, &(gm_l2_line){true, held, in_flight, partial});
                    }
                }
            }
        }
    }
}

/* l2.fetch, line of four sectors: what a load fetches besides, by hand. */
static void loads_fetch_blocks(void **state)
{
    (void)state;
    static const struct {
        uint32_t block, sectors, held, in_flight, partial, fetched;
    } rows[] = {
        {1, 0x1, 0, 0, 0, 0x1},     {2, 0x1, 0, 0, 0, 0x3}, {2, 0x2, 0, 0, 0, 0x3},
        {2, 0x6, 0, 0, 0, 0xf},     {2, 0x8, 0, 0, 0, 0xc}, {4, 0x4, 0, 0, 0, 0xf},
        {2, 0x5, 0x4, 0, 0, 0x3},   /* 2 is there: nothing of its block is fetched */
        {2, 0x1, 0x2, 0, 0, 0x1},   /* the other one is there */
        {2, 0x1, 0, 0x2, 0, 0x1},   /* or in flight */
        {2, 0x1, 0x2, 0, 0x2, 0x1}, /* or written in part */
        {2, 0x2, 0x2, 0, 0x2, 0x3}, /* written in part itself: fetched */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_l2_policy policy = {.all_sectors = 0xf,
                               .sectored = true,
                               .fetch_on_write = GM_FETCH_LAZY,
                               .fetch_sectors = rows[i].block};
        gm_l2_line line = {.present = (rows[i].held | rows[i].in_flight) != 0,
                           .held = rows[i].held,
                           .in_flight = rows[i].in_flight,
                           .partial = rows[i].partial};
        gm_l2_request read = {GM_MESSAGE_READ, rows[i].sectors, 0};
        gm_l2_effect effect = gm_l2_access_effect(&policy, &read, &line);
        if (effect.fetched != rows[i].fetched || effect.validated != rows[i].fetched) {
            fail_msg("row %zu: %x %x", i, effect.fetched, effect.validated);
        }
        read.kind = GM_MESSAGE_ATOMIC; /* fetches what it needs */
        effect = gm_l2_access_effect(&policy, &read, &line);
        assert_int_equal(effect.fetched & ~rows[i].sectors, 0);
        read.kind = GM_MESSAGE_WRITE;
        effect = gm_l2_access_effect(&policy, &read, &line);
        assert_int_equal(effect.validated & ~rows[i].sectors, 0);
    }
}

/* What each outcome adds to the counters: accesses, hits, hits pending, misses, sector misses. */
static void outcomes_are_counted(void **state)
{
    (void)state;
    static const struct {
        gm_l2_outcome outcome;
        bool present;
        uint64_t accesses, hits, pending, misses, sector_misses;
    } rows[] = {
        {GM_L2_HIT, true, 1, 1, 0, 0, 0},  {GM_L2_HIT_PENDING, true, 1, 0, 1, 0, 0},
        {GM_L2_MISS, true, 1, 0, 0, 1, 1}, {GM_L2_MISS, false, 1, 0, 0, 1, 0},
        {GM_L2_COPY, true, 0, 0, 0, 0, 0}, {GM_L2_COPY, false, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_cache_statistics statistics = {0};
        gm_l2_count_outcome(&statistics, GM_ATOMIC, rows[i].outcome, rows[i].present);
        assert_int_equal(statistics.accesses[GM_ATOMIC], rows[i].accesses);
        assert_int_equal(statistics.hits[GM_ATOMIC], rows[i].hits);
        assert_int_equal(statistics.hits_pending[GM_ATOMIC], rows[i].pending);
        assert_int_equal(statistics.misses[GM_ATOMIC], rows[i].misses);
        assert_int_equal(statistics.sector_misses[GM_ATOMIC], rows[i].sector_misses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_does_what_the_table_says),
        cmocka_unit_test(loads_fetch_blocks),
        cmocka_unit_test(outcomes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

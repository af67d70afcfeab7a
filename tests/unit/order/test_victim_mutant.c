/* Wrong designs of an L2 that takes the L1s' victims (l2.victim). Values, or the checks of
 * counters, find each; they find nothing in the right design. */
#include "cache/l2_access_rules.h"

typedef enum design {
    RIGHT,
    ANY_EVICT,   /* a line goes to the L2, whatever its tracker knows */
    UNTOLD,      /* stores are told to the tracker of their SM only */
    LATE,        /* a victim reaches the L2 when a store to its line has come and gone */
    OVERWRITES,  /* a victim takes the place of the line that the L2 has */
    DIRTY,       /* a victim is dirty in the L2 */
    WIDE,        /* all sectors of a victim are valid */
    MOVES_DIRTY, /* a dirty line leaves the L2 for an L1 */
    LOST,        /* the tracker sends a victim, and it is lost */
} design;

static design planted;

static inline bool wrong_moves(const gm_l2_policy *policy, gm_sector_state state, uint32_t sectors)
{
    if (planted == MOVES_DIRTY) {
        state.dirty = 0;
    }
    return gm_l2_moves(policy, state, sectors);
}

/* Compiles the L2 and the trackers under other names, for the wrong designs below to call: so
 * source files are included. */
#define gm_l2_moves       wrong_moves
#define gm_l2_access      right_access
#define gm_trackers_evict right_evict
#define gm_trackers_tell  right_tell
#include "cache/l2.c"       /* NOLINT(bugprone-suspicious-include) */
#include "order/trackers.c" /* NOLINT(bugprone-suspicious-include) */
#undef gm_l2_access
#undef gm_trackers_evict
#undef gm_trackers_tell

#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <string.h>

/* Victims that are late: the last ones. */
enum { LATE_ONES = 256 };
typedef struct late_one {
    bool waits, written;
    gm_l2 *l2;
    gm_location at;
    gm_message message;
} late_one;

static late_one late[LATE_ONES];
static unsigned lates;

/* Sends the late victims of a bank whose line a store has brought into it and that has left it. */
static void send_late(gm_l2 *l2, gm_dram *dram, const gm_address_map *map,
                      const gm_message *message)
{
    for (late_one *one = late; one < late + LATE_ONES; one++) {
        one->written |= message->line == one->message.line && message->kind != GM_MESSAGE_READ;
        if (one->waits && one->written && one->l2 == l2 &&
            gm_cache_find(&l2->cache, one->at.line).slot == GM_NO_SLOT) {
            one->waits = false;
            right_access(l2, dram, map, one->at, &one->message);
        }
    }
}

/* These three replace the library's. */
void gm_trackers_evict(gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    uint64_t victims = l1->tracker.victims;
    right_evict(l1, line, sectors);
    if (planted == ANY_EVICT && l1->tracker.victims == victims) {
        l1->tracker.victims++;
        l1->tracker.victim_sectors += gm_count_ones(sectors);
        gm_order_noc_send_victim(l1->port, line, sectors);
    }
}

void gm_trackers_tell(gm_order_l1 *l1, uint64_t operation, uint64_t line)
{
    uint32_t told = l1->trackers->told;
    l1->trackers->told = planted == UNTOLD ? 1 : told;
    right_tell(l1, operation, line);
    l1->trackers->told = told;
}

/* Does a victim in the bank of a wrong design. */
static gm_outcome take_wrong(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                             const gm_message *message)
{
    gm_message victim = *message;
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    if (planted == OVERWRITES && place.slot != GM_NO_SLOT) {
        l2->dirty_sectors -= gm_count_ones(gm_cache_state(&l2->cache, place.slot)->dirty);
        gm_cache_drop(&l2->cache, place);
    }
    if (planted == WIDE) {
        victim.sectors = l2->policy.all_sectors;
    }
    gm_outcome outcome = right_access(l2, dram, map, at, &victim);
    if (planted == DIRTY && outcome.fills != 0) {
        gm_cache_state(&l2->cache, gm_cache_find(&l2->cache, at.line).slot)->dirty = outcome.fills;
    }
    return outcome;
}

gm_outcome gm_l2_access(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                        const gm_message *message)
{
    bool victim = message->kind == GM_MESSAGE_EVICT;
    if (victim && planted == LOST) {
        return (gm_outcome){0};
    }
    if (victim && planted == LATE) {
        late[lates++ % LATE_ONES] = (late_one){true, false, l2, at, *message};
        return (gm_outcome){0};
    }
    gm_outcome outcome =
        victim ? take_wrong(l2, dram, map, at, message) : right_access(l2, dram, map, at, message);
    if (planted == LATE) {
        send_late(l2, dram, map, message);
    }
    return outcome;
}

/* Runs a mixture in a machine with one tracker or four, of whole lines or of sectors. Returns what
 * is wrong, or an empty text. `check`: counters, else values. */
static gm_error run(unsigned number, bool check)
{
    gm_config config = order_preset("kepler-hybrid");
    config.l1.size = 4096;
    config.l1.sectored = config.l2.sectored = number % 2 != 0;
    config.l2.line = config.l1.sectored ? 128 : 32;
    config.l2.size = 65536;
    config.l2.bypass = GM_L2_BYPASS_COALESCED;
    config.l2.victim = config.tracker.enabled = true;
    config.tracker.ask = number / 2 % 2 != 0;
    config.tracker.trackers = config.tracker.ask ? 4 : 1;
    memset(late, 0, sizeof late);
    memory_source *source = mixture(number, 3);
    const gm_run_options options = {.threads = 1, .check_values = !check, .check = check};
    gm_results results;
    gm_error error = {.text = ""};
    if (gm_order_run(&config, &source->source, &options, &results, &error) == 0) {
        gm_results_free(&results);
        error = (gm_error){.text = ""};
    } else {
        assert_int_equal(error.code, -EPROTO);
    }
    gm_source_close(&source->source);
    return error;
}

enum { MACHINES = 8 };

static void the_right_design_passes(void **state)
{
    (void)state;
    planted = RIGHT;
    for (unsigned i = 0; i < MACHINES; i++) {
        assert_string_equal(run(i, false).text, "");
        assert_string_equal(run(i, true).text, "");
    }
}

/* Every machine that can show a design's fault finds it. */
static void wrong_designs_are_found(void **state)
{
    (void)state;
    enum { WHOLE = 1, SECTORS = 2, OF_ONE = 4, OF_FOUR = 8, ALL = 15 };
    static const struct {
        design design;
        unsigned machines;
        bool check;
        const char *text;
    } rows[] = {
        {ANY_EVICT, ALL, false, "victim of SM "},
        {UNTOLD, WHOLE | SECTORS | OF_FOUR, false, "which is older than its tracker's store"},
        {LATE, ALL, false, "victim of SM "},
        {OVERWRITES, ALL, false, "DRAM's line of the victim of SM "},
        {DIRTY, ALL, true, "dirty"},
        {WIDE, SECTORS | OF_ONE | OF_FOUR, false, "the L2's victim of SM "},
        {MOVES_DIRTY, ALL, false, "but the last write that it performed is"},
        {MOVES_DIRTY, ALL, true, "dirty"},
        {LOST, ALL, true, "EVICT"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        planted = rows[i].design;
        for (unsigned number = 0; number < MACHINES; number++) {
            unsigned kind =
                (number % 2 != 0 ? SECTORS : WHOLE) | (number / 2 % 2 != 0 ? OF_FOUR : OF_ONE);
            if ((kind & ~rows[i].machines) != 0) {
                continue;
            }
            gm_error error = run(number, rows[i].check);
            if (error.text[0] == '\0' || strstr(error.text, rows[i].text) == NULL) {
                fail_msg("design %d in machine %u: \"%s\"", (int)planted, number, error.text);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_design_passes),
        cmocka_unit_test(wrong_designs_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sharing trackers in time, with random delays of every packet: values find nothing in the design,
 * and each wrong design that is planted here. */
#include "cache/l2_access_rules.h"
#include "cycle/engine/cycle_invariants.h"
#include "goldmem/mshr.h"
#include "goldmem/sharing_tracker.h"
#include "support/config/tracked.h"
#include "support/cycle/noc/delay_network.h"
#include "support/order/order_run.h"
#include "support/trace/sharing_source.h"

#include <errno.h>
#include <string.h>

typedef enum design {
    RIGHT,
    NO_HOLD,             /* stores go on beside a LOOKUP of their line, which they close */
    MARKS_WITHOUT_CLOSE, /* likewise, and data in flight, older than the store, are installed */
    CLOSE_WITHOUT_MARKS, /* FILL registers whatever was written since its LOOKUP [anssari, 3.2] */
    BROKEN_FIFO,         /* packets of one line overtake one another */
    SECTOR_MARKS,        /* a LOOKUP for further sectors of a line marks, and its FILL registers */
    SECTOR_FILL,         /* a fill of further sectors registers without a mark */
    FIRST_PACKET,        /* only a store's first packet is a WRITE */
    NO_COHERENT,         /* atomics and strong loads are no transactions */
    /* with tracker.ask: */
    OWN_WRITE,    /* a store is a WRITE to its own tracker only */
    OWN_COHERENT, /* an atomic or strong load is a COHERENT to its own tracker only */
    /* with l2.victim: */
    ANY_VICTIM,   /* each line that an L1 evicts goes to the L2 */
    LATE_VICTIM,  /* later packets of the tracker overtake a victim */
    OVERWRITES,   /* a victim takes the place of the line that the L2 has */
    MOVES_DIRTY,  /* a dirty line leaves the L2 for an L1 */
    LOSES_VICTIM, /* a victim takes the way of a dirty line, which is not written back */
    DESIGNS
} design;

static design planted;

enum { SMS = 5 };

/* SM and line of fills of further sectors in flight; of the last WRITE of each CU. */
static struct {
    uint64_t line[256];
    uint32_t sm[256], count;
    uint64_t written[SMS];
    bool others; /* with two trackers that ask: the next WRITE or COHERENT is the other's */
} told;

/* In place of the block's CLOSE; nothing else in the L1's stores calls it. */
static gm_mshr_response may_close(gm_mshr *mshr, gm_mshr_request request)
{
    return planted != MARKS_WITHOUT_CLOSE ? gm_mshr_access(mshr, request) : (gm_mshr_response){0};
}

static gm_sharing_tracker_response plant(gm_sharing_tracker *tracker,
                                         gm_sharing_tracker_request request);

static inline bool wrong_moves(const gm_l2_policy *policy, gm_sector_state state, uint32_t sectors)
{
    if (planted == MOVES_DIRTY) {
        state.dirty = 0;
    }
    return gm_l2_moves(policy, state, sectors);
}

/* Compiles the L1's stores, its messages to trackers, and the tracker bank with the bugs; they
 * replace the library's: so source files are included. */
/* NOLINTBEGIN(bugprone-suspicious-include) */
#define gm_mshr_access may_close
#include "cycle/l1/l1_bypass.c"
#undef gm_mshr_access
#define gm_cycle_l1_is_asked          right_is_asked
#define gm_cycle_l1_look_up_elsewhere right_look_up
#define gm_cycle_l1_tell_fill         right_tell_fill
#define ALIGNMENT                     TRACKER_ALIGNMENT
#define ARRAYS                        TRACKER_ARRAYS
#include "cycle/l1/l1_tracker.c"
#undef gm_cycle_l1_is_asked
#undef gm_cycle_l1_look_up_elsewhere
#undef gm_cycle_l1_tell_fill
#undef ALIGNMENT
#undef ARRAYS
#define gm_sharing_tracker_access plant
#include "cycle/tracker/tracker_bank.c"
#undef gm_sharing_tracker_access
#define gm_l2_moves wrong_moves
#include "cycle/l2/l2_bank_bypass.c"
#undef gm_l2_moves
#define gm_l2_bank_take_victim right_take_victim
#include "cycle/l2/l2_bank_victims.c"
#undef gm_l2_bank_take_victim
/* NOLINTEND(bugprone-suspicious-include) */

bool gm_cycle_l1_is_asked(const gm_cycle_l1 *l1, uint64_t line)
{
    return planted != NO_HOLD && planted != MARKS_WITHOUT_CLOSE && right_is_asked(l1, line);
}

void gm_cycle_l1_look_up_elsewhere(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors, uint32_t id,
                                   bool will_fill)
{
    bool entry = gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_ENTRY;
    right_look_up(l1, line, sectors, id, will_fill || (planted == SECTOR_MARKS && entry));
}

void gm_cycle_l1_tell_fill(gm_cycle_l1 *l1, uint64_t line, uint32_t entry, uint32_t sectors)
{
    if (planted == SECTOR_FILL && l1->tracked->asked[entry].will_fill == 0) {
        l1->tracked->asked[entry].will_fill = 1;
        told.line[told.count % 256] = line;
        told.sm[told.count++ % 256] = l1->number;
        sectors = gm_cycle_l1_held(l1, line);
    }
    right_tell_fill(l1, line, entry, sectors);
}

/* True if a fill of further sectors of the line is in flight; one partition: a line's address in it
 * is its own. */
static bool is_sector_fill(const gm_sharing_tracker_request *request)
{
    for (uint32_t i = 0; i < 256 && i < told.count; i++) {
        if (told.line[i] == request->line && told.sm[i] == request->cu) {
            told.line[i] = 0;
            return true;
        }
    }
    return false;
}

static gm_sharing_tracker_response plant(gm_sharing_tracker *tracker,
                                         gm_sharing_tracker_request request)
{
    bool fill = request.op == GM_SHARING_TRACKER_FILL;
    bool write = request.op == GM_SHARING_TRACKER_WRITE;
    bool again = write && request.cu < SMS && told.written[request.cu] == request.line + 1;
    if (request.op < GM_SHARING_TRACKER_FLUSH) {
        told.written[request.cu] = write ? request.line + 1 : 0;
    }
    if ((planted == OWN_WRITE || planted == OWN_COHERENT) &&
        (write || request.op == GM_SHARING_TRACKER_COHERENT)) {
        told.others = !told.others;
        if (!told.others && write == (planted == OWN_WRITE)) {
            return (gm_sharing_tracker_response){0};
        }
    }
    if ((planted == FIRST_PACKET && again) ||
        (planted == NO_COHERENT && request.op == GM_SHARING_TRACKER_COHERENT)) {
        return (gm_sharing_tracker_response){0};
    }
    if (fill &&
        (planted == CLOSE_WITHOUT_MARKS || (planted == SECTOR_FILL && is_sector_fill(&request)))) {
        gm_sharing_tracker_request mark = request;
        mark.op = GM_SHARING_TRACKER_LOOKUP;
        mark.will_fill = 1;
        gm_sharing_tracker_access(tracker, mark);
    }
    gm_sharing_tracker_response response = gm_sharing_tracker_access(tracker, request);
    response.last_sharer |= planted == ANY_VICTIM && request.op == GM_SHARING_TRACKER_EVICT;
    return response;
}

/* Victims that wait beside their bank; one partition. */
enum { LATE = 64, WAIT = 8 };

static struct {
    gm_packet packet[LATE];
    uint32_t count, first;
} late;

/* Puts the victim, which waits in the item, behind those that wait; the oldest takes its place.
 * Returns false if there is none yet. */
static bool swap_late(gm_packet *packet)
{
    late.packet[(late.first + late.count++) % LATE] = *packet;
    if (late.count <= WAIT) {
        return false;
    }
    *packet = late.packet[late.first++ % LATE];
    late.count--;
    return true;
}

gm_l2_fail gm_l2_bank_take_victim(gm_l2_bank *bank, gm_l2_look_up it)
{
    gm_cache *cache = &bank->l2.cache;
    if (planted == LATE_VICTIM) {
        if (!swap_late(it.packet)) {
            bank->vacant[bank->vacancies++] = it.number;
            return GM_L2_NO_FAIL;
        }
        it.line = it.packet->in_bank;
        it.place = gm_cache_find(cache, it.line);
    }
    if (planted == OVERWRITES && it.place.slot != GM_NO_SLOT &&
        !gm_cache_waits(cache, it.place.slot)) {
        gm_cache_drop(cache, it.place);
        it.place = gm_cache_find(cache, it.line);
    }
    if (planted == LOSES_VICTIM && it.place.slot == GM_NO_SLOT) {
        uint32_t slot = gm_cache_victim(cache, it.place);
        if (slot != GM_NO_SLOT) {
            gm_cache_state(cache, slot)->dirty = 0;
        }
    }
    return right_take_victim(bank, it);
}

/* Counts need not agree in a wrong design; debug builds would stop at them. */
int gm_cycle_check(const gm_cycle_run_state *run, const gm_statistics *sum, gm_error *error)
{
    (void)run;
    (void)sum;
    (void)error;
    return 0;
}

int gm_cycle_check_running(const gm_cycle_machine *machine, gm_error *error)
{
    (void)machine;
    (void)error;
    return 0;
}

/* A machine of whole lines or sectors, write-through or write-evict, few or many credits. */
static gm_config machine(unsigned number, test_random *random)
{
    gm_config config = order_preset("kepler-hybrid");
    config.gpu.sms = SMS;
    config.memory.partitions = 1;
    config.l1.size = 2048;
    config.l1.sectored = number % 2 != 0;
    config.l1.global_write = number / 2 % 2 != 0 ? GM_WRITE_EVICT : GM_WRITE_THROUGH;
    config.l1.allocation = number / 4 % 2 != 0 ? GM_ALLOCATE_ON_FILL : GM_ALLOCATE_ON_MISS;
    if (planted == MARKS_WITHOUT_CLOSE) {
        config.l1.allocation = GM_ALLOCATE_ON_FILL; /* no way waits for an entry that stays open */
    }
    config.l1.bypass = number % 8 == 5 ? GM_BYPASS_CONTENTION : GM_BYPASS_NONE;
    if (planted == RIGHT) {
        config.memory.partitions = 1 + number % 3;
        config.l2.size = config.memory.partitions * 65536;
        config.tracker.trackers = UINT64_C(1) << number % 2 * (1 + number / 8 % 2);
        config.tracker.ask = number / 2 % 2 != 0;
        config.tracker.pointers = number / 2 % 3;
        config.l2.bypass = number % 5 == 4 ? GM_L2_BYPASS_COALESCED : GM_L2_BYPASS_NONE;
    }
    if (planted == RIGHT && number % 4 == 3) {
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.allocation = GM_ALLOCATE_ON_MISS;
        config.l1.tag_ways = config.l1.ways + 3;
        config.l1.bypass = GM_BYPASS_NONE;
    }
    if (planted == OWN_WRITE || planted == OWN_COHERENT) {
        config.tracker.trackers = 2;
        config.tracker.ask = true;
    }
    make_tracked(&config, random);
    config.l2.victim = planted >= ANY_VICTIM || (planted == RIGHT && number % 3 != 0);
    if (planted >= ANY_VICTIM) {
        config.l2.size = 4096;
    }
    fit_victims(&config);
    fit_trackers(&config, random);
    return config;
}

static uint64_t inserted; /* victims, of all runs */

/* Runs the planted design in a machine. Returns the first wrong value, or an empty text. */
static gm_error run(unsigned number, test_random *random, gm_tracker_statistics *seen)
{
    const sharing_mix mix = {.kernels = 2,
                             .ctas = 2 * SMS,
                             .warps = 4,
                             .instructions = 24,
                             .lines = 6 + 20 * (number % 3),
                             .stores = 3 + number % 6,
                             .atomics = 8};
    gm_config config = machine(number, random);
    gm_error error = {0};
    gm_results results;
    memory_source *source = sharing_source(test_random_next(random), &mix);
    const gm_run_options options = {.threads = 1, .check_values = true};
    memset(&told, 0, sizeof told);
    memset(&late, 0, sizeof late);
    delays.random = test_random_next(random);
    delays.most = 1 + test_random_below(random, 400);
    delays.part_bits = 2;
    delays.breaks_fifo = planted == BROKEN_FIFO;
    int code = gm_cycle_run(&config, &source->source, &options, &results, &error);
    if (code == 0) {
        gm_tracker_statistics_add(seen, &results.total.tracker);
        inserted += results.total.l2_victim.inserted;
        gm_results_free(&results);
        error = (gm_error){0};
    } else {
        assert_int_equal(code, -EPROTO);
        assert_non_null(strstr(error.text, "values: "));
    }
    gm_source_close(&source->source);
    return error;
}

static void the_design_is_right(void **state)
{
    (void)state;
    enum { RUNS = 200 };
    test_random random = test_random_start(320);
    gm_tracker_statistics seen = {0};
    planted = RIGHT;
    for (unsigned number = 0; number < test_rounds(RUNS); number++) {
        gm_error error = run(number, &random, &seen);
        if (error.code != 0) {
            fail_msg("run %u: %s", number, error.text);
        }
    }
    assert_true(seen.ask_hits > test_rounds(RUNS) && seen.told > test_rounds(RUNS));
    assert_true(seen.victims_shared > test_rounds(RUNS) / 10);
    assert_true(seen.remote_hits > 10 * test_rounds(RUNS));
    assert_true(seen.remote_misses > test_rounds(RUNS) && seen.held > 10 * test_rounds(RUNS));
    assert_true(inserted > 10 * test_rounds(RUNS));
    assert_true(delays.overtaken > 1000);
}

static void wrong_designs_are_found(void **state)
{
    (void)state;
    enum { MOST = 400 };
    for (planted = NO_HOLD; planted < DESIGNS; planted++) {
#ifdef GM_DEBUG
        if (planted == LATE_VICTIM) {
            continue; /* debug builds stop before, at a line in two ways */
        }
#endif
        test_random random = {321};
        gm_tracker_statistics seen = {0};
        gm_error error = {0};
        unsigned number = 0;
        while (error.code == 0 && number < MOST) {
            error = run(number++, &random, &seen);
        }
        print_message("design %u, run %u: %s\n", planted, number, error.text);
        assert_int_not_equal(error.code, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_design_is_right),
        cmocka_unit_test(wrong_designs_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

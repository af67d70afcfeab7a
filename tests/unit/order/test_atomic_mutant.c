/* Wrong designs of the L2's atomic buffer [anssari, 3.4, 3.5]. Values, or the checks of counters,
 * find each; they find nothing in the right design. */
#include "cache/values.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

/* Compiles the unit as it is under other names, for the wrong designs below to call: so a source
 * file is included. */
#define gm_atomic_unit_hit    right_hit
#define gm_atomic_unit_take   right_take
#define gm_atomic_unit_access right_access
#define gm_atomic_unit_flush  right_flush
#include "cache/atomic_unit.c" /* NOLINT(bugprone-suspicious-include) */
#undef gm_atomic_unit_hit
#undef gm_atomic_unit_take
#undef gm_atomic_unit_access
#undef gm_atomic_unit_flush

typedef enum design {
    RIGHT,
    LOST_LINE,     /* the line in the buffer is lost when it takes another */
    CLEAN_LINE,    /* it goes back clean, and is evicted without a write-back */
    NO_ACCESS,     /* loads and stores are not compared with it */
    LOST_AT_ENDS,  /* the line is lost at the end of a kernel */
    KEPT_AT_ENDS,  /* it remains in the buffer */
    OTHER_SECTORS, /* only the sectors of the last atomic go back */
    LOADS_CLEAN,   /* a strong load leaves its line clean */
    LOADS_DIRTY,   /* and here dirty */
    LOADS_ATOMIC,  /* strong loads are counted as atomics */
    /* l2.dirty=byte: */
    BLIND,       /* a line that lacks bytes has all in the buffer */
    CLEAN_BYTES, /* its bytes go back clean */
} design;

static design planted;

static bool put_wrong(gm_atomic_line *put, bool puts)
{
    if (planted == CLEAN_LINE) {
        put->state.dirty = 0;
    }
    if (planted == CLEAN_BYTES) {
        put->bytes.dirty = 0;
    }
    return puts;
}

/* These four replace the library's. */
uint32_t gm_atomic_unit_hit(gm_atomic_unit *unit, gm_access_kind kind, uint64_t line,
                            uint32_t sectors)
{
    uint32_t dirtied = right_hit(unit, planted == LOADS_ATOMIC ? GM_ATOMIC : kind, line, sectors);
    if (planted == LOADS_CLEAN && kind == GM_LOAD) {
        unit->block.dirty = 0;
    }
    return dirtied;
}

bool gm_atomic_unit_take(gm_atomic_unit *unit, gm_access_kind kind, const gm_atomic_line *taken,
                         uint32_t sectors, gm_atomic_line *put)
{
    gm_atomic_line line = *taken;
    if (planted == LOADS_DIRTY && kind == GM_LOAD) {
        line.state.dirty |= sectors;
    }
    if (planted == OTHER_SECTORS) {
        line.state.valid &= sectors;
        line.state.dirty &= sectors;
    }
    if (planted == BLIND) {
        line.bytes.valid = UINT32_MAX;
    }
    bool puts = put_wrong(put, right_take(unit, kind, &line, sectors, put));
    return puts && planted != LOST_LINE;
}

bool gm_atomic_unit_access(gm_atomic_unit *unit, uint64_t line, gm_atomic_line *put)
{
    return planted != NO_ACCESS && put_wrong(put, right_access(unit, line, put));
}

bool gm_atomic_unit_flush(gm_atomic_unit *unit, gm_atomic_line *put)
{
    return planted != KEPT_AT_ENDS && put_wrong(put, right_flush(unit, put)) &&
           planted != LOST_AT_ENDS;
}

/* Machines of each engine: L2s of whole lines, of sectors, of bytes. */
enum { MACHINES = 6, KINDS = 3 };

/* Runs a mixture in a machine with a small L2. Returns what is wrong, or an empty text. `check`:
 * counters too. */
static gm_error run(gm_engine engine, unsigned number, bool check)
{
    gm_config config = order_preset("gtx480");
    config.l2.atomic_buffer = true;
    config.l2.size = 6 * UINT64_C(4096);
    config.l2.sectored = number % KINDS == 1;
    if (number % KINDS == 2) {
        config.l1.local_write = GM_WRITE_THROUGH;
        config.l2.line = 32;
        config.l2.dirty = GM_DIRTY_BYTE;
        config.l2.fetch_on_write = GM_FETCH_LAZY;
    }
    memory_source *source = mixture(number, 3);
    const gm_run_options options = {.threads = 1, .check_values = !check, .check = check};
    gm_results results;
    gm_error error = {.text = ""};
    int code = engine == GM_ENGINE_ORDER
                   ? gm_order_run(&config, &source->source, &options, &results, &error)
                   : gm_cycle_run(&config, &source->source, &options, &results, &error);
    if (code == 0) {
        gm_results_free(&results);
        error = (gm_error){.text = ""};
    } else {
        assert_int_equal(error.code, -EPROTO);
    }
    gm_source_close(&source->source);
    return error;
}

static void the_right_design_passes(void **state)
{
    (void)state;
    planted = RIGHT;
    for (unsigned i = 0; i < 2 * MACHINES; i++) {
        gm_engine engine = i < MACHINES ? GM_ENGINE_ORDER : GM_ENGINE_CYCLE;
        assert_string_equal(run(engine, i % MACHINES, false).text, "");
        assert_string_equal(run(engine, i % MACHINES, true).text, "");
    }
}

/* Debug builds stop at assertions of the L2 before. */
static void wrong_designs_are_found(void **state)
{
    (void)state;
#ifdef GM_DEBUG
    skip();
#endif
    enum { SECTORS = 2, BYTES = 4, ALL = 7, NO_BYTES = 3 };
    static const struct {
        design design;
        unsigned machines;
        bool check;
        const char *text;
    } rows[] = {
        {LOST_LINE, ALL, false, "but the last write that it performed is"},
        {CLEAN_LINE, NO_BYTES, false, "but the last write that it performed is"},
        {NO_ACCESS, ALL, false, "the L2's read"},
        {LOST_AT_ENDS, ALL, false, "but the last write that it performed is"},
        {KEPT_AT_ENDS, ALL, true, "conservation law broken: L2 bank "},
        {OTHER_SECTORS, SECTORS, false, "but the last write that it performed is"},
        {LOADS_CLEAN, NO_BYTES, false, "but the last write that it performed is"},
        {LOADS_DIRTY, ALL, true, "L2 bank "},
        {LOADS_ATOMIC, ALL, true, "strong loads"},
        {CLEAN_LINE, BYTES, true, "L2 bank "},
        {BLIND, BYTES, false, "since the L2's line does not have the byte"},
        {CLEAN_BYTES, BYTES, false, "but the last write that it performed is"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        planted = rows[i].design;
        for (unsigned number = 0; number < 2 * MACHINES; number++) {
            if ((rows[i].machines >> number % MACHINES % KINDS & 1) == 0) {
                continue;
            }
            gm_engine engine = number < MACHINES ? GM_ENGINE_ORDER : GM_ENGINE_CYCLE;
            if (engine == GM_ENGINE_CYCLE && planted == NO_ACCESS) {
                continue; /* the timed bank looks into the buffer before, and waits for the line */
            }
            gm_error error = run(engine, number % MACHINES, rows[i].check);
            if (strstr(error.text, rows[i].text) == NULL) {
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

/* Wrong designs of the L2's atomic buffer [anssari, 3.4]. Values, or the checks of counters, find
 * each; they find nothing in the right design. */
#include "cache/values.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

/* Compiles the unit as it is under other names, for the wrong designs below to call: so a source
 * file is included. */
#define gm_atomic_unit_take   right_take
#define gm_atomic_unit_access right_access
#define gm_atomic_unit_flush  right_flush
#include "cache/atomic_unit.c" /* NOLINT(bugprone-suspicious-include) */
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
} design;

static design planted;

static bool put_wrong(gm_atomic_line *put, bool puts)
{
    if (planted == CLEAN_LINE) {
        put->state.dirty = 0;
    }
    return puts;
}

/* These three replace the library's. */
bool gm_atomic_unit_take(gm_atomic_unit *unit, const gm_atomic_line *taken, uint32_t sectors,
                         gm_atomic_line *put)
{
    gm_atomic_line line = *taken;
    if (planted == OTHER_SECTORS) {
        line.state.valid &= sectors;
        line.state.dirty &= sectors;
    }
    bool puts = put_wrong(put, right_take(unit, &line, sectors, put));
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

/* Runs a mixture in a machine with a small L2, of whole lines or of sectors. Returns what is wrong,
 * or an empty text. `check`: counters too. */
static gm_error run(unsigned number, bool check)
{
    gm_config config = order_preset("gtx480");
    config.l2.atomic_buffer = true;
    config.l2.size = 6 * UINT64_C(4096);
    config.l2.sectored = number % 2 != 0;
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

enum { MACHINES = 4 };

static void the_right_design_passes(void **state)
{
    (void)state;
    planted = RIGHT;
    for (unsigned i = 0; i < MACHINES; i++) {
        assert_string_equal(run(i, false).text, "");
        assert_string_equal(run(i, true).text, "");
    }
}

/* Debug builds stop at assertions of the L2 before. */
static void wrong_designs_are_found(void **state)
{
    (void)state;
#ifdef GM_DEBUG
    skip();
#endif
    enum { WHOLE = 1, SECTORS = 2, ALL = 3 };
    static const struct {
        design design;
        unsigned machines;
        bool check;
        const char *text;
    } rows[] = {
        {LOST_LINE, ALL, false, "but the last write that it performed is"},
        {CLEAN_LINE, ALL, false, "but the last write that it performed is"},
        {NO_ACCESS, ALL, false, "the L2's read"},
        {LOST_AT_ENDS, ALL, false, "but the last write that it performed is"},
        {KEPT_AT_ENDS, ALL, true, "conservation law broken: L2 bank "},
        {OTHER_SECTORS, SECTORS, false, "but the last write that it performed is"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        planted = rows[i].design;
        for (unsigned number = 0; number < MACHINES; number++) {
            if ((rows[i].machines >> number % 2 & 1) == 0) {
                continue;
            }
            gm_error error = run(number, rows[i].check);
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

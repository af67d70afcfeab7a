/* CSV read back: the header's names, quoting, and values in the right columns. */
#include "support/report/report.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 400,
    ROWS = 20,
    TIME_COLUMNS = 31, /* 25 counters of GM_TIME_COUNTERS, leakage, 5 rates of stalls */
};

static char *cell[ROWS][COLUMNS];
static unsigned columns[ROWS];

/* RFC 4180, in place; returns the number of rows. */
static unsigned parse(char *text)
{
    unsigned row = 0;
    memset(columns, 0, sizeof columns);
    for (char *in = text; *in != '\0'; row++) {
        assert_true(row < ROWS);
        for (bool more = true; more;) {
            char *out = in;
            assert_true(columns[row] < COLUMNS);
            cell[row][columns[row]++] = out;
            if (*in == '"') {
                for (in++; *in != '"' || in[1] == '"'; in++) {
                    in += *in == '"';
                    *out++ = *in;
                }
                in++;
            } else {
                for (; *in != ',' && *in != '\n'; in++) {
                    *out++ = *in;
                }
            }
            more = *in == ',';
            assert_true(more || *in == '\n');
            in++;
            *out = '\0';
        }
    }
    return row;
}

static const char *value(unsigned row, const char *name)
{
    for (unsigned i = 0; i < columns[0]; i++) {
        if (strcmp(cell[0][i], name) == 0) {
            return cell[row][i];
        }
    }
    fail_msg("no column %s", name);
    return NULL;
}

static uint64_t count(unsigned row, const char *name)
{
    return strtoull(value(row, name), NULL, 10);
}

static void rows_hold_the_counters(void **state)
{
    (void)state;
    char *text = test_report(GM_REPORT_CSV, 2, false, "a,\"b\"", NULL);
    assert_int_equal(parse(text), 4); /* header, 2 kernels, total */
    for (unsigned row = 1; row < 4; row++) {
        gm_statistics expected;
        test_statistics_fill(&expected, row < 3 ? row * UINT64_C(1000) : 100000);
        assert_int_equal(columns[row], columns[0]);
        assert_string_equal(value(row, "row"), row < 3 ? "kernel" : "total");
        assert_string_equal(value(row, "name"), row < 3 ? "a,\"b\"" : "some \"input\".g");
        assert_int_equal(count(row, "number"), row < 3 ? row - 1 : 2);
        assert_int_equal(count(row, "warp_instructions"), expected.core.warp_instructions);
        assert_int_equal(count(row, "l1d.store.reservation_fails.mshr_merge"),
                         expected.l1d.fails_mshr_merge[GM_STORE]);
        assert_int_equal(count(row, "l2.misses"), expected.l2.misses[0] + expected.l2.misses[1] +
                                                      expected.l2.misses[2] +
                                                      expected.l2.misses[3]);
        assert_int_equal(count(row, "dram.row_hits"), expected.dram.row_hits);
        assert_int_equal(count(row, "traffic_bytes.rcl"), expected.traffic.rcl);
        assert_int_equal(count(row, "l2_dirty_sectors"), expected.l2_dirty_sectors);
    }
    free(text);
}

/* The cycle engine has the order engine's columns and more; of a unit, those that it counts. */
static void time_is_of_the_cycle_engine(void **state)
{
    (void)state;
    char *text = test_report(GM_REPORT_CSV, 1, false, "k", NULL);
    parse(text);
    unsigned untimed = columns[0];
    for (unsigned i = 0; i < untimed; i++) {
        assert_null(strstr(cell[0][i], "time."));
        assert_string_not_equal(cell[0][i], "cycles");
        assert_string_not_equal(cell[0][i], "energy_pj.leakage");
        assert_null(strstr(cell[0][i], "stalls"));
    }
    free(text);
    text = test_report_of(GM_ENGINE_CYCLE, GM_REPORT_CSV, 1, true, "k", NULL);
    parse(text);
    assert_int_equal(columns[0], untimed + TIME_COLUMNS);
    gm_statistics expected;
    test_statistics_fill(&expected, 100000);
    assert_int_equal(count(2, "cycles"), expected.time.cycles);
    assert_int_equal(count(2, "time.slots.memory_unit"), expected.time.slots_memory_unit);
    assert_int_equal(count(2, "time.dram_cycles"), expected.time.dram_cycles);
    test_statistics_fill(&expected, 200000);
    assert_int_equal(count(3, "time.slots.idle"), expected.time.slots_idle);
    assert_int_equal(count(3, "time.l1_mshr_cycles"), expected.time.l1_mshr_cycles);
    assert_string_equal(value(3, "cycles"), "");
    assert_string_equal(value(3, "energy_pj.l1d"), "");
    assert_string_equal(value(3, "rates.l1d_hits"), "");
    assert_string_equal(value(3, "time.l2_mshr_cycles"), "");
    free(text);
}

/* Runs with leases have the columns of others and more; of a unit, those that it counts. */
static void leases_are_of_their_protocols(void **state)
{
    (void)state;
    enum {
        DIRECTORY = 7, /* copies_dropped, writes_shared, invalidations, recalled_lines, recalls,
                          forward_flits, acknowledgement_flits */
        OWNER = 6,     /* line_upgrades, not_kept, puts, forwards, puts_old, recalls_owned */
        COLUMNS = sizeof(gm_coherence_statistics) / sizeof(uint64_t) - DIRECTORY - OWNER,
    };
    char *text = test_report_coherent(GM_COHERENCE_IDEAL, GM_ENGINE_CYCLE, GM_REPORT_CSV, 1, true,
                                      "k", NULL);
    parse(text);
    unsigned without = columns[0];
    for (unsigned i = 0; i < without; i++) {
        assert_null(strstr(cell[0][i], "coherence."));
    }
    free(text);
    text =
        test_report_coherent(GM_COHERENCE_VI, GM_ENGINE_CYCLE, GM_REPORT_CSV, 1, true, "k", NULL);
    parse(text);
    assert_int_equal(columns[0], without + DIRECTORY);
    free(text);
    text =
        test_report_coherent(GM_COHERENCE_MESI, GM_ENGINE_CYCLE, GM_REPORT_CSV, 1, true, "k", NULL);
    parse(text);
    assert_int_equal(columns[0], without + DIRECTORY + OWNER);
    free(text);
    text =
        test_report_coherent(GM_COHERENCE_TCW, GM_ENGINE_CYCLE, GM_REPORT_CSV, 1, true, "k", NULL);
    parse(text);
    assert_int_equal(columns[0], without + COLUMNS);
    gm_statistics expected;
    test_statistics_fill(&expected, 100000);
    assert_int_equal(count(2, "coherence.expired"), expected.coherence.expired);
    assert_int_equal(count(2, "coherence.leases_taken"), expected.coherence.leases_taken);
    assert_int_equal(count(2, "coherence.rollovers"), expected.coherence.rollovers);
    test_statistics_fill(&expected, 200000);
    assert_int_equal(count(3, "coherence.fence_time_cycles"), expected.coherence.fence_time_cycles);
    assert_string_equal(value(3, "coherence.leases"), "");
    test_statistics_fill(&expected, 300000);
    assert_int_equal(count(5, "coherence.leases"), expected.coherence.leases);
    assert_string_equal(value(5, "coherence.expired"), "");
    assert_string_equal(value(5, "coherence.rollovers"), "");
    free(text);
}

/* Units count only what they have; the rest is empty, not 0. */
static void units_have_rows_on_request(void **state)
{
    (void)state;
    char *text = test_report(GM_REPORT_CSV, 0, true, "", NULL);
    assert_int_equal(parse(text), 1 + 1 + 2 + 6 + 3); /* header, total, SMs, banks, partitions */
    gm_statistics expected;
    test_statistics_fill(&expected, 201000);
    assert_string_equal(value(3, "row"), "sm");
    assert_int_equal(count(3, "number"), 1);
    assert_int_equal(count(3, "l1d.load.hits"), expected.l1d.hits[GM_LOAD]);
    assert_int_equal(count(3, "ctas"), expected.core.ctas);
    assert_string_equal(value(3, "l2.hits"), "");
    test_statistics_fill(&expected, 305000);
    assert_string_equal(value(9, "row"), "bank");
    assert_int_equal(count(9, "l2.load.hits"), expected.l2.hits[GM_LOAD]);
    assert_string_equal(value(9, "ctas"), "");
    test_statistics_fill(&expected, 402000);
    assert_string_equal(value(12, "row"), "partition");
    assert_int_equal(count(12, "dram.writes"), expected.dram.writes);
    assert_string_equal(value(12, "copies"), "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_hold_the_counters),
        cmocka_unit_test(time_is_of_the_cycle_engine),
        cmocka_unit_test(leases_are_of_their_protocols),
        cmocka_unit_test(units_have_rows_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

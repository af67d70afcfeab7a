/* Passes through the load/store unit over the banks of the L1's data and tags, and by groups of
 * lanes: worked by hand. */
#include "support/cycle/lsu/load_store_run.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 64 };

/* One access of lines `apart` lines apart, issued in cycle `now`. */
static void issue(fixture *fixture, gm_request_kind kind, uint32_t ticket, uint64_t line,
                  uint64_t apart, uint32_t lines, uint32_t passes, gm_cycle now)
{
    gm_line_request request[MOST];
    for (uint32_t i = 0; i < lines; i++) {
        request[i] = (gm_line_request){.line = line + i * apart, .lanes = 1, .sectors = 1};
    }
    const gm_memory_access access = {.request = request,
                                     .requests = lines,
                                     .ticket = ticket,
                                     .kind = (uint8_t)kind,
                                     .passes = passes};
    gm_load_store_issue(&fixture->unit, &access, now);
}

/* An L1 that looks up four lines a cycle, with hits after 10 cycles and shared memory after 20. */
static gm_config machine(uint64_t tag_banks, uint64_t data_banks, uint64_t lanes)
{
    gm_config config = defaults();
    config.l1.ports = 4;
    config.l1.tag_banks = tag_banks;
    config.l1.data_banks = data_banks;
    config.l1.latency = 10;
    config.unit.shared = 20;
    config.sm.memory_lanes = lanes;
    config.l1.miss_queue = MOST; /* MRPB bypasses what stalls */
    return config;
}

/* A load that hits, taken from 1000 on, and one of line 0 behind it, which hits and takes no pass
 * but those of its lanes. With four tag banks a line's bank is its number, two bits at a time,
 * XORed. Passes are those over the data; the lines are those of a load of 32 lanes with the stride
 * named. */
static const struct {
    uint64_t tag_banks, data_banks, lanes;
    uint64_t line, apart;
    uint32_t lines, passes;
    const char *done;
} rows[] = {
    {4, 32, 32, 0, 1, 1, 0, "2@1010 3@1011"},   /* 1 word */
    {4, 32, 32, 0, 1, 2, 2, "2@1011 3@1012"},   /* 2 words: 1000, 1001; the next in 1002 */
    {4, 32, 32, 0, 1, 3, 0, "2@1010 3@1011"},   /* 3 words: tag banks 0 1 2 */
    {4, 32, 32, 3, 1, 4, 0, "2@1011 3@1012"},   /* behind the first warp: 3 1 0 3 */
    {4, 32, 32, 0, 1, 4, 4, "2@1013 3@1014"},   /* 4 words; or 16 bytes a lane */
    {4, 32, 32, 0, 1, 5, 0, "2@1011 3@1012"},   /* 5 words: 0 1 2 3 1 */
    {4, 32, 32, 0, 1, 8, 8, "2@1017 3@1018"},   /* 8 words */
    {4, 32, 32, 0, 1, 16, 16, "2@1025 3@1026"}, /* 16 words */
    {4, 32, 32, 0, 1, 31, 0, "2@1017 3@1018"},  /* 31 words: 8 in three of the banks */
    {4, 32, 32, 0, 1, 32, 32, "2@1041 3@1042"}, /* 32 words */
    {4, 32, 32, 0, 2, 32, 32, "2@1041 3@1042"}, /* 64 words: tags 8 cycles, data 32 */
    {4, 1, 32, 0, 2, 32, 0, "2@1017 3@1018"},   /* every second line: 8 in each bank */
    {4, 1, 32, 0, 5, 4, 0, "2@1013 3@1014"},    /* 0 5 10 15: all in bank 0 */
    {1, 1, 32, 0, 5, 4, 0, "2@1010 3@1011"},    /* without tag banks: four lines a cycle */
    {1, 32, 32, 0, 1, 5, 0, "2@1011 3@1012"},   /* the fifth line in the second cycle */
    {1, 32, 32, 0, 1, 5, 3, "2@1012 3@1013"},
    {2, 1, 32, 0, 3, 4, 0, "2@1013 3@1014"},  /* 0 3 6 9: an even number of ones, bank 0 */
    {4, 32, 16, 0, 1, 1, 0, "2@1011 3@1013"}, /* two groups of lanes: 1000, 1001; 1002, 1003 */
    {4, 32, 16, 0, 1, 4, 4, "2@1013 3@1015"},
    {1, 1, 8, 0, 1, 2, 0, "2@1013 3@1017"},
};

static void take_the_most_of_all(void **state)
{
    (void)state;
    static const char *const orders[] = {"first", "last", "mrpb", "banks", "banks last"};
    for (size_t i = 0; i < 5 * sizeof rows / sizeof rows[0]; i++) {
        const char *order = orders[i % 5];
        char text[256];
        fixture fixture;
        gm_config config =
            machine(rows[i / 5].tag_banks, rows[i / 5].data_banks, rows[i / 5].lanes);
        bool banked = strncmp(order, "banks", 5) == 0;
        config.l1.bypass = strcmp(order, "mrpb") == 0 ? GM_BYPASS_MRPB : GM_BYPASS_NONE;
        config.l1.lookup = strstr(order, "last") != NULL ? GM_LOOKUP_LAST : GM_LOOKUP_FIRST;
        if (banked) { /* four lines a cycle that follow each other */
            config.l1.ports = 1;
            config.l1.banks = 4;
            config.l1.bank_interleave = 128;
            if (rows[i / 5].apart != 1) {
                continue;
            }
        }
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 0, 0, 1, 1, 0, 9);
        issue(&fixture, GM_REQUEST_LOAD, 1, rows[i / 5].line, rows[i / 5].apart, rows[i / 5].lines,
              0, 9);
        run_until(&fixture, 999, text, sizeof text);
        issue(&fixture, GM_REQUEST_LOAD, 2, rows[i / 5].line, rows[i / 5].apart, rows[i / 5].lines,
              rows[i / 5].passes, 999);
        issue(&fixture, GM_REQUEST_LOAD, 3, 0, 1, 1, 0, 1000);
        run_until(&fixture, 2000, text, sizeof text);
        if (strcmp(text, rows[i / 5].done) != 0) {
            fail_msg("row %zu, %s: %s", i / 5, order, text);
        }
        assert_true(gm_load_store_idle(&fixture.unit));
        destroy(&fixture);
    }
}

/* Shared memory: its passes or the groups of lanes, whichever are more. An L1 access behind it may
 * be done before it. */
static void shared_memory_beside_the_l1(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = machine(4, 32, 16);
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 0, 1, 4, 0, 9);
    run_until(&fixture, 999, text, sizeof text);
    issue(&fixture, GM_REQUEST_LOAD, 2, 0, 0, 0, 1, 999);  /* 1000, 1001 */
    issue(&fixture, GM_REQUEST_LOAD, 3, 0, 0, 0, 3, 999);  /* 1002 to 1004 */
    issue(&fixture, GM_REQUEST_LOAD, 4, 0, 1, 4, 4, 1000); /* 1005 to 1008 */
    issue(&fixture, GM_REQUEST_LOAD, 5, 0, 0, 0, 0, 1000); /* touches nothing: 1009 */
    issue(&fixture, GM_REQUEST_LOAD, 6, 0, 1, 1, 0, 1001); /* 1010, 1011 */
    run_until(&fixture, 2000, text, sizeof text);
    assert_string_equal(text, "5@1009 4@1018 2@1021 6@1021 3@1024");
    destroy(&fixture);
}

/* Generic accesses with lines and with passes over shared memory. An atomic's passes are never over
 * the data; a load's are without banks of the data. */
static void generic_accesses(void **state)
{
    (void)state;
    static const struct {
        gm_request_kind kind;
        uint64_t data_banks;
        const char *done;
    } cases[] = {
        {GM_REQUEST_LOAD, 32, "2@1012"}, /* passes 1000 to 1002, as in the L1 */
        {GM_REQUEST_LOAD, 1, "2@1022"},  /* as in shared memory */
        {GM_REQUEST_ATOMIC, 32, "2@1022"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        fixture fixture;
        gm_config config = machine(4, cases[i].data_banks, 32);
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 1, 0, 1, 1, 0, 9);
        run_until(&fixture, 999, text, sizeof text);
        issue(&fixture, cases[i].kind, 2, 0, 1, 1, 3, 999);
        run_until(&fixture, 2000, text, sizeof text);
        assert_string_equal(text, cases[i].done);
        destroy(&fixture);
    }
}

/* A load of two lines that misses takes its passes once, when it is taken, and is done with its
 * data. */
static void misses_pass_once(void **state)
{
    (void)state;
    char text[256];
    fixture fixture;
    gm_config config = machine(4, 32, 32);
    make(&fixture, &config);
    issue(&fixture, GM_REQUEST_LOAD, 1, 0, 1, 2, 2, 999);   /* both in 1000; sent in 1001, 1002 */
    issue(&fixture, GM_REQUEST_LOAD, 2, 0, 1, 1, 8, 1000);  /* passes 1002 to 1009, merged */
    issue(&fixture, GM_REQUEST_STORE, 3, 7, 1, 1, 0, 1001); /* 1010, sent in 1011 */
    run_until(&fixture, 2000, text, sizeof text);
    assert_string_equal(text, "2@1022 1@1023 3@1031");
    destroy(&fixture);
}

/* sm.pass_interval: so many instructions of different warps take turns, and one begins in a cycle.
 * Accesses of shared memory, each of a warp, issued in 999; in the last two rows hits of the L1. */
static const struct {
    uint64_t interval;
    uint32_t lines;
    struct {
        uint16_t warp;
        uint32_t passes;
    } access[4];
    const char *done;
} turns[] = {
    {1, 0, {{0, 32}, {0, 1}, {1, 1}}, "0@1051 1@1052 2@1053"},
    {2, 0, {{0, 32}}, "0@1082"},                 /* the last pass in 1000 + 2 * 31 */
    {2, 0, {{0, 32}, {1, 32}}, "0@1082 1@1083"}, /* beside each other */
    {2, 0, {{0, 3}, {0, 3}}, "0@1024 1@1030"},   /* of one warp: the second from 1006 on */
    {2, 0, {{0, 4}, {1, 4}, {2, 4}}, "0@1026 1@1027 2@1034"}, /* the third waits for 1008 */
    {2, 0, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}, "0@1020 1@1021 2@1022 3@1023"},
    {2, 0, {{0, 1}, {0, 1}, {0, 1}}, "0@1020 1@1022 2@1024"},
    {2, 0, {{0, 8}, {1, 1}, {1, 1}, {2, 1}}, "1@1021 2@1023 3@1025 0@1034"},
    {4, 0, {{0, 2}, {1, 2}, {2, 2}, {3, 2}}, "0@1024 1@1025 2@1026 3@1027"},
    {3, 0, {{0, 2}, {1, 2}, {2, 2}, {3, 2}}, "0@1023 1@1024 2@1025 3@1029"}, /* from 1006 on */
    {2, 1, {{0, 8}, {1, 1}}, "1@1011 0@1024"},
    {2, 1, {{0, 8}, {0, 0}}, "0@1024 1@1026"}, /* from 1016 on */
};

static void warps_take_turns(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        char text[256];
        fixture fixture;
        gm_config config = machine(4, 32, 32);
        config.sm.pass_interval = turns[i].interval;
        make(&fixture, &config);
        issue(&fixture, GM_REQUEST_LOAD, 9, 0, 1, 1, 0, 9);
        run_until(&fixture, 998, text, sizeof text);
        for (uint32_t k = 0; k < 4 && (k == 0 || turns[i].access[k].passes + turns[i].lines != 0);
             k++) {
            const gm_line_request request = {.line = 0, .lanes = 1, .sectors = 1};
            const gm_memory_access access = {.request = &request,
                                             .requests = turns[i].lines,
                                             .ticket = k,
                                             .warp = turns[i].access[k].warp,
                                             .kind = GM_REQUEST_LOAD,
                                             .passes = turns[i].access[k].passes};
            if (k < 2 || turns[i].lines == 0) {
                gm_load_store_issue(&fixture.unit, &access, 999);
            }
        }
        run_until(&fixture, 2000, text, sizeof text);
        if (strcmp(text, turns[i].done) != 0) {
            fail_msg("row %zu: %s, not %s", i, text, turns[i].done);
        }
        assert_true(gm_load_store_idle(&fixture.unit));
        destroy(&fixture);
    }
}

/* The words of 32 lanes that a measured figure names: lines.LxD, lane i at word i of one of L lines
 * that are D lines apart; stride.S+F, lanes S words apart from word F on. */
static void words_of(const char *figure, uint64_t *word)
{
    char *at;
    bool lines = strncmp(figure, "lines.", 6) == 0;
    uint64_t first = strtoull(strchr(figure, '.') + 1, &at, 10);
    uint64_t second = strtoull(at + 1, &at, 10);
    for (uint64_t i = 0; i < 32; i++) {
        word[i] = lines ? i + 32 * second * (i % first) : second + i * first;
    }
}

/* Returns the words of the fullest of 32 banks; all words differ. */
static uint32_t data_passes_of(const uint64_t *word)
{
    uint32_t count[32] = {0};
    uint32_t most = 0;
    for (unsigned i = 0; i < 32; i++) {
        uint32_t now = ++count[word[i] % 32];
        most = now > most ? now : most;
    }
    return most;
}

static void expect_passes(const char *figure, uint32_t passes)
{
    char text[256];
    char expected[32];
    uint64_t word[32];
    gm_line_request request[32];
    uint32_t count = 0;
    fixture fixture;
    gm_config config = machine(4, 32, 32);
    config.l1.tag_index = GM_TAGS_GH100;
    config.l1.size = 512 * 128;
    config.l1.ways = 128;
    make(&fixture, &config);
    words_of(figure, word);
    for (unsigned i = 0; i < 32; i++) {
        uint32_t same = 0;
        while (same < count && request[same].line != word[i] / 32) {
            same++;
        }
        request[same] = (gm_line_request){.line = word[i] / 32, .lanes = 1, .sectors = 1};
        count += same == count;
    }
    gm_memory_access access = {
        .request = request, .requests = count, .ticket = 1, .kind = GM_REQUEST_LOAD};
    gm_load_store_issue(&fixture.unit, &access, 9);
    run_until(&fixture, 999, text, sizeof text);
    access.ticket = 2;
    access.passes = data_passes_of(word) == 1 ? 0 : data_passes_of(word);
    gm_load_store_issue(&fixture.unit, &access, 999);
    run_until(&fixture, 2000, text, sizeof text);
    (void)snprintf(expected, sizeof expected, "2@%u", 1010 + passes - 1);
    if (strcmp(text, expected) != 0) {
        fail_msg("%s: %s, not %s", figure, text, expected);
    }
    destroy(&fixture);
}

/* l1.tag_index=gh100: cycles of a load of 32 warps, as measured on an H100. */
static void as_measured(void **state)
{
    (void)state;
    test_command measured = test_run("awk -F ';' '/^(lines|stride)\\./ { print $1, $3 }' "
                                     "tests/golden/silicon_h100_measured.csv");
    unsigned figures = 0;
    char *rest = NULL;
    for (char *line = strtok_r(measured.output, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest), figures++) {
        char *value = strchr(line, ' ');
        *value++ = '\0';
        double cycles = strtod(value, NULL);
        assert_true(fabs(cycles - round(cycles)) <= 0.04 * cycles);
        expect_passes(line, (uint32_t)lround(cycles));
    }
    assert_int_equal(figures, 352);
    test_command_free(&measured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(take_the_most_of_all), cmocka_unit_test(shared_memory_beside_the_l1),
        cmocka_unit_test(generic_accesses),     cmocka_unit_test(misses_pass_once),
        cmocka_unit_test(as_measured),          cmocka_unit_test(warps_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The lockstep engine: sound RTL passes; each kind of fault is caught, named, shortened and
 * replayed. The faulty RTL is counter_table (tests/cosim/counter_table), whose Fault parameter
 * selects the fault, and modules with one port too few or too many. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COSIM "build/goldmem-cosim"

/* As test_expect for standard output alone; does not free the command. */
static void expect(test_command *command, int status, const char *text)
{
    if (command->status != status || strstr(command->output, text) == NULL) {
        fail_msg("expected status %d and '%s', got %d and:\n%s%s", status, text, command->status,
                 command->output, command->errors);
    }
}

static void state_in_sram_agrees(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(COSIM " counter_table --set fault=none --set misses=nothing "
                                          "--transactions 50000");
    expect(&command, 0, "counter_table: end: 2 instances");
    expect(&command, 0,
           "counter_table: self-check: in all instances together 34 bits of requests took both "
           "values, 6 differences in one bit from stored fields and 4 limits were met");
    test_command_free(&command);
}

/* A stimulus that does not meet a bit of a request, a difference from a stored field, or a limit
 * fails in a run that is long enough, and is told so in a shorter one. */
static void what_the_stimulus_misses_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const struct {
        const char *misses, *words;
    } cases[] = {
        {"bit", "never in rows=3 bits=5 fault=none misses=bit: way: bit 0 is 1\n"},
        {"stored", "misses=stored: touched row: a request differs from a stored one in bit 2 only"},
        {"limit", "misses=limit: way at its end and one more: 1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_command command =
            test_run(COSIM " counter_table --set misses=%s --transactions 16384", cases[i].misses);
        expect(&command, 6, cases[i].words);
        expect(&command, 6, "counter_table: coverage: 1 instances, 16384 transactions");
        test_command_free(&command);
        command =
            test_run(COSIM " counter_table --set misses=%s --transactions 16383", cases[i].misses);
        expect(&command, 0, "self-check: not applied: 16383 transactions of each instance, ");
        test_command_free(&command);
    }
}

/* Each block in lockstep, in its coverage build: a mismatch, or a cover point or line of the RTL
 * that is never reached, fails. */
static void every_block_agrees_and_is_covered(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("for ports in cmodel/include/goldmem/ports/*.h; do block=$(basename $ports .h); "
                 "build/goldmem-cosim $block --build build/cosim/$block.coverage.so "
                 "--transactions 200000 --coverage %s/c.dat --bundle %s/b || exit; done",
                 test_folder(), test_folder());
    expect(&command, 0, "set_index: coverage: 9 of 9 cover points, 18 of 18 lines");
    expect(&command, 0, "mshr: coverage: 36 of 36 cover points, ");
    test_command_free(&command);
}

static void what_is_never_covered_fails(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run(COSIM " counter_table --build build/cosim/counter_table.coverage.so "
                       "--transactions 40000 --coverage %s/c.dat",
                 test_folder());
    expect(&command, 6, "never: c_never");
    expect(&command, 6, "never: c_before_reset"); /* only as powered up */
    test_command_free(&command);
}

/* Fault, the words that name it, exit status, and the most lines of its shortened stimulus (4 are
 * the header; a fault that waits for 100 responses needs about 100). */
static const struct {
    const char *fault;
    const char *words;
    int status;
    unsigned lines;
} faults[] = {
    {"value", "mismatch: wrong response", 1, 110},
    {"dropped", "mismatch: dropped response", 1, 110},
    {"extra", "mismatch: extra response", 1, 110},
    {"reordered", "mismatch: reordered response", 1, 110},
    {"state", "mismatch: wrong state", 1, 5}, /* one ADD */
    {"hazard", "mismatch: wrong response", 1,
     8}, /* two ADDs, one after the other, seen by a READ */
    {"unstable", "assertion: assertion", 3, 120},
    {"hang", "time-out: request not accepted", 4, 110},
    {"refuse", "time-out: request not accepted", 4, 110},
    /* What only an impolite driver finds: */
    {"parked", "mismatch: wrong response", 1, 6}, /* noise on idle inputs */
    {"asleep", "mismatch: wrong response", 1, 6}, /* a long wait */
    {"power", "mismatch: wrong response", 1, 6},  /* power-up values of the seed */
    {"stale", "mismatch: wrong response", 1, 10}, /* a reset at a certain cycle */
    {"reloading", "mismatch: response changed while stalled", 1, 6},
    {"withdrawn", "mismatch: response withdrawn", 1, 120},
};

static void each_fault_is_caught_and_replayed(void **state)
{
    (void)state;
    test_only_in_plain_build();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        test_command command = test_run(COSIM " counter_table --set fault=%s --transactions 20000 "
                                              "--bundle %s/%s",
                                        faults[i].fault, test_folder(), faults[i].fault);
        expect(&command, faults[i].status, faults[i].words);
        test_command_free(&command);

        command = test_run("test -s %s/%s/window.fst && wc -l <%s/%s/stimulus.txt", test_folder(),
                           faults[i].fault, test_folder(), faults[i].fault);
        assert_int_equal(command.status, 0);
        assert_in_range(strtoul(command.output, NULL, 10), 5, faults[i].lines);
        test_command_free(&command);

        command = test_run(COSIM " counter_table --replay %s/%s/stimulus.txt", test_folder(),
                           faults[i].fault);
        expect(&command, faults[i].status, faults[i].words);
        test_command_free(&command);

        command = test_run("cat %s/%s/report.txt", test_folder(), faults[i].fault);
        expect(&command, 0, "seed 1, episode");
        expect(&command, 0, "last transactions of its subject");
        test_command_free(&command);
    }
}

/* A reset in a stimulus drops what is in flight and begins the model anew; a bad one is refused. */
static void a_stimulus_may_reset(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const struct {
        const char *lines, *words;
        int status;
    } cases[] = {
        {"0 0 1 3 0 5\nreset 1 2\n0 0 0 3 0 0\n", "end: 1 instances, 1 transactions", 0},
        {"0 0 1 3 0 5\nreset 9 1\n0 0 0 3 0 0\n", "end: 1 instances, 2 transactions", 0},
        /* Longer waits than the time-out: the RTL is not to blame. */
        {"9000 0 1 3 0 5\n0 9000 0 3 0 0\n", "end: 1 instances, 2 transactions", 0},
        {"reset 1 2\n0 0 1 3 0 5\n", "4: not a reset of a transaction: 'reset 1 2'", 2},
        {"0 0 1 3 0 5\nreset 1 0\n", "5: not a reset of a transaction: 'reset 1 0'", 2},
        {"seed 1 episod 2\n", "4: not 'seed N episode N': 'seed 1 episod 2'", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        int length = snprintf(text, sizeof text,
                              "block counter_table\noptions rows=4 bits=5 fault=none\n"
                              "seed 7 episode 2\n%s",
                              cases[i].lines);
        test_file_write("reset.txt", text, (size_t)length);
        test_command command =
            test_run(COSIM " counter_table --replay %s/reset.txt 2>&1", test_folder());
        expect(&command, cases[i].status, cases[i].words);
        test_command_free(&command);
    }
}

/* One seed gives one run, with its waits, resets and power-ups; a waveform for each power-up. */
static void one_seed_is_one_run(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("for seed in 5 5 6; do " COSIM " counter_table --set rows=4 "
                                    "--seed $seed --transactions 20000 | "
                                    "sed -n '/ end:/s/cycles.*//p'; done");
    char *second = strchr(command.output, '\n') + 1;
    char *third = strchr(second, '\n') + 1;
    assert_memory_equal(command.output, second, (size_t)(second - command.output));
    assert_memory_not_equal(second, third, (size_t)(third - second));
    test_command_free(&command);
    command = test_run(COSIM " counter_table --set rows=4 --transactions 8193 --wave %s/5.fst && "
                             "test -s %s/5.fst && test -s %s/5.fst.1 && ! test -e %s/5.fst.2",
                       test_folder(), test_folder(), test_folder(), test_folder());
    expect(&command, 0, "end: 1 instances, 8193 transactions");
    test_command_free(&command);
}

static void the_assertion_is_named(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run(COSIM " counter_table --set fault=unstable --bundle %s/a", test_folder());
    expect(&command, 3, "lane_8.sva.a_response_stable");
    test_command_free(&command);
}

/* --bundle makes the folders above its own; one that cannot be made is named. */
static void the_bundle_makes_its_folders(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char run[] = COSIM " counter_table --set fault=value --transactions 20000 "
                                    "--bundle %s/%s";
    test_command command = test_run(run, test_folder(), "new/and/deep/");
    expect(&command, 1, "mismatch: wrong response");
    test_command_free(&command);
    command = test_run("cat %s/new/and/deep/report.txt", test_folder());
    expect(&command, 0, "seed 1, episode");
    test_command_free(&command);
    test_file_write("file", "", 0);
    command = test_run(run, test_folder(), "file/deep");
    assert_non_null(strstr(command.errors, "/file/deep: Not a directory"));
    test_command_free(&command);
    command = test_run(run, test_folder(), "file");
    assert_non_null(strstr(command.errors, "/file: not a folder"));
    test_command_free(&command);
}

static void the_user_may_stop_it(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run(TEST_WAIT COSIM " set_index --build $PWD/build/cosim/set_index.coverage.so "
                                 "--transactions 100000000000 & "
                                 "catches $! 0x2; kill -INT $!; wait $!");
    expect(&command, 5, "set_index: user: 2 instances");
    test_command_free(&command);
}

/* A fault in bits that only a complete stimulus sets; make broken-designs runs all of the list. */
static void a_fault_in_upper_bits_is_caught(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("scripts/broken-designs.sh line_bits 2>&1");
    expect(&command, 0, "line_bits: caught: tag_store: mismatch: wrong response");
    test_command_free(&command);
}

/* The working and the broken example of docs/bring-your-rtl.md. */
static void your_own_rtl_is_checked(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char make[] =
        "make -s cosim BLOCK=set_index DUT=docs/examples/%s.sv TOP=%s FIXED=1 "
        "SET='sets=32 index=ipoly:37 address_bits=32' 2>&1";
    char line[512];
    snprintf(line, sizeof line, make, "my_set_index", "my_set_index");
    test_command command = test_run("%s", line);
    expect(&command, 0, "set_index: end: 1 instances, 1000000 transactions");
    test_command_free(&command);
    snprintf(line, sizeof line, make, "my_broken_set_index", "my_broken_set_index");
    command = test_run("%s", line);
    expect(&command, 2, "set_index: mismatch: wrong response in my_broken_set_index");
    expect(&command, 2, "(differ in 0x4)");
    test_command_free(&command);
    command = test_run("grep 'of its subject' build/cosim/set_index-failure/report.txt");
    expect(&command, 0, "last transactions of its subject (0x");
    test_command_free(&command);
    command = test_run("grep -c '^[0-9d]' build/cosim/set_index-failure/stimulus.txt");
    expect(&command, 0, "1\n");
    test_command_free(&command);
}

/* A fault of state that takes long: an answer is spoilt when a counter of 14 bits wraps. In this
 * program, since builds of a user's set_index share a folder. */
static void long_state_is_reached(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(
        "sed 's/index_o <=/index_r <=/; s/^  assign request_ready_o/  logic [13:0] count_q;\\n"
        "  logic [4:0] index_r;\\n  logic wraps_q;\\n"
        "  assign index_o = index_r ^ {4'\\''d0, wraps_q};\\n"
        "  always_ff @(posedge clk_i or negedge rst_ni) begin\\n"
        "    if (!rst_ni) count_q <= 14'\\''d0;\\n"
        "    else if (request_valid_i \\&\\& request_ready_o) count_q <= count_q + 14'\\''d1;\\n"
        "  end\\n  always_ff @(posedge clk_i)\\n"
        "    if (request_ready_o) wraps_q <= request_valid_i \\&\\& count_q == 14'\\''h3fff;\\n&/' "
        "docs/examples/my_set_index.sv >%s/count.sv && make -s cosim BLOCK=set_index "
        "DUT=%s/count.sv TOP=my_set_index FIXED=1 "
        "SET='sets=32 index=ipoly:37 address_bits=32' 2>&1",
        test_folder(), test_folder());
    assert_int_equal(command.status, 2); /* of make */
    assert_non_null(strstr(command.output, "at transaction 16383, "));
    assert_non_null(strstr(command.output, "(differ in 0x1)"));
    test_command_free(&command);
}

/* Fails unless the first line of the command's output holds `text`. */
static void expect_first_line(test_command *command, int status, const char *text)
{
    char *end = strchr(command->output, '\n');
    if (end != NULL) {
        *end = '\0';
    }
    expect(command, status, text);
    test_command_free(command);
}

/* A user's module that Verilator or its ports make impossible: the first line says what is wrong.
 * The files are of tests/cosim/ports, or docs/examples/my_set_index.sv edited. */
static void a_module_that_does_not_fit_is_named(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char fixed[] = "FIXED=1 SET='sets=32 index=ipoly:37 address_bits=32'";
    test_command command =
        test_run("sed 's/assign request_ready_o =/& =/' docs/examples/my_set_index.sv >%s/"
                 "syntax.sv; sed '0,/^ *always_ff/s//  logic [3:0] narrow; assign narrow = "
                 "5'\\''d1;\\n&/' docs/examples/my_set_index.sv >%s/warns.sv",
                 test_folder(), test_folder());
    assert_int_equal(command.status, 0);
    test_command_free(&command);
    const struct {
        const char *target, *folder, *file, *top, *options, *words;
        int status;
    } rows[] = {
        {"cosim", "tests/cosim/ports", "missing", "set_index_missing", "",
         "set_index_missing has no port index_o of cmodel/", 2},
        {"cosim", "tests/cosim/ports", "left_over", "set_index_left_over", "",
         "has a port debug_o that cmodel/", 2},
        {"systemc", "tests/cosim/ports", "narrow", "set_index_narrow", "",
         "port line_i of set_index_narrow has 32 bits; with these parameters", 2},
        {"cosim", "docs/examples", "my_set_index", "my_set_index", "",
         "my_set_index has no parameter LineW of cmodel/", 2},
        {"dpi", "docs/examples", "my_set_index", "my_set_index", "",
         "LineW of cmodel/include/goldmem/ports/set_index.h; a module of one", 2},
        {"cosim", test_folder(), "syntax", "my_set_index", fixed,
         "syntax.sv:30: syntax error, unexpected '='", 2},
        {"cosim TRANSACTIONS=100", test_folder(), "warns", "my_set_index", fixed,
         "Verilator warns 1 times of files of yours: build/cosim/set_index.user.d/", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        command = test_run("make -s %s BLOCK=set_index TOP=%s DUT=%s/%s.sv %s 2>&1", rows[i].target,
                           rows[i].top, rows[i].folder, rows[i].file, rows[i].options);
        expect_first_line(&command, rows[i].status, rows[i].words);
    }
}

/* Files that no tool needs to read: scripts/check-dut.sh says why, in one line. */
static void a_file_that_cannot_be_the_block_is_named(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_file_write("my.vhdl", "entity my is end;\n", 18);
    test_file_write("none.sv", "// module set_index\n/* module\nset_index */\n", 43);
    static const struct {
        const char *arguments, *words;
    } rows[] = {
        {"set_index %s/my.vhdl", "my.vhdl: VHDL; Verilator reads SystemVerilog only"},
        {"set_index nothing.sv", "goldmem: nothing.sv: no such file"},
        {"set_index tests", "goldmem: tests: not a file that can be read"},
        {"set_index %s/none.sv", "none.sv: no module in it"},
        {"set_index docs/examples/my_set_index.sv",
         "has no module set_index; it has my_set_index\n"},
        {"mine docs/examples/my_set_index.sv", "has no module mine; it has my_set_index"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char arguments[512];
        snprintf(arguments, sizeof arguments, rows[i].arguments, test_folder());
        test_command command =
            test_run("scripts/check-dut.sh goldmem set_index %s 2>&1", arguments);
        assert_string_equal(strchr(command.output, '\n'), "\n");
        expect(&command, 2, rows[i].words);
        test_command_free(&command);
    }
}

/* A wrong BLOCK, DUT, TOP or SET: make builds nothing and says why in its first line. */
static void make_names_what_is_missing(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"cosim BLOCK=nothing", "no block 'nothing'; there are "},
        {"cosim DUT=docs/examples/my_set_index.sv", "DUT= and SET= need BLOCK="},
        {"cosim BLOCK=set_index TOP=mine", "TOP= and FIXED= need DUT="},
        {"cosim BLOCK=set_index DUT=nothing.sv TOP=mine", "make cosim: nothing.sv: no such file"},
        {"systemc BLOCK=set_index DUT=docs/examples/my_set_index.sv",
         "has no module set_index; it has my_set_index: TOP=my_set_index?"},
        {"systemc BLOCK=set_index DUT=docs/examples/my_set_index.sv TOP=my_set_index FIXED=1",
         "FIXED=1 needs SET=: the configuration of my_set_index"},
        {"dpi BLOCK=set_index DUT=docs/examples/my_set_index.sv",
         "make dpi: docs/examples/my_set_index.sv: has no module set_index"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_command command = test_run("make -s %s 2>&1", cases[i].arguments);
        expect_first_line(&command, 2, cases[i].words);
    }
}

static void bad_input_is_one_line(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_file_write("bad.txt",
                    "block set_index\noptions sets=32 index=ipoly:37 address_bits=32\n"
                    "0 0 0 2000000 0 0\n",
                    83);
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"", "goldmem-cosim: no BLOCK; try 'goldmem-cosim --help'"},
        {"nothing", "nothing.so: not built; make cosim BLOCK=nothing builds it"},
        {"set_index mshr", "one block at a time: 'mshr' is one too many"},
        {"set_index --sed 1", "unknown option '--sed'; did you mean '--seed'?"},
        {"set_index --seed x", "'x' is not a number"},
        {"mshr --build $here/build/cosim/set_index.coverage.so", "is a build of set_index"},
        {"set_index --build $here/build/cosim/set_index.coverage.so --set sets=31",
         "no instance with sets=31 is built"},
        {"set_index --build $here/build/cosim/set_index.coverage.so --replay /nonexistent",
         "No such file or directory"},
        {"set_index --build $here/build/cosim/set_index.coverage.so --replay bad.txt",
         "bad.txt:3: not a transaction: '0 0 0 2000000 0 0'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_command command =
            test_run("here=$PWD; cd %s; $here/" COSIM " %s", test_folder(), cases[i].arguments);
        assert_int_equal(command.status, 2);
        assert_string_equal(strchr(command.errors, '\n'), "\n");
        assert_non_null(strstr(command.errors, cases[i].words));
        test_command_free(&command);
    }
}

/* Options out of range are refused with the C model's message. */
static void bad_options_are_refused(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("build/cosim/mshr.generate mshr 'entries=1025' /dev/null "
                                    "/dev/null");
    assert_int_equal(command.status, 2);
    assert_string_equal(command.errors,
                        "goldmem-cosim: mshr: mshr: entries 1025: must be 1 to 1024\n");
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_in_sram_agrees),
        cmocka_unit_test(what_the_stimulus_misses_fails),
        cmocka_unit_test(every_block_agrees_and_is_covered),
        cmocka_unit_test(what_is_never_covered_fails),
        cmocka_unit_test(each_fault_is_caught_and_replayed),
        cmocka_unit_test(a_stimulus_may_reset),
        cmocka_unit_test(one_seed_is_one_run),
        cmocka_unit_test(the_assertion_is_named),
        cmocka_unit_test(the_bundle_makes_its_folders),
        cmocka_unit_test(the_user_may_stop_it),
        cmocka_unit_test(a_fault_in_upper_bits_is_caught),
        cmocka_unit_test(your_own_rtl_is_checked),
        cmocka_unit_test(long_state_is_reached),
        cmocka_unit_test(a_module_that_does_not_fit_is_named),
        cmocka_unit_test(a_file_that_cannot_be_the_block_is_named),
        cmocka_unit_test(make_names_what_is_missing),
        cmocka_unit_test(bad_input_is_one_line),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}

/* goldmem compare: the report of two small runs, line by line against calculations by hand; real
 * runs; limits; what is refused. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two SMs of two schedulers: 4 slots a cycle. Run A: 1000 cycles; B: 800. */
static const char run_a[] =
    "{\"schema\": 1, \"version\": \"1\", \"engine\": \"cycle\", \"input\": \"workload:x\", "
    "\"preset\": \"p\", \"config\": {\"l1.index\": \"xor\", \"gpu.sms\": 2},\n"
    "\"kernels\": [{\"name\": \"k\", \"cycles\": 300}, {\"name\": \"m\", \"cycles\": 500}, "
    "{\"name\": \"k\", \"cycles\": 200}],\n"
    "\"total\": {\"cycles\": 1000, \"thread_instructions\": 4000, \"l1d\": {\"accesses\": 200, "
    "\"misses\": 100, \"load\": {\"misses\": 100}, \"store\": {\"misses\": 0}},\n"
    "\"dram\": {\"bytes\": 6400}, \"energy_pj\": {\"l1d\": 10, \"dram\": 30}, \"rates\": "
    "{\"l1d_hits\": 5},\n"
    "\"time\": {\"slots\": {\"issued\": 400, \"memory\": 2400, \"idle\": 1200}}}}\n";
static const char run_b[] =
    "{\"schema\": 1, \"version\": \"1\", \"engine\": \"cycle\", \"input\": \"workload:x\", "
    "\"preset\": \"p\", \"config\": {\"l1.index\": \"ipoly:37\", \"gpu.sms\": 2},\n"
    "\"kernels\": [{\"name\": \"k\", \"cycles\": 200}, {\"name\": \"m\", \"cycles\": 500}, "
    "{\"name\": \"k\", \"cycles\": 100}],\n"
    "\"total\": {\"cycles\": 800, \"thread_instructions\": 4000, \"l1d\": {\"accesses\": 200, "
    "\"misses\": 50, \"load\": {\"misses\": 50}, \"store\": {\"misses\": 0}},\n"
    "\"dram\": {\"bytes\": 6464}, \"energy_pj\": {\"l1d\": 10, \"dram\": 15}, \"rates\": "
    "{\"l1d_hits\": 9},\n"
    "\"time\": {\"slots\": {\"issued\": 400, \"memory\": 1600, \"idle\": 1000, \"throttled\": "
    "200}}}}\n";

static void write_runs(void)
{
    test_file_write("a.json", run_a, sizeof run_a - 1);
    test_file_write("b.json", run_b, sizeof run_b - 1);
}

static test_command compare(const char *arguments)
{
    return test_run("g=$(realpath $GOLDMEM); cd '%s' && $g compare %s", test_folder(), arguments);
}

/* Runs a shell command in the test's folder; $g is goldmem. */
static void run_in_folder(const char *line)
{
    test_command command =
        test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s; }", test_folder(), line);
    test_expect(&command, 0, "");
}

/* 4000 slots in 1000 cycles: 2400 of memory are 600 cycles; in B 3200 in 800: 1600 are 400. */
static void by_hand(void **state)
{
    (void)state;
    write_runs();
    test_command command = compare("a.json b.json");
    assert_int_equal(command.status, 0);
    static const char expected[] =
        "run          cycles   speed L1 misses L2 misses      DRAM bytes        energy [pJ]  file: "
        "input, preset\n"
        "A             1,000    1.00     50.0%      0.0%           6,400                 40  "
        "a.json: workload:x, p\n"
        "B               800    1.25     25.0%      0.0%           6,464                 25  "
        "b.json: workload:x, p\n"
        "\n"
        "B against A\n"
        "  l1.index                                     \"xor\" -> \"ipoly:37\"\n"
        "\n"
        "                                                   A               B           change     "
        " of A\n"
        "  cycles                                       1,000             800             -200    "
        "-20.0%\n"
        "\n"
        "Cycles by what the schedulers did in them: all sum up to the change\n"
        "  memory                                         600             400             -200    "
        "-33.3%      100%\n"
        "  idle                                           300             250              -50    "
        "-16.7%       25%\n"
        "  throttled                                        0              50              +50     "
        "  new      -25%\n"
        "\n"
        "Cycles of kernels\n"
        "  k                                              500             300             -200    "
        "-40.0%      100%\n"
        "\n"
        "Accesses of the L1s\n"
        "  l1d.misses                                     100              50              -50    "
        "-50.0%\n"
        "\n"
        "Accesses of the L2\n"
        "  no change\n"
        "\n"
        "Failed attempts, by what was full\n"
        "  no change\n"
        "\n"
        "Bytes\n"
        "  dram.bytes                                   6,400           6,464              +64     "
        "+1.0%\n"
        "\n"
        "DRAM\n"
        "  no change\n"
        "\n"
        "Energy, in pJ\n"
        "  energy_pj.dram                                  30              15              -15    "
        "-50.0%\n"
        "\n"
        "Other counters\n"
        "  no change\n";
    assert_string_equal(command.output, expected);
    test_command_free(&command);
    command = compare("--noise=2% a.json b.json | grep -c dram.bytes");
    assert_string_equal(command.output, "0\n");
    test_command_free(&command);
    command = compare("--json a.json b.json | jq -c '.runs[0] | [.cycles, .slots[0], (.kernels | "
                      "length), ([.counters[] | select(.name | startswith(\"l1d\"))])]'");
    assert_string_equal(command.output,
                        "[{\"a\":1000,\"b\":800},{\"name\":\"time.slots.memory\",\"a\":600,\"b\":"
                        "400},1,[{\"name\":\"l1d.load.misses\",\"a\":100,\"b\":50},{\"name\":"
                        "\"l1d.misses\",\"a\":100,\"b\":50}]]\n");
    test_command_free(&command);
}

static void limits(void **state)
{
    (void)state;
    write_runs();
    static const struct {
        const char *arguments, *errors;
        int status;
    } rows[] = {
        {"--fail-above=20% a.json b.json", "", 0},
        {"--fail-above=19.9 a.json b.json",
         "goldmem: b.json: cycles=800: -20.00% of a.json's 1000, above 19.90%\n", 1},
        {"--fail-above=dram.bytes:0.5% --fail-above=50% a.json b.json",
         "goldmem: b.json: dram.bytes=6464: +1.00% of a.json's 6400, above 0.50%\n", 1},
        {"--fail-above=0% a.json a.json", "", 0},
        {"--fail-above=dram.byte:1% a.json b.json",
         "goldmem: --fail-above: a.json has no counter 'dram.byte'\n", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_command command = compare(rows[i].arguments);
        assert_string_equal(command.errors, rows[i].errors);
        assert_int_equal(command.status, rows[i].status);
        test_command_free(&command);
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    write_runs();
    run_in_folder("sed 's/workload:x/workload:y/' a.json >y.json && sed 's/\"schema\": "
                  "1/\"schema\": 7/' a.json >new.json && sed 's/\"total\"/\"all\"/' a.json "
                  ">part.json && head -c 150 a.json >cut.json && echo '{}' >empty.json");
    static const struct {
        const char *arguments, *errors;
    } rows[] = {
        {"a.json", "goldmem: two reports or more are compared; try 'goldmem compare --help'\n"},
        {"a.json y.json", "goldmem: y.json: input=workload:y: a.json has workload:x; "
                          "--different-inputs allows it\n"},
        {"a.json new.json", "goldmem: new.json: schema=7: must be 1\n"},
        {"a.json empty.json", "goldmem: empty.json: no report of goldmem run --json: no schema\n"},
        {"part.json b.json", "goldmem: part.json: no report of goldmem run --json: no total\n"},
        {"a.json nothing.json", "goldmem: nothing.json: No such file or directory\n"},
        {"a.json .", "goldmem: .: Is a directory\n"},
        {"--noise=-1 a.json b.json", "goldmem: --noise -1: must be a percentage, such as 1%; try "
                                     "'goldmem compare --help'\n"},
        {"--fail-above=x a.json b.json",
         "goldmem: --fail-above x: must be a percentage, such as 2%, or COUNTER:2%; try 'goldmem "
         "compare --help'\n"},
        {"--most=x a.json b.json",
         "goldmem: --most x: must be 0 to 1000000; try 'goldmem compare --help'\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_command command = compare(rows[i].arguments);
        assert_string_equal(command.errors, rows[i].errors);
        assert_string_equal(command.output, "");
        assert_int_equal(command.status, 2);
        test_command_free(&command);
    }
    test_command cut = compare("a.json cut.json");
    assert_non_null(strstr(cut.errors, "goldmem: cut.json:2: premature end of input"));
    test_expect(&cut, 2, "");
    test_command other = compare("--different-inputs a.json y.json");
    test_expect(&other, 0, "");
}

/* Parts of one input beside the whole and each other; each run is marked. */
static void parts_of_an_input(void **state)
{
    (void)state;
    run_in_folder(
        "r() { j=$1; shift; $g run -q --set gpu.sms=4 \"$@\" --json $j workload:bfs,nodes=256; "
        "}; "
        "r whole && r again --set l1.ways=8 && r cycles --max-cycles 2K && r cycles2 --max-cycles "
        "2K --set l1.ways=8 && r fewer --max-cycles 1K && r first --kernels 0-1,3 && r warm "
        "--warm-up kernels=1 && r both --kernels 0,1,3 --max-cycles 500 && r order --engine=order "
        "--max-instructions 5K && jq '.partial = true | .stopped.reason = \"interrupted\" | del("
        ".stopped.limit)' cycles >signal");
    static const struct {
        const char *a, *b, *refused, *mark;
    } rows[] = {
        {"whole", "again", NULL, ""},
        {"cycles", "cycles2", NULL, ", stopped at max_cycles=2000"},
        {"signal", "signal", NULL, ", interrupted in kernel 2, cycle 2000"},
        {"whole", "cycles", "stopped at max_cycles=2000: whole is whole",
         ", stopped at max_cycles=2000"},
        {"cycles", "whole", "whole: cycles is stopped at max_cycles=2000", ""},
        {"cycles", "fewer", "stopped at max_cycles=1000: cycles is stopped at max_cycles=2000",
         ", stopped at max_cycles=1000"},
        {"cycles", "signal",
         "interrupted in kernel 2, cycle 2000: cycles is stopped at max_cycles=2000",
         ", interrupted in kernel 2, cycle 2000"},
        {"whole", "first", "of kernels 0-1,3: whole is whole", ", of kernels 0-1,3"},
        {"whole", "warm", "after a warm-up of kernels=1: whole is whole",
         ", after a warm-up of kernels=1"},
        {"whole", "both", "of kernels 0, stopped at max_cycles=500: whole is whole",
         ", of kernels 0, stopped at max_cycles=500"},
        {"whole", "order", "stopped at max_instructions=5000: whole is whole",
         ", order engine, stopped at max_instructions=5000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s %s", rows[i].a, rows[i].b);
        test_command command = compare(text);
        assert_int_equal(command.status, rows[i].refused != NULL ? 2 : 0);
        if (rows[i].refused != NULL) {
            snprintf(text, sizeof text, "goldmem: %s: %s; --different-parts allows it\n", rows[i].b,
                     rows[i].refused);
            assert_string_equal(command.errors, text);
            assert_string_equal(command.output, "");
        }
        test_command_free(&command);
        snprintf(text, sizeof text, "--different-parts %s %s | sed -n 3p | grep -o 'gtx480.*'",
                 rows[i].a, rows[i].b);
        command = compare(text);
        snprintf(text, sizeof text, "gtx480%s\n", rows[i].mark);
        assert_string_equal(command.output, text);
        test_command_free(&command);
    }
    test_command json = compare("--different-parts --json whole first | jq -c '.runs[0].part'");
    test_expect(&json, 0, "{\"a\":\"whole\",\"b\":\"of kernels 0-1,3\"}");
    run_in_folder("$g report -o page whole first && grep -q '<tr><th>part of the "
                  "input</th><td>whole</td><td>of kernels 0-1,3</td></tr>' page && $g report -o "
                  "page whole again && ! grep -q 'part of the input' page");
}

/* A report of the order engine has neither cycles nor what follows from them: those are left out,
 * whichever of the two comes first. */
static void engines(void **state)
{
    (void)state;
    run_in_folder("for e in cycle order; do $g run -q --engine=$e --set gpu.sms=4 --json $e "
                  "workload:kmeans,points=500; done");
    static const struct {
        const char *arguments, *output;
    } rows[] = {
        {"cycle order | sed -n 3p | cut -c1-28", "B                 -       - \n"},
        {"order cycle | sed -n 2p | cut -c1-28", "A                 -       - \n"},
        {"cycle order | grep -c 'Cycles\\|time\\.\\|leakage'", "0\n"},
        {"order cycle | grep -c 'Cycles\\|time\\.\\|leakage'", "0\n"},
        {"cycle order | sed -n 2,3p | grep -o 'gtx480, .*'",
         "gtx480, cycle engine\ngtx480, order engine\n"},
        {"--json cycle order | jq -c '.runs[0] | .cycles.b, .slots, .kernels, ([.counters[].name | "
         "select(test(\"time|leakage\"))])'",
         "null\n[]\n[]\n[]\n"},
        {"--json order cycle | jq -c '.runs[0] | .cycles.a, .slots, .kernels, ([.counters[].name | "
         "select(test(\"time|leakage\"))])'",
         "null\n[]\n[]\n[]\n"},
        {"--json order order | jq -c '.runs[0].cycles'", "{\"a\":null,\"b\":null}\n"},
        /* the energies of both columns are of the same parts */
        {"--json cycle order | jq '[.runs[0].counters[] | select(.name | startswith(\"energy\")) | "
         ".b - .a] | add' | sed 's/\\..*//' >sum; $g compare cycle order | sed -n 2,3p | tr -d , | "
         "awk '{e[NR] = $7} END {print e[2] - e[1]}' | cmp - sum && echo equal",
         "equal\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_command command = compare(rows[i].arguments);
        assert_string_equal(command.output, rows[i].output);
        assert_string_equal(command.errors, "");
        test_command_free(&command);
    }
    test_command counted = compare("cycle order | grep -c l1d");
    assert_string_not_equal(counted.output, "0\n");
    test_command_free(&counted);
    static const struct {
        const char *arguments, *errors;
    } refused[] = {
        {"--fail-above=1% cycle order", "goldmem: --fail-above: order has no counter 'cycles'\n"},
        {"--fail-above=1% order cycle", "goldmem: --fail-above: order has no counter 'cycles'\n"},
        {"--fail-above=time.loads:1% cycle cycle order",
         "goldmem: --fail-above: order has no counter 'time.loads'\n"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        test_command command = compare(refused[i].arguments);
        assert_string_equal(command.errors, refused[i].errors);
        assert_string_equal(command.output, "");
        assert_int_equal(command.status, 2);
        test_command_free(&command);
    }
}

/* A comparison longer than the buffer of standard output, as text and as JSON. */
static void a_full_disk_is_reported(void **state)
{
    (void)state;
    write_runs();
    static const char *const forms[] = {"", "--json"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char arguments[160];
        snprintf(arguments, sizeof arguments,
                 "%s a.json $(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo b.json; done) "
                 ">/dev/full",
                 forms[i]);
        test_command command = compare(arguments);
        assert_string_equal(command.errors, "goldmem: standard output: No space left on device\n");
        assert_int_equal(command.status, 1);
        test_command_free(&command);
    }
}

/* Real runs: the slots and the kernels each sum up to the change of the cycles; reports of the
 * order engine have no cycles. */
static void real_runs(void **state)
{
    (void)state;
    run_in_folder("for i in sequential ipoly:37; do for e in cycle order; do $g run -q "
                  "--engine=$e --set gpu.sms=4 --set l1.index=$i --json $e-${i%:*}.json "
                  "workload:kmeans,points=500; done; done");
    test_command command =
        compare("--json cycle-sequential.json cycle-ipoly.json | jq '.runs[0] | (.cycles.b - "
                ".cycles.a) as $d | "
                "[([.slots[] | .b - .a] | add), ([.kernels[] | .b - .a] | add)] | map(. - $d | "
                "fabs < 0.01)' -c");
    assert_string_equal(command.output, "[true,true]\n");
    test_command_free(&command);
    command = compare("order-sequential.json order-ipoly.json");
    assert_null(strstr(command.output, "Cycles by"));
    test_expect(&command, 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),         cmocka_unit_test(limits),
        cmocka_unit_test(what_is_refused), cmocka_unit_test(parts_of_an_input),
        cmocka_unit_test(engines),         cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(real_runs),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}

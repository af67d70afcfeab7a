/* Outputs that would overwrite an input, or each other: one line, exit code 2, nothing written. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs a shell command in the test's folder; $g is goldmem. */
static test_command run_in_folder(const char *line)
{
    return test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s\n}", test_folder(), line);
}

static void expect(const char *line, int status, const char *text)
{
    test_command command = run_in_folder(line);
    test_expect(&command, status, text);
}

/* Returns the names and contents of all files, links as links (heap). */
static char *contents(void)
{
    test_command command = run_in_folder("find . | sort; find . -type f | sort | xargs md5sum");
    assert_int_equal(command.status, 0);
    free(command.errors);
    return command.output;
}

/* A trace, a machine with files, a run with a checkpoint, reports: what commands read. */
static int make_inputs(void **state)
{
    test_folder_setup(state);
    expect("$g trace convert workload:vectoradd,n=64 trace 2>/dev/null && "
           "ln -s trace/kernel-1.traceg link && ln trace/kernelslist.g hard && "
           "printf 'l1:\\n  ways: 4\\n' >machine.yaml && "
           "printf 'dram:\\n  access: 1920\\n' >table.yaml && "
           "printf -- '-network_mode 1\\n-inter_config_file icnt.txt\\n' >gpgpusim.config && "
           "printf 'topology = fly;\\nk = 27;\\nn = 1;\\n' >icnt.txt && "
           "$g run -q --write-profile profile workload:vectoradd,n=64 && "
           "$g index --matrix -s 32 xor >matrix && "
           "printf '3 2\\n2\\n1 3\\n2\\n' >graph && "
           "$g run -q --json a.json --checkpoint state,every=100 --series a.csv,every=100 "
           "workload:vectoradd,n=64 && ls state && "
           "printf 'inputs: [\"workload:vectoradd,n=64\"]\\n' >s.yaml && $g sweep -q s.yaml",
           0, "state");
    return 0;
}

static void refuses_and_writes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *errors;
    } rows[] = {
        {"run --json trace/kernelslist.g trace",
         "--json trace/kernelslist.g: would overwrite the input trace/kernelslist.g"},
        {"run --csv link trace", "--csv link: would overwrite the input trace/kernel-1.traceg"},
        {"run --series ./hard,every=9 trace/kernelslist.g",
         "--series ./hard: would overwrite the input trace/kernelslist.g"},
        {"run --write-profile link trace/kernel-1.traceg",
         "--write-profile link: would overwrite the input trace/kernel-1.traceg"},
        {"run --checkpoint trace/kernel-1.traceg,every=9 trace",
         "--checkpoint trace/kernel-1.traceg: would overwrite the input trace/kernel-1.traceg"},
        {"run --json ./machine.yaml -c machine.yaml workload:vectoradd",
         "--json ./machine.yaml: would overwrite the input machine.yaml"},
        {"run --json icnt.txt -c ./gpgpusim.config workload:vectoradd",
         "--json icnt.txt: would overwrite the input ./icnt.txt"},
        {"run --resume state --json ./state workload:vectoradd,n=64",
         "--json ./state: would overwrite the input state"},
        {"run --set l1.bypass=profiled --set l1.profile=profile --write-profile ./profile "
         "workload:vectoradd,n=64",
         "--write-profile ./profile: would overwrite the input profile"},
        {"run --set l1.index=matrix:matrix --csv ./matrix workload:vectoradd",
         "--csv ./matrix: would overwrite the input matrix"},
        {"run --json ./graph workload:bfs,graph=graph",
         "--json ./graph: would overwrite the input graph"},
        {"run --json ./machine.yaml --rtl=mshr,set_index:machine.yaml workload:vectoradd",
         "--json ./machine.yaml: would overwrite the input machine.yaml"},
        {"run --set energy.table=table.yaml --json ./table.yaml workload:vectoradd",
         "--json ./table.yaml: would overwrite the input table.yaml"},
        {"run --json a.json --csv ./a.json workload:vectoradd",
         "--json and --csv both write to './a.json'; try 'goldmem run --help'"},
        {"run --json trace/new --csv trace/../trace/new workload:vectoradd",
         "--json and --csv both write to 'trace/../trace/new'; try 'goldmem run --help'"},
        {"trace info --json hard trace",
         "--json hard: would overwrite the input trace/kernelslist.g"},
        {"report -o ./a.json a.json", "-o ./a.json: would overwrite the input a.json"},
        {"report -o ./a.csv --series a.csv a.json", "-o ./a.csv: would overwrite the input a.csv"},
        {"report -o s.sweep/results.jsonl s.sweep/results.jsonl",
         "-o s.sweep/results.jsonl: would overwrite the input s.sweep/results.jsonl"},
        {"gates --emit ./matrix matrix:matrix",
         "--emit ./matrix: would overwrite the input matrix"},
        {"gates --emit ./graph --liberty graph ipoly:37",
         "--emit ./graph: would overwrite the input graph"},
        {"gates --pareto --svg ./matrix --also matrix:matrix workload:vectoradd",
         "--svg ./matrix: would overwrite the input matrix"},
        {"gates --pareto --svg ./matrix --set l1.index=matrix:matrix workload:vectoradd",
         "--svg ./matrix: would overwrite the input matrix"},
        {"gates --pareto --svg hard trace", "--svg hard: would overwrite the input "
                                            "trace/kernelslist.g"},
    };
    char *before = contents();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[256];
        char expected[256];
        snprintf(line, sizeof line, "$g %s", rows[i].arguments);
        snprintf(expected, sizeof expected, "goldmem: %s\n", rows[i].errors);
        test_command command = run_in_folder(line);
        const char *last = strstr(command.errors, "goldmem: -");
        assert_string_equal(last != NULL ? last : command.errors, expected);
        assert_string_equal(command.output, "");
        assert_int_equal(command.status, 2);
        test_command_free(&command);
        char *after = contents();
        assert_string_equal(after, before);
        free(after);
    }
    free(before);
}

/* Names that look alike, devices, and a checkpoint that goes on in its own file. */
static void takes_what_harms_nothing(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "$g run -q --json 64 workload:vectoradd,n=64 && $g run -q --json 64 "
        "workload:vectoradd,n=64",
        "$g run -q --json none --csv xor --set l1.index=xor workload:vectoradd,n=64 && "
        "$g run -q --json none --csv xor --set l1.index=xor workload:vectoradd,n=64",
        "$g run -q --resume state --checkpoint state,every=100 workload:vectoradd,n=64",
        "$g run -q --json /dev/null --csv /dev/stdout workload:vectoradd,n=64",
        "$g run -q --json a.json trace && $g run -q --json a.json trace",
        "$g report -o page.html a.json && $g report -o page.html a.json",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(rows[i], 0, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_and_writes_nothing),
        cmocka_unit_test(takes_what_harms_nothing),
    };
    return cmocka_run_group_tests(tests, make_inputs, test_folder_teardown);
}

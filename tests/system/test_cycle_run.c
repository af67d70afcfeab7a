/* The cycle engine run by the command with --check: every trace and a third of the workloads under
 * every preset, both topologies, queues of one entry, and long inputs in little memory. `make
 * regress` runs every workload under every preset, at full size. */
#include "goldmem/config.h"
#include "support/support.h"
#include "support/workload/small_workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN "$GOLDMEM run --engine=cycle --quiet --check"

static const char one_of_everything[] =
    "--set l1.mshrs=1 --set l1.merges=1 --set l1.miss_queue=1 --set l2.mshrs=1 --set l2.merges=1 "
    "--set l2.queue=1 --set l2.dram_queue=1 --set l2.reply_queue=1 --set dram.queue=1 "
    "--set dram.return_queue=1 --set noc.buffer=1 --set noc.ejection=1 --set sm.memory_queue=1";

static void run(const char *options, const char *input)
{
    test_command command = test_run(RUN " %s '%s'", options, input);
    if (command.status != 0 || command.errors_length != 0 || command.output_length != 0) {
        fail_msg("%s with %s: exit %d: %s", input, options, command.status, command.errors);
    }
    test_command_free(&command);
}

/* Calls `each` with every line of a command's output. */
static unsigned for_lines(const char *list, void (*each)(const char *line, const char *context),
                          const char *context)
{
    test_command lines = test_run("%s", list);
    unsigned count = 0;
    char *next = NULL;
    for (char *line = strtok_r(lines.output, "\n", &next); line != NULL;
         line = strtok_r(NULL, "\n", &next)) {
        each(line, context);
        count++;
    }
    test_command_free(&lines);
    return count;
}

static void run_small(const char *name, const char *options)
{
    char input[128];
    snprintf(input, sizeof input, "workload:%s", small_workload(name));
    run(options, input);
}

static void run_trace(const char *trace, const char *options)
{
    run(options, trace);
}

/* Every `step`-th workload from `first` on. */
static unsigned run_workloads(const char *options, unsigned step, unsigned first)
{
    char list[128];
    snprintf(list, sizeof list, "$GOLDMEM workloads | cut -d' ' -f1 | awk 'NR %% %u == %u'", step,
             first % step);
    return for_lines(list, run_small, options);
}

/* Every trace, and every `step`-th workload from `first` on. */
static void run_inputs(const char *options, unsigned step, unsigned first)
{
    assert_true(run_workloads(options, step, first) > 15);
    const char *traces = getenv("GOLDMEM_TRACES");
    if (traces != NULL) {
        char list[512];
        snprintf(list, sizeof list, "ls -d '%s'/*/", traces);
        assert_true(for_lines(list, run_trace, options) > 0);
    }
}

/* Every third workload, another third under the next preset. The modern GPUs are large and alike:
 * each has every eighth workload. */
static void run_preset(const char *preset, const char *context)
{
    static const char *const modern[] = {"a100", "h100", "rtx3070", "v100"};
    enum { MODERN = sizeof modern / sizeof modern[0] };
    static unsigned number;
    char options[128];
    (void)context;
    snprintf(options, sizeof options, "--preset %s", preset);
    for (unsigned i = 0; i < MODERN; i++) {
        if (strcmp(preset, modern[i]) == 0) {
            assert_true(run_workloads(options, 2 * MODERN, 2 * i) > 5);
            return;
        }
    }
    run_inputs(options, 3, number++);
}

static void inputs_under_every_preset(void **state)
{
    (void)state;
    test_only_in_plain_build(); /* test_run_workloads has each workload under one preset there */
    unsigned presets = 0;
    gm_presets(&presets);
    assert_int_equal(for_lines("$GOLDMEM presets | cut -d' ' -f1", run_preset, ""), presets);
}

/* Skipped where traces of real programs are missing. */
static void traces_are_read(void **state)
{
    (void)state;
    test_shared_data("GOLDMEM_TRACES");
}

/* Each workload on one of the machines. */
static void with_one_of_everything(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const more[] = {"--set noc.topology=crossbar",
                                       "--set noc.topology=mesh --set l1.allocation=on_fill",
                                       "--set l1.enabled=no --set noc.topology=mesh"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        char options[1024];
        snprintf(options, sizeof options, "%s %s", one_of_everything, more[i]);
        run_inputs(options, sizeof more / sizeof more[0], (unsigned)i);
    }
}

static void on_a_mesh(void **state)
{
    (void)state;
    test_only_in_plain_build();
    run_inputs("--set noc.topology=mesh --set noc.channels=2 --set l1.allocation=on_fill "
               "--set memory.banks=2 --set l2.sectored=yes --set l1.sectored=yes",
               1, 0);
}

/* Neither --no-skip nor the number of threads changes a byte. */
static void same_bytes(void **state)
{
    (void)state;
    static const char *const banks[] = {
        "--set l1.banks=1",
        "--set l1.banks=4 --set l1.lookup=last --set l1.sectored=yes "
        "--set l1.merge_by=sector --set l1.bank_index=xor",
        "--set l1.banks=2 --set l1.data_banks=32 --set sm.memory_lanes=16 --set sm.subcores=yes "
        "--set sm.collectors=8",
        "--set l1.ports=4 --set l1.tag_banks=4 --set l1.data_banks=32"};
    static const char *const inputs[] = {"bfs,nodes=500", "hotspot,n=32", "histo,n=2048",
                                         "sgemm,m=128,n=16,k=16", "spmv,rows=200"};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        test_command command = test_run(
            "cd '%s' && for option in '' --no-skip '--threads 2' '--threads 3 --no-skip'; "
            "do " RUN " $option %s --per-sm --per-bank --json - workload:%s | sha256sum; done "
            "| sort -u | wc -l",
            test_folder(), banks[i % 3], inputs[i]);
        assert_string_equal(command.output, "1\n");
        assert_string_equal(command.errors, "");
        test_command_free(&command);
    }
}

/* A hang ends with the oldest request, exit code 1, and no result. */
static void a_hang_is_an_error(void **state)
{
    (void)state;
    test_command command = test_run("cd '%s' && " RUN " --json x.json --set gpu.watchdog=150 "
                                    "--set dram.latency=1000 workload:vectoradd,n=64; "
                                    "status=$?; ls; exit $status",
                                    test_folder());
    assert_int_equal(command.status, 1);
    assert_string_equal(command.output, "");
    assert_ptr_equal(strstr(command.errors, "goldmem: cycle "), command.errors);
    assert_non_null(strstr(command.errors, "; the oldest request is there since cycle "));
    assert_non_null(strstr(command.errors, "SM 0: L1 line 0x"));
    assert_non_null(strstr(command.errors, "; beyond the SMs: "));
    test_command_free(&command);
}

/* At most 64 MB, and no more for four times the length: traces of 2 and 8 MB of text, whose loads
 * and stores alone take more than the difference that is allowed. */
static void long_traces_in_little_memory(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(
        "cd '%s' && for n in 524288 2097152; do "
        "$GOLDMEM trace convert workload:stream,n=$n,each=8,copy=1 t >/dev/null || exit; "
        "for threads in 1 2; do /usr/bin/time -f %%M -o peak$threads-$n " RUN
        " --threads $threads t || exit; done; rm -r t; done; for threads in 1 2; do "
        "less=$(cat peak$threads-524288) more=$(cat peak$threads-2097152) && "
        "[ $more -lt 65536 ] && [ $more -lt $((less + 1024)) ] || { grep . peak*; exit 1; }; done",
        test_folder());
    if (command.status != 0) {
        fail_msg("%s%s", command.output, command.errors);
    }
    assert_string_equal(command.errors, "");
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_under_every_preset),
        cmocka_unit_test(traces_are_read),
        cmocka_unit_test(with_one_of_everything),
        cmocka_unit_test(on_a_mesh),
        cmocka_unit_test_setup_teardown(same_bytes, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(a_hang_is_an_error, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(long_traces_in_little_memory, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

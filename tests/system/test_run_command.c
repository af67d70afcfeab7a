/* goldmem run: refusals, output files, signals, threads. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define SMALL "workload:syrk,n=16"

/* A refusal is one line, with nothing on standard output, and its exit code. */
static const struct {
    const char *arguments;
    int status;
    const char *errors;
} refusals[] = {
    {"", 2, "no INPUT; try 'goldmem run --help'"},
    {"a b", 2, "INPUT is given twice: 'a' and 'b'; try 'goldmem run --help'"},
    {"--jsn f a", 2, "unknown option '--jsn'; did you mean '--json'?"},
    {"--wildly-wrong a", 2, "unknown option '--wildly-wrong'; try 'goldmem run --help'"},
    {"-z a", 2, "unknown option '-z'; try 'goldmem run --help'"},
    {"a --json", 2, "option '--json' needs a value, FILE; try 'goldmem run --help'"},
    {"a -c", 2, "option '-c' needs a value, FILE; try 'goldmem run --help'"},
    {"--check=3 a", 2, "--check: no check '3'; there is values; try 'goldmem run --help'"},
    {"--per-sm=3 a", 2, "option '--per-sm' takes no value; try 'goldmem run --help'"},
    {"--engine=x a", 2,
     "--engine: no engine 'x'; there are cycle and order; try 'goldmem run --help'"},
    {"--engine=order --no-skip a", 2,
     "--no-skip needs --engine=cycle, not order; try 'goldmem run --help'"},
    {"--engine=order --resume s a", 2,
     "--resume needs --engine=cycle, not order; try 'goldmem run --help'"},
    {"--analyze=reuse --resume s a", 2,
     "--resume needs --engine=cycle, not order, the default with --analyze; try 'goldmem run "
     "--help'"},
    {"--engine=order --analyze=fills " SMALL, 2,
     "--analyze=fills needs --engine=cycle, not order; try 'goldmem run --help'"},
    {"--engine=order --checkpoint s,every=5 a", 2,
     "--checkpoint needs --engine=cycle, not order; try 'goldmem run --help'"},
    {"--checkpoint s a", 2, "--checkpoint: 's' is not FILE,every=N; try 'goldmem run --help'"},
    {"--checkpoint ,every=5 a", 2,
     "--checkpoint: ',every=5' is not FILE,every=N; try 'goldmem run --help'"},
    {"--checkpoint s,every=0 a", 2,
     "--checkpoint: every: '0' is not a number, 1 or more, with or without K, M or G; try "
     "'goldmem run --help'"},
    {"--checkpoint s,every=5,every=-1 a", 2,
     "--checkpoint: 's,every=5,every=-1': every= is given twice; try 'goldmem run --help'"},
    {"--series s.csv,every=1K,every=2K a", 2,
     "--series: 's.csv,every=1K,every=2K': every= is given twice; try 'goldmem run --help'"},
    {"--checkpoint s,every=me,every=1KK a", 2,
     "--checkpoint: every: '1KK' is not a number, 1 or more, with or without K, M or G; try "
     "'goldmem run --help'"},
    {"--checkpoint s,every=99999999999999999999 a", 2,
     "--checkpoint: every: '99999999999999999999' is not a number, 1 or more, with or without K, "
     "M or G; try 'goldmem run --help'"},
    {"--checkpoint s,every=5 --checkpoint t,every=6 a", 2,
     "--checkpoint is given twice: 's' and 't'; try 'goldmem run --help'"},
    {"--analyze=misses,x a", 2,
     "--analyze: no analysis 'x'; there are locality, reuse, misses, sharing, mrc, fills and all; "
     "try "
     "'goldmem run --help'"},
    {"--sample-mrc rate=0.1 --analyze=reuse a", 2,
     "--sample-mrc needs --analyze=mrc; try 'goldmem run --help'"},
    {"--sample-mrc rate=1.1 a", 2,
     "--sample-mrc: rate='1.1' is not a number from 2^-24 to 1; try 'goldmem run --help'"},
    {"--sample-mrc rate=nan a", 2,
     "--sample-mrc: rate='nan' is not a number from 2^-24 to 1; try 'goldmem run --help'"},
    {"--sample-mrc lines=16777217 a", 2,
     "--sample-mrc: lines='16777217' is not a number from 1 to 16777216; try 'goldmem run --help'"},
    {"--sample-mrc lines=5 --sample-mrc rate=1 a", 2,
     "--sample-mrc is given twice; try 'goldmem run --help'"},
    {"--sample-mrc 5 a", 2, "--sample-mrc: '5' is not rate=R or lines=N; try 'goldmem run --help'"},
    {"--threads 0 a", 2, "--threads: '0' is not a number from 1 to 64; try 'goldmem run --help'"},
    {"--threads 2x a", 2, "--threads: '2x' is not a number from 1 to 64; try 'goldmem run --help'"},
    {"--max-cycles 0 a", 2,
     "--max-cycles: '0' is not a number, 1 or more, with or without K, M or G; try 'goldmem run "
     "--help'"},
    {"--max-instructions 10T a", 2,
     "--max-instructions: '10T' is not a number, 1 or more, with or without K, M or G; try "
     "'goldmem "
     "run --help'"},
    {"--max-instructions 9223372036854776K a", 2,
     "--max-instructions: '9223372036854776K' is not a number, 1 or more, with or without K, M or "
     "G; try 'goldmem run --help'"},
    {"--engine=order --max-cycles 5 a", 2,
     "--max-cycles needs --engine=cycle, not order; try 'goldmem run --help'"},
    {"--kernels 3-1 a", 2,
     "--kernels: '3-1' is not a list of numbers and ranges, as 1,3-7; try 'goldmem run --help'"},
    {"--kernels 3,, a", 2,
     "--kernels: '3,,' is not a list of numbers and ranges, as 1,3-7; try 'goldmem run --help'"},
    {"--kernels -3 a", 2,
     "--kernels: '-3' is not a list of numbers and ranges, as 1,3-7; try 'goldmem run --help'"},
    {"--kernels 1 " SMALL, 2, "kernel 1 is asked for: syrk,n=16 has 1, numbered from 0"},
    {"--preset gtx480 -c f a", 2,
     "--preset and --config exclude each other; try 'goldmem run --help'"},
    {"--preset gtx480 --preset gtx480 a", 2,
     "--preset is given twice: 'gtx480' and 'gtx480'; try 'goldmem run --help'"},
    {"--json - --csv - a", 2, "--json and --csv both write to '-'; try 'goldmem run --help'"},
    {"--json f --write-profile f a", 2,
     "--json and --write-profile both write to 'f'; try 'goldmem run --help'"},
    {"--csv f --checkpoint f,every=5 a", 2,
     "--csv and --checkpoint both write to 'f'; try 'goldmem run --help'"},
    {"--set l1.wys=4 " SMALL, 2, "l1.wys: no such key; did you mean l1.ways?"},
    {"--set energy.table=anssari " SMALL, 2,
     "energy.table=anssari: neither a file nor a built-in table; of these there are anssari-22nm, "
     "dram-gddr6, dram-hbm2, dram-hbm2e"},
    {"-c /no/such a", 2, "/no/such: No such file or directory"},
    {"--engine \"$(printf 'a\\nb')\" a", 2,
     "--engine: no engine 'a?b'; there are cycle and order; try 'goldmem run --help'"},
    {"/no/such", 2, "/no/such: No such file or directory"},
    {"--json /no/such/file " SMALL, 2, "/no/such/file: No such file or directory"},
    {"--write-profile /no/such/file " SMALL, 2, "/no/such/file: No such file or directory"},
    {"--write-profile p --resume s a", 2,
     "--write-profile and --resume exclude each other: a profile needs the run from its beginning; "
     "try 'goldmem run --help'"},
    {"--set l1.bypass=profiled " SMALL, 2,
     "l1.bypass=profiled: needs l1.profile=FILE, which goldmem run --write-profile FILE makes"},
    {"--set l1.bypass=profiled --set l1.profile=/no/such " SMALL, 2,
     "/no/such: No such file or directory"},
    {"--engine=order --set l1.bypass=profiled --set l1.profile=/dev/null " SMALL, 2,
     "/dev/null:1: the profile is cut short: 'goldmem-profile 1' should follow"},
    {"--json /tmp " SMALL, 2, "/tmp: Is a directory"},
    {"--json /dev/full " SMALL, 1, "/dev/full: No space left on device"},
    {"--csv /dev/full " SMALL, 1, "/dev/full: No space left on device"},
    {SMALL " >/dev/full", 1, "standard output: No space left on device"},
    {"--json - " SMALL " >/dev/full", 1, "standard output: No space left on device"},
    {"--quiet --csv - " SMALL " >&-", 1, "standard output: Bad file descriptor"},
};

static void refuses_in_one_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char expected[512];
        snprintf(expected, sizeof expected, "goldmem: %s\n", refusals[i].errors);
        test_command command = test_run("$GOLDMEM run %s", refusals[i].arguments);
        assert_string_equal(command.errors, expected);
        assert_string_equal(command.output, "");
        assert_int_equal(command.status, refusals[i].status);
        test_command_free(&command);
    }
}

/* A kernel file whose second CTA is cut short: the fault shows only after much has been read. */
static const char cut_short[] = "-kernel name = k\n"
                                "-kernel id = 1\n"
                                "-grid dim = (2,1,1)\n"
                                "-block dim = (32,1,1)\n"
                                "-shmem = 0\n"
                                "-nregs = 8\n"
                                "-binary version = 70\n"
                                "-cuda stream id = 0\n"
                                "-shmem base_addr = 0x00007f0000000000\n"
                                "-local mem base_addr = 0x00007f1000000000\n"
                                "-nvbit version = 1.5\n"
                                "-accelsim tracer version = 3\n\n"
                                "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 1\n"
                                "0000 ffffffff 0 EXIT 0 0\n\n#END_TB\n\n"
                                "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 2\n"
                                "0000 ffffffff 0 EXIT 0 0\n";

static void bad_input_leaves_no_file(void **state)
{
    (void)state;
    test_folder_make();
    const char *trace = test_file_write("kernel-1.traceg", cut_short, sizeof cut_short - 1);
    test_command command = test_run("cd \"$(dirname '%s')\" && $GOLDMEM run --json a.json --csv "
                                    "b.csv '%s'",
                                    trace, trace);
    assert_int_equal(command.status, 2);
    assert_string_equal(command.output, "");
    assert_non_null(strstr(command.errors, "kernel-1.traceg:"));
    assert_ptr_equal(strchr(command.errors, '\n'), command.errors + command.errors_length - 1);
    test_command left = test_run("ls \"$(dirname '%s')\"", trace);
    assert_string_equal(left.output, "kernel-1.traceg\n");
    test_command_free(&left);
    test_command_free(&command);
}

/* Only a complete result replaces an earlier one. */
static void an_old_file_survives_a_failed_run(void **state)
{
    (void)state;
    const char *old = test_file_write("old.json", "old\n", 4);
    test_command command = test_run("$GOLDMEM run --json '%s' /no/such; cat '%s'; $GOLDMEM run -q "
                                    "--json '%s' " SMALL "; head -c 2 '%s'",
                                    old, old, old, old);
    assert_string_equal(command.output, "old\n{\n");
    test_command_free(&command);
}

/* The signal arrives during the run, which would take far longer than any test. */
static void interrupt_ends_in_good_order(void **state)
{
    (void)state;
    static const char *const signals[] = {"INT", "TERM", "HUP"};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        const char *folder = test_folder_make();
        test_command command = test_run(
            "cd '%s' && " TEST_WAIT
            "env --default-signal=HUP $GOLDMEM run --json a.json --csv a.csv "
            "workload:syrk,n=1024 >text 2>log & pid=$!; cd '%s'; answers $pid log; kill -%s $pid; "
            "wait $pid; echo $?; tail -n 1 log; ls; jq -c '.partial, .stopped.reason, "
            ".stopped.kernel, .stopped.in_kernel, .stopped.cycles == .total.cycles' a.json; "
            "cut -d, -f1-2 a.csv; grep -c '^  PARTIAL        interrupted, in kernel 0, after ' "
            "text",
            folder, folder, signals[i]);
        char expected[512];
        snprintf(expected, sizeof expected,
                 "130\ngoldmem: interrupted by SIG%s in kernel 0; statistics are partial\n"
                 "a.csv\na.json\nlog\ntext\ntrue\n\"interrupted\"\n0\ntrue\ntrue\n"
                 "row,number\npartial kernel,0\npartial total,1\n1\n",
                 signals[i]);
        assert_string_equal(command.errors, "");
        assert_string_equal(command.output, expected);
        test_command_free(&command);
        test_folder_remove();
    }
}

/* A copy of a terabyte after a kernel takes minutes. */
static void interrupt_ends_a_copy(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command command = test_run(
        "cd '%s' && $GOLDMEM trace convert workload:vectoradd,n=64 t && printf "
        "'kernel-1.traceg\\nMemcpyHtoD,0x1000,1000000000000\\nkernel-1.traceg\\n' "
        ">t/kernelslist.g && " TEST_WAIT "{ $GOLDMEM run --quiet --json a.json t 2>log & pid=$!; "
        "answers $pid log; kill -INT $pid; wait $pid; echo $?; tail -n 1 log; "
        "jq -c '.partial, .stopped.kernel, .stopped.in_kernel' a.json; }",
        folder);
    assert_string_equal(command.errors, "");
    assert_string_equal(
        command.output,
        "130\ngoldmem: interrupted by SIGINT before kernel 1; statistics are partial\n"
        "true\n1\nfalse\n");
    test_command_free(&command);
    test_folder_remove();
}

static void quiet_prints_nothing(void **state)
{
    (void)state;
    test_command command = test_run("$GOLDMEM run --quiet --check " SMALL);
    assert_string_equal(command.output, "");
    assert_string_equal(command.errors, "");
    assert_int_equal(command.status, 0);
    test_command_free(&command);
}

/* JSON on standard output is the only output. */
static void dash_replaces_the_text(void **state)
{
    (void)state;
    test_command command =
        test_run("$GOLDMEM run --json - " SMALL " | python3 -c 'import json, sys; "
                 "print(json.load(sys.stdin)[\"total\"][\"ctas\"])'");
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "2\n"); /* 16 x 16 points in CTAs of 32 x 8 */
    test_command_free(&command);
}

/* The engine is cycle unless --engine or --analyze, in any order, selects another. */
static void each_run_has_its_engine(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *engine;
    } rows[] = {{"", "cycle"},
                {"--engine=cycle", "cycle"},
                {"--engine=order", "order"},
                {"--analyze=reuse", "order"},
                {"--analyze=reuse --engine=order", "order"},
                {"--engine=cycle --engine=order", "order"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_command command =
            test_run("$GOLDMEM run %s --json - " SMALL " | jq -r .engine", rows[i].arguments);
        assert_string_equal(command.errors, "");
        char expected[16];
        snprintf(expected, sizeof expected, "%s\n", rows[i].engine);
        assert_string_equal(command.output, expected);
        test_command_free(&command);
    }
}

/* Each kernel has its own sharing. A is 16 x 1024 words, 512 lines; C 16 x 16 words, 8 lines. */
static void kernels_have_their_sharing(void **state)
{
    (void)state;
    test_command command =
        test_run("$GOLDMEM run --analyze=sharing --json - " SMALL " | python3 -c 'import json, "
                 "sys; run = json.load(sys.stdin); print(run[\"kernels\"][0][\"analysis\"] == "
                 "run[\"analysis\"], run[\"analysis\"][\"sharing\"][\"lines\"])'");
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "True 520\n");
    test_command_free(&command);
}

static void threads_do_not_show(const char *options, const char *workload)
{
    test_command one = {0};
    for (unsigned threads = 1; threads <= 4; threads++) {
        test_command command = test_run(
            "$GOLDMEM run --threads %u --per-sm --per-bank %s --json %s/json --csv %s/csv "
            "workload:%s && cat %s/json %s/csv",
            threads, options, test_folder(), test_folder(), workload, test_folder(), test_folder());
        assert_int_equal(command.status, 0);
        assert_true(command.output_length > 10000);
        if (threads == 1) {
            one = command;
            continue;
        }
        assert_string_equal(command.output, one.output);
        test_command_free(&command);
    }
    test_command_free(&one);
}

static void threads_do_not_show_in_the_cycle_engine(void **state)
{
    (void)state;
    threads_do_not_show("--engine=cycle", "bfs,nodes=500");
}

static void threads_do_not_show_in_the_order_engine(void **state)
{
    (void)state;
    threads_do_not_show("--engine=order --analyze=all", "syrk,n=32");
}

/* Options that matter and are not modelled are named with --quiet too, are in the JSON, and are
 * refused with --strict. */
static void options_not_taken_are_told(void **state)
{
    (void)state;
    static const char config[] = "-gpgpu_n_clusters 2\n-gpgpu_n_cores_per_cluster 1\n"
                                 "-l2_ideal 1\n-gpgpu_n_mems 6\n-gpgpu_deadlock_detect 1\n";
    const char *path = test_file_write("gpgpusim.config", config, sizeof config - 1);
    static const char told[] =
        "goldmem: gpgpusim.config:3: -l2_ideal 1: not modelled: the L2 misses\n"
        "goldmem: gpgpusim.config:4: -gpgpu_n_mems 6: not an option of GPGPU-Sim; the nearest is "
        "-gpgpu_n_mem\n";
    const char *folder = test_folder();
    test_command command = test_run("cd '%s' && $GOLDMEM run -q -c gpgpusim.config --json j " SMALL
                                    " && jq -c .import j",
                                    folder);
    assert_string_equal(command.errors, told);
    assert_string_equal(command.output,
                        "{\"not_modelled\":[{\"line\":3,\"option\":\"-l2_ideal\",\"value\":"
                        "\"1\",\"instead\":\"the L2 misses\"}],\"unknown\":[{\"line\":4,\"option\":"
                        "\"-gpgpu_n_mems\",\"value\":\"6\",\"nearest\":\"-gpgpu_n_mem\"}],"
                        "\"irrelevant\":[\"-gpgpu_deadlock_detect\"]}\n");
    test_command_free(&command);
    command = test_run("cd '%s' && $GOLDMEM run -c gpgpusim.config " SMALL " >/dev/null", folder);
    assert_memory_equal(command.errors, told, sizeof told - 1);
    assert_string_equal(command.errors + sizeof told - 1,
                        "goldmem: gpgpusim.config: options that concern neither memory nor time: 1 "
                        "(--json lists them)\n");
    test_command_free(&command);
    command = test_run("$GOLDMEM run --strict -c '%s' " SMALL, path);
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.errors, "the L2 misses (and 1 more)\n"));
    test_command_free(&command);
}

/* script(1) gives the command a terminal. The line overwrites itself and is erased at the end. */
static void progress_is_for_terminals(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command command =
        test_run("$GOLDMEM trace convert workload:syrk,n=32 '%s/t' >/dev/null && script -qec "
                 "\"$GOLDMEM run --csv /dev/null '%s/t' >/dev/null\" /dev/null",
                 folder, folder);
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.output, "%  "));
    assert_non_null(strstr(command.output, " million warp instructions, "));
    assert_non_null(strstr(command.output, " left"));
    static const char wiped[] = "\r\033[K";
    assert_string_equal(command.output + command.output_length - (sizeof wiped - 1), wiped);
    test_command_free(&command);
    command = test_run("script -qec \"$GOLDMEM run --quiet '%s/t'\" /dev/null", folder);
    assert_string_equal(command.output, "");
    test_command_free(&command);
    /* a workload launches kernel by kernel: the time left is that of the kernel */
    command = test_run("script -qec \"$GOLDMEM run --csv /dev/null workload:syrk,n=32 >/dev/null\" "
                       "/dev/null");
    assert_non_null(strstr(command.output, "% of the kernels so far  "));
    assert_non_null(strstr(command.output, " left of this one"));
    assert_int_not_equal(strncmp(command.output, "\r100", 4), 0); /* all CTAs begin at once */
    test_command_free(&command);
    command = test_run(
        "script -qec \"$GOLDMEM trace convert workload:syrk,n=160 '%s/u'\" /dev/null", folder);
    assert_non_null(strstr(command.output, "% of the kernels so far  "));
    assert_string_equal(command.output + command.output_length - (sizeof wiped - 1), wiped);
    test_command_free(&command);
}

/* Both the help and the refusal name each block that a run has; the refusal of a long name too. */
static void help_names_each_block_with_rtl(void **state)
{
    (void)state;
    static const char *const blocks[] = {"set_index",
                                         "mshr",
                                         "tag_store",
                                         "sharing_tracker",
                                         "replacement",
                                         "sm_dueling",
                                         "gwct",
                                         "tc_l1",
                                         "tc_l2",
                                         "lease_store",
                                         "lifetime_predictor",
                                         "stream_gate",
                                         "contention_bypass",
                                         "atomic_buffer",
                                         "sharing_lru",
                                         "cta_queues",
                                         "warp_limiter",
                                         "cores_sampling",
                                         "victim_tags",
                                         "locality_score"};
    test_command help = test_run("$GOLDMEM run --help");
    test_command error = test_run("$GOLDMEM run --rtl=$(printf %%0600d 0) workload:vectoradd");
    const char *names = strstr(error.errors, "there are ");
    assert_non_null(names);
    assert_non_null(strstr(names, "(goldmem run --help)\n"));
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (strstr(help.output, blocks[i]) == NULL || strstr(names, blocks[i]) == NULL) {
            fail_msg("%s: not named: %s%s", blocks[i], help.output, error.errors);
        }
    }
    test_command_free(&help);
    test_command_free(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_in_one_line),
        cmocka_unit_test_teardown(bad_input_leaves_no_file, test_folder_teardown),
        cmocka_unit_test_setup_teardown(an_old_file_survives_a_failed_run, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(interrupt_ends_in_good_order),
        cmocka_unit_test(interrupt_ends_a_copy),
        cmocka_unit_test(quiet_prints_nothing),
        cmocka_unit_test(dash_replaces_the_text),
        cmocka_unit_test(each_run_has_its_engine),
        cmocka_unit_test(kernels_have_their_sharing),
        cmocka_unit_test_setup_teardown(threads_do_not_show_in_the_cycle_engine, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(threads_do_not_show_in_the_order_engine, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(options_not_taken_are_told, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_teardown(progress_is_for_terminals, test_folder_teardown),
        cmocka_unit_test(help_names_each_block_with_rtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

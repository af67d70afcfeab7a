/* Runs that end before their input: limits of cycles and instructions, chosen kernels, signals. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define SYRK "workload:syrk,n=16"      /* one kernel, 1.2 million cycles */
#define BFS  "workload:bfs,nodes=2000" /* 14 kernels */

static void prints(const char *script, const char *output)
{
    test_command command = test_run("cd '%s' && %s", test_folder(), script);
    if (command.status != 0 || strcmp(command.output, output) != 0) {
        fail_msg("%s\nexit %d, printed\n%s%s\nwanted\n%s", script, command.status, command.output,
                 command.errors, output);
    }
    assert_string_equal(command.errors, "");
    test_command_free(&command);
}

/* Threads and skipping change nothing, and all counters agree with the instructions issued. */
static void limits_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *options, *counters;
    } rows[] = {
        {"--max-cycles 100K " SYRK, ".total.cycles == 100000"},
        {"--max-cycles 77777 " SYRK, ".total.cycles == 77777"},
        {"--max-cycles 5 " SYRK, ".total.cycles == 5"},
        {"--max-cycles 3K " BFS, ".total.cycles == 3000"},
        {"--max-instructions 30K " SYRK,
         ".total.thread_instructions >= 30000 and .total.thread_instructions < 30960"},
        {"--max-instructions 12345 " BFS, ".total.thread_instructions >= 12345"},
        {"--max-instructions 20K --set sm.collectors=4 --set sm.fetch=2 " BFS,
         ".total.thread_instructions >= 20000"},
        {"--max-instructions 1 " BFS, ".total.thread_instructions >= 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char script[1024];
        snprintf(
            script, sizeof script,
            "one() { name=$1; shift; $GOLDMEM run --per-sm --per-bank --json "
            "$name.json --csv $name.csv \"$@\" %s >$name.txt; }; "
            "one a --threads 1 && one b --threads 2 && one c --threads 4 && one d --no-skip && "
            "for x in b c d; do cmp a.json $x.json && cmp a.csv $x.csv && cmp a.txt $x.txt; "
            "done; jq -c '.partial, (.stopped.cycles == .total.cycles), (%s), "
            "(.total.warp_instructions == .total.time.slots.issued), "
            "(.total.thread_instructions == ([.per_sm[].thread_instructions] | add))' a.json; "
            "grep -c '^  stopped        at the limit of' a.txt; "
            "grep -c '^stopped total' a.csv",
            rows[i].options, rows[i].counters);
        prints(script, "false\ntrue\ntrue\ntrue\ntrue\n1\n1\n");
    }
}

/* The run stops in the first cycle that reaches the limit: one cycle less has fewer instructions.
 */
static void stops_in_the_first_cycle(void **state)
{
    (void)state;
    prints("for n in 1000 5000 50000; do "
           "c=$($GOLDMEM run --max-instructions $n --json - " SYRK " | jq .total.cycles); "
           "$GOLDMEM run --max-cycles $c --json - " SYRK
           " | jq \".total.thread_instructions >= $n\"; "
           "$GOLDMEM run --max-cycles $((c - 1)) --json - " SYRK
           " | jq \".total.thread_instructions < $n\"; done",
           "true\ntrue\ntrue\ntrue\ntrue\ntrue\n");
    /* the order engine: one warp instruction of up to 32 more */
    prints("for t in 1 2 3; do $GOLDMEM run --engine=order --max-instructions 12345 --threads $t "
           "--json o$t.json -q " BFS "; done; cmp o1.json o2.json && cmp o1.json o3.json && "
           "jq -c '.partial, .stopped.reason, (.total.thread_instructions >= 12345 and "
           ".total.thread_instructions < 12377)' o1.json",
           "false\n\"max_instructions\"\ntrue\n");
}

/* A limit that is not reached changes nothing, one at the end of a kernel stops before the next. */
static void limits_at_the_edges(void **state)
{
    (void)state;
    prints("$GOLDMEM run -q --json w.json " BFS " && all=$(jq .total.cycles w.json) && "
           "$GOLDMEM run -q --check --max-cycles $all --max-instructions 1G --json x.json " BFS
           " && cmp w.json x.json && "
           "two=$(jq '[.kernels[0:2][].cycles] | add' w.json) && "
           "$GOLDMEM run -q --check --max-cycles $two --json y.json " BFS " && "
           "jq -c '.stopped.reason, .stopped.kernel, .stopped.in_kernel, (.kernels | length)' "
           "y.json && "
           "jq -c '.kernels[0:2]' w.json >w && jq -c '.kernels' y.json >y && cmp w y && "
           "two=$(jq '[.kernels[0:2][].thread_instructions] | add' w.json) && "
           "for engine in cycle order; do $GOLDMEM run -q --engine=$engine --max-instructions $two "
           "--json z.json " BFS " && jq -c '.stopped.in_kernel, .total.thread_instructions - '$two "
           "z.json; done",
           "\"max_cycles\"\n2\nfalse\n2\n"
           "true\n0\ntrue\n0\n");
}

/* A checkpoint at a limit, resumed, ends with the bytes of a run without a limit. */
static void a_limited_run_goes_on(void **state)
{
    (void)state;
    prints("$GOLDMEM run -q --json w.json " SYRK " && for limit in '--max-cycles 100001' "
           "'--max-instructions 40K'; do "
           "$GOLDMEM run -q $limit --checkpoint c,every=1000000000 " SYRK " && "
           "$GOLDMEM run -q --resume c --json x.json " SYRK " && cmp w.json x.json; done; "
           "$GOLDMEM run -q --max-instructions 70K --json y.json " SYRK " && "
           "$GOLDMEM run -q --max-instructions 70K --resume c --json z.json " SYRK
           " && cmp y.json z.json; $GOLDMEM run -q --max-cycles 1K --resume c " SYRK
           " 2>&1 | sed 's/has [0-9]* core/has N core/'",
           "goldmem: c: has N core cycles, more than the limit of 1000\n");
}

/* Kernels that are not chosen leave nothing in the caches; copies are made. */
static void chosen_kernels(void **state)
{
    (void)state;
    prints(
        "$GOLDMEM trace convert " BFS " t && cp -r t u && "
        "sed -i '/kernel-[1346789]\\.\\|kernel-1[0-9]\\./d' u/kernelslist.g && "
        "for engine in cycle order; do "
        "$GOLDMEM run -q --engine=$engine --kernels 4,1 --json a.json t && "
        "$GOLDMEM run -q --engine=$engine --json b.json u && "
        "jq -c '[.kernels[] | del(.number)], .total' a.json >a && jq -c .kernels,.total b.json "
        ">b && cmp a b && jq -c '[.kernels[].number]' a.json; done; "
        "$GOLDMEM run -q --kernels 12- --csv - t | cut -d, -f1-3; "
        "$GOLDMEM run --kernels 4 t | grep -A2 ^Kernels | tail -n 1 | cut -c 1-20; "
        "$GOLDMEM run -q --kernels 3 --max-cycles 5 --json - t | jq -c .stopped",
        "[1,4]\n[1,4]\nrow,number,name\nkernel,12,\"visit\"\nkernel,13,\"advance\"\n"
        "total,2,\"t\"\n       4 visit      \n"
        "{\"reason\":\"max_cycles\",\"limit\":5,\"kernel\":3,\"in_kernel\":true,\"cycles\":5}\n");
}

/* Kernels before the last chosen one are checked; input behind it is not read. */
static void reads_up_to_the_last_kernel(void **state)
{
    (void)state;
    prints("$GOLDMEM trace convert " BFS " t && echo broken >t/kernel-3.traceg && "
           "for engine in cycle order; do $GOLDMEM run -q --engine=$engine --kernels 1 t; "
           "echo $?; $GOLDMEM run -q --engine=$engine --kernels 1,4 t 2>&1; echo $?; done",
           "0\ngoldmem: t/kernel-3.traceg:1: the header has no '-grid dim = (x,y,z)'\n2\n"
           "0\ngoldmem: t/kernel-3.traceg:1: the header has no '-grid dim = (x,y,z)'\n2\n");
}

/* A run stopped by a signal at any moment and resumed from its checkpoint ends with equal bytes. */
static void a_signal_writes_a_checkpoint(void **state)
{
    (void)state;
    prints("$GOLDMEM run -q --json w.json " SYRK " && " TEST_WAIT
           "{ $GOLDMEM run -q --checkpoint c,every=1000000000000 --json p.json " SYRK
           " 2>log & pid=$!; answers $pid log; kill -TERM $pid; wait $pid; echo $?; "
           "tail -n 1 log; jq -c '.partial' p.json; } && "
           "$GOLDMEM run -q --resume c --json x.json " SYRK " && cmp w.json x.json",
           "130\ngoldmem: interrupted by SIGTERM in kernel 0; statistics are partial, checkpoint "
           "c\ntrue\n");
}

/* SIGUSR1 prints the progress and changes nothing. */
static void a_question_changes_nothing(void **state)
{
    (void)state;
    static const char *const engines[] = {"cycle", "order"};
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        char script[1024];
        snprintf(script, sizeof script,
                 "$GOLDMEM run -q --engine=%s --json w.json workload:syrk,n=32 && " TEST_WAIT
                 "{ $GOLDMEM run -q --engine=%s --json x.json workload:syrk,n=32 2>log & pid=$!; "
                 "answers $pid log; wait $pid; echo $?; cmp w.json x.json; "
                 "head -n 1 log | sed 's/[0-9][0-9.]*/N/g; s/N cycles; //; s/ of the.*//'; }",
                 engines[i], engines[i]);
        prints(script, "0\ngoldmem: kernel N: N CTAs done, N begun; N%\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(limits_are_exact, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(stops_in_the_first_cycle, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(limits_at_the_edges, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(a_limited_run_goes_on, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(chosen_kernels, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(reads_up_to_the_last_kernel, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(a_signal_writes_a_checkpoint, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(a_question_changes_nothing, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

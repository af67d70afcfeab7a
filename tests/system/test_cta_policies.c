/* CTA policies of the command (gpu.cta): every CTA runs under each of them, in both engines, of
 * workloads and traces; runs are the same without skipping, with threads and from a checkpoint;
 * CTAs that are read before their turn take no memory. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define SRAD  "workload:srad2,rows=80,columns=752,iterations=1"
#define RUN   "$GOLDMEM run --check --quiet --set gpu.sms=4"
#define FIRST "cd '%s' && set -e; "

static const char *const policies[] = {
    "--set gpu.cta=groups",
    "--set gpu.cta=groups --set gpu.cta_adaptive=yes",
    "--set gpu.cta=groups --set gpu.cta_group=8",
    "--set gpu.cta=groups --set gpu.cta_group=7 --set gpu.cta_adaptive=yes",
    "--set gpu.cta=bcs",
};
enum { POLICIES = sizeof policies / sizeof *policies };

static void expect(test_command command, const char *output)
{
    if (command.status != 0 || strcmp(command.output, output) != 0) {
        fail_msg("exit %d: %s%s", command.status, command.output, command.errors);
    }
    test_command_free(&command);
}

/* Which instructions run does not depend on the policy. */
static void all_ctas_run(void **state)
{
    (void)state;
    for (unsigned i = 0; i < POLICIES; i++) {
        for (unsigned cycle = 0; cycle < 2; cycle++) {
            const char *engine = cycle ? "cycle" : "order";
            expect(test_run(FIRST "for policy in '' '%s'; do " RUN
                                  " --engine=%s $policy --json=- " SRAD
                                  " | jq -c '[.total | .ctas, .warps, .thread_instructions, "
                                  ".lane_accesses]' >\"x$policy\"; done; cmp x 'x%s'; cut -c 1-5 x",
                            test_folder(), policies[i], engine, policies[i]),
                   "[470,\n");
        }
    }
}

/* A trace gives the numbers of the workload that it was made of. */
static void traces_as_workloads(void **state)
{
    (void)state;
    const char *folder = test_folder();
    expect(test_run(FIRST "$GOLDMEM trace convert --binary " SRAD " trace", folder), "");
    for (unsigned i = 0; i < POLICIES; i++) {
        expect(test_run(FIRST "for engine in order cycle; do " RUN
                              " --engine=$engine --json=a %s " SRAD "; " RUN
                              " --engine=$engine --json=b %s trace; "
                              "for file in a b; do jq -c .total $file >$file.total; done; "
                              "cmp a.total b.total; done",
                        folder, policies[i], policies[i]),
               "");
    }
}

/* Groups of one CTA are round robin: while SMs take one CTA at a time, the numbers are those of rr.
 */
static void groups_of_one_are_rr(void **state)
{
    (void)state;
    expect(test_run(FIRST
                    "for engine in order cycle; do " RUN " --engine=$engine --json=- " SRAD
                    " | jq -c .total >rr; " RUN
                    " --engine=$engine --set gpu.cta=groups --set gpu.cta_group=1 --json=- " SRAD
                    " | jq -c .total >groups; cmp rr groups; done",
                    test_folder()),
           "");
}

static void same_bytes_however_it_runs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < POLICIES; i++) {
        expect(test_run(FIRST
                        "run='" RUN " %s'; eval \"$run --json=a " SRAD "\"; "
                        "for how in --no-skip '--threads 3'; do eval \"$run $how --json=b " SRAD
                        "\"; cmp a b; done; cycles=$(jq .total.cycles a); for share in 7 43 86; do "
                        "eval \"$run --max-cycles=$((cycles * share / 100)) --json=part "
                        "--checkpoint=c,every=1000000000 " SRAD "\"; "
                        "eval \"$run --resume=c --json=b " SRAD "\"; cmp a b; done",
                        test_folder(), policies[i]),
               "");
    }
}

/* On one SM with room for one CTA the cycles of a kernel's CTAs, one after the other, are the
 * kernel's (sm.launch counts as the first one's). One row of CTAs is one group, on one SM of four.
 */
static void cycles_of_ctas(void **state)
{
    (void)state;
    expect(test_run(FIRST "for launch in 0 1000; do " RUN
                          " --set gpu.sms=1 --set sm.ctas=1 --set sm.launch=$launch --json=- "
                          "--set gpu.cta=groups workload:srad2,rows=32,columns=96,iterations=1 "
                          "| jq -c '.kernels[] | [.cta.sms, .cta.ended, .cta.cycles - .cycles, "
                          ".cta.least * 12 <= .cta.cycles, .cta.most * 12 >= .cta.cycles, "
                          ".cta.least > 400 and .cta.least < .cta.most]'; done; " RUN
                          " --json=- --set gpu.cta=groups "
                          "workload:srad2,rows=16,columns=96,iterations=1 "
                          "| jq -c '[.kernels[].cta | .sms, .ended]'; " RUN
                          " --json=- workload:srad2,rows=16,columns=96,iterations=1 "
                          "| jq -c '[.kernels[] | has(\"cta\")]'",
                    test_folder()),
           "[1,12,0,true,true,true]\n[1,12,0,true,true,true]\n"
           "[1,12,0,true,true,true]\n[1,12,0,true,true,true]\n"
           "[1,6,1,6]\n[false,false]\n");
}

/* A grid of 1024-wide rows: 14 of 15 SMs' rows are read before their turn; the peak is below 64 MB,
 * and no more than 4 MB above that of rr. */
static void parked_ctas_take_no_memory(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *folder = test_folder();
    expect(test_run(FIRST "$GOLDMEM trace convert --binary "
                          "workload:srad2,rows=240,columns=16384,iterations=1 trace; "
                          "for policy in rr groups; do TMPDIR=$PWD /usr/bin/time -f %%M -o peak "
                          "$GOLDMEM run --quiet --engine=order --set gpu.cta=$policy trace; "
                          "cat peak >>peaks; done; awk '{ p[NR] = $1 } END { "
                          "print (p[2] < 65536 && p[2] < p[1] + 4096 ? \"flat\" : p[1] \" \" p[2]) "
                          "}' peaks",
                    folder),
           "flat\n");
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *options, *error;
    } rows[] = {
        {"--set gpu.cta=fifo", "gpu.cta=fifo: must be rr, bcs or groups"},
        {"--set gpu.cta_group=0", "gpu.cta_group=0: must be 1 to 65536 CTAs, or grid_x"},
        {"--set gpu.cta_group=65537", "gpu.cta_group=65537: must be 1 to 65536 CTAs, or grid_x"},
        {"--set gpu.cta=bcs --set gpu.kernels=2",
         "gpu.kernels=2: must be 1 with another gpu.cta than rr, whose queues are of one kernel"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_command command =
            test_run("cd '%s' && $GOLDMEM run --json=none %s " SRAD "; status=$?; ls none; "
                     "exit $status",
                     test_folder(), rows[i].options);
        assert_int_equal(command.status, 2);
        if (strstr(command.errors, rows[i].error) == NULL) {
            fail_msg("%s: %s", rows[i].options, command.errors);
        }
        assert_string_equal(command.output, "");
        test_command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_ctas_run, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(traces_as_workloads, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(groups_of_one_are_rr, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(same_bytes_however_it_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(cycles_of_ctas, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(parked_ctas_take_no_memory, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(refused, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* make reproduce-li: small workloads run every study, twice with equal bytes; its figures, worked
 * here by other means, follow from its runs; docs/reproduction/li.md agrees with its data. */
#include "support/support.h"

#include <string.h>

/* The workloads of the quick list that the studies treat specially: PTF, and a friendly one. */
static const char small[] = "# as in scripts/reproduce-li/quick.txt\n"
                            "lud,n=32                                      LUD lud,n=64\n"
                            "particlefilter,particles=64,side=32,frames=2  PTF -\n"
                            "backprop,inputs=512                           BP  -\n";

static void expect_silence(test_command *command)
{
    if (command->status != 0 || command->output[0] != '\0') {
        fail_msg("%s%s", command->output, command->errors);
    }
    test_command_free(command);
}

static void every_study_runs(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *list = test_file_write("list.txt", small, strlen(small));
    /* Three values of each searched parameter. A second run, of one workload, gives equal rows. */
    test_command made = test_run(
        "make() { scripts/reproduce-li.sh \"$GOLDMEM\" $1 $2 $2-cache %s/studies.txt; } && "
        "grep -vE '/([13579]|1[0-5]|6|8|24|48|64|96|128|256) ' scripts/reproduce-li/studies.txt "
        ">%s/studies.txt && make %s %s/a && grep backprop %s >%s/one.txt && make %s/one.txt %s/b "
        "&& cd %s && for file in runs reuse; do grep -vxFf a/$file.csv b/$file.csv; done; "
        "grep -q backprop b/runs.csv",
        test_folder(), test_folder(), list, test_folder(), list, test_folder(), test_folder(),
        test_folder(), test_folder());
    expect_silence(&made);

    /* The keys of figure 14's second column, 64 KB, and of Table 1's runs, by hand: at 134 and at
     * 67 GB/s, and at the paper's size. */
    test_command speed = test_run(
        "cycles() { \"$GOLDMEM\" run --preset fermi-l1d --quiet --set $1 --set $2 --json - "
        "workload:lud,n=$3 | jq .total.cycles; }; ratio() { awk -v a=$(cycles $1 l1.ways=4 $3) "
        "-v b=$(cycles $1 $2 $3) 'BEGIN { printf \"%%.4f\\n\", a / b }'; }; "
        "ratio dram.burst_cycles=4 l1.size=64KB 32; ratio dram.burst_cycles=4 l1.bypass=all 32; "
        "ratio dram.burst_cycles=8 l1.bypass=all 32; ratio dram.burst_cycles=4 l1.bypass=all 64");
    test_command rows =
        test_run("cd %s/a && awk -F, '$1 == \"lud\" && NR == FNR { print $4 } $1 == \"lud\" && "
                 "NR > FNR { print $5 \"\\n\" $6 \"\\n\" $7 }' figure-14.csv table-1.csv",
                 test_folder());
    assert_int_equal(speed.status, 0);
    assert_string_equal(rows.output, speed.output);
    test_command_free(&speed);
    test_command_free(&rows);

    /* Each workload is in the files of its class. */
    test_command names = test_run("cd %s/a && cut -d, -f1,2 figure-8.csv figure-9.csv "
                                  "insensitive.csv | tr '\\n' ' '",
                                  test_folder());
    test_expect(&names, 0,
                "workload,paper name lud,LUD particlefilter,PTF mean, workload,paper name "
                "backprop,BP mean, workload,paper name mean, ");
}

static void page_is_up_to_date(void **state)
{
    (void)state;
    test_command figures = test_run(
        "here=scripts/reproduce-li data=docs/reproduction/li && cp $data/runs.csv $data/reuse.csv "
        "%s && LC_ALL=C awk -f $here/plan.awk -f $here/figures.awk -v folder=%s "
        "tests/golden/li_table1.csv $here/workloads.txt $here/studies.txt $here/figures.txt "
        "%s/runs.csv %s/reuse.csv && diff -x '*.svg' $data %s || echo 'run `make reproduce-li`'",
        test_folder(), test_folder(), test_folder(), test_folder(), test_folder());
    expect_silence(&figures);
    test_command page = test_run(
        "cp docs/reproduction/li.md %s/page.md && scripts/reproduce/page.sh docs/reproduction/li "
        "%s/page.md scripts/reproduce-li/tables.awk && diff docs/reproduction/li.md %s/page.md || "
        "echo 'run `make reproduce-li`'",
        test_folder(), test_folder(), test_folder());
    expect_silence(&page);
}

/* The rows of runs.csv are the runs of the studies, in order. */
static void committed_runs_are_the_studies(void **state)
{
    (void)state;
    test_command runs =
        test_run("for part in 1:runs 0:reuse; do LC_ALL=C awk -f scripts/reproduce-li/plan.awk -v "
                 "timed=${part%%:*} tests/golden/li_table1.csv scripts/reproduce-li/workloads.txt "
                 "scripts/reproduce-li/studies.txt | awk '{ sub(\",.*\", \"\", $1); print $1 \",\" "
                 "$3 }' >%s/planned; tail -n +2 "
                 "docs/reproduction/li/${part#*:}.csv | cut -d, -f1,4 | diff %s/planned - || "
                 "echo 'run `make reproduce-li`'; done",
                 test_folder(), test_folder());
    expect_silence(&runs);
}

static void every_workload_exists(void **state)
{
    (void)state;
    test_command unknown = test_run(
        "$GOLDMEM workloads | cut -d' ' -f1 >%s/names; cat scripts/reproduce-li/quick.txt "
        "scripts/reproduce-li/workloads.txt scripts/reproduce-khairy/workloads.txt | grep -v '^#' "
        "| "
        "while IFS=', ' read -r name rest; do grep -qx \"$name\" %s/names || echo \"$name\"; done",
        test_folder(), test_folder());
    expect_silence(&unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_workload_exists, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(every_study_runs, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(committed_runs_are_the_studies, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

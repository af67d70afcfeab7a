/* make reproduce-singh on small workloads: its figures, worked here by other means, follow from its
 * runs, twice with equal bytes; docs/reproduction/singh.md agrees with its data. */
#include "support/support.h"

#include <string.h>

/* As in scripts/reproduce-singh/quick.txt. */
static const char small[] = "# workload, name in [singh]\n"
                            "worksteal,n=128,ctas=4       DLB  inter\n"
                            "hotspot,n=48,steps=2         HSP  intra\n"
                            "nw,n=64                      NDL  intra\n"
                            "srad,rows=48,columns=48      SR   intra\n";

static void expect_silence(test_command *command)
{
    if (command->status != 0 || command->output[0] != '\0') {
        fail_msg("%s%s", command->output, command->errors);
    }
    test_command_free(command);
}

/* Speeds and traffic of srad by hand: the keys of each configuration, and the preset. */
static void figures_follow_from_the_runs(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *list = test_file_write("list.txt", small, strlen(small));
    /* A second run, of one workload, gives equal rows. */
    test_command made = test_run(
        "make() { scripts/reproduce-singh.sh \"$GOLDMEM\" $1 $2 $2-cache; } && make %s %s/a && "
        "grep -E '^#|hotspot' %s >%s/one.txt && make %s/one.txt %s/b && cd %s && "
        "grep -vxFf a/runs.csv b/runs.csv; grep -q hotspot b/runs.csv",
        list, test_folder(), list, test_folder(), test_folder(), test_folder(), test_folder());
    expect_silence(&made);
    test_command hand = test_run(
        "total() { \"$GOLDMEM\" run --preset fermi-tc --quiet \"$@\" --json - "
        "workload:srad,rows=48,columns=48 | jq -c .total; }; base=$(total); "
        "for keys in l1.enabled=no "
        "'coherence=ideal --set l1.global_write=through' coherence=tcw "
        "'coherence=tcw --set coherence.lifetime=3200' "
        "'coherence=tcs --set coherence.lifetime=800'; do total --set $keys; done | "
        "jq -r --argjson b \"$base\" '[$b.cycles / .cycles, (.traffic_bytes | add) / "
        "($b.traffic_bytes | add)] | @tsv' | LC_ALL=C awk '{ printf \"%%.4f %%.4f\\n\", $1, $2 }'");
    assert_int_equal(hand.status, 0);
    test_command figures = test_run(
        "cd %s/a && awk -F, 'NR == 1 { for (k = 3; k <= NF; k++) at[$k] = k } "
        "NR == FNR { if ($1 == \"srad\") for (k in at) speed[k] = $at[k]; next } "
        "$1 == \"srad\" { traffic[$3] = $NF } END { print speed[\"NO-L1\"]; "
        "n = split(\"IDEAL-COH TCW TCW-FIXED TCS\", c, \" \"); "
        "for (i = 1; i <= n; i++) print speed[c[i]], traffic[c[i]] }' figure-7b.csv figure-8b.csv",
        test_folder());
    assert_memory_equal(figures.output, hand.output, strlen("1.0000")); /* NO-L1: no traffic */
    assert_string_equal(strchr(figures.output, '\n'), strchr(hand.output, '\n'));
    test_command_free(&figures);
    test_command_free(&hand);

    /* The harmonic mean of three programs, and figure 10's ratios to TCS; of all four over the base
     * of each. */
    test_command means = test_run(
        "cd %s/a && awk -F, 'NR == 1 { for (k = 3; k <= NF; k++) if ($k == \"TCW\") c = k; next } "
        "$2 == \"HM\" { mean = $c; next } { n++; s += 1 / $c } "
        "END { d = n / s - mean; exit d > 0.0002 || d < -0.0002 || n != 3 }' figure-7b.csv && "
        "awk -F, '{ v[$1, $2] = $3; r[$1, $2] = $5 } END { "
        "d = v[\"TCW\", \"intra\"] / v[\"TCS\", \"intra\"] - r[\"TCW\", \"intra\"]; "
        "e = 4 / (3 / v[\"TCW\", \"intra\"] + 1 / v[\"TCW\", \"inter\"]) - v[\"TCW\", \"all\"]; "
        "exit d > 0.0003 || d < -0.0003 || e > 0.0003 || e < -0.0003 }' figure-10.csv",
        test_folder());
    expect_silence(&means);
}

static void page_is_up_to_date(void **state)
{
    (void)state;
    test_command figures =
        test_run("data=docs/reproduction/singh && cp $data/runs.csv $data/changed-runs.csv %s && "
                 "here=scripts/reproduce-singh && LC_ALL=C awk -f $here/figures.awk -v folder=%s "
                 "$here/workloads.txt %s/runs.csv $here/experiments.txt $data/changed-runs.csv && "
                 "diff -x '*.svg' $data %s || echo 'run `make reproduce-singh`'",
                 test_folder(), test_folder(), test_folder(), test_folder());
    expect_silence(&figures);
    test_command page =
        test_run("cp docs/reproduction/singh.md %s/page.md && scripts/reproduce/page.sh "
                 "docs/reproduction/singh %s/page.md scripts/reproduce-singh/tables.awk && "
                 "diff docs/reproduction/singh.md %s/page.md || echo 'run `make reproduce-singh`'",
                 test_folder(), test_folder(), test_folder());
    expect_silence(&page);
}

/* The rows of runs.csv are each workload in each configuration of its set, in order; those of
 * protocols that goldmem did not have when they were made are left out of all. */
static void committed_runs_are_the_configurations(void **state)
{
    (void)state;
    test_command runs = test_run(
        "runs=docs/reproduction/singh/runs.csv; grep -v '^#' scripts/reproduce-singh/workloads.txt "
        "| "
        "while read -r workload _ set; do "
        "grep -v '^#' scripts/reproduce-singh/configurations.txt | while read -r name sets keys; "
        "do "
        "case $keys in *mesi* | *vini*) grep -q \",fermi-tc,$name,\" $runs || continue ;; esac; "
        "[ $sets != both ] && [ $sets != $set ] || echo \"${workload%%%%,*},fermi-tc,$name\"; "
        "done; "
        "done >%s/planned; tail -n +2 $runs | cut -d, -f1,3,4 | diff %s/planned - || "
        "echo 'run `make reproduce-singh`'",
        test_folder(), test_folder());
    expect_silence(&runs);
}

/* Those of changed-runs.csv are the programs and configurations of changed.txt. */
static void committed_changed_runs_are_those_planned(void **state)
{
    (void)state;
    test_command runs = test_run(
        "here=scripts/reproduce-singh; grep -v '^#' $here/changed.txt | "
        "while read -r workload program names _; do "
        "grep -v '^#' $here/configurations.txt | while read -r name _; do "
        "case ,$names, in *,$name,*) echo \"$workload,fermi-tc,$program:$name\" ;; esac; "
        "done; done >%s/planned; tail -n +2 docs/reproduction/singh/changed-runs.csv | cut -d, "
        "-f1-4 "
        "| tr ' ' , | sed 's/,,/,/' | diff %s/planned - || echo 'run `make reproduce-singh`'",
        test_folder(), test_folder());
    expect_silence(&runs);
}

/* Each row of the paper's numbers that differs, in bytes and in flits if it has both, has a change
 * (table tries, or MESI's whole lines) under which it agrees. */
static void what_differs_agrees_under_a_change(void **state)
{
    (void)state;
    test_command alone =
        test_run("LC_ALL=C awk -F ' *[|] *' '/^<!-- table/ { name = $0; "
                 "sub(/^<!-- table /, \"\", name); sub(/:.*/, \"\", name); next } "
                 "!/^[|]/ { next } { row = $2 \" | \" $3; sub(/, in flits/, \"\", row) } "
                 "name == \"paper\" && /differs/ && !/agrees/ { differs[row] } "
                 "name ~ /^(tries|whole-lines)$/ && /agrees [|]$/ { agrees[row] } "
                 "END { for (row in differs) { n++; if (!(row in agrees)) print row } "
                 "if (n < 8) print n }' docs/reproduction/singh.md");
    expect_silence(&alone);
}

/* Our states of the directory protocols in singh_table1.csv, and in docs/directory-protocols.md,
 * are those that the explorer counts in their tables. */
static void table_1_is_what_the_explorer_counts(void **state)
{
    (void)state;
    test_only_in_plain_build(); /* the explorer is not of the tested build */
    test_command counted = test_run(
        "for cache in 1 2; do row=ours; for protocol in vi vini mesi; do "
        "row=\"$row;$(build/goldmem-explore-directory --protocol=$protocol --tables | "
        "sed -n 's/^[0-9]* states: stable \\([0-9]*\\), transient cache \\([0-9]*\\), "
        "transient coherent \\([0-9]*\\).*/\\1, \\2, \\3/p' | sed -n ${cache}p)\"; done; "
        "echo \"$row\"; done >%s/counted; "
        "grep '^ours;' tests/golden/singh_table1.csv | cut -d';' -f1,3-5 | diff %s/counted - && "
        "sed -n 's/^| \\(ours\\) | \\(.*\\) |$/\\1;\\2/p' docs/directory-protocols.md | "
        "sed 's/ | /;/g' | diff %s/counted -",
        test_folder(), test_folder(), test_folder());
    expect_silence(&counted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figures_follow_from_the_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(committed_runs_are_the_configurations, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(committed_changed_runs_are_those_planned, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(what_differs_agrees_under_a_change),
        cmocka_unit_test_setup_teardown(table_1_is_what_the_explorer_counts, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* make reproduce-silicon with short runs: figures follow from the runs, worked here by other means;
 * two times give equal bytes; set latencies are the published ones, or ours; workloads count what
 * an H100 counted; the page agrees with its data.
 */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in scripts/reproduce-silicon/machines.txt. */
static const char machines[] =
    "# preset; name; keys; figures\n"
    "v100;;;latency.l1 latency.shared latency.l2 bandwidth.l1 conflicts.1 conflicts.32\n"
    "rtx3070;deaf;l1.latency=100;latency.l1 bandwidth.dram.768\n";

static void expect_silence(test_command *command)
{
    if (command->status != 0 || command->output[0] != '\0') {
        fail_msg("%s%s", command->output, command->errors);
    }
    test_command_free(command);
}

/* Returns a figure of FOLDER/a/figures.csv. */
static double figure_of(const char *preset, const char *figure)
{
    test_command found =
        test_run("awk -F, '$1 == \"%s\" && $3 == \"%s\" { print $NF }' %s/a/figures.csv", preset,
                 figure, test_folder());
    assert_true(found.output[0] != '\0');
    double value = strtod(found.output, NULL);
    test_command_free(&found);
    return value;
}

static void expect_near(const char *preset, const char *figure, double expected, double tolerance)
{
    double value = figure_of(preset, figure);
    if (!(value >= expected - tolerance && value <= expected + tolerance)) {
        fail_msg("%s %s: %.2f, expected %.2f", preset, figure, value, expected);
    }
}

static void figures_follow_from_the_runs(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *list = test_file_write("machines.txt", machines, strlen(machines));
    test_command made = test_run(
        "make() { QUICK=1 scripts/reproduce-silicon.sh \"$GOLDMEM\" %s/$1 %s/$1-cache %s; } && "
        "make a && make b && diff -r %s/a %s/b",
        test_folder(), test_folder(), list, test_folder(), test_folder());
    expect_silence(&made);

    /* From the presets' keys: an L1 that hits answers l1.latency + 1 after the integer
     * instruction; shared memory likewise; a conflict of 32 takes 31 passes more. */
    expect_near("v100", "latency.l1", 27 + 1, 0.1);
    expect_near("v100", "latency.shared", 18 + 1, 0.1);
    expect_near("v100", "latency.l2", 212.1, 0.5);
    expect_near("v100", "conflicts", 1.0, 0.01);
    expect_near("v100", "bandwidth.l1", 128, 20);
    expect_near("rtx3070", "latency.l1", 100 + 1 + 1, 0.3); /* two groups of lanes */
    expect_near("rtx3070", "bandwidth.dram.768", 98, 10);

    /* One of them by hand. */
    test_command hand = test_run(
        "cycles() { \"$GOLDMEM\" run --preset v100 --quiet --json - workload:$1 | jq "
        ".total.cycles; }; "
        "a=$(cycles chase,bytes=1048576,loads=9000); b=$(cycles chase,bytes=1048576,loads=9500); "
        "echo $a $b | LC_ALL=C awk '{ print ($2 - $1) / 500 - 4 }'");
    double by_hand = strtod(hand.output, NULL);
    expect_near("v100", "latency.l2", by_hand, 0.006);
    test_command_free(&hand);
}

static void page_is_up_to_date(void **state)
{
    (void)state;
    test_command page = test_run(
        "cp docs/reproduction/silicon.md %s/page.md && scripts/reproduce/page.sh "
        "docs/reproduction/silicon %s/page.md scripts/reproduce-silicon/tables.awk && "
        "diff docs/reproduction/silicon.md %s/page.md || echo 'run `make reproduce-silicon`'",
        test_folder(), test_folder(), test_folder());
    expect_silence(&page);
    test_command figures =
        test_run("data=docs/reproduction/silicon; here=scripts/reproduce-silicon; LC_ALL=C awk -f "
                 "$here/figures.awk $data/facts.csv tests/golden/silicon_curve.csv "
                 "$here/figures.txt $here/machines.txt $data/runs.csv | "
                 "diff $data/figures.csv - || echo 'run `make reproduce-silicon`'");
    expect_silence(&figures);
    test_command plan = test_run(
        "data=docs/reproduction/silicon; here=scripts/reproduce-silicon; LC_ALL=C awk -f "
        "$here/plan.awk -v quick=0 $data/facts.csv tests/golden/silicon_curve.csv "
        "$here/figures.txt $here/machines.txt | "
        "cut -d ' ' -f 2,3 >%s/planned; tail -n +2 $data/runs.csv | cut -d, -f 3,4 | tr , ' ' | "
        "diff %s/planned - || echo 'run `make reproduce-silicon`'",
        test_folder(), test_folder());
    expect_silence(&plan);
}

/* Warp instructions and lines looked up are those that an H100 counted; two of the kernels execute
 * loads or stores of which no lane is on. */
static void workloads_as_counted(void **state)
{
    (void)state;
    test_command differ = test_run(
        "awk -F '[,;]' 'FNR == NR { if (/^# name/) { n = split($0, title, \";\"); for (i = 2; i <= "
        "n; "
        "i++) at[title[i]] = i - n - 1 } if (!/^#/) { split($0, f, \";\"); gsub(\",\", \"/\", "
        "f[1]); "
        "executed[f[1]] = $(NF + 1 + at[\"loads\"]) + $(NF + 1 + at[\"stores\"]) + $(NF + 1 + "
        "at[\"reductions\"]); lines[f[1]] = $(NF + 1 + at[\"load_lines\"]) } next } FNR > 1 { "
        "rows++; "
        "if ($6 != lines[$4]) print $4, $6, \"lines, counted\", lines[$4]; if ($4 !~ "
        "/pathfinder|laplace3d/ && $5 != executed[$4]) print $4, $5, \"executed, counted\", "
        "executed[$4] } END { if (rows != 22) print rows, \"workloads\" }' "
        "tests/golden/silicon_h100_counters.csv docs/reproduction/silicon/workloads.csv");
    expect_silence(&differ);
}

/* Each figure that a key sets by our measurement is within 1% of it. */
static void set_figures_are_the_measured_ones(void **state)
{
    (void)state;
    test_command far = test_run(
        "awk -F '[,;]' 'FILENAME ~ /measured.csv/ { seen[$1] = $3; next } FILENAME ~ /figures.csv/ "
        "{ if ($1 == \"h100\" && $2 == \"\") ours[$3] = $NF; next } /^#/ || $4 == \"\" || $4 ~ "
        "/^chosen / { next } { n++; "
        "split($3 \"/1\", f, \"/\"); d = ours[$1] / (seen[$2] * f[1] / f[2]) - 1; if (d > 0.01 || "
        "d < "
        "-0.01) print $1, ours[$1], seen[$2] } END { if (n != 7) print n, \"figures are set\" }' "
        "tests/golden/silicon_h100_measured.csv docs/reproduction/silicon/figures.csv "
        "scripts/reproduce-silicon/measured.txt");
    expect_silence(&far);
}

/* Each latency that a key sets was set: within 1% of the published one. */
static void set_figures_are_the_published_ones(void **state)
{
    (void)state;
    test_command far = test_run(
        "awk -F '[,;]' 'FNR == NR { if ($2 == \"\") ours[$1, $3] = $NF; next } /^#/ { next } "
        "$NF != \"\" && $NF !~ /^chosen / { n++; d = ours[$1, $2] / $3 - 1; if (d > 0.01 || d < "
        "-0.01) print $1, $2, "
        "ours[$1, $2], $3 } END { if (n < 14) print n \" figures are set\" }' "
        "docs/reproduction/silicon/figures.csv tests/golden/silicon.csv");
    expect_silence(&far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figures_follow_from_the_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(workloads_as_counted),
        cmocka_unit_test(set_figures_are_the_measured_ones),
        cmocka_unit_test(set_figures_are_the_published_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* make reproduce-anssari on small workloads: its figures, worked here by other means, follow from
 * its runs, twice with equal bytes; its checks fail where they must; docs/reproduction/anssari.md
 * agrees with its data. */
#include "support/support.h"

#include <string.h>

/* Named quick.txt, so that the experiments are those of quick-experiments.txt. */
static const char small[] = "# workload, benchmark\n"
                            "lbm,x=32,y=8,z=8,iterations=1          LBM\n"
                            "spmv_parboil,rows=4096,nonzeros=8      SPMV\n"
                            "lbm,x=32,y=8,z=8,iterations=1,soa=1    LBM-SoA\n";

static void expect_silence(test_command *command)
{
    if (command->status != 0 || command->output[0] != '\0') {
        fail_msg("%s%s", command->output, command->errors);
    }
    test_command_free(command);
}

/* Ratios of SPMV by hand: 128 KB with and without trackers, 1 MB with both and with neither. */
static void figures_follow_from_the_runs(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *list = test_file_write("quick.txt", small, strlen(small));
    /* A second run, from an empty cache, gives equal bytes. */
    test_command made = test_run(
        "make() { scripts/reproduce-anssari.sh \"$GOLDMEM\" %s $1 $2; } && make %s/a %s/cache-a && "
        "JOBS=1 make %s/b %s/cache-b && diff -r %s/a %s/b",
        list, test_folder(), test_folder(), test_folder(), test_folder(), test_folder(),
        test_folder());
    expect_silence(&made);
    test_command hand = test_run(
        "total() { \"$GOLDMEM\" run --preset kepler-hybrid --engine=order --quiet "
        "--set l2.atomic_buffer=yes \"$@\" --json - workload:spmv_parboil,rows=4096,nonzeros=8 | "
        "jq -c .total; }; both='--set tracker.enabled=yes --set l1.bypass=contention'; "
        "n=$(total --set l2.size=1MB); b=$(total $both --set l2.size=1MB); "
        "t=$(total --set tracker.enabled=yes --set l2.size=128KB); "
        "jq -nr --argjson n \"$n\" --argjson b \"$b\" --argjson t \"$t\" '"
        "[$t.dram.bytes / $n.dram.bytes, $b.dram.bytes / $n.dram.bytes, "
        "(($b.energy_pj | add) / ($n.energy_pj | add)), ($b.energy_pj.l2 / ($n.energy_pj | add)), "
        "(1 - $b.l1d.load.hits / $b.l1d.load.accesses)] | @tsv' | LC_ALL=C awk "
        "'{ printf \"%%.4f %%.4f %%.4f %%.4f %%.4f\\n\", $1, $2, $3, $4, $5 }'");
    assert_int_equal(hand.status, 0);
    test_command figures =
        test_run("cd %s/a && { awk -F, '$1 == \"SPMV\" { print $3, $13 }' figure-4.1.csv; "
                 "awk -F, '$1 == \"SPMV\" && $2 == \"B-1024\" { print $8, $5 }' figure-4.6.csv; "
                 "awk -F, '$1 == \"SPMV\" { print $3 }' figure-4.2.csv; } | paste -sd' '",
                 test_folder());
    assert_string_equal(figures.output, hand.output);
    assert_true(strstr(figures.output, "1.0000 1.0000") == NULL); /* not all the same */
    test_command_free(&figures);
    test_command_free(&hand);

    /* Figure 4.3 has our columns of bytes and victims as well: SPMV's bytes by hand. */
    hand = test_run(
        "total() { \"$GOLDMEM\" run --preset kepler-hybrid --engine=order --quiet "
        "--set l2.atomic_buffer=yes \"$@\" --json - workload:spmv_parboil,rows=4096,nonzeros=8 | "
        "jq -c .total.dram.bytes; }; both='--set tracker.enabled=yes --set l1.bypass=contention'; "
        "bytes='--set l2.dirty=byte --set l2.fetch_on_write=lazy'; c='--set l2.bypass=coalesced'; "
        "v='--set l2.victim=yes'; n=$(total); { echo B-1024 B-coalesced B-bytes B-coalesced-bytes "
        "B-victims B-victims-bytes; for keys in '' \"$c\" \"$bytes\" \"$c $bytes\" \"$c $v\" "
        "\"$c $v $bytes\"; do total $both $keys; done | LC_ALL=C awk -v n=$n "
        "'{ printf \"%%.4f\\n\", $1 / n }'; } | paste -sd' '");
    assert_int_equal(hand.status, 0);
    figures = test_run("cd %s/a && awk -F, 'NR == 1 || $1 == \"SPMV\" { $1 = \"\"; print }' "
                       "figure-4.3.csv | xargs",
                       test_folder());
    assert_string_equal(figures.output, hand.output);
    test_command_free(&figures);
    test_command_free(&hand);

    /* The mean is that of LBM and SPMV, without LBM's SoA form; the experiment with a geometric
     * mean has its own. */
    test_command means = test_run(
        "cd %s/a && awk -F, 'NR > 1 && $1 != \"mean\" && $1 != \"LBM-SoA\" { n++; s += $2 } "
        "$1 == \"mean\" { mean = $2 } END { d = s / n - mean; exit d > 0.0002 || d < -0.0002 || n "
        "!= "
        "2 }' figure-4.1.csv && awk -F, 'FNR == NR { if ($2 == \"B-1024\" && $1 ~ /^(LBM|SPMV)$/) "
        "s += "
        "log($8); next } /geometric/ { d = 1 - exp(s / 2) - $5; exit d > 0.0002 || d < -0.0002 }' "
        "figure-4.6.csv tries.csv",
        test_folder());
    expect_silence(&means);
}

/* Runs made up so that the means lie at and beyond the ends of 15%: 0.0765 and 0.1036 of 0.09, 1.15
 * and 0.8499 of 1. */
static void checks_fail_beyond_15_percent(void **state)
{
    (void)state;
    test_command ran = test_run(
        "cd %s && echo 'w B' >list && { echo 'section;figure;name;what;value;kind'; "
        "for n in 1 2 3; do echo \"1;1;demand:C$n:N-1024;x;0.09;saving\"; done; "
        "echo '1;1;demand:C4:N-1024;x;1.00;level'; echo '1;1;demand:C5:N-1024;x;1.00;level'; "
        "} >claims && awk 'BEGIN { n = split(\"0.9234 0.8964 0.9236 1.15 0.8499\", v, \" \"); "
        "print \"workload,options,preset,configuration,DRAM bytes,L1 loads,L1 load hits,L1 "
        "bypasses,"
        "L1 energy,tracker energy,L2 energy,interconnect energy,DRAM energy\"; "
        "for (i = 1; i <= n; i++) print \"w,,p,C\" i \",\" v[i] * 1e6 \",1,1,1,1,1,1,1,1\"; "
        "split(\"128 256 512 1024\", s, \" \"); for (i = 1; i <= 4; i++) for (k = 1; k <= 4; k++) "
        "print \"w,,p,\" substr(\"NTBP\", k, 1) \"-\" s[i] \",1000000,1,1,1,1,1,1,1,1\"; "
        "split(\"coalesced 1-sharer 2-trackers 4-trackers\", s, \" \"); for (i = 1; i <= 4; i++) "
        "print \"w,,p,B-\" s[i] \",1000000,1,1,1,1,1,1,1,1\" }' >runs && here=$OLDPWD && "
        "awk -f $here/scripts/reproduce-anssari/measures.awk -f "
        "$here/scripts/reproduce-anssari/figures.awk -v folder=. list claims runs && "
        "cut -d, -f3,4 checks.csv | tail -n +2 | paste -sd' '",
        test_folder());
    assert_string_equal(ran.output, "0.0766,yes 0.1036,no 0.0764,no 1.1500,yes 0.8499,no\n");
    test_command_free(&ran);
}

static void page_is_up_to_date(void **state)
{
    (void)state;
    test_command figures = test_run(
        "data=docs/reproduction/anssari && here=scripts/reproduce-anssari && cp $data/*.csv %s && "
        "LC_ALL=C awk -f $here/measures.awk -f $here/figures.awk -v folder=%s $here/workloads.txt "
        "tests/golden/anssari_figures.csv %s/runs.csv && LC_ALL=C awk -f $here/measures.awk -f "
        "$here/experiments.awk -v plan=0 $here/workloads.txt $here/configurations.txt "
        "$here/experiments.txt tests/golden/anssari_figures.csv %s/runs.csv %s/experiments.csv "
        ">%s/tries.csv && diff -x '*.svg' $data %s || echo 'run `make reproduce-anssari`'",
        test_folder(), test_folder(), test_folder(), test_folder(), test_folder(), test_folder(),
        test_folder());
    expect_silence(&figures);
    test_command page = test_run(
        "cp docs/reproduction/anssari.md %s/page.md && scripts/reproduce/page.sh "
        "docs/reproduction/anssari %s/page.md scripts/reproduce/csv-tables.awk "
        "scripts/reproduce-anssari/tables.awk && "
        "diff docs/reproduction/anssari.md %s/page.md || echo 'run `make reproduce-anssari`'",
        test_folder(), test_folder(), test_folder());
    expect_silence(&page);
}

/* The rows of runs.csv are each workload in each configuration, in order; our columns of figure 4.3
 * may all be newer than the runs. */
static void committed_runs_are_the_configurations(void **state)
{
    (void)state;
    test_command runs = test_run(
        "newer='^B-(bytes|coalesced-bytes|victims|victims-bytes)$'; "
        "grep -q ,B-bytes, docs/reproduction/anssari/runs.csv && newer=none; "
        "grep -v '^#' scripts/reproduce-anssari/workloads.txt | while read -r workload _; do "
        "grep -v '^#' scripts/reproduce-anssari/configurations.txt | while read -r name _; do "
        "echo \"$name\" | grep -qE \"$newer\" || echo \"${workload%%%%,*},kepler-hybrid,$name\"; "
        "done; done >%s/planned; tail -n +2 "
        "docs/reproduction/anssari/runs.csv | cut -d, -f1,3,4 | diff %s/planned - || "
        "echo 'run `make reproduce-anssari`'",
        test_folder(), test_folder());
    expect_silence(&runs);
}

/* The runs are of the benchmarks of Table 4.2; each kernel's marks are looked up by benchmark. */
static void benchmarks_are_the_tables(void **state)
{
    (void)state;
    test_command names = test_run(
        "grep -v '^#' tests/golden/anssari_table4.2.csv | tail -n +2 | cut -d';' -f1 | sort -u "
        ">%s/table; for list in workloads quick; do grep -v '^#' "
        "scripts/reproduce-anssari/$list.txt "
        "| awk '{ print $2 }' | sort | diff %s/table -; done",
        test_folder(), test_folder());
    expect_silence(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figures_follow_from_the_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(checks_fail_beyond_15_percent, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(benchmarks_are_the_tables, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(committed_runs_are_the_configurations, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

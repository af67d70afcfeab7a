/* make reproduce-tabbakh on small workloads: its figures, worked here by other means, follow from
 * its runs; its checks fail where they must; docs/reproduction/tabbakh.md agrees with its data. */
#include "support/support.h"

#include <string.h>

static const char small[] = "# workload, name, source, grid, options\n"
                            "gaussian,n=40               Gaussian  named  2d  --kernels=0-5\n"
                            "lbm,x=60,y=3,z=16,iterations=1  LBM  ours  1d\n";

static void expect(test_command *command, const char *output)
{
    if (command->status != 0 || strcmp(command->output, output) != 0) {
        fail_msg("expected %s\ngot %s%s", output, command->output, command->errors);
    }
    test_command_free(command);
}

/* Runs the script on `small`; again from the kept reports, with equal bytes. */
static void make_figures(void)
{
    const char *list = test_file_write("list.txt", small, strlen(small));
    const char *folder = test_folder();
    test_command made =
        test_run("make() { scripts/reproduce-tabbakh.sh \"$GOLDMEM\" %s %s/$1 %s/cache; } && "
                 "make a && JOBS=1 make b && diff -r %s/a %s/b",
                 list, folder, folder, folder, folder);
    expect(&made, "");
}

/* LBM's ratios to round robin by hand, with CTA scheduler and cache management, its lines, and the
 * CTAs of Gaussian's second launch. Its 16 rows are a group more than there are SMs. */
static void figures_follow_from_the_runs(void **state)
{
    (void)state;
    test_only_in_plain_build();
    make_figures();
    const char *folder = test_folder();
    test_command hand = test_run(
        "total() { \"$GOLDMEM\" run --quiet --preset \"$@\" --json - "
        "workload:lbm,x=60,y=3,z=16,iterations=1 | jq -c '.total + {analysis}'; }; "
        "qx='--set gpu.cta=groups --set gpu.cta_adaptive=yes'; mgt='--set sharing.enabled=yes'; "
        "r=$(total fermi-sharing); b=$(total fermi-sharing $qx $mgt); k=$(total kepler-sharing); "
        "l=$(total kepler-sharing $qx $mgt); a=$(total fermi-sharing --engine=cycle "
        "--analyze=sharing --set gpu.cta=groups); "
        "jq -nr --argjson r \"$r\" --argjson b \"$b\" --argjson k \"$k\" --argjson l \"$l\" "
        "--argjson a \"$a\" '"
        "def three: .energy_pj | .l2 + .interconnect + .dram; [$b.cycles / $r.cycles, "
        "$b.l1d.misses / $b.l1d.accesses * $r.l1d.accesses / $r.l1d.misses, "
        "$b.l2.misses / $r.l2.misses, $b.dram.bytes / $r.dram.bytes, "
        "$b.energy_pj.interconnect / ($r | three), ($b | three) / ($r | three), "
        "$l.cycles / $k.cycles, $l.energy_pj.l2 / $k.energy_pj.l2, "
        "($a.analysis.sharing | (.by_sms | to_entries | map(.key * .value) | add) / .lines)] "
        "| @tsv' | LC_ALL=C awk '{ for (i = 1; i <= NF; i++) printf \"%%.4f \", $i }'; "
        "\"$GOLDMEM\" run --preset fermi-sharing --quiet --set gpu.cta=groups --set "
        "gpu.cta_group=1 "
        "--kernels=0-1 --json - workload:gaussian,n=40 | jq -r '.kernels[1].cta | \"\\(.least) "
        "\\(.most)\"'");
    assert_int_equal(hand.status, 0);
    test_command figures =
        test_run("cd %s/a && pick() { awk -F, -v row=\"^$2\" -v list=\"$3\" '$0 ~ row { n = "
                 "split(list, k, \" \"); for (i = 1; i <= n; i++) print $k[i] }' $1.csv; }; "
                 "{ pick extras-time LBM, 4; pick figure-16 LBM, '2 3 4'; "
                 "pick figure-17 'LBM,qx_adpt[+]mgt,' '4 6'; pick kepler LBM, '2 6'; "
                 "pick figure-14-sharers LBM, 8; "
                 "pick figure-8 1, '4 6'; } | paste -sd' '",
                 folder);
    assert_int_equal(figures.status, 0);
    assert_string_equal(figures.output, hand.output);
    test_command_free(&figures);
    test_command_free(&hand);

    /* The mean is of both workloads; the cumulative shares end with all lines; in Figure 8 the
     * cycles of a CTA are between the least and the most of its kernel; the shared lines that the
     * L2's 6144 hold are those that became shared and were not evicted. */
    test_command laws = test_run(
        "cd %s/a && awk -F, 'NR > 1 && $1 != \"mean\" { n++; s += $4 } $1 == \"mean\" { d = s / n "
        "- $4; print n, (d < 0.0002 && d > -0.0002) }' figure-16.csv && "
        "awk -F, 'NR > 1 { print $16 }' figure-5.csv && awk -F, 'NR > 1 { n++; ok += $4 <= $5 && "
        "$5 <= $6 && ($3 > 1 || $4 == $6) } END { print n, ok }' figure-8.csv && "
        "awk -F, 'FNR == 1 { next } FNR == NR { held[$1, $2] = $4; next } "
        "($1, $2) in held && $9 != \"-\" { d = held[$1, $2] - $9 * 6144; "
        "print $2, (held[$1, $2] > 1000 && d < 1 && d > -1) }' contents.csv clog.csv",
        folder);
    expect(&laws, "2 1\n1.0000\n1.0000\n1.0000\n70 70\nqx_adpt+mgt 1\nqx_adpt+mgt+dead 1\n");
}

/* A workload beside the others is in no mean but one that names it or its set; footprints are in
 * sizes of the L2, 6144 lines. Runs made up so that numbers lie at both sides of the
 * ends of 15%, 0.0285 of 0.19 and 0.0105 of 0.07, and at both sides of bounds; the policy of the
 * least time is named. */
static void checks_fail_beyond_15_percent(void **state)
{
    (void)state;
    test_command ran = test_run(
        "here=$PWD/scripts/reproduce-tabbakh && cd %s && { echo 'w W named 2d'; "
        "echo 'v V beside 2d'; } >list && "
        "{ for c in BCS q8 q16 qx; do echo \"1;1;traffic:$c:rr;x;0.19;saving\"; done; "
        "for c in q8_adpt q16_adpt; do echo \"1;1;speed:$c:rr;x;0.07;gain\"; done; "
        "for bound in '1;at_least' '1.0001;at_least' '1;at_most' '0.9999;at_most'; do "
        "echo \"1;1;merged_shared:rr;x;$bound\"; done; "
        "} >claims && { echo 'traffic:BCS:rr;-;arithmetic;all;qx;-;another'; "
        "echo 'traffic:BCS:rr;-;arithmetic;V;-;-;beside'; "
        "for mean in arithmetic total least; do echo "
        "\"traffic:BCS:rr;-;$mean;W+beside;-;-;$mean\"; "
        "done; } >experiments && "
        "titles=$(cut -sf1 $here/columns.txt) && awk -v titles=\"$titles\" 'BEGIN { n = "
        "split(titles, title, \"\\n\"); "
        "split(\"BCS q8 q16 qx\", c, \" \"); split(\"0.8384 0.8386 0.7816 0.7814\", v, \" \"); "
        "for (i = 1; i <= 4; i++) special[c[i], \"DRAM bytes\"] = v[i] * 1000; "
        "special[\"q8_adpt\", \"cycles\"] = 925.4; special[\"q16_adpt\", \"cycles\"] = 925.6; "
        "line = \"workload,options,preset,configuration\"; for (i = 1; i <= n; i++) line = line "
        "\",\""
        " title[i]; print line } !/^#/ { for (w = 0; w < 2; w++) { line = (w ? \"v\" : \"w\") "
        "\",,p,\" $1; for (i = 1; i <= n; i++) line = line \",\" (w ? 2000 - 10 * ($1 == \"BCS\") "
        ": "
        "($1, title[i]) in special ? special[$1, title[i]] : 1000); print line } }' "
        "$here/configurations.txt >runs.csv && awk -f $here/measures.awk -f "
        "$here/figures.awk -v folder=. list claims experiments runs.csv && ls | grep footprints; "
        "echo 'v,n=8 V-2 at1.2x4 2d' >footprints && sed -n '1p; s/^v,,/v,n=8,/p' runs.csv "
        ">more.csv "
        "&& awk -f $here/measures.awk -f $here/figures.awk -v folder=. list claims experiments "
        "runs.csv footprints more.csv && tail -n +2 footprints.csv && "
        "cut -d, -f3,4 checks.csv | tail -n +2 | paste -sd' ' && tail -n +2 tries.csv && "
        "grep -E '^(least|quantities)' orders.csv",
        test_folder());
    expect(&ran,
           "V,n=8,2000,4,0.3255,1.0000,1.0000,1.0000,1.0000,1.0000\n"
           "0.1616,yes 0.1614,no 0.2184,yes 0.2186,no 0.0806,no 0.0804,yes 1.0000,yes 1.0000,no "
           "1.0000,yes 1.0000,no\ntraffic:BCS:rr,another,0.19,0.1616,0.2186,no\n"
           "traffic:BCS:rr,beside,0.19,0.1616,0.0050,no\n"
           "traffic:BCS:rr,arithmetic,0.19,0.1616,0.0833,no\n"
           "traffic:BCS:rr,total,0.19,0.1616,0.0572,no\n"
           "traffic:BCS:rr,least,0.19,0.1616,0.1616,yes\n"
           "least execution time,qx_adpt,q8_adpt,q8_adpt\n"
           "quantities of 9 in which BCS is better than rr,a minority,1,\n");
}

static void page_is_up_to_date(void **state)
{
    (void)state;
    test_command figures = test_run(
        "data=docs/reproduction/tabbakh && here=scripts/reproduce-tabbakh && cp $data/*.csv %s && "
        "LC_ALL=C awk -f $here/measures.awk -f $here/figures.awk -v folder=%s $here/workloads.txt "
        "tests/golden/tabbakh_figures.csv $here/experiments.txt %s/runs.csv $here/footprints.txt "
        "%s/footprint-runs.csv && "
        "diff -x '*.svg' $data %s || echo 'run `make reproduce-tabbakh`'",
        test_folder(), test_folder(), test_folder(), test_folder(), test_folder());
    expect(&figures, "");
    test_command page = test_run(
        "cp docs/reproduction/tabbakh.md %s/page.md && scripts/reproduce/page.sh "
        "docs/reproduction/tabbakh %s/page.md scripts/reproduce/csv-tables.awk "
        "scripts/reproduce-tabbakh/tables.awk && "
        "diff docs/reproduction/tabbakh.md %s/page.md || echo 'run `make reproduce-tabbakh`'",
        test_folder(), test_folder(), test_folder());
    expect(&page, "");
}

/* The rows of runs.csv are each workload in each configuration, in order; those of
 * footprint-runs.csv each of footprints.txt in five. */
static void committed_runs_are_the_configurations(void **state)
{
    (void)state;
    test_command runs = test_run(
        "planned() { grep -v '^#' scripts/reproduce-tabbakh/$1 | while read -r workload _; do "
        "grep -v '^#' scripts/reproduce-tabbakh/configurations.txt | while read -r name preset _; "
        "do echo \"${workload%%%%,*},$preset,$name\"; done; done | grep -E \",($2)$\"; }; "
        "ran() { tail -n +2 docs/reproduction/tabbakh/$1 | cut -d, -f1,3,4; }; "
        "{ planned workloads.txt '.*'; planned footprints.txt "
        "'rr|mgt|qx_adpt([+]mgt([+]reset)?)?'; } >%s/planned && "
        "{ ran runs.csv; ran footprint-runs.csv; } | diff %s/planned - || "
        "echo 'run `make reproduce-tabbakh`'",
        test_folder(), test_folder());
    expect(&runs, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figures_follow_from_the_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(checks_fail_beyond_15_percent, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(committed_runs_are_the_configurations, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

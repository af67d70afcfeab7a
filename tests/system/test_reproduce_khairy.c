/* make reproduce-khairy on small workloads: each gets the class of its kernel in [khairy, Table 2]
 * (srad is the friendly one: [khairy] has no small friendly kernel). Its figures and experiments,
 * worked out by hand for runs that are made up. docs/reproduction/khairy.md agrees with its data.
 */
#include "support/support.h"

#include <string.h>

/* Every study on the small workloads of QUICK=1. */
static void small_workloads_have_their_papers_classes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command made = test_run("scripts/reproduce-khairy.sh \"$GOLDMEM\" "
                                 "scripts/reproduce-khairy/quick.txt %s/out %s/cache",
                                 test_folder(), test_folder());
    if (made.status != 0) {
        fail_msg("%s%s", made.output, made.errors);
    }
    test_command_free(&made);
    test_command classes = test_run("cut -d, -f1,16-18 %s/out/classes.csv", test_folder());
    assert_string_equal(classes.output, "workload,class,paper class,agrees\n"
                                        "vectoradd,streaming,streaming,yes\n"
                                        "hotspot,streaming,streaming,yes\n"
                                        "conv2d,conflict,conflict,yes\n"
                                        "spmv,thrashing,thrashing,yes\n"
                                        "syrk,thrashing+conflict,thrashing+conflict,yes\n"
                                        "srad,friendly,friendly,yes\n");
    test_command_free(&classes);
    /* PRIC and wider merging are run in the paper's contention classes only. */
    test_command remedies = test_run("cut -d, -f1,4 %s/out/runs.csv | grep -E ',PRIC$|merges' | "
                                     "tr '\\n' ' '; wc -l <%s/out/short-rows.csv",
                                     test_folder(), test_folder());
    test_expect(&remedies, 0,
                "conv2d,PRIC conv2d,merges conv2d,PRIC-merges spmv,PRIC spmv,merges "
                "spmv,PRIC-merges syrk,PRIC syrk,merges syrk,PRIC-merges 1\n");
    /* The page can be made of them. */
    test_command page =
        test_run("cp docs/reproduction/khairy.md %s/page.md && "
                 "here=scripts/reproduce-khairy && scripts/reproduce/page.sh %s/out "
                 "%s/page.md $here/thresholds.awk $here/tables.awk",
                 test_folder(), test_folder(), test_folder());
    if (page.status != 0) {
        fail_msg("%s%s", page.output, page.errors);
    }
    test_command_free(&page);
}

/* Runs made up: speeds of DWT-PRIC are 2, 4 and 1, of CCWS 2 and 1/2; without a run of MRPB. */
static const char list[] = "one,n=3 ONE streaming\n"
                           "two TWO conflict\n"
                           "three THREE thrashing+conflict\n"
                           "four - -\n";
static const char studies[] = "rivals all bounded\nrivals all DWT-PRIC y=1\n"
                              "limits thrashing limit-1 x=1\nlimits thrashing limit-2 x=2\n";
static const char runs[] =
    "workload,options,preset,configuration,cycles,thread instructions,L1 loads,L1 load misses,"
    "line allocation fails,MSHR entry fails,MSHR merge fails,miss queue fails,limit chosen\n"
    "one,n=3,p,bounded,1000,1000,10,10,0,0,0,0\n"
    "one,n=3,p,DWT-PRIC,500,1000,10,10,0,0,0,0\n"
    "two,,p,bounded,1000,1000,100,80,50,30,15,5\n"
    "two,,p,unbounded,100,1000,100,10,0,0,0,0\n"
    "two,,p,DWT-PRIC,250,1000,100,20,1,2,3,4\n"
    "two,,p,PRIC,250,1000,100,20,1,2,3,4\n"
    "two,,p,CCWS,500,1000,100,80,50,30,15,5\n"
    "three,,p,bounded,1000,1000,100,80,100,0,0,0\n"
    "three,,p,DWT-PRIC,2000,2000,100,80,100,0,0,0,2\n" /* ends at another limit: speed 1 */
    "three,,p,CCWS,2000,1000,100,80,50,30,15,5\n"
    "three,,p,DWT-CS,2000,2000,100,80,100,0,0,0,1/3\n"
    "three,,p,limit-1,400,1000,100,80,50,30,15,5\n"
    "three,,p,limit-2,200,1000,100,80,50,30,15,5\n";
static const char numbers[] = "section;figure;name;what;value;kind\n"
                              "5;8;hm:all:DWT-PRIC:bounded;all;1.54;about\n"
                              "5;8;hm:streaming:DWT-PRIC:bounded;streaming;1.2;about\n"
                              "5;9;hm:contention:DWT-PRIC:CCWS;over CCWS;2.3;about\n"
                              "5;9;hm:contention:DWT-PRIC:MRPB;over MRPB;1.5;about\n"
                              "5;9;ratio:two:DWT-PRIC:CCWS;two;1;most\n"
                              "5;8;least:contention:DWT-PRIC:bounded;least;1;least\n"
                              "5;10;misses:two;misses;0.8;least\n"
                              "5;10;near:two;near;0.05;most\n"
                              "5;11;fails:two;fails;0.6;about\n"
                              "5;11;fails:mean;mean;0.2;about\n"
                              "5;11;fails:mean-of-all;mean of all;0.2;about\n"
                              "5;12;hm:conflicts:1-cycle-PRIC:1-cycle-16-way;ways;2;about\n"
                              "4;T3;limit:three;limit;2;equal\n"
                              "4;T3;chosen:three;chosen;1;equal\n";

/* Of `make reproduce-index`: PRIC is 2 and 3 times as fast as 16 ways. */
static const char index_runs[] =
    "workload,options,preset,configuration,cycles,thread instructions\n"
    "two,,p,16-way,400,1000\n"
    "two,,p,PRIC,200,1000\n"
    "three,,p,16-way,300,1000\n"
    "three,,p,PRIC,100,1000\n";

/* By hand. Means: 3 / (1/2 + 1/4 + 1) = 1.7143, within 15% of 1.54; 2 / (1/2 + 1/2) = 2, within 15%
 * of 2.3 (1.955). Misses: from 80% to 20% are 75% fewer, 10% more than unbounded. Fails: from 100
 * in 1000 cycles to 10 in 250, 60% fewer; three's in 2000 cycles, 50% fewer; mean 55%, of
 * all three workloads 36.67%.
 * static-PRIC: two runs PRIC, 4, three the faster limit, 5: 2 / (1/4 + 1/5) = 4.4444.
 * PRIC over 16 ways: 2 / (1/2 + 1/3) = 2.4. */
static void figures_follow_from_runs(void **state)
{
    (void)state;
    test_file_write("list.txt", list, strlen(list));
    test_file_write("studies.txt", studies, strlen(studies));
    test_file_write("numbers.csv", numbers, strlen(numbers));
    test_file_write("runs.csv", runs, strlen(runs));
    test_file_write("set-index.csv", index_runs, strlen(index_runs));
    test_command made = test_run(
        "here=$PWD/scripts/reproduce-khairy && cd %s && LC_ALL=C awk -f $here/measures.awk -f "
        "$here/figures.awk -v technique=DWT-PRIC -v folder=. list.txt studies.txt numbers.csv "
        "set-index.csv runs.csv && cut -d, -f3- claims.csv",
        test_folder());
    test_expect(&made, 0,
                "what,theirs,kind,ours,agrees\n"
                "all,1.54,about,1.7143,yes\n"
                "streaming,1.2,about,2.0000,no\n"
                "over CCWS,2.3,about,2.0000,yes\n"
                "over MRPB,1.5,about,-,not run\n"
                "two,1,most,2.0000,no\n"
                "least,1,least,1.0000,yes\n"
                "misses,0.8,least,0.7500,no\n"
                "near,0.05,most,0.1000,no\n"
                "fails,0.6,about,0.6000,yes\n"
                "mean,0.2,about,0.5500,no\n"
                "mean of all,0.2,about,0.3667,no\n"
                "ways,2,about,2.4000,no\n"
                "limit,2,equal,2.0000,yes\n"
                "chosen,1,equal,2.0000,no\n");
    test_command limits =
        test_run("cat %s/limits.csv; tail -4 %s/figure-8.csv", test_folder(), test_folder());
    test_expect(&limits, 0,
                "workload,paper name,best,DWT-CS,without PRIC,1,2\n"
                "three,THREE,2,2,1/3,2.5000,5.0000\n"
                "mean,harmonic mean,streaming,2.0000,-,-,-,-,-\n"
                "mean,harmonic mean,contention,1.6000,4.4444,-,-,-,-\n"
                "mean,harmonic mean,friendly,-,-,-,-,-,-\n"
                "mean,harmonic mean,all,1.7143,-,-,-,-,-\n");
}

static const char experiments[] = "# comment\n"
                                  "ratio:three:DWT-PRIC:bounded;three,n=7;z=3 +v=8;larger\n"
                                  "hm:contention:DWT-PRIC:CCWS;two;-;two alone\n"
                                  "limit:three;three;z=4 w=5 --max-instructions=1K;other keys\n"
                                  "misses:two;two;z=6 --max-instructions=1;misses\n"
                                  "misses:two;four five;z=7;five is not in the list\n"
                                  "misses:two;two;=misses:two:CCWS;CCWS\n"
                                  "chosen:three;three;=chosen:three:DWT-CS;DWT-CS\n"
                                  "fails:three;three;=fails:three:CCWS;CCWS\n";
static const char numbers_of_experiments[] = "section;figure;name;what;value;kind\n"
                                             "5;8;ratio:three:DWT-PRIC:bounded;three;3;about\n"
                                             "5;9;hm:contention:DWT-PRIC:CCWS;over CCWS;2.3;about\n"
                                             "5;10;misses:two;misses;0.5;least\n"
                                             "4;T3;limit:three;limit;1;equal\n"
                                             "4;T3;chosen:three;chosen;1/3;equal\n"
                                             "5;11;fails:three;fails;0.5;about\n";
static const char experiment_runs[] =
    "workload,options,preset,configuration,cycles,thread instructions,L1 loads,L1 load misses\n"
    "three,n=7,p,bounded#1,3000,1000,10,10\n"
    "three,n=7,p,DWT-PRIC#1,1000,1000,10,10\n"
    "two,,p,DWT-PRIC#2,100,1000,10,10\n"
    "two,,p,CCWS#2,1000,1000,10,10\n"
    "three,,p,bounded#3,1000,1000,10,10\n"
    "three,,p,limit-1#3,100,1000,10,10\n"
    "three,,p,limit-2#3,200,1000,10,10\n"
    "two,,p,bounded#4,100,1000,10,10\n"
    "two,,p,DWT-PRIC#4,100,1000,10,4\n";

/* By hand: a run of an experiment stands for that of the plan, in a mean too: of 2 and 2, of which
 * one becomes 10: 2 / (1/10 + 1/2) = 3.3333. Workloads stop where the list says so. */
static void experiments_change_one_thing(void **state)
{
    (void)state;
    static const char stopping[] =
        "two TWO conflict\nthree THREE thrashing+conflict --max-instructions=9\n";
    test_file_write("list.txt", stopping, strlen(stopping));
    test_file_write("studies.txt", studies, strlen(studies));
    test_file_write("numbers.csv", numbers_of_experiments, strlen(numbers_of_experiments));
    test_file_write("runs.csv", runs, strlen(runs));
    test_file_write("set-index.csv", index_runs, strlen(index_runs));
    test_file_write("experiments.txt", experiments, strlen(experiments));
    test_file_write("experiment-runs.csv", experiment_runs, strlen(experiment_runs));
    static const char command[] =
        "here=$PWD/scripts/reproduce-khairy && cd %s && LC_ALL=C awk -f $here/measures.awk -f "
        "$here/experiments.awk -v technique=DWT-PRIC -v plan=%d list.txt studies.txt numbers.csv "
        "set-index.csv runs.csv experiments.txt %s";
    test_command planned = test_run(command, test_folder(), 1, "");
    test_expect(&planned, 0,
                "three,n=7 gtx480 DWT-PRIC#1 y=1 z=3 v=8 --max-instructions=9\n"
                "three,n=7 gtx480 bounded#1 z=3 --max-instructions=9\n"
                "two gtx480 DWT-PRIC#2 y=1\n"
                "two gtx480 CCWS#2\n"
                "three gtx480 bounded#3 z=4 w=5 --max-instructions=9\n"
                "three gtx480 limit-1#3 x=1 z=4 w=5 --max-instructions=9\n"
                "three gtx480 limit-2#3 x=2 z=4 w=5 --max-instructions=9\n"
                "two gtx480 bounded#4 z=6 --max-instructions=1\n"
                "two gtx480 DWT-PRIC#4 y=1 z=6 --max-instructions=1\n");
    test_command table = test_run(command, test_folder(), 0, "experiment-runs.csv");
    test_expect(&table, 0,
                "figure,what,changed,theirs,kind,before,after,agreed,agrees\n"
                "8,three,larger,3,about,1.0000,3.0000,no,yes\n"
                "9,over CCWS,two alone,2.3,about,2.0000,3.3333,yes,no\n"
                "T3,limit,other keys,1,equal,2.0000,1.0000,no,yes\n"
                "10,misses,misses,0.5,least,0.7500,0.6000,yes,yes\n"
                "10,misses,CCWS,0.5,least,0.7500,0.0000,yes,no\n"
                "T3,chosen,DWT-CS,1/3,equal,2.0000,1/3,no,no\n"
                "11,fails,CCWS,0.5,about,0.5000,0.5000,yes,yes\n");
}

static void same_runs_give_the_same_bytes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char one[] = "vectoradd,n=16384 VAdd streaming\n";
    const char *list = test_file_write("one.txt", one, strlen(one));
    test_command made = test_run("for i in a b; do scripts/reproduce-khairy.sh \"$GOLDMEM\" %s "
                                 "%s/$i %s/cache-$i; done; diff -r %s/a %s/b",
                                 list, test_folder(), test_folder(), test_folder(), test_folder());
    test_expect(&made, 0, "");
}

/* The classes follow from the counters in runs.csv, and the page's tables from both. */
static void page_is_up_to_date(void **state)
{
    (void)state;
    test_command derived = test_run(
        "cd scripts/reproduce-khairy && data=../../docs/reproduction/khairy && LC_ALL=C awk -f "
        "thresholds.awk -f classes.awk workloads.txt $data/runs.csv | diff $data/classes.csv -");
    if (derived.status != 0) {
        fail_msg("run `make reproduce-khairy`\n%s%s", derived.output, derived.errors);
    }
    test_command_free(&derived);
    test_command figures = test_run(
        "here=scripts/reproduce-khairy && data=docs/reproduction && "
        "inputs=\"$here/workloads.txt $here/studies.txt tests/golden/khairy_figures.csv "
        "$data/set-index/runs.csv $data/khairy/runs.csv\" && export LC_ALL=C && "
        "awk -f $here/measures.awk -f $here/figures.awk -v technique=DWT-PRIC -v folder=%s $inputs "
        "&& awk -f $here/measures.awk -f $here/experiments.awk -v technique=DWT-PRIC -v plan=0 "
        "$inputs $here/experiments.txt $data/khairy/experiment-runs.csv >%s/experiments.csv && "
        "for i in %s/*.csv; do diff $data/khairy/$(basename $i) $i || exit 1; done",
        test_folder(), test_folder(), test_folder());
    if (figures.status != 0) {
        fail_msg("run `make reproduce-khairy`\n%s%s", figures.output, figures.errors);
    }
    test_command_free(&figures);
    test_command page = test_run("cp docs/reproduction/khairy.md %s/page.md && "
                                 "here=scripts/reproduce-khairy && scripts/reproduce/page.sh "
                                 "docs/reproduction/khairy %s/page.md $here/thresholds.awk "
                                 "$here/tables.awk && diff docs/reproduction/khairy.md %s/page.md",
                                 test_folder(), test_folder(), test_folder());
    if (page.status != 0) {
        fail_msg("run `make reproduce-khairy`\n%s%s", page.output, page.errors);
    }
    test_command_free(&page);
}

/* But for those that the last line of the list names as not run. */
static void every_workload_is_run(void **state)
{
    (void)state;
    test_command missing = test_run(
        "$GOLDMEM workloads | while read -r name rest; do grep -q \"^$name[, ]\" "
        "scripts/reproduce-khairy/workloads.txt || grep -q \"^# Not run.*: .*\\b$name\\b\" "
        "scripts/reproduce-khairy/workloads.txt || echo \"$name\"; done");
    assert_string_equal(missing.output, "");
    assert_string_equal(missing.errors, "");
    test_command_free(&missing);
    test_command unknown = test_run(
        "grep -v '^#' scripts/reproduce-khairy/experiments.txt | cut -d ';' -f 2 | tr ' ' '\\n' | "
        "sed 's/,.*//' | while read -r name; do grep -q \"^$name[, ]\" "
        "scripts/reproduce-khairy/workloads.txt || echo \"$name\"; done");
    test_expect(&unknown, 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_is_run),
        cmocka_unit_test_setup_teardown(small_workloads_have_their_papers_classes,
                                        test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(figures_follow_from_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(experiments_change_one_thing, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(same_runs_give_the_same_bytes, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* make reproduce-index on small workloads: SYRK spreads over the sets as in [khairy, 4.3 and figure
 * 6], the speeds of figure 12 are the quotients of cycles worked by hand here, and
 * docs/reproduction/set-index.md agrees with its data. */
#include "support/support.h"

#include <string.h>

/* As in scripts/reproduce-khairy/workloads.txt; vectoradd is of no conflict class, so it is not
 * run. SYRK's rows are 32 lines. */
static const char small[] = "# workload, name and class in [khairy]\n"
                            "vectoradd,n=16384  VAdd   streaming\n"
                            "conv2d,rows=32     2DCONV conflict\n"
                            "syrk,n=32,m=1024   SYRK   thrashing+conflict\n";

static void conflict_workloads_are_spread_and_timed(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *list = test_file_write("list.txt", small, strlen(small));
    test_command made = test_run("scripts/reproduce-index.sh \"$GOLDMEM\" %s %s/a %s/cache", list,
                                 test_folder(), test_folder());
    test_expect(&made, 0, "");
    /* One row of 32 lanes is one set of 32 lines; under PRIC 32 sets of one line. */
    test_command spread = test_run("cat %s/a/spread.csv", test_folder());
    assert_string_equal(spread.output, "workload,function,lines,sets,fullest\n"
                                       "syrk,sequential,32,1,32\n"
                                       "syrk,ipoly:37,32,32,1\n");
    test_command_free(&spread);
    /* Runs: every cache of the figure, with the figure's hit latency, on conflict workloads only.
     */
    test_command runs =
        test_run("cut -d, -f1,4 %s/a/runs.csv | tail -n +2 | tr '\\n' ' '", test_folder());
    assert_string_equal(
        runs.output,
        "conv2d,4-way conv2d,PRIC conv2d,16-way conv2d,32-way conv2d,64-way conv2d,full "
        "conv2d,4-way-merges conv2d,PRIC-merges syrk,4-way syrk,PRIC syrk,16-way syrk,32-way "
        "syrk,64-way syrk,full syrk,4-way-merges syrk,PRIC-merges ");
    test_command_free(&runs);
    test_command latency =
        test_run("set -- $(\"$GOLDMEM\" run --quiet --preset gtx480 --set "
                 "l1.latency=1 --json - workload:conv2d,rows=32 | "
                 "jq .total.cycles); grep -c \"^conv2d,.*,4-way,$1,\" %s/a/runs.csv",
                 test_folder());
    test_expect(&latency, 0, "1\n");
}

static void same_runs_give_the_same_bytes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char one[] = "conv2d,rows=8 2DCONV conflict\n";
    const char *list = test_file_write("one.txt", one, strlen(one));
    test_command made = test_run("for i in a b; do scripts/reproduce-index.sh \"$GOLDMEM\" %s "
                                 "%s/$i %s/cache-$i || exit; done; diff -r %s/a %s/b",
                                 list, test_folder(), test_folder(), test_folder(), test_folder());
    test_expect(&made, 0, "");
}

/* Cycles chosen so that every quotient is exact: a is 2, 4, 1, 2 and 8 times as fast as its 4-way
 * cache with PRIC, 16, 32, 64 ways and fully associative, b 6, 1, 2, 3 and 6 times. PRIC against
 * 16-way: 1/2 and 6, whose harmonic mean is 2 / (2 + 1/6) = 12/13; against 32-way: 2 and 3, 12/5;
 * 64-way: 1 and 2, 4/3; full: 1/4 and 1, 2/5. */
static void figure_12_divides_cycles(void **state)
{
    (void)state;
    static const char runs[] =
        "workload,options,preset,configuration,cycles,thread instructions,L1 loads,L1 load misses\n"
        "a,,gtx480,4-way,800,1,100,80\na,,gtx480,PRIC,400,1,100,40\na,,gtx480,16-way,200,1,100,20\n"
        "a,,gtx480,32-way,800,1,100,60\na,,gtx480,64-way,400,1,100,50\na,,gtx480,full,100,1,100,"
        "10\n"
        "a,,gtx480,4-way-merges,800,1,100,80\na,,gtx480,PRIC-merges,200,1,100,40\n"
        "b,,gtx480,4-way,600,1,0,0\nb,,gtx480,PRIC,100,1,0,0\nb,,gtx480,16-way,600,1,0,0\n"
        "b,,gtx480,32-way,300,1,0,0\nb,,gtx480,64-way,200,1,0,0\nb,,gtx480,full,100,1,0,0\n"
        "b,,gtx480,4-way-merges,500,1,0,0\nb,,gtx480,PRIC-merges,100,1,0,0\n";
    const char *file = test_file_write("runs.csv", runs, strlen(runs));
    test_command made = test_run("awk -f scripts/reproduce-index/figure-12.awk %s", file);
    test_expect(&made, 0,
                "workload,PRIC,16-way,32-way,64-way,full,PRIC with 64 merges,misses 4-way,misses "
                "PRIC,misses 16-way,misses 32-way,misses 64-way,misses full\n"
                "a,2.000,4.000,1.000,2.000,8.000,4.000,0.8000,0.4000,0.2000,0.6000,0.5000,0.1000\n"
                "b,6.000,1.000,2.000,3.000,6.000,5.000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000\n"
                "PRIC against,1.000,0.923,2.400,1.333,0.400,\n");
}

static void page_is_up_to_date(void **state)
{
    (void)state;
    test_command page =
        test_run("here=scripts/reproduce-index data=docs/reproduction/set-index && "
                 "awk -f $here/figure-12.awk $data/runs.csv | diff $data/figure-12.csv - && "
                 "cp docs/reproduction/set-index.md %s/page.md && scripts/reproduce/page.sh $data "
                 "%s/page.md $here/tables.awk && diff docs/reproduction/set-index.md %s/page.md",
                 test_folder(), test_folder(), test_folder());
    if (page.status != 0) {
        fail_msg("run `make reproduce-index`\n%s%s", page.output, page.errors);
    }
    test_command_free(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(conflict_workloads_are_spread_and_timed, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(same_runs_give_the_same_bytes, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(figure_12_divides_cycles, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

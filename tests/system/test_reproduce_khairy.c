/* make reproduce-khairy on small workloads: each gets the class of its kernel in [khairy, Table 2]
 * (srad is the friendly one: [khairy] has no small friendly kernel). docs/reproduction/khairy.md
 * agrees with its data. */
#include "support/support.h"

#include <string.h>

/* As in scripts/reproduce-khairy/workloads.txt. */
static const char small[] = "# workload, name and class in [khairy]\n"
                            "vectoradd,n=65536 VAdd streaming\n"
                            "hotspot,n=256,steps=2 HS streaming\n"
                            "srad,rows=128,iterations=1 SRAD friendly\n"
                            "conv2d,rows=64 2DCONV conflict\n"
                            "spmv,rows=2048 SpMV thrashing\n"
                            "syrk,n=32,m=256 SYRK thrashing+conflict\n";

static void small_workloads_have_their_papers_classes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *list = test_file_write("list.txt", small, strlen(small));
    test_command made = test_run("scripts/reproduce-khairy.sh \"$GOLDMEM\" %s %s/out %s/cache",
                                 list, test_folder(), test_folder());
    if (made.status != 0) {
        fail_msg("%s%s", made.output, made.errors);
    }
    test_command_free(&made);
    test_command classes = test_run("cut -d, -f1,16-18 %s/out/classes.csv", test_folder());
    assert_string_equal(classes.output, "workload,class,paper class,agrees\n"
                                        "vectoradd,streaming,streaming,yes\n"
                                        "hotspot,streaming,streaming,yes\n"
                                        "srad,friendly,friendly,yes\n"
                                        "conv2d,conflict,conflict,yes\n"
                                        "spmv,thrashing,thrashing,yes\n"
                                        "syrk,thrashing+conflict,thrashing+conflict,yes\n");
    test_command_free(&classes);
    /* PRIC and wider merging are run in the paper's contention classes only. */
    test_command remedies = test_run("cut -d, -f1,4 %s/out/runs.csv | grep -E 'PRIC|merges' | "
                                     "tr '\\n' ' '; wc -l <%s/out/short-rows.csv",
                                     test_folder(), test_folder());
    test_expect(&remedies, 0,
                "conv2d,PRIC conv2d,merges conv2d,PRIC-merges spmv,PRIC spmv,merges "
                "spmv,PRIC-merges syrk,PRIC syrk,merges syrk,PRIC-merges 1\n");
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_is_run),
        cmocka_unit_test_setup_teardown(small_workloads_have_their_papers_classes,
                                        test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(same_runs_give_the_same_bytes, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

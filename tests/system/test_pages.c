/* The pages of docs/ that are made from tables in the code are as `make docs` writes them. */
#include "support/support.h"

#include <string.h>

static void pages_are_up_to_date(void **state)
{
    (void)state;
    test_command list = test_run("$GOLDMEM docs");
    assert_int_equal(list.status, 0);
    unsigned pages = 0;
    for (char *name = strtok(list.output, "\n"); name != NULL; name = strtok(NULL, "\n")) {
        const char *ending = strchr(name, '.') == NULL ? ".md" : "";
        test_command difference =
            test_run("$GOLDMEM docs %s | diff docs/%s%s -", name, name, ending);
        if (difference.status != 0) {
            fail_msg("docs/%s%s is not what the code says: run `make docs`\n%s%s", name, ending,
                     difference.output, difference.errors);
        }
        test_command_free(&difference);
        difference = test_run("! grep -n '(null)' docs/%s%s", name, ending);
        assert_int_equal(difference.status, 0);
        test_command_free(&difference);
        pages++;
    }
    assert_true(pages > 0);
    test_command_free(&list);
}

static void unknown_page_is_refused(void **state)
{
    (void)state;
    test_command command = test_run("$GOLDMEM docs nonsense");
    assert_int_equal(command.status, 2);
    assert_string_equal(command.errors, "goldmem: no page 'nonsense'; try 'goldmem docs --help'\n");
    test_command_free(&command);
}

/* Every workload has its row in the table, with each of its options that names a file. */
static void every_workload_has_its_row(void **state)
{
    (void)state;
    test_command missing =
        test_run("$GOLDMEM workloads | while read -r name rest; do "
                 "row=$(grep \"^| $name | \" docs/workloads.md) || echo \"$name: no row\"; "
                 "$GOLDMEM workloads $name | sed -n 's/^  \\([a-z]*\\) .*(a file)$/\\1/p' | "
                 "while read -r file; do case $row in *\"\\`$file\\`\"*) ;; *) echo \"$name: "
                 "$file\" ;; esac; "
                 "done; done");
    assert_string_equal(missing.output, "");
    assert_string_equal(missing.errors, "");
    test_command_free(&missing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_has_its_row),
        cmocka_unit_test(pages_are_up_to_date),
        cmocka_unit_test(unknown_page_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

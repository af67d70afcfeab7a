/* make hardware-cost: its data agree with the RTL (gates: make regress), its page with the data,
 * and the conventional tags that it measures with tag_store at threshold 0. */
#include "support/support.h"

static void must_succeed(test_command *command)
{
    if (command->status != 0) {
        fail_msg("run `make hardware-cost`\n%s%s", command->output, command->errors);
    }
    test_command_free(command);
}

static void memories_are_those_of_the_rtl(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("scripts/hardware-cost.sh %s memories && diff %s/memories.csv "
                                    "docs/reproduction/hardware-cost/memories.csv",
                                    test_folder(), test_folder());
    must_succeed(&command);
}

static void page_is_up_to_date(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("page=docs/reproduction/hardware-cost && cp $page.md %s/page.md && "
                 "scripts/reproduce/page.sh $page %s/page.md scripts/hardware-cost-tables.awk && "
                 "diff $page.md %s/page.md",
                 test_folder(), test_folder(), test_folder());
    must_succeed(&command);
}

/* make conventional-tags, a part of make regress, tries more requests and shapes. */
static void conventional_tags_are_tag_store_without_threshold(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run("scripts/conventional-tags.sh quick");
    test_expect(&command, 0, "1500 requests");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(memories_are_those_of_the_rtl, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(page_is_up_to_date, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test(conventional_tags_are_tag_store_without_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

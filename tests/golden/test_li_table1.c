/* li_table1.csv has all of [li, Table 1], in its order of falling IPC, and goldmem accepts the
 * workloads that it names. */
#include "support/support.h"
#include "workload/table.h"
#include "workload/workload_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE(NAME) extern const gm_workload_definition gm_workload_##NAME;
GM_WORKLOADS(DECLARE)
#define ADDRESS(NAME) &gm_workload_##NAME,
static const gm_workload_definition *const definitions[] = {GM_WORKLOADS(ADDRESS)};

/* Returns the workload and its options, without the arrays. */
static void check_specification(char *specification)
{
    char *comma = strchr(specification, ',');
    const char *options = comma != NULL ? comma + 1 : "";
    if (comma != NULL) {
        *comma = '\0';
    }
    gm_workload workload = {0};
    for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; i++) {
        if (strcmp(definitions[i]->description.name, specification) == 0) {
            workload.definition = definitions[i];
        }
    }
    if (workload.definition == NULL) {
        fail_msg("no workload '%s'", specification);
    }
    gm_error error;
    test_ok(gm_workload_options(&workload, options, &error), error);
}

static void every_row_names_a_workload(void **state)
{
    (void)state;
    enum { COLUMNS = 7 };
    FILE *file = fopen("tests/golden/li_table1.csv", "r");
    assert_non_null(file);
    char line[512];
    unsigned rows = 0;
    unsigned of_class[3] = {0};
    double last = 10.0;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || strncmp(line, "name;", 5) == 0) {
            continue;
        }
        char *column[COLUMNS];
        char *rest = line;
        for (int i = 0; i < COLUMNS; i++) {
            column[i] = strsep(&rest, ";");
            assert_non_null(column[i]);
        }
        assert_null(rest);
        double ipc = strtod(column[3], NULL);
        assert_true(ipc > 0.0 && ipc <= last);
        last = ipc;
        of_class[strcmp(column[2], "CNF") == 0 ? 0 : strcmp(column[2], "CI") == 0 ? 1 : 2]++;
        /* unfriendly, insensitive, friendly: above, at and below 1 [li, 3] */
        assert_string_equal(column[2], ipc > 1.0 ? "CNF" : ipc == 1.0 ? "CI" : "CF");
        assert_true(strtoull(column[4], NULL, 10) > 10000);
        check_specification(column[6]);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 18);
    assert_int_equal(of_class[0], 7);
    assert_int_equal(of_class[1], 6);
    assert_int_equal(of_class[2], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_names_a_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* singh_table3.csv has the twelve programs of [singh, Table 3], and goldmem has them; the runs of
 * `make reproduce-singh` are these, in their sets.
 * singh_figures.csv has each number once. */
#include "support/support.h"
#include "workload/table.h"

#include <stdio.h>
#include <string.h>

#define NAME(NAME) #NAME,
static const char *const workloads[] = {GM_WORKLOADS(NAME)};

static bool is_workload(const char *name)
{
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        if (strcmp(workloads[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Opens a CSV file and skips comments and titles. */
static FILE *open_csv(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512];
    do {
        assert_non_null(fgets(line, sizeof line, file));
    } while (line[0] == '#');
    return file;
}

/* Reads a row of exactly `columns` columns. Returns false at the end. */
static bool next_row(FILE *file, char *line, int size, char **column, int columns)
{
    if (fgets(line, size, file) == NULL) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    char *rest = line;
    for (int i = 0; i < columns; i++) {
        column[i] = strsep(&rest, ";");
        assert_non_null(column[i]);
        assert_true(column[i][0] != '\0');
    }
    assert_null(rest);
    return true;
}

static void table_3_has_twelve_programs(void **state)
{
    (void)state;
    FILE *file = open_csv("tests/golden/singh_table3.csv");
    char line[512];
    char *column[4];
    unsigned of_set[2] = {0};
    char found[512] = "";
    while (next_row(file, line, sizeof line, column, 4)) {
        bool intra = strcmp(column[0], "intra") == 0;
        assert_true(intra || strcmp(column[0], "inter") == 0);
        of_set[intra]++;
        assert_true(is_workload(column[3]));
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s %s %s\n", column[3], column[2],
                 column[0]);
    }
    fclose(file);
    assert_int_equal(of_set[0], 6);
    assert_int_equal(of_set[1], 6);
    static const char *const lists[] = {"workloads", "quick"};
    for (size_t i = 0; i < 2; i++) {
        test_command runs =
            test_run("sed -n 's/^\\([a-z0-9]*\\)[^# ]*  *\\([A-Z]*\\)  */\\1 \\2 /p' "
                     "scripts/reproduce-singh/%s.txt | grep -v '^ '",
                     lists[i]);
        assert_string_equal(runs.output, found);
        test_command_free(&runs);
    }
}

static void figures_have_each_number_once(void **state)
{
    (void)state;
    enum { MOST = 64 };
    FILE *file = open_csv("tests/golden/singh_figures.csv");
    char line[512];
    char *column[6];
    static char names[MOST][64];
    unsigned rows = 0;
    while (next_row(file, line, sizeof line, column, 6)) {
        assert_true(rows < MOST);
        assert_true(strcmp(column[2], "all") == 0 || strcmp(column[2], "inter") == 0 ||
                    strcmp(column[2], "intra") == 0);
        for (unsigned i = 0; i < rows; i++) {
            assert_string_not_equal(names[i], column[3]);
        }
        test_text_copy(names[rows++], sizeof names[0], column[3]);
    }
    fclose(file);
    assert_int_equal(rows, 36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_3_has_twelve_programs),
        cmocka_unit_test(figures_have_each_number_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

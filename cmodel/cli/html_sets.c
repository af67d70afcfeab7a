/* goldmem report: what the sets of the L2 held at the ends of kernels (--per-set), kernels from top
 * to bottom, sets from left to right. */
#include "cli/html.h"

#include <stdlib.h>

enum {
    MOST_ROWS = 32,   /* kernels of a chart: evenly spaced ones */
    MOST_CELLS = 128, /* of a row: sets side by side share a cell */
    LABEL = 32,
};

/* Returns the array of a class of lines at a kernel's end, or NULL. */
static const json_t *sets_of(const gm_html_page *page, size_t run, size_t kernel, const char *class)
{
    const json_t *kernels = json_object_get(page->run[run].run.report, "kernels");
    const json_t *sets = json_object_get(json_array_get(kernels, kernel), "l2_sets");
    return json_object_get(sets, class);
}

/* Fills a row: the mean of each cell's sets. */
static void fill_row(double *cell, size_t cells, size_t step, const json_t *sets)
{
    for (size_t i = 0; i < cells; i++) {
        double sum = 0;
        size_t count = 0;
        for (size_t set = i * step; set < (i + 1) * step && set < json_array_size(sets); set++) {
            sum += (double)json_integer_value(json_array_get(sets, set));
            count++;
        }
        cell[i] = count != 0 ? sum / (double)count : 0;
    }
}

/* True if a set of some kernel has a line of the class. */
static bool has_any(const gm_html_page *page, size_t run, size_t kernels, const char *class)
{
    bool any = false;
    for (size_t kernel = 0; kernel < kernels && !any; kernel++) {
        size_t i;
        const json_t *lines;
        json_array_foreach(sets_of(page, run, kernel, class), i, lines)
        {
            any |= json_integer_value(lines) != 0;
        }
    }
    return any;
}

static void write_class(FILE *file, const gm_html_page *page, size_t run, const char *class,
                        const char *title)
{
    const json_t *report = page->run[run].run.report;
    const json_t *kernels = json_object_get(report, "kernels");
    size_t sets = json_array_size(sets_of(page, run, 0, class));
    size_t count = json_array_size(kernels);
    size_t rows = count < MOST_ROWS ? count : MOST_ROWS;
    size_t step = (sets + MOST_CELLS - 1) / MOST_CELLS;
    if (sets == 0 || !has_any(page, run, count, class)) {
        return;
    }
    size_t cells = (sets + step - 1) / step;
    double *value = calloc(rows * cells, sizeof *value);
    char(*label)[LABEL] = calloc(rows, sizeof *label);
    const char **row = calloc(rows, sizeof *row);
    char text[GM_HTML_TITLE];
    char words[80];
    double ways = gm_html_at(json_object_get(json_array_get(kernels, 0), "l2_sets"), "ways");
    if (value != NULL && label != NULL && row != NULL) {
        for (size_t i = 0; i < rows; i++) {
            size_t kernel = rows > 1 ? i * (count - 1) / (rows - 1) : 0;
            snprintf(label[i], sizeof label[i], "kernel %zu", kernel);
            row[i] = label[i];
            fill_row(&value[i * cells], cells, step, sets_of(page, run, kernel, class));
        }
        snprintf(words, sizeof words, "lines of a set, from none, light, to %.0f, dark", ways);
        const gm_html_heat heat = {.title = gm_html_title(page, run, title, text),
                                   .cell = "set",
                                   .rows = rows,
                                   .cells = cells,
                                   .step = step,
                                   .most = ways,
                                   .unit = words,
                                   .row = row,
                                   .value = value};
        gm_html_write_heat(file, &heat);
    }
    free(value);
    free(label);
    free(row);
}

static void write_run(FILE *file, const gm_html_page *page, size_t run)
{
    write_class(file, page, run, "lines", "Lines in the sets of the L2");
    write_class(file, page, run, "shared", "Shared lines in the sets of the L2");
    write_class(file, page, run, "dead", "Dead lines in the sets of the L2");
}

bool gm_html_has_sets(const gm_html_page *page)
{
    bool has = false;
    for (size_t i = 0; i < page->runs; i++) {
        has |= json_array_size(sets_of(page, i, 0, "lines")) > 0;
    }
    return has;
}

void gm_html_write_sets(FILE *file, const gm_html_page *page)
{
    gm_html_each_run(file, page, "sets", "Sets of the L2", write_run);
}

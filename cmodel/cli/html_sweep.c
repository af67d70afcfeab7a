/* goldmem report: what the page shows of a sweep. */
#include "cli/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 64, MOST_BARS = 512 };

/* Writes the label of a sweep's run: its point, or the values of its keys. */
static void label_of(const json_t *run, char *text, size_t size)
{
    const char *point = json_string_value(json_object_get(run, "point"));
    size_t used = (size_t)snprintf(text, size, "%s", point != NULL ? point : "");
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(run, "keys"), name, value)
    {
        char *one = json_dumps(value, JSON_ENCODE_ANY);
        size_t quotes = one != NULL && one[0] == '"';
        if (one != NULL && point == NULL && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", used > 0 ? " " : "",
                                     (int)(strlen(one) - 2 * quotes), one + quotes);
        }
        free(one);
    }
}

/* Writes a panel of a sweep: the cycles, or accesses of the L2 in untimed runs, of an input's runs.
 */
static void write_panel(FILE *file, const gm_html_page *page, const char *input)
{
    char(*label)[64] = calloc(MOST_BARS, sizeof *label);
    const char **row = calloc(MOST_BARS, sizeof *row);
    double *value = calloc(MOST_BARS, sizeof *value);
    size_t rows = 0;
    const char *measure = "cycles";
    size_t at;
    json_t *run;
    json_array_foreach(page->sweep, at, run)
    {
        const json_t *total = json_object_get(run, "total");
        bool here = strcmp(json_string_value(json_object_get(run, "input")), input) == 0;
        if (here && isnan(gm_html_at(total, "cycles")) && total != NULL) {
            measure = "l2.accesses";
        }
    }
    json_array_foreach(page->sweep, at, run)
    {
        const json_t *counter = json_object_get(json_object_get(run, "total"), measure);
        if (label != NULL && row != NULL && value != NULL && rows < MOST_BARS && counter != NULL &&
            strcmp(json_string_value(json_object_get(run, "input")), input) == 0) {
            label_of(run, label[rows], sizeof label[rows]);
            row[rows] = label[rows];
            value[rows++] = json_number_value(counter);
        }
    }
    const gm_html_bars bars = {.title = input,
                               .unit =
                                   strcmp(measure, "cycles") == 0 ? "core cycles" : "L2 accesses",
                               .rows = rows,
                               .parts = 1,
                               .row = row,
                               .value = value};
    if (rows > 0) {
        gm_html_write_bars(file, &bars);
    }
    free(label);
    free(row);
    free(value);
}

/* Writes a panel for each input of a sweep, in the order of its runs. */
void gm_html_write_sweep(FILE *file, const gm_html_page *page)
{
    const char *shown[MOST_PANELS];
    size_t count = 0;
    size_t failed = 0;
    size_t at;
    json_t *run;
    fputs("<h2 id=\"sweep\">Sweep</h2>\n<p class=\"note\">", file);
    gm_html_text(file, page->sweep_file);
    json_array_foreach(page->sweep, at, run)
    {
        failed += strcmp(json_string_value(json_object_get(run, "status")), "done") != 0;
    }
    fprintf(file, ": %zu runs, %zu without a result. A bar is a run, named by ",
            json_array_size(page->sweep), failed);
    const char *name;
    json_t *value;
    bool any = false;
    json_object_foreach(json_object_get(json_array_get(page->sweep, 0), "keys"), name, value)
    {
        fputs(any ? ", " : "", file);
        gm_html_text(file, name);
        any = true;
    }
    fputs(any ? ".</p>\n<div class=\"grid2\">\n" : "its input.</p>\n<div class=\"grid2\">\n", file);
    json_array_foreach(page->sweep, at, run)
    {
        const char *input = json_string_value(json_object_get(run, "input"));
        size_t i = 0;
        while (i < count && strcmp(shown[i], input) != 0) {
            i++;
        }
        if (i == count && count < MOST_PANELS) {
            shown[count++] = input;
            write_panel(file, page, input);
        }
    }
    fputs("</div>\n", file);
}

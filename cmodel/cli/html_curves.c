/* goldmem report: miss-ratio curves, those of all runs in one drawing for each level. */
#include "cli/html.h"

#include "goldmem/analysis.h"

#include <math.h>
#include <stdlib.h>

/* The curves of a level: x has the sizes that any of them has. */
typedef struct curves {
    double x[GM_HTML_RUNS * GM_MRC_POINTS];
    double y[GM_HTML_RUNS][GM_HTML_RUNS * GM_MRC_POINTS];
    size_t points;
} curves;

static const json_t *curve_of(const gm_html_page *page, size_t run, const char *level)
{
    const json_t *analysis = json_object_get(page->run[run].run.report, "analysis");
    return json_object_get(json_object_get(analysis, "mrc"), level);
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Gathers the sizes of all curves, each once, rising. */
static void gather_sizes(curves *all, const gm_html_page *page, const char *level)
{
    size_t count = 0;
    for (size_t run = 0; run < page->runs; run++) {
        size_t i;
        const json_t *point;
        json_array_foreach(json_object_get(curve_of(page, run, level), "curve"), i, point)
        {
            if (i < GM_MRC_POINTS) {
                all->x[count++] = gm_html_at(point, "bytes");
            }
        }
    }
    qsort(all->x, count, sizeof all->x[0], by_value);
    for (size_t i = 0; i < count; i++) {
        if (all->points == 0 || all->x[all->points - 1] < all->x[i]) {
            all->x[all->points++] = all->x[i];
        }
    }
}

/* Fills a run's misses, in percent of its accesses: at sizes between two points those of the lesser
 * one, at sizes behind its last point those of that point. */
static void fill(double *y, const curves *all, const json_t *curve)
{
    const json_t *points = json_object_get(curve, "curve");
    double accesses = gm_html_at(curve, "accesses");
    size_t at = 0;
    for (size_t i = 0; i < all->points; i++) {
        while (at < json_array_size(points) &&
               gm_html_at(json_array_get(points, at), "bytes") <= all->x[i]) {
            at++;
        }
        y[i] = at == 0 || !(accesses > 0)
                   ? (double)NAN
                   : 100 * gm_html_at(json_array_get(points, at - 1), "misses") / accesses;
    }
}

static void write_level(FILE *file, const gm_html_page *page, const char *level, const char *title)
{
    curves *all = calloc(1, sizeof *all);
    const double *y[GM_HTML_RUNS];
    const char *line[GM_HTML_RUNS];
    char letter[GM_HTML_RUNS][2];
    gm_html_mark mark[GM_HTML_RUNS];
    size_t lines = 0;
    size_t marks = 0;
    if (all != NULL) {
        gather_sizes(all, page, level);
    }
    for (size_t run = 0; all != NULL && all->points > 0 && run < page->runs; run++) {
        const json_t *curve = curve_of(page, run, level);
        double size = gm_html_at(curve, "configured.bytes");
        if (curve == NULL) {
            continue;
        }
        snprintf(letter[run], sizeof letter[run], "%c", (char)('A' + (int)run));
        fill(all->y[lines], all, curve);
        y[lines] = all->y[lines];
        line[lines++] = letter[run];
        if (size >= all->x[0] && size <= all->x[all->points - 1]) {
            mark[marks++] = (gm_html_mark){size, page->runs > 1 ? letter[run] : "configured"};
        }
    }
    if (lines > 0) {
        const gm_html_lines drawing = {.title = title,
                                       .unit = "% of accesses, fully associative, LRU",
                                       .x_name = "bytes",
                                       .points = all->points,
                                       .lines = lines,
                                       .x = all->x,
                                       .y = y,
                                       .line = page->runs > 1 ? line : NULL,
                                       .x_least = all->x[0],
                                       .mark = mark,
                                       .marks = marks};
        gm_html_write_lines(file, &drawing);
    }
    free(all);
}

bool gm_html_has_curves(const gm_html_page *page)
{
    bool has = false;
    for (size_t i = 0; i < page->runs; i++) {
        has |= curve_of(page, i, "l1d") != NULL;
    }
    return has;
}

void gm_html_write_curves(FILE *file, const gm_html_page *page)
{
    fputs("<h2 id=\"curves\">Miss-ratio curves</h2>\n<div class=\"grid2\">\n", file);
    write_level(file, page, "l1d", "Misses of L1s by the size of each");
    write_level(file, page, "l2", "Misses of the L2 by its size");
    fputs("</div>\n", file);
}

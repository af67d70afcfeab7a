/* goldmem report: what the page shows of runs. */
#include "cli/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_KERNELS = 100, /* rows of a chart of kernels: those with most cycles */
    MOST_SLOTS = 16,
    MOST_CELLS = 1024,
    MOST_COLUMNS = 64,
};

double gm_html_at(const json_t *object, const char *path)
{
    char copy[GM_COUNTER_NAME];
    char *rest = copy;
    const char *key = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    while (object != NULL && (key = strsep(&rest, ".")) != NULL) {
        object = json_object_get(object, key);
    }
    return json_is_number(object) ? json_number_value(object) : (double)NAN;
}

static double total_of(const gm_html_run *run, const char *path)
{
    return gm_html_at(json_object_get(run->run.report, "total"), path);
}

static char letter(size_t run)
{
    return (char)('A' + (int)run);
}

static double rate(double part, double of)
{
    return of > 0 ? part / of : (double)NAN;
}

/* Hits, pending ones included, of the accesses of a cache, in percent. */
static double hit_rate(const gm_html_run *run, const char *cache)
{
    static const char *const parts[] = {"hits", "hits_pending", "accesses"};
    double value[3];
    for (unsigned i = 0; i < 3; i++) {
        char name[GM_COUNTER_NAME];
        snprintf(name, sizeof name, "%s.%s", cache, parts[i]);
        value[i] = total_of(run, name);
    }
    return 100 * rate(value[0] + value[1], value[2]);
}

static double energy_of(const gm_html_run *run)
{
    json_t *energy = json_object_get(json_object_get(run->run.report, "total"), "energy_pj");
    const char *name;
    json_t *value;
    double sum = 0;
    json_object_foreach(json_object_get(json_object_get(run->run.report, "total"), "energy_pj"),
                        name, value)
    {
        sum += json_number_value(value);
    }
    return energy != NULL ? sum : (double)NAN;
}

/* A row of the summary. */
static void summary_row(FILE *file, const gm_html_page *page, const char *name,
                        double (*of)(const gm_html_run *run, const char *argument),
                        const char *argument)
{
    char text[GM_HTML_NUMBER];
    fputs("<tr><th>", file);
    gm_html_text(file, name);
    fputs("</th>", file);
    for (size_t i = 0; i < page->runs; i++) {
        fprintf(file, "<td>%s</td>", gm_html_number(of(&page->run[i], argument), text));
    }
    fputs("</tr>\n", file);
}

static double per_cycle(const gm_html_run *run, const char *path)
{
    return rate(total_of(run, path), total_of(run, "cycles"));
}

static double load_latency(const gm_html_run *run, const char *unused)
{
    (void)unused;
    return rate(total_of(run, "time.load_cycles"), total_of(run, "time.loads"));
}

static double energy_row(const gm_html_run *run, const char *unused)
{
    (void)unused;
    return energy_of(run);
}

static double speed(const gm_html_run *run, const char *path)
{
    (void)path;
    return per_cycle(run, "thread_instructions");
}

/* Writes of which CTAs each run's numbers are estimates, if one is sampled, and how well its cycles
 * are known. */
static void write_samples(FILE *file, const gm_html_page *page)
{
    bool any = false;
    for (size_t i = 0; i < page->runs; i++) {
        any = any || page->run[i].run.sampled != 0;
    }
    if (!any) {
        return;
    }
    fputs("<tr><th>estimated from</th>", file);
    for (size_t i = 0; i < page->runs; i++) {
        const gm_compared_run *run = &page->run[i].run;
        const json_t *sample = json_object_get(run->report, "sample");
        const json_t *cycles = json_object_get(json_object_get(sample, "intervals"), "cycles");
        double value = json_number_value(json_object_get(cycles, "value"));
        double high = json_number_value(json_object_get(cycles, "high"));
        if (run->sampled == 0) {
            fputs("<td>all CTAs</td>", file);
        } else {
            fprintf(file, "<td>%lld of %lld CTAs, cycles &#177;%.2f%%</td>",
                    (long long)json_integer_value(json_object_get(sample, "simulated")),
                    (long long)json_integer_value(json_object_get(sample, "ctas")),
                    value > 0 ? 100 * (high / value - 1) : 0);
        }
    }
    fputs("</tr>\n", file);
}

/* Writes which part of its input each run counts, if one is not whole. */
static void write_parts(FILE *file, const gm_html_page *page)
{
    bool any = false;
    for (size_t i = 0; i < page->runs; i++) {
        any = any || !page->run[i].run.is_whole;
    }
    if (!any) {
        return;
    }
    fputs("<tr><th>part of the input</th>", file);
    for (size_t i = 0; i < page->runs; i++) {
        fputs("<td>", file);
        gm_html_text(file, page->run[i].run.part);
        fputs("</td>", file);
    }
    fputs("</tr>\n", file);
}

static void write_summary(FILE *file, const gm_html_page *page)
{
    fputs(
        "<h2 id=\"runs\">Runs</h2>\n<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th></th>",
        file);
    for (size_t i = 0; i < page->runs; i++) {
        fprintf(file, "<th>%c</th>", letter(i));
    }
    fputs("</tr></thead><tbody>\n", file);
    const struct {
        const char *name;
        size_t offset;
    } texts[] = {{"input", offsetof(gm_compared_run, input)},
                 {"preset", offsetof(gm_compared_run, preset)},
                 {"engine", offsetof(gm_compared_run, engine)},
                 {"report", offsetof(gm_compared_run, file)}};
    for (unsigned k = 0; k < 4; k++) {
        fprintf(file, "<tr><th>%s</th>", texts[k].name);
        for (size_t i = 0; i < page->runs; i++) {
            const char *text =
                *(const char *const *)((const char *)&page->run[i].run + texts[k].offset);
            fputs("<td><code>", file);
            gm_html_text(file, text);
            fputs("</code></td>", file);
        }
        fputs("</tr>\n", file);
    }
    write_parts(file, page);
    write_samples(file, page);
    summary_row(file, page, "core cycles", total_of, "cycles");
    summary_row(file, page, "warp instructions a cycle", per_cycle, "warp_instructions");
    summary_row(file, page, "thread instructions a cycle", speed, "");
    summary_row(file, page, "L1 hit rate [%]", hit_rate, "l1d");
    summary_row(file, page, "L2 hit rate [%]", hit_rate, "l2");
    summary_row(file, page, "load latency [core cycles]", load_latency, "");
    summary_row(file, page, "DRAM [bytes]", total_of, "dram.bytes");
    summary_row(file, page, "energy [pJ]", energy_row, "");
    fputs("</tbody></table></div>\n", file);
}

/* Writes the keys that differ between the runs. */
static void write_keys(FILE *file, const gm_html_page *page)
{
    bool any = false;
    const char *name;
    json_t *value;
    json_object_foreach(page->run[0].run.config, name, value)
    {
        bool differs = false;
        for (size_t i = 1; i < page->runs; i++) {
            differs |= !json_equal(value, json_object_get(page->run[i].run.config, name));
        }
        if (!differs) {
            continue;
        }
        fputs(any ? ""
                  : "<h2 id=\"keys\">Keys that differ</h2>\n<div class=\"wide\" "
                    "tabindex=\"0\"><table>\n",
              file);
        any = true;
        fputs("<tr><th>", file);
        gm_html_text(file, name);
        fputs("</th>", file);
        for (size_t i = 0; i < page->runs; i++) {
            char *text =
                json_dumps(json_object_get(page->run[i].run.config, name), JSON_ENCODE_ANY);
            fputs("<td>", file);
            gm_html_text(file, text != NULL ? text : "-");
            fputs("</td>", file);
            free(text);
        }
        fputs("</tr>\n", file);
    }
    fputs(any ? "</table></div>\n" : "", file);
}

const char *gm_html_title(const gm_html_page *page, size_t run, const char *title,
                          char text[GM_HTML_TITLE])
{
    if (page->runs == 1) {
        return title;
    }
    snprintf(text, GM_HTML_TITLE, "%c: %s", letter(run), title);
    return text;
}

/* A kernel of a chart. */
typedef struct kernel_row {
    const json_t *kernel;
    size_t number;
    double cycles;
} kernel_row;

static int more_cycles(const void *a, const void *b)
{
    const kernel_row *one = a;
    const kernel_row *other = b;
    return one->cycles != other->cycles
               ? (one->cycles < other->cycles ? 1 : -1)
               : (one->number > other->number) - (one->number < other->number);
}

static int earlier(const void *a, const void *b)
{
    const kernel_row *one = a;
    const kernel_row *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* What the schedulers did in each kernel of a chart: those with most cycles, in the order of the
 * run.
 */
typedef struct kernel_chart {
    size_t kernels, rows, parts; /* kernels of the run; in the chart; states of schedulers */
    kernel_row *row;             /* [kernels] */
    char (*label)[64];           /* [rows] */
    const char **text;           /* [rows] */
    double *value;               /* [rows * parts] */
    const char *part[MOST_SLOTS];
} kernel_chart;

/* Lists the states that the run's schedulers can be in. */
static void list_slots(kernel_chart *chart, const gm_html_run *run)
{
    const json_t *total = json_object_get(run->run.report, "total");
    json_t *slots = json_object_get(json_object_get(total, "time"), "slots");
    const char *name;
    json_t *unused;
    json_object_foreach(slots, name, unused)
    {
        if (chart->parts < MOST_SLOTS) {
            chart->part[chart->parts++] = name;
        }
    }
}

/* Takes the kernels with most cycles. Returns false without memory. */
static bool choose_kernels(kernel_chart *chart, const gm_html_run *run)
{
    const json_t *kernels = json_object_get(run->run.report, "kernels");
    chart->kernels = json_array_size(kernels);
    chart->rows = chart->kernels < MOST_KERNELS ? chart->kernels : MOST_KERNELS;
    chart->row = calloc(chart->kernels + 1, sizeof *chart->row);
    chart->label = calloc(chart->rows + 1, sizeof *chart->label);
    chart->text = calloc(chart->rows + 1, sizeof *chart->text);
    chart->value = calloc(chart->rows * chart->parts + 1, sizeof *chart->value);
    if (chart->row == NULL || chart->label == NULL || chart->text == NULL || chart->value == NULL) {
        return false;
    }
    for (size_t i = 0; i < chart->kernels; i++) {
        const json_t *kernel = json_array_get(kernels, i);
        chart->row[i] =
            (kernel_row){.kernel = kernel, .number = i, .cycles = gm_html_at(kernel, "cycles")};
    }
    qsort(chart->row, chart->kernels, sizeof *chart->row, more_cycles);
    qsort(chart->row, chart->rows, sizeof *chart->row, earlier);
    return true;
}

/* Fills a row: the slots of all schedulers as cycles. Returns their sum. */
static double fill_row(kernel_chart *chart, size_t at)
{
    const kernel_row *row = &chart->row[at];
    const json_t *slots = json_object_get(json_object_get(row->kernel, "time"), "slots");
    const json_t *name = json_object_get(row->kernel, "name");
    double *value = &chart->value[at * chart->parts];
    double sum = 0;
    snprintf(chart->label[at], sizeof chart->label[at], "%zu %s", row->number,
             json_string_value(name));
    chart->text[at] = chart->label[at];
    for (size_t k = 0; k < chart->parts; k++) {
        value[k] = json_number_value(json_object_get(slots, chart->part[k]));
        sum += value[k];
    }
    for (size_t k = 0; k < chart->parts && sum > 0; k++) {
        value[k] *= row->cycles / sum;
    }
    return sum;
}

static void write_slots(FILE *file, const gm_html_page *page, size_t number)
{
    kernel_chart chart = {0};
    list_slots(&chart, &page->run[number]);
    if (chart.parts > 0 && choose_kernels(&chart, &page->run[number])) {
        double all = 0;
        for (size_t i = 0; i < chart.rows; i++) {
            all += fill_row(&chart, i);
        }
        char title[GM_HTML_TITLE];
        const gm_html_bars bars = {
            .title = gm_html_title(page, number, "What the schedulers did, by kernel", title),
            .unit = chart.kernels > chart.rows ? "core cycles; the 100 kernels with most"
                                               : "core cycles",
            .rows = chart.rows,
            .parts = chart.parts,
            .row = chart.text,
            .part = chart.part,
            .value = chart.value};
        if (all > 0) {
            gm_html_write_bars(file, &bars);
        }
    }
    free(chart.row);
    free(chart.label);
    free(chart.text);
    free(chart.value);
}

/* Lines of one drawing of a series: `name`s of its columns. */
static void write_series(FILE *file, const gm_html_page *page, size_t number, const char *title,
                         const char *unit, const char *const *name, size_t names)
{
    const gm_html_series *series = &page->run[number].series;
    const double *y[MOST_SLOTS];
    const char *line[MOST_SLOTS];
    size_t lines = 0;
    for (size_t i = 0; i < names; i++) {
        const double *column = gm_html_column(series, name[i]);
        if (column != NULL) {
            y[lines] = column;
            line[lines++] = name[i];
        }
    }
    char text[GM_HTML_TITLE];
    const gm_html_lines drawing = {.title = gm_html_title(page, number, title, text),
                                   .unit = unit,
                                   .x_name = "core cycles",
                                   .points = series->rows,
                                   .lines = lines,
                                   .x = gm_html_column(series, "cycle"),
                                   .y = y,
                                   .line = names > 1 ? line : NULL};
    if (lines > 0) {
        gm_html_write_lines(file, &drawing);
    }
}

static const char slot_prefix[] = "time.slots.";

static bool is_slot(const char *name)
{
    return strncmp(name, slot_prefix, sizeof slot_prefix - 1) == 0;
}

/* Turns the columns [lines][rows] of slots into shares of their sum, in percent. */
static void to_shares(double *const *share, size_t lines, size_t rows)
{
    for (size_t row = 0; row < rows; row++) {
        double sum = 0;
        for (size_t k = 0; k < lines; k++) {
            sum += share[k][row];
        }
        for (size_t k = 0; k < lines; k++) {
            share[k][row] *= sum > 0 ? 100 / sum : 0;
        }
    }
}

/* Shares of the schedulers' cycles over time. */
static void write_slots_over_time(FILE *file, const gm_html_page *page, size_t number)
{
    const gm_html_series *series = &page->run[number].series;
    double *share[MOST_SLOTS];
    const double *y[MOST_SLOTS];
    const char *line[MOST_SLOTS];
    size_t lines = 0;
    for (size_t i = 0; i < series->columns && lines < MOST_SLOTS; i++) {
        double *copy = is_slot(series->name[i]) ? calloc(series->rows, sizeof *copy) : NULL;
        if (copy != NULL) {
            memcpy(copy, series->column[i], series->rows * sizeof *copy);
            share[lines] = copy;
            y[lines] = copy;
            line[lines++] = series->name[i] + sizeof slot_prefix - 1;
        }
    }
    to_shares(share, lines, series->rows);
    char text[GM_HTML_TITLE];
    const gm_html_lines drawing = {
        .title = gm_html_title(page, number, "What the schedulers did, over time", text),
        .unit = "% of their cycles",
        .x_name = "core cycles",
        .points = series->rows,
        .lines = lines,
        .x = gm_html_column(series, "cycle"),
        .y = y,
        .line = line,
        .stacked = true};
    if (lines > 0) {
        gm_html_write_lines(file, &drawing);
    }
    for (size_t k = 0; k < lines; k++) {
        free(share[k]);
    }
}

static void write_timelines(FILE *file, const gm_html_page *page, size_t number)
{
    static const char *const ipc[] = {"ipc"};
    static const char *const hits[] = {"l1d_hit_rate", "l2_hit_rate", "dram_row_hit_rate",
                                       "dram_bus_use"};
    static const char *const latency[] = {"load_latency"};
    static const char *const levels[] = {"l1_mshrs",      "l2_mshrs",      "l1_queue",
                                         "l2_queue",      "dram_queue",    "request_packets",
                                         "reply_packets", "warps_resident"};
    static const char *const bandwidth[] = {"dram_bytes_per_cycle"};
    write_slots_over_time(file, page, number);
    write_series(file, page, number, "Warp instructions", "a core cycle", ipc, 1);
    write_series(file, page, number, "Rates", "share", hits, 4);
    write_series(file, page, number, "Load latency", "core cycles", latency, 1);
    write_series(file, page, number, "How full queues are", "entries, packets, requests, warps",
                 levels, 8);
    write_series(file, page, number, "DRAM", "bytes a core cycle", bandwidth, 1);
}

/* Writes measures of units: `member` of the report, an array of objects. */
static void write_units(FILE *file, const gm_html_page *page, size_t number, const char *member,
                        const char *title, const char *unit, const char *const *measure,
                        const char *const *name, size_t measures)
{
    const json_t *units = json_object_get(page->run[number].run.report, member);
    size_t cells = json_array_size(units);
    double *value = calloc(measures * cells + 1, sizeof *value);
    if (value == NULL || cells == 0 || cells > MOST_CELLS) {
        free(value);
        return;
    }
    const char *row[MOST_SLOTS];
    size_t rows = 0;
    for (size_t k = 0; k < measures; k++) {
        bool has = true;
        for (size_t i = 0; i < cells; i++) {
            double at = gm_html_at(json_array_get(units, i), measure[k]);
            value[rows * cells + i] = at;
            has &= !isnan(at);
        }
        row[rows] = name[k];
        rows += has;
    }
    char text[GM_HTML_TITLE];
    const gm_html_heat heat = {.title = gm_html_title(page, number, title, text),
                               .cell = unit,
                               .rows = rows,
                               .cells = cells,
                               .row = row,
                               .value = value};
    if (rows > 0) {
        gm_html_write_heat(file, &heat);
    }
    free(value);
}

static void write_all_units(FILE *file, const gm_html_page *page, size_t number)
{
    static const char *const sm[] = {"time.slots.issued",   "time.slots.memory",
                                     "l1d.accesses",        "l1d.misses",
                                     "time.l1_mshr_cycles", "time.load_cycles"};
    static const char *const sm_name[] = {"issued",    "waiting for data", "L1 accesses",
                                          "L1 misses", "L1 MSHR cycles",   "load cycles"};
    static const char *const bank[] = {"l2.accesses", "l2.misses", "l2.reservation_fails.line",
                                       "l2.reservation_fails.mshr_entry", "time.l2_mshr_cycles"};
    static const char *const bank_name[] = {"L2 accesses", "L2 misses", "no line", "no MSHR entry",
                                            "L2 MSHR cycles"};
    static const char *const channel[] = {"dram.reads", "dram.writes", "dram.row_hits",
                                          "time.dram_activates", "time.dram_busy"};
    static const char *const channel_name[] = {"sectors read", "sectors written", "row hits",
                                               "activates", "data bus busy"};
    write_units(file, page, number, "per_sm", "SMs", "SM", sm, sm_name, 6);
    write_units(file, page, number, "per_bank", "L2 banks", "L2 bank", bank, bank_name, 5);
    write_units(file, page, number, "per_partition", "DRAM channels", "DRAM channel", channel,
                channel_name, 5);
}

/* Writes the members of an object of each run's total, a bar for each run. */
static void write_members(FILE *file, const gm_html_page *page, const char *member,
                          const char *title, const char *unit)
{
    const char *part[GM_HTML_COLOURS] = {NULL};
    const char *row[GM_HTML_RUNS];
    char label[GM_HTML_RUNS][2];
    double value[GM_HTML_RUNS * GM_HTML_COLOURS];
    size_t parts = 0;
    json_t *first = json_object_get(json_object_get(page->run[0].run.report, "total"), member);
    const char *name;
    json_t *unused;
    json_object_foreach(first, name, unused)
    {
        double any = 0;
        for (size_t i = 0; i < page->runs; i++) {
            char path[GM_COUNTER_NAME];
            snprintf(path, sizeof path, "%s.%s", member, name);
            double at = total_of(&page->run[i], path);
            any += isnan(at) ? 0 : at;
        }
        if (any > 0 && parts < GM_HTML_COLOURS) {
            part[parts++] = name;
        }
    }
    for (size_t i = 0; i < page->runs; i++) {
        snprintf(label[i], sizeof label[i], "%c", letter(i));
        row[i] = label[i];
        for (size_t k = 0; k < parts; k++) {
            char path[GM_COUNTER_NAME];
            snprintf(path, sizeof path, "%s.%s", member, part[k]);
            value[i * parts + k] = total_of(&page->run[i], path);
        }
    }
    const gm_html_bars bars = {.title = title,
                               .unit = unit,
                               .rows = page->runs,
                               .parts = parts,
                               .row = row,
                               .part = part,
                               .value = value};
    if (parts > 0) {
        gm_html_write_bars(file, &bars);
    }
}

/* Writes a histogram of an analysis: an array of {low, high, count}. */
static void write_histogram(FILE *file, const gm_html_page *page, size_t number, const char *member,
                            const char *title, const char *unit)
{
    const json_t *reuse =
        json_object_get(json_object_get(page->run[number].run.report, "analysis"), "reuse");
    const json_t *bins = json_object_get(reuse, member);
    char label[MOST_COLUMNS][32];
    const char *row[MOST_COLUMNS];
    double value[MOST_COLUMNS];
    size_t rows = 0;
    for (; rows < json_array_size(bins) && rows < MOST_COLUMNS; rows++) {
        const json_t *bin = json_array_get(bins, rows);
        double low = gm_html_at(bin, "low");
        double high = gm_html_at(bin, "high");
        snprintf(label[rows], sizeof label[rows], low == high ? "%.0f" : "%.0f-%.0f", low, high);
        row[rows] = label[rows];
        value[rows] = gm_html_at(bin, "count");
    }
    char text[GM_HTML_TITLE];
    const gm_html_bars bars = {.title = gm_html_title(page, number, title, text),
                               .unit = unit,
                               .rows = rows,
                               .parts = 1,
                               .row = row,
                               .value = value};
    if (rows > 0) {
        gm_html_write_bars(file, &bars);
    }
}

void gm_html_each_run(FILE *file, const gm_html_page *page, const char *id, const char *title,
                      void (*write)(FILE *file, const gm_html_page *page, size_t number))
{
    fprintf(file, "<h2 id=\"%s\">%s</h2>\n<div class=\"grid2\">\n", id, title);
    for (size_t i = 0; i < page->runs; i++) {
        write(file, page, i);
    }
    fputs("</div>\n", file);
}

static void write_reuse(FILE *file, const gm_html_page *page, size_t number)
{
    write_histogram(file, page, number, "references", "Lines by how often an SM accessed them",
                    "lines");
    write_histogram(file, page, number, "distances",
                    "Accesses by how many came since the last to their line", "accesses");
}

bool gm_html_has(const gm_html_page *page, const char *member)
{
    bool has = false;
    for (size_t i = 0; i < page->runs; i++) {
        has |= json_array_size(json_object_get(page->run[i].run.report, member)) > 0;
    }
    return has;
}

bool gm_html_has_reuse(const gm_html_page *page)
{
    bool has = false;
    for (size_t i = 0; i < page->runs; i++) {
        has |=
            json_object_get(json_object_get(page->run[i].run.report, "analysis"), "reuse") != NULL;
    }
    return has;
}

bool gm_html_has_slots(const gm_html_page *page)
{
    bool has = false;
    for (size_t i = 0; i < page->runs; i++) {
        has |= !isnan(total_of(&page->run[i], "time.slots.issued"));
    }
    return has;
}

bool gm_html_has_series(const gm_html_page *page)
{
    bool has = false;
    for (size_t i = 0; i < page->runs; i++) {
        has |= page->run[i].series.rows > 0;
    }
    return has;
}

static void write_series_of(FILE *file, const gm_html_page *page, size_t number)
{
    if (page->run[number].series.rows > 0) {
        write_timelines(file, page, number);
    }
}

void gm_html_write_runs(FILE *file, const gm_html_page *page)
{
    write_summary(file, page);
    write_keys(file, page);
    if (gm_html_has_slots(page)) {
        gm_html_each_run(file, page, "slots", "Cycles", write_slots);
    }
    if (gm_html_has_series(page)) {
        gm_html_each_run(file, page, "time", "Over time", write_series_of);
    }
    if (gm_html_has(page, "per_sm") || gm_html_has(page, "per_bank")) {
        gm_html_each_run(file, page, "units", "Units", write_all_units);
    }
    fputs("<h2 id=\"traffic\">Traffic and energy</h2>\n<div class=\"grid2\">\n", file);
    write_members(file, page, "traffic_bytes", "Interconnect", "bytes");
    write_members(file, page, "energy_pj", "Energy", "pJ");
    fputs("</div>\n", file);
    if (gm_html_has_reuse(page)) {
        gm_html_each_run(file, page, "reuse", "Reuse", write_reuse);
    }
}

/* goldmem compare: prints runs beside the first one, the changes ranked by what they explain. */
#include "cli/compare.h"
#include "report/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sections of counters, each sorted by the size of its changes: they have a unit in common. A
 * counter belongs to the section with the longest prefix of its name. */
static const struct section {
    const char *title;
    const char *prefix[4];
} sections[] = {
    {"Cycles", {"cycles", "time.slots."}}, /* printed apart */
    {"Accesses of the L1s", {"l1d.", "time.l1_"}},
    {"Accesses of the L2", {"l2.", "time.l2_"}},
    {"Failed attempts, by what was full", {"l1d.reservation_fails.", "l2.reservation_fails."}},
    {"Bytes", {"dram.bytes", "traffic_bytes.", "copy_bytes"}},
    {"DRAM", {"dram.", "time.dram_"}},
    {"Energy, in pJ", {"energy_pj."}},
    {"Other counters", {""}},
};
enum { SECTIONS = sizeof sections / sizeof *sections, CYCLES = 0 };

static const char slots[] = "time.slots.";

/* Returns the section of a counter. */
static size_t section_of(const char *name)
{
    size_t section = SECTIONS - 1;
    size_t longest = 0;
    for (size_t i = 0; i < SECTIONS; i++) {
        for (const char *const *prefix = sections[i].prefix; *prefix != NULL; prefix++) {
            size_t length = strlen(*prefix);
            if (length > longest && strncmp(name, *prefix, length) == 0) {
                section = i;
                longest = length;
            }
        }
    }
    return section;
}

/* A counter, or the cycles of a kernel or of a kind of slot, in both runs. */
typedef struct row {
    const char *name;
    double a, b;
    size_t section;
} row;

/* The larger change first; of equal ones the name. */
static int by_change(const void *left, const void *right)
{
    const row *one = left;
    const row *other = right;
    double difference = fabs(other->b - other->a) - fabs(one->b - one->a);
    return difference > 0 ? 1 : difference < 0 ? -1 : strcmp(one->name, other->name);
}

/* Rows of a pair of runs. */
typedef struct rows {
    row *row;
    size_t count;
} rows;

/* Two runs and their rows. */
typedef struct pair {
    const gm_compared_run *a, *b;
    rows counters, kernels;
} pair;

/* Adds a row. Requires room. */
static void add(rows *rows, row row)
{
    rows->row[rows->count++] = row;
}

static bool is_slot(const char *name)
{
    return strncmp(name, slots, sizeof slots - 1) == 0;
}

/* Returns whether the counter can be compared. Between runs of one engine every counter can: one
 * that a run lacks is 0 there. Between engines only those that both count can. */
static bool is_common(const gm_compared_run *a, const gm_compared_run *b, const char *name)
{
    return strcmp(a->engine, b->engine) == 0 ||
           (gm_compare_find(a, name) != NULL && gm_compare_find(b, name) != NULL);
}

static bool has_cycles(const gm_compared_run *run)
{
    return gm_compare_find(run, "cycles") != NULL;
}

/* Adds a row for each counter of `run`; `only`: for those that A lacks. The cycles themselves have
 * none. */
static void add_counters(rows *rows, const gm_compared_run *a, const gm_compared_run *b,
                         const gm_compared_run *run, bool only)
{
    for (size_t i = 0; i < run->counters; i++) {
        const char *name = run->counter[i].name;
        if (strcmp(name, "cycles") == 0 || (only && gm_compare_find(a, name) != NULL) ||
            !is_common(a, b, name)) {
            continue;
        }
        bool slot = is_slot(name);
        add(rows,
            (row){.name = name,
                  .a = slot ? gm_compare_slot_cycles(a, name) : (double)gm_compare_value(a, name),
                  .b = slot ? gm_compare_slot_cycles(b, name) : (double)gm_compare_value(b, name),
                  .section = section_of(name)});
    }
}

/* Makes the rows of all counters, sorted by change. Returns 0 or -ENOMEM. */
static int make_counters(rows *made, const gm_compared_run *a, const gm_compared_run *b,
                         gm_error *error)
{
    *made = (rows){.row = calloc(a->counters + b->counters + 1, sizeof *made->row)};
    if (made->row == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    add_counters(made, a, b, a, false);
    add_counters(made, a, b, b, true);
    qsort(made->row, made->count, sizeof *made->row, by_change);
    return 0;
}

static uint64_t kernel_cycles(const gm_compared_run *run, const char *name)
{
    for (size_t i = 0; i < run->kernels; i++) {
        if (strcmp(run->kernel[i].name, name) == 0) {
            return run->kernel[i].cycles;
        }
    }
    return 0;
}

/* Makes the rows of all kernels, sorted by change; none without cycles. Returns 0 or -ENOMEM. */
static int make_kernels(rows *made, const gm_compared_run *a, const gm_compared_run *b,
                        gm_error *error)
{
    *made = (rows){.row = calloc(a->kernels + b->kernels + 1, sizeof *made->row)};
    if (made->row == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    if (!has_cycles(a) || !has_cycles(b)) {
        return 0;
    }
    for (size_t i = 0; i < a->kernels; i++) {
        const char *name = a->kernel[i].name;
        add(made, (row){name, (double)a->kernel[i].cycles, (double)kernel_cycles(b, name), CYCLES});
    }
    for (size_t i = 0; i < b->kernels; i++) {
        const char *name = b->kernel[i].name;
        if (kernel_cycles(a, name) == 0) {
            add(made, (row){name, 0, (double)b->kernel[i].cycles, CYCLES});
        }
    }
    qsort(made->row, made->count, sizeof *made->row, by_change);
    return 0;
}

/* True if the change is above the noise. */
static bool counts(const row *row, const gm_compare_options *options)
{
    return row->a != row->b && (row->a == 0 || fabs(row->b - row->a) / row->a >= options->noise);
}

/* Writes "1,234,567" of a value that is not negative. */
static const char *whole(double value, char text[GM_NUMBER_TEXT])
{
    return gm_text_number((uint64_t)(value + 0.5), text);
}

/* Prints a row: both values, the change, the change as a share of the first. */
static void print_row(FILE *file, const row *row, const char *note)
{
    char a[GM_NUMBER_TEXT];
    char b[GM_NUMBER_TEXT];
    char size[GM_NUMBER_TEXT];
    char change[GM_NUMBER_TEXT + 1];
    char share[GM_NUMBER_TEXT] = "new";
    if (row->a != 0) {
        snprintf(share, sizeof share, "%+.1f%%", 100 * (row->b - row->a) / row->a);
    }
    snprintf(change, sizeof change, "%c%s", row->b < row->a ? '-' : '+',
             whole(fabs(row->b - row->a), size));
    const char *name = is_slot(row->name) ? row->name + sizeof slots - 1 : row->name;
    fprintf(file, "  %-34s %15s %15s  %15s %9s%s\n", name, whole(row->a, a), whole(row->b, b),
            change, share, note);
}

/* Prints the values of the keys that differ. */
static void print_keys(FILE *file, const gm_compared_run *a, const gm_compared_run *b)
{
    const char *key;
    json_t *value;
    json_object_foreach(b->config, key, value)
    {
        const json_t *before = json_object_get(a->config, key);
        if (before != NULL && json_equal(before, value)) {
            continue;
        }
        char *was = before != NULL ? json_dumps(before, JSON_ENCODE_ANY) : NULL;
        char *is = json_dumps(value, JSON_ENCODE_ANY);
        fprintf(file, "  %-34s %15s -> %s\n", key, was != NULL ? was : "-", is != NULL ? is : "-");
        free(was);
        free(is);
    }
}

/* True for a counter of loads, stores or atomics alone that says what that of all accesses says:
 * "l1d.load.hits" where "l1d.hits" has the same values. */
static bool repeats(const row *row, const gm_compared_run *a, const gm_compared_run *b)
{
    static const char *const kinds[] = {".load.", ".store.", ".atomic."};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *kind = strstr(row->name, kinds[i]);
        if (kind != NULL) {
            char all[GM_COUNTER_NAME];
            snprintf(all, sizeof all, "%.*s%s", (int)(kind - row->name), row->name,
                     kind + strlen(kinds[i]) - 1);
            return gm_compare_find(a, all) != NULL && (double)gm_compare_value(a, all) == row->a &&
                   (double)gm_compare_value(b, all) == row->b;
        }
    }
    return false;
}

/* Prints the rows of a section that change, at most `most` if it is not 0. `total`: the change
 * that they sum up to, of which each row's share is printed; 0: none is. */
static void print_rows(FILE *file, const pair *pair, const rows *rows, size_t section, size_t most,
                       double total, const gm_compare_options *options)
{
    size_t shown = 0;
    size_t left_out = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const row *row = &rows->row[i];
        if (row->section != section || !counts(row, options) || repeats(row, pair->a, pair->b)) {
            continue;
        }
        if (most != 0 && shown == most) {
            left_out++;
            continue;
        }
        char note[GM_NUMBER_TEXT] = "";
        if (total != 0) {
            snprintf(note, sizeof note, " %8.0f%%", 100 * (row->b - row->a) / total);
        }
        print_row(file, row, note);
        shown++;
    }
    if (left_out != 0) {
        fprintf(file, "  and %zu more: --most=0\n", left_out);
    }
    if (shown == 0) {
        fprintf(file, options->noise > 0 ? "  no change above the noise\n" : "  no change\n");
    }
}

/* Thread instructions a cycle; 0 without cycles. */
static double rate(const gm_compared_run *run)
{
    uint64_t cycles = gm_compare_value(run, "cycles");
    return cycles == 0 ? 0 : (double)gm_compare_value(run, "thread_instructions") / (double)cycles;
}

static double share_of(const gm_compared_run *run, const char *part, const char *whole_name)
{
    uint64_t all = gm_compare_value(run, whole_name);
    return all == 0 ? 0 : (double)gm_compare_value(run, part) / (double)all;
}

/* Returns the energy of a run, of the parts that it has in common with each of the others. */
static uint64_t energy(const gm_compared_run *one, const gm_compared_run *run, size_t count)
{
    uint64_t joules = 0;
    for (size_t i = 0; i < one->counters; i++) {
        const gm_compared_counter *counter = &one->counter[i];
        bool common = strncmp(counter->name, "energy_pj.", 10) == 0;
        for (size_t k = 0; common && k < count; k++) {
            common = is_common(one, &run[k], counter->name);
        }
        joules += common ? counter->value : 0;
    }
    return joules;
}

/* Prints what a run is: file, input, preset; the engine, if it is not that of all, and the part of
 * the input, if that is not the whole. */
static void print_origin(FILE *file, const gm_compared_run *one, bool engines)
{
    fprintf(file, "%s: %s, %s", one->file, one->input, one->preset);
    if (engines) {
        fprintf(file, ", %s engine", one->engine);
    }
    if (!one->is_whole) {
        fprintf(file, ", %s", one->part);
    }
    fputc('\n', file);
}

/* Prints a line for each run. */
static void print_runs(FILE *file, const gm_compared_run *run, size_t count)
{
    bool engines = false;
    for (size_t i = 1; i < count; i++) {
        engines = engines || strcmp(run[0].engine, run[i].engine) != 0;
    }
    fprintf(file, "%-3s %15s %7s %9s %9s %15s %18s  %s\n", "run", "cycles", "speed", "L1 misses",
            "L2 misses", "DRAM bytes", "energy [pJ]", "file: input, preset");
    for (size_t i = 0; i < count; i++) {
        char cycles[GM_NUMBER_TEXT] = "-";
        char bytes[GM_NUMBER_TEXT];
        char joules[GM_NUMBER_TEXT];
        char speed[GM_NUMBER_TEXT] = "-";
        if (has_cycles(&run[i])) {
            gm_text_number(gm_compare_value(&run[i], "cycles"), cycles);
        }
        if (rate(&run[0]) != 0 && rate(&run[i]) != 0) {
            snprintf(speed, sizeof speed, "%.2f", rate(&run[i]) / rate(&run[0]));
        }
        fprintf(file, "%-3c %15s %7s %8.1f%% %8.1f%% %15s %18s  ", (char)('A' + i), cycles, speed,
                100 * share_of(&run[i], "l1d.misses", "l1d.accesses"),
                100 * share_of(&run[i], "l2.misses", "l2.accesses"),
                gm_text_number(gm_compare_value(&run[i], "dram.bytes"), bytes),
                gm_text_number(energy(&run[i], run, count), joules));
        print_origin(file, &run[i], engines);
    }
}

/* Prints run B against run A; `letter` is B's. */
static void print_pair(FILE *file, const pair *pair, char letter, const gm_compare_options *options)
{
    const row cycles = {"cycles", (double)gm_compare_value(pair->a, "cycles"),
                        (double)gm_compare_value(pair->b, "cycles"), CYCLES};
    double change = cycles.b - cycles.a;
    fprintf(file, "\n%c against A\n", letter);
    print_keys(file, pair->a, pair->b);
    fprintf(file, "\n  %-34s %15s %15s  %15s %9s\n", "", "A", (char[]){letter, '\0'}, "change",
            "of A");
    if (cycles.a != 0 && cycles.b != 0) {
        print_row(file, &cycles, "");
        fprintf(file, "\nCycles by what the schedulers did in them: all sum up to the change\n");
        print_rows(file, pair, &pair->counters, CYCLES, 0, change, options);
        fprintf(file, "\nCycles of kernels\n");
        print_rows(file, pair, &pair->kernels, CYCLES, options->most, change, options);
    }
    for (size_t i = CYCLES + 1; i < SECTIONS; i++) {
        fprintf(file, "\n%s\n", sections[i].title);
        print_rows(file, pair, &pair->counters, i, options->most, 0, options);
    }
}

/* Adds the rows of a section to a JSON array of {"name", "a", "b"}. Returns the array. */
static json_t *json_rows(const rows *rows, size_t section, const gm_compare_options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        const row *row = &rows->row[i];
        if ((section == SECTIONS ? row->section != CYCLES : row->section == section) &&
            counts(row, options)) {
            json_array_append_new(
                array, json_pack("{s:s, s:f, s:f}", "name", row->name, "a", row->a, "b", row->b));
        }
    }
    return array;
}

/* Returns the cycles as JSON; null of a run without. */
static json_t *json_cycles(const gm_compared_run *run)
{
    return has_cycles(run) ? json_integer((json_int_t)gm_compare_value(run, "cycles"))
                           : json_null();
}

/* Returns the comparison of a pair as JSON. */
static json_t *json_pair(const pair *pair, const gm_compare_options *options)
{
    return json_pack("{s:s, s:{s:s, s:s}, s:{s:o, s:o}, s:o, s:o, s:o}", "file", pair->b->file,
                     "part", "a", pair->a->part, "b", pair->b->part, "cycles", "a",
                     json_cycles(pair->a), "b", json_cycles(pair->b), "slots",
                     json_rows(&pair->counters, CYCLES, options), "kernels",
                     json_rows(&pair->kernels, CYCLES, options), "counters",
                     json_rows(&pair->counters, SECTIONS, options));
}

/* Prints the comparisons of all pairs. Returns 0, -ENOMEM, or why the output failed. */
static int print_json(FILE *file, const char *base, json_t *pairs, gm_error *error)
{
    json_t *all = json_pack("{s:i, s:s, s:O}", "schema", 1, "base", base, "runs", pairs);
    if (all == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    errno = 0;
    int code =
        json_dumpf(all, file, JSON_INDENT(1)) == 0 ? 0 : gm_fail_errno(error, "standard output");
    fputc('\n', file);
    json_decref(all);
    return code;
}

int gm_compare_print(FILE *file, const gm_compared_run *run, size_t count,
                     const gm_compare_options *options, gm_error *error)
{
    json_t *pairs = json_array();
    if (!options->json) {
        print_runs(file, run, count);
    }
    int code = 0;
    for (size_t i = 1; code == 0 && i < count; i++) {
        pair pair = {.a = &run[0], .b = &run[i]};
        code = make_counters(&pair.counters, pair.a, pair.b, error);
        code = code < 0 ? code : make_kernels(&pair.kernels, pair.a, pair.b, error);
        if (code == 0 && options->json) {
            json_array_append_new(pairs, json_pair(&pair, options));
        } else if (code == 0) {
            print_pair(file, &pair, (char)('A' + i), options);
        }
        free(pair.counters.row);
        free(pair.kernels.row);
    }
    if (code == 0 && options->json) {
        code = print_json(file, run[0].file, pairs, error);
    }
    json_decref(pairs);
    return code;
}

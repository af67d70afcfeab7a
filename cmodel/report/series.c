/* Series: what counters gain in each interval of a run, rates of it, and how full queues are at its
 * end. */
#include "goldmem/report.h"
#include "report/fields.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* What a series leaves out: time has columns of its own; the others are no counts, or of a whole
 * kernel. */
#define LEFT_OUT                                                                                   \
    (GM_SECTION_BIT(GM_SECTION_CYCLES) | GM_SECTION_BIT(GM_SECTION_RATES) |                        \
     GM_SECTION_BIT(GM_SECTION_STALLS) | GM_SECTION_BIT(GM_SECTION_UNIFIED) |                      \
     GM_SECTION_BIT(GM_SECTION_OVERLAP) | GM_SECTION_BIT(GM_SECTION_CTAS) |                        \
     GM_SECTION_BIT(GM_SECTION_RUN))

typedef enum kind { TOTAL, SM, BANK, PARTITION, KINDS } kind;

static const char *const kind_names[KINDS] = {"total", "sm", "bank", "partition"};

struct gm_series_report {
    FILE *file;
    gm_series_form form;
    gm_report_run run;
    gm_section_set columns; /* all that a row may have */
    uint64_t cycle;         /* of the sample before */
    uint64_t kernel;        /* number in the input, of the sample */
    gm_series_unit *before[KINDS];
    uint32_t count[KINDS];
};

/* Returns the sections of a unit's rows. */
static gm_section_set sections_of(const gm_series_report *report, kind kind)
{
    switch (kind) {
    case SM:
        return report->columns & GM_SM_SECTIONS;
    case BANK:
        return report->columns & GM_BANK_SECTIONS;
    case PARTITION:
        return report->columns & GM_PARTITION_SECTIONS;
    case TOTAL:
    case KINDS:
        break;
    }
    return report->columns;
}

/* Returns the number in the input of a kernel of this number in the run. */
static uint64_t number_in_input(const gm_series_report *report, uint64_t kernel)
{
    const gm_kernel_ranges *kernels = report->run.kernels;
    uint64_t number = 0;
    while (kernels != NULL && number <= gm_kernel_ranges_needed(kernels)) {
        if (gm_kernel_ranges_have(kernels, number)) {
            if (kernel == 0) {
                return number;
            }
            kernel--;
        }
        number++;
    }
    return kernels != NULL ? number + kernel : kernel;
}

/* An interval of a unit. */
typedef struct interval {
    kind kind;
    uint32_t number; /* of the unit */
    uint64_t cycles; /* core cycles */
    const gm_levels *levels;
    gm_field_source now, before;
} interval;

/* What a field has gained; of a state its value. */
static uint64_t gain(const interval *interval, const gm_field_group *group, const gm_field *field)
{
    uint64_t value = gm_field_value(group, field, &interval->now);
    return field->state ? value : value - gm_field_value(group, field, &interval->before);
}

/* What the access kinds of a cache counter have gained together. */
static double sum_gain(const uint64_t now[GM_ACCESS_KINDS], const uint64_t before[GM_ACCESS_KINDS])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < GM_ACCESS_KINDS; i++) {
        sum += now[i] - before[i];
    }
    return (double)sum;
}

#define GAIN(member)                                                                               \
    ((double)(interval->now.statistics.member - interval->before.statistics.member))
#define CACHE(cache, member)                                                                       \
    sum_gain(interval->now.statistics.cache.member, interval->before.statistics.cache.member)

/* RATE(name, kinds, numerator, denominator): the rates of an interval, and the units that have
 * them. */
#define UNITS(kind) (1u << (kind))
#define RATES(RATE)                                                                                \
    RATE(ipc, UNITS(TOTAL) | UNITS(SM), GAIN(core.warp_instructions), (double)interval->cycles)    \
    RATE(thread_ipc, UNITS(TOTAL) | UNITS(SM), GAIN(core.thread_instructions),                     \
         (double)interval->cycles)                                                                 \
    RATE(l1d_hit_rate, UNITS(TOTAL) | UNITS(SM), CACHE(l1d, hits) + CACHE(l1d, hits_pending),      \
         CACHE(l1d, accesses))                                                                     \
    RATE(load_latency, UNITS(TOTAL) | UNITS(SM), GAIN(time.load_cycles), GAIN(time.loads))         \
    RATE(l1_mshrs_mean, UNITS(TOTAL) | UNITS(SM), GAIN(time.l1_mshr_cycles),                       \
         (double)interval->cycles)                                                                 \
    RATE(l2_hit_rate, UNITS(TOTAL) | UNITS(BANK), CACHE(l2, hits) + CACHE(l2, hits_pending),       \
         CACHE(l2, accesses))                                                                      \
    RATE(l2_mshrs_mean, UNITS(TOTAL) | UNITS(BANK), GAIN(time.l2_mshr_cycles),                     \
         (double)interval->cycles)                                                                 \
    RATE(dram_bytes_per_cycle, UNITS(TOTAL) | UNITS(PARTITION), GAIN(dram.bytes),                  \
         (double)interval->cycles)                                                                 \
    RATE(dram_row_hit_rate, UNITS(TOTAL) | UNITS(PARTITION), GAIN(dram.row_hits),                  \
         GAIN(dram.row_hits) + GAIN(time.dram_activates))                                          \
    RATE(dram_bus_use, UNITS(TOTAL) | UNITS(PARTITION), GAIN(time.dram_busy),                      \
         GAIN(time.dram_cycles))

/* Writes a cell of CSV or a member of a line; CSV has an empty cell for what the unit lacks. */
static void write_number(const gm_series_report *report, const char *name, bool has, double value)
{
    if (report->form == GM_SERIES_CSV) {
        fputc(',', report->file);
        if (has) {
            fprintf(report->file, "%.6g", value);
        }
    } else if (has) {
        fprintf(report->file, ",\"%s\":%.6g", name, value);
    }
}

static void write_count(const gm_series_report *report, const char *name, bool has, uint64_t value)
{
    if (report->form == GM_SERIES_CSV) {
        fputc(',', report->file);
        if (has) {
            fprintf(report->file, "%" PRIu64, value);
        }
    } else if (has) {
        fprintf(report->file, ",\"%s\":%" PRIu64, name, value);
    }
}

static void write_rates(const gm_series_report *report, const interval *interval)
{
#define RATE(name, kinds, numerator, denominator)                                                  \
    {                                                                                              \
        bool has = ((kinds) >> interval->kind & 1u) != 0;                                          \
        double of = has ? (denominator) : 0;                                                       \
        write_number(report, #name, of > 0, of > 0 ? (numerator) / of : 0);                        \
    }
    RATES(RATE)
#undef RATE
}

static void write_levels(const gm_series_report *report, const interval *interval)
{
    kind kind = interval->kind;
#define LEVEL(name, unit, meaning)                                                                 \
    write_count(report, #name, kind == TOTAL || kind == of, interval->levels->name);
    enum kind of = SM;
    GM_SM_LEVELS(LEVEL)
    of = BANK;
    GM_BANK_LEVELS(LEVEL)
    if (report->run.config->sharing.enabled) {
        GM_SHARING_LEVELS(LEVEL)
    }
    of = PARTITION;
    GM_PARTITION_LEVELS(LEVEL)
    of = TOTAL;
    GM_MACHINE_LEVELS(LEVEL)
#undef LEVEL
}

static void write_gains(const gm_series_report *report, const interval *interval)
{
    gm_section_set sections = sections_of(report, interval->kind);
    unsigned count = 0;
    const gm_field_group *groups = gm_field_groups(&count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; (report->columns >> groups[i].section & 1u) && k < groups[i].count;
             k++) {
            char name[GM_FIELD_NAME];
            gm_field_name(&groups[i], &groups[i].fields[k], name);
            write_count(report, name, (sections >> groups[i].section & 1u) != 0,
                        gain(interval, &groups[i], &groups[i].fields[k]));
        }
    }
}

static void write_header(const gm_series_report *report)
{
    FILE *file = report->file;
    fputs("cycle,cycles,kernel,unit,number", file);
#define RATE(name, kinds, numerator, denominator) fputs("," #name, file);
    RATES(RATE)
#undef RATE
#define LEVEL(name, unit, meaning) fputs("," #name, file);
    GM_SM_LEVELS(LEVEL)
    GM_BANK_LEVELS(LEVEL)
    if (report->run.config->sharing.enabled) {
        GM_SHARING_LEVELS(LEVEL)
    }
    GM_PARTITION_LEVELS(LEVEL)
    GM_MACHINE_LEVELS(LEVEL)
#undef LEVEL
    unsigned count = 0;
    const gm_field_group *groups = gm_field_groups(&count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; (report->columns >> groups[i].section & 1u) && k < groups[i].count;
             k++) {
            char name[GM_FIELD_NAME];
            gm_field_name(&groups[i], &groups[i].fields[k], name);
            fprintf(file, ",%s", name);
        }
    }
    fputc('\n', file);
}

/* Writes the interval of a unit, and keeps its sample. */
static void write_unit(gm_series_report *report, const gm_series_sample *sample, kind kind,
                       uint32_t number, const gm_series_unit *unit)
{
    gm_series_unit *before = &report->before[kind][number];
    interval interval = {.kind = kind,
                         .number = number,
                         .cycles = sample->cycle - report->cycle,
                         .levels = &unit->levels};
    gm_field_source_fill(&interval.now, &unit->statistics, report->run.config, report->run.energy);
    gm_field_source_fill(&interval.before, &before->statistics, report->run.config,
                         report->run.energy);
    bool csv = report->form == GM_SERIES_CSV;
    fprintf(report->file,
            csv ? "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%" PRIu32
                : "{\"cycle\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"kernel\":%" PRIu64
                  ",\"unit\":\"%s\",\"number\":%" PRIu32,
            sample->cycle, interval.cycles, report->kernel, kind_names[kind], number);
    write_rates(report, &interval);
    write_levels(report, &interval);
    write_gains(report, &interval);
    fputs(csv ? "\n" : "}\n", report->file);
    *before = *unit;
}

int gm_series_report_open(gm_series_report **report, gm_series_form form, FILE *file,
                          const gm_report_run *run, unsigned units, gm_error *error)
{
    gm_series_report *own = calloc(1, sizeof *own);
    *report = own;
    if (own == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for a report");
    }
    const gm_config *config = run->config;
    *own = (gm_series_report){.file = file, .form = form, .run = *run};
    own->columns =
        gm_field_sections(GM_ENGINE_CYCLE, config, GM_TOTAL_SECTIONS) & ~(gm_section_set)LEFT_OUT;
    own->count[TOTAL] = 1;
    own->count[SM] = (units & GM_SERIES_SMS) != 0 ? (uint32_t)config->gpu.sms : 0;
    uint32_t partitions = (uint32_t)config->memory.partitions;
    own->count[BANK] =
        (units & GM_SERIES_BANKS) != 0 ? partitions * (uint32_t)config->memory.banks : 0;
    own->count[PARTITION] = (units & GM_SERIES_PARTITIONS) != 0 ? partitions : 0;
    for (kind i = TOTAL; i < KINDS; i++) {
        own->before[i] = calloc(own->count[i] + 1, sizeof *own->before[i]);
        if (own->before[i] == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory for a report");
        }
    }
    if (form == GM_SERIES_CSV) {
        write_header(own);
    }
    return 0;
}

void gm_series_report_sample(gm_series_report *report, const gm_series_sample *sample)
{
    const gm_series_unit *units[KINDS] = {&sample->total, sample->sm, sample->bank,
                                          sample->partition};
    report->kernel = number_in_input(report, sample->kernel);
    for (kind i = TOTAL; i < KINDS; i++) {
        for (uint32_t k = 0; k < report->count[i]; k++) {
            write_unit(report, sample, i, k, &units[i][k]);
        }
    }
    report->cycle = sample->cycle;
}

void gm_series_report_free(gm_series_report *report)
{
    for (kind i = TOTAL; report != NULL && i < KINDS; i++) {
        free(report->before[i]);
    }
    free(report);
}

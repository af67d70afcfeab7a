/* CSV: a header row, a row for each kernel, one for the total; on request one for each SM, bank and
 * DRAM channel, with empty fields where the unit has no such counter. */
#include "report/fields.h"
#include "report/report_form.h"

/* Writes a text, quoted as in RFC 4180. */
static void write_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', file);
        }
        fputc(*text, file);
    }
    fputc('"', file);
}

static int begin(gm_report *report, gm_error *error)
{
    (void)error;
    fputs("row,number,name", report->file);
    gm_section_set sections =
        gm_field_sections(report->run.engine, report->run.config, GM_ALL_SECTIONS);
    unsigned count = 0;
    const gm_field_group *groups = gm_field_groups(&count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; (sections >> groups[i].section & 1u) && k < groups[i].count; k++) {
            char name[GM_FIELD_NAME];
            gm_field_name(&groups[i], &groups[i].fields[k], name);
            fprintf(report->file, ",%s", name);
        }
    }
    if (report->run.sample.share != 0) {
        fputs(",sample.ctas,sample.simulated,sample.units", report->file);
#define COLUMNS(name, path, ...) fputs(",sample." path ".low,sample." path ".high", report->file);
        GM_SAMPLE_COUNTERS(COLUMNS)
        GM_SAMPLE_RATIOS(COLUMNS)
#undef COLUMNS
    }
    fputs("\n", report->file);
    return 0;
}

/* Writes a sampled row's CTAs and intervals. */
static void write_sample(FILE *file, const gm_sample_estimate *sample)
{
    fprintf(file, ",%llu,%llu,%llu", (unsigned long long)sample->ctas,
            (unsigned long long)sample->simulated, (unsigned long long)sample->units);
    for (unsigned i = 0; i < GM_SAMPLE_COUNTER_COUNT; i++) {
        fprintf(file, ",%.0f,%.0f", sample->counter[i].low, sample->counter[i].high);
    }
    for (unsigned i = 0; i < GM_SAMPLE_RATIO_COUNT; i++) {
        fprintf(file, ",%.6f,%.6f", sample->ratio[i].low, sample->ratio[i].high);
    }
}

/* Writes a row. `sample`: NULL in a run that is not sampled. `sections`: a bit for each
 * gm_field_section that the row has. */
static void write_row(const gm_report *report, const char *row, uint64_t number, const char *name,
                      gm_section_set sections, const gm_statistics *statistics,
                      const gm_sample_estimate *sample)
{
    FILE *file = report->file;
    gm_section_set columns =
        gm_field_sections(report->run.engine, report->run.config, GM_ALL_SECTIONS);
    gm_field_source source;
    gm_field_source_fill(&source, statistics, report->run.config, report->run.energy);
    fprintf(file, "%s,%llu,", row, (unsigned long long)number);
    write_text(file, name);
    unsigned count = 0;
    const gm_field_group *groups = gm_field_groups(&count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; (columns >> groups[i].section & 1u) && k < groups[i].count; k++) {
            fputc(',', file);
            if (sections >> groups[i].section & 1u) {
                fprintf(
                    file, "%llu",
                    (unsigned long long)gm_field_value(&groups[i], &groups[i].fields[k], &source));
            }
        }
    }
    if (sample != NULL) {
        write_sample(file, sample);
    }
    fputs("\n", file);
}

static int kernel_row(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                      const gm_kernel_details *details, gm_error *error)
{
    (void)error;
    static const char *const rows[] = {"kernel", "stopped kernel", "stopped kernel",
                                       "partial kernel"};
    write_row(report, rows[gm_report_stopped(report)], report->number, kernel->name,
              gm_field_kernel_sections(report->run.config, statistics), statistics,
              details->sample);
    for (uint64_t i = 0; details->per_sm != NULL && i < report->run.config->gpu.sms; i++) {
        write_row(report, "kernel sm", i, kernel->name, GM_SM_SECTIONS, &details->per_sm[i], NULL);
    }
    return 0;
}

static int end(gm_report *report, const gm_results *results, gm_error *error)
{
    (void)error;
    const gm_config *config = report->run.config;
    static const char *const rows[] = {"total", "stopped total", "stopped total", "partial total"};
    write_row(report, rows[gm_report_stopped(report)], results->kernels, report->run.input,
              GM_TOTAL_SECTIONS, &results->total,
              results->sample != NULL ? &results->sample->total : NULL);
    for (uint64_t i = 0; report->run.per_sm && i < config->gpu.sms; i++) {
        write_row(report, "sm", i, "", GM_SM_SECTIONS, &results->per_sm[i], NULL);
    }
    uint64_t partitions = report->run.per_bank ? config->memory.partitions : 0;
    for (uint64_t i = 0; i < partitions * config->memory.banks; i++) {
        write_row(report, "bank", i, "", GM_BANK_SECTIONS, &results->per_bank[i], NULL);
    }
    for (uint64_t i = 0; i < partitions; i++) {
        write_row(report, "partition", i, "", GM_PARTITION_SECTIONS, &results->per_partition[i],
                  NULL);
    }
    return 0;
}

const gm_report_operations gm_report_csv = {begin, kernel_row, end};

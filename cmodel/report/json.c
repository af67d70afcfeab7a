/* JSON, schema 1 (docs/running.md): one object, whose members are written as they become known, a
 * line each and a line for each kernel. */
#include "report/fields.h"
#include "report/json_analysis.h"
#include "report/json_latency.h"
#include "report/json_per_pc.h"
#include "report/json_sample.h"
#include "report/json_value.h"
#include "report/report_form.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Sets root.a.b.c for the name "a.b.c", and makes the objects between. */
static int set_path(json_t *root, const char *name, json_t *value)
{
    char part[GM_FIELD_NAME];
    size_t length = strcspn(name, ".");
    if (name[length] == '\0') {
        return json_object_set_new(root, name, value);
    }
    memcpy(part, name, length);
    part[length] = '\0';
    json_t *inner = json_object_get(root, part);
    if (inner == NULL) {
        inner = json_object();
        if (json_object_set_new(root, part, inner) != 0) {
            json_decref(value);
            return -1;
        }
    }
    return set_path(inner, name + length + 1, value);
}

/* Sets the fields of these sections. */
static int set_sections(json_t *root, const gm_field_source *source, gm_section_set sections)
{
    int bad = 0;
    unsigned count = 0;
    const gm_field_group *groups = gm_field_groups(&count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; (sections >> groups[i].section & 1u) && k < groups[i].count; k++) {
            char name[GM_FIELD_NAME];
            gm_field_name(&groups[i], &groups[i].fields[k], name);
            uint64_t value = gm_field_value(&groups[i], &groups[i].fields[k], source);
            bad |= set_path(root, name, gm_json_count(value));
        }
    }
    return bad;
}

static int set_fields(json_t *root, const gm_report_run *run, const gm_statistics *statistics,
                      gm_section_set of_unit)
{
    gm_field_source source;
    gm_field_source_fill(&source, statistics, run->config, run->energy);
    return set_sections(root, &source, gm_field_sections(run->engine, run->config, of_unit));
}

int gm_report_counters(char *text, size_t size, const gm_config *config,
                       const gm_statistics *statistics)
{
    static const gm_section_set computed = GM_SECTION_BIT(GM_SECTION_ENERGY) |
                                           GM_SECTION_BIT(GM_SECTION_RATES) |
                                           GM_SECTION_BIT(GM_SECTION_LEAKAGE);
    const gm_field_source source = {.statistics = *statistics};
    gm_section_set sections = gm_field_sections(GM_ENGINE_CYCLE, config, GM_TOTAL_SECTIONS);
    json_t *root = json_object();
    int bad = root == NULL || set_sections(root, &source, sections & ~computed) != 0;
    char *written = bad ? NULL : json_dumps(root, JSON_COMPACT);
    json_decref(root);
    if (written == NULL) {
        return -ENOMEM;
    }
    int length = snprintf(text, size, "%s", written);
    free(written);
    return length;
}

static json_t *config_object(const gm_config *config)
{
    json_t *object = json_object();
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; object != NULL && i < count; i++) {
        if (json_object_set_new(object, keys[i].name, gm_json_config_value(config, &keys[i])) !=
            0) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

/* Returns area and leakage: {"area_um2": {"l1d": ...}, "leakage_uw": {...}}. */
static json_t *chip_object(const gm_report_run *run)
{
    const gm_chip chip = gm_chip_of(run->config, run->energy);
    json_t *object = json_object();
    int bad = object == NULL;
#define PART(name, meaning)                                                                        \
    bad |= set_path(object, "area_um2." #name, gm_json_count(chip.area_um2.name));                 \
    bad |= set_path(object, "leakage_uw." #name, gm_json_count(chip.leakage_uw.name));
    GM_CHIP_PARTS(PART)
#undef PART
    if (bad) {
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* Returns {"not_modelled": [{"line", "option", "value", "instead"}], "unknown": [{..., "nearest"}],
 * "irrelevant": ["-option"]} */
static json_t *import_object(const gm_import *import)
{
    json_t *unmodelled = json_array();
    json_t *unknown = json_array();
    json_t *irrelevant = json_array();
    int bad = 0;
    for (size_t i = 0; i < import->count; i++) {
        const gm_import_note *note = &import->note[i];
        if (note->kind == GM_IMPORT_IRRELEVANT) {
            bad |= json_array_append_new(irrelevant, json_string(note->option));
            continue;
        }
        bool known = note->kind == GM_IMPORT_UNMODELLED;
        bad |= json_array_append_new(known ? unmodelled : unknown,
                                     json_pack("{s:I,s:s,s:s,s:s}", "line", (json_int_t)note->line,
                                               "option", note->option, "value", note->value,
                                               known ? "instead" : "nearest", note->text));
    }
    json_t *object = json_pack("{s:o,s:o,s:o}", "not_modelled", unmodelled, "unknown", unknown,
                               "irrelevant", irrelevant);
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int out_of_memory(gm_error *error)
{
    return gm_fail(error, -ENOMEM, "out of memory for the JSON report");
}

/* Writes `before` and the value, and releases the value. */
static int dump(FILE *file, const char *before, json_t *value, gm_error *error)
{
    if (value == NULL) {
        return out_of_memory(error);
    }
    fputs(before, file);
    json_dumpf(value, file, JSON_ENCODE_ANY);
    json_decref(value);
    return 0;
}

static int begin(gm_report *report, gm_error *error)
{
    const gm_report_run *run = &report->run;
    FILE *file = report->file;
    int code = dump(file, "{\n\"schema\": ", json_integer(1), error);
    code = code < 0 ? code : dump(file, ",\n\"version\": ", json_string(GM_VERSION), error);
    code = code < 0
               ? code
               : dump(file, ",\n\"engine\": ", json_string(gm_engine_name(run->engine)), error);
    code = code < 0 ? code : dump(file, ",\n\"input\": ", gm_json_text(run->input), error);
    code = code < 0 ? code
                    : dump(file, ",\n\"preset\": ", gm_json_text(run->config->preset.name), error);
    code = code < 0 ? code : dump(file, ",\n\"config\": ", config_object(run->config), error);
    code = code < 0 ? code : dump(file, ",\n\"chip\": ", chip_object(run), error);
    if (code == 0 && run->import != NULL && run->import->count > 0) {
        code = dump(file, ",\n\"import\": ", import_object(run->import), error);
    }
    fputs(",\n\"kernels\": [", file);
    return code;
}

static json_t *three(const uint32_t size[3])
{
    return json_pack("[I, I, I]", (json_int_t)size[0], (json_int_t)size[1], (json_int_t)size[2]);
}

/* Returns the object, or releases it and returns NULL if a part of it is missing. */
static json_t *whole(json_t *object, int bad)
{
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *counts(const uint32_t *count, uint64_t length)
{
    json_t *array = json_array();
    int bad = 0;
    for (uint64_t i = 0; i < length; i++) {
        bad |= json_array_append_new(array, gm_json_count(count[i]));
    }
    return whole(array, bad);
}

/* Returns a kernel's l2_sets: an array of each class that the L2 has. */
static json_t *sets(const gm_report *report, const gm_set_contents *contents)
{
    const bool shares = report->run.config->sharing.enabled;
    json_t *object = json_object();
    int bad = json_object_set_new(object, "ways", gm_json_count(contents->ways));
    bad |= json_object_set_new(object, "lines", counts(contents->lines, contents->sets));
    bad |= json_object_set_new(object, "dirty", counts(contents->dirty, contents->sets));
    if (shares) {
        bad |= json_object_set_new(object, "shared", counts(contents->shared, contents->sets));
        bad |= json_object_set_new(object, "dead", counts(contents->dead, contents->sets));
    }
    return whole(object, bad);
}

/* Returns the counters of each SM in a kernel. */
static json_t *sms(const gm_report *report, const gm_statistics *per_sm)
{
    json_t *array = json_array();
    int bad = 0;
    for (uint64_t i = 0; i < report->run.config->gpu.sms; i++) {
        json_t *object = json_object();
        bad |= json_object_set_new(object, "sm", gm_json_count(i));
        bad |= set_fields(object, &report->run, &per_sm[i], GM_SM_SECTIONS);
        bad |= json_array_append_new(array, object);
    }
    return whole(array, bad);
}

static int kernel_line(gm_report *report, const gm_kernel *kernel, const gm_statistics *statistics,
                       const gm_kernel_details *details, gm_error *error)
{
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", gm_json_text(kernel->name));
    if (report->run.kernels != NULL) {
        bad |= json_object_set_new(object, "number", gm_json_count(report->number));
    }
    bad |= json_object_set_new(object, "id", gm_json_count(kernel->id));
    bad |= json_object_set_new(object, "grid", three(kernel->grid));
    bad |= json_object_set_new(object, "block", three(kernel->block));
    bad |= set_fields(object, &report->run, statistics,
                      gm_field_kernel_sections(report->run.config, statistics));
    if (details->analysis != NULL) {
        bad |= json_object_set_new(object, "analysis", gm_json_analysis(details->analysis, true));
    }
    if (details->l2_sets != NULL) {
        bad |= json_object_set_new(object, "l2_sets", sets(report, details->l2_sets));
    }
    if (details->per_sm != NULL) {
        bad |= json_object_set_new(object, "per_sm", sms(report, details->per_sm));
    }
    if (details->sample != NULL) {
        bad |= json_object_set_new(object, "sample", gm_json_sample(details->sample));
    }
    return dump(report->file, report->kernels == 0 ? "\n" : ",\n", whole(object, bad), error);
}

/* Writes an array with the counters of each of `count` SMs, banks or partitions. */
static int write_units(const gm_report *report, const char *before, const char *number_name,
                       const gm_statistics *units, uint64_t count, gm_section_set sections,
                       gm_error *error)
{
    FILE *file = report->file;
    fputs(before, file);
    for (uint64_t i = 0; i < count; i++) {
        json_t *object = json_object();
        int bad = json_object_set_new(object, number_name, gm_json_count(i));
        bad |= set_fields(object, &report->run, &units[i], sections);
        int code = dump(file, i == 0 ? "\n" : ",\n", whole(object, bad), error);
        if (code < 0) {
            return code;
        }
    }
    fputs("\n]", file);
    return 0;
}

/* Returns opcodes with their instructions: the unknown ones, or the others. */
static json_t *unmodelled_object(const gm_results *results, bool unknown)
{
    json_t *object = json_object();
    int bad = 0;
    for (uint32_t i = 0; i < results->unmodelled_count; i++) {
        const gm_unmodelled *row = &results->unmodelled[i];
        if (row->unknown == unknown) {
            bad |= json_object_set_new(object, row->opcode, gm_json_count(row->instructions));
        }
    }
    return whole(object, bad);
}

static int write_unmodelled(FILE *file, const gm_results *results, gm_error *error)
{
    if (results->has_clusters) {
        fputs(",\n\"clusters\": true", file);
    }
    if (results->unmodelled_count == 0) {
        return 0;
    }
    int code = dump(file, ",\n\"unmodelled\": ", unmodelled_object(results, false), error);
    return code < 0 ? code
                    : dump(file, ",\n\"unknown\": ", unmodelled_object(results, true), error);
}

/* Writes the warm-up, if there is one. */
static int write_warm_up(const gm_report *report, gm_error *error)
{
    const gm_warm_up *warm_up = &report->run.warm_up;
    if (warm_up->kind == GM_WARM_UP_NONE) {
        return 0;
    }
    json_t *object = json_object();
    const char *name = gm_report_warm_up(warm_up->kind);
    int bad = json_object_set_new(object, name, gm_json_count(warm_up->count));
    return dump(report->file, ",\n\"warm_up\": ", whole(object, bad), error);
}

/* Writes where the run has stopped, and if its statistics are partial. */
static int write_stop(const gm_report *report, const gm_stop *stop, gm_error *error)
{
    if (stop->reason == GM_STOP_NONE) {
        return 0;
    }
    json_t *object = json_object();
    int bad = json_object_set_new(object, "reason", json_string(gm_report_reason(stop->reason)));
    if (stop->reason != GM_STOP_ASKED) {
        bool cycles = stop->reason == GM_STOP_CYCLES;
        uint64_t limit = cycles ? report->run.max_cycles : report->run.max_instructions;
        bad |= json_object_set_new(object, "limit", gm_json_count(limit));
    }
    bad |= json_object_set_new(object, "kernel", gm_json_count(gm_report_stop_kernel(report)));
    bad |= json_object_set_new(object, "in_kernel", json_boolean(stop->in_kernel));
    if (report->run.engine == GM_ENGINE_CYCLE) {
        bad |= json_object_set_new(object, "cycles", gm_json_count(stop->cycles));
    }
    int code =
        dump(report->file, ",\n\"partial\": ", json_boolean(stop->reason == GM_STOP_ASKED), error);
    return code < 0 ? (json_decref(object), code)
                    : dump(report->file, ",\n\"stopped\": ", whole(object, bad), error);
}

/* sm.throttle=sampling: sets sampling.limits, [{"kernel", "limit", "launches", "found_in",
 * "cycle"}]: the kernels with a limit, as they were found. */
static int set_limits(json_t *total, const gm_sampling_limits *limits)
{
    json_t *rows = json_array();
    int bad = 0;
    for (uint64_t i = 0; i < limits->count; i++) {
        const gm_sampling_limit *row = &limits->row[i];
        json_t *object = json_object();
        bad |= json_object_set_new(object, "kernel", gm_json_text(row->name));
        bad |= json_object_set_new(object, "limit", gm_json_count(row->limit));
        bad |= json_object_set_new(object, "launches", gm_json_count(row->launches));
        bad |= json_object_set_new(object, "found_in", gm_json_count(row->kernel));
        bad |= json_object_set_new(object, "cycle", gm_json_count(row->cycle));
        bad |= json_array_append_new(rows, object);
    }
    return bad | set_path(total, "sampling.limits", rows);
}

static json_t *total_object(const gm_report *report, const gm_results *results)
{
    json_t *total = json_object();
    int bad = set_fields(total, &report->run, &results->total, GM_TOTAL_SECTIONS);
    if (report->run.config->sm.throttle == GM_THROTTLE_SAMPLING) {
        bad |= set_limits(total, &results->limits);
    }
    return whole(total, bad);
}

static int end(gm_report *report, const gm_results *results, gm_error *error)
{
    FILE *file = report->file;
    const gm_config *config = report->run.config;
    fputs(report->kernels == 0 ? "]" : "\n]", file);
    int code = dump(file, ",\n\"total\": ", total_object(report, results), error);
    if (code == 0 && report->run.per_sm) {
        code = write_units(report, ",\n\"per_sm\": [", "sm", results->per_sm, config->gpu.sms,
                           GM_SM_SECTIONS, error);
    }
    code = code < 0 ? code : write_stop(report, &results->stop, error);
    code = code < 0 ? code : write_warm_up(report, error);
    if (code == 0 && results->sample != NULL) {
        code = dump(file, ",\n\"sample\": ", gm_json_sample_of_run(results->sample), error);
    }
    uint64_t partitions = config->memory.partitions;
    if (code == 0 && report->run.per_bank) {
        code = write_units(report, ",\n\"per_bank\": [", "bank", results->per_bank,
                           partitions * config->memory.banks, GM_BANK_SECTIONS, error);
    }
    if (code == 0 && report->run.per_bank) {
        code = write_units(report, ",\n\"per_partition\": [", "partition", results->per_partition,
                           partitions, GM_PARTITION_SECTIONS, error);
    }
    code = code < 0 ? code : write_unmodelled(file, results, error);
    if (code == 0 && results->latencies != NULL) {
        code = dump(file, ",\n\"latency\": ", gm_json_latencies(results->latencies), error);
    }
    if (code == 0 && results->per_pc != NULL) {
        code = dump(file, ",\n\"per_pc\": ", gm_json_per_pc(results->per_pc), error);
    }
    if (code == 0 && results->analysis != NULL) {
        code = dump(file, ",\n\"analysis\": ",
                    gm_json_analysis(gm_analysis_read(results->analysis), false), error);
    }
    fputs("\n}\n", file);
    return code;
}

const gm_report_operations gm_report_json = {begin, kernel_line, end};

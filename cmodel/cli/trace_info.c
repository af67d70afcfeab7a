/* goldmem trace info: the contents of an input, as a table or JSON. */
#include "cli/input_argument.h"
#include "cli/output_files.h"
#include "cli/survey.h"
#include "goldmem/output.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_JSON = 1000, OPTION_OPCODES };

typedef struct info_arguments {
    const char *input;
    const char *json; /* NULL: a table */
    bool opcodes;
    bool ignore_unknown;
} info_arguments;

static error_t parse(int key, char *argument, struct argp_state *state)
{
    info_arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->json = argument;
        return 0;
    case OPTION_OPCODES:
        arguments->opcodes = true;
        return 0;
    case GM_CLI_KEY_UNKNOWN:
        return gm_cli_parse_unknown(&arguments->ignore_unknown, argument, state);
    default:
        return gm_cli_parse_input(key, argument, state, &arguments->input);
    }
}

/* Names of the spaces of memory instructions, in the order of gm_space. */
static const char *const spaces[GM_SPACES] = {
    [GM_SPACE_NONE] = "other",    [GM_SPACE_GLOBAL] = "global",   [GM_SPACE_LOCAL] = "local",
    [GM_SPACE_SHARED] = "shared", [GM_SPACE_GENERIC] = "generic", [GM_SPACE_CONSTANT] = "constant",
};

/* Opcode numbers, the most frequent first, then by text. */
typedef struct opcode_count {
    const char *text;
    uint64_t count;
} opcode_count;

static int compare_opcodes(const void *left, const void *right)
{
    const opcode_count *a = left;
    const opcode_count *b = right;
    return a->count != b->count ? (a->count < b->count ? 1 : -1) : strcmp(a->text, b->text);
}

static opcode_count *sort_opcodes(const gm_survey *survey, const gm_opcode_table *table)
{
    opcode_count *sorted = calloc((size_t)table->count + 1, sizeof *sorted);
    if (sorted == NULL) {
        return NULL;
    }
    for (uint32_t k = 0; k < table->count; k++) {
        sorted[k] = (opcode_count){table->opcodes[k].text, survey->opcodes[k]};
    }
    qsort(sorted, table->count, sizeof *sorted, compare_opcodes);
    return sorted;
}

static void print_counts(const gm_survey_counts *counts)
{
    printf(" %10" PRIu64 " %12" PRIu64 " %14" PRIu64, counts->ctas, counts->warps,
           counts->instructions);
    for (unsigned space = GM_SPACE_GLOBAL; space <= GM_SPACE_GENERIC; space++) {
        printf(" %12" PRIu64, counts->memory[space]);
    }
}

static void print_table(const gm_survey *survey)
{
    printf("%8s %16s %12s %7s %5s %10s %12s %14s %12s %12s %12s %12s %7s  %s\n", "kernel", "grid",
           "block", "shmem", "regs", "CTAs", "warps", "instructions", "global", "local", "shared",
           "generic", "version", "name");
    for (size_t k = 0; k < survey->kernel_count; k++) {
        const gm_survey_kernel *kernel = &survey->kernels[k];
        char grid[40];
        char block[40];
        snprintf(grid, sizeof grid, "%u,%u,%u", kernel->grid[0], kernel->grid[1], kernel->grid[2]);
        snprintf(block, sizeof block, "%u,%u,%u", kernel->block[0], kernel->block[1],
                 kernel->block[2]);
        printf("%8" PRIu64 " %16s %12s %7u %5u", kernel->id, grid, block, kernel->shared_bytes,
               kernel->registers);
        print_counts(&kernel->counts);
        printf(" %7s  %s\n", kernel->version[0] != '\0' ? kernel->version : "-", kernel->name);
    }
    printf("%8s %16s %12s %7s %5s", "total", "", "", "", "");
    print_counts(&survey->total);
    printf("\nkernels %zu, copies %" PRIu64 ", copied bytes %" PRIu64
           ", thread instructions %" PRIu64 "\n",
           survey->kernel_count, survey->copies, survey->copy_bytes, survey->total.threads);
}

static int print_opcodes(const gm_survey *survey, const gm_opcode_table *table, gm_error *error)
{
    opcode_count *sorted = sort_opcodes(survey, table);
    if (sorted == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    printf("\n%14s  opcode\n", "instructions");
    for (uint32_t k = 0; k < table->count; k++) {
        printf("%14" PRIu64 "  %s\n", sorted[k].count, sorted[k].text);
    }
    free(sorted);
    return 0;
}

/* Makes a JSON text; bytes of a trace that are not UTF-8 are replaced. */
static json_t *json_text(const char *text)
{
    json_t *made = json_string(text);
    if (made != NULL) {
        return made;
    }
    char plain[GM_KERNEL_NAME];
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < sizeof plain; length++) {
        plain[length] = '?';
        if ((unsigned char)text[length] < 0x80) {
            plain[length] = text[length];
        }
    }
    return json_stringn(plain, length);
}

static json_t *json_counts(const gm_survey_counts *counts)
{
    json_t *memory = json_object();
    for (unsigned space = GM_SPACE_GLOBAL; space < GM_SPACES; space++) {
        json_object_set_new(memory, spaces[space], json_integer((json_int_t)counts->memory[space]));
    }
    json_object_set_new(memory, spaces[GM_SPACE_NONE],
                        json_integer((json_int_t)counts->memory[GM_SPACE_NONE]));
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "ctas", (json_int_t)counts->ctas, "warps",
                     (json_int_t)counts->warps, "instructions", (json_int_t)counts->instructions,
                     "thread_instructions", (json_int_t)counts->threads, "memory_instructions",
                     memory);
}

static json_t *json_kernel(const gm_survey_kernel *kernel)
{
    json_t *made = json_pack(
        "{s:I, s:o, s:[I,I,I], s:[I,I,I], s:I, s:I, s:I, s:o}", "id", (json_int_t)kernel->id,
        "name", json_text(kernel->name), "grid", (json_int_t)kernel->grid[0],
        (json_int_t)kernel->grid[1], (json_int_t)kernel->grid[2], "block",
        (json_int_t)kernel->block[0], (json_int_t)kernel->block[1], (json_int_t)kernel->block[2],
        "shared_bytes", (json_int_t)kernel->shared_bytes, "registers",
        (json_int_t)kernel->registers, "binary_version", (json_int_t)kernel->binary_version,
        "tracer_version", json_text(kernel->version));
    json_t *counts = json_counts(&kernel->counts);
    json_object_update(made, counts);
    json_decref(counts);
    return made;
}

static json_t *json_opcodes(const gm_survey *survey, const gm_opcode_table *table)
{
    json_t *made = json_object();
    opcode_count *sorted = sort_opcodes(survey, table);
    for (uint32_t k = 0; sorted != NULL && k < table->count; k++) {
        json_object_set_new(made, sorted[k].text, json_integer((json_int_t)sorted[k].count));
    }
    free(sorted);
    return made;
}

static json_t *json_unknown(const gm_survey *survey, const gm_opcode_table *table)
{
    json_t *made = json_object();
    for (uint32_t k = 0; k < table->count; k++) {
        if (survey->unknown[k] != 0) {
            json_object_set_new(made, table->opcodes[k].text,
                                json_integer((json_int_t)survey->unknown[k]));
        }
    }
    return made;
}

static int write_json(const info_arguments *arguments, const gm_survey *survey,
                      const gm_source *source, gm_error *error)
{
    const gm_opcode_table *table = &source->opcodes;
    json_t *kernels = json_array();
    for (size_t k = 0; k < survey->kernel_count; k++) {
        json_array_append_new(kernels, json_kernel(&survey->kernels[k]));
    }
    json_t *all =
        json_pack("{s:o, s:I, s:I, s:o, s:o}", "input", json_text(arguments->input), "copies",
                  (json_int_t)survey->copies, "copy_bytes", (json_int_t)survey->copy_bytes, "total",
                  json_counts(&survey->total), "kernels", kernels);
    json_t *unknown = json_unknown(survey, table);
    if (json_object_size(unknown) != 0) {
        json_object_set(all, "unknown", unknown);
    }
    json_decref(unknown);
    if (source->has_clusters) {
        json_object_set_new(all, "clusters", json_true());
    }
    if (arguments->opcodes) {
        json_object_set_new(all, "opcodes", json_opcodes(survey, table));
    }
    gm_output output;
    int code = gm_output_open(&output, arguments->json, error);
    if (code == 0) {
        json_dumpf(all, output.file, JSON_INDENT(2));
        fputc('\n', output.file);
        code = gm_output_commit(&output, error);
    }
    json_decref(all);
    return code;
}

int gm_cli_trace_info(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", OPTION_JSON, "FILE", 0, "write JSON to FILE instead of a table; - for stdout", 0},
        {"opcodes", OPTION_OPCODES, NULL, 0, "count every opcode too", 0},
        GM_CLI_UNKNOWN_OPTION,
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "INPUT",
        .doc = "Say what an input holds: a row for each kernel, with its CTAs, warps, warp "
               "instructions, and those with a memory operand by space, and the "
               "totals.\v" GM_CLI_INPUT_DOC,
    };
    info_arguments arguments = {0};
    int status = gm_cli_parse(&argp, argc, argv, &arguments);
    if (status != 0) {
        return status;
    }
    gm_error error;
    gm_source *source = NULL;
    gm_survey survey = {0};
    const gm_cli_outputs outputs = {.output = {{"--json", arguments.json}}, .count = 1};
    int code = gm_cli_protect_input(&outputs, arguments.input, &error);
    code = code < 0 ? code
                    : gm_survey_input(&survey, &source, arguments.input, arguments.ignore_unknown,
                                      &error);
    if (code == 0 && arguments.json != NULL) {
        code = write_json(&arguments, &survey, source, &error);
    } else if (code == 0) {
        print_table(&survey);
        if (source->has_clusters) {
            printf("clusters: there are, of more than one CTA; runs place each CTA by itself\n");
        }
        gm_survey_print_unknown(&survey, &source->opcodes, "\n");
        code = arguments.opcodes ? print_opcodes(&survey, &source->opcodes, &error) : 0;
    }
    gm_survey_free(&survey);
    gm_source_close(source);
    return code == 0 ? GM_EXIT_OK : gm_cli_error(&error);
}

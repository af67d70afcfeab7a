/* Surveys: read a source once and count what it holds. */
#include "cli/survey.h"

#include "cli/input_argument.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct counting {
    gm_survey_counts *counts;
    uint64_t *opcodes, *unknown;
} counting;

static int count_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)cta;
    (void)error;
    counting *counting = context;
    counting->counts->ctas++;
    return 0;
}

static int count_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)warp;
    (void)error;
    counting *counting = context;
    counting->counts->warps++;
    return 0;
}

static int count_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    counting *counting = context;
    counting->counts->instructions++;
    counting->counts->threads += gm_count_ones(instruction->mask);
    counting->counts->memory[instruction->space] += instruction->width != 0;
    counting->opcodes[instruction->opcode]++;
    return 0;
}

/* Counts an instruction where unknown opcodes are not refused. */
static int count_unknown(void *context, const gm_instruction *instruction, gm_error *error)
{
    counting *counting = context;
    if (instruction->width != 0 && instruction->space == GM_SPACE_NONE) {
        counting->unknown[instruction->opcode]++; /* keep_unknown clears the known ones */
    }
    return count_instruction(context, instruction, error);
}

static int end_cta(void *context, gm_error *error)
{
    (void)context;
    (void)error;
    return 0;
}

static gm_survey_kernel *add_kernel(gm_survey *survey, const gm_kernel *kernel)
{
    gm_survey_kernel *larger =
        reallocarray(survey->kernels, survey->kernel_count + 1, sizeof *larger);
    if (larger == NULL) {
        return NULL;
    }
    survey->kernels = larger;
    gm_survey_kernel *added = &larger[survey->kernel_count];
    *added = (gm_survey_kernel){
        .name = strdup(kernel->name),
        .id = kernel->id,
        .shared_bytes = kernel->shared_bytes,
        .registers = kernel->registers,
        .binary_version = kernel->binary_version,
    };
    if (added->name == NULL) {
        return NULL;
    }
    survey->kernel_count++;
    memcpy(added->version, kernel->tracer_version, sizeof added->version);
    memcpy(added->grid, kernel->grid, sizeof added->grid);
    memcpy(added->block, kernel->block, sizeof added->block);
    return added;
}

static int read_kernel(gm_survey *survey, gm_source *source, const gm_kernel *kernel,
                       gm_error *error)
{
    gm_survey_kernel *added = add_kernel(survey, kernel);
    if (added == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", source->name);
    }
    counting counting = {&added->counts, survey->opcodes, survey->unknown};
    const gm_cta_sink sink = {&counting, count_cta, count_warp,
                              source->opcodes.ignore_unknown ? count_unknown : count_instruction,
                              end_cta};
    int code = 1;
    while (code > 0) {
        code = gm_source_next_cta(source, &sink, error);
    }
    survey->total.ctas += added->counts.ctas;
    survey->total.warps += added->counts.warps;
    survey->total.instructions += added->counts.instructions;
    survey->total.threads += added->counts.threads;
    for (unsigned space = 0; space < GM_SPACES; space++) {
        survey->total.memory[space] += added->counts.memory[space];
    }
    return code;
}

int gm_survey_read(gm_survey *survey, gm_source *source, gm_error *error)
{
    *survey = (gm_survey){.opcodes = calloc(GM_OPCODES + 1, sizeof *survey->opcodes),
                          .unknown = calloc(GM_OPCODES + 1, sizeof *survey->unknown)};
    if (survey->opcodes == NULL || survey->unknown == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", source->name);
    }
    for (;;) {
        gm_command command;
        int code = gm_source_next_command(source, &command, error);
        if (code <= 0) {
            return code;
        }
        switch (command.kind) {
        case GM_COMMAND_COPY:
            survey->copies++;
            survey->copy_bytes += command.bytes;
            break;
        case GM_COMMAND_KERNEL:
            code = read_kernel(survey, source, command.kernel, error);
            if (code != 0) {
                return code;
            }
            break;
        }
    }
}

static void keep_unknown(gm_survey *survey, const gm_opcode_table *table)
{
    for (uint32_t k = 0; k < table->count; k++) {
        survey->unknown[k] = table->opcodes[k].addresses ? 0 : survey->unknown[k];
    }
}

int gm_survey_input(gm_survey *survey, gm_source **source, const char *input, bool ignore_unknown,
                    gm_error *error)
{
    int code = gm_cli_open_source(source, input, error);
    if (code == 0) {
        (*source)->opcodes.ignore_unknown = ignore_unknown;
        code = gm_survey_read(survey, *source, error);
    }
    if (code == 0) {
        keep_unknown(survey, &(*source)->opcodes);
    }
    return code;
}

void gm_survey_print_unknown(const gm_survey *survey, const gm_opcode_table *table,
                             const char *before)
{
    for (uint32_t k = 0; k < table->count; k++) {
        if (survey->unknown[k] != 0) {
            printf("%sunknown opcode with addresses: %s, instructions: %" PRIu64 "\n", before,
                   table->opcodes[k].text, survey->unknown[k]);
            before = "";
        }
    }
}

void gm_survey_free(gm_survey *survey)
{
    for (size_t k = 0; k < survey->kernel_count; k++) {
        free(survey->kernels[k].name);
    }
    free(survey->kernels);
    free(survey->opcodes);
    free(survey->unknown);
    *survey = (gm_survey){0};
}

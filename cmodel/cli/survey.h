/* Surveys: read a source once and count what it holds, kernel by kernel. */
#ifndef GOLDMEM_CLI_SURVEY_H
#define GOLDMEM_CLI_SURVEY_H

#include "goldmem/source.h"

/* One kernel, or the total. */
typedef struct gm_survey_counts {
    uint64_t ctas, warps, instructions;
    uint64_t threads;           /* active lanes of all instructions */
    uint64_t memory[GM_SPACES]; /* instructions with a memory operand, by its space */
} gm_survey_counts;

typedef struct gm_survey_kernel {
    char *name;
    char version[GM_VERSION_TEXT];
    uint64_t id;
    uint32_t grid[3], block[3], shared_bytes, registers, binary_version;
    gm_survey_counts counts;
} gm_survey_kernel;

typedef struct gm_survey {
    gm_survey_kernel *kernels;
    size_t kernel_count;
    gm_survey_counts total;
    uint64_t copies, copy_bytes;
    uint64_t *unknown; /* instructions with addresses and an unknown opcode, as in opcodes[] */
    uint64_t *opcodes; /* instructions by opcode number, GM_OPCODES elements */
} gm_survey;

/* Reads the source to its end. Returns 0 or a negative errno value. Requires gm_survey_free in any
 * case. */
int gm_survey_read(gm_survey *survey, gm_source *source, gm_error *error);

/* Reads the input that the user named. Leaves the source open, for its opcodes. `ignore_unknown`:
 * as in gm_opcode_table. Returns 0 or a negative errno value. */
int gm_survey_input(gm_survey *survey, gm_source **source, const char *input, bool ignore_unknown,
                    gm_error *error);

/* Prints a line for each unknown opcode, on standard output, `before` in front of the first. */
void gm_survey_print_unknown(const gm_survey *survey, const gm_opcode_table *table,
                             const char *before);

void gm_survey_free(gm_survey *survey);

#endif

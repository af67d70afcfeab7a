/* Opcode tally: counts the instructions without a model by opcode. */
#include "frontend/opcode_tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 8 };

static int out_of_memory(gm_error *error)
{
    return gm_fail(error, -ENOMEM, "out of memory: opcodes without a model");
}

int gm_opcode_tally_add(gm_opcode_tally *tally, uint32_t opcode, uint64_t instructions,
                        gm_error *error)
{
    for (uint32_t i = 0; i < tally->rows; i++) {
        if (tally->row[i].opcode == opcode) {
            tally->row[i].instructions += instructions;
            return 0;
        }
    }
    if (tally->rows == tally->room) {
        uint32_t room = tally->room == 0 ? FIRST_ROOM : 2 * tally->room;
        gm_opcode_count *more = realloc(tally->row, room * sizeof *more);
        if (more == NULL) {
            return out_of_memory(error);
        }
        tally->row = more;
        tally->room = room;
    }
    tally->row[tally->rows++] = (gm_opcode_count){instructions, opcode};
    return 0;
}

int gm_opcode_tally_merge(gm_opcode_tally *tally, const gm_opcode_tally *from, gm_error *error)
{
    int code = 0;
    for (uint32_t i = 0; code == 0 && i < from->rows; i++) {
        code = gm_opcode_tally_add(tally, from->row[i].opcode, from->row[i].instructions, error);
    }
    return code;
}

static int compare(const void *left, const void *right)
{
    const gm_unmodelled *a = left;
    const gm_unmodelled *b = right;
    return a->instructions != b->instructions ? (a->instructions < b->instructions ? 1 : -1)
                                              : strcmp(a->opcode, b->opcode);
}

int gm_opcode_tally_results(const gm_opcode_tally *tally, const gm_opcode_table *table,
                            gm_results *results, gm_error *error)
{
    if (tally->rows == 0) {
        return 0;
    }
    results->unmodelled = calloc(tally->rows, sizeof *results->unmodelled);
    if (results->unmodelled == NULL) {
        return out_of_memory(error);
    }
    for (uint32_t i = 0; i < tally->rows; i++) {
        const gm_opcode *opcode = &table->opcodes[tally->row[i].opcode];
        if (opcode->addresses && opcode->op == GM_OP_COMPUTE) {
            continue;
        }
        gm_unmodelled *to = &results->unmodelled[results->unmodelled_count++];
        memcpy(to->opcode, opcode->text, sizeof to->opcode);
        to->instructions = tally->row[i].instructions;
        to->unknown = !opcode->addresses;
    }
    qsort(results->unmodelled, results->unmodelled_count, sizeof *results->unmodelled, compare);
    return 0;
}

void gm_opcode_tally_free(gm_opcode_tally *tally)
{
    free(tally->row);
    *tally = (gm_opcode_tally){0};
}

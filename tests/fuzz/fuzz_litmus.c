/* Fuzz target: any bytes as a litmus test, of either format. A failure has a message; a test that
 * is read keeps its limits. */
#include "litmus/litmus.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const gm_litmus_test *test)
{
    for (unsigned warp = 0; warp < test->warps; warp++) {
        const gm_litmus_warp *program = &test->warp[warp];
        if (program->cta >= GM_LITMUS_MOST_WARPS || program->count > GM_LITMUS_MOST_OPERATIONS) {
            abort();
        }
        for (unsigned i = 0; i < program->count; i++) {
            const gm_litmus_operation *operation = &program->operation[i];
            if (operation->line >= GM_LITMUS_MOST_LINES || operation->word >= GM_LITMUS_WORDS ||
                operation->target >= GM_LITMUS_MOST_REGISTERS) {
                abort();
            }
        }
    }
    for (unsigned i = 0; i < test->nodes; i++) {
        const gm_litmus_node *node = &test->node[i];
        unsigned bound = node->kind == GM_LITMUS_IS ? test->terms : i;
        if (node->left >= bound || (node->kind > GM_LITMUS_NOT && node->right >= bound)) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (unsigned i = 0; i < 2; i++) {
        gm_litmus_test test;
        gm_error error = {0};
        char *text = calloc(1, size + 1);
        if (text == NULL) {
            return 0;
        }
        memcpy(text, data, size);
        int code = i == 0 ? gm_litmus_read_text("f", text, &test, &error)
                          : gm_litmus_read_ptx("f", text, &test, &error);
        free(text);
        if (code < 0 && error.text[0] == '\0') {
            abort();
        }
        if (code == 0) {
            check(&test);
        }
    }
    return 0;
}

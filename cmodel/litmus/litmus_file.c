/* Litmus tests: a file of either format. */
#include "litmus/litmus.h"

#include "goldmem/assert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16 };

/* Reads a file into text, which the caller frees. */
static int read_file(const char *path, char **text, gm_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    *text = calloc(1, MOST_BYTES + 1);
    if (*text == NULL) {
        fclose(file);
        return gm_fail(error, -ENOMEM, "out of memory: %s", path);
    }
    size_t length = fread(*text, 1, MOST_BYTES, file);
    int code = ferror(file) ? gm_fail_errno(error, path) : 0;
    if (code == 0 && (length == MOST_BYTES || strlen(*text) != length)) {
        code = gm_fail(error, -EINVAL, "%s: %s", path,
                       length == MOST_BYTES ? "longer than 65535 bytes" : "has a zero byte");
    }
    fclose(file);
    if (code < 0) {
        free(*text);
        *text = NULL;
    }
    return code;
}

int gm_litmus_read(const char *path, gm_litmus_test *test, gm_error *error)
{
    char *text = NULL;
    int code = read_file(path, &text, error);
    if (code < 0) {
        return code;
    }
    gm_assert(text != NULL, "%s: read, and no text", path);
    const char *first = text + strspn(text, " \t\r\n");
    bool ptx = (strncmp(first, "PTX", 3) == 0 || strncmp(first, "ptx", 3) == 0) &&
               strchr(" \t\r\n", first[3]) != NULL;
    code = ptx ? gm_litmus_read_ptx(path, text, test, error)
               : gm_litmus_read_text(path, text, test, error);
    free(text);
    return code;
}

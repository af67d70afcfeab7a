/* PGM files in text form (P2): makes and reads grey images. */
#include "workload/pgm.h"

#include "workload/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int gm_pgm_make(gm_pgm *image, uint32_t rows, uint32_t columns, gm_error *error)
{
    *image = (gm_pgm){rows, columns, NULL};
    image->pixel = malloc((size_t)rows * columns * sizeof *image->pixel);
    return image->pixel != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory for an image");
}

/* Reads the header and allocates the image. */
static int read_header(gm_pgm *image, int64_t *largest, gm_input_file *file, gm_error *error)
{
    if (strcmp(gm_input_file_line(file), "P2") != 0) {
        return gm_fail(error, -EINVAL, "%s:1: not a PGM image in text form (P2)", file->path);
    }
    while (file->at < file->length && file->bytes[file->at] == '#') {
        gm_input_file_line(file);
    }
    int64_t size[3] = {0};
    static const char *const what[] = {"width", "height", "largest value"};
    for (int i = 0; i < 3; i++) {
        int code =
            gm_input_file_integer(file, what[i], 2, i < 2 ? 1 << 14 : 65535, &size[i], error);
        if (code < 0) {
            return code;
        }
    }
    *largest = size[2];
    return gm_pgm_make(image, (uint32_t)size[1], (uint32_t)size[0], error);
}

static int read_pixels(gm_pgm *image, int64_t largest, gm_input_file *file, gm_error *error)
{
    size_t pixels = (size_t)image->rows * image->columns;
    int code = 0;
    for (size_t i = 0; code == 0 && i < pixels; i++) {
        int64_t pixel = 0;
        code = gm_input_file_integer(file, "pixel", 0, largest, &pixel, error);
        image->pixel[i] = (double)pixel / (double)largest;
    }
    return code;
}

int gm_pgm_read(gm_pgm *image, const char *path, gm_error *error)
{
    *image = (gm_pgm){0};
    gm_input_file file;
    int64_t largest = 0;
    int code = gm_input_file_load(&file, path, error);
    if (code == 0) {
        code = read_header(image, &largest, &file, error);
        if (code == 0) {
            code = read_pixels(image, largest, &file, error);
        }
        gm_input_file_free(&file);
    }
    return code;
}

void gm_pgm_free(gm_pgm *image)
{
    free(image->pixel);
    *image = (gm_pgm){0};
}

/* Profiles: the writer. */
#include "goldmem/output.h"
#include "policy/profile.h"
#include "policy/reference_counts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct gm_profile_writer {
    gm_output output;
    gm_reference_counts counts; /* of the kernel that is running */
    uint64_t kernels;           /* that have ended */
};

int gm_profile_writer_open(gm_profile_writer **writer, const char *path, const gm_config *config,
                           gm_error *error)
{
    *writer = calloc(1, sizeof **writer);
    if (*writer == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: a profile");
    }
    int code = gm_output_open(&(*writer)->output, path, error);
    if (code == 0) {
        fprintf((*writer)->output.file,
                "goldmem-profile 1\nl1.line %" PRIu64 "\ngpu.sms %" PRIu64 "\nsm.warps %" PRIu64
                "\n",
                config->l1.line, config->gpu.sms, config->sm.warps);
    }
    return code;
}

void gm_profile_count(gm_profile_writer *writer, uint64_t line, uint32_t sm)
{
    gm_reference_counts_add(&writer->counts, line, sm, 1);
}

static uint64_t count_lines(const gm_reference_counts *sorted)
{
    uint64_t lines = 0;
    for (uint64_t i = 0; i < sorted->used; i++) {
        lines += i == 0 || sorted->bucket[i].line != sorted->bucket[i - 1].line;
    }
    return lines;
}

int gm_profile_writer_kernel(gm_profile_writer *writer, const gm_kernel *kernel, gm_error *error)
{
    gm_reference_counts *counts = &writer->counts;
    FILE *file = writer->output.file;
    if (counts->failed != 0) {
        return gm_fail(error, counts->failed, "out of memory: the references of a profile");
    }
    gm_reference_counts_sort(counts);
    fprintf(file,
            "kernel %" PRIu64 " grid %" PRIu32 " %" PRIu32 " %" PRIu32 " block %" PRIu32 " %" PRIu32
            " %" PRIu32 " lines %" PRIu64,
            writer->kernels++, kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->block[0],
            kernel->block[1], kernel->block[2], count_lines(counts));
    for (uint64_t i = 0; i < counts->used; i++) {
        const gm_reference_count *count = &counts->bucket[i];
        if (i == 0 || count->line != counts->bucket[i - 1].line) {
            fprintf(file, "\n%" PRIx64, count->line);
        }
        fprintf(file, " %" PRIu32 ":%" PRIu32, count->sm, count->count);
    }
    putc('\n', file);
    gm_reference_counts_clear(counts);
    return 0;
}

int gm_profile_writer_commit(gm_profile_writer *writer, gm_error *error)
{
    fprintf(writer->output.file, "end %" PRIu64 "\n", writer->kernels);
    return gm_output_commit(&writer->output, error);
}

void gm_profile_writer_free(gm_profile_writer *writer)
{
    if (writer != NULL) {
        gm_output_discard(&writer->output);
        gm_reference_counts_free(&writer->counts);
        free(writer);
    }
}

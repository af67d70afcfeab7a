/* Profiles: the reader. Reads the whole file when it is opened, so that a bad file is refused
 * before the run begins; then again kernel by kernel, so that only one kernel's references are in
 * memory.
 */
#include "policy/profile.h"

#include "policy/profile_line.h"
#include "policy/reference_counts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A kernel's heading, and the position of its lines in the file. */
typedef struct heading {
    uint64_t grid[3], block[3];
    uint64_t lines;
    uint64_t number; /* of the heading's line in the file */
    off_t offset;    /* of the line after it */
} heading;

struct gm_profile {
    gm_profile_line line;
    char *path;
    gm_profile_filter filter;
    uint64_t threshold;
    uint64_t sms;
    uint64_t kernels, room;
    heading *kernel;                    /* [kernels] */
    gm_reference_counts local, overall; /* of the kernel begun: by SM, and over all (as SM 0) */
};

static int read_three(gm_profile_line *line, const char *word, uint64_t value[3], gm_error *error)
{
    int code = gm_profile_line_word(line, word, error);
    for (unsigned i = 0; code == 0 && i < 3; i++) {
        code = gm_profile_line_number(line, word, 10, ' ', 1, UINT32_MAX, &value[i], error);
    }
    return code;
}

/* Reads a key and requires the value of this run. */
static int read_key(gm_profile_line *line, const char *key, uint64_t here, gm_error *error)
{
    uint64_t there = 0;
    int code = gm_profile_line_next(line, key, error);
    code = code < 0 ? code : gm_profile_line_word(line, key, error);
    code =
        code < 0 ? code : gm_profile_line_number(line, key, 10, ' ', 1, UINT32_MAX, &there, error);
    code = code < 0 ? code : gm_profile_line_end(line, error);
    if (code == 0 && there != here) {
        char reason[80];
        snprintf(reason, sizeof reason, "this run has %s=%" PRIu64, key, here);
        return gm_profile_line_fail(line, key, there, reason, error);
    }
    return code;
}

static int read_head(gm_profile *profile, const gm_config *config, gm_error *error)
{
    gm_profile_line *line = &profile->line;
    int code = gm_profile_line_next(line, "'goldmem-profile 1'", error);
    if (code < 0) {
        return code;
    }
    uint64_t version = 0;
    code = gm_profile_line_word(line, "goldmem-profile", error);
    code =
        code < 0 ? code : gm_profile_line_number(line, "version", 10, ' ', 1, 1, &version, error);
    code = code < 0 ? code : gm_profile_line_end(line, error);
    code = code < 0 ? code : read_key(line, "l1.line", config->l1.line, error);
    code = code < 0 ? code : read_key(line, "gpu.sms", config->gpu.sms, error);
    return code < 0 ? code : read_key(line, "sm.warps", config->sm.warps, error);
}

/* Counts references of a line by an SM. */
static void count(gm_profile *profile, uint64_t address, uint64_t sm, uint64_t references)
{
    gm_reference_counts_add(&profile->local, address, (uint32_t)sm, (uint32_t)references);
    gm_reference_counts_add(&profile->overall, address, 0, (uint32_t)references);
}

/* Reads one line's references, and counts them if `counted`. *last: the line before, or UINT64_MAX.
 */
static int read_references(gm_profile *profile, bool counted, uint64_t *last, gm_error *error)
{
    gm_profile_line *line = &profile->line;
    uint64_t address = 0;
    int code = gm_profile_line_next(line, "a line's references", error);
    code = code < 0
               ? code
               : gm_profile_line_number(line, "line", 16, ' ', 0, UINT64_MAX - 1, &address, error);
    if (code == 0 && *last != UINT64_MAX && address <= *last) {
        return gm_fail(error, -EINVAL,
                       "%s:%" PRIu64 ": line '%" PRIx64 "': must be above the one before",
                       line->path, line->number, address);
    }
    *last = address;
    uint64_t next = 0; /* the least SM that may follow */
    do {
        uint64_t sm = 0;
        uint64_t references = 0;
        if (code == 0 && next >= profile->sms) {
            return gm_profile_line_end(line, error);
        }
        code = code < 0 ? code
                        : gm_profile_line_number(line, "SM", 10, ':', next, profile->sms - 1, &sm,
                                                 error);
        code = code < 0 ? code
                        : gm_profile_line_number(line, "references", 10, ' ', 1, UINT32_MAX,
                                                 &references, error);
        if (code == 0 && counted) {
            count(profile, address, sm, references);
        }
        next = sm + 1;
    } while (code == 0 && !gm_profile_line_ends(line));
    return code;
}

static int add_heading(gm_profile *profile, const heading *kernel, gm_error *error)
{
    if (profile->kernels == profile->room) {
        uint64_t room = profile->room != 0 ? 2 * profile->room : 16;
        struct heading *more = realloc(profile->kernel, room * sizeof *more);
        if (more == NULL) {
            return gm_fail(error, -ENOMEM, "%s: out of memory", profile->path);
        }
        profile->kernel = more;
        profile->room = room;
    }
    profile->kernel[profile->kernels++] = *kernel;
    return 0;
}

/* Reads a kernel from the second word of its heading on. */
static int read_kernel(gm_profile *profile, gm_error *error)
{
    gm_profile_line *line = &profile->line;
    heading kernel = {.number = line->number};
    uint64_t number = 0;
    uint64_t expected = profile->kernels;
    int code = gm_profile_line_number(line, "kernel", 10, ' ', expected, expected, &number, error);
    code = code < 0 ? code : read_three(line, "grid", kernel.grid, error);
    code = code < 0 ? code : read_three(line, "block", kernel.block, error);
    code = code < 0 ? code : gm_profile_line_word(line, "lines", error);
    code = code < 0 ? code
                    : gm_profile_line_number(line, "lines", 10, ' ', 0, UINT64_MAX, &kernel.lines,
                                             error);
    code = code < 0 ? code : gm_profile_line_end(line, error);
    kernel.offset = ftello(line->file);
    code = code < 0 ? code : add_heading(profile, &kernel, error);
    uint64_t last = UINT64_MAX;
    for (uint64_t i = 0; code == 0 && i < kernel.lines; i++) {
        code = read_references(profile, false, &last, error);
    }
    return code;
}

/* Reads "end" and the number of kernels. Requires that nothing follows. */
static int read_end(gm_profile *profile, gm_error *error)
{
    gm_profile_line *line = &profile->line;
    uint64_t kernels = 0;
    int code = gm_profile_line_number(line, "end", 10, ' ', profile->kernels, profile->kernels,
                                      &kernels, error);
    code = code < 0 ? code : gm_profile_line_end(line, error);
    if (code == 0 && getc(line->file) != EOF) {
        return gm_profile_line_fail(line, "end", kernels, "must be the last line", error);
    }
    return code;
}

static int read_all(gm_profile *profile, const gm_config *config, gm_error *error)
{
    gm_profile_line *line = &profile->line;
    int code = read_head(profile, config, error);
    while (code == 0) {
        code = gm_profile_line_next(line, "a kernel, or 'end'", error);
        if (code == 0 && gm_profile_line_has(line, "end")) {
            return read_end(profile, error);
        }
        code = code < 0 ? code : gm_profile_line_word(line, "kernel", error);
        code = code < 0 ? code : read_kernel(profile, error);
    }
    return code;
}

int gm_profile_open(gm_profile **into, const gm_config *config, gm_error *error)
{
    const char *path = config->l1.profile;
    gm_profile *profile = *into = calloc(1, sizeof *profile);
    if (profile == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    profile->path = strdup(path);
    if (profile->path == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    errno = 0;
    profile->line = (gm_profile_line){.path = profile->path, .file = fopen(path, "r")};
    if (profile->line.file == NULL) {
        return gm_fail_errno(error, path);
    }
    profile->filter = config->l1.profile_filter;
    profile->threshold = config->l1.profile_threshold;
    profile->sms = config->gpu.sms;
    return read_all(profile, config, error);
}

void gm_profile_close(gm_profile *profile)
{
    if (profile == NULL) {
        return;
    }
    if (profile->line.file != NULL) {
        fclose(profile->line.file);
    }
    free(profile->line.text);
    free(profile->path);
    free(profile->kernel);
    gm_reference_counts_free(&profile->local);
    gm_reference_counts_free(&profile->overall);
    free(profile);
}

static int check_shape(const gm_profile *profile, const heading *there, const gm_kernel *here,
                       gm_error *error)
{
    for (unsigned i = 0; i < 3; i++) {
        if (there->grid[i] != here->grid[i] || there->block[i] != here->block[i]) {
            return gm_fail(error, -EINVAL,
                           "%s:%" PRIu64 ": grid %" PRIu64 " %" PRIu64 " %" PRIu64 " block %" PRIu64
                           " %" PRIu64 " %" PRIu64 ": this run's kernel %.80s has grid %" PRIu32
                           " %" PRIu32 " %" PRIu32 " block %" PRIu32 " %" PRIu32 " %" PRIu32,
                           profile->path, there->number, there->grid[0], there->grid[1],
                           there->grid[2], there->block[0], there->block[1], there->block[2],
                           here->name, here->grid[0], here->grid[1], here->grid[2], here->block[0],
                           here->block[1], here->block[2]);
        }
    }
    return 0;
}

int gm_profile_kernel(gm_profile *profile, uint64_t number, const gm_kernel *kernel,
                      gm_error *error)
{
    if (number >= profile->kernels) {
        return gm_fail(error, -EINVAL, "%s: the profile has %" PRIu64 " kernels; this run has more",
                       profile->path, profile->kernels);
    }
    const heading *heading = &profile->kernel[number];
    int code = check_shape(profile, heading, kernel, error);
    gm_reference_counts_clear(&profile->local);
    gm_reference_counts_clear(&profile->overall);
    profile->line.number = heading->number;
    if (code == 0 && fseeko(profile->line.file, heading->offset, SEEK_SET) != 0) {
        return gm_fail_errno(error, profile->path);
    }
    uint64_t last = UINT64_MAX;
    for (uint64_t i = 0; code == 0 && i < heading->lines; i++) {
        code = read_references(profile, true, &last, error);
    }
    if (code == 0 && (profile->local.failed != 0 || profile->overall.failed != 0)) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", profile->path);
    }
    return code;
}

bool gm_profile_keeps(const gm_profile *profile, uint64_t line, uint32_t sm)
{
    uint64_t own =
        profile->filter != GM_PROFILE_BOTH ? gm_reference_counts_get(&profile->local, line, sm) : 0;
    uint64_t all = profile->filter != GM_PROFILE_LOCAL
                       ? gm_reference_counts_get(&profile->overall, line, 0)
                       : 0;
    switch (profile->filter) {
    case GM_PROFILE_LOCAL:
        return own >= profile->threshold;
    case GM_PROFILE_GLOBAL:
        return all - own >= profile->threshold;
    case GM_PROFILE_BOTH:
        break;
    }
    return all >= profile->threshold;
}

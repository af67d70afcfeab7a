#include "cli/rtl.h"

#include "goldmem/bits.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK_BYTES = 64, INDEX_BYTES = 110, OPTIONS_BYTES = 256 };

static const char *const level_names[GM_RTL_LEVELS] = {"l1", "l2"};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* goldmem-rtl-BLOCK.so in the folder of this program. */
static int load(gm_rtl_loop *loop, const char *block, gm_error *error)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - BLOCK_BYTES - 32);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    size_t used = slash == NULL ? 0 : (size_t)(slash - path);
    snprintf(path + used, sizeof path - used, "/goldmem-rtl-%s.so", block);
    if (access(path, R_OK) != 0) {
        return gm_fail(error, -ENOENT,
                       "--rtl=%s: %s is not there; in the source folder, `make rtl` builds it for "
                       "each block that has RTL",
                       block, path);
    }
    const gm_rtl_plugin *(*plugin)(void) = NULL;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object != NULL) {
        *(void **)&plugin = dlsym(object, "gm_rtl_plugin_here");
    }
    if (plugin == NULL) {
        return gm_fail(error, -EINVAL, "--rtl=%s: %s", block, dlerror());
    }
    loop->plugin = plugin();
    return 0;
}

/* A level's set_index as the options of its cosimulation, which count 7 line-offset bits. */
static int describe_set_index(char *options, size_t size, const char *index, uint64_t sets,
                              uint64_t line, gm_error *error)
{
    static const char matrix[] = "matrix:";
    char path[PATH_MAX];
    bool file = strncmp(index, matrix, strlen(matrix)) == 0;
    if (file && realpath(index + strlen(matrix), path) == NULL) {
        return gm_fail_errno(error, index + strlen(matrix));
    }
    int length =
        snprintf(options, size, "sets=%llu index=%s%s address_bits=%u", (unsigned long long)sets,
                 file ? matrix : index, file ? path : "", 64 - gm_log2_floor(line) + 7);
    if (strlen(file ? path : index) > INDEX_BYTES || length < 0 || (size_t)length >= size) {
        return gm_fail(error, -EINVAL, "%s: more than %d characters", file ? path : index,
                       INDEX_BYTES);
    }
    return 0;
}

static int open_level(gm_rtl_loop *loop, unsigned level, const gm_config *config, const char *file,
                      gm_error *error)
{
    bool l1 = level == 0;
    uint64_t sets = l1 ? gm_config_l1_sets(config) : gm_config_l2_sets(config);
    char options[OPTIONS_BYTES];
    if (sets == 1) {
        return 0; /* fully associative */
    }
    int code = describe_set_index(options, sizeof options, l1 ? config->l1.index : config->l2.index,
                                  sets, l1 ? config->l1.line : config->l2.line, error);
    gm_error reason;
    if (code == 0) {
        code = loop->plugin->open(&loop->rtl[level], level_names[level], options, file, &reason);
        if (code < 0) {
            gm_fail(error, code, "--rtl=%s: %s (%s): %s", loop->plugin->block, level_names[level],
                    options, reason.text);
        }
    }
    loop->observer[level] = (gm_observer){loop->rtl[level], loop->plugin->call};
    return code;
}

int gm_rtl_loop_open(gm_rtl_loop *loop, const char *text, const gm_config *config,
                     gm_run_options *options, gm_error *error)
{
    size_t length = strcspn(text, ":");
    const char *file = text[length] == '\0' ? NULL : text + length + 1;
    char block[BLOCK_BYTES];
    snprintf(block, sizeof block, "%.*s", (int)length, text);
    if (strcmp(block, "set_index") != 0) {
        return gm_fail(error, -EINVAL, "--rtl: no block '%s' with RTL; there is set_index", block);
    }
    int code = load(loop, block, error);
    for (unsigned level = 0; code == 0 && level < GM_RTL_LEVELS; level++) {
        code = open_level(loop, level, config, file, error);
    }
    /* Both levels in one thread, so that the time that the RTL takes can be told from the rest. */
    options->threads = options->threads < 2 ? options->threads : 2;
    options->l1_set_index = loop->rtl[0] != NULL ? &loop->observer[0] : NULL;
    options->l2_set_index = loop->rtl[1] != NULL ? &loop->observer[1] : NULL;
    loop->start = seconds();
    return code;
}

int gm_rtl_loop_failed(const gm_rtl_loop *loop, gm_error *error)
{
    int code = 0;
    for (unsigned level = 0; code == 0 && level < GM_RTL_LEVELS; level++) {
        if (loop->rtl[level] != NULL) {
            code = loop->plugin->failed(loop->rtl[level], error);
        }
    }
    return code;
}

int gm_rtl_loop_finish(gm_rtl_loop *loop, bool quiet, gm_error *error)
{
    if (loop->plugin == NULL) {
        return 0;
    }
    gm_rtl_counts counts[GM_RTL_LEVELS] = {0};
    int code = 0;
    for (unsigned level = 0; code == 0 && level < GM_RTL_LEVELS; level++) {
        if (loop->rtl[level] != NULL) {
            code = loop->plugin->finish(loop->rtl[level], &counts[level], error);
        }
    }
    if (code == 0 && !quiet) {
        double took = seconds() - loop->start;
        double rtl = counts[0].seconds + counts[1].seconds;
        fprintf(stderr,
                "goldmem: the RTL of %s agrees: %llu calls of the L1s, %llu of the L2 banks; the "
                "run took %.2f s, %.2f s of it in the RTL: %.1f times as long\n",
                loop->plugin->block, (unsigned long long)counts[0].calls,
                (unsigned long long)counts[1].calls, took, rtl, took / (took - rtl));
    }
    return code;
}

void gm_rtl_loop_close(gm_rtl_loop *loop)
{
    for (unsigned level = 0; level < GM_RTL_LEVELS; level++) {
        if (loop->rtl[level] != NULL) {
            loop->plugin->close(loop->rtl[level]);
            loop->rtl[level] = NULL;
        }
    }
}

/* RTL in the loop: loads a plug-in for each block and sets it as the observer of the block in a
 * run. */
#include "cli/rtl_loop.h"

#include "cli/rtl_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OPTIONS_BYTES = 320, NAME_BYTES = 48 };

/* Of a name that is no block's, MOST_NAME characters at most. */
enum { MOST_NAME = 64 };
#define BLOCK_IN_LIST(number, name, runs) " " name ","
static const char no_block[] = "--rtl: no block '%.*s' with RTL; there are" GM_RTL_BLOCK_LIST(
    BLOCK_IN_LIST) " where a run has them (goldmem run --help)";
_Static_assert(sizeof no_block + MOST_NAME <= GM_ERROR_TEXT, "names of blocks would be cut");

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Loads goldmem-rtl-BLOCK.so. Returns 0 or a negative errno value. */
static int load(gm_rtl_block *loaded, const char *block, gm_error *error)
{
    char path[PATH_MAX];
    int code = gm_rtl_plugin_find(path, block, error);
    if (code < 0) {
        return code;
    }
    const gm_rtl_plugin *(*plugin)(void) = NULL;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object != NULL) {
        *(void **)&plugin = dlsym(object, "gm_rtl_plugin_here");
    }
    if (plugin == NULL) {
        return gm_fail(error, -EINVAL, "--rtl=%s: %s", block, dlerror());
    }
    loaded->plugin = plugin();
    return 0;
}

static int open_instance(const gm_rtl_plugin *plugin, gm_rtl_level *level, uint32_t number,
                         const char *name, const char *options, const char *file, gm_error *error)
{
    gm_error reason;
    int code = number == 0 ? plugin->open(&level->rtl[0], name, options, file, &reason)
                           : plugin->another(&level->rtl[number], level->rtl[0], name, &reason);
    level->observer[number] = (gm_observer){level->rtl[number], plugin->call};
    return code < 0 ? gm_fail(error, code, "--rtl=%s: %s (%s): %s", plugin->block, name, options,
                              reason.text)
                    : 0;
}

/* Builds and opens a level's instances of a block, as many as the configuration has. */
static int open_level(gm_rtl_loop *loop, gm_rtl_block_number block, unsigned number,
                      const gm_config *config, const char *file, gm_error *error)
{
    const gm_rtl_plugin *plugin = loop->block[block].plugin;
    gm_rtl_level *level = &loop->block[block].level[number];
    uint32_t count = gm_rtl_block_instances(block, config, number);
    char options[OPTIONS_BYTES];
    if (count == 0 || plugin == NULL) {
        return 0;
    }
    int code = gm_rtl_block_options(options, sizeof options, block, config, number, error);
    if (code < 0) {
        return code;
    }
    level->rtl = calloc(count, sizeof(gm_rtl *));
    level->observer = calloc(count, sizeof *level->observer);
    if (level->rtl == NULL || level->observer == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: --rtl=%s", gm_rtl_block_names[block]);
    }
    level->count = count;
    for (uint32_t i = 0; code == 0 && i < count; i++) {
        char name[NAME_BYTES];
        gm_rtl_block_instance_name(name, sizeof name, block, config, number, i);
        code = open_instance(plugin, level, i, name, options, file, error);
    }
    return code;
}

/* Opens one block of the list: BLOCK or BLOCK:FILE, in `text`, which is cut in two. */
static int open_block(gm_rtl_loop *loop, char *text, gm_engine engine, const gm_config *config,
                      const gm_run_options *options, gm_error *error)
{
    char *file = strchr(text, ':');
    if (file != NULL) {
        *file++ = '\0';
    }
    unsigned block = 0;
    while (block < GM_RTL_BLOCKS && strcmp(text, gm_rtl_block_names[block]) != 0) {
        block++;
    }
    if (block == GM_RTL_BLOCKS) {
        return gm_fail(error, -EINVAL, no_block, MOST_NAME, text);
    }
    if (loop->block[block].plugin != NULL) {
        return gm_fail(error, -EINVAL, "--rtl: %s is there twice", text);
    }
    if (file != NULL && *file == '\0') {
        return gm_fail(error, -EINVAL, "--rtl=%s: no file is named behind the ':'", text);
    }
    int code = gm_rtl_block_may_check(block, engine, config, options->resume != NULL, error);
    code = code < 0 ? code : load(&loop->block[block], text, error);
    for (unsigned level = 0; code == 0 && level < GM_RTL_LEVELS; level++) {
        code = open_level(loop, block, level, config, file, error);
    }
    return code;
}

/* Returns the observers of a level's instances of a block; NULL if it is not checked there. */
static const gm_observer *observer(const gm_rtl_loop *loop, gm_rtl_block_number block,
                                   unsigned level)
{
    return loop->block[block].level[level].observer;
}

/* Makes the RTL the observers of the run's blocks. */
static void observe(const gm_rtl_loop *loop, gm_run_options *options)
{
    options->l1_set_index = observer(loop, GM_RTL_SET_INDEX, GM_RTL_L1);
    options->l2_set_index = observer(loop, GM_RTL_SET_INDEX, GM_RTL_L2);
    options->tracker_set_index = observer(loop, GM_RTL_SET_INDEX, GM_RTL_TRACKERS);
    options->l1_mshr = observer(loop, GM_RTL_MSHR, GM_RTL_L1);
    options->l2_mshr = observer(loop, GM_RTL_MSHR, GM_RTL_L2);
    options->l1_tag_store = observer(loop, GM_RTL_TAG_STORE, GM_RTL_L1);
    options->l1_replacement = observer(loop, GM_RTL_REPLACEMENT, GM_RTL_L1);
    options->l2_replacement = observer(loop, GM_RTL_REPLACEMENT, GM_RTL_L2);
    options->sm_dueling = observer(loop, GM_RTL_SM_DUELING, GM_RTL_L1);
    options->contention_bypass = observer(loop, GM_RTL_CONTENTION_BYPASS, GM_RTL_L1);
    options->l1_sharing_lru = observer(loop, GM_RTL_SHARING_LRU, GM_RTL_L1);
    options->l2_sharing_lru = observer(loop, GM_RTL_SHARING_LRU, GM_RTL_L2);
    options->atomic_buffer = observer(loop, GM_RTL_ATOMIC_BUFFER, GM_RTL_L2);
    options->warp_limiter = observer(loop, GM_RTL_WARP_LIMITER, GM_RTL_L1);
    options->l1_stream_gate = observer(loop, GM_RTL_STREAM_GATE, GM_RTL_L1);
    options->l2_stream_gate = observer(loop, GM_RTL_STREAM_GATE, GM_RTL_L2);
    options->cores_sampling = observer(loop, GM_RTL_CORES_SAMPLING, GM_RTL_L1);
    options->cta_queues = observer(loop, GM_RTL_CTA_QUEUES, GM_RTL_L1);
    options->sharing_tracker = observer(loop, GM_RTL_SHARING_TRACKER, GM_RTL_TRACKERS);
    options->victim_tags = observer(loop, GM_RTL_VICTIM_TAGS, GM_RTL_L1);
    options->locality_score = observer(loop, GM_RTL_LOCALITY_SCORE, GM_RTL_L1);
    options->gwct = observer(loop, GM_RTL_GWCT, GM_RTL_L1);
    options->tc_l1 = observer(loop, GM_RTL_TC_L1, GM_RTL_L1);
    options->tc_l2 = observer(loop, GM_RTL_TC_L2, GM_RTL_L2);
    options->lease_store = observer(loop, GM_RTL_LEASE_STORE, GM_RTL_L2);
    options->lifetime_predictor = observer(loop, GM_RTL_LIFETIME_PREDICTOR, GM_RTL_L2);
}

int gm_rtl_loop_open(gm_rtl_loop *loop, const char *text, gm_engine engine, const gm_config *config,
                     gm_run_options *options, gm_error *error)
{
    char *list = strdup(text);
    if (list == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: --rtl=%s", text);
    }
    int code = 0;
    char *rest = list;
    while (code == 0 && rest != NULL) {
        char *item = strsep(&rest, ",");
        code = open_block(loop, item, engine, config, options, error);
    }
    free(list);
    /* All levels in one thread, so that the RTL's time can be measured apart. */
    options->threads = options->threads < 2 ? options->threads : 2;
    observe(loop, options);
    loop->start = seconds();
    return code;
}

/* Checks each instance of all blocks, up to the first mismatch. */
int gm_rtl_loop_failed(const gm_rtl_loop *loop, gm_error *error)
{
    int code = 0;
    for (unsigned b = 0; b < GM_RTL_BLOCKS; b++) {
        const gm_rtl_block *block = &loop->block[b];
        for (unsigned l = 0; block->plugin != NULL && l < GM_RTL_LEVELS; l++) {
            for (uint32_t i = 0; code == 0 && i < block->level[l].count; i++) {
                code = block->plugin->failed(block->level[l].rtl[i], error);
            }
        }
    }
    return code;
}

/* Drains the RTL of a level, and adds up its calls and time. */
static int finish_level(const gm_rtl_block *block, unsigned level, gm_rtl_counts *sum,
                        gm_error *error)
{
    int code = 0;
    for (uint32_t i = 0; code == 0 && i < block->level[level].count; i++) {
        gm_rtl_counts counts = {0};
        code = block->plugin->finish(block->level[level].rtl[i], &counts, error);
        sum->calls += counts.calls;
        sum->cycles += counts.cycles;
        sum->seconds += counts.seconds;
    }
    return code;
}

int gm_rtl_loop_finish(gm_rtl_loop *loop, bool quiet, gm_error *error)
{
    gm_rtl_counts sum[GM_RTL_BLOCKS][GM_RTL_LEVELS] = {0};
    double all = 0; /* seconds in RTL */
    int code = 0;
    for (unsigned b = 0; b < GM_RTL_BLOCKS; b++) {
        for (unsigned l = 0; code == 0 && l < GM_RTL_LEVELS; l++) {
            code = finish_level(&loop->block[b], l, &sum[b][l], error);
            all += sum[b][l].seconds;
        }
    }
    double took = seconds() - loop->start;
    for (unsigned b = 0; code == 0 && !quiet && b < GM_RTL_BLOCKS; b++) {
        if (loop->block[b].plugin != NULL) {
            char trackers[64] = "";
            if (loop->block[b].level[GM_RTL_TRACKERS].count != 0) {
                snprintf(trackers, sizeof trackers, ", %llu of the trackers",
                         (unsigned long long)sum[b][GM_RTL_TRACKERS].calls);
            }
            fprintf(stderr,
                    "goldmem: the RTL of %s agrees: %llu calls of the L1s, %llu of the L2 banks%s; "
                    "the run took %.2f s, %.2f s of it in the RTL: %.1f times as long\n",
                    gm_rtl_block_names[b], (unsigned long long)sum[b][GM_RTL_L1].calls,
                    (unsigned long long)sum[b][GM_RTL_L2].calls, trackers, took, all,
                    took / (took - all));
        }
    }
    return code;
}

void gm_rtl_loop_close(gm_rtl_loop *loop)
{
    for (unsigned b = 0; b < GM_RTL_BLOCKS; b++) {
        gm_rtl_block *block = &loop->block[b];
        for (unsigned l = 0; l < GM_RTL_LEVELS; l++) {
            for (uint32_t i = 0; i < block->level[l].count; i++) {
                block->plugin->close(block->level[l].rtl[i]);
            }
            free(block->level[l].rtl);
            free(block->level[l].observer);
        }
        *block = (gm_rtl_block){0};
    }
}

/* goldmem run --rtl: blocks whose calls in the run are checked against their RTL. */
#ifndef GOLDMEM_CLI_RTL_LOOP_H
#define GOLDMEM_CLI_RTL_LOOP_H

#include "cli/rtl_blocks.h"
#include "goldmem/rtl.h"

/* Instances of a block's RTL (gm_rtl_block_instances). */
typedef struct gm_rtl_level {
    uint32_t count; /* 0: makes no calls */
    gm_rtl **rtl;
    gm_observer *observer;
} gm_rtl_level;

typedef struct gm_rtl_block {
    const gm_rtl_plugin *plugin; /* NULL: not checked */
    gm_rtl_level level[GM_RTL_LEVELS];
} gm_rtl_block;

typedef struct gm_rtl_loop {
    gm_rtl_block block[GM_RTL_BLOCKS];
    double start; /* of the run, in seconds of the monotonic clock */
} gm_rtl_loop;

/* `text`: "BLOCK" or "BLOCK:FILE", FILE being SystemVerilog in place of the block's own, or several
 * with commas between them. Loads the plug-ins, builds the RTL for the configuration unless it is
 * built already, and sets the observers of `options`. Returns 0, -EINVAL, -ENOENT or -ENOMEM. */
int gm_rtl_loop_open(gm_rtl_loop *loop, const char *text, gm_engine engine, const gm_config *config,
                     gm_run_options *options, gm_error *error);

/* Returns 0, or -EPROTO with the difference. Called at intervals during a run. */
int gm_rtl_loop_failed(const gm_rtl_loop *loop, gm_error *error);

/* After the run: drains and checks the RTL, and prints, unless quiet, a line on stderr with calls
 * and time. Returns 0 or a negative errno value. */
int gm_rtl_loop_finish(gm_rtl_loop *loop, bool quiet, gm_error *error);

void gm_rtl_loop_close(gm_rtl_loop *loop);

#endif

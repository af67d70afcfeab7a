/* goldmem run --rtl: blocks whose calls in the run are checked against their RTL. */
#ifndef GOLDMEM_CLI_RTL_H
#define GOLDMEM_CLI_RTL_H

#include "goldmem/config.h"
#include "goldmem/engine.h"
#include "goldmem/rtl.h"

enum { GM_RTL_LEVELS = 2 }; /* places where a block is used: L1s and L2 banks */

typedef struct gm_rtl_loop {
    const gm_rtl_plugin *plugin; /* NULL: not asked for */
    gm_rtl *rtl[GM_RTL_LEVELS];  /* NULL: makes no calls */
    gm_observer observer[GM_RTL_LEVELS];
    double start; /* of the run, in seconds of the monotonic clock */
} gm_rtl_loop;

/* `text`: "BLOCK" or "BLOCK:FILE", FILE being SystemVerilog in place of the block's own. Loads the
 * plug-in, has the RTL built for the configuration where it is not yet, and sets the observers of
 * `options`. -EINVAL, -ENOENT, -ENOMEM. */
int gm_rtl_loop_open(gm_rtl_loop *loop, const char *text, const gm_config *config,
                     gm_run_options *options, gm_error *error);

/* 0, or -EPROTO with what differs. Now and then during a run. */
int gm_rtl_loop_failed(const gm_rtl_loop *loop, gm_error *error);

/* After the run: checks what is left and prints, unless quiet, a line on stderr: calls and time. */
int gm_rtl_loop_finish(gm_rtl_loop *loop, bool quiet, gm_error *error);

void gm_rtl_loop_close(gm_rtl_loop *loop);

#endif

/* RTL in the loop: the plug-in goldmem-rtl-NAME.so, which checks the calls of block NAME in a run
 * against the block's RTL. The command loads it when --rtl asks for it; docs/rtl-in-the-loop.md. */
#ifndef GOLDMEM_RTL_H
#define GOLDMEM_RTL_H

#include "goldmem/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One instance of the RTL and the calls that it has not yet answered. */
typedef struct gm_rtl gm_rtl;

typedef struct gm_rtl_counts {
    uint64_t calls;  /* answered equally by the RTL */
    uint64_t cycles; /* of the RTL's clock */
    double seconds;  /* of the RTL's simulation */
} gm_rtl_counts;

/* The interface of the plug-in. */
typedef struct gm_rtl_plugin {
    const char *block;
    /* Makes an instance of the block with these options ("sets=32 index=ipoly:37 address_bits=64"),
     * called `name` in messages; builds the RTL if there is no build yet. `file`: SystemVerilog in
     * place of rtl/NAME.sv, or NULL. Returns 0, -EINVAL, -ENOENT or -ENOMEM; the RTL's tools print
     * why they refuse a file. */
    int (*open)(gm_rtl **rtl, const char *name, const char *options, const char *file,
                gm_error *error);
    /* Makes one more instance of `like`, for a block with state that a run has several of. */
    int (*another)(gm_rtl **rtl, const gm_rtl *like, const char *name, gm_error *error);
    /* The gm_observer's call, with `rtl` as its context. Does nothing after a failure. */
    void (*call)(void *rtl, const uint64_t *request, const uint64_t *response);
    /* Returns -EPROTO once the RTL has differed, with call, fields and values; else 0. Any thread
     * may call it. */
    int (*failed)(const gm_rtl *rtl, gm_error *error);
    /* Lets the RTL answer the remaining calls. Returns 0 or -EPROTO. */
    int (*finish)(gm_rtl *rtl, gm_rtl_counts *counts, gm_error *error);
    void (*close)(gm_rtl *rtl);
} gm_rtl_plugin;

/* The only symbol of the plug-in. */
const gm_rtl_plugin *gm_rtl_plugin_here(void);

#ifdef __cplusplus
}
#endif

#endif

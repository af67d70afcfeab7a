/* RTL in the loop: the plug-in goldmem-rtl-NAME.so, which checks the calls of block NAME in a run
 * against the block's RTL. The command loads it when --rtl asks for it; docs/rtl-in-the-loop.md. */
#ifndef GOLDMEM_RTL_H
#define GOLDMEM_RTL_H

#include "goldmem/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One instance of the RTL with the calls that it still has to answer. */
typedef struct gm_rtl gm_rtl;

typedef struct gm_rtl_counts {
    uint64_t calls;  /* answered by the RTL, and equal */
    uint64_t cycles; /* of the RTL's clock */
    double seconds;  /* that the RTL took */
} gm_rtl_counts;

/* What the plug-in exports. */
typedef struct gm_rtl_plugin {
    const char *block;
    /* An instance of the block with these options ("sets=32 index=ipoly:37 address_bits=64"),
     * called `name` in messages; built when it is not there yet. `file`: SystemVerilog in place of
     * rtl/NAME.sv, or NULL. -EINVAL, -ENOENT, -ENOMEM; the RTL's tools print why they refuse it. */
    int (*open)(gm_rtl **rtl, const char *name, const char *options, const char *file,
                gm_error *error);
    /* One more instance of the same RTL, for a block with state that a run has several of. */
    int (*another)(gm_rtl **rtl, const gm_rtl *like, const char *name, gm_error *error);
    /* One call, as a gm_observer's; `rtl` is its context. Nothing more happens after a failure. */
    void (*call)(void *rtl, const uint64_t *request, const uint64_t *response);
    /* -EPROTO once the RTL has differed, with call, fields and values; else 0. From any thread. */
    int (*failed)(const gm_rtl *rtl, gm_error *error);
    /* Lets the RTL answer what is left; 0 or -EPROTO. */
    int (*finish)(gm_rtl *rtl, gm_rtl_counts *counts, gm_error *error);
    void (*close)(gm_rtl *rtl);
} gm_rtl_plugin;

/* The one symbol of the plug-in. */
const gm_rtl_plugin *gm_rtl_plugin_here(void);

#ifdef __cplusplus
}
#endif

#endif

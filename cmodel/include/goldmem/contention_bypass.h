/* Contention bypass [anssari, 3.3]: decides whether a load instruction bypasses the L1: if it
 * touches more than one line, and as many as a warp's share of the L1 or more. RTL:
 * rtl/contention_bypass.sv; page: docs/blocks/contention_bypass.md. */
#ifndef GOLDMEM_CONTENTION_BYPASS_H
#define GOLDMEM_CONTENTION_BYPASS_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/contention_bypass.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_CONTENTION_BYPASS_TOUCHED = 4095, /* at most */
    GM_CONTENTION_BYPASS_WARPS = 256,
    GM_CONTENTION_BYPASS_LINES = (1 << 24) - 1,
};

typedef struct gm_contention_bypass_parameters {
    unsigned touched; /* most lines that an instruction touches; 64: two for each thread */
    unsigned warps;   /* most warps of an SM; 64 [anssari, Table 4.1] */
    unsigned lines;   /* most lines of an L1; 512 [anssari, Table 4.1: 64 KB of 128-byte lines] */
} gm_contention_bypass_parameters;

/* The block has no state. */
typedef struct gm_contention_bypass {
    gm_contention_bypass_parameters parameters;
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_contention_bypass;

GM_PORTS_STRUCTS(contention_bypass, CONTENTION_BYPASS)

/* Returns 0, or -EINVAL, which names the parameter that is out of range. */
int gm_contention_bypass_init(gm_contention_bypass *bypass,
                              const gm_contention_bypass_parameters *parameters, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths. */
gm_contention_bypass_response gm_contention_bypass_access(const gm_contention_bypass *bypass,
                                                          gm_contention_bypass_request request);

#ifdef __cplusplus
}
#endif

#endif

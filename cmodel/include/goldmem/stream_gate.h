/* Stream gate [khairy, 4.1]: counts the accesses and misses of a cache in each sampling period, and
 * closes the cache when nearly all accesses miss. While it is closed its tags are kept up to date
 * and the counts go on, so that it opens when the accesses would hit again. RTL:
 * rtl/stream_gate.sv; page: docs/blocks/stream_gate.md. */
#ifndef GOLDMEM_STREAM_GATE_H
#define GOLDMEM_STREAM_GATE_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/stream_gate.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_stream_gate_parameters {
    unsigned count_bits; /* of the counts of a period, 1 to 20; 14 (a modelling choice) */
    unsigned threshold;  /* miss rate [%], 1 to 100; 90 [khairy, Table 4] */
    unsigned least; /* accesses of a period that decides, 1 to 2^count_bits - 1; 64 (a modelling
                       choice) */
} gm_stream_gate_parameters;

typedef struct gm_stream_gate {
    gm_stream_gate_parameters parameters;
    uint32_t accesses, misses; /* of the period so far */
    bool closed;
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_stream_gate;

GM_PORTS_STRUCTS(stream_gate, STREAM_GATE)

/* Begins open, with counts of 0. Returns 0, or -EINVAL, which names the parameter that is out of
 * range. */
int gm_stream_gate_init(gm_stream_gate *gate, const gm_stream_gate_parameters *parameters,
                        gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths. */
gm_stream_gate_response gm_stream_gate_access(gm_stream_gate *gate, gm_stream_gate_request request);

/* Returns 0 when the counts are within their bits, and no more misses than accesses. Else
 * -EINVAL. */
int gm_stream_gate_check(const gm_stream_gate *gate, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif

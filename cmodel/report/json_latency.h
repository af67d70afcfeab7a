/* The member "latency" of the JSON report. */
#ifndef GOLDMEM_REPORT_JSON_LATENCY_H
#define GOLDMEM_REPORT_JSON_LATENCY_H

#include "goldmem/latency.h"

#include <jansson.h>

/* Returns the histograms that are not empty: an object for each kind, with one for each source. */
json_t *gm_json_latencies(const gm_latencies *latencies);

#endif

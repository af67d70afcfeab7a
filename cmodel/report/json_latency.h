/* The member "latency" of the JSON report. */
#ifndef GOLDMEM_REPORT_JSON_LATENCY_H
#define GOLDMEM_REPORT_JSON_LATENCY_H

#include "goldmem/latency.h"

#include <jansson.h>

/* Returns a histogram: count, sum, percentiles, buckets. ORs a failure into *bad. */
json_t *gm_json_latency_histogram(const gm_latency_histogram *histogram, int *bad);

/* Returns the histograms that are not empty: an object for each kind, with one for each source. */
json_t *gm_json_latencies(const gm_latencies *latencies);

#endif

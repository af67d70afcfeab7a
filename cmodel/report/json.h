/* What the JSON report's files share: building values with jansson. Each returns a new reference,
 * or NULL when out of memory. */
#ifndef GOLDMEM_REPORT_JSON_H
#define GOLDMEM_REPORT_JSON_H

#include "goldmem/analysis.h"

#include <jansson.h>

/* Counters stay below 2^63. */
json_t *gm_json_count(uint64_t value);

/* Bytes that are not UTF-8 become '?'. */
json_t *gm_json_text(const char *text);

/* The results of the analyses that were made; with `kernel`, what they say of the last kernel. */
json_t *gm_json_analysis(const gm_analysis_results *results, bool kernel);

#endif

/* The member "analysis" of the JSON report (docs/analyses.md). */
#ifndef GOLDMEM_REPORT_JSON_ANALYSIS_H
#define GOLDMEM_REPORT_JSON_ANALYSIS_H

#include "goldmem/analysis.h"

#include <jansson.h>

/* The results of the analyses that were made; with `kernel`, only what they say of the last kernel.
 * Returns a new reference, or NULL when out of memory. */
json_t *gm_json_analysis(const gm_analysis_results *results, bool kernel);

#endif

/* The member "analysis" of the JSON report (docs/analyses.md). */
#ifndef GOLDMEM_REPORT_JSON_ANALYSIS_H
#define GOLDMEM_REPORT_JSON_ANALYSIS_H

#include "goldmem/analysis.h"

#include <jansson.h>

/* Returns the results of the run's analyses, with `kernel` those of the last kernel only, as a new
 * reference, or NULL if out of memory. */
json_t *gm_json_analysis(const gm_analysis_results *results, bool kernel);

#endif

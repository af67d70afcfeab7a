/* JSON report: what a sampled run knows of its estimates. */
#ifndef GOLDMEM_REPORT_JSON_SAMPLE_H
#define GOLDMEM_REPORT_JSON_SAMPLE_H

#include "goldmem/sample.h"

#include <jansson.h>

/* Return new references, or NULL when out of memory. `sample` of a kernel, and of the run. */
json_t *gm_json_sample(const gm_sample_estimate *estimate);
json_t *gm_json_sample_of_run(const gm_sample_results *sample);

/* Returns the JSON Schema of either. */
json_t *gm_json_sample_schema(void);

#endif

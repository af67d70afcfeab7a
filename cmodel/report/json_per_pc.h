/* The member "per_pc" of the JSON report. */
#ifndef GOLDMEM_REPORT_JSON_PER_PC_H
#define GOLDMEM_REPORT_JSON_PER_PC_H

#include "goldmem/per_pc.h"

#include <jansson.h>

/* Returns an array of an object for each instruction. */
json_t *gm_json_per_pc(const gm_pc_profile *profile);

#endif

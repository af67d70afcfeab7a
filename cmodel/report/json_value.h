/* JSON values of jansson from counters and texts. Each function returns a new reference, or NULL
 * when out of memory. */
#ifndef GOLDMEM_REPORT_JSON_VALUE_H
#define GOLDMEM_REPORT_JSON_VALUE_H

#include "goldmem/config.h"

#include <jansson.h>
#include <stdint.h>

/* Requires a counter below 2^63. */
json_t *gm_json_count(uint64_t value);

/* Makes a string, in which bytes that are not UTF-8 become '?'. */
json_t *gm_json_text(const char *text);

/* Makes the value of a key: a boolean, a number (sizes in bytes), or text. */
json_t *gm_json_config_value(const gm_config *config, const gm_key *key);

#endif

/* goldmem run --sample and --sample-error. */
#ifndef GOLDMEM_CLI_SAMPLE_ARGUMENT_H
#define GOLDMEM_CLI_SAMPLE_ARGUMENT_H

#include "goldmem/sample.h"

#include <argp.h>
#include <stdbool.h>

/* Parses "ctas:SHARE" with or without ",seed=N"; SHARE is "10%" or "0.1". Refuses anything else. */
error_t gm_sample_parse(gm_sample_options *options, const char *text,
                        const struct argp_state *state);

/* Parses a percentage above 0, such as "2%" or "2", into a share. */
error_t gm_sample_parse_error(double *share, const char *text, const struct argp_state *state);

/* Prints a line and returns false if the interval of the cycles is wider than `most`, a share of
 * the estimate on each side. */
bool gm_sample_is_good(const gm_sample_results *sample, double most);

#endif

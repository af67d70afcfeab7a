/* Names of the policies of replacement in the options of lockstep instances. */
#ifndef GOLDMEM_COSIM_STIMULUS_POLICY_H
#define GOLDMEM_COSIM_STIMULUS_POLICY_H

#include "cosim.h"

#include "goldmem/replacement.h"

#include <errno.h>
#include <string.h>

static const char *const policy_names[] = {"lru", "srrip", "ship"};

/* Reads the policy of option `name`; LRU without the option. */
static int parse_policy(const char *options, const char *name, gm_replacement_policy *policy,
                        gm_error *error)
{
    char text[16] = "lru";
    gm_cosim_option(options, name, text, sizeof text);
    for (unsigned i = 0; i < sizeof policy_names / sizeof *policy_names; i++) {
        if (strcmp(text, policy_names[i]) == 0) {
            *policy = (gm_replacement_policy)i;
            return 0;
        }
    }
    return gm_fail(error, -EINVAL, "%s=%s: must be lru, srrip or ship", name, text);
}

#endif

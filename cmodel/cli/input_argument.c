/* The argument INPUT of several subcommands. */
#include "cli/input_argument.h"

#include "goldmem/trace.h"
#include "goldmem/workload.h"

#include <string.h>

error_t gm_cli_parse_unknown(bool *ignore, const char *argument, const struct argp_state *state)
{
    *ignore = strcmp(argument, "ignore") == 0;
    if (!*ignore && strcmp(argument, "refuse") != 0) {
        return gm_cli_refuse(state, "--unknown: '%s' is neither refuse nor ignore", argument);
    }
    return 0;
}

error_t gm_cli_parse_input(int key, char *argument, const struct argp_state *state,
                           const char **input)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (*input != NULL) {
            return gm_cli_refuse(state, "unexpected argument '%s'", argument);
        }
        *input = argument;
        return 0;
    case ARGP_KEY_END:
        return *input != NULL ? 0 : gm_cli_refuse(state, "no INPUT");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int gm_cli_open_source(gm_source **source, const char *input, gm_error *error)
{
    static const char prefix[] = "workload:";
    return strncmp(input, prefix, sizeof prefix - 1) == 0
               ? gm_workload_open(source, input + sizeof prefix - 1, error)
               : gm_trace_open(source, input, error);
}

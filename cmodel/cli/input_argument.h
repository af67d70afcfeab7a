/* The argument INPUT of several subcommands: parses it and opens the source that it names. */
#ifndef GOLDMEM_CLI_INPUT_ARGUMENT_H
#define GOLDMEM_CLI_INPUT_ARGUMENT_H

#include "cli/cli.h"
#include "goldmem/source.h"

/* For help texts. */
#define GM_CLI_INPUT_DOC                                                                           \
    "INPUT is a kernelslist.g, a folder with one, a folder of kernel files, one kernel file, or "  \
    "workload:NAME[,OPTION=VALUE]..."

/* For the parser functions of commands with the one argument INPUT: takes the argument; refuses
 * none and more than one. */
error_t gm_cli_parse_input(int key, char *argument, const struct argp_state *state,
                           const char **input);

/* --unknown=ignore: instructions of unknown opcodes execute without their accesses. */
enum { GM_CLI_KEY_UNKNOWN = 0x2000 };
#define GM_CLI_UNKNOWN_OPTION                                                                      \
    {                                                                                              \
        .name = "unknown", .key = GM_CLI_KEY_UNKNOWN, .arg = "WHAT",                               \
        .doc = "of an opcode with addresses that is not known: refuse (default), or ignore its "   \
               "accesses and count it"                                                             \
    }
error_t gm_cli_parse_unknown(bool *ignore, const char *argument, const struct argp_state *state);

/* Opens the input that the user named: "workload:NAME,..." or a trace. Returns 0 or a negative
 * errno value. */
int gm_cli_open_source(gm_source **source, const char *input, gm_error *error);

#endif

/* The argument INPUT of several subcommands: how it is parsed, and what it opens. */
#ifndef GOLDMEM_CLI_INPUT_ARGUMENT_H
#define GOLDMEM_CLI_INPUT_ARGUMENT_H

#include "cli/cli.h"
#include "goldmem/source.h"

/* For help texts. */
#define GM_CLI_INPUT_DOC                                                                           \
    "INPUT is a kernelslist.g, a folder with one, a folder of kernel files, one kernel file, or "  \
    "workload:NAME[,OPTION=VALUE]..."

/* For the parser functions of commands whose one argument is INPUT: takes it, and refuses a second
 * one and none at all. */
error_t gm_cli_parse_input(int key, char *argument, const struct argp_state *state,
                           const char **input);

/* --unknown=ignore: opcodes that are not known go on without their accesses. */
enum { GM_CLI_KEY_UNKNOWN = 0x2000 };
#define GM_CLI_UNKNOWN_OPTION                                                                      \
    {                                                                                              \
        .name = "unknown", .key = GM_CLI_KEY_UNKNOWN, .arg = "WHAT",                               \
        .doc = "of an opcode with addresses that is not known: refuse (default), or ignore its "   \
               "accesses and count it"                                                             \
    }
error_t gm_cli_parse_unknown(bool *ignore, const char *argument, const struct argp_state *state);

/* Opens what the user named as input: "workload:NAME,..." or a trace. */
int gm_cli_open_source(gm_source **source, const char *input, gm_error *error);

#endif

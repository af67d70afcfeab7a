/* The goldmem command: its subcommands and what they share. A subcommand is a function in the file
 * of its name and a row in the table of main.c. */
#ifndef GOLDMEM_CLI_CLI_H
#define GOLDMEM_CLI_CLI_H

#include "goldmem/error.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of every subcommand. */
enum {
    GM_EXIT_OK = 0,
    GM_EXIT_FAILED = 1, /* a mismatch, a broken invariant, a failed run */
    GM_EXIT_USAGE = 2,  /* bad input or usage */
    GM_EXIT_INTERRUPTED = 130,
};

/* Prints one line on stderr, "PROGRAM: REASON", where PROGRAM is goldmem or goldmem-cosim. Returns
 * `status`. */
int gm_cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints an error of the library as gm_cli_fail does. Returns the exit code for the error's code.
 */
int gm_cli_error(const gm_error *error);

/* For the parser functions of argp: prints the reason and where help is. Returns the value that the
 * parser function must return, which tells gm_cli_parse that the line is printed. */
int gm_cli_refuse(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* For the parser functions of argp: parses the value of `option`, a number of at least 1, with K, M
 * or G for 10^3, 10^6 or 10^9. Returns 0 or what gm_cli_refuse returns. */
error_t gm_cli_parse_count(uint64_t *count, const char *option, const char *text,
                           const struct argp_state *state);

/* Parses a subcommand's arguments into `input`. argv[0] is the subcommand as the user writes it,
 * "goldmem run". --help and --usage print and exit. Returns 0 or an exit code; on failure one line
 * has been printed. */
int gm_cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* A subcommand: argv[0] is its full name, "goldmem run". Returns the exit code. */
typedef struct gm_subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help; /* one line */
} gm_subcommand;

/* A command that only has subcommands. argv[0] is its full name; argv[1] picks one, whose argv[0]
 * becomes its full name; --help lists them after `summary`. */
typedef struct gm_command_group {
    const char *summary;
    const gm_subcommand *subcommands;
    size_t count;
} gm_command_group;
int gm_cli_dispatch(const gm_command_group *group, int argc, char **argv);

/* Subcommands. */
int gm_cli_compare(int argc, char **argv);
int gm_cli_docs(int argc, char **argv);
int gm_cli_gates(int argc, char **argv);
int gm_cli_index(int argc, char **argv);
int gm_cli_litmus(int argc, char **argv);
int gm_cli_presets(int argc, char **argv);
int gm_cli_report(int argc, char **argv);
int gm_cli_run(int argc, char **argv);
int gm_cli_sweep(int argc, char **argv);
int gm_cli_trace(int argc, char **argv);
int gm_cli_trace_info(int argc, char **argv);
int gm_cli_workloads(int argc, char **argv);

#endif

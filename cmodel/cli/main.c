/* The goldmem command: picks a subcommand. */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run_help(int argc, char **argv);

/* To add a subcommand, add its prototype in cli.h, its file NAME.c, and a row. */
static const gm_subcommand subcommands[] = {
    {"run", gm_cli_run, "run kernels through a memory system and report what it did"},
    {"sweep", gm_cli_sweep, "run inputs under combinations of keys; one table of results"},
    {"compare", gm_cli_compare, "compare runs: which cycles and counters changed"},
    {"report", gm_cli_report, "write an HTML page of runs, with charts"},
    {"litmus", gm_cli_litmus, "run litmus tests and count their outcomes"},
    {"workloads", gm_cli_workloads, "list the built-in workloads, or the options of one"},
    {"presets", gm_cli_presets, "list the presets, or show one as YAML"},
    {"trace", gm_cli_trace, "look at, check and convert traces"},
    {"index", gm_cli_index, "map addresses through set-index functions; equations, strides"},
    {"gates", gm_cli_gates, "count and minimise the XOR gates of a set-index function"},
    {"docs", gm_cli_docs, "print a reference page"},
    {"help", run_help, "show this list, or the help of a subcommand"},
};

static const gm_command_group goldmem = {
    "A bit-accurate model of a GPU memory system.",
    subcommands,
    sizeof subcommands / sizeof subcommands[0],
};

/* Runs "goldmem help X" as "goldmem X --help". */
static int run_help(int argc, char **argv)
{
    char name[] = "goldmem";
    char option[] = "--help";
    char *arguments[] = {name, argc > 1 ? argv[1] : option, option, NULL};
    return gm_cli_dispatch(&goldmem, argc > 1 ? 3 : 2, arguments);
}

/* Closes standard output at exit, and reports text that a full disk or a closed pipe has lost. */
static void close_output(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        _exit(
            gm_cli_fail(GM_EXIT_FAILED, "standard output: %s", strerror(errno != 0 ? errno : EIO)));
    }
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* makes a file-size limit an error, as a full disk is */
    if (atexit(close_output) != 0) {
        return gm_cli_fail(GM_EXIT_FAILED, "out of memory");
    }
    if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        puts("goldmem " GM_VERSION);
        return GM_EXIT_OK;
    }
    char name[] = "goldmem";
    if (argc > 0) {
        argv[0] = name; /* whatever name the program was started under */
    }
    return gm_cli_dispatch(&goldmem, argc, argv);
}

/* Command groups: goldmem itself, and the subcommands that group several. */
#include "cli/cli.h"

#include "goldmem/nearest.h"

#include <stdio.h>
#include <string.h>

static int print_list(const gm_command_group *group, const char *title)
{
    printf("Usage: %s SUBCOMMAND [ARGUMENT...]\n\n%s\n\nSubcommands:\n", title, group->summary);
    for (size_t i = 0; i < group->count; i++) {
        printf("  %-10s %s\n", group->subcommands[i].name, group->subcommands[i].help);
    }
    printf(
        "\n'%s SUBCOMMAND --help' tells more.\n"
        "Exit status: 0 done; 1 a failed run, a mismatch or a broken law; 2 bad input or usage.\n",
        title);
    return GM_EXIT_OK;
}

static int refuse(const gm_command_group *group, const char *title, const char *name)
{
    const char *nearest =
        gm_nearest(name, &group->subcommands[0].name, group->count, sizeof group->subcommands[0]);
    if (nearest != NULL) {
        return gm_cli_fail(GM_EXIT_USAGE, "no subcommand '%s'; did you mean '%s'?", name, nearest);
    }
    return gm_cli_fail(GM_EXIT_USAGE, "no subcommand '%s'; try '%s --help'", name, title);
}

int gm_cli_dispatch(const gm_command_group *group, int argc, char **argv)
{
    if (argc < 2) {
        return gm_cli_fail(GM_EXIT_USAGE, "no subcommand; try '%s --help'",
                           argc > 0 ? argv[0] : "goldmem");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return print_list(group, argv[0]);
    }
    for (size_t i = 0; i < group->count; i++) {
        const gm_subcommand *subcommand = &group->subcommands[i];
        if (strcmp(subcommand->name, argv[1]) == 0) {
            char title[64];
            snprintf(title, sizeof title, "%s %s", argv[0], subcommand->name);
            argv[1] = title;
            return subcommand->run(argc - 1, argv + 1);
        }
    }
    return refuse(group, argv[0], argv[1]);
}

/* goldmem presets: lists the presets, or shows one as YAML. */
#include "cli/cli.h"
#include "goldmem/config.h"
#include "goldmem/energy.h"

#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *name; /* NULL: list */
    unsigned given;   /* positional arguments */
    bool cited;
    bool energy;
} arguments;

static const struct argp_option options[] = {
    {"cited", 'c', NULL, 0, "Show the preset as written, with the citation of each value", 0},
    {"energy", 'e', NULL, 0,
     "Show the built-in table of energy constants as written; a file for energy.table has its keys",
     0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    arguments *own = state->input;
    switch (key) {
    case 'c':
        own->cited = true;
        return 0;
    case 'e':
        own->energy = true;
        return 0;
    case ARGP_KEY_ARG:
        if (own->given == 0 && strcmp(argument, "show") == 0) {
            own->given = 1;
            return 0;
        }
        if (own->name != NULL) {
            return gm_cli_refuse(state, "one preset at a time: '%s' is one too many", argument);
        }
        own->given = 2;
        own->name = argument;
        return 0;
    case ARGP_KEY_END:
        if (own->given == 1 || (own->cited && own->name == NULL)) {
            return gm_cli_refuse(state, "no preset named");
        }
        if (own->energy && (own->given != 0 || own->cited)) {
            return gm_cli_refuse(state, "--energy and a preset exclude each other");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void list(void)
{
    unsigned count = 0;
    const gm_preset *presets = gm_presets(&count);
    for (unsigned i = 0; i < count; i++) {
        printf("%-24s%s\n", presets[i].name, presets[i].description);
    }
}

/* Prints a preset's file with its citations. Requires that the preset exists. */
static void print_cited(const char *name)
{
    unsigned count = 0;
    const gm_preset *presets = gm_presets(&count);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(presets[i].name, name) == 0) {
            fputs(presets[i].yaml, stdout);
        }
    }
}

static void print_energy(void)
{
    unsigned count = 0;
    const gm_preset *tables = gm_energy_presets(&count);
    fputs(count > 0 ? tables[0].yaml : "", stdout); /* the others have some of its keys */
}

int gm_cli_presets(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "[[show] NAME]",
        "Lists the presets, or prints one as YAML that goldmem run -c takes: every key in force.",
        0,
        0,
        0};
    arguments own = {0};
    int status = gm_cli_parse(&argp, argc, argv, &own);
    if (status != 0) {
        return status;
    }
    if (own.energy) {
        print_energy();
        return GM_EXIT_OK;
    }
    if (own.name == NULL) {
        list();
        return GM_EXIT_OK;
    }
    gm_config config;
    gm_error error = {0};
    if (gm_config_preset(&config, own.name, &error) < 0) {
        return gm_cli_error(&error);
    }
    if (own.cited) {
        print_cited(own.name);
    } else {
        gm_config_write_yaml(&config, stdout);
    }
    return GM_EXIT_OK;
}

/* goldmem docs: the reference pages that are made from the code's own tables. */
#include "cli/cli.h"

#include "goldmem/config.h"
#include "goldmem/energy.h"
#include "goldmem/report.h"

#include <stdio.h>
#include <string.h>

typedef struct page {
    const char *name;
    void (*write)(FILE *file);
} page;

/* To add a page, add a row: `make docs` and its test read the table. Names without an ending are of
 * Markdown. */
static const page pages[] = {
    {"configuration", gm_config_write_page},
    {"energy", gm_energy_write_page},
    {"statistics", gm_report_statistics_page},
    {"schema/run.schema.json", gm_report_schema},
};

enum { PAGES = sizeof pages / sizeof pages[0] };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    const page **chosen = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*chosen != NULL) {
            return gm_cli_refuse(state, "unexpected argument '%s'", argument);
        }
        for (size_t i = 0; i < PAGES; i++) {
            *chosen = strcmp(pages[i].name, argument) == 0 ? &pages[i] : *chosen;
        }
        return *chosen != NULL ? 0 : gm_cli_refuse(state, "no page '%s'", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int gm_cli_docs(int argc, char **argv)
{
    const struct argp argp = {
        .parser = parse,
        .args_doc = "[PAGE]",
        .doc = "Print a reference page as Markdown, or a JSON Schema; or the names of all pages, a "
               "line each."
               "\vExample:\n  goldmem docs statistics"};
    const page *chosen = NULL;
    int status = gm_cli_parse(&argp, argc, argv, &chosen);
    for (size_t i = 0; status == GM_EXIT_OK && chosen == NULL && i < PAGES; i++) {
        puts(pages[i].name);
    }
    if (chosen != NULL) {
        chosen->write(stdout);
    }
    return status;
}

/* goldmem workloads: lists the built-in workloads, or the options of one. */
#include "cli/cli.h"

#include "goldmem/nearest.h"
#include "goldmem/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const gm_workload_description *find(const char *name)
{
    unsigned count = 0;
    const gm_workload_description *const *all = gm_workloads(&count);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}

static error_t refuse(const struct argp_state *state, const char *name)
{
    const char *names[256];
    unsigned count = 0;
    const gm_workload_description *const *all = gm_workloads(&count);
    unsigned kept = 0;
    for (; kept < count && kept < sizeof names / sizeof names[0]; kept++) {
        names[kept] = all[kept]->name;
    }
    const char *nearest = gm_nearest(name, names, kept, sizeof names[0]);
    if (nearest != NULL) {
        return gm_cli_refuse(state, "no workload '%s'; did you mean '%s'?", name, nearest);
    }
    return gm_cli_refuse(state, "no workload '%s'", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    const gm_workload_description **chosen = state->input;
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    if (*chosen != NULL) {
        return gm_cli_refuse(state, "unexpected argument '%s'", argument);
    }
    static const char prefix[] = "workload:";
    if (strncmp(argument, prefix, sizeof prefix - 1) == 0) {
        argument += sizeof prefix - 1;
    }
    *chosen = find(argument);
    return *chosen != NULL ? 0 : refuse(state, argument);
}

static void print_all(void)
{
    unsigned count = 0;
    const gm_workload_description *const *all = gm_workloads(&count);
    for (unsigned i = 0; i < count; i++) {
        printf("%-14s %s\n", all[i]->name, all[i]->summary);
    }
}

static void print_one(const gm_workload_description *workload)
{
    printf("%s: %s\nfrom %s\n\noptions:\n", workload->name, workload->summary, workload->origin);
    for (const gm_workload_option *option = workload->options; option->name != NULL; option++) {
        printf("  %-10s %s ", option->name, option->description);
        if (option->is_path) {
            puts("(a file)");
        } else {
            printf("(%" PRId64 " to %" PRId64 "; default %" PRId64 ")\n", option->low, option->high,
                   option->initial);
        }
    }
}

int gm_cli_workloads(int argc, char **argv)
{
    const struct argp argp = {.parser = parse,
                              .args_doc = "[NAME]",
                              .doc = "List the built-in workloads, or the options of one."
                                     "\vExamples:\n  goldmem workloads\n  goldmem workloads syrk\n"
                                     "  goldmem run workload:syrk,n=256"};
    const gm_workload_description *chosen = NULL;
    int status = gm_cli_parse(&argp, argc, argv, &chosen);
    if (status == GM_EXIT_OK && chosen == NULL) {
        print_all();
    } else if (status == GM_EXIT_OK) {
        print_one(chosen);
    }
    return status;
}

/* Runs many mutants of the RTL in one build, selected by an input of the top: each runs until it is
 * caught or has had its share of transactions. Mutant 0 is the unmodified RTL. */
#include "engine.h"

#include <errno.h>
#include <string.h>

/* Runs one mutant from reset. Returns 1 if it is caught, 0 if it survives. */
static int run_one(gm_run *run, uint32_t mutant, uint64_t transactions, gm_error *error)
{
    run->failure = (gm_failure){0};
    run->mutant = mutant;
    uint64_t share = (transactions + run->lanes - 1) / run->lanes;
    for (uint64_t episode = 0; share > 0; episode++) {
        uint64_t most = gm_limits_episode(run, episode);
        uint64_t now = share < most ? share : most;
        int code = gm_run_episode(run, episode, now, NULL, error);
        if (code < 0 || run->failure.stop != GM_STOP_END) {
            return code < 0 ? code : 1;
        }
        share -= now;
    }
    return 0;
}

/* Prints which assertion a mutant made fire, without the C model's comparison: "mutant 7: a_tag".
 */
static void print_assertion(FILE *file, const gm_run *run, uint32_t mutant)
{
    const char *name = strstr(run->dut->assertion, ".sva.");
    if (run->alone && mutant > 0 && name != NULL) {
        name += strlen(".sva.");
        fprintf(file, "mutant %u: %.*s\n", mutant, (int)strcspn(name, ": "), name);
    }
}

int gm_mutants_run(gm_run *run, FILE *file, uint32_t mutants, uint64_t transactions,
                   gm_error *error)
{
    uint32_t caught = 0;
    if (run->dut->mutant == NULL) {
        return gm_fail(error, -EINVAL, "--mutants: not a mutation build: make mutation makes them");
    }
    run->netlist = true;
    uint32_t by[GM_STOP_COVERAGE + 1] = {0};
    for (uint32_t mutant = 0; mutant <= mutants; mutant++) {
        int code = run_one(run, mutant, transactions, error);
        if (code < 0) {
            return code;
        }
        if (mutant == 0 && code != 0) {
            return gm_fail(error, -EINVAL, "the unchanged RTL fails: %s %s",
                           gm_stop_name(run->failure.stop), run->failure.kind);
        }
        print_assertion(file, run, mutant);
        if (mutant > 0 && code == 0 && !run->alone) {
            fprintf(file, "survivor %u\n", mutant);
        }
        caught += (uint32_t)code;
        by[run->failure.stop] += (uint32_t)code;
    }
    run->failure = (gm_failure){0};
    fprintf(file, "%s: %u mutants, %u caught (%u by mismatch, %u by assertion, %u by time-out)\n",
            run->ports->block, mutants, caught, by[GM_STOP_MISMATCH], by[GM_STOP_ASSERTION],
            by[GM_STOP_TIMEOUT]);
    return 0;
}

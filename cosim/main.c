/* goldmem-cosim: runs one block's RTL in lockstep with its C model. Exit status: 0 end, 1 mismatch,
 * 2 bad input, 3 assertion, 4 time-out, 5 stopped by the user, 6 a cover point, a line, or
 * what the self-check wants was never reached. */
#include "cli/cli.h"
#include "engine.h"
#include "goldmem/output.h"

#include <argp.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct arguments {
    const char *block, *build, *replay, *bundle, *wave, *coverage;
    uint64_t transactions, seed, mutants;
    char wanted[GM_COSIM_OPTIONS];
    bool alone;
} arguments;

enum { KEY_ALONE = 256, KEY_BUILD, KEY_BUNDLE, KEY_COVERAGE, KEY_MUTANTS, KEY_REPLAY, KEY_WAVE };

static const char description[] =
    "Runs a block's RTL in lockstep with its C model.\v"
    "Exit status: 0 all agreed, 1 mismatch, 2 bad input, 3 an assertion fired, 4 time-out, "
    "5 interrupted, 6 a cover point or line was never reached.\n\n"
    "Examples:\n"
    "  goldmem-cosim set_index --transactions 10000000 --seed 7 --set sets=32\n"
    "  goldmem-cosim set_index --replay failure/stimulus.txt --wave all.fst";

static const struct argp_option options[] = {
    {"transactions", 'n', "N", 0,
     "over all instances, and for the default one half as many (default 1000000)", 0},
    {"seed", 's', "S", 0, "of the random stimulus (default 1)", 0},
    {"set", 'o', "NAME=VALUE", 0, "only the instances with this option; repeatable", 0},
    {"replay", KEY_REPLAY, "FILE", 0, "the transactions in FILE instead of random ones", 0},
    {"bundle", KEY_BUNDLE, "FOLDER", 0, "where a failure is described (default BLOCK-failure)", 0},
    {"wave", KEY_WAVE, "FILE", 0,
     "waveform of the whole run (FST), in FILE, FILE.1, ...: one for each episode", 0},
    {"coverage", KEY_COVERAGE, "FILE", 0,
     "for a coverage build: counts to FILE; fail when a cover point or a line has none", 0},
    {"build", KEY_BUILD, "FILE", 0, "the built RTL (default cosim/BLOCK.so beside this program)",
     0},
    {"mutants", KEY_MUTANTS, "N", 0, "for a mutation build: try mutants 1 to N", 0},
    {"alone", KEY_ALONE, NULL, 0, "the RTL with its assertions only, to measure its speed", 0},
    {0},
};

static error_t number(const char *text, const struct argp_state *state, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || *text == '-') {
        return gm_cli_refuse(state, "'%s' is not a number", text);
    }
    return 0;
}

/* A number that is at least 1: a run of nothing would pass. */
static error_t count(const char *option, const char *text, const struct argp_state *state,
                     uint64_t *value)
{
    error_t code = number(text, state, value);
    return code != 0 || *value != 0 ? code
                                    : gm_cli_refuse(state, "%s 0: must be at least 1", option);
}

static error_t add_option(arguments *a, const char *text, const struct argp_state *state)
{
    size_t used = strlen(a->wanted);
    if (strchr(text, '=') == NULL || used + strlen(text) + 2 > sizeof a->wanted) {
        return gm_cli_refuse(state, "'%s' is not NAME=VALUE", text);
    }
    snprintf(a->wanted + used, sizeof a->wanted - used, "%s%s", used > 0 ? " " : "", text);
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'n':
        return count("--transactions", text, state, &a->transactions);
    case 's':
        return number(text, state, &a->seed);
    case 'o':
        return add_option(a, text, state);
    case KEY_REPLAY:
        a->replay = text;
        return 0;
    case KEY_BUNDLE:
        a->bundle = text;
        return 0;
    case KEY_WAVE:
        a->wave = text;
        return 0;
    case KEY_COVERAGE:
        a->coverage = text;
        return 0;
    case KEY_MUTANTS:
        return count("--mutants", text, state, &a->mutants);
    case KEY_BUILD:
        a->build = text;
        return 0;
    case KEY_ALONE:
        a->alone = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->block != NULL) {
            return gm_cli_refuse(state, "one block at a time: '%s' is one too many", text);
        }
        a->block = text;
        return 0;
    case ARGP_KEY_END:
        return a->block != NULL ? 0 : gm_cli_refuse(state, "no BLOCK");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* Loads the built RTL of a block: `build`, by default cosim/BLOCK.so in the folder of this program.
 */
static int load(const arguments *a, const gm_cosim_plugin_table **table, gm_error *error)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    size_t used = slash == NULL ? 0 : (size_t)(slash - path);
    snprintf(path + used, sizeof path - used, "/cosim/%s.so", a->block);
    const char *build = a->build != NULL ? a->build : path;
    if (access(build, R_OK) != 0) {
        return gm_fail(error, -ENOENT, "%s: not built; make cosim BLOCK=%s builds it", build,
                       a->block);
    }
    char *whole = realpath(build, NULL); /* dlopen searches elsewhere for a name without '/' */
    void *object = whole != NULL ? dlopen(whole, RTLD_NOW | RTLD_LOCAL) : NULL;
    free(whole);
    const gm_cosim_plugin_table *(*plugin)(void) = NULL;
    if (object != NULL) {
        *(void **)&plugin = dlsym(object, "gm_cosim_plugin");
    }
    if (plugin == NULL) {
        return gm_fail(error, -EINVAL, "%s", dlerror());
    }
    *table = plugin();
    const char *block = (*table)->block->ports->block;
    return strcmp(block, a->block) == 0
               ? 0
               : gm_fail(error, -EINVAL, "%s: is a build of %s", build, block);
}

/* Runs episodes until every instance has had its share. Returns the number of the last episode. */
static int run_random(gm_run *run, const arguments *a, uint64_t *episode, gm_error *error)
{
    int code = gm_shares_plan(run, a->transactions, error);
    for (*episode = 0; code == 0 && gm_shares_next(run, *episode); ++*episode) {
        code = gm_run_shares(run, *episode, error);
        if (code < 0 || run->failure.stop != GM_STOP_END) {
            return code;
        }
    }
    return code;
}

static int run_replay(gm_run *run, const arguments *a, gm_error *error)
{
    gm_stimulus list = {.seed = a->seed};
    unsigned lane = 0;
    int code = gm_replay_read(a->replay, run->plugin, &lane, &list, error);
    if (code < 0) {
        return code;
    }
    gm_run alone = {.seed = a->seed, .trace_path = a->wave, .trace_to = UINT64_MAX};
    code = gm_run_open(&alone, run->plugin, run->plugin->options[lane], error);
    if (code == 0) {
        code = gm_examine(&alone, &list, error);
    }
    run->failure = alone.failure;
    run->transactions = alone.transactions;
    run->cycle = alone.cycle;
    gm_run_close(&alone);
    gm_stimulus_free(&list);
    return code;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int describe_failure(gm_run *run, const arguments *a, uint64_t episode, gm_error *error)
{
    char folder[256];
    snprintf(folder, sizeof folder, "%s-failure", run->ports->block);
    const char *bundle = a->bundle != NULL ? a->bundle : folder;
    int code = 0;
    if (a->replay == NULL) {
        code = gm_report_bundle(bundle, run, episode, error);
    }
    gm_report_failure(stdout, run->plugin, &run->failure);
    if (a->replay == NULL && code == 0) {
        printf("  seed %llu; report, waveform and stimulus in %s; run again with\n"
               "  goldmem-cosim %s%s%s --replay %s/stimulus.txt\n",
               (unsigned long long)a->seed, bundle, a->block, a->build != NULL ? " --build " : "",
               a->build != NULL ? a->build : "", bundle);
    }
    return code;
}

static int simulate(gm_run *run, const arguments *a, gm_error *error)
{
    uint64_t episode = 0;
    double start = seconds();
    run->interrupted = &interrupted;
    run->trace_path = a->wave;
    run->trace_to = UINT64_MAX;
    int code = a->replay != NULL || a->alone ? 0 : gm_self_check_open(run, error);
    if (code == 0) {
        code = a->replay != NULL ? run_replay(run, a, error) : run_random(run, a, &episode, error);
    }
    double took = seconds() - start;
    if (code < 0) {
        return code;
    }
    if (run->failure.stop == GM_STOP_END && run->check != NULL &&
        !gm_self_check_report(stdout, run)) {
        run->failure.stop = GM_STOP_COVERAGE;
    }
    gm_stop stop = run->failure.stop;
    if (stop == GM_STOP_MISMATCH || stop == GM_STOP_ASSERTION || stop == GM_STOP_TIMEOUT) {
        code = describe_failure(run, a, episode, error);
    }
    printf("%s: %s: %u instances, %llu transactions, %llu cycles, %.2f s, "
           "%.2f million transactions/s, %.3f million cycles/s\n",
           run->ports->block, gm_stop_name(stop), a->replay != NULL ? 1 : run->lanes,
           (unsigned long long)run->transactions, (unsigned long long)run->cycle, took,
           1e-6 * (double)run->transactions / took, 1e-6 * (double)run->cycle / took);
    return code;
}

/* Does the run and, on request, reports the coverage. */
static int run_block(const gm_cosim_plugin_table *plugin, const arguments *a, gm_stop *stop,
                     gm_error *error)
{
    gm_run run = {.seed = a->seed, .alone = a->alone};
    int code = gm_run_open(&run, plugin, a->wanted, error);
    if (code == 0) {
        code = a->mutants > 0
                   ? gm_mutants_run(&run, stdout, (uint32_t)a->mutants, a->transactions, error)
                   : simulate(&run, a, error);
        *stop = run.failure.stop;
    }
    if (code == 0 && (*stop == GM_STOP_END || *stop == GM_STOP_COVERAGE) && a->coverage != NULL) {
        plugin->coverage(run.dut, a->coverage);
        code = gm_coverage_report(stdout, a->coverage, plugin->block->ports->block, stop, error);
    }
    *stop = code < 0 && *stop == GM_STOP_END ? GM_STOP_USAGE : *stop;
    gm_run_close(&run);
    return code;
}

/* Checks before the run that a file can be written. A link or a device would be removed by the
 * waveform's writer, and counts are read back. */
static int check_file(const char *path, gm_error *error)
{
    struct stat status;
    if (path == NULL) {
        return 0;
    }
    if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return gm_fail(error, -EINVAL, "%s: is no regular file", path);
    }
    return gm_output_check(path, error);
}

/* Returns the exit status: 2 if all agreed but standard output lost text, as on a full disk. */
static int finish(gm_stop stop)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return (int)stop;
    }
    stop = stop == GM_STOP_END ? GM_STOP_USAGE : stop;
    return gm_cli_fail((int)stop, "standard output: %s", strerror(errno != 0 ? errno : EIO));
}

int main(int argc, char **argv)
{
    arguments a = {.transactions = 1000000, .seed = 1};
    char name[] = "goldmem-cosim";
    struct argp argp = {options, parse, "BLOCK", description, NULL, NULL, NULL};
    argv[0] = name;
    int status = gm_cli_parse(&argp, argc, argv, &a);
    if (status != 0) {
        return status;
    }
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* makes a file-size limit an error, as a full disk is */

    gm_error error = {0};
    const gm_cosim_plugin_table *plugin = NULL;
    int code = load(&a, &plugin, &error);
    code = code < 0 ? code : check_file(a.wave, &error);
    code = code < 0 ? code : check_file(a.coverage, &error);
    gm_stop stop = GM_STOP_USAGE;
    if (code == 0 && plugin != NULL) {
        code = run_block(plugin, &a, &stop, &error);
    }
    if (code < 0) {
        gm_cli_fail((int)stop, "%s: %s", a.block, error.text);
    }
    return finish(stop);
}

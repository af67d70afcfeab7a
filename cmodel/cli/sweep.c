/* goldmem sweep: runs of inputs under combinations of keys, here or on Slurm. */
#include "cli/sweep.h"

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/set_index_options.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    KEY_CHECKPOINT = 256,
    KEY_LIST,
    KEY_SLURM,
    KEY_SLURM_OPTION,
    KEY_WAIT,
    KEY_RUN,
    KEY_COLLECT,
    MOST_JOBS = 4096
};

static const struct argp_option option_list[] = {
    {"jobs", 'j', "N", 0, "Runs at a time (default: one for each processor; with --slurm no limit)",
     1},
    {"output", 'o', "FOLDER", 0,
     "Folder of reports and results (default: FILE with .sweep for its ending)", 1},
    {"checkpoint-every", KEY_CHECKPOINT, "N", 0,
     "Save each run's state every N core cycles, and go on from there after an interruption "
     "(cycle engine)",
     1},
    {"list", KEY_LIST, NULL, 0, "Print the command of each run, and run nothing", 1},
    {"quiet", 'q', NULL, 0, "No lines of progress", 1},
    {"slurm", KEY_SLURM, "PARTITION", OPTION_ARG_OPTIONAL, "Submit the runs to Slurm", 2},
    {"slurm-option", KEY_SLURM_OPTION, "OPTION", 0,
     "A further option of sbatch, such as --time=2:00:00; may be given again", 2},
    {"wait", KEY_WAIT, NULL, 0, "With --slurm: wait until the results are gathered", 2},
    {"run", KEY_RUN, "N", 0, "Only run N, from 0: what a job of Slurm does", 3},
    {"collect", KEY_COLLECT, NULL, 0, "Run nothing: gather the results that there are", 3},
    {0},
};

typedef struct sweep_arguments {
    const char *file, *folder;
    gm_sweep_options run;
    gm_sweep_slurm slurm;
    uint64_t only; /* UINT64_MAX: all */
    bool list, collect, submit, jobs_given;
} sweep_arguments;

static error_t parse_number(struct argp_state *state, const char *option, const char *text,
                            uint64_t least, uint64_t most, uint64_t *number)
{
    return gm_cli_number(text, least, most, number)
               ? 0
               : gm_cli_refuse(state, "%s %s: must be %" PRIu64 " to %" PRIu64, option, text, least,
                               most);
}

/* Checks what options require of each other. */
static error_t finish(const sweep_arguments *own, const struct argp_state *state)
{
    if (own->file == NULL) {
        return gm_cli_refuse(state, "no FILE");
    }
    if (own->list + own->collect + own->submit + (own->only != UINT64_MAX) > 1) {
        return gm_cli_refuse(state, "--list, --run, --collect and --slurm: one of them");
    }
    if (!own->submit && (own->slurm.wait || json_array_size(own->slurm.options) > 0)) {
        return gm_cli_refuse(state, "--wait and --slurm-option belong to --slurm");
    }
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    sweep_arguments *own = state->input;
    uint64_t jobs = 0;
    error_t code = 0;
    switch (key) {
    case 'j':
        code = parse_number(state, "--jobs", argument, 1, MOST_JOBS, &jobs);
        own->run.jobs = (unsigned)jobs;
        own->jobs_given = true;
        return code;
    case 'o':
        own->folder = argument;
        return 0;
    case 'q':
        own->run.quiet = true;
        return 0;
    case KEY_CHECKPOINT:
        return gm_cli_parse_count(&own->run.checkpoint_every, "--checkpoint-every", argument,
                                  state);
    case KEY_LIST:
        own->list = true;
        return 0;
    case KEY_SLURM:
        own->submit = true;
        own->slurm.partition = argument;
        return 0;
    case KEY_SLURM_OPTION:
        return json_array_append_new(own->slurm.options, json_string(argument)) == 0 ? 0 : ENOMEM;
    case KEY_WAIT:
        own->slurm.wait = true;
        return 0;
    case KEY_RUN:
        return parse_number(state, "--run", argument, 0, GM_SWEEP_RUNS, &own->only);
    case KEY_COLLECT:
        own->collect = true;
        return 0;
    case ARGP_KEY_ARG:
        if (own->file != NULL) {
            return gm_cli_refuse(state, "unexpected argument '%s'", argument);
        }
        own->file = argument;
        return 0;
    case ARGP_KEY_END:
        return finish(own, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp sweep_argp = {
    .options = option_list,
    .parser = parse,
    .args_doc = "FILE",
    .doc =
        "Runs inputs under combinations of keys, and gathers their counters in one table. FILE is "
        "YAML:\n\n"
        "  inputs: [\"workload:syrk,n=32\", workload:kmeans]\n"
        "  set: {preset: gtx480, gpu.sms: 4}         # of all runs\n"
        "  grid: {l1.ways: [4, 8], l1.index: [sequential, ipoly]}   # combined\n"
        "  zip: {l1.mshrs: [32, 64], l1.merges: [8, 16]}   # together\n"
        "  list: {base: {}, large: {l1.size: 32K, l1.miss_queue: 16}}   # points with names\n"
        "  options: [--check]                        # further options of goldmem run\n"
        "\v"
        "The command goes on where an earlier one was interrupted: a run whose report is there is "
        "not made again, unless the program, its arguments or the files that they name have "
        "changed. Results: FOLDER/results.csv, a row for each run; FOLDER/results.jsonl, an object "
        "for each; FOLDER/runs, their reports. Exit code 1 if a run failed.\n\n"
        "Examples:\n"
        "  goldmem sweep -j 8 l1.yaml\n"
        "  goldmem sweep --slurm=batch --slurm-option=--time=2:00:00 --wait l1.yaml\n",
};

/* Finds this program's file. */
static int find_program(gm_sweep *sweep, gm_error *error)
{
    ssize_t length = readlink("/proc/self/exe", sweep->program, sizeof sweep->program - 1);
    if (length < 0) {
        return gm_fail_errno(error, "/proc/self/exe");
    }
    sweep->program[length] = '\0';
    return 0;
}

/* Names the folder of results: as asked, or FILE with its ending replaced. */
static int name_folder(gm_sweep *sweep, const char *folder, gm_error *error)
{
    const char *ending = strrchr(sweep->file, '.');
    const char *slash = strrchr(sweep->file, '/');
    bool yaml = ending != NULL && (slash == NULL || ending > slash + 1) && ending != sweep->file;
    int length = yaml ? (int)(ending - sweep->file) : (int)strlen(sweep->file);
    int used = folder != NULL ? snprintf(sweep->folder, sizeof sweep->folder, "%s", folder)
                              : snprintf(sweep->folder, sizeof sweep->folder, "%.*s.sweep", length,
                                         sweep->file);
    return used > 0 && (size_t)used < sizeof sweep->folder
               ? 0
               : gm_fail(error, -ENAMETOOLONG, "--output: the path is empty or too long");
}

/* Makes FOLDER and FOLDER/runs where they lack. */
static int make_folders(const gm_sweep *sweep, gm_error *error)
{
    static const char *const folders[] = {"", "/runs"};
    for (unsigned i = 0; i < 2; i++) {
        char path[GM_SWEEP_PATH + 8];
        snprintf(path, sizeof path, "%s%s", sweep->folder, folders[i]);
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            return gm_fail_errno(error, path);
        }
    }
    return 0;
}

/* Takes the folder for this process, until it ends. Returns 0, or -EBUSY while another has it. */
static int lock_folder(const gm_sweep *sweep, gm_error *error)
{
    char path[GM_SWEEP_PATH + 8];
    snprintf(path, sizeof path, "%s/lock", sweep->folder);
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return gm_fail_errno(error, path);
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
               ? 0
               : gm_fail(error, -EBUSY, "%s: another sweep is running", sweep->folder);
}

static int print_commands(const gm_sweep *sweep, gm_error *error)
{
    for (size_t i = 0; i < sweep->runs; i++) {
        char *command = gm_sweep_command(&sweep->run[i]);
        if (command == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory");
        }
        puts(command);
        free(command);
    }
    return 0;
}

/* Gathers results and prints what became of the runs. `exit` receives the exit code. */
static int gather(const gm_sweep *sweep, int *exit, gm_error *error)
{
    gm_sweep_counts counts;
    int code = gm_sweep_gather(sweep, &counts, error);
    if (code == 0) {
        gm_sweep_tell(sweep, &counts);
        *exit = counts.failed + counts.missing > 0 ? GM_EXIT_FAILED : GM_EXIT_OK;
    }
    return code;
}

/* Runs one run, which a job of Slurm asks for. */
static int run_one(gm_sweep *sweep, const sweep_arguments *own, int *exit, gm_error *error)
{
    if (own->only >= sweep->runs) {
        return gm_fail(error, -EINVAL, "--run %" PRIu64 ": %s has %zu runs", own->only, sweep->file,
                       sweep->runs);
    }
    size_t only = (size_t)own->only;
    sweep->run[only].repeats = false; /* it is alone */
    int code = gm_sweep_run_here(sweep, only, 1, &own->run, error);
    *exit = gm_sweep_is_done(sweep, &sweep->run[only]) ? GM_EXIT_OK : GM_EXIT_FAILED;
    return code;
}

static int execute(gm_sweep *sweep, const sweep_arguments *own, int *exit, gm_error *error)
{
    int code = gm_sweep_read(sweep, own->file, error);
    code = code < 0 ? code : find_program(sweep, error);
    code = code < 0 ? code : name_folder(sweep, own->folder, error);
    if (code == 0 && own->list) {
        return print_commands(sweep, error);
    }
    code = code < 0 ? code : gm_sweep_name_runs(sweep, error);
    code = code < 0 ? code : make_folders(sweep, error);
    if (code == 0 && own->only != UINT64_MAX) {
        return run_one(sweep, own, exit, error);
    }
    if (code == 0 && own->submit) {
        code = gm_sweep_submit(sweep, &own->run, &own->slurm, error);
        return code < 0 || !own->slurm.wait ? code : gather(sweep, exit, error);
    }
    code = code < 0 ? code : lock_folder(sweep, error);
    if (code == 0 && !own->collect) {
        code = gm_sweep_run_here(sweep, 0, sweep->runs, &own->run, error);
    }
    return code < 0 ? code : gather(sweep, exit, error);
}

int gm_cli_sweep(int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    sweep_arguments own = {.run.jobs = processors > 0 ? (unsigned)processors : 1,
                           .slurm.options = json_array(),
                           .only = UINT64_MAX};
    int status = gm_cli_parse(&sweep_argp, argc, argv, &own);
    if (status == GM_EXIT_OK) {
        if (own.submit && !own.jobs_given) {
            own.run.jobs = 0;
        }
        gm_interrupt_watch();
        gm_sweep sweep = {0};
        gm_error error = {0};
        int code = execute(&sweep, &own, &status, &error);
        status = code < 0 ? gm_cli_error(&error) : status;
        gm_sweep_free(&sweep);
    }
    json_decref(own.slurm.options);
    return status;
}

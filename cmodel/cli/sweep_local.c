/* goldmem sweep: runs on this machine, each a process of its own. */
#include "cli/interrupt.h"
#include "cli/sweep.h"
#include "goldmem/output.h"
#include "report/json_value.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A run's process. */
typedef struct worker {
    pid_t process; /* 0: none */
    size_t run;
    double begun; /* seconds */
} worker;

typedef struct job {
    gm_sweep *sweep;
    const gm_sweep_options *options;
    worker *worker; /* [options->jobs] */
    size_t next, end;
    size_t done, failed, before; /* runs; `before`: done by an earlier sweep */
    size_t repeated;             /* runs whose report an earlier run gives */
    unsigned running;
    double begun;
    bool shows_line, line_shown;
} job;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Writes what varies of a run: "l1.ways=4 l1.index=xor workload:syrk". */
static void describe(const gm_sweep *sweep, const gm_sweep_run *run, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s%s", run->point != NULL ? run->point : "",
                                   run->point != NULL ? " " : "");
    for (size_t i = 0; !run->point && i < json_array_size(sweep->columns) && used < size; i++) {
        const char *name = json_string_value(json_array_get(sweep->columns, i));
        char *value = json_dumps(json_object_get(run->keys, name), JSON_ENCODE_ANY);
        size_t quotes = value != NULL && value[0] == '"';
        int length = value != NULL ? (int)(strlen(value) - 2 * quotes) : 0;
        used += (size_t)snprintf(text + used, size - used, "%s=%.*s ", name, length,
                                 value != NULL ? value + quotes : "");
        free(value);
    }
    size_t last = json_array_size(run->argument) - 1;
    if (used < size) {
        snprintf(text + used, size - used, "%s",
                 json_string_value(json_array_get(run->argument, last)));
    }
}

static void clear_line(job *job)
{
    if (job->line_shown) {
        fputs("\r\033[K", stderr);
        job->line_shown = false;
    }
}

/* Writes the line of the whole sweep: on a terminal in place, elsewhere when SIGUSR1 asks. */
static void show_line(job *job, bool asked)
{
    if (!job->shows_line && !asked) {
        return;
    }
    size_t finished = job->done + job->failed;
    size_t left = job->end - job->next + job->running;
    clear_line(job);
    fprintf(stderr, "%zu of %zu done, %zu failed, %u running", job->before + job->done,
            job->before + finished + left, job->failed, job->running);
    if (finished > 0 && left > 0) {
        long seconds = (long)((now() - job->begun) / (double)finished * (double)left);
        fprintf(stderr, ", about %ld:%02ld:%02ld left", seconds / 3600, seconds / 60 % 60,
                seconds % 60);
    }
    fputs(job->shows_line ? "" : "\n", stderr);
    job->line_shown = job->shows_line;
    fflush(stderr);
}

/* Writes the line of a run that has ended. */
static void tell_run(job *job, size_t number, double seconds, const char *message)
{
    if (job->options->quiet) {
        return;
    }
    char text[512];
    clear_line(job);
    describe(job->sweep, &job->sweep->run[number], text, sizeof text);
    fprintf(stderr, "%zu: %s, %.1f s: %s%s%s\n", number, message == NULL ? "done" : "failed",
            seconds, text, message == NULL ? "" : ": ", message == NULL ? "" : message);
}

/* Writes the last line of a run's messages, without "goldmem: ". */
static void read_message(const char *path, char *message, size_t size)
{
    static const char program[] = "goldmem: ";
    char line[GM_ERROR_TEXT + 16] = "";
    FILE *file = fopen(path, "r");
    message[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        size_t skip = strncmp(line, program, sizeof program - 1) == 0 ? sizeof program - 1 : 0;
        if (line[skip] != '\0') {
            snprintf(message, size, "%s", line + skip);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* Leaves FOLDER/runs/ID.failed. */
static int write_failure(const gm_sweep *sweep, const gm_sweep_run *run, int status,
                         const char *message, gm_error *error)
{
    char path[GM_SWEEP_PATH];
    gm_output output;
    gm_sweep_path(sweep, run, "failed", path);
    int code = gm_output_open(&output, path, error);
    if (code < 0) {
        return code;
    }
    json_t *failure = WIFSIGNALED(status) ? json_pack("{s:i, s:o}", "signal", WTERMSIG(status),
                                                      "message", gm_json_text(message))
                                          : json_pack("{s:i, s:o}", "exit", WEXITSTATUS(status),
                                                      "message", gm_json_text(message));
    code = failure != NULL && json_dumpf(failure, output.file, 0) == 0
               ? gm_output_commit(&output, error)
               : gm_fail(error, -EIO, "%s: cannot be written", path);
    gm_output_discard(&output);
    json_decref(failure);
    return code;
}

static void remove_file(const gm_sweep *sweep, const gm_sweep_run *run, const char *suffix)
{
    char path[GM_SWEEP_PATH];
    gm_sweep_path(sweep, run, suffix, path);
    unlink(path);
}

/* Gives a finished report its name, and removes what the run left beside it. */
static int keep_report(const gm_sweep *sweep, const gm_sweep_run *run, gm_error *error)
{
    char from[GM_SWEEP_PATH];
    char to[GM_SWEEP_PATH];
    gm_sweep_path(sweep, run, "running.json", from);
    gm_sweep_path(sweep, run, "json", to);
    if (rename(from, to) != 0) {
        return gm_fail_errno(error, to);
    }
    remove_file(sweep, run, "failed");
    remove_file(sweep, run, "checkpoint");
    remove_file(sweep, run, "log");
    return 0;
}

/* Notes how a run's process has ended. A run that a signal to the sweep interrupted has neither
 * failed nor been done. */
static int end_run(job *job, worker *worker, int status, gm_error *error)
{
    const gm_sweep_run *run = &job->sweep->run[worker->run];
    double seconds = now() - worker->begun;
    worker->process = 0;
    job->running--;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        job->done++;
        int code = keep_report(job->sweep, run, error);
        if (code == 0) {
            tell_run(job, worker->run, seconds, NULL);
        }
        return code;
    }
    remove_file(job->sweep, run, "running.json");
    if (gm_interrupt_signal() != 0) {
        return 0;
    }
    char path[GM_SWEEP_PATH];
    char message[GM_ERROR_TEXT];
    gm_sweep_path(job->sweep, run, "log", path);
    read_message(path, message, sizeof message);
    if (WIFSIGNALED(status)) {
        snprintf(message, sizeof message, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    }
    job->failed++;
    tell_run(job, worker->run, seconds, message);
    return write_failure(job->sweep, run, status, message, error);
}

/* Adds an argument to a list that ends with NULL. Returns 0 if it could. */
static int add_text(char **list, size_t *count, const char *before, const char *text,
                    const char *after)
{
    list[*count] = NULL;
    int length = asprintf(&list[*count], "%s%s%s", before, text, after);
    *count += length >= 0;
    list[*count] = NULL;
    return length < 0;
}

/* Returns true if a run is of the cycle engine, which alone has checkpoints. */
static bool is_timed(const gm_sweep_run *run)
{
    bool analyzes = false;
    for (size_t i = 0; i < json_array_size(run->argument); i++) {
        const char *text = json_string_value(json_array_get(run->argument, i));
        if (strncmp(text, "--engine=", 9) == 0) {
            return strcmp(text + 9, "cycle") == 0;
        }
        analyzes |= strncmp(text, "--analyze", 9) == 0;
    }
    return !analyzes;
}

static void free_arguments(char **list)
{
    for (size_t i = 0; list[i] != NULL; i++) {
        free(list[i]);
    }
    free(list);
}

/* Returns the arguments of a run's process, NULL at the end, to be freed by free_arguments; NULL
 * without memory. */
static char **list_arguments(const job *job, const gm_sweep_run *run)
{
    enum { FURTHER = 8 };
    size_t given = json_array_size(run->argument);
    char **list = calloc(given + FURTHER, sizeof *list);
    size_t count = 0;
    if (list == NULL) {
        return NULL;
    }
    char path[GM_SWEEP_PATH];
    int failed = add_text(list, &count, "goldmem", "", "");
    failed |= add_text(list, &count, "run", "", "");
    failed |= add_text(list, &count, "--quiet", "", "");
    gm_sweep_path(job->sweep, run, "running.json", path);
    failed |= add_text(list, &count, "--json=", path, "");
    if (job->options->checkpoint_every != 0 && is_timed(run)) {
        char every[32];
        snprintf(every, sizeof every, ",every=%" PRIu64, job->options->checkpoint_every);
        gm_sweep_path(job->sweep, run, "checkpoint", path);
        failed |= add_text(list, &count, "--checkpoint=", path, every);
        failed |= access(path, R_OK) == 0 && add_text(list, &count, "--resume=", path, "");
    }
    for (size_t i = 0; i < given; i++) {
        const char *text = json_string_value(json_array_get(run->argument, i));
        failed |= add_text(list, &count, text, "", "");
    }
    if (failed) {
        free_arguments(list);
        return NULL;
    }
    return list;
}

/* Becomes the run: ends with its parent, so that a killed sweep leaves no process behind. */
static void become(const job *job, char **arguments, int log, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    int empty = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool ready = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && empty >= 0 &&
                 dup2(empty, STDIN_FILENO) >= 0 && dup2(empty, STDOUT_FILENO) >= 0 &&
                 dup2(log, STDERR_FILENO) >= 0;
    if (ready) {
        execv(job->sweep->program, arguments);
    }
    dprintf(log, "goldmem: %s: %s\n", job->sweep->program, strerror(errno));
    _exit(127);
}

/* Starts the next run in a worker. */
static int start(job *job, worker *worker, gm_error *error)
{
    size_t number = job->next++;
    const gm_sweep_run *run = &job->sweep->run[number];
    if (gm_sweep_is_done(job->sweep, run)) {
        job->before++;
        return 0;
    }
    if (run->repeats) {
        job->repeated++;
        return 0;
    }
    char path[GM_SWEEP_PATH];
    gm_sweep_path(job->sweep, run, "log", path);
    int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0) {
        return gm_fail_errno(error, path);
    }
    char **arguments = list_arguments(job, run);
    pid_t parent = getpid();
    pid_t process = arguments != NULL ? fork() : -1;
    if (process == 0) {
        become(job, arguments, log, parent);
    }
    close(log);
    if (arguments != NULL) {
        free_arguments(arguments);
    }
    if (process < 0) {
        return gm_fail(error, -ENOMEM, "run %zu: cannot start a process: %s", number,
                       strerror(errno));
    }
    *worker = (struct worker){.process = process, .run = number, .begun = now()};
    job->running++;
    return 0;
}

/* Starts runs in idle workers. */
static int start_more(job *job, gm_error *error)
{
    int code = 0;
    for (unsigned i = 0; code == 0 && i < job->options->jobs; i++) {
        while (code == 0 && job->worker[i].process == 0 && job->next < job->end) {
            code = start(job, &job->worker[i], error);
        }
    }
    return code;
}

/* Notes the processes that have ended. */
static int reap(job *job, gm_error *error)
{
    int code = 0;
    for (unsigned i = 0; code == 0 && i < job->options->jobs; i++) {
        int status = 0;
        worker *worker = &job->worker[i];
        if (worker->process != 0 && waitpid(worker->process, &status, WNOHANG) > 0) {
            code = end_run(job, worker, status, error);
        }
    }
    return code;
}

/* Ends the processes in good order: with checkpoints they save their state. */
static void stop(job *job)
{
    gm_error ignored;
    for (unsigned i = 0; i < job->options->jobs; i++) {
        if (job->worker[i].process != 0) {
            kill(job->worker[i].process, SIGTERM);
        }
    }
    for (unsigned i = 0; i < job->options->jobs; i++) {
        int status = 0;
        if (job->worker[i].process != 0 && waitpid(job->worker[i].process, &status, 0) > 0) {
            end_run(job, &job->worker[i], status, &ignored);
        }
    }
}

/* Runs until all have ended, or a signal arrives. SIGCHLD is blocked: the wait ends with it. */
static int work(job *job, const sigset_t *child, gm_error *error)
{
    static const struct timespec look = {.tv_nsec = 200 * 1000 * 1000};
    int code = start_more(job, error);
    while (code == 0 && job->running > 0 && gm_interrupt_signal() == 0) {
        sigtimedwait(child, NULL, &look);
        code = reap(job, error);
        code = code < 0 || gm_interrupt_signal() != 0 ? code : start_more(job, error);
        show_line(job, gm_interrupt_wants_progress());
    }
    return code;
}

int gm_sweep_run_here(gm_sweep *sweep, size_t first, size_t count, const gm_sweep_options *options,
                      gm_error *error)
{
    job job = {.sweep = sweep,
               .options = options,
               .worker = calloc(options->jobs, sizeof *job.worker),
               .next = first,
               .end = first + count,
               .begun = now(),
               .shows_line = !options->quiet && isatty(STDERR_FILENO)};
    if (job.worker == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    sigset_t child;
    sigset_t before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    int code = work(&job, &child, error);
    stop(&job);
    sigprocmask(SIG_SETMASK, &before, NULL);
    clear_line(&job);
    free(job.worker);
    if (code == 0 && gm_interrupt_signal() != 0) {
        code = gm_fail(
            error, -EINTR, "interrupted by %s: %zu of %zu runs done; the same command goes on",
            gm_interrupt_name(gm_interrupt_signal()), job.before + job.done, count - job.repeated);
    }
    return code;
}

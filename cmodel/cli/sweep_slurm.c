/* goldmem sweep --slurm: the runs as job arrays of Slurm, and a job behind them that gathers.
 * FOLDER/slurm receives a copy of the sweep's file, the scripts and the jobs' output. */
#include "cli/sweep.h"
#include "goldmem/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ARRAY = 1000, /* tasks of a job array: Slurm's MaxArraySize is 1001 unless a site raises it */
    NUMBERS = 64 * 1024, /* bytes of job numbers */
    MOST_WORDS = 128
};

typedef struct submission {
    const gm_sweep *sweep;
    const gm_sweep_options *options;
    const gm_sweep_slurm *slurm;
    char folder[GM_SWEEP_FOLDER + 8];
    char after[NUMBERS]; /* ":" and the number of each array */
    gm_error *error;
} submission;

/* Opens FOLDER/slurm/NAME. */
static int open_file(const submission *submission, const char *name, gm_output *output)
{
    char path[GM_SWEEP_PATH];
    snprintf(path, sizeof path, "%s/%s", submission->folder, name);
    return gm_output_open(output, path, submission->error);
}

static int close_file(const submission *submission, gm_output *output)
{
    int code = gm_output_commit(output, submission->error);
    gm_output_discard(output);
    return code;
}

/* Copies the sweep's file, so that an edit does not change which runs the jobs mean. */
static int copy_file(const submission *submission)
{
    gm_output output;
    FILE *from = fopen(submission->sweep->file, "rb");
    if (from == NULL) {
        return gm_fail_errno(submission->error, submission->sweep->file);
    }
    int code = open_file(submission, "sweep.yaml", &output);
    char block[4096];
    size_t size = 0;
    while (code == 0 && (size = fread(block, 1, sizeof block, from)) > 0) {
        fwrite(block, 1, size, output.file);
    }
    fclose(from);
    return code < 0 ? code : close_file(submission, &output);
}

/* Writes "exec PROGRAM sweep -q -o FOLDER OPTION FOLDER/slurm/sweep.yaml". */
static void write_command(const submission *submission, FILE *file, const char *option)
{
    fputs("exec ", file);
    gm_sweep_write_word(file, submission->sweep->program);
    fputs(" sweep -q -o ", file);
    gm_sweep_write_word(file, submission->sweep->folder);
    if (submission->options->checkpoint_every != 0) {
        fprintf(file, " --checkpoint-every=%" PRIu64, submission->options->checkpoint_every);
    }
    fprintf(file, " %s ", option);
    gm_sweep_write_word(file, submission->folder);
    fputs("/sweep.yaml\n", file);
}

/* Writes the script of an array, whose tasks are the runs in `list`, a line each. */
static int write_array_script(const submission *submission, const char *name, const char *list)
{
    gm_output output;
    int code = open_file(submission, name, &output);
    if (code < 0) {
        return code;
    }
    fputs("#!/bin/bash\nrun=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" ", output.file);
    gm_sweep_write_word(output.file, submission->folder);
    fprintf(output.file, "/%s)\n", list);
    write_command(submission, output.file, "--run=\"$run\"");
    return close_file(submission, &output);
}

static int write_collect_script(const submission *submission)
{
    gm_output output;
    int code = open_file(submission, "collect.sh", &output);
    if (code < 0) {
        return code;
    }
    fputs("#!/bin/bash\n", output.file);
    write_command(submission, output.file, "--collect");
    return close_file(submission, &output);
}

/* Reads what a process writes, until it ends. */
static int read_all(int descriptor, char *text, size_t size)
{
    size_t used = 0;
    for (;;) {
        ssize_t got = read(descriptor, text + used, size - 1 - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0 || used + (size_t)got == size - 1) {
            text[got > 0 ? used + (size_t)got : used] = '\0';
            return got < 0 ? -1 : 0;
        }
        used += (size_t)got;
    }
}

/* Runs sbatch with these words and waits for it. `text` receives its standard output. Returns its
 * exit code, or a negative errno value. */
static int run_sbatch(const char *word[MOST_WORDS], char *text, size_t size, gm_error *error)
{
    int ends[2];
    pid_t process = 0;
    int status = 0;
    posix_spawn_file_actions_t actions;
    char *argument[MOST_WORDS];
    memcpy(argument, word, sizeof argument);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return gm_fail_errno(error, "sbatch");
    }
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        code =
            code != 0 ? code : posix_spawnp(&process, "sbatch", &actions, NULL, argument, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (code == 0) {
        read_all(ends[0], text, size);
        while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    if (code != 0) {
        return gm_fail(error, -code, "sbatch: %s (Slurm's client, Debian's package slurm-client)",
                       strerror(code));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Submits a script. `words`: options of this job, NULL at the end. `number` receives the job's
 * number. Returns 0, a positive exit code of a job that was waited for, or a negative value. */
static int submit(const submission *submission, const char *const *words, const char *script,
                  char *number, size_t size)
{
    char partition[256];
    char path[GM_SWEEP_PATH];
    const char *word[MOST_WORDS] = {"sbatch", "--parsable", "--open-mode=append"};
    size_t count = 3;
    snprintf(path, sizeof path, "%s/%s", submission->folder, script);
    if (submission->slurm->partition != NULL) {
        snprintf(partition, sizeof partition, "--partition=%s", submission->slurm->partition);
        word[count++] = partition;
    }
    for (; *words != NULL; words++) {
        word[count++] = *words;
    }
    size_t options = json_array_size(submission->slurm->options);
    if (count + options + 2 > MOST_WORDS) {
        return gm_fail(submission->error, -EINVAL, "--slurm-option: given too often");
    }
    for (size_t i = 0; i < options; i++) {
        word[count++] = json_string_value(json_array_get(submission->slurm->options, i));
    }
    word[count] = path;
    int code = run_sbatch(word, number, size, submission->error);
    number[strcspn(number, ";\n")] = '\0'; /* "NUMBER;CLUSTER" */
    if (code >= 0 && number[0] == '\0') {
        return gm_fail(submission->error, -EIO, "sbatch: failed with exit code %d", code);
    }
    return code;
}

/* Submits the runs of a list as an array. */
static int submit_array(submission *submission, unsigned number, size_t count)
{
    char list[32];
    char script[32];
    char array[64];
    char output[GM_SWEEP_PATH];
    char job[64];
    snprintf(list, sizeof list, "runs-%u.txt", number);
    snprintf(script, sizeof script, "runs-%u.sh", number);
    snprintf(output, sizeof output, "--output=%s/%%A_%%a.out", submission->folder);
    if (submission->options->jobs != 0) {
        snprintf(array, sizeof array, "--array=0-%zu%%%u", count - 1, submission->options->jobs);
    } else {
        snprintf(array, sizeof array, "--array=0-%zu", count - 1);
    }
    const char *words[] = {"--job-name=goldmem-sweep", "--requeue", array, output, NULL};
    int code = write_array_script(submission, script, list);
    code = code < 0 ? code : submit(submission, words, script, job, sizeof job);
    if (code > 0) {
        return gm_fail(submission->error, -EIO, "sbatch: failed with exit code %d", code);
    }
    if (code == 0) {
        printf("job %s: %zu runs\n", job, count);
        size_t used = strlen(submission->after);
        snprintf(submission->after + used, sizeof submission->after - used, ":%s", job);
    }
    return code;
}

/* Submits runs that are not done, in arrays. `submitted` receives their number. */
static int submit_runs(submission *submission, size_t *submitted)
{
    const gm_sweep *sweep = submission->sweep;
    gm_output list;
    size_t count = 0; /* in the list */
    unsigned arrays = 0;
    int code = 0;
    *submitted = 0;
    for (size_t i = 0; code == 0 && i < sweep->runs; i++) {
        if (!sweep->run[i].repeats && !gm_sweep_is_done(sweep, &sweep->run[i])) {
            char name[32];
            snprintf(name, sizeof name, "runs-%u.txt", arrays);
            code = count == 0 ? open_file(submission, name, &list) : 0;
            if (code == 0) {
                fprintf(list.file, "%zu\n", i);
                count++;
            }
        }
        if (code == 0 && count > 0 && (count == ARRAY || i + 1 == sweep->runs)) {
            code = close_file(submission, &list);
            code = code < 0 ? code : submit_array(submission, arrays++, count);
            *submitted += count;
            count = 0;
        }
    }
    if (count > 0) {
        gm_output_discard(&list);
    }
    return code;
}

/* Submits the job that gathers, and waits for it where asked. */
static int submit_collector(submission *submission)
{
    char output[GM_SWEEP_PATH];
    char after[NUMBERS + 32];
    char job[64];
    snprintf(output, sizeof output, "--output=%s/collect.out", submission->folder);
    snprintf(after, sizeof after, "--dependency=afterany%s", submission->after);
    const char *words[6] = {"--job-name=goldmem-collect", "--requeue", output};
    size_t count = 3;
    if (submission->after[0] != '\0') {
        words[count++] = after;
    }
    if (submission->slurm->wait) {
        words[count++] = "--wait";
    }
    int code = write_collect_script(submission);
    code = code < 0 ? code : submit(submission, words, "collect.sh", job, sizeof job);
    if (code >= 0) {
        printf("job %s: gathers the results in %s\n", job, submission->sweep->folder);
    }
    return code;
}

int gm_sweep_submit(const gm_sweep *sweep, const gm_sweep_options *options,
                    const gm_sweep_slurm *slurm, gm_error *error)
{
    submission submission = {.sweep = sweep, .options = options, .slurm = slurm, .error = error};
    snprintf(submission.folder, sizeof submission.folder, "%s/slurm", sweep->folder);
    if (mkdir(submission.folder, 0777) != 0 && errno != EEXIST) {
        return gm_fail_errno(error, submission.folder);
    }
    size_t submitted = 0;
    int code = copy_file(&submission);
    code = code < 0 ? code : submit_runs(&submission, &submitted);
    return code < 0 ? code : submit_collector(&submission);
}

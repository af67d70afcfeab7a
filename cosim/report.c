/* Reports a failure: one line, then the fields; and writes the bundle of files for examining and
 * replaying the failure. */
#include "engine.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum {
    HISTORY = 16,
    WINDOW = 64
}; /* transactions printed; cycles of waveform before the failure */

static void print_fields(FILE *file, const gm_port *port, unsigned count, const uint64_t *value)
{
    for (unsigned f = 0; f < count; f++) {
        fprintf(file, " %s=%#llx", port[f].name, (unsigned long long)value[f]);
    }
}

void gm_report_failure(FILE *file, const gm_cosim_plugin_table *plugin, const gm_failure *failure)
{
    const gm_ports *ports = plugin->block->ports;
    fprintf(file, "%s: %s: %s in %s (%s) at transaction %llu, cycle %llu%s%s\n", ports->block,
            gm_stop_name(failure->stop), failure->kind, plugin->module,
            plugin->options[failure->lane], (unsigned long long)failure->transaction,
            (unsigned long long)failure->cycle, failure->text[0] != '\0' ? ": " : "",
            failure->text);
    if (failure->stop != GM_STOP_MISMATCH) {
        return;
    }
    if (!failure->is_response) {
        fprintf(file, "  expected %#llx, got %#llx\n", (unsigned long long)failure->expected[0],
                (unsigned long long)failure->actual[0]);
        return;
    }
    for (unsigned f = 0; f < ports->responses; f++) {
        if (failure->expected[f] != failure->actual[f]) {
            fprintf(file, "  %s: %s %#llx, got %#llx (differ in %#llx)\n", ports->response[f].name,
                    failure->is_held ? "was" : "expected", (unsigned long long)failure->expected[f],
                    (unsigned long long)failure->actual[f],
                    (unsigned long long)(failure->expected[f] ^ failure->actual[f]));
        }
    }
}

/* Prints the last transactions before the failure; with a subject (a set, a warp) only those on it.
 */
static void print_history(FILE *file, const gm_run *run, const gm_stimulus *list)
{
    const gm_cosim_block *block = run->plugin->block;
    const gm_cosim_configuration *configuration = &run->lane[0].configuration;
    size_t fields = run->ports->requests;
    size_t last =
        run->failure.transaction < list->count ? run->failure.transaction : list->count - 1;
    uint64_t subject = 0;
    if (block->subject != NULL) {
        subject = block->subject(configuration, list->request + last * fields);
        fprintf(file, "last transactions of its subject (%#llx):\n", (unsigned long long)subject);
    } else {
        fprintf(file, "last transactions:\n");
    }
    for (size_t i = last + 1, told = 0; i-- > 0 && told < HISTORY;) {
        const uint64_t *request = list->request + i * fields;
        const gm_wait *wait = &list->wait[i];
        if (wait->reset_for > 0 && i < last) {
            fprintf(file, "  reset %u cycles after the offer of %zu, for %u cycles\n",
                    wait->reset_at, i, wait->reset_for);
        }
        if (block->subject == NULL || block->subject(configuration, request) == subject) {
            fprintf(file, "  %8zu", i);
            print_fields(file, run->ports->request, run->ports->requests, request);
            fputc('\n', file);
            told++;
        }
    }
}

/* Runs the stream again, with the waveform on around the failure. */
static int write_waveform(gm_run *run, const gm_stimulus *list, const char *path, gm_error *error)
{
    uint64_t at = run->failure.cycle;
    run->trace_path = path;
    run->trace_from = at > WINDOW ? at - WINDOW : 0;
    run->trace_to = at + WINDOW / 4;
    int code = gm_examine(run, list, error);
    run->plugin->trace(run->dut, NULL);
    run->trace_path = NULL;
    return code;
}

static int write_report(const char *folder, gm_run *run, const gm_stimulus *list,
                        const gm_failure *shrunk, size_t shrunk_count, gm_error *error)
{
    char path[512];
    snprintf(path, sizeof path, "%s/report.txt", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    gm_report_failure(file, run->plugin, &run->failure);
    fprintf(file, "seed %llu, episode %llu\n", (unsigned long long)list->seed,
            (unsigned long long)list->episode);
    print_history(file, run, list);
    fprintf(file, "shortened to %zu transactions (stimulus.txt):\n", shrunk_count);
    gm_report_failure(file, run->plugin, shrunk);
    int failed = ferror(file);
    return fclose(file) != 0 || failed ? gm_fail(error, -EIO, "%s: cannot be written", path) : 0;
}

/* Makes a folder and the folders above it, where they do not exist. Returns 0 or a negative errno
 * value. */
static int make_folder(const char *folder, gm_error *error)
{
    char path[512];
    if (strlen(folder) >= sizeof path) {
        return gm_fail(error, -ENAMETOOLONG, "%s: longer than %zu characters", folder,
                       sizeof path - 1);
    }
    for (size_t end = 1; folder[end - 1] != '\0'; end++) {
        if (folder[end] != '/' && folder[end] != '\0') {
            continue;
        }
        snprintf(path, sizeof path, "%.*s", (int)end, folder);
        if (mkdir(path, 0777) < 0 && errno != EEXIST) {
            return gm_fail_errno(error, path);
        }
    }
    struct stat found;
    if (stat(folder, &found) < 0 || !S_ISDIR(found.st_mode)) {
        return gm_fail(error, -ENOTDIR, "%s: not a folder", folder);
    }
    return 0;
}

/* Makes a copy of a list. */
static int copy_list(gm_stimulus *copy, const gm_stimulus *list, gm_error *error)
{
    int code = gm_stimulus_create(copy, list->fields, list->count, error);
    if (code == 0) {
        copy->seed = list->seed;
        copy->episode = list->episode;
        memcpy(copy->wait, list->wait, list->count * sizeof *list->wait);
        memcpy(copy->request, list->request, list->count * list->fields * sizeof(uint64_t));
    }
    return code;
}

/* Writes the files of a failing list, with its failure in alone->failure. */
static int write_bundle(const char *folder, gm_run *alone, unsigned number, const gm_stimulus *all,
                        gm_error *error)
{
    char path[512];
    gm_failure whole = alone->failure;
    gm_stimulus list = {0};
    snprintf(path, sizeof path, "%s/window.fst", folder);
    int code = write_waveform(alone, all, path, error);
    if (code == 0) {
        code = copy_list(&list, all, error);
    }
    if (code == 0) {
        code = gm_shrink(alone, &list, error);
    }
    if (code == 0) {
        gm_failure shrunk = alone->failure;
        alone->failure = whole;
        code = write_report(folder, alone, all, &shrunk, list.count, error);
    }
    if (code == 0) {
        snprintf(path, sizeof path, "%s/stimulus.txt", folder);
        code = gm_replay_write(path, alone->plugin, number, &list, error);
    }
    gm_stimulus_free(&list);
    return code;
}

int gm_report_bundle(const char *folder, gm_run *run, uint64_t episode, gm_error *error)
{
    gm_run alone = {.seed = run->seed};
    gm_stimulus list = {0};
    unsigned number = run->failure.lane;
    uint64_t count = run->failure.transaction + GM_COSIM_RING;
    uint64_t share = 0;
    for (unsigned i = 0; i < run->lanes; i++) {
        bool failed = run->lane[i].number == number;
        count = failed && run->lane[i].target < count ? run->lane[i].target : count;
        share = failed ? run->lane[i].share : share;
    }
    int code = make_folder(folder, error);
    if (code == 0) {
        code = gm_run_open(&alone, run->plugin, run->plugin->options[number], error);
    }
    if (code == 0) {
        code = gm_lane_record(&alone.lane[0], run->plugin->block, run->seed, episode, share, count,
                              &list, error);
    }
    if (code == 0 && (code = gm_examine(&alone, &list, error)) == 0 &&
        alone.failure.stop == GM_STOP_END) {
        code = gm_fail(error, -EIO, "the failure does not return when the instance runs alone");
    }
    if (code == 0) {
        run->failure = alone.failure; /* with its kind */
        code = write_bundle(folder, &alone, number, &list, error);
    }
    gm_stimulus_free(&list);
    gm_run_close(&alone);
    return code;
}

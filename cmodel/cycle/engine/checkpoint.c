/* Checkpoints: writing the file, reading it, and reading the input again up to its position. */
#include "cycle/engine/checkpoint.h"

#include "base/content_hash.h"
#include "goldmem/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAGIC = sizeof GM_CHECKPOINT_MAGIC - 1, PIECE = 1 << 16 };

typedef struct head {
    char magic[MAGIC];
    uint64_t bytes, sum, parts;
} head;

typedef struct accounting_state {
    gm_statistics before, total;
    uint64_t kernels, executed, reported, copies, copy_bytes;
} accounting_state;

/* Saves or loads which analyses the run has. Returns 0; when loading, -EINVAL unless this run has
 * the same. */
static int move_analyses(const gm_run_options *options, gm_snapshot *snapshot, const char *path,
                         gm_error *error)
{
    const uint64_t own[] = {options->analyses, options->mrc.rate, options->mrc.lines};
    uint64_t saved[] = {own[0], own[1], own[2]};
    GM_SNAPSHOT_VALUE(snapshot, saved);
    return memcmp(saved, own, sizeof own) == 0
               ? 0
               : gm_fail(error, -EINVAL,
                         "%s: made with other analyses: --analyze and --sample-mrc must be equal",
                         path);
}

/* Saves or loads what the run counts beside its statistics. Returns 0; when loading, -EINVAL unless
 * this run counts as much. */
static int move_counted(const gm_run_options *options, gm_snapshot *snapshot, const char *path,
                        gm_error *error)
{
    const struct {
        const char *option;
        bool on;
    } counts[] = {{"--latency", options->latencies},
                  {"--per-pc", options->per_pc},
                  {"--per-sm", options->kernel_sms}};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint64_t counted = counts[i].on;
        GM_SNAPSHOT_VALUE(snapshot, counted);
        if (counted != counts[i].on) {
            return gm_fail(error, -EINVAL, "%s: made %s %s; this run is %s it", path,
                           counted != 0 ? "with" : "without", counts[i].option,
                           counted != 0 ? "without" : "with");
        }
    }
    const gm_warm_up own = options->warm_up;
    gm_warm_up saved = own;
    GM_SNAPSHOT_VALUE(snapshot, saved.kind);
    GM_SNAPSHOT_VALUE(snapshot, saved.count);
    if (saved.kind != own.kind || saved.count != own.count) {
        return gm_fail(error, -EINVAL, "%s: made with another --warm-up", path);
    }
    return move_analyses(options, snapshot, path, error);
}

/* Saves or loads the version and the configuration. Returns 0; when loading, -EINVAL unless both
 * are equal to this run's. */
static int move_identity(const gm_cycle_run_state *run, gm_snapshot *snapshot, const char *path,
                         gm_error *error)
{
    const gm_config *config = run->machine.config;
    char version[GM_CONFIG_TEXT] = GM_VERSION;
    GM_SNAPSHOT_VALUE(snapshot, version);
    version[sizeof version - 1] = '\0';
    if (strcmp(version, GM_VERSION) != 0) {
        return gm_fail(error, -EINVAL, "%s: made by goldmem %.40s; this is %s", path, version,
                       GM_VERSION);
    }
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; i < count; i++) {
        char mine[GM_CONFIG_TEXT] = "";
        char text[GM_CONFIG_TEXT];
        gm_config_get(config, &keys[i], mine, sizeof mine);
        memcpy(text, mine, sizeof text);
        GM_SNAPSHOT_VALUE(snapshot, text);
        text[sizeof text - 1] = '\0';
        if (strcmp(text, mine) != 0) {
            return gm_fail(error, -EINVAL, "%s: made with %s=%.60s; this run has %.60s", path,
                           keys[i].name, text, mine);
        }
    }
    return move_counted(run->options, snapshot, path, error);
}

static void move_accounting(gm_accounting *accounting, gm_snapshot *snapshot)
{
    accounting_state state = {accounting->before,    accounting->total,    accounting->kernels,
                              accounting->executed,  accounting->reported, accounting->copies,
                              accounting->copy_bytes};
    GM_SNAPSHOT_VALUE(snapshot, state);
    accounting->before = state.before;
    accounting->total = state.total;
    accounting->kernels = state.kernels;
    accounting->executed = state.executed;
    accounting->reported = state.reported;
    accounting->copies = state.copies;
    accounting->copy_bytes = state.copy_bytes;
}

/* Saves or loads the counters at the end of the warm-up. */
static int move_warmed(gm_cycle_run_state *run, gm_snapshot *snapshot, gm_error *error)
{
    const gm_cycle_machine *machine = &run->machine;
    gm_results *at = &run->warmed.at;
    uint64_t reached = run->warmed.reached;
    GM_SNAPSHOT_VALUE(snapshot, reached);
    run->warmed.reached = reached != 0;
    if (reached == 0) {
        return 0;
    }
    int code = at->per_sm == NULL ? gm_accounting_make_results(at, machine->sms, machine->banks,
                                                               machine->partitions, error)
                                  : 0;
    if (code == 0) {
        GM_SNAPSHOT_VALUE(snapshot, at->total);
        GM_SNAPSHOT_ARRAY(snapshot, at->per_sm, machine->sms);
        GM_SNAPSHOT_ARRAY(snapshot, at->per_bank, machine->banks);
        GM_SNAPSHOT_ARRAY(snapshot, at->per_partition, machine->partitions);
    }
    return code;
}

static int make_room(gm_cycle_run_state *run, uint64_t kernels, gm_error *error)
{
    if (kernels <= run->ended_size) {
        return 0;
    }
    gm_statistics *more = realloc(run->ended, 2 * kernels * sizeof *more);
    if (more == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: statistics of kernels");
    }
    run->ended = more;
    uint64_t *contents = realloc(run->ended_content, 2 * kernels * sizeof *contents);
    if (contents == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: statistics of kernels");
    }
    run->ended_content = contents;
    run->ended_size = 2 * kernels;
    return 0;
}

void gm_checkpoint_hash_command(gm_cycle_run_state *run, const gm_feed *feed)
{
    uint64_t hash = gm_content_word(run->content, (uint64_t)feed->kind);
    if (feed->kind == GM_FEED_COPY) {
        hash = gm_content_word(gm_content_word(hash, feed->address), feed->bytes);
    } else if (feed->kind == GM_FEED_KERNEL) {
        const gm_kernel *kernel = feed->kernel;
        hash = gm_content_bytes(hash, kernel->name, strlen(kernel->name));
        hash = gm_content_bytes(hash, kernel->grid, sizeof kernel->grid);
        hash = gm_content_bytes(hash, kernel->block, sizeof kernel->block);
        const uint64_t numbers[] = {kernel->id, kernel->shared_bytes, kernel->registers,
                                    kernel->shared_base, kernel->local_base};
        hash = gm_content_bytes(hash, numbers, sizeof numbers);
    }
    run->content = hash;
}

int gm_checkpoint_keep_kernel(gm_cycle_run_state *run, const gm_statistics *own, uint64_t content,
                              gm_error *error)
{
    if (run->options->checkpoint == NULL) {
        return 0;
    }
    int code = make_room(run, run->accounting.kernels, error);
    if (code == 0) {
        run->ended[run->accounting.kernels - 1] = *own;
        run->ended_content[run->accounting.kernels - 1] = content;
    }
    return code;
}

static void move_scheduler(gm_cta_scheduler *scheduler, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, scheduler->next);
    GM_SNAPSHOT_VALUE(snapshot, scheduler->closed_sms);
    GM_SNAPSHOT_VALUE(snapshot, scheduler->paced_sms);
    GM_SNAPSHOT_ARRAY(snapshot, scheduler->used, scheduler->sms);
    GM_SNAPSHOT_ARRAY(snapshot, scheduler->holds, scheduler->sms);
    GM_SNAPSHOT_ARRAY(snapshot, scheduler->closed, scheduler->sms);
}

/* Saves or loads the state behind the identity. */
static int move_state(gm_cycle_run_state *run, gm_snapshot *snapshot, gm_error *error)
{
    move_accounting(&run->accounting, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, run->position);
    GM_SNAPSHOT_VALUE(snapshot, run->watched);
    GM_SNAPSHOT_VALUE(snapshot, run->watched_work);
    GM_SNAPSHOT_VALUE(snapshot, run->watchdog_next);
    if (snapshot->loading && snapshot->failed == 0) {
        int room = make_room(run, run->accounting.kernels, error);
        if (room < 0) {
            return room;
        }
    }
    int code = move_warmed(run, snapshot, error);
    if (code < 0) {
        return code;
    }
    GM_SNAPSHOT_ARRAY(snapshot, run->ended, run->accounting.kernels);
    GM_SNAPSHOT_ARRAY(snapshot, run->ended_content, run->accounting.kernels);
    if (run->options->kernel_sms) {
        code = gm_kernel_sms_snapshot(&run->kernel_sms, run->accounting.kernels, snapshot, error);
        if (code < 0) {
            return code;
        }
    }
    GM_SNAPSHOT_VALUE(snapshot, run->files);
    GM_SNAPSHOT_VALUE(snapshot, run->content);
    move_scheduler(&run->scheduler, snapshot);
    gm_cta_dispatch_snapshot(&run->dispatch, snapshot);
    GM_SNAPSHOT_ARRAY(snapshot, run->l1_has, run->machine.sms);
    GM_SNAPSHOT_VALUE(snapshot, run->machine.unified);
    gm_cycle_machine_divide(&run->machine, &run->machine.unified); /* before the L1s' state */
    gm_cycle_machine_snapshot(&run->machine, snapshot);
    gm_cycle_analyses_snapshot(&run->analyses, snapshot);
    return gm_kernel_window_snapshot(&run->window, snapshot, error);
}

int gm_checkpoint_begin(gm_cycle_run_state *run, gm_error *error)
{
    if (run->options->checkpoint == NULL && run->options->resume == NULL) {
        return 0;
    }
    gm_snapshot snapshot = {0};
    int code = move_state(run, &snapshot, error);
    run->parts = snapshot.parts;
    return code;
}

static gm_cycle next_due(const gm_cycle_run_state *run)
{
    uint64_t every = run->options->checkpoint_every;
    return run->options->checkpoint == NULL ? GM_NEVER : (run->machine.now / every + 1) * every;
}

static int write_file(gm_cycle_run_state *run, gm_output *output, gm_error *error)
{
    const char *path = run->options->checkpoint;
    gm_snapshot snapshot = {.file = output->file};
    head head = {.bytes = 0};
    memcpy(head.magic, GM_CHECKPOINT_MAGIC, MAGIC);
    errno = 0;
    bool written = fwrite(&head, sizeof head, 1, output->file) == 1;
    int code = move_identity(run, &snapshot, path, error);
    code = code < 0 ? code : move_state(run, &snapshot, error);
    if (code < 0) {
        return code;
    }
    head.bytes = snapshot.bytes;
    head.sum = snapshot.sum;
    head.parts = run->parts;
    if (!written || snapshot.failed != 0 || fseek(output->file, 0, SEEK_SET) != 0 ||
        fwrite(&head, sizeof head, 1, output->file) != 1) {
        return gm_fail_errno(error, path);
    }
    return gm_output_commit(output, error);
}

int gm_checkpoint_save(gm_cycle_run_state *run, gm_error *error)
{
    gm_output output;
    run->next_checkpoint = next_due(run);
    int code = gm_output_open(&output, run->options->checkpoint, error);
    code = code < 0 ? code : write_file(run, &output, error);
    gm_output_discard(&output);
    return code;
}

/* Checks that the file is whole, and leaves its position at the beginning of the identity. Sets
 * *parts from the head. Returns 0, -EINVAL, or the negative errno value of the read. */
static int check_file(FILE *file, const char *path, uint64_t *parts, gm_error *error)
{
    head head;
    unsigned char piece[PIECE];
    if (fread(&head, sizeof head, 1, file) != 1 ||
        memcmp(head.magic, GM_CHECKPOINT_MAGIC, MAGIC) != 0) {
        return gm_fail(error, -EINVAL, "%s: not a checkpoint", path);
    }
    *parts = head.parts;
    uint64_t bytes = 0;
    uint64_t sum = 0;
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) != 0; bytes += got) {
        sum = crc32_z(sum, piece, got);
    }
    if (ferror(file)) {
        return gm_fail_errno(error, path);
    }
    if (bytes != head.bytes || sum != head.sum) {
        return gm_fail(error, -EINVAL, "%s: the checkpoint is damaged: %s", path,
                       bytes < head.bytes ? "it is cut short" : "its check sum is wrong");
    }
    return fseek(file, sizeof head, SEEK_SET) == 0 ? 0 : gm_fail_errno(error, path);
}

static int read_file(gm_cycle_run_state *run, FILE *file, gm_error *error)
{
    const char *path = run->options->resume;
    gm_snapshot snapshot = {.file = file, .loading = true};
    uint64_t parts = 0;
    int code = check_file(file, path, &parts, error);
    code = code < 0 ? code : move_identity(run, &snapshot, path, error);
    if (code == 0 && parts != run->parts) {
        return gm_fail(
            error, -EINVAL,
            "%s: a checkpoint of another build of goldmem %s, whose state has other parts", path,
            GM_VERSION);
    }
    code = code < 0 ? code : move_state(run, &snapshot, error);
    if (code == 0 && snapshot.failed != 0) {
        code =
            gm_fail(error, snapshot.failed, "%s: the checkpoint ends at %s", path, snapshot.part);
    }
    return code;
}

/* The input while it is read again up to the run's position. */
typedef struct reading {
    gm_cycle_run_state *run;
    uint64_t number;         /* number of the kernel */
    const gm_kernel *kernel; /* NULL: none yet */
    gm_cycle_delivered delivered;
} reading;

/* Fails: the input is another one. Names the kernel at which that was found. */
static int wrong_input(const reading *reading, gm_error *error)
{
    const char *path = reading->run->options->resume;
    if (reading->kernel == NULL) {
        return gm_fail(
            error, -EINVAL,
            "%s: the input is not the one that the checkpoint was made of: it has %" PRIu64
            " kernels, not %" PRIu64 " or more",
            path, reading->number, reading->run->accounting.kernels + 1);
    }
    return gm_fail(error, -EINVAL,
                   "%s: the input is not the one that the checkpoint was made of: kernel %" PRIu64
                   " (%.80s), or a copy before it, differs",
                   path, reading->number, reading->kernel->name);
}

/* Calls options->progress. Returns -EINTR if that stops the run; there is nothing new to save. */
static int check_progress(const reading *reading, gm_error *error)
{
    const gm_run_options *options = reading->run->options;
    const gm_run_progress progress = {.kernel = reading->number,
                                      .ctas_begun = reading->delivered.ctas};
    int code =
        options->progress == NULL ? 0 : options->progress(options->context, &progress, error);
    return code > 0 ? gm_fail(error, -EINTR, "interrupted while the input is read again") : code;
}

/* Counts a CTA that had been dispatched; with `attach`, its SM takes it back if it was resident. */
static int take_back(reading *reading, gm_cta *cta, bool attach, gm_error *error)
{
    gm_cycle_run_state *run = reading->run;
    gm_cycle_delivered *delivered = &reading->delivered;
    delivered->ctas++;
    delivered->warps += cta->warps;
    delivered->instructions += cta->core.warp_instructions;
    delivered->lanes += cta->core.thread_instructions;
    int code = check_progress(reading, error);
    code = code < 0 ? code : gm_opcode_tally_merge(&run->accounting.tally, &cta->tally, error);
    for (uint32_t i = 0; attach && code == 0 && i < run->machine.sms; i++) {
        code = gm_cycle_sm_attach(&run->machine.sm[i], cta, error);
    }
    if (code == -EPROTO) { /* its warps differ */
        return wrong_input(reading, error);
    }
    if (code == 0) {
        gm_feeder_recycle(run->feeder, cta);
    }
    return code;
}

/* True if CTA `cta` of the kernel, the `place`th of the source, had been dispatched. */
static bool was_dispatched(const gm_cycle_run_state *run, const gm_kernel_state *kernel,
                           const gm_cta *cta, uint64_t place)
{
    return run->dispatch.queued ? gm_cta_dispatch_has_placed(&run->dispatch, cta->number)
                                : place < kernel->dispatched;
}

/* Reads the CTAs that had been read of a kernel that was in the window, and its end if that had
 * been read. Those that had not been dispatched wait again. */
static int read_ctas(reading *reading, gm_window_kernel *kernel, gm_error *error)
{
    gm_cycle_run_state *run = reading->run;
    const gm_kernel_state *state = &kernel->state;
    for (uint64_t i = 0; i < state->read + state->whole; i++) {
        gm_feed feed;
        int code = gm_feeder_next(run->feeder, &feed, error);
        if (code < 0) {
            return code;
        }
        if ((feed.kind == GM_FEED_CTA) != (i < state->read)) {
            if (feed.kind == GM_FEED_CTA) {
                gm_feeder_recycle(run->feeder, feed.cta);
            }
            return wrong_input(reading, error);
        }
        if (i >= state->read) {
            break;
        }
        run->content = gm_content_word(run->content, feed.cta->content);
        feed.cta->kernel = state->number;
        if (was_dispatched(run, state, feed.cta, i)) {
            code = take_back(reading, feed.cta, true, error);
        } else if (run->dispatch.queued) {
            code = gm_feeder_park(run->feeder, feed.cta, error);
        } else {
            gm_kernel_window_keep(kernel, feed.cta);
        }
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

/* Reads a kernel that had been reported, and reports it. */
static int skip_kernel(reading *reading, gm_error *error)
{
    gm_cycle_run_state *run = reading->run;
    uint64_t number = reading->number;
    for (;;) {
        gm_feed feed;
        int code = gm_feeder_next(run->feeder, &feed, error);
        if (code < 0) {
            return code;
        }
        if (feed.kind != GM_FEED_CTA) {
            gm_cycle_analyses_recall(&run->analyses, number);
            if (run->options->kernel_sms) {
                gm_kernel_sms_recall(&run->kernel_sms, number);
                bool beside = run->ended[number].overlap.beside != 0;
                run->results->kernel_sms = beside ? NULL : run->kernel_sms.own;
            }
            return run->content == run->ended_content[number]
                       ? gm_accounting_report(&run->accounting, reading->kernel,
                                              &run->ended[number], error)
                       : wrong_input(reading, error);
        }
        run->content = gm_content_word(run->content, feed.cta->content);
        code = take_back(reading, feed.cta, false, error);
        if (code < 0) {
            return code;
        }
    }
}

/* Reads a kernel, whose header has been read. */
static int read_kernel(reading *reading, gm_kernel *kernel, gm_error *error)
{
    gm_cycle_run_state *run = reading->run;
    gm_kernel_window *window = &run->window;
    int code;
    reading->kernel = kernel;
    if (reading->number < run->accounting.kernels) {
        code = skip_kernel(reading, error);
        free(kernel);
        reading->kernel = NULL;
    } else if (reading->number - run->accounting.kernels < window->count) {
        gm_window_kernel *entry = &window->kernel[reading->number - run->accounting.kernels];
        entry->kernel = kernel; /* the window frees it */
        code = read_ctas(reading, entry, error);
    } else {
        code = wrong_input(reading, error);
        free(kernel);
    }
    reading->number++;
    return code;
}

/* Reads the commands that had been read. */
static int read_commands(reading *reading, gm_error *error)
{
    gm_cycle_run_state *run = reading->run;
    for (uint64_t i = 0; i < run->position.commands; i++) {
        gm_feed feed;
        int code = gm_feeder_next(run->feeder, &feed, error);
        if (code < 0) {
            return code;
        }
        if (feed.kind == GM_FEED_END) {
            reading->kernel = NULL;
            return wrong_input(reading, error);
        }
        gm_checkpoint_hash_command(run, &feed);
        if (feed.kind == GM_FEED_KERNEL) {
            code = read_kernel(reading, feed.kernel, error);
            if (code < 0) {
                return code;
            }
        }
    }
    return reading->number == run->accounting.kernels + run->window.count
               ? 0
               : wrong_input(reading, error);
}

/* Reads the input up to the run's position. */
static int read_input(gm_cycle_run_state *run, gm_error *error)
{
    reading reading = {.run = run};
    uint64_t content = run->content;
    run->content = 0;
    int code = read_commands(&reading, error);
    if (code == 0 &&
        (run->content != content ||
         memcmp(&reading.delivered, &run->position.delivered, sizeof reading.delivered) != 0)) {
        reading.number -= reading.kernel != NULL; /* the last one read */
        code = wrong_input(&reading, error);
    }
    return code;
}

int gm_checkpoint_resume(gm_cycle_run_state *run, gm_error *error)
{
    const char *path = run->options->resume;
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    uint64_t files = run->files;
    int code = read_file(run, file, error);
    fclose(file);
    if (code == 0 && run->files != files) {
        code = gm_fail(error, -EINVAL,
                       "%s: the input is not the one that the checkpoint was made of: the files "
                       "that %s reads differ",
                       path, run->source->name);
    }
    code = code < 0 ? code : read_input(run, error);
    run->next_checkpoint = next_due(run);
    return code;
}

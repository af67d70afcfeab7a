/* goldmem sweep: runs of inputs under combinations of keys. sweep_file.c reads what is to be run,
 * sweep_names.c names its files, sweep_local.c runs it here, sweep_slurm.c submits it to Slurm,
 * sweep_results.c gathers. */
#ifndef GOLDMEM_CLI_SWEEP_H
#define GOLDMEM_CLI_SWEEP_H

#include "goldmem/config.h"
#include "goldmem/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    GM_SWEEP_ID = 16,
    GM_SWEEP_RUNS = 1000000,
    GM_SWEEP_PATH = 4096,
    GM_SWEEP_FOLDER = GM_SWEEP_PATH - 128
};

/* One run. */
typedef struct gm_sweep_run {
    json_t *keys;     /* object: what varies between runs (gm_sweep.columns): value in force */
    json_t *argument; /* array: arguments of goldmem run, but for those that name files of the
                         sweep; the input is the last */
    uint64_t machine; /* gm_sweep_hash_machine of its configuration */
    char *point;      /* name of its point of `list`; NULL: none */
    char id[GM_SWEEP_ID + 1]; /* of this program, the arguments, and the files that they name: a
                                 report of this name need not be made again */
    bool repeats;             /* has the id of an earlier run, whose report is this one's too */
} gm_sweep_run;

/* All runs, in order: the input varies slowest, then lists, zips and the grid's last key fastest.
 */
typedef struct gm_sweep {
    const char *file;
    json_t *columns; /* array: names of what varies: preset, config, engine, keys */
    gm_sweep_run *run;
    size_t runs;
    bool has_points;
    char folder[GM_SWEEP_FOLDER]; /* of reports and results */
    char program[GM_SWEEP_PATH];
} gm_sweep;

/* Reads a sweep from YAML and checks it: names and values of keys, presets, inputs. Returns 0,
 * -ENOMEM, another negative errno value of a file, or -EINVAL with "FILE:LINE: ...". The sweep must
 * be freed in each case. */
int gm_sweep_read(gm_sweep *sweep, const char *file, gm_error *error);
void gm_sweep_free(gm_sweep *sweep);

/* Returns a hash of the values of a configuration and of the files that they name, whatever files
 * it was read from. */
uint64_t gm_sweep_hash_machine(const gm_config *config);

/* Names the runs (gm_sweep_run.id, repeats). Requires `program`. Returns 0 or a negative errno
 * value. */
int gm_sweep_name_runs(gm_sweep *sweep, gm_error *error);

/* Writes FOLDER/runs/ID.SUFFIX of a run. */
void gm_sweep_path(const gm_sweep *sweep, const gm_sweep_run *run, const char *suffix,
                   char path[GM_SWEEP_PATH]);

/* Returns true if the run's report is there. */
bool gm_sweep_is_done(const gm_sweep *sweep, const gm_sweep_run *run);

/* Appends a word to a shell's command line, in quotes where it needs them. */
void gm_sweep_write_word(FILE *file, const char *word);

/* Returns the command that repeats a run, as a shell takes it (heap), or NULL. */
char *gm_sweep_command(const gm_sweep_run *run);

typedef struct gm_sweep_options {
    unsigned jobs;             /* at a time */
    uint64_t checkpoint_every; /* core cycles; 0: no checkpoints */
    bool quiet;
} gm_sweep_options;

/* Runs [first, first + count) that are not done and repeat no other, `jobs` at a time, each as a
 * process; goes on from checkpoints that an earlier process left. A line on standard error for
 * each. Returns 0 (also if runs failed), -EINTR after a signal, or another negative errno value. */
int gm_sweep_run_here(gm_sweep *sweep, size_t first, size_t count, const gm_sweep_options *options,
                      gm_error *error);

/* What became of the runs. */
typedef struct gm_sweep_counts {
    size_t done, failed, missing;
} gm_sweep_counts;

/* Writes FOLDER/results.csv and FOLDER/results.jsonl: a row for each run. Returns 0 or a negative
 * errno value. */
int gm_sweep_gather(const gm_sweep *sweep, gm_sweep_counts *counts, gm_error *error);

/* Prints totals, then each failed run with its message and the command that repeats it. */
void gm_sweep_tell(const gm_sweep *sweep, const gm_sweep_counts *counts);

typedef struct gm_sweep_slurm {
    const char *partition; /* NULL: Slurm's default */
    json_t *options;       /* array: further options of sbatch */
    bool wait;             /* until the results are gathered */
} gm_sweep_slurm;

/* Submits the runs that are not done and repeat no other to Slurm as job arrays, and a job behind
 * them that gathers. Prints the jobs' numbers. Returns 0 or a negative errno value. */
int gm_sweep_submit(const gm_sweep *sweep, const gm_sweep_options *options,
                    const gm_sweep_slurm *slurm, gm_error *error);

/* Reads what a failed run left, FOLDER/runs/ID.failed: {"exit": N or "signal": N, "message": ...}.
 * Returns a new reference, or NULL if it did not fail. */
json_t *gm_sweep_failure(const gm_sweep *sweep, const gm_sweep_run *run);

#endif

/* Checkpoints: a run's whole state in a file, from which another run continues to the same results.
 *
 * A file: 8 bytes GM_CHECKPOINT_MAGIC; the length of what follows the head in bytes, its CRC-32,
 * and the CRC-32 of the names and sizes of what the machine's state consists of (8 bytes each);
 * then the version, every configuration key with its value, the books, and the machine's state as
 * its components name it (snapshot.h). The instructions of resident CTAs are not in it: they are
 * read again from the input, up to where the run stood. Little-endian; only the version that wrote
 * a file reads it, and of a version's builds those whose state has the same parts. */
#ifndef GOLDMEM_CYCLE_ENGINE_CHECKPOINT_H
#define GOLDMEM_CYCLE_ENGINE_CHECKPOINT_H

#include "cycle/engine/run_state.h"

#define GM_CHECKPOINT_MAGIC "GMCKPT2\n"

/* Notes what the state of a run that has just been started consists of, if it is to be saved or
 * loaded. -ENOMEM. */
int gm_checkpoint_begin(gm_cycle_run_state *run, gm_error *error);

/* Writes options->checkpoint, as cycle `now` has ended, and says when the next is due. */
int gm_checkpoint_save(gm_cycle_run_state *run, gm_error *error);

/* The source has delivered a copy or a kernel: run->content takes it in. */
void gm_checkpoint_hash_command(gm_cycle_run_state *run, const gm_feed *feed);

/* A kernel has ended: its statistics are kept for the files to come. -ENOMEM. */
int gm_checkpoint_keep_kernel(gm_cycle_run_state *run, const gm_statistics *own, gm_error *error);

/* Reads options->resume into a run that has just been started, and reads the input up to where the
 * run stood; options->kernel_done is called for the kernels that had ended. *kernel, freed by the
 * caller, is the one in the middle of which the run stands. -EINVAL: the file is no checkpoint, is
 * damaged, or is of another version, configuration or input. */
int gm_checkpoint_resume(gm_cycle_run_state *run, gm_kernel **kernel, gm_error *error);

#endif

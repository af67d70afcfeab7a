/* Checkpoints: a run's state in a file, from which another run continues to equal results.
 *
 * The file has a head: 8 bytes GM_CHECKPOINT_MAGIC; the length in bytes of what follows the head;
 * its CRC-32; the CRC-32 of the names and sizes of the state's parts (8 bytes each). Then follow
 * the version, every configuration key with its value, the accounting, and the machine's state in
 * parts named by its units (snapshot.h). The instructions of resident CTAs are not in the file: the
 * resumed run reads its input again up to its position. Little-endian. A file is read only by the
 * version that wrote it, and only by builds whose state has equal parts. */
#ifndef GOLDMEM_CYCLE_ENGINE_CHECKPOINT_H
#define GOLDMEM_CYCLE_ENGINE_CHECKPOINT_H

#include "cycle/engine/run_state.h"

#define GM_CHECKPOINT_MAGIC "GMCKPT2\n"

/* Computes run->parts if the run has checkpoints or is resumed. Requires that the run has just been
 * started. Returns 0 or -ENOMEM. */
int gm_checkpoint_begin(gm_cycle_run_state *run, gm_error *error);

/* Writes options->checkpoint at the end of cycle `now`, and sets run->next_checkpoint. Returns 0 or
 * a negative errno value. */
int gm_checkpoint_save(gm_cycle_run_state *run, gm_error *error);

/* Adds a copy or kernel that the source has delivered to the hash run->content. */
void gm_checkpoint_hash_command(gm_cycle_run_state *run, const gm_feed *feed);

/* Keeps the statistics of the kernel reported next, for later files, and `content`, the run's
 * content hash behind its last CTA. Returns 0 or -ENOMEM. */
int gm_checkpoint_keep_kernel(gm_cycle_run_state *run, const gm_statistics *own, uint64_t content,
                              gm_error *error);

/* Loads options->resume, and reads the input up to the run's position, calling options->kernel_done
 * for the kernels that had been reported. Requires that the run has just been started. Returns 0,
 * -EINVAL if the file is no checkpoint, is damaged, or is of another version, configuration or
 * input, or another negative errno value. */
int gm_checkpoint_resume(gm_cycle_run_state *run, gm_error *error);

#endif

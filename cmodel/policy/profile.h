/* Profiles: the number of references to each line by the loads of each SM, kernel by kernel [li,
 * 6.1]. A profiling run (goldmem run --write-profile) writes a profile, a run with
 * l1.bypass=profiled reads it.
 *
 * A file is text; numbers are decimal, but line addresses, which are hexadecimal:
 *
 *     goldmem-profile 1
 *     l1.line 128
 *     gpu.sms 15
 *     sm.warps 48
 *     kernel 0 grid 120 1 1 block 256 1 1 lines 2
 *     1c00000 3:8 4:1
 *     1c00001 3:8
 *     end 1
 *
 * Each kernel's heading is followed by its lines, in ascending order: the line's address divided by
 * l1.line, then for each SM that referenced it, in ascending order, SM:references.
 * `end` has the number of kernels. A run that reads the file must have the values of the
 * three keys; its kernels are matched by their number and must have the grid and block given here.
 */
#ifndef GOLDMEM_POLICY_PROFILE_H
#define GOLDMEM_POLICY_PROFILE_H

#include "goldmem/config.h"
#include "goldmem/source.h"

#include <stdbool.h>
#include <stdint.h>

/* Writing. */
typedef struct gm_profile_writer gm_profile_writer;

/* Opens the file. Returns 0 or a negative errno value. Requires gm_profile_writer_free even after a
 * failure. */
int gm_profile_writer_open(gm_profile_writer **writer, const char *path, const gm_config *config,
                           gm_error *error);

/* Counts a load request of an SM that left the coalescer. */
void gm_profile_count(gm_profile_writer *writer, uint64_t line, uint32_t sm);

/* Writes the references of the kernel that ended. Returns 0, or -ENOMEM if the counts could not
 * grow. */
int gm_profile_writer_kernel(gm_profile_writer *writer, const gm_kernel *kernel, gm_error *error);

/* Ends the file and gives it its name; without this call no file remains. */
int gm_profile_writer_commit(gm_profile_writer *writer, gm_error *error);
void gm_profile_writer_free(gm_profile_writer *writer);

/* Reading. */
typedef struct gm_profile gm_profile;

/* Opens the file of l1.profile and reads it once. Returns 0, or -EINVAL, which names the file, the
 * line, the field and its value. */
int gm_profile_open(gm_profile **into, const gm_config *config, gm_error *error);
void gm_profile_close(gm_profile *profile);

/* Reads the references of kernel `number` of the run for gm_profile_keeps. Returns 0, -EINVAL or
 * -ENOMEM. */
int gm_profile_kernel(gm_profile *profile, uint64_t number, const gm_kernel *kernel,
                      gm_error *error);

/* Returns true if the references of a line reach l1.profile_threshold. l1.profile_filter selects
 * the references: local: of this SM (intra-SM reuse); global: of all other SMs (inter-SM reuse);
 * both: of the whole kernel. */
bool gm_profile_keeps(const gm_profile *profile, uint64_t line, uint32_t sm);

#endif

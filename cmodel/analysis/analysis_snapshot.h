/* Saves the analyses of a run to its checkpoints, and loads them back. */
#ifndef GOLDMEM_ANALYSIS_ANALYSIS_SNAPSHOT_H
#define GOLDMEM_ANALYSIS_ANALYSIS_SNAPSHOT_H

#include "base/snapshot.h"
#include "goldmem/analysis.h"

/* Saves or loads the state of all analyses that are turned on. Loading requires analyses of the
 * same kinds and sampling that have counted nothing. */
void gm_analysis_snapshot(gm_analysis *analysis, gm_snapshot *snapshot);

/* Keeps what gm_analysis_read_kernel returns of every kernel from now on. */
void gm_analysis_keep_kernels(gm_analysis *analysis);

/* Lets gm_analysis_read_kernel return the results of the `place`th kernel that ended, from 0.
 * Requires gm_analysis_keep_kernels. */
void gm_analysis_recall_kernel(gm_analysis *analysis, uint64_t place);

#endif

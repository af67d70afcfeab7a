/* Estimates from sampled units (goldmem/sample.h): a ratio estimator over the warp instructions of
 * the units, whose number in the whole is known. [cochran, 6] of ratio estimators; [wunderlich
 * 2003, SMARTS] uses one for cycles. */
#ifndef GOLDMEM_STATS_SAMPLE_ESTIMATE_H
#define GOLDMEM_STATS_SAMPLE_ESTIMATE_H

#include "goldmem/sample.h"
#include "goldmem/statistics.h"

/* What a unit has done. */
typedef struct gm_sample_unit {
    double instructions; /* warp instructions issued; more than 0 */
    double counter[GM_SAMPLE_COUNTER_COUNT];
} gm_sample_unit;

/* Errors of the estimates of a kernel, or of the sum of kernels. All 0: nothing is estimated. */
typedef struct gm_sample_variance {
    double counter[GM_SAMPLE_COUNTER_COUNT];
    double spread[GM_SAMPLE_COUNTER_COUNT];    /* sum of variance squared / degrees of freedom */
    double with[GM_SAMPLE_RATIO_COUNT];        /* covariance of a ratio's two counters */
    double estimated[GM_SAMPLE_COUNTER_COUNT]; /* part of the estimate that no unit has measured */
    double degrees;                            /* fewest degrees of freedom of a kernel; 0: none */
} gm_sample_variance;

/* Returns the two-sided 95% quantile of Student's t, 1 degree of freedom or more. Between rows of
 * its table it returns the larger one. */
double gm_sample_student(double degrees);

/* Returns the variances of the estimates of a part with so many warp instructions, from units in
 * it. Requires 2 units or more. */
gm_sample_variance gm_sample_variance_of(const gm_sample_unit *unit, uint64_t units,
                                         double instructions);

/* Adds the variances of another kernel. */
void gm_sample_variance_add(gm_sample_variance *sum, const gm_sample_variance *more);

/* Sets the counters of statistics that intervals are given of. */
void gm_sample_read(const gm_statistics *statistics, double counter[GM_SAMPLE_COUNTER_COUNT]);

/* Sets the intervals of an estimate, whose values are those of `statistics`: on each side the
 * sampling error by Student's t, and GM_SAMPLE_BIAS percent of the part that is not measured. */
void gm_sample_set_intervals(gm_sample_estimate *estimate, const gm_statistics *statistics,
                             const gm_sample_variance *variance);

#endif

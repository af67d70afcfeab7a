/* What the tests of cores_sampling share: the machine of the paper, and requests whose state is
 * checked. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_CORES_SAMPLING_RUN_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_CORES_SAMPLING_RUN_H

#include "goldmem/cores_sampling.h"
#include "support/support.h"

/* 15 SMs with 2 schedulers of 24 warps, periods of 10,000 cycles and the threshold are [khairy,
 * Tables 1 and 4]; N and M are modelling choices whose sum is the paper's 60,000 cycles. */
static const gm_cores_sampling_parameters table_4 = {.sms = 15,
                                                     .warps = 24,
                                                     .miss_bits = 14,
                                                     .issue_bits = 15,
                                                     .threshold = 10,
                                                     .hot = 3,
                                                     .samples = 3,
                                                     .entries = 8,
                                                     .kernel_bits = 32};

static inline gm_cores_sampling make(gm_cores_sampling_parameters p)
{
    gm_cores_sampling sampling;
    gm_error error;
    test_ok(gm_cores_sampling_init(&sampling, &p, &error), error);
    return sampling;
}

static inline gm_cores_sampling_response act(gm_cores_sampling *sampling,
                                             gm_cores_sampling_request request)
{
    gm_error error;
    gm_cores_sampling_response response = gm_cores_sampling_access(sampling, request);
    assert_int_equal(gm_cores_sampling_check(sampling, &error), 0);
    return response;
}

#endif

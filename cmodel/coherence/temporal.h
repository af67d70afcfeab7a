/* Temporal Coherence: the parameters of its blocks in a configuration. */
#ifndef GOLDMEM_COHERENCE_TEMPORAL_H
#define GOLDMEM_COHERENCE_TEMPORAL_H

#include "goldmem/config.h"
#include "goldmem/gwct.h"
#include "goldmem/lease_store.h"
#include "goldmem/lifetime_predictor.h"
#include "goldmem/tc_l1.h"
#include "goldmem/tc_l2.h"

/* Of an L1, of its SM, and of an L2 bank. Require coherence.protocol tcs or tcw. */
gm_tc_l1_parameters gm_temporal_tc_l1(const gm_config *config);
gm_gwct_parameters gm_temporal_gwct(const gm_config *config);
gm_tc_l2_parameters gm_temporal_tc_l2(const gm_config *config);
gm_lease_store_parameters gm_temporal_lease_store(const gm_config *config);
gm_lifetime_predictor_parameters gm_temporal_predictor(void);

#endif

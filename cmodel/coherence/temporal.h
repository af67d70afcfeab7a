/* Temporal Coherence: its state, and the parameters of its blocks in a configuration. */
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

/* What gm_coherence_l1.state points to. */
typedef struct gm_temporal_l1 {
    gm_tc_l1 copies;
    gm_gwct gwct;
} gm_temporal_l1;

/* What gm_coherence_l2.state points to. */
typedef struct gm_temporal_l2 {
    gm_tc_l2 lines;
    gm_lease_store store;
    gm_lifetime_predictor predictor;
    uint64_t lifetime; /* of a lease [core cycles], or GM_PREDICTED */
    uint32_t budget;   /* most leases stored and MSHR entries in use together */
    uint32_t stored;   /* leases in the store, at most */
} gm_temporal_l2;

#endif

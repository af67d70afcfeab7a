/* Coherence protocols by their names in a configuration. */
#include "coherence/coherence.h"

#include "goldmem/bits.h"

const gm_coherence_ops *gm_coherence_ops_of(const gm_config *config)
{
    switch (config->coherence.protocol) {
    case GM_COHERENCE_NONE:
        break;
    case GM_COHERENCE_IDEAL:
        return &gm_coherence_ideal;
    case GM_COHERENCE_TCS:
    case GM_COHERENCE_TCW:
        return &gm_coherence_temporal;
    case GM_COHERENCE_VI:
        return &gm_coherence_vi;
    case GM_COHERENCE_VINI:
        return &gm_coherence_vini;
    case GM_COHERENCE_MESI:
        return &gm_coherence_mesi;
    }
    return NULL;
}

void gm_coherence_time_init(gm_coherence_time *time, const gm_config *config)
{
    const gm_coherence_ops *ops = gm_coherence_ops_of(config);
    *time = (gm_coherence_time){.end = UINT64_MAX};
    if (ops != NULL && ops->leases) {
        time->last = gm_mask((unsigned)config->coherence.time_bits);
        time->end = time->last + 1;
    }
}

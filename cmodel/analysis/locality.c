/* Locality classes [khairy, 3.1, figure 3]: each reference to a line that was referenced before in
 * the same cache is classed by who referenced it last. An L1 sees its own SM's references only. */
#include "analysis/locality.h"

#include <errno.h>
#include <stdlib.h>

typedef struct reference {
    uint64_t kernel;
    uint64_t cta;
    uint64_t warp;
    uint32_t sm;
    uint32_t lanes;
} reference;

int gm_locality_create(gm_locality *locality, uint64_t units, gm_locality_results *results)
{
    *locality = (gm_locality){.units = units, .results = results};
    locality->last = calloc(units, sizeof *locality->last);
    if (locality->last == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < units; i++) {
        gm_line_table_init(&locality->last[i], sizeof(reference));
    }
    return 0;
}

static gm_locality_class classify(const reference *last, const gm_analysis_access *access)
{
    if (last->kernel != access->kernel) {
        return GM_LOCALITY_inter_kernel;
    }
    if (last->sm != access->sm) {
        return GM_LOCALITY_inter_sm;
    }
    if (last->cta != access->cta) {
        return GM_LOCALITY_intra_sm;
    }
    if (last->warp != access->warp) {
        return GM_LOCALITY_intra_cta;
    }
    return (last->lanes & access->lanes) != 0 ? GM_LOCALITY_intra_thread : GM_LOCALITY_inter_thread;
}

int gm_locality_access(gm_locality *locality, uint64_t unit, const gm_analysis_access *access)
{
    bool fresh = false;
    reference *last = gm_line_table_get(&locality->last[unit], access->line, &fresh);
    if (last == NULL) {
        return -ENOMEM;
    }
    gm_locality_results *results = locality->results;
    results->accesses++;
    if (fresh) {
        results->first++;
    } else {
        gm_locality_class class = classify(last, access);
        results->references[class]++;
        results->hits[class] += access->hit;
    }
    *last = (reference){.kernel = access->kernel,
                        .cta = access->cta,
                        .warp = access->warp,
                        .sm = access->sm,
                        .lanes = access->lanes};
    return 0;
}

void gm_locality_snapshot(gm_locality *locality, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, *locality->results);
    for (uint64_t i = 0; i < locality->units; i++) {
        gm_line_table_snapshot(&locality->last[i], snapshot);
    }
}

void gm_locality_free(gm_locality *locality)
{
    for (uint64_t i = 0; locality->last != NULL && i < locality->units; i++) {
        gm_line_table_free(&locality->last[i]);
    }
    free(locality->last);
    locality->last = NULL;
}

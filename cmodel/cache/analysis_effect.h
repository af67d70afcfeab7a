/* What an access would do to any cache of its level's policies that does not hold the line: for the
 * shadow caches of the analyses (goldmem/analysis.h), in both engines. */
#ifndef GOLDMEM_CACHE_ANALYSIS_EFFECT_H
#define GOLDMEM_CACHE_ANALYSIS_EFFECT_H

#include "cache/l1_access_rules.h"
#include "cache/l2_access_rules.h"
#include "goldmem/analysis.h"

/* Sets `fills` and `drops` of an access of an L1. Requires its `bypass` and `referenced`. */
static inline void gm_analysis_effect_l1(const gm_l1_policy *policy, const gm_l1_access *request,
                                         gm_analysis_access *access)
{
    if (access->bypass) {
        access->drops = !access->referenced;
        access->fills = 0;
        return;
    }
    const gm_l1_line line = {.place = GM_L1_ABSENT};
    const gm_l1_effect effect = gm_l1_access_effect(policy, request, &line);
    access->drops = effect.invalidates;
    access->fills = effect.validated;
}

/* Sets `origin`, `kind`, `fills`, `block`, `whole` and `lazy` of a message at an L2 bank.
 * `written`: its `whole`, or `bytes` where it has these. Requires its `sectors` and `bypass`. */
static inline void gm_analysis_effect_l2(const gm_l2_policy *policy, gm_message_kind kind,
                                         uint32_t written, bool bytes, gm_analysis_access *access)
{
    static const gm_analysis_origin origins[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = GM_ORIGIN_WARP,
        [GM_MESSAGE_WRITE] = GM_ORIGIN_WARP,
        [GM_MESSAGE_WRITE_BACK] = GM_ORIGIN_WRITE_BACK,
        [GM_MESSAGE_ATOMIC] = GM_ORIGIN_WARP,
        [GM_MESSAGE_REDUCTION] = GM_ORIGIN_WARP,
        [GM_MESSAGE_INSTRUCTION] = GM_ORIGIN_CODE,
        [GM_MESSAGE_EVICT] = GM_ORIGIN_COPY, /* installs a line, and is no access */
        [GM_MESSAGE_INSTALL] = GM_ORIGIN_COPY,
        [GM_MESSAGE_DISCARD] = GM_ORIGIN_COPY,
    };
    access->origin = origins[kind];
    access->kind = gm_message_access(kind);
    bool copied = access->origin == GM_ORIGIN_COPY;
    bool line = !copied && !policy->sectored;
    access->fills = access->bypass ? 0 : line ? policy->all_sectors : access->sectors;
    bool reads = access->kind == GM_LOAD || access->kind == GM_INSTRUCTION;
    access->block = reads ? policy->fetch_sectors : 0;
    access->lazy = policy->fetch_on_write == GM_FETCH_LAZY;
    bool all = copied || (bytes && written == UINT32_MAX);
    access->whole = all ? access->sectors : bytes ? 0 : written;
}

#endif

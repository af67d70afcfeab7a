/* Warp limiter [khairy, 4.2]: allows the oldest warps of a scheduler to issue. Keeps the warps in a
 * list by age, and walks it from the oldest. */
#include "goldmem/warp_limiter.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

int gm_warp_limiter_init(gm_warp_limiter *limiter, const gm_warp_limiter_parameters *parameters,
                         gm_error *error)
{
    unsigned warps = parameters->warps;
    if (warps < 2 || warps > GM_WARP_LIMITER_WARPS) {
        return gm_fail(error, -EINVAL, "warp_limiter: warps %u: must be 2 to %d", warps,
                       GM_WARP_LIMITER_WARPS);
    }
    *limiter = (gm_warp_limiter){.parameters = *parameters, .limit = warps};
    for (unsigned i = 0; i < warps; i++) {
        limiter->order[i] = (uint8_t)i;
    }
    return 0;
}

/* Moves the admitted warps behind all others, by their numbers. */
static void admit(gm_warp_limiter *limiter, uint64_t admitted)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < limiter->parameters.warps; i++) {
        if ((admitted >> limiter->order[i] & 1) == 0) {
            limiter->order[kept++] = limiter->order[i];
        }
    }
    for (; admitted != 0; admitted &= admitted - 1) {
        limiter->order[kept++] = (uint8_t)gm_lowest_one(admitted);
    }
}

/* Returns the warps that have fewer than the limit of those that count in front of them. */
static uint64_t allowed(const gm_warp_limiter *limiter)
{
    uint64_t allowed = 0;
    uint32_t older = 0;
    if (limiter->limit >= limiter->parameters.warps) {
        return gm_mask(limiter->parameters.warps);
    }
    for (unsigned i = 0; i < limiter->parameters.warps && older < limiter->limit; i++) {
        unsigned warp = limiter->order[i];
        allowed |= UINT64_C(1) << warp;
        older += (uint32_t)(limiter->counts >> warp & 1);
    }
    return allowed;
}

gm_warp_limiter_response gm_warp_limiter_access(gm_warp_limiter *limiter,
                                                gm_warp_limiter_request request)
{
    unsigned warps = limiter->parameters.warps;
    gm_assert((request.admit | request.resume | request.hold) <= gm_mask(warps) &&
                  request.sets < 2 && request.limit <= gm_mask(gm_log2_ceil(warps + 1)),
              "warp_limiter: admit %llx, resume %llx, hold %llx, sets %llu, limit %llu",
              (unsigned long long)request.admit, (unsigned long long)request.resume,
              (unsigned long long)request.hold, (unsigned long long)request.sets,
              (unsigned long long)request.limit);
    if (request.admit != 0) {
        admit(limiter, request.admit);
    }
    limiter->counts = (limiter->counts | request.admit | request.resume) & ~request.hold;
    if (request.sets == GM_WARP_LIMITER_SET) {
        limiter->limit = (uint32_t)request.limit;
    }
    const gm_warp_limiter_response response = {.allowed = allowed(limiter)};
    gm_error error;
    gm_assert(gm_warp_limiter_check(limiter, &error) == 0, "%s", error.text);
    if (limiter->observer != NULL) {
        gm_warp_limiter_tell(limiter->observer, request, response);
    }
    return response;
}

bool gm_warp_limiter_is_older(const gm_warp_limiter *limiter, unsigned a, unsigned b)
{
    unsigned place = 0;
    while (limiter->order[place] != a && limiter->order[place] != b) {
        place++;
    }
    return limiter->order[place] == a && a != b;
}

int gm_warp_limiter_check(const gm_warp_limiter *limiter, gm_error *error)
{
    unsigned warps = limiter->parameters.warps;
    uint64_t seen = 0;
    for (unsigned i = 0; i < warps; i++) {
        if (limiter->order[i] >= warps || (seen >> limiter->order[i] & 1) != 0) {
            return gm_fail(error, -EINVAL,
                           "warp_limiter: warp %u at place %u: is no warp, or twice",
                           limiter->order[i], i);
        }
        seen |= UINT64_C(1) << limiter->order[i];
    }
    return (limiter->counts & ~seen) == 0
               ? 0
               : gm_fail(error, -EINVAL, "warp_limiter: counts %llx: beyond %u warps",
                         (unsigned long long)limiter->counts, warps);
}

GM_PORTS_TABLE(warp_limiter, WARP_LIMITER)

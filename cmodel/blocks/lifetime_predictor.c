/* Lifetime predictor [singh, 6.4]: raises and lowers one lifetime by an L2 bank's events. */
#include "goldmem/lifetime_predictor.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

int gm_lifetime_predictor_init(gm_lifetime_predictor *predictor,
                               const gm_lifetime_predictor_parameters *parameters, gm_error *error)
{
    const gm_lifetime_predictor_parameters *p = parameters;
    if (p->life_bits < 1 || p->life_bits > 32) {
        return gm_fail(error, -EINVAL, "lifetime_predictor: life_bits %u: must be 1 to 32",
                       p->life_bits);
    }
    unsigned most = (unsigned)gm_mask(p->life_bits);
    const struct {
        const char *name;
        unsigned value, most;
    } ranges[] = {
        {"hit", p->hit, most}, {"evict", p->evict, most},   {"write", p->write, most},
        {"max", p->max, most}, {"start", p->start, p->max},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "lifetime_predictor: %s %u: must be at most %u",
                           ranges[i].name, ranges[i].value, ranges[i].most);
        }
    }
    *predictor = (gm_lifetime_predictor){.parameters = *p, .life = p->start};
    return 0;
}

static void increase(gm_lifetime_predictor *predictor, uint64_t amount)
{
    uint64_t life = predictor->life + amount;
    uint64_t max = predictor->parameters.max;
    predictor->life = (uint32_t)(life < max ? life : max);
}

static void decrease(gm_lifetime_predictor *predictor, uint32_t amount)
{
    predictor->life = predictor->life > amount ? predictor->life - amount : 0;
}

gm_lifetime_predictor_response gm_lifetime_predictor_access(gm_lifetime_predictor *predictor,
                                                            gm_lifetime_predictor_request request)
{
    const gm_lifetime_predictor_parameters *p = &predictor->parameters;
    gm_assert(request.op < 8, "lifetime_predictor: operation %llu", (unsigned long long)request.op);
    gm_assert(request.expired_l1 < 2 && request.expired_l2 < 2 && request.unexpired < 2,
              "lifetime_predictor: expired %llu, %llu, unexpired %llu",
              (unsigned long long)request.expired_l1, (unsigned long long)request.expired_l2,
              (unsigned long long)request.unexpired);
    switch (request.op) {
    case GM_LIFETIME_PREDICTOR_LOAD:
        if (request.expired_l1 != 0 || request.expired_l2 != 0) {
            increase(predictor, p->hit);
        }
        break;
    case GM_LIFETIME_PREDICTOR_EVICT:
        decrease(predictor, request.unexpired != 0 ? p->evict : 0);
        break;
    case GM_LIFETIME_PREDICTOR_STORE:
        decrease(predictor, request.unexpired != 0 && predictor->fenced ? p->write : 0);
        break;
    case GM_LIFETIME_PREDICTOR_FENCED:
        predictor->fenced = true;
        break;
    default:
        predictor->life = p->start;
        predictor->fenced = false;
    }
    gm_error error;
    gm_assert(gm_lifetime_predictor_check(predictor, &error) == 0, "%s", error.text);
    gm_lifetime_predictor_response response = {.life = predictor->life};
    if (predictor->observer != NULL) {
        gm_lifetime_predictor_tell(predictor->observer, request, response);
    }
    return response;
}

int gm_lifetime_predictor_check(const gm_lifetime_predictor *predictor, gm_error *error)
{
    return predictor->life <= predictor->parameters.max
               ? 0
               : gm_fail(error, -EINVAL, "lifetime_predictor: lifetime %u above %u",
                         predictor->life, predictor->parameters.max);
}

GM_PORTS_TABLE(lifetime_predictor, LIFETIME_PREDICTOR)

/* SM dueling [li, 4.3]: counts accesses and misses of two SMs over an interval, one in every
 * period, and compares. */
#include "goldmem/sm_dueling.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

int gm_sm_dueling_init(gm_sm_dueling *dueling, const gm_sm_dueling_parameters *parameters,
                       gm_error *error)
{
    const gm_sm_dueling_parameters *p = parameters;
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"interval", p->interval, 1, 65535},
        {"count_bits", p->count_bits, 1, 16},
        {"difference", p->difference, 0, 100},
        {"period", p->period, 1, 65535},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "sm_dueling: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    *dueling = (gm_sm_dueling){.parameters = *p};
    return 0;
}

/* Counts an access while sampling, until the counter of accesses is at its limit. */
static void count(gm_sm_dueling *dueling, unsigned sm, bool miss)
{
    if (dueling->phase == 0 && dueling->accesses[sm] < gm_mask(dueling->parameters.count_bits)) {
        dueling->accesses[sm]++;
        dueling->misses[sm] += miss;
    }
}

/* Compares the rates m0/a0 and m1/a1 [%], multiplied by a0 a1 to avoid a division. */
static void decide(gm_sm_dueling *dueling)
{
    uint64_t a0 = dueling->accesses[0];
    uint64_t a1 = dueling->accesses[1];
    uint64_t rate0 = 100 * dueling->misses[0] * a1;
    uint64_t rate1 = 100 * dueling->misses[1] * a0;
    uint64_t difference = dueling->parameters.difference * a0 * a1;
    if (rate0 > rate1 + difference) {
        dueling->decoupled = false;
    } else if (!dueling->parameters.hysteresis || rate1 > rate0 + difference) {
        dueling->decoupled = true;
    }
}

/* Advances the interval. Returns true if that ended a sampling interval with a decision. */
static bool advance(gm_sm_dueling *dueling, uint32_t amount)
{
    dueling->elapsed += amount;
    if (dueling->elapsed < dueling->parameters.interval) {
        return false;
    }
    bool decided = dueling->accesses[0] > 0 && dueling->accesses[1] > 0; /* while sampling only */
    if (decided) {
        decide(dueling);
    }
    dueling->elapsed = 0;
    dueling->phase = (dueling->phase + 1) % dueling->parameters.period;
    for (unsigned sm = 0; sm < 2; sm++) {
        dueling->accesses[sm] = 0;
        dueling->misses[sm] = 0;
    }
    return decided;
}

static void assert_request(const gm_sm_dueling *dueling, const gm_sm_dueling_request *request)
{
    bool counts = request->op == GM_SM_DUELING_ACCESS;
    gm_assert(request->op < 4, "sm_dueling: operation %llu", (unsigned long long)request->op);
    gm_assert(!counts || request->sm < 2, "sm_dueling: SM %llu", (unsigned long long)request->sm);
    gm_assert(!counts || request->miss < 2, "sm_dueling: miss %llu",
              (unsigned long long)request->miss);
    gm_assert(request->op != GM_SM_DUELING_ADVANCE ||
                  request->amount <= gm_mask(gm_log2_ceil(dueling->parameters.interval + 1)),
              "sm_dueling: amount %llu", (unsigned long long)request->amount);
}

gm_sm_dueling_response gm_sm_dueling_access(gm_sm_dueling *dueling, gm_sm_dueling_request request)
{
    bool decided = false;
    assert_request(dueling, &request);
    if (request.op == GM_SM_DUELING_ACCESS) {
        count(dueling, request.sm != 0, request.miss != 0);
    } else if (request.op == GM_SM_DUELING_ADVANCE) {
        decided = advance(dueling, (uint32_t)request.amount);
    } else {
        *dueling =
            (gm_sm_dueling){.parameters = dueling->parameters, .observer = dueling->observer};
    }
    gm_error error;
    gm_assert(gm_sm_dueling_check(dueling, &error) == 0, "%s", error.text);
    gm_sm_dueling_response response = {
        .decided = decided,
        .decoupled = dueling->decoupled,
        .sampling = dueling->phase == 0,
        .left = dueling->parameters.interval - dueling->elapsed,
    };
    if (dueling->observer != NULL) {
        gm_sm_dueling_tell(dueling->observer, request, response);
    }
    return response;
}

int gm_sm_dueling_check(const gm_sm_dueling *dueling, gm_error *error)
{
    for (unsigned sm = 0; sm < 2; sm++) {
        if (dueling->misses[sm] > dueling->accesses[sm] ||
            dueling->accesses[sm] > gm_mask(dueling->parameters.count_bits)) {
            return gm_fail(error, -EINVAL, "sm_dueling: SM%u: %u misses of %u accesses", sm,
                           dueling->misses[sm], dueling->accesses[sm]);
        }
    }
    if (dueling->phase > 0 && (dueling->accesses[0] > 0 || dueling->accesses[1] > 0)) {
        return gm_fail(error, -EINVAL, "sm_dueling: %u and %u accesses, and nothing is sampled",
                       dueling->accesses[0], dueling->accesses[1]);
    }
    if (dueling->phase >= dueling->parameters.period) {
        return gm_fail(error, -EINVAL, "sm_dueling: %u intervals of a period of %u are past",
                       dueling->phase, dueling->parameters.period);
    }
    return dueling->elapsed < dueling->parameters.interval
               ? 0
               : gm_fail(error, -EINVAL, "sm_dueling: %u of an interval of %u are past",
                         dueling->elapsed, dueling->parameters.interval);
}

GM_PORTS_TABLE(sm_dueling, SM_DUELING)

/* Stream gate [khairy, 4.1]: closes and opens a cache by its miss rate in sampling periods. */
#include "goldmem/stream_gate.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

int gm_stream_gate_init(gm_stream_gate *gate, const gm_stream_gate_parameters *parameters,
                        gm_error *error)
{
    const gm_stream_gate_parameters *p = parameters;
    if (p->count_bits < 1 || p->count_bits > 20) {
        return gm_fail(error, -EINVAL, "stream_gate: count_bits %u: must be 1 to 20",
                       p->count_bits);
    }
    if (p->threshold < 1 || p->threshold > 100) {
        return gm_fail(error, -EINVAL, "stream_gate: threshold %u: must be 1 to 100", p->threshold);
    }
    unsigned most = (unsigned)gm_mask(p->count_bits);
    if (p->least < 1 || p->least > most) {
        return gm_fail(error, -EINVAL, "stream_gate: least %u: must be 1 to %u", p->least, most);
    }
    *gate = (gm_stream_gate){.parameters = *p};
    return 0;
}

/* Counts an access. Once `accesses` is at its limit neither count changes, so that the rate stays
 * that of the accesses counted. */
static void count(gm_stream_gate *gate, bool miss)
{
    if (gate->accesses < gm_mask(gate->parameters.count_bits)) {
        gate->accesses++;
        gate->misses += miss;
    }
}

/* Closes the gate at a miss rate above the threshold, and opens it below. */
static void decide(gm_stream_gate *gate, bool hot)
{
    uint32_t missed = gate->misses * 100;
    uint32_t allowed = gate->accesses * gate->parameters.threshold;
    if (hot) {
        gate->closed = false;
    } else if (gate->accesses >= gate->parameters.least && missed != allowed) {
        gate->closed = missed > allowed;
    }
}

gm_stream_gate_response gm_stream_gate_access(gm_stream_gate *gate, gm_stream_gate_request request)
{
    gm_assert(request.op < 4 && request.miss < 2 && request.hot < 2,
              "stream_gate: operation %llu, miss %llu, hot %llu", (unsigned long long)request.op,
              (unsigned long long)request.miss, (unsigned long long)request.hot);
    gm_stream_gate_response response = {0};
    switch (request.op) {
    case GM_STREAM_GATE_ACCESS:
        count(gate, request.miss != 0);
        response.accesses = gate->accesses;
        response.misses = gate->misses;
        break;
    case GM_STREAM_GATE_PERIOD:
        decide(gate, request.hot != 0);
        response.accesses = gate->accesses;
        response.misses = gate->misses;
        gate->accesses = gate->misses = 0;
        break;
    default:
        gate->accesses = gate->misses = 0;
        gate->closed = false;
    }
    response.closed = gate->closed;
    gm_error error;
    gm_assert(gm_stream_gate_check(gate, &error) == 0, "%s", error.text);
    if (gate->observer != NULL) {
        gm_stream_gate_tell(gate->observer, request, response);
    }
    return response;
}

int gm_stream_gate_check(const gm_stream_gate *gate, gm_error *error)
{
    if (gate->accesses > gm_mask(gate->parameters.count_bits)) {
        return gm_fail(error, -EINVAL, "stream_gate: %u accesses do not fit %u bits",
                       gate->accesses, gate->parameters.count_bits);
    }
    return gate->misses <= gate->accesses
               ? 0
               : gm_fail(error, -EINVAL, "stream_gate: %u misses of %u accesses", gate->misses,
                         gate->accesses);
}

GM_PORTS_TABLE(stream_gate, STREAM_GATE)

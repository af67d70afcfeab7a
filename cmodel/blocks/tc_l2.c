/* L2 side of Temporal Coherence [singh, 6.2, 6.3, Table 2]: a load extends the line's lease; a
 * write is visible when the lease before it is past, at once if the line's only reader makes it. */
#include "goldmem/tc_l2.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

size_t gm_tc_l2_bytes(const gm_tc_l2_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    return parameters->slots * sizeof(gm_tc_l2_line) + ALIGNMENT;
}

int gm_tc_l2_init(gm_tc_l2 *l2, const gm_tc_l2_parameters *parameters, gm_arena *arena,
                  gm_error *error)
{
    const gm_tc_l2_parameters *p = parameters;
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"slots", p->slots, 1, GM_TC_L2_SLOTS},
        {"sms", p->sms, 1, GM_TC_L2_SMS},
        {"time_bits", p->time_bits, 2, 32},
        {"printed", p->printed, 0, GM_TC_L2_REFETCH | GM_TC_L2_MISS | GM_TC_L2_EXPIRED},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "tc_l2: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    *l2 = (gm_tc_l2){
        .parameters = *p,
        .line = gm_arena_take(arena, p->slots, sizeof *l2->line),
    };
    return l2->line == NULL
               ? gm_fail(error, -ENOMEM, "tc_l2: the arena is full: it needs %zu bytes",
                         gm_tc_l2_bytes(p))
               : 0;
}

static bool is_expired(const gm_tc_l2_line *line, const gm_tc_l2_request *request)
{
    return request->now > line->lease;
}

static uint64_t state_of(const gm_tc_l2_line *line, const gm_tc_l2_request *request)
{
    if (is_expired(line, request)) {
        return GM_TC_L2_E;
    }
    return line->readers == GM_TC_L2_SHARED ? GM_TC_L2_S : GM_TC_L2_P;
}

static uint32_t last_time(const gm_tc_l2 *l2)
{
    return (uint32_t)gm_mask(l2->parameters.time_bits);
}

/* Makes the lease one cycle longer, so that copies made before a write differ from those after. */
static void increment(const gm_tc_l2 *l2, gm_tc_l2_line *line)
{
    line->lease += line->lease != last_time(l2);
}

/* Extends the lease by the lifetime. The first reader of an expired line owns it; the second makes
 * it shared. */
static void read(const gm_tc_l2 *l2, gm_tc_l2_line *line, const gm_tc_l2_request *request,
                 gm_tc_l2_response *response)
{
    response->answer = GM_TC_L2_DATA;
    response->visible = line->visible;
    if (request->no_lease != 0) {
        return;
    }
    bool is_first = is_expired(line, request) || line->readers == GM_TC_L2_NO_READER;
    uint64_t end = request->now + request->life;
    end = end < last_time(l2) ? end : last_time(l2);
    line->lease = end > line->lease ? (uint32_t)end : line->lease;
    line->readers = is_first ? GM_TC_L2_PRIVATE : GM_TC_L2_SHARED;
    line->owned = is_first;
    line->owner = is_first ? (uint16_t)request->sm : 0;
    response->lease_given = 1;
    response->lease = line->lease;
}

/* Answers a write of an expired line: no L1 uses a copy. It neither changes nor grants a lease, but
 * with the printed table. */
static void write_expired(const gm_tc_l2 *l2, gm_tc_l2_line *line, const gm_tc_l2_request *request,
                          gm_tc_l2_response *response)
{
    bool is_atomic = request->op == GM_TC_L2_ATOMIC;
    response->answer = is_atomic ? GM_TC_L2_DATA : GM_TC_L2_ACK;
    response->visible = is_atomic ? line->visible : 0;
    if ((l2->parameters.printed & GM_TC_L2_EXPIRED) != 0) {
        if (is_atomic) {
            response->answer = GM_TC_L2_DATA_G;
            response->gwct = line->lease;
            response->visible = 0;
        }
        increment(l2, line);
        response->lease_given = request->op == GM_TC_L2_UPGR;
        response->lease = response->lease_given != 0 ? line->lease : 0;
    }
}

/* The owner of the line writes the copy that it has read: no other L1 uses one. */
static bool is_private(const gm_tc_l2 *l2, const gm_tc_l2_line *line,
                       const gm_tc_l2_request *request)
{
    return request->op == GM_TC_L2_UPGR && line->owned && line->owner == request->sm &&
           line->lease == request->timestamp && line->lease != last_time(l2);
}

/* Does a write of an unexpired line. A writer whose copy has the line's latest lease has the latest
 * data, if no owner can have written since; else it is sent the line. */
static void write_unexpired(const gm_tc_l2 *l2, gm_tc_l2_line *line,
                            const gm_tc_l2_request *request, gm_tc_l2_response *response)
{
    bool is_upgrade = request->op == GM_TC_L2_UPGR;
    bool has_latest = is_upgrade && !line->owned && line->lease == request->timestamp &&
                      line->lease != last_time(l2);
    bool sends_line = (is_upgrade && !has_latest) || request->op == GM_TC_L2_ATOMIC;
    response->answer = sends_line ? GM_TC_L2_DATA_G : GM_TC_L2_ACK_G;
    response->gwct = line->lease;
    if (l2->parameters.visible) {
        line->visible = line->lease; /* the latest: no write before it has a later GWCT */
    }
    increment(l2, line);
    line->readers = GM_TC_L2_PRIVATE;
    line->owned = false;
    line->owner = 0;
    response->lease_given = is_upgrade;
    response->lease = is_upgrade ? line->lease : 0;
}

static void write(const gm_tc_l2 *l2, gm_tc_l2_line *line, const gm_tc_l2_request *request,
                  gm_tc_l2_response *response)
{
    if (is_expired(line, request)) {
        write_expired(l2, line, request, response);
    } else if (is_private(l2, line, request)) {
        response->answer = GM_TC_L2_ACK;
        response->is_private = 1;
        if (!l2->parameters.strong) {
            increment(l2, line);
            response->lease_given = 1;
            response->lease = line->lease;
        }
    } else if (l2->parameters.strong) {
        response->answer = GM_TC_L2_WAIT;
        response->earliest = line->lease + UINT64_C(1);
        if (response->earliest > last_time(l2)) {
            response->earliest = last_time(l2);
        }
    } else {
        write_unexpired(l2, line, request, response);
    }
}

/* Begins a line. One whose lease was kept is shared: who reads it is not known. */
static void install(const gm_tc_l2 *l2, gm_tc_l2_line *line, const gm_tc_l2_request *request)
{
    unsigned printed = l2->parameters.printed;
    bool keeps = request->kept != 0 && ((printed & GM_TC_L2_MISS) == 0 || request->write == 0);
    *line = (gm_tc_l2_line){0};
    if (keeps) {
        line->lease = (uint32_t)request->kept_lease;
        line->visible = l2->parameters.visible ? line->lease : 0;
        line->readers = (printed & GM_TC_L2_REFETCH) != 0 ? GM_TC_L2_NO_READER : GM_TC_L2_SHARED;
    }
}

static void roll_over(gm_tc_l2 *l2)
{
    for (unsigned i = 0; i < l2->parameters.slots; i++) {
        l2->line[i] = (gm_tc_l2_line){0};
    }
}

static void assert_request(const gm_tc_l2 *l2, const gm_tc_l2_request *request)
{
    uint64_t times = gm_mask(l2->parameters.time_bits);
    gm_assert(request->op < 8, "tc_l2: operation %llu", (unsigned long long)request->op);
    gm_assert(request->op >= GM_TC_L2_ROLLOVER || request->slot < l2->parameters.slots,
              "tc_l2: slot %llu", (unsigned long long)request->slot);
    gm_assert(request->sm <= gm_mask(l2->parameters.sms < 3 ? 1 : gm_log2_ceil(l2->parameters.sms)),
              "tc_l2: SM %llu", (unsigned long long)request->sm);
    gm_assert(request->no_lease < 2 && request->kept < 2 && request->write < 2,
              "tc_l2: no_lease %llu, kept %llu, write %llu", (unsigned long long)request->no_lease,
              (unsigned long long)request->kept, (unsigned long long)request->write);
    gm_assert(request->timestamp <= times && request->now <= times && request->life <= times &&
                  request->kept_lease <= times,
              "tc_l2: timestamp %llu, now %llu, life %llu, kept_lease %llu",
              (unsigned long long)request->timestamp, (unsigned long long)request->now,
              (unsigned long long)request->life, (unsigned long long)request->kept_lease);
}

static gm_tc_l2_response transact(gm_tc_l2 *l2, const gm_tc_l2_request *request)
{
    gm_tc_l2_response response = {0};
    if (request->op >= GM_TC_L2_ROLLOVER) {
        roll_over(l2);
        return response;
    }
    gm_tc_l2_line *line = &l2->line[request->slot];
    if (request->op == GM_TC_L2_INSTALL) {
        install(l2, line, request);
        return response;
    }
    response.was = state_of(line, request);
    if (request->op == GM_TC_L2_GETS) {
        read(l2, line, request, &response);
    } else if (request->op == GM_TC_L2_EVICT) {
        response.keep = !is_expired(line, request);
        response.lease = response.keep != 0 ? line->lease : 0;
    } else {
        write(l2, line, request, &response);
    }
    return response;
}

static int check_line(const gm_tc_l2 *l2, unsigned number, gm_error *error)
{
    const gm_tc_l2_line *line = &l2->line[number];
    if (line->owned ? line->readers != GM_TC_L2_PRIVATE : line->owner != 0) {
        return gm_fail(error, -EINVAL, "tc_l2: slot %u: readers %u, owner %u", number,
                       line->readers, line->owner);
    }
    return line->readers <= GM_TC_L2_SHARED && line->lease <= last_time(l2) &&
                   line->visible <= line->lease
               ? 0
               : gm_fail(error, -EINVAL, "tc_l2: slot %u: readers %u, lease %u, GWCT %u", number,
                         line->readers, line->lease, line->visible);
}

gm_tc_l2_response gm_tc_l2_access(gm_tc_l2 *l2, gm_tc_l2_request request)
{
    assert_request(l2, &request);
    gm_tc_l2_response response = transact(l2, &request);
    gm_error error;
    gm_assert(request.op >= GM_TC_L2_ROLLOVER ||
                  check_line(l2, (unsigned)request.slot, &error) == 0,
              "%s", error.text);
    gm_assert(!gm_assert_whole() || gm_tc_l2_check(l2, &error) == 0, "%s", error.text);
    if (l2->observer != NULL) {
        gm_tc_l2_tell(l2->observer, request, response);
    }
    return response;
}

int gm_tc_l2_check(const gm_tc_l2 *l2, gm_error *error)
{
    int code = 0;
    for (unsigned i = 0; i < l2->parameters.slots && code == 0; i++) {
        code = check_line(l2, i, error);
    }
    return code;
}

GM_PORTS_TABLE(tc_l2, TC_L2)

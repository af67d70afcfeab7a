/* L1 side of Temporal Coherence [singh, 6.2, 6.3, Table 2]: a copy is used while now <= lease. A
 * store writes an unexpired copy and upgrades it; every other write drops the copy. */
#include "goldmem/tc_l1.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

size_t gm_tc_l1_bytes(const gm_tc_l1_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    return parameters->slots * sizeof(gm_tc_l1_slot) + ALIGNMENT;
}

int gm_tc_l1_init(gm_tc_l1 *l1, const gm_tc_l1_parameters *parameters, gm_arena *arena,
                  gm_error *error)
{
    const gm_tc_l1_parameters *p = parameters;
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"slots", p->slots, 1, GM_TC_L1_SLOTS},
        {"pending_bits", p->pending_bits, 1, 16},
        {"time_bits", p->time_bits, 2, 32},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "tc_l1: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    *l1 = (gm_tc_l1){
        .parameters = *p,
        .slot = gm_arena_take(arena, p->slots, sizeof *l1->slot),
    };
    return l1->slot == NULL
               ? gm_fail(error, -ENOMEM, "tc_l1: the arena is full: it needs %zu bytes",
                         gm_tc_l1_bytes(p))
               : 0;
}

static bool is_unexpired(const gm_tc_l1_slot *slot, const gm_tc_l1_request *request)
{
    return request->present != 0 && gm_tc_l1_is_unexpired(slot, request->now);
}

static uint64_t state_of(const gm_tc_l1_slot *slot, const gm_tc_l1_request *request)
{
    bool waits = request->present != 0 && slot->pending > 0;
    if (is_unexpired(slot, request)) {
        return waits ? GM_TC_L1_V_M : GM_TC_L1_V;
    }
    return waits ? GM_TC_L1_I_I : GM_TC_L1_I;
}

static void drop(gm_tc_l1_slot *slot, const gm_tc_l1_request *request)
{
    slot->valid = slot->valid && request->present == 0;
}

/* A load hits an unexpired copy, of which with TC-Strong and with `visible` no write may be without
 * an answer. Sending a GETS drops the copy, so that a late DATA-G cannot revive it. */
static void load(const gm_tc_l1 *l1, gm_tc_l1_slot *slot, const gm_tc_l1_request *request,
                 gm_tc_l1_response *response)
{
    if (is_unexpired(slot, request) && !gm_tc_l1_blocks_loads(l1, slot)) {
        response->hit = 1;
        response->visible = l1->parameters.visible ? slot->visible : 0;
    } else if (request->open != 0) {
        response->message = GM_TC_L1_MERGE;
    } else {
        response->message = GM_TC_L1_GETS;
        response->expired = request->present != 0 && slot->valid && request->now > slot->lease;
        drop(slot, request);
    }
}

static void store(const gm_tc_l1 *l1, gm_tc_l1_slot *slot, const gm_tc_l1_request *request,
                  gm_tc_l1_response *response)
{
    bool writes_copy = is_unexpired(slot, request);
    if (writes_copy && gm_tc_l1_is_full(l1, slot)) {
        response->refused = 1;
        return;
    }
    response->close = request->open;
    if (writes_copy) {
        response->hit = 1;
        response->message = GM_TC_L1_UPGR;
        response->timestamp = slot->lease;
        slot->pending++;
    } else {
        response->message = GM_TC_L1_GETX;
        drop(slot, request);
    }
}

static void write_at_l2(gm_tc_l1_slot *slot, const gm_tc_l1_request *request, uint64_t message,
                        gm_tc_l1_response *response)
{
    response->message = message;
    response->close = request->open;
    drop(slot, request);
}

static void install(const gm_tc_l1 *l1, gm_tc_l1_slot *slot, uint64_t lease, uint64_t visible)
{
    slot->valid = true;
    slot->lease = (uint32_t)lease;
    slot->visible = l1->parameters.visible ? (uint32_t)visible : 0;
}

/* Installs the data of a GETS while the entry is open and the lease unexpired. An open entry means
 * that its GETS has dropped the copy, and that all earlier UPGRs were answered before it. */
static void fill(const gm_tc_l1 *l1, gm_tc_l1_slot *slot, const gm_tc_l1_request *request,
                 gm_tc_l1_response *response)
{
    bool installs = request->present != 0 && request->open != 0;
    if (installs && (slot->valid || slot->pending > 0)) {
        response->error = 1;
    } else if (installs && request->lease_given != 0 && request->now <= request->timestamp) {
        response->install = 1;
        install(l1, slot, request->timestamp, request->visible);
    }
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The answer of an UPGR. ACK: a new lease is taken while there is a copy. DATA-G: the line replaces
 * the copy unless a later own store is still without an answer, or the copy has been dropped. */
static void answer(const gm_tc_l1 *l1, gm_tc_l1_slot *slot, const gm_tc_l1_request *request,
                   gm_tc_l1_response *response)
{
    if (request->present == 0 || slot->pending == 0) {
        response->error = 1;
        return;
    }
    slot->pending--;
    bool has_line = request->op == GM_TC_L1_DATA_G;
    response->install = has_line && slot->valid && slot->pending == 0;
    uint64_t visible = later(slot->visible, request->visible);
    if (response->install != 0) {
        install(l1, slot, request->timestamp, visible);
    } else if (!has_line && slot->valid) {
        install(l1, slot, request->lease_given != 0 ? request->timestamp : slot->lease, visible);
    }
}

static void evict(gm_tc_l1_slot *slot, gm_tc_l1_response *response)
{
    response->keep = slot->pending > 0;
    slot->valid = slot->valid && response->keep != 0;
}

static void flush(gm_tc_l1 *l1)
{
    for (unsigned i = 0; i < l1->parameters.slots; i++) {
        l1->slot[i].valid = false;
    }
}

static void assert_request(const gm_tc_l1 *l1, const gm_tc_l1_request *request)
{
    uint64_t times = gm_mask(l1->parameters.time_bits);
    gm_assert(request->op < 16, "tc_l1: operation %llu", (unsigned long long)request->op);
    gm_assert(request->op >= GM_TC_L1_FLUSH || request->slot < l1->parameters.slots,
              "tc_l1: slot %llu", (unsigned long long)request->slot);
    gm_assert(request->present < 2 && request->open < 2 && request->lease_given < 2,
              "tc_l1: present %llu, open %llu, lease_given %llu",
              (unsigned long long)request->present, (unsigned long long)request->open,
              (unsigned long long)request->lease_given);
    gm_assert(request->timestamp <= times && request->visible <= times && request->now <= times,
              "tc_l1: timestamp %llu, visible %llu, now %llu",
              (unsigned long long)request->timestamp, (unsigned long long)request->visible,
              (unsigned long long)request->now);
}

static gm_tc_l1_response transact(gm_tc_l1 *l1, const gm_tc_l1_request *request)
{
    gm_tc_l1_response response = {0};
    if (request->op >= GM_TC_L1_FLUSH) {
        flush(l1);
        return response;
    }
    gm_tc_l1_slot *slot = &l1->slot[request->slot];
    if (request->op == GM_TC_L1_EVICT) {
        evict(slot, &response);
        return response;
    }
    response.was = state_of(slot, request);
    switch (request->op) {
    case GM_TC_L1_LOAD:
        load(l1, slot, request, &response);
        break;
    case GM_TC_L1_STORE:
        store(l1, slot, request, &response);
        break;
    case GM_TC_L1_ATOMIC:
        write_at_l2(slot, request, GM_TC_L1_ATOMIC_MESSAGE, &response);
        break;
    case GM_TC_L1_BYPASS:
        write_at_l2(slot, request, GM_TC_L1_GETS, &response);
        break;
    case GM_TC_L1_FILL:
        fill(l1, slot, request, &response);
        break;
    default:
        answer(l1, slot, request, &response);
    }
    return response;
}

static int check_slot(const gm_tc_l1 *l1, unsigned number, gm_error *error)
{
    const gm_tc_l1_slot *slot = &l1->slot[number];
    uint64_t times = gm_mask(l1->parameters.time_bits);
    return slot->pending <= gm_mask(l1->parameters.pending_bits) && slot->lease <= times &&
                   slot->visible <= (l1->parameters.visible ? times : 0)
               ? 0
               : gm_fail(error, -EINVAL, "tc_l1: slot %u: %u UPGRs, lease %u, GWCT %u", number,
                         slot->pending, slot->lease, slot->visible);
}

gm_tc_l1_response gm_tc_l1_access(gm_tc_l1 *l1, gm_tc_l1_request request)
{
    assert_request(l1, &request);
    gm_tc_l1_response response = transact(l1, &request);
    gm_error error;
    gm_assert(request.op >= GM_TC_L1_FLUSH || check_slot(l1, (unsigned)request.slot, &error) == 0,
              "%s", error.text);
    gm_assert(!gm_assert_whole() || gm_tc_l1_check(l1, &error) == 0, "%s", error.text);
    if (l1->observer != NULL) {
        gm_tc_l1_tell(l1->observer, request, response);
    }
    return response;
}

int gm_tc_l1_check(const gm_tc_l1 *l1, gm_error *error)
{
    int code = 0;
    for (unsigned i = 0; i < l1->parameters.slots && code == 0; i++) {
        code = check_slot(l1, i, error);
    }
    return code;
}

GM_PORTS_TABLE(tc_l1, TC_L1)

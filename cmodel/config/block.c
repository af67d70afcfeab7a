/* Blocks by name: one row for each block, with what its port list does not tell. */
#include "goldmem/block.h"

#include "goldmem/arena.h"
#include "goldmem/mshr.h"
#include "goldmem/replacement.h"
#include "goldmem/set_index.h"
#include "goldmem/sharing_tracker.h"
#include "goldmem/tag_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block: what is made from the values of its parameters. */
struct gm_block {
    const struct row *row;
    gm_port_shape shape;
    uint64_t parameter[GM_PORTS_PARAMETERS];
    gm_arena arena;
    gm_set_index function; /* of a block with one */
    union {
        gm_mshr mshr;
        gm_replacement_state replacement;
        gm_sharing_tracker sharing_tracker;
        gm_tag_store tag_store;
    } state;
};

/* A request's field that must be below a parameter, whatever its width: both by their numbers. */
typedef struct limit {
    bool exists;
    unsigned field, parameter;
} limit;

typedef struct row {
    const gm_ports *ports;
    int (*make)(gm_block *block, gm_error *error);
    void (*access)(gm_block *block, const uint64_t *request, uint64_t *response);
    int (*check)(const gm_block *block, gm_error *error);
    bool indexed; /* the first parameters are LineW, IndexW, Polynomial, Matrix */
    limit limit;
} row;

/* Parameters of blocks with an index function. */
enum { LINE_W, INDEX_W, POLYNOMIAL, MATRIX, OWN };

/* Makes gm_NAME_access a row's function. */
#define ACCESS(name, state)                                                                        \
    static void access_##name(gm_block *block, const uint64_t *request, uint64_t *response)        \
    {                                                                                              \
        gm_##name##_request asked;                                                                 \
        memcpy(&asked, request, sizeof asked);                                                     \
        gm_##name##_response answer = gm_##name##_access(&block->state, asked);                    \
        memcpy(response, &answer, sizeof answer);                                                  \
    }
#define CHECK(name)                                                                                \
    static int check_##name(const gm_block *block, gm_error *error)                                \
    {                                                                                              \
        return gm_##name##_check(&block->state.name, error);                                       \
    }
/* Makes the state from `parameters` in an arena of the size that it takes. */
#define MAKE(name)                                                                                 \
    int code = gm_arena_create(&block->arena, gm_##name##_bytes(&parameters), error);              \
    return code < 0 ? code : gm_##name##_init(&block->state.name, &parameters, &block->arena, error)

static int make_mshr(gm_block *block, gm_error *error)
{
    enum { ENTRIES, MERGES, LINE, REQUESTER };
    const uint64_t *p = block->parameter;
    const gm_mshr_parameters parameters = {.entries = (unsigned)p[ENTRIES],
                                           .merges = (unsigned)p[MERGES],
                                           .line_bits = (unsigned)p[LINE],
                                           .requester_bits = (unsigned)p[REQUESTER]};
    MAKE(mshr);
}

static int make_replacement(gm_block *block, gm_error *error)
{
    enum { POLICY, SETS, WAYS, RRPV, SIGNATURE, COUNTER };
    const uint64_t *p = block->parameter;
    const gm_replacement_parameters parameters = {.policy = (gm_replacement_policy)p[POLICY],
                                                  .index_bits = (unsigned)p[SETS],
                                                  .ways = (unsigned)p[WAYS],
                                                  .rrpv_bits = (unsigned)p[RRPV],
                                                  .signature_bits = (unsigned)p[SIGNATURE],
                                                  .counter_bits = (unsigned)p[COUNTER]};
    MAKE(replacement);
}

static int make_sharing_tracker(gm_block *block, gm_error *error)
{
    enum { WAYS = OWN, CUS, POINTERS };
    const uint64_t *p = block->parameter;
    const gm_sharing_tracker_parameters parameters = {.index = &block->function,
                                                      .ways = (unsigned)p[WAYS],
                                                      .cus = (unsigned)p[CUS],
                                                      .pointers = (unsigned)p[POINTERS]};
    MAKE(sharing_tracker);
}

static int make_tag_store(gm_block *block, gm_error *error)
{
    enum {
        TAGS = OWN,
        DATA,
        RC,
        THRESHOLD,
        FIRST,
        ABOVE,
        TWICE,
        ANY,
        POLICY,
        RRPV,
        SIGNATURE,
        COUNTER
    };
    const uint64_t *p = block->parameter;
    if (p[ABOVE] > 1 || p[TWICE] > 1 || p[ANY] > 1) {
        return gm_fail(error, -EINVAL, "tag_store: CompareAbove, AgeTwice, LfuAny: must be 0 or 1");
    }
    const gm_tag_store_parameters parameters = {
        .index = &block->function,
        .tag_ways = (unsigned)p[TAGS],
        .data_ways = (unsigned)p[DATA],
        .rc_bits = (unsigned)p[RC],
        .threshold = (unsigned)p[THRESHOLD],
        .allocation_rc = (unsigned)p[FIRST],
        .compare_above = p[ABOVE] != 0,
        .age_twice = p[TWICE] != 0,
        .lfu_any = p[ANY] != 0,
        .replacement = (gm_replacement_policy)p[POLICY],
        .rrpv_bits = (unsigned)p[RRPV],
        .signature_bits = (unsigned)p[SIGNATURE],
        .counter_bits = (unsigned)p[COUNTER],
    };
    MAKE(tag_store);
}

static int make_nothing(gm_block *block, gm_error *error)
{
    (void)block;
    (void)error;
    return 0;
}

static int check_nothing(const gm_block *block, gm_error *error)
{
    (void)block;
    (void)error;
    return 0;
}

ACCESS(mshr, state.mshr)
ACCESS(replacement, state.replacement)
ACCESS(set_index, function)
ACCESS(sharing_tracker, state.sharing_tracker)
ACCESS(tag_store, state.tag_store)
CHECK(mshr)
CHECK(replacement)
CHECK(sharing_tracker)
CHECK(tag_store)

static const row rows[] = {
    {&gm_mshr_ports, make_mshr, access_mshr, check_mshr, .indexed = false},
    /* way below Ways */
    {&gm_replacement_ports, make_replacement, access_replacement, check_replacement,
     .limit = {true, 2, 2}},
    {&gm_set_index_ports, make_nothing, access_set_index, check_nothing, .indexed = true},
    /* cu below Cus */
    {&gm_sharing_tracker_ports, make_sharing_tracker, access_sharing_tracker, check_sharing_tracker,
     .indexed = true, .limit = {true, 2, OWN + 1}},
    {&gm_tag_store_ports, make_tag_store, access_tag_store, check_tag_store, .indexed = true},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

const gm_ports *gm_block_ports(unsigned number)
{
    return number < ROWS ? rows[number].ports : NULL;
}

/* Makes the index function from Polynomial, or from the text. */
static int make_function(gm_block *block, const char *index, gm_error *error)
{
    const uint64_t *p = block->parameter;
    char polynomial[32];
    if (p[INDEX_W] > GM_SET_INDEX_BITS || p[LINE_W] > GM_LINE_ADDRESS_BITS) {
        return gm_fail(error, -EINVAL, "%s: IndexW=%llu, LineW=%llu: %d and %d bits at most",
                       block->row->ports->block, (unsigned long long)p[INDEX_W],
                       (unsigned long long)p[LINE_W], GM_SET_INDEX_BITS, GM_LINE_ADDRESS_BITS);
    }
    if (p[MATRIX] != 0 || (p[POLYNOMIAL] == 0) != (index != NULL)) {
        return gm_fail(error, -EINVAL, "%s: give Polynomial, or an index function, not Matrix",
                       block->row->ports->block);
    }
    snprintf(polynomial, sizeof polynomial, "ipoly:%llu", (unsigned long long)p[POLYNOMIAL]);
    return gm_set_index_parse(&block->function, index != NULL ? index : polynomial,
                              UINT64_C(1) << p[INDEX_W], (unsigned)p[LINE_W], error);
}

static int make(gm_block *block, const char *index, gm_error *error)
{
    const gm_ports *ports = block->row->ports;
    for (unsigned i = 0; i < ports->parameters; i++) {
        if (block->parameter[i] > UINT32_MAX) {
            return gm_fail(error, -EINVAL, "%s: %s=%llu: more than 32 bits", ports->block,
                           ports->parameter[i].name, (unsigned long long)block->parameter[i]);
        }
    }
    if (!block->row->indexed && index != NULL) {
        return gm_fail(error, -EINVAL, "%s: has no index function", ports->block);
    }
    int code = block->row->indexed ? make_function(block, index, error) : 0;
    code = code < 0 ? code : block->row->make(block, error);
    if (code == 0) {
        ports->shape(block->parameter, &block->shape);
    }
    return code;
}

int gm_block_open(gm_block **block, const gm_ports *ports, const uint64_t *parameter,
                  const char *index, gm_error *error)
{
    const row *found = NULL;
    *block = NULL;
    for (unsigned i = 0; i < ROWS; i++) {
        found = rows[i].ports == ports ? &rows[i] : found;
    }
    if (found == NULL) {
        return gm_fail(error, -EINVAL, "no block that can be made by name");
    }
    gm_block *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: %s", ports->block);
    }
    made->row = found;
    memcpy(made->parameter, parameter, ports->parameters * sizeof *parameter);
    int code = make(made, index, error);
    if (code < 0) {
        gm_block_close(made);
        return code;
    }
    *block = made;
    return 0;
}

void gm_block_close(gm_block *block)
{
    if (block != NULL) {
        gm_arena_free(&block->arena);
        free(block);
    }
}

/* Checks that the fields of a request are in range. */
static int check_request(const gm_block *block, const uint64_t *request, gm_error *error)
{
    const gm_ports *ports = block->row->ports;
    const limit *limit = &block->row->limit;
    for (unsigned i = 0; i < ports->requests; i++) {
        uint64_t most = gm_mask((unsigned)block->shape.request[i]);
        if (limit->exists && limit->field == i) {
            most = block->parameter[limit->parameter] - 1;
        }
        if (request[i] > most) {
            return gm_fail(error, -EINVAL, "%s: %s=%llu: must be 0 to %llu", ports->block,
                           ports->request[i].name, (unsigned long long)request[i],
                           (unsigned long long)most);
        }
    }
    return 0;
}

int gm_block_access(gm_block *block, const uint64_t *request, uint64_t *response, size_t count,
                    gm_error *error)
{
    const gm_ports *ports = block->row->ports;
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        code = check_request(block, request, error);
        if (code == 0) {
            block->row->access(block, request, response);
        }
        request += ports->requests;
        response += ports->responses;
    }
    return code;
}

int gm_block_check(const gm_block *block, gm_error *error)
{
    return block->row->check(block, error);
}

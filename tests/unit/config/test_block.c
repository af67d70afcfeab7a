/* Blocks by name against the functions of the blocks' own headers: equal responses to random
 * requests, and what is refused. */
#include "goldmem/block.h"
#include "goldmem/mshr.h"
#include "goldmem/replacement.h"
#include "goldmem/set_index.h"
#include "goldmem/sharing_tracker.h"
#include "goldmem/tag_store.h"
#include "goldmem/warp_limiter.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

enum { REQUESTS = 4000 };

/* Sets the default of each parameter, then those of `own`, by name, up to a NULL. */
typedef struct own {
    const char *name;
    uint64_t value;
} own;

static gm_block *open_block(const gm_ports *ports, const own *changed, const char *index)
{
    uint64_t parameter[GM_PORTS_PARAMETERS];
    gm_block *block = NULL;
    gm_error error;
    for (unsigned i = 0; i < ports->parameters; i++) {
        parameter[i] = ports->parameter[i].value;
        for (const own *at = changed; at->name != NULL; at++) {
            parameter[i] =
                strcmp(at->name, ports->parameter[i].name) == 0 ? at->value : parameter[i];
        }
    }
    test_ok(gm_block_open(&block, ports, parameter, index, &error), error);
    return block;
}

/* Sends random requests with fields below most[] to the block, and to `access`; compares. */
static void compare_with(gm_block *block, const gm_ports *ports, const uint64_t *most,
                         void (*access)(void *own, const uint64_t *request, uint64_t *response),
                         void *own)
{
    static uint64_t request[REQUESTS][GM_PORTS_FIELDS];
    static uint64_t packed[REQUESTS * GM_PORTS_FIELDS];
    static uint64_t answer[REQUESTS * GM_PORTS_FIELDS];
    test_random random = test_random_start(218);
    gm_error error;
    unsigned differ = 0;
    for (unsigned i = 0; i < REQUESTS; i++) {
        for (unsigned k = 0; k < ports->requests; k++) {
            request[i][k] = test_random_below(&random, most[k]);
            packed[i * ports->requests + k] = request[i][k];
        }
    }
    test_ok(gm_block_access(block, packed, answer, REQUESTS, &error), error);
    for (unsigned i = 0; i < REQUESTS; i++) {
        uint64_t response[GM_PORTS_FIELDS] = {0};
        access(own, request[i], response);
        assert_memory_equal(response, &answer[i * ports->responses],
                            ports->responses * sizeof *response);
        differ +=
            i > 0 && memcmp(&answer[i * ports->responses], &answer[(i - 1) * ports->responses],
                            ports->responses * sizeof *response) != 0;
    }
    assert_true(differ > REQUESTS / 4);
    test_ok(gm_block_check(block, &error), error);
    gm_block_close(block);
}

#define ACCESS(name, type)                                                                         \
    static void access_##name(void *own, const uint64_t *request, uint64_t *response)              \
    {                                                                                              \
        gm_##name##_request asked;                                                                 \
        memcpy(&asked, request, sizeof asked);                                                     \
        gm_##name##_response answer = gm_##name##_access((type *)own, asked);                      \
        memcpy(response, &answer, sizeof answer);                                                  \
    }
ACCESS(mshr, gm_mshr)
ACCESS(replacement, gm_replacement_state)
ACCESS(set_index, gm_set_index)
ACCESS(sharing_tracker, gm_sharing_tracker)
ACCESS(tag_store, gm_tag_store)

/* Makes the state of the block's own header in an arena. */
#define MAKE(name, state)                                                                          \
    gm_arena arena;                                                                                \
    gm_error error;                                                                                \
    test_ok(gm_arena_create(&arena, gm_##name##_bytes(&parameters), &error), error);               \
    test_ok(gm_##name##_init(&(state), &parameters, &arena, &error), error)

static void mshr(void **state)
{
    (void)state;
    const gm_mshr_parameters parameters = {
        .entries = 6, .merges = 3, .line_bits = 4, .requester_bits = 5};
    const own changed[] = {{"Entries", 6}, {"Merges", 3}, {"LineW", 4}, {"RequesterW", 5}, {0}};
    /* a few lines, requested and answered alone, so that entries and merges run out */
    const uint64_t most[2][5] = {{8, 16, 32, 8, 2}, {2, 4, 32, 8, 2}};
    for (unsigned i = 0; i < 2; i++) {
        gm_mshr own;
        MAKE(mshr, own);
        compare_with(open_block(&gm_mshr_ports, changed, NULL), &gm_mshr_ports, most[i],
                     access_mshr, &own);
        gm_arena_free(&arena);
    }
}

static void replacement(void **state)
{
    (void)state;
    for (unsigned policy = 0; policy < 3; policy++) {
        const gm_replacement_parameters parameters = {.policy = (gm_replacement_policy)policy,
                                                      .index_bits = 3,
                                                      .ways = 6,
                                                      .rrpv_bits = 3,
                                                      .signature_bits = 5,
                                                      .counter_bits = 2};
        const own changed[] = {{"Policy", policy}, {"IndexW", 3},   {"Ways", 6}, {"RrpvW", 3},
                               {"SignatureW", 5},  {"CounterW", 2}, {0}};
        const uint64_t most[] = {8, 8, 6, 64, 32};
        gm_replacement_state own;
        MAKE(replacement, own);
        compare_with(open_block(&gm_replacement_ports, changed, NULL), &gm_replacement_ports, most,
                     access_replacement, &own);
        gm_arena_free(&arena);
    }
}

static void set_index(void **state)
{
    (void)state;
    static const char *const texts[] = {"ipoly:25", "xor", "fold"};
    const own polynomial[] = {{"IndexW", 4}, {"LineW", 20}, {"Polynomial", 25}, {0}};
    const own text[] = {{"IndexW", 4}, {"LineW", 20}, {"Polynomial", 0}, {0}};
    const uint64_t most[] = {2, 1 << 20, 1 << 16, 16};
    for (unsigned i = 0; i < 4; i++) {
        gm_set_index own;
        gm_error error;
        test_ok(gm_set_index_parse(&own, texts[i % 3], 16, 20, &error), error);
        compare_with(
            open_block(&gm_set_index_ports, i == 3 ? polynomial : text, i == 3 ? NULL : texts[i]),
            &gm_set_index_ports, most, access_set_index, &own);
    }
}

static void sharing_tracker(void **state)
{
    (void)state;
    gm_set_index index;
    gm_error parsed;
    test_ok(gm_set_index_parse(&index, "ipoly:7", 4, 9, &parsed), parsed);
    const gm_sharing_tracker_parameters parameters = {
        .index = &index, .ways = 3, .cus = 5, .pointers = 2};
    const own changed[] = {
        {"IndexW", 2},   {"LineW", 9}, {"Polynomial", 7}, {"Ways", 3}, {"Cus", 5},
        {"Pointers", 2}, {0}};
    const uint64_t most[2][4] = {{8, 40, 5, 2}, {2, 9, 5, 2}}; /* look-ups and fills alone */
    for (unsigned i = 0; i < 2; i++) {
        gm_sharing_tracker own;
        MAKE(sharing_tracker, own);
        compare_with(open_block(&gm_sharing_tracker_ports, changed, NULL),
                     &gm_sharing_tracker_ports, most[i], access_sharing_tracker, &own);
        gm_arena_free(&arena);
    }
}

/* Each parameter has a value that no other has, so that none can stand for another. */
static void tag_store(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 8; mask++) {
        gm_set_index index;
        gm_error parsed;
        test_ok(gm_set_index_parse(&index, "xor", 8, 11, &parsed), parsed);
        const gm_tag_store_parameters parameters = {
            .index = &index,
            .tag_ways = 9,
            .data_ways = 4,
            .rc_bits = 5,
            .threshold = 3,
            .allocation_rc = 2,
            .compare_above = (mask & 1) != 0,
            .age_twice = (mask & 2) != 0,
            .lfu_any = (mask & 4) != 0,
            .replacement = (gm_replacement_policy)(mask % 3),
            .rrpv_bits = 1,
            .signature_bits = 6,
            .counter_bits = 4,
        };
        const own changed[] = {{"IndexW", 3},
                               {"LineW", 11},
                               {"Polynomial", 0},
                               {"TagWays", 9},
                               {"DataWays", 4},
                               {"RcW", 5},
                               {"Threshold", 3},
                               {"AllocationRc", 2},
                               {"CompareAbove", mask & 1},
                               {"AgeTwice", mask >> 1 & 1},
                               {"LfuAny", mask >> 2},
                               {"Replacement", mask % 3},
                               {"RrpvW", 1},
                               {"SignatureW", 6},
                               {"CounterW", 4},
                               {0}};
        /* probes and fills alone, of more lines than entries, in some rounds */
        const uint64_t most[] = {mask % 3 == 0 ? 4 : 2, 200, 4, 2, 2, 2, 64};
        gm_tag_store own;
        MAKE(tag_store, own);
        compare_with(open_block(&gm_tag_store_ports, changed, "xor"), &gm_tag_store_ports, most,
                     access_tag_store, &own);
        gm_arena_free(&arena);
    }
}

typedef struct refusal {
    const gm_ports *ports;
    own changed;
    const char *index, *message;
} refusal;

static void refusals(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {&gm_mshr_ports, {"Entries", 0}, NULL, "mshr: entries 0: must be 1 to 1024"},
        {&gm_mshr_ports,
         {"Entries", UINT64_C(1) << 32},
         NULL,
         "mshr: Entries=4294967296: more than 32 bits"},
        {&gm_mshr_ports, {NULL, 0}, "xor", "mshr: has no index function"},
        {&gm_tag_store_ports,
         {"AgeTwice", 2},
         NULL,
         "tag_store: CompareAbove, AgeTwice, LfuAny: must be 0 or 1"},
        {&gm_tag_store_ports, {"Polynomial", 33}, NULL, "set-index function 'ipoly:33': "},
        {&gm_tag_store_ports,
         {"Polynomial", 0},
         NULL,
         "tag_store: give Polynomial, or an index function, not Matrix"},
        {&gm_tag_store_ports,
         {"Matrix", 1},
         NULL,
         "tag_store: give Polynomial, or an index function, not Matrix"},
        {&gm_set_index_ports,
         {NULL, 0},
         "xor",
         "set_index: give Polynomial, or an index function, not Matrix"},
        {&gm_set_index_ports,
         {"IndexW", 17},
         NULL,
         "set_index: IndexW=17, LineW=42: 16 and 64 bits at most"},
        {&gm_warp_limiter_ports, {NULL, 0}, NULL, "no block that can be made by name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t parameter[GM_PORTS_PARAMETERS] = {0};
        gm_block *block = NULL;
        gm_error error;
        for (unsigned k = 0; k < rows[i].ports->parameters; k++) {
            const gm_port_parameter *row = &rows[i].ports->parameter[k];
            bool own = rows[i].changed.name != NULL && strcmp(rows[i].changed.name, row->name) == 0;
            parameter[k] = own ? rows[i].changed.value : row->value;
        }
        print_message("%s\n", rows[i].message);
        assert_int_equal(gm_block_open(&block, rows[i].ports, parameter, rows[i].index, &error),
                         -EINVAL);
        assert_null(block);
        assert_ptr_equal(strstr(error.text, rows[i].message), error.text);
    }
    gm_block_close(NULL);
}

/* A field at its limit is taken, one above it is not, and nothing after it is done. */
static void fields_out_of_range(void **state)
{
    (void)state;
    static const struct {
        const gm_ports *ports;
        unsigned field;
        uint64_t most;
        const char *message;
    } rows[] = {
        {&gm_mshr_ports, 0, 7, "mshr: op=8: must be 0 to 7"},
        {&gm_mshr_ports, 1, (UINT64_C(1) << 42) - 1,
         "mshr: line=4398046511104: must be 0 to 4398046511103"},
        {&gm_replacement_ports, 2, 3, "replacement: way=4: must be 0 to 3"},
        {&gm_sharing_tracker_ports, 2, 15, "sharing_tracker: cu=16: must be 0 to 15"},
        {&gm_tag_store_ports, 6, 255, "tag_store: signature=256: must be 0 to 255"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t request[2 * GM_PORTS_FIELDS] = {0};
        uint64_t response[2 * GM_PORTS_FIELDS];
        gm_error error;
        gm_block *block = open_block(rows[i].ports, (const own[]){{0}}, NULL);
        request[rows[i].field] = rows[i].most;
        test_ok(gm_block_access(block, request, response, 1, &error), error);
        request[rows[i].ports->requests + rows[i].field] = rows[i].most + 1;
        memset(response, 0x5a, sizeof response);
        assert_int_equal(gm_block_access(block, request, response, 2, &error), -EINVAL);
        assert_string_equal(error.text, rows[i].message);
        assert_true(response[0] != UINT64_C(0x5a5a5a5a5a5a5a5a));
        assert_true(response[rows[i].ports->responses] == UINT64_C(0x5a5a5a5a5a5a5a5a));
        gm_block_close(block);
    }
    /* below Ways and Cus that are no powers of two */
    gm_block *odd = open_block(&gm_replacement_ports, (const own[]){{"Ways", 5}, {0}}, NULL);
    const uint64_t way_5[GM_PORTS_FIELDS] = {0, 0, 5};
    uint64_t none[GM_PORTS_FIELDS];
    gm_error error;
    assert_int_equal(gm_block_access(odd, way_5, none, 1, &error), -EINVAL);
    assert_string_equal(error.text, "replacement: way=5: must be 0 to 4");
    gm_block_close(odd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mshr),
        cmocka_unit_test(replacement),
        cmocka_unit_test(set_index),
        cmocka_unit_test(sharing_tracker),
        cmocka_unit_test(tag_store),
        cmocka_unit_test(refusals),
        cmocka_unit_test(fields_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

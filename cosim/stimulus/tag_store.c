/* tag_store in lockstep: instances, and the view of their state. The stimulus is in
 * tag_store_requests.h. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/tag_store.h"
#include "stimulus/policy.h"
#include "stimulus/tag_store_goals.h"
#include "stimulus/tag_store_requests.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_BYTES = (sizeof(gm_set_index) + 512 * 1024) }; /* for the largest store */

/* The model: a store with its index function. */
typedef struct model {
    gm_tag_store store;
    gm_set_index function;
} model;

static int parse(const char *options, gm_tag_store_parameters *parameters, gm_set_index *function,
                 gm_error *error)
{
    enum { SETS, LINE_BITS, TAG, DATA, RC, LIMIT, FIRST_RC, ABOVE, TWICE, ANY };
    enum { RRPV = ANY + 1, SIGNATURE, COUNTER, PROBE_STAGE, NUMBERS };
    static const char *const names[] = {
        "sets",          "line_bits",     "tag_ways",  "data_ways",  "rc_bits",   "threshold",
        "allocation_rc", "compare_above", "age_twice", "lfu_any",    "rrpv_bits", "signature_bits",
        "counter_bits",  "probe_stage",   "index",     "replacement"};
    static const uint64_t fallback[] = {32, 42, 8, 4, 6, 2, 1, 0, 0, 0, 2, 8, 3, 0};
    uint64_t value[NUMBERS] = {0};
    char index[GM_COSIM_OPTIONS / 2] = "ipoly";
    int code =
        gm_cosim_options_numbers(options, names, NUMBERS + 2, fallback, NUMBERS, value, error);
    if (code < 0) {
        return code;
    }
    gm_cosim_option(options, "index", index, sizeof index);
    if (value[ABOVE] > 1 || value[TWICE] > 1 || value[ANY] > 1 || value[PROBE_STAGE] > 1) {
        return gm_fail(error, -EINVAL,
                       "compare_above, age_twice, lfu_any, probe_stage: must be 0 or 1");
    }
    *parameters = (gm_tag_store_parameters){
        .index = function,
        .tag_ways = (unsigned)value[TAG],
        .data_ways = (unsigned)value[DATA],
        .rc_bits = (unsigned)value[RC],
        .threshold = (unsigned)value[LIMIT],
        .allocation_rc = (unsigned)value[FIRST_RC],
        .compare_above = value[ABOVE] != 0,
        .age_twice = value[TWICE] != 0,
        .lfu_any = value[ANY] != 0,
        .rrpv_bits = (unsigned)value[RRPV],
        .signature_bits = (unsigned)value[SIGNATURE],
        .counter_bits = (unsigned)value[COUNTER],
    };
    code = parse_policy(options, "replacement", &parameters->replacement, error);
    if (code == 0) {
        code = gm_set_index_parse(function, index, value[SETS], (unsigned)value[LINE_BITS], error);
    }
    if (code == 0 && !gm_set_index_is_linear(function)) {
        return gm_fail(error, -EINVAL, "index=%s: not a matrix over GF(2), so it has no RTL",
                       index);
    }
    return code;
}

static int make_model(const char *options, gm_arena *arena, model *m, gm_error *error)
{
    gm_tag_store_parameters p;
    int code = parse(options, &p, &m->function, error);
    return code < 0 ? code : gm_tag_store_init(&m->store, &p, arena, error);
}

static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **made,
                gm_error *error)
{
    model *m = gm_arena_take(arena, 1, sizeof *m);
    *made = m;
    return m == NULL ? gm_fail(error, -ENOMEM, "tag_store: the arena is full")
                     : make_model(configuration->options, arena, m, error);
}

static void set_parameters(gm_cosim_configuration *configuration, const model *m)
{
    const gm_tag_store_parameters *p = &m->store.parameters;
    const uint64_t value[] = {p->tag_ways,  p->data_ways,      p->rc_bits,
                              p->threshold, p->allocation_rc,  p->compare_above,
                              p->age_twice, p->lfu_any,        p->replacement,
                              p->rrpv_bits, p->signature_bits, p->counter_bits};
    set_index_parameters(configuration, &m->function);
    for (unsigned i = 0; i < sizeof value / sizeof *value; i++) {
        configuration->parameter[AFTER_INDEX + i][0] = value[i];
    }
}

/* Reads an option of the RTL only: 1 if the look-up is a stage of its own. */
static unsigned probe_stage(const char *options)
{
    uint64_t value = 0;
    gm_error error;
    (void)gm_cosim_option_number(options, "probe_stage", 0, &value, &error);
    return (unsigned)value;
}

/* All options spelt. */
static void spell(gm_cosim_configuration *configuration, const char *options, const model *m)
{
    const gm_tag_store_parameters *p = &m->store.parameters;
    char index[GM_COSIM_OPTIONS / 2] = "ipoly";
    gm_cosim_option(options, "index", index, sizeof index);
    snprintf(configuration->options, sizeof configuration->options,
             "sets=%u index=%.64s line_bits=%u tag_ways=%u data_ways=%u rc_bits=%u threshold=%u "
             "allocation_rc=%u compare_above=%d age_twice=%d lfu_any=%d replacement=%s "
             "rrpv_bits=%u signature_bits=%u counter_bits=%u probe_stage=%u",
             1u << m->function.bits, index, m->function.address_bits, p->tag_ways, p->data_ways,
             p->rc_bits, p->threshold, p->allocation_rc, p->compare_above, p->age_twice, p->lfu_any,
             policy_names[p->replacement], p->rrpv_bits, p->signature_bits, p->counter_bits,
             probe_stage(options));
}

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_arena arena;
    model m;
    int code = gm_arena_create(&arena, ARENA_BYTES, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    code = make_model(options, &arena, &m, error);
    gm_arena_free(&arena);
    if (code == 0) {
        spell(configuration, options, &m);
        set_parameters(configuration, &m);
        configuration->parameter[HAS_PROBE_STAGE][0] = probe_stage(options);
    }
    return code;
}

/* The paper's store, the ends of every range, and sizes that are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"sets=32", false, true},
    {"sets=4 line_bits=8 rc_bits=2", true, true},
    {"sets=4 line_bits=8 rc_bits=2 threshold=3 tag_ways=4 data_ways=2 lfu_any=1 age_twice=1", true,
     true},
    {"sets=4 line_bits=8 threshold=1 tag_ways=5 data_ways=3", true, true},
    {"sets=4 line_bits=8 rc_bits=2 threshold=3 compare_above=1", true, true}, /* counts saturate */
    {"sets=4 index=sequential line_bits=3 tag_ways=2 data_ways=1 rc_bits=1 threshold=0 "
     "signature_bits=1",
     false, true},
    {"sets=4 tag_ways=32 data_ways=31 rc_bits=8 threshold=3", false, false},
    {"sets=8 index=xor tag_ways=3 data_ways=2 rc_bits=3 threshold=2 compare_above=1 "
     "allocation_rc=0",
     false, true},
    {"sets=4 tag_ways=6 data_ways=3 rc_bits=4 threshold=4 lfu_any=1 line_bits=64", false, true},
    {"sets=1024 tag_ways=4 data_ways=2 signature_bits=14", false, true},
    {"sets=32 replacement=srrip", false, true},
    {"sets=32 probe_stage=1", false, true},
    {"sets=4 line_bits=8 rc_bits=2 threshold=3 tag_ways=4 data_ways=2 lfu_any=1 probe_stage=1",
     false, false},
    {"sets=4 line_bits=8 threshold=1 replacement=ship signature_bits=2 counter_bits=2 "
     "probe_stage=1",
     true, true},
    {"sets=1024 tag_ways=8 data_ways=7 replacement=srrip rrpv_bits=4 probe_stage=1", false, false},
    {"sets=32 replacement=ship", false, true},
    {"sets=4 line_bits=8 rc_bits=2 threshold=3 tag_ways=4 data_ways=3 lfu_any=1 replacement=srrip "
     "signature_bits=2",
     true, true},
    {"sets=4 line_bits=8 threshold=1 replacement=ship signature_bits=2 counter_bits=2", true, true},
    {"sets=4 threshold=0 tag_ways=9 data_ways=5 lfu_any=1 replacement=ship rrpv_bits=1 "
     "signature_bits=1 counter_bits=1",
     false, true},
    {"sets=32 threshold=0 lfu_any=1", false, true},
    {"sets=32 threshold=1", false, false},
    {"sets=32 threshold=16", false, false},
    {"sets=32 threshold=63", false, true},
    {"sets=32 threshold=63 compare_above=1", false, true},
    {"sets=32 tag_ways=16 data_ways=4", false, false},
    {"sets=16 tag_ways=16 data_ways=8", false, false},
    {"sets=8 tag_ways=32 data_ways=16 threshold=4 lfu_any=1 age_twice=1", false, false},
    {"sets=1024 tag_ways=32 data_ways=31 rc_bits=8 threshold=255", false, false},
    {"sets=4 tag_ways=32 data_ways=1 rc_bits=1 threshold=1", false, false},
    {"sets=64 index=fold line_bits=25 tag_ways=7 data_ways=5 rc_bits=5", false, false},
    {"sets=32 index=fermi line_bits=25", false, false},
    {"sets=128 index=ipoly:131 tag_ways=12 data_ways=6 allocation_rc=3 threshold=5", false, false},
    {"sets=4 tag_ways=4 data_ways=3 rc_bits=2 threshold=3 allocation_rc=3 lfu_any=1", false, false},
    {"sets=256 tag_ways=2 data_ways=1 rc_bits=6", false, false},
    {"sets=32 threshold=16 replacement=ship", false, false},
    {"sets=32 threshold=1 replacement=srrip rrpv_bits=3", false, false},
    {"sets=16 tag_ways=16 data_ways=8 replacement=ship signature_bits=14", false, false},
    {"sets=8 tag_ways=32 data_ways=31 threshold=1 replacement=ship rrpv_bits=4 counter_bits=4",
     false, false},
    {"sets=4 tag_ways=2 data_ways=1 replacement=ship signature_bits=3", false, false},
    {"sets=1024 tag_ways=8 data_ways=7 replacement=srrip rrpv_bits=4", false, false},
    {"sets=64 index=fold line_bits=25 tag_ways=12 data_ways=6 lfu_any=1 age_twice=1 "
     "replacement=ship signature_bits=4 counter_bits=1",
     false, false},
};

GM_COSIM_ACCESS_ALL(tag_store)

static bool flag(uint32_t mask, uint64_t lane)
{
    return (mask >> lane & 1) != 0;
}

/* Reads a state element of a data line, or of a signature, under SRRIP and SHiP. */
static bool view_line(const gm_tag_store *s, unsigned element, uint64_t row, uint64_t lane,
                      uint64_t *value)
{
    enum { RRPV, SIGNATURE, REUSED, DOUBT };
    const gm_replacement_state *lines = s->lines;
    *value = 0;
    if (lines == NULL || (element != RRPV && s->parameters.replacement != GM_REPLACEMENT_SHIP)) {
        return false;
    }
    if (element == DOUBT) {
        *value = lines->doubt[row];
        return true;
    }
    size_t at = row * s->parameters.data_ways + lane;
    *value = element == RRPV        ? lines->value[at]
             : element == SIGNATURE ? lines->signature[at]
                                    : flag(lines->reused[row], lane);
    return flag(lines->used[row], lane);
}

/* Reads an element of the port list's state. Returns false where it is a don't-care. */
static bool view(const void *made, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { RANK, VALID, WAITING, TAG, RC, COMMITTED, POSITION, FREE_LINE };
    const model *m = made;
    const gm_tag_store *s = &m->store;
    if (element > FREE_LINE) {
        return view_line(s, element - FREE_LINE - 1, row, lane, value);
    }
    const gm_tag_store_set *set = &s->set[row];
    size_t entry = row * s->parameters.tag_ways + lane;
    switch (element) {
    case VALID:
        *value = flag(set->valid, lane);
        return true;
    case WAITING:
        *value = flag(set->waiting, lane);
        return true;
    case TAG:
        *value = gm_set_index_tag(&m->function, s->line[entry]);
        return flag(set->valid | set->waiting, lane);
    case RC:
        *value = ((const uint8_t *)&s->rc[row * s->words])[lane];
        return flag(set->valid, lane);
    case COMMITTED:
        *value = flag(set->committed, lane);
        return flag(set->valid, lane);
    case POSITION:
        *value = s->position[entry];
        return flag(set->committed, lane);
    case FREE_LINE:
        *value = gm_tag_store_free_lines(s, (uint32_t)row);
        return set->valid != 0;
    default:
        *value = ((const uint8_t *)&s->rank[row * s->rank_words])[lane];
        return *value != GM_TAG_STORE_NONE;
    }
}

static void meet(const gm_cosim_configuration *configuration, const void *made,
                 const uint64_t *request, uint64_t *met)
{
    meet_store(configuration, &((const model *)made)->store, (const void *)request, met);
}

/* A set with one data line has no other position. */
static const char *stuck(const gm_cosim_configuration *configuration, unsigned field,
                         uint64_t *bits)
{
    enum { POSITION = offsetof(gm_tag_store_request, position) / sizeof(uint64_t) };
    *bits = field == POSITION && configuration->parameter[DATA_WAYS][0] == 1;
    return *bits != 0 ? "one data line" : NULL;
}

/* Returns the line: its set would need the index function. */
static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_tag_store_request *)(const void *)request)->line;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_tag_store_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .mutation = {"sets=4 line_bits=5 rc_bits=2 tag_ways=4 data_ways=3",
                 "sets=4 line_bits=5 rc_bits=2 tag_ways=4 data_ways=3 lfu_any=1 age_twice=1 "
                 "replacement=ship signature_bits=2 counter_bits=2"},
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 50000,
    .goals = goals,
    .meet = meet,
    .stuck = stuck,
    .subject = subject,
};

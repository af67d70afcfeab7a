/* victim_tags in lockstep: instances and stimulus. A batch has one pattern: the warps that it uses,
 * the shares of operations, and lines of a small pool, lines that differ from the last one in one
 * bit, or any; so sets fill and lose tags, and PROBEs find the newest, the oldest and lost ones. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/victim_tags.h"

#include "stimulus/each_element.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    ARENA_BYTES = (GM_VICTIM_TAGS_WARPS * 16 * (2 + 16 * 8)) + 1024 /* for the largest table */
};

/* The RTL parameters, in the port list's order. */
enum { WARPS, SETS, WAYS, LINE_W, PARAMETERS };

static int parse(const char *options, gm_victim_tags_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"warps", "sets", "ways", "line_bits"};
    uint64_t value[PARAMETERS] = {0};
    int code = gm_cosim_options_parameters(options, &gm_victim_tags_ports, names, value, error);
    *parameters = (gm_victim_tags_parameters){
        .warps = (unsigned)value[WARPS],
        .sets = (unsigned)value[SETS],
        .ways = (unsigned)value[WAYS],
        .line_bits = (unsigned)value[LINE_W],
    };
    return code;
}

GM_COSIM_MODEL(victim_tags, gm_victim_tags, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_victim_tags_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "warps=%u sets=%u ways=%u line_bits=%u", p.warps, p.sets, p.ways, p.line_bits);
    configuration->parameter[WARPS][0] = p.warps;
    configuration->parameter[SETS][0] = p.sets;
    configuration->parameter[WAYS][0] = p.ways;
    configuration->parameter[LINE_W][0] = p.line_bits;
    return 0;
}

/* The ends of every range; numbers of warps and ways that are and are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"warps=3 sets=2 ways=3 line_bits=6", true, true},
    {"warps=4 sets=2 ways=4 line_bits=8", true, true},
    {"warps=1 sets=1 ways=1 line_bits=1", false, true},
    {"warps=2 sets=1 ways=2 line_bits=64", false, true},
    {"warps=5 sets=4 ways=7 line_bits=9", false, true},
    {"warps=32 sets=2 ways=8 line_bits=25", false, true},
    {"warps=64 sets=16 ways=16 line_bits=48", false, false},
    {"warps=63 sets=1 ways=16 line_bits=12", false, false},
    {"warps=1 sets=16 ways=5 line_bits=5", false, false},
    {"warps=17 sets=8 ways=1 line_bits=33", false, false},
};

GM_COSIM_ACCESS_ALL(victim_tags)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_victim_tags *tags = model;
    unsigned ways = tags->parameters.ways;
    gm_victim_tags_fill fill = tags->fill[row];
    if (element == 0) {
        unsigned way_bits = ways < 3 ? 1 : gm_log2_ceil(ways);
        *value = (uint64_t)fill.full << way_bits | fill.next;
        return true;
    }
    *value = tags->tag[row * ways + lane];
    return fill.full != 0 || lane < fill.next;
}

/* Words of a plan: the pattern's choice; batches that still have it; the last line; the last warp.
 */
enum { PLAN_CHOICE, PLAN_LEFT, PLAN_LINE, PLAN_WARP };

/* Returns the number that the warp's field can hold. */
static uint64_t warp_mask(uint64_t warps)
{
    return gm_mask(warps < 3 ? 1 : gm_log2_ceil(warps));
}

/* A line of the pattern: of a pool of consecutive ones that is smaller than the tags of a set, as
 * large, or larger; in any place of the address; a neighbour of the last line; or any. */
static uint64_t pick_line(const gm_cosim_configuration *configuration, uint64_t choice,
                          uint64_t last, uint64_t value)
{
    unsigned bits = (unsigned)configuration->parameter[LINE_W][0];
    uint64_t tags = configuration->parameter[SETS][0] * configuration->parameter[WAYS][0];
    const uint64_t pools[] = {2, tags, tags + 1, 2 * tags + 3};
    uint64_t line = (value >> 8 & 0xffff) % pools[choice >> 4 & 3] << (choice >> 8) % bits;
    uint64_t how = value & 15;
    if (how < (choice >> 6 & 3)) {
        line = last ^ UINT64_C(1) << (value >> 24) % bits;
    } else if (how == 15) {
        line = value * UINT64_C(0x9e3779b97f4a7c15);
    } else if (how == 14) {
        line = last;
    }
    return line & gm_mask(bits);
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    static const unsigned inserts[] = {8, 8, 12, 4};
    gm_victim_tags_request *requests = (void *)request;
    uint64_t warps = configuration->parameter[WARPS][0];
    if (plan->word[PLAN_LEFT] == 0) {
        plan->word[PLAN_CHOICE] = gm_cosim_random_next(random);
        plan->word[PLAN_LEFT] = 1 + (plan->word[PLAN_CHOICE] >> 20 & 15);
    }
    plan->word[PLAN_LEFT]--;
    uint64_t choice = plan->word[PLAN_CHOICE];
    const uint64_t pools[] = {1, 2, warps, warps};
    uint64_t clears = (choice >> 24 & 3) == 0 ? 16 : 512;
    uint64_t restarts = (choice >> 26 & 3) == 0 ? 64 : 8192;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t line_value = gm_cosim_random_next(random);
        bool restart = (value & 0xffff) % restarts == 0;
        bool clear = (value >> 16 & 0xffff) % clears == 0;
        bool insert = (value >> 32 & 15) < inserts[choice & 3];
        uint64_t warp = (value >> 36 & 3) == 0
                            ? plan->word[PLAN_WARP]
                            : ((choice >> 32) + (value >> 40) % pools[choice >> 2 & 3]) % warps;
        uint64_t line = pick_line(configuration, choice, plan->word[PLAN_LINE], line_value);
        requests[i] = (gm_victim_tags_request){
            .op = restart  ? GM_VICTIM_TAGS_RESTART
                  : clear  ? GM_VICTIM_TAGS_CLEAR
                  : insert ? GM_VICTIM_TAGS_INSERT
                           : GM_VICTIM_TAGS_PROBE,
            .warp = restart ? value >> 40 & warp_mask(warps) : warp,
            .line = line,
        };
        plan->word[PLAN_LINE] = line;
        plan->word[PLAN_WARP] = warp;
    }
}

static void put(gm_cosim_tape *tape, uint64_t op, uint64_t warp, uint64_t line)
{
    const gm_victim_tags_request request = {.op = op, .warp = warp, .line = line};
    gm_cosim_tape_put(tape, &request);
}

enum { SWEPT = 2048 /* tags that a sweep puts, at most */ };

/* Returns the warps that a sweep uses: all, or the last ones. */
static uint64_t swept_warps(const gm_cosim_configuration *configuration)
{
    uint64_t tags = configuration->parameter[SETS][0] * configuration->parameter[WAYS][0];
    uint64_t warps = configuration->parameter[WARPS][0];
    return warps * tags <= SWEPT ? warps : SWEPT / tags;
}

/* Puts op of `each` lines of the warp, from line `first` up; lines of neighbours differ. */
static void sweep_warp(const gm_cosim_configuration *configuration, uint64_t op, uint64_t warp,
                       uint64_t first, uint64_t each, gm_cosim_tape *tape)
{
    uint64_t lines = gm_mask((unsigned)configuration->parameter[LINE_W][0]);
    for (uint64_t i = 0; i < each; i++) {
        put(tape, op, warp, ((warp << 8 ^ warp) + first + i) & lines);
    }
}

enum { COMPARED = 3072 /* PROBEs of a round that differ from a tag in one bit, about */ };

/* Returns the rows whose tags a round compares bit by bit. */
static uint64_t compared_rows(const gm_cosim_configuration *configuration)
{
    uint64_t rows = configuration->parameter[WARPS][0] * configuration->parameter[SETS][0];
    uint64_t bits = configuration->parameter[WAYS][0] * configuration->parameter[LINE_W][0];
    uint64_t most = COMPARED / bits > 0 ? COMPARED / bits : 1;
    return rows < most ? rows : most;
}

/* Fills a row with lines that differ in many bits, and for each way PROBEs the lines that differ
 * from its own in one bit: a comparator that lacks a bit finds one. */
static void sweep_row(const gm_cosim_configuration *configuration, uint64_t row, uint64_t first,
                      gm_cosim_tape *tape)
{
    uint64_t sets = configuration->parameter[SETS][0];
    uint64_t ways = configuration->parameter[WAYS][0];
    unsigned bits = (unsigned)configuration->parameter[LINE_W][0];
    uint64_t warp = row / sets;
    put(tape, GM_VICTIM_TAGS_CLEAR, warp, 0);
    for (unsigned probes = 0; probes < 2; probes++) {
        for (uint64_t way = 0; way < ways; way++) {
            uint64_t tag = (first + way + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 8;
            uint64_t line = (tag * sets + row % sets) & gm_mask(bits);
            for (unsigned bit = 0; bit < (probes != 0 ? bits : 0); bit++) {
                put(tape, GM_VICTIM_TAGS_PROBE, warp, line ^ UINT64_C(1) << bit);
            }
            put(tape, probes != 0 ? GM_VICTIM_TAGS_PROBE : GM_VICTIM_TAGS_INSERT, warp, line);
        }
    }
}

/* Sweeps some rows bit by bit, other ones in each round. */
static void sweep_bits(const gm_cosim_configuration *configuration, uint64_t round,
                       gm_cosim_tape *tape)
{
    uint64_t rows = configuration->parameter[WARPS][0] * configuration->parameter[SETS][0];
    uint64_t compared = compared_rows(configuration);
    for (uint64_t i = 0; i < compared; i++) {
        uint64_t step = round * compared + i;
        sweep_row(configuration, walked_element(step, rows),
                  step * configuration->parameter[WAYS][0], tape);
    }
}

/* Returns the rounds that compare all elements. */
static uint64_t rounds_of(const gm_cosim_configuration *configuration)
{
    return walk_rounds(configuration->parameter[WARPS][0] * configuration->parameter[SETS][0],
                       compared_rows(configuration));
}

/* Returns the rounds of which the self-check wants all elements: one if they are too many. */
static uint64_t walk(const gm_cosim_configuration *configuration)
{
    uint64_t rounds = rounds_of(configuration);
    return walk_is_short(rounds) ? rounds : 1;
}

/* INSERTs new tags into the last row, and right behind each PROBEs it in a row whose number differs
 * in one bit: there the row is not forwarded. */
static void sweep_neighbours(const gm_cosim_configuration *configuration, uint64_t round,
                             gm_cosim_tape *tape)
{
    enum { TIMES = 8 }; /* half of the batches are at full speed */
    uint64_t sets = configuration->parameter[SETS][0];
    uint64_t rows = configuration->parameter[WARPS][0] * sets;
    uint64_t lines = gm_mask((unsigned)configuration->parameter[LINE_W][0]);
    uint64_t tag = round << 8;
    for (unsigned i = 0; i < TIMES; i++) {
        for (uint64_t bit = 1; bit < rows; bit <<= 1) {
            uint64_t other = (rows - 1) ^ bit;
            other = other < rows ? other : 0;
            tag++;
            put(tape, GM_VICTIM_TAGS_INSERT, (rows - 1) / sets, (tag * sets + sets - 1) & lines);
            put(tape, GM_VICTIM_TAGS_PROBE, other / sets, (tag * sets + other % sets) & lines);
        }
    }
}

/* Fills every set of every warp, puts one tag more into each, and PROBEs; CLEARs every second warp
 * and PROBEs all; RESTARTs and PROBEs all: a row that does not keep its state, or shares another
 * one's, answers otherwise. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    uint64_t warps = configuration->parameter[WARPS][0];
    uint64_t sets = configuration->parameter[SETS][0];
    uint64_t tags = sets * configuration->parameter[WAYS][0];
    uint64_t first = warps - swept_warps(configuration);
    uint64_t start = round * 3;
    for (uint64_t w = first; w < warps; w++) {
        sweep_warp(configuration, GM_VICTIM_TAGS_INSERT, w, start, tags, tape);
    }
    for (uint64_t w = first; w < warps; w++) {
        sweep_warp(configuration, GM_VICTIM_TAGS_PROBE, w, start, tags, tape);
    }
    for (uint64_t w = first; w < warps; w++) {
        sweep_warp(configuration, GM_VICTIM_TAGS_INSERT, w, start + tags, sets, tape);
        sweep_warp(configuration, GM_VICTIM_TAGS_PROBE, w, start, 2 * sets, tape);
    }
    for (uint64_t w = first + round % 2; w < warps; w += 2) {
        put(tape, GM_VICTIM_TAGS_CLEAR, w, 0);
    }
    for (uint64_t w = first; w < warps; w++) {
        sweep_warp(configuration, GM_VICTIM_TAGS_PROBE, w, start + tags, sets, tape);
    }
    put(tape, GM_VICTIM_TAGS_RESTART, round & warp_mask(warps), 0);
    for (uint64_t w = first; w < warps; w++) {
        sweep_warp(configuration, GM_VICTIM_TAGS_PROBE, w, start + tags, sets, tape);
    }
    sweep_bits(configuration, round, tape);
    sweep_neighbours(configuration, round, tape);
}

enum {
    DIFFERS_TAG,
    DIFFERS_LAST,
    DIFFERS_WARP,
    OLDEST,
    LOST,
    ALL,
    ROW, /* the first of 16 goals of 64 rows each */
    GOALS = ROW + 16
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t warps = configuration->parameter[WARPS][0];
    uint64_t sets = configuration->parameter[SETS][0];
    unsigned tag_bits = (unsigned)configuration->parameter[LINE_W][0] - gm_log2_ceil(sets);
    uint64_t ways = configuration->parameter[WAYS][0];
    bool swept = swept_warps(configuration) == warps;
    const gm_cosim_goal all[ROW] = {
        [DIFFERS_TAG] = {"tag", true, gm_mask(tag_bits)},
        [DIFFERS_LAST] = {"tag of the last way of a full set", true,
                          gm_mask(tag_bits) < 2 * ways ? 0 : gm_mask(tag_bits)},
        [DIFFERS_WARP] = {"a line that a warp has whose number differs in a bit", false,
                          warps == 1 ? 0 : warp_mask(warps)},
        [OLDEST] = {"the oldest tag of a full set, in way", false,
                    gm_mask(tag_bits) < ways ? 0 : gm_mask((unsigned)ways)},
        [LOST] = {"a tag replaces the oldest one, in way", false,
                  gm_mask(tag_bits) < ways ? 0 : gm_mask((unsigned)ways)},
        [ALL] = {"all sets of all warps are full, and one of the last warp takes a tag", false,
                 swept && gm_mask(tag_bits) >= 2 * ways},
    };
    memcpy(goal, all, sizeof all);
    each_element_goals(
        &goal[ROW], 16, "full row whose last way's tag differs from a line in its highest bit",
        warps * sets, gm_mask(tag_bits) >= 2 * ways && walk_is_short(rounds_of(configuration)));
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    bool swept = swept_warps(configuration) == configuration->parameter[WARPS][0];
    return i == ALL && !swept                                     ? "more than 2048 tags"
           : i == ROW && !walk_is_short(rounds_of(configuration)) ? "more rows than a run compares"
                                                                  : NULL;
}

/* Returns the ways of a row that hold the tag. */
static uint64_t ways_with(const gm_victim_tags *tags, size_t row, uint64_t tag)
{
    unsigned ways = tags->parameters.ways;
    uint64_t found = 0;
    for (unsigned way = 0; way < (tags->fill[row].full != 0 ? ways : tags->fill[row].next); way++) {
        found |= (uint64_t)(tags->tag[row * ways + way] == tag) << way;
    }
    return found;
}

static bool all_full(const gm_victim_tags *tags)
{
    for (unsigned row = 0; row < tags->parameters.warps * tags->parameters.sets; row++) {
        if (tags->fill[row].full == 0) {
            return false;
        }
    }
    return true;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_victim_tags_request *r = (const void *)request;
    const gm_victim_tags *tags = model;
    const gm_victim_tags_parameters *p = &tags->parameters;
    (void)configuration;
    if (r->op > GM_VICTIM_TAGS_PROBE) {
        return;
    }
    uint64_t set = r->line & (p->sets - 1);
    uint64_t tag = r->line >> tags->set_bits;
    size_t row = r->warp * p->sets + set;
    gm_victim_tags_fill fill = tags->fill[row];
    uint64_t matches = ways_with(tags, row, tag);
    for (unsigned way = 0; way < (fill.full != 0 ? p->ways : fill.next); way++) {
        uint64_t differs = tags->tag[row * p->ways + way] ^ tag;
        differs = matches == 0 && gm_is_power_of_two(differs) ? differs : 0;
        met[DIFFERS_TAG] |= differs;
        met[DIFFERS_LAST] |= fill.full != 0 && way + 1 == p->ways ? differs : 0;
        if (way + 1 == p->ways && differs >> (p->line_bits - tags->set_bits - 1) != 0) {
            meet_element(&met[ROW], row);
        }
    }
    for (uint64_t bit = 1; bit <= warp_mask(p->warps); bit <<= 1) {
        uint64_t other = r->warp ^ bit;
        met[DIFFERS_WARP] |=
            matches == 0 && other < p->warps && ways_with(tags, other * p->sets + set, tag) != 0
                ? bit
                : 0;
    }
    met[OLDEST] = fill.full != 0 ? matches & UINT64_C(1) << fill.next : 0;
    bool replaces = r->op == GM_VICTIM_TAGS_INSERT && matches == 0 && fill.full != 0;
    met[LOST] = replaces ? UINT64_C(1) << fill.next : 0;
    met[ALL] = replaces && r->warp + 1 == p->warps && all_full(tags);
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_victim_tags_request *)(const void *)request)->warp;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_victim_tags_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .mutation = {"warps=3 sets=2 ways=3 line_bits=3", "warps=2 sets=1 ways=2 line_bits=2"},
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 262144,
    .walk = walk,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
    .subject = subject,
};

/* contention_bypass in lockstep: instances and stimulus. Most requests are near a decision: the
 * touched lines are a warp's share, one more or one less; the others are any numbers. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/contention_bypass.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int parse(const char *options, gm_contention_bypass_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"touched", "warps", "lines"};
    uint64_t value[3] = {0};
    int code =
        gm_cosim_options_parameters(options, &gm_contention_bypass_ports, names, value, error);
    *parameters = (gm_contention_bypass_parameters){
        .touched = (unsigned)value[0], .warps = (unsigned)value[1], .lines = (unsigned)value[2]};
    return code;
}

GM_COSIM_MODEL_IN_STRUCT(contention_bypass)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_contention_bypass_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options, "touched=%u warps=%u lines=%u",
             p.touched, p.warps, p.lines);
    configuration->parameter[0][0] = p.touched;
    configuration->parameter[1][0] = p.warps;
    configuration->parameter[2][0] = p.lines;
    return 0;
}

/* The thesis's machine (512 lines, 64 warps); those of the run engines, whose instructions touch up
 * to 2080 lines; gtx480 (48 warps, 128 lines); and the ends of the ranges. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"touched=5 warps=4 lines=9", true, true},
    {"touched=3 warps=3 lines=7", true, true},
    {"touched=2080", false, true},
    {"touched=2080 warps=48 lines=128", false, false},
    {"touched=1 warps=1 lines=1", false, true},
    {"touched=4095 warps=256 lines=16777215", false, true},
    {"touched=1 warps=256 lines=16777215", false, false},
    {"touched=4095 warps=256 lines=1", false, false},
    {"touched=32 warps=1 lines=4096", false, false},
};

GM_COSIM_ACCESS_ALL(contention_bypass)

/* Largest values of the fields. */
typedef struct ranges {
    uint64_t touched, warps, lines;
} ranges;

static ranges ranges_of(const gm_cosim_configuration *configuration)
{
    return (ranges){gm_mask(gm_log2_ceil(configuration->parameter[0][0] + 1)),
                    gm_mask(gm_log2_ceil(configuration->parameter[1][0] + 1)),
                    gm_mask(gm_log2_ceil(configuration->parameter[2][0] + 1))};
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* Returns a value of as many bits as chance will, so that small ones are as frequent as large ones.
 */
static uint64_t of_any_size(uint64_t random, uint64_t most)
{
    unsigned bits = gm_log2_ceil(most + 1);
    return (random >> 8) & gm_mask((unsigned)((random & UINT8_MAX) % (bits + 1)));
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_contention_bypass_request *requests = (void *)request;
    const ranges most = ranges_of(configuration);
    (void)plan;
    for (size_t i = 0; i < count; i++) {
        gm_contention_bypass_request *it = &requests[i];
        uint64_t choice = gm_cosim_random_next(random);
        it->touched = (choice >> 16) & most.touched;
        it->warps = of_any_size(gm_cosim_random_next(random), most.warps);
        it->lines = of_any_size(gm_cosim_random_next(random), most.lines);
        unsigned kind = choice & 15;
        if (kind == 0) { /* any numbers */
            it->warps = (choice >> 32) & most.warps;
        } else if (kind < 5) { /* the lines are near what the instruction needs */
            it->touched = of_any_size(gm_cosim_random_next(random), most.touched);
            uint64_t needed = (it->touched + 1) * it->warps;
            it->lines = at_most(needed + (choice >> 32 & 3), most.lines);
            it->lines -= it->lines != 0 && (choice >> 40 & 1) != 0;
        } else if (it->warps != 0) { /* the instruction is near a warp's share */
            it->touched = at_most(it->lines / it->warps + (choice >> 32 & 1), most.touched);
            it->touched -= it->touched != 0 && (choice >> 40 & 1) != 0;
        }
    }
}

static void put(gm_cosim_tape *tape, gm_contention_bypass_request request)
{
    gm_cosim_tape_put(tape, &request);
}

/* Puts requests around the share that (touched + 1) * warps lines give a warp. */
static void put_around(gm_cosim_tape *tape, const ranges *most, uint64_t touched, uint64_t warps)
{
    uint64_t needed = (touched + 1) * warps;
    for (unsigned k = 0; k < 3; k++) {
        uint64_t lines = at_most(needed + k - (needed != 0), most->lines);
        put(tape,
            (gm_contention_bypass_request){.touched = touched, .warps = warps, .lines = lines});
    }
}

/* For each number of warps that is an end of its range, and one of the round: for each number of
 * bits of `touched` the largest number, the next, and the ends of the range. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    const ranges most = ranges_of(configuration);
    const uint64_t warps[] = {
        0, 1, 2, configuration->parameter[1][0], most.warps, 3 + round % (most.warps + 1)};
    for (unsigned w = 0; w < sizeof warps / sizeof *warps; w++) {
        uint64_t sharing = at_most(warps[w], most.warps);
        for (unsigned bits = 0; most.touched >> bits != 0; bits++) {
            put_around(tape, &most, gm_mask(bits), sharing);
            put_around(tape, &most, UINT64_C(1) << bits, sharing);
        }
        put_around(tape, &most, configuration->parameter[0][0], sharing);
        put_around(tape, &most, most.touched, sharing);
        put(tape, (gm_contention_bypass_request){
                      .touched = most.touched, .warps = sharing, .lines = most.lines});
        for (unsigned bits = 0; most.lines >> bits != 0; bits++) {
            uint64_t lines = UINT64_C(1) << bits;
            uint64_t share = sharing != 0 ? lines / sharing : 0;
            put(tape, (gm_contention_bypass_request){.touched = at_most(share, most.touched),
                                                     .warps = sharing,
                                                     .lines = lines});
        }
    }
}

enum { SHARE, ONE_LESS, REST, ONE_LINE, TOUCHED_BIT, WARP_BIT, LINE_BIT, GOALS };

/* Bits of the fields in which a request that decides at its share can have a 1. */
static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    const ranges most = ranges_of(configuration);
    bool two = most.touched > 1 && most.lines > 1;  /* a share of two lines can be touched */
    bool less = most.touched > 1 && most.lines > 2; /* one of three can be missed by one */
    goal[SHARE] = (gm_cosim_goal){"touches a warp's share, of two lines or more", false, two};
    goal[ONE_LESS] = (gm_cosim_goal){"touches one line less than a warp's share", false, less};
    goal[REST] = (gm_cosim_goal){"a share that is rounded down", false, two && most.warps > 1};
    goal[ONE_LINE] = (gm_cosim_goal){"touches one line, and shares have no more", false, 1};
    goal[TOUCHED_BIT] = (gm_cosim_goal){"bit of the touched lines, of a load that bypasses", false,
                                        most.touched > 1 ? most.touched : 0};
    goal[WARP_BIT] = (gm_cosim_goal){"bit of the warps, of a load that bypasses", false,
                                     most.touched > 1 ? most.warps : 0};
    goal[LINE_BIT] =
        (gm_cosim_goal){"bit of the lines that makes a load fill", false,
                        most.touched > 1 && most.lines > 2 ? most.lines & ~UINT64_C(1) : 0};
    return GOALS;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_contention_bypass_request *it = (const void *)request;
    (void)configuration;
    (void)model;
    if (it->warps == 0) {
        return;
    }
    uint64_t share = it->lines / it->warps;
    bool bypasses = it->touched > 1 && it->touched >= share;
    met[SHARE] = it->touched > 1 && it->touched == share;
    met[ONE_LESS] = it->touched > 1 && it->touched + 1 == share;
    met[REST] = met[SHARE] && it->lines % it->warps != 0;
    met[ONE_LINE] = it->touched == 1 && share <= 1;
    met[TOUCHED_BIT] = bypasses ? it->touched : 0;
    met[WARP_BIT] = bypasses ? it->warps : 0;
    met[LINE_BIT] = it->touched > 1 && !bypasses ? it->lines : 0;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_contention_bypass_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = 256,
    .init = init,
    .access = access_all,
    .mutation = {"touched=3 warps=3 lines=7", "touched=5 warps=4 lines=9"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 262144,
    .goals = goals,
    .meet = meet,
};

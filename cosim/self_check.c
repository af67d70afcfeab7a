/* Self-check of a run: each instance has had each bit of each request's field as 0 and as 1, and
 * has met the goals of its block: stored fields that a request differed from in one bit only, and
 * limits of tables and counters. Without it, RTL that ignores the upper half of a line would pass.
 */
#include "engine.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void find_shape(const gm_run *run, const gm_lane *lane, gm_port_shape *shape)
{
    uint64_t numbers[GM_PORTS_PARAMETERS] = {0};
    for (unsigned i = 0; i < run->ports->parameters; i++) {
        numbers[i] = lane->configuration.parameter[i][0];
    }
    run->ports->shape(numbers, shape);
}

/* Returns why bits of a field are always 0, and sets them in *bits; NULL if none is. */
static const char *stuck_bits(const gm_run *run, const gm_lane *lane, unsigned field,
                              uint64_t *bits)
{
    const gm_cosim_block *block = run->plugin->block;
    *bits = 0;
    return block->stuck == NULL ? NULL : block->stuck(&lane->configuration, field, bits);
}

int gm_self_check_open(gm_run *run, gm_error *error)
{
    const gm_cosim_block *block = run->plugin->block;
    run->check = calloc(run->lanes, sizeof *run->check);
    if (run->check == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    for (unsigned i = 0; i < run->lanes; i++) {
        gm_lane *lane = &run->lane[i];
        gm_self_check *check = &run->check[i];
        gm_port_shape shape;
        find_shape(run, lane, &shape);
        check->fields = run->ports->requests;
        for (unsigned f = 0; f < check->fields; f++) {
            uint64_t stuck = 0;
            (void)stuck_bits(run, lane, f, &stuck);
            check->missing_zero[f] = gm_mask((unsigned)shape.request[f]);
            check->missing_one[f] = check->missing_zero[f] & ~stuck;
        }
        check->goals = block->goals == NULL ? 0 : block->goals(&lane->configuration, check->goal);
        for (unsigned g = 0; g < check->goals; g++) {
            check->missing_goal[g] = check->goal[g].bits;
        }
        lane->check = check;
    }
    return 0;
}

static bool misses_bits(const gm_self_check *check)
{
    uint64_t missing = 0;
    for (unsigned f = 0; f < check->fields; f++) {
        missing |= check->missing_one[f] | check->missing_zero[f];
    }
    return missing != 0;
}

static bool misses_goals(const gm_self_check *check)
{
    uint64_t missing = 0;
    for (unsigned g = 0; g < check->goals; g++) {
        missing |= check->missing_goal[g];
    }
    return missing != 0;
}

static void note_bits(gm_self_check *check, const uint64_t *request, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned f = 0; f < check->fields; f++) {
            check->missing_one[f] &= ~request[f];
            check->missing_zero[f] &= request[f];
        }
        request += check->fields;
    }
}

void gm_self_check_access(gm_lane *lane, const gm_cosim_block *block, const uint64_t *request,
                          uint64_t *response, size_t count)
{
    gm_self_check *check = lane->check;
    if (check->complete || !misses_goals(check)) {
        block->access(lane->model, request, response, count);
    } else {
        for (size_t i = 0; i < count; i++) { /* one by one: goals are met in the state before it */
            const uint64_t *one = request + i * block->ports->requests;
            uint64_t met[GM_COSIM_GOALS] = {0};
            block->meet(&lane->configuration, lane->model, one, met);
            for (unsigned g = 0; g < check->goals; g++) {
                check->missing_goal[g] &= ~met[g];
            }
            block->access(lane->model, one, response + i * block->ports->responses, 1);
        }
    }
    if (!check->complete) {
        note_bits(check, request, count);
        check->complete = !misses_bits(check) && !misses_goals(check);
    }
}

/* Prints one thing that an instance misses: bit `b` of goal `g`. */
static void print_goal(FILE *file, const gm_self_check *check, unsigned g, unsigned b)
{
    const gm_cosim_goal *goal = &check->goal[g];
    unsigned first = 0; /* the number of bit 0 */
    for (unsigned before = 0; before < g; before++) {
        first += strcmp(check->goal[before].name, goal->name) == 0 ? 64 : 0;
    }
    if (goal->differs) {
        fprintf(file, "%s: a request differs from a stored one in bit %u only\n", goal->name, b);
    } else if (goal->bits != 1 || first > 0) {
        fprintf(file, "%s: %u\n", goal->name, first + b);
    } else {
        fprintf(file, "%s\n", goal->name);
    }
}

/* Prints what instance `lane` misses, up to *room lines. Returns the number of things missing. */
static unsigned print_missing(FILE *file, const gm_run *run, const gm_lane *lane, unsigned *room)
{
    const gm_self_check *check = lane->check;
    unsigned missing = 0;
    for (unsigned i = 0; i < 2 * check->fields + check->goals; i++) {
        unsigned f = i / 2; /* first each field's bits, as 0 and as 1 */
        unsigned g = i - 2 * check->fields;
        bool is_bit = f < check->fields;
        uint64_t left = !is_bit      ? check->missing_goal[g]
                        : i % 2 == 0 ? check->missing_zero[f]
                                     : check->missing_one[f];
        missing += gm_count_ones(left);
        for (; left != 0 && *room > 0; left &= left - 1, --*room) {
            unsigned b = gm_lowest_one(left);
            fprintf(file, "%s: never in %s: ", run->ports->block,
                    run->plugin->options[lane->number]);
            if (is_bit) {
                fprintf(file, "%s: bit %u is %u\n", run->ports->request[f].name, b, i % 2);
            } else {
                print_goal(file, check, g, b);
            }
        }
    }
    return missing;
}

/* Prints which fields have bits that are always 0, and why, each reason once. */
static void print_stuck(FILE *file, const gm_run *run)
{
    for (unsigned f = 0; f < run->ports->requests; f++) {
        const char *reason = NULL;
        uint64_t bits = 0;
        unsigned instances = 0;
        for (unsigned i = 0; i < run->lanes; i++) {
            const char *why = stuck_bits(run, &run->lane[i], f, &bits);
            reason = why != NULL ? why : reason;
            instances += why != NULL;
        }
        if (reason != NULL) {
            fprintf(file, ", %s has bits that are always 0 in %u (%s)", run->ports->request[f].name,
                    instances, reason);
        }
    }
}

/* Prints the goals that are not demanded of some instances, a line for each reason. */
static void print_undemanded(FILE *file, const gm_run *run)
{
    const gm_cosim_block *block = run->plugin->block;
    const gm_self_check *check = run->check;
    const char *last = NULL; /* the reason, and the instances, of the line that is not ended */
    unsigned of = 0;
    for (unsigned g = 0; block->undemanded != NULL && g < check->goals; g++) {
        const char *reason = NULL;
        unsigned instances = 0;
        for (unsigned i = 0; i < run->lanes; i++) {
            const char *why = run->check[i].goal[g].bits != 0
                                  ? NULL
                                  : block->undemanded(&run->lane[i].configuration, g);
            reason = why != NULL ? why : reason;
            instances += why != NULL;
        }
        bool continues = g > 0 && strcmp(check->goal[g].name, check->goal[g - 1].name) == 0;
        if (reason == NULL || continues) {
            continue;
        }
        if (last == NULL || strcmp(last, reason) != 0 || of != instances) {
            fprintf(file, "%s%s: self-check: not demanded of %u of %u instances (%s): %s",
                    last == NULL ? "" : "\n", run->ports->block, instances, run->lanes, reason,
                    check->goal[g].name);
        } else {
            fprintf(file, "; %s", check->goal[g].name);
        }
        last = reason;
        of = instances;
    }
    fputs(last == NULL ? "" : "\n", file);
}

/* Counts what all instances together want: bits of requests, stored fields' bits, limits. */
static void count_wanted(const gm_run *run, unsigned *bits, unsigned *stored, unsigned *limits)
{
    *bits = *stored = *limits = 0;
    for (unsigned i = 0; i < run->lanes; i++) {
        const gm_self_check *check = &run->check[i];
        gm_port_shape shape;
        find_shape(run, &run->lane[i], &shape);
        for (unsigned f = 0; f < check->fields; f++) {
            uint64_t stuck = 0;
            (void)stuck_bits(run, &run->lane[i], f, &stuck);
            *bits += (unsigned)shape.request[f] - gm_count_ones(stuck);
        }
        for (unsigned g = 0; g < check->goals; g++) {
            *(check->goal[g].differs ? stored : limits) += gm_count_ones(check->goal[g].bits);
        }
    }
}

/* Returns the transactions that an instance must have for its self-check: as many as the block
 * says, and its episodes to the end of the walk through all elements. */
static uint64_t wanted_of(gm_run *run, const gm_lane *lane)
{
    const gm_cosim_block *block = run->plugin->block;
    uint64_t rounds = block->walk == NULL ? 1 : block->walk(&lane->configuration);
    uint64_t wanted = 0;
    for (uint64_t episode = 0; episode < 2 * rounds || episode < 2; episode++) {
        wanted += gm_limits_episode(run, episode);
    }
    return wanted < block->self_check ? block->self_check : wanted;
}

bool gm_self_check_report(FILE *file, gm_run *run)
{
    enum { SHOWN = 20 };
    const char *name = run->ports->block;
    unsigned room = SHOWN;
    print_undemanded(file, run);
    unsigned missing = 0;
    const gm_lane *few = NULL; /* an instance with too few transactions that misses something */
    uint64_t more = 0;
    for (unsigned i = 0; i < run->lanes; i++) {
        const gm_lane *lane = &run->lane[i];
        uint64_t wanted = wanted_of(run, lane);
        if (lane->total >= wanted) {
            missing += print_missing(file, run, lane, &room);
        } else if (!lane->check->complete) {
            few = lane;
            more = wanted > more ? wanted : more;
        }
    }
    if (missing > SHOWN) {
        fprintf(file, "%s: and %u more\n", name, missing - SHOWN);
    }
    if (few != NULL) {
        fprintf(file,
                "%s: self-check: not applied: %llu transactions of each instance, it wants %llu\n",
                name, (unsigned long long)few->total, (unsigned long long)more);
    }
    if (missing > 0 || few != NULL) {
        return missing == 0;
    }
    unsigned bits;
    unsigned stored;
    unsigned limits;
    count_wanted(run, &bits, &stored, &limits);
    fprintf(file,
            "%s: self-check: in all instances together %u bits of requests took both values, "
            "%u differences in one bit from stored fields and %u limits were met",
            name, bits, stored, limits);
    print_stuck(file, run);
    fputc('\n', file);
    return true;
}

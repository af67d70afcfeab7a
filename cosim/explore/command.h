/* The command of an explorer: options that both explorers have, litmus tests in files, each under
 * each protocol that it names. */
#ifndef GOLDMEM_EXPLORE_COMMAND_H
#define GOLDMEM_EXPLORE_COMMAND_H

#include "litmus/litmus.h"
#include "search.h"

#include <limits.h>
#include <time.h>

enum { EXPLORE_OPEN = UINT_MAX }; /* a bound that the options leave open */

/* Bounds of a machine: from an option, else from the test, else the default. */
typedef struct explore_bounds {
    unsigned time_bits, life;    /* of a timestamp [bits], of a lease [core cycles] */
    unsigned l1_slots, l2_slots; /* lines of each cache */
} explore_bounds;

typedef struct explore_options {
    explore_bounds bounds;
    unsigned protocol; /* GM_LITMUS_EXPLORED: those that a test names */
    uint64_t most;     /* worlds */
    uint64_t steps;    /* of random walks, in place of the search; 0: none */
    uint64_t seed;
    bool reduces;
    bool verbose; /* print the sequences of outcomes that may appear too */
} explore_options;

/* An explorer. Both functions get `own`, what only it has. */
typedef struct explore_command {
    const char *name, *usage;
    unsigned longest_life, slots; /* largest values of --life, and of --l1-slots and --l2-slots */
    bool may_be_incomplete;       /* a search that ends at --worlds is not wrong */
    /* Takes an option that only this explorer has. Returns false if there is none, or its value is
     * wrong. */
    bool (*parse)(const char *argument, void *own);
    /* Explores a test under a protocol. Returns 0 if it ends as expected, 1 if not, or an error. */
    int (*explore)(const explore_options *o, const gm_litmus_test *test, unsigned protocol,
                   void *own, gm_error *error);
} explore_command;

/* True for `name` followed by a number in the range, which goes to `value`. */
bool explore_number(const char *argument, const char *name, unsigned least, unsigned most,
                    unsigned *value);

/* An option of a list: sets a flag to `value`. */
typedef struct explore_flag {
    const char *name;
    bool *flag, value;
} explore_flag;

/* An option of a list: a number in the range. */
typedef struct explore_range {
    const char *name;
    unsigned least, most, *value;
} explore_range;

/* Each takes an argument if it is in the list, and its value is right; else returns false. */
bool explore_flags(const char *argument, const explore_flag *flags, size_t count);
bool explore_ranges(const char *argument, const explore_range *ranges, size_t count);

/* Returns what follows `name` in an argument; NULL: it is another option. */
const char *explore_behind(const char *argument, const char *name);

/* Removes from `rules` the bit of the rule of that name. Returns false if there is none. */
bool explore_leave_out(const char *name, const char *const *names, unsigned count, unsigned *rules);

/* The bounds of a test's machine: what the options leave open is the test's, else the default. */
explore_bounds explore_bounds_of(const explore_options *o, const gm_litmus_test *test);

/* Prints how a search ended, which began at `start`. Returns whether it ended as expected. */
bool explore_print(const explore_command *command, const gm_litmus_test *test, unsigned protocol,
                   const search_result *result, clock_t start);

/* Prints how a search of programs ended, which began at `start`. */
void explore_print_programs(const char *name, const char *end, const search_result *result,
                            clock_t start);

/* The program. Returns its status: 0 if all ended as expected, 1 if not, 2 for bad input. */
int explore_main(int argc, char **argv, const explore_command *command, void *own);

#endif

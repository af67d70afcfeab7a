/* goldmem-explore-timed: explores litmus tests over the cycle engine's L1s and L2 bank. */
#include "timed.h"
#include "walk.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPEN = UINT_MAX }; /* a bound that the command leaves open */

typedef struct options {
    timed_settings settings;
    unsigned protocol; /* GM_LITMUS_EXPLORED: those that a test names */
    uint64_t most;
    uint64_t steps; /* of random walks, in place of the search */
    uint64_t seed;
    bool verbose; /* print the sequences of outcomes that may appear too */
} options;

static const char usage[] =
    "goldmem-explore-timed [OPTION...] FILE...\n"
    "Explores each litmus test over the cycle engine's L1s, fences and L2 bank under each "
    "protocol\n"
    "that it names: can its outcome appear? No fence may complete while another SM may use a copy\n"
    "that is older than a write before the fence; nothing may be left that waits for ever.\n"
    "  --protocol=NAME     one only: tcw, tcs, tcw+visible, tcw+fence=cta, tcs+fence=cta,\n"
    "                      tcw+merge=lease, tcs+merge=lease\n"
    "  --time-bits=N       bits of a timestamp, 2 to 8\n"
    "  --life=N            lifetime in cycles\n"
    "  --l1-slots=N, --l2-slots=N   1 or 2\n"
    "  --mshrs=N, --merges=N   of each cache: 1 or 2 MSHR entries (2), 1 to 4 requests of each "
    "(4)\n"
    "  --whole             without the reductions, which hold for right designs\n"
    "  --worlds=N          at most so many worlds (5000000): then the exploration is not complete\n"
    "  --walk=N, --seed=N  checks the canonical worlds on N steps of random walks instead\n"
    "  --verbose           prints the sequence of an outcome that may appear\n";

static bool number_of(const char *argument, const char *name, unsigned least, unsigned most,
                      unsigned *value)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0) {
        return false;
    }
    char *end;
    unsigned long number = strtoul(argument + length, &end, 10);
    *value = (unsigned)number;
    return *end == '\0' && end != argument + length && number >= least && number <= most;
}

static bool parse_one(const char *argument, options *o)
{
    timed_settings *s = &o->settings;
    unsigned number;
    if (number_of(argument, "--worlds=", 1, UINT32_MAX - 1, &number)) {
        o->most = number;
    } else if (number_of(argument, "--walk=", 1, UINT32_MAX, &number)) {
        o->steps = number;
    } else if (number_of(argument, "--seed=", 0, UINT32_MAX, &number)) {
        o->seed = number;
    } else if (strcmp(argument, "--whole") == 0) {
        s->reduces = false;
    } else if (strcmp(argument, "--verbose") == 0) {
        o->verbose = true;
    } else if (strncmp(argument, "--protocol=", 11) == 0) {
        o->protocol = gm_litmus_find_protocol(argument + 11);
        return o->protocol < GM_LITMUS_EXPLORED;
    } else {
        return number_of(argument, "--time-bits=", 2, 8, &s->time_bits) ||
               number_of(argument, "--life=", 0, 254, &s->life) ||
               number_of(argument, "--l1-slots=", 1, TIMED_SLOTS, &s->l1_slots) ||
               number_of(argument, "--l2-slots=", 1, TIMED_SLOTS, &s->l2_slots) ||
               number_of(argument, "--mshrs=", 1, TIMED_MSHRS, &s->mshrs) ||
               number_of(argument, "--merges=", 1, TIMED_MERGES, &s->merges);
    }
    return true;
}

/* Sets what the command's options leave open: the test's bounds, else the defaults. */
static void take_bounds(const gm_litmus_test *test, timed_settings *s)
{
    const struct {
        unsigned *value, test, fallback;
    } bounds[] = {
        {&s->time_bits, test->time_bits, 3},
        {&s->life, test->life, 2},
        {&s->l1_slots, test->l1_slots, 2},
        {&s->l2_slots, test->l2_slots, 1},
    };
    for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (*bounds[i].value == OPEN) {
            *bounds[i].value = bounds[i].test != 0 ? bounds[i].test : bounds[i].fallback;
        }
    }
}

/* Checks the canonical worlds on random walks. Returns 0, or an error. */
static int check(const options *o, timed_machine *machine, gm_error *error)
{
    uint64_t events;
    int code = timed_walk(machine, o->steps, o->seed, &events, error);
    if (code == 0) {
        printf("%-15s %s: canonical worlds agree; %llu steps of seed %llu, %llu events\n",
               machine->settings.protocol.name, machine->settings.test->name,
               (unsigned long long)o->steps, (unsigned long long)o->seed,
               (unsigned long long)events);
    }
    return code;
}

/* Searches the machine's worlds. Returns 0 if the search ends as expected, 1 if not, or an error.
 */
static int find(const options *o, timed_machine *machine, unsigned protocol, gm_error *error)
{
    const gm_litmus_test *test = machine->settings.test;
    search_result result;
    clock_t start = clock();
    search_system system = timed_system(machine);
    int code = search_in(&system, o->most, &result, error);
    if (code < 0) {
        free(result.events);
        return code;
    }
    search_end expected = test->may[protocol] ? SEARCH_SHOWN : SEARCH_NEVER;
    bool complete = result.end != SEARCH_BOUND;
    bool as_expected = !test->expected[protocol] || result.end == expected || !complete;
    printf("%-15s %s: %s%s; %llu worlds, %llu final, depth %u, %.1f s\n",
           machine->settings.protocol.name, test->name,
           complete ? search_end_text(result.end) : "not complete",
           as_expected ? "" : " (NOT AS EXPECTED)", (unsigned long long)result.worlds,
           (unsigned long long)result.finals, result.depth,
           (double)(clock() - start) / CLOCKS_PER_SEC);
    if (result.events != NULL && (o->verbose || !as_expected)) {
        code = search_tell_in(&system, &result, stdout, error);
    }
    free(result.events);
    return code < 0 ? code : !as_expected;
}

static int explore(const options *o, const gm_litmus_test *test, unsigned protocol, gm_error *error)
{
    timed_machine *machine;
    timed_settings settings = o->settings;
    settings.test = test;
    settings.protocol = gm_litmus_protocols[protocol];
    take_bounds(test, &settings);
    int code = timed_create(&machine, &settings, error);
    if (code == 0) {
        code = o->steps > 0 ? check(o, machine, error) : find(o, machine, protocol, error);
    }
    timed_free(machine);
    return code;
}

static int explore_file(const options *o, const char *path, gm_error *error)
{
    gm_litmus_test test;
    int code = gm_litmus_read(path, &test, error);
    int wrong = 0;
    if (code == 0 && !test.placed) {
        return gm_fail(error, -EINVAL, "%s: the explorer does not read the PTX dialect", path);
    }
    for (unsigned p = 0; p < GM_LITMUS_EXPLORED && code >= 0; p++) {
        if (o->protocol < GM_LITMUS_EXPLORED ? p == o->protocol : test.expected[p]) {
            code = explore(o, &test, p, error);
            wrong |= code == 1;
        }
    }
    return code < 0 ? code : wrong;
}

int main(int argc, char **argv)
{
    options o = {.settings = {.reduces = true,
                              .mshrs = TIMED_MSHRS,
                              .merges = TIMED_MERGES,
                              .time_bits = OPEN,
                              .life = OPEN,
                              .l1_slots = OPEN,
                              .l2_slots = OPEN},
                 .protocol = GM_LITMUS_EXPLORED,
                 .most = 5000000};
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (!parse_one(argv[at], &o)) {
            fprintf(stderr, "goldmem-explore-timed: no such option or value: %s\n", argv[at]);
            return 2;
        }
    }
    if (at == argc) {
        fputs(usage, stderr);
        return 2;
    }
    int wrong = 0;
    for (; at < argc; at++) {
        gm_error error;
        int code = explore_file(&o, argv[at], &error);
        if (code < 0) {
            fprintf(stderr, "goldmem-explore-timed: %s\n", error.text);
            return 2;
        }
        wrong |= code;
    }
    return wrong;
}

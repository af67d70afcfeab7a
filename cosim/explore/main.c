/* goldmem-explore: explores litmus tests over the C models of the Temporal Coherence blocks. */
#include "bits.h"
#include "record.h"
#include "search_blocks.h"
#include "walk.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct options {
    world_settings settings;
    unsigned protocol; /* GM_LITMUS_EXPLORED: those that a test names */
    uint64_t most;
    uint64_t steps; /* of random walks, in place of the search */
    uint64_t seed;
    bool records;     /* writes the blocks' transactions in a sequence instead of its events */
    const char *play; /* file with requests of blocks, in place of the search; NULL: none */
    bool verbose;     /* print the sequences of outcomes that may appear too */
    int files;        /* index of the first */
} options;

static const char usage[] =
    "goldmem-explore [OPTION...] FILE...\n"
    "Explores each litmus test under each protocol that it names: can its outcome appear? No "
    "fence\n"
    "may complete while another SM may use a copy that is older than a write before the fence.\n"
    "  --protocol=NAME     one only: tcw, tcs, tcw+visible, tcw+fence=cta, tcs+fence=cta,\n"
    "                      tcw+merge=lease, tcs+merge=lease\n"
    "  --printed=N         rules of the paper's printed table: 1, 2, 4 or a sum\n"
    "  --without=RULE      leaves out a rule: fence-closes, store-closes, rollover-closes,\n"
    "                      loads-count, stores-count, keeps-leases, starts-at-1,\n"
    "                      closed-count, gwct-of-writer, kernel-waits\n"
    "  --time-bits=N       bits of a timestamp, 2 to 8 (3)\n"
    "  --life=N            lifetime in cycles (2)\n"
    "  --l1-slots=N, --l2-slots=N   1 or 2 (2, 1)\n"
    "  --evict             an L1 evicts at any time\n"
    "  --whole             without the reductions, which hold for right designs: sequences are "
    "the\n"
    "                      shortest ones\n"
    "  --worlds=N          at most so many worlds (5000000)\n"
    "  --walk=N, --seed=N  checks the reductions on N steps of random walks instead\n"
    "  --record            writes the blocks' requests and responses in a sequence, too\n"
    "  --play=FILE         sends requests of such lines to the blocks instead\n"
    "  --bits              prints the sizes of the blocks' state and ports instead\n"
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

static bool leave_out(const char *name, unsigned *rules)
{
    for (unsigned i = 0; i < RULES; i++) {
        if (strcmp(name, world_rule_names[i]) == 0) {
            *rules &= ~(1u << i);
            return true;
        }
    }
    return false;
}

static bool parse_one(const char *argument, options *o)
{
    world_settings *s = &o->settings;
    unsigned number;
    if (number_of(argument, "--worlds=", 1, UINT32_MAX - 1, &number)) {
        o->most = number;
        return true;
    }
    if (number_of(argument, "--walk=", 1, UINT32_MAX, &number)) {
        o->steps = number;
        return true;
    }
    if (number_of(argument, "--seed=", 0, UINT32_MAX, &number)) {
        o->seed = number;
        return true;
    }
    if (strcmp(argument, "--evict") == 0) {
        s->evicts = true;
    } else if (strcmp(argument, "--whole") == 0) {
        s->reduces = false;
    } else if (strcmp(argument, "--record") == 0) {
        o->records = true;
    } else if (strncmp(argument, "--play=", 7) == 0) {
        o->play = argument + 7;
    } else if (strcmp(argument, "--verbose") == 0) {
        o->verbose = true;
    } else if (strncmp(argument, "--protocol=", 11) == 0) {
        o->protocol = gm_litmus_find_protocol(argument + 11);
        return o->protocol < GM_LITMUS_EXPLORED;
    } else if (strncmp(argument, "--without=", 10) == 0) {
        return leave_out(argument + 10, &s->rules);
    } else {
        return number_of(argument, "--printed=", 0, 7, &s->printed) ||
               number_of(argument, "--time-bits=", 2, 8, &s->time_bits) ||
               number_of(argument, "--life=", 0, 255, &s->life) ||
               number_of(argument, "--l1-slots=", 1, WORLD_SLOTS, &s->l1_slots) ||
               number_of(argument, "--l2-slots=", 1, WORLD_SLOTS, &s->l2_slots);
    }
    return true;
}

enum { OPEN = UINT_MAX }; /* a bound that the command leaves open */

/* Sets what the command's options leave open: the test's bounds, else the defaults. */
static void take_bounds(const gm_litmus_test *test, world_settings *s)
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

/* Checks the reductions on random walks. Returns 0, or an error. */
static int check(const options *o, const world_settings *settings, gm_error *error)
{
    walk_result result;
    int code = walk(settings, o->steps, o->seed, &result, error);
    if (code == 0) {
        printf("%-15s %s: reductions agree; %llu steps of seed %llu, %llu events, %llu pairs\n",
               settings->protocol.name, settings->test->name, (unsigned long long)o->steps,
               (unsigned long long)o->seed, (unsigned long long)result.events,
               (unsigned long long)result.commuted);
    }
    return code;
}

/* Explores a test under a protocol. Returns 0 if it ends as expected, 1 if not, or an error. */
static int explore(const options *o, const gm_litmus_test *test, unsigned protocol, gm_error *error)
{
    world_settings settings = o->settings;
    settings.test = test;
    settings.protocol = gm_litmus_protocols[protocol];
    settings.strong = settings.protocol.protocol == GM_COHERENCE_TCS;
    take_bounds(test, &settings);
    world_prepare(&settings);
    if (o->steps > 0) {
        return check(o, &settings, error);
    }
    if (o->play != NULL) {
        return play(&settings, o->play, stdout, error);
    }
    search_result result;
    clock_t start = clock();
    int code = search(&settings, o->most, &result, error);
    if (code < 0) {
        free(result.events);
        return code;
    }
    search_end expected = test->may[protocol] ? SEARCH_SHOWN : SEARCH_NEVER;
    bool as_expected = !test->expected[protocol] || result.end == expected;
    printf("%-15s %s: %s%s; %llu worlds, %llu final, depth %u, %.1f s\n", settings.protocol.name,
           test->name, search_end_text(result.end), as_expected ? "" : " (NOT AS EXPECTED)",
           (unsigned long long)result.worlds, (unsigned long long)result.finals, result.depth,
           (double)(clock() - start) / CLOCKS_PER_SEC);
    if (result.events != NULL && (o->verbose || !as_expected)) {
        code = search_tell(&settings, &result, stdout, error);
    }
    if (result.events != NULL && o->records && code == 0) {
        code = record(&settings, &result, stdout, error);
    }
    free(result.events);
    return code < 0 ? code : !as_expected;
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
    options o = {.settings = {.rules = (1u << RULES) - 1,
                              .reduces = true,
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
        if (strcmp(argv[at], "--bits") == 0) {
            explore_print_bits(stdout);
            return 0;
        }
        if (!parse_one(argv[at], &o)) {
            fprintf(stderr, "goldmem-explore: no such option or value: %s\n", argv[at]);
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
            fprintf(stderr, "goldmem-explore: %s\n", error.text);
            return 2;
        }
        wrong |= code;
    }
    return wrong;
}

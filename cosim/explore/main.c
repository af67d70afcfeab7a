/* goldmem-explore: explores litmus tests over the C models of the Temporal Coherence blocks. */
#include "bits.h"
#include "command.h"
#include "record.h"
#include "search_blocks.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

/* What the other explorer does not have. */
typedef struct blocks_options {
    unsigned printed; /* rules of the printed table */
    unsigned rules;   /* world_rule: those that hold */
    bool evicts;
    bool records;     /* writes the blocks' transactions in a sequence instead of its events */
    const char *play; /* file with requests of blocks, in place of the search; NULL: none */
} blocks_options;

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

static bool parse(const char *argument, void *own)
{
    blocks_options *o = own;
    if (strcmp(argument, "--evict") == 0) {
        o->evicts = true;
    } else if (strcmp(argument, "--record") == 0) {
        o->records = true;
    } else if (strncmp(argument, "--play=", 7) == 0) {
        o->play = argument + 7;
    } else if (strncmp(argument, "--without=", 10) == 0) {
        return leave_out(argument + 10, &o->rules);
    } else {
        return explore_number(argument, "--printed=", 0, 7, &o->printed);
    }
    return true;
}

/* Checks the reductions on random walks. Returns 0, or an error. */
static int check(const explore_options *o, const world_settings *settings, gm_error *error)
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

static int explore(const explore_options *o, const gm_litmus_test *test, unsigned protocol,
                   void *own, gm_error *error);

static const explore_command command = {.name = "goldmem-explore",
                                        .usage = usage,
                                        .longest_life = 255,
                                        .slots = WORLD_SLOTS,
                                        .parse = parse,
                                        .explore = explore};

/* Searches the blocks' worlds. Returns 0 if the search ends as expected, 1 if not, or an error. */
static int find(const explore_options *o, const blocks_options *blocks,
                const world_settings *settings, unsigned protocol, gm_error *error)
{
    search_result result;
    clock_t start = clock();
    int code = search(settings, o->most, &result, error);
    bool as_expected = true;
    if (code >= 0) {
        as_expected = explore_print(&command, settings->test, protocol, &result, start);
    }
    if (code >= 0 && result.events != NULL && (o->verbose || !as_expected)) {
        code = search_tell(settings, &result, stdout, error);
    }
    if (code >= 0 && result.events != NULL && blocks->records) {
        code = record(settings, &result, stdout, error);
    }
    free(result.events);
    return code < 0 ? code : !as_expected;
}

static int explore(const explore_options *o, const gm_litmus_test *test, unsigned protocol,
                   void *own, gm_error *error)
{
    const blocks_options *blocks = own;
    const explore_bounds bounds = explore_bounds_of(o, test);
    world_settings settings = {.test = test,
                               .protocol = gm_litmus_protocols[protocol],
                               .printed = blocks->printed,
                               .rules = blocks->rules,
                               .time_bits = bounds.time_bits,
                               .life = bounds.life,
                               .l1_slots = bounds.l1_slots,
                               .l2_slots = bounds.l2_slots,
                               .evicts = blocks->evicts,
                               .reduces = o->reduces};
    settings.strong = settings.protocol.protocol == GM_COHERENCE_TCS;
    world_prepare(&settings);
    if (o->steps > 0) {
        return check(o, &settings, error);
    }
    if (blocks->play != NULL) {
        return play(&settings, blocks->play, stdout, error);
    }
    return find(o, blocks, &settings, protocol, error);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--bits") == 0) {
        explore_print_bits(stdout);
        return 0;
    }
    blocks_options blocks = {.rules = (1u << RULES) - 1};
    return explore_main(argc, argv, &command, &blocks);
}

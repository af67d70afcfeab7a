/* goldmem-explore-timed: explores litmus tests over the cycle engine's L1s and L2 bank. */
#include "explore/command.h"
#include "timed.h"
#include "walk.h"

#include <stdlib.h>

/* What the other explorer does not have: entries of each cache's MSHRs, and requests of an entry.
 */
typedef struct timed_options {
    unsigned mshrs, merges;
} timed_options;

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

static bool parse(const char *argument, void *own)
{
    timed_options *o = own;
    return explore_number(argument, "--mshrs=", 1, TIMED_MSHRS, &o->mshrs) ||
           explore_number(argument, "--merges=", 1, TIMED_MERGES, &o->merges);
}

/* Checks the canonical worlds on random walks. Returns 0, or an error. */
static int check(const explore_options *o, timed_machine *machine, gm_error *error)
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

static int explore(const explore_options *o, const gm_litmus_test *test, unsigned protocol,
                   void *own, gm_error *error);

static const explore_command command = {.name = "goldmem-explore-timed",
                                        .usage = usage,
                                        .longest_life = 254,
                                        .slots = TIMED_SLOTS,
                                        .may_be_incomplete = true,
                                        .parse = parse,
                                        .explore = explore};

/* Searches the machine's worlds. Returns 0 if the search ends as expected, 1 if not, or an error.
 */
static int find(const explore_options *o, timed_machine *machine, unsigned protocol,
                gm_error *error)
{
    search_result result;
    clock_t start = clock();
    search_system system = timed_system(machine);
    int code = search_in(&system, o->most, &result, error);
    bool as_expected = true;
    if (code >= 0) {
        as_expected = explore_print(&command, machine->settings.test, protocol, &result, start);
    }
    if (code >= 0 && result.events != NULL && (o->verbose || !as_expected)) {
        code = search_tell_in(&system, &result, stdout, error);
    }
    free(result.events);
    return code < 0 ? code : !as_expected;
}

static int explore(const explore_options *o, const gm_litmus_test *test, unsigned protocol,
                   void *own, gm_error *error)
{
    const timed_options *timed = own;
    const explore_bounds bounds = explore_bounds_of(o, test);
    const timed_settings settings = {.test = test,
                                     .protocol = gm_litmus_protocols[protocol],
                                     .time_bits = bounds.time_bits,
                                     .life = bounds.life,
                                     .l1_slots = bounds.l1_slots,
                                     .l2_slots = bounds.l2_slots,
                                     .mshrs = timed->mshrs,
                                     .merges = timed->merges,
                                     .reduces = o->reduces};
    timed_machine *machine;
    int code = timed_create(&machine, &settings, error);
    if (code == 0) {
        code = o->steps > 0 ? check(o, machine, error) : find(o, machine, protocol, error);
    }
    timed_free(machine);
    return code;
}

int main(int argc, char **argv)
{
    timed_options timed = {.mshrs = TIMED_MSHRS, .merges = TIMED_MERGES};
    return explore_main(argc, argv, &command, &timed);
}

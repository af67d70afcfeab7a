/* goldmem-explore-hybrid: explores all programs of a few operations over the C models of the
 * sharing tracker, the MSHRs and an L1's tags and access rules, in every order of messages. */
#include "hybrid.h"

#include "explore/command.h"
#include "timed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    hybrid_settings settings;
    uint64_t most;
    const char *name;
    const char *play; /* file with requests of the tracker, in place of the search; NULL: none */
    bool records;     /* writes the tracker's transactions in a sequence, too */
    bool verbose;
    bool timed; /* the cycle engine in place of the blocks */
} options;

static const char usage[] =
    "goldmem-explore-hybrid [OPTION...]\n"
    "Explores two SMs with L1s and a sharing tracker, which do any operations of a list in any\n"
    "order: no load may get a value older than its SM's last write before it, nor that of a later\n"
    "one; no write may get lost; nothing may wait for ever; a copy that the tracker names has all\n"
    "writes that the tracker has processed.\n"
    "  --operations=LIST   of both SMs: LD load, LB bypassing load, LS strong load, ST store, AT\n"
    "                      atomic, then line and sectors: LDx0,STx01,LDy1\n"
    "  --operations0=LIST, --operations1=LIST   of an SM\n"
    "  --program           each SM does its list in order\n"
    "  --each=N, --all=N   operations of an SM, of both (3, 4)\n"
    "  --each0=N, --each1=N   of an SM\n"
    "  --evictions=N       that no miss causes (1)\n"
    "  --kernels=N         kernels that end (0)\n"
    "  --whole-lines       a miss fetches the line, not the sectors\n"
    "  --write=evict       stores drop their line (through)\n"
    "  --on-fill           the L1 takes its way when the data arrive\n"
    "  --ways=N, --tracker-ways=N   of the L1s' one set, of the tracker's: 1 or 2 (2)\n"
    "  --pointers=N        of the tracker's entries: 0 to 2 (0)\n"
    "  --credits=N         SUPPLYs of an SM without an answer, 1 to 3 (2)\n"
    "  --queue=N           queues of N places for all lines (0: one for each line, unbounded)\n"
    "  --without=RULE      leaves out a rule\n"
    "  --loads             checks only what loads get, and that nothing waits for ever\n"
    "  --timed             the cycle engine's L1s, tracker bank and L2 bank\n"
    "  --whole             without making values that no check tells apart equal\n"
    "  --ask               with --timed: a tracker for each SM, which asks the other's\n"
    "  --monotone          loads of an SM must not go backwards either, which is not promised\n"
    "  --worlds=N          at most so many worlds (30000000)\n"
    "  --name=TEXT         what is printed\n"
    "  --record            writes the tracker's requests and responses in a sequence, too\n"
    "  --play=FILE         sends requests of such lines to the tracker instead\n"
    "  --verbose           prints the sequence though it is no error\n";

static bool parse_operation(const char *text, size_t length, hybrid_operation *operation)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } kinds[] = {{"LD", GM_REQUEST_LOAD},
                 {"LB", HYBRID_BYPASS},
                 {"LS", GM_REQUEST_STRONG_LOAD},
                 {"ST", GM_REQUEST_STORE},
                 {"AT", GM_REQUEST_ATOMIC}};
    if (length < 4 || length > 5 || text[2] < 'x' || text[2] > 'y') {
        return false;
    }
    *operation = (hybrid_operation){.kind = UINT8_MAX, .line = (uint8_t)(text[2] - 'x')};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(text, kinds[i].name, 2) == 0) {
            operation->kind = kinds[i].kind;
        }
    }
    for (size_t i = 3; i < length; i++) {
        if (text[i] < '0' || text[i] >= '0' + HYBRID_SECTORS) {
            return false;
        }
        operation->sectors |= (uint8_t)(1u << (text[i] - '0'));
    }
    return operation->kind != UINT8_MAX;
}

static bool parse_list(const char *text, hybrid_settings *s, unsigned sm)
{
    s->operations[sm] = 0;
    memset(s->operation[sm], 0, sizeof s->operation[sm]);
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        if (s->operations[sm] == HYBRID_OPERATIONS ||
            !parse_operation(text, length, &s->operation[sm][s->operations[sm]++])) {
            return false;
        }
        text += length + (text[length] == ',');
    }
    return true;
}

static bool parse_flag(const char *argument, options *o)
{
    hybrid_settings *s = &o->settings;
    const explore_flag flags[] = {
        {"--program", &s->program, true},   {"--whole-lines", &s->sectored, false},
        {"--on-fill", &s->on_fill, true},   {"--loads", &s->copies, false},
        {"--record", &o->records, true},    {"--timed", &o->timed, true},
        {"--ask", &s->asks, true},          {"--whole", &s->whole, true},
        {"--monotone", &s->monotone, true}, {"--verbose", &o->verbose, true},
    };
    if (explore_flags(argument, flags, sizeof flags / sizeof *flags)) {
        return true;
    }
    if (strcmp(argument, "--write=evict") == 0) {
        s->write = GM_WRITE_EVICT;
        return true;
    }
    return false;
}

static bool parse_number(const char *argument, options *o)
{
    hybrid_settings *s = &o->settings;
    const explore_range numbers[] = {
        {"--each0=", 0, 7, &s->most[0]},
        {"--each1=", 0, 7, &s->most[1]},
        {"--all=", 1, 14, &s->all},
        {"--evictions=", 0, 9, &s->evictions},
        {"--kernels=", 0, 3, &s->kernels},
        {"--ways=", 1, HYBRID_WAYS, &s->l1_ways},
        {"--tracker-ways=", 1, HYBRID_TRACKER_WAYS, &s->tracker_ways},
        {"--pointers=", 0, HYBRID_SMS, &s->pointers},
        {"--credits=", 1, 3, &s->credits},
        {"--queue=", 0, 4, &s->queue},
    };
    if (explore_ranges(argument, numbers, sizeof numbers / sizeof *numbers)) {
        return true;
    }
    unsigned number;
    if (explore_number(argument, "--worlds=", 1, UINT32_MAX - 1, &number)) {
        o->most = number;
    } else if (explore_number(argument, "--each=", 0, 7, &number)) {
        s->most[0] = s->most[1] = number;
    } else {
        return false;
    }
    return true;
}

static bool parse(const char *argument, options *o)
{
    hybrid_settings *s = &o->settings;
    const char *rest;
    if ((rest = explore_behind(argument, "--operations=")) != NULL) {
        return parse_list(rest, s, 0) && parse_list(rest, s, 1);
    }
    if ((rest = explore_behind(argument, "--operations0=")) != NULL) {
        return parse_list(rest, s, 0);
    }
    if ((rest = explore_behind(argument, "--operations1=")) != NULL) {
        return parse_list(rest, s, 1);
    }
    if ((rest = explore_behind(argument, "--without=")) != NULL) {
        return explore_leave_out(rest, hybrid_rule_names, RULES, &s->rules);
    }
    if ((rest = explore_behind(argument, "--name=")) != NULL) {
        o->name = rest;
        return true;
    }
    if ((rest = explore_behind(argument, "--play=")) != NULL) {
        o->play = rest;
        return true;
    }
    return parse_flag(argument, o) || parse_number(argument, o);
}

/* The world whose events are done, and the current one. */
typedef struct pair {
    const hybrid_settings *settings;
    const gm_observer *observer;
    hybrid_world from, current;
} pair;

static int begin(void *own, gm_error *error)
{
    pair *p = own;
    int code = hybrid_init(&p->current, p->settings, error);
    p->current.tracker.observer = p->observer;
    return code;
}

static void keep(void *own)
{
    pair *p = own;
    hybrid_copy(&p->from, &p->current);
}

static size_t pack(void *own, uint8_t *bytes)
{
    pair *p = own;
    hybrid_make_canonical(&p->current, p->settings);
    return hybrid_pack(&p->current, p->settings, bytes);
}

static void unpack(void *own, const uint8_t *bytes)
{
    pair *p = own;
    hybrid_unpack(&p->from, p->settings, bytes);
}

static size_t events(void *own, search_event *events, size_t most)
{
    pair *p = own;
    return hybrid_events(&p->from, p->settings, events, most);
}

static bool do_step(void *own, search_event event, search_fault *fault, FILE *log)
{
    pair *p = own;
    hybrid_copy(&p->current, &p->from);
    return hybrid_step(&p->current, p->settings, event, fault, log);
}

static bool is_final(void *own, bool *holds)
{
    pair *p = own;
    *holds = false;
    return hybrid_is_final(&p->current, p->settings);
}

static bool is_sound(void *own, bool final)
{
    const pair *p = own;
    (void) final;
    return hybrid_is_sound(&p->current, p->settings);
}

/* There is no time: a world is stuck if no event is possible in it. */
static bool is_stuck(void *own)
{
    enum { MOST = 128 };
    pair *p = own;
    search_event list[MOST];
    search_fault fault;
    size_t count = hybrid_events(&p->from, p->settings, list, MOST);
    for (size_t i = 0; i < count; i++) {
        if (do_step(own, list[i], &fault, NULL)) {
            return false;
        }
    }
    return true;
}

static int prepare(pair *p, const hybrid_settings *settings, search_system *system, gm_error *error)
{
    *p = (pair){.settings = settings};
    *system = (search_system){.own = p,
                              .begin = begin,
                              .keep = keep,
                              .pack = pack,
                              .unpack = unpack,
                              .events = events,
                              .step = do_step,
                              .is_final = is_final,
                              .is_sound = is_sound,
                              .is_stuck = is_stuck};
    return hybrid_init(&p->from, settings, error);
}

static void write_transaction(void *context, const uint64_t *request, const uint64_t *response)
{
    fputs("sharing_tracker 0", context);
    for (unsigned i = 0; i < gm_sharing_tracker_ports.requests; i++) {
        fprintf(context, " %llu", (unsigned long long)request[i]);
    }
    fputs(" =", context);
    for (unsigned i = 0; i < gm_sharing_tracker_ports.responses; i++) {
        fprintf(context, " %llu", (unsigned long long)response[i]);
    }
    fputc('\n', context);
}

/* Does a sequence again and writes the tracker's transactions. */
static int record(pair *p, const search_system *system, const search_result *result,
                  gm_error *error)
{
    const gm_observer observer = {stdout, write_transaction};
    search_fault fault;
    p->observer = &observer;
    int code = system->begin(p, error);
    for (unsigned i = 0; i < result->depth && code == 0; i++) {
        system->keep(p);
        system->step(p, result->events[i], &fault, NULL);
    }
    p->observer = NULL;
    return code;
}

/* Reads a line that `record` has written; fields behind the request's are ignored. */
static bool read_request(const char *line, gm_sharing_tracker_request *request)
{
    uint64_t field[sizeof *request / sizeof(uint64_t)];
    const char *at = explore_behind(line, "sharing_tracker 0");
    for (size_t i = 0; at != NULL && i < sizeof field / sizeof *field; i++) {
        char *end;
        field[i] = strtoull(at, &end, 10);
        at = end != at ? end : NULL;
    }
    if (at != NULL) {
        memcpy(request, field, sizeof field);
        request->cu %= HYBRID_SMS;
    }
    return at != NULL;
}

/* Sends the requests of a file to the tracker. */
static int play(const options *o, gm_error *error)
{
    enum { LINE = 256 };
    const gm_observer observer = {stdout, write_transaction};
    char line[LINE];
    hybrid_world w;
    gm_sharing_tracker_request request;
    FILE *input = fopen(o->play, "r");
    if (input == NULL) {
        return gm_fail(error, -errno, "%s: %s", o->play, strerror(errno));
    }
    int code = hybrid_init(&w, &o->settings, error);
    w.tracker.observer = &observer;
    for (unsigned number = 1; code == 0 && fgets(line, sizeof line, input) != NULL; number++) {
        if (read_request(line, &request)) {
            gm_sharing_tracker_access(&w.tracker, request);
        } else {
            code = gm_fail(error, -EINVAL, "%s:%u: no request of the tracker", o->play, number);
        }
    }
    fclose(input);
    return code;
}

/* Searches the worlds of a system. Returns 0 if they are sound, 1 if not, or an error. */
static int search_all(const options *o, const search_system *system, pair *p, gm_error *error)
{
    search_result result;
    clock_t start = clock();
    int code = search_in(system, o->most, &result, error);
    if (code < 0) {
        return code;
    }
    bool right = result.end == SEARCH_NEVER;
    explore_print_programs(o->name, right ? "sound" : search_end_text(result.end), &result, start);
    if (result.events != NULL) {
        code = search_tell_in(system, &result, stdout, error);
    }
    if (code == 0 && result.events != NULL && o->records && p != NULL) {
        code = record(p, system, &result, error);
    }
    free(result.events);
    return code < 0 ? code : !right;
}

static int explore(const options *o, gm_error *error)
{
    static pair p;
    search_system system;
    int code = prepare(&p, &o->settings, &system, error);
    return code < 0 ? code : search_all(o, &system, &p, error);
}

static int explore_timed(const options *o, gm_error *error)
{
    timed_machine *machine;
    int code = timed_create(&machine, &o->settings, error);
    if (code == 0) {
        search_system system = timed_system(machine);
        code = search_all(o, &system, NULL, error);
    }
    timed_free(machine);
    return code;
}

int main(int argc, char **argv)
{
    options o = {.name = "programs",
                 .most = 30000000,
                 .settings = {.rules = (1u << RULES) - 1,
                              .most = {3, 3},
                              .all = 4,
                              .evictions = 1,
                              .sectored = true,
                              .write = GM_WRITE_THROUGH,
                              .l1_ways = 2,
                              .tracker_ways = 2,
                              .credits = 2,
                              .copies = true}};
    gm_error error;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (!parse(argv[i], &o)) {
            fprintf(stderr, "goldmem-explore-hybrid: no such option or value: %s\n", argv[i]);
            return 2;
        }
    }
    if (o.settings.asks && !o.timed) {
        fputs("goldmem-explore-hybrid: --ask: needs --timed\n", stderr);
        return 2;
    }
    int code = o.play != NULL ? play(&o, &error)
               : o.timed      ? explore_timed(&o, &error)
                              : explore(&o, &error);
    if (code < 0) {
        fprintf(stderr, "goldmem-explore-hybrid: %s\n", error.text);
    }
    return code < 0 ? 2 : code;
}

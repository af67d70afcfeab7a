/* goldmem-explore-directory: explores all programs of a few operations over the tables of a
 * directory protocol, in every order of messages. */
#include "directory_world.h"
#include "tables.h"

#include "explore/command.h"

#include <stdlib.h>
#include <string.h>

typedef struct options {
    directory_settings settings;
    uint64_t most;
    const char *name;
    bool rows;   /* prints the rows that no event has used */
    bool tables; /* prints the tables, in place of the search */
} options;

static const char usage[] =
    "goldmem-explore-directory [OPTION...]\n"
    "Explores SMs with L1s and an L2 bank with a directory, which do any operations of a list in\n"
    "any order: a load gets no value older than a write that was complete, or than a value that "
    "any\n"
    "load had got, when it began; its own SM's writes before it and none behind it; no write may "
    "get\n"
    "lost; nothing may wait for ever; the directory knows every copy.\n"
    "  --protocol=NAME     vi, vini or mesi (vi)\n"
    "  --operations=LIST   of every SM: LD load, LB load that does not allocate, ST store, AT\n"
    "                      atomic, then line and word: LDx0,STx1,LDy0\n"
    "  --sms=N             2 or 3 (2)\n"
    "  --each=N, --all=N   operations of an SM, of all (3, 4)\n"
    "  --evictions=N       of the L1s, of the L2 and of the directory, each; 9: any number (1)\n"
    "  --l1-slots=N, --l2-slots=N, --entries=N   lines that an L1, the L2, the directory holds "
    "(2)\n"
    "  --mshrs=N           of the L2 (2)\n"
    "  --places=N          of a queue (2)\n"
    "  --merge=A,B         one queue each way for these virtual networks: request, response,\n"
    "                      forward, write-back, unblock\n"
    "  --without=RULE      leaves out a rule\n"
    "  --outcomes          checks only loads, lost writes and that nothing waits for ever\n"
    "  --rows              prints the rows of the tables that no event has used\n"
    "  --tables            prints the tables\n"
    "  --worlds=N          at most so many worlds (30000000)\n"
    "  --name=TEXT         what is printed\n";

static const char *const network_names[GM_DIRECTORY_NETWORKS] = {"request", "response", "forward",
                                                                 "write-back", "unblock"};

static bool parse_operation(const char *text, size_t length, directory_operation *operation)
{
    static const struct {
        const char *name;
        uint8_t event;
    } kinds[] = {
        {"LD", GM_L1_LOAD}, {"LB", GM_L1_LOAD_PAST}, {"ST", GM_L1_STORE}, {"AT", GM_L1_ATOMIC}};
    bool found = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && length == 4; i++) {
        if (strncmp(text, kinds[i].name, 2) == 0) {
            operation->event = kinds[i].event;
            found = true;
        }
    }
    if (!found || text[2] < 'x' || text[2] > 'y' || text[3] < '0' || text[3] > '1') {
        return false;
    }
    operation->line = (uint8_t)(text[2] - 'x');
    operation->word = (uint8_t)(text[3] - '0');
    return true;
}

static bool parse_list(const char *text, directory_settings *s)
{
    s->operations = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        if (s->operations == DIRECTORY_OPERATIONS ||
            !parse_operation(text, length, &s->operation[s->operations++])) {
            return false;
        }
        text += length + (text[length] == ',');
    }
    return s->operations > 0;
}

static bool parse_merge(const char *text, directory_settings *s)
{
    unsigned first = GM_DIRECTORY_NETWORKS;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        unsigned network = 0;
        while (network < GM_DIRECTORY_NETWORKS &&
               (strncmp(text, network_names[network], length) != 0 ||
                network_names[network][length] != '\0')) {
            network++;
        }
        if (network == GM_DIRECTORY_NETWORKS) {
            return false;
        }
        first = first == GM_DIRECTORY_NETWORKS ? network : first;
        s->up[network] = s->down[network] = (uint8_t)first;
        text += length + (text[length] == ',');
    }
    return true;
}

static bool parse_protocol(const char *name, directory_settings *s)
{
    static const gm_directory_protocol *const protocols[] = {&gm_directory_vi, &gm_directory_vini,
                                                             &gm_directory_mesi};
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        if (strcmp(name, protocols[i]->name) == 0) {
            s->protocol = protocols[i];
            return true;
        }
    }
    return false;
}

static bool parse_text(const char *argument, options *o)
{
    directory_settings *s = &o->settings;
    const char *rest;
    if ((rest = explore_behind(argument, "--protocol=")) != NULL) {
        return parse_protocol(rest, s);
    }
    if ((rest = explore_behind(argument, "--operations=")) != NULL) {
        return parse_list(rest, s);
    }
    if ((rest = explore_behind(argument, "--merge=")) != NULL) {
        return parse_merge(rest, s);
    }
    if ((rest = explore_behind(argument, "--without=")) != NULL) {
        return explore_leave_out(rest, directory_rule_names, RULES, &s->rules);
    }
    if ((rest = explore_behind(argument, "--name=")) != NULL) {
        o->name = rest;
        return true;
    }
    return false;
}

static bool parse(const char *argument, options *o)
{
    directory_settings *s = &o->settings;
    const explore_range numbers[] = {
        {"--sms=", 2, DIRECTORY_SMS, &s->sms},
        {"--each=", 1, 6, &s->each},
        {"--all=", 1, DIRECTORY_WRITES, &s->all},
        {"--evictions=", 0, DIRECTORY_ANY, &s->evictions},
        {"--l1-slots=", 1, DIRECTORY_LINES, &s->l1_slots},
        {"--l2-slots=", 1, DIRECTORY_LINES, &s->l2_slots},
        {"--entries=", 1, DIRECTORY_LINES, &s->entries},
        {"--mshrs=", 1, DIRECTORY_LINES, &s->mshrs},
        {"--places=", 1, DIRECTORY_PLACES, &s->places},
    };
    const explore_flag flags[] = {{"--outcomes", &s->outcomes, true},
                                  {"--rows", &o->rows, true},
                                  {"--tables", &o->tables, true}};
    if (explore_ranges(argument, numbers, sizeof numbers / sizeof *numbers) ||
        explore_flags(argument, flags, sizeof flags / sizeof *flags)) {
        return true;
    }
    unsigned number;
    if (explore_number(argument, "--worlds=", 1, UINT32_MAX - 1, &number)) {
        o->most = number;
        return true;
    }
    return parse_text(argument, o);
}

/* The world whose events are done, and the current one. */
typedef struct pair {
    const directory_settings *settings;
    directory_world from, current;
} pair;

static int begin(void *own, gm_error *error)
{
    pair *p = own;
    (void)error;
    p->current = (directory_world){0};
    return 0;
}

static void keep(void *own)
{
    pair *p = own;
    p->from = p->current;
}

static size_t pack(void *own, uint8_t *bytes)
{
    const pair *p = own;
    return directory_pack(&p->current, p->settings, bytes);
}

static void unpack(void *own, const uint8_t *bytes)
{
    pair *p = own;
    directory_unpack(&p->from, p->settings, bytes);
}

static size_t events(void *own, search_event *events, size_t most)
{
    const pair *p = own;
    return directory_events(&p->from, p->settings, events, most);
}

static bool do_step(void *own, search_event event, search_fault *fault, FILE *log)
{
    pair *p = own;
    char line[256] = "";
    FILE *said = log == NULL ? NULL : fmemopen(line, sizeof line, "w");
    p->current = p->from;
    bool possible = directory_do(&p->current, p->settings, event, fault, said);
    if (said != NULL) {
        fclose(said);
        fputs(line[0] == '\0' ? "the L2 leaves a message in its queue\n" : line, log);
    }
    return possible;
}

static bool is_final(void *own, bool *holds)
{
    const pair *p = own;
    unsigned issued = 0;
    bool each = true;
    *holds = false;
    for (unsigned sm = 0; sm < p->settings->sms; sm++) {
        issued += p->current.sm[sm].issued;
        each &= p->current.sm[sm].issued == p->settings->each;
    }
    return (issued == p->settings->all || each) && directory_is_quiet(&p->current, p->settings);
}

static bool is_sound(void *own, bool final)
{
    const pair *p = own;
    bool quiet = final || directory_is_quiet(&p->current, p->settings);
    return directory_is_sound(&p->current, p->settings, quiet);
}

/* There is no time: a world is stuck if no event is possible in it and it is not quiet. */
static bool is_stuck(void *own)
{
    enum { MOST = 128 };
    pair *p = own;
    search_event list[MOST];
    search_fault fault;
    size_t count = directory_events(&p->from, p->settings, list, MOST);
    for (size_t i = 0; i < count; i++) {
        if (do_step(own, list[i], &fault, NULL)) {
            return false;
        }
    }
    return !directory_is_quiet(&p->from, p->settings);
}

static const char *end_text(search_end end)
{
    switch (end) {
    case SEARCH_NEVER:
        return "sound";
    case SEARCH_YOUNG:
        return "a load gets a write that is not performed";
    case SEARCH_OLD:
        return "an old value is used";
    case SEARCH_ERROR:
        return "an event without a row";
    case SEARCH_BROKEN:
        return "a write is lost, or a copy unknown";
    case SEARCH_STUCK:
        return "deadlock";
    case SEARCH_SHOWN:
    case SEARCH_STALE:
    case SEARCH_BOUND:
        break;
    }
    return search_end_text(end);
}

/* Searches the worlds. Returns 0 if they are sound, 1 if not, or an error. */
static int search_all(const options *o, gm_error *error)
{
    pair p = {.settings = &o->settings};
    const search_system system = {.own = &p,
                                  .begin = begin,
                                  .keep = keep,
                                  .pack = pack,
                                  .unpack = unpack,
                                  .events = events,
                                  .step = do_step,
                                  .is_final = is_final,
                                  .is_sound = is_sound,
                                  .is_stuck = is_stuck};
    search_result result;
    clock_t start = clock();
    int code = search_in(&system, o->most, &result, error);
    if (code < 0) {
        return code;
    }
    explore_print_programs(o->name, end_text(result.end), &result, start);
    if (result.end != SEARCH_NEVER && result.end != SEARCH_BOUND) {
        code = search_tell_in(&system, &result, stdout, error);
    }
    free(result.events);
    if (o->rows) {
        directory_print_unused(&o->settings, stdout);
    }
    return code < 0 ? code : result.end != SEARCH_NEVER;
}

int main(int argc, char **argv)
{
    directory_uses uses = {0};
    options o = {.settings = {.protocol = &gm_directory_vi,
                              .sms = 2,
                              .each = 3,
                              .all = 4,
                              .evictions = 1,
                              .l1_slots = DIRECTORY_LINES,
                              .l2_slots = DIRECTORY_LINES,
                              .entries = DIRECTORY_LINES,
                              .mshrs = DIRECTORY_LINES,
                              .places = 2,
                              .rules = (1u << RULES) - 1,
                              .uses = &uses},
                 .most = 30000000,
                 .name = "worlds"};
    gm_error error;
    parse_list("LDx0,STx0", &o.settings);
    for (unsigned i = 0; i < GM_DIRECTORY_NETWORKS; i++) {
        o.settings.up[i] = o.settings.down[i] = (uint8_t)i;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (!parse(argv[i], &o)) {
            fprintf(stderr, "goldmem-explore-directory: no such option or value: %s\n", argv[i]);
            return 2;
        }
    }
    if (o.tables) {
        directory_print_tables(o.settings.protocol, stdout);
        return 0;
    }
    int code = search_all(&o, &error);
    if (code < 0) {
        fprintf(stderr, "goldmem-explore-directory: %s\n", error.text);
        return 2;
    }
    return code;
}

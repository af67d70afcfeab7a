/* The command of an explorer. */
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool explore_number(const char *argument, const char *name, unsigned least, unsigned most,
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

bool explore_flags(const char *argument, const explore_flag *flags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(argument, flags[i].name) == 0) {
            *flags[i].flag = flags[i].value;
            return true;
        }
    }
    return false;
}

bool explore_ranges(const char *argument, const explore_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (explore_number(argument, ranges[i].name, ranges[i].least, ranges[i].most,
                           ranges[i].value)) {
            return true;
        }
    }
    return false;
}

const char *explore_behind(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

bool explore_leave_out(const char *name, const char *const *names, unsigned count, unsigned *rules)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            *rules &= ~(1u << i);
            return true;
        }
    }
    return false;
}

static bool take_option(const explore_command *command, const char *argument, explore_options *o,
                        void *own)
{
    unsigned number;
    if (explore_number(argument, "--worlds=", 1, UINT32_MAX - 1, &number)) {
        o->most = number;
    } else if (explore_number(argument, "--walk=", 1, UINT32_MAX, &number)) {
        o->steps = number;
    } else if (explore_number(argument, "--seed=", 0, UINT32_MAX, &number)) {
        o->seed = number;
    } else if (strcmp(argument, "--whole") == 0) {
        o->reduces = false;
    } else if (strcmp(argument, "--verbose") == 0) {
        o->verbose = true;
    } else if (strncmp(argument, "--protocol=", 11) == 0) {
        o->protocol = gm_litmus_find_protocol(argument + 11);
        return o->protocol < GM_LITMUS_EXPLORED;
    } else {
        return explore_number(argument, "--time-bits=", 2, 8, &o->bounds.time_bits) ||
               explore_number(argument, "--life=", 0, command->longest_life, &o->bounds.life) ||
               explore_number(argument, "--l1-slots=", 1, command->slots, &o->bounds.l1_slots) ||
               explore_number(argument, "--l2-slots=", 1, command->slots, &o->bounds.l2_slots) ||
               command->parse(argument, own);
    }
    return true;
}

static unsigned bound_of(unsigned option, unsigned test, unsigned fallback)
{
    return option != EXPLORE_OPEN ? option : (test != 0 ? test : fallback);
}

explore_bounds explore_bounds_of(const explore_options *o, const gm_litmus_test *test)
{
    return (explore_bounds){
        .time_bits = bound_of(o->bounds.time_bits, test->time_bits, 3),
        .life = bound_of(o->bounds.life, test->life, 2),
        .l1_slots = bound_of(o->bounds.l1_slots, test->l1_slots, 2),
        .l2_slots = bound_of(o->bounds.l2_slots, test->l2_slots, 1),
    };
}

bool explore_print(const explore_command *command, const gm_litmus_test *test, unsigned protocol,
                   const search_result *result, clock_t start)
{
    search_end expected = test->may[protocol] ? SEARCH_SHOWN : SEARCH_NEVER;
    bool as_expected = !test->expected[protocol] || result->end == expected ||
                       (result->end == SEARCH_BOUND && command->may_be_incomplete);
    printf("%-15s %s: %s%s; %llu worlds, %llu final, depth %u, %.1f s\n",
           gm_litmus_protocols[protocol].name, test->name, search_end_text(result->end),
           as_expected ? "" : " (NOT AS EXPECTED)", (unsigned long long)result->worlds,
           (unsigned long long)result->finals, result->depth,
           (double)(clock() - start) / CLOCKS_PER_SEC);
    return as_expected;
}

void explore_print_programs(const char *name, const char *end, const search_result *result,
                            clock_t start)
{
    printf("%s: %s; %llu worlds, %llu final, depth %u, %.1f s\n", name, end,
           (unsigned long long)result->worlds, (unsigned long long)result->finals, result->depth,
           (double)(clock() - start) / CLOCKS_PER_SEC);
}

static int explore_file(const explore_command *command, const explore_options *o, const char *path,
                        void *own, gm_error *error)
{
    gm_litmus_test test;
    int code = gm_litmus_read(path, &test, error);
    int wrong = 0;
    if (code == 0 && !test.placed) {
        return gm_fail(error, -EINVAL, "%s: the explorer does not read the PTX dialect", path);
    }
    for (unsigned p = 0; p < GM_LITMUS_EXPLORED && code >= 0; p++) {
        if (o->protocol < GM_LITMUS_EXPLORED ? p == o->protocol : test.expected[p]) {
            code = command->explore(o, &test, p, own, error);
            wrong |= code == 1;
        }
    }
    return code < 0 ? code : wrong;
}

int explore_main(int argc, char **argv, const explore_command *command, void *own)
{
    explore_options o = {.bounds = {EXPLORE_OPEN, EXPLORE_OPEN, EXPLORE_OPEN, EXPLORE_OPEN},
                         .protocol = GM_LITMUS_EXPLORED,
                         .most = 5000000,
                         .reduces = true};
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--help") == 0) {
            fputs(command->usage, stdout);
            return 0;
        }
        if (!take_option(command, argv[at], &o, own)) {
            fprintf(stderr, "%s: no such option or value: %s\n", command->name, argv[at]);
            return 2;
        }
    }
    if (at == argc) {
        fputs(command->usage, stderr);
        return 2;
    }
    int wrong = 0;
    for (; at < argc; at++) {
        gm_error error;
        int code = explore_file(command, &o, argv[at], own, &error);
        if (code < 0) {
            fprintf(stderr, "%s: %s\n", command->name, error.text);
            return 2;
        }
        wrong |= code;
    }
    return wrong;
}

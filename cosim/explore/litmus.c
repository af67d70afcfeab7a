/* Reader of litmus tests. */
#include "litmus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *litmus_protocol_name(litmus_protocol protocol)
{
    static const char *const names[] = {"tcw", "tcs", "tcw+visible"};
    return names[protocol];
}

/* Where the reader is: words of a line, cut at blanks, `:`, `;` and `,`. */
typedef struct reader {
    const char *path;
    unsigned line;
    char *rest;
    char text[512];
    litmus_test *test;
    gm_error *error;
} reader;

static int wrong(const reader *at, const char *what, const char *word)
{
    return gm_fail(at->error, -EINVAL, "%s:%u: %s: '%s'", at->path, at->line, what,
                   word == NULL ? "" : word);
}

static char *next_word(reader *at)
{
    return strtok_r(NULL, " \t\n:;,", &at->rest);
}

/* Reads a number 0 to most. */
static int read_number(reader *at, const char *what, unsigned most, uint8_t *value)
{
    char *word = next_word(at);
    char *end = word;
    unsigned long number = word == NULL ? 0 : strtoul(word, &end, 10);
    if (end == word || *end != '\0' || number > most) {
        return wrong(at, what, word);
    }
    *value = (uint8_t)number;
    return 0;
}

/* "x", "x0", "y1": a word of a line. */
static bool parse_place(const char *word, uint8_t *line, uint8_t *number)
{
    if (word == NULL || word[0] < 'x' || word[0] >= 'x' + LITMUS_LINES) {
        return false;
    }
    *line = (uint8_t)(word[0] - 'x');
    *number = word[1] == '\0' ? 0 : (uint8_t)(word[1] - '0');
    return word[1] == '\0' || (word[1] >= '0' && *number < LITMUS_WORDS && word[2] == '\0');
}

/* "r0", or "_". */
static bool parse_register(const char *word, uint8_t *number)
{
    if (word != NULL && strcmp(word, "_") == 0) {
        *number = LITMUS_REGISTERS - 1;
        return true;
    }
    if (word == NULL || word[0] != 'r' || word[1] < '0' || word[1] >= '0' + LITMUS_REGISTERS - 1 ||
        word[2] != '\0') {
        return false;
    }
    *number = (uint8_t)(word[1] - '0');
    return true;
}

static int read_operation(reader *at, const char *word, litmus_operation *operation)
{
    static const char *const names[] = {"LD", "LD.CG", "ST", "ATO", "FENCE", "BAR"};
    unsigned kind = 0;
    while (kind < sizeof names / sizeof *names && strcmp(word, names[kind]) != 0) {
        kind++;
    }
    if (kind == sizeof names / sizeof *names) {
        return wrong(at, "no such operation", word);
    }
    *operation = (litmus_operation){.kind = (litmus_kind)kind};
    if (kind == LITMUS_FENCE || kind == LITMUS_BARRIER) {
        return 0;
    }
    char *place = next_word(at);
    if (!parse_place(place, &operation->line, &operation->word)) {
        return wrong(at, "no such place", place);
    }
    int code = 0;
    if (kind == LITMUS_STORE || kind == LITMUS_ATOMIC) {
        code = read_number(at, "no such value", 7, &operation->value);
    }
    if (code == 0 && kind != LITMUS_STORE) {
        char *name = next_word(at);
        code = parse_register(name, &operation->target) ? 0 : wrong(at, "no such register", name);
    }
    return code;
}

/* A register gets one value: only `_` may be named twice in a warp. */
static int check_registers(reader *at, const litmus_warp *warp)
{
    bool used[LITMUS_REGISTERS] = {false};
    for (unsigned i = 0; i < warp->count; i++) {
        const litmus_operation *op = &warp->operation[i];
        bool returns =
            op->kind == LITMUS_LOAD || op->kind == LITMUS_LOAD_BYPASS || op->kind == LITMUS_ATOMIC;
        if (returns && used[op->target] && op->target != LITMUS_REGISTERS - 1) {
            const char name[] = {'r', (char)('0' + op->target), '\0'};
            return wrong(at, "a register gets two values", name);
        }
        used[op->target] |= returns;
    }
    return 0;
}

/* "warp SM CTA: operations". Warps of an SM stand together, in order of their CTAs. */
static int read_warp(reader *at)
{
    litmus_test *test = at->test;
    if (test->warps == LITMUS_WARPS) {
        return wrong(at, "too many warps", "");
    }
    litmus_warp *warp = &test->warp[test->warps++];
    int code = read_number(at, "no such SM", LITMUS_SMS - 1, &warp->sm);
    if (code == 0) {
        code = read_number(at, "no such CTA", LITMUS_WARPS - 1, &warp->cta);
    }
    if (code == 0 && test->warps > 1 &&
        (warp[-1].sm > warp->sm || (warp[-1].sm == warp->sm && warp[-1].cta > warp->cta))) {
        return wrong(at, "warps must be in the order of SM and CTA", "");
    }
    for (char *word = next_word(at); code == 0 && word != NULL; word = next_word(at)) {
        if (warp->count == LITMUS_OPERATIONS) {
            return wrong(at, "too many operations", word);
        }
        code = read_operation(at, word, &warp->operation[warp->count++]);
    }
    return code == 0 ? check_registers(at, warp) : code;
}

/* "condition 1 r0=1, x0=2": terms of a register of the warp named before them, or of a place. */
static int read_condition(reader *at)
{
    litmus_test *test = at->test;
    uint8_t warp = 0;
    for (char *word = next_word(at); word != NULL; word = next_word(at)) {
        char *equals = strchr(word, '=');
        litmus_term term = {.warp = warp};
        if (equals == NULL) {
            char *end;
            warp = (uint8_t)strtoul(word, &end, 10);
            if (*end != '\0' || warp >= test->warps) {
                return wrong(at, "no such warp", word);
            }
            continue;
        }
        *equals = '\0';
        term.is_register = parse_register(word, &term.target);
        if (!term.is_register && !parse_place(word, &term.line, &term.word)) {
            return wrong(at, "neither a register nor a place", word);
        }
        if (test->terms == LITMUS_TERMS || equals[1] < '0' || equals[1] > '7' ||
            equals[2] != '\0') {
            return wrong(at, "no such value", equals + 1);
        }
        term.value = (uint8_t)(equals[1] - '0');
        test->term[test->terms++] = term;
    }
    return test->terms > 0 ? 0 : wrong(at, "a condition without terms", "");
}

/* "expect tcw never tcs may". */
static int read_expectation(reader *at)
{
    for (char *name = next_word(at); name != NULL; name = next_word(at)) {
        unsigned protocol = 0;
        while (protocol < LITMUS_PROTOCOLS &&
               strcmp(name, litmus_protocol_name((litmus_protocol)protocol)) != 0) {
            protocol++;
        }
        if (protocol == LITMUS_PROTOCOLS) {
            return wrong(at, "no such protocol", name);
        }
        char *word = next_word(at);
        if (word == NULL || (strcmp(word, "may") != 0 && strcmp(word, "never") != 0)) {
            return wrong(at, "neither may nor never", word);
        }
        at->test->may[protocol] = strcmp(word, "may") == 0;
        at->test->expected[protocol] = true;
    }
    return 0;
}

/* "bounds time-bits 2 life 1". */
static int read_bounds(reader *at)
{
    litmus_test *test = at->test;
    const struct {
        const char *name;
        uint8_t *value;
        unsigned most;
    } bounds[] = {
        {"time-bits", &test->time_bits, 8},
        {"life", &test->life, 255},
        {"l1-slots", &test->l1_slots, 2},
        {"l2-slots", &test->l2_slots, 2},
    };
    int code = 0;
    for (char *name = next_word(at); name != NULL && code == 0; name = next_word(at)) {
        unsigned i = 0;
        while (i < sizeof bounds / sizeof *bounds && strcmp(name, bounds[i].name) != 0) {
            i++;
        }
        if (i == sizeof bounds / sizeof *bounds) {
            return wrong(at, "no such bound", name);
        }
        code = read_number(at, "no such bound's value", bounds[i].most, bounds[i].value);
    }
    return code;
}

static int read_line(reader *at)
{
    at->text[strcspn(at->text, "#\n")] = '\0';
    char *word = strtok_r(at->text, " \t", &at->rest);
    if (word == NULL) {
        return 0;
    }
    if (strcmp(word, "name") == 0) {
        snprintf(at->test->name, sizeof at->test->name, "%s", at->rest);
        return 0;
    }
    if (strcmp(word, "warp") == 0) {
        return read_warp(at);
    }
    if (strcmp(word, "condition") == 0) {
        return read_condition(at);
    }
    if (strcmp(word, "bounds") == 0) {
        return read_bounds(at);
    }
    return strcmp(word, "expect") == 0 ? read_expectation(at) : wrong(at, "no such line", word);
}

int litmus_read(const char *path, litmus_test *test, gm_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return gm_fail(error, -errno, "%s: %s", path, strerror(errno));
    }
    *test = (litmus_test){0};
    reader at = {.path = path, .test = test, .error = error};
    int code = 0;
    while (code == 0 && fgets(at.text, sizeof at.text, file) != NULL) {
        at.line++;
        code = read_line(&at);
    }
    fclose(file);
    if (code == 0 && (test->warps == 0 || test->terms == 0)) {
        code = gm_fail(error, -EINVAL, "%s: a test needs a warp and a condition", path);
    }
    return code;
}

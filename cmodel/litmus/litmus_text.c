/* Reader of litmus tests in our own format. */
#include "litmus/litmus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reader is: words of a line, cut at blanks, `:`, `;` and `,`. */
typedef struct reader {
    const char *path;
    unsigned line;
    char *rest;
    gm_litmus_test *test;
    gm_error *error;
} reader;

static int wrong(const reader *at, const char *what, const char *word)
{
    return gm_fail(at->error, -EINVAL, "%s:%u: %s: '%s'", at->path, at->line, what,
                   word == NULL ? "" : word);
}

static char *next_word(reader *at)
{
    return strtok_r(NULL, " \t\r:;,", &at->rest);
}

/* Reads a number 0 to most. */
static int read_number(reader *at, const char *what, unsigned most, uint8_t *value)
{
    char *word = next_word(at);
    char *end = word;
    bool digit = word != NULL && word[0] >= '0' && word[0] <= '9';
    unsigned long number = digit ? strtoul(word, &end, 10) : 0;
    if (!digit || *end != '\0' || number > most) {
        return wrong(at, what, word);
    }
    *value = (uint8_t)number;
    return 0;
}

/* "x", "x0", "y1": a word of a line. */
static bool parse_place(const char *word, uint8_t *line, uint8_t *number)
{
    if (word == NULL || word[0] < 'x' || word[0] >= 'x' + GM_LITMUS_LINES) {
        return false;
    }
    *line = (uint8_t)(word[0] - 'x');
    *number = word[1] == '\0' ? 0 : (uint8_t)(word[1] - '0');
    return word[1] == '\0' || (word[1] >= '0' && *number < GM_LITMUS_WORDS && word[2] == '\0');
}

/* "r0", or "_". */
static bool parse_register(const char *word, uint8_t *number)
{
    if (word != NULL && strcmp(word, "_") == 0) {
        *number = GM_LITMUS_REGISTERS - 1;
        return true;
    }
    if (word == NULL || word[0] != 'r' || word[1] < '0' ||
        word[1] >= '0' + GM_LITMUS_REGISTERS - 1 || word[2] != '\0') {
        return false;
    }
    *number = (uint8_t)(word[1] - '0');
    return true;
}

static int read_operation(reader *at, const char *word, gm_litmus_operation *operation)
{
    static const struct {
        const char *name;
        gm_litmus_kind kind;
    } rows[] = {
        {"LD", GM_LITMUS_LOAD},         {"LD.CG", GM_LITMUS_LOAD_BYPASS},
        {"ST", GM_LITMUS_STORE},        {"ATO", GM_LITMUS_ATOMIC},
        {"FENCE", GM_LITMUS_FENCE},     {"FENCE.GPU", GM_LITMUS_FENCE},
        {"FENCE.SYS", GM_LITMUS_FENCE}, {"FENCE.CTA", GM_LITMUS_FENCE_CTA},
        {"BAR", GM_LITMUS_BARRIER},     {"KERNEL", GM_LITMUS_KERNEL},
    };
    unsigned row = 0;
    while (row < sizeof rows / sizeof *rows && strcmp(word, rows[row].name) != 0) {
        row++;
    }
    if (row == sizeof rows / sizeof *rows) {
        return wrong(at, "no such operation", word);
    }
    gm_litmus_kind kind = rows[row].kind;
    *operation = (gm_litmus_operation){.kind = kind};
    if (!gm_litmus_reaches(kind)) {
        return 0;
    }
    char *place = next_word(at);
    if (!parse_place(place, &operation->line, &operation->word)) {
        return wrong(at, "no such place", place);
    }
    int code = 0;
    if (kind == GM_LITMUS_STORE || kind == GM_LITMUS_ATOMIC) {
        code = read_number(at, "no such value", 7, &operation->value);
    }
    if (code == 0 && kind != GM_LITMUS_STORE) {
        char *name = next_word(at);
        code = parse_register(name, &operation->target) ? 0 : wrong(at, "no such register", name);
    }
    return code;
}

/* A register gets one value: only `_` may be named twice in a warp. */
static int check_registers(reader *at, const gm_litmus_warp *warp)
{
    bool used[GM_LITMUS_REGISTERS] = {false};
    for (unsigned i = 0; i < warp->count; i++) {
        const gm_litmus_operation *op = &warp->operation[i];
        bool returns = gm_litmus_returns(op->kind);
        if (returns && used[op->target] && op->target != GM_LITMUS_REGISTERS - 1) {
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
    gm_litmus_test *test = at->test;
    if (test->warps == GM_LITMUS_WARPS) {
        return wrong(at, "too many warps", "");
    }
    gm_litmus_warp *warp = &test->warp[test->warps++];
    int code = read_number(at, "no such SM", GM_LITMUS_SMS - 1, &warp->sm);
    if (code == 0) {
        code = read_number(at, "no such CTA", GM_LITMUS_WARPS - 1, &warp->cta);
    }
    if (code == 0 && test->warps > 1 &&
        (warp[-1].sm > warp->sm || (warp[-1].sm == warp->sm && warp[-1].cta > warp->cta))) {
        return wrong(at, "warps must be in the order of SM and CTA", "");
    }
    for (char *word = next_word(at); code == 0 && word != NULL; word = next_word(at)) {
        if (warp->count == GM_LITMUS_OPERATIONS) {
            return wrong(at, "too many operations", word);
        }
        code = read_operation(at, word, &warp->operation[warp->count++]);
    }
    return code == 0 ? check_registers(at, warp) : code;
}

/* "condition 1 r0=1, x0=2": terms of a register of the warp named before them, or of a place. */
static int read_condition(reader *at)
{
    gm_litmus_test *test = at->test;
    uint8_t warp = 0;
    for (char *word = next_word(at); word != NULL; word = next_word(at)) {
        char *equals = strchr(word, '=');
        gm_litmus_term term = {.warp = warp};
        if (equals == NULL) {
            char *end;
            unsigned long number = strtoul(word, &end, 10);
            if (*end != '\0' || word[0] < '0' || word[0] > '9' || number >= test->warps) {
                return wrong(at, "no such warp", word);
            }
            warp = (uint8_t)number;
            continue;
        }
        *equals = '\0';
        term.is_register = parse_register(word, &term.target);
        if (!term.is_register && !parse_place(word, &term.line, &term.word)) {
            return wrong(at, "neither a register nor a place", word);
        }
        if (test->terms == GM_LITMUS_TERMS || equals[1] < '0' || equals[1] > '7' ||
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
        unsigned protocol = gm_litmus_find_protocol(name);
        if (protocol == GM_LITMUS_PROTOCOLS) {
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
    gm_litmus_test *test = at->test;
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

static int read_line(reader *at, char *line)
{
    line[strcspn(line, "#")] = '\0';
    char *word = strtok_r(line, " \t\r", &at->rest);
    if (word == NULL) {
        return 0;
    }
    if (strcmp(word, "name") == 0) {
        snprintf(at->test->name, sizeof at->test->name, "%.63s", at->rest);
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

/* Writes the warp's barriers and kernel ends, in order. */
static void list_meetings(const gm_litmus_warp *warp, bool barriers, char *list)
{
    for (unsigned i = 0; i < warp->count; i++) {
        if (warp->operation[i].kind == GM_LITMUS_KERNEL) {
            *list++ = 'K';
        } else if (warp->operation[i].kind == GM_LITMUS_BARRIER && barriers) {
            *list++ = 'B';
        }
    }
    *list = '\0';
}

/* All warps must meet: at the ends of kernels, and those of a CTA at its barriers. */
static int check_meetings(const char *path, const gm_litmus_test *test, gm_error *error)
{
    char list[GM_LITMUS_OPERATIONS + 1];
    char first[GM_LITMUS_OPERATIONS + 1];
    for (unsigned i = 0; i < test->warps; i++) {
        for (unsigned j = 0; j < i; j++) {
            bool barriers =
                test->warp[i].sm == test->warp[j].sm && test->warp[i].cta == test->warp[j].cta;
            list_meetings(&test->warp[i], barriers, list);
            list_meetings(&test->warp[j], barriers, first);
            if (strcmp(list, first) != 0) {
                return gm_fail(error, -EINVAL, "%s: warps %u and %u do not meet: %s", path, j, i,
                               barriers ? "BAR, KERNEL" : "KERNEL");
            }
        }
    }
    return 0;
}

int gm_litmus_read_text(const char *path, char *text, gm_litmus_test *test, gm_error *error)
{
    *test = (gm_litmus_test){.lines = GM_LITMUS_LINES, .placed = true};
    reader at = {.path = path, .test = test, .error = error};
    int code = 0;
    while (code == 0 && *text != '\0') {
        char *line = text;
        text += strcspn(text, "\n");
        text += *text != '\0' ? (*text = '\0', 1) : 0;
        at.line++;
        code = read_line(&at, line);
    }
    if (code == 0 && (test->warps == 0 || test->terms == 0)) {
        code = gm_fail(error, -EINVAL, "%s: a test needs a warp and a condition", path);
    }
    return code == 0 ? check_meetings(path, test, error) : code;
}

/* Reader of the PTX dialect of herd's litmus files: threads `P0@cta 0,gpu 0`, instructions with
 * semantics and scopes, a condition. Acquire and release become fences behind loads and before
 * stores, as compilers make them. */
#include "litmus/litmus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN = 64, MOST_DEPTH = 16, MOST_VALUE = 255 };

/* Where the reader is. `token`: the word or the sign read last; "": the end. */
typedef struct reader {
    const char *path;
    const char *at;
    unsigned line;       /* of the token */
    unsigned line_ahead; /* of `at` */
    char token[TOKEN];
    gm_litmus_test *test;
    uint32_t cta[GM_LITMUS_MOST_WARPS]; /* numbers in the file of the test's CTAs */
    unsigned ctas;
    unsigned depth; /* of parentheses */
    gm_error *error;
} reader;

static int wrong(const reader *in, const char *what)
{
    return gm_fail(in->error, -EINVAL, "%s:%u: %s: '%s'", in->path, in->line, what,
                   in->token[0] != '\0' ? in->token : "end of file");
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '%' || c == '$';
}

/* Skips one character of what no token has. */
static void pass(reader *in)
{
    in->line_ahead += *in->at == '\n';
    in->at++;
}

/* Skips blanks, comments and texts in quotes. */
static void skip(reader *in)
{
    while (*in->at != '\0') {
        if (strchr(" \t\r\n", *in->at) != NULL) {
            pass(in);
        } else if (strncmp(in->at, "(*", 2) == 0) {
            while (*in->at != '\0' && strncmp(in->at, "*)", 2) != 0) {
                pass(in);
            }
            in->at += *in->at != '\0' ? 2 : 0;
        } else if (*in->at == '"') {
            do {
                pass(in);
            } while (*in->at != '\0' && *in->at != '"');
            in->at += *in->at != '\0';
        } else {
            return;
        }
    }
}

/* Reads the next token. A word that is too long is cut, and then is no known word. */
static void next(reader *in)
{
    static const char *const signs[] = {"/\\", "\\/", "==", "!=", "<=", ">="};
    size_t length = 0;
    skip(in);
    in->line = in->line_ahead;
    while (is_word(in->at[length])) {
        length++;
    }
    for (size_t i = 0; length == 0 && i < sizeof signs / sizeof *signs; i++) {
        length = strncmp(in->at, signs[i], 2) == 0 ? 2 : 0;
    }
    length = length == 0 ? *in->at != '\0' : length;
    snprintf(in->token, sizeof in->token, "%.*s", (int)(length < TOKEN ? length : TOKEN - 1),
             in->at);
    in->at += length;
}

static bool is(const reader *in, const char *text)
{
    return strcmp(in->token, text) == 0;
}

/* Takes a token if it is the next. */
static bool take(reader *in, const char *text)
{
    bool found = is(in, text);
    if (found) {
        next(in);
    }
    return found;
}

/* Takes a token that must be the next; `what`: the error if it is not. */
static int expect(reader *in, const char *text, const char *what)
{
    return take(in, text) ? 0 : wrong(in, what);
}

/* Reads a number of decimal digits, 0 to most. */
static int take_number(reader *in, unsigned most, uint32_t *number)
{
    char *end;
    unsigned long value = strtoul(in->token, &end, 10);
    if (in->token[0] < '0' || in->token[0] > '9' || *end != '\0' || value > most) {
        char what[40];
        snprintf(what, sizeof what, "not a number from 0 to %u", most);
        return wrong(in, what);
    }
    *number = (uint32_t)value;
    next(in);
    return 0;
}

static int take_value(reader *in, uint8_t *value)
{
    uint32_t number = 0;
    int code = take_number(in, MOST_VALUE, &number);
    *value = (uint8_t)number;
    return code;
}

/* "r0" or "%r0": true, and its number. */
static bool parse_register(const char *word, uint8_t *number)
{
    word += word[0] == '%';
    char *end;
    unsigned long value = word[0] == 'r' && word[1] >= '0' && word[1] <= '9'
                              ? strtoul(word + 1, &end, 10)
                              : GM_LITMUS_MOST_REGISTERS;
    if (value >= GM_LITMUS_MOST_REGISTERS || *end != '\0') {
        return false;
    }
    *number = (uint8_t)value;
    return true;
}

static int take_register(reader *in, uint8_t *number)
{
    if (!parse_register(in->token, number)) {
        return wrong(in, "no register (r0 to r15)");
    }
    next(in);
    return 0;
}

/* Reads a location, with or without brackets: a name, which gets a line of its own. */
static int take_place(reader *in, uint8_t *line)
{
    gm_litmus_test *test = in->test;
    bool bracket = take(in, "[");
    uint8_t number;
    char first = in->token[0];
    if (parse_register(in->token, &number) || !is_word(first) || (first >= '0' && first <= '9') ||
        strlen(in->token) >= GM_LITMUS_PLACE || strpbrk(in->token, ".%$") != NULL) {
        return wrong(in, "no location");
    }
    for (*line = 0; *line < test->lines && strcmp(test->place[*line], in->token) != 0; ++*line) {
    }
    if (*line == GM_LITMUS_MOST_LINES) {
        return wrong(in, "more than 8 locations");
    }
    if (*line == test->lines) {
        memcpy(test->place[test->lines++], in->token, strlen(in->token) + 1);
    }
    next(in);
    return bracket ? expect(in, "]", "no ]") : 0;
}

/* "P1" or "1". */
static int take_thread(reader *in, uint8_t *thread)
{
    const char *word = in->token + (in->token[0] == 'P');
    char *end;
    unsigned long value = strtoul(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || value >= GM_LITMUS_MOST_WARPS) {
        return wrong(in, "no thread (P0 to P7)");
    }
    *thread = (uint8_t)value;
    next(in);
    return 0;
}

/* True if the token is "P" and digits, or digits. */
static bool is_thread(const reader *in)
{
    const char *word = in->token + (in->token[0] == 'P');
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

/* "x=0" or "P0:r0=0", which give values at first. */
static int read_declaration(reader *in)
{
    uint8_t thread = 0;
    uint8_t number = 0;
    if (!is_thread(in)) {
        int code = take_place(in, &number);
        code = code < 0 ? code : expect(in, "=", "no = behind a location's name");
        return code < 0 ? code : take_value(in, &in->test->first[number][0]);
    }
    int code = take_thread(in, &thread);
    code = code < 0 ? code : expect(in, ":", "no : behind a thread");
    code = code < 0 ? code : take_register(in, &number);
    code = code < 0 ? code : expect(in, "=", "no = behind a register");
    return code < 0 ? code : take_value(in, &in->test->warp[thread].first[number]);
}

static int read_declarations(reader *in)
{
    while (!is(in, "{")) {
        if (in->token[0] == '\0') {
            return wrong(in, "no {");
        }
        next(in);
    }
    next(in);
    int code = 0;
    while (code == 0 && !take(in, "}")) {
        if (take(in, ";")) {
            continue;
        }
        code = read_declaration(in);
        if (code == 0 && !is(in, ";") && !is(in, "}")) {
            code = wrong(in, "no ; behind a declaration");
        }
    }
    return code;
}

/* "P0@cta 0,gpu 0" */
static int read_thread(reader *in)
{
    gm_litmus_test *test = in->test;
    uint8_t thread = 0;
    uint32_t cta = 0;
    uint32_t gpu = 0;
    int code = take_thread(in, &thread);
    if (code == 0 && thread != test->warps) {
        return gm_fail(in->error, -EINVAL, "%s:%u: thread P%u stands where P%u is expected",
                       in->path, in->line, thread, test->warps);
    }
    code = code < 0 ? code : expect(in, "@", "no @ behind a thread");
    code = code < 0 ? code : expect(in, "cta", "no cta behind @");
    code = code < 0 ? code : take_number(in, 65535, &cta);
    code = code < 0 ? code : expect(in, ",", "no , behind a CTA's number");
    code = code < 0 ? code : expect(in, "gpu", "no gpu behind ,");
    if (code == 0 && !is(in, "0")) {
        return wrong(in, "only gpu 0 is modelled");
    }
    code = code < 0 ? code : take_number(in, 0, &gpu);
    if (code < 0) {
        return code;
    }
    unsigned own = 0;
    while (own < in->ctas && in->cta[own] != cta) {
        own++;
    }
    in->cta[own] = cta;
    in->ctas += own == in->ctas;
    test->warp[test->warps++].cta = (uint8_t)own;
    return 0;
}

static int read_threads(reader *in)
{
    int code = read_thread(in);
    while (code == 0 && take(in, "|")) {
        code = in->test->warps < GM_LITMUS_MOST_WARPS ? read_thread(in)
                                                      : wrong(in, "more than 8 threads");
    }
    return code < 0 ? code : expect(in, ";", "no ; behind the threads");
}

/* The parts of an instruction's name that say how it is ordered, and of an atomic what it does. */
typedef struct manner {
    bool acquires, releases, strong, wide; /* wide: scope of GPU or system; strong: not weak */
    bool has_action;
    gm_litmus_action action;
} manner;

static bool parse_action(const char *part, manner *manner)
{
    static const struct {
        const char *name;
        gm_litmus_action action;
    } rows[] = {
        {"exch", GM_LITMUS_EXCHANGE}, {"add", GM_LITMUS_ADD},        {"plus", GM_LITMUS_ADD},
        {"sub", GM_LITMUS_SUBTRACT},  {"minus", GM_LITMUS_SUBTRACT}, {"and", GM_LITMUS_AND},
        {"or", GM_LITMUS_OR},         {"xor", GM_LITMUS_XOR},        {"cas", GM_LITMUS_COMPARE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(part, rows[i].name) == 0) {
            manner->has_action = true;
            manner->action = rows[i].action;
            return true;
        }
    }
    return false;
}

static bool parse_part(const char *part, manner *manner)
{
    static const struct {
        const char *name;
        bool acquires, releases, strong, wide;
    } rows[] = {
        {"weak", false, false, false, false},   {"relaxed", false, false, true, false},
        {"volatile", false, false, true, true}, {"acquire", true, false, true, false},
        {"release", false, true, true, false},  {"acq_rel", true, true, true, false},
        {"sc", true, true, true, false},        {"cta", false, false, false, false},
        {"gpu", false, false, false, true},     {"sys", false, false, false, true},
        {"gl", false, false, false, true},      {"global", false, false, false, false},
        {"u32", false, false, false, false},    {"s32", false, false, false, false},
        {"b32", false, false, false, false},    {"sync", false, false, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(part, rows[i].name) == 0) {
            manner->acquires |= rows[i].acquires;
            manner->releases |= rows[i].releases;
            manner->strong |= rows[i].strong;
            manner->wide |= rows[i].wide;
            return true;
        }
    }
    return parse_action(part, manner);
}

/* Reads the parts behind the first of an instruction's name, which is the token. */
static int read_manner(reader *in, manner *manner)
{
    char name[TOKEN];
    char *rest = NULL;
    snprintf(name, sizeof name, "%s", in->token);
    *manner = (struct manner){.acquires = false};
    (void)strtok_r(name, ".", &rest);
    for (const char *part = strtok_r(NULL, ".", &rest); part != NULL;
         part = strtok_r(NULL, ".", &rest)) {
        if (!parse_part(part, manner)) {
            char what[TOKEN + 24];
            snprintf(what, sizeof what, "no such qualifier .%s", part);
            return wrong(in, what);
        }
    }
    return 0;
}

static int put(reader *in, gm_litmus_warp *warp, gm_litmus_operation operation)
{
    if (warp->count == GM_LITMUS_MOST_OPERATIONS) {
        return wrong(in, "more than 24 operations in a thread");
    }
    warp->operation[warp->count++] = operation;
    return 0;
}

static gm_litmus_operation fence_of(const manner *manner)
{
    return (gm_litmus_operation){.kind = manner->wide ? GM_LITMUS_FENCE : GM_LITMUS_FENCE_CTA};
}

/* Reads what a store or an atomic writes: a number or a register. */
static int take_source(reader *in, gm_litmus_operation *operation)
{
    operation->from_register = parse_register(in->token, &operation->source);
    if (operation->from_register) {
        next(in);
        return 0;
    }
    return take_value(in, &operation->value);
}

static int comma(reader *in)
{
    return expect(in, ",", "no , between operands");
}

static int read_operands(reader *in, gm_litmus_operation *operation)
{
    bool returns = gm_litmus_returns(operation->kind);
    int code = returns ? take_register(in, &operation->target) : 0;
    code = code < 0 || !returns ? code : comma(in);
    code = code < 0 ? code : take_place(in, &operation->line);
    if (code < 0 || operation->kind == GM_LITMUS_LOAD) {
        return code;
    }
    code = comma(in);
    if (code == 0 && operation->action == GM_LITMUS_COMPARE) {
        code = take_value(in, &operation->compared);
        code = code < 0 ? code : comma(in);
    }
    return code < 0 ? code : take_source(in, operation);
}

/* Reads an access, with the fences of its semantics around it. */
static int read_access(reader *in, gm_litmus_warp *warp, gm_litmus_kind kind)
{
    manner manner;
    bool atomic = kind == GM_LITMUS_ATOMIC || kind == GM_LITMUS_REDUCTION;
    int code = read_manner(in, &manner);
    if (code == 0 && atomic != manner.has_action) {
        code = wrong(in, atomic ? "an atomic without an operation" : "an operation of atomics");
    }
    gm_litmus_operation operation = {
        .kind = kind,
        .action = manner.action,
        .strong = kind == GM_LITMUS_LOAD && manner.strong && manner.wide,
    };
    if (code == 0) {
        next(in);
        code = read_operands(in, &operation);
    }
    if (code == 0 && manner.releases) {
        code = put(in, warp, fence_of(&manner));
    }
    code = code < 0 ? code : put(in, warp, operation);
    return code < 0 || !manner.acquires ? code : put(in, warp, fence_of(&manner));
}

static int read_fence(reader *in, gm_litmus_warp *warp)
{
    manner manner;
    int code = read_manner(in, &manner);
    if (code < 0) {
        return code;
    }
    next(in);
    return put(in, warp, fence_of(&manner));
}

/* "bar.cta.sync 0" */
static int read_barrier(reader *in, gm_litmus_warp *warp)
{
    manner manner;
    uint32_t number;
    int code = read_manner(in, &manner);
    if (code < 0) {
        return code;
    }
    next(in);
    code = take_number(in, 15, &number);
    return code < 0 ? code : put(in, warp, (gm_litmus_operation){.kind = GM_LITMUS_BARRIER});
}

static int read_instruction(reader *in, gm_litmus_warp *warp)
{
    size_t length = strcspn(in->token, ".");
    static const struct {
        const char *name;
        gm_litmus_kind kind;
    } rows[] = {
        {"ld", GM_LITMUS_LOAD},       {"st", GM_LITMUS_STORE},        {"atom", GM_LITMUS_ATOMIC},
        {"red", GM_LITMUS_REDUCTION}, {"fence", GM_LITMUS_FENCE},     {"membar", GM_LITMUS_FENCE},
        {"bar", GM_LITMUS_BARRIER},   {"barrier", GM_LITMUS_BARRIER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].name) == length && strncmp(in->token, rows[i].name, length) == 0) {
            return rows[i].kind == GM_LITMUS_FENCE     ? read_fence(in, warp)
                   : rows[i].kind == GM_LITMUS_BARRIER ? read_barrier(in, warp)
                                                       : read_access(in, warp, rows[i].kind);
        }
    }
    return wrong(in, "no such instruction (ld, st, atom, red, fence, membar, bar)");
}

static bool is_end_of_program(const reader *in)
{
    static const char *const words[] = {"exists",    "forall", "~",    "not",
                                        "locations", "filter", "final"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is(in, words[i])) {
            return true;
        }
    }
    return in->token[0] == '\0';
}

/* "st.weak x, 1 | ld.weak r0, x ;" */
static int read_row(reader *in)
{
    gm_litmus_test *test = in->test;
    int code = 0;
    for (unsigned thread = 0; code == 0; thread++) {
        if (thread == test->warps) {
            return wrong(in, "more columns than threads");
        }
        if (!is(in, "|") && !is(in, ";")) {
            code = read_instruction(in, &test->warp[thread]);
        }
        if (code == 0 && !take(in, "|")) {
            return expect(in, ";", "neither | nor ; behind an instruction");
        }
    }
    return code;
}

static int add_node(reader *in, gm_litmus_node node)
{
    gm_litmus_test *test = in->test;
    if (test->nodes == GM_LITMUS_MOST_NODES) {
        return wrong(in, "a condition of more than 32 parts");
    }
    test->node[test->nodes++] = node;
    return 0;
}

static int take_compare(reader *in, gm_litmus_compare *compare)
{
    static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">="};
    for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (take(in, signs[i])) {
            *compare = (gm_litmus_compare)i;
            return 0;
        }
    }
    *compare = GM_LITMUS_EQUAL;
    return expect(in, "==", "no comparison");
}

/* "P1:r0 == 1" or "x = 2" */
static int read_term(reader *in)
{
    gm_litmus_test *test = in->test;
    gm_litmus_term term = {.is_register = is_thread(in)};
    int code = term.is_register ? take_thread(in, &term.warp) : take_place(in, &term.line);
    if (code == 0 && term.is_register) {
        if (term.warp >= test->warps) {
            return gm_fail(in->error, -EINVAL, "%s:%u: the condition names thread P%u of %u",
                           in->path, in->line, term.warp, test->warps);
        }
        code = expect(in, ":", "no : behind a thread");
        code = code < 0 ? code : take_register(in, &term.target);
    }
    code = code < 0 ? code : take_compare(in, &term.compare);
    code = code < 0 ? code : take_value(in, &term.value);
    if (code == 0 && test->terms == GM_LITMUS_MOST_TERMS) {
        code = wrong(in, "a condition of more than 16 terms");
    }
    if (code < 0) {
        return code;
    }
    test->term[test->terms] = term;
    return add_node(in, (gm_litmus_node){.kind = GM_LITMUS_IS, .left = test->terms++});
}

static int read_either(reader *in);

static int read_unary(reader *in)
{
    if (++in->depth > MOST_DEPTH) {
        return wrong(in, "parentheses deeper than 16");
    }
    int code;
    if (take(in, "~") || take(in, "not")) {
        code = read_unary(in);
        uint8_t last = (uint8_t)(in->test->nodes - 1);
        code = code < 0 ? code : add_node(in, (gm_litmus_node){GM_LITMUS_NOT, last, 0});
    } else if (take(in, "(")) {
        code = read_either(in);
        code = code < 0 ? code : expect(in, ")", "no )");
    } else {
        code = read_term(in);
    }
    in->depth--;
    return code;
}

/* Parts joined by a sign. */
static int read_joined(reader *in, const char *sign, gm_litmus_node_kind kind,
                       int (*part)(reader *in))
{
    int code = part(in);
    while (code == 0 && take(in, sign)) {
        uint8_t left = (uint8_t)(in->test->nodes - 1);
        code = part(in);
        uint8_t right = (uint8_t)(in->test->nodes - 1);
        code = code < 0 ? code : add_node(in, (gm_litmus_node){kind, left, right});
    }
    return code;
}

static int read_both(reader *in)
{
    return read_joined(in, "/\\", GM_LITMUS_BOTH, read_unary);
}

static int read_either(reader *in)
{
    return read_joined(in, "\\/", GM_LITMUS_EITHER, read_both);
}

/* "exists C": no expectation; "~exists C": never C; "forall C": never not C. */
static int read_condition(reader *in)
{
    bool no = take(in, "~") || take(in, "not");
    bool all = !no && take(in, "forall");
    int code = all ? 0 : expect(in, "exists", "no exists, ~exists or forall");
    code = code < 0 ? code : read_either(in);
    if (code == 0 && all) {
        uint8_t last = (uint8_t)(in->test->nodes - 1);
        code = add_node(in, (gm_litmus_node){GM_LITMUS_NOT, last, 0});
    }
    for (unsigned i = 0; code == 0 && i < GM_LITMUS_PROTOCOLS; i++) {
        in->test->expected[i] = no || all;
    }
    (void)take(in, ";");
    return code == 0 && in->token[0] != '\0' ? wrong(in, "something behind the condition") : code;
}

/* "locations [x; P0:r0]": which the table shows in any case. */
static int read_locations(reader *in)
{
    if (!take(in, "locations")) {
        return 0;
    }
    while (!take(in, "]")) {
        if (in->token[0] == '\0') {
            return wrong(in, "no ]");
        }
        next(in);
    }
    (void)take(in, ";");
    return 0;
}

int gm_litmus_read_ptx(const char *path, const char *text, gm_litmus_test *test, gm_error *error)
{
    reader in = {.path = path, .at = text, .line_ahead = 1, .test = test, .error = error};
    *test = (gm_litmus_test){.warps = 0};
    next(&in); /* PTX */
    in.at += strspn(in.at, " \t");
    snprintf(test->name, sizeof test->name, "%.*s", (int)strcspn(in.at, "\r\n{"), in.at);
    in.at += strcspn(in.at, "\r\n{");
    next(&in);
    int code = read_declarations(&in);
    (void)take(&in, ";");
    code = code < 0 ? code : read_threads(&in);
    while (code == 0 && !is_end_of_program(&in)) {
        code = read_row(&in);
    }
    code = code < 0 ? code : read_locations(&in);
    return code < 0 ? code : read_condition(&in);
}

/* Configuration from a gpgpusim.config: the options that concern the memory system become keys, all
 * others are listed as ignored. GPGPU-Sim's syntax: "-option value" anywhere, '#' comments to the
 * line's end, values in double quotes over several lines; the last of several wins. */
#include "system/config_internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LISTED = 120 }; /* characters of an ignored option */

/* A piece of the file: a word, or what stands between double quotes. */
typedef struct token {
    const char *text;
    size_t length, line;
    bool quoted;
} token;

typedef struct scanner {
    const char *next, *end;
    size_t line;
} scanner;

static void skip_comment(scanner *scanner)
{
    while (scanner->next < scanner->end && *scanner->next != '\n') {
        scanner->next++;
    }
}

/* The next token; length 0 at the end of the file. False: a quote is not closed (at token->line).
 */
static bool scan(scanner *scanner, token *token)
{
    for (; scanner->next < scanner->end; scanner->next++) {
        if (*scanner->next == '#') {
            skip_comment(scanner);
            if (scanner->next == scanner->end) {
                break;
            }
        }
        if (!isspace((unsigned char)*scanner->next)) {
            break;
        }
        scanner->line += *scanner->next == '\n';
    }
    *token = (struct token){.text = scanner->next, .line = scanner->line};
    if (scanner->next < scanner->end && *scanner->next == '"') {
        token->quoted = true;
        token->text = ++scanner->next;
        while (scanner->next < scanner->end && *scanner->next != '"') {
            if (*scanner->next == '#') {
                skip_comment(scanner);
                continue;
            }
            scanner->line += *scanner->next == '\n';
            scanner->next++;
        }
        token->length = (size_t)(scanner->next - token->text);
        return scanner->next++ < scanner->end;
    }
    while (scanner->next < scanner->end && !isspace((unsigned char)*scanner->next) &&
           *scanner->next != '#') {
        scanner->next++;
    }
    token->length = (size_t)(scanner->next - token->text);
    return true;
}

static bool is_option(const token *token)
{
    return !token->quoted && token->length > 1 && token->text[0] == '-' &&
           isalpha((unsigned char)token->text[1]);
}

static bool at_end(const token *token)
{
    return !token->quoted && token->length == 0;
}

static const gm_gpgpusim_option *find_option(const token *token)
{
    unsigned count = 0;
    const gm_gpgpusim_option *options = gm_gpgpusim_options(&count);
    for (unsigned i = 0; i < count; i++) {
        if (strlen(options[i].name) == token->length &&
            memcmp(options[i].name, token->text, token->length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

static void list_ignored(gm_gpgpusim_reader *reader, const token *token)
{
    for (size_t i = 0; i < token->length && i < LONGEST_LISTED; i++) {
        int c = (unsigned char)token->text[i];
        putc(isprint(c) ? c : '?', reader->ignored);
    }
    putc('\n', reader->ignored);
}

/* The value without white space and comments (a quoted one may have been broken over lines). False:
 * too long. */
static bool copy_value(const token *token, char *value, size_t size)
{
    size_t used = 0;
    bool comment = false;
    for (size_t i = 0; i < token->length; i++) {
        char c = token->text[i];
        comment = c == '#' || (comment && c != '\n');
        if (!comment && !isspace((unsigned char)c)) {
            if (used + 1 == size) {
                return false;
            }
            value[used++] = c;
        }
    }
    value[used] = '\0';
    return true;
}

/* The next token, after a check that a quote is closed. */
static int next_token(gm_gpgpusim_reader *reader, scanner *scanner, token *token)
{
    if (!scan(scanner, token)) {
        return gm_fail(reader->error, -EINVAL, "%s:%zu: a quoted value has no closing '\"'",
                       reader->name, token->line);
    }
    return 0;
}

/* Applies an understood option to its value, which is the token after it. */
static int apply_option(gm_gpgpusim_reader *reader, const gm_gpgpusim_option *option,
                        const token *value)
{
    char text[GM_CONFIG_TEXT];
    if (at_end(value) || is_option(value)) {
        return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: has no value", reader->name,
                       reader->line, option->name);
    }
    if (!copy_value(value, text, sizeof text)) {
        return gm_fail(reader->error, -EINVAL,
                       "%s:%zu: %s: its value is longer than %zu characters", reader->name,
                       reader->line, option->name, sizeof text - 1);
    }
    reader->option = option->name;
    reader->value = text;
    reader->understood++;
    int code = option->apply(reader);
    reader->value = "";
    return code;
}

/* One option after the other. An unknown one may have any number of values. */
static int read_options(gm_gpgpusim_reader *reader, scanner *scanner)
{
    token token;
    int code = next_token(reader, scanner, &token);
    while (code == 0 && !at_end(&token)) {
        if (!is_option(&token)) {
            return gm_fail(reader->error, -EINVAL,
                           "%s:%zu: '%.*s': expected an option such as "
                           "-gpgpu_n_mem",
                           reader->name, token.line, token.length < 64 ? (int)token.length : 64,
                           token.text);
        }
        const gm_gpgpusim_option *option = find_option(&token);
        reader->line = token.line;
        if (option == NULL) {
            list_ignored(reader, &token);
        }
        code = next_token(reader, scanner, &token);
        if (code == 0 && option != NULL) {
            code = apply_option(reader, option, &token);
            code = code == 0 ? next_token(reader, scanner, &token) : code;
        }
        while (code == 0 && option == NULL && !at_end(&token) && !is_option(&token)) {
            code = next_token(reader, scanner, &token);
        }
    }
    return code;
}

/* A key that is the product of two options' numbers; `option` in `line` stands for both. */
static int put_product(gm_gpgpusim_reader *reader, const char *option, size_t line, const char *key,
                       uint64_t a, uint64_t b)
{
    char parts[64];
    snprintf(parts, sizeof parts, "(%" PRIu64 " * %" PRIu64 ")", a, b);
    reader->option = option;
    reader->line = line;
    reader->value = parts;
    int code = gm_gpgpusim_put_number(reader, key, a * b);
    reader->value = "";
    return code;
}

static int put_sms(gm_gpgpusim_reader *reader)
{
    size_t line =
        reader->clusters.line != 0 ? reader->clusters.line : reader->cores_per_cluster.line;
    if (line == 0) {
        return 0;
    }
    if (reader->clusters.line == 0 || reader->cores_per_cluster.line == 0) {
        return gm_fail(reader->error, -EINVAL,
                       "%s:%zu: -gpgpu_n_clusters and -gpgpu_n_cores_per_cluster must be given "
                       "together",
                       reader->name, line);
    }
    return put_product(reader, "-gpgpu_n_clusters", line, "gpu.sms", reader->clusters.count,
                       reader->cores_per_cluster.count);
}

static int put_l2_size(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    if (reader->l2_bank.line == 0) {
        return 0;
    }
    return put_product(reader, "-gpgpu_cache:dl2", reader->l2_bank.line, "l2.size",
                       reader->l2_bank.bytes, config->memory.partitions * config->memory.banks);
}

/* Control characters other than white space: this is no text. */
static int check_text(const char *name, const char *text, size_t length, gm_error *error)
{
    size_t line = 1;
    for (size_t i = 0; i < length; i++) {
        if (iscntrl((unsigned char)text[i]) && !isspace((unsigned char)text[i])) {
            return gm_fail(error, -EINVAL, "%s:%zu: not text: it has a byte 0x%02x", name, line,
                           (unsigned)(unsigned char)text[i]);
        }
        line += text[i] == '\n';
    }
    return 0;
}

int gm_config_read_gpgpusim(gm_config *config, const char *name, const char *text, size_t length,
                            char **ignored, gm_error *error)
{
    char *list = NULL;
    size_t list_length = 0;
    gm_config filled = *config; /* *config changes only when all is well */
    gm_gpgpusim_reader reader = {
        .config = &filled,
        .name = name,
        .error = error,
        .burst = {.width = 4, .chips = 1, .length = 4, .rate = 2} /* GPGPU-Sim's defaults */};
    if (ignored != NULL) {
        *ignored = NULL;
    }
    int code = check_text(name, text, length, error);
    if (code < 0) {
        return code;
    }
    reader.ignored = open_memstream(&list, &list_length);
    if (reader.ignored == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", name);
    }
    scanner scanner = {.next = text, .end = text + length, .line = 1};
    code = read_options(&reader, &scanner);
    if (code == 0 && reader.understood == 0) {
        code = gm_fail(error, -EINVAL, "%s: none of its options concerns the memory system", name);
    }
    code = code == 0 ? put_sms(&reader) : code;
    code = code == 0 ? put_l2_size(&reader) : code;
    code = code == 0 ? gm_gpgpusim_put_burst(&reader) : code;
    code = code == 0 ? gm_gpgpusim_put_branches(&reader) : code;
    if (reader.l1_given) {
        filled.l1.enabled = !reader.l1_none && !reader.l1_skipped;
    }
    if (fclose(reader.ignored) != 0 && code == 0) {
        code = gm_fail(error, -ENOMEM, "%s: out of memory", name);
    }
    if (code == 0) {
        snprintf(filled.preset.name, sizeof filled.preset.name, "%s", name);
        *config = filled;
    }
    if (code == 0 && ignored != NULL && list_length > 0) {
        *ignored = list;
    } else {
        free(list);
    }
    return code;
}

/* Configuration from a gpgpusim.config: the options that concern the memory system become keys, and
 * a note on each of the others says if it matters. GPGPU-Sim's syntax: "-option value" anywhere,
 * '#' comments to the line's end, values in double quotes over several lines; of an option given
 * twice the last value counts. */
#include "config/config_gpgpusim.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A token of the file: a word, or the text between double quotes. */
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

/* Reads the next token, of length 0 at the end of the file. Returns false if a quote is not closed
 * (at token->line). */
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

/* Returns an option's name inside the word, which shows that a file without a last newline was
 * joined to another; NULL if there is none. */
static const char *joined_option(const char *word, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++) {
        if (word[i] == '-' && isalnum((unsigned char)word[i - 1])) {
            /* -trace and -keep could end any word */
            if (memchr(word + i, '_', length - i) != NULL &&
                gm_gpgpusim_find(word + i, length - i) != NULL) {
                return word + i;
            }
        }
    }
    return NULL;
}

static int check_joined(gm_gpgpusim_reader *reader, const char *word, size_t length, size_t line)
{
    const char *option = joined_option(word, length);
    return option == NULL
               ? 0
               : gm_fail(reader->error, -EINVAL,
                         "%s:%zu: '%.*s': an option begins within a word: a newline is missing, as "
                         "where a file without one at its end was joined to another",
                         reader->name, line, length < 80 ? (int)length : 80, word);
}

/* Checks all words for joined options, those of comments too, since the first file's last line may
 * be a comment. */
static int check_all_joined(gm_gpgpusim_reader *reader, const char *text, size_t length)
{
    size_t line = 1;
    int code = 0;
    for (size_t i = 0; code == 0 && i < length;) {
        size_t from = i;
        while (i < length && !isspace((unsigned char)text[i])) {
            i++;
        }
        code = check_joined(reader, text + from, i - from, line);
        for (; i < length && isspace((unsigned char)text[i]); i++) {
            line += text[i] == '\n';
        }
    }
    return code;
}

/* Copies the value without white space and comments (a quoted one may span lines). Returns false if
 * it is too long. */
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

/* Reads the next token. Returns -EINVAL if a quote is not closed. */
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

/* Keeps the note on an option that is not taken, with the token as its value if it is one. */
static int keep_option(gm_gpgpusim_reader *reader, const gm_gpgpusim_option *option,
                       const char *name, const token *value)
{
    char text[GM_CONFIG_TEXT] = "";
    bool has_value = !at_end(value) && !is_option(value);
    if (has_value && !copy_value(value, text, sizeof text)) {
        text[0] = '\0';
    }
    if (option == NULL) {
        return gm_gpgpusim_keep(reader, GM_IMPORT_UNKNOWN, name, text, gm_gpgpusim_nearest(name));
    }
    return gm_gpgpusim_keep(
        reader, option->role == GM_OPTION_IRRELEVANT ? GM_IMPORT_IRRELEVANT : GM_IMPORT_UNMODELLED,
        name, text, option->meaning);
}

/* Reads one option. *token is its name, and becomes the token after its value. An option that is
 * not taken may have any number of values. */
static int read_option(gm_gpgpusim_reader *reader, scanner *scanner, token *token)
{
    const gm_gpgpusim_option *option = gm_gpgpusim_find(token->text, token->length);
    gm_import_note named = {0}; /* an option's longest name */
    snprintf(named.option, sizeof named.option, "%.*s",
             token->length < sizeof named.option ? (int)token->length : (int)sizeof named.option,
             token->text);
    reader->line = token->line;
    gm_gpgpusim_forget(reader, named.option);
    bool taken = option != NULL && option->role == GM_OPTION_TAKEN;
    int code = next_token(reader, scanner, token);
    if (code == 0) {
        code = taken ? apply_option(reader, option, token)
                     : keep_option(reader, option, named.option, token);
    }
    if (code == 0 && taken) {
        code = next_token(reader, scanner, token);
    }
    while (code == 0 && !taken && !at_end(token) && !is_option(token)) {
        code = next_token(reader, scanner, token);
    }
    return code < 0 ? code : reader->failed;
}

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
        code = read_option(reader, scanner, &token);
    }
    return code;
}

/* Sets a key to the product of two options' numbers; messages name `option` and `line`. */
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

/* Refuses control characters other than white space: the file is no text. */
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

/* Turns the L1 off if the file has none and the L2's lines are longer than the default L1's, as in
 * GPGPU-Sim; the coalescer then takes the L2's line size. */
static int put_l1_line(gm_gpgpusim_reader *reader)
{
    gm_config *config = reader->config;
    if (config->l2.line <= config->l1.line || (reader->l1_given && !reader->l1_none)) {
        return 0;
    }
    reader->l1_given = true;
    reader->l1_none = true;
    reader->option = "-gpgpu_cache:dl2";
    reader->line = reader->l2_bank.line;
    gm_gpgpusim_note(reader, "there is no L1 (no -gpgpu_cache:dl1), and requests are coalesced to "
                             "l1.line, the L2's line");
    return reader->failed < 0 ? reader->failed
                              : gm_gpgpusim_put_number(reader, "l1.line", config->l2.line);
}

/* Each bank of an L1 with several has a pipeline of its own. */
static int put_l1_lookup(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    return config->l1.lookup == GM_LOOKUP_LAST && config->l1.banks > 1 &&
                   config->sm.coalesce == GM_COALESCE_SECTOR
               ? gm_gpgpusim_put(reader, "l1.lookup", "banks")
               : 0;
}

/* Sets the keys that several options make together, and settles the notes. */
static int finish(gm_gpgpusim_reader *reader)
{
    int code = put_sms(reader);
    code = code == 0 ? put_l2_size(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_burst(reader) : code;
    code = code == 0 ? gm_gpgpusim_check_partition_index(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_bank_bits(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_branches(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_banks(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_unified(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_units(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_l1i(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_network(reader) : code;
    code = code == 0 ? put_l1_line(reader) : code;
    code = code == 0 ? put_l1_lookup(reader) : code;
    if (reader->l1_given) {
        reader->config->l1.enabled = !reader->l1_none && !reader->l1_skipped;
    }
    code = code == 0 ? gm_gpgpusim_put_l2_merge(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_l2_dirty(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_l2_answers(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_atomics(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_fences(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_ctas(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_kernel_end(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_write_port(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_local_map(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_partition_bits(reader) : code;
    code = code == 0 ? gm_gpgpusim_put_kernels(reader) : code;
    if (code == 0) {
        gm_gpgpusim_settle(reader);
    }
    return code;
}

int gm_config_read_gpgpusim(gm_config *config, const char *name, const char *text, size_t length,
                            gm_import *import, gm_error *error)
{
    gm_import told = {0};
    gm_config filled = *config; /* *config changes only on success */
    gm_gpgpusim_reader reader = {
        .config = &filled,
        .name = name,
        .error = error,
        .import = &told,
        .value = "",
        .burst = {.width = 4, .chips = 1, .length = 4, .rate = 2} /* GPGPU-Sim's defaults */};
    scanner scanner = {.next = text, .end = text + length, .line = 1};
    int code = check_text(name, text, length, error);
    code = code == 0 ? check_all_joined(&reader, text, length) : code;
    code = code == 0 ? read_options(&reader, &scanner) : code;
    if (code == 0 && reader.understood == 0) {
        code = gm_fail(error, -EINVAL, "%s: none of its options concerns the memory system", name);
    }
    code = code == 0 ? finish(&reader) : code;
    if (code == 0) {
        snprintf(filled.preset.name, sizeof filled.preset.name, "%s", name);
        *config = filled;
    }
    if (code < 0 || import == NULL) {
        gm_import_free(&told);
    }
    if (import != NULL) {
        *import = told;
    }
    return code;
}

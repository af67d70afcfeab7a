/* The interconnect of a gpgpusim.config: with -network_mode 2 a crossbar that options describe,
 * with 1 one that a file of its network simulator, BookSim, describes: "key = value;", and "//"
 * begins a comment. */
#include "config/config_file.h"
#include "config/config_gpgpusim.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MODE_FILE = 1, MODE_CROSSBAR = 2 };

/* noc.latency of that simulator's two crossbars, idle, as chains of loads that miss have it there
 * (docs/reproduction/reference.md). */
enum { FILE_LATENCY = 9, CROSSBAR_LATENCY = 4 };

int gm_gpgpusim_apply_network(gm_gpgpusim_reader *reader)
{
    int code = gm_gpgpusim_read_number(reader, &reader->network.mode);
    bool known = reader->network.mode == MODE_FILE || reader->network.mode == MODE_CROSSBAR;
    return code < 0 || known ? code : gm_gpgpusim_fail(reader, "that simulator has 1 and 2");
}

int gm_gpgpusim_apply_network_file(gm_gpgpusim_reader *reader)
{
    reader->network.line = reader->line;
    snprintf(reader->network.file, sizeof reader->network.file, "%s", reader->value);
    return 0;
}

int gm_gpgpusim_apply_in_buffer(gm_gpgpusim_reader *reader)
{
    reader->in_buffer.line = reader->line;
    return gm_gpgpusim_read_number(reader, &reader->in_buffer.count);
}

int gm_gpgpusim_apply_out_buffer(gm_gpgpusim_reader *reader)
{
    reader->out_buffer.line = reader->line;
    return gm_gpgpusim_read_number(reader, &reader->out_buffer.count);
}

/* Sets the keys of -network_mode 2. */
static int put_crossbar(gm_gpgpusim_reader *reader)
{
    int code = gm_gpgpusim_put_number(reader, "noc.latency", CROSSBAR_LATENCY);
    reader->network.crossbar = true;
    code = code == 0 ? gm_gpgpusim_put(reader, "noc.arbitration", "series") : code;
    if (code == 0 && reader->in_buffer.line != 0) {
        reader->option = "-icnt_in_buffer_limit";
        reader->line = reader->in_buffer.line;
        code = gm_gpgpusim_put_at_most(reader, "noc.buffer", reader->in_buffer.count, true);
    }
    if (code == 0 && reader->out_buffer.line != 0) {
        reader->option = "-icnt_out_buffer_limit";
        reader->line = reader->out_buffer.line;
        code = gm_gpgpusim_put_at_most(reader, "noc.ejection", reader->out_buffer.count, true);
    }
    return code;
}

/* What is taken from an interconnect file; 0 or "": not given. */
typedef struct interconnect {
    char topology[GM_CONFIG_TEXT];
    uint64_t stages; /* n */
    uint64_t channels, buffer, flit, speedup;
} interconnect;

/* A "key = value;" of the file. */
typedef struct statement {
    char key[GM_CONFIG_TEXT], value[GM_CONFIG_TEXT];
    size_t line; /* of the key */
} statement;

typedef struct statements {
    const char *path;
    const char *next, *end;
    size_t line;
} statements;

/* Moves past white space and comments. */
static void skip_space(statements *s)
{
    while (s->next < s->end) {
        if (s->end - s->next >= 2 && s->next[0] == '/' && s->next[1] == '/') {
            const char *end = memchr(s->next, '\n', (size_t)(s->end - s->next));
            s->next = end != NULL ? end : s->end;
        } else if (isspace((unsigned char)*s->next)) {
            s->line += *s->next == '\n';
            s->next++;
        } else {
            return;
        }
    }
}

/* Copies up to `stop`, without white space and comments, and moves past it; what does not fit is
 * left out. Returns false if the file ends before. */
static bool copy_until(statements *s, char stop, char *text, size_t size)
{
    size_t used = 0;
    for (skip_space(s); s->next < s->end && *s->next != stop; skip_space(s)) {
        if (used + 1 < size) {
            text[used++] = *s->next;
        }
        s->next++;
    }
    text[used] = '\0';
    return s->next < s->end && *s->next++ == stop;
}

/* Reads the next statement. Returns 1, 0 at the end, or -EINVAL. */
static int next_statement(statements *s, statement *statement, gm_error *error)
{
    skip_space(s);
    statement->line = s->line;
    if (s->next == s->end) {
        return 0;
    }
    if (!copy_until(s, '=', statement->key, sizeof statement->key) ||
        strchr(statement->key, ';') != NULL) {
        return gm_fail(error, -EINVAL, "%s:%zu: '%.64s': expected 'key = value;'", s->path,
                       statement->line, statement->key);
    }
    if (!copy_until(s, ';', statement->value, sizeof statement->value)) {
        return gm_fail(error, -EINVAL, "%s:%zu: %s: its value has no ';' behind it", s->path,
                       statement->line, statement->key);
    }
    return 1;
}

/* Takes a statement that concerns goldmem; a speedup such as 2.0 is rounded down. */
static int take(interconnect *network, const char *path, const statement *statement,
                gm_error *error)
{
    const struct {
        const char *key;
        uint64_t *value;
    } numbers[] = {
        {"n", &network->stages},
        {"num_vcs", &network->channels},
        {"vc_buf_size", &network->buffer},
        {"flit_size", &network->flit},
        {"internal_speedup", &network->speedup},
    };
    if (strcmp(statement->key, "topology") == 0) {
        memcpy(network->topology, statement->value, sizeof network->topology);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(statement->key, numbers[i].key) != 0) {
            continue;
        }
        const char *end = statement->value;
        bool fraction = numbers[i].value == &network->speedup;
        bool number = gm_gpgpusim_number(&end, numbers[i].value);
        end += fraction && *end == '.' ? 1 + strspn(end + 1, "0123456789") : 0;
        if (!number || *end != '\0' || *numbers[i].value == 0) {
            return gm_fail(error, -EINVAL, "%s:%zu: %s %s: must be a number, at least 1", path,
                           statement->line, statement->key, statement->value);
        }
    }
    return 0;
}

static int read_interconnect(interconnect *network, const char *path, const char *text,
                             size_t length, gm_error *error)
{
    statements all = {.path = path, .next = text, .end = text + length, .line = 1};
    statement one;
    int code;
    while ((code = next_statement(&all, &one, error)) > 0) {
        code = take(network, path, &one, error);
        if (code < 0) {
            break;
        }
    }
    return code;
}

/* Sets a key from a number of the file, if it has one. */
static int put_given(gm_gpgpusim_reader *reader, const char *key, uint64_t value)
{
    return value == 0 ? 0 : gm_gpgpusim_put_at_most(reader, key, value, false);
}

static int put_interconnect(gm_gpgpusim_reader *reader, const interconnect *network)
{
    bool mesh = strcmp(network->topology, "mesh") == 0;
    bool crossbar = strcmp(network->topology, "fly") == 0 && network->stages <= 1;
    if (network->topology[0] != '\0' && !mesh && !crossbar) {
        gm_gpgpusim_note(reader, "its topology: a crossbar");
    }
    int code = gm_gpgpusim_put(reader, "noc.topology", mesh ? "mesh" : "crossbar");
    reader->network.crossbar = !mesh;
    code = code == 0 && !mesh ? gm_gpgpusim_put_number(reader, "noc.latency", FILE_LATENCY) : code;
    code = code == 0 ? put_given(reader, "noc.flit", network->flit) : code;
    code = code == 0 ? put_given(reader, "noc.channels", network->channels) : code;
    code = code == 0 ? put_given(reader, "noc.buffer", network->buffer) : code;
    code = code == 0 ? put_given(reader, "noc.ejection", network->buffer) : code;
    if (network->speedup > 1 && (mesh || reader->config->noc.channels != 1)) {
        gm_gpgpusim_note(reader, "its internal_speedup: 1, with a mesh or several num_vcs");
        return code;
    }
    code = code == 0 ? put_given(reader, "noc.speedup", network->speedup) : code;
    return code == 0 && network->speedup > 1
               ? gm_gpgpusim_put_number(reader, "noc.allocation", 1) /* its vc_alloc_delay */
               : code;
}

/* Sets the keys of -network_mode 1 from the interconnect file, which lies beside the reader's. */
static int put_file(gm_gpgpusim_reader *reader)
{
    const char *name = reader->network.file;
    const char *slash = name[0] == '/' ? NULL : strrchr(reader->name, '/');
    int folder = slash != NULL ? (int)(slash + 1 - reader->name) : 0;
    char path[4096];
    reader->option = "-inter_config_file";
    reader->line = reader->network.line;
    reader->value = name;
    snprintf(path, sizeof path, "%.*s%s", folder, reader->name, name);
    char *text = NULL;
    size_t length = 0;
    gm_error missing;
    interconnect network = {.stages = 0};
    int code = 0;
    if (gm_config_file_read(path, &text, &length, &missing) < 0) {
        gm_gpgpusim_note(reader, "no such file in its folder: noc.* describe the interconnect");
    } else {
        gm_gpgpusim_note(reader, "its delays and allocators: noc.latency is 9, or 7 with "
                                 "sm.write_port; one round of iSLIP");
        code = read_interconnect(&network, path, text, length, reader->error);
        code = code == 0 ? put_interconnect(reader, &network) : code;
    }
    free(text);
    reader->value = "";
    return code;
}

int gm_gpgpusim_put_network(gm_gpgpusim_reader *reader)
{
    bool by_file = reader->network.mode <= MODE_FILE && reader->network.line != 0;
    int code = reader->network.mode == MODE_CROSSBAR ? put_crossbar(reader)
               : by_file                             ? put_file(reader)
                                                     : 0;
    return code == 0 ? reader->failed : code;
}

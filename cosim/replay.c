/* Streams as text: "block NAME", "options ...", "seed N episode N" (which power-up), then one line
 * for each transaction, "IDLE STALL FIELD...", where IDLE is "drain" or cycles, and fields are
 * hexadecimal in the order of the port list. A line "reset AT FOR" after a transaction is a reset
 * AT cycles after its request is offered, for FOR cycles. '#' begins a comment. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CYCLES = 1000000 }; /* of a wait */

int gm_replay_write(const char *path, const gm_cosim_plugin_table *plugin, unsigned number,
                    const gm_stimulus *stimulus, gm_error *error)
{
    const gm_ports *ports = plugin->block->ports;
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    fprintf(file, "block %s\noptions %s\nseed %llu episode %llu\n# idle stall", ports->block,
            plugin->options[number], (unsigned long long)stimulus->seed,
            (unsigned long long)stimulus->episode);
    for (unsigned f = 0; f < ports->requests; f++) {
        fprintf(file, " %s", ports->request[f].name);
    }
    fputc('\n', file);
    for (size_t i = 0; i < stimulus->count; i++) {
        const gm_wait *wait = &stimulus->wait[i];
        if (wait->drain) {
            fprintf(file, "drain %u", wait->stall);
        } else {
            fprintf(file, "%u %u", wait->idle, wait->stall);
        }
        for (unsigned f = 0; f < ports->requests; f++) {
            fprintf(file, " %llx", (unsigned long long)stimulus->request[i * ports->requests + f]);
        }
        fputc('\n', file);
        if (wait->reset_for > 0) {
            fprintf(file, "reset %u %u\n", wait->reset_at, wait->reset_for);
        }
    }
    int failed = ferror(file);
    return fclose(file) != 0 || failed ? gm_fail(error, -EIO, "%s: cannot be written", path) : 0;
}

/* Reads one number, at most `most`, and moves *text behind it. */
static bool take_number(char **text, int base, uint64_t most, uint64_t *value)
{
    char *end = NULL;
    *text += strspn(*text, " ");
    errno = 0;
    *value = strtoull(*text, &end, base);
    bool good = end != *text && errno == 0 && *value <= most && (*end == ' ' || *end == '\0');
    *text = end;
    return good;
}

static bool take_transaction(char *text, const uint64_t *width, gm_stimulus *stimulus)
{
    size_t i = stimulus->count;
    uint64_t idle = 0;
    uint64_t stall = 0;
    bool drain = strncmp(text, "drain ", 6) == 0;
    text += drain ? 6 : 0;
    if ((!drain && !take_number(&text, 10, MOST_CYCLES, &idle)) ||
        !take_number(&text, 10, MOST_CYCLES, &stall)) {
        return false;
    }
    stimulus->wait[i] = (gm_wait){.idle = (uint32_t)idle, .stall = (uint32_t)stall, .drain = drain};
    for (unsigned f = 0; f < stimulus->fields; f++) {
        uint64_t most = width[f] >= 64 ? UINT64_MAX : (UINT64_C(1) << width[f]) - 1;
        if (!take_number(&text, 16, most, &stimulus->request[i * stimulus->fields + f])) {
            return false;
        }
    }
    stimulus->count++;
    return text[strspn(text, " ")] == '\0';
}

/* Reads the reset that ends a segment with the last transaction. */
static bool take_reset(char *text, gm_stimulus *stimulus)
{
    uint64_t at = 0;
    uint64_t cycles = 0;
    if (stimulus->count == 0 || !take_number(&text, 10, MOST_CYCLES, &at) ||
        !take_number(&text, 10, UINT16_MAX, &cycles) || cycles == 0) {
        return false;
    }
    gm_wait *last = &stimulus->wait[stimulus->count - 1];
    last->reset_at = (uint32_t)at;
    last->reset_for = (uint16_t)cycles;
    return text[strspn(text, " ")] == '\0';
}

/* Reads which power-up the stream was for: "SEED episode EPISODE". */
static bool take_power_up(char *text, gm_stimulus *stimulus)
{
    if (!take_number(&text, 10, UINT64_MAX, &stimulus->seed)) {
        return false;
    }
    text += strspn(text, " ");
    return *text == '\0' || (strncmp(text, "episode ", 8) == 0 &&
                             (text += 8, take_number(&text, 10, UINT64_MAX, &stimulus->episode)) &&
                             text[strspn(text, " ")] == '\0');
}

/* Finds the instance with exactly these options. */
static int find_instance(const gm_cosim_plugin_table *plugin, const char *options, unsigned *number,
                         uint64_t *width, gm_error *error)
{
    gm_cosim_configuration configuration;
    int code = plugin->block->configure(options, &configuration, error);
    if (code < 0) {
        return code;
    }
    gm_port_shape shape;
    uint64_t numbers[GM_PORTS_PARAMETERS] = {0};
    for (unsigned i = 0; i < plugin->block->ports->parameters; i++) {
        numbers[i] = configuration.parameter[i][0];
    }
    plugin->block->ports->shape(numbers, &shape);
    memcpy(width, shape.request, sizeof shape.request);
    for (*number = 0; *number < plugin->lanes; ++*number) {
        if (strcmp(plugin->options[*number], configuration.options) == 0) {
            return 0;
        }
    }
    return gm_fail(error, -ENOENT, "no instance with %s is built", options);
}

/* Reads one line of the file. Returns -ENOTSUP for a malformed line. */
static int take_line(char *line, const gm_cosim_plugin_table *plugin, unsigned *number,
                     uint64_t *width, gm_stimulus *stimulus, gm_error *error)
{
    line[strcspn(line, "#\r\n")] = '\0';
    if (line[strspn(line, " ")] == '\0') {
        return 0;
    }
    if (strncmp(line, "seed ", 5) == 0) {
        return take_power_up(line + 5, stimulus)
                   ? 0
                   : gm_fail(error, -EINVAL, "not 'seed N episode N': '%.80s'", line);
    }
    if (strncmp(line, "reset ", 6) == 0) {
        return take_reset(line + 6, stimulus)
                   ? 0
                   : gm_fail(error, -EINVAL, "not a reset of a transaction: '%.80s'", line);
    }
    if (strncmp(line, "block ", 6) == 0) {
        return strcmp(line + 6, plugin->block->ports->block) == 0
                   ? 0
                   : gm_fail(error, -EINVAL, "the stimulus is for block '%s'", line + 6);
    }
    if (strncmp(line, "options ", 8) == 0) {
        return find_instance(plugin, line + 8, number, width, error);
    }
    return width[0] != 0 && take_transaction(line, width, stimulus)
               ? 0
               : gm_fail(error, -EINVAL, "not a transaction: '%.80s'", line);
}

int gm_replay_read(const char *path, const gm_cosim_plugin_table *plugin, unsigned *number,
                   gm_stimulus *stimulus, gm_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    char line[1024];
    size_t lines = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        lines++;
    }
    rewind(file);
    uint64_t seed = stimulus->seed;
    int code = gm_stimulus_create(stimulus, plugin->block->ports->requests, lines, error);
    stimulus->count = 0;
    stimulus->seed = seed;
    uint64_t width[GM_PORTS_FIELDS] = {0};
    for (size_t at = 1; code == 0 && fgets(line, sizeof line, file) != NULL; at++) {
        gm_error reason;
        code = take_line(line, plugin, number, width, stimulus, &reason);
        if (code < 0) {
            gm_fail(error, code, "%s:%zu: %s", path, at, reason.text);
        }
    }
    fclose(file);
    if (code == 0 && stimulus->count == 0) {
        code = gm_fail(error, -EINVAL, "%s: no transactions", path);
    }
    if (code < 0) {
        gm_stimulus_free(stimulus);
    }
    return code;
}

/* goldmem sweep: reads inputs and keys from YAML, and combines them to runs. */
#include "cli/input_argument.h"
#include "cli/sweep.h"
#include "goldmem/config.h"
#include "goldmem/nearest.h"
#include "goldmem/source.h"
#include "report/json_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MOST_AXES = 64 };

/* Sections of a file. */
typedef enum section { INPUTS, SET, LIST, ZIP, GRID, OPTIONS, SECTIONS } section;

static const char *const section_names[SECTIONS] = {
    [INPUTS] = "inputs", [SET] = "set",   [LIST] = "list",
    [ZIP] = "zip",       [GRID] = "grid", [OPTIONS] = "options"};

/* What `set`, `list`, `zip` and `grid` take beside keys: options of goldmem run. */
static const char *const plain_options[] = {"preset", "config", "engine"};
enum { PLAIN_OPTIONS = sizeof plain_options / sizeof plain_options[0] };

/* A member of a point that names it. No key has this name. */
static const char point_name[] = "";

/* A file being read. An axis is an array of points; a point an object, name: value. */
typedef struct reader {
    const char *file;
    yaml_document_t document;
    json_t *inputs, *options, *constants; /* arrays; a point */
    json_t *axis[MOST_AXES];              /* in the order of sections */
    size_t axes;
    json_t *seen; /* object: key: line that gave it */
    gm_config scratch;
    gm_error *error;
} reader;

static size_t line_of(const yaml_node_t *node)
{
    return node->start_mark.line + 1;
}

static int out_of_memory(const reader *reader)
{
    return gm_fail(reader->error, -ENOMEM, "%s: out of memory", reader->file);
}

/* Returns a scalar's text; NULL for other nodes and texts with a NUL. */
static const char *text_of(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE) {
        return NULL;
    }
    const char *text = (const char *)node->data.scalar.value;
    return strlen(text) == node->data.scalar.length ? text : NULL;
}

static yaml_node_t *node_of(reader *reader, int number)
{
    return yaml_document_get_node(&reader->document, number);
}

static size_t pairs_of(const yaml_node_t *mapping)
{
    return (size_t)(mapping->data.mapping.pairs.top - mapping->data.mapping.pairs.start);
}

static size_t items_of(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

/* Refuses a node: "FILE:LINE: WHAT: must be WANTED". */
static int refuse(const reader *reader, const yaml_node_t *node, const char *what,
                  const char *wanted)
{
    return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: must be %s", reader->file, line_of(node),
                   what, wanted);
}

static bool is_plain_option(const char *name)
{
    for (unsigned i = 0; i < PLAIN_OPTIONS; i++) {
        if (strcmp(name, plain_options[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Checks a value of a key, or of preset, config or engine. */
static int check_value(reader *reader, const yaml_node_t *node, const char *name)
{
    const char *value = text_of(node);
    if (value == NULL) {
        return refuse(reader, node, name, "one value");
    }
    gm_error inner = {0};
    int code = 0;
    if (strcmp(name, "preset") == 0) {
        code = gm_config_preset(&reader->scratch, value, &inner);
    } else if (strcmp(name, "config") == 0) {
        gm_import import = {0};
        code = gm_config_read(&reader->scratch, value, &import, &inner);
        gm_import_free(&import);
    } else if (strcmp(name, "engine") == 0) {
        bool known = strcmp(value, "cycle") == 0 || strcmp(value, "order") == 0;
        code = known ? 0 : gm_fail(&inner, -EINVAL, "engine=%.32s: must be cycle or order", value);
    } else {
        code = gm_config_set(&reader->scratch, name, value, &inner);
    }
    return code < 0
               ? gm_fail(reader->error, code, "%s:%zu: %s", reader->file, line_of(node), inner.text)
               : 0;
}

/* Takes the name of a key, preset, config or engine. Returns NULL with the error set if there is no
 * such key, or if another section gives it too. */
static const char *take_name(reader *reader, const yaml_node_t *node, const char *where)
{
    const char *name = text_of(node);
    if (name == NULL) {
        refuse(reader, node, where, "a mapping of keys, such as l1.ways");
        return NULL;
    }
    if (!is_plain_option(name) && gm_config_find(name) == NULL) {
        gm_error inner = {0};
        gm_config_set(&reader->scratch, name, "", &inner); /* for its message */
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s", reader->file, line_of(node), inner.text);
        return NULL;
    }
    json_int_t before = json_integer_value(json_object_get(reader->seen, name));
    if (before != 0) {
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s: given before, in line %lld", reader->file,
                line_of(node), name, (long long)before);
        return NULL;
    }
    return name;
}

static int note_name(reader *reader, const yaml_node_t *node, const char *name)
{
    return json_object_set_new(reader->seen, name, json_integer((json_int_t)line_of(node))) == 0
               ? 0
               : out_of_memory(reader);
}

/* Sets the member of a point. */
static int set_member(reader *reader, json_t *point, const char *name, const yaml_node_t *value)
{
    int code = check_value(reader, value, name);
    if (code < 0) {
        return code;
    }
    return json_object_set_new(point, name, json_string(text_of(value))) == 0
               ? 0
               : out_of_memory(reader);
}

/* Reads a mapping of keys to values into a point. `once`: no other section may give the keys. */
static int read_point(reader *reader, const yaml_node_t *node, const char *where, json_t *point,
                      bool once)
{
    if (node->type != YAML_MAPPING_NODE) {
        return refuse(reader, node, where, "a mapping of keys to values, such as {l1.ways: 4}");
    }
    for (size_t i = 0; i < pairs_of(node); i++) {
        const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[i];
        const yaml_node_t *key = node_of(reader, pair->key);
        const char *name = take_name(reader, key, where);
        if (name == NULL) {
            return -EINVAL;
        }
        if (json_object_get(point, name) != NULL) {
            return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: given twice", reader->file,
                           line_of(key), name);
        }
        int code = set_member(reader, point, name, node_of(reader, pair->value));
        code = code < 0 || !once ? code : note_name(reader, key, name);
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

/* Adds an axis, which it owns from now on. */
static int add_axis(reader *reader, json_t *axis, const yaml_node_t *node)
{
    if (axis == NULL) {
        return out_of_memory(reader);
    }
    if (reader->axes == MOST_AXES) {
        json_decref(axis);
        return gm_fail(reader->error, -EINVAL, "%s:%zu: more than %d keys and lists that vary",
                       reader->file, line_of(node), MOST_AXES);
    }
    reader->axis[reader->axes++] = axis;
    return 0;
}

/* Appends an empty point to an axis. Returns a borrowed reference, or NULL. */
static json_t *add_point(json_t *axis)
{
    json_t *point = json_object();
    return json_array_append_new(axis, point) == 0 ? point : NULL;
}

/* Reads "KEY: [VALUE, ...]" into the points of an axis, which are made where they lack. `points`:
 * their number, 0: any. */
static int read_values(reader *reader, const yaml_node_pair_t *pair, const char *where,
                       json_t *axis, size_t points)
{
    const yaml_node_t *key = node_of(reader, pair->key);
    const yaml_node_t *values = node_of(reader, pair->value);
    const char *name = take_name(reader, key, where);
    if (name == NULL) {
        return -EINVAL;
    }
    if (values->type != YAML_SEQUENCE_NODE || items_of(values) == 0) {
        return refuse(reader, values, name, "a list of values, such as [4, 8]");
    }
    if (points != 0 && items_of(values) != points) {
        return gm_fail(reader->error, -EINVAL,
                       "%s:%zu: %s: %zu values: must be %zu, as of the key before it", reader->file,
                       line_of(key), name, items_of(values), points);
    }
    int code = note_name(reader, key, name);
    for (size_t i = 0; code == 0 && i < items_of(values); i++) {
        json_t *point = i < json_array_size(axis) ? json_array_get(axis, i) : add_point(axis);
        code = point == NULL ? out_of_memory(reader)
                             : set_member(reader, point, name,
                                          node_of(reader, values->data.sequence.items.start[i]));
    }
    return code;
}

/* Reads lists of one length, which vary together. */
static int read_zip(reader *reader, const yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE || pairs_of(node) == 0) {
        return refuse(reader, node, "zip", "a mapping of keys to lists, or a list of such");
    }
    json_t *axis = json_array();
    int code = add_axis(reader, axis, node);
    for (size_t i = 0; code == 0 && i < pairs_of(node); i++) {
        code = read_values(reader, &node->data.mapping.pairs.start[i], "zip", axis,
                           json_array_size(axis));
    }
    return code;
}

static int read_zips(reader *reader, const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE) {
        return read_zip(reader, node);
    }
    int code = 0;
    for (size_t i = 0; code == 0 && i < items_of(node); i++) {
        code = read_zip(reader, node_of(reader, node->data.sequence.items.start[i]));
    }
    return code;
}

static int read_grid(reader *reader, const yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE || pairs_of(node) == 0) {
        return refuse(reader, node, "grid",
                      "a mapping of keys to lists, such as {l1.ways: [4, 8]}");
    }
    int code = 0;
    for (size_t i = 0; code == 0 && i < pairs_of(node); i++) {
        json_t *axis = json_array();
        code = add_axis(reader, axis, node);
        code = code < 0 ? code
                        : read_values(reader, &node->data.mapping.pairs.start[i], "grid", axis, 0);
    }
    return code;
}

/* Notes the keys of a list's points, so that no other section gives them. */
static int note_points(reader *reader, const json_t *axis, const yaml_node_t *node)
{
    int code = 0;
    for (size_t i = 0; i < json_array_size(axis); i++) {
        const char *name;
        json_t *value;
        json_object_foreach(json_array_get(axis, i), name, value)
        {
            code = code < 0 || strcmp(name, point_name) == 0 ? code : note_name(reader, node, name);
        }
    }
    return code;
}

/* Reads named points. */
static int read_list(reader *reader, const yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE || pairs_of(node) == 0) {
        return refuse(reader, node, "list",
                      "a mapping of names to points, such as {base: {}, wide: {l1.ways: 8}}");
    }
    json_t *axis = json_array();
    int code = add_axis(reader, axis, node);
    for (size_t i = 0; code == 0 && i < pairs_of(node); i++) {
        const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[i];
        const yaml_node_t *key = node_of(reader, pair->key);
        const char *name = text_of(key);
        for (size_t k = 0; name != NULL && k < i; k++) {
            const json_t *other = json_object_get(json_array_get(axis, k), point_name);
            if (strcmp(json_string_value(other), name) == 0) {
                return gm_fail(reader->error, -EINVAL, "%s:%zu: list: %s: given twice",
                               reader->file, line_of(key), name);
            }
        }
        json_t *point = add_point(axis);
        if (name == NULL || name[0] == '\0') {
            code = refuse(reader, key, "list", "a mapping of names to points");
        } else if (point == NULL ||
                   json_object_set_new(point, point_name, json_string(name)) != 0) {
            code = out_of_memory(reader);
        } else {
            code = read_point(reader, node_of(reader, pair->value), name, point, false);
        }
    }
    return code < 0 ? code : note_points(reader, axis, node);
}

/* Opens an input, so that a wrong one is refused before the first run. */
static int check_input(reader *reader, const yaml_node_t *node, const char *input)
{
    gm_source *source = NULL;
    gm_error inner = {0};
    int code = gm_cli_open_source(&source, input, &inner);
    if (code < 0) {
        return gm_fail(reader->error, code, "%s:%zu: %s", reader->file, line_of(node), inner.text);
    }
    gm_source_close(source);
    return 0;
}

/* Refuses options that the sweep gives itself, and those that name one file for all runs. */
static int check_option(reader *reader, const yaml_node_t *node, const char *option)
{
    static const struct {
        const char *name, *reason;
    } refused[] = {
        {"json", "the sweep gives it"},
        {"quiet", "the sweep gives it"},
        {"checkpoint", "the sweep gives it: --checkpoint-every"},
        {"resume", "the sweep gives it: --checkpoint-every"},
        {"help", "is no run"},
        {"csv", "every run would write the same file"},
        {"series", "every run would write the same file"},
        {"write-profile", "every run would write the same file"},
        {"preset", "belongs under set, grid, zip or list"},
        {"config", "belongs under set, grid, zip or list"},
        {"set", "belongs under set, grid, zip or list"},
        {"engine", "belongs under set, grid, zip or list"},
    };
    size_t length = strcspn(option, "=");
    if (strncmp(option, "--", 2) != 0) {
        return refuse(reader, node, option, "an option of goldmem run that begins with --");
    }
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *name = refused[i].name;
        if (strlen(name) == length - 2 && strncmp(option + 2, name, length - 2) == 0) {
            return gm_fail(reader->error, -EINVAL, "%s:%zu: options: --%s: %s", reader->file,
                           line_of(node), name, refused[i].reason);
        }
    }
    return 0;
}

/* Reads a list of texts, each checked by `check`. */
static int read_texts(reader *reader, const yaml_node_t *node, const char *where, json_t *texts,
                      int (*check)(struct reader *reader, const yaml_node_t *node,
                                   const char *text))
{
    if (node->type != YAML_SEQUENCE_NODE || items_of(node) == 0) {
        return refuse(reader, node, where, "a list");
    }
    for (size_t i = 0; i < items_of(node); i++) {
        const yaml_node_t *item = node_of(reader, node->data.sequence.items.start[i]);
        const char *text = text_of(item);
        if (text == NULL || text[0] == '\0') {
            return refuse(reader, item, where, "a list of texts");
        }
        int code = check(reader, item, text);
        if (code < 0) {
            return code;
        }
        if (json_array_append_new(texts, json_string(text)) != 0) {
            return out_of_memory(reader);
        }
    }
    return 0;
}

static int read_section(reader *reader, section section, const yaml_node_t *node)
{
    switch (section) {
    case INPUTS:
        return read_texts(reader, node, "inputs", reader->inputs, check_input);
    case OPTIONS:
        return read_texts(reader, node, "options", reader->options, check_option);
    case SET:
        return read_point(reader, node, "set", reader->constants, true);
    case LIST:
        return read_list(reader, node);
    case ZIP:
        return read_zips(reader, node);
    case GRID:
        return read_grid(reader, node);
    case SECTIONS:
        break;
    }
    return 0;
}

/* Finds the sections of the file's mapping. */
static int find_sections(reader *reader, const yaml_node_t *root,
                         const yaml_node_t *found[SECTIONS])
{
    for (size_t i = 0; i < pairs_of(root); i++) {
        const yaml_node_pair_t *pair = &root->data.mapping.pairs.start[i];
        const yaml_node_t *key = node_of(reader, pair->key);
        const char *name = text_of(key);
        unsigned at = 0;
        while (at < SECTIONS && (name == NULL || strcmp(section_names[at], name) != 0)) {
            at++;
        }
        if (at == SECTIONS) {
            return gm_fail(reader->error, -EINVAL,
                           "%s:%zu: %.64s: no such section; there are inputs, set, list, zip, grid "
                           "and options",
                           reader->file, line_of(key), name != NULL ? name : "mapping");
        }
        if (found[at] != NULL) {
            return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: given twice", reader->file,
                           line_of(key), name);
        }
        found[at] = node_of(reader, pair->value);
    }
    return 0;
}

static int read_sections(reader *reader)
{
    const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    if (root == NULL || root->type != YAML_MAPPING_NODE) {
        return gm_fail(reader->error, -EINVAL,
                       "%s:1: must be a mapping, such as {inputs: [workload:spmv], grid: {l1.ways: "
                       "[4, 8]}}",
                       reader->file);
    }
    const yaml_node_t *found[SECTIONS] = {NULL};
    int code = find_sections(reader, root, found);
    for (unsigned i = 0; code == 0 && i < SECTIONS; i++) {
        code = found[i] != NULL ? read_section(reader, i, found[i]) : 0;
    }
    if (code == 0 && found[INPUTS] == NULL) {
        return gm_fail(reader->error, -EINVAL, "%s: inputs: lacks", reader->file);
    }
    return code;
}

/* Appends the names that vary to the sweep's columns, in the order of the axes. */
static int list_columns(const reader *reader, gm_sweep *sweep)
{
    json_t *listed = json_object();
    int failed = listed == NULL;
    for (size_t i = 0; i < reader->axes; i++) {
        for (size_t k = 0; k < json_array_size(reader->axis[i]); k++) {
            const char *name;
            json_t *value;
            json_object_foreach(json_array_get(reader->axis[i], k), name, value)
            {
                bool new = strcmp(name, point_name) != 0 && json_object_get(listed, name) == NULL;
                failed |= new && (json_object_set_new(listed, name, json_true()) != 0 ||
                                  json_array_append_new(sweep->columns, json_string(name)) != 0);
                sweep->has_points |= strcmp(name, point_name) == 0;
            }
        }
    }
    json_decref(listed);
    return failed ? out_of_memory(reader) : 0;
}

/* Returns the value of a column that is in force, as reports have it; of a key that cannot be set
 * the text given. */
static json_t *value_in_force(const gm_config *config, const json_t *point, const char *name)
{
    const json_t *given = json_object_get(point, name);
    const gm_key *key = gm_config_find(name);
    if (key == NULL) {
        return given != NULL ? json_string(json_string_value(given)) : json_null();
    }
    return gm_json_config_value(config, key);
}

/* Sets a configuration as a run does. Failures of single keys were refused before. */
static void configure(gm_config *config, json_t *point)
{
    gm_error ignored;
    const char *preset = json_string_value(json_object_get(point, "preset"));
    const char *file = json_string_value(json_object_get(point, "config"));
    gm_config_defaults(config);
    if (file != NULL) {
        gm_import import = {0};
        gm_config_read(config, file, &import, &ignored);
        gm_import_free(&import);
    } else {
        gm_config_preset(config, preset != NULL ? preset : "gtx480", &ignored);
    }
    const char *name;
    json_t *value;
    json_object_foreach(point, name, value)
    {
        if (gm_config_find(name) != NULL) {
            gm_config_set(config, name, json_string_value(value), &ignored);
        }
    }
}

/* Appends a text to an array. Returns 0 if it could. */
static int append_text(json_t *array, const char *before, const char *name, const char *value)
{
    char *text = NULL;
    if (asprintf(&text, "%s%s%s%s", before, name, value[0] != '\0' ? "=" : "", value) < 0) {
        return -1;
    }
    int failed = json_array_append_new(array, json_string(text));
    free(text);
    return failed;
}

/* Writes the arguments of goldmem run for a point. */
static int write_arguments(const reader *reader, gm_sweep_run *run, json_t *point,
                           const char *input)
{
    bool threads = false;
    int failed = (run->argument = json_array()) == NULL;
    for (size_t i = 0; i < json_array_size(reader->options); i++) {
        const char *option = json_string_value(json_array_get(reader->options, i));
        threads |= strncmp(option, "--threads=", 10) == 0;
        failed |= append_text(run->argument, "", option, "");
    }
    if (!threads) { /* runs beside one another use the processors better than threads of one */
        failed |= append_text(run->argument, "--", "threads", "1");
    }
    const char *name;
    json_t *value;
    json_object_foreach(point, name, value)
    {
        const char *text = json_string_value(value);
        if (is_plain_option(name)) {
            failed |= append_text(run->argument, "--", name, text);
        } else if (strcmp(name, point_name) != 0) {
            failed |= append_text(run->argument, "--set=", name, text);
        }
    }
    failed |= json_array_append_new(run->argument, json_string(input));
    return failed;
}

/* Makes a run of an input and a point. */
static int make_run(const reader *reader, const gm_sweep *sweep, gm_sweep_run *run, json_t *point,
                    const char *input)
{
    gm_config config;
    configure(&config, point);
    run->machine = gm_sweep_hash_machine(&config);
    int failed = write_arguments(reader, run, point, input);
    failed |= (run->keys = json_object()) == NULL;
    for (size_t i = 0; i < json_array_size(sweep->columns); i++) {
        const char *name = json_string_value(json_array_get(sweep->columns, i));
        failed |= json_object_set_new(run->keys, name, value_in_force(&config, point, name));
    }
    return failed ? out_of_memory(reader) : 0;
}

/* Adds the members of axis points of combination `number`, whose last axis varies fastest. */
static int combine(const reader *reader, json_t *point, size_t number, gm_sweep_run *run)
{
    const char *list_point = NULL;
    size_t digit[MOST_AXES];
    for (size_t i = reader->axes; i-- > 0;) {
        size_t points = json_array_size(reader->axis[i]);
        digit[i] = number % points;
        number /= points;
    }
    int failed = json_object_update(point, reader->constants);
    for (size_t i = 0; i < reader->axes; i++) {
        json_t *chosen = json_array_get(reader->axis[i], digit[i]);
        const char *name = json_string_value(json_object_get(chosen, point_name));
        failed |= json_object_update(point, chosen);
        list_point = name != NULL ? name : list_point;
    }
    failed |= list_point != NULL && (run->point = strdup(list_point)) == NULL;
    return failed ? out_of_memory(reader) : 0;
}

/* Makes all runs. */
static int make_runs(const reader *reader, gm_sweep *sweep)
{
    size_t combinations = 1;
    size_t inputs = json_array_size(reader->inputs);
    for (size_t i = 0; i < reader->axes && combinations <= GM_SWEEP_RUNS; i++) {
        combinations *= json_array_size(reader->axis[i]);
    }
    if (combinations * inputs > GM_SWEEP_RUNS) {
        return gm_fail(reader->error, -EINVAL, "%s: more than %d runs", reader->file,
                       GM_SWEEP_RUNS);
    }
    sweep->run = calloc(combinations * inputs, sizeof *sweep->run);
    if (sweep->run == NULL) {
        return out_of_memory(reader);
    }
    int code = list_columns(reader, sweep);
    for (size_t i = 0; code == 0 && i < combinations * inputs; i++) {
        const char *input = json_string_value(json_array_get(reader->inputs, i / combinations));
        gm_sweep_run *run = &sweep->run[sweep->runs++];
        json_t *point = json_object();
        code =
            point == NULL ? out_of_memory(reader) : combine(reader, point, i % combinations, run);
        code = code < 0 ? code : make_run(reader, sweep, run, point, input);
        json_decref(point);
    }
    return code;
}

static int parse_file(reader *reader)
{
    FILE *file = fopen(reader->file, "rb");
    if (file == NULL) {
        return gm_fail_errno(reader->error, reader->file);
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        fclose(file);
        return out_of_memory(reader);
    }
    yaml_parser_set_input_file(&parser, file);
    int code = 0;
    if (!yaml_parser_load(&parser, &reader->document)) {
        code = ferror(file) ? gm_fail_errno(reader->error, reader->file)
                            : gm_fail(reader->error, -EINVAL, "%s:%zu: not YAML: %s", reader->file,
                                      parser.problem_mark.line + 1,
                                      parser.problem != NULL ? parser.problem : "?");
    }
    yaml_parser_delete(&parser);
    fclose(file);
    return code;
}

int gm_sweep_read(gm_sweep *sweep, const char *file, gm_error *error)
{
    *sweep = (gm_sweep){.file = file, .columns = json_array()};
    reader reader = {.file = file,
                     .inputs = json_array(),
                     .options = json_array(),
                     .constants = json_object(),
                     .seen = json_object(),
                     .error = error};
    gm_config_defaults(&reader.scratch);
    bool empty = sweep->columns == NULL || reader.inputs == NULL || reader.options == NULL ||
                 reader.constants == NULL || reader.seen == NULL;
    int code = empty ? out_of_memory(&reader) : parse_file(&reader);
    if (code == 0) {
        code = read_sections(&reader);
        code = code < 0 ? code : make_runs(&reader, sweep);
        yaml_document_delete(&reader.document);
    }
    for (size_t i = 0; i < reader.axes; i++) {
        json_decref(reader.axis[i]);
    }
    json_decref(reader.inputs);
    json_decref(reader.options);
    json_decref(reader.constants);
    json_decref(reader.seen);
    return code;
}

void gm_sweep_free(gm_sweep *sweep)
{
    for (size_t i = 0; i < sweep->runs; i++) {
        json_decref(sweep->run[i].keys);
        json_decref(sweep->run[i].argument);
        free(sweep->run[i].point);
    }
    free(sweep->run);
    json_decref(sweep->columns);
    *sweep = (gm_sweep){0};
}

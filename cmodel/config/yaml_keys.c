/* Files of keys in YAML: checks libyaml's events against a table of keys. A file is one mapping of
 * sections, each a mapping of keys to scalars. */
#include "config/yaml_keys.h"

#include "goldmem/nearest.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <yaml.h>

enum { LONGEST_NAME = 63 }; /* "section.key" */

/* A file being read. */
typedef struct reader {
    yaml_parser_t parser;
    const char *name; /* of the file, in messages */
    const char *text; /* of the file */
    size_t length;
    const gm_yaml_table *table;
    gm_error *error;
    /* Lines that gave each key of the table, and the section that each first key begins; 0: not
     * given yet */
    size_t *lines, *section_lines;
    struct {
        char name[LONGEST_NAME + 1];
        size_t line;
    } section;
} reader;

static const char *key_name(const gm_yaml_table *table, unsigned i)
{
    return *(const char *const *)((const char *)table->names + i * table->stride);
}

/* Returns the line of an event, from 1 (libyaml counts from 0). */
static size_t line_of(const yaml_event_t *event)
{
    return event->start_mark.line + 1;
}

static int fail_parser(const reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR) {
        return gm_fail(reader->error, -ENOMEM, "%s: out of memory", reader->name);
    }
    const char *problem = parser->problem != NULL ? parser->problem : "not YAML";
    size_t line = parser->problem_mark.line + 1;
    if (parser->error == YAML_READER_ERROR) { /* this error has no mark, but an offset in bytes */
        line = 1;
        for (size_t i = 0; i < parser->problem_offset && i < reader->length; i++) {
            line += reader->text[i] == '\n';
        }
    }
    return gm_fail(reader->error, -EINVAL, "%s:%zu: not YAML: %s", reader->name, line, problem);
}

/* Returns the name of a YAML feature that a file of keys may not use, or NULL. */
static const char *unwanted(const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;
    if (event->type == YAML_ALIAS_EVENT) {
        return "an alias (*name)";
    }
    if (event->type == YAML_SEQUENCE_START_EVENT) {
        return "a list";
    }
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor != NULL) {
        return "an anchor (&name)";
    }
    return tag != NULL ? "a tag (!name)" : NULL;
}

/* Reads the next event. Returns -EINVAL for a type that a file of keys may not hold. The caller
 * deletes the event. */
static int next_event(reader *reader, yaml_event_t *event)
{
    if (!yaml_parser_parse(&reader->parser, event)) {
        return fail_parser(reader);
    }
    const char *wrong = unwanted(event);
    if (wrong != NULL) {
        int code = gm_fail(reader->error, -EINVAL, "%s:%zu: %s has no meaning in %s", reader->name,
                           line_of(event), wrong, reader->table->what);
        yaml_event_delete(event);
        return code;
    }
    return 0;
}

/* Returns a scalar's text, or NULL if it contains a NUL. */
static const char *text_of(const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    return strlen(text) == event->data.scalar.length ? text : NULL;
}

/* Returns the full name of the key that the event names in the current section, or NULL with the
 * error set. */
static const char *find_key(reader *reader, const yaml_event_t *event)
{
    const gm_yaml_table *table = reader->table;
    char name[2 * LONGEST_NAME + 2];
    if (event->type != YAML_SCALAR_EVENT || text_of(event) == NULL) {
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s: expected a key", reader->name, line_of(event),
                reader->section.name);
        return NULL;
    }
    snprintf(name, sizeof name, "%s.%.*s", reader->section.name, LONGEST_NAME, text_of(event));
    unsigned key = 0;
    while (key < table->count && strcmp(key_name(table, key), name) != 0) {
        key++;
    }
    if (key == table->count) {
        gm_error inner = {0};
        table->set(table->into, name, "", &inner); /* for its message */
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s", reader->name, line_of(event), inner.text);
        return NULL;
    }
    size_t *given = &reader->lines[key];
    if (*given != 0) {
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s: given before, in line %zu", reader->name,
                line_of(event), name, *given);
        return NULL;
    }
    *given = line_of(event);
    return key_name(table, key);
}

static int set_value(reader *reader, const yaml_event_t *event, const char *key)
{
    if (event->type != YAML_SCALAR_EVENT) {
        return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: must be one value, not a mapping",
                       reader->name, line_of(event), key);
    }
    const gm_yaml_table *table = reader->table;
    const char *text = text_of(event);
    gm_error inner = {0};
    int code = table->set(table->into, key, text != NULL ? text : "", &inner);
    if (code < 0) {
        return gm_fail(reader->error, code, "%s:%zu: %s", reader->name, line_of(event), inner.text);
    }
    return 0;
}

/* Reads the keys of one section, after its mapping has started. */
static int read_section(reader *reader)
{
    for (unsigned keys = 0;; keys++) {
        yaml_event_t event;
        int code = next_event(reader, &event);
        if (code < 0) {
            return code;
        }
        if (event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return keys > 0 ? 0
                            : gm_fail(reader->error, -EINVAL, "%s:%zu: %s: has no keys",
                                      reader->name, reader->section.line, reader->section.name);
        }
        const char *key = find_key(reader, &event);
        yaml_event_delete(&event);
        if (key == NULL) {
            return -EINVAL;
        }
        code = next_event(reader, &event);
        if (code == 0) {
            code = set_value(reader, &event, key);
            yaml_event_delete(&event);
        }
        if (code < 0) {
            return code;
        }
    }
}

/* Returns the number of the section's first key, or the table's count. */
static unsigned find_section(const gm_yaml_table *table, const char *name)
{
    size_t length = strlen(name);
    unsigned i = 0;
    while (i < table->count &&
           (strncmp(key_name(table, i), name, length) != 0 || key_name(table, i)[length] != '.')) {
        i++;
    }
    return i;
}

/* Writes the sections of the table: "l1, l2, ...". */
static void list_sections(const gm_yaml_table *table, char *text, size_t size)
{
    size_t used = 0;
    size_t before = 0; /* length of the section listed last */
    text[0] = '\0';
    for (unsigned i = 0; i < table->count && used < size - 1; i++) {
        const char *name = key_name(table, i);
        size_t length = strcspn(name, ".");
        if (i == 0 || length != before || strncmp(name, key_name(table, i - 1), length) != 0) {
            snprintf(text + used, size - used, "%s%.*s", i == 0 ? "" : ", ", (int)length, name);
            used += strlen(text + used);
        }
        before = length;
    }
}

/* Enters a section. Returns -EINVAL unless the event names one. */
static int enter_section(reader *reader, const yaml_event_t *event)
{
    const gm_yaml_table *table = reader->table;
    const char *name = event->type == YAML_SCALAR_EVENT ? text_of(event) : NULL;
    unsigned first = name != NULL ? find_section(table, name) : table->count;
    if (first == table->count) {
        const char *key =
            name != NULL ? gm_nearest(name, table->names, table->count, table->stride) : NULL;
        size_t length = key != NULL ? strcspn(key, ".") : 0;
        if (key != NULL) {
            return gm_fail(reader->error, -EINVAL,
                           "%s:%zu: %.64s: no such section; write %s as %.*s: {%s: VALUE}",
                           reader->name, line_of(event), name, key, (int)length, key,
                           key + length + 1);
        }
        char sections[160];
        list_sections(table, sections, sizeof sections);
        return gm_fail(reader->error, -EINVAL, "%s:%zu: %.64s: no such section; there are %s",
                       reader->name, line_of(event), name != NULL ? name : "mapping", sections);
    }
    size_t *given = &reader->section_lines[first];
    if (*given != 0) {
        return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: given before, in line %zu",
                       reader->name, line_of(event), name, *given);
    }
    *given = line_of(event);
    snprintf(reader->section.name, sizeof reader->section.name, "%s", name);
    reader->section.line = line_of(event);
    return 0;
}

/* Reads the sections, after the outer mapping has started. */
static int read_sections(reader *reader)
{
    for (;;) {
        yaml_event_t event;
        int code = next_event(reader, &event);
        if (code < 0) {
            return code;
        }
        if (event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return 0;
        }
        code = enter_section(reader, &event);
        yaml_event_delete(&event);
        if (code < 0) {
            return code;
        }
        code = next_event(reader, &event);
        if (code < 0) {
            return code;
        }
        bool mapping = event.type == YAML_MAPPING_START_EVENT;
        size_t line = line_of(&event);
        yaml_event_delete(&event);
        if (!mapping) {
            return gm_fail(reader->error, -EINVAL,
                           "%s:%zu: %s: must be a mapping of keys to values", reader->name, line,
                           reader->section.name);
        }
        code = read_section(reader);
        if (code < 0) {
            return code;
        }
    }
}

/* Reads the next event. Returns -EINVAL unless it is of this type. */
static int expect(reader *reader, yaml_event_type_t type, const char *message)
{
    yaml_event_t event;
    int code = next_event(reader, &event);
    if (code < 0) {
        return code;
    }
    if (event.type != type) {
        code =
            gm_fail(reader->error, -EINVAL, "%s:%zu: %s", reader->name, line_of(&event), message);
    }
    yaml_event_delete(&event);
    return code;
}

static int read_stream(reader *reader)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "expected sections with keys, such as %s",
             reader->table->example);
    int code = expect(reader, YAML_STREAM_START_EVENT, wanted);
    code = code == 0 ? expect(reader, YAML_DOCUMENT_START_EVENT, wanted) : code;
    code = code == 0 ? expect(reader, YAML_MAPPING_START_EVENT, wanted) : code;
    code = code == 0 ? read_sections(reader) : code;
    code = code == 0 ? expect(reader, YAML_DOCUMENT_END_EVENT, wanted) : code;
    code = code == 0 ? expect(reader, YAML_STREAM_END_EVENT, "a second document") : code;
    return code;
}

int gm_yaml_read_keys(const gm_yaml_table *table, const char *name, const char *text, size_t length,
                      gm_error *error)
{
    size_t lines[2][table->count];
    memset(lines, 0, sizeof lines);
    reader reader = {.name = name,
                     .text = text,
                     .length = length,
                     .table = table,
                     .error = error,
                     .lines = lines[0],
                     .section_lines = lines[1]};
    if (!yaml_parser_initialize(&reader.parser)) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", name);
    }
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, length);
    int code = read_stream(&reader);
    yaml_parser_delete(&reader.parser);
    return code;
}

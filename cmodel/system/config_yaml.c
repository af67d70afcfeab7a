/* Configuration from and to YAML: libyaml's events against the table of keys. A file is one mapping
 * of sections, each a mapping of keys to scalars. */
#include "goldmem/config.h"

#include <errno.h>
#include <string.h>
#include <yaml.h>

enum { LONGEST_NAME = 63 }; /* "section.key" */

/* Where the reader is. */
typedef struct reader {
    yaml_parser_t parser;
    const char *name; /* of the file, in messages */
    const char *text; /* of the file */
    size_t length;
    gm_config *config;
    gm_error *error;
    /* Lines where each key of the table, and the section of that first key, was given; 0: not yet
     */
    size_t *lines, *section_lines;
    struct {
        char name[LONGEST_NAME + 1];
        size_t line;
    } section;
} reader;

/* Lines count from 1, libyaml's from 0. */
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
    if (parser->error == YAML_READER_ERROR) { /* it has no mark, but an offset in bytes */
        line = 1;
        for (size_t i = 0; i < parser->problem_offset && i < reader->length; i++) {
            line += reader->text[i] == '\n';
        }
    }
    return gm_fail(reader->error, -EINVAL, "%s:%zu: not YAML: %s", reader->name, line, problem);
}

/* What a configuration has no use for, or NULL. */
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

/* The next event, of any type that a configuration may hold; the caller deletes it. */
static int next_event(reader *reader, yaml_event_t *event)
{
    if (!yaml_parser_parse(&reader->parser, event)) {
        return fail_parser(reader);
    }
    const char *wrong = unwanted(event);
    if (wrong != NULL) {
        int code = gm_fail(reader->error, -EINVAL, "%s:%zu: %s has no meaning in a configuration",
                           reader->name, line_of(event), wrong);
        yaml_event_delete(event);
        return code;
    }
    return 0;
}

/* A scalar's text, when it has no NUL inside; NULL otherwise. */
static const char *text_of(const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    return strlen(text) == event->data.scalar.length ? text : NULL;
}

/* The table's row of the key that the event names in the current section; NULL after an error. */
static const gm_key *find_key(reader *reader, const yaml_event_t *event)
{
    char name[2 * LONGEST_NAME + 2];
    if (event->type != YAML_SCALAR_EVENT || text_of(event) == NULL) {
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s: expected a key", reader->name, line_of(event),
                reader->section.name);
        return NULL;
    }
    snprintf(name, sizeof name, "%s.%.*s", reader->section.name, LONGEST_NAME, text_of(event));
    const gm_key *key = gm_config_find(name);
    if (key == NULL) {
        gm_error inner = {0};
        gm_config_set(reader->config, name, "", &inner); /* for its message */
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s", reader->name, line_of(event), inner.text);
        return NULL;
    }
    unsigned count = 0;
    size_t *given = &reader->lines[key - gm_config_keys(&count)];
    if (*given != 0) {
        gm_fail(reader->error, -EINVAL, "%s:%zu: %s: given before, in line %zu", reader->name,
                line_of(event), name, *given);
        return NULL;
    }
    *given = line_of(event);
    return key;
}

static int set_value(reader *reader, const yaml_event_t *event, const gm_key *key)
{
    if (event->type != YAML_SCALAR_EVENT) {
        return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: must be one value, not a mapping",
                       reader->name, line_of(event), key->name);
    }
    const char *text = text_of(event);
    gm_error inner = {0};
    int code = gm_config_set(reader->config, key->name, text != NULL ? text : "", &inner);
    if (code < 0) {
        return gm_fail(reader->error, code, "%s:%zu: %s", reader->name, line_of(event), inner.text);
    }
    return 0;
}

/* The keys of one section, after its mapping has started. */
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
        const gm_key *key = find_key(reader, &event);
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

/* The row of the section's first key, or NULL. */
static const gm_key *find_section(const char *name)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    size_t length = strlen(name);
    for (unsigned i = 0; i < count; i++) {
        if (strncmp(keys[i].name, name, length) == 0 && keys[i].name[length] == '.') {
            return &keys[i];
        }
    }
    return NULL;
}

/* "l1, l2, ...": the sections of the table. */
static void list_sections(char *text, size_t size)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    size_t used = 0;
    size_t before = 0; /* length of the section listed last */
    text[0] = '\0';
    for (unsigned i = 0; i < count && used < size - 1; i++) {
        size_t length = strcspn(keys[i].name, ".");
        if (i == 0 || length != before || strncmp(keys[i].name, keys[i - 1].name, length) != 0) {
            snprintf(text + used, size - used, "%s%.*s", i == 0 ? "" : ", ", (int)length,
                     keys[i].name);
            used += strlen(text + used);
        }
        before = length;
    }
}

/* The event must name a section. */
static int enter_section(reader *reader, const yaml_event_t *event)
{
    const char *name = event->type == YAML_SCALAR_EVENT ? text_of(event) : NULL;
    const gm_key *first = name != NULL ? find_section(name) : NULL;
    if (first == NULL) {
        const gm_key *key = name != NULL ? gm_config_nearest(name) : NULL;
        size_t length = key != NULL ? strcspn(key->name, ".") : 0;
        if (key != NULL) {
            return gm_fail(reader->error, -EINVAL,
                           "%s:%zu: %.64s: no such section; write %s as %.*s: {%s: VALUE}",
                           reader->name, line_of(event), name, key->name, (int)length, key->name,
                           key->name + length + 1);
        }
        char sections[128];
        list_sections(sections, sizeof sections);
        return gm_fail(reader->error, -EINVAL, "%s:%zu: %.64s: no such section; there are %s",
                       reader->name, line_of(event), name != NULL ? name : "mapping", sections);
    }
    unsigned count = 0;
    size_t *given = &reader->section_lines[first - gm_config_keys(&count)];
    if (*given != 0) {
        return gm_fail(reader->error, -EINVAL, "%s:%zu: %s: given before, in line %zu",
                       reader->name, line_of(event), name, *given);
    }
    *given = line_of(event);
    snprintf(reader->section.name, sizeof reader->section.name, "%s", name);
    reader->section.line = line_of(event);
    return 0;
}

/* The sections, after the outer mapping has started. */
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

/* The next event must be of this type. */
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
    static const char wanted[] = "expected sections with keys, such as l1: {ways: 4}";
    int code = expect(reader, YAML_STREAM_START_EVENT, wanted);
    code = code == 0 ? expect(reader, YAML_DOCUMENT_START_EVENT, wanted) : code;
    code = code == 0 ? expect(reader, YAML_MAPPING_START_EVENT, wanted) : code;
    code = code == 0 ? read_sections(reader) : code;
    code = code == 0 ? expect(reader, YAML_DOCUMENT_END_EVENT, wanted) : code;
    code = code == 0 ? expect(reader, YAML_STREAM_END_EVENT, "a second document") : code;
    return code;
}

int gm_config_read_yaml(gm_config *config, const char *name, const char *text, size_t length,
                        gm_error *error)
{
    unsigned count = 0;
    gm_config_keys(&count);
    size_t lines[2][count];
    memset(lines, 0, sizeof lines);
    gm_config filled = *config; /* *config changes only when all is well */
    reader reader = {.name = name,
                     .text = text,
                     .length = length,
                     .config = &filled,
                     .error = error,
                     .lines = lines[0],
                     .section_lines = lines[1]};
    if (!yaml_parser_initialize(&reader.parser)) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", name);
    }
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, length);
    int code = read_stream(&reader);
    yaml_parser_delete(&reader.parser);
    if (code == 0) {
        snprintf(filled.preset.name, sizeof filled.preset.name, "%s", name);
        *config = filled;
    }
    return code;
}

/* Single-quoted where the text is not a plain word: '' stands for ' inside. */
static void write_scalar(const char *text, FILE *file)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (strspn(text, plain) == strlen(text)) {
        fputs(text, file);
        return;
    }
    putc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            putc('\'', file);
        }
        putc(*text, file);
    }
    putc('\'', file);
}

int gm_config_write_yaml(const gm_config *config, FILE *file)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    const char *section = "";
    for (unsigned i = 0; i < count; i++) {
        size_t length = strcspn(keys[i].name, ".");
        if (strncmp(section, keys[i].name, length + 1) != 0) {
            section = keys[i].name;
            fprintf(file, "%.*s:\n", (int)length, section);
        }
        char value[GM_CONFIG_TEXT];
        gm_config_get(config, &keys[i], value, sizeof value);
        fprintf(file, "  %s: ", keys[i].name + length + 1);
        write_scalar(value, file);
        putc('\n', file);
    }
    return ferror(file) ? -EIO : 0;
}

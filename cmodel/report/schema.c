/* JSON Schema of the JSON report: every member by its name, with unit and meaning, from the tables
 * of keys and counters. */
#include "goldmem/energy.h"
#include "goldmem/report.h"
#include "report/fields.h"
#include "report/json_sample.h"

#include <jansson.h>
#include <string.h>

/* Returns an object's schema without members, which allows no others. */
static json_t *object_schema(void)
{
    return json_pack("{s:s, s:{}, s:b}", "type", "object", "properties", "additionalProperties", 0);
}

/* Returns {"type": TYPE, "description": ...}; a count is not negative. */
static json_t *value_schema(const char *type, const char *unit, const char *meaning)
{
    char text[640];
    snprintf(text, sizeof text, "%s%s%s", unit, unit[0] != '\0' ? ": " : "", meaning);
    json_t *value = json_pack("{s:s, s:s}", "type", type, "description", text);
    if (strcmp(type, "integer") == 0) {
        json_object_set_new(value, "minimum", json_integer(0));
    }
    return value;
}

/* Adds a member, at a path with a dot for each level, to an object's schema. */
static int add(json_t *schema, const char *path, json_t *value)
{
    const char *dot = strchr(path, '.');
    json_t *members = json_object_get(schema, "properties");
    if (dot == NULL) {
        return json_object_set_new(members, path, value);
    }
    size_t length = (size_t)(dot - path);
    json_t *inner = json_object_getn(members, path, length);
    if (inner == NULL) {
        inner = object_schema();
        if (json_object_setn_new(members, path, length, inner) != 0) {
            json_decref(value);
            return -1;
        }
    }
    return add(inner, dot + 1, value);
}

/* Adds each counter of some sections. */
static int add_counters(json_t *schema, gm_section_set sections)
{
    int bad = 0;
    unsigned count = 0;
    const gm_field_group *groups = gm_field_groups(&count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; (sections >> groups[i].section & 1u) && k < groups[i].count; k++) {
            const gm_field *field = &groups[i].fields[k];
            char name[GM_FIELD_NAME];
            gm_field_name(&groups[i], field, name);
            bad |= add(schema, name, value_schema("integer", field->unit, field->meaning));
        }
    }
    return bad;
}

static json_t *reference(const char *definition)
{
    char path[64];
    snprintf(path, sizeof path, "#/$defs/%s", definition);
    return json_pack("{s:s}", "$ref", path);
}

static json_t *array_of(json_t *items)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

/* Returns the schema of `config`: every key, with the values that it accepts. */
static json_t *config_schema(void)
{
    json_t *schema = object_schema();
    json_t *required = json_array();
    int bad = 0;
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; i < count; i++) {
        const gm_key *key = &keys[i];
        bool number = key->type == GM_KEY_INTEGER || key->type == GM_KEY_SIZE;
        const char *type = key->type == GM_KEY_BOOLEAN ? "boolean" : number ? "integer" : "string";
        json_t *value = value_schema(type, key->unit, key->description);
        if (number && key->special != NULL) {
            bad |= json_object_set_new(
                value, "anyOf",
                json_pack("[{s:s}, {s:s}]", "type", "integer", "const", key->special));
            bad |= json_object_del(value, "type");
        }
        if (key->type == GM_KEY_CHOICE) {
            json_t *choices = json_array();
            for (const char *at = key->choices; at != NULL;) {
                const char *end = strchr(at, '|');
                size_t length = end == NULL ? strlen(at) : (size_t)(end - at);
                bad |= json_array_append_new(choices, json_stringn(at, length));
                at = end == NULL ? NULL : end + 1;
            }
            bad |= json_object_set_new(value, "enum", choices);
        }
        bad |= json_object_set_new(json_object_get(schema, "properties"), key->name, value);
        bad |= json_array_append_new(required, json_string(key->name));
    }
    bad |= json_object_set_new(schema, "required", required);
    return bad == 0 ? schema : NULL;
}

/* Returns the schema of an object that has the counters of `statistics` and members of its own. */
static json_t *unit_schema(void)
{
    return json_pack("{s:s, s:s, s:{}, s:b}", "type", "object", "$ref", "#/$defs/statistics",
                     "properties", "unevaluatedProperties", 0);
}

/* Returns the schema of one of `per_sm` and the like. */
static json_t *numbered_schema(const char *number)
{
    json_t *schema = unit_schema();
    int bad = add(schema, number, value_schema("integer", "", "its number"));
    bad |= json_object_set_new(schema, "required", json_pack("[s]", number));
    return bad == 0 ? schema : NULL;
}

/* Returns the schema of a kernel's l2_sets. */
static json_t *sets_schema(void)
{
    json_t *schema = object_schema();
    int bad = add(schema, "ways", value_schema("integer", "", "of a set"));
#define CLASS(name, meaning)                                                                       \
    bad |= add(schema, #name, array_of(value_schema("integer", "lines", meaning)));
    GM_SET_CLASSES(CLASS)
#undef CLASS
    bad |=
        json_object_set_new(schema, "required", json_pack("[s, s, s]", "ways", "lines", "dirty"));
    return bad == 0 ? schema : NULL;
}

static json_t *kernel_schema(void)
{
    json_t *schema = unit_schema();
    int bad = add(schema, "number", value_schema("integer", "", "with --kernels: in the input"));
    bad |= add(schema, "name", value_schema("string", "", "of its function"));
    bad |= add(schema, "id", value_schema("integer", "", "in the trace, or of the launch"));
    bad |= add(schema, "grid", reference("three"));
    bad |= add(schema, "block", reference("three"));
    bad |= add(schema, "analysis", reference("numbers"));
    bad |= add(schema, "l2_sets", sets_schema());
    bad |= add(schema, "sample", gm_json_sample_schema());
    bad |= add(schema, "per_sm", array_of(numbered_schema("sm")));
    bad |= json_object_set_new(schema, "required",
                               json_pack("[s, s, s, s]", "name", "id", "grid", "block"));
    return bad == 0 ? schema : NULL;
}

static json_t *total_schema(void)
{
    json_t *schema = unit_schema();
    int bad = json_object_set_new(schema, "required", json_pack("[s, s, s]", "l1d", "l2", "dram"));
    return bad == 0 ? schema : NULL;
}

/* Returns the schema of `warm_up`. */
static json_t *warm_up_schema(void)
{
    static const char *const kinds[] = {"kernels", "ctas", "instructions"};
    json_t *schema = object_schema();
    int bad = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        bad |= add(schema, kinds[i],
                   value_schema("integer", "", "after which all counters but kernels' begin"));
    }
    return bad == 0 ? schema : NULL;
}

/* Returns the schema of `stopped`. */
static json_t *stopped_schema(void)
{
    json_t *schema = object_schema();
    int bad =
        add(schema, "reason",
            json_pack("{s:[s, s, s]}", "enum", "max_cycles", "max_instructions", "interrupted"));
    bad |= add(schema, "limit", value_schema("integer", "", "that the reason names"));
    bad |= add(schema, "kernel", value_schema("integer", "", "number in the input"));
    bad |= add(schema, "in_kernel", value_schema("boolean", "", "false: before it"));
    bad |= add(schema, "cycles", value_schema("integer", "core cycles", "of the run"));
    return bad == 0 ? schema : NULL;
}

static json_t *chip_schema(void)
{
    json_t *schema = object_schema();
    int bad = 0;
#define PART(name, meaning)                                                                        \
    bad |= add(schema, "area_um2." #name, value_schema("integer", "um^2", meaning));               \
    bad |= add(schema, "leakage_uw." #name, value_schema("integer", "uW", meaning));
    GM_CHIP_PARTS(PART)
#undef PART
    return bad == 0 ? schema : NULL;
}

/* Returns the schema of all counters, and the limits that sampling has found, of the total. */
static json_t *statistics_schema(void)
{
    json_t *schema = object_schema();
    json_t *row = object_schema();
    int bad = add_counters(schema, GM_ALL_SECTIONS);
    bad |= add(row, "kernel", value_schema("string", "", "its name"));
    static const char *const counts[] = {"limit", "launches", "found_in", "cycle"};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        bad |= add(row, counts[i], value_schema("integer", "", "of the limit that was found"));
    }
    bad |= add(schema, "sampling.limits", array_of(row));
    bad |= json_object_del(schema, "additionalProperties"); /* who refers to it adds members */
    return bad == 0 ? schema : NULL;
}

/* Adds what is shared: counters, three sizes, and numbers in any shape (analyses, latencies). */
static int add_definitions(json_t *schema)
{
    json_t *three = json_pack("{s:s, s:{s:s, s:i}, s:i, s:i}", "type", "array", "items", "type",
                              "integer", "minimum", 1, "minItems", 3, "maxItems", 3);
    json_t *numbers =
        json_pack("{s:[{s:s}, {s:s, s:{s:s}}, {s:s, s:{s:s}}]}", "anyOf", "type", "number", "type",
                  "object", "additionalProperties", "$ref", "#/$defs/numbers", "type", "array",
                  "items", "$ref", "#/$defs/numbers");
    return json_object_set_new(schema, "$defs",
                               json_pack("{s:o, s:o, s:o}", "statistics", statistics_schema(),
                                         "three", three, "numbers", numbers));
}

void gm_report_schema(FILE *file)
{
    json_t *schema = object_schema();
    int bad = json_object_set_new(schema, "$schema",
                                  json_string("https://json-schema.org/draft/2020-12/schema"));
    bad |= json_object_set_new(schema, "title", json_string("goldmem run --json"));
    bad |= add_definitions(schema);
    const struct {
        const char *name;
        json_t *schema;
    } members[] = {
        {"schema", json_pack("{s:i}", "const", 1)},
        {"version", value_schema("string", "", "of goldmem")},
        {"engine", json_pack("{s:[s, s]}", "enum", "cycle", "order")},
        {"input", value_schema("string", "", "as given")},
        {"preset", value_schema("string", "", "preset or file of the configuration")},
        {"config", config_schema()},
        {"chip", chip_schema()},
        {"import", json_pack("{s:s}", "type", "object")},
        {"kernels", array_of(kernel_schema())},
        {"total", total_schema()},
        {"per_sm", array_of(numbered_schema("sm"))},
        {"partial", value_schema("boolean", "", "interrupted by a signal")},
        {"stopped", stopped_schema()},
        {"warm_up", warm_up_schema()},
        {"sample", gm_json_sample_schema()},
        {"per_bank", array_of(numbered_schema("bank"))},
        {"per_partition", array_of(numbered_schema("partition"))},
        {"clusters", json_pack("{s:b}", "const", 1)},
        {"unmodelled", reference("numbers")},
        {"unknown", reference("numbers")},
        {"latency", reference("numbers")},
        {"analysis", reference("numbers")},
    };
    for (unsigned i = 0; i < sizeof members / sizeof members[0]; i++) {
        bad |= add(schema, members[i].name, members[i].schema);
    }
    bad |= json_object_set_new(schema, "required",
                               json_pack("[s, s, s, s, s, s, s, s]", "schema", "version", "engine",
                                         "input", "config", "chip", "kernels", "total"));
    if (bad == 0) {
        json_dumpf(schema, file, JSON_INDENT(1));
        fputc('\n', file);
    }
    json_decref(schema);
}

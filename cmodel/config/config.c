/* Configuration: keys to and from text, over the table of config_table.c. */
#include "goldmem/config.h"

#include "config/dram_standard.h"
#include "goldmem/bits.h"
#include "goldmem/nearest.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NAME = 63 }; /* of a key that is looked for; the table's are shorter */

/* Choices are stored as their enum; all enums here have this size. */
typedef unsigned choice;
_Static_assert(sizeof(choice) == sizeof(gm_write_policy), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_fetch_policy), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_l2_bypass), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_l2_dirty), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_replacement), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_l1_kind), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_l1_allocation), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_merge_by), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_l1_answers), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_l1_fetch), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_bank_index), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_tag_index), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_l1_bypass), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_profile_filter), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_coherence_protocol), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_fence_cover), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_merge_rule), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_tc_table), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_dram_standard), "enum size");
_Static_assert(sizeof(choice) == sizeof(gm_dram_refresh), "enum size");

static const struct {
    const char *text;
    bool value;
} booleans[] = {{"yes", true}, {"no", false},  {"true", true},
                {"on", true},  {"off", false}, {"false", false}};

static const struct {
    const char *suffix;
    unsigned shift;
} units[] = {{"GB", 30}, {"MB", 20}, {"KB", 10}, {"B", 0}, /* units that are written and read: */
             {"G", 30},  {"M", 20},  {"K", 10}};

const gm_key *gm_config_find(const char *name)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    name = strcmp(name, "coherence") == 0 ? "coherence.protocol" : name;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

const gm_key *gm_config_nearest(const char *name)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    const char *nearest = gm_nearest(name, &keys[0].name, count, sizeof keys[0]);
    return nearest != NULL ? gm_config_find(nearest) : NULL;
}

/* Writes "a, b or c" from "a|b|c". */
static void list_choices(const char *choices, char *text, size_t size)
{
    size_t used = 0;
    const char *last = strrchr(choices, '|');
    for (const char *c = choices; *c != '\0' && used + 5 < size; c++) {
        if (*c != '|') {
            text[used++] = *c;
        } else {
            const char *separator = c == last ? " or " : ", ";
            memcpy(text + used, separator, strlen(separator));
            used += strlen(separator);
        }
    }
    text[used] = '\0';
}

/* Writes bytes with the largest unit that divides them: "16KB", "128". */
static void write_bytes(uint64_t value, char *text, size_t size)
{
    for (unsigned i = 0; i < sizeof units / sizeof units[0]; i++) {
        unsigned shift = units[i].shift;
        if (shift == 0 || (value != 0 && (value & gm_mask(shift)) == 0)) {
            snprintf(text, size, "%" PRIu64 "%s", value >> shift,
                     shift == 0 ? "" : units[i].suffix);
            return;
        }
    }
}

void gm_config_range(const gm_key *key, char *text, size_t size)
{
    const char *power = key->power_of_two ? "a power of two, " : "";
    const char *special = key->special != NULL ? key->special : "";
    const char * or = key->special != NULL ? ", or " : "";
    char low[32];
    char high[32];
    switch (key->type) {
    case GM_KEY_BOOLEAN:
        snprintf(text, size, "yes or no");
        return;
    case GM_KEY_INTEGER:
        snprintf(text, size, "%s%" PRIu64 " to %" PRIu64 " %s%s%s", power, key->low, key->high,
                 key->unit, or, special);
        return;
    case GM_KEY_SIZE:
        write_bytes(key->low, low, sizeof low);
        write_bytes(key->high, high, sizeof high);
        snprintf(text, size, "%s%s bytes to %s%s%s", power, low, high, or, special);
        return;
    case GM_KEY_SIZES:
        write_bytes(key->high, high, sizeof high);
        snprintf(text, size, "1 to %d ascending sizes of at most %s such as 0,8KB,96KB",
                 GM_CONFIG_SIZES, high);
        return;
    case GM_KEY_CHOICE:
        list_choices(key->choices, text, size);
        return;
    case GM_KEY_INDEX:
        snprintf(text, size, "a set-index function such as sequential, xor, fermi or ipoly:37");
        return;
    case GM_KEY_FILE:
        snprintf(text, size, "a file's name of at most %d printable ASCII characters, or %s",
                 GM_CONFIG_TEXT - 1, special);
        return;
    }
}

/* Reads decimal digits into *value. Returns the first character after them, or NULL without a digit
 * or if the value exceeds 64 bits. */
static const char *read_digits(const char *text, uint64_t *value)
{
    if (*text < '0' || *text > '9') {
        return NULL;
    }
    *value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (*value > (UINT64_MAX - digit) / 10) {
            return NULL;
        }
        *value = *value * 10 + digit;
    }
    return text;
}

static bool read_number(const gm_key *key, const char *text, uint64_t *value)
{
    if (key->special != NULL && strcmp(text, key->special) == 0) {
        *value = UINT64_MAX;
        return true;
    }
    const char *rest = read_digits(text, value);
    if (rest == NULL) {
        return false;
    }
    for (unsigned i = 0; key->type == GM_KEY_SIZE && i < sizeof units / sizeof units[0]; i++) {
        if (strcasecmp(rest, units[i].suffix) == 0) {
            if (*value > UINT64_MAX >> units[i].shift) {
                return false;
            }
            *value <<= units[i].shift;
            rest = "";
        }
    }
    return *rest == '\0' && *value >= key->low && *value <= key->high &&
           (!key->power_of_two || gm_is_power_of_two(*value));
}

/* Reads "0,8KB,16KB". */
static bool read_sizes(const gm_key *key, const char *text, gm_size_list *list)
{
    gm_size_list sizes = {0}; /* equal lists are equal in every byte */
    const gm_key each = {.type = GM_KEY_SIZE, .low = key->low, .high = key->high};
    for (;; text++) {
        char item[32];
        size_t length = strcspn(text, ",");
        uint64_t *size = &sizes.size[sizes.count];
        if (sizes.count == GM_CONFIG_SIZES || length >= sizeof item) {
            return false;
        }
        memcpy(item, text, length);
        item[length] = '\0';
        if (!read_number(&each, item, size) || (sizes.count > 0 && *size <= size[-1])) {
            return false;
        }
        sizes.count++;
        text += length;
        if (*text == '\0') {
            *list = sizes;
            return true;
        }
    }
}

static void write_sizes(const gm_size_list *list, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint64_t i = 0; i < list->count; i++) {
        char item[32];
        write_bytes(list->size[i], item, sizeof item);
        snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ",", item);
        used += strlen(text + used);
    }
}

static bool read_boolean(const char *text, bool *value)
{
    for (unsigned i = 0; i < sizeof booleans / sizeof booleans[0]; i++) {
        if (strcasecmp(text, booleans[i].text) == 0) {
            *value = booleans[i].value;
            return true;
        }
    }
    return false;
}

static bool read_choice(const char *choices, const char *text, choice *value)
{
    size_t length = strlen(text);
    for (choice i = 0;; i++) {
        size_t width = strcspn(choices, "|");
        if (width == length && memcmp(choices, text, length) == 0) {
            *value = i;
            return true;
        }
        if (choices[width] == '\0') {
            return false;
        }
        choices += width + 1;
    }
}

/* Copies a text. The syntax of a set-index function is checked by gm_config_check, which knows the
 * sets; a file is opened when a run needs it. */
static bool read_text(const char *text, char *value)
{
    size_t length = strlen(text);
    if (length == 0 || length >= GM_CONFIG_TEXT) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e) {
            return false;
        }
    }
    memset(value, 0, GM_CONFIG_TEXT); /* equal configurations are equal in every byte */
    snprintf(value, GM_CONFIG_TEXT, "%s", text);
    return true;
}

static bool read_value(gm_config *config, const gm_key *key, const char *text)
{
    void *field = (char *)config + key->offset;
    uint64_t number = 0;
    switch (key->type) {
    case GM_KEY_BOOLEAN:
        return read_boolean(text, field);
    case GM_KEY_INTEGER:
    case GM_KEY_SIZE:
        if (!read_number(key, text, &number)) {
            return false;
        }
        *(uint64_t *)field = number;
        return true;
    case GM_KEY_SIZES:
        return read_sizes(key, text, field);
    case GM_KEY_CHOICE:
        return read_choice(key->choices, text, field);
    case GM_KEY_INDEX:
    case GM_KEY_FILE:
        return read_text(text, field);
    }
    return false;
}

/* Names the nearest key, or else the keys of the section that the name begins with. */
static int fail_unknown(const char *name, gm_error *error)
{
    const gm_key *nearest = gm_config_nearest(name);
    if (nearest != NULL) {
        return gm_fail(error, -EINVAL, "%.64s: no such key; did you mean %s?", name, nearest->name);
    }
    char names[256] = "";
    size_t used = 0;
    size_t section = strcspn(name, ".");
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; i < count && used < sizeof names - 1; i++) {
        if (strncmp(keys[i].name, name, section) == 0 && keys[i].name[section] == '.') {
            snprintf(names + used, sizeof names - used, "%s%s", used == 0 ? "" : ", ",
                     keys[i].name + section + 1);
            used += strlen(names + used);
        }
    }
    if (used == 0) {
        return gm_fail(error, -EINVAL, "%.64s: no such key", name);
    }
    return gm_fail(error, -EINVAL, "%.64s: no such key; %.*s has %s", name, (int)section, name,
                   names);
}

/* Sets the keys of the configuration's DRAM standard to its values. */
static void apply_standard(gm_config *config)
{
    unsigned count = 0;
    const gm_dram_standard_key *keys = gm_dram_standard_keys(&count);
    for (unsigned i = 0; i < count; i++) {
        const char *text = keys[i].value[config->dram.standard].text;
        (void)read_value(config, gm_config_find(keys[i].key), text); /* the table is tested */
    }
}

int gm_config_set(gm_config *config, const char *name, const char *value, gm_error *error)
{
    const gm_key *key = gm_config_find(name);
    if (key == NULL) {
        return fail_unknown(name, error);
    }
    if (!read_value(config, key, value)) {
        char range[128];
        gm_config_range(key, range, sizeof range);
        return gm_fail(error, -EINVAL, "%s=%.64s: must be %s", name, value, range);
    }
    if (key->offset == offsetof(gm_config, dram.standard)) {
        apply_standard(config);
    }
    return 0;
}

int gm_config_assign(gm_config *config, const char *assignment, gm_error *error)
{
    char name[LONGEST_NAME + 1];
    size_t length = strcspn(assignment, "=");
    if (assignment[length] == '\0' || length == 0 || length > LONGEST_NAME) {
        return gm_fail(error, -EINVAL, "%.64s: must be KEY=VALUE, such as l1.ways=16", assignment);
    }
    memcpy(name, assignment, length);
    name[length] = '\0';
    return gm_config_set(config, name, assignment + length + 1, error);
}

void gm_config_get(const gm_config *config, const gm_key *key, char *text, size_t size)
{
    const void *field = (const char *)config + key->offset;
    switch (key->type) {
    case GM_KEY_BOOLEAN:
        snprintf(text, size, "%s", *(const bool *)field ? "yes" : "no");
        return;
    case GM_KEY_INTEGER:
    case GM_KEY_SIZE: {
        uint64_t value = *(const uint64_t *)field;
        if (key->special != NULL && value == UINT64_MAX) {
            snprintf(text, size, "%s", key->special);
        } else if (key->type == GM_KEY_SIZE) {
            write_bytes(value, text, size);
        } else {
            snprintf(text, size, "%" PRIu64, value);
        }
        return;
    }
    case GM_KEY_SIZES:
        write_sizes(field, text, size);
        return;
    case GM_KEY_CHOICE: {
        const char *word = key->choices;
        for (choice i = *(const choice *)field; i > 0; i--) {
            word += strcspn(word, "|") + 1;
        }
        snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
        return;
    }
    case GM_KEY_INDEX:
    case GM_KEY_FILE:
        snprintf(text, size, "%s", (const char *)field);
        return;
    }
}

void gm_config_defaults(gm_config *config)
{
    memset(config, 0, sizeof *config);
    memcpy(config->preset.name, "default", sizeof "default");
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; i < count; i++) {
        read_value(config, &keys[i], keys[i].initial);
    }
}

/* Constants of energy, area and leakage: the keys, and the reader of tables. */
#include "goldmem/energy.h"

#include "config/config_file.h"
#include "config/preset_table.h"
#include "config/yaml_keys.h"
#include "goldmem/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUILT_IN "anssari-22nm" /* has every key, so that other tables may omit some */

#define AT(member) offsetof(gm_energy_table, member)
#define KEY(name_, offset_, unit_, meaning_)                                                       \
    {                                                                                              \
        .name = (name_), .offset = (offset_), .unit = (unit_), .meaning = (meaning_)               \
    }
#define PART(name, at, part, unit, meaning)                                                        \
    KEY(name, (at) + offsetof(gm_energy_structure, part), unit, meaning)
#define STRUCTURE(section, at, what, line)                                                         \
    PART(section ".area", at, area, "mm^2", what ", area"),                                        \
        PART(section ".leakage", at, leakage, "mW", what ", leakage"),                             \
        PART(section ".read", at, read, "pJ", what ", a read of " line),                           \
        PART(section ".write", at, write, "pJ", what ", a write of " line)
#define L2(section, at, what)                                                                      \
    PART(section ".capacity", at, capacity, "KB", what ", capacity"),                              \
        STRUCTURE(section, at, what, "32 bytes")

static const gm_energy_key keys[] = {
    STRUCTURE("l1", AT(l1), "16 L1s", "a 128-byte line"),
    STRUCTURE("l1_two_ports", AT(l1_two_ports), "16 L1s with trackers", "a 128-byte line"),
    STRUCTURE("tracker_1", AT(trackers[0]), "1 tracker", "a set"),
    STRUCTURE("tracker_2", AT(trackers[1]), "2 trackers", "a set"),
    STRUCTURE("tracker_4", AT(trackers[2]), "4 trackers", "a set"),
    L2("l2_1", AT(l2[0]), "smallest L2"),
    L2("l2_2", AT(l2[1]), "second L2"),
    L2("l2_3", AT(l2[2]), "third L2"),
    L2("l2_4", AT(l2[3]), "largest L2"),
    KEY("interconnect.wire", AT(wire), "pJ", "a byte over 1 mm of wire"),
    KEY("dram.access", AT(dram), "pJ", "32 bytes of DRAM, read or written"),
    KEY("dram.activate", AT(activate), "pJ", "a row of DRAM, opened and closed"),
};

enum {
    KEYS = sizeof keys / sizeof keys[0],
    MOST = 1000000, /* of a value in its unit */
};

const gm_energy_key *gm_energy_keys(unsigned *count)
{
    *count = KEYS;
    return keys;
}

const gm_preset *gm_energy_presets(unsigned *count)
{
    *count = gm_energy_preset_table_count;
    return gm_energy_preset_table;
}

/* Reads a decimal number, as 12.345, in thousandths. Returns false if the text is none. */
static bool read_decimal(const char *text, uint64_t *thousandths)
{
    enum { DIGITS = 7, PLACES = 3 };
    static const char digits[] = "0123456789";
    size_t whole = strspn(text, digits);
    size_t point = text[whole] == '.';
    const char *fraction = text + whole + point;
    size_t places = strspn(fraction, digits);
    if (whole < 1 || whole > DIGITS || places < point || places > PLACES ||
        fraction[places] != '\0') {
        return false;
    }
    char number[DIGITS + PLACES + 1];
    snprintf(number, sizeof number, "%.*s%s%.*s", (int)whole, text, fraction,
             (int)(PLACES - places), "000");
    *thousandths = strtoull(number, NULL, 10);
    return *thousandths <= MOST * UINT64_C(1000);
}

int gm_energy_set(gm_energy_table *table, const char *name, const char *value, gm_error *error)
{
    const gm_energy_key *key = keys;
    while (key < keys + KEYS && strcmp(key->name, name) != 0) {
        key++;
    }
    if (key == keys + KEYS) {
        const char *nearest = gm_nearest(name, &keys[0].name, KEYS, sizeof keys[0]);
        return gm_fail(error, -EINVAL, "%.64s: no such key%s%s%s", name,
                       nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "?" : "");
    }
    void *constant = (char *)table + key->offset;
    if (!read_decimal(value, constant)) {
        return gm_fail(error, -EINVAL,
                       "%s=%.64s: must be a number of %s from 0 to %d, with at most 3 decimal "
                       "places",
                       name, value, key->unit, MOST);
    }
    return 0;
}

static int set(void *into, const char *name, const char *value, gm_error *error)
{
    return gm_energy_set(into, name, value, error);
}

static int check_capacities(const gm_energy_table *table, const char *name, gm_error *error)
{
    for (unsigned i = 1; i < GM_ENERGY_L2S; i++) {
        if (table->l2[i].capacity <= table->l2[i - 1].capacity) {
            return gm_fail(error, -EINVAL,
                           "%s: l2_%u.capacity=%g: must be more than l2_%u.capacity=%g", name,
                           i + 1, (double)table->l2[i].capacity / 1000, i,
                           (double)table->l2[i - 1].capacity / 1000);
        }
    }
    return 0;
}

int gm_energy_read_yaml(gm_energy_table *table, const char *name, const char *text, size_t length,
                        gm_error *error)
{
    gm_energy_table filled = *table; /* *table changes only on success */
    const gm_yaml_table yaml = {.what = "an energy table",
                                .example = "l1: {read: 30.5}",
                                .names = &keys[0].name,
                                .count = KEYS,
                                .stride = sizeof keys[0],
                                .set = set,
                                .into = &filled};
    int code = gm_yaml_read_keys(&yaml, name, text, length, error);
    code = code < 0 ? code : check_capacities(&filled, name, error);
    if (code == 0) {
        *table = filled;
    }
    return code;
}

/* Returns true if the name is a built-in table's; *code is then the result of reading it. */
static bool read_built_in(gm_energy_table *table, const char *name, int *code, gm_error *error)
{
    for (unsigned i = 0; i < gm_energy_preset_table_count; i++) {
        const gm_preset *preset = &gm_energy_preset_table[i];
        if (strcmp(preset->name, name) == 0) {
            *code = gm_energy_read_yaml(table, name, preset->yaml, strlen(preset->yaml), error);
            return true;
        }
    }
    return false;
}

static int fail_unknown(const char *path, gm_error *error)
{
    char names[256] = "";
    size_t used = 0;
    for (unsigned i = 0; i < gm_energy_preset_table_count && used < sizeof names - 1; i++) {
        snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ",
                 gm_energy_preset_table[i].name);
        used += strlen(names + used);
    }
    return gm_fail(error, -ENOENT,
                   "energy.table=%s: neither a file nor a built-in table; of these there are %s",
                   path, names);
}

static int read_file(gm_energy_table *table, const char *path, gm_error *error)
{
    char *text = NULL;
    size_t length = 0;
    int code = gm_config_file_read(path, &text, &length, error);
    code = code < 0 ? code : gm_energy_read_yaml(table, path, text, length, error);
    free(text);
    return code == -ENOENT ? fail_unknown(path, error) : code;
}

int gm_energy_read(gm_energy_table *table, const gm_config *config, gm_error *error)
{
    const char *name = config->energy.table;
    gm_energy_table filled = {0};
    int code = 0;
    read_built_in(&filled, BUILT_IN, &code, error);
    if (code == 0 && !read_built_in(&filled, name, &code, error)) {
        code = read_file(&filled, name, error);
    }
    if (code == 0) {
        *table = filled;
    }
    return code;
}

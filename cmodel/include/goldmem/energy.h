/* Energy, area and leakage of the memory system: the events that a run counted, multiplied by
 * constants. The constants are a table that a user can replace; the built-in table is
 * [anssari, Table 4.3], 22 nm. docs/energy.md says what is charged for what. */
#ifndef GOLDMEM_ENERGY_H
#define GOLDMEM_ENERGY_H

#include "goldmem/config.h"
#include "goldmem/statistics.h"

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All caches of a kind, or all trackers. Constants are in thousandths of the table's units. */
typedef struct gm_energy_structure {
    uint64_t capacity;    /* KB/1000; of L2s only */
    uint64_t area;        /* mm^2/1000 */
    uint64_t leakage;     /* uW */
    uint64_t read, write; /* fJ: a 128-byte line of an L1, 32 bytes of an L2, a tracker's set */
} gm_energy_structure;

enum { GM_ENERGY_TRACKERS = 3, GM_ENERGY_L2S = 4 };

typedef struct gm_energy_table {
    gm_energy_structure l1;           /* with a port for reads and writes and one for
                                         writes */
    gm_energy_structure l1_two_ports; /* with a port at which another L1 reads */
    gm_energy_structure trackers[GM_ENERGY_TRACKERS]; /* 1, 2, 4 trackers together */
    gm_energy_structure l2[GM_ENERGY_L2S];            /* by ascending capacity */
    uint64_t wire;                                    /* fJ: a byte over 1 mm */
    uint64_t dram;                                    /* fJ: 32 bytes */
    uint64_t activate;                                /* fJ: a row of DRAM opened and closed */
} gm_energy_table;

/* A key of the table: "l1.read". */
typedef struct gm_energy_key {
    const char *name;
    size_t offset; /* in gm_energy_table */
    const char *unit;
    const char *meaning;
} gm_energy_key;

/* Returns the keys, *count rows; the keys of a section are consecutive. */
const gm_energy_key *gm_energy_keys(unsigned *count);

/* Returns the built-in tables, of presets/energy/, sorted by name. */
const gm_preset *gm_energy_presets(unsigned *count);

/* Sets a key from text: a decimal number from 0 to 1,000,000 with at most three places. Returns 0,
 * or -EINVAL, which names key, value and range, or the nearest key. */
int gm_energy_set(gm_energy_table *table, const char *name, const char *value, gm_error *error);

/* Sets the keys that the YAML text names; others keep their values. Returns 0, or -EINVAL, which
 * names the file, line, key and value. */
int gm_energy_read_yaml(gm_energy_table *table, const char *name, const char *text, size_t length,
                        gm_error *error);

/* Reads the table that energy.table names: a built-in one, else a file, whose keys replace those of
 * anssari-22nm. Returns 0, -EINVAL, or the negative errno value of a file that cannot be read. */
int gm_energy_read(gm_energy_table *table, const gm_config *config, gm_error *error);

/* COMPONENT(name, meaning): energy of events, which both engines count. */
#define GM_ENERGY_COMPONENTS(COMPONENT)                                                            \
    COMPONENT(l1d, "line reads and writes of the L1s, reads for other L1s included")               \
    COMPONENT(tracker, "reads and writes of the sharing trackers")                                 \
    COMPONENT(l2, "32-byte reads and writes of the L2 banks")                                      \
    COMPONENT(interconnect, "all bytes of traffic, over noc.length of wire")                       \
    COMPONENT(dram, "32-byte reads and writes of the DRAM, and its rows opened")

/* Energy per cycle (cycle engine). */
#define GM_ENERGY_OVER_TIME(COMPONENT)                                                             \
    COMPONENT(leakage,                                                                             \
              "of the L1s, the sharing trackers and the L2, over the cycles of the kernels")

/* Picojoules, each rounded down. */
typedef struct gm_energy {
#define COMPONENT(name, meaning) uint64_t name;
    GM_ENERGY_COMPONENTS(COMPONENT)
    GM_ENERGY_OVER_TIME(COMPONENT)
#undef COMPONENT
} gm_energy;

/* Returns the energy of the events of one kernel or of all; leakage is 0 without cycles. */
gm_energy gm_energy_of(const gm_statistics *statistics, const gm_config *config,
                       const gm_energy_table *table);

/* PART(name, meaning): a part of the chip with an area and leakage. */
#define GM_CHIP_PARTS(PART)                                                                        \
    PART(l1d, "all L1s")                                                                           \
    PART(tracker, "all sharing trackers")                                                          \
    PART(l2, "the L2, all banks")

typedef struct gm_chip {
    struct {
#define PART(name, meaning) uint64_t name;
        GM_CHIP_PARTS(PART)
    } area_um2, leakage_uw;
#undef PART
} gm_chip;

/* Returns area and leakage of the configured machine; 0 for a part that it lacks. */
gm_chip gm_chip_of(const gm_config *config, const gm_energy_table *table);

/* Writes docs/energy.md: the energy charged for each event, and every constant with its source. */
void gm_energy_write_page(FILE *file);

#ifdef __cplusplus
}
#endif

#endif

/* Fields: every counter of gm_statistics, the energy and the rates, each under the name that JSON,
 * CSV and docs/statistics.md give it. Made from the lists of goldmem/statistics.h, energy.h and
 * rates.h. */
#ifndef GOLDMEM_REPORT_FIELDS_H
#define GOLDMEM_REPORT_FIELDS_H

#include "goldmem/energy.h"
#include "goldmem/engine.h"
#include "goldmem/rates.h"
#include "goldmem/statistics.h"

#include <stdbool.h>
#include <stddef.h>

enum { GM_FIELD_NAME = 64 };

/* The part of the machine that has the counter. */
typedef enum gm_field_section {
    GM_SECTION_CORE,
    GM_SECTION_L1D,
    GM_SECTION_TRACKER,
    GM_SECTION_L2,
    GM_SECTION_DRAM,
    GM_SECTION_TRAFFIC,
    GM_SECTION_RUN, /* host copies, and dirty sectors left in the L2 */
    GM_SECTION_DUELING,
    GM_SECTION_UNIFIED,       /* with l1.unified only */
    GM_SECTION_L1_STREAMING,  /* with l1.streaming only */
    GM_SECTION_L2_STREAMING,  /* with l2.streaming only */
    GM_SECTION_L2_COALESCED,  /* with l2.bypass=coalesced only */
    GM_SECTION_L2_BYPASSED,   /* where loads may bypass the L2: gm_config_bypasses_l2 */
    GM_SECTION_ATOMIC_BUFFER, /* with l2.atomic_buffer only */
    GM_SECTION_SHARING,       /* with sharing.enabled only; of an SM: */
    GM_SECTION_SHARING_L2,    /* of an L2 bank */
    GM_SECTION_L2_BYTES,      /* with l2.dirty=byte only */
    GM_SECTION_TRACKER_ASK,   /* with tracker.ask only */
    /* with l2.victim only: */
    GM_SECTION_TRACKER_VICTIM,
    GM_SECTION_L2_VICTIM,
    GM_SECTION_VICTIM_TRAFFIC,
    GM_SECTION_ENERGY,
    GM_SECTION_RATES,
    /* cycle engine only, from here on */
    GM_SECTION_CYCLES,
    GM_SECTION_SM_TIME,
    GM_SECTION_BANK_TIME,
    GM_SECTION_NOC_TIME,
    GM_SECTION_DRAM_TIME,
    GM_SECTION_LEAKAGE,
    GM_SECTION_L1_BANKS, /* with l1.banks only */
    GM_SECTION_OVERLAP,  /* of a kernel, with gpu.kernels above 1 only */
    GM_SECTION_CTAS,     /* of a kernel, with another gpu.cta than rr only */
    /* with l1i.size only: */
    GM_SECTION_L1I,
    GM_SECTION_FETCH_SLOTS,
    GM_SECTION_L2_INSTRUCTIONS,
    GM_SECTION_INSTRUCTION_TRAFFIC,
    GM_SECTION_THROTTLE_SLOTS, /* with sm.throttle only */
    GM_SECTION_SAMPLING,       /* with sm.throttle=sampling only */
    GM_SECTION_CCWS,           /* with sm.throttle=ccws only */
    GM_SECTION_STALLS,
    GM_SECTION_HALVES, /* with l2.halves=2 only */
    /* with leases only */
    GM_SECTION_LEASES_SM,
    GM_SECTION_LEASES_BANK,
    GM_SECTION_LEASES,
    /* with a directory only */
    GM_SECTION_DIRECTORY_SM,
    GM_SECTION_DIRECTORY_BANK,
    /* with L1s that own lines only */
    GM_SECTION_OWNER_SM,
    GM_SECTION_OWNER_BANK,
} gm_field_section;

/* Sets of sections, a bit for each: the counters of one SM, one L2 bank and one partition; of a
 * kernel that ran beside others, those that are its own. */
typedef uint64_t gm_section_set;
#define GM_SECTION_BIT(section) (UINT64_C(1) << (section))
#define GM_SECTIONS_TO(section) ((GM_SECTION_BIT(section) << 1) - 1) /* with all before it */
#define GM_ALL_SECTIONS         GM_SECTIONS_TO(GM_SECTION_OWNER_BANK)
#define GM_TIMED_SECTIONS       GM_SECTIONS_TO(GM_SECTION_HALVES) /* without leases, directory */
#define GM_TOTAL_SECTIONS                                                                          \
    (GM_ALL_SECTIONS & ~(GM_SECTION_BIT(GM_SECTION_OVERLAP) | GM_SECTION_BIT(GM_SECTION_CTAS)))
#define GM_OVERLAPPED_SECTIONS                                                                     \
    (GM_SECTION_BIT(GM_SECTION_CYCLES) | GM_SECTION_BIT(GM_SECTION_CORE) |                         \
     GM_SECTION_BIT(GM_SECTION_UNIFIED) | GM_SECTION_BIT(GM_SECTION_OVERLAP))
#define GM_UNTIMED_SECTIONS GM_SECTIONS_TO(GM_SECTION_RATES)
#define GM_INSTRUCTION_SECTIONS                                                                    \
    (GM_SECTION_BIT(GM_SECTION_L1I) | GM_SECTION_BIT(GM_SECTION_FETCH_SLOTS) |                     \
     GM_SECTION_BIT(GM_SECTION_L2_INSTRUCTIONS) | GM_SECTION_BIT(GM_SECTION_INSTRUCTION_TRAFFIC))
#define GM_VICTIM_SECTIONS                                                                         \
    (GM_SECTION_BIT(GM_SECTION_TRACKER_VICTIM) | GM_SECTION_BIT(GM_SECTION_L2_VICTIM) |            \
     GM_SECTION_BIT(GM_SECTION_VICTIM_TRAFFIC))
#define GM_SM_SECTIONS                                                                             \
    (GM_SECTION_BIT(GM_SECTION_CORE) | GM_SECTION_BIT(GM_SECTION_L1D) |                            \
     GM_SECTION_BIT(GM_SECTION_TRACKER) | GM_SECTION_BIT(GM_SECTION_TRACKER_ASK) |                 \
     GM_SECTION_BIT(GM_SECTION_TRAFFIC) | GM_SECTION_BIT(GM_SECTION_SM_TIME) |                     \
     GM_SECTION_BIT(GM_SECTION_LEASES_SM) | GM_SECTION_BIT(GM_SECTION_DIRECTORY_SM) |              \
     GM_SECTION_BIT(GM_SECTION_OWNER_SM) | GM_SECTION_BIT(GM_SECTION_L1_BANKS) |                   \
     GM_SECTION_BIT(GM_SECTION_L1I) | GM_SECTION_BIT(GM_SECTION_FETCH_SLOTS) |                     \
     GM_SECTION_BIT(GM_SECTION_THROTTLE_SLOTS) | GM_SECTION_BIT(GM_SECTION_CCWS) |                 \
     GM_SECTION_BIT(GM_SECTION_INSTRUCTION_TRAFFIC) | GM_SECTION_BIT(GM_SECTION_L1_STREAMING) |    \
     GM_SECTION_BIT(GM_SECTION_TRACKER_VICTIM) | GM_SECTION_BIT(GM_SECTION_VICTIM_TRAFFIC) |       \
     GM_SECTION_BIT(GM_SECTION_SHARING))
#define GM_BANK_SECTIONS                                                                           \
    (GM_SECTION_BIT(GM_SECTION_L2) | GM_SECTION_BIT(GM_SECTION_BANK_TIME) |                        \
     GM_SECTION_BIT(GM_SECTION_HALVES) | GM_SECTION_BIT(GM_SECTION_LEASES_BANK) |                  \
     GM_SECTION_BIT(GM_SECTION_OWNER_BANK) | GM_SECTION_BIT(GM_SECTION_DIRECTORY_BANK) |           \
     GM_SECTION_BIT(GM_SECTION_L2_INSTRUCTIONS) | GM_SECTION_BIT(GM_SECTION_L2_STREAMING) |        \
     GM_SECTION_BIT(GM_SECTION_L2_COALESCED) | GM_SECTION_BIT(GM_SECTION_L2_BYPASSED) |            \
     GM_SECTION_BIT(GM_SECTION_ATOMIC_BUFFER) | GM_SECTION_BIT(GM_SECTION_L2_BYTES) |              \
     GM_SECTION_BIT(GM_SECTION_L2_VICTIM) | GM_SECTION_BIT(GM_SECTION_L2_BYTES) |                  \
     GM_SECTION_BIT(GM_SECTION_SHARING_L2))
#define GM_PARTITION_SECTIONS                                                                      \
    (GM_SECTION_BIT(GM_SECTION_DRAM) | GM_SECTION_BIT(GM_SECTION_DRAM_TIME))

/* Returns the sections of `sections` that a run by the engine fills. */
gm_section_set gm_field_sections(gm_engine engine, const gm_config *config,
                                 gm_section_set sections);

/* True for a kernel that ran beside others. */
bool gm_field_is_overlapped(const gm_config *config, const gm_statistics *statistics);

/* Returns the sections that are a kernel's own. */
gm_section_set gm_field_kernel_sections(const gm_config *config, const gm_statistics *statistics);

/* The structs that hold the fields' values. */
typedef struct gm_field_source {
    gm_statistics statistics;
    gm_energy energy;
    gm_rates rates;
} gm_field_source;

/* Fills the source with the statistics, and the energy and rates that follow from them. */
void gm_field_source_fill(gm_field_source *source, const gm_statistics *statistics,
                          const gm_config *config, const gm_energy_table *energy);

typedef struct gm_field {
    const char *name; /* as in the list: "accesses", "fails_line" */
    const char *unit;
    const char *meaning;
    size_t offset; /* in its struct, bytes */
    bool state;    /* no count: of two moments the later one's value holds */
} gm_field;

/* A list under one prefix. One list serves several groups: each level, all accesses together and
 * each kind alone. */
typedef struct gm_field_group {
    const char *prefix; /* "l1d.load."; "" for none */
    const gm_field *fields;
    size_t offset; /* of the struct in gm_field_source, bytes */
    unsigned count;
    unsigned parts; /* consecutive counters that make one value */
    gm_field_section section;
} gm_field_group;

const gm_field_group *gm_field_groups(unsigned *count);

/* Writes a field's full name with a dot for each level of JSON: "l1d.load.reservation_fails.line",
 * "time.slots.issued". */
void gm_field_name(const gm_field_group *group, const gm_field *field, char name[GM_FIELD_NAME]);
uint64_t gm_field_value(const gm_field_group *group, const gm_field *field,
                        const gm_field_source *source);

#endif

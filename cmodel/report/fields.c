/* The groups of fields, from the lists of counters. */
#include "report/fields.h"

#include <stdio.h>
#include <string.h>

static const gm_field core_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_core_statistics, name), false},
    GM_CORE_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field cache_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_cache_statistics, name), false},
    GM_CACHE_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field dram_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_dram_statistics, name), false},
    GM_DRAM_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field traffic_fields[] = {
#define CLASS(name, meaning)                                                                       \
    {#name, "bytes", meaning, offsetof(gm_traffic_statistics, name), false},
    GM_DATA_TRAFFIC_CLASSES(CLASS)};

static const gm_field instruction_traffic_fields[] = {GM_INSTRUCTION_TRAFFIC_CLASSES(CLASS)};

static const gm_field victim_traffic_fields[] = {GM_VICTIM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
};

static const gm_field dueling_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_dueling_statistics, name), false},
    GM_DUELING_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field ccws_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_ccws_statistics, name), false},
    GM_CCWS_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field unified_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_unified_statistics, name), false},
    GM_UNIFIED_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field streaming_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_streaming_statistics, name), false},
    GM_STREAMING_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_streaming_statistics, name), true},
        GM_STREAMING_TIMES(COUNTER)
#undef COUNTER
};

static const gm_field coalesced_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_l2_coalesced_statistics, name), false},
    GM_L2_COALESCED_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field bypassed_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_l2_bypassed_statistics, name), false},
    GM_L2_BYPASSED_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field victim_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_l2_victim_statistics, name), false},
    GM_L2_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field byte_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_l2_bytes_statistics, name), false},
    GM_L2_BYTES_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field l1_bank_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_l1_bank_statistics, name), false},
    GM_L1_BANK_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field l1i_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_l1i_statistics, name), false},
    GM_L1I_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field atomic_buffer_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_atomic_buffer_statistics, name), false},
    GM_ATOMIC_BUFFER_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field cta_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_cta_statistics, name), false},
    GM_CTA_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field sharing_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_sharing_statistics, name), false},
    GM_SHARING_SM_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field sharing_l2_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_sharing_statistics, name), false},
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field overlap_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_overlap_statistics, name), false},
    GM_OVERLAP_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field sampling_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_sampling_statistics, name), false},
    GM_SAMPLING_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_sampling_statistics, name), true},
        GM_SAMPLING_STATES(COUNTER)
#undef COUNTER
};

static const gm_field tracker_ask_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_tracker_statistics, name), false},
    GM_TRACKER_ASK_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field tracker_victim_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_tracker_statistics, name), false},
    GM_TRACKER_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field tracker_fields[] = {
#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_tracker_statistics, name), false},
    GM_TRACKER_COUNTERS(COUNTER)
#undef COUNTER
};

#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_coherence_statistics, name), false},
static const gm_field lease_sm_fields[] = {GM_COHERENCE_SM_COUNTERS(COUNTER)};
static const gm_field lease_bank_fields[] = {GM_COHERENCE_BANK_COUNTERS(COUNTER)};
static const gm_field directory_sm_fields[] = {GM_DIRECTORY_SM_COUNTERS(COUNTER)};
static const gm_field directory_bank_fields[] = {GM_DIRECTORY_BANK_COUNTERS(COUNTER)};
static const gm_field owner_sm_fields[] = {GM_OWNER_SM_COUNTERS(COUNTER)};
static const gm_field owner_bank_fields[] = {GM_OWNER_BANK_COUNTERS(COUNTER)};
static const gm_field lease_fields[] = {GM_COHERENCE_MACHINE_COUNTERS(COUNTER)};
#undef COUNTER

#define COUNTER(name, unit, meaning)                                                               \
    {#name, unit, meaning, offsetof(gm_time_statistics, name), false},
static const gm_field cycle_fields[] = {GM_CYCLE_COUNTERS(COUNTER)};
static const gm_field sm_time_fields[] = {GM_SLOT_COUNTERS(COUNTER) GM_SM_TIME_COUNTERS(COUNTER)};
static const gm_field fetch_slot_fields[] = {GM_FETCH_SLOT_COUNTERS(COUNTER)};
static const gm_field throttle_slot_fields[] = {GM_THROTTLE_SLOT_COUNTERS(COUNTER)};
static const gm_field bank_time_fields[] = {GM_BANK_TIME_COUNTERS(COUNTER)};
static const gm_field halves_fields[] = {GM_HALVES_COUNTERS(COUNTER)};
static const gm_field noc_time_fields[] = {GM_NOC_TIME_COUNTERS(COUNTER)};
static const gm_field dram_time_fields[] = {GM_DRAM_TIME_COUNTERS(COUNTER)};
#undef COUNTER

#define COMPONENT(name, meaning) {#name, "pJ", meaning, offsetof(gm_energy, name), false},
static const gm_field energy_fields[] = {GM_ENERGY_COMPONENTS(COMPONENT)};
static const gm_field leakage_fields[] = {GM_ENERGY_OVER_TIME(COMPONENT)};
#undef COMPONENT

#define RATE(name, of, meaning)                                                                    \
    {#name, "of 1,000,000 " of, meaning, offsetof(gm_rates, name), false},
static const gm_field rate_fields[] = {GM_RATES(RATE)};
static const gm_field stall_fields[] = {GM_STALL_RATES(RATE)};
#undef RATE

static const gm_field run_fields[] = {
    {"copies", "copies", "host-to-device copies", offsetof(gm_statistics, copies), false},
    {"copy_bytes", "bytes", "in host-to-device copies", offsetof(gm_statistics, copy_bytes), false},
    {"l2_dirty_sectors", "32-byte sectors", "in the L2 and not yet written to DRAM, at the end",
     offsetof(gm_statistics, l2_dirty_sectors), false},
};

#define GROUP(section_, prefix_, list, offset_, parts_)                                            \
    {                                                                                              \
        .section = (section_), .prefix = (prefix_), .fields = (list),                              \
        .count = sizeof(list) / sizeof(list)[0], .offset = (offset_), .parts = (parts_)            \
    }
#define AT(member)         offsetof(gm_field_source, statistics.member)
#define KIND(member, kind) (AT(member) + (kind) * sizeof(uint64_t))

static const gm_field_group groups[] = {
    GROUP(GM_SECTION_CYCLES, "", cycle_fields, AT(time), 1),
    GROUP(GM_SECTION_CORE, "", core_fields, AT(core), 1),
    GROUP(GM_SECTION_L1D, "l1d.", cache_fields, AT(l1d), GM_ACCESS_KINDS),
    GROUP(GM_SECTION_L1D, "l1d.load.", cache_fields, KIND(l1d, GM_LOAD), 1),
    GROUP(GM_SECTION_L1D, "l1d.store.", cache_fields, KIND(l1d, GM_STORE), 1),
    GROUP(GM_SECTION_L1D, "l1d.atomic.", cache_fields, KIND(l1d, GM_ATOMIC), 1),
    GROUP(GM_SECTION_TRACKER, "tracker.", tracker_fields, AT(tracker), 1),
    GROUP(GM_SECTION_L2, "l2.", cache_fields, AT(l2), GM_ACCESS_KINDS),
    GROUP(GM_SECTION_L2, "l2.load.", cache_fields, KIND(l2, GM_LOAD), 1),
    GROUP(GM_SECTION_L2, "l2.store.", cache_fields, KIND(l2, GM_STORE), 1),
    GROUP(GM_SECTION_L2, "l2.atomic.", cache_fields, KIND(l2, GM_ATOMIC), 1),
    GROUP(GM_SECTION_DRAM, "dram.", dram_fields, AT(dram), 1),
    GROUP(GM_SECTION_TRAFFIC, "traffic_bytes.", traffic_fields, AT(traffic), 1),
    GROUP(GM_SECTION_DUELING, "dueling.", dueling_fields, AT(dueling), 1),
    GROUP(GM_SECTION_UNIFIED, "unified.", unified_fields, AT(unified), 1),
    GROUP(GM_SECTION_L1_STREAMING, "l1_streaming.", streaming_fields, AT(l1_streaming), 1),
    GROUP(GM_SECTION_L2_STREAMING, "l2_streaming.", streaming_fields, AT(l2_streaming), 1),
    GROUP(GM_SECTION_L2_COALESCED, "l2_coalesced.", coalesced_fields, AT(l2_coalesced), 1),
    GROUP(GM_SECTION_L2_BYPASSED, "l2_bypassed.", bypassed_fields, AT(l2_bypassed), 1),
    GROUP(GM_SECTION_ATOMIC_BUFFER, "atomic_buffer.", atomic_buffer_fields, AT(atomic_buffer), 1),
    GROUP(GM_SECTION_SHARING, "sharing.", sharing_fields, AT(sharing), 1),
    GROUP(GM_SECTION_SHARING_L2, "sharing.", sharing_l2_fields, AT(sharing), 1),
    GROUP(GM_SECTION_L2_BYTES, "l2_bytes.", byte_fields, AT(l2_bytes), 1),
    GROUP(GM_SECTION_TRACKER_ASK, "tracker.", tracker_ask_fields, AT(tracker), 1),
    GROUP(GM_SECTION_TRACKER_VICTIM, "tracker.", tracker_victim_fields, AT(tracker), 1),
    GROUP(GM_SECTION_L2_VICTIM, "l2_victim.", victim_fields, AT(l2_victim), 1),
    GROUP(GM_SECTION_VICTIM_TRAFFIC, "traffic_bytes.", victim_traffic_fields, AT(traffic), 1),
    GROUP(GM_SECTION_RUN, "", run_fields, offsetof(gm_field_source, statistics), 1),
    GROUP(GM_SECTION_ENERGY, "energy_pj.", energy_fields, offsetof(gm_field_source, energy), 1),
    GROUP(GM_SECTION_LEAKAGE, "energy_pj.", leakage_fields, offsetof(gm_field_source, energy), 1),
    GROUP(GM_SECTION_SM_TIME, "time.", sm_time_fields, AT(time), 1),
    GROUP(GM_SECTION_BANK_TIME, "time.", bank_time_fields, AT(time), 1),
    GROUP(GM_SECTION_HALVES, "time.", halves_fields, AT(time), 1),
    GROUP(GM_SECTION_NOC_TIME, "time.", noc_time_fields, AT(time), 1),
    GROUP(GM_SECTION_DRAM_TIME, "time.", dram_time_fields, AT(time), 1),
    GROUP(GM_SECTION_L1I, "l1i.", l1i_fields, AT(l1i), 1),
    GROUP(GM_SECTION_FETCH_SLOTS, "time.", fetch_slot_fields, AT(time), 1),
    GROUP(GM_SECTION_THROTTLE_SLOTS, "time.", throttle_slot_fields, AT(time), 1),
    GROUP(GM_SECTION_CCWS, "ccws.", ccws_fields, AT(ccws), 1),
    GROUP(GM_SECTION_SAMPLING, "sampling.", sampling_fields, AT(sampling), 1),
    GROUP(GM_SECTION_L2_INSTRUCTIONS, "l2.instruction.", cache_fields, KIND(l2, GM_INSTRUCTION), 1),
    GROUP(GM_SECTION_INSTRUCTION_TRAFFIC, "traffic_bytes.", instruction_traffic_fields, AT(traffic),
          1),
    GROUP(GM_SECTION_L1_BANKS, "l1_banks.", l1_bank_fields, AT(l1_banks), 1),
    GROUP(GM_SECTION_OVERLAP, "overlap.", overlap_fields, AT(overlap), 1),
    GROUP(GM_SECTION_CTAS, "cta.", cta_fields, AT(cta), 1),
    GROUP(GM_SECTION_RATES, "rates.", rate_fields, offsetof(gm_field_source, rates), 1),
    GROUP(GM_SECTION_STALLS, "rates.", stall_fields, offsetof(gm_field_source, rates), 1),
    GROUP(GM_SECTION_LEASES_SM, "coherence.", lease_sm_fields, AT(coherence), 1),
    GROUP(GM_SECTION_LEASES_BANK, "coherence.", lease_bank_fields, AT(coherence), 1),
    GROUP(GM_SECTION_LEASES, "coherence.", lease_fields, AT(coherence), 1),
    GROUP(GM_SECTION_DIRECTORY_SM, "coherence.", directory_sm_fields, AT(coherence), 1),
    GROUP(GM_SECTION_DIRECTORY_BANK, "coherence.", directory_bank_fields, AT(coherence), 1),
    GROUP(GM_SECTION_OWNER_SM, "coherence.", owner_sm_fields, AT(coherence), 1),
    GROUP(GM_SECTION_OWNER_BANK, "coherence.", owner_bank_fields, AT(coherence), 1),
};

const gm_field_group *gm_field_groups(unsigned *count)
{
    *count = sizeof groups / sizeof groups[0];
    return groups;
}

/* Returns the sections that the coherence protocol fills. */
static gm_section_set sections_of_protocol(const gm_config *config)
{
    switch (config->coherence.protocol) {
    case GM_COHERENCE_NONE:
    case GM_COHERENCE_IDEAL:
        break;
    case GM_COHERENCE_TCS:
    case GM_COHERENCE_TCW:
        return GM_SECTIONS_TO(GM_SECTION_LEASES);
    case GM_COHERENCE_VI:
    case GM_COHERENCE_VINI:
        return GM_TIMED_SECTIONS | GM_SECTION_BIT(GM_SECTION_DIRECTORY_SM) |
               GM_SECTION_BIT(GM_SECTION_DIRECTORY_BANK);
    case GM_COHERENCE_MESI:
        return GM_TIMED_SECTIONS | GM_SECTION_BIT(GM_SECTION_DIRECTORY_SM) |
               GM_SECTION_BIT(GM_SECTION_DIRECTORY_BANK) | GM_SECTION_BIT(GM_SECTION_OWNER_SM) |
               GM_SECTION_BIT(GM_SECTION_OWNER_BANK);
    }
    return GM_TIMED_SECTIONS;
}

gm_section_set gm_field_sections(gm_engine engine, const gm_config *config, gm_section_set sections)
{
    if (config->l1.unified == 0) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_UNIFIED);
    }
    if (!config->l1.streaming) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_L1_STREAMING);
    }
    if (!config->l2.streaming) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_L2_STREAMING);
    }
    if (config->l2.bypass == GM_L2_BYPASS_NONE) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_L2_COALESCED);
    }
    if (!gm_config_bypasses_l2(config)) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_L2_BYPASSED);
    }
    if (!config->l2.atomic_buffer) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_ATOMIC_BUFFER);
    }
    if (!config->sharing.enabled) {
        sections &= ~(GM_SECTION_BIT(GM_SECTION_SHARING) | GM_SECTION_BIT(GM_SECTION_SHARING_L2));
    }
    if (config->l2.dirty == GM_DIRTY_SECTOR) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_L2_BYTES);
    }
    if (!config->tracker.enabled || !config->tracker.ask) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_TRACKER_ASK);
    }
    if (!config->l2.victim) {
        sections &= ~GM_VICTIM_SECTIONS;
    }
    if (config->l1.banks == 1) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_L1_BANKS);
    }
    if (config->l1i.size == 0) {
        sections &= ~GM_INSTRUCTION_SECTIONS;
    }
    if (config->sm.throttle == GM_THROTTLE_NONE) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_THROTTLE_SLOTS);
    }
    if (config->sm.throttle != GM_THROTTLE_CCWS) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_CCWS);
    }
    if (config->sm.throttle != GM_THROTTLE_SAMPLING) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_SAMPLING);
    }
    if (config->gpu.cta == GM_CTA_RR) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_CTAS);
    }
    if (config->gpu.kernels <= 1) {
        sections &= ~GM_SECTION_BIT(GM_SECTION_OVERLAP);
    }
    switch (engine) {
    case GM_ENGINE_ORDER:
        return sections & GM_UNTIMED_SECTIONS;
    case GM_ENGINE_CYCLE:
        break;
    }
    sections &= sections_of_protocol(config);
    return config->l2.halves == 2 ? sections : sections & ~GM_SECTION_BIT(GM_SECTION_HALVES);
}

bool gm_field_is_overlapped(const gm_config *config, const gm_statistics *statistics)
{
    return config->gpu.kernels > 1 && statistics->overlap.beside != 0;
}

gm_section_set gm_field_kernel_sections(const gm_config *config, const gm_statistics *statistics)
{
    return gm_field_is_overlapped(config, statistics) ? GM_OVERLAPPED_SECTIONS : GM_ALL_SECTIONS;
}

void gm_field_source_fill(gm_field_source *source, const gm_statistics *statistics,
                          const gm_config *config, const gm_energy_table *energy)
{
    source->statistics = *statistics;
    source->energy = gm_energy_of(statistics, config, energy);
    source->rates = gm_rates_of(statistics, config);
}

void gm_field_name(const gm_field_group *group, const gm_field *field, char name[GM_FIELD_NAME])
{
    static const struct {
        const char *prefix, *level;
    } levels[] = {{"fails_", "reservation_fails."}, {"slots_", "slots."}, {"stalls_", "stalls."}};
    const char *level = "";
    const char *rest = field->name;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        size_t length = strlen(levels[i].prefix);
        if (strncmp(field->name, levels[i].prefix, length) == 0) {
            level = levels[i].level;
            rest = field->name + length;
        }
    }
    snprintf(name, GM_FIELD_NAME, "%s%s%s", group->prefix, level, rest);
}

uint64_t gm_field_value(const gm_field_group *group, const gm_field *field,
                        const gm_field_source *source)
{
    const unsigned char *at = (const unsigned char *)source + group->offset + field->offset;
    uint64_t sum = 0;
    for (unsigned i = 0; i < group->parts; i++) {
        uint64_t part = 0;
        memcpy(&part, at + i * sizeof part, sizeof part);
        sum += part;
    }
    return sum;
}

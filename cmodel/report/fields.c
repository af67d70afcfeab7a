#include "report/fields.h"

#include <stdio.h>
#include <string.h>

static const gm_field core_fields[] = {
#define COUNTER(name, unit, meaning) {#name, unit, meaning, offsetof(gm_core_statistics, name)},
    GM_CORE_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field cache_fields[] = {
#define COUNTER(name, unit, meaning) {#name, unit, meaning, offsetof(gm_cache_statistics, name)},
    GM_CACHE_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field dram_fields[] = {
#define COUNTER(name, unit, meaning) {#name, unit, meaning, offsetof(gm_dram_statistics, name)},
    GM_DRAM_COUNTERS(COUNTER)
#undef COUNTER
};

static const gm_field traffic_fields[] = {
#define CLASS(name, meaning) {#name, "bytes", meaning, offsetof(gm_traffic_statistics, name)},
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
};

static const gm_field run_fields[] = {
    {"copies", "copies", "host-to-device copies", offsetof(gm_statistics, copies)},
    {"copy_bytes", "bytes", "in host-to-device copies", offsetof(gm_statistics, copy_bytes)},
    {"l2_dirty_sectors", "32-byte sectors", "in the L2 and not yet written to DRAM, at the end",
     offsetof(gm_statistics, l2_dirty_sectors)},
};

#define GROUP(section_, prefix_, list, offset_, parts_)                                            \
    {                                                                                              \
        .section = (section_), .prefix = (prefix_), .fields = (list),                              \
        .count = sizeof(list) / sizeof(list)[0], .offset = (offset_), .parts = (parts_)            \
    }
#define AT(member)         offsetof(gm_statistics, member)
#define KIND(member, kind) (AT(member) + (kind) * sizeof(uint64_t))

static const gm_field_group groups[] = {
    GROUP(GM_SECTION_CORE, "", core_fields, AT(core), 1),
    GROUP(GM_SECTION_L1D, "l1d.", cache_fields, AT(l1d), GM_ACCESS_KINDS),
    GROUP(GM_SECTION_L1D, "l1d.load.", cache_fields, KIND(l1d, GM_LOAD), 1),
    GROUP(GM_SECTION_L1D, "l1d.store.", cache_fields, KIND(l1d, GM_STORE), 1),
    GROUP(GM_SECTION_L1D, "l1d.atomic.", cache_fields, KIND(l1d, GM_ATOMIC), 1),
    GROUP(GM_SECTION_L2, "l2.", cache_fields, AT(l2), GM_ACCESS_KINDS),
    GROUP(GM_SECTION_L2, "l2.load.", cache_fields, KIND(l2, GM_LOAD), 1),
    GROUP(GM_SECTION_L2, "l2.store.", cache_fields, KIND(l2, GM_STORE), 1),
    GROUP(GM_SECTION_L2, "l2.atomic.", cache_fields, KIND(l2, GM_ATOMIC), 1),
    GROUP(GM_SECTION_DRAM, "dram.", dram_fields, AT(dram), 1),
    GROUP(GM_SECTION_TRAFFIC, "traffic_bytes.", traffic_fields, AT(traffic), 1),
    GROUP(GM_SECTION_RUN, "", run_fields, 0, 1),
};

const gm_field_group *gm_field_groups(unsigned *count)
{
    *count = sizeof groups / sizeof groups[0];
    return groups;
}

void gm_field_name(const gm_field_group *group, const gm_field *field, char name[GM_FIELD_NAME])
{
    static const char fails[] = "fails_";
    bool is_fail = strncmp(field->name, fails, sizeof fails - 1) == 0;
    snprintf(name, GM_FIELD_NAME, "%s%s%s", group->prefix, is_fail ? "reservation_fails." : "",
             field->name + (is_fail ? sizeof fails - 1 : 0));
}

uint64_t gm_field_value(const gm_field_group *group, const gm_field *field,
                        const gm_statistics *statistics)
{
    const unsigned char *at = (const unsigned char *)statistics + group->offset + field->offset;
    uint64_t sum = 0;
    for (unsigned i = 0; i < group->parts; i++) {
        uint64_t part = 0;
        memcpy(&part, at + i * sizeof part, sizeof part);
        sum += part;
    }
    return sum;
}

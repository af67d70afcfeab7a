/* goldmem index with addresses: set and tag of each under each function. */
#include "cli/index.h"

#include "report/json_value.h"

#include <inttypes.h>

static json_t *map_as_json(const gm_index_arguments *own, uint64_t address)
{
    uint64_t line = address >> gm_cli_line_shift(&own->geometry);
    json_t *sets = json_array();
    for (unsigned i = 0; i < own->functions; i++) {
        char tag[24];
        const gm_set_index *f = &own->function[i];
        snprintf(tag, sizeof tag, "0x%" PRIx64, gm_set_index_tag(f, line));
        json_array_append_new(sets,
                              json_pack("{so sI ss}", "function", gm_json_text(own->text[i]), "set",
                                        (json_int_t)gm_set_index_of(f, line), "tag", tag));
    }
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, address);
    return json_pack("{ss so}", "address", text, "functions", sets);
}

static void map_as_text(const gm_index_arguments *own)
{
    printf("%-18s", "");
    for (unsigned i = 0; i < own->functions; i++) {
        printf("  %-*s", i + 1 < own->functions ? 24 : 0, own->text[i]);
    }
    printf("\n%-18s", "address");
    for (unsigned i = 0; i < own->functions; i++) {
        printf("  %6s %-*s", "set", i + 1 < own->functions ? 17 : 0, "tag");
    }
    putchar('\n');
    for (uint64_t k = 0; k < own->addresses; k++) {
        uint64_t line = own->address[k] >> gm_cli_line_shift(&own->geometry);
        printf("0x%-16" PRIx64, own->address[k]);
        for (unsigned i = 0; i < own->functions; i++) {
            const gm_set_index *f = &own->function[i];
            printf("  %6u 0x%-*" PRIx64, gm_set_index_of(f, line), i + 1 < own->functions ? 15 : 0,
                   gm_set_index_tag(f, line));
        }
        putchar('\n');
    }
}

int gm_index_map(const gm_index_arguments *own)
{
    if (own->format == GM_INDEX_TEXT) {
        map_as_text(own);
        return GM_EXIT_OK;
    }
    if (own->format == GM_INDEX_CSV) {
        puts("address,function,set,tag");
        for (uint64_t k = 0; k < own->addresses; k++) {
            uint64_t line = own->address[k] >> gm_cli_line_shift(&own->geometry);
            for (unsigned i = 0; i < own->functions; i++) {
                const gm_set_index *f = &own->function[i];
                printf("0x%" PRIx64 ",%s,%u,0x%" PRIx64 "\n", own->address[k], own->text[i],
                       gm_set_index_of(f, line), gm_set_index_tag(f, line));
            }
        }
        return GM_EXIT_OK;
    }
    json_t *addresses = json_array();
    for (uint64_t k = 0; k < own->addresses; k++) {
        json_array_append_new(addresses, map_as_json(own, own->address[k]));
    }
    return gm_cli_print_json(json_pack("{si so}", "schema", 1, "addresses", addresses));
}

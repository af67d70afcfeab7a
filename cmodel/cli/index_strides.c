/* goldmem index --strides: how strided references spread over the sets. */
#include "cli/index.h"

#include "goldmem/set_index_strides.h"
#include "report/json_value.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_summary(const gm_index_arguments *own, uint32_t *count)
{
    printf("%" PRIu64 " references with strides of 1 to %" PRIu64 " lines: sets that they use, the "
           "same for multiples of\n%" PRIu64 " lines, and lines in the fullest set\n\n",
           own->geometry.sets, own->last_stride, own->geometry.sets);
    printf("%-20s %9s %10s %17s %7s %10s %8s\n", "function", "all sets", "mean sets",
           "mean of multiples", "fewest", "at stride", "fullest");
    for (unsigned i = 0; i < own->functions; i++) {
        gm_stride_summary s = gm_set_index_strides(&own->function[i], own->last_stride, count);
        printf("%-20s %9" PRIu64 " %10.2f ", own->text[i], s.free,
               (double)s.sets / (double)s.strides);
        if (s.aligned_strides == 0) {
            printf("%17s", "-");
        } else {
            printf("%17.2f", (double)s.aligned_sets / (double)s.aligned_strides);
        }
        printf(" %7u %10" PRIu64 " %8u\n", s.fewest, s.worst, s.most);
    }
}

/* Prints the summary, and for the strides that are powers of two the sets used and the lines in the
 * fullest set. */
static void strides_as_text(const gm_index_arguments *own, uint32_t *count)
{
    print_summary(own, count);
    printf("\n%8s", "stride");
    for (unsigned i = 0; i < own->functions; i++) {
        printf("  %20s", own->text[i]);
    }
    putchar('\n');
    for (uint64_t stride = 1; stride <= own->last_stride; stride *= 2) {
        printf("%8" PRIu64, stride);
        for (unsigned i = 0; i < own->functions; i++) {
            gm_stride_use use =
                gm_set_index_stride(&own->function[i], stride, own->geometry.sets, count);
            printf("  %8u sets, %5u", use.sets, use.most);
        }
        putchar('\n');
    }
}

static void strides_as_csv(const gm_index_arguments *own, uint32_t *count)
{
    puts("stride,function,sets,fullest");
    for (uint64_t stride = 1; stride <= own->last_stride; stride++) {
        for (unsigned i = 0; i < own->functions; i++) {
            gm_stride_use use =
                gm_set_index_stride(&own->function[i], stride, own->geometry.sets, count);
            printf("%" PRIu64 ",%s,%u,%u\n", stride, own->text[i], use.sets, use.most);
        }
    }
}

static int strides_as_json(const gm_index_arguments *own, uint32_t *count)
{
    json_t *functions = json_array();
    for (unsigned i = 0; i < own->functions; i++) {
        json_t *sets = json_array();
        json_t *fullest = json_array();
        for (uint64_t stride = 1; stride <= own->last_stride; stride++) {
            gm_stride_use use =
                gm_set_index_stride(&own->function[i], stride, own->geometry.sets, count);
            json_array_append_new(sets, json_integer(use.sets));
            json_array_append_new(fullest, json_integer(use.most));
        }
        json_array_append_new(functions,
                              json_pack("{so so so}", "function", gm_json_text(own->text[i]),
                                        "sets", sets, "fullest", fullest));
    }
    return gm_cli_print_json(json_pack("{si sI si so}", "schema", 1, "references",
                                       (json_int_t)own->geometry.sets, "first_stride", 1,
                                       "functions", functions));
}

int gm_index_print_strides(const gm_index_arguments *own)
{
    uint32_t *count = calloc(own->geometry.sets, sizeof *count);
    int status = GM_EXIT_OK;
    if (count == NULL) {
        return gm_cli_fail(GM_EXIT_FAILED, "out of memory");
    }
    switch (own->format) {
    case GM_INDEX_TEXT:
        strides_as_text(own, count);
        break;
    case GM_INDEX_CSV:
        strides_as_csv(own, count);
        break;
    case GM_INDEX_JSON:
        status = strides_as_json(own, count);
        break;
    }
    free(count);
    return status;
}

/* goldmem index --histogram: how an input's line requests spread over the sets. */
#include "cli/index.h"

#include "cli/input_argument.h"
#include "goldmem/set_histogram.h"
#include "report/json_value.h"

#include <inttypes.h>
#include <math.h>

/* Returns the standard deviation of the requests per set over their mean: 0 for an even spread. */
static double unevenness(const gm_set_use *use, uint64_t requests, uint64_t sets)
{
    double mean = (double)requests / (double)sets;
    double squares = 0;
    for (uint64_t i = 0; i < sets; i++) {
        double difference = (double)use->requests[i] - mean;
        squares += difference * difference;
    }
    return requests == 0 ? 0 : sqrt(squares / (double)sets) / mean;
}

static double ratio(uint64_t sum, uint64_t count)
{
    return count == 0 ? 0 : (double)sum / (double)count;
}

static uint64_t most_requests(const gm_set_use *use, uint64_t sets)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < sets; i++) {
        most = use->requests[i] > most ? use->requests[i] : most;
    }
    return most;
}

static void print_text(const gm_index_arguments *own, const gm_set_histogram *h)
{
    uint64_t sets = own->geometry.sets;
    printf("%s: %" PRIu64 " line requests, %" PRIu64 " lines, %" PRIu64
           " instructions to global memory\n"
           "%" PRIu64 " of these are divergent (2 lines or more), %.2f lines each\n\n",
           own->histogram, h->requests, h->lines, h->instructions, h->divergent,
           ratio(h->divergent_lines, h->divergent));
    printf("%-20s %18s %18s %22s %22s\n", "", "requests to", "deviation over", "divergent: sets",
           "lines in the");
    printf("%-20s %18s %18s %22s %22s\n", "function", "the busiest set", "mean", "per instruction",
           "fullest set");
    for (unsigned f = 0; f < own->functions; f++) {
        const gm_set_use *use = &h->use[f];
        printf("%-20s %17.1f%% %18.3f %22.2f %22.2f\n", own->text[f],
               100 * ratio(most_requests(use, sets), h->requests),
               unevenness(use, h->requests, sets), ratio(use->sets, h->divergent),
               ratio(use->fullest, h->divergent));
    }
}

static void print_csv(const gm_index_arguments *own, const gm_set_histogram *h)
{
    puts("function,set,requests,lines");
    for (unsigned f = 0; f < own->functions; f++) {
        for (uint64_t i = 0; i < own->geometry.sets; i++) {
            printf("%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", own->text[f], i,
                   h->use[f].requests[i], h->use[f].lines[i]);
        }
    }
}

static int print_json(const gm_index_arguments *own, const gm_set_histogram *h)
{
    json_t *functions = json_array();
    for (unsigned f = 0; f < own->functions; f++) {
        json_t *requests = json_array();
        json_t *lines = json_array();
        for (uint64_t i = 0; i < own->geometry.sets; i++) {
            json_array_append_new(requests, gm_json_count(h->use[f].requests[i]));
            json_array_append_new(lines, gm_json_count(h->use[f].lines[i]));
        }
        json_array_append_new(functions,
                              json_pack("{so so so so so}", "function", gm_json_text(own->text[f]),
                                        "requests", requests, "lines", lines, "divergent_sets",
                                        gm_json_count(h->use[f].sets), "divergent_fullest",
                                        gm_json_count(h->use[f].fullest)));
    }
    return gm_cli_print_json(json_pack(
        "{si so so so so so so so}", "schema", 1, "input", gm_json_text(own->histogram), "requests",
        gm_json_count(h->requests), "lines", gm_json_count(h->lines), "instructions",
        gm_json_count(h->instructions), "divergent", gm_json_count(h->divergent), "divergent_lines",
        gm_json_count(h->divergent_lines), "functions", functions));
}

int gm_index_print_histogram(const gm_index_arguments *own)
{
    gm_source *source = NULL;
    gm_set_histogram histogram;
    gm_error error = {0};
    int status = GM_EXIT_OK;
    if (gm_cli_open_source(&source, own->histogram, &error) < 0) {
        return gm_cli_error(&error);
    }
    int code = gm_set_histogram_read(&histogram, source, own->function, own->functions,
                                     own->geometry.line, &error);
    gm_source_close(source);
    if (code < 0) {
        return gm_cli_error(&error);
    }
    switch (own->format) {
    case GM_INDEX_TEXT:
        print_text(own, &histogram);
        break;
    case GM_INDEX_CSV:
        print_csv(own, &histogram);
        break;
    case GM_INDEX_JSON:
        status = print_json(own, &histogram);
        break;
    }
    gm_set_histogram_free(&histogram);
    return status;
}

/* Variants of the order engine's machine. */
#include "order/order_variants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if variants may differ in the key: it decides where a line lies, and nothing that
 * the source, the warps or the coalescer do. */
static bool may_differ(const gm_key *key)
{
    return strcmp(key->name, "l1.index") == 0 || strcmp(key->name, "l2.index") == 0;
}

static int check_keys(const gm_config *config, const gm_config *variant, uint64_t number,
                      gm_error *error)
{
    unsigned count;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; i < count; i++) {
        char ours[GM_CONFIG_TEXT];
        char theirs[GM_CONFIG_TEXT];
        gm_config_get(config, &keys[i], ours, sizeof ours);
        gm_config_get(variant, &keys[i], theirs, sizeof theirs);
        if (!may_differ(&keys[i]) && strcmp(ours, theirs) != 0) {
            return gm_fail(error, -EINVAL, "variant %llu: %s=%s: must be %s as in the run",
                           (unsigned long long)number, keys[i].name, theirs, ours);
        }
    }
    return 0;
}

int gm_order_variants_create(gm_order_variants **variants, const gm_config *config,
                             const gm_run_options *options, gm_error *error)
{
    *variants = NULL;
    if (options->analyses != 0 || options->check_values) {
        return gm_fail(error, -EINVAL, "variants go neither with analyses nor with values");
    }
    gm_order_variants *made =
        calloc(1, sizeof *made + options->variant_count * sizeof made->machine[0]);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the variants");
    }
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < options->variant_count; i++) {
        code = check_keys(config, &options->variants[i], i, error);
        code = code < 0
                   ? code
                   : gm_order_machine_init(&made->machine[i], &options->variants[i], false, error);
        made->count += code == 0;
    }
    if (code < 0) {
        gm_order_variants_free(made);
        return code;
    }
    *variants = made;
    return 0;
}

void gm_order_variants_free(gm_order_variants *variants)
{
    for (uint64_t i = 0; variants != NULL && i < variants->count; i++) {
        gm_order_machine_free(&variants->machine[i]);
    }
    free(variants);
}

int gm_order_variants_kernel(gm_order_variants *variants, uint64_t number, const gm_kernel *kernel,
                             gm_error *error)
{
    int code = 0;
    for (uint64_t i = 0; code >= 0 && i < variants->count; i++) {
        code = gm_bypass_kernel(&variants->machine[i].bypass, number, kernel, error);
    }
    return code;
}

static void take(void *context, uint32_t sm, const gm_line_request *request, gm_request_kind kind,
                 const uint32_t *bytes)
{
    gm_order_variants *variants = context;
    for (uint64_t i = 0; i < variants->count; i++) {
        gm_order_sm *own = &variants->machine[i].sm[sm];
        gm_outcome outcome = {0};
        own->port.bytes = bytes;
        gm_order_l1_access(&own->l1, request, kind, &outcome);
        own->port.bytes = NULL;
    }
}

gm_order_tap gm_order_variants_tap(gm_order_variants *variants)
{
    return (gm_order_tap){variants, take};
}

void gm_order_variants_flush_l1s(gm_order_variants *variants)
{
    for (uint64_t i = 0; i < variants->count; i++) {
        gm_order_machine *machine = &variants->machine[i];
        for (uint32_t sm = 0; sm < machine->sms; sm++) {
            gm_order_l1_flush(&machine->sm[sm].l1);
        }
        gm_trackers_flush(&machine->trackers);
    }
}

void gm_order_variants_resize_l1s(gm_order_variants *variants, uint32_t ways)
{
    for (uint64_t i = 0; i < variants->count; i++) {
        gm_order_machine *machine = &variants->machine[i];
        for (uint32_t sm = 0; sm < machine->sms; sm++) {
            gm_cache_resize(&machine->sm[sm].l1.cache, ways);
        }
    }
}

void gm_order_variants_copy(gm_order_variants *variants, gm_message_kind kind, uint64_t l2_line,
                            uint32_t sectors)
{
    for (uint64_t i = 0; i < variants->count; i++) {
        gm_order_noc_copy(&variants->machine[i].noc, kind, l2_line, sectors);
    }
}

/* Takes over what the run's machine has counted in front of the L1s. */
static void take_over(gm_order_machine *machine, const gm_order_machine *of)
{
    machine->delivered = of->delivered;
    machine->unified = of->unified;
    for (uint32_t i = 0; i < machine->sms; i++) {
        machine->sm[i].core = of->sm[i].core;
        machine->sm[i].turns = of->sm[i].turns;
        memcpy(machine->sm[i].requests, of->sm[i].requests, sizeof of->sm[i].requests);
    }
}

int gm_order_variants_end_kernel(gm_order_variants *variants, const gm_order_machine *of,
                                 bool check, gm_error *error)
{
    int code = 0;
    for (uint64_t i = 0; code == 0 && i < variants->count; i++) {
        gm_order_machine *machine = &variants->machine[i];
        gm_order_noc_drain(&machine->noc);
        gm_memory_side_end_kernel(&machine->memory);
        code = gm_order_machine_failed(machine, error);
        take_over(machine, of);
        gm_order_machine_sum(machine, &machine->total);
        code = code == 0 && check ? gm_order_machine_check(machine, error) : code;
    }
    return code;
}

void gm_order_variants_sum(gm_order_variants *variants, uint64_t variant,
                           const gm_order_machine *of, gm_statistics *total)
{
    gm_order_machine *machine = &variants->machine[variant];
    gm_order_noc_drain(&machine->noc);
    take_over(machine, of);
    gm_order_machine_sum(machine, total);
}

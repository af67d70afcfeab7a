/* DPI functions: a block's C model behind a handle, for SystemVerilog testbenches. */
#include "dpi_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 64 }; /* random requests made at once */

struct gm_dpi {
    const gm_cosim_block *block;
    gm_cosim_configuration configuration;
    gm_port_shape shape;
    gm_arena arena;
    void *model;
    gm_cosim_random random;
    gm_cosim_plan plan;
    unsigned given; /* of `made` */
    uint64_t made[BATCH * GM_PORTS_FIELDS];
};

static _Thread_local gm_error last;

const char *gm_dpi_error(void)
{
    return last.text;
}

static const gm_cosim_block *find(const char *name)
{
    for (size_t i = 0; gm_dpi_blocks[i] != NULL; i++) {
        if (strcmp(gm_dpi_blocks[i]->ports->block, name) == 0) {
            return gm_dpi_blocks[i];
        }
    }
    gm_fail(&last, -ENOENT, "goldmem: no block '%s'", name);
    return NULL;
}

int gm_dpi_reset(gm_dpi *model)
{
    if (model == NULL) {
        return gm_fail(&last, -EINVAL, "goldmem: no model: gm_dpi_open has failed");
    }
    memset(model->arena.memory, 0, model->arena.size);
    model->arena.used = 0;
    return model->block->init(&model->configuration, &model->arena, &model->model, &last);
}

gm_dpi *gm_dpi_open(const char *block, const char *options)
{
    gm_dpi *model = calloc(1, sizeof *model);
    if (model == NULL) {
        gm_fail(&last, -ENOMEM, "goldmem: out of memory");
        return NULL;
    }
    model->block = find(block != NULL ? block : "");
    if (model->block == NULL ||
        model->block->configure(options != NULL ? options : "", &model->configuration, &last) < 0 ||
        gm_arena_create(&model->arena, model->block->arena_bytes, &last) < 0 ||
        gm_dpi_reset(model) < 0) {
        gm_dpi_close(model);
        return NULL;
    }
    uint64_t numbers[GM_PORTS_PARAMETERS] = {0};
    for (unsigned i = 0; i < model->block->ports->parameters; i++) {
        numbers[i] = model->configuration.parameter[i][0];
    }
    model->block->ports->shape(numbers, &model->shape);
    gm_dpi_seed(model, 1);
    return model;
}

void gm_dpi_close(gm_dpi *model)
{
    if (model != NULL) {
        gm_arena_free(&model->arena);
    }
    free(model);
}

static int check_block(const gm_dpi *model, const char *block)
{
    return model != NULL && strcmp(model->block->ports->block, block) == 0
               ? 0
               : gm_fail(&last, -EINVAL, "goldmem: this is not a model of %s", block);
}

/* Writes fields into a packed struct, in which the first field is highest. */
static void pack(gm_dpi_word *words, const uint64_t *fields, unsigned count)
{
    for (unsigned f = 0; f < count; f++) {
        gm_dpi_word *word = words + (size_t)2 * (count - 1 - f);
        word[0] = (gm_dpi_word)fields[f];
        word[1] = (gm_dpi_word)(fields[f] >> 32);
    }
}

void gm_dpi_seed(gm_dpi *model, uint64_t seed)
{
    if (model != NULL) {
        model->random = (gm_cosim_random){seed};
        model->plan = (gm_cosim_plan){0};
        model->given = BATCH;
    }
}

int gm_dpi_next(gm_dpi *model, const char *block, gm_dpi_word *request)
{
    int code = check_block(model, block);
    if (code < 0) {
        return code;
    }
    unsigned fields = model->block->ports->requests;
    if (model->given == BATCH) {
        model->block->stimulus(&model->configuration, &model->random, &model->plan, model->made,
                               BATCH);
        model->given = 0;
    }
    pack(request, model->made + (size_t)model->given++ * fields, fields);
    return 0;
}

int gm_dpi_access(gm_dpi *model, const char *block, const gm_dpi_word *request,
                  gm_dpi_word *response)
{
    int code = check_block(model, block);
    if (code < 0) {
        return code;
    }
    const gm_ports *ports = model->block->ports;
    uint64_t in[GM_PORTS_FIELDS];
    uint64_t out[GM_PORTS_FIELDS] = {0};
    for (unsigned f = 0; f < ports->requests; f++) {
        const gm_dpi_word *word = request + (size_t)2 * (ports->requests - 1 - f);
        uint64_t width = model->shape.request[f];
        in[f] = word[0] | (uint64_t)word[1] << 32;
        if (width < 64 && in[f] >> width != 0) {
            return gm_fail(&last, -EINVAL, "goldmem: %s: %s=0x%llx has more than %llu bits", block,
                           ports->request[f].name, (unsigned long long)in[f],
                           (unsigned long long)width);
        }
    }
    model->block->access(model->model, in, out, 1);
    pack(response, out, ports->responses);
    return 0;
}

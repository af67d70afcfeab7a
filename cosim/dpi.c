#include "dpi_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct gm_dpi {
    const gm_cosim_block *block;
    gm_cosim_configuration configuration;
    gm_port_shape shape;
    gm_arena arena;
    void *model;
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
    model->block = find(block);
    if (model->block == NULL ||
        model->block->configure(options, &model->configuration, &last) < 0 ||
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
    return model;
}

void gm_dpi_close(gm_dpi *model)
{
    if (model != NULL) {
        gm_arena_free(&model->arena);
    }
    free(model);
}

int gm_dpi_access(gm_dpi *model, const char *block, const gm_dpi_word *request,
                  gm_dpi_word *response)
{
    if (model == NULL || strcmp(model->block->ports->block, block) != 0) {
        return gm_fail(&last, -EINVAL, "goldmem: this is not a model of %s", block);
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
    for (unsigned f = 0; f < ports->responses; f++) {
        gm_dpi_word *word = response + (size_t)2 * (ports->responses - 1 - f);
        word[0] = (gm_dpi_word)out[f];
        word[1] = (gm_dpi_word)(out[f] >> 32);
    }
    return 0;
}

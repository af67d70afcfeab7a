/* The C side of cosim/goldmem_dpi_pkg.sv for one block: GM_PORTS_HEADER, GM_REQUEST, GM_RESPONSE
 * and GM_DPI(name) ("goldmem_BLOCK_name") say which. Any simulator that has DPI-C can load it. */
#include "cosim.h"

#ifndef GM_PORTS_HEADER /* what a linter looks at */
#define GM_PORTS_HEADER "blocks/set_index.ports.h"
#define GM_REQUEST      GM_SET_INDEX_REQUEST
#define GM_RESPONSE     GM_SET_INDEX_RESPONSE
#define GM_DPI(name)    goldmem_set_index_##name
#endif

#include GM_PORTS_HEADER

#include <stdio.h>
#include <stdlib.h>

#define IN(name, width, what)   , uint64_t name##_i
#define OUT(name, width, what)  , uint64_t *name##_o
#define TAKE(name, width, what) name##_i,
#define GIVE(name, width, what) *name##_o = response[n++];

typedef struct dpi_model {
    gm_arena arena;
    void *model;
} dpi_model;

void *GM_DPI(new)(const char *options);
void GM_DPI(free)(void *handle);
void GM_DPI(access)(void *handle GM_REQUEST(IN) GM_RESPONSE(OUT));

/* A simulator cannot take an error, so a bad option is told on stderr and gives null. */
void *GM_DPI(new)(const char *options)
{
    const gm_cosim_block *block = &gm_cosim_block_here;
    gm_cosim_configuration configuration;
    gm_error error;
    dpi_model *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    if (block->configure(options, &configuration, &error) < 0 ||
        gm_arena_create(&made->arena, block->arena_bytes, &error) < 0 ||
        block->init(&configuration, &made->arena, &made->model, &error) < 0) {
        fprintf(stderr, "goldmem: %s: %s\n", block->ports->block, error.text);
        gm_arena_free(&made->arena);
        free(made);
        return NULL;
    }
    return made;
}

void GM_DPI(free)(void *handle)
{
    dpi_model *made = handle;
    if (made != NULL) {
        gm_arena_free(&made->arena);
        free(made);
    }
}

void GM_DPI(access)(void *handle GM_REQUEST(IN) GM_RESPONSE(OUT))
{
    const uint64_t request[] = {GM_REQUEST(TAKE)};
    uint64_t response[GM_PORTS_FIELDS];
    unsigned n = 0;
    gm_cosim_block_here.access(((dpi_model *)handle)->model, request, response, 1);
    GM_RESPONSE(GIVE)
}

/* A source with one launch of a kernel that communicates, for tests of live CTAs. */
#ifndef GOLDMEM_TESTS_SUPPORT_WORKLOAD_LIVE_SOURCE_H
#define GOLDMEM_TESTS_SUPPORT_WORKLOAD_LIVE_SOURCE_H

#include "support/support.h"
#include "workload/simt/device.h"
#include "workload/simt/simt_live.h"

#include <stdlib.h>

typedef struct live_source {
    gm_source source;
    gm_device device;
    gm_simt *simt;
    gm_simt_live live;
    gm_value_observer observer;
    gm_launch launch;
    gm_kernel *kernel;
    gm_dim cta;
    uint64_t left;
    bool launched;
} live_source;

static inline int live_source_command(gm_source *source, gm_command *command, gm_error *error)
{
    live_source *s = (live_source *)source;
    if (s->launched) {
        return 0;
    }
    s->launched = true;
    *s->kernel = (gm_kernel){.name = "live",
                             .grid = {s->launch.grid.x, s->launch.grid.y, s->launch.grid.z},
                             .block = {s->launch.block.x, s->launch.block.y, s->launch.block.z},
                             .shared_bytes = (uint32_t)s->launch.code->shared_bytes};
    s->left = gm_kernel_ctas(s->kernel);
    test_ok(gm_simt_launch(s->simt, &s->launch, error), *error);
    gm_simt_live_launch(&s->live, &s->launch);
    *command = (gm_command){.kind = GM_COMMAND_KERNEL, .kernel = s->kernel};
    return 1;
}

static inline int live_source_cta(gm_source *source, const gm_cta_sink *sink, gm_error *error)
{
    live_source *s = (live_source *)source;
    if (s->left == 0) {
        return 0;
    }
    s->left--;
    gm_dim cta = s->cta;
    s->cta = gm_dim_next(cta, s->launch.grid);
    int code = gm_simt_live_begin_cta(&s->live, &cta, sink, error);
    return code < 0 ? code : 1;
}

static inline gm_progress live_source_progress(const gm_source *source)
{
    (void)source;
    return (gm_progress){0};
}

static inline void live_source_close(gm_source *source)
{
    live_source *s = (live_source *)source;
    gm_simt_live_free(&s->live);
    gm_simt_free(s->simt);
    gm_device_free(&s->device);
    gm_opcode_table_free(&source->opcodes);
    free(s->kernel);
    free(s);
}

static inline const gm_value_observer *live_source_begin(gm_source *source)
{
    live_source *s = (live_source *)source;
    s->observer = gm_simt_live_observer(&s->live);
    return &s->observer;
}

static inline int live_source_go_on(gm_source *source, uint64_t cta, uint32_t warp,
                                    const gm_cta_sink *sink, gm_error *error)
{
    return gm_simt_live_go_on(&((live_source *)source)->live, cta, warp, sink, error);
}

static inline uint64_t live_source_open(const gm_source *source, uint64_t cta)
{
    return gm_simt_live_open(&((const live_source *)source)->live, cta);
}

static inline void live_source_forget(gm_source *source, gm_live_each *each, void *context)
{
    gm_simt_live_forget(&((live_source *)source)->live, each, context);
}

static inline bool live_source_is_stuck(gm_source *source, char *text, size_t size)
{
    return gm_simt_live_is_stuck(&((live_source *)source)->live, text, size);
}

/* Makes a source without a launch: the caller takes arrays of `device`, and fills in `launch`. */
static inline live_source *live_source_new(void)
{
    static const gm_source_operations operations = {live_source_command, live_source_cta,
                                                    live_source_progress, NULL, live_source_close};
    static const gm_live_operations live = {live_source_begin, live_source_go_on, live_source_open,
                                            live_source_forget, live_source_is_stuck};
    gm_error error;
    live_source *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->source.operations = &operations;
    s->source.live = &live;
    s->source.name = "live";
    s->kernel = calloc(1, sizeof *s->kernel);
    assert_non_null(s->kernel);
    test_ok(gm_device_create(&s->device, &error), error);
    test_ok(gm_simt_create(&s->simt, &s->source.opcodes, s->device.memory, &error), error);
    gm_simt_live_init(&s->live, s->simt, s->device.memory);
    s->launch = (gm_launch){.grid = {1, 1, 1}, .block = {GM_WARP_SIZE, 1, 1}};
    return s;
}

#endif

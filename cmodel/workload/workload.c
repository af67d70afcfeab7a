/* Built-in workloads as sources: deliver the copies of the input arrays, then the launches of the
 * host's program. */
#include "workload/workload_internal.h"

#include "base/content_hash.h"
#include "goldmem/nearest.h"
#include "workload/input_file.h"
#include "workload/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORKLOAD(name) extern const gm_workload_definition gm_workload_##name;
GM_WORKLOADS(WORKLOAD)
#undef WORKLOAD

#define WORKLOAD(name) &gm_workload_##name.description,
static const gm_workload_description *const descriptions[] = {GM_WORKLOADS(WORKLOAD)};
#undef WORKLOAD

#define WORKLOAD(name) &gm_workload_##name,
static const gm_workload_definition *const definitions[] = {GM_WORKLOADS(WORKLOAD)};
#undef WORKLOAD

enum { WORKLOADS = sizeof definitions / sizeof definitions[0], DEFAULT_REGISTERS = 24 };

const gm_workload_description *const *gm_workloads(unsigned *count)
{
    *count = WORKLOADS;
    return descriptions;
}

gm_workload *gm_workload_of(gm_source *source)
{
    return (gm_workload *)source; /* its first member */
}

/* Fills in the kernel's header. */
static void describe_kernel(gm_workload *workload)
{
    const gm_launch *launch = &workload->launch;
    gm_kernel *kernel = workload->kernel;
    *kernel = (gm_kernel){
        .id = workload->step,
        .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
        .block = {launch->block.x, launch->block.y, launch->block.z},
        .shared_bytes = (uint32_t)launch->code->shared_bytes + launch->shared_bytes,
        .registers = launch->registers != 0 ? launch->registers : DEFAULT_REGISTERS,
        .binary_version = 80,
        .stream = launch->stream,
        .shared_base = UINT64_C(0x7e8000000000),
        .local_base = GM_LOCAL_BASE,
        .nvbit_version = "goldmem",
        .tracer_version = "5",
        .version = 5,
        .has_immediate = true,
    };
    strncpy(kernel->name, launch->code->name, sizeof kernel->name - 1);
}

/* Executes a CTA that is not delivered: later kernels need its results. */
static int ignore_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)context, (void)cta, (void)error;
    return 0;
}
static int ignore_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context, (void)warp, (void)error;
    return 0;
}
static int ignore_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)context, (void)instruction, (void)error;
    return 0;
}
static int ignore_end(void *context, gm_error *error)
{
    (void)context, (void)error;
    return 0;
}

/* As gm_simt_run_cta, of a kernel that communicates. */
static int next_live_cta(gm_workload *workload, const gm_cta_sink *sink, gm_error *error)
{
    gm_simt_live *live = &workload->live;
    if (live->timed) {
        return gm_simt_live_begin_cta(live, &workload->cta, sink, error);
    }
    bool first = workload->remaining == gm_kernel_ctas(workload->kernel);
    int result = first ? gm_simt_live_run_all(live, error) : 0;
    return result < 0 ? result : gm_simt_live_deliver(live, sink, error);
}

static int next_cta(gm_source *source, const gm_cta_sink *sink, gm_error *error)
{
    gm_workload *workload = gm_workload_of(source);
    if (workload->remaining == 0) {
        return 0;
    }
    int result;
    if (workload->launch.code->communicates) {
        result = next_live_cta(workload, sink, error);
    } else {
        result = gm_simt_run_cta(workload->simt, &workload->launch, &workload->cta, sink, error);
    }
    if (result < 0) {
        return result;
    }
    workload->cta = gm_dim_next(workload->cta, workload->launch.grid);
    workload->remaining--;
    atomic_fetch_add_explicit(&workload->done, 1, memory_order_relaxed);
    return 1;
}

static int finish_kernel(gm_workload *workload, gm_error *error)
{
    static const gm_cta_sink ignore = {NULL, ignore_cta, ignore_warp, ignore_instruction,
                                       ignore_end};
    bool timed = workload->live.timed;
    workload->live.timed = false; /* nobody has run the kernel */
    int result = 1;
    while (result == 1) {
        result = next_cta(&workload->source, &ignore, error);
    }
    workload->live.timed = timed;
    return result;
}

static const gm_value_observer *begin_live(gm_source *source)
{
    gm_workload *workload = gm_workload_of(source);
    workload->observer = gm_simt_live_observer(&workload->live);
    return &workload->observer;
}

static int go_on_live(gm_source *source, uint64_t cta, uint32_t warp, const gm_cta_sink *sink,
                      gm_error *error)
{
    return gm_simt_live_go_on(&gm_workload_of(source)->live, cta, warp, sink, error);
}

static uint64_t open_live(const gm_source *source, uint64_t cta)
{
    return gm_simt_live_open(&((const gm_workload *)source)->live, cta);
}

static void forget_live(gm_source *source, gm_live_each *each, void *context)
{
    gm_simt_live_forget(&gm_workload_of(source)->live, each, context);
}

static bool is_live_stuck(gm_source *source, char *text, size_t size)
{
    return gm_simt_live_is_stuck(&gm_workload_of(source)->live, text, size);
}

static const gm_live_operations live_operations = {begin_live, go_on_live, open_live, forget_live,
                                                   is_live_stuck};

static int next_command(gm_source *source, gm_command *command, gm_error *error)
{
    gm_workload *workload = gm_workload_of(source);
    const gm_device *device = &workload->device;
    for (; workload->copies < device->arrays; workload->copies++) {
        const gm_device_array *array = &device->array[workload->copies];
        if (array->copied && array->bytes != 0) {
            uint64_t offset = (uint64_t)((unsigned char *)array->data - device->memory);
            *command = (gm_command){
                .kind = GM_COMMAND_COPY, .address = GM_DEVICE_BASE + offset, .bytes = array->bytes};
            workload->copies++;
            return 1;
        }
    }
    int result = finish_kernel(workload, error);
    if (result < 0) {
        return result;
    }
    workload->launch = (gm_launch){.grid = {1, 1, 1}, .block = {1, 1, 1}};
    result = workload->definition->launch(workload, workload->state, workload->step,
                                          &workload->launch, error);
    if (result != 1) {
        return result;
    }
    result = gm_simt_launch(workload->simt, &workload->launch, error);
    if (result < 0) {
        return result;
    }
    gm_simt_live_launch(&workload->live, &workload->launch);
    workload->step++;
    workload->cta = (gm_dim){0, 0, 0};
    describe_kernel(workload);
    workload->remaining = gm_kernel_ctas(workload->kernel);
    atomic_fetch_add_explicit(&workload->total, workload->remaining, memory_order_relaxed);
    *command = (gm_command){.kind = GM_COMMAND_KERNEL, .kernel = workload->kernel};
    return 1;
}

static gm_progress progress(const gm_source *source)
{
    const gm_workload *workload = (const gm_workload *)source;
    /* The number of launches that follow is known only to the host's program. */
    return (gm_progress){.done = atomic_load_explicit(&workload->done, memory_order_relaxed),
                         .total = atomic_load_explicit(&workload->total, memory_order_relaxed),
                         .open = true};
}

static void close_workload(gm_source *source)
{
    gm_workload *workload = gm_workload_of(source);
    if (workload->definition->finish != NULL && workload->state != NULL) {
        workload->definition->finish(workload->state);
    }
    for (unsigned i = 0; i < GM_WORKLOAD_OPTIONS; i++) {
        free(workload->path[i]);
    }
    gm_simt_live_free(&workload->live);
    gm_simt_free(workload->simt);
    gm_device_free(&workload->device);
    gm_opcode_table_free(&source->opcodes);
    free(workload->state);
    free(workload->kernel);
    free(workload->name);
    free(workload);
}

/* Hashes the files given, in the order of the options. */
static int content(const gm_source *source, uint64_t *hash, gm_error *error)
{
    const gm_workload *workload = (const gm_workload *)source;
    for (unsigned i = 0; i < GM_WORKLOAD_OPTIONS; i++) {
        if (workload->path[i] == NULL) {
            continue;
        }
        gm_input_file file;
        int code = gm_input_file_load(&file, workload->path[i], error);
        if (code < 0) {
            return code;
        }
        *hash = gm_content_bytes(*hash, file.bytes, file.length);
        gm_input_file_free(&file);
    }
    return 0;
}

static const gm_source_operations operations = {next_command, next_cta, progress, content,
                                                close_workload};

static const gm_workload_definition *find(const char *name, size_t length)
{
    for (unsigned i = 0; i < WORKLOADS; i++) {
        const char *known = definitions[i]->description.name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return definitions[i];
        }
    }
    return NULL;
}

static int no_such(const char *name, size_t length, gm_error *error)
{
    const char *names[WORKLOADS];
    char given[64];
    length = length < sizeof given ? length : sizeof given - 1;
    memcpy(given, name, length);
    given[length] = '\0';
    for (unsigned i = 0; i < WORKLOADS; i++) {
        names[i] = definitions[i]->description.name;
    }
    const char *nearest = gm_nearest(given, names, WORKLOADS, sizeof names[0]);
    return nearest != NULL
               ? gm_fail(error, -EINVAL, "no workload '%s'; did you mean '%s'?", given, nearest)
               : gm_fail(error, -EINVAL, "no workload '%s' (goldmem workloads lists them)", given);
}

/* Makes a workload without its options and arrays. */
static gm_workload *create(const gm_workload_definition *definition, const char *specification,
                           gm_error *error)
{
    gm_workload *workload = calloc(1, sizeof *workload);
    if (workload == NULL) {
        gm_fail(error, -ENOMEM, "out of memory for a workload");
        return NULL;
    }
    workload->source.operations = &operations;
    workload->definition = definition;
    workload->name = strdup(specification);
    workload->source.name = workload->name;
    workload->kernel = calloc(1, sizeof *workload->kernel);
    workload->state = calloc(1, definition->state_bytes + 1);
    int result = gm_device_create(&workload->device, error);
    if (workload->name == NULL || workload->kernel == NULL || workload->state == NULL) {
        result = gm_fail(error, -ENOMEM, "out of memory for a workload");
    }
    if (result >= 0) {
        result = gm_simt_create(&workload->simt, &workload->source.opcodes, workload->device.memory,
                                error);
    }
    if (result < 0) {
        close_workload(&workload->source);
        return NULL;
    }
    gm_simt_live_init(&workload->live, workload->simt, workload->device.memory);
    workload->source.live = definition->communicates ? &live_operations : NULL;
    return workload;
}

int gm_workload_open(gm_source **source, const char *specification, gm_error *error)
{
    *source = NULL;
    gm_error unused = {0};
    error = error != NULL ? error : &unused;
    size_t length = strcspn(specification, ",");
    const gm_workload_definition *definition = find(specification, length);
    if (definition == NULL) {
        return no_such(specification, length, error);
    }
    gm_workload *workload = create(definition, specification, error);
    if (workload == NULL) {
        return error->code;
    }
    int result = gm_workload_options(workload, specification + length, error);
    if (result >= 0) {
        result = definition->setup(workload, workload->state, error);
    }
    if (result < 0) {
        close_workload(&workload->source);
        return result;
    }
    *source = &workload->source;
    return 0;
}

const gm_device_array *gm_workload_array(gm_source *source, const char *name)
{
    const gm_device *device = &gm_workload_of(source)->device;
    for (unsigned i = 0; i < device->arrays; i++) {
        if (strcmp(device->array[i].name, name) == 0) {
            return &device->array[i];
        }
    }
    return NULL;
}

int64_t gm_workload_value(gm_source *source, const char *option)
{
    const gm_workload *workload = gm_workload_of(source);
    const gm_workload_option *options = workload->definition->description.options;
    for (unsigned i = 0; options[i].name != NULL; i++) {
        if (strcmp(options[i].name, option) == 0) {
            return workload->value[i];
        }
    }
    return -1;
}

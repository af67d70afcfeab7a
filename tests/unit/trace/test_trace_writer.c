/* A source written as a trace reads back as the same source, in every form; and nothing is left
 * when writing fails. */
#include "goldmem/bits.h"
#include "goldmem/trace.h"
#include "goldmem/trace_writer.h"
#include "support/support.h"
#include "support/trace/digest.h"
#include "trace/opcode.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A source of random kernels; the same seed makes the same. */
typedef struct random_source {
    gm_source base;
    test_random random;
    gm_kernel kernel;
    unsigned commands; /* left */
    uint64_t cta;
    uint64_t fail_at; /* CTAs until it fails, or 0 */
    bool no_ctas;
    bool tensor_copy; /* an instruction with more addresses than lanes */
    uint64_t addresses[GM_ADDRESSES];
} random_source;

static uint64_t below(random_source *source, uint64_t bound)
{
    return test_random_below(&source->random, bound);
}

static int next_command(gm_source *base, gm_command *command, gm_error *error)
{
    (void)error;
    random_source *source = (random_source *)base;
    if (source->commands == 0) {
        return 0;
    }
    source->commands--;
    if (source->commands % 3 == 2) {
        *command = (gm_command){.kind = GM_COMMAND_COPY,
                                .address = test_random_next(&source->random) >> 16,
                                .bytes = below(source, 1 << 30)};
        return 1;
    }
    source->kernel = (gm_kernel){
        .id = source->commands / 2, /* twice the same */
        .grid = {(uint32_t)below(source, 4) + 1, (uint32_t)below(source, 3) + 1,
                 (uint32_t)below(source, 3) + 1},
        .block = {(uint32_t)below(source, 100) + 1, (uint32_t)below(source, 3) + 1, 1},
        .shared_bytes = (uint32_t)below(source, 100000),
        .registers = (uint32_t)below(source, 256),
        .binary_version = 80,
        .stream = below(source, 9),
        .shared_base = UINT64_C(0x00007fb139000000),
        .local_base = UINT64_C(0x00007fb137000000),
        .nvbit_version = "1.7",
        .tracer_version = "5",
        .version = 5,
        .has_immediate = true,
    };
    snprintf(source->kernel.name, sizeof source->kernel.name, "_Z%ukernelPf", source->commands);
    source->cta = 0;
    source->no_ctas = source->commands == 4; /* one kernel whose CTAs left no record */
    *command = (gm_command){.kind = GM_COMMAND_KERNEL, .kernel = &source->kernel};
    return 1;
}

static uint32_t random_mask(random_source *source)
{
    switch (below(source, 5)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return UINT32_C(1) << below(source, 32);
    case 2: /* a run */
        return (uint32_t)(gm_mask((unsigned)below(source, 33)) << below(source, 32));
    case 3:
        return 0;
    default:
        return (uint32_t)test_random_next(&source->random);
    }
}

static void make_addresses(random_source *source, gm_instruction *made)
{
    made->addresses = (uint16_t)gm_count_ones(made->mask);
    if (made->addresses == 0) {
        return;
    }
    uint64_t base = test_random_next(&source->random) >> below(source, 64);
    int64_t stride = (int64_t)test_random_next(&source->random) >> below(source, 64);
    if (below(source, 2) != 0) {
        made->form = GM_ADDRESS_STRIDE;
        made->base = base;
        made->stride = stride;
        return;
    }
    made->form = GM_ADDRESS_LIST;
    made->address = source->addresses;
    bool strided = below(source, 4) == 0;
    for (unsigned k = 0; k < made->addresses; k++) {
        source->addresses[k] = strided
                                   ? base + (uint64_t)k * 4
                                   : base + (uint64_t)((int64_t)test_random_next(&source->random) >>
                                                       below(source, 64));
    }
}

static int make(random_source *source, gm_instruction *made, gm_error *error)
{
    static const struct {
        const char *text;
        bool memory;
    } opcodes[] = {{"IADD3", false},        {"LDG.E.128.CONSTANT.SYS", true},
                   {"STG.E.U8", true},      {"LDS.U.64", true},
                   {"LDSM.16.M88.4", true}, {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU", true},
                   {"LDL.LU", true},        {"ATOMG.E.ADD.F64.RN", true},
                   {"LD.E", true},          {"LDGSTS.E.BYPASS.128", true},
                   {"ULDC.64", false},      {"BAR.SYNC", false},
                   {"DEPBAR.LE", false},    {"EXIT", false}};
    uint64_t chosen = below(source, sizeof opcodes / sizeof opcodes[0]);
    const char *text = opcodes[chosen].text;
    int number = gm_opcode_number(&source->base.opcodes, text, (uint32_t)strlen(text), error);
    if (number < 0) {
        return number;
    }
    *made = (gm_instruction){
        .pc = below(source, 2) != 0 ? below(source, 1 << 20) * 8 : below(source, 1 << 8) * 16,
        .immediate = (int32_t)(test_random_next(&source->random) >> below(source, 64)),
        .mask = random_mask(source),
        .opcode = (uint16_t)number,
        .op = (uint8_t)source->base.opcodes.opcodes[number].op,
        .space = (uint8_t)source->base.opcodes.opcodes[number].space,
        .destinations = (uint8_t)below(source, 2),
        .sources = (uint8_t)below(source, 5),
    };
    made->destination[0] = GM_REGISTER(below(source, 8) == 0, below(source, 256));
    for (unsigned k = 0; k < made->sources; k++) {
        made->source[k] = GM_REGISTER(below(source, 8) == 0, below(source, 256));
    }
    if (opcodes[chosen].memory) {
        made->width = (uint8_t)gm_opcode_true_width(text);
        make_addresses(source, made);
    }
    if (source->tensor_copy && made->form == GM_ADDRESS_LIST) {
        made->addresses = GM_ADDRESSES;
        source->tensor_copy = false;
    }
    return 0;
}

static int make_warp(random_source *source, uint32_t warp, const gm_cta_sink *sink, gm_error *error)
{
    int code = sink->begin_warp(sink->context, warp, error);
    uint64_t count = below(source, 3) == 0 ? 0 : below(source, 200);
    count += source->cta == 1; /* a kernel has at least one instruction */
    for (uint64_t k = 0; code == 0 && k < count; k++) {
        gm_instruction made;
        code = make(source, &made, error);
        code = code != 0 ? code : sink->instruction(sink->context, &made, error);
    }
    return code;
}

static int next_cta(gm_source *base, const gm_cta_sink *sink, gm_error *error)
{
    random_source *source = (random_source *)base;
    if (source->fail_at != 0 && --source->fail_at == 0) {
        return gm_fail(error, -EINVAL, "the source has failed");
    }
    source->cta += source->cta > 0 && below(source, 3) == 0; /* tracers leave CTAs out */
    if (source->no_ctas || source->cta >= gm_kernel_ctas(&source->kernel)) {
        return 0;
    }
    const uint32_t *grid = source->kernel.grid;
    uint64_t linear = source->cta++;
    const uint32_t cta[3] = {(uint32_t)(linear % grid[0]), (uint32_t)(linear / grid[0] % grid[1]),
                             (uint32_t)(linear / grid[0] / grid[1])};
    int code = sink->begin_cta(sink->context, cta, error);
    bool empty = linear > 0 && below(source, 8) == 0;
    for (uint32_t warp = 0; code == 0 && warp < gm_kernel_warps(&source->kernel); warp++) {
        if (empty) {
            code = sink->begin_warp(sink->context, warp, error);
        } else if (linear == 0 || below(source, 4) != 0) {
            code = make_warp(source, warp, sink, error);
        }
    }
    code = code != 0 ? code : sink->end_cta(sink->context, error);
    return code != 0 ? code : 1;
}

static gm_progress no_progress(const gm_source *source)
{
    (void)source;
    return (gm_progress){0};
}

static void close_source(gm_source *base)
{
    gm_opcode_table_free(&base->opcodes);
}

static random_source make_source(uint64_t seed)
{
    static const gm_source_operations operations = {next_command, next_cta, no_progress, NULL,
                                                    close_source};
    return (random_source){
        .base = {.operations = &operations, .name = "random"}, .random = {seed}, .commands = 9};
}

static const unsigned cannot[] = {
    [GM_TRACE_1_2] = TEST_NO_IMMEDIATE | TEST_ONLY_GENERAL | TEST_NO_VERSION,
    [GM_TRACE_3] = TEST_NO_IMMEDIATE | TEST_ONLY_GENERAL | TEST_NO_VERSION,
    [GM_TRACE_4] = TEST_NO_IMMEDIATE | TEST_ONLY_GENERAL | TEST_NO_VERSION,
    [GM_TRACE_4_IMMEDIATE] = TEST_ONLY_GENERAL | TEST_NO_VERSION,
    [GM_TRACE_5] = TEST_ONLY_GENERAL,
    [GM_TRACE_COMPACT] = 0,
};

static void round_trip(gm_trace_form form, gm_trace_packing packing)
{
    test_random random = test_random_start(form * 10 + packing);
    char path[128];
    snprintf(path, sizeof path, "%s/trace", test_folder_make());
    gm_error error;
    random_source written = make_source(random.state);
    random_source again = make_source(random.state);
    const gm_trace_write_options options = {.form = form, .packing = packing};
    test_ok(gm_trace_write(&written.base, path, &options, &error), error);
    test_digest expected;
    test_digest got;
    test_ok(test_digest_source(&expected, &again.base, cannot[form], &error), error);
    gm_source *reader = NULL;
    test_ok(gm_trace_open(&reader, path, &error), error);
    test_ok(test_digest_source(&got, reader, cannot[form], &error), error);
    assert_in_range(expected.count, 1000, 1000000);
    test_digest_equal(&got, &expected, "read back");
    test_digest_free(&expected);
    test_digest_free(&got);
    gm_source_close(reader);
    gm_source_close(&written.base);
    gm_source_close(&again.base);
    test_folder_remove();
}

static void text_reads_back(void **state)
{
    (void)state;
    for (gm_trace_form form = GM_TRACE_1_2; form <= GM_TRACE_5; form++) {
        round_trip(form, GM_PACKING_NONE);
    }
}

static void packed_text_reads_back(void **state)
{
    (void)state;
    for (gm_trace_packing packing = GM_PACKING_XZ; packing <= GM_PACKING_ZSTD; packing++) {
        round_trip(GM_TRACE_5, packing);
    }
}

static void compact_reads_back(void **state)
{
    (void)state;
    round_trip(GM_TRACE_COMPACT, GM_PACKING_NONE);
}

/* Writes a random source; the folder that is to hold the trace must then be empty. */
static int write_badly(random_source *source, gm_trace_form form, gm_error *error)
{
    char path[128];
    const char *folder = test_folder_make();
    snprintf(path, sizeof path, "%s/trace", folder);
    const gm_trace_write_options options = {.form = form, .packing = GM_PACKING_GZIP};
    int code = gm_trace_write(&source->base, path, &options, error);
    test_command left = test_run("ls -A '%s'", folder);
    assert_string_equal(left.output, code == 0 ? "trace\n" : "");
    test_command_free(&left);
    gm_source_close(&source->base);
    test_folder_remove();
    return code;
}

static void leaves_nothing_when_the_source_fails(void **state)
{
    (void)state;
    for (uint64_t ctas = 1; ctas < 20; ctas++) {
        gm_error error;
        random_source source = make_source(1);
        source.fail_at = ctas;
        assert_int_equal(write_badly(&source, ctas % 2 ? GM_TRACE_5 : GM_TRACE_COMPACT, &error),
                         -EINVAL);
        assert_string_equal(error.text, "the source has failed");
    }
}

static void leaves_nothing_when_the_disk_is_full(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (gm_trace_form form = GM_TRACE_1_2; form <= GM_TRACE_COMPACT; form++) {
        gm_error error;
        random_source source = make_source(1);
        struct rlimit small = {.rlim_cur = 3000, .rlim_max = before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        int code = write_badly(&source, form, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(code, -EFBIG);
        assert_non_null(strstr(error.text, "/trace/kernel-"));
        assert_non_null(strstr(error.text, ": File too large"));
    }
}

static void text_cannot_hold_tensor_copies(void **state)
{
    (void)state;
    gm_error error;
    random_source source = make_source(1);
    source.tensor_copy = true;
    assert_int_equal(write_badly(&source, GM_TRACE_5, &error), -EINVAL);
    assert_non_null(strstr(error.text, "has 256 addresses for "));
    source = make_source(1);
    source.tensor_copy = true;
    assert_int_equal(write_badly(&source, GM_TRACE_COMPACT, &error), 0);
}

static void refuses_an_existing_folder(void **state)
{
    (void)state;
    gm_error error;
    const char *folder = test_folder_make();
    random_source source = make_source(1);
    const gm_trace_write_options options = {.form = GM_TRACE_5};
    assert_int_equal(gm_trace_write(&source.base, folder, &options, &error), -EEXIST);
    assert_non_null(strstr(error.text, ": File exists"));
    assert_int_equal(gm_trace_write(&source.base, "/nonexistent/x", &options, &error), -ENOENT);
    assert_string_equal(error.text, "/nonexistent/x: No such file or directory");
    gm_source_close(&source.base);
    test_folder_remove();
}

static int stop(void *context, gm_progress progress, gm_error *error)
{
    (void)progress;
    int *left = context;
    return --*left == 0 ? gm_fail(error, -EINTR, "stopped") : 0;
}

static void stops_when_asked(void **state)
{
    (void)state;
    gm_error error;
    int left = 3;
    char path[128];
    const char *folder = test_folder_make();
    snprintf(path, sizeof path, "%s/trace/", folder);
    random_source source = make_source(1);
    const gm_trace_write_options options = {.form = GM_TRACE_3, .context = &left, .progress = stop};
    assert_int_equal(gm_trace_write(&source.base, path, &options, &error), -EINTR);
    test_command listed = test_run("ls -A '%s'", folder);
    assert_string_equal(listed.output, "");
    test_command_free(&listed);
    gm_source_close(&source.base);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_reads_back),
        cmocka_unit_test(packed_text_reads_back),
        cmocka_unit_test(compact_reads_back),
        cmocka_unit_test(leaves_nothing_when_the_source_fails),
        cmocka_unit_test(leaves_nothing_when_the_disk_is_full),
        cmocka_unit_test(text_cannot_hold_tensor_copies),
        cmocka_unit_test(refuses_an_existing_folder),
        cmocka_unit_test(stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

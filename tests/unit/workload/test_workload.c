/* Built-in workloads as sources: options, what all deliver, determinism. */
#include "support/workload/workload_run.h"

static void refuses_bad_specifications(void **state)
{
    (void)state;
    static const struct {
        const char *specification, *message;
    } cases[] = {
        {"nothing", "no workload 'nothing' (goldmem workloads lists them)"},
        {"syrkk,n=8", "no workload 'syrkk'; did you mean 'syrk'?"},
        {"", "no workload '' (goldmem workloads lists them)"},
        {"vectoradd,n=0", "workload vectoradd: n=0 is not a whole number in 1..268435456"},
        {"vectoradd,n=268435457",
         "workload vectoradd: n=268435457 is not a whole number in 1..268435456"},
        {"vectoradd,n=", "workload vectoradd: n= is not a whole number in 1..268435456"},
        {"vectoradd,n= 5", "workload vectoradd: n= 5 is not a whole number in 1..268435456"},
        {"vectoradd,n=1e3", "workload vectoradd: n=1e3 is not a whole number in 1..268435456"},
        {"vectoradd,n=99999999999999999999",
         "workload vectoradd: n=99999999999999999999 is not a whole number in 1..268435456"},
        {"vectoradd,n", "workload vectoradd: option n needs =value"},
        {"vectoradd,m=1", "workload vectoradd: no option 'm' (options: n, seed)"},
        {"vectoradd,", "workload vectoradd: no option '' (options: n, seed)"},
        {"vectoradd,n=5,", "workload vectoradd: no option '' (options: n, seed)"},
        {"vectoradd,n=5,,", "workload vectoradd: no option '' (options: n, seed)"},
        {"stream,width=5", "workload stream: width=5 is not 4, 8 or 16"},
        {"hotspot,temp=", "workload hotspot: temp needs a file's path"},
        {"hotspot,temp=/nowhere/temp", "/nowhere/temp: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gm_error error;
        gm_source *source = NULL;
        assert_int_not_equal(gm_workload_open(&source, cases[i].specification, &error), 0);
        assert_null(source);
        assert_string_equal(error.text, cases[i].message);
        assert_true(error.code < 0);
        assert_true(gm_workload_open(&source, cases[i].specification, NULL) < 0);
    }
}

static void takes_options(void **state)
{
    (void)state;
    workload_run run = workload_run_open("vectoradd,n=0x20,seed=3,n=33");
    assert_int_equal(gm_workload_value(run.source, "n"), 33); /* the last one holds */
    assert_int_equal(gm_workload_value(run.source, "seed"), 3);
    assert_int_equal(gm_workload_value(run.source, "other"), -1);
    assert_string_equal(run.source->name, "vectoradd,n=0x20,seed=3,n=33");
    gm_source_close(run.source);
    run = workload_run_open("vectoradd,n=0x20,seed=010"); /* not octal */
    assert_int_equal(gm_workload_value(run.source, "n"), 32);
    assert_int_equal(gm_workload_value(run.source, "seed"), 10);
    gm_source_close(run.source);
}

static void the_table_is_in_order(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_workload_description *const *table = gm_workloads(&count);
    for (unsigned i = 0; i < count; i++) {
        assert_true(i == 0 || strcmp(table[i - 1]->name, table[i]->name) < 0);
        assert_true(table[i]->summary[0] != '\0' && table[i]->origin[0] != '\0');
        unsigned options = 0;
        for (const gm_workload_option *o = table[i]->options; o->name != NULL; o++) {
            assert_true(o->is_path || (o->low <= o->initial && o->initial <= o->high));
            assert_non_null(o->description);
            options++;
        }
        assert_in_range(options, 1, GM_WORKLOAD_OPTIONS);
    }
}

/* The first instructions of each at its defaults, twice, with device memory elsewhere. */
static void same_bytes_every_time(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_workload_description *const *table = gm_workloads(&count);
    for (unsigned i = 0; i < count; i++) {
        workload_run first = workload_run_open(table[i]->name);
        workload_run second = workload_run_open(table[i]->name);
        assert_ptr_not_equal(gm_workload_of(first.source)->device.memory,
                             gm_workload_of(second.source)->device.memory);
        first.limit = 20000;
        second.limit = 20000;
        workload_run_drain(&first);
        workload_run_drain(&second);
        assert_true(first.memory > 0);
        assert_true(first.hash == second.hash);
        gm_source_close(first.source);
        gm_source_close(second.source);
    }
}

static void counts_of_vectoradd(void **state)
{
    (void)state;
    /* 1000 elements: 4 CTAs of 8 warps. Each warp: 2 integer, EXIT; the 32 (31 full, one of 8) that
     * have an element: 2 loads, 1 FFMA, 1 store. */
    workload_run run = workload_run_whole("vectoradd,n=1000");
    assert_int_equal(run.kernels, 1);
    assert_int_equal(run.ctas, 4);
    assert_int_equal(run.warps, 32);
    assert_int_equal(run.instructions, 32 * 7);
    assert_int_equal(run.memory, 32 * 3);
    assert_int_equal(run.copies, 2);
    assert_int_equal(run.copy_bytes, 2 * 4000);
    assert_string_equal(run.kernel.name, "vectoradd");
    gm_progress progress = gm_source_progress(run.source);
    assert_int_equal(progress.done, 4);
    assert_int_equal(progress.total, 4);
    assert_true(progress.open); /* a host's program may launch more */
    gm_source_close(run.source);
}

/* A kernel that was not asked for still computes: the next one needs it. */
static void skipped_kernels_compute(void **state)
{
    (void)state;
    workload_run whole = workload_run_whole("mm,n=40");
    workload_run skipped = workload_run_open("mm,n=40");
    gm_command command;
    gm_error error;
    int result = 1;
    unsigned commands = 0;
    while (result == 1) {
        result = gm_source_next_command(skipped.source, &command, &error);
        commands += result == 1;
    }
    test_ok(result, error);
    assert_int_equal(commands, 3 + 2);
    assert_memory_equal(workload_data(&whole, "f"), workload_data(&skipped, "f"),
                        sizeof(float[40][40]));
    gm_source_close(whole.source);
    gm_source_close(skipped.source);
}

/* The sink's failure ends the delivery and is returned. */
static void stops_when_the_sink_fails(void **state)
{
    (void)state;
    static const char *const specifications[] = {"vectoradd,n=512", "hotspot,n=32,steps=1"};
    for (unsigned i = 0; i < 2; i++) {
        workload_run run = workload_run_open(specifications[i]);
        run.limit = 10;
        workload_run_drain(&run);
        assert_int_equal(run.instructions, 10);
        assert_int_equal(gm_source_progress(run.source).done, 0);
        gm_source_close(run.source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_specifications), cmocka_unit_test(takes_options),
        cmocka_unit_test(the_table_is_in_order),      cmocka_unit_test(same_bytes_every_time),
        cmocka_unit_test(counts_of_vectoradd),        cmocka_unit_test(skipped_kernels_compute),
        cmocka_unit_test(stops_when_the_sink_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

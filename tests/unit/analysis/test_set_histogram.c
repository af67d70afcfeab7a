/* Histograms of small inputs, counted by hand. */
#include "goldmem/set_histogram.h"
#include "support/support.h"
#include "support/trace/memory_source.h"

#include <errno.h>

static gm_set_histogram read_all(memory_source *source, gm_set_index function[2])
{
    gm_set_histogram histogram;
    gm_error error;
    test_ok(gm_set_index_parse(&function[0], "sequential", 32, 42, &error), error);
    test_ok(gm_set_index_parse(&function[1], "ipoly:37", 32, 42, &error), error);
    test_ok(gm_set_histogram_read(&histogram, &source->source, function, 2, 128, &error), error);
    return histogram;
}

/* [khairy, figure 6]: rows of 32 lines, one row a thread: all 32 lines of the instruction meet set
 * 0 sequentially, and 32 sets under ipoly (column x^5 L mod P is a permutation). */
static void rows_of_a_matrix(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0, 4096, 4);
    memory_stride(source, MEMORY_LOAD, UINT32_MAX, 4, 4096, 4); /* the same lines again */
    gm_set_index function[2];
    gm_set_histogram h = read_all(source, function);
    assert_int_equal(h.instructions, 2);
    assert_int_equal(h.divergent, 2);
    assert_int_equal(h.divergent_lines, 64);
    assert_int_equal(h.requests, 64);
    assert_int_equal(h.lines, 32);
    assert_int_equal(h.use[0].requests[0], 64);
    assert_int_equal(h.use[0].lines[0], 32);
    assert_int_equal(h.use[0].requests[1], 0);
    assert_int_equal(h.use[0].sets, 2);
    assert_int_equal(h.use[0].fullest, 64);
    for (unsigned set = 0; set < 32; set++) {
        assert_int_equal(h.use[1].requests[set], 2);
        assert_int_equal(h.use[1].lines[set], 1);
    }
    assert_int_equal(h.use[1].sets, 64);
    assert_int_equal(h.use[1].fullest, 2);
    gm_set_histogram_free(&h);
    memory_source_free(source);
}

/* Loads, stores and atomics of several kernels count; local, shared, compute and copies do not.
 * One line: not divergent. */
static void what_counts(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    memory_copy(source, 0, 4096);
    for (unsigned kernel = 0; kernel < 2; kernel++) {
        memory_kernel(source, 2, 32);
        for (unsigned cta = 0; cta < 2; cta++) {
            memory_cta(source, cta);
            memory_warp(source, 0);
            memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
            memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
            memory_stride(source, MEMORY_SHARED_LOAD, UINT32_MAX, 0, 4, 4);
            memory_stride(source, MEMORY_LOCAL_STORE, UINT32_MAX, 0, 0, 4);
            memory_stride(source, MEMORY_STORE, UINT32_MAX, 384, 4, 4);
            memory_stride(source, MEMORY_ATOMIC, 1, 392, 0, 4);
        }
    }
    gm_set_index function[2];
    gm_set_histogram h = read_all(source, function);
    assert_int_equal(h.instructions, 8);
    assert_int_equal(h.divergent, 0);
    assert_int_equal(h.requests, 8);
    assert_int_equal(h.lines, 1);
    assert_int_equal(h.use[0].requests[3], 8);
    assert_int_equal(h.use[1].requests[3], 8); /* line 3 is below x^5 */
    assert_int_equal(h.use[0].sets, 0);
    gm_set_histogram_free(&h);
    memory_source_free(source);
}

static void passes_failures_on(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    source->fail_at = 0;
    gm_set_index function;
    gm_set_histogram h;
    gm_error error;
    test_ok(gm_set_index_parse(&function, "xor", 32, 42, &error), error);
    assert_int_equal(gm_set_histogram_read(&h, &source->source, &function, 1, 128, &error), -EIO);
    assert_null(h.use);
    assert_int_equal(gm_set_histogram_read(&h, &source->source, &function, 1, 16, &error), -EINVAL);
    assert_string_equal(error.text, "lines of 16 bytes: must be a power of two, 32 to 1024");
    gm_set_histogram_free(&h);
    memory_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_matrix),
        cmocka_unit_test(what_counts),
        cmocka_unit_test(passes_failures_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* histo_parboil counts as a loop over the pixels does: images with and without pixels outside the
 * range of its prescan, bytes that overflow and carry, odd sizes; and what is said of bad images.
 */
#include "support/workload/workload_run.h"

#include <stdio.h>

enum { SECTION = 16384 };

/* Counts the pixels and compares. Returns the most pixels of a bin. */
static uint32_t check_counts(const workload_run *run, uint32_t width, uint32_t height,
                             uint32_t bins)
{
    uint32_t pitch = width + width % 2;
    uint32_t rows = (height + 15) / 16 * 16;
    const uint32_t *input = workload_array(run->source, "input", (size_t)rows * pitch, 4);
    size_t padded = (size_t)(bins + SECTION - 1) / SECTION * SECTION;
    const uint8_t *saturated = workload_array(run->source, "saturated", padded, 1);
    uint32_t *count = calloc(padded, sizeof *count);
    assert_non_null(count);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            assert_true(input[y * pitch + x] < bins);
            count[input[y * pitch + x]]++;
        }
    }
    uint32_t most = 0;
    for (size_t i = 0; i < padded; i++) {
        assert_int_equal(saturated[i], count[i] < 255 ? count[i] : 255);
        most = count[i] > most ? count[i] : most;
    }
    free(count);
    return most;
}

static void random_images_are_counted(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height, bins, deviation;
        bool saturates;
    } cases[] = {
        {64, 64, 16384, 2000, false},
        {67, 35, 40000, 6000, false}, /* odd width, a part of 16 rows */
        {128, 260, 1000, 1, true},    /* few bins: bytes overflow */
        {256, 130, 7, 2, true},
        {200, 200, 1, 0, true}, /* into one another */
        {1, 1, 1, 0, false},
        {996, 40, 1 << 20, 6144, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char specification[256];
        snprintf(specification, sizeof specification,
                 "histo_parboil,width=%u,height=%u,bins=%u,deviation=%u,seed=3", cases[i].width,
                 cases[i].height, cases[i].bins, cases[i].deviation);
        workload_run run = workload_run_whole(specification);
        assert_int_equal(run.kernels, 4);
        uint32_t most = check_counts(&run, cases[i].width, cases[i].height, cases[i].bins);
        assert_int_equal(most > 255, cases[i].saturates);
        gm_source_close(run.source);
    }
}

/* The deviation is that asked for: 68% of a normal distribution lie within one of them. */
static void random_images_are_normal(void **state)
{
    (void)state;
    workload_run run = workload_run_open("histo_parboil,width=100,height=96,bins=100000,"
                                         "deviation=5000");
    const uint32_t *input = workload_array(run.source, "input", 9600, 4);
    unsigned near = 0;
    for (int i = 0; i < 9600; i++) {
        near += input[i] >= 45000 && input[i] < 55000;
    }
    assert_in_range(near, 6400, 6700); /* 6554 */
    gm_source_close(run.source);
}

static const char *write_image(const uint32_t size[4], const uint32_t *pixel, size_t pixels)
{
    size_t bytes = 16 + pixels * 4;
    char *file = malloc(bytes);
    assert_non_null(file);
    memcpy(file, size, 16);
    memcpy(file + 16, pixel, pixels * 4);
    const char *path = test_file_write("image.bin", file, bytes);
    free(file);
    return path;
}

/* 4096 pixels a CTA of prescan, of which it reads the first 512: 1 and 2 there give the range
 * section 0; behind them lie bins of sections 3 and 5, some more often than 255 times, some less.
 */
static void pixels_outside_the_range_are_counted(void **state)
{
    (void)state;
    enum { WIDTH = 256, HEIGHT = 32, PIXELS = WIDTH * HEIGHT, BINS = 6 * SECTION };
    uint32_t pixel[PIXELS];
    for (uint32_t i = 0; i < PIXELS; i++) {
        pixel[i] = i % 4096 < 512 ? 1 + i % 2
                   : i % 3 == 0   ? 3 * SECTION + i % 5
                                  : BINS - 1 - i % 999;
    }
    const uint32_t size[4] = {WIDTH, HEIGHT, 6, SECTION};
    test_folder_make();
    char specification[1024];
    snprintf(specification, sizeof specification, "histo_parboil,image=%s",
             write_image(size, pixel, PIXELS));
    workload_run run = workload_run_whole(specification);
    const uint32_t *range = workload_data(&run, "range");
    assert_int_equal(range[0], 0);
    assert_int_equal(range[1], 0);
    assert_true(check_counts(&run, WIDTH, HEIGHT, BINS) > 255);
    gm_source_close(run.source);
    test_folder_remove();
}

/* Bins 1 and 2 have 255 pixels each when bin 1 gets another one: both bytes become 0. */
static void carries_run_on(void **state)
{
    (void)state;
    enum { PIXELS = 512 };
    uint32_t pixel[PIXELS];
    for (uint32_t i = 0; i < PIXELS; i++) {
        pixel[i] = i < 255 || i == 510 ? 1 : 2;
    }
    const uint32_t size[4] = {1, PIXELS, 2, 2}; /* a row a pixel: counted in this order */
    test_folder_make();
    char specification[1024];
    snprintf(specification, sizeof specification, "histo_parboil,image=%s",
             write_image(size, pixel, PIXELS));
    workload_run run = workload_run_whole(specification);
    assert_int_equal(check_counts(&run, 1, PIXELS, 4), 256);
    gm_source_close(run.source);
    test_folder_remove();
}

/* 524288 pixels: a thread of prescan samples two, from rows that differ by 2 sections: a deviation
 * of one section. The mean is 12.5 sections. */
static void the_range_has_ten_deviations(void **state)
{
    (void)state;
    enum { WIDTH = 512, HEIGHT = 1024, PIXELS = WIDTH * HEIGHT };
    uint32_t *pixel = malloc(PIXELS * sizeof *pixel);
    assert_non_null(pixel);
    for (uint32_t i = 0; i < PIXELS; i++) {
        pixel[i] = (uint32_t)SECTION * (i / WIDTH % 2 == 0 ? 23U : 27U) / 2;
    }
    const uint32_t size[4] = {WIDTH, HEIGHT, 30, SECTION};
    test_folder_make();
    char specification[1024];
    snprintf(specification, sizeof specification, "histo_parboil,image=%s",
             write_image(size, pixel, PIXELS));
    workload_run run = workload_run_open(specification);
    run.limit = 200000; /* in the second kernel */
    workload_run_drain(&run);
    assert_int_equal(run.kernels, 2);
    const uint32_t *range = workload_data(&run, "range");
    assert_int_equal(range[0], 2);
    assert_int_equal(range[1], 22);
    gm_source_close(run.source);
    test_folder_remove();
    free(pixel);
}

/* Parboil's image: the range has 8 of 64 sections, those within 10 deviations (6114) of the mean
 * (491457). */
static void parboil_image_is_counted(void **state)
{
    (void)state;
    char specification[512];
    snprintf(specification, sizeof specification, "histo_parboil,image=%s/parboil/%s",
             test_shared_data("GOLDMEM_INPUTS"), "histo_default.bin.xz");
    workload_run run = workload_run_whole(specification);
    const uint32_t *range = workload_data(&run, "range");
    assert_int_equal(range[0], 26);
    assert_int_equal(range[1], 33);
    assert_int_equal(check_counts(&run, 996, 1040, 1 << 20), 278);
    gm_source_close(run.source);
}

static void bad_images_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t size[4], pixel[3];
        size_t pixels;
        const char *reason;
    } cases[] = {
        {{0, 1, 4, 4}, {0}, 0, ": width: 0 is not in 1..2048"},
        {{2049, 1, 4, 4}, {0}, 0, ": width: 2049 is not in 1..2048"},
        {{1, 65537, 4, 4}, {0}, 0, ": height: 65537 is not in 1..65536"},
        {{1, 1, 0, 4}, {0}, 0, ": bins: 0 x 4 is not in 1..4194304"},
        {{1, 1, 65536, 65536}, {0}, 0, ": bins: 65536 x 65536 is not in 1..4194304"},
        {{3, 1, 2, 2}, {0}, 2, ": pixels: 4 bytes are missing at the end"},
        {{2, 1, 2, 2}, {0}, 3, ": 4 bytes behind the pixels"},
        {{1, 3, 2, 2}, {3, 4, 0}, 3, ": pixel 0 of row 1: bin 4 is not in 0..3"},
    };
    test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = write_image(cases[i].size, cases[i].pixel, cases[i].pixels);
        char specification[1024];
        char expected[1024];
        snprintf(specification, sizeof specification, "histo_parboil,image=%s", path);
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].reason);
        gm_source *source = NULL;
        gm_error error;
        assert_int_equal(gm_workload_open(&source, specification, &error), -EINVAL);
        assert_string_equal(error.text, expected);
    }
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images_are_counted),
        cmocka_unit_test(random_images_are_normal),
        cmocka_unit_test(pixels_outside_the_range_are_counted),
        cmocka_unit_test(carries_run_on),
        cmocka_unit_test(the_range_has_ten_deviations),
        cmocka_unit_test(parboil_image_is_counted),
        cmocka_unit_test(bad_images_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

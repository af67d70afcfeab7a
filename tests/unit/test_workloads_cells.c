/* leukocyte, which finds cells in an image, and myocyte, which lets one beat, against serial host
 * versions in double precision, and against what is known of the cells. */
#include "support/workload_run.h"

#include <stdio.h>

enum { MARGIN = 22, WIDTH = 81, HEIGHT = 41, WINDOW = WIDTH * HEIGHT };

/* Columns of `rows` pixels. */
typedef struct image {
    int rows, columns;
    const float *gradient_x, *gradient_y, *gicov, *dilated;
} image;

static image image_of(const workload_run *run, int rows, int columns)
{
    size_t pixels = (size_t)rows * (size_t)columns;
    return (image){
        .rows = rows,
        .columns = columns,
        .gradient_x = workload_array(run->source, "gradient_x", pixels, 4),
        .gradient_y = workload_array(run->source, "gradient_y", pixels, 4),
        .gicov = workload_array(run->source, "gicov", pixels, 4),
        .dilated = workload_array(run->source, "dilated", pixels, 4),
    };
}

/* Mean of the gradient outwards over its standard deviation, of the circle where that is largest in
 * size: its definition. */
static double gicov(const image *m, int row, int column)
{
    double best = 0.0;
    for (int radius = 8; radius <= 20; radius += 2) {
        double outwards[150];
        double mean = 0.0;
        double square = 0.0;
        for (int k = 0; k < 150; k++) {
            double angle = 2.0 * acos(-1.0) * k / 150;
            int place =
                (column + (int)(radius * cos(angle))) * m->rows + row + (int)(radius * sin(angle));
            outwards[k] = (double)m->gradient_x[place] * cos(angle) +
                          (double)m->gradient_y[place] * sin(angle);
            mean += outwards[k] / 150;
        }
        for (int k = 0; k < 150; k++) {
            square += (outwards[k] - mean) * (outwards[k] - mean);
        }
        double value = mean / sqrt(square / 149);
        best = fabs(value) > fabs(best) ? value : best;
    }
    return best;
}

static bool in_frame(const image *m, int row, int column, int margin)
{
    return row >= margin && row < m->rows - margin && column >= margin &&
           column < m->columns - margin;
}

static void check_detection(const image *m)
{
    for (int column = 0; column < m->columns; column++) {
        for (int row = 0; row < m->rows; row++) {
            int place = column * m->rows + row;
            double expected = in_frame(m, row, column, MARGIN) ? gicov(m, row, column) : 0.0;
            workload_close((double)m->gicov[place], expected, 1e-4);
            float most = 0.0F;
            for (int right = -12; right <= 12; right++) {
                for (int down = -12; down <= 12; down++) {
                    if (hypot(right, down) <= 12.0 && in_frame(m, row + down, column + right, 0)) {
                        most = fmaxf(most, m->gicov[place + right * m->rows + down]);
                    }
                }
            }
            assert_true(m->dilated[place] == most);
        }
    }
}

/* Places that are the largest around them, largest first. Returns how many. */
static int peaks(const image *m, int *place, int most)
{
    int count = 0;
    for (; count < most; count++) {
        place[count] = -1;
        for (int i = 0; i < m->rows * m->columns; i++) {
            bool is_new = m->gicov[i] > 0.0F && m->gicov[i] == m->dilated[i];
            for (int k = 0; k < count; k++) {
                is_new = is_new && place[k] != i;
            }
            if (is_new && (place[count] < 0 || m->gicov[i] > m->gicov[place[count]])) {
                place[count] = i;
            }
        }
        if (place[count] < 0) {
            break;
        }
    }
    return count;
}

static int clamped(int value, int size)
{
    return value < 0 ? 0 : value > size - 1 ? size - 1 : value;
}

static void check_window(const image *m, int place, const float *window)
{
    int top = clamped(place % m->rows - HEIGHT / 2, m->rows - HEIGHT + 1);
    int left = clamped(place / m->rows - WIDTH / 2, m->columns - WIDTH + 1);
    double most = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < WINDOW; i++) {
            int at = (left + i % WIDTH) * m->rows + top + i / WIDTH;
            double size = hypot((double)m->gradient_x[at], (double)m->gradient_y[at]);
            if (pass == 0) {
                most = fmax(most, size);
            } else {
                workload_close((double)window[i], size / most, 1e-6);
            }
        }
    }
}

static double heaviside(double x)
{
    return fmin(fmax(0.5 + x / 2e-4, 0.0), 1.0);
}

/* One round of the flow; returns the mean change of a pixel. mu = 0.5, lambda = 5. */
static double flow_round(const double *from, double *to, const float *window)
{
    double change = 0.0;
    for (int i = 0; i < WINDOW; i++) {
        double smooth = from[i];
        for (int down = -1; down <= 1; down++) {
            for (int right = -1; right <= 1; right++) {
                int row = clamped(i / WIDTH + down, HEIGHT);
                int column = clamped(i % WIDTH + right, WIDTH);
                double difference = from[row * WIDTH + column] - from[i];
                smooth += 0.1 * heaviside(difference * (down + right)) * difference;
            }
        }
        to[i] = smooth - 0.2 * (double)window[i] * (smooth - (double)window[i]);
        change += fabs(to[i] - from[i]) / WINDOW;
    }
    return change;
}

static void check_flow(const float *window, const float *flow, int rounds, int most)
{
    double *from = calloc(WINDOW, sizeof *from);
    double *to = calloc(WINDOW, sizeof *to);
    assert_true(from != NULL && to != NULL);
    for (int i = 0; i < WINDOW; i++) {
        from[i] = (double)window[i];
    }
    int round = 0;
    double change = 1.0;
    while (round < most && change >= 1e-3) {
        change = flow_round(from, to, window);
        double *kept = from;
        from = to;
        to = kept;
        round++;
    }
    assert_int_equal(rounds, round);
    for (int i = 0; i < WINDOW; i++) {
        workload_close((double)flow[i], from[i], 2e-4);
    }
    free(from);
    free(to);
}

static void check_leukocyte(const workload_run *run, int rows, int columns, int cells, int rounds)
{
    image m = image_of(run, rows, columns);
    check_detection(&m);
    int place[8];
    int found = peaks(&m, place, cells);
    assert_true(found > 0);
    const float *window = workload_array(run->source, "window", (size_t)cells * WINDOW, 4);
    const float *flow = workload_array(run->source, "flow", (size_t)cells * WINDOW, 4);
    const int32_t *taken = workload_array(run->source, "rounds", (size_t)cells, 4);
    for (int i = 0; i < found; i++) {
        check_window(&m, place[i], window + (size_t)i * WINDOW);
        check_flow(window + (size_t)i * WINDOW, flow + (size_t)i * WINDOW, taken[i], rounds);
    }
}

/* As textures and as loads: one result; two loads for each point of seven circles and one for each
 * pixel of the disk are what differs. */
static void leukocyte_finds(void **state)
{
    (void)state;
    workload_run texture = workload_run_open("leukocyte,rows=60,columns=90,cells=2,iterations=3");
    workload_run load =
        workload_run_open("leukocyte,rows=60,columns=90,cells=2,iterations=3,texture=0");
    texture.counts_lines = load.counts_lines = true;
    workload_run_drain(&texture);
    workload_run_drain(&load);
    check_leukocyte(&texture, 60, 90, 2, 3);
    assert_memory_equal(workload_data(&texture, "flow"), workload_data(&load, "flow"),
                        (size_t)2 * WINDOW * sizeof(float));
    assert_int_equal(texture.kernels, 3);
    assert_int_equal(texture.instructions, load.instructions);
    assert_int_equal(texture.thread_instructions, load.thread_instructions);
    /* 46 CTAs of 16 threads, which read two images; the disk around each pixel, in the frame. */
    uint64_t reads = UINT64_C(46) * 16 * 2 * 7 * 150;
    for (int place = 0; place < 60 * 90; place++) {
        for (int k = 0; k < 25 * 25; k++) {
            image frame = {.rows = 60, .columns = 90};
            reads += hypot(k / 25 - 12, k % 25 - 12) <= 12.0 &&
                     in_frame(&frame, place % 60 + k / 25 - 12, place / 60 + k % 25 - 12, 0);
        }
    }
    assert_int_equal(load.lanes, texture.lanes + reads);
    /* Lanes lie behind one another in a column: a line, or two where they cross its end. */
    assert_true(load.lines < texture.lines + 2 * (load.global - texture.global));
    gm_source_close(texture.source);
    gm_source_close(load.source);
}

/* A dark disk on bright ground is found where it is, and its edge is brightest in the flow. */
static void leukocyte_reads_an_image(void **state)
{
    (void)state;
    enum { ROWS = 70, COLUMNS = 100, ROW = 33, COLUMN = 45, RADIUS = 12 };
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    fprintf(file, "P2\n# a disk\n%d %d\n1000\n", COLUMNS, ROWS);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        double away = hypot(i / COLUMNS - ROW, i % COLUMNS - COLUMN);
        int noise = (i * 7919 + i / COLUMNS * 104729) % 11;
        fprintf(file, "%d\n", (int)(800.0 - 500.0 / (1.0 + exp(away - RADIUS))) + noise);
    }
    fclose(file);
    test_folder_make();
    char specification[1024];
    snprintf(specification, sizeof specification, "leukocyte,cells=1,iterations=100,frame=%s",
             test_file_write("disk.pgm", text, length));
    workload_run run = workload_run_whole(specification);
    check_leukocyte(&run, ROWS, COLUMNS, 1, 100);
    image m = image_of(&run, ROWS, COLUMNS);
    int place = -1;
    assert_int_equal(peaks(&m, &place, 1), 1);
    assert_true(abs(place % ROWS - ROW) <= 2 && abs(place / ROWS - COLUMN) <= 2);
    const int32_t *rounds = workload_data(&run, "rounds");
    assert_true(rounds[0] > 3 && rounds[0] < 100);
    gm_source_close(run.source);
    free(text);
    test_folder_remove();
}

static void small_images_are_refused(void **state)
{
    (void)state;
    test_folder_make();
    const char *path = test_file_write("small.pgm", "P2\n2 2\n9\n1 2 3 4\n", 17);
    char specification[1024];
    char expected[1024];
    snprintf(specification, sizeof specification, "leukocyte,frame=%s", path);
    snprintf(expected, sizeof expected, "%s: 2 rows of 2 pixels, not 45 to 1068 of at least 81",
             path);
    gm_source *source = NULL;
    gm_error error;
    assert_int_equal(gm_workload_open(&source, specification, &error), -EINVAL);
    assert_string_equal(error.text, expected);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leukocyte_finds),
        cmocka_unit_test(leukocyte_reads_an_image),
        cmocka_unit_test(small_images_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

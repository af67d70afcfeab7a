/* leukocyte, which finds cells in an image, and myocyte, which lets one beat, against serial host
 * versions in double precision, and against what is known of the cells. */
#include "base/random.h"
#include "support/workload/workload_run.h"
#include "workload/kernels/myocyte_model.h"

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
    const image frame = {.rows = 60, .columns = 90};
    for (int place = 0; place < 60 * 90; place++) {
        for (int down = -12; down <= 12; down++) {
            for (int right = -12; right <= 12; right++) {
                reads += hypot(down, right) <= 12.0 &&
                         in_frame(&frame, place % 60 + down, place / 60 + right, 0);
            }
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
        int down = i / COLUMNS - ROW;
        double away = hypot(down, i % COLUMNS - COLUMN);
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

enum { MEMBRANE = 8, COMPARTMENT = 15, STATES = MEMBRANE + 3 * COMPARTMENT };
enum { V, M, H, J, D, F, X, CALCIUM };

/* How fast a gate goes to where it opens and closes equally. */
static double gate(double value, double open, double close)
{
    return (open + close) * (open / (open + close) - value);
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* [Luo and Rudy, 1991, table 1], with an exciting current. */
static void membrane_rates(const double *y, double stimulus, double *rate)
{
    double v = y[V];
    bool high = v >= -40.0;
    rate[M] = gate(y[M], 0.32 * (v + 47.13) / (1.0 - exp(-0.1 * (v + 47.13))), 0.08 * exp(-v / 11));
    rate[H] = gate(y[H], high ? 0.0 : 0.135 * exp(-(v + 80.0) / 6.8),
                   high ? sigmoid((v + 10.66) / 11.1) / 0.13
                        : 3.56 * exp(0.079 * v) + 3.1e5 * exp(0.35 * v));
    rate[J] = gate(y[J],
                   high ? 0.0
                        : -(1.2714e5 * exp(0.2444 * v) + 3.474e-5 * exp(-0.04391 * v)) *
                              (v + 37.78) * sigmoid(-0.311 * (v + 79.23)),
                   high ? 0.3 * exp(-2.535e-7 * v) * sigmoid(0.1 * (v + 32.0))
                        : 0.1212 * exp(-0.01052 * v) * sigmoid(0.1378 * (v + 40.14)));
    rate[D] = gate(y[D], 0.095 * exp(-0.01 * (v - 5.0)) * sigmoid(0.072 * (v - 5.0)),
                   0.07 * exp(-0.017 * (v + 44.0)) * sigmoid(-0.05 * (v + 44.0)));
    rate[F] = gate(y[F], 0.012 * exp(-0.008 * (v + 28.0)) * sigmoid(-0.15 * (v + 28.0)),
                   0.0065 * exp(-0.02 * (v + 30.0)) * sigmoid(0.2 * (v + 30.0)));
    rate[X] = gate(y[X], 0.0005 * exp(0.083 * (v + 50.0)) * sigmoid(-0.057 * (v + 50.0)),
                   0.0013 * exp(-0.06 * (v + 20.0)) * sigmoid(0.04 * (v + 20.0)));
    double slow = 0.09 * y[D] * y[F] * (v - 7.7 + 13.0287 * log(y[CALCIUM]));
    double currents = 23.0 * pow(y[M], 3.0) * y[H] * y[J] * (v - 54.4) + slow;
    currents += 0.282 * y[X] * 2.837 * (exp(0.04 * (v + 77.0)) - 1.0) / exp(0.04 * (v + 35.0));
    double opens = 1.02 * sigmoid(-0.2385 * (v + 87.26 - 59.215));
    double closes =
        (0.49124 * exp(0.08032 * (v + 87.26 + 5.476)) + exp(0.06175 * (v + 87.26 - 594.31))) *
        sigmoid(0.5143 * (v + 87.26 + 4.753));
    currents +=
        (0.6047 * opens / (opens + closes) + 0.0183 * sigmoid((v - 7.488) / 5.98)) * (v + 87.26);
    currents += 0.03921 * (v + 59.87);
    rate[V] = stimulus - currents;
    rate[CALCIUM] = 0.07 * (1e-4 - y[CALCIUM]) - 1e-4 * slow;
}

/* `forward` of a goes over into b in a ms, `backward` of b into a. */
static void react(const double *y, double *rate, int a, int b, double forward, double backward)
{
    double flow = forward * y[a] - backward * y[b];
    rate[a] -= flow;
    rate[b] += flow;
}

/* Reactions of calmodulin with 0, 2 and 4 ions: alone 0-2, buffer 3-5, kinase 6-8, phosphatase
 * 9-11, active kinase 12-14. */
static void compartment_rates(const double *y, double calcium, double *rate)
{
    static const double hold[5] = {1.0, 0.8, 0.1, 0.05, 0.02};
    static const double on[3][3] = {{1e-3, 5e-4, 1e-4}, {1e-5, 1e-3, 1e-2}, {1e-4, 4e-3, 4e-2}};
    static const double off[3] = {1e-2, 2e-3, 1e-3};
    memset(rate, 0, COMPARTMENT * sizeof *rate);
    for (int i = 0; i < 5; i++) {
        react(y, rate, 3 * i, 3 * i + 1, 1e-3 * calcium * calcium, 0.05 * hold[i]);
        react(y, rate, 3 * i + 1, 3 * i + 2, 1e-2 * calcium * calcium, 0.5 * hold[i]);
    }
    double active = y[12] + y[13] + y[14];
    double left[3] = {20.0 - y[3] - y[4] - y[5], 10.0 - y[6] - y[7] - y[8] - active,
                      3.0 - y[9] - y[10] - y[11]};
    for (int i = 0; i < 9; i++) {
        react(y, rate, i % 3, 3 + i, on[i / 3][i % 3] * left[i / 3], off[i / 3]);
    }
    for (int level = 0; level < 3; level++) {
        react(y, rate, 6 + level, 12 + level, 0.01 * (y[8] + active) / 10.0, 1e-3 * y[11] / 3.0);
    }
}

static void all_rates(const double *y, double stimulus, double *rate)
{
    static const double gain[3] = {3.0, 1.5, 1.0};
    membrane_rates(y, stimulus, rate);
    for (int i = 0; i < 3; i++) {
        int first = MEMBRANE + i * COMPARTMENT;
        compartment_rates(y + first, 1000.0 * gain[i] * y[CALCIUM], rate + first);
    }
}

static double drawn(uint64_t *random, double low, double high)
{
    return low + (high - low) * (double)gm_random_float(random, 0.0F, 1.0F);
}

/* In states of all kinds, within what 24 bits give. */
static void rates_are_right(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int n = 0; n < 1000; n++) {
        double y[STATES];
        float given[STATES];
        for (int i = 0; i < STATES; i++) {
            given[i] = (float)(i == V         ? drawn(&random, -95.0, 60.0)
                               : i == CALCIUM ? drawn(&random, 1e-4, 1e-2)
                               : i < MEMBRANE ? drawn(&random, 0.0, 1.0)
                                              : drawn(&random, 0.0, 3.0));
            y[i] = (double)given[i];
        }
        double expected[STATES];
        float rate[STATES];
        all_rates(y, n % 2 == 0 ? 80.0 : 0.0, expected);
        gm_myocyte_membrane(given, gm_myocyte_parameters, n % 2 == 0, rate);
        for (int i = 0; i < 3; i++) {
            int first = MEMBRANE + i * COMPARTMENT;
            gm_myocyte_calmodulin(given + first, 1000.0F * gm_myocyte_gain[i] * given[CALCIUM],
                                  rate + first);
        }
        for (int i = 0; i < STATES; i++) {
            double unit = i == F || i == X || i == CALCIUM ? 1000.0 : i < MEMBRANE ? 1.0 : 100.0;
            workload_close(unit * (double)rate[i], unit * expected[i], 5e-4);
        }
    }
}

/* What makes formulas of orders 7 and 8 of the coefficients, c being a row's sum and b the result's
 * row: sums of b c^p are 1 / (p + 1); sums of a stage's coefficients times c are c^2 / 2, and times
 * c^2 c^3 / 3, but for the second and third; and those of the error's stages vanish. */
static void coefficients_are_fehlbergs(void **state)
{
    (void)state;
    double c[13] = {0.0};
    for (int i = 0; i < 13; i++) {
        double first = 0.0;
        double second = 0.0;
        for (int k = 0; k < 13; k++) {
            double a = (double)gm_myocyte_fehlberg[i][k];
            assert_true(k < i || a == 0.0);
            c[i] += a;
            first += a * (k < i ? c[k] : 0.0);
            second += a * (k < i ? c[k] * c[k] : 0.0);
        }
        assert_true(i < 2 || fabs(first - c[i] * c[i] / 2.0) < 1e-6);
        assert_true(i < 3 || fabs(second - c[i] * c[i] * c[i] / 3.0) < 1e-6);
    }
    for (int p = 0; p < 8; p++) {
        double sum = 0.0;
        double error = 0.0;
        for (int i = 0; i < 13; i++) {
            double b = (double)gm_myocyte_fehlberg[13][i];
            sum += b * pow(c[i], p);
            error += (i == 0 || i == 10 ? 1.0 : i > 10 ? -1.0 : 0.0) * pow(c[i], p);
        }
        assert_true(fabs(sum - 1.0 / (p + 1)) < 1e-6);
        assert_true(fabs(error) < 1e-6);
    }
}

/* By Runge and Kutta's classic formula, in steps of a thousandth of a ms; excited in the first. */
static void live(double *y, int span, double stimulus)
{
    for (int n = 0; n < span * 1000; n++) {
        double rate[4][STATES];
        double trial[STATES];
        for (int k = 0; k < 4; k++) {
            double step = k == 0 ? 0.0 : k == 3 ? 1e-3 : 0.5e-3;
            for (int i = 0; i < STATES; i++) {
                trial[i] = y[i] + (k == 0 ? 0.0 : step * rate[k - 1][i]);
            }
            all_rates(trial, n < 1000 ? stimulus : 0.0, rate[k]);
        }
        for (int i = 0; i < STATES; i++) {
            y[i] += 1e-3 / 6.0 * (rate[0][i] + 2.0 * rate[1][i] + 2.0 * rate[2][i] + rate[3][i]);
        }
    }
}

/* The device's state after `span` ms against the host's. */
static void check_life(const float *before, const float *after, int span, double stimulus)
{
    double y[STATES];
    for (int i = 0; i < STATES; i++) {
        y[i] = (double)before[i];
    }
    live(y, span, stimulus);
    for (int i = 0; i < STATES; i++) {
        double unit = i == CALCIUM ? 1000.0 : 1.0; /* to uM */
        workload_close(unit * (double)after[i], unit * y[i], 1e-3);
    }
    for (int i = 0; i < 3; i++) { /* no calmodulin is lost */
        double sum = 0.0;
        for (int k = 0; k < COMPARTMENT; k++) {
            sum += (double)after[MEMBRANE + i * COMPARTMENT + k];
        }
        workload_close(sum, 10.0, 1e-5);
    }
}

/* At rest; excited, the potential shoots up beyond 0, and stays up. */
static void myocyte_beats(void **state)
{
    (void)state;
    workload_run run = workload_run_open("myocyte,span=4");
    const float *y = workload_array(run.source, "state", STATES, sizeof *y);
    float before[STATES];
    memcpy(before, y, sizeof before);
    workload_run_drain(&run);
    assert_true(before[V] < -80.0F && y[V] > 0.0F && y[V] < 60.0F);
    check_life(before, y, 4, 80.0);
    const int32_t *attempts = workload_array(run.source, "attempts", 1, 4);
    uint64_t launches = 13 * (uint64_t)attempts[0];
    assert_true(attempts[0] > 4);
    assert_int_equal(run.kernels, launches);
    assert_int_equal(run.ctas, 2 * launches);
    /* Of 64 lanes, with 4 instructions each, one does the membrane, 269 more, and 35 or 74 by the
     * potential; three do a compartment, 188 more. */
    uint64_t rest = run.thread_instructions - launches * (64 * 4 + 269 + 35 + 3 * 188);
    assert_int_equal(rest % 39, 0);
    assert_true(rest > 0 && rest / 39 < launches);
    assert_int_equal(run.instructions, run.thread_instructions - launches * (62 * 4 + 2 * 188));
    gm_source_close(run.source);
}

/* A thread a cell: the first is the cell above, to the last bit; the others are excited less. */
static void myocytes_beat_apart(void **state)
{
    (void)state;
    enum { CELLS = 33 };
    workload_run one = workload_run_whole("myocyte,span=1");
    workload_run run = workload_run_open("myocyte,span=1,cells=33");
    const float *y = workload_array(run.source, "state", (size_t)CELLS * STATES, sizeof *y);
    float before[STATES];
    memcpy(before, y, sizeof before);
    run.counts_lines = true;
    workload_run_drain(&run);
    assert_memory_equal(y, workload_data(&one, "state"), STATES * sizeof *y);
    check_life(before, y + (size_t)20 * STATES, 1, 80.0 * (1.0 - 0.5 * 20 / CELLS));
    check_life(before, y + (size_t)32 * STATES, 1, 80.0 * (1.0 - 0.5 * 32 / CELLS));
    assert_int_equal(run.kernels, 1);
    assert_int_equal(run.ctas, 2);
    /* Cells are more than a line apart, but for their parameters, 4 in each stage, and attempts. */
    const int32_t *attempts = workload_array(run.source, "attempts", CELLS, 4);
    uint64_t near = 0;
    for (int i = 0; i < CELLS; i++) {
        near += (uint64_t)attempts[i] * 13 * 4 + 1;
    }
    assert_true(run.lines <= run.lanes && run.lines >= run.lanes - near);
    assert_true(near < run.lanes / 50);
    gm_source_close(run.source);
    gm_source_close(one.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leukocyte_finds),
        cmocka_unit_test(leukocyte_reads_an_image),
        cmocka_unit_test(small_images_are_refused),
        cmocka_unit_test(rates_are_right),
        cmocka_unit_test(coefficients_are_fehlbergs),
        cmocka_unit_test(myocyte_beats),
        cmocka_unit_test(myocytes_beat_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

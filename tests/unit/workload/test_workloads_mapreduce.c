/* invertedindex, streamcluster and montecarlopi, whose host has work between the launches, against
 * straightforward host versions. */
#include "support/workload/workload_run.h"

#include <stdio.h>

typedef struct piece {
    uint32_t begin, bytes, page;
} piece;
typedef struct link {
    uint32_t begin, bytes, page, unused;
} link;

static const char *sorted_text;

static int by_text(const void *a, const void *b)
{
    const link *x = a;
    const link *y = b;
    uint32_t common = x->bytes < y->bytes ? x->bytes : y->bytes;
    int order = strncmp(sorted_text + x->begin, sorted_text + y->begin, common);
    if (order == 0) {
        order = x->bytes != y->bytes ? (x->bytes < y->bytes ? -1 : 1)
                                     : (x->begin < y->begin ? -1 : x->begin > y->begin);
    }
    return order;
}

/* Returns the place behind blanks and equals signs. */
static const char *behind_blanks(const char *text)
{
    return text + strspn(text, " =");
}

/* Writes down the link that begins with the tag at `tag`, if it is one; returns how many are known.
 */
static size_t note_link(const char *text, const char *tag, link *links, size_t count)
{
    const char *name = tag + 1 + strspn(tag + 1, " ");
    const char *reference = name + 1 + strspn(name + 1, " ");
    if (*name != 'a' || strncmp(reference, "href", 4) != 0) {
        return count;
    }
    const char *quote = behind_blanks(reference + 4);
    assert_true(*quote == '"');
    links[count] =
        (link){.begin = (uint32_t)(quote + 1 - text), .bytes = (uint32_t)strcspn(quote + 1, "\"")};
    return count + 1;
}

/* Pieces cover the text without gaps, none but a page's last shorter than 1024 bytes. Returns the
 * number of pages. */
static uint32_t check_pieces(const char *text, const piece *pieces, size_t count)
{
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pieces[i].begin, next);
        assert_true(text[next + pieces[i].bytes - 1] == '\n');
        next += pieces[i].bytes;
        bool is_last = i + 1 == count || pieces[i + 1].page != pieces[i].page;
        assert_true(is_last || (pieces[i].bytes >= 1024 && pieces[i].bytes < 1024 + 300));
    }
    return pieces[count - 1].page + 1;
}

static void invertedindex(void **state)
{
    (void)state;
    static const char *const cases[] = {"invertedindex,kilobytes=200,seed=2",
                                        "invertedindex,kilobytes=9", "invertedindex,kilobytes=1"};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        workload_run run = workload_run_whole(cases[c]);
        const gm_device_array *text_array = gm_workload_array(run.source, "text");
        const gm_device_array *counts = gm_workload_array(run.source, "counts");
        const gm_device_array *link_array = gm_workload_array(run.source, "links");
        const piece *pieces = workload_data(&run, "pieces");
        size_t piece_count = counts->bytes / sizeof(uint32_t);
        size_t places = link_array->bytes / sizeof(link);
        char *text = calloc(text_array->bytes + 1, 1);
        link *expected = calloc(places + 1, sizeof *expected);
        assert_non_null(text);
        assert_non_null(expected);
        memcpy(text, text_array->data, text_array->bytes);
        uint32_t pages = check_pieces(text, pieces, piece_count);
        assert_true(pages >= text_array->bytes / 41000 && pages <= text_array->bytes / 8192 + 1);
        size_t count = 0;
        for (const char *tag = strchr(text, '<'); tag != NULL; tag = strchr(tag + 1, '<')) {
            assert_true(count <= places);
            count = note_link(text, tag, expected, count);
        }
        /* about one link in 740 bytes, within 5 sigma */
        double mean = (double)text_array->bytes / 740.0;
        assert_true(fabs((double)count - mean) < 5.0 * sqrt(mean) + 2.0);
        for (size_t i = 0; i < count; i++) {
            size_t p = 0;
            while (expected[i].begin >= pieces[p].begin + pieces[p].bytes) {
                p++;
            }
            expected[i].page = pieces[p].page;
        }
        sorted_text = text;
        qsort(expected, count, sizeof *expected, by_text);
        const link *links = link_array->data;
        size_t repeated = 0;
        for (size_t i = 0; i < places; i++) {
            if (i >= count) {
                assert_int_equal(links[i].begin, UINT32_MAX);
                continue;
            }
            assert_int_equal(links[i].begin, expected[i].begin);
            assert_int_equal(links[i].bytes, expected[i].bytes);
            assert_int_equal(links[i].page, expected[i].page);
            repeated +=
                i > 0 && links[i].bytes == links[i - 1].bytes &&
                memcmp(text + links[i].begin, text + links[i - 1].begin, links[i].bytes) == 0;
        }
        assert_true(count < 200 || repeated > count / 4); /* the index has lists */
        free(text);
        free(expected);
        gm_source_close(run.source);
    }
}

typedef struct point {
    float weight;
    uint32_t unused[3];
    int64_t centre;
    float cost;
    uint32_t unused_too;
} point;

typedef struct cluster {
    const float *coordinate;
    const point *before;
    size_t points, dimensions;
} cluster;

static double squared_distance(const cluster *c, size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t d = 0; d < c->dimensions; d++) {
        double difference =
            (double)c->coordinate[d * c->points + i] - (double)c->coordinate[d * c->points + j];
        sum += difference * difference;
    }
    return sum;
}

/* Points before or after a launch: each belongs to a point that is its own centre, and its cost is
 * the distance. Returns the number of centres. */
static size_t check_assignment(const cluster *c, const point *points)
{
    size_t centres = 0;
    for (size_t i = 0; i < c->points; i++) {
        size_t centre = (size_t)points[i].centre;
        assert_int_equal(points[centre].centre, centre);
        workload_close((double)points[i].cost, squared_distance(c, i, centre), 1e-5);
        centres += centre == i;
    }
    return centres;
}

/* The number of a centre among the centres. */
static size_t index_of(const cluster *c, int64_t centre)
{
    size_t index = 0;
    for (int64_t i = 0; i < centre; i++) {
        index += c->before[i].centre == i;
    }
    return index;
}

/* Whether the rows of `saved` are what opening x means: what point i saves by moving, in the last
 * column, or, in its centre's, what it would lose by moving. */
static bool explains(const cluster *c, const float *saved, const uint8_t *moves, size_t centres,
                     size_t x)
{
    for (size_t i = 0; i < c->points; i++) {
        double change = squared_distance(c, i, x) - (double)c->before[i].cost;
        size_t column = change < 0.0 ? centres : index_of(c, c->before[i].centre);
        for (size_t k = 0; k <= centres; k++) {
            double expected = k != column ? 0.0 : change < 0.0 ? change : -change;
            if (fabs((double)saved[i * (centres + 1) + k] - expected) > 1e-4) {
                return false;
            }
        }
        if (fabs(change) > 1e-4 && moves[i] != (change < 0.0)) {
            return false;
        }
    }
    return true;
}

/* Call number `calls`, of a workload whose calls before it give the points before: exactly one
 * point can be the one that was tried; then each point is where it was, or at it. Returns whether
 * it was opened. */
static bool check_call(const char *specification, unsigned calls, size_t points, size_t dimensions)
{
    char name[128];
    snprintf(name, sizeof name, "%s,calls=%u", specification, calls > 1 ? calls - 1 : 1);
    workload_run earlier = workload_run_open(name);
    if (calls > 1) {
        workload_run_drain(&earlier);
    }
    snprintf(name, sizeof name, "%s,calls=%u", specification, calls);
    workload_run run = workload_run_whole(name);
    cluster c = {.points = points, .dimensions = dimensions};
    c.coordinate = workload_array(run.source, "coordinates", points * dimensions, 4);
    c.before = workload_array(earlier.source, "points", points, sizeof *c.before);
    const point *now = workload_array(run.source, "points", points, sizeof *now);
    size_t centres = check_assignment(&c, c.before);
    const float *saved = workload_data(&run, "saved");
    const uint8_t *moves = workload_array(run.source, "moves", points, 1);
    size_t tried = points;
    for (size_t x = 0; x < points; x++) {
        if (c.before[x].centre != (int64_t)x && explains(&c, saved, moves, centres, x)) {
            assert_int_equal(tried, points);
            tried = x;
        }
    }
    assert_true(tried < points);
    check_assignment(&c, now);
    bool is_open = now[tried].centre == (int64_t)tried;
    for (size_t i = 0; i < points; i++) {
        bool has_closed = now[c.before[i].centre].centre != c.before[i].centre;
        bool moves_now = is_open && (moves[i] || has_closed);
        assert_int_equal(now[i].centre, moves_now ? (int64_t)tried : c.before[i].centre);
    }
    gm_source_close(earlier.source);
    gm_source_close(run.source);
    return is_open;
}

static void streamcluster(void **state)
{
    (void)state;
    unsigned opened = 0;
    for (unsigned calls = 1; calls <= 12; calls++) {
        opened +=
            check_call("streamcluster,points=600,dimensions=3,centres=5,seed=1", calls, 600, 3);
    }
    assert_true(opened > 0 && opened < 12);
    check_call("streamcluster,points=40,dimensions=9,centres=2", 1, 40, 9);
}

typedef struct generator {
    uint32_t counter, word[5];
    uint32_t unused[6];
} generator;

/* Marsaglia's xorwow, as printed in the paper: returns the next number. */
static uint32_t xorwow(generator *g)
{
    uint32_t *x = g->word;
    uint32_t t = x[0] ^ (x[0] >> 2);
    x[0] = x[1];
    x[1] = x[2];
    x[2] = x[3];
    x[3] = x[4];
    x[4] = (x[4] ^ (x[4] << 4)) ^ (t ^ (t << 1));
    return (g->counter += 362437) + x[4];
}

/* Generators `distance` numbers apart, found by drawing all between; each thread's points. */
static void check_generators(const char *specification, unsigned ctas, unsigned points,
                             unsigned distance)
{
    workload_run run = workload_run_whole(specification);
    unsigned threads = ctas * 128;
    const generator *states = workload_array(run.source, "states", threads, sizeof *states);
    const uint32_t *inside = workload_array(run.source, "inside", ctas, 4);
    uint32_t *expected = calloc(ctas, sizeof *expected);
    assert_non_null(expected);
    generator g = states[0];
    assert_int_equal(g.counter, 6615241);
    for (unsigned i = 0; i < threads; i++) {
        assert_memory_equal(states[i].word, g.word, sizeof g.word);
        assert_int_equal(states[i].counter, 6615241);
        generator own = states[i];
        for (unsigned k = i; k < points; k += threads) {
            float x = (float)xorwow(&own) * 0x1p-32F + 0x1p-33F;
            float y = (float)xorwow(&own) * 0x1p-32F + 0x1p-33F;
            expected[i / 128] += x * x + y * y < 1.0F;
        }
        for (unsigned k = 0; k < distance; k++) {
            xorwow(&g);
        }
    }
    assert_memory_equal(inside, expected, ctas * sizeof *expected);
    free(expected);
    gm_source_close(run.source);
}

static void montecarlopi(void **state)
{
    (void)state;
    check_generators("montecarlopi,ctas=5,points=3000,spacing=0", 5, 3000, 1);
    check_generators("montecarlopi,ctas=2,points=100,spacing=3,seed=9", 2, 100, 8);
    /* the period is 2^160 - 1: 2^160 numbers on is one number on */
    check_generators("montecarlopi,ctas=1,points=128,spacing=160", 1, 128, 1);
    /* generators far apart: pi within 5 sigma of the 20000 points */
    gm_source *source = workload_run_whole("montecarlopi,ctas=2,points=20000").source;
    const uint32_t *inside = workload_array(source, "inside", 2, 4);
    double pi = 4.0 * (inside[0] + inside[1]) / 20000.0;
    assert_true(fabs(pi - 3.14159265) < 5.0 * sqrt(3.14159265 * (4.0 - 3.14159265) / 20000.0));
    gm_source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invertedindex),
        cmocka_unit_test(streamcluster),
        cmocka_unit_test(montecarlopi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

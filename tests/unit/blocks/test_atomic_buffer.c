/* Atomic buffer: operations worked by hand; and a second way to compute the answers, from the list
 * of all requests, that agrees on random streams. */
#include "goldmem/atomic_buffer.h"
#include "goldmem/bits.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static gm_atomic_buffer make(unsigned line_bits, unsigned sectors)
{
    gm_atomic_buffer buffer;
    gm_error error;
    const gm_atomic_buffer_parameters p = {.line_bits = line_bits, .sectors = sectors};
    test_ok(gm_atomic_buffer_init(&buffer, &p, &error), error);
    return buffer;
}

static gm_atomic_buffer_response act(gm_atomic_buffer *buffer, gm_atomic_buffer_request request)
{
    gm_error error;
    gm_atomic_buffer_response response = gm_atomic_buffer_access(buffer, request);
    test_ok(gm_atomic_buffer_check(buffer, &error), error);
    return response;
}

static void operations_by_hand(void **state)
{
    (void)state;
    enum { ATOMIC = GM_ATOMIC_BUFFER_ATOMIC, ACCESS = GM_ATOMIC_BUFFER_ACCESS };
    enum { FLUSH = GM_ATOMIC_BUFFER_FLUSH, LOAD = GM_ATOMIC_BUFFER_LOAD };
    static const struct {
        gm_atomic_buffer_request request;   /* op, line, sectors, valid, dirty */
        gm_atomic_buffer_response response; /* hit, puts, line, valid, dirty */
        const char *why;
    } rows[] = {
        {{ACCESS, 0, 0, 0, 0}, {0}, "nothing is held, line 0 neither"},
        {{FLUSH, 0, 0, 0, 0}, {0}, "nothing to put back"},
        {{ATOMIC, 0x10, 0x1, 0x3, 0x2}, {0}, "takes sectors 0 and 1, the second one dirty"},
        {{ATOMIC, 0x10, 0x3, 0, 0}, {1, 0, 0, 0, 0}, "hits: the L2's state does not matter"},
        {{ATOMIC, 0x10, 0x2, 0xf, 0xf}, {1, 0, 0, 0, 0}, "nor here"},
        {{ACCESS, 0x11, 0, 0, 0}, {0}, "an access to another line"},
        {{ATOMIC, 0x11, 0x4, 0, 0xb}, {0, 1, 0x10, 0x3, 0x3}, "exchange: what is dirty is valid"},
        {{ACCESS, 0x11, 0, 0, 0}, {0, 1, 0x11, 0x4, 0x4}, "a load sees the atomics"},
        {{ATOMIC, 0x11, 0x4, 0xc, 0x4}, {0}, "no hit on a line that was put back"},
        {{ATOMIC, 0x11, 0x8, 0, 0}, {1, 0, 0, 0, 0}, "a sector that came with it"},
        {{ATOMIC, 0x11, 0x1, 0x1, 0}, {0, 1, 0x11, 0xc, 0xc}, "a sector is missing: exchange"},
        {{FLUSH, 0x12, 0xf, 0xf, 0xf}, {0, 1, 0x11, 0x1, 0x1}, "FLUSH has no line"},
        {{ATOMIC, 0x12, 0x1, 0x7, 0x4}, {0}, "takes a clean sector, 1"},
        {{FLUSH, 0, 0, 0, 0}, {0, 1, 0x12, 0x7, 0x5}, "sector 1 is clean"},
        {{ATOMIC, 0x13, 0, 0, 0}, {0}, "an atomic of no sector takes the line"},
        {{ATOMIC, 0x13, 0, 0, 0}, {1, 0, 0, 0, 0}, "and has it"},
        {{ACCESS, 0x13, 0xf, 0xf, 0xf}, {0, 1, 0x13, 0, 0}, "as it was"},
        {{LOAD, 0x14, 0x3, 0x1, 0x3}, {0}, "a load takes its line; sector 1 comes clean"},
        {{LOAD, 0x14, 0x2, 0xf, 0xf}, {1, 0, 0, 0, 0}, "the next one hits, and changes nothing"},
        {{LOAD, 0x14, 0, 0, 0}, {1, 0, 0, 0, 0}, "so does a load of no sector"},
        {{ATOMIC, 0x14, 0x2, 0, 0}, {1, 0, 0, 0, 0}, "an atomic hits what a load has taken"},
        {{LOAD, 0x14, 0x3, 0, 0}, {1, 0, 0, 0, 0}, "a load sees it there"},
        {{LOAD, 0x14, 0x4, 0x4, 0}, {0, 1, 0x14, 0x3, 0x3}, "a sector is missing: exchange"},
        {{LOAD, 0x15, 0x1, 0x3, 0x1}, {0, 1, 0x14, 0x4, 0}, "a clean line goes back, too"},
        {{ACCESS, 0x14, 0, 0, 0}, {0}, "an access to another line"},
        {{ATOMIC, 0x16, 0x8, 0, 0}, {0, 1, 0x15, 0x3, 0x1}, "dirty as it was taken"},
        {{LOAD, 0x17, 0, 0x6, 0xf}, {0, 1, 0x16, 0x8, 0x8}, "a load takes what an atomic left"},
        {{FLUSH, 0, 0, 0, 0}, {0, 1, 0x17, 0x6, 0x6}, "dirty: what is valid"},
        {{LOAD, 0, 0x1, 0, 0}, {0}, "line 0: nothing is held"},
        {{ACCESS, 0, 0, 0, 0}, {0, 1, 0, 0x1, 0}, "but now it is"},
    };
    gm_atomic_buffer buffer = make(42, 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_atomic_buffer_response got = act(&buffer, rows[i].request);
        if (memcmp(&got, &rows[i].response, sizeof got) != 0) {
            fail_msg("row %zu: %s: hit %llu, puts %llu, line 0x%llx, valid 0x%llx, dirty 0x%llx", i,
                     rows[i].why, (unsigned long long)got.hit, (unsigned long long)got.puts,
                     (unsigned long long)got.line, (unsigned long long)got.valid,
                     (unsigned long long)got.dirty);
        }
    }
}

enum { EVENTS = 200 };

/* The second way: the line behind a list of requests, from the last FLUSH in it on, with each
 * sector clean, dirty or absent. */
typedef struct history {
    bool held;
    uint64_t line, clean, dirty;
} history;

static bool lacks(const history *it, const gm_atomic_buffer_request *event)
{
    return !it->held || it->line != event->line || (event->sectors & ~(it->clean | it->dirty)) != 0;
}

static bool operates(const gm_atomic_buffer_request *event)
{
    return event->op == GM_ATOMIC_BUFFER_ATOMIC || event->op == GM_ATOMIC_BUFFER_LOAD;
}

static history line_behind(const gm_atomic_buffer_request *event, unsigned count)
{
    history it = {0};
    unsigned first = count;
    while (first > 0 && event[first - 1].op != GM_ATOMIC_BUFFER_FLUSH) {
        first--;
    }
    for (unsigned i = first; i < count; i++) {
        const gm_atomic_buffer_request *e = &event[i];
        if (operates(e)) {
            if (lacks(&it, e)) {
                it = (history){true, e->line, e->valid & ~e->dirty, e->valid & e->dirty};
            }
            it.dirty |= e->op == GM_ATOMIC_BUFFER_ATOMIC ? e->sectors : 0;
            it.clean = (it.clean | e->sectors) & ~it.dirty;
        } else if (e->line == it.line) {
            it.held = false;
        }
    }
    return it;
}

static void agrees_with_history(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned hits = 0;
    unsigned puts = 0;
    unsigned missing = 0;
    unsigned loads = 0;
    for (unsigned round = 0; round < 400; round++) {
        unsigned sectors = 1 + (unsigned)test_random_below(&random, 32);
        unsigned bits = 1 + (unsigned)test_random_below(&random, 64);
        uint64_t base = test_random_next(&random) & gm_mask(bits);
        gm_atomic_buffer buffer = make(bits, sectors);
        gm_atomic_buffer_request event[EVENTS];
        for (unsigned i = 0; i < EVENTS; i++) {
            uint64_t ticket = test_random_below(&random, 16);
            uint64_t flip = test_random_below(&random, 3) == 0
                                ? UINT64_C(1) << test_random_below(&random, bits)
                                : 0;
            event[i] = (gm_atomic_buffer_request){
                .op = ticket < 6    ? GM_ATOMIC_BUFFER_ATOMIC
                      : ticket < 10 ? GM_ATOMIC_BUFFER_LOAD
                      : ticket < 15 ? GM_ATOMIC_BUFFER_ACCESS
                                    : GM_ATOMIC_BUFFER_FLUSH,
                .line = base ^ flip,
                .sectors = UINT64_C(1) << test_random_below(&random, sectors),
                .valid = test_random_next(&random) & gm_mask(sectors),
                .dirty = test_random_next(&random) & gm_mask(sectors),
            };
            history before = line_behind(event, i);
            bool takes = operates(&event[i]);
            bool hit = takes && !lacks(&before, &event[i]);
            bool put = before.held && (takes ? !hit
                                             : event[i].op == GM_ATOMIC_BUFFER_FLUSH ||
                                                   event[i].line == before.line);
            gm_atomic_buffer_response response = act(&buffer, event[i]);
            assert_int_equal(response.hit, hit);
            assert_int_equal(response.puts, put);
            assert_int_equal(response.line, put ? before.line : 0);
            assert_int_equal(response.valid, put ? before.clean | before.dirty : 0);
            assert_int_equal(response.dirty, put ? before.dirty : 0);
            hits += hit;
            puts += put;
            missing += takes && !hit && before.held && before.line == event[i].line;
            loads += hit && event[i].op == GM_ATOMIC_BUFFER_LOAD;
        }
    }
    print_message("%u hits, %u of loads, %u put back, %u sectors missing\n", hits, loads, puts,
                  missing);
    assert_true(hits > 8000 && loads > 2000 && puts > 30000 && missing > 5000);
}

static void has_says_what_hits(void **state)
{
    (void)state;
    gm_atomic_buffer buffer = make(8, 4);
    assert_false(gm_atomic_buffer_has(&buffer, 0, 0));
    act(&buffer, (gm_atomic_buffer_request){.line = 5, .sectors = 2, .valid = 8});
    assert_true(gm_atomic_buffer_has(&buffer, 5, 10));
    assert_false(gm_atomic_buffer_has(&buffer, 5, 1));
    assert_false(gm_atomic_buffer_has(&buffer, 4, 2));
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        gm_atomic_buffer_parameters p;
        const char *text; /* NULL: taken */
    } ranges[] = {
        {{1, 1}, NULL},
        {{64, 32}, NULL},
        {{0, 1}, "atomic_buffer: line_bits 0: must be 1 to 64"},
        {{65, 1}, "atomic_buffer: line_bits 65: must be 1 to 64"},
        {{42, 0}, "atomic_buffer: sectors 0: must be 1 to 32"},
        {{42, 33}, "atomic_buffer: sectors 33: must be 1 to 32"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_atomic_buffer buffer;
        int code = gm_atomic_buffer_init(&buffer, &ranges[i].p, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
    }
}

static void check_finds_damage(void **state)
{
    (void)state;
    static const struct {
        bool held;
        uint64_t line;
        uint32_t valid, dirty;
        const char *text; /* NULL: whole */
    } rows[] = {
        {true, 255, 15, 15, NULL},
        {false, 0, 0, 0, NULL},
        {false, 1, 0, 0, "atomic_buffer: no line, but 0x1, valid 0x0, dirty 0x0"},
        {false, 0, 1, 0, "atomic_buffer: no line, but 0x0, valid 0x1, dirty 0x0"},
        {false, 0, 0, 1, "atomic_buffer: no line, but 0x0, valid 0x0, dirty 0x1"},
        {true, 256, 1, 1, "atomic_buffer: line 0x100, valid 0x1: 8 bits and 4 sectors"},
        {true, 1, 16, 1, "atomic_buffer: line 0x1, valid 0x10: 8 bits and 4 sectors"},
        {true, 1, 5, 7, "atomic_buffer: line 0x1: sectors 0x7 dirty, 0x5 valid"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_error error;
        gm_atomic_buffer buffer = make(8, 4);
        buffer.held = rows[i].held;
        buffer.line = rows[i].line;
        buffer.valid = rows[i].valid;
        buffer.dirty = rows[i].dirty;
        int code = gm_atomic_buffer_check(&buffer, &error);
        assert_int_equal(code, rows[i].text == NULL ? 0 : -EINVAL);
        if (rows[i].text != NULL) {
            assert_string_equal(error.text, rows[i].text);
        }
    }
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = response[1];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_atomic_buffer buffer = make(8, 4);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    buffer.observer = &observer;
    for (uint64_t op = 0; op < 4; op++) {
        gm_atomic_buffer_response response =
            act(&buffer, (gm_atomic_buffer_request){.op = op, .line = 5, .sectors = 1});
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], response.puts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand), cmocka_unit_test(agrees_with_history),
        cmocka_unit_test(has_says_what_hits), cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage), cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

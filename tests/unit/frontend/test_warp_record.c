/* Warp records by their format, as the intake writes them, and that an SM reads them likewise. */
#include "frontend/warp_record.h"
#include "support/frontend/intake_run.h"

/* Takes the first record out, of a length that its format gives; the head's fields. */
typedef struct record {
    unsigned form, kind;
    bool more;
    uint64_t count; /* turns or requests */
} record;

static record next_record(fixture *fixture)
{
    gm_error error;
    assert_true(fixture->stream->count > 0);
    const unsigned char *at = gm_warp_store_first(fixture->store, fixture->stream, &error);
    assert_non_null(at);
    uint64_t head;
    memcpy(&head, at, sizeof head);
    record record = {head & 15, head >> 4 & 15, (head >> 8 & 1) != 0, head >> 16};
    size_t bytes = 8;
    if (record.form == GM_WARP_LINES || record.form == GM_WARP_WIDE) {
        record.count &= 0xffff;
        bytes = record.form == GM_WARP_LINES ? 16 + 6 * (record.count - 1)
                                             : 8 + record.count * sizeof(gm_line_request);
    }
    gm_warp_store_remove(fixture->stream, bytes);
    return record;
}

static void expect_record(fixture *fixture, unsigned form, uint64_t count, bool more)
{
    record record = next_record(fixture);
    assert_int_equal(record.form, form);
    assert_int_equal(record.count, count);
    assert_int_equal(record.more, more);
}

static void end_records(fixture *fixture)
{
    assert_int_equal(fixture->stream->count, 0);
    gm_warp_store_drop(fixture->store, fixture->stream);
    begin_cta(fixture);
}

/* Turns that reach no cache are one record, whatever they are. */
static void runs(void **state)
{
    (void)state;
    fixture fixture;
    gm_error error;
    make(&fixture, 128, false);
    for (int pass = 0; pass < 2; pass++) {
        plain(&fixture, MEMORY_COMPUTE, ALL);
        plain(&fixture, MEMORY_COMPUTE, 0);
        plain(&fixture, MEMORY_FENCE, ALL);
        stride(&fixture, MEMORY_SHARED_LOAD, ALL, 0, 4, 4);
        stride(&fixture, MEMORY_GENERIC_LOAD, ALL, 0, 4, 4); /* shared too: below 16 MiB */
        stride(&fixture, MEMORY_LOAD, 0, 0, 0, 4);
        plain(&fixture, MEMORY_BARRIER, 0);
        stride(&fixture, MEMORY_LOAD, ALL, BASE, 4, 4);
        plain(&fixture, MEMORY_COMPUTE, ALL);
        plain(&fixture, MEMORY_BARRIER, ALL);
        plain(&fixture, MEMORY_BARRIER, 1);
        stride(&fixture, MEMORY_ATOMIC, ALL, BASE, 4, 4);
        plain(&fixture, MEMORY_COMPUTE, ALL);
        plain(&fixture, MEMORY_COMPUTE, ALL);
        if (pass == 0) {
            run(&fixture);
        }
    }
    assert_int_equal(fixture.cta.core.shared_instructions, 2);
    assert_int_equal(fixture.cta.core.barriers, 3);
    assert_int_equal(fixture.cta.core.fences, 1);
    assert_int_equal(fixture.cta.core.atomic_instructions, 1);
    assert_int_equal(fixture.cta.core.global_instructions, 2);
    assert_int_equal(fixture.cta.core.memory_instructions, 5);
    test_ok(gm_intake_end_cta(&fixture.intake, &error), error);
    expect_record(&fixture, GM_WARP_RUN, 7, false);
    expect_record(&fixture, GM_WARP_LINES, 1, false);
    expect_record(&fixture, GM_WARP_RUN, 1, false);
    expect_record(&fixture, GM_WARP_BARRIER, 0, false);
    expect_record(&fixture, GM_WARP_BARRIER, 0, false);
    expect_record(&fixture, GM_WARP_LINES, 1, false);
    expect_record(&fixture, GM_WARP_RUN, 2, false);
    end_records(&fixture);
    /* A run of 2^30 turns is full. */
    fixture.intake.run = (1 << 30) - 1;
    plain(&fixture, MEMORY_COMPUTE, ALL);
    plain(&fixture, MEMORY_COMPUTE, ALL);
    test_ok(gm_intake_end_cta(&fixture.intake, &error), error);
    expect_record(&fixture, GM_WARP_RUN, 1 << 30, false);
    expect_record(&fixture, GM_WARP_RUN, 1, false);
    end_records(&fixture);
    destroy(&fixture);
}

/* LINES has 32 signed bits for the distance from the first line. */
static void distances(void **state)
{
    (void)state;
    static const struct {
        int64_t distance; /* in lines */
        unsigned form;
    } rows[] = {
        {1, GM_WARP_LINES},
        {-1, GM_WARP_LINES},
        {INT32_MAX, GM_WARP_LINES},
        {INT32_MIN, GM_WARP_LINES},
        {INT64_C(1) << 31, GM_WARP_WIDE},
        {(int64_t)INT32_MIN - 1, GM_WARP_WIDE},
        {INT64_C(1) << 32, GM_WARP_WIDE},
        {-(INT64_C(1) << 32), GM_WARP_WIDE},
        {(INT64_C(1) << 32) + 1, GM_WARP_WIDE},
    };
    fixture fixture;
    make(&fixture, 128, false);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            uint64_t *address = fixture.address[fixture.turns];
            address[0] = BASE;
            address[1] = BASE + 128;
            address[2] = BASE + (uint64_t)rows[i].distance * 128 + 32;
            list(&fixture, MEMORY_STORE, 7, 64, 3);
        }
        if (pass == 0) {
            run(&fixture);
        }
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_record(&fixture, rows[i].form, rows[i].distance == 1 ? 2 : 3, false);
    }
    end_records(&fixture);
    destroy(&fixture);
}

/* A record has at most 128 requests. */
static void splits(void **state)
{
    (void)state;
    static const struct {
        unsigned lines;
        unsigned records[3];
    } rows[] = {
        {127, {127}},      {128, {128}},      {129, {128, 1}},
        {255, {128, 127}}, {256, {128, 128}}, {257, {128, 128, 1}},
    };
    for (int wide = 0; wide < 2; wide++) {
        fixture fixture;
        make(&fixture, 128, wide == 1);
        for (int pass = 0; pass < 2; pass++) {
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                unsigned count = rows[i].lines < 256 ? rows[i].lines : 256;
                for (unsigned k = 0; k < count; k++) { /* the first one can touch two lines */
                    fixture.address[fixture.turns][k] =
                        BASE + 1024 * k + (k == 0 && rows[i].lines > count ? 120 : 32 * (k % 3));
                }
                list(&fixture, MEMORY_STORE, 1, 32, count);
            }
            if (pass == 0) {
                run(&fixture);
            }
        }
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            for (unsigned k = 0; k < 3 && rows[i].records[k] != 0; k++) {
                expect_record(&fixture, wide == 1 ? GM_WARP_WIDE : GM_WARP_LINES,
                              rows[i].records[k], k < 2 && rows[i].records[k + 1] != 0);
            }
        }
        end_records(&fixture);
        destroy(&fixture);
    }
}

/* Records for analyses, and those of lines of more than 8 sectors, hold requests as they are. */
static void lanes_are_kept(void **state)
{
    (void)state;
    static const struct {
        uint64_t line;
        bool keeps;
        unsigned form;
    } rows[] = {
        {128, false, GM_WARP_LINES},
        {128, true, GM_WARP_WIDE},
        {256, false, GM_WARP_LINES},
        {512, false, GM_WARP_WIDE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture fixture;
        gm_error error;
        make(&fixture, rows[i].line, rows[i].keeps);
        stride(&fixture, MEMORY_STORE, 0xffff, BASE + rows[i].line - 32, 8, 8); /* 4 lanes, 12 */
        const unsigned char *at = gm_warp_store_first(fixture.store, fixture.stream, &error);
        assert_non_null(at);
        if (rows[i].form == GM_WARP_WIDE) {
            gm_line_request request[2];
            memcpy(request, at + 8, sizeof request);
            assert_int_equal(request[0].line, BASE / rows[i].line);
            assert_int_equal(request[0].lanes, 0xf);
            assert_int_equal(request[1].line, BASE / rows[i].line + 1);
            assert_int_equal(request[1].lanes, 0xfff0);
        }
        expect_record(&fixture, rows[i].form, 2, false);
        end_records(&fixture);
        destroy(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),
        cmocka_unit_test(distances),
        cmocka_unit_test(splits),
        cmocka_unit_test(lanes_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

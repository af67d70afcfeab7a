/* Debug assertions of the blocks that throttle, bypass and schedule: a transaction on a broken
 * state, or with a request beyond the widths of its ports, ends the program in words. */
#include "goldmem/atomic_buffer.h"
#include "goldmem/contention_bypass.h"
#include "goldmem/cores_sampling.h"
#include "goldmem/cta_queues.h"
#include "goldmem/locality_score.h"
#include "goldmem/stream_gate.h"
#include "goldmem/victim_tags.h"
#include "goldmem/warp_limiter.h"
#include "support/aborts.h"

typedef struct cores_case {
    gm_cores_sampling sampling;
    gm_cores_sampling_request request;
} cores_case;

static void ask_cores(void *state)
{
    cores_case *it = state;
    gm_cores_sampling_access(&it->sampling, it->request);
}

static void a_request_beyond_the_widths_of_cores_sampling(void **state)
{
    (void)state;
    static const struct {
        gm_cores_sampling_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .misses = 7, .issued = 15, .idle = 1, .closed = 1, .kernel = 3}, NULL},
        {{.op = 4},
         "cores_sampling: operation 4, misses 0, issued 0, idle 0, closed 0, kernel 0\n"},
        {{.misses = 8},
         "cores_sampling: operation 0, misses 8, issued 0, idle 0, closed 0, kernel 0\n"},
        {{.issued = 16},
         "cores_sampling: operation 0, misses 0, issued 16, idle 0, closed 0, kernel 0\n"},
        {{.idle = 2},
         "cores_sampling: operation 0, misses 0, issued 0, idle 2, closed 0, kernel 0\n"},
        {{.closed = 2},
         "cores_sampling: operation 0, misses 0, issued 0, idle 0, closed 2, kernel 0\n"},
        {{.kernel = 4},
         "cores_sampling: operation 0, misses 0, issued 0, idle 0, closed 0, kernel 4\n"},
    };
    cores_case it;
    const gm_cores_sampling_parameters parameters = {.sms = 2,
                                                     .warps = 4,
                                                     .miss_bits = 3,
                                                     .issue_bits = 4,
                                                     .threshold = 10,
                                                     .hot = 1,
                                                     .samples = 1,
                                                     .entries = 1,
                                                     .kernel_bits = 2};
    gm_error error;
    test_ok(gm_cores_sampling_init(&it.sampling, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_cores(&it);
        } else {
            test_aborts(ask_cores, &it, rows[i].text);
        }
    }
    it.request = (gm_cores_sampling_request){.misses = 1};
    it.sampling.misses = 7;
    test_aborts(ask_cores, &it,
                "cores_sampling: 8 misses, 0 instructions, 0 closed L1s of 1 SMs\n");
}

typedef struct gate_case {
    gm_stream_gate gate;
    gm_stream_gate_request request;
} gate_case;

static void ask_gate(void *state)
{
    gate_case *it = state;
    gm_stream_gate_access(&it->gate, it->request);
}

static void a_request_beyond_the_widths_of_stream_gate(void **state)
{
    (void)state;
    static const struct {
        gm_stream_gate_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .miss = 1, .hot = 1}, NULL},
        {{.op = 4}, "stream_gate: operation 4, miss 0, hot 0\n"},
        {{.miss = 2}, "stream_gate: operation 0, miss 2, hot 0\n"},
        {{.hot = 2}, "stream_gate: operation 0, miss 0, hot 2\n"},
    };
    gate_case it;
    const gm_stream_gate_parameters parameters = {.count_bits = 14, .threshold = 90, .least = 64};
    gm_error error;
    test_ok(gm_stream_gate_init(&it.gate, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_gate(&it);
        } else {
            test_aborts(ask_gate, &it, rows[i].text);
        }
    }
    it.request = (gm_stream_gate_request){.miss = 1};
    it.gate.misses = 5;
    test_aborts(ask_gate, &it, "stream_gate: 6 misses of 1 accesses\n");
}

typedef struct victim_case {
    gm_victim_tags tags;
    gm_victim_tags_request request;
} victim_case;

static void ask_victims(void *state)
{
    victim_case *it = state;
    gm_victim_tags_access(&it->tags, it->request);
}

static void a_request_beyond_the_widths_of_victim_tags(void **state)
{
    (void)state;
    static const struct {
        gm_victim_tags_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .warp = 7, .line = 15}, NULL},
        {{.op = 1, .warp = 4, .line = 15}, NULL},
        {{.op = 4}, "victim_tags: operation 4\n"},
        {{.op = 2, .warp = 5}, "victim_tags: warp 5 of 5\n"},
        {{.line = 16}, "victim_tags: line 0x10\n"},
    };
    victim_case it;
    gm_arena arena;
    gm_error error;
    const gm_victim_tags_parameters parameters = {.warps = 5, .sets = 2, .ways = 2, .line_bits = 4};
    test_ok(gm_arena_create(&arena, gm_victim_tags_bytes(&parameters), &error), error);
    test_ok(gm_victim_tags_init(&it.tags, &parameters, &arena, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_victims(&it);
        } else {
            test_aborts(ask_victims, &it, rows[i].text);
        }
    }
    it.request = (gm_victim_tags_request){.line = 6};
    ask_victims(&it);
    it.request.line = 8;
    it.tags.tag[0] = 8;
    test_aborts(ask_victims, &it, "victim_tags: row 0: tag 0x8 beyond 3 bits\n");
    gm_arena_free(&arena);
}

typedef struct score_case {
    gm_locality_score scores;
    gm_locality_score_request request;
} score_case;

static void ask_scores(void *state)
{
    score_case *it = state;
    gm_locality_score_access(&it->scores, it->request);
}

static void a_request_beyond_the_widths_of_locality_score(void **state)
{
    (void)state;
    static const struct {
        gm_locality_score_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 7, .warp = 7, .cycles = 31, .issued = 15}, NULL},
        {{.op = 0, .warp = 5}, NULL},
        {{.op = 2, .warp = 4}, NULL},
        {{.op = 8}, "locality_score: operation 8\n"},
        {{.op = 1, .warp = 5}, "locality_score: warp 5 of 5\n"},
        {{.cycles = 32}, "locality_score: 32 cycles, 0 instructions\n"},
        {{.issued = 16}, "locality_score: 0 cycles, 16 instructions\n"},
    };
    score_case it;
    const gm_locality_score_parameters parameters = {
        .warps = 5, .score_bits = 5, .base = 3, .throttle = 1, .hit_bits = 3, .issued_bits = 4};
    gm_error error;
    test_ok(gm_locality_score_init(&it.scores, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_scores(&it);
        } else {
            test_aborts(ask_scores, &it, rows[i].text);
        }
    }
    it.request = (gm_locality_score_request){.op = 3};
    it.scores.place[0].warp = 6;
    test_aborts(ask_scores, &it, "locality_score: place 0: warp 6\n");
}

typedef struct buffer_case {
    gm_atomic_buffer buffer;
    gm_atomic_buffer_request request;
} buffer_case;

static void ask_buffer(void *state)
{
    buffer_case *it = state;
    gm_atomic_buffer_access(&it->buffer, it->request);
}

static void a_request_beyond_the_widths_of_atomic_buffer(void **state)
{
    (void)state;
    static const struct {
        gm_atomic_buffer_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = 3, .line = 7, .sectors = 3, .valid = 3, .dirty = 3}, NULL},
        {{.op = 2, .line = 7, .sectors = 3, .valid = 3, .dirty = 3}, NULL}, /* holds none again */
        {{.op = 4}, "atomic_buffer: operation 4, line 0x0, sectors 0x0, valid 0x0, dirty 0x0\n"},
        {{.line = 8}, "atomic_buffer: operation 0, line 0x8, sectors 0x0, valid 0x0, dirty 0x0\n"},
        {{.sectors = 4},
         "atomic_buffer: operation 0, line 0x0, sectors 0x4, valid 0x0, dirty 0x0\n"},
        {{.valid = 4}, "atomic_buffer: operation 0, line 0x0, sectors 0x0, valid 0x4, dirty 0x0\n"},
        {{.dirty = 4}, "atomic_buffer: operation 0, line 0x0, sectors 0x0, valid 0x0, dirty 0x4\n"},
    };
    buffer_case it;
    const gm_atomic_buffer_parameters parameters = {.line_bits = 3, .sectors = 2};
    gm_error error;
    test_ok(gm_atomic_buffer_init(&it.buffer, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_buffer(&it);
        } else {
            test_aborts(ask_buffer, &it, rows[i].text);
        }
    }
    it.buffer.held = true;
    it.buffer.dirty = 2;
    it.request = (gm_atomic_buffer_request){.op = GM_ATOMIC_BUFFER_ACCESS, .line = 1};
    test_aborts(ask_buffer, &it, "atomic_buffer: line 0x0: sectors 0x2 dirty, 0x0 valid\n");
}

typedef struct queues_case {
    gm_cta_queues queues;
    gm_cta_queues_request request;
} queues_case;

static void ask_queues(void *state)
{
    queues_case *it = state;
    gm_cta_queues_access(&it->queues, it->request);
}

static void a_request_beyond_the_widths_of_cta_queues(void **state)
{
    (void)state;
    enum { START = GM_CTA_QUEUES_START };
    static const struct {
        gm_cta_queues_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.op = START, .ctas = 3}, NULL},
        {{.op = START, .ctas = 7, .size = 7, .tail = 7}, NULL},
        {{.sm = 2, .free = 3}, NULL},
        {{.op = START, .sm = 3, .ctas = 7, .size = 1}, NULL},
        {{.op = 2}, "cta_queues: operation 2, SM 0 of 3, free 0\n"},
        {{.sm = 3}, "cta_queues: operation 0, SM 3 of 3, free 0\n"},
        {{.free = 4}, "cta_queues: operation 0, SM 0 of 3, free 4\n"},
        {{.op = START, .ctas = 8, .size = 1}, "cta_queues: operation 1, ctas 8, size 1, tail 0\n"},
        {{.op = START, .size = 8}, "cta_queues: operation 1, ctas 0, size 8, tail 0\n"},
        {{.op = START, .size = 1, .tail = 8}, "cta_queues: operation 1, ctas 0, size 1, tail 8\n"},
    };
    queues_case it;
    const gm_cta_queues_parameters parameters = {
        .sms = 3, .cta_bits = 3, .mode = GM_CTA_QUEUES_GROUPS};
    gm_error error;
    gm_arena arena;
    test_ok(gm_arena_create(&arena, gm_cta_queues_bytes(parameters.sms), &error), error);
    test_ok(gm_cta_queues_init(&it.queues, &parameters, &arena, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_queues(&it);
        } else {
            test_aborts(ask_queues, &it, rows[i].text);
        }
    }
    it.request = (gm_cta_queues_request){.sm = 1, .free = 1};
    it.queues.next = 8;
    test_aborts(ask_queues, &it, "cta_queues: next 8 of 7, single 0\n");
    it.queues.next = 1;
    it.queues.single = true;
    test_aborts(ask_queues, &it, "cta_queues: next 1 of 7, single 1\n");
    it.queues.single = false;
    it.queues.next = 4;
    it.queues.queue[2] = (gm_cta_queue){4, 5, false};
    test_aborts(ask_queues, &it, "cta_queues: SM 2: 4 to 5, of the 4 before next; opened 0\n");
    it.queues.queue[2] = (gm_cta_queue){3, 2, false};
    test_aborts(ask_queues, &it, "cta_queues: SM 2: 3 to 2, of the 4 before next; opened 0\n");
    it.queues.queue[2] = (gm_cta_queue){2, 3, true};
    test_aborts(ask_queues, &it, "cta_queues: SM 2: 2 to 3, of the 4 before next; opened 1\n");
    gm_arena_free(&arena);
}

typedef struct contention_case {
    gm_contention_bypass bypass;
    gm_contention_bypass_request request;
} contention_case;

static void ask_contention(void *state)
{
    contention_case *it = state;
    gm_contention_bypass_access(&it->bypass, it->request);
}

static void a_request_beyond_the_widths_of_contention_bypass(void **state)
{
    (void)state;
    static const struct {
        gm_contention_bypass_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.touched = 7, .warps = 3, .lines = 15}, NULL},
        {{.touched = 8}, "contention_bypass: touched 8, warps 0, lines 0\n"},
        {{.warps = 4}, "contention_bypass: touched 0, warps 4, lines 0\n"},
        {{.lines = 16}, "contention_bypass: touched 0, warps 0, lines 16\n"},
    };
    contention_case it;
    const gm_contention_bypass_parameters parameters = {.touched = 4, .warps = 3, .lines = 8};
    gm_error error;
    test_ok(gm_contention_bypass_init(&it.bypass, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_contention(&it);
        } else {
            test_aborts(ask_contention, &it, rows[i].text);
        }
    }
}

typedef struct limiter_case {
    gm_warp_limiter limiter;
    gm_warp_limiter_request request;
} limiter_case;

static void ask_limiter(void *state)
{
    limiter_case *it = state;
    gm_warp_limiter_access(&it->limiter, it->request);
}

static void a_request_beyond_the_widths_of_warp_limiter(void **state)
{
    (void)state;
    static const struct {
        gm_warp_limiter_request request;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {{.admit = 0x1f, .resume = 0x1f, .hold = 0x1f, .sets = 1, .limit = 7}, NULL},
        {{.admit = 0x20}, "warp_limiter: admit 20, resume 0, hold 0, sets 0, limit 0\n"},
        {{.resume = 0x20}, "warp_limiter: admit 0, resume 20, hold 0, sets 0, limit 0\n"},
        {{.hold = 0x20}, "warp_limiter: admit 0, resume 0, hold 20, sets 0, limit 0\n"},
        {{.sets = 2}, "warp_limiter: admit 0, resume 0, hold 0, sets 2, limit 0\n"},
        {{.limit = 8}, "warp_limiter: admit 0, resume 0, hold 0, sets 0, limit 8\n"},
    };
    limiter_case it;
    const gm_warp_limiter_parameters parameters = {.warps = 5};
    gm_error error;
    test_ok(gm_warp_limiter_init(&it.limiter, &parameters, &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        it.request = rows[i].request;
        if (rows[i].text == NULL) {
            ask_limiter(&it);
        } else {
            test_aborts(ask_limiter, &it, rows[i].text);
        }
    }
    it.request = (gm_warp_limiter_request){.resume = 1};
    it.limiter.counts = 0x20;
    test_aborts(ask_limiter, &it, "warp_limiter: counts 21: beyond 5 warps\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_beyond_the_widths_of_cores_sampling),
        cmocka_unit_test(a_request_beyond_the_widths_of_stream_gate),
        cmocka_unit_test(a_request_beyond_the_widths_of_locality_score),
        cmocka_unit_test(a_request_beyond_the_widths_of_victim_tags),
        cmocka_unit_test(a_request_beyond_the_widths_of_atomic_buffer),
        cmocka_unit_test(a_request_beyond_the_widths_of_contention_bypass),
        cmocka_unit_test(a_request_beyond_the_widths_of_cta_queues),
        cmocka_unit_test(a_request_beyond_the_widths_of_warp_limiter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

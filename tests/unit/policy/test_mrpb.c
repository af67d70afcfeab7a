/* MRPB: its FIFOs worked by hand and beside a list [khairy, section 5, table 4], and the bypass on
 * a stall in the L1 with time. */
#include "policy/mrpb.h"
#include "support/cycle/l1/l1_steps.h"

static void make_buffer(gm_mrpb *buffer, gm_arena *arena, uint32_t fifos, gm_mrpb_drain drain)
{
    gm_error error;
    test_ok(gm_arena_create(arena, gm_mrpb_bytes(fifos), &error), error);
    test_ok(gm_mrpb_init(buffer, fifos, drain, arena, &error), error);
}

/* "P<warp><letter of the line>" puts a load, "S" a store; "T<warp><line>" expects what is served.
 */
static void follow(const char *script, gm_mrpb_drain drain)
{
    gm_arena arena;
    gm_mrpb buffer;
    make_buffer(&buffer, &arena, 9, drain);
    for (const char *at = script; *at != '\0'; at += at[3] == ' ' ? 4 : 3) {
        uint32_t warp = (uint32_t)(at[1] - '0');
        if (at[0] != 'T') {
            gm_mrpb_put(&buffer, warp, (uint64_t)at[2], at[0] == 'P');
            continue;
        }
        uint32_t place = gm_mrpb_next(&buffer);
        assert_true(place != GM_MRPB_NONE);
        if (place / GM_MRPB_PLACES != warp || buffer.request[place].line != (uint64_t)at[2]) {
            fail_msg("at %s: %c of warp %u", at, (char)buffer.request[place].line,
                     place / GM_MRPB_PLACES);
        }
        gm_mrpb_take(&buffer);
    }
    assert_int_equal(gm_mrpb_next(&buffer), GM_MRPB_NONE);
    assert_int_equal(buffer.count, 0);
    assert_int_equal(buffer.others, 0);
    gm_arena_free(&arena);
}

static void worked_by_hand(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        /* one FIFO until it is empty, then the lowest warp that has some */
        "P5a P2b P5c T2b P2d T2d P2e T2e T5a P1f T5c P7g T1f T7g",
        /* as long as more come, no other is served */
        "P3a P1b T1b T3a P3c P0d T3c T0d",
        /* a load behind a store of its line waits for it, and what is behind it too */
        "S4a P1a P1b P2c T2c T4a T1a T1b",
        /* a store behind a load; loads alone overtake each other */
        "P4a S1a T4a T1a P4a P1a T1a T4a",
        /* of other lines nothing waits */
        "S4a P1b T1b T4a",
        /* the FIFO that is drained is left when its head must wait */
        "P1a S5b T1a P1b P1c S0d T0d T5b T1b T1c",
        /* of one warp, in order */
        "S3a P3a S3a P3b T3a T3a T3a T3b",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        follow(scripts[i], GM_MRPB_UNTIL_EMPTY);
    }
}

static void first_in_order_by_hand(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        /* the lowest warp that has some, though another FIFO has begun */
        "P5a P2b P5c T2b P2d T2d P2e T2e T5a P1f T1f T5c",
        "P3a P1b T1b T3a P3c P0d T0d T3c",
        /* the lowest that need not wait */
        "S4a P1a P1b P2c T2c T4a T1a T1b",
        "P1a S5b T1a P1b P1c S0d T0d T5b T1b T1c",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        follow(scripts[i], GM_MRPB_FIRST);
    }
}

/* All requests in one list, in the order in which they came. */
enum { LIST = 600, WARPS = 70 };

typedef struct listed {
    uint64_t line;
    uint32_t warp, place;
    bool load, there;
} listed;

static bool may_go(const listed *list, unsigned at)
{
    for (unsigned i = 0; i < at; i++) {
        if (list[i].there &&
            (list[i].warp == list[at].warp ||
             (list[i].line == list[at].line && !(list[i].load && list[at].load)))) {
            return false;
        }
    }
    return list[at].there;
}

/* The request that goes next: of the warp that is drained (WARPS: none is) if it can, else of the
 * lowest that can. */
static unsigned choose(const listed *list, unsigned count, uint32_t current)
{
    unsigned best = count;
    for (unsigned i = 0; i < count; i++) {
        if (may_go(list, i) && (best == count || list[i].warp == current ||
                                (list[best].warp != current && list[i].warp < list[best].warp))) {
            best = i;
        }
    }
    return best;
}

static void beside_a_list(void **state)
{
    (void)state;
    test_random random = test_random_start(63);
    for (unsigned round = 0; round < 12; round++) {
        gm_arena arena;
        gm_mrpb buffer;
        static listed list[LIST];
        unsigned count = 0;
        unsigned waiting[WARPS] = {0};
        uint32_t current = 0;
        uint64_t lines = 2 + test_random_below(&random, 40);
        uint32_t warps = 1 + (uint32_t)test_random_below(&random, WARPS);
        gm_mrpb_drain drain = round % 3 == 0 ? GM_MRPB_FIRST : GM_MRPB_UNTIL_EMPTY;
        make_buffer(&buffer, &arena, warps, drain);
        while (count < LIST || buffer.count != 0) {
            uint32_t warp = (uint32_t)test_random_below(&random, warps);
            assert_int_equal(gm_mrpb_has_room(&buffer, warp), waiting[warp] < GM_MRPB_PLACES);
            if (count < LIST && waiting[warp] < GM_MRPB_PLACES &&
                test_random_below(&random, 5) < 2 + round % 2) {
                listed *one = &list[count++];
                *one = (listed){.line = test_random_below(&random, lines),
                                .warp = warp,
                                .load = test_random_below(&random, 8) != 0,
                                .there = true};
                one->place = gm_mrpb_put(&buffer, warp, one->line, one->load);
                waiting[warp]++;
            } else {
                unsigned expected = choose(list, count, drain == GM_MRPB_FIRST ? WARPS : current);
                uint32_t place = gm_mrpb_next(&buffer);
                assert_int_equal(place, expected == count ? GM_MRPB_NONE : list[expected].place);
                if (expected != count) {
                    current = list[expected].warp;
                    list[expected].there = false;
                    waiting[current]--;
                    gm_mrpb_take(&buffer);
                }
            }
        }
        gm_arena_free(&arena);
    }
}

/* Any resource that is not there sends a load round the L1 [li, 6.1], but not past what a store has
 * left there, and no store or atomic. */
static void bypass_on_a_stall(void **state)
{
    (void)state;
    gm_config config = small();
    config.l1.bypass = GM_BYPASS_MRPB;
    config.l1.bypass_queue = 2;
    static const step lines[] = {
        {LOAD, 1, 0x1, 0, "miss"},    {LOAD, 2, 0x1, 0, "miss"},
        {LOAD, 3, 0x5, 0, "bypass"},                               /* all lines wait */
        {LOAD, 2, 0x1, 0, "pending"}, {LOAD, 2, 0x1, 0, "bypass"}, /* no place in the entry */
        {LOAD, 4, 0x1, 0, "path"},    {SEND_ALL, 0, 0, 0, "R1:f R2:f R3:5 R2:1"},
        {REPLY, 0, 0, 0, "2"},        {REPLY, 0, 0, 0, "2"},
        {REPLY, 0, 0, 0, "2"},        {LOAD, 3, 0x1, 0, "miss"}, /* it had left nothing */
    };
    PLAY(&config, lines);
    static const step queue[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {STORE, 5, 0x1, 0, "miss"},
        {STORE, 6, 0x1, 0, "miss"},
        {STORE, 7, 0x1, 0, "queue"},
        {ATOMIC, 7, 0x1, 0, "queue"},
        {STRONG, 7, 0x1, 0, "queue"},
        {LOAD, 7, 0x1, 0, "bypass"},
        {LOAD, 6, 0x1, 0, "bypass"}, /* behind the store of 6 */
        {SEND_ALL, 0, 0, 0, "R1:f W5:1 W6:1 R7:1 R6:1"},
    };
    PLAY(&config, queue);
    static const step entries[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {LOAD, 2, 0x1, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "R1:f R2:1"},
    };
    config.l1.mshrs = 1;
    PLAY(&config, entries);
    static const step dirty[] = {
        {LOAD, 1, 0x1, 0, "miss"},   {LOCAL_STORE, 1, 0x2, 0, "pending"},
        {LOAD, 1, 0x2, 0, "merge"}, /* the entry is full, and the L2 has not got the store */
        {LOAD, 1, 0x4, 0, "bypass"}, {SEND_ALL, 0, 0, 0, "R1:f R1:4"},
        {REPLY, 0, 0, 0, "1"},       {REPLY, 0, 0, 0, "1"},
        {LOAD, 1, 0x2, 0, "hit"},
    };
    PLAY(&config, dirty);
}

/* l1.mrpb_stalls=line: only a load for which no line can be allocated bypasses [khairy, table 4].
 */
static void bypass_on_line_stalls(void **state)
{
    (void)state;
    gm_config config = small();
    config.l1.bypass = GM_BYPASS_MRPB;
    config.l1.mrpb_stalls = GM_MRPB_LINE_STALLS;
    config.l1.bypass_queue = 2;
    static const step lines[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {LOAD, 2, 0x1, 0, "miss"},
        {LOAD, 3, 0x5, 0, "bypass"}, /* all lines wait */
        {LOAD, 2, 0x1, 0, "pending"},
        {LOAD, 2, 0x1, 0, "merge"}, /* no place in the entry */
        {LOAD, 4, 0x1, 0, "bypass"},
        {LOAD, 5, 0x1, 0, "path"},
        {SEND_ALL, 0, 0, 0, "R1:f R2:f R3:5 R4:1"},
    };
    PLAY(&config, lines);
    static const step queue[] = {
        {STORE, 5, 0x1, 0, "miss"},
        {STORE, 6, 0x1, 0, "miss"},
        {STORE, 7, 0x1, 0, "miss"},
        {LOAD, 1, 0x1, 0, "queue"},
        {SEND_ALL, 0, 0, 0, "W5:1 W6:1 W7:1"},
    };
    PLAY(&config, queue);
    static const step entries[] = {
        {LOAD, 1, 0x1, 0, "miss"}, {LOAD, 2, 0x1, 0, "entry"}, {SEND_ALL, 0, 0, 0, "R1:f"}};
    config.l1.mshrs = 1;
    PLAY(&config, entries);
}

/* With sectors a line is there in part: dirty ones are not asked for past the L1. */
static void dirty_sectors(void **state)
{
    (void)state;
    static const step steps[] = {
        {STORE, 1, 0x1, 0x1, "miss"}, /* covers its sector: there at once, dirty */
        {LOAD, 2, 0x1, 0, "miss"},    {LOAD, 1, 0x3, 0, "entry"},
        {LOAD, 1, 0x2, 0, "bypass"},  {SEND_ALL, 0, 0, 0, "R2:1 R1:2"},
    };
    gm_config config = small();
    config.l1.bypass = GM_BYPASS_MRPB;
    config.l1.mshrs = 1;
    config.l1.sectored = true;
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    PLAY(&config, steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),        cmocka_unit_test(first_in_order_by_hand),
        cmocka_unit_test(beside_a_list),         cmocka_unit_test(bypass_on_a_stall),
        cmocka_unit_test(bypass_on_line_stalls), cmocka_unit_test(dirty_sectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

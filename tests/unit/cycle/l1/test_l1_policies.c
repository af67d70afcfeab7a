/* The L1 with time: allocation on fill, sectors, write-back and write-through stores, and lines
 * that are longer than the L2's, all worked by hand. */
#include "support/cycle/l1/l1_steps.h"

/* On fill: any number of lines in flight to one set; the victim is chosen when data come. */
static void allocate_on_fill(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 2, 0x1, 0, "miss"}, {LOAD, 4, 0x1, 0, "miss"},
        {LOAD, 6, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R2:f R4:f R6:f"},
        {REPLY, 0, 0, 0, "2"},     {REPLY, 0, 0, 0, "4"},
        {LOAD, 2, 0x1, 0, "hit"},  {REPLY, 0, 0, 0, "6"}, /* evicts 4 */
        {LOAD, 2, 0x1, 0, "hit"},  {LOAD, 4, 0x1, 0, "miss"},
    };
    gm_config config = small();
    config.l1.mshrs = 4;
    config.l1.allocation = GM_ALLOCATE_ON_FILL;
    PLAY(&config, steps);
    /* A fill's dirty victim goes out whatever the queue holds, and until it has gone it takes the
     * place of an MSHR entry: one line, one entry, one place in the queue. */
    static const step dirty[] = {
        {LOAD, 2, 0x1, 0, "miss"},  {SEND, 0, 0, 0, "R2:f"},
        {REPLY, 0, 0, 0, "2"},      {LOCAL_STORE, 2, 0x3, 0, "hit"}, /* dirty */
        {LOAD, 4, 0x1, 0, "miss"},  {SEND, 0, 0, 0, "R4:f"},
        {STORE, 6, 0x1, 0, "miss"}, /* fills the queue */
        {REPLY, 0, 0, 0, "4"},      {STORE, 6, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "W6:1"},    {LOAD, 6, 0x1, 0, "queue"}, /* has room, but the victim waits */
        {STORE, 8, 0x1, 0, "miss"}, {SEND, 0, 0, 0, "B2:3"},
        {SEND, 0, 0, 0, "W8:1"},    {LOAD, 6, 0x1, 0, "miss"},
    };
    config.l1.ways = 1;
    config.l1.size = config.l1.line;
    config.l1.mshrs = 1;
    config.l1.miss_queue = 1;
    PLAY(&config, dirty);
}

/* PDP on fill: a line is protected at as many accesses as the distance from the one behind its
 * data's arrival, not from the miss. */
static void protected_from_the_fill(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 2, 0x1, 0, "miss"},        {LOAD, 4, 0x1, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "R2:f R4:f"}, {REPLY, 0, 0, 0, "2"}, /* the set has had two accesses */
        {LOAD, 6, 0x1, 0, "bypass"},      {LOAD, 8, 0x1, 0, "bypass"},
        {LOAD, 10, 0x1, 0, "miss"}, /* the third from then on */
    };
    gm_config config = small();
    config.l1.ways = 1;
    config.l1.size = config.l1.line;
    config.l1.mshrs = 4;
    config.l1.allocation = GM_ALLOCATE_ON_FILL;
    config.l1.bypass = GM_BYPASS_PDP;
    config.l1.protecting_distance = 2;
    PLAY(&config, steps);
}

/* Sectors that are not in flight wait until the entry is answered. */
static void sectored(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},    {LOAD, 1, 0x1, 0, "pending"}, {LOAD, 1, 0x3, 0, "merge"},
        {SEND_ALL, 0, 0, 0, "R1:1"},  {REPLY, 0, 0, 0, "1"},        {REPLY, 0, 0, 0, "1"},
        {LOAD, 1, 0x1, 0, "hit"},     {LOAD, 1, 0x3, 0, "miss"}, /* a sector miss */
        {SEND, 0, 0, 0, "R1:2"},      {LOAD, 1, 0x1, 0, "hit"},  /* while the other comes */
        {LOAD, 1, 0x3, 0, "pending"}, {LOAD, 2, 0x1, 0, "miss"},    {LOAD, 3, 0x1, 0, "line"},
    };
    gm_config config = small();
    config.l1.sectored = true;
    config.l1.merges = 4;
    PLAY(&config, steps);
    config.l1.size = GM_UNBOUNDED;
    play_all(&config, steps, sizeof steps / sizeof steps[0] - 1); /* never lacks a line */
}

/* Write-back with allocation: a store waits in the entry for what it does not cover; what waiting
 * stores have written cannot be closed away. */
static void write_back_allocates(void **state)
{
    (void)state;
    static const step steps[] = {
        {STORE, 1, 0x1, 0x1, "miss"},
        {SEND, 0, 0, 0, "R1:e"},
        {LOAD, 1, 0x1, 0, "pending"}, /* sees the store when the line comes */
        {STORE, 1, 0x2, 0, "pending"},
        {ATOMIC, 1, 0x1, 0, "merge"},
        {STRONG, 1, 0x1, 0, "merge"},
        {STORE, 2, 0xf, 0xf, "miss"}, /* covers the line: there at once */
        {LOAD, 2, 0x1, 0, "hit"},
        {LOAD, 4, 0x1, 0, "miss"}, /* 1 waits: evicts 2 */
        {SEND_ALL, 0, 0, 0, "B2:f R4:f"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},
        {ATOMIC, 1, 0x1, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "B1:3 A1:1"},
    };
    gm_config config = small();
    config.l1.merges = 4;
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    assert_int_equal(PLAY(&config, steps), 1 + 4); /* 1: sector 0; 2: all */
    /* A miss that must write its victim back and ask for a line needs two places. */
    static const step room[] = {
        {STORE, 1, 0xf, 0xf, "miss"},  {STORE, 2, 0xf, 0xf, "miss"},
        {ATOMIC, 3, 0x1, 0, "bypass"}, {ATOMIC, 3, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "queue"},    {SEND, 0, 0, 0, "A3:1"},
        {LOAD, 4, 0x1, 0, "miss"},     {SEND_ALL, 0, 0, 0, "A3:1 B1:f R4:f"},
        {REPLY, 0, 0, 0, "3"},         {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "3"},         {REPLY, 0, 0, 0, "-"},
        {FLUSH, 0, 0, 0, NULL},        {SEND, 0, 0, 0, "B2:f"},
    };
    assert_int_equal(PLAY(&config, room), 4 + 4);
}

/* Write-through with allocation: the store's data go on, and it waits for its line too. */
static void write_through_allocates(void **state)
{
    (void)state;
    static const step steps[] = {
        {STORE, 1, 0x1, 0, "miss"},   {SEND_ALL, 0, 0, 0, "R1:f W1:1"},
        {LOAD, 1, 0x1, 0, "pending"}, {STORE, 1, 0x2, 0, "pending"},
        {SEND, 0, 0, 0, "W1:2"},      {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},        {REPLY, 0, 0, 0, "1"}, /* two acknowledgements */
        {REPLY, 0, 0, 0, "-"},        {LOAD, 1, 0x8, 0, "hit"},
    };
    gm_config config = small();
    config.l1.merges = 4;
    config.l1.global_write = GM_WRITE_THROUGH;
    config.l1.global_allocate = true;
    assert_int_equal(PLAY(&config, steps), 0); /* written with the fill */
}

/* Without allocation, a write-back store merges into a line that loads have asked for. */
static void local_store_on_a_waiting_line(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},     {LOCAL_STORE, 1, 0x2, 0, "pending"},
        {SEND_ALL, 0, 0, 0, "R1:f"},   {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},         {LOCAL_STORE, 3, 0x2, 0, "miss"},
        {STRONG, 1, 0x1, 0, "bypass"}, {SEND_ALL, 0, 0, 0, "W3:2 B1:2 R1:1"},
    };
    gm_config config = small();
    assert_int_equal(PLAY(&config, steps), 0);
}

/* [anssari, Table 4.1]: 128-byte L1 lines over 32-byte L2 lines. All packets of a request have
 * room, or none; all must come back. */
static void shorter_l2_lines(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {STORE, 3, 0x1, 0, "miss"},
        {LOAD, 2, 0x1, 0, "queue"}, /* 5 of 6 are taken */
        {STORE, 3, 0x8, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "R4:1 R5:1 R6:1 R7:1 W12:1 W15:1"},
        {REPLY, 0, 0, 0, "-"},
        {REPLY, 0, 0, 0, "-"},
        {REPLY, 0, 0, 0, "3"},
        {REPLY, 0, 0, 0, "-"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "3"},
        {LOAD, 1, 0x8, 0, "hit"},
        {STRONG, 1, 0x6, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "R5:1 R6:1"},
        {REPLY, 0, 0, 0, "-"},
        {REPLY, 0, 0, 0, "1"}, /* once, with the last */
    };
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    config.l1.miss_queue = 6;
    PLAY(&config, steps);
    /* More packets than the queue has places: when it is empty. */
    static const step one[] = {
        {STORE, 3, 0x1, 0, "miss"},
        {LOAD, 1, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "W12:1"},
        {LOAD, 1, 0x1, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "R4:1 R5:1 R6:1 R7:1"},
    };
    config.l1.miss_queue = 1;
    PLAY(&config, one);
}

/* MSHRs that merge by sector, worked by hand: of two entries a line in flight takes one for each
 * sector; a request of sectors that are in flight and of one that is not merges and fetches; it is
 * answered once, with the last of its sectors. */
static void merges_by_sector(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {LOAD, 1, 0x3, 0, "miss"}, /* 0x1 merges, 0x2 is fetched */
        {LOAD, 1, 0x2, 0, "pending"},
        {LOAD, 1, 0x4, 0, "miss"},
        {LOAD, 3, 0x3, 0, "entry"}, /* one is free, two would be needed */
        {LOAD, 1, 0x3, 0, "merge"}, /* both entries are full */
        {LOAD, 3, 0x1, 0, "miss"},
        {LOAD, 3, 0x2, 0, "entry"},
        {SEND_ALL, 0, 0, 0, "R1:1 R1:2 R1:4 R3:1"},
        {REPLY, 0, 0, 0, "1"}, /* sector 0, for the first load */
        {REPLY, 0, 0, 0, "-"}, /* for the second, which waits for sector 1 */
        {LOAD, 1, 0x1, 0, "hit"},
        {LOAD, 5, 0x1, 0, "line"}, /* both ways wait still, the first for two sectors */
        {REPLY, 0, 0, 0, "1"},     /* sector 1, for the second load */
        {LOAD, 5, 0x1, 0, "line"},
        {REPLY, 0, 0, 0, "1"},     /* for the third */
        {REPLY, 0, 0, 0, "1"},     /* sector 2 */
        {LOAD, 5, 0x1, 0, "miss"}, /* evicts line 1 */
    };
    static const step chain[] = {
        {LOAD, 1, 0xf, 0, "miss"}, /* four entries, one packet */
        {LOAD, 1, 0x6, 0, "pending"}, {SEND_ALL, 0, 0, 0, "R1:f"}, {REPLY, 0, 0, 0, "-"},
        {LOAD, 1, 0x4, 0, "pending"}, /* sector 1; the others in turn */
        {REPLY, 0, 0, 0, "-"},        {LOAD, 1, 0x2, 0, "hit"},    {REPLY, 0, 0, 0, "-"},
        {REPLY, 0, 0, 0, "1"}, /* sector 2, the second load's last */
        {REPLY, 0, 0, 0, "1"},        {LOAD, 1, 0x4, 0, "hit"},    {LOAD, 1, 0x8, 0, "pending"},
        {REPLY, 0, 0, 0, "-"},        {REPLY, 0, 0, 0, "1"},       {LOAD, 1, 0x1, 0, "pending"},
        {REPLY, 0, 0, 0, "1"},        {REPLY, 0, 0, 0, "1"},       {LOAD, 1, 0xf, 0, "hit"},
    };
    /* With l1.answers=request a cycle ends with the last sector of a request, or of the packet. */
    static const step whole[] = {
        {LOAD, 1, 0xf, 0, "miss"},
        {LOAD, 1, 0x6, 0, "pending"},
        {SEND_ALL, 0, 0, 0, "R1:f"},
        {REPLY, 0, 0, 0, "1"}, /* sectors 1 and 2: the second load's last */
        {LOAD, 1, 0x6, 0, "hit"},
        {LOAD, 1, 0x8, 0, "pending"},
        {REPLY, 0, 0, 0, "1"}, /* sector 3: the third load */
        {REPLY, 0, 0, 0, "1"}, /* sector 0: the first load's last */
        {LOAD, 1, 0xf, 0, "hit"},
        {LOAD, 3, 0x1, 0, "miss"},
        {LOAD, 3, 0x3, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "R3:1 R3:2"},
        {REPLY, 0, 0, 0, "3"}, /* the first load's */
        {REPLY, 0, 0, 0, "-"}, /* the second waits for the other packet */
        {REPLY, 0, 0, 0, "3"},
    };
    /* A store closes the entries of all sectors; what it closes is fetched again. */
    static const step closes[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {LOAD, 1, 0x2, 0, "miss"},
        {STORE, 1, 0x1, 0, "pending"},
        {LOAD, 1, 0x2, 0, "miss"},
        {LOAD, 3, 0x1, 0, "miss"},
        {LOAD, 3, 0x2, 0, "entry"},
        {SEND_ALL, 0, 0, 0, "R1:1 R1:2 W1:1 R1:2 R3:1"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},
        {LOAD, 1, 0x2, 0, "pending"},
    };
    gm_config config = small();
    config.l1.sectored = true;
    config.l1.merge_by = GM_MERGE_BY_SECTOR;
    config.l1.mshrs = 4;
    config.l1.miss_queue = 8;
    PLAY(&config, steps);
    config.l1.merges = 4;
    PLAY(&config, chain);
    PLAY(&config, closes);
    config.l1.answers = GM_ANSWERS_BY_REQUEST;
    PLAY(&config, whole);
}

/* A write-back store that misses, merged by sector: whole sectors are dirty at once, others when
 * their data come, and a sector in flight of which waiting stores have written some is not closed.
 */
static void stores_merge_by_sector(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {STORE, 1, 0x7, 0x2, "miss"}, /* merges 0x1, overwrites 0x2, fetches 0x4 */
        {LOAD, 1, 0x2, 0, "hit"},
        {ATOMIC, 1, 0x8, 0, "merge"},
        {SEND_ALL, 0, 0, 0, "R1:1 R1:4"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "-"},
        {REPLY, 0, 0, 0, "1"},
        {ATOMIC, 1, 0x8, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "B1:7 A1:8"},
    };
    gm_config config = small();
    config.l1.sectored = true;
    config.l1.merge_by = GM_MERGE_BY_SECTOR;
    config.l1.mshrs = 4;
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    assert_int_equal(PLAY(&config, steps), 1); /* 0x2 */
}

/* A lazy L1: a store that misses fetches nothing. Sectors that it covers whole are valid at once;
 * the others are fetched by a load. Stores wait for what is in flight of their own sectors only. */
static void lazy_stores(void **state)
{
    (void)state;
    static const step steps[] = {
        {STORE, 1, 0x3, 0x1, "miss"}, /* sector 0 whole, 1 in part */
        {LOAD, 1, 0x1, 0, "hit"},
        {SEND_ALL, 0, 0, 0, "W1:3"},
        {LOAD, 1, 0x3, 0, "miss"},
        {STORE, 1, 0x4, 0, "miss"}, /* nothing of it is in flight: sent, and not kept */
        {STORE, 1, 0x8, 0x8, "miss"},
        {LOAD, 1, 0x8, 0, "hit"},
        {STORE, 1, 0x2, 0, "pending"},
        {SEND_ALL, 0, 0, 0, "R1:2 W1:4 W1:8 W1:2"},
        {STORE, 3, 0x2, 0, "miss"}, /* takes no line */
        {LOAD, 5, 0x1, 0, "miss"},
        {LOAD, 1, 0x8, 0, "hit"},
        {SEND_ALL, 0, 0, 0, "W3:2 R5:1"},
        {REPLY, 0, 0, 0, "1"}, /* the first store */
        {REPLY, 0, 0, 0, "1"}, /* sector 1 */
        {LOAD, 1, 0x2, 0, "hit"},
        {LOAD, 1, 0x4, 0, "miss"},
    };
    gm_config config = small();
    config.l1.sectored = true;
    config.l1.miss_queue = 8;
    config.l1.mshrs = 4;
    config.l1.global_write = GM_WRITE_THROUGH;
    config.l1.global_allocate = true;
    config.l1.fetch_on_write = GM_L1_FETCH_LAZY;
    config.l1.merge_by = GM_MERGE_BY_SECTOR;
    assert_int_equal(PLAY(&config, steps), 2); /* 0x1 and 0x8 of line 1 */
    config.l1.merge_by = GM_MERGE_BY_LINE;
    assert_int_equal(PLAY(&config, steps), 2);
}

/* Streaming: as on fill, or on a miss where the kernel uses no shared memory; then a set whose
 * lines all wait takes no other. The ways change between kernels. */
static void streaming_and_resized(void **state)
{
    (void)state;
    static const step on_fill[] = {
        {LOAD, 2, 0x1, 0, "miss"}, {LOAD, 4, 0x1, 0, "miss"},
        {LOAD, 6, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R2:f R4:f R6:f"},
        {REPLY, 0, 0, 0, "2"},     {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "6"},     {LOAD, 2, 0x1, 0, "miss"},
        {SEND, 0, 0, 0, "R2:f"},   {REPLY, 0, 0, 0, "2"},
        {FLUSH, 0, 0, 0, NULL},
    };
    static const step on_miss[] = {
        {LOAD, 2, 0x1, 0, "miss"},
        {LOAD, 4, 0x1, 0, "miss"},
        {LOAD, 6, 0x1, 0, "miss"},
        {LOAD, 8, 0x1, 0, "line"},
        {SEND_ALL, 0, 0, 0, "R2:f R4:f R6:f"},
        {REPLY, 0, 0, 0, "2"},
        {LOAD, 2, 0x1, 0, "hit"},
        {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "6"},
        {LOAD, 4, 0x1, 0, "hit"},
        {FLUSH, 0, 0, 0, NULL},
    };
    gm_config config = small();
    config.l1.mshrs = 4;
    config.l1.allocation = GM_ALLOCATE_STREAMING;
    config.l1.unified = 3 * config.l1.line;
    config.sm.shared_bytes = 0;
    gm_error error;
    fixture fixture;
    make(&fixture, &config);
    for (unsigned kernel = 0; kernel < 4; kernel++) {
        bool fills = kernel % 2 == 0;
        gm_cycle_l1_share(&fixture.shared, fills);
        gm_cycle_l1_resize(&fixture.l1, fills ? 2 : 3);
        assert_int_equal(fixture.l1.usual, !fills);
        if (fills) {
            play(&fixture, on_fill, sizeof on_fill / sizeof on_fill[0]);
        } else {
            play(&fixture, on_miss, sizeof on_miss / sizeof on_miss[0]);
        }
        assert_true(gm_cycle_l1_is_empty(&fixture.l1));
        test_ok(gm_cycle_l1_check(&fixture.l1, &error), error);
    }
    destroy(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocate_on_fill),
        cmocka_unit_test(protected_from_the_fill),
        cmocka_unit_test(streaming_and_resized),
        cmocka_unit_test(merges_by_sector),
        cmocka_unit_test(lazy_stores),
        cmocka_unit_test(stores_merge_by_sector),
        cmocka_unit_test(sectored),
        cmocka_unit_test(write_back_allocates),
        cmocka_unit_test(write_through_allocates),
        cmocka_unit_test(local_store_on_a_waiting_line),
        cmocka_unit_test(shorter_l2_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

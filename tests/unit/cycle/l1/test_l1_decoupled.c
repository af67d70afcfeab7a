/* The decoupled L1 with time, request by request [li, 4.1, figure 1], worked by hand: references
 * that earn a data line, permissions, lines that die while they wait, write-backs, sectors. */
#include "support/cycle/l1/l1_steps.h"

/* Four sets of two data lines and four tags: lines 4, 8, 12, 16 share one. */
static gm_config decoupled(uint64_t threshold)
{
    gm_config config = small();
    config.l1.kind = GM_L1_DECOUPLED;
    config.l1.size = 8 * config.l1.line;
    config.l1.tag_ways = 4;
    config.l1.threshold = threshold;
    config.l1.mshrs = 4;
    config.l1.merges = 4;
    config.l1.miss_queue = 8;
    return config;
}

static void references_earn_a_data_line(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 4, 0x1, 0, "bypass"}, /* RC 1: only the sector asked for */
        {SEND, 0, 0, 0, "R4:1"},      {LOAD, 4, 0x1, 0, "miss"}, /* RC 2: a data line, while the
                                                                    bypassed load is in flight */
        {LOAD, 4, 0x2, 0, "pending"}, {SEND_ALL, 0, 0, 0, "R4:f"}, {REPLY, 0, 0, 0, "4"},
        {LOAD, 4, 0x1, 0, "pending"}, {REPLY, 0, 0, 0, "4"},       {REPLY, 0, 0, 0, "4"},
        {LOAD, 4, 0x8, 0, "hit"},     {REPLY, 0, 0, 0, "4"},       {REPLY, 0, 0, 0, "-"},
    };
    gm_config config = decoupled(2);
    PLAY(&config, steps);
}

/* What cannot be had is refused, and counts no reference. Neither path blocks the other. */
static void permissions(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 4, 0x1, 0, "bypass"},
        {LOAD, 8, 0x1, 0, "path"},
        {LOAD, 8, 0x1, 0, "path"},
        {SEND, 0, 0, 0, "R4:1"},
        {LOAD, 8, 0x1, 0, "bypass"},
        {LOAD, 8, 0x1, 0, "miss"}, /* 4 ages to RC 0 */
        {SEND_ALL, 0, 0, 0, "R8:1 R8:f"},
        {LOAD, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "entry"},
        {LOAD, 12, 0x1, 0, "path"},
        {SEND, 0, 0, 0, "R4:1"},
        {LOAD, 4, 0x1, 0, "entry"},
        {LOAD, 12, 0x1, 0, "bypass"},
        {LOAD, 8, 0x1, 0, "pending"},
        {LOAD, 8, 0x1, 0, "merge"},
        {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "8"},
        {STORE, 5, 0x1, 0, "miss"}, /* the miss queue is full */
        {REPLY, 0, 0, 0, "8"},
        {LOAD, 4, 0x1, 0, "entry"},
        {REPLY, 0, 0, 0, "8"},
        {LOAD, 4, 0x1, 0, "queue"},
        {LOAD, 8, 0x1, 0, "hit"},
        {SEND_ALL, 0, 0, 0, "R12:1 W5:1"},
        {LOAD, 4, 0x1, 0, "miss"},
    };
    gm_config config = decoupled(2);
    config.l1.mshrs = 1;
    config.l1.merges = 2;
    config.l1.miss_queue = config.l1.bypass_queue = 1;
    PLAY(&config, steps);
}

/* A line that waits is not given up; an evicted line's entry stays, with count 0. */
static void every_data_line_waits(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "miss"},
        {LOAD, 8, 0x1, 0, "bypass"},
        {LOAD, 8, 0x1, 0, "miss"},
        {LOAD, 12, 0x1, 0, "bypass"},
        {LOAD, 12, 0x1, 0, "line"},
        {LOAD, 16, 0x1, 0, "bypass"},
        {LOAD, 12, 0x1, 0, "line"},
        {SEND_ALL, 0, 0, 0, "R4:1 R4:f R8:1 R8:f R12:1 R16:1"},
        {REPLY, 0, 0, 0, "4"},
        {LOAD, 12, 0x1, 0, "line"},
        {REPLY, 0, 0, 0, "4"},
        {LOAD, 12, 0x1, 0, "miss"}, /* RC 2 once; evicts 4 */
        {REPLY, 0, 0, 0, "8"},
        {REPLY, 0, 0, 0, "8"},
        {LOAD, 8, 0x1, 0, "hit"},
        {LOAD, 4, 0x1, 0, "bypass"},
    };
    gm_config config = decoupled(2);
    PLAY(&config, steps);
}

/* A store on a line that waits: its data answer their requesters and are dropped, and a load in
 * between has an entry of its own, whose data are not installed either. */
static void a_line_dies(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 4, 0x1, 0, "miss"},
        {STORE, 4, 0x1, 0, "pending"},
        {LOAD, 4, 0x1, 0, "miss"},
        {LOAD, 4, 0x1, 0, "pending"},
        {SEND_ALL, 0, 0, 0, "R4:f W4:1 R4:f"},
        {REPLY, 0, 0, 0, "4"},      /* FILL of the dead line */
        {LOAD, 4, 0x1, 0, "merge"}, /* would have a data line, for which nothing comes */
        {REPLY, 0, 0, 0, "4"},      /* the store's */
        {REPLY, 0, 0, 0, "4"},      /* not installed */
        {LOAD, 4, 0x1, 0, "miss"},
        {REPLY, 0, 0, 0, "4"},
        {SEND, 0, 0, 0, "R4:f"},
        {REPLY, 0, 0, 0, "4"},
        {LOAD, 4, 0x1, 0, "hit"},
        {LOAD, 8, 0x1, 0, "miss"},
        {STRONG, 8, 0x1, 0, "bypass"},      /* dead too */
        {LOCAL_STORE, 8, 0xf, 0xf, "miss"}, /* no place for its data: sent */
        {SEND_ALL, 0, 0, 0, "R8:f R8:1 W8:f"},
        {REPLY, 0, 0, 0, "8"},
        {LOCAL_STORE, 8, 0xf, 0xf, "miss"}, /* covers the line: there at once */
        {LOAD, 8, 0x1, 0, "hit"},
        {FLUSH, 0, 0, 0, NULL},
    };
    gm_config config = decoupled(1);
    config.l1.local_allocate = true;
    PLAY(&config, steps);
}

/* A store on the data of a dead line's later load, which are not installed: it is sent. */
static void a_store_behind_a_dead_line(void **state)
{
    (void)state;
    static const step no_allocation[] = {
        {LOAD, 4, 0x1, 0, "miss"},
        {STRONG, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "miss"},
        {LOCAL_STORE, 4, 0x1, 0x1, "pending"},
        {SEND_ALL, 0, 0, 0, "R4:f R4:1 R4:f W4:1"},
    };
    gm_config config = decoupled(1);
    PLAY(&config, no_allocation);
    static const step allocation[] = {
        {LOAD, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "miss"},
        {STRONG, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "R4:1 R4:f R4:1 R4:f"},
        {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "4"}, /* the dead line is gone */
        {LOCAL_STORE, 4, 0x1, 0x1, "bypass"},
        {LOAD, 4, 0x1, 0, "miss"}, /* of newer data */
        {SEND_ALL, 0, 0, 0, "W4:1 R4:f"},
    };
    config = decoupled(2);
    config.l1.local_allocate = true;
    PLAY(&config, allocation);
}

/* Accesses that pass the L1 forget the line's count; a store leaves the entry of a line that it
 * drops. */
static void counts_that_are_forgotten(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 4, 0x1, 0, "bypass"}, {ATOMIC, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "bypass"}, {STRONG, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "bypass"}, {STORE, 4, 0x1, 0, "miss"},
        {LOAD, 4, 0x1, 0, "miss"},   {SEND_ALL, 0, 0, 0, "R4:1 A4:1 R4:1 R4:1 R4:1 W4:1 R4:f"},
        {REPLY, 0, 0, 0, "4"},       {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "4"},       {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "4"},       {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "4"},       {LOAD, 4, 0x1, 0, "hit"},
        {STORE, 4, 0x1, 0, "hit"},   {LOAD, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "miss"},
    };
    gm_config config = decoupled(2);
    PLAY(&config, steps);
}

/* A store that allocates is a reference like a load; before its data line it is sent. The victim's
 * write-back needs room before a PROBE may be a MISS. */
static void write_backs(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOCAL_STORE, 4, 0x1, 0x1, "bypass"},
        {SEND, 0, 0, 0, "W4:1"},
        {LOCAL_STORE, 4, 0x1, 0x1, "miss"},
        {SEND, 0, 0, 0, "R4:e"},
        {LOAD, 4, 0x1, 0, "pending"},
        {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "4"},
        {LOAD, 8, 0x1, 0, "bypass"},
        {LOAD, 8, 0x1, 0, "miss"},
        {LOAD, 12, 0x1, 0, "bypass"},
        {LOAD, 12, 0x1, 0, "queue"}, /* needs two places */
        {SEND_ALL, 0, 0, 0, "R8:1 R8:f R12:1"},
        {STORE, 5, 0x1, 0, "miss"},
        {LOAD, 12, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "W5:1"},
        {LOAD, 12, 0x1, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "B4:1 R12:f"},
    };
    gm_config config = decoupled(2);
    config.l1.local_allocate = true;
    config.l1.miss_queue = 2;
    PLAY(&config, steps);
}

/* l1.lfu_any: a bypassed load can drive a dirty line out, and waits for room for its write-back. */
static void a_bypass_evicts(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 4, 0x1, 0, "bypass"},
        {LOAD, 4, 0x1, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "R4:1 R4:f"},
        {REPLY, 0, 0, 0, "4"},
        {REPLY, 0, 0, 0, "4"},
        {LOCAL_STORE, 4, 0x3, 0, "hit"},
        {LOAD, 8, 0x1, 0, "bypass"},
        {LOAD, 8, 0x1, 0, "miss"}, /* 4: RC 1 */
        {LOAD, 12, 0x1, 0, "bypass"},
        {LOAD, 16, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "R8:1"},
        {LOAD, 16, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "R8:f"},
        {LOAD, 16, 0x1, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "R12:1 B4:3 R16:1"},
    };
    gm_config config = decoupled(2);
    config.l1.tag_ways = 3;
    config.l1.lfu_any = true;
    config.l1.miss_queue = 1;
    PLAY(&config, steps);
}

/* Sectors: a line that waits for more of them is not given up, and a miss that is refused leaves
 * the order of lines as it is. */
static void sectors(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 4, 0x1, 0, "miss"}, {SEND, 0, 0, 0, "R4:1"},   {REPLY, 0, 0, 0, "4"},
        {LOAD, 4, 0x2, 0, "miss"}, {LOAD, 8, 0x1, 0, "line"}, {SEND, 0, 0, 0, "R4:2"},
        {LOAD, 4, 0x1, 0, "hit"},  {REPLY, 0, 0, 0, "4"},     {LOAD, 8, 0x1, 0, "miss"},
        {SEND, 0, 0, 0, "R8:1"},   {REPLY, 0, 0, 0, "8"},     {LOAD, 8, 0x2, 0, "miss"},
        {STORE, 8, 0x1, 0, "hit"}, /* the line goes while more of it comes */
        {LOAD, 4, 0x1, 0, "miss"},
    };
    gm_config config = decoupled(1);
    config.l1.sectored = true;
    config.l1.ways = 1;
    config.l1.size = 4 * config.l1.line;
    config.l1.tag_ways = 3;
    PLAY(&config, steps);
    static const step refused[] = {
        {LOAD, 4, 0x1, 0, "miss"}, {SEND, 0, 0, 0, "R4:1"},    {REPLY, 0, 0, 0, "4"},
        {LOAD, 8, 0x1, 0, "miss"}, {SEND, 0, 0, 0, "R8:1"},    {REPLY, 0, 0, 0, "8"},
        {LOAD, 5, 0x1, 0, "miss"}, {LOAD, 4, 0x2, 0, "entry"}, {SEND, 0, 0, 0, "R5:1"},
        {REPLY, 0, 0, 0, "5"},     {LOAD, 12, 0x1, 0, "miss"}, /* evicts 4 */
        {LOAD, 8, 0x1, 0, "hit"},
    };
    config = decoupled(1);
    config.l1.sectored = true;
    config.l1.mshrs = 1;
    PLAY(&config, refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_earn_a_data_line),
        cmocka_unit_test(permissions),
        cmocka_unit_test(every_data_line_waits),
        cmocka_unit_test(a_line_dies),
        cmocka_unit_test(a_store_behind_a_dead_line),
        cmocka_unit_test(counts_that_are_forgotten),
        cmocka_unit_test(write_backs),
        cmocka_unit_test(a_bypass_evicts),
        cmocka_unit_test(sectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

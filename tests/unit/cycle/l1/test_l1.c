/* The L1 with time: outcomes, reservation fails that change nothing, and entries that are closed,
 * all worked by hand. */
#include "support/cycle/l1/l1_steps.h"

static void outcomes(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {SEND, 0, 0, 0, "R1:f"},
        {SEND, 0, 0, 0, ""},
        {LOAD, 1, 0x2, 0, "pending"}, /* merges: asked for once */
        {SEND, 0, 0, 0, ""},
        {REPLY, 0, 0, 0, "1"}, /* one requester a cycle */
        {LOAD, 1, 0x4, 0, "hit"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "-"},
        {STORE, 1, 0x1, 0x1, "hit"}, /* write-evict */
        {SEND, 0, 0, 0, "W1:1"},
        {LOAD, 1, 0x4, 0, "miss"},
        {ATOMIC, 2, 0x1, 0, "bypass"},
        {REDUCE, 3, 0x1, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "R1:f A2:1 D3:1"},
        {REPLY, 0, 0, 0, "1"}, /* the store, sent first */
        {REPLY, 0, 0, 0,
         "2"}, /* sent with the load of 1, and the even lines' bank is asked first */
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "3"},
        {STRONG, 1, 0x3, 0, "bypass"}, /* drops the line */
        {LOAD, 1, 0x3, 0, "miss"},
    };
    gm_config config = small();
    PLAY(&config, steps);
}

/* l1.keep_bypassed: neither a line nor data in flight are dropped; later loads hit. */
static void bypassing_leaves_the_line(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {ATOMIC, 1, 0x1, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "R1:f A1:1"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},
        {LOAD, 1, 0x1, 0, "hit"},
        {STRONG, 1, 0x1, 0, "bypass"},
        {SEND_ALL, 0, 0, 0, "R1:1"},
        {REPLY, 0, 0, 0, "1"},
        {LOAD, 1, 0x1, 0, "hit"},
    };
    gm_config config = small();
    config.l1.keep_bypassed = true;
    PLAY(&config, steps);
}

/* l1.fence_drops: lines with data go, one in flight and a dirty one stay. */
static void fences_drop_lines(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},   {SEND_ALL, 0, 0, 0, "R1:f"},
        {REPLY, 0, 0, 0, "1"},       {LOAD, 2, 0x1, 0, "miss"},
        {DROP, 0, 0, 0, ""},         {LOAD, 2, 0x1, 0, "pending"},
        {LOAD, 1, 0x1, 0, "entry"}, /* missing again: line 2 has an entry, and there is one */
        {SEND_ALL, 0, 0, 0, "R2:f"}, {REPLY, 0, 0, 0, "2"},
        {REPLY, 0, 0, 0, "2"},       {LOAD, 2, 0x1, 0, "hit"},
        {LOAD, 1, 0x1, 0, "miss"},   {SEND_ALL, 0, 0, 0, "R1:f"},
        {REPLY, 0, 0, 0, "1"},       {LOCAL_STORE, 1, 0x1, 0x1, "hit"}, /* dirty */
        {DROP, 0, 0, 0, ""},         {LOAD, 1, 0x1, 0, "hit"},
        {LOAD, 2, 0x1, 0, "miss"},
    };
    gm_config config = small();
    config.l1.fence_drops = true;
    config.l1.mshrs = 1;
    config.l1.local_write = GM_WRITE_BACK;
    PLAY(&config, steps);
}

/* A second fence drops nothing if no request has used the tags since the first: data that came
 * between the two stay. A store that does not allocate is no use, a load is one. */
static void fences_drop_what_is_used(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"}, {SEND_ALL, 0, 0, 0, "R1:f"}, {DROP, 0, 0, 0, ""},
        {REPLY, 0, 0, 0, "1"},     {STORE, 5, 0x1, 0, "miss"},  {DROP, 0, 0, 0, ""},
        {LOAD, 1, 0x1, 0, "hit"},  {DROP, 0, 0, 0, ""},         {LOAD, 1, 0x1, 0, "miss"},
    };
    gm_config config = small();
    config.l1.fence_drops = true;
    PLAY(&config, steps);
}

/* Of a line that waits for a sector, the sectors that are there go. */
static void fences_drop_sectors_of_waiting_lines(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},    {SEND_ALL, 0, 0, 0, "R1:1"}, {REPLY, 0, 0, 0, "1"},
        {LOAD, 1, 0x2, 0, "miss"},    {SEND_ALL, 0, 0, 0, "R1:2"}, {DROP, 0, 0, 0, ""},
        {LOAD, 1, 0x2, 0, "pending"}, {LOAD, 1, 0x1, 0, "miss"},
    };
    gm_config config = small();
    config.l1.fence_drops = true;
    config.l1.sectored = true;
    config.l1.merge_by = GM_MERGE_BY_SECTOR;
    config.l1.mshrs = 4;
    PLAY(&config, steps);
}

/* Each reason, in the order of their tests. */
static void reservation_fails(void **state)
{
    (void)state;
    static const step lines[] = {
        {LOAD, 1, 0x1, 0, "miss"},    {LOAD, 2, 0x1, 0, "miss"},  {LOAD, 3, 0x1, 0, "line"},
        {LOAD, 2, 0x1, 0, "pending"}, {LOAD, 2, 0x1, 0, "merge"}, {SEND_ALL, 0, 0, 0, "R1:f R2:f"},
        {LOAD, 3, 0x1, 0, "line"},    {REPLY, 0, 0, 0, "2"}, /* cycle 3, as 1: the even bank first
                                                              */
        {LOAD, 3, 0x1, 0, "entry"}, /* line 2 can go, but its entry has another to answer */
        {REPLY, 0, 0, 0, "2"},        {LOAD, 3, 0x1, 0, "miss"},
    };
    gm_config config = small();
    PLAY(&config, lines);
    static const step entries[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {LOAD, 2, 0x1, 0, "entry"},
        {STORE, 2, 0x1, 0, "miss"}, /* needs none */
        {SEND_ALL, 0, 0, 0, "R1:f W2:1"},
    };
    config.l1.mshrs = 1;
    PLAY(&config, entries);
    static const step queue[] = {
        {LOAD, 1, 0x1, 0, "miss"},   {STORE, 5, 0x1, 0, "miss"},   {STORE, 6, 0x1, 0, "miss"},
        {STORE, 7, 0x1, 0, "queue"}, {ATOMIC, 7, 0x1, 0, "queue"}, {STRONG, 7, 0x1, 0, "queue"},
        {LOAD, 7, 0x1, 0, "queue"},  {LOAD, 1, 0x1, 0, "pending"}, /* sends nothing */
        {SEND, 0, 0, 0, "R1:f"},     {LOAD, 7, 0x1, 0, "miss"},
    };
    config.l1.mshrs = 2;
    PLAY(&config, queue);
}

/* l1.load_places: of a queue of 3, a load needs 2 free places, though it takes one or, if it
 * merges, none; stores need the one that they take, hits none. */
static void loads_leave_a_place(void **state)
{
    (void)state;
    gm_config config = small();
    config.l1.load_places = 2;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},    {SEND, 0, 0, 0, "R1:f"},    {REPLY, 0, 0, 0, "1"},
        {STORE, 5, 0x1, 0, "miss"},   {LOAD, 2, 0x1, 0, "miss"},  {LOAD, 3, 0x1, 0, "queue"},
        {LOAD, 2, 0x1, 0, "queue"},   {LOAD, 1, 0x1, 0, "hit"},   {STORE, 7, 0x1, 0, "miss"},
        {SEND, 0, 0, 0, "W5:1"},      {LOAD, 2, 0x1, 0, "queue"}, {SEND, 0, 0, 0, "R2:f"},
        {LOAD, 2, 0x1, 0, "pending"},
    };
    PLAY(&config, steps);
    static const step stores[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {REDUCE, 9, 0x1, 0, "bypass"},
        {STORE, 2, 0x1, 0x1, "miss"}, /* takes a line */
    };
    config.l1.global_write = GM_WRITE_THROUGH;
    config.l1.global_allocate = config.l1.sectored = true;
    PLAY(&config, stores);
}

/* What passes a waiting line closes it: its data answer the loads and are not installed. */
static void passing_closes(void **state)
{
    (void)state;
    static const struct {
        step_kind kind;
        const char *outcome;
    } passes[] = {{STORE, "pending"}, {ATOMIC, "bypass"}, {REDUCE, "bypass"}, {STRONG, "bypass"}};
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        for (int through = 0; through < 2; through++) {
            const step steps[] = {
                {LOAD, 1, 0x1, 0, "miss"},
                {passes[i].kind, 1, 0x1, 0x1, passes[i].outcome},
                {LOAD, 1, 0x1, 0, "miss"}, /* not merged: a second entry */
                {passes[i].kind, 1, 0x1, 0x1, "queue"},
                {SEND, 0, 0, 0, "R1:f"},
                {passes[i].kind, 1, 0x1, 0x1, passes[i].outcome},
                {LOAD, 1, 0x1, 0, "entry"}, /* both closed */
                {SEND, 0, 0, 0,
                 passes[i].kind == STORE    ? "W1:1"
                 : passes[i].kind == ATOMIC ? "A1:1"
                 : passes[i].kind == REDUCE ? "D1:1"
                                            : "R1:1"},
                {SEND, 0, 0, 0, "R1:f"},
                {REPLY, 0, 0, 0, "1"}, /* the first entry */
                {LOAD, 1, 0x1, 0, "miss"},
                {REPLY, 0, 0, 0, "1"}, /* what passed */
                {REPLY, 0, 0, 0, "1"}, /* the second entry: not installed */
                {LOAD, 1, 0x1, 0, "pending"},
            };
            gm_config config = small();
            config.l1.mshrs = 4;
            config.l1.global_write = through ? GM_WRITE_THROUGH : GM_WRITE_EVICT;
            PLAY(&config, steps);
            config.l1.allocation = GM_ALLOCATE_ON_FILL;
            PLAY(&config, steps);
            config.l1.size = GM_UNBOUNDED;
            PLAY(&config, steps);
        }
    }
}

/* The slot of a closed line is free for another. */
static void closed_line_frees_its_slot(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},
        {LOAD, 2, 0x1, 0, "miss"},
        {LOAD, 3, 0x1, 0, "line"},
        {SEND_ALL, 0, 0, 0, "R1:f R2:f"},
        {STORE, 1, 0x1, 0, "pending"},
        {LOAD, 3, 0x1, 0, "miss"},
        {SEND_ALL, 0, 0, 0, "W1:1 R3:f"},
        {REPLY, 0, 0, 0, "2"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "1"},
        {REPLY, 0, 0, 0, "3"},
        {LOAD, 3, 0x1, 0, "hit"},
        {LOAD, 2, 0x1, 0, "hit"},
    };
    gm_config config = small();
    config.l1.mshrs = 4;
    PLAY(&config, steps);
}

static void disabled(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "bypass"},           {LOAD, 1, 0x1, 0, "bypass"},
        {STORE, 1, 0x1, 0x1, "bypass"},        {LOCAL_STORE, 1, 0x1, 0x1, "queue"},
        {SEND_ALL, 0, 0, 0, "R1:1 R1:1 W1:1"},
    };
    gm_config config = small();
    config.l1.enabled = false;
    PLAY(&config, steps);
}

/* A load that bypasses takes a place: the last is an MSHR that is missing. */
static void places_of_bypassing_loads(void **state)
{
    (void)state;
    static const step load = {STRONG, 1, 0x1, 0, "bypass"};
    static const step another = {STRONG, 1, 0x1, 0, "entry"};
    static const step reply = {REPLY, 0, 0, 0, "1"};
    gm_config config = small();
    fixture fixture;
    make(&fixture, &config);
    for (unsigned i = 0; i < GM_BYPASSED_LOADS; i++) {
        play(&fixture, &load, 1);
        assert_true(send_one(&fixture));
    }
    play(&fixture, &another, 1);
    play(&fixture, &reply, 1);
    play(&fixture, &load, 1);
    destroy(&fixture);
}

/* Fetches of instructions leave in one order with the misses, and take none of their places. */
static void fetches_have_places_of_their_own(void **state)
{
    (void)state;
    static const step steps[] = {
        {FETCH, 40, 0xf, 7, NULL},  {FETCH, 42, 0x3, 9, NULL},   {LOAD, 1, 0x1, 0, "miss"},
        {LOAD, 2, 0x1, 0, "queue"}, {SEND, 0, 0, 0, "I40:f"},    {LOAD, 2, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "I42:3"},   {LOAD, 2, 0x1, 0, "queue"},  {SEND, 0, 0, 0, "R1:f"},
        {LOAD, 2, 0x1, 0, "miss"},  {REPLY, 0, 0, 0, "fetch 7"}, {REPLY, 0, 0, 0, "fetch 9"},
        {REPLY, 0, 0, 0, "1"},
    };
    gm_config config = small();
    config.l1.miss_queue = 1;
    config.sm.fetch = 2;
    config.l1i.size = 2048;
    PLAY(&config, steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bypassing_leaves_the_line),
        cmocka_unit_test(fences_drop_lines),
        cmocka_unit_test(fences_drop_what_is_used),
        cmocka_unit_test(fences_drop_sectors_of_waiting_lines),
        cmocka_unit_test(loads_leave_a_place),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(reservation_fails),
        cmocka_unit_test(passing_closes),
        cmocka_unit_test(closed_line_frees_its_slot),
        cmocka_unit_test(disabled),
        cmocka_unit_test(places_of_bypassing_loads),
        cmocka_unit_test(fetches_have_places_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

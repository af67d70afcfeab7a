/* CTA queues: a second way to compute the answers, from who owns each CTA, agrees in every state
 * that 4 SMs and 20 CTAs can reach, and on random streams. */
#include "goldmem/bits.h"
#include "support/blocks/cta_queues_run.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CTAS = 250, SMS = 16, NOBODY = 255 };

/* The second way: for each CTA the SM that owns it, and whether it has been placed. */
typedef struct naive {
    gm_cta_queues_parameters p;
    unsigned total, size;
    bool rr;
    bool began[SMS]; /* BCS */
    uint8_t owner[CTAS];
    bool placed[CTAS];
} naive;

/* Returns the first CTA that nobody owns, or the kernel's number of CTAs. */
static unsigned first_free(const naive *it)
{
    unsigned cta = 0;
    while (cta < it->total && it->owner[cta] != NOBODY) {
        cta++;
    }
    return cta;
}

/* Returns the number of groups of which nobody owns a CTA. */
static unsigned groups_left(const naive *it)
{
    unsigned groups = 0;
    for (unsigned first = 0; first < it->total; first += it->size) {
        groups += it->owner[first] == NOBODY;
    }
    return groups;
}

static void own(naive *it, unsigned first, unsigned count, unsigned sm)
{
    for (unsigned i = first; i < it->total && i < first + count; i++) {
        it->owner[i] = (uint8_t)sm;
    }
}

static void naive_start(naive *it, unsigned total, unsigned size)
{
    it->total = total;
    it->size = size;
    memset(it->owner, NOBODY, sizeof it->owner);
    memset(it->placed, 0, sizeof it->placed);
    memset(it->began, 0, sizeof it->began);
    it->rr = it->p.adaptive && groups_left(it) < it->p.sms;
    for (unsigned sm = 0; it->p.mode == GROUPS && !it->rr && sm < it->p.sms; sm++) {
        own(it, first_free(it), size, sm);
    }
}

/* Places `count` CTAs that nobody owns. */
static void place_free(naive *it, unsigned count, unsigned sm, gm_cta_queues_response *response)
{
    response->cta = first_free(it);
    response->count = count;
    for (unsigned i = 0; i < count; i++) {
        it->placed[response->cta + i] = true;
    }
    own(it, (unsigned)response->cta, count, sm);
}

static void naive_no_queue(naive *it, unsigned sm, unsigned room, gm_cta_queues_response *response)
{
    unsigned first = first_free(it);
    unsigned left = it->total - first;
    bool takes = false;
    unsigned count = left != 0;
    if (it->p.mode == GROUPS) {
        it->rr = it->rr || (it->p.adaptive && groups_left(it) < it->p.sms);
        takes = !it->rr && left != 0;
    } else if (it->p.mode == BCS) {
        takes = !it->began[sm] && left != 0;
        count = left > 1 && it->size > 1 ? 2 : count;
        count = count > room ? 0 : count;
    }
    if (takes) {
        it->began[sm] = true;
        own(it, first, it->size, sm);
        it->placed[first] = true;
        *response = (gm_cta_queues_response){.count = 1, .cta = first, .taken = 1};
    } else if (count != 0) {
        place_free(it, count, sm, response);
    }
}

static gm_cta_queues_response naive_ask(naive *it, unsigned sm, unsigned room)
{
    gm_cta_queues_response response = {0};
    unsigned mine = 0;
    while (mine < it->total && (it->owner[mine] != sm || it->placed[mine])) {
        mine++;
    }
    if (room != 0 && mine < it->total) {
        it->placed[mine] = true;
        response.count = 1;
        response.cta = mine;
    } else if (room != 0) {
        naive_no_queue(it, sm, room, &response);
    }
    response.single = it->rr;
    response.empty = first_free(it) == it->total;
    return response;
}

static void compare(gm_cta_queues *queues, naive *it, unsigned sm, unsigned room)
{
    gm_cta_queues_response want = naive_ask(it, sm, room);
    gm_cta_queues_response got = act(queues, (gm_cta_queues_request){.sm = sm, .free = room});
    if (memcmp(&got, &want, sizeof got) != 0) {
        fail_msg("mode %u%s, %u SMs, %u CTAs, size %u: SM %u, room %u: count %llu, cta %llu, taken "
                 "%llu, single %llu, empty %llu; by owners %llu, %llu, %llu, %llu, %llu",
                 (unsigned)it->p.mode, it->p.adaptive ? " adaptive" : "", it->p.sms, it->total,
                 it->size, sm, room, (unsigned long long)got.count, (unsigned long long)got.cta,
                 (unsigned long long)got.taken, (unsigned long long)got.single,
                 (unsigned long long)got.empty, (unsigned long long)want.count,
                 (unsigned long long)want.cta, (unsigned long long)want.taken,
                 (unsigned long long)want.single, (unsigned long long)want.empty);
    }
}

/* A state that 4 SMs and 20 CTAs can be in. */
enum { FEW_SMS = 4, FEW_CTAS = 20, STATES = 1 << 16, HASH = 2 * STATES };

typedef struct state_key {
    uint8_t current[FEW_SMS], behind[FEW_SMS], opened[FEW_SMS], next, single;
} state_key;

typedef struct visited {
    gm_cta_queue queue[FEW_SMS];
    uint64_t next;
    bool single;
    uint32_t placed; /* bit set of CTAs */
    naive by_owner;
} visited;

typedef struct exploration {
    visited *state; /* [states] */
    state_key *key;
    uint32_t hash[HASH]; /* number of the state + 1 */
    unsigned states;
} exploration;

static state_key key_of(const gm_cta_queues *queues)
{
    state_key key = {.next = (uint8_t)queues->next, .single = queues->single};
    for (unsigned i = 0; i < queues->parameters.sms; i++) {
        const gm_cta_queue *queue = &queues->queue[i];
        bool drained = queue->current == queue->behind; /* where, has no effect */
        key.current[i] = drained ? 0 : (uint8_t)queue->current;
        key.behind[i] = drained ? 0 : (uint8_t)queue->behind;
        key.opened[i] = queue->opened;
    }
    return key;
}

/* Adds the state unless it is known. */
static void add(exploration *all, const gm_cta_queues *queues, uint32_t placed, const naive *it)
{
    state_key key = key_of(queues);
    uint64_t at = 0;
    for (size_t i = 0; i < sizeof key; i++) {
        at = (at ^ ((const uint8_t *)&key)[i]) * UINT64_C(0x100000001b3);
    }
    for (at = at >> 20 & (HASH - 1); all->hash[at] != 0; at = (at + 1) & (HASH - 1)) {
        unsigned number = all->hash[at] - 1;
        if (memcmp(&all->key[number], &key, sizeof key) == 0) {
            assert_int_equal(all->state[number].placed, placed);
            return;
        }
    }
    assert_true(all->states < STATES);
    all->hash[at] = all->states + 1;
    all->key[all->states] = key;
    visited *added = &all->state[all->states++];
    memcpy(added->queue, queues->queue, queues->parameters.sms * sizeof *queues->queue);
    added->next = queues->next;
    added->single = queues->single;
    added->placed = placed;
    added->by_owner = *it;
}

/* Has an SM ask in a state; adds the state behind it. Returns whether it got a CTA. */
static bool ask_in(exploration *all, unsigned number, gm_cta_queues *queues, unsigned sm,
                   unsigned room)
{
    visited from = all->state[number];
    memcpy(queues->queue, from.queue, queues->parameters.sms * sizeof *queues->queue);
    queues->next = from.next;
    queues->single = from.single;
    naive before = from.by_owner;
    compare(queues, &from.by_owner, sm, room);
    unsigned got = 0;
    for (unsigned cta = 0; cta < from.by_owner.total; cta++) {
        if (from.by_owner.placed[cta] != before.placed[cta]) {
            assert_int_equal(from.placed >> cta & 1, 0); /* placed once */
            from.placed |= UINT32_C(1) << cta;
            got++;
        }
    }
    add(all, queues, from.placed, &from.by_owner);
    return got != 0;
}

/* Every state that the SMs' requests lead to, in any order. An SM with room for two gets a CTA
 * while there is one that no other SM has in its queue; in the end all have been placed. */
static unsigned explore(gm_cta_queues_parameters p, unsigned ctas, unsigned size)
{
    gm_arena arena;
    gm_cta_queues queues = make(p, &arena);
    exploration *all = calloc(1, sizeof *all);
    all->state = malloc(STATES * sizeof *all->state);
    all->key = malloc(STATES * sizeof *all->key);
    naive it = {.p = p};
    act(&queues, start_of(&queues, ctas, size));
    naive_start(&it, ctas, size);
    add(all, &queues, 0, &it);
    unsigned ends = 0;
    for (unsigned number = 0; number < all->states; number++) {
        bool any = false;
        for (unsigned sm = 0; sm < p.sms; sm++) {
            uint32_t of_others = 0;
            const naive *now = &all->state[number].by_owner;
            for (unsigned cta = 0; cta < ctas; cta++) {
                of_others |= (uint32_t)(now->owner[cta] != NOBODY && now->owner[cta] != sm) << cta;
            }
            bool work = (all->state[number].placed | of_others) != gm_mask(ctas);
            bool got = ask_in(all, number, &queues, sm, 2);
            assert_int_equal(got, work);
            any = any || got;
            ask_in(all, number, &queues, sm, 1);
            ask_in(all, number, &queues, sm, 0);
        }
        if (!any) {
            assert_int_equal(all->state[number].placed, gm_mask(ctas));
            ends++;
        }
    }
    assert_true(ends != 0);
    unsigned states = all->states;
    free(all->state);
    free(all->key);
    free(all);
    gm_arena_free(&arena);
    return states;
}

static void every_state_of_few_ctas(void **state)
{
    (void)state;
    static const unsigned machines[][2] = {{1, 5}, {2, 7}, {3, 10}, {FEW_SMS, FEW_CTAS}};
    unsigned states = 0;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        unsigned sms = machines[i][0];
        unsigned ctas = machines[i][1];
        states += explore((gm_cta_queues_parameters){sms, 5, RR, false}, ctas, 1);
        for (unsigned size = 1; size <= ctas + 1; size++) {
            states += explore((gm_cta_queues_parameters){sms, 5, BCS, false}, ctas, size);
            states += explore((gm_cta_queues_parameters){sms, 5, GROUPS, false}, ctas, size);
            states += explore((gm_cta_queues_parameters){sms, 5, GROUPS, true}, ctas, size);
        }
    }
    print_message("%u states\n", states);
}

static void both_ways_agree(void **state)
{
    (void)state;
    test_random random = test_random_start(1); /* has adaptive groups of size 0 */
    for (unsigned round = 0; round < test_rounds(300); round++) {
        unsigned mode = (unsigned)test_random_below(&random, 3);
        const gm_cta_queues_parameters p = {
            .sms = 1 + (unsigned)test_random_below(&random, SMS),
            .cta_bits = 10 + (unsigned)test_random_below(&random, 54),
            .mode = (gm_cta_queues_mode)mode,
            .adaptive = mode == GROUPS && test_random_below(&random, 2) != 0,
        };
        gm_arena arena;
        gm_cta_queues queues = make(p, &arena);
        naive it = {.p = p};
        unsigned total = (unsigned)test_random_below(&random, CTAS + 1);
        unsigned size = (unsigned)test_random_below(&random, 2 + total / (1 + p.sms / 2));
        act(&queues, start_of(&queues, total, size));
        naive_start(&it, total, size == 0 ? 1 : size); /* 0 is taken for 1 */
        unsigned steps = total + (unsigned)test_random_below(&random, total + 1);
        unsigned busy = (unsigned)test_random_below(&random, p.sms); /* asks more often */
        for (unsigned i = 0; i < steps; i++) {
            uint64_t choice = test_random_below(&random, 4);
            unsigned sm = choice == 0 ? busy : (unsigned)test_random_below(&random, p.sms);
            compare(&queues, &it, sm, (unsigned)test_random_below(&random, 4));
        }
        gm_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_of_few_ctas),
        cmocka_unit_test(both_ways_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

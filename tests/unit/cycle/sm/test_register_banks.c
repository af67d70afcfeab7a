/* Banks of the register file with queues of reads: register_banks.h. Expected values by hand. */
#include "cycle/sm/register_banks.h"
#include "frontend/timed_record.h"
#include "support/support.h"

typedef struct machine {
    gm_config config;
    gm_register_banks banks;
    gm_arena arena;
} machine;

/* 4 collectors, 4 banks of each of `schedulers` sub-cores, or of the SM if there is one. */
static machine *fresh(uint64_t schedulers)
{
    static machine made;
    gm_error error;
    gm_config_defaults(&made.config);
    made.config.sm.schedulers = schedulers;
    made.config.sm.collectors = 4;
    made.config.sm.subcores = schedulers > 1;
    made.config.sm.register_banks = 4;
    made.config.sm.register_queues = true;
    test_ok(gm_arena_create(&made.arena, gm_register_banks_bytes(&made.config), &error), error);
    assert_true(gm_register_banks_init(&made.banks, &made.config, &made.arena));
    return &made;
}

/* Packs general registers; returns the first word. */
static uint64_t pack(const uint16_t *number, unsigned count, uint64_t *words)
{
    words[0] = words[1] = 0;
    (void)gm_timed_pack(words, 0, number, count);
    return words[0];
}

static gm_register_reads reads_of(const machine *made, uint32_t partition, uint32_t slot,
                                  const uint16_t *number, unsigned count)
{
    uint64_t words[GM_TIMED_REGISTER_WORDS];
    (void)pack(number, count, words);
    return gm_register_banks_reads(&made->banks, partition, slot, words, 0, count);
}

static void expect_ready(const machine *made, uint64_t ready)
{
    assert_int_equal(made->banks.ready, ready);
}

/* Number and slot give the bank; a register counts once, those that are no general ones never. */
static void reads_lie_in_banks(void **state)
{
    (void)state;
    machine *made = fresh(2);
    const uint16_t registers[] = {
        GM_REGISTER(GM_REGISTERS_GENERAL, 5), GM_REGISTER(GM_REGISTERS_UNIFORM, 1),
        GM_REGISTER(GM_REGISTERS_GENERAL, 5), GM_REGISTER(GM_REGISTERS_GENERAL, 10)};
    gm_register_reads reads = reads_of(made, 0, 0, registers, 4);
    assert_int_equal(reads.count, 2);
    assert_int_equal(reads.banks, 1 | 2 << GM_REGISTER_BANK_BITS);
    reads = reads_of(made, 1, 3, registers, 4); /* of the other sub-core: 4 + (5 + 3) % 4, ... */
    assert_int_equal(reads.count, 2);
    assert_int_equal(reads.banks, 4 | 5 << GM_REGISTER_BANK_BITS);
    uint64_t words[GM_TIMED_REGISTER_WORDS];
    (void)pack(registers, 4, words);
    reads = gm_register_banks_reads(&made->banks, 0, 0, words, 3, 4); /* the first three written */
    assert_int_equal(reads.count, 1);
    assert_int_equal(reads.banks, 2);
    gm_arena_free(&made->arena);
}

/* Collector 0 reads banks 1, 1 and 2, collector 1 bank 1, collector 2 nothing, collector 3 bank 2.
 * Bank 1 serves 0, 0, 1; bank 2 serves 0, 3. */
static void a_bank_serves_its_queue_in_order(void **state)
{
    (void)state;
    machine *made = fresh(1);
    const uint16_t first[] = {1, 5, 2};
    gm_register_reads reads[] = {reads_of(made, 0, 0, first, 3), reads_of(made, 0, 0, first, 1),
                                 reads_of(made, 0, 0, first, 0),
                                 reads_of(made, 0, 0, first + 2, 1)};
    for (uint32_t i = 0; i < 4; i++) {
        gm_register_banks_take(&made->banks, i, &reads[i]);
    }
    expect_ready(made, 4);
    gm_register_banks_serve(&made->banks, 0);
    expect_ready(made, 4);
    gm_register_banks_serve(&made->banks, 0);
    expect_ready(made, 4 | 1 | 8);
    gm_register_banks_leave(&made->banks, 2);
    gm_register_banks_leave(&made->banks, 0);
    expect_ready(made, 8);
    gm_register_banks_take(&made->banks, 0, &reads[1]); /* behind collector 1's read */
    gm_register_banks_serve(&made->banks, 0);
    expect_ready(made, 8 | 2);
    assert_int_equal(made->banks.queued, 2);
    gm_register_banks_serve(&made->banks, 0);
    expect_ready(made, 8 | 2 | 1);
    assert_int_equal(made->banks.queued, 0);
    gm_arena_free(&made->arena);
}

/* A bank that is written serves nothing; others do. Writes are of one cycle each. */
static void writes_go_first(void **state)
{
    (void)state;
    machine *made = fresh(1);
    const uint16_t registers[] = {1, 2};
    uint64_t words[GM_TIMED_REGISTER_WORDS];
    const gm_register_reads reads = reads_of(made, 0, 0, registers, 2);
    gm_register_banks_write(&made->banks, 0, 0, pack(registers, 1, words), 1, 100);
    gm_register_banks_write(&made->banks, 0, 2, pack(registers, 1, words), 1, 100); /* bank 3 */
    gm_register_banks_write(&made->banks, 0, 0, pack(registers + 1, 1, words), 1, 101);
    assert_int_equal(gm_register_banks_written(&made->banks, 99), 0);
    assert_int_equal(gm_register_banks_written(&made->banks, 100), 1 << 1 | 1 << 3);
    assert_int_equal(gm_register_banks_written(&made->banks, 101), 1 << 2);
    uint64_t around = made->banks.writes_mask + 1;
    assert_int_equal(gm_register_banks_written(&made->banks, 100 + around), 0);
    gm_register_banks_take(&made->banks, 0, &reads);
    gm_register_banks_serve(&made->banks, gm_register_banks_written(&made->banks, 100));
    assert_int_equal(made->banks.queued, 1 << 1);
    expect_ready(made, 0);
    gm_register_banks_serve(&made->banks, gm_register_banks_written(&made->banks, 101));
    expect_ready(made, 1);
    gm_arena_free(&made->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_lie_in_banks),
        cmocka_unit_test(a_bank_serves_its_queue_in_order),
        cmocka_unit_test(writes_go_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

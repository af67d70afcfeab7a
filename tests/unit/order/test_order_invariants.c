/* Each conservation law fails when one of its sides is changed, and names itself. */
#include "order/order_machine.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

/* A machine after some accesses of all kinds, flushed and drained. */
static void prepare(gm_order_machine *machine, gm_config *config)
{
    gm_error error;
    test_random random = {61};
    gm_config_defaults(config);
    config->gpu.sms = 2;
    config->l1.size = 1024;
    config->l2.size = UINT64_C(6) * 2048; /* one set a bank: evicts, with dirty sectors */
    test_ok(gm_order_machine_init(machine, config, false, &error), error);
    for (unsigned i = 0; i < 4000; i++) {
        gm_order_sm *sm = &machine->sm[i % 2];
        gm_access_kind kind = (gm_access_kind)(i % 5 % 3);
        gm_line_request request = {.line = test_random_below(&random, 300),
                                   .sectors = 1U << test_random_below(&random, 4),
                                   .local = test_random_below(&random, 2) == 0};
        gm_outcome outcome = {0};
        sm->requests[kind]++;
        if (kind == GM_LOAD) {
            gm_order_l1_access(&sm->l1, &request,
                               i % 50 == 0 ? GM_REQUEST_STRONG_LOAD : GM_REQUEST_LOAD, &outcome);
        } else if (kind == GM_STORE) {
            gm_order_l1_access(&sm->l1, &request, GM_REQUEST_STORE, &outcome);
        } else {
            gm_order_l1_access(&sm->l1, &request,
                               i % 2 == 0 ? GM_REQUEST_ATOMIC : GM_REQUEST_REDUCTION, &outcome);
        }
    }
    gm_order_noc_copy(&machine->noc, GM_MESSAGE_INSTALL, 12345, 0xf);
    gm_order_noc_copy(&machine->noc, GM_MESSAGE_DISCARD, 54321, 0xf);
    gm_order_noc_drain(&machine->noc);
    gm_order_machine_sum(machine, &machine->total);
    test_ok(gm_order_machine_check(machine, &error), error);
}

static void each_law_can_fail(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_config config;
    prepare(&machine, &config);
    gm_order_l1 *l1 = &machine.sm[0].l1;
    gm_order_noc_port *port = &machine.sm[1].port;
    gm_l2 *l2 = &machine.memory.bank[2];
    gm_dram *dram = &machine.memory.channel[2];
    const struct {
        uint64_t *counter;
        const char *law;
    } rows[] = {
        {&machine.delivered.ctas, "CTAs delivered = run"},
        {&machine.delivered.warps, "warps delivered = run"},
        {&machine.delivered.instructions, "warp instructions delivered = issued"},
        {&machine.delivered.lanes, "active lanes delivered = thread instructions"},
        {&machine.sm[1].core.ctas, "CTAs delivered = run"},
        {&machine.sm[1].core.thread_instructions, "active lanes delivered = thread instructions"},
        {&machine.sm[1].turns, "warp instructions issued = turns taken"},
        {&machine.sm[0].requests[GM_STORE], "line requests of the coalescer = accesses"},
        {&l1->statistics.accesses[GM_LOAD], "L1 of SM 0 load: accesses = hits"},
        {&l1->statistics.hits[GM_STORE], "L1 of SM 0 store: accesses = hits"},
        {&l1->statistics.misses[GM_LOAD], "L1 of SM 0 load: accesses = hits"},
        {&l1->statistics.bypasses[GM_ATOMIC], "L1 of SM 0 atomic: accesses = hits"},
        {&l1->statistics.sectors_filled[GM_LOAD], "= sectors asked for"},
        {&l1->statistics.sectors_stored[GM_LOAD], "sectors stored by loads and atomics = 0"},
        {&l1->bypassed_sectors, "= sectors asked for"},
        {&l1->statistics.sectors_written_back[GM_STORE], "= sectors of write-back messages"},
        {&l1->dirtied, "L1 of SM 0: sectors made dirty = written back + dirty"},
        {&l1->dirty_sectors, "L1 of SM 0: sectors made dirty = written back + dirty"},
        {&l1->statistics.evictions[GM_LOAD], "L1 of SM 0: "},
        {&l1->statistics.invalidations[GM_STORE], "L1 of SM 0: "},
        {&l1->cache.allocations, "L1 of SM 0: "},
        {&port->sent.messages[GM_MESSAGE_READ], "READ: messages sent by SMs = received"},
        {&port->sent.strong, "atomic buffers: strong loads sent by SMs = performed"},
        {&port->sent.strong_sectors, "atomic buffers: sectors of strong loads sent by SMs = read"},
        {&port->sent.messages[GM_MESSAGE_WRITE], "WRITE: messages sent by SMs = received"},
        {&port->sent.messages[GM_MESSAGE_WRITE_BACK], "WRITE_BACK: messages sent by SMs"},
        {&port->sent.messages[GM_MESSAGE_ATOMIC], "ATOMIC: messages sent by SMs = received"},
        {&port->sent.messages[GM_MESSAGE_REDUCTION], "REDUCTION: messages sent by SMs"},
        {&machine.noc.copied.messages[GM_MESSAGE_INSTALL], "INSTALL: messages sent"},
        {&machine.noc.copied.sectors[GM_MESSAGE_DISCARD], "DISCARD: sectors sent"},
        {&port->sent.sectors[GM_MESSAGE_WRITE], "WRITE: sectors sent by SMs = received"},
        {&l2->received.sectors[GM_MESSAGE_ATOMIC], "ATOMIC: sectors sent by SMs = received"},
        {&l2->statistics.accesses[GM_LOAD], "L2 bank 2 load: accesses = hits"},
        {&l2->statistics.misses[GM_STORE], "L2 bank 2 store: accesses = hits"},
        {&l2->dirtied, "L2 bank 2: sectors made dirty = written back + overwritten"},
        {&l2->statistics.sectors_written_back[GM_LOAD], "L2 bank 2: sectors made dirty"},
        {&l2->statistics.evictions[GM_LOAD], "L2 bank 2: "},
        {&l2->statistics.sectors_filled[GM_LOAD], "sectors filled in the L2 = reads"},
        {&dram->statistics.reads, "sectors filled in the L2 = reads"},
        {&dram->statistics.writes, "sectors written back and through by the L2 = writes"},
        {&l2->through, "sectors written back and through by the L2 = writes"},
        {&dram->statistics.bytes, "bytes = 32 * (reads + writes)"},
        {&machine.total.core.barriers, "core barriers: sum of kernels = sum of SMs"},
        {&machine.total.l1d.hits[GM_LOAD], "l1d hits: sum of kernels = sum of SMs"},
        {&machine.total.l2.evictions[GM_STORE], "l2 evictions: sum of kernels = sum of banks"},
        {&machine.total.dram.row_hits, "dram row_hits: sum of kernels = sum of channels"},
        {&machine.total.traffic.ld, "traffic ld: sum of kernels = sum of SMs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_error error;
        ++*rows[i].counter;
        assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
        if (strstr(error.text, rows[i].law) == NULL) {
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, error.text, rows[i].law);
        }
        --*rows[i].counter;
        test_ok(gm_order_machine_check(&machine, &error), error);
    }
    gm_order_machine_free(&machine);
}

/* Laws with more than one counter to change. */
static void the_others_too(void **state)
{
    (void)state;
    gm_order_machine machine;
    gm_config config;
    gm_error error;
    prepare(&machine, &config);
    gm_l2 *l2 = &machine.memory.bank[1];
    gm_dram_statistics *dram = &machine.memory.channel[1].statistics;

    l2->received.messages[GM_MESSAGE_READ]++; /* both ends wrong, the bank's own counter right */
    machine.sm[0].port.sent.messages[GM_MESSAGE_READ]++;
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_non_null(strstr(error.text, "L2 bank 1: reads received = load accesses"));
    l2->received.messages[GM_MESSAGE_READ]--;
    machine.sm[0].port.sent.messages[GM_MESSAGE_READ]--;

    gm_cache_statistics *l1 = &machine.sm[0].l1.statistics;
    l1->sectors_stored[GM_STORE] = 4 * l1->misses[GM_STORE] + 1;
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_non_null(
        strstr(error.text, "L1 of SM 0: sectors stored <= of lines of stores that did not hit"));
    l1->sectors_stored[GM_STORE] = 0;

    l2->dirtied++;
    l2->dirty_sectors++;
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_non_null(strstr(error.text, "L2 bank 1: dirty sectors counted = found"));
    l2->dirtied--;
    l2->dirty_sectors--;

    uint64_t row_hits = dram->row_hits;
    dram->row_hits = dram->requests + 1;
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_non_null(strstr(error.text, "DRAM channel 1: row hits <= requests"));
    dram->row_hits = row_hits;

    uint64_t requests = dram->requests;
    dram->requests = dram->reads + dram->writes + 1;
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_non_null(strstr(error.text, "DRAM channel 1: requests <= reads + writes"));
    dram->requests = requests;

    uint64_t sector_misses = l2->statistics.sector_misses[GM_LOAD];
    l2->statistics.sector_misses[GM_LOAD] = l2->statistics.misses[GM_LOAD] + 1;
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_non_null(strstr(error.text, "L2 bank 1 load: sector_misses <= misses"));
    l2->statistics.sector_misses[GM_LOAD] = sector_misses;

    uint64_t tag = machine.sm[0].l1.cache.way[0].tag;
    machine.sm[0].l1.cache.way[0].tag = tag + 1; /* the neighbouring set's line */
    assert_int_equal(gm_order_machine_check(&machine, &error), -EPROTO);
    assert_non_null(strstr(error.text, "L1 of SM 0: set 0"));
    machine.sm[0].l1.cache.way[0].tag = tag;
    test_ok(gm_order_machine_check(&machine, &error), error);
    gm_order_machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_law_can_fail),
        cmocka_unit_test(the_others_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

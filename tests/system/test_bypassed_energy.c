/* Energy of data that pass a cache by: sectors between DRAM and SMs that bypass the L2, and fills
 * that bypass the L1, are charged to neither; and of stores that an L1 keeps. Both engines. */
#include "support/support.h"

#include <stdio.h>

/* Runs a shell command in the test's folder; $g is goldmem. */
static void expect(const char *line, int status, const char *text)
{
    test_command command =
        test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s\n}", test_folder(), line);
    test_expect(&command, status, text);
}

static void run(const char *options, const char *input, const char *checks)
{
    static const char *const engines[] = {"order", "cycle"};
    for (unsigned i = 0; i < 2; i++) {
        char line[2048];
        snprintf(line, sizeof line,
                 "run() { $g run -q --check --engine=%s %s --json \"$@\" workload:%s; }; "
                 "run r.json && python3 -c \"\n"
                 "import json\n"
                 "t = json.load(open('r.json'))['total']\n"
                 "past, l2, dram = t.get('l2_bypassed'), t['l2'], t['dram']\n"
                 "sent, got = t['traffic_bytes']['ld'] // 32, t['traffic_bytes']['st'] // 32\n"
                 "%s\n"
                 "print('charged')\"",
                 engines[i], options, input, checks);
        expect(line, 0, "charged");
    }
}

/* All loads bypass: the L2 writes the line that the one store fetches and its sector, and reads
 * none.
 */
static void coalesced_loads(void **state)
{
    (void)state;
    run("--set l2.bypass=coalesced --set l2.copy_fills=no --set l2.size=192KB",
        "chase,bytes=65536,loads=2000",
        "assert past['read_sectors'] + 4 == dram['reads'] == l2['sectors_filled'] > 5000\n"
        "assert past['answered_sectors'] == sent >= past['read_sectors']\n"
        "assert past['written_sectors'] == 0 and got == 1\n"
        "assert t['energy_pj']['l2'] == 337, t['energy_pj']"); /* five sectors of 67.5 pJ */
}

/* Loads that share a read in flight are sent its data each. */
static void shared_reads(void **state)
{
    (void)state;
    run("--set l2.bypass=coalesced --set l2.size=192KB", "syrk,n=64",
        "assert past['read_sectors'] < l2['sectors_filled'] or t['l2']['misses'] == 0\n"
        "assert past['read_sectors'] <= past['answered_sectors'] <= sent\n"
        "joined = t['l2_coalesced']['joined']\n"
        "assert past['answered_sectors'] >= past['read_sectors'] + joined\n"
        "assert (joined > 1000) == ('cycles' in t), joined");
}

/* Local loads and write-backs of a sharing-aware L2: whole lines of four sectors. */
static void local_memory(void **state)
{
    (void)state;
    run("--preset fermi-sharing --set sharing.enabled=yes --set l2.size=48KB",
        "libor,paths=512,rates=20,steps=4",
        "s = t['sharing']\n"
        "assert past['read_sectors'] == past['answered_sectors'] == 4 * s['l2_local_reads'] > 0\n"
        "assert (past['written_sectors'] > 0) == (s['l2_local_writes'] > 0)\n"
        "assert past['written_sectors'] <= 4 * s['l2_local_writes']");
}

/* A closed gate sends loads and stores past the L2. */
static void closed_gates(void **state)
{
    (void)state;
    run("--set l2.streaming=yes --set l1.global_write=through --set memory.partitions=1 "
        "--set l2.size=128KB",
        "vectoradd,n=200000",
        "gate = t['l2_streaming']\n"
        "assert gate['loads_bypassed'] > 100\n"
        "assert gate['loads_bypassed'] <= past['read_sectors'] <= 4 * gate['loads_bypassed']\n"
        "assert gate['stores_bypassed'] <= past['written_sectors'] <= "
        "4 * gate['stores_bypassed']\n"
        "assert past['read_sectors'] < l2['sectors_filled'] == dram['reads']");
}

static void others_have_no_counters(void **state)
{
    (void)state;
    expect("$g run -q --json r.json workload:chase && ! grep -q l2_bypassed r.json && "
           "$g run -q --json r.json --preset fermi-sharing --set sharing.enabled=yes --set "
           "sharing.local_l2=normal workload:chase && ! grep -q l2_bypassed r.json && echo none",
           0, "none");
}

/* 65536 words of 4 bytes are copied, 8192 sectors. An L1 that allocates for stores writes each into
 * its lines, without a fetch; one that does not writes what it fetches only. Energy of the L1 by
 * the table of docs/energy.md, in pJ for a sector. */
static void stores_that_allocate(void **state)
{
    (void)state;
#define CHARGED(stored)                                                                            \
    "l1, (read, write) = t['l1d'], (30.5 / 4, 44.4 / 4)\n"                                         \
    "loads = sum(l1['load'][n] for n in ('hits', 'hits_pending', 'misses'))\n"                     \
    "assert l1['sectors_stored'] == l1['store']['sectors_stored'] == " stored                      \
    "\nassert l1['store']['hits'] == 0 and l1['sectors_filled'] == 8192\n"                         \
    "pj = 4 * loads * read + (l1['sectors_filled'] + " stored ") * write\n"                        \
    "assert t['energy_pj']['l1d'] == int(pj + 0.001), (t['energy_pj'], pj)"
    static const char *const presets[] = {"v100", "h100"}; /* h100: lazy */
    for (unsigned i = 0; i < 2; i++) {
        char options[64];
        snprintf(options, sizeof options, "--preset %s", presets[i]);
        run(options, "stream,n=65536,copy=1", CHARGED("8192"));
        snprintf(options, sizeof options, "--preset %s --set l1.global_allocate=no", presets[i]);
        run(options, "stream,n=65536,copy=1", CHARGED("0"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coalesced_loads),      cmocka_unit_test(shared_reads),
        cmocka_unit_test(local_memory),         cmocka_unit_test(closed_gates),
        cmocka_unit_test(stores_that_allocate), cmocka_unit_test(others_have_no_counters),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}

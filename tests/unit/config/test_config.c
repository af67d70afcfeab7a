/* Configuration keys: set, get, ranges, and what keys require of each other. */
#include "support/support.h"

#include "config/dram_standard.h"
#include "goldmem/bits.h"
#include "goldmem/config.h"
#include "goldmem/set_index.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Each assignment on the defaults, and what its key then reads as. */
static void test_assign_accepts(void **state)
{
    (void)state;
    static const struct {
        const char *assignment, *key, *expected;
    } rows[] = {
        {"l1.ways=16", "l1.ways", "16"},
        {"l1.ways=full", "l1.ways", "full"},
        {"l1.size=unbounded", "l1.size", "unbounded"},
        {"l1.size=48KB", "l1.size", "48KB"},
        {"l1.size=49152", "l1.size", "48KB"},
        {"l1.size=49152B", "l1.size", "48KB"},
        {"l1.size=48kb", "l1.size", "48KB"},
        {"l1.size=48K", "l1.size", "48KB"},
        {"l2.size=2m", "l2.size", "2MB"},
        {"l2.size=1G", "l2.size", "1GB"},
        {"l1.size=100", "l1.size", "100"},
        {"l1.size=1GB", "l1.size", "1GB"},
        {"l2.size=1536KB", "l2.size", "1536KB"},
        {"sm.shared_bytes=0", "sm.shared_bytes", "0"},
        {"l1.index=ipoly:37", "l1.index", "ipoly:37"},
        {"l1.index=matrix:a=b.txt", "l1.index", "matrix:a=b.txt"},
        {"l1.replacement=fifo", "l1.replacement", "fifo"},
        {"l1.global_write=back", "l1.global_write", "back"},
        {"l1.global_write=through", "l1.global_write", "through"},
        {"l2.fetch_on_write=partial", "l2.fetch_on_write", "partial"},
        {"l2.fetch_on_write=through", "l2.fetch_on_write", "through"},
        {"l1.flush=off", "l1.flush", "no"},
        {"l1.flush=False", "l1.flush", "no"},
        {"l1.sectored=TRUE", "l1.sectored", "yes"},
        {"l1.sectored=on", "l1.sectored", "yes"},
        {"memory.partitions=7", "memory.partitions", "7"},
        {"gpu.sms=1", "gpu.sms", "1"},
        {"gpu.sms=1024", "gpu.sms", "1024"},
        {"gpu.sms=0016", "gpu.sms", "16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_error error = {0};
        char text[GM_CONFIG_TEXT];
        gm_config_defaults(&config);
        test_ok(gm_config_assign(&config, rows[i].assignment, &error), error);
        gm_config_get(&config, gm_config_find(rows[i].key), text, sizeof text);
        assert_string_equal(text, rows[i].expected);
    }
}

static const struct {
    const char *assignment, *message;
} refused[] = {
    {"l1.ways", "l1.ways: must be KEY=VALUE, such as l1.ways=16"},
    {"=4", "=4: must be KEY=VALUE, such as l1.ways=16"},
    {"", ": must be KEY=VALUE, such as l1.ways=16"},
    {"l1.ways=0", "l1.ways=0: must be 1 to 65536 ways, or full"},
    {"l1.ways=65537", "l1.ways=65537: must be 1 to 65536 ways, or full"},
    {"l1.ways=", "l1.ways=: must be 1 to 65536 ways, or full"},
    {"l1.ways=-1", "l1.ways=-1: must be 1 to 65536 ways, or full"},
    {"l1.ways=+1", "l1.ways=+1: must be 1 to 65536 ways, or full"},
    {"l1.ways= 4", "l1.ways= 4: must be 1 to 65536 ways, or full"},
    {"l1.ways=4 ", "l1.ways=4 : must be 1 to 65536 ways, or full"},
    {"l1.ways=0x4", "l1.ways=0x4: must be 1 to 65536 ways, or full"},
    {"l1.ways=4KB", "l1.ways=4KB: must be 1 to 65536 ways, or full"},
    {"l1.ways=unbounded", "l1.ways=unbounded: must be 1 to 65536 ways, or full"},
    /* 2^64 + 4 wraps to 4 */
    {"l1.ways=18446744073709551620",
     "l1.ways=18446744073709551620: must be 1 to 65536 ways, or full"},
    {"l1.ways=18446744073709551615",
     "l1.ways=18446744073709551615: must be 1 to 65536 ways, or full"},
    {"gpu.sms=full", "gpu.sms=full: must be 1 to 1024 SMs"},
    {"gpu.sms=1025", "gpu.sms=1025: must be 1 to 1024 SMs"},
    {"l1.size=2GB", "l1.size=2GB: must be 32 bytes to 1GB, or unbounded"},
    {"l1.size=31", "l1.size=31: must be 32 bytes to 1GB, or unbounded"},
    {"l1.size=16TB", "l1.size=16TB: must be 32 bytes to 1GB, or unbounded"},
    {"l1.size=16KK", "l1.size=16KK: must be 32 bytes to 1GB, or unbounded"},
    {"l1.size=1.5KB", "l1.size=1.5KB: must be 32 bytes to 1GB, or unbounded"},
    /* 2^34 GB wraps to 0, 2^54 KB + 16 KB to 16 KB */
    {"l1.size=18014398509482000KB",
     "l1.size=18014398509482000KB: must be 32 bytes to 1GB, or unbounded"},
    {"l1.banks=3", "l1.banks=3: must be a power of two, 1 to 16 banks"},
    {"l1.banks=32", "l1.banks=32: must be a power of two, 1 to 16 banks"},
    {"l1.tag_banks=6", "l1.tag_banks=6: must be a power of two, 1 to 16 banks"},
    {"l1.data_banks=0", "l1.data_banks=0: must be a power of two, 1 to 128 banks"},
    {"sm.memory_lanes=64", "sm.memory_lanes=64: must be a power of two, 1 to 32 lanes"},
    {"l1.bank_interleave=16", "l1.bank_interleave=16: must be a power of two, 32 bytes to 1KB"},
    {"l1.bank_index=ipoly", "l1.bank_index=ipoly: must be linear or xor"},
    {"l1.unified=17MB", "l1.unified=17MB: must be 0 bytes to 16MB"},
    {"l1.shared_options=",
     "l1.shared_options=: must be 1 to 16 ascending sizes of at most 1MB such "
     "as 0,8KB,96KB"},
    {"l1.shared_options=8KB,", "l1.shared_options=8KB,: must be 1 to 16 ascending sizes of at most "
                               "1MB such as 0,8KB,96KB"},
    {"l1.shared_options=8KB,8192", "l1.shared_options=8KB,8192: must be 1 to 16 ascending sizes of "
                                   "at most 1MB such as 0,8KB,96KB"},
    {"l1.shared_options=0,2MB", "l1.shared_options=0,2MB: must be 1 to 16 ascending sizes of at "
                                "most 1MB such as 0,8KB,96KB"},
    {"l1.shared_options=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
     "l1.shared_options=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16: must be 1 to 16 ascending sizes "
     "of at most 1MB such as 0,8KB,96KB"},
    {"l1.line=96", "l1.line=96: must be a power of two, 32 bytes to 1KB"},
    {"l1.line=16", "l1.line=16: must be a power of two, 32 bytes to 1KB"},
    {"l1.line=2048", "l1.line=2048: must be a power of two, 32 bytes to 1KB"},
    {"memory.banks=3", "memory.banks=3: must be a power of two, 1 to 64 banks"},
    {"l1.flush=maybe", "l1.flush=maybe: must be yes or no"},
    {"l1.flush=1", "l1.flush=1: must be yes or no"},
    {"l1.replacement=random", "l1.replacement=random: must be lru, fifo, srrip or ship"},
    {"l1.global_write=evic", "l1.global_write=evic: must be evict, through or back"},
    {"l1.global_write=evict|through",
     "l1.global_write=evict|through: must be evict, through or back"},
    {"l1.index=", "l1.index=: must be a set-index function such as sequential, xor, fermi or "
                  "ipoly:37"},
    {"l1.index=a\tb", "l1.index=a?b: must be a set-index function such as sequential, xor, "
                      "fermi or ipoly:37"},
    {"l1.way=4", "l1.way: no such key; did you mean l1.ways?"},
    {"L1.ways=4", "L1.ways: no such key; did you mean l1.ways?"},
    {"l1.wyas=4", "l1.wyas: no such key; did you mean l1.ways?"},
    {"memory.partition=4", "memory.partition: no such key; did you mean memory.partitions?"},
    {"clock.width=4", "clock.width: no such key; clock has core, noc, l2, dram"},
    {"cache=4", "cache: no such key"},
};

static void test_assign_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        gm_config config;
        gm_config before;
        gm_error error = {0};
        gm_config_defaults(&config);
        before = config;
        assert_int_equal(gm_config_assign(&config, refused[i].assignment, &error), -EINVAL);
        assert_string_equal(error.text, refused[i].message);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

/* An index function's text of 255 characters fits, 256 do not. */
static void test_index_length(void **state)
{
    (void)state;
    gm_config config;
    char text[GM_CONFIG_TEXT + 1];
    gm_config_defaults(&config);
    memset(text, 'a', sizeof text);
    text[GM_CONFIG_TEXT] = '\0';
    assert_int_equal(gm_config_set(&config, "l1.index", text, NULL), -EINVAL);
    text[GM_CONFIG_TEXT - 1] = '\0';
    assert_int_equal(gm_config_set(&config, "l1.index", text, NULL), 0);
    assert_string_equal(config.l1.index, text);
}

/* Up to four assignments on the defaults (16 KB, 4 ways, 128-byte lines; L2 of 6 x 128 KB, 16 ways)
 * and the message of gm_config_check; NULL: it passes. */
static const struct {
    const char *assignments[7];
    const char *message;
} checks[] = {
    {{NULL}, NULL},
    {{"l1.ways=16"}, NULL},   /* 8 sets */
    {{"l1.ways=128"}, NULL},  /* 1 set */
    {{"l1.ways=full"}, NULL}, /* 128 lines */
    {{"l1.size=unbounded"}, NULL},
    {{"l1.size=unbounded", "l1.ways=5"}, NULL},
    {{"l1.size=unbounded", "l1.index=ipoly:37"}, NULL},
    {{"l1.ways=full", "l1.size=48KB", "l1.index=fermi"}, NULL}, /* 384 lines need no index */
    {{"l1.size=48KB", "l1.ways=6"}, NULL},                      /* 64 sets */
    {{"l1.size=48KB"},
     "l1.size=49152: with l1.ways=4 and l1.line=128 it has 96 sets; must be a power of two, 1 "
     "to 65536"},
    {{"l1.ways=5"}, "l1.size=16384: must be a multiple of l1.ways=5 times l1.line=128"},
    {{"l1.ways=256"}, "l1.size=16384: must be a multiple of l1.ways=256 times l1.line=128"},
    {{"l1.size=100"}, "l1.size=100: must be a multiple of l1.ways=4 times l1.line=128"},
    {{"l1.size=100", "l1.ways=full"}, "l1.size=100: must be a multiple of l1.line=128"},
    {{"l1.size=64MB", "l1.ways=4"},
     "l1.size=67108864: with l1.ways=4 and l1.line=128 it has 131072 sets; must be a power of "
     "two, 1 to 65536"},
    {{"l1.size=32MB", "l1.ways=4"}, NULL}, /* 65536 sets */
    {{"l1.index=ipoly:37"}, NULL},
    {{"l1.index=fermi"}, NULL},
    {{"l1.index=fermi", "l1.line=64", "l2.line=64", "l1.size=8KB"},
     "l1.index=fermi: needs l1.line=128, not 64"},
    {{"l2.size=786431"},
     "l2.size=786431: must be a multiple of l2.ways=16 times l2.line=128 in each of 6 banks"},
    {{"l2.size=1MB"},
     "l2.size=1048576: must be a multiple of l2.ways=16 times l2.line=128 in each of 6 banks"},
    {{"l2.size=1152KB"},
     "l2.size=1179648: with l2.ways=16 and l2.line=128 it has 96 sets in each of 6 banks; must "
     "be a power of two, 1 to 65536"},
    {{"l2.size=unbounded"}, NULL},
    {{"l2.ways=full"}, NULL},
    {{"memory.banks=2"}, NULL}, /* 32 sets */
    {{"l2.line=256"}, "l2.line=256: must be at most l1.line=128"},
    {{"l1.line=64"}, "l2.line=128: must be at most l1.line=64"},
    {{"l2.line=32"}, NULL}, /* 256 sets */
    {{"memory.interleave=64"}, "memory.interleave=64: must be at least l2.line=128"},
    {{"memory.interleave=128"}, NULL},
    {{"memory.bank_interleave=64"}, "memory.bank_interleave=64: must be at least l2.line=128"},
    {{"memory.bank_interleave=1MB", "memory.banks=2"}, NULL},
    {{"memory.partition_index=ipoly"}, NULL}, /* 6 partitions, 64 sets: 3 + 6 bits */
    {{"memory.partition_index=ipoly", "memory.partition_bits=9"}, NULL},
    {{"memory.partition_index=ipoly", "memory.partition_bits=8"},
     "memory.partition_bits=8: must be 0, or at least 9 with 6 memory.partitions, no power of two: "
     "log2 of the hash's values and of an L2 bank's sets"},
    {{"memory.partition_index=ipoly", "memory.partition_bits=1", "memory.partitions=4",
      "l2.size=512KB"},
     NULL},
    {{"memory.partition_bits=1"}, NULL}, /* linear */
    {{"memory.partition_index=xor"},
     "memory.partition_index=xor: needs a power of two of memory.partitions, not 6"},
    {{"memory.partition_index=xor", "memory.partitions=4", "l2.size=512KB"}, NULL},
    {{"memory.interleave=32", "l2.line=32"}, NULL}, /* an L1 line over four partitions */
    {{"l1.tag_banks=4", "l1.tag_index=gh100"}, NULL},
    {{"l1.answers=request"}, "l1.answers=request: needs l1.merge_by=sector"},
    {{"l1.answers=request", "l1.merge_by=sector", "l1.sectored=yes"}, NULL},
    {{"l1.tag_index=gh100"}, "l1.tag_index=gh100: needs l1.tag_banks=4, not 1"},
    {{"sm.atomic_passes=yes", "coherence.protocol=tcs"},
     "sm.atomic_passes=yes: needs coherence.protocol=none"},
    {{"sm.coalesce_bypassed=sector", "coherence.protocol=tcs"},
     "sm.coalesce_bypassed=sector: needs coherence.protocol=none"},
    {{"sm.fence=registers", "coherence.protocol=tcw"},
     "sm.fence=registers: needs coherence.protocol=none"},
    {{"sm.fence=registers", "l1.fence_drops=yes", "sm.atomic_wait=yes"}, NULL},
    {{"l1.parts=yes"}, "l1.parts=yes: needs l1.fetch_on_write=lazy"},
    {{"l1.parts=yes", "l1.fetch_on_write=lazy", "l1.sectored=yes"},
     "l1.parts=yes: needs an l2.dirty other than sector"},
    {{"gpu.cta_paced=yes", "gpu.cta=bcs"}, "gpu.cta_paced=yes: needs gpu.cta=rr"},
    {{"gpu.cta_paced=yes"}, NULL},
    {{"gpu.kernel_end=answered", "coherence.protocol=tcs"},
     "gpu.kernel_end=answered: needs coherence.protocol=none"},
    {{"gpu.kernel_end=answered", "l2.atomic_buffer=yes"},
     "gpu.kernel_end=answered: needs l2.atomic_buffer=no"},
    {{"gpu.kernel_end=answered", "tracker.enabled=yes"},
     "gpu.kernel_end=answered: needs tracker.enabled=no"},
    {{"gpu.kernel_end=answered"}, NULL},
    {{"l1.load_places=2", "l1.miss_queue=1"}, "l1.load_places: needs at most l1.miss_queue"},
    {{"l1.load_places=2", "l1.kind=decoupled"}, "l1.load_places: needs l1.kind=conventional"},
    {{"l1.load_places=2", "coherence.protocol=tcs"},
     "l1.load_places: needs coherence.protocol=none"},
    {{"l1.load_places=2", "l1.miss_queue=2"}, NULL},
    {{"sm.write_port=yes"},
     "sm.write_port=yes: needs sm.collectors, with sm.subcores or sm.register_queues"},
    {{"sm.write_port=yes", "sm.collectors=8", "sm.register_queues=yes"},
     "sm.write_port=yes: needs sm.collectors, with sm.subcores or sm.register_queues"},
    {{"sm.write_port=yes", "sm.collectors=8", "sm.subcores=yes"},
     "sm.write_port=yes: needs l1.lookup=last or banks"},
    {{"sm.write_port=yes", "sm.collectors=8", "sm.subcores=yes", "l1.lookup=last",
      "sm.coalesce=line", "l1.sectored=yes", "l1.merge_by=sector"},
     "sm.write_port=yes: needs sm.coalesce=sector"},
    {{"sm.write_port=yes", "sm.collectors=8", "sm.subcores=yes", "l1.lookup=last", "unit.shared=0"},
     "sm.write_port=yes: needs a unit.shared above 0"},
    {{"sm.write_port=yes", "sm.collectors=8", "sm.subcores=yes", "l1.lookup=last"}, NULL},
    {{"sm.write_port=yes", "sm.collectors=8", "sm.register_queues=yes", "sm.register_banks=8",
      "l1.lookup=last"},
     NULL},
    {{"l1.fence_drops=yes", "coherence.protocol=ideal"},
     "l1.fence_drops=yes: needs coherence.protocol=none"},
    {{"l1.fence_drops=yes", "l1.kind=decoupled"}, "l1.fence_drops=yes: needs l1.kind=conventional"},
    {{"l2.fetch=64", "l2.sectored=yes"}, NULL},
    {{"l2.fetch=64"}, "l2.fetch=64: needs l2.sectored=yes"},
    {{"l2.fetch=256", "l2.sectored=yes"}, "l2.fetch=256: needs at most l2.line"},
    {{"l2.fetch=64", "l2.sectored=yes", "l2.bypass=coalesced"},
     "l2.fetch=64: needs l2.bypass=none"},
    {{"l2.halves=2"}, NULL},
    {{"noc.speedup=4"}, NULL},
    {{"noc.speedup=2", "noc.allocation=1"}, NULL},
    {{"noc.allocation=1"}, "noc.allocation=1: needs noc.speedup above 1"},
    {{"noc.speedup=2", "noc.topology=mesh"},
     "noc.speedup=2: needs noc.topology=crossbar, noc.channels=1 and noc.virtual_networks=0"},
    {{"noc.speedup=2", "noc.channels=2"},
     "noc.speedup=2: needs noc.topology=crossbar, noc.channels=1 and noc.virtual_networks=0"},
    {{"noc.speedup=2", "coherence=mesi", "noc.virtual_networks=5"},
     "noc.speedup=2: needs noc.topology=crossbar, noc.channels=1 and noc.virtual_networks=0"},
    {{"noc.speedup=4", "clock.noc=25000"}, NULL},
    {{"noc.arbitration=series"}, NULL},
    {{"noc.arbitration=series", "noc.speedup=3"}, "noc.speedup=3: needs noc.arbitration=islip"},
    {{"noc.arbitration=series", "noc.channels=2"},
     "noc.arbitration=series: needs noc.topology=crossbar, noc.channels=1 and "
     "noc.virtual_networks=0"},
    {{"noc.speedup=4", "clock.noc=25001"}, "noc.speedup=4: clock.noc=25001: must be at most 25000"},
    {{"l2.halves=2", "l2.copies=yes"}, NULL},
    {{"l2.copies=yes"}, "l2.copies=yes: needs l2.halves=2"},
    {{"l2.halves=2", "l2.copies=yes", "l2.size=unbounded"},
     "l2.copies=yes: needs a bounded l2.size"},
    {{"l2.halves=2", "l2.far_latency=1000", "memory.partitions=2", "l2.size=1MB"}, NULL},
    {{"l2.halves=2", "memory.partitions=3", "l2.size=384KB"},
     "l2.halves=2: needs an even number of memory.partitions, not 3"},
    {{"dram.row=64"}, "dram.row=64: must be at least l2.line=128"},
    {{"dram.banks=2"}, "dram.bank_groups=4: must be at most dram.banks=2"},
    {{"dram.banks=1", "dram.bank_groups=2"}, "dram.bank_groups=2: must be at most dram.banks=1"},
    {{"dram.banks=4"}, NULL},
    {{"dram.low_banks=16"}, NULL},
    {{"dram.low_banks=32"}, "dram.low_banks=32: must be at most dram.banks=16"},
    {{"dram.banks=1", "dram.bank_groups=1"}, NULL},
    {{"dram.row=512", "dram.burst=1KB"}, "dram.burst=1024: must be at most dram.row=512"},
    {{"dram.row=512", "dram.burst=512"}, NULL},
    {{"dram.channels=16"}, NULL},
    {{"dram.channels=16", "dram.pseudo_channels=2"},
     "dram.banks=16: 512 with dram.channels=16 and dram.pseudo_channels=2: at most 256 are "
     "possible"},
    {{"dram.refresh=bank"},
     "dram.tREFI=0: must be at least 260: twice dram.tRFCB and the time of a row, and dram.tPPD "
     "for each bank"},
    {{"dram.refresh=bank", "dram.tREFI=260"}, NULL},
    {{"dram.refresh=bank", "dram.tREFI=260", "dram.tRTPL=3"},
     "dram.tRTPL: 3: needs dram.refresh=none, since reads of other banks would put a refresh off"},
    {{"dram.refresh=all", "dram.tREFI=507", "dram.tRFC=100", "dram.tPPD=3"},
     "dram.tREFI=507: must be at least 508: twice dram.tRFC and the time of a row, and dram.tPPD "
     "for each bank"},
    {{"dram.refresh=all", "dram.tREFI=508", "dram.tRFC=100", "dram.tPPD=3"}, NULL},
    {{"dram.refresh=bank", "dram.tREFI=320", "dram.tRREFD=10"},
     "dram.tREFI=320: must be more than 2 * dram.banks * dram.tRREFD (320)"},
    {{"dram.refresh=bank", "dram.tREFI=336", "dram.tRREFD=10"}, NULL},
    {{"dram.standard=gddr6"}, NULL},
    {{"dram.standard=hbm2"}, NULL},
    {{"dram.standard=hbm2e"}, NULL},
    {{"dram.standard=hbm3"}, NULL},
    {{"l1.kind=decoupled"}, NULL},
    {{"l1.kind=decoupled", "l1.ways=full"},
     "l1.kind=decoupled: l1.size, l1.ways and l1.line make 1 sets; must be 4 to 1024"},
    {{"l1.kind=decoupled", "l1.size=1KB"},
     "l1.kind=decoupled: l1.size, l1.ways and l1.line make 2 sets; must be 4 to 1024"},
    {{"l1.kind=decoupled", "l1.size=1MB"},
     "l1.kind=decoupled: l1.size, l1.ways and l1.line make 2048 sets; must be 4 to 1024"},
    {{"l1.kind=decoupled", "l1.size=512KB"}, NULL},
    {{"l1.kind=decoupled", "l1.tag_ways=4"}, "l1.tag_ways=4: must be above l1.ways=4"},
    {{"l1.tag_ways=4", "l1.threshold=255"}, NULL}, /* conventional */
    {{"l1.kind=decoupled", "l1.threshold=63"}, NULL},
    {{"l1.kind=decoupled", "l1.threshold=64"},
     "l1.threshold=64: must fit in l1.rc_bits=6, 0 to 63"},
    {{"l1.streaming=yes", "l2.streaming=yes"}, NULL},
    {{"l1.streaming=yes", "l1.enabled=no"}, "l1.streaming=yes: needs l1.enabled=yes"},
    {{"l1.streaming=yes", "l1.kind=decoupled"}, "l1.streaming=yes: needs l1.kind=conventional"},
    {{"l1.streaming=yes", "l1.size=unbounded"}, "l1.streaming=yes: needs a bounded l1.size"},
    {{"l1.streaming=yes", "l1.bypass=mrpb"}, "l1.streaming=yes: needs l1.bypass=none"},
    {{"l1.streaming=yes", "tracker.enabled=yes"}, "l1.streaming=yes: needs tracker.enabled=no"},
    {{"l2.line=32", "l2.fetch_on_write=lazy", "l1.local_write=through", "l2.dirty=byte"}, NULL},
    {{"l2.dirty=byte"}, "l2.dirty=byte: needs l2.line=32"},
    {{"l2.dirty=byte", "l2.line=32"}, "l2.dirty=byte: needs l2.fetch_on_write=lazy"},
    {{"l2.dirty=byte", "l2.line=32", "l2.fetch_on_write=lazy"},
     "l2.dirty=byte: needs an l1.local_write other than back"},
    {{"l2.dirty=byte", "l2.line=32", "l2.fetch_on_write=lazy", "l1.global_write=back"},
     "l2.dirty=byte: needs an l1.global_write other than back"},
    {{"l2.dirty=byte", "l2.line=32", "l2.fetch_on_write=lazy", "l2.streaming=yes"},
     "l2.dirty=byte: needs l2.streaming=no"},
    {{"l2.dirty=byte", "l2.line=32", "l2.fetch_on_write=lazy", "l2.atomic_buffer=yes"},
     "l2.dirty=byte: needs an l1.local_write other than back"},
    {{"sm.coalesce=sector", "l2.sectored=yes", "l2.fetch_on_write=lazy", "l1.local_write=through",
      "l2.dirty=parts"},
     NULL},
    {{"l1.lookup=banks", "l1.banks=4", "sm.coalesce=sector"}, NULL},
    {{"l1.lookup=banks"}, "l1.lookup=banks: needs l1.banks above 1"},
    {{"l1.lookup=banks", "l1.banks=2"}, "l1.lookup=banks: needs sm.coalesce=sector"},
    {{"l2.dirty=parts"}, "l2.dirty=parts: needs sm.coalesce=sector"},
    {{"l2.dirty=parts", "sm.coalesce=sector"}, "l2.dirty=parts: needs l2.fetch_on_write=lazy"},
    {{"l2.dirty=parts", "sm.coalesce=sector", "l2.sectored=yes", "l2.fetch_on_write=lazy",
      "l2.streaming=yes"},
     "l2.dirty=parts: needs l2.streaming=no"},
    {{"l2.dirty=parts", "sm.coalesce=sector", "l2.sectored=yes", "l2.fetch_on_write=lazy",
      "l2.atomic_buffer=yes"},
     "l2.dirty=parts: needs l2.atomic_buffer=no"},
    {{"l2.dirty=parts", "sm.coalesce=sector", "l2.sectored=yes", "l2.fetch_on_write=lazy",
      "l1.global_write=back"},
     "l2.dirty=parts: needs an l1.global_write other than back"},
    {{"l2.dirty=parts", "sm.coalesce=sector", "l2.sectored=yes", "l2.fetch_on_write=lazy"},
     "l2.dirty=parts: needs an l1.local_write other than back"},
    {{"l2.bypass=coalesced", "l1.bypass=contention"}, NULL},
    {{"l2.bypass=coalesced", "l2.size=unbounded"}, "l2.bypass=coalesced: needs a bounded l2.size"},
    {{"l2.bypass=coalesced", "l2.streaming=yes"}, "l2.bypass=coalesced: needs l2.streaming=no"},
    {{"l2.bypass=coalesced", "coherence.protocol=ideal"},
     "l2.bypass=coalesced: needs coherence.protocol=none"},
    {{"l2.victim=yes", "l2.bypass=coalesced", "tracker.enabled=yes", "l1.local_write=through"},
     NULL},
    {{"l2.victim=yes", "l2.bypass=coalesced", "tracker.enabled=yes", "l1.local_write=evict",
      "tracker.trackers=2", "tracker.ask=yes"},
     NULL},
    {{"l2.victim=yes"}, "l2.victim=yes: needs l2.bypass=coalesced"},
    {{"l2.victim=yes", "l2.bypass=coalesced"}, "l2.victim=yes: needs tracker.enabled=yes"},
    {{"l2.victim=yes", "l2.bypass=coalesced", "tracker.enabled=yes", "tracker.trackers=2"},
     "l2.victim=yes: needs tracker.trackers=1 or tracker.ask=yes"},
    {{"l2.victim=yes", "l2.bypass=coalesced", "tracker.enabled=yes", "l1.global_write=back"},
     "l2.victim=yes: needs an l1.global_write other than back"},
    {{"l2.victim=yes", "l2.bypass=coalesced", "tracker.enabled=yes"},
     "l2.victim=yes: needs an l1.local_write other than back"},
    {{"l2.streaming=yes", "l2.size=unbounded"}, "l2.streaming=yes: needs a bounded l2.size"},
    {{"l2.streaming=yes", "coherence.protocol=ideal"},
     "l2.streaming=yes: needs coherence.protocol=none"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes"},
     NULL},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "sharing.dead=private", "sharing.local_l2=normal",
      "sharing.l2_dead=yes"},
     NULL},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.enabled=no"},
     "sharing.enabled=yes: needs l1.enabled=yes"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.kind=decoupled"},
     "sharing.enabled=yes: needs l1.kind=conventional"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.line=64"},
     "sharing.enabled=yes: needs l1.line and l2.line to be equal"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.sectored=yes"},
     "sharing.enabled=yes: needs l1.sectored=no"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.sectored=yes"},
     "sharing.enabled=yes: needs l2.sectored=no"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.size=unbounded"},
     "sharing.enabled=yes: needs a bounded l1.size"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.size=unbounded"},
     "sharing.enabled=yes: needs a bounded l2.size"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.replacement=fifo"},
     "sharing.enabled=yes: needs l1.replacement=lru"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.replacement=fifo"},
     "sharing.enabled=yes: needs l2.replacement=lru"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.allocation=on_miss"},
     "sharing.enabled=yes: needs l1.allocation=on_fill"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.global_write=back"},
     "sharing.enabled=yes: needs l1.global_write=through"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.local_write=through"},
     "sharing.enabled=yes: needs l1.local_write=back"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.local_allocate=no"},
     "sharing.enabled=yes: needs l1.local_allocate=yes"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.bypass=all"},
     "sharing.enabled=yes: needs l1.bypass=none"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.streaming=yes"},
     "sharing.enabled=yes: needs l1.streaming=no"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.streaming=yes"},
     "sharing.enabled=yes: needs l2.streaming=no"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.bypass=coalesced"},
     "sharing.enabled=yes: needs l2.bypass=none"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.atomic_buffer=yes"},
     "sharing.enabled=yes: needs l2.atomic_buffer=no"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "sm.throttle=ccws"},
     "sharing.enabled=yes: needs an sm.throttle other than ccws"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "tracker.enabled=yes"},
     "sharing.enabled=yes: needs tracker.enabled=no"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l1.size=32KB", "l1.ways=64"},
     "sharing.enabled=yes: l1.size, l1.ways and l1.line make 4 sets of 64 ways; at most 1024 sets "
     "of 32 ways are possible"},
    {{"sharing.enabled=yes", "l1.allocation=on_fill", "l1.global_write=through",
      "l1.local_allocate=yes", "l2.size=12MB", "l2.ways=8"},
     "sharing.enabled=yes: l2.size, l2.ways and l2.line make 2048 sets of 8 ways; at most 1024 "
     "sets of 32 ways are possible"},
    {{"l2.atomic_buffer=yes", "l2.fetch_on_write=through"}, NULL},
    {{"l2.atomic_buffer=yes", "l2.size=unbounded"},
     "l2.atomic_buffer=yes: needs a bounded l2.size"},
    {{"l2.atomic_buffer=yes", "l2.streaming=yes"}, "l2.atomic_buffer=yes: needs l2.streaming=no"},
    {{"l2.atomic_buffer=yes", "l2.merge_by=sector", "l2.sectored=yes", "sm.coalesce=sector",
      "l1.sectored=yes", "l1.global_write=through", "l1.local_write=through"},
     "l2.atomic_buffer=yes: needs l2.merge_by=line"},
    {{"l2.atomic_buffer=yes", "coherence.protocol=ideal"},
     "l2.atomic_buffer=yes: needs coherence.protocol=none"},
    {{"l1.streaming=yes", "coherence.protocol=ideal"},
     "l1.streaming=yes: needs coherence.protocol=none"},
    {{"l1.dueling=on"}, "l1.dueling=yes: needs l1.kind=decoupled"},
    {{"l1.kind=decoupled", "l1.dueling=on"}, NULL},
    {{"l1.kind=decoupled", "l1.dueling=on", "gpu.sms=1"},
     "l1.dueling=yes: needs gpu.sms of 2 or more"},
    {{"l1.kind=decoupled", "l1.allocation=on_fill"},
     "l1.allocation: must be on_miss with l1.kind=decoupled"},
    {{"l1.kind=decoupled", "l1.replacement=fifo"},
     "l1.replacement=fifo: must be lru, srrip or ship with l1.kind=decoupled"},
    {{"l1.kind=decoupled", "l1.replacement=ship"}, NULL},
    {{"l1.fetch_on_write=lazy"}, "l1.fetch_on_write=lazy: needs l1.sectored=yes"},
    {{"l1.fetch_on_write=lazy", "l1.sectored=yes"}, NULL},
    {{"l1.fetch_on_write=lazy", "l1.sectored=yes", "l1.local_allocate=yes"},
     "l1.fetch_on_write=lazy: needs that write-back stores do not allocate"},
    {{"l1.fetch_on_write=lazy", "l1.sectored=yes", "l1.kind=decoupled"},
     "l1.fetch_on_write=lazy: needs l1.kind=conventional"},
    {{"l2.fetch_on_write=lazy"}, "l2.fetch_on_write=lazy: needs l2.sectored=yes"},
    {{"l2.fetch_on_write=lazy", "l2.sectored=yes"}, NULL},
    {{"l2.fetch_on_write=lazy", "l2.sectored=yes", "l2.size=unbounded"},
     "l2.fetch_on_write=lazy: needs a bounded l2.size"},
    {{"l1i.size=2KB"}, "l1i.size=2048: needs sm.fetch of 1 or more"},
    {{"l1i.size=2KB", "sm.fetch=2"}, NULL},
    {{"l1i.size=2KB", "sm.fetch=2", "coherence=tcw", "l1.sectored=no"},
     "l1i.size=2048: needs coherence.protocol=none"},
    {{"l1i.size=2000", "sm.fetch=2"},
     "l1i.size=2000: must be a multiple of l1i.ways=4 times l1i.line=128"},
    {{"l1i.size=1536", "sm.fetch=2"},
     "l1i.size=1536: with l1i.ways=4 and l1i.line=128 it has 3 sets; must be a power of two, 1 to "
     "65536"},
    {{"l1i.size=1536", "sm.fetch=2", "l1i.ways=full"}, NULL},
    {{"l1.banks=4"}, NULL},
    {{"l1.banks=4", "l1.ports=2"}, "l1.banks=4: needs l1.ports=1"},
    {{"gpu.kernels=2", "l1.bypass=profiled", "l1.profile=x"},
     "gpu.kernels=2: must be 1 with l1.bypass=profiled, whose profile is of one kernel after the "
     "other"},
    {{"gpu.kernels=2", "gpu.cta=groups"},
     "gpu.kernels=2: must be 1 with another gpu.cta than rr, whose queues are of one kernel"},
    {{"gpu.kernels=2", "gpu.cta_group=3", "gpu.cta_adaptive=yes"}, NULL},
    {{"gpu.kernels=2", "gpu.kernels_share_sm=yes", "l1.global_write=back"},
     "gpu.kernels_share_sm=yes: needs another l1.global_write than back: an L1 that another kernel "
     "uses is not flushed at a kernel's end"},
    {{"gpu.kernels=2", "gpu.kernels_share_sm=yes", "l1.global_write=back", "l1.flush=no"}, NULL},
    {{"gpu.kernels=2", "l1.global_write=back"}, NULL},
    {{"l1.banks=4", "l1.bypass=mrpb"}, "l1.banks=4: needs an l1.bypass other than mrpb"},
    {{"l1.banks=1", "l1.bypass=mrpb", "l1.ports=2"}, NULL},
    {{"l1.merge_by=sector"}, "l1.merge_by=sector: needs l1.sectored=yes"},
    {{"l1.merge_by=sector", "l1.sectored=yes"}, NULL},
    {{"l1.merge_by=sector", "l1.sectored=yes", "l1.mshrs=4"}, NULL},
    {{"l1.merge_by=sector", "l1.sectored=yes", "l1.mshrs=3"},
     "l1.mshrs=3: must be at least the 4 sectors of a line with l1.merge_by=sector"},
    {{"l1.merge_by=sector", "l1.sectored=yes", "l1.kind=decoupled"},
     "l1.merge_by=sector: needs l1.kind=conventional"},
    {{"l1.merge_by=sector", "l1.sectored=yes", "l1.size=unbounded"},
     "l1.merge_by=sector: needs a bounded l1.size"},
    {{"l1.merge_by=sector", "l1.sectored=yes", "l1.allocation=on_fill"}, NULL},
    {{"l1.merge_by=sector", "l1.sectored=yes", "l1.allocation=streaming", "l1.local_allocate=yes"},
     "l1.merge_by=sector: needs l1.global_allocate=no and l1.local_allocate=no, or "
     "l1.allocation=on_miss"},
    {{"l1.unified=128KB"},
     "l1.shared_options: the largest, 0, must be at least sm.shared_bytes=49152"},
    {{"l1.unified=128KB", "sm.shared_bytes=0"}, NULL},
    {{"l1.unified=128KB", "l1.shared_options=0,48KB"}, NULL},
    {{"l1.unified=128KB", "l1.shared_options=128KB"},
     "l1.shared_options: 131072 bytes leave no way of the L1 in l1.unified=131072"},
    {{"l1.unified=128KB", "l1.shared_options=0,126KB"}, NULL}, /* 32 ways: 0.5 is rounded to 1 */
    {{"l1.unified=128KB", "l1.shared_options=0,129025"},
     "l1.shared_options: 129025 bytes leave no way of the L1 in l1.unified=131072"},
    {{"l1.unified=18KB", "l1.shared_options=1KB"},
     "l1.unified=18432: must be a multiple of one way of all sets, l1.size / l1.ways = 4096"},
    {{"l1.unified=64KB", "l1.kind=decoupled"}, "l1.unified=65536: needs l1.kind=conventional"},
    {{"l1.unified=64KB", "l1.size=unbounded"}, "l1.unified=65536: needs a bounded l1.size"},
    {{"l1.unified=64KB", "l1.ways=full"}, "l1.unified=65536: needs a number for l1.ways"},
    {{"l1.unified=64KB", "l1.replacement=ship"},
     "l1.unified=65536: needs l1.replacement=lru or fifo"},
    {{"l1.unified=64KB", "l1.bypass=pdp"}, "l1.unified=65536: needs an l1.bypass other than pdp"},
    {{"l1.unified=64KB", "coherence=ideal"}, "l1.unified=65536: needs coherence.protocol=none"},
    {{"l1.bypass=mrpb", "l1.lookup=last"}, "l1.bypass=mrpb: needs l1.lookup=first"},
    {{"l1.bypass=all", "l1.lookup=last"}, NULL},
    {{"l1.replacement=ship", "l1.ways=full"},
     "l1.replacement=ship: l1.size, l1.ways and l1.line make 1 sets of 128 ways; at most 1024 "
     "sets of 32 ways are possible"},
    {{"l1.replacement=srrip", "l1.ways=full", "l1.size=4KB"}, NULL},
    {{"l1.replacement=srrip", "l1.ways=32"}, NULL},
    {{"l1.replacement=srrip", "l1.ways=64"},
     "l1.replacement=srrip: l1.size, l1.ways and l1.line make 2 sets of 64 ways; at most 1024 "
     "sets of 32 ways are possible"},
    {{"l1.replacement=srrip", "l1.ways=full", "l1.size=unbounded"}, NULL},
    {{"l2.replacement=ship", "l2.size=12MB"}, NULL},
    {{"l2.replacement=ship", "l2.size=24MB"},
     "l2.replacement=ship: l2.size, l2.ways and l2.line make 2048 sets of 16 ways; at most "
     "1024 sets of 32 ways are possible"},
    {{"l2.replacement=fifo", "l2.size=24MB"}, NULL},
    {{"l1.kind=decoupled", "l1.bypass=pdp"}, "l1.bypass=pdp: must be none with l1.kind=decoupled"},
    {{"l1.bypass=all", "l1.size=unbounded"}, NULL},
    {{"l1.bypass=pdp", "l1.size=unbounded"},
     "l1.bypass=pdp: l1.size=unbounded has no line that could be protected"},
    {{"l1.bypass=pdp", "l1.ways=full", "l1.replacement=fifo"}, NULL},
    {{"l1.bypass=pdp", "l1.replacement=ship"}, "l1.bypass=pdp: needs l1.replacement=lru or fifo"},
    {{"l1.bypass=profiled"},
     "l1.bypass=profiled: needs l1.profile=FILE, which goldmem run --write-profile FILE makes"},
    {{"l1.bypass=profiled", "l1.profile=a b"}, NULL}, /* it is looked for by a run */
    {{"l1.bypass=profiled", "l1.enabled=no"}, NULL},
    {{"sm.threads=1537"}, "sm.threads=1537: must be at most 32 times sm.warps=48"},
    {{"l2.merge_by=sector"}, "l2.merge_by=sector: needs l2.sectored=yes"},
    {{"l2.merge_by=sector", "l2.sectored=yes"}, "l2.merge_by=sector: needs sm.coalesce=sector"},
    {{"l2.merge_by=sector", "l2.sectored=yes", "sm.coalesce=sector", "l1.sectored=yes"},
     "l2.merge_by=sector: needs l1.global_write and l1.local_write other than back"},
    {{"l2.merge_by=sector", "l2.sectored=yes", "sm.coalesce=sector", "l1.sectored=yes",
      "l1.local_write=through"},
     NULL},
    {{"l2.merge_by=sector", "l2.sectored=yes", "sm.coalesce=sector", "l1.enabled=no"}, NULL},
    {{"unit.fp64_units=3"}, "unit.fp64_units=3: must be at most sm.schedulers=2, or each"},
    {{"unit.fp64_units=3", "sm.collectors=8", "sm.register_banks=4", "sm.register_queues=yes"},
     NULL}, /* a pool */
    {{"unit.fp64_units=3", "sm.collectors=8", "sm.register_banks=4", "sm.register_queues=yes",
      "sm.subcores=yes"},
     "unit.fp64_units=3: must be at most sm.schedulers=2, or each"},
    {{"unit.fp64_units=3", "sm.collectors=8", "sm.register_banks=4"},
     "unit.fp64_units=3: must be at most sm.schedulers=2, or each"},
    {{"unit.integer_units=2"}, NULL},
    {{"sm.schedulers=1", "unit.tensor_units=2"},
     "unit.tensor_units=2: must be at most sm.schedulers=1, or each"},
    {{"sm.schedulers=4", "unit.fp32_units=4", "unit.special_units=each"}, NULL},
    {{"sm.subcores=yes", "sm.collectors=3"},
     "sm.subcores=yes: sm.collectors=3 must be a multiple of sm.schedulers=2"},
    {{"sm.subcores=yes", "sm.collectors=4"}, NULL},
    {{"sm.subcores=yes"}, NULL}, /* no collectors: nothing to divide */
    {{"sm.register_queues=yes", "sm.register_banks=64"}, NULL},
    {{"l1.bypass_early=yes"}, "l1.bypass_early=yes: needs l1.keep_bypassed=yes"},
    {{"l1.bypass_early=yes", "l1.keep_bypassed=yes"}, NULL},
    {{"sm.register_queues=yes", "sm.register_banks=33", "sm.subcores=yes"},
     "sm.register_queues=yes: sm.register_banks=33 of 2 parts: must be at most 64 together"},
    {{"sm.warps=47"}, "sm.threads=1536: must be at most 32 times sm.warps=47"},
    {{"l1.global_allocate=yes"},
     "l1.global_allocate=yes: must be no with l1.global_write=evict, which drops the lines "
     "that it would allocate"},
    {{"l1.global_allocate=yes", "l1.global_write=through"}, NULL},
    {{"l1.local_allocate=yes"}, NULL},
    {{"l1.local_allocate=yes", "l1.local_write=evict"},
     "l1.local_allocate=yes: must be no with l1.local_write=evict, which drops the lines that "
     "it would allocate"},
};

static void test_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        gm_config config;
        gm_error error = {0};
        gm_config_defaults(&config);
        for (size_t j = 0; j < 7 && checks[i].assignments[j] != NULL; j++) {
            test_ok(gm_config_assign(&config, checks[i].assignments[j], &error), error);
        }
        int code = gm_config_check(&config, &error);
        if (checks[i].message == NULL) {
            test_ok(code, error);
        } else {
            assert_int_equal(code, -EINVAL);
            assert_string_equal(error.text, checks[i].message);
        }
    }
}

/* The reason is gm_set_index_parse's own, after key and value. */
static void test_check_index(void **state)
{
    (void)state;
    static const struct {
        const char *assignment;
        uint64_t sets;
    } rows[] = {
        {"l1.index=nonsense", 32}, {"l1.index=ipoly:67", 32},   {"l1.index=ipoly:36", 32},
        {"l2.index=ipoly:37", 64}, {"l2.index=matrix:/no", 64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_error error = {0};
        gm_error reason = {0};
        gm_set_index function;
        char expected[GM_ERROR_TEXT];
        gm_config_defaults(&config);
        test_ok(gm_config_assign(&config, rows[i].assignment, &error), error);
        int code = gm_set_index_parse(&function, strchr(rows[i].assignment, '=') + 1, rows[i].sets,
                                      64 - 7, &reason);
        assert_true(code < 0);
        snprintf(expected, sizeof expected, "%.100s: %.300s", rows[i].assignment, reason.text);
        assert_int_equal(gm_config_check(&config, &error), code);
        assert_string_equal(error.text, expected);
    }
}

static void test_sets(void **state)
{
    (void)state;
    static const struct {
        const char *assignment;
        uint64_t l1, l2;
    } rows[] = {
        {"l1.ways=4", 32, 64}, /* 16384 / 4 / 128; 786432 / 6 / 16 / 128 */
        {"l1.ways=16", 8, 64},        {"l1.ways=full", 1, 64},    {"l1.size=unbounded", 1, 64},
        {"l1.size=32KB", 64, 64},     {"l2.ways=8", 32, 128},     {"l2.ways=full", 32, 1},
        {"l2.size=unbounded", 32, 1}, {"memory.banks=4", 32, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_error error = {0};
        gm_config_defaults(&config);
        test_ok(gm_config_assign(&config, rows[i].assignment, &error), error);
        assert_int_equal(gm_config_l1_sets(&config), rows[i].l1);
        assert_int_equal(gm_config_l2_sets(&config), rows[i].l2);
    }
}

/* Each row is whole: it describes itself, its default lies in its range, and it lies in a field of
 * its own. */
static void test_table(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned i = 0; i < count; i++) {
        gm_config config;
        gm_error error = {0};
        char text[GM_CONFIG_TEXT];
        assert_non_null(strchr(keys[i].name, '.'));
        assert_non_null(keys[i].unit);
        assert_true(strlen(keys[i].description) > 10);
        assert_ptr_equal(gm_config_find(keys[i].name), &keys[i]);
        gm_config_defaults(&config);
        test_ok(gm_config_set(&config, keys[i].name, keys[i].initial, &error), error);
        gm_config_get(&config, &keys[i], text, sizeof text);
        assert_string_equal(text, keys[i].initial);
        for (unsigned j = 0; j < i; j++) {
            assert_int_not_equal(keys[i].offset, keys[j].offset);
            assert_string_not_equal(keys[i].name, keys[j].name);
        }
    }
}

/* dram.standard sets every key of its table, and what is set later counts; gddr5's column is the
 * defaults. */
static void test_dram_standard(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_dram_standard_key *keys = gm_dram_standard_keys(&count);
    for (unsigned standard = 0; standard < GM_DRAM_STANDARDS; standard++) {
        static const char *const names[] = {"gddr5", "gddr6", "hbm2", "hbm2e", "hbm3"};
        gm_config config;
        gm_config defaults;
        gm_error error = {0};
        gm_config_defaults(&config);
        gm_config_defaults(&defaults);
        test_ok(gm_config_set(&config, "dram.standard", names[standard], &error), error);
        test_ok(gm_config_check(&config, &error), error);
        for (unsigned i = 0; i < count; i++) {
            const gm_key *key = gm_config_find(keys[i].key);
            char text[GM_CONFIG_TEXT];
            assert_non_null(key);
            gm_config_get(&config, key, text, sizeof text);
            assert_string_equal(text, keys[i].value[standard].text);
        }
        if (standard == GM_DRAM_GDDR5) {
            assert_memory_equal(&config, &defaults, sizeof config);
        }
        test_ok(gm_config_set(&config, "dram.tCL", "99", &error), error);
        assert_int_equal(config.dram.tcl, 99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dram_standard),  cmocka_unit_test(test_assign_accepts),
        cmocka_unit_test(test_assign_refuses), cmocka_unit_test(test_index_length),
        cmocka_unit_test(test_check),          cmocka_unit_test(test_check_index),
        cmocka_unit_test(test_sets),           cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

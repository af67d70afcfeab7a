/* Energy per event [anssari, Table 4.3]: CACTI 6.5 at 22 nm for the caches, industry specifications
 * for GDDR5, a low-swing wire for the interconnect. Sums are made in femtojoules. */
#include "goldmem/energy.h"

#include "system/cache.h"

enum {
    SECTORS_OF_TABLE = 4, /* 32-byte sectors of the table's L1 line, 128 bytes */
    L1S_OF_TABLE = 16,    /* whose leakage it adds up [anssari, Table 4.1] */
    L2_ROWS = 4,
};

typedef unsigned __int128 wide;

/* The only home of the constants. Energies in fJ, powers in uW. */
static const struct {
    uint64_t l1_read, l1_write, l1_leakage;
    struct {
        uint64_t size, read, write, leakage;
    } l2[L2_ROWS];
    uint64_t wire, length, dram;
} table = {
    .l1_read = 30500, /* a 128-byte line of 64 KB, 4 ways */
    .l1_write = 44400,
    .l1_leakage = 170380,                    /* all 16 */
    .l2 = {{128 << 10, 62100, 61500, 59820}, /* a 32-byte line of 8 ways, by capacity */
           {256 << 10, 67700, 67500, 81260},
           {512 << 10, 78500, 77200, 124270},
           {1 << 20, 99700, 96100, 211240}},
    .wire = 144,     /* a byte and mm */
    .length = 10,    /* mm, see the page */
    .dram = 4480000, /* 32 bytes */
};

static uint64_t all(const uint64_t counter[GM_ACCESS_KINDS])
{
    return counter[GM_LOAD] + counter[GM_STORE] + counter[GM_ATOMIC];
}

/* The smallest L2 of the table that holds as much; the largest for more. */
static unsigned l2_row(const gm_config *config)
{
    unsigned row = 0;
    while (row + 1 < L2_ROWS && table.l2[row].size < config->l2.size) {
        row++;
    }
    return row;
}

/* Loads that looked a line up read it, stores that hit write it; fills write and write-backs read
 * the sectors that they move. */
static wide l1_energy(const gm_cache_statistics *l1, const gm_config *config)
{
    uint64_t sectors = config->l1.line / GM_SECTOR;
    uint64_t loads = l1->hits[GM_LOAD] + l1->hits_pending[GM_LOAD] + l1->misses[GM_LOAD];
    wide reads = (wide)loads * sectors + all(l1->sectors_written_back);
    wide writes = (wide)l1->hits[GM_STORE] * sectors + all(l1->sectors_filled);
    return (reads * table.l1_read + writes * table.l1_write) / SECTORS_OF_TABLE;
}

/* Data sent to SMs are reads, data received from them writes, and what atomics exchange is half
 * each; fills write and write-backs read the sectors that they move. */
static wide l2_energy(const gm_statistics *statistics, const gm_config *config)
{
    const gm_cache_statistics *l2 = &statistics->l2;
    const gm_traffic_statistics *traffic = &statistics->traffic;
    uint64_t atomics = traffic->ato / GM_SECTOR;
    wide reads = (wide)(traffic->ld / GM_SECTOR) + all(l2->sectors_written_back);
    wide writes = (wide)(traffic->st / GM_SECTOR) + all(l2->sectors_filled);
    unsigned row = l2_row(config);
    return reads * table.l2[row].read + writes * table.l2[row].write +
           (wide)atomics * (table.l2[row].read + table.l2[row].write) / 2;
}

static wide interconnect_energy(const gm_traffic_statistics *traffic)
{
    wide bytes = 0;
#define CLASS(name, meaning) bytes += traffic->name;
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
    return bytes * table.wire * table.length;
}

/* 1 uW over 1 us is 1000 fJ, and a core cycle takes 1 / MHz us. */
static wide leakage_energy(uint64_t cycles, const gm_config *config)
{
    wide l1 = config->l1.enabled ? (wide)table.l1_leakage * config->gpu.sms : 0;
    wide power = l1 + (wide)table.l2[l2_row(config)].leakage * L1S_OF_TABLE; /* times 16 */
    return power * cycles * 1000 / (config->clock.core * L1S_OF_TABLE);
}

static uint64_t picojoules(wide femtojoules)
{
    return (uint64_t)(femtojoules / 1000);
}

gm_energy gm_energy_of(const gm_statistics *statistics, const gm_config *config)
{
    const gm_dram_statistics *dram = &statistics->dram;
    return (gm_energy){
        .l1d = picojoules(l1_energy(&statistics->l1d, config)),
        .l2 = picojoules(l2_energy(statistics, config)),
        .interconnect = picojoules(interconnect_energy(&statistics->traffic)),
        .dram = picojoules(((wide)dram->reads + dram->writes) * table.dram),
        .leakage = picojoules(leakage_energy(statistics->time.cycles, config)),
    };
}

static void write_constant(FILE *file, const char *what, uint64_t thousandths, const char *unit,
                           const char *source)
{
    fprintf(file, "| %s | %g %s | %s |\n", what, (double)thousandths / 1000, unit, source);
}

static void write_constants(FILE *file)
{
    static const char source[] = "[anssari, Table 4.3]";
    fputs("| constant | value | source |\n| --- | --- | --- |\n", file);
    write_constant(file, "L1, a read of a 128-byte line", table.l1_read, "pJ", source);
    write_constant(file, "L1, a write of a 128-byte line", table.l1_write, "pJ", source);
    write_constant(file, "L1, leakage of 16", table.l1_leakage, "mW", source);
    for (unsigned i = 0; i < L2_ROWS; i++) {
        char what[64];
        unsigned kilobytes = (unsigned)(table.l2[i].size / 1024);
        snprintf(what, sizeof what, "L2 of %u KB, a read of 32 bytes", kilobytes);
        write_constant(file, what, table.l2[i].read, "pJ", source);
        snprintf(what, sizeof what, "L2 of %u KB, a write of 32 bytes", kilobytes);
        write_constant(file, what, table.l2[i].write, "pJ", source);
        snprintf(what, sizeof what, "L2 of %u KB, leakage", kilobytes);
        write_constant(file, what, table.l2[i].leakage, "mW", source);
    }
    write_constant(file, "wire, a byte over 1 mm", table.wire, "pJ", source);
    write_constant(file, "GDDR5, 32 bytes read or written", table.dram, "pJ", source);
    write_constant(file, "wire between an SM and the L2", table.length * 1000, "mm",
                   "an assumption of ours");
}

void gm_energy_write_page(FILE *file)
{
    fputs("# Energy\n\n"
          "<!-- Made by `make docs` from cmodel/system/energy.c: change it there. -->\n\n"
          "A run's `energy_pj` is what it counted times a constant for each event, in picojoules. "
          "The constants\nare those of one paper, so that components can be compared: the caches "
          "from CACTI 6.5 at 22 nm, DRAM\nfrom specifications of GDDR5, the interconnect from a "
          "0.1 V low-swing wire [anssari, 4.3].\n\n",
          file);
    write_constants(file);
    fputs(
        "\n## What is charged for what\n\n"
        "- `l1d`: a load that is looked up, hit or miss, reads its line, a store that hits writes "
        "it; a fill writes\n  and a write-back reads the sectors that it moves. A sector of 32 "
        "bytes costs a quarter of the\n  table's line of 128 bytes.\n"
        "- `l2`: a sector sent to an SM is a read, one received a write; one that an atomic sends "
        "or\n"
        "  gets back is half of each; a fill is a write, a write-back to DRAM a read. The row is "
        "the smallest L2 of\n  the table that holds as much as `l2.size`, and the largest for "
        "more.\n"
        "- `interconnect`: every byte of `traffic_bytes`, over the length of wire.\n"
        "- `dram`: every sector read or written.\n"
        "- `leakage` (cycle engine): of the L1s, in proportion to `gpu.sms`, and of the L2, over "
        "`cycles` at\n  `clock.core`.\n"
        "\n## What it is not\n\n"
        "- The table has one size of L1, 64 KB. Every L1 is charged as that one, `l1.size` "
        "changes nothing; smaller\n  ones cost less.\n"
        "- The DRAM figure is a best case: all row hits of a saturated stream of reads "
        "[anssari, 4.3]. Opening rows\n  is not charged, nor is the memory controller, so runs "
        "with few row hits are shown too cheap.\n"
        "- The paper gives no length of wire; 10 mm is about half the edge of a large die. The "
        "interconnect's energy\n  scales with it, and is small beside the others.\n"
        "- The SMs' own energy (instructions, registers, shared memory) is not in it: the papers "
        "give no constant.\n",
        file);
}

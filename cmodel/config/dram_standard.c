/* The table of DRAM standards: the only home of their numbers. JEDEC's standards are not public;
 * each number is as a public simulator or paper prints it. */
#include "config/dram_standard.h"

enum { STANDARDS = GM_DRAM_STANDARDS };

static const struct {
    char letter;
    const char *text;
} sources[] = {
    {'k', "[khairy, Table 1] and GPGPU-Sim's GTX480 file: `presets/gtx480.yaml`"},
    {'t', "Ramulator 2.1 (github.com/CMU-SAFARI/ramulator2, commit c5b1c3a), timing preset in "
          "`python/ramulator/dram/`: gddr6.py `GDDR6_14000_1350mV_double` (a datasheet's), hbm2.py "
          "`HBM2_2000Mbps` and, for HBM2E, `HBM2_2400Mbps` (JESD235D), hbm3.py `HBM3_6400Mbps` "
          "(JESD238)"},
    {'o',
     "organisation preset of the same file: `GDDR6_8Gb_x16`, `HBM2_8Gb`, `HBM3_16Gb_8hi`, the "
     "banks of one stack identifier; a burst is `internal_prefetch_size` beats of `dq` bits in "
     "`nBL` cycles"},
    {'n', "nanoseconds of the same file, rounded up to cycles of its clock: HBM2 tRRD 4, tFAW 15, "
          "tREFI 3900, tRFC 350 (8 Gb), tRFCB 160, tRREFD 8; HBM3 tREFI 3900, tRFC 350 (8 Gb), "
          "tRREFD 8"},
    {'b', "bus classes and `command_cycles` of the same file: HBM's two command buses, HBM2's "
          "activate of 2 cycles; HBM3's activate of 1.5 cycles is 2 here, its precharge of 0.5 "
          "cycles 1"},
    {'c',
     "distance in `timing_constraints` of the same file: GDDR6's read to write nCL + 1; HBM2's "
     "nCL + nBL + 2 - nCWL is the key's 0"},
    {'x', "the standard has no such limit there"},
    {'e', "constants of energy, with their sources in [energy.md](energy.md#constants)"},
    {'d', "ours: a partition is one channel; banks of a pseudo-channel are refreshed in turn, so "
          "that its other banks serve requests"},
};

#define ROW(name, gddr5, gddr6, hbm2, hbm2e, hbm3, s6, s2, s3)                                     \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            {gddr5, 'k'}, {gddr6, s6}, {hbm2, s2}, {hbm2e, s2}, {hbm3, s3},                        \
        }                                                                                          \
    }

static const gm_dram_standard_key rows[] = {
    {"energy.table",
     {{"anssari-22nm", 'e'},
      {"dram-gddr6", 'e'},
      {"dram-hbm2", 'e'},
      {"dram-hbm2e", 'e'},
      {"dram-hbm2e", 'e'}}},
    ROW("dram.channels", "1", "1", "1", "1", "1", 'd', 'd', 'd'),
    ROW("dram.pseudo_channels", "1", "1", "2", "2", "2", 'x', 'o', 'o'),
    ROW("dram.banks", "16", "16", "16", "16", "16", 'o', 'o', 'o'),
    ROW("dram.row", "4KB", "2KB", "1KB", "1KB", "1KB", 'o', 'o', 'o'),
    ROW("dram.bank_groups", "4", "4", "4", "4", "4", 'o', 'o', 'o'),
    ROW("dram.burst", "64", "32", "32", "32", "32", 'o', 'o', 'o'),
    ROW("dram.burst_cycles", "2", "2", "2", "2", "2", 't', 't', 't'),
    ROW("dram.dual_bus", "no", "no", "yes", "yes", "yes", 'b', 'b', 'b'),
    ROW("dram.activate_cycles", "1", "1", "2", "2", "2", 'b', 'b', 'b'),
    ROW("dram.tCL", "12", "24", "14", "17", "20", 't', 't', 't'),
    ROW("dram.tRP", "12", "27", "14", "17", "26", 't', 't', 't'),
    ROW("dram.tRC", "40", "79", "48", "57", "72", 't', 't', 't'),
    ROW("dram.tRAS", "28", "53", "34", "40", "45", 't', 't', 't'),
    ROW("dram.tRCD", "12", "27", "14", "17", "31", 't', 't', 't'),
    ROW("dram.tRCDW", "0", "16", "12", "14", "15", 't', 't', 't'),
    ROW("dram.tRRD", "6", "8", "4", "5", "4", 't', 'n', 't'),
    ROW("dram.tRRDL", "0", "8", "4", "5", "5", 't', 'n', 't'),
    ROW("dram.tCCD", "2", "2", "2", "2", "2", 't', 't', 't'),
    ROW("dram.tCCDL", "3", "4", "4", "4", "4", 't', 't', 't'),
    ROW("dram.tWL", "4", "6", "5", "6", "10", 't', 't', 't'),
    ROW("dram.tCDLR", "5", "9", "6", "8", "7", 't', 't', 't'),
    ROW("dram.tCDLRL", "0", "11", "8", "10", "10", 't', 't', 't'),
    ROW("dram.tRTW", "0", "25", "0", "0", "20", 'c', 'c', 't'),
    ROW("dram.tWR", "12", "27", "16", "19", "33", 't', 't', 't'),
    ROW("dram.tRTP", "2", "4", "5", "6", "9", 't', 't', 't'),
    ROW("dram.tRTPL", "0", "0", "0", "0", "0", 'x', 'x', 'x'),
    ROW("dram.tFAW", "0", "29", "15", "19", "24", 't', 'n', 't'),
    ROW("dram.tPPD", "0", "1", "0", "0", "2", 't', 'x', 't'),
    ROW("dram.refresh", "none", "bank", "bank", "bank", "bank", 'd', 'd', 'd'),
    ROW("dram.tREFI", "0", "3333", "3900", "4682", "6240", 't', 'n', 'n'),
    ROW("dram.tRFC", "0", "211", "350", "421", "560", 't', 'n', 'n'),
    ROW("dram.tRFCB", "0", "106", "160", "193", "320", 't', 'n', 't'),
    ROW("dram.tRREFD", "0", "15", "8", "10", "8", 't', 'n', 'n'),
};

const gm_dram_standard_key *gm_dram_standard_keys(unsigned *count)
{
    *count = sizeof rows / sizeof *rows;
    return rows;
}

void gm_dram_standard_write(FILE *file)
{
    fputs("\n## DRAM standards\n\n"
          "`dram.standard` sets these keys at once, each to the value of its column; the letter "
          "names the source. Name it\n"
          "before the keys that differ: in a YAML file, as the first key of `dram`, with `energy` "
          "behind it. It does "
          "not set `clock.dram`, for\n"
          "which the last line has the clock that the numbers were rounded for.\n\n"
          "| key | gddr5 | gddr6 | hbm2 | hbm2e | hbm3 |\n"
          "| --- | --- | --- | --- | --- | --- |\n",
          file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fprintf(file, "| `%s` |", rows[i].key);
        for (unsigned s = 0; s < STANDARDS; s++) {
            fprintf(file, " %s %c |", rows[i].value[s].text, rows[i].value[s].source);
        }
        fputc('\n', file);
    }
    fputs("| `clock.dram` | 924 k | 1750 t | 1000 t | 1200 t | 1600 t |\n\n", file);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        fprintf(file, "- %c: %s.\n", sources[i].letter, sources[i].text);
    }
}

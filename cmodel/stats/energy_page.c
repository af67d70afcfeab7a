/* Writes docs/energy.md from the built-in table of constants. */
#include "goldmem/energy.h"

#include <string.h>

static void write_constants(FILE *file, const gm_energy_table *table)
{
    unsigned count = 0;
    const gm_energy_key *keys = gm_energy_keys(&count);
    fputs("| key | constant | value |\n| --- | --- | --- |\n", file);
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = 0;
        memcpy(&value, (const char *)table + keys[i].offset, sizeof value);
        fprintf(file, "| `%s` | %s | %g %s |\n", keys[i].name, keys[i].meaning,
                (double)value / 1000, keys[i].unit);
    }
}

/* Writes the values that the other built-in tables replace, and their sources. */
static void write_tables(FILE *file)
{
    unsigned tables = 0;
    unsigned count = 0;
    const gm_preset *preset = gm_energy_presets(&tables);
    const gm_energy_key *keys = gm_energy_keys(&count);
    fputs(
        "\nThe other built-in tables change the DRAM alone; `dram.standard` sets `energy.table` to "
        "one. For HBM3 there is no figure that\ncould be cited: it is charged as HBM2E.\n\n"
        "| table | source | `dram.access` | `dram.activate` |\n| --- | --- | --- | --- |\n",
        file);
    for (unsigned i = 1; i < tables; i++) {
        gm_config config;
        gm_energy_table table = {0};
        gm_error error;
        gm_config_defaults(&config);
        if (gm_config_set(&config, "energy.table", preset[i].name, &error) < 0 ||
            gm_energy_read(&table, &config, &error) < 0) {
            fprintf(file, "%s\n", error.text);
            return;
        }
        fprintf(file, "| `%s` | %s | %g %s | %g %s |\n", preset[i].name, preset[i].description,
                (double)table.dram / 1000, keys[count - 2].unit, (double)table.activate / 1000,
                keys[count - 1].unit);
    }
}

static void write_charges(FILE *file)
{
    fputs(
        "\n## What is charged for what\n\n"
        "| component | event | counted by | constant |\n| --- | --- | --- | --- |\n"
        "| `l1d` | a load that is looked up, hit or miss, reads its line | `l1d.load`: `hits` + "
        "`hits_pending` + `misses` | `l1.read` |\n"
        "| | a store that hits writes its line | `l1d.store.hits` | `l1.write` |\n"
        "| | another writes the sectors that the L1 holds, and those that it keeps without a "
        "fetch | `l1d.sectors_stored` | `l1.write` |\n"
        "| | a fill writes the sectors that it moves; of a line that bypasses the L1 neither is "
        "written | "
        "`l1d.sectors_filled` - `sharing.l1_sectors_bypassed` | `l1.write` |\n"
        "| | a write-back reads the sectors that it moves | `l1d.sectors_written_back` | "
        "`l1.read` |\n"
        "| | an L1 reads the sectors that it supplies to another | `tracker.supplied_sectors` | "
        "`l1_two_ports.read` |\n"
        "| | an L1 reads the sectors of the clean lines that it evicts (`l2.victim`) | "
        "`tracker.evict_sectors` | `l1_two_ports.read` |\n"
        "| `tracker` | a transaction reads its set | `tracker`: `lookups` + `fills` + `evicts` + "
        "`writes` + `coherent` (with `tracker.ask` + `asks` + `told` + `victim_asks`) | "
        "`tracker_1.read`, ... |\n"
        "| | one that changes the entry writes it, too | `tracker.changes` | `tracker_1.write`, "
        "... |\n"
        "| `l2` | a sector sent to an SM is read, unless it bypasses the L2 | (`traffic_bytes.ld` "
        "+ "
        "`traffic_bytes.ins`) / 32 - `l2_bypassed.answered_sectors` | `l2_1.read`, ... |\n"
        "| | but not one that a strong load reads, with `l2.atomic_buffer` | - "
        "`atomic_buffer.load_sectors` | `l2_1.read`, ... |\n"
        "| | a sector received is written, unless it bypasses the L2 | `traffic_bytes.st` / 32 - "
        "`l2_bypassed.written_sectors` | `l2_1.write`, ... |\n"
        "| | a sector that an atomic sends or gets back is half of each; not with "
        "`l2.atomic_buffer` | `traffic_bytes.ato` / 32 | both |\n"
        "| | a sector of a line that an atomic buffer takes is read | "
        "`atomic_buffer.sectors_taken` | `l2_1.read`, ... |\n"
        "| | a sector of a line that it puts back is written | `atomic_buffer.sectors_put` | "
        "`l2_1.write`, ... |\n"
        "| | a sector of a victim of an L1 that takes a way is written | "
        "`l2_victim.inserted_sectors` | `l2_1.write`, ... |\n"
        "| | a fill is written | `l2.sectors_filled` - `l2_bypassed.read_sectors` | `l2_1.write`, "
        "... |\n"
        "| | a write-back to DRAM is read | `l2.sectors_written_back` | `l2_1.read`, ... |\n"
        "| `interconnect` | every byte of every class, those of trackers included | "
        "`traffic_bytes` | `interconnect.wire` * `noc.length` |\n"
        "| `dram` | a sector read or written | `dram.reads` + `dram.writes` | `dram.access` |\n"
        "| | of a write with a mask (`l2.dirty=byte`) its bytes | `l2_bytes.written_bytes` / 32, "
        "in "
        "place of `l2_bytes.writes` | `dram.access` |\n"
        "| | a row opened (order engine: a request that is no row hit) | `time.dram_activates` "
        "(`dram.requests` - `dram.row_hits`) | `dram.activate` |\n"
        "| `leakage` | of the L1s, the trackers and the L2, over `cycles` at `clock.core` (cycle "
        "engine) | "
        "`cycles` | `l1.leakage`, `l2_1.leakage`, ... |\n"
        "\nAn L1 line of the table has 128 bytes; a sector of 32 costs a quarter. `l1_two_ports` "
        "stands for `l1`\nwith `tracker.enabled=yes`: the thesis's design lets another L1 read "
        "through the second port. The trackers' row\nis `tracker_1`, `tracker_2` or `tracker_4` by "
        "`tracker.trackers`, and `tracker_4` for 8. The L2's row is the smallest\nthat holds "
        "`l2.size`, and the largest for more. The counters that are multiplied have laws that "
        "`--check` verifies.\n"
        "\n`chip` in the JSON has area and leakage of the configured machine: of the L1s in "
        "proportion to `gpu.sms`, the\ntable's being of 16, of the L2 and the trackers their "
        "row's.\n",
        file);
}

static void write_limits(FILE *file)
{
    fputs(
        "\n## What is not charged\n\n"
        "- Tags alone: a store that misses an L1 which keeps nothing of it, a request to an L1 "
        "that has not what a tracker named it for (a\n  remote miss), an atomic or a load that "
        "bypasses the L1.\n"
        "- A store to sectors in flight: it is written with their fill. With `l1.parts` a store to "
        "a part of a sector that the L1 does\n  not hold: the sector is charged once, when it is "
        "whole. Atomics of L1s that own lines (MESI).\n"
        "- The instruction caches (`l1i.size`): the table has none. What they fetch is charged to "
        "the L2 and the interconnect.\n"
        "- FLUSH of the trackers: a flash-clear.\n"
        "- The DRAM's rows under `anssari-22nm`: its constant is a best case, all row hits of a "
        "saturated stream of reads\n  [anssari, 4.3], so that runs with few row hits are shown "
        "too cheap. Nor are refresh and the memory controller.\n"
        "- The SMs' own energy (instructions, registers, shared memory): the papers give no "
        "constant.\n"
        "\nCharged though they are not written: the sectors of a fill that an L1 does not keep "
        "since a store, an atomic or a strong\nload came before it, or its lease had passed "
        "(`sharing.l1_fills_closed`, `coherence.not_installed`).\n"
        "\n## What the constants do not tell apart\n\n"
        "- The table has one size of L1, 64 KB, and one of the trackers, 1024 sets of 8 ways for "
        "16 "
        "SMs. Every other one is\n  charged as that one: `l1.size`, `tracker.sets`, "
        "`tracker.ways` and `tracker.pointers` change no constant.\n"
        "- A request of a tracker to an L1, and data from L1 to L1, pass as much wire as what goes "
        "to the L2. The paper gives\n  no length; `noc.length`, 10 mm, is about half the edge of a "
        "large die, and ours. The interconnect's energy scales\n  with it, and is small beside the "
        "others.\n",
        file);
}

void gm_energy_write_page(FILE *file)
{
    gm_config config;
    gm_energy_table table = {0};
    gm_error error;
    gm_config_defaults(&config);
    if (gm_energy_read(&table, &config, &error) < 0) {
        fprintf(file, "%s\n", error.text);
        return;
    }
    fputs("# Energy\n\n"
          "<!-- Made by `make docs` from cmodel/stats/energy_page.c and presets/energy/: change it "
          "there. -->\n\n"
          "A run's `energy_pj` is what it counted times a constant for each event, in picojoules. "
          "The constants\nare those of one paper, so that components can be compared: caches and "
          "trackers from CACTI 6.5 at 22 nm,\nDRAM from specifications of GDDR5, the interconnect "
          "from a 0.1 V low-swing wire [anssari, 4.3].\n\n"
          "## Constants\n\n"
          "All of `anssari-22nm` are from [anssari, Table 4.3]; `presets/energy/anssari-22nm.yaml` "
          "cites the row of each.\n\n",
          file);
    write_constants(file, &table);
    write_tables(file);
    fputs(
        "\n`energy.table` names a file with other values, in YAML like a configuration. Keys that "
        "it does not name\nkeep those above; errors name the file, the line, the key and the "
        "value. A value has at most 3 decimal places,\nand the `capacity` of `l2_1` to `l2_4` "
        "ascends. `goldmem presets --energy` prints `anssari-22nm`.\n\n"
        "```yaml\n"
        "dram: {access: 2900}   # pJ for 32 bytes\n"
        "l2_4: {capacity: 2048, read: 150, write: 145, leakage: 420, area: 2.5}\n"
        "```\n"
        "```\n"
        "goldmem run --set energy.table=mine.yaml workload:syrk\n"
        "```\n",
        file);
    write_charges(file);
    write_limits(file);
}

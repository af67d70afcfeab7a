/* docs/statistics.md: every name in JSON and CSV, with its unit and meaning, from the lists. */
#include "goldmem/assert.h"
#include "goldmem/report.h"
#include "report/fields.h"

static void table(FILE *file, const gm_field_group *group)
{
    fputs("| name | unit | meaning |\n| --- | --- | --- |\n", file);
    for (unsigned i = 0; i < group->count; i++) {
        char name[GM_FIELD_NAME];
        gm_field_name(group, &group->fields[i], name);
        fprintf(file, "| `%s` | %s | %s |\n", name, group->fields[i].unit,
                group->fields[i].meaning);
    }
}

/* What the page says above the counters of each section. */
static const char *const titles[] = {
    [GM_SECTION_CORE] =
        "## Warps and instructions\n\n"
        "`memory_instructions` counts an instruction for its opcode, also when its mask is "
        "0 and it\ntouches nothing; `global_instructions` and the like count those that "
        "touched something.\n\n",
    [GM_SECTION_L1D] =
        "## L1 data caches\n\n"
        "For each access, exactly one of hits, hits_pending, misses and bypasses is counted."
        "\nThe counters below add up loads, stores and atomics. `l1d.load`, `l1d.store` and"
        "\n`l1d.atomic` hold the same counters of one kind alone.\n\n",
    [GM_SECTION_TRACKER] = "## Sharing trackers\n\n0 without `tracker.enabled`; `refused` and "
                           "`held` are 0 in the order "
                           "engine: [hybrid-caching.md](hybrid-caching.md).\n\n",
    [GM_SECTION_L2] =
        "## L2 banks\n\nThe counters of L1 caches, likewise with `l2.load`, `l2.store` and "
        "`l2.atomic`.\n\n",
    [GM_SECTION_DRAM] = "## DRAM\n\n",
    [GM_SECTION_TRAFFIC] =
        "## Interconnect traffic\n\nBy class [singh, 8.1, figure 8]; `trk` and `rem` are "
        "those of "
        "sharing trackers [anssari, 3.1].\n\n",
    [GM_SECTION_DUELING] = "## SM dueling\n\nOf `l1.dueling` [li, 4.3], else 0.\n\n",
    [GM_SECTION_L1_STREAMING] = "## Streaming bypass of L1s\n\nOnly with `l1.streaming` "
                                "([streaming.md](streaming.md)). With `--per-sm`, of each SM as "
                                "well.\n\n",
    [GM_SECTION_L2_STREAMING] = "## Streaming bypass of L2 banks\n\nOnly with `l2.streaming`. With "
                                "`--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_L2_COALESCED] =
        "## Coalesced loads that bypass the L2\n\nOnly with `l2.bypass=coalesced` "
        "([l2.md](l2.md#bypass-of-coalesced-loads)). With `--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_L2_BYPASSED] =
        "## Data that bypass the L2\n\nOnly where loads may bypass the L2: `l2.bypass`, "
        "`l2.streaming`, or `sharing.local_l2=bypass` with `sharing.enabled`. With `--per-bank`, "
        "of "
        "each bank as well.\n\n",
    [GM_SECTION_ATOMIC_BUFFER] =
        "## Atomic buffers of L2 banks\n\nOnly with `l2.atomic_buffer` "
        "([l2.md](l2.md#atomic-buffer)). With `--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_SHARING] =
        "## Sharing-aware caches\n\nOnly with `sharing.enabled` "
        "([sharing-aware.md](sharing-aware.md)). With `--per-sm`, of each SM as well:\n\n",
    [GM_SECTION_SHARING_L2] = "With `--per-bank`, of each bank as well:\n\n",
    [GM_SECTION_L2_BYTES] =
        "## Bytes of L2 lines\n\nOnly with `l2.dirty=byte` ([l2.md](l2.md#bytes)). With "
        "`--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_TRACKER_ASK] = "## Sharing trackers that ask each other\n\nOnly with `tracker.ask` "
                               "([hybrid-caching.md](hybrid-caching.md)).\n\n",
    [GM_SECTION_TRACKER_VICTIM] =
        "## Victims that trackers send to the L2\n\nOnly with `l2.victim` "
        "([l2.md](l2.md#victim-buffer)).\n\n",
    [GM_SECTION_L2_VICTIM] =
        "## L2 as a victim buffer\n\nOnly with `l2.victim` ([l2.md](l2.md#victim-buffer)). With "
        "`--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_VICTIM_TRAFFIC] = "Only with `l2.victim`; headers are in `traffic_bytes.trk`.\n\n",
    [GM_SECTION_RUN] = "## Copies and the end of the run\n\n",
    [GM_SECTION_ENERGY] =
        "## Energy\n\nBy component, from constants per event: [energy.md](energy.md).\n\n",
    [GM_SECTION_RATES] = "## Rates\n\nWhat papers plot, in millionths, rounded to nearest.\n\n",
    [GM_SECTION_CYCLES] =
        "## Time\n\nOf the cycle engine only, like `time`, `energy_pj.leakage` and "
        "`rates.stalls`.\n\n",
    [GM_SECTION_SM_TIME] =
        "## Warp schedulers and load/store units\n\n"
        "In every core cycle each scheduler of each SM is in one state: `time.slots` adds "
        "up "
        "to\ncycles * SMs * `sm.schedulers`. With `--per-sm`, of each SM as well.\n\n",
    [GM_SECTION_BANK_TIME] = "## MSHRs of L2 banks\n\nWith `--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_HALVES] =
        "## Halves of the L2\n\nOnly with `l2.halves=2` "
        "([l2.md](l2.md#two-halves)). With `--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_NOC_TIME] = "## Interconnect\n\n",
    [GM_SECTION_DRAM_TIME] = "## DRAM commands\n\nWith `--per-bank`, of each channel as well.\n\n",
    [GM_SECTION_LEAKAGE] = "## Energy over time\n\n",
    [GM_SECTION_STALLS] =
        "## Shares of time in which L1s are blocked\n\n"
        "The L1 takes one request after the other, so that one that fails blocks it: the "
        "reservation fails\nof a reason are the cycles lost to it [li, 3.2].\n\n",
    [GM_SECTION_L1I] = "## L1 instruction caches\n\nOnly with `l1i.size` ([l1i.md](l1i.md)). With "
                       "`--per-sm`, of each SM as well.\n\n",
    [GM_SECTION_FETCH_SLOTS] = "One more state of a scheduler: `time.slots` adds up with it.\n\n",
    [GM_SECTION_THROTTLE_SLOTS] =
        "## Throttled warps\n\nOnly with `sm.throttle` ([throttling.md](throttling.md)). One more "
        "state of a scheduler:\n`time.slots` adds up with it.\n\n",
    [GM_SECTION_CCWS] = "Only with `sm.throttle=ccws` ([throttling.md](throttling.md#ccws)).\n\n",
    [GM_SECTION_SAMPLING] =
        "Only with `sm.throttle=sampling` ([throttling.md](throttling.md#sampling)).\n\n",
    [GM_SECTION_UNIFIED] = "## Unified memory\n\nOnly with `l1.unified` ([l1d.md](l1d.md)): sizes "
                           "that a kernel has; of a run, those of its last kernel.\n\n",
    [GM_SECTION_L1_BANKS] = "## Banks of L1s\n\nOnly with `l1.banks` ([l1d.md](l1d.md)). With "
                            "`--per-sm`, of each SM as well.\n\n",
    [GM_SECTION_OVERLAP] =
        "## Kernels beside others\n\nOf a kernel, only with `gpu.kernels` above 1 "
        "([cycle-engine.md](cycle-engine.md#kernels-at-once)).\n\n",
    [GM_SECTION_CTAS] = "## CTAs\n\nOf a kernel, only with another `gpu.cta` than `rr` "
                        "([cta-scheduling.md](cta-scheduling.md)).\n\n",
    [GM_SECTION_L2_INSTRUCTIONS] =
        "Fetches of lines in the L2; `l2` and its other counters include them.\n\n",
    [GM_SECTION_INSTRUCTION_TRAFFIC] = "Their data; headers are in `traffic_bytes.req`.\n\n",
    [GM_SECTION_LEASES_SM] =
        "## Leases in L1s, and fences\n\nOnly with `coherence.protocol` `tcs` or `tcw` "
        "([coherence.md](coherence.md)). With `--per-sm`, of each SM as well.\n\n",
    [GM_SECTION_LEASES_BANK] =
        "## Leases given by L2 banks\n\nLikewise; `lease_cycles` / `leases` is the mean "
        "lifetime. With `--per-bank`, of each bank as\nwell.\n\n",
    [GM_SECTION_LEASES] = "## Time of leases\n\n",
    [GM_SECTION_DIRECTORY_SM] =
        "## Copies under a directory\n\nOnly with `coherence.protocol=vi`, `vini` or `mesi` "
        "([coherence.md](coherence.md)). With `--per-sm`, of each SM as well.\n\n",
    [GM_SECTION_OWNER_SM] =
        "## L1s that own lines\n\nOnly with `coherence.protocol=mesi` "
        "([coherence.md](coherence.md)). With `--per-sm`, of each SM as well.\n\n",
    [GM_SECTION_OWNER_BANK] =
        "## Directories of owners\n\nLikewise. With `--per-bank`, of each bank as well.\n\n",
    [GM_SECTION_DIRECTORY_BANK] =
        "## Directories\n\nLikewise; messages are without their acknowledgements. With "
        "`--per-bank`, of each bank as well.\n\n",
};

static bool is_kind(const gm_field_group *group)
{
    return (group->section == GM_SECTION_L1D || group->section == GM_SECTION_L2) &&
           group->parts == 1;
}

void gm_report_statistics_page(FILE *file)
{
    fputs(
        "# Statistics\n\n"
        "<!-- Made by `make docs` from cmodel/include/goldmem/statistics.h: change it there. -->\n"
        "\n"
        "Names as in `--json` (a dot for each level) and as the columns of `--csv`. Each is "
        "counted for\nevery kernel and in `total`. What `--json` holds besides: "
        "[running.md](running.md#json).\n",
        file);
    unsigned count = 0;
    const gm_field_group *groups = gm_field_groups(&count);
    for (unsigned i = 0; i < count; i++) {
        if (!is_kind(&groups[i])) {
            gm_assert(titles[groups[i].section] != NULL, "a section without a title");
            fprintf(file, "\n%s", titles[groups[i].section]);
            table(file, &groups[i]);
        }
    }
    fputs(
        "\n## Not there\n\n"
        "- `cycles`, `time`, `energy_pj.leakage` and `rates.stalls` in the order engine, which "
        "knows no "
        "time. Its\n  `hits_pending` and `reservation_fails` are 0: nothing is ever in flight.\n"
        "- Constant and texture caches: traces carry no addresses for them.\n"
        "- Instructions that were not issued, in a run that has stopped at a limit. In one that a "
        "signal has stopped,\n  instructions are those of all CTAs that have begun "
        "([running.md](running.md#runs-that-stop-before-their-input-ends)).\n",
        file);
}

/* Series: samples of all counters. A sample only reads: units that sleep are brought up to date as
 * at the end of a kernel. */
#include "cycle/engine/intervals.h"

#include "cache/cache_contents.h"
#include "cycle/engine/kernels.h"
#include "frontend/turn_log.h"

#include <errno.h>
#include <stdlib.h>

typedef gm_cycle_run_state state;

static gm_levels sm_levels(const gm_cycle_machine *machine, uint32_t number)
{
    const gm_cycle_l1 *l1 = &machine->load_store[number].l1;
    return (gm_levels){.warps_resident = machine->sm[number].occupancy.resident,
                       .l1_mshrs = l1->entries,
                       .l1_queue = gm_ring_count(&l1->queue)};
}

static gm_levels bank_levels(const gm_cycle_machine *machine, uint32_t number)
{
    const gm_l2_bank *bank = &machine->bank[number];
    gm_levels levels = {.l2_queue = gm_ring_count(&bank->in), .l2_mshrs = bank->entries};
    if (bank->l2.cache.sharing != NULL) {
        const gm_sharing_lines lines = gm_cache_sharing_lines(&bank->l2.cache);
        levels.l2_lines = lines.all;
        levels.l2_shared_lines = lines.shared;
        levels.l2_dead_lines = lines.dead;
    }
    return levels;
}

static gm_levels partition_levels(const gm_cycle_machine *machine, uint32_t number)
{
    return (gm_levels){.dram_queue = gm_gddr5_held(&machine->channel[number])};
}

static uint64_t packets(const gm_network *network)
{
    return network->fabric.statistics.sent - network->fabric.statistics.taken;
}

static void add_levels(gm_levels *into, const gm_levels *from)
{
#define LEVEL(name, unit, meaning) into->name += from->name;
    GM_LEVELS(LEVEL)
#undef LEVEL
}

/* Subtracts from an SM's counters what its resident CTAs have not issued. In a run that has stopped
 * the counters are already those of the results. */
static void subtract_unissued(const state *run, uint32_t sm, gm_core_statistics *core)
{
    gm_core_statistics left = {0};
    if (run->stop->reason == GM_STOP_NONE) {
        gm_cycle_sm_left(&run->machine.sm[sm], GM_EVERY_KERNEL, &left);
    }
    gm_core_statistics_subtract(core, &left);
}

/* Fills a unit of each kind that the options ask for, and the levels of all. */
static void fill_units(state *run, gm_series_sample *sample)
{
    gm_cycle_machine *machine = &run->machine;
    gm_cycle_series *series = &run->series;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_levels levels = sm_levels(machine, i);
        add_levels(&sample->total.levels, &levels);
        subtract_unissued(run, i, &sample->total.statistics.core);
        if (series->sm != NULL) {
            gm_statistics *statistics = &series->sm[i].statistics;
            gm_cycle_machine_sm_statistics(machine, i, statistics);
            subtract_unissued(run, i, &statistics->core);
            statistics->time.cycles = sample->cycle;
            series->sm[i].levels = levels;
        }
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_levels levels = bank_levels(machine, i);
        add_levels(&sample->total.levels, &levels);
        if (series->bank != NULL) {
            gm_cycle_machine_bank_statistics(machine, i, &series->bank[i].statistics);
            series->bank[i].levels = levels;
        }
    }
    for (uint32_t i = 0; i < machine->partitions; i++) {
        gm_levels levels = partition_levels(machine, i);
        add_levels(&sample->total.levels, &levels);
        if (series->partition != NULL) {
            gm_cycle_machine_channel_statistics(machine, i, &series->partition[i].statistics);
            series->partition[i].levels = levels;
        }
    }
}

/* Samples the machine at the end of cycle machine->now, in which the run has `cycle` core cycles.
 */
static int sample(state *run, uint64_t cycle, gm_error *error)
{
    gm_cycle_machine *machine = &run->machine;
    gm_cycle_series *series = &run->series;
    const gm_kernel_window *window = &run->window;
    const gm_series_options *options = &run->options->series;
    gm_series_sample *taken = &series->sample;
    *taken = (gm_series_sample){
        .cycle = cycle,
        .kernel = window->count != 0             ? window->kernel[0].state.number
                  : run->accounting.kernels != 0 ? run->accounting.kernels - 1
                                                 : 0,
        .sms = series->sm != NULL ? machine->sms : 0,
        .banks = series->bank != NULL ? machine->banks : 0,
        .partitions = series->partition != NULL ? machine->partitions : 0,
        .sm = series->sm,
        .bank = series->bank,
        .partition = series->partition,
    };
    gm_cycle_machine_visit_channels(machine);
    gm_cycle_machine_sum(machine, &taken->total.statistics);
    gm_accounting_add_copies(&run->accounting, &taken->total.statistics);
    taken->total.statistics.time.cycles = cycle;
    fill_units(run, taken);
    taken->total.levels.request_packets = packets(&machine->requests);
    taken->total.levels.reply_packets = packets(&machine->replies);
    series->last = cycle;
    series->any = true;
    return options->sample(run->options->context, taken, error);
}

/* Computes the cycle of the machine in which the run's core cycle of the next sample ends. */
static void set_due(state *run)
{
    uint64_t every = run->options->series.every;
    run->series.due = run->position.start + (run->series.next - run->position.cycles) - 1;
    run->series.due = every == 0 ? GM_NEVER : run->series.due;
}

int gm_series_open(state *run, gm_error *error)
{
    const gm_series_options *options = &run->options->series;
    const gm_cycle_machine *machine = &run->machine;
    gm_cycle_series *series = &run->series;
    series->due = GM_NEVER;
    series->next = options->every;
    if (options->every == 0) {
        return 0;
    }
    bool sms = (options->units & GM_SERIES_SMS) != 0;
    bool banks = (options->units & GM_SERIES_BANKS) != 0;
    bool partitions = (options->units & GM_SERIES_PARTITIONS) != 0;
    series->sm = sms ? calloc(machine->sms, sizeof *series->sm) : NULL;
    series->bank = banks ? calloc(machine->banks, sizeof *series->bank) : NULL;
    series->partition = partitions ? calloc(machine->partitions, sizeof *series->partition) : NULL;
    return (sms && series->sm == NULL) || (banks && series->bank == NULL) ||
                   (partitions && series->partition == NULL)
               ? gm_fail(error, -ENOMEM, "out of memory: the series")
               : 0;
}

void gm_series_close(state *run)
{
    free(run->series.sm);
    free(run->series.bank);
    free(run->series.partition);
}

void gm_series_begin_work(state *run)
{
    set_due(run);
}

int gm_series_end_work(state *run, gm_error *error)
{
    gm_cycle_series *series = &run->series;
    if (run->options->series.every == 0 || series->next != run->position.cycles) {
        return 0;
    }
    series->next += run->options->series.every;
    return sample(run, run->position.cycles, error);
}

int gm_series_take(state *run, gm_cycle next, gm_error *error)
{
    gm_cycle_series *series = &run->series;
    int code = 0;
    while (code == 0 && series->due < next && series->due <= run->last) {
        run->machine.now = series->due;
        code = sample(run, series->next, error);
        series->next += run->options->series.every;
        set_due(run);
    }
    return code;
}

int gm_series_end(state *run, gm_error *error)
{
    const gm_cycle_series *series = &run->series;
    bool sampled = series->any && series->last == run->position.cycles;
    return run->options->series.every == 0 || sampled ? 0
                                                      : sample(run, run->position.cycles, error);
}

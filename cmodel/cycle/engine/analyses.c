/* Analyses of the cycle engine: who caused an access, and what they are told of it. */
#include "cycle/engine/analyses.h"

#include "analysis/analysis_snapshot.h"
#include "cache/analysis_effect.h"

#include <errno.h>
#include <stdlib.h>

/* A line request of an instruction, at the L1. */
typedef struct asked {
    uint64_t line;
    uint32_t sectors, lanes;
} asked;

/* The warp of a ticket, and what its instruction asks for: until the ticket is given again. */
struct gm_ticket_warp {
    uint64_t kernel, cta, warp; /* as in gm_analysis_access */
    asked *asked;               /* [count] */
    uint32_t count, room;
};

static void fail(gm_cycle_analyses *analyses)
{
    if (analyses->failed == 0) {
        analyses->failed = gm_fail(&analyses->error, -ENOMEM, "out of memory: the analyses");
    }
}

static gm_ticket_warp *ticket_of(const gm_cycle_analyses *analyses, uint32_t sm, uint32_t ticket)
{
    return &analyses->ticket[(size_t)sm * GM_TICKETS + ticket];
}

static void issue(void *context, const gm_observed_warp *warp)
{
    gm_cycle_analyses *analyses = context;
    const gm_kernel *kernel = gm_kernel_window_of(analyses->window, warp->kernel)->kernel;
    gm_ticket_warp *of = ticket_of(analyses, warp->sm, warp->ticket);
    of->kernel = warp->kernel;
    of->cta = warp->cta;
    of->warp = warp->cta * gm_kernel_warps(kernel) + warp->warp;
    of->count = 0;
}

static void ask(void *context, uint32_t sm, uint32_t ticket, uint64_t line, uint32_t sectors,
                uint32_t lanes)
{
    gm_cycle_analyses *analyses = context;
    gm_ticket_warp *of = ticket_of(analyses, sm, ticket);
    if (of->count == of->room) {
        uint32_t room = of->room == 0 ? 4 : 2 * of->room;
        asked *larger = realloc(of->asked, room * sizeof *larger);
        if (larger == NULL) {
            fail(analyses);
            return;
        }
        of->asked = larger;
        of->room = room;
    }
    of->asked[of->count++] = (asked){line, sectors, lanes};
}

/* Returns the lanes of a ticket's instruction that touch sectors of an L1 line. A fetch of sectors
 * that no lane touches is the first request of the line. */
static uint32_t lanes_of(const gm_ticket_warp *warp, uint64_t line, uint32_t sectors)
{
    uint32_t lanes = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < warp->count; i++) {
        const asked *own = &warp->asked[i];
        if (own->line == line) {
            lanes |= (own->sectors & sectors) != 0 ? own->lanes : 0;
            first = first == 0 ? own->lanes : first;
        }
    }
    return lanes != 0 ? lanes : first;
}

/* Fills in who caused an access: an instruction with a ticket, by its request of an L1 line. */
static void blame(const gm_cycle_analyses *analyses, gm_analysis_access *access, uint32_t ticket,
                  uint64_t l1_line, uint32_t l1_sectors)
{
    const gm_ticket_warp *warp = ticket_of(analyses, access->sm, ticket);
    access->kernel = warp->kernel;
    access->cta = warp->cta;
    access->warp = warp->warp;
    access->lanes = lanes_of(warp, l1_line, l1_sectors);
}

static void l1_access(void *context, const gm_observed_access *observed)
{
    gm_cycle_analyses *analyses = context;
    const gm_cycle_l1_shared *shared = &analyses->machine->l1_shared;
    gm_request_kind kind = (gm_request_kind)observed->kind;
    gm_analysis_access access = {
        .line = observed->line,
        .unit = observed->sm,
        .sm = observed->sm,
        .sectors = observed->sectors,
        .space = observed->local ? GM_SPACE_LOCAL : GM_SPACE_GLOBAL,
        .kind = gm_request_access_kind(kind),
        .origin = GM_ORIGIN_WARP,
        .hit = observed->hit,
        .waits = observed->waits,
        .stale = observed->stale,
        .bypass = observed->bypass,
        .referenced = observed->referenced,
        .cycle = observed->now,
    };
    const gm_l1_access as = {.kind = kind,
                             .local = observed->local,
                             .sectors = observed->sectors,
                             .whole = observed->whole};
    blame(analyses, &access, observed->id, observed->line, observed->sectors);
    gm_analysis_effect_l1(&shared->policy, &as, &access);
    if (shared->coherence != NULL && shared->coherence->owns) { /* every miss allocates its line */
        access.fills = shared->policy.all_sectors;
        access.drops = false;
    }
    if (analyses->failed == 0) {
        analyses->failed = gm_analysis_l1_access(analyses->analysis, &access, &analyses->error);
    }
}

static void l2_access(void *context, const gm_observed_access *observed)
{
    gm_cycle_analyses *analyses = context;
    const gm_cycle_machine *machine = analyses->machine;
    const gm_cycle_l1_shared *l1 = &machine->l1_shared;
    gm_analysis_access access = {
        .line = observed->line,
        .unit = observed->unit,
        .sm = observed->sm,
        .sectors = observed->sectors,
        .hit = observed->hit,
        .waits = observed->waits,
        .bypass = observed->bypass,
        .drops = observed->drops,
        .cycle = observed->now,
    };
    gm_analysis_effect_l2(&machine->bank[observed->unit].l2.policy, (gm_message_kind)observed->kind,
                          observed->whole, gm_config_sends_bytes(machine->config), &access);
    if (access.origin == GM_ORIGIN_WARP) {
        unsigned parts = l1->l1_sector_bits - l1->l2_sector_bits; /* log2 of L2 lines in an L1's */
        uint32_t first = ((uint32_t)observed->line & (l1->parts - 1)) << l1->l2_sector_bits;
        blame(analyses, &access,
              gm_cycle_l1_ticket_of(&machine->load_store[observed->sm].l1, observed->id),
              observed->line >> parts, observed->sectors << first);
    }
    if (analyses->failed == 0) {
        analyses->failed = gm_analysis_l2_access(analyses->analysis, &access, &analyses->error);
    }
}

static void l1_fill(void *context, uint32_t sm, uint64_t line, gm_cycle now)
{
    const gm_cycle_analyses *analyses = context;
    gm_analysis_l1_fill(analyses->analysis, sm, line, now);
}

static void l2_fill(void *context, uint64_t line, gm_cycle now)
{
    const gm_cycle_analyses *analyses = context;
    gm_analysis_l2_fill(analyses->analysis, line, now);
}

static void l1_drop(void *context, uint32_t sm, uint64_t line)
{
    const gm_cycle_analyses *analyses = context;
    gm_analysis_l1_drop(analyses->analysis, sm, line);
}

static void l1_flush(void *context, uint32_t sm)
{
    const gm_cycle_analyses *analyses = context;
    gm_analysis_l1_flush(analyses->analysis, sm);
}

int gm_cycle_analyses_init(gm_cycle_analyses *analyses, gm_cycle_machine *machine,
                           gm_kernel_window *window, const gm_run_options *options, gm_error *error)
{
    analyses->machine = machine;
    analyses->window = window;
    int code = gm_analysis_create(&analyses->analysis, machine->config, options->analyses, error);
    if (code < 0) {
        return code;
    }
    if ((options->analyses & GM_ANALYZE_MRC) != 0) {
        gm_analysis_sample_mrc(analyses->analysis, &options->mrc);
    }
    if (options->checkpoint != NULL || options->resume != NULL) {
        gm_analysis_keep_kernels(analyses->analysis);
    }
    analyses->ticket = calloc((size_t)machine->sms * GM_TICKETS, sizeof *analyses->ticket);
    if (analyses->ticket == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the analyses");
    }
    analyses->observer = (gm_access_observer){.context = analyses,
                                              .issue = issue,
                                              .ask = ask,
                                              .l1_access = l1_access,
                                              .l2_access = l2_access,
                                              .l1_fill = l1_fill,
                                              .l2_fill = l2_fill,
                                              .l1_drop = l1_drop,
                                              .l1_flush = l1_flush};
    machine->shared.observer = &analyses->observer;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_l1_tell_accesses(&machine->load_store[i].l1, &analyses->observer);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_l2_bank_tell_accesses(&machine->bank[i], &analyses->observer);
    }
    return 0;
}

int gm_cycle_analyses_end_kernel(gm_cycle_analyses *analyses, uint64_t kernel, gm_error *error)
{
    if (analyses->analysis == NULL) {
        return 0;
    }
    return analyses->failed == 0 ? gm_analysis_kernel_end(analyses->analysis, kernel, error)
                                 : gm_fail(error, analyses->failed, "%s", analyses->error.text);
}

void gm_cycle_analyses_recall(gm_cycle_analyses *analyses, uint64_t place)
{
    if (analyses->analysis != NULL) {
        gm_analysis_recall_kernel(analyses->analysis, place);
    }
}

void gm_cycle_analyses_resize(gm_cycle_analyses *analyses)
{
    if (analyses->analysis != NULL) {
        const gm_cache *cache = &analyses->machine->load_store[0].l1.cache;
        gm_analysis_l1_resize(analyses->analysis, gm_cache_slots(cache));
    }
}

void gm_cycle_analyses_snapshot(gm_cycle_analyses *analyses, gm_snapshot *snapshot)
{
    if (analyses->analysis == NULL) {
        return;
    }
    gm_analysis_snapshot(analyses->analysis, snapshot);
    for (size_t i = 0; i < (size_t)analyses->machine->sms * GM_TICKETS; i++) {
        gm_ticket_warp *warp = &analyses->ticket[i];
        GM_SNAPSHOT_VALUE(snapshot, warp->kernel);
        GM_SNAPSHOT_VALUE(snapshot, warp->cta);
        GM_SNAPSHOT_VALUE(snapshot, warp->warp);
        GM_SNAPSHOT_VALUE(snapshot, warp->count);
        if (snapshot->loading && snapshot->failed == 0 && warp->count != 0) {
            warp->room = warp->count;
            warp->asked = calloc(warp->room, sizeof *warp->asked);
            snapshot->failed = warp->asked == NULL ? -ENOMEM : 0;
        }
        if (warp->count != 0 && snapshot->failed == 0) {
            GM_SNAPSHOT_ARRAY(snapshot, warp->asked, warp->count);
        }
    }
}

void gm_cycle_analyses_free(gm_cycle_analyses *analyses)
{
    size_t tickets = analyses->ticket != NULL ? (size_t)analyses->machine->sms * GM_TICKETS : 0;
    for (size_t i = 0; i < tickets; i++) {
        free(analyses->ticket[i].asked);
    }
    free(analyses->ticket);
}

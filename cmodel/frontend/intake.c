/* Intake: takes kernels, CTAs and warps of a source into the warp store. */
#include "frontend/lowering.h"

#include "base/content_hash.h"
#include "cache/cache.h"
#include "frontend/cta_scheduler.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <limits.h>

enum {
    MOST_RUN = 1 << 30,
    FIRST_WORD = 4, /* bytes */
};

/* Forgets what opcodes mean. */
static void forget(gm_intake *intake)
{
    intake->opcodes = 0;
    for (uint32_t i = 0; intake->timed && i < 1 << GM_INTAKE_KNOWN_BITS; i++) {
        intake->known[i].like.op = GM_OPS; /* like no instruction */
    }
}

int gm_intake_init(gm_intake *intake, const gm_config *config, gm_source *source,
                   gm_warp_store *store, gm_intake_form form, gm_error *error)
{
    intake->source = source;
    intake->store = store;
    intake->most_run = MOST_RUN;
    intake->config = config->memory.local_map == GM_LOCAL_CTAS ? config : NULL;
    intake->banks = (uint32_t)config->sm.shared_banks;
    intake->widest = config->sm.shared_wide ? UINT_MAX : FIRST_WORD;
    intake->atomic_passes = config->sm.shared_atomic_passes;
    intake->coherent = config->coherence.protocol != GM_COHERENCE_NONE;
    intake->timed = form == GM_INTAKE_TIMED;
    intake->data_banks = intake->timed ? (uint32_t)config->l1.data_banks : 1;
    intake->code = intake->timed && config->l1i.size != 0 ? GM_TIMED_CODE : 0;
    intake->wide = form == GM_INTAKE_LANES || config->l1.line / GM_SECTOR > GM_WARP_LINE_SECTORS;
    intake->bytes = gm_config_sends_bytes(config);
    intake->units = gm_opcode_units_make(config);
    intake->fence_unit = config->sm.fence == GM_FENCE_REGISTERS ? GM_UNIT_MEMORY : GM_UNITS;
    forget(intake);
    int code = gm_arena_create(&intake->arena, gm_coalescer_bytes(config->l1.line), error);
    code = code < 0 ? code
                    : gm_coalescer_init(&intake->coalescer, config->l1.line,
                                        config->sm.coalesce == GM_COALESCE_SECTOR, &intake->arena,
                                        error);
    intake->coalescer.atomic_passes = config->sm.atomic_passes;
    intake->coalescer.descending = config->sm.descending;
    intake->coalescer.narrow =
        config->sm.coalesce_narrow && config->sm.coalesce == GM_COALESCE_LINE;
    intake->coalescer.bypassed_sectors = gm_config_bypassed_sectors(config);
    intake->coalescer.keeps |= intake->bytes ? GM_KEEPS_BYTES : 0;
    return code;
}

void gm_intake_free(gm_intake *intake)
{
    gm_turn_log_free(&intake->old_log);
    gm_arena_free(&intake->arena);
}

void gm_intake_keep_words(gm_intake *intake)
{
    intake->wide = true;
    intake->words = true;
    intake->coalescer.keeps |= GM_KEEPS_WORDS;
}

void gm_intake_keep_lanes(gm_intake *intake)
{
    intake->wide = true;
}

void gm_intake_keep_code(gm_intake *intake, struct gm_code_map *map)
{
    intake->code = GM_TIMED_CODE;
    intake->map = map;
}

uint64_t gm_intake_code(const gm_kernel *kernel)
{
    uint64_t hash = gm_content_bytes(0, kernel->name, strlen(kernel->name));
    return GM_CODE_REGIONS | (hash & UINT32_MAX) << GM_CODE_BITS;
}

void gm_intake_kernel(gm_intake *intake, const gm_kernel *kernel)
{
    if (gm_opcode_units_kernel(&intake->units, kernel->binary_version)) {
        forget(intake);
    }
    intake->warps = gm_kernel_warps(kernel);
    intake->context.shared_base = kernel->shared_base;
    intake->context.local_base = kernel->local_base;
    intake->local_slots =
        intake->config != NULL ? (uint32_t)gm_cta_scheduler_warps(intake->config, kernel) : 0;
    intake->region = intake->code != 0 ? gm_intake_code(kernel) : 0;
    for (uint32_t i = 0; intake->map != NULL && i < 1 << GM_INTAKE_KNOWN_BITS; i++) {
        intake->known[i].mapped = false;
    }
    memcpy(intake->grid, kernel->grid, sizeof intake->grid);
}

void gm_intake_begin_cta(gm_intake *intake, gm_cta *cta, const uint32_t id[3])
{
    const uint32_t *grid = intake->grid;
    cta->number = ((uint64_t)id[2] * grid[1] + id[1]) * grid[0] + id[0];
    cta->shared_base = intake->context.shared_base;
    cta->local_base = intake->context.local_base;
    cta->local_slots = intake->local_slots;
    cta->local_warps = intake->local_slots != 0 ? intake->warps : 0;
    cta->warps = 0;
    cta->open = 0;
    cta->tally.rows = 0;
    cta->log.turns = 0;
    cta->content = cta->number;
    cta->core = (gm_core_statistics){.ctas = 1};
    intake->run = 0;
    intake->cta = cta;
}

/* Ends the records of the CTA's last warp. */
static int end_warp(gm_intake *intake, gm_error *error)
{
    gm_cta *cta = intake->cta;
    int code = gm_lower_end_run(intake, error);
    if (code == 0 && cta->warps != 0) {
        cta->content = gm_content_word(cta->content, cta->warp[cta->warps - 1]);
        cta->content =
            gm_content_word(cta->content, gm_warp_store_content(intake->store, intake->stream));
    }
    return code;
}

int gm_intake_begin_warp(gm_intake *intake, uint32_t warp, gm_error *error)
{
    gm_cta *cta = intake->cta;
    if (warp >= intake->warps || (cta->warps > 0 && warp <= cta->warp[cta->warps - 1])) {
        return gm_fail(error, -EINVAL, "%s: CTA %llu: warp %u: 0 to %u, ascending, are possible",
                       intake->source->name, (unsigned long long)cta->number, warp,
                       intake->warps - 1);
    }
    int code = end_warp(intake, error);
    intake->stream = &cta->stream[cta->warps];
    *intake->stream = (gm_warp_stream){0};
    if (cta->first != NULL) {
        cta->first[cta->warps] = cta->log.turns;
    }
    cta->warp[cta->warps++] = warp;
    cta->core.warps++;
    return code;
}

int gm_intake_end_cta(gm_intake *intake, gm_error *error)
{
    gm_cta *cta = intake->cta;
    int code = end_warp(intake, error);
    cta->content = gm_content_bytes(cta->content, &cta->core, sizeof cta->core);
    return code;
}

void gm_intake_go_on(gm_intake *intake, gm_cta *cta)
{
    cta->core = (gm_core_statistics){0};
    cta->tally.rows = 0;
    intake->cta = cta;
    intake->logged = 0;
    gm_turn_log old = cta->log; /* which has the turns of all records delivered so far */
    cta->log = intake->old_log;
    cta->log.turns = 0;
    intake->old_log = old;
}

/* Takes the turns of the records left in the streams of a CTA's warps up to `place` over into its
 * new log. */
static int take_turns(gm_intake *intake, uint32_t place, gm_error *error)
{
    gm_cta *cta = intake->cta;
    const gm_turn_log *old = &intake->old_log;
    int code = 0;
    for (; code == 0 && intake->logged <= place && intake->logged < cta->warps; intake->logged++) {
        uint32_t i = intake->logged;
        uint64_t end = i + 1 < cta->warps ? cta->first[i + 1] : old->turns;
        uint64_t from = end - (old->turns == 0 ? 0 : cta->stream[i].count);
        cta->first[i] = cta->log.turns;
        code = gm_turn_log_append(&cta->log, old, from, end, error);
    }
    return code;
}

int gm_intake_end_going_on(gm_intake *intake, gm_error *error)
{
    return take_turns(intake, UINT32_MAX, error);
}

int gm_intake_go_on_warp(gm_intake *intake, uint32_t warp, gm_error *error)
{
    gm_cta *cta = intake->cta;
    uint32_t place = 0;
    while (place < cta->warps && cta->warp[place] != warp) {
        place++;
    }
    if (place == cta->warps) {
        return gm_fail(error, -EINVAL, "%s: CTA %llu: warp %u has not begun", intake->source->name,
                       (unsigned long long)cta->number, warp);
    }
    intake->stream = &cta->stream[place];
    return take_turns(intake, place, error);
}

int gm_intake_instruction(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    return intake->timed ? gm_lower_timed(intake, instruction, error)
                         : gm_lower_order(intake, instruction, error);
}

void gm_intake_keep_logs(gm_intake *intake)
{
    intake->most_run = 1;
}

int gm_intake_logged(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    gm_cta *cta = intake->cta;
    gm_core_statistics before = cta->core;
    uint64_t records = intake->stream->count;
    int code = gm_intake_instruction(intake, instruction, error);
    return code < 0 ? code
                    : gm_turn_log_add(&cta->log, &before, &cta->core,
                                      intake->stream->count - records, error);
}

void gm_cta_left(const gm_cta *cta, uint32_t place, gm_core_statistics *left)
{
    uint64_t end = place + 1 < cta->warps ? cta->first[place + 1] : cta->log.turns;
    gm_turn_log_sum(&cta->log, end - cta->stream[place].count, end, left);
}

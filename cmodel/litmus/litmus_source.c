/* Litmus source: placements, addresses and delays of trials, and the warps' instructions. */
#include "litmus/litmus_source.h"

#include "base/content_hash.h"
#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Numbers of gm_litmus_source.opcode. */
enum opcode {
    LOAD,
    LOAD_BYPASS,
    LOAD_STRONG,
    STORE,
    ATOMIC,
    REDUCTION,
    FENCE_GPU,
    FENCE_CTA,
    BARRIER,
    WAIT,
    EXIT,
    OPCODES,
};

/* Registers of the GPU: results of loads, the chain of delays. */
enum { FIRST_RESULT = 16, CHAIN = 8 };

enum {
    MOST_NOISE = 16, /* instructions of another CTA */
    FAR_LANES = 8,   /* lines of one that is far from the test's */
    BESIDE_WORDS = 2,
    BESIDE = 6, /* one of so many: instructions beside the test's in front of an operation */
};

enum { MOST_DELAY = 256 }; /* instructions of a chain, each of some cycles */

#define REGION      UINT64_C(0x7f0000000000)
#define TRIAL_BYTES (UINT64_C(1) << 20) /* addresses of one trial: no other has them */
#define TEST_BYTES  (TRIAL_BYTES / 2)   /* of them, those of the test; the others: noise */

static uint64_t draw(gm_litmus_source *source, uint64_t bound)
{
    source->random = source->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (source->random >> 33) % bound;
}

/* Puts CTA after CTA on an SM of its own or on that of an earlier one: partition `number` of all
 * partitions of the CTAs. Returns what is left of the number: 0 for those that exist. */
static uint64_t set_partition(gm_litmus_source *source, uint64_t number)
{
    uint32_t used = 0;
    gm_assert(source->sms != 0, "a machine without SMs");
    for (uint32_t cta = 0; cta < source->ctas; cta++) {
        uint32_t choices = used < source->sms ? used + 1 : used;
        uint32_t sm = (uint32_t)(number % choices);
        number /= choices;
        source->trial.sm[cta] = sm;
        used += sm == used;
    }
    return number;
}

/* Chooses the SM of each CTA: the next partition, on SMs by chance. */
static void place_on_sms(gm_litmus_source *source)
{
    uint32_t order[GM_LITMUS_MOST_CTAS];
    uint64_t number = source->next;
    if (set_partition(source, number) != 0) {
        set_partition(source, draw(source, UINT32_MAX));
    }
    for (uint32_t i = 0; i < GM_LITMUS_MOST_CTAS; i++) {
        order[i] = i;
    }
    uint32_t sms = source->sms < GM_LITMUS_MOST_CTAS ? source->sms : GM_LITMUS_MOST_CTAS;
    for (uint32_t i = sms; i > 1; i--) {
        uint32_t other = (uint32_t)draw(source, i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    for (uint32_t cta = 0; cta < source->ctas; cta++) {
        source->trial.sm[cta] = order[source->trial.sm[cta]];
    }
}

/* Gives each CTA the first free linear id that the engine puts on its SM: ids go round the SMs. The
 * others are empty CTAs, or with noise one more for each SM. */
static void number_ctas(gm_litmus_source *source)
{
    uint32_t used[GM_LITMUS_MOST_CTAS] = {0};
    source->rows = 0;
    for (uint32_t cta = 0; cta < source->ctas; cta++) {
        uint32_t id = source->trial.sm[cta] + used[source->trial.sm[cta]]++ * source->sms;
        source->trial.cta[cta] = id;
        source->rows = id >= source->rows ? id + 1 : source->rows;
    }
    source->trial.noise = source->has_room && draw(source, 2) == 0;
    if (source->trial.noise) {
        source->rows = (source->rows / source->sms + 1) * source->sms;
    }
}

/* Gives each line of the test a line of the trial's region, and its two words places in it. */
static void place_in_memory(gm_litmus_source *source)
{
    uint64_t lines = TEST_BYTES / source->line / GM_LITMUS_MOST_LINES;
    uint64_t words = source->line / 4;
    uint64_t first = REGION + source->next * TRIAL_BYTES;
    bool near = draw(source, 4) == 0; /* neighbours */
    for (uint64_t line = 0; line < GM_LITMUS_MOST_LINES; line++) {
        uint64_t number = near ? line : line * lines + draw(source, lines);
        uint64_t word = draw(source, words);
        uint64_t other = (word + 1 + draw(source, words - 1)) % words;
        uint64_t base = first + number * source->line;
        source->trial.address[line][0] = base + 4 * word;
        source->trial.address[line][1] = base + 4 * other;
    }
}

static int next_command(gm_source *base, gm_command *command, gm_error *error)
{
    gm_litmus_source *source = (gm_litmus_source *)base;
    (void)error;
    if (source->next != 0 && source->part + 1 < source->parts) {
        source->part++;
    } else if (source->next == source->trials) {
        return 0;
    } else {
        place_on_sms(source);
        number_ctas(source);
        place_in_memory(source);
        source->trial.beside = draw(source, 2) == 0;
        source->next++;
        source->part = 0;
    }
    source->delivered = 0;
    source->kernel.id = source->next;
    source->kernel.grid[0] = source->rows;
    *command = (gm_command){.kind = GM_COMMAND_KERNEL, .kernel = &source->kernel};
    return 1;
}

static int deliver(const gm_litmus_source *source, const gm_cta_sink *sink,
                   gm_instruction instruction, enum opcode opcode, gm_error *error)
{
    const gm_opcode *meaning = &source->source.opcodes.opcodes[source->opcode[opcode]];
    instruction.opcode = source->opcode[opcode];
    instruction.op = (uint8_t)meaning->op;
    instruction.space = (uint8_t)meaning->space;
    instruction.mask = instruction.form == GM_ADDRESS_LIST ? (1U << FAR_LANES) - 1 : 1;
    return sink->instruction(sink->context, &instruction, error);
}

/* A chain of instructions, each of which needs the result of the one before. */
static int deliver_delay(gm_litmus_source *source, const gm_cta_sink *sink, gm_error *error)
{
    static const uint64_t most[] = {1, 1, 8, 32, MOST_DELAY};
    uint64_t length = draw(source, most[draw(source, sizeof most / sizeof *most)]);
    const gm_instruction instruction = {.destinations = 1,
                                        .destination = {GM_REGISTER(GM_REGISTERS_GENERAL, CHAIN)},
                                        .sources = 1,
                                        .source = {GM_REGISTER(GM_REGISTERS_GENERAL, CHAIN)}};
    int code = 0;
    for (uint64_t i = 0; i < length && code == 0; i++) {
        code = deliver(source, sink, instruction, WAIT, error);
    }
    return code;
}

/* An instruction on a line of the test, but on none of its words: a load makes a copy or uses one,
 * a store competes for the line. Few words, so that loads often get what others have stored. */
static int deliver_beside(gm_litmus_source *source, const gm_cta_sink *sink, gm_error *error)
{
    const uint64_t *address = source->trial.address[draw(source, source->lines)];
    uint64_t base = address[0] & ~(source->line - 1);
    uint64_t word = draw(source, BESIDE_WORDS);
    while (base + 4 * word == address[0] || base + 4 * word == address[1]) {
        word += BESIDE_WORDS;
    }
    const gm_instruction instruction = {.form = GM_ADDRESS_STRIDE,
                                        .mask = 1,
                                        .stride = 4,
                                        .addresses = 1,
                                        .base = base + 4 * word,
                                        .width = 4};
    return deliver(source, sink, instruction, draw(source, 3) == 0 ? STORE : LOAD, error);
}

static int deliver_far(gm_litmus_source *source, const gm_cta_sink *sink, gm_error *error)
{
    uint64_t address[FAR_LANES];
    uint64_t first = REGION + source->next * TRIAL_BYTES - TEST_BYTES;
    for (unsigned lane = 0; lane < FAR_LANES; lane++) {
        address[lane] = first + draw(source, TEST_BYTES / source->line) * source->line;
    }
    const gm_instruction instruction = {
        .form = GM_ADDRESS_LIST, .addresses = FAR_LANES, .address = address, .width = 4};
    return deliver(source, sink, instruction, draw(source, 2) == 0 ? STORE : LOAD, error);
}

/* Instructions of a CTA that is not the test's. */
static int deliver_other(gm_litmus_source *source, const gm_cta_sink *sink, gm_error *error)
{
    uint64_t count = source->trial.noise ? draw(source, MOST_NOISE) : 0;
    int code = 0;
    for (uint64_t i = 0; i < count && code == 0; i++) {
        code = deliver_delay(source, sink, error);
        uint64_t which = draw(source, 8);
        code = code < 0     ? code
               : which == 0 ? deliver_far(source, sink, error)
               : which == 1 ? deliver(source, sink, (gm_instruction){0}, FENCE_GPU, error)
                            : deliver_beside(source, sink, error);
    }
    return code < 0 ? code : deliver(source, sink, (gm_instruction){0}, EXIT, error);
}

static enum opcode opcode_of(const gm_litmus_operation *operation)
{
    switch (operation->kind) {
    case GM_LITMUS_LOAD:
        return operation->strong ? LOAD_STRONG : LOAD;
    case GM_LITMUS_LOAD_BYPASS:
        return LOAD_BYPASS;
    case GM_LITMUS_STORE:
        return STORE;
    case GM_LITMUS_ATOMIC:
        return ATOMIC;
    case GM_LITMUS_REDUCTION:
        return REDUCTION;
    case GM_LITMUS_FENCE:
        return FENCE_GPU;
    case GM_LITMUS_FENCE_CTA:
        return FENCE_CTA;
    case GM_LITMUS_BARRIER:
    case GM_LITMUS_KERNEL:
        break;
    }
    return BARRIER;
}

static uint16_t result_of(uint8_t number)
{
    return GM_REGISTER(GM_REGISTERS_GENERAL, FIRST_RESULT + number);
}

static int deliver_operation(const gm_litmus_source *source, const gm_cta_sink *sink,
                             const gm_litmus_operation *operation, gm_error *error)
{
    gm_instruction instruction = {.mask = 1};
    if (gm_litmus_reaches(operation->kind)) {
        instruction.width = 4;
        instruction.form = GM_ADDRESS_STRIDE;
        instruction.stride = 4;
        instruction.addresses = 1;
        instruction.base = source->trial.address[operation->line][operation->word];
    }
    if (gm_litmus_returns(operation->kind)) {
        instruction.destinations = 1;
        instruction.destination[0] = result_of(operation->target);
    }
    if (operation->from_register) {
        instruction.sources = 1;
        instruction.source[0] = result_of(operation->source);
    }
    return deliver(source, sink, instruction, opcode_of(operation), error);
}

/* Delivers some instructions beside the test's. Returns how many, or an error. */
static int deliver_some(gm_litmus_source *source, const gm_cta_sink *sink, gm_error *error)
{
    int count = 0;
    int code = 0;
    while (source->trial.beside && count < 2 && code == 0 && draw(source, BESIDE) == 0) {
        code = deliver_beside(source, sink, error);
        count++;
    }
    return code < 0 ? code : count;
}

static int deliver_warp(gm_litmus_source *source, const gm_cta_sink *sink, unsigned number,
                        gm_error *error)
{
    const gm_litmus_warp *warp = &source->test->warp[number];
    uint8_t *place = source->trial.operation[number];
    unsigned end;
    int code = 0;
    memset(place, 0, sizeof source->trial.operation[number]);
    for (unsigned i = gm_litmus_part(warp, source->part, &end); i < end && code == 0; i++) {
        int beside = deliver_some(source, sink, error);
        code = beside < 0 ? beside : deliver_delay(source, sink, error);
        code = code < 0 ? code : deliver_operation(source, sink, &warp->operation[i], error);
        place += beside > 0 ? beside : 0;
        if (gm_litmus_reaches(warp->operation[i].kind)) {
            *place++ = (uint8_t)(i + 1);
        }
    }
    return code < 0 ? code : deliver(source, sink, (gm_instruction){0}, EXIT, error);
}

unsigned gm_litmus_part(const gm_litmus_warp *warp, unsigned part, unsigned *end)
{
    unsigned first = 0;
    *end = 0;
    for (;; part--) {
        while (*end < warp->count && warp->operation[*end].kind != GM_LITMUS_KERNEL) {
            ++*end;
        }
        if (part == 0) {
            return first;
        }
        first = *end += *end < warp->count;
    }
}

/* Returns the CTA of the test that has a linear id, or ctas. */
static uint32_t cta_of(const gm_litmus_source *source, uint32_t id)
{
    uint32_t cta = 0;
    while (cta < source->ctas && source->trial.cta[cta] != id) {
        cta++;
    }
    return cta;
}

static int next_cta(gm_source *base, const gm_cta_sink *sink, gm_error *error)
{
    gm_litmus_source *source = (gm_litmus_source *)base;
    const gm_litmus_test *test = source->test;
    if (source->delivered == source->rows) {
        return 0;
    }
    const uint32_t id[3] = {source->delivered++, 0, 0};
    uint32_t cta = cta_of(source, id[0]);
    int code = sink->begin_cta(sink->context, id, error);
    if (code == 0 && cta == source->ctas) {
        code = sink->begin_warp(sink->context, 0, error);
        code = code < 0 ? code : deliver_other(source, sink, error);
    }
    for (uint32_t i = 0; i < test->warps && code == 0; i++) {
        if (test->warp[i].cta == cta) {
            code = sink->begin_warp(sink->context, source->trial.place[i], error);
            code = code < 0 ? code : deliver_warp(source, sink, i, error);
        }
    }
    code = code < 0 ? code : sink->end_cta(sink->context, error);
    return code < 0 ? code : 1;
}

static gm_progress progress(const gm_source *base)
{
    const gm_litmus_source *source = (const gm_litmus_source *)base;
    return (gm_progress){.done = source->next, .total = source->trials};
}

static void close_source(gm_source *base)
{
    gm_opcode_table_free(&base->opcodes);
}

/* Numbers the warps within their CTAs. */
static void number_warps(gm_litmus_source *source)
{
    const gm_litmus_test *test = source->test;
    uint32_t count[GM_LITMUS_MOST_CTAS] = {0};
    for (uint32_t i = 0; i < test->warps; i++) {
        uint32_t cta = test->warp[i].cta;
        source->trial.place[i] = count[cta]++;
        source->ctas = cta >= source->ctas ? cta + 1 : source->ctas;
        source->warps = count[cta] > source->warps ? count[cta] : source->warps;
    }
}

static int number_opcodes(gm_litmus_source *source, gm_error *error)
{
    static const char *const texts[OPCODES] = {
        [LOAD] = "LDG.E",
        [LOAD_BYPASS] = "LDG.E.CG",
        [LOAD_STRONG] = "LDG.E.STRONG.GPU",
        [STORE] = "STG.E",
        [ATOMIC] = "ATOMG.E.EXCH",
        [REDUCTION] = "RED.E.ADD",
        [FENCE_GPU] = "MEMBAR.SC.GPU",
        [FENCE_CTA] = "MEMBAR.SC.CTA",
        [BARRIER] = "BAR.SYNC",
        [WAIT] = "IADD3",
        [EXIT] = "EXIT",
    };
    for (unsigned i = 0; i < OPCODES; i++) {
        int number =
            gm_opcode_number(&source->source.opcodes, texts[i], (uint32_t)strlen(texts[i]), error);
        if (number < 0) {
            return number;
        }
        source->opcode[i] = (uint16_t)number;
    }
    return 0;
}

int gm_litmus_source_open(gm_litmus_source *source, const gm_litmus_test *test,
                          const gm_config *config, uint64_t trials, uint64_t seed, gm_error *error)
{
    static const gm_source_operations operations = {next_command, next_cta, progress, NULL,
                                                    close_source};
    *source = (gm_litmus_source){
        .source = {.operations = &operations, .name = test->name},
        .test = test,
        .random = gm_content_word(seed, test->warps),
        .trials = trials,
        .sms = (uint32_t)config->gpu.sms,
        .parts = 1,
        .lines = test->lines != 0 ? test->lines : 1,
        .line = config->l1.line,
        .kernel = {.grid = {1, 1, 1}, .block = {GM_WARP_SIZE, 1, 1}},
    };
    for (unsigned i = 0; i < test->warp[0].count; i++) {
        source->parts += test->warp[0].operation[i].kind == GM_LITMUS_KERNEL;
    }
    number_warps(source);
    snprintf(source->kernel.name, sizeof source->kernel.name, "%s", test->name);
    source->kernel.block[0] = source->warps * GM_WARP_SIZE;
    if (source->ctas > config->sm.ctas || source->ctas * source->warps > config->sm.warps) {
        return gm_fail(error, -EINVAL,
                       "%s: an SM must have room for all of its %u CTAs of %u warps: sm.ctas=%llu, "
                       "sm.warps=%llu are too few",
                       test->name, source->ctas, source->warps, (unsigned long long)config->sm.ctas,
                       (unsigned long long)config->sm.warps);
    }
    source->has_room =
        source->ctas < config->sm.ctas && (source->ctas + 1) * source->warps <= config->sm.warps;
    return number_opcodes(source, error);
}

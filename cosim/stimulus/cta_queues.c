/* cta_queues in lockstep: instances and stimulus. A batch has one kind of kernels: their number of
 * CTAs, from none to all that can be counted, and the size of their groups, so that groups are used
 * up, cut short by the kernel's end, or larger than the kernel; SMs ask in any order, one of them
 * more often. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/cta_queues.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_BYTES = GM_CTA_QUEUES_SMS * sizeof(gm_cta_queue) + 1024 };

/* The RTL parameters, in the port list's order. */
enum { SMS, CTA_W, MODE, ADAPTIVE, PARAMETERS };

static int parse(const char *options, gm_cta_queues_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"sms", "cta_bits", "mode", "adaptive"};
    uint64_t value[PARAMETERS] = {0};
    int code = gm_cosim_options_parameters(options, &gm_cta_queues_ports, names, value, error);
    if (code == 0 && value[ADAPTIVE] > 1) {
        code = gm_fail(error, -EINVAL, "cta_queues: adaptive %llu: must be 0 or 1",
                       (unsigned long long)value[ADAPTIVE]);
    }
    *parameters = (gm_cta_queues_parameters){
        .sms = (unsigned)value[SMS],
        .cta_bits = (unsigned)value[CTA_W],
        .mode = (gm_cta_queues_mode)value[MODE],
        .adaptive = value[ADAPTIVE] != 0,
    };
    return code;
}

GM_COSIM_MODEL(cta_queues, gm_cta_queues, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_cta_queues_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "sms=%u cta_bits=%u mode=%u adaptive=%u", p.sms, p.cta_bits, (unsigned)p.mode,
             p.adaptive);
    configuration->parameter[SMS][0] = p.sms;
    configuration->parameter[CTA_W][0] = p.cta_bits;
    configuration->parameter[MODE][0] = p.mode;
    configuration->parameter[ADAPTIVE][0] = p.adaptive;
    return 0;
}

/* Every policy at the shipped size, and at the ends of both ranges; numbers of SMs that are and are
 * not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"mode=1", false, true},
    {"mode=0", false, true},
    {"mode=2 adaptive=1", false, true},
    {"sms=3 cta_bits=5 mode=0", true, true},
    {"sms=3 cta_bits=5 mode=1", true, true},
    {"sms=3 cta_bits=5 mode=2", true, true},
    {"sms=4 cta_bits=5 mode=2 adaptive=1", true, true},
    {"sms=1 cta_bits=1 mode=2 adaptive=1", false, true},
    {"sms=1 cta_bits=1 mode=1", false, true},
    {"sms=2 cta_bits=2 mode=1", false, false},
    {"sms=2 cta_bits=2 mode=2 adaptive=1", false, false},
    {"sms=16 cta_bits=63 mode=1", false, false},
    {"sms=17 cta_bits=63 mode=2 adaptive=1", false, false},
    {"sms=64 cta_bits=32 mode=2", false, false},
    {"sms=1024 cta_bits=33 mode=2 adaptive=1", false, false},
    {"sms=1024 cta_bits=12 mode=0", false, false},
};

GM_COSIM_ACCESS_ALL(cta_queues)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_cta_queues *queues = model;
    (void)lane;
    const uint64_t values[] = {
        queues->queue[row].opened,
        queues->queue[row].current,
        queues->queue[row].behind,
        queues->next,
        queues->total,
        queues->size,
        queues->tail,
        queues->single,
    };
    *value = values[element];
    return true;
}

/* Words of a plan: ASKs until the next START; the SM that asks more often; 1 behind the first
 * request after a reset. */
enum { PLAN_LEFT, PLAN_SM, PLAN_BEGAN };

/* A number of `bits` bits: small, a few SMs' worth, near the largest, or any. */
static uint64_t pick_number(uint64_t choice, uint64_t sms, unsigned bits, uint64_t random)
{
    uint64_t most = gm_mask(bits);
    uint64_t number = random;
    switch (choice & 3) {
    case 0:
        number = random % 8;
        break;
    case 1:
        number = random % (4 * sms + 1);
        break;
    case 2:
        number = most - random % (2 * sms + 1) % (most + (most != UINT64_MAX));
        break;
    default:
        number = random >> (random >> 56 & 63);
    }
    return number & most;
}

static gm_cta_queues_request next_start(const gm_cosim_configuration *configuration,
                                        uint64_t choice, gm_cosim_random *random)
{
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t sms = configuration->parameter[SMS][0];
    uint64_t value = gm_cosim_random_next(random);
    uint64_t ctas = pick_number(choice, sms, bits, gm_cosim_random_next(random));
    uint64_t size = pick_number(choice >> 2, sms, bits, gm_cosim_random_next(random));
    if ((value & 7) < 3) { /* groups of which each SM has about as many */
        size = ctas / sms >> (value >> 3 & 3);
    } else if ((value & 7) == 3) {
        size = ctas ^ UINT64_C(1) << (value >> 8) % bits;
    }
    size = size == 0 && (value >> 20 & 1) == 0 ? 1 : size;
    const gm_cta_queues_parameters p = {.sms = (unsigned)sms, .cta_bits = bits};
    uint64_t tail = gm_cta_queues_tail(&p, size);
    if ((value >> 16 & 7) == 0) {
        tail = gm_cosim_random_next(random) & gm_mask(bits);
    } else if ((value >> 16 & 7) == 1) {
        tail = ctas ^ UINT64_C(1) << (value >> 24) % bits;
    }
    return (gm_cta_queues_request){
        .op = GM_CTA_QUEUES_START, .ctas = ctas, .size = size, .tail = tail};
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_cta_queues_request *requests = (void *)request;
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t sms = configuration->parameter[SMS][0];
    uint64_t sm_mask = gm_mask(sms < 3 ? 1 : gm_log2_ceil(sms));
    uint64_t choice = gm_cosim_random_next(random);
    if (plan->word[PLAN_BEGAN] == 0) { /* half of the resets are followed by ASKs */
        bool asks = plan->episode == 0 || (choice >> 16 & 1) != 0;
        plan->word[PLAN_BEGAN] = 1;
        plan->word[PLAN_LEFT] = asks ? 1 + (choice >> 17 & 7) : 0;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        gm_cta_queues_request *it = &requests[i];
        if (plan->word[PLAN_LEFT] == 0) {
            *it = next_start(configuration, choice, random);
            it->sm = value & sm_mask;
            it->free = value >> 32 & 3;
            uint64_t some = it->ctas < 6 * sms ? it->ctas : 6 * sms;
            plan->word[PLAN_LEFT] = (value >> 40) % (2 * some + 4) + (value >> 34 & 1) * some;
            plan->word[PLAN_SM] = (value >> 48) % sms;
            continue;
        }
        plan->word[PLAN_LEFT]--;
        uint64_t any = gm_cosim_random_next(random);
        *it = (gm_cta_queues_request){
            .op = GM_CTA_QUEUES_ASK,
            .sm = (value & 7) < (choice >> 8 & 7) ? plan->word[PLAN_SM] : (value >> 8) % sms,
            .free = value >> 3 & 3,
            .ctas = any & gm_mask(bits),
            .size = ~any & gm_mask(bits),
            .tail = value & gm_mask(bits),
        };
    }
}

static void put_start(gm_cosim_tape *tape, uint64_t ctas, uint64_t size, uint64_t tail)
{
    const gm_cta_queues_request request = {
        .op = GM_CTA_QUEUES_START, .ctas = ctas, .size = size, .tail = tail};
    gm_cosim_tape_put(tape, &request);
}

static void put_ask(gm_cosim_tape *tape, uint64_t sm, uint64_t room)
{
    const gm_cta_queues_request request = {.op = GM_CTA_QUEUES_ASK, .sm = sm, .free = room};
    gm_cosim_tape_put(tape, &request);
}

/* The size of a group, the smallest, with which the number of CTAs of `groups` lacks bit `bit`:
 * with the bit it is that of a kernel that has more. 0: none of at most 64. */
static uint64_t size_below(uint64_t groups, unsigned bits, unsigned bit)
{
    for (uint64_t size = 1; size <= 64; size++) {
        uint64_t next = groups * size;
        if ((next >> bit & 1) == 0 && (next | UINT64_C(1) << bit) <= gm_mask(bits)) {
            return size;
        }
    }
    return 0;
}

/* A kernel with more CTAs than `groups` in one bit; SM 0 uses its group up and asks once more. */
static void put_end(gm_cosim_tape *tape, uint64_t groups, unsigned bits, unsigned bit)
{
    uint64_t size = size_below(groups, bits, bit);
    put_start(tape, size * groups | UINT64_C(1) << bit, size, 0);
    for (uint64_t ask = 0; ask <= size; ask++) {
        put_ask(tape, 0, 1);
    }
}

/* Queues, and what is in none, whose beginning and end differ in one bit. */
static void put_distances(const gm_cosim_configuration *configuration, unsigned bit,
                          gm_cosim_tape *tape)
{
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t sms = configuration->parameter[SMS][0];
    uint64_t one = UINT64_C(1) << bit;
    uint64_t most = gm_mask(bits);
    if (configuration->parameter[MODE][0] == GM_CTA_QUEUES_GROUPS) {
        put_start(tape, most, one, 0);
        put_ask(tape, 0, 1);
        put_end(tape, sms, bits, bit);
        put_end(tape, sms + 1, bits, bit);
        return;
    }
    put_start(tape, most, bit == 0 ? 3 & most : one | 1, 0);
    for (unsigned ask = 0; ask < 3; ask++) {
        put_ask(tape, 0, 3);
    }
    put_start(tape, most, one, 0); /* the second SM begins behind the first one's run */
    put_ask(tape, 0, 1);
    put_ask(tape, sms - 1, 1);
    put_start(tape, one, 1, 0);
    put_ask(tape, 0, 1);
    put_end(tape, 1, bits, bit);
    put_start(tape, ((one | 1) + 2) & most, 2 & most,
              0); /* one more than 2^bit behind a run of two */
    for (unsigned ask = 0; ask < 3; ask++) {
        put_ask(tape, 0, 2);
    }
}

/* The highest number of a CTA, which is the group of SM 1; a START beside the highest SM's number
 * begins a kernel as any other. */
static void put_highest(const gm_cosim_configuration *configuration, gm_cosim_tape *tape)
{
    uint64_t most = gm_mask((unsigned)configuration->parameter[CTA_W][0]);
    uint64_t sms = configuration->parameter[SMS][0];
    const gm_cta_queues_request start = {
        .op = GM_CTA_QUEUES_START, .sm = sms - 1, .free = 3, .ctas = most, .size = most - 1};
    gm_cosim_tape_put(tape, &start);
    put_ask(tape, sms > 1, 1);
    put_ask(tape, sms - 1, 1);
}

enum {
    CARRIED = 4400 /* ASKs of a round until what is in no queue begins behind a power of two */
};

/* Returns the highest bit into which the number of the first CTA in no queue carries in a round: SM
 * 0 has used up its group of `size` CTAs, and so many are in the other SMs' as well. */
static unsigned carried_bit(const gm_cosim_configuration *configuration, uint64_t *size)
{
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t sms = configuration->parameter[SMS][0];
    bool queues = configuration->parameter[MODE][0] != GM_CTA_QUEUES_RR;
    unsigned bit = bits - 1;
    uint64_t groups = queues ? sms : 1;
    while (bit > 0 && gm_mask(bit) / groups > CARRIED) {
        bit--;
    }
    *size = gm_mask(bit) / groups > 0 ? gm_mask(bit) / groups : 1;
    return bit;
}

/* Returns true if SMs get CTAs that are in no queue, one or two at a time. */
static bool gives_singly(const gm_cosim_configuration *configuration)
{
    return configuration->parameter[MODE][0] != GM_CTA_QUEUES_GROUPS ||
           configuration->parameter[ADAPTIVE][0] != 0;
}

/* Numbers of CTAs carry into their highest bits: those of a queue, of which the second begins at
 * the last one below a power of two; and those in no queue, once SM 0 has used up its group, up to
 * the end of the kernel. */
static void put_carries(const gm_cosim_configuration *configuration, uint64_t round,
                        gm_cosim_tape *tape)
{
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t sms = configuration->parameter[SMS][0];
    uint64_t most = gm_mask(bits);
    uint64_t size;
    unsigned bit = carried_bit(configuration, &size);
    put_start(tape, most, most >> 1, 0);
    put_ask(tape, 0, 1);
    put_ask(tape, sms > 1, 1);
    if (!gives_singly(configuration)) {
        return;
    }
    bool queues = configuration->parameter[MODE][0] != GM_CTA_QUEUES_RR;
    bool odd = configuration->parameter[MODE][0] == GM_CTA_QUEUES_BCS && (round & 1) == 0;
    uint64_t total = (UINT64_C(1) << bit) + odd; /* of BCS: a pair reaches it, or a single CTA */
    put_start(tape, total & most, size, (total - 1) & most);
    for (uint64_t sm = 0; queues && sm < sms; sm++) {
        put_ask(tape, sm, 1);
    }
    uint64_t behind = (queues ? sms : 1) * size;
    for (uint64_t ask = 0; ask < size + (UINT64_C(1) << bit) - behind + 2; ask++) {
        put_ask(tape, 0, 2);
    }
}

/* Groups and tails that differ from what is left in one bit; then the highest numbers and carries;
 * then a kernel of two CTAs for each SM, in groups of two and of one, to its end and beyond. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t sms = configuration->parameter[SMS][0];
    uint64_t most = gm_mask(bits);
    uint64_t ctas = (round * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits)) | 1;
    for (unsigned bit = 0; bit < bits; bit++) {
        uint64_t other = ctas ^ UINT64_C(1) << bit;
        put_start(tape, ctas, other, most);
        put_ask(tape, 0, 1);
        put_start(tape, ctas, 1, other);
        put_ask(tape, sms - 1, 1);
        put_start(tape, most, most, other);
        put_ask(tape, 0, 3);
        put_start(tape, most, UINT64_C(1) << bit, 0);
        put_ask(tape, sms - 1, 2);
        put_distances(configuration, bit, tape);
    }
    put_highest(configuration, tape);
    put_carries(configuration, round, tape);
    for (uint64_t size = 1; size <= 2; size++) {
        uint64_t both = 2 * sms <= most ? 2 * sms : most;
        put_start(tape, both, size <= most ? size : 1, (sms - 1) * size & most);
        for (unsigned ask = 0; ask < 4; ask++) {
            for (uint64_t sm = 0; sm < sms; sm++) {
                put_ask(tape, sm, 1 + (ask + sm) % 3);
            }
        }
    }
}

enum {
    PLACED, /* all policies */
    LEFT_BIT,
    NOTHING,
    NO_ROOM,
    OWN, /* GROUPS, BCS: */
    TAKES,
    LAST,
    SHORT,
    SIZE_BIT,
    QUEUE_BIT,
    TAKEN_BIT,
    PAIR, /* BCS: */
    ONE_BIT,
    WAITS,
    ODD,
    ONE_EACH,
    TAIL_BIT, /* adaptive: */
    TURNS,
    FINISHES,
    OWN_CARRIES, /* queues */
    NEXT_CARRIES,
    GOALS
};

/* Bits in which numbers of CTAs can differ. */
typedef struct distances {
    uint64_t left;  /* the kernel's end, and what is in a queue or placed */
    uint64_t taken; /* the kernel's end, and that of a group that is taken */
    uint64_t ones;  /* what is left behind a run of two, and one */
} distances;

static distances distances_of(const gm_cosim_configuration *configuration)
{
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t mode = configuration->parameter[MODE][0];
    uint64_t groups = mode == GM_CTA_QUEUES_GROUPS ? configuration->parameter[SMS][0] : 0;
    distances of = {0};
    for (unsigned bit = 0; bit < bits; bit++) {
        uint64_t one = UINT64_C(1) << bit;
        bool odd = mode == GM_CTA_QUEUES_BCS && bit != 0 && one + 3 <= gm_mask(bits);
        bool takes = mode != GM_CTA_QUEUES_RR && size_below(groups + 1, bits, bit) != 0;
        of.left |= groups == 0 || size_below(groups, bits, bit) != 0 ? one : 0;
        of.taken |= takes ? one : 0;
        of.ones |= odd ? one : 0;
    }
    return of;
}

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t sms = configuration->parameter[SMS][0];
    uint64_t all = sms < 64 ? gm_mask((unsigned)sms) : UINT64_MAX;
    unsigned bits = (unsigned)configuration->parameter[CTA_W][0];
    uint64_t mode = configuration->parameter[MODE][0];
    bool queues = mode != GM_CTA_QUEUES_RR;
    bool bcs = mode == GM_CTA_QUEUES_BCS && bits > 1;
    bool pairs = bcs && bits > 2;                    /* behind a run of two */
    bool runs = mode == GM_CTA_QUEUES_GROUPS || bcs; /* of several CTAs */
    bool adaptive = configuration->parameter[ADAPTIVE][0] != 0;
    bool several = sms > 1;
    distances it = distances_of(configuration);
    goal[PLACED] = (gm_cosim_goal){"SM that gets a CTA", false, all};
    goal[LEFT_BIT] = (gm_cosim_goal){"end of a kernel", true, it.left};
    goal[NOTHING] = (gm_cosim_goal){"SM that asks when none is left", false, all};
    goal[NO_ROOM] = (gm_cosim_goal){"SM that asks without room", false, all};
    goal[OWN] = (gm_cosim_goal){"SM that gets a CTA of its own", false, runs ? all : 0};
    goal[TAKES] = (gm_cosim_goal){"SM that takes a group", false,
                                  !queues || (adaptive && bits < 2) ? 0 : all};
    goal[LAST] = (gm_cosim_goal){"last CTA of a group", false, runs};
    goal[SHORT] = (gm_cosim_goal){"group that the kernel's end cuts short", false,
                                  queues && bits > 1 && (!adaptive || several)};
    goal[SIZE_BIT] =
        (gm_cosim_goal){"size of a group", true, queues && bits > 1 ? gm_mask(bits) : 0};
    goal[QUEUE_BIT] = (gm_cosim_goal){"end of a queue", true, runs ? gm_mask(bits) : 0};
    goal[TAKEN_BIT] =
        (gm_cosim_goal){"end of a kernel behind a group that is taken", true, it.taken};
    goal[ONE_BIT] = (gm_cosim_goal){"last CTA", true, it.ones};
    goal[PAIR] = (gm_cosim_goal){"SM that gets a pair", false, pairs ? all : 0};
    goal[WAITS] = (gm_cosim_goal){"room for one of a pair", false, pairs};
    goal[ODD] = (gm_cosim_goal){"last CTA of an odd number", false, bcs};
    goal[ONE_EACH] = (gm_cosim_goal){"second run of one CTA", false, bcs};
    goal[TAIL_BIT] = (gm_cosim_goal){"tail of a kernel", true, adaptive ? gm_mask(bits) : 0};
    goal[TURNS] =
        (gm_cosim_goal){"the scheduler becomes RR after the START", false, adaptive && bits > 1};
    goal[FINISHES] = (gm_cosim_goal){"SM that gets a CTA of its own under RR", false,
                                     adaptive && several && bits > 2};
    uint64_t size;
    uint64_t carried = gm_mask(carried_bit(configuration, &size) + 1);
    bool twos = mode == GM_CTA_QUEUES_BCS;
    goal[OWN_CARRIES] = (gm_cosim_goal){"carry of the next CTA of a queue into", true,
                                        runs && several && bits > 2 ? gm_mask(bits) : 0};
    goal[NEXT_CARRIES] =
        (gm_cosim_goal){"carry of the first CTA in no queue into", true,
                        gives_singly(configuration) && bits > 2 ? carried & ~(uint64_t)twos : 0};
    return GOALS;
}

/* An ASK with room. */
static void meet_ask(const gm_cta_queues *queues, const gm_cta_queues_request *it, uint64_t *met)
{
    const gm_cta_queue *queue = &queues->queue[it->sm];
    gm_cta_queues_mode mode = queues->parameters.mode;
    uint64_t left = queues->total - queues->next;
    uint64_t sm = UINT64_C(1) << (it->sm & 63);
    bool drained = queue->current == queue->behind;
    bool tail = queues->parameters.adaptive && left <= queues->tail;
    bool takes = drained && left != 0 &&
                 (mode == GM_CTA_QUEUES_GROUPS ? !queues->single && !tail
                                               : mode == GM_CTA_QUEUES_BCS && !queue->opened);
    bool pair = mode == GM_CTA_QUEUES_BCS && queue->opened && left > 1 && queues->size != 1;
    uint64_t apart = queues->next ^ queues->total;
    uint64_t own = queue->current ^ queue->behind;
    met[PLACED] = !drained || left != 0 ? sm : 0;
    met[LEFT_BIT] = drained && gm_count_ones(apart) == 1 ? apart : 0;
    met[QUEUE_BIT] = gm_count_ones(own) == 1 ? own : 0;
    met[NOTHING] = drained && left == 0 ? sm : 0;
    met[OWN] = !drained ? sm : 0;
    met[LAST] = !drained && queue->current + 1 == queue->behind;
    met[TAKES] = takes ? sm : 0;
    met[SHORT] = takes && left < queues->size;
    if (takes && gm_count_ones(left ^ queues->size) == 1) {
        met[SIZE_BIT] = left ^ queues->size;
    }
    if (takes) {
        uint64_t behind = left < queues->size ? queues->total : queues->next + queues->size;
        met[TAKEN_BIT] = gm_count_ones(behind ^ queues->total) == 1 ? behind ^ queues->total : 0;
    }
    met[ONE_BIT] = pair && it->free > 1 && gm_count_ones(left ^ 1) == 1 ? left ^ 1 : 0;
    met[PAIR] = pair && it->free > 1 ? sm : 0;
    met[WAITS] = pair && it->free == 1;
    met[ODD] = mode == GM_CTA_QUEUES_BCS && queue->opened && left == 1 && queues->size != 1;
    met[ONE_EACH] = mode == GM_CTA_QUEUES_BCS && queue->opened && left > 1 && queues->size == 1;
    met[TURNS] = drained && tail && !queues->single && left != 0;
    met[FINISHES] = !drained && queues->single;
    uint64_t behind = pair && it->free > 1 ? queues->next + 2 : queues->next + 1;
    bool singly = drained && !takes && left != 0 && (!pair || it->free > 1);
    uint64_t first = drained ? queues->next : queue->current;
    met[OWN_CARRIES] = !drained || takes ? first ^ (first + 1) : 0;
    met[NEXT_CARRIES] = singly ? queues->next ^ behind : 0;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_cta_queues_request *it = (const void *)request;
    uint64_t mode = configuration->parameter[MODE][0];
    if (it->op == GM_CTA_QUEUES_START) {
        uint64_t size = it->ctas ^ it->size;
        uint64_t tail = it->ctas ^ it->tail;
        met[SIZE_BIT] = mode == GM_CTA_QUEUES_GROUPS && gm_count_ones(size) == 1 ? size : 0;
        met[SHORT] = mode == GM_CTA_QUEUES_GROUPS && it->ctas < it->size && it->ctas > it->tail;
        met[TAIL_BIT] = gm_count_ones(tail) == 1 ? tail : 0;
    } else if (it->free == 0) {
        met[NO_ROOM] = UINT64_C(1) << (it->sm & 63);
    } else {
        meet_ask(model, it, met);
    }
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    const gm_cta_queues_request *it = (const void *)request;
    (void)configuration;
    return it->op == GM_CTA_QUEUES_ASK ? it->sm : UINT64_MAX;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_cta_queues_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = sizeof(gm_cta_queues) + ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"sms=3 cta_bits=5 mode=0", "sms=3 cta_bits=5 mode=1", "sms=3 cta_bits=5 mode=2",
                 "sms=4 cta_bits=5 mode=2 adaptive=1"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 262144,
    .goals = goals,
    .meet = meet,
    .subject = subject,
};

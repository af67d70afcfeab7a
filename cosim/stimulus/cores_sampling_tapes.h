/* Tapes of cores_sampling in lockstep: sequences of requests that reach its limits and let single
 * bits decide. */
#ifndef GOLDMEM_COSIM_STIMULUS_CORES_SAMPLING_TAPES_H
#define GOLDMEM_COSIM_STIMULUS_CORES_SAMPLING_TAPES_H

#include "cosim.h"
#include "goldmem/bits.h"
#include "goldmem/cores_sampling.h"

/* The RTL parameters, in the port list's order. */
enum {
    SMS,
    WARPS,
    MISS_W,
    ISSUE_W,
    THRESHOLD,
    HOT,
    SAMPLES,
    ENTRIES,
    KERNEL_W,
    PARAMETERS,
};

static inline uint64_t number(const gm_cosim_configuration *configuration, unsigned parameter)
{
    return configuration->parameter[parameter][0];
}

static inline uint64_t ones(const gm_cosim_configuration *configuration, unsigned parameter)
{
    return gm_mask((unsigned)number(configuration, parameter));
}

/* Returns the most instructions with which an SM whose loads all miss is still hot. */
static inline uint64_t hot_issued(const gm_cosim_configuration *configuration)
{
    uint64_t most =
        (125 * ones(configuration, MISS_W) - 1) / (4 * number(configuration, THRESHOLD));
    uint64_t full = ones(configuration, ISSUE_W);
    return most < full ? most : full;
}

static inline void put_kernel(gm_cosim_tape *tape, uint64_t kernel)
{
    const gm_cores_sampling_request request = {.op = GM_CORES_SAMPLING_KERNEL, .kernel = kernel};
    gm_cosim_tape_put(tape, &request);
}

/* A period's reports: the first `closed` SMs have a closed L1; `favoured` issues one more. */
typedef struct period {
    uint64_t misses, issued, favoured, closed;
    bool idle; /* SM 0 has no warps */
} period;

static inline void put_period(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                              period p)
{
    for (uint64_t sm = 0; sm < number(configuration, SMS); sm++) {
        const gm_cores_sampling_request request = {
            .op = GM_CORES_SAMPLING_REPORT,
            .misses = p.misses,
            .issued = p.issued + (sm == p.favoured),
            .closed = sm < p.closed,
            .idle = p.idle && sm == 0,
        };
        gm_cosim_tape_put(tape, &request);
    }
}

/* Hot periods until SMs are sampled, and one more with an SM without warps. */
static inline void put_heat(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                            bool idle)
{
    uint64_t none = number(configuration, SMS);
    const period hot = {ones(configuration, MISS_W), 0, none, 0, false};
    const period waits = {ones(configuration, MISS_W), 0, none, 0, true};
    for (uint64_t i = 0; i < number(configuration, HOT); i++) {
        put_period(configuration, tape, idle ? waits : hot);
    }
    if (idle) {
        put_period(configuration, tape, waits);
        put_period(configuration, tape, hot);
    }
}

/* A round of sampling in which the SM issues most. */
static inline void put_round(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                             uint64_t issued, uint64_t favoured)
{
    for (uint64_t i = 0; i < number(configuration, SAMPLES); i++) {
        put_period(configuration, tape, (period){0, issued, favoured, 0, false});
    }
}

/* The factors without common ones of misses and instructions: a period is hot if misses x factor[0]
 * is more than instructions x factor[1]. */
static inline void factors(const gm_cosim_configuration *configuration, uint64_t factor[2])
{
    factor[0] = 125;
    factor[1] = 4 * number(configuration, THRESHOLD);
    while (factor[0] % 5 == 0 && factor[1] % 5 == 0) {
        factor[0] /= 5;
        factor[1] /= 5;
    }
}

/* The numbers of one SM's report that are exactly at the threshold; false: they do not fit. */
static inline bool at_threshold(const gm_cosim_configuration *configuration, uint64_t *misses,
                                uint64_t *issued)
{
    uint64_t factor[2];
    factors(configuration, factor);
    *misses = factor[1];
    *issued = factor[0];
    return *misses < ones(configuration, MISS_W) && *issued < ones(configuration, ISSUE_W);
}

/* Periods at the threshold, a miss above it, an instruction below it: the first SM's. */
static inline void put_threshold(const gm_cosim_configuration *configuration, gm_cosim_tape *tape)
{
    uint64_t misses;
    uint64_t issued;
    if (!at_threshold(configuration, &misses, &issued)) {
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        for (uint64_t sm = 0; sm < number(configuration, SMS); sm++) {
            const gm_cores_sampling_request request = {
                .misses = sm == 0 ? misses + (i == 1) : 0,
                .issued = sm == 0 ? issued + (i == 2) : 0,
            };
            gm_cosim_tape_put(tape, &request);
        }
    }
}

/* Rounds in which the last SM issues most, until all limits are tried; the last of them with
 * `favoured` instead. */
static inline void put_rounds(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                              uint64_t favoured)
{
    uint64_t sms = number(configuration, SMS);
    uint64_t full = ones(configuration, ISSUE_W);
    uint64_t issued = 0;
    for (uint64_t base = 0; base < number(configuration, WARPS); base += sms) {
        bool last = base + sms >= number(configuration, WARPS);
        put_round(configuration, tape, issued, last ? favoured : sms - 1);
        issued = issued + 1 < full ? issued + 1 : issued;
    }
}

/* A round that is dropped in its last period: an SM has no warps, or L1s are closed. */
static inline void put_dropped(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                               bool idle)
{
    uint64_t sms = number(configuration, SMS);
    for (uint64_t i = 1; i < number(configuration, SAMPLES); i++) {
        put_period(configuration, tape, (period){0, 1, sms, 0, false});
    }
    put_period(configuration, tape, (period){0, 1, sms, idle ? 0 : sms, idle});
}

enum { WINNERS = 32 }; /* SMs each of which must win, at most */

/* Returns the number of SMs that can win a round: those with limits of their own. */
static inline uint64_t winners(const gm_cosim_configuration *configuration)
{
    uint64_t sms = number(configuration, SMS);
    uint64_t warps = number(configuration, WARPS);
    return sms < warps ? sms : warps;
}

/* Each SM wins a round, where there are few. */
static inline void put_winners(const gm_cosim_configuration *configuration, gm_cosim_tape *tape)
{
    const gm_cores_sampling_request restart = {.op = GM_CORES_SAMPLING_RESTART};
    for (uint64_t sm = 0; sm < winners(configuration) && winners(configuration) <= WINNERS; sm++) {
        gm_cosim_tape_put(tape, &restart);
        put_heat(configuration, tape, false);
        put_round(configuration, tape, 0, sm);
    }
}

/* A round in which nobody issues; and one in which the second SM has the largest total, the first
 * one instruction less, and all others nothing: whatever bit a best loses, it decides. */
static inline void put_least_and_most(const gm_cosim_configuration *configuration,
                                      gm_cosim_tape *tape)
{
    const gm_cores_sampling_request restart = {.op = GM_CORES_SAMPLING_RESTART};
    uint64_t sms = number(configuration, SMS);
    gm_cosim_tape_put(tape, &restart);
    put_heat(configuration, tape, false);
    put_round(configuration, tape, 0, sms);
    gm_cosim_tape_put(tape, &restart);
    put_heat(configuration, tape, false);
    for (uint64_t i = number(configuration, SAMPLES); i > 0; i--) {
        for (uint64_t sm = 0; sm < sms; sm++) {
            const gm_cores_sampling_request request = {
                .op = GM_CORES_SAMPLING_REPORT,
                .issued = sm > 1 ? 0 : ones(configuration, ISSUE_W) - (sm == 0 && i == 1),
            };
            gm_cosim_tape_put(tape, &request);
        }
    }
}

enum { TAPE_SMS = 128 }; /* SMs: of more, a tape with a period for each bit is too long */

/* Numbers a period's end compares: a bit alone decides whether the period is hot. */
enum { MISSES, ISSUED, MISSED, ALLOWED, NUMBERS };

/* Returns the bits of `value` each of which is at least `slack` when multiplied by `factor`. */
static inline uint64_t bits_above(uint64_t value, uint64_t factor, uint64_t slack)
{
    uint64_t bits = 0;
    for (uint64_t left = value; left != 0; left &= left - 1) {
        uint64_t bit = left & (~left + 1);
        bits |= bit * factor >= slack ? bit : 0;
    }
    return bits;
}

/* Sets, for each of the numbers, the bits without which the period with these sums were cool and
 * not hot, or hot and not cool. */
static inline void deciding_bits(const gm_cosim_configuration *configuration, uint64_t misses,
                                 uint64_t issued, uint64_t bits[NUMBERS])
{
    uint64_t factor[2];
    factors(configuration, factor);
    uint64_t missed = misses * factor[0];
    uint64_t allowed = issued * factor[1];
    memset(bits, 0, NUMBERS * sizeof *bits);
    if (missed > allowed) {
        bits[MISSES] = bits_above(misses, factor[0], missed - allowed);
        bits[MISSED] = bits_above(missed, 1, missed - allowed);
    } else {
        bits[ISSUED] = bits_above(issued, factor[1], allowed - missed + 1);
        bits[ALLOWED] = bits_above(allowed, 1, allowed - missed + 1);
    }
}

/* Finds sums of a period that bit `bit` of a number decides. Returns false if none of the first
 * sums with that bit will do. */
static inline bool find_sums(const gm_cosim_configuration *configuration, unsigned which,
                             unsigned bit, uint64_t *misses, uint64_t *issued)
{
    uint64_t sms = number(configuration, SMS);
    const uint64_t most[] = {sms * ones(configuration, MISS_W), sms * ones(configuration, ISSUE_W)};
    uint64_t factor[2];
    factors(configuration, factor);
    bool hot = which == MISSES || which == MISSED;
    unsigned own = hot ? 0 : 1;
    uint64_t first = UINT64_C(1) << bit;
    uint64_t sum = which < MISSED ? first : (first + factor[own] - 1) / factor[own];
    unsigned tries = sms <= TAPE_SMS ? 64 : 0;
    for (; tries > 0 && sum <= most[own]; tries--, sum++) {
        uint64_t other = (sum * factor[own] - hot) / factor[!own];
        uint64_t bits[NUMBERS];
        other = other < most[!own] ? other : most[!own];
        *misses = hot ? sum : other;
        *issued = hot ? other : sum;
        deciding_bits(configuration, *misses, *issued, bits);
        if ((bits[which] >> bit & 1) != 0) {
            return true;
        }
    }
    return false;
}

enum { SUM_BITS = 48 }; /* of sums and their products, at most */

/* Returns the bits of a number each of which decides a period of a tape. */
static inline uint64_t decided_bits(const gm_cosim_configuration *configuration, unsigned which)
{
    uint64_t bits = 0;
    uint64_t misses;
    uint64_t issued;
    for (unsigned bit = 0; bit < SUM_BITS; bit++) {
        bits |= find_sums(configuration, which, bit, &misses, &issued) ? UINT64_C(1) << bit : 0;
    }
    return bits;
}

/* For each bit of each of the numbers, a kernel's period that this bit decides. */
static inline void put_sums(const gm_cosim_configuration *configuration, gm_cosim_tape *tape)
{
    for (unsigned i = 0; i < NUMBERS * SUM_BITS; i++) {
        uint64_t misses;
        uint64_t issued;
        if (!find_sums(configuration, i / SUM_BITS, i % SUM_BITS, &misses, &issued)) {
            continue;
        }
        put_kernel(tape, 0);
        for (uint64_t sm = 0; sm < number(configuration, SMS); sm++) {
            gm_cores_sampling_request request = {.misses = ones(configuration, MISS_W),
                                                 .issued = ones(configuration, ISSUE_W)};
            request.misses = request.misses < misses ? request.misses : misses;
            request.issued = request.issued < issued ? request.issued : issued;
            misses -= request.misses;
            issued -= request.issued;
            gm_cosim_tape_put(tape, &request);
        }
    }
}

/* Returns the bits of an SM's instructions in a round that a tape has alone. */
static inline uint64_t total_bits(const gm_cosim_configuration *configuration)
{
    uint64_t most = number(configuration, SAMPLES) * ones(configuration, ISSUE_W);
    uint64_t limits = winners(configuration);
    return limits < 2 || limits > WINNERS ? 0 : gm_mask(gm_log2_floor(most) + 1);
}

/* A round of a kernel that is new: SMs `first` and `second` issue `total`, the others nothing. */
static inline void put_two(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                           uint64_t total, uint64_t first, uint64_t second)
{
    const gm_cores_sampling_request restart = {.op = GM_CORES_SAMPLING_RESTART};
    uint64_t full = ones(configuration, ISSUE_W);
    gm_cosim_tape_put(tape, &restart);
    put_heat(configuration, tape, false);
    for (uint64_t i = 0; i < number(configuration, SAMPLES); i++) {
        uint64_t part = total < full ? total : full;
        for (uint64_t sm = 0; sm < number(configuration, SMS); sm++) {
            const gm_cores_sampling_request request = {.issued =
                                                           sm == first || sm == second ? part : 0};
            gm_cosim_tape_put(tape, &request);
        }
        total -= part;
    }
}

/* For each bit of the instructions of a round: the last SM wins with this bit alone; then an
 * earlier one, and the last one has as many and does not. */
static inline void put_totals(const gm_cosim_configuration *configuration, uint64_t round,
                              gm_cosim_tape *tape)
{
    uint64_t last = winners(configuration) - 1;
    for (uint64_t left = total_bits(configuration); left != 0; left &= left - 1) {
        uint64_t bit = left & (~left + 1);
        uint64_t first = last == 1 ? 0 : 1 + (round + gm_lowest_one(bit)) % (last - 1);
        put_two(configuration, tape, bit, last, last);
        put_two(configuration, tape, bit, first, last);
    }
}

/* True if the table's entries can have kernels that differ from one of them in two bits or more. */
static inline bool has_spread(const gm_cosim_configuration *configuration)
{
    uint64_t bits = number(configuration, KERNEL_W);
    return bits > 1 && number(configuration, ENTRIES) <= UINT64_C(1) << (bits - 2) &&
           number(configuration, SMS) <= TAPE_SMS;
}

/* Fills the table, `kernel` last or as entry `own`, with a hot count of 1 each. Of the other
 * kernels each differs from it in its two highest bits. */
static inline void put_table(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                             uint64_t kernel, uint64_t own)
{
    const gm_cores_sampling_request restart = {.op = GM_CORES_SAMPLING_RESTART};
    uint64_t apart = UINT64_C(3) << (number(configuration, KERNEL_W) - 2);
    gm_cosim_tape_put(tape, &restart);
    for (uint64_t entry = 0; entry < number(configuration, ENTRIES); entry++) {
        put_kernel(tape, entry == own ? kernel : kernel ^ apart ^ entry);
        put_period(configuration, tape,
                   (period){ones(configuration, MISS_W), 0, number(configuration, SMS), 0, false});
    }
}

/* Rounds of sampling in which `limit` wins. */
static inline void put_search(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                              uint64_t limit)
{
    uint64_t sms = number(configuration, SMS);
    uint64_t rounds = (limit + sms - 1) / sms;
    for (uint64_t i = 0; i < rounds; i++) {
        put_round(configuration, tape, i, i + 1 == rounds ? (limit - 1) % sms : sms - 1);
    }
    if (limit % sms == 0) { /* larger limits are tried, and do not win */
        put_round(configuration, tape, 0, sms);
    }
}

/* Returns the bits of limits that a tape gives the last entry alone. */
static inline uint64_t limit_bits(const gm_cosim_configuration *configuration)
{
    uint64_t warps = number(configuration, WARPS);
    bool fits = warps / number(configuration, SMS) < ones(configuration, ISSUE_W);
    return has_spread(configuration) && fits ? gm_mask(gm_log2_floor(warps) + 1) : 0;
}

/* Fills the table. Compares the kernel of one entry, the last one in every other round, with
 * kernels that differ in one bit; brings its hot count to its end; then the last entry gets, and
 * applies, one limit for each bit of limits. */
static inline void put_last_entry(const gm_cosim_configuration *configuration, uint64_t round,
                                  gm_cosim_tape *tape)
{
    uint64_t last = number(configuration, ENTRIES) - 1;
    uint64_t kernel =
        (round + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 16 & ones(configuration, KERNEL_W);
    uint64_t own = round % 2 == 0 ? last : round / 2 % (last + 1);
    const period hot = {ones(configuration, MISS_W), 0, number(configuration, SMS), 0, false};
    if (!has_spread(configuration)) {
        return;
    }
    put_table(configuration, tape, kernel, own);
    for (uint64_t bit = 0; bit < number(configuration, KERNEL_W); bit++) {
        put_kernel(tape, kernel ^ UINT64_C(1) << bit);
    }
    for (uint64_t i = 0; i < number(configuration, HOT); i++) {
        put_kernel(tape, kernel);
        put_period(configuration, tape, hot);
    }
    for (uint64_t left = limit_bits(configuration); left != 0; left &= left - 1) {
        put_table(configuration, tape, kernel, last);
        for (uint64_t i = 1; i < number(configuration, HOT); i++) {
            put_period(configuration, tape, hot);
        }
        put_search(configuration, tape, left & (~left + 1));
        put_kernel(tape, ~kernel & ones(configuration, KERNEL_W));
        put_kernel(tape, kernel);
        put_period(configuration, tape, hot);
    }
}

#endif

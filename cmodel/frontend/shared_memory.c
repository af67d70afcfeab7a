/* Shared memory: banks are 4 bytes wide and word w lies in bank w mod banks. An access of a warp is
 * cut into groups of lanes that fill the banks once: 32 lanes of 4 bytes or less, half-warps for 8
 * bytes, quarter-warps for 16 (with 32 banks). A group takes as many passes as the bank with the
 * most different words has words. Lanes that access one word share its pass, but lanes of an atomic
 * take a pass each. */
#include "frontend/shared_memory.h"

#include "goldmem/bits.h"

enum {
    BANK_BYTES = 4,
    MOST_BANKS = GM_SHARED_BANKS,
    MOST_WORDS = GM_WARP_SIZE * (UINT8_MAX / BANK_BYTES + 2),
};

/* Different words of one group by bank; for atomics the words of each lane. */
typedef struct words {
    uint32_t count;
    uint32_t deepest;           /* words of the fullest bank */
    uint16_t first[MOST_BANKS]; /* 1 + number of the last word found in the bank; 0: none */
    uint16_t depth[MOST_BANKS];
    uint16_t next[MOST_WORDS];
    uint32_t word[MOST_WORDS];
} words;

static void add_word(words *words, uint32_t word, uint32_t banks, bool atomic)
{
    uint32_t bank = word & (banks - 1);
    for (uint32_t i = words->first[bank]; !atomic && i != 0; i = words->next[i - 1]) {
        if (words->word[i - 1] == word) {
            return;
        }
    }
    words->word[words->count] = word;
    words->next[words->count] = words->first[bank];
    words->first[bank] = (uint16_t)++words->count;
    words->depth[bank]++;
    words->deepest = words->depth[bank] > words->deepest ? words->depth[bank] : words->deepest;
}

static void clear(words *words, uint32_t banks)
{
    words->count = 0;
    words->deepest = 0;
    for (uint32_t bank = 0; bank < banks; bank++) {
        words->first[bank] = 0;
        words->depth[bank] = 0;
    }
}

/* Returns log2 of the lanes whose access fills the banks once. */
static unsigned group_bits(unsigned width, uint32_t banks)
{
    uint32_t bytes = width > BANK_BYTES ? width : BANK_BYTES;
    uint32_t lanes = banks * BANK_BYTES / bytes;
    lanes = lanes == 0 ? 1 : lanes;
    return gm_log2_floor(lanes < GM_WARP_SIZE ? lanes : GM_WARP_SIZE);
}

/* True if the lanes, all of one group and in order, each access one word, and these lie in
 * different banks or are one: most accesses, of which each lane takes a few instructions here. */
static bool is_free_of_conflicts(const gm_shared_access *access, uint32_t count, unsigned width,
                                 uint32_t banks, bool atomic)
{
    enum { WORD_BANKS = 64 };
    uint32_t ends = access[0].lane ^ access[count - 1].lane;
    if (banks > WORD_BANKS || ends >> group_bits(width, banks) != 0) {
        return false;
    }
    uint64_t used = 0, twice = 0;
    uint32_t others = 0, beyond = 0, next = access[0].lane, disorder = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset = access[i].offset;
        uint64_t bank = UINT64_C(1) << (offset / BANK_BYTES & (banks - 1));
        twice |= used & bank;
        used |= bank;
        others |= (offset ^ access[0].offset) / BANK_BYTES;
        beyond |= (offset % BANK_BYTES + width - 1) / BANK_BYTES;
        disorder |= access[i].lane < next;
        next = access[i].lane + 1;
    }
    return (beyond | disorder) == 0 && (twice == 0 || (others == 0 && !atomic));
}

gm_shared_passes gm_shared_memory_access(const gm_shared_access *access, uint32_t count,
                                         unsigned width, uint32_t banks, bool atomic)
{
    words words;
    gm_shared_passes passes = {0};
    unsigned bits = group_bits(width, banks);
    if (count != 0 && is_free_of_conflicts(access, count, width, banks, atomic)) {
        return (gm_shared_passes){.accesses = 1};
    }
    for (uint32_t i = 0; i < count;) {
        uint32_t group = access[i].lane >> bits;
        uint32_t before = access[i].lane;
        clear(&words, banks);
        /* Lanes ascend; an instruction with more addresses than lanes starts over. */
        for (bool first = true;
             i < count && access[i].lane >> bits == group && (first || access[i].lane > before);
             i++, first = false) {
            uint32_t last = access[i].offset + width - 1;
            for (uint32_t word = access[i].offset / BANK_BYTES; word <= last / BANK_BYTES; word++) {
                add_word(&words, word, banks, atomic);
            }
            before = access[i].lane;
        }
        passes.accesses++;
        passes.conflicts += words.deepest - 1;
    }
    return passes;
}

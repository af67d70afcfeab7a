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

/* Different words of one group by bank; for atomics the words of each lane. Most banks have one
 * word at most: the first of each lies apart, and `used` tells which are valid. */
typedef struct words {
    uint64_t used[MOST_BANKS / 64]; /* bit set of the banks that have words */
    uint32_t deepest;               /* words of the fullest bank */
    uint32_t further;               /* words behind the first ones */
    uint32_t only[MOST_BANKS];      /* the first word of a bank */
    uint16_t depth[MOST_BANKS];     /* its words */
    uint16_t last[MOST_BANKS];      /* 1 + number of its last further word; 0: none */
    uint16_t next[MOST_WORDS];      /* 1 + number of the bank's further word before this one */
    uint32_t word[MOST_WORDS];      /* the further words */
} words;

/* Adds a word to a bank that has one. */
static __attribute__((noinline)) void add_further(words *words, uint32_t word, uint32_t bank,
                                                  bool atomic)
{
    if (words->depth[bank] == 1) {
        words->last[bank] = 0;
    }
    for (uint32_t i = words->last[bank]; !atomic && i != 0; i = words->next[i - 1]) {
        if (words->word[i - 1] == word) {
            return;
        }
    }
    words->word[words->further] = word;
    words->next[words->further] = words->last[bank];
    words->last[bank] = (uint16_t)++words->further;
    words->depth[bank]++;
    words->deepest = words->depth[bank] > words->deepest ? words->depth[bank] : words->deepest;
}

static inline void add_word(words *words, uint32_t word, uint32_t banks, bool atomic)
{
    uint32_t bank = word & (banks - 1);
    uint64_t bit = UINT64_C(1) << bank % 64;
    uint64_t *used = &words->used[bank / 64];
    if ((*used & bit) == 0) {
        *used |= bit;
        words->only[bank] = word;
        words->depth[bank] = 1;
    } else if (atomic || words->only[bank] != word) {
        add_further(words, word, bank, atomic);
    }
}

/* Adds the words of a lane. */
static inline void add_words(words *words, const gm_shared_access *access, unsigned width,
                             uint32_t banks, bool atomic)
{
    uint32_t word = access->offset / BANK_BYTES;
    uint32_t last = (access->offset + width - 1) / BANK_BYTES;
    add_word(words, word, banks, atomic);
    while (word != last) {
        add_word(words, ++word, banks, atomic);
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
        uint32_t lane = access[i].lane; /* the lowest that the group may still have */
        uint32_t end = ((lane >> bits) + 1) << bits;
        words.used[0] = words.used[1] = 0;
        words.deepest = 1;
        words.further = 0;
        /* Lanes ascend; an instruction with more addresses than lanes starts over. */
        while (i < count && access[i].lane - lane < end - lane) {
            add_words(&words, &access[i], width, banks, atomic);
            lane = access[i++].lane + 1;
        }
        passes.accesses++;
        passes.conflicts += words.deepest - 1;
    }
    return passes;
}

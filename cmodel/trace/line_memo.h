/* Line memo: a cache of instruction lines that were read before, looked up by the line's text. Warp
 * after warp executes the same instructions, so that most lines repeat an earlier one byte for
 * byte, up to their addresses or to their end; such text is compared, not parsed. A look-up is a
 *
 *     HIT     where the whole line was seen before, or all of it but the digits of the base address
 *             of a strided access:
 *                 0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f00a200 4 0
 *                                                       ----
 *     PREFIX  where it was seen up to its addresses, which must be parsed:
 *                 0018 ffffffff 1 R6 LDG.E 1 R8 4 2 0x7f00a200 8 -4 12 ...
 *     MISS    otherwise: the line must be parsed.
 */
#ifndef GOLDMEM_TRACE_LINE_MEMO_H
#define GOLDMEM_TRACE_LINE_MEMO_H

#include "goldmem/instruction.h"
#include "trace/input.h"
#include "trace/number.h"

#include <string.h>

enum {
    GM_LINE_MEMO_BITS = 9,
    GM_LINE_MEMO_ENTRIES = 1 << GM_LINE_MEMO_BITS, /* a loop of so many instructions fits */
    GM_LINE_MEMO_BLOCK = 16,                       /* bytes compared at once */
    GM_LINE_MEMO_TEXT = GM_INPUT_PADDING,          /* readable behind any line's start */
    GM_LINE_MEMO_TAIL = 8,                         /* bytes; as " 4 0 \n" */
};

typedef enum gm_line_memo_outcome {
    GM_LINE_MISS,
    GM_LINE_PREFIX,
    GM_LINE_HIT,
} gm_line_memo_outcome;

/* An entry: a prefix, or a whole line. Text shorter than a block, which no tracer writes, is not
 * kept. */
typedef struct gm_line_memo_entry {
    char text[GM_LINE_MEMO_TEXT]; /* up to the address mode; whole: up to the newline, included */
    uint32_t length;              /* 0: the entry is empty */
    bool whole;                   /* the line ends where the text does */
    uint8_t tail_length;          /* not 0: the text was followed by "1 0x", by */
    uint8_t digits;               /* so many hexadecimal digits, 1 to 16, and by */
    uint64_t tail;                /* these bytes, a newline the last */
    gm_instruction instruction;   /* the line's instruction */
    struct gm_line_memo_entry *next; /* entry of the line that followed last time */
} gm_line_memo_entry;

typedef struct gm_line_memo {
    gm_line_memo_entry entry[GM_LINE_MEMO_ENTRIES];
    gm_line_memo_entry *last; /* of the last line */
} gm_line_memo;

static inline void gm_line_memo_start(gm_line_memo *memo)
{
    memo->last = memo->entry;
    for (uint32_t i = 0; i < GM_LINE_MEMO_ENTRIES; i++) {
        memo->entry[i].length = 0;
        memo->entry[i].next = memo->entry;
    }
}

/* Returns the entry of a line, by a hash of its first bytes, which hold PC and mask. */
static inline gm_line_memo_entry *gm_line_memo_at(gm_line_memo *memo, const char *line)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t words[2];
    memcpy(words, line, sizeof words);
    uint64_t hash = (words[0] + words[1] * odd) * odd;
    return &memo->entry[hash >> (64 - GM_LINE_MEMO_BITS)];
}

typedef uint64_t gm_line_memo_block __attribute__((vector_size(GM_LINE_MEMO_BLOCK)));

static inline gm_line_memo_block gm_line_memo_differs(const char *a, const char *b)
{
    gm_line_memo_block left;
    gm_line_memo_block right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return left ^ right;
}

/* True if the line begins with the entry's text. Compares blocks from the start, and one that ends
 * where the text does. */
static inline bool gm_line_memo_fits(const gm_line_memo_entry *entry, const char *line)
{
    if (entry->length == 0) {
        return false;
    }
    const char *text = entry->text;
    uint32_t last = entry->length - GM_LINE_MEMO_BLOCK;
    gm_line_memo_block differs =
        gm_line_memo_differs(text, line) | gm_line_memo_differs(text + last, line + last);
    if (last > GM_LINE_MEMO_BLOCK) {
        differs |= gm_line_memo_differs(text + GM_LINE_MEMO_BLOCK, line + GM_LINE_MEMO_BLOCK);
    }
    if (last > 2 * GM_LINE_MEMO_BLOCK) {
        differs |=
            gm_line_memo_differs(text + 2 * GM_LINE_MEMO_BLOCK, line + 2 * GM_LINE_MEMO_BLOCK);
    }
    return (differs[0] | differs[1]) == 0;
}

/* Fills the entry with the line up to `end` and with its instruction, unless that text is too long
 * or too short. */
static inline void gm_line_memo_keep(gm_line_memo_entry *entry, const char *line, const char *end,
                                     bool whole, const gm_instruction *instruction)
{
    size_t length = (size_t)(end - line);
    if (length >= GM_LINE_MEMO_BLOCK && length <= GM_LINE_MEMO_TEXT) {
        memcpy(entry->text, line, length);
        entry->length = (uint32_t)length;
        entry->whole = whole;
        entry->tail_length = 0;
        entry->instruction = *instruction;
    }
}

/* True if the address mode at `p` is a base address with a stride. */
static inline bool gm_line_memo_strided(const char *p)
{
    return memcmp(p, "1 0x", 4) == 0;
}

/* Adds to the entry the text after the digits of the base address at `p`, up to the start of the
 * next line. Requires that the entry holds the line's instruction. */
static inline void gm_line_memo_keep_tail(gm_line_memo_entry *entry, const char *p,
                                          const char *next)
{
    p += 4;
    size_t digits = 0;
    while (gm_hex_digit(p[digits]) <= 15) {
        digits++;
    }
    p += digits;
    size_t length = (size_t)(next - p);
    if (digits <= 16 && length <= GM_LINE_MEMO_TAIL) {
        memcpy(&entry->tail, p, GM_LINE_MEMO_TAIL);
        entry->tail_length = (uint8_t)length;
        entry->digits = (uint8_t)digits;
    }
}

/* Matches the text at `p` with what follows the entry's prefix, except for the digits of the base
 * address, which are stored in the entry's instruction. Returns the start of the next line, or
 * NULL. */
static inline const char *gm_line_memo_match_tail(gm_line_memo_entry *entry, const char *p)
{
    if (entry->tail_length == 0 || !gm_line_memo_strided(p)) {
        return NULL;
    }
    p += 4;
    uint64_t base;
    uint64_t tail;
    memcpy(&tail, p + entry->digits, sizeof tail); /* begins with no digit */
    if ((tail ^ entry->tail) << (8 * (GM_LINE_MEMO_TAIL - entry->tail_length)) != 0 ||
        !gm_hex_of_length(p, entry->digits, &base)) {
        return NULL;
    }
    entry->instruction.base = base;
    return p + entry->digits + entry->tail_length;
}

/* Looks a line up in an entry. HIT: the entry's instruction is the line's, *next the start of the
 * next line. PREFIX: *next is where the line's addresses begin. */
static inline gm_line_memo_outcome gm_line_memo_look_up(gm_line_memo_entry *entry, const char *line,
                                                        const char **next)
{
    if (!gm_line_memo_fits(entry, line)) {
        return GM_LINE_MISS;
    }
    *next = line + entry->length;
    if (entry->whole) {
        return GM_LINE_HIT;
    }
    const char *behind = gm_line_memo_match_tail(entry, *next);
    *next = behind != NULL ? behind : *next;
    return behind != NULL ? GM_LINE_HIT : GM_LINE_PREFIX;
}

#endif

/* Lines seen before. A trace says the same again and again: warp after warp executes the same
 * instructions, and what a line says before its addresses, or all that one without addresses says,
 * is byte for byte what an earlier line said. Such a beginning is compared, not read again; so is
 * what follows the base address where a stride was given. */
#ifndef GM_TRACE_LINE_MEMO_H
#define GM_TRACE_LINE_MEMO_H

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

/* What is kept of a beginning. Beginnings shorter than a block, which no tracer writes, are not. */
typedef struct gm_line_memo_entry {
    char text[GM_LINE_MEMO_TEXT];    /* up to the address mode; or the line, with its newline */
    uint32_t length;                 /* 0: nothing is kept here */
    bool whole;                      /* the line ends here */
    uint8_t tail_length;             /* not whole: 0, or after such a beginning, "1 0x" and */
    uint8_t digits;                  /* so many, 1 to 16, */
    uint64_t tail;                   /* came these bytes, a newline the last: */
    gm_instruction instruction;      /* what the text said then */
    struct gm_line_memo_entry *next; /* of the line that came after, the last time */
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

/* The entry where a line's beginning is kept: by its first bytes, which hold PC and mask. */
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

/* Does the line begin with what the entry keeps? Blocks from the start, and one that ends where the
 * text does. */
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

/* Keeps that the line up to `end` says `instruction`, unless that is too long or too short. */
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

/* Is a base address written here whose stride follows? */
static inline bool gm_line_memo_strided(const char *p)
{
    return memcmp(p, "1 0x", 4) == 0;
}

/* Keeps what follows the digits of the base address at `p`, up to the next line, which begins at
 * `next`: the entry's instruction is what the line said. */
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

/* The rest of a line behind a beginning that fits: all of it known but a base address. Returns the
 * start of the next line; NULL: the rest must be read. */
static inline const char *gm_line_memo_rest(gm_line_memo_entry *entry, const char *p)
{
    if (entry->whole) {
        return p;
    }
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

#endif

/* Lines seen before. A trace says the same again and again: warp after warp executes the same
 * instructions, and what a line says before its addresses, or all that one without addresses says,
 * is byte for byte what an earlier line said. Such a beginning is compared, not read again. */
#ifndef GM_TRACE_LINE_MEMO_H
#define GM_TRACE_LINE_MEMO_H

#include "goldmem/instruction.h"
#include "trace/input.h"
#include "trace/opcode.h"

#include <string.h>

enum {
    GM_LINE_MEMO_BITS = 9,
    GM_LINE_MEMO_ENTRIES = 1 << GM_LINE_MEMO_BITS, /* a loop of so many instructions fits */
    GM_LINE_MEMO_TEXT = GM_INPUT_PADDING,          /* readable behind any line's start */
};

typedef struct gm_line_memo_entry {
    char text[GM_LINE_MEMO_TEXT]; /* up to the address mode; or the line, with its newline */
    uint32_t length;              /* 0: nothing is kept here */
    bool whole;                   /* the line ends here */
    gm_instruction instruction;   /* what the text says */
} gm_line_memo_entry;

typedef struct gm_line_memo {
    gm_line_memo_entry entry[GM_LINE_MEMO_ENTRIES];
} gm_line_memo;

/* The entry where a line's beginning is kept: by its first bytes, which hold PC and mask. */
static inline gm_line_memo_entry *gm_line_memo_at(gm_line_memo *memo, const char *line)
{
    uint64_t words[2];
    memcpy(words, line, sizeof words);
    uint64_t hash = gm_opcode_hash_word(gm_opcode_hash_word(0, words[0]), words[1]);
    return &memo->entry[hash % GM_LINE_MEMO_ENTRIES];
}

/* Does the line begin with what the entry keeps? */
static inline bool gm_line_memo_fits(const gm_line_memo_entry *entry, const char *line)
{
    return entry->length != 0 && memcmp(entry->text, line, entry->length) == 0;
}

/* Keeps that the line up to `end` says `instruction`, unless that is too long. */
static inline void gm_line_memo_keep(gm_line_memo_entry *entry, const char *line, const char *end,
                                     bool whole, const gm_instruction *instruction)
{
    size_t length = (size_t)(end - line);
    if (length <= GM_LINE_MEMO_TEXT) {
        memcpy(entry->text, line, length);
        entry->length = (uint32_t)length;
        entry->whole = whole;
        entry->instruction = *instruction;
    }
}

#endif

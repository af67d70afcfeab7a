/* The compact form of a kernel file (.gmt), shared by binary_writer.c and binary_reader.c.
 *
 * A text header as in any kernel file, "#traces format = goldmem compact 1", then the line
 * "goldmem compact 1" and, all numbers little-endian:
 *   u32: bytes up to here from the start of the file, for messages
 *   blocks: u32 length, then a zstd frame of that length with its content's size and checksum, of
 *   at most GM_COMPACT_BLOCK bytes of items. The last block ends with END, and the file with it.
 * Items: a byte, gm_compact_item, then
 *   OPCODE  u8 length, text: takes the next opcode number, from 0
 *   CTA     u32 x, y, z
 *   WARP    u32 number
 *   RUN     u32 how many, that many records (record.h) of the warp
 *   END_CTA
 *   END     u64 CTAs, u64 instructions in the file */
#ifndef GOLDMEM_TRACE_COMPACT_H
#define GOLDMEM_TRACE_COMPACT_H

#include "goldmem/source.h"
#include "trace/input.h"

#define GM_COMPACT_LINE "goldmem compact 1"

enum { GM_COMPACT_BLOCK = 256 * 1024 };

typedef enum gm_compact_item {
    GM_COMPACT_OPCODE = 1,
    GM_COMPACT_CTA,
    GM_COMPACT_WARP,
    GM_COMPACT_RUN,
    GM_COMPACT_END_CTA,
    GM_COMPACT_END,
} gm_compact_item;

typedef struct gm_compact_reader gm_compact_reader;

/* Begins to read behind the GM_COMPACT_LINE of `input`. Requires that `input`, `kernel` and
 * `opcodes` stay valid, and `input` is used by the reader alone, until the reader is closed. */
int gm_compact_reader_open(gm_compact_reader **reader, gm_input *input, const gm_kernel *kernel,
                           gm_opcode_table *opcodes, gm_error *error);

/* As gm_source_next_cta. `sink` may be NULL: the CTA is checked and skipped. Every bound and
 * checksum is verified; messages read "FILE:OFFSET: reason" with the offset [bytes] of the block.
 */
int gm_compact_reader_next_cta(gm_compact_reader *reader, const gm_cta_sink *sink, gm_error *error);

void gm_compact_reader_close(gm_compact_reader *reader);

#endif

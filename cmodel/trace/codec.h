/* Decompressors behind one interface: feed compressed bytes, take plain ones. */
#ifndef GOLDMEM_TRACE_CODEC_H
#define GOLDMEM_TRACE_CODEC_H

#include <lzma.h>
#include <stdbool.h>
#include <stddef.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

typedef enum gm_codec_kind {
    GM_CODEC_PLAIN,
    GM_CODEC_XZ,
    GM_CODEC_GZIP,
    GM_CODEC_ZSTD
} gm_codec_kind;

typedef struct gm_codec {
    gm_codec_kind kind;
    bool between; /* GZIP, ZSTD: at the end of a member or frame, where the file may end */
    bool ended;   /* XZ: the last stream has ended */
    lzma_stream xz;
    z_stream gzip;
    ZSTD_DStream *zstd;
} gm_codec;

/* Returns the kind that the first bytes of a file name. Needs at most six bytes. */
gm_codec_kind gm_codec_detect(const unsigned char *bytes, size_t length);

/* Returns the name of a compression that is not read, by the first bytes of a file, or NULL. */
const char *gm_codec_unread(const unsigned char *bytes, size_t length);

/* Sets up the decompressor of this kind. Returns 0 or -ENOMEM. */
int gm_codec_start(gm_codec *codec, gm_codec_kind kind);

/* Takes bytes from in[*used..length) and writes out[*made..capacity), moving both forward.
 * `in_ended`: no more bytes follow. Returns NULL, or the reason why the bytes are refused. Takes at
 * most 256 MiB of memory. */
const char *gm_codec_run(gm_codec *codec, const unsigned char *in, size_t *used, size_t length,
                         bool in_ended, char *out, size_t *made, size_t capacity);

/* True if the file may end here: no stream, member or frame is incomplete. */
bool gm_codec_complete(const gm_codec *codec);

void gm_codec_stop(gm_codec *codec);

#endif
